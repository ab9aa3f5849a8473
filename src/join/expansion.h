/*
 * The pairs of rows that pairs of groups of equal rows stand for. The distinct rows are joined in any order, with
 * akin_expansion_take as the sink; then comes akin_expansion_finish. A pair of groups becomes what is wanted:
 *
 *     the best         it is kept; at the end each left row merges the rows of the groups that its group is with, the
 *                      best first, and those of groups that tie in the order of rows, up to k of them
 *     only counted     the product of their sizes
 *     connecting       their first rows; and of each group the first row with each other one
 *     any order        all pairs of their rows, at once; or if they are very many, at the end
 *     sorted           it is kept; at the end each left row collects the rows of the groups that its group is with
 *
 * Of one collection, rows of one group are pairs, too, if a row is similar enough to itself.
 */
#ifndef AKIN_JOIN_EXPANSION_H
#define AKIN_JOIN_EXPANSION_H

#include "base/pair_limit.h"
#include "join/best.h"
#include "join/equal_rows.h"

/* What pairs are wanted. */
typedef struct akin_expanded {
    akin_pair_sink sink; /* NULL: they are counted */
    void *user;
    int any_order, connecting;
    /* k; 0: all pairs. Pairs of groups come in the order of left groups, the best partner first, at least k of each
     * that has k; of one collection a group is a partner of itself. See AKIN_BEST_TIES. */
    uint32_t best;
    /* Whether a row reaches the threshold with itself, and the overlap of that pair. */
    int (*is_pair)(const void *rows, uint32_t row, uint32_t *overlap);
    const void *rows;
} akin_expanded;

typedef struct akin_expansion {
    const akin_scope *scope;
    akin_account *account;
    akin_expanded wanted;
    akin_equal_rows sides[2]; /* the second one has no rows if there is one collection */
    akin_pair_limit *limit;   /* that the sink is, or NULL */
    int self;
    uint64_t *reached[2]; /* connecting rows: bits of groups whose rows are all connected */
    akin_pair *batch;     /* pairs on their way to the sink */
    uint32_t filled;
    akin_bulk kept; /* pairs of groups */
    uint64_t kept_count;
    uint32_t partners; /* the best: of the left group at hand, without itself */
    uint64_t found;    /* pairs of rows */
    uint64_t waiting;  /* pairs of rows that are noted with the limit, as they wait */
    uint64_t handed;   /* pairs of rows that the sink has received */
    uint64_t batches;  /* in which it did */
    int stopped;       /* it asked to stop, */
    int is_short;      /* or memory is short, */
    int is_finishing;  /* or the caller's thread asks from time to time whether to go on */
    akin_status asked;
} akin_expansion;

/* The right groups of a left one. */
static inline const akin_equal_rows *akin_expansion_rights(const akin_expansion *expansion)
{
    return &expansion->sides[!expansion->self];
}

static inline const akin_pair *akin_expansion_kept(const akin_expansion *expansion)
{
    return expansion->kept.data;
}

/* Begins, with the groups of both sides in out->sides, which become the expansion's; of one collection there is one.
 * The caller clears it in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_expansion_begin(akin_expansion *out, const akin_scope *scope, akin_account *account, int self,
                                 const akin_expanded *wanted, akin_error *error);
void akin_expansion_clear(akin_expansion *expansion);

/* A sink of pairs of groups. */
int akin_expansion_take(void *expansion, const akin_pair *pairs, size_t count);

/* Hands over what is left, after the last pair of groups. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_expansion_finish(akin_expansion *expansion, akin_error *error);

/* For akin_expansion_finish: hands a pair to the sink, and the best partners of all rows. */
int akin_expansion_put(akin_expansion *expansion, uint32_t left, uint32_t right, uint32_t overlap);
akin_status akin_expansion_finish_best(akin_expansion *expansion, akin_error *error);

/* Whether rows can be joined after all as if none were equal: memory was short, and the sink has received nothing. If
 * so, the limit of pairs forgets those that wait. */
int akin_expansion_gives_up(const akin_expansion *expansion, akin_status status);

#endif
