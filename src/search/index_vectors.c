/* Indexes of vectors, and of sets by MinHash: chooses and draws their functions, keeps the options that callers gave,
 * and makes queries of them. */
#include "search/index_vectors.h"

#include "base/options.h"
#include "search/vectors.h"
#include "signature/collision.h"

#include <math.h>

#define SPAN_SAMPLE 1000u               /* vectors, at most, whose values are to span all buckets */
#define PAIR_SAMPLE 10000u              /* or whose mean distance is wanted */
#define SAMPLE      ((uint64_t)1 << 24) /* numbers of either, at most */

AKIN_OPTIONS_END(akin_vectors_options, seed);

static const char what[] = "a search index"; /* the memory is for */

/* -------------------------------------------------------------------------------------------------------- functions */

/* Some of the vectors, from first to last, as floats, to be freed. */
static float *sample_vectors(const akin_matrix *vectors, uint32_t most, uint32_t *count)
{
    const uint64_t bound = akin_min_u64(most, akin_max_u64(SAMPLE / akin_max_u32(vectors->columns, 1), 2));
    *count = (uint32_t)akin_min_u64(vectors->rows, bound);
    float *numbers = akin_alloc(NULL, (uint64_t)*count * vectors->columns, sizeof *numbers);
    for (uint64_t i = 0; numbers && i < *count; i++)
        akin_matrix_floats(vectors, (uint32_t)(i * vectors->rows / *count), 1, numbers + i * vectors->columns);
    return numbers;
}

/* The width or the sigma, where the caller has said none. */
static akin_status measure_width(const akin_matrix *vectors, int spans_buckets, akin_family_head *head,
                                 akin_error *error)
{
    const akin_family_kind family = (akin_family_kind)head->kind;
    double *const out = akin_family_facts_of(family)->has_sigma ? &head->sigma : &head->width;
    uint32_t count;
    if (vectors->columns == 0)
        return AKIN_OK; /* which akin_family_check refuses */
    float *numbers = sample_vectors(vectors, spans_buckets ? SPAN_SAMPLE : PAIR_SAMPLE, &count);
    akin_status status = numbers ? AKIN_OK : akin_fail_memory(error, what);
    if (numbers && spans_buckets)
        status = akin_family_width(family, head->buckets, head->seed, numbers, count, vectors->columns, out, error);
    else if (numbers)
        *out = akin_family_mean(family, head->seed, numbers, count, vectors->columns);
    *out = *out > AKIN_FAMILY_WIDEST ? AKIN_FAMILY_WIDEST : *out;
    akin_free(numbers);
    return status;
}

static int has_width(const akin_choice *row, unsigned unused)
{
    (void)unused;
    return ((const akin_family_row *)row)->facts.has_width != 0;
}

static int has_sigma(const akin_choice *row, unsigned unused)
{
    (void)unused;
    return ((const akin_family_row *)row)->facts.has_sigma != 0;
}

/* Refuses a parameter that a family has not, with the names of those that have it. */
static akin_status fail_parameter(const char *name, int (*is_listed)(const akin_choice *row, unsigned what),
                                  akin_family_kind family, akin_error *error)
{
    char names[128];
    akin_choice_list_if(&akin_families, is_listed, 0, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "%s is of %s, not of %s", name, names, akin_family_name(family));
}

static akin_status check_vectors_options(const akin_vectors_options *o, int of_sets, akin_error *error)
{
    const akin_family_facts *facts = akin_family_facts_of(o->family);
    if (!facts || o->signatures_only > 1)
        return akin_fail(
            error, AKIN_E_OPTION,
            "akin_vectors_options: family is %d, signatures_only %u; expected one that there is, and 0 or 1",
            (int)o->family, o->signatures_only);
    if (of_sets != (facts->objects == AKIN_GIVEN_SETS))
        return akin_fail(error, AKIN_E_OPTION, "hash functions of the family %s are not of %s",
                         akin_family_name(o->family), of_sets ? "sets: expected minhash" : "vectors, but of sets");
    if (o->width != 0 && !facts->has_width)
        return fail_parameter("a width of buckets", has_width, o->family, error);
    if (o->sigma != 0 && !facts->has_sigma)
        return fail_parameter("a sigma", has_sigma, o->family, error);
    if (o->functions > 0 && (o->epsilon != 0 || o->delta != 0))
        return akin_fail(error, AKIN_E_OPTION,
                         "%u hash functions, and an epsilon or a delta, which say how many: expected "
                         "one of these",
                         o->functions);
    return AKIN_OK;
}

