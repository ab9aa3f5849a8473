/* Graphs: a join of two columns by edit distance, and the comparison of two graphs. */
#include "pairs.h"
#include "stats.h"

static PyObject *stats_of_graphs(const akin_graphs_report *r)
{
    return Py_BuildValue(
        "{s:I,s:I,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:d,s:d,s:d,s:I,s:I,s:[]}", "rows_left",
        r->rows_left, "rows_right", r->rows_right, "nodes_left", (unsigned long long)r->nodes_left, "nodes_right",
        (unsigned long long)r->nodes_right, "edges_left", (unsigned long long)r->edges_left, "edges_right",
        (unsigned long long)r->edges_right, "pairs_all", (unsigned long long)r->pairs_all, "candidates",
        (unsigned long long)r->candidates, "compared", (unsigned long long)r->compared, "bounded",
        (unsigned long long)r->bounded, "searched", (unsigned long long)r->searched, "states",
        (unsigned long long)r->states, "pairs_found", (unsigned long long)r->pairs_found, "undecided",
        (unsigned long long)r->undecided, "memory_peak", (unsigned long long)r->memory_peak, "seconds_prepare",
        r->seconds_prepare, "seconds_join", r->seconds_join, "seconds_deliver", r->seconds_deliver, "labels", r->labels,
        "threads", r->threads, "warnings");
}

/* match_graphs(settings, left, right or None, most, budget, undecided) -> (Frame, what was done) */
static PyObject *match_graphs(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *made = NULL;
    const input *first, *second;
    unsigned long long budget;
    int undecided;
    akin_graphs_report report = {.size = sizeof report};
    akin_graphs_options options = AKIN_GRAPHS_OPTIONS_INIT;
    state *s = state_of(module);
    pairs p;
    job j;
    if (!PyArg_ParseTuple(args, "OO!OIKp:match_graphs", &settings, s->input_type, &left, &right, &options.most, &budget,
                          &undecided))
        return NULL;
    options.budget = budget;
    options.undecided = undecided != 0;
    if (!input_take(s, left, 1, &first) || !input_take(s, right, 1, &second))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    akin_column *left_columns = input_columns(first), *right_columns = second ? input_columns(second) : NULL;
    if (left_columns && (!second || right_columns)) {
        akin_status status = pairs_begin_distances(&p, &j);
        if (status == AKIN_OK) {
            job_leave(&j);
            status = akin_graphs_join(j.context, left_columns, akin_table_rows(first->table), right_columns,
                                      second ? akin_table_rows(second->table) : 0, &options, pairs_take_graphs, &p,
                                      NULL, &report, &j.error);
            status = job_return(&j, status);
            made = pairs_end(&p, &j, status);
            if (made)
                made = stats_beside(made, stats_of_graphs(&report));
        } else {
            job_fail(&j, status);
        }
    }
    PyMem_Free(left_columns);
    PyMem_Free(right_columns);
    job_end(&j);
    return made;
}

static PyObject *partner_of(uint32_t partner)
{
    return partner == AKIN_GRAPH_NO_PARTNER ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(partner);
}

/* Puts an item, which it takes, into a list. Returns 0 if there is none, or no list any more. */
static int put_item(PyObject **list, uint32_t i, PyObject *item)
{
    if (!item || PyList_SetItem(*list, (Py_ssize_t)i, item) < 0)
        Py_CLEAR(*list);
    return *list != NULL;
}

/* The nodes of a side as a list of (label, partner or None). */
static PyObject *list_of_nodes(const akin_graph_compared *compared, int side)
{
    uint32_t count = 0;
    const akin_graph_node *nodes = akin_graph_compared_nodes(compared, side, &count);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t i = 0; list && i < count; i++)
        put_item(&list, i,
                 Py_BuildValue("(s#N)", nodes[i].label, (Py_ssize_t)nodes[i].length, partner_of(nodes[i].partner)));
    return list;
}

/* The edges of a side as a list of (node, node, label, partner or None). */
static PyObject *list_of_edges(const akin_graph_compared *compared, int side)
{
    uint32_t count = 0;
    const akin_graph_link *links = akin_graph_compared_links(compared, side, &count);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t i = 0; list && i < count; i++)
        put_item(&list, i,
                 Py_BuildValue("(IIs#N)", links[i].from, links[i].to, links[i].label, (Py_ssize_t)links[i].length,
                               partner_of(links[i].partner)));
    return list;
}

/* compare_graphs(settings, a, b, most, budget) -> (distance or None, nodes of a, edges of a, nodes of b, edges of b) */
static PyObject *compare_graphs(PyObject *module, PyObject *args)
{
    PyObject *settings, *made = NULL;
    const char *a, *b;
    Py_ssize_t a_length, b_length;
    unsigned long long budget;
    akin_graphs_options options = AKIN_GRAPHS_OPTIONS_INIT;
    akin_graph_compared *compared = NULL;
    job j;
    if (!PyArg_ParseTuple(args, "Os#s#IK:compare_graphs", &settings, &a, &a_length, &b, &b_length, &options.most,
                          &budget))
        return NULL;
    options.budget = budget;
    if (!job_begin(&j, state_of(module), settings))
        return NULL;
    job_leave(&j);
    akin_status status =
        akin_graph_compare(j.context, &options, a, (size_t)a_length, b, (size_t)b_length, &compared, &j.error);
    status = job_return(&j, status);
    if (status == AKIN_OK) {
        const uint32_t distance = akin_graph_compared_distance(compared);
        made = Py_BuildValue("(NNNNN)", distance == UINT32_MAX ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(distance),
                             list_of_nodes(compared, 0), list_of_edges(compared, 0), list_of_nodes(compared, 1),
                             list_of_edges(compared, 1));
    } else {
        job_fail(&j, status);
    }
    akin_graph_compared_free(compared);
    job_end(&j);
    return made;
}

PyMethodDef graphs_functions[] = {
    {"match_graphs", match_graphs, METH_VARARGS,
     "match_graphs(settings, left, right, most, budget, undecided) -> (Frame, dict)"},
    {"compare_graphs", compare_graphs, METH_VARARGS,
     "compare_graphs(settings, a, b, most, budget) -> (distance or None, [(label, partner), ...], "
     "[(node, node, label, partner), ...], [...], [...])"},
    {NULL, NULL, 0, NULL},
};
