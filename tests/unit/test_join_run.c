/* A whole join as its caller lives through it: the sink, the callbacks, stopping, forking. That its pairs are right
 * is for the property tests. */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_sanitizers.h"
#include "base/budget.h"
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
    akin_context context = {.scope = {.context = &context, .threads = 1}};
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

static akin_context context_of(akin_context *self, uint32_t threads)
{
    return (akin_context){.scope = {.context = self, .threads = threads, .cpu = akin_cpu_detect()},
                          .cpu_best = akin_cpu_detect()};
}

/* Calls check for every technique, with a self-join of left and, unless right is NULL, with a join of the two. */
static void with_each_technique(const akin_sets *left, const akin_sets *right,
                                void (*check)(akin_technique technique, const akin_sets *left, const akin_sets *right))
{
    for (size_t t = 0; t < TECHNIQUES; t++) {
        check(techniques[t], left, NULL);
        if (right)
            check(techniques[t], left, right);
    }
}

/* --------------------------------------------------------------------------------------------------------- a caller */

typedef struct receiver {
    akin_pair last;
    uint64_t count;
    unsigned calls, stop_at;
    uint32_t any_order;
    pthread_t thread;
} receiver;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    receiver *r = user;
    assert_true(r->any_order || pthread_equal(pthread_self(), r->thread));
    assert_true(count > 0);
    assert_true(r->stop_at == 0 || r->calls < r->stop_at);
    for (size_t i = 0; i < count; i++, r->count++) {
        const akin_pair *pair = &pairs[i];
        assert_true(pair->overlap > 0);
        assert_true(r->any_order || r->count == 0 || r->last.left < pair->left ||
                    (r->last.left == pair->left && r->last.right < pair->right));
        r->last = *pair;
    }
    return ++r->calls == r->stop_at;
}

#define UNTOUCHED 77 /* stands in what a join that fails must leave alone */

/* The call of a join, and all that the caller may get from it. */
typedef struct caller {
    akin_join_options options;
    akin_pair_sink sink; /* NULL: only the number is wanted */
    receiver got;
    uint64_t count;
    akin_error error;
} caller;

static caller caller_of(akin_technique technique, akin_ratio threshold)
{
    caller c = {.options = AKIN_JOIN_OPTIONS_INIT,
                .sink = receive,
                .got = {.thread = pthread_self()},
                .count = UNTOUCHED,
                .error = {.code = AKIN_OK}};
    c.options.technique = technique;
    c.options.threshold = threshold;
    return c;
}

static akin_status call_join(caller *c, akin_context *context, const akin_sets *left, const akin_sets *right)
{
    akin_join_report *report = NULL;
    akin_status status = akin_join(context, left, right, &c->options, c->sink, &c->got, &c->count, &report, &c->error);
    assert_int_equal(status == AKIN_OK, report != NULL);
    akin_join_report_free(report);
    return status;
}

static void assert_cancelled(const caller *c, akin_status status)
{
    if (status != AKIN_E_CANCELLED)
        fail_msg("%s ended with %d", akin_technique_name(NULL, c->options.technique), (int)status);
    assert_int_equal(c->error.code, AKIN_E_CANCELLED);
    assert_true(c->error.message[0] != '\0');
    assert_int_equal(c->count, UNTOUCHED);
}

/* --------------------------------------------------------------------------------------------------------- the sink */

static void check_batches(akin_technique technique, const akin_sets *left, const akin_sets *right)
{
    akin_context context = context_of(&context, 3);
    caller all = caller_of(technique, (akin_ratio){1, 100}), number = all;
    number.sink = NULL;
    assert_int_equal(call_join(&all, &context, left, right), AKIN_OK);
    assert_int_equal(call_join(&number, &context, left, right), AKIN_OK);
    assert_int_equal(all.got.count, all.count);
    assert_int_equal(number.count, all.count);
    assert_true(all.got.calls > 2);
}

/* Sets. About every second pair shares a token: far more pairs than go into a batch. */
static void batches_are_sorted(void **state)
{
    (void)state;
    akin_sets *left = random_sets(1, 500, 6, 50), *right = random_sets(2, 300, 6, 50);
    with_each_technique(left, right, check_batches);
    akin_sets_free(left);
    akin_sets_free(right);
}

