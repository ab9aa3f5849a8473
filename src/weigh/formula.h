/*
 * The formulas of term weights, in parts: what depends on the term, what on the document, and what on both. Doubles,
 * each operation rounded, so that whatever computes them has the same bits. Kernels see this file, too, and are
 * compiled with nothing fused.
 */
#ifndef AKIN_WEIGH_FORMULA_H
#define AKIN_WEIGH_FORMULA_H

#include "base/choice.h"

#ifdef __CUDACC__
#define AKIN_FORMULA_FUNCTION static __host__ __device__ inline
#else
#define AKIN_FORMULA_FUNCTION static inline
#endif

/* What a formula makes of how often a term is there. */
typedef enum akin_formula_factor_form {
    AKIN_FACTOR_SCALED, /* (k1 + 1) tf / (norm + tf) */
    AKIN_FACTOR_BARE,   /* tf / (norm + tf) */
    AKIN_FACTOR_RAISED, /* delta + (k1 + 1) tf / (norm + tf) */
    AKIN_FACTOR_SHIFTED /* (k1 + 1) c / (k1 + c), c = tf / norm + delta */
} akin_formula_factor_form;

/* A formula and its parameters, checked. */
typedef struct akin_formula_terms {
    akin_formula formula;
    akin_formula_factor_form form;
    double k1, b, delta;
} akin_formula_terms;

/* Errors: AKIN_E_OPTION. A delta below 0 becomes what is usual. */
akin_status akin_formula_read(akin_formula formula, double k1, double b, double delta, akin_formula_terms *out,
                              akin_error *error);

/* What a term of `df` (at least 1) of the documents weighs. */
double akin_formula_idf(const akin_formula_terms *terms, uint32_t documents, uint32_t df);

/* What the length of a document does: norm, or for BM25L what tf is divided by. */
AKIN_FORMULA_FUNCTION double akin_formula_norm(const akin_formula_terms *terms, uint32_t length, double mean)
{
    double share = (1.0 - terms->b) + terms->b * ((double)length / mean);
    return terms->form == AKIN_FACTOR_SHIFTED ? share : terms->k1 * share;
}

/* What idf is multiplied by: that product, rounded, is the weight of a term that is `tf` times in a document of that
 * norm. */
AKIN_FORMULA_FUNCTION double akin_formula_factor(const akin_formula_terms *terms, double norm, uint32_t tf)
{
    const double times = tf;
    double c;
    switch (terms->form) {
    case AKIN_FACTOR_BARE:
        return times / (norm + times);
    case AKIN_FACTOR_RAISED:
        return terms->delta + ((terms->k1 + 1.0) * times) / (norm + times);
    case AKIN_FACTOR_SHIFTED:
        c = times / norm + terms->delta;
        return ((terms->k1 + 1.0) * c) / (terms->k1 + c);
    case AKIN_FACTOR_SCALED:
        break;
    }
    return ((terms->k1 + 1.0) * times) / (norm + times);
}

extern const akin_choice_table akin_formulas;

/* Weighs the terms of one document: values[i] is that of term ids[i], which is tf[i] times in it and has
 * idf[ids[i]]. */
void akin_formula_weigh(const akin_formula_terms *terms, double norm, const double *idf, const uint32_t *ids,
                        const uint32_t *tf, uint64_t count, double *values);

/* Weighs a term in its documents: values[i] is its weight in document ids[i], which has it tf[i] times and the norm
 * norms[ids[i]]. */
void akin_formula_weigh_list(const akin_formula_terms *terms, double idf, const double *norms, const uint32_t *ids,
                             const uint32_t *tf, uint64_t count, double *values);

#endif
