/* Match-count search on a GPU by the technique `ranges`: what the host does. */
#ifndef AKIN_SEARCH_RANGES_H
#define AKIN_SEARCH_RANGES_H

#include "search/residents.h"
#include "search/search.h"
#include "search/similar.h"

/* Objects that are on a device, or are brought there part by part, for as many batches as there are. */
typedef struct akin_ranges {
    akin_device *device;
    akin_device_stream *stream;
    const akin_objects *objects; /* borrowed */
    akin_residents residents;
    akin_gpu_objects there; /* those of the part at hand */
    akin_device_buffer queries, parts, shown, keys, found, best[2], best_found[2];
    akin_device_buffer sizes; /* keywords of each object, once they are wanted; */
    int has_sizes;            /* they are there */
} akin_ranges;

/* Brings objects to the device, if they fit in `room` bytes (0: most of the device's memory), and else prepares to
 * bring parts. akin_ranges_clear may follow in any case. Errors: those of akin_residents_begin. */
akin_status akin_ranges_begin(const akin_scope *scope, akin_device *device, const akin_objects *objects, uint64_t room,
                              akin_ranges *out, akin_error *error);
void akin_ranges_clear(akin_ranges *ranges);

/* Predicts the seconds that a batch takes there, by that technique, or by the one that AKIN_SEARCH_AUTO would take; or
 * ranked by similarity. */
double akin_ranges_seconds(const akin_objects *objects, const akin_queries *queries, akin_search_technique technique);
double akin_ranges_seconds_similar(const akin_objects *objects, const akin_queries *queries);

#define AKIN_RANGES_K        ((uint32_t)AKIN_SEARCH_K_GPU) /* objects of a query, */
#define AKIN_RANGES_KEYWORDS 4194304u                      /* and keywords, at most, so that no launch takes too long */

/* The same as akin_search_batch, and the same results, by lists or by a scan, on the device; AKIN_SEARCH_AUTO takes
 * what costs fewer instructions. Errors: those of it, and AKIN_E_LIMIT (what is beyond the numbers above),
 * AKIN_E_DEVICE. */
akin_status akin_ranges_search(const akin_scope *scope, akin_ranges *ranges, const akin_queries *queries,
                               akin_search_technique technique, akin_search_results *out, akin_error *error);

/* The same by similarity: out->k objects of the largest scores (search/score.h), which stand where counts do, by lists.
 * Of `similar` k is not read. What it has of objects must be that of all calls. Errors: likewise. */
akin_status akin_ranges_search_similar(const akin_scope *scope, akin_ranges *ranges, const akin_similar *similar,
                                       akin_search_results *out, akin_error *error);

#endif
