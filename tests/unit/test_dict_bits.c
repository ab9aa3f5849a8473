/* The bit-vectors of tries, each against a list of bits: which are ones, how many come before, where one stands; and
 * that altered ones are refused. */
#include "dict/chunks.h"
#include "papers/dict/stt.h"
#include "papers/dict/rrr.h"
#include "test_dict_words.h"

typedef struct bits {
    uint32_t size, count;
    uint8_t *one;
    uint32_t *ones;
} bits;

/* Bits. About one in `apart` is one, in runs that are denser and sparser by turns. */
static bits draw_bits(uint64_t seed, uint32_t size, uint32_t apart)
{
    akin_random random;
    bits b = {.size = size, .one = calloc((size_t)size + 1, 1), .ones = malloc(((size_t)size + 1) * sizeof *b.ones)};
    assert_true(b.one && b.ones);
    akin_random_seed(&random, seed);
    for (uint32_t i = 0; i < size; i++) {
        uint64_t bound = i / 200 % 3 == 0 ? apart : i / 200 % 3 == 1 ? 1 + apart / 4 : 4 * (uint64_t)apart;
        b.one[i] = akin_random_below(&random, bound) == 0;
        if (b.one[i])
            b.ones[b.count++] = i;
    }
    return b;
}

static void clear_bits(bits *b)
{
    free(b->one);
    free(b->ones);
}

static void check_chunks(const bits *b)
{
    const uint32_t first = 1000;
    uint64_t records = akin_chunks_records(b->size), bytes = akin_chunks_cells(b->ones, b->count);
    akin_chunk_record *made = malloc(records * sizeof *made);
    uint8_t *cells = calloc(bytes + AKIN_TRIE_PAD, 1);
    if (!made || !cells)
        abort();
    akin_chunks_fill(b->ones, b->count, b->size, first, made, cells);
    akin_chunks chunks = {made, cells};
    assert_null(akin_chunks_check(chunks, b->size, first, b->count, bytes));
    uint32_t before = 0, number;
    for (uint32_t i = 0; i < b->size; i++) {
        assert_int_equal(akin_chunks_rank(chunks, i, &number), b->one[i]);
        assert_int_equal(number, first + before);
        before += b->one[i];
    }
    for (uint32_t i = 0; i < b->count; i++)
        assert_int_equal(akin_chunks_select(chunks, b->size, first + i), b->ones[i]);
    assert_non_null(akin_chunks_check(chunks, b->size, first + 1, b->count, bytes));
    assert_non_null(akin_chunks_check(chunks, b->size, first, b->count + 1, bytes));
    assert_non_null(akin_chunks_check(chunks, b->size, first, b->count, bytes + 1));
    if (b->count > 0 && b->ones[b->count - 1] > 0)
        assert_non_null(akin_chunks_check(chunks, b->ones[b->count - 1], first, b->count, bytes));
    for (uint64_t i = 0; i < bytes; i += 1 + bytes / 50) {
        cells[i] ^= 0x80; /* a place beyond the chunk, or one bit more, or less */
        assert_non_null(akin_chunks_check(chunks, b->size, first, b->count, bytes));
        cells[i] ^= 0x80;
    }
    for (uint64_t i = 0; i < records * sizeof *made; i += 1 + records / 4) {
        ((uint8_t *)made)[i] ^= 1;
        assert_non_null(akin_chunks_check(chunks, b->size, first, b->count, bytes));
        ((uint8_t *)made)[i] ^= 1;
    }
    free(made);
    free(cells);
}

static void check_rrr(const bits *b, const akin_rrr_table *table)
{
    uint64_t superblocks = akin_rrr_superblocks(b->size), bytes = akin_ceil_div(akin_rrr_offsets(b->ones, b->count), 8);
    akin_rrr_superblock *made = malloc(superblocks * sizeof *made);
    uint8_t *offsets = calloc(bytes + AKIN_TRIE_PAD, 1);
    if (!made || !offsets)
        abort();
    akin_rrr_fill(table, b->ones, b->count, b->size, made, offsets);
    akin_rrr rrr = {made, offsets, table};
    assert_null(akin_rrr_check(rrr, b->size, b->count, bytes));
    uint32_t before = 0, number;
    for (uint32_t i = 0; i < b->size; i++) {
        assert_int_equal(akin_rrr_rank(rrr, i, &number), b->one[i]);
        assert_int_equal(number, before);
        before += b->one[i];
    }
    for (uint32_t i = 0; i < b->count; i++)
        assert_int_equal(akin_rrr_select(rrr, b->size, i), b->ones[i]);
    assert_non_null(akin_rrr_check(rrr, b->size, b->count + 1, bytes));
    assert_non_null(akin_rrr_check(rrr, b->size, b->count, bytes + 1));
    if (b->count > 0 && b->ones[b->count - 1] > 0)
        assert_non_null(akin_rrr_check(rrr, b->ones[b->count - 1], b->count, bytes));
    for (uint64_t i = 0; i < superblocks * sizeof *made; i += 1 + superblocks / 4) {
        ((uint8_t *)made)[i] ^= 1;
        assert_non_null(akin_rrr_check(rrr, b->size, b->count, bytes));
        ((uint8_t *)made)[i] ^= 1;
    }
    free(made);
    free(offsets);
}

