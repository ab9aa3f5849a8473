/*
 * Saves indexes, and opens what was saved: a container of kind "index", version 2, whose sections are
 *
 *     0          numbers, akin_rank_index_head
 *     1 .. 8     the parts of index/lists.h
 *     9 .. 14    those of a trie (dict/trie.h), the vocabulary
 *     15         how text becomes terms, see analysis.c
 *     16, 17     offsets of the names of documents, and their bytes; both empty if they have none
 *
 * and checksums of blocks behind these. Version 1 has none, and is checked wholly when it is opened.
 */
#include "base/context.h"
#include "weigh/formula.h"
#include "rank/rank_index.h"

#define KIND    "index"
#define VERSION 2

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
    akin_status status = akin_rank_index_check(akin_scope_of(context), index, error);
    if (status != AKIN_OK)
        return status;
    list_sections(index, sections);
    return akin_container_write(akin_scope_of(context), output, KIND, VERSION, sections, AKIN_RANK_INDEX_SECTIONS,
                                error);
}

akin_status akin_rank_index_save(akin_context *context, const akin_rank_index *index, const char *path,
                                 akin_error *error)
{
    akin_section sections[AKIN_RANK_INDEX_SECTIONS];
    akin_status status = akin_rank_index_check(akin_scope_of(context), index, error);
    if (status != AKIN_OK)
        return status;
    list_sections(index, sections);
    return akin_container_save(akin_scope_of(context), path, KIND, VERSION, sections, AKIN_RANK_INDEX_SECTIONS, error);
}

static akin_status refuse_index(const char *name, const char *why, akin_error *error)
{
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: no index: %s", name, why);
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

static akin_status take_names(const akin_rank_index *index, const char *name, akin_error *error)
{
    const uint64_t *offsets = index->names[0].data, documents = index->lists.head.documents;
    const uint64_t length = index->names[0].length, last = documents * sizeof *offsets;
    if (length == 0)
        return index->names[1].length == 0 ? AKIN_OK : refuse_index(name, "it has names of no documents", error);
    if (length != last + sizeof *offsets)
        return refuse_index(name, "its names are not those of its documents", error);
    akin_status status = akin_section_check(&index->names[0], 0, sizeof *offsets, error);
    if (status == AKIN_OK)
        status = akin_section_check(&index->names[0], last, length, error);
    return status == AKIN_OK && (offsets[0] != 0 || offsets[documents] != index->names[1].length)
               ? refuse_index(name, "its names are not those of its documents", error)
               : status;
}

/* Checks what is small, and what others are found by. */
static akin_status take_sections(const akin_scope *scope, const char *name, const akin_section *sections,
                                 akin_rank_index *index, akin_error *error)
{
    static const int checked[] = {AKIN_RANK_INDEX_HEAD, AKIN_RANK_INDEX_ANALYSIS};
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof checked / sizeof *checked && status == AKIN_OK; i++)
        status = akin_section_check(&sections[checked[i]], 0, sections[checked[i]].length, error);
    if (status == AKIN_OK)
        status = check_head(name, sections[AKIN_RANK_INDEX_HEAD], &index->head, error);
    if (status == AKIN_OK)
        status = akin_lists_take(scope, name, sections + AKIN_RANK_INDEX_LISTS, &index->lists, error);
    if (status == AKIN_OK)
        status = akin_trie_take_guarded(scope, name, sections + AKIN_RANK_INDEX_TRIE, &index->trie, error);
    if (status != AKIN_OK)
        return status;
    if (2 * ((uint64_t)akin_trie_count(index->trie) + index->head.shared) != index->lists.head.lists)
        return refuse_index(name, "its lists are not as many as its words", error);
    index->written = sections[AKIN_RANK_INDEX_ANALYSIS];
    status = akin_section_keep(scope, AKIN_BUDGET_KEPT, &index->written, 0, &index->own[2], error);
    memcpy(index->names, sections + AKIN_RANK_INDEX_NAME_OFFSETS, sizeof index->names);
    if (status == AKIN_OK)
        status = take_names(index, name, error);
    return status == AKIN_OK
               ? akin_analysis_parse(name, index->written.data, index->written.length, &index->analysis, error)
               : status;
}

/* Makes an index of what the container holds, which becomes the index's. */
static akin_status unpack_index(const akin_scope *scope, const char *name, akin_container *container,
                                akin_rank_index **out, akin_error *error)
{
    akin_section sections[AKIN_RANK_INDEX_SECTIONS];
    akin_rank_index *index = akin_rank_index_begin(name);
    akin_status status = index ? AKIN_OK : akin_fail_memory(error, "an index of documents");
    for (uint32_t i = 0; i < AKIN_RANK_INDEX_SECTIONS; i++)
        sections[i] = akin_container_section(container, i);
    if (index)
        index->container = container;
    else
        akin_container_close(container);
    if (status == AKIN_OK)
        status = take_sections(scope, name, sections, index, error);
    if (status == AKIN_OK && (akin_container_version(container) == 1 || scope->context->verify))
        status = akin_rank_index_check(scope, index, error);
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
