/* What a thread of a GPU does with text (src/weigh/gpu_look.h), where chance would not bring it: words that a hash does
 * not distinguish, the ends of words of bits, every byte by every rule. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "weigh/gpu_look.h"
#include "weigh/gpu_tally.h"

#include <stdlib.h>
#include <string.h>

#define BITS 4

/* A text that is marked, and a table without words. */
typedef struct fixture {
    uint64_t bytes[2 * AKIN_GPU_SPAN / 8];
    uint32_t begins[2 * AKIN_GPU_WORDS], stops[2 * AKIN_GPU_WORDS], tokens[AKIN_GPU_SPAN];
    uint16_t ranks[2 * AKIN_GPU_WORDS];
    uint64_t bases[3], offsets[3], slots[1 << BITS], pool[64];
    uint32_t fresh[8];
    akin_gpu_word words[4];
    akin_gpu_long longs[8];
    akin_gpu_news news;
    akin_gpu_text text;
    akin_gpu_table table;
    akin_gpu_finds finds;
} fixture;

/* Two documents of one text: the second begins at `border`. */
static fixture *begin(const char *text, uint64_t length, uint64_t border, uint32_t rule)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    memset(f->bytes, 'z', sizeof f->bytes); /* what is behind the text does not matter */
    memcpy(f->bytes, text, length);
    memset(f->slots, 0xff, sizeof f->slots);
    f->offsets[1] = border;
    f->offsets[2] = length;
    f->text = (akin_gpu_text){.text = f->bytes,
                              .bytes = length,
                              .spans = length / AKIN_GPU_SPAN + 1,
                              .offsets = f->offsets,
                              .documents = 2,
                              .rule = rule,
                              .begins = f->begins,
                              .stops = f->stops,
                              .ranks = f->ranks,
                              .bases = f->bases,
                              .tokens = f->tokens};
    f->table = (akin_gpu_table){.slots = f->slots, .bits = BITS, .words = f->words, .pool = f->pool, .salt = {3, 5}};
    f->finds = (akin_gpu_finds){.news = &f->news, .slots = f->fresh, .room = 8, .longs = f->longs};
    if (border < length)
        f->stops[border / 32] |= (uint32_t)1 << border % 32;
    f->stops[0] |= length > 0;
    for (uint64_t word = 0, count = 0; word < f->text.spans * AKIN_GPU_WORDS; word++) {
        f->begins[word] = akin_gpu_mark(&f->text, word, &f->stops[word]);
        count = word % AKIN_GPU_WORDS == 0 ? 0 : count;
        f->ranks[word] = (uint16_t)count;
        count += akin_gpu_ones(f->begins[word]);
        f->bases[word / AKIN_GPU_WORDS + 1] = f->bases[word / AKIN_GPU_WORDS] + count;
    }
    return f;
}

static int is_begin(const fixture *f, uint64_t at)
{
    return f->begins[at / 32] >> at % 32 & 1;
}

/* Every byte, between two letters. */
static void test_bytes(void **state)
{
    (void)state;
    for (uint32_t rule = 0; rule < 4; rule++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            char text[] = {'a', (char)byte, 'b'};
            const int letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
            const int inside =
                byte != 0xff && (rule & AKIN_GPU_BARRIERS || letter || (byte >= '0' && byte <= '9') || byte >= 0x80);
            fixture *f = begin(text, 3, 3, rule);
            assert_int_equal(is_begin(f, 0), 1);
            assert_int_equal(is_begin(f, 1), 0);
            assert_int_equal(is_begin(f, 2), !inside);
            assert_int_equal(akin_gpu_length(&f->text, 0), inside ? 3 : 1);
            assert_int_equal(akin_gpu_rank(&f->text, 3), inside ? 1 : 2);
            const uint64_t folded = rule & AKIN_GPU_FOLDED && byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
            assert_int_equal(akin_gpu_take(&f->text, 1, 1), folded);
            free(f);
        }
}

