/*
 * Which way finds the best partners of sets for less. The cost of each is predicted for a sample of the probes, as if
 * no partner raised the threshold that all must reach:
 *
 *     counted    postings of all lists, and bitmaps, of each range; or postings of the rarest tokens, verified
 *     prefix     the postings of the prefix, verified
 *
 * A posting that is only counted costs 1. A sample of the sets shows in how many sets a token is. Their sizes are
 * assumed to be distributed as those of all sets.
 */
#include "base/bits.h"
#include "base/context.h"
#include "join/technique.h"
#include "join/top.h"

#define PROBES 512                 /* of the sample, about */
#define TOKENS ((uint64_t)1 << 17) /* of all sets of the sample, about */

typedef struct forecast {
    const akin_top *top;
    akin_join_job job;     /* what prefixes ask for */
    uint64_t *sets_of;     /* in how many sets each rank is, */
    uint64_t *prefixes_of; /* and in the prefix of how many */
    uint64_t listed;
    double counted, prefix; /* the costs, of all probes seen */
} forecast;

/* A probe of the sample. */
typedef struct probe {
    const uint32_t *tokens;
    uint32_t size;
} probe;

static void count_sets(forecast *f)
{
    const akin_ranked *sets = f->top->indexed;
    const uint32_t step = (uint32_t)(1 + akin_ranked_tokens(sets) / TOKENS);
    for (uint32_t set = step / 2; set < sets->count; set += step) {
        const uint32_t *tokens = sets->tokens + sets->offsets[set], size = akin_ranked_size(sets, set);
        const uint32_t length = akin_prefix_length(&f->job, size, AKIN_PREFIX_INDEXED);
        for (uint32_t i = 0; i < size; i++)
            f->sets_of[tokens[i]] += step;
        for (uint32_t i = 0; i < length; i++)
            f->prefixes_of[tokens[i]] += step;
    }
    f->listed = akin_overlaps_listed(f->sets_of, sets->universe, sets->count);
}

/* What a range costs that is counted, or met, whichever is less. */
static double weigh_range(const forecast *f, probe p, uint32_t first, uint32_t end)
{
    const akin_ranked *sets = f->top->indexed;
    const uint64_t need = akin_threshold_overlap(&f->top->least, p.size, akin_ranked_size(sets, first));
    const uint64_t some = (uint64_t)p.size + 1 - need;
    uint64_t postings = 0, met = 0;
    uint32_t listed = 0;
    if (need > p.size)
        return 0;
    for (; listed < p.size && p.tokens[listed] < f->listed; listed++) {
        postings += f->sets_of[p.tokens[listed]];
        met = listed < some ? postings : met;
    }
    const double share = (double)(end - first) / sets->count;
    const double swept = (double)(p.size - listed) * (end - first) / AKIN_TOP_SWEPT;
    const double counted = (double)postings * share + swept + (double)(end - first) / AKIN_TOP_FOUND;
    const double verified = (double)met * share * AKIN_TOP_VERIFIED;
    return some <= listed && verified < counted ? verified : counted;
}

static void weigh_counted(forecast *f, probe p, uint32_t first, uint32_t end)
{
    for (uint32_t at = first, next; at < end; at = next) {
        next = (uint32_t)akin_min_u64(end, (uint64_t)at - at % AKIN_OVERLAPS_RANGE + AKIN_OVERLAPS_RANGE);
        f->counted += weigh_range(f, p, at, next);
    }
}

static void weigh_prefix(forecast *f, probe p, uint32_t first, uint32_t end)
{
    const akin_ranked *sets = f->top->indexed;
    const double visit = AKIN_TOP_VERIFIED + (double)f->top->parity.stride / AKIN_TOP_WORDS;
    const uint32_t length = akin_prefix_length(&f->job, p.size, AKIN_PREFIX_PROBING);
    for (uint32_t i = 0; i < length; i++) {
        const uint64_t most = akin_threshold_largest_within(&f->top->least, p.size, p.size - i);
        const uint32_t stop = (uint32_t)akin_min_u64(end, akin_ranked_first(sets, most + 1));
        if (stop <= first)
            break;
        f->prefix += (double)f->prefixes_of[p.tokens[i]] * (stop - first) / sets->count * visit;
    }
}

static void weigh_probes(forecast *f)
{
    const akin_ranked *probes = f->top->probes, *sets = f->top->indexed;
    const akin_threshold *least = &f->top->least;
    const uint32_t step = 1 + probes->count / PROBES;
    for (uint32_t set = step / 2; set < probes->count; set += step) {
        const probe p = {probes->tokens + probes->offsets[set], akin_ranked_size(probes, set)};
        const uint32_t first = akin_ranked_first(sets, akin_threshold_smallest(least, p.size));
        const uint32_t end = akin_ranked_first(sets, akin_threshold_largest(least, p.size) + 1);
        weigh_counted(f, p, first, end);
        weigh_prefix(f, p, first, end);
    }
}

akin_status akin_top_choose(akin_top *top, akin_error *error)
{
    const akin_top_way *wished = akin_wishes_of(top->scope)->top_way;
    forecast f = {.top = top, .job = {.threshold = top->least}};
    akin_status status = AKIN_OK;
    f.sets_of = akin_alloc_zero(top->account, top->indexed->universe, sizeof *f.sets_of);
    f.prefixes_of = akin_alloc_zero(top->account, top->indexed->universe, sizeof *f.prefixes_of);
    if (f.sets_of && f.prefixes_of) {
        count_sets(&f);
        weigh_probes(&f);
        top->way = wished ? wished : f.prefix < f.counted ? &akin_top_prefix : &akin_top_counted;
    } else
        status = akin_fail_memory(error, "the search for partners");
    akin_free(f.sets_of);
    akin_free(f.prefixes_of);
    return status;
}
