/*
 * Saves indexes, and opens what was saved: a container of kind "index", version 1, whose sections are
 *
 *     0          numbers, akin_rank_index_head
 *     1 .. 8     the parts of index/lists.h
 *     9 .. 14    those of a trie (dict/trie.h), the vocabulary
 *     15         how text becomes terms, see analysis.c
 *     16, 17     offsets of the names of documents, and their bytes; both empty if they have none
 */
#include "base/parallel.h"
#include "weigh/formula.h"
#include "rank/rank_index.h"

#define KIND    "index"
#define VERSION 1

_Static_assert(sizeof(akin_rank_index_head) == 48, "a struct that lies in memory as in the file");

/* All sections of an index, as they are written. */
static void list_sections(const akin_rank_index *index, akin_section sections[AKIN_RANK_INDEX_SECTIONS])
{
    sections[AKIN_RANK_INDEX_HEAD] = (akin_section){.data = &index->head, .length = sizeof index->head};
    sections[AKIN_RANK_INDEX_ANALYSIS] = index->written;
    sections[AKIN_RANK_INDEX_NAME_OFFSETS] = index->names[0];
    sections[AKIN_RANK_INDEX_NAMES] = index->names[1];
    memcpy(sections + AKIN_RANK_INDEX_LISTS, index->lists.parts, sizeof index->lists.parts);
    sections[AKIN_RANK_INDEX_LISTS + AKIN_LISTS_HEAD] =
        (akin_section){.data = &index->lists.head, .length = sizeof index->lists.head};
    akin_trie_sections(index->trie, sections + AKIN_RANK_INDEX_TRIE);
}

uint64_t akin_rank_index_bytes(const akin_rank_index *index)
{
    akin_section sections[AKIN_RANK_INDEX_SECTIONS];
    uint64_t bytes = 0;
    list_sections(index, sections);
    for (int i = 0; i < AKIN_RANK_INDEX_SECTIONS; i++)
        bytes += sections[i].length;
    return bytes;
}

akin_status akin_rank_index_write(akin_context *context, const akin_rank_index *index, akin_output *output,
                                  akin_error *error)
{
    akin_section sections[AKIN_RANK_INDEX_SECTIONS];
    list_sections(index, sections);
    return akin_container_write(akin_scope_of(context), output, KIND, VERSION, sections, AKIN_RANK_INDEX_SECTIONS,
                                error);
}

akin_status akin_rank_index_save(akin_context *context, const akin_rank_index *index, const char *path,
                                 akin_error *error)
{
    akin_section sections[AKIN_RANK_INDEX_SECTIONS];
    list_sections(index, sections);
    return akin_container_save(akin_scope_of(context), path, KIND, VERSION, sections, AKIN_RANK_INDEX_SECTIONS, error);
}

