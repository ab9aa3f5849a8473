/* Trees: a join of two columns by edit distance, and the comparison of two trees. */
#include "pairs.h"
#include "stats.h"

#include <string.h>

/* The options of a format's name and of a largest distance. */
static int take_options(job *j, const char *format, unsigned int most, akin_trees_options *out)
{
    const akin_choice *row = NULL;
    const akin_status status = akin_choice_find("tree-formats", format, &row, &j->error);
    *out = (akin_trees_options)AKIN_TREES_OPTIONS_INIT;
    if (status != AKIN_OK)
        job_fail(j, status);
    else
        out->format = (akin_tree_format)row->value;
    out->most = most;
    return status == AKIN_OK;
}

static PyObject *stats_of_trees(const akin_trees_report *r)
{
    return Py_BuildValue("{s:I,s:I,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:d,s:d,s:d,s:I,s:I,s:[]}", "rows_left",
                         r->rows_left, "rows_right", r->rows_right, "nodes_left", (unsigned long long)r->nodes_left,
                         "nodes_right", (unsigned long long)r->nodes_right, "pairs_all",
                         (unsigned long long)r->pairs_all, "candidates", (unsigned long long)r->candidates, "compared",
                         (unsigned long long)r->compared, "verified", (unsigned long long)r->verified, "pairs_found",
                         (unsigned long long)r->pairs_found, "memory_peak", (unsigned long long)r->memory_peak,
                         "seconds_prepare", r->seconds_prepare, "seconds_join", r->seconds_join, "seconds_deliver",
                         r->seconds_deliver, "labels", r->labels, "threads", r->threads, "warnings");
}

/* match_trees(settings, left, right or None, format, most, top) -> (Frame, what was done) */
static PyObject *match_trees(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *made = NULL;
    const input *first, *second;
    const char *format;
    unsigned int most, top;
    akin_trees_report report = {.size = sizeof report};
    akin_trees_options options;
    state *s = state_of(module);
    pairs p;
    job j;
    if (!PyArg_ParseTuple(args, "OO!OsII:match_trees", &settings, s->input_type, &left, &right, &format, &most, &top))
        return NULL;
    if (!input_take(s, left, 1, &first) || !input_take(s, right, 1, &second))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    akin_column *left_columns = input_columns(first), *right_columns = second ? input_columns(second) : NULL;
    if (left_columns && (!second || right_columns) && take_options(&j, format, most, &options)) {
        akin_status status = pairs_begin_distances(&p, &j);
        options.top = top;
        if (status == AKIN_OK) {
            job_leave(&j);
            status = akin_trees_join(j.context, left_columns, akin_table_rows(first->table), right_columns,
                                     second ? akin_table_rows(second->table) : 0, &options, pairs_take_rows, &p, NULL,
                                     &report, &j.error);
            status = job_return(&j, status);
            made = pairs_end(&p, &j, status);
            if (made)
                made = stats_beside(made, stats_of_trees(&report));
        } else {
            job_fail(&j, status);
        }
    }
    PyMem_Free(left_columns);
    PyMem_Free(right_columns);
    job_end(&j);
    return made;
}

/* The nodes of a side as a list of (label, depth, partner or None). */
static PyObject *list_of_nodes(const akin_tree_compared *compared, int side)
{
    uint32_t count = 0;
    const akin_tree_node *nodes = akin_tree_compared_nodes(compared, side, &count);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t i = 0; list && i < count; i++) {
        PyObject *partner =
            nodes[i].partner == AKIN_TREE_NO_PARTNER ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(nodes[i].partner);
        PyObject *node = Py_BuildValue("(s#IN)", nodes[i].label, (Py_ssize_t)nodes[i].length, nodes[i].depth, partner);
        if (!node || PyList_SetItem(list, (Py_ssize_t)i, node) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* compare_trees(settings, a, b, format, most) -> (distance or None, nodes of a, nodes of b) */
static PyObject *compare_trees(PyObject *module, PyObject *args)
{
    PyObject *settings, *made = NULL;
    const char *a, *b, *format;
    Py_ssize_t a_length, b_length;
    unsigned int most;
    akin_trees_options options;
    akin_tree_compared *compared = NULL;
    job j;
    if (!PyArg_ParseTuple(args, "Os#s#sI:compare_trees", &settings, &a, &a_length, &b, &b_length, &format, &most))
        return NULL;
    if (!job_begin(&j, state_of(module), settings))
        return NULL;
    if (take_options(&j, format, most, &options)) {
        job_leave(&j);
        akin_status status =
            akin_tree_compare(j.context, &options, a, (size_t)a_length, b, (size_t)b_length, &compared, &j.error);
        status = job_return(&j, status);
        if (status == AKIN_OK) {
            const uint32_t distance = akin_tree_compared_distance(compared);
            made =
                Py_BuildValue("(NNN)", distance == UINT32_MAX ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(distance),
                              list_of_nodes(compared, 0), list_of_nodes(compared, 1));
        } else {
            job_fail(&j, status);
        }
    }
    akin_tree_compared_free(compared);
    job_end(&j);
    return made;
}

PyMethodDef trees_functions[] = {
    {"match_trees", match_trees, METH_VARARGS,
     "match_trees(settings, left, right, format, most, top) -> (Frame, dict)"},
    {"compare_trees", compare_trees, METH_VARARGS,
     "compare_trees(settings, a, b, format, most) -> (distance or None, [(label, depth, partner), ...], [...])"},
    {NULL, NULL, 0, NULL},
};
