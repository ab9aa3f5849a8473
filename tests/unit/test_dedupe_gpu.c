/*
 * akin_dedupe on a GPU that the host plays: what it refuses or leaves to the CPU, when a GPU is chosen, and that lists
 * and groups of every size are cut without losing a pair. What fails on the way is test_dedupe_gpu_failures.c's.
 */
#include "base/context.h"
#include "device/devices.h"
#include "unit/test_dedupe_gpu.h"

static answer expected, got;
static table tables[2];
static question asked;

/* Looks on the CPU what is to come of it. */
static void expect(const question *q)
{
    akin_context context = {.scope = {.context = &context, .threads = 1, .device_choice = AKIN_DEVICE_CPU}};
    ask(&context, q, &expected);
    assert_int_equal(expected.report.device, 0);
}

static const akin_device_choice devices[] = {AKIN_DEVICE_AUTO, AKIN_DEVICE_CPU, AKIN_DEVICE_CUDA};
static uint64_t most_symbols; /* the limit; 0: there is none */

static akin_status ask_of(akin_device_choice choice, int is_open, const question *q)
{
    akin_context context = {.scope = {.context = &context, .threads = 1, .device_choice = choice},
                            .backend = &host_backend,
                            .wishes = &(akin_wishes){.candidates = 1}};
    context.device = is_open ? host_gpu() : NULL;
    context.limited.most[AKIN_LIMIT_SYMBOLS] = most_symbols;
    akin_status status = ask(&context, q, &got);
    if (!is_open)
        akin_devices_close(&context);
    return status;
}

static int reset(void **state)
{
    (void)state;
    host_dedupe = (host_dedupe_state){.mood = HOST_STEADY};
    host_device_set(.failing = 0);
    most_symbols = 0;
    return 0;
}

/* Pairs enough that a GPU is worth it, and few of them are of two tables. */
static question *ask_much(question *q)
{
    fill(&tables[0], 1, 2);
    fill(&tables[1], 2, 1460);
    begin_question(q, &tables[0], &tables[1]);
    add_attribute(q, NAME, "levenshtein", 0.5, 1);
    add_selection(q, AKIN_SELECT_WINDOW, NAME, AKIN_KEY_SIMPLE, 1450);
    return q;
}

/* --------------------------------------------------------------------------------------------------------- refusals */

/* Work that the GPU cannot do is refused if the options name the GPU, and done by the CPU otherwise. */
static void left_to_the_cpu(const question *q, const char *message)
{
    uint64_t used = host_device.streams;
    expect(q);
    assert_int_equal(expected.status, AKIN_OK);
    ask_of(AKIN_DEVICE_CUDA, 1, q);
    expect_refusal(&got, AKIN_E_OPTION, message);
    assert_non_null(strstr(got.error.message, "use the device cpu or auto"));
    assert_int_equal(host_device.streams, used);
    assert_int_equal(akin_dedupe_check("cuda", COLUMNS, &q->options, &got.error), AKIN_E_OPTION);
    assert_non_null(strstr(got.error.message, message));
    assert_int_equal(akin_dedupe_check("auto", COLUMNS, &q->options, &got.error), AKIN_OK);
    ask_of(AKIN_DEVICE_AUTO, 1, q);
    assert_int_equal(host_device.streams, used);
    assert_int_equal(got.report.device, 0);
    assert_same(&got, &expected, q);
}

static void token_sets(void **state)
{
    (void)state;
    add_attribute(ask_much(&asked), PLACE, "jaccard/2", 0.5, 1);
    left_to_the_cpu(&asked, "where a column is compared by jaccard");
}

static void too_many_attributes(void **state)
{
    (void)state;
    ask_much(&asked);
    while (asked.options.attribute_count < 16)
        add_attribute(&asked, NUMBER, "number/10", 0.5, 0.1);
    asked.options.threshold = ratio_of(0.95);
    expect(&asked);
    assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 1, &asked), AKIN_OK); /* no more than it takes */
    assert_same(&got, &expected, &asked);
    add_attribute(&asked, NUMBER, "number/10", 0.5, 0.1);
    left_to_the_cpu(&asked, "where there are more than 16 attributes");
}

