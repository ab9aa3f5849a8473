/* Indexes of weighted documents, and rankings by them. */
#include "weights.h"

typedef struct rank_index {
    PyObject_HEAD akin_index *index;
} rank_index;

/* What is made of an index to rank by it, above all its copy on a GPU. One thread at a time may use it. */
typedef struct ranking {
    PyObject_HEAD PyObject *index;
    job job;
    akin_ranking *ranking;
} ranking;

/* ------------------------------------------------------------------------------------------------------------ indexes */

/* As an object of Python, which holds it from now on; where an exception is set it is freed. */
static PyObject *wrap(state *s, akin_index *index)
{
    rank_index *made = PyErr_Occurred() ? NULL : PyObject_New(rank_index, s->rank_index_type);
    if (made)
        made->index = index;
    else
        akin_index_free(index);
    return (PyObject *)made;
}

static void rank_index_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    akin_index_free(((rank_index *)self)->index);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* index(settings, weights, names of documents or None): these the first column of an Input, a row each */
static PyObject *make_index(PyObject *module, PyObject *args)
{
    PyObject *settings, *from, *names, *made = NULL;
    akin_weights_statistics weighed = {.size = sizeof weighed};
    akin_column column;
    const input *in;
    akin_index *index = NULL;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!O:index", &settings, s->weights_type, &from, &names) ||
        !input_take(s, names, 1, &in))
        return NULL;
    const akin_weights *weights_of = ((weights *)from)->weights;
    akin_weights_describe(weights_of, &weighed, NULL);
    if (in && akin_table_rows(in->table) != weighed.documents) {
        PyErr_SetString(PyExc_ValueError, "there are not as many names as documents");
        return NULL;
    }
    if (!job_begin(&j, s, settings))
        return NULL;
    if (ids_take(&j, in, in ? 0 : -1, &column)) {
        job_leave(&j);
        akin_status status = akin_index_create(j.context, weights_of, in ? &column : NULL, &index, &j.error);
        status = job_return(&j, status);
        if (status != AKIN_OK)
            job_fail(&j, status);
        made = wrap(s, index);
    }
    job_end(&j);
    return made;
}

static akin_status open_by(job *j, const char *path, void *out)
{
    return akin_index_open(j->context, path, out, &j->error);
}

/* open_index(settings, path) */
static PyObject *open_index(PyObject *module, PyObject *args)
{
    akin_index *index = NULL;
    state *s = state_of(module);
    job_of_path(s, args, open_by, &index);
    return wrap(s, index);
}

static akin_status save_by(job *j, const char *path, void *index)
{
    return akin_index_save(j->context, index, path, &j->error);
}

static PyObject *rank_index_save(PyObject *self, PyObject *args)
{
    akin_index *index = ((rank_index *)self)->index;
    return job_of_path(PyType_GetModuleState(Py_TYPE(self)), args, save_by, index) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *rank_index_figures(PyObject *self, PyObject *unused)
{
    (void)unused;
    akin_index_statistics s = {.size = sizeof s};
    akin_index_describe(((rank_index *)self)->index, &s, NULL); /* of a size that can be */
    return figures(s.documents, s.terms, s.words, s.pairs);
}

/* ----------------------------------------------------------------------------------------------------------- rankings */

/* ranking(settings, k): a GPU that is asked for by name has the index from now on. */
static PyObject *rank_index_ranking(PyObject *self, PyObject *args)
{
    state *s = PyType_GetModuleState(Py_TYPE(self));
    akin_rank_options options = AKIN_RANK_OPTIONS_INIT;
    PyObject *settings;
    unsigned int k;
    if (!PyArg_ParseTuple(args, "OI:ranking", &settings, &k))
        return NULL;
    ranking *made = PyObject_New(ranking, s->ranking_type);
    if (!made)
        return NULL;
    made->index = Py_NewRef(self);
    made->ranking = NULL;
    if (!job_begin(&made->job, s, settings)) {
        Py_DECREF(made);
        return NULL;
    }
    options.k = k;
    job_leave(&made->job);
    akin_status status =
        akin_ranking_create(made->job.context, ((rank_index *)self)->index, &options, &made->ranking, &made->job.error);
    status = job_return(&made->job, status);
    if (status == AKIN_OK)
        return (PyObject *)made;
    job_fail(&made->job, status);
    Py_DECREF(made);
    return NULL;
}

static void ranking_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ranking *r = (ranking *)self;
    akin_ranking_free(r->ranking);
    job_end(&r->job);
    Py_DECREF(r->index);
    PyObject_Free(self);
    Py_DECREF(type);
}

enum { QUERY, QUERY_ID, DOCUMENT, DOCUMENT_ID, SCORE, COLUMNS };

/* Hits on their way into a frame. */
typedef struct hits {
    const akin_index *index;
    akin_column ids; /* of queries; offsets NULL: they have none */
    akin_frame *frame;
    int at[COLUMNS]; /* where a column is in the frame; -1: nowhere */
    akin_status status;
    akin_error error;
} hits;

