/*
 * What threads of a GPU do to rank documents for a query, step by step: between two steps those of the block, which has
 * one query, wait for each other. It is compiled into kernels, and into the GPU that the host plays in tests.
 *
 * The terms of a query come those that may add most first (MaxScore, as in ranker.c). Candidates are the documents of
 * the first one, then those of the second that lack the first, and so on, until all the terms to come cannot reach the
 * score that is needed, that of the k-th best so far. The first thread chooses what is done next:
 *
 *     pass     blocks of the list at hand: those whose bounds reach the score are noted
 *     scan     entries of some of these: documents that may be good enough are put in a queue
 *     weigh    a candidate for each thread: looked up in the lists to come, as long as it may be good enough; then, if
 *              it is in none of those before, scored as it is defined, and put behind what was found
 *     sort     what was found, to keep the k best
 *
 * A document below `late` has no term more than once, so what a term adds to it is known if it has it: the bound is its
 * own. Sums that are compared with bounds are rounded in another order than scores, so there is a slack. In which order
 * threads come decides when the score that is needed rises, and so what is passed over, but not what is found.
 *
 * When a launch has spent what it may on a query, and the queue is empty, all that must be kept is what was found, and
 * which block comes next.
 */
#ifndef AKIN_RANK_GPU_RANK_H
#define AKIN_RANK_GPU_RANK_H

#include "weigh/gpu_tally.h"
#include "rank/kernels.h"

#define AKIN_GPU_RANK_PASS   4 /* one thread in 4 passes a block, */
#define AKIN_GPU_RANK_SCAN   4 /* each scans 4 entries at once, */
#define AKIN_GPU_RANK_QUEUE  8 /* and has room for 8 in the queue */
#define AKIN_GPU_RANK_LOWEST (-1.7976931348623157e308)

/* What steps cost, in about a fifth of a microsecond: times that memory is waited for. */
#define AKIN_GPU_RANK_COST_PASS  4
#define AKIN_GPU_RANK_COST_SCAN  8
#define AKIN_GPU_RANK_COST_WEIGH 20 /* for each term */
#define AKIN_GPU_RANK_COST_SORT  20

typedef enum akin_gpu_rank_step {
    AKIN_GPU_RANK_PASSING,
    AKIN_GPU_RANK_SCANNING,
    AKIN_GPU_RANK_WEIGHING,
    AKIN_GPU_RANK_SORTING,
    AKIN_GPU_RANK_STOPPED
} akin_gpu_rank_step;

/* A query that is ranked, in shared memory. Only the first thread writes numbers, unless something else is said. */
typedef struct akin_gpu_ranking {
    akin_gpu_rank_query query;
    akin_gpu_rank_term terms[AKIN_GPU_RANK_TERMS];
    akin_gpu_rank_state at;
    double most[AKIN_GPU_RANK_TERMS + 1];  /* what terms from this one on add, at most; */
    double whole[AKIN_GPU_RANK_TERMS + 1]; /* times its factor, to a document that has none twice */
    double least;                          /* the score that is needed, */
    uint32_t least_document;               /* and with this very score the document must be below this one */
    uint32_t k, is_full;                   /* k were found */
    uint32_t spent, budget;
    uint32_t from, until;    /* blocks that are passed through */
    uint32_t passed;         /* blocks that were noted: all threads count */
    uint32_t scanned, scans; /* of these; and how many are scanned now */
    uint32_t queued;         /* all threads count */
    uint32_t taken;          /* of the queue's last ones: weighed now */
    uint32_t is_weighing;    /* until the queue is empty */
    uint32_t items;          /* that were found: all threads count */
    uint32_t sorted;         /* the first of these are in order */
    uint32_t room;           /* for items: a power of two, at least k and one for each thread */
    akin_gpu_rank_step step;
    akin_gpu_found *found; /* arrays, in shared memory, too */
    double *sums;          /* of candidates: what they weigh, as far as that is known */
    uint32_t *documents;
    uint32_t *blocks; /* that were noted */
} akin_gpu_ranking;

/* Room for what is found, and the bytes of all arrays. */
static inline uint32_t akin_gpu_rank_room(uint32_t k, uint32_t threads)
{
    uint32_t room = 2 * threads;
    while (room < k + threads)
        room *= 2;
    return room;
}

static inline size_t akin_gpu_rank_bytes(uint32_t room, uint32_t threads)
{
    const size_t queue = (size_t)AKIN_GPU_RANK_QUEUE * threads;
    return room * sizeof(akin_gpu_found) + queue * (sizeof(double) + sizeof(uint32_t)) +
           threads / AKIN_GPU_RANK_PASS * sizeof(uint32_t);
}

