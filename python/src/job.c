/* Jobs: the library works without the interpreter, and asks it from time to time whether to continue. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "module.h"

#include <string.h>
#include <time.h>

/* Seconds between two looks for signals, and between two calls of the progress callback. */
#define LOOK 0.02
#define TELL 0.05

#define SETTINGS_PROGRESS 7 /* its place among the settings; the limits are before it */

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

akin_status job_poll(job *j)
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
    PyObject *said = PyObject_CallFunction(j->progress, "sKKz", progress->phase, (unsigned long long)progress->done,
                                           (unsigned long long)progress->total, progress->unit);
    j->raised = said == NULL;
    Py_XDECREF(said);
    if (j->thread)
        j->thread = PyEval_SaveThread();
}

/* Reports the end of the current phase, if its total is known. */
static void say_end(job *j)
{
    const akin_progress end = {j->last.phase, j->last.total, j->last.total, j->last.unit};
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

/* Sets limits: a tuple of pairs of an akin_limit and a number. */
static akin_status set_limits(job *j, PyObject *limits)
{
    akin_status status = AKIN_OK;
    if (!PyTuple_Check(limits)) {
        PyErr_SetString(PyExc_TypeError, "the limits of the settings are not a tuple");
        return AKIN_E_OPTION;
    }
    const Py_ssize_t count = PyTuple_Size(limits);
    for (Py_ssize_t i = 0; i < count && status == AKIN_OK; i++) {
        int limit;
        unsigned long long most;
        if (!tuple_take(PyTuple_GetItem(limits, i), "iK:limit", &limit, &most))
            return AKIN_E_OPTION;
        status = akin_context_limit(j->context, (akin_limit)limit, most, &j->error);
    }
    return count < 0 ? AKIN_E_OPTION : status;
}

/* Warns of what the library notes. */
static void note(void *user, const char *text)
{
    job *j = user;
    if (j->raised)
        return;
    if (j->thread)
        PyEval_RestoreThread(j->thread);
    j->raised = PyErr_WarnEx(PyExc_UserWarning, text, 1) < 0;
    if (j->thread)
        j->thread = PyEval_SaveThread();
}

/* Begins a job whose saved files are mapped, or read into memory, and checked wholly, or as they are read. */
static int begin(job *j, state *module, PyObject *settings, int mapped, int verify)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    unsigned long long memory, device_memory;
    unsigned int threads;
    int sync;
    PyObject *limits;
    *j = (job){.module = module};
    if (!tuple_take(settings, "IzKzKpOO:settings", &threads, &options.device, &memory, &options.temporary,
                    &device_memory, &sync, &limits, &j->progress))
        return 0;
    if (j->progress == Py_None)
        j->progress = NULL;
    options.threads = threads;
    options.memory = memory == AKIN_NO_CEILING ? 0 : memory;
    options.ceiling = memory == AKIN_NO_CEILING ? AKIN_NO_CEILING : 0;
    options.device_memory = device_memory;
    options.cancel = cancel;
    options.progress = tell; /* also without a callback: a later call of the job may have one */
    options.user = j;
    options.opener = &store_opener;
    options.sync = sync;
    options.note = note;
    options.unmapped = !mapped;
    options.verify = verify;
    job_leave(j); /* a GPU may take a second to open */
    akin_status status = akin_context_create(&options, &j->context, &j->error);
    if (status == AKIN_OK)
        status = akin_context_use(j->context, akin_papers(), &j->error);
    status = job_return(j, status);
    if (status == AKIN_OK)
        status = set_limits(j, limits);
    if (status == AKIN_OK)
        return 1;
    job_end(j);
    job_fail(j, status);
    return 0;
}

int job_begin(job *j, state *module, PyObject *settings)
{
    return begin(j, module, settings, 0, 0);
}