/* A token that begins and ends anywhere, of any length, with documents that meet within it. */
static void test_places(void **state)
{
    static char text[AKIN_GPU_SPAN + 300];
    (void)state;
    for (uint64_t begins = AKIN_GPU_SPAN - 70; begins < AKIN_GPU_SPAN + 70; begins += 3)
        for (uint64_t length = 1; length < 140; length += length < 70 ? 1 : 23) {
            memset(text, ' ', sizeof text);
            memset(text + begins, 'q', length);
            for (int meets = 0; meets < 2; meets++) {
                const uint64_t end = begins + length, border = meets ? begins + length / 2 : sizeof text;
                fixture *f = begin(text, length % 2 ? end : sizeof text, border < end ? border : end, AKIN_GPU_LETTERS);
                assert_int_equal(is_begin(f, begins), 1);
                assert_int_equal(akin_gpu_length(&f->text, begins), meets && length > 1 ? length / 2 : length);
                if (meets && length > 1)
                    assert_int_equal(akin_gpu_length(&f->text, border), length - length / 2);
                assert_int_equal(akin_gpu_rank(&f->text, f->text.bytes), meets && length > 1 ? 2 : 1);
                free(f);
            }
        }
}

/* Puts into the slot where a token looks first what has its tag, and is another word. */
static void deceive(fixture *f, uint64_t begins, uint64_t reference)
{
    const akin_gpu_key key = akin_gpu_key_of(&f->text, f->table.salt, begins, akin_gpu_length(&f->text, begins));
    f->slots[key.hash >> (64 - BITS)] = key.hash << 48 | reference;
}

/* Looks up the token there, which is new: it gets the slot behind. */
static void expect_new(fixture *f, uint64_t begins)
{
    const uint32_t length = akin_gpu_length(&f->text, begins);
    const uint64_t home = akin_gpu_key_of(&f->text, f->table.salt, begins, length).hash >> (64 - BITS);
    const uint64_t before = f->slots[home], next = (home + 1) % (1 << BITS);
    akin_gpu_look_up(&f->text, &f->table, &f->finds, begins, 0);
    assert_int_equal(f->tokens[0], AKIN_GPU_FRESH | next);
    assert_int_equal(f->slots[next] & AKIN_GPU_BELOW, begins);
    assert_true(f->slots[home] == before);
    assert_int_equal(f->news.fresh, 1);
    assert_int_equal(f->news.full, 0);
}

/* Hashes that are the same decide nothing. */
static void test_collisions(void **state)
{
    static const char text[] = "sixteen0letters0tail sixteen0letters0tale short shorter longlong longlonger";
    static const struct {
        uint64_t first, second;
    } pairs[] = {{0, 21}, {42, 48}, {48, 42}, {56, 65}, {65, 56}};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        fixture *f = begin(text, sizeof text - 1, sizeof text - 1, AKIN_GPU_LETTERS | AKIN_GPU_FOLDED);
        deceive(f, pairs[i].second, AKIN_GPU_IS_NEW | pairs[i].first);
        expect_new(f, pairs[i].second);
        free(f);
        /* the same of a word that is known */
        f = begin(text, sizeof text - 1, sizeof text - 1, AKIN_GPU_LETTERS | AKIN_GPU_FOLDED);
        const uint64_t begins = pairs[i].first, place = 0, own = 0;
        const akin_gpu_fresh fresh = {(uint64_t[]){begins}, (uint32_t[]){(1 << BITS) - 1}, NULL, (uint64_t[]){place},
                                      1};
        f->slots[(1 << BITS) - 1] = AKIN_GPU_IS_NEW | begins;
        akin_gpu_keep(&f->text, &f->table, &fresh, 0, 7);
        f->slots[(1 << BITS) - 1] = AKIN_GPU_EMPTY;
        assert_int_equal(f->words[0].length, akin_gpu_length(&f->text, begins));
        deceive(f, pairs[i].second, own);
        expect_new(f, pairs[i].second);
        /* and itself it finds */
        deceive(f, begins, own);
        akin_gpu_look_up(&f->text, &f->table, &f->finds, begins, 1);
        assert_int_equal(f->tokens[1], 7);
        free(f);
    }
}

