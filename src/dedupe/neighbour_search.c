/* Searches for the nearest records of texts. */
#include "dedupe/neighbour_search.h"

#include "base/bits.h"

#include <math.h>
#include <string.h>

#define NONE       UINT64_MAX
#define STEP       32         /* texts of a tile that are looked at together */
#define TILE_LEAST 4096       /* a multiple of it */
#define TILES_MOST 64         /* tiles grow with the texts, so that there are no more */
#define SEEDS_LIST 16         /* seeds of a list */
#define SEEDS_MORE 16         /* seeds beyond twice k */
#define SUM_BITS   29         /* of a sum, before squares are rounded up */
#define REST_SHARE 0.5        /* of what a text has to reach, that lists which are left out may come to */
#define AHEAD      4          /* candidates whose tokens are brought from memory */
#define BELOW      (1 - 1e-9) /* makes bounds safe from rounding */

typedef akin_neighbour_searcher searcher;
typedef akin_neighbour_query query;

/* ------------------------------------------------------------------------------------------------------------- best */

static int is_worse(const void *user, uint64_t a, uint64_t b)
{
    const query *q = user;
    return q->scores[a] != q->scores[b] ? q->scores[a] < q->scores[b] : q->rows[a] > q->rows[b];
}

/* Offers a record. Returns whether it is held. */
static int offer(query *q, uint64_t score, uint32_t row)
{
    uint64_t out;
    q->scores[q->free] = score;
    q->rows[q->free] = row;
    if (!akin_heap_offer(&q->best, q->free, NONE, &out))
        return 0;
    q->free = out == NONE ? q->best.held : (uint32_t)out;
    return 1;
}

static void clear_best(query *q)
{
    q->best.held = q->free = 0;
}

static void raise_bar(query *q)
{
    const double bar =
        akin_heap_is_full(&q->best) ? sqrt(ldexp((double)q->scores[q->best.keys[0]], -q->scale)) * BELOW : 0;
    q->bar = bar > q->bar ? bar : q->bar;
}

/* The square of the cosine, in units of the query. It has at most 64 bits: `common` is at most either length. */
static uint64_t score_of(const query *q, uint64_t common, uint64_t length)
{
    return (uint64_t)(((akin_u128)common * common << q->scale) / length);
}

/* Brings the tokens of a text from memory. */
static void expect(const searcher *s, uint32_t text)
{
    const akin_neighbour_texts *t = s->job->texts;
    const char *ranks = (const char *)(t->ranks + t->offsets[text]);
    __builtin_prefetch(ranks);
    __builtin_prefetch(ranks + 64);
    __builtin_prefetch(ranks + 128);
    __builtin_prefetch(ranks + 192);
}

/* Compares a text to the end, and offers its records. */
static void compare(const searcher *s, query *q, uint32_t text)
{
    const akin_neighbour_texts *t = s->job->texts;
    uint64_t common = 0;
    for (uint64_t i = t->offsets[text]; i < t->offsets[text + UINT64_C(1)]; i++)
        common += s->weights[t->ranks[i]];
    if ((double)common < q->bar * t->roots[text])
        return;
    const uint64_t score = score_of(q, common, t->lengths[text]);
    const akin_neighbour_rows rows = akin_neighbour_rows_of(t, text, s->job->table);
    uint32_t held = 0;
    while (held < rows.count && offer(q, score, rows.rows[held]))
        held++;
    if (held > 0)
        raise_bar(q);
}

/* Sets the weights of the query's tokens, or clears them. */
static void set_weights(const searcher *s, const query *q, int is_set)
{
    for (uint32_t i = 0; i < q->count; i++)
        s->weights[q->of[i]] = is_set ? s->job->texts->squares[q->of[i]] : 0;
}

/* ------------------------------------------------------------------------------------------------------------ seeds */

/* Compares texts of a list, unless they are seeds already. */
static void compare_some(const searcher *s, query *q, const uint32_t *texts, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        expect(s, texts[i]);
    for (uint64_t i = 0; i < count; i++) {
        if (s->met[texts[i]] != q->text + 1)
            compare(s, q, texts[i]);
        s->met[texts[i]] = q->text + 1;
    }
}

/* Finds a first bar: compares some texts of the heaviest tokens, those whose lengths are nearest. */
static void compare_seeds(const searcher *s, query *q)
{
    const akin_neighbour_lists *lists = s->job->lists;
    uint64_t left = 2 * (uint64_t)q->best.k + SEEDS_MORE;
    for (uint32_t i = 0; i < q->count && left > 0; i++) {
        const uint32_t *list = lists->texts + lists->starts[q->of[i]];
        const uint64_t count = lists->starts[q->of[i] + UINT64_C(1)] - lists->starts[q->of[i]];
        const uint64_t own = akin_lower_bound_u32(list, count, q->text);
        const uint64_t first = own > SEEDS_LIST / 2 ? own - SEEDS_LIST / 2 : 0;
        const uint64_t seeds = akin_min_u64(akin_min_u64(SEEDS_LIST, left), count - first);
        compare_some(s, q, list + first, seeds);
        left -= seeds;
    }
    clear_best(q); /* the tiles have these texts, too */
}

