/* Searches for the nearest records of a text. */
#include "dedupe/neighbour_search.h"

#include "base/bits.h"

#include <math.h>
#include <string.h>

#define NONE       UINT64_MAX
#define TILE_LEAST 4096
#define TILES_MOST 64         /* tiles grow with the texts, so that there are no more */
#define SEEDS_LIST 16         /* seeds of a list */
#define SEEDS_MORE 64         /* seeds beyond twice k */
#define SUM_BITS   30         /* of a sum, before it is rounded up */
#define REST_SHARE 0.5        /* of what a text has to reach */
#define BELOW      (1 - 1e-9) /* makes bounds safe from rounding */
#define AHEAD      4          /* candidates whose tokens are brought from memory */

typedef akin_neighbour_searcher searcher;

#ifdef NEAR_STATS
#include <stdio.h>
static uint64_t st_seeds, st_post, st_cand, st_verif, st_pass, st_q, st_tiles, st_tl;
static double st_bar0, st_bar1;
__attribute__((destructor)) static void st_print(void)
{
    double q = (double)st_q;
    fprintf(stderr,
            "q %.0f seeds %.1f tiles %.1f tile-lists %.1f postings %.1f candidates %.1f verified %.1f pass %.1f bar0 "
            "%.4f bar1 %.4f\n",
            q, st_seeds / q, st_tiles / q, st_tl / q, st_post / q, st_cand / q, st_verif / q, st_pass / q, st_bar0 / q,
            st_bar1 / q);
}
#define ST(x) x
#else
#define ST(x)
#endif

uint32_t akin_neighbour_tile(uint32_t texts)
{
    return akin_max_u32(TILE_LEAST, (uint32_t)akin_ceil_div(texts, TILES_MOST));
}

/* ------------------------------------------------------------------------------------------------------------- best */

static int is_worse(const void *user, uint64_t a, uint64_t b)
{
    const searcher *s = user;
    return s->scores[a] != s->scores[b] ? s->scores[a] < s->scores[b] : s->rows[a] > s->rows[b];
}

/* Offers a record. Returns whether it is held. */
static int offer(searcher *s, uint64_t score, uint32_t row)
{
    uint64_t out;
    s->scores[s->free] = score;
    s->rows[s->free] = row;
    if (!akin_heap_offer(&s->best, s->free, NONE, &out))
        return 0;
    s->free = out == NONE ? s->best.held : (uint32_t)out;
    return 1;
}

static void raise_bar(searcher *s)
{
    if (akin_heap_is_full(&s->best))
        s->bar = sqrt(ldexp((double)s->scores[s->best.keys[0]], -s->scale)) * BELOW;
}

/* The square of the cosine, in units of the searcher. It has at most 64 bits: `common` is at most either length. */
static uint64_t score_of(const searcher *s, uint64_t common, uint64_t length)
{
    return (uint64_t)(((akin_u128)common * common << s->scale) / length);
}

/* Compares a text to the end, and offers its records, unless that has been done. */
static void compare(searcher *s, uint32_t text)
{
    const akin_neighbour_texts *t = s->job->texts;
    uint64_t common = 0;
    if (s->met[text] == s->text + 1)
        return;
    s->met[text] = s->text + 1;
    ST(st_verif++);
    for (uint64_t i = t->offsets[text]; i < t->offsets[text + UINT64_C(1)]; i++)
        common += s->weights[t->ranks[i]];
    if ((double)common < s->bar * t->roots[text])
        return;
    const uint64_t score = score_of(s, common, t->lengths[text]);
    ST(st_pass++);
    const akin_neighbour_rows rows = akin_neighbour_rows_of(t, text, s->job->table);
    uint32_t held = 0;
    while (held < rows.count && offer(s, score, rows.rows[held]))
        held++;
    if (held > 0)
        raise_bar(s);
}

/* ------------------------------------------------------------------------------------------------------------ seeds */

/* Compares some texts of the heaviest tokens, those whose lengths are nearest. */
static void compare_seeds(searcher *s)
{
    const akin_neighbour_lists *lists = s->job->lists;
    uint64_t left = 2 * (uint64_t)s->best.k + SEEDS_MORE;
    for (uint32_t i = 0; i < s->count && left > 0; i++) {
        const uint32_t *list = lists->texts + lists->starts[s->of[i]];
        const uint64_t count = lists->starts[s->of[i] + UINT64_C(1)] - lists->starts[s->of[i]];
        const uint64_t own = akin_lower_bound_u32(list, count, s->text);
        const uint64_t first = own > SEEDS_LIST / 2 ? own - SEEDS_LIST / 2 : 0;
        const uint64_t end = akin_min_u64(first + akin_min_u64(SEEDS_LIST, left), count);
        for (uint64_t at = first; at < end; at++)
            compare(s, list[at]);
        left -= end - first;
        ST(st_seeds += end - first);
    }
}

/* ------------------------------------------------------------------------------------------------------------ tiles */

/* A tile, and the tokens whose lists it takes. */
typedef struct tile {
    uint32_t first, end;
    uint32_t lists;
    uint32_t least; /* the sum of a candidate */
} tile;

/* Adds the texts of a list that are in the tile. */
static uint32_t add_list(searcher *s, const tile *tile, uint32_t token, uint32_t found)
{
    const akin_neighbour_lists *lists = s->job->lists;
    const uint32_t *texts = lists->texts, least = tile->least, first = tile->first, end = tile->end;
    const uint64_t last = lists->starts[s->of[token] + UINT64_C(1)];
    const uint32_t square = s->weights[s->of[token]];
    const uint32_t weight = (uint32_t)((square + (UINT64_C(1) << s->shift) - 1) >> s->shift);
    uint64_t at = s->cursors[token];
    uint32_t *sums = s->sums;
    for (; at < last && texts[at] < end; at++) {
        const uint32_t text = texts[at] - first, sum = sums[text] + weight;
        sums[text] = sum;
        s->found[found] = text;
        found += sum >= least && sum - weight < least;
    }
    ST(st_post += at - s->cursors[token]);
    s->cursors[token] = at;
    return found;
}

