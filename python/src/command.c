/* The command akin, which is inside the extension. Python opens the tables that libakin does not read, and writes those
 * that it does not write. */
#define _POSIX_C_SOURCE 200809L /* strdup */

#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run.h"

#define DESCRIBED 200 /* bytes of what Python says about a format */

/* What the command's opener and saver need. The command runs without the interpreter, on the thread that has called it.
 */
typedef struct opener_of {
    PyObject *open, *save, *describe; /* functions of akin_command */
    PyThreadState *thread;            /* while the interpreter is left */
    char described[DESCRIBED];
} opener_of;

static const char *name_of_format(akin_format format)
{
    return akin_choice_of_value("opened-formats", (int)format)->name;
}

akin_status take_exception(akin_error *error)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (!PyErr_GivenExceptionMatches(type, PyExc_Exception)) {
        PyErr_Restore(type, value, traceback);
        return akin_error_set(error, AKIN_E_CANCELLED, AKIN_REASON_NONE, "cancelled");
    }
    const int is_memory = PyErr_GivenExceptionMatches(type, PyExc_MemoryError);
    const akin_status status = is_memory                                          ? AKIN_E_NOMEM
                               : PyErr_GivenExceptionMatches(type, PyExc_OSError) ? AKIN_E_IO
                                                                                  : AKIN_E_INPUT;
    PyObject *text = value ? PyObject_Str(value) : NULL;
    /* The name of a file need not be UTF-8: its bytes are what they are. */
    PyObject *bytes = text ? PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape") : NULL;
    const char *said = bytes ? PyBytes_AsString(bytes) : NULL;
    akin_error_set(error, status, is_memory ? AKIN_REASON_MEMORY : AKIN_REASON_NONE, "%.1000s",
                   said ? said : "an exception without a text");
    Py_XDECREF(bytes);
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    PyErr_Clear();
    return status;
}

/* The names of columns as a tuple. */
static PyObject *list_names(const akin_opening *opening)
{
    PyObject *names = PyTuple_New((Py_ssize_t)opening->column_count);
    for (uint32_t i = 0; names && i < opening->column_count; i++) {
        const char *name = opening->columns[i];
        PyObject *one = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "surrogateescape");
        if (!one || PyTuple_SetItem(names, (Py_ssize_t)i, one) < 0)
            Py_CLEAR(names);
    }
    return names;
}

/* Has Python open a table. What the capsule holds is moved out of it. */
static int open_by_python(const opener_of *self, const akin_opening *opening, struct ArrowArrayStream *out)
{
    PyObject *names = list_names(opening);
    PyObject *capsule =
        names ? PyObject_CallFunction(self->open, "sNNIN", name_of_format(opening->format),
                                      PyUnicode_DecodeFSDefault(opening->path), names, (unsigned int)opening->optional,
                                      PyBool_FromLong(opening->keeps_records))
              : NULL;
    struct ArrowArrayStream *stream = capsule ? PyCapsule_GetPointer(capsule, "arrow_array_stream") : NULL;
    if (stream) {
        *out = *stream;
        stream->release = NULL;
    }
    Py_XDECREF(capsule);
    return stream != NULL;
}

static akin_status open_table(void *user, const akin_opening *opening, struct ArrowArrayStream *out, akin_error *error)
{
    opener_of *self = user;
    PyEval_RestoreThread(self->thread);
    akin_status status = open_by_python(self, opening, out) ? AKIN_OK : take_exception(error);
    self->thread = PyEval_SaveThread();
    return status;
}

/* Ends a call of a saved table, which has a result or an exception. */
static akin_status end_call(PyGILState_STATE state, PyObject *result, akin_error *error)
{
    akin_status status = result ? AKIN_OK : take_exception(error);
    Py_XDECREF(result);
    PyGILState_Release(state);
    return status;
}

