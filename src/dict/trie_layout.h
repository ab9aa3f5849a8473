/*
 * The frozen dictionary: a trie whose nodes are numbered in XBW order. That is the order of the prefixes of the nodes,
 * read from the node to the root (W.-K. Hon et al., Faster compressed dictionary matching, 2013; Wakatsuki, Keyaki and
 * Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, sections 2.4 and 3.1). The root is node 0. The words
 * aba, ba, bb, cb, cc make
 *
 *     node     0   1   2   3   4   5   6   7   8   9
 *     prefix       a   ba  aba b   ab  bb  cb  c   cc       reversed: "", a, ab, aba, b, ba, bb, bc, c, cc
 *     B_a      1   0   0   0   1   1   0   0   0   0        whether a node has a child by a,
 *     B_b      1   1   0   0   1   0   0   0   1   0
 *     B_c      1   0   0   0   0   0   0   0   1   0
 *     B_end    0   0   1   1   0   0   1   1   0   1        or is the end of a word
 *
 * Nodes that are reached by the same symbol are adjacent, in the order of their parents. So the children by a symbol c
 * begin at a node C[c], here 1, 4 and 8, and
 *
 *     next(node, c) = C[c] + rank(B_c, node)        rank: the number of ones before the node
 *
 * The end of a word counts as one more symbol, whose children are the ids: C[end] = 0. So ids are dense, in the order
 * of the reversed words, and a word of n bytes takes n + 1 steps.
 *
 * A kind of trie is a form of the bit-vectors (akin_trie_form). The library has chunks (trie_chunks.h); an annex may
 * have more. Vectors with few ones are lists (sparse.h), because directories for all of 255 symbols would be large.
 *
 * Symbols are numbered. 0 .. symbols - 1 are the bytes that occur, rising. Then comes the end, and then the absent
 * symbol, that of all bytes that do not occur. The absent symbol leads to no node.
 */
#ifndef AKIN_DICT_TRIE_LAYOUT_H
#define AKIN_DICT_TRIE_LAYOUT_H

#include "base/bulk.h"
#include "base/container.h"
#include "base/cpu.h"
#include "dict/kernels.h"
#include "dict/sparse.h"

#define AKIN_TRIE_SYMBOLS 255                     /* the most symbols: bytes other than 0 */
#define AKIN_TRIE_EDGES   (AKIN_TRIE_SYMBOLS + 2) /* with the end and the absent symbol */
#define AKIN_TRIE_NODES   (UINT32_MAX - 1)        /* the most nodes, and the most ids */
#define AKIN_TRIE_RARE    512                     /* a symbol is rare if fewer than one node in 512 has a child by it */
#define AKIN_TRIE_PAIRS   64                      /* pairs are kept if there are 64 nodes or more for each */
#define AKIN_TRIE_PAD     16                      /* bytes of zeros behind the cells */

/* A symbol as the file has it. */
typedef struct akin_trie_symbol {
    uint64_t cells; /* the byte at which its cells begin; for a rare symbol its first place */
    uint32_t first; /* its first child */
    uint32_t count; /* the number of its children */
    uint32_t place; /* its number among the rare symbols, or among the others */
    uint8_t byte;   /* 0: the end of a word */
    uint8_t rare;
    uint16_t reserved; /* 0 */
} akin_trie_symbol;

/* A symbol as walks need it. */
typedef struct akin_trie_edge {
    const void *records;    /* the first record of the symbol */
    const uint8_t *cells;   /* the first cell of the symbol */
    const uint32_t *starts; /* the starts of a rare symbol; NULL for others */
    uint32_t first;
    uint32_t count;
} akin_trie_edge;

enum { /* the parts of a trie, and sections of its file */
       AKIN_TRIE_HEAD,
       AKIN_TRIE_SYMBOL_LIST,
       AKIN_TRIE_RECORDS, /* the records of the symbols that are not rare */
       AKIN_TRIE_CELLS,   /* the cells of these symbols, in order, and AKIN_TRIE_PAD zeros */
       AKIN_TRIE_STARTS,  /* the starts of rare symbols */
       AKIN_TRIE_PLACES,
       AKIN_TRIE_PARTS
};

/* The numbers of forms in files, also of those that only an annex has. A number keeps its meaning for ever. */
typedef enum akin_trie_saved {
    AKIN_TRIE_SAVED_CHUNKS = 1,
    AKIN_TRIE_SAVED_RRR = 2, /* in papers/dict, as is the next one */
    AKIN_TRIE_SAVED_STT = 3,
} akin_trie_saved;

typedef struct akin_trie_head {
    uint32_t kind;    /* an akin_trie_saved */
    uint32_t symbols; /* the number of symbols, without the end */
    uint32_t nodes;
    uint32_t words;
    uint32_t longest; /* bytes of the longest word */
    uint32_t reserved[3];
} akin_trie_head;

/* Words that are looked up together. Word i is bytes[begins[i]] .. bytes[ends[i] - 1]; `ends` may be begins + 1. */
typedef struct akin_trie_batch {
    const char *bytes;
    const uint64_t *begins, *ends;
    uint64_t count;
    uint32_t *ids; /* the result: the id of each word, or AKIN_TRIE_UNKNOWN */
} akin_trie_batch;

