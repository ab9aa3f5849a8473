/*
 * An index of documents by their terms, for ranking: the lists, the vocabulary that numbers them, how text becomes
 * terms, and what documents are called.
 */
#ifndef AKIN_RANK_RANK_INDEX_H
#define AKIN_RANK_RANK_INDEX_H

#include <pthread.h>

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

/* What an index learns while it is used, by any number of threads. */
typedef struct akin_rank_index_used {
    pthread_mutex_t lock;                    /* of what follows, as it is made */
    _Atomic uint64_t asked;                  /* queries, */
    _Atomic uint64_t read;                   /* and the entries of their frequent terms, while these have no bits */
    _Atomic(const akin_frequent *) frequent; /* NULL: was not made yet */
    akin_frequent bits;                      /* which it is then */
    _Atomic int is_checked;                  /* all of it was */
    char name[];                             /* of its file, for messages */
} akin_rank_index_used;

struct akin_rank_index {
    akin_rank_index_head head;
    akin_lists
        lists; /* list i is of the word with id i of the trie; behind these that of unknown ones, if there is one */
    akin_rank_index_used *used;
    akin_trie *trie;
    akin_analysis *analysis;
    akin_section names[2]; /* offsets, and the bytes */
    akin_section written;  /* the analysis, written down */
    akin_bulk own[3];      /* what the last three are in, unless they are in the file */
    akin_store store;      /* of these and of the lists */
    akin_container *container;
};

#define AKIN_RANK_INDEX_NONE UINT32_MAX /* no list */

/* The first of the two lists of a term, which are brought, in *list, or none if no document has it. Errors:
 * AKIN_E_INPUT (they are damaged). */
akin_status akin_rank_index_find(const akin_rank_index *index, const char *term, uint32_t length, uint32_t *list,
                                 akin_error *error);

/* The bits of frequent terms, in *out: made as soon as that is worth it, because the index has had many queries, with
 * those to come, or as many entries of frequent terms were read as there are of all terms. Until then there are none,
 * and also while another call makes them, and where memory is short. Errors: AKIN_E_CANCELLED. */
akin_status akin_rank_index_frequent(const akin_scope *scope, const akin_rank_index *index, uint64_t queries,
                                     const akin_frequent **out, akin_error *error);

/* Checks all that the file holds, once. Errors: AKIN_E_INPUT, AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_rank_index_check(const akin_scope *scope, const akin_rank_index *index, akin_error *error);

/* Checks the name of a document, if it has one, before it is wanted. Errors: AKIN_E_INPUT. */
akin_status akin_rank_index_check_name(const akin_rank_index *index, uint32_t document, akin_error *error);

/* An empty index; `name` is that of its file, for messages. The caller frees it. NULL: memory is short. */
akin_rank_index *akin_rank_index_begin(const char *name);

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