static void too_many_selections(void **state)
{
    (void)state;
    ask_much(&asked);
    while (asked.options.selection_count < 16)
        add_selection(&asked, AKIN_SELECT_BLOCK, NUMBER, AKIN_KEY_VALUE, 0);
    expect(&asked);
    assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 1, &asked), AKIN_OK);
    assert_same(&got, &expected, &asked);
    add_selection(&asked, AKIN_SELECT_BLOCK, PLACE, AKIN_KEY_VALUE, 0);
    left_to_the_cpu(&asked, "where there are more than 16 selections");
}

/* Adds a record. Its name is `text`, repeated `times` times, and then `behind`. */
static void add_long(table *t, const char *text, uint32_t times, const char *behind)
{
    char name[4 * 600];
    size_t length = strlen(text);
    for (uint32_t i = 0; i < times; i++)
        memcpy(name + i * length, text, length);
    memcpy(name + times * length, behind, strlen(behind) + 1);
    add_record(t, name, "Warsaw", "7");
}

/* Values of 512 symbols are compared, of whatever sizes, also where they lead the way. */
static void longest_values(void **state)
{
    (void)state;
    static const char *const symbols[] = {"a", "\xc4\x85", "\xe4\xb8\x80", "\xf0\x9f\x98\x80"};
    for (uint32_t i = 0; i < 4; i++) {
        fill(&tables[0], 3, 40);
        add_long(&tables[0], symbols[i], 512, "");
        add_long(&tables[0], symbols[i], 511, "z");
        add_long(&tables[0], symbols[i], 300, "y");
        begin_question(&asked, &tables[0], NULL);
        add_attribute(&asked, NAME, i % 2 ? "jaro-winkler" : "levenshtein", 0.6, 1);
        add_selection(&asked, AKIN_SELECT_WINDOW, NAME, AKIN_KEY_SIMPLE, 3);
        add_selection(&asked, AKIN_SELECT_ALL, 0, AKIN_KEY_VALUE, 0);
        expect(&asked);
        host_dedupe.longest = 0;
        assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 1, &asked), AKIN_OK);
        assert_int_equal(got.report.device, 1);
        assert_int_equal(host_dedupe.longest, 512);
        assert_same(&got, &expected, &asked);
        assert_true(got.count > 10 && got.pairs[got.count - 1].right >= 41);
    }
}

/* Longer ones are not. */
static void values_too_long(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        table *t = &tables[way % 2];
        ask_much(&asked);
        add_long(t, way < 2 ? "a" : "\xf0\x9f\x98\x80", way < 2 ? 513 : 512, way < 2 ? "" : "b");
        expect(&asked);
        assert_int_equal(expected.status, AKIN_OK);
        ask_of(AKIN_DEVICE_CUDA, 1, &asked);
        expect_refusal(&got, AKIN_E_OPTION,
                       "name: records cannot be compared on a GPU where values have more than 512 ");
        t->columns[NAME].name = NULL;
        if (t == &tables[0]) {
            ask_of(AKIN_DEVICE_CUDA, 1, &asked);
            assert_memory_equal(got.error.message, "records cannot be", 17);
        }
        ask_of(AKIN_DEVICE_AUTO, 1, &asked);
        assert_int_equal(got.report.device, 0);
        assert_int_equal(got.report.given_up, 1);
        assert_same(&got, &expected, &asked);
    }
}

/* A limit of symbols holds below that, too. */
static void values_beyond_the_limit(void **state)
{
    (void)state;
    ask_much(&asked);
    add_long(&tables[1], "a", 100, "");
    expect(&asked);
    most_symbols = 100;
    assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 1, &asked), AKIN_OK);
    assert_int_equal(got.report.device, 1);
    assert_same(&got, &expected, &asked);
    most_symbols = 99;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        assert_int_equal(ask_of(devices[i], 1, &asked), AKIN_E_LIMIT);
        assert_string_equal(got.error.option, "max-symbols");
        assert_int_equal(got.error.row, tables[1].rows - 1);
        assert_string_equal(got.error.column, "name");
    }
}

