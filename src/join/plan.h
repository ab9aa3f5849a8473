/* The planner: predicts what each technique would cost on the data at hand, and chooses. */
#ifndef AKIN_JOIN_PLAN_H
#define AKIN_JOIN_PLAN_H

#include "join/price.h"

/*
 * Weighs devices, techniques and signature widths for a join (section 4.4.3 of Bellas and Gounaris). The sides are set
 * in job, and pairs are to be joined. It writes the weighed steps to part->weighed, cheapest first, and the choice to
 * part->done. It keeps a technique or width that options names, and chooses only what options leaves open. `whole` has
 * the samples of a larger join that contains this one, or is NULL. *sample, unless NULL, becomes the sample of this
 * join. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_plan_choose(akin_join_job *job, const akin_join_options *options, const akin_sample *whole,
                             akin_join_part *part, akin_sample *sample, akin_error *error);

/* Whether the CPU need not be weighed: it may do the join as well, but a GPU that is open is done in little more time
 * than weighing takes. */
int akin_plan_gpu_is_quick(akin_plan_facts *facts);

/*
 * Weighs the techniques of a GPU for the join: those that options names, or all that AKIN_AUTO may choose. If the CPU
 * may do the join, too, and has been weighed, this happens only if the CPU is predicted to take longer than the least
 * time of a GPU. Then the GPU is opened; if there is none, nothing is weighed. The function takes the samples that are
 * needed and still missing. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_plan_for_gpu(akin_plan_facts *facts, const akin_sample *whole, akin_join_part *part,
                              akin_error *error);

#endif
