/*
 * Times frozen dictionaries: how long one takes to build, how large it is, and how many words of a stream it looks up a
 * second.
 *
 *     dictionary_bench [-k KINDS] [-v WORDS] [-n WORDS] [-u] [-t THREADS] [-r RUNS] [-x] [-g] [-b BALANCE] FILE
 *
 *     FILE     a list of words, one a line, the most frequent first, each with its probability behind a tab or without
 *     -k       chunks (without the option), rrr, stt, or several with commas between them
 *     -v       words of the dictionary (all of them): the first ones of the file
 *     -n       words of the stream (1e7), drawn by their probabilities, or
 *     -u       uniformly
 *     -x       the list is made longer: each word is there again with a number behind it, until -v of them are there
 *
 *     -g       on a GPU, by every way to deal words out, or by -b none, bins or refill alone
 *
 * Each time is the least of RUNS (3), the seconds of the process's own CPU with one thread, so that others on the
 * machine disturb little. On a GPU lines are of NAME=VALUE; from=device is with the words in device memory, and the ids
 * left there, by the device's own clock, from=host with both in the host's. `differ` are ids that are not the CPU's.
 */
#define _POSIX_C_SOURCE 200809L

#include "akin_papers.h"
#include "base/random.h"
#include "base/reader.h"
#include "device/devices.h"
#include "dict/trie_gpu.h"
#include "dict/trie_walk.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct strings {
    char *bytes;
    uint64_t *offsets;
    uint64_t used, room;
    uint32_t count, capacity;
} strings;

typedef struct bench {
    akin_context *context;
    const char *path;
    const char *kinds[NAMES_MOST];
    uint32_t kind_count;
    akin_trie_kind kind; /* the one at hand */
    uint32_t vocabulary, stream, runs, threads;
    int uniform, longer, gpu;
    int balance; /* an akin_balance, or all of them */
    strings words, text;
    double *sums; /* of the probabilities up to a word */
    uint32_t *ids;
} bench;

static akin_error failure;

static void must(akin_status status)
{
    if (status == AKIN_OK)
        return;
    fprintf(stderr, "dictionary_bench: %s\n", failure.message);
    exit(1);
}

static void *enlarge(void *block, uint64_t count, size_t size)
{
    void *larger = realloc(block, count ? count * size : 1);
    if (larger)
        return larger;
    fprintf(stderr, "dictionary_bench: not enough memory\n");
    exit(1);
}

static void add(strings *s, const char *bytes, size_t length)
{
    if (s->used + length > s->room) {
        s->room = 2 * (s->room + length);
        s->bytes = enlarge(s->bytes, s->room, 1);
    }
    if (s->count + 1 >= s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 1024;
        s->offsets = enlarge(s->offsets, (uint64_t)s->capacity + 1, sizeof *s->offsets);
        s->offsets[0] = 0;
    }
    memcpy(s->bytes + s->used, bytes, length);
    s->used += length;
    s->offsets[++s->count] = s->used;
}

static akin_column column_of(const strings *s)
{
    return (akin_column){.size = sizeof(akin_column), .offsets = s->offsets, .bytes = s->bytes};
}

static void take_line(bench *b, const char *line, size_t length)
{
    const char *tab = memchr(line, '\t', length);
    double probability = tab ? strtod(tab + 1, NULL) : 1, before = b->words.count > 0 ? b->sums[b->words.count - 1] : 0;
    if (b->words.count % 4096 == 0)
        b->sums = enlarge(b->sums, b->words.count + 4096, sizeof *b->sums);
    b->sums[b->words.count] = before + probability;
    add(&b->words, line, tab ? (size_t)(tab - line) : length);
}

static void read_words(bench *b)
{
    akin_reader *reader;
    char *data;
    size_t length;
    must(akin_reader_open(akin_scope_of(b->context), b->path, &reader, &failure));
    for (must(akin_reader_next(reader, &data, &length, &failure)); length > 0;
         must(akin_reader_next(reader, &data, &length, &failure)))
        for (char *line = data, *end; line < data + length && b->words.count < b->vocabulary; line = end + 1) {
            end = memchr(line, '\n', (size_t)(data + length - line));
            end = end ? end : data + length;
            take_line(b, line, (size_t)(end - line));
        }
    akin_reader_close(reader);
    for (uint32_t round = 1, first = b->words.count; b->longer && b->words.count < b->vocabulary; round++)
        for (uint32_t i = 0; i < first && b->words.count < b->vocabulary; i++) {
            char word[512];
            uint64_t at = b->words.offsets[i], some = b->words.offsets[i + 1] - at;
            int written = snprintf(word, sizeof word, "%.*s%u", (int)some, b->words.bytes + at, round);
            take_line(b, word, (size_t)written);
        }
    b->vocabulary = b->words.count;
}

