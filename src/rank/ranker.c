/*
 * Ranks documents for a query: its lists, the best documents so far, and the windows that are gone through.
 *
 * Documents are visited in the order of the index, in windows (ranker_window.c). Each window gives candidates, which
 * are looked up in the rest of the lists (ranker_candidates.c): MaxScore with the bounds of blocks. Documents that have
 * no term twice come first, then the others, both in the order of their lengths: so bounds are tight within a window,
 * and short documents, whose scores are high, come early. Where all lists together cannot reach the score that is
 * needed, that of the k-th best so far, the window is passed over; where this holds for the bounds of all that is left
 * of them, too, the query is done.
 *
 * Sums on the way are rounded, and not in the order of the query's tokens, so a sum may differ from a score by `slack`:
 * n sums of numbers whose sizes add up to S are off by n S 2^-53 at most, and a slack of 8 times that serves both sides
 * of each comparison. Documents that are equal to the k-th are not passed over, as their number may be lower. The
 * candidates that are left are scored exactly.
 */
#include "rank/ranker.h"

#include <math.h>

akin_status akin_ranker_begin(akin_ranker *ranker, const akin_lists *lists, const akin_frequent *frequent, uint32_t k,
                              akin_account *account)
{
    *ranker = (akin_ranker){.lists = lists, .frequent = frequent, .account = account};
    ranker->k = k < lists->head.documents ? k : lists->head.documents;
    ranker->heap = akin_alloc(account, ranker->k, sizeof *ranker->heap);
    ranker->scores = akin_alloc(account, AKIN_RANK_WINDOW, sizeof *ranker->scores);
    return ranker->heap && ranker->scores ? AKIN_OK : AKIN_E_NOMEM;
}

void akin_ranker_clear(akin_ranker *ranker)
{
    akin_free(ranker->terms);
    akin_free(ranker->tokens);
    akin_free(ranker->firsts);
    akin_free(ranker->keys);
    akin_free(ranker->order);
    akin_free(ranker->ranks);
    akin_free(ranker->sums);
    akin_free(ranker->looks);
    akin_free(ranker->weights);
    akin_free(ranker->heap);
    akin_free(ranker->scores);
    *ranker = (akin_ranker){0};
}

void akin_ranker_new(akin_ranker *ranker)
{
    ranker->term_count = ranker->token_count = ranker->found = 0;
    ranker->damaged = 0;
}

akin_status akin_ranker_add(akin_ranker *ranker, uint32_t list)
{
    akin_ranker *r = ranker;
    if (r->token_count == UINT32_MAX)
        return AKIN_E_LIMIT;
    const uint64_t tokens = (uint64_t)r->token_count + 1;
    uint32_t *moved = akin_enlarge(r->account, r->tokens, &r->tokens_capacity, tokens, sizeof *moved);
    if (!moved)
        return AKIN_E_NOMEM;
    r->tokens = moved;
    r->tokens[r->token_count++] = list;
    return AKIN_OK;
}

/* Finds of each token the first that is the same; returns how many are the first. */
static uint32_t find_firsts(akin_ranker *r)
{
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < r->token_count; i++)
        r->keys[i] = (uint64_t)r->tokens[i] << 32 | i;
    akin_sort_u64(r->keys, r->token_count);
    for (uint32_t i = 0, first = 0; i < r->token_count; i++) {
        const int is_first = i == 0 || r->keys[i] >> 32 != r->keys[i - 1] >> 32;
        first = is_first ? (uint32_t)r->keys[i] : first;
        r->firsts[(uint32_t)r->keys[i]] = first;
        distinct += (uint32_t)is_first;
    }
    return distinct;
}

/* Reserves room for the lists of `count` terms. */
static akin_status reserve_lists(akin_ranker *r, uint64_t count)
{
    const uint64_t lists = 2 * count;
    void *moved;
    if (!(moved = akin_enlarge(r->account, r->terms, &r->terms_capacity, lists, sizeof *r->terms)))
        return AKIN_E_NOMEM;
    r->terms = moved;
    if (!(moved = akin_enlarge(r->account, r->order, &r->order_capacity, lists, sizeof *r->order)))
        return AKIN_E_NOMEM;
    r->order = moved;
    if (!(moved = akin_enlarge(r->account, r->sums, &r->sums_capacity, lists + 1, sizeof *r->sums)))
        return AKIN_E_NOMEM;
    r->sums = moved;
    if (!(moved = akin_enlarge(r->account, r->looks, &r->looks_capacity, count, sizeof *r->looks)))
        return AKIN_E_NOMEM;
    r->looks = moved;
    if (!(moved = akin_enlarge(r->account, r->weights, &r->weights_capacity, lists, sizeof *r->weights)))
        return AKIN_E_NOMEM;
    r->weights = moved;
    if (lists <= AKIN_RANKER_MANY)
        return AKIN_OK;
    if (!(moved = akin_enlarge(r->account, r->ranks, &r->ranks_capacity, lists, sizeof *r->ranks)))
        return AKIN_E_NOMEM;
    r->ranks = moved;
    return AKIN_OK;
}

