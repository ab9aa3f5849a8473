/* Evaluation of rankings: values by hand, ties, and invalid files. */
#define _GNU_SOURCE

#include "akin.h"
#include "base/context.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void write_file(const char *path, const char *text, size_t length)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, length, out), length);
    fclose(out);
}

static akin_status evaluate_bytes(const char *run, size_t length, const char *judgements, akin_trec_evaluation *out,
                                  akin_error *error)
{
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    char folder[] = "/tmp/akin-test-trec-XXXXXX", paths[2][64];
    assert_non_null(mkdtemp(folder));
    snprintf(paths[0], sizeof paths[0], "%s/run", folder);
    snprintf(paths[1], sizeof paths[1], "%s/qrels", folder);
    write_file(paths[0], run, length);
    write_file(paths[1], judgements, strlen(judgements));
    out->size = sizeof *out;
    akin_status status = akin_evaluate_trec(&context, paths[0], paths[1], out, error);
    unlink(paths[0]);
    unlink(paths[1]);
    rmdir(folder);
    return status;
}

static akin_trec_evaluation evaluate(const char *run, const char *judgements)
{
    akin_trec_evaluation out = {0};
    akin_error error;
    if (evaluate_bytes(run, strlen(run), judgements, &out, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    return out;
}

static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-12);
}

/*
 * Query 1: d3 (2), d9 (not judged), d1 (1), d4 (judged 0); d2 (3) was not found.
 * Query 2: nothing was found of its one relevant document; query 3 has none that is relevant; query 4 is not judged.
 */
static void by_hand(void **state)
{
    (void)state;
    akin_trec_evaluation e = evaluate(
        "1 Q0 d3 1 9.5 x\n1 Q0 d9 2 8 x\n1 Q0 d1 3 7e0 x\r\n\n1\tQ0\td4\t4\t-3\tx\n"
        "3 Q0 d1 1 1 x\n4 Q0 d1 1 1 x",
        "1 0 d1 1\n1 0 d2 3\n1 0 d3 2\n1 0 d4 0\n2 0 d7 1\n3 0 d1 0\n3 0 d2 -1\n");
    double gain = 2 + 1 / 2.0, best = 3 + 2 / log2(3) + 1 / 2.0;
    assert_int_equal(e.queries, 2);
    assert_int_equal(e.answered, 1);
    assert_int_equal(e.found, 4);
    assert_int_equal(e.relevant, 4);
    assert_near(e.ndcg_10, gain / best / 2);
    assert_near(e.map, (1 / 1.0 + 2 / 3.0) / 3 / 2);
    assert_near(e.p_10, 0.2 / 2);
    assert_near(e.r_100, 2 / 3.0 / 2);
    assert_near(e.mrr, 0.5);
}

/* Precisions are added as numbers of documents: 0.2 + 0.1 is more than 0.3. A mark before the first line is skipped. */
static void exact(void **state)
{
    (void)state;
    akin_trec_evaluation e = evaluate(
        "\xef\xbb\xbf"
        "1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n2 Q0 a 1 1 x\n",
        "\xef\xbb\xbf"
        "1 0 a 1\n1 0 b 1\n2 0 a 1\n");
    assert_int_equal(e.answered, 2);
    assert_true(e.p_10 * 20 == 3 && e.p_10 == 0.15);
}

/* What is beyond the tenth, or the hundredth, counts for some measures only. */
static void cut_off(void **state)
{
    (void)state;
    char run[8192], judgements[8192];
    size_t length = 0, judged = 0;
    for (int i = 0; i < 120; i++) /* scores fall, ranks lie */
        length += (size_t)snprintf(run + length, sizeof run - length, "q Q0 d%d 1 %d x\n", i, 1000 - i);
    judged += (size_t)snprintf(judgements, sizeof judgements, "q 0 d10 1\nq 0 d99 1\nq 0 d100 1\nq 0 other 1\n");
    assert_true(length < sizeof run && judged < sizeof judgements);
    akin_trec_evaluation e = evaluate(run, judgements);
    assert_near(e.ndcg_10, 0);
    assert_near(e.p_10, 0);
    assert_near(e.r_100, 0.5);
    assert_near(e.mrr, 1 / 11.0);
    assert_near(e.map, (1 / 11.0 + 2 / 100.0 + 3 / 101.0) / 4);
}

