/* The job of near-duplicates: what its steps share, and the passes over documents. */
#ifndef AKIN_CORPUS_NEAR_JOB_H
#define AKIN_CORPUS_NEAR_JOB_H

#include "base/aside.h"
#include "base/bulk.h"
#include "base/parallel.h"
#include "corpus/bad_row.h"
#include "corpus/bags_gpu.h"
#include "corpus/near_options.h"
#include "corpus/shingles.h"
#include "corpus/survivors.h"

#define AKIN_NEAR_TASK    64        /* rows of a task */
#define AKIN_NEAR_PORTION (1 << 28) /* bytes of text between two looks at what a pass has left behind */

#define AKIN_NEAR_BATCH       4096       /* rows of a batch for each thread, at most, */
#define AKIN_NEAR_BATCH_BYTES (16 << 20) /* and bytes of their text */

/* What a thread has: for the row at hand, and for the one that it is compared with. */
typedef struct akin_near_worker {
    _Alignas(64) akin_shingler own;
    akin_shingler other;
    uint64_t own_row;        /* that `own` has taken last */
    akin_text_counts counts; /* of the texts that it counted the hashes of */
    uint64_t *hashes;        /* of the bags of the batch that the thread made */
    uint64_t count, capacity;
    uint32_t longest;              /* the size of the largest of them */
    uint64_t *sent, sent_capacity; /* those of the portion before, on their way to a GPU */
} akin_near_worker;

/* A portion that a GPU gets while the threads make the next one: its rows, and what each thread made of them. */
typedef struct akin_near_portion {
    akin_aside aside;
    akin_bag_rows *made;
    uint32_t begin, end;
} akin_near_portion;

/* Where the hashes of a bag are: they may move until all bags of the batch are made. */
typedef struct akin_near_room {
    uint64_t begin;
    uint32_t thread;
} akin_near_room;

/* Documents that are compared together. */
typedef struct akin_near_batch {
    uint32_t *places; /* in the order */
    uint32_t count;
    akin_bag_wanted *wanted; /* of a GPU, */
    uint32_t wanted_count;
    akin_rare *rare; /* and what comes of it, for each document */
    akin_bags_gpu *gpu;
    uint32_t side; /* of the GPU */
    akin_aside aside;
} akin_near_batch;

typedef struct akin_near_job {
    const akin_scope *scope;
    akin_account account;
    akin_near_options options;
    uint64_t mask;
    const akin_column *column;
    uint32_t rows, first; /* first: of the portion at hand */
    akin_bulk order;      /* rows, the preferred ones first; empty: as they are */
    akin_bulk sources;    /* of rows; empty: there are none */
    uint32_t source_count;
    akin_frequencies frequencies;
    akin_bags_gpu *gpu;   /* has bags; NULL: no GPU is used */
    akin_bulk gpu_places; /* of each row, the place of its bag there, 8 bytes; */
    akin_bulk gpu_sizes;  /* and its size, 4 bytes */
    uint64_t on_device;   /* documents with a token whose bags are there */
    akin_near_portion portion;
    akin_error *device_error; /* for messages of GPUs */
    akin_frequent *frequent;  /* tokens that are left out; NULL: none are */
    uint64_t ignored;         /* their number */
    akin_near_worker *workers;
    akin_near_batch batches[2];
    akin_near_batch *batch; /* at hand; a GPU finds what is needed of the other one, the next */
    uint32_t most;          /* rows of a batch */
    akin_near_room *rooms;  /* of the rows of the batch at hand */
    akin_bag *bags;
    akin_verdict *verdicts;
    akin_duplicate *found;
    akin_bad_row bad;
    _Atomic uint64_t empty;
    uint64_t emptied; /* documents whose tokens are all left out */
} akin_near_job;

/* What messages say that memory is for. */
extern const char akin_near_what[];

/* The row at a place of the order. */
static inline uint32_t akin_near_row_at(const akin_near_job *j, uint64_t place)
{
    return j->order.data ? ((const uint32_t *)j->order.data)[place] : (uint32_t)place;
}

static inline akin_status akin_near_take_row(const akin_near_job *j, akin_shingler *shingler, uint32_t row)
{
    return akin_shingler_take_row(shingler, j->column, j->rows, row);
}

/* About the bytes of the heap beside counters and index: of `threads` threads, and for `rows` rows. A batch has `bytes`
 * bytes of text, the longest document `longest`, and a byte is `each` tokens. */
uint64_t akin_near_beside(uint32_t threads, uint64_t rows, uint64_t bytes, uint64_t longest, double each);

/* Lets go of documents that have been looked at. */
void akin_near_release(const akin_near_job *j);

/* Runs a task for each stretch of AKIN_NEAR_TASK rows, in portions of `bytes` bytes of text, from j->first on, and
 * `after` behind each portion (NULL: nothing). Errors: those of the tasks and of `after`, AKIN_E_CANCELLED. */
akin_status akin_near_pass(akin_near_job *j, const char *phase, uint64_t bytes, akin_task task,
                           akin_status (*after)(akin_near_job *j, uint32_t end));

/* What a job fails with: if memory was too short for the longest document alone, or hardly more, the message says which
 * one that is. Errors: the status. */
akin_status akin_near_fail(const akin_near_job *j, akin_status status, akin_error *error);

/* Puts the bag that a worker has taken behind those that it made. Errors: AKIN_E_NOMEM. */
akin_status akin_near_put_bag(akin_near_job *j, akin_near_worker *w);

#endif