/* Looks up the words of a batch, at most AKIN_TRIE_BATCH. */
typedef void (*akin_trie_walker)(const akin_trie *trie, const akin_trie_batch *batch);
#define AKIN_TRIE_BATCH ((uint64_t)1 << 15)

/* Finds the child of a node by a symbol that is not rare, or the id by the end, in *next. Returns 0 if it has none. */
typedef int akin_trie_step(const akin_trie *trie, uint32_t symbol, uint32_t node, uint32_t *next);

/* How a kind of trie keeps the bit-vectors of symbols that are not rare: as records and cells. A step reads a record,
 * and then a cell. */
typedef struct akin_trie_form {
    akin_trie_kind kind;
    uint32_t saved;     /* head.kind: an akin_trie_saved */
    uint8_t has_lists;  /* the vectors of rare symbols are lists; 0: no symbol is rare */
    uint8_t has_pairs;  /* akin_trie.pairs is made */
    uint8_t is_guarded; /* a step stays in the trie whatever cells and places hold */
    uint8_t blank;      /* the value of all bytes of records before they are filled */
    /* The bytes of the records of `vectors` symbols, and the byte at which the records of a symbol begin. `place` is
     * the number of the symbol among them. */
    uint64_t (*bytes)(const akin_trie_head *head, uint32_t vectors);
    uint64_t (*begin)(const akin_trie_head *head, uint32_t symbol, uint32_t place);
    uint64_t (*cells)(const uint32_t *ones, uint64_t count); /* the bytes of the cells of a vector */
    /* Makes akin_trie.own, of own_bytes bytes. NULL: the form does not have it. Errors: AKIN_E_NOMEM. */
    akin_status (*ready)(akin_trie *trie, akin_error *error);
    uint64_t own_bytes;
    void (*fill)(const akin_trie *trie, const akin_trie_symbol *symbol, const uint32_t *ones, void *records,
                 uint8_t *cells);
    /* Returns the fault of the vector of a symbol whose cells have `bytes` bytes, or NULL. */
    const char *(*check)(const akin_trie *trie, uint32_t symbol, uint64_t bytes);
    /* The same, but for what a guarded step reads whatever it holds: cells. */
    const char *(*check_records)(const akin_trie *trie, uint32_t symbol, uint64_t bytes);
    akin_trie_step *next;
    uint32_t (*parent)(const akin_trie *trie, uint32_t symbol, uint32_t next);
    /* `find` looks up one word: akin_trie_find_by with the step of the form compiled in. `walker` looks up many:
     * trie_walk_body.h with that step. */
    int (*find)(const akin_trie *trie, const char *bytes, size_t length, uint32_t *id);
    akin_trie_walker (*walker)(akin_cpu cpu); /* for a SIMD level; all levels give the same ids */
    akin_gpu_look_up *look_up;                /* on a GPU, where a copy of `own` is */
} akin_trie_form;

struct akin_trie {
    const akin_trie_form *form;
    akin_trie_head head;
    akin_section parts[AKIN_TRIE_PARTS];
    uint16_t code[256]; /* the symbol of a byte */
    akin_trie_edge edges[AKIN_TRIE_EDGES];
    const uint16_t *places;
    void *own; /* the form's own data, or NULL */
    /* pairs[first * span + second] is the node that two symbols lead to (the id, if the second one is the end), or
     * AKIN_TRIE_UNKNOWN. If the first one is the end, it has no meaning. NULL: it would be large beside the trie. */
    uint32_t *pairs;
    uint32_t span;    /* symbols + 2 */
    akin_store store; /* the memory of the parts of a trie that was built, */
    akin_bulk bulks[AKIN_TRIE_PARTS];
    akin_container *container; /* or the file that the trie was opened from, */
    akin_bulk image;           /* or its image in memory */
};

/* ---------------------------------------------------------------------------------------------------------- walking */

/* Finds the child by a rare symbol, or the id, in *next. Returns 0 if there is none. */
static inline int akin_trie_next_rare(const akin_trie *trie, uint32_t symbol, uint32_t node, uint32_t *next)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    if (!edge->starts || edge->count == 0)
        return 0;
    akin_sparse sparse = {edge->starts, trie->places};
    int found = akin_sparse_rank(sparse, node, next);
    *next += edge->first;
    return found;
}

/* Finds the child of a node by any symbol, or the id. `step` is form->next or the function behind it. */
static inline __attribute__((always_inline)) int akin_trie_next_by(const akin_trie *trie, akin_trie_step *step,
                                                                   uint32_t node, uint32_t symbol, uint32_t *next)
{
    return trie->edges[symbol].starts ? akin_trie_next_rare(trie, symbol, node, next) : step(trie, symbol, node, next);
}

static inline int akin_trie_next(const akin_trie *trie, uint32_t node, uint32_t symbol, uint32_t *next)
{
    return akin_trie_next_by(trie, trie->form->next, node, symbol, next);
}

/* akin_trie_find with a step that is compiled in. */
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
