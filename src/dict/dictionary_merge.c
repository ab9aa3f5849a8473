/*
 * Merges vocabularies into a dictionary. First, one thread for each part looks up the terms of the part, and adds the
 * unknown ones. Then passes over the vocabularies give the ids, without any lookup: a term gets the next id where it is
 * fresh. The order of the vocabularies decides the ids, so the threads do not matter.
 */
#include "base/memory.h"
#include "base/parallel.h"
#include "dict/dictionary.h"

/*
 * The work for a number after the parts were merged. If the id is known, there is none. If it is not, ids[] has the
 * number of the term in its part until the term gets its id. The term is fresh at this number, or repeated: fresh at an
 * earlier number. The byte also has the part:
 *
 *     0         the id is known
 *     1 .. 64   the term is fresh, and in part 0 .. 63
 *     65 .. 128 the term is repeated, and in part 0 .. 63
 */
#define KNOWN    0
#define FRESH    1
#define REPEATED (FRESH + AKIN_DICTIONARY_PARTS)

_Static_assert(REPEATED + AKIN_DICTIONARY_PARTS <= 256, "what is left to do fits a byte");

typedef struct merging {
    akin_dictionary *dictionary;
    akin_vocabulary *const *vocabularies;
    uint32_t count;
    uint64_t *next_ids; /* of each vocabulary: how many fresh terms it has, then the id of the first one */
} merging;

#define AHEAD 8 /* slots are prefetched for 8 terms ahead of the lookup */

/* Prefetches the home slot of a term. */
static inline void fetch_slot(const akin_part *part, const akin_term *term, akin_salt salt)
{
    __builtin_prefetch(&part->slots.slots[akin_slots_home(&part->slots, akin_term_hash(*term, salt))]);
}

static akin_status merge_part(void *argument, uint64_t task, uint32_t thread)
{
    merging *m = argument;
    akin_part *part = &m->dictionary->parts[task];
    const akin_salt salt = m->dictionary->salt;
    (void)thread;
    part->fresh = 0;
    for (uint32_t c = 0; c < m->count; c++) {
        akin_vocabulary *v = m->vocabularies[c];
        uint64_t start = v->starts[task], end = v->starts[task + 1];
        akin_status status = start < end ? akin_part_reserve(part, end - start) : AKIN_OK;
        if (status != AKIN_OK)
            return status;
        for (const akin_term *own = v->terms + start; own < v->terms + end; own++) {
            akin_term *term;
            if (v->terms + end - own > AHEAD)
                fetch_slot(part, own + AHEAD, salt);
            status = akin_part_add(part, akin_term_hash(*own, salt), own, akin_term_bytes(own, v->bytes), &term);
            if (status != AKIN_OK)
                return status;
            uint8_t *fresh = &v->fresh[own->number];
            if (term->number < AKIN_ID_PENDING) {
                *fresh = KNOWN;
                v->ids[own->number] = term->number;
                continue;
            }
            *fresh = (uint8_t)((term->number == AKIN_ID_NONE ? FRESH : REPEATED) + task);
            v->ids[own->number] = (uint32_t)(term - part->terms);
            part->fresh += term->number == AKIN_ID_NONE;
            term->number = AKIN_ID_PENDING;
        }
    }
    return AKIN_OK;
}

static akin_status count_fresh(void *argument, uint64_t task, uint32_t thread)
{
    const merging *m = argument;
    const akin_vocabulary *v = m->vocabularies[task];
    uint64_t count = 0;
    (void)thread;
    for (uint64_t i = 0; i < v->count; i++)
        count += v->fresh[i] >= FRESH && v->fresh[i] < REPEATED;
    m->next_ids[task] = count;
    return AKIN_OK;
}

/* The term that waits for an id at a number of a vocabulary. */
static inline akin_place place_of(const akin_vocabulary *v, uint64_t number)
{
    return (akin_place){((uint32_t)v->fresh[number] - FRESH) % AKIN_DICTIONARY_PARTS, v->ids[number]};
}

static akin_status number_fresh(void *argument, uint64_t task, uint32_t thread)
{
    const merging *m = argument;
    const akin_dictionary *d = m->dictionary;
    akin_vocabulary *v = m->vocabularies[task];
    uint32_t id = (uint32_t)m->next_ids[task];
    (void)thread;
    for (uint64_t i = 0; i < v->count; i++) {
        if (v->fresh[i] < FRESH || v->fresh[i] >= REPEATED)
            continue;
        const akin_place place = place_of(v, i);
        d->places[id] = place;
        d->parts[place.part].terms[place.number].number = id;
        v->ids[i] = id++;
    }
    return AKIN_OK;
}

/* Looks up the ids of terms that are fresh elsewhere. */
static akin_status number_repeated(void *argument, uint64_t task, uint32_t thread)
{
    const merging *m = argument;
    akin_vocabulary *v = m->vocabularies[task];
    (void)thread;
    for (uint64_t i = 0; i < v->count; i++) {
        if (v->fresh[i] < REPEATED)
            continue;
        const akin_place place = place_of(v, i);
        v->ids[i] = m->dictionary->parts[place.part].terms[place.number].number;
    }
    return AKIN_OK;
}

/* Gives ids to pending terms, in the order of the vocabularies, and fills the ids of each vocabulary. */
static akin_status number_terms(const akin_scope *scope, merging *m, uint64_t total)
{
    uint64_t id = m->dictionary->count;
    akin_status status = akin_parallel(scope, NULL, m->count, count_fresh, m);
    for (uint32_t c = 0; c < m->count && status == AKIN_OK; c++) {
        uint64_t fresh = m->next_ids[c];
        m->next_ids[c] = id;
        id += fresh;
    }
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, m->count, number_fresh, m);
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, m->count, number_repeated, m);
    if (status == AKIN_OK)
        m->dictionary->count = (uint32_t)total;
    return status;
}

akin_status akin_dictionary_merge(const akin_scope *scope, akin_dictionary *dictionary,
                                  akin_vocabulary *const *vocabularies, uint32_t count, akin_error *error)
{
    merging m = {dictionary, vocabularies, count, akin_alloc(NULL, count, sizeof *m.next_ids)};
    uint64_t total = dictionary->count;
    akin_status status = AKIN_E_NOMEM;
    if (m.next_ids)
        status = akin_parallel(scope, NULL, AKIN_DICTIONARY_PARTS, merge_part, &m);
    if (status != AKIN_OK)
        goto done;
    for (int p = 0; p < AKIN_DICTIONARY_PARTS; p++)
        total += dictionary->parts[p].fresh;
    if (total > AKIN_IDS) {
        status = akin_fail(error, AKIN_E_LIMIT, "more than %u distinct tokens", AKIN_IDS);
        goto done;
    }
    status = akin_dictionary_reserve(dictionary, total);
    if (status == AKIN_OK)
        status = number_terms(scope, &m, total);
done:
    akin_free(m.next_ids);
    if (status == AKIN_E_NOMEM || status == AKIN_E_IO)
        akin_store_fail(&dictionary->store, status, "the dictionary", error);
    else if (status == AKIN_E_CANCELLED)
        akin_fail_stopped(error, status, "the dictionary");
    if (status != AKIN_OK)
        akin_dictionary_cut(dictionary, dictionary->count);
    return status;
}
