/* The report of a search for duplicates, which becomes a file. */
#include "report.h"

/* The names of the tables, `count` of them. */
static int take_tables(report *r, const state *s, PyObject *tables, uint64_t count)
{
    r->names = PyMem_Calloc((size_t)count, sizeof *r->names);
    if (!r->names) {
        PyErr_NoMemory();
        return 0;
    }
    r->options.tables = r->names;
    if ((uint64_t)PyTuple_Size(tables) != count) {
        PyErr_SetString(PyExc_ValueError, "there are not as many names as what they name");
        return 0;
    }
    for (uint64_t i = 0; i < count; i++)
        if (!(r->names[i] = name_of(s, PyTuple_GetItem(tables, (Py_ssize_t)i))))
            return 0;
    return 1;
}

/* The columns that have the names of rows. */
static int take_ids(report *r, const int columns[2], const input *sides[2])
{
    for (int i = 0; i < 2 && sides[i]; i++) {
        if (columns[i] < 0)
            continue;
        r->ids[i].size = sizeof r->ids[i];
        if (akin_table_column(sides[i]->table, (uint32_t)columns[i], &r->ids[i], NULL) != AKIN_OK) {
            PyErr_SetString(PyExc_IndexError, "there is no such column");
            return 0;
        }
        r->options.ids[i] = &r->ids[i];
    }
    return 1;
}

static int take_gold(report *r, const job *j, PyObject *gold)
{
    const input *known;
    if (!input_take(j->module, gold, 2, &known))
        return 0;
    if (!known)
        return 1;
    if (!(r->gold = input_columns(known)))
        return 0;
    r->options.gold[0] = &r->gold[0];
    r->options.gold[1] = &r->gold[1];
    r->options.gold_rows = akin_table_rows(known->table);
    return 1;
}

int report_begin(report *r, job *j, PyObject *spec, const input *left, const input *right, const akin_dedupe_plan *plan)
{
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    PyObject *tables, *gold;
    const input *sides[2] = {left, right};
    int ids[2], reproducible;
    *r = (report){.options = AKIN_REPORT_OPTIONS_INIT};
    if (spec == Py_None)
        return 1;
    r->options.columns = titles->columns;
    r->options.comparators = titles->comparators;
    r->options.selections = titles->selections;
    r->options.clustering = akin_dedupe_plan_clusters(plan);
    if (!tuple_take(spec, "sO!iiOp:report", &r->path, &PyTuple_Type, &tables, &ids[0], &ids[1], &gold, &reproducible))
        return 0;
    r->options.reproducible = reproducible != 0;
    if (!take_tables(r, j->module, tables, right ? 2 : 1) || !take_ids(r, ids, sides) || !take_gold(r, j, gold))
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
