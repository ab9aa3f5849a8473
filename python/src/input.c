/* Columns that go into a job: of Arrow arrays, whose text stays where it is, of sequences of strings, of files. */
#include "frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As an object of Python, which holds it from now on; where an exception is set it is freed. */
static PyObject *wrap(state *s, akin_table *table)
{
    input *in = PyErr_Occurred() ? NULL : PyObject_New(input, s->input_type);
    if (in)
        in->table = table;
    else
        akin_table_free(table);
    return (PyObject *)in;
}

static void input_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    akin_table_free(((input *)self)->table);
    PyObject_Free(self);
    Py_DECREF(type);
}

akin_column *input_columns(const input *in)
{
    uint32_t count = akin_table_columns(in->table);
    akin_column *columns = PyMem_Malloc((count + 1) * sizeof *columns);
    if (!columns) {
        PyErr_NoMemory();
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        columns[i].size = sizeof *columns;
        akin_table_column(in->table, i, &columns[i], NULL); /* there is one of that number */
    }
    return columns;
}

akin_status input_strings(job *j, const akin_column *columns, uint32_t count, uint32_t rows, akin_table **combined,
                          akin_column *out)
{
    akin_status status = AKIN_OK;
    *combined = NULL;
    *out = *columns;
    if (count > 1)
        status = akin_table_combine(j->context, columns, count, rows, combined, &j->error);
    return *combined ? akin_table_column(*combined, 0, out, &j->error) : status;
}

/* ------------------------------------------------------------------------------------------------------------ arrow */

/* Names of columns as the library takes them, of a tuple of strings; freed with PyMem_Free. */
static int take_names(const state *s, PyObject *names, akin_table_options *options)
{
    Py_ssize_t count = PyTuple_Size(names);
    if (count < 0)
        return 0;
    const char **list = PyMem_Malloc((size_t)(count + 1) * sizeof *list);
    if (!list) {
        PyErr_NoMemory();
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!(list[i] = name_of(s, PyTuple_GetItem(names, i)))) {
            PyMem_Free((void *)list);
            return 0;
        }
    options->columns = list;
    options->column_count = (uint32_t)count;
    return 1;
}

/* from_arrow(settings, capsule of a stream, names, lossy), or with the capsules of a schema and an array instead. What
 * the capsules hold is released by the library; a capsule's own destructor finds it done. */
static PyObject *from_arrow(PyObject *module, PyObject *args)
{
    PyObject *settings, *stream, *array, *names;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    job j;
    if (!PyArg_ParseTuple(args, "OOOO!p:from_arrow", &settings, &stream, &array, &PyTuple_Type, &names, &options.lossy))
        return NULL;
    void *first = PyCapsule_GetPointer(stream, array == Py_None ? "arrow_array_stream" : "arrow_schema");
    void *second = array == Py_None ? NULL : PyCapsule_GetPointer(array, "arrow_array");
    if (!first || PyErr_Occurred() || !take_names(state_of(module), names, &options))
        return NULL;
    if (!job_begin(&j, state_of(module), settings)) {
        PyMem_Free((void *)options.columns);
        return NULL;
    }
    job_leave(&j);
    akin_status status = second ? akin_table_import_array(j.context, first, second, &options, &table, &j.error)
                                : akin_table_import(j.context, first, &options, &table, &j.error);
    status = job_return(&j, status);
    job_end(&j);
    PyMem_Free((void *)options.columns);
    if (status != AKIN_OK)
        job_fail(&j, status);
    return wrap(j.module, table);
}

/* ------------------------------------------------------------------------------------------------------------ files */

static PyObject *from_file(PyObject *module, PyObject *args)
{
    PyObject *settings, *names, *path;
    int format;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    unsigned long long skip_bad;
    job j;
    if (!PyArg_ParseTuple(args, "OO&iO!pK:from_file", &settings, PyUnicode_FSConverter, &path, &format, &PyTuple_Type,
                          &names, &options.lossy, &skip_bad))
        return NULL;
    options.skip_bad = skip_bad;
    options.format = (akin_format)format;
    if (!take_names(state_of(module), names, &options)) {
        Py_DECREF(path);
        return NULL;
    }
    if (!job_begin(&j, state_of(module), settings)) {
        PyMem_Free((void *)options.columns);
        Py_DECREF(path);
        return NULL;
    }
    j.path = PyBytes_AsString(path);
    job_leave(&j);
    akin_status status = akin_table_read(j.context, j.path, &options, &table, &j.error);
    status = job_return(&j, status);
    job_end(&j);
    PyMem_Free((void *)options.columns);
    if (status != AKIN_OK)
        job_fail(&j, status);
    Py_DECREF(path);
    return wrap(j.module, table);
}

/* -------------------------------------------------------------------------------------------------------- sequences */

