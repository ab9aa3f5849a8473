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

static PyObject *wrap(state *s, akin_index *index)
{
    rank_index *made = PyObject_New(rank_index, s->rank_index_type);
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

/* index(settings, weights) */
static PyObject *make_index(PyObject *module, PyObject *args)
{
    PyObject *settings, *from;
    akin_index *index;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!:index", &settings, s->weights_type, &from))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    job_leave(&j);
    akin_status status = akin_index_create(j.context, ((weights *)from)->weights, NULL, &index, &j.error);
    job_return(&j);
    job_end(&j);
    return status == AKIN_OK ? wrap(s, index) : job_fail(&j, status);
}

static akin_status open_by(job *j, const char *path, void *out)
{
    return akin_index_open(j->context, path, out, &j->error);
}

/* open_index(settings, path) */
static PyObject *open_index(PyObject *module, PyObject *args)
{
    akin_index *index;
    state *s = state_of(module);
    return job_of_path(s, args, open_by, &index) ? wrap(s, index) : NULL;
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
    job_return(&made->job);
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

/* Hits on their way into a frame. */
typedef struct hits {
    akin_frame *frame;
    akin_status status;
    akin_error error;
} hits;

static int take_hits(void *user, const akin_ranking_hit *found, size_t count)
{
    hits *h = user;
    void *data[3];
    h->status = akin_frame_extend(h->frame, count, data, &h->error);
    if (h->status != AKIN_OK)
        return 1;
    for (size_t i = 0; i < count; i++) {
        ((uint32_t *)data[0])[i] = found[i].query;
        ((uint32_t *)data[1])[i] = found[i].document;
        ((double *)data[2])[i] = found[i].score;
    }
    return 0;
}

/* rank(settings, queries) */
static PyObject *ranking_rank(PyObject *self, PyObject *args)
{
    static const akin_type types[] = {AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_F64};
    static const char *const names[] = {"query", "document", "score"};
    state *s = PyType_GetModuleState(Py_TYPE(self));
    ranking *r = (ranking *)self;
    job *j = &r->job;
    PyObject *settings, *queries;
    hits h = {.status = AKIN_OK};
    if (!PyArg_ParseTuple(args, "OO!:rank", &settings, s->input_type, &queries))
        return NULL;
    const input *in = (const input *)queries;
    akin_column *columns = job_again(j, settings) ? input_columns(in) : NULL;
    if (!columns)
        return NULL;
    akin_status status = akin_frame_create(j->context, 3, types, names, &h.frame, &j->error);
    if (status == AKIN_OK) {
        job_leave(j);
        status = akin_ranking_run(r->ranking, columns, akin_table_columns(in->table), akin_table_rows(in->table),
                                  take_hits, &h, &j->error);
        job_return(j);
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
    {"rank", ranking_rank, METH_VARARGS, "rank(settings, queries) -> Frame"},
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
    {"index", make_index, METH_VARARGS, "index(settings, weights) -> RankIndex"},
    {"open_index", open_index, METH_VARARGS, "open_index(settings, path) -> RankIndex"},
    {NULL, NULL, 0, NULL},
};
