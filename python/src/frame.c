/* Results: a frame of the library, and its Arrow array, from which values are read. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

typedef struct frame {
    PyObject_HEAD akin_frame *frame;
    struct ArrowSchema schema;
    struct ArrowArray array;
} frame;

PyObject *frame_wrap(state *module, akin_frame *made)
{
    akin_error error;
    frame *f = PyObject_New(frame, module->frame_type);
    if (!f) {
        akin_frame_free(made);
        return NULL;
    }
    f->frame = made;
    f->schema.release = NULL;
    f->array.release = NULL;
    if (akin_frame_export_array(made, &f->schema, &f->array, &error) == AKIN_OK)
        return (PyObject *)f;
    Py_DECREF(f);
    return error_raise(module, AKIN_E_NOMEM, &error, NULL);
}

PyObject *frame_of_job(const job *j, akin_status status, akin_frame *made)
{
    if (status == AKIN_OK)
        return frame_wrap(j->module, made);
    akin_frame_free(made);
    return job_fail(j, status);
}

void frame_arrays(PyObject *self, const struct ArrowSchema **schema, const struct ArrowArray **array)
{
    *schema = &((frame *)self)->schema;
    *array = &((frame *)self)->array;
}

static void frame_dealloc(PyObject *self)
{
    frame *f = (frame *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (f->schema.release)
        f->schema.release(&f->schema);
    if (f->array.release)
        f->array.release(&f->array);
    akin_frame_free(f->frame);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ------------------------------------------------------------------------------------------------------------ values */

static int is_there(const struct ArrowArray *column, int64_t row)
{
    const uint8_t *validity = column->buffers[0];
    return !validity || (validity[row / 8] >> row % 8 & 1);
}

/* A value as an object of Python. */
static PyObject *value_at(const struct ArrowArray *column, char format, int64_t row)
{
    if (!is_there(column, row))
        return Py_NewRef(Py_None);
    const void *data = column->buffers[1];
    switch (format) {
    case 'I':
        return PyLong_FromUnsignedLong(((const uint32_t *)data)[row]);
    case 'L':
        return PyLong_FromUnsignedLongLong(((const uint64_t *)data)[row]);
    case 'g':
        return PyFloat_FromDouble(((const double *)data)[row]);
    case 'b':
        return PyBool_FromLong(((const uint8_t *)data)[row / 8] >> row % 8 & 1);
    default:
        break;
    }
    const int64_t *offsets = data;
    return PyUnicode_DecodeUTF8((const char *)column->buffers[2] + offsets[row],
                                (Py_ssize_t)(offsets[row + 1] - offsets[row]), "replace");
}

/* The column of that number, which must be there; NULL, and an exception. */
static const struct ArrowArray *column_at(const frame *f, Py_ssize_t index, char *format)
{
    if (index < 0 || index >= f->array.n_children) {
        PyErr_SetString(PyExc_IndexError, "there is no such column");
        return NULL;
    }
    *format = *f->schema.children[index]->format;
    return f->array.children[index];
}

static int check_rows(const frame *f, Py_ssize_t start, Py_ssize_t stop)
{
    if (start >= 0 && stop >= start && stop <= f->array.length)
        return 1;
    PyErr_SetString(PyExc_IndexError, "there are no such rows");
    return 0;
}

