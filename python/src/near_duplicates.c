/* The near-duplicates of a corpus. */
#include "named.h"
#include "stats.h"
#include "text.h"

/* What is asked for: columns of the input by their numbers, -1: none. The documents are the first `texts` columns. */
typedef struct asked {
    const input *from;
    akin_column *columns;
    unsigned texts;
    int preference, ids, sources;
    akin_duplicates_options options;
    akin_text_options text;
    akin_text_counts counts; /* of these */
    akin_duplicates_page_options page;
    const char *report; /* the file that gets the page; NULL: none does */
    unsigned sample;    /* documents to draw, instead of all that; 0: none */
    int plan;           /* what the job takes is all that is wanted */
} asked;

/* What comes of it. */
typedef struct found {
    akin_duplicates *duplicates;
    akin_duplicates_report report;
    akin_duplicates_estimate estimate;
    akin_duplicates_plan plan;
    akin_frame *made; /* of removed documents, or of estimates */
} found;

/* Writes the page about duplicates, if one is wanted. */
static akin_status write_page(job *j, asked *a, const akin_column *documents, const found *out)
{
    akin_output *output;
    if (!a->report)
        return AKIN_OK;
    a->page.files = a->from->table;
    akin_status status = akin_output_open(j->context, a->report, &output, &j->error);
    if (status != AKIN_OK)
        return status;
    status =
        akin_duplicates_write_page(j->context, out->duplicates, documents, &a->options, &a->page, output, &j->error);
    if (status == AKIN_OK)
        return akin_output_commit(output, &j->error);
    akin_output_discard(output);
    return status;
}

/* Finds duplicates, or what a sample says of them. */
static akin_status find(job *j, asked *a, found *out)
{
    akin_table *combined = NULL;
    akin_column documents;
    const uint32_t rows = akin_table_rows(a->from->table);
    akin_duplicates_sample_options sample = AKIN_DUPLICATES_SAMPLE_OPTIONS_INIT;
    akin_status status = input_strings(j, a->columns, a->texts, rows, &combined, &documents);
    a->options.text = &a->text;
    a->text.counts = &a->counts;
    a->options.preference = a->preference >= 0 ? &a->columns[a->preference] : NULL;
    a->options.ids = a->ids >= 0 ? &a->columns[a->ids] : NULL;
    a->options.sources = a->sources >= 0 ? &a->columns[a->sources] : NULL;
    a->options.files = a->from->table;
    a->options.table = combined ? combined : a->from->table;
    sample.find = &a->options;
    sample.documents = a->sample;
    out->estimate.size = sizeof out->estimate;
    out->report.size = sizeof out->report;
    out->plan.size = sizeof out->plan;
    if (status == AKIN_OK && a->plan)
        status = akin_duplicates_plan_make(j->context, &documents, rows, &a->options, &out->plan, &j->error);
    else if (status == AKIN_OK && a->sample > 0)
        status = akin_duplicates_sample(j->context, &documents, rows, &sample, &out->estimate, &j->error);
    else if (status == AKIN_OK)
        status = akin_duplicates_find(j->context, &documents, rows, &a->options, &out->duplicates, &j->error);
    if (status == AKIN_OK && out->duplicates)
        status = akin_duplicates_describe(out->duplicates, &out->report, &j->error);
    if (status == AKIN_OK && out->duplicates)
        status = write_page(j, a, &documents, out);
    akin_table_free(combined);
    return status;
}

/* Makes the table of removed documents. */
static akin_status make_frame(job *j, const asked *a, found *out)
{
    static const char *const names[] = {"id", "survivor", "similarity", "common"};
    const named ids = named_of(a->from, a->columns, a->ids);
    const akin_type types[] = {ids.type, ids.type, AKIN_TYPE_F64, AKIN_TYPE_U32};
    const uint32_t rows = akin_table_rows(a->from->table);
    void *data[4];
    uint64_t at = 0;
    akin_status status = akin_frame_create(j->context, 4, types, names, &out->made, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(out->made, out->report.documents - out->report.kept, data, &j->error);
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        akin_duplicate d;
        akin_duplicates_row(out->duplicates, row, &d);
        if (d.survivor == AKIN_NO_ROW)
            continue;
        status = named_put(j, &ids, out->made, 0, data[0], at, at, row);
        if (status == AKIN_OK)
            status = named_put(j, &ids, out->made, 1, data[1], at, at, d.survivor);
        ((double *)data[2])[at] = akin_duplicates_similarity(out->duplicates, row);
        ((uint32_t *)data[3])[at++] = d.common;
        if (row % LOOK_EVERY == LOOK_EVERY - 1 && status == AKIN_OK)
            status = job_poll(j);
    }
    return status;
}

