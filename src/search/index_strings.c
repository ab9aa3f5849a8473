/* Indexes of strings: these as they are, put in order once more whenever they are opened. */
#include "search/index_strings.h"

#include "base/budget.h"
#include "base/options.h"
#include "search/grams.h"
#include "table/columns.h"
#include "table/combine.h"
#include "text/folded.h"

static const char what[] = "strings"; /* the memory is for */

AKIN_OPTIONS_END(akin_strings_options, reserved);

static akin_status copy_validity(const akin_scope *scope, const akin_column *column, akin_search_index *index,
                                 akin_error *error)
{
    const uint64_t nulls = column->validity ? akin_ceil_div(index->head.rows, 8) : 0;
    akin_status status = akin_search_section(scope, index, AKIN_SEARCH_VALIDITY, nulls, 1, error);
    if (status == AKIN_OK && nulls > 0)
        memcpy(index->own[AKIN_SEARCH_VALIDITY].data, column->validity, (size_t)nulls);
    return status;
}

/* Makes the sections of strings, whose code points are numbered, and writes them. */
static akin_status write_index_strings(const akin_scope *scope, const akin_column *column, const uint32_t *lengths,
                                       akin_search_index *index, akin_error *error)
{
    const uint32_t rows = index->head.rows;
    akin_status status =
        akin_search_section(scope, index, AKIN_SEARCH_STRING_OFFSETS, (uint64_t)rows + 1, sizeof(uint64_t), error);
    if (status != AKIN_OK)
        return status;
    uint64_t *offsets = index->own[AKIN_SEARCH_STRING_OFFSETS].data;
    offsets[0] = 0;
    for (uint32_t row = 0; row < rows; row++)
        offsets[row + UINT64_C(1)] = offsets[row] + lengths[row];
    status = akin_search_section(scope, index, AKIN_SEARCH_STRINGS, offsets[rows], 1, error);
    const int is_wide = akin_letters_are_wide(&index->letters);
    if (status == AKIN_OK && is_wide)
        status = akin_search_section(scope, index, AKIN_SEARCH_BINS, offsets[rows], sizeof(uint32_t), error);
    if (status != AKIN_OK)
        return status;
    uint8_t *bytes = index->own[AKIN_SEARCH_STRINGS].data;
    uint32_t *numbers = is_wide ? index->own[AKIN_SEARCH_BINS].data : NULL;
    uint64_t due = 0;
    for (uint32_t row = 0; row < rows; row++) {
        const uint64_t at = column->offsets[row];
        status = akin_letters_report(scope, "writing strings", column, row, rows, &due, error);
        if (status != AKIN_OK)
            return status;
        if (lengths[row] > 0)
            akin_letters_write(&index->letters, column->bytes + at, column->offsets[row + UINT64_C(1)] - at,
                               bytes + offsets[row], numbers ? numbers + offsets[row] : NULL);
    }
    return AKIN_OK;
}

/* Takes the code points that are numbered in a section. Errors, without a message: AKIN_E_NOMEM, AKIN_E_INPUT (they are
 * none). */
static akin_status take_letters(akin_search_index *index)
{
    const akin_section *section = &index->sections[AKIN_SEARCH_TOKENS];
    int is_valid = 0;
    akin_status status =
        akin_letters_take(section->data, section->length / sizeof(uint32_t), &index->letters, &is_valid);
    return status == AKIN_OK && !is_valid ? AKIN_E_INPUT : status;
}

