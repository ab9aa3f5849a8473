/* Frozen dictionaries of every kind: the paper's example, and words against a sorted list, one by one and many at
 * once. */
#include "base/context.h"
#include "papers/dict/rrr.h"
#include "test_dict_words.h"

static akin_context context;

static int setup(void **state)
{
    (void)state;
    context = words_context(&context, 1);
    return 0;
}

/* ---------------------------------------------------------------------------------------------- the paper's figures */

static words of_figure_1(void)
{
    words w = {0};
    static const char *const list[] = {"aba", "ba", "bb", "cb", "cc"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        words_add_string(&w, list[i]);
    return w;
}

/* Figure 1 and Table 1: the trie of aba, ba, bb, cb, cc, and where each node goes on to. */
static void test_figure_1(void **state)
{
    static const int table[3][10] = {{1, -1, -1, -1, 2, 3, -1, -1, -1, -1},
                                     {4, 5, -1, -1, 6, -1, -1, -1, 7, -1},
                                     {8, -1, -1, -1, -1, -1, -1, -1, 9, -1}};
    static const int ends[10] = {-1, -1, 0, 1, -1, -1, 2, 3, -1, 4};
    words w = of_figure_1();
    (void)state;
    for (size_t k = 0; k < WORD_KINDS; k++) {
        akin_trie *trie = words_build(&context, &w, word_kinds[k]);
        assert_int_equal(trie->head.nodes, 10);
        assert_int_equal(trie->head.symbols, 3);
        assert_int_equal(trie->head.longest, 3);
        for (uint32_t node = 0; node < 10; node++)
            for (uint32_t symbol = 0; symbol < 4; symbol++) {
                int expected = symbol < 3 ? table[symbol][node] : ends[node];
                uint32_t next = 77;
                assert_int_equal(akin_trie_next(trie, node, symbol, &next), expected >= 0);
                if (expected >= 0) {
                    assert_int_equal(next, expected);
                    assert_int_equal(akin_trie_parent(trie, symbol, next), node);
                }
            }
        words_expect(trie, &w);
        akin_trie_free(trie);
    }
    words_clear(&w);
}

/* Figure 2: the transitions by b, B_b = 1100100010 and C[b] = 4. */
static void test_figure_2(void **state)
{
    static const uint32_t nodes[] = {0, 1, 4, 8};
    words w = of_figure_1();
    akin_trie *trie = words_build(&context, &w, AKIN_TRIE_RRR);
    (void)state;
    const akin_trie_edge *b = &trie->edges[trie->code['b']];
    akin_rrr rrr = {b->records, b->cells, trie->own};
    assert_int_equal(b->first, 4);
    for (uint32_t node = 0, before = 0; node < 10; node++) {
        uint32_t rank;
        int one = before < 4 && nodes[before] == node;
        assert_int_equal(akin_rrr_rank(rrr, node, &rank), one);
        assert_int_equal(rank, before);
        before += (uint32_t)one;
    }
    /* One superblock of one block that is not empty: 4 ones of 15, so class 4, whose offsets have 11 bits. */
    const akin_rrr_superblock *superblock = b->records;
    assert_int_equal(superblock->classes, 4);
    assert_int_equal(superblock->ones, 0);
    akin_trie_free(trie);
    words_clear(&w);
}

/* ------------------------------------------------------------------------------------------------------------ words */

/* Looks up a list of words by each walker and with several threads. */
static void expect_all(const akin_trie *trie, const words *in, const words *asked)
{
    uint32_t count;
    reversed *list = words_by_id(in, &count);
    uint32_t *ids = malloc(((size_t)asked->count + 1) * sizeof *ids);
    akin_column column = words_column(asked);
    assert_non_null(ids);
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            akin_context own = words_context(&own, threads);
            akin_error error;
            own.scope.cpu = (akin_cpu)cpu;
            memset(ids, 0x5a, ((size_t)asked->count + 1) * sizeof *ids);
            assert_int_equal(akin_trie_look_up(&own, trie, &column, asked->count, ids, &error), AKIN_OK);
            for (uint32_t i = 0; i < asked->count; i++) {
                size_t length;
                const char *word = words_at(asked, i, &length);
                assert_int_equal(ids[i], words_id(list, count, word, length));
            }
            assert_int_equal(ids[asked->count], 0x5a5a5a5a);
        }
    for (uint32_t i = 0; i < asked->count; i++) {
        size_t length;
        const char *word = words_at(asked, i, &length);
        uint32_t id = AKIN_TRIE_UNKNOWN, expected = words_id(list, count, word, length);
        assert_int_equal(akin_trie_find(trie, word, length, &id), expected != AKIN_TRIE_UNKNOWN);
        assert_int_equal(id, expected);
    }
    words_column_clear(&column);
    free(ids);
    free(list);
}

