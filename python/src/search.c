/* Indexes of documents, rows and sequences, and searches in them. */
#include "text.h"

typedef struct searcher {
    PyObject_HEAD akin_search_index *index;
} searcher;

static void searcher_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    akin_search_index_free(((searcher *)self)->index);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *wrap(state *s, akin_search_index *index)
{
    searcher *made = PyObject_New(searcher, s->searcher_type);
    if (made)
        made->index = index;
    else
        akin_search_index_free(index);
    return (PyObject *)made;
}

/* ---------------------------------------------------------------------------------------------------------- building */

/* What objects are, and how they become keywords: of a tuple (kind, text or None, numeric columns, bins, ngram). */
typedef struct plan {
    int kind;
    akin_text_options text;
    akin_rows_options rows;
    akin_sequences_options sequences;
} plan;

static int take_plan(plan *p, PyObject *spec)
{
    PyObject *text, *numeric;
    unsigned int bins, ngram;
    p->rows = (akin_rows_options)AKIN_ROWS_OPTIONS_INIT;
    p->sequences = (akin_sequences_options)AKIN_SEQUENCES_OPTIONS_INIT;
    if (!PyArg_ParseTuple(spec, "iOO!II:plan", &p->kind, &text, &PyTuple_Type, &numeric, &bins, &ngram))
        return 0;
    p->rows.bins = bins;
    p->sequences.ngram = ngram;
    Py_ssize_t count = PyTuple_Size(numeric);
    const char **names = PyMem_Malloc((size_t)(count + 1) * sizeof *names);
    if (!names) {
        PyErr_NoMemory();
        return 0;
    }
    p->rows.numeric = names;
    p->rows.numeric_count = (uint32_t)count;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!(names[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(numeric, i), NULL)))
            return 0;
    return text == Py_None || text_take(text, &p->text);
}

static akin_status build_by(job *j, const plan *p, const akin_column *columns, uint32_t count, uint32_t rows,
                            akin_search_index **out)
{
    switch (p->kind) {
    case AKIN_KIND_DOCUMENTS:
        return akin_search_index_of_documents(j->context, columns, count, rows, &p->text, NULL, out, &j->error);
    case AKIN_KIND_ROWS:
        return akin_search_index_of_rows(j->context, columns, count, rows, &p->rows, NULL, out, &j->error);
    default:
        return akin_search_index_of_sequences(j->context, columns, rows, &p->sequences, NULL, out, &j->error);
    }
}

/* build(settings, objects, plan) */
static PyObject *build(PyObject *module, PyObject *args)
{
    PyObject *settings, *objects, *spec, *made = NULL;
    state *s = state_of(module);
    akin_search_index *index;
    plan p = {0};
    job j;
    if (!PyArg_ParseTuple(args, "OO!O:build", &settings, s->input_type, &objects, &spec))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    const input *in = (const input *)objects;
    akin_column *columns = input_columns(in);
    if (columns && take_plan(&p, spec)) {
        job_leave(&j);
        akin_status status =
            build_by(&j, &p, columns, akin_table_columns(in->table), akin_table_rows(in->table), &index);
        job_return(&j);
        made = status == AKIN_OK ? wrap(s, index) : job_fail(&j, status);
    }
    text_clear(&p.text);
    PyMem_Free((void *)p.rows.numeric);
    PyMem_Free(columns);
    job_end(&j);
    return made;
}

/* open_search(settings, path) */
static PyObject *open_search(PyObject *module, PyObject *args)
{
    PyObject *settings, *path;
    akin_search_index *index;
    job j;
    if (!PyArg_ParseTuple(args, "OO&:open_search", &settings, PyUnicode_FSConverter, &path))
        return NULL;
    if (!job_begin(&j, state_of(module), settings)) {
        Py_DECREF(path);
        return NULL;
    }
    const char *name = PyBytes_AsString(path);
    job_leave(&j);
    akin_status status = akin_search_index_open(j.context, name, &index, &j.error);
    job_return(&j);
    job_end(&j);
    Py_DECREF(path);
    return status == AKIN_OK ? wrap(j.module, index) : job_fail(&j, status);
}

static PyObject *searcher_save(PyObject *self, PyObject *args)
{
    PyObject *settings, *path;
    job j;
    if (!PyArg_ParseTuple(args, "OO&:save", &settings, PyUnicode_FSConverter, &path))
        return NULL;
    if (!job_begin(&j, PyType_GetModuleState(Py_TYPE(self)), settings)) {
        Py_DECREF(path);
        return NULL;
    }
    const char *name = PyBytes_AsString(path);
    job_leave(&j);
    akin_status status = akin_search_index_save(j.context, ((searcher *)self)->index, name, &j.error);
    job_return(&j);
    job_end(&j);
    Py_DECREF(path);
    return status == AKIN_OK ? Py_NewRef(Py_None) : job_fail(&j, status);
}

/* describe() -> (kind, objects, keywords, bytes) */
static PyObject *searcher_describe(PyObject *self, PyObject *unused)
{
    (void)unused;
    akin_search_statistics s = {.size = sizeof s};
    akin_search_index_describe(((searcher *)self)->index, &s, NULL); /* of a size that can be */
    return Py_BuildValue("(iIIK)", (int)s.kind, (unsigned int)s.objects, (unsigned int)s.keywords,
                         (unsigned long long)s.bytes);
}

