/* Clusters of pairs, and the evaluation of pairs and rankings. */
#include "clusters.h"

#include "stats.h"

#include <stdio.h>
#include <stdlib.h>

#define AT_ONCE ((size_t)1 << 18) /* pairs that are put together in one call */
#define WARNING 256               /* bytes of a warning that is kept */

/* Pairs on their way to clusters. */
typedef struct edges {
    const uint32_t *left, *right;
    const double *similarities; /* NULL: they are not known */
    size_t count;
    uint32_t rows[2];
    akin_clusters_options how;
    uint32_t least; /* rows of a cluster that is a result */
} edges;

static akin_status add_pairs(job *j, akin_clusters *clusters, const edges *e)
{
    akin_status status = AKIN_OK;
    akin_pair *some = malloc(AT_ONCE * sizeof *some);
    if (!some)
        return akin_error_set(&j->error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "out of memory: the pairs");
    for (size_t done = 0; done < e->count && status == AKIN_OK;) {
        size_t now = e->count - done < AT_ONCE ? e->count - done : AT_ONCE;
        for (size_t i = 0; i < now; i++)
            some[i] = (akin_pair){.left = e->left[done + i], .right = e->right[done + i]};
        status = akin_clusters_connect(j->context, clusters, some, e->similarities ? e->similarities + done : NULL, now,
                                       &j->error);
        done += now;
    }
    free(some);
    return status == AKIN_OK ? akin_clusters_close(j->context, clusters, &j->error) : status;
}

akin_status clusters_put(job *j, const akin_clusters *clusters, uint32_t least, akin_frame **out)
{
    enum { ROW, CLUSTER, SIZE, FIRST, COLUMNS };
    static const akin_type types[COLUMNS] = {AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_U32, AKIN_TYPE_U32};
    static const char *const names[COLUMNS] = {"row", "cluster", "size", "representative"};
    const uint32_t rows = akin_clusters_rows(clusters);
    uint32_t *numbers = malloc(((size_t)rows + 1) * sizeof *numbers);
    akin_status status = AKIN_E_NOMEM;
    if (numbers)
        status = akin_frame_create(j->context, COLUMNS, types, names, out, &j->error);
    else
        akin_error_set(&j->error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "out of memory: the numbers of clusters");
    if (status == AKIN_OK)
        akin_clusters_number(clusters, numbers);
    for (uint32_t row = 0, end; row < rows && status == AKIN_OK; row = end) {
        void *data[COLUMNS];
        uint32_t count = 0, at = 0;
        end = rows - row < LOOK_EVERY ? rows : row + LOOK_EVERY;
        for (uint32_t i = row; i < end; i++)
            count += akin_clusters_size(clusters, i) >= least;
        status = akin_frame_extend(*out, count, data, &j->error);
        for (uint32_t i = row; i < end && status == AKIN_OK; i++) {
            if (akin_clusters_size(clusters, i) < least)
                continue;
            ((uint32_t *)data[ROW])[at] = i;
            ((uint32_t *)data[CLUSTER])[at] = numbers[i];
            ((uint32_t *)data[SIZE])[at] = akin_clusters_size(clusters, i);
            ((uint32_t *)data[FIRST])[at++] = akin_clusters_row(clusters, i);
        }
        if (status == AKIN_OK)
            status = job_poll(j);
    }
    free(numbers);
    return status;
}

static akin_status connect(job *j, const edges *e, akin_frame **out, akin_clusters_shape *shape)
{
    akin_clusters *clusters = NULL;
    akin_status status = akin_clusters_create_by(j->context, e->rows[0], e->rows[1], &e->how, &clusters, &j->error);
    if (status == AKIN_OK)
        status = add_pairs(j, clusters, e);
    if (status == AKIN_OK)
        status = akin_clusters_describe(clusters, shape, &j->error);
    if (status == AKIN_OK)
        status = clusters_put(j, clusters, e->least, out);
    akin_clusters_free(clusters);
    return status;
}

/* components(settings, left, right, similarities, rows left, rows right, (clustering, numerator, denominator), least)
 * -> (Frame, [warning,
 * ...]): of two buffers of uint32, and one of doubles or None. */
