/* Frames as tuples of Python, for pickles and slices, and columns that go from one frame into another. */
#include "frame.h"

#include <string.h>

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
    const int64_t width = (int64_t)frame_width_of(frame_type_of(&format));
    if (format == 'b')
        return bits_of(column->buffers[1], start, stop);
    if (format == 'U')
        return offsets_of(column->buffers[1], start, stop);
    return bytes_of((const char *)column->buffers[1] + width * start, width * (stop - start));
}

/*
 * state([start, stop]): (rows, ((name, format, validity or None, values, bytes of text or None), ...)), which
 * from_state takes; of these rows, or all.
 */
PyObject *frame_state(PyObject *self, PyObject *args)
{
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    frame_arrays(self, &schema, &array);
    Py_ssize_t start = 0, stop = (Py_ssize_t)array->length;
    if (!PyArg_ParseTuple(args, "|nn:state", &start, &stop) || !frame_check_rows(array, start, stop))
        return NULL;
    PyObject *columns = PyTuple_New((Py_ssize_t)schema->n_children);
    for (Py_ssize_t i = 0; columns && i < schema->n_children; i++) {
        const struct ArrowArray *c = array->children[i];
        const char *format = schema->children[i]->format;
        const int64_t *offsets = c->buffers[1];
        PyObject *validity = c->buffers[0] ? bits_of(c->buffers[0], start, stop) : Py_NewRef(Py_None);
        PyObject *text = *format == 'U'
                             ? bytes_of((const char *)c->buffers[2] + offsets[start], offsets[stop] - offsets[start])
                             : Py_NewRef(Py_None);
        PyObject *column = Py_BuildValue("(ssNNN)", schema->children[i]->name, format, validity,
                                         values_of(c, *format, start, stop), text);
        if (!column || PyTuple_SetItem(columns, i, column) < 0)
            Py_CLEAR(columns);
    }
    return columns ? Py_BuildValue("(nN)", stop - start, columns) : NULL;
}

static int take_part(PyObject *column, long long rows, frame_part *out)
{
    if (!tuple_take(column, "ssz#y#z#", &out->name, &out->format, &out->validity, &out->validity_length, &out->data,
                    &out->data_length, &out->text, &out->text_length))
        return 0;
    const long long bits = rows / 8 + (rows % 8 != 0);
    char format = out->format[0];
    long long expected = format == 'U'   ? 8 * (rows + 1)
                         : format == 'b' ? bits
                                         : (long long)frame_width_of(frame_type_of(out->format)) * rows;
    int fits = format && !out->format[1] && strchr("ILgbUil", format) && out->data_length == expected &&
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

akin_status frame_part_fill(akin_frame *made, uint32_t i, const frame_part *part, uint64_t rows, void *to,
                            akin_error *error)
{
    akin_status status = AKIN_OK;
    const akin_type type = frame_type_of(part->format);
    if (type != AKIN_TYPE_TEXT && type != AKIN_TYPE_BOOL && rows > 0)
        memcpy(to, part->data, frame_width_of(type) * (size_t)rows);
    if (type != AKIN_TYPE_TEXT && type != AKIN_TYPE_BOOL && !part->validity)
        return AKIN_OK;
    for (uint64_t row = 0; row < rows && status == AKIN_OK; row++) {
        int null = part->validity && !(part->validity[row / 8] >> row % 8 & 1);
        int64_t offsets[2] = {0, 0};
        if (type == AKIN_TYPE_TEXT) {
            memcpy(offsets, part->data + 8 * row, sizeof offsets);
            status = akin_frame_add_text(made, i, null ? NULL : part->text + offsets[0],
                                         (uint64_t)(offsets[1] - offsets[0]), error);
            continue;
        }
        if (type == AKIN_TYPE_BOOL)
            ((unsigned char *)to)[row] = part->data[row / 8] >> row % 8 & 1;
        if (null)
            status = akin_frame_set_null(made, i, row, error);
    }
    return status;
}

static akin_status restore(job *j, const frame_part *parts, uint32_t count, uint64_t rows, akin_frame **out)
{
    akin_type types[FRAME_MOST];
    const char *names[FRAME_MOST];
    void *data[FRAME_MOST];
    for (uint32_t i = 0; i < count; i++) {
        types[i] = frame_type_of(parts[i].format);
        names[i] = parts[i].name;
    }
    akin_status status = akin_frame_create(j->context, count, types, names, out, &j->error);
    if (status != AKIN_OK)
        return status;
    status = akin_frame_extend(*out, rows, data, &j->error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++)
        status = frame_part_fill(*out, i, &parts[i], rows, data[i], &j->error);
    return status;
}

static PyObject *from_state(PyObject *module, PyObject *args)
{
    PyObject *settings, *columns;
    long long rows;
    frame_part parts[FRAME_MOST];
    akin_frame *made = NULL;
    job j;
    if (!PyArg_ParseTuple(args, "O(LO!):from_state", &settings, &rows, &PyTuple_Type, &columns))
        return NULL;
    Py_ssize_t count = PyTuple_Size(columns);
    if (rows < 0 || rows > PY_SSIZE_T_MAX / 16 || count > FRAME_MOST) {
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

PyMethodDef frame_functions[] = {
    {"from_state", from_state, METH_VARARGS, "from_state(settings, state) -> Frame"},
    {NULL, NULL, 0, NULL},
};