/* The same where they are nothing but a key, if the GPU makes it: the CPU has no such bound. */
static void keys_too_long(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        fill(&tables[0], 4, 30);
        add_long(&tables[0], "b", 600, "");
        begin_question(&asked, &tables[0], NULL);
        add_attribute(&asked, PLACE, "exact", 0.5, 1);
        if (way == 0)
            add_selection(&asked, AKIN_SELECT_BLOCK, NAME, AKIN_KEY_SIMPLE, 0);
        else
            add_selection(&asked, AKIN_SELECT_WINDOW, NAME, way == 1 ? AKIN_KEY_VALUE : AKIN_KEY_SOUNDEX, 7);
        expect(&asked);
        ask_of(AKIN_DEVICE_CUDA, 1, &asked);
        if (way == 2)
            expect_refusal(&got, AKIN_E_OPTION, "more than 512 symbols");
        else
            assert_same(&got, &expected, &asked);
    }
}

/* The message about bytes that are not UTF-8 is that of the CPU, whoever is to compare. */
static void refused_everywhere(const question *q, const char *row)
{
    expect(q);
    expect_refusal(&expected, AKIN_E_INPUT, row);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        ask_of(devices[i], 1, q);
        expect_refusal(&got, AKIN_E_INPUT, row);
        assert_string_equal(got.error.message, expected.error.message);
    }
}

static void not_utf8(void **state)
{
    (void)state;
    static const char *const bad[] = {"x\xff", "\xe4\xb8", "\xc0\xaf", "\xed\xa0\x80"};
    for (uint32_t i = 0; i < 4; i++) {
        ask_much(&asked);
        add_record(&tables[1], bad[i], "", "");
        refused_everywhere(&asked, "name: row 1460");
        ask_much(&asked);
        add_record(&tables[0], "anna", "", bad[i]);
        add_attribute(&asked, NUMBER, i % 2 ? "number" : "date", 0.5, 1);
        refused_everywhere(&asked, "number: row 2");
        ask_much(&asked);
        add_record(&tables[0], "anna", bad[i], "");
        add_selection(&asked, AKIN_SELECT_WINDOW, PLACE, AKIN_KEY_SOUNDEX, 2);
        refused_everywhere(&asked, "place: row 2");
        asked.selections[1].kind = AKIN_SELECT_BLOCK;
        refused_everywhere(&asked, "place: row 2");
        asked.options.selection_count = 1; /* it is not looked at */
        expect(&asked);
        assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 1, &asked), AKIN_OK);
        assert_same(&got, &expected, &asked);
    }
}

/* Columns of another version are not looked into. */
static void other_columns(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        ask_much(&asked);
        add_selection(&asked, AKIN_SELECT_WINDOW, PLACE, AKIN_KEY_SIMPLE, 2);
        tables[way / 2].columns[way % 2 ? NAME : PLACE].size = 8;
        for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
            ask_of(devices[i], 1, &asked);
            expect_refusal(&got, AKIN_E_OPTION, "the size of column");
        }
    }
}

/* ----------------------------------------------------------------------------------------------------------- choice */

static void few_pairs_are_not_worth_it(void **state)
{
    (void)state;
    ask_much(&asked);
    asked.selections[0].window = 1360; /* 1,462 * 1,359 pairs */
    expect(&asked);
    assert_int_equal(ask_of(AKIN_DEVICE_AUTO, 1, &asked), AKIN_OK);
    assert_int_equal(host_device.streams, 0);
    assert_int_equal(got.report.device, 0);
    assert_int_equal(got.report.given_up, 0);
    assert_same(&got, &expected, &asked);
    fill(&tables[1], 2, 20);
    asked.selections[0].window = 1000000; /* there are no more than there are */
    assert_int_equal(ask_of(AKIN_DEVICE_AUTO, 1, &asked), AKIN_OK);
    assert_int_equal(host_device.streams, 0);
}

