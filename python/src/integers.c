/* Columns of integers out of an Arrow stream, without nulls: row numbers of any width as uint32, or ids as they are. */
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES_MOST ((int64_t)1 << 40) /* of an array: more than any memory holds */

typedef struct reader {
    struct ArrowArrayStream *stream;
    struct ArrowSchema schema;
    int64_t children[2];
    char formats[2];
    int are_rows; /* row numbers; else ids */
    size_t width; /* of a value, in bytes */
    char *values[2];
    size_t count, capacity;
} reader;

static int fail_stream(const reader *r, int code)
{
    const char *said = r->stream->get_last_error ? r->stream->get_last_error(r->stream) : NULL;
    PyErr_Format(PyExc_OSError, "the Arrow stream failed: %s", said ? said : strerror(code));
    return 0;
}

/* Refuses contradictions in a table of another program. */
static int fail_array(state *s, const char *what)
{
    PyErr_Format(s->input_error, "an Arrow array that cannot be: %s", what);
    return 0;
}

/* The first child of that name, or -1. */
static int64_t find_child(const struct ArrowSchema *schema, const char *name)
{
    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->name && strcmp(schema->children[i]->name, name) == 0)
            return i;
    return -1;
}

/* Refuses a schema without children, or with one that is missing. */
static int check_schema(const struct ArrowSchema *schema, state *s)
{
    if (!schema->release || !schema->format || strcmp(schema->format, "+s") != 0 || schema->n_children < 2) {
        PyErr_SetString(s->input_error, "expected a table with two columns of row numbers");
        return 0;
    }
    for (int64_t i = 0; i < schema->n_children; i++)
        if (!schema->children || !schema->children[i] || !schema->children[i]->release || !schema->children[i]->format)
            return fail_array(s, "a child of its schema is missing");
    return 1;
}

static int is_integer(const struct ArrowSchema *child, const char *formats)
{
    return !child->dictionary && strlen(child->format) == 1 && strchr(formats, child->format[0]);
}

/* The children of these names, or else the first two. */
static int find_children(reader *r, state *s, const char *const *names)
{
    const struct ArrowSchema *schema = &r->schema;
    if (!check_schema(schema, s))
        return 0;
    const int64_t found[2] = {find_child(schema, names[0]), find_child(schema, names[1])};
    const int are_named = found[0] >= 0 && found[1] >= 0;
    for (int side = 0; side < 2; side++) {
        r->children[side] = are_named ? found[side] : side;
        const struct ArrowSchema *child = schema->children[r->children[side]];
        if (!is_integer(child, "cCsSiIlL")) {
            PyErr_Format(s->input_error, "column '%s': expected row numbers, integers, not the type '%s'",
                         child->name ? child->name : "", child->dictionary ? "dictionary" : child->format);
            return 0;
        }
        r->formats[side] = child->format[0];
    }
    return 1;
}

/* The children of ids; 0: they are not two columns of integers, of which one type has all. */
static int find_ids(reader *r, const char *const *names)
{
    static const char *const kinds[] = {"csi", "CSI", "csilCSI", "CSIL"};
    static const char types[] = "iIlL";
    const struct ArrowSchema *schema = &r->schema;
    for (int side = 0; side < 2; side++) {
        r->children[side] = find_child(schema, names[side]);
        if (r->children[side] < 0)
            return 0;
    }
    for (int kind = 0; kind < 4; kind++)
        if (is_integer(schema->children[r->children[0]], kinds[kind]) &&
            is_integer(schema->children[r->children[1]], kinds[kind])) {
            r->width = kind < 2 ? 4 : 8;
            for (int side = 0; side < 2; side++)
                r->formats[side] = schema->children[r->children[side]]->format[0];
            return types[kind];
        }
    return 0;
}

/* An entry; one beyond 2^63 is negative. */
static int64_t entry_at(char format, const void *values, int64_t at)
{
    switch (format) {
    case 'c':
        return ((const int8_t *)values)[at];
    case 'C':
        return ((const uint8_t *)values)[at];
    case 's':
        return ((const int16_t *)values)[at];
    case 'S':
        return ((const uint16_t *)values)[at];
    case 'i':
        return ((const int32_t *)values)[at];
    case 'I':
        return ((const uint32_t *)values)[at];
    default:
        return ((const int64_t *)values)[at];
    }
}

