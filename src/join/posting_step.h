/*
 * The arithmetic of the prefix index on a GPU: which set a posting is of, which posting a pair is, when two sets
 * qualify. In C as in CUDA, so that tests run it without a GPU.
 */
#ifndef AKIN_JOIN_POSTING_STEP_H
#define AKIN_JOIN_POSTING_STEP_H

#include "join/kernels.h"

#ifdef __CUDACC__
#define AKIN_POSTING static __device__ __forceinline__
#else
#include <math.h>
#define AKIN_POSTING static inline
#endif

/* A posting: its set, where in the set it is, and the class of the set. */
typedef struct akin_posting_place {
    akin_posting_class from;
    uint32_t set, position;
} akin_posting_place;

/* A class whose prefixes are empty begins at the same posting as the next one, so it is the last that counts. */
AKIN_POSTING akin_posting_place akin_posting_find(const akin_posting_side *side, uint32_t number)
{
    uint32_t low = 0, high = side->class_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (side->classes[middle].posting <= number)
            low = middle;
        else
            high = middle;
    }
    akin_posting_place place;
    place.from = side->classes[low];
    uint32_t before = (number - place.from.posting) / place.from.length;
    place.set = place.from.set + before;
    place.position = number - place.from.posting - before * place.from.length;
    return place;
}

AKIN_POSTING uint32_t akin_posting_token(const void *tokens, int narrow, uint64_t at)
{
    return narrow ? ((const uint16_t *)tokens)[at] : ((const uint32_t *)tokens)[at];
}

/* The first of the postings [begin, end) of a token whose set is `set` or after it. */
AKIN_POSTING uint32_t akin_posting_from(const uint32_t *sets, uint32_t begin, uint32_t end, uint32_t set)
{
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (sets[middle] < set)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* The postings that a posting of a probe meets in the list of its token. Their sets are large enough, and not too large
 * for the remaining tokens of the probe. In a self-join they are before the probe. */
AKIN_POSTING akin_posting_list akin_posting_met(const akin_posting_side *probes, int self, akin_posting_place place,
                                                akin_posting_list list, const uint32_t *sets)
{
    uint32_t end = probes->bounds[place.from.bound + place.position];
    if (self && end > place.set)
        end = place.set;
    list.begin = akin_posting_from(sets, list.begin, list.end, place.from.least);
    list.end = akin_posting_from(sets, list.begin, list.end, end);
    return list;
}

/* The run that pair number `at` is of: the last that begins there or before. None is empty, and at is below the sum. */
AKIN_POSTING uint32_t akin_posting_run_of(const uint64_t *offsets, uint32_t count, uint64_t at)
{
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (offsets[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/*
 * 32 pairs, a lane each. Bit b of `begins` is set if a run begins at pair b. `into` is the number of the first pair
 * within its run.
 *
 *     begins   . . . 1 . . 1 1 . . ...     skipped: runs that begin up to the lane, bit 0 being never set
 *     skipped  0 0 0 1 1 1 2 3 3 3         into:    which pair of its run the lane has
 *     into     7 8 9 0 1 2 0 0 1 2
 */
typedef struct akin_posting_lane {
    uint32_t skipped, into;
} akin_posting_lane;

AKIN_POSTING akin_posting_lane akin_posting_deal(uint32_t begins, uint32_t lane, uint32_t into)
{
    uint32_t before = begins & (0xffffffffu >> (31 - lane));
#ifdef __CUDACC__
    uint32_t skipped = (uint32_t)__popc((int)before), last = 31 - (uint32_t)__clz((int)before);
#else
    uint32_t skipped = (uint32_t)__builtin_popcount(before), last = before ? 31 - (uint32_t)__builtin_clz(before) : 0;
#endif
    akin_posting_lane out = {skipped, before ? lane - last : into + lane};
    return out;
}

/* akin_threshold_overlap: a guess that a few steps in integers make exact. */
AKIN_POSTING uint32_t akin_posting_need(akin_measure_rule rule, float share, uint32_t r, uint32_t s)
{
    if (rule.form == AKIN_FORM_CONSTANT)
        return rule.want ? (uint32_t)rule.want : 1;
    float size = akin_form_is_squared(rule.form) ? sqrtf((float)r * (float)s) : (float)akin_rule_size(rule.form, r, s);
    uint32_t need = (uint32_t)(size * share) + 1;
    while (!akin_rule_suffices(rule, need, r, s))
        need++;
    while (need > 1 && akin_rule_suffices(rule, need - 1, r, s))
        need--;
    return need;
}

typedef enum akin_posting_state {
    AKIN_POSTING_ELSEWHERE, /* another token is the first that they share */
    AKIN_POSTING_FEW,       /* they do not qualify */
    AKIN_POSTING_OPEN,      /* not known within AKIN_POSTING_STEPS */
    AKIN_POSTING_FOUND      /* they do */
} akin_posting_state;

/*
 * Merges sets x and y of sizes r and s, which share token number `position` of x. They qualify if they have `need`
 * common tokens, which is at most r and at most s. So only r - need tokens of x may lack a partner, and merging ends as
 * soon as more do. `steps` becomes the number of tokens that were looked at.
 */
AKIN_POSTING akin_posting_state akin_posting_merge(const void *x, uint32_t r, const void *y, uint32_t s, int narrow,
                                                   uint32_t position, uint32_t need, uint32_t *overlap, uint32_t *steps)
{
    akin_posting_state state = AKIN_POSTING_FOUND;
    uint32_t a = 0, b = 0, common = 0;
    while (a < r && b < s && state == AKIN_POSTING_FOUND) {
        uint32_t u = akin_posting_token(x, narrow, a), v = akin_posting_token(y, narrow, b);
        if (u == v && common == 0 && a != position) {
            state = AKIN_POSTING_ELSEWHERE;
            break;
        }
        common += u == v;
        a += u <= v;
        b += v <= u;
        if (a - common > r - need || b - common > s - need)
            state = AKIN_POSTING_FEW;
        else if (common > 0 && a + b - common >= AKIN_POSTING_STEPS && a < r && b < s)
            state = AKIN_POSTING_OPEN;
    }
    *overlap = common;
    *steps = a + b;
    return state;
}

#endif
