/* Merged records: one for each cluster, whose values are those of rows of a table. */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

/* A column of the table, and the rows that its merged values are taken from. */
typedef struct merged_column {
    akin_column values;
    akin_merge_options how;
    akin_column by;
    uint32_t *sources;
} merged_column;

typedef struct merged {
    const akin_table *table;
    merged_column *columns;
    const char **names; /* of the values, then of their sources */
    akin_type *types;
    void **data;
    const uint32_t *clusters;
    uint32_t count, rows, of_clusters; /* of columns, of rows, and of clusters */
    int with_sources;
} merged;

/* Puts a value of each cluster into column `at`. */
static akin_status put_values(job *j, const merged *m, uint32_t at, akin_frame *made)
{
    const merged_column *c = &m->columns[at];
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < m->of_clusters && status == AKIN_OK; i++) {
        const uint32_t row = c->sources[i];
        const uint64_t begin = row == AKIN_NO_ROW ? 0 : c->values.offsets[row];
        const uint64_t length = row == AKIN_NO_ROW ? 0 : c->values.offsets[row + (uint64_t)1] - begin;
        status = frame_put(made, at, m->types[at], m->data[at], i, i,
                           row == AKIN_NO_ROW ? NULL : c->values.bytes + begin, length, &j->error);
        if (status == AKIN_OK && i % LOOK_EVERY == 0)
            status = job_poll(j);
    }
    return status;
}

/* Puts the number of the row of each value into the column for it. */
static akin_status put_sources(job *j, const merged *m, uint32_t at, akin_frame *made)
{
    const uint32_t column = m->count + at;
    uint32_t *to = m->data[column];
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < m->of_clusters && status == AKIN_OK; i++) {
        to[i] = m->columns[at].sources[i];
        if (to[i] == AKIN_NO_ROW)
            status = frame_put(made, column, AKIN_TYPE_U32, to, i, i, NULL, 0, &j->error);
    }
    return status;
}

static akin_status merge_columns(job *j, merged *m, akin_frame **out)
{
    const uint32_t all = m->with_sources ? 2 * m->count : m->count;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < m->count && status == AKIN_OK; i++) {
        merged_column *c = &m->columns[i];
        c->sources = malloc(((size_t)m->of_clusters + 1) * sizeof *c->sources);
        if (!c->sources)
            return akin_error_set(&j->error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "out of memory: the merged records");
        status =
            akin_merge(j->context, &c->values, m->rows, m->clusters, m->of_clusters, &c->how, c->sources, &j->error);
    }
    if (status == AKIN_OK)
        status = akin_frame_create(j->context, all, m->types, m->names, out, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(*out, m->of_clusters, m->data, &j->error);
    for (uint32_t i = 0; i < m->count && status == AKIN_OK; i++)
        status = put_values(j, m, i, *out);
    for (uint32_t i = 0; i < m->count && m->with_sources && status == AKIN_OK; i++)
        status = put_sources(j, m, i, *out);
    return status;
}

/* Takes (rule, column to compare or -1, name of the sources) of a column. */
static int take_rule(merged *m, uint32_t at, PyObject *rule)
{
    merged_column *c = &m->columns[at];
    int by;
    c->how = (akin_merge_options)AKIN_MERGE_OPTIONS_INIT;
    c->values.size = c->by.size = sizeof c->values;
    if (!tuple_take(rule, "Iis:rule", &c->how.rule, &by, &m->names[m->count + at]))
        return 0;
    if (akin_table_column(m->table, at, &c->values, NULL) != AKIN_OK ||
        (by >= 0 && akin_table_column(m->table, (uint32_t)by, &c->by, NULL) != AKIN_OK)) {
        PyErr_SetString(PyExc_IndexError, "there is no such column");
        return 0;
    }
    c->how.by = by >= 0 ? &c->by : NULL;
    m->names[at] = c->values.name;
    m->types[at] = akin_table_column_type(m->table, at);
    m->types[m->count + at] = AKIN_TYPE_U32;
    return 1;
}

static int take_rules(merged *m, PyObject *rules)
{
    if (PyTuple_Size(rules) != (Py_ssize_t)m->count) {
        PyErr_SetString(PyExc_ValueError, "there are not as many rules as columns");
        return 0;
    }
    m->columns = PyMem_Calloc((size_t)m->count + 1, sizeof *m->columns);
    m->names = PyMem_Calloc(2 * (size_t)m->count + 1, sizeof *m->names);
    m->types = PyMem_Calloc(2 * (size_t)m->count + 1, sizeof *m->types);
    m->data = PyMem_Calloc(2 * (size_t)m->count + 1, sizeof *m->data);
    if (!m->columns || !m->names || !m->types || !m->data) {
        PyErr_NoMemory();
        return 0;
    }
    for (uint32_t i = 0; i < m->count; i++)
        if (!take_rule(m, i, PyTuple_GetItem(rules, (Py_ssize_t)i)))
            return 0;
    return 1;
}

static void free_merged(merged *m)
{
    for (uint32_t i = 0; i < m->count && m->columns; i++)
        free(m->columns[i].sources);
    PyMem_Free(m->columns);
    PyMem_Free(m->names);
    PyMem_Free(m->types);
    PyMem_Free(m->data);
}

/* merge(settings, table, clusters, number of clusters, rules, with_sources): clusters are a buffer of uint32, a number
 * for each row; rules are a tuple, as take_rule says, for each column. */
static PyObject *merge(PyObject *module, PyObject *args)
{
    PyObject *settings, *table, *rules, *made = NULL;
    Py_buffer clusters;
    merged m = {.count = 0};
    akin_frame *out = NULL;
    const input *in;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!y*IO!p:merge", &settings, s->input_type, &table, &clusters, &m.of_clusters,
                          &PyTuple_Type, &rules, &m.with_sources))
        return NULL;
    int fine = input_take(s, table, 0, &in) && buffer_check(&clusters, sizeof(uint32_t));
    if (fine) {
        m.table = in->table;
        m.rows = akin_table_rows(in->table);
        m.count = akin_table_columns(in->table);
        m.clusters = clusters.buf;
        fine = take_rules(&m, rules);
    }
    if (fine && (uint64_t)clusters.len != m.rows * (uint64_t)sizeof(uint32_t)) {
        PyErr_SetString(PyExc_ValueError, "there are not as many numbers of clusters as rows");
        fine = 0;
    }
    if (fine && job_begin(&j, s, settings)) {
        job_leave(&j);
        akin_status status = merge_columns(&j, &m, &out);
        status = job_return(&j, status);
        job_end(&j);
        made = frame_of_job(&j, status, out);
    }
    free_merged(&m);
    PyBuffer_Release(&clusters);
    return made;
}

PyMethodDef merge_functions[] = {
    {"merge", merge, METH_VARARGS, "merge(settings, table, clusters, count, rules, with_sources) -> Frame"},
    {NULL, NULL, 0, NULL},
};