/* ---------------------------------------------------------------------------------------------------------- queries */

/* The first text whose root is at least the bar; all are that long from the query's own on. */
static uint32_t first_text(const searcher *s, const query *q)
{
    const double *roots = s->job->texts->roots;
    uint32_t low = 0, high = q->text;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (roots[middle] < q->bar)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sets the cursors to where the tiles begin. */
static void set_cursors(const searcher *s, query *q)
{
    const akin_neighbour_lists *lists = s->job->lists;
    q->first = first_text(s, q) / s->job->tile * s->job->tile;
    for (uint32_t i = 0; i < q->count; i++) {
        const uint64_t begin = lists->starts[q->of[i]], count = lists->starts[q->of[i] + UINT64_C(1)] - begin;
        q->cursors[i] = begin + (q->first > 0 ? akin_lower_bound_u32(lists->texts + begin, count, q->first) : 0);
    }
}

/* Begins a query, whose arrays are there. */
static void begin_query(const searcher *s, query *q, uint32_t text)
{
    const akin_neighbour_texts *t = s->job->texts;
    q->text = text;
    q->length = t->lengths[text];
    q->of = t->ranks + t->offsets[text];
    q->count = q->lists = (uint32_t)(t->offsets[text + UINT64_C(1)] - t->offsets[text]);
    q->scale = 64 - (int)akin_bits_of(q->length);
    q->shift = akin_bits_of(q->length) > SUM_BITS ? (int)akin_bits_of(q->length) - SUM_BITS : 0;
    q->unit = (double)(UINT64_C(1) << q->shift);
    q->bar = 0;
    q->rests[q->count] = 0;
    for (uint32_t i = q->count; i-- > 0;)
        q->rests[i] = q->rests[i + 1] + t->squares[q->of[i]];
    clear_best(q);
    q->first = t->count;
    if (akin_neighbour_rows_of(t, text, s->job->asking).count == 0)
        return;
    set_weights(s, q, 1);
    compare_seeds(s, q);
    set_weights(s, q, 0);
    set_cursors(s, q);
}

/* ------------------------------------------------------------------------------------------------------------ tiles */

/* Adds the texts of a list that are in the tile. */
static void add_list(const searcher *s, query *q, uint32_t token, uint32_t first, uint32_t below)
{
    const akin_neighbour_lists *lists = s->job->lists;
    const uint32_t *const end = lists->texts + lists->starts[q->of[token] + UINT64_C(1)];
    const uint32_t *at = lists->texts + q->cursors[token];
    const uint64_t unit = UINT64_C(1) << q->shift;
    const int32_t weight = (int32_t)((s->job->texts->squares[q->of[token]] + unit - 1) >> q->shift);
    int32_t *restrict sums = s->sums;
    for (; end - at >= 4 && at[3] < below; at += 4) {
        sums[at[0] - first] += weight;
        sums[at[1] - first] += weight;
        sums[at[2] - first] += weight;
        sums[at[3] - first] += weight;
    }
    for (; at < end && *at < below; at++)
        sums[*at - first] += weight;
    q->cursors[token] = (uint64_t)(at - lists->texts);
}

/* Finds the texts of a tile whose sums are at least that, which is above 0. */
static uint32_t find_candidates(const searcher *s, int32_t least)
{
    uint32_t found = 0;
    for (uint32_t begin = 0; begin < s->job->tile; begin += STEP) {
        const int32_t *sums = s->sums + begin;
        int32_t is_any = 0;
        for (uint32_t i = 0; i < STEP; i++)
            is_any |= sums[i] >= least;
        for (uint32_t i = 0; i < STEP && is_any; i++) {
            s->found[found] = begin + i;
            found += sums[i] >= least;
        }
    }
    return found;
}

/* Compares the candidates of a tile whose sums reach the bar, which rises. */
static void compare_found(const searcher *s, query *q, uint32_t first, uint32_t found)
{
    const double *roots = s->job->texts->roots + first;
    const double rest = (double)q->rests[q->lists];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < found; i++) {
        const uint32_t text = s->found[i];
        s->found[kept] = text;
        kept += s->sums[text] * q->unit + rest >= q->bar * roots[text];
    }
    for (uint32_t i = 0; i < kept; i++) {
        const uint32_t text = s->found[i];
        if (kept - i > AHEAD)
            expect(s, first + s->found[i + AHEAD]);
        if (s->sums[text] * q->unit + rest >= q->bar * roots[text])
            compare(s, q, first + text);
    }
}

