/*
 * Puts the terms of a document in ascending order of their ids: a bit is set for each, and how many are set below is
 * its place.
 *
 *     bits      whether an id is in the document
 *     before    for each word of bits that has any: how many there are in the words before it
 *     summary   whether a word of bits has any
 *     words     which of them have
 *
 * Short documents of large vocabularies, in which bits would be far between, are sorted.
 */
#ifndef AKIN_WEIGH_SHELF_H
#define AKIN_WEIGH_SHELF_H

#include "base/scope.h"
#include "base/memory.h"

/* Zeros at first, except for the account. */
typedef struct akin_shelf {
    akin_account *account;
    akin_cpu cpu;
    uint64_t ids; /* that there is room for; 0: none, all is sorted */
    uint64_t *bits, *summary;
    uint32_t *before, *words;
    uint32_t *own, *own_tf; /* room for a document, its terms in any order */
    uint64_t *keys;         /* its ids with their tf, if it is sorted */
    uint64_t own_capacity, tf_capacity, keys_capacity;
} akin_shelf;

/* Makes room for ids below `ids`, and documents of up to `longest` terms. Where memory is too short for the former,
 * documents are sorted. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_shelf_reserve(akin_shelf *shelf, uint64_t ids, uint64_t longest);
void akin_shelf_clear(akin_shelf *shelf);

/* Writes the terms of a document, from[i] being from_tf[i] times in it, ascending to ids and tf, which are other
 * arrays. */
void akin_shelf_arrange(akin_shelf *shelf, const uint32_t *from, const uint32_t *from_tf, uint32_t count, uint32_t *ids,
                        uint32_t *tf);

#endif
