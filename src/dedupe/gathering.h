/*
 * What a job that learns keeps of each pair as it is compared: its records, and the level of each comparison. That is a
 * byte a comparison, where similarities would be eight.
 */
#ifndef AKIN_DEDUPE_GATHERING_H
#define AKIN_DEDUPE_GATHERING_H

#include "dedupe/leveling.h"
#include "dedupe/scorer.h"

/* The cuts of all kinds of comparisons. */
extern const double akin_level_cuts[AKIN_LEVEL_CUTS];

/* Zero-initialised, a job keeps similarities. */
typedef struct akin_gathering {
    uint32_t count; /* comparisons */
    akin_leveled *comparisons;
    uint32_t *members;
} akin_gathering;

/* Groups the attributes by their columns, in the order of their first ones. The caller clears it in any case. Errors:
 * AKIN_E_NOMEM. */
akin_status akin_gathering_make(akin_account *account, const akin_dedupe_options *options, const akin_scoring *scoring,
                                akin_gathering *out, akin_error *error);
void akin_gathering_clear(akin_gathering *gathering);

/* The levels of a pair by all comparisons, given its similarities by all attributes. */
void akin_gathering_levels(const akin_gathering *gathering, const double *each, uint8_t *levels);

#endif
