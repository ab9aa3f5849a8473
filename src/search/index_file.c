/*
 * Saves indexes for match-count search, and opens what was saved: a container of kind "search", version 1, whose sections are
 *
 *     0           numbers, akin_search_head
 *     1 .. 6      the parts of objects.h
 *     7 .. 12     those of a trie (dict/trie.h), the vocabulary of documents
 *     13          how text becomes tokens, see sets/analysis.c
 *     14          the tokens of sets
 *     15 .. 18    dimensions, bins, and strings, see index.h
 *     19          which sequences are not null
 *     20          their n-grams, see grams.h
 *     21          how many keywords each set or document has
 *     22 .. 25    of vectors, and of sets by MinHash: numbers, akin_search_lsh, and functions, see signature/family.h; of signatures
 *                 the numbers alone
 *     26          vectors, row by row
 *     27, 28      values of signatures
 *     29, 30      offsets of the names of objects, and their bytes
 *
 * A kind of index has empty sections for what it has not.
 */
#include "search/index.h"

#define KIND    "search"
#define VERSION 1

_Static_assert(sizeof(akin_search_head) == 24 && sizeof(akin_search_lsh) == 48 && sizeof(akin_dimension) == 48,
               "structs that lie in memory as in the file");

void akin_search_index_sections(const akin_search_index *index, akin_section sections[AKIN_SEARCH_SECTIONS])
{
    memcpy(sections, index->sections, sizeof index->sections);
    sections[AKIN_SEARCH_HEAD] = (akin_section){&index->head, sizeof index->head};
    if (index->head.functions > 0)
        sections[AKIN_SEARCH_LSH] = (akin_section){&index->lsh, sizeof index->lsh};
    if (index->objects.parts[AKIN_OBJECTS_HEAD].length > 0) {
        memcpy(sections + AKIN_SEARCH_OBJECTS, index->objects.parts, sizeof index->objects.parts);
        sections[AKIN_SEARCH_OBJECTS + AKIN_OBJECTS_HEAD] =
            (akin_section){&index->objects.head, sizeof index->objects.head};
    }
    if (index->trie)
        akin_trie_sections(index->trie, sections + AKIN_SEARCH_TRIE);
}

akin_status akin_search_index_write(akin_context *context, const akin_search_index *index, akin_output *output,
                                    akin_error *error)
{
    akin_section sections[AKIN_SEARCH_SECTIONS];
    akin_search_index_sections(index, sections);
    return akin_container_write(context, output, KIND, VERSION, sections, AKIN_SEARCH_SECTIONS, error);
}

akin_status akin_search_index_save(akin_context *context, const akin_search_index *index, const char *path,
                                   akin_error *error)
{
    akin_section sections[AKIN_SEARCH_SECTIONS];
    akin_search_index_sections(index, sections);
    return akin_container_save(context, path, KIND, VERSION, sections, AKIN_SEARCH_SECTIONS, error);
}

/* ------------------------------------------------------------------------------------------------------------- checks */

static akin_status refuse(const char *name, const char *why, akin_error *error)
{
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: no index: %s", name, why);
}

/* Offsets of `count` strings, or of any number if it is UINT64_MAX. */
static int are_offsets(const akin_section *offsets, const akin_section *bytes, uint64_t count)
{
    const uint64_t *at = offsets->data;
    if (offsets->length % sizeof *at != 0 || offsets->length < sizeof *at)
        return 0;
    const uint64_t strings = offsets->length / sizeof *at - 1;
    if ((count != UINT64_MAX && strings != count) || at[0] != 0 || at[strings] != bytes->length)
        return 0;
    for (uint64_t i = 0; i < strings; i++)
        if (at[i] > at[i + 1])
            return 0;
    return 1;
}

