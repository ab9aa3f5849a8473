/*
 * The pairs of a job as levels of similarity, for learning:
 *
 *     found    pairs with their similarities, of all threads, become one list, sorted by rows
 *     pairs    the same pairs with the level of each comparison, and what rare values add
 *     random   levels of pairs of records at random: of these u, and the tempering
 *
 * Several attributes of one column are one comparison. Its similarity is their mean.
 */
#ifndef AKIN_DEDUPE_EVIDENCE_H
#define AKIN_DEDUPE_EVIDENCE_H

#include "dedupe/job.h"
#include "learn/fellegi_sunter.h"

/* A comparison: attributes of one column. */
typedef struct akin_evidence_comparison {
    uint32_t column, first, count; /* the attributes: `count` of them, in `members` from `first` on */
    uint32_t levels;
    const double *cuts; /* levels - 1: a similarity of cuts[l - 1] or more has level l */
    uint32_t *frequencies; /* of each value, in how many records it is */
    uint64_t present;      /* records with a value */
    double *top;           /* of each value: what it adds to the weight of the highest level */
} akin_evidence_comparison;

typedef struct akin_evidence {
    akin_dedupe_job *job;
    akin_found found;
    akin_level_pairs pairs;
    akin_evidence_comparison *comparisons;
    uint32_t *members;
    akin_level_model *models;
    akin_fellegi_sunter model;
    uint8_t *random;
    uint64_t random_count;
} akin_evidence;

/* Makes evidence of the pairs that the job's workers have found, which become `found`. The model has u. The caller
 * clears the evidence in any case. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_evidence_make(akin_dedupe_job *job, akin_evidence *out, akin_error *error);
/* The evidence of a pair for one entity, in nats, given its similarities by all attributes. */
double akin_evidence_weigh(const akin_evidence *evidence, uint32_t a, uint32_t b, const double *each);
void akin_evidence_clear(akin_evidence *evidence);

#endif
