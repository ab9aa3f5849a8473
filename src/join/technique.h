/* What every join technique is given, what each of its threads keeps, and how a pair is verified and emitted. */
#ifndef AKIN_JOIN_TECHNIQUE_H
#define AKIN_JOIN_TECHNIQUE_H

#include "base/calibrated.h"
#include "base/choice.h"
#include "base/parallel.h"
#include "join/delivery.h"
#include "join/report.h"
#include "join/threshold.h"
#include "sets/ranked.h"

/* One thread's state. Kept on cache lines of its own. */
typedef struct akin_join_worker {
    _Alignas(64) akin_pairs *pairs;    /* of the job's delivery; NULL: they are only counted */
    uint64_t count;                    /* pairs found */
    uint64_t candidates;               /* pairs verified, or counted exactly by their signatures */
    uint64_t compared;                 /* pairs of signatures compared, or postings visited */
    double figures[AKIN_JOIN_FIGURES]; /* of a technique of an annex, which are added up */
    uint64_t *marks; /* one bit a token: the tokens of the probe being verified; all clear between probes */
} akin_join_worker;

/* What is next of a list of tasks that several GPUs have in common: see akin_join_next. */
typedef struct akin_join_turns {
    _Atomic uint64_t next;
    uint32_t gpus;
} akin_join_turns;

/* Where a join may be done; AKIN_JOIN_ON_EITHER: wherever it is cheaper, bucket by bucket. */
typedef enum akin_join_place { AKIN_JOIN_ON_CPU, AKIN_JOIN_ON_GPU, AKIN_JOIN_ON_EITHER } akin_join_place;

/*
 * A join at work: every set of `probes` is compared with sets of `indexed`.
 *
 *     self   same
 *      1      1     both are the same sets, and a probe meets those before it, which are no larger
 *      0      1     they are parts of one collection: no probe is smaller than any set that it meets
 *      0      0     they are of two collections
 */
typedef struct akin_join_job {
    const akin_scope *scope;
    akin_account *account;
    akin_threshold threshold;
    const akin_ranked *probes, *indexed;
    int self, same;
    int keep;                /* pairs are wanted, not only their number, */
    akin_delivery *delivery; /* and go there */
    uint32_t *need;          /* by r + s: the overlap needed, where the sum alone decides it; see akin_join_need */
    uint64_t need_count;
    const struct akin_technique_row *technique; /* the one that is to do it */
    const void *annex_options;                  /* akin_join_options.annex, checked */
    uint32_t *chosen;                           /* akin_join_step.annex_chosen of the step at hand */
    uint32_t verify_way;                        /* an akin_verify_way (join/kernels.h) */
    uint32_t bits;                              /* signature width that decides; 0: none */
    uint32_t bits_screen;                       /* a narrower one that screens for it, or the same */
    uint32_t threads;
    akin_join_place place;
    struct akin_device *gpu; /* that may be chosen; NULL: none is open */
    double room;             /* bytes that a technique may take on the CPU, by which one is chosen; 0: any number */
    double times; /* how many joins about as large as the one at hand make up all of it; opening serves all */
    struct akin_device *device;   /* of the technique at hand; NULL: the CPU does it */
    struct akin_devices *devices; /* several GPUs, that one first, which may share the work; NULL: it is alone */
    akin_join_turns *turns;       /* where several GPUs have all sets each; NULL: all tasks are the job's own */
    int took_turn;                /* it has begun a task of those in common, so nobody else does that one */
    akin_join_worker *workers;    /* one for each thread */
    uint32_t slots;               /* workers there are: more than threads where GPUs share the work */
} akin_join_job;

struct akin_plan_facts;
struct akin_join_part;
struct akin_share_bounds;

/* Finds all pairs and leaves them in job->workers. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
typedef akin_status akin_join_technique(akin_join_job *job, akin_error *error);

/* Predicts what a technique costs, for each choice of widths that it has, and adds that to what is weighed. */
typedef void akin_join_weigh(const struct akin_plan_facts *facts, const struct akin_technique_row *technique,
                             struct akin_join_part *part);

/* Weighs the ways to do a technique that the caller named, instead of akin_join_weigh. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
struct akin_sample;
typedef akin_status akin_join_plan(struct akin_plan_facts *facts, const struct akin_sample *whole,
                                   struct akin_join_part *part, akin_error *error);

/* The bytes that a step takes at most beside the sets that are set in the job. */
typedef double akin_join_bytes(const akin_join_job *job, const akin_join_step *step);

