/*
 * Measures of how alike two sets are: a table of rows, and the one inequality that all of them are, in integers, for
 * the CPU and for kernels.
 *
 * Sets of r and s tokens, n of them in common, have the similarity
 *
 *     k n / (F(r, s) - j n)       or, by PRODUCT, n / sqrt(F(r, s))
 *
 *     measure               k  j  F(r, s)
 *     Jaccard               1  1  r + s       SUM
 *     Dice                  2  0  r + s       SUM
 *     cosine                1  0  r s         PRODUCT
 *     overlap               1  0  1           CONSTANT
 *     overlap coefficient   1  0  min(r, s)   SMALLER
 *     containment           1  0  r           FIRST
 *
 * It reaches num / den if and only if
 *
 *     n have >= want F(r, s)           have = k den + j num, want = num
 *     n^2 have >= want F(r, s)         have = den^2, want = num^2, by PRODUCT
 */
#ifndef AKIN_SETS_MEASURE_H
#define AKIN_SETS_MEASURE_H

#include "base/bits.h"
#include "base/choice.h"

/*
 * What F is. FIRST and SECOND are one and the same measure, seen from its first and from its second set. Whatever
 * depends on the form is a switch without a default, so that the compiler names the places where a new form is missing.
 */
typedef enum akin_measure_form {
    AKIN_FORM_SUM,      /* r + s */
    AKIN_FORM_PRODUCT,  /* r s */
    AKIN_FORM_CONSTANT, /* 1 */
    AKIN_FORM_SMALLER,  /* min(r, s) */
    AKIN_FORM_FIRST,    /* r */
    AKIN_FORM_SECOND    /* s */
} akin_measure_form;

typedef struct akin_measure_row {
    akin_choice choice; /* its value is an akin_measure */
    akin_measure_form form;
    uint32_t times, plus;   /* k and j */
    const char *undirected; /* of a directed measure, the one that serves within a collection; else NULL */
} akin_measure_row;

extern const akin_choice_table akin_measures;

/* The row of a measure; NULL: there is none. */
const akin_measure_row *akin_measure_of(akin_measure measure);

/* The inequality of a measure and a threshold; `have` is at most 2^60, `want` no more than it unless F is constant. */
typedef struct akin_measure_rule {
    akin_measure_form form;
    uint64_t have, want;
} akin_measure_rule;

/* num and den are at most 10^9. */
akin_measure_rule akin_measure_rule_of(const akin_measure_row *row, uint32_t num, uint32_t den);

/* Whether n^2, not n, is compared with F. */
AKIN_EVERYWHERE static inline int akin_form_is_squared(akin_measure_form form)
{
    switch (form) {
    case AKIN_FORM_PRODUCT:
        return 1;
    case AKIN_FORM_SUM:
    case AKIN_FORM_CONSTANT:
    case AKIN_FORM_SMALLER:
    case AKIN_FORM_FIRST:
    case AKIN_FORM_SECOND:
        return 0;
    }
    return 0;
}

/* F, for sizes below 2^32. */
AKIN_EVERYWHERE static inline uint64_t akin_rule_size(akin_measure_form form, uint64_t r, uint64_t s)
{
    switch (form) {
    case AKIN_FORM_SUM:
        return r + s;
    case AKIN_FORM_PRODUCT:
        return r * s;
    case AKIN_FORM_CONSTANT:
        return 1;
    case AKIN_FORM_SMALLER:
        return r < s ? r : s;
    case AKIN_FORM_FIRST:
        return r;
    case AKIN_FORM_SECOND:
        return s;
    }
    return 0;
}

/* Whether n tokens in common suffice. No product exceeds 2^124. */
AKIN_EVERYWHERE static inline int akin_rule_suffices(akin_measure_rule rule, uint64_t n, uint64_t r, uint64_t s)
{
    if (akin_form_is_squared(rule.form))
        return (akin_u128)(n * n) * rule.have >= (akin_u128)(r * s) * rule.want;
    return n * rule.have >= rule.want * akin_rule_size(rule.form, r, s);
}

/* A fraction of integers, for comparisons. */
typedef struct akin_fraction {
    uint64_t above, below;
} akin_fraction;

/* What grows with the similarity of sets that have n tokens in common: n / F, or n^2 / F where the form is squared. So
 * measures of one form put sets in the same order. Sizes are below 2^32. */
AKIN_EVERYWHERE static inline akin_fraction akin_rule_rank(akin_measure_form form, uint64_t n, uint64_t r, uint64_t s)
{
    const akin_fraction fraction = {akin_form_is_squared(form) ? n * n : n, akin_rule_size(form, r, s)};
    return fraction;
}

/*
 * Two sets that suffice differ in at most r + s - 2 n tokens. That bound can be taken apart, one term a set, where F is
 * a sum or a constant: they differ in at most share(r) + share(s) + 1 tokens, each term rounded down.
 */
AKIN_EVERYWHERE static inline int akin_rule_divides(akin_measure_rule rule)
{
    switch (rule.form) {
    case AKIN_FORM_SUM:
    case AKIN_FORM_CONSTANT:
        return 1;
    case AKIN_FORM_PRODUCT:
    case AKIN_FORM_SMALLER:
    case AKIN_FORM_FIRST:
    case AKIN_FORM_SECOND:
        return 0;
    }
    return 0;
}

/* The term of a set; where the bound cannot be taken apart, its size. */
AKIN_EVERYWHERE static inline int64_t akin_rule_share(akin_measure_rule rule, uint64_t size)
{
    switch (rule.form) {
    case AKIN_FORM_SUM:
        return (int64_t)(size * (rule.have - 2 * rule.want) / rule.have);
    case AKIN_FORM_CONSTANT:
        return (int64_t)size - (int64_t)(rule.want / rule.have);
    case AKIN_FORM_PRODUCT:
    case AKIN_FORM_SMALLER:
    case AKIN_FORM_FIRST:
    case AKIN_FORM_SECOND:
        return (int64_t)size;
    }
    return (int64_t)size;
}

#endif