/* A column that is being made: an Arrow array of large_utf8 for the library. */
typedef struct strings {
    int64_t *offsets;
    char *bytes;
    uint8_t *validity;
    const void *buffers[3];
    int64_t nulls;
    size_t capacity;
} strings;

static void free_strings(strings *s)
{
    free(s->offsets);
    free(s->bytes);
    free(s->validity);
    free(s);
}

static void release_strings(struct ArrowArray *array)
{
    free_strings(array->private_data);
    array->release = NULL;
}

/* The children of a struct, and the struct, in one block. */
typedef struct columns {
    struct ArrowSchema **schemas;
    struct ArrowArray **arrays;
    struct ArrowSchema *schema_block;
    struct ArrowArray *array_block;
    const void *no_buffer;
    Py_ssize_t count;
} columns;

static void keep_schema(struct ArrowSchema *schema)
{
    schema->release = NULL; /* free_columns does it */
}

static int append(strings *s, Py_ssize_t row, const char *text, Py_ssize_t length)
{
    size_t start = (size_t)s->offsets[row], needed = start + (size_t)length;
    if (needed > s->capacity) {
        size_t larger = needed + needed / 2 + 64;
        char *bytes = realloc(s->bytes, larger);
        if (!bytes) {
            PyErr_NoMemory();
            return 0;
        }
        s->bytes = bytes;
        s->capacity = larger;
    }
    memcpy(s->bytes + start, text, (size_t)length);
    s->offsets[row + 1] = (int64_t)needed;
    return 1;
}

/* Refuses a value that is not text. The message says what to do. */
static void refuse_item(PyObject *item, Py_ssize_t row, const char *name)
{
    const char *advice = "str() makes text of other values, and on=NAME takes that column of a table alone";
    if (PyFloat_Check(item) && isnan(PyFloat_AsDouble(item)))
        PyErr_Format(PyExc_TypeError,
                     "row %zd, column '%s': expected a str or None, got NaN; write None for a missing value", row,
                     name);
    else {
        if (PyAnySet_Check(item) || PyList_Check(item) || PyTuple_Check(item))
            advice = "akin.join takes sets of whole numbers with tokens='ids'";
        PyErr_Format(PyExc_TypeError, "row %zd, column '%s': expected a str or None, got %R; %s", row, name,
                     Py_TYPE(item), advice);
    }
}

static int fill(strings *s, PyObject *list, Py_ssize_t rows, const char *name, const state *module)
{
    int64_t looked = 0;
    for (Py_ssize_t row = 0; row < rows; row++) {
        if (row % LOOK_EVERY == LOOK_EVERY - 1 || s->offsets[row] - looked > LOOK_BYTES) {
            looked = s->offsets[row];
            if (PyErr_CheckSignals() < 0)
                return 0;
        }
        PyObject *item = PyList_GetItem(list, row);
        if (!item) /* the list was cut meanwhile, by another thread */
            return 0;
        if (item == Py_None) {
            s->nulls++;
            s->offsets[row + 1] = s->offsets[row];
            continue;
        }
        if (!PyUnicode_Check(item)) {
            refuse_item(item, row, name);
            return 0;
        }
        Py_ssize_t length;
        const char *text = PyUnicode_AsUTF8AndSize(item, &length);
        if (!text && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
            PyErr_Clear();
            PyErr_Format(module->input_error,
                         "row %zd, column '%s': it has half of a surrogate pair, which UTF-8 lacks", row, name);
        }
        if (!text || !append(s, row, text, length))
            return 0;
        s->validity[row / 8] |= (uint8_t)(1u << row % 8);
    }
    return 1;
}

/* A list of strings and None's as an array; 0, and an exception. */
static int make_strings(PyObject *list, Py_ssize_t rows, const char *name, const state *module, struct ArrowArray *out)
{
    strings *s = calloc(1, sizeof *s);
    if (s) {
        s->offsets = calloc((size_t)rows + 1, sizeof *s->offsets);
        s->validity = calloc((size_t)rows / 8 + 1, 1);
        s->bytes = malloc(1);
    }
    if (!s || !s->offsets || !s->validity || !s->bytes || !fill(s, list, rows, name, module)) {
        if (!PyErr_Occurred())
            PyErr_NoMemory();
        if (s)
            free_strings(s);
        return 0;
    }
    s->buffers[0] = s->nulls > 0 ? s->validity : NULL;
    s->buffers[1] = s->offsets;
    s->buffers[2] = s->bytes;
    *out = (struct ArrowArray){.length = rows,
                               .null_count = s->nulls,
                               .n_buffers = 3,
                               .buffers = s->buffers,
                               .release = release_strings,
                               .private_data = s};
    return 1;
}

