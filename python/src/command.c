/* The command akin, which is inside the extension. Python opens the tables that libakin does not read. */
#define _POSIX_C_SOURCE 200809L /* strdup */

#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run.h"

#define DESCRIBED 200 /* bytes of what Python says about a format */

/* What the command's opener needs. The command runs without the interpreter, on the thread that has called it. */
typedef struct opener_of {
    PyObject *open, *describe; /* functions of akin._openers */
    PyThreadState *thread;     /* while the interpreter is left */
    char described[DESCRIBED];
} opener_of;

static const char *name_of_format(akin_format format)
{
    return akin_choice_of_value("opened-formats", (int)format)->name;
}

/* Takes the exception that is set as an error. Its text names the file. */
static akin_status take_exception(akin_error *error)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    const int is_memory = PyErr_GivenExceptionMatches(type, PyExc_MemoryError);
    PyObject *text = value ? PyObject_Str(value) : NULL;
    const char *said = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    akin_error_set(error, is_memory ? AKIN_E_NOMEM : AKIN_E_INPUT, is_memory ? AKIN_REASON_MEMORY : AKIN_REASON_NONE,
                   "%.1000s", said ? said : "an exception without a text");
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    PyErr_Clear();
    return error ? error->code : is_memory ? AKIN_E_NOMEM : AKIN_E_INPUT;
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
        names ? PyObject_CallFunction(self->open, "sNNI", name_of_format(opening->format),
                                      PyUnicode_DecodeFSDefault(opening->path), names, (unsigned int)opening->optional)
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
    const akin_cli_host host = {{sizeof host.opener, open_table, self}, describe_format};
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

/* command(words, open, describe) -> the exit status. `words` is a tuple of bytes, "akin" first. */
static PyObject *command(PyObject *module, PyObject *args)
{
    PyObject *words, *result = NULL;
    opener_of self = {NULL};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!OO:command", &PyTuple_Type, &words, &self.open, &self.describe))
        return NULL;
    const Py_ssize_t count = PyTuple_Size(words);
    char **own = copy_words(words, count), **line = PyErr_Occurred() ? NULL : calloc((size_t)count + 1, sizeof *line);
    if (line) {
        memcpy(line, own, (size_t)count * sizeof *line); /* the command reorders its words */
        result = PyLong_FromLong(run_command(&self, (int)count, line));
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    free(line);
    free_words(own, count);
    return result;
}

PyMethodDef command_functions[] = {
    {"command", command, METH_VARARGS, "command(words, open, describe) -> the exit status of the command akin"},
    {NULL, NULL, 0, NULL},
};