/* Reads options into the head of an index's functions. `vectors` is NULL if they are of sets. */
static akin_status choose_functions(const akin_vectors_options *options, const akin_matrix *vectors,
                                    akin_search_lsh *lsh, akin_error *error)
{
    akin_vectors_options own = AKIN_VECTORS_OPTIONS_INIT;
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_vectors_options", error);
    if (status == AKIN_OK)
        status = check_vectors_options(&own, vectors == NULL, error);
    if (status == AKIN_OK && own.functions == 0)
        status = akin_family_functions(own.epsilon, own.delta, &own.functions, error);
    if (status != AKIN_OK)
        return status;
    const akin_family_facts *facts = akin_family_facts_of(own.family);
    lsh->family = (akin_family_head){.kind = own.family,
                                     .functions = own.functions,
                                     .dimensions = vectors ? vectors->columns : 0,
                                     .buckets = own.buckets > 0 ? own.buckets : facts->buckets,
                                     .seed = own.seed,
                                     .width = own.width,
                                     .sigma = own.sigma};
    lsh->is_kept = vectors && own.signatures_only == 0;
    lsh->number = vectors ? vectors->number : 0;
    if (vectors && ((facts->has_width && own.width == 0) || (facts->has_sigma && own.sigma == 0)))
        status = measure_width(vectors, facts->has_width && own.buckets > 0, &lsh->family, error);
    return status == AKIN_OK ? akin_family_check(&lsh->family, error) : status;
}

/* ------------------------------------------------------------------------------------------------------------ build */

/* Draws the functions into sections of the index. */
static akin_status draw_functions(akin_search_index *index, akin_error *error)
{
    akin_family family;
    akin_status status = akin_family_draw(&index->lsh.family, &family, error);
    if (status != AKIN_OK) {
        akin_family_clear(&family);
        return status;
    }
    void *const blocks[] = {family.scale, family.shift, family.salt};
    for (int i = 0; i < 3; i++)
        index->own[AKIN_SEARCH_SCALE + i] = akin_bulk_adopt(blocks[i]);
    akin_search_lsh_lengths(&index->lsh.family, index->sections);
    for (int i = 0; i < 3; i++)
        index->sections[AKIN_SEARCH_SCALE + i].data = blocks[i];
    return AKIN_OK;
}

static akin_status keep_vectors(const akin_scope *scope, akin_search_index *index, const akin_matrix *vectors,
                                akin_error *error)
{
    const uint64_t numbers = (uint64_t)vectors->rows * vectors->columns;
    akin_status status =
        akin_search_section(scope, index, AKIN_SEARCH_VECTORS, numbers, akin_number_bytes(vectors->number), error);
    if (status == AKIN_OK && numbers > 0)
        memcpy(index->own[AKIN_SEARCH_VECTORS].data, vectors->numbers,
               (size_t)index->sections[AKIN_SEARCH_VECTORS].length);
    return status;
}

static akin_status build_vectors_index(const akin_scope *scope, akin_signed of, const akin_vectors_options *options,
                                       akin_search_index *index, akin_error *error)
{
    akin_status status = choose_functions(options, of.matrix, &index->lsh, error);
    if (status == AKIN_OK)
        status = draw_functions(index, error);
    if (status != AKIN_OK)
        return status;
    index->head.functions = index->lsh.family.functions;
    const akin_family family = akin_search_family(index);
    status = akin_vectors_invert(scope, &family, of, &index->objects, error);
    return status == AKIN_OK && of.matrix && index->lsh.is_kept ? keep_vectors(scope, index, of.matrix, error) : status;
}

akin_status akin_search_index_of_vectors_within(const akin_scope *scope, const akin_matrix *vectors,
                                                const akin_vectors_options *options, const akin_column *names,
                                                akin_search_index **out, akin_error *error)
{
    akin_search_index *index = NULL;
    akin_status status = akin_matrix_check(vectors, "index vectors of", error);
    if (status == AKIN_OK && !akin_number_is_of_vectors(vectors->number))
        status = akin_fail(error, AKIN_E_OPTION, "vectors of integers of 32 or 64 bits: expected bytes (uint8) or floats");
    if (status == AKIN_OK)
        status = akin_search_index_begin(scope, AKIN_KIND_VECTORS, vectors->rows, names, &index, error);
    if (status == AKIN_OK)
        status = build_vectors_index(scope, (akin_signed){.matrix = vectors}, options, index, error);
    return akin_search_index_end(index, status, out);
}

akin_status akin_search_index_of_vectors(akin_context *context, const akin_matrix *vectors,
                                         const akin_vectors_options *options, const akin_column *names,
                                         akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_vectors_within(akin_scope_of(context), vectors, options, names, out, error);
}

akin_status akin_search_index_of_minhash_within(const akin_scope *scope, const akin_sets *sets,
                                                const akin_vectors_options *options, const akin_column *names,
                                                akin_search_index **out, akin_error *error)
{
    akin_search_index *index = NULL;
    akin_status status = akin_search_index_begin(scope, AKIN_KIND_SETS, sets->rows, names, &index, error);
    if (status == AKIN_OK)
        status = build_vectors_index(scope, (akin_signed){.sets = sets}, options, index, error);
    return akin_search_index_end(index, status, out);
}

akin_status akin_search_index_of_minhash(akin_context *context, const akin_sets *sets,
                                         const akin_vectors_options *options, const akin_column *names,
                                         akin_search_index **out, akin_error *error)
{
    return akin_search_index_of_minhash_within(akin_scope_of(context), sets, options, names, out, error);
}

