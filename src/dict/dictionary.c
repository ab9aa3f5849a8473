/* The growing dictionary: adds strings, and finds their ids. */
#include "dict/dictionary.h"

#include "base/budget.h"

#include <string.h>

enum { TERMS, BYTES };

akin_status akin_dictionary_create_within(const akin_scope *scope, akin_dictionary **out, akin_error *error)
{
    static const char what[] = "a dictionary";
    akin_dictionary *dictionary = akin_alloc_zero(NULL, 1, sizeof *dictionary);
    if (!dictionary)
        return akin_fail_memory(error, what);
    akin_status status = akin_store_begin(&dictionary->store, scope, AKIN_BUDGET_DICTIONARY, what, error);
    if (status != AKIN_OK) {
        akin_free(dictionary);
        return status;
    }
    dictionary->bulk = dictionary->column[0] = dictionary->column[1] = akin_bulk_in(&dictionary->store);
    for (int p = 0; p < AKIN_DICTIONARY_PARTS; p++) {
        akin_part *part = &dictionary->parts[p];
        part->slots.bulk = part->bulks[TERMS] = part->bulks[BYTES] = akin_bulk_in(&dictionary->store);
    }
    dictionary->salt = akin_salt_draw(dictionary);
    *out = dictionary;
    return AKIN_OK;
}

akin_status akin_dictionary_create(akin_context *context, akin_dictionary **out, akin_error *error)
{
    return akin_dictionary_create_within(akin_scope_of(context), out, error);
}

void akin_dictionary_free(akin_dictionary *dictionary)
{
    if (!dictionary)
        return;
    for (int p = 0; p < AKIN_DICTIONARY_PARTS; p++) {
        akin_slots_clear(&dictionary->parts[p].slots);
        akin_bulk_clear(&dictionary->parts[p].bulks[TERMS]);
        akin_bulk_clear(&dictionary->parts[p].bulks[BYTES]);
    }
    akin_bulk_clear(&dictionary->bulk);
    akin_bulk_clear(&dictionary->column[0]);
    akin_bulk_clear(&dictionary->column[1]);
    akin_store_clear(&dictionary->store);
    akin_free(dictionary);
}

uint32_t akin_dictionary_count(const akin_dictionary *dictionary)
{
    return dictionary->count;
}

/* ------------------------------------------------------------------------------------------------------------ parts */

akin_status akin_part_reserve(akin_part *part, uint64_t more)
{
    akin_bulk *bulk = &part->bulks[TERMS];
    akin_status status = akin_bulk_grow(bulk, (part->count + more) * sizeof *part->terms, NULL, NULL);
    if (status != AKIN_OK)
        return status;
    part->terms = bulk->data;
    return akin_slots_reserve(&part->slots, part->count + more);
}

static akin_status add_term(akin_part *part, uint64_t at, uint64_t hash, const akin_term *term, const char *string,
                            akin_term **out)
{
    akin_term *added = part->terms + part->count;
    *added = *term;
    added->number = AKIN_ID_NONE;
    if (term->length > AKIN_TERM_SHORT) {
        akin_bulk *bulk = &part->bulks[BYTES];
        akin_status status = akin_bulk_grow(bulk, part->used + term->length, NULL, NULL);
        if (status != AKIN_OK)
            return status;
        part->bytes = bulk->data;
        memcpy(part->bytes + part->used, string, term->length);
        added->word[1] = part->used;
        part->used += term->length;
    }
    part->slots.slots[at] = akin_slots_make(hash, (uint32_t)part->count);
    part->count++;
    *out = added;
    return AKIN_OK;
}

/* Returns the term of a string. If the part does not have it, returns NULL, and the free slot for it in *at. */
static akin_term *seek_term(const akin_part *part, uint64_t hash, const akin_term *term, const char *string,
                            uint64_t *at)
{
    uint64_t slot;
    for (*at = akin_slots_home(&part->slots, hash); (slot = part->slots.slots[*at]) != 0;
         *at = akin_slots_next(&part->slots, *at)) {
        akin_term *kept = part->terms + akin_slots_number(slot);
        if (akin_slots_match(slot, hash) && akin_term_equal(kept, part->bytes, term, string))
            return kept;
    }
    return NULL;
}

akin_term *akin_part_find(const akin_part *part, uint64_t hash, const akin_term *term, const char *string)
{
    uint64_t at;
    return part->slots.slots ? seek_term(part, hash, term, string, &at) : NULL;
}

akin_status akin_part_add(akin_part *part, uint64_t hash, const akin_term *term, const char *string, akin_term **out)
{
    uint64_t at;
    akin_term *found = seek_term(part, hash, term, string, &at);
    if (!found)
        return add_term(part, at, hash, term, string, out);
    *out = found;
    return AKIN_OK;
}