static PyObject *components(PyObject *module, PyObject *args)
{
    PyObject *settings;
    Py_buffer left, right, similarities;
    unsigned int rows_left, rows_right, least;
    akin_clusters_options how = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters_shape shape = {.size = sizeof shape};
    akin_frame *made = NULL;
    job j;
    if (!PyArg_ParseTuple(args, "Oy*y*z*II(III)I:components", &settings, &left, &right, &similarities, &rows_left,
                          &rows_right, &how.clustering, &how.parameter.num, &how.parameter.den, &least))
        return NULL;
    akin_status status = AKIN_OK;
    const size_t count = (size_t)left.len / sizeof(uint32_t);
    const int fits = left.len == right.len && (!similarities.buf || (size_t)similarities.len == count * sizeof(double));
    int begun = buffer_check(&left, sizeof(uint32_t)) && buffer_check(&right, sizeof(uint32_t)) &&
                (!similarities.buf || buffer_check(&similarities, sizeof(double))) && fits &&
                job_begin(&j, state_of(module), settings);
    if (begun) {
        const edges e = {left.buf, right.buf, similarities.buf, count, {rows_left, rows_right}, how, least};
        job_leave(&j);
        status = connect(&j, &e, &made, &shape);
        status = job_return(&j, status);
        job_end(&j);
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "there are not as many left rows as right ones, or as similarities");
    }
    PyBuffer_Release(&left);
    PyBuffer_Release(&right);
    PyBuffer_Release(&similarities);
    PyObject *frame = begun ? frame_of_job(&j, status, made) : NULL, *warnings = frame ? PyList_New(0) : NULL;
    if (warnings)
        akin_clusters_warn(&shape, count, stats_add_warning, &warnings);
    return stats_beside(frame, warnings);
}

/* evaluate(settings, pairs, gold, linked, closed, related): tables of two columns of ids. */
static PyObject *evaluate(PyObject *module, PyObject *args)
{
    PyObject *settings, *pairs, *gold;
    int linked, closed, related;
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_evaluation e;
    const input *found, *known;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!O!ppp:evaluate", &settings, s->input_type, &pairs, s->input_type, &gold, &linked,
                          &closed, &related))
        return NULL;
    if (!input_take(s, pairs, 2, &found) || !input_take(s, gold, 2, &known))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    options.linked = (uint32_t)linked;
    options.closed = (uint32_t)closed;
    options.related = (uint32_t)related;
    akin_status status = AKIN_OK;
    akin_column *left = input_columns(found), *right = input_columns(known);
    const int fine = left && right;
    if (fine) {
        job_leave(&j);
        status = akin_evaluate(j.context, left, akin_table_rows(found->table), right, akin_table_rows(known->table),
                               &options, &e, &j.error);
        status = job_return(&j, status);
    }
    PyMem_Free(left);
    PyMem_Free(right);
    job_end(&j);
    if (!fine)
        return NULL;
    if (status != AKIN_OK)
        return job_fail(&j, status);
    return Py_BuildValue("(dddKKK)", e.precision, e.recall, e.f1, (unsigned long long)e.pairs,
                         (unsigned long long)e.gold, (unsigned long long)e.both);
}

/* (precision, recall, f1). */
static PyObject *quality_of(const akin_quality *q)
{
    return Py_BuildValue("(ddd)", q->precision, q->recall, q->f1);
}

/* The figures in the order of akin_cluster_evaluation; intervals are None, if there are none. */
static PyObject *evaluation_of_clusters(const akin_cluster_evaluation *e, int has_intervals)
{
    const akin_evaluation *p = &e->pairs;
    const akin_quality *const intervals[] = {&e->pairs_low, &e->pairs_high, &e->bcubed_low, &e->bcubed_high};
    PyObject *made[4];
    for (int i = 0; i < 4; i++)
        made[i] = has_intervals ? quality_of(intervals[i]) : Py_NewRef(Py_None);
    return Py_BuildValue("((dddKKK)KNKKKNNNNN)", p->precision, p->recall, p->f1, (unsigned long long)p->pairs,
                         (unsigned long long)p->gold, (unsigned long long)p->both, (unsigned long long)e->records,
                         quality_of(&e->bcubed), (unsigned long long)e->found_clusters,
                         (unsigned long long)e->gold_clusters, (unsigned long long)e->both_clusters,
                         quality_of(&e->clusters), made[0], made[1], made[2], made[3]);
}

/* evaluate_clusters(settings, pairs, gold, (left records, right records), linked, closed, related, bootstrap, seed):
 * tables of two columns of ids, then two of one column. */
