/* Repeated passages as an object: what akin_repeats_find makes, and texts without them. */
#include "corpus/repeats.h"

#include "base/context.h"
#include "base/options.h"
#include "corpus/repeated_words.h"
#include "device/devices.h"
#include "table/columns.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

AKIN_OPTIONS_END(akin_repeats_options, table);

struct akin_repeats {
    akin_store store;
    akin_bulk spans; /* akin_span each */
    uint64_t count;
};

static akin_symbol symbol_of(const akin_repeats_options *options)
{
    return options->unit == AKIN_REPEATS_WORDS ? AKIN_SYMBOL_WORD : AKIN_SYMBOL_BYTE;
}

static akin_status read_repeats_options(const akin_repeats_options *given, akin_repeats_options *own, akin_error *error)
{
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_repeats_options", error);
    if (status != AKIN_OK)
        return status;
    if (own->unit != AKIN_REPEATS_BYTES && own->unit != AKIN_REPEATS_WORDS)
        return akin_fail(error, AKIN_E_OPTION, "unit is %u; expected AKIN_REPEATS_BYTES or AKIN_REPEATS_WORDS",
                         own->unit);
    if (own->keep != AKIN_KEEP_FIRST && own->keep != AKIN_KEEP_NONE)
        return akin_fail(error, AKIN_E_OPTION, "keep is %u; expected AKIN_KEEP_FIRST or AKIN_KEEP_NONE", own->keep);
    if (own->whole_characters > 1)
        return akin_fail(error, AKIN_E_OPTION, "whole_characters is %u; expected 0 or 1", own->whole_characters);
    if (own->reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_repeats_options: reserved is %u; expected 0", own->reserved);
    return akin_repeats_check(&(akin_repeats_wanted){.symbol = symbol_of(own), .length = own->length}, error);
}

akin_status akin_repeats_find(akin_context *context, const akin_column *documents, uint32_t rows,
                              const akin_repeats_options *options, akin_repeats **out, akin_error *error)
{
    static const char what[] = "repeated passages"; /* the memory is for */
    const akin_scope *scope = akin_scope_of(context);
    akin_repeats_options own = AKIN_REPEATS_OPTIONS_INIT;
    akin_status status = read_repeats_options(options, &own, error);
    if (status == AKIN_OK && akin_device_is_required(scope))
        status = akin_fail(error, AKIN_E_OPTION, "passages are found on the CPU alone: use the device cpu or auto");
    if (status == AKIN_OK)
        status = akin_table_columns_check(documents, 1, rows, "find repeated passages in", error);
    if (status != AKIN_OK)
        return status;
    akin_repeats *repeats = akin_alloc_zero(NULL, 1, sizeof *repeats);
    if (!repeats)
        return akin_fail_memory(error, what);
    const akin_repeats_wanted wanted = {.symbol = symbol_of(&own),
                                        .length = own.length,
                                        .keep_none = own.keep == AKIN_KEEP_NONE,
                                        .whole_characters = (int)own.whole_characters,
                                        .table = own.table,
                                        .mask = UINT64_MAX};
    status = akin_store_begin(&repeats->store, scope, AKIN_BUDGET_DUPLICATES, what, error);
    repeats->spans = akin_bulk_in(&repeats->store);
    if (status == AKIN_OK && own.unit == AKIN_REPEATS_WORDS)
        status =
            akin_repeated_words_find(scope, documents, rows, &wanted, &repeats->spans, &repeats->count, NULL, error);
    else if (status == AKIN_OK)
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
        return akin_fail(error, AKIN_E_OPTION, "there is no passage %" PRIu64 ": their number is %" PRIu64, index,
                         repeats->count);
    const akin_span *s = (const akin_span *)repeats->spans.data + index;
    const akin_repeat own = {.size = sizeof own,
                             .row = s->row,
                             .source_row = s->source_row,
                             .begin = s->begin,
                             .end = s->end,
                             .source_begin = s->source_begin,
                             .times = s->times};
    return akin_options_write(&own, sizeof own, out, "akin_repeat", error);
}

/* The first span of a row, or of a row behind it. */
static uint64_t first_span(const akin_repeats *repeats, uint32_t row)
{
    const akin_span *spans = repeats->spans.data;
    uint64_t low = 0, high = repeats->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (spans[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_blank(const char *text, uint64_t length)
{
    uint64_t at = 0;
    while (at < length && text[at] && strchr(" \t\n\v\f\r", text[at]))
        at++;
    return at == length;
}

uint64_t akin_repeats_cut(const akin_repeats *repeats, const akin_column *documents, uint32_t row, char *out)
{
    const akin_span *spans = repeats->spans.data;
    const uint64_t begin = documents->offsets[row], end = documents->offsets[row + UINT64_C(1)];
    const char *text = documents->bytes + begin;
    uint64_t length = 0, at = 0;
    if (end == begin || !akin_column_has(documents, row))
        return 0;
    for (uint64_t i = first_span(repeats, row); i < repeats->count && spans[i].row == row; i++) {
        memcpy(out + length, text + at, spans[i].begin - at);
        length += spans[i].begin - at;
        at = spans[i].end;
    }
    memcpy(out + length, text + at, end - begin - at);
    length += end - begin - at;
    return length < end - begin && is_blank(out, length) ? 0 : length;
}
