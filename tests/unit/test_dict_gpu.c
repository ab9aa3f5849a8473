/* Frozen dictionaries on a GPU that the host plays: every kind of them, and every way to deal words out, against a
 * sorted list of words; chunks, words that are too long, nulls, and when a GPU is used. */
#include "base/context.h"
#include "property/host_trie.h"
#include "unit/test_dict_words.h"

static akin_wishes wishes; /* of the tests below */

static akin_context plain;

static int setup(void **state)
{
    (void)state;
    plain = words_context(&plain, 1);
    plain.scope.device_choice = AKIN_DEVICE_CPU;
    return 0;
}

static akin_context context_of(akin_context *self, akin_device_choice choice)
{
    akin_context context = words_context(self, 3);
    context.scope.device_choice = choice;
    context.backend = &host_backend;
    context.device = choice == AKIN_DEVICE_CUDA ? host_gpu() : NULL;
    context.wishes = &wishes;
    wishes.candidates = 1; /* chunks are as small as can be */
    return context;
}

static void expect(const uint32_t *ids, const words *asked, const reversed *list, uint32_t count)
{
    for (uint32_t i = 0; i < asked->count; i++) {
        size_t length;
        const char *word = words_at(asked, i, &length);
        if (ids[i] != words_id(list, count, word, length))
            fail_msg("word %u of %u, of %zu bytes, is %u and not %u", i, asked->count, length, ids[i],
                     words_id(list, count, word, length));
    }
    assert_int_equal(ids[asked->count], 0x5a5a5a5a);
}

/* Looks up a list of words in each way. */
static void expect_all(const akin_trie *trie, const words *in, const words *asked)
{
    uint32_t count;
    reversed *list = words_by_id(in, &count);
    uint32_t *ids = malloc(((size_t)asked->count + 1) * sizeof *ids);
    akin_column column = words_column(asked);
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA);
    assert_non_null(ids);
    for (int balance = 0; balance < AKIN_BALANCES && asked->count > 0; balance++) {
        akin_trie_gpu_job job = {akin_scope_of(&context), host_gpu(), trie, (akin_balance)balance};
        akin_error error;
        memset(ids, 0x5a, ((size_t)asked->count + 1) * sizeof *ids);
        assert_int_equal(akin_trie_look_up_there(&job, &column, asked->count, ids, &error), AKIN_OK);
        expect(ids, asked, list, count);
        assert_int_equal(host_device_holds(), 0);
    }
    memset(ids, 0x5a, ((size_t)asked->count + 1) * sizeof *ids);
    assert_int_equal(akin_trie_look_up(&context, trie, &column, asked->count, ids, NULL), AKIN_OK);
    expect(ids, asked, list, count);
    words_column_clear(&column);
    free(ids);
    free(list);
}

static void check_words(const words *in, const words *asked)
{
    for (size_t k = 0; k < WORD_KINDS; k++) {
        akin_trie *trie = words_build(&plain, in, word_kinds[k]);
        host_trie = (host_trie_state){0};
        expect_all(trie, in, in);
        expect_all(trie, in, asked);
        assert_true(asked->count == 0 || host_trie.launches >= 4);
        assert_true(host_trie.most <= 1024);
        akin_trie_free(trie);
    }
}

static void test_random(void **state)
{
    (void)state;
    words_check_random(check_words);
}

/* Every string over three letters of up to 7: all nodes have all children, so chunks are full, and those of others, in
 * which cells have every length, begin at every byte. */
static void test_full(void **state)
{
    words in = {0}, asked = {0};
    char word[8];
    (void)state;
    for (uint32_t length = 0, all = 1; length <= 7; length++, all *= 3)
        for (uint32_t i = 0; i < all; i++) {
            for (uint32_t at = 0, left = i; at < length; at++, left /= 3)
                word[at] = (char)('a' + left % 3);
            words_add(&asked, word, length);
            if (length < 6 || i * i % 7 < 3)
                words_add(&in, word, length);
        }
    words_add_string(&asked, "aaaaaaaa");
    words_add_string(&asked, "d");
    words_add_string(&asked, "aad");
    check_words(&asked, &in);
    words_add(&asked, "a\0a", 3);
    check_words(&in, &asked);
    words_clear(&in);
    words_clear(&asked);
}

/* Words at the borders of what is looked up there, words that no chunk has room for, and between them others. */
static void test_long(void **state)
{
    enum { LONG = 65536 };
    static const size_t lengths[] = {AKIN_GPU_WORD - 1, AKIN_GPU_WORD, AKIN_GPU_WORD + 1, 8191, 8192, 8193, LONG};
    words in = {0}, asked = {0};
    char *word = malloc(LONG + 1);
    (void)state;
    assert_non_null(word);
    memset(word, 'a', LONG + 1);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        words_add(&in, word, lengths[i]);
        for (size_t other = 0; other < 3; other++) {
            words_add(&asked, word, lengths[i] + other - 1);
            words_add(&asked, word, i);
        }
    }
    for (size_t i = 0; i < 5000; i++) {
        words_add(&asked, word, i % 7 * (i % 11) * 20);
        if (i % 1000 == 500)
            words_add(&asked, word, LONG + i % 2);
    }
    words_add(&asked, word, LONG);
    words_add(&in, word, 3);
    check_words(&in, &asked);
    words_clear(&in);
    words_add(&in, word, 3); /* nothing that is long is there */
    check_words(&in, &asked);
    words_clear(&in);
    words_clear(&asked);
    free(word);
}

