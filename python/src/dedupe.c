/* Duplicates, and linked records: rules as Python says them, and the pairs that belong together. */
#include "report.h"
#include "stats.h"
#include "text.h"

#include <math.h>
#include <string.h>

#define MOST 64 /* selections, comparisons, parts of keys, columns that are made of others: of each */

/* What the options of a job point to. */
typedef struct rules {
    akin_dedupe_options options;
    akin_selection selections[MOST];
    akin_selected selected[MOST];
    akin_text_options texts[MOST];
    akin_key_part parts[MOST];
    akin_attribute attributes[MOST];
    akin_compare_options compare[MOST];
    const char *names[MOST];
    akin_combined combined[MOST];
    uint32_t members[MOST]; /* of combined columns */
    uint32_t folds[2 * MOST];
    uint32_t part_count, member_count;
} rules;

static int fail_many(const job *j, const char *what)
{
    PyErr_Format(j->module->option_error, "more than %d %s", MOST, what);
    return 0;
}

static int check(job *j, akin_status status)
{
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* (kind, window, ((column, key), ...), measure, cutoff or None, text or None) */
static int take_selection(job *j, rules *r, PyObject *spec)
{
    const uint32_t at = r->options.selection_count;
    akin_selection *selection = &r->selections[at];
    PyObject *parts, *text;
    const char *cutoff;
    int kind, measure;
    unsigned int window;
    if (at == MOST)
        return fail_many(j, "selections of pairs");
    if (!tuple_take(spec, "iIO!izO:pairs", &kind, &window, &PyTuple_Type, &parts, &measure, &cutoff, &text))
        return 0;
    *selection = (akin_selection){.kind = (akin_selection_kind)kind,
                                  .window = window,
                                  .parts = r->parts + r->part_count,
                                  .part_count = (uint32_t)PyTuple_Size(parts),
                                  .measure = (akin_measure)measure};
    if (r->part_count + selection->part_count > MOST)
        return fail_many(j, "keys");
    for (uint32_t i = 0; i < selection->part_count; i++) {
        unsigned int column;
        int key;
        if (!tuple_take(PyTuple_GetItem(parts, i), "Ii:key", &column, &key))
            return 0;
        r->parts[r->part_count++] = (akin_key_part){.column = column, .key = (akin_key)key};
    }
    r->options.selection_count++;
    if (text != Py_None) {
        selection->text = &r->texts[at];
        if (!text_take(j->module, text, &r->texts[at]))
            return 0;
    }
    return !cutoff || check(j, akin_ratio_parse(cutoff, &selection->cutoff, &j->error));
}

/* (column, scorer, threshold, weight, name of the result) */
static int take_attribute(job *j, rules *r, PyObject *spec)
{
    const uint32_t at = r->options.attribute_count;
    const char *scorer;
    unsigned int column;
    double threshold, weight;
    if (at == MOST - 3)
        return fail_many(j, "comparisons");
    if (!tuple_take(spec, "Isdds:compare", &column, &scorer, &threshold, &weight, &r->names[at]))
        return 0;
    r->attributes[at] =
        (akin_attribute){.column = column, .compare = &r->compare[at], .threshold = threshold, .weight = weight};
    r->compare[at].size = sizeof r->compare[at];
    r->options.attribute_count++;
    return check(j, akin_compare_options_parse(scorer, &r->compare[at], &j->error));
}

/* A tuple of the numbers of columns. */
static int take_combined(job *j, rules *r, PyObject *columns)
{
    if (!PyTuple_Check(columns)) {
        PyErr_Format(PyExc_TypeError, "expected a tuple of columns, got %R", Py_TYPE(columns));
        return 0;
    }
    const Py_ssize_t count = PyTuple_Size(columns);
    if (r->options.combined_count == MOST || r->member_count + (size_t)count > MOST)
        return fail_many(j, "columns that are made of others");
    r->combined[r->options.combined_count++] =
        (akin_combined){.columns = r->members + r->member_count, .count = (uint32_t)count};
    for (Py_ssize_t i = 0; i < count; i++)
        r->members[r->member_count++] = (uint32_t)PyLong_AsUnsignedLong(PyTuple_GetItem(columns, i));
    return !PyErr_Occurred();
}

static int take_each(job *j, rules *r, PyObject *list, int (*take)(job *j, rules *r, PyObject *spec))
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(list); i++)
        if (!take(j, r, PyTuple_GetItem(list, i)))
            return 0;
    return 1;
}