static void free_columns(columns *c)
{
    for (Py_ssize_t i = 0; i < c->count && c->array_block; i++)
        if (c->array_block[i].release)
            c->array_block[i].release(&c->array_block[i]);
    free((void *)c->schemas);
    free((void *)c->arrays);
    free(c->schema_block);
    free(c->array_block);
    free(c);
}

static void release_columns(struct ArrowArray *array)
{
    free_columns(array->private_data);
    array->release = NULL;
}

static columns *begin_columns(Py_ssize_t count)
{
    columns *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->count = count;
    c->schemas = calloc((size_t)count + 1, sizeof *c->schemas);
    c->arrays = calloc((size_t)count + 1, sizeof *c->arrays);
    c->schema_block = calloc((size_t)count + 1, sizeof *c->schema_block);
    c->array_block = calloc((size_t)count + 1, sizeof *c->array_block);
    if (c->schemas && c->arrays && c->schema_block && c->array_block)
        return c;
    free_columns(c);
    return NULL;
}

/* Lists of one length as the children of a struct; NULL, and an exception. */
static columns *make_columns(PyObject *names, PyObject *lists, const state *module, Py_ssize_t *rows)
{
    const Py_ssize_t count = PyTuple_Size(names);
    columns *c = begin_columns(count);
    if (!c) {
        PyErr_NoMemory();
        return NULL;
    }
    *rows = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *list = PyTuple_GetItem(lists, i);
        const char *name = name_of(module, PyTuple_GetItem(names, i));
        if (!name || !list)
            goto failed;
        if (!PyList_Check(list)) {
            PyErr_Format(PyExc_TypeError, "column '%s': expected a list, got %R", name, Py_TYPE(list));
            goto failed;
        }
        const Py_ssize_t length = PyList_Size(list);
        if (i > 0 && length != *rows) {
            PyErr_Format(module->input_error, "column '%s' has %zd rows, the first one %zd", name, length, *rows);
            goto failed;
        }
        *rows = length;
        if (!make_strings(list, length, name, module, &c->array_block[i]))
            goto failed;
        c->arrays[i] = &c->array_block[i];
        c->schemas[i] = &c->schema_block[i];
        c->schema_block[i] = (struct ArrowSchema){.format = "U", .name = name, .release = keep_schema};
    }
    return c;
failed:
    free_columns(c);
    return NULL;
}

/* from_lists(settings, names, lists): tuples of strings and of lists. The names live as long as the call. */
static PyObject *from_lists(PyObject *module, PyObject *args)
{
    PyObject *settings, *names, *lists;
    akin_table *table = NULL;
    Py_ssize_t rows;
    job j;
    if (!PyArg_ParseTuple(args, "OO!O!:from_lists", &settings, &PyTuple_Type, &names, &PyTuple_Type, &lists))
        return NULL;
    if (!job_begin(&j, state_of(module), settings))
        return NULL;
    columns *c = make_columns(names, lists, j.module, &rows);
    if (!c) {
        job_end(&j);
        return NULL;
    }
    struct ArrowSchema schema = {
        .format = "+s", .n_children = c->count, .children = c->schemas, .release = keep_schema};
    struct ArrowArray array = {.length = rows,
                               .n_buffers = 1,
                               .n_children = c->count,
                               .buffers = &c->no_buffer,
                               .children = c->arrays,
                               .release = release_columns,
                               .private_data = c};
    job_leave(&j);
    akin_status status = akin_table_import_array(j.context, &schema, &array, NULL, &table, &j.error);
    status = job_return(&j, status);
    job_end(&j);
    if (status != AKIN_OK)
        job_fail(&j, status);
    return wrap(j.module, table);
}

/* --------------------------------------------------------------------------------------------------------- the type */

static PyObject *get_rows(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLong(akin_table_rows(((input *)self)->table));
}

/* A tuple of what is said of each column. */
static PyObject *tuple_of_columns(const input *in, const char *(*say)(const akin_table *table, uint32_t column))
{
    const uint32_t count = akin_table_columns(in->table);
    PyObject *all = PyTuple_New(count);
    for (uint32_t i = 0; all && i < count; i++) {
        PyObject *one = PyUnicode_FromString(say(in->table, i));
        if (!one || PyTuple_SetItem(all, i, one) < 0)
            Py_CLEAR(all);
    }
    return all;
}

static const char *type_of_column(const akin_table *table, uint32_t column)
{
    return frame_format_of(akin_table_column_type(table, column));
}

static PyObject *get_types(PyObject *self, void *closure)
{
    (void)closure;
    return tuple_of_columns((input *)self, type_of_column);
}

static PyObject *get_formats(PyObject *self, void *closure)
{
    (void)closure;
    return tuple_of_columns((input *)self, akin_table_column_format);
}