/* column(index, start, stop): values as a list. */
static PyObject *frame_column(PyObject *self, PyObject *args)
{
    const frame *f = (frame *)self;
    Py_ssize_t index, start, stop;
    char format;
    if (!PyArg_ParseTuple(args, "nnn:column", &index, &start, &stop))
        return NULL;
    const struct ArrowArray *column = column_at(f, index, &format);
    if (!column)
        return NULL;
    if (!check_rows(f, start, stop))
        return NULL;
    PyObject *list = PyList_New(stop - start);
    for (Py_ssize_t row = start; list && row < stop; row++) {
        PyObject *value =
            row % LOOK_EVERY == LOOK_EVERY - 1 && PyErr_CheckSignals() < 0 ? NULL : value_at(column, format, row);
        if (!value || PyList_SetItem(list, row - start, value) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_rows(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLongLong(((frame *)self)->array.length);
}

/* A tuple of (name, format of Arrow's) for each column. */
static PyObject *get_fields(PyObject *self, void *closure)
{
    (void)closure;
    const frame *f = (frame *)self;
    PyObject *fields = PyTuple_New((Py_ssize_t)f->schema.n_children);
    for (Py_ssize_t i = 0; fields && i < f->schema.n_children; i++) {
        PyObject *field = Py_BuildValue("(ss)", f->schema.children[i]->name, f->schema.children[i]->format);
        if (!field || PyTuple_SetItem(fields, i, field) < 0)
            Py_CLEAR(fields);
    }
    return fields;
}

/* ---------------------------------------------------------------------------------------------------------- capsules */

static void free_stream(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream && stream->release)
        stream->release(stream);
    free(stream);
}

static PyObject *frame_stream(PyObject *self, PyObject *args)
{
    akin_error error;
    PyObject *wanted = NULL; /* a schema, which the protocol lets us pass over */
    if (!PyArg_ParseTuple(args, "|O:__arrow_c_stream__", &wanted))
        return NULL;
    struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return PyErr_NoMemory();
    if (akin_frame_export(((frame *)self)->frame, stream, &error) != AKIN_OK) {
        free(stream);
        return error_raise(PyType_GetModuleState(Py_TYPE(self)), AKIN_E_NOMEM, &error, NULL);
    }
    PyObject *capsule = PyCapsule_New(stream, "arrow_array_stream", free_stream);
    if (!capsule) {
        stream->release(stream);
        free(stream);
    }
    return capsule;
}

/* The capsules of one column, of rows start to stop: (schema, array). */
static void free_schema(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (schema && schema->release)
        schema->release(schema);
    free(schema);
}

static void free_array(PyObject *capsule)
{
    struct ArrowArray *array = PyCapsule_GetPointer(capsule, "arrow_array");
    if (array && array->release)
        array->release(array);
    free(array);
}

/* Takes a column out of an exported frame, and releases the rest of it, as the C Data Interface lets a consumer do. */
static void take_column(struct ArrowSchema *schemas, struct ArrowArray *arrays, Py_ssize_t index,
                        struct ArrowSchema *schema, struct ArrowArray *array)
{
    *schema = *schemas->children[index];
    *array = *arrays->children[index];
    schemas->children[index]->release = NULL;
    arrays->children[index]->release = NULL;
    schemas->release(schemas);
    arrays->release(arrays);
}

/* array(index, start, stop) -> (schema, array): the values of a column, which are not copied. */
static PyObject *frame_array(PyObject *self, PyObject *args)
{
    frame *f = (frame *)self;
    Py_ssize_t index, start, stop;
    char format;
    akin_error error;
    struct ArrowSchema schemas;
    struct ArrowArray arrays;
    if (!PyArg_ParseTuple(args, "nnn:array", &index, &start, &stop) || !column_at(f, index, &format) ||
        !check_rows(f, start, stop))
        return NULL;
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    struct ArrowArray *array = calloc(1, sizeof *array);
    if (!schema || !array) {
        free(schema);
        free(array);
        return PyErr_NoMemory();
    }
    PyObject *schema_capsule = PyCapsule_New(schema, "arrow_schema", free_schema);
    PyObject *array_capsule = schema_capsule ? PyCapsule_New(array, "arrow_array", free_array) : NULL;
    if (!array_capsule) {
        free(array);
        if (schema_capsule)
            Py_DECREF(schema_capsule); /* which frees the schema */
        else
            free(schema);
        return NULL;
    }
    if (akin_frame_export_array(f->frame, &schemas, &arrays, &error) != AKIN_OK) {
        Py_DECREF(schema_capsule);
        Py_DECREF(array_capsule);
        return error_raise(PyType_GetModuleState(Py_TYPE(self)), AKIN_E_NOMEM, &error, NULL);
    }
    take_column(&schemas, &arrays, index, schema, array);
    if (stop - start < array->length) {
        array->offset = start;
        array->length = stop - start;
        array->null_count = array->null_count > 0 ? -1 : 0; /* not counted */
    }
    return Py_BuildValue("(NN)", schema_capsule, array_capsule);
}

/* ----------------------------------------------------------------------------------------------------------- buffers */

typedef struct buffer {
    PyObject_HEAD PyObject *owner; /* of the values; NULL: they are this object's */
    void *values;
    Py_ssize_t count, width;
    const char *format;
} buffer;

static Py_ssize_t width_of(const char *format)
{
    return *format == 'I' ? 4 : *format == 'B' ? 1 : 8;
}

static PyObject *make_buffer(state *module, PyObject *owner, void *values, Py_ssize_t count, const char *format)
{
    buffer *b = PyObject_New(buffer, module->buffer_type);
    if (!b) {
        if (!owner)
            free(values);
        return NULL;
    }
    b->owner = Py_XNewRef(owner);
    b->values = values;
    b->count = count;
    b->width = width_of(format);
    b->format = format;
    return (PyObject *)b;
}

PyObject *buffer_wrap(state *module, void *values, Py_ssize_t count, const char *format)
{
    return make_buffer(module, NULL, values, count, format);
}

static void buffer_dealloc(PyObject *self)
{
    buffer *b = (buffer *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (b->owner)
        Py_DECREF(b->owner);
    else
        free(b->values);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int buffer_get(PyObject *self, Py_buffer *view, int flags)
{
    buffer *b = (buffer *)self;
    const int is_readonly = b->owner != NULL;
    if (PyBuffer_FillInfo(view, self, b->values, b->count * b->width, is_readonly, flags) < 0)
        return -1;
    view->itemsize = b->width;
    if (flags & PyBUF_FORMAT)
        view->format = (char *)b->format;
    if (view->shape)
        view->shape = &b->count;
    if (view->strides)
        view->strides = &b->width;
    return 0;
}

/* buffer(index): the values of a column of numbers without nulls; None for others. */
static PyObject *frame_buffer(PyObject *self, PyObject *number)
{
    frame *f = (frame *)self;
    char format;
    Py_ssize_t index = PyLong_AsSsize_t(number);
    if (index == -1 && PyErr_Occurred())
        return NULL;
    const struct ArrowArray *column = column_at(f, index, &format);
    if (!column)
        return NULL;
    if (column->null_count > 0 || !strchr("ILg", format))
        return Py_NewRef(Py_None);
    state *s = PyType_GetModuleState(Py_TYPE(self));
    return make_buffer(s, self, (void *)column->buffers[1], (Py_ssize_t)column->length,
                       format == 'I'   ? "I"
                       : format == 'L' ? "Q"
                                       : "d");
}

/* ------------------------------------------------------------------------------------------------------------ pickles */

static PyObject *bytes_of(const void *data, int64_t length)
{
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)length);
}

/* Bits of rows start to stop, as bytes of their own. */
static PyObject *bits_of(const void *data, int64_t start, int64_t stop)
{
    const unsigned char *from = data;
    const int64_t rows = stop - start;
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(rows / 8 + (rows % 8 != 0)));
    if (!made)
        return NULL;
    unsigned char *to = (unsigned char *)PyBytes_AsString(made);
    memset(to, 0, (size_t)PyBytes_Size(made));
    for (int64_t i = 0; i < rows; i++)
        to[i / 8] = (unsigned char)(to[i / 8] | (from[(start + i) / 8] >> ((start + i) % 8) & 1) << (i % 8));
    return made;
}

/* Offsets of rows start to stop, from 0 on. */
static PyObject *offsets_of(const int64_t *offsets, int64_t start, int64_t stop)
{
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(8 * (stop - start + 1)));
    for (int64_t i = start; made && i <= stop; i++) {
        const int64_t offset = offsets[i] - offsets[start];
        memcpy(PyBytes_AsString(made) + 8 * (i - start), &offset, sizeof offset);
    }
    return made;
}

