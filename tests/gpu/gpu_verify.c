/* Verification on a GPU, in each of the ways to share it among threads, and the unpacking of chunks, against loops on
 * the host. */
#include "gpu/gpu.h"

#include "join/kernels.h"
#include "akin_papers.h"
#include "papers/join/hybrid.h"
#include "papers/kernels.h"
#include "join/threshold.h"

#define SETS 300

/* Sets of tokens that ascend; among them some of sizes about AKIN_VERIFY_ALONE / 2, and some that are much alike. */
typedef struct collection {
    uint64_t offsets[SETS + 1];
    uint32_t *tokens;
    uint16_t *narrow;
} collection;

static uint64_t size_of(gpu *g, uint32_t set)
{
    static const uint64_t large[] = {AKIN_VERIFY_ALONE / 2 - 1, AKIN_VERIFY_ALONE / 2, AKIN_VERIFY_ALONE / 2 + 1,
                                     40000};
    if (set < 4)
        return large[set];
    return set < 200 ? 1 + gpu_random(g, 4) : 1 + gpu_random(g, 8);
}

/* Each set takes tokens from so dense a range that it shares many with others of its size. */
static void make(gpu *g, collection *c)
{
    c->offsets[0] = 0;
    for (uint32_t set = 0; set < SETS; set++)
        c->offsets[set + 1] = c->offsets[set] + size_of(g, set);
    uint64_t total = c->offsets[SETS];
    c->tokens = malloc(total * sizeof *c->tokens);
    c->narrow = malloc(total * sizeof *c->narrow);
    assert_non_null(c->tokens);
    assert_non_null(c->narrow);
    for (uint32_t set = 0; set < SETS; set++) {
        uint64_t size = c->offsets[set + 1] - c->offsets[set], spare = size / 2 + 2; /* tokens of the range left out */
        uint32_t token = 0;
        for (uint64_t i = c->offsets[set]; i < c->offsets[set + 1]; i++, token++) {
            while (spare > 0 && gpu_random(g, 2) == 0) {
                token++;
                spare--;
            }
            c->tokens[i] = token;
            c->narrow[i] = (uint16_t)token;
            assert_true(token <= UINT16_MAX);
        }
    }
}

static uint32_t common(const collection *c, uint32_t probe, uint32_t set)
{
    uint32_t overlap = 0;
    uint64_t i = c->offsets[probe], j = c->offsets[set];
    while (i < c->offsets[probe + 1] && j < c->offsets[set + 1]) {
        uint32_t a = c->tokens[i], b = c->tokens[j];
        overlap += a == b;
        i += a <= b;
        j += b <= a;
    }
    return overlap;
}

typedef struct result {
    akin_gpu_pair pair;
    uint32_t overlap;
} result;

static int by_pair(const void *a, const void *b)
{
    const result *x = a, *y = b;
    return (x->pair > y->pair) - (x->pair < y->pair);
}

/* The candidates that qualify, sorted. */
static uint64_t select_pairs(const collection *c, const akin_threshold *threshold, const akin_gpu_pair *candidates,
                             uint64_t count, result *out)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t probe = (uint32_t)(candidates[i] >> 32), set = (uint32_t)candidates[i];
        uint32_t overlap = common(c, probe, set);
        uint64_t r = c->offsets[probe + 1] - c->offsets[probe], s = c->offsets[set + 1] - c->offsets[set];
        if (overlap >= akin_threshold_overlap(threshold, r, s))
            out[found++] = (result){candidates[i], overlap};
    }
    qsort(out, found, sizeof *out, by_pair);
    return found;
}

/* What a launch is given, on the device. */
typedef struct given {
    akin_gpu_sets sets;
    akin_gpu_pair *candidates;
    uint64_t room, count;
    akin_gpu_tally told;
} given;

static void check(gpu *g, const given *in, const akin_threshold *threshold, akin_verify_way way, const result *expected,
                  uint64_t found, int keep)
{
    const akin_measure_rule rule = threshold->rule;
    akin_gpu_tally *tally = gpu_put(g, 3, &in->told, 1, sizeof in->told);
    akin_gpu_pair *pairs = keep ? gpu_array(g, 4, in->count, sizeof *pairs) : NULL;
    uint32_t *overlaps = keep ? gpu_array(g, 5, in->count, sizeof *overlaps) : NULL;
    OK(akin_kernels(g->stream)->sets->verify(g->stream, &in->sets, &in->sets, rule, way, in->candidates, in->room,
                                             tally, pairs, overlaps, &gpu_error));
    akin_gpu_tally *told = gpu_get(g, tally, 1, sizeof *told);
    if (told->found != found)
        fail_msg("%s, measure %d, %u/%u: %llu pairs of %llu, expected %llu", akin_sharing_name((akin_sharing)way),
                 (int)threshold->measure, threshold->num, threshold->den, told->found, (unsigned long long)in->count,
                 (unsigned long long)found);
    free(told);
    if (!keep)
        return;
    akin_gpu_pair *own = gpu_get(g, pairs, found, sizeof *own);
    uint32_t *counted = gpu_get(g, overlaps, found, sizeof *counted);
    result *got = malloc((found + 1) * sizeof *got);
    assert_non_null(got);
    for (uint64_t i = 0; i < found; i++)
        got[i] = (result){own[i], counted[i]};
    qsort(got, found, sizeof *got, by_pair);
    for (uint64_t i = 0; i < found; i++)
        assert_true(got[i].pair == expected[i].pair && got[i].overlap == expected[i].overlap);
    free(got);
    free(own);
    free(counted);
}

