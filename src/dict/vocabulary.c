/* Vocabularies. They have the parts of the dictionary, so that they can be merged part by part. */
#include "dict/vocabulary.h"

akin_status akin_vocabulary_seal(akin_vocabulary *vocabulary, akin_salt salt, const akin_term *first, size_t stride,
                                 uint64_t count)
{
    akin_vocabulary *v = vocabulary;
    uint64_t at[AKIN_DICTIONARY_PARTS];
    akin_term *terms = akin_enlarge(v->account, v->terms, &v->terms_capacity, count, sizeof *terms);
    v->terms = terms ? terms : v->terms;
    uint32_t *ids = akin_enlarge(v->account, v->ids, &v->ids_capacity, count, sizeof *ids);
    v->ids = ids ? ids : v->ids;
    uint8_t *fresh = akin_enlarge(v->account, v->fresh, &v->fresh_capacity, count, sizeof *fresh);
    v->fresh = fresh ? fresh : v->fresh;
    if (!terms || !ids || !fresh)
        return AKIN_E_NOMEM;
    v->count = count;
    memset(v->starts, 0, sizeof v->starts);
    const char *from = (const char *)first;
    for (uint64_t i = 0; i < count; i++, from += stride)
        v->starts[akin_dictionary_part(akin_term_hash(*(const akin_term *)(const void *)from, salt)) + 1]++;
    for (int p = 0; p < AKIN_DICTIONARY_PARTS; p++)
        v->starts[p + 1] += v->starts[p];
    memcpy(at, v->starts, sizeof at);
    from = (const char *)first;
    for (uint64_t i = 0; i < count; i++, from += stride) {
        const akin_term *own = (const akin_term *)(const void *)from;
        akin_term *term = &terms[at[akin_dictionary_part(akin_term_hash(*own, salt))]++];
        *term = *own;
        term->number = (uint32_t)i;
    }
    return AKIN_OK;
}

void akin_vocabulary_clear(akin_vocabulary *vocabulary)
{
    akin_free(vocabulary->terms);
    akin_free(vocabulary->bytes);
    akin_free(vocabulary->list);
    akin_free(vocabulary->ids);
    akin_free(vocabulary->fresh);
    *vocabulary = (akin_vocabulary){.account = vocabulary->account};
}
