/* Facts about the build, the machine and saved files. */
#include "module.h"

#include <string.h>

static PyObject *describe_device(const akin_device_info *d)
{
    return Py_BuildValue("{s:s,s:K,s:s,s:I}", "name", d->name, "memory", (unsigned long long)d->memory, "capability",
                         "", "multiprocessors", (unsigned int)d->multiprocessors);
}

/* GPUs as a list of dictionaries; one that cannot be described is left out. */
static PyObject *list_devices(job *j, uint32_t count)
{
    PyObject *list = PyList_New(0);
    for (uint32_t i = 0; list && i < count; i++) {
        akin_device_info d = {.size = sizeof d};
        if (akin_context_device_info(j->context, i, &d, &j->error) != AKIN_OK)
            continue;
        PyObject *about = describe_device(&d);
        PyObject *capability = about ? PyUnicode_FromFormat("%u.%u", d.capability / 10, d.capability % 10) : NULL;
        if (!capability || PyDict_SetItemString(about, "capability", capability) < 0 || PyList_Append(list, about) < 0)
            Py_CLEAR(list);
        Py_XDECREF(capability);
        Py_XDECREF(about);
    }
    return list;
}

static PyObject *info(PyObject *module, PyObject *settings)
{
    job j;
    akin_info i = {.size = sizeof i};
    if (!job_begin(&j, state_of(module), settings))
        return NULL;
    job_leave(&j);
    akin_status status = akin_context_info(j.context, &i, &j.error);
    status = job_return(&j, status);
    PyObject *devices = status == AKIN_OK ? list_devices(&j, i.devices) : NULL;
    job_end(&j);
    if (status != AKIN_OK)
        return job_fail(&j, status);
    if (!devices)
        return NULL;
    return Py_BuildValue("{s:s,s:s,s:s,s:I,s:s,s:N,s:I,s:I,s:s,s:s,s:s,s:s,s:s}", "version", i.version, "cpu", i.cpu,
                         "cpu_best", i.cpu_best, "threads", (unsigned int)i.threads, "device", i.device, "devices",
                         devices, "cuda", (unsigned int)i.cuda, "cuda_driver", (unsigned int)i.cuda_driver, "zlib",
                         i.zlib, "zstd", i.zstd, "xxhash", i.xxhash, "utf8proc", i.utf8proc, "unicode", i.unicode);
}

/* measure(settings) -> for each kind of step, its time here divided by its time on the planner's machine */
static PyObject *measure(PyObject *module, PyObject *settings)
{
    job j;
    akin_calibration c = {.size = sizeof c};
    if (!job_begin(&j, state_of(module), settings))
        return NULL;
    job_leave(&j);
    akin_status status = akin_context_measure(j.context, &c, &j.error);
    status = job_return(&j, status);
    job_end(&j);
    if (status != AKIN_OK)
        return job_fail(&j, status);
    return Py_BuildValue("(ddddddd)", c.index, c.screened, c.bitmap, c.gpu_open, c.gpu_transfer, c.gpu_compare,
                         c.gpu_verify);
}

static PyObject *value_of(const akin_fact *fact)
{
    switch (fact->form) {
    case AKIN_FACT_TEXT:
        return fact->text ? PyUnicode_DecodeUTF8(fact->text, (Py_ssize_t)strlen(fact->text), "replace")
                          : Py_NewRef(Py_None);
    case AKIN_FACT_COUNT:
        return PyLong_FromUnsignedLongLong(fact->count);
    case AKIN_FACT_NUMBER:
        return PyFloat_FromDouble(fact->number);
    case AKIN_FACT_FLAG:
        break;
    }
    return PyBool_FromLong(fact->count != 0);
}

static akin_status describe_by(job *j, const char *path, void *out)
{
    return akin_saved_describe(j->context, path, out, &j->error);
}

/* saved(settings, path) -> [(name, value), ...] */
static PyObject *saved(PyObject *module, PyObject *args)
{
    akin_saved *found = NULL;
    const akin_fact *fact;
    if (!job_of_path(state_of(module), args, describe_by, &found))
        return NULL;
    PyObject *list = PyList_New(0);
    for (uint32_t i = 0; list && (fact = akin_saved_fact(found, i)); i++) {
        PyObject *one = Py_BuildValue("(sN)", fact->name, value_of(fact));
        if (!one || PyList_Append(list, one) != 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    akin_saved_free(found);
    return list;
}

PyMethodDef info_functions[] = {
    {"saved", saved, METH_VARARGS, "saved(settings, path) -> list"},
    {"measure", measure, METH_O, "measure(settings) -> tuple"},
    {"info", info, METH_O, "info(settings) -> dict"},
    {NULL, NULL, 0, NULL},
};