static int put_names(hits *h, const akin_ranking_hit *found, size_t count)
{
    for (size_t i = 0; i < count && h->status == AKIN_OK; i++) {
        const char *bytes = NULL;
        size_t length = 0;
        if (h->at[QUERY_ID] >= 0) {
            const uint64_t *offsets = h->ids.offsets + found[i].query;
            h->status = akin_frame_add_text(h->frame, (uint32_t)h->at[QUERY_ID], h->ids.bytes + offsets[0],
                                            offsets[1] - offsets[0], &h->error);
        }
        if (h->at[DOCUMENT_ID] >= 0 && h->status == AKIN_OK) {
            akin_index_name(h->index, found[i].document, &bytes, &length);
            h->status = akin_frame_add_text(h->frame, (uint32_t)h->at[DOCUMENT_ID], bytes, length, &h->error);
        }
    }
    return h->status != AKIN_OK;
}

static int take_hits(void *user, const akin_ranking_hit *found, size_t count)
{
    hits *h = user;
    void *data[COLUMNS];
    h->status = akin_frame_extend(h->frame, count, data, &h->error);
    if (h->status != AKIN_OK)
        return 1;
    for (size_t i = 0; i < count; i++) {
        ((uint32_t *)data[h->at[QUERY]])[i] = found[i].query;
        ((uint32_t *)data[h->at[DOCUMENT]])[i] = found[i].document;
        ((double *)data[h->at[SCORE]])[i] = found[i].score;
    }
    return put_names(h, found, count);
}

static akin_status begin_frame(job *j, hits *h)
{
    static const char *const all[] = {"query", "query_id", "document", "document_id", "score"};
    static const akin_type kinds[] = {AKIN_TYPE_U32, AKIN_TYPE_TEXT, AKIN_TYPE_U32, AKIN_TYPE_TEXT, AKIN_TYPE_F64};
    akin_type types[COLUMNS];
    const char *names[COLUMNS];
    akin_index_statistics s = {.size = sizeof s};
    uint32_t count = 0;
    akin_index_describe(h->index, &s, NULL); /* of a size that can be */
    for (int c = 0; c < COLUMNS; c++) {
        const int has = c == QUERY_ID ? h->ids.offsets != NULL : c == DOCUMENT_ID ? s.named != 0 : 1;
        h->at[c] = has ? (int)count : -1;
        if (!has)
            continue;
        names[count] = all[c];
        types[count++] = kinds[c];
    }
    return akin_frame_create(j->context, count, types, names, &h->frame, &j->error);
}

/* rank(settings, queries, how many of their columns are text, the column of their ids or -1) */
static PyObject *ranking_rank(PyObject *self, PyObject *args)
{
    state *s = PyType_GetModuleState(Py_TYPE(self));
    ranking *r = (ranking *)self;
    job *j = &r->job;
    PyObject *settings, *queries;
    const input *in;
    unsigned int count;
    int id;
    hits h = {.index = ((rank_index *)r->index)->index, .status = AKIN_OK};
    if (!PyArg_ParseTuple(args, "OO!Ii:rank", &settings, s->input_type, &queries, &count, &id) ||
        !input_take(s, queries, count, &in))
        return NULL;
    akin_column *columns = job_again(j, settings) && ids_take(j, in, id, &h.ids) ? input_columns(in) : NULL;
    if (!columns)
        return NULL;
    akin_status status = begin_frame(j, &h);
    if (status == AKIN_OK) {
        job_leave(j);
        status = akin_ranking_run(r->ranking, columns, count, akin_table_rows(in->table), take_hits, &h, &j->error);
        status = job_return(j, status);
    }
    PyMem_Free(columns);
    if (h.status != AKIN_OK) {
        status = h.status;
        j->error = h.error;
    }
    if (status == AKIN_OK)
        return frame_wrap(s, h.frame);
    akin_frame_free(h.frame);
    return job_fail(j, status);
}

/* ---------------------------------------------------------------------------------------------------------- the types */

static PyMethodDef rank_index_methods[] = {
    {"figures", rank_index_figures, METH_NOARGS, "figures() -> (documents, terms, words, pairs)"},
    {"ranking", rank_index_ranking, METH_VARARGS, "ranking(settings, k) -> Ranking"},
    {"save", rank_index_save, METH_VARARGS, "save(settings, path)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot rank_index_slots[] = {
    {Py_tp_dealloc, (void *)rank_index_dealloc},
    {Py_tp_methods, rank_index_methods},
    {Py_tp_doc, (void *)"An index of weighted documents."},
    {0, NULL},
};

static PyType_Spec rank_index_spec = {
    .name = "akin._akin.RankIndex",
    .basicsize = sizeof(rank_index),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = rank_index_slots,
};

static PyMethodDef ranking_methods[] = {
    {"rank", ranking_rank, METH_VARARGS, "rank(settings, queries, count, id) -> Frame"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot ranking_slots[] = {
    {Py_tp_dealloc, (void *)ranking_dealloc},
    {Py_tp_methods, ranking_methods},
    {Py_tp_doc, (void *)"What ranks by an index, one thread at a time."},
    {0, NULL},
};

static PyType_Spec ranking_spec = {
    .name = "akin._akin.Ranking",
    .basicsize = sizeof(ranking),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = ranking_slots,
};

PyTypeObject *rank_index_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &rank_index_spec, NULL);
}

PyTypeObject *ranking_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &ranking_spec, NULL);
}

PyMethodDef ranking_functions[] = {
    {"index", make_index, METH_VARARGS, "index(settings, weights, names) -> RankIndex"},
    {"open_index", open_index, METH_VARARGS, "open_index(settings, path) -> RankIndex"},
    {NULL, NULL, 0, NULL},
};