void akin_dictionary_cut(akin_dictionary *dictionary, uint32_t count)
{
    for (int p = 0; p < AKIN_DICTIONARY_PARTS; p++) {
        akin_part *part = &dictionary->parts[p];
        for (uint64_t i = 0; i < part->count; i++)
            if (part->terms[i].number >= count)
                part->terms[i].number = AKIN_ID_NONE;
    }
    dictionary->count = count;
}

akin_status akin_dictionary_reserve(akin_dictionary *dictionary, uint64_t count)
{
    akin_status status = akin_bulk_grow(&dictionary->bulk, count * sizeof *dictionary->places, NULL, NULL);
    if (status == AKIN_OK)
        dictionary->places = dictionary->bulk.data;
    return status;
}

/* ------------------------------------------------------------------------------------------------------- one string */

akin_status akin_dictionary_add(akin_dictionary *dictionary, const char *bytes, size_t length, uint32_t *id,
                                akin_error *error)
{
    if (length > UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "a string of %zu bytes; at most 4294967295 are possible", length);
    akin_term term = akin_term_copy(bytes, (uint32_t)length, dictionary->salt);
    uint64_t hash = akin_term_hash(term, dictionary->salt);
    uint32_t p = akin_dictionary_part(hash);
    akin_part *part = &dictionary->parts[p];
    akin_term *found = akin_part_find(part, hash, &term, bytes);
    if (!found || found->number == AKIN_ID_NONE) {
        if (dictionary->count == AKIN_IDS)
            return akin_fail(error, AKIN_E_LIMIT, "more than %u strings in a dictionary", AKIN_IDS);
        akin_status status = akin_dictionary_reserve(dictionary, (uint64_t)dictionary->count + 1);
        if (status == AKIN_OK && !found)
            status = akin_part_reserve(part, 1);
        if (status == AKIN_OK && !found)
            status = akin_part_add(part, hash, &term, bytes, &found);
        if (status != AKIN_OK)
            return akin_store_fail(&dictionary->store, status, "a dictionary", error);
        found->number = dictionary->count;
        dictionary->places[dictionary->count++] = (akin_place){p, (uint32_t)(found - part->terms)};
    }
    *id = found->number;
    return AKIN_OK;
}

int akin_dictionary_find(const akin_dictionary *dictionary, const char *bytes, size_t length, uint32_t *id)
{
    if (length > UINT32_MAX)
        return 0;
    akin_term term = akin_term_copy(bytes, (uint32_t)length, dictionary->salt);
    uint64_t hash = akin_term_hash(term, dictionary->salt);
    const akin_term *found = akin_part_find(&dictionary->parts[akin_dictionary_part(hash)], hash, &term, bytes);
    if (!found || found->number == AKIN_ID_NONE)
        return 0;
    *id = found->number;
    return 1;
}

akin_status akin_dictionary_string(const akin_dictionary *dictionary, uint32_t id, const char **bytes, size_t *length,
                                   akin_error *error)
{
    if (id >= dictionary->count)
        return akin_fail(error, AKIN_E_OPTION, "there is no string %u, only %u of them", id, dictionary->count);
    akin_place place = dictionary->places[id];
    const akin_part *part = &dictionary->parts[place.part];
    const akin_term *term = &part->terms[place.number];
    *bytes = akin_term_bytes(term, part->bytes);
    *length = term->length;
    return AKIN_OK;
}

akin_status akin_dictionary_column(akin_dictionary *dictionary, akin_column *column, akin_error *error)
{
    static const char what[] = "the strings of a dictionary";
    akin_bulk *bulks = dictionary->column;
    const char *string;
    size_t length;
    uint64_t total = 0;
    for (uint32_t id = 0; id < dictionary->count; id++) {
        akin_dictionary_string(dictionary, id, &string, &length, NULL);
        total += length;
    }
    akin_status status =
        akin_bulk_reserve(&bulks[0], ((uint64_t)dictionary->count + 1) * sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&bulks[1], total, what, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = bulks[0].data;
    char *bytes = bulks[1].data;
    offsets[0] = 0;
    for (uint32_t id = 0; id < dictionary->count; id++) {
        akin_dictionary_string(dictionary, id, &string, &length, NULL);
        memcpy(bytes + offsets[id], string, length);
        offsets[id + UINT64_C(1)] = offsets[id] + length;
    }
    *column = (akin_column){.size = sizeof *column, .offsets = offsets, .bytes = bytes};
    return AKIN_OK;
}
