/* What parts of tables need for a plan of deduplication: the keys of records, and statistics of their tokens. */
#include "corpus.h"
#include "plan.h"

/* What is counted. */
typedef struct counting {
    const input *left, *right;
    akin_column *left_columns, *right_columns;
    akin_dedupe_plan *plan;
    akin_dedupe_options options;
} counting;

/* The statistics of the comparisons that weigh tokens, by what results call them; without the interpreter, but for
 * each. */
static int count_attribute(job *j, const counting *a, uint32_t attribute, PyObject *all)
{
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(a->plan);
    const uint32_t rows = akin_table_rows(a->left->table), rows_right = a->right ? akin_table_rows(a->right->table) : 0;
    akin_statistics *counted = NULL;
    akin_frame *made = NULL;
    job_leave(j);
    akin_status status = akin_statistics_of_records(j->context, a->left_columns, rows, a->right_columns, rows_right,
                                                    titles->column_count, &a->options, attribute, &counted, &j->error);
    if (status == AKIN_OK && counted)
        status = corpus_put(j, counted, &made);
    status = job_return(j, status);
    if (status == AKIN_OK && !counted)
        return 1;
    PyObject *found = corpus_of_job(j, status, counted, made);
    akin_statistics_free(counted);
    const int done = found && PyDict_SetItemString(all, titles->attributes[attribute], found) == 0;
    Py_XDECREF(found);
    return done;
}

static int load_plan(job *j, akin_dedupe_plan *plan)
{
    job_leave(j);
    akin_status status = akin_dedupe_plan_load(j->context, plan, &j->error);
    status = job_return(j, status);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* count_records(settings, left, right or None, plan) -> {comparison: (documents, tokens, Frame), ...} of those that
 * weigh tokens */
static PyObject *count_records(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *all = NULL;
    const char *text;
    state *s = state_of(module);
    counting a = {.plan = NULL};
    job j;
    if (!PyArg_ParseTuple(args, "OO!Os:count_records", &settings, s->input_type, &left, &right, &text) ||
        !input_take(s, left, 1, &a.left) || !input_take(s, right, 1, &a.right) || !job_begin(&j, s, settings))
        return NULL;
    a.left_columns = input_columns(a.left);
    a.right_columns = a.right ? input_columns(a.right) : NULL;
    if (!PyErr_Occurred() && (a.plan = plan_take(&j, text))) {
        const akin_dedupe_titles *titles = akin_dedupe_plan_titles(a.plan);
        a.left_columns = plan_columns(a.left_columns, a.left, titles->left_columns, titles->column_count);
        if (a.right && !PyErr_Occurred())
            a.right_columns = plan_columns(a.right_columns, a.right, titles->right_columns, titles->column_count);
        int goes_on = !PyErr_Occurred() && load_plan(&j, a.plan) && (all = PyDict_New());
        a.options = *akin_dedupe_plan_options(a.plan);
        for (uint32_t i = 0; goes_on && i < a.options.attribute_count; i++)
            goes_on = count_attribute(&j, &a, i, all);
        if (!goes_on)
            Py_CLEAR(all);
    }
    PyMem_Free(a.left_columns);
    PyMem_Free(a.right_columns);
    akin_dedupe_plan_free(a.plan);
    job_end(&j);
    return all;
}

/* dedupe_keys(settings, input, plan, number of a selection, whether it is the right table) -> Frame of "key" */
static PyObject *dedupe_keys(PyObject *module, PyObject *args)
{
    PyObject *settings, *from;
    const char *text;
    unsigned selection;
    int is_right;
    const input *in;
    akin_frame *made = NULL;
    akin_status status = AKIN_OK;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!sIp:dedupe_keys", &settings, s->input_type, &from, &text, &selection, &is_right) ||
        !input_take(s, from, 1, &in) || !job_begin(&j, s, settings))
        return NULL;
    akin_column *columns = input_columns(in);
    akin_dedupe_plan *plan = columns ? plan_take(&j, text) : NULL;
    if (plan) {
        const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
        columns =
            plan_columns(columns, in, is_right ? titles->right_columns : titles->left_columns, titles->column_count);
        if (columns) {
            job_leave(&j);
            status = akin_dedupe_plan_load(j.context, plan, &j.error);
            if (status == AKIN_OK)
                status = akin_dedupe_keys(j.context, columns, akin_table_rows(in->table), titles->column_count,
                                          akin_dedupe_plan_options(plan), selection, &made, &j.error);
            status = job_return(&j, status);
        }
    }
    PyMem_Free(columns);
    akin_dedupe_plan_free(plan);
    job_end(&j);
    return PyErr_Occurred() ? NULL : frame_of_job(&j, status, made);
}

PyMethodDef record_parts_functions[] = {
    {"dedupe_keys", dedupe_keys, METH_VARARGS,
     "dedupe_keys(settings, input, plan, selection, whether it is the right table) -> Frame"},
    {"count_records", count_records, METH_VARARGS,
     "count_records(settings, left, right, plan) -> {str: (int, int, Frame)}"},
    {NULL, NULL, 0, NULL},
};