static PyObject *get_names(PyObject *self, void *closure)
{
    (void)closure;
    const input *in = (input *)self;
    uint32_t count = akin_table_columns(in->table);
    PyObject *names = PyTuple_New(count);
    for (uint32_t i = 0; names && i < count; i++) {
        akin_column column = AKIN_COLUMN_INIT;
        akin_table_column(in->table, i, &column, NULL);
        PyObject *name = PyUnicode_FromString(column.name);
        if (!name || PyTuple_SetItem(names, i, name) < 0)
            Py_CLEAR(names);
    }
    return names;
}

/* A column as a list of strings and None's. */
static PyObject *input_column(PyObject *self, PyObject *number)
{
    const input *in = (input *)self;
    akin_column column = AKIN_COLUMN_INIT;
    unsigned long index = PyLong_AsUnsignedLong(number);
    if (PyErr_Occurred())
        return NULL;
    if (index >= akin_table_columns(in->table)) {
        PyErr_SetString(PyExc_IndexError, "there is no such column");
        return NULL;
    }
    akin_table_column(in->table, (uint32_t)index, &column, NULL);
    uint32_t rows = akin_table_rows(in->table);
    PyObject *list = PyList_New(rows);
    for (uint32_t row = 0; list && row < rows; row++) {
        if (row % LOOK_EVERY == LOOK_EVERY - 1 && PyErr_CheckSignals() < 0) {
            Py_CLEAR(list);
            break;
        }
        int is_null = column.validity && !(column.validity[row / 8] >> row % 8 & 1);
        Py_ssize_t length = (Py_ssize_t)(column.offsets[row + 1] - column.offsets[row]);
        PyObject *text =
            is_null ? Py_NewRef(Py_None) : PyUnicode_DecodeUTF8(column.bytes + column.offsets[row], length, NULL);
        if (!text || PyList_SetItem(list, row, text) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyMethodDef methods[] = {
    {"column", input_column, METH_O, "column(index) -> list"},
    {NULL, NULL, 0, NULL},
};

static PyObject *get_skipped(PyObject *self, void *closure)
{
    (void)closure;
    const akin_table *table = ((input *)self)->table;
    const uint64_t count = akin_table_skipped(table);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint64_t i = 0; list && i < count; i++) {
        akin_skipped one = {.size = sizeof one};
        akin_table_skipped_at(table, i, &one, NULL);
        PyObject *name = PyUnicode_DecodeFSDefault(one.name);
        PyObject *entry = name ? Py_BuildValue("(NKs)", name, (unsigned long long)one.line, one.reason) : NULL;
        if (!entry || PyList_SetItem(list, (Py_ssize_t)i, entry) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyGetSetDef getters[] = {
    {"skipped", get_skipped, NULL, "The records that were left out: where they are, and why.", NULL},
    {"rows", get_rows, NULL, "The number of rows.", NULL},
    {"names", get_names, NULL, "The names of the columns.", NULL},
    {"types", get_types, NULL, "The narrowest types of frames that hold their values, in Arrow's notation.", NULL},
    {"formats", get_formats, NULL, "The types of their values before they became text, in Arrow's notation.", NULL},
    {"formats", get_formats, NULL, "the same, as Arrow has them", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)input_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {Py_tp_doc, (void *)"Columns of text that go into a job."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "akin._akin.Input",
    .basicsize = sizeof(input),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

PyTypeObject *input_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

/* Raises the exception of the library about a missing column, for Python code. `names` has the columns that exist. */
static PyObject *no_column(PyObject *module, PyObject *args)
{
    const char *message, *name, *other;
    PyObject *names;
    akin_error error;
    if (!PyArg_ParseTuple(args, "ssO!:no_column", &message, &name, &PyTuple_Type, &names))
        return NULL;
    akin_guess guess = {.word = name};
    for (Py_ssize_t i = 0; i < PyTuple_Size(names); i++) {
        if (!(other = name_of(state_of(module), PyTuple_GetItem(names, i))))
            return NULL;
        akin_guess_offer(&guess, other);
    }
    akin_error_set(&error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, "%s", message);
    snprintf(error.column, sizeof error.column, "%s", name);
    snprintf(error.meant, sizeof error.meant, "%s", guess.best ? guess.best : "");
    return error_raise(state_of(module), AKIN_E_OPTION, &error, NULL);
}

PyMethodDef input_functions[] = {
    {"from_arrow", from_arrow, METH_VARARGS, "from_arrow(settings, stream or schema, array, names, lossy) -> Input"},
    {"from_file", from_file, METH_VARARGS, "from_file(settings, path, format, names, lossy, skip_bad) -> Input"},
    {"from_lists", from_lists, METH_VARARGS, "from_lists(settings, names, lists) -> Input"},
    {"no_column", no_column, METH_VARARGS, "no_column(message, name, names) raises OptionError"},
    {NULL, NULL, 0, NULL},
};
