/* Comparison of strings: of two strings, of two columns row by row or cell by cell, or a join of all pairs that are
 * alike. */
#include "pairs.h"
#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT_ONCE 65536 /* pairs whose similarities are computed in one call */

/* How strings are compared, of a tuple (name, floored, prefix scale, boost threshold, folds). */
static int take_comparator(job *j, PyObject *spec, akin_compare_options *out)
{
    const char *name, *scale, *boost, *folds;
    int floored;
    out->size = sizeof *out;
    if (!tuple_take(spec, "spsss:scorer", &name, &floored, &scale, &boost, &folds))
        return 0;
    akin_status status = akin_compare_options_parse(name, out, &j->error);
    if (status == AKIN_OK)
        status = akin_ratio_parse(scale, &out->prefix_scale, &j->error);
    if (status == AKIN_OK)
        status = akin_ratio_parse(boost, &out->boost_threshold, &j->error);
    if (status == AKIN_OK)
        status = akin_folds_parse(folds, &out->folds, &j->error);
    out->floored = (uint32_t)floored;
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* compare_two(settings, scorer, a, b) -> (similarity, distance) */
static PyObject *compare_two(PyObject *module, PyObject *args)
{
    PyObject *settings, *spec;
    const char *a, *b;
    Py_ssize_t a_length, b_length;
    akin_compare_options options = {0};
    akin_compared compared;
    job j;
    if (!PyArg_ParseTuple(args, "OOs#s#:compare_two", &settings, &spec, &a, &a_length, &b, &b_length))
        return NULL;
    if (!job_begin(&j, state_of(module), settings))
        return NULL;
    int taken = take_comparator(&j, spec, &options);
    akin_status status = AKIN_OK;
    if (taken) {
        job_leave(&j);
        status = akin_compare(j.context, &options, a, (size_t)a_length, b, (size_t)b_length, &compared, &j.error);
        status = job_return(&j, status);
    }
    job_end(&j);
    if (!taken)
        return NULL;
    return status == AKIN_OK ? Py_BuildValue("(dd)", compared.similarity, compared.distance) : job_fail(&j, status);
}

/* ---------------------------------------------------------------------------------------------------------- columns */

static akin_status put_compared(akin_frame *made, const akin_compared *compared, uint64_t count, akin_error *error)
{
    void *data[2];
    akin_status status = akin_frame_extend(made, count, data, error);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        ((double *)data[0])[i] = compared[i].similarity;
        ((double *)data[1])[i] = compared[i].distance;
        for (uint32_t column = 0; column < 2 && isnan(compared[i].similarity) && status == AKIN_OK; column++)
            status = akin_frame_set_null(made, column, i, error);
    }
    return status;
}

static akin_status run_compare(job *j, const akin_compare_options *options, const input *left,
                               const akin_column *left_columns, const input *right, const akin_column *right_columns,
                               const akin_ratio *cutoff, akin_frame **out)
{
    static const akin_type types[] = {AKIN_TYPE_F64, AKIN_TYPE_F64};
    const uint32_t rows = akin_table_rows(left->table);
    akin_compared *compared = malloc((rows + (size_t)1) * sizeof *compared);
    akin_frame *made = NULL;
    if (!compared)
        return akin_error_set(&j->error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "out of memory: the similarities");
    akin_status status =
        akin_compare_pairs(j->context, options, left_columns, rows, right_columns, akin_table_rows(right->table), NULL,
                           NULL, rows, cutoff, compared, &j->error);
    if (status == AKIN_OK)
        status =
            akin_frame_create(j->context, 2, types, (const char *const[]){"similarity", "distance"}, &made, &j->error);
    if (status == AKIN_OK)
        status = put_compared(made, compared, rows, &j->error);
    free(compared);
    if (status == AKIN_OK)
        *out = made;
    else
        akin_frame_free(made);
    return status;
}