static const struct {
    akin_measure measure;
    akin_ratio ratio;
} thresholds[] = {{AKIN_JACCARD, {1, 2}}, {AKIN_JACCARD, {4, 5}},    {AKIN_COSINE, {7, 10}},
                  {AKIN_DICE, {2, 3}},    {AKIN_OVERLAP, {5, 1}},    {AKIN_JACCARD, {1, 1000000000}},
                  {AKIN_COSINE, {1, 1}},  {AKIN_OVERLAP, {30000, 1}}};

/* Candidates: a set and another of its kind, now and then two of the large ones. */
static void draw(gpu *g, akin_gpu_pair *candidates, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        int large = gpu_random(g, 6) == 0;
        uint64_t probe = large ? gpu_random(g, 2) : 4 + gpu_random(g, 8);
        candidates[i] = probe << 32 | (large ? gpu_random(g, 2) : 4 + gpu_random(g, 8));
    }
}

/* All candidates, and then fewer: as the tally says, or as there was room for. */
static void verify_by(gpu *g, const collection *c, given in, const akin_gpu_pair *candidates,
                      const akin_threshold *threshold)
{
    uint64_t done = in.count - in.count / 3;
    result *all = malloc((in.count + 1) * sizeof *all), *some = malloc((in.count + 1) * sizeof *some);
    assert_non_null(all);
    assert_non_null(some);
    uint64_t found = select_pairs(c, threshold, candidates, in.count, all);
    uint64_t found_some = select_pairs(c, threshold, candidates, done, some);
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_annex_choices(akin_papers(), "sharings", i)); i++) {
        const akin_verify_way way = (akin_verify_way)row->value;
        in.told = (akin_gpu_tally){.count = in.count, .valid = UINT64_MAX};
        in.room = in.count;
        check(g, &in, threshold, way, all, found, 1);
        check(g, &in, threshold, way, all, found, 0);
        in.told.valid = done;
        check(g, &in, threshold, way, some, found_some, 1);
        in.told.valid = UINT64_MAX;
        in.room = done;
        check(g, &in, threshold, way, some, found_some, 1);
    }
    free(all);
    free(some);
}

static void verify_candidates(void **state)
{
    gpu *g = *state;
    static const uint64_t counts[] = {0, 1, 7, 8, 9, 255, 257, 5003};
    collection c;
    make(g, &c);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        uint64_t count = counts[k];
        akin_gpu_pair *candidates = malloc((count + 1) * sizeof *candidates);
        assert_non_null(candidates);
        draw(g, candidates, count);
        for (int narrow = 0; narrow < 2; narrow++) {
            given in = {.count = count};
            const void *own = narrow ? (const void *)c.narrow : (const void *)c.tokens;
            in.sets = (akin_gpu_sets){.count = SETS, .largest = 40000, .narrow = narrow};
            in.sets.offsets = gpu_put(g, 0, c.offsets, SETS + 1, sizeof *c.offsets);
            in.sets.tokens = gpu_put(g, 1, own, c.offsets[SETS], narrow ? sizeof *c.narrow : sizeof *c.tokens);
            in.candidates = gpu_put(g, 2, candidates, count, sizeof *candidates);
            for (size_t t = 0; t < sizeof thresholds / sizeof *thresholds; t++) {
                akin_threshold threshold;
                OK(akin_threshold_make(thresholds[t].measure, thresholds[t].ratio, &threshold, &gpu_error));
                verify_by(g, &c, in, candidates, &threshold);
            }
        }
        free(candidates);
    }
    free(c.tokens);
    free(c.narrow);
}

/* Records of all lengths, and chunks with and without room to spare. */
static void unpack_chunks(void **state)
{
    gpu *g = *state;
    static const uint32_t rooms[] = {3, 16, 17, 600, 4097, 1u << 20};
    for (size_t k = 0; k < sizeof rooms / sizeof *rooms; k++)
        for (unsigned bits = 0; bits < 12; bits++) {
            uint32_t room = rooms[k], used = 0, records = 0;
            uint32_t *words = malloc(room * sizeof *words);
            akin_gpu_pair *expected = malloc(room * sizeof *expected);
            assert_non_null(words);
            assert_non_null(expected);
            memset(words, 0xee, room * sizeof *words);
            while (used + 2 * (records + 1) < room && (records == 0 || gpu_random(g, 10) > 0)) {
                uint32_t most = room - used - 2 * (records + 1), probe = (uint32_t)gpu_random(g, 32);
                uint32_t count = 1 + (bits ? (uint32_t)gpu_random(g, bits) : 0);
                for (count = count < most ? count : most; count > 0; count--, used++) {
                    words[used] = (uint32_t)gpu_random(g, 32);
                    expected[used] = (akin_gpu_pair)probe << 32 | words[used];
                }
                records++;
                words[room - 2 * records] = probe;
                words[room - 2 * records + 1] = used;
            }
            const akin_gpu_tally told = {.count = used, .valid = UINT64_MAX};
            uint32_t *on_gpu = gpu_put(g, 0, words, room, sizeof *words);
            akin_gpu_pair *pairs = gpu_array(g, 1, used, sizeof *pairs);
            akin_gpu_tally *tally = gpu_array(g, 2, 1, sizeof *tally);
            OK(akin_annex_kernels_of(g->stream)->hybrid->unpack(g->stream, on_gpu, room, used, records, pairs, tally,
                                                                &gpu_error));
            gpu_expect(g, pairs, expected, used, sizeof *pairs);
            gpu_expect(g, tally, &told, 1, sizeof told);
            free(words);
            free(expected);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(verify_candidates, gpu_setup, gpu_teardown),
        cmocka_unit_test_setup_teardown(unpack_chunks, gpu_setup, gpu_teardown),
    };
    return gpu_absent() ? GPU_SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
