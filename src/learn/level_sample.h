/* A sample of pairs to learn from, drawn by their records: the same one for any number of threads. */
#ifndef AKIN_LEARN_LEVEL_SAMPLE_H
#define AKIN_LEARN_LEVEL_SAMPLE_H

#include "base/memory.h"
#include "base/scope.h"
#include "learn/fellegi_sunter.h"

/*
 * Draws about `most` pairs or fewer. Pairs are in strata by the number of comparisons in which they agree at the
 * highest level, so that the few pairs that agree in most are all drawn. A pair of the sample stands for `weights`
 * pairs. The sample has the rarity of pairs if they have it. The caller clears the sample in any case. Errors:
 * AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_level_sample(const akin_scope *scope, akin_account *account, const akin_level_pairs *pairs,
                              const akin_level_model *models, uint64_t most, akin_level_pairs *out, akin_error *error);
void akin_level_sample_clear(akin_level_pairs *sample);

#endif
