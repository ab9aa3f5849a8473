/* Verifies candidates of nearest strings. */
#include "search/nearest_verify.h"

#include "base/bits.h"
#include "strings/batch.h"
#include "strings/edit.h"

#include <string.h>

enum { MOST = AKIN_VERIFY_MOST, LONGEST = AKIN_LANES_LONGEST };

int akin_verifier_begin(akin_verifier *verifier, akin_cpu cpu)
{
    static const akin_verify_short by_level[] = AKIN_CPU_ROW(NULL, NULL, NULL, akin_verify_avx512);
    verifier->verify_short = by_level[cpu];
    verifier->lanes = akin_lanes_choose(cpu);
    verifier->texts = akin_alloc_zero(NULL, MOST * LONGEST + AKIN_BATCH_PAD, 1);
    return verifier->texts != NULL;
}

void akin_verifier_clear(akin_verifier *verifier)
{
    akin_free(verifier->texts);
    akin_pattern_clear(&verifier->pattern);
}

static akin_symbols string_at(const akin_ordered *s, uint32_t at)
{
    return (akin_symbols){.bytes = s->bytes + s->begins[at],
                          .points = s->numbers ? s->numbers + s->offsets[s->rows[at]] : NULL,
                          .length = (uint32_t)(s->begins[at + UINT64_C(1)] - s->begins[at])};
}

/* Whether lanes take the query: no string has byte 255, and bytes identify symbols. */
static int fits_lanes(const akin_verifier *verifier, const akin_symbols *query)
{
    return verifier->lanes && !query->points && query->length > 0 && query->length <= LONGEST &&
           !memchr(query->bytes, 255, query->length);
}

static akin_status verify_singly(akin_verifier *verifier, const akin_ordered *s, const akin_symbols *query,
                                 const uint32_t *candidates, uint32_t count, uint32_t most, uint32_t *distances)
{
    if (!akin_pattern_set(&verifier->pattern, query))
        return AKIN_E_NOMEM;
    for (uint32_t i = 0; i < count; i++) {
        const akin_symbols text = string_at(s, candidates[i]);
        distances[i] = akin_levenshtein(&verifier->pattern, &text, most);
        if (verifier->pattern.stopped)
            return AKIN_E_CANCELLED;
    }
    return AKIN_OK;
}

/* Sorts candidates by length, those that lanes do not take last; how many they take. */
static uint32_t sort_candidates(const akin_ordered *s, uint32_t *candidates, uint32_t count)
{
    uint32_t begins[LONGEST + 2] = {0}, sorted[MOST] = {0}, lengths[MOST], longest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t length = string_at(s, candidates[i]).length;
        lengths[i] = length > 0 && length <= LONGEST ? length - 1 : LONGEST;
        longest = akin_max_u32(longest, lengths[i]);
        begins[lengths[i] + 1]++;
    }
    for (uint32_t i = 0; i < longest; i++)
        begins[i + 1] += begins[i];
    const uint32_t taken = longest == LONGEST ? begins[LONGEST] : count;
    for (uint32_t i = 0; i < count; i++)
        sorted[begins[lengths[i]]++] = candidates[i];
    memcpy(candidates, sorted, count * sizeof *candidates);
    return taken;
}

static void verify_in_lanes(akin_verifier *verifier, const akin_ordered *s, const akin_symbols *query,
                            const uint32_t *candidates, uint32_t count, uint32_t most, uint32_t *distances)
{
    uint64_t at[MOST + AKIN_LANES], end = 0;
    uint32_t lengths[MOST + AKIN_LANES], bounds[MOST + AKIN_LANES], found[MOST + AKIN_LANES];
    for (uint32_t i = 0; i < count + AKIN_LANES; i++) {
        bounds[i] = most;
        if (i >= count) {
            at[i] = at[count - 1];
            lengths[i] = lengths[count - 1];
            continue;
        }
        const akin_symbols text = string_at(s, candidates[i]);
        memcpy(verifier->texts + end, text.bytes, text.length);
        at[i] = end;
        lengths[i] = text.length;
        end += text.length;
    }
    const akin_lanes_job job = {.symbols = verifier->texts,
                                .at = at,
                                .lengths = lengths,
                                .count = count,
                                .pattern = query->bytes,
                                .length = query->length,
                                .bound = bounds};
    verifier->lanes->levenshtein(&job, found);
    memcpy(distances, found, count * sizeof *distances);
}

akin_status akin_verify(akin_verifier *verifier, const akin_ordered *ordered, const akin_symbols *query,
                        uint32_t *candidates, uint32_t count, uint32_t most, uint32_t *distances)
{
    const uint32_t taken = fits_lanes(verifier, query) ? sort_candidates(ordered, candidates, count) : 0;
    const int is_short = verifier->verify_short && query->length <= 64;
    if (taken > 0 && !(is_short && verifier->verify_short(ordered, query, candidates, taken, distances)))
        verify_in_lanes(verifier, ordered, query, candidates, taken, most, distances);
    if (taken == count)
        return AKIN_OK;
    return verify_singly(verifier, ordered, query, candidates + taken, count - taken, most, distances + taken);
}
