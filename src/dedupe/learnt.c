/* Clears what was learnt. */
#include "dedupe/learnt.h"

void akin_learnt_clear(akin_learnt *learnt)
{
    akin_free(learnt->probabilities);
    akin_free(learnt->candidates);
    akin_training_clear(&learnt->training);
    *learnt = (akin_learnt){0};
}
