/*
 * The content of a report on a search for duplicates. It is gathered while akin_dedupe runs, in the steps of
 * dedupe/observer.h:
 *
 *     prepare               draws some of the selected pairs and measures them. From these it decides how far below the
 *                           threshold pairs can be gathered, too; the job then uses that lower threshold
 *
 *           0 ........ least ......... threshold ......... 1     similarity
 *           | a sample | all: near     | all: found        |     what is known of pairs
 *
 *     akin_report_examine   goes through the gathered pairs, in any order, and counts them; it lists the pairs nearest
 *                           to the threshold, and measures them by each attribute
 *
 * Of a job that learns its weights the similarity is a probability, and that of each selected pair is known: the pairs
 * of 1% and more are gathered, the others are counted and offered to the lists, and nothing of them is estimated.
 *
 * page.h writes all this.
 */
#ifndef AKIN_REPORT_REPORT_H
#define AKIN_REPORT_REPORT_H

#include "base/bits.h"
#include "report/draw.h"
#include "dedupe/learner.h"
#include "dedupe/observer.h"
#include "report/measure.h"
#include "report/shortlist.h"
#include "evaluate/agreement.h"

#define AKIN_REPORT_GIVEN    12 /* steps, by the caller */
#define AKIN_REPORT_STEPS    (AKIN_REPORT_GIVEN + 5)
#define AKIN_REPORT_CLUSTERS 20 /* that are listed */
#define AKIN_REPORT_MEMBERS  12 /* of each of them */
#define AKIN_REPORT_SAMPLE   50000
#define AKIN_REPORT_EXAMPLES 8   /* of what a page shows some of: unlinkable records, bridges, missing edges */
#define AKIN_REPORT_SURE     0.9 /* the probability from which on a pair counts for akin_report_missed_least */
#define AKIN_REPORT_LEAST    1   /* in hundredths: the probability from which on pairs are gathered */

/* Counts by hundredths: of 0 to 0.01, ... 0.99 to 1, and 1. */
typedef uint64_t akin_bins[AKIN_CURVE_POINTS];

/* An attribute: how alike the values of the pairs drawn are, and of those found. */
typedef struct akin_report_column {
    akin_bins drawn, found;
    uint64_t drawn_missing, found_missing; /* pairs that lack the value on one side */
    uint64_t drawn_low, found_low;         /* and of values too long to be measured, below the threshold */
} akin_report_column;

/* The kinds of a pair that is known to be right, or that was found and is not. */
typedef enum akin_report_kind {
    AKIN_REPORT_FOUND,
    AKIN_REPORT_BEATEN,  /* it reaches the threshold, but one of its records has a better counterpart (one_to_one) */
    AKIN_REPORT_NEAR,    /* compared, and from `least` on */
    AKIN_REPORT_BELOW,   /* compared, and below that */
    AKIN_REPORT_SKIPPED, /* not compared: no selection selects it */
    AKIN_REPORT_UNKNOWN, /* one of the ids is of no record */
    AKIN_REPORT_KINDS
} akin_report_kind;

/* A pair that is listed. */
typedef struct akin_report_pair {
    uint64_t records; /* akin_two_records */
    akin_report_kind kind;
    int is_right; /* it is in the gold standard */
    int reaches;  /* it reaches the threshold */
    double average;
    uint64_t selected; /* bit i: selection i selects it, of the first 64 */
} akin_report_pair;

/* A pair of records of one cluster. */
typedef struct akin_report_edge {
    uint64_t records; /* akin_two_records */
    double similarity;
} akin_report_edge;

typedef struct akin_report_cluster {
    uint32_t first, size;
    uint64_t possible; /* pairs of its records: of two tables, of a left and a right one */
    uint64_t pairs;    /* of them found; of a clustering that splits components, those within the cluster alone */
    double weakest;    /* similarity of these */
    uint64_t bridges;  /* found pairs without which it would be two clusters; */
    uint64_t missing;  /* pairs that were compared, and are below the threshold; of given weights, those gathered */
    akin_report_edge bridge[AKIN_REPORT_EXAMPLES], missed[AKIN_REPORT_EXAMPLES]; /* some: least similar ones first */
    uint32_t bridges_listed, missed_listed;
    uint32_t members[AKIN_REPORT_MEMBERS];
} akin_report_cluster;

/* A comparison whose weights were learnt. */
typedef struct akin_report_comparison {
    uint32_t column;
    int is_overlapping; /* its column is combined of others that are compared */
    akin_level_model model;
    double cuts[AKIN_LEVELS_MOST]; /* levels - 1 similarities, from which a level begins */
} akin_report_comparison;

/* What a selection is worth: expected matches among its pairs; pairs of it alone, expected matches among them, and
 * those of them that are sure (AKIN_REPORT_SURE). */
