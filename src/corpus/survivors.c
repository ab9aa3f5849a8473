/* Survivors by an index of the prefixes of kept documents. */
#include "corpus/survivors.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "corpus/shingles.h"

#include <string.h>

#define STRETCH 64         /* documents of a batch for each thread; the rest of a batch is compared by one thread */
#define NONE    UINT32_MAX /* no posting */
#define LEAST   1024       /* slots */

static const char what[] = "the documents that are kept"; /* the memory is for */

/* A kept document that is indexed. */
typedef struct kept {
    uint64_t document, begin; /* begin: of its hashes */
    uint32_t size;
} kept;

/* A hash of the prefix of a kept document. */
typedef struct posting {
    uint64_t hash;
    uint32_t kept, next; /* next: an older posting of the slot */
} posting;

/* What a thread has: the hashes of a prefix that are indexed, and candidates. */
typedef struct worker {
    akin_u128 *keys; /* frequency and hash of each hash of a bag */
    uint32_t *candidates;
    uint64_t key_capacity, candidate_capacity, candidate_count;
    uint64_t candidates_all, compared, refuted;
} worker;

struct akin_survivors {
    akin_account *account;
    akin_threshold threshold, turned; /* turned: the kept document is the first set */
    const akin_frequencies *frequencies;
    akin_common_shingles common;
    void *user;
    uint64_t *hashes; /* of indexed documents */
    uint64_t hash_count, hash_capacity;
    kept *list;
    uint64_t indexed, kept_capacity;
    posting *postings;
    uint64_t posting_count, posting_capacity;
    uint32_t *slots; /* the newest posting of each */
    uint64_t slot_count;
    uint64_t empty; /* the first empty document; AKIN_NO_SURVIVOR: none */
    worker *workers;
    uint32_t worker_count;
    akin_survivors_report report;
};

static uint64_t slot_of(const akin_survivors *s, uint64_t hash)
{
    return (uint64_t)((akin_u128)(hash * UINT64_C(0xd6e8feb86659fd93)) * s->slot_count >> 64);
}

/* ----------------------------------------------------------------------------------------------------------- prefix */

/* How many hashes of a bag a partner may lack, and one more; 0: there is no partner. `seen` has the bag as the first
 * set. */
static uint32_t prefix_length(const akin_threshold *seen, uint32_t size)
{
    const uint64_t smallest = akin_threshold_smallest(seen, size);
    if (smallest > akin_threshold_largest(seen, size))
        return 0;
    const uint64_t overlap = akin_threshold_overlap(seen, size, smallest);
    return overlap > size ? 0 : (uint32_t)(size - overlap + 1);
}

