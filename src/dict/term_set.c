/* A set of strings that is filled and emptied many times. */
#include "dict/term_set.h"

#include "base/memory.h"

#define SPARE (UINT64_C(1) << 16) /* the most slots or terms that an empty set keeps, and 16 bytes for each */

void akin_term_set_begin(akin_term_set *set, akin_account *account, akin_salt salt)
{
    *set = (akin_term_set){.account = account, .salt = salt, .slots = {.bulk = {.account = account}}};
}

void akin_term_set_clear(akin_term_set *set)
{
    akin_slots_clear(&set->slots);
    akin_free(set->terms);
    akin_free(set->bytes);
    akin_term_set_begin(set, set->account, set->salt);
}

void akin_term_set_empty(akin_term_set *set)
{
    if (set->slots.mask >= SPARE || set->capacity > SPARE || set->bytes_capacity > 16 * SPARE) {
        akin_term_set_clear(set);
        return;
    }
    if (set->moved)
        memset(set->slots.slots, 0, (size_t)(set->slots.mask + 1) * sizeof *set->slots.slots);
    for (uint64_t i = 0; i < set->count && !set->moved; i++)
        set->slots.slots[set->terms[i].number] = 0;
    set->count = set->used = 0;
    set->moved = 0;
}

/* Makes room for `more` terms. */
static akin_status reserve_terms(akin_term_set *s, uint64_t more)
{
    const uint64_t needed = s->count + more;
    if (needed <= s->capacity && needed <= s->slots.limit)
        return AKIN_OK;
    if (needed > UINT32_MAX - 1)
        return AKIN_E_LIMIT;
    akin_term *terms = akin_enlarge(s->account, s->terms, &s->capacity, needed, sizeof *terms);
    if (!terms)
        return AKIN_E_NOMEM;
    s->terms = terms;
    const uint64_t mask = s->slots.mask;
    akin_status status = akin_slots_reserve(&s->slots, needed);
    s->moved |= s->count > 0 && s->slots.mask != mask;
    return status;
}

/* Finds a string, or the free slot for it, in *at. Returns whether the set has it; there are slots. */
static inline int find_string(const akin_term_set *s, const akin_term *term, uint64_t hash, const char *string,
                              uint64_t *at)
{
    uint64_t slot;
    *at = akin_slots_home(&s->slots, hash);
    while ((slot = s->slots.slots[*at]) != 0) {
        if (akin_slots_match(slot, hash) && akin_term_equal(&s->terms[akin_slots_number(slot)], s->bytes, term, string))
            return 1;
        *at = akin_slots_next(&s->slots, *at);
    }
    return 0;
}

/* Adds a string that the set may have; there is room for a term. */
static inline akin_status add_string(akin_term_set *s, const akin_term *term, uint64_t hash, const char *string)
{
    uint64_t at;
    if (find_string(s, term, hash, string, &at))
        return AKIN_OK;
    akin_term *kept = &s->terms[s->count];
    *kept = *term;
    if (term->length > AKIN_TERM_SHORT) {
        char *bytes = akin_enlarge(s->account, s->bytes, &s->bytes_capacity, s->used + term->length, 1);
        if (!bytes)
            return AKIN_E_NOMEM;
        s->bytes = bytes;
        memcpy(bytes + s->used, string, term->length);
        kept->word[1] = s->used;
        s->used += term->length;
    }
    kept->number = (uint32_t)at;
    s->slots.slots[at] = akin_slots_make(hash, (uint32_t)s->count++);
    return AKIN_OK;
}

akin_status akin_term_set_add(akin_term_set *set, const char *bytes, uint32_t length)
{
    const akin_term term = akin_term_copy(bytes, length, set->salt);
    akin_status status = reserve_terms(set, 1);
    return status == AKIN_OK ? add_string(set, &term, akin_term_hash(term, set->salt), bytes) : status;
}

/* Token i of spans, and its hash. */
static inline akin_term term_at(const akin_spans *spans, uint32_t i, akin_salt salt, const char **string,
                                uint64_t *hash)
{
    const uint32_t *bound = spans->bounds + (size_t)i * spans->step;
    const uint32_t length = bound[spans->gap] - *bound;
    *string = spans->text + *bound;
    const akin_term term =
        length <= AKIN_TERM_SHORT ? akin_term_load(*string, length) : akin_term_long(*string, length, salt);
    *hash = akin_term_hash(term, salt);
    return term;
}

akin_status akin_term_set_add_spans(akin_term_set *set, const akin_spans *spans, const akin_term_set *without)
{
    const char *string;
    uint64_t hash, at;
    akin_status status = reserve_terms(set, spans->count);
    for (uint32_t i = 0; i < spans->count && status == AKIN_OK; i++) {
        const akin_term term = term_at(spans, i, set->salt, &string, &hash);
        if (!without || without->count == 0 || !find_string(without, &term, hash, string, &at))
            status = add_string(set, &term, hash, string);
    }
    return status;
}

uint32_t akin_term_set_count_others(const akin_term_set *set, const akin_spans *spans)
{
    const char *string;
    uint64_t hash, at;
    uint32_t count = spans->count;
    for (uint32_t i = 0; i < spans->count && set->count > 0; i++) {
        const akin_term term = term_at(spans, i, set->salt, &string, &hash);
        count -= (uint32_t)find_string(set, &term, hash, string, &at);
    }
    return count;
}
