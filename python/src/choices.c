/* Tables of choices. */
#include "akin_generate.h"
#include "module.h"

#include <stdlib.h>

/* A row as (name, arguments, help, value, capabilities). */
static PyObject *describe(const akin_choice *row)
{
    return Py_BuildValue("(sssiI)", row->name, row->arguments, row->help, row->value, row->capabilities);
}

/* Appends a row to a list; after an error *rows is NULL. */
static void add_row(PyObject **rows, const akin_choice *row)
{
    PyObject *about = describe(row);
    if (!about || PyList_Append(*rows, about) < 0)
        Py_CLEAR(*rows);
    Py_XDECREF(about);
}

/* Whether a library has a table of that name. The error suggests a name of either library. */
static akin_status find_table(const char *what, akin_error *error)
{
    const akin_choice *table;
    akin_error generated;
    if (akin_annex_choice_find(akin_generators(), "choices", what, &table, &generated) == AKIN_OK)
        return AKIN_OK;
    akin_status status = akin_annex_choice_find(akin_papers(), "choices", what, &table, error);
    if (status != AKIN_OK && !error->meant[0])
        *error = generated;
    return status;
}

/* choices(what) -> the rows of the table of that name, of libakin, of libakin_generate, and of libakin_papers. Raises
 * OptionError if there is no such table. */
static PyObject *choices(PyObject *module, PyObject *name)
{
    const akin_annex *const annexes[] = {akin_generators(), akin_papers()};
    const char *what = PyUnicode_AsUTF8AndSize(name, NULL);
    const akin_choice *row;
    akin_error error;
    if (!what)
        return NULL;
    if (find_table(what, &error) != AKIN_OK)
        return error_raise(state_of(module), AKIN_E_OPTION, &error, NULL);
    PyObject *rows = PyList_New(0);
    for (uint32_t i = 0; rows && (row = akin_choices(what, i)); i++)
        add_row(&rows, row);
    for (size_t a = 0; a < sizeof annexes / sizeof *annexes; a++)
        for (uint32_t i = 0; rows && (row = akin_annex_choices(annexes[a], what, i)); i++)
            add_row(&rows, row);
    return rows;
}

/* limit_parse(limit, text) -> the number of a text such as "512MiB", or "1.5" seconds as milliseconds. Raises
 * OptionError. */
static PyObject *limit_parse(PyObject *module, PyObject *args)
{
    int limit;
    const char *text;
    uint64_t most = 0;
    akin_error error;
    if (!PyArg_ParseTuple(args, "is", &limit, &text))
        return NULL;
    akin_status status = akin_limit_parse((akin_limit)limit, text, &most, &error);
    return status == AKIN_OK ? PyLong_FromUnsignedLongLong(most)
                             : error_raise(PyModule_GetState(module), status, &error, NULL);
}

/* limit_usual(limit) -> its default. */
static PyObject *limit_usual(PyObject *module, PyObject *limit)
{
    const long value = PyLong_AsLong(limit);
    (void)module;
    return value == -1 && PyErr_Occurred() ? NULL : PyLong_FromUnsignedLongLong(akin_limit_usual((akin_limit)value));
}

/* size_parse(text) -> the number of bytes of a text such as "512MiB". Raises OptionError. */
static PyObject *size_parse(PyObject *module, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    uint64_t size;
    akin_error error;
    if (!text)
        return NULL;
    akin_status status = akin_size_parse(text, &size, &error);
    return status == AKIN_OK ? PyLong_FromUnsignedLongLong(size) : error_raise(state_of(module), status, &error, NULL);
}

/* tokens_parse(text) -> (kind, q) of a text such as "qgrams:3". Raises OptionError. */
static PyObject *tokens_parse(PyObject *module, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    akin_text_options cut = AKIN_TEXT_OPTIONS_INIT;
    akin_error error;
    if (!text)
        return NULL;
    akin_status status = akin_tokens_parse(text, &cut.tokens, &cut.q, &error);
    return status == AKIN_OK ? Py_BuildValue("(iI)", (int)cut.tokens, (unsigned)cut.q)
                             : error_raise(state_of(module), status, &error, NULL);
}

/* clustering_parse(text) -> (clustering, numerator, denominator) of a text such as "components". Raises OptionError. */
static PyObject *clustering_parse(PyObject *module, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_error error;
    if (!text)
        return NULL;
    akin_status status = akin_clusters_options_parse(akin_papers(), text, &options, &error);
    return status == AKIN_OK ? Py_BuildValue("(III)", (unsigned)options.clustering, (unsigned)options.parameter.num,
                                             (unsigned)options.parameter.den)
                             : error_raise(state_of(module), status, &error, NULL);
}

