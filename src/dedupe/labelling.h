/*
 * A labelling: the answers of a person, and the pairs to ask about.
 *
 *     labelling.c         answers
 *     labelling_add.c     answers of a table, whose records have ids
 *     labelling_pool.c    pairs to ask about, which a job gives
 *     labelling_next.c    which of them is next
 *     labelling_index.c   the records of answers, and how many answers are about each
 *     labelling_rivals.c  rivals of pairs that were answered with yes, and what their answers show
 *
 * A job learns from the answers, and gives the labelling a pool of its pairs: answered.h.
 */
#ifndef AKIN_DEDUPE_LABELLING_H
#define AKIN_DEDUPE_LABELLING_H

#include "base/choice.h"
#include "base/scope.h"
#include "dict/slots.h"
#include "learn/fellegi_sunter.h"

#define AKIN_LABELLING_FARTHEST (-30.0) /* what competition adds to the logarithm of the odds of a pair, at least */
#define AKIN_LABELLING_POOL     32768   /* pairs of a pool, about, besides those that were answered */

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
    int one;                   /* a record has one partner at most, */
    int is_told;               /* as the caller said, and no answer shows otherwise */
    double prior;              /* the logarithm of the odds of a pair before its values are known */
    akin_fellegi_sunter model; /* learnt without answers */
    akin_level_model *models;  /* of each comparison: those of the model, owned */
} akin_pool;

struct akin_labelling {
    akin_labelled_pair *answers;
    uint64_t count, room;
    akin_slots slots; /* numbers of answers by the hashes of their pairs; some may be of answers that were taken back */
    uint64_t taken;   /* slots */
    uint64_t gone;    /* answers that later ones replace: no answer any more, but for their places */
    akin_pool pool;   /* comparisons 0: no job has given one */
};

/* Rows of akin_answer. */
extern const akin_choice_table akin_answers;

/* Brings the pairs of one table into the order of their rows, and keeps the last answer of each pair. */
void akin_labelling_settle(akin_labelling *labelling, uint32_t tables);

/* Adds an answer of those that akin_labelling_answer takes. An answer of the same pair stays until akin_labelling_drop
 * removes all of these. Errors: those of akin_labelling_answer. */
akin_status akin_labelling_put(akin_labelling *labelling, uint32_t left, uint32_t right, akin_answer answer,
                               akin_error *error);
void akin_labelling_drop(akin_labelling *labelling);

/* The number of the answer of a pair; labelling->count: it has none. */
uint64_t akin_labelling_find(const akin_labelling *labelling, uint32_t left, uint32_t right);

/* The records of answers. Of one table both rows of a pair are records of it. */
typedef struct akin_labelling_index {
    const akin_labelling *labelling;
    uint64_t *records; /* ascending: table and row */
    uint64_t record_count;
    uint64_t *of;      /* [answer][2]: its records, as places in `records` */
    uint64_t *earlier; /* [answer][2]: the answers before it that are yes and about that record */
    uint64_t *yes;     /* of each record: the answers about it that are yes, */
    uint64_t *all;     /* and all of them */
} akin_labelling_index;

/* Memory is charged to the account. The caller clears the index in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_labelling_index_make(const akin_labelling *labelling, akin_account *account, akin_labelling_index *out,
                                      akin_error *error);
void akin_labelling_index_clear(akin_labelling_index *index);

/* The place of a row of a side of pairs among the records of answers; record_count: no answer is about it. */
uint64_t akin_labelling_index_find(const akin_labelling_index *index, uint32_t row, uint32_t side);

/* What answers to rivals show. */
typedef enum akin_rivals { AKIN_RIVALS_SHOW_NOTHING, AKIN_RIVALS_SHOW_ONE, AKIN_RIVALS_SHOW_MANY } akin_rivals;

/* Whether the answers show that records have many partners: of rivals that would be likely without competition three
 * more are partners, too, than are none, and two records have two. They show one if four more are none. places[i] is
 * where the pool has answer i (pool.count: nowhere), and odds[i] is the logarithm of the odds of pair i of the pool,
 * without competition. */
akin_rivals akin_labelling_judge_rivals(const akin_labelling_index *index, const uint64_t *places, const double *odds);

/* *chosen: the likeliest rival of a pair that was answered with yes, which is drawn of those that no other answer is
 * about; pool.count: no rival is likely. Errors: AKIN_E_NOMEM. */
akin_status akin_labelling_find_rival(const akin_labelling_index *index, const uint8_t *is_answered, const double *odds,
                                      uint64_t *chosen, akin_error *error);

/* Whether an answer is about a rival: another answer, or if it is yes an earlier one, is yes and about one of its
 * records. */
int akin_labelling_is_rival(const akin_labelling_index *index, uint64_t answer);

/* What competition adds to the logarithm of the odds of a pair that was answered, where a record has one partner;
 * `given`: what it adds without answers. A second yes contradicts competition, and a no of a rival follows from it. */
double akin_labelling_given(const akin_labelling_index *index, uint64_t answer, double given);

/* *are_many: answers show that records have many partners, though the model of the pool says one, by the weights that
 * are fitted to the answers as questions are chosen. Memory is charged to the account. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_labelling_find_many(const akin_labelling *labelling, const akin_scope *scope, akin_account *account,
                                     int *are_many, akin_error *error);

/* Begins an empty pool of pairs whose levels are those of the model, which is copied. Errors: AKIN_E_NOMEM. */
akin_status akin_pool_begin(akin_pool *pool, const akin_fellegi_sunter *model, akin_error *error);
/* Errors: AKIN_E_NOMEM. */
akin_status akin_pool_add(akin_pool *pool, const akin_pool_pair *pair, const uint8_t *levels, akin_error *error);
void akin_pool_clear(akin_pool *pool);

#endif