/* A table without a free slot, one without room, and tokens as long as the device takes, and longer. */
static void test_limits(void **state)
{
    static char text[AKIN_GPU_LONG + 1];
    (void)state;
    memset(text, 'k', sizeof text);
    for (uint32_t more = 0; more < 2; more++) {
        fixture *f = begin(text, AKIN_GPU_LONG + more, AKIN_GPU_LONG + more, AKIN_GPU_LETTERS);
        akin_gpu_look_up(&f->text, &f->table, &f->finds, 0, 0);
        assert_int_equal(f->news.longs, more);
        assert_int_equal(f->news.fresh, !more);
        assert_int_equal(f->news.size, more ? 0 : AKIN_GPU_LONG / 8);
        assert_int_equal(f->news.full, 0);
        free(f);
    }
    fixture *f = begin("word", 4, 4, AKIN_GPU_LETTERS);
    f->finds.room = 0;
    akin_gpu_look_up(&f->text, &f->table, &f->finds, 0, 0);
    assert_int_equal(f->news.full, 1);
    free(f);
    f = begin("word", 4, 4, AKIN_GPU_LETTERS);
    const uint64_t tag = akin_gpu_key_of(&f->text, f->table.salt, 0, 4).hash << 48;
    for (int i = 0; i < 1 << BITS; i++)
        f->slots[i] = ~tag & AKIN_GPU_TAG;
    akin_gpu_look_up(&f->text, &f->table, &f->finds, 0, 0);
    assert_int_equal(f->news.full, 1);
    assert_int_equal(f->news.fresh, 0);
    free(f);
}

/* Terms of one document beyond the room of a table, and beyond its slots. */
static void test_table(void **state)
{
    enum { SLOTS = 128, ROOM = 100 };
    uint32_t keys[SLOTS], terms[SLOTS], times[SLOTS], distinct, spared, full;
    const akin_gpu_tally tally = {keys, terms, times, ROOM, SLOTS, &distinct, &spared, &full};
    (void)state;
    akin_gpu_tally_clear(&tally, 0, 1);
    for (uint32_t round = 1; round <= 2; round++)
        for (uint32_t i = 0; i < ROOM; i++)
            assert_int_equal(akin_gpu_tally_count(&tally, i * 977), 1);
    assert_int_equal(distinct, ROOM);
    for (uint32_t i = 0; i < ROOM; i++) {
        int is_new;
        const uint32_t at = akin_gpu_tally_find(&tally, i * 977, &is_new);
        assert_int_equal(is_new, 0);
        assert_int_equal(terms[at], i * 977);
        assert_int_equal(times[at], 2);
        assert_int_equal(keys[i], i * 977);
    }
    for (uint32_t i = ROOM; i < SLOTS + 3; i++)
        assert_int_equal(akin_gpu_tally_count(&tally, i * 977), 0);
    assert_int_equal(akin_gpu_tally_count(&tally, 0), 1);
}

/* Searches, against going through all. */
static void test_searches(void **state)
{
    static const uint64_t numbers[] = {0, 0, 3, 3, 3, 9, 10, 10, 20};
    (void)state;
    for (uint64_t count = 1; count <= 9; count++)
        for (uint64_t value = 0; value < 22; value++) {
            uint64_t below = 0, last = 0;
            for (uint64_t i = 0; i < count; i++) {
                below += numbers[i] < value;
                last = numbers[i] <= value ? i : last;
            }
            assert_int_equal(akin_gpu_below(numbers, count, value), below);
            assert_int_equal(akin_gpu_last(numbers, 0, count, value), last);
            if (count > 2 && numbers[2] <= value)
                assert_int_equal(akin_gpu_last(numbers, 2, count - 2, value), last);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),  cmocka_unit_test(test_places), cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_table),  cmocka_unit_test(test_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
