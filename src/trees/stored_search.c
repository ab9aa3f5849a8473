/* Searches stored trees. */
#include "trees/stored_search.h"

#include "base/bits.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "trees/verifier.h"

#define BLOCK  (UINT64_C(1) << 20) /* trees that are found at once, about */
#define NO_KEY UINT64_MAX

static const char what[] = "a search of trees"; /* the memory is for */

typedef struct worker {
    _Alignas(64) akin_tree_lookup lookup;
    akin_tree_verifier verifier;
    akin_cancellation cancellation; /* of this */
    akin_stored_room room;
    uint64_t *order; /* keys of candidates, with the bound above the place */
    uint64_t candidates, compared;
} worker;

/* What was found for a query. */
typedef struct answer {
    uint32_t count;
    akin_certificate certificate;
} answer;

typedef struct searching {
    const akin_scope *scope;
    akin_account account;
    const akin_stored_trees *trees;
    akin_stored_wanted wanted;
    akin_tree_side side; /* the queries */
    akin_tree_ranks ranks;
    uint32_t *places; /* of queries, by row; UINT32_MAX: it has no tree */
    worker *workers;
    uint64_t *keys;
    answer *answers;
    uint32_t first; /* of the block at hand */
    atomic_int cancelled;
} searching;

/* ---------------------------------------------------------------------------------------------------------- queries */

/* The ranks of the labels of queries, and in *numbers what stands for each in the nodes: its rank, or if no tree has it
 * a number of its own. */
static akin_status rank_labels(searching *s, const akin_dictionary *dictionary, uint32_t **numbers, akin_error *error)
{
    const uint32_t count = akin_dictionary_count(dictionary), labels = s->trees->head.labels;
    akin_status status = AKIN_OK;
    s->ranks = (akin_tree_ranks){akin_alloc(&s->account, count, sizeof *s->ranks.rank), labels + 1};
    *numbers = akin_alloc(&s->account, count, sizeof **numbers);
    if (!s->ranks.rank || !*numbers)
        return akin_fail_memory(error, what);
    if (count > UINT32_MAX - labels - 1)
        return akin_fail(error, AKIN_E_LIMIT, "the trees have more than 2^32 labels");
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        const char *bytes;
        size_t length;
        status = akin_dictionary_string(dictionary, i, &bytes, &length, error);
        if (status != AKIN_OK)
            break;
        s->ranks.rank[i] = akin_stored_rank(s->trees, bytes, length);
        (*numbers)[i] = s->ranks.rank[i] ? s->ranks.rank[i] : labels + 1 + i;
    }
    return status;
}

static akin_status place_queries(searching *s, uint32_t rows, akin_error *error)
{
    s->places = akin_alloc(&s->account, rows, sizeof *s->places);
    if (!s->places)
        return akin_fail_memory(error, what);
    for (uint32_t row = 0; row < rows; row++)
        s->places[row] = UINT32_MAX;
    for (uint32_t place = 0; place < s->side.count; place++)
        s->places[s->side.rows[place]] = place;
    return AKIN_OK;
}

static akin_status read_queries(searching *s, const akin_column *queries, uint32_t rows, akin_error *error)
{
    const akin_stored_head *head = &s->trees->head;
    akin_dictionary *dictionary = NULL;
    uint32_t *numbers = NULL;
    akin_status status = akin_dictionary_create_within(s->scope, &dictionary, error);
    if (status == AKIN_OK)
        status = akin_tree_collection_make(s->scope, &s->account, (akin_tree_format)head->format, queries, rows,
                                           "the queries", dictionary, &s->side.trees, error);
    if (status == AKIN_OK)
        status = rank_labels(s, dictionary, &numbers, error);
    if (status == AKIN_OK)
        status = akin_tree_side_make(s->scope, &s->account, &s->ranks, head->marks, &s->side, error);
    if (status == AKIN_OK) {
        akin_tree_collection_renumber(&s->side.trees, numbers);
        status = place_queries(s, rows, error);
    }
    akin_free(numbers);
    akin_dictionary_free(dictionary);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- searching */

/* A query on its way. */
typedef struct probe {
    uint32_t place, most; /* most: the largest distance that is still wanted */
    akin_heap heap;
} probe;

static int is_worse_key(const void *unused, uint64_t a, uint64_t b)
{
    (void)unused;
    return a > b;
}

/* A distance that a query and a tree have at least. Counts stop at 255, so sizes may say more. */
static uint32_t bound_of(const searching *s, uint32_t probe, uint32_t place)
{
    const uint32_t own = akin_tree_at(&s->side, probe)->nodes, other = akin_tree_at(&s->trees->side, place)->nodes;
    return akin_max_u32(akin_tree_labels_apart(s->side.buckets + (uint64_t)probe * AKIN_TREE_BUCKETS,
                                               s->trees->side.buckets + (uint64_t)place * AKIN_TREE_BUCKETS),
                        own > other ? own - other : other - own);
}

/* Puts places in the order of their bounds, those that are at most `most`. places NULL: 0 to count - 1. */
static uint64_t order_places(const searching *s, worker *w, uint32_t probe, const uint32_t *places, uint32_t count,
                             uint32_t most)
{
    uint64_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = places ? places[i] : i;
        const uint32_t bound = bound_of(s, probe, place);
        if (bound <= most)
            w->order[kept++] = (uint64_t)bound << 32 | place;
    }
    akin_sort_u64(w->order, kept);
    w->candidates += kept;
    return kept;
}

