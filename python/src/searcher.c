/* Searchers: what is made of an index to search it, above all its copy on a GPU. */
#include "search_index.h"

#include "frame.h"

#include <string.h>

/* One thread at a time may use it. */
typedef struct searcher {
    PyObject_HEAD PyObject *index;
    job job;
    akin_searcher *searcher;
} searcher;

PyObject *searcher_make(PyObject *index, PyObject *settings)
{
    state *s = PyType_GetModuleState(Py_TYPE(index));
    searcher *made = PyObject_New(searcher, s->searcher_type);
    if (!made)
        return NULL;
    made->index = Py_NewRef(index);
    made->searcher = NULL;
    if (job_begin(&made->job, s, settings)) {
        akin_status status =
            akin_searcher_create(made->job.context, ((search_index *)index)->index, &made->searcher, &made->job.error);
        if (status == AKIN_OK)
            return (PyObject *)made;
        job_fail(&made->job, status);
    }
    Py_DECREF(made);
    return NULL;
}

static void searcher_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    searcher *s = (searcher *)self;
    akin_searcher_free(s->searcher);
    job_end(&s->job);
    Py_DECREF(s->index);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---------------------------------------------------------------------------------------------------------- results */

enum { QUERY, QUERY_ID, OBJECT, NAME, SCORE, COUNT, SIMILARITY, DISTANCE, CERTIFICATE, COLUMNS };

/* Hits on their way into a frame. */
typedef struct found {
    const akin_search_index *index;
    const akin_column *ids; /* of queries; NULL: they have none */
    akin_frame *frame;
    akin_type query_id, name; /* types of ids */
    int at[COLUMNS];          /* where a column is in the frame; -1: nowhere */
    int counts_edits;
    int is_ranking; /* its columns are called as those of akin rank */
    akin_status status;
    akin_error error;
} found;

/* Adds ids and certificates, which are text or were text. */
static int put_texts(found *f, const akin_search_hit *hits, size_t count, void *data[COLUMNS])
{
    const uint64_t before = akin_frame_rows(f->frame) - count;
    for (size_t i = 0; i < count && f->status == AKIN_OK; i++) {
        const char *bytes = NULL;
        size_t length = 0;
        if (f->ids) {
            const uint64_t *offsets = f->ids->offsets + hits[i].query;
            f->status = frame_put(f->frame, (uint32_t)f->at[QUERY_ID], f->query_id, data[f->at[QUERY_ID]], i,
                                  before + i, f->ids->bytes + offsets[0], offsets[1] - offsets[0], &f->error);
        }
        if (f->at[NAME] >= 0 && f->status == AKIN_OK) {
            akin_search_index_name(f->index, hits[i].object, &bytes, &length);
            f->status = frame_put(f->frame, (uint32_t)f->at[NAME], f->name, data[f->at[NAME]], i, before + i, bytes,
                                  length, &f->error);
        }
        if (f->at[CERTIFICATE] >= 0 && f->status == AKIN_OK) {
            const char *proof = akin_certificate_name(hits[i].certificate);
            f->status = akin_frame_add_text(f->frame, (uint32_t)f->at[CERTIFICATE], proof, strlen(proof), &f->error);
        }
    }
    return f->status != AKIN_OK;
}

static int take_hits(void *user, const akin_search_hit *hits, size_t count)
{
    found *f = user;
    void *data[COLUMNS];
    f->status = akin_frame_extend(f->frame, count, data, &f->error);
    if (f->status != AKIN_OK)
        return 1;
    for (size_t i = 0; i < count; i++) {
        ((uint32_t *)data[f->at[QUERY]])[i] = hits[i].query;
        ((uint32_t *)data[f->at[OBJECT]])[i] = hits[i].object;
        if (f->at[SCORE] >= 0)
            ((double *)data[f->at[SCORE]])[i] = hits[i].similarity;
        if (f->at[COUNT] >= 0)
            ((uint32_t *)data[f->at[COUNT]])[i] = hits[i].count;
        if (f->at[SIMILARITY] >= 0)
            ((double *)data[f->at[SIMILARITY]])[i] = hits[i].similarity;
        if (f->counts_edits)
            ((uint32_t *)data[f->at[DISTANCE]])[i] = hits[i].count;
        else if (f->at[DISTANCE] >= 0)
            ((double *)data[f->at[DISTANCE]])[i] = hits[i].distance;
    }
    return put_texts(f, hits, count, data);
}

