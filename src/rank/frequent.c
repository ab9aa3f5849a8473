/* Makes bits of the lists of frequent terms. */
#include "base/parallel.h"
#include "base/budget.h"
#include "rank/frequent.h"

static const char what[] = "an index of documents"; /* the memory is for */

typedef struct building {
    const akin_lists *lists;
    akin_frequent *frequent;
} building;

/* Whether one of `share` documents has a term. */
static int are_frequent(const akin_lists *lists, uint64_t entries, uint32_t share)
{
    return entries > AKIN_BLOCK && entries >= lists->head.documents / share;
}

int akin_frequent_is(const akin_lists *lists, uint64_t entries)
{
    return are_frequent(lists, entries, AKIN_FREQUENT_SHARE);
}

static int is_frequent(const akin_lists *lists, uint32_t list, uint32_t share)
{
    return are_frequent(lists, (uint64_t)akin_lists_entries(lists, list) + akin_lists_entries(lists, list + 1), share);
}

/* Whether both lists of a term are undamaged. A query of a damaged one fails; others need not. */
static int are_whole(const akin_lists *lists, uint32_t list)
{
    return akin_lists_bring(lists, list, NULL) == AKIN_OK && akin_lists_bring(lists, list + 1, NULL) == AKIN_OK;
}

/* The most terms that can be frequent, as all entries are in blocks: files may say more. */
static uint64_t most_frequent(const akin_lists *lists, uint32_t share)
{
    const uint64_t least = akin_max_u64(AKIN_BLOCK + 1, lists->head.documents / share);
    return (uint64_t)lists->head.blocks * AKIN_BLOCK / least;
}

static uint64_t count_frequent(const akin_lists *lists, uint32_t share)
{
    uint64_t count = 0;
    for (uint32_t list = 0; list + 1 < lists->head.lists; list += 2)
        count += (uint64_t)is_frequent(lists, list, share);
    return akin_min_u64(count, most_frequent(lists, share));
}

static void add_block(const akin_lists *lists, const akin_list *list, uint32_t number, uint64_t *words, float *most)
{
    akin_block_view view = akin_block_open(lists, list, number);
    uint32_t documents[AKIN_BLOCK], count = akin_block_documents(&view, documents);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t document = documents[i];
        float *here = &most[document / AKIN_RANK_WINDOW * 2];
        words[(uint64_t)document / 64 * 2] |= UINT64_C(1) << document % 64;
        *here = view.block->most > *here ? view.block->most : *here;
    }
}

static akin_status build_term(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    const akin_frequent_term *term = &b->frequent->terms[task];
    (void)thread;
    for (uint32_t i = 0; i < 2; i++) {
        const akin_list *list = &b->lists->lists[term->list + i];
        for (uint32_t number = 0; number < akin_list_blocks(list); number++)
            add_block(b->lists, list, number, term->words + i, term->most + i);
    }
    return AKIN_OK;
}

akin_status akin_frequent_build(const akin_scope *scope, const akin_lists *lists, akin_frequent *out, akin_error *error)
{
    building b = {lists, out};
    const uint64_t windows = akin_ceil_div(lists->head.documents, AKIN_RANK_WINDOW);
    const uint64_t words = akin_ceil_div(lists->head.documents, 64) * 2;
    const uint64_t each = (words + windows) * sizeof *out->words, room = akin_budget(scope, AKIN_BUDGET_INDEX_BITS);
    uint32_t share = AKIN_FREQUENT_SHARE;
    uint64_t count = count_frequent(lists, share);
    *out = (akin_frequent){0};
    for (; scope->memory && count * each > room && share > 1; share /= 2)
        count = count_frequent(lists, share / 2);
    if (scope->memory && count * each > room) /* not even for those of all documents */
        count = 0;
    out->terms = akin_alloc(NULL, count, sizeof *out->terms);
    out->words = akin_alloc_zero(NULL, count * words, sizeof *out->words);
    out->most = akin_alloc_zero(NULL, count * 2 * windows, sizeof *out->most);
    if (!out->terms || !out->words || !out->most)
        return akin_fail_memory(error, what);
    for (uint32_t list = 0; out->count < count && list + 1 < lists->head.lists; list += 2)
        if (is_frequent(lists, list, share) && are_whole(lists, list)) {
            out->terms[out->count] =
                (akin_frequent_term){list, out->words + out->count * words, out->most + out->count * 2 * windows};
            out->count++;
        }
    akin_status status = akin_parallel(scope, NULL, out->count, build_term, &b);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

void akin_frequent_clear(akin_frequent *frequent)
{
    akin_free(frequent->terms);
    akin_free(frequent->words);
    akin_free(frequent->most);
    *frequent = (akin_frequent){0};
}

const akin_frequent_term *akin_frequent_find(const akin_frequent *frequent, uint32_t list)
{
    uint32_t low = 0, high = frequent->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (frequent->terms[middle].list < list)
            low = middle + 1;
        else
            high = middle;
    }
    return low < frequent->count && frequent->terms[low].list == list ? &frequent->terms[low] : NULL;
}