static int take_cutoff(job *j, const char *text, akin_ratio *out)
{
    akin_status status = akin_ratio_parse(text, out, &j->error);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* Columns that the comparator can hardly read, or whose values are too short for its tokens. NULL, and an exception. */
static PyObject *warnings_of(job *j, const akin_compare_options *options, const akin_column *const columns[2],
                             const input *const inputs[2])
{
    static const char *const sides[] = {"left", "right"};
    PyObject *list = PyList_New(0);
    for (int side = 0; side < 2 && list; side++) {
        const char *name = columns[side]->name;
        char where[400];
        akin_parsed parsed;
        job_leave(j);
        akin_status status = akin_compare_parse(j->context, options, columns[side],
                                                akin_table_rows(inputs[side]->table), &parsed, &j->error);
        status = job_return(j, status);
        if (status != AKIN_OK) {
            Py_DECREF(list);
            return job_fail(j, status);
        }
        if (name && *name)
            snprintf(where, sizeof where, "the %s column '%.300s'", sides[side], name);
        else
            snprintf(where, sizeof where, "the %s column", sides[side]);
        akin_compare_warn(options, &parsed, where, stats_add_warning, &list);
    }
    return list;
}

/* compare(settings, scorer, left, right, cutoff or None) -> (Frame, [warning, ...]) */
static PyObject *compare(PyObject *module, PyObject *args)
{
    PyObject *settings, *spec, *left, *right, *made = NULL;
    const input *first, *second;
    const char *cutoff_text;
    akin_compare_options options = {0};
    akin_ratio cutoff;
    akin_frame *frame = NULL;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OOO!O!z:compare", &settings, &spec, s->input_type, &left, s->input_type, &right,
                          &cutoff_text))
        return NULL;
    if (!input_take(s, left, 1, &first) || !input_take(s, right, 1, &second))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    akin_column *left_columns = input_columns(first), *right_columns = input_columns(second);
    if (left_columns && right_columns && take_comparator(&j, spec, &options) &&
        (!cutoff_text || take_cutoff(&j, cutoff_text, &cutoff))) {
        job_leave(&j);
        akin_status status =
            run_compare(&j, &options, first, left_columns, second, right_columns, cutoff_text ? &cutoff : NULL, &frame);
        status = job_return(&j, status);
        made = frame_of_job(&j, status, frame);
        if (made)
            made =
                stats_beside(made, warnings_of(&j, &options, (const akin_column *const[]){left_columns, right_columns},
                                               (const input *const[]){first, second}));
    }
    PyMem_Free(left_columns);
    PyMem_Free(right_columns);
    job_end(&j);
    return made;
}

/* ------------------------------------------------------------------------------------------------------------ matrix */

/* Takes the memory that the cells are written to: floats or doubles of that many rows and columns, without gaps. */
static int take_cells(PyObject *owner, uint32_t rows, uint32_t columns, Py_buffer *view, akin_cells *out)
{
    if (PyObject_GetBuffer(owner, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE) < 0)
        return 0;
    const int is_float = strcmp(view->format, "f") == 0, is_double = strcmp(view->format, "d") == 0;
    if ((!is_float && !is_double) || view->ndim != 2 || view->shape[0] != rows || view->shape[1] != columns) {
        PyErr_SetString(PyExc_ValueError, "expected a writable array of floats or doubles, a cell for each pair");
        return 0;
    }
    if (is_float)
        out->floats = view->buf;
    else
        out->doubles = view->buf;
    return 1;
}

static PyObject *fill_matrix(job *j, const akin_compare_options *options, const input *const sides[2],
                             const akin_column *const columns[2], const akin_cells *cells)
{
    job_leave(j);
    akin_status status = akin_compare_matrix(j->context, options, columns[0], akin_table_rows(sides[0]->table),
                                             columns[1], akin_table_rows(sides[1]->table), cells, &j->error);
    status = job_return(j, status);
    return status == AKIN_OK ? warnings_of(j, options, columns, sides) : job_fail(j, status);
}

