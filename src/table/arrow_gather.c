/* Gathers columns of Arrow chunks: text is checked and copied, numbers are written, entries of dictionaries have codes.
 */
#include "table/arrow.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "table/utf8.h"

#include <string.h>

#define PIECE_ROWS   16384u /* rows of a task, and between two progress reports */
#define PIECES_MOST  128
#define EFFORT_SPARE 65536 /* entries that may be looked at beyond twice the rows */

static const char what[] = "a table";

akin_arrow_gatherer akin_arrow_gatherer_of(const akin_scope *scope, akin_store *store, const char *name, int lossy,
                                           akin_strings *to)
{
    return (akin_arrow_gatherer){.scope = scope,
                                 .store = store,
                                 .name = name,
                                 .lossy = lossy,
                                 .to = to,
                                 .codes = {.rows = akin_bulk_in(store)},
                                 .entries = akin_strings_in(store)};
}

static void drop_codes(akin_arrow_gatherer *g)
{
    akin_strings_clear(&g->entries);
    akin_bulk_clear(&g->codes.rows);
    g->codes.count = 0;
    g->is_plain = 1;
}

akin_row_codes akin_arrow_gatherer_take(akin_arrow_gatherer *gatherer)
{
    akin_arrow_gatherer *g = gatherer;
    akin_row_codes codes = g->codes;
    if (codes.count == 0 || codes.count > g->to->rows)
        return (akin_row_codes){.count = 0};
    akin_bulk_trim(&codes.rows, g->to->rows * sizeof(uint32_t));
    g->codes = (akin_row_codes){.count = 0};
    return codes;
}

void akin_arrow_gatherer_clear(akin_arrow_gatherer *gatherer)
{
    drop_codes(gatherer);
}

/* ------------------------------------------------------------------------------------------------------------- text */

/* What is wrong with a text; NULL: nothing. */
static const char *fault_of(const akin_arrow_gatherer *g, const char *bytes, uint64_t length, akin_reason *reason)
{
    *reason = AKIN_REASON_NUL;
    if (length > 0 && memchr(bytes, '\0', (size_t)length))
        return "has a NUL byte";
    *reason = AKIN_REASON_NOT_UTF8;
    return g->lossy || length == 0 || akin_utf8_is_valid(bytes, (size_t)length, g->scope->cpu) ? NULL
                                                                                               : "is not valid UTF-8";
}

static akin_status append_text(const akin_arrow_gatherer *g, akin_strings *to, const char *bytes, uint64_t length)
{
    const akin_status status = g->lossy ? akin_strings_append_repaired(to, bytes, (size_t)length)
                                        : akin_strings_append(to, bytes, (size_t)length);
    return status == AKIN_OK ? akin_strings_end(to) : status;
}

static akin_status fail_text(const akin_arrow_gatherer *g, uint64_t row, akin_reason reason, const char *why,
                             akin_error *error)
{
    return akin_fail_row(error, AKIN_E_INPUT, reason, row, g->name, ", column '%s': the text %s", g->name, why);
}

/* Appends a text that has to be looked at. */
static akin_status append_checked(const akin_arrow_gatherer *g, uint64_t row, const char *bytes, uint64_t length,
                                  akin_error *error)
{
    akin_reason reason;
    const char *why = fault_of(g, bytes, length, &reason);
    if (why)
        return fail_text(g, row, reason, why, error);
    const akin_status status = append_text(g, g->to, bytes, length);
    return status == AKIN_OK ? AKIN_OK : akin_store_fail(g->store, status, what, error);
}

static akin_status report(const akin_arrow_gatherer *g, akin_error *error)
{
    return akin_scope_report(g->scope, "importing", g->to->rows, 0) == AKIN_OK
               ? AKIN_OK
               : akin_fail_stopped(error, AKIN_E_CANCELLED, what);
}

/* Appends texts that may have faults. */
static akin_status append_all_checked(const akin_arrow_gatherer *g, const akin_arrow_column *from, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t row = 0; row < from->rows.rows && status == AKIN_OK; row++) {
        char scratch[AKIN_ARROW_TEXT];
        const char *bytes;
        uint64_t length;
        if (row % PIECE_ROWS == 0 && report(g, error) != AKIN_OK)
            return AKIN_E_CANCELLED;
        if (akin_arrow_read(from, row, scratch, &bytes, &length))
            status = append_checked(g, g->to->rows, bytes, length, error);
        else if ((status = akin_strings_add_nulls(g->to, g->to->rows + 1)) != AKIN_OK)
            akin_store_fail(g->store, status, what, error);
    }
    return status;
}

