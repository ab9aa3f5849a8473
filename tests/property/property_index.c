/*
 * Indexes of every kind, made and opened again, against what akin.h says that a search finds, object by object: random
 * sets, documents, rows and strings, queries that lack what objects have, nulls, ties; every technique, every SIMD
 * level, several threads. Certificates of strings are never wrong.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases of each kind, 30 if not given
 */
#define _GNU_SOURCE /* mkdtemp */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "akin.h"
#include "base/context.h"
#include "base/random.h"
#include "property/setting.h"
#include "text/utf8.h"

#define QUERIES 20
#define COLUMNS 4

static char folder[] = "/tmp/akin-test-index-XXXXXX";
static char path[64];

static void *must(void *block)
{
    assert_non_null(block);
    return block;
}

/* ------------------------------------------------------------------------------------------------------------ texts */

/* A column, and each of its texts once more as a string; NULL: it is null. */
typedef struct texts {
    char **strings;
    uint32_t rows;
    uint64_t *offsets;
    char *bytes;
    uint8_t *validity;
} texts;

static void add_text(texts *t, const char *string)
{
    t->strings = must(realloc(t->strings, (t->rows + 1) * sizeof *t->strings));
    t->strings[t->rows++] = string ? must(strdup(string)) : NULL;
}

static akin_column column_of(texts *t, const char *name)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < t->rows && t->strings; i++)
        total += t->strings[i] ? strlen(t->strings[i]) : 3; /* what is behind a null does not matter */
    t->offsets = must(calloc(t->rows + 1, sizeof *t->offsets));
    t->bytes = must(malloc(total + 1));
    t->validity = must(calloc(t->rows / 8 + 1, 1));
    for (uint32_t i = 0; i < t->rows && t->strings; i++) {
        const char *string = t->strings[i] ? t->strings[i] : "zzz";
        memcpy(t->bytes + t->offsets[i], string, strlen(string));
        t->offsets[i + 1] = t->offsets[i] + strlen(string);
        t->validity[i / 8] = (uint8_t)(t->validity[i / 8] | (unsigned)(t->strings[i] != NULL) << i % 8);
    }
    return (akin_column){
        .size = sizeof(akin_column), .name = name, .offsets = t->offsets, .bytes = t->bytes, .validity = t->validity};
}

static void clear_texts(texts *t)
{
    for (uint32_t i = 0; i < t->rows && t->strings; i++)
        free(t->strings[i]);
    free(t->strings);
    free(t->offsets);
    free(t->bytes);
    free(t->validity);
    *t = (texts){0};
}

/* -------------------------------------------------------------------------------------------------------- questions */

/* An index, its queries, and what each object counts for each of them. */
typedef struct question {
    akin_context *context;
    akin_search_index *index;
    uint32_t objects, queries, columns;
    akin_column texts[COLUMNS]; /* the queries, or */
    akin_sets *sets;
    uint32_t *counts;         /* of query q and object i: counts[q * objects + i]; UINT32_MAX: it is never found */
    uint32_t wanted[QUERIES]; /* 0: a query that is null */
    uint32_t *sizes, query_sizes[QUERIES]; /* if they are measured */
    int nearest, scans;
    akin_search_options options;
} question;

typedef struct answer {
    akin_search_hit *hits;
    size_t count;
} answer;

static int keep(void *user, const akin_search_hit *found, size_t count)
{
    answer *a = user;
    a->hits = must(realloc(a->hits, (a->count + count) * sizeof *a->hits));
    memcpy(a->hits + a->count, found, count * sizeof *found);
    a->count += count;
    return 0;
}

static akin_status ask(const question *q, const akin_search_index *index, answer *out, akin_search_report *report,
                       akin_error *error)
{
    *out = (answer){0};
    report->size = sizeof *report;
    return q->sets ? akin_search_sets(q->context, index, q->sets, &q->options, keep, out, report, error)
                   : akin_search(q->context, index, q->texts, q->columns, q->queries, &q->options, keep, out, report,
                                 error);
}

