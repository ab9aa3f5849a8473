/*
 * The best partners of each left row, and their delivery: in the order of left rows, and within a row the best first.
 *
 *     left rows are taken in blocks; the results of a block fit into memory:
 *
 *     keys    | k of row `first` | k of the next row | ...      a row has held[row - first] of its k keys
 */
#ifndef AKIN_JOIN_BEST_H
#define AKIN_JOIN_BEST_H

#include "akin.h"
#include "base/scope.h"
#include "base/memory.h"

typedef struct akin_best {
    uint32_t first, end; /* the left rows of the block */
    uint32_t k;
    uint32_t *held;
    uint64_t *keys;
} akin_best;

/* How many left rows a block has whose every result takes `bytes`: one at least. A block does not have many more
 * results than its receiver takes, so that a limit of pairs is met before all rows are searched. */
uint32_t akin_best_rows(const akin_account *account, uint32_t rows, uint32_t k, uint64_t bytes, akin_pair_sink sink,
                        void *sink_user);

/* Begins the block of rows `first` to end - 1, with no partners. To be cleared in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_best_begin(akin_account *account, uint32_t first, uint32_t end, uint32_t k, akin_best *out,
                            akin_error *error);
void akin_best_clear(akin_best *best);

static inline uint64_t *akin_best_keys(const akin_best *best, uint32_t row)
{
    return best->keys + (uint64_t)(row - best->first) * best->k;
}

/* What a key says: the right row, and the overlap or the distance of the pair. */
typedef void (*akin_best_pair)(const void *user, uint32_t row, uint64_t key, akin_pair *out);

/* The bit of a pair's overlap, or distance, that is set where marked: the partner is as good as the one before it, but
 * for its row. Neither overlap nor distance has that bit of its own. */
#define AKIN_BEST_TIES (UINT32_C(1) << 31)

/* Hands the results of a block, which are sorted, to the sink (NULL: to nobody), and adds their number to *count.
 * Errors: AKIN_E_CANCELLED. */
akin_status akin_best_deliver(const akin_best *best, akin_best_pair pair_of, const void *user, akin_pair_sink sink,
                              void *sink_user, uint64_t *count, akin_error *error);

/* Refuses the device cuda, which has no search for the best partners. Errors: AKIN_E_OPTION. */
akin_status akin_best_check_device(akin_device_choice device, akin_error *error);

#endif
