/* Shares of a join: every pair is in one of them, and whoever takes them, and whatever becomes of it on the way, the
 * pairs found are those of the whole join. The takers here are the CPU, by one of its techniques. */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "join/shares.h"
#include "join/takers.h"
#include "join/technique_rows.h"
#include "sets/sets.h"
#include "unit/test_join_watch.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3
#define SLOTS   16

/* A job as akin_join has it: two collections, ranked, or one. */
typedef struct fixture {
    akin_context context;
    akin_account account;
    akin_sets *sets[2];
    akin_ranked ranked[2];
    akin_join_job job;
    akin_pairs pairs[SLOTS]; /* of the workers */
} fixture;

static akin_sets *generate(uint32_t rows, double mean, uint64_t seed)
{
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = akin_cpu_detect()}};
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    akin_sets *sets = NULL;
    options.rows = rows;
    options.universe = 300;
    options.size_mean = mean;
    options.size_deviation = mean / 2;
    options.duplicates = 0.3;
    options.seed = seed;
    assert_int_equal(akin_sets_generate(&context, &options, &sets, NULL), AKIN_OK);
    return sets;
}

static fixture *make(uint32_t rows, uint32_t other, akin_measure measure, akin_ratio ratio)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->context = (akin_context){.scope = {.context = &f->context, .threads = THREADS, .cpu = akin_cpu_detect()},
                                .cpu_best = akin_cpu_detect()};
    f->sets[0] = generate(rows, 9, 1);
    f->sets[1] = other ? generate(other, 12, 2) : NULL;
    assert_int_equal(akin_rank_sets(akin_scope_of(&f->context), &f->account, f->sets[0], f->sets[1], &f->ranked[0],
                                    &f->ranked[1], NULL),
                     AKIN_OK);
    f->job = (akin_join_job){.scope = akin_scope_of(&f->context),
                             .account = &f->account,
                             .probes = &f->ranked[0],
                             .indexed = &f->ranked[other ? 1 : 0],
                             .self = !other,
                             .same = !other,
                             .keep = 1,
                             .technique = akin_technique_of(NULL, AKIN_PPJOIN),
                             .threads = THREADS,
                             .slots = SLOTS};
    f->job.workers = akin_alloc_zero(&f->account, SLOTS, sizeof *f->job.workers);
    assert_non_null(f->job.workers);
    for (uint32_t t = 0; t < SLOTS; t++) {
        f->pairs[t].account = &f->account;
        f->job.workers[t].pairs = &f->pairs[t];
    }
    assert_int_equal(akin_threshold_make(measure, ratio, &f->job.threshold, NULL), AKIN_OK);
    assert_int_equal(akin_join_need_make(&f->job, NULL), AKIN_OK);
    return f;
}

static void discard(fixture *f)
{
    akin_join_marks_clear(&f->job);
    for (uint32_t t = 0; t < SLOTS; t++)
        akin_pairs_clear(&f->pairs[t]);
    akin_free(f->job.workers);
    akin_free(f->job.need);
    akin_ranked_clear(&f->ranked[0]);
    akin_ranked_clear(&f->ranked[1]);
    akin_sets_free(f->sets[0]);
    akin_sets_free(f->sets[1]);
    assert_int_equal(f->account.held, 0);
    free(f);
}

static const struct {
    akin_measure measure;
    akin_ratio ratio;
} rules[] = {{AKIN_JACCARD, {6, 10}}, {AKIN_JACCARD, {1, 1}}, {AKIN_COSINE, {3, 10}}, {AKIN_OVERLAP, {9, 1}}};
#define RULES (sizeof rules / sizeof *rules)

/* As many tokens in a share at most; no other bound. */
static akin_share_bounds of_tokens(uint64_t tokens)
{
    return (akin_share_bounds){.bytes = 1, .tokens = tokens};
}

/* ----------------------------------------------------------------------------------------------------------- cutting
 */

