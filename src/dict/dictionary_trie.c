/* Copies the words of a trie into a dictionary. */
#include "dict/dictionary.h"
#include "dict/trie.h"

static const char what[] = "the words of a trie"; /* for messages: what memory is for */

typedef struct copying {
    akin_trie_parents parents;
    char *words; /* for each thread, room for the longest word */
} copying;

static akin_status read_word(void *user, uint64_t i, uint32_t thread, const char **bytes, uint32_t *length)
{
    const copying *c = user;
    char *end = c->words + (thread + UINT64_C(1)) * ((uint64_t)c->parents.trie->head.longest + 1);
    const int read = akin_trie_parents_word(&c->parents, (uint32_t)i, end, length);
    *bytes = read ? end - *length : end;
    return read ? AKIN_OK : AKIN_E_INPUT;
}

akin_status akin_dictionary_add_trie(const akin_scope *scope, akin_dictionary *dictionary, const akin_trie *trie,
                                     akin_error *error)
{
    copying c = {.words = akin_alloc(NULL, scope->threads, (size_t)trie->head.longest + 1)};
    const akin_dictionary_words words = {trie->head.words, read_word, &c};
    akin_status status = c.words ? AKIN_OK : akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = akin_trie_parents_find(scope, trie, &c.parents, error);
    if (status == AKIN_OK)
        status = akin_dictionary_add_words_within(scope, dictionary, &words, error);
    if (status == AKIN_E_INPUT)
        akin_error_set(error, status, AKIN_REASON_DAMAGED, "the trie is altered: a word is longer than the longest");
    akin_trie_parents_clear(&c.parents);
    akin_free(c.words);
    return status;
}
