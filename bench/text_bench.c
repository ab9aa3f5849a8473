/*
 * Times akin_sets_from_columns:
 *
 *     text_bench FILE [TOKENS,... [THREADS [REPEATS]]]
 *
 * TOKENS are words, whitespace or qgrams:N (by default words and qgrams:3); THREADS is 1, REPEATS is 5. FILE is plain
 * text, a row a line ("-": standard input), or one of these, made up: `ascii`, English-looking words; `mixed`, words of
 * a dozen languages, with accents, Greek, Cyrillic, Arabic, Devanagari, Hangul, Chinese.
 *
 * One line for each kind of tokens: best and median seconds, bytes per second of the best, tokens, distinct tokens.
 * Each run begins with an empty dictionary and ends with a collection and a full one.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, strtok_r */

#include "timing.h"

#define MADE_BYTES ((size_t)64 << 20)

typedef struct lines {
    char *bytes;
    uint64_t *offsets;
    size_t length, capacity;
    uint32_t rows, rows_capacity;
} lines;

static void *must(void *block)
{
    if (!block) {
        fprintf(stderr, "text_bench: not enough memory\n");
        exit(1);
    }
    return block;
}

/* ------------------------------------------------------------------------------------------------------------- text */

static void end_line(lines *l)
{
    if (l->rows + 1 >= l->rows_capacity) {
        l->rows_capacity = 2 * l->rows_capacity + 1024;
        l->offsets = must(realloc(l->offsets, l->rows_capacity * sizeof *l->offsets));
    }
    l->offsets[0] = 0;
    l->offsets[++l->rows] = l->length;
}

static int read_lines(const char *path, lines *l)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t got;
    if (!file)
        return 0;
    do {
        if (l->capacity - l->length < (size_t)1 << 20) {
            l->capacity = 2 * l->capacity + ((size_t)4 << 20);
            l->bytes = must(realloc(l->bytes, l->capacity));
        }
        got = fread(l->bytes + l->length, 1, l->capacity - l->length, file);
        l->length += got;
    } while (got > 0);
    if (file != stdin)
        fclose(file);
    size_t length = l->length;
    l->length = 0;
    for (size_t at = 0; at < length;) {
        const char *feed = memchr(l->bytes + at, '\n', length - at);
        size_t end = feed ? (size_t)(feed - l->bytes) : length;
        memmove(l->bytes + l->length, l->bytes + at, end - at);
        l->length += end - at;
        end_line(l);
        at = end + 1;
    }
    return 1;
}