static void set_bits(const akin_ranker *r, akin_ranker_list *t, uint32_t list)
{
    const akin_frequent_term *frequent = akin_frequent_find(r->frequent, list);
    for (uint32_t i = 0; i < 2; i++) {
        t[i].bits = frequent ? frequent->words + i : NULL;
        t[i].mosts = frequent ? frequent->most + i : NULL;
        t[i].is_plain = frequent && i == 0;
    }
}

/* Adds the lists of a term; returns the place of the first. */
static uint32_t add_term(akin_ranker *r, uint32_t list)
{
    akin_ranker_list *t = &r->terms[r->term_count];
    t[0].list = &r->lists->lists[list];
    t[1].list = t[0].list + 1;
    t[0].scale = 0;
    set_bits(r, t, list);
    r->term_count += 2;
    return r->term_count - 2;
}

akin_status akin_ranker_settle(akin_ranker *ranker)
{
    akin_ranker *r = ranker;
    const uint32_t tokens = r->token_count;
    void *moved;
    if (!(moved = akin_enlarge(r->account, r->keys, &r->keys_capacity, tokens, sizeof *r->keys)))
        return AKIN_E_NOMEM;
    r->keys = moved;
    if (!(moved = akin_enlarge(r->account, r->firsts, &r->firsts_capacity, tokens, sizeof *r->firsts)))
        return AKIN_E_NOMEM;
    r->firsts = moved;
    if (reserve_lists(r, find_firsts(r)) != AKIN_OK)
        return AKIN_E_NOMEM;
    for (uint32_t i = 0; i < tokens; i++) {
        const uint32_t first = r->firsts[i];
        r->tokens[i] = first == i ? add_term(r, r->tokens[i]) : r->tokens[first];
        akin_ranker_list *t = &r->terms[r->tokens[i]];
        t[0].scale += t[0].list->scale;
        t[1].scale = t[0].scale;
    }
    return AKIN_OK;
}

/* --------------------------------------------------------------------------------------------------------- the best */

static int is_worse_found(const akin_ranker_found *a, const akin_ranker_found *b)
{
    return a->score < b->score || (a->score == b->score && a->document > b->document);
}

/* Lets entry `i` sink to its place in the heap of the first `count`, the worst one on top. */
static void sink_found(akin_ranker_found *heap, uint32_t count, uint32_t i)
{
    const akin_ranker_found moved = heap[i];
    for (uint64_t child; (child = 2 * (uint64_t)i + 1) < count; i = (uint32_t)child) {
        if (child + 1 < count && is_worse_found(&heap[child + 1], &heap[child]))
            child++;
        if (!is_worse_found(&heap[child], &moved))
            break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

void akin_ranker_keep(akin_ranker *r, akin_ranker_found found)
{
    if (r->found < r->k) {
        uint32_t i = r->found++;
        for (; i > 0 && is_worse_found(&found, &r->heap[(i - 1) / 2]); i = (i - 1) / 2)
            r->heap[i] = r->heap[(i - 1) / 2];
        r->heap[i] = found;
    } else if (is_worse_found(&r->heap[0], &found)) {
        r->heap[0] = found;
        sink_found(r->heap, r->k, 0);
    }
    if (r->found == r->k && r->heap[0].score > r->least)
        r->least = r->heap[0].score;
}

/* Best first. */
static void sort_found(akin_ranker *r)
{
    for (uint32_t left = r->found; left-- > 1;) {
        akin_ranker_found worst = r->heap[0];
        r->heap[0] = r->heap[left];
        r->heap[left] = worst;
        sink_found(r->heap, left, 0);
    }
}

/* ---------------------------------------------------------------------------------------------------------- a query */

static void begin_query(akin_ranker *r)
{
    double sum = 0;
    for (uint32_t i = 0; i < r->term_count; i++) {
        akin_ranker_list *t = &r->terms[i];
        t->blocks = akin_list_blocks(t->list);
        t->block = 0;
        t->next = 0;
        t->decoded = AKIN_RANKER_NONE;
        t->tried = AKIN_RANKER_NONE;
        t->probed = t->at = 0;
        t->most = t->blocks > 0 ? fabs(t->scale) * (double)r->lists->blocks[t->list->block].rest : 0;
        sum += t->most;
        r->order[i] = i;
    }
    r->slack = sum * (double)(r->token_count + 1) * 0x1p-48;
    r->least = -INFINITY;
    r->class = 0;
}

void akin_ranker_run(akin_ranker *ranker)
{
    akin_ranker *r = ranker;
    if (r->term_count == 0 || r->k == 0)
        return;
    begin_query(r);
    akin_ranker_look_ahead(r);
    for (uint64_t begin = 0, end; begin < r->lists->head.documents; begin = end) {
        end = begin + AKIN_RANK_WINDOW;
        if (akin_ranker_window(r, (uint32_t)begin, end))
            continue;
        const uint32_t next = akin_ranker_next(r, end);
        if (next == AKIN_RANKER_NONE)
            break;
        end = next / AKIN_RANK_WINDOW * AKIN_RANK_WINDOW;
    }
    sort_found(r);
}
