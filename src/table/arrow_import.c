/*
 * Tables of a stranger's Arrow arrays: one chunk is kept, and columns of text borrow its bytes; several are gathered,
 * each released before the next is requested.
 */
#include "base/memory.h"
#include "base/options.h"
#include "table/arrow.h"
#include "table/table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NAMES_SHOWN  640 /* bytes */
#define REASON       600 /* bytes of what a stream says of a failure */
#define ENTRIES_MOST (INT64_C(1) << 56)

static const char what[] = "a table";

typedef struct importer {
    const akin_scope *scope;
    int lossy;
    int is_struct; /* else the arrays are the one column */
    akin_table *table;
    uint32_t count;         /* columns, */
    uint32_t required;      /* the first of which must be there, */
    int64_t *children;      /* for each the child that it is */
    akin_arrow_type *types; /* its type, */
    akin_arrow_gatherer *gatherers;
    akin_shown *shown; /* and its name as messages show it */
} importer;

static void release_array(struct ArrowArray *array)
{
    if (array->release)
        array->release(array);
}

/* ---------------------------------------------------------------------------------------------------------- columns */

static const struct ArrowSchema *child_of(const importer *im, const struct ArrowSchema *schema, int64_t child)
{
    return im->is_struct ? schema->children[child] : schema;
}

/* The name of a column; one alone that has none is called as that of a text is. */
static const char *column_name_of(const importer *im, const struct ArrowSchema *schema, int64_t child)
{
    const char *name = child_of(im, schema, child)->name;
    return name && (*name || im->is_struct) ? name : im->is_struct ? "" : "text";
}

static akin_status check_schema(const struct ArrowSchema *schema, akin_error *error)
{
    if (!schema->release || !schema->format)
        return akin_fail(error, AKIN_E_INPUT, "an Arrow schema that cannot be: it has been released, or has no format");
    if (strcmp(schema->format, "+s") != 0)
        return AKIN_OK;
    if (schema->n_children < 0 || schema->n_children > UINT32_MAX - 1 || (schema->n_children > 0 && !schema->children))
        return akin_fail(error, AKIN_E_INPUT, "an Arrow schema that cannot be: its children are missing");
    for (int64_t i = 0; i < schema->n_children; i++)
        if (!schema->children[i] || !schema->children[i]->release)
            return akin_fail(error, AKIN_E_INPUT, "an Arrow schema that cannot be: child %lld is missing",
                             (long long)i);
    return AKIN_OK;
}

static akin_status fail_missing(const importer *im, const struct ArrowSchema *schema, const char *name,
                                akin_error *error)
{
    char list[NAMES_SHOWN];
    akin_names names = {0};
    for (int64_t i = 0; i < (im->is_struct ? schema->n_children : 1); i++) {
        const char *other = column_name_of(im, schema, i);
        if (akin_names_find(&names, other, strlen(other)) == AKIN_NAMES_NONE &&
            akin_names_add(&names, other, strlen(other)) != AKIN_OK)
            break; /* the list is shorter, then */
    }
    akin_names_list(&names, list, sizeof list);
    akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, name,
                     "there is no column '%s'%s; the columns are: %s", akin_name_show(name, AKIN_NAME_SHOWN).name,
                     akin_names_meant(&names, name).text, list);
    akin_note_meant(AKIN_E_OPTION, akin_names_near(&names, name), error);
    akin_names_clear(&names);
    return AKIN_E_OPTION;
}

