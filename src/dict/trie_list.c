/* Lists all words of a trie, in the order of their ids. */
#include "base/budget.h"
#include "base/parallel.h"
#include "dict/trie.h"

#define TASK 4096 /* words of a task */

static const char what[] = "the words of a trie"; /* for messages: what memory is for */

typedef struct listing {
    akin_trie_parents parents;
    uint64_t *offsets;
    char *words; /* NULL: words are only measured */
} listing;

/* Measures the words of a task, or writes them. */
static akin_status list_words(void *argument, uint64_t task, uint32_t thread)
{
    const listing *l = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, l->parents.trie->head.words);
    (void)thread;
    for (uint64_t id = task * TASK; id < end; id++) {
        uint32_t length;
        if (!akin_trie_parents_word(&l->parents, (uint32_t)id, l->words ? l->words + l->offsets[id + 1] : NULL,
                                    &length))
            return AKIN_E_INPUT;
        if (!l->words)
            l->offsets[id + 1] = length;
    }
    return AKIN_OK;
}

static akin_status fill_lists(const akin_scope *scope, listing *l, akin_bulk words[2], akin_error *error)
{
    const uint64_t count = l->parents.trie->head.words, tasks = akin_ceil_div(count, TASK);
    akin_status status = akin_bulk_reserve(&words[0], (count + 1) * sizeof *l->offsets, what, error);
    if (status != AKIN_OK)
        return status;
    l->offsets = words[0].data;
    l->offsets[0] = 0;
    status = akin_parallel(scope, NULL, tasks, list_words, l);
    if (status == AKIN_E_INPUT)
        return akin_error_set(error, status, AKIN_REASON_DAMAGED,
                              "the trie is altered: a word is longer than the longest");
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    for (uint64_t i = 0; i < count; i++)
        l->offsets[i + 1] += l->offsets[i];
    status = akin_bulk_reserve(&words[1], l->offsets[count] + 1, what, error);
    if (status != AKIN_OK)
        return status;
    l->words = words[1].data;
    status = akin_parallel(scope, NULL, tasks, list_words, l);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_trie_list(const akin_scope *scope, const akin_trie *trie, akin_bulk words[2], akin_error *error)
{
    listing l = {.offsets = NULL};
    words[0] = words[1] = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_TRIE_WORDS));
    akin_status status = akin_trie_parents_find(scope, trie, &l.parents, error);
    if (status == AKIN_OK)
        status = fill_lists(scope, &l, words, error);
    akin_trie_parents_clear(&l.parents);
    return status;
}
