/* Kinds of objects that an index is of: the table, and what is read from it. */
#include "search/kinds.h"

#include "base/options.h"
#include "search/call_count.h"
#include "search/call_strings.h"
#include "search/index_bm25.h"
#include "search/index_strings.h"
#include "search/index_trees.h"
#include "search/index_vectors.h"
#include "search/rows.h"
#include "search/signatures.h"
#include "search/tokens.h"
#include "signature/collision.h"

AKIN_OPTIONS_END(akin_search_objects, matrix);
AKIN_OPTIONS_END(akin_search_index_options, trees);

/* ----------------------------------------------------------------------------------------------------------- making */

static akin_status make_index_of_sets(const akin_scope *scope, const akin_search_objects *objects,
                                      const akin_search_index_options *options, const akin_column *names,
                                      akin_search_index **out, akin_error *error)
{
    return options->functions
               ? akin_search_index_of_minhash_within(scope, objects->sets, options->functions, names, out, error)
               : akin_search_index_of_sets_within(scope, objects->sets, names, out, error);
}

static akin_status make_index_of_documents(const akin_scope *scope, const akin_search_objects *objects,
                                           const akin_search_index_options *options, const akin_column *names,
                                           akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_documents_within(scope, objects->columns, objects->column_count, objects->rows,
                                                 options->text, names, out, error);
}

static akin_status make_index_of_rows(const akin_scope *scope, const akin_search_objects *objects,
                                      const akin_search_index_options *options, const akin_column *names,
                                      akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_rows_within(scope, objects->columns, objects->column_count, objects->rows,
                                            options->table, names, out, error);
}

static akin_status make_index_of_strings(const akin_scope *scope, const akin_search_objects *objects,
                                         const akin_search_index_options *options, const akin_column *names,
                                         akin_search_index **out, akin_error *error)
{
    return akin_search_strings_make(scope, objects->columns, objects->column_count, objects->rows, options->strings,
                                    NULL, names, out, error);
}

static akin_status make_index_of_vectors(const akin_scope *scope, const akin_search_objects *objects,
                                         const akin_search_index_options *options, const akin_column *names,
                                         akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_vectors_within(scope, objects->matrix, options->functions, names, out, error);
}

static akin_status make_index_of_signatures(const akin_scope *scope, const akin_search_objects *objects,
                                            const akin_search_index_options *options, const akin_column *names,
                                            akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_signatures_within(scope, objects->matrix, options->signatures, names, out, error);
}

/* ------------------------------------------------------------------------------------------------------------ table */

#define BIT(section)    (UINT64_C(1) << (section))
#define RANGE(from, to) (BIT((to) + 1) - BIT(from)) /* both among them */

#define OF_ALL       (BIT(AKIN_SEARCH_HEAD) | RANGE(AKIN_SEARCH_NAME_OFFSETS, AKIN_SEARCH_NAMES))
#define OBJECTS      RANGE(AKIN_SEARCH_OBJECTS, AKIN_SEARCH_TRIE - 1)
#define WORDS        RANGE(AKIN_SEARCH_TRIE, AKIN_SEARCH_ANALYSIS)
#define STRINGS      RANGE(AKIN_SEARCH_STRING_OFFSETS, AKIN_SEARCH_STRINGS)
#define FUNCTIONS    RANGE(AKIN_SEARCH_LSH, AKIN_SEARCH_VECTORS)
#define OF_FUNCTIONS "family functions epsilon delta buckets seed truth scan least"

_Static_assert(AKIN_SEARCH_SECTIONS <= 63, "a bit for each section");

static const akin_search_way sets = {
    .facts = {"sets", "measure least", AKIN_GIVEN_SETS, AKIN_HIT_COUNT},
    .sections = OF_ALL | OBJECTS | BIT(AKIN_SEARCH_TOKENS) | BIT(AKIN_SEARCH_SIZES),
    .check = akin_search_check_sets,
    .more = akin_more_sets,
    .unite = akin_unite_sets,
    .build = akin_build_set_query,
    .find = akin_call_count,
};

static const akin_search_way sets_by_minhash = {
    .facts = {"sets by MinHash", OF_FUNCTIONS, AKIN_GIVEN_SETS,
              AKIN_HIT_COUNT | AKIN_HIT_SIMILARITY | AKIN_HIT_DISTANCE},
    .sections = OF_ALL | OBJECTS | FUNCTIONS,
    .check = akin_search_check_minhash,
    .more = akin_more_minhash,
    .unite = akin_unite_functions,
    .gather = akin_build_vector_queries,
    .find = akin_call_count,
    .distance = akin_family_estimate,
};