/* compare_matrix(settings, scorer, left, right, distances, array) -> [warning, ...] */
static PyObject *compare_matrix(PyObject *module, PyObject *args)
{
    PyObject *settings, *spec, *left, *right, *owner, *warnings = NULL;
    const input *sides[2];
    int distances;
    akin_compare_options options = {0};
    akin_cells cells = AKIN_CELLS_INIT;
    Py_buffer view = {0};
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OOO!O!pO:compare_matrix", &settings, &spec, s->input_type, &left, s->input_type,
                          &right, &distances, &owner))
        return NULL;
    if (!input_take(s, left, 1, &sides[0]) || !input_take(s, right, 1, &sides[1]))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    cells.distances = (uint32_t)distances;
    akin_column *left_columns = input_columns(sides[0]), *right_columns = input_columns(sides[1]);
    if (left_columns && right_columns && take_comparator(&j, spec, &options) &&
        take_cells(owner, akin_table_rows(sides[0]->table), akin_table_rows(sides[1]->table), &view, &cells))
        warnings = fill_matrix(&j, &options, sides, (const akin_column *const[]){left_columns, right_columns}, &cells);
    if (view.obj)
        PyBuffer_Release(&view);
    PyMem_Free(left_columns);
    PyMem_Free(right_columns);
    job_end(&j);
    return warnings;
}

/* -------------------------------------------------------------------------------------------------------- all pairs */

/* Fills in the similarities of the pairs in a frame. */
static akin_status compare_found(job *j, pairs *p, const akin_compare_options *options, const akin_column *left,
                                 uint32_t left_rows, const akin_column *right, uint32_t right_rows)
{
    void *ends[4];
    const uint64_t count = akin_frame_rows(p->frame);
    akin_compared *compared = malloc(AT_ONCE * sizeof *compared);
    akin_status status = akin_frame_extend(p->frame, 0, ends, &j->error);
    if (!compared)
        status = akin_error_set(&j->error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "out of memory: the similarities");
    for (uint64_t done = 0; done < count && compared && status == AKIN_OK;) {
        const uint64_t left_over = count - done, some = left_over < AT_ONCE ? left_over : AT_ONCE;
        double *similarity = (double *)ends[p->has_number ? 3 : 2] - left_over;
        status = akin_compare_pairs(j->context, options, left, left_rows, right, right_rows,
                                    (const uint32_t *)ends[0] - left_over, (const uint32_t *)ends[1] - left_over, some,
                                    NULL, compared, &j->error);
        for (uint64_t i = 0; i < some && status == AKIN_OK; i++)
            similarity[i] = compared[i].similarity;
        done += some;
    }
    free(compared);
    return status;
}

/* A cutoff, or of "" any similarity above 0. */
static int take_least(job *j, const char *text, akin_ratio *out)
{
    *out = AKIN_CUTOFF_ANY;
    return !*text || take_cutoff(j, text, out);
}

