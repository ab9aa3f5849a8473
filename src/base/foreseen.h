/*
 * What a sample of rows predicts of the pairs of all rows, so that who asks for billions of pairs learns it before
 * they are found. A job draws some rows, joins them, and scales the count:
 *
 *     pairs of all rows = pairs of the sample * (pairs of rows there are / pairs of rows of the sample)
 */
#ifndef AKIN_BASE_FORESEEN_H
#define AKIN_BASE_FORESEEN_H

#include "base/random.h"
#include "base/scope.h"

/* The rows of both sides; of one that is joined with itself the first one. */
typedef struct akin_foreseen {
    int self;
    uint32_t rows[2], drawn[2];
} akin_foreseen;

/* Whether a sample is worth it: the context takes notes, and there can be very many pairs. If so, *out has the numbers
 * of rows. One row of each of `drawn` equal pieces is drawn, by a fixed hash, which differs between
 * the sides: neither rows in turns nor the same rows on both sides distort the sample. */
int akin_foreseen_begin(const akin_scope *scope, int self, uint32_t left, uint32_t right, akin_foreseen *out);

/* Draws fewer rows of a side if they are large: `weight` is that of all rows, in tokens or bytes. */
void akin_foreseen_limit(akin_foreseen *foreseen, int side, uint64_t weight);

/* The scope that the sample is joined in. It can be cancelled, and reports no progress. `reporter` is a part of it. */
akin_scope akin_foreseen_scope(const akin_scope *scope, akin_reporter *reporter);

static inline uint32_t akin_foreseen_row(const akin_foreseen *foreseen, int side, uint32_t i)
{
    const uint64_t rows = foreseen->rows[side], begin = i * rows / foreseen->drawn[side],
                   end = (i + UINT64_C(1)) * rows / foreseen->drawn[side];
    return (uint32_t)(begin + akin_random_mixed(2 * (uint64_t)i + (uint64_t)side) % (end - begin));
}

/* What becomes of pairs. */
typedef enum akin_foreseen_use {
    AKIN_FORESEEN_WRITTEN, /* lines of text */
    AKIN_FORESEEN_LISTED,  /* a list in memory of pairs that are compared */
    AKIN_FORESEEN_COMPARED /* they are compared, and are not held */
} akin_foreseen_use;

/* Sends a note if the pairs of the sample, `count` of them, predict very many pairs. */
void akin_foreseen_note(const akin_scope *scope, const akin_foreseen *foreseen, akin_foreseen_use use, uint64_t count);

#endif