/* Takes an entry of a side; 0 if it is no row number, and is to be one. */
static int take_entry(reader *r, int side, size_t row, int64_t value)
{
    if (r->width == sizeof(uint64_t))
        ((uint64_t *)(void *)r->values[side])[row] = (uint64_t)value;
    else
        ((uint32_t *)(void *)r->values[side])[row] = (uint32_t)value;
    return !r->are_rows || (value >= 0 && value < UINT32_MAX);
}

/* Whether a chunk agrees with its schema, and has all of its rows. */
static int check_chunk(const reader *r, state *s, const struct ArrowArray *chunk)
{
    if (chunk->length < 0 || chunk->offset < 0 || chunk->length > ENTRIES_MOST || chunk->offset > ENTRIES_MOST)
        return fail_array(s, "its length or its offset is negative, or larger than any memory");
    if (chunk->n_children != r->schema.n_children || !chunk->children)
        return fail_array(s, "it has not the children of its schema");
    if (chunk->n_buffers != 1 || !chunk->buffers)
        return fail_array(s, "a chunk without its one buffer");
    const uint8_t *validity = chunk->null_count == 0 ? NULL : chunk->buffers[0];
    for (int64_t i = chunk->offset; validity && i < chunk->offset + chunk->length; i++)
        if (!(validity[i / 8] >> i % 8 & 1)) {
            PyErr_Format(s->input_error, "row %llu is null as a whole; expected %s",
                         (unsigned long long)r->count + (unsigned long long)(i - chunk->offset),
                         r->are_rows ? "row numbers" : "ids");
            return 0;
        }
    for (int side = 0; side < 2; side++) {
        const struct ArrowArray *child = chunk->children[r->children[side]];
        if (!child || child->n_buffers != 2 || !child->buffers || (chunk->length > 0 && !child->buffers[1]))
            return fail_array(s, "a column without its two buffers");
        if (child->offset < 0 || child->offset > ENTRIES_MOST || child->length < 0 ||
            child->length < chunk->offset + chunk->length)
            return fail_array(s, "a column is shorter than the chunk that it is part of");
    }
    return 1;
}

static int reserve_rows(reader *r, size_t rows)
{
    if (rows <= r->capacity - r->count)
        return 1;
    const size_t larger = r->count + rows + r->capacity / 2;
    for (int side = 0; side < 2; side++) {
        char *values = realloc(r->values[side], (larger + 1) * r->width);
        if (!values) {
            PyErr_NoMemory();
            return 0;
        }
        r->values[side] = values;
    }
    r->capacity = larger;
    return 1;
}

/* Refuses an entry that is null, or no row number. */
static int fail_entry(const reader *r, state *s, size_t row, const char *name)
{
    akin_error error;
    akin_error_set(&error, AKIN_E_INPUT, r->are_rows ? AKIN_REASON_NONE : AKIN_REASON_MISSING,
                   r->are_rows ? "row %zu, column '%.200s': expected a row number, from 0 to 4294967294"
                               : "row %zu, column '%.200s': there is no id",
                   row, name);
    error.row = row < AKIN_NO_ROW ? (uint32_t)row : AKIN_NO_ROW;
    snprintf(error.column, sizeof error.column, "%s", name);
    error_raise(s, AKIN_E_INPUT, &error, NULL);
    return 0;
}

static int take_chunk(reader *r, state *s, const struct ArrowArray *chunk)
{
    if (!check_chunk(r, s, chunk) || !reserve_rows(r, (size_t)chunk->length))
        return 0;
    const size_t rows = (size_t)chunk->length;
    for (int side = 0; side < 2; side++) {
        const struct ArrowArray *child = chunk->children[r->children[side]];
        const char *name = r->schema.children[r->children[side]]->name;
        const int64_t start = chunk->offset + child->offset;
        const uint8_t *validity = child->null_count == 0 ? NULL : child->buffers[0];
        for (size_t i = 0; i < rows; i++) {
            const int64_t at = start + (int64_t)i;
            if ((validity && !(validity[at / 8] >> at % 8 & 1)) ||
                !take_entry(r, side, r->count + i, entry_at(r->formats[side], child->buffers[1], at)))
                return fail_entry(r, s, r->count + i, name ? name : "");
        }
    }
    r->count += rows;
    return 1;
}

/* The interpreter is left while the stream works: threads of a query that it runs may need it. */
static int get_schema(reader *r)
{
    PyThreadState *thread = PyEval_SaveThread();
    int code = r->stream->get_schema(r->stream, &r->schema);
    PyEval_RestoreThread(thread);
    return code;
}

