/* Dictionaries: strings in, ids out, and the other way round. */
#include "base/context.h"
#include "test_sets_support.h"

#include "dict/dictionary.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static akin_dictionary *create(void)
{
    akin_dictionary *dictionary = NULL;
    akin_error error;
    assert_int_equal(akin_dictionary_create(&context, &dictionary, &error), AKIN_OK);
    assert_int_equal(akin_dictionary_count(dictionary), 0);
    return dictionary;
}

static uint32_t add(akin_dictionary *dictionary, const char *bytes, size_t length)
{
    akin_error error;
    uint32_t id = 12345;
    char *own = malloc(length + 1); /* of its very length: what is read beyond shows */
    assert_non_null(own);
    memcpy(own, bytes, length);
    char *exact = realloc(own, length ? length : 1);
    assert_int_equal(akin_dictionary_add(dictionary, exact, length, &id, &error), AKIN_OK);
    free(exact);
    return id;
}

static void assert_string(const akin_dictionary *dictionary, uint32_t id, const char *bytes, size_t length)
{
    akin_error error;
    const char *got = NULL;
    size_t got_length = 0;
    uint32_t found = 12345;
    assert_int_equal(akin_dictionary_string(dictionary, id, &got, &got_length, &error), AKIN_OK);
    assert_int_equal(got_length, length);
    assert_memory_equal(got, bytes, length);
    assert_true(akin_dictionary_find(dictionary, bytes, length, &found));
    assert_int_equal(found, id);
}

static void test_few(void **state)
{
    akin_dictionary *d = create();
    (void)state;
    assert_int_equal(add(d, "one", 3), 0);
    assert_int_equal(add(d, "two", 3), 1);
    assert_int_equal(add(d, "one", 3), 0);
    assert_int_equal(add(d, "", 0), 2);
    assert_int_equal(add(d, "\0", 1), 3);
    assert_int_equal(add(d, "\0\0", 2), 4);
    assert_int_equal(add(d, "one\0", 4), 5);
    assert_int_equal(add(d, "", 0), 2);
    assert_int_equal(akin_dictionary_count(d), 6);
    assert_string(d, 0, "one", 3);
    assert_string(d, 2, "", 0);
    assert_string(d, 4, "\0\0", 2);
    assert_string(d, 5, "one\0", 4);
    akin_dictionary_free(d);
    akin_dictionary_free(NULL);
}

/* Strings around the length up to which they are kept in place, that differ in the last byte or in length only. */
static void test_lengths(void **state)
{
    akin_dictionary *d = create();
    char bytes[64];
    (void)state;
    memset(bytes, 'x', sizeof bytes);
    for (size_t length = 1; length < 40; length++) {
        bytes[length - 1] = 'y';
        assert_int_equal(add(d, bytes, length), 2 * (length - 1));
        bytes[length - 1] = 'x';
        assert_int_equal(add(d, bytes, length), 2 * (length - 1) + 1);
    }
    for (size_t length = 1; length < 40; length++)
        assert_string(d, (uint32_t)(2 * (length - 1) + 1), bytes, length);
    akin_dictionary_free(d);
}

static void test_many(void **state)
{
    akin_dictionary *d = create();
    char bytes[64];
    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        int length = snprintf(bytes, sizeof bytes, i % 3 ? "%u" : "a long one, number %u", i);
        assert_int_equal(add(d, bytes, (size_t)length), i);
    }
    for (uint32_t i = 0; i < 100000; i++) {
        int length = snprintf(bytes, sizeof bytes, i % 3 ? "%u" : "a long one, number %u", i);
        assert_string(d, i, bytes, (size_t)length);
        assert_int_equal(add(d, bytes, (size_t)length), i);
    }
    assert_int_equal(akin_dictionary_count(d), 100000);
    akin_dictionary_free(d);
}

