/*
 * Times the least that any reader into columns does with a file, as a bound for table_bench:
 *
 *     floor_bench [--threads N,...] [--repeats N] FILE...
 *
 * Three lines a file and number of threads (1): threads read blocks of 1 MiB into memory of their own ("read"), find
 * the line ends with memchr ("lines"), and copy the bytes to new memory ("copy"). Each line has the steps of those
 * before. The new memory is in huge pages where the system has them, as that of tables is.
 */
#define _GNU_SOURCE /* MADV_HUGEPAGE, strtok_r */

#include "timing.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK        ((size_t)1 << 20)
#define HUGE_PAGE    ((size_t)2 << 20)
#define THREADS_MOST 256

static const char *const steps[] = {"read", "lines", "copy"};

typedef struct reading {
    int file, step;
    size_t size;
    char *to;
    atomic_size_t next;
    atomic_size_t lines;
    atomic_int failed;
} reading;

static size_t count_lines(const char *bytes, size_t length)
{
    size_t lines = 0;
    for (const char *at = bytes, *end = bytes + length; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    return lines;
}

static void *read_blocks(void *argument)
{
    reading *r = argument;
    char *block = malloc(BLOCK);
    size_t at, lines = 0;
    while (block && (at = atomic_fetch_add(&r->next, BLOCK)) < r->size) {
        const size_t length = r->size - at < BLOCK ? r->size - at : BLOCK;
        if (pread(r->file, block, length, (off_t)at) != (ssize_t)length)
            break;
        if (r->step > 0)
            lines += count_lines(block, length);
        if (r->step > 1)
            memcpy(r->to + at, block, length);
    }
    if (!block || at < r->size)
        r->failed = 1;
    atomic_fetch_add(&r->lines, lines);
    free(block);
    return NULL;
}

/* The seconds of one run; negative if it failed. */
static double run(int file, size_t size, int step, int threads)
{
    const size_t mapped = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE + HUGE_PAGE;
    char *memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    char *aligned = memory + (0 - (size_t)memory) % HUGE_PAGE;
    (void)madvise(aligned, mapped - HUGE_PAGE, MADV_HUGEPAGE);
    reading r = {.file = file, .step = step, .size = size, .to = aligned};
    pthread_t others[THREADS_MOST];
    int started = 0;
    const double begin = now();
    while (started < threads - 1 && pthread_create(&others[started], NULL, read_blocks, &r) == 0)
        started++;
    read_blocks(&r);
    for (int i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    const double seconds = now() - begin;
    munmap(memory, mapped);
    return r.failed || started < threads - 1 ? -1 : seconds;
}

static int bench(const char *path, int threads, int repeats)
{
    static double seconds[REPEATS_MOST];
    struct stat about = {0};
    const int file = open(path, O_RDONLY);
    int failed = file < 0 || fstat(file, &about) != 0 || threads < 1 || threads > THREADS_MOST;
    for (int step = 0; step < 3 && !failed; step++) {
        for (int i = 0; i < repeats; i++) {
            seconds[i] = run(file, (size_t)about.st_size, step, threads);
            failed |= seconds[i] < 0;
        }
        print_runs(path, steps[step], seconds, repeats, (double)about.st_size);
        printf(", threads %d\n", threads);
    }
    if (file >= 0)
        close(file);
    return failed;
}

int main(int argc, char **argv)
{
    timing_options options = {.threads = {"1"}, .thread_count = 1, .repeats = 9};
    int failed = 0, at = read_options(argc, argv, "--threads --repeats", &options);
    if (!at) {
        fprintf(stderr, "usage: floor_bench [--threads N,...] [--repeats N] FILE...\n");
        return 2;
    }
    for (; at < argc && !failed; at++)
        for (uint32_t k = 0; k < options.thread_count && !failed; k++)
            failed = bench(argv[at], atoi(options.threads[k]), options.repeats);
    if (failed)
        fprintf(stderr, "floor_bench: a file cannot be read, or memory or threads are short\n");
    return failed;
}