/* Strings by their code points, which are numbered as those of `base`, and behind these. */
static akin_status letter_strings(const akin_scope *scope, const akin_column *column, const akin_letters *base,
                                  akin_search_index *index, akin_error *error)
{
    akin_bulk lengths = {0};
    uint32_t *points = NULL;
    uint64_t count = 0;
    akin_status status = akin_search_scratch(scope, &lengths, index->head.rows, sizeof *points, error);
    if (status == AKIN_OK)
        status = akin_letters_learn(scope, column, index->head.rows, base, lengths.data, &points, &count, error);
    if (status == AKIN_OK)
        status = akin_search_section(scope, index, AKIN_SEARCH_TOKENS, count, sizeof *points, error);
    if (status == AKIN_OK && count > 0)
        memcpy(index->own[AKIN_SEARCH_TOKENS].data, points, (size_t)count * sizeof *points);
    akin_free(points);
    if (status == AKIN_OK && take_letters(index) != AKIN_OK)
        status = akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = write_index_strings(scope, column, lengths.data, index, error);
    akin_bulk_clear(&lengths);
    return status;
}

akin_status akin_search_order_strings(const akin_scope *scope, akin_search_index *index, akin_error *error)
{
    const akin_column column = akin_search_strings(index);
    if (index->head.letters && !index->letters.points && take_letters(index) != AKIN_OK)
        return akin_fail_memory(error, what);
    akin_status status = akin_ordered_make(scope, &column, index->head.rows, &index->ordered, error);
    if (status == AKIN_OK && index->sections[AKIN_SEARCH_BINS].length > 0) {
        index->ordered.numbers = index->sections[AKIN_SEARCH_BINS].data;
        index->ordered.offsets = column.offsets;
    }
    return status;
}

static akin_status read_strings_options(const akin_strings_options *options, akin_strings_options *own,
                                        akin_error *error)
{
    akin_status status = akin_options_read(options, own, sizeof *own, sizeof *own, "akin_strings_options", error);
    if (status == AKIN_OK && (own->ngram > AKIN_NGRAM_MOST || own->bytes > 1 || own->reserved != 0))
        status = akin_fail(error, AKIN_E_OPTION,
                           "akin_strings_options: ngram is %u, bytes %u, reserved %u; expected 0 to %d, 0 or 1, and 0",
                           own->ngram, own->bytes, own->reserved, AKIN_NGRAM_MOST);
    return status == AKIN_OK ? akin_folds_check(own->folds, error) : status;
}

/* Fills an index of strings, which are folded already. */
static akin_status fill_strings_index(const akin_scope *scope, const akin_column *column, const akin_letters *base,
                                      akin_search_index *index, akin_error *error)
{
    akin_status status = index->head.letters
                             ? letter_strings(scope, column, base, index, error)
                             : akin_search_copy_strings(scope, column, index, AKIN_SEARCH_STRING_OFFSETS, error);
    if (status == AKIN_OK)
        status = copy_validity(scope, column, index, error);
    if (status == AKIN_OK)
        status = akin_search_order_strings(scope, index, error);
    return status == AKIN_OK && index->head.ngram > 0 ? akin_grams_build(scope, index, error) : status;
}

akin_status akin_search_combine(const akin_scope *scope, const akin_column *columns, uint32_t count, uint32_t rows,
                                akin_table **combined, akin_column *out, akin_error *error)
{
    akin_status status = akin_table_combine_within(scope, columns, count, rows, combined, error);
    *out = (akin_column){.size = sizeof *out};
    return status == AKIN_OK ? akin_table_column(*combined, 0, out, error) : status;
}

akin_status akin_search_strings_make(const akin_scope *scope, const akin_column *columns, uint32_t count, uint32_t rows,
                                     const akin_strings_options *options, const akin_letters *base,
                                     const akin_column *names, akin_search_index **out, akin_error *error)
{
    akin_strings_options own = AKIN_STRINGS_OPTIONS_INIT;
    akin_search_index *index = NULL;
    akin_status status = read_strings_options(options, &own, error);
    if (status == AKIN_OK)
        status = akin_table_columns_check(columns, count, rows, "index strings of", error);
    if (status == AKIN_OK)
        status = akin_search_index_begin(scope, AKIN_KIND_STRINGS, rows, names, &index, error);
    if (status != AKIN_OK)
        return akin_search_index_end(index, status, out);
    akin_column strings = *columns;
    akin_folded folded = {{0}, {0}};
    akin_table *combined = NULL;
    index->head.ngram = own.ngram;
    index->head.letters = !own.bytes;
    index->head.folds = own.folds;
    if (count > 1)
        status = akin_search_combine(scope, columns, count, rows, &combined, &strings, error);
    if (status == AKIN_OK && own.folds)
        status = akin_folded_make(scope, NULL, akin_budget(scope, AKIN_BUDGET_FOLDED), own.folds, rows, &strings,
                                  &folded, error);
    if (status == AKIN_OK)
        status = fill_strings_index(scope, &strings, base, index, error);
    akin_folded_clear(&folded);
    akin_table_free(combined);
    return akin_search_index_end(index, status, out);
}

