/*
 * Each string of a column with each of another, in lanes. The left strings are patterns, in blocks; the right ones are
 * texts, in strips that stay in the cache while the patterns of a block pass over them.
 *
 *              strip 0    strip 1   ...     sorted by length, as in a batch
 *     block 0 | tile     | tile    |        a task is a tile
 *     block 1 |          |         |
 *
 * Symbols are bytes. Where an alphabet has more symbols than bytes can number, a tile numbers those of its block, and
 * writes its strip in these: a symbol that no pattern of the block has is AKIN_CROSS_NOWHERE.
 */
#ifndef AKIN_STRINGS_CROSS_H
#define AKIN_STRINGS_CROSS_H

#include "strings/batch.h"
#include "strings/cutoff.h"
#include "strings/lanes.h"

#define AKIN_CROSS_BLOCK   16        /* left strings of a tile, at most */
#define AKIN_CROSS_ROWS    4096      /* symbols of these, at most; so a tile takes some ten milliseconds */
#define AKIN_CROSS_STRIP   2048      /* right strings of a tile, at most */
#define AKIN_CROSS_SYMBOLS (1 << 18) /* of a strip, at most */
#define AKIN_CROSS_NOWHERE 255

/* Strings `first` to first + count - 1 of a batch. */
typedef struct akin_cross_span {
    uint32_t first, count;
} akin_cross_span;

typedef struct akin_cross {
    const akin_lanes *lanes;
    const akin_cutoff *cutoff; /* of a comparator of edits or of matches; without a bound */
    akin_account *account;
    akin_alphabet alphabet;
    akin_strings_batch sides[2];
    akin_cross_span *blocks, *strips;
    uint32_t block_count, strip_count;
    uint32_t *aside[2],
        aside_count[2]; /* rows that are in no tile, ascending: empty, too long, or of too many symbols */
    /* Of string i of strip s at i + s * AKIN_LANES: where it begins, from the strip's first symbol on, and its length.
     * AKIN_LANES copies of the last string follow each strip. */
    uint64_t *at;
    uint32_t *lengths;
    uint32_t *bound; /* of any pair */
} akin_cross;

/* What comes of a left row and a strip: values[i] is the similarity, or the distance, of row rows[i]. */
typedef void (*akin_cross_take)(void *user, uint32_t left, const uint32_t *rows, uint32_t count, const double *values);

/* What a thread has for it; zero-initialised. */
typedef struct akin_cross_room akin_cross_room;

/* Prepares two columns, which may be the same. The caller clears *out in any case. Errors: those of
 * akin_alphabet_make. */
akin_status akin_cross_make(const akin_scope *scope, akin_account *account, const akin_lanes *lanes,
                            const akin_cutoff *cutoff, const akin_column *columns, const uint32_t *rows,
                            akin_cross *out, akin_error *error);
void akin_cross_clear(akin_cross *cross);

/* Room for a thread; NULL: memory is short. The caller frees it by akin_free. */
akin_cross_room *akin_cross_room_make(const akin_cross *cross);

/* Compares a tile. */
void akin_cross_compare(const akin_cross *cross, akin_cross_room *room, uint32_t block, uint32_t strip, int distances,
                        akin_cross_take take, void *user);

#endif
