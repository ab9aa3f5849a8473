/* The formulas of term weights: a row for each. */
#include "weigh/formula.h"

#include <math.h>

/* ------------------------------------------------------------------------------------------------------------ terms */

/* What a term of some of all documents weighs. */
static double idf_plain(double all, double some)
{
    return log(all / some);
}

static double idf_robertson(double all, double some)
{
    return log((all - some + 0.5) / (some + 0.5));
}

static double idf_lucene(double all, double some)
{
    return log(1.0 + (all - some + 0.5) / (some + 0.5));
}

static double idf_plus(double all, double some)
{
    return log((all + 1.0) / some);
}

static double idf_l(double all, double some)
{
    return log((all + 1.0) / (some + 0.5));
}

/* -------------------------------------------------------------------------------------------------------- documents */

/* Compiled once for each form, so that there is no branch in the loop. */
__attribute__((always_inline)) static inline void weigh(akin_formula_factor_form form, const akin_formula_terms *terms,
                                                        double norm, const double *idf, const uint32_t *ids,
                                                        const uint32_t *tf, uint64_t count, double *values)
{
    const akin_formula_terms own = {terms->formula, form, terms->k1, terms->b, terms->delta};
    for (uint64_t i = 0; i < count; i++)
        values[i] = idf[ids[i]] * akin_formula_factor(&own, norm, tf[i]);
}

/* The same for the documents of one term. */
__attribute__((always_inline)) static inline void weigh_list(akin_formula_factor_form form,
                                                             const akin_formula_terms *terms, double idf,
                                                             const double *norms, const uint32_t *ids,
                                                             const uint32_t *tf, uint64_t count, double *values)
{
    const akin_formula_terms own = {terms->formula, form, terms->k1, terms->b, terms->delta};
    for (uint64_t i = 0; i < count; i++)
        values[i] = idf * akin_formula_factor(&own, norms[ids[i]], tf[i]);
}

#define WEIGHER(name, form)                                                                                            \
    static void name(const akin_formula_terms *terms, double norm, const double *idf, const uint32_t *ids,             \
                     const uint32_t *tf, uint64_t count, double *values)                                               \
    {                                                                                                                  \
        weigh(form, terms, norm, idf, ids, tf, count, values);                                                         \
    }                                                                                                                  \
    static void name##_list(const akin_formula_terms *terms, double idf, const double *norms, const uint32_t *ids,     \
                            const uint32_t *tf, uint64_t count, double *values)                                        \
    {                                                                                                                  \
        weigh_list(form, terms, idf, norms, ids, tf, count, values);                                                   \
    }

WEIGHER(weigh_scaled, AKIN_FACTOR_SCALED)
WEIGHER(weigh_bare, AKIN_FACTOR_BARE)
WEIGHER(weigh_raised, AKIN_FACTOR_RAISED)
WEIGHER(weigh_shifted, AKIN_FACTOR_SHIFTED)

/* ------------------------------------------------------------------------------------------------------------ table */

typedef struct formula_row {
    akin_choice choice; /* its value is an akin_formula */
    double delta;       /* what is usual */
    akin_formula_factor_form form;
    double (*idf)(double all, double some);
} formula_row;

static const formula_row formulas[] = {
    {{"paper", "", "log(N / df), from a paper about GPUs", AKIN_FORMULA_PAPER, 0}, 0, AKIN_FACTOR_SCALED, idf_plain},
    {{"robertson", "", "Robertson's, negative for very frequent terms", AKIN_FORMULA_ROBERTSON, 0},
     0,
     AKIN_FACTOR_BARE,
     idf_robertson},
    {{"lucene", "", "Lucene's, never negative", AKIN_FORMULA_LUCENE, AKIN_IS_DEFAULT}, 0, AKIN_FACTOR_BARE, idf_lucene},
    {{"atire", "", "ATIRE's, the same as paper", AKIN_FORMULA_ATIRE, 0}, 0, AKIN_FACTOR_SCALED, idf_plain},
    {{"bm25+", "", "BM25+, with a smallest weight for each term", AKIN_FORMULA_BM25_PLUS, AKIN_TAKES_DELTA},
     1.0,
     AKIN_FACTOR_RAISED,
     idf_plus},
    {{"bm25l", "", "BM25L, which favours long documents", AKIN_FORMULA_BM25_L, AKIN_TAKES_DELTA},
     0.5,
     AKIN_FACTOR_SHIFTED,
     idf_l},
};
const akin_choice_table akin_formulas = AKIN_CHOICE_TABLE("formula", formulas);

static const formula_row *formula_row_of(akin_formula formula)
{
    return (const formula_row *)akin_choice_of(&akin_formulas, (int)formula);
}

const char *akin_formula_name(akin_formula formula)
{
    return akin_choice_name(&akin_formulas, (int)formula);
}

akin_status akin_formula_parse(const char *name, akin_formula *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_formulas, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_formula)value;
    return status;
}

akin_status akin_formula_read(akin_formula formula, double k1, double b, double delta, akin_formula_terms *out,
                              akin_error *error)
{
    const formula_row *row = formula_row_of(formula);
    if (!row)
        return akin_fail(error, AKIN_E_OPTION, "formula %d is none of those there are", (int)formula);
    if (!(k1 >= 0 && k1 <= 1e6))
        return akin_fail(error, AKIN_E_OPTION, "k1 is %g; expected 0 to 1000000", k1);
    if (!(b >= 0 && b <= 1))
        return akin_fail(error, AKIN_E_OPTION, "b is %g; expected 0 to 1", b);
    if (!(delta <= 1e6))
        return akin_fail(error, AKIN_E_OPTION, "delta is %g; expected 0 to 1000000, or below 0 for what is usual",
                         delta);
    *out = (akin_formula_terms){formula, row->form, k1, b, delta < 0 ? row->delta : delta};
    return AKIN_OK;
}

double akin_formula_idf(const akin_formula_terms *terms, uint32_t documents, uint32_t df)
{
    return formula_row_of(terms->formula)->idf(documents, df);
}

void akin_formula_weigh(const akin_formula_terms *terms, double norm, const double *idf, const uint32_t *ids,
                        const uint32_t *tf, uint64_t count, double *values)
{
    static void (*const of_form[])(const akin_formula_terms *, double, const double *, const uint32_t *,
                                   const uint32_t *, uint64_t, double *) = {[AKIN_FACTOR_SCALED] = weigh_scaled,
                                                                            [AKIN_FACTOR_BARE] = weigh_bare,
                                                                            [AKIN_FACTOR_RAISED] = weigh_raised,
                                                                            [AKIN_FACTOR_SHIFTED] = weigh_shifted};
    of_form[terms->form](terms, norm, idf, ids, tf, count, values);
}

void akin_formula_weigh_list(const akin_formula_terms *terms, double idf, const double *norms, const uint32_t *ids,
                             const uint32_t *tf, uint64_t count, double *values)
{
    static void (*const of_form[])(const akin_formula_terms *, double, const double *, const uint32_t *,
                                   const uint32_t *, uint64_t, double *) = {[AKIN_FACTOR_SCALED] = weigh_scaled_list,
                                                                            [AKIN_FACTOR_BARE] = weigh_bare_list,
                                                                            [AKIN_FACTOR_RAISED] = weigh_raised_list,
                                                                            [AKIN_FACTOR_SHIFTED] = weigh_shifted_list};
    of_form[terms->form](terms, idf, norms, ids, tf, count, values);
}
