/* Rows of numbers: vectors and signatures, where their owner has them, copied if they stand otherwise, or of files. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

static matrix *new_matrix(state *s)
{
    matrix *m = PyObject_New(matrix, s->matrix_type);
    if (!m)
        return NULL;
    m->numbers = (akin_matrix){.size = sizeof m->numbers};
    m->read = NULL;
    m->copied = NULL;
    m->view = (Py_buffer){0};
    return m;
}

static void matrix_dealloc(PyObject *self)
{
    matrix *m = (matrix *)self;
    PyTypeObject *type = Py_TYPE(self);
    akin_matrix_free(m->read);
    free(m->copied);
    if (m->view.obj)
        PyBuffer_Release(&m->view);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---------------------------------------------------------------------------------------------------------- buffers */

/* What numbers of a format become: those of a .npy file do the same. */
typedef struct kind {
    char sort;        /* 'f' for floats, 'i' and 'u' for integers; 0: none that are taken */
    uint8_t from, to; /* bytes of a number */
    akin_number number;
} kind;

static kind kind_of(const Py_buffer *view)
{
    static const kind kinds[] = {{'f', 4, 4, AKIN_NUMBER_F32}, {'f', 8, 4, AKIN_NUMBER_F32},
                                 {'u', 1, 1, AKIN_NUMBER_U8},  {'u', 2, 4, AKIN_NUMBER_I32},
                                 {'u', 4, 8, AKIN_NUMBER_I64}, {'u', 8, 8, AKIN_NUMBER_I64},
                                 {'i', 1, 4, AKIN_NUMBER_I32}, {'i', 2, 4, AKIN_NUMBER_I32},
                                 {'i', 4, 4, AKIN_NUMBER_I32}, {'i', 8, 8, AKIN_NUMBER_I64}};
    const char *format = view->format ? view->format : "B";
    const uint16_t one = 1;
    const int is_little = *(const uint8_t *)&one == 1;
    if (strchr("@=", *format) || *format == (is_little ? '<' : '>'))
        format += *format != '\0';
    const char sort = !format[0] || format[1]      ? '\0'
                      : strchr("fd", format[0])    ? 'f'
                      : strchr("BHILQ", format[0]) ? 'u'
                      : strchr("bhilq", format[0]) ? 'i'
                                                   : '\0';
    for (size_t i = 0; sort && i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].sort == sort && kinds[i].from == (size_t)view->itemsize)
            return kinds[i];
    return (kind){0};
}

static float float_at(const void *numbers, size_t at)
{
    return (float)((const double *)numbers)[at];
}

static int64_t integer_at(const kind *k, const void *numbers, size_t at)
{
    if (k->sort == 'u')
        return k->from == 2 ? ((const uint16_t *)numbers)[at] : ((const uint32_t *)numbers)[at];
    if (k->from == 2)
        return ((const int16_t *)numbers)[at];
    return (int64_t)(((const uint8_t *)numbers)[at] ^ 0x80u) - 0x80;
}

static void convert(const kind *k, const void *from, void *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (k->sort == 'f')
            ((float *)to)[i] = float_at(from, i);
        else if (k->to == 4)
            ((int32_t *)to)[i] = (int32_t)integer_at(k, from, i);
        else
            ((int64_t *)to)[i] = integer_at(k, from, i);
}

/* The numbers of a view without gaps, in memory to be freed; NULL, and an exception. */
static void *gather(const Py_buffer *view)
{
    void *numbers = malloc((size_t)view->len + 1);
    if (numbers && PyBuffer_ToContiguous(numbers, (Py_buffer *)view, view->len, 'C') == 0)
        return numbers;
    if (!numbers)
        PyErr_NoMemory();
    free(numbers);
    return NULL;
}

/* Takes the numbers of m->view, which stays as long as they are there. */
static int take_view(matrix *m, const kind *k)
{
    const size_t count = (size_t)m->view.len / k->from;
    const int is_in_place =
        PyBuffer_IsContiguous(&m->view, 'C') && (uintptr_t)m->view.buf % k->from == 0 && (count > 0 || m->view.buf);
    void *own = is_in_place ? NULL : gather(&m->view);
    m->numbers.number = k->number;
    if (!is_in_place && !own)
        return 0;
    if (k->from == k->to && (k->sort != 'f' || k->to == 4)) {
        m->numbers.numbers = own ? own : m->view.buf;
        m->copied = own;
        return 1;
    }
    m->copied = malloc(count * k->to + 1);
    if (!m->copied) {
        PyErr_NoMemory();
    } else {
        Py_BEGIN_ALLOW_THREADS convert(k, own ? own : m->view.buf, m->copied, count);
        Py_END_ALLOW_THREADS
    }
    free(own);
    m->numbers.numbers = m->copied;
    return m->copied != NULL;
}

