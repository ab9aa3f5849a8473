/* What each technique is predicted to take: an akin_join_weigh (technique.h) for each place where it runs. */
#ifndef AKIN_JOIN_WEIGH_H
#define AKIN_JOIN_WEIGH_H

#include "join/price.h"

/* On the CPU. If the caller named a width of signatures, only techniques with signatures are chosen freely. */
akin_join_weigh akin_weigh_allpairs;
akin_join_weigh akin_weigh_ppjoin;
akin_join_weigh akin_weigh_groupjoin;
akin_join_weigh akin_weigh_bitmap;
akin_join_weigh akin_weigh_screened;

/* On a GPU, by facts->gpu. */
akin_join_weigh akin_weigh_tensor;
akin_join_weigh akin_weigh_prefix_on_gpu;

/* The beginning of each weighing on a GPU: a step there; the seconds until both sides are there, with tokens of 16 bits
 * where the universe permits it; and the seconds that candidates take, for sets of that average size. */
akin_join_step akin_weigh_step(const akin_plan_facts *facts, const akin_technique_row *technique, uint32_t bits);
double akin_weigh_bring(const akin_gpu_prices *price, double tokens, uint64_t universe);
double akin_weigh_verify(const akin_gpu_prices *price, double candidates, double tokens_a_set);

/* How many pairs of a block of probes and a bucket of indexed sets there are, about, if each size is a bucket. */
double akin_weigh_block_pairs(const akin_join_job *job);

/* The least seconds that the bitmap join takes: if it compares half of all pairs by the narrowest signatures, and they
 * leave none. */
double akin_weigh_least(const akin_plan_facts *facts, const akin_technique_row *technique);

/* The seconds of a join by AKIN_TENSOR. */
akin_tensor_seconds akin_tensor_predict(const akin_gpu_prices *price, const akin_tensor_work *work);

/* The prices of the GPU that a context has or may open. */
akin_gpu_prices akin_gpu_prices_of(const akin_scope *scope);
/* The same before a calibration. */
akin_gpu_prices akin_gpu_prices_plain(const akin_scope *scope);

/* The seconds of a job's technique that its GPUs do not share. */
akin_gpu_alone akin_plan_gpu_alone(const akin_join_job *job);

#endif
