/*
 * Saves collections, and opens what was saved: a container of kind "sets", version 1.
 *
 *     section 0   offsets, rows + 1 uint64
 *     section 1   tokens, uint32
 */
#include "base/memory.h"
#include "sets/sets.h"

#define KIND    "sets"
#define VERSION 1

enum { OFFSETS, TOKENS, SECTIONS };

static void list_set_sections(const akin_sets *sets, akin_section sections[SECTIONS])
{
    sections[OFFSETS] =
        (akin_section){.data = sets->offsets, .length = ((uint64_t)sets->rows + 1) * sizeof *sets->offsets};
    sections[TOKENS] = (akin_section){.data = sets->tokens, .length = sets->offsets[sets->rows] * sizeof *sets->tokens};
}

akin_status akin_sets_save(akin_context *context, const akin_sets *sets, const char *path, akin_error *error)
{
    akin_section sections[SECTIONS];
    list_set_sections(sets, sections);
    return akin_container_save(akin_scope_of(context), path, KIND, VERSION, sections, SECTIONS, error);
}

akin_status akin_sets_write(akin_context *context, const akin_sets *sets, akin_output *output, akin_error *error)
{
    akin_section sections[SECTIONS];
    list_set_sections(sets, sections);
    return akin_container_write(akin_scope_of(context), output, KIND, VERSION, sections, SECTIONS, error);
}

static akin_status check_saved_offsets(const char *name, uint64_t rows, const uint64_t *offsets, uint64_t tokens,
                                       akin_error *error)
{
    if (offsets[0] != 0)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: row 0 begins at token %llu; expected 0",
                              name, (unsigned long long)offsets[0]);
    for (uint64_t row = 0; row < rows; row++) {
        if (offsets[row + 1] < offsets[row] || offsets[row + 1] > tokens)
            return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED,
                                  "%s: row %llu ends at token %llu; expected %llu to %llu", name,
                                  (unsigned long long)row, (unsigned long long)offsets[row + 1],
                                  (unsigned long long)offsets[row], (unsigned long long)tokens);
        if (offsets[row + 1] - offsets[row] > UINT32_MAX)
            return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED,
                                  "%s: row %llu has more than 4294967295 tokens", name, (unsigned long long)row);
    }
    if (offsets[rows] != tokens)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED,
                              "%s: after the last of %llu rows there are %llu tokens too many", name,
                              (unsigned long long)rows, (unsigned long long)(tokens - offsets[rows]));
    return AKIN_OK;
}

static akin_status check_saved_tokens(const char *name, uint64_t rows, const uint64_t *offsets, const uint32_t *tokens,
                                      akin_error *error)
{
    for (uint64_t row = 0; row < rows; row++)
        if (akin_tokens_falls(tokens + offsets[row], (size_t)(offsets[row + 1] - offsets[row])) != 0)
            return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED,
                                  "%s: row %llu: its tokens are not in ascending order, each once", name,
                                  (unsigned long long)row);
    return AKIN_OK;
}

/* Makes a collection of two sections of a container, which becomes the collection's. */
static akin_status unpack_sets(const char *name, akin_container *container, akin_section offsets, akin_section tokens,
                               akin_sets **out, akin_error *error)
{
    uint64_t count = tokens.length / sizeof(uint32_t);
    if (offsets.length < sizeof(uint64_t) || offsets.length % sizeof(uint64_t) != 0 ||
        offsets.length / sizeof(uint64_t) - 1 > UINT32_MAX)
        return akin_fail(error, AKIN_E_INPUT, "%s: its offsets take %llu bytes; expected 8 for each row and 8 more",
                         name, (unsigned long long)offsets.length);
    if (tokens.length % sizeof(uint32_t) != 0)
        return akin_fail(error, AKIN_E_INPUT, "%s: its tokens take %llu bytes; expected 4 for each", name,
                         (unsigned long long)tokens.length);
    uint64_t rows = offsets.length / sizeof(uint64_t) - 1;
    akin_status status = check_saved_offsets(name, rows, offsets.data, count, error);
    if (status == AKIN_OK)
        status = check_saved_tokens(name, rows, offsets.data, tokens.data, error);
    akin_sets *sets = status == AKIN_OK ? akin_alloc_zero(NULL, 1, sizeof *sets) : NULL;
    if (status == AKIN_OK && !sets)
        return akin_fail_memory(error, "a collection of sets");
    if (!sets)
        return status;
    sets->rows = (uint32_t)rows;
    sets->offsets = offsets.data;
    sets->tokens = tokens.data;
    sets->container = container;
    *out = sets;
    return AKIN_OK;
}

/* The same of all content of a container. What is in a mapped file is copied, and the file is closed: a join goes
 * through tokens several times, and relies on finding the same. */
static akin_status take_sets(const akin_scope *scope, const char *name, akin_container *container, akin_sets **out,
                             akin_error *error)
{
    akin_section sections[SECTIONS];
    akin_bulk own[SECTIONS] = {0};
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < SECTIONS && status == AKIN_OK; i++) {
        sections[i] = akin_container_section(container, i);
        status = akin_section_keep(scope, AKIN_BUDGET_SETS, &sections[i], 0, &own[i], error);
    }
    if (status == AKIN_OK)
        status = unpack_sets(name, container, sections[OFFSETS], sections[TOKENS], out, error);
    if (status != AKIN_OK) {
        akin_bulk_clear(&own[OFFSETS]);
        akin_bulk_clear(&own[TOKENS]);
    } else if (akin_container_mapping(container)) {
        akin_container_close(container);
        (*out)->container = NULL;
        memcpy((*out)->own, own, sizeof own);
    }
    return status;
}

akin_status akin_sets_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                   akin_sets **out, akin_error *error)
{
    akin_status status = akin_container_expect(container, name, KIND, VERSION, SECTIONS, error);
    if (status == AKIN_OK)
        status = take_sets(scope, name, container, out, error);
    if (status != AKIN_OK)
        akin_container_close(container);
    return status;
}

akin_status akin_sets_open(const akin_scope *scope, const char *path, akin_sets **out, akin_error *error)
{
    akin_container *container;
    akin_status status = akin_container_open(scope, path, KIND, VERSION, SECTIONS, &container, error);
    if (status != AKIN_OK)
        return status;
    status = take_sets(scope, path, container, out, error);
    if (status != AKIN_OK)
        akin_container_close(container);
    return status;
}

akin_status akin_sets_parse(const akin_scope *scope, const char *name, akin_bulk *image, uint64_t length,
                            akin_sets **out, akin_error *error)
{
    akin_container *container;
    akin_status status =
        akin_container_parse(scope, name, image->data, length, KIND, VERSION, SECTIONS, &container, error);
    if (status != AKIN_OK)
        return status;
    status = take_sets(scope, name, container, out, error);
    if (status == AKIN_OK)
        (*out)->own[0] = *image;
    else
        akin_container_close(container);
    return status;
}
