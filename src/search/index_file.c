/*
 * Saves indexes for match-count search, and opens what was saved: a container of kind "search", version 2, or 3 of
 * trees, whose sections are
 *
 *     0           numbers, akin_search_head; in version 1 they end before `folds`, which is 0
 *     1 .. 6      the parts of objects.h
 *     7 .. 12     those of a trie (dict/trie.h), the vocabulary of documents
 *     13          how text becomes tokens, see sets/analysis.c
 *     14          the tokens of sets, or the code points of strings, see letters.h
 *     15 .. 18    dimensions, bins, and strings, see index.h; of strings of more than 254 code points 16 has their
 *                 numbers
 *     19          which strings are not null
 *     20          their n-grams, see grams.h
 *     21          how many keywords each set or document has
 *     22 .. 25    of vectors, and of sets by MinHash: numbers, akin_search_lsh, and functions, see signature/family.h;
 *                 of signatures the numbers alone
 *     26          vectors, row by row
 *     27, 28      values of signatures
 *     29, 30      offsets of the names of objects, and their bytes
 *     31 .. 46    from version 3 on: the parts of stored trees (trees/stored.h)
 *
 * A kind of index has empty sections for what it has not. Of bm25 there is none: its file is of kind "index"
 * (weigh/index_file.c).
 */
#include "search/index_file.h"

#include "search/index_bm25.h"
#include "search/kinds.h"

#define KIND     "search"
#define VERSION  3
#define EXPECTED "an index (made by akin index)"

#define HEAD_1 24 /* bytes of the head in version 1 */
#define OLDER  2  /* the version of kinds that have no section of trees */

_Static_assert(sizeof(akin_search_head) == 28 && sizeof(akin_search_lsh) == 48 && sizeof(akin_dimension) == 48,
               "structs that lie in memory as in the file");

/* How a file of the index is written: files of older kinds can be read by older versions of the library. */
static uint32_t version_of(const akin_search_index *index)
{
    return index->trees ? VERSION : OLDER;
}

static uint32_t sections_of(uint32_t version)
{
    return version > OLDER ? AKIN_SEARCH_SECTIONS : AKIN_SEARCH_STORED;
}

akin_status akin_search_index_write(akin_context *context, const akin_search_index *index, akin_output *output,
                                    akin_error *error)
{
    akin_section sections[AKIN_SEARCH_SECTIONS];
    if (index->ranking)
        return akin_rank_index_write(context, index->ranking, output, error);
    akin_search_index_sections(index, sections);
    return akin_container_write(akin_scope_of(context), output, KIND, version_of(index), sections,
                                sections_of(version_of(index)), error);
}

akin_status akin_search_index_save(akin_context *context, const akin_search_index *index, const char *path,
                                   akin_error *error)
{
    akin_section sections[AKIN_SEARCH_SECTIONS];
    if (index->ranking)
        return akin_rank_index_save(context, index->ranking, path, error);
    akin_search_index_sections(index, sections);
    return akin_container_save(akin_scope_of(context), path, KIND, version_of(index), sections,
                               sections_of(version_of(index)), error);
}

/* ----------------------------------------------------------------------------------------------------------- checks */

static const char *check_search_head(akin_search_index *index)
{
    const akin_section *sections = index->sections;
    akin_search_head *head = &index->head;
    const size_t length = akin_container_version(index->container) == 1 ? HEAD_1 : sizeof *head;
    if (sections[AKIN_SEARCH_HEAD].length != length)
        return "its numbers are not as many as they must be";
    memcpy(head, sections[AKIN_SEARCH_HEAD].data, length);
    const akin_search_way *way = akin_search_way_of(head);
    if (!way || way->sections == 0 || head->rows == UINT32_MAX || (head->dimensions > 0) != way->has_dimensions ||
        head->ngram > AKIN_NGRAM_MOST || (head->ngram > 0 && way->gram_sections == 0) ||
        head->letters > (uint32_t)way->has_letters || (head->folds & ~(uint32_t)AKIN_FOLD_ALL) ||
        (head->folds > 0 && !way->has_letters) ||
        (head->functions > 0 && sections[AKIN_SEARCH_LSH].length != sizeof index->lsh))
        return "its numbers are not what they must be";
    for (int i = 0; i < AKIN_SEARCH_SECTIONS; i++)
        if (sections[i].length > 0 && !akin_search_has_section(head, i))
            return "it has parts of another kind of index";
    if (sections[AKIN_SEARCH_NAME_OFFSETS].length == 0 && sections[AKIN_SEARCH_NAMES].length == 0)
        return NULL;
    return akin_search_are_offsets(&sections[AKIN_SEARCH_NAME_OFFSETS], &sections[AKIN_SEARCH_NAMES], head->rows)
               ? NULL
               : "its names are not those of its objects";
}

