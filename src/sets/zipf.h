/*
 * Draws tokens 0 .. universe-1, token k with a weight proportional to (k + 1 + shift)^-exponent, or to one that is
 * given, with and without replacement.
 *
 * The weights are integers, so that what is drawn depends on integer arithmetic alone. They come from (k + 1 +
 * shift)^-exponent in doubles, by the logarithm and the exponential of base/elementary.h: the same everywhere.
 */
#ifndef AKIN_SETS_ZIPF_H
#define AKIN_SETS_ZIPF_H

#include "base/error.h"
#include "base/random.h"

/* Immutable once built; many threads may draw from one. */
typedef struct akin_zipf {
    uint32_t universe;
    uint64_t total;  /* the sum of all weights */
    uint64_t *sums;  /* sums[k], k from 0 to universe: the weight of the tokens below k; NULL: all weights are 1 */
    uint32_t *guide; /* guide[i]: the token that holds the weight number i << shift */
    unsigned shift;
} akin_zipf;

/* Takes at most 12 bytes a token, none for exponent 0. universe is above 0, exponent from 0 to 100. A shift above 0
 * makes it the distribution of Zipf and Mandelbrot. Errors: AKIN_E_NOMEM; then, too, akin_zipf_clear may follow. */
akin_status akin_zipf_build(uint32_t universe, double exponent, uint32_t shift, akin_zipf *out, akin_error *error);
/* The same of weights that are given, each at least 0, their sum above 0 and finite. A weight of 0 is very rare. */
akin_status akin_zipf_build_of(const double *weights, uint32_t universe, akin_zipf *out, akin_error *error);
void akin_zipf_clear(akin_zipf *zipf);

/* A token, in constant time on average. */
uint32_t akin_zipf_draw(const akin_zipf *zipf, akin_random *random);

/*
 * An urn to draw from without replacement: each draw takes a token with a probability proportional to its weight among
 * those left. A draw, and taking or putting a given token, costs the logarithm of the universe whatever the weights
 * are, where drawing from all and refusing repetitions may go on and on. A Fenwick tree over the weights: 8 bytes a
 * token.
 */
typedef struct akin_urn {
    const akin_zipf *zipf;
    uint64_t total;
    uint64_t *tree;
} akin_urn;

/* Fills an urn with all tokens. Errors: AKIN_E_NOMEM. */
akin_status akin_urn_fill(const akin_zipf *zipf, akin_urn *out, akin_error *error);
void akin_urn_clear(akin_urn *urn);

/* Takes a token out that is in; draws one and takes it out (there must be one); puts a token back in. */
void akin_urn_take(akin_urn *urn, uint32_t token);
uint32_t akin_urn_draw(akin_urn *urn, akin_random *random);
void akin_urn_put(akin_urn *urn, uint32_t token);

#endif