/* ----------------------------------------------------------------------------------------------------------- checks */

static int are_finite(const akin_section *section)
{
    const float *numbers = section->data;
    for (uint64_t i = 0; i < section->length / sizeof *numbers; i++)
        if (!isfinite(numbers[i]))
            return 0;
    return 1;
}

static const char *check_functions(const akin_search_index *index, int of_sets)
{
    const akin_section *sections = index->sections;
    const akin_family_head *head = &index->lsh.family;
    const uint32_t number = index->lsh.number;
    akin_section expected[AKIN_SEARCH_SECTIONS];
    if (akin_family_check(head, NULL) != AKIN_OK ||
        of_sets != (akin_family_facts_of((akin_family_kind)head->kind)->objects == AKIN_GIVEN_SETS) ||
        head->functions != index->head.functions || index->lsh.is_kept > 1 ||
        !akin_number_is_of_vectors((akin_number)number) ||
        (of_sets && (head->dimensions > 0 || index->lsh.is_kept || number > 0)))
        return "its hash functions are not what they must be";
    akin_search_lsh_lengths(head, expected);
    for (int i = AKIN_SEARCH_SCALE; i <= AKIN_SEARCH_SALT; i++)
        if (sections[i].length != expected[i].length)
            return "its hash functions are not as many as it says";
    if (!are_finite(&sections[AKIN_SEARCH_SCALE]) || !are_finite(&sections[AKIN_SEARCH_SHIFT]))
        return "its hash functions are not numbers";
    const uint64_t numbers = index->lsh.is_kept ? (uint64_t)index->head.rows * head->dimensions : 0;
    if (sections[AKIN_SEARCH_VECTORS].length != numbers * akin_number_bytes((akin_number)number))
        return "its vectors are not as many as its objects";
    if (number == AKIN_NUMBER_F32 && !are_finite(&sections[AKIN_SEARCH_VECTORS]))
        return "its vectors are not numbers";
    return index->objects.head.keywords == (uint64_t)head->functions * head->buckets
               ? NULL
               : "its keywords are not those of its hash functions";
}

const char *akin_search_check_vectors(const akin_search_index *index)
{
    return check_functions(index, 0);
}

const char *akin_search_check_minhash(const akin_search_index *index)
{
    return check_functions(index, 1);
}

/* ---------------------------------------------------------------------------------------------------------- queries */

/* Whether a matrix of queries is like what is in the index. */
static akin_status check_matrix(const akin_search_index *index, const akin_matrix *matrix, akin_error *error)
{
    const uint32_t columns = index->lsh.family.dimensions;
    if (!matrix || matrix->rows == 0)
        return AKIN_OK;
    if (matrix->columns != columns)
        return akin_fail(error, AKIN_E_OPTION, "queries of %u columns; expected %u, as those of the index",
                         matrix->columns, columns);
    return akin_number_is_of_vectors(matrix->number)
               ? AKIN_OK
               : akin_fail(error, AKIN_E_OPTION, "queries of integers: expected bytes or floats, as vectors are");
}

akin_status akin_call_admits_vectors(const akin_search_call *call, akin_error *error)
{
    return check_matrix(call->index, call->source.matrix, error);
}

akin_status akin_search_distance(const akin_search_index *index, const akin_matrix *queries, uint32_t query,
                                 uint32_t object, double *distance, akin_error *error)
{
    const akin_matrix vectors = akin_search_matrix(index);
    if (!index->lsh.is_kept)
        return akin_fail(error, AKIN_E_OPTION, "distances are of vectors, and this index keeps none");
    akin_status status = check_matrix(index, queries, error);
    if (status != AKIN_OK)
        return status;
    const uint32_t rows = queries ? queries->rows : 0;
    if (query >= rows || object >= vectors.rows)
        return akin_fail(error, AKIN_E_OPTION, "the distance of query %u of %u from object %u of %u: no such row",
                         query, rows, object, vectors.rows);
    *distance = akin_vectors_distance((akin_family_kind)index->lsh.family.kind, &vectors, object, queries, query);
    return AKIN_OK;
}

akin_status akin_build_vector_queries(const akin_scope *scope, const akin_query_source *source, uint32_t first,
                                      uint32_t count, akin_query_batch *batch, akin_error *error)
{
    const akin_family family = akin_search_family(source->index);
    const akin_signed of = {source->matrix, source->sets};
    uint32_t *values = akin_alloc(NULL, (uint64_t)count * family.head.functions, sizeof *values);
    akin_status status = values && akin_query_batch_begin(batch, count) ? AKIN_OK : akin_fail_memory(error, "queries");
    if (status == AKIN_OK)
        status = akin_vectors_sign(scope, &family, of, first, count, values, error);
    for (uint32_t q = 0; q < count && status == AKIN_OK; q++) {
        if (!akin_vectors_add_query(&family, values + (size_t)q * family.head.functions, batch))
            status = akin_fail_memory(error, "queries");
        akin_query_batch_end(batch);
    }
    akin_free(values);
    return status;
}
