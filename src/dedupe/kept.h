/* The models of a training from a model that was kept, and the other way round. */
#ifndef AKIN_DEDUPE_KEPT_H
#define AKIN_DEDUPE_KEPT_H

#include "dedupe/model.h"
#include "dedupe/training.h"

/* Gives a training that has begun the levels and the models of a kept model, which is that of the job's comparisons and
 * stays valid as long as the training. */
void akin_training_take(akin_training *training, const akin_model_content *kept);

/* Makes a model of a training whose models have been found. `learnt` and `threshold` are those of the job's report.
 * Errors: AKIN_E_LIMIT, AKIN_E_NOMEM. */
akin_status akin_training_keep(const akin_training *training, akin_partners partners, akin_dedupe_model **out,
                               akin_error *error);

#endif
