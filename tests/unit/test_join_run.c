/* A whole join as its caller lives through it: the sink, the callbacks, stopping, forking. That its pairs are right is for
 * the property tests. */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "property/rows.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const akin_technique techniques[] = {AKIN_AUTO,      AKIN_ALLPAIRS, AKIN_PPJOIN,
                                            AKIN_GROUPJOIN, AKIN_BITMAP,   AKIN_SCREENED};
#define TECHNIQUES (sizeof techniques / sizeof *techniques)

static akin_sets *random_sets(uint64_t seed, uint32_t count, uint32_t size, uint32_t universe)
{
    akin_random random;
    akin_context context = {.threads = 1};
    akin_sets *sets = NULL;
    uint64_t *offsets = malloc(((size_t)count + 1) * sizeof *offsets);
    uint32_t *tokens = malloc((size_t)count * size * sizeof *tokens);
    assert_true(offsets && tokens);
    akin_random_seed(&random, seed);
    for (uint32_t row = 0; row <= count; row++)
        offsets[row] = (uint64_t)row * size;
    for (uint64_t i = 0; i < (uint64_t)count * size; i++)
        tokens[i] = (uint32_t)akin_random_below(&random, universe);
    assert_int_equal(akin_sets_from_arrays(&context, count, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

static akin_context context_of(uint32_t threads)
{
    return (akin_context){.threads = threads, .cpu = akin_cpu_detect(), .cpu_best = akin_cpu_detect()};
}

/* --------------------------------------------------------------------------------------------------------- the sink */

typedef struct receiver {
    akin_pair last;
    uint64_t count;
    unsigned calls, stop_at;
    pthread_t caller;
} receiver;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    receiver *r = user;
    assert_true(pthread_equal(pthread_self(), r->caller));
    assert_true(count > 0);
    assert_true(r->stop_at == 0 || r->calls < r->stop_at);
    for (size_t i = 0; i < count; i++, r->count++) {
        const akin_pair *pair = &pairs[i];
        assert_true(pair->overlap > 0);
        assert_true(r->count == 0 || r->last.left < pair->left ||
                    (r->last.left == pair->left && r->last.right < pair->right));
        r->last = *pair;
    }
    return ++r->calls == r->stop_at;
}

/* Sets of which about every second pair shares a token: far more pairs than go into a batch. */
static void batches_are_sorted(void **state)
{
    (void)state;
    akin_sets *left = random_sets(1, 500, 6, 50), *right = random_sets(2, 300, 6, 50);
    for (size_t t = 0; t < TECHNIQUES; t++)
        for (int self = 0; self < 2; self++) {
            akin_context context = context_of(3);
            akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
            receiver got = {.caller = pthread_self()};
            uint64_t count = 0, counted = 1;
            options.threshold = (akin_ratio){1, 100};
            options.technique = techniques[t];
            assert_int_equal(
                akin_join(&context, left, self ? NULL : right, &options, receive, &got, &count, NULL, NULL), AKIN_OK);
            assert_int_equal(akin_join(&context, left, self ? NULL : right, &options, NULL, NULL, &counted, NULL, NULL),
                             AKIN_OK);
            assert_int_equal(got.count, count);
            assert_int_equal(counted, count);
            assert_true(got.calls > 2);
        }
    akin_sets_free(left);
    akin_sets_free(right);
}

static void the_sink_may_stop(void **state)
{
    (void)state;
    akin_sets *sets = random_sets(1, 500, 6, 50);
    for (size_t t = 0; t < TECHNIQUES; t++)
        for (unsigned stop_at = 1; stop_at <= 2; stop_at++) {
            akin_context context = context_of(2);
            akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
            akin_error error = {.code = AKIN_OK};
            receiver got = {.caller = pthread_self(), .stop_at = stop_at};
            akin_join_report report = {.size = sizeof report, .pairs_found = 77};
            uint64_t count = 77;
            options.threshold = (akin_ratio){1, 100};
            options.technique = techniques[t];
            assert_int_equal(akin_join(&context, sets, NULL, &options, receive, &got, &count, &report, &error),
                             AKIN_E_CANCELLED);
            assert_int_equal(error.code, AKIN_E_CANCELLED);
            assert_true(error.message[0] != '\0');
            assert_int_equal(got.calls, stop_at);
            assert_true(count == 77 && report.pairs_found == 77);
        }
    akin_sets_free(sets);
}

/* ---------------------------------------------------------------------------------------------------- the callbacks */

typedef struct listener {
    const char *phase; /* a static string, as the header has it */
    akin_progress last;
    unsigned phases, calls, stop_at;
    uint64_t stop_after; /* tasks of the join itself */
    int joining;
    pthread_t caller;
} listener;

static void listen(void *user, const akin_progress *progress)
{
    listener *l = user;
    assert_true(pthread_equal(pthread_self(), l->caller));
    assert_non_null(progress->phase);
    assert_true(progress->phase[0] != '\0');
    assert_true(progress->total == 0 || progress->done <= progress->total);
    if (!l->phase || strcmp(progress->phase, l->phase) != 0) {
        l->phase = progress->phase;
        l->phases++;
    } else if (progress->done > 0) { /* a phase may come twice, as with two collections: from 0 on */
        assert_true(progress->done >= l->last.done);
        assert_true(progress->total == l->last.total);
    }
    l->joining = strcmp(progress->phase, "joining") == 0;
    l->last = *progress;
}

static int answer(void *user)
{
    listener *l = user;
    assert_true(pthread_equal(pthread_self(), l->caller));
    if (l->stop_after)
        return l->joining && l->last.done >= l->stop_after;
    return l->stop_at && ++l->calls == l->stop_at;
}

static akin_context listened(listener *l, uint32_t threads)
{
    akin_context context = context_of(threads);
    l->caller = pthread_self();
    context.progress = listen;
    context.cancel = answer;
    context.user = l;
    return context;
}

static void progress_makes_sense(void **state)
{
    (void)state;
    akin_sets *left = random_sets(1, 6000, 8, 300), *right = random_sets(2, 3000, 8, 300);
    for (size_t t = 0; t < TECHNIQUES; t++)
        for (int self = 0; self < 2; self++) {
            listener l = {.phases = 0};
            akin_context context = listened(&l, 2);
            akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
            receiver got = {.caller = pthread_self()};
            options.threshold = (akin_ratio){2, 5};
            options.technique = techniques[t];
            assert_int_equal(akin_join(&context, left, self ? NULL : right, &options, receive, &got, NULL, NULL, NULL),
                             AKIN_OK);
            assert_true(got.count > 0);
            assert_true(l.phases >= 3); /* before, during, after */
            assert_string_equal(l.phase, "writing");
            assert_int_equal(l.last.done, got.count);
            assert_int_equal(l.last.total, got.count);
        }
    akin_sets_free(left);
    akin_sets_free(right);
}

/* A stop is obeyed wherever it is asked for, until there is no further place. */
static void cancelled_anywhere(void **state)
{
    (void)state;
    akin_sets *left = random_sets(1, 300, 6, 60), *right = random_sets(2, 200, 6, 60);
    for (size_t t = 0; t < TECHNIQUES; t++)
        for (int self = 0; self < 2; self++) {
            akin_status status = AKIN_E_CANCELLED;
            for (unsigned stop_at = 1; status != AKIN_OK; stop_at++) {
                listener l = {.stop_at = stop_at};
                akin_context context = listened(&l, 2);
                akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
                akin_error error = {.code = AKIN_OK};
                akin_join_report report = {.size = sizeof report, .pairs_found = 77};
                receiver got = {.caller = pthread_self()};
                uint64_t count = 77;
                options.threshold = (akin_ratio){1, 4};
                options.technique = techniques[t];
                status =
                    akin_join(&context, left, self ? NULL : right, &options, receive, &got, &count, &report, &error);
                if (l.calls < stop_at) {
                    assert_int_equal(status, AKIN_OK);
                    assert_true(stop_at > 3 && got.count == count);
                    continue;
                }
                assert_int_equal(status, AKIN_E_CANCELLED);
                assert_int_equal(error.code, AKIN_E_CANCELLED);
                assert_true(error.message[0] != '\0');
                assert_true(count == 77 && report.pairs_found == 77);
            }
        }
    akin_sets_free(left);
    akin_sets_free(right);
}

/* A long join is stopped in its midst, after it has told of some work done and before all of it is. */
static void cancelled_from_within(void **state)
{
    (void)state;
    akin_sets *sets = random_sets(3, 60000, 12, 800);
    for (size_t t = 0; t < TECHNIQUES; t++)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            listener l = {.stop_after = 1};
            akin_context context = listened(&l, threads);
            akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
            akin_error error = {.code = AKIN_OK};
            uint64_t count = 77;
            options.threshold = (akin_ratio){3, 10};
            options.technique = techniques[t];
            akin_status status = akin_join(&context, sets, NULL, &options, NULL, NULL, &count, NULL, &error);
            if (status != AKIN_E_CANCELLED)
                fail_msg("%s ended with %d", akin_technique_name(techniques[t]), (int)status);
            assert_int_equal(error.code, AKIN_E_CANCELLED);
            assert_string_equal(l.phase, "joining");
            assert_true(l.last.done > 0 && l.last.done < l.last.total);
            assert_int_equal(count, 77);
        }
    akin_sets_free(sets);
}

/* ------------------------------------------------------------------------------------------------------------ others */

/* Sets of sizes 64, 65 and 65, for which 65 tokens in common are asked: the smallest matches nothing, whatever it is put
 * together with. */
static void overlap_above_the_smallest_size(void **state)
{
    (void)state;
    rows all = {0};
    uint32_t tokens[65];
    for (uint32_t i = 0; i < 65; i++)
        tokens[i] = i;
    rows_add(&all, tokens, 64);
    rows_add(&all, tokens, 65);
    rows_add(&all, tokens, 65);
    akin_sets *sets = rows_to_sets(&all);
    for (size_t t = 0; t < TECHNIQUES; t++)
        for (uint32_t bits = 0; bits <= 2048; bits = bits ? 2 * bits : 64) {
            akin_context context = context_of(1);
            akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
            uint64_t count = 77;
            options.measure = AKIN_OVERLAP;
            options.threshold = (akin_ratio){65, 1};
            options.technique = techniques[t];
            options.bits = bits;
            if (bits && techniques[t] != AKIN_AUTO && techniques[t] < AKIN_BITMAP)
                continue;
            assert_int_equal(akin_join(&context, sets, NULL, &options, NULL, NULL, &count, NULL, NULL), AKIN_OK);
            assert_int_equal(count, 1);
            assert_int_equal(akin_join(&context, sets, sets, &options, NULL, NULL, &count, NULL, NULL), AKIN_OK);
            assert_int_equal(count, 4);
        }
    akin_sets_free(sets);
    rows_clear(&all);
}

static uint64_t join_with_threads(const akin_sets *sets)
{
    akin_context context = context_of(4);
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    receiver got = {.caller = pthread_self()};
    uint64_t count = 0;
    options.threshold = (akin_ratio){1, 2};
    for (size_t t = 0; t < TECHNIQUES; t++) {
        uint64_t found;
        options.technique = techniques[t];
        got.count = 0;
        if (akin_join(&context, sets, NULL, &options, receive, &got, &found, NULL, NULL) != AKIN_OK ||
            (t && found != count))
            return 0;
        count = found;
    }
    return count;
}

static void a_process_may_fork_between_joins(void **state)
{
    (void)state;
    akin_sets *sets = random_sets(4, 3000, 6, 200);
    uint64_t count = join_with_threads(sets);
    assert_true(count > 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(join_with_threads(sets) == count ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(join_with_threads(sets), count);
    akin_sets_free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_are_sorted),
        cmocka_unit_test(the_sink_may_stop),
        cmocka_unit_test(progress_makes_sense),
        cmocka_unit_test(cancelled_anywhere),
        cmocka_unit_test(cancelled_from_within),
        cmocka_unit_test(overlap_above_the_smallest_size),
        cmocka_unit_test(a_process_may_fork_between_joins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
