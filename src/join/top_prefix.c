/*
 * The best partners of a set by a prefix index: it meets only sets that share a rare token with it, and a threshold
 * rises while partners are found.
 *
 *     tokens of a probe    | rarest | next | ... | most frequent |
 *     their lists          sets that have it in their prefix, by size: only sizes that can be partners are read
 *
 * A set that is met first in list i has the token at place j. It shares no token before these places, so it shares at
 * most the tokens that either set has from there on. The sets that pass this bound and that of the signatures are
 * counted. The search ends at the list from which on no set can share enough (Xiao, Wang, Lin, Shang: Top-k set
 * similarity joins, ICDE 2009, for one probe at a time).
 */
#include "base/bits.h"
#include "join/marks.h"
#include "join/technique.h"
#include "join/top.h"

static akin_status build_top_prefix(akin_top *top, akin_error *error)
{
    const akin_prefix_groups each = {NULL, top->indexed->count};
    const akin_join_job job = {.scope = top->scope, .account = top->account, .threshold = top->least};
    return akin_prefix_build(&job, top->indexed, AKIN_PREFIX_INDEXED, &each, 1, &top->index, error);
}

static void clear_top_prefix(akin_top *top)
{
    akin_prefix_clear(&top->index);
}

static int begin_top_prefix(const akin_top *top, akin_top_prober *prober)
{
    prober->seen = akin_alloc_zero(top->account, top->indexed->count, sizeof *prober->seen);
    return prober->seen != NULL;
}

static void end_top_prefix(akin_top_prober *prober)
{
    akin_free(prober->seen);
    prober->seen = NULL;
}

/* The sizes that a further partner can have, by the bar as it was when they were found. */
typedef struct sizes {
    int are_known;
    akin_measure_rule bar;
    uint64_t least, most;
    uint32_t first; /* the first set of such a size */
    uint64_t need;  /* no partner shares less */
} sizes;

static void find_sizes(const akin_top_probe *p, sizes *s)
{
    const akin_measure_rule bar = p->bar.rule;
    if (s->are_known && s->bar.form == bar.form && s->bar.have == bar.have && s->bar.want == bar.want)
        return;
    *s = (sizes){.are_known = 1,
                 .bar = bar,
                 .least = akin_threshold_smallest(&p->bar, p->size),
                 .most = akin_threshold_largest(&p->bar, p->size)};
    s->first = akin_ranked_first(p->all->indexed, s->least);
    s->need = s->least > s->most ? UINT64_MAX : akin_top_need(p, s->least);
}

/* Verifies a set that has the first token of those it shares at place j. */
static inline __attribute__((always_inline)) void verify(akin_top_probe *p, uint32_t i, uint32_t set, uint32_t size,
                                                         uint32_t j, int fast)
{
    const akin_ranked *indexed = p->all->indexed;
    const uint32_t apart = akin_top_apart(p, set, fast);
    const uint64_t most = akin_min_u64(akin_min_u64(p->size - i, size - j), ((uint64_t)p->size + size - apart) / 2);
    const uint32_t *tokens = indexed->tokens + indexed->offsets[set] + j;
    if (!akin_top_is_out(p, most, size, set))
        akin_top_offer(p, set, size, akin_count_marked(p->worker->marks, tokens, size - j, akin_top_need(p, size)));
}

/* Meets the sets of list i. A set skipped for too few tokens left has even fewer in later lists. */
static inline __attribute__((always_inline)) void meet(akin_top_probe *p, uint32_t i, const sizes *s, int fast)
{
    const akin_ranked *indexed = p->all->indexed;
    const akin_prefix_index *index = &p->all->index;
    akin_top_prober *w = p->worker;
    uint64_t at = index->start[p->tokens[i]], need = 0;
    const uint64_t end = index->start[p->tokens[i] + (uint64_t)1];
    at += akin_lower_bound_u32(index->entry + at, end - at, s->first);
    akin_top_set_marks(p);
    for (uint32_t size = 0; at < end; at++) {
        const uint32_t set = index->entry[at], j = index->position[at], known = size;
        size = akin_ranked_size(indexed, set);
        if (size != known && (size > s->most || (need = akin_top_need(p, size)) > p->size - i))
            break; /* larger sets need no less */
        if (need > size - j || w->seen[set] == w->probes)
            continue;
        w->seen[set] = w->probes;
        verify(p, i, set, size, j, fast);
    }
}

static void meet_plainly(akin_top_probe *p, uint32_t i, const sizes *s)
{
    meet(p, i, s, 0);
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static void meet_fast(akin_top_probe *p, uint32_t i, const sizes *s)
{
    meet(p, i, s, 1);
}
#endif

static void search_top_prefix(akin_top_probe *p)
{
    static void (*const by_level[])(akin_top_probe *, uint32_t, const sizes *) =
        AKIN_CPU_ROW(meet_plainly, meet_plainly, meet_fast, meet_fast);
    void (*const meet_by_level)(akin_top_probe *, uint32_t, const sizes *) = by_level[p->all->scope->cpu];
    sizes s = {.bar = {0}};
    p->worker->probes++;
    for (uint32_t i = 0; i < p->size; i++) {
        find_sizes(p, &s);
        if (s.need > p->size - i)
            break;
        meet_by_level(p, i, &s);
    }
}

const akin_top_way akin_top_prefix = {build_top_prefix, clear_top_prefix, begin_top_prefix, end_top_prefix,
                                      search_top_prefix};