/* Lays the arrays out; `memory` is aligned to 8 bytes. */
AKIN_GPU_FUNCTION void akin_gpu_rank_lay_out(akin_gpu_ranking *r, void *memory, uint32_t room, uint32_t threads)
{
    r->room = room;
    r->found = (akin_gpu_found *)memory;
    r->sums = (double *)(r->found + room);
    r->documents = (uint32_t *)(r->sums + AKIN_GPU_RANK_QUEUE * threads);
    r->blocks = r->documents + AKIN_GPU_RANK_QUEUE * threads;
}

/* ------------------------------------------------------------------------------------------------------------ begin */

/* Each thread; the first one starts then, when all have come so far. */
AKIN_GPU_FUNCTION void akin_gpu_rank_load(akin_gpu_ranking *r, const akin_gpu_rank_batch *batch, uint32_t query,
                                          uint32_t thread, uint32_t threads)
{
    const akin_gpu_rank_query *q = &batch->queries[query];
    const uint32_t terms = q->terms, first = q->first, found = batch->states[query].found;
    for (uint32_t i = thread; i < terms; i += threads)
        r->terms[i] = batch->terms[first + (uint64_t)i];
    for (uint32_t i = thread; i < found; i += threads)
        r->found[i] = batch->found[(uint64_t)query * batch->k + i];
    if (thread == 0) {
        r->query = *q;
        r->at = batch->states[query];
    }
}

AKIN_GPU_FUNCTION void akin_gpu_rank_know_least(akin_gpu_ranking *r)
{
    r->is_full = r->items == r->k;
    if (r->is_full) {
        r->least = r->found[r->k - 1].score;
        r->least_document = r->found[r->k - 1].document;
    }
}

AKIN_GPU_FUNCTION void akin_gpu_rank_start(akin_gpu_ranking *r, const akin_gpu_rank_batch *batch)
{
    const uint32_t terms = r->query.terms;
    r->most[terms] = r->whole[terms] = 0;
    for (uint32_t i = terms; i-- > 0;) {
        r->most[i] = r->most[i + 1] + r->terms[i].most;
        r->whole[i] = r->whole[i + 1] + (r->terms[i].all > 0 ? r->terms[i].all : 0);
    }
    r->k = batch->k;
    r->budget = batch->budget;
    r->spent = 0;
    r->passed = r->scanned = r->scans = 0;
    r->queued = r->taken = r->is_weighing = 0;
    r->items = r->sorted = r->at.found;
    r->least = AKIN_GPU_RANK_LOWEST;
    r->least_document = AKIN_GPU_RANK_NONE;
    akin_gpu_rank_know_least(r);
    if (terms == 0)
        r->at.done = 1;
}

/* ----------------------------------------------------------------------------------------------------------- bounds */

/* Whether a document cannot be good enough for whose score this is a bound. */
AKIN_GPU_FUNCTION int akin_gpu_rank_is_hopeless(const akin_gpu_ranking *r, double bound)
{
    return bound + r->query.slack < r->least;
}

AKIN_GPU_FUNCTION double akin_gpu_rank_lesser(double a, double b)
{
    return a < b ? a : b;
}

/* The most that the terms behind the one at hand add to a document, whose factor is `one` for terms that occur once. */
AKIN_GPU_FUNCTION double akin_gpu_rank_others(const akin_gpu_ranking *r, const akin_gpu_lists *lists, uint32_t document,
                                              double one)
{
    const uint32_t next = r->at.term + 1;
    double sum = 0;
    if (document < lists->late)
        return akin_gpu_rank_lesser(r->most[next], one * r->whole[next]);
    for (uint32_t i = next; i < r->query.terms; i++) {
        const double once = r->terms[i].all * one, more = r->terms[i].more;
        sum += once > more ? once : more;
    }
    return akin_gpu_rank_lesser(r->most[next], sum);
}

/* ----------------------------------------------------------------------------------------------------------- choose */

AKIN_GPU_FUNCTION uint32_t akin_gpu_rank_blocks(const akin_gpu_ranking *r)
{
    const uint32_t count = r->terms[r->at.term].count[r->at.list];
    return count / AKIN_GPU_RANK_BLOCK + (count % AKIN_GPU_RANK_BLOCK > 0);
}

/* Whether what was found is to be sorted before anything else is done: there is no room for more, or the score that is
 * needed can rise. */
