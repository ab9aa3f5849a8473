/*
 * Hash tables of numbers: which of a list of things has that hash. What the things are, and whether one is the one, the
 * owner of the list knows.
 *
 *     slot    | upper 32 bits of the hash | number + 1 |     0: free
 *
 * A hash's home is the slot that its uppermost bits number, what finds it taken goes to the next free one, and at most
 * two slots in three are taken. A slot holds all that it takes to grow, and with 32 bits in common two hashes are
 * mostly one.
 */
#ifndef AKIN_DICT_SLOTS_H
#define AKIN_DICT_SLOTS_H

#include "base/bulk.h"

#define AKIN_SLOTS_LEAST 8  /* a table has at least 1 << 8 slots */
#define AKIN_SLOTS_MOST  32 /* and at most as many as a slot knows the home of */

typedef struct akin_slots {
    akin_bulk bulk;  /* what the slots are in; an empty one says where they are to be */
    uint64_t *slots; /* NULL: none yet */
    uint64_t mask;   /* slots - 1 */
    uint64_t limit;  /* of them that may be taken */
    int shift;       /* 64 - log2(slots) */
} akin_slots;

/* Makes room for `count` numbers. Errors, without a message: AKIN_E_NOMEM, AKIN_E_IO; the table is as before. */
akin_status akin_slots_reserve(akin_slots *slots, uint64_t count);

/* Frees all slots; the table may be used again. */
void akin_slots_clear(akin_slots *slots);

static inline uint64_t akin_slots_home(const akin_slots *slots, uint64_t hash)
{
    return hash >> slots->shift;
}

static inline uint64_t akin_slots_next(const akin_slots *slots, uint64_t at)
{
    return (at + 1) & slots->mask;
}

/* Whether a slot that is taken may be the hash's. */
static inline int akin_slots_match(uint64_t slot, uint64_t hash)
{
    return (slot ^ hash) >> 32 == 0;
}

static inline uint32_t akin_slots_number(uint64_t slot)
{
    return (uint32_t)slot - 1;
}

static inline uint64_t akin_slots_make(uint64_t hash, uint32_t number)
{
    return (hash & ~(uint64_t)UINT32_MAX) | ((uint64_t)number + 1);
}

#endif