static const akin_search_way documents = {
    .facts = {"documents", "on id lossy tokens ignore-case fold stop-words measure least", AKIN_GIVEN_TEXTS,
              AKIN_HIT_COUNT},
    .sections = OF_ALL | OBJECTS | WORDS | BIT(AKIN_SEARCH_SIZES),
    .check = akin_search_check_sizes,
    .take = akin_search_take_documents,
    .more = akin_more_documents,
    .unite = akin_unite_documents,
    .build = akin_build_document_query,
    .find = akin_call_count,
};

static const akin_search_way rows = {
    .facts = {"rows", "on id lossy numeric bins tolerance weight least scan", AKIN_GIVEN_TABLE, AKIN_HIT_COUNT},
    .sections = OF_ALL | OBJECTS | STRINGS | RANGE(AKIN_SEARCH_DIMENSIONS, AKIN_SEARCH_BINS),
    .check = akin_search_check_rows,
    .more = akin_more_rows,
    .unite = akin_unite_rows,
    .ready = akin_find_query_dimensions,
    .build = akin_build_row_query,
    .find = akin_call_count,
    .has_dimensions = 1,
};

static const akin_search_way strings = {
    .facts = {"strings", "on id lossy ignore-case fold ngram bytes candidates truth scan", AKIN_GIVEN_TEXTS,
              AKIN_HIT_EDITS | AKIN_HIT_CERTIFICATE},
    .sections = OF_ALL | STRINGS | BIT(AKIN_SEARCH_VALIDITY) | BIT(AKIN_SEARCH_TOKENS) | BIT(AKIN_SEARCH_BINS),
    .gram_sections = OBJECTS | BIT(AKIN_SEARCH_GRAMS),
    .check = akin_search_check_strings,
    .take = akin_search_take_strings,
    .more = akin_more_strings,
    .unite = akin_unite_strings,
    .admits = akin_call_admits_strings,
    .find = akin_call_nearest, /* in rounds that gather themselves */
    .has_letters = 1,
};

static const akin_search_way vectors = {
    .facts = {"vectors", OF_FUNCTIONS " width sigma signatures-only rerank", AKIN_GIVEN_MATRIX,
              AKIN_HIT_COUNT | AKIN_HIT_SIMILARITY | AKIN_HIT_DISTANCE},
    .sections = OF_ALL | OBJECTS | FUNCTIONS,
    .check = akin_search_check_vectors,
    .more = akin_more_vectors,
    .unite = akin_unite_functions,
    .admits = akin_call_admits_vectors,
    .gather = akin_build_vector_queries,
    .find = akin_call_count,
    .distance = akin_family_estimate,
};

static const akin_search_way signatures = {
    .facts = {"signatures", "buckets seed truth scan least", AKIN_GIVEN_MATRIX, AKIN_HIT_COUNT | AKIN_HIT_SIMILARITY},
    .sections = OF_ALL | OBJECTS | BIT(AKIN_SEARCH_LSH) | RANGE(AKIN_SEARCH_VALUE_ENDS, AKIN_SEARCH_VALUES),
    .check = akin_search_check_signatures,
    .more = akin_more_signatures,
    .unite = akin_unite_signatures,
    .admits = akin_call_admits_signatures,
    .build = akin_build_signature_query,
    .find = akin_call_count,
};

static const akin_search_way bm25 = {
    .facts = {"documents by bm25",
              "on id lossy tokens ignore-case fold stop-words stem formula k1 b delta documents dictionary unknown",
              AKIN_GIVEN_TEXTS, AKIN_HIT_SCORE},
    .more = akin_more_bm25,
    .admits = akin_call_admits_bm25,
    .all = akin_call_rank,
};

static const akin_search_way trees = {
    .facts = {"trees", "on id lossy tree-format candidates within scan", AKIN_GIVEN_TEXTS,
              AKIN_HIT_EDITS | AKIN_HIT_CERTIFICATE},
    .sections = OF_ALL | RANGE(AKIN_SEARCH_STORED, AKIN_SEARCH_SECTIONS - 1),
    .take = akin_search_take_trees,
    .more = akin_more_trees,
    .admits = akin_call_admits_trees,
    .all = akin_call_trees,
};

static const akin_search_kind_row kinds[] = {
    {{"sets", "", "sets of token ids, plain or hashed by MinHash", AKIN_KIND_SETS, 0},
     &sets,
     &sets_by_minhash,
     make_index_of_sets},
    {{"documents", "", "texts, by their distinct tokens", AKIN_KIND_DOCUMENTS, 0},
     &documents,
     NULL,
     make_index_of_documents},
    {{"rows", "", "rows of a table, by the values of its columns", AKIN_KIND_ROWS, 0}, &rows, NULL, make_index_of_rows},
    {{"strings", "", "strings, by edit distance", AKIN_KIND_STRINGS, 0}, &strings, NULL, make_index_of_strings},
    {{"vectors", "", "vectors, by the values of hash functions", AKIN_KIND_VECTORS, 0},
     NULL,
     &vectors,
     make_index_of_vectors},
    {{"signatures", "", "values of your own hash functions", AKIN_KIND_SIGNATURES, 0},
     NULL,
     &signatures,
     make_index_of_signatures},
    {{"bm25", "", "texts, ranked by BM25", AKIN_KIND_BM25, 0}, &bm25, NULL, akin_search_index_of_bm25},
    {{"trees", "", "ordered trees with labels, by edit distance", AKIN_KIND_TREES, 0},
     &trees,
     NULL,
     akin_search_index_of_trees},
};
static const akin_former_name former_kinds[] = {{"sequences", "strings"}, {NULL, NULL}};
const akin_choice_table akin_search_kinds = AKIN_CHOICE_TABLE_RENAMED("kind", kinds, former_kinds);

