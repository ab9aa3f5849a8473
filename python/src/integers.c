/* Columns of row numbers out of an Arrow stream: integers of any width, without nulls, as uint32. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

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

/* The children of these names, or the first two. */
static int find_children(reader *r, state *s, const char *const *names)
{
    if (!r->schema.format || strcmp(r->schema.format, "+s") != 0 || r->schema.n_children < 2) {
        PyErr_SetString(s->input_error, "expected a table with two columns of row numbers");
        return 0;
    }
    for (int side = 0; side < 2; side++) {
        r->children[side] = side;
        for (int64_t i = 0; i < r->schema.n_children; i++)
            if (r->schema.children[i]->name && strcmp(r->schema.children[i]->name, names[side]) == 0)
                r->children[side] = i;
    }
    for (int side = 0; side < 2; side++) {
        const struct ArrowSchema *child = r->schema.children[r->children[side]];
        if (child->dictionary || !child->format[0] || child->format[1] || !strchr("cCsSiIlL", child->format[0])) {
            PyErr_Format(s->input_error, "column '%s': expected row numbers, integers, not the type '%s'",
                         child->name ? child->name : "", child->format);
            return 0;
        }
        r->formats[side] = child->format[0];
    }
    return 1;
}

/* An entry as uint32; 0: it is none. */
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

static int take_chunk(reader *r, state *s, const struct ArrowArray *chunk)
{
    const size_t rows = (size_t)chunk->length;
    if (rows > r->capacity - r->count) {
        size_t larger = r->count + rows + r->capacity / 2;
        for (int side = 0; side < 2; side++) {
            uint32_t *values = realloc(r->values[side], (larger + 1) * sizeof *values);
            if (!values) {
                PyErr_NoMemory();
                return 0;
            }
            r->values[side] = values;
        }
        r->capacity = larger;
    }
    for (int side = 0; side < 2 && rows > 0; side++) {
        const struct ArrowArray *child = chunk->children[r->children[side]];
        if (child->n_buffers != 2 || !child->buffers || !child->buffers[1] ||
            child->length < chunk->offset + chunk->length) {
            PyErr_SetString(s->input_error,
                            "an Arrow array that cannot be: it is shorter than the chunk that it is part of");
            return 0;
        }
        const int64_t start = chunk->offset + child->offset;
        const uint8_t *validity = child->null_count == 0 ? NULL : child->buffers[0];
        for (size_t i = 0; i < rows; i++) {
            const int64_t at = start + (int64_t)i;
            if ((validity && !(validity[at / 8] >> at % 8 & 1)) ||
                !entry_at(r->formats[side], child->buffers[1], at, &r->values[side][r->count + i])) {
                PyErr_Format(s->input_error, "row %zu, column '%s': expected a row number, from 0 to 4294967294",
                             r->count + i, r->schema.children[r->children[side]]->name);
                return 0;
            }
        }
    }
    r->count += rows;
    return 1;
}

static int read_all(reader *r, state *s, const char *const *names)
{
    int code = r->stream->get_schema(r->stream, &r->schema);
    if (code) {
        r->schema.release = NULL;
        return fail_stream(r, code);
    }
    int fine = find_children(r, s, names);
    while (fine) {
        struct ArrowArray chunk = {0};
        code = r->stream->get_next(r->stream, &chunk);
        if (code)
            return fail_stream(r, code);
        if (!chunk.release)
            break;
        fine = take_chunk(r, s, &chunk);
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
    r.stream->release(r.stream);
    r.stream->release = NULL;
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
