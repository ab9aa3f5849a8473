/*
 * akin_dedupe on a GPU that the host plays, while it fails. The test lets each call of the device and each allocation
 * fail, of its memory as of the heap, alone and with all that follow, and it cancels at each check. A job on the GPU
 * returns an error then; `auto` goes on with the CPU and finds the same. Nothing of the device's memory is left, which
 * every job looks at; leaks of the heap show under the address sanitizer.
 */
#define _POSIX_C_SOURCE 200809L

#include "base/context.h"
#include "unit/test_base_failing.h"
#include "unit/test_base_cancel.h"
#include "unit/test_dedupe_gpu.h"

static answer expected, got;
static table tables[2];

/* A question, and the context that answers it. */
typedef struct subject {
    const char *name;
    uint32_t left, right; /* records */
    uint32_t window;      /* of selection 0 */
    uint64_t part;        /* records of a part, or 0 */
    int is_long;          /* a value is longer than a GPU takes */
    akin_device_choice choice;
    question question;
} subject;

/* Windows are so large that auto has a GPU, but most pairs of theirs are of one side. */
static subject subjects[] = {
    {.name = "one table", .left = 45, .window = 3, .choice = AKIN_DEVICE_CUDA},
    {.name = "two tables", .left = 20, .right = 25, .window = 4, .choice = AKIN_DEVICE_CUDA},
    {.name = "parts", .left = 10, .window = 3, .part = 8, .choice = AKIN_DEVICE_CUDA},
    {.name = "a long value", .left = 20, .window = 3, .is_long = 1, .choice = AKIN_DEVICE_CUDA},
    {.name = "auto", .left = 2, .right = 1455, .window = 720, .choice = AKIN_DEVICE_AUTO},
};
#define SUBJECTS (sizeof subjects / sizeof *subjects)

/* The number of launches before the last check for cancellation. */
static uint64_t launches;

static int answer_by_turns(void *user)
{
    asking *a = user;
    uint64_t now = host_dedupe.lists + host_dedupe.meetings + host_dedupe.scores;
    assert_true(now - launches <= 1); /* each launch is followed by a question, even if it was given up */
    launches = now;
    return asking_answer(a);
}

/* On a GPU that is open, if it is to be. */
static akin_status ask_of(const subject *s, asking *a)
{
    akin_context context = {.scope = {.context = &context,
                                      .threads = 1,
                                      .device_choice = s->choice,
                                      .reporter = {.cancel = a ? answer_by_turns : NULL, .user = a}},
                            .device = host_gpu(),
                            .wishes =
                                &(akin_wishes){.candidates = s->choice == AKIN_DEVICE_CUDA, .part_tokens = s->part}};
    launches = 0;
    host_device_give((uint64_t)8 << 20, 0);
    host_dedupe = (host_dedupe_state){.mood = HOST_MOODY};
    ask(&context, &s->question, &got);
    armed = 0;
    return got.status;
}

/* Makes the tables of a subject, and its question: keys that the GPU makes and such as the CPU makes, numbers and
 * codes, two drivers. It expects the results of the CPU. */