static void many_pairs_are(void **state)
{
    (void)state;
    host_gpu()->number = 3;
    expect(ask_much(&asked));
    assert_int_equal(ask_of(AKIN_DEVICE_AUTO, 1, &asked), AKIN_OK);
    host_gpu()->number = 0;
    assert_int_equal(got.report.device, 4);
    assert_same(&got, &expected, &asked);
    assert_int_equal(ask_of(AKIN_DEVICE_AUTO, 0, &asked), AKIN_OK); /* but not that it is opened */
    assert_int_equal(host_device.opened, 0);
    assert_int_equal(got.report.device, 0);
    fill(&tables[1], 2, 4600);
    asked.selections[0].window = 4500;
    expect(&asked);
    assert_int_equal(ask_of(AKIN_DEVICE_AUTO, 0, &asked), AKIN_OK);
    assert_int_equal(host_device.opened, 1);
    assert_int_equal(got.report.device, 1);
    assert_same(&got, &expected, &asked);
}

static void asked_for_by_name_it_is_taken(void **state)
{
    (void)state;
    fill(&tables[0], 5, 3);
    begin_question(&asked, &tables[0], NULL);
    add_attribute(&asked, NAME, "levenshtein", 0.5, 1);
    add_selection(&asked, AKIN_SELECT_ALL, 0, AKIN_KEY_VALUE, 0);
    expect(&asked);
    assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 0, &asked), AKIN_OK);
    assert_int_equal(got.report.device, 1);
    assert_same(&got, &expected, &asked);
    tables[0].rows = 1; /* there is nothing to compare */
    assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 0, &asked), AKIN_OK);
    assert_int_equal(got.report.device, 0);
    assert_int_equal(got.count, 0);
}

static void without_a_gpu(void **state)
{
    (void)state;
    host_device.is_absent = 1;
    ask_much(&asked);
    fill(&tables[1], 2, 4600);
    asked.selections[0].window = 4500;
    expect(&asked);
    assert_int_equal(ask_of(AKIN_DEVICE_AUTO, 0, &asked), AKIN_OK);
    assert_int_equal(host_device.opened, 1);
    assert_int_equal(got.report.device, 0);
    assert_same(&got, &expected, &asked);
    ask_of(AKIN_DEVICE_CUDA, 0, &asked);
    expect_refusal(&got, AKIN_E_DEVICE, "there is no GPU");
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* A list has 1500 partners, and there is room for 1024 candidates. */
static void lists_longer_than_there_is_room(void **state)
{
    (void)state;
    static const akin_selection_kind kinds[] = {AKIN_SELECT_ALL, AKIN_SELECT_WINDOW, AKIN_SELECT_WINDOW,
                                                AKIN_SELECT_BLOCK, AKIN_SELECT_SIMILAR};
    tables[0].rows = tables[1].rows = 0;
    for (uint32_t i = 0; i < 3; i++)
        add_record(&tables[0], "anna mary", "Warsaw", i ? "1" : "");
    for (uint32_t i = 0; i < 1500; i++)
        add_record(&tables[1], i % 500 ? "anna mary" : "mary", i % 7 ? "Warsaw" : "", i % 5 ? "2" : "1");
    for (uint32_t i = 0; i < 5; i++) {
        begin_question(&asked, &tables[0], &tables[1]);
        add_attribute(&asked, NUMBER, "exact", 0, 1); /* by which nothing is ruled out */
        add_attribute(&asked, PLACE, "levenshtein", 0, 1);
        add_selection(&asked, kinds[i], i == 4 ? NAME : PLACE, i == 2 ? AKIN_KEY_VALUE : AKIN_KEY_SIMPLE, 1490);
        asked.options.threshold = ratio_of(0.5);
        asked.options.max_block = 2000;
        expect(&asked);
        uint64_t before = host_dedupe.lists;
        assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 0, &asked), AKIN_OK);
        assert_same(&got, &expected, &asked);
        assert_true(got.count > 2500);
        assert_true(host_dedupe.lists - before >= 6);
        assert_true(kinds[i] != AKIN_SELECT_ALL ||
                    host_dedupe.lists - before == 6); /* two for each record of the left */
    }
    assert_int_equal(host_dedupe.meetings, 0);
}

/* ----------------------------------------------------------------------------------------------------------- groups */

