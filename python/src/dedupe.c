/* Duplicates and links: plans from JSON, and the pairs that they find. */
#include "clusters.h"
#include "corpus.h"
#include "labelling.h"
#include "report.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------------------ plans */

/* Reads a plan from a text of JSON; *out is NULL after an error. */
static akin_status read_plan(job *j, const char *text, akin_dedupe_plan **out)
{
    akin_json *json = NULL;
    *out = NULL;
    akin_status status = akin_json_parse("rules", text, strlen(text), &json, &j->error);
    if (status == AKIN_E_INPUT || status == AKIN_E_LIMIT) /* as the caller's rules are */
        status = AKIN_E_OPTION;
    if (status == AKIN_OK)
        status = akin_dedupe_plan_create(akin_papers(), out, &j->error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_read(*out, json, 0, NULL, NULL, &j->error);
    akin_json_free(json);
    if (status == AKIN_OK)
        return AKIN_OK;
    akin_dedupe_plan_free(*out);
    *out = NULL;
    return status;
}

/* The finished plan in a text of JSON; NULL, and an exception. */
static akin_dedupe_plan *take_plan(job *j, const char *text)
{
    akin_dedupe_plan *plan;
    akin_status status = read_plan(j, text, &plan);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_finish(plan, &j->error);
    if (status == AKIN_OK)
        return plan;
    akin_dedupe_plan_free(plan);
    job_fail(j, status);
    return NULL;
}

static PyObject *names_of(const char *const *names, uint64_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (uint64_t i = 0; tuple && i < count; i++) {
        PyObject *name = PyUnicode_FromString(names[i]);
        if (!name || PyTuple_SetItem(tuple, (Py_ssize_t)i, name) != 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

/* A finished plan as a text of JSON. */
static PyObject *text_of_plan(const akin_dedupe_plan *plan)
{
    return PyUnicode_FromFormat("{\n%s\n}", akin_dedupe_plan_members(plan));
}

/* For each selection its locality, and how many records it may bring together: its window, or those of a block. */
static PyObject *localities_of(const akin_dedupe_options *options)
{
    PyObject *tuple = PyTuple_New(options->selection_count);
    for (uint32_t i = 0; tuple && i < options->selection_count; i++) {
        const akin_selection *selection = &options->selections[i];
        const akin_locality locality = akin_selection_locality(selection);
        const uint64_t most = locality == AKIN_LOCALITY_WINDOW ? selection->window : options->max_block;
        PyObject *each = Py_BuildValue("(iK)", (int)locality, (unsigned long long)most);
        if (!each || PyTuple_SetItem(tuple, (Py_ssize_t)i, each) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* plan(text) -> (columns of the left table, of the right one, selections, the plan as JSON, ids, clustering,
 * comparisons, localities): the column of ids of each table, None without one; an empty tuple: neither has one. The
 * clustering is a number and the ratio of its parameter. Comparisons are what results call them. */
static PyObject *plan(PyObject *module, PyObject *args)
{
    job j = {.module = state_of(module)};
    const char *text;
    if (!PyArg_ParseTuple(args, "s:plan", &text))
        return NULL;
    akin_dedupe_plan *made = take_plan(&j, text);
    if (!made)
        return NULL;
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(made);
    const akin_dedupe_options *options = akin_dedupe_plan_options(made);
    const akin_clusters_options *how = akin_dedupe_plan_clusters(made);
    PyObject *parts[] = {names_of(titles->left_columns, titles->column_count),
                         names_of(titles->right_columns, titles->column_count),
                         names_of(titles->selections, options->selection_count),
                         text_of_plan(made),
                         titles->id || titles->right_id ? Py_BuildValue("(zz)", titles->id, titles->right_id)
                                                        : PyTuple_New(0),
                         Py_BuildValue("(III)", (unsigned)how->clustering, how->parameter.num, how->parameter.den),
                         names_of(titles->attributes, options->attribute_count),
                         localities_of(options)};
    const Py_ssize_t count = sizeof parts / sizeof *parts;
    PyObject *answer = PyTuple_New(count);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!parts[i] || !answer)
            Py_CLEAR(answer);
        if (answer)
            PyTuple_SetItem(answer, i, parts[i]); /* takes it */
        else
            Py_XDECREF(parts[i]);
    }
    akin_dedupe_plan_free(made);
    return answer;
}

/* plan_word(option, text) -> the word of the command for an object of JSON */
static PyObject *plan_word(PyObject *module, PyObject *args)
{
    job j = {.module = state_of(module)};
    const char *option, *text;
    akin_dedupe_plan *made = NULL;
    akin_json *json = NULL;
    if (!PyArg_ParseTuple(args, "ss:plan_word", &option, &text))
        return NULL;
    akin_status status = akin_json_parse("the rule", text, strlen(text), &json, &j.error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_create(akin_papers(), &made, &j.error);
    if (status == AKIN_OK)
        status = akin_dedupe_plan_add_json(made, option, json, 0, NULL, &j.error);
    const char *said = status == AKIN_OK ? akin_dedupe_plan_word(made, option, 0) : NULL;
    PyObject *word = status == AKIN_OK ? PyUnicode_FromString(said ? said : "") : job_fail(&j, status);
    akin_dedupe_plan_free(made);
    akin_json_free(json);
    return word;
}

/* ------------------------------------------------------------------------------------------------------ suggestions */

/* Names from a tuple of strings, which own them; freed with PyMem_Free. NULL, and an exception. */
static const char **take_ignored(const state *s, PyObject *names, size_t *count)
{
    *count = (size_t)PyTuple_Size(names);
    const char **list = PyMem_Calloc(*count + 1, sizeof *list);
    if (!list)
        PyErr_NoMemory();
    for (size_t i = 0; list && i < *count; i++) {
        if ((list[i] = name_of(s, PyTuple_GetItem(names, (Py_ssize_t)i))))
            continue;
        PyMem_Free((void *)list);
        return NULL;
    }
    return list;
}

/* The sentences of a suggestion, one a line, as they come without the interpreter. */
typedef struct sentences {
    char *text;
    size_t length;
    int failed; /* there was no memory */
} sentences;

static void take_sentence(void *user, const char *text)
{
    sentences *s = user;
    const size_t more = strlen(text) + 1;
    char *longer = s->failed ? NULL : realloc(s->text, s->length + more);
    if (!longer) {
        s->failed = 1;
        return;
    }
    memcpy(longer + s->length, text, more);
    s->text = longer;
    s->length += more;
}

static PyObject *list_of_sentences(const sentences *s)
{
    PyObject *list = s->failed ? PyErr_NoMemory() : PyList_New(0);
    for (size_t at = 0; list && at < s->length; at += strlen(s->text + at) + 1)
        stats_add_warning(&list, s->text + at);
    return list;
}

/* suggest(settings, left, right or None, plan, names of ignored columns) -> (the plan as JSON, [sentence, ...]): the
 * plan with the rules that it lacks, from profiles of all other columns. */
static PyObject *suggest(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *ignored, *made = NULL;
    const char *text;
    const input *sides[2];
    state *s = state_of(module);
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    akin_dedupe_plan *plan = NULL;
    sentences said = {NULL, 0, 0};
    job j;
    if (!PyArg_ParseTuple(args, "OO!OsO!:suggest", &settings, s->input_type, &left, &right, &text, &PyTuple_Type,
                          &ignored))
        return NULL;
    if (!input_take(s, left, 0, &sides[0]) || !input_take(s, right, 0, &sides[1]))
        return NULL;
    if (!(options.ignored = take_ignored(s, ignored, &options.ignored_count)))
        return NULL;
    if (job_begin(&j, s, settings)) {
        options.left = sides[0]->table;
        options.right = sides[1] ? sides[1]->table : NULL;
        job_leave(&j);
        akin_status status = read_plan(&j, text, &plan);
        if (status == AKIN_OK)
            status = akin_dedupe_plan_suggest(j.context, plan, &options, take_sentence, &said, &j.error);
        if (status == AKIN_OK)
            status = akin_dedupe_plan_finish(plan, &j.error);
        status = job_return(&j, status);
        job_end(&j);
        made = status == AKIN_OK ? stats_beside(text_of_plan(plan), list_of_sentences(&said)) : job_fail(&j, status);
    }
    akin_dedupe_plan_free(plan);
    free(said.text);
    PyMem_Free((void *)options.ignored);
    return made;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

typedef struct scored {
    akin_frame *frame;
    void **data; /* of each column of the frame */
    uint32_t attributes;
    akin_status status;
    akin_error error;
} scored;

static int take_scored(void *user, const akin_scored_pair *found, const double *each, size_t count)
{
    scored *s = user;
    void **data = s->data;
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

/* A frame of left, right, similarity, and a column of each attribute. 0, and an exception. */
static int begin_frame(job *j, const char *const *called, uint32_t attributes, scored *out)
{
    const size_t count = (size_t)attributes + 3;
    akin_type *types = PyMem_Calloc(count, sizeof *types);
    const char **names = PyMem_Calloc(count, sizeof *names);
    akin_status status = AKIN_OK;
    *out = (scored){.attributes = attributes, .data = PyMem_Calloc(count, sizeof *out->data)};
    const int made = types && names && out->data;
    if (!made)
        PyErr_NoMemory();
    for (size_t i = 0; made && i < count && !PyErr_Occurred(); i++) {
        static const char *const first[] = {"left", "right", "similarity"};
        types[i] = i < 2 ? AKIN_TYPE_U32 : AKIN_TYPE_F64;
        names[i] = i < 3 ? first[i] : called[i - 3];
    }
    if (!PyErr_Occurred())
        status = akin_frame_create(j->context, (uint32_t)count, types, names, &out->frame, &j->error);
    PyMem_Free(types);
    PyMem_Free((void *)names);
    if (status != AKIN_OK)
        job_fail(j, status);
    if (!PyErr_Occurred())
        return 1;
    PyMem_Free(out->data);
    return 0;
}

/* The columns of a table in the order in which the plan names them, from the array of all its columns, which is freed.
 * NULL, and an exception. */
static akin_column *order_columns(akin_column *all, const input *from, const char *const *names, uint32_t count)
{
    akin_column *columns = PyMem_Calloc((size_t)count + 1, sizeof *columns);
    if (!columns)
        PyErr_NoMemory();
    for (uint32_t c = 0; columns && !PyErr_Occurred() && c < count; c++) {
        uint32_t at = 0, all_count = akin_table_columns(from->table);
        while (at < all_count && strcmp(all[at].name, names[c]) != 0)
            at++;
        if (at < all_count)
            columns[c] = all[at];
        else
            PyErr_SetString(PyExc_ValueError, "there are not as many columns as the plan names");
    }
    PyMem_Free(all);
    if (!PyErr_Occurred())
        return columns;
    PyMem_Free(columns);
    return NULL;
}

/* What dedupe is called with. */
typedef struct asked {
    const input *left, *right;
    akin_column *left_columns, *right_columns;
    akin_dedupe_plan *plan;
    akin_dedupe_options options;
    const char *model;  /* a file that is read if it is there, and else written; NULL: none */
    Py_buffer given[2]; /* left and right rows of given pairs; buf NULL: none */
    corpus *corpora;    /* of each attribute; NULL: there are none */
    const akin_corpus **statistics;
    labelled labelled;
} asked;

/* What comes of it. */
typedef struct results {
    scored found;
    akin_clusters *clusters;
    akin_frame *clustered;            /* NULL: the pairs say what the clusters are */
    akin_dedupe_model *kept, *learnt; /* NULL: there is none */
    akin_dedupe_report did;
} results;

/* Reads the model if its file is there. */
static akin_status read_model(job *j, const char *path, akin_dedupe_model **out)
{
    akin_json *json = NULL;
    struct stat about;
    if (!path || stat(path, &about) != 0 || (S_ISREG(about.st_mode) && about.st_size == 0))
        return AKIN_OK;
    akin_status status = akin_json_read(j->context, path, &json, &j->error);
    if (status == AKIN_OK)
        status = akin_dedupe_model_read(json, path, out, &j->error);
    akin_json_free(json);
    return status;
}

static akin_status write_model(job *j, const char *path, const akin_dedupe_model *model)
{
    akin_output *output;
    akin_status status = akin_output_open(j->context, path, &output, &j->error);
    if (status != AKIN_OK)
        return status;
    const char *text = akin_dedupe_model_text(model);
    status = akin_output_write(output, text, strlen(text), &j->error);
    if (status == AKIN_OK)
        return akin_output_commit(output, &j->error);
    akin_output_discard(output);
    return status;
}

/* Finds the pairs and their clusters, without the interpreter. Clusters of learnt weights are also of pairs that are
 * not found, and those with one record of each source are not of the pairs alone, so these become a frame here. */
static akin_status find_pairs(job *j, const asked *a, results *r)
{
    const uint32_t rows = akin_table_rows(a->left->table), rows_right = a->right ? akin_table_rows(a->right->table) : 0;
    akin_dedupe_options options = a->options;
    akin_status status = akin_dedupe_plan_load(j->context, a->plan, &j->error);
    if (status == AKIN_OK)
        status = akin_clusters_create_by(j->context, rows, rows_right, akin_dedupe_plan_clusters(a->plan), &r->clusters,
                                         &j->error);
    options.clusters = r->clusters;
    if (status == AKIN_OK)
        status = read_model(j, a->model, &r->kept);
    options.model = r->kept;
    options.labelling = a->labelled.labelling;
    if (status == AKIN_OK)
        status = labelled_add(&a->labelled, j, (const uint32_t[2]){rows, rows_right});
    options.learnt_model = a->model && !r->kept ? &r->learnt : NULL;
    if (status == AKIN_OK)
        status = akin_dedupe(j->context, a->left_columns, rows, a->right_columns, rows_right,
                             akin_dedupe_plan_titles(a->plan)->column_count, &options, take_scored, &r->found, NULL,
                             &r->did, &j->error);
    if (status == AKIN_OK)
        status = akin_clusters_close(j->context, r->clusters, &j->error);
    if (status == AKIN_OK && (options.weights == AKIN_WEIGHTS_LEARN || options.one_per_source > 0))
        status = clusters_put(j, r->clusters, 1, &r->clustered);
    if (status == AKIN_OK && r->learnt)
        status = write_model(j, a->model, r->learnt);
    return status;
}

/* (Frame, what was done, Frame of the clusters or None), of which the frames are taken over. */
static PyObject *wrap_results(job *j, const asked *a, results *r)
{
    PyObject *clusters = r->clustered ? frame_wrap(j->module, r->clustered) : Py_NewRef(Py_None);
    PyObject *found = frame_wrap(j->module, r->found.frame);
    PyObject *did = clusters && found ? stats_of_dedupe(a->plan, a->right ? 2 : 1, &r->did, r->clusters) : NULL;
    PyObject *made = did ? PyTuple_Pack(3, found, did, clusters) : NULL;
    Py_XDECREF(clusters);
    Py_XDECREF(found);
    Py_XDECREF(did);
    return made;
}

static PyObject *run_dedupe(job *j, const asked *a, const report *page)
{
    results r = {.did = {.size = sizeof r.did}};
    PyObject *made = NULL;
    if (!begin_frame(j, akin_dedupe_plan_titles(a->plan)->attributes, a->options.attribute_count, &r.found))
        return NULL;
    job_leave(j);
    akin_status status = find_pairs(j, a, &r);
    if (status == AKIN_OK)
        status = report_write(page, j);
    status = job_return(j, status);
    PyMem_Free(r.found.data);
    if (r.found.status != AKIN_OK) {
        status = r.found.status;
        j->error = r.found.error;
    }
    if (status == AKIN_OK) {
        made = wrap_results(j, a, &r);
    } else {
        akin_frame_free(r.found.frame);
        akin_frame_free(r.clustered);
    }
    akin_clusters_free(r.clusters);
    akin_dedupe_model_free(r.kept);
    akin_dedupe_model_free(r.learnt);
    return status == AKIN_OK ? made : job_fail(j, status);
}

/* Takes (left rows, right rows), or None. 0, and an exception. */
static int take_given(PyObject *spec, Py_buffer rows[2])
{
    if (spec == Py_None)
        return 1;
    if (!tuple_take(spec, "y*y*:given", &rows[0], &rows[1]))
        return 0;
    if (rows[0].len == rows[1].len)
        return buffer_check(&rows[0], sizeof(uint32_t)) && buffer_check(&rows[1], sizeof(uint32_t));
    PyErr_SetString(PyExc_ValueError, "there are not as many left rows as right ones");
    return 0;
}

/* Takes for each attribute a corpus or None, from a list, or None. 0, and an exception. */
static int take_statistics(const state *s, PyObject *spec, asked *a)
{
    const uint32_t count = a->options.attribute_count;
    if (spec == Py_None)
        return 1;
    if (!PyList_Check(spec) || PyList_Size(spec) != (Py_ssize_t)count) {
        PyErr_SetString(PyExc_ValueError, "expected a list with statistics, or None, for each comparison");
        return 0;
    }
    a->corpora = PyMem_Calloc(count + 1, sizeof *a->corpora);
    a->statistics = PyMem_Calloc(count + 1, sizeof *a->statistics);
    if (!a->corpora || !a->statistics) {
        PyErr_NoMemory();
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!corpus_take(s, PyList_GetItem(spec, (Py_ssize_t)i), &a->corpora[i]))
            return 0;
        a->statistics[i] = a->corpora[i].said.size ? &a->corpora[i].said : NULL;
    }
    a->options.statistics = a->statistics;
    return 1;
}

static void release_statistics(asked *a)
{
    for (uint32_t i = 0; a->corpora && i < a->options.attribute_count; i++)
        corpus_release(&a->corpora[i]);
    PyMem_Free(a->corpora);
    PyMem_Free((void *)a->statistics);
}

/* Leaves a plan one selection; a number below 0: all. 0, and an exception. */
static int leave_selection(job *j, akin_dedupe_plan *plan, int selection)
{
    const akin_status status = selection < 0 ? AKIN_OK : akin_dedupe_plan_select(plan, (uint32_t)selection, &j->error);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* dedupe(settings, left, right or None, plan, report or None, path of a model or None, labelling or None, rows of given
 * pairs or None, statistics of comparisons or None, the number of the only selection or -1) -> (Frame, what was done,
 * Frame of the clusters or None): both sides have the columns of the plan. */
static PyObject *dedupe(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *report_spec, *labels, *given, *statistics, *made = NULL;
    const char *text;
    int selection;
    report page = {.path = NULL};
    state *s = state_of(module);
    asked a = {.plan = NULL};
    job j;
    if (!PyArg_ParseTuple(args, "OO!OsOzOOOi:dedupe", &settings, s->input_type, &left, &right, &text, &report_spec,
                          &a.model, &labels, &given, &statistics, &selection))
        return NULL;
    if (!input_take(s, left, 1, &a.left) || !input_take(s, right, 1, &a.right))
        return NULL;
    if (!take_given(given, a.given) || !job_begin(&j, s, settings)) {
        PyBuffer_Release(&a.given[0]);
        PyBuffer_Release(&a.given[1]);
        return NULL;
    }
    a.left_columns = input_columns(a.left);
    a.right_columns = a.right ? input_columns(a.right) : NULL;
    if (!PyErr_Occurred() && (a.plan = take_plan(&j, text)) && leave_selection(&j, a.plan, selection)) {
        const akin_dedupe_titles *titles = akin_dedupe_plan_titles(a.plan);
        akin_dedupe_plan_give(a.plan, a.given[0].buf, a.given[1].buf, (uint64_t)a.given[0].len / sizeof(uint32_t));
        a.options = *akin_dedupe_plan_options(a.plan);
        a.left_columns = order_columns(a.left_columns, a.left, titles->left_columns, titles->column_count);
        if (a.right && !PyErr_Occurred())
            a.right_columns = order_columns(a.right_columns, a.right, titles->right_columns, titles->column_count);
        if (!PyErr_Occurred() && take_statistics(s, statistics, &a) &&
            labelled_take(&a.labelled, &j, labels, a.left, a.right) &&
            report_begin(&page, &j, report_spec, a.left, a.right, a.plan)) {
            a.options.report = page.gathered;
            made = run_dedupe(&j, &a, &page);
        }
    }
    report_clear(&page);
    release_statistics(&a);
    PyMem_Free(a.labelled.answers);
    PyMem_Free(a.left_columns);
    PyMem_Free(a.right_columns);
    akin_dedupe_plan_free(a.plan);
    PyBuffer_Release(&a.given[0]);
    PyBuffer_Release(&a.given[1]);
    job_end(&j);
    return made;
}

/* The statistics of the comparisons that weigh tokens, by what results call them; without the interpreter, but for
 * each. */
static int count_attribute(job *j, const asked *a, uint32_t attribute, PyObject *all)
{
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(a->plan);
    const uint32_t rows = akin_table_rows(a->left->table), rows_right = a->right ? akin_table_rows(a->right->table) : 0;
    akin_statistics *counted = NULL;
    akin_frame *made = NULL;
    job_leave(j);
    akin_status status = akin_statistics_of_records(j->context, a->left_columns, rows, a->right_columns, rows_right,
                                                    titles->column_count, &a->options, attribute, &counted, &j->error);
    if (status == AKIN_OK && counted)
        status = corpus_put(j, counted, &made);
    status = job_return(j, status);
    if (status == AKIN_OK && !counted)
        return 1;
    PyObject *found = corpus_of_job(j, status, counted, made);
    akin_statistics_free(counted);
    const int done = found && PyDict_SetItemString(all, titles->attributes[attribute], found) == 0;
    Py_XDECREF(found);
    return done;
}

static int load_plan(job *j, akin_dedupe_plan *plan)
{
    job_leave(j);
    akin_status status = akin_dedupe_plan_load(j->context, plan, &j->error);
    status = job_return(j, status);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* count_records(settings, left, right or None, plan) -> {comparison: (documents, tokens, Frame), ...} of those that
 * weigh tokens */
static PyObject *count_records(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *all = NULL;
    const char *text;
    state *s = state_of(module);
    asked a = {.plan = NULL};
    job j;
    if (!PyArg_ParseTuple(args, "OO!Os:count_records", &settings, s->input_type, &left, &right, &text) ||
        !input_take(s, left, 1, &a.left) || !input_take(s, right, 1, &a.right) || !job_begin(&j, s, settings))
        return NULL;
    a.left_columns = input_columns(a.left);
    a.right_columns = a.right ? input_columns(a.right) : NULL;
    if (!PyErr_Occurred() && (a.plan = take_plan(&j, text))) {
        const akin_dedupe_titles *titles = akin_dedupe_plan_titles(a.plan);
        a.left_columns = order_columns(a.left_columns, a.left, titles->left_columns, titles->column_count);
        if (a.right && !PyErr_Occurred())
            a.right_columns = order_columns(a.right_columns, a.right, titles->right_columns, titles->column_count);
        int goes_on = !PyErr_Occurred() && load_plan(&j, a.plan) && (all = PyDict_New());
        a.options = *akin_dedupe_plan_options(a.plan);
        for (uint32_t i = 0; goes_on && i < a.options.attribute_count; i++)
            goes_on = count_attribute(&j, &a, i, all);
        if (!goes_on)
            Py_CLEAR(all);
    }
    PyMem_Free(a.left_columns);
    PyMem_Free(a.right_columns);
    akin_dedupe_plan_free(a.plan);
    job_end(&j);
    return all;
}

/* A column of a table; number below 0: none. 0, and an exception. */
static int take_ids(const input *from, int number, akin_column *out)
{
    out->size = number < 0 ? 0 : sizeof *out;
    if (number < 0 || akin_table_column(from->table, (uint32_t)number, out, NULL) == AKIN_OK)
        return 1;
    PyErr_SetString(PyExc_IndexError, "there is no such column");
    return 0;
}

/* rows_of_ids(settings, left, number of its column of ids, right or None, number likewise, pairs) -> (left rows, right
 * rows), buffers: a number below 0 is of rows that have numbers. */
static PyObject *rows_of_ids(PyObject *module, PyObject *args)
{
    PyObject *settings, *left, *right, *given, *made = NULL;
    const input *sides[2], *pairs;
    int numbers[2];
    akin_column own[2];
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!iOiO!:rows_of_ids", &settings, s->input_type, &left, &numbers[0], &right,
                          &numbers[1], s->input_type, &given))
        return NULL;
    if (!input_take(s, left, 1, &sides[0]) || !input_take(s, right, 1, &sides[1]) || !input_take(s, given, 2, &pairs))
        return NULL;
    const int right_at = sides[1] ? 1 : 0;
    for (int side = 0; side <= right_at; side++)
        if (!take_ids(sides[side], numbers[side], &own[side]))
            return NULL;
    const akin_column *const ids[2] = {own[0].size ? &own[0] : NULL, own[right_at].size ? &own[right_at] : NULL};
    const uint32_t rows_of[2] = {akin_table_rows(sides[0]->table), akin_table_rows(sides[right_at]->table)};
    const uint32_t count = akin_table_rows(pairs->table);
    uint32_t *rows[2] = {malloc((count + (size_t)1) * sizeof(uint32_t)),
                         malloc((count + (size_t)1) * sizeof(uint32_t))};
    akin_column *columns = rows[0] && rows[1] ? input_columns(pairs) : (akin_column *)PyErr_NoMemory();
    akin_status status = AKIN_E_NOMEM;
    const int begun = columns && job_begin(&j, s, settings);
    if (begun) {
        job_leave(&j);
        status = akin_rows_of_ids(j.context, ids, rows_of, columns, count, rows[0], rows[1], &j.error);
        status = job_return(&j, status);
        job_end(&j);
    }
    PyMem_Free(columns);
    if (status != AKIN_OK) {
        free(rows[0]);
        free(rows[1]);
        return begun ? job_fail(&j, status) : NULL;
    }
    PyObject *buffers[2] = {buffer_wrap(s, rows[0], count, "I"), buffer_wrap(s, rows[1], count, "I")};
    if (buffers[0] && buffers[1])
        made = PyTuple_Pack(2, buffers[0], buffers[1]);
    Py_XDECREF(buffers[0]);
    Py_XDECREF(buffers[1]);
    return made;
}

/* dedupe_keys(settings, input, plan, number of a selection, whether it is the right table) -> Frame of "key" */
static PyObject *dedupe_keys(PyObject *module, PyObject *args)
{
    PyObject *settings, *from;
    const char *text;
    unsigned selection;
    int is_right;
    const input *in;
    akin_frame *made = NULL;
    akin_status status = AKIN_OK;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OOsIp:dedupe_keys", &settings, &from, &text, &selection, &is_right) ||
        !input_take(s, from, 1, &in) || !job_begin(&j, s, settings))
        return NULL;
    akin_column *columns = input_columns(in);
    akin_dedupe_plan *plan = columns ? take_plan(&j, text) : NULL;
    if (plan) {
        const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
        columns =
            order_columns(columns, in, is_right ? titles->right_columns : titles->left_columns, titles->column_count);
        if (columns) {
            job_leave(&j);
            status = akin_dedupe_plan_load(j.context, plan, &j.error);
            if (status == AKIN_OK)
                status = akin_dedupe_keys(j.context, columns, akin_table_rows(in->table), titles->column_count,
                                          akin_dedupe_plan_options(plan), selection, &made, &j.error);
            status = job_return(&j, status);
        }
    }
    PyMem_Free(columns);
    akin_dedupe_plan_free(plan);
    job_end(&j);
    return PyErr_Occurred() ? NULL : frame_of_job(&j, status, made);
}

PyMethodDef dedupe_functions[] = {
    {"plan", plan, METH_VARARGS,
     "plan(text) -> (left columns, right columns, selections, the plan as JSON, ids, clustering, localities)"},
    {"plan_word", plan_word, METH_VARARGS, "plan_word(option, text) -> the word for an object of JSON"},
    {"suggest", suggest, METH_VARARGS, "suggest(settings, left, right, plan, ignored) -> (the plan as JSON, list)"},
    {"dedupe", dedupe, METH_VARARGS,
     "dedupe(settings, left, right, plan, report, model, labelling, given, statistics, the number of the only "
     "selection "
     "or -1) -> (Frame, dict, Frame or None)"},
    {"dedupe_keys", dedupe_keys, METH_VARARGS,
     "dedupe_keys(settings, input, plan, selection, whether it is the right table) -> Frame"},
    {"count_records", count_records, METH_VARARGS,
     "count_records(settings, left, right, plan) -> {str: (int, int, Frame)}"},
    {"rows_of_ids", rows_of_ids, METH_VARARGS,
     "rows_of_ids(settings, left, id, right, right_id, pairs) -> (Buffer, Buffer)"},
    {NULL, NULL, 0, NULL},
};
