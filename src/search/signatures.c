/* Signatures by the caller's own hash functions: a column is a dimension, its distinct values, or the buckets that they
 * are hashed into, are its keywords; and queries of them. */
#include "search/signatures.h"

#include "base/options.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "table/matrix.h"

AKIN_OPTIONS_END(akin_signatures_options, seed);

#define SIGN ((uint64_t)1 << 63) /* flips: integers become keys in the same order */

static const char what[] = "a search index"; /* the memory is for */

/* Columns of signatures, as they become dimensions. */
typedef struct numbering {
    const akin_matrix *matrix;
    const akin_family_head *head;
    int64_t **values; /* of each column, the distinct ones, rising; NULL: they are hashed */
    uint32_t *counts; /* of them, or of buckets */
    uint32_t **codes; /* of each column's values */
} numbering;

static uint32_t bucket_of(const akin_family_head *head, uint32_t column, int64_t value)
{
    const uint64_t salt = akin_family_mix(head->seed + column * UINT64_C(0x9e3779b97f4a7c15));
    return akin_family_bucket(akin_family_mix((uint64_t)value ^ salt), head->buckets);
}

/* The first of rising values that is not below one. */
static uint64_t lower_bound_of_value(const int64_t *values, uint64_t count, int64_t value)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* -------------------------------------------------------------------------------------------------------- numbering */

/* Sorts keys, and leaves each once, as the value that it is of; how many. */
static uint64_t make_distinct(uint64_t *keys, uint64_t *scratch, uint64_t count)
{
    uint64_t distinct = 0;
    akin_radix_sort_u64(keys, scratch, count);
    for (uint64_t i = 0; i < count; i++)
        if (i == 0 || keys[i] != keys[i - 1])
            scratch[distinct++] = keys[i] ^ SIGN;
    memcpy(keys, scratch, (size_t)distinct * sizeof *keys);
    return distinct;
}

static akin_status list_signature_values(numbering *n, uint32_t column)
{
    const akin_matrix *m = n->matrix;
    uint64_t *keys = akin_alloc(NULL, m->rows, sizeof *keys), *scratch = akin_alloc(NULL, m->rows, sizeof *scratch);
    n->values[column] = (int64_t *)keys;
    if (!keys || !scratch) {
        akin_free(scratch);
        return AKIN_E_NOMEM;
    }
    for (uint64_t i = 0; i < m->rows; i++)
        keys[i] = (uint64_t)akin_matrix_integer(m, i * m->columns + column) ^ SIGN;
    n->counts[column] = (uint32_t)make_distinct(keys, scratch, m->rows);
    akin_free(scratch);
    int64_t *fewer = akin_resize(NULL, keys, n->counts[column], sizeof *fewer);
    n->values[column] = fewer ? fewer : n->values[column];
    return AKIN_OK;
}

static akin_status number_signature_column(void *argument, uint64_t task, uint32_t thread)
{
    numbering *n = argument;
    const akin_matrix *m = n->matrix;
    const uint32_t column = (uint32_t)task;
    uint32_t *codes = n->codes[column];
    (void)thread;
    akin_status status = n->values ? list_signature_values(n, column) : AKIN_OK;
    for (uint64_t i = 0; i < m->rows && status == AKIN_OK; i++) {
        const int64_t value = akin_matrix_integer(m, i * m->columns + column);
        codes[i] = n->values ? (uint32_t)lower_bound_of_value(n->values[column], n->counts[column], value)
                             : bucket_of(n->head, column, value);
    }
    return status;
}

/* Keeps the values of all columns, column by column. */
static akin_status keep_values(const akin_scope *scope, const numbering *n, akin_search_index *index, akin_error *error)
{
    const uint32_t columns = n->matrix->columns;
    uint64_t total = 0;
    akin_status status = akin_search_section(scope, index, AKIN_SEARCH_VALUE_ENDS, columns, sizeof(uint64_t), error);
    if (status != AKIN_OK)
        return status;
    uint64_t *ends = index->own[AKIN_SEARCH_VALUE_ENDS].data;
    for (uint32_t f = 0; f < columns; f++)
        ends[f] = total += n->counts[f];
    if (total >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT,
                         "the columns of signatures have 2^32 - 1 values or more: hash them into buckets");
    status = akin_search_section(scope, index, AKIN_SEARCH_VALUES, total, sizeof(int64_t), error);
    int64_t *values = index->own[AKIN_SEARCH_VALUES].data;
    for (uint32_t f = 0; f < columns && status == AKIN_OK; f++)
        if (n->counts[f] > 0)
            memcpy(values + ends[f] - n->counts[f], n->values[f], n->counts[f] * sizeof *values);
    return status;
}