/* (selections, attributes, combined, folds, (threshold, max_block, missing, one_to_one)) */
static int take_rules(job *j, rules *r, PyObject *spec, uint32_t columns)
{
    PyObject *selections, *attributes, *combined, *folds;
    unsigned long long max_block;
    int missing, one_to_one;
    r->options = (akin_dedupe_options)AKIN_DEDUPE_OPTIONS_INIT;
    if (!tuple_take(spec, "O!O!O!O!(dKip):rules", &PyTuple_Type, &selections, &PyTuple_Type, &attributes, &PyTuple_Type,
                    &combined, &PyTuple_Type, &folds, &r->options.threshold, &max_block, &missing, &one_to_one))
        return 0;
    if (!take_each(j, r, selections, take_selection) || !take_each(j, r, attributes, take_attribute) ||
        !take_each(j, r, combined, take_combined))
        return 0;
    const Py_ssize_t count = PyTuple_Size(folds);
    if (count > 2 * MOST)
        return fail_many(j, "columns");
    if ((uint64_t)count != columns + (uint64_t)r->options.combined_count) {
        PyErr_SetString(PyExc_ValueError, "there are not as many folds as columns");
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        r->folds[i] = (uint32_t)PyLong_AsUnsignedLong(PyTuple_GetItem(folds, i));
    r->options.selections = r->selections;
    r->options.selected = r->selected;
    r->options.attributes = r->attributes;
    r->options.combined = r->combined;
    r->options.folds = r->folds;
    r->options.max_block = max_block;
    r->options.missing = (akin_missing)missing;
    r->options.one_to_one = (uint32_t)one_to_one;
    return !PyErr_Occurred();
}

static void clear_rules(rules *r)
{
    for (uint32_t i = 0; i < r->options.selection_count; i++)
        text_clear(&r->texts[i]);
    PyMem_Free(r);
}

/* ------------------------------------------------------------------------------------------------------------- pairs */

typedef struct scored {
    akin_frame *frame;
    uint32_t attributes;
    akin_status status;
    akin_error error;
} scored;

static int take_scored(void *user, const akin_scored_pair *found, const double *each, size_t count)
{
    scored *s = user;
    void *data[MOST];
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

static akin_status begin_frame(job *j, const rules *r, scored *out)
{
    akin_type types[MOST] = {AKIN_TYPE_U32, AKIN_TYPE_U32};
    const char *names[MOST] = {"left", "right", "similarity"};
    const uint32_t attributes = r->options.attribute_count;
    *out = (scored){.attributes = attributes};
    for (uint32_t i = 2; i < attributes + 3; i++)
        types[i] = AKIN_TYPE_F64;
    for (uint32_t i = 0; i < attributes; i++)
        names[i + 3] = r->names[i];
    return akin_frame_create(j->context, attributes + 3, types, names, &out->frame, &j->error);
}

static PyObject *run(job *j, const input *left, const akin_column *left_columns, const input *right,
                     const akin_column *right_columns, const rules *r, const report *page)
{
    akin_dedupe_report done = {.size = sizeof done};
    scored s;
    akin_status status = begin_frame(j, r, &s);
    if (status != AKIN_OK)
        return job_fail(j, status);
    job_leave(j);
    status = akin_dedupe(j->context, left_columns, akin_table_rows(left->table), right_columns,
                         right ? akin_table_rows(right->table) : 0, akin_table_columns(left->table), &r->options,
                         take_scored, &s, NULL, &done, &j->error);
    if (status == AKIN_OK)
        status = report_write(page, j);
    status = job_return(j, status);
    if (s.status != AKIN_OK) {
        status = s.status;
        j->error = s.error;
    }
    if (status == AKIN_OK)
        return stats_beside(frame_wrap(j->module, s.frame),
                            stats_of_dedupe(&done, r->selected, r->options.selection_count));
    akin_frame_free(s.frame);
    return job_fail(j, status);
}

/* dedupe(settings, left, right or None, rules, report or None) -> (Frame, what was done): both sides have the same columns in the
 * same order. */
static PyObject *dedupe(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *spec, *report_spec, *made = NULL;
    const input *first, *second;
    report page = {.path = NULL};
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!OOO:dedupe", &settings, s->input_type, &left, &right, &spec, &report_spec))
        return NULL;
    if (!input_take(s, left, 1, &first) || !input_take(s, right, akin_table_columns(first->table), &second))
        return NULL;
    rules *r = PyMem_Calloc(1, sizeof *r);
    if (!r)
        return PyErr_NoMemory();
    if (!job_begin(&j, s, settings)) {
        PyMem_Free(r);
        return NULL;
    }
    akin_column *left_columns = input_columns(first), *right_columns = second ? input_columns(second) : NULL;
    if (!PyErr_Occurred() && take_rules(&j, r, spec, akin_table_columns(first->table)) &&
        report_begin(&page, &j, report_spec, first, second, &r->options)) {
        r->options.report = page.gathered;
        made = run(&j, first, left_columns, second, right_columns, r, &page);
    }
    report_clear(&page);
    PyMem_Free(left_columns);
    PyMem_Free(right_columns);
    clear_rules(r);
    job_end(&j);
    return made;
}

PyMethodDef dedupe_functions[] = {
    {"dedupe", dedupe, METH_VARARGS, "dedupe(settings, left, right, rules, report) -> (Frame, dict)"},
    {NULL, NULL, 0, NULL},
};
