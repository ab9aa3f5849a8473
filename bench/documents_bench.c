/*
 * Times akin_duplicates_find on documents that are made up:
 *
 *     documents_bench [-t THREADS] [-m BYTES] [-d BYTES] [-s PERCENT] MEGABYTES DEVICE...
 *
 * Documents have 500 words of seven letters, drawn from 500,000 by a law like Zipf's. PERCENT of them (default: 20) are
 * copies of earlier ones, in which up to a twentieth of the words is changed. -m bounds the memory, -d that of a GPU.
 *
 * A line for each device (cpu, cuda, cuda:all, ...): megabytes a second, seconds of the whole, of counting and of what
 * follows, documents, removed ones, those that GPUs kept, rounds, and a checksum of the result. If it is not the same
 * on all devices, the program says so, and fails.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, getopt */

#include "timing.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define WORDS      500
#define WORD       8 /* bytes, with the blank */
#define DOCUMENT   (WORDS * WORD)
#define VOCABULARY 500000
#define MAKERS     16

typedef struct documents {
    char *bytes;
    uint64_t *offsets;
    uint32_t count, copies; /* copies: of 100 */
} documents;

/* Some documents, which a thread makes. */
typedef struct part {
    const documents *of;
    uint32_t begin, end;
} part;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A number from 0 on, below 1. */
static double draw(uint64_t seed, uint64_t number)
{
    return (double)(mix(seed * UINT64_C(0x9e3779b97f4a7c15) + number) >> 11) * 0x1p-53;
}

static void put_word(char *to, uint64_t seed, uint32_t at)
{
    uint64_t word = mix((uint64_t)exp(draw(seed, at) * log(VOCABULARY)));
    for (int i = 0; i < WORD - 1; i++, word /= 26)
        to[i] = (char)('a' + word % 26);
    to[WORD - 1] = ' ';
}

static void *make_part(void *argument)
{
    const part *p = argument;
    for (uint32_t d = p->begin; d < p->end; d++) {
        char *to = p->of->bytes + (uint64_t)d * DOCUMENT;
        const int is_copy = d > 0 && draw(1, d) * 100 < p->of->copies;
        const uint64_t seed = 10 + (is_copy ? (uint64_t)(draw(2, d) * d) : d);
        const double changed = is_copy ? draw(3, d) / 20 : 0;
        for (uint32_t i = 0; i < WORDS; i++)
            put_word(to + (size_t)i * WORD, draw(4 + (uint64_t)d, i) < changed ? ~(uint64_t)d : seed, i);
    }
    return NULL;
}

static int make(documents *d)
{
    pthread_t threads[MAKERS];
    part parts[MAKERS];
    int started = 0;
    d->bytes = malloc((uint64_t)d->count * DOCUMENT);
    d->offsets = malloc((d->count + UINT64_C(1)) * sizeof *d->offsets);
    if (!d->bytes || !d->offsets)
        return 0;
    for (uint64_t i = 0; i <= d->count; i++)
        d->offsets[i] = i * DOCUMENT;
    for (uint32_t i = 0; i < MAKERS; i++) {
        parts[i] =
            (part){d, (uint32_t)((uint64_t)d->count * i / MAKERS), (uint32_t)((uint64_t)d->count * (i + 1) / MAKERS)};
        started += pthread_create(&threads[i], NULL, make_part, &parts[i]) == 0;
    }
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return started == MAKERS;
}

/* Returns in *checksum that of the result. */
static int run(const documents *d, akin_context_options options, uint64_t *checksum)
{
    const akin_column column = {.size = sizeof column, .offsets = d->offsets, .bytes = d->bytes};
    akin_duplicates_report report = {.size = sizeof report};
    akin_context *context = NULL;
    akin_duplicates *duplicates = NULL;
    akin_error error;
    uint64_t sum = 0;
    akin_status status = akin_context_create(&options, &context, &error);
    const double begun = now();
    if (status == AKIN_OK)
        status = akin_duplicates_find(context, &column, d->count, NULL, &duplicates, &error);
    const double seconds = now() - begun;
    if (status == AKIN_OK)
        status = akin_duplicates_describe(duplicates, &report, &error);
    for (uint32_t row = 0; row < d->count && status == AKIN_OK; row++) {
        akin_duplicate own;
        akin_duplicates_row(duplicates, row, &own);
        sum = mix(sum ^ own.survivor) + own.common;
    }
    if (status != AKIN_OK)
        fprintf(stderr, "documents_bench: %s\n", error.message);
    else
        printf(
            "%-8s %7.0f MB/s  %6.2f s = %.2f + %.2f  %u documents, %llu removed, %llu on GPUs, %llu rounds, sum "
            "%016llx\n",
            options.device, (double)d->count * DOCUMENT / 1e6 / seconds, seconds, report.seconds_frequency,
            report.seconds_survivors, d->count, (unsigned long long)(report.documents - report.kept),
            (unsigned long long)report.on_device, (unsigned long long)report.rounds, (unsigned long long)sum);
    fflush(stdout);
    *checksum = sum;
    akin_duplicates_free(duplicates);
    akin_context_free(context);
    return status == AKIN_OK;
}

/* On each device. Returns whether all have the same result. */
static int run_all(const documents *d, akin_context_options options, char **devices, int count)
{
    const char *first = NULL;
    uint64_t expected = 0, sum = 0;
    int done = 1;
    for (int i = 0; i < count; i++) {
        options.device = devices[i];
        if (!run(d, options, &sum))
            done = 0;
        else if (!first) {
            first = devices[i];
            expected = sum;
        } else if (sum != expected) {
            fprintf(stderr, "documents_bench: %s has another result than %s\n", devices[i], first);
            done = 0;
        }
    }
    return done;
}

int main(int argc, char **argv)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    documents d = {.copies = 20};
    int option;
    while ((option = getopt(argc, argv, "t:m:d:s:")) != -1) {
        const unsigned long long value = optarg ? strtoull(optarg, NULL, 10) : 0;
        if (option == 't')
            options.threads = (uint32_t)value;
        else if (option == 'm')
            options.memory = value;
        else if (option == 'd')
            options.device_memory = value;
        else if (option == 's')
            d.copies = (uint32_t)value;
        else
            return 2;
    }
    if (argc - optind < 2) {
        fprintf(stderr, "usage: documents_bench [-t THREADS] [-m BYTES] [-d BYTES] [-s PERCENT] MEGABYTES DEVICE...\n");
        return 2;
    }
    d.count = (uint32_t)(strtod(argv[optind], NULL) * 1e6 / DOCUMENT);
    const int is_made = make(&d);
    if (!is_made)
        fprintf(stderr, "documents_bench: not enough memory\n");
    const int done = is_made && run_all(&d, options, argv + optind + 1, argc - optind - 1);
    free(d.bytes);
    free(d.offsets);
    return done ? 0 : 1;
}