/* The columns that objects of an index are found with: those of the command's results. */
static akin_status begin_frame(job *j, const akin_search_options *options, found *f)
{
    static const char *const all[2][COLUMNS] = {
        {"query", "query_id", "object", "id", "score", "count", "similarity", "distance", "certificate"},
        {"query", "query_id", "document", "document_id", "score", "count", "similarity", "distance", "certificate"}};
    akin_type types[] = {AKIN_TYPE_U32, AKIN_TYPE_TEXT, AKIN_TYPE_U32, AKIN_TYPE_TEXT, AKIN_TYPE_F64,
                         AKIN_TYPE_U32, AKIN_TYPE_F64,  AKIN_TYPE_F64, AKIN_TYPE_TEXT};
    const char *names[COLUMNS];
    akin_search_statistics s = {.size = sizeof s};
    uint32_t count = 0;
    akin_search_index_describe(f->index, &s, NULL); /* of a size that can be */
    unsigned values = akin_search_facts_of(s.kind, s.functions > 0)->values;
    if (options->measure != AKIN_OVERLAP && !(values & AKIN_HIT_EDITS))
        values |= AKIN_HIT_SIMILARITY;
    const int counts_edits = (values & AKIN_HIT_EDITS) != 0;
    const int has[COLUMNS] = {[QUERY] = 1,
                              [QUERY_ID] = f->ids != NULL,
                              [OBJECT] = 1,
                              [NAME] = s.named != 0,
                              [SCORE] = (values & AKIN_HIT_SCORE) != 0,
                              [COUNT] = (values & AKIN_HIT_COUNT) != 0,
                              [SIMILARITY] = (values & AKIN_HIT_SIMILARITY) != 0,
                              [DISTANCE] = (values & (AKIN_HIT_DISTANCE | AKIN_HIT_EDITS)) != 0,
                              [CERTIFICATE] = (values & AKIN_HIT_CERTIFICATE) != 0};
    f->counts_edits = counts_edits;
    types[DISTANCE] = counts_edits ? AKIN_TYPE_U32 : AKIN_TYPE_F64;
    types[QUERY_ID] = f->query_id;
    types[NAME] = f->name;
    for (int c = 0; c < COLUMNS; c++) {
        f->at[c] = has[c] ? (int)count : -1;
        if (!has[c])
            continue;
        names[count] = all[f->is_ranking][c];
        types[count++] = types[c];
    }
    return akin_frame_create(j->context, count, types, names, &f->frame, &j->error);
}

/* What a search did, as a dictionary. */
static PyObject *describe(const akin_search_report *r)
{
    akin_papers_search_report papers = {.size = sizeof papers};
    akin_papers_search_report_read(r, &papers, NULL);
    return Py_BuildValue(
        "{s:I,s:s,s:K,s:K,s:I,s:I,s:I,s:O,s:O,s:I,s:d,s:d,s:d,s:d,s:d,s:K,s:K,s:d,s:d,s:d}", "queries",
        (unsigned int)r->queries, "technique", akin_search_technique_name(akin_papers(), r->technique), "items",
        (unsigned long long)r->items, "found", (unsigned long long)r->found, "by_count", (unsigned int)r->by_count,
        "by_scan", (unsigned int)r->by_scan, "uncertified", (unsigned int)r->uncertified, "gpu",
        r->device ? Py_True : Py_False, "gpu_gave_up", r->given_up ? Py_True : Py_False, "parts",
        (unsigned int)r->parts, "predicted_lists", r->seconds_lists, "predicted_scan", r->seconds_scan, "predicted_gpu",
        r->seconds_device, "seconds_queries", r->seconds_queries, "seconds_search", r->seconds_search, "query_bytes",
        (unsigned long long)papers.query_bytes, "again", (unsigned long long)papers.again, "seconds_transfer",
        papers.seconds_transfer, "seconds_match", papers.seconds_match, "seconds_select", papers.seconds_select);
}

/* -------------------------------------------------------------------------------------------------------- searching */

/* (k, technique, tolerance, least, candidates, one_round, measure, load_balance, rerank, weights of columns or None);
 * the weights, `columns` of them, are freed with PyMem_Free; options of an annex are in `papers`. */
