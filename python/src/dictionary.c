/* Frozen dictionaries: words and their ids, as a compressed trie. */
#include "module.h"

/* As an object of Python, which holds it from now on; where an exception is set it is freed. */
static PyObject *wrap(state *s, akin_trie *made)
{
    trie *wrapped = PyErr_Occurred() ? NULL : PyObject_New(trie, s->trie_type);
    if (wrapped)
        wrapped->trie = made;
    else
        akin_trie_free(made);
    return (PyObject *)wrapped;
}

static void trie_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    akin_trie_free(((trie *)self)->trie);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* build_trie(settings, words, kind): of the first column of an input */
static PyObject *build_trie(PyObject *module, PyObject *args)
{
    PyObject *settings, *words;
    const input *in;
    const char *kind;
    akin_trie_options options = AKIN_TRIE_OPTIONS_INIT;
    akin_trie *made = NULL;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!s:build_trie", &settings, s->input_type, &words, &kind) ||
        !input_take(s, words, 1, &in))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    akin_column *columns = input_columns(in);
    akin_status status = AKIN_E_NOMEM;
    if (columns) {
        status = akin_trie_kind_parse(akin_papers(), kind, &options.kind, &j.error);
        job_leave(&j);
        if (status == AKIN_OK)
            status = akin_trie_build(j.context, columns, akin_table_rows(in->table), &options, &made, &j.error);
        status = job_return(&j, status);
    }
    PyMem_Free(columns);
    job_end(&j);
    if (status != AKIN_OK)
        job_fail(&j, status);
    return wrap(s, made);
}

static akin_status open_by(job *j, const char *path, void *out)
{
    return akin_trie_open(j->context, path, out, &j->error);
}

static PyObject *open_trie(PyObject *module, PyObject *args)
{
    state *s = state_of(module);
    akin_trie *opened = NULL;
    job_of_path(s, args, open_by, &opened);
    return wrap(s, opened);
}

/* ------------------------------------------------------------------------------------------------------- looking up */

/* The ids of all rows; null if the dictionary lacks the word. */
static akin_status look_up_all(job *j, const akin_trie *t, const akin_column *words, uint32_t rows, akin_frame **out)
{
    static const akin_type types[] = {AKIN_TYPE_U32};
    void *data[1];
    akin_status status = akin_frame_create(j->context, 1, types, (const char *const[]){"id"}, out, &j->error);
    if (status != AKIN_OK)
        return status;
    status = akin_frame_extend(*out, rows, data, &j->error);
    if (status == AKIN_OK)
        status = akin_trie_look_up(j->context, t, words, rows, data[0], &j->error);
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++)
        if (((const uint32_t *)data[0])[row] == AKIN_TRIE_UNKNOWN)
            status = akin_frame_set_null(*out, 0, row, &j->error);
    return status;
}

static PyObject *trie_look_up(PyObject *self, PyObject *args)
{
    PyObject *settings, *words;
    state *s = PyType_GetModuleState(Py_TYPE(self));
    const input *in;
    akin_frame *made = NULL;
    job j;
    if (!PyArg_ParseTuple(args, "OO!:look_up", &settings, s->input_type, &words) || !input_take(s, words, 1, &in))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    akin_column *columns = input_columns(in);
    akin_status status = AKIN_E_NOMEM;
    if (columns) {
        job_leave(&j);
        status = look_up_all(&j, ((trie *)self)->trie, columns, akin_table_rows(in->table), &made);
        status = job_return(&j, status);
    }
    PyMem_Free(columns);
    job_end(&j);
    return frame_of_job(&j, status, made);
}

/* find(word): its id, or None */
static PyObject *trie_find(PyObject *self, PyObject *word)
{
    Py_ssize_t length;
    uint32_t id;
    const char *bytes = PyUnicode_AsUTF8AndSize(word, &length);
    if (!bytes)
        return NULL;
    return akin_trie_find(((trie *)self)->trie, bytes, (size_t)length, &id) ? PyLong_FromUnsignedLong(id)
                                                                            : Py_NewRef(Py_None);
}

/* string(id): the word. It is UTF-8, except in damaged files. */
static PyObject *trie_string(PyObject *self, PyObject *number)
{
    const akin_trie *t = ((trie *)self)->trie;
    akin_trie_statistics known = {.size = sizeof known};
    state *s = PyType_GetModuleState(Py_TYPE(self));
    job j = {.module = s};
    size_t length = 0;
    unsigned long id = PyLong_AsUnsignedLong(number);
    if (id == (unsigned long)-1 && PyErr_Occurred())
        return NULL;
    if (id >= akin_trie_count(t)) {
        PyErr_Format(PyExc_IndexError, "there is no id %lu, only %lu of them", id, (unsigned long)akin_trie_count(t));
        return NULL;
    }
    akin_trie_describe(t, &known, NULL);
    char *room = PyMem_Malloc((size_t)known.longest + 1);
    if (!room)
        return PyErr_NoMemory();
    akin_status status = akin_trie_string(t, (uint32_t)id, room, known.longest, &length, &j.error);
    PyObject *word =
        status == AKIN_OK ? PyUnicode_DecodeUTF8(room, (Py_ssize_t)length, "replace") : job_fail(&j, status);
    PyMem_Free(room);
    return word;
}

static akin_status save_by(job *j, const char *path, void *t)
{
    return akin_trie_save(j->context, t, path, &j->error);
}

static PyObject *trie_save(PyObject *self, PyObject *args)
{
    state *s = PyType_GetModuleState(Py_TYPE(self));
    return job_of_path(s, args, save_by, ((trie *)self)->trie) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *trie_describe(PyObject *self, PyObject *unused)
{
    akin_trie_statistics t = {.size = sizeof t};
    (void)unused;
    akin_trie_describe(((trie *)self)->trie, &t, NULL);
    return Py_BuildValue("{s:s,s:I,s:I,s:I,s:I,s:I,s:K,s:K,s:K}", "kind", akin_trie_kind_name(akin_papers(), t.kind),
                         "words", t.words, "nodes", t.nodes, "symbols", t.symbols, "rare", t.rare, "longest", t.longest,
                         "bytes", (unsigned long long)t.bytes, "bytes_beside", (unsigned long long)t.bytes_beside,
                         "bytes_table", (unsigned long long)t.bytes_table);
}

/* --------------------------------------------------------------------------------------------------------- the type */

static PyMethodDef methods[] = {
    {"look_up", trie_look_up, METH_VARARGS, "look_up(settings, words) -> Frame"},
    {"find", trie_find, METH_O, "find(word) -> int or None"},
    {"string", trie_string, METH_O, "string(id) -> str"},
    {"save", trie_save, METH_VARARGS, "save(settings, path)"},
    {"describe", trie_describe, METH_NOARGS, "describe() -> dict"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)trie_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)"Words and their ids."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "akin._akin.Trie",
    .basicsize = sizeof(trie),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

PyTypeObject *trie_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

PyMethodDef dictionary_functions[] = {
    {"build_trie", build_trie, METH_VARARGS, "build_trie(settings, words, kind) -> Trie"},
    {"open_trie", open_trie, METH_VARARGS, "open_trie(settings, path, mapped=False) -> Trie"},
    {NULL, NULL, 0, NULL},
};
