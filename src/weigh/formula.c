/* The formulas of term weights. */
#include "weigh/formula.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    double delta; /* what is usual */
} formulas[] = {
    [AKIN_FORMULA_PAPER] = {"paper", 0},       [AKIN_FORMULA_ROBERTSON] = {"robertson", 0},
    [AKIN_FORMULA_LUCENE] = {"lucene", 0},     [AKIN_FORMULA_ATIRE] = {"atire", 0},
    [AKIN_FORMULA_BM25_PLUS] = {"bm25+", 1.0}, [AKIN_FORMULA_BM25_L] = {"bm25l", 0.5},
};

#define FORMULAS (sizeof formulas / sizeof *formulas)

const char *akin_formula_name(akin_formula formula)
{
    return (size_t)formula < FORMULAS ? formulas[formula].name : NULL;
}

akin_status akin_formula_parse(const char *name, akin_formula *out, akin_error *error)
{
    for (size_t i = AKIN_FORMULA_PAPER; i < FORMULAS; i++)
        if (strcmp(name, formulas[i].name) == 0) {
            *out = (akin_formula)i;
            return AKIN_OK;
        }
    akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_CHOICE,
                   "there is no formula '%.100s': expected paper, robertson, lucene, atire, bm25+ or bm25l", name);
    return akin_note_word(AKIN_E_OPTION, name, strlen(name), error);
}

akin_status akin_formula_read(akin_formula formula, double k1, double b, double delta, akin_formula_terms *out,
                              akin_error *error)
{
    if (!akin_formula_name(formula))
        return akin_fail(error, AKIN_E_OPTION, "formula %d is none of those there are", (int)formula);
    if (!(k1 >= 0 && k1 <= 1e6))
        return akin_fail(error, AKIN_E_OPTION, "k1 is %g; expected 0 to 1000000", k1);
    if (!(b >= 0 && b <= 1))
        return akin_fail(error, AKIN_E_OPTION, "b is %g; expected 0 to 1", b);
    if (!(delta <= 1e6))
        return akin_fail(error, AKIN_E_OPTION, "delta is %g; expected 0 to 1000000, or below 0 for what is usual",
                         delta);
    *out = (akin_formula_terms){formula, k1, b, delta < 0 ? formulas[formula].delta : delta};
    return AKIN_OK;
}

double akin_formula_idf(const akin_formula_terms *terms, uint32_t documents, uint32_t df)
{
    const double all = documents, some = df;
    switch (terms->formula) {
    case AKIN_FORMULA_ROBERTSON:
        return log((all - some + 0.5) / (some + 0.5));
    case AKIN_FORMULA_LUCENE:
        return log(1.0 + (all - some + 0.5) / (some + 0.5));
    case AKIN_FORMULA_BM25_PLUS:
        return log((all + 1.0) / some);
    case AKIN_FORMULA_BM25_L:
        return log((all + 1.0) / (some + 0.5));
    case AKIN_FORMULA_PAPER:
    case AKIN_FORMULA_ATIRE:
        break;
    }
    return log(all / some);
}

/* Compiled once for each formula, so that there is no branch in the loop. */
__attribute__((always_inline)) static inline void weigh(akin_formula formula, const akin_formula_terms *terms,
                                                        double norm, const double *idf, const uint32_t *ids,
                                                        const uint32_t *tf, uint64_t count, double *values)
{
    const akin_formula_terms own = {formula, terms->k1, terms->b, terms->delta};
    for (uint64_t i = 0; i < count; i++)
        values[i] = idf[ids[i]] * akin_formula_factor(&own, norm, tf[i]);
}

void akin_formula_weigh(const akin_formula_terms *terms, double norm, const double *idf, const uint32_t *ids,
                        const uint32_t *tf, uint64_t count, double *values)
{
    switch (terms->formula) {
    case AKIN_FORMULA_ROBERTSON:
    case AKIN_FORMULA_LUCENE:
        weigh(AKIN_FORMULA_LUCENE, terms, norm, idf, ids, tf, count, values);
        return;
    case AKIN_FORMULA_BM25_PLUS:
        weigh(AKIN_FORMULA_BM25_PLUS, terms, norm, idf, ids, tf, count, values);
        return;
    case AKIN_FORMULA_BM25_L:
        weigh(AKIN_FORMULA_BM25_L, terms, norm, idf, ids, tf, count, values);
        return;
    case AKIN_FORMULA_PAPER:
    case AKIN_FORMULA_ATIRE:
        break;
    }
    weigh(AKIN_FORMULA_PAPER, terms, norm, idf, ids, tf, count, values);
}
