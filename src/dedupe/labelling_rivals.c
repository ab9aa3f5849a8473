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

int akin_labelling_is_rival(const akin_labelling_index *index, uint64_t answer)
{
    const int is_yes = index->labelling->answers[answer].answer == AKIN_ANSWER_YES;
    const uint64_t *of = index->of + 2 * answer, *earlier = index->earlier + 2 * answer;
    return is_yes ? earlier[0] + earlier[1] > 0 : index->yes[of[0]] + index->yes[of[1]] > 0;
}

double akin_labelling_given(const akin_labelling_index *index, uint64_t answer, double given)
{
    if (!akin_labelling_is_rival(index, answer))
        return given;
    return index->labelling->answers[answer].answer == AKIN_ANSWER_YES ? 0 : AKIN_LABELLING_FARTHEST;
}

/* After the answer that shows many the questions are others, so later answers do not count. */
akin_rivals akin_labelling_judge_rivals(const akin_labelling_index *index, const uint64_t *places, const double *odds)
{
    const akin_labelling *l = index->labelling;
    uint64_t none = 0, partners = 0, records = 0;
    for (uint64_t i = 0; i < l->count; i++) {
        const akin_labelled_pair *a = &l->answers[i];
        if (a->answer == AKIN_ANSWER_UNSURE || places[i] == l->pool.count || odds[places[i]] <= LIKELY ||
            !akin_labelling_is_rival(index, i))
            continue;
        if (a->answer == AKIN_ANSWER_NO) {
            none++;
            continue;
        }
        partners++;
        records += index->earlier[2 * i] == 1;
        records += index->earlier[2 * i + 1] == 1;
        if (records >= RECORDS && partners >= none + AHEAD)
            return AKIN_RIVALS_SHOW_MANY;
    }
    return none >= partners + BEHIND ? AKIN_RIVALS_SHOW_ONE : AKIN_RIVALS_SHOW_NOTHING;
}

/* Whether another answer is about one of the records of a pair. */
static int has_rival(const akin_labelling_index *index, uint64_t answer)
{
    const uint64_t *of = index->of + 2 * answer;
    return index->all[of[0]] > 1 || index->all[of[1]] > 1;
}

/* The likelier one of two pairs of the pool, or the first of those that are as likely; pool.count: none is likely. */
static uint64_t likelier(const akin_pool *pool, const double *odds, uint64_t a, uint64_t b)
{
    if (a == pool->count || b == pool->count)
        return a == pool->count ? b : a;
    return odds[b] > odds[a] || (odds[b] == odds[a] && b < a) ? b : a;
}

/* Finds the likeliest pair of each record that answers are about, of those without an answer. */
static void find_likeliest(const akin_labelling_index *index, const uint8_t *is_answered, const double *odds,
                           uint64_t *likeliest)
{
    const akin_pool *pool = &index->labelling->pool;
    for (uint64_t r = 0; r < index->record_count; r++)
        likeliest[r] = pool->count;
    for (uint64_t i = 0; i < pool->count; i++)
        for (uint32_t side = 0; side < 2 && !is_answered[i] && odds[i] > LIKELY; side++) {
            const akin_pool_pair *pair = &pool->pairs[i];
            const uint64_t record = akin_labelling_index_find(index, side ? pair->right : pair->left, side);
            if (record < index->record_count)
                likeliest[record] = likelier(pool, odds, likeliest[record], i);
        }
}

akin_status akin_labelling_find_rival(const akin_labelling_index *index, const uint8_t *is_answered, const double *odds,
                                      uint64_t *chosen, akin_error *error)
{
    const akin_labelling *l = index->labelling;
    uint64_t *likeliest = akin_alloc(NULL, index->record_count, sizeof *likeliest);
    double count = 0;
    akin_random random;
    *chosen = l->pool.count;
    if (!likeliest)
        return akin_fail_memory(error, "the questions");
    find_likeliest(index, is_answered, odds, likeliest);
    akin_random_seed(&random, l->count);
    for (uint64_t i = 0; i < l->count; i++) {
        const uint64_t *of = index->of + 2 * i;
        if (l->answers[i].answer != AKIN_ANSWER_YES || has_rival(index, i))
            continue;
        const uint64_t rival = likelier(&l->pool, odds, likeliest[of[0]], likeliest[of[1]]);
        if (rival == l->pool.count)
            continue;
        count++;
        if (akin_random_unit(&random) * count < 1)
            *chosen = rival;
    }
    akin_free(likeliest);
    return AKIN_OK;
}
