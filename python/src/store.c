/* Files in stores of objects, whose bytes the module akin._stores reads. */
#include "module.h"

const akin_opener store_opener = {sizeof store_opener, NULL, NULL, store_open, store_read, store_close};

akin_status store_open(void *user, const char *path, void **file, uint64_t *size, akin_error *error)
{
    (void)user;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *module = PyImport_ImportModule("akin._stores"), *bytes = NULL, *length = NULL;
    if (module)
        bytes = PyObject_CallMethod(module, "open_bytes", "N", PyUnicode_DecodeFSDefault(path));
    if (bytes)
        length = PyObject_GetAttrString(bytes, "size");
    const unsigned long long known = length ? PyLong_AsUnsignedLongLong(length) : 0;
    const int is_open = bytes && length && !PyErr_Occurred();
    const akin_status status = is_open ? AKIN_OK : take_exception(error);
    if (is_open) {
        *file = Py_NewRef(bytes);
        *size = known;
    }
    Py_XDECREF(length);
    Py_XDECREF(bytes);
    Py_XDECREF(module);
    PyGILState_Release(state);
    return status;
}

akin_status store_read(void *file, void *to, size_t room, size_t *got, akin_error *error)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *view = PyMemoryView_FromMemory(to, (Py_ssize_t)room, PyBUF_WRITE);
    PyObject *count = view ? PyObject_CallMethod(file, "read", "O", view) : NULL;
    *got = count ? PyLong_AsSize_t(count) : 0;
    const akin_status status = PyErr_Occurred() ? take_exception(error) : AKIN_OK;
    Py_XDECREF(count);
    Py_XDECREF(view);
    PyGILState_Release(state);
    return status;
}

/* An exception that ends the job may be set meanwhile: it stays. */
void store_close(void *file)
{
    PyObject *type, *value, *traceback;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *done = PyObject_CallMethod(file, "close", NULL);
    if (!done)
        PyErr_WriteUnraisable(file);
    PyErr_Restore(type, value, traceback);
    Py_XDECREF(done);
    Py_DECREF((PyObject *)file);
    PyGILState_Release(state);
}
