/*
 * The kernels of this room as C functions. All of them are *later* in the sense of device/device.h; pointers within
 * structs are of device memory. Errors: AKIN_E_DEVICE.
 *
 *     count       hashes of bags --> counters    those of frequencies.h, bit for bit
 *     prefixes    bags, counters --> prefixes    the rare hashes of each, and its signature
 */
#ifndef AKIN_CORPUS_KERNELS_H
#define AKIN_CORPUS_KERNELS_H

#include "device/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_GPU_BAG_HASHES ((uint64_t)1 << 26) /* the most hashes of a launch */

/* Counters of 4 bits, eight to a word: an akin_frequencies in words. */
typedef struct akin_gpu_counters {
    uint32_t *words;
    uint64_t slots, counted;
} akin_gpu_counters;

/* A document whose prefix is wanted. */
typedef struct akin_gpu_bag {
    uint64_t begin;   /* of its hashes */
    uint64_t scratch; /* of as many bytes */
    uint32_t size;    /* of the bag */
    uint32_t longest; /* the length of its prefix, with the hashes that it alone has */
} akin_gpu_bag;

/* What comes of it: at least the hashes of its prefix that have a count above 1, in any order. */
typedef struct akin_gpu_prefix {
    uint64_t begin;     /* of its hashes and their counts */
    uint64_t signature; /* where its words begin */
    uint32_t count;     /* of hashes; 0: it has no signature either */
    uint32_t alone;     /* hashes of the bag with a count of 1: they come before these */
} akin_gpu_prefix;

/* How much is taken; zeros before a launch. */
typedef struct akin_gpu_taken {
    unsigned long long hashes, words;
} akin_gpu_taken;

/* Room for what comes of documents: as many hashes, and bytes, as their bags have, and words of their signatures. */
typedef struct akin_gpu_prefixes {
    akin_gpu_prefix *of;
    uint64_t *hashes;
    uint8_t *counts;  /* of hashes */
    uint8_t *scratch; /* the counts of all hashes of bags */
    uint64_t *words;
    akin_gpu_taken *taken;
} akin_gpu_prefixes;

typedef struct akin_corpus_kernels {
    akin_status (*count)(akin_device_stream *stream, const uint64_t *hashes, uint64_t count,
                         const akin_gpu_counters *counters, akin_error *error);
    akin_status (*prefixes)(akin_device_stream *stream, const uint64_t *hashes, const akin_gpu_bag *bags,
                            uint32_t documents, const akin_gpu_counters *counters, const akin_gpu_prefixes *out,
                            akin_error *error);
} akin_corpus_kernels;

#ifdef __cplusplus
}
#endif

#endif
