/*
 * Adds many strings to a dictionary, in rounds. In a round each thread makes vocabularies from chunks of the strings,
 * and then the vocabularies are merged, as those of texts are.
 */
#include "dict/dictionary.h"

#include "base/bits.h"
#include "base/parallel.h"

#define CHUNK ((uint64_t)1 << 14) /* strings of a chunk */
#define EACH  2                   /* chunks for each thread in a round */

static const char what[] = "a dictionary"; /* for messages: what memory is for */

typedef struct chunk {
    akin_vocabulary vocabulary;
    akin_term *terms; /* the terms of the strings, in their order */
    uint64_t capacity;
} chunk;

typedef struct adding {
    const akin_dictionary *dictionary;
    const akin_dictionary_words *words;
    uint64_t first; /* the first string of the round */
    chunk *chunks;
    akin_vocabulary **vocabularies;
} adding;

/* Makes the term of a string, and appends the bytes of a long one to the vocabulary. */
static akin_status keep_string(akin_vocabulary *v, akin_term *term, const char *bytes, uint32_t length, akin_salt salt)
{
    *term = akin_term_copy(bytes, length, salt);
    if (length <= AKIN_TERM_SHORT)
        return AKIN_OK;
    char *moved = akin_enlarge(v->account, v->bytes, &v->bytes_capacity, v->used + length, 1);
    if (!moved)
        return AKIN_E_NOMEM;
    v->bytes = moved;
    memcpy(moved + v->used, bytes, length);
    term->word[1] = v->used;
    v->used += length;
    return AKIN_OK;
}

static akin_status make_vocabulary(void *argument, uint64_t task, uint32_t thread)
{
    const adding *a = argument;
    chunk *c = &a->chunks[task];
    const akin_salt salt = a->dictionary->salt;
    const uint64_t first = a->first + task * CHUNK, count = akin_min_u64(CHUNK, a->words->count - first);
    akin_term *terms = akin_enlarge(NULL, c->terms, &c->capacity, count, sizeof *terms);
    if (!terms)
        return AKIN_E_NOMEM;
    c->terms = terms;
    c->vocabulary.used = 0;
    for (uint64_t i = 0; i < count; i++) {
        const char *bytes;
        uint32_t length;
        akin_status status = a->words->word(a->words->user, first + i, thread, &bytes, &length);
        if (status == AKIN_OK)
            status = keep_string(&c->vocabulary, &terms[i], bytes, length, salt);
        if (status != AKIN_OK)
            return status;
    }
    return akin_vocabulary_seal(&c->vocabulary, salt, terms, sizeof *terms, count);
}

static akin_status add_chunks(const akin_scope *scope, adding *a, akin_dictionary *dictionary, uint64_t most,
                              akin_error *error)
{
    akin_status status = AKIN_OK;
    for (a->first = 0; a->first < a->words->count && status == AKIN_OK; a->first += most * CHUNK) {
        const uint64_t chunks = akin_min_u64(most, akin_ceil_div(a->words->count - a->first, CHUNK));
        status = akin_parallel(scope, NULL, chunks, make_vocabulary, a);
        if (status == AKIN_E_NOMEM || status == AKIN_E_CANCELLED)
            return akin_fail_stopped(error, status, what);
        if (status != AKIN_OK)
            return akin_fail(error, status, "a string of a dictionary cannot be read");
        status = akin_dictionary_merge(scope, dictionary, a->vocabularies, (uint32_t)chunks, error);
    }
    return status;
}

akin_status akin_dictionary_add_words_within(const akin_scope *scope, akin_dictionary *dictionary,
                                             const akin_dictionary_words *words, akin_error *error)
{
    const uint64_t most = akin_min_u64((uint64_t)scope->threads * EACH, akin_ceil_div(words->count, CHUNK));
    adding a = {.dictionary = dictionary, .words = words};
    a.chunks = akin_alloc_zero(NULL, most, sizeof *a.chunks);
    a.vocabularies = akin_alloc(NULL, most, sizeof(akin_vocabulary *));
    akin_status status = a.chunks && a.vocabularies ? AKIN_OK : akin_fail_memory(error, what);
    for (uint64_t i = 0; i < most && a.chunks && a.vocabularies; i++)
        a.vocabularies[i] = &a.chunks[i].vocabulary;
    if (status == AKIN_OK)
        status = add_chunks(scope, &a, dictionary, most, error);
    for (uint64_t i = 0; i < most && a.chunks; i++) {
        akin_vocabulary_clear(&a.chunks[i].vocabulary);
        akin_free(a.chunks[i].terms);
    }
    akin_free(a.chunks);
    akin_free(a.vocabularies);
    return status;
}

akin_status akin_dictionary_add_words(akin_context *context, akin_dictionary *dictionary,
                                      const akin_dictionary_words *words, akin_error *error)
{
    return akin_dictionary_add_words_within(akin_scope_of(context), dictionary, words, error);
}