/* ------------------------------------------------------------------------------------------------------------ facts */

static const akin_search_kind_row *kind_row_of(akin_search_kind kind)
{
    return (const akin_search_kind_row *)akin_choice_of(&akin_search_kinds, (int)kind);
}

const akin_search_facts *akin_search_facts_of(akin_search_kind kind, int is_hashed)
{
    const akin_search_kind_row *row = kind_row_of(kind);
    const akin_search_way *way = !row ? NULL : is_hashed ? row->hashed : row->plain;
    return way ? &way->facts : NULL;
}

int akin_search_facts_take(const akin_search_facts *facts, const char *option)
{
    const size_t length = strlen(option);
    for (const char *word = facts->options; *word; word += strspn(word, " ")) {
        const size_t own = strcspn(word, " ");
        if (own == length && memcmp(word, option, length) == 0)
            return 1;
        word += own;
    }
    return 0;
}

const akin_search_way *akin_search_way_of(const akin_search_head *head)
{
    const akin_search_kind_row *row = kind_row_of((akin_search_kind)head->kind);
    return !row ? NULL : head->functions > 0 ? row->hashed : row->plain;
}

int akin_search_takes(const akin_search_index *index, const char *option)
{
    return akin_search_facts_take(&akin_search_way_of(&index->head)->facts, option);
}

const char *akin_search_index_kind(const akin_search_index *index)
{
    return akin_search_kind_name((akin_search_kind)index->head.kind);
}

int akin_search_has_section(const akin_search_head *head, int section)
{
    const akin_search_way *way = akin_search_way_of(head);
    return ((way->sections | (head->ngram > 0 ? way->gram_sections : 0)) & BIT(section)) != 0;
}

/* TEXTS and TABLE are columns. */
static int is_row_given(const akin_search_kind_row *row, akin_given_form form)
{
    const akin_given_form own = (row->plain ? row->plain : row->hashed)->facts.objects;
    return (own == AKIN_GIVEN_TABLE ? AKIN_GIVEN_TEXTS : own) == form;
}

int akin_search_is_given(const akin_search_index *index, akin_given_form form)
{
    return is_row_given(kind_row_of((akin_search_kind)index->head.kind), form);
}

static int is_kind_given(const akin_choice *row, unsigned form)
{
    return is_row_given((const akin_search_kind_row *)row, (akin_given_form)form);
}

void akin_search_list_kinds(akin_given_form form, char *text, size_t room)
{
    akin_choice_list_if(&akin_search_kinds, is_kind_given, (unsigned)form, text, room);
}

const char *akin_search_kind_name(akin_search_kind kind)
{
    return akin_choice_name(&akin_search_kinds, (int)kind);
}

akin_status akin_search_kind_parse(const char *name, akin_search_kind *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_search_kinds, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_search_kind)value;
    return status;
}

akin_given_form akin_search_form_of(const akin_search_objects *objects)
{
    return objects->sets ? AKIN_GIVEN_SETS : objects->matrix ? AKIN_GIVEN_MATRIX : AKIN_GIVEN_TEXTS;
}

akin_status akin_search_index_make(akin_context *context, akin_search_kind kind, const akin_search_objects *objects,
                                   const akin_search_index_options *options, const akin_column *names,
                                   akin_search_index **out, akin_error *error)
{
    const akin_search_kind_row *row = kind_row_of(kind);
    akin_search_objects given = {.size = sizeof given};
    akin_search_index_options own = AKIN_SEARCH_INDEX_OPTIONS_INIT;
    char expected[200];
    if (!row)
        return akin_fail(error, AKIN_E_OPTION, "an index of kind %d: there is no such kind", (int)kind);
    akin_status status = akin_options_read(objects, &given, sizeof given, sizeof given, "akin_search_objects", error);
    if (status == AKIN_OK)
        status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_search_index_options", error);
    if (status != AKIN_OK)
        return status;
    akin_search_list_kinds(akin_search_form_of(&given), expected, sizeof expected);
    if (!is_row_given(row, akin_search_form_of(&given)))
        return akin_fail(error, AKIN_E_OPTION, "an index of %s is not made of these objects: expected one of %s",
                         row->choice.name, expected);
    return row->make(akin_scope_of(context), &given, &own, names, out, error);
}