/* Adds the columns that the options name, in their order, or all of them. */
static akin_status add_columns(importer *im, const struct ArrowSchema *schema, const akin_table_options *options,
                               akin_error *error)
{
    const int64_t children = im->is_struct ? schema->n_children : 1;
    const int all = options->column_count == 0;
    im->required = all ? 0 : options->column_count - options->optional;
    im->count = all ? (uint32_t)children : options->column_count;
    im->children = akin_alloc(NULL, im->count, sizeof *im->children);
    im->types = akin_alloc_zero(NULL, im->count, sizeof *im->types);
    if (!im->children || !im->types)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < im->count; i++) {
        const char *name = all ? column_name_of(im, schema, i) : options->columns[i];
        if (akin_names_find(&im->table->names, name, strlen(name)) != AKIN_NAMES_NONE)
            return akin_fail_column(error, all ? AKIN_E_INPUT : AKIN_E_OPTION, AKIN_REASON_REPEATED, name,
                                    all ? "two columns are named '%s'; expected each name once"
                                        : "the column '%s' is asked for twice",
                                    akin_name_show(name, AKIN_NAME_SHOWN).name);
        akin_status status = akin_table_add_column(im->table, name, strlen(name));
        if (status != AKIN_OK)
            return akin_store_fail(&im->table->store, status, what, error);
        im->children[i] = -1;
        im->types[i].type = AKIN_TYPE_TEXT;
    }
    return AKIN_OK;
}

/* Finds the child of each column, and its type. */
static akin_status find_children(importer *im, const struct ArrowSchema *schema, akin_error *error)
{
    for (int64_t child = 0; child < (im->is_struct ? schema->n_children : 1); child++) {
        const char *name = column_name_of(im, schema, child);
        uint32_t column = akin_names_find(&im->table->names, name, strlen(name));
        if (column == AKIN_NAMES_NONE)
            continue;
        akin_shown shown = akin_name_show(name, AKIN_NAME_SHOWN);
        if (im->children[column] >= 0)
            return akin_fail_column(error, AKIN_E_INPUT, AKIN_REASON_REPEATED, name,
                                    "two columns are named '%s'; expected each name once", shown.name);
        im->children[column] = child;
        akin_status status = akin_arrow_type_of(child_of(im, schema, child), shown.name, &im->types[column], error);
        if (status != AKIN_OK)
            return status;
    }
    for (uint32_t i = 0; i < im->required; i++)
        if (im->children[i] < 0)
            return fail_missing(im, schema, akin_names_at(&im->table->names, i), error);
    return AKIN_OK;
}

static akin_status read_import_options(const akin_table_options *given, akin_table_options *own, akin_error *error)
{
    akin_status status =
        akin_options_read(given, own, sizeof *own, AKIN_TABLE_OPTIONS_FIRST, "akin_table_options", error);
    if (status != AKIN_OK)
        return status;
    if (own->format != AKIN_FORMAT_AUTO || own->keep_records || own->keep_lines || own->optional)
        return akin_fail(
            error, AKIN_E_OPTION,
            "Arrow arrays have no format, no records or lines to be kept, and no optional columns: expected none of "
            "these options");
    if (own->column_count > 0 && !own->columns)
        return akin_fail(error, AKIN_E_OPTION, "columns is NULL, expected %u names", own->column_count);
    return AKIN_OK;
}

/* What gathers the columns, which stay where they are from now on. */
static akin_status make_gatherers(importer *im, akin_error *error)
{
    im->shown = akin_alloc(NULL, im->count, sizeof *im->shown);
    im->gatherers = im->shown ? akin_alloc_zero(NULL, im->count, sizeof *im->gatherers) : NULL;
    im->table->codes = akin_alloc_zero(NULL, im->count, sizeof *im->table->codes);
    if (!im->gatherers || !im->table->codes)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < im->count; i++) {
        im->shown[i] = akin_name_show(akin_names_at(&im->table->names, i), AKIN_NAME_SHOWN);
        im->gatherers[i] =
            akin_arrow_gatherer_of(im->scope, &im->table->store, im->shown[i].name, im->lossy, &im->table->columns[i]);
    }
    return AKIN_OK;
}

static akin_status begin_import(importer *im, const struct ArrowSchema *schema, const akin_table_options *options,
                                akin_error *error)
{
    const akin_table_options kept = {.size = sizeof kept}; /* no records, and no lines */
    akin_status status = check_schema(schema, error);
    if (status == AKIN_OK)
        status = akin_table_begin(im->scope, &kept, &im->table, error);
    if (status != AKIN_OK)
        return status;
    im->lossy = options->lossy;
    im->is_struct = strcmp(schema->format, "+s") == 0;
    status = add_columns(im, schema, options, error);
    if (status == AKIN_OK)
        status = find_children(im, schema, error);
    return status == AKIN_OK ? make_gatherers(im, error) : status;
}

