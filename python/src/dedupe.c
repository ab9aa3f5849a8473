/* Duplicates and links: the pairs that a plan finds. */
#include "clusters.h"
#include "corpus.h"
#include "labelling.h"
#include "plan.h"
#include "report.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------------------ pairs */

typedef struct scored {
    akin_frame *frame;
    void **data; /* of each column of the frame */
    uint32_t attributes;
    akin_status status;
    akin_error error;
} scored;

static int take_scored(void *user, const akin_scored_pair *found, const double *each, size_t count)
{
    scored *s = user;
    void **data = s->data;
    const uint64_t before = akin_frame_rows(s->frame);
    s->status = akin_frame_extend(s->frame, count, data, &s->error);
    for (size_t i = 0; i < count && s->status == AKIN_OK; i++) {
        ((uint32_t *)data[0])[i] = found[i].left;
        ((uint32_t *)data[1])[i] = found[i].right;
        ((double *)data[2])[i] = found[i].similarity;
        for (uint32_t a = 0; a < s->attributes && s->status == AKIN_OK; a++) {
            double similarity = each[i * s->attributes + a];
            ((double *)data[3 + a])[i] = similarity;
            if (isnan(similarity))
                s->status = akin_frame_set_null(s->frame, 3 + a, before + i, &s->error);
        }
    }
    return s->status != AKIN_OK;
}

/* A frame of left, right, similarity, and a column of each attribute. 0, and an exception. */
static int begin_frame(job *j, const char *const *called, uint32_t attributes, scored *out)
{
    const size_t count = (size_t)attributes + 3;
    akin_type *types = PyMem_Calloc(count, sizeof *types);
    const char **names = PyMem_Calloc(count, sizeof *names);
    akin_status status = AKIN_OK;
    *out = (scored){.attributes = attributes, .data = PyMem_Calloc(count, sizeof *out->data)};
    const int made = types && names && out->data;
    if (!made)
        PyErr_NoMemory();
    for (size_t i = 0; made && i < count && !PyErr_Occurred(); i++) {
        static const char *const first[] = {"left", "right", "similarity"};
        types[i] = i < 2 ? AKIN_TYPE_U32 : AKIN_TYPE_F64;
        names[i] = i < 3 ? first[i] : called[i - 3];
    }
    if (!PyErr_Occurred())
        status = akin_frame_create(j->context, (uint32_t)count, types, names, &out->frame, &j->error);
    PyMem_Free(types);
    PyMem_Free((void *)names);
    if (status != AKIN_OK)
        job_fail(j, status);
    if (!PyErr_Occurred())
        return 1;
    PyMem_Free(out->data);
    return 0;
}

/* What dedupe is called with. */
typedef struct asked {
    const input *left, *right;
    akin_column *left_columns, *right_columns;
    akin_dedupe_plan *plan;
    akin_dedupe_options options;
    const char *model;  /* a file that is read if it is there, and else written; NULL: none */
    Py_buffer given[2]; /* left and right rows of given pairs; buf NULL: none */
    corpus *corpora;    /* of each attribute; NULL: there are none */
    const akin_corpus **statistics;
    population population;
    labelled labelled;
} asked;

/* What comes of it. */
typedef struct results {
    scored found;
    akin_clusters *clusters;
    akin_frame *clustered;            /* NULL: the pairs say what the clusters are */
    akin_dedupe_model *kept, *learnt; /* NULL: there is none */
    akin_dedupe_report did;
} results;

/* Reads the model if its file is there. */
static akin_status read_model(job *j, const char *path, akin_dedupe_model **out)
{
    akin_json *json = NULL;
    struct stat about;
    if (!path || stat(path, &about) != 0 || (S_ISREG(about.st_mode) && about.st_size == 0))
        return AKIN_OK;
    akin_status status = akin_json_read(j->context, path, &json, &j->error);
    if (status == AKIN_OK)
        status = akin_dedupe_model_read(json, path, out, &j->error);
    akin_json_free(json);
    return status;
}

