/* Puts the terms of a document in ascending order of their ids. */
#include "weigh/shelf.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

#define FEW     12   /* terms that are sorted anyway */
#define SUMMARY 4096 /* ids that a word of the summary stands for */
#define SCANNED 32   /* words of the summary that are worth looking at for each term */

/* Frees what is as long as there are ids. */
static void clear_bits(akin_shelf *s)
{
    akin_free(s->bits);
    akin_free(s->summary);
    akin_free(s->before);
    s->bits = s->summary = NULL;
    s->before = NULL;
    s->ids = 0;
}

void akin_shelf_clear(akin_shelf *shelf)
{
    clear_bits(shelf);
    akin_free(shelf->keys);
    *shelf = (akin_shelf){.account = shelf->account, .cpu = shelf->cpu};
}

akin_status akin_shelf_reserve(akin_shelf *shelf, uint64_t ids, uint64_t longest)
{
    akin_shelf *s = shelf;
    uint64_t *keys = akin_enlarge(s->account, s->keys, &s->keys_capacity, longest, sizeof *keys);
    if (!keys)
        return AKIN_E_NOMEM;
    s->keys = keys;
    if (ids <= s->ids)
        return AKIN_OK;
    clear_bits(s);
    ids += ids / 2;
    s->bits = akin_alloc_zero(s->account, ids / 64 + 1, sizeof *s->bits);
    s->summary = akin_alloc_zero(s->account, ids / SUMMARY + 1, sizeof *s->summary);
    s->before = akin_alloc(s->account, ids / 64 + 1, sizeof *s->before);
    if (s->bits && s->summary && s->before)
        s->ids = ids;
    else
        clear_bits(s);
    return AKIN_OK;
}

static void sort(akin_shelf *s, const akin_counted *from, uint32_t count, const uint32_t *map, uint32_t *ids,
                 uint32_t *tf)
{
    uint64_t *keys = s->keys;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)map[from[i].number] << 32 | from[i].tf;
    akin_sort_u64(keys, count);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = (uint32_t)(keys[i] >> 32);
        tf[i] = (uint32_t)keys[i];
    }
}

/* Compiled once with the instruction that counts bits, and once without. */
__attribute__((always_inline)) static inline void shelve(akin_shelf *s, const akin_counted *from, uint32_t count,
                                                         const uint32_t *map, uint32_t *ids, uint32_t *tf,
                                                         uint32_t (*count_bits)(uint64_t))
{
    const uint64_t words = s->ids / SUMMARY + 1;
    uint32_t *own = (uint32_t *)s->keys, before = 0;
    for (uint32_t i = 0; i < count; i++) /* alone: so many of these, which may be far away, are waited for together */
        own[i] = map[from[i].number];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = own[i];
        s->bits[id / 64] |= UINT64_C(1) << id % 64;
        s->summary[id / SUMMARY] |= UINT64_C(1) << id / 64 % 64;
    }
    for (uint64_t i = 0; i < words; i++)
        for (uint64_t some = s->summary[i]; some != 0; some &= some - 1) {
            uint64_t word = i * 64 + (uint64_t)__builtin_ctzll(some);
            s->before[word] = before;
            before += count_bits(s->bits[word]);
        }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = own[i];
        uint64_t below = s->bits[id / 64] & ((UINT64_C(1) << id % 64) - 1);
        uint32_t place = s->before[id / 64] + count_bits(below);
        ids[place] = id;
        tf[place] = from[i].tf;
    }
    for (uint32_t i = 0; i < count; i++) {
        s->bits[own[i] / 64] = 0;
        s->summary[own[i] / SUMMARY] = 0;
    }
}

#if defined(__x86_64__)
__attribute__((target("popcnt"), always_inline)) static inline uint32_t count_fast(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

__attribute__((target("avx2,bmi,bmi2,popcnt"))) static void
shelve_fast(akin_shelf *s, const akin_counted *from, uint32_t count, const uint32_t *map, uint32_t *ids, uint32_t *tf)
{
    shelve(s, from, count, map, ids, tf, count_fast);
}
#endif

void akin_shelf_arrange(akin_shelf *shelf, const akin_counted *from, uint32_t count, const uint32_t *map, uint32_t *ids,
                        uint32_t *tf)
{
    if (count <= FEW || shelf->ids == 0 || shelf->ids / SUMMARY / SCANNED >= count) {
        sort(shelf, from, count, map, ids, tf);
        return;
    }
#if defined(__x86_64__)
    if (shelf->cpu >= AKIN_CPU_AVX2) {
        shelve_fast(shelf, from, count, map, ids, tf);
        return;
    }
#endif
    shelve(shelf, from, count, map, ids, tf, akin_popcount64);
}