/* Whether a row is among what was found: by the index, when bounds are used. */
static int is_held(const akin_heap *heap, uint32_t row)
{
    for (uint32_t i = 0; i < heap->held; i++)
        if ((uint32_t)heap->keys[i] == row)
            return 1;
    return 0;
}

/* Compares a query with the trees that are in order. *left: how many comparisons are left; *is_whole: none was missing.
 */
static akin_status compare_places(const searching *s, worker *w, probe *p, uint64_t count, uint64_t *left,
                                  int *is_whole)
{
    const akin_tree *own = akin_tree_at(&s->side, p->place);
    *is_whole = 1;
    for (uint64_t i = 0; i < count && w->order[i] >> 32 <= p->most; i++) {
        const uint32_t place = (uint32_t)w->order[i], row = s->trees->side.rows[place];
        uint32_t distance = 0;
        uint64_t dropped;
        akin_tree other;
        if (is_held(&p->heap, row))
            continue;
        if (*left == 0) {
            *is_whole = 0;
            return AKIN_OK;
        }
        --*left;
        w->compared++;
        akin_status status = akin_stored_bring(s->trees, place, &w->room, &other);
        if (status == AKIN_OK && !akin_tree_verify(&w->verifier, own, &other, p->most, NULL, &distance))
            status = akin_tree_verifier_failure(&w->verifier);
        if (status != AKIN_OK)
            return status;
        if (distance == AKIN_BAND_FAR)
            continue;
        akin_heap_offer(&p->heap, (uint64_t)distance << 32 | row, NO_KEY, &dropped);
        if (akin_heap_is_full(&p->heap)) /* an equal distance may be that of a row before */
            p->most = (uint32_t)(p->heap.keys[0] >> 32);
    }
    return AKIN_OK;
}

/* Finds what the index finds. */
static akin_status search_index(const searching *s, worker *w, probe *p, uint64_t *left, akin_certificate *proof)
{
    const uint32_t radius = akin_min_u32(s->wanted.within, s->trees->index.most);
    int is_whole;
    akin_tree_index_look_up(&s->trees->index, &s->side, p->place, s->trees->side.count, radius, &w->lookup);
    p->most = radius;
    const uint64_t count = order_places(s, w, p->place, w->lookup.found, w->lookup.count, radius);
    const akin_status status = compare_places(s, w, p, count, left, &is_whole);
    if (is_whole && (akin_heap_is_full(&p->heap) || radius == s->wanted.within))
        *proof = AKIN_CERTIFIED_BY_COUNT;
    return status;
}

/* Finds what is missing, with all trees in the order of their bounds. */
static akin_status search_bounds(const searching *s, worker *w, probe *p, uint64_t *left, akin_certificate *proof)
{
    int is_whole;
    p->most = akin_heap_is_full(&p->heap) ? (uint32_t)(p->heap.keys[0] >> 32) : s->wanted.within;
    const uint64_t count = order_places(s, w, p->place, NULL, s->trees->side.count, p->most);
    const akin_status status = compare_places(s, w, p, count, left, &is_whole);
    if (is_whole)
        *proof = AKIN_CERTIFIED_BY_SCAN;
    return status;
}