/* Frees what is held, the table too. */
static void end_import(importer *im)
{
    akin_free(im->children);
    akin_free(im->types);
    for (uint32_t i = 0; im->gatherers && i < im->count; i++)
        akin_arrow_gatherer_clear(&im->gatherers[i]);
    akin_free(im->gatherers);
    akin_free(im->shown);
    akin_table_free(im->table);
}

/* ----------------------------------------------------------------------------------------------------------- chunks */

static akin_status check_chunk(const importer *im, const struct ArrowArray *chunk, akin_error *error)
{
    static const char message[] = "an Arrow array that cannot be: %s";
    if (chunk->length < 0 || chunk->offset < 0 || chunk->length > ENTRIES_MOST - chunk->offset)
        return akin_fail(error, AKIN_E_INPUT, message,
                         "its length or its offset is negative, or larger than any memory");
    if (!im->is_struct)
        return AKIN_OK;
    for (uint32_t i = 0; i < im->count; i++)
        if (im->children[i] >= 0 &&
            (im->children[i] >= chunk->n_children || !chunk->children || !chunk->children[im->children[i]]))
            return akin_fail(error, AKIN_E_INPUT, message, "it has fewer children than its schema");
    if (chunk->n_buffers != 1 || !chunk->buffers)
        return akin_fail(error, AKIN_E_INPUT, message, "a chunk without its one buffer");
    const uint8_t *validity = chunk->null_count == 0 ? NULL : chunk->buffers[0];
    for (int64_t i = chunk->offset; validity && i < chunk->offset + chunk->length; i++)
        if (!(validity[i / 8] >> i % 8 & 1))
            return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING,
                                 im->table->rows + (uint64_t)(i - chunk->offset), NULL,
                                 " is null as a whole; expected nulls in columns alone");
    return AKIN_OK;
}

/* Whether the text of a chunk can stay where it is. */
static int can_borrow(const akin_arrow_column *from)
{
    const akin_arrow_values *v = &from->rows;
    return !from->has_dictionary && (v->kind == AKIN_ARROW_TEXT32 || v->kind == AKIN_ARROW_TEXT64) && v->is_clean &&
           v->is_tight;
}

/* Copies offsets so that they begin with 0. `kind` is that of the values, which a loop of its own need not look at. */
static inline void copy_offsets(const akin_arrow_values *from, akin_arrow_kind kind, uint64_t *to)
{
    akin_arrow_values own = *from;
    own.kind = kind;
    const uint64_t start = akin_arrow_offset(&own, 0);
    for (uint64_t row = 0; row <= own.rows; row++)
        to[row] = akin_arrow_offset(&own, row) - start;
}

/* Offsets that begin with 0 and are wide enough are borrowed, too; others are made so. */
static akin_status borrow(importer *im, uint32_t column, const akin_arrow_values *from, akin_error *error)
{
    akin_strings *to = &im->table->columns[column];
    const uint64_t start = akin_arrow_offset(from, 0);
    const char *wide = from->data + from->first * sizeof(uint64_t);
    int as_it_is = from->kind == AKIN_ARROW_TEXT64 && start == 0 && (uintptr_t)wide % sizeof(uint64_t) == 0;
    uint64_t nulls = 0;
    for (uint64_t row = 0; row < from->rows && from->validity; row++)
        nulls += !akin_arrow_has(from, row);
    akin_status status = akin_strings_borrow(to, from->rows, from->bytes + start,
                                             as_it_is ? (const uint64_t *)(const void *)wide : NULL, nulls);
    if (status != AKIN_OK)
        return akin_store_fail(&im->table->store, status, what, error);
    if (!as_it_is && from->kind == AKIN_ARROW_TEXT64)
        copy_offsets(from, AKIN_ARROW_TEXT64, to->offsets);
    else if (!as_it_is)
        copy_offsets(from, AKIN_ARROW_TEXT32, to->offsets);
    to->length = akin_arrow_offset(from, from->rows) - start;
    to->is_ascii = from->is_ascii;
    for (uint64_t row = 0; row < from->rows && nulls > 0; row++)
        to->validity[row / 8] |= (uint8_t)(akin_arrow_has(from, row) << row % 8);
    return AKIN_OK;
}