/* Says how many shares have each pair of places; indexed ones come first in a row. */
static uint8_t *cover(const fixture *f, const akin_shares *shares)
{
    size_t columns = f->job.indexed->count;
    uint8_t *times = calloc(f->job.probes->count * columns + 1, 1);
    assert_non_null(times);
    for (uint32_t k = 0; k < shares->count; k++) {
        const akin_share *share = &shares->list[k];
        const akin_piece_range *probes = &share->piece.probes, *indexed = &share->piece.indexed;
        int is_self = share->piece.is_self;
        assert_true(!is_self || (probes->first == indexed->first && probes->end == indexed->end));
        for (uint32_t p = probes->first; p < probes->end; p++)
            for (uint32_t i = indexed->first; i < (is_self ? p : indexed->end); i++)
                times[p * columns + i]++;
    }
    return times;
}

static void check_cover(const fixture *f, const akin_shares *shares)
{
    uint8_t *times = cover(f, shares);
    const akin_ranked *probes = f->job.probes, *indexed = f->job.indexed;
    uint64_t compatible = 0;
    for (uint32_t p = 0; p < probes->count; p++)
        for (uint32_t i = 0; i < indexed->count; i++) {
            uint32_t r = akin_ranked_size(probes, p), s = akin_ranked_size(indexed, i), n = r < s ? r : s;
            int wanted = akin_threshold_overlap(&f->job.threshold, r, s) <= n && (!f->job.self || i < p);
            uint8_t got = times[(size_t)p * indexed->count + i];
            compatible += (uint64_t)wanted;
            if (wanted ? got != 1 : got > (f->job.self && i >= p ? 0 : 1))
                fail_msg("sets %u and %u, of %u and %u tokens, are in %u shares", p, i, r, s, got);
        }
    uint64_t sum = 0;
    for (uint32_t k = 0; k < shares->count; k++)
        sum += shares->list[k].pairs;
    assert_int_equal(sum, compatible);
    assert_int_equal(shares->pairs, compatible);
    free(times);
}

static uint64_t tokens_in(const akin_ranked *side, uint32_t first, uint32_t end)
{
    return side->offsets[end] - side->offsets[first];
}

static void check_bounds(const fixture *f, const akin_shares *shares, const akin_share_bounds *bounds)
{
    for (uint32_t k = 0; k < shares->count; k++) {
        const akin_share *share = &shares->list[k];
        const akin_piece_range *probes = &share->piece.probes, *indexed = &share->piece.indexed;
        uint64_t tokens = tokens_in(f->job.probes, probes->first, probes->end);
        uint64_t sets = probes->end - probes->first;
        assert_true(share->pairs > 0 && (k == 0 || shares->list[k - 1].pairs >= share->pairs));
        if (!share->piece.is_self) {
            tokens += tokens_in(f->job.indexed, indexed->first, indexed->end);
            sets += indexed->end - indexed->first;
        }
        if (sets == 2 && !share->piece.is_self)
            continue;
        assert_true(!bounds->tokens || tokens <= bounds->tokens);
        assert_true(!bounds->pairs || share->pairs <= bounds->pairs);
        assert_true(akin_share_bytes(bounds, tokens, sets, share->pairs) <= bounds->bytes);
    }
}

static void every_pair_is_in_one_share(void **state)
{
    (void)state;
    static const uint32_t rows[][2] = {{1, 0}, {2, 0}, {3, 0}, {70, 0}, {1, 1}, {1, 60}, {60, 1}, {40, 50}};
    const akin_share_bounds bounds[] = {of_tokens(0),
                                        of_tokens(1),
                                        of_tokens(100),
                                        of_tokens(1500),
                                        {.bytes = 1, .pairs = 1},
                                        {.bytes = 1, .pairs = 777},
                                        {.bytes = 5000, .fixed = 100, .a_token = 2, .a_set = 10, .a_pair = 0.5}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t m = 0; m < RULES; m++) {
            fixture *f = make(rows[r][0], rows[r][1], rules[m].measure, rules[m].ratio);
            for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
                akin_shares shares;
                assert_int_equal(akin_shares_make(&f->job, &bounds[b], &shares, NULL), AKIN_OK);
                assert_true(b > 0 || shares.count <= 1);
                check_cover(f, &shares);
                check_bounds(f, &shares, &bounds[b]);
                akin_shares_clear(&shares);
            }
            discard(f);
        }
}

