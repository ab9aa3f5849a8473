/* Settles the ties of keys: the order of sets that have their first ranks in common. */
#include "sets/keys.h"

#include "base/sort.h"

static inline const uint32_t *ranks_of(const akin_set_keys *keys, uint64_t key)
{
    return keys->tokens + (uint64_t)akin_set_of_key(keys, key) * keys->size;
}

/* How many ranks are the same in all of `count` sets, which are known to share the first `depth`. */
static uint32_t shared_ranks(const akin_set_keys *keys, const uint64_t *list, uint32_t count, uint32_t depth)
{
    const uint32_t *first = ranks_of(keys, list[0]);
    uint32_t shared = keys->size;
    for (uint32_t i = 1; i < count && shared > depth; i++) {
        const uint32_t *other = ranks_of(keys, list[i]);
        uint32_t at = depth;
        while (at < shared && other[at] == first[at])
            at++;
        shared = at;
    }
    return shared;
}

/* The end of the keys from `first` on that are the same in their bits from `low` on. */
static inline uint32_t end_of_ties(const uint64_t *list, uint32_t count, uint32_t first, uint32_t low)
{
    uint32_t end = first + 1;
    while (end < count && (list[first] ^ list[end]) >> low == 0)
        end++;
    return end;
}

/* Makes new keys for sets with equal ones, which share the first *depth ranks at least: of the first ranks in which
 * they differ, whose place becomes *depth. Sorts them. Returns 0 if the sets are equal. */
static int deepen(const akin_set_keys *keys, uint64_t *list, uint32_t count, uint32_t *depth)
{
    *depth = shared_ranks(keys, list, count, *depth);
    if (*depth == keys->size)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        list[i] = akin_set_key(keys, akin_set_of_key(keys, list[i]), *depth);
    akin_sort_u64(list, count);
    return 1;
}

/* Puts sets in order whose keys, of the ranks from `depth` on, are sorted: those with equal keys by the ranks that
 * follow. It calls itself for all of these but the most with one key, so that it does so no deeper than the logarithm
 * of count. */
static void settle(const akin_set_keys *keys, uint64_t *list, uint32_t count, uint32_t depth)
{
    for (uint32_t longest = 0, length;; longest = 0) {
        length = 1;
        for (uint32_t first = 0, end; first < count; first = end) {
            end = end_of_ties(list, count, first, keys->index_bits);
            uint32_t other = first, others = end - first, below = depth + 1;
            if (others > length) { /* the longest up to now is in its turn */
                other = longest;
                others = length;
                longest = first;
                length = end - first;
            }
            if (others > 1 && deepen(keys, list + other, others, &below))
                settle(keys, list + other, others, below);
        }
        depth++;
        list += longest;
        count = length;
        if (count == 1 || !deepen(keys, list, count, &depth))
            return;
    }
}

void akin_set_keys_settle(const akin_set_keys *keys, uint64_t *list, uint32_t count)
{
    const uint32_t low = keys->second_bits + keys->index_bits;
    for (uint32_t first = 0, end; first < count; first = end) {
        end = end_of_ties(list, count, first, low);
        if (end == first + 1)
            continue;
        akin_sort_u64(list + first, end - first);
        settle(keys, list + first, end - first, 0);
    }
}
