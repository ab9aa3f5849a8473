/*
 * The search for the k best partners of a set: a probe at work, what a further partner must reach, and the ways to find
 * sets that reach it.
 *
 *     way        finds sets by                                      which it builds
 *     counted    what they share with the probe, counted by ranges  lists and bitmaps of all tokens
 *     prefix     a rare token that they share                       lists of the rarest tokens of each set
 */
#ifndef AKIN_JOIN_TOP_H
#define AKIN_JOIN_TOP_H

#include "base/heap.h"
#include "join/overlaps.h"
#include "join/prefix.h"
#include "join/threshold.h"
#include "sets/sets.h"
#include "signature/parity.h"

#include <math.h>

#define AKIN_TOP_STRIDE_MOST 8 /* words of a signature */

/* Costs, where a posting that is counted takes 1. */
#define AKIN_TOP_VERIFIED 4   /* of a posting whose set may be verified, */
#define AKIN_TOP_WORDS    2   /* this number of words of the set's signature takes 1 more; */
#define AKIN_TOP_SWEPT    256 /* this number of sets of a bitmap takes 1, */
#define AKIN_TOP_FOUND    16  /* and so does this number of sets of a range */

struct akin_top_way;

/* The sets at hand, and what is made of them. */
typedef struct akin_top {
    const akin_scope *scope;
    akin_account *account;
    int self;
    int is_own; /* a row of a self-join is a partner of itself */
    akin_measure_form form;
    akin_threshold least; /* that every partner reaches */
    uint32_t k;
    const akin_sets *right; /* all right rows */
    const akin_ranked *probes, *indexed;
    akin_parity parity; /* of the indexed sets */
    const struct akin_top_way *way;
    akin_overlaps overlaps;  /* counted */
    akin_prefix_index index; /* prefix */
} akin_top;

/* What a thread has. */
typedef struct akin_top_prober {
    _Alignas(64) uint64_t *marks; /* the tokens of the probe */
    akin_overlap_counter counter; /* counted */
    uint32_t *seen;               /* prefix: of each indexed set the last probe that met it, */
    uint32_t probes;              /* as probes are numbered */
} akin_top_prober;

/* A probe at work: its best partners, and what a further one must reach. */
typedef struct akin_top_probe {
    const akin_top *all;
    akin_top_prober *worker;
    const uint32_t *tokens;
    uint32_t size, row; /* its left row */
    akin_threshold bar;
    uint32_t worst; /* of k partners, the right row of the worst: one that ties is better if its row is less */
    int is_full;
    akin_heap heap;
    int has_marks; /* and the signature */
    uint64_t signature[AKIN_TOP_STRIDE_MOST];
} akin_top_probe;

/* A way to find partners. */
typedef struct akin_top_way {
    /* Indexes the sets. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
    akin_status (*build)(akin_top *top, akin_error *error);
    void (*clear)(akin_top *top);
    /* Begins a thread. 0: there is no memory. The caller ends it in any case. */
    int (*begin)(const akin_top *top, akin_top_prober *prober);
    void (*end)(akin_top_prober *prober);
    /* Offers all sets that can be partners. */
    void (*search)(akin_top_probe *p);
} akin_top_way;

extern const akin_top_way akin_top_counted, akin_top_prefix;

/* Chooses the way whose predicted cost is less. Errors: AKIN_E_NOMEM. */
akin_status akin_top_choose(akin_top *top, akin_error *error);

static inline uint32_t akin_top_row_size(const akin_sets *sets, uint32_t row)
{
    return (uint32_t)(sets->offsets[row + (uint64_t)1] - sets->offsets[row]);
}

/* Whether key a of a probe, the user, is worse than key b. A key is | overlap | right row |. */
int akin_top_is_worse(const void *user, uint64_t a, uint64_t b);

/* Whether two keys differ in their rows alone. */
int akin_top_is_tie(const void *user, uint64_t a, uint64_t b);

/* Sets what a further partner must reach. */
void akin_top_raise_bar(akin_top_probe *p);

/* Keeps a key if it is among the k best. */
void akin_top_keep(akin_top_probe *p, uint64_t key);

/* Marks the tokens of the probe, to verify sets by, and makes its signature. */
void akin_top_set_marks(akin_top_probe *p);

/* Whether a set of `size` tokens that shares n of them cannot become a partner. Sizes are below 2^31. */
static inline int akin_top_is_out(const akin_top_probe *p, uint64_t n, uint64_t size, uint32_t set)
{
    const akin_measure_rule rule = p->bar.rule;
    const akin_u128 has = (akin_u128)(akin_form_is_squared(rule.form) ? n * n : n) * rule.have;
    const akin_u128 wanted = (akin_u128)akin_rule_size(rule.form, p->size, size) * rule.want;
    return has < wanted || (has == wanted && p->is_full && p->all->indexed->row[set] > p->worst);
}

/* No overlap that is less can be enough. */
static inline uint64_t akin_top_need(const akin_top_probe *p, uint64_t size)
{
    const akin_measure_rule rule = p->bar.rule;
    if (akin_form_is_squared(rule.form)) {
        const double root = sqrt((double)p->size * (double)size * ((double)rule.want / (double)rule.have));
        return root > 2 ? (uint64_t)(root * (1 - 1e-9)) - 1 : 1; /* a little less, as it is rounded */
    }
    return akin_max_u64(1, akin_ceil_div(rule.want * akin_rule_size(rule.form, p->size, size), rule.have));
}

/* Takes a set that shares `shared` tokens if that is enough. */
static inline void akin_top_offer(akin_top_probe *p, uint32_t set, uint32_t size, uint32_t shared)
{
    const uint32_t row = p->all->indexed->row[set];
    if (shared > 0 && (p->all->is_own || !p->all->self || row != p->row) && !akin_top_is_out(p, shared, size, set))
        akin_top_keep(p, (uint64_t)shared << 32 | row);
}

/* In how many tokens a set differs from the probe, at least. With `fast` the CPU counts bits. */
static inline __attribute__((always_inline)) uint32_t akin_top_apart(const akin_top_probe *p, uint32_t set, int fast)
{
    const uint32_t stride = p->all->parity.stride;
    const uint64_t *signature = p->all->parity.words + (uint64_t)set * stride;
    uint32_t apart = 0;
    for (uint32_t word = 0; word < stride; word++) {
        const uint64_t differ = signature[word] ^ p->signature[word];
        apart += fast ? (uint32_t)__builtin_popcountll(differ) : akin_popcount64(differ);
    }
    return apart;
}

#endif
