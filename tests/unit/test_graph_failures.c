/* Clusters while memory runs out: every allocation fails once. The linker puts the function here in the place of malloc
 * (--wrap); leaks show under the address sanitizer. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>

#include "akin.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static int countdown = INT_MAX; /* allocations that succeed before one fails */
static int failed;

void *__wrap_malloc(size_t size)
{
    if (countdown-- > 0)
        return __real_malloc(size);
    countdown = INT_MAX;
    failed++;
    return NULL;
}

static void test_create(void **state)
{
    static const akin_pair pair = {1, 2, 1};
    (void)state;
    for (int n = 0;; n++) {
        akin_clusters *clusters = NULL;
        akin_error error;
        failed = 0;
        countdown = n;
        akin_status status = akin_clusters_create(NULL, 100, 50, &clusters, &error);
        countdown = INT_MAX;
        if (failed == 0) {
            assert_int_equal(status, AKIN_OK);
            assert_int_equal(akin_clusters_add(clusters, &pair, 1, &error), AKIN_OK);
            akin_clusters_finish(clusters);
            assert_int_equal(akin_clusters_row(clusters, 102), 1);
            akin_clusters_free(clusters);
            assert_true(n > 1);
            return;
        }
        assert_int_equal(status, AKIN_E_NOMEM);
        assert_int_equal(error.code, AKIN_E_NOMEM);
        assert_string_equal(error.message, "not enough memory for the clusters");
        assert_null(clusters);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_create)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