static void check_words(const words *in, const words *asked)
{
    for (size_t k = 0; k < WORD_KINDS; k++) {
        akin_trie *trie = words_build(&context, in, word_kinds[k]);
        words_expect(trie, in);
        expect_all(trie, in, in);
        expect_all(trie, in, asked);
        akin_trie_free(trie);
    }
}

static void test_random(void **state)
{
    (void)state;
    words_check_random(check_words);
}

/* Every string over three letters of up to 7: all nodes have all children, so chunks are full. */
static void test_full(void **state)
{
    words in = {0}, asked = {0};
    char word[8];
    (void)state;
    for (uint32_t length = 0, all = 1; length <= 7; length++, all *= 3)
        for (uint32_t i = 0; i < all; i++) {
            for (uint32_t at = 0, left = i; at < length; at++, left /= 3)
                word[at] = (char)('a' + left % 3);
            words_add(&in, word, length);
        }
    words_add_string(&asked, "aaaaaaaa");
    words_add_string(&asked, "d");
    words_add_string(&asked, "aad");
    check_words(&in, &asked);
    words_clear(&in);
    words_clear(&asked);
}

static void test_special(void **state)
{
    static const char *const none[] = {"", "a", "ab", "\xff"};
    words in = {0}, asked = {0};
    char all[255];
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        words_add_string(&asked, none[i]);
    check_words(&in, &asked); /* no word */
    words_add_string(&in, "");
    check_words(&in, &asked); /* the empty one */
    words_add_string(&in, "");
    words_add_string(&in, "ab");
    check_words(&in, &asked); /* twice, and a longer one */
    words_clear(&in);
    for (int byte = 1; byte < 256; byte++)
        all[byte - 1] = (char)byte;
    words_add(&in, all, 255);
    check_words(&in, &asked); /* 255 symbols */
    for (size_t i = 0; i < 255; i++)
        words_add(&in, all + i, 1);
    for (size_t length = 0; length < 255; length++)
        words_add(&in, all, length);
    check_words(&in, &asked); /* and each beginning of it */
    words_clear(&in);
    words_clear(&asked);
}

/* Words of 64 KB: of one letter, one the beginning of the other, and such that differ late. */
static void test_long(void **state)
{
    enum { LONG = 65536 };
    words in = {0}, asked = {0};
    char *word = malloc(LONG + 1);
    (void)state;
    assert_non_null(word);
    memset(word, 'a', LONG + 1);
    words_add(&in, word, LONG);
    words_add(&in, word, LONG - 1);
    words_add(&in, word, 12);
    words_add(&in, word, 24);
    words_add(&asked, word, LONG + 1);
    words_add(&asked, word, LONG - 2);
    word[LONG - 1] = 'b';
    words_add(&in, word, LONG);
    word[0] = 'c';
    words_add(&in, word, LONG);
    word[LONG / 2] = 'c';
    words_add(&asked, word, LONG);
    check_words(&in, &asked);
    words_clear(&in);
    words_clear(&asked);
    free(word);
}

/* The order of the words, and how often each is there, make no difference: the files are the same bytes. */
static void test_order(void **state)
{
    words in = words_draw(77, 4000, 9, 30), sorted = {0}, twice = {0};
    uint32_t count;
    reversed *list = words_by_id(&in, &count);
    (void)state;
    for (uint32_t i = 0; i < count; i++)
        words_add(&sorted, (const char *)list[i].bytes, list[i].length);
    for (uint32_t i = 0; i < 2 * in.count; i++) {
        size_t length;
        const char *word = words_at(&in, (i * 7919) % in.count, &length);
        words_add(&twice, word, length);
    }
    for (size_t k = 0; k < WORD_KINDS; k++) {
        akin_trie *a = words_build(&context, &in, word_kinds[k]);
        akin_trie *b = words_build(&context, &sorted, word_kinds[k]);
        akin_trie *c = words_build(&context, &twice, word_kinds[k]);
        for (int part = 0; part < AKIN_TRIE_PARTS; part++) {
            assert_int_equal(a->parts[part].length, b->parts[part].length);
            assert_int_equal(a->parts[part].length, c->parts[part].length);
            if (a->parts[part].length > 0) {
                assert_memory_equal(a->parts[part].data, b->parts[part].data, a->parts[part].length);
                assert_memory_equal(a->parts[part].data, c->parts[part].data, a->parts[part].length);
            }
        }
        akin_trie_free(a);
        akin_trie_free(b);
        akin_trie_free(c);
    }
    free(list);
    words_clear(&in);
    words_clear(&sorted);
    words_clear(&twice);
}

