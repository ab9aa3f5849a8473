/* The index of kept documents: postings in chains, and signatures. */
#include "corpus/kept_index.h"

#include "base/bits.h"
#include "base/sort.h"

#include <string.h>

#define NONE       UINT32_MAX /* no posting */
#define LEAST      1024       /* slots */
#define WORDS_MOST 1024       /* of a signature */

void akin_kept_index_clear(akin_kept_index *index)
{
    akin_free(index->entries);
    akin_free(index->signatures);
    akin_free(index->postings);
    akin_free(index->slots);
    *index = (akin_kept_index){.account = index->account};
}

/* ------------------------------------------------------------------------------------------------------- signatures */

uint64_t akin_signature_words(uint32_t size)
{
    uint64_t words = 1;
    while (words < WORDS_MOST && words * 64 < size)
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

/* Hashes of few bits, as tests have them, are spread, too. */
static uint64_t slot_of(const akin_kept_index *index, uint64_t hash)
{
    return (uint64_t)((akin_u128)(hash * UINT64_C(0xd6e8feb86659fd93)) * index->slot_count >> 64);
}

/* Makes slots for that many postings. */
static akin_status reserve_slots(akin_kept_index *index, uint64_t postings)
{
    if (postings <= index->slot_count)
        return AKIN_OK;
    const uint64_t count = akin_max_u64(LEAST, 2 * postings);
    uint32_t *slots = akin_alloc(index->account, count, sizeof *slots);
    if (!slots)
        return AKIN_E_NOMEM;
    akin_free(index->slots);
    index->slots = slots;
    index->slot_count = count;
    memset(slots, 0xff, count * sizeof *slots);
    for (uint32_t i = 0; i < index->posting_count; i++) { /* the newest of a slot comes first again */
        const uint64_t slot = slot_of(index, index->postings[i].hash);
        index->postings[i].next = slots[slot];
        slots[slot] = i;
    }
    return AKIN_OK;
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
    return signatures && entries && all ? reserve_slots(index, index->posting_count + postings) : AKIN_E_NOMEM;
}

akin_status akin_kept_index_add(akin_kept_index *index, const akin_indexable *document)
{
    const uint64_t words = akin_signature_words(document->size);
    if (index->entry_count == NONE || index->posting_count + document->hash_count >= NONE)
        return AKIN_E_LIMIT;
    const akin_status status = reserve(index, words, document->hash_count);
    if (status != AKIN_OK)
        return status;
    for (uint32_t i = 0; i < document->hash_count; i++) {
        const uint64_t hash = document->hashes[i], slot = slot_of(index, hash);
        index->postings[index->posting_count] = (akin_posting){hash, (uint32_t)index->entry_count, index->slots[slot]};
        index->slots[slot] = (uint32_t)index->posting_count++;
    }
    memcpy(index->signatures + index->word_count, document->signature, words * sizeof *document->signature);
    index->entries[index->entry_count++] =
        (akin_index_entry){document->document, index->word_count, document->size, document->group};
    index->word_count += words;
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- finding */

/* Adds the entries of a hash. Postings are older and older. */
static akin_status add_entries(const akin_kept_index *index, uint64_t hash, const akin_entry_range *range,
                               akin_account *account, akin_entries *out)
{
    for (uint32_t at = index->slots[slot_of(index, hash)]; at != NONE; at = index->postings[at].next) {
        const akin_posting *p = &index->postings[at];
        if (p->entry < range->first)
            break;
        const uint32_t size = index->entries[p->entry].size;
        if (p->hash != hash || size < range->least || size > range->most)
            continue;
        uint32_t *list = akin_enlarge(account, out->list, &out->capacity, out->count + 1, sizeof *list);
        if (!list)
            return AKIN_E_NOMEM;
        out->list = list;
        list[out->count++] = p->entry;
    }
    return AKIN_OK;
}

akin_status akin_kept_index_find(const akin_kept_index *index, const uint64_t *hashes, uint32_t count,
                                 const akin_entry_range *range, akin_account *account, akin_entries *out)
{
    akin_status status = AKIN_OK;
    uint64_t distinct = 0;
    out->count = 0;
    if (index->posting_count == 0)
        return AKIN_OK;
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        status = add_entries(index, hashes[i], range, account, out);
    akin_sort_u32(out->list, out->count);
    for (uint64_t i = 0; i < out->count; i++)
        if (i == 0 || out->list[i] != out->list[i - 1])
            out->list[distinct++] = out->list[i];
    out->count = distinct;
    return status;
}
