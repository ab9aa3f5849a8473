/*
 * An index of documents by their terms, for ranking: the lists, the vocabulary that numbers them, how text becomes
 * terms, and what documents are called.
 */
#ifndef AKIN_RANK_RANK_INDEX_H
#define AKIN_RANK_RANK_INDEX_H

#include "dict/trie.h"
#include "lists/lists.h"
#include "sets/analysis.h"
#include "rank/frequent.h"

/* What the file says beside its parts. */
typedef struct akin_rank_index_head {
    uint32_t formula;
    uint32_t shared; /* 1: there are two lists more, those of all unknown terms */
    uint32_t terms;  /* that are in a document */
    uint32_t reserved;
    uint64_t words;
    double k1, b, delta;
} akin_rank_index_head;

enum { /* sections of a file */
       AKIN_RANK_INDEX_HEAD,
       AKIN_RANK_INDEX_LISTS,
       AKIN_RANK_INDEX_TRIE = AKIN_RANK_INDEX_LISTS + AKIN_LISTS_PARTS,
       AKIN_RANK_INDEX_ANALYSIS = AKIN_RANK_INDEX_TRIE + AKIN_TRIE_PARTS,
       AKIN_RANK_INDEX_NAME_OFFSETS, /* uint64, one more than there are documents, or none */
       AKIN_RANK_INDEX_NAMES,
       AKIN_RANK_INDEX_SECTIONS
};

struct akin_rank_index {
    akin_rank_index_head head;
    akin_lists
        lists; /* list i is of the word with id i of the trie; behind these that of unknown ones, if there is one */
    akin_frequent frequent;
    akin_trie *trie;
    akin_analysis *analysis;
    akin_section names[2]; /* offsets, and the bytes */
    akin_section written;  /* the analysis, written down */
    akin_bulk own[3];      /* what the last three are in, unless they are in the file */
    akin_store store;      /* of these and of the lists */
    akin_container *container;
};

/* The first of the two lists of a term, in *list; 0: no document has it. */
int akin_rank_index_find(const akin_rank_index *index, const char *term, uint32_t length, uint32_t *list);

/* Takes an index from an image in memory, aligned to 64 bytes, which must live as long as it; `name` is for
 * messages. */
akin_status akin_rank_index_parse(const akin_scope *scope, const char *name, const void *image, uint64_t length,
                                  akin_rank_index **out, akin_error *error);

/* Takes an index from a container, which becomes its own; if it is none, the container is closed. */
akin_status akin_rank_index_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                         akin_rank_index **out, akin_error *error);

/* Bytes of all its sections, as they are saved. */
uint64_t akin_rank_index_bytes(const akin_rank_index *index);

/* As the public function, within a scope. */
akin_status akin_rank_index_create_within(const akin_scope *scope, const akin_weights *weights,
                                          const akin_column *names, akin_rank_index **out, akin_error *error);

#endif
