/* Saved collections: what comes back, and that no altered file is taken for a collection. */
#define _GNU_SOURCE

#include "base/context.h"
#include "test_sets_support.h"

#include "test_base_files.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static void test_round_trip(void **state)
{
    static const struct {
        uint32_t rows, size_bound;
        uint64_t token_bound;
    } shapes[] = {{0, 1, 1},    {1, 1, 1}, {7, 1, 1}, {1, 2, UINT64_C(1) << 32}, {1000, 30, UINT64_C(1) << 32},
                  {50000, 3, 9}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        akin_error error;
        akin_sets *saved = random_sets(i, shapes[i].rows, shapes[i].size_bound, shapes[i].token_bound), *opened = NULL;
        const char *path = scratch_path("sets.akin");
        assert_int_equal(akin_sets_save(&context, saved, path, &error), AKIN_OK);
        assert_int_equal(akin_sets_open(akin_scope_of(&context), path, &opened, &error), AKIN_OK);
        assert_sets_valid(opened);
        assert_sets_equal(saved, opened);
        akin_sets_free(saved); /* the one that was opened can replace its own file and lives on */
        assert_int_equal(akin_sets_save(&context, opened, path, &error), AKIN_OK);
        assert_sets_valid(opened);
        akin_sets_free(opened);
    }
}

static void test_parse_in_memory(void **state)
{
    akin_error error;
    akin_sets *saved = random_sets(5, 100, 10, 1000), *parsed = NULL;
    size_t length;
    (void)state;
    assert_int_equal(akin_sets_save(&context, saved, scratch_path("sets.akin"), &error), AKIN_OK);
    char *bytes = scratch_read(scratch_path("sets.akin"), &length);
    void *image = NULL;
    assert_int_equal(posix_memalign(&image, 64, length), 0);
    memcpy(image, bytes, length);
    ((char *)image)[length - 1] ^= 1; /* refused, and still ours */
    akin_bulk bulk = {.data = image};
    assert_int_equal(akin_sets_parse(akin_scope_of(&context), "memory", &bulk, length, &parsed, &error), AKIN_E_INPUT);
    assert_null(parsed);
    assert_memory_equal(error.message, "memory:", 7);
    free(image);
    free(bytes);
    akin_sets_free(saved);
}

static void test_cannot_be_written(void **state)
{
    akin_error error;
    akin_sets *sets = random_sets(1, 3, 3, 3), *opened = NULL;
    (void)state;
    assert_int_equal(akin_sets_save(&context, sets, scratch_path("nowhere/sets.akin"), &error), AKIN_E_IO);
    assert_non_null(strstr(error.message, "nowhere/sets.akin"));
    assert_int_equal(akin_sets_open(akin_scope_of(&context), scratch_path("missing.akin"), &opened, &error),
                     AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "missing.akin"));
    akin_sets_free(sets);
}

/* ----------------------------------------------------------------------------------- files with the right checksums */

/* Writes a container of these two sections, and expects it to be refused with a message that ends with `reason`. */
static void refuse(const void *offsets, size_t offsets_bytes, const void *tokens, size_t tokens_bytes,
                   const char *reason)
{
    akin_error error;
    akin_sets *sets = NULL;
    const char *path = scratch_path("wrong.akin");
    akin_section sections[] = {{.data = offsets, .length = offsets_bytes}, {.data = tokens, .length = tokens_bytes}};
    assert_int_equal(akin_container_save(akin_scope_of(&context), path, "sets", 1, sections, 2, &error), AKIN_OK);
    assert_int_equal(akin_sets_open(akin_scope_of(&context), path, &sets, &error), AKIN_E_INPUT);
    assert_null(sets);
    if (strncmp(error.message, path, strlen(path)) != 0 || strcmp(error.message + strlen(path), reason) != 0)
        fail_msg("'%s' is not '%s%s'", error.message, path, reason);
    assert_int_equal(akin_sets_open(akin_scope_of(&context), path, &sets, NULL), AKIN_E_INPUT);
}