static akin_status write_model(job *j, const char *path, const akin_dedupe_model *model)
{
    akin_output *output;
    akin_status status = akin_output_open(j->context, path, &output, &j->error);
    if (status != AKIN_OK)
        return status;
    const char *text = akin_dedupe_model_text(model);
    status = akin_output_write(output, text, strlen(text), &j->error);
    if (status == AKIN_OK)
        return akin_output_commit(output, &j->error);
    akin_output_discard(output);
    return status;
}

/* Finds the pairs and their clusters, without the interpreter. Clusters of learnt weights are also of pairs that are
 * not found, and those with one record of each source are not of the pairs alone, so these become a frame here. */
static akin_status find_pairs(job *j, const asked *a, results *r)
{
    const uint32_t rows = akin_table_rows(a->left->table), rows_right = a->right ? akin_table_rows(a->right->table) : 0;
    akin_dedupe_options options = a->options;
    akin_status status = akin_dedupe_plan_load(j->context, a->plan, &j->error);
    if (status == AKIN_OK)
        status = akin_clusters_create_by(j->context, rows, rows_right, akin_dedupe_plan_clusters(a->plan), &r->clusters,
                                         &j->error);
    options.clusters = r->clusters;
    if (status == AKIN_OK)
        status = read_model(j, a->model, &r->kept);
    options.model = r->kept;
    options.labelling = a->labelled.labelling;
    if (status == AKIN_OK)
        status = labelled_add(&a->labelled, j, (const uint32_t[2]){rows, rows_right});
    options.learnt_model = a->model && !r->kept ? &r->learnt : NULL;
    if (status == AKIN_OK)
        status = akin_dedupe(j->context, a->left_columns, rows, a->right_columns, rows_right,
                             akin_dedupe_plan_titles(a->plan)->column_count, &options, take_scored, &r->found, NULL,
                             &r->did, &j->error);
    if (status == AKIN_OK)
        status = akin_clusters_close(j->context, r->clusters, &j->error);
    if (status == AKIN_OK && (options.weights == AKIN_WEIGHTS_LEARN || options.one_per_source > 0))
        status = clusters_put(j, r->clusters, 1, &r->clustered);
    if (status == AKIN_OK && r->learnt)
        status = write_model(j, a->model, r->learnt);
    return status;
}

/* (Frame, what was done, Frame of the clusters or None), of which the frames are taken over. */
static PyObject *wrap_results(job *j, const asked *a, results *r)
{
    PyObject *clusters = r->clustered ? frame_wrap(j->module, r->clustered) : Py_NewRef(Py_None);
    PyObject *found = frame_wrap(j->module, r->found.frame);
    PyObject *did = clusters && found ? stats_of_dedupe(a->plan, a->right ? 2 : 1, &r->did, r->clusters) : NULL;
    PyObject *made = did ? PyTuple_Pack(3, found, did, clusters) : NULL;
    Py_XDECREF(clusters);
    Py_XDECREF(found);
    Py_XDECREF(did);
    return made;
}

static PyObject *run_dedupe(job *j, const asked *a, const report *page)
{
    results r = {.did = {.size = sizeof r.did}};
    PyObject *made = NULL;
    if (!begin_frame(j, akin_dedupe_plan_titles(a->plan)->attributes, a->options.attribute_count, &r.found))
        return NULL;
    job_leave(j);
    akin_status status = find_pairs(j, a, &r);
    if (status == AKIN_OK)
        status = report_write(page, j);
    status = job_return(j, status);
    PyMem_Free(r.found.data);
    if (r.found.status != AKIN_OK) {
        status = r.found.status;
        j->error = r.found.error;
    }
    if (status == AKIN_OK) {
        made = wrap_results(j, a, &r);
    } else {
        akin_frame_free(r.found.frame);
        akin_frame_free(r.clustered);
    }
    akin_clusters_free(r.clusters);
    akin_dedupe_model_free(r.kept);
    akin_dedupe_model_free(r.learnt);
    return status == AKIN_OK ? made : job_fail(j, status);
}

