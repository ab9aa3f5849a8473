/* Puts the tokens of sets in order where sets are many and small: without a branch that depends on the tokens. */
#ifndef AKIN_SETS_ORDER_H
#define AKIN_SETS_ORDER_H

#include "base/scope.h"

#define AKIN_ORDER_PADDING 8  /* numbers behind those of the largest set that scratch must have room for */
#define AKIN_ORDER_FEW     96 /* the padding behind larger sets is left alone */

/*
 * Takes sets of token numbers, concatenated, and writes their tokens to `to`, each set ascending. Token number i is
 * tokens[i]. The numbers in a set are distinct, and below 2^bits. `scratch` has room for the largest set and the
 * padding, and has been written to.
 */
void akin_order_sets(akin_cpu cpu, const uint32_t *numbers, const uint32_t *sizes, uint32_t sets,
                     const uint32_t *tokens, int bits, uint32_t *scratch, uint32_t *to);

/*
 * Puts `sets` sets of `size` numbers each in order, from one block to another: in both they are concatenated. The
 * numbers in a set are distinct, and below 2^bits. Behind `from` there is the padding, which has been written to; but
 * not if size is beyond AKIN_ORDER_FEW. `from` is lost.
 */
void akin_order_alike(akin_cpu cpu, uint32_t *from, uint32_t sets, uint32_t size, int bits, uint32_t *to);

#endif