static akin_status save_table(void *user, const akin_saving *saving, void **saved, akin_error *error)
{
    const opener_of *self = user;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *table = PyObject_CallFunction(self->save, "sNiN", name_of_format(saving->format),
                                            PyUnicode_DecodeFSDefault(saving->path), saving->descriptor,
                                            PyBool_FromLong(saving->replaces));
    *saved = table;
    return end_call(state, Py_XNewRef(table), error);
}

static akin_status begin_saved(void *saved, const akin_output_column *columns, uint32_t count, akin_error *error)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *list = PyList_New(0);
    for (uint32_t i = 0; list && i < count; i++) {
        PyObject *name = PyUnicode_DecodeUTF8(columns[i].name, (Py_ssize_t)strlen(columns[i].name), "replace");
        PyObject *pair = name ? Py_BuildValue("(Ns)", name, columns[i].type) : NULL;
        if (!pair || PyList_Append(list, pair) < 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return end_call(state, list ? PyObject_CallMethod(saved, "begin", "N", list) : NULL, error);
}

static akin_status write_saved(void *saved, const char *bytes, size_t length, akin_error *error)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *data = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)length);
    return end_call(state, data ? PyObject_CallMethod(saved, "write", "N", data) : NULL, error);
}

static akin_status copy_saved(void *saved, const akin_opening *from, const uint8_t *kept, uint32_t rows,
                              akin_error *error)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *bits = PyBytes_FromStringAndSize((const char *)kept, ((Py_ssize_t)rows + 7) / 8);
    PyObject *result = bits ? PyObject_CallMethod(saved, "copy", "sNNI", name_of_format(from->format),
                                                  PyUnicode_DecodeFSDefault(from->path), bits, (unsigned int)rows)
                            : NULL;
    return end_call(state, result, error);
}

/* texts(first, count) -> the texts of these rows, None for those that keep their own; `self` is a capsule of an
 * akin_other_texts. */
static PyObject *call_texts(PyObject *self, PyObject *args)
{
    const akin_other_texts *texts = PyCapsule_GetPointer(self, NULL);
    unsigned int first, count;
    if (!texts || !PyArg_ParseTuple(args, "II:texts", &first, &count))
        return NULL;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (unsigned int i = 0; list && i < count; i++) {
        const char *text = NULL;
        uint64_t length = 0;
        akin_error error;
        if (texts->of(texts->user, first + i, &text, &length, &error) != AKIN_OK) {
            PyErr_SetString(PyExc_RuntimeError, error.message);
            Py_CLEAR(list);
            break;
        }
        PyObject *one = text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, NULL) : Py_NewRef(Py_None);
        if (!one || PyList_SetItem(list, (Py_ssize_t)i, one) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyMethodDef texts_method = {"texts", call_texts, METH_VARARGS, "texts(first, count) -> list"};

static akin_status copy_texts_saved(void *saved, const akin_opening *from, const uint8_t *kept, uint32_t rows,
                                    const akin_other_texts *texts, akin_error *error)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *bits = PyBytes_FromStringAndSize((const char *)kept, ((Py_ssize_t)rows + 7) / 8);
    PyObject *capsule = bits ? PyCapsule_New((void *)texts, NULL, NULL) : NULL; /* used during the call alone */
    PyObject *of = capsule ? PyCFunction_New(&texts_method, capsule) : NULL;
    PyObject *result =
        of ? PyObject_CallMethod(saved, "copy", "sNOIsO", name_of_format(from->format),
                                 PyUnicode_DecodeFSDefault(from->path), bits, (unsigned int)rows, texts->column, of)
           : NULL;
    Py_XDECREF(of);
    Py_XDECREF(capsule);
    Py_XDECREF(bits);
    return end_call(state, result, error);
}

static akin_status finish_saved(void *saved, akin_error *error)
{
    PyGILState_STATE state = PyGILState_Ensure();
    return end_call(state, PyObject_CallMethod(saved, "finish", NULL), error);
}

static akin_status commit_saved(void *saved, akin_error *error)
{
    PyGILState_STATE state = PyGILState_Ensure();
    return end_call(state, PyObject_CallMethod(saved, "commit", NULL), error);
}

static void discard_saved(void *saved)
{
    PyObject *type, *value, *traceback;
    PyGILState_STATE state = PyGILState_Ensure();
    PyErr_Fetch(&type, &value, &traceback); /* that end the command */
    end_call(state, PyObject_CallMethod(saved, "discard", NULL), NULL);
    state = PyGILState_Ensure();
    PyErr_Restore(type, value, traceback);
    Py_DECREF((PyObject *)saved);
    PyGILState_Release(state);
}

static const char *describe_format(void *user, akin_format format)
{
    opener_of *self = user;
    PyEval_RestoreThread(self->thread);
    PyObject *text = PyObject_CallFunction(self->describe, "s", name_of_format(format));
    const char *said = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    snprintf(self->described, sizeof self->described, "%s", said ? said : "not known");
    Py_XDECREF(text);
    PyErr_Clear();
    self->thread = PyEval_SaveThread();
    return self->described;
}

/* Copies of the words of a command line, up to NULL; freed with free_words. */
static char **copy_words(PyObject *words, Py_ssize_t count)
{
    char **copies = calloc((size_t)count + 1, sizeof *copies);
    for (Py_ssize_t i = 0; copies && i < count; i++) {
        const char *word = PyBytes_AsString(PyTuple_GetItem(words, i));
        if (word && !(copies[i] = strdup(word)))
            PyErr_NoMemory();
        if (!copies[i])
            break;
    }
    if (!copies)
        PyErr_NoMemory();
    return copies;
}

static void free_words(char **words, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; words && i < count; i++)
        free(words[i]);
    free(words);
}

