/* Survivors by an index of the prefixes of kept documents. */
#include "corpus/survivors.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "corpus/bag_prefix.h"
#include "corpus/shared_hashes.h"
#include "corpus/sources.h"

#include <string.h>

#define STRETCH 1024 /* documents for each thread that are compared with what was kept before */
#define TASK    16   /* documents of a task */
#define SHARED  2    /* the least frequency of a hash that two documents have */

static const char what[] = "the documents that are kept"; /* the memory is for */

/* What a thread has. */
typedef struct worker {
    _Alignas(64) uint8_t *frequencies; /* of the hashes of a bag, */
    uint64_t *sorted;                  /* which are sorted by them */
    uint64_t *arena; /* of the documents of the stretch that the thread prepared: rare hashes, and then the signature */
    akin_entries entries;
    uint64_t frequency_capacity, sorted_capacity, arena_count, arena_capacity;
    uint64_t candidates, compared, refuted;
} worker;

/* A document of the stretch, prepared: its rare hashes are at `begin` of the thread's arena. */
typedef struct prepared {
    uint64_t begin;
    uint32_t thread, all; /* all: rare hashes, of which */
    uint32_t own, kept;   /* so many are in its prefix as a document, and as a kept one */
    akin_index_place place;
    enum { OUTSIDE, ADDED, LINKED } state; /* in the index */
} prepared;

struct akin_survivors {
    akin_account *account;
    akin_account index_account; /* under a bound */
    uint64_t peak_before;       /* of `account`, before the index had its share */
    akin_survivors_options options;
    akin_threshold turned; /* the kept document is the first set */
    akin_kept_index index;
    akin_shared_hashes shared; /* of the stretch at hand */
    int is_full;
    uint64_t *empty;      /* the first empty document of each group, or of all; AKIN_NO_SURVIVOR: none */
    uint32_t empty_group; /* of the first one of all */
    worker *workers;
    prepared *prepared; /* of the stretch at hand */
    uint64_t prepared_capacity;
    uint32_t worker_count;
    akin_survivors_report report;
};

/* ----------------------------------------------------------------------------------------------------------- prefix */

/* Sorts the hashes of a bag that others may have, as far as prefixes of these lengths need it. Returns how many hashes
 * come before these. */
static uint32_t sort_bag(const akin_survivors *s, worker *w, const akin_bag *bag, const uint32_t lengths[2])
{
    const akin_rare *rare = bag->rare;
    if (!rare)
        return akin_bag_prefix_sort(s->options.frequencies, bag->hashes, bag->size, SHARED, lengths, w->frequencies,
                                    w->sorted);
    const uint32_t left[2] = {lengths[0] - akin_min_u32(lengths[0], rare->alone),
                              lengths[1] - akin_min_u32(lengths[1], rare->alone)};
    akin_bag_prefix_order(rare->hashes, rare->counts, rare->count, 1, SHARED, left, w->sorted);
    return rare->alone;
}

/* Puts the rare hashes of a bag into the arena, but not those that this document alone has. */
static void put_prefix(const akin_survivors *s, worker *w, const akin_bag *bag, uint64_t *to, prepared *p)
{
    const uint32_t lengths[2] = {akin_bag_prefix_length(&s->options.threshold, bag->size),
                                 akin_bag_prefix_length(&s->turned, bag->size)};
    const uint32_t longest = akin_max_u32(lengths[0], lengths[1]);
    const uint32_t alone = longest == 0 ? 0 : sort_bag(s, w, bag, lengths);
    const uint64_t *sorted = bag->rare ? w->sorted : w->sorted + alone;
    for (uint32_t i = alone; i < longest; i++) {
        const uint64_t hash = sorted[i - alone];
        if (p->all == 0 || hash != to[p->all - 1])
            to[p->all++] = hash;
        p->own = i < lengths[0] ? p->all : p->own;
        p->kept = i < lengths[1] ? p->all : p->kept;
    }
}