/* Which sections a kind has, and others have not. */
static int belongs(const akin_search_head *head, int section)
{
    const uint32_t kind = head->kind;
    if (section == AKIN_SEARCH_HEAD || section >= AKIN_SEARCH_NAME_OFFSETS)
        return 1;
    if (section < AKIN_SEARCH_TRIE)
        return kind != AKIN_KIND_SEQUENCES || head->ngram > 0;
    if (section <= AKIN_SEARCH_ANALYSIS)
        return kind == AKIN_KIND_DOCUMENTS;
    if (section == AKIN_SEARCH_TOKENS)
        return kind == AKIN_KIND_SETS && head->functions == 0;
    if (section == AKIN_SEARCH_SIZES)
        return (kind == AKIN_KIND_SETS && head->functions == 0) || kind == AKIN_KIND_DOCUMENTS;
    if (section >= AKIN_SEARCH_LSH && section <= AKIN_SEARCH_VALUES)
        return section == AKIN_SEARCH_LSH         ? head->functions > 0
               : section < AKIN_SEARCH_VALUE_ENDS ? head->functions > 0 && kind != AKIN_KIND_SIGNATURES
                                                  : kind == AKIN_KIND_SIGNATURES;
    if (section == AKIN_SEARCH_GRAMS)
        return head->ngram > 0;
    if (section == AKIN_SEARCH_VALIDITY)
        return kind == AKIN_KIND_SEQUENCES;
    return kind == AKIN_KIND_ROWS || (kind == AKIN_KIND_SEQUENCES && section >= AKIN_SEARCH_STRING_OFFSETS);
}

/* Vectors and signatures have functions, and sets may. */
static int has_functions(const akin_search_head *head)
{
    const int must = head->kind == AKIN_KIND_VECTORS || head->kind == AKIN_KIND_SIGNATURES;
    return must ? head->functions > 0 : head->kind == AKIN_KIND_SETS || head->functions == 0;
}

static const char *check_head(akin_search_index *index)
{
    const akin_section *sections = index->sections;
    akin_search_head *head = &index->head;
    if (sections[AKIN_SEARCH_HEAD].length != sizeof *head)
        return "its numbers are not as many as they must be";
    memcpy(head, sections[AKIN_SEARCH_HEAD].data, sizeof *head);
    if (!akin_search_kind_name((akin_search_kind)head->kind) || head->rows == UINT32_MAX ||
        (head->dimensions > 0) != (head->kind == AKIN_KIND_ROWS) || head->ngram > AKIN_NGRAM_MOST ||
        (head->ngram > 0 && head->kind != AKIN_KIND_SEQUENCES) || !has_functions(head) || head->reserved != 0 ||
        (head->functions > 0 && sections[AKIN_SEARCH_LSH].length != sizeof index->lsh))
        return "its numbers are not what they must be";
    for (int i = 0; i < AKIN_SEARCH_SECTIONS; i++)
        if (sections[i].length > 0 && !belongs(head, i))
            return "it has parts of another kind of index";
    if (sections[AKIN_SEARCH_NAME_OFFSETS].length == 0 && sections[AKIN_SEARCH_NAMES].length == 0)
        return NULL;
    return are_offsets(&sections[AKIN_SEARCH_NAME_OFFSETS], &sections[AKIN_SEARCH_NAMES], head->rows)
               ? NULL
               : "its names are not those of its objects";
}

static const char *check_sets(const akin_search_index *index)
{
    const akin_section *section = &index->sections[AKIN_SEARCH_TOKENS];
    const uint32_t *tokens = section->data;
    if (section->length != (uint64_t)index->objects.head.keywords * sizeof *tokens)
        return "its tokens are not as many as its keywords";
    for (uint64_t i = 1; i < index->objects.head.keywords; i++)
        if (tokens[i] <= tokens[i - 1])
            return "its tokens are not rising";
    return NULL;
}

static akin_status take_documents(akin_context *context, const char *name, akin_search_index *index, akin_error *error)
{
    const akin_section *written = &index->sections[AKIN_SEARCH_ANALYSIS];
    akin_status status = akin_trie_take(context, name, index->sections + AKIN_SEARCH_TRIE, &index->trie, error);
    if (status == AKIN_OK && akin_trie_count(index->trie) != index->objects.head.keywords)
        return refuse(name, "its words are not as many as its keywords", error);
    return status == AKIN_OK ? akin_analysis_parse(name, written->data, written->length, &index->analysis, error)
                             : status;
}

static const char *check_grams(const akin_search_index *index)
{
    const akin_section *section = &index->sections[AKIN_SEARCH_GRAMS];
    const uint64_t *keys = section->data;
    if (section->length != index->objects.head.keywords * sizeof *keys)
        return "its n-grams are not as many as its keywords";
    for (uint64_t i = 1; i < index->objects.head.keywords; i++)
        if (keys[i] <= keys[i - 1])
            return "its n-grams are not rising";
    return NULL;
}

