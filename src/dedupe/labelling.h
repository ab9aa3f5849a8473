/*
 * A labelling: the answers of a person, and the pairs to ask about.
 *
 *     labelling.c         answers
 *     labelling_add.c     answers of a table, whose records have ids
 *     labelling_pool.c    pairs to ask about, which a job gives
 *     labelling_next.c    which of them is next
 *
 * A job learns from the answers, and gives the labelling a pool of its pairs: answered.h.
 */
#ifndef AKIN_DEDUPE_LABELLING_H
#define AKIN_DEDUPE_LABELLING_H

#include "base/choice.h"
#include "learn/fellegi_sunter.h"

#define AKIN_LABELLING_POOL 32768 /* pairs of a pool, about, besides those that were answered */

/* A pair of the pool. Rows are numbered as in akin_pair. */
typedef struct akin_pool_pair {
    uint32_t left, right;
    double weight; /* how many pairs of the job it stands for */
    double rarity; /* what equal values add, in nats */
    double given;  /* what the pairs of its records add to the logarithm of its odds, if a record has one partner */
} akin_pool_pair;

typedef struct akin_pool {
    akin_pool_pair *pairs;
    uint8_t *levels; /* [pair][comparison] */
    uint64_t count, pairs_room, levels_room;
    uint32_t comparisons, tables;
    int one;                   /* a record has one partner at most */
    double prior;              /* the logarithm of the odds of a pair before its values are known */
    akin_fellegi_sunter model; /* learnt without answers */
    akin_level_model *models;  /* of each comparison: those of the model, owned */
} akin_pool;

struct akin_labelling {
    akin_labelled_pair *answers;
    uint64_t count, room;
    akin_pool pool; /* comparisons 0: no job has given one */
};

/* Rows of akin_answer. */
extern const akin_choice_table akin_answers;

/* Brings the pairs of one table into the order of their rows, and keeps the last answer of each pair. */
void akin_labelling_settle(akin_labelling *labelling, uint32_t tables);

/* Begins an empty pool of pairs whose levels are those of the model, which is copied. Errors: AKIN_E_NOMEM. */
akin_status akin_pool_begin(akin_pool *pool, const akin_fellegi_sunter *model, akin_error *error);
/* Errors: AKIN_E_NOMEM. */
akin_status akin_pool_add(akin_pool *pool, const akin_pool_pair *pair, const uint8_t *levels, akin_error *error);
void akin_pool_clear(akin_pool *pool);

#endif
