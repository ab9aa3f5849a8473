/*
 * Times frozen dictionaries: how long one takes to build, how large it is, and how many words of a stream it looks up a
 * second.
 *
 *     dictionary_bench [-k KIND] [-v WORDS] [-n WORDS] [-u] [-t THREADS] [-r RUNS] [-x] FILE
 *
 *     FILE     a list of words, one a line, the most frequent first, each with its probability behind a tab or without
 *     -k KIND  chunks, rrr or stt
 *     -v       words of the dictionary (all of them): the first ones of the file
 *     -n       words of the stream (1e7), drawn by their probabilities, or
 *     -u       uniformly
 *     -x       the list is made longer: each word is there again with a number behind it, until -v of them are there
 *
 * Each time is the least of RUNS (3), the seconds of the process's own CPU with one thread, so that others on the machine
 * disturb little.
 */
#define _POSIX_C_SOURCE 200809L

#include "base/random.h"
#include "base/reader.h"
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
    akin_trie_kind kind;
    uint32_t vocabulary, stream, runs, threads;
    int uniform, longer;
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
    must(akin_reader_open(b->context, b->path, &reader, &failure));
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

static void make_stream(bench *b)
{
    akin_random random;
    akin_random_seed(&random, 1);
    const double total = b->sums[b->vocabulary - 1];
    for (uint32_t i = 0; i < b->stream; i++) {
        uint32_t low = 0, high = b->vocabulary - 1;
        double drawn = akin_random_unit(&random) * total;
        if (b->uniform)
            low = high = (uint32_t)akin_random_below(&random, b->vocabulary);
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (b->sums[middle] <= drawn)
                low = middle + 1;
            else
                high = middle;
        }
        add(&b->text, b->words.bytes + b->words.offsets[low],
            (size_t)(b->words.offsets[low + 1] - b->words.offsets[low]));
    }
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
    printf("%s: %u words, %u nodes, %u symbols, %u of them rare\n", akin_trie_kind_name(b->kind), about.words,
           about.nodes, about.symbols, about.rare);
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

int main(int count, char **arguments)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    bench b = {.kind = AKIN_TRIE_CHUNKS, .vocabulary = UINT32_MAX, .stream = 10000000, .runs = 3, .threads = 1};
    int option;
    while ((option = getopt(count, arguments, "k:v:n:ut:r:x")) != -1) {
        if (option == 'k')
            must(akin_trie_kind_parse(optarg, &b.kind, &failure));
        else if (option == 'v')
            b.vocabulary = (uint32_t)strtod(optarg, NULL);
        else if (option == 'n')
            b.stream = (uint32_t)strtod(optarg, NULL);
        else if (option == 'u')
            b.uniform = 1;
        else if (option == 't')
            b.threads = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'r')
            b.runs = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 'x')
            b.longer = 1;
        else
            return 2;
    }
    if (optind + 1 != count || b.runs == 0 || b.stream == 0) {
        fprintf(stderr,
                "usage: dictionary_bench [-k KIND] [-v WORDS] [-n WORDS] [-u] [-t THREADS] [-r RUNS] [-x] FILE\n");
        return 2;
    }
    options.threads = b.threads;
    options.device = "cpu";
    b.path = arguments[optind];
    must(akin_context_create(&options, &b.context, &failure));
    read_words(&b);
    akin_trie *trie = time_build(&b);
    make_stream(&b);
    time_look_up(&b, trie);
    akin_trie_free(trie);
    akin_context_free(b.context);
    free(b.words.bytes), free(b.words.offsets), free(b.text.bytes), free(b.text.offsets), free(b.sums), free(b.ids);
    return 0;
}