static akin_status take_sequences(akin_context *context, const char *name, akin_search_index *index, akin_error *error)
{
    const char *why = index->head.ngram > 0 ? check_grams(index) : NULL;
    if (why)
        return refuse(name, why, error);
    const akin_section *sections = index->sections, *validity = &sections[AKIN_SEARCH_VALIDITY];
    if (!are_offsets(&sections[AKIN_SEARCH_STRING_OFFSETS], &sections[AKIN_SEARCH_STRINGS], index->head.rows))
        return refuse(name, "its strings are not those of its objects", error);
    if (validity->length > 0 && validity->length != akin_ceil_div(index->head.rows, 8))
        return refuse(name, "its nulls are not those of its objects", error);
    const akin_column column = akin_search_strings(index);
    akin_status status = akin_sequences_make(context, &column, index->head.rows, &index->sequences, error);
    return status == AKIN_E_LIMIT ? refuse(name, "it has a string of 2^31 bytes", error) : status;
}

static akin_status take(akin_context *context, const char *name, akin_search_index *index, akin_error *error)
{
    const char *why = check_head(index);
    if (why)
        return refuse(name, why, error);
    if (index->head.kind == AKIN_KIND_SEQUENCES && index->head.ngram == 0)
        return take_sequences(context, name, index, error);
    akin_status status =
        akin_objects_take(context, name, index->sections + AKIN_SEARCH_OBJECTS, &index->objects, error);
    if (status != AKIN_OK)
        return status;
    if (index->objects.head.count != index->head.rows)
        return refuse(name, "its objects are not as many as it says", error);
    if (index->head.kind == AKIN_KIND_SEQUENCES)
        return take_sequences(context, name, index, error);
    if (index->head.functions > 0) {
        memcpy(&index->lsh, index->sections[AKIN_SEARCH_LSH].data, sizeof index->lsh);
        why = index->head.kind == AKIN_KIND_SIGNATURES ? akin_search_check_signatures(index)
                                                       : akin_search_check_vectors(index);
        return why ? refuse(name, why, error) : AKIN_OK;
    }
    if (index->head.kind != AKIN_KIND_ROWS &&
        index->sections[AKIN_SEARCH_SIZES].length != (uint64_t)index->head.rows * sizeof(uint32_t))
        return refuse(name, "its sizes are not those of its objects", error);
    if (index->head.kind == AKIN_KIND_DOCUMENTS)
        return take_documents(context, name, index, error);
    why = index->head.kind == AKIN_KIND_SETS ? check_sets(index) : akin_search_check_rows(index);
    return why ? refuse(name, why, error) : AKIN_OK;
}

/* Makes an index of what the container holds, which becomes the index's. */
static akin_status unpack(akin_context *context, const char *name, akin_container *container, akin_search_index **out,
                          akin_error *error)
{
    akin_search_index *index = akin_alloc_zero(NULL, 1, sizeof *index);
    if (!index) {
        akin_container_close(container);
        return akin_fail_memory(error, "a search index");
    }
    index->container = container;
    for (uint32_t i = 0; i < AKIN_SEARCH_SECTIONS; i++)
        index->sections[i] = akin_container_section(container, i);
    return akin_search_index_end(index, take(context, name, index, error), out);
}

akin_status akin_search_index_open(akin_context *context, const char *path, akin_search_index **out, akin_error *error)
{
    akin_container *container;
    akin_status status = akin_container_open(context, path, KIND, VERSION, AKIN_SEARCH_SECTIONS, &container, error);
    return status != AKIN_OK ? status
                             : unpack(context, strcmp(path, "-") == 0 ? "standard input" : path, container, out, error);
}

akin_status akin_search_index_parse(akin_context *context, const char *name, const void *image, uint64_t length,
                                    akin_search_index **out, akin_error *error)
{
    akin_container *container;
    akin_status status =
        akin_container_parse(context, name, image, length, KIND, VERSION, AKIN_SEARCH_SECTIONS, &container, error);
    return status != AKIN_OK ? status : unpack(context, name, container, out, error);
}
