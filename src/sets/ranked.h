/*
 * A collection in the form that joins need: tokens replaced by their frequency rank (rarest first), sets sorted by
 * size, then lexicographically; empty sets left out (Bellas and Gounaris, section 2.1.1).
 *
 *     set      0      1      2      3   ...        row[set] is its row in the caller's collection
 *     size     1      1      2      2              class 0 = size 1 = sets [0, 2), class 1 = size 2 = sets [2, 4) ...
 *     tokens | 7 | 9 | 3 8 | 5 6 | ...             ranks, ascending; offsets[set] is where a set begins, from 0 on
 *                                                  but in a part of a collection (akin_ranked_range)
 */
#ifndef AKIN_SETS_RANKED_H
#define AKIN_SETS_RANKED_H

#include "base/bulk.h"
#include "sets/ranking.h"

typedef struct akin_ranked {
    uint32_t count;        /* sets that are not empty */
    uint32_t *row;         /* count */
    uint64_t *offsets;     /* count + 1 */
    uint32_t *tokens;      /* of all sets, concatenated */
    uint32_t classes;      /* distinct sizes */
    uint32_t *class_size;  /* classes sizes, ascending */
    uint32_t *class_first; /* classes + 1: the first set of each size, and count at the end */
    uint64_t universe;     /* distinct tokens; in an R-S join those of both sides */
    uint64_t once;         /* ranks below this are of tokens that occur once, on both sides together */
} akin_ranked;

/* The bytes that akin_rank_by takes, at most: for each token, for each set, and beside these; and those of the tokens
 * and sets that stay. */
#define AKIN_RANK_TOKEN   8
#define AKIN_RANK_SET     56
#define AKIN_RANK_BESIDE  65536
#define AKIN_RANKED_TOKEN 4
#define AKIN_RANKED_SET   12

/*
 * Ranks `left` into *out_left and, unless right is NULL, `right` into *out_right, by one frequency order over both
 * (ties by token). The arrays are charged to account. On failure the outputs are empty. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED.
 */
akin_status akin_rank_sets(const akin_scope *scope, akin_account *account, const akin_sets *left,
                           const akin_sets *right, akin_ranked *out_left, akin_ranked *out_right, akin_error *error);

/* The same for one collection, by the ranks of a ranking that counted its tokens. Errors as above. */
akin_status akin_rank_by(const akin_scope *scope, akin_account *account, const akin_ranking *ranking,
                         const akin_sets *sets, akin_ranked *out, akin_error *error);

/*
 * Finds only the sets and their classes: count, classes, class_size, class_first, and out->row, by size and then by
 * row, in `rows`. `rows` is an empty array and stays its owner's. After an error the caller clears all that was made by
 * then. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED.
 */
akin_status akin_rank_classes(const akin_scope *scope, akin_account *account, const akin_sets *sets, akin_bulk *rows,
                              akin_ranked *out, akin_error *error);

/* Frees the arrays and empties the struct; an empty one is allowed. */
void akin_ranked_clear(akin_ranked *ranked);

static inline uint32_t akin_ranked_size(const akin_ranked *ranked, uint32_t set)
{
    return (uint32_t)(ranked->offsets[set + 1] - ranked->offsets[set]);
}

/* The size of its largest set; 0: it has none. */
static inline uint32_t akin_ranked_largest(const akin_ranked *ranked)
{
    return ranked->classes ? ranked->class_size[ranked->classes - 1] : 0;
}

/* How many tokens all its sets have. */
static inline uint64_t akin_ranked_tokens(const akin_ranked *ranked)
{
    return ranked->offsets[ranked->count] - ranked->offsets[0];
}

/*
 * Sets [first, end) of a collection, at least one, as a collection of its own. The numbers of its sets begin at 0. Its
 * offsets are those of the whole collection, whose arrays it shares. class_first has room for classes + 1 numbers, and
 * belongs to the caller. The result must not be cleared, nor outlive the whole.
 */
akin_ranked akin_ranked_range(const akin_ranked *whole, uint32_t first, uint32_t end, uint32_t *class_first);

/* The class of a set. */
uint32_t akin_ranked_class_of(const akin_ranked *ranked, uint32_t set);

/* The first class whose size is at least `size`, and the first set of such a size; classes and count if there is none.
 */
uint32_t akin_ranked_class(const akin_ranked *ranked, uint64_t size);
uint32_t akin_ranked_first(const akin_ranked *ranked, uint64_t size);

#endif