/* Takes the rows of a chunk. If it is the only one, its text may be borrowed; *borrowed says whether it is. */
static akin_status take_chunk(importer *im, const struct ArrowArray *chunk, int is_only, int *borrowed,
                              akin_error *error)
{
    akin_status status = check_chunk(im, chunk, error);
    if (status == AKIN_OK && (uint64_t)chunk->length > UINT32_MAX - im->table->rows)
        return akin_fail(error, AKIN_E_LIMIT, "there are more than %u rows", UINT32_MAX);
    for (uint32_t i = 0; i < im->count && status == AKIN_OK; i++) {
        if (im->children[i] < 0)
            continue;
        const struct ArrowArray *array = im->is_struct ? chunk->children[im->children[i]] : chunk;
        akin_arrow_column column;
        status = akin_arrow_open(array, &im->types[i], im->shown[i].name, im->scope->cpu,
                                 im->is_struct ? (uint64_t)chunk->offset : 0, (uint64_t)chunk->length, im->table->rows,
                                 &column, error);
        if (status != AKIN_OK)
            break;
        if (is_only && can_borrow(&column)) {
            *borrowed = 1;
            status = borrow(im, i, &column.rows, error);
        } else {
            status = akin_arrow_gather(&im->gatherers[i], &column, error);
        }
    }
    if (status == AKIN_OK)
        im->table->rows += (uint32_t)chunk->length;
    return status;
}

/* Takes the only chunk there is, which becomes the table's own if it borrows from it. */
static akin_status take_only(importer *im, struct ArrowArray *chunk, akin_error *error)
{
    int borrowed = 0;
    akin_status status = take_chunk(im, chunk, 1, &borrowed, error);
    if (status == AKIN_OK && borrowed) {
        im->table->arrow = *chunk;
        chunk->release = NULL;
    }
    return status;
}

/* Keeps the types of the columns, which lasts longer than the schema. */
static akin_status keep_types(importer *im, akin_error *error)
{
    akin_table *table = im->table;
    table->types = akin_alloc(NULL, im->count, sizeof *table->types);
    table->formats = akin_alloc_zero(NULL, im->count, sizeof *table->formats);
    if (!table->types || !table->formats)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < im->count; i++) {
        const char *format = im->types[i].format ? im->types[i].format : "n"; /* not there: nulls */
        const size_t length = strlen(format) + 1;
        table->types[i] = im->types[i].type;
        table->formats[i] = akin_alloc(NULL, length, 1);
        if (!table->formats[i])
            return akin_fail_memory(error, what);
        memcpy(table->formats[i], format, length);
        table->typed = i + 1;
    }
    return AKIN_OK;
}

/* Ends the columns, and hands out the table. */
static akin_status finish_import(importer *im, akin_table **out, akin_error *error)
{
    akin_status kept = keep_types(im, error);
    if (kept != AKIN_OK)
        return kept;
    for (uint32_t i = 0; i < im->count; i++) {
        akin_strings *column = &im->table->columns[i];
        int is_borrowed = column->rows > 0 && column->rows_capacity == 0;
        akin_status status = AKIN_OK;
        if (im->children[i] < 0)
            status = akin_strings_add_nulls(column, im->table->rows);
        if (status == AKIN_OK && !is_borrowed)
            status = akin_strings_fit(column);
        im->table->codes[i] = akin_arrow_gatherer_take(&im->gatherers[i]);
        if (status != AKIN_OK)
            return akin_store_fail(&im->table->store, status, what, error);
    }
    *out = im->table;
    im->table = NULL;
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- streams */

static akin_status fail_stream(struct ArrowArrayStream *stream, int code, const char *doing, akin_error *error)
{
    char reason[REASON] = "";
    const char *said = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    const char *more = said ? strstr(said, ". Detail: Python exception: ") : NULL; /* a traceback, which pyarrow adds */
    if (said)
        snprintf(reason, sizeof reason, "%.*s", more ? (int)(more - said) : REASON, said);
    const char *colon = said ? ": " : "";
    if (code != ENOMEM && code != EIO)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE, "the Arrow stream failed to give %s%s%s", doing,
                              colon, reason);
    return akin_fail_system(error, code == ENOMEM ? AKIN_E_NOMEM : AKIN_E_IO, AKIN_REASON_NONE, code,
                            "the Arrow stream failed to give %s%s%s", doing, colon, reason);
}