static void take(subject *s)
{
    question *q = &s->question;
    fill(&tables[0], 1, s->left);
    fill(&tables[1], 2, s->right);
    if (s->is_long) {
        char name[600] = "";
        add_record(&tables[0], memset(name, 'a', 599), "Warsaw", "1");
    }
    begin_question(q, &tables[0], s->right ? &tables[1] : NULL);
    add_attribute(q, NAME, "jaro-winkler", 0.8, 2);
    add_attribute(q, PLACE, "osa", 0.7, 2);
    add_attribute(q, NUMBER, "number/10", 0.5, 2);
    add_attribute(q, NAME, "soundex", 0.5, 2);
    add_selection(q, AKIN_SELECT_WINDOW, NAME, AKIN_KEY_SIMPLE, s->window);
    add_selection(q, AKIN_SELECT_WINDOW, PLACE, AKIN_KEY_VALUE, s->window);
    add_selection(q, AKIN_SELECT_BLOCK, NUMBER, AKIN_KEY_VALUE, 0);
    add_selection(q, AKIN_SELECT_SIMILAR, PLACE, AKIN_KEY_VALUE, 0);
    add_selection(q, AKIN_SELECT_NEAREST, NAME, AKIN_KEY_VALUE, 3);
    add_selection(q, AKIN_SELECT_ALL, 0, AKIN_KEY_VALUE, 0);
    q->options.threshold = ratio_of(0.7);
    q->options.missing = AKIN_MISSING_SKIP;
    q->options.evidence = (akin_ratio){0, 1};
    q->options.max_block = 8;
    akin_context context = {.scope = {.context = &context, .threads = 1, .device_choice = AKIN_DEVICE_CPU}};
    ask(&context, q, &expected);
    assert_int_equal(expected.status, AKIN_OK);
    assert_true(expected.count > 5);
    host_device_set(.calls = 0);
    if (s->is_long) {
        assert_int_equal(ask_of(s, NULL), AKIN_E_OPTION);
        return;
    }
    assert_int_equal(ask_of(s, NULL), AKIN_OK);
    assert_int_equal(got.report.device, 1);
    assert_same(&got, &expected, q);
    assert_true(host_dedupe.lists >= 3 && host_dedupe.meetings > 0 && host_dedupe.scores > 0);
}

/* The result of a job with a failed call or allocation, and the expected one: an error if the options name the GPU,
 * unless parts replaced the work that lacked memory. */
static void look_at(const subject *s, akin_status status, int alone, const char *message)
{
    int may_go_on = s->choice == AKIN_DEVICE_AUTO || (status == AKIN_E_NOMEM && alone);
    if (got.status == AKIN_OK && may_go_on)
        assert_same(&got, &expected, &s->question);
    else if (got.status != status || !strstr(got.error.message, message))
        fail_msg("%s: '%s' (%d), expected '%s' (%d)", s->name, got.error.message, got.status, message, status);
}

/* ------------------------------------------------------------------------------------------------------------ calls */

/* The first ones all fail, of those that come again and again some. */
static uint32_t step(uint64_t n)
{
    return n < 100 ? FAILING_STEP : 17 * FAILING_STEP;
}

/* Makes one call after the other fail. */
static void fail_calls(const subject *s, akin_status status, int alone)
{
    uint64_t on_gpu = 0;
    for (uint64_t n = 1;; n += step(n)) {
        host_device_set(.failing = n, .status = status, .alone = alone);
        ask_of(s, NULL);
        assert_true(n > 50 || host_device.calls >= n);
        if (host_device.calls < n)
            break;
        look_at(s, status, alone, HOST_DEVICE_FAILED);
        assert_true(got.status == AKIN_OK || s->choice == AKIN_DEVICE_CUDA);
        assert_true(got.status != AKIN_OK || status == AKIN_E_NOMEM || got.report.device == 0);
        on_gpu += got.status == AKIN_OK && got.report.device == 1;
    }
    host_device_set(.failing = 0);
    assert_true((on_gpu > 0) == (status == AKIN_E_NOMEM && alone && !s->part));
}

