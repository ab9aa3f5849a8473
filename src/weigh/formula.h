/*
 * The formulas of term weights, in parts: what depends on the term, what on the document, and what on both. Doubles, each
 * operation rounded, so that whatever computes them has the same bits. Kernels see this file, too, and are compiled with nothing
 * fused.
 */
#ifndef AKIN_WEIGH_FORMULA_H
#define AKIN_WEIGH_FORMULA_H

#include "base/error.h"

#ifdef __CUDACC__
#define AKIN_FORMULA_FUNCTION static __host__ __device__ inline
#else
#define AKIN_FORMULA_FUNCTION static inline
#endif

/* A formula and its parameters, checked. */
typedef struct akin_formula_terms {
    akin_formula formula;
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
    return terms->formula == AKIN_FORMULA_BM25_L ? share : terms->k1 * share;
}

/* What idf is multiplied by: that product, rounded, is the weight of a term that is `tf` times in a document of that norm. */
AKIN_FORMULA_FUNCTION double akin_formula_factor(const akin_formula_terms *terms, double norm, uint32_t tf)
{
    const double times = tf;
    double c;
    switch (terms->formula) {
    case AKIN_FORMULA_ROBERTSON:
    case AKIN_FORMULA_LUCENE:
        return times / (norm + times);
    case AKIN_FORMULA_BM25_PLUS:
        return terms->delta + ((terms->k1 + 1.0) * times) / (norm + times);
    case AKIN_FORMULA_BM25_L:
        c = times / norm + terms->delta;
        return ((terms->k1 + 1.0) * c) / (terms->k1 + c);
    case AKIN_FORMULA_PAPER:
    case AKIN_FORMULA_ATIRE:
        break;
    }
    return ((terms->k1 + 1.0) * times) / (norm + times);
}

/* Weighs the terms of one document: values[i] is that of term ids[i], which is tf[i] times in it and has idf[ids[i]]. */
void akin_formula_weigh(const akin_formula_terms *terms, double norm, const double *idf, const uint32_t *ids,
                        const uint32_t *tf, uint64_t count, double *values);

#endif