typedef struct akin_report_share {
    double matches, sole_matches, sole_sure;
    uint64_t sole_pairs;
} akin_report_share;

/* Expected matches by how many selections have them, and the sure ones that two have. */
typedef struct akin_report_caught {
    double by_one, by_two, by_more, sure_by_two;
} akin_report_caught;

/* The evidence of a listed pair, in bits: the prior odds, the weight of each comparison, NAN without a value, and then
 * what is added at the end. Their sum is the logarithm of the odds. */
enum {
    AKIN_REPORT_RARITY,    /* equal values that are rare or frequent */
    AKIN_REPORT_TEMPERING, /* comparisons that say the same */
    AKIN_REPORT_PARTNERS,  /* other pairs of its records, where a record has one partner */
    AKIN_REPORT_ENDS
};

/* What a job learnt. */
typedef struct akin_report_learnt {
    int is_there;
    double threshold, prior, tempering;
    uint32_t count;
    akin_report_comparison *comparisons;
    uint8_t *levels;                /* room for those of a pair */
    double *parts;                  /* [pair that is listed][1 + count + AKIN_REPORT_ENDS] */
    double sums[AKIN_CURVE_POINTS]; /* of the probabilities of the pairs that kept_bins counts */
    uint64_t *completed;            /* pairs, ascending, that were found and no selection has */
    uint64_t completed_count;
    akin_report_share *shares; /* of each selection */
    akin_report_caught caught;
    akin_bins best;      /* records by the probability of a pair with a record of the same values */
    uint64_t unlinkable; /* of them below the threshold; some are examples, least probable first */
    akin_report_edge examples[AKIN_REPORT_EXAMPLES];
    uint32_t example_count;
} akin_report_learnt;

/* How good the pairs are: as they stand, and their closures. */
typedef struct akin_report_gold {
    uint64_t *pairs; /* ids by number, those of records first: akin_nodes, ascending, no two alike */
    uint64_t count;
    uint32_t lefts, rights; /* ids that there are */
    uint8_t *kinds;         /* akin_report_kind of each */
    uint64_t of_kind[AKIN_REPORT_KINDS];
    akin_evaluation at[2];                       /* at the threshold */
    akin_evaluation curve[2][AKIN_CURVE_POINTS]; /* as far as the pairs are known: from `least` on */
    int has_closures;                 /* whether those of closures are there: under a bound they may not be */
    akin_cluster_evaluation clusters; /* of the clusters as they are */
    int has_clusters;                 /* whether that is there */
} akin_report_gold;

struct akin_report {
    const akin_dedupe_observer *observer; /* the first member, as akin_dedupe expects */
    const akin_scope *scope;
    akin_account account;
    akin_report_options options;
    akin_clusters_options clustering;
    int is_split; /* clusters are those of `clustering`; else connected components, which other clusterings have, too */
    akin_records records;
    akin_dedupe_options job_options; /* of the job; the arrays it points to are the report's own (report_options.c) */
    const akin_column *columns_given[2];
    uint32_t own; /* of them; combined ones are behind them */
    akin_dedupe_report figures;
    int is_done;
    struct {
        const char *name;
        double seconds;
    } steps[AKIN_REPORT_STEPS];
    uint32_t step_count, given_count; /* given_count: of these, the caller's */
    double seconds;                   /* that the report itself took */
    akin_ratio least;                 /* similarity from which on all pairs are known */
    int is_crowded;                   /* there are too many pairs below the threshold for any of them to be gathered */
    akin_drawn drawn;
    akin_bins drawn_bins, found_bins, near_bins, right_bins; /* near: gathered, and not found */
    akin_bins kept_bins, kept_right_bins;                    /* gathered, and not beaten; and of these the right ones */
    akin_report_column *columns;                             /* of each attribute */
    uint64_t found_measured;
    akin_parsed *parsed;       /* two of each attribute: what its comparator found in the columns of both tables */
    akin_selected *selected;   /* of each selection, */
    uint64_t *credits, *soles; /* and how many of its pairs were found, and of these by no other selection */
    uint64_t *beaten;          /* pairs, ascending, that were gathered and lost a record to a better one */
    uint64_t beaten_count;
    akin_report_pair *pairs;
    double *each, *counts; /* of each pair that is listed, by attribute: as measured, and what it adds to the sum */
    uint64_t pair_count;
    uint32_t *order; /* the pairs, those nearest to the threshold first */
    akin_clusters *clusters;
    akin_clusters_shape shape; /* the sizes that result */
    akin_report_cluster largest[AKIN_REPORT_CLUSTERS];
    uint32_t largest_count;
    akin_report_gold gold;
    akin_report_learnt learnt;
};

/* A pair as records of both tables, where the numbers of the second table follow those of the first. */
static inline uint64_t akin_report_records(const akin_records *records, const akin_scored_pair *pair)
{
    return akin_two_records(pair->left, pair->right + (records->tables == 2 ? records->rows[0] : 0));
}