AKIN_GPU_FUNCTION int akin_gpu_rank_must_sort(const akin_gpu_ranking *r, uint32_t threads)
{
    return r->items > r->sorted &&
           (r->items + threads > r->room || (r->items >= r->k && (!r->is_full || r->queued == 0)));
}

/* What it costs to weigh a candidate for each thread, and to sort what is found then. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_rank_cost(const akin_gpu_ranking *r)
{
    return AKIN_GPU_RANK_COST_WEIGH * r->query.terms + AKIN_GPU_RANK_COST_SORT;
}

AKIN_GPU_FUNCTION akin_gpu_rank_step akin_gpu_rank_go_weigh(akin_gpu_ranking *r, uint32_t threads)
{
    r->is_weighing = 1;
    r->taken = r->queued < threads ? r->queued : threads;
    r->spent += AKIN_GPU_RANK_COST_WEIGH * r->query.terms;
    return AKIN_GPU_RANK_WEIGHING;
}

AKIN_GPU_FUNCTION akin_gpu_rank_step akin_gpu_rank_go_sort(akin_gpu_ranking *r)
{
    r->spent += AKIN_GPU_RANK_COST_SORT;
    return AKIN_GPU_RANK_SORTING;
}

/* The most blocks that are passed at once: the steps left suffice to weigh all their entries, after those in the queue.
 * There is at least an entry for each thread. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_rank_most_blocks(const akin_gpu_ranking *r, uint32_t threads)
{
    const uint32_t times = (r->budget - r->spent) / akin_gpu_rank_cost(r), waiting = r->queued / threads;
    const uint32_t most = threads / AKIN_GPU_RANK_PASS, each = threads / AKIN_GPU_RANK_BLOCK;
    const uint32_t blocks = times > waiting ? (times - waiting) * each : each;
    return blocks < most ? blocks : most;
}

/* Goes to the next blocks, of this list or the next one; 0: the queue must be empty first, or the launch is over. */
AKIN_GPU_FUNCTION int akin_gpu_rank_go_on(akin_gpu_ranking *r, uint32_t threads)
{
    while (!r->at.done) {
        const uint32_t blocks = akin_gpu_rank_blocks(r);
        if (r->at.block < blocks) {
            if (r->spent >= r->budget)
                return 0;
            const uint32_t most = akin_gpu_rank_most_blocks(r, threads);
            r->from = r->at.block;
            r->until = blocks - r->from < most ? blocks : r->from + most;
            r->at.block = r->until;
            r->passed = r->scanned = 0;
            r->spent += AKIN_GPU_RANK_COST_PASS;
            return 1;
        }
        if (r->at.list == 1 && r->queued > 0)
            return 0;
        r->at.block = 0;
        r->at.list ^= 1;
        if (r->at.list == 0)
            r->at.done = ++r->at.term == r->query.terms || akin_gpu_rank_is_hopeless(r, r->most[r->at.term]);
    }
    return 0;
}

/* The first thread, when all others wait. */
AKIN_GPU_FUNCTION akin_gpu_rank_step akin_gpu_rank_choose(akin_gpu_ranking *r, uint32_t threads)
{
    const uint32_t room = AKIN_GPU_RANK_QUEUE * threads, entries = AKIN_GPU_RANK_SCAN * threads;
    r->queued -= r->taken;
    r->taken = 0;
    r->scans = 0;
    if (akin_gpu_rank_must_sort(r, threads))
        return akin_gpu_rank_go_sort(r);
    if (r->queued == 0)
        r->is_weighing = 0;
    if (r->is_weighing || r->queued + entries > room || (!r->is_full && r->queued >= threads))
        return akin_gpu_rank_go_weigh(r, threads);
    if (r->scanned < r->passed) {
        const uint32_t left = r->passed - r->scanned, most = entries / AKIN_GPU_RANK_BLOCK;
        r->scans = left < most ? left : most;
        r->scanned += r->scans;
        r->spent += AKIN_GPU_RANK_COST_SCAN;
        return AKIN_GPU_RANK_SCANNING;
    }
    if (akin_gpu_rank_go_on(r, threads))
        return AKIN_GPU_RANK_PASSING;
    if (r->queued > 0)
        return akin_gpu_rank_go_weigh(r, threads);
    return r->items > r->sorted ? akin_gpu_rank_go_sort(r) : AKIN_GPU_RANK_STOPPED;
}

/* ---------------------------------------------------------------------------------------------------- pass and scan */

