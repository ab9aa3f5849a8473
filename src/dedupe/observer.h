/*
 * How a report follows a job. akin_dedupe calls the report at four steps, while it has its work at hand:
 *
 *     prepare   before pairs are compared: the report may lower the threshold, so that pairs near it are gathered, too
 *     divide    after that, for the pairs of each thread: those that reach the job's threshold come first
 *     examine   sees all pairs that were gathered, before those below the threshold are dropped
 *     finish    takes the figures, once the job has succeeded
 *
 * Of a job that learns its weights the threshold stays, nothing is divided, and examine also sees what was learnt.
 */
#ifndef AKIN_DEDUPE_OBSERVER_H
#define AKIN_DEDUPE_OBSERVER_H

#include "dedupe/found.h"
#include "dedupe/scorer.h"
#include "dedupe/selector.h"

/* Pairs that a thread gathered: `reaching` of them reach the threshold, the others are near it; and their similarities
 * by each attribute. */
typedef struct akin_gathered_pairs {
    const akin_scored_pair *pairs;
    const double *each;
    uint64_t count, reaching;
} akin_gathered_pairs;

/* What akin_dedupe has at hand. */
typedef struct akin_dedupe_view {
    const akin_scope *scope;
    const akin_dedupe_options *options;
    int without_near;            /* pairs below the threshold are not to be gathered: there was no memory for them */
    const akin_records *records; /* of the columns as they are compared */
    const akin_column *const *given; /* the `own` columns of each table, as the caller gave them */
    uint32_t own;
    const uint32_t *sources; /* of each record, as akin_clusters_separate takes them; NULL: there are none */
    const akin_selector *selectors;
    const akin_scoring *scoring;
    const akin_gathered_pairs *stored; /* of each thread; NULL: no pair is compared yet */
    uint32_t threads;
    const struct akin_learnt *learnt;  /* dedupe/learner.h; NULL: weights are given, or not learnt yet */
    const akin_dedupe_report *figures; /* so far */
} akin_dedupe_view;

typedef struct akin_dedupe_observer {
    /* Sets *threshold to the one to go by, and *selected to the place for what comes of each selection. It forgets what
     * an earlier attempt gathered. */
    akin_status (*prepare)(akin_report *report, const akin_dedupe_view *view, akin_ratio *threshold,
                           akin_selected **selected, akin_error *error);
    akin_status (*divide)(akin_report *report, const akin_scoring *scoring, akin_found *found, akin_error *error);
    akin_status (*examine)(akin_report *report, const akin_dedupe_view *view, akin_error *error);
    /* `selected` is what came of each selection; `parsed` is what comparators found in columns, two of each
     * attribute. */
    void (*finish)(akin_report *report, const akin_dedupe_report *figures, const akin_selected *selected,
                   const akin_parsed *parsed);
    /* Whether pairs below the job's threshold are gathered. */
    int (*lowers)(const akin_report *report);
    /* The report's own clusters, for a job that learns its weights and has none to fill: see akin_learnt. */
    akin_status (*make_clusters)(akin_report *report, akin_clusters **out, akin_error *error);
} akin_dedupe_observer;

/* The observer of a report: its first member, and all that akin_dedupe sees of it. */
static inline const akin_dedupe_observer *akin_observer_of(const akin_report *report)
{
    return *(const akin_dedupe_observer *const *)(const void *)report;
}

#endif
