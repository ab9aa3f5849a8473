/*
 * Ranks documents for a query: its lists, the best documents so far, and the windows that are gone through.
 *
 * Documents are gone through in the order of the index, in windows (ranker_window.c), each of which gives candidates, and these
 * are looked up in what is left of the lists (candidates.c): MaxScore with the bounds of blocks. Documents that have no term
 * twice come first, then the others, both in the order of their lengths: so bounds are tight within a window, and short
 * documents, whose scores are high, come early. Where all lists together cannot reach the score that is needed, that of the k-th
 * best so far, the window is passed over; where this holds for the bounds of all that is left of them, too, the query is done.
 *
 * What is added up on the way is rounded, and not in the order of the query's tokens, so it may differ from a score by `slack`:
 * n sums of numbers whose sizes add up to S are off by n S 2^-53 at most, and a slack of 8 times that serves both sides of each
 * comparison. Documents that are equal to the k-th are not passed over, as their number may be lower. What is left is scored
 * exactly.
 */
#include "weigh/ranker.h"

#include <math.h>

akin_status akin_ranker_begin(akin_ranker *ranker, const akin_lists *lists, const akin_frequent *frequent, uint32_t k)
{
    *ranker = (akin_ranker){.lists = lists, .frequent = frequent};
    ranker->k = k < lists->head.documents ? k : lists->head.documents;
    ranker->heap = akin_alloc(NULL, ranker->k, sizeof *ranker->heap);
    ranker->scores = akin_alloc(NULL, AKIN_RANK_WINDOW, sizeof *ranker->scores);
    return ranker->heap && ranker->scores ? AKIN_OK : AKIN_E_NOMEM;
}

void akin_ranker_clear(akin_ranker *ranker)
{
    akin_free(ranker->terms);
    akin_free(ranker->tokens);
    akin_free(ranker->order);
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
}

/* Room for one more of each of the arrays. */
static akin_status make_room(akin_ranker *r)
{
    const uint64_t terms = (uint64_t)r->term_count + 2, tokens = (uint64_t)r->token_count + 1;
    void *moved;
    if (!(moved = akin_enlarge(NULL, r->terms, &r->terms_capacity, terms, sizeof *r->terms)))
        return AKIN_E_NOMEM;
    r->terms = moved;
    if (!(moved = akin_enlarge(NULL, r->tokens, &r->tokens_capacity, tokens, sizeof *r->tokens)))
        return AKIN_E_NOMEM;
    r->tokens = moved;
    if (!(moved = akin_enlarge(NULL, r->order, &r->order_capacity, terms, sizeof *r->order)))
        return AKIN_E_NOMEM;
    r->order = moved;
    if (!(moved = akin_enlarge(NULL, r->sums, &r->sums_capacity, terms + 1, sizeof *r->sums)))
        return AKIN_E_NOMEM;
    r->sums = moved;
    if (!(moved = akin_enlarge(NULL, r->looks, &r->looks_capacity, terms / 2, sizeof *r->looks)))
        return AKIN_E_NOMEM;
    r->looks = moved;
    if (!(moved = akin_enlarge(NULL, r->weights, &r->weights_capacity, terms, sizeof *r->weights)))
        return AKIN_E_NOMEM;
    r->weights = moved;
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

akin_status akin_ranker_add(akin_ranker *ranker, uint32_t list)
{
    const akin_list *wanted = &ranker->lists->lists[list];
    uint32_t term = 0;
    if (make_room(ranker) != AKIN_OK)
        return AKIN_E_NOMEM;
    while (term < ranker->term_count && ranker->terms[term].list != wanted)
        term += 2;
    akin_ranker_list *t = &ranker->terms[term];
    if (term == ranker->term_count) {
        t[0].list = wanted;
        t[1].list = wanted + 1;
        t[0].scale = 0;
        set_bits(ranker, t, list);
        ranker->term_count += 2;
    }
    t[0].scale += wanted->scale;
    t[1].scale = t[0].scale;
    ranker->tokens[ranker->token_count++] = term;
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- the best */

static int is_worse(const akin_ranker_found *a, const akin_ranker_found *b)
{
    return a->score < b->score || (a->score == b->score && a->document > b->document);
}

/* Lets entry `i` sink to where it belongs among the first `count`, the worst of which comes first. */
static void sink(akin_ranker_found *heap, uint32_t count, uint32_t i)
{
    const akin_ranker_found moved = heap[i];
    for (uint64_t child; (child = 2 * (uint64_t)i + 1) < count; i = (uint32_t)child) {
        if (child + 1 < count && is_worse(&heap[child + 1], &heap[child]))
            child++;
        if (!is_worse(&heap[child], &moved))
            break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

void akin_ranker_keep(akin_ranker *r, akin_ranker_found found)
{
    if (r->found < r->k) {
        uint32_t i = r->found++;
        for (; i > 0 && is_worse(&found, &r->heap[(i - 1) / 2]); i = (i - 1) / 2)
            r->heap[i] = r->heap[(i - 1) / 2];
        r->heap[i] = found;
    } else if (is_worse(&r->heap[0], &found)) {
        r->heap[0] = found;
        sink(r->heap, r->k, 0);
    }
    if (r->found == r->k && r->heap[0].score > r->least)
        r->least = r->heap[0].score;
}

/* Best first. */
static void sort(akin_ranker *r)
{
    for (uint32_t left = r->found; left-- > 1;) {
        akin_ranker_found worst = r->heap[0];
        r->heap[0] = r->heap[left];
        r->heap[left] = worst;
        sink(r->heap, left, 0);
    }
}

/* ----------------------------------------------------------------------------------------------------------- a query */

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
    sort(r);
}
