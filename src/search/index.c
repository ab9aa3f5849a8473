/* Indexes for match-count search: what they have in common. */
#include "search/index.h"

#include "base/budget.h"
#include "base/options.h"
#include "base/parallel.h"
#include "table/columns.h"

static const char what[] = "a search index"; /* the memory is for */

const char *akin_certificate_name(akin_certificate certificate)
{
    static const char *const names[] = {
        [AKIN_CERTIFICATE_NONE] = "none", [AKIN_CERTIFIED_BY_COUNT] = "by count", [AKIN_CERTIFIED_BY_SCAN] = "by scan"};
    const unsigned value = (unsigned)certificate;
    return value < sizeof names / sizeof *names ? names[value] : NULL;
}

/* Makes room for an array in what is empty. */
static akin_status reserve_section(akin_bulk *array, uint64_t count, size_t size, akin_error *error)
{
    if (count > UINT64_MAX / size)
        return akin_fail_memory(error, what);
    akin_status status = akin_bulk_reserve(array, count * size, what, error);
    akin_bulk_trim(array, count * size);
    return status;
}

akin_status akin_search_scratch(const akin_scope *scope, akin_bulk *array, uint64_t count, size_t size,
                                akin_error *error)
{
    *array = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_SEARCH_SCRATCH));
    return reserve_section(array, count, size, error);
}

akin_status akin_search_section(const akin_scope *scope, akin_search_index *index, int section, uint64_t count,
                                size_t size, akin_error *error)
{
    akin_bulk *own = &index->own[section];
    akin_bulk_clear(own);
    *own = akin_bulk_of(scope, NULL, akin_objects_share(scope));
    akin_status status = reserve_section(own, count, size, error);
    index->sections[section] =
        status == AKIN_OK ? (akin_section){.data = own->data, .length = count * size} : (akin_section){.data = ""};
    return status;
}