/* The first word between two whose sum is more. */
static uint32_t word_of(const bench *b, uint32_t low, uint32_t high, double sum)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (b->sums[middle] <= sum)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* guide[i] is the word at i / vocabulary of all, so that little is left to be searched. */
static uint32_t *make_guide(const bench *b)
{
    const uint32_t last = b->vocabulary - 1;
    uint32_t *guide = enlarge(NULL, (uint64_t)b->vocabulary + 1, sizeof *guide);
    for (uint32_t i = 0; i <= b->vocabulary; i++)
        guide[i] = word_of(b, i > 0 ? guide[i - 1] : 0, last, b->sums[last] * i / b->vocabulary);
    return guide;
}

static void make_stream(bench *b)
{
    uint32_t *guide = make_guide(b);
    akin_random random;
    akin_random_seed(&random, 1);
    for (uint32_t i = 0; i < b->stream; i++) {
        double drawn = akin_random_unit(&random);
        uint32_t near = (uint32_t)(drawn * b->vocabulary);
        uint32_t low = b->uniform ? (uint32_t)akin_random_below(&random, b->vocabulary)
                                  : word_of(b, guide[near], guide[near + 1], drawn * b->sums[b->vocabulary - 1]);
        add(&b->text, b->words.bytes + b->words.offsets[low],
            (size_t)(b->words.offsets[low + 1] - b->words.offsets[low]));
    }
    free(guide);
    b->ids = enlarge(NULL, b->stream, sizeof *b->ids);
}

