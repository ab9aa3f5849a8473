/* Columns of row numbers out of an Arrow stream: integers of any width, without nulls, as uint32. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES_MOST ((int64_t)1 << 40) /* of an array: more than any memory holds */

typedef struct reader {
    struct ArrowArrayStream *stream;
    struct ArrowSchema schema;
    int64_t children[2];
    char formats[2];
    uint32_t *values[2];
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

/* The children of these names, or else the first two. */
static int find_children(reader *r, state *s, const char *const *names)
{
    const struct ArrowSchema *schema = &r->schema;
    if (!schema->release || !schema->format || strcmp(schema->format, "+s") != 0 || schema->n_children < 2) {
        PyErr_SetString(s->input_error, "expected a table with two columns of row numbers");
        return 0;
    }
    for (int64_t i = 0; i < schema->n_children; i++)
        if (!schema->children || !schema->children[i] || !schema->children[i]->release || !schema->children[i]->format)
            return fail_array(s, "a child of its schema is missing");
    const int64_t found[2] = {find_child(schema, names[0]), find_child(schema, names[1])};
    const int are_named = found[0] >= 0 && found[1] >= 0;
    for (int side = 0; side < 2; side++) {
        r->children[side] = are_named ? found[side] : side;
        const struct ArrowSchema *child = schema->children[r->children[side]];
        if (child->dictionary || strlen(child->format) != 1 || !strchr("cCsSiIlL", child->format[0])) {
            PyErr_Format(s->input_error, "column '%s': expected row numbers, integers, not the type '%s'",
                         child->name ? child->name : "", child->dictionary ? "dictionary" : child->format);
            return 0;
        }
        r->formats[side] = child->format[0];
    }
    return 1;
}

/* An entry as uint32; 0 if it does not fit. */
static int entry_at(char format, const void *values, int64_t at, uint32_t *out)
{
    int64_t value = 0;
    switch (format) {
    case 'c': {
        const int8_t narrow = ((const int8_t *)values)[at];
        value = narrow < 0 ? -1 : narrow;
        break;
    }
    case 'C':
        value = ((const uint8_t *)values)[at];
        break;
    case 's':
        value = ((const int16_t *)values)[at];
        break;
    case 'S':
        value = ((const uint16_t *)values)[at];
        break;
    case 'i':
        value = ((const int32_t *)values)[at];
        break;
    case 'I':
        value = ((const uint32_t *)values)[at];
        break;
    default:
        value = ((const int64_t *)values)[at];
        break; /* one beyond 2^63 is negative */
    }
    *out = (uint32_t)value;
    return value >= 0 && value < UINT32_MAX;
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
            PyErr_Format(s->input_error, "row %llu is null as a whole; expected row numbers",
                         (unsigned long long)r->count + (unsigned long long)(i - chunk->offset));
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
        uint32_t *values = realloc(r->values[side], (larger + 1) * sizeof *values);
        if (!values) {
            PyErr_NoMemory();
            return 0;
        }
        r->values[side] = values;
    }
    r->capacity = larger;
    return 1;
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
                !entry_at(r->formats[side], child->buffers[1], at, &r->values[side][r->count + i])) {
                PyErr_Format(s->input_error, "row %zu, column '%s': expected a row number, from 0 to 4294967294",
                             r->count + i, name ? name : "");
                return 0;
            }
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

static int read_all(reader *r, state *s, const char *const *names)
{
    int code = get_schema(r);
    if (code) {
        r->schema.release = NULL;
        return fail_stream(r, code);
    }
    int fine = find_children(r, s, names);
    while (fine) {
        struct ArrowArray chunk = {0};
        code = get_next(r, &chunk);
        if (code)
            return fail_stream(r, code);
        if (!chunk.release)
            break;
        fine = PyErr_CheckSignals() == 0 && take_chunk(r, s, &chunk);
        chunk.release(&chunk);
    }
    return fine;
}

/* integers(stream, first name, second name) -> (Buffer, Buffer) */
static PyObject *integers(PyObject *module, PyObject *args)
{
    state *s = state_of(module);
    PyObject *capsule, *both = NULL;
    const char *names[2];
    reader r = {0};
    if (!PyArg_ParseTuple(args, "Oss:integers", &capsule, &names[0], &names[1]))
        return NULL;
    r.stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (!r.stream)
        return NULL;
    if (!r.stream->release) {
        PyErr_SetString(s->option_error, "the Arrow stream has been read before, or released");
        return NULL;
    }
    int fine = read_all(&r, s, names);
    if (r.schema.release)
        r.schema.release(&r.schema);
    release_stream(&r);
    for (int side = 0; side < 2 && fine; side++)
        if (!r.values[side] && !(r.values[side] = malloc(sizeof *r.values[side]))) {
            PyErr_NoMemory();
            fine = 0;
        }
    if (!fine) {
        free(r.values[0]);
        free(r.values[1]);
        return NULL;
    }
    PyObject *left = buffer_wrap(s, r.values[0], (Py_ssize_t)r.count, "I");
    PyObject *right = buffer_wrap(s, r.values[1], (Py_ssize_t)r.count, "I");
    if (left && right)
        both = PyTuple_Pack(2, left, right);
    Py_XDECREF(left);
    Py_XDECREF(right);
    return both;
}

PyMethodDef integers_functions[] = {
    {"integers", integers, METH_VARARGS, "integers(stream, left, right) -> (Buffer, Buffer)"},
    {NULL, NULL, 0, NULL},
};
