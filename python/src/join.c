/* Joins of sets, and of strings. */
#include "pairs.h"
#include "text.h"

/* Both sides as sets of tokens, by one dictionary. */
static akin_status make_sets(job *j, const input *left, const akin_column *left_columns, const input *right,
                             const akin_column *right_columns, const akin_text_options *text, akin_sets **left_sets,
                             akin_sets **right_sets)
{
    akin_dictionary *dictionary;
    akin_status status = akin_dictionary_create(j->context, &dictionary, &j->error);
    if (status != AKIN_OK)
        return status;
    status = akin_sets_from_columns(j->context, left_columns, akin_table_columns(left->table),
                                    akin_table_rows(left->table), text, dictionary, left_sets, &j->error);
    if (status == AKIN_OK && right)
        status = akin_sets_from_columns(j->context, right_columns, akin_table_columns(right->table),
                                        akin_table_rows(right->table), text, dictionary, right_sets, &j->error);
    akin_dictionary_free(dictionary);
    return status;
}

static akin_status run_join(job *j, const input *left, const akin_column *left_columns, const input *right,
                            const akin_column *right_columns, const akin_text_options *text,
                            const akin_join_options *options, pairs *p)
{
    akin_sets *left_sets = NULL, *right_sets = NULL;
    akin_status status = make_sets(j, left, left_columns, right, right_columns, text, &left_sets, &right_sets);
    p->measure = options->measure;
    p->left = left_sets;
    p->right = right_sets ? right_sets : left_sets;
    if (status == AKIN_OK)
        status = akin_join(j->context, left_sets, right_sets, options, pairs_take, p, NULL, NULL, &j->error);
    akin_sets_free(left_sets);
    akin_sets_free(right_sets);
    return status;
}

static int take_options(job *j, PyObject *spec, akin_join_options *out)
{
    const char *threshold, *technique;
    int measure;
    unsigned int bits;
    if (!PyArg_ParseTuple(spec, "issI:options", &measure, &threshold, &technique, &bits))
        return 0;
    out->measure = (akin_measure)measure;
    out->bits = bits;
    akin_status status = akin_ratio_parse(threshold, &out->threshold, &j->error);
    if (status == AKIN_OK)
        status = akin_technique_parse(technique, &out->technique, &j->error);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* join(settings, left, right or None, text, (measure, threshold, technique, bits)) */
static PyObject *join(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *text_spec, *spec, *made = NULL;
    akin_text_options text = {0};
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    state *s = state_of(module);
    pairs p;
    job j;
    if (!PyArg_ParseTuple(args, "OO!OOO:join", &settings, s->input_type, &left, &right, &text_spec, &spec))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    const input *right_input = right == Py_None ? NULL : (const input *)right;
    akin_column *left_columns = input_columns((const input *)left);
    akin_column *right_columns = right_input ? input_columns(right_input) : NULL;
    if (!PyErr_Occurred() && take_options(&j, spec, &options) && text_take(text_spec, &text)) {
        akin_status status = pairs_begin(&p, &j, "overlap");
        if (status == AKIN_OK) {
            job_leave(&j);
            status = run_join(&j, (const input *)left, left_columns, right_input, right_columns, &text, &options, &p);
            job_return(&j);
            made = pairs_end(&p, &j, status);
        } else {
            job_fail(&j, status);
        }
    }
    text_clear(&text);
    PyMem_Free(left_columns);
    PyMem_Free(right_columns);
    job_end(&j);
    return made;
}

PyMethodDef join_functions[] = {
    {"join", join, METH_VARARGS, "join(settings, left, right, text, options) -> Frame"},
    {NULL, NULL, 0, NULL},
};
