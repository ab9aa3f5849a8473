/* Files that Python makes up the bytes of, written as the library writes its own. */
#include "module.h"

/* Writes a piece; others may have the interpreter meanwhile, as a pipe may have to be waited for. */
static akin_status write_piece(job *j, akin_output *output, PyObject *piece)
{
    char *bytes;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(piece, &bytes, &length) < 0)
        return AKIN_E_CANCELLED;
    job_leave(j);
    akin_status status = akin_output_write(output, bytes, (size_t)length, &j->error);
    return job_return(j, status);
}

static akin_status write_pieces(job *j, akin_output *output, PyObject *pieces)
{
    akin_status status = AKIN_OK;
    PyObject *piece;
    while (status == AKIN_OK && (piece = PyIter_Next(pieces))) {
        status = write_piece(j, output, piece);
        Py_DECREF(piece);
    }
    return status == AKIN_OK && PyErr_Occurred() ? AKIN_E_CANCELLED : status;
}

static akin_status open_output(job *j, const char *path, akin_output **out)
{
    job_leave(j);
    akin_status status = akin_output_open(j->context, path, out, &j->error);
    return job_return(j, status);
}

static akin_status commit(job *j, akin_output *output)
{
    job_leave(j);
    akin_status status = akin_output_commit(output, &j->error);
    return job_return(j, status);
}

static akin_status write_all(job *j, const char *path, PyObject *pieces)
{
    akin_output *output = NULL;
    akin_status status = open_output(j, path, &output);
    if (status == AKIN_OK)
        status = write_pieces(j, output, pieces);
    if (status == AKIN_OK)
        return commit(j, output);
    akin_output_discard(output);
    return status;
}

/* write_file(settings, path, pieces): of an iterator of bytes; the file appears whole or not at all. */
static PyObject *write_file(PyObject *module, PyObject *args)
{
    PyObject *settings, *path, *pieces;
    akin_status status = AKIN_OK;
    job j;
    if (!PyArg_ParseTuple(args, "OO&O:write_file", &settings, PyUnicode_FSConverter, &path, &pieces))
        return NULL;
    int begun = 0;
    if (!PyIter_Check(pieces))
        PyErr_SetString(PyExc_TypeError, "expected an iterator of bytes");
    else
        begun = job_begin(&j, state_of(module), settings);
    if (begun) {
        j.path = PyBytes_AsString(path);
        status = write_all(&j, j.path, pieces);
        job_end(&j);
    }
    PyObject *result = !begun ? NULL : status == AKIN_OK ? Py_NewRef(Py_None) : job_fail(&j, status);
    Py_DECREF(path);
    return result;
}

PyMethodDef output_functions[] = {
    {"write_file", write_file, METH_VARARGS, "write_file(settings, path, pieces)"},
    {NULL, NULL, 0, NULL},
};