AKIN_GPU_FUNCTION void akin_gpu_rank_pass(akin_gpu_ranking *r, const akin_gpu_lists *lists, uint32_t thread)
{
    const akin_gpu_rank_term *term = &r->terms[r->at.term];
    const uint32_t block = r->from + thread, list = r->at.list, next = r->at.term + 1;
    if (block >= r->until)
        return;
    const double factor = (double)lists->most[term->block[list] + (uint64_t)block];
    double others = r->most[next];
    if (list == 0) {
        const uint64_t end = ((uint64_t)block + 1) * AKIN_GPU_RANK_BLOCK, count = term->count[0];
        if (lists->once[term->first[0] + (end < count ? end : count) - 1] < lists->late)
            others = akin_gpu_rank_lesser(others, factor * r->whole[next]);
    }
    if (!akin_gpu_rank_is_hopeless(r, (term->all > 0 ? term->all * factor : 0) + others))
        r->blocks[akin_gpu_add32(&r->passed, 1)] = block;
}

AKIN_GPU_FUNCTION void akin_gpu_rank_scan_entry(akin_gpu_ranking *r, const akin_gpu_lists *lists,
                                                const akin_gpu_rank_term *term, uint32_t entry)
{
    const uint64_t at = term->first[r->at.list] + entry;
    const uint32_t document = r->at.list == 0 ? lists->once[at] : lists->more[at];
    const double one = lists->ones[document], sum = term->all * (r->at.list == 0 ? one : lists->factors[at]);
    if (akin_gpu_rank_is_hopeless(r, sum + akin_gpu_rank_others(r, lists, document, one)))
        return;
    const uint32_t place = akin_gpu_add32(&r->queued, 1);
    r->documents[place] = document;
    r->sums[place] = sum;
}

AKIN_GPU_FUNCTION void akin_gpu_rank_scan(akin_gpu_ranking *r, const akin_gpu_lists *lists, uint32_t thread,
                                          uint32_t threads)
{
    const akin_gpu_rank_term *term = &r->terms[r->at.term];
    const uint32_t *blocks = r->blocks + (r->scanned - r->scans), entries = r->scans * AKIN_GPU_RANK_BLOCK;
    for (uint32_t i = thread; i < entries; i += threads) {
        const uint64_t entry =
            (uint64_t)blocks[i / AKIN_GPU_RANK_BLOCK] * AKIN_GPU_RANK_BLOCK + i % AKIN_GPU_RANK_BLOCK;
        if (entry < term->count[r->at.list])
            akin_gpu_rank_scan_entry(r, lists, term, (uint32_t)entry);
    }
}

/* ------------------------------------------------------------------------------------------------------------ weigh */

/* Where a document is in a list that ascends, or `count`. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_rank_seek(const uint32_t *documents, uint32_t count, uint32_t document)
{
    const uint32_t low = (uint32_t)akin_gpu_below32(documents, sizeof *documents, count, document);
    return low < count && documents[low] == document ? low : count;
}

/* The factor of a term in a document; -1: it has it not. */
AKIN_GPU_FUNCTION double akin_gpu_rank_factor(const akin_gpu_lists *lists, const akin_gpu_rank_term *term,
                                              uint32_t document, double one)
{
    int may_have[2] = {term->count[0] > 0, document >= lists->late && term->count[1] > 0};
    if (term->bits != AKIN_GPU_RANK_NONE) {
        const uint64_t *words = lists->bits + term->bits * lists->words + (uint64_t)document / 64 * 2;
        if (words[0] >> document % 64 & 1)
            return one;
        may_have[0] = 0;
        may_have[1] = may_have[1] && (words[1] >> document % 64 & 1);
    }
    if (may_have[0] && akin_gpu_rank_seek(lists->once + term->first[0], term->count[0], document) < term->count[0])
        return one;
    if (!may_have[1])
        return -1;
    const uint32_t entry = akin_gpu_rank_seek(lists->more + term->first[1], term->count[1], document);
    return entry < term->count[1] ? lists->factors[term->first[1] + entry] : -1;
}

/* The score as it is defined: token by token. */
AKIN_GPU_FUNCTION double akin_gpu_rank_score(const akin_gpu_ranking *r, const double *factors)
{
    double score = 0;
    for (uint32_t i = 0; i < r->query.tokens; i++) {
        const uint32_t term = r->query.token[i];
        if (factors[term] >= 0)
            score += r->terms[term].scale * factors[term];
    }
    return score;
}

/* Whether a candidate may be good enough by its weights, and is none of an earlier term; then `factors` are those of
 * all terms. */