/* Names and places drive together; most of each have a few lengths, so one length has several groups. */
static void ask_for_all(question *q, uint32_t left, uint32_t right)
{
    fill(&tables[0], 6, left);
    fill(&tables[1], 7, right);
    begin_question(q, &tables[0], right ? &tables[1] : NULL);
    add_attribute(q, NAME, "jaro-winkler", 0.8, 2);
    add_attribute(q, PLACE, "osa", 0.7, 2);
    add_attribute(q, NUMBER, "number/10", 0.5, 4);
    add_selection(q, AKIN_SELECT_WINDOW, NAME, AKIN_KEY_SOUNDEX, 3);
    add_selection(q, AKIN_SELECT_ALL, 0, AKIN_KEY_VALUE, 0);
    q->options.threshold = ratio_of(0.7);
}

static void groups(void **state)
{
    (void)state;
    const akin_choice *missing;
    for (int two = 0; two < 2; two++)
        for (uint32_t i = 0; (missing = akin_choices("missing", i)); i++) {
            ask_for_all(&asked, two ? 110 : 190, two ? 140 : 0);
            asked.options.missing = (akin_missing)missing->value;
            expect(&asked);
            assert_true(expected.count > 700);
            for (host_mood mood = HOST_STEADY; mood <= HOST_FULL; mood++) {
                host_dedupe = (host_dedupe_state){.mood = mood};
                assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 0, &asked), AKIN_OK);
                assert_same(&got, &expected, &asked);
                assert_int_equal(host_dedupe.drivers, 3); /* bits of name and place */
                assert_true(host_dedupe.cut > 0 && host_dedupe.meetings > host_dedupe.cut);
                assert_true(got.report.candidates >= got.count && got.report.candidates <= host_dedupe.listed);
            }
        }
}

/* Numbers by percent, and dates of which the right one is later; with each share of the weights that must be there. */
static void values_and_evidence(void **state)
{
    static const akin_ratio shares[] = {{0, 1}, {1, 2}, {2, 3}, {1, 1}};
    akin_random random;
    uint64_t before = UINT64_MAX;
    (void)state;
    akin_random_seed(&random, 9);
    for (int side = 0; side < 2; side++)
        for (uint32_t row = tables[side].rows = 0; row < 90; row++) {
            char date[16], number[16];
            sprintf(date, "2020-%02u-%02u", 1 + (uint32_t)akin_random_below(&random, 3),
                    1 + (uint32_t)akin_random_below(&random, 31));
            sprintf(number, "%u", 50 + (uint32_t)akin_random_below(&random, 50));
            add_record(&tables[side], akin_random_below(&random, 4) ? "Anna" : "",
                       akin_random_below(&random, 4) ? date : "", akin_random_below(&random, 4) ? number : "some");
        }
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        begin_question(&asked, &tables[0], &tables[1]);
        add_attribute(&asked, NAME, "exact", 0.5, 1);
        add_attribute(&asked, PLACE, "after/40", 0.5, 1);
        add_attribute(&asked, NUMBER, "percent/30", 0.5, 1);
        add_selection(&asked, AKIN_SELECT_ALL, 0, AKIN_KEY_VALUE, 0);
        asked.options.missing = AKIN_MISSING_SKIP;
        asked.options.evidence = shares[i];
        asked.options.threshold = ratio_of(0.8);
        expect(&asked);
        assert_true(expected.count > 20 && expected.count < before);
        before = i == 1 ? expected.count + 1 : expected.count; /* two of three are both more than a half, and 2/3 */
        assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 0, &asked), AKIN_OK);
        assert_same(&got, &expected, &asked);
        for (uint64_t k = 0; k < got.count; k++) {
            const akin_scored_pair *pair = &got.pairs[k];
            const uint64_t *left = tables[0].offsets[PLACE] + pair->left,
                           *right = tables[1].offsets[PLACE] + pair->right;
            const double later = got.each[k * 3 + 1];
            assert_true(!(later > 0) || memcmp(tables[0].bytes[PLACE] + left[0], tables[1].bytes[PLACE] + right[0],
                                               left[1] - left[0]) <= 0);
        }
    }
}

