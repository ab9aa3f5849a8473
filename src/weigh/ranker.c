/*
 * Ranks documents window by window: MaxScore with the bounds of blocks.
 *
 * Documents are gone through in the order of the index, in windows. In each, the lists are put in the order of what they can add to a
 * document there, by the bounds of their blocks. The lists at the beginning that together cannot reach the score that is
 * needed, that of the k-th best so far, need not be gone through: a document that is in these alone is of no use. The others are added up in an
 * array, and the documents that they have, as far as all the bounds permit, are looked up in the rest, the one of the largest bound
 * first. Where all lists together cannot reach the score, the window is passed over; where this holds for the bounds of all that
 * is left of them, too, the query is done. As documents stand in the order of their lengths, bounds are tight within a window, short
 * documents, whose scores are high, come first, and the query is often done when long ones are reached.
 *
 * These sums are rounded, and not in the order of the query's tokens, so that they may differ from a score by `slack`: n sums of
 * numbers whose sizes add up to S are off by n S 2^-53 at most, and a slack of 8 times that serves both sides of each comparison.
 * Documents that are equal to the k-th are not passed over, as their number may be lower. What is left is scored exactly.
 */
#include "weigh/ranker.h"

#include <math.h>

#define NONE  UINT32_MAX
#define AHEAD 1 /* blocks of the list with the largest bound that are scored before all else */

akin_status akin_ranker_begin(akin_ranker *ranker, const akin_lists *lists, uint32_t k)
{
    *ranker = (akin_ranker){.lists = lists};
    ranker->k = k < lists->head.documents ? k : lists->head.documents;
    ranker->heap = akin_alloc(NULL, ranker->k, sizeof *ranker->heap);
    ranker->scores = akin_alloc_zero(NULL, AKIN_RANK_WINDOW, sizeof *ranker->scores);
    return ranker->heap && ranker->scores ? AKIN_OK : AKIN_E_NOMEM;
}

