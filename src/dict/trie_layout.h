/*
 * The frozen dictionary: a trie whose nodes are numbered in XBW order, that is, by what lies between them and the root, read
 * upwards (W.-K. Hon et al., Faster compressed dictionary matching, 2013; Wakatsuki, Keyaki and Miyazaki, A Case for Term
 * Weighting using a Dictionary on GPUs, sections 2.4 and 3.1). The root is node 0, and the words aba, ba, bb, cb, cc make
 *
 *     node     0   1   2   3   4   5   6   7   8   9
 *     prefix       a   ba  aba b   ab  bb  cb  c   cc       reversed they are in order: "", a, ab, aba, b, ba, bb, bc, c, cc
 *     B_a      1   0   0   0   1   1   0   0   0   0        whether a node has a child by a,
 *     B_b      1   1   0   0   1   0   0   0   1   0
 *     B_c      1   0   0   0   0   0   0   0   1   0
 *     B_end    0   0   1   1   0   0   1   1   0   1        or is the end of a word
 *
 * Nodes that were reached by the same symbol stand together, in the order of their parents: so the children by c begin at some
 * node C[c], here 1, 4 and 8, and
 *
 *     next(node, c) = C[c] + rank(B_c, node)        rank: the ones before
 *
 * The end of a word is taken for one more symbol, whose children are the ids: C[end] = 0. So ids are dense, in the order of the
 * reversed words, and a word of n bytes takes n + 1 steps.
 *
 * A kind is a form of the bit-vectors (akin_trie_form). The library has chunks (trie_chunks.h); an annex may have more. Vectors
 * with few ones are lists (sparse.h), as 255 symbols would else cost 255 directories.
 *
 * Symbols are numbered: 0 .. symbols-1 the bytes that occur, rising; then the end; then AKIN_TRIE_ABSENT of a byte that does not
 * occur, which leads nowhere.
 */
#ifndef AKIN_DICT_TRIE_LAYOUT_H
#define AKIN_DICT_TRIE_LAYOUT_H

#include "base/bulk.h"
#include "base/container.h"
#include "base/cpu.h"
#include "dict/kernels.h"
#include "dict/sparse.h"

#define AKIN_TRIE_SYMBOLS 255                     /* bytes other than 0, at most */
#define AKIN_TRIE_EDGES   (AKIN_TRIE_SYMBOLS + 2) /* with the end, and the absent one */
#define AKIN_TRIE_NODES   (UINT32_MAX - 1)        /* at most, and ids */
#define AKIN_TRIE_RARE    512                     /* a symbol is rare if fewer than one node in 512 has a child by it */
#define AKIN_TRIE_PAIRS   64                      /* nodes for each pair of symbols, at least, that pairs are kept */
#define AKIN_TRIE_PAD     16                      /* zeros behind the cells, and behind offsets */

/* A symbol as it stands in the file. */
typedef struct akin_trie_symbol {
    uint64_t cells; /* where its cells, or its offsets, begin, in bytes; of a rare one where its places begin */
    uint32_t first; /* the first of its children */
    uint32_t count; /* of them */
    uint32_t place; /* its number among the rare symbols, or among the others */
    uint8_t byte;   /* 0: the end of a word */
    uint8_t rare;
    uint16_t reserved; /* 0 */
} akin_trie_symbol;

/* A symbol as walks need it. */
typedef struct akin_trie_edge {
    const void *records;    /* its first record */
    const uint8_t *cells;   /* its first cell */
    const uint32_t *starts; /* of a rare symbol; NULL for others */
    uint32_t first;
    uint32_t count;
} akin_trie_edge;

enum { /* the parts of a trie, and sections of its file */
       AKIN_TRIE_HEAD,
       AKIN_TRIE_SYMBOL_LIST,
       AKIN_TRIE_RECORDS, /* of the symbols that are not rare */
       AKIN_TRIE_CELLS,   /* of one of these symbols after the other, and AKIN_TRIE_PAD zeros */
       AKIN_TRIE_STARTS,  /* of rare symbols */
       AKIN_TRIE_PLACES,
       AKIN_TRIE_PARTS
};

/* The numbers of forms in files, also of those that only an annex has: a number keeps its meaning. */
typedef enum akin_trie_saved {
    AKIN_TRIE_SAVED_CHUNKS = 1,
    AKIN_TRIE_SAVED_RRR = 2, /* papers/dict, as the next one */
    AKIN_TRIE_SAVED_STT = 3,
} akin_trie_saved;

typedef struct akin_trie_head {
    uint32_t kind;    /* an akin_trie_saved */
    uint32_t symbols; /* without the end */
    uint32_t nodes;
    uint32_t words;
    uint32_t longest; /* bytes of a word */
    uint32_t reserved[3];
} akin_trie_head;

/* Word i is bytes[begins[i]] .. bytes[ends[i] - 1]; `ends` may be begins + 1. */
typedef struct akin_trie_batch {
    const char *bytes;
    const uint64_t *begins, *ends;
    uint64_t count;
    uint32_t *ids; /* of each word, or AKIN_TRIE_UNKNOWN */
} akin_trie_batch;