static akin_status number_all(const akin_scope *scope, numbering *n, uint32_t *codes, akin_search_index *index,
                              akin_error *error)
{
    const uint32_t columns = n->matrix->columns, rows = n->matrix->rows;
    uint64_t keywords = 0;
    for (uint32_t f = 0; f < columns; f++) {
        n->codes[f] = rows > 0 ? codes + (size_t)f * rows : codes;
        n->counts[f] = n->head->buckets;
    }
    akin_status status = akin_parallel(scope, "numbering values", columns, number_signature_column, n);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    if (n->values)
        status = keep_values(scope, n, index, error);
    for (uint32_t f = 0; f < columns; f++)
        keywords += n->counts[f];
    const akin_objects_source source = {.objects = rows,
                                        .keywords = (uint32_t)keywords,
                                        .dimensions = columns,
                                        .counts = n->counts,
                                        .codes = (const uint32_t *const *)n->codes};
    return status == AKIN_OK ? akin_objects_build(scope, &source, &index->objects, error) : status;
}

static akin_status build_signatures_index(const akin_scope *scope, const akin_matrix *matrix, akin_search_index *index,
                                          akin_error *error)
{
    const uint32_t columns = matrix->columns;
    numbering n = {.matrix = matrix, .head = &index->lsh.family};
    const int is_hashed = n.head->buckets > 0;
    akin_bulk codes;
    akin_status status = akin_search_scratch(scope, &codes, (uint64_t)columns * matrix->rows, sizeof(uint32_t), error);
    n.values = is_hashed ? NULL : akin_alloc_zero(NULL, columns, sizeof *n.values);
    n.counts = akin_alloc(NULL, columns, sizeof *n.counts);
    n.codes = akin_alloc(NULL, columns, sizeof *n.codes);
    if (status == AKIN_OK)
        status = (is_hashed || n.values) && n.counts && n.codes ? number_all(scope, &n, codes.data, index, error)
                                                                : akin_fail_memory(error, what);
    for (uint32_t f = 0; n.values && f < columns; f++)
        akin_free(n.values[f]);
    akin_free(n.values);
    akin_free(n.counts);
    akin_free((void *)n.codes);
    akin_bulk_clear(&codes);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ index */

static akin_status check_signatures_shape(const akin_matrix *signatures, const akin_signatures_options *o,
                                          akin_error *error)
{
    if (signatures->number == AKIN_NUMBER_F32)
        return akin_fail(error, AKIN_E_OPTION, "signatures of floats: expected integers");
    if (signatures->columns == 0)
        return akin_fail(error, AKIN_E_OPTION, "signatures of 0 columns: expected 1 or more");
    if (o->reserved != 0 || o->buckets == 1 || o->buckets > INT32_MAX)
        return akin_fail(error, AKIN_E_OPTION,
                         "akin_signatures_options: buckets is %u, reserved %u; expected 0, or 2 to 2^31 - 1, and 0",
                         o->buckets, o->reserved);
    return (uint64_t)signatures->columns * o->buckets < UINT32_MAX
               ? AKIN_OK
               : akin_fail(error, AKIN_E_LIMIT, "%u columns of %u buckets have 2^32 - 1 values or more",
                           signatures->columns, o->buckets);
}

akin_status akin_search_index_of_signatures_within(const akin_scope *scope, const akin_matrix *signatures,
                                                   const akin_signatures_options *options, const akin_column *names,
                                                   akin_search_index **out, akin_error *error)
{
    akin_signatures_options own = AKIN_SIGNATURES_OPTIONS_INIT;
    akin_search_index *index = NULL;
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_signatures_options", error);
    if (status == AKIN_OK)
        status = akin_matrix_check(signatures, "index signatures of", error);
    if (status == AKIN_OK)
        status = check_signatures_shape(signatures, &own, error);
    if (status == AKIN_OK)
        status = akin_search_index_begin(scope, AKIN_KIND_SIGNATURES, signatures->rows, names, &index, error);
    if (status == AKIN_OK) {
        index->head.functions = index->lsh.family.functions = signatures->columns;
        index->lsh.family.buckets = own.buckets;
        index->lsh.family.seed = own.buckets > 0 ? own.seed : 0;
        status = build_signatures_index(scope, signatures, index, error);
    }
    return akin_search_index_end(index, status, out);
}

akin_status akin_search_index_of_signatures(akin_context *context, const akin_matrix *signatures,
                                            const akin_signatures_options *options, const akin_column *names,
                                            akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_signatures_within(akin_scope_of(context), signatures, options, names, out, error);
}

/* The values of columns, one for each keyword, rising in each column. */
static int are_values(const akin_section *ends, const akin_section *values, uint32_t columns, uint64_t keywords)
{
    const uint64_t *end = ends->data;
    const int64_t *value = values->data;
    if (ends->length != columns * sizeof *end || values->length != keywords * sizeof *value ||
        end[columns - 1] != keywords)
        return 0;
    for (uint64_t f = 0, i = 0; f < columns; f++) {
        if (end[f] < i || end[f] > keywords)
            return 0;
        for (const uint64_t first = i; i < end[f]; i++)
            if (i > first && value[i] <= value[i - 1])
                return 0;
    }
    return 1;
}

const char *akin_search_check_signatures(const akin_search_index *index)
{
    const akin_family_head *head = &index->lsh.family;
    const uint64_t keywords = index->objects.head.keywords;
    const int is_drawn = head->kind != 0 || head->dimensions != 0 || head->width != 0 || head->sigma != 0;
    if (is_drawn || head->functions != index->head.functions || head->functions == 0 || head->buckets == 1 ||
        head->buckets > INT32_MAX || index->lsh.number > 0 || index->lsh.is_kept > 0)
        return "its buckets are not what they must be";
    if (head->buckets > 0)
        return (uint64_t)head->functions * head->buckets == keywords ? NULL
                                                                     : "its keywords are not those of its columns";
    return are_values(&index->sections[AKIN_SEARCH_VALUE_ENDS], &index->sections[AKIN_SEARCH_VALUES], head->functions,
                      keywords)
               ? NULL
               : "its values are not those of its columns";
}

/* ---------------------------------------------------------------------------------------------------------- queries */

/* The keyword of a value, or UINT32_MAX. */
static uint32_t signature_keyword(const akin_search_index *index, uint32_t column, int64_t value)
{
    const akin_family_head *head = &index->lsh.family;
    const uint64_t *ends = index->sections[AKIN_SEARCH_VALUE_ENDS].data;
    const int64_t *values = index->sections[AKIN_SEARCH_VALUES].data;
    if (head->buckets > 0)
        return column * head->buckets + bucket_of(head, column, value);
    const uint64_t begin = column > 0 ? ends[column - 1] : 0;
    const uint64_t at = begin + lower_bound_of_value(values + begin, ends[column] - begin, value);
    return at < ends[column] && values[at] == value ? (uint32_t)at : UINT32_MAX;
}

akin_status akin_build_signature_query(akin_query_source *source, uint32_t row, akin_query_batch *batch,
                                       akin_error *error)
{
    const akin_matrix *m = source->matrix;
    for (uint32_t f = 0; f < m->columns; f++) {
        const int64_t value = akin_matrix_integer(m, (size_t)row * m->columns + f);
        const uint32_t keyword = signature_keyword(source->index, f, value);
        if (keyword != UINT32_MAX && !akin_query_batch_add(batch, keyword, keyword, 1))
            return akin_fail_memory(error, "queries");
    }
    return AKIN_OK;
}

akin_status akin_call_admits_signatures(const akin_search_call *call, akin_error *error)
{
    const akin_matrix *matrix = call->source.matrix;
    if (!matrix || matrix->rows == 0)
        return AKIN_OK;
    if (matrix->columns != call->index->head.functions)
        return akin_fail(error, AKIN_E_OPTION, "queries of %u columns; expected %u, as those of the index",
                         matrix->columns, call->index->head.functions);
    return matrix->number == AKIN_NUMBER_F32
               ? akin_fail(error, AKIN_E_OPTION, "queries of floats: expected integers, as signatures are")
               : AKIN_OK;
}
