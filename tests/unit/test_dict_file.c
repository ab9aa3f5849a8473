/* Saved tries: what comes back, and that no altered file is taken for one. */
#define _GNU_SOURCE

#include "base/context.h"
#include "test_dict_words.h"

#include "test_base_files.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static void test_round_trip(void **state)
{
    static const struct {
        uint32_t count, longest, alphabet;
    } shapes[] = {{0, 1, 1}, {1, 0, 1}, {1, 20, 255}, {1000, 9, 26}, {20000, 5, 255}};
    (void)state;
    for (uint64_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < WORD_KINDS; k++) {
            words in = words_draw(i, shapes[i].count, shapes[i].longest, shapes[i].alphabet);
            akin_trie *built = words_build(&context, &in, word_kinds[k]), *opened = NULL;
            const char *path = scratch_path("trie.akin");
            akin_error error;
            assert_int_equal(akin_trie_save(&context, built, path, &error), AKIN_OK);
            akin_trie_free(built);
            if (akin_trie_open(&context, path, &opened, &error) != AKIN_OK)
                fail_msg("%s", error.message);
            words_expect(opened, &in);
            assert_int_equal(akin_trie_save(&context, opened, path, &error), AKIN_OK); /* it replaces its own file */
            words_expect(opened, &in);
            akin_trie_free(opened);
            words_clear(&in);
        }
}

static void test_write(void **state)
{
    words in = words_draw(1, 50, 5, 26);
    akin_trie *trie = words_build(&context, &in, AKIN_TRIE_CHUNKS);
    akin_output *output = NULL;
    akin_error error;
    size_t lengths[2];
    (void)state;
    assert_int_equal(akin_trie_save(&context, trie, scratch_path("saved.akin"), &error), AKIN_OK);
    assert_int_equal(akin_output_open(&context, scratch_path("written.akin"), &output, &error), AKIN_OK);
    assert_int_equal(akin_trie_write(&context, trie, output, &error), AKIN_OK);
    assert_int_equal(akin_output_commit(output, &error), AKIN_OK);
    char *saved = scratch_read(scratch_path("saved.akin"), &lengths[0]);
    char *written = scratch_read(scratch_path("written.akin"), &lengths[1]);
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(saved, written, lengths[0]);
    free(saved);
    free(written);
    akin_trie_free(trie);
    words_clear(&in);
}

static void test_cannot_be_opened(void **state)
{
    static const uint64_t offsets[] = {0};
    const akin_section sections[] = {{.data = offsets, .length = sizeof offsets}, {.data = NULL, .length = 0}};
    akin_trie *trie = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(akin_trie_open(&context, scratch_path("missing.akin"), &trie, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "missing.akin"));
    assert_int_equal(
        akin_container_save(akin_scope_of(&context), scratch_path("sets.akin"), "sets", 1, sections, 2, &error),
        AKIN_OK);
    assert_int_equal(akin_trie_open(&context, scratch_path("sets.akin"), &trie, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message,
                           "holds sets of tokens (made by akin generate sets, read by akin join and akin index), not a "
                           "dictionary (made by akin dictionary build)"));
    assert_null(trie);
}

/* ---------------------------------------------------------------------------------------------------- damaged files */

static void test_damage(void **state)
{
    (void)state;
    for (size_t k = 0; k < WORD_KINDS; k++) {
        words in = words_draw(9, 5, 4, 3);
        akin_trie *trie = words_build(&context, &in, word_kinds[k]), *opened = NULL;
        akin_error error;
        size_t length;
        assert_int_equal(akin_trie_save(&context, trie, scratch_path("trie.akin"), &error), AKIN_OK);
        char *bytes = scratch_read(scratch_path("trie.akin"), &length);
        for (size_t i = 0; i < length; i++) { /* every byte altered */
            bytes[i] ^= (char)(1 << i % 8);
            assert_int_equal(akin_trie_open(&context, scratch_write("damaged.akin", bytes, length), &opened, &error),
                             AKIN_E_INPUT);
            bytes[i] ^= (char)(1 << i % 8);
        }
        for (size_t i = 0; i < length; i += 3) /* cut anywhere */
            assert_int_equal(akin_trie_open(&context, scratch_write("damaged.akin", bytes, i), &opened, &error),
                             AKIN_E_INPUT);
        assert_null(opened);
        free(bytes);
        akin_trie_free(trie);
        words_clear(&in);
    }
}

