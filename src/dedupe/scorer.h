/*
 * Scores a pair of records: the weighted average of how alike their values are. Most pairs cannot reach the threshold,
 * and are left after a look at lengths and bags, attribute by attribute:
 *
 *     bound = (what attributes that are known contribute + the weights of the others) / all weights
 *
 * A value pair must reach what the average needs of it if all other attributes are equal:
 *
 *     least = max(the attribute's threshold, 1 - all weights * (1 - threshold) / its weight)
 *
 * A value pair that is compared is kept for a while, as the same one is often met again.
 *
 * Bounds are doubles, and rule out no pair that qualifies. What qualifies is decided in integers: whether a value pair
 * reaches what is needed of its attribute by the comparator (strings/decision.h), whether a pair of records reaches
 * that of all by its average (strings/average.h), and whether the weights that count are enough. Of one attribute alone
 * the weight cancels out, so its value pairs must reach both thresholds.
 */
#ifndef AKIN_DEDUPE_SCORER_H
#define AKIN_DEDUPE_SCORER_H

#include "base/parallel.h"
#include "strings/average.h"
#include "dedupe/tokens.h"
#include "strings/comparer.h"

/* What a bound may be below the threshold: an average and a threshold are rounded to 9 digits each, which is up to
 * 10^-9 together, similarities to 2^-40, and the rounding of doubles is far below that. */
#define AKIN_BOUND_SLACK    4e-9
#define AKIN_SCORED_LONGEST 255 /* symbols: longer values are not screened */

/* An attribute: what the screen allows values of some lengths to be apart, in bits of their bags, and how they are
 * compared. */
typedef struct akin_scored {
    const akin_values *values;
    const uint32_t *of; /* of each record its value, or none; `own`, where some values are taken for missing */
    uint32_t *own;
    double *numbers; /* one for each value, NAN if it is not a number; NULL for other comparators */
    akin_compare_options compare;
    const akin_comparator_row *row;
    akin_ratio threshold; /* a similarity below it counts as 0; 0/1: none does */
    akin_ratio least;     /* the same, or if it is higher, what a pair needs here to be found if all else is equal */
    double weight;
    uint64_t units;                            /* the weight, in 10^-9 */
    int is_needed;                             /* of a scoring: a pair whose values do not reach `least` is not found */
    int is_screened, by_prefix, is_same_equal; /* values that are the same have similarity 1 without a comparison */
    akin_cutoff cutoff;                        /* the threshold; of a scoring, `least` */
    uint32_t longest;                          /* there are limits for lengths up to this */
    int16_t *limits;                           /* [length][length][prefix]; below 0: none will do */
    akin_weighted weighted;                    /* of AKIN_BY_WEIGHTS */
} akin_scored;

/* What an attribute's options say; the rest of *out is as it was. Errors: AKIN_E_OPTION. */
akin_status akin_scored_read(const akin_attribute *given, akin_scored *out, akin_error *error);

/* Whether the values of a left and of a right record are not interchangeable. */
static inline int akin_scored_is_directed(const akin_scored *scored)
{
    return (scored->row->choice.capabilities & AKIN_IS_DIRECTED) != 0;
}

/* Makes the limits of lengths up to `longest`, of those that occur. 0: memory is short. */
int akin_scored_limit(akin_scored *scored, const uint8_t occurs[AKIN_SCORED_LONGEST + 1], uint32_t longest,
                      akin_account *account);

/* What all threads share. */
typedef struct akin_scoring {
    akin_account *account;
    akin_cpu cpu;
    akin_missing missing;
    int gathers;           /* all pairs are found, whatever their similarities: there are no thresholds */
    uint32_t threshold;    /* of averages, in 10^-9 */
    double bound, weights; /* bound: the threshold, or a little less; weights: their sum */
    uint64_t evidence;     /* what the weights that count must come to, in 10^-9 */
    uint32_t count;
    akin_scored *attributes;
    uint32_t *order; /* in which they are looked at: those first that leave the fewest pairs */
} akin_scoring;

/* values[c] is that of column c, for each that an attribute names. The caller clears the scoring in any case. Errors:
 * AKIN_E_OPTION, AKIN_E_NOMEM. */
akin_status akin_scoring_make(const akin_scope *scope, akin_account *account, const akin_dedupe_options *options,
                              const akin_values *const *values, akin_scoring *out, akin_error *error);
void akin_scoring_clear(akin_scoring *scoring);

/* Has pairs found from another threshold on. Scorers are made after that. Errors: AKIN_E_NOMEM. */
akin_status akin_scoring_find_from(akin_scoring *scoring, akin_ratio threshold, akin_error *error);

/* What value pairs of an attribute must reach, where it is one of `attributes` attributes and `threshold` is that of
 * averages. */
akin_ratio akin_scored_least(const akin_scored *scored, uint32_t attributes, akin_ratio threshold);

/* What a thread has. */
typedef struct akin_scorer akin_scorer;

/* `cancellation`, which is copied, ends a long comparison. NULL: memory is short. */
akin_scorer *akin_scorer_create(const akin_scoring *scoring, const akin_cancellation *cancellation);
void akin_scorer_free(akin_scorer *scorer);

/* Brings from memory what is known of a record: which values it has, and then, sooner, their shapes. */
void akin_scorer_expect(const akin_scorer *scorer, uint32_t record, int sooner);

/* Brings from memory what comparisons of some pairs of records read: their values, and, where these differ, their
 * texts. Many reads are under way at once then; some dozens of pairs are best. */
void akin_scorer_fetch(const akin_scorer *scorer, const akin_pair *pairs, uint32_t count);
#define AKIN_SCORER_FETCHED 32 /* pairs at once */

/* Of a record's partners those that lengths and bags do not rule out, in their order; returns how many they are.
 * `passed` has room for all, and may be `partners`. */
uint32_t akin_scorer_screen(akin_scorer *scorer, uint32_t record, const uint32_t *partners, uint32_t count,
                            uint32_t *passed);

/* The same for pairs of records, AKIN_SCREENED at most: passed[i] are the numbers of those that pass. */
#define AKIN_SCREENED 1024
uint32_t akin_scorer_screen_pairs(akin_scorer *scorer, const uint32_t *lower, const uint32_t *higher, uint32_t count,
                                  uint32_t *passed);

/* Scores a pair. *similarity is negative if it does not reach the threshold; else `each` has the similarities of the
 * attributes as they were given, 0 where that is below the attribute's threshold, and NAN where a value is missing and
 * does not count. Errors, without a message: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_scorer_score(akin_scorer *scorer, uint32_t a, uint32_t b, double *similarity, double *each);

/* Whether a pair that was found, of several attributes, has an average that reaches a threshold, in 10^-9; `each` is as
 * above. */
int akin_scoring_reaches(const akin_scoring *scoring, const double *each, uint32_t threshold);

/* Value pairs that were compared so far. */
uint64_t akin_scorer_compared(const akin_scorer *scorer);

#endif
