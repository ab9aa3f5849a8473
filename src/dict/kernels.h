/*
 * The kernels of this room as C functions: words looked up in a trie that is in device memory. They are *later* in the sense of
 * device/device.h; all pointers are of device memory. Errors: AKIN_E_DEVICE.
 */
#ifndef AKIN_DICT_KERNELS_H
#define AKIN_DICT_KERNELS_H

#include "device/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an akin_trie_edge of trie.h is, there. */
typedef struct akin_gpu_edge {
    const void *records;    /* aligned to 16 bytes; of a table its column */
    const uint8_t *cells;   /* from blocks that are aligned to 16 bytes, and can be read that far beyond the last one */
    const uint32_t *starts; /* of a rare symbol */
    uint32_t first, count;
} akin_gpu_edge;

/* A trie, as akin_trie_upload (dict/trie_gpu.h) brings it there. */
typedef struct akin_gpu_trie {
    const akin_gpu_edge *edges; /* of symbols, of the end, of the absent one: symbols + 2 */
    const uint16_t *codes;      /* the symbol of each of 256 bytes */
    const uint16_t *places;     /* of rare symbols */
    const uint32_t *pairs;      /* where two symbols lead, span * span; NULL: they are not kept */
    const void *own;            /* akin_trie.own; NULL: the form has nothing of its own */
    const void *near;           /* the beginning of it, which each block of threads has in its shared memory */
    uint32_t symbols, span;
    uint32_t longest; /* bytes of a word that may be there, AKIN_GPU_WORD at most */
} akin_gpu_trie;

/* Word i is bytes[begins[i]] .. bytes[ends[i] - 1]; `ends` may be begins + 1. */
typedef struct akin_gpu_words {
    const uint8_t *bytes;
    const uint32_t *begins, *ends;
    uint64_t count;
} akin_gpu_words;

/* Which words the lanes of a warp have together. All give the same ids. */
typedef enum akin_balance {
    AKIN_BALANCE_NONE,   /* those that stand side by side, as in the paper: lanes wait for the longest */
    AKIN_BALANCE_BINS,   /* words of about the same length, of some that a block has sorted by it */
    AKIN_BALANCE_REFILL, /* whichever come: a lane whose word has ended gets the next one of its block's */
    AKIN_BALANCES
} akin_balance;

#define AKIN_BALANCE_CHOSEN AKIN_BALANCE_BINS

/* Bounds of a launch, so that none takes too long. AKIN_GPU_SHARE is the most words for each multiprocessor: for words of a
 * language that is milliseconds of work; the caller gives fewer words at once if they are longer. AKIN_GPU_WORD is the length of
 * the longest word that a GPU looks up, in bytes. The CPU looks up longer words. */
#define AKIN_GPU_SHARE ((uint64_t)1 << 16)
#define AKIN_GPU_WORD  1024u

/* ids[i] becomes the id of word i; AKIN_TRIE_UNKNOWN: the trie does not have the word, or the word is too long. */
typedef akin_status akin_gpu_look_up(akin_device_stream *stream, const akin_gpu_trie *trie, const akin_gpu_words *words,
                                     akin_balance balance, uint32_t *ids, akin_error *error);

/* The kernels of dictionaries, a function for each form of the library. */
typedef struct akin_trie_kernels {
    akin_gpu_look_up *chunks;
} akin_trie_kernels;

extern const akin_trie_kernels akin_cuda_trie; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