static void check_sparse(const bits *b)
{
    const uint32_t before_it = 7; /* places of another vector */
    uint64_t starts = akin_sparse_starts(b->size);
    uint32_t *made = malloc(starts * sizeof *made);
    uint16_t *places = calloc((size_t)b->count + before_it + 1, sizeof *places);
    if (!made || !places)
        abort();
    akin_sparse_fill(b->ones, b->count, b->size, before_it, made, places);
    akin_sparse sparse = {made, places};
    assert_null(akin_sparse_check(sparse, b->size, before_it, b->count));
    uint32_t before = 0, number;
    for (uint32_t i = 0; i < b->size; i++) {
        assert_int_equal(akin_sparse_rank(sparse, i, &number), b->one[i]);
        assert_int_equal(number, before);
        before += b->one[i];
    }
    for (uint32_t i = 0; i < b->count; i++)
        assert_int_equal(akin_sparse_select(sparse, b->size, i), b->ones[i]);
    assert_non_null(akin_sparse_check(sparse, b->size, before_it + 1, b->count));
    assert_non_null(akin_sparse_check(sparse, b->size, before_it, b->count + 1));
    if (b->count > 0)
        assert_non_null(akin_sparse_check(sparse, b->ones[b->count - 1], before_it, b->count));
    for (uint32_t i = 1; i < b->count; i++)
        if (b->ones[i] / AKIN_SPARSE_RANGE == b->ones[i - 1] / AKIN_SPARSE_RANGE) {
            places[before_it + i] = places[before_it + i - 1];
            assert_non_null(akin_sparse_check(sparse, b->size, before_it, b->count));
            places[before_it + i] = (uint16_t)b->ones[i];
        }
    free(made);
    free(places);
}

static void test_vectors(void **state)
{
    static const uint32_t sizes[] = {1,   2,   14,  15,  16,   63,   64,   65,   127,  128,
                                     129, 239, 240, 241, 3071, 3072, 3073, 6145, 20000};
    static const uint32_t aparts[] = {1, 2, 3, 5, 9, 30, 200, 5000};
    akin_rrr_table *table = malloc(sizeof *table);
    (void)state;
    assert_non_null(table);
    akin_rrr_tabulate(table);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof aparts / sizeof *aparts; k++) {
            bits b = draw_bits(i * 100 + k, sizes[i], aparts[k]);
            check_chunks(&b);
            check_rrr(&b, table);
            check_sparse(&b);
            clear_bits(&b);
        }
    bits b = draw_bits(5, 3 * AKIN_SPARSE_RANGE + 17, 500);
    check_sparse(&b);
    clear_bits(&b);
    free(table);
}

/* For each class the bits of its offsets are the least that distinguish its blocks, and the table has each block
 * once. */
static void test_rrr_table(void **state)
{
    akin_rrr_table *table = malloc(sizeof *table);
    uint8_t *seen = calloc(1, 1 << AKIN_RRR_BLOCK);
    (void)state;
    assert_true(table && seen);
    akin_rrr_tabulate(table);
    uint64_t blocks = 1;
    for (uint32_t k = 0; k <= AKIN_RRR_BLOCK; k++) {
        uint32_t width = 0, end = table->starts[k] + (uint32_t)blocks;
        while (blocks > (uint64_t)1 << width)
            width++;
        assert_int_equal(akin_rrr_widths((uint64_t)k << 20) >> 20, width);
        assert_int_equal(akin_rrr_sum(akin_rrr_widths(0x1111111111111111u * k)), 16 * width);
        assert_int_equal(end, k < AKIN_RRR_BLOCK ? table->starts[k + 1] : 1u << AKIN_RRR_BLOCK);
        for (uint32_t i = table->starts[k]; i < end; i++) {
            assert_int_equal(akin_popcount64(table->blocks[i]), k);
            assert_int_equal(seen[table->blocks[i]]++, 0);
        }
        blocks = blocks * (AKIN_RRR_BLOCK - k) / (k + 1);
    }
    free(table);
    free(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors), cmocka_unit_test(test_rrr_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
