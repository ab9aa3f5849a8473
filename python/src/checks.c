/* Checks of arguments of the extension. A direct call, without the package, gets an exception and not a crash. */
#include "module.h"

#include <stdarg.h>
#include <string.h>

int tuple_take(PyObject *given, const char *format, ...)
{
    va_list places;
    if (!given) /* of a tuple that has no such item */
        return 0;
    if (!PyTuple_Check(given)) {
        PyErr_Format(PyExc_TypeError, "expected a tuple, got %R", Py_TYPE(given));
        return 0;
    }
    va_start(places, format);
    const int taken = PyArg_VaParse(given, format, places);
    va_end(places);
    return taken;
}

int input_take(const state *s, PyObject *given, uint32_t columns, const input **out)
{
    *out = NULL;
    if (given == Py_None)
        return 1;
    if (!PyObject_TypeCheck(given, s->input_type)) {
        PyErr_Format(PyExc_TypeError, "expected an Input, got %R", Py_TYPE(given));
        return 0;
    }
    const uint32_t count = akin_table_columns(((const input *)given)->table);
    if (count < columns) {
        PyErr_Format(s->option_error, "%u columns; expected %u", (unsigned int)count, (unsigned int)columns);
        return 0;
    }
    *out = (const input *)given;
    return 1;
}

int buffer_check(const Py_buffer *view, size_t width)
{
    if (view->len == 0 || ((size_t)view->len % width == 0 && (uintptr_t)view->buf % width == 0))
        return 1;
    PyErr_Format(PyExc_TypeError, "expected a buffer of numbers of %zu bytes, in their places", width);
    return 0;
}

const char *name_of(const state *s, PyObject *text)
{
    Py_ssize_t length;
    if (!text)
        return NULL;
    if (!PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "expected a str, got %R", Py_TYPE(text));
        return NULL;
    }
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &length);
    if (bytes && strlen(bytes) == (size_t)length)
        return bytes;
    if (bytes) {
        PyErr_Format(s->option_error, "%A has a NUL character, which no name can have", text);
    } else if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        PyErr_Clear();
        PyErr_Format(s->option_error, "%A has half of a surrogate pair, which UTF-8 lacks", text);
    }
    return NULL;
}
