/* Checks an index of a file wholly: its checksums, its lists and its words, entry by entry. */
#include "base/parallel.h"
#include "rank/rank_index.h"

#define TASK 1024 /* terms */

/* The lists being checked, two of each term, and what is wrong with one of them. */
typedef struct checking {
    const akin_lists *lists;
    _Atomic(const char *) why;
} checking;

/* Whether all counts of a list are 1, or all are more. */
static int are_counts(const akin_lists *lists, const akin_list *list, int more)
{
    for (uint32_t block = 0; block < akin_list_blocks(list); block++) {
        akin_block_view view = akin_block_open(lists, list, block);
        if (view.block->counts == 0 && !more)
            continue;
        for (uint32_t i = 0; i < akin_block_entries(view.block); i++)
            if ((akin_block_factor(&view, i) > 1) != more)
                return 0;
    }
    return 1;
}

/* Whether two lists have no document in common: those of the second one are looked for in the first. */
static int are_apart(const akin_lists *lists, const akin_list *once, const akin_list *more)
{
    uint32_t documents[AKIN_BLOCK], blocks = akin_list_blocks(more), at = 0, entry;
    for (uint32_t block = 0; block < blocks && once->count > 0; block++) {
        akin_block_view view = akin_block_open(lists, more, block);
        uint32_t count = akin_block_documents(&view, documents);
        for (uint32_t i = 0; i < count; i++) {
            at = akin_list_seek(lists, once, at, documents[i]);
            if (at == akin_list_blocks(once))
                return 1;
            akin_block_view other = akin_block_open(lists, once, at);
            if (documents[i] >= other.base && akin_block_seek(&other, documents[i], &entry) == documents[i])
                return 0;
        }
    }
    return 1;
}

static akin_status check_terms(void *argument, uint64_t task, uint32_t thread)
{
    checking *c = argument;
    const akin_lists *lists = c->lists;
    uint64_t begin = 2 * task * TASK, end = akin_min_u64(begin + 2 * TASK, lists->head.lists);
    (void)thread;
    for (uint64_t i = begin; i < end; i += 2) {
        const akin_list *once = &lists->lists[i], *more = once + 1;
        const char *why = NULL;
        if (once->scale != more->scale)
            why = "a term has two scales";
        else if (!are_counts(lists, once, 0) || !are_counts(lists, more, 1))
            why = "a document is in the wrong list of a term";
        else if (!are_apart(lists, once, more))
            why = "a term has a document twice";
        if (why) {
            c->why = why;
            return AKIN_E_INPUT;
        }
    }
    return AKIN_OK;
}

static const char *check_document_names(const akin_rank_index *index)
{
    const uint64_t *offsets = index->names[0].data, documents = index->lists.head.documents;
    if (index->names[0].length == 0)
        return index->names[1].length == 0 ? NULL : "it has names of no documents";
    if (index->names[0].length != (documents + 1) * sizeof *offsets || offsets[0] != 0 ||
        offsets[documents] != index->names[1].length)
        return "its names are not those of its documents";
    for (uint64_t i = 0; i < documents; i++)
        if (offsets[i] > offsets[i + 1])
            return "its names are not in order";
    return NULL;
}

/* Whether as many terms are in a document as the head says. */
static int are_terms(const akin_rank_index *index)
{
    const akin_list *lists = index->lists.lists;
    uint32_t terms = 0;
    for (uint32_t i = 0; i < index->lists.head.lists; i += 2)
        terms += lists[i].count > 0 || lists[i + 1].count > 0;
    return terms == index->head.terms;
}

static akin_status check_index(const akin_scope *scope, const akin_rank_index *index, akin_error *error)
{
    const char *name = index->used->name;
    checking c = {.lists = &index->lists};
    akin_status status = akin_container_check(scope, index->container, error);
    if (status == AKIN_OK)
        status = akin_lists_check(scope, &index->lists, error);
    if (status == AKIN_OK)
        status = akin_trie_check(scope, name, index->trie, error);
    for (int i = 0; i < 2 && status == AKIN_OK; i++)
        status = akin_section_check(&index->names[i], 0, index->names[i].length, error);
    if (status != AKIN_OK)
        return status;
    if (!are_terms(index))
        return akin_lists_refuse(&index->lists, "its terms are not as many as it says", error);
    status = akin_parallel(scope, NULL, akin_ceil_div(index->lists.head.lists, 2 * TASK), check_terms, &c);
    if (status != AKIN_OK && status != AKIN_E_INPUT)
        return akin_fail_stopped(error, status, "an index of documents");
    const char *why = status == AKIN_E_INPUT ? c.why : check_document_names(index);
    return why ? akin_lists_refuse(&index->lists, why, error) : AKIN_OK;
}

akin_status akin_rank_index_check(const akin_scope *scope, const akin_rank_index *index, akin_error *error)
{
    if (index->used->is_checked)
        return AKIN_OK;
    akin_status status = check_index(scope, index, error);
    if (status == AKIN_OK)
        index->used->is_checked = 1;
    return status;
}
