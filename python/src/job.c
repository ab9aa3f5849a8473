/* Jobs: the interpreter is left while the library works, and asked now and then whether to go on. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "module.h"

#include <errno.h>
#include <string.h>
#include <time.h>

/* Seconds between two looks for signals, and between two calls of the progress callback. */
#define LOOK 0.02
#define TELL 0.05

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Signal handlers are run by Python on the main thread alone: on others there is nothing to look for. */
static int cancel(void *user)
{
    job *j = user;
    if (j->raised)
        return 1;
    double time = now();
    if (time - j->looked < LOOK)
        return 0;
    j->looked = time;
    if (j->thread)
        PyEval_RestoreThread(j->thread);
    j->raised = PyErr_CheckSignals() < 0;
    if (j->thread)
        j->thread = PyEval_SaveThread();
    return j->raised;
}

akin_status job_ask(job *j)
{
    return cancel(j) ? AKIN_E_CANCELLED : AKIN_OK;
}

static void say(job *j, const akin_progress *progress)
{
    j->last = *progress;
    if (progress->total > 0 && progress->done == progress->total)
        j->last.phase = NULL;
    j->told = now();
    if (j->thread)
        PyEval_RestoreThread(j->thread);
    PyObject *said = PyObject_CallFunction(j->progress, "sKK", progress->phase, (unsigned long long)progress->done,
                                           (unsigned long long)progress->total);
    j->raised = said == NULL;
    Py_XDECREF(said);
    if (j->thread)
        j->thread = PyEval_SaveThread();
}

/* Tells that the phase at hand has come to its end, if that can be known. */
static void say_end(job *j)
{
    const akin_progress end = {j->last.phase, j->last.total, j->last.total};
    if (end.phase && end.total > 0 && j->progress && !j->raised)
        say(j, &end);
    j->last.phase = NULL;
}

static void tell(void *user, const akin_progress *progress)
{
    job *j = user;
    const akin_progress *last = &j->last;
    if (!j->progress || j->raised)
        return;
    if (last->phase &&
        (strcmp(last->phase, progress->phase) != 0 || last->total != progress->total || last->done > progress->done))
        say_end(j);
    if (!j->raised && (now() - j->told >= TELL || (progress->total > 0 && progress->done == progress->total)))
        say(j, progress);
}

int job_begin(job *j, state *module, PyObject *settings)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    unsigned long long memory, device_memory;
    unsigned int threads;
    *j = (job){.module = module};
    if (!tuple_take(settings, "IzKzKO:settings", &threads, &options.device, &memory, &options.temporary, &device_memory,
                    &j->progress))
        return 0;
    if (j->progress == Py_None)
        j->progress = NULL;
    options.threads = threads;
    options.memory = memory;
    options.device_memory = device_memory;
    options.cancel = cancel;
    options.progress = tell; /* also if there is nobody to be told: a later call of the job may have somebody */
    options.user = j;
    job_leave(j); /* a GPU may take a second to open */
    akin_status status = akin_context_create(&options, &j->context, &j->error);
    status = job_return(j, status);
    if (status == AKIN_OK)
        return 1;
    job_fail(j, status);
    return 0;
}

int job_again(job *j, PyObject *settings)
{
    if (j->thread) {
        PyErr_SetString(PyExc_RuntimeError, "in use: one call at a time");
        return 0;
    }
    PyObject *progress = PyTuple_Check(settings) ? PyTuple_GetItem(settings, 5) : NULL;
    if (!progress) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "expected settings, a tuple");
        return 0;
    }
    j->progress = progress == Py_None ? NULL : progress;
    j->error = (akin_error){.code = AKIN_OK};
    j->raised = 0;
    j->looked = j->told = 0;
    j->last.phase = NULL;
    return 1;
}

int job_of_path(state *module, PyObject *args, job_on_path act, void *user)
{
    PyObject *settings, *path;
    job j;
    if (!PyArg_ParseTuple(args, "OO&", &settings, PyUnicode_FSConverter, &path))
        return 0;
    if (!job_begin(&j, module, settings)) {
        Py_DECREF(path);
        return 0;
    }
    j.path = PyBytes_AsString(path);
    job_leave(&j);
    akin_status status = act(&j, j.path, user);
    status = job_return(&j, status);
    job_end(&j);
    if (status != AKIN_OK)
        job_fail(&j, status);
    Py_DECREF(path);
    return status == AKIN_OK;
}

void job_leave(job *j)
{
    j->thread = PyEval_SaveThread();
}

akin_status job_return(job *j, akin_status status)
{
    PyThreadState *thread = j->thread;
    j->thread = NULL;
    PyEval_RestoreThread(thread);
    if (status == AKIN_OK)
        say_end(j);
    return status == AKIN_OK && j->raised ? AKIN_E_CANCELLED : status;
}

void job_end(job *j)
{
    akin_context_free(j->context);
    j->context = NULL;
}

/* What the system has refused: FileNotFoundError and the like, by errno, with the name of the file where the message begins with it. */
static void raise_system(const job *j, PyObject *message)
{
    const size_t length = j->path ? strlen(j->path) : 0;
    if (length > 0 && strncmp(j->error.message, j->path, length) == 0 && j->error.message[length] == ':') {
        errno = j->error.system;
        PyErr_SetFromErrnoWithFilename(PyExc_OSError, j->path);
        return;
    }
    PyObject *error = PyObject_CallFunction(PyExc_OSError, "iO", j->error.system, message);
    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
}

PyObject *job_fail(const job *j, akin_status status)
{
    const state *s = j->module;
    PyObject *kind = s->error;
    if (PyErr_Occurred())
        return NULL;
    switch (status) {
    case AKIN_E_NOMEM:
        kind = PyExc_MemoryError;
        break;
    case AKIN_E_OPTION:
        kind = s->option_error;
        break;
    case AKIN_E_INPUT:
        kind = s->input_error;
        break;
    case AKIN_E_LIMIT:
        kind = s->limit_error;
        break;
    case AKIN_E_IO:
        kind = PyExc_OSError;
        break;
    case AKIN_E_DEVICE:
        kind = s->device_error;
        break;
    default:
        break;
    }
    /* What it quotes may be bytes that are not UTF-8, or end within a character. */
    PyObject *message = PyUnicode_DecodeUTF8(j->error.message, (Py_ssize_t)strlen(j->error.message), "replace");
    if (message && j->error.system != 0 && (status == AKIN_E_IO || status == AKIN_E_INPUT))
        raise_system(j, message);
    else if (message)
        PyErr_SetObject(kind, message);
    Py_XDECREF(message);
    return NULL;
}
