/*
 * The kernels of this room as C functions. They look up words in a trie that is in device memory. They are *later* in
 * the sense of device/device.h, and all their pointers are of device memory. Errors: AKIN_E_DEVICE.
 */
#ifndef AKIN_DICT_KERNELS_H
#define AKIN_DICT_KERNELS_H

#include "device/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An akin_trie_edge (trie_layout.h) in device memory. */
typedef struct akin_gpu_edge {
    const void *records;    /* aligned to 16 bytes; in a table the column of the symbol */
    const uint8_t *cells;   /* in blocks aligned to 16 bytes; 16 bytes can be read behind the last one */
    const uint32_t *starts; /* for a rare symbol; NULL for others */
    uint32_t first, count;
} akin_gpu_edge;

/* A trie in device memory, as akin_trie_upload (dict/trie_gpu.h) copies it. */
typedef struct akin_gpu_trie {
    const akin_gpu_edge *edges; /* symbols + 2 edges: of the symbols, the end and the absent symbol */
    const uint16_t *codes;      /* the symbol of each byte, 256 of them */
    const uint16_t *places;     /* the places of rare symbols */
    const uint32_t *pairs;      /* span * span: the node that two symbols lead to; NULL: none are kept */
    const void *own;            /* akin_trie.own; NULL: the form has none */
    const void *near;           /* the first bytes of `own`, in the shared memory of each block */
    uint32_t symbols, span;
    uint32_t longest; /* bytes of the longest word of the trie, at most AKIN_GPU_WORD */
} akin_gpu_trie;

/* Words in device memory. Word i is bytes[begins[i]] .. bytes[ends[i] - 1]; `ends` may be begins + 1. */
typedef struct akin_gpu_words {
    const uint8_t *bytes;
    const uint32_t *begins, *ends;
    uint64_t count;
} akin_gpu_words;

/* Which words the lanes of a warp take at the same time. All ways give the same ids. */
typedef enum akin_balance {
    AKIN_BALANCE_NONE,   /* adjacent words, as in the paper: lanes wait for the longest word */
    AKIN_BALANCE_BINS,   /* words of similar length, from a tile that the block has sorted by length */
    AKIN_BALANCE_REFILL, /* a lane whose word has ended gets the next word of its block */
    AKIN_BALANCES
} akin_balance;

#define AKIN_BALANCE_CHOSEN AKIN_BALANCE_BINS

/* Bounds of a launch, which keep it short. AKIN_GPU_SHARE is the most words for each multiprocessor. Words of a
 * language then take milliseconds; a caller with longer words gives fewer at once. AKIN_GPU_WORD is the length of the
 * longest word that a GPU looks up, in bytes. The CPU looks up longer words. */
#define AKIN_GPU_SHARE ((uint64_t)1 << 16)
#define AKIN_GPU_WORD  1024u

/* Writes the id of word i to ids[i], or AKIN_TRIE_UNKNOWN if the trie lacks the word or the word is too long. */
typedef akin_status akin_gpu_look_up(akin_device_stream *stream, const akin_gpu_trie *trie, const akin_gpu_words *words,
                                     akin_balance balance, uint32_t *ids, akin_error *error);

/* The kernels of dictionaries, a function for each form of the library. */
typedef struct akin_trie_kernels {
    akin_gpu_look_up *chunks;
} akin_trie_kernels;

extern const akin_trie_kernels akin_cuda_trie; /* in a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
