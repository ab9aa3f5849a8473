/*
 * What threads of a GPU do to rank the objects of a unit, which have been counted, by their similarity to a query: the
 * steps `at least` and `emit` of gpu_ranges.h, of scores in place of counts. A score needs a count, which most objects
 * do not have: so no more than a word is looked at of these.
 */
#ifndef AKIN_SEARCH_GPU_SIMILAR_H
#define AKIN_SEARCH_GPU_SIMILAR_H

#include "search/gpu_ranges.h"
#include "search/score.h"

typedef struct akin_unit_similar {
    const uint32_t *sizes; /* keywords of the unit's objects */
    uint32_t is_cosine;
    uint32_t query;       /* keywords of it, those included that no object has */
    uint32_t least, most; /* that an object counts */
} akin_unit_similar;

AKIN_GPU_FUNCTION akin_unit_similar akin_unit_similar_of(const akin_unit *u, const akin_gpu_batch *batch,
                                                         const akin_gpu_query *query, uint32_t most)
{
    const uint64_t first = (uint64_t)u->range * AKIN_RANGE + u->first;
    const akin_unit_similar similar = {batch->sizes + first, batch->is_cosine, query->size, batch->least, most};
    return similar;
}

/* What must be counted for a score. */
AKIN_GPU_FUNCTION uint32_t akin_unit_similar_least(const akin_unit_similar *s, uint32_t score)
{
    const uint32_t least = akin_score_least(s->query, score);
    return least > s->least ? least : s->least;
}

/* The same of the score that the unit begins with; more than an object can count, if none has it. */
AKIN_GPU_FUNCTION uint32_t akin_unit_similar_start(const akin_gpu_batch *batch, const akin_gpu_query *query,
                                                   uint32_t score)
{
    const akin_unit_similar similar = {0, 0, query->size, batch->least, 0};
    return score > AKIN_SCORE_MOST ? UINT32_MAX : akin_unit_similar_least(&similar, score);
}

/* The highest bits of those counters of a word whose objects have that score, `least` being what must be counted for
 * it. */
AKIN_GPU_FUNCTION uint32_t akin_unit_similar_word(const akin_unit *u, const akin_unit_similar *s, uint32_t w,
                                                  uint32_t least, uint32_t score)
{
    const uint32_t each = 4 / u->counter, bits = 8 * u->counter, word = u->words[w];
    const uint32_t mask = u->counter == 4 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;
    const uint32_t some = akin_unit_not_above(akin_unit_all(least, u->counter), word, akin_unit_tops(u->counter));
    uint32_t reached = 0;
    for (uint32_t i = 0; i < each && some; i++) {
        const uint32_t top = (uint32_t)1 << (bits * (i + 1) - 1);
        if ((some & top) != 0 &&
            akin_score_reaches(s->is_cosine, s->query, s->sizes[w * each + i], word >> i * bits & mask, score))
            reached |= top;
    }
    return reached;
}

/* Of the thread's objects, those that have that score. */
AKIN_GPU_FUNCTION uint32_t akin_unit_similar_at_least(const akin_unit *u, const akin_unit_similar *s, uint32_t score,
                                                      uint32_t thread)
{
    const uint32_t least = akin_unit_similar_least(s, score);
    uint32_t found = 0;
    for (uint32_t w = thread; w < AKIN_UNIT_WORDS && least <= s->most; w += AKIN_UNIT_THREADS)
        found += akin_gpu_ones(akin_unit_similar_word(u, s, w, least, score));
    return found;
}

AKIN_GPU_FUNCTION akin_unit_share akin_unit_similar_weigh(const akin_unit *u, const akin_unit_similar *s,
                                                          uint32_t score, uint32_t thread)
{
    const uint32_t least = akin_unit_similar_least(s, score);
    akin_unit_share share = {0, 0, 0};
    for (uint32_t i = 0; i < AKIN_UNIT_OWN && least <= s->most; i++) {
        const uint32_t own = (i + thread / 2) % AKIN_UNIT_OWN, w = thread * AKIN_UNIT_OWN + own;
        const uint32_t reached = akin_unit_similar_word(u, s, w, least, score);
        const uint32_t above =
            reached && score < AKIN_SCORE_MOST ? akin_unit_similar_word(u, s, w, least, score + 1) : 0;
        share.above += akin_gpu_ones(above);
        share.equal += akin_gpu_ones(reached & ~above);
        share.words |= (uint32_t)(reached != 0) << own;
    }
    return share;
}

AKIN_GPU_FUNCTION void akin_unit_similar_emit(const akin_unit *u, const akin_unit_similar *s, uint32_t score,
                                              akin_unit_share before, uint32_t above, uint32_t room, uint64_t *keys,
                                              uint32_t thread)
{
    const uint32_t each = 4 / u->counter, bits = 8 * u->counter, least = akin_unit_similar_least(s, score);
    const uint32_t mask = u->counter == 4 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;
    uint32_t at = before.above, equal = above + before.equal;
    for (uint32_t words = before.words; words; words &= words - 1) {
        const uint32_t w = thread * AKIN_UNIT_OWN + akin_gpu_lowest(words);
        const uint32_t reached = akin_unit_similar_word(u, s, w, least, score);
        for (uint32_t i = 0; i < each; i++) {
            const uint32_t place = w * each + i, object = u->range * AKIN_RANGE + u->first + place;
            if ((reached >> (bits * (i + 1) - 1) & 1) == 0)
                continue;
            const uint32_t own = akin_score_of(s->is_cosine, s->query, s->sizes[place], u->words[w] >> i * bits & mask);
            if (own > score && at < room)
                keys[at++] = AKIN_TOP_KEY(own, object);
            else if (own == score && equal < room)
                keys[equal++] = AKIN_TOP_KEY(own, object);
        }
    }
}

#endif