/* Looks up the words of a batch, AKIN_TRIE_BATCH at most. */
typedef void (*akin_trie_walker)(const akin_trie *trie, const akin_trie_batch *batch);
#define AKIN_TRIE_BATCH ((uint64_t)1 << 15)

/* The child of a node by a symbol that is not rare, or the id that ends there, in *next; 0 if there is none. */
typedef int akin_trie_step(const akin_trie *trie, uint32_t symbol, uint32_t node, uint32_t *next);

/* How a kind of trie keeps the bit-vectors of symbols that are not rare: as records, which a step reads first, and cells. */
typedef struct akin_trie_form {
    akin_trie_kind kind;
    uint32_t saved;    /* head.kind: an akin_trie_saved */
    uint8_t has_lists; /* rare symbols are lists; else there are none */
    uint8_t has_pairs; /* akin_trie.pairs are made */
    uint8_t blank;     /* the bytes of records, before they are filled */
    /* Bytes of the records of `vectors` symbols, and where those of a symbol begin, which is number `place` of them. */
    uint64_t (*bytes)(const akin_trie_head *head, uint32_t vectors);
    uint64_t (*begin)(const akin_trie_head *head, uint32_t symbol, uint32_t place);
    uint64_t (*cells)(const uint32_t *ones, uint64_t count); /* bytes of the cells of a vector */
    /* Makes akin_trie.own, of own_bytes bytes. NULL: the form has nothing of the kind. Errors: AKIN_E_NOMEM. */
    akin_status (*ready)(akin_trie *trie, akin_error *error);
    uint64_t own_bytes;
    void (*fill)(const akin_trie *trie, const akin_trie_symbol *symbol, const uint32_t *ones, void *records,
                 uint8_t *cells);
    /* The fault of the vector of a symbol whose cells have `bytes` bytes; NULL: there is none. */
    const char *(*check)(const akin_trie *trie, uint32_t symbol, uint64_t bytes);
    akin_trie_step *next;
    uint32_t (*parent)(const akin_trie *trie, uint32_t symbol, uint32_t next);
    /* One word, and many: akin_trie_find_by, and trie_walk_body.h, with a step that is compiled into them. */
    int (*find)(const akin_trie *trie, const char *bytes, size_t length, uint32_t *id);
    akin_trie_walker (*walker)(akin_cpu cpu); /* of a SIMD level; all give the same ids */
    akin_gpu_look_up *look_up;                /* on a GPU, which has the bytes of `own`, too */
} akin_trie_form;

struct akin_trie {
    const akin_trie_form *form;
    akin_trie_head head;
    akin_section parts[AKIN_TRIE_PARTS];
    uint16_t code[256]; /* the symbol of a byte */
    akin_trie_edge edges[AKIN_TRIE_EDGES];
    const uint16_t *places;
    void *own; /* of the form, or NULL */
    /* The nodes, or ids, that two symbols lead to, AKIN_TRIE_UNKNOWN where they lead nowhere: pairs[first * span + second]. After
     * the end nothing matters. NULL: it would be large beside the trie. */
    uint32_t *pairs;
    uint32_t span;    /* symbols + 2 */
    akin_store store; /* what the parts are in, if it was built, */
    akin_bulk bulks[AKIN_TRIE_PARTS];
    akin_container *container; /* or the file it was opened from, */
    akin_bulk image;           /* if that is in memory */
};

/* ------------------------------------------------------------------------------------------------------------ walking */

/* The child by a rare symbol, or the id, in *next; 0 if there is none. */
static inline int akin_trie_next_rare(const akin_trie *trie, uint32_t symbol, uint32_t node, uint32_t *next)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    if (edge->count == 0)
        return 0;
    akin_sparse sparse = {edge->starts, trie->places};
    int found = akin_sparse_rank(sparse, node, next);
    *next += edge->first;
    return found;
}

/* The child of a node by any symbol, or the id. `step` is that of the trie's form, or form->next. */
static inline __attribute__((always_inline)) int akin_trie_next_by(const akin_trie *trie, akin_trie_step *step,
                                                                   uint32_t node, uint32_t symbol, uint32_t *next)
{
    return trie->edges[symbol].starts ? akin_trie_next_rare(trie, symbol, node, next) : step(trie, symbol, node, next);
}

static inline int akin_trie_next(const akin_trie *trie, uint32_t node, uint32_t symbol, uint32_t *next)
{
    return akin_trie_next_by(trie, trie->form->next, node, symbol, next);
}

/* akin_trie_find by a step. */
static inline __attribute__((always_inline)) int akin_trie_find_by(const akin_trie *trie, akin_trie_step *step,
                                                                   const char *bytes, size_t length, uint32_t *id)
{
    uint32_t node = 0;
    size_t i = 0;
    if (trie->pairs && length >= 2) {
        node = trie->pairs[trie->code[(unsigned char)bytes[0]] * trie->span + trie->code[(unsigned char)bytes[1]]];
        i = 2;
        if (node == AKIN_TRIE_UNKNOWN)
            return 0;
    }
    for (; i < length; i++)
        if (!akin_trie_next_by(trie, step, node, trie->code[(unsigned char)bytes[i]], &node))
            return 0;
    return akin_trie_next_by(trie, step, node, trie->head.symbols, &node) ? (*id = node, 1) : 0;
}

#endif