static uint64_t draw(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* What words of a language are made of. */
static const char *const alphabets[][16] = {
    {"e", "t", "a", "o", "i", "n", "s", "r", "h", "l", "d", "c", "u", "m", "th", "ing"},
    {"e", "n", "i", "s", "r", "a", "t", "d", "\xc3\xa4", "u", "l", "\xc3\xbc", "g", "m", "\xc3\x9f", "sch"},
    {"e", "a", "s", "i", "\xc3\xa9", "n", "t", "r", "u", "l", "\xc3\xa8", "o", "d", "\xc3\xa7", "c", "\xc3\xaa"},
    {"a", "o", "e", "i", "n", "z", "r", "w", "s", "c", "\xc5\x82", "y", "\xc4\x85", "k", "\xc5\xbc", "\xc4\x99"},
    {"\xd0\xbe", "\xd0\xb5", "\xd0\xb0", "\xd0\xb8", "\xd0\xbd", "\xd1\x82", "\xd1\x81", "\xd1\x80", "\xd0\xb2",
     "\xd0\xbb", "\xd0\xba", "\xd0\xbc", "\xd0\xb4", "\xd0\xbf", "\xd0\x90", "\xd0\x9f"},
    {"\xce\xb1", "\xce\xbf", "\xce\xb9", "\xce\xb5", "\xcf\x84", "\xcf\x83", "\xce\xbd", "\xce\xb7", "\xcf\x85",
     "\xcf\x81", "\xcf\x80", "\xce\xba", "\xce\xbc", "\xce\xbb", "\xce\xac", "\xcf\x82"},
    {"\xd8\xa7", "\xd9\x84", "\xd9\x8a", "\xd9\x85", "\xd9\x88", "\xd9\x86", "\xd8\xb1", "\xd8\xaa", "\xd8\xa8",
     "\xd8\xb9", "\xd8\xaf", "\xd8\xb3", "\xd9\x81", "\xd9\x87", "\xd9\x8e", "\xd9\x83"},
    {"\xe0\xa4\x95", "\xe0\xa4\xbe", "\xe0\xa4\xb0", "\xe0\xa5\x87", "\xe0\xa4\xa8", "\xe0\xa5\x8d", "\xe0\xa4\xb8",
     "\xe0\xa4\xbf", "\xe0\xa4\xa4", "\xe0\xa5\x80", "\xe0\xa4\xae", "\xe0\xa4\xaa", "\xe0\xa4\xb2", "\xe0\xa5\x8b",
     "\xe0\xa4\xaf", "\xe0\xa4\xb9"},
    {"\xec\x9d\xb4", "\xeb\x8b\xa4", "\xec\x97\x90", "\xeb\x8a\x94", "\xea\xb0\x80", "\xec\x9d\x84", "\xeb\xa5\xbc",
     "\xec\x9d\x98", "\xea\xb3\xa0", "\xed\x95\x98", "\xeb\x8f\x84", "\xec\xa7\x80", "\xeb\xa1\x9c", "\xec\x9d\x80",
     "\xea\xb8\xb0", "\xec\x82\xac"},
    {"\xe7\x9a\x84", "\xe4\xb8\x80", "\xe6\x98\xaf", "\xe4\xb8\x8d", "\xe4\xba\x86", "\xe5\x9c\xa8", "\xe4\xba\xba",
     "\xe6\x9c\x89", "\xe6\x88\x91", "\xe4\xbb\x96", "\xe8\xbf\x99", "\xe4\xb8\xad", "\xe5\xa4\xa7", "\xe6\x9d\xa5",
     "\xe4\xb8\x8a", "\xe5\x9b\xbd"},
};

/* A word, the same for the same number. */
static void add_word(lines *l, uint64_t number, size_t languages)
{
    uint64_t state = number, word = draw(&state);
    const char *const *letters = alphabets[word % languages];
    for (uint64_t left = 2 + (word >> 8) % 7; left > 0; left--) {
        const char *letter = letters[draw(&state) % 16];
        size_t length = strlen(letter);
        memcpy(l->bytes + l->length, letter, length);
        l->length += length;
    }
}

/* Lines of 5 to 15 words: half of them of the 200 most frequent ones, the others of ever rarer classes. */
static void make_lines(int mixed, lines *l)
{
    uint64_t state = 1;
    size_t languages = mixed ? sizeof alphabets / sizeof *alphabets : 1;
    l->bytes = must(malloc(MADE_BYTES + 65536));
    while (l->length < MADE_BYTES) {
        for (uint64_t words = 5 + draw(&state) % 11; words > 0; words--) {
            uint64_t bound = 200;
            while (bound < 1000000 && draw(&state) % 2)
                bound *= 4;
            add_word(l, draw(&state) % bound, languages);
            if (words == 4)
                l->bytes[l->length++] = ',';
            l->bytes[l->length++] = words == 1 ? '.' : ' ';
        }
        end_line(l);
    }
}

/* ----------------------------------------------------------------------------------------------------------- timing */

static akin_status run(akin_context *context, const lines *l, const akin_text_options *options, uint64_t *tokens,
                       uint32_t *distinct, double *seconds, akin_error *error)
{
    akin_column column = {sizeof column, "text", l->offsets, l->bytes, NULL, 0, NULL, 0, 0};
    akin_dictionary *dictionary = NULL;
    akin_sets *sets = NULL;
    akin_sets_statistics statistics = {.size = sizeof statistics};
    double start = now();
    akin_status status = akin_dictionary_create(context, &dictionary, error);
    if (status == AKIN_OK)
        status = akin_sets_from_columns(context, &column, 1, l->rows, options, dictionary, &sets, error);
    *seconds = now() - start;
    if (status == AKIN_OK)
        status = akin_sets_describe(context, sets, &statistics, error);
    *tokens = statistics.tokens;
    *distinct = dictionary ? akin_dictionary_count(dictionary) : 0;
    akin_sets_free(sets);
    akin_dictionary_free(dictionary);
    return status;
}

static akin_status bench(akin_context *context, const char *path, const lines *l, const char *kind, int repeats,
                         akin_error *error)
{
    static double seconds[REPEATS_MOST];
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    uint64_t tokens = 0;
    uint32_t distinct = 0;
    if (strcmp(kind, "whitespace") == 0)
        options.tokens = AKIN_TOKENS_WHITESPACE;
    if (strncmp(kind, "qgrams:", 7) == 0) {
        options.tokens = AKIN_TOKENS_QGRAMS;
        options.q = (uint32_t)strtoul(kind + 7, NULL, 10);
    }
    akin_status status = AKIN_OK;
    for (int i = 0; i < repeats && status == AKIN_OK; i++)
        status = run(context, l, &options, &tokens, &distinct, &seconds[i], error);
    if (status == AKIN_OK) {
        qsort(seconds, (size_t)repeats, sizeof *seconds, rising);
        printf("%-14s %-9s best %7.3f s  median %7.3f  %5.0f MB/s of %.1f MB  %llu tokens, %u distinct\n",
               file_name(path), kind, seconds[0], seconds[repeats / 2], (double)l->length / seconds[0] / 1e6,
               (double)l->length / 1e6, (unsigned long long)tokens, distinct);
        fflush(stdout);
    }
    return status;
}

int main(int argc, char **argv)
{
    char kinds[256];
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_error error;
    lines l = {0};
    int repeats = argc > 4 ? atoi(argv[4]) : 5;
    if (argc < 2 || argc > 5 || repeats < 1 || repeats > REPEATS_MOST) {
        fprintf(stderr, "usage: text_bench FILE|ascii|mixed [TOKENS,... [THREADS [REPEATS]]]\n");
        return 2;
    }
    snprintf(kinds, sizeof kinds, "%s", argc > 2 ? argv[2] : "words,qgrams:3");
    options.threads = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1;
    if (strcmp(argv[1], "ascii") == 0 || strcmp(argv[1], "mixed") == 0) {
        make_lines(argv[1][0] == 'm', &l);
    } else if (!read_lines(argv[1], &l)) {
        fprintf(stderr, "text_bench: %s cannot be read\n", argv[1]);
        return 1;
    }
    akin_status status = akin_context_create(&options, &context, &error);
    char *rest = NULL;
    for (char *kind = strtok_r(kinds, ",", &rest); kind && status == AKIN_OK; kind = strtok_r(NULL, ",", &rest))
        status = bench(context, argv[1], &l, kind, repeats, &error);
    if (status != AKIN_OK)
        fprintf(stderr, "text_bench: %s\n", error.message);
    akin_context_free(context);
    free(l.bytes);
    free(l.offsets);
    return status != AKIN_OK;
}