static double seconds_used(const bench *b)
{
    struct timespec time;
    clock_gettime(b->threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static akin_trie *time_build(const bench *b)
{
    akin_trie_options options = AKIN_TRIE_OPTIONS_INIT;
    akin_trie_statistics about = {.size = sizeof about};
    akin_column words = column_of(&b->words);
    akin_trie *trie = NULL;
    struct rusage before, after;
    options.kind = b->kind;
    getrusage(RUSAGE_SELF, &before);
    double begun = seconds_used(b);
    must(akin_trie_build(b->context, &words, b->vocabulary, &options, &trie, &failure));
    double seconds = seconds_used(b) - begun;
    getrusage(RUSAGE_SELF, &after);
    must(akin_trie_describe(trie, &about, &failure));
    printf("%s: %u words, %u nodes, %u symbols, %u of them rare\n", akin_trie_kind_name(akin_papers(), b->kind),
           about.words, about.nodes, about.symbols, about.rare);
    printf("build %.2f s, memory %.0f MB at most, %.0f MB before\n", seconds, (double)after.ru_maxrss / 1e3,
           (double)before.ru_maxrss / 1e3);
    printf("%.3f bytes a word, and %.3f beside; a state-transition table %.1f\n", (double)about.bytes / about.words,
           (double)about.bytes_beside / about.words, (double)about.bytes_table / about.words);
    return trie;
}

static void time_look_up(const bench *b, const akin_trie *trie)
{
    double all = 1e9, each = 1e9;
    uint64_t unknown = 0, other = 0;
    for (uint32_t run = 0; run < b->runs; run++) {
        akin_column text = column_of(&b->text);
        double begun = seconds_used(b);
        must(akin_trie_look_up(b->context, trie, &text, b->stream, b->ids, &failure));
        double seconds = seconds_used(b) - begun;
        all = seconds < all ? seconds : all;
    }
    for (uint32_t run = 0; run < b->runs; run++) {
        double begun = seconds_used(b);
        other = unknown = 0;
        for (uint32_t i = 0; i < b->stream; i++) {
            uint32_t id = AKIN_TRIE_UNKNOWN;
            const uint64_t *at = b->text.offsets + i;
            unknown += !akin_trie_find(trie, b->text.bytes + at[0], (size_t)(at[1] - at[0]), &id);
            other += id != b->ids[i];
        }
        double seconds = seconds_used(b) - begun;
        each = seconds < each ? seconds : each;
    }
    printf("look-up %.2f M words/s, one at a time %.2f; mean length %.2f; %llu unknown, %llu differ\n",
           b->stream / all / 1e6, b->stream / each / 1e6, (double)b->text.used / b->stream, (unsigned long long)unknown,
           (unsigned long long)other);
}

/* --------------------------------------------------------------------------------------------------------- on a GPU */

static const char *const balances[AKIN_BALANCES] = {"none", "bins", "refill"};

/* The words in device memory, and room for their ids. */
typedef struct placed {
    akin_device *device;
    akin_device_stream *stream;
    akin_device_event *events[2];
    akin_device_buffer trie, bytes, offsets, ids;
    akin_trie_copy copy;
    akin_gpu_words words;
} placed;

static void place(const bench *b, const akin_trie *trie, placed *p)
{
    if (b->text.used > UINT32_MAX) {
        fprintf(stderr, "dictionary_bench: the words have more than 4 GiB, fewer of them, please\n");
        exit(1);
    }
    uint32_t *offsets = enlarge(NULL, (uint64_t)b->stream + 1, sizeof *offsets);
    for (uint32_t i = 0; i <= b->stream; i++)
        offsets[i] = (uint32_t)b->text.offsets[i];
    must(akin_device_of(akin_scope_of(b->context), &p->device, &failure));
    must(akin_device_stream_create(p->device, &p->stream, &failure));
    for (int i = 0; i < 2; i++)
        must(akin_device_event_create(p->device, &p->events[i], &failure));
    must(akin_trie_upload(p->device, p->stream, trie, &p->trie, &p->copy, &failure));
    must(akin_device_reserve(p->device, &p->bytes, b->text.used, 1, "the words", &failure));
    must(akin_device_reserve(p->device, &p->offsets, (uint64_t)b->stream + 1, sizeof *offsets, "the words", &failure));
    must(akin_device_reserve(p->device, &p->ids, b->stream, sizeof(uint32_t), "the ids", &failure));
    must(akin_device_upload(p->stream, p->bytes.data, b->text.bytes, b->text.used, &failure));
    must(
        akin_device_upload(p->stream, p->offsets.data, offsets, ((uint64_t)b->stream + 1) * sizeof *offsets, &failure));
    must(akin_device_stream_finish(p->stream, &failure));
    p->words = (akin_gpu_words){p->bytes.data, p->offsets.data, (uint32_t *)p->offsets.data + 1, b->stream};
    free(offsets);
}

static void clear(placed *p)
{
    akin_device_stream_free(p->stream);
    akin_device_event_free(p->events[0]);
    akin_device_event_free(p->events[1]);
    akin_device_release(p->device, &p->trie);
    akin_device_release(p->device, &p->bytes);
    akin_device_release(p->device, &p->offsets);
    akin_device_release(p->device, &p->ids);
}

/* Seconds in device memory; the ids are brought to b->ids. */
static double run_there(const bench *b, const placed *p, akin_balance balance)
{
    double seconds = 0;
    must(akin_device_fill(p->stream, p->ids.data, 0xa5, b->stream * sizeof(uint32_t), &failure));
    must(akin_device_stream_finish(p->stream, &failure));
    must(akin_device_event_record(p->events[0], p->stream, &failure));
    must(p->copy.look_up(p->stream, &p->copy.view, &p->words, balance, p->ids.data, &failure));
    must(akin_device_event_record(p->events[1], p->stream, &failure));
    must(akin_device_event_finish(p->events[1], &failure));
    must(akin_device_event_seconds(p->events[0], p->events[1], &seconds, &failure));
    must(akin_device_download(p->stream, b->ids, p->ids.data, b->stream * sizeof(uint32_t), &failure));
    return seconds;
}

static double run_from_here(const bench *b, const placed *p, const akin_trie *trie, akin_balance balance)
{
    const akin_trie_gpu_job job = {akin_scope_of(b->context), p->device, trie, balance};
    akin_column text = column_of(&b->text);
    memset(b->ids, 0xa5, b->stream * sizeof *b->ids);
    double begun = now();
    must(akin_trie_look_up_there(&job, &text, b->stream, b->ids, &failure));
    return now() - begun;
}

/* The variance of the lengths. */
static double variance(const bench *b)
{
    double squares = 0, mean = (double)b->text.used / b->stream;
    for (uint32_t i = 0; i < b->stream; i++) {
        double length = (double)(b->text.offsets[i + 1] - b->text.offsets[i]);
        squares += (length - mean) * (length - mean);
    }
    return squares / b->stream;
}

static void time_gpu(const bench *b, const akin_trie *trie)
{
    uint32_t *expected = enlarge(NULL, b->stream, sizeof *expected);
    const akin_trie_batch batch = {b->text.bytes, b->text.offsets, b->text.offsets + 1, b->stream, expected};
    const char *kind = akin_trie_kind_name(akin_papers(), b->kind), *text = b->uniform ? "uniform" : "frequent";
    placed p = {0};
    must(akin_trie_walk(akin_scope_of(b->context), trie, &batch, &failure));
    place(b, trie, &p);
    const uint64_t bytes = akin_trie_gpu_bytes(trie), all = bytes + b->text.used + sizeof(uint32_t) * 2 * b->stream;
    printf("gpu=%s\n", akin_device_properties(p.device)->name);
    printf("text=%s vocabulary=%u words=%u mean=%.3f variance=%.3f\n", text, b->vocabulary, b->stream,
           (double)b->text.used / b->stream, variance(b));
    printf("kind=%s vocabulary=%u words=%u text=%s trie=%llu all=%llu\n", kind, b->vocabulary, b->stream, text,
           (unsigned long long)bytes, (unsigned long long)all);
    for (int way = 0; way < 2 * AKIN_BALANCES; way++) {
        akin_balance balance = (akin_balance)(way % AKIN_BALANCES);
        double least = 1e9;
        uint64_t differ = 0;
        if (b->balance != AKIN_BALANCES && b->balance != (int)balance)
            continue;
        for (uint32_t run = 0; run < b->runs; run++) {
            double seconds = way < AKIN_BALANCES ? run_there(b, &p, balance) : run_from_here(b, &p, trie, balance);
            least = seconds < least ? seconds : least;
            for (uint32_t i = 0; i < b->stream; i++)
                differ += b->ids[i] != expected[i];
        }
        printf(
            "from=%s kind=%s text=%s balance=%s vocabulary=%u words=%u ms=%.3f words/s=%.3e ns/byte=%.4f differ=%llu\n",
            way < AKIN_BALANCES ? "device" : "host", kind, text, balances[balance], b->vocabulary, b->stream,
            least * 1e3, b->stream / least, least * 1e9 / (double)b->text.used, (unsigned long long)differ);
        fflush(stdout);
    }
    clear(&p);
    free(expected);
}

static int read_balance(const char *name)
{
    for (int balance = 0; balance < AKIN_BALANCES; balance++)
        if (strcmp(name, balances[balance]) == 0)
            return balance;
    fprintf(stderr, "dictionary_bench: -b %s: expected none, bins or refill\n", name);
    exit(2);
}

static void take_options(bench *b, int count, char **arguments)
{
    int option;
    while ((option = getopt(count, arguments, "k:v:n:ut:r:xgb:")) != -1) {
        if (option == 'k')
            b->kind_count = cut(optarg, b->kinds);
        else if (option == 'v')
            b->vocabulary = (uint32_t)strtod(optarg, NULL);
        else if (option == 'n')
            b->stream = (uint32_t)strtod(optarg, NULL);
        else if (option == 'u')
            b->uniform = 1;
        else if (option == 't')
            b->threads = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'r')
            b->runs = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'x')
            b->longer = 1;
        else if (option == 'g')
            b->gpu = 1;
        else if (option == 'b')
            b->balance = read_balance(optarg);
        else
            exit(2);
    }
    if (optind + 1 == count && b->runs > 0 && b->stream > 0)
        return;
    fprintf(stderr,
            "usage: dictionary_bench [-k KINDS] [-v WORDS] [-n WORDS] [-u] [-t THREADS] [-r RUNS] [-x] [-g] "
            "[-b BALANCE] FILE\n");
    exit(2);
}

int main(int count, char **arguments)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    bench b = {.kinds = {"chunks"},
               .kind_count = 1,
               .vocabulary = UINT32_MAX,
               .stream = 10000000,
               .runs = 3,
               .threads = 1,
               .balance = AKIN_BALANCES};
    take_options(&b, count, arguments);
    options.threads = b.threads;
    options.device = b.gpu ? "cuda" : "cpu";
    b.path = arguments[optind];
    must(akin_context_create(&options, &b.context, &failure));
    must(akin_context_use(b.context, akin_papers(), &failure));
    read_words(&b);
    for (uint32_t i = 0; i < b.kind_count; i++) {
        must(akin_trie_kind_parse(akin_papers(), b.kinds[i], &b.kind, &failure));
        akin_trie *trie = time_build(&b);
        if (i == 0)
            make_stream(&b);
        (b.gpu ? time_gpu : time_look_up)(&b, trie);
        akin_trie_free(trie);
    }
    akin_context_free(b.context);
    free(b.words.bytes), free(b.words.offsets), free(b.text.bytes), free(b.text.offsets), free(b.sums), free(b.ids);
    return 0;
}
