/*
 * Models of learnt weights that are kept:
 *
 *     model.c         a model as a copy of its content, and its text
 *     model_write.c   content to JSON
 *     model_read.c    JSON to content
 *     model_fit.c     whether it is of the comparisons of a job
 *
 * A job applies a model, and makes one of what it has learnt: kept.h. Whoever finds weights in another way fills
 * a content, and calls akin_model_create.
 */
#ifndef AKIN_DEDUPE_MODEL_H
#define AKIN_DEDUPE_MODEL_H

#include "base/choice.h"
#include "learn/caps.h"
#include "learn/fellegi_sunter.h"

/* A list of names. */
typedef struct akin_model_names {
    const char *const *names;
    uint32_t count;
} akin_model_names;

typedef struct akin_model_comparison {
    const char *column;           /* as a plan calls it: LEFT=RIGHT if the tables call it differently */
    akin_model_names comparators; /* of its attributes, such as "tfidf/3" */
    akin_model_names parts;       /* the columns that it is combined of */
    uint32_t folds;
    double from[AKIN_LEVELS_MOST]; /* the similarity from which on a pair has that level, or a higher one; [0] is 0 */
    akin_level_model levels;       /* `parent` is a place in the list of comparisons */
} akin_model_comparison;

typedef struct akin_model_content {
    const akin_model_comparison *comparisons;
    uint32_t count;
    uint32_t learnt; /* for how many of them weights were learnt; 0: there were too few, and weights are default ones */
    akin_partners partners;
    uint32_t tables, rows[2]; /* of what it was learnt on; rows[1] is 0 of one table */
    double expected;          /* pairs of one entity, among all pairs of these rows */
    double tempering;
    double offset, rareness; /* as in akin_fellegi_sunter: what was fitted to answers */
    double threshold;
    int has_caps; /* also where these have no step; models of version 0.2 have none, and say nothing of decoys */
    akin_caps caps;
} akin_model_content;

struct akin_dedupe_model {
    akin_model_content content;
    akin_model_comparison *comparisons; /* those of the content, owned */
    char *text;
};

/* What the text of a model says that it is, and how it calls partners: rows of akin_partners. */
#define AKIN_MODEL_KIND    "model"
#define AKIN_MODEL_VERSION "1"
extern const akin_choice_table akin_model_partners;

/* Makes a model of a copy of the content. Its numbers are finite, and within the limits of akin_dedupe_model_read.
 * Errors: AKIN_E_LIMIT (it is too long as a text), AKIN_E_NOMEM. */
akin_status akin_model_create(const akin_model_content *content, akin_dedupe_model **out, akin_error *error);

/* The content as a text, which the caller frees by akin_free. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM. */
akin_status akin_model_write(const akin_model_content *content, char **out, akin_error *error);

/*
 * How many matches a model expects of other tables: as many for each record as in those that it was learnt on. A record
 * of one table has a partner among the others, so a match is of two records; of two tables it is of one record of each,
 * and the smaller table counts.
 */
double akin_model_expected(const akin_model_content *content, uint32_t tables, const uint32_t rows[2]);

/* The least probability of a pair that is found: the threshold that is given, or with num 0 that of the model. */
double akin_model_threshold(const akin_model_content *content, akin_ratio given);

/* The place of the comparison of a column; the number of comparisons if there is none. */
uint32_t akin_model_find(const akin_model_content *content, const char *column);

/* Refuses a model that is not of the comparisons that options have, of `columns` columns with combined ones. The
 * options are complete, and have titles. Errors: AKIN_E_OPTION, AKIN_REASON_OTHER_RULES. */
akin_status akin_model_check(const akin_model_content *content, const akin_dedupe_options *options, uint32_t columns,
                             akin_error *error);

#endif
