/* What the planner (plan.c, plan_gpu.c) and the prices of techniques (weigh.h) share: what is known of a join, and what
 * a GPU takes for each kind of work. */
#ifndef AKIN_JOIN_PRICE_H
#define AKIN_JOIN_PRICE_H

#include "join/report.h"
#include "join/sample.h"

#define AKIN_GPU_WIDTHS 4 /* of signatures on a GPU: 256, 512, 1024, 2048 bits */

/* The prices of a GPU, and of the threads beside it. All but the first three are rates, in units a second. */
typedef struct akin_gpu_prices {
    double quick;   /* seconds below which the CPU is not weighed beside it: that takes one or two ms */
    double start;   /* seconds that a join takes whatever is in it: buffers, launches, waits */
    double arrange; /* seconds that the tensor join takes besides */
    double bytes;   /* that go there through staging buffers, at most, */
    double staged;  /* and that one thread puts into these buffers */
    double tokens;  /* that are put into signatures */
    double compare[AKIN_GPU_WIDTHS]; /* pairs of signatures of each width that the tensor cores compare, */
    double decide[AKIN_GPU_WIDTHS];  /* and where a signature is the set itself */
    double candidates, verified;     /* pairs that are verified, and tokens of one side of them */
    double fetched;                  /* pairs found that come back, where they are kept, */
    double drained;                  /* or where one thread at a time hands them over */
    /* Of the prefix index: positions of classes that one thread bounds, postings sorted and looked up, pairs of
     * postings that meet, merged tokens. */
    double bounds, postings, visits, merged;
} akin_gpu_prices;

/* The seconds of a join by AKIN_TENSOR, by what they are spent on. */
typedef struct akin_tensor_seconds {
    double bring; /* the sets, and make signatures of them */
    double compare;
    double verify;
} akin_tensor_seconds;

/* The work on a GPU: tokens of both sides, pairs of compatible size, the width of the signatures, and the candidates
 * that they leave to verify. */
typedef struct akin_tensor_work {
    double tokens, tokens_a_set, compatible;
    uint64_t universe;
    uint32_t bits;
    int exact;
    double candidates;
} akin_tensor_work;

/* What the planner reckons with. */
typedef struct akin_plan_facts {
    akin_join_job *job;
    const akin_join_options *options;
    akin_sample sample; /* what was not sampled is 0 */
    double probes, tokens, tokens_a_set, compatible;
    double blocks;              /* see akin_weigh_block_pairs */
    const akin_gpu_prices *gpu; /* where techniques of a GPU are weighed */
} akin_plan_facts;

/* The pairs that signatures of a width leave. A random sample of all pairs gives the number of unlike ones. Pairs that
 * are alike meet in the lists. */
double akin_plan_left(const akin_plan_facts *facts, uint32_t bits);

/* Samples visits, for facts->sample; see akin_sample_visits. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_plan_sample_visits(akin_plan_facts *facts, uint64_t tokens, const akin_sample *whole,
                                    akin_error *error);

/* The seconds of a technique that each of several GPUs spends, whatever the number of GPUs: until it has the sets of
 * both sides, and until it has arranged the signatures, or sorted and looked up the postings. */
typedef struct akin_gpu_alone {
    double bring, prepare;
} akin_gpu_alone;

#endif
