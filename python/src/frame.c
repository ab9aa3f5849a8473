/* Results: a frame of the library, and its Arrow array, from which values are read. */
#include "frame.h"

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

/* ----------------------------------------------------------------------------------------------------------- values */

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
    case 'i':
        return PyLong_FromLong(((const int32_t *)data)[row]);
    case 'l':
        return PyLong_FromLongLong(((const int64_t *)data)[row]);
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

int frame_check_rows(const struct ArrowArray *array, Py_ssize_t start, Py_ssize_t stop)
{
    if (start >= 0 && stop >= start && stop <= array->length)
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
    if (!frame_check_rows(&f->array, start, stop))
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

/* --------------------------------------------------------------------------------------------------------- capsules */

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
        !frame_check_rows(&f->array, start, stop))
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

/* ---------------------------------------------------------------------------------------------------------- buffers */

typedef struct buffer {
    PyObject_HEAD PyObject *owner; /* of the values; NULL: they are this object's */
    void *values;
    Py_ssize_t count, width;
    const char *format;
} buffer;

static Py_ssize_t width_of(const char *format)
{
    return *format == 'I' || *format == 'i' ? 4 : *format == 'B' ? 1 : 8;
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
    const char *kind = strchr("ILgil", format);
    if (column->null_count > 0 || !kind)
        return Py_NewRef(Py_None);
    static const char *const formats[] = {"I", "Q", "d", "i", "q"}; /* as in the module struct */
    state *s = PyType_GetModuleState(Py_TYPE(self));
    return make_buffer(s, self, (void *)column->buffers[1], (Py_ssize_t)column->length, formats[kind - "ILgil"]);
}

/* -------------------------------------------------------------------------------------------------------- the types */

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
