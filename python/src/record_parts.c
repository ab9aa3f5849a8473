/* What parts of tables need for a plan of deduplication: the keys of records, equal records, and statistics of their
 * tokens and values. */
#include "corpus.h"
#include "plan.h"

/* Tables, and a plan for them. */
typedef struct planned {
    const input *left, *right;
    akin_column *left_columns, *right_columns;
    akin_dedupe_plan *plan;
    akin_dedupe_options options;
    const akin_dedupe_titles *titles;
} planned;

/* Reads the plan, with the files that it names, and takes the columns of the tables. `is_right`: the left one is the
 * right table of the plan. 0, and an exception; the caller ends it in any case. */
static int planned_begin(planned *a, job *j, const char *text, int is_right)
{
    a->left_columns = input_columns(a->left);
    a->right_columns = a->right ? input_columns(a->right) : NULL;
    if (PyErr_Occurred() || !(a->plan = plan_take(j, text)))
        return 0;
    a->titles = akin_dedupe_plan_titles(a->plan);
    a->left_columns =
        plan_columns(a->left_columns, a->left, is_right ? a->titles->right_columns : a->titles->left_columns,
                     a->titles->column_count);
    if (a->right && !PyErr_Occurred())
        a->right_columns = plan_columns(a->right_columns, a->right, a->titles->right_columns, a->titles->column_count);
    if (PyErr_Occurred())
        return 0;
    job_leave(j);
    akin_status status = akin_dedupe_plan_load(j->context, a->plan, &j->error);
    status = job_return(j, status);
    if (status != AKIN_OK)
        job_fail(j, status);
    a->options = *akin_dedupe_plan_options(a->plan);
    return status == AKIN_OK;
}

static void planned_end(planned *a)
{
    PyMem_Free(a->left_columns);
    PyMem_Free(a->right_columns);
    akin_dedupe_plan_free(a->plan);
}

/* ------------------------------------------------------------------------------------------------------- statistics */

typedef akin_status (*count_function)(akin_context *context, const akin_column *left, uint32_t rows_left,
                                      const akin_column *right, uint32_t rows_right, uint32_t columns,
                                      const akin_dedupe_options *options, uint32_t attribute, akin_statistics **out,
                                      akin_error *error);

/* Puts the statistics of an attribute into `all`, unless it has none; without the interpreter, but for each. */
static int count_attribute(job *j, const planned *a, count_function count, uint32_t attribute, const char *name,
                           PyObject *all)
{
    const uint32_t rows = akin_table_rows(a->left->table), rows_right = a->right ? akin_table_rows(a->right->table) : 0;
    akin_statistics *counted = NULL;
    akin_frame *made = NULL;
    job_leave(j);
    akin_status status = count(j->context, a->left_columns, rows, a->right_columns, rows_right, a->titles->column_count,
                               &a->options, attribute, &counted, &j->error);
    if (status == AKIN_OK && counted)
        status = corpus_put(j, counted, &made);
    status = job_return(j, status);
    if (status == AKIN_OK && !counted)
        return 1;
    PyObject *found = corpus_of_job(j, status, counted, made);
    akin_statistics_free(counted);
    const int done = found && PyDict_SetItemString(all, name, found) == 0;
    Py_XDECREF(found);
    return done;
}

/* Counts statistics: of tokens those of each comparison, of values those of each column. */
static PyObject *count_all(PyObject *module, PyObject *args, const char *format, int are_of_values)
{
    PyObject *settings, *left, *right, *all = NULL;
    const char *text;
    state *s = state_of(module);
    planned a = {.plan = NULL};
    job j;
    if (!PyArg_ParseTuple(args, format, &settings, s->input_type, &left, &right, &text) ||
        !input_take(s, left, 1, &a.left) || !input_take(s, right, 1, &a.right) || !job_begin(&j, s, settings))
        return NULL;
    int goes_on = planned_begin(&a, &j, text, 0) && (all = PyDict_New());
    for (uint32_t i = 0; goes_on && i < a.options.attribute_count; i++)
        if (!are_of_values)
            goes_on = count_attribute(&j, &a, akin_statistics_of_records, i, a.titles->attributes[i], all);
        else if (population_first(&a.options, i) == i)
            goes_on = count_attribute(&j, &a, akin_statistics_of_values, i,
                                      a.titles->columns[a.options.attributes[i].column], all);
    if (!goes_on)
        Py_CLEAR(all);
    planned_end(&a);
    job_end(&j);
    return all;
}

