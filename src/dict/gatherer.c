/* Gathers the tokens of rows of text into a vocabulary. */
#include "dict/gatherer.h"

#include "base/memory.h"

#include <stdio.h>

#define SPARE  (UINT64_C(1) << 18) /* the most slots, entries or numbers that are kept for the next vocabulary */
#define SUFFIX 16                  /* the most bytes that an occurrence adds to a token */
#define GROUP  32                  /* tokens that are looked up together */

void akin_gatherer_clear(akin_gatherer *gatherer)
{
    akin_slots_clear(&gatherer->slots);
    akin_free(gatherer->entries);
    akin_free(gatherer->scratch);
    *gatherer = (akin_gatherer){.account = gatherer->account};
}

/* ------------------------------------------------------------------------------------------------------- looking up */

/* Makes room for `more` entries. */
static akin_status reserve_entries(akin_gatherer *g, uint64_t more)
{
    if (g->slots.slots && g->count + more <= g->capacity && g->count + more <= g->slots.limit) /* 0 without slots */
        return AKIN_OK;
    if (g->count + more > UINT32_MAX - 1)
        return AKIN_E_LIMIT;
    akin_entry *entries = akin_enlarge(g->account, g->entries, &g->capacity, g->count + more, sizeof *entries);
    if (!entries)
        return AKIN_E_NOMEM;
    g->entries = entries;
    return akin_slots_reserve(&g->slots, g->count + more);
}

/* Adds an entry, for which there must be room, in a free slot. Returns its number; UINT32_MAX: memory is short. */
static uint32_t add_entry(akin_gatherer *g, uint64_t at, uint64_t hash, const akin_term *term, const char *string)
{
    akin_vocabulary *v = g->into;
    akin_entry *entry = g->entries + g->count;
    *entry = (akin_entry){.term = *term};
    if (term->length > AKIN_TERM_SHORT) {
        char *bytes = akin_enlarge(v->account, v->bytes, &v->bytes_capacity, v->used + term->length, 1);
        if (!bytes)
            return UINT32_MAX;
        v->bytes = bytes;
        memcpy(bytes + v->used, string, term->length);
        entry->term.word[1] = v->used;
        v->used += term->length;
    }
    g->slots.slots[at] = akin_slots_make(hash, (uint32_t)g->count);
    return (uint32_t)g->count++;
}

/* Returns the entry of a string, and adds it if it is new. UINT32_MAX: memory is short. */
static inline uint32_t find_term(akin_gatherer *g, uint64_t hash, const akin_term *term, const char *string)
{
    uint64_t at = akin_slots_home(&g->slots, hash), slot;
    while ((slot = g->slots.slots[at]) != 0) {
        if (akin_slots_match(slot, hash)) {
            uint32_t number = akin_slots_number(slot);
            if (akin_term_equal(&g->entries[number].term, g->into->bytes, term, string))
                return number;
        }
        at = akin_slots_next(&g->slots, at);
    }
    return add_entry(g, at, hash, term, string);
}

static uint32_t find_string(akin_gatherer *g, const char *string, uint32_t length)
{
    akin_term term = akin_term_copy(string, length, g->salt);
    return find_term(g, akin_term_hash(term, g->salt), &term, string);
}

/* Finds the entry of a further occurrence of a token in the row, in *found. Its string is the token, the byte 0xff, and
 * the number of the occurrence. */
