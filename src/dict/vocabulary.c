/* The distinct tokens of some rows of text, and the rows as lists of them. */
#include "dict/vocabulary.h"

#include "base/memory.h"

#include <stdio.h>

#define SPARE  (UINT64_C(1) << 18) /* slots or entries that are kept for the next rows, whatever those need */
#define SUFFIX 16                  /* bytes that an occurrence adds to a token, at most */

void akin_vocabulary_clear(akin_vocabulary *vocabulary)
{
    akin_free(vocabulary->entries);
    akin_free(vocabulary->list);
    akin_free(vocabulary->bytes);
    akin_free(vocabulary->scratch);
    akin_free(vocabulary->order);
    akin_free(vocabulary->fresh);
    *vocabulary = (akin_vocabulary){0};
}

/* Makes room for so many entries more. */
static akin_status make_room(akin_vocabulary *v, uint64_t more)
{
    if (v->count + more > UINT32_MAX - 1)
        return AKIN_E_LIMIT;
    akin_entry *entries = akin_enlarge(NULL, v->entries, &v->capacity, v->count + more, sizeof *entries);
    if (!entries)
        return AKIN_E_NOMEM;
    v->entries = entries;
    return akin_slots_reserve(v->slots, v->count + more);
}

/* Adds an entry, for which there is room, in a free slot; its number, or UINT32_MAX if memory is short. */
static uint32_t add(akin_vocabulary *v, uint64_t at, uint64_t hash, const akin_term *term, const char *string)
{
    akin_entry *entry = v->entries + v->count;
    *entry = (akin_entry){.term = *term};
    if (term->length > AKIN_TERM_SHORT) {
        char *bytes = akin_enlarge(NULL, v->bytes, &v->bytes_capacity, v->used + term->length, 1);
        if (!bytes)
            return UINT32_MAX;
        v->bytes = bytes;
        memcpy(bytes + v->used, string, term->length);
        entry->term.word[1] = v->used;
        v->used += term->length;
    }
    v->slots->slots[at] = akin_slots_make(hash, (uint32_t)v->count);
    return (uint32_t)v->count++;
}

/* The entry of a string; UINT32_MAX if it is new and memory is short. */
static inline uint32_t find(akin_vocabulary *v, const akin_term *term, const char *string)
{
    uint64_t hash = akin_term_hash(*term), at = akin_slots_home(v->slots, hash), slot;
    while ((slot = v->slots->slots[at]) != 0) {
        if (akin_slots_match(slot, hash)) {
            uint32_t number = akin_slots_number(slot);
            if (akin_term_equal(&v->entries[number].term, v->bytes, term, string))
                return number;
        }
        at = akin_slots_next(v->slots, at);
    }
    return add(v, at, hash, term, string);
}

akin_status akin_vocabulary_begin(akin_vocabulary *vocabulary, akin_slots *slots, const akin_stop *stops, uint32_t count,
                                  int multiset)
{
    akin_vocabulary *v = vocabulary;
    if (slots->mask >= SPARE)
        akin_slots_clear(slots);
    else if (slots->slots)
        memset(slots->slots, 0, (size_t)(slots->mask + 1) * sizeof *slots->slots);
    if (v->capacity > SPARE || v->list_capacity > 4 * SPARE || v->bytes_capacity > 16 * SPARE)
        akin_vocabulary_clear(v);
    v->slots = slots;
    v->multiset = multiset;
    v->row = v->stops = 0;
    v->count = v->listed = v->used = 0;
    akin_status status = make_room(v, (uint64_t)count + 1);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        akin_term term = akin_term_copy(stops[i].bytes, stops[i].length);
        status = find(v, &term, stops[i].bytes) == UINT32_MAX ? AKIN_E_NOMEM : AKIN_OK;
    }
    v->stops = (uint32_t)v->count;
    return status;
}

/* The entry of a token's further occurrence in the row: the token, 0xff, the occurrence. */
static akin_status find_occurrence(akin_vocabulary *v, uint32_t number, const char *string, uint32_t *found)
{
    uint32_t length = v->entries[number].term.length;
    if (length > UINT32_MAX - SUFFIX)
        return AKIN_E_LIMIT;
    char *scratch = akin_enlarge(NULL, v->scratch, &v->scratch_capacity, (uint64_t)length + SUFFIX, 1);
    if (!scratch)
        return AKIN_E_NOMEM;
    v->scratch = scratch;
    memcpy(scratch, string, length);
    int suffix = snprintf(scratch + length, SUFFIX, "\xff%u", ++v->entries[number].occurrences);
    akin_term term = akin_term_copy(scratch, length + (uint32_t)suffix);
    *found = find(v, &term, scratch);
    return *found == UINT32_MAX ? AKIN_E_NOMEM : AKIN_OK;
}

akin_status akin_vocabulary_add(akin_vocabulary *vocabulary, const akin_spans *spans)
{
    akin_vocabulary *v = vocabulary;
    const uint32_t *start = spans->bounds, *end = spans->bounds + spans->gap;
    akin_status status = make_room(v, 2 * (uint64_t)spans->count);
    if (status != AKIN_OK)
        return status;
    uint32_t *list = akin_enlarge(NULL, v->list, &v->list_capacity, v->listed + spans->count, sizeof *list);
    if (!list)
        return AKIN_E_NOMEM;
    v->list = list;
    list += v->listed;
    for (uint32_t i = 0; i < spans->count; i++, start += spans->step, end += spans->step) {
        const char *string = spans->text + *start;
        uint32_t length = *end - *start;
        akin_term term =
            length <= AKIN_TERM_SHORT ? akin_term_load(string, length) : akin_term_long(string, length);
        uint32_t number = find(v, &term, string);
        if (number < v->stops)
            continue;
        if (number == UINT32_MAX)
            return AKIN_E_NOMEM;
        if (v->entries[number].term.number == v->row) {
            if (!v->multiset)
                continue;
            status = find_occurrence(v, number, string, &number);
            if (status != AKIN_OK)
                return status;
        }
        akin_entry *entry = &v->entries[number];
        entry->term.number = v->row;
        entry->occurrences = 1;
        entry->count++;
        *list++ = number;
    }
    v->listed = (uint64_t)(list - v->list);
    return AKIN_OK;
}

akin_status akin_vocabulary_seal(akin_vocabulary *vocabulary)
{
    akin_vocabulary *v = vocabulary;
    uint32_t *order = akin_enlarge(NULL, v->order, &v->order_capacity, v->count, sizeof *order);
    v->order = order ? order : v->order;
    uint8_t *fresh = akin_enlarge(NULL, v->fresh, &v->fresh_capacity, v->count, sizeof *fresh);
    v->fresh = fresh ? fresh : v->fresh;
    if (!order || !fresh)
        return AKIN_E_NOMEM;
    v->slots = NULL;
    memset(v->starts, 0, sizeof v->starts);
    for (uint64_t i = v->stops; i < v->count; i++)
        v->starts[akin_dictionary_part(akin_term_hash(v->entries[i].term)) + 1]++;
    for (int p = 0; p < AKIN_DICTIONARY_PARTS; p++)
        v->starts[p + 1] += v->starts[p];
    uint64_t at[AKIN_DICTIONARY_PARTS];
    memcpy(at, v->starts, sizeof at);
    for (uint64_t i = v->stops; i < v->count; i++)
        order[at[akin_dictionary_part(akin_term_hash(v->entries[i].term))]++] = (uint32_t)i;
    return AKIN_OK;
}
