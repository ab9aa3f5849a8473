/* Sets of token ids that go into a job. */
#include "module.h"

/* As an object of Python, which holds it from now on; where an exception is set it is freed. */
static PyObject *wrap(state *s, akin_sets *made)
{
    sets *wrapped = PyErr_Occurred() ? NULL : PyObject_New(sets, s->sets_type);
    if (wrapped)
        wrapped->sets = made;
    else
        akin_sets_free(made);
    return (PyObject *)wrapped;
}

static void sets_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    akin_sets_free(((sets *)self)->sets);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Whether all offsets, uint64, are those of tokens that there are; an exception is set if not. */
static int check_offsets(state *s, const Py_buffer *offsets, const Py_buffer *tokens)
{
    const uint64_t *at = offsets->buf;
    const size_t count = (size_t)offsets->len / sizeof *at, most = (size_t)tokens->len / sizeof(uint32_t);
    if (!buffer_check(offsets, sizeof *at) || !buffer_check(tokens, sizeof(uint32_t)))
        return 0;
    if (count == 0) {
        PyErr_SetString(PyExc_TypeError, "expected offsets, one more than there are sets");
        return 0;
    }
    if (count - 1 >= UINT32_MAX) {
        PyErr_Format(s->limit_error, "%zu sets; expected fewer than 2**32 - 1", count - 1);
        return 0;
    }
    if (at[count - 1] > most) {
        PyErr_SetString(s->input_error, "offsets end behind the last token");
        return 0;
    }
    return 1; /* that they never decrease is the library's to check */
}

/* sets(settings, offsets, tokens): set i has tokens[offsets[i]] and those before tokens[offsets[i + 1]]. */
static PyObject *sets_of(PyObject *module, PyObject *args)
{
    state *s = state_of(module);
    PyObject *settings, *made = NULL;
    Py_buffer offsets, tokens;
    akin_sets *all = NULL;
    job j;
    if (!PyArg_ParseTuple(args, "Oy*y*:sets", &settings, &offsets, &tokens))
        return NULL;
    if (check_offsets(s, &offsets, &tokens) && job_begin(&j, s, settings)) {
        const uint32_t rows = (uint32_t)((size_t)offsets.len / sizeof(uint64_t) - 1);
        job_leave(&j);
        akin_status status = akin_sets_from_arrays(j.context, rows, offsets.buf, tokens.buf, &all, &j.error);
        status = job_return(&j, status);
        job_end(&j);
        if (status != AKIN_OK)
            job_fail(&j, status);
        made = wrap(s, all);
    }
    PyBuffer_Release(&offsets);
    PyBuffer_Release(&tokens);
    return made;
}

static akin_status read_by(job *j, const char *path, void *out)
{
    return akin_sets_read(j->context, path, out, &j->error);
}

/* read_sets(settings, path): lines of token ids, or an .akin file of sets. */
static PyObject *read_sets(PyObject *module, PyObject *args)
{
    state *s = state_of(module);
    akin_sets *read = NULL;
    job_of_path(s, args, read_by, &read);
    return wrap(s, read);
}

static PyObject *get_rows(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLong(akin_sets_rows(((sets *)self)->sets));
}

static akin_status save_by(job *j, const char *path, void *all)
{
    akin_output *output = NULL;
    akin_status status = akin_output_open(j->context, path, &output, &j->error);
    if (status == AKIN_OK)
        status = akin_sets_write(j->context, all, output, &j->error);
    if (status == AKIN_OK)
        return akin_output_commit(output, &j->error);
    akin_output_discard(output);
    return status;
}

/* save(settings, path): an .akin file, which appears whole or not at all. */
static PyObject *sets_save(PyObject *self, PyObject *args)
{
    state *s = PyType_GetModuleState(Py_TYPE(self));
    return job_of_path(s, args, save_by, ((sets *)self)->sets) ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef methods[] = {
    {"save", sets_save, METH_VARARGS, "save(settings, path)"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef getters[] = {
    {"rows", get_rows, NULL, "The number of sets.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)sets_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {Py_tp_doc, (void *)"Sets of token ids that go into a job."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "akin._akin.Sets",
    .basicsize = sizeof(sets),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

PyTypeObject *sets_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

PyMethodDef sets_functions[] = {
    {"sets", sets_of, METH_VARARGS, "sets(settings, offsets, tokens) -> Sets"},
    {"read_sets", read_sets, METH_VARARGS, "read_sets(settings, path) -> Sets"},
    {NULL, NULL, 0, NULL},
};