/* format_of_name(path) -> the name of the table format that the name of a file ends in, or None */
static PyObject *format_of_name(PyObject *module, PyObject *name)
{
    PyObject *path = PyUnicode_EncodeFSDefault(name);
    akin_format format;
    (void)module;
    if (!path)
        return NULL;
    akin_status status = akin_format_of_name(PyBytes_AsString(path), &format, NULL);
    Py_DECREF(path);
    if (status != AKIN_OK)
        Py_RETURN_NONE;
    const akin_choice *row = akin_choice_of_value("table-formats", (int)format);
    return PyUnicode_FromString((row ? row : akin_choice_of_value("opened-formats", (int)format))->name);
}

/* path_has_files(path) -> whether it stands for a folder, a pattern or a list of files */
static PyObject *path_has_files(PyObject *module, PyObject *name)
{
    PyObject *path = PyUnicode_EncodeFSDefault(name);
    (void)module;
    if (!path)
        return NULL;
    const int found = akin_path_has_files(PyBytes_AsString(path));
    Py_DECREF(path);
    return PyBool_FromLong(found);
}

static int append_name(void *list, const char *name)
{
    PyObject *text = PyUnicode_DecodeFSDefault(name);
    const int failed = !text || PyList_Append(list, text) < 0;
    Py_XDECREF(text);
    return failed;
}

/* path_files(path) -> the files that it stands for */
static PyObject *path_files(PyObject *module, PyObject *name)
{
    PyObject *path = PyUnicode_EncodeFSDefault(name), *list = PyList_New(0);
    akin_error error;
    akin_status status = AKIN_OK;
    if (path && list)
        status = akin_path_files(PyBytes_AsString(path), append_name, list, &error);
    Py_XDECREF(path);
    if (PyErr_Occurred() || status != AKIN_OK)
        Py_CLEAR(list);
    return status == AKIN_OK ? list : error_raise(state_of(module), status, &error, NULL);
}

/* shown_address(path) -> the path or address of a table without its password */
static PyObject *shown_address(PyObject *module, PyObject *name)
{
    PyObject *path = PyUnicode_EncodeFSDefault(name), *result = NULL;
    (void)module;
    if (!path)
        return NULL;
    const size_t length = akin_address_show(PyBytes_AsString(path), NULL, 0);
    char *shown = malloc(length + 1);
    if (shown) {
        akin_address_show(PyBytes_AsString(path), shown, length + 1);
        result = PyUnicode_DecodeFSDefaultAndSize(shown, (Py_ssize_t)length);
    } else {
        PyErr_NoMemory();
    }
    free(shown);
    Py_DECREF(path);
    return result;
}

/* check_output_name(path): raises OptionError if the name of a file is that of a format that akin does not write. */
static PyObject *check_output_name(PyObject *module, PyObject *name)
{
    PyObject *path = PyUnicode_EncodeFSDefault(name);
    akin_format format;
    akin_error error;
    if (!path)
        return NULL;
    akin_status status = akin_format_of_name(PyBytes_AsString(path), &format, &error);
    Py_DECREF(path);
    if (status != AKIN_OK && error.reason == AKIN_REASON_FOREIGN_FORMAT)
        return error_raise(state_of(module), status, &error, NULL);
    return Py_NewRef(Py_None);
}

/* guess(word, names) -> the name that is probably meant by the word, or None */
static PyObject *guess(PyObject *module, PyObject *args)
{
    akin_guess found = {0};
    PyObject *names;
    const state *s = state_of(module);
    if (!PyArg_ParseTuple(args, "sO!:guess", &found.word, &PyTuple_Type, &names))
        return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_Size(names); i++) {
        const char *name = name_of(s, PyTuple_GetItem(names, i));
        if (!name)
            return NULL;
        akin_guess_offer(&found, name);
    }
    if (!found.best)
        Py_RETURN_NONE;
    return PyUnicode_FromString(found.best);
}

PyMethodDef choices_functions[] = {
    {"choices", choices, METH_O, "choices(what) -> list of (name, arguments, help, value, capabilities)"},
    {"limit_parse", limit_parse, METH_VARARGS, "limit_parse(limit, text) -> number"},
    {"limit_usual", limit_usual, METH_O, "limit_usual(limit) -> number"},
    {"size_parse", size_parse, METH_O, "size_parse(text) -> bytes"},
    {"tokens_parse", tokens_parse, METH_O, "tokens_parse(text) -> (kind, q)"},
    {"clustering_parse", clustering_parse, METH_O, "clustering_parse(text) -> (clustering, numerator, denominator)"},
    {"guess", guess, METH_VARARGS, "guess(word, names) -> the nearest name, or None"},
    {"check_output_name", check_output_name, METH_O, "check_output_name(path) raises OptionError"},
    {"shown_address", shown_address, METH_O, "shown_address(path) -> the path, or the address without its password"},
    {"path_has_files", path_has_files, METH_O, "path_has_files(path) -> whether it is a folder, a pattern or a list"},
    {"path_files", path_files, METH_O, "path_files(path) -> the files that it stands for"},
    {"format_of_name", format_of_name, METH_O, "format_of_name(path) -> the name of a format, or None"},
    {NULL, NULL, 0, NULL},
};