/* The order in which objects are found; of the one query that is sorted for. */
static const question *sorted_question;
static const uint32_t *sorted_counts;
static uint32_t sorted_query;

/* How good an object is, as a fraction of whole numbers, from the definitions of the measures. */
static void score(uint32_t object, uint64_t *above, uint64_t *below)
{
    const uint64_t n = sorted_counts[object];
    const uint64_t r = sorted_question->sizes ? sorted_question->query_sizes[sorted_query] : 0;
    const uint64_t s = sorted_question->sizes ? sorted_question->sizes[object] : 0;
    *above = n;
    *below = 1;
    if (sorted_question->options.measure == AKIN_JACCARD && n > 0)
        *below = r + s - n;
    else if (sorted_question->options.measure == AKIN_DICE && n > 0)
        *above = 2 * n, *below = r + s;
    else if (sorted_question->options.measure == AKIN_COSINE && n > 0)
        *above = n * n, *below = r * s;
}

static int better(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    uint64_t l_above, l_below, r_above, r_below;
    score(left, &l_above, &l_below);
    score(right, &r_above, &r_below);
    const uint64_t l = l_above * r_below, r = r_above * l_below;
    if (l != r)
        return (l < r) == sorted_question->nearest ? -1 : 1;
    return left < right ? -1 : 1;
}

/* What should be found, in order. */
static answer expect(const question *q)
{
    answer a = {0};
    uint32_t *order = must(malloc((q->objects + 1) * sizeof *order));
    for (uint32_t query = 0; query < q->queries; query++) {
        uint32_t count = 0;
        sorted_counts = q->counts + (size_t)query * q->objects;
        sorted_question = q;
        sorted_query = query;
        for (uint32_t i = 0; i < q->objects && q->wanted[query]; i++)
            if (sorted_counts[i] != UINT32_MAX && (q->nearest || sorted_counts[i] >= q->options.least))
                order[count++] = i;
        qsort(order, count, sizeof *order, better);
        for (uint32_t i = 0; i < count && i < q->options.k; i++)
            keep(&a, &(akin_search_hit){query, order[i], sorted_counts[order[i]], AKIN_CERTIFICATE_NONE, 0, 0}, 1);
    }
    free(order);
    return a;
}

/* Whether an answer is right: all of it, or what is certified. */
static void compare(const question *q, const answer *expected, const answer *found)
{
    size_t e = 0, f = 0;
    for (uint32_t query = 0; query < q->queries; query++) {
        size_t e_end = e, f_end = f;
        while (e_end < expected->count && expected->hits[e_end].query == query)
            e_end++;
        while (f_end < found->count && found->hits[f_end].query == query)
            f_end++;
        const int certified = f_end == f ? !q->options.one_round : found->hits[f].certificate != AKIN_CERTIFICATE_NONE;
        assert_true(certified || q->options.one_round);
        if (certified)
            assert_int_equal(f_end - f, e_end - e);
        for (; certified && f < f_end && expected->hits; e++, f++) {
            assert_int_equal(found->hits[f].object, expected->hits[e].object);
            assert_int_equal(found->hits[f].count, expected->hits[e].count);
            if (q->sizes)
                assert_true(found->hits[f].similarity == akin_measure_value(q->options.measure, q->query_sizes[query],
                                                                            q->sizes[found->hits[f].object],
                                                                            found->hits[f].count));
        }
        e = e_end;
        f = f_end;
    }
    assert_int_equal(f, found->count);
}

