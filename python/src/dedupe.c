/* Duplicates and links: plans from JSON, and the pairs that they find. */
#include "report.h"
#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------------ plans */

/* The plan in a text of JSON; NULL, and an exception. */
static akin_dedupe_plan *take_plan(job *j, const char *text)
{
    akin_dedupe_plan *plan = NULL;
    akin_json *json = NULL;
    akin_status status = akin_json_parse("rules", text, strlen(text), &json, &j->error);
    if (status == AKIN_E_INPUT || status == AKIN_E_LIMIT) /* as the caller's rules are */
        status = AKIN_E_OPTION;
    if (status == AKIN_OK)
        status = akin_dedupe_plan_create(akin_papers(), &plan, &j->error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_read(plan, json, 0, NULL, NULL, &j->error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_finish(plan, &j->error);
    akin_json_free(json);
    if (status == AKIN_OK)
        return plan;
    akin_dedupe_plan_free(plan);
    job_fail(j, status);
    return NULL;
}

static PyObject *names_of(const char *const *names, uint64_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (uint64_t i = 0; tuple && i < count; i++) {
        PyObject *name = PyUnicode_FromString(names[i]);
        if (!name || PyTuple_SetItem(tuple, (Py_ssize_t)i, name) != 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

/* plan(text) -> (columns of the left table, of the right one, selections, the plan as JSON, ids): the column of ids of
 * each table, None without one; an empty tuple: neither has one */
static PyObject *plan(PyObject *module, PyObject *args)
{
    job j = {.module = state_of(module)};
    const char *text;
    if (!PyArg_ParseTuple(args, "s:plan", &text))
        return NULL;
    akin_dedupe_plan *made = take_plan(&j, text);
    if (!made)
        return NULL;
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(made);
    const akin_dedupe_options *options = akin_dedupe_plan_options(made);
    PyObject *parts[] = {
        names_of(titles->left_columns, titles->column_count), names_of(titles->right_columns, titles->column_count),
        names_of(titles->selections, options->selection_count),
        PyUnicode_FromFormat("{\n%s\n}", akin_dedupe_plan_members(made)),
        titles->id || titles->right_id ? Py_BuildValue("(zz)", titles->id, titles->right_id) : PyTuple_New(0)};
    const Py_ssize_t count = sizeof parts / sizeof *parts;
    PyObject *answer = PyTuple_New(count);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!parts[i] || !answer)
            Py_CLEAR(answer);
        if (answer)
            PyTuple_SetItem(answer, i, parts[i]); /* takes it */
        else
            Py_XDECREF(parts[i]);
    }
    akin_dedupe_plan_free(made);
    return answer;
}

/* plan_word(option, text) -> the word of the command for an object of JSON */
static PyObject *plan_word(PyObject *module, PyObject *args)
{
    job j = {.module = state_of(module)};
    const char *option, *text;
    akin_dedupe_plan *made = NULL;
    akin_json *json = NULL;
    if (!PyArg_ParseTuple(args, "ss:plan_word", &option, &text))
        return NULL;
    akin_status status = akin_json_parse("the rule", text, strlen(text), &json, &j.error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_create(akin_papers(), &made, &j.error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_add_json(made, option, json, 0, NULL, &j.error);
    const char *said = status == AKIN_OK ? akin_dedupe_plan_word(made, option, 0) : NULL;
    PyObject *word = status == AKIN_OK ? PyUnicode_FromString(said ? said : "") : job_fail(&j, status);
    akin_dedupe_plan_free(made);
    akin_json_free(json);
    return word;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

typedef struct scored {
    akin_frame *frame;
    void **data; /* of each column of the frame */
    uint32_t attributes;
    akin_clusters *clusters; /* of the pairs */
    akin_status status;
    akin_error error;
} scored;

#define CLUSTERED 256 /* pairs that are added to the clusters at a time */

static akin_status add_to_clusters(scored *s, const akin_scored_pair *found, size_t count)
{
    akin_pair linked[CLUSTERED];
    double similarities[CLUSTERED];
    akin_status status = AKIN_OK;
    for (size_t i = 0, some; i < count && status == AKIN_OK; i += some) {
        for (some = 0; some < CLUSTERED && i + some < count; some++) {
            linked[some] = (akin_pair){.left = found[i + some].left, .right = found[i + some].right};
            similarities[some] = found[i + some].similarity;
        }
        status = akin_clusters_add(s->clusters, linked, similarities, some, &s->error);
    }
    return status;
}

static int take_scored(void *user, const akin_scored_pair *found, const double *each, size_t count)
{
    scored *s = user;
    void **data = s->data;
    const uint64_t before = akin_frame_rows(s->frame);
    s->status = akin_frame_extend(s->frame, count, data, &s->error);
    if (s->status == AKIN_OK)
        s->status = add_to_clusters(s, found, count);
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

/* The columns of a table in the order in which the plan names them, from the array of all its columns, which is freed.
 * NULL, and an exception. */
static akin_column *order_columns(akin_column *all, const input *from, const char *const *names, uint32_t count)
{
    akin_column *columns = PyMem_Calloc((size_t)count + 1, sizeof *columns);
    if (!columns)
        PyErr_NoMemory();
    for (uint32_t c = 0; columns && !PyErr_Occurred() && c < count; c++) {
        uint32_t at = 0, all_count = akin_table_columns(from->table);
        while (at < all_count && strcmp(all[at].name, names[c]) != 0)
            at++;
        if (at < all_count)
            columns[c] = all[at];
        else
            PyErr_SetString(PyExc_ValueError, "there are not as many columns as the plan names");
    }
    PyMem_Free(all);
    if (!PyErr_Occurred())
        return columns;
    PyMem_Free(columns);
    return NULL;
}

/* What dedupe is called with. */
typedef struct asked {
    const input *left, *right;
    akin_column *left_columns, *right_columns;
    akin_dedupe_plan *plan;
    akin_dedupe_options options;
} asked;

static PyObject *run_dedupe(job *j, const asked *a, const report *page)
{
    akin_dedupe_report done = {.size = sizeof done};
    scored s;
    if (!begin_frame(j, akin_dedupe_plan_titles(a->plan)->attributes, a->options.attribute_count, &s))
        return NULL;
    const uint32_t rows = akin_table_rows(a->left->table), rows_right = a->right ? akin_table_rows(a->right->table) : 0;
    PyObject *made = NULL;
    job_leave(j);
    akin_status status = akin_clusters_create_by(j->context, rows, rows_right, akin_dedupe_plan_clusters(a->plan),
                                                 &s.clusters, &j->error);
    if (status == AKIN_OK)
        status = akin_dedupe(j->context, a->left_columns, rows, a->right_columns, rows_right,
                             akin_dedupe_plan_titles(a->plan)->column_count, &a->options, take_scored, &s, NULL, &done,
                             &j->error);
    if (status == AKIN_OK)
        status = akin_clusters_close(j->context, s.clusters, &j->error);
    if (status == AKIN_OK)
        status = report_write(page, j);
    status = job_return(j, status);
    PyMem_Free(s.data);
    if (s.status != AKIN_OK) {
        status = s.status;
        j->error = s.error;
    }
    if (status == AKIN_OK)
        made =
            stats_beside(frame_wrap(j->module, s.frame), stats_of_dedupe(a->plan, a->right ? 2 : 1, &done, s.clusters));
    else
        akin_frame_free(s.frame);
    akin_clusters_free(s.clusters);
    return status == AKIN_OK ? made : job_fail(j, status);
}

/* dedupe(settings, left, right or None, plan, report or None) -> (Frame, what was done): both sides have
 * the columns of the plan. */
static PyObject *dedupe(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *report_spec, *made = NULL;
    const char *text;
    report page = {.path = NULL};
    state *s = state_of(module);
    asked a = {.plan = NULL};
    job j;
    if (!PyArg_ParseTuple(args, "OO!OsO:dedupe", &settings, s->input_type, &left, &right, &text, &report_spec))
        return NULL;
    if (!input_take(s, left, 1, &a.left) || !input_take(s, right, 1, &a.right))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    a.left_columns = input_columns(a.left);
    a.right_columns = a.right ? input_columns(a.right) : NULL;
    if (!PyErr_Occurred() && (a.plan = take_plan(&j, text))) {
        const akin_dedupe_titles *titles = akin_dedupe_plan_titles(a.plan);
        a.options = *akin_dedupe_plan_options(a.plan);
        a.left_columns = order_columns(a.left_columns, a.left, titles->left_columns, titles->column_count);
        if (a.right && !PyErr_Occurred())
            a.right_columns = order_columns(a.right_columns, a.right, titles->right_columns, titles->column_count);
        if (!PyErr_Occurred() && report_begin(&page, &j, report_spec, a.left, a.right, a.plan)) {
            a.options.report = page.gathered;
            made = run_dedupe(&j, &a, &page);
        }
    }
    report_clear(&page);
    PyMem_Free(a.left_columns);
    PyMem_Free(a.right_columns);
    akin_dedupe_plan_free(a.plan);
    job_end(&j);
    return made;
}

PyMethodDef dedupe_functions[] = {
    {"plan", plan, METH_VARARGS, "plan(text) -> (left columns, right columns, selections, the plan as JSON, ids)"},
    {"plan_word", plan_word, METH_VARARGS, "plan_word(option, text) -> the word for an object of JSON"},
    {"dedupe", dedupe, METH_VARARGS, "dedupe(settings, left, right, plan, report) -> (Frame, dict)"},
    {NULL, NULL, 0, NULL},
};