void akin_ranker_clear(akin_ranker *ranker)
{
    akin_free(ranker->terms);
    akin_free(ranker->tokens);
    akin_free(ranker->order);
    akin_free(ranker->sums);
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
    if (!(moved = akin_enlarge(NULL, r->weights, &r->weights_capacity, terms, sizeof *r->weights)))
        return AKIN_E_NOMEM;
    r->weights = moved;
    return AKIN_OK;
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

static void keep(akin_ranker *r, akin_ranker_found found)
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

/* ---------------------------------------------------------------------------------------------------------- one document */

/* The class of a document, from that of an earlier one on. */
static uint32_t class_from(const akin_lists *lists, uint32_t class, uint32_t document)
{
    while (lists->classes[class + 1] <= document)
        class ++;
    return class;
}

static uint32_t class_of(const akin_lists *lists, uint32_t document)
{
    return (uint32_t)akin_lower_bound_u32(lists->classes, lists->head.classes, (uint64_t)document + 1) - 1;
}

static void decode(const akin_ranker *r, akin_ranker_list *t, uint32_t block)
{
    if (t->decoded == block)
        return;
    akin_block_view view = akin_block_open(r->lists, t->list, block);
    akin_block_documents(&view, t->documents);
    t->decoded = block;
    t->at = 0;
}

/* Looks for a document in a block that ends with it or behind it, later than one before; answers its factor, or -1 if it is
 * not there. A block in which a second one is looked for is decoded. */
static double look_up(const akin_ranker *r, akin_ranker_list *t, uint32_t block, uint32_t document,
                      const double *factors)
{
    akin_block_view view = akin_block_open(r->lists, t->list, block);
    uint32_t entry;
    if (document < view.base)
        return -1;
    if (t->tried == block)
        decode(r, t, block);
    t->tried = block;
    if (t->decoded == block) {
        for (entry = t->at; t->documents[entry] < document;)
            entry++;
        t->at = entry;
        if (t->documents[entry] != document)
            return -1;
    } else if (akin_block_seek(&view, document, &entry) != document) {
        return -1;
    }
    return factors[akin_block_count(&view, entry) - 1];
}

/* The same from any block on, and without leaving a trace. */
static double look_up_afresh(const akin_ranker *r, const akin_ranker_list *t, uint32_t from, uint32_t document,
                             const double *factors)
{
    uint32_t block = akin_list_seek(r->lists, t->list, from, document), entry;
    if (block == t->blocks)
        return -1;
    akin_block_view view = akin_block_open(r->lists, t->list, block);
    if (document < view.base || akin_block_seek(&view, document, &entry) != document)
        return -1;
    return factors[akin_block_count(&view, entry) - 1];
}

/* The score of a document as it is defined, each list looked up from its block on. */
static akin_ranker_found score(akin_ranker *r, uint32_t document, const double *factors, int from_first)
{
    double sum = 0;
    for (uint32_t i = 0; i < r->term_count; i++) {
        const akin_ranker_list *t = &r->terms[i];
        double factor = look_up_afresh(r, t, from_first ? 0 : t->block, document, factors);
        r->weights[i] = factor < 0 ? 0 : r->terms[i].list->scale * factor;
    }
    for (uint32_t i = 0; i < r->token_count; i++)
        sum += r->weights[r->tokens[i]] + r->weights[r->tokens[i] + 1]; /* one of them is 0 */
    return (akin_ranker_found){sum, r->lists->numbers[document]};
}

/* Scores documents of the list whose entries may weigh most, the shortest ones, for a score that the k best reach at least. */
static void look_ahead(akin_ranker *r)
{
    const akin_ranker_list *t = NULL;
    uint32_t documents[AKIN_BLOCK];
    for (uint32_t i = 0; i < r->term_count; i++)
        if (r->terms[i].list->count >= r->k && (!t || r->terms[i].most > t->most))
            t = &r->terms[i];
    if (!t || r->term_count < 4)
        return;
    for (uint32_t block = 0; block < t->blocks && block < AHEAD; block++) {
        akin_block_view view = akin_block_open(r->lists, t->list, block);
        uint32_t count = akin_block_documents(&view, documents), class = class_of(r->lists, documents[0]);
        for (uint32_t i = 0; i < count; i++) {
            class = class_from(r->lists, class, documents[i]);
            keep(r, score(r, documents[i], r->lists->factors + r->lists->firsts[class], 1));
        }
    }
    r->found = 0; /* the least that is needed stays */
}

/* ------------------------------------------------------------------------------------------------------------ a window */

static uint32_t block_base(const akin_ranker *r, const akin_ranker_list *t, uint32_t block)
{
    return block > 0 ? r->lists->blocks[t->list->block + block - 1].last + 1 : 0;
}

/* Passes over what is before a document. Where the next one stands is found out if blocks are wider than windows. */
static void advance(const akin_ranker *r, akin_ranker_list *t, uint64_t document)
{
    if (t->next == NONE || (t->next >= document && t->next > 0)) /* at 0 nothing is known yet */
        return;
    t->block = document > UINT32_MAX ? t->blocks : akin_list_seek(r->lists, t->list, t->block, (uint32_t)document);
    if (t->block == t->blocks) {
        t->next = NONE;
        return;
    }
    const uint32_t base = block_base(r, t, t->block), last = r->lists->blocks[t->list->block + t->block].last;
    t->next = base > document ? base : (uint32_t)document;
    if (last - base <= AKIN_RANK_WINDOW)
        return;
    decode(r, t, t->block);
    uint32_t i = 0;
    while (t->documents[i] < t->next)
        i++;
    t->next = t->documents[i];
}

/* What a list adds to documents before `end` at most. */
static double bound(const akin_ranker *r, const akin_ranker_list *t, uint64_t end)
{
    if (t->block == t->blocks || t->next >= end || t->scale <= 0)
        return 0;
    const akin_block *block = &r->lists->blocks[t->list->block + t->block];
    float most = block->most;
    for (uint32_t i = t->block; i + 1 < t->blocks && (uint64_t)block->last + 1 < end; i++) {
        block++;
        most = block->most > most ? block->most : most;
    }
    return t->scale * (double)most;
}

static int is_hopeless(const akin_ranker *r, double bound)
{
    return bound + r->slack < r->least;
}

/* Puts the lists in the order of their bounds; returns how many at the beginning cannot make a document useful. */
static uint32_t order_by_bound(akin_ranker *r)
{
    uint32_t passed = 0;
    for (uint32_t i = 1; i < r->term_count; i++) { /* mostly in order */
        uint32_t moved = r->order[i], j = i;
        for (; j > 0 && r->terms[r->order[j - 1]].bound > r->terms[moved].bound; j--)
            r->order[j] = r->order[j - 1];
        r->order[j] = moved;
    }
    for (uint32_t i = 0; i < r->term_count; i++)
        r->terms[i].counted = 0;
    r->sums[0] = 0;
    for (uint32_t i = 0; i < r->term_count; i++) { /* of two lists of a term the larger bound holds */
        uint32_t place = r->order[i];
        akin_ranker_list *t = &r->terms[place];
        const akin_ranker_list *other = &r->terms[place ^ 1];
        t->counted = 1;
        r->sums[i + 1] = r->sums[i] + (other->counted ? t->bound - other->bound : t->bound);
        if (passed == i && is_hopeless(r, r->sums[i + 1]))
            passed = i + 1;
    }
    return passed;
}

/* The next document that may be useful, as far as the bounds of all that is left of the lists tell; NONE if there is none. */
static uint32_t next_document(akin_ranker *r)
{
    uint32_t next = NONE;
    for (uint32_t i = 0; i < r->term_count; i++) {
        akin_ranker_list *t = &r->terms[i];
        int is_over = t->block == t->blocks || t->scale <= 0;
        t->bound = is_over ? 0 : t->scale * (double)r->lists->blocks[t->list->block + t->block].rest;
    }
    for (uint32_t i = order_by_bound(r); i < r->term_count; i++)
        if (r->terms[r->order[i]].next < next)
            next = r->terms[r->order[i]].next;
    return next;
}

/* Adds what a list's documents from `begin` on, before `end`, weigh to their scores. */
static void add(akin_ranker *r, akin_ranker_list *t, uint32_t begin, uint64_t end)
{
    const akin_lists *lists = r->lists;
    uint32_t class = r->class;
    const double *factors = lists->factors + lists->firsts[class];
    for (uint32_t b = t->block; b < t->blocks && block_base(r, t, b) < end; b++) {
        akin_block_view view = akin_block_open(lists, t->list, b);
        uint32_t count = akin_block_entries(view.block), i = 0;
        decode(r, t, b);
        while (i < count && t->documents[i] < begin)
            i++;
        for (; i < count && t->documents[i] < end; i++) {
            uint32_t document = t->documents[i], place = document - begin;
            if (document >= lists->classes[class + 1]) {
                class = class_from(lists, class, document);
                factors = lists->factors + lists->firsts[class];
            }
            r->scores[place] += t->scale * factors[akin_block_count(&view, i) - 1];
            r->seen[place / 64] |= UINT64_C(1) << place % 64;
        }
    }
}

/* Leaves of the batch what is useful by what is known of it and the bounds of the first `others` lists. */
static void drop_hopeless(akin_ranker *r, uint32_t others)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < r->batched; i++)
        if (!is_hopeless(r, r->batch[i].sum + r->sums[others]))
            r->batch[left++] = r->batch[i];
    r->batched = left;
}

