/*
 * A sample sort (Frazer, McKellar, Samplesort, 1970): keys that were drawn at even distances split all others into
 * buckets, each of which one thread sorts within its cache.
 *
 *     keys     task 0 | task 1 | ...          each counts its keys of each bucket, and then moves them
 *     moved    bucket 0 | bucket 1 | ...      each is sorted, and copied back
 */
#include "base/sort_parallel.h"

#include "base/parallel.h"
#include "base/sort.h"

#include <string.h>

#define LEAST        65536 /* fewer keys are sorted by the calling thread */
#define TASK_KEYS    65536
#define BUCKET_KEYS  16384 /* about */
#define BUCKETS_MOST 1024
#define SAMPLES      16 /* that are drawn for a bucket */

#define SORT_BUCKET_U64(keys, scratch, count)  akin_radix_sort_u64(keys, scratch, (size_t)(count))
#define SORT_BUCKET_U128(keys, scratch, count) akin_sort_u128(keys, (size_t)(count))

#define KEY         uint64_t
#define NAME(x)     x##_u64
#define SORT        akin_sort_u64
#define SORT_BUCKET SORT_BUCKET_U64
#define SORT_LONG   akin_sort_long_u64
#include "base/sort_parallel_body.h"
#undef KEY
#undef NAME
#undef SORT
#undef SORT_BUCKET
#undef SORT_LONG

#define KEY         akin_u128
#define NAME(x)     x##_u128
#define SORT        akin_sort_u128
#define SORT_BUCKET SORT_BUCKET_U128
#define SORT_LONG   akin_sort_long_u128
#include "base/sort_parallel_body.h"
