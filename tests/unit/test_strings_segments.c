/* The index of segments finds every string within some edits: all short strings of two symbols, and longer ones at
 * random, by both distances. What choosing runs and making their tables gives. */
#include "unit/test_strings_support.h"

#include "base/context.h"
#include "strings/comparators.h"
#include "strings/segments.h"

#include <stdio.h>

#define STRINGS_MOST 520
#define PLACES_MOST  (1 << 24) /* enough that looking up is never given up; of the memory little is touched */

typedef struct made {
    string strings[STRINGS_MOST];
    uint32_t count, lengths[STRINGS_MOST];
    uint64_t offsets[STRINGS_MOST + 1];
    char *bytes;
    akin_account account;
    akin_context *context;
    akin_alphabet alphabet;
    akin_strings_batch batch;
} made;

static void make(made *m)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    uint64_t bytes = 0;
    options.device = "cpu";
    assert_int_equal(akin_context_create(&options, &m->context, NULL), AKIN_OK);
    m->bytes = malloc((size_t)m->count * sizeof m->strings->text + 1);
    assert_non_null(m->bytes);
    for (uint32_t i = 0; i < m->count; i++) {
        m->offsets[i] = bytes;
        memcpy(m->bytes + bytes, m->strings[i].text, m->strings[i].bytes);
        bytes += m->strings[i].bytes;
    }
    m->offsets[m->count] = bytes;
    akin_column column = {sizeof column, "made up", m->offsets, m->bytes, NULL, 0, NULL, 0, 0};
    uint32_t *lengths = m->lengths;
    assert_int_equal(
        akin_alphabet_make(akin_scope_of(m->context), &m->account, &column, &m->count, &lengths, 1, &m->alphabet, NULL),
        AKIN_OK);
    assert_int_equal(akin_strings_batch_make(akin_scope_of(m->context), &m->account, &column, m->lengths, 0, m->count,
                                             &m->alphabet, &m->batch, NULL),
                     AKIN_OK);
}

static void unmake(made *m)
{
    akin_strings_batch_clear(&m->batch);
    akin_alphabet_clear(&m->alphabet);
    akin_context_free(m->context);
    free(m->bytes);
    assert_int_equal(m->account.held, 0);
}

static akin_cutoff cutoff_of(int swaps, akin_ratio ratio, uint32_t most)
{
    akin_compare_options compare = AKIN_COMPARE_OPTIONS_INIT;
    compare.comparator = swaps ? AKIN_OSA : AKIN_LEVENSHTEIN;
    return akin_cutoff_of(akin_comparator_of(compare.comparator), &compare, ratio, most);
}

/* The number of pairs within the bound. A look-up of either string gives all of them. */
static uint64_t find_all(const made *m, const akin_segments *segments, const akin_segments_probe *probe, uint32_t place,
                         uint32_t run, uint32_t *places, uint64_t *places_found)
{
    const akin_strings_batch *batch = &m->batch;
    const string *of = &m->strings[batch->rows[place]];
    uint32_t edits = akin_cutoff_edits(segments->cutoff, of->length, batch->lengths[run]), from = batch->starts[run];
    if (edits == AKIN_CUTOFF_NONE)
        return 0;
    from += place % 3 == 0 && from <= place && place < batch->starts[run + 1] ? place - from : 0;
    uint32_t count = akin_segments_seek(segments, run, probe, edits, INT32_MAX, from, places), at = 0;
    uint64_t found = 0;
    assert_int_not_equal(count, AKIN_SEGMENTS_MANY);
    for (uint32_t other = from; other < batch->starts[run + 1]; other++) {
        const string *s = &m->strings[batch->rows[other]];
        int is_there = at < count && places[at] == other;
        at += (uint32_t)is_there;
        if (distance_by_matrix(of->symbols, of->length, s->symbols, s->length, segments->cutoff->swaps) > edits)
            continue;
        assert_true(is_there);
        found++;
    }
    assert_int_equal(at, count); /* ascending, each once, none of another run */
    *places_found += count;
    return found;
}

/* Looks every string up in every run; answers how many pairs are within the bound. */
static uint64_t look_up_all(made *m, const akin_cutoff *cutoff, uint64_t *places_found)
{
    akin_segments segments;
    akin_segments_probe probe = {.prefixes = NULL};
    uint64_t found = 0;
    uint32_t *places = malloc(sizeof *places * PLACES_MOST);
    assert_non_null(places);
    assert_int_equal(akin_segments_choose(akin_scope_of(m->context), &m->account, cutoff, &m->batch, &m->batch, 0,
                                          AKIN_SEGMENTS_ALL, &segments, NULL),
                     AKIN_OK);
    assert_int_equal(akin_segments_make(akin_scope_of(m->context), &segments, NULL), AKIN_OK);
    for (uint32_t run = 0; run < m->batch.runs; run++)
        segments.runs[run].most = PLACES_MOST;
    assert_true(akin_segments_probe_reserve(&m->account, &probe, m->batch.lengths[m->batch.runs - 1]));
    for (uint32_t place = 0; place < m->batch.count; place++) {
        akin_symbols symbols = akin_strings_batch_at(&m->batch, akin_strings_batch_run(&m->batch, place), place);
        akin_bag bag = akin_strings_batch_bag(&m->batch, place);
        akin_segments_probe_set(&probe, &symbols, &bag);
        for (uint32_t run = 0; run < m->batch.runs; run++)
            if (akin_segments_has(&segments, run))
                found += find_all(m, &segments, &probe, place, run, places, places_found);
    }
    free(places);
    akin_free(probe.prefixes);
    akin_segments_clear(&segments);
    return found;
}

