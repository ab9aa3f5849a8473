/*
 * Bags of documents in the memory of GPUs. The threads make each bag once, while hashes are counted. The GPUs
 * count, and keep the bags that they have memory for. Then they choose the rare hashes of documents, and make
 * signatures.
 *
 *     threads    bags of portion 0 | bags of portion 1 | ...                                compare batch 0     | ...
 *     a GPU                        | keep, count 0     | ... | together | prefixes of batch 0 | those of batch 1 | ...
 *
 * Portions go to the GPUs in turn. Each counts what it got, and together they have the counts of all documents. The
 * functions are called one after the other, by any thread: they call none of the callbacks of the job's caller.
 * Documents that no GPU has memory for are counted, too, and the host makes their bags again.
 */
#ifndef AKIN_CORPUS_BAGS_GPU_H
#define AKIN_CORPUS_BAGS_GPU_H

#include "base/memory.h"
#include "base/scope.h"
#include "corpus/frequencies.h"
#include "corpus/survivors.h"
#include "device/devices.h"

#define AKIN_NOT_ON_GPU UINT64_MAX

typedef struct akin_bags_gpu akin_bags_gpu;

/* Bags that a thread made: all hashes, in a row. */
typedef struct akin_bag_rows {
    const uint64_t *hashes;
    uint64_t count;
    uint64_t place;   /* out: of the first one; AKIN_NOT_ON_GPU */
    uint32_t longest; /* the size of the largest bag */
} akin_bag_rows;

/* A document whose prefix is wanted. */
typedef struct akin_bag_wanted {
    uint64_t place; /* of its first hash */
    uint32_t size, longest;
    akin_rare *out; /* not written: the host is to make the bag */
} akin_bag_wanted;

/* Whether GPUs are wanted for bags of that many bytes of text, and which: *out is NULL if not, or if none works
 * and none is required. Errors: those of akin_devices_of. */
akin_status akin_bags_gpu_choose(const akin_scope *scope, uint64_t bytes, akin_devices **out, akin_error *error);

/* Begins with counters like those of the host, `frequencies`, which have counted nothing yet, and with room for about
 * `hashes` hashes. Both stay the caller's. Errors: those of device.h; AKIN_E_NOMEM (the GPU has no memory for the
 * counters, too). */
akin_status akin_bags_gpu_create(const akin_scope *scope, akin_account *account, akin_devices *devices,
                                 akin_frequencies *frequencies, uint64_t hashes, akin_bags_gpu **out,
                                 akin_error *error);
void akin_bags_gpu_free(akin_bags_gpu *bags);

/* Counts a portion, what each thread made of it, and keeps it if there is memory. Errors: those of device.h. */
akin_status akin_bags_gpu_add(akin_bags_gpu *bags, akin_bag_rows *rows, uint32_t count, akin_error *error);

/* Ends the counting: all GPUs, and the host, have the counts of all documents. Errors: those of device.h. */
akin_status akin_bags_gpu_finish(akin_bags_gpu *bags, akin_error *error);

/* Finds the prefixes and the signatures of documents that are there. They are valid until the next call for that side,
 * 0 or 1. Errors: those of device.h. */
akin_status akin_bags_gpu_prefixes(akin_bags_gpu *bags, uint32_t side, const akin_bag_wanted *wanted, uint32_t count,
                                   akin_error *error);

#endif