/* Takes (left rows, right rows), or None. 0, and an exception. */
static int take_given(PyObject *spec, Py_buffer rows[2])
{
    if (spec == Py_None)
        return 1;
    if (!tuple_take(spec, "y*y*:given", &rows[0], &rows[1]))
        return 0;
    if (rows[0].len == rows[1].len)
        return buffer_check(&rows[0], sizeof(uint32_t)) && buffer_check(&rows[1], sizeof(uint32_t));
    PyErr_SetString(PyExc_ValueError, "there are not as many left rows as right ones");
    return 0;
}

/* Takes for each attribute a corpus or None, from a list, or None. 0, and an exception. */
static int take_statistics(const state *s, PyObject *spec, asked *a)
{
    const uint32_t count = a->options.attribute_count;
    if (spec == Py_None)
        return 1;
    if (!PyList_Check(spec) || PyList_Size(spec) != (Py_ssize_t)count) {
        PyErr_SetString(PyExc_ValueError, "expected a list with statistics, or None, for each comparison");
        return 0;
    }
    a->corpora = PyMem_Calloc(count + 1, sizeof *a->corpora);
    a->statistics = PyMem_Calloc(count + 1, sizeof *a->statistics);
    if (!a->corpora || !a->statistics) {
        PyErr_NoMemory();
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!corpus_take(s, PyList_GetItem(spec, (Py_ssize_t)i), &a->corpora[i]))
            return 0;
        a->statistics[i] = a->corpora[i].said.size ? &a->corpora[i].said : NULL;
    }
    a->options.statistics = a->statistics;
    return 1;
}

static void release_statistics(asked *a)
{
    for (uint32_t i = 0; a->corpora && i < a->options.attribute_count; i++)
        corpus_release(&a->corpora[i]);
    PyMem_Free(a->corpora);
    PyMem_Free((void *)a->statistics);
}