/* A technique: an akin_technique, its options as capabilities, and its functions; NULL: it does not run there. */
typedef struct akin_technique_row {
    akin_choice choice;
    akin_join_technique *on_cpu, *on_gpu;
    akin_join_weigh *weigh_on_cpu, *weigh_on_gpu;
    akin_join_bytes *bytes_on_cpu; /* NULL: it is not known */
    akin_join_plan *plan;          /* NULL: it is weighed */
    /* What shares of a join take that several GPUs do; NULL: a join is done by one of them, whole. */
    void (*bounds)(const akin_join_job *job, uint64_t bytes, struct akin_share_bounds *out);
    uint32_t bits_on_gpu;   /* the least width of its signatures there */
    uint8_t samples_pairs;  /* on the CPU its price depends on a sample of pairs, */
    uint8_t samples_visits; /* and on a GPU on a sample of visits, */
    uint8_t by_visits;      /* and on this sample alone */
    akin_calibrated kind;   /* of the CPU's work */
    const void *own;        /* of a technique of an annex: what its functions know the row by */
} akin_technique_row;

/* How an annex checks akin_join_options.annex, whichever technique the caller named. Errors: AKIN_E_OPTION. */
typedef struct akin_join_reader {
    akin_choice choice; /* of value 0 */
    akin_status (*check)(const akin_annex *annex, akin_device_choice device, const akin_join_options *options,
                         akin_error *error);
} akin_join_reader;

/* Has the job's technique join, where the job is at. Errors: those of the technique. */
static inline akin_status akin_join_by_technique(akin_join_job *job, akin_error *error)
{
    return (job->device ? job->technique->on_gpu : job->technique->on_cpu)(job, error);
}

akin_join_technique akin_join_allpairs;
akin_join_technique akin_join_ppjoin;
akin_join_technique akin_join_groupjoin;
akin_join_technique akin_join_bitmap;
akin_join_technique akin_join_screened;

/* How many threads there is work and, under a bound, memory for: each has working memory of its own. `right` may be
 * NULL. */
uint32_t akin_join_threads(const akin_scope *scope, const akin_sets *left, const akin_sets *right);

/* Gives every worker its marks, for the sides at hand. Errors: AKIN_E_NOMEM. */
akin_status akin_join_workers_make(akin_join_job *job, akin_error *error);
/* Frees the marks, for other sides to come. */
void akin_join_marks_clear(akin_join_job *job);

/*
 * The first of the next `batch` tasks out of `count` that a job is to do, `count` if none is left: from `own` on where
 * all are its own, else those that no GPU has begun. The list must be the same on each of them, batches need not.
 */
uint64_t akin_join_next(akin_join_job *job, uint64_t own, uint64_t batch, uint64_t count);

/* The most tasks of a batch, so that several GPUs are done with `count` of them at about the same time. */
uint64_t akin_join_batch(const akin_join_job *job, uint64_t batch, uint64_t count);

/* Resets the counts of a way to join that found no pair, before another way is tried. */
void akin_join_recount(akin_join_job *job);

/* The pairs that workers have found since their counters were last collected. */
uint64_t akin_join_found(const akin_join_job *job);

/* Begins the delivery of the pairs, reported to `scope`, and gives each worker its part of it. To be ended with
 * akin_delivery_clear in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_join_delivery_begin(akin_join_job *job, const akin_scope *scope, uint32_t any_order,
                                     akin_pair_sink sink, void *sink_user, akin_error *error);

/* Fills job->need for all sizes up to those of the sides' largest classes. Errors: AKIN_E_NOMEM. */
akin_status akin_join_need_make(akin_join_job *job, akin_error *error);

/* akin_threshold_overlap, looked up where it can be; `threshold` is the job's, or that turned. */
static inline uint64_t akin_join_need_by(const akin_join_job *job, const akin_threshold *threshold, uint64_t r,
                                         uint64_t s)
{
    return r + s < job->need_count ? job->need[r + s] : akin_threshold_overlap(threshold, r, s);
}

/* The overlap that a probe of r tokens and an indexed set of s need. */
static inline uint64_t akin_join_need(const akin_join_job *job, uint64_t r, uint64_t s)
{
    return akin_join_need_by(job, &job->threshold, r, s);
}

/* Runs a technique's tasks on the job's threads. A task can fail only because memory is short. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_join_run(akin_join_job *job, uint64_t tasks, akin_task task, void *argument, akin_error *error);

/* The indexed sets that can match probe number `probe`: those of compatible size; in a self-join those before it. */
typedef struct akin_join_range {
    uint32_t first, end;
} akin_join_range;
akin_join_range akin_join_partners(const akin_join_job *job, uint32_t probe);

/* The number of length-compatible pairs that the probes of size class c take part in. Of the sides only the classes are
 * looked at. */
uint64_t akin_join_class_pairs(const akin_join_job *job, uint32_t c);

/* Counts a found pair and, if pairs are kept, keeps it under the caller's row numbers. 0 when memory is short. */
static inline int akin_join_emit(const akin_join_job *job, akin_join_worker *worker, uint32_t probe, uint32_t set,
                                 uint32_t overlap)
{
    worker->count++;
    if (!job->keep)
        return 1;
    uint32_t left = job->probes->row[probe], right = job->indexed->row[set];
    if (job->same && left > right)
        return akin_pairs_add(worker->pairs, right, left, overlap);
    return akin_pairs_add(worker->pairs, left, right, overlap);
}

#endif