/* ----------------------------------------------------------------------------------------------------------- joining
 */

typedef struct found {
    akin_pair *pairs;
    uint64_t count;
} found;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    found *out = user;
    out->pairs = realloc(out->pairs, (size_t)(out->count + count) * sizeof *pairs);
    assert_non_null(out->pairs);
    memcpy(out->pairs + out->count, pairs, count * sizeof *pairs);
    out->count += count;
    return 0;
}

/* Takes the pairs out of the workers. */
static found collect(fixture *f)
{
    found out = {NULL, 0};
    akin_pairs pairs[SLOTS];
    uint64_t counted = akin_join_found(&f->job);
    akin_context quiet = {.scope = {.context = &quiet, .threads = 1}};
    for (uint32_t t = 0; t < SLOTS; t++) {
        assert_null(f->job.workers[t].marks);
        pairs[t] = f->pairs[t];
        f->pairs[t] = (akin_pairs){.account = &f->account};
        f->job.workers[t] = (akin_join_worker){.pairs = &f->pairs[t]};
    }
    assert_int_equal(akin_pairs_deliver(akin_scope_of(&quiet), &f->account, pairs, SLOTS, akin_sets_rows(f->sets[0]),
                                        receive, &out, NULL),
                     AKIN_OK);
    assert_int_equal(out.count, counted);
    return out;
}

/* The pairs of the whole join, the obvious way. */
static found expected_of(const fixture *f)
{
    const akin_sets *left = f->sets[0], *right = f->sets[f->sets[1] ? 1 : 0];
    found out = {NULL, 0};
    for (uint32_t l = 0; l < left->rows; l++)
        for (uint32_t r = f->sets[1] ? 0 : l + 1; r < right->rows; r++) {
            uint32_t overlap = 0;
            uint64_t a = left->offsets[l], b = right->offsets[r];
            uint64_t size = left->offsets[l + 1] - a, other = right->offsets[r + 1] - b;
            while (a < left->offsets[l + 1] && b < right->offsets[r + 1]) {
                uint32_t x = left->tokens[a], y = right->tokens[b];
                overlap += x == y;
                a += x <= y;
                b += y <= x;
            }
            if (overlap && overlap >= akin_threshold_overlap(&f->job.threshold, size, other))
                receive(&out, &(akin_pair){l, r, overlap}, 1);
        }
    return out;
}

static void check_pairs(fixture *f, const found *expected)
{
    found got = collect(f);
    assert_int_equal(got.count, expected->count);
    if (got.count)
        assert_memory_equal(got.pairs, expected->pairs, got.count * sizeof *got.pairs);
    free(got.pairs);
}

/* What a taker is to meet. */
typedef struct plan {
    uint64_t most;      /* tokens of a share that it has memory for; 0: all */
    int late;           /* it has none when it has found pairs */
    int lost;           /* its GPU is, from the first share on */
    int declines_after; /* shares that it wants */
    _Atomic uint64_t shares, refused;
    uint64_t least; /* pairs of the smallest share so far */
} plan;

static akin_status join_by_plan(akin_join_job *job, void *user, akin_error *error)
{
    plan *p = user;
    uint64_t tokens = akin_ranked_tokens(job->probes) + (job->self ? 0 : akin_ranked_tokens(job->indexed));
    p->shares++;
    sched_yield();
    if (p->lost)
        return akin_fail(error, AKIN_E_DEVICE, "the GPU fell off");
    if (p->most && tokens > p->most && !p->late) {
        p->refused++;
        assert_int_equal(akin_join_workers_make(job, error), AKIN_OK); /* which the next try makes anew */
        return akin_fail_memory(error, "a share");
    }
    akin_status status = akin_join_ppjoin(job, error);
    return status == AKIN_OK && p->late && tokens > p->most ? akin_fail_memory(error, "the pairs of a share") : status;
}