/* Of equal scores the later id comes first, as for trec_eval: b, ab, a; and 0 is -0. */
static void ties(void **state)
{
    (void)state;
    akin_trec_evaluation e = evaluate("1 Q0 a 1 0 x\n1 Q0 b 2 -0.0 x\n1 Q0 ab 3 0 x\n1 Q0 z 9 -1 x\n", "1 0 ab 1\n");
    assert_near(e.mrr, 0.5);
    e = evaluate("1 Q0 a 1 0 x\n1 Q0 b 2 0 x\n", "1 0 b 1\n");
    assert_near(e.mrr, 1);
    e = evaluate("1 Q0 a 1 -1 x\n1 Q0 b 2 -2 x\n1 Q0 c 2 1e-3 x\n", "1 0 b 1\n");
    assert_near(e.mrr, 1 / 3.0);
}

static void nothing(void **state)
{
    (void)state;
    akin_trec_evaluation e = evaluate("", "");
    assert_true(e.queries == 0 && e.ndcg_10 == 0 && e.map == 0 && e.mrr == 0);
    e = evaluate("2 Q0 a 1 1 x\n", "");
    assert_true(e.queries == 0 && e.found == 0);
    e = evaluate("", "1 0 a 1\n");
    assert_true(e.queries == 1 && e.answered == 0 && e.found == 0 && e.map == 0);
}

static void refused(void **state)
{
    static const struct {
        const char *run, *judgements, *said;
    } cases[] = {
        {"1 Q0 a 1 0\n", "", "run:1: expected an answer"},
        {"\n1 Q0 a 1 0 x y\n", "", "run:2: expected an answer"},
        {"1 Q0 a 1 many x\n", "", "run:1: expected a number"},
        {"1 Q0 a 1 nan x\n", "", "run:1: expected a number"},
        {"1 Q0 a 1 1e999 x\n", "", "run:1: expected a number"},
        {"", "1 0 a\n", "qrels:1: expected a judgement"},
        {"", "1 0 a 1\n1 0 b 1.5\n", "qrels:2: expected a whole number"},
        {"", "1 0 a 9999999999\n", "qrels:1: expected a whole number"},
        {"", "1 0 a 1\n1 0 b 1\n1 0 a 0\n", "qrels:3: document 'a' is there twice"},
        {"1 Q0 a 1 2 x\n1 Q0 a 2 1 x\n", "1 0 b 1\n", "run:2: document 'a' is there twice"},
        {"q1 Q0 a 1 2 x\nq2 Q0 a 2 1 x\n", "7 0 a 1\n8 0 a 1\n",
         "no query in common: queries of the run are like 'q1', those of the judgements like '7'"},
        {"1234567890123456789012345678901234567890123 Q0 a 1 2 x\n", "7 0 a 1\n",
         "like '123456789012345678901234567890123456789', those"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_trec_evaluation out = {0};
        akin_error error;
        assert_int_equal(evaluate_bytes(cases[i].run, strlen(cases[i].run), cases[i].judgements, &out, &error),
                         AKIN_E_INPUT);
        if (!strstr(error.message, cases[i].said))
            fail_msg("%s", error.message);
    }
    akin_trec_evaluation out = {0};
    akin_error error;
    assert_int_equal(evaluate_bytes("1 Q0 a\0 1 1 x\n", 15, "", &out, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "NUL"));
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    out.size = 3;
    assert_int_equal(akin_evaluate_trec(&context, "/dev/null", "/dev/null", &out, &error), AKIN_E_OPTION);
    out.size = sizeof out;
    assert_int_equal(akin_evaluate_trec(&context, "/nowhere/run", "/dev/null", &out, &error), AKIN_E_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(exact),   cmocka_unit_test(cut_off),
                                       cmocka_unit_test(ties),    cmocka_unit_test(nothing), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
