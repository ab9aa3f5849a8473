/* The index of kept documents: postings in chains, and signatures. */
#include "corpus/kept_index.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "corpus/hash_places.h"

#include <string.h>

#define NONE        UINT32_MAX /* no posting */
#define AHEAD       8          /* postings whose slots are brought to the cache before they are linked */
#define TASK        65536      /* slots or postings of a task */
#define LEAST       1024       /* slots */
#define MOST        (UINT64_C(1) << 32)
#define SLOTS_LEAST 64 /* of entries that were tested */

void akin_kept_index_clear(akin_kept_index *index)
{
    akin_free(index->entries);
    akin_free(index->signatures);
    akin_free(index->postings);
    akin_free((void *)index->slots);
    *index = (akin_kept_index){.account = index->account, .hamming = index->hamming};
}

/* ------------------------------------------------------------------------------------------------------- signatures */

uint64_t akin_signature_words(uint32_t size)
{
    uint64_t words = 1;
    while (words < AKIN_SIGNATURE_WORDS_MOST && words * 64 < size)
        words *= 2;
    return words;
}

void akin_signature_make(const uint64_t *hashes, uint32_t size, uint64_t *words)
{
    const uint64_t count = akin_signature_words(size);
    memset(words, 0, count * sizeof *words);
    for (uint32_t i = 0; i < size; i++)
        words[hashes[i] >> 6 & (count - 1)] ^= UINT64_C(1) << (hashes[i] & 63);
}

uint64_t akin_kept_index_distance(const akin_kept_index *index, const uint64_t *signature, uint32_t size,
                                  uint32_t entry)
{
    const akin_index_entry *e = &index->entries[entry];
    const uint64_t *own = signature, *other = index->signatures + e->signature;
    const uint64_t own_words = akin_signature_words(size), other_words = akin_signature_words(e->size);
    const uint64_t narrow = akin_min_u64(own_words, other_words);
    uint64_t distance = 0;
    if (own_words == other_words)
        return index->hamming(own, other, (uint32_t)own_words);
    for (uint64_t w = 0; w < narrow; w++) {
        uint64_t x = 0;
        for (uint64_t i = w; i < own_words; i += narrow)
            x ^= own[i];
        for (uint64_t i = w; i < other_words; i += narrow)
            x ^= other[i];
        distance += akin_popcount64(x);
    }
    return distance;
}

/* ----------------------------------------------------------------------------------------------------------- adding */

/* Arrays grow by half, and there are up to two slots for each posting. */
uint64_t akin_kept_index_bytes(uint32_t size, uint32_t postings)
{
    const uint64_t words = akin_signature_words(size);
    return (sizeof(akin_index_entry) + words * sizeof(uint64_t) + postings * (uint64_t)sizeof(akin_posting)) * 3 / 2 +
           2 * (uint64_t)postings * sizeof(uint32_t);
}

/* Hashes of few bits, as tests have them, are spread, too. */
static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash * UINT64_C(0xd6e8feb86659fd93) >> 32);
}

static uint64_t slot_of(const akin_kept_index *index, uint32_t tag)
{
    return tag * index->slot_count >> 32; /* there are 2^32 slots at most */
}

/* Makes room for one more document. */
static akin_status reserve(akin_kept_index *index, uint64_t words, uint64_t postings)
{
    uint64_t *signatures = akin_enlarge(index->account, index->signatures, &index->word_capacity,
                                        index->word_count + words, sizeof *signatures);
    if (signatures)
        index->signatures = signatures;
    akin_index_entry *entries =
        akin_enlarge(index->account, index->entries, &index->entry_capacity, index->entry_count + 1, sizeof *entries);
    if (entries)
        index->entries = entries;
    akin_posting *all = akin_enlarge(index->account, index->postings, &index->posting_capacity,
                                     index->posting_count + postings, sizeof *all);
    if (all)
        index->postings = all;
    const int is_expected = index->posting_count + postings <= index->slot_count;
    return signatures && entries && all && is_expected ? AKIN_OK : AKIN_E_NOMEM;
}

akin_status akin_kept_index_add(akin_kept_index *index, const akin_indexable *document, akin_index_place *out)
{
    const uint64_t words = akin_signature_words(document->size);
    if (index->entry_count == NONE || index->posting_count + document->hash_count >= NONE)
        return AKIN_E_LIMIT;
    const akin_status status = reserve(index, words, document->hash_count);
    if (status != AKIN_OK)
        return status;
    *out = (akin_index_place){index->posting_count, (uint32_t)index->entry_count};
    index->entries[index->entry_count++] =
        (akin_index_entry){document->document, index->word_count, document->size, document->group};
    index->posting_count += document->hash_count;
    index->word_count += words;
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- linking */

static void link_posting(const akin_kept_index *index, uint64_t posting)
{
    akin_posting *p = &index->postings[posting];
    p->next = atomic_exchange_explicit(&index->slots[slot_of(index, p->tag)], (uint32_t)posting, memory_order_relaxed);
}

void akin_kept_index_link(const akin_kept_index *index, const akin_indexable *document, const akin_index_place *place)
{
    for (uint32_t i = 0; i < document->hash_count; i++)
        __builtin_prefetch((const void *)&index->slots[slot_of(index, tag_of(document->hashes[i]))], 1);
    memcpy(index->signatures + index->entries[place->entry].signature, document->signature,
           akin_signature_words(document->size) * sizeof *document->signature);
    for (uint32_t i = 0; i < document->hash_count; i++) {
        index->postings[place->posting + i] = (akin_posting){tag_of(document->hashes[i]), place->entry, NONE};
        link_posting(index, place->posting + i);
    }
}

static akin_status empty_slots(void *argument, uint64_t task, uint32_t thread)
{
    const akin_kept_index *index = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, index->slot_count);
    (void)thread;
    for (uint64_t at = task * TASK; at < end; at++)
        atomic_init(&index->slots[at], NONE);
    return AKIN_OK;
}

