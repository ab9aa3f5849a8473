/*
 * Rivals: pairs that share a record with a pair that was answered with yes. If a record has one partner, all of them
 * are wrong. So they are asked about now and then, and the answers show whether that is so.
 */
#include "dedupe/labelling.h"

#include "base/random.h"

#define LIKELY  0.0 /* the logarithm of the odds of a rival, if it had no competition, from which it is asked about */
#define RECORDS 2   /* records with two partners, at least, */
#define AHEAD   3   /* and so many more rivals that are partners than none show that records have many */
#define BEHIND  4   /* and so many more that are none, that they have one */

/* Whether a pair has a record. Of one table it may have it on either side. */
static int has_record(const akin_pool *pool, const akin_labelled_pair *pair, uint32_t row, int side)
{
    return pool->tables == 1 ? pair->left == row || pair->right == row : row == (side ? pair->right : pair->left);
}

/* How many partners of a record are among the first `before` answers. */
static uint32_t count_partners(const akin_labelling *l, uint64_t before, uint32_t row, int side)
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < before; i++)
        count += l->answers[i].answer == AKIN_ANSWER_YES && has_record(&l->pool, &l->answers[i], row, side);
    return count;
}

int akin_labelling_is_rival(const akin_labelling *labelling, uint64_t index)
{
    const akin_labelled_pair *a = &labelling->answers[index];
    const uint64_t before = a->answer == AKIN_ANSWER_YES ? index : labelling->count;
    return count_partners(labelling, before, a->left, 0) + count_partners(labelling, before, a->right, 1) > 0;
}

double akin_labelling_given(const akin_labelling *labelling, uint64_t index, double given)
{
    if (!akin_labelling_is_rival(labelling, index))
        return given;
    return labelling->answers[index].answer == AKIN_ANSWER_YES ? 0 : AKIN_LABELLING_FARTHEST;
}

/* After the answer that shows many the questions are others, so later answers do not count. */
akin_rivals akin_labelling_judge_rivals(const akin_labelling *labelling, const uint64_t *places, const double *odds)
{
    uint64_t none = 0, partners = 0, records = 0;
    for (uint64_t i = 0; i < labelling->count; i++) {
        const akin_labelled_pair *a = &labelling->answers[i];
        if (a->answer == AKIN_ANSWER_UNSURE || places[i] == labelling->pool.count || odds[places[i]] <= LIKELY ||
            !akin_labelling_is_rival(labelling, i))
            continue;
        if (a->answer == AKIN_ANSWER_NO) {
            none++;
            continue;
        }
        partners++;
        records += count_partners(labelling, i, a->left, 0) == 1;
        records += count_partners(labelling, i, a->right, 1) == 1;
        if (records >= RECORDS && partners >= none + AHEAD)
            return AKIN_RIVALS_SHOW_MANY;
    }
    return none >= partners + BEHIND ? AKIN_RIVALS_SHOW_ONE : AKIN_RIVALS_SHOW_NOTHING;
}

/* Whether another answer is about one of the records of a pair. */
static int has_rival(const akin_labelling *l, uint64_t index)
{
    const akin_labelled_pair *a = &l->answers[index];
    for (uint64_t i = 0; i < l->count; i++)
        if (i != index &&
            (has_record(&l->pool, &l->answers[i], a->left, 0) || has_record(&l->pool, &l->answers[i], a->right, 1)))
            return 1;
    return 0;
}

/* The likeliest rival of a pair; pool.count: none is likely. */
static uint64_t best_rival(const akin_labelling *l, const akin_labelled_pair *accepted, const uint8_t *is_answered,
                           const double *odds)
{
    const akin_pool *pool = &l->pool;
    uint64_t best = pool->count;
    double most = LIKELY;
    for (uint64_t i = 0; i < pool->count; i++) {
        const akin_pool_pair *pair = &pool->pairs[i];
        if (is_answered[i] || odds[i] <= most ||
            !(has_record(pool, accepted, pair->left, 0) || has_record(pool, accepted, pair->right, 1)))
            continue;
        most = odds[i];
        best = i;
    }
    return best;
}

uint64_t akin_labelling_find_rival(const akin_labelling *labelling, const uint8_t *is_answered, const double *odds)
{
    uint64_t chosen = labelling->pool.count;
    double count = 0;
    akin_random random;
    akin_random_seed(&random, labelling->count);
    for (uint64_t i = 0; i < labelling->count; i++) {
        const akin_labelled_pair *a = &labelling->answers[i];
        if (a->answer != AKIN_ANSWER_YES || has_rival(labelling, i))
            continue;
        const uint64_t rival = best_rival(labelling, a, is_answered, odds);
        if (rival == labelling->pool.count)
            continue;
        count++;
        if (akin_random_unit(&random) * count < 1)
            chosen = rival;
    }
    return chosen;
}