static akin_status refuse_index(const char *name, const char *why, akin_error *error)
{
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: no index: %s", name, why);
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

static akin_status check_head(const char *name, akin_section section, akin_rank_index_head *head, akin_error *error)
{
    akin_formula_terms formula;
    if (section.length != sizeof *head)
        return refuse_index(name, "its numbers are not as many as they must be", error);
    memcpy(head, section.data, sizeof *head);
    if (head->shared > 1 || head->reserved != 0 || head->delta < 0 ||
        akin_formula_read((akin_formula)head->formula, head->k1, head->b, head->delta, &formula, NULL) != AKIN_OK)
        return refuse_index(name, "its numbers are not what they must be", error);
    return AKIN_OK;
}

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

static akin_status take_sections(const akin_scope *scope, const char *name, const akin_section *sections,
                                 akin_rank_index *index, akin_error *error)
{
    akin_status status = check_head(name, sections[AKIN_RANK_INDEX_HEAD], &index->head, error);
    if (status == AKIN_OK)
        status = akin_lists_take(scope, name, sections + AKIN_RANK_INDEX_LISTS, &index->lists, error);
    if (status == AKIN_OK)
        status = akin_trie_take(scope, name, sections + AKIN_RANK_INDEX_TRIE, &index->trie, error);
    if (status != AKIN_OK)
        return status;
    if (2 * ((uint64_t)akin_trie_count(index->trie) + index->head.shared) != index->lists.head.lists)
        return refuse_index(name, "its lists are not as many as its words", error);
    checking c = {.lists = &index->lists};
    const akin_list *lists = index->lists.lists;
    uint32_t terms = 0;
    for (uint32_t i = 0; i < index->lists.head.lists; i += 2)
        terms += lists[i].count > 0 || lists[i + 1].count > 0;
    if (terms != index->head.terms)
        return refuse_index(name, "its terms are not as many as it says", error);
    status = akin_parallel(scope, NULL, akin_ceil_div(index->lists.head.lists, 2 * TASK), check_terms, &c);
    if (status != AKIN_OK)
        return status == AKIN_E_INPUT ? refuse_index(name, c.why, error)
                                      : akin_fail_stopped(error, status, "an index of documents");
    index->written = sections[AKIN_RANK_INDEX_ANALYSIS];
    status = akin_section_keep(scope, AKIN_BUDGET_KEPT, &index->written, 0, &index->own[2], error);
    if (status != AKIN_OK)
        return status;
    memcpy(index->names, sections + AKIN_RANK_INDEX_NAME_OFFSETS, sizeof index->names);
    const char *why = check_document_names(index);
    if (why)
        return refuse_index(name, why, error);
    status = akin_analysis_parse(name, index->written.data, index->written.length, &index->analysis, error);
    return status == AKIN_OK ? akin_frequent_build(scope, &index->lists, &index->frequent, error) : status;
}

/* Makes an index of what the container holds, which becomes the index's. */
static akin_status unpack_index(const akin_scope *scope, const char *name, akin_container *container,
                                akin_rank_index **out, akin_error *error)
{
    akin_section sections[AKIN_RANK_INDEX_SECTIONS];
    akin_rank_index *index = akin_alloc_zero(NULL, 1, sizeof *index);
    akin_status status = index ? AKIN_OK : akin_fail_memory(error, "an index of documents");
    for (uint32_t i = 0; i < AKIN_RANK_INDEX_SECTIONS; i++)
        sections[i] = akin_container_section(container, i);
    if (index)
        index->container = container;
    else
        akin_container_close(container);
    if (status == AKIN_OK)
        status = take_sections(scope, name, sections, index, error);
    if (status == AKIN_OK)
        *out = index;
    else
        akin_rank_index_free(index);
    return status;
}

akin_status akin_rank_index_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                         akin_rank_index **out, akin_error *error)
{
    akin_status status = akin_container_expect(container, name, KIND, VERSION, AKIN_RANK_INDEX_SECTIONS, error);
    if (status == AKIN_OK)
        return unpack_index(scope, name, container, out, error);
    akin_container_close(container);
    return status;
}

akin_status akin_rank_index_open(akin_context *context, const char *path, akin_rank_index **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_container *container;
    akin_status status = akin_container_open(scope, path, KIND, VERSION, AKIN_RANK_INDEX_SECTIONS, &container, error);
    return status != AKIN_OK
               ? status
               : unpack_index(scope, strcmp(path, "-") == 0 ? "standard input" : path, container, out, error);
}

const akin_mapping *akin_rank_index_mapping(const akin_rank_index *index)
{
    return akin_container_mapping(index->container);
}

akin_status akin_rank_index_parse(const akin_scope *scope, const char *name, const void *image, uint64_t length,
                                  akin_rank_index **out, akin_error *error)
{
    akin_container *container;
    akin_status status =
        akin_container_parse(scope, name, image, length, KIND, VERSION, AKIN_RANK_INDEX_SECTIONS, &container, error);
    return status != AKIN_OK ? status : unpack_index(scope, name, container, out, error);
}
