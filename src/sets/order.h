/* Puts the tokens of a set in order where sets are many and small: without a branch that depends on the tokens. */
#ifndef AKIN_SETS_ORDER_H
#define AKIN_SETS_ORDER_H

#include "base/context.h"

#define AKIN_ORDER_PADDING 16 /* tokens behind the last one that may be read and written */

/* Writes `count` distinct tokens, all below 2^bits, ascending to `to`, overwriting `from`. */
void akin_order_tokens(akin_cpu cpu, uint32_t *from, uint32_t *to, uint32_t count, int bits);

#endif
