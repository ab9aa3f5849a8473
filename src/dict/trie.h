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
 * The kinds differ in how they keep the bit-vectors: in chunks (chunks.h), or compressed as RRR (rrr.h). Those with few ones
 * are lists (sparse.h), as 255 symbols would else cost 255 directories. A state-transition table (paper/stt.h) has all
 * transitions at hand.
 *
 * Symbols are numbered: 0 .. symbols-1 the bytes that occur, rising; then the end; then AKIN_TRIE_ABSENT of a byte that does not
 * occur, which leads nowhere.
 */
#ifndef AKIN_DICT_TRIE_H
#define AKIN_DICT_TRIE_H

#include "base/choice.h"
#include "base/bulk.h"
#include "base/container.h"
#include "dict/chunks.h"
#include "dict/paper/stt.h"
#include "dict/rrr.h"
#include "dict/sparse.h"

/* The kinds of tries, by name. */
extern const akin_choice_table akin_trie_kinds;

#define AKIN_TRIE_SYMBOLS 255                     /* bytes other than 0, at most */
#define AKIN_TRIE_EDGES   (AKIN_TRIE_SYMBOLS + 2) /* with the end, and the absent one */
#define AKIN_TRIE_NODES   (UINT32_MAX - 1)        /* at most, and ids */
#define AKIN_TRIE_RARE    512 /* a symbol is rare by which fewer than one node in so many has a child */
#define AKIN_TRIE_PAIRS   64  /* nodes for each pair of symbols, at least, that pairs are kept */
#define AKIN_TRIE_PAD     16  /* zeros behind the cells, and behind offsets */

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

/* The same as walking needs it. */
typedef struct akin_trie_edge {
    const void *records;    /* its first record, or superblock; of a table its column */
    const uint8_t *cells;   /* its own */
    const uint32_t *starts; /* of a rare one, NULL for others */
    uint32_t first;
    uint32_t count;
} akin_trie_edge;

enum { /* the parts of a trie, and sections of its file */
       AKIN_TRIE_HEAD,
       AKIN_TRIE_SYMBOL_LIST,
       AKIN_TRIE_RECORDS, /* records or superblocks of one symbol after the other, or the table */
       AKIN_TRIE_CELLS,   /* cells or offsets, and AKIN_TRIE_PAD zeros */
       AKIN_TRIE_STARTS,  /* of rare symbols */
       AKIN_TRIE_PLACES,
       AKIN_TRIE_PARTS
};

typedef struct akin_trie_head {
    uint32_t kind;
    uint32_t symbols; /* without the end */
    uint32_t nodes;
    uint32_t words;
    uint32_t longest; /* bytes of a word */
    uint32_t reserved[3];
} akin_trie_head;

struct akin_trie {
    akin_trie_head head;
    akin_section parts[AKIN_TRIE_PARTS];
    uint16_t code[256]; /* the symbol of a byte */
    akin_trie_edge edges[AKIN_TRIE_EDGES];
    const uint16_t *places;
    uint32_t none[2];      /* zeros: the starts of a list without places */
    akin_rrr_table *table; /* of the kind that has it, or NULL */
    /* The nodes, or ids, that two symbols lead to, AKIN_TRIE_UNKNOWN where they lead nowhere: pairs[first * span + second]. After
     * the end nothing matters. NULL: it would be large beside the trie. */
    uint32_t *pairs;
    uint32_t span;    /* symbols + 2 */
    akin_store store; /* what the parts are in, if it was built, */
    akin_bulk bulks[AKIN_TRIE_PARTS];
    akin_container *container; /* or the file it was opened from, */
    akin_bulk image;           /* if that is in memory */
};

/* Bytes of a record, and how many nodes it stands for; of a table those of a row, which is one node. */
static inline uint32_t akin_trie_record_bytes(const akin_trie_head *head)
{
    return head->kind == AKIN_TRIE_STT   ? (head->symbols + 1) * (uint32_t)sizeof(uint32_t)
           : head->kind == AKIN_TRIE_RRR ? 16
                                         : 32;
}

static inline uint32_t akin_trie_record_nodes(uint32_t kind)
{
    return kind == AKIN_TRIE_STT ? 1 : kind == AKIN_TRIE_RRR ? AKIN_RRR_SUPERBLOCK : AKIN_CHUNK_RECORD;
}

/* Records of a symbol that is not rare; of a table, whose rows are those of all symbols, there are none of its own. */
static inline uint64_t akin_trie_records(const akin_trie_head *head)
{
    return head->kind == AKIN_TRIE_STT ? 0 : akin_ceil_div(head->nodes, akin_trie_record_nodes(head->kind));
}