static void test_absent(void **state)
{
    akin_dictionary *d = create();
    akin_error error;
    const char *bytes = "untouched";
    size_t length = 9;
    uint32_t id = 77;
    (void)state;
    assert_false(akin_dictionary_find(d, "x", 1, &id));
    add(d, "a longer string than most", 25);
    assert_false(akin_dictionary_find(d, "x", 1, &id));
    assert_false(akin_dictionary_find(d, "a longer string than mosT", 25, &id));
    assert_int_equal(id, 77);
    assert_int_equal(akin_dictionary_string(d, 1, &bytes, &length, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "there is no string 1, only 1 of them");
    assert_string_equal(bytes, "untouched");
    assert_int_equal(length, 9);
    akin_dictionary_free(d);
}

#if SIZE_MAX > UINT32_MAX
static void test_too_long(void **state)
{
    akin_dictionary *d = create();
    akin_error error;
    uint32_t id = 77;
    (void)state;
    assert_int_equal(akin_dictionary_add(d, "", (size_t)UINT32_MAX + 1, &id, &error), AKIN_E_LIMIT);
    assert_string_equal(error.message, "a string of 4294967296 bytes; at most 4294967295 are possible");
    assert_false(akin_dictionary_find(d, "", (size_t)UINT32_MAX + 1, &id));
    assert_int_equal(id, 77);
    akin_dictionary_free(d);
}
#endif

/* What work that failed has left behind is not there, and comes back under the id that is next then. */
static void test_cut(void **state)
{
    akin_dictionary *d = create();
    uint32_t id = 77;
    (void)state;
    add(d, "a", 1);
    add(d, "b", 1);
    add(d, "a string of more than 16 bytes", 30);
    akin_dictionary_cut(d, 1);
    assert_int_equal(akin_dictionary_count(d), 1);
    assert_false(akin_dictionary_find(d, "b", 1, &id));
    assert_int_equal(add(d, "c", 1), 1);
    assert_int_equal(add(d, "a string of more than 16 bytes", 30), 2);
    assert_int_equal(add(d, "b", 1), 3);
    assert_string(d, 0, "a", 1);
    assert_string(d, 1, "c", 1);
    assert_string(d, 2, "a string of more than 16 bytes", 30);
    assert_string(d, 3, "b", 1);
    akin_dictionary_free(d);
}

/* Made-up string `i`: some are there twice, some long, one empty. */
static akin_status make_word(void *user, uint64_t i, uint32_t thread, const char **bytes, uint32_t *length)
{
    static char words[3][200];
    const uint64_t number = i % 7 == 3 ? i / 2 : i;
    const char *format = number % 5 == 0 ? "%030llu" : "w%llu";
    int size = snprintf(words[thread], sizeof words[thread], format, (unsigned long long)number);
    (void)user;
    *bytes = words[thread];
    *length = i == 11 ? 0 : (uint32_t)size;
    return AKIN_OK;
}

/* Many strings at once have the ids that they get one by one, also where some are there already. */
static void many_at_once(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads += 2)
        for (uint64_t count = 0; count < 300000; count = count * 11 + 9) {
            akin_context few = {.scope = {.context = &few, .threads = threads}};
            akin_dictionary *one = NULL, *many = NULL;
            const akin_dictionary_words words = {count, make_word, NULL};
            const char *bytes;
            uint32_t length, id;
            assert_int_equal(akin_dictionary_create(&few, &one, NULL), AKIN_OK);
            assert_int_equal(akin_dictionary_create(&few, &many, NULL), AKIN_OK);
            for (int before = 0; before < 3; before++) {
                assert_int_equal(akin_dictionary_add(one, "w4", before == 1 ? 1 : 2, &id, NULL), AKIN_OK);
                assert_int_equal(akin_dictionary_add(many, "w4", before == 1 ? 1 : 2, &id, NULL), AKIN_OK);
            }
            assert_int_equal(akin_dictionary_add_words(&few, many, &words, NULL), AKIN_OK);
            for (uint64_t i = 0; i < count; i++) {
                uint32_t other;
                make_word(NULL, i, 0, &bytes, &length);
                assert_int_equal(akin_dictionary_add(one, bytes, length, &id, NULL), AKIN_OK);
                assert_true(akin_dictionary_find(many, bytes, length, &other) && other == id);
            }
            assert_int_equal(akin_dictionary_count(many), akin_dictionary_count(one));
            akin_dictionary_free(one);
            akin_dictionary_free(many);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_absent),
#if SIZE_MAX > UINT32_MAX
        cmocka_unit_test(test_too_long),
#endif
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
