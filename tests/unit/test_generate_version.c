/* A libakin_generate of another version than libakin says so, and generates nothing. The linker puts the check of this
 * file, which gets another version, in the place of akin_annex_check. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "akin_generate.h"
#include "base/annex.h"
#include "base/context.h"

#define EXPECTED                                                                                                       \
    "the annex is of version 0.1.99, and libakin of version " AKIN_VERSION_STRING ": install both of one version"

akin_status __real_akin_annex_check(const char *version, akin_error *error);
akin_status __wrap_akin_annex_check(const char *version, akin_error *error);

akin_status __wrap_akin_annex_check(const char *version, akin_error *error)
{
    assert_string_equal(version, AKIN_VERSION_STRING);
    return __real_akin_annex_check("0.1.99", error);
}

static int take_records(void *user, const akin_records_batch *batch)
{
    (void)user;
    (void)batch;
    fail();
    return 1;
}

static int take_text(void *user, const char *bytes, uint64_t length)
{
    (void)user;
    (void)bytes;
    (void)length;
    fail();
    return 1;
}

static void test_another_version(void **state)
{
    akin_documents_options documents = AKIN_DOCUMENTS_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_error error;
    (void)state;
    documents.documents = 1;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    assert_int_equal(akin_records_generate(context, NULL, take_records, NULL, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, EXPECTED);
    assert_int_equal(akin_documents_generate(context, &documents, take_text, NULL, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, EXPECTED);
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
