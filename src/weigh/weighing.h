/* What weighing is made of: the weights in the making, and what documents are counted with. */
#ifndef AKIN_WEIGH_WEIGHING_H
#define AKIN_WEIGH_WEIGHING_H

#include "weigh/technique.h"
#include "weigh/counter.h"
#include "weigh/shelf.h"
#include "weigh/weights.h"

/* Some documents, and what became of them. */
typedef struct akin_weigh_chunk {
    _Alignas(64) uint32_t first; /* rows; one thread's writes are not to slow down what another reads beside */
    uint32_t end;
    uint32_t thread;   /* that counted them, */
    uint32_t number;   /* and its first number that is new here */
    uint32_t longest;  /* terms of a document */
    uint32_t *sizes;   /* of each document, in terms, */
    uint32_t *lengths; /* and in tokens */
    uint32_t *numbers; /* of terms of the first document, of the second, ... */
    uint32_t *tf;      /* and how often they are there */
    uint64_t sizes_capacity, lengths_capacity, numbers_capacity, tf_capacity;
    uint64_t pairs; /* in all of them */
    uint64_t place; /* of the first in the weights */
    akin_text_counts counts;
    akin_vocabulary vocabulary;
    uint32_t row; /* where counting failed, the column likewise, and how */
    uint32_t column;
    akin_status status;
} akin_weigh_chunk;

/* What a thread has for itself. */
typedef struct akin_weigh_worker {
    _Alignas(64) akin_analyser analyser;
    akin_counter counter;
    akin_shelf shelf;
} akin_weigh_worker;

struct akin_weigher {
    int is_over;    /* it has failed, or is finished, and can only be freed */
    akin_scope few; /* the context's, with as many threads as there is memory for */
    akin_weigh_options options;
    const akin_weigh_technique_row *technique;
    akin_corpus corpus;         /* that the documents are a part of; size 0: they are all */
    akin_weights *weights;      /* in the making */
    akin_account account;       /* of chunks and workers */
    const akin_column *columns; /* being added */
    uint32_t column_count, rows;
    akin_text_counts *counted; /* the caller's; NULL: not wanted, or tokens have no length */
    akin_text_counts counts;   /* of the rows that were counted in this call */
    int counts_only;           /* the weigher keeps no lists of terms, and weighs nothing */
    int straight; /* numbers of terms are ids + AKIN_NUMBER_FIRST: documents are arranged as soon as they are counted */
    uint64_t batch_bytes, batch_most; /* of the next batch, and of any */
    uint32_t chunk_count;             /* of the batch at hand */
    uint32_t chunk_most;
    akin_weigh_chunk *chunks;
    akin_vocabulary **vocabularies;
    akin_weigh_worker *workers;
    uint64_t *offsets; /* arrays of the weights */
    uint32_t *ids, *tf, *lengths, *df;
    uint32_t df_count;            /* terms that df counts */
    struct akin_gpu_weigher *gpu; /* that counts; NULL: the CPU does */
};

/* Makes room for `documents` documents and `pairs` pairs in the arrays of the weights. */
akin_status akin_weigher_make_room(akin_weigher *weigher, uint64_t documents, uint64_t pairs, akin_error *error);

#endif