/* Leaves a plan one selection; a number below 0: all. 0, and an exception. */
static int leave_selection(job *j, akin_dedupe_plan *plan, int selection)
{
    const akin_status status = selection < 0 ? AKIN_OK : akin_dedupe_plan_select(plan, (uint32_t)selection, &j->error);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* dedupe(settings, left, right or None, plan, report or None, path of a model or None, labelling or None, rows of given
 * pairs or None, statistics of comparisons or None, population or None, the number of the only selection or -1) ->
 * (Frame, what was done, Frame of the clusters or None): both sides have the columns of the plan. */
static PyObject *dedupe(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *report_spec, *labels, *given, *statistics, *whole, *made = NULL;
    const char *text;
    int selection;
    report page = {.path = NULL};
    state *s = state_of(module);
    asked a = {.plan = NULL};
    job j;
    if (!PyArg_ParseTuple(args, "OO!OsOzOOOOi:dedupe", &settings, s->input_type, &left, &right, &text, &report_spec,
                          &a.model, &labels, &given, &statistics, &whole, &selection))
        return NULL;
    if (!input_take(s, left, 1, &a.left) || !input_take(s, right, 1, &a.right))
        return NULL;
    if (!take_given(given, a.given) || !job_begin(&j, s, settings)) {
        PyBuffer_Release(&a.given[0]);
        PyBuffer_Release(&a.given[1]);
        return NULL;
    }
    a.left_columns = input_columns(a.left);
    a.right_columns = a.right ? input_columns(a.right) : NULL;
    if (!PyErr_Occurred() && (a.plan = plan_take(&j, text)) && leave_selection(&j, a.plan, selection)) {
        const akin_dedupe_titles *titles = akin_dedupe_plan_titles(a.plan);
        akin_dedupe_plan_give(a.plan, a.given[0].buf, a.given[1].buf, (uint64_t)a.given[0].len / sizeof(uint32_t));
        a.options = *akin_dedupe_plan_options(a.plan);
        a.left_columns = plan_columns(a.left_columns, a.left, titles->left_columns, titles->column_count);
        if (a.right && !PyErr_Occurred())
            a.right_columns = plan_columns(a.right_columns, a.right, titles->right_columns, titles->column_count);
        if (!PyErr_Occurred() && take_statistics(s, statistics, &a) &&
            population_take(s, whole, titles, &a.options, &a.population) &&
            labelled_take(&a.labelled, &j, labels, a.left, a.right) &&
            report_begin(&page, &j, report_spec, a.left, a.right, a.plan)) {
            a.options.report = page.gathered;
            made = run_dedupe(&j, &a, &page);
        }
    }
    report_clear(&page);
    release_statistics(&a);
    population_release(&a.population);
    PyMem_Free(a.labelled.answers);
    PyMem_Free(a.left_columns);
    PyMem_Free(a.right_columns);
    akin_dedupe_plan_free(a.plan);
    PyBuffer_Release(&a.given[0]);
    PyBuffer_Release(&a.given[1]);
    job_end(&j);
    return made;
}

/* A column of a table; number below 0: none. 0, and an exception. */
static int take_ids(const input *from, int number, akin_column *out)
{
    out->size = number < 0 ? 0 : sizeof *out;
    if (number < 0 || akin_table_column(from->table, (uint32_t)number, out, NULL) == AKIN_OK)
        return 1;
    PyErr_SetString(PyExc_IndexError, "there is no such column");
    return 0;
}

/* rows_of_ids(settings, left, number of its column of ids, right or None, number likewise, pairs) -> (left rows, right
 * rows), buffers: a number below 0 is of rows that have numbers. */
static PyObject *rows_of_ids(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *given, *made = NULL;
    const input *sides[2], *pairs;
    int numbers[2];
    akin_column own[2];
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!iOiO!:rows_of_ids", &settings, s->input_type, &left, &numbers[0], &right,
                          &numbers[1], s->input_type, &given))
        return NULL;
    if (!input_take(s, left, 1, &sides[0]) || !input_take(s, right, 1, &sides[1]) || !input_take(s, given, 2, &pairs))
        return NULL;
    const int right_at = sides[1] ? 1 : 0;
    for (int side = 0; side <= right_at; side++)
        if (!take_ids(sides[side], numbers[side], &own[side]))
            return NULL;
    const akin_column *const ids[2] = {own[0].size ? &own[0] : NULL, own[right_at].size ? &own[right_at] : NULL};
    const uint32_t rows_of[2] = {akin_table_rows(sides[0]->table), akin_table_rows(sides[right_at]->table)};
    const uint32_t count = akin_table_rows(pairs->table);
    uint32_t *rows[2] = {malloc((count + (size_t)1) * sizeof(uint32_t)),
                         malloc((count + (size_t)1) * sizeof(uint32_t))};
    akin_column *columns = rows[0] && rows[1] ? input_columns(pairs) : (akin_column *)PyErr_NoMemory();
    akin_status status = AKIN_E_NOMEM;
    const int begun = columns && job_begin(&j, s, settings);
    if (begun) {
        job_leave(&j);
        status = akin_rows_of_ids(j.context, ids, rows_of, columns, count, rows[0], rows[1], &j.error);
        status = job_return(&j, status);
        job_end(&j);
    }
    PyMem_Free(columns);
    if (status != AKIN_OK) {
        free(rows[0]);
        free(rows[1]);
        return begun ? job_fail(&j, status) : NULL;
    }
    PyObject *buffers[2] = {buffer_wrap(s, rows[0], count, "I"), buffer_wrap(s, rows[1], count, "I")};
    if (buffers[0] && buffers[1])
        made = PyTuple_Pack(2, buffers[0], buffers[1]);
    Py_XDECREF(buffers[0]);
    Py_XDECREF(buffers[1]);
    return made;
}

PyMethodDef dedupe_functions[] = {
    {"dedupe", dedupe, METH_VARARGS,
     "dedupe(settings, left, right, plan, report, model, labelling, given, statistics, population, the number of the "
     "only selection or -1) -> (Frame, dict, Frame or None)"},
    {"rows_of_ids", rows_of_ids, METH_VARARGS,
     "rows_of_ids(settings, left, id, right, right_id, pairs) -> (Buffer, Buffer)"},
    {NULL, NULL, 0, NULL},
};