/* Whether one of the pair's records has a better counterpart; whether a pair was found. */
static inline int akin_report_is_beaten(const akin_report *report, uint64_t records)
{
    uint64_t at = akin_lower_bound_u64(report->beaten, report->beaten_count, records);
    return at < report->beaten_count && report->beaten[at] == records;
}

static inline int akin_report_is_found(const akin_report *report, const akin_gathered_pairs *stored, uint64_t at)
{
    const akin_scored_pair *pair = &stored->pairs[at];
    return at < stored->reaching &&
           (report->beaten_count == 0 || !akin_report_is_beaten(report, akin_report_records(&report->records, pair)));
}

/* Puts the pairs first that reach the threshold, and counts them. Errors: AKIN_E_NOMEM, AKIN_E_LIMIT,
 * AKIN_E_CANCELLED. */
akin_status akin_report_divide(akin_report *report, const akin_scoring *scoring, akin_found *found, akin_error *error);

/* Goes through the pairs that were gathered. Errors: AKIN_E_NOMEM, AKIN_E_INPUT (ids), AKIN_E_LIMIT,
 * AKIN_E_CANCELLED. */
akin_status akin_report_examine(akin_report *report, const akin_dedupe_view *job, akin_error *error);

/* The hundredth that a weighted average reaches, as it would a threshold: 0 to AKIN_CURVE_POINTS - 1. */
static inline uint32_t akin_report_bin(double average)
{
    return akin_step_of(average) - 1;
}

/* Of a job that learns: whether a pair of that probability is gathered. */
static inline int akin_report_is_gathered(const akin_report *report, double probability)
{
    return probability >= report->learnt.threshold || (uint64_t)akin_report_bin(probability) * report->least.den >=
                                                          (uint64_t)report->least.num * (AKIN_CURVE_POINTS - 1);
}

/* The width of akin_report_learnt.parts. */
static inline uint32_t akin_report_parts(const akin_report *report)
{
    return 1 + report->learnt.count + AKIN_REPORT_ENDS;
}

/* Of a job that learns (report_learnt.c): gathers pairs, which are handed over, to be freed by the caller in any case,
 * and keeps what was learnt. Then, while the lists are made, the evidence and the probability of a pair, given its
 * similarities by attribute. */
akin_status akin_report_gather_learnt(akin_report *report, const akin_dedupe_view *job, akin_scored_pair **pairs,
                                      akin_gathered_pairs *out, akin_error *error);
double akin_report_weigh(const akin_report *report, const akin_dedupe_view *job, uint64_t records, const double *each,
                         double *parts);
int akin_report_is_completed(const akin_report *report, uint64_t records);

/* Expected matches that one selection or more has. */
double akin_report_caught_matches(const akin_report *report);
/* How many matches no selection has, at least: an estimate of a lower bound. */
double akin_report_missed_least(const akin_report *report);

/* What is expected at each threshold 0, 0.01, ... 1, and how many pairs reach it. NAN: there is none. */
void akin_report_expect(const akin_report *report, double *precision, double *recall, double *f1, uint64_t *pairs);

/* The bridges and the missing edges of the clusters that are listed (report_edges.c). */
akin_status akin_report_find_edges(akin_report *report, const akin_dedupe_view *job, akin_error *error);
/* The one of them that a record is in; NULL: it is not listed. */
akin_report_cluster *akin_report_cluster_of(akin_report *report, uint32_t record);

/* Says what a reader should know first, in sentences. */
void akin_report_warn(const akin_report *report, akin_warning_sink sink, void *user);

/* Keeps a copy of the job's options, as the caller's may be gone when the page is written. */
akin_status akin_report_keep_job_options(akin_report *report, const akin_dedupe_view *job, akin_error *error);
void akin_report_free_job_options(akin_report *report);

/* Lists the pairs that are beaten, of all that were gathered: those below the threshold would be by a lower one. It
 * takes 16 bytes for each, and one for each record. */
akin_status akin_report_find_beaten(akin_report *report, const akin_dedupe_view *job, akin_error *error);

/* The parts of an examination: the gold standard, as far as it goes before pairs are looked at, and then how good they
 * are; clusters. */
akin_status akin_report_read_gold(akin_report *report, akin_error *error);
/* The place of a pair of records in the gold standard, its count if it is not there; and the records of the pair
 * there. */
uint64_t akin_report_find_gold(const akin_report *report, uint64_t records);
uint64_t akin_report_gold_records(const akin_report *report, uint64_t place);
akin_status akin_report_evaluate(akin_report *report, const akin_dedupe_view *job, akin_error *error);
akin_status akin_report_cluster_pairs(akin_report *report, const akin_dedupe_view *job, akin_error *error);

#endif