static void every_call(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        if (subjects[i].is_long)
            continue;
        take(&subjects[i]);
        fail_calls(&subjects[i], AKIN_E_DEVICE, 0);
        fail_calls(&subjects[i], AKIN_E_DEVICE, 1);
        fail_calls(&subjects[i], AKIN_E_NOMEM, 1);
        if (i == 0 || subjects[i].choice == AKIN_DEVICE_AUTO) {
            fail_calls(&subjects[i], AKIN_E_NOMEM, 0);
            fail_calls(&subjects[i], AKIN_E_LIMIT, 0);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------- smaller parts */

/* Whether a job with one selection did the same work as another one. */
static int is_same_work(const akin_dedupe_report *a, const akin_dedupe_report *b)
{
    return a->candidates == b->candidates && a->values_compared == b->values_compared && a->pairs_met == b->pairs_met &&
           a->pairs_near == b->pairs_near && a->pairs_selected == b->pairs_selected;
}

/* Where memory is short in a part, the parts of its selection are halved, and compared anew. The report counts the work
 * of these parts alone. */
static void halve_parts(akin_selection_kind kind)
{
    static answer whole, halves;
    subject s = {.name = "halves", .part = 128, .choice = AKIN_DEVICE_CUDA};
    question *q = &s.question;
    uint32_t halved = 0;
    fill(&tables[0], 3, 200);
    begin_question(q, &tables[0], NULL);
    add_attribute(q, NAME, "osa", 0.7, 2);
    add_attribute(q, PLACE, "osa", 0.7, 1);
    add_selection(q, kind, NAME, AKIN_KEY_VALUE, kind == AKIN_SELECT_WINDOW ? 9 : 0);
    q->options.threshold = ratio_of(0.7);
    host_device_set(.failing = 0);
    ask_of(&s, NULL);
    whole = got;
    s.part = 64;
    ask_of(&s, NULL);
    halves = got;
    assert_same(&halves, &whole, q);
    assert_true(halves.report.candidates > 0 && halves.report.values_compared > 0);
    assert_true(kind != AKIN_SELECT_ALL || (halves.report.pairs_met > 0 && halves.report.pairs_near > 0));
    s.part = 128;
    for (uint64_t n = 1;; n += 17) {
        host_device_set(.failing = n, .status = AKIN_E_NOMEM, .alone = 1);
        ask_of(&s, NULL);
        if (host_device.calls < n)
            break;
        if (got.status != AKIN_OK)
            continue; /* before the first part */
        assert_same(&got, &whole, q);
        halved += (uint32_t)is_same_work(&got.report, &halves.report);
        assert_true(is_same_work(&got.report, &halves.report) || is_same_work(&got.report, &whole.report));
    }
    host_device_set(.failing = 0);
    assert_true(halved > 3);
}

static void every_half(void **state)
{
    (void)state;
    halve_parts(AKIN_SELECT_WINDOW);
    halve_parts(AKIN_SELECT_ALL);
}

/* ------------------------------------------------------------------------------------------------------ allocations */

static void fail_allocations(const subject *s, int alone)
{
    const akin_status otherwise = s->is_long ? AKIN_E_OPTION : AKIN_OK;
    uint32_t refused = 0;
    for (unsigned n = 0;; n += step(n)) {
        begin_failing(n, alone);
        ask_of(s, NULL);
        if (!failed) {
            assert_int_equal(got.status, otherwise);
            assert_true(n > 40);
            break;
        }
        if (s->is_long && alone && got.status == AKIN_E_OPTION)
            continue;
        look_at(s, AKIN_E_NOMEM, alone, "memory");
        refused += got.status != AKIN_OK;
    }
    assert_true(s->choice == AKIN_DEVICE_CUDA || !alone || refused <= 3); /* those of the delivery */
}

static void every_allocation(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        take(&subjects[i]);
        fail_allocations(&subjects[i], 0);
        fail_allocations(&subjects[i], 1);
    }
}

/* ------------------------------------------------------------------------------------------------------- cancelling */

static void every_question(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        const akin_status otherwise = subjects[i].is_long ? AKIN_E_OPTION : AKIN_OK;
        asking never = {0};
        take(&subjects[i]);
        assert_int_equal(ask_of(&subjects[i], &never), otherwise);
        assert_true(never.asked > 5);
        for (unsigned at = 1; at <= never.asked; at++) {
            asking a = {.stop_at = at};
            akin_status status = ask_of(&subjects[i], &a);
            assert_int_equal(status, a.asked >= at ? AKIN_E_CANCELLED : otherwise); /* the clock makes calls rarer */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call), cmocka_unit_test(every_half),
                                       cmocka_unit_test(every_allocation), cmocka_unit_test(every_question)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