static void test_nulls(void **state)
{
    words in = {0}, kept = {0};
    const uint8_t validity[] = {0x15};
    akin_trie *trie = NULL;
    akin_error error;
    uint32_t ids[5];
    (void)state;
    words_add_string(&in, "one");
    words_add_string(&in, "two");
    words_add_string(&in, "");
    words_add_string(&in, "");
    words_add_string(&in, "one");
    words_add_string(&kept, "");
    words_add_string(&kept, "one");
    akin_column column = words_column(&in);
    column.validity = validity;
    column.nulls = 2;
    assert_int_equal(akin_trie_build(&context, &column, 5, NULL, &trie, &error), AKIN_OK);
    words_expect(trie, &kept);
    assert_int_equal(akin_trie_look_up(&context, trie, &column, 5, ids, &error), AKIN_OK);
    assert_int_equal(ids[0], 1);
    assert_int_equal(ids[1], AKIN_TRIE_UNKNOWN);
    assert_int_equal(ids[2], 0);
    assert_int_equal(ids[3], AKIN_TRIE_UNKNOWN); /* a null is not the empty word */
    assert_int_equal(ids[4], 1);
    words_column_clear(&column);
    akin_trie_free(trie);
    words_clear(&in);
    words_clear(&kept);
}

/* With a memory bound arrays go to temporary files; the trie is the same. */
static void test_bound(void **state)
{
    akin_context bound = words_context(&bound, 1);
    words in = words_draw(5, 60000, 9, 26);
    akin_trie *trie;
    (void)state;
    bound.scope.memory = 1 << 20;
    trie = words_build(&bound, &in, AKIN_TRIE_CHUNKS);
    words_expect(trie, &in);
    akin_trie_free(trie);
    words_clear(&in);
}

/* --------------------------------------------------------------------------------------------------------- refusals */

static int stop(void *user)
{
    (void)user;
    return 1;
}

static void refuse(const words *in, const akin_trie_options *options, const char *name, akin_status expected,
                   const char *message)
{
    akin_column column = words_column(in);
    akin_trie *trie = NULL;
    akin_error error;
    column.name = name;
    assert_int_equal(akin_trie_build(&context, &column, in->count, options, &trie, &error), expected);
    assert_string_equal(error.message, message);
    assert_int_equal(akin_trie_build(&context, &column, in->count, options, &trie, NULL), expected);
    assert_null(trie);
    words_column_clear(&column);
}

static void test_refused(void **state)
{
    akin_trie_options options = AKIN_TRIE_OPTIONS_INIT;
    words in = {0};
    (void)state;
    words_add_string(&in, "good");
    options.kind = (akin_trie_kind)4;
    refuse(&in, &options, NULL, AKIN_E_OPTION, "akin_trie_options: there is no kind of trie 4");
    options.kind = AKIN_TRIE_RRR;
    context.annex = NULL;
    refuse(&in, &options, NULL, AKIN_E_OPTION,
           "akin_trie_options: the kind of trie 1024 is not in libakin: link libakin_papers, and call "
           "akin_context_use(context, akin_papers(), error) first");
    context.annex = akin_papers();
    options.reserved = 1;
    refuse(&in, &options, NULL, AKIN_E_OPTION, "akin_trie_options: reserved is not 0");
    context.scope.reporter.cancel = stop;
    refuse(&in, NULL, NULL, AKIN_E_CANCELLED, "cancelled");
    context.scope.reporter.cancel = NULL;
    words_add(&in, "b\0d", 3);
    refuse(&in, NULL, NULL, AKIN_E_INPUT, "row 1 has a NUL byte, which no word may have");
    refuse(&in, NULL, "word", AKIN_E_INPUT, "row 1 of column 'word' has a NUL byte, which no word may have");
    words_clear(&in);
}

