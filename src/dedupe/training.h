/*
 * The pairs of a job as levels of similarity, for learning:
 *
 *     pairs    those that the threads have found, in one list: the level of each comparison, and what rare values add
 *     found    those of them that are kept, with their similarities
 *     random   levels of pairs of records at random: u and the tempering are computed from them
 *
 * Several attributes of one column are one comparison, whose similarity is their mean.
 */
#ifndef AKIN_DEDUPE_TRAINING_H
#define AKIN_DEDUPE_TRAINING_H

#include "dedupe/job.h"
#include "learn/caps.h"
#include "learn/fellegi_sunter.h"

typedef struct akin_training_comparison {
    akin_leveled leveled; /* that of the job's gathering, but for `cuts`: */
    const double *cuts;   /* leveled.levels - 1 similarities, which are those of a kept model if there is one */
    int is_overlapping;   /* the column is combined of columns that are compared, too */
    double present;       /* the share of the records that have a value */
    int is_taught;        /* a selection without the column selects pairs */
    const uint32_t *of;   /* of each record its value, or AKIN_VALUE_NONE */
    uint32_t *made;       /* it, if it was made of those of several attributes: for numbers some texts are missing */
    uint32_t *counts;     /* of each value: the records that have it, */
    uint32_t *lefts;      /* and those of the left table; NULL: there is one table */
    uint64_t valued;      /* records with a value */
    double *rarity;       /* of values in n records, n below `rarities`: what they add to the weight of the highest */
    uint32_t rarities;    /* level if both records have them */
    double log_u;         /* of the highest level */
} akin_training_comparison;

/* Pairs of rows whose probability is known, ascending. */
typedef struct akin_settled {
    uint64_t *pairs, count;
} akin_settled;

static inline uint64_t akin_settled_key(uint32_t left, uint32_t right)
{
    return (uint64_t)left << 32 | right;
}

typedef struct akin_training {
    akin_dedupe_job *job;
    akin_level_pairs pairs; /* `all`: of the population, if there is one */
    akin_found found;
    akin_training_comparison *comparisons;
    akin_level_model *models; /* of each comparison */
    akin_fellegi_sunter model;
    uint8_t *random; /* [pair][comparison] */
    uint64_t random_count;
    akin_caps caps;          /* of probabilities, as decoys allow it; its steps are owned */
    akin_settled settled[2]; /* pairs that were answered with no and with yes: their probability is 0 and 1 */
} akin_training;

/* Begins training of the pairs that the job's workers have found, which become `pairs`: the comparisons, with their
 * levels. The caller clears the training in any case. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_training_begin(akin_dedupe_job *job, akin_training *out, akin_error *error);
/* Finds u of the models. Errors: as above. */
akin_status akin_training_find_u(akin_training *training, akin_error *error);
/* Counts the records of all values, unless that is done (training_rare.c). Errors: as above. */
akin_status akin_training_count(akin_training *training, akin_error *error);
/* Finds what rare values add by the models, which have u (training_rare.c). Errors: as above. */
akin_status akin_training_make(akin_training *training, akin_error *error);
void akin_training_clear(akin_training *training);

/* Whether a pair of records was answered with yes. */
int akin_training_accepts(const akin_training *training, uint32_t a, uint32_t b);

/* Marks, among pairs to learn from, which comparisons they do not teach: those of a column by which alone a pair was
 * selected. Errors: AKIN_E_CANCELLED. */
akin_status akin_training_mark(const akin_training *training, akin_level_pairs *pairs, akin_error *error);

/* Sets whether comparisons of overlapping columns weigh nothing. The caller does so before it learns. */
void akin_training_idle(akin_training *training, int are_idle);
/* Sets what rare values add to pairs of the training, all or a sample, after it is known which models weigh nothing
 * (training_rare.c). Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_training_find_rare(const akin_training *training, akin_level_pairs *pairs, akin_error *error);
/* What they add to some pairs, as an akin_rarities of the training. */
void akin_training_rarities(const void *training, const akin_level_pairs *pairs, uint64_t first, uint64_t count,
                            float *rarity);

/* Makes `found` of some pairs, whose numbers are ascending, with the similarity by each attribute, unless the job is
 * without. The similarity of the pair itself is its probability, of those of all pairs. Errors: as above. */
akin_status akin_training_find(akin_training *training, const double *probabilities, const uint64_t *numbers,
                               uint64_t count, akin_error *error);

/* Brings the pairs of all threads into one list, sorted by rows; the threads have none any more (training_pairs.c).
 * Errors: as above. */
akin_status akin_training_list(akin_training *training, akin_error *error);

/* Attribute `at` of a comparison: its number among those of the job. */
uint32_t akin_training_attribute(const akin_training *training, uint32_t comparison, uint32_t at);
/* How many values a comparison has. */
uint32_t akin_training_values(const akin_training *training, uint32_t comparison);

/* The levels of a pair by all comparisons, given its similarities by all attributes. */
void akin_training_levels(const akin_training *training, const double *each, uint8_t *levels);

/* What a pair of records weighs by the model, in nats, given its similarities by all attributes; its levels are set. */
double akin_training_weigh(const akin_training *training, uint32_t a, uint32_t b, const double *each, uint8_t *levels);

/* What equal values add to the weights of a pair, in nats, given its similarities by all attributes; its levels are
 * set. */
double akin_training_rarity(const akin_training *training, uint32_t a, uint32_t b, const double *each, uint8_t *levels);

/* ------------------------------------------------------------------------------------------------------ other pairs */

/* A scorer for each thread, for pairs beside those found. */
typedef struct akin_training_scorers {
    akin_training *training;
    akin_scope scope; /* with the threads that there are scorers for */
    uint32_t threads;
    akin_scorer **scorers;
    double **each;    /* of each thread, room for the similarities of a pair, */
    uint8_t **levels; /* and for its levels */
} akin_training_scorers;

/* The caller clears them in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_training_scorers_make(akin_training *training, akin_training_scorers *out, akin_error *error);
void akin_training_scorers_clear(akin_training_scorers *scorers);

/* How many similarities a pair found has: one for each attribute, or none. */
uint32_t akin_training_similarities(const akin_training *training);

/* Finds the similarities of the pairs found, from pair `first` on. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_training_compare_found(const akin_training_scorers *scorers, uint64_t first, akin_error *error);

/* What two records weigh by the model, in nats, without the odds of any pair: they may be of one table. Errors, without
 * a message: those of akin_scorer_score. */
akin_status akin_training_weigh_records(const akin_training_scorers *scorers, uint32_t thread, uint32_t a, uint32_t b,
                                        double *weight);

/* The probability that two records are of one entity, by the model, without other pairs. Errors, without a message:
 * those of akin_scorer_score. */
akin_status akin_training_score(const akin_training_scorers *scorers, uint32_t thread, uint32_t a, uint32_t b,
                                double *probability);

#endif
