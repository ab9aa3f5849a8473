/* Which of two strings is more similar to a third: in exact arithmetic, where doubles do not decide. */
#ifndef AKIN_STRINGS_ORDER_H
#define AKIN_STRINGS_ORDER_H

#include "strings/cutoff.h"

/* How alike a string is to a query: the edits between them, or what both have in common. */
typedef struct akin_alike {
    uint32_t row, length; /* of the string */
    uint32_t distance;    /* of edits */
    uint32_t prefix;      /* of matches: the first symbols that both have */
    akin_jaro jaro;
} akin_alike;

/* What is compared: a distance if by_distance, which is of edits, else the similarity of the cutoff's comparator, whose
 * threshold does not matter. `query` is the length of the query; no length is above AKIN_ORDER_LONGEST. */
typedef struct akin_order {
    const akin_cutoff *cutoff;
    uint32_t query;
    int by_distance;
} akin_order;

#define AKIN_ORDER_LONGEST INT32_MAX

/* Above 0: a is the more alike; below 0: b is; 0: they are equally alike. */
int akin_order_of(const akin_order *order, const akin_alike *a, const akin_alike *b);

/* The cutoff that all strings reach that are as alike as that one or more, and perhaps a few that are a little less;
 * not below `least`. */
akin_cutoff akin_order_cutoff(const akin_order *order, const akin_alike *a, const akin_cutoff *least);

#endif
