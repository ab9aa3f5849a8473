/* Near-duplicates of a column of text, and what thresholds would remove by a sample of it, against brute force: orders
 * of preference, nulls, empty documents, hashes of few bits, threads; and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"
#include "corpus/near_duplicates.h"
#include "corpus/near_plan.h"
#if defined(TEST_HOST_GPU) || defined(TEST_DEVICE)
#include "device/devices.h"
#endif
#ifdef TEST_HOST_GPU
#include "property/host_device.h"
#endif
#include "corpus/near_sample.h"

#define MOST  300 /* rows */
#define WORDS 40
#define Q     3

static akin_context context;

/* A column, and the words of each row. */
typedef struct corpus {
    char words[MOST][WORDS][4];
    uint32_t counts[MOST], rows;
    char bytes[MOST * WORDS * 6 + 64];
    uint64_t offsets[MOST + 1];
    uint8_t validity[MOST / 8 + 1];
    akin_column column;
} corpus;

static corpus made;

#ifdef TEST_HOST_GPU
/* Of several GPUs that the host plays, with memory for all bags, for some of them, and for next to none. */
static void begin_context(uint32_t threads)
{
    static const uint64_t limits[] = {0, 40000, 100000, 12000};
    static uint32_t turn;
    akin_devices_close(&context);
    assert_int_equal(host_device_holds(), 0);
    context = (akin_context){.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect()},
                             .backend = &host_backend,
                             .wish = {.choice = AKIN_DEVICE_CUDA, .count = 1 + turn / 4 % 3, .numbers = {0, 1, 2}}};
    host_device_set(.limit = limits[turn++ % 4]);
}
#elif defined(TEST_DEVICE)
/* Of a GPU, with memory for all bags, for some of them, and for next to none. */
static void begin_context(uint32_t threads)
{
    static const uint64_t limits[] = {0, 40960, 102400, 20480};
    static uint32_t turn;
    akin_devices_close(&context);
    context = (akin_context){.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect()},
                             .wish = {.choice = AKIN_DEVICE_CUDA},
                             .device_memory = limits[turn++ % 4]};
}
#else
static void begin_context(uint32_t threads)
{
    context = (akin_context){.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect()}};
}
#endif

/* Half of the rows are others with some words changed. Every ninth row is null or empty, or has punctuation alone. */
static void draw_words(corpus *c, akin_random *random, uint32_t row)
{
    const uint32_t from = row > 0 ? (uint32_t)akin_random_below(random, row) : 0;
    const int is_copy = row > 0 && akin_random_below(random, 2);
    c->counts[row] = row % 9 == 8 ? 0 : is_copy ? c->counts[from] : (uint32_t)akin_random_below(random, WORDS + 1);
    for (uint32_t i = 0; i < c->counts[row]; i++) {
        if (is_copy && akin_random_below(random, 20))
            memcpy(c->words[row][i], c->words[from][i], sizeof c->words[row][i]);
        else
            snprintf(c->words[row][i], sizeof c->words[row][i], "%c%u", 'a' + (int)akin_random_below(random, 6),
                     (unsigned)akin_random_below(random, 10));
    }
}