AKIN_GPU_FUNCTION int akin_gpu_rank_is_wanted(const akin_gpu_ranking *r, const akin_gpu_lists *lists, uint32_t document,
                                              double one, double sum, double *factors)
{
    const uint32_t own = r->at.term;
    const int is_late = document >= lists->late;
    for (uint32_t i = own + 1; i < r->query.terms; i++) {
        const double rest = is_late ? r->most[i] : akin_gpu_rank_lesser(r->most[i], one * r->whole[i]);
        if (akin_gpu_rank_is_hopeless(r, sum + rest))
            return 0;
        factors[i] = akin_gpu_rank_factor(lists, &r->terms[i], document, one);
        sum += factors[i] < 0 ? 0 : r->terms[i].all * factors[i];
    }
    if (akin_gpu_rank_is_hopeless(r, sum))
        return 0;
    for (uint32_t i = 0; i < own; i++) {
        factors[i] = akin_gpu_rank_factor(lists, &r->terms[i], document, one);
        if (factors[i] >= 0)
            return 0;
    }
    factors[own] = akin_gpu_rank_factor(lists, &r->terms[own], document, one);
    return 1;
}

AKIN_GPU_FUNCTION void akin_gpu_rank_weigh(akin_gpu_ranking *r, const akin_gpu_lists *lists, uint32_t thread)
{
    if (thread >= r->taken)
        return;
    const uint32_t place = r->queued - r->taken + thread, document = r->documents[place];
    const double one = lists->ones[document];
    double factors[AKIN_GPU_RANK_TERMS];
    if (!akin_gpu_rank_is_wanted(r, lists, document, one, r->sums[place], factors))
        return;
    akin_gpu_found found;
    found.score = akin_gpu_rank_score(r, factors);
    found.document = lists->numbers[document];
    found.reserved = 0;
    if (found.score < r->least || (found.score == r->least && found.document > r->least_document))
        return;
    r->found[akin_gpu_add32(&r->items, 1)] = found;
}

/* ------------------------------------------------------------------------------------------------------------- sort */

/* The number of items that are sorted: a power of two. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_rank_items(const akin_gpu_ranking *r)
{
    uint32_t items = 2;
    while (items < r->items)
        items *= 2;
    return items;
}

AKIN_GPU_FUNCTION void akin_gpu_rank_pad(akin_gpu_ranking *r, uint32_t items, uint32_t thread, uint32_t threads)
{
    for (uint32_t i = r->items + thread; i < items; i += threads) {
        r->found[i].score = AKIN_GPU_RANK_LOWEST;
        r->found[i].document = AKIN_GPU_RANK_NONE;
        r->found[i].reserved = 0;
    }
}

/* A step of a bitonic sort, best first: runs of `run` items, every other one the other way round, items `stride`
 * apart. */
AKIN_GPU_FUNCTION void akin_gpu_rank_order(akin_gpu_ranking *r, uint32_t items, uint32_t run, uint32_t stride,
                                           uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; i < items / 2; i += threads) {
        const uint32_t low = 2 * i - (i & (stride - 1)), high = low + stride;
        const akin_gpu_found a = r->found[low], b = r->found[high];
        const int is_better = b.score > a.score || (b.score == a.score && b.document < a.document);
        if (is_better == ((low & run) == 0)) {
            r->found[low] = b;
            r->found[high] = a;
        }
    }
}

/* The first thread: keeps the k best. */
AKIN_GPU_FUNCTION void akin_gpu_rank_cut(akin_gpu_ranking *r)
{
    r->items = r->items < r->k ? r->items : r->k;
    r->sorted = r->items;
    akin_gpu_rank_know_least(r);
}

/* -------------------------------------------------------------------------------------------------------------- end */

AKIN_GPU_FUNCTION void akin_gpu_rank_save(akin_gpu_ranking *r, const akin_gpu_rank_batch *batch, uint32_t query,
                                          uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; i < r->items; i += threads)
        batch->found[(uint64_t)query * batch->k + i] = r->found[i];
    if (thread > 0)
        return;
    r->at.found = r->items;
    batch->states[query] = r->at;
    if (!r->at.done)
        batch->left[1 + akin_gpu_add32(batch->left, 1)] = query;
}

/* ------------------------------------------------------------------------------------------------------------ marks */

#ifdef __CUDACC__
AKIN_GPU_FUNCTION void akin_gpu_rank_mark(uint64_t *words, uint32_t list, uint32_t document)
{
    atomicOr((unsigned long long *)&words[(uint64_t)document / 64 * 2 + list], 1ULL << document % 64);
}
#else
AKIN_GPU_FUNCTION void akin_gpu_rank_mark(uint64_t *words, uint32_t list, uint32_t document)
{
    words[(uint64_t)document / 64 * 2 + list] |= (uint64_t)1 << document % 64;
}
#endif

#endif