/* Those of the annex are compared in property_search. */
static void ask_in_every_way(question *q)
{
    akin_search_index *opened = NULL;
    assert_int_equal(akin_search_index_save(q->context, q->index, path, NULL), AKIN_OK);
    assert_int_equal(akin_search_index_open(q->context, path, &opened, NULL), AKIN_OK);
    answer expected = expect(q), first = {0};
    const akin_choice *row;
    int ways = 0;
    for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= q->context->cpu_best; cpu++)
        for (uint32_t i = 0; (row = akin_choices("search-techniques", i)); i++, ways++) {
            const akin_search_technique technique = (akin_search_technique)row->value;
            answer found;
            akin_search_report report;
            akin_error error;
            q->context->scope.cpu = cpu;
            q->context->scope.threads = ways % 2 ? 3 : 1;
            q->options.technique = technique;
            akin_status status = ask(q, ways % 3 ? opened : q->index, &found, &report, &error);
            if (technique != AKIN_SEARCH_AUTO && status == AKIN_E_OPTION) {
                assert_true((technique == AKIN_SEARCH_SCAN && !q->scans) || q->nearest);
                continue;
            }
            assert_int_equal(status, AKIN_OK);
            assert_int_equal(report.queries, q->queries);
            assert_int_equal(report.found, found.count);
            compare(q, &expected, &found);
            if (ways == 0) {
                first = found;
                continue;
            }
            if (!q->nearest || technique != AKIN_SEARCH_SCAN) { /* else certificates may differ */
                assert_int_equal(found.count, first.count);
                assert_memory_equal(found.hits, first.hits, found.count * sizeof *found.hits);
            }
            free(found.hits);
        }
    q->context->scope.cpu = q->context->cpu_best;
    q->options.technique = AKIN_SEARCH_AUTO;
    free(first.hits);
    free(expected.hits);
    akin_search_index_free(opened);
}

static void ask_by_every_measure(question *q)
{
    const akin_choice *measure;
    ask_in_every_way(q);
    for (uint32_t i = 0; (measure = akin_choices("measures", i)); i++) {
        if (!(measure->capabilities & AKIN_FOR_SEARCH))
            continue;
        q->options.measure = (akin_measure)measure->value;
        ask_in_every_way(q);
    }
}

static question begin(akin_context *context, akin_random *random, uint32_t objects)
{
    static const uint32_t ks[] = {1, 2, 10, 100, 1000};
    question q = {.context = context, .objects = objects, .options = AKIN_SEARCH_OPTIONS_INIT};
    q.queries = (uint32_t)akin_random_below(random, QUERIES + 1);
    q.options.k = ks[akin_random_below(random, 5)];
    q.options.least = (uint32_t)akin_random_below(random, 3) ? 0 : (uint32_t)akin_random_below(random, 4);
    q.counts = must(calloc((size_t)objects * QUERIES + 1, sizeof *q.counts));
    for (uint32_t i = 0; i < QUERIES; i++)
        q.wanted[i] = 1;
    return q;
}

static void end(question *q)
{
    free(q->counts);
    free(q->sizes);
    akin_sets_free(q->sets);
    akin_search_index_free(q->index);
}

/* ------------------------------------------------------------------------------------------------------------- sets */