static akin_status find_occurrence(akin_gatherer *g, uint32_t number, const char *string, uint32_t *found)
{
    uint32_t length = g->entries[number].term.length;
    if (length > UINT32_MAX - SUFFIX)
        return AKIN_E_LIMIT;
    char *scratch = akin_enlarge(g->account, g->scratch, &g->scratch_capacity, (uint64_t)length + SUFFIX, 1);
    if (!scratch)
        return AKIN_E_NOMEM;
    g->scratch = scratch;
    memcpy(scratch, string, length);
    int suffix = snprintf(scratch + length, SUFFIX, "\xff%u", ++g->entries[number].occurrences);
    *found = find_string(g, scratch, length + (uint32_t)suffix);
    return *found == UINT32_MAX ? AKIN_E_NOMEM : AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------- gathering */

akin_status akin_gatherer_begin(akin_gatherer *gatherer, akin_salt salt, const akin_stop *stops, uint32_t count,
                                akin_row_form form, akin_vocabulary *into)
{
    akin_gatherer *g = gatherer;
    if (g->slots.mask >= SPARE || g->capacity > SPARE)
        akin_gatherer_clear(g);
    else if (g->slots.slots)
        memset(g->slots.slots, 0, (size_t)(g->slots.mask + 1) * sizeof *g->slots.slots);
    if (into->terms_capacity > SPARE || into->list_capacity > 4 * SPARE || into->bytes_capacity > 16 * SPARE)
        akin_vocabulary_clear(into);
    into->count = into->listed = into->used = 0;
    g->slots.bulk.account = g->account;
    g->into = into;
    g->salt = salt;
    g->form = form;
    g->row = g->stops = 0;
    g->count = 0;
    akin_status status = reserve_entries(g, (uint64_t)count + 1);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        status = find_string(g, stops[i].bytes, stops[i].length) == UINT32_MAX ? AKIN_E_NOMEM : AKIN_OK;
    g->stops = (uint32_t)g->count;
    return status;
}

/* A token that is being looked up. */
typedef struct lookup {
    akin_term term;
    uint64_t hash;
    const char *string;
} lookup;

/* Prepares up to GROUP tokens from `first` on, and prefetches the slots that their lookups will read. Memory is slow,
 * but serves many requests at once. */
static uint32_t prepare_lookups(const akin_gatherer *g, const akin_spans *spans, uint32_t first, lookup *lookups)
{
    uint32_t count = spans->count - first < GROUP ? spans->count - first : GROUP;
    const uint32_t *bound = spans->bounds + (size_t)first * spans->step;
    for (uint32_t i = 0; i < count; i++, bound += spans->step) {
        lookup *l = &lookups[i];
        uint32_t length = bound[spans->gap] - *bound;
        l->string = spans->text + *bound;
        l->term =
            length <= AKIN_TERM_SHORT ? akin_term_load(l->string, length) : akin_term_long(l->string, length, g->salt);
        l->hash = akin_term_hash(l->term, g->salt);
        __builtin_prefetch(&g->slots.slots[akin_slots_home(&g->slots, l->hash)]);
    }
    return count;
}

akin_status akin_gatherer_add(akin_gatherer *gatherer, const akin_spans *spans)
{
    akin_gatherer *g = gatherer;
    akin_vocabulary *v = g->into;
    lookup lookups[GROUP];
    akin_status status = reserve_entries(g, 2 * (uint64_t)spans->count);
    if (status != AKIN_OK)
        return status;
    if (v->list_capacity - v->listed < spans->count) {
        uint32_t *list = akin_enlarge(v->account, v->list, &v->list_capacity, v->listed + spans->count, sizeof *list);
        if (!list)
            return AKIN_E_NOMEM;
        v->list = list;
    }
    uint32_t *list = v->list + v->listed;
    for (uint32_t first = 0, count; first < spans->count; first += count) {
        count = prepare_lookups(g, spans, first, lookups);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t number = find_term(g, lookups[i].hash, &lookups[i].term, lookups[i].string);
            if (number < g->stops)
                continue;
            if (number == UINT32_MAX)
                return AKIN_E_NOMEM;
            if (g->entries[number].term.number == g->row && g->form != AKIN_ROW_SEQUENCE) {
                if (g->form == AKIN_ROW_SET)
                    continue;
                status = find_occurrence(g, number, lookups[i].string, &number);
                if (status != AKIN_OK)
                    return status;
            }
            g->entries[number].term.number = g->row;
            g->entries[number].occurrences = 1;
            *list++ = number - g->stops;
        }
    }
    v->listed = (uint64_t)(list - v->list);
    return AKIN_OK;
}

akin_status akin_gatherer_seal(akin_gatherer *gatherer)
{
    const akin_entry *entries = gatherer->entries + gatherer->stops;
    return akin_vocabulary_seal(gatherer->into, gatherer->salt, &entries->term, sizeof *entries,
                                gatherer->count - gatherer->stops);
}
