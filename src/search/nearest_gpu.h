/* The nearest strings on a GPU, by comparing all: what the host does. */
#ifndef AKIN_SEARCH_NEAREST_GPU_H
#define AKIN_SEARCH_NEAREST_GPU_H

#include "base/scope.h"
#include "search/kernels.h"

/* Strings that are on a device, for as many batches of queries as there are. */
typedef struct akin_comparisons {
    akin_device *device;
    akin_device_stream *stream;
    akin_gpu_strings there;
    uint32_t rows, count; /* of the column, and those that are no nulls */
    uint64_t bytes;       /* that a thread walks through, all of them */
    akin_device_buffer resident, queries, texts, shown, keys, found, best[2], best_found[2];
} akin_comparisons;

/* Bytes that strings take there, about. */
uint64_t akin_comparisons_bytes(const akin_column *strings, uint32_t rows);

/* Brings a column's strings, none of more than AKIN_COMPARE_LONGEST bytes, to the device. akin_comparisons_clear may
 * follow in any case. Errors: AKIN_E_NOMEM (they do not fit), AKIN_E_DEVICE, AKIN_E_CANCELLED. */
akin_status akin_comparisons_begin(const akin_scope *scope, akin_device *device, const akin_column *strings,
                                   uint32_t rows, akin_comparisons *out, akin_error *error);
void akin_comparisons_clear(akin_comparisons *comparisons);

/*
 * The k nearest of `count` queries: keys[i * k] .. keys[i * k + found[i] - 1], which are | distance | row |, rising. A
 * query that is null has none. is_left[i] becomes 1, and nothing is found, for queries that are left to the caller: a
 * query of more than AKIN_COMPARE_ROWS bytes, and a query with fewer than k strings nearer than AKIN_COMPARE_FAR, or
 * fewer than all if there are fewer than k. Errors: AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED.
 */
akin_status akin_comparisons_search(const akin_scope *scope, akin_comparisons *comparisons, const akin_column *queries,
                                    uint32_t count, uint32_t k, uint64_t *keys, uint32_t *found, uint8_t *is_left,
                                    akin_error *error);

#endif