static akin_status link_some(void *argument, uint64_t task, uint32_t thread)
{
    const akin_kept_index *index = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, index->posting_count);
    (void)thread;
    for (uint64_t at = task * TASK; at < end; at++) {
        if (end - at > AHEAD)
            __builtin_prefetch((const void *)&index->slots[slot_of(index, index->postings[at + AHEAD].tag)], 1);
        link_posting(index, at);
    }
    return AKIN_OK;
}

/* Makes that many slots, if there is memory for them. */
static int grow_slots(akin_kept_index *index, uint64_t count)
{
    _Atomic uint32_t *slots = akin_alloc(index->account, count, sizeof *slots);
    if (!slots)
        return 0;
    akin_free((void *)index->slots);
    index->slots = slots;
    index->slot_count = count;
    return 1;
}

akin_status akin_kept_index_expect(const akin_scope *scope, akin_kept_index *index, uint64_t postings)
{
    int is_grown = 0;
    for (uint64_t more = postings; more > 0 && !is_grown; more /= 2) {
        if (index->posting_count + more <= index->slot_count)
            return AKIN_OK;
        is_grown = grow_slots(index, akin_min_u64(MOST, akin_max_u64(LEAST, 2 * (index->posting_count + more))));
    }
    if (!is_grown)
        return AKIN_OK;
    const akin_status status = akin_parallel(scope, NULL, akin_ceil_div(index->slot_count, TASK), empty_slots, index);
    return status == AKIN_OK ? akin_parallel(scope, NULL, akin_ceil_div(index->posting_count, TASK), link_some, index)
                             : status;
}

/* ---------------------------------------------------------------------------------------------------------- finding */

void akin_entries_clear(akin_entries *entries)
{
    akin_free(entries->list);
    akin_free(entries->slots);
    *entries = (akin_entries){.list = NULL};
}

/* The slot of an entry, or the free one where it would be. */
static uint64_t find_slot(const akin_entries *e, uint64_t entry)
{
    const uint64_t own = (uint64_t)e->search << 32 | entry;
    uint64_t at = entry * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (e->slot_count - 1);
    while (e->slots[at] >> 32 == e->search && e->slots[at] != own)
        at = (at + 1) & (e->slot_count - 1);
    return at;
}

/* Makes room for one more entry that is tested. At most half of the slots are taken. */
static akin_status reserve_entry(akin_account *account, akin_entries *e)
{
    const akin_entries old = *e;
    if (2 * (e->tested + 1) <= e->slot_count)
        return AKIN_OK;
    e->slot_count = akin_max_u64(SLOTS_LEAST, 2 * old.slot_count);
    e->slots = akin_alloc_zero(account, e->slot_count, sizeof *e->slots);
    if (!e->slots) {
        *e = old;
        return AKIN_E_NOMEM;
    }
    for (uint64_t i = 0; i < old.slot_count; i++)
        if (old.slots[i] >> 32 == e->search)
            e->slots[find_slot(e, (uint32_t)old.slots[i])] = old.slots[i];
    akin_free(old.slots);
    return AKIN_OK;
}

/* Tests an entry, if it is the first time, and adds it if it passes. */
static akin_status add_entry(akin_account *account, akin_entries *e, const akin_entries_wanted *wanted, uint32_t entry)
{
    const akin_status status = reserve_entry(account, e);
    const uint64_t at = status == AKIN_OK ? find_slot(e, entry) : 0;
    if (status != AKIN_OK || e->slots[at] >> 32 == e->search)
        return status;
    e->slots[at] = (uint64_t)e->search << 32 | entry;
    e->tested++;
    if (!wanted->test(wanted->user, entry))
        return AKIN_OK;
    uint32_t *list = akin_enlarge(account, e->list, &e->capacity, e->count + 1, sizeof *list);
    if (!list)
        return AKIN_E_NOMEM;
    e->list = list;
    list[e->count++] = entry;
    return AKIN_OK;
}

/* Adds the entries of a tag. Those of the stretch at hand come before older ones. */
static akin_status add_entries(const akin_kept_index *index, uint32_t tag, const akin_entries_wanted *wanted,
                               akin_account *account, akin_entries *out)
{
    akin_status status = AKIN_OK;
    uint32_t at = atomic_load_explicit(&index->slots[slot_of(index, tag)], memory_order_relaxed);
    for (; at != NONE && status == AKIN_OK; at = index->postings[at].next) {
        const akin_posting *p = &index->postings[at];
        if (p->entry < wanted->first)
            break;
        const uint32_t size = index->entries[p->entry].size;
        if (p->tag == tag && size >= wanted->least && size <= wanted->most)
            status = add_entry(account, out, wanted, p->entry);
    }
    return status;
}

/* Begins another search, for which all slots are free. */
static void begin_search(akin_entries *e)
{
    e->count = e->tested = 0;
    if (++e->search == 0) { /* numbers begin again */
        e->search = 1;
        if (e->slot_count > 0)
            memset(e->slots, 0, e->slot_count * sizeof *e->slots);
    }
}

akin_status akin_kept_index_find(const akin_kept_index *index, const uint64_t *hashes, uint32_t count,
                                 const akin_entries_wanted *wanted, akin_account *account, akin_entries *out)
{
    akin_status status = AKIN_OK;
    begin_search(out);
    if (index->posting_count == 0)
        return AKIN_OK;
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch((const void *)&index->slots[slot_of(index, tag_of(hashes[i]))]);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        status = add_entries(index, tag_of(hashes[i]), wanted, account, out);
    akin_sort_u32(out->list, out->count);
    return status;
}