/* The values of rows start to stop. */
static PyObject *values_of(const struct ArrowArray *column, char format, int64_t start, int64_t stop)
{
    const int64_t width = format == 'I' ? 4 : 8;
    if (format == 'b')
        return bits_of(column->buffers[1], start, stop);
    if (format == 'U')
        return offsets_of(column->buffers[1], start, stop);
    return bytes_of((const char *)column->buffers[1] + width * start, width * (stop - start));
}

/*
 * state([start, stop]): (rows, ((name, format, validity or None, values, bytes of text or None), ...)), which from_state takes; of
 * these rows, or all.
 */
static PyObject *frame_state(PyObject *self, PyObject *args)
{
    const frame *f = (frame *)self;
    Py_ssize_t start = 0, stop = (Py_ssize_t)f->array.length;
    if (!PyArg_ParseTuple(args, "|nn:state", &start, &stop) || !check_rows(f, start, stop))
        return NULL;
    PyObject *columns = PyTuple_New((Py_ssize_t)f->schema.n_children);
    for (Py_ssize_t i = 0; columns && i < f->schema.n_children; i++) {
        const struct ArrowArray *c = f->array.children[i];
        const char *format = f->schema.children[i]->format;
        const int64_t *offsets = c->buffers[1];
        PyObject *validity = c->buffers[0] ? bits_of(c->buffers[0], start, stop) : Py_NewRef(Py_None);
        PyObject *text = *format == 'U'
                             ? bytes_of((const char *)c->buffers[2] + offsets[start], offsets[stop] - offsets[start])
                             : Py_NewRef(Py_None);
        PyObject *column = Py_BuildValue("(ssNNN)", f->schema.children[i]->name, format, validity,
                                         values_of(c, *format, start, stop), text);
        if (!column || PyTuple_SetItem(columns, i, column) < 0)
            Py_CLEAR(columns);
    }
    return columns ? Py_BuildValue("(nN)", stop - start, columns) : NULL;
}

