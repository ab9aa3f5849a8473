/*
 * Scores a pair of records, on a GPU and on the host that plays one: attribute by attribute, until the threshold is out
 * of reach. It has the operations of strings/edit.c, jaro.c and scorer.c in their order, so that the doubles are the
 * same bits. Its decisions are those of the CPU: strings/decision.h and strings/average.h. It finds a symbol in the
 * pattern by comparing the symbol with all of them, because candidates are few, and tables would be as large.
 *
 * `width` is the bytes of a symbol, `most` the words of 64 bits that a string takes at most. Callers give both as
 * constants, so that a compiler makes code for each.
 */
#ifndef AKIN_DEDUPE_GPU_SCORE_H
#define AKIN_DEDUPE_GPU_SCORE_H

#include "dedupe/gpu_look.h"
#include "dedupe/gpu_texts.h"
#include "strings/similarity.h"

#define AKIN_GPU_LONGEST_WORDS (AKIN_GPU_LONGEST / 64)

/* ---------------------------------------------------------------------------------------------------------- strings */

/* Two strings of symbols. */
typedef struct akin_gpu_both {
    const void *a, *b;
    uint32_t a_length, b_length;
} akin_gpu_both;

/* The places first to end - 1 of a word at which a symbol stands in a. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_places_of(const akin_gpu_both *s, uint32_t width, uint32_t symbol, uint32_t first,
                                              uint32_t end)
{
    uint64_t places = 0;
    for (uint32_t i = first; i < end; i++)
        places |= (uint64_t)(akin_gpu_symbol(s->a, width, i) == symbol) << i % 64;
    return places;
}

AKIN_GPU_FUNCTION akin_jaro akin_gpu_jaro_of(const akin_gpu_both *s, uint32_t width, uint32_t most)
{
    uint64_t taken[AKIN_GPU_LONGEST_WORDS] = {0}, matched[AKIN_GPU_LONGEST_WORDS] = {0};
    akin_jaro found = {0, 0};
    uint32_t window = (s->a_length > s->b_length ? s->a_length : s->b_length) / 2, i = 0;
    window -= window > 0;
    for (uint32_t j = 0; j < s->b_length; j++) {
        uint32_t first = j > window ? j - window : 0, end = j + window + 1;
        end = end < s->a_length ? end : s->a_length;
        for (uint32_t k = first; k < end; k++) {
            uint64_t bit = (uint64_t)1 << k % 64;
            if (akin_gpu_symbol(s->a, width, k) == akin_gpu_symbol(s->b, width, j) &&
                !(taken[most == 1 ? 0 : k / 64] & bit)) {
                taken[most == 1 ? 0 : k / 64] |= bit;
                matched[most == 1 ? 0 : j / 64] |= (uint64_t)1 << j % 64;
                found.matched++;
                break;
            }
        }
    }
    for (uint32_t j = 0; j < s->b_length && found.matched > 0; j++) {
        if (!(matched[most == 1 ? 0 : j / 64] >> j % 64 & 1))
            continue;
        while (!(taken[most == 1 ? 0 : i / 64] >> i % 64 & 1))
            i++;
        found.apart += akin_gpu_symbol(s->a, width, i) != akin_gpu_symbol(s->b, width, j);
        i++;
    }
    return found;
}

/* The distance; see strings/edit.c for the names. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_distance_of(const akin_gpu_both *s, uint32_t width, uint32_t most, int swaps)
{
    uint64_t up[AKIN_GPU_LONGEST_WORDS], down[AKIN_GPU_LONGEST_WORDS];
    uint64_t last_diagonal[AKIN_GPU_LONGEST_WORDS], last_at[AKIN_GPU_LONGEST_WORDS];
    uint32_t distance = s->a_length, words = (s->a_length + 63) / 64;
    for (uint32_t w = 0; w < most; w++) {
        up[w] = ~(uint64_t)0;
        down[w] = last_diagonal[w] = last_at[w] = 0;
    }
    for (uint32_t j = 0; j < s->b_length; j++) {
        uint64_t right = 1, left = 0, swapped_in = 0;
        for (uint32_t w = 0; w < (most == 1 ? 1 : words); w++) {
            const uint32_t end = 64 * w + 64 < s->a_length ? 64 * w + 64 : s->a_length;
            uint64_t at = akin_gpu_places_of(s, width, akin_gpu_symbol(s->b, width, j), 64 * w, end);
            uint64_t same = at | left, swapped = 0;
            if (swaps) {
                uint64_t apart = ~last_diagonal[w] & at;
                swapped = (apart << 1 | swapped_in) & last_at[w];
                swapped_in = apart >> 63;
            }
            uint64_t diagonal = (((same & up[w]) + up[w]) ^ up[w]) | same | down[w] | swapped;
            uint64_t more = down[w] | ~(diagonal | up[w]), less = diagonal & up[w];
            uint32_t last = s->a_length - 1;
            if (last / 64 == w)
                distance += (uint32_t)(more >> last % 64 & 1) - (uint32_t)(less >> last % 64 & 1);
            uint64_t more_below = more >> 63, less_below = less >> 63;
            more = more << 1 | right;
            less = less << 1 | left;
            up[w] = less | ~(diagonal | more);
            down[w] = more & diagonal;
            right = more_below;
            left = less_below;
            last_diagonal[w] = diagonal;
            last_at[w] = at;
        }
    }
    return distance;
}

/* These two are 0 where that is below what counts. */
AKIN_GPU_FUNCTION double akin_gpu_jaro_similarity(const akin_gpu_attribute *a, const akin_gpu_both *s, uint32_t width)
{
    int is_short = s->a_length <= 64 && s->b_length <= 64;
    akin_jaro jaro = is_short ? akin_gpu_jaro_of(s, width, 1) : akin_gpu_jaro_of(s, width, AKIN_GPU_LONGEST_WORDS);
    uint32_t prefix = 0;
    while (prefix < AKIN_WINKLER_PREFIX && prefix < s->a_length && prefix < s->b_length &&
           akin_gpu_symbol(s->a, width, prefix) == akin_gpu_symbol(s->b, width, prefix))
        prefix++;
    if (a->least > 0 && !akin_cutoff_reached(&a->cutoff, jaro, s->a_length, s->b_length, prefix))
        return 0.0;
    return akin_jaro_similarity(jaro, s->a_length, s->b_length, prefix, &a->cutoff.winkler);
}