akin_status akin_search_index_of_strings(akin_context *context, const akin_column *column, uint32_t rows,
                                         const akin_strings_options *options, const akin_column *names,
                                         akin_search_index **out, akin_error *error)
{
    return akin_search_strings_make(akin_scope_of(context), column, 1, rows, options, NULL, names, out, error);
}

/* ----------------------------------------------------------------------------------------------------------- checks */

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

/* Whether code points are where they must be, and their numbers if bytes do not identify them. */
static int are_letters_fit(const akin_search_index *index)
{
    const uint64_t points = index->sections[AKIN_SEARCH_TOKENS].length / sizeof(uint32_t);
    const uint64_t numbers = points > AKIN_LETTERS_BYTES ? index->sections[AKIN_SEARCH_STRINGS].length : 0;
    return (index->head.letters || points == 0) &&
           index->sections[AKIN_SEARCH_TOKENS].length == points * sizeof(uint32_t) &&
           index->sections[AKIN_SEARCH_BINS].length == numbers * sizeof(uint32_t);
}

/* Whether the numbers of code points, where there are some, and the bytes agree. */
static int do_numbers_agree(const akin_search_index *index)
{
    const uint32_t *numbers = index->sections[AKIN_SEARCH_BINS].data;
    const uint8_t *bytes = index->sections[AKIN_SEARCH_STRINGS].data;
    for (uint64_t i = 0; i < index->sections[AKIN_SEARCH_BINS].length / sizeof *numbers; i++)
        if (numbers[i] >= index->letters.count || numbers[i] % AKIN_LETTERS_BYTES != bytes[i])
            return 0;
    return 1;
}

const char *akin_search_check_strings(const akin_search_index *index)
{
    const akin_section *sections = index->sections, *validity = &sections[AKIN_SEARCH_VALIDITY];
    const char *why = index->head.ngram > 0 ? check_grams(index) : NULL;
    if (why)
        return why;
    if (!are_letters_fit(index))
        return "its code points are not those of its strings";
    if (!akin_search_are_offsets(&sections[AKIN_SEARCH_STRING_OFFSETS], &sections[AKIN_SEARCH_STRINGS],
                                 index->head.rows))
        return "its strings are not those of its objects";
    return validity->length == 0 || validity->length == akin_ceil_div(index->head.rows, 8)
               ? NULL
               : "its nulls are not those of its objects";
}

akin_status akin_search_take_strings(const akin_scope *scope, const char *name, akin_search_index *index,
                                     akin_error *error)
{
    akin_status status = AKIN_OK;
    if (index->head.letters)
        status = akin_section_keep(scope, AKIN_BUDGET_KEPT, &index->sections[AKIN_SEARCH_TOKENS], 0,
                                   &index->own[AKIN_SEARCH_TOKENS], error);
    if (status != AKIN_OK)
        return status;
    if (index->head.letters)
        status = take_letters(index);
    if (status == AKIN_E_INPUT || !do_numbers_agree(index))
        return akin_search_refuse(name, "its code points are not numbered", error);
    if (status != AKIN_OK)
        return akin_fail_memory(error, what);
    status = akin_search_order_strings(scope, index, error);
    return status == AKIN_E_LIMIT ? akin_search_refuse(name, "it has a string of 2^31 symbols", error) : status;
}