/* A file with the right checksums that differs from a good one in one bit: refused, or a trie that can be used. */
static int open_altered(const akin_trie *good, int part, uint64_t at, int bit)
{
    akin_section sections[AKIN_TRIE_PARTS];
    akin_trie *trie = NULL;
    akin_error error;
    memcpy(sections, good->parts, sizeof sections);
    sections[AKIN_TRIE_HEAD] = (akin_section){.data = &good->head, .length = sizeof good->head};
    uint8_t *copy = malloc(sections[part].length);
    assert_non_null(copy);
    memcpy(copy, sections[part].data, sections[part].length);
    copy[at] = (uint8_t)(copy[at] ^ 1 << bit);
    sections[part].data = copy;
    const char *path = scratch_path("altered.akin");
    unlink(path);
    assert_int_equal(akin_container_save(akin_scope_of(&context), path, "trie", 1, sections, AKIN_TRIE_PARTS, &error),
                     AKIN_OK);
    akin_status status = akin_trie_open(&context, path, &trie, &error);
    assert_true(status == AKIN_OK || (status == AKIN_E_INPUT && strstr(error.message, "altered.akin: no trie: ")));
    for (uint32_t id = 0; status == AKIN_OK && id < akin_trie_count(trie); id++) {
        char word[64];
        size_t length;
        akin_status told = akin_trie_string(trie, id, word, sizeof word, &length, &error);
        assert_true(told == AKIN_OK || told == AKIN_E_INPUT);
        if (told == AKIN_OK) {
            uint32_t found;
            assert_true(akin_trie_find(trie, word, length, &found));
            assert_int_equal(found, id);
        }
    }
    akin_trie_free(trie);
    free(copy);
    return status == AKIN_OK;
}

static void test_altered(void **state)
{
    (void)state;
    for (size_t k = 0; k < WORD_KINDS; k++) {
        words in = words_draw(3, 700, 6, 255);
        akin_trie *trie = words_build(&context, &in, word_kinds[k]);
        uint64_t opened = 0, tried = 0;
        for (int part = 0; part < AKIN_TRIE_PARTS; part++) {
            uint64_t length = part == AKIN_TRIE_HEAD ? sizeof trie->head : trie->parts[part].length;
            for (uint64_t at = 0; at < length; at += 1 + length / 300, tried++)
                opened += (uint64_t)open_altered(trie, part, at, (int)(at % 8));
        }
        assert_true(opened < tried);
        akin_trie_free(trie);
        words_clear(&in);
    }
}

/* Files have a number for each form, which never changes. A form of the annex needs a context that uses the annex,
 * while the file is opened. */
static void test_forms(void **state)
{
    static const uint32_t saved[WORD_KINDS] = {1, 2, 3};
    words in = words_draw(4, 300, 6, 26);
    (void)state;
    for (size_t k = 0; k < WORD_KINDS; k++) {
        akin_trie *trie = words_build(&context, &in, word_kinds[k]), *opened = NULL;
        const char *path = scratch_path("form.akin");
        akin_error error;
        assert_int_equal(trie->head.kind, saved[k]);
        assert_int_equal(akin_trie_save(&context, trie, path, &error), AKIN_OK);
        akin_trie_free(trie);
        context.annex = NULL;
        akin_status status = akin_trie_open(&context, path, &opened, &error);
        if (word_kinds[k] == AKIN_TRIE_CHUNKS) {
            assert_int_equal(status, AKIN_OK);
        } else {
            assert_int_equal(status, AKIN_E_OPTION);
            assert_non_null(strstr(error.message,
                                   "form.akin: libakin does not have the form of this trie: link "
                                   "libakin_papers, and call akin_context_use(context, akin_papers(), "
                                   "error) first"));
            assert_null(opened);
            assert_int_equal(akin_context_use(&context, akin_papers(), &error), AKIN_OK);
            assert_int_equal(akin_trie_open(&context, path, &opened, &error), AKIN_OK);
            context.annex = NULL;
        }
        assert_int_equal(opened->form->kind, word_kinds[k]);
        words_expect(opened, &in);
        akin_trie_free(opened);
        context.annex = akin_papers();
    }
    words_clear(&in);
}

static int setup(void **state)
{
    context.annex = akin_papers();
    return scratch_make(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_write),   cmocka_unit_test(test_cannot_be_opened),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_altered), cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests(tests, setup, scratch_remove);
}
