/* Puts the terms of a document in ascending order of their ids. */
#include "weigh/shelf.h"

#include "base/bit_list.h"
#include "base/bits.h"
#include "base/sort.h"

#define FEW     12   /* terms that are sorted anyway */
#define SUMMARY 4096 /* ids that a word of the summary stands for */
#define SCANNED 32   /* words of the summary that are worth looking at for each term */

/* Frees the arrays with an element for each id. */
static void clear_bits(akin_shelf *s)
{
    akin_free(s->bits);
    akin_free(s->summary);
    akin_free(s->before);
    akin_free(s->words);
    s->bits = s->summary = NULL;
    s->before = s->words = NULL;
    s->ids = 0;
}

void akin_shelf_clear(akin_shelf *shelf)
{
    clear_bits(shelf);
    akin_free(shelf->own);
    akin_free(shelf->own_tf);
    akin_free(shelf->keys);
    *shelf = (akin_shelf){.account = shelf->account, .cpu = shelf->cpu};
}

akin_status akin_shelf_reserve(akin_shelf *shelf, uint64_t ids, uint64_t longest)
{
    akin_shelf *s = shelf;
    uint32_t *own = akin_enlarge(s->account, s->own, &s->own_capacity, longest, sizeof *own);
    s->own = own ? own : s->own;
    uint32_t *own_tf = akin_enlarge(s->account, s->own_tf, &s->tf_capacity, longest, sizeof *own_tf);
    s->own_tf = own_tf ? own_tf : s->own_tf;
    uint64_t *keys = akin_enlarge(s->account, s->keys, &s->keys_capacity, longest, sizeof *keys);
    s->keys = keys ? keys : s->keys;
    if (!own || !own_tf || !keys)
        return AKIN_E_NOMEM;
    if (ids <= s->ids)
        return AKIN_OK;
    clear_bits(s);
    ids += ids / 2;
    s->bits = akin_alloc_zero(s->account, ids / 64 + 1, sizeof *s->bits);
    s->summary = akin_alloc_zero(s->account, ids / SUMMARY + 1, sizeof *s->summary);
    s->before = akin_alloc(s->account, ids / 64 + 1, sizeof *s->before);
    s->words = akin_alloc(s->account, ids / 64 + 1 + AKIN_BIT_LIST_ROOM, sizeof *s->words);
    if (s->bits && s->summary && s->before && s->words)
        s->ids = ids;
    else
        clear_bits(s);
    return AKIN_OK;
}

static void sort_ids(akin_shelf *s, const uint32_t *from, const uint32_t *from_tf, uint32_t count, uint32_t *ids,
                     uint32_t *tf)
{
    uint64_t *keys = s->keys;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)from[i] << 32 | from_tf[i];
    akin_sort_u64(keys, count);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = (uint32_t)(keys[i] >> 32);
        tf[i] = (uint32_t)keys[i];
    }
}

/* Compiled once for each SIMD level. */
__attribute__((always_inline)) static inline void shelve(akin_shelf *s, const uint32_t *from, const uint32_t *from_tf,
                                                         uint32_t count, uint32_t *ids, uint32_t *tf,
                                                         akin_bit_lister list, uint32_t (*count_bits)(uint64_t))
{
    const uint64_t parts = s->ids / SUMMARY + 1;
    uint64_t *const bits = s->bits;
    uint32_t *const words = s->words, *const before = s->before;
    uint32_t used = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = from[i];
        bits[id / 64] |= UINT64_C(1) << id % 64;
        s->summary[id / SUMMARY] |= UINT64_C(1) << id / 64 % 64;
    }
    for (uint64_t i = 0; i < parts; i++) {
        used = list(words, used, s->summary[i], i * 64);
        s->summary[i] = 0;
    }
    for (uint32_t i = 0; i < used; i++) {
        before[words[i]] = sum;
        sum += count_bits(bits[words[i]]);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = from[i];
        uint64_t below = bits[id / 64] & ((UINT64_C(1) << id % 64) - 1);
        uint32_t place = before[id / 64] + count_bits(below);
        ids[place] = id;
        tf[place] = from_tf[i];
    }
    for (uint32_t i = 0; i < used; i++)
        bits[words[i]] = 0;
}

#if defined(__x86_64__)
__attribute__((target("popcnt"), always_inline)) static inline uint32_t count_fast(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

__attribute__((target("avx2,bmi,bmi2,popcnt"))) static void
shelve_avx2(akin_shelf *s, const uint32_t *from, const uint32_t *from_tf, uint32_t count, uint32_t *ids, uint32_t *tf)
{
    shelve(s, from, from_tf, count, ids, tf, akin_list_bits, count_fast);
}

AKIN_BIT_LIST_AVX512 static void shelve_avx512(akin_shelf *s, const uint32_t *from, const uint32_t *from_tf,
                                               uint32_t count, uint32_t *ids, uint32_t *tf)
{
    shelve(s, from, from_tf, count, ids, tf, akin_list_bits_avx512, count_fast);
}
#endif

static void shelve_plain(akin_shelf *s, const uint32_t *from, const uint32_t *from_tf, uint32_t count, uint32_t *ids,
                         uint32_t *tf)
{
    shelve(s, from, from_tf, count, ids, tf, akin_list_bits, akin_popcount64);
}

void akin_shelf_arrange(akin_shelf *shelf, const uint32_t *from, const uint32_t *from_tf, uint32_t count, uint32_t *ids,
                        uint32_t *tf)
{
    static void (*const by_level[])(akin_shelf *, const uint32_t *, const uint32_t *, uint32_t, uint32_t *,
                                    uint32_t *) = AKIN_CPU_ROW(shelve_plain, shelve_plain, shelve_avx2, shelve_avx512);
    if (count <= FEW || shelf->ids == 0 || shelf->ids / SUMMARY / SCANNED >= count) {
        sort_ids(shelf, from, from_tf, count, ids, tf);
        return;
    }
    by_level[shelf->cpu](shelf, from, from_tf, count, ids, tf);
}