int job_again(job *j, PyObject *settings)
{
    if (j->thread) {
        PyErr_SetString(PyExc_RuntimeError, "in use: one call at a time");
        return 0;
    }
    PyObject *progress = PyTuple_Check(settings) ? PyTuple_GetItem(settings, SETTINGS_PROGRESS) : NULL;
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
    const akin_status status = set_limits(j, PyTuple_GetItem(settings, SETTINGS_PROGRESS - 1));
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

int job_of_path(state *module, PyObject *args, job_on_path act, void *user)
{
    PyObject *settings, *path;
    int mapped = 0, verify = 0;
    job j;
    if (!PyArg_ParseTuple(args, "OO&|pp", &settings, PyUnicode_FSConverter, &path, &mapped, &verify))
        return 0;
    if (!begin(&j, module, settings, mapped, verify)) {
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
    status = akin_context_conclude(j->context, status, &j->error);
    if (status == AKIN_OK)
        say_end(j);
    return status == AKIN_OK && j->raised ? AKIN_E_CANCELLED : status;
}

void job_end(job *j)
{
    akin_context_free(j->context);
    j->context = NULL;
}

/* ------------------------------------------------------------------------------------------------------- exceptions */

/* Text of the library. What it quotes may be bytes that are not UTF-8, or end within a character. */
static PyObject *text_of(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *text_or_none(const char *text)
{
    return *text ? text_of(text) : Py_NewRef(Py_None);
}

/* The name of a reason in the table "reasons"; None if it has none. */
static PyObject *reason_of(akin_reason reason)
{
    const akin_choice *row = akin_choice_of_value("reasons", (int)reason);
    return row ? PyUnicode_FromString(row->name) : Py_NewRef(Py_None);
}

/* Sets an attribute to a value that is new, and may be NULL. Whether that was done. */
static int take_attribute(PyObject *exception, const char *name, PyObject *value)
{
    const int done = value && PyObject_SetAttrString(exception, name, value) == 0;
    Py_XDECREF(value);
    return done;
}

/* Sets the attributes of an exception, which programs read. */
static int add_fields(PyObject *exception, const akin_error *e)
{
    return take_attribute(exception, "reason", reason_of(e->reason)) &&
           take_attribute(exception, "row",
                          e->row == AKIN_NO_ROW ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(e->row)) &&
           take_attribute(exception, "column", text_or_none(e->column)) &&
           take_attribute(exception, "line", e->line ? PyLong_FromUnsignedLongLong(e->line) : Py_NewRef(Py_None)) &&
           take_attribute(exception, "word", text_or_none(e->word)) &&
           take_attribute(exception, "meant", text_or_none(e->meant)) &&
           take_attribute(exception, "option", text_or_none(e->option));
}

/* The exception of a failed system call: FileNotFoundError and others by errno, with the name of a file. */
static PyObject *system_error(const akin_error *e, const char *path)
{
    if (!path || (e->reason != AKIN_REASON_NO_FILE && e->reason != AKIN_REASON_FILE))
        return PyObject_CallFunction(PyExc_OSError, "iN", e->system, text_of(e->message));
    return PyObject_CallFunction(PyExc_OSError, "isN", e->system, strerror(e->system), PyUnicode_DecodeFSDefault(path));
}

static PyObject *kind_of(const state *s, akin_status status)
{
    switch (status) {
    case AKIN_E_NOMEM:
        return PyExc_MemoryError;
    case AKIN_E_OPTION:
        return s->option_error;
    case AKIN_E_INPUT:
        return s->input_error;
    case AKIN_E_LIMIT:
        return s->limit_error;
    case AKIN_E_IO:
        return PyExc_OSError;
    case AKIN_E_DEVICE:
        return s->device_error;
    default:
        return s->error;
    }
}

PyObject *error_raise(const state *s, akin_status status, const akin_error *error, const char *path)
{
    akin_error known = *error;
    PyObject *exception;
    if (known.code == AKIN_OK) /* nothing has filled it */
        known.row = AKIN_NO_ROW;
    if (error->system != 0 && (status == AKIN_E_IO || status == AKIN_E_INPUT))
        exception = system_error(error, path);
    else
        exception = PyObject_CallFunction(kind_of(s, status), "N", text_of(error->message));
    if (exception && add_fields(exception, &known))
        PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    Py_XDECREF(exception);
    return NULL;
}

PyObject *job_fail(const job *j, akin_status status)
{
    return PyErr_Occurred() ? NULL : error_raise(j->module, status, &j->error, j->path);
}