akin_status akin_search_copy_strings(const akin_scope *scope, const akin_column *column, akin_search_index *index,
                                     int section, akin_error *error)
{
    const uint32_t rows = index->head.rows;
    const uint64_t first = column->offsets[0], length = column->offsets[rows] - first;
    akin_status status = akin_search_section(scope, index, section, (uint64_t)rows + 1, sizeof *column->offsets, error);
    if (status == AKIN_OK)
        status = akin_search_section(scope, index, section + 1, length, 1, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = index->own[section].data;
    for (uint64_t i = 0; i <= rows; i++) {
        if (akin_is_stopped(scope, i))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        offsets[i] = column->offsets[i] - first;
    }
    if (length > 0)
        status = akin_copy_long(scope, index->own[section + 1].data, column->bytes + first, length);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_search_index_begin(const akin_scope *scope, akin_search_kind kind, uint32_t rows,
                                    const akin_column *names, akin_search_index **out, akin_error *error)
{
    if (rows == UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "an index of 2^32 - 1 objects");
    akin_status status = names ? akin_table_columns_check(names, 1, rows, "name objects by", error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    akin_search_index *index = akin_alloc_zero(NULL, 1, sizeof *index);
    if (!index)
        return akin_fail_memory(error, what);
    index->head = (akin_search_head){.kind = (uint32_t)kind, .rows = rows};
    for (int i = 0; i < AKIN_SEARCH_SECTIONS; i++)
        index->sections[i].data = "";
    *out = index;
    return names ? akin_search_copy_strings(scope, names, index, AKIN_SEARCH_NAME_OFFSETS, error) : AKIN_OK;
}

akin_status akin_search_index_end(akin_search_index *index, akin_status status, akin_search_index **out)
{
    if (status == AKIN_OK)
        *out = index;
    else
        akin_search_index_free(index);
    return status;
}

void akin_search_index_free(akin_search_index *index)
{
    if (!index)
        return;
    akin_objects_clear(&index->objects);
    akin_rank_index_free(index->ranking);
    if (index->trees)
        akin_stored_trees_clear(index->trees);
    akin_free(index->trees);
    akin_trie_free(index->trie);
    akin_analysis_free(index->analysis);
    akin_ordered_clear(&index->ordered);
    akin_letters_clear(&index->letters);
    for (int i = 0; i < AKIN_SEARCH_SECTIONS; i++)
        akin_bulk_clear(&index->own[i]);
    akin_container_close(index->container);
    akin_free(index);
}

int akin_search_index_name(const akin_search_index *index, uint32_t object, const char **bytes, size_t *length)
{
    if (index->ranking)
        return akin_rank_index_name(index->ranking, object, bytes, length);
    if (index->sections[AKIN_SEARCH_NAME_OFFSETS].length == 0 || object >= index->head.rows)
        return 0;
    akin_section_string(&index->sections[AKIN_SEARCH_NAME_OFFSETS], &index->sections[AKIN_SEARCH_NAMES], object, bytes,
                        length);
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ views */

void akin_search_index_sections(const akin_search_index *index, akin_section sections[AKIN_SEARCH_SECTIONS])
{
    memcpy(sections, index->sections, sizeof index->sections);
    sections[AKIN_SEARCH_HEAD] = (akin_section){.data = &index->head, .length = sizeof index->head};
    if (index->head.functions > 0)
        sections[AKIN_SEARCH_LSH] = (akin_section){.data = &index->lsh, .length = sizeof index->lsh};
    if (index->objects.parts[AKIN_OBJECTS_HEAD].length > 0) {
        memcpy(sections + AKIN_SEARCH_OBJECTS, index->objects.parts, sizeof index->objects.parts);
        sections[AKIN_SEARCH_OBJECTS + AKIN_OBJECTS_HEAD] =
            (akin_section){.data = &index->objects.head, .length = sizeof index->objects.head};
    }
    if (index->trees) {
        memcpy(sections + AKIN_SEARCH_STORED, index->trees->parts, sizeof index->trees->parts);
        sections[AKIN_SEARCH_STORED + AKIN_STORED_HEAD] =
            (akin_section){.data = &index->trees->head, .length = sizeof index->trees->head};
    }
    if (index->trie)
        akin_trie_sections(index->trie, sections + AKIN_SEARCH_TRIE);
}

void akin_search_lsh_lengths(const akin_family_head *head, akin_section sections[AKIN_SEARCH_SECTIONS])
{
    const uint64_t stride = akin_family_stride(head->functions), numbers = stride * head->dimensions;
    sections[AKIN_SEARCH_SCALE].length = numbers * sizeof(float);
    sections[AKIN_SEARCH_SHIFT].length = (head->kind == AKIN_FAMILY_LAPLACE ? numbers : stride) * sizeof(float);
    sections[AKIN_SEARCH_SALT].length = head->functions * sizeof(uint64_t);
}

akin_family akin_search_family(const akin_search_index *index)
{
    return (akin_family){.head = index->lsh.family,
                         .stride = akin_family_stride(index->head.functions),
                         .scale = (float *)index->sections[AKIN_SEARCH_SCALE].data,
                         .shift = (float *)index->sections[AKIN_SEARCH_SHIFT].data,
                         .salt = (uint64_t *)index->sections[AKIN_SEARCH_SALT].data};
}

akin_matrix akin_search_matrix(const akin_search_index *index)
{
    return (akin_matrix){.size = sizeof(akin_matrix),
                         .rows = index->lsh.is_kept ? index->head.rows : 0,
                         .columns = index->lsh.family.dimensions,
                         .number = (akin_number)index->lsh.number,
                         .numbers = index->sections[AKIN_SEARCH_VECTORS].data};
}

/* Adds how texts were cut. */
static void describe_analysis(const akin_analysis *analysis, akin_search_statistics *own)
{
    own->tokens = analysis->text.tokens;
    own->q = akin_tokens_facts_of(analysis->text.tokens)->takes_length ? analysis->text.q : 0;
}

/* Adds what is known of bm25. */
static akin_status describe_ranking(const akin_rank_index *ranking, akin_search_statistics *own, akin_error *error)
{
    akin_rank_index_statistics about = {.size = sizeof about};
    akin_status status = akin_rank_index_describe(ranking, &about, error);
    own->keywords = about.terms;
    own->named = about.named;
    own->words = about.words;
    own->pairs = about.pairs;
    own->formula = about.formula;
    own->k1 = about.k1;
    own->b = about.b;
    own->delta = about.delta;
    own->bytes = akin_rank_index_bytes(ranking);
    describe_analysis(ranking->analysis, own);
    return status;
}

akin_status akin_search_index_describe(const akin_search_index *index, akin_search_statistics *statistics,
                                       akin_error *error)
{
    akin_search_statistics own = {.size = sizeof own,
                                  .kind = (akin_search_kind)index->head.kind,
                                  .objects = index->head.rows,
                                  .keywords = index->trees ? index->trees->head.labels : index->objects.head.keywords,
                                  .columns = akin_max_u32(index->head.dimensions, index->lsh.family.dimensions),
                                  .ngram = index->head.ngram,
                                  .functions = index->head.functions,
                                  .longest = index->ordered.longest,
                                  .family = (akin_family_kind)index->lsh.family.kind,
                                  .buckets = index->lsh.family.buckets,
                                  .width = index->lsh.family.width,
                                  .sigma = index->lsh.family.sigma,
                                  .vectors = index->sections[AKIN_SEARCH_VECTORS].length,
                                  .named = index->sections[AKIN_SEARCH_NAME_OFFSETS].length > 0,
                                  .folds = index->head.folds};
    akin_section sections[AKIN_SEARCH_SECTIONS];
    akin_status status = index->ranking ? describe_ranking(index->ranking, &own, error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    if (index->analysis)
        describe_analysis(index->analysis, &own);
    akin_search_index_sections(index, sections);
    for (int i = 0; i < AKIN_SEARCH_SECTIONS && !index->ranking; i++)
        own.bytes += sections[i].length;
    return akin_options_write(&own, sizeof own, statistics, "akin_search_statistics", error);
}

/* ----------------------------------------------------------------------------------------------------------- checks */

akin_status akin_search_refuse(const char *name, const char *why, akin_error *error)
{
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: no index: %s", name, why);
}

int akin_search_are_offsets(const akin_section *offsets, const akin_section *bytes, uint64_t count)
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