static int get_next(reader *r, struct ArrowArray *chunk)
{
    PyThreadState *thread = PyEval_SaveThread();
    int code = r->stream->get_next(r->stream, chunk);
    PyEval_RestoreThread(thread);
    return code;
}

static void release_stream(reader *r)
{
    PyThreadState *thread = PyEval_SaveThread();
    r->stream->release(r->stream);
    r->stream->release = NULL;
    PyEval_RestoreThread(thread);
}

static int read_schema(reader *r, state *s)
{
    int code = get_schema(r);
    if (code == 0)
        return check_schema(&r->schema, s);
    r->schema.release = NULL;
    return fail_stream(r, code);
}

static int read_chunks(reader *r, state *s)
{
    for (int fine = 1; fine;) {
        struct ArrowArray chunk = {0};
        int code = get_next(r, &chunk);
        if (code)
            return fail_stream(r, code);
        if (!chunk.release)
            return 1;
        fine = PyErr_CheckSignals() == 0 && take_chunk(r, s, &chunk);
        chunk.release(&chunk);
    }
    return 0;
}

/* The stream of a capsule, in r->stream; 0, and an exception. */
static int take_stream(reader *r, state *s, PyObject *capsule)
{
    r->stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (r->stream && !r->stream->release)
        PyErr_SetString(s->option_error, "the Arrow stream has been read before, or released");
    return r->stream && r->stream->release;
}

/* Releases what was read from, and gives the values of both sides as a tuple of buffers, with `type` behind them unless
 * it is 0. */
static PyObject *end_reading(reader *r, state *s, int fine, const char *format, int type)
{
    PyObject *both = NULL;
    if (r->schema.release)
        r->schema.release(&r->schema);
    release_stream(r);
    for (int side = 0; side < 2 && fine; side++)
        if (!r->values[side] && !(r->values[side] = malloc(r->width))) {
            PyErr_NoMemory();
            fine = 0;
        }
    if (!fine) {
        free(r->values[0]);
        free(r->values[1]);
        return NULL;
    }
    PyObject *left = buffer_wrap(s, r->values[0], (Py_ssize_t)r->count, format);
    PyObject *right = buffer_wrap(s, r->values[1], (Py_ssize_t)r->count, format);
    if (left && right)
        both = type ? Py_BuildValue("(OOC)", left, right, type) : PyTuple_Pack(2, left, right);
    Py_XDECREF(left);
    Py_XDECREF(right);
    return both;
}

/* integers(stream, first name, second name) -> (Buffer, Buffer) */
static PyObject *integers(PyObject *module, PyObject *args)
{
    state *s = state_of(module);
    PyObject *capsule;
    const char *names[2];
    reader r = {.are_rows = 1, .width = sizeof(uint32_t)};
    if (!PyArg_ParseTuple(args, "Oss:integers", &capsule, &names[0], &names[1]) || !take_stream(&r, s, capsule))
        return NULL;
    const int fine = read_schema(&r, s) && find_children(&r, s, names) && read_chunks(&r, s);
    return end_reading(&r, s, fine, "I", 0);
}

/* integer_ids(stream, left name, right name) -> (Buffer, Buffer, type), the letter of a type of a Frame, whose values
 * are in buffers of "I" or "Q"; None, and the stream is as before, if there are not two such columns of integers, of
 * which one type has all */
static PyObject *integer_ids(PyObject *module, PyObject *args)
{
    state *s = state_of(module);
    PyObject *capsule;
    const char *names[2];
    reader r = {.are_rows = 0};
    if (!PyArg_ParseTuple(args, "Oss:integer_ids", &capsule, &names[0], &names[1]) || !take_stream(&r, s, capsule))
        return NULL;
    if (get_schema(&r) != 0)
        r.schema.release = NULL;
    int fine = r.schema.release && r.schema.n_children >= 2 && check_schema(&r.schema, s);
    const int type = fine ? find_ids(&r, names) : 0;
    if (type == 0 && !PyErr_Occurred()) { /* others say what is wrong */
        if (r.schema.release)
            r.schema.release(&r.schema);
        return Py_NewRef(Py_None);
    }
    fine = fine && read_chunks(&r, s);
    return end_reading(&r, s, fine, r.width == sizeof(uint64_t) ? "Q" : "I", type);
}

PyMethodDef integers_functions[] = {
    {"integers", integers, METH_VARARGS, "integers(stream, left, right) -> (Buffer, Buffer)"},
    {"integer_ids", integer_ids, METH_VARARGS, "integer_ids(stream, left, right) -> (Buffer, Buffer, type) or None"},
    {NULL, NULL, 0, NULL},
};