/* With room for all of them, candidates are scored at once, or in parts. */
static void candidates_in_parts(void **state)
{
    (void)state;
    ask_for_all(&asked, 190, 0);
    asked.selections[0].window = 190;
    expect(&asked);
    for (uint64_t room = 0; room <= 1; room++) {
        akin_context context = {.scope = {.context = &context, .threads = 1, .device_choice = AKIN_DEVICE_CUDA},
                                .device = host_gpu()};
        host_device_give(room << 19, 0);
        assert_int_equal(ask(&context, &asked, &got), AKIN_OK);
        assert_same(&got, &expected, &asked);
        assert_true(got.report.candidates > 3000);
    }
}

/* One driver that few pass, or none at all. */
static void drivers(void **state)
{
    (void)state;
    ask_for_all(&asked, 120, 0);
    asked.selections[0].kind = AKIN_SELECT_ALL;
    asked.options.selection_count = 1;
    asked.attributes[0].weight = ratio_of(9);
    expect(&asked);
    assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 0, &asked), AKIN_OK);
    assert_same(&got, &expected, &asked);
    assert_int_equal(host_dedupe.drivers, 1);
    assert_int_equal(host_dedupe.lists, 0);
    assert_true(got.report.pairs_met > 0 && got.report.pairs_met <= got.report.pairs_all);
    asked.options.threshold = ratio_of(0.1); /* any attribute may reach it alone */
    expect(&asked);
    host_dedupe.drivers = 0;
    assert_int_equal(ask_of(AKIN_DEVICE_CUDA, 0, &asked), AKIN_OK);
    assert_same(&got, &expected, &asked);
    assert_int_equal(host_dedupe.drivers, 0);
    assert_true(host_dedupe.lists > 1);
}

/* -------------------------------------------------------------------------------------------------------- progress */

typedef struct told {
    uint64_t done, total, times, ends;
} told;

/* Of "comparing" it goes forward, from one selection or driver to the next, and comes to the end of each. */
static void tell(void *user, const akin_progress *progress)
{
    told *t = user;
    assert_true(progress->done <= progress->total);
    if (strcmp(progress->phase, "comparing") != 0)
        return;
    assert_true(progress->done >= t->done || t->done == t->total);
    t->done = progress->done;
    t->total = progress->total;
    t->times++;
    t->ends += progress->done == progress->total;
}

static void progress(void **state)
{
    (void)state;
    told t = {0};
    akin_context context = {.scope = {.context = &context, .threads = 1, .device_choice = AKIN_DEVICE_CUDA},
                            .device = host_gpu(),
                            .wishes = &(akin_wishes){.candidates = 1}};
    context.scope.reporter.progress = tell;
    context.scope.reporter.user = &t;
    host_dedupe.mood = HOST_MOODY;
    ask_for_all(&asked, 110, 140);
    assert_int_equal(ask(&context, &asked, &got), AKIN_OK);
    assert_true(t.ends >= 3 && t.done == t.total); /* of the window, and two drivers */
    assert_true(t.times > t.ends);                 /* how many parts a driver has depends on the time they take */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(token_sets, reset),
        cmocka_unit_test_setup(too_many_attributes, reset),
        cmocka_unit_test_setup(too_many_selections, reset),
        cmocka_unit_test_setup(longest_values, reset),
        cmocka_unit_test_setup(values_too_long, reset),
        cmocka_unit_test_setup(values_beyond_the_limit, reset),
        cmocka_unit_test_setup(keys_too_long, reset),
        cmocka_unit_test_setup(not_utf8, reset),
        cmocka_unit_test_setup(other_columns, reset),
        cmocka_unit_test_setup(few_pairs_are_not_worth_it, reset),
        cmocka_unit_test_setup(many_pairs_are, reset),
        cmocka_unit_test_setup(asked_for_by_name_it_is_taken, reset),
        cmocka_unit_test_setup(without_a_gpu, reset),
        cmocka_unit_test_setup(lists_longer_than_there_is_room, reset),
        cmocka_unit_test_setup(groups, reset),
        cmocka_unit_test_setup(values_and_evidence, reset),
        cmocka_unit_test_setup(candidates_in_parts, reset),
        cmocka_unit_test_setup(drivers, reset),
        cmocka_unit_test_setup(progress, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