static akin_sets *draw_sets(akin_context *context, akin_random *random, uint32_t rows, uint32_t universe)
{
    uint64_t *offsets = must(calloc(rows + 1, sizeof *offsets));
    uint32_t *tokens = must(calloc((size_t)rows * 12 + 1, sizeof *tokens));
    akin_sets *sets = NULL;
    for (uint32_t i = 0; i < rows; i++) {
        offsets[i + 1] = offsets[i] + akin_random_below(random, 12);
        for (uint64_t at = offsets[i]; at < offsets[i + 1]; at++) {
            const uint64_t token = akin_random_below(random, universe);
            tokens[at] = universe > 100 ? (uint32_t)(token * 7919) : (uint32_t)token;
        }
    }
    assert_int_equal(akin_sets_from_arrays(context, rows, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

static uint32_t in_common(const akin_sets *a, uint32_t row_a, const akin_sets *b, uint32_t row_b)
{
    const uint32_t *left, *right;
    const uint32_t left_count = akin_sets_row(a, row_a, &left), right_count = akin_sets_row(b, row_b, &right);
    uint32_t common = 0;
    for (uint32_t i = 0; i < left_count; i++)
        for (uint32_t j = 0; j < right_count; j++)
            common += left[i] == right[j];
    return common;
}

static void check_sets(akin_context *context, akin_random *random)
{
    const uint32_t objects = (uint32_t)akin_random_below(random, 300);
    const uint32_t universe = akin_random_below(random, 2) ? 30 : 500000;
    question q = begin(context, random, objects);
    akin_sets *sets = draw_sets(context, random, objects, universe);
    q.sets = draw_sets(context, random, q.queries, universe + universe / 8);
    assert_int_equal(akin_search_index_of_sets(context, sets, NULL, &q.index, NULL), AKIN_OK);
    for (uint32_t query = 0; query < q.queries; query++)
        for (uint32_t i = 0; i < objects; i++)
            q.counts[query * objects + i] = in_common(q.sets, query, sets, i);
    q.sizes = must(calloc(objects + 1, sizeof *q.sizes));
    for (uint32_t i = 0; i < objects; i++)
        q.sizes[i] = akin_sets_row(sets, i, NULL);
    for (uint32_t i = 0; i < q.queries; i++)
        q.query_sizes[i] = akin_sets_row(q.sets, i, NULL);
    ask_by_every_measure(&q);
    akin_sets_free(sets);
    end(&q);
}

/* -------------------------------------------------------------------------------------------------------- documents */

/* Some words of one or two letters, between one or two blanks; now and then none, or a null. */
static void draw_document(akin_random *random, texts *t, uint32_t letters)
{
    char text[128] = "";
    size_t length = 0;
    const uint64_t words = akin_random_below(random, 10);
    for (uint64_t i = 0; i < words; i++) {
        for (uint64_t j = akin_random_below(random, 2); j < 2; j++)
            text[length++] = (char)('a' + akin_random_below(random, letters));
        text[length++] = ' ';
        if (akin_random_below(random, 4) == 0)
            text[length++] = ' ';
    }
    text[length] = '\0';
    add_text(t, akin_random_below(random, 20) ? text : NULL);
}

/* Whether a text has a token, which ends in a blank. */
static int has_token(const char *text, const char *token)
{
    const size_t length = strcspn(token, " ");
    for (const char *at = text; at && *(at += strspn(at, " ")); at += strcspn(at, " "))
        if (strcspn(at, " ") == length && memcmp(at, token, length) == 0)
            return 1;
    return 0;
}

static uint32_t tokens_in_common(const char *query, const char *document)
{
    uint32_t common = 0;
    for (const char *at = query; at && *(at += strspn(at, " ")); at += strcspn(at, " ")) {
        char before[128];
        memcpy(before, query, (size_t)(at - query));
        before[at - query] = '\0';
        common += document && has_token(document, at) && !has_token(before, at);
    }
    return common;
}

static void check_documents(akin_context *context, akin_random *random)
{
    const uint32_t objects = (uint32_t)akin_random_below(random, 300),
                   letters = 2 + (uint32_t)akin_random_below(random, 5);
    question q = begin(context, random, objects);
    akin_text_options options = AKIN_TEXT_OPTIONS_INIT;
    texts data = {0}, queries = {0};
    options.tokens = AKIN_TOKENS_WHITESPACE;
    for (uint32_t i = 0; i < objects; i++)
        draw_document(random, &data, letters);
    for (uint32_t i = 0; i < q.queries; i++)
        draw_document(random, &queries, letters + 1);
    const akin_column column = column_of(&data, "text");
    q.texts[0] = column_of(&queries, "text");
    q.columns = 1;
    assert_int_equal(akin_search_index_of_documents(context, &column, 1, objects, &options, NULL, &q.index, NULL),
                     AKIN_OK);
    for (uint32_t query = 0; query < q.queries; query++)
        for (uint32_t i = 0; i < objects; i++)
            q.counts[query * objects + i] = tokens_in_common(queries.strings[query], data.strings[i]);
    q.sizes = must(calloc(objects + 1, sizeof *q.sizes));
    for (uint32_t i = 0; i < objects; i++)
        q.sizes[i] = tokens_in_common(data.strings[i], data.strings[i]);
    for (uint32_t i = 0; i < queries.rows; i++)
        q.query_sizes[i] = tokens_in_common(queries.strings[i], queries.strings[i]);
    ask_by_every_measure(&q);
    clear_texts(&data);
    clear_texts(&queries);
    end(&q);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static const char *const names[COLUMNS] = {"colour", "age", "shape", "height"}; /* every second one holds numbers */

static void draw_field(akin_random *random, texts *t, int numeric, int query)
{
    char text[64];
    const double a = (double)akin_random_below(random, 400) / 8 - 20,
                 b = a + (double)akin_random_below(random, 100) / 8;
    const uint64_t kind = akin_random_below(random, 12);
    if (kind == 0) {
        add_text(t, akin_random_below(random, 2) ? "" : NULL);
        return;
    }
    if (!numeric)
        snprintf(text, sizeof text, "v%u", (unsigned)akin_random_below(random, query ? 9 : 7));
    else if (query && kind == 1)
        snprintf(text, sizeof text, "[%g, %g]", a, b);
    else if (query && kind == 2)
        snprintf(text, sizeof text, "[%g,]", a);
    else if (query && kind == 3)
        snprintf(text, sizeof text, " [ ,%g ]", a);
    else
        snprintf(text, sizeof text, "%g", query ? 2 * a : a);
    add_text(t, text);
}

/* The bins of one column, as akin.h has them, with the least and the largest value. */
typedef struct scale {
    double low, high;
    uint32_t bins;
} scale;

static double bin_of(const scale *s, double x)
{
    if (s->high == s->low)
        return x < s->low ? -INFINITY : x > s->high ? INFINITY : s->bins - 1.0;
    return x == s->high ? s->bins - 1 : floor((x - s->low) / (s->high - s->low) * s->bins);
}

/* Whether the item of a field contains a value. */
static int contains(const scale *s, const char *asked, const char *value, double tolerance)
{
    char ending;
    double low = 0, high = 0;
    if (!asked || !*asked || !value || !*value)
        return 0;
    if (!s)
        return strcmp(asked, value) == 0;
    const double bin = bin_of(s, strtod(value, NULL));
    if (!strchr(asked, '['))
        return fabs(bin - bin_of(s, strtod(asked, NULL))) <= tolerance;
    if (sscanf(asked, " [ %lf , %lf %c", &low, &high, &ending) == 3)
        return bin >= bin_of(s, low) && bin <= bin_of(s, high);
    if (sscanf(asked, " [ , %lf %c", &high, &ending) == 2)
        return bin <= bin_of(s, high);
    assert_int_equal(sscanf(asked, " [ %lf , %c", &low, &ending), 2);
    return bin >= bin_of(s, low);
}

static scale scale_of(const texts *t, uint32_t bins)
{
    scale s = {INFINITY, -INFINITY, bins};
    for (uint32_t i = 0; i < t->rows; i++)
        if (t->strings[i] && *t->strings[i]) {
            s.low = fmin(s.low, strtod(t->strings[i], NULL));
            s.high = fmax(s.high, strtod(t->strings[i], NULL));
        }
    return s;
}

static void check_rows(akin_context *context, akin_random *random)
{
    static const uint32_t all_bins[] = {1, 2, 7, 64, 1024, 100000};
    static const char *const numeric[] = {"age", "height"};
    const uint32_t objects = (uint32_t)akin_random_below(random, 400);
    question q = begin(context, random, objects);
    akin_rows_options options = AKIN_ROWS_OPTIONS_INIT;
    texts data[COLUMNS] = {{0}}, queries[COLUMNS] = {{0}};
    akin_column columns[COLUMNS];
    options.numeric = numeric;
    options.numeric_count = 2;
    options.bins = all_bins[akin_random_below(random, 6)];
    q.options.tolerance = (uint32_t)akin_random_below(random, options.bins + 1);
    uint32_t weights[COLUMNS];
    const uint64_t heaviest = akin_random_below(random, 2) ? 3 : 1000;
    q.options.weights = akin_random_below(random, 2) ? weights : NULL;
    q.scans = heaviest == 3 || !q.options.weights;
    for (int c = 0; c < COLUMNS; c++) {
        for (uint32_t i = 0; i < objects; i++)
            draw_field(random, &data[c], c % 2, 0);
        columns[c] = column_of(&data[c], names[c]);
    }
    assert_int_equal(akin_search_index_of_rows(context, columns, COLUMNS, objects, &options, NULL, &q.index, NULL),
                     AKIN_OK);
    for (int c = COLUMNS - 1; c >= 0; c--) { /* columns in any order, and not all of them */
        if (c == 2 && akin_random_below(random, 2))
            continue;
        const scale s = scale_of(&data[c], options.bins);
        for (uint32_t i = 0; i < q.queries; i++)
            draw_field(random, &queries[c], c % 2, 1);
        const uint32_t weight = 1 + (uint32_t)akin_random_below(random, heaviest);
        weights[q.columns] = weight;
        q.texts[q.columns++] = column_of(&queries[c], names[c]);
        for (uint32_t query = 0; query < q.queries; query++)
            for (uint32_t i = 0; i < objects; i++)
                q.counts[query * objects + i] +=
                    (q.options.weights ? weight : 1) * (uint32_t)contains(c % 2 ? &s : NULL, queries[c].strings[query],
                                                                          data[c].strings[i], q.options.tolerance);
    }
    ask_in_every_way(&q);
    for (int c = 0; c < COLUMNS; c++) {
        clear_texts(&data[c]);
        clear_texts(&queries[c]);
    }
    end(&q);
}

/* ---------------------------------------------------------------------------------------------------------- strings */

enum { SYMBOLS = 140, BYTES = 4 * SYMBOLS };

/* The symbols of a string: its code points, or its bytes. */
static size_t symbols_of(const char *text, int are_bytes, uint32_t *symbols)
{
    size_t count = 0, size = 1;
    for (size_t at = 0, length = strlen(text); at < length; at += size)
        symbols[count++] = are_bytes ? (unsigned char)text[at] : akin_utf8_decode(text + at, length - at, &size);
    return count;
}

static uint32_t distance(const char *left, const char *right, int are_bytes)
{
    uint32_t row[BYTES + 1], a[BYTES], b[BYTES];
    const size_t rows = symbols_of(left, are_bytes, a), length = symbols_of(right, are_bytes, b);
    for (size_t j = 0; j <= length; j++)
        row[j] = (uint32_t)j;
    for (size_t i = 1; i <= rows; i++) {
        uint32_t corner = row[0];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= length; j++) {
            const uint32_t replaced = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            const uint32_t other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = replaced < other ? replaced : other;
        }
    }
    return row[length];
}

/* The code points of random strings: a number of them from the first one on. Of the last ones a byte stands for
 * several. */
typedef struct drawn_letters {
    uint32_t first, count;
} drawn_letters;

static const drawn_letters drawn[] = {{'a', 4}, {0xe0, 30}, {0x1f600, 60}, {0x7f0, 250}, {0x4e00, 300}, {0x4e00, 2000}};

static uint32_t draw_letter(akin_random *random, const drawn_letters *from, int is_query)
{
    if (is_query && akin_random_below(random, 40) == 0)
        return 0x2603; /* which no string has */
    return from->first + (uint32_t)akin_random_below(random, from->count);
}

static size_t encode(uint32_t point, char *to)
{
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    const size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = size - 1; i > 0; i--, point >>= 6)
        to[i] = (char)(0x80 | (point & 0x3f));
    to[0] = (char)(marks[size] | point);
    return size;
}

static void draw_string(akin_random *random, const drawn_letters *letters, texts *t, const texts *from)
{
    const int is_query = t != from;
    char text[BYTES + 1];
    uint32_t symbols[BYTES];
    size_t length = (size_t)akin_random_below(random, akin_random_below(random, 8) ? 30 : SYMBOLS), at = 0;
    for (size_t i = 0; i < length; i++)
        symbols[i] = draw_letter(random, letters, is_query);
    const char *origin = from->rows > 0 ? from->strings[akin_random_below(random, from->rows)] : NULL;
    if (origin && akin_random_below(random, 4)) { /* another one with some symbols changed */
        length = symbols_of(origin, 0, symbols);
        for (uint64_t i = akin_random_below(random, 4); length > 0 && i > 0; i--)
            symbols[akin_random_below(random, length)] = draw_letter(random, letters, is_query);
    }
    for (size_t i = 0; i < length; i++)
        at += encode(symbols[i], text + at);
    text[at] = '\0';
    add_text(t, akin_random_below(random, 20) ? text : NULL);
}

static void check_strings(akin_context *context, akin_random *random)
{
    const uint32_t objects = (uint32_t)akin_random_below(random, 200);
    question q = begin(context, random, objects);
    akin_strings_options options = AKIN_STRINGS_OPTIONS_INIT;
    texts data = {0}, queries = {0};
    const drawn_letters *letters = &drawn[akin_random_below(random, sizeof drawn / sizeof *drawn)];
    for (uint32_t i = 0; i < objects; i++)
        draw_string(random, letters, &data, &data);
    for (uint32_t i = 0; i < q.queries; i++)
        draw_string(random, letters, &queries, &data);
    const akin_column column = column_of(&data, "string");
    q.texts[0] = column_of(&queries, "query");
    q.columns = 1;
    q.nearest = 1;
    q.options.least = 0;
    options.ngram = (uint32_t)akin_random_below(random, AKIN_NGRAM_MOST + 1);
    options.bytes = (uint32_t)(akin_random_below(random, 4) == 0);
    assert_int_equal(akin_search_index_of_strings(context, &column, objects, &options, NULL, &q.index, NULL), AKIN_OK);
    for (uint32_t query = 0; query < q.queries && queries.strings; query++) {
        q.wanted[query] = queries.strings[query] != NULL;
        for (uint32_t i = 0; i < objects && q.wanted[query] && data.strings; i++)
            q.counts[query * objects + i] =
                data.strings[i] ? distance(queries.strings[query], data.strings[i], (int)options.bytes) : UINT32_MAX;
    }
    ask_in_every_way(&q);
    for (int one_round = 0; one_round < 2 && options.ngram > 0; one_round++) {
        q.options.candidates = 1 + (uint32_t)akin_random_below(random, 12);
        q.options.one_round = (uint32_t)one_round;
        ask_in_every_way(&q);
    }
    clear_texts(&data);
    clear_texts(&queries);
    end(&q);
}

/* ------------------------------------------------------------------------------------------------------------ cases */

static void every_case(void (*check)(akin_context *context, akin_random *random))
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 30);
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    for (uint64_t i = 0; i < cases; i++) {
        akin_random random;
        akin_random_seed(&random, seed * 1000003 + i);
        printf("seed %llu case %llu\n", (unsigned long long)seed, (unsigned long long)i);
        check(context, &random);
    }
    akin_context_free(context);
}

static void sets(void **state)
{
    (void)state;
    every_case(check_sets);
}

static void documents(void **state)
{
    (void)state;
    every_case(check_documents);
}

static void rows(void **state)
{
    (void)state;
    every_case(check_rows);
}

static void strings(void **state)
{
    (void)state;
    every_case(check_strings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets), cmocka_unit_test(documents), cmocka_unit_test(rows),
                                       cmocka_unit_test(strings)};
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/index.akin", folder);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    rmdir(folder);
    return failed;
}
