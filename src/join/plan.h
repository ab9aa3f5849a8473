/* The planner: predicts what each technique would cost on the data at hand, and chooses. */
#ifndef AKIN_JOIN_PLAN_H
#define AKIN_JOIN_PLAN_H

#include "join/price.h"

/*
 * Weighs devices, techniques and signature widths for a join whose sides are set in job (section 4.4.3 of Bellas and Gounaris
 * asks for this) and pairs to join, writes what was weighed to part->weighed, cheapest first, and the choice to
 * part->done. A technique or width that options asks for is kept, and only what is left open is chosen. `whole` is NULL
 * or what was sampled for a larger join that this one is a part of; *sample, unless NULL, becomes what was sampled for
 * this one. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_plan_choose(akin_join_job *job, const akin_join_options *options, const akin_sample *whole,
                             akin_join_part *part, akin_sample *sample, akin_error *error);

/* Whether the CPU need not be weighed: it may do the join as well, but a GPU that is open is done in little more time than
 * weighing takes. */
int akin_plan_gpu_is_quick(akin_plan_facts *facts);

/*
 * Weighs what a GPU has for the join: what options asks for by name, or all that AKIN_AUTO may choose. Where the CPU may
 * do it too, and has been weighed, that is only if it is predicted to take longer than the GPU at the least, which is
 * opened then; if there is none, nothing is weighed. Samples what is needed and not sampled yet. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED.
 */
akin_status akin_plan_for_gpu(akin_plan_facts *facts, const akin_sample *whole, akin_join_part *part,
                              akin_error *error);

#endif