/* Makes the table of the kind that has one. Errors: AKIN_E_NOMEM. */
akin_status akin_trie_tabulate(akin_trie *trie, akin_error *error);

/* Makes edges and codes of the head and the parts, which are there; and with them all that walking needs. Errors of the
 * second: AKIN_E_NOMEM. */
void akin_trie_set_edges(akin_trie *trie);
akin_status akin_trie_prepare(akin_trie *trie, akin_error *error);

/* Takes a trie from an image in memory, aligned to 64 bytes, which becomes its own if it is one; `name` is for messages. */
akin_status akin_trie_parse(const akin_scope *scope, const char *name, akin_bulk *image, uint64_t length,
                            akin_trie **out, akin_error *error);

/* Takes a trie from a container, which becomes its own; if it is none, the container is closed. */
akin_status akin_trie_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                   akin_trie **out, akin_error *error);

/* The sections of a trie, which stay its own, for a file that has a trie among others; and a trie of the sections of such a
 * file, which are checked, and stay where they are as long as it lives. */
void akin_trie_sections(const akin_trie *trie, akin_section sections[AKIN_TRIE_PARTS]);
akin_status akin_trie_take(const akin_scope *scope, const char *name, const akin_section sections[AKIN_TRIE_PARTS],
                           akin_trie **out, akin_error *error);

/* The parents of all nodes but the root, and by which bytes these are reached: what is read along them are words. */
typedef struct akin_trie_parents {
    const akin_trie *trie;
    akin_bulk bulks[2];
    uint32_t *nodes;
    uint8_t *bytes;
} akin_trie_parents;

/* Finds them, on all threads; to be cleared in any case. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_trie_parents_find(const akin_scope *scope, const akin_trie *trie, akin_trie_parents *out,
                                   akin_error *error);
void akin_trie_parents_clear(akin_trie_parents *parents);

/* The word with that id, so that it ends at `end` (NULL: nowhere), before which there is room for the longest one. 0: it is longer than
 * that; a file whose checksums are right may still lead in a circle. */
int akin_trie_parents_word(const akin_trie_parents *parents, uint32_t id, char *end, uint32_t *length);

/* Lists all words, in the order of their ids: offsets of 8 bytes in words[0], one more than there are, and their bytes in words[1]; both are
 * the caller's to clear in any case. Errors: AKIN_E_INPUT (an altered trie), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_trie_list(const akin_scope *scope, const akin_trie *trie, akin_bulk words[2], akin_error *error);

/* ------------------------------------------------------------------------------------------------------------ walking */

static inline int akin_trie_next_rare(const akin_trie *trie, uint32_t symbol, uint32_t node, uint32_t *next)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    akin_sparse sparse = {edge->starts, trie->places};
    int found = akin_sparse_rank(sparse, node, next);
    *next += edge->first;
    return found;
}

/* The child of a node by a symbol, or the id that ends there, in *next; 0 if there is none. */
static inline int akin_trie_next(const akin_trie *trie, uint32_t node, uint32_t symbol, uint32_t *next)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    if (edge->count == 0)
        return 0;
    if (edge->starts)
        return akin_trie_next_rare(trie, symbol, node, next);
    if (trie->head.kind == AKIN_TRIE_STT) {
        akin_stt stt = {edge->records, trie->head.symbols + 1};
        return akin_stt_next(stt, node, 0, next);
    }
    if (trie->head.kind == AKIN_TRIE_CHUNKS) {
        akin_chunks chunks = {edge->records, edge->cells};
        return akin_chunks_rank(chunks, node, next);
    }
    akin_rrr rrr = {edge->records, edge->cells, trie->table};
    int found = akin_rrr_rank(rrr, node, next);
    *next += edge->first;
    return found;
}

/* The node whose child by the symbol is `next`, which must be one. */
uint32_t akin_trie_parent(const akin_trie *trie, uint32_t symbol, uint32_t next);

/* The same as akin_trie_build, within a scope. */
akin_status akin_trie_build_within(const akin_scope *scope, const akin_column *words, uint32_t rows,
                                   const akin_trie_options *options, akin_trie **out, akin_error *error);

/* The same as akin_trie_look_up, within a scope. */
akin_status akin_trie_look_up_within(const akin_scope *scope, const akin_trie *trie, const akin_column *words,
                                     uint32_t rows, uint32_t *ids, akin_error *error);

#endif