/* Searches the tile of the texts from `first` to `below` - 1. */
static void search_tile(const searcher *s, query *q, uint32_t first, uint32_t below)
{
    const double least = q->bar * s->job->texts->roots[first];
    while (q->lists > 0 && (double)q->rests[q->lists - 1] <= least * REST_SHARE)
        q->lists--;
    const double sum = (least - (double)q->rests[q->lists]) / q->unit;
    for (uint32_t i = 0; i < q->lists; i++)
        add_list(s, q, i, first, below);
    const uint32_t found = find_candidates(s, sum > 1 ? (int32_t)sum : 1);
    if (found > 0) {
        set_weights(s, q, 1);
        compare_found(s, q, first, found);
        set_weights(s, q, 0);
    }
    memset(s->sums, 0, s->job->tile * sizeof *s->sums);
}

/* Searches a tile for the first queries. */
static void search_tiles(searcher *s, uint32_t count, uint32_t first, uint32_t below)
{
    const double root = s->job->texts->roots[first];
    for (uint32_t i = 0; i < count; i++)
        if (first >= s->queries[i].first && s->queries[i].bar * root <= (double)s->queries[i].length)
            search_tile(s, &s->queries[i], first, below);
}

int akin_neighbour_search(akin_neighbour_searcher *searcher, uint32_t first, uint32_t end,
                          akin_cancellation *cancellation)
{
    const akin_neighbour_texts *t = searcher->job->texts;
    uint64_t *rests = searcher->numbers, *cursors = rests + searcher->job->tokens + AKIN_NEIGHBOUR_BATCH;
    for (uint32_t i = 0; i < end - first; i++) {
        const uint64_t tokens = t->offsets[first + i] - t->offsets[first];
        searcher->queries[i].rests = rests + tokens + i;
        searcher->queries[i].cursors = cursors + tokens;
        begin_query(searcher, &searcher->queries[i], first + i);
    }
    for (uint32_t tile = 0, below; tile < t->count; tile = below) {
        below = tile + (uint32_t)akin_min_u64(searcher->job->tile, t->count - tile);
        if (!akin_goes_on(cancellation))
            return 0;
        search_tiles(searcher, end - first, tile, below);
    }
    return 1;
}

/* --------------------------------------------------------------------------------------------------------- searcher */

void akin_neighbour_job_begin(akin_neighbour_job *job)
{
    const akin_neighbour_texts *t = job->texts;
    const uint64_t steps = akin_ceil_div(t->count, (uint64_t)TILES_MOST * STEP);
    job->tile = akin_max_u32(TILE_LEAST, (uint32_t)steps * STEP);
    job->tokens = 0;
    for (uint64_t first = 0; first < t->count; first += AKIN_NEIGHBOUR_BATCH) {
        const uint64_t end = akin_min_u64(first + AKIN_NEIGHBOUR_BATCH, t->count);
        job->tokens = akin_max_u64(job->tokens, t->offsets[end] - t->offsets[first]);
    }
}

int akin_neighbour_searcher_make(const akin_neighbour_job *job, akin_account *account, akin_neighbour_searcher *out)
{
    const akin_neighbour_texts *t = job->texts;
    const uint64_t slots = job->k + UINT64_C(1), queries = AKIN_NEIGHBOUR_BATCH;
    searcher *s = out;
    *s = (searcher){.job = job};
    s->weights = akin_alloc_zero(account, t->tokens, sizeof *s->weights);
    s->sums = akin_alloc_zero(account, job->tile, sizeof *s->sums);
    s->found = akin_alloc(account, job->tile + UINT64_C(1), sizeof *s->found);
    s->met = akin_alloc_zero(account, t->count, sizeof *s->met);
    s->numbers = akin_alloc(account, 2 * job->tokens + queries * (1 + 2 * slots), sizeof *s->numbers);
    s->rows = akin_alloc(account, queries * slots, sizeof *s->rows);
    if (!s->weights || !s->sums || !s->found || !s->met || !s->numbers || !s->rows)
        return 0;
    uint64_t *keys = s->numbers + 2 * job->tokens + queries, *scores = keys + queries * slots;
    for (uint64_t i = 0; i < queries; i++) {
        query *q = &s->queries[i];
        q->best = (akin_heap){.keys = keys + i * slots, .k = job->k, .is_worse = is_worse, .user = q};
        q->scores = scores + i * slots;
        q->rows = s->rows + i * slots;
    }
    return 1;
}

void akin_neighbour_searcher_clear(akin_neighbour_searcher *searcher)
{
    akin_free(searcher->weights);
    akin_free(searcher->sums);
    akin_free(searcher->found);
    akin_free(searcher->met);
    akin_free(searcher->numbers);
    akin_free(searcher->rows);
    *searcher = (akin_neighbour_searcher){0};
}
