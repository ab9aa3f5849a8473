/* Tables of choices. */
#include "module.h"

/* A row as (name, arguments, help, value, capabilities). */
static PyObject *describe(const akin_choice *row)
{
    return Py_BuildValue("(sssiI)", row->name, row->arguments, row->help, row->value, row->capabilities);
}

/* choices(what) -> the rows of the table called so; an OptionError where there is none */
static PyObject *choices(PyObject *module, PyObject *name)
{
    const char *what = PyUnicode_AsUTF8AndSize(name, NULL);
    const akin_choice *row;
    akin_error error;
    if (!what)
        return NULL;
    if (akin_choice_find("choices", what, &row, &error) != AKIN_OK)
        return error_raise(state_of(module), AKIN_E_OPTION, &error, NULL);
    PyObject *rows = PyList_New(0);
    for (uint32_t i = 0; rows && (row = akin_choices(what, i)); i++) {
        PyObject *about = describe(row);
        if (!about || PyList_Append(rows, about) < 0)
            Py_CLEAR(rows);
        Py_XDECREF(about);
    }
    return rows;
}

PyMethodDef choices_functions[] = {
    {"choices", choices, METH_O, "choices(what) -> list of (name, arguments, help, value, capabilities)"},
    {NULL, NULL, 0, NULL},
};
