/* Tries while memory runs out: every allocation of building, opening and saving one fails once, alone and with all that
 * follow. Leaks show under the address sanitizer. */
#define _GNU_SOURCE

#include "base/context.h"
#include "test_base_cancel.h"
#include "test_base_failing.h"
#include "test_dict_words.h"

#include "test_base_files.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static akin_status build(const akin_column *column, uint32_t rows, akin_trie_kind kind, akin_error *error)
{
    akin_trie_options options = AKIN_TRIE_OPTIONS_INIT;
    akin_trie *trie = NULL, *opened = NULL;
    options.kind = kind;
    akin_status status = akin_trie_build(&context, column, rows, &options, &trie, error);
    if (status == AKIN_OK)
        status = akin_trie_save(&context, trie, scratch_path("trie.akin"), error);
    if (status == AKIN_OK)
        status = akin_trie_open(&context, scratch_path("trie.akin"), &opened, error);
    akin_trie_free(opened);
    akin_trie_free(trie);
    return status;
}

/* Unsorted words, many of them equal in their first 12 bytes, and deep ones: all lists grow. */
static void test_build(void **state)
{
    words in = words_draw(3, 3000, 8, 26);
    char deep[400];
    (void)state;
    memset(deep, 'x', sizeof deep);
    for (size_t i = 0; i < 300; i++) {
        deep[100 + i] = (char)('a' + i % 3);
        words_add(&in, deep, 101 + i);
    }
    akin_column column = words_column(&in);
    akin_error cancelled;
    for (size_t k = 0; k < WORD_KINDS; k++) {
        context.scope.memory = 0;
        CANCEL_EACH(&context, cancelled, build(&column, in.count, word_kinds[k], &cancelled));
        for (int once = 0; once < 4; once++) {
            context.scope.memory = once < 2 ? 0 : 1 << 16; /* with a bound that small, arrays are in temporary files */
            context.temporary = scratch;
            for (unsigned n = 0;; n++) {
                akin_error error;
                begin_failing(n, once % 2);
                akin_status status = build(&column, in.count, word_kinds[k], &error);
                armed = 0;
                if (failed == 0) {
                    assert_int_equal(status, AKIN_OK);
                    assert_true(n > 10);
                    break;
                }
                if (status != AKIN_OK) {
                    assert_int_equal(status, AKIN_E_NOMEM);
                    assert_int_equal(error.code, AKIN_E_NOMEM);
                    assert_non_null(strstr(error.message, "memory"));
                    assert_int_equal(error.reason, AKIN_REASON_MEMORY);
                }
            }
        }
    }
    words_column_clear(&column);
    words_clear(&in);
}

static int setup(void **state)
{
    context.annex = akin_papers();
    return scratch_make(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_build)};
    return cmocka_run_group_tests(tests, setup, scratch_remove);
}