/* Compares the candidates of a tile whose sums reach the bar, which rises. */
static void compare_found(searcher *s, const tile *tile, uint32_t found)
{
    const akin_neighbour_texts *t = s->job->texts;
    const double rest = (double)s->rests[tile->lists];
    for (uint32_t i = 0; i < found; i++) {
        const uint32_t text = tile->first + s->found[i];
        const double sum = ldexp((double)s->sums[s->found[i]], s->shift);
        if (sum + rest >= s->bar * t->roots[text])
            compare(s, text);
    }
}

static void search_tile(searcher *s, tile *tile)
{
    const double least = s->bar * s->job->texts->roots[tile->first];
    uint32_t found = 0;
    while (tile->lists > 0 && (double)s->rests[tile->lists - 1] <= least * REST_SHARE)
        tile->lists--;
    const double sum = ldexp(least - (double)s->rests[tile->lists], -s->shift);
    tile->least = sum > 1 ? (uint32_t)sum : 1;
    ST(st_tiles++);
    ST(st_tl += tile->lists);
    for (uint32_t i = 0; i < tile->lists; i++)
        found = add_list(s, tile, i, found);
    ST(st_cand += found);
    compare_found(s, tile, found);
    memset(s->sums, 0, (tile->end - tile->first) * sizeof *s->sums);
}

/* The first text that is long enough. */
static uint32_t first_text(const searcher *s)
{
    const double *roots = s->job->texts->roots;
    uint32_t low = 0, high = s->text;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (roots[middle] < s->bar)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void search_tiles(searcher *s)
{
    const akin_neighbour_texts *t = s->job->texts;
    const akin_neighbour_lists *lists = s->job->lists;
    const uint32_t size = s->job->tile;
    tile tile = {.first = first_text(s) / size * size, .lists = s->count};
    for (uint32_t i = 0; i < s->count; i++) {
        const uint64_t begin = lists->starts[s->of[i]];
        const uint64_t count = lists->starts[s->of[i] + UINT64_C(1)] - begin;
        s->cursors[i] = begin + (tile.first ? akin_lower_bound_u32(lists->texts + begin, count, tile.first) : 0);
    }
    while (tile.first < t->count && s->bar * t->roots[tile.first] <= (double)s->length) {
        tile.end = tile.first + (uint32_t)akin_min_u64(size, t->count - tile.first);
        search_tile(s, &tile);
        tile.first = tile.end;
    }
}

void akin_neighbour_search(akin_neighbour_searcher *searcher, uint32_t text)
{
    const akin_neighbour_texts *t = searcher->job->texts;
    akin_neighbour_searcher *s = searcher;
    s->text = text;
    s->length = t->lengths[text];
    s->of = t->ranks + t->offsets[text];
    s->count = (uint32_t)(t->offsets[text + UINT64_C(1)] - t->offsets[text]);
    s->scale = 64 - (int)akin_bits_of(s->length);
    s->shift = akin_bits_of(s->length) > SUM_BITS ? (int)akin_bits_of(s->length) - SUM_BITS : 0;
    s->best.held = s->free = 0;
    s->bar = 0;
    s->rests[s->count] = 0;
    for (uint32_t i = s->count; i-- > 0;) {
        s->weights[s->of[i]] = t->squares[s->of[i]];
        s->rests[i] = s->rests[i + 1] + s->weights[s->of[i]];
    }
    compare_seeds(s);
    ST(st_q++);
    ST(st_bar0 += s->bar / sqrt(s->length));
    search_tiles(s);
    ST(st_bar1 += s->bar / sqrt(s->length));
    for (uint32_t i = 0; i < s->count; i++)
        s->weights[s->of[i]] = 0;
}

/* --------------------------------------------------------------------------------------------------------- searcher */

int akin_neighbour_searcher_make(const akin_neighbour_job *job, akin_account *account, akin_neighbour_searcher *out)
{
    const akin_neighbour_texts *t = job->texts;
    searcher *s = out;
    *s = (searcher){.job = job, .best = {.k = job->k, .is_worse = is_worse, .user = s}};
    s->rests = akin_alloc(account, t->most + 1, sizeof *s->rests);
    s->cursors = akin_alloc(account, t->most, sizeof *s->cursors);
    s->weights = akin_alloc_zero(account, t->tokens, sizeof *s->weights);
    s->sums = akin_alloc_zero(account, job->tile, sizeof *s->sums);
    s->found = akin_alloc(account, job->tile + UINT64_C(1), sizeof *s->found);
    s->met = akin_alloc_zero(account, t->count, sizeof *s->met);
    s->best.keys = akin_alloc(account, job->k, sizeof *s->best.keys);
    s->scores = akin_alloc(account, job->k + UINT64_C(1), sizeof *s->scores);
    s->rows = akin_alloc(account, job->k + UINT64_C(1), sizeof *s->rows);
    return s->rests && s->cursors && s->weights && s->sums && s->found && s->met && s->best.keys && s->scores &&
           s->rows;
}

void akin_neighbour_searcher_clear(akin_neighbour_searcher *searcher)
{
    akin_free(searcher->rests);
    akin_free(searcher->cursors);
    akin_free(searcher->weights);
    akin_free(searcher->sums);
    akin_free(searcher->found);
    akin_free(searcher->met);
    akin_free(searcher->best.keys);
    akin_free(searcher->scores);
    akin_free(searcher->rows);
    *searcher = (akin_neighbour_searcher){0};
}