static akin_status search_query(void *argument, uint64_t task, uint32_t thread)
{
    const searching *s = argument;
    worker *w = &s->workers[thread];
    answer *a = &s->answers[task];
    probe p = {.place = s->places[s->first + task],
               .heap = {s->keys + task * s->wanted.k, 0, s->wanted.k, is_worse_key, NULL}};
    uint64_t left = s->wanted.candidates ? s->wanted.candidates : UINT64_MAX;
    akin_status status = AKIN_OK;
    *a = (answer){0, AKIN_CERTIFICATE_NONE};
    if (p.place == UINT32_MAX) {
        a->certificate = AKIN_CERTIFIED_BY_COUNT;
        return AKIN_OK;
    }
    if (!s->wanted.by_bounds)
        status = search_index(s, w, &p, &left, &a->certificate);
    if (status == AKIN_OK && a->certificate == AKIN_CERTIFICATE_NONE)
        status = search_bounds(s, w, &p, &left, &a->certificate);
    akin_heap_sort(&p.heap);
    a->count = p.heap.held;
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

static akin_status begin_workers(searching *s, akin_error *error)
{
    const uint32_t places = s->trees->side.count;
    s->workers = akin_alloc_zero(&s->account, s->scope->threads, sizeof *s->workers);
    if (!s->workers)
        return akin_fail_memory(error, what);
    for (uint32_t t = 0; t < s->scope->threads; t++) {
        s->workers[t].cancellation = (akin_cancellation){s->scope, &s->cancelled, t, 0};
        akin_tree_verifier_begin(&s->workers[t].verifier, &s->account, &s->workers[t].cancellation);
        s->workers[t].room.account = &s->account;
    }
    for (uint32_t t = 0; t < s->scope->threads; t++) {
        worker *w = &s->workers[t];
        const int has_lookup = akin_tree_lookup_begin(&s->account, &s->trees->index, &w->lookup);
        w->order = akin_alloc(&s->account, places, sizeof *w->order);
        if (!has_lookup || !w->order)
            return akin_fail_memory(error, what);
    }
    return AKIN_OK;
}

static void clear_search(searching *s)
{
    for (uint32_t t = 0; t < s->scope->threads && s->workers; t++) {
        akin_tree_lookup_clear(&s->workers[t].lookup);
        akin_tree_verifier_clear(&s->workers[t].verifier);
        akin_stored_room_clear(&s->workers[t].room);
        akin_free(s->workers[t].order);
    }
    akin_free(s->workers);
    akin_free(s->keys);
    akin_free(s->answers);
    akin_free(s->places);
    akin_free(s->ranks.rank);
    akin_tree_side_clear(&s->side);
}

/* Answers blocks of queries, and hands the answers on. */
static akin_status answer_queries(searching *s, uint32_t rows, akin_stored_sink sink, void *user, akin_error *error)
{
    const uint64_t block = akin_max_u64(1, akin_min_u64(rows, BLOCK / s->wanted.k));
    s->keys = akin_alloc(&s->account, block * s->wanted.k, sizeof *s->keys);
    s->answers = akin_alloc(&s->account, block, sizeof *s->answers);
    if (!s->keys || !s->answers)
        return akin_fail_memory(error, what);
    for (uint64_t first = 0; first < rows; first += block) {
        const uint64_t count = akin_min_u64(block, rows - first);
        s->first = (uint32_t)first;
        const akin_status status = akin_parallel_long(s->scope, "searching", count, search_query, s, &s->cancelled);
        if (status != AKIN_OK)
            return akin_fail_stopped(error, status, what);
        for (uint64_t q = 0; q < count; q++) {
            const answer *a = &s->answers[q];
            if (sink(user, (uint32_t)(first + q), s->keys + q * s->wanted.k, a->count, a->certificate) != 0)
                return akin_fail(error, AKIN_E_CANCELLED, "cancelled by the sink of a search");
        }
    }
    return AKIN_OK;
}

akin_status akin_stored_search(const akin_scope *scope, const akin_stored_trees *trees, const akin_column *queries,
                               uint32_t rows, const akin_stored_wanted *wanted, akin_stored_sink sink, void *user,
                               akin_stored_report *report, int *damaged, akin_error *error)
{
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    searching s = {.scope = &few, .trees = trees, .wanted = *wanted};
    akin_account_begin(&s.account, scope);
    s.wanted.k = akin_min_u32(wanted->k, akin_max_u32(trees->side.count, 1));
    *damaged = 0;
    akin_status status = read_queries(&s, queries, rows, error);
    if (status == AKIN_OK)
        status = begin_workers(&s, error);
    if (status == AKIN_OK) {
        status = answer_queries(&s, rows, sink, user, error);
        *damaged = status == AKIN_E_INPUT;
    }
    for (uint32_t t = 0; t < few.threads && s.workers; t++) {
        report->candidates += s.workers[t].candidates;
        report->compared += s.workers[t].compared;
    }
    clear_search(&s);
    return status;
}