/* The next chunk that has rows; one without `release` is the end. */
static akin_status next(struct ArrowArrayStream *stream, struct ArrowArray *chunk, akin_error *error)
{
    do {
        release_array(chunk);
        *chunk = (struct ArrowArray){0};
        int code = stream->get_next(stream, chunk);
        if (code) {
            chunk->release = NULL; /* what a call that failed leaves there is nobody's */
            return fail_stream(stream, code, "its next array", error);
        }
    } while (chunk->release && chunk->length == 0);
    return AKIN_OK;
}

static akin_status take_all(importer *im, struct ArrowArrayStream *stream, akin_error *error)
{
    struct ArrowArray chunk = {0}, other = {0};
    int borrowed = 0;
    akin_status status = next(stream, &chunk, error);
    if (status == AKIN_OK && chunk.release)
        status = next(stream, &other, error);
    if (status == AKIN_OK && chunk.release && !other.release)
        status = take_only(im, &chunk, error);
    else if (status == AKIN_OK && chunk.release)
        status = take_chunk(im, &chunk, 0, &borrowed, error);
    while (status == AKIN_OK && other.release) {
        release_array(&chunk);
        chunk = other;
        other.release = NULL;
        status = take_chunk(im, &chunk, 0, &borrowed, error);
        if (status == AKIN_OK)
            status = next(stream, &other, error);
    }
    release_array(&chunk);
    release_array(&other);
    return status;
}

akin_status akin_arrow_import(const akin_scope *scope, struct ArrowArrayStream *stream,
                              const akin_table_options *options, akin_table **out, akin_error *error)
{
    importer im = {.scope = scope};
    struct ArrowSchema schema = {0};
    if (stream->release && (!stream->get_schema || !stream->get_next)) {
        stream->release(stream);
        stream->release = NULL;
    }
    if (!stream->release)
        return akin_fail(error, AKIN_E_OPTION, "the Arrow stream has been read before, or released");
    const int code = stream->get_schema(stream, &schema);
    akin_status status;
    if (code) {
        schema.release = NULL;
        status = fail_stream(stream, code, "its schema", error);
    } else {
        status = begin_import(&im, &schema, options, error);
        if (status == AKIN_OK)
            status = take_all(&im, stream, error);
        if (status == AKIN_OK)
            status = finish_import(&im, out, error);
    }
    end_import(&im);
    if (schema.release)
        schema.release(&schema);
    stream->release(stream);
    stream->release = NULL;
    return status;
}

akin_status akin_table_import(akin_context *context, struct ArrowArrayStream *stream, const akin_table_options *options,
                              akin_table **out, akin_error *error)
{
    akin_table_options own = AKIN_TABLE_OPTIONS_INIT;
    akin_status status = read_import_options(options, &own, error);
    if (status == AKIN_OK)
        return akin_arrow_import(akin_scope_of(context), stream, &own, out, error);
    if (stream->release)
        stream->release(stream);
    stream->release = NULL;
    return status;
}

akin_status akin_table_import_array(akin_context *context, struct ArrowSchema *schema, struct ArrowArray *array,
                                    const akin_table_options *options, akin_table **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    importer im = {.scope = scope};
    akin_table_options own = AKIN_TABLE_OPTIONS_INIT;
    akin_status status = AKIN_OK;
    if (!schema->release || !array->release)
        status = akin_fail(error, AKIN_E_OPTION, "the Arrow array has been read before, or released");
    if (status == AKIN_OK)
        status = read_import_options(options, &own, error);
    if (status == AKIN_OK)
        status = begin_import(&im, schema, &own, error);
    if (status == AKIN_OK && array->length != 0)
        status = take_only(&im, array, error);
    if (status == AKIN_OK)
        status = finish_import(&im, out, error);
    end_import(&im);
    if (schema->release)
        schema->release(schema);
    release_array(array);
    return status;
}