/* Appends rows that have no faults. */
static akin_status append_rows(const akin_arrow_column *from, uint64_t first, uint64_t end, akin_strings *to)
{
    akin_status status = AKIN_OK;
    for (uint64_t row = first; row < end && status == AKIN_OK; row++) {
        char scratch[AKIN_ARROW_TEXT];
        const char *bytes;
        uint64_t length;
        if (!akin_arrow_read(from, row, scratch, &bytes, &length))
            status = akin_strings_add_nulls(to, to->rows + 1);
        else if (bytes == scratch) /* which has the padding that akin_strings_add reads */
            status = akin_strings_add(to, bytes, (size_t)length);
        else if ((status = akin_strings_append(to, bytes, (size_t)length)) == AKIN_OK)
            status = akin_strings_end(to);
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- pieces */

typedef struct writing {
    const akin_arrow_column *from;
    uint64_t first; /* row of the first piece */
    akin_strings pieces[PIECES_MOST];
} writing;

static akin_status write_piece(void *argument, uint64_t task, uint32_t thread)
{
    writing *w = argument;
    const uint64_t first = w->first + task * PIECE_ROWS;
    (void)thread;
    return append_rows(w->from, first, akin_min_u64(first + PIECE_ROWS, w->from->rows.rows), &w->pieces[task]);
}

/* Appends the pieces of some rows, each a thread's, and empties them. */
static akin_status append_pieces(const akin_arrow_gatherer *g, writing *w, uint64_t count)
{
    akin_status status = akin_parallel(g->scope, NULL, count, write_piece, w);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        akin_strings_place place;
        status = akin_strings_place_piece(g->to, g->to->rows, &w->pieces[i], &place);
        if (status == AKIN_OK)
            akin_strings_copy_piece(&place);
        akin_strings_empty(&w->pieces[i]);
    }
    return status;
}

/* Has rows written by all threads, a few pieces at a time. */
static akin_status append_in_pieces(const akin_arrow_gatherer *g, const akin_arrow_column *from)
{
    const uint64_t slots = akin_min_u64(2 * (uint64_t)g->scope->threads, PIECES_MOST), rows = from->rows.rows;
    akin_status status = AKIN_OK;
    writing *w = akin_alloc(NULL, 1, sizeof *w);
    if (!w)
        return AKIN_E_NOMEM;
    w->from = from;
    for (uint64_t i = 0; i < slots; i++)
        w->pieces[i] = akin_strings_in(g->store);
    for (w->first = 0; w->first < rows && status == AKIN_OK; w->first += slots * PIECE_ROWS) {
        status = akin_scope_report(g->scope, "importing", g->to->rows, 0);
        if (status == AKIN_OK)
            status = append_pieces(g, w, akin_min_u64(slots, akin_ceil_div(rows - w->first, PIECE_ROWS)));
    }
    for (uint64_t i = 0; i < slots; i++)
        akin_strings_clear(&w->pieces[i]);
    akin_free(w);
    return status;
}

/* Whether values must be formatted. */
static int is_written(akin_arrow_kind kind)
{
    return kind != AKIN_ARROW_NULL && kind != AKIN_ARROW_BOOL && kind != AKIN_ARROW_TEXT32 &&
           kind != AKIN_ARROW_TEXT64 && kind != AKIN_ARROW_VIEW;
}

/* With a memory bound one thread writes, because pieces might not fit on the heap. */
static akin_status gather_plain(akin_arrow_gatherer *g, const akin_arrow_column *from, akin_error *error)
{
    const akin_arrow_values *values = from->has_dictionary ? &from->values : &from->rows;
    const uint64_t rows = from->rows.rows;
    akin_status status = AKIN_OK;
    if (!values->is_clean)
        return append_all_checked(g, from, error);
    if (is_written(values->kind) && g->scope->threads > 1 && !g->scope->memory && rows > PIECE_ROWS)
        status = append_in_pieces(g, from);
    else
        for (uint64_t row = 0; row < rows && status == AKIN_OK; row += PIECE_ROWS) {
            if (report(g, error) != AKIN_OK)
                return AKIN_E_CANCELLED;
            status = append_rows(from, row, akin_min_u64(row + PIECE_ROWS, rows), g->to);
        }
    if (status == AKIN_E_CANCELLED)
        return akin_fail_stopped(error, status, what);
    return status == AKIN_OK ? AKIN_OK : akin_store_fail(g->store, status, what, error);
}

/* ------------------------------------------------------------------------------------------------------------ codes */

static int is_null(const akin_strings *strings, uint64_t row)
{
    return strings->validity && !(strings->validity[row / 8] >> row % 8 & 1);
}

/* Whether an entry of the dictionary before has that text; bytes NULL: it is null. */
static int is_same(const akin_strings *entries, uint64_t entry, const char *bytes, uint64_t length)
{
    uint64_t own;
    const char *text = akin_strings_row(entries, entry, &own);
    if (!bytes || is_null(entries, entry))
        return !bytes && is_null(entries, entry);
    return own == length && (length == 0 || memcmp(text, bytes, (size_t)length) == 0);
}

/* An entry as text; NULL: it is null. */
static const char *read_entry(const akin_arrow_column *dictionary, uint64_t entry, char scratch[AKIN_ARROW_TEXT],
                              uint64_t *length)
{
    const char *bytes;
    return akin_arrow_read(dictionary, entry, scratch, &bytes, length) ? bytes : NULL;
}

/* Whether one dictionary is a prefix of the other. */
static int goes_on(const akin_arrow_gatherer *g, const akin_arrow_column *dictionary)
{
    const uint64_t count = akin_min_u64(g->entries.rows, dictionary->rows.rows);
    for (uint64_t entry = 0; entry < count; entry++) {
        char scratch[AKIN_ARROW_TEXT];
        uint64_t length = 0;
        const char *bytes = read_entry(dictionary, entry, scratch, &length);
        if (!is_same(&g->entries, entry, bytes, length))
            return 0;
    }
    return 1;
}

/* Appends the entries that are new. Sets *bad if an entry has a fault; the caller then finds the rows that have it. */
static akin_status append_entries(akin_arrow_gatherer *g, const akin_arrow_column *dictionary, int *bad)
{
    akin_status status = AKIN_OK;
    for (uint64_t entry = g->entries.rows; entry < dictionary->rows.rows && status == AKIN_OK && !*bad; entry++) {
        char scratch[AKIN_ARROW_TEXT];
        uint64_t length = 0;
        akin_reason reason;
        const char *bytes = read_entry(dictionary, entry, scratch, &length);
        if (!bytes)
            status = akin_strings_add_nulls(&g->entries, g->entries.rows + 1);
        else if (!dictionary->rows.is_clean && fault_of(g, bytes, length, &reason))
            *bad = 1;
        else
            status = append_text(g, &g->entries, bytes, length);
    }
    return status;
}

/* Takes the entries of a dictionary; *base becomes the code of the first one. */
static akin_status take_dictionary(akin_arrow_gatherer *g, const akin_arrow_values *values, uint32_t *base, int *bad)
{
    const akin_arrow_column dictionary = {.rows = *values};
    if (!goes_on(g, &dictionary))
        akin_strings_empty(&g->entries);
    const uint64_t before = g->entries.rows;
    const akin_status status = append_entries(g, &dictionary, bad);
    if (g->codes.count + (g->entries.rows - before) >= AKIN_CODE_NONE)
        *bad = 1; /* the codes are used up */
    else
        g->codes.count += (uint32_t)(g->entries.rows - before);
    *base = g->codes.count - (uint32_t)g->entries.rows;
    return status;
}

/* Appends rows by their entries. */
static akin_status append_coded(akin_arrow_gatherer *g, const akin_arrow_values *rows, uint32_t base, uint64_t first,
                                uint64_t end)
{
    uint32_t *codes = (uint32_t *)g->codes.rows.data + g->to->rows;
    akin_status status = AKIN_OK;
    for (uint64_t row = first; row < end && status == AKIN_OK; row++) {
        const uint64_t entry = akin_arrow_has(rows, row) ? akin_arrow_index(rows, row) : UINT64_MAX;
        uint64_t length;
        if (entry == UINT64_MAX || is_null(&g->entries, entry)) {
            *codes++ = AKIN_CODE_NONE;
            status = akin_strings_add_nulls(g->to, g->to->rows + 1);
        } else {
            const char *text = akin_strings_row(&g->entries, entry, &length);
            *codes++ = base + (uint32_t)entry;
            status = akin_strings_add(g->to, text, (size_t)length);
        }
    }
    return status;
}

/* Counts the entries of a dictionary. Returns whether codes are worth reading them: dictionaries may be large, and
 * chunks small. */
static int charge_effort(akin_arrow_gatherer *g, const akin_arrow_column *from)
{
    g->effort += from->values.rows;
    return !g->is_plain && g->effort <= 2 * (g->to->rows + from->rows.rows) + EFFORT_SPARE;
}

static akin_status gather_coded(akin_arrow_gatherer *g, const akin_arrow_column *from, akin_error *error)
{
    const uint64_t rows = from->rows.rows;
    uint32_t base = 0;
    int bad = 0;
    akin_status status = take_dictionary(g, &from->values, &base, &bad);
    if (status == AKIN_OK && bad) {
        drop_codes(g);
        return gather_plain(g, from, error);
    }
    if (status == AKIN_OK)
        status = akin_bulk_grow(&g->codes.rows, (g->to->rows + rows) * sizeof(uint32_t), NULL, NULL);
    for (uint64_t row = 0; row < rows && status == AKIN_OK; row += PIECE_ROWS) {
        if (report(g, error) != AKIN_OK)
            return AKIN_E_CANCELLED;
        status = append_coded(g, &from->rows, base, row, akin_min_u64(row + PIECE_ROWS, rows));
    }
    return status == AKIN_OK ? AKIN_OK : akin_store_fail(g->store, status, what, error);
}

akin_status akin_arrow_gather(akin_arrow_gatherer *gatherer, const akin_arrow_column *from, akin_error *error)
{
    if (from->has_dictionary && charge_effort(gatherer, from))
        return gather_coded(gatherer, from, error);
    drop_codes(gatherer);
    return gather_plain(gatherer, from, error);
}