/* All strings of two symbols up to eight long. */
static void every_short_string(void **state)
{
    static made m;
    (void)state;
    m = (made){.count = 0};
    for (uint32_t length = 1; length <= 8; length++)
        for (uint32_t bits = 0; bits < 1u << length; bits++) {
            string *s = &m.strings[m.count++];
            s->length = length;
            for (uint32_t i = 0; i < length; i++)
                s->symbols[i] = 'a' + (bits >> i & 1);
            encode(s);
        }
    make(&m);
    for (int swaps = 0; swaps < 2; swaps++)
        for (uint32_t most = 0; most <= 4; most++) {
            akin_cutoff cutoff = cutoff_of(swaps, (akin_ratio){0, 1}, most);
            uint64_t places = 0, found = look_up_all(&m, &cutoff, &places);
            assert_true(found > 0 || (swaps && most == 4));
        }
    unmake(&m);
}

static void strings_at_random(void **state)
{
    static const uint32_t kinds[] = {2, 4, 26, 90}, longest[] = {12, 40, 130, 300};
    static const akin_ratio ratios[] = {{0, 1}, {0, 1}, {6, 10}, {8, 10}, {9, 10}, {1, 1}};
    static made m;
    akin_random random;
    uint64_t found = 0, places = 0;
    (void)state;
    akin_random_seed(&random, 4);
    for (uint32_t round = 0; round < 60; round++) {
        uint32_t k = kinds[round % 4], most = longest[round / 4 % 4];
        m = (made){.count = most > 100 ? 40 : 120};
        for (uint32_t i = 0; i < m.count; i++)
            if (i > 0 && i % 4)
                edit_string(&random, k, &m.strings[akin_random_below(&random, i)],
                            (uint32_t)akin_random_below(&random, 9), &m.strings[i]);
            else
                draw_string(&random, k, 1 + (uint32_t)akin_random_below(&random, most), &m.strings[i]);
        make(&m);
        akin_ratio ratio = ratios[akin_random_below(&random, 6)];
        uint32_t edits = ratio.num ? 0 : (uint32_t)akin_random_below(&random, 9);
        akin_cutoff cutoff = cutoff_of((int)round % 2, ratio, edits);
        found += look_up_all(&m, &cutoff, &places);
        unmake(&m);
    }
    assert_true(found > 1000 && places >= found);
}

/* Where looking up pays runs have tables, where it does not they have none, and under a bound only what has room. */
static void choose(made *m, const akin_cutoff *cutoff, akin_segments_wish wish, akin_segments *segments)
{
    assert_int_equal(akin_segments_choose(akin_scope_of(m->context), &m->account, cutoff, &m->batch, &m->batch, 1, wish,
                                          segments, NULL),
                     AKIN_OK);
}

static void choices(void **state)
{
    static made m;
    akin_segments segments;
    akin_random random;
    akin_cutoff cutoff = cutoff_of(0, (akin_ratio){0, 1}, 1), jaro = {.is_jaro = 1, .ratio = {8, 10}};
    (void)state;
    akin_random_seed(&random, 5);
    m = (made){.count = STRINGS_MOST};
    for (uint32_t i = 0; i < m.count; i++) /* those of the first run are all the same */
        draw_string(&random, i % 2 ? 1 : 26, i % 2 ? 3 : 60, &m.strings[i]);
    make(&m);
    assert_int_equal(m.batch.runs, 2);
    m.context->scope.cpu = AKIN_CPU_SCALAR; /* which screens slowly enough for so few */
    choose(&m, &cutoff, AKIN_SEGMENTS_WORTH, &segments);
    assert_true(segments.seconds > 0 && segments.seconds < segments.seconds_screened);
    assert_int_equal(akin_segments_make(akin_scope_of(m.context), &segments, NULL), AKIN_OK);
    assert_true(!akin_segments_has(&segments, 0) && akin_segments_has(&segments, 1));
    assert_int_equal(segments.runs[1].count, 2);
    akin_segments_clear(&segments);
    choose(&m, &cutoff, AKIN_SEGMENTS_NONE, &segments);
    assert_int_equal(akin_segments_make(akin_scope_of(m.context), &segments, NULL), AKIN_OK);
    assert_false(akin_segments_has(&segments, 0) || akin_segments_has(&segments, 1));
    akin_segments_clear(&segments);
    choose(&m, &jaro, AKIN_SEGMENTS_ALL, &segments);
    assert_true(segments.runs[0].count == 0 && segments.runs[1].count == 0);
    akin_segments_clear(&segments);
    m.account.limit = m.account.held + 4 * (260 * 2 * (8 + 4) + 100) + 200; /* a quarter: one table, not two */
    choose(&m, &cutoff, AKIN_SEGMENTS_ALL, &segments);
    assert_int_equal(akin_segments_make(akin_scope_of(m.context), &segments, NULL), AKIN_OK);
    assert_true(akin_segments_has(&segments, 0) && !akin_segments_has(&segments, 1));
    akin_segments_clear(&segments);
    m.account.limit = 0;
    unmake(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_short_string),
        cmocka_unit_test(strings_at_random),
        cmocka_unit_test(choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