static int take_options(job *j, PyObject *spec, uint32_t columns, akin_search_options *out,
                        akin_papers_search_options *papers)
{
    const char *technique;
    PyObject *weights;
    unsigned int k, tolerance, least, candidates, rerank, within;
    int one_round, measure, load_balance;
    if (!tuple_take(spec, "IsIIIpipIOI:options", &k, &technique, &tolerance, &least, &candidates, &one_round, &measure,
                    &load_balance, &rerank, &weights, &within))
        return 0;
    out->k = k;
    out->tolerance = tolerance;
    out->least = least;
    out->candidates = candidates;
    out->one_round = (uint32_t)one_round;
    out->measure = (akin_measure)measure;
    papers->load_balance = (uint32_t)load_balance;
    out->annex = load_balance ? papers : NULL;
    out->rerank = rerank;
    out->within = within;
    akin_status status = akin_search_technique_parse(akin_papers(), technique, &out->technique, &j->error);
    if (status != AKIN_OK || weights == Py_None) {
        if (status != AKIN_OK)
            job_fail(j, status);
        return status == AKIN_OK;
    }
    if (!PyTuple_Check(weights) || PyTuple_Size(weights) != (Py_ssize_t)columns) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple of weights, one of each column");
        return 0;
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

static akin_status run_search(searcher *s, const objects *o, const akin_search_options *options, found *f,
                              akin_search_report *report)
{
    job *j = &s->job;
    if (o->sets)
        return akin_searcher_run_sets(s->searcher, o->sets, options, take_hits, f, report, &j->error);
    if (o->matrix)
        return akin_searcher_run_vectors(s->searcher, o->matrix, options, take_hits, f, report, &j->error);
    return akin_searcher_run(s->searcher, o->columns, o->count, o->rows, options, take_hits, f, report, &j->error);
}

static PyObject *search(searcher *s, const objects *o, const akin_search_options *options, int is_ranking,
                        const akin_type types[2])
{
    job *j = &s->job;
    akin_search_report report = {.size = sizeof report};
    found f = {.index = ((search_index *)s->index)->index,
               .ids = o->has_names ? &o->names : NULL,
               .query_id = types[0],
               .name = types[1],
               .is_ranking = is_ranking,
               .status = AKIN_OK};
    akin_status status = begin_frame(j, options, &f);
    if (status == AKIN_OK) {
        job_leave(j);
        status = run_search(s, o, options, &f, &report);
        status = job_return(j, status);
    }
    if (f.status != AKIN_OK) {
        status = f.status;
        j->error = f.error;
    }
    if (status != AKIN_OK) {
        akin_frame_free(f.frame);
        return job_fail(j, status);
    }
    PyObject *table = frame_wrap(j->module, f.frame);
    PyObject *told = table ? describe(&report) : NULL;
    if (told)
        return Py_BuildValue("(NN)", table, told);
    Py_XDECREF(table);
    return NULL;
}

static int check_ids(job *j, const objects *o)
{
    if (!o->has_names)
        return 1;
    job_leave(j);
    akin_status status = ids_check(j, &o->names, o->rows);
    status = job_return(j, status);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* search(settings, queries, the column of their ids or -1, options, whether it is a ranking, types of the ids of
 * queries and objects) -> (Frame, what was done) */
static PyObject *searcher_search(PyObject *self, PyObject *args)
{
    searcher *s = (searcher *)self;
    PyObject *settings, *queries, *spec, *made = NULL;
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    akin_papers_search_options papers = AKIN_PAPERS_SEARCH_OPTIONS_INIT;
    objects o;
    const char *names[2];
    int id, is_ranking;
    if (!PyArg_ParseTuple(args, "OOiOpss:search", &settings, &queries, &id, &spec, &is_ranking, &names[0], &names[1]) ||
        !job_again(&s->job, settings))
        return NULL;
    if (objects_take(&o, s->job.module, queries, id) && check_ids(&s->job, &o) &&
        take_options(&s->job, spec, o.count, &options, &papers))
        made = search(s, &o, &options, is_ranking, (akin_type[]){frame_type_of(names[0]), frame_type_of(names[1])});
    PyMem_Free((void *)options.weights);
    objects_clear(&o);
    return made;
}

/* --------------------------------------------------------------------------------------------------------- the type */

static PyMethodDef methods[] = {
    {"search", searcher_search, METH_VARARGS,
     "search(settings, queries, id, options, is_ranking, query type, object type) -> (Frame, dict)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)searcher_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)"What searches an index, one thread at a time."},
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