static PyObject *evaluate_clusters(PyObject *module, PyObject *args)
{
    PyObject *settings, *given[4];
    int linked, closed, related;
    unsigned int bootstrap;
    unsigned long long seed;
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_cluster_evaluation e = {.size = sizeof e};
    const input *in[4];
    akin_column *columns[4] = {NULL, NULL, NULL, NULL};
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!O!(O!O!)pppIK:evaluate_clusters", &settings, s->input_type, &given[0],
                          s->input_type, &given[1], s->input_type, &given[2], s->input_type, &given[3], &linked,
                          &closed, &related, &bootstrap, &seed))
        return NULL;
    for (int i = 0; i < 4; i++)
        if (!input_take(s, given[i], i < 2 ? 2 : 1, &in[i]))
            return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    akin_status status = AKIN_OK;
    int fine = 1;
    for (int i = 0; i < 4 && fine; i++)
        fine = (columns[i] = input_columns(in[i])) != NULL;
    options.linked = (uint32_t)linked;
    options.closed = (uint32_t)closed;
    options.related = (uint32_t)related;
    options.bootstrap = bootstrap;
    options.seed = seed;
    for (int side = 0; side < 2; side++) {
        options.records[side] = columns[2 + side];
        options.record_rows[side] = akin_table_rows(in[2 + side]->table);
    }
    if (fine) {
        job_leave(&j);
        status = akin_evaluate_clusters(j.context, columns[0], akin_table_rows(in[0]->table), columns[1],
                                        akin_table_rows(in[1]->table), &options, &e, &j.error);
        status = job_return(&j, status);
    }
    for (int i = 0; i < 4; i++)
        PyMem_Free(columns[i]);
    job_end(&j);
    if (!fine)
        return NULL;
    return status == AKIN_OK ? evaluation_of_clusters(&e, bootstrap > 0) : job_fail(&j, status);
}

/* A sink of one warning, for a thread without the interpreter. */
static void keep_warning(void *user, const char *text)
{
    snprintf(user, WARNING, "%s", text);
}

/* evaluate_warnings(settings, pairs, gold, linked, (pairs, gold, both)): three lists, of what akin_evaluate_warn,
 * akin_evaluate_warn_swapped and akin_evaluate_warn_apart say of such tables and of their evaluation. */
static PyObject *evaluate_warnings(PyObject *module, PyObject *args)
{
    PyObject *settings, *pairs, *gold, *lists[3] = {NULL, NULL, NULL};
    int linked;
    char text[WARNING] = "";
    unsigned long long counts[3];
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    const input *found, *known;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!O!p(KKK):evaluate_warnings", &settings, s->input_type, &pairs, s->input_type, &gold,
                          &linked, &counts[0], &counts[1], &counts[2]) ||
        !input_take(s, pairs, 2, &found) || !input_take(s, gold, 2, &known) || !job_begin(&j, s, settings))
        return NULL;
    const akin_evaluation evaluation = {.pairs = counts[0], .gold = counts[1], .both = counts[2]};
    options.linked = (uint32_t)linked;
    akin_column *left = input_columns(found), *right = input_columns(known);
    const uint32_t lefts = akin_table_rows(found->table), rights = akin_table_rows(known->table);
    int fine = left && right;
    akin_status status = AKIN_OK;
    for (int i = 0; i < 3 && fine; i++)
        fine = (lists[i] = PyList_New(0)) != NULL;
    if (fine) {
        akin_evaluate_warn(left, lefts, right, rights, &options, stats_add_warning, &lists[0]);
        job_leave(&j);
        status = akin_evaluate_warn_swapped(j.context, left, lefts, right, rights, &options, &evaluation, keep_warning,
                                            text, &j.error);
        status = job_return(&j, status);
        if (status == AKIN_OK && *text)
            stats_add_warning(&lists[1], text);
        akin_evaluate_warn_apart(left, lefts, right, rights, &evaluation, stats_add_warning, &lists[2]);
    }
    PyMem_Free(left);
    PyMem_Free(right);
    job_end(&j);
    if (fine && status == AKIN_OK && lists[0] && lists[1] && lists[2])
        return Py_BuildValue("(NNN)", lists[0], lists[1], lists[2]);
    for (int i = 0; i < 3; i++)
        Py_XDECREF(lists[i]);
    return fine && status != AKIN_OK ? job_fail(&j, status) : NULL;
}

/* A row for each threshold. */
static akin_status put_curve(job *j, const akin_evaluation *points, akin_frame **out)
{
    enum { COLUMNS = 7 };
    static const akin_type types[COLUMNS] = {AKIN_TYPE_F64, AKIN_TYPE_F64, AKIN_TYPE_F64, AKIN_TYPE_F64,
                                             AKIN_TYPE_U64, AKIN_TYPE_U64, AKIN_TYPE_U64};
    static const char *const names[COLUMNS] = {"threshold", "precision", "recall", "f1", "pairs", "gold", "both"};
    void *data[COLUMNS];
    akin_status status = akin_frame_create(j->context, COLUMNS, types, names, out, &j->error);
    if (status != AKIN_OK)
        return status;
    status = akin_frame_extend(*out, AKIN_CURVE_POINTS, data, &j->error);
    for (int i = 0; i < AKIN_CURVE_POINTS && status == AKIN_OK; i++) {
        const double numbers[] = {i / 100.0, points[i].precision, points[i].recall, points[i].f1};
        const uint64_t counts[] = {points[i].pairs, points[i].gold, points[i].both};
        for (int c = 0; c < 4; c++)
            ((double *)data[c])[i] = numbers[c];
        for (int c = 0; c < 3; c++)
            ((uint64_t *)data[4 + c])[i] = counts[c];
    }
    return status;
}