/* Writes the signature of a bag. */
static void put_signature(const akin_bag *bag, uint64_t *to)
{
    if (bag->rare)
        memcpy(to, bag->rare->signature, akin_signature_words(bag->size) * sizeof *to);
    else
        akin_signature_make(bag->hashes, bag->size, to);
}

/* Prepares a document: its prefixes and its signature. */
static akin_status prepare(const akin_survivors *s, uint32_t thread, const akin_bag *bag, prepared *p)
{
    worker *w = &s->workers[thread];
    const uint64_t words = akin_signature_words(bag->size);
    const uint32_t hashes = bag->rare ? bag->rare->count : bag->size;
    *p = (prepared){.begin = w->arena_count, .thread = thread};
    uint8_t *frequencies =
        akin_enlarge(s->account, w->frequencies, &w->frequency_capacity, hashes, sizeof *frequencies);
    if (frequencies)
        w->frequencies = frequencies;
    uint64_t *sorted = akin_enlarge(s->account, w->sorted, &w->sorted_capacity, hashes, sizeof *sorted);
    if (sorted)
        w->sorted = sorted;
    uint64_t *arena =
        akin_enlarge(s->account, w->arena, &w->arena_capacity, w->arena_count + hashes + words, sizeof *arena);
    if (arena)
        w->arena = arena;
    if (!frequencies || !sorted || !arena)
        return AKIN_E_NOMEM;
    put_prefix(s, w, bag, arena + p->begin, p);
    if (p->all > 0) /* else it has no partner */
        put_signature(bag, arena + p->begin + p->all);
    w->arena_count += p->all + (p->all > 0 ? words : 0);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------- comparison */

/* The rare hashes of a document. */
static const uint64_t *hashes_of(const akin_survivors *s, const prepared *p)
{
    return s->workers[p->thread].arena + p->begin;
}

/* A document that is looked up, by a thread. */
typedef struct lookup {
    const akin_survivors *survivors;
    worker *worker;
    const akin_bag *bag;
    const uint64_t *signature;
} lookup;

/* Whether an entry may be like the document. */
static int may_be_alike(void *user, uint32_t entry)
{
    const lookup *l = user;
    const akin_survivors *s = l->survivors;
    const akin_index_entry *e = &s->index.entries[entry];
    if (!akin_sources_are_compared(s->options.comparing, l->bag->group, e->group))
        return 0;
    const int64_t most = akin_threshold_distance(&s->options.threshold, l->bag->size, e->size);
    l->worker->candidates++;
    return most >= 0 && akin_kept_index_distance(&s->index, l->signature, l->bag->size, entry) <= (uint64_t)most;
}

/* Compares a document with an entry by their texts. *verdict is set if they are alike. */
static akin_status compare(const akin_survivors *s, uint32_t thread, const akin_bag *bag, uint32_t entry,
                           akin_verdict *verdict)
{
    const akin_index_entry *e = &s->index.entries[entry];
    const uint64_t needed = akin_threshold_overlap(&s->options.threshold, bag->size, e->size);
    worker *w = &s->workers[thread];
    uint32_t common = 0;
    w->compared++;
    const akin_status status = s->options.common(s->options.user, thread, bag->document, e->document, &common);
    if (status == AKIN_OK && common >= needed)
        *verdict = (akin_verdict){e->document, common, e->size};
    w->refuted += status == AKIN_OK && common < needed;
    return status;
}

/* Finds the first of the entries from `first` on that is like a document. */
static akin_status find_survivor(const akin_survivors *s, uint32_t thread, const akin_bag *bag, const prepared *p,
                                 uint32_t first, akin_verdict *verdict)
{
    worker *w = &s->workers[thread];
    const uint64_t *hashes = hashes_of(s, p);
    lookup l = {s, w, bag, hashes + p->all};
    const akin_entries_wanted wanted = {first, akin_threshold_smallest(&s->options.threshold, bag->size),
                                        akin_threshold_largest(&s->options.threshold, bag->size), may_be_alike, &l};
    akin_status status = akin_kept_index_find(&s->index, hashes, p->own, &wanted, s->account, &w->entries);
    for (uint64_t i = 0; i < w->entries.count && status == AKIN_OK && verdict->survivor == AKIN_NO_SURVIVOR; i++)
        status = compare(s, thread, bag, w->entries.list[i], verdict);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- stretch */

/*
 * Documents of a batch, in four steps. All threads do the others than `keep`:
 *
 *     compare    with what was kept before the stretch
 *     share      the hashes of documents that no survivor was found for: which of them do others of these have?
 *     keep       one document after another: those that share a hash are compared with what was kept of the stretch
 *     link       what was kept: the index finds it from now on
 */
typedef struct stretch {
    akin_survivors *survivors;
    const akin_bag *bags;
    akin_verdict *verdicts;
    uint64_t count;
} stretch;

/* Whether a document comes to the last step with its hashes. */
static int is_open(const stretch *t, uint64_t i)
{
    return t->bags[i].size > 0 && t->verdicts[i].survivor == AKIN_NO_SURVIVOR;
}

static akin_status compare_task(void *argument, uint64_t task, uint32_t thread)
{
    const stretch *t = argument;
    akin_survivors *s = t->survivors;
    const uint64_t end = akin_min_u64((task + 1) * TASK, t->count);
    akin_status status = AKIN_OK;
    for (uint64_t i = task * TASK; i < end && status == AKIN_OK; i++) {
        t->verdicts[i] = (akin_verdict){AKIN_NO_SURVIVOR, 0, 0};
        if (t->bags[i].size > 0)
            status = prepare(s, thread, &t->bags[i], &s->prepared[i]);
        if (t->bags[i].size > 0 && status == AKIN_OK)
            status = find_survivor(s, thread, &t->bags[i], &s->prepared[i], 0, &t->verdicts[i]);
    }
    return status;
}

static akin_status share_task(void *argument, uint64_t task, uint32_t thread)
{
    const stretch *t = argument;
    akin_survivors *s = t->survivors;
    const uint64_t end = akin_min_u64((task + 1) * TASK, t->count);
    (void)thread;
    for (uint64_t i = task * TASK; i < end; i++)
        if (is_open(t, i))
            akin_shared_hashes_add(&s->shared, hashes_of(s, &s->prepared[i]), s->prepared[i].all);
    return AKIN_OK;
}

/* Whether another such document of the stretch may share a hash with a document. */
static int may_share(const akin_survivors *s, const prepared *p)
{
    const uint64_t *hashes = hashes_of(s, p);
    int found = 0;
    for (uint32_t i = 0; i < p->all && !found; i++)
        found = akin_shared_hashes_has(&s->shared, hashes[i]);
    return found;
}

/* Empty documents are like the first one of those that they are compared with. */
static void take_empty(akin_survivors *s, const akin_bag *bag, akin_verdict *verdict)
{
    if (bag->is_alone) {
        s->report.kept++;
        return;
    }
    uint64_t *first = s->options.comparing == AKIN_COMPARE_WITHIN ? &s->empty[bag->group] : s->empty;
    if (*first != AKIN_NO_SURVIVOR && (s->options.comparing == AKIN_COMPARE_WITHIN ||
                                       akin_sources_are_compared(s->options.comparing, bag->group, s->empty_group))) {
        verdict->survivor = *first;
        return;
    }
    if (*first == AKIN_NO_SURVIVOR) {
        *first = bag->document;
        s->empty_group = bag->group;
    }
    s->report.kept++;
}

static akin_indexable indexable_of(const akin_survivors *s, const akin_bag *bag, const prepared *p)
{
    const uint64_t *hashes = hashes_of(s, p);
    return (akin_indexable){hashes, hashes + p->all, bag->document, p->kept, bag->size, bag->group};
}

/* Keeps a document, and adds it to the index if another document can share a hash of its prefix; or else leaves it to
 * the next round. */
static akin_status keep(akin_survivors *s, const akin_bag *bag, prepared *p, akin_verdict *verdict)
{
    const akin_indexable own = indexable_of(s, bag, p);
    akin_status status = AKIN_OK;
    if (p->kept > 0 && !s->is_full) {
        status = akin_kept_index_add(&s->index, &own, &p->place);
        p->state = status == AKIN_OK ? ADDED : OUTSIDE;
    }
    if (s->index_account.limit && status == AKIN_E_NOMEM && s->index.entry_count > 0) {
        s->is_full = 1;
        status = AKIN_OK;
    }
    if (s->is_full && p->all > 0)
        verdict->survivor = AKIN_UNDECIDED;
    else if (status == AKIN_OK) {
        s->report.kept++;
        s->report.indexed += p->kept > 0;
        s->report.postings += p->kept;
    }
    return status;
}

/* Decides about a document for which the threads found no survivor. Others of the stretch may find it if it shares a
 * hash with one. */
static akin_status take_open(stretch *t, uint64_t i, uint32_t before)
{
    akin_survivors *s = t->survivors;
    prepared *p = &s->prepared[i];
    const int shares = may_share(s, p);
    akin_status status = AKIN_OK;
    if (shares && s->index.entry_count > before)
        status = find_survivor(s, 0, &t->bags[i], p, before, &t->verdicts[i]);
    if (status == AKIN_OK && t->verdicts[i].survivor == AKIN_NO_SURVIVOR)
        status = keep(s, &t->bags[i], p, &t->verdicts[i]);
    if (shares && p->state == ADDED) {
        const akin_indexable own = indexable_of(s, &t->bags[i], p);
        akin_kept_index_link(&s->index, &own, &p->place);
        p->state = LINKED;
    }
    return status;
}

/* Links what was kept of the stretch. */
static akin_status link_task(void *argument, uint64_t task, uint32_t thread)
{
    const stretch *t = argument;
    const akin_survivors *s = t->survivors;
    const uint64_t end = akin_min_u64((task + 1) * TASK, t->count);
    (void)thread;
    for (uint64_t i = task * TASK; i < end; i++)
        if (t->bags[i].size > 0 && s->prepared[i].state == ADDED) {
            const akin_indexable own = indexable_of(s, &t->bags[i], &s->prepared[i]);
            akin_kept_index_link(&s->index, &own, &s->prepared[i].place);
        }
    return AKIN_OK;
}

/* Runs both steps of all threads. */
static akin_status compare_stretch(const akin_scope *scope, stretch *t)
{
    akin_survivors *s = t->survivors;
    const uint64_t tasks = akin_ceil_div(t->count, TASK);
    uint64_t hashes = 0;
    for (uint32_t i = 0; i < s->worker_count; i++)
        s->workers[i].arena_count = 0;
    akin_status status = akin_parallel(scope, NULL, tasks, compare_task, t);
    for (uint64_t i = 0; i < t->count && status == AKIN_OK; i++)
        hashes += is_open(t, i) ? s->prepared[i].all : 0;
    if (status == AKIN_OK)
        status = akin_kept_index_expect(scope, &s->index, hashes);
    if (status == AKIN_OK)
        status = akin_shared_hashes_begin(&s->shared, hashes);
    return status == AKIN_OK ? akin_parallel(scope, NULL, tasks, share_task, t) : status;
}

static akin_status take_stretch(const akin_scope *scope, stretch *t)
{
    akin_survivors *s = t->survivors;
    const uint32_t before = (uint32_t)s->index.entry_count;
    akin_status status = compare_stretch(scope, t);
    for (uint64_t i = 0; i < t->count && status == AKIN_OK; i++) {
        if (t->bags[i].size == 0)
            take_empty(s, &t->bags[i], &t->verdicts[i]);
        else if (is_open(t, i))
            status = take_open(t, i, before);
    }
    return status == AKIN_OK ? akin_parallel(scope, NULL, akin_ceil_div(t->count, TASK), link_task, t) : status;
}

/* Makes a worker for each thread, and room for a stretch. */
static akin_status reserve_workers(akin_survivors *s, uint32_t threads, uint64_t stretch)
{
    prepared *all = akin_enlarge(s->account, s->prepared, &s->prepared_capacity, stretch, sizeof *all);
    if (!all)
        return AKIN_E_NOMEM;
    s->prepared = all;
    if (threads <= s->worker_count)
        return AKIN_OK;
    worker *workers = akin_resize(s->account, s->workers, threads, sizeof *workers);
    if (!workers)
        return AKIN_E_NOMEM;
    s->workers = workers;
    memset(workers + s->worker_count, 0, (threads - s->worker_count) * sizeof *workers);
    s->worker_count = threads;
    return AKIN_OK;
}

akin_status akin_survivors_add(const akin_scope *scope, akin_survivors *survivors, const akin_bag *bags, uint64_t count,
                               akin_verdict *verdicts, akin_error *error)
{
    akin_survivors *s = survivors;
    const uint64_t most = akin_min_u64((uint64_t)STRETCH * scope->threads, count);
    akin_status status = reserve_workers(s, scope->threads, most);
    for (uint64_t at = 0; at < count && status == AKIN_OK; at += most) {
        stretch t = {s, bags + at, verdicts + at, akin_min_u64(most, count - at)};
        status = take_stretch(scope, &t);
    }
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, AKIN_E_LIMIT, "more than %u documents, or hashes of them, are indexed", UINT32_MAX);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* ----------------------------------------------------------------------------------------------------------- object */

/* The index has an account of its own under a bound, so that it is known when it is full. */
static akin_status begin_index(akin_survivors *s)
{
    const uint64_t most = s->account ? akin_budget_within(s->account) : 0;
    s->index.account = s->account;
    if (most == 0)
        return AKIN_OK;
    s->peak_before = s->account->peak;
    if (!akin_account_reserve(s->account, most))
        return AKIN_E_NOMEM;
    s->index_account.limit = most;
    s->index.account = &s->index_account;
    return AKIN_OK;
}

akin_status akin_survivors_create(akin_account *account, const akin_survivors_options *options, akin_survivors **out,
                                  akin_error *error)
{
    akin_survivors *s = akin_alloc_zero(account, 1, sizeof *s);
    if (!s)
        return akin_fail_memory(error, what);
    s->account = account;
    s->options = *options;
    s->turned = akin_threshold_turn(&options->threshold);
    s->report.rounds = 1;
    s->shared.account = account;
    s->index.hamming = akin_hamming_choose(options->cpu);
    s->empty = akin_alloc(account, options->groups, sizeof *s->empty);
    const akin_status status = s->empty ? begin_index(s) : AKIN_E_NOMEM;
    if (status != AKIN_OK) {
        akin_survivors_free(s);
        return akin_fail_memory(error, what);
    }
    memset(s->empty, 0xff, options->groups * sizeof *s->empty);
    *out = s;
    return AKIN_OK;
}

void akin_survivors_free(akin_survivors *survivors)
{
    akin_survivors *s = survivors;
    if (!s)
        return;
    for (uint32_t i = 0; i < s->worker_count; i++) {
        akin_free(s->workers[i].frequencies);
        akin_free(s->workers[i].sorted);
        akin_free(s->workers[i].arena);
        akin_entries_clear(&s->workers[i].entries);
    }
    akin_free(s->workers);
    akin_free(s->prepared);
    akin_free(s->empty);
    akin_kept_index_clear(&s->index);
    akin_shared_hashes_clear(&s->shared);
    if (s->index_account.limit)
        akin_account_release(s->account, s->index_account.limit);
    akin_free(s);
}

void akin_survivors_begin_round(akin_survivors *survivors)
{
    akin_kept_index_clear(&survivors->index);
    survivors->is_full = 0;
    survivors->report.rounds++;
}

void akin_survivors_describe(const akin_survivors *survivors, akin_survivors_report *out)
{
    const akin_account *account = survivors->account, *index = &survivors->index_account;
    const uint64_t peak = account ? account->peak : 0, unused = index->limit - index->peak;
    *out = survivors->report;
    out->memory_peak = akin_max_u64(survivors->peak_before, peak - akin_min_u64(peak, unused));
    for (uint32_t i = 0; i < survivors->worker_count; i++) {
        out->candidates += survivors->workers[i].candidates;
        out->compared += survivors->workers[i].compared;
        out->refuted += survivors->workers[i].refuted;
    }
}