static int take_technique(job *j, const char *name, akin_match_options *out)
{
    akin_status status = akin_match_technique_parse(name, &out->technique, &j->error);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* One side of a join of strings: a column, or several that are combined. */
typedef struct match_side {
    akin_column *columns; /* NULL: there is no such side */
    uint32_t count, rows;
    akin_column strings;
    akin_table *combined;
} match_side;

static int take_side(const input *in, uint32_t count, match_side *out)
{
    *out = (match_side){.count = count, .rows = in ? akin_table_rows(in->table) : 0};
    if (in && (count == 0 || count > akin_table_columns(in->table)))
        PyErr_SetString(PyExc_IndexError, "there are not that many columns");
    else if (in)
        out->columns = input_columns(in);
    return !in || out->columns;
}

static akin_status combine_side(job *j, match_side *side)
{
    if (!side->columns)
        return AKIN_OK;
    side->strings = *side->columns;
    if (side->count == 1)
        return AKIN_OK;
    akin_status status =
        akin_table_combine(j->context, side->columns, side->count, side->rows, &side->combined, &j->error);
    return status == AKIN_OK ? akin_table_column(side->combined, 0, &side->strings, &j->error) : status;
}

static void clear_side(match_side *side)
{
    akin_table_free(side->combined);
    PyMem_Free(side->columns);
}

/* Joins strings, and computes the similarities of the pairs. */
static akin_status run_match(job *j, match_side sides[2], const akin_match_options *options, pairs *p,
                             akin_match_report *report)
{
    match_side *left = &sides[0], *right = sides[1].columns ? &sides[1] : NULL, *other = right ? right : left;
    akin_status status = combine_side(j, &sides[0]);
    if (status == AKIN_OK)
        status = combine_side(j, &sides[1]);
    if (status == AKIN_OK)
        status = akin_match(j->context, &left->strings, left->rows, right ? &right->strings : NULL,
                            right ? right->rows : 0, options, pairs_take_rows, p, NULL, report, &j->error);
    return status == AKIN_OK
               ? compare_found(j, p, options->compare, &left->strings, left->rows, &other->strings, other->rows)
               : status;
}

/* match(settings, scorer, left, right or None, how many columns of each have the strings, cutoff or None, most,
 * technique, top) -> (Frame, what was done): a cutoff of "" is any similarity above 0 */
static PyObject *match(PyObject *module, PyObject *args)
{
    PyObject *settings, *spec, *left, *right, *made = NULL;
    const input *first, *second;
    const char *cutoff, *technique;
    unsigned int most, top, counts[2];
    akin_match_report report = {.size = sizeof report};
    akin_compare_options compare_options = {0};
    akin_match_options options = AKIN_MATCH_OPTIONS_INIT;
    state *s = state_of(module);
    pairs p;
    job j;
    if (!PyArg_ParseTuple(args, "OOO!O(II)zIsI:match", &settings, &spec, s->input_type, &left, &right, &counts[0],
                          &counts[1], &cutoff, &most, &technique, &top))
        return NULL;
    if (!input_take(s, left, 1, &first) || !input_take(s, right, 1, &second))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    match_side sides[2] = {{NULL}, {NULL}};
    options.compare = &compare_options;
    options.cutoff.num = 0;
    options.most = most;
    options.top = top;
    if (take_side(first, counts[0], &sides[0]) && take_side(second, counts[1], &sides[1]) &&
        take_comparator(&j, spec, &compare_options) && (!cutoff || take_least(&j, cutoff, &options.cutoff)) &&
        take_technique(&j, technique, &options)) {
        const akin_choice *row = akin_choice_of_value("comparators", (int)compare_options.comparator);
        const int edits = row && (row->capabilities & AKIN_HAS_DISTANCE);
        akin_status status = pairs_begin(&p, &j, edits ? "distance" : NULL);
        if (status == AKIN_OK) {
            job_leave(&j);
            status = run_match(&j, sides, &options, &p, &report);
            status = job_return(&j, status);
            made = pairs_end(&p, &j, status);
            if (made)
                made = stats_beside(made, stats_of_match(&report));
        } else {
            job_fail(&j, status);
        }
    }
    clear_side(&sides[0]);
    clear_side(&sides[1]);
    job_end(&j);
    return made;
}

PyMethodDef strings_functions[] = {
    {"compare_two", compare_two, METH_VARARGS, "compare_two(settings, scorer, a, b) -> (similarity, distance)"},
    {"compare", compare, METH_VARARGS, "compare(settings, scorer, left, right, cutoff) -> Frame"},
    {"compare_matrix", compare_matrix, METH_VARARGS,
     "compare_matrix(settings, scorer, left, right, distances, array) -> [warning, ...]"},
    {"match", match, METH_VARARGS,
     "match(settings, scorer, left, right, counts, cutoff, most, technique, top) -> (Frame, dict)"},
    {NULL, NULL, 0, NULL},
};