/* Makes the table of estimates. */
static akin_status make_estimates(job *j, found *out)
{
    static const char *const names[] = {"threshold", "share", "low", "high", "documents"};
    static const akin_type types[] = {AKIN_TYPE_F64, AKIN_TYPE_F64, AKIN_TYPE_F64, AKIN_TYPE_F64, AKIN_TYPE_U64};
    void *data[5];
    akin_status status = akin_frame_create(j->context, 5, types, names, &out->made, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(out->made, AKIN_SAMPLE_THRESHOLDS, data, &j->error);
    for (uint32_t i = 0; i < AKIN_SAMPLE_THRESHOLDS && status == AKIN_OK; i++) {
        const akin_threshold_estimate *e = &out->estimate.at[i];
        ((double *)data[0])[i] = (double)e->threshold.num / e->threshold.den;
        ((double *)data[1])[i] = e->share;
        ((double *)data[2])[i] = e->low;
        ((double *)data[3])[i] = e->high;
        ((uint64_t *)data[4])[i] = e->documents;
    }
    return status;
}

/* A byte for each row: 1 if it is kept. */
static PyObject *mask_of(const akin_duplicates *duplicates, uint32_t rows)
{
    PyObject *mask = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)rows);
    char *bytes = mask ? PyBytes_AsString(mask) : NULL;
    for (uint32_t row = 0; row < rows && bytes; row++) {
        akin_duplicate d;
        akin_duplicates_row(duplicates, row, &d);
        bytes[row] = d.survivor == AKIN_NO_ROW;
    }
    return mask;
}

static PyObject *plan_of(const akin_duplicates_plan *p)
{
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:d}", "documents", p->documents, "bytes", p->bytes, "tokens",
                         p->tokens, "memory", p->memory, "temporary", p->temporary, "readings", p->readings, "rounds",
                         p->rounds, "seconds", p->seconds_frequency + p->seconds_survivors);
}

static PyObject *run(state *s, PyObject *settings, asked *a)
{
    found out = {.duplicates = NULL};
    PyObject *mask = NULL;
    job j;
    if (!job_begin(&j, s, settings))
        return NULL;
    job_leave(&j);
    akin_status status = find(&j, a, &out);
    if (status == AKIN_OK && !a->plan)
        status = a->sample > 0 ? make_estimates(&j, &out) : make_frame(&j, a, &out);
    status = job_return(&j, status);
    job_end(&j);
    if (a->plan)
        return status == AKIN_OK ? plan_of(&out.plan) : error_raise(s, status, &j.error, NULL);
    if (status == AKIN_OK && a->sample == 0)
        mask = mask_of(out.duplicates, akin_table_rows(a->from->table));
    akin_duplicates_free(out.duplicates);
    PyObject *frame = frame_of_job(&j, status, out.made);
    if (a->sample > 0)
        return frame;
    PyObject *warnings = frame && mask ? PyList_New(0) : NULL;
    if (warnings)
        akin_text_warn(&a->text, NULL, stats_add_warning, &warnings);
    PyObject *report = warnings ? stats_of_duplicates(&out.report, warnings) : NULL;
    if (report)
        return Py_BuildValue("(NNN)", frame, mask, report);
    Py_XDECREF(frame);
    Py_XDECREF(mask);
    return NULL;
}

/* Takes what is to be written of it. 0, and an exception. */
static int page_take(PyObject *spec, asked *a)
{
    if (PyLong_Check(spec)) {
        const unsigned long count = PyLong_AsUnsignedLong(spec);
        a->sample = count > UINT32_MAX ? UINT32_MAX : (unsigned)count;
        return !PyErr_Occurred();
    }
    a->plan = PyUnicode_Check(spec);
    if (a->plan)
        return 1;
    return spec == Py_None ||
           tuple_take(spec, "szsz:page", &a->report, &a->page.title, &a->page.tokens, &a->page.source);
}

/* near_duplicates(settings, input, texts, text, measure, threshold, keep, comparing, (preference, ids, sources),
 * ignore_frequent, components, page) -> (Frame of removed documents, bytes: 1 for each kept one, dict). The page is
 * None, or (path, title or None, tokens, name of the column of sources or None). With a number of documents to draw in
 * place of the page -> Frame of estimates. With "plan" there -> dict. */
static PyObject *near_duplicates(PyObject *module, PyObject *args)
{
    PyObject *settings, *from, *spec, *page, *made = NULL;
    const char *measure, *threshold;
    const akin_choice *row = NULL;
    state *s = state_of(module);
    asked a = {.options = AKIN_DUPLICATES_OPTIONS_INIT, .page = AKIN_DUPLICATES_PAGE_OPTIONS_INIT};
    unsigned long long frequent;
    akin_error error;
    if (!PyArg_ParseTuple(args, "OOIOssII(iii)KIO:near_duplicates", &settings, &from, &a.texts, &spec, &measure,
                          &threshold, &a.options.keep, &a.options.comparing, &a.preference, &a.ids, &a.sources,
                          &frequent, &a.options.components, &page))
        return NULL;
    a.options.ignore_frequent = frequent;
    if (!page_take(page, &a))
        return NULL;
    akin_status status = akin_choice_find("measures", measure, &row, &error);
    if (status == AKIN_OK)
        status = akin_ratio_parse(threshold, &a.options.threshold, &error);
    if (status != AKIN_OK)
        return error_raise(s, status, &error, NULL);
    a.options.measure = (uint32_t)row->value;
    if (!input_take(s, from, 1, &a.from) || !(a.columns = input_columns(a.from)))
        return NULL;
    if (text_take(s, spec, &a.text))
        made = run(s, settings, &a);
    text_clear(&a.text);
    PyMem_Free(a.columns);
    return made;
}

PyMethodDef near_duplicates_functions[] = {
    {"near_duplicates", near_duplicates, METH_VARARGS,
     "near_duplicates(settings, input, texts, text, measure, threshold, keep, comparing, columns, ignore_frequent, "
     "components, page)"},
    {NULL, NULL, 0, NULL},
};
