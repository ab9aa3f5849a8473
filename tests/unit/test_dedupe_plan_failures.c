/* A plan of deduplication while memory runs out: every allocation fails once, alone and with all that follow. Leaks
 * show under the address sanitizer. */
#define _GNU_SOURCE
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "akin_papers.h"
#include "base/context.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};
static char names[64]; /* a file of synonyms */

static const char text[] = "{\"block\": [{\"columns\": [\"a\", {\"column\": \"b\"}]}, \"b:simple\"]}";

static akin_status make(akin_error *error)
{
    static const char *const words[][2] = {
        {"compare", "a:exact:0.5"},   {"compare", "both:jaro"}, {"compare", "a:jaro"},
        {"similar", "a:jaccard:0.5"}, {"window", "3"},          {"nearest", "3"},
        {"nearest", "3:a:words"},     {"combine", "both=a+b"},  {"fold", "all"},
        {"threshold", "0.5"},         {"synonyms", names},      {"synonyms", "a::\"x+y,z\"+v,w"}};
    akin_dedupe_plan *plan = NULL;
    akin_json *json = NULL;
    akin_status status = akin_json_parse("text", text, strlen(text), &json, error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_create(akin_papers(), &plan, error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_read(plan, json, 0, "text", NULL, error);
    for (size_t i = 0; i < sizeof words / sizeof *words && status == AKIN_OK; i++)
        status = akin_dedupe_plan_add(plan, words[i][0], words[i][1], error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_finish(plan, error);
    assert_true(!plan || (akin_dedupe_plan_options(plan) != NULL) == (status == AKIN_OK));
    if (status == AKIN_OK)
        status = akin_dedupe_plan_load(&context, plan, error);
    akin_dedupe_plan_free(plan);
    akin_json_free(json);
    return status;
}

static void test_no_memory_is_an_error(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0;; n++) {
            akin_error error = {.code = AKIN_OK};
            begin_failing(n, alone);
            akin_status status = make(&error);
            armed = 0;
            if (failed == 0) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 40);
                break;
            }
            assert_int_equal(status, AKIN_E_NOMEM);
            assert_int_equal(error.code, AKIN_E_NOMEM);
        }
}

int main(void)
{
    static const char groups[] = "william,bill\nunited kingdom,uk\n";
    const int file = memfd_create("synonyms", 0);
    if (file < 0 || write(file, groups, sizeof groups - 1) != (ssize_t)sizeof groups - 1)
        return 1;
    snprintf(names, sizeof names, "/proc/self/fd/%d", file);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_memory_is_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