/* count_records(settings, left, right or None, plan) -> {comparison: (documents, tokens, Frame), ...} of those that
 * weigh tokens */
static PyObject *count_records(PyObject *module, PyObject *args)
{
    return count_all(module, args, "OO!Os:count_records", 0);
}

/* count_values(settings, left, right or None, plan) -> {column: (records with a text, with a value, Frame), ...} */
static PyObject *count_values(PyObject *module, PyObject *args)
{
    return count_all(module, args, "OO!Os:count_values", 1);
}

/* ----------------------------------------------------------------------------------------------------- keys, equals */

/* dedupe_keys(settings, input, plan, number of a selection, or -1 for keys of equal records, whether it is the right
 * table) -> Frame of "key" */
static PyObject *dedupe_keys(PyObject *module, PyObject *args)
{
    PyObject *settings, *from;
    const char *text;
    int selection, is_right;
    akin_frame *made = NULL;
    akin_status status = AKIN_OK;
    state *s = state_of(module);
    planned a = {.plan = NULL};
    job j;
    if (!PyArg_ParseTuple(args, "OO!sip:dedupe_keys", &settings, s->input_type, &from, &text, &selection, &is_right) ||
        !input_take(s, from, 1, &a.left) || !job_begin(&j, s, settings))
        return NULL;
    if (planned_begin(&a, &j, text, is_right)) {
        job_leave(&j);
        status =
            akin_dedupe_keys(j.context, a.left_columns, akin_table_rows(a.left->table), a.titles->column_count,
                             &a.options, selection < 0 ? AKIN_KEYS_OF_EQUALS : (uint32_t)selection, &made, &j.error);
        status = job_return(&j, status);
    }
    planned_end(&a);
    job_end(&j);
    return PyErr_Occurred() ? NULL : frame_of_job(&j, status, made);
}

/* dedupe_equals(settings, input, plan, population or None) -> Frame of "first", "row" and "is_left_out" */
static PyObject *dedupe_equals(PyObject *module, PyObject *args)
{
    PyObject *settings, *from, *spec;
    const char *text;
    akin_frame *made = NULL;
    akin_status status = AKIN_OK;
    state *s = state_of(module);
    planned a = {.plan = NULL};
    population whole = {.said.size = 0};
    job j;
    if (!PyArg_ParseTuple(args, "OO!sO:dedupe_equals", &settings, s->input_type, &from, &text, &spec) ||
        !input_take(s, from, 1, &a.left) || !job_begin(&j, s, settings))
        return NULL;
    if (planned_begin(&a, &j, text, 0) && population_take(s, spec, a.titles, &a.options, &whole)) {
        job_leave(&j);
        status = akin_dedupe_equals(j.context, a.left_columns, akin_table_rows(a.left->table), a.titles->column_count,
                                    &a.options, &made, &j.error);
        status = job_return(&j, status);
    }
    population_release(&whole);
    planned_end(&a);
    job_end(&j);
    return PyErr_Occurred() ? NULL : frame_of_job(&j, status, made);
}

PyMethodDef record_parts_functions[] = {
    {"dedupe_keys", dedupe_keys, METH_VARARGS,
     "dedupe_keys(settings, input, plan, selection or -1, whether it is the right table) -> Frame"},
    {"dedupe_equals", dedupe_equals, METH_VARARGS, "dedupe_equals(settings, input, plan, population or None) -> Frame"},
    {"count_records", count_records, METH_VARARGS,
     "count_records(settings, left, right, plan) -> {str: (int, int, Frame)}"},
    {"count_values", count_values, METH_VARARGS,
     "count_values(settings, left, right, plan) -> {str: (int, int, Frame)}"},
    {NULL, NULL, 0, NULL},
};