/* --------------------------------------------------------------------------------------------------------- searching */

/* Hits on their way into a frame: query, object, count or distance, and similarity or whether it is certified. */
typedef struct found {
    akin_frame *frame;
    int has_similarity, has_certificate;
    akin_status status;
    akin_error error;
} found;

static int take_hits(void *user, const akin_search_hit *hits, size_t count)
{
    found *f = user;
    void *data[4];
    f->status = akin_frame_extend(f->frame, count, data, &f->error);
    if (f->status != AKIN_OK)
        return 1;
    for (size_t i = 0; i < count; i++) {
        ((uint32_t *)data[0])[i] = hits[i].query;
        ((uint32_t *)data[1])[i] = hits[i].object;
        ((uint32_t *)data[2])[i] = hits[i].count;
        if (f->has_similarity)
            ((double *)data[3])[i] = hits[i].similarity;
        else if (f->has_certificate)
            ((unsigned char *)data[3])[i] = hits[i].certificate != AKIN_CERTIFICATE_NONE;
    }
    return 0;
}

static akin_status begin_frame(job *j, const akin_search_index *index, const akin_search_options *options, found *f)
{
    akin_search_statistics s = {.size = sizeof s};
    akin_search_index_describe(index, &s, NULL);
    f->has_certificate = s.kind == AKIN_KIND_SEQUENCES;
    f->has_similarity = !f->has_certificate && options->measure != AKIN_OVERLAP;
    const akin_type types[] = {AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_U32,
                               f->has_similarity ? AKIN_TYPE_F64 : AKIN_TYPE_BOOL};
    const char *const names[] = {"query", "object", f->has_certificate ? "distance" : "count",
                                 f->has_similarity ? "similarity" : "certified"};
    return akin_frame_create(j->context, f->has_similarity || f->has_certificate ? 4 : 3, types, names, &f->frame,
                             &j->error);
}

/* (k, technique, tolerance, least, candidates, one_round, measure, weights of columns or None); weights are freed with PyMem_Free. */
static int take_options(job *j, PyObject *spec, uint32_t columns, akin_search_options *out)
{
    const char *technique;
    PyObject *weights;
    unsigned int k, tolerance, least, candidates;
    int one_round, measure;
    if (!PyArg_ParseTuple(spec, "IsIIIpiO:options", &k, &technique, &tolerance, &least, &candidates, &one_round,
                          &measure, &weights))
        return 0;
    out->k = k;
    out->tolerance = tolerance;
    out->least = least;
    out->candidates = candidates;
    out->one_round = (uint32_t)one_round;
    out->measure = (akin_measure)measure;
    akin_status status = akin_search_technique_parse(technique, &out->technique, &j->error);
    if (status != AKIN_OK || weights == Py_None) {
        if (status != AKIN_OK)
            job_fail(j, status);
        return status == AKIN_OK;
    }
    uint32_t *own = PyMem_Malloc((columns + (size_t)1) * sizeof *own);
    if (!own) {
        PyErr_NoMemory();
        return 0;
    }
    out->weights = own;
    for (uint32_t i = 0; i < columns; i++)
        own[i] = (uint32_t)PyLong_AsUnsignedLong(PyTuple_GetItem(weights, i));
    return !PyErr_Occurred();
}

/* search(settings, queries, options) */
static PyObject *searcher_search(PyObject *self, PyObject *args)
{
    state *s = PyType_GetModuleState(Py_TYPE(self));
    const akin_search_index *index = ((searcher *)self)->index;
    PyObject *settings, *queries, *spec, *made = NULL;
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    found f = {.status = AKIN_OK};
    job j;
    if (!PyArg_ParseTuple(args, "OO!O:search", &settings, s->input_type, &queries, &spec))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    const input *in = (const input *)queries;
    const uint32_t count = akin_table_columns(in->table);
    akin_column *columns = input_columns(in);
    if (columns && take_options(&j, spec, count, &options)) {
        akin_status status = begin_frame(&j, index, &options, &f);
        if (status == AKIN_OK) {
            job_leave(&j);
            status = akin_search(j.context, index, columns, count, akin_table_rows(in->table), &options, take_hits, &f,
                                 NULL, &j.error);
            job_return(&j);
        }
        if (f.status != AKIN_OK) {
            status = f.status;
            j.error = f.error;
        }
        if (status == AKIN_OK)
            made = frame_wrap(s, f.frame);
        else
            akin_frame_free(f.frame);
        if (status != AKIN_OK)
            job_fail(&j, status);
    }
    PyMem_Free((void *)options.weights);
    PyMem_Free(columns);
    job_end(&j);
    return made;
}

static PyMethodDef methods[] = {
    {"describe", searcher_describe, METH_NOARGS, "describe() -> (kind, objects, keywords, bytes)"},
    {"search", searcher_search, METH_VARARGS, "search(settings, queries, options) -> Frame"},
    {"save", searcher_save, METH_VARARGS, "save(settings, path)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)searcher_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)"An index of objects to be searched."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "akin._akin.Searcher",
    .basicsize = sizeof(searcher),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

PyTypeObject *searcher_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

PyMethodDef search_functions[] = {
    {"build", build, METH_VARARGS, "build(settings, objects, plan) -> Searcher"},
    {"open_search", open_search, METH_VARARGS, "open_search(settings, path) -> Searcher"},
    {NULL, NULL, 0, NULL},
};