static void make_corpus(uint64_t seed, uint32_t rows)
{
    corpus *c = &made;
    akin_random random;
    uint64_t at = 0;
    akin_random_seed(&random, seed);
    memset(c->validity, 0xff, sizeof c->validity);
    c->rows = rows;
    for (uint32_t row = 0; row < rows; row++) {
        draw_words(c, &random, row);
        c->offsets[row] = at;
        for (uint32_t i = 0; i < c->counts[row]; i++)
            at += (uint64_t)snprintf(c->bytes + at, sizeof c->bytes - at, "%s%s", i % 3 ? " " : ", ", c->words[row][i]);
        if (row % 27 == 8)
            c->validity[row / 8] &= (uint8_t) ~(1u << row % 8);
        else if (row % 27 == 17)
            c->bytes[at++] = '!';
    }
    c->offsets[rows] = at;
    c->column = (akin_column){.size = sizeof c->column,
                              .offsets = c->offsets,
                              .bytes = c->bytes,
                              .validity = c->validity,
                              .nulls = rows / 27 + (rows % 27 > 8)};
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

/* Shingle i of a row as text; fewer words are one shingle. */
static int shingle(uint32_t row, uint32_t i, char out[5 * Q + 1])
{
    const uint32_t words = made.counts[row], gap = words < Q ? words : Q;
    size_t at = 0;
    out[0] = 0;
    if (gap == 0 || i + gap > words)
        return 0;
    for (uint32_t k = 0; k < gap; k++)
        at += (size_t)snprintf(out + at, 5 * Q + 1 - at, " %s", made.words[row][i + k]);
    return 1;
}

static int has_shingle(uint32_t row, uint32_t end, const char *wanted)
{
    char own[5 * Q + 1];
    for (uint32_t i = 0; i < end && shingle(row, i, own); i++)
        if (strcmp(own, wanted) == 0)
            return 1;
    return 0;
}

/* Whether a shingle is in more documents than that; 0: it is not looked at. */
static int is_frequent(const char *wanted, uint64_t most)
{
    uint64_t documents = 0;
    for (uint32_t row = 0; row < made.rows && most > 0; row++)
        documents += (uint64_t)has_shingle(row, WORDS, wanted);
    return most > 0 && documents > most;
}

/* Distinct shingles of a row that another row has; of all, if they are one row. Frequent ones do not count. */
static uint32_t common_of(uint32_t row, uint32_t other, uint64_t most)
{
    char own[5 * Q + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; shingle(row, i, own); i++)
        count += !has_shingle(row, i, own) && has_shingle(other, WORDS, own) && !is_frequent(own, most);
    return count;
}

static void brute_force(akin_measure measure, akin_ratio t, const uint32_t *order, uint64_t most, akin_duplicate *out)
{
    for (uint32_t place = 0; place < made.rows; place++) {
        const uint32_t row = order[place], size = common_of(row, row, most);
        const int is_emptied = size == 0 && common_of(row, row, 0) > 0;
        out[row] = (akin_duplicate){AKIN_NO_ROW, 0, {size, 0}};
        for (uint32_t before = 0; before < place && out[row].survivor == AKIN_NO_ROW; before++) {
            const uint32_t kept = order[before];
            if (out[kept].survivor != AKIN_NO_ROW || is_emptied ||
                (out[kept].sizes[0] == 0 && common_of(kept, kept, 0) > 0))
                continue;
            const uint64_t common = common_of(row, kept, most), other = out[kept].sizes[0];
            const uint64_t all = measure == AKIN_JACCARD ? size + other - common : size;
            if (size == 0 || other == 0 ? size == other : common * t.den >= all * t.num)
                out[row] = (akin_duplicate){kept, (uint32_t)common, {size, (uint32_t)other}};
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------ tests */

/* Numbers as texts, of which some are equal, and some rows have none. */
typedef struct values {
    char bytes[MOST * 12];
    uint64_t offsets[MOST + 1];
    uint8_t validity[MOST / 8 + 1];
    int64_t numbers[MOST];
    akin_column column;
} values;

static values preference, ids, sources;

static int has_value(const values *v, uint32_t row)
{
    return v->validity[row / 8] >> row % 8 & 1;
}

static void make_values(values *v, akin_random *random, uint64_t below, int with_nulls)
{
    uint64_t at = 0;
    memset(v->validity, 0xff, sizeof v->validity);
    for (uint32_t row = 0; row < made.rows; row++) {
        v->offsets[row] = at;
        v->numbers[row] = (int64_t)akin_random_below(random, below) - 5;
        if (with_nulls && row % 7 == 3)
            v->validity[row / 8] &= (uint8_t) ~(1u << row % 8);
        else
            at +=
                (uint64_t)snprintf(v->bytes + at, sizeof v->bytes - at, row % 2 ? "%d" : "%d.0", (int)v->numbers[row]);
    }
    v->offsets[made.rows] = at;
    v->column = (akin_column){.size = sizeof v->column,
                              .offsets = v->offsets,
                              .bytes = v->bytes,
                              .validity = v->validity,
                              .nulls = with_nulls ? 1 : 0};
}

/* Whether row a is preferred to row b. */
static int is_preferred(akin_keep keep, uint32_t a, uint32_t b)
{
    if (keep == AKIN_KEEP_FIRST)
        return a < b;
    if (keep == AKIN_KEEP_LONGEST) {
        const uint64_t own = made.offsets[a + 1] - made.offsets[a], other = made.offsets[b + 1] - made.offsets[b];
        if (own != other)
            return own > other;
    } else if (has_value(&preference, a) != has_value(&preference, b)) {
        return has_value(&preference, a);
    } else if (has_value(&preference, a) && preference.numbers[a] != preference.numbers[b]) {
        return (preference.numbers[a] < preference.numbers[b]) == (keep == AKIN_KEEP_LEAST);
    }
    return ids.numbers[a] != ids.numbers[b] ? ids.numbers[a] < ids.numbers[b] : a < b;
}

static void make_order(akin_keep keep, uint32_t *order)
{
    for (uint32_t row = 0; row < made.rows; row++) {
        uint32_t at = row;
        for (; at > 0 && is_preferred(keep, row, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = row;
    }
}

/* What all jobs here have. */
static void complete(akin_duplicates_options *options)
{
    static akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    text.tokens = AKIN_TOKENS_SHINGLES;
    text.q = Q;
    options->text = &text;
    options->preference = &preference.column;
    options->ids = &ids.column;
}

static akin_status find(akin_duplicates_options *options, uint64_t mask, akin_duplicates **out, akin_error *error)
{
    complete(options);
    return akin_duplicates_find_within(&context.scope, &made.column, made.rows, options, mask, out, error);
}

static void assert_found(const akin_duplicates *duplicates, const akin_duplicate *expected)
{
    for (uint32_t i = 0; i < made.rows; i++) {
        akin_duplicate own;
        akin_duplicates_row(duplicates, i, &own);
        if (memcmp(&expected[i], &own, sizeof own) != 0)
            fail_msg("row %u: survivor %u, %u in common, instead of %u, %u", i, own.survivor, own.common,
                     expected[i].survivor, expected[i].common);
    }
}

static void as_brute_force(void **state)
{
    static const akin_ratio ratios[] = {{1, 2}, {4, 5}, {1, 1}, {1, 4}};
    static const uint64_t masks[] = {0, 0xff, 0xffff, UINT64_MAX};
    static akin_duplicate expected[MOST];
    uint32_t order[MOST] = {0};
    uint64_t removed = 0, ignored = 0, emptied = 0;
    akin_random random;
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
        akin_duplicates_report report = {.size = sizeof report};
        akin_duplicates *duplicates = NULL;
        options.measure = seed % 2 ? AKIN_CONTAINMENT : AKIN_JACCARD;
        options.threshold = ratios[seed / 2 % 4];
        options.keep = seed % 3 ? (uint32_t)(seed / 3 % 4) : AKIN_KEEP_FIRST;
        begin_context(1 + (uint32_t)(seed % 4));
        make_corpus(seed, (uint32_t)(seed * 37 % MOST));
        akin_random_seed(&random, seed);
        make_values(&preference, &random, 20, 1);
        make_values(&ids, &random, 400, 0);
        make_order((akin_keep)options.keep, order);
        options.ignore_frequent = seed % 5 == 4 ? 1 + seed % 20 : 0;
#if defined(TEST_HOST_GPU) || defined(TEST_DEVICE)
        if (options.ignore_frequent == 0)
            context.scope.device_choice = AKIN_DEVICE_CUDA;
#endif
        brute_force((akin_measure)options.measure, options.threshold, order, options.ignore_frequent, expected);
        assert_int_equal(find(&options, masks[seed / 4 % 4], &duplicates, NULL), AKIN_OK);
        assert_found(duplicates, expected);
        assert_int_equal(akin_duplicates_describe(duplicates, &report, NULL), AKIN_OK);
        assert_int_equal(report.documents, made.rows);
        removed += made.rows - report.kept;
        ignored += report.ignored;
        emptied += report.emptied;
        akin_duplicates_free(duplicates);
    }
    assert_true(removed > 1000 && ignored > 100 && emptied > 10);
}

/* With little memory it takes several rounds, and the result is the same. */
static void short_of_memory(void **state)
{
    static akin_duplicate expected[MOST];
    uint32_t order[MOST] = {0};
    uint64_t refusals = 0, several = 0, rounds = 2;
    akin_status status = AKIN_E_NOMEM;
    akin_error error;
    akin_random random;
    (void)state;
    begin_context(1);
    make_corpus(4, 299);
    akin_random_seed(&random, 3);
    make_values(&preference, &random, 20, 1);
    make_values(&ids, &random, 400, 0);
    make_order(AKIN_KEEP_GREATEST, order);
    brute_force(AKIN_JACCARD, (akin_ratio){1, 2}, order, 0, expected);
    for (uint64_t limit = 256; status != AKIN_OK || rounds > 1; limit += limit / 32 + 8) {
        akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
        akin_duplicates_report report = {.size = sizeof report};
        akin_duplicates *duplicates = NULL;
        options.threshold = (akin_ratio){1, 2};
        options.keep = AKIN_KEEP_GREATEST;
        context.scope.memory = limit;
        status = find(&options, UINT64_MAX, &duplicates, &error);
        assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && strstr(error.message, "memory")));
        refusals += status != AKIN_OK;
        if (status != AKIN_OK)
            continue;
        assert_found(duplicates, expected);
        assert_int_equal(akin_duplicates_describe(duplicates, &report, NULL), AKIN_OK);
        rounds = report.rounds;
        several += rounds > 1;
        akin_duplicates_free(duplicates);
    }
    assert_true(refusals > 10 && several > 2);
}

static void refused(void **state)
{
    akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
    akin_duplicates *duplicates = NULL;
    akin_error error;
    uint32_t bad = 40;
    char said[80];
    (void)state;
    begin_context(3);
    make_corpus(4, 250);
    while (made.counts[bad] == 0)
        bad++;
    made.bytes[made.offsets[bad]] = made.bytes[made.offsets[bad + 100]] = '\xff';
    snprintf(said, sizeof said, "row %u, column 0: the text is not valid UTF-8", bad);
    assert_int_equal(find(&options, UINT64_MAX, &duplicates, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, said);
    options.keep = 9;
    assert_int_equal(find(&options, UINT64_MAX, &duplicates, &error), AKIN_E_OPTION);
    options.keep = AKIN_KEEP_FIRST;
    options.comparing = AKIN_COMPARE_WITHIN;
    assert_int_equal(find(&options, UINT64_MAX, &duplicates, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the documents have no sources: expected the source of each document, or files");
    options = (akin_duplicates_options)AKIN_DUPLICATES_OPTIONS_INIT;
    options.components = 1;
    options.measure = AKIN_CONTAINMENT;
    assert_int_equal(find(&options, UINT64_MAX, &duplicates, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "components and the measure containment: chains have no direction");
    assert_null(duplicates);
}

/* ----------------------------------------------------------------------------------------------------------- sample */

/* Whether sets of sizes r and s with c tokens in common reach a threshold in twentieths, by the definition of each
 * measure. */
static int reaches(akin_measure measure, uint64_t r, uint64_t s, uint64_t c, uint64_t twentieths)
{
    if (r == 0 || s == 0)
        return r == s;
    switch (measure) {
    case AKIN_JACCARD:
        return 20 * c >= twentieths * (r + s - c);
    case AKIN_COSINE:
        return 400 * c * c >= twentieths * twentieths * r * s;
    case AKIN_DICE:
        return 40 * c >= twentieths * (r + s);
    case AKIN_OVERLAP_COEFFICIENT:
        return 20 * c >= twentieths * (r < s ? r : s);
    case AKIN_CONTAINMENT:
        return 20 * c >= twentieths * r;
    case AKIN_OVERLAP:
        break;
    }
    fail_msg("a measure that the test does not know");
    return 0;
}

static int are_compared(uint32_t comparing, uint32_t row, uint32_t other)
{
    const int are_equal = has_value(&sources, row) == has_value(&sources, other) &&
                          (!has_value(&sources, row) || strncmp(sources.bytes + sources.offsets[row],
                                                                sources.bytes + sources.offsets[other], 2) == 0);
    return comparing == AKIN_COMPARE_ALL || are_equal == (comparing == AKIN_COMPARE_WITHIN);
}

/* Whether fewer than `count` rows have a lesser hash. */
static int is_drawn(uint32_t row, uint32_t count)
{
    uint32_t less = 0;
    for (uint32_t other = 0; other < made.rows; other++)
        less += akin_random_mixed(other) < akin_random_mixed(row);
    return less < count;
}

/* How many drawn rows reach each threshold with a row before them. */
static void count_alike(const akin_duplicates_options *o, const uint32_t *order, uint32_t count,
                        uint64_t alike[AKIN_SAMPLE_THRESHOLDS])
{
    uint32_t sizes[MOST];
    for (uint32_t row = 0; row < made.rows; row++)
        sizes[row] = common_of(row, row, 0);
    memset(alike, 0, AKIN_SAMPLE_THRESHOLDS * sizeof *alike);
    for (uint32_t place = 0; place < made.rows; place++) {
        const uint32_t row = order[place];
        uint32_t reached = 0;
        for (uint32_t at = 0; at < place && is_drawn(row, count); at++) {
            const uint32_t before = order[at], common = common_of(row, before, 0);
            while (reached < AKIN_SAMPLE_THRESHOLDS && are_compared(o->comparing, row, before) &&
                   reaches((akin_measure)o->measure, sizes[row], sizes[before], common, 10 + reached))
                alike[reached++]++;
        }
    }
}

/* One letter for each row; some have none. */
static void make_sources(akin_random *random)
{
    memset(sources.validity, 0xff, sizeof sources.validity);
    for (uint32_t row = 0; row <= made.rows; row++) {
        sources.offsets[row] = 2 * (uint64_t)row;
        snprintf(sources.bytes + 2 * (size_t)row, 3, "%c ", 'a' + (int)akin_random_below(random, 3));
        if (row % 5 == 2)
            sources.validity[row / 8] &= (uint8_t) ~(1u << row % 8);
    }
    sources.column = (akin_column){.size = sizeof sources.column,
                                   .offsets = sources.offsets,
                                   .bytes = sources.bytes,
                                   .validity = sources.validity,
                                   .nulls = 1};
}

static akin_status take_sample(akin_duplicates_options *options, uint32_t count, uint64_t mask,
                               akin_duplicates_estimate *out, akin_error *error)
{
    akin_duplicates_sample_options how = AKIN_DUPLICATES_SAMPLE_OPTIONS_INIT;
    how.find = options;
    how.documents = count;
    complete(options);
    options->sources = &sources.column;
    *out = (akin_duplicates_estimate){.size = sizeof *out};
    return akin_duplicates_sample_within(&context.scope, &made.column, made.rows, &how, mask, out, error);
}

static void assert_estimate(const akin_duplicates_estimate *found, const akin_duplicates_options *options,
                            const uint32_t *order, uint32_t count)
{
    uint64_t expected[AKIN_SAMPLE_THRESHOLDS];
    count_alike(options, order, count, expected);
    assert_int_equal(found->documents, made.rows);
    assert_int_equal(found->drawn, count < made.rows ? count : made.rows);
    for (uint32_t i = 0; i < AKIN_SAMPLE_THRESHOLDS; i++) {
        const akin_threshold_estimate *e = &found->at[i];
        const double n = (double)found->drawn, share = n > 0 ? (double)e->alike / n : 0;
        if (e->alike != expected[i])
            fail_msg("threshold %u: %u rows, instead of %u", i, (unsigned)e->alike, (unsigned)expected[i]);
        assert_true(e->threshold.num == 10 + i && e->threshold.den == 20 && e->share == share);
        assert_true(e->low >= 0 && e->low <= share && share <= e->high && e->high <= 1);
        assert_true((e->low == e->high) == (found->drawn == made.rows));
        assert_int_equal(e->documents, (uint64_t)(share * made.rows + 0.5));
        /* both ends of the interval are 1.96 deviations from the share, taken for the true one */
        for (int end = 0; end < 2 && found->drawn < made.rows; end++) {
            const double p = end ? e->high : e->low, off = (share - p) * (share - p);
            assert_true(p == 0 || p == 1 || fabs(off - 3.8414588206941 * p * (1 - p) / n) < 1e-12);
        }
    }
}

static void sampled(void **state)
{
    static const uint64_t masks[] = {0, 0xff, 0xffff, UINT64_MAX};
    static const uint32_t counts[] = {1, 12, 50, 400};
    uint32_t order[MOST] = {0};
    uint64_t alike = 0;
    akin_random random;
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
        akin_duplicates_estimate found;
        const akin_choice *measure = akin_choices("measures", (uint32_t)(seed % 6));
        if (!measure || (measure->capabilities & AKIN_TAKES_COUNT))
            continue;
        options.measure = (uint32_t)measure->value;
        options.keep = (uint32_t)(seed % 4);
        options.comparing = (uint32_t)(seed / 4 % 3);
        begin_context(1 + (uint32_t)(seed / 2 % 4));
        make_corpus(seed, (uint32_t)(seed * 37 % 90));
        akin_random_seed(&random, seed);
        make_values(&preference, &random, 20, 1);
        make_values(&ids, &random, 400, 0);
        make_sources(&random);
        make_order((akin_keep)options.keep, order);
        assert_int_equal(take_sample(&options, counts[seed / 3 % 4], masks[seed / 5 % 4], &found, NULL), AKIN_OK);
        assert_estimate(&found, &options, order, counts[seed / 3 % 4]);
        alike += found.at[0].alike;
    }
    assert_true(alike > 200);
}

/* With little memory it fails, and with enough of it the result is the same. */
static void sampled_in_little_memory(void **state)
{
    uint64_t refusals = 0;
    akin_status status = AKIN_E_NOMEM;
    akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
    akin_duplicates_estimate expected, found;
    akin_error error;
    akin_random random;
    (void)state;
    begin_context(1);
    make_corpus(4, 299);
    akin_random_seed(&random, 3);
    make_values(&preference, &random, 20, 1);
    make_values(&ids, &random, 400, 0);
    make_sources(&random);
    options.keep = AKIN_KEEP_LONGEST;
    assert_int_equal(take_sample(&options, 100, UINT64_MAX, &expected, NULL), AKIN_OK);
    for (uint64_t limit = 256; status != AKIN_OK; limit += limit / 16 + 8) {
        context.scope.memory = limit;
        status = take_sample(&options, 100, UINT64_MAX, &found, &error);
        assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && strstr(error.message, "memory")));
        refusals += status != AKIN_OK;
    }
    assert_true(refusals > 10);
    assert_memory_equal(&expected, &found, sizeof found);
}

static void sample_refused(void **state)
{
    akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
    akin_duplicates_estimate found;
    akin_error error;
    uint32_t bad = 40;
    char said[80];
    (void)state;
    begin_context(3);
    make_corpus(4, 250);
    assert_int_equal(take_sample(&options, 0, UINT64_MAX, &found, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "documents is 0; expected 1 or more");
    options.ignore_frequent = 2;
    assert_int_equal(take_sample(&options, 9, UINT64_MAX, &found, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "a sample and ignore_frequent are wanted: expected one of the two");
    options.ignore_frequent = 0;
    options.components = 1;
    assert_int_equal(take_sample(&options, 9, UINT64_MAX, &found, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "a sample and components are wanted: expected one of the two");
    options.components = 0;
    options.measure = AKIN_OVERLAP;
    options.threshold = (akin_ratio){2, 1};
    assert_int_equal(take_sample(&options, 9, UINT64_MAX, &found, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "counts tokens"));
    options.measure = AKIN_JACCARD;
    options.threshold = (akin_ratio){1, 2};
    while (made.counts[bad] == 0 || made.counts[bad + 100] == 0 || is_drawn(bad, 100) || is_drawn(bad + 100, 100))
        bad++;
    made.bytes[made.offsets[bad]] = made.bytes[made.offsets[bad + 100]] = '\xff';
    snprintf(said, sizeof said, "row %u, column 0: the text is not valid UTF-8", bad);
    assert_int_equal(take_sample(&options, 100, UINT64_MAX, &found, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, said);
}

/* A plan with all documents is exact, and bounds memory and rounds; one with some of them is near. */
static void planned(void **state)
{
    static akin_duplicate expected[MOST];
    uint32_t order[MOST] = {0}, several = 0;
    akin_random random;
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
        akin_duplicates_report report = {.size = sizeof report};
        akin_duplicates_plan plan = {.size = sizeof plan}, part = plan;
        akin_duplicates *duplicates = NULL;
        uint64_t tokens = 0;
        begin_context(1 + (uint32_t)(seed % 2));
        make_corpus(seed, 100 + (uint32_t)(seed * 37 % (MOST - 100)));
        akin_random_seed(&random, seed);
        make_values(&preference, &random, 20, 1);
        make_values(&ids, &random, 400, 0);
        make_order(AKIN_KEEP_FIRST, order);
        complete(&options);
        options.threshold = (akin_ratio){seed % 2 ? 4 : 1, seed % 2 ? 5 : 2};
        brute_force(AKIN_JACCARD, options.threshold, order, 0, expected);
        for (uint32_t row = 0; row < made.rows; row++)
            tokens += expected[row].sizes[0];
        assert_int_equal(
            akin_duplicates_plan_within(&context.scope, &made.column, made.rows, &options, UINT64_MAX, &plan, NULL),
            AKIN_OK);
        assert_int_equal(plan.documents, made.rows);
        assert_int_equal(plan.bytes, made.offsets[made.rows]);
        assert_int_equal(plan.tokens, tokens);
        assert_true(plan.rounds == 1 && plan.readings == 2 && plan.temporary == 0);
        assert_int_equal(
            akin_duplicates_plan_within(&context.scope, &made.column, made.rows, &options, plan.bytes / 3, &part, NULL),
            AKIN_OK);
        assert_true(part.tokens > tokens / 2 && part.tokens < tokens * 2);
        assert_int_equal(find(&options, UINT64_MAX, &duplicates, NULL), AKIN_OK);
        assert_int_equal(akin_duplicates_describe(duplicates, &report, NULL), AKIN_OK);
        assert_true(report.memory_peak <= plan.memory && report.memory_peak > plan.memory / 20);
        akin_duplicates_free(duplicates);
        for (uint64_t limit = 1 << 20; limit > 4096; limit -= limit / 4) {
            context.scope.memory = limit;
            if (find(&options, UINT64_MAX, &duplicates, NULL) != AKIN_OK)
                break;
            assert_int_equal(
                akin_duplicates_plan_within(&context.scope, &made.column, made.rows, &options, UINT64_MAX, &plan, NULL),
                AKIN_OK);
            assert_int_equal(akin_duplicates_describe(duplicates, &report, NULL), AKIN_OK);
            assert_true(report.rounds <= plan.rounds);
            several += report.rounds > 1;
            akin_duplicates_free(duplicates);
        }
    }
    assert_true(several > 0);
}

#ifdef TEST_HOST_GPU
/* Each call of the GPU fails once, alone and with all that follow. If it is required that is an error; else the CPU
 * goes on, and finds the same. */
static void failing_gpu(void **state)
{
    static const akin_wishes always = {.gpu_always = 1};
    static akin_duplicate expected[MOST];
    uint32_t order[MOST] = {0};
    akin_random random;
    uint64_t failures = 0;
    (void)state;
    begin_context(2);
    make_corpus(5, 120);
    akin_random_seed(&random, 4);
    make_values(&preference, &random, 20, 1);
    make_values(&ids, &random, 400, 0);
    make_order(AKIN_KEEP_LONGEST, order);
    brute_force(AKIN_JACCARD, (akin_ratio){1, 2}, order, 0, expected);
    for (uint32_t way = 0; way < 8; way++) {
        int has_failed = 1;
        for (uint64_t failing = 1; has_failed; failing++) {
            akin_duplicates_options options = AKIN_DUPLICATES_OPTIONS_INIT;
            akin_duplicates *duplicates = NULL;
            akin_error error;
            const int is_required = way % 2;
            options.threshold = (akin_ratio){1, 2};
            options.keep = AKIN_KEEP_LONGEST;
            begin_context(2);
            context.wishes = &always;
            context.wish.count = is_required ? 1 + way / 4 : 1; /* `auto` has one */
            context.scope.device_choice = is_required ? AKIN_DEVICE_CUDA : AKIN_DEVICE_AUTO;
            host_device_set(.failing = failing, .status = AKIN_E_DEVICE, .alone = way / 2 % 2, .limit = 100000);
            const akin_status status = find(&options, UINT64_MAX, &duplicates, &error);
            has_failed = host_device.calls >= failing;
            assert_true(status == AKIN_OK || (is_required && has_failed && status == AKIN_E_DEVICE));
            failures += status != AKIN_OK;
            if (status == AKIN_OK) {
                assert_found(duplicates, expected);
                akin_duplicates_free(duplicates);
            }
        }
    }
    assert_true(failures > 100);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TEST_HOST_GPU
        cmocka_unit_test(failing_gpu),
#endif
        cmocka_unit_test(planned),       cmocka_unit_test(as_brute_force), cmocka_unit_test(short_of_memory),
        cmocka_unit_test(refused),       cmocka_unit_test(sampled),        cmocka_unit_test(sampled_in_little_memory),
        cmocka_unit_test(sample_refused)};
#ifdef TEST_DEVICE
    if (akin_device_find().devices == 0) {
        printf("skipped: there is no GPU\n");
        return 77;
    }
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