AKIN_GPU_FUNCTION double akin_gpu_edit_similarity(const akin_gpu_attribute *a, const akin_gpu_both *s, uint32_t width)
{
    uint32_t distance = s->a_length <= 64 ? akin_gpu_distance_of(s, width, 1, a->cutoff.swaps)
                                          : akin_gpu_distance_of(s, width, AKIN_GPU_LONGEST_WORDS, a->cutoff.swaps);
    if (a->least > 0 && !akin_cutoff_permits_edits(&a->cutoff, distance, s->a_length, s->b_length))
        return 0.0;
    return akin_edit_similarity(distance, s->a_length, s->b_length);
}

/* The similarity of two values by their symbols. */
AKIN_GPU_FUNCTION double akin_gpu_compare_symbols(const akin_gpu_attribute *a, const akin_gpu_shape *x,
                                                  const akin_gpu_shape *y, uint32_t width)
{
    const akin_gpu_both s = {(const char *)a->symbols + x->at * width, (const char *)a->symbols + y->at * width,
                             x->length, y->length};
    if (a->form == AKIN_BY_BYTES) {
        uint32_t i = 0;
        while (i < s.a_length && i < s.b_length && akin_gpu_symbol(s.a, width, i) == akin_gpu_symbol(s.b, width, i))
            i++;
        return i == s.a_length && i == s.b_length ? 1.0 : 0.0;
    }
    return a->cutoff.is_jaro ? akin_gpu_jaro_similarity(a, &s, width) : akin_gpu_edit_similarity(a, &s, width);
}

AKIN_GPU_FUNCTION double akin_gpu_compare_values(const akin_gpu_attribute *a, uint32_t i, uint32_t j)
{
    const akin_gpu_shape *x = &a->shapes[i], *y = &a->shapes[j];
    if (a->width == 1)
        return akin_gpu_compare_symbols(a, x, y, 1);
    return a->width == 2 ? akin_gpu_compare_symbols(a, x, y, 2) : akin_gpu_compare_symbols(a, x, y, 4);
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* Scores a pair: its similarity, or a negative number; `each` as akin_scorer_score gives it. */
AKIN_GPU_FUNCTION double akin_gpu_score_pair(const akin_gpu_scoring *s, uint32_t i, uint32_t j, double *each,
                                             uint32_t *compared)
{
    double weights = akin_gpu_weights(s, i, j), most = weights, least = akin_gpu_least(s, weights), sum = 0;
    for (uint32_t k = 0; k < s->count && most >= least; k++) {
        const akin_gpu_attribute *a = &s->attributes[s->order[k]];
        double similarity = akin_gpu_look(a, s->missing, i, j);
        if (similarity < 0) {
            similarity = akin_gpu_compare_values(a, i, j);
            ++*compared;
        }
        each[s->order[k]] = similarity;
        if (similarity >= 0)
            most -= a->weight - akin_gpu_contribution(a, similarity);
    }
    if (!(most >= least))
        return -1;
    akin_average average = {0, 0};
    for (uint32_t k = 0; k < s->count; k++) { /* in the order given, so that the sum is the same everywhere */
        /* `order` holds every attribute once: NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
        sum += akin_gpu_contribution(&s->attributes[k], each[k]);
        if (!isnan(each[k]))
            akin_average_add(&average, each[k], s->attributes[k].units);
    }
    if (s->gathers)
        return weights > 0 ? sum / weights : 0;
    int reaches = s->count == 1 ? each[0] > 0 : akin_average_reaches(average, s->threshold);
    return reaches ? sum / weights : -1;
}

/* Scores a candidate, and puts it among the pairs if it reaches the threshold. */
AKIN_GPU_FUNCTION void akin_gpu_score_candidate(const akin_gpu_scoring *s, akin_gpu_candidate c, uint32_t border,
                                                akin_scored_pair *pairs, void *kept, akin_gpu_told *tally,
                                                uint32_t *compared)
{
    double own[AKIN_GPU_ATTRIBUTES];
    double similarity = akin_gpu_score_pair(s, c.a, c.b, own, compared);
    if (similarity >= 0) {
        const uint64_t to = akin_gpu_add(&tally->found, 1);
        const akin_scored_pair pair = {c.a < c.b ? c.a : c.b, (c.a < c.b ? c.b : c.a) - border, similarity};
        pairs[to] = pair;
        const akin_gpu_gathering *g = &s->gathering;
        for (uint32_t k = 0; k < g->count; k++)
            ((uint8_t *)kept)[to * g->count + k] = akin_level_of(&g->comparisons[k], g->members, g->cuts, own);
        for (uint32_t k = 0; k < s->count && g->count == 0; k++)
            /* A similarity above 0 came with `own`: NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
            ((double *)kept)[to * s->count + k] = own[k];
    }
}

#endif