/* One column of a state. */
typedef struct part {
    const char *name, *format;
    const char *validity, *data, *text;
    Py_ssize_t validity_length, data_length, text_length;
} part;

static int take_part(PyObject *column, long long rows, part *out)
{
    if (!tuple_take(column, "ssz#y#z#", &out->name, &out->format, &out->validity, &out->validity_length, &out->data,
                    &out->data_length, &out->text, &out->text_length))
        return 0;
    const long long bits = rows / 8 + (rows % 8 != 0);
    char format = out->format[0];
    long long expected = format == 'U' ? 8 * (rows + 1) : format == 'b' ? bits : format == 'I' ? 4 * rows : 8 * rows;
    int fits = format && !out->format[1] && strchr("ILgbU", format) && out->data_length == expected &&
               (!out->validity || out->validity_length == bits) && (format == 'U') == (out->text != NULL);
    for (long long row = 0; fits && format == 'U' && row < rows; row++) {
        int64_t offsets[2];
        memcpy(offsets, out->data + 8 * row, sizeof offsets);
        fits = offsets[0] >= 0 && offsets[0] <= offsets[1] && offsets[1] <= out->text_length;
    }
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "a pickle that holds no table of akin's");
    return fits;
}

static akin_type type_of(const part *p)
{
    switch (*p->format) {
    case 'I':
        return AKIN_TYPE_U32;
    case 'L':
        return AKIN_TYPE_U64;
    case 'g':
        return AKIN_TYPE_F64;
    case 'b':
        return AKIN_TYPE_BOOL;
    default:
        return AKIN_TYPE_TEXT;
    }
}