/* Columns that cannot be, whoever takes them. */
static void test_columns_refused(void **state)
{
    static const uint64_t falls[] = {0, 200, 3}, rises[] = {0, 3, 3};
    const struct {
        akin_column column;
        const char *why;
    } cases[] = {
        {{.size = sizeof(akin_column), .offsets = falls, .bytes = "red"},
         "column 0, row 1: its offset 200 is above the next one, 3"},
        {{.size = sizeof(akin_column) - 8, .offsets = rises, .bytes = "red"},
         "column 0: its size is 56, expected 64, as in all of them"},
        {{.offsets = rises, .bytes = "red"},
         "akin_column: its size is 0, expected 64 (set it with its _INIT or with sizeof)"},
    };
    words in = of_figure_1();
    akin_trie *trie = words_build(&context, &in, AKIN_TRIE_CHUNKS), *none = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_error error;
        uint32_t ids[2] = {7, 7};
        assert_int_equal(akin_trie_build(&context, &cases[i].column, 2, NULL, &none, &error), AKIN_E_OPTION);
        assert_string_equal(error.message, cases[i].why);
        assert_null(none);
        assert_int_equal(akin_trie_look_up(&context, trie, &cases[i].column, 2, ids, &error), AKIN_E_OPTION);
        assert_string_equal(error.message, cases[i].why);
        assert_int_equal(ids[0], 7);
    }
    akin_trie_free(trie);
    words_clear(&in);
}

static void test_answers(void **state)
{
    words in = of_figure_1();
    akin_trie *trie = words_build(&context, &in, AKIN_TRIE_CHUNKS);
    akin_trie_statistics about = {.size = sizeof about};
    akin_trie_kind kind;
    akin_error error;
    char buffer[3] = "xyz";
    size_t length = 77;
    uint32_t id = 77;
    (void)state;
    assert_int_equal(akin_trie_string(trie, 5, buffer, 3, &length, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "there is no word 5, only 5 of them");
    assert_int_equal(length, 77);
    assert_int_equal(akin_trie_string(trie, 1, buffer, 2, &length, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "word 1 has 3 bytes, and there is room for 2");
    assert_int_equal(length, 3);
    assert_int_equal(buffer[2], 'z');
    assert_false(akin_trie_find(trie, "ab", 2, &id));
    assert_false(akin_trie_find(trie, "b\0a", 3, &id));
    assert_int_equal(id, 77);
    assert_int_equal(akin_trie_describe(trie, &about, &error), AKIN_OK);
    assert_int_equal(about.kind, AKIN_TRIE_CHUNKS);
    assert_int_equal(about.words, 5);
    assert_int_equal(about.nodes, 10);
    assert_int_equal(about.symbols, 3);
    assert_int_equal(about.longest, 3);
    assert_int_equal(about.bytes_table, 10 * 4 * 4);
    for (size_t k = 0; k < WORD_KINDS; k++) {
        assert_int_equal(
            akin_trie_kind_parse(akin_papers(), akin_trie_kind_name(akin_papers(), word_kinds[k]), &kind, &error),
            AKIN_OK);
        assert_int_equal(kind, word_kinds[k]);
    }
    assert_null(akin_trie_kind_name(akin_papers(), (akin_trie_kind)0));
    assert_null(akin_trie_kind_name(akin_papers(), (akin_trie_kind)4));
    assert_int_equal(akin_trie_kind_parse(akin_papers(), "trie", &kind, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "unknown kind of trie 'trie': expected chunks, rrr or stt");
    assert_null(akin_trie_kind_name(NULL, AKIN_TRIE_RRR));
    assert_int_equal(akin_trie_kind_parse(NULL, "rrr", &kind, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "unknown kind of trie 'rrr': expected chunks");
    akin_trie_free(trie);
    akin_trie_free(NULL);
    words_clear(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_1), cmocka_unit_test(test_figure_2),        cmocka_unit_test(test_random),
        cmocka_unit_test(test_full),     cmocka_unit_test(test_special),         cmocka_unit_test(test_long),
        cmocka_unit_test(test_order),    cmocka_unit_test(test_nulls),           cmocka_unit_test(test_bound),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_columns_refused), cmocka_unit_test(test_answers),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
