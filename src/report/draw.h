/*
 * Draws pairs at random from those that selections select. Each pair that at least one selection selects has the same
 * probability. The drawn pairs depend on the records and the selections alone.
 *
 * A selection numbers its possible pairs, and some numbers are of no pair:
 *
 *     all         record * records + record, the first one below the second
 *     window      place * (W - 1) + distance - 1, as long as the order goes; of a window that is wider than that, of
 *                 one that is as wide
 *     block       of each block member * members + member, the first one below the second; of two tables the left ones'
 *                 times the right ones
 *     similar     the place in the list of partners
 *
 * A drawn number adds its pair to the sample, if it has one and no selection before this one selects that pair.
 */
#ifndef AKIN_REPORT_DRAW_H
#define AKIN_REPORT_DRAW_H

#include "dedupe/selector.h"

typedef struct akin_drawn {
    uint64_t *pairs; /* akin_two_records, ascending, no two alike */
    uint64_t count;
    int is_all;       /* they are all that there are */
    double pairs_all; /* how many that may be, judged by how many numbers were of a pair */
} akin_drawn;

/* Draws at most `wanted` pairs. The caller clears *out in any case. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_draw(const akin_scope *scope, akin_account *account, const akin_selector *selectors, uint32_t count,
                      uint64_t wanted, akin_drawn *out, akin_error *error);
void akin_drawn_clear(akin_drawn *drawn);

#endif