/* Lists the hashes of a prefix that several documents may have: *count of them, in w->keys. */
static akin_status list_prefix(const akin_survivors *s, worker *w, const akin_bag *bag, uint32_t length,
                               uint32_t *count)
{
    akin_u128 *keys = akin_enlarge(s->account, w->keys, &w->key_capacity, bag->size, sizeof *keys);
    *count = 0;
    if (!keys)
        return AKIN_E_NOMEM;
    w->keys = keys;
    uint32_t several = 0;
    for (uint32_t i = 0; i < bag->size; i++) {
        const uint32_t frequency = akin_frequency_of(s->frequencies, bag->hashes[i]);
        keys[several] = (akin_u128)frequency << 64 | bag->hashes[i];
        several += frequency > 1;
    }
    const uint32_t own = bag->size - several; /* they come first */
    if (own >= length)
        return AKIN_OK;
    akin_sort_u128(keys, several);
    for (uint32_t i = 0; i < length - own; i++)
        if (*count == 0 || keys[*count - 1] != keys[i])
            keys[(*count)++] = keys[i];
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------- candidates */

/* Adds the kept documents from `first` on that have a hash. Postings are older and older. */
static akin_status add_candidates(const akin_survivors *s, worker *w, uint64_t hash, uint32_t first, uint64_t least,
                                  uint64_t most)
{
    for (uint32_t at = s->slots[slot_of(s, hash)]; at != NONE; at = s->postings[at].next) {
        const posting *p = &s->postings[at];
        if (p->kept < first)
            break;
        const uint32_t size = s->list[p->kept].size;
        if (p->hash != hash || size < least || size > most)
            continue;
        uint32_t *candidates =
            akin_enlarge(s->account, w->candidates, &w->candidate_capacity, w->candidate_count + 1, sizeof *candidates);
        if (!candidates)
            return AKIN_E_NOMEM;
        w->candidates = candidates;
        candidates[w->candidate_count++] = p->kept;
    }
    return AKIN_OK;
}

/* Compares a document with a kept one. *verdict is set if they are alike. */
static akin_status compare(const akin_survivors *s, worker *w, const akin_bag *bag, uint32_t candidate,
                           akin_verdict *verdict)
{
    const kept *k = &s->list[candidate];
    const uint64_t needed = akin_threshold_overlap(&s->threshold, bag->size, k->size);
    uint32_t common = akin_shingles_common(bag->hashes, bag->size, s->hashes + k->begin, k->size);
    akin_status status = AKIN_OK;
    w->compared++;
    if (common < needed)
        return AKIN_OK;
    if (s->common)
        status = s->common(s->user, (uint32_t)(w - s->workers), bag->document, k->document, &common);
    if (status == AKIN_OK && common >= needed)
        *verdict = (akin_verdict){k->document, common, k->size};
    w->refuted += status == AKIN_OK && common < needed;
    return status;
}

/* Finds the first of the kept documents from `first` on that is like a document. */
static akin_status find_survivor(const akin_survivors *s, worker *w, const akin_bag *bag, uint32_t first,
                                 akin_verdict *verdict)
{
    const uint64_t least = akin_threshold_smallest(&s->threshold, bag->size);
    const uint64_t most = akin_threshold_largest(&s->threshold, bag->size);
    uint32_t count;
    akin_status status = list_prefix(s, w, bag, prefix_length(&s->threshold, bag->size), &count);
    w->candidate_count = 0;
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        status = add_candidates(s, w, (uint64_t)w->keys[i], first, least, most);
    akin_sort_u32(w->candidates, w->candidate_count);
    for (uint64_t i = 0; i < w->candidate_count && status == AKIN_OK && verdict->survivor == AKIN_NO_SURVIVOR; i++) {
        if (i > 0 && w->candidates[i] == w->candidates[i - 1])
            continue;
        w->candidates_all++;
        status = compare(s, w, bag, w->candidates[i], verdict);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ index */

/* Makes slots for that many postings. */
static akin_status reserve_slots(akin_survivors *s, uint64_t postings)
{
    if (postings <= s->slot_count)
        return AKIN_OK;
    const uint64_t count = akin_max_u64(LEAST, 2 * postings);
    uint32_t *slots = akin_alloc(s->account, count, sizeof *slots);
    if (!slots)
        return AKIN_E_NOMEM;
    akin_free(s->slots);
    s->slots = slots;
    s->slot_count = count;
    memset(slots, 0xff, count * sizeof *slots);
    for (uint32_t i = 0; i < s->posting_count; i++) { /* the newest of a slot comes first again */
        const uint64_t slot = slot_of(s, s->postings[i].hash);
        s->postings[i].next = slots[slot];
        slots[slot] = i;
    }
    return AKIN_OK;
}

static akin_status reserve_index(akin_survivors *s, uint64_t hashes, uint64_t postings)
{
    uint64_t *kept_hashes =
        akin_enlarge(s->account, s->hashes, &s->hash_capacity, s->hash_count + hashes, sizeof *kept_hashes);
    if (kept_hashes)
        s->hashes = kept_hashes;
    kept *list = akin_enlarge(s->account, s->list, &s->kept_capacity, s->indexed + 1, sizeof *list);
    if (list)
        s->list = list;
    posting *all =
        akin_enlarge(s->account, s->postings, &s->posting_capacity, s->posting_count + postings, sizeof *all);
    if (all)
        s->postings = all;
    return kept_hashes && list && all ? reserve_slots(s, s->posting_count + postings) : AKIN_E_NOMEM;
}

/* Keeps a document. It is indexed if another document can share a hash of its prefix. */
static akin_status keep(akin_survivors *s, worker *w, const akin_bag *bag)
{
    uint32_t count;
    akin_status status = list_prefix(s, w, bag, prefix_length(&s->turned, bag->size), &count);
    s->report.kept++;
    if (status != AKIN_OK || count == 0)
        return status;
    if (s->indexed == NONE || s->posting_count + count >= NONE)
        return AKIN_E_LIMIT;
    status = reserve_index(s, bag->size, count);
    if (status != AKIN_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t hash = (uint64_t)w->keys[i], slot = slot_of(s, hash);
        s->postings[s->posting_count] = (posting){hash, (uint32_t)s->indexed, s->slots[slot]};
        s->slots[slot] = (uint32_t)s->posting_count++;
    }
    memcpy(s->hashes + s->hash_count, bag->hashes, bag->size * sizeof *bag->hashes);
    s->list[s->indexed++] = (kept){bag->document, s->hash_count, bag->size};
    s->hash_count += bag->size;
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ batch */

/* A batch that threads compare with what was kept before. */
typedef struct batch {
    akin_survivors *survivors;
    const akin_bag *bags;
    akin_verdict *verdicts;
} batch;

static akin_status compare_task(void *argument, uint64_t task, uint32_t thread)
{
    const batch *b = argument;
    if (b->bags[task].size == 0 || b->survivors->posting_count == 0)
        return AKIN_OK;
    return find_survivor(b->survivors, &b->survivors->workers[thread], &b->bags[task], 0, &b->verdicts[task]);
}

/* Empty documents are like the first of them. */
static void take_empty(akin_survivors *s, const akin_bag *bag, akin_verdict *verdict)
{
    verdict->survivor = s->empty;
    if (s->empty == AKIN_NO_SURVIVOR) {
        s->empty = bag->document;
        s->report.kept++;
    }
}

static akin_status take_batch(const akin_scope *scope, batch *b, uint64_t count)
{
    akin_survivors *s = b->survivors;
    const uint32_t before = (uint32_t)s->indexed;
    for (uint64_t i = 0; i < count; i++)
        b->verdicts[i] = (akin_verdict){AKIN_NO_SURVIVOR, 0, 0};
    akin_status status = akin_parallel(scope, NULL, count, compare_task, b);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        const akin_bag *bag = &b->bags[i];
        if (bag->size == 0)
            take_empty(s, bag, &b->verdicts[i]);
        else if (b->verdicts[i].survivor == AKIN_NO_SURVIVOR) {
            if (s->indexed > before)
                status = find_survivor(s, &s->workers[0], bag, before, &b->verdicts[i]);
            if (status == AKIN_OK && b->verdicts[i].survivor == AKIN_NO_SURVIVOR)
                status = keep(s, &s->workers[0], bag);
        }
    }
    return status;
}

/* Makes a worker for each thread. */
static akin_status reserve_workers(akin_survivors *s, uint32_t threads)
{
    if (threads <= s->worker_count)
        return AKIN_OK;
    worker *workers = akin_resize(s->account, s->workers, threads, sizeof *workers);
    if (!workers)
        return AKIN_E_NOMEM;
    memset(workers + s->worker_count, 0, (threads - s->worker_count) * sizeof *workers);
    s->workers = workers;
    s->worker_count = threads;
    return AKIN_OK;
}

akin_status akin_survivors_add(const akin_scope *scope, akin_survivors *survivors, const akin_bag *bags, uint64_t count,
                               akin_verdict *verdicts, akin_error *error)
{
    akin_survivors *s = survivors;
    akin_status status = reserve_workers(s, scope->threads);
    const uint64_t most = (uint64_t)STRETCH * scope->threads;
    for (uint64_t at = 0; at < count && status == AKIN_OK; at += most) {
        batch b = {s, bags + at, verdicts + at};
        status = take_batch(scope, &b, akin_min_u64(most, count - at));
    }
    s->report.documents += count;
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, AKIN_E_LIMIT, "more than %u documents, or hashes of them, are indexed", NONE);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* ----------------------------------------------------------------------------------------------------------- object */

akin_status akin_survivors_create(akin_account *account, const akin_threshold *threshold,
                                  const akin_frequencies *frequencies, akin_common_shingles common, void *user,
                                  akin_survivors **out, akin_error *error)
{
    akin_survivors *s = akin_alloc_zero(account, 1, sizeof *s);
    if (!s)
        return akin_fail_memory(error, what);
    s->account = account;
    s->threshold = *threshold;
    s->turned = akin_threshold_turn(threshold);
    s->frequencies = frequencies;
    s->common = common;
    s->user = user;
    s->empty = AKIN_NO_SURVIVOR;
    *out = s;
    return AKIN_OK;
}

void akin_survivors_free(akin_survivors *survivors)
{
    if (!survivors)
        return;
    for (uint32_t i = 0; i < survivors->worker_count; i++) {
        akin_free(survivors->workers[i].keys);
        akin_free(survivors->workers[i].candidates);
    }
    akin_free(survivors->workers);
    akin_free(survivors->hashes);
    akin_free(survivors->list);
    akin_free(survivors->postings);
    akin_free(survivors->slots);
    akin_free(survivors);
}

void akin_survivors_describe(const akin_survivors *survivors, akin_survivors_report *out)
{
    *out = survivors->report;
    out->indexed = survivors->indexed;
    out->postings = survivors->posting_count;
    for (uint32_t i = 0; i < survivors->worker_count; i++) {
        out->candidates += survivors->workers[i].candidates_all;
        out->compared += survivors->workers[i].compared;
        out->refuted += survivors->workers[i].refuted;
    }
}
