/* The report of a search for duplicates, which becomes a file. */
#include "report.h"

/* The strings of a tuple, which go where *at is. */
static int take_names(PyObject *tuple, const char ***at)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); i++)
        if (!(*(*at)++ = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), NULL)))
            return 0;
    return 1;
}

static int take_all(report *r, PyObject *const tuples[4])
{
    size_t count = 1;
    for (int i = 0; i < 4; i++)
        count += (size_t)PyTuple_Size(tuples[i]);
    const char **at = r->names = PyMem_Calloc(count, sizeof *at);
    if (!at) {
        PyErr_NoMemory();
        return 0;
    }
    r->options.tables = at;
    if (!take_names(tuples[0], &at))
        return 0;
    r->options.columns = at;
    if (!take_names(tuples[1], &at))
        return 0;
    r->options.comparators = at;
    if (!take_names(tuples[2], &at))
        return 0;
    r->options.selections = at;
    return take_names(tuples[3], &at);
}

/* The columns that tell what rows are called. */
static int take_ids(report *r, int column, const input *sides[2])
{
    for (int i = 0; i < 2 && column >= 0 && sides[i]; i++) {
        r->ids[i].size = sizeof r->ids[i];
        if (akin_table_column(sides[i]->table, (uint32_t)column, &r->ids[i], NULL) != AKIN_OK) {
            PyErr_SetString(PyExc_IndexError, "there is no such column");
            return 0;
        }
        r->options.ids[i] = &r->ids[i];
    }
    return 1;
}

static int take_gold(report *r, const job *j, PyObject *gold)
{
    if (gold == Py_None)
        return 1;
    if (!PyObject_TypeCheck(gold, j->module->input_type)) {
        PyErr_SetString(PyExc_TypeError, "gold is no input");
        return 0;
    }
    const input *known = (const input *)gold;
    if (!(r->gold = input_columns(known)))
        return 0;
    r->options.gold[0] = &r->gold[0];
    r->options.gold[1] = &r->gold[1];
    r->options.gold_rows = akin_table_rows(known->table);
    return 1;
}

int report_begin(report *r, job *j, PyObject *spec, const input *left, const input *right)
{
    PyObject *tuples[4], *gold;
    const input *sides[2] = {left, right};
    int ids;
    *r = (report){.options = AKIN_REPORT_OPTIONS_INIT};
    if (spec == Py_None)
        return 1;
    if (!PyArg_ParseTuple(spec, "sO!O!O!O!iO:report", &r->path, &PyTuple_Type, &tuples[0], &PyTuple_Type, &tuples[1],
                          &PyTuple_Type, &tuples[2], &PyTuple_Type, &tuples[3], &ids, &gold))
        return 0;
    if (!take_all(r, tuples) || !take_ids(r, ids, sides) || !take_gold(r, j, gold))
        return 0;
    akin_status status = akin_report_create(j->context, &r->options, &r->gathered, &j->error);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

akin_status report_write(const report *r, job *j)
{
    akin_output *output;
    if (!r->gathered)
        return AKIN_OK;
    akin_status status = akin_output_open(j->context, r->path, &output, &j->error);
    if (status != AKIN_OK)
        return status;
    status = akin_report_write(r->gathered, output, &j->error);
    if (status == AKIN_OK)
        return akin_output_commit(output, &j->error);
    akin_output_discard(output);
    return status;
}

void report_clear(report *r)
{
    akin_report_free(r->gathered);
    PyMem_Free((void *)r->names);
    PyMem_Free(r->gold);
    *r = (report){.path = NULL};
}
