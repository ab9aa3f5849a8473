/* The order of sets of one size by keys and ties against plain comparisons, with as many bits as ranks may have. */
#include "test_sets_support.h"

#include "sets/keys.h"

/* What qsort compares: it has no argument of its own. */
static const uint32_t *ranks_here;
static uint32_t size_here;

static int by_ranks(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    for (uint32_t i = 0; i < size_here; i++) {
        const uint32_t p = ranks_here[x * size_here + i], q = ranks_here[y * size_here + i];
        if (p != q)
            return p < q ? -1 : 1;
    }
    return (x > y) - (x < y);
}

static const akin_set_keys *keys_here;

/* By first ranks alone, and then as they come: all that settling asks for. */
static int by_first(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    const uint32_t p = akin_first_rank_of_key(keys_here, x), q = akin_first_rank_of_key(keys_here, y);
    const uint32_t i = akin_set_of_key(keys_here, x), j = akin_set_of_key(keys_here, y);
    return p != q ? (p < q ? -1 : 1) : (i > j) - (i < j);
}

/* Settles `count` sets of a class of `class_sets` sets, at least that many, and compares. */
static void check(const uint32_t *ranks, uint32_t size, uint32_t count, uint32_t class_sets, uint32_t bits)
{
    const akin_set_keys keys = akin_set_keys_of(ranks, size, class_sets, bits);
    uint64_t *list = malloc(((size_t)count + 1) * sizeof *list);
    uint32_t *expected = malloc(((size_t)count + 1) * sizeof *expected);
    assert_true(list && expected);
    for (uint32_t i = 0; i < count; i++) {
        list[i] = akin_set_key(&keys, i, 0);
        expected[i] = i;
        assert_int_equal(akin_set_of_key(&keys, list[i]), i);
        assert_int_equal(akin_first_rank_of_key(&keys, list[i]), ranks[i * size]);
    }
    ranks_here = ranks;
    size_here = size;
    keys_here = &keys;
    qsort(expected, count, sizeof *expected, by_ranks);
    qsort(list, count, sizeof *list, by_first);
    akin_set_keys_settle(&keys, list, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(akin_set_of_key(&keys, list[i]), expected[i]);
    free(list);
    free(expected);
}

/* Ranks that rise in steps of `step` at most, below 2^bits. */
static void random_ranks(void **state)
{
    akin_random random;
    uint32_t *ranks = malloc(40000 * sizeof *ranks);
    (void)state;
    assert_non_null(ranks);
    akin_random_seed(&random, 1);
    for (uint32_t size = 1; size <= 40; size += 1 + size / 4)
        for (uint32_t bits = 8; bits <= 32; bits += 4)
            for (uint64_t step = 1; step <= (UINT64_C(1) << bits) / 80; step *= 40) {
                const uint32_t count = 1 + (uint32_t)akin_random_below(&random, 40000 / size);
                for (uint32_t set = 0; set < count; set++)
                    for (uint32_t i = 0, rank = 0; i < size; i++, rank++) {
                        rank += (uint32_t)akin_random_below(&random, step + 1);
                        ranks[set * size + i] = rank;
                    }
                check(ranks, size, count, count, bits);
                check(ranks, size, count, UINT32_MAX, bits); /* few bits are left for the second ranks, or none */
            }
    free(ranks);
}

/* Sets each of which shares more ranks with the next one, in either order: ties are nested as deep as sets are large.
 */
static void stairs(void **state)
{
    enum { SIZE = 900 };
    uint32_t *ranks = malloc((size_t)SIZE * SIZE * sizeof *ranks);
    (void)state;
    assert_non_null(ranks);
    for (int falling = 0; falling < 2; falling++) {
        for (uint32_t set = 0; set < SIZE; set++)
            for (uint32_t i = 0; i < SIZE; i++)
                ranks[set * SIZE + i] = 2 * i + (i > (falling ? SIZE - set : set));
        check(ranks, SIZE, SIZE, SIZE, 11);
    }
    free(ranks);
}

static void equal_sets(void **state)
{
    enum { COUNT = 3000, SIZE = 7 };
    static uint32_t ranks[COUNT * SIZE];
    (void)state;
    for (uint32_t i = 0; i < COUNT * SIZE; i++)
        ranks[i] = i % SIZE;
    check(ranks, SIZE, COUNT, COUNT, 3);
    check(ranks, 1, 1, 1, 0); /* the only rank of a universe of one token */
    check(ranks, 1, 0, 1, 0);
    for (uint32_t i = 0; i < COUNT; i++) /* but for the last ranks of every fifth one */
        ranks[i * SIZE + SIZE - 1] += i % 5 == 0 ? 1 + i % 3 : 0;
    check(ranks, SIZE, COUNT, COUNT, 4);
    check(ranks, SIZE, COUNT, UINT32_MAX, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_ranks),
        cmocka_unit_test(stairs),
        cmocka_unit_test(equal_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
