/* Plans of deduplication from JSON, and what the library suggests for them. */
#include "plan.h"
#include "stats.h"

#include <stdlib.h>
#include <string.h>

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

akin_dedupe_plan *plan_take(job *j, const char *text)
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
 * comparisons, localities, numbers of learnt weights): the column of ids of each table, None without one; an empty
 * tuple: neither has one. The clustering is a number and the ratio of its parameter. Comparisons are what results call
 * them. The numbers: how many equal records learning sees; the most records of a rare value, and of a component that is
 * completed; the least probability of a pair that completion adds. */
static PyObject *plan(PyObject *module, PyObject *args)
{
    job j = {.module = state_of(module)};
    const char *text;
    if (!PyArg_ParseTuple(args, "s:plan", &text))
        return NULL;
    akin_dedupe_plan *made = plan_take(&j, text);
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
                         localities_of(options),
                         Py_BuildValue("(IIId)", akin_dedupe_equals_kept(options, titles->column_count),
                                       AKIN_RARE_RECORDS, AKIN_COMPLETED_RECORDS, AKIN_COMPLETED_LEAST)};
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

akin_column *plan_columns(akin_column *all, const input *from, const char *const *names, uint32_t count)
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

PyMethodDef plan_functions[] = {
    {"plan", plan, METH_VARARGS,
     "plan(text) -> (left columns, right columns, selections, the plan as JSON, ids, clustering, comparisons, "
     "localities, numbers of learnt weights)"},
    {"plan_word", plan_word, METH_VARARGS, "plan_word(option, text) -> the word for an object of JSON"},
    {"suggest", suggest, METH_VARARGS, "suggest(settings, left, right, plan, ignored) -> (the plan as JSON, list)"},
    {NULL, NULL, 0, NULL},
};
