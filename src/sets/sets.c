/* Collections of sets in memory: made from arrays, looked at, freed. */
#include "sets/sets.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/sort.h"

#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- tokens */

uint64_t akin_tokens_falls(const uint32_t *tokens, size_t count)
{
    uint64_t falls = 0;
    size_t i = 1;
    for (; i + 64 <= count; i += 64) { /* by a fixed number, which compilers turn into vector instructions */
        uint32_t some = 0;
        for (size_t j = i; j < i + 64; j++)
            some += tokens[j] <= tokens[j - 1];
        falls += some;
    }
    for (; i < count; i++)
        falls += tokens[i] <= tokens[i - 1];
    return falls;
}

size_t akin_tokens_arrange(uint32_t *tokens, size_t count)
{
    if (akin_tokens_falls(tokens, count) == 0)
        return count;
    akin_sort_u32(tokens, count);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (tokens[i] != tokens[kept - 1])
            tokens[kept++] = tokens[i];
    return kept;
}

/* ------------------------------------------------------------------------------------------------------ collections */

akin_status akin_sets_adopt(uint32_t rows, uint64_t *offsets, uint32_t *tokens, akin_sets **out, akin_error *error)
{
    akin_bulk own[2] = {akin_bulk_adopt(offsets), akin_bulk_adopt(tokens)};
    return akin_sets_adopt_bulks(rows, &own[0], &own[1], out, error);
}

akin_status akin_sets_adopt_bulks(uint32_t rows, akin_bulk *offsets, akin_bulk *tokens, akin_sets **out,
                                  akin_error *error)
{
    akin_sets *sets = akin_alloc_zero(NULL, 1, sizeof *sets);
    if (!sets)
        return akin_fail_memory(error, "a collection of sets");
    akin_bulk_trim(offsets, ((uint64_t)rows + 1) * sizeof *sets->offsets);
    akin_bulk_trim(tokens, ((const uint64_t *)offsets->data)[rows] * sizeof *sets->tokens);
    sets->rows = rows;
    sets->own[0] = *offsets;
    sets->own[1] = *tokens;
    sets->offsets = offsets->data;
    sets->tokens = tokens->data;
    *out = sets;
    return AKIN_OK;
}

void akin_sets_free(akin_sets *sets)
{
    if (!sets)
        return;
    if (sets->container)
        akin_container_close(sets->container);
    akin_bulk_clear(&sets->own[0]);
    akin_bulk_clear(&sets->own[1]);
    akin_free(sets);
}

uint32_t akin_sets_rows(const akin_sets *sets)
{
    return sets->rows;
}

uint32_t akin_sets_row(const akin_sets *sets, uint32_t row, const uint32_t **tokens)
{
    uint64_t start = sets->offsets[row];
    if (tokens)
        *tokens = sets->tokens + start;
    return (uint32_t)(sets->offsets[row + 1] - start);
}

/* Copies the rows, arranged, into `to`, which has room for all tokens, and sets their offsets. */
static akin_status copy_rows(uint32_t rows, const uint64_t *from, const uint32_t *tokens, uint64_t *offsets,
                             uint32_t *to, akin_error *error)
{
    offsets[0] = 0;
    for (uint32_t row = 0; row < rows; row++) {
        size_t size = (size_t)(from[row + 1] - from[row]);
        if (size > 0) {
            memcpy(to + offsets[row], tokens + from[row], size * sizeof *to);
            size = akin_tokens_arrange(to + offsets[row], size);
        }
        if (size > UINT32_MAX)
            return akin_fail_row(error, AKIN_E_LIMIT, AKIN_REASON_NONE, row, NULL,
                                 ": a set of more than 4294967295 tokens");
        offsets[row + 1] = offsets[row] + size;
    }
    return AKIN_OK;
}

akin_status akin_sets_from_arrays(akin_context *context, uint32_t rows, const uint64_t *offsets, const uint32_t *tokens,
                                  akin_sets **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    (void)scope;
    for (uint32_t row = 0; row < rows; row++)
        if (offsets[row + 1] < offsets[row])
            return akin_fail_row(error, AKIN_E_OPTION, AKIN_REASON_NONE, row, NULL,
                                 ": its offset %llu is above the next one, %llu", (unsigned long long)offsets[row],
                                 (unsigned long long)offsets[row + 1]);
    uint64_t total = rows ? offsets[rows] - offsets[0] : 0;
    akin_status status = AKIN_E_NOMEM;
    uint64_t *own_offsets = akin_alloc(NULL, (uint64_t)rows + 1, sizeof *own_offsets);
    uint32_t *own_tokens = akin_alloc(NULL, total, sizeof *own_tokens);
    if (!own_offsets || !own_tokens) {
        akin_fail_memory(error, "a collection of sets");
        goto done;
    }
    status = copy_rows(rows, offsets, tokens, own_offsets, own_tokens, error);
    if (status == AKIN_OK && own_offsets[rows] < total) {
        uint32_t *cut = akin_resize(NULL, own_tokens, own_offsets[rows], sizeof *cut);
        own_tokens = cut ? cut : own_tokens;
    }
    if (status == AKIN_OK)
        status = akin_sets_adopt(rows, own_offsets, own_tokens, out, error);
done:
    if (status != AKIN_OK) {
        akin_free(own_offsets);
        akin_free(own_tokens);
    }
    return status;
}
