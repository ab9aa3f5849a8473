/*
 * Hash tables of numbers. A table finds the numbers of the things that have a hash. The owner of the table has the list
 * of things, and compares them.
 *
 *     slot    | upper 32 bits of the hash | number + 1 |     0: free
 *
 * The home of a hash is the slot whose number is in the uppermost bits of the hash. If the home is taken, the number
 * goes to the next free slot. At most two thirds of the slots are taken. A table grows from its slots alone, because a
 * slot has the upper 32 bits of the hash. Two hashes that have these bits in common are nearly always equal.
 */
#ifndef AKIN_DICT_SLOTS_H
#define AKIN_DICT_SLOTS_H

#include "base/bulk.h"

#define AKIN_SLOTS_LEAST 8  /* a table has at least 1 << 8 slots */
#define AKIN_SLOTS_MOST  32 /* and at most 1 << 32: a slot has 32 bits of a hash */

typedef struct akin_slots {
    akin_bulk bulk;  /* the memory of the slots; an empty one says where they will be */
    uint64_t *slots; /* NULL: none yet */
    uint64_t mask;   /* slots - 1 */
    uint64_t limit;  /* the most slots that may be taken */
    int shift;       /* 64 - log2(slots) */
} akin_slots;

/* Makes room for `count` numbers. Errors, without a message and with the table unchanged: AKIN_E_NOMEM, AKIN_E_IO. */
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

/* Whether a taken slot may belong to the hash. */
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
