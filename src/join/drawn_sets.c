/* Draws sets by the lengths of their prefixes. */
#include "join/drawn_sets.h"

#include "base/bits.h"
#include "base/random.h"

/* How much likelier than the average set one of a class is drawn. */
static double class_weight(const akin_ranked *ranked, uint32_t c, const uint32_t *lengths, double postings)
{
    return 0.5 + 0.5 * lengths[c] * ranked->count / (postings > 0 ? postings : 1);
}

akin_status akin_drawn_sets_make(const akin_join_job *job, const akin_ranked *ranked, akin_prefix_side side,
                                 uint64_t seed, uint32_t count, akin_drawn_sets *out)
{
    uint32_t *lengths = akin_alloc(job->account, ranked->classes, sizeof *lengths);
    akin_random random;
    double postings = 0, begin = 0, part = (double)ranked->count / count;
    *out = (akin_drawn_sets){akin_alloc(job->account, count, sizeof *out->set),
                             akin_alloc(job->account, count, sizeof *out->counts), 0, part};
    if (!lengths || !out->set || !out->counts) {
        akin_free(lengths);
        return AKIN_E_NOMEM;
    }
    for (uint32_t c = 0; c < ranked->classes; c++) {
        lengths[c] = akin_prefix_length(job, ranked->class_size[c], side);
        postings += (double)lengths[c] * (ranked->class_first[c + 1] - ranked->class_first[c]);
    }
    akin_random_seed(&random, seed);
    double point = akin_random_unit(&random) * part;
    for (uint32_t c = 0, k = 0; c < ranked->classes; c++) {
        const uint32_t first = ranked->class_first[c], sets = ranked->class_first[c + 1] - first;
        const double weight = class_weight(ranked, c, lengths, postings);
        for (uint32_t last = UINT32_MAX; k < count && point < begin + weight * sets;) {
            const uint32_t at = akin_min_u32((uint32_t)((point - begin) / weight), sets - 1);
            if (at != last) {
                out->set[out->count] = first + at;
                out->counts[out->count++] = weight < part ? 1 / weight : 1 / part;
            }
            last = at;
            k++;
            point = (k + akin_random_unit(&random)) * part;
        }
        begin += weight * sets;
    }
    akin_free(lengths);
    return AKIN_OK;
}

void akin_drawn_sets_clear(akin_drawn_sets *drawn)
{
    akin_free(drawn->set);
    akin_free(drawn->counts);
}
