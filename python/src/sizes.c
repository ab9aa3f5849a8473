/* The sizes of sets, and the lengths of strings. */
#include "text.h"

/* What is measured: one of the two. */
typedef struct measured {
    const input *text;
    const akin_sets *sets;
    akin_column *columns;
    const akin_text_options *tokens; /* NULL: whole strings are */
    uint32_t folds;
} measured;

/* The lengths of strings, of several columns as a join of strings combines them. */
static akin_status put_lengths(job *j, const measured *m, uint32_t count, uint32_t rows, uint32_t *lengths)
{
    akin_table *combined = NULL;
    akin_column strings;
    akin_status status = input_strings(j, m->columns, count, rows, &combined, &strings);
    if (status == AKIN_OK)
        status = akin_strings_lengths(j->context, &strings, rows, m->folds, lengths, &j->error);
    akin_table_free(combined);
    return status;
}

static akin_status put_sizes(job *j, const measured *m, akin_frame **out)
{
    static const akin_type types[] = {AKIN_TYPE_U32};
    static const char *const names[] = {"size"};
    const uint32_t rows = m->text ? akin_table_rows(m->text->table) : akin_sets_rows(m->sets);
    const uint32_t count = m->text ? akin_table_columns(m->text->table) : 0;
    void *data[1];
    akin_status status = akin_frame_create(j->context, 1, types, names, out, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(*out, rows, data, &j->error);
    if (status != AKIN_OK)
        return status;
    if (!m->text)
        for (uint32_t row = 0; row < rows; row++)
            ((uint32_t *)data[0])[row] = akin_sets_row(m->sets, row, NULL);
    else if (!m->tokens)
        status = put_lengths(j, m, count, rows, data[0]);
    else
        status = akin_sets_sizes(j->context, m->columns, count, rows, m->tokens, m->folds, data[0], &j->error);
    return status;
}

/* sizes(settings, input or sets, text or None, folds) -> Frame of "size": of the sets of tokens of all columns; None:
 * of the strings; or of the sets as they are */
static PyObject *sizes(PyObject *module, PyObject *args)
{
    PyObject *settings, *from, *spec;
    const char *folds;
    akin_text_options text = {0};
    akin_frame *made = NULL;
    akin_status status = AKIN_OK;
    state *s = state_of(module);
    measured m = {0};
    job j;
    if (!PyArg_ParseTuple(args, "OOOs:sizes", &settings, &from, &spec, &folds))
        return NULL;
    if (PyObject_TypeCheck(from, s->sets_type))
        m.sets = ((sets *)from)->sets;
    else if (!input_take(s, from, 1, &m.text) || !(m.columns = input_columns(m.text)))
        return NULL;
    int begun = (spec == Py_None || text_take(s, spec, &text)) && job_begin(&j, s, settings);
    if (begun) {
        m.tokens = spec == Py_None ? NULL : &text;
        status = akin_folds_parse(folds, &m.folds, &j.error);
        job_leave(&j);
        if (status == AKIN_OK)
            status = put_sizes(&j, &m, &made);
        status = job_return(&j, status);
        job_end(&j);
    }
    text_clear(&text);
    PyMem_Free(m.columns);
    return begun ? frame_of_job(&j, status, made) : NULL;
}

PyMethodDef sizes_functions[] = {
    {"sizes", sizes, METH_VARARGS, "sizes(settings, input or sets, text or None, folds) -> Frame"},
    {NULL, NULL, 0, NULL},
};
