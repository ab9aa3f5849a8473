/* Repeated passages as an object: what akin_repeats_find makes. */
#include "corpus/repeats.h"

#include "base/context.h"
#include "base/options.h"
#include "table/columns.h"

#include <stddef.h>

AKIN_OPTIONS_END(akin_repeats_options, whole_characters);

struct akin_repeats {
    akin_store store;
    akin_bulk spans; /* akin_repeat each */
    uint64_t count;
};

static akin_status read_repeats_options(const akin_repeats_options *given, akin_repeats_options *own, akin_error *error)
{
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_repeats_options", error);
    if (status != AKIN_OK)
        return status;
    if (own->length < AKIN_REPEATS_LEAST || own->length > AKIN_REPEATS_MOST)
        return akin_fail(error, AKIN_E_OPTION, "length is %llu; expected %d to %d bytes",
                         (unsigned long long)own->length, AKIN_REPEATS_LEAST, AKIN_REPEATS_MOST);
    if (own->keep != AKIN_KEEP_FIRST && own->keep != AKIN_KEEP_NONE)
        return akin_fail(error, AKIN_E_OPTION, "keep is %u; expected AKIN_KEEP_FIRST or AKIN_KEEP_NONE", own->keep);
    if (own->whole_characters > 1)
        return akin_fail(error, AKIN_E_OPTION, "whole_characters is %u; expected 0 or 1", own->whole_characters);
    return AKIN_OK;
}

akin_status akin_repeats_find(akin_context *context, const akin_column *documents, uint32_t rows,
                              const akin_repeats_options *options, akin_repeats **out, akin_error *error)
{
    static const char what[] = "repeated passages"; /* the memory is for */
    const akin_scope *scope = akin_scope_of(context);
    akin_repeats_options own = AKIN_REPEATS_OPTIONS_INIT;
    akin_status status = read_repeats_options(options, &own, error);
    if (status == AKIN_OK)
        status = akin_table_columns_check(documents, 1, rows, "find repeated passages in", error);
    if (status != AKIN_OK)
        return status;
    akin_repeats *repeats = akin_alloc_zero(NULL, 1, sizeof *repeats);
    if (!repeats)
        return akin_fail_memory(error, what);
    const akin_repeats_wanted wanted = {.length = own.length,
                                        .keep_none = own.keep == AKIN_KEEP_NONE,
                                        .whole_characters = (int)own.whole_characters,
                                        .mask = UINT64_MAX};
    status = akin_store_begin(&repeats->store, scope, AKIN_BUDGET_DUPLICATES, what, error);
    repeats->spans = akin_bulk_in(&repeats->store);
    if (status == AKIN_OK)
        status =
            akin_repeats_find_within(scope, documents, rows, &wanted, &repeats->spans, &repeats->count, NULL, error);
    if (status != AKIN_OK) {
        akin_repeats_free(repeats);
        return status;
    }
    *out = repeats;
    return AKIN_OK;
}

void akin_repeats_free(akin_repeats *repeats)
{
    if (!repeats)
        return;
    akin_bulk_clear(&repeats->spans);
    akin_store_clear(&repeats->store);
    akin_free(repeats);
}

uint64_t akin_repeats_count(const akin_repeats *repeats)
{
    return repeats->count;
}

akin_status akin_repeats_at(const akin_repeats *repeats, uint64_t index, akin_repeat *out, akin_error *error)
{
    if (index >= repeats->count)
        return akin_fail(error, AKIN_E_OPTION, "there is no passage %llu: their number is %llu",
                         (unsigned long long)index, (unsigned long long)repeats->count);
    *out = ((const akin_repeat *)repeats->spans.data)[index];
    return AKIN_OK;
}
