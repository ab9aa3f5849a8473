/* Joins of sets, and of strings. */
#include "pairs.h"
#include "stats.h"
#include "text.h"

/* Both sides: columns of text, or sets as they are. */
typedef struct sides {
    const input *text[2]; /* NULL: there is none */
    akin_column *columns[2];
    uint32_t counts[2]; /* of the columns that have the text */
    akin_sets *sets[2]; /* made here of text; borrowed of sets */
    akin_text_counts counted[2];
} sides;

static int take_sides(job *j, PyObject *left, PyObject *right, const uint32_t counts[2], sides *out)
{
    PyObject *const objects[2] = {left, right == Py_None ? NULL : right};
    *out = (sides){.counts = {counts[0], counts[1]}};
    for (int i = 0; i < 2 && objects[i]; i++) {
        if (PyObject_TypeCheck(objects[i], j->module->sets_type) && (i == 0 || !out->text[0])) {
            out->sets[i] = ((sets *)objects[i])->sets;
        } else if (PyObject_TypeCheck(objects[i], j->module->input_type) && !out->sets[0]) {
            out->text[i] = (const input *)objects[i];
            if (counts[i] > akin_table_columns(out->text[i]->table)) {
                PyErr_SetString(PyExc_IndexError, "there are not that many columns");
                return 0;
            }
            if (!(out->columns[i] = input_columns(out->text[i])))
                return 0;
        } else {
            PyErr_SetString(PyExc_TypeError, "expected texts on both sides, or sets on both");
            return 0;
        }
    }
    return 1;
}

static void clear_sides(sides *s)
{
    for (int i = 0; i < 2; i++) {
        if (s->text[i])
            akin_sets_free(s->sets[i]);
        PyMem_Free(s->columns[i]);
    }
}

/* Texts as sets of tokens, by one dictionary. */
static akin_status make_sets(job *j, const akin_text_options *text, sides *s)
{
    akin_dictionary *dictionary;
    akin_text_options own = *text;
    if (!s->text[0])
        return AKIN_OK;
    akin_status status = akin_dictionary_create(j->context, &dictionary, &j->error);
    if (status != AKIN_OK)
        return status;
    for (int i = 0; i < 2 && s->text[i] && status == AKIN_OK; i++) {
        own.counts = &s->counted[i];
        status = akin_sets_from_columns(j->context, s->columns[i], s->counts[i], akin_table_rows(s->text[i]->table),
                                        &own, dictionary, &s->sets[i], &j->error);
    }
    akin_dictionary_free(dictionary);
    return status;
}

/* Texts that are too short for their tokens. NULL, and an exception. */
static PyObject *warnings_of(const akin_text_options *text, sides *s)
{
    static const char *const names[] = {"left", "right"};
    akin_text_options own = *text;
    PyObject *list = PyList_New(0);
    for (int i = 0; i < 2 && s->text[i] && list; i++) {
        own.counts = &s->counted[i];
        akin_text_warn(&own, s->text[1] ? names[i] : NULL, stats_add_warning, &list);
    }
    return list;
}

static akin_status run_join(job *j, sides *s, const akin_text_options *text, const akin_join_options *options, pairs *p,
                            akin_join_report **report)
{
    akin_status status = make_sets(j, text, s);
    p->measure = options->measure;
    p->left = s->sets[0];
    p->right = s->sets[1] ? s->sets[1] : s->sets[0];
    if (status == AKIN_OK)
        status = akin_join(j->context, s->sets[0], s->sets[1], options, pairs_take, p, NULL, report, &j->error);
    return status;
}

static int take_options(job *j, PyObject *spec, akin_join_options *out, akin_papers_join_options *papers)
{
    const char *measure, *threshold, *technique, *filter, *sharing;
    const akin_choice *row = NULL;
    unsigned int bits, block, top;
    if (!tuple_take(spec, "sssIIssI:options", &measure, &threshold, &technique, &bits, &block, &filter, &sharing, &top))
        return 0;
    out->bits = bits;
    papers->block = block;
    out->top = top;
    akin_status status = akin_choice_find("measures", measure, &row, &j->error);
    if (row)
        out->measure = (akin_measure)row->value;
    if (status == AKIN_OK)
        status = akin_ratio_parse(threshold, &out->threshold, &j->error);
    if (status == AKIN_OK)
        status = akin_technique_parse(akin_papers(), technique, &out->technique, &j->error);
    if (status == AKIN_OK)
        status = akin_technique_parse(akin_papers(), filter, &papers->filter, &j->error);
    if (status == AKIN_OK)
        status = akin_sharing_parse(sharing, &papers->sharing, &j->error);
    if (papers->block || papers->filter != AKIN_AUTO || papers->sharing != AKIN_SHARING_AUTO)
        out->annex = papers;
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* The calibration of this machine: a function that warns of wrong numbers, and seven numbers. None, or wrong numbers:
 * the built-in prices. They change no result, so they stop no job. */
static int take_calibration(job *j, PyObject *spec)
{
    akin_calibration c = {.size = sizeof c};
    PyObject *tell;
    if (spec == Py_None)
        return 1;
    if (!tuple_take(spec, "Oddddddd:calibration", &tell, &c.index, &c.screened, &c.bitmap, &c.gpu_open, &c.gpu_transfer,
                    &c.gpu_compare, &c.gpu_verify))
        return 0;
    if (akin_context_calibrate(j->context, &c, &j->error) == AKIN_OK)
        return 1;
    PyObject *told = PyObject_CallFunction(tell, "s", j->error.message);
    Py_XDECREF(told);
    return told != NULL;
}

/* join(settings, left, right or None, how many columns of each have the text, text, (measure, threshold, technique,
 * bits, block, filter, sharing), calibration or None) -> (Frame, what was done): of inputs, whose texts are cut into
 * tokens, or of sets */
static PyObject *join(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *text_spec, *spec, *calibration, *made = NULL;
    akin_text_options text = {0};
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_papers_join_options papers = AKIN_PAPERS_JOIN_OPTIONS_INIT;
    akin_join_report *report = NULL;
    uint32_t counts[2];
    sides both;
    pairs p;
    job j;
    if (!PyArg_ParseTuple(args, "OOO(II)OOO:join", &settings, &left, &right, &counts[0], &counts[1], &text_spec, &spec,
                          &calibration))
        return NULL;
    if (!job_begin(&j, state_of(module), settings))
        return NULL;
    if (take_sides(&j, left, right, counts, &both) && take_options(&j, spec, &options, &papers) &&
        take_calibration(&j, calibration) && text_take(j.module, text_spec, &text)) {
        akin_status status = pairs_begin(&p, &j, "overlap");
        if (status == AKIN_OK) {
            job_leave(&j);
            status = run_join(&j, &both, &text, &options, &p, &report);
            status = job_return(&j, status);
            made = pairs_end(&p, &j, status);
        } else {
            job_fail(&j, status);
        }
        if (made)
            made = stats_beside(made, stats_of_join(report, warnings_of(&text, &both)));
        akin_join_report_free(report);
    }
    clear_sides(&both);
    text_clear(&text);
    job_end(&j);
    return made;
}

PyMethodDef join_functions[] = {
    {"join", join, METH_VARARGS, "join(settings, left, right, counts, text, options, calibration) -> (Frame, dict)"},
    {NULL, NULL, 0, NULL},
};