static void test_nulls(void **state)
{
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA);
    const uint8_t validity[] = {0x15};
    words in = {0};
    uint32_t ids[5];
    (void)state;
    words_add_string(&in, "one");
    words_add_string(&in, "two");
    words_add_string(&in, "");
    words_add_string(&in, "");
    words_add_string(&in, "one");
    akin_trie *trie = words_build(&plain, &in, AKIN_TRIE_CHUNKS);
    akin_column column = words_column(&in);
    column.validity = validity;
    column.nulls = 2;
    host_trie = (host_trie_state){0};
    assert_int_equal(akin_trie_look_up(&context, trie, &column, 5, ids, NULL), AKIN_OK);
    assert_int_equal(host_trie.words, 5);
    assert_int_equal(ids[0], 1);
    assert_int_equal(ids[1], AKIN_TRIE_UNKNOWN);
    assert_int_equal(ids[2], 0);
    assert_int_equal(ids[3], AKIN_TRIE_UNKNOWN);
    assert_int_equal(ids[4], 1);
    assert_int_equal(akin_trie_look_up(&context, trie, &column, 0, ids, NULL), AKIN_OK);
    assert_int_equal(host_trie.words, 5);
    words_column_clear(&column);
    akin_trie_free(trie);
    words_clear(&in);
}

/* A GPU that has little room has small chunks, and one that has none leaves it to the CPU. */
static void test_room(void **state)
{
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA);
    words in = words_draw(9, 30000, 8, 26);
    akin_trie *trie = words_build(&plain, &in, AKIN_TRIE_CHUNKS);
    akin_column column = words_column(&in);
    uint32_t *ids = malloc(in.count * sizeof *ids), *expected = malloc(in.count * sizeof *ids);
    (void)state;
    assert_true(ids && expected);
    wishes.candidates = 0;
    assert_int_equal(akin_trie_look_up(&plain, trie, &column, in.count, expected, NULL), AKIN_OK);
    for (uint64_t room = 1; room < 4 << 20; room *= 4) {
        host_trie = (host_trie_state){0};
        host_device_give(room, 0);
        assert_int_equal(akin_trie_look_up(&context, trie, &column, in.count, ids, NULL), AKIN_OK);
        assert_memory_equal(ids, expected, in.count * sizeof *ids);
        assert_int_equal(host_trie.words, in.count);
        assert_true(host_trie.most * 32 <= room || host_trie.most <= 1024);
    }
    host_device_set(0);
    free(ids);
    free(expected);
    words_column_clear(&column);
    akin_trie_free(trie);
    words_clear(&in);
}

/* With auto a GPU is for many words; a GPU that is not there is no error, unless the options name it. */
static void test_choice(void **state)
{
    enum { MANY = 3200000 };
    akin_context context = context_of(&context, AKIN_DEVICE_AUTO);
    words in = {0};
    akin_error error;
    (void)state;
    words_add_string(&in, "a");
    words_add_string(&in, "b");
    akin_trie *trie = words_build(&plain, &in, AKIN_TRIE_CHUNKS);
    char *bytes = malloc(MANY);
    uint64_t *offsets = malloc((MANY + 1) * sizeof *offsets);
    uint32_t *ids = malloc(MANY * sizeof *ids);
    assert_true(bytes && offsets && ids);
    for (uint64_t i = 0; i <= MANY; i++)
        offsets[i] = i;
    memset(bytes, 'b', MANY);
    const akin_column column = {.size = sizeof column, .offsets = offsets, .bytes = bytes};
    host_trie = (host_trie_state){0};
    wishes.candidates = 0;
    assert_int_equal(akin_trie_look_up(&context, trie, &column, MANY, ids, NULL), AKIN_OK);
    assert_int_equal(host_device.opened, 0);
    context.device = host_gpu();
    assert_int_equal(akin_trie_look_up(&context, trie, &column, 1000, ids, NULL), AKIN_OK);
    assert_int_equal(host_trie.words, 0);
    assert_int_equal(akin_trie_look_up(&context, trie, &column, MANY, ids, NULL), AKIN_OK);
    assert_int_equal(host_trie.words, MANY);
    assert_int_equal(ids[MANY - 1], 1);
    host_trie = (host_trie_state){0};
    context.device->lost = 1;
    memset(ids, 0x5a, MANY * sizeof *ids);
    assert_int_equal(akin_trie_look_up(&context, trie, &column, MANY, ids, NULL), AKIN_OK);
    assert_int_equal(host_trie.words, 0);
    assert_int_equal(ids[MANY - 1], 1);
    context.device->lost = 0;
    context.device = NULL;
    context.scope.device_choice = AKIN_DEVICE_CUDA;
    host_device_set(.is_absent = 1);
    assert_int_equal(akin_trie_look_up(&context, trie, &column, 10, ids, &error), AKIN_E_DEVICE);
    assert_string_equal(error.message, "there is no GPU");
    free(bytes);
    free(offsets);
    free(ids);
    akin_trie_free(trie);
    words_clear(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_full), cmocka_unit_test(test_long),
        cmocka_unit_test(test_nulls),  cmocka_unit_test(test_room), cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