static void make_takers(akin_share_taker *takers, uint32_t count, plan *plans)
{
    for (uint32_t t = 0; t < count; t++) {
        plans[t] = (plan){.declines_after = 0};
        takers[t] = (akin_share_taker){.join = join_by_plan, .user = &plans[t], .threads = 1 + t % 2};
    }
}

static void takers_find_all_pairs(void **state)
{
    (void)state;
    for (size_t m = 0; m < RULES; m++)
        for (uint32_t other = 0; other <= 150; other += 150) {
            fixture *f = make(200, other, rules[m].measure, rules[m].ratio);
            found expected = expected_of(f);
            for (uint32_t count = 1; count <= 5; count += 2) {
                akin_share_taker takers[5];
                plan plans[5];
                akin_shares shares;
                uint64_t done = 0;
                akin_share_bounds bounds = of_tokens(300);
                make_takers(takers, count, plans);
                assert_int_equal(akin_shares_make(&f->job, &bounds, &shares, NULL), AKIN_OK);
                assert_true(shares.count > 3);
                assert_int_equal(akin_shares_join(&f->job, &shares, takers, count, NULL), AKIN_OK);
                for (uint32_t t = 0; t < count; t++)
                    done += takers[t].done;
                assert_int_equal(done, shares.count);
                check_pairs(f, &expected);
                akin_shares_clear(&shares);
            }
            assert_ptr_equal(f->job.probes, &f->ranked[0]);
            assert_int_equal(f->job.self, !other);
            free(expected.pairs);
            discard(f);
        }
}

/* A share that there is no memory for is cut, until there is, or it cannot be cut. */
static void short_of_memory(void **state)
{
    (void)state;
    fixture *f = make(200, 0, AKIN_JACCARD, (akin_ratio){1, 2});
    found expected = expected_of(f);
    akin_share_taker takers[3];
    plan plans[3];
    akin_shares shares;
    akin_error error;
    akin_share_bounds bounds = of_tokens(1000);
    assert_int_equal(akin_shares_make(&f->job, &bounds, &shares, NULL), AKIN_OK);
    make_takers(takers, 3, plans);
    for (int t = 0; t < 3; t++)
        plans[t].most = 300;
    assert_int_equal(akin_shares_join(&f->job, &shares, takers, 3, NULL), AKIN_OK);
    assert_true(plans[0].refused + plans[1].refused + plans[2].refused >= shares.count / 2);
    assert_true(takers[0].done + takers[1].done + takers[2].done > shares.count);
    check_pairs(f, &expected);
    /* two sets are too much */
    make_takers(takers, 3, plans);
    for (int t = 0; t < 3; t++)
        plans[t].most = 2;
    assert_int_equal(akin_shares_join(&f->job, &shares, takers, 3, &error), AKIN_E_NOMEM);
    assert_string_equal(error.message, "not enough memory for a share");
    free(collect(f).pairs);
    /* pairs were found by then: another try would find them twice */
    make_takers(takers, 1, plans);
    plans[0] = (plan){.most = 300, .late = 1};
    assert_int_equal(akin_shares_join(&f->job, &shares, takers, 1, &error), AKIN_E_NOMEM);
    assert_string_equal(error.message, "not enough memory for the pairs of a share");
    assert_int_equal(plans[0].shares, 1);
    free(collect(f).pairs);
    akin_shares_clear(&shares);
    free(expected.pairs);
    discard(f);
}

/* One that fails ends the job by its error, and the next job works. */
static void one_fails(void **state)
{
    (void)state;
    fixture *f = make(200, 150, AKIN_DICE, (akin_ratio){1, 2});
    found expected = expected_of(f);
    akin_share_bounds bounds = of_tokens(300);
    akin_shares shares;
    akin_error error;
    akin_share_taker takers[3];
    plan plans[3];
    assert_int_equal(akin_shares_make(&f->job, &bounds, &shares, NULL), AKIN_OK);
    make_takers(takers, 3, plans);
    for (int t = 0; t < 3; t++)
        plans[t].lost = 1;
    assert_int_equal(akin_shares_join(&f->job, &shares, takers, 3, &error), AKIN_E_DEVICE);
    assert_string_equal(error.message, "the GPU fell off");
    assert_true(plans[0].shares + plans[1].shares + plans[2].shares <= 3);
    free(collect(f).pairs);
    make_takers(takers, 3, plans);
    assert_int_equal(akin_shares_join(&f->job, &shares, takers, 3, NULL), AKIN_OK);
    check_pairs(f, &expected);
    akin_shares_clear(&shares);
    free(expected.pairs);
    discard(f);
}