/* Looks the documents of the batch up in the first `others` lists, the one of the largest bound first; keeps those that are
 * good enough. What is looked at is asked for before, as memory takes its time. */
static void complete(akin_ranker *r, uint32_t others)
{
    for (; others > 0 && r->batched > 0; others--) {
        akin_ranker_list *t = &r->terms[r->order[others - 1]];
        drop_hopeless(r, others);
        if (t->next == NONE)
            continue;
        for (uint32_t i = 0; i < r->batched; i++) {
            akin_ranker_candidate *c = &r->batch[i];
            c->block = t->probed = akin_list_seek(r->lists, t->list, t->probed, c->document);
            if (c->block == t->blocks)
                continue;
            const akin_block *block = &r->lists->blocks[t->list->block + c->block];
            __builtin_prefetch(r->lists->words + t->list->words + block->words);
        }
        for (uint32_t i = 0; i < r->batched; i++) {
            akin_ranker_candidate *c = &r->batch[i];
            double factor = c->block == t->blocks ? -1 : look_up(r, t, c->block, c->document, c->factors);
            c->sum += factor < 0 ? 0 : t->scale * factor;
        }
    }
    drop_hopeless(r, 0);
    for (uint32_t i = 0; i < r->batched; i++)
        if (!is_hopeless(r, r->batch[i].sum))
            keep(r, score(r, r->batch[i].document, r->batch[i].factors, 0));
    r->batched = 0;
}

static void rank_window(akin_ranker *r, uint32_t begin, uint64_t end)
{
    const akin_lists *lists = r->lists;
    for (uint32_t i = 0; i < r->term_count; i++)
        r->terms[i].bound = bound(r, &r->terms[i], end);
    uint32_t others = order_by_bound(r);
    if (others == r->term_count)
        return;
    r->class = class_from(lists, r->class, begin);
    for (uint32_t i = others; i < r->term_count; i++)
        add(r, &r->terms[r->order[i]], begin, end);
    for (uint32_t i = 0; i < others; i++) {
        akin_ranker_list *t = &r->terms[r->order[i]];
        t->probed = t->block;
        t->at = 0;
    }
    uint32_t class = r->class;
    for (uint32_t word = 0; word < AKIN_RANK_WINDOW / 64; word++) {
        uint64_t left = r->seen[word];
        for (r->seen[word] = 0; left; left &= left - 1) {
            uint32_t place = word * 64 + (uint32_t)__builtin_ctzll(left);
            double sum = r->scores[place];
            r->scores[place] = 0;
            if (is_hopeless(r, sum + r->sums[others]))
                continue;
            class = class_from(lists, class, begin + place);
            if (r->batched == AKIN_RANK_BATCH)
                complete(r, others);
            r->batch[r->batched++] =
                (akin_ranker_candidate){sum, lists->factors + lists->firsts[class], begin + place, 0};
        }
    }
    complete(r, others);
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
        t->decoded = NONE;
        t->tried = NONE;
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
    look_ahead(r);
    for (uint32_t begin; (begin = next_document(r)) != NONE;) {
        uint64_t end = (uint64_t)begin + AKIN_RANK_WINDOW;
        for (uint32_t i = 0; i < r->term_count; i++)
            advance(r, &r->terms[i], begin);
        rank_window(r, begin, end);
        for (uint32_t i = 0; i < r->term_count; i++)
            advance(r, &r->terms[i], end);
    }
    sort(r);
}
