/*
 * Merges vocabularies into a dictionary: first the parts, each by one thread, which find out what is known and add
 * what is not; then ids are dealt, in one pass over the vocabularies that looks nothing up. The order of the ids is
 * that of this pass, whatever the threads did.
 */
#include "base/memory.h"
#include "base/parallel.h"
#include "dict/dictionary.h"

/* What is left to do for an entry when the parts are merged. Till then its number is that of the term in the part. */
enum { KNOWN = 0, FRESH = 1, REPEATED = 2 };

typedef struct merging {
    akin_dictionary *dictionary;
    akin_vocabulary *const *vocabularies;
    uint32_t count;
} merging;

static akin_status merge_part(void *argument, uint64_t task, uint32_t thread)
{
    merging *m = argument;
    akin_part *part = &m->dictionary->parts[task];
    (void)thread;
    part->fresh = 0;
    for (uint32_t c = 0; c < m->count; c++) {
        akin_vocabulary *v = m->vocabularies[c];
        uint64_t start = v->starts[task], end = v->starts[task + 1];
        if (start < end && akin_part_reserve(part, end - start) != AKIN_OK)
            return AKIN_E_NOMEM;
        for (uint64_t i = start; i < end; i++) {
            uint32_t number = v->order[i];
            akin_term *own = &v->entries[number].term;
            akin_term *term = akin_part_add(part, own, akin_term_bytes(own, v->bytes));
            if (!term)
                return AKIN_E_NOMEM;
            v->fresh[number] = term->number < AKIN_ID_PENDING ? KNOWN : term->number == AKIN_ID_NONE ? FRESH : REPEATED;
            own->number = v->fresh[number] == KNOWN ? term->number : (uint32_t)(term - part->terms);
            if (v->fresh[number] == FRESH) {
                term->number = AKIN_ID_PENDING;
                part->fresh++;
            }
        }
    }
    return AKIN_OK;
}

static void deal(merging *m)
{
    akin_dictionary *d = m->dictionary;
    for (uint32_t c = 0; c < m->count; c++) {
        akin_vocabulary *v = m->vocabularies[c];
        for (uint64_t i = v->stops; i < v->count; i++) {
            if (v->fresh[i] == KNOWN)
                continue;
            akin_term *own = &v->entries[i].term;
            uint32_t part = akin_dictionary_part(akin_term_hash(*own));
            akin_term *term = &d->parts[part].terms[own->number];
            if (v->fresh[i] == FRESH) {
                d->places[d->count] = (akin_place){part, own->number};
                term->number = d->count++;
            }
            own->number = term->number;
        }
    }
}

akin_status akin_dictionary_merge(akin_context *context, akin_dictionary *dictionary,
                                  akin_vocabulary *const *vocabularies, uint32_t count, akin_error *error)
{
    merging m = {dictionary, vocabularies, count};
    uint64_t total = dictionary->count;
    akin_status status = akin_parallel(context, NULL, AKIN_DICTIONARY_PARTS, merge_part, &m);
    if (status != AKIN_OK) {
        akin_fail_stopped(error, status, "the dictionary");
        goto done;
    }
    for (int p = 0; p < AKIN_DICTIONARY_PARTS; p++)
        total += dictionary->parts[p].fresh;
    if (total > AKIN_IDS) {
        status = akin_fail(error, AKIN_E_LIMIT, "more than %u distinct tokens", AKIN_IDS);
        goto done;
    }
    akin_place *places = akin_enlarge(NULL, dictionary->places, &dictionary->capacity, total, sizeof *places);
    if (!places) {
        status = akin_fail_memory(error, "the dictionary");
        goto done;
    }
    dictionary->places = places;
    deal(&m);
done:
    if (status != AKIN_OK)
        akin_dictionary_cut(dictionary, dictionary->count);
    return status;
}