/* Copies the sections of a mapped file that others are found by, or that are read more than once. What stays is
 * compared and computed with alone: tokens, bins, n-grams, values, vectors, strings of rows and sizes; and the names of
 * objects, whose offsets are checked when a name is wanted. */
static akin_status keep_sections(const akin_scope *scope, akin_search_index *index, akin_error *error)
{
    static const int kept[] = {AKIN_SEARCH_ANALYSIS, AKIN_SEARCH_DIMENSIONS, AKIN_SEARCH_STRING_OFFSETS,
                               AKIN_SEARCH_VALIDITY, AKIN_SEARCH_LSH,        AKIN_SEARCH_SCALE,
                               AKIN_SEARCH_SHIFT,    AKIN_SEARCH_SALT,       AKIN_SEARCH_VALUE_ENDS};
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof kept / sizeof *kept && status == AKIN_OK; i++)
        status = akin_section_keep(scope, AKIN_BUDGET_KEPT, &index->sections[kept[i]], 0, &index->own[kept[i]], error);
    return status;
}

static akin_status take_search_parts(const akin_scope *scope, const char *name, akin_search_index *index,
                                     akin_error *error)
{
    akin_status status = keep_sections(scope, index, error);
    if (status != AKIN_OK)
        return status;
    const char *why = check_search_head(index);
    if (why)
        return akin_search_refuse(name, why, error);
    const akin_search_way *way = akin_search_way_of(&index->head);
    if (akin_search_has_section(&index->head, AKIN_SEARCH_OBJECTS)) {
        status = akin_objects_take(scope, name, index->sections + AKIN_SEARCH_OBJECTS, &index->objects, error);
        if (status != AKIN_OK)
            return status;
        if (index->objects.head.count != index->head.rows)
            return akin_search_refuse(name, "its objects are not as many as it says", error);
    }
    if (index->head.functions > 0)
        memcpy(&index->lsh, index->sections[AKIN_SEARCH_LSH].data, sizeof index->lsh);
    why = way->check ? way->check(index) : NULL;
    if (why)
        return akin_search_refuse(name, why, error);
    return way->take ? way->take(scope, name, index, error) : AKIN_OK;
}

/* Makes an index of what the container holds, which becomes the index's. */
static akin_status unpack_search_index(const akin_scope *scope, const char *name, akin_container *container,
                                       akin_search_index **out, akin_error *error)
{
    akin_search_index *index = akin_alloc_zero(NULL, 1, sizeof *index);
    if (!index) {
        akin_container_close(container);
        return akin_fail_memory(error, "a search index");
    }
    index->container = container;
    const uint32_t count = sections_of(akin_container_version(container));
    for (uint32_t i = 0; i < AKIN_SEARCH_SECTIONS; i++)
        index->sections[i] = i < count ? akin_container_section(container, i) : (akin_section){.data = ""};
    return akin_search_index_end(index, take_search_parts(scope, name, index, error), out);
}

akin_status akin_search_index_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                           akin_search_index **out, akin_error *error)
{
    if (akin_container_kind(container)->choice.value == AKIN_SAVED_RANK_INDEX)
        return akin_search_index_take_bm25(scope, name, container, out, error);
    akin_status status =
        akin_container_expect(container, name, KIND, VERSION, sections_of(akin_container_version(container)), error);
    if (status == AKIN_OK)
        return unpack_search_index(scope, name, container, out, error);
    akin_container_close(container);
    return status;
}

akin_status akin_search_index_open(akin_context *context, const char *path, akin_search_index **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_container *container;
    akin_status status = akin_container_open_any(scope, path, EXPECTED, &container, error);
    return status != AKIN_OK ? status
                             : akin_search_index_of_container(scope, strcmp(path, "-") == 0 ? "standard input" : path,
                                                              container, out, error);
}

const akin_mapping *akin_search_index_mapping(const akin_search_index *index)
{
    return akin_container_mapping(index->ranking ? index->ranking->container : index->container);
}

akin_status akin_search_index_parse(const akin_scope *scope, const char *name, const void *image, uint64_t length,
                                    akin_search_index **out, akin_error *error)
{
    akin_container *container;
    akin_status status = akin_container_parse_any(scope, name, image, length, EXPECTED, &container, error);
    return status != AKIN_OK ? status : akin_search_index_of_container(scope, name, container, out, error);
}