static int take_shape(matrix *m, state *s, int may_be_one)
{
    const Py_buffer *view = &m->view;
    const int is_one = may_be_one && view->ndim == 1;
    const Py_ssize_t rows = is_one ? 1 : view->ndim == 2 ? view->shape[0] : -1;
    const Py_ssize_t columns = is_one || view->ndim == 2 ? view->shape[view->ndim - 1] : 0;
    if (rows < 0) {
        PyErr_Format(s->input_error, "an array of %d dimensions; expected rows of numbers, two dimensions", view->ndim);
        return 0;
    }
    if ((unsigned long long)rows >= UINT32_MAX || columns > AKIN_MATRIX_COLUMNS || (rows > 0 && columns == 0)) {
        PyErr_Format(s->limit_error, "%zd rows of %zd numbers; expected fewer than 2**32 - 1, of 1 to %d", rows,
                     columns, AKIN_MATRIX_COLUMNS);
        return 0;
    }
    m->numbers.rows = (uint32_t)rows;
    m->numbers.columns = (uint32_t)columns;
    return 1;
}

/* matrix(buffer, may be one): rows of numbers in an object with a buffer; one row alone, if it may be. */
static PyObject *matrix_of(PyObject *module, PyObject *args)
{
    state *s = state_of(module);
    PyObject *owner;
    int may_be_one;
    if (!PyArg_ParseTuple(args, "Op:matrix", &owner, &may_be_one))
        return NULL;
    matrix *m = new_matrix(s);
    if (!m)
        return NULL;
    if (PyObject_GetBuffer(owner, &m->view, PyBUF_FULL_RO) < 0) {
        m->view.obj = NULL;
        goto failed;
    }
    const kind k = kind_of(&m->view);
    if (!k.sort) {
        PyErr_Format(
            s->input_error,
            "numbers of the type '%s'; expected floats of 32 or 64 bits, or integers, of this machine's byte order",
            m->view.format);
        goto failed;
    }
    if (take_shape(m, s, may_be_one) && take_view(m, &k))
        return (PyObject *)m;
failed:
    Py_DECREF(m);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------------ files */

static akin_status read_by(job *j, const char *path, void *out)
{
    return akin_matrix_read(j->context, path, AKIN_MATRIX_AUTO, out, &j->error);
}

/* read_matrix(settings, path): in the layout that the name gives. */
static PyObject *read_matrix(PyObject *module, PyObject *args)
{
    state *s = state_of(module);
    akin_matrix *read;
    if (!job_of_path(s, args, read_by, &read))
        return NULL;
    matrix *m = new_matrix(s);
    if (!m) {
        akin_matrix_free(read);
        return NULL;
    }
    m->numbers = *read;
    m->read = read;
    return (PyObject *)m;
}

/* shape() -> (rows, columns) */
static PyObject *matrix_shape(PyObject *self, PyObject *unused)
{
    (void)unused;
    const akin_matrix *m = &((matrix *)self)->numbers;
    return Py_BuildValue("(II)", (unsigned int)m->rows, (unsigned int)m->columns);
}

/* row(i): the integers of a row, as a list. */
static PyObject *matrix_row(PyObject *self, PyObject *number)
{
    const akin_matrix *m = &((matrix *)self)->numbers;
    const unsigned long row = PyLong_AsUnsignedLong(number);
    if (PyErr_Occurred())
        return NULL;
    if (row >= m->rows || m->number == AKIN_NUMBER_F32) {
        PyErr_SetString(PyExc_IndexError, "there is no such row of integers");
        return NULL;
    }
    PyObject *list = PyList_New(m->columns);
    for (uint32_t i = 0; list && i < m->columns; i++) {
        const size_t at = (size_t)row * m->columns + i;
        const int64_t value = m->number == AKIN_NUMBER_U8    ? ((const uint8_t *)m->numbers)[at]
                              : m->number == AKIN_NUMBER_I32 ? ((const int32_t *)m->numbers)[at]
                                                             : ((const int64_t *)m->numbers)[at];
        PyObject *item = PyLong_FromLongLong(value);
        if (!item || PyList_SetItem(list, i, item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* --------------------------------------------------------------------------------------------------------- the type */

static PyMethodDef methods[] = {
    {"shape", matrix_shape, METH_NOARGS, "shape() -> (rows, columns)"},
    {"row", matrix_row, METH_O, "row(i) -> list"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)matrix_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)"Rows of numbers that go into a job."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "akin._akin.Matrix",
    .basicsize = sizeof(matrix),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

PyTypeObject *matrix_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

PyMethodDef matrix_functions[] = {
    {"matrix", matrix_of, METH_VARARGS, "matrix(buffer, may_be_one) -> Matrix"},
    {"read_matrix", read_matrix, METH_VARARGS, "read_matrix(settings, path) -> Matrix"},
    {NULL, NULL, 0, NULL},
};
