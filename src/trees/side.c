/* Makes a side of a join of trees. */
#include "trees/side.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort_parallel.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#define TASK 256 /* trees that a thread takes at once */

typedef struct making {
    const akin_scope *scope;
    const akin_tree_ranks *ranks;
    akin_tree_side *side;
    uint8_t *buckets; /* the side's */
} making;

static akin_status fail_side(akin_error *error)
{
    return akin_fail_memory(error, "a join of trees");
}

/* ------------------------------------------------------------------------------------------------------------ ranks */

/* Counts the nodes of labels, above the labels in keys. */
static void count_labels(const akin_tree_collection *const trees[], uint32_t sides, uint32_t labels, uint64_t *keys)
{
    for (uint32_t i = 0; i < labels; i++)
        keys[i] = i;
    for (uint32_t s = 0; s < sides; s++)
        for (uint32_t row = 0; row < trees[s]->rows; row++) {
            const akin_tree *tree = &trees[s]->trees[row];
            for (uint32_t i = 0; i < tree->nodes; i++)
                keys[tree->label[i]] += UINT64_C(1) << 32;
        }
}

akin_status akin_tree_ranks_make(const akin_scope *scope, akin_account *account, uint32_t labels,
                                 const akin_tree_collection *const trees[], uint32_t sides, akin_tree_ranks *out,
                                 akin_error *error)
{
    *out = (akin_tree_ranks){.count = labels};
    uint64_t *keys = akin_alloc(account, labels, sizeof *keys);
    out->rank = akin_alloc(account, labels, sizeof *out->rank);
    if (!keys || !out->rank) {
        akin_free(keys);
        return fail_side(error);
    }
    count_labels(trees, sides, labels, keys);
    const akin_status status = akin_sort_parallel_u64(scope, account, keys, labels);
    for (uint32_t i = 0; i < labels; i++)
        out->rank[(uint32_t)keys[i]] = i;
    akin_free(keys);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "a join of trees");
}

void akin_tree_ranks_shift(akin_tree_ranks *ranks)
{
    for (uint32_t i = 0; i < ranks->count; i++)
        ranks->rank[i]++;
    ranks->count++;
}

/* ------------------------------------------------------------------------------------------------------------ trees */

static akin_status sort_trees(const making *m, akin_account *account, akin_error *error)
{
    akin_tree_side *side = m->side;
    const uint32_t rows = side->trees.rows;
    uint64_t *keys = akin_alloc(account, rows, sizeof *keys);
    uint32_t *sorted = akin_alloc(account, rows, sizeof *sorted);
    side->rows = sorted;
    if (!keys || !sorted) {
        akin_free(keys);
        return fail_side(error);
    }
    for (uint32_t row = 0; row < rows; row++)
        if (side->trees.trees[row].nodes > 0)
            keys[side->count++] = (uint64_t)side->trees.trees[row].nodes << 32 | row;
    const akin_status status = akin_sort_parallel_u64(m->scope, account, keys, side->count);
    for (uint32_t p = 0; p < side->count; p++)
        sorted[p] = (uint32_t)keys[p];
    akin_free(keys);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "a join of trees");
}

/* Frequent labels, which most nodes have, have buckets of their own. */
static void fill_buckets(const making *m, uint32_t place)
{
    const akin_tree *tree = akin_tree_at(m->side, place);
    uint8_t *buckets = m->buckets + (uint64_t)place * AKIN_TREE_BUCKETS;
    memset(buckets, 0, AKIN_TREE_BUCKETS * sizeof *buckets);
    for (uint32_t i = 0; i < tree->nodes; i++) {
        const uint32_t bucket = (m->ranks->count - 1 - m->ranks->rank[tree->label[i]]) % AKIN_TREE_BUCKETS;
        buckets[bucket] = (uint8_t)(buckets[bucket] + (buckets[bucket] < UINT8_MAX));
    }
}