static int wants(akin_join_job *job, void *user, double left)
{
    plan *p = user;
    uint64_t pairs = 0;
    assert_true(left > 0 && left <= 1);
    for (uint32_t c = 0; c < job->probes->classes; c++)
        pairs += akin_join_class_pairs(job, c);
    assert_true(pairs >= p->least);
    p->least = pairs;
    return p->shares < (uint64_t)p->declines_after;
}

/* A taker with `wants` gets the smallest shares, until it declines one. */
static void one_is_asked(void **state)
{
    (void)state;
    fixture *f = make(200, 0, AKIN_JACCARD, (akin_ratio){1, 2});
    found expected = expected_of(f);
    akin_share_bounds bounds = of_tokens(300);
    akin_shares shares;
    assert_int_equal(akin_shares_make(&f->job, &bounds, &shares, NULL), AKIN_OK);
    for (int most = 0; most <= 10000; most = 5 * most + 1) {
        akin_share_taker takers[2];
        plan plans[2];
        make_takers(takers, 2, plans);
        plans[1].declines_after = most;
        takers[1].wants = wants;
        assert_int_equal(akin_shares_join(&f->job, &shares, takers, 2, NULL), AKIN_OK);
        assert_true(takers[1].done <= (uint64_t)most);
        assert_int_equal(takers[0].done + takers[1].done, shares.count);
        check_pairs(f, &expected);
    }
    akin_shares_clear(&shares);
    free(expected.pairs);
    discard(f);
}

/* ------------------------------------------------------------------------------------------------ progress, stopping
 */

typedef struct caller {
    watcher watched;
    pthread_t thread;
    int asked, stop_after; /* times */
} caller;

static void told(void *user, const akin_progress *progress)
{
    caller *c = user;
    assert_true(pthread_equal(c->thread, pthread_self()));
    watch(&c->watched, progress);
}

static int asked(void *user)
{
    caller *c = user;
    assert_true(pthread_equal(c->thread, pthread_self()));
    return ++c->asked > c->stop_after;
}

static void the_caller_is_told_and_asked(void **state)
{
    (void)state;
    for (int stop_after = 0; stop_after <= 10000; stop_after = 10 * stop_after + 1) {
        fixture *f = make(200, 150, AKIN_JACCARD, (akin_ratio){1, 2});
        found expected = expected_of(f);
        caller c = {.thread = pthread_self(), .stop_after = stop_after};
        akin_share_bounds bounds = of_tokens(200);
        akin_shares shares;
        akin_share_taker takers[3];
        plan plans[3];
        make_takers(takers, 3, plans);
        assert_int_equal(akin_shares_make(&f->job, &bounds, &shares, NULL), AKIN_OK);
        f->context.scope.reporter.progress = told;
        f->context.scope.reporter.cancel = asked;
        f->context.scope.reporter.user = &c;
        akin_error error;
        akin_status status = akin_shares_join(&f->job, &shares, takers, 3, &error);
        assert_true(c.watched.calls > 0 && c.watched.total == shares.pairs);
        assert_true(status == AKIN_OK ? c.asked <= stop_after : c.asked == stop_after + 1);
        if (status == AKIN_OK) {
            check_pairs(f, &expected);
        } else {
            assert_int_equal(status, AKIN_E_CANCELLED);
            assert_string_equal(error.message, "cancelled");
            free(collect(f).pairs);
        }
        akin_shares_clear(&shares);
        free(expected.pairs);
        discard(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_is_in_one_share),
        cmocka_unit_test(takers_find_all_pairs),
        cmocka_unit_test(short_of_memory),
        cmocka_unit_test(one_fails),
        cmocka_unit_test(one_is_asked),
        cmocka_unit_test(the_caller_is_told_and_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