static void check_stopping_sink(akin_technique technique, const akin_sets *left, const akin_sets *right)
{
    for (unsigned stop_at = 1; stop_at <= 2; stop_at++) {
        akin_context context = context_of(&context, 2);
        caller c = caller_of(technique, (akin_ratio){1, 100});
        c.got.stop_at = stop_at;
        assert_cancelled(&c, call_join(&c, &context, left, right));
        assert_int_equal(c.got.calls, stop_at);
    }
}

/* Pairs that nobody wants sorted go out as they are found, and are not kept. */
static void check_any_order(akin_technique technique, const akin_sets *left, const akin_sets *right)
{
    for (uint64_t memory = 0; memory <= AKIN_MEMORY_LEAST; memory += AKIN_MEMORY_LEAST)
        for (unsigned stop_at = 0; stop_at <= 2; stop_at++) {
            akin_context context = context_of(&context, 3);
            caller c = caller_of(technique, (akin_ratio){1, 100}), number = c;
            context.scope.memory = memory;
            c.options.any_order = c.got.any_order = 1;
            c.got.stop_at = stop_at;
            number.sink = NULL;
            assert_int_equal(call_join(&number, &context, left, right), AKIN_OK);
            akin_status status = call_join(&c, &context, left, right);
            if (stop_at > 0) {
                assert_cancelled(&c, status);
                assert_int_equal(c.got.calls, stop_at);
            } else {
                assert_int_equal(status, AKIN_OK);
                assert_int_equal(c.count, number.count);
                assert_int_equal(c.got.count, number.count);
            }
        }
}

static void any_order_will_do(void **state)
{
    (void)state;
    akin_sets *left = random_sets(1, 500, 6, 50), *right = random_sets(2, 300, 6, 50);
    with_each_technique(left, right, check_any_order);
    akin_sets_free(left);
    akin_sets_free(right);
}

static void the_sink_may_stop(void **state)
{
    (void)state;
    akin_sets *sets = random_sets(1, 500, 6, 50);
    with_each_technique(sets, NULL, check_stopping_sink);
    akin_sets_free(sets);
}

/* ---------------------------------------------------------------------------------------------------- the callbacks */

typedef struct listener {
    const char *phase; /* a static string, as the header has it */
    akin_progress last;
    unsigned phases, calls, stop_at;
    uint64_t stop_after; /* tasks of the join itself */
    int joining;
    pthread_t thread;
} listener;

static void listen(void *user, const akin_progress *progress)
{
    listener *l = user;
    assert_true(pthread_equal(pthread_self(), l->thread));
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
    assert_true(pthread_equal(pthread_self(), l->thread));
    if (l->stop_after)
        return l->joining && l->last.done >= l->stop_after;
    return l->stop_at && ++l->calls == l->stop_at;
}

static akin_context listened(akin_context *self, listener *l, uint32_t threads)
{
    akin_context context = context_of(self, threads);
    l->thread = pthread_self();
    context.scope.reporter.progress = listen;
    context.scope.reporter.cancel = answer;
    context.scope.reporter.user = l;
    return context;
}

static void check_progress(akin_technique technique, const akin_sets *left, const akin_sets *right)
{
    listener l = {.phases = 0};
    akin_context context = listened(&context, &l, 2);
    caller c = caller_of(technique, (akin_ratio){2, 5});
    assert_int_equal(call_join(&c, &context, left, right), AKIN_OK);
    assert_true(c.got.count > 0);
    assert_true(l.phases >= 3); /* before, during, after */
    assert_string_equal(l.phase, "writing");
    assert_int_equal(l.last.done, c.got.count);
    assert_int_equal(l.last.total, c.got.count);
}

static void progress_makes_sense(void **state)
{
    (void)state;
    akin_sets *left = random_sets(1, 6000, 8, 300), *right = random_sets(2, 3000, 8, 300);
    with_each_technique(left, right, check_progress);
    akin_sets_free(left);
    akin_sets_free(right);
}