#define OFFSETS(...)                                                                                                   \
    (const uint64_t[]){__VA_ARGS__}, sizeof(uint64_t[])                                                                \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define TOKENS(...)                                                                                                    \
    (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[])                                                                \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void test_wrong_content(void **state)
{
    (void)state;
    refuse(OFFSETS(1, 3), TOKENS(1, 2, 3), ": row 0 begins at token 1; expected 0");
    refuse(OFFSETS(0, 2, 1, 3), TOKENS(1, 2, 3), ": row 1 ends at token 1; expected 2 to 3");
    refuse(OFFSETS(0, 2, 4, 3), TOKENS(1, 2, 3), ": row 1 ends at token 4; expected 2 to 3");
    refuse(OFFSETS(0, UINT64_MAX, 3), TOKENS(1, 2, 3), ": row 0 ends at token 18446744073709551615; expected 0 to 3");
    refuse(OFFSETS(0, 1, 2), TOKENS(1, 2, 3), ": after the last of 2 rows there are 1 tokens too many");
    refuse(OFFSETS(0), TOKENS(1), ": after the last of 0 rows there are 1 tokens too many");
    refuse(OFFSETS(0, 1, 3), TOKENS(1, 3, 2), ": row 1: its tokens are not in ascending order, each once");
    refuse(OFFSETS(0, 2, 3), TOKENS(4, 4, 5), ": row 0: its tokens are not in ascending order, each once");
    refuse(NULL, 0, TOKENS(1), ": its offsets take 0 bytes; expected 8 for each row and 8 more");
    refuse("0123456789", 10, TOKENS(1), ": its offsets take 10 bytes; expected 8 for each row and 8 more");
    refuse(OFFSETS(0, 1), "12345", 5, ": its tokens take 5 bytes; expected 4 for each");
}

static void test_wrong_container(void **state)
{
    akin_error error;
    akin_sets *sets = NULL;
    const char *path = scratch_path("wrong.akin");
    static const uint64_t offsets[] = {0};
    akin_section sections[3] = {
        {.data = offsets, .length = sizeof offsets}, {.data = NULL, .length = 0}, {.data = NULL, .length = 0}};
    (void)state;
    assert_int_equal(akin_container_save(akin_scope_of(&context), path, "index", 1, sections, 2, &error), AKIN_OK);
    assert_int_equal(akin_sets_open(akin_scope_of(&context), path, &sets, &error), AKIN_E_INPUT);
    assert_int_equal(akin_container_save(akin_scope_of(&context), path, "sets", 2, sections, 2, &error), AKIN_OK);
    assert_int_equal(akin_sets_open(akin_scope_of(&context), path, &sets, &error), AKIN_E_INPUT);
    assert_int_equal(akin_container_save(akin_scope_of(&context), path, "sets", 1, sections, 3, &error), AKIN_OK);
    assert_int_equal(akin_sets_open(akin_scope_of(&context), path, &sets, &error), AKIN_E_INPUT);
    assert_int_equal(akin_container_save(akin_scope_of(&context), path, "sets", 1, sections, 1, &error), AKIN_OK);
    assert_int_equal(akin_sets_open(akin_scope_of(&context), path, &sets, &error), AKIN_E_INPUT);
    assert_int_equal(akin_container_save(akin_scope_of(&context), path, "sets", 1, sections, 2, &error), AKIN_OK);
    assert_int_equal(akin_sets_open(akin_scope_of(&context), path, &sets, &error), AKIN_OK);
    assert_int_equal(akin_sets_rows(sets), 0);
    akin_sets_free(sets);
}

/* ---------------------------------------------------------------------------------------------------- damaged files */

static void test_damage(void **state)
{
    akin_error error;
    akin_sets *sets = random_sets(9, 6, 5, 100), *opened = NULL;
    size_t length;
    (void)state;
    assert_int_equal(akin_sets_save(&context, sets, scratch_path("sets.akin"), &error), AKIN_OK);
    char *bytes = scratch_read(scratch_path("sets.akin"), &length);
    for (size_t i = 0; i < length; i++) { /* every byte altered */
        bytes[i] ^= (char)(1 << i % 8);
        assert_int_equal(
            akin_sets_open(akin_scope_of(&context), scratch_write("damaged.akin", bytes, length), &opened, &error),
            AKIN_E_INPUT);
        bytes[i] ^= (char)(1 << i % 8);
    }
    for (size_t i = 0; i < length; i++) /* cut anywhere */
        assert_int_equal(
            akin_sets_open(akin_scope_of(&context), scratch_write("damaged.akin", bytes, i), &opened, &error),
            AKIN_E_INPUT);
    bytes[length] = 0; /* and one byte more */
    assert_int_equal(
        akin_sets_open(akin_scope_of(&context), scratch_write("damaged.akin", bytes, length + 1), &opened, &error),
        AKIN_E_INPUT);
    assert_null(opened);
    free(bytes);
    akin_sets_free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),        cmocka_unit_test(test_parse_in_memory),
        cmocka_unit_test(test_cannot_be_written), cmocka_unit_test(test_wrong_content),
        cmocka_unit_test(test_wrong_container),   cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
