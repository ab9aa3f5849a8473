/* How many clusters have which size, as lines of a table: one size each up to 10, and then 11 to 20, 21 to 50, 51 to
 * 100, 101 to 200 and so on. */
#ifndef AKIN_REPORT_SIZES_H
#define AKIN_REPORT_SIZES_H

#include "report/html.h"

#define AKIN_SIZES_LINES 64 /* more than sizes below 2^32 have */

/* Zeros at first. */
typedef struct akin_sizes {
    uint64_t counts[AKIN_SIZES_LINES], members[AKIN_SIZES_LINES];
} akin_sizes;

/* Counts a cluster of `size` members, 1 or more. */
void akin_sizes_add(akin_sizes *sizes, uint32_t size);

/* Writes the lines of sizes that there are: sizes, clusters, their members in all if these are wanted, and a bar. */
void akin_sizes_write(const akin_sizes *sizes, int with_members, akin_html *html);

#endif
