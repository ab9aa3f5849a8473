/* The annex: a context uses its rows or refuses them; they are listed beside the library's, and none is in both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "annex.h"
#include "base/context.h"
#include "base/annex.h"

/* Whether a table of the library has a row of the name or of the value. */
static int is_own(const char *what, const akin_choice *row)
{
    const akin_choice *own;
    for (uint32_t i = 0; (own = akin_choices(what, i)); i++)
        if (strcmp(own->name, row->name) == 0 || own->value == row->value)
            return 1;
    return 0;
}

static void test_rows(void **state)
{
    const akin_choice *table, *row, *found;
    uint32_t count = 0;
    (void)state;
    for (uint32_t t = 0; (table = choice_of_both("choices", t)); t++)
        for (uint32_t i = 0; (row = akin_annex_choices(akin_papers(), table->name, i)); i++) {
            if (strcmp(table->name, "choices") == 0 || !akin_choices(table->name, 0))
                continue; /* a table of the annex */
            assert_false(is_own(table->name, row));
            assert_true(row->value >= AKIN_ANNEX_FIRST);
            assert_true(row->capabilities & AKIN_FROM_PAPER);
            assert_false(row->capabilities & (AKIN_BY_AUTO | AKIN_IS_DEFAULT));
            assert_ptr_equal(akin_annex_choice_of_value(akin_papers(), table->name, row->value), row);
            assert_int_equal(akin_annex_choice_find(akin_papers(), table->name, row->name, &found, NULL), AKIN_OK);
            assert_ptr_equal(found, row);
            assert_null(akin_choice_of_value(table->name, row->value));
            assert_null(akin_annex_choice_of_value(NULL, table->name, row->value));
            assert_int_equal(akin_choice_find(table->name, row->name, &found, NULL), AKIN_E_OPTION);
            count++;
        }
    assert_true(count > 0);
    for (uint32_t t = 0; (table = akin_choices("choices", t)); t++)
        for (uint32_t i = 0; (row = akin_choices(table->name, i)); i++)
            assert_true(row->value < AKIN_ANNEX_FIRST || strcmp(table->name, "capabilities") == 0);
    assert_null(akin_choices("sharings", 0));
    assert_string_equal(akin_annex_choices(akin_papers(), "sharings", 1)->name, "many");
    assert_null(akin_annex_choices(NULL, "clusterings", 0));
    assert_null(akin_annex_choices(akin_papers(), "clustering", 0));
    assert_null(akin_annex_choices(akin_papers(), "measures", 0));
}

static void test_names(void **state)
{
    const akin_choice *found = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(akin_annex_choice_find(akin_papers(), "clusterings", "component", &found, &error), AKIN_E_OPTION);
    assert_string_equal(error.message,
                        "unknown clustering 'component' (did you mean 'components'?): expected components, "
                        "average[:T], center, merge-center, correlation[:T] or warshall");
    assert_int_equal(akin_annex_choice_find(NULL, "clusterings", "warshall", &found, &error), AKIN_E_OPTION);
    assert_string_equal(
        error.message,
        "unknown clustering 'warshall': expected components, average[:T], center, merge-center or correlation[:T]");
    assert_int_equal(akin_annex_choice_find(akin_papers(), "clustering", "components", &found, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "(did you mean 'clusterings'?)"));
}

/* A context uses an annex, and no longer. */
static void test_use(void **state)
{
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_clusters *clusters = NULL;
    akin_error error;
    (void)state;
    options.clustering = AKIN_CLUSTERING_WARSHALL;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(akin_clusters_create_by(context, 5, 0, &options, &clusters, &error), AKIN_E_OPTION);
        assert_string_equal(
            error.message,
            "akin_clusters_options: the clustering 1024 is not in libakin: link libakin_papers, and call "
            "akin_context_use(context, akin_papers(), error) first");
        assert_null(clusters);
        assert_int_equal(akin_context_use(context, akin_papers(), &error), AKIN_OK);
        assert_int_equal(akin_clusters_create_by(context, 5, 0, &options, &clusters, &error), AKIN_OK);
        akin_clusters_free(clusters);
        clusters = NULL;
        options.clustering = AKIN_ANNEX_FIRST + 77;
        assert_int_equal(akin_clusters_create_by(context, 5, 0, &options, &clusters, &error), AKIN_E_OPTION);
        assert_string_equal(error.message, "akin_clusters_options: there is no clustering 1101");
        options.clustering = AKIN_CLUSTERING_WARSHALL;
        assert_int_equal(akin_context_use(context, NULL, &error), AKIN_OK);
    }
    akin_context_free(context);
}

static void test_another_version(void **state)
{
    const akin_annex later = {"0.1.99", NULL, 0};
    akin_context *context = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    assert_int_equal(akin_context_use(context, &later, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the annex is of version 0.1.99, and libakin of version " AKIN_VERSION_STRING
                                       ": install both of one version");
    assert_null(context->annex);
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_use),
        cmocka_unit_test(test_another_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