/* evaluate_curve(settings, pairs, similarities, gold, linked, closed, related): the similarities are a buffer of
 * doubles, one for each pair. */
static PyObject *evaluate_curve(PyObject *module, PyObject *args)
{
    PyObject *settings, *pairs, *gold, *made = NULL;
    Py_buffer similarities;
    int linked, closed, related;
    akin_evaluate_options options = AKIN_EVALUATE_OPTIONS_INIT;
    akin_evaluation points[AKIN_CURVE_POINTS];
    const input *found, *known;
    akin_frame *frame = NULL;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!y*O!ppp:evaluate_curve", &settings, s->input_type, &pairs, &similarities,
                          s->input_type, &gold, &linked, &closed, &related))
        return NULL;
    options.linked = (uint32_t)linked;
    options.closed = (uint32_t)closed;
    options.related = (uint32_t)related;
    const int fine = input_take(s, pairs, 2, &found) && input_take(s, gold, 2, &known) &&
                     buffer_check(&similarities, sizeof(double));
    const uint32_t rows = fine ? akin_table_rows(found->table) : 0;
    if (fine && (uint64_t)similarities.len != rows * (uint64_t)sizeof(double)) {
        PyErr_SetString(PyExc_ValueError, "there are not as many similarities as pairs");
    } else if (fine && job_begin(&j, s, settings)) {
        akin_column *left = input_columns(found), *right = input_columns(known);
        if (left && right) {
            job_leave(&j);
            akin_status status = akin_evaluate_curve(j.context, left, similarities.buf, rows, right,
                                                     akin_table_rows(known->table), &options, points, &j.error);
            if (status == AKIN_OK)
                status = put_curve(&j, points, &frame);
            status = job_return(&j, status);
            made = frame_of_job(&j, status, frame);
        }
        PyMem_Free(left);
        PyMem_Free(right);
        job_end(&j);
    }
    PyBuffer_Release(&similarities);
    return made;
}

/* evaluate_trec(settings, run, judgements): names of files. */
static PyObject *evaluate_trec(PyObject *module, PyObject *args)
{
    PyObject *settings, *run, *judgements;
    akin_trec_evaluation e = {.size = sizeof e};
    job j;
    if (!PyArg_ParseTuple(args, "OO&O&:evaluate_trec", &settings, PyUnicode_FSConverter, &run, PyUnicode_FSConverter,
                          &judgements))
        return NULL;
    akin_status status = AKIN_OK;
    const int begun = job_begin(&j, state_of(module), settings);
    if (begun) {
        const char *paths[] = {PyBytes_AsString(run), PyBytes_AsString(judgements)};
        job_leave(&j);
        status = akin_evaluate_trec(j.context, paths[0], paths[1], &e, &j.error);
        status = job_return(&j, status);
        job_end(&j);
    }
    Py_DECREF(run);
    Py_DECREF(judgements);
    if (!begun)
        return NULL;
    if (status != AKIN_OK)
        return job_fail(&j, status);
    return Py_BuildValue("{s:d,s:d,s:d,s:d,s:d,s:I,s:I,s:K,s:K}", "ndcg_10", e.ndcg_10, "map", e.map, "p_10", e.p_10,
                         "r_100", e.r_100, "mrr", e.mrr, "queries", e.queries, "answered", e.answered, "found",
                         (unsigned long long)e.found, "relevant", (unsigned long long)e.relevant);
}

PyMethodDef clusters_functions[] = {
    {"components", components, METH_VARARGS,
     "components(settings, left, right, similarities, rows_left, rows_right, clustering, least) -> Frame"},
    {"evaluate", evaluate, METH_VARARGS, "evaluate(settings, pairs, gold, linked, closed, related) -> tuple"},
    {"evaluate_clusters", evaluate_clusters, METH_VARARGS,
     "evaluate_clusters(settings, pairs, gold, (left, right), linked, closed, related, bootstrap, seed) -> tuple"},
    {"evaluate_warnings", evaluate_warnings, METH_VARARGS,
     "evaluate_warnings(settings, pairs, gold, linked, (pairs, gold, both)) -> (list, list, list)"},
    {"evaluate_curve", evaluate_curve, METH_VARARGS,
     "evaluate_curve(settings, pairs, similarities, gold, linked, closed, related) -> Frame"},
    {"evaluate_trec", evaluate_trec, METH_VARARGS, "evaluate_trec(settings, run, judgements) -> dict"},
    {NULL, NULL, 0, NULL},
};