/* Runs the command, with standard output buffered as in C, whatever the option -u asks of Python. */
static int run_command(opener_of *self, int count, char **line)
{
    const akin_cli_host host = {.opener = {sizeof host.opener, open_table, self, store_open, store_read, store_close},
                                .saver = {.size = sizeof host.saver,
                                          .open = save_table,
                                          .begin = begin_saved,
                                          .write = write_saved,
                                          .copy = copy_saved,
                                          .finish = finish_saved,
                                          .commit = commit_saved,
                                          .discard = discard_saved,
                                          .user = self,
                                          .copy_texts = copy_texts_saved},
                                .describe = describe_format};
    char *buffer = malloc(BUFSIZ);
    if (buffer)
        setvbuf(stdout, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    self->thread = PyEval_SaveThread();
    const int status = akin_cli_run(count, line, &host);
    PyEval_RestoreThread(self->thread);
    fflush(stdout); /* the command has reported what could not be written */
    setvbuf(stdout, NULL, _IONBF, 0);
    free(buffer);
    return status;
}

/* command(words, open, save, describe) -> the exit status. `words` is a tuple of bytes, "akin" first. */
static PyObject *command(PyObject *module, PyObject *args)
{
    PyObject *words, *result = NULL;
    opener_of self = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!OOO:command", &PyTuple_Type, &words, &self.open, &self.save, &self.describe))
        return NULL;
    const Py_ssize_t count = PyTuple_Size(words);
    char **own = copy_words(words, count), **line = PyErr_Occurred() ? NULL : calloc((size_t)count + 1, sizeof *line);
    if (line) {
        memcpy(line, own, (size_t)count * sizeof *line); /* the command reorders its words */
        const int status = run_command(&self, (int)count, line);
        result = PyErr_Occurred() ? NULL : PyLong_FromLong(status);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    free(line);
    free_words(own, count);
    return result;
}

PyMethodDef command_functions[] = {
    {"command", command, METH_VARARGS, "command(words, open, save, describe) -> the exit status of the command akin"},
    {NULL, NULL, 0, NULL},
};