/* Cancels at the first question, at the second, and so on until there is no further one. */
static void check_cancelling(akin_technique technique, const akin_sets *left, const akin_sets *right)
{
    for (unsigned stop_at = 1;; stop_at++) {
        listener l = {.stop_at = stop_at};
        akin_context context = listened(&context, &l, 2);
        caller c = caller_of(technique, (akin_ratio){1, 4});
        akin_status status = call_join(&c, &context, left, right);
        if (l.calls < stop_at) {
            assert_int_equal(status, AKIN_OK);
            assert_true(stop_at > 3 && c.got.count == c.count);
            return;
        }
        assert_cancelled(&c, status);
    }
}

/* A join stops wherever the caller cancels it. */
static void cancelled_anywhere(void **state)
{
    (void)state;
    akin_sets *left = random_sets(1, 300, 6, 60), *right = random_sets(2, 200, 6, 60);
    with_each_technique(left, right, check_cancelling);
    akin_sets_free(left);
    akin_sets_free(right);
}

static void check_cancelling_within(akin_technique technique, const akin_sets *left, const akin_sets *right)
{
    for (uint32_t threads = 1; threads <= 2; threads++) {
        listener l = {.stop_after = 1};
        akin_context context = listened(&context, &l, threads);
        caller c = caller_of(technique, (akin_ratio){3, 10});
        c.sink = NULL;
        assert_cancelled(&c, call_join(&c, &context, left, right));
        assert_string_equal(l.phase, "joining");
        assert_true(l.last.done > 0 && l.last.done < l.last.total);
    }
}

/* A long join is stopped in its midst, after it has reported some of the work and before all of it is done. */
static void cancelled_from_within(void **state)
{
    (void)state;
    akin_sets *sets = random_sets(3, 60000, 12, 800);
    with_each_technique(sets, NULL, check_cancelling_within);
    akin_sets_free(sets);
}

/* ------------------------------------------------------------------------------------------------------------ others
 */

static void check_widths(akin_technique technique, const akin_sets *left, const akin_sets *right)
{
    const akin_choice *row = akin_choice_of_value("techniques", (int)technique);
    assert_non_null(row);
    int signatures = (row->capabilities & AKIN_TAKES_BITS) != 0;
    for (uint32_t bits = 0; bits <= (signatures ? 2048 : 0); bits = bits ? 2 * bits : 64) {
        akin_context context = context_of(&context, 1);
        caller c = caller_of(technique, (akin_ratio){65, 1});
        c.options.measure = AKIN_OVERLAP;
        c.options.bits = bits;
        c.sink = NULL;
        assert_int_equal(call_join(&c, &context, left, right), AKIN_OK);
        assert_int_equal(c.count, right ? 4 : 1);
    }
}

/* Sets of sizes 64, 65 and 65, which need 65 tokens in common: the smallest matches nothing, whatever it is put
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
    with_each_technique(sets, sets, check_widths);
    akin_sets_free(sets);
    rows_clear(&all);
}

/* The number of pairs, by each technique with four threads; 0 if they do not agree. It asserts nothing of its own,
 * because nothing hears the assertions of a child process. */
static uint64_t join_with_threads(const akin_sets *sets)
{
    akin_context context = context_of(&context, 4);
    uint64_t count = 0;
    for (size_t t = 0; t < TECHNIQUES; t++) {
        caller c = caller_of(techniques[t], (akin_ratio){1, 2});
        if (call_join(&c, &context, sets, NULL) != AKIN_OK || (t && c.count != count))
            return 0;
        count = c.count;
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
        cmocka_unit_test(batches_are_sorted),    cmocka_unit_test(any_order_will_do),
        cmocka_unit_test(the_sink_may_stop),     cmocka_unit_test(progress_makes_sense),
        cmocka_unit_test(cancelled_anywhere),    cmocka_unit_test(a_process_may_fork_between_joins),
        cmocka_unit_test(cancelled_from_within), cmocka_unit_test(overlap_above_the_smallest_size),
    };
    return RUN_TESTS(tests, 6, NULL, NULL);
}