static akin_status fill_column(akin_frame *made, uint32_t i, const part *p, uint64_t rows, void *to, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (type_of(p) != AKIN_TYPE_TEXT && type_of(p) != AKIN_TYPE_BOOL && rows > 0)
        memcpy(to, p->data, (size_t)p->data_length);
    for (uint64_t row = 0; row < rows && status == AKIN_OK; row++) {
        int null = p->validity && !(p->validity[row / 8] >> row % 8 & 1);
        int64_t offsets[2] = {0, 0};
        if (type_of(p) == AKIN_TYPE_TEXT) {
            memcpy(offsets, p->data + 8 * row, sizeof offsets);
            status = akin_frame_add_text(made, i, null ? NULL : p->text + offsets[0],
                                         (uint64_t)(offsets[1] - offsets[0]), error);
            continue;
        }
        if (type_of(p) == AKIN_TYPE_BOOL)
            ((unsigned char *)to)[row] = p->data[row / 8] >> row % 8 & 1;
        if (null)
            status = akin_frame_set_null(made, i, row, error);
    }
    return status;
}

static akin_status restore(job *j, const part *parts, uint32_t count, uint64_t rows, akin_frame **out)
{
    akin_type types[64];
    const char *names[64];
    void *data[64];
    for (uint32_t i = 0; i < count; i++) {
        types[i] = type_of(&parts[i]);
        names[i] = parts[i].name;
    }
    akin_status status = akin_frame_create(j->context, count, types, names, out, &j->error);
    if (status != AKIN_OK)
        return status;
    status = akin_frame_extend(*out, rows, data, &j->error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        status = fill_column(*out, i, &parts[i], rows, data[i], &j->error);
    return status;
}

static PyObject *from_state(PyObject *module, PyObject *args)
{
    PyObject *settings, *columns;
    long long rows;
    part parts[64]; /* results have a few columns */
    akin_frame *made = NULL;
    job j;
    if (!PyArg_ParseTuple(args, "O(LO!):from_state", &settings, &rows, &PyTuple_Type, &columns))
        return NULL;
    Py_ssize_t count = PyTuple_Size(columns);
    if (rows < 0 || rows > PY_SSIZE_T_MAX / 16 || count > 64) {
        PyErr_SetString(PyExc_ValueError, "a pickle that holds no table of akin's");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!take_part(PyTuple_GetItem(columns, i), rows, &parts[i]))
            return NULL;
    if (!job_begin(&j, state_of(module), settings))
        return NULL;
    akin_status status = restore(&j, parts, (uint32_t)count, (uint64_t)rows, &made);
    job_end(&j);
    return frame_of_job(&j, status, made);
}

/* ---------------------------------------------------------------------------------------------------------- the types */

static PyMethodDef methods[] = {
    {"column", frame_column, METH_VARARGS, "column(index, start, stop) -> list"},
    {"buffer", frame_buffer, METH_O, "buffer(index) -> Buffer or None"},
    {"array", frame_array, METH_VARARGS, "array(index, start, stop) -> capsules of an Arrow schema and array"},
    {"state", frame_state, METH_VARARGS, "state([start, stop]) -> tuple"},
    {"__arrow_c_stream__", frame_stream, METH_VARARGS, "A capsule with an Arrow stream."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef getters[] = {
    {"rows", get_rows, NULL, "The number of rows.", NULL},
    {"fields", get_fields, NULL, "Names and Arrow formats of the columns.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot frame_slots[] = {
    {Py_tp_dealloc, (void *)frame_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {Py_tp_doc, (void *)"Columns of results."},
    {0, NULL},
};

static PyType_Spec frame_spec = {
    .name = "akin._akin.Frame",
    .basicsize = sizeof(frame),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = frame_slots,
};

static PyType_Slot buffer_slots[] = {
    {Py_tp_dealloc, (void *)buffer_dealloc},
    {Py_bf_getbuffer, (void *)buffer_get},
    {Py_tp_doc, (void *)"Numbers, by the buffer protocol."},
    {0, NULL},
};

static PyType_Spec buffer_spec = {
    .name = "akin._akin.Buffer",
    .basicsize = sizeof(buffer),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = buffer_slots,
};

PyTypeObject *frame_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &frame_spec, NULL);
}

PyTypeObject *buffer_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &buffer_spec, NULL);
}

PyMethodDef frame_functions[] = {
    {"from_state", from_state, METH_VARARGS, "from_state(settings, state) -> Frame"},
    {NULL, NULL, 0, NULL},
};
