/*
 * The candidates that a window gives. Its lists have bounds, of what they add to a document there at most, and the
 * bounds decide which lists must be visited:
 *
 *     Some terms are needed: all the others together cannot reach the needed score. Then the lists of one needed term
 *     suffice, the one with the fewest documents. If even that term is frequent, all needed terms are frequent, and
 *     candidates are the documents left when the bits of these terms are ANDed, 64 documents at a time.
 *
 *     No term is needed: then all lists are visited, except for those of the lowest bounds that together cannot reach
 *     the score.
 *
 * The weights of visited lists are added up in an array; candidates are looked up in the others.
 */
#include "rank/ranker.h"

#include <math.h>

#define NONE AKIN_RANKER_NONE

static uint32_t class_of(const akin_lists *lists, uint32_t document)
{
    return (uint32_t)akin_lower_bound_u32(lists->classes, lists->head.classes, (uint64_t)document + 1) - 1;
}

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
    akin_ranker_decode(r, t, t->block);
    uint32_t i = 0;
    while (t->documents[i] < t->next)
        i++;
    t->next = t->documents[i];
}

/* What a list adds to documents of the window at most. */
static double bound(const akin_ranker *r, akin_ranker_list *t, uint32_t begin, uint64_t end)
{
    if (t->mosts)
        return t->scale > 0 ? t->scale * (double)t->mosts[begin / AKIN_RANK_WINDOW * 2] : 0;
    advance(r, t, begin);
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

/* Sorts few lists, which are mostly in order, by their bounds. */
static void sort_few(akin_ranker *r)
{
    for (uint32_t i = 1; i < r->term_count; i++) {
        uint32_t moved = r->order[i], j = i;
        for (; j > 0 && r->terms[r->order[j - 1]].bound > r->terms[moved].bound; j--)
            r->order[j] = r->order[j - 1];
        r->order[j] = moved;
    }
}

/* Sorts many: bounds are not below 0, and doubles like that rise as their bits do. */
static void sort_many(akin_ranker *r)
{
    for (uint32_t i = 0; i < r->term_count; i++) {
        uint64_t bits;
        memcpy(&bits, &r->terms[i].bound, sizeof bits);
        r->ranks[i] = (akin_u128)bits << 64 | i;
    }
    akin_sort_u128(r->ranks, r->term_count);
    for (uint32_t i = 0; i < r->term_count; i++)
        r->order[i] = (uint32_t)r->ranks[i];
}

/* Puts the lists in the order of their bounds; returns how many at the beginning cannot make a document useful. */
static uint32_t order_by_bound(akin_ranker *r)
{
    uint32_t passed = 0;
    if (r->term_count <= AKIN_RANKER_MANY)
        sort_few(r);
    else
        sort_many(r);
    for (uint32_t i = 0; i < r->term_count; i++)
        r->terms[i].counted = 0;
    r->sums[0] = 0;
    for (uint32_t i = 0; i < r->term_count; i++) { /* of two lists of a term the larger bound holds */
        uint32_t place = r->order[i];
        akin_ranker_list *t = &r->terms[place];
        const akin_ranker_list *other = &r->terms[place ^ 1];
        t->counted = 1;
        r->sums[i + 1] = r->sums[i] + (other->counted ? t->bound - other->bound : t->bound);
        if (passed == i && akin_ranker_is_hopeless(r, r->sums[i + 1]))
            passed = i + 1;
    }
    return passed;
}

static inline void add_weight(akin_ranker *r, uint32_t place, double weight)
{
    const uint32_t word = place / 64;
    const uint64_t bit = UINT64_C(1) << place % 64, seen = r->seen[word];
    r->scores[place] = (seen & bit ? r->scores[place] : 0) + weight;
    r->seen[word] = seen | bit;
    r->touched[word / 64] |= UINT64_C(1) << word % 64;
}

/* Adds what a list's documents from `begin` on, before `end`, weigh to their scores. */
static void add_scores(akin_ranker *r, akin_ranker_list *t, uint32_t begin, uint64_t end)
{
    const akin_lists *lists = r->lists;
    uint32_t class = r->class;
    advance(r, t, begin);
    for (uint32_t b = t->block; b < t->blocks && block_base(r, t, b) < end; b++) {
        akin_block_view view = akin_block_open(lists, t->list, b);
        uint32_t count = akin_block_entries(view.block), i = 0;
        akin_ranker_decode(r, t, b);
        while (i < count && t->documents[i] < begin)
            i++;
        while (i < count && t->documents[i] < end) {
            class = akin_ranker_class_from(lists, class, t->documents[i]);
            const double *factors = lists->factors + lists->firsts[class];
            const uint64_t limit = akin_min_u64(end, lists->classes[class + 1]);
            if (view.block->counts == 0)
                for (const double weight = t->scale * factors[0]; i < count && t->documents[i] < limit; i++)
                    add_weight(r, t->documents[i] - begin, weight);
            else
                for (; i < count && t->documents[i] < limit; i++)
                    add_weight(r, t->documents[i] - begin, t->scale * factors[akin_block_factor(&view, i) - 1]);
        }
    }
}

static double term_bound(const akin_ranker *r, uint32_t place)
{
    const akin_ranker_list *t = &r->terms[place];
    return t[0].bound > t[1].bound ? t[0].bound : t[1].bound;
}

/* Of the terms without which a document of the window is of no use the one that fewest have; NONE if there is none. */
static uint32_t find_driver(const akin_ranker *r)
{
    const double all = r->sums[r->term_count];
    uint64_t fewest = UINT64_MAX;
    uint32_t driver = NONE;
    for (uint32_t i = 0; i < r->term_count; i += 2) {
        uint64_t entries = (uint64_t)r->terms[i].list->count + r->terms[i + 1].list->count;
        if (entries < fewest && akin_ranker_is_hopeless(r, all - term_bound(r, i))) {
            fewest = entries;
            driver = i;
        }
    }
    return driver;
}

/* Takes the documents of the window that were seen as candidates. */
static void take_seen(akin_ranker *r, uint32_t begin)
{
    const akin_lists *lists = r->lists;
    const double least = r->least - r->slack - r->open;
    uint32_t class = r->class;
    for (uint32_t group = 0; group < AKIN_RANK_WINDOW / 64 / 64; group++)
        for (uint64_t touched = r->touched[group]; touched; touched &= touched - 1) {
            uint32_t word = group * 64 + (uint32_t)__builtin_ctzll(touched);
            for (uint64_t left = r->seen[word]; left; left &= left - 1) {
                uint32_t place = word * 64 + (uint32_t)__builtin_ctzll(left);
                double sum = r->scores[place];
                if (sum < least)
                    continue;
                class = akin_ranker_class_from(lists, class, begin + place);
                akin_candidates_add(r, begin + place, sum, lists->factors + lists->firsts[class]);
            }
            r->seen[word] = 0;
        }
    memset(r->touched, 0, sizeof r->touched);
}

/* Takes the documents of the window that have each term that they need, as far as there are bits. */
static void take_bits(akin_ranker *r, uint32_t driver, uint32_t begin)
{
    const akin_lists *lists = r->lists;
    const double all = r->sums[r->term_count];
    const uint64_t *bits = r->terms[driver].bits + begin / 64 * 2;
    const uint32_t words =
        (uint32_t)akin_min_u64(akin_ceil_div(lists->head.documents - begin, 64), AKIN_RANK_WINDOW / 64);
    uint32_t class = r->class;
    for (uint32_t word = 0; word < words; word++)
        r->seen[word] = bits[2 * word] | bits[2 * word + 1];
    for (uint32_t i = 0; i < r->term_count; i += 2)
        if (i != driver && r->terms[i].bits && akin_ranker_is_hopeless(r, all - term_bound(r, i))) {
            bits = r->terms[i].bits + begin / 64 * 2;
            for (uint32_t word = 0; word < words; word++)
                r->seen[word] &= bits[2 * word] | bits[2 * word + 1];
        }
    for (uint32_t word = 0; word < words; word++) {
        for (uint64_t left = r->seen[word]; left; left &= left - 1) {
            uint32_t document = begin + word * 64 + (uint32_t)__builtin_ctzll(left);
            class = akin_ranker_class_from(lists, class, document);
            akin_candidates_add(r, document, 0, lists->factors + lists->firsts[class]);
        }
        r->seen[word] = 0;
    }
}

int akin_ranker_window(akin_ranker *r, uint32_t begin, uint64_t end)
{
    for (uint32_t i = 0; i < r->term_count; i++)
        r->terms[i].bound = bound(r, &r->terms[i], begin, end);
    const uint32_t others = order_by_bound(r);
    if (others == r->term_count)
        return 0;
    const uint32_t driver = find_driver(r);
    r->class = akin_ranker_class_from(r->lists, r->class, begin);
    for (uint32_t i = 0; i < r->term_count; i++) {
        r->terms[i].probed = akin_max_u32(r->terms[i].probed, r->terms[i].block);
        r->terms[i].at = 0;
    }
    if (driver != NONE && r->terms[driver].bits) {
        akin_candidates_plan(r, r->term_count, NONE);
        take_bits(r, driver, begin);
    } else if (driver != NONE) {
        akin_candidates_plan(r, r->term_count, driver);
        add_scores(r, &r->terms[driver], begin, end);
        add_scores(r, &r->terms[driver + 1], begin, end);
        take_seen(r, begin);
    } else {
        akin_candidates_plan(r, others, NONE);
        for (uint32_t i = others; i < r->term_count; i++)
            add_scores(r, &r->terms[r->order[i]], begin, end);
        take_seen(r, begin);
    }
    akin_candidates_keep(r);
    return 1;
}

uint32_t akin_ranker_next(akin_ranker *r, uint64_t begin)
{
    uint32_t next = NONE;
    for (uint32_t i = 0; i < r->term_count; i++) {
        akin_ranker_list *t = &r->terms[i];
        advance(r, t, begin);
        int is_over = t->block == t->blocks || t->scale <= 0;
        t->bound = is_over ? 0 : t->scale * (double)r->lists->blocks[t->list->block + t->block].rest;
    }
    for (uint32_t i = order_by_bound(r); i < r->term_count; i++)
        if (r->terms[r->order[i]].next < next)
            next = r->terms[r->order[i]].next;
    return next;
}

/* Looks at the first documents, short ones, of the list whose entries may weigh most. */
void akin_ranker_look_ahead(akin_ranker *r)
{
    const akin_lists *lists = r->lists;
    uint32_t best = NONE, documents[AKIN_BLOCK];
    for (uint32_t i = 0; i < r->term_count; i++) {
        r->terms[i].bound = r->terms[i].most;
        if (r->terms[i].list->count >= r->k && (best == NONE || r->terms[i].most > r->terms[best].most))
            best = i;
    }
    if (best == NONE || r->term_count < 4)
        return;
    order_by_bound(r);
    akin_candidates_plan(r, r->term_count, best & ~UINT32_C(1));
    akin_block_view view = akin_block_open(lists, r->terms[best].list, 0);
    uint32_t count = akin_block_documents(&view, documents), class = class_of(lists, documents[0]);
    for (uint32_t i = 0; i < count; i++) {
        class = akin_ranker_class_from(lists, class, documents[i]);
        const double *factors = lists->factors + lists->firsts[class];
        double weight = r->terms[best].scale * factors[akin_block_factor(&view, i) - 1];
        akin_candidates_add(r, documents[i], weight, factors);
    }
    akin_candidates_look_up(r);
    for (uint32_t i = 0; i < r->batched; i++)
        akin_ranker_keep(r, (akin_ranker_found){r->batch[i].sum - r->slack, r->batch[i].document});
    for (uint32_t i = 0; i < r->term_count; i++)
        r->terms[i].probed = 0;
    r->batched = 0;
    r->found = 0; /* the least that is needed stays */
}