/* The nodes of the rarest labels: each takes its place among those that are kept, the rarest first. */
static void find_marks(const making *m, uint32_t place)
{
    const akin_tree *tree = akin_tree_at(m->side, place);
    akin_tree_mark *marks = m->side->marks + m->side->marks_begin[place];
    const uint64_t room = m->side->marks_begin[place + UINT64_C(1)] - m->side->marks_begin[place];
    uint64_t count = 0;
    for (uint32_t i = 0; i < tree->nodes && room > 0; i++) {
        const uint32_t rank = m->ranks->rank[tree->label[i]];
        if (count == room && rank >= marks[count - 1].rank)
            continue;
        uint64_t low = 0, high = count;
        while (low < high) { /* behind those that are as rare: they come before in postorder */
            const uint64_t middle = low + (high - low) / 2;
            if (marks[middle].rank <= rank)
                low = middle + 1;
            else
                high = middle;
        }
        count += count < room;
        memmove(marks + low + 1, marks + low, (count - low - 1) * sizeof *marks);
        marks[low] = (akin_tree_mark){rank, i + 1 - tree->size[i], tree->size[i], tree->depth[i]};
    }
}

static akin_status fill_trees(void *argument, uint64_t task, uint32_t thread)
{
    const making *m = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, m->side->count);
    (void)thread;
    for (uint64_t place = task * TASK; place < end; place++) {
        fill_buckets(m, (uint32_t)place);
        find_marks(m, (uint32_t)place);
    }
    return AKIN_OK;
}

akin_status akin_tree_side_make(const akin_scope *scope, akin_account *account, const akin_tree_ranks *ranks,
                                uint32_t marks, akin_tree_side *side, akin_error *error)
{
    making m = {scope, ranks, side, NULL};
    akin_status status = sort_trees(&m, account, error);
    if (status != AKIN_OK)
        return status;
    side->buckets = m.buckets = akin_alloc(account, side->count, AKIN_TREE_BUCKETS * sizeof *side->buckets);
    side->marks_begin = akin_alloc(account, side->count + UINT64_C(1), sizeof *side->marks_begin);
    if (!side->buckets || !side->marks_begin)
        return fail_side(error);
    side->marks_begin[0] = 0;
    for (uint64_t p = 0; p < side->count; p++)
        side->marks_begin[p + 1] = side->marks_begin[p] + akin_min_u64(akin_tree_at(side, (uint32_t)p)->nodes, marks);
    side->marks = akin_alloc(account, side->marks_begin[side->count], sizeof *side->marks);
    if (!side->marks)
        return fail_side(error);
    status = akin_parallel(scope, "filtering trees", akin_ceil_div(side->count, TASK), fill_trees, &m);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "a join of trees");
}

#if defined(__x86_64__)
uint32_t akin_tree_labels_apart(const uint8_t *a, const uint8_t *b)
{
    __m128i more = _mm_setzero_si128(), less = _mm_setzero_si128(); /* two sums each */
    for (int i = 0; i < AKIN_TREE_BUCKETS; i += 16) {
        const __m128i x = _mm_load_si128((const __m128i *)(const void *)(a + i)),
                      y = _mm_load_si128((const __m128i *)(const void *)(b + i));
        more = _mm_add_epi64(more, _mm_sad_epu8(_mm_subs_epu8(x, y), _mm_setzero_si128()));
        less = _mm_add_epi64(less, _mm_sad_epu8(_mm_subs_epu8(y, x), _mm_setzero_si128()));
    }
    const int most = _mm_cvtsi128_si32(_mm_add_epi64(more, _mm_unpackhi_epi64(more, more))),
              least = _mm_cvtsi128_si32(_mm_add_epi64(less, _mm_unpackhi_epi64(less, less)));
    return (uint32_t)(most > least ? most : least);
}
#else
uint32_t akin_tree_labels_apart(const uint8_t *a, const uint8_t *b)
{
    uint32_t more = 0, less = 0;
    for (int i = 0; i < AKIN_TREE_BUCKETS; i++) {
        more += a[i] > b[i] ? (uint32_t)(a[i] - b[i]) : 0;
        less += b[i] > a[i] ? (uint32_t)(b[i] - a[i]) : 0;
    }
    return akin_max_u32(more, less);
}
#endif

uint32_t akin_tree_side_find(const akin_tree_side *side, uint64_t nodes)
{
    uint32_t low = 0, high = side->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (akin_tree_at(side, middle)->nodes < nodes)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void akin_tree_side_clear(akin_tree_side *side)
{
    akin_tree_collection_clear(&side->trees);
    akin_free((void *)side->rows);
    akin_free((void *)side->buckets);
    akin_free(side->marks_begin);
    akin_free(side->marks);
    *side = (akin_tree_side){0};
}
