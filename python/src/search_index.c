/* Indexes of sets, documents, rows, strings, vectors and signatures. */
#include "search_index.h"

#include <stdio.h>
#include <string.h>

#include "stats.h"
#include "text.h"
#include "weights.h"

/* As an object of Python, which holds it from now on; where an exception is set it is freed. */
static PyObject *wrap(state *s, akin_search_index *index)
{
    search_index *made = PyErr_Occurred() ? NULL : PyObject_New(search_index, s->search_index_type);
    if (made)
        made->index = index;
    else
        akin_search_index_free(index);
    return (PyObject *)made;
}

static void search_index_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    akin_search_index_free(((search_index *)self)->index);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---------------------------------------------------------------------------------------------------------- objects */

int objects_take(objects *o, state *s, PyObject *given, int id)
{
    *o = (objects){0};
    if (PyObject_TypeCheck(given, s->sets_type)) {
        o->sets = ((const sets *)given)->sets;
    } else if (PyObject_TypeCheck(given, s->matrix_type)) {
        o->matrix = &((const matrix *)given)->numbers;
    } else if (PyObject_TypeCheck(given, s->input_type)) {
        const input *in = (const input *)given;
        o->columns = input_columns(in);
        o->count = akin_table_columns(in->table);
        o->rows = akin_table_rows(in->table);
        if (!o->columns)
            return 0;
    } else {
        PyErr_SetString(PyExc_TypeError, "expected an Input, Sets or a Matrix");
        return 0;
    }
    if (id >= 0 && (uint32_t)id >= o->count) {
        PyErr_SetString(PyExc_IndexError, "there is no such column of names");
        return 0;
    }
    if (id >= 0) {
        o->names = o->columns[id];
        o->has_names = 1;
        memmove(o->columns + id, o->columns + id + 1, (o->count - (uint32_t)id - 1) * sizeof *o->columns);
        o->count--;
    }
    return 1;
}

void objects_clear(objects *o)
{
    PyMem_Free(o->columns);
}

/* --------------------------------------------------------------------------------------------------------- building */

/* How objects become keywords. */
typedef struct plan {
    akin_search_kind kind;
    int has_functions;
    akin_text_options text;
    akin_rows_options rows;
    akin_strings_options strings;
    akin_vectors_options functions;
    akin_signatures_options signatures;
    akin_weigh_options weigh;
    akin_trees_options trees;
} plan;

/* (names of numeric columns, bins) */
static int take_rows(const state *s, PyObject *spec, akin_rows_options *out)
{
    PyObject *numeric;
    unsigned int bins;
    if (!tuple_take(spec, "O!I:rows", &PyTuple_Type, &numeric, &bins))
        return 0;
    const Py_ssize_t count = PyTuple_Size(numeric);
    const char **names = PyMem_Malloc((size_t)(count + 1) * sizeof *names);
    if (!names) {
        PyErr_NoMemory();
        return 0;
    }
    out->bins = bins;
    out->numeric = names;
    out->numeric_count = (uint32_t)count;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!(names[i] = name_of(s, PyTuple_GetItem(numeric, i))))
            return 0;
    return 1;
}

/* (family, functions, buckets, whether vectors are not kept, epsilon, delta, width, sigma, seed) */
static int take_functions(job *j, PyObject *spec, akin_vectors_options *out)
{
    const char *family;
    unsigned int functions, buckets;
    unsigned long long seed;
    int alone;
    if (!tuple_take(spec, "sIIpddddK:functions", &family, &functions, &buckets, &alone, &out->epsilon, &out->delta,
                    &out->width, &out->sigma, &seed))
        return 0;
    out->functions = functions;
    out->buckets = buckets;
    out->signatures_only = (uint32_t)alone;
    out->seed = seed;
    akin_status status = akin_family_parse(family, &out->family, &j->error);
    if (status != AKIN_OK)
        job_fail(j, status);
    return status == AKIN_OK;
}

/* (how text is cut or None, (names of numeric columns, bins), n-grams, whether bytes are compared, folds, functions or
 * None, (buckets of signatures, seed), how terms weigh or None, the format of trees) */
static int take_plan(job *j, plan *p, int kind, PyObject *spec)
{
    PyObject *text, *rows, *functions, *weigh;
    const char *folds, *tree_format;
    const akin_choice *row = NULL;
    unsigned int ngram, buckets;
    unsigned long long seed;
    int bytes;
    *p = (plan){.kind = (akin_search_kind)kind,
                .text = AKIN_TEXT_OPTIONS_INIT,
                .rows = AKIN_ROWS_OPTIONS_INIT,
                .strings = AKIN_STRINGS_OPTIONS_INIT,
                .functions = AKIN_VECTORS_OPTIONS_INIT,
                .signatures = AKIN_SIGNATURES_OPTIONS_INIT,
                .weigh = AKIN_WEIGH_OPTIONS_INIT,
                .trees = AKIN_TREES_OPTIONS_INIT};
    if (!tuple_take(spec, "OOIpsO(IK)Os:options", &text, &rows, &ngram, &bytes, &folds, &functions, &buckets, &seed,
                    &weigh, &tree_format))
        return 0;
    akin_status status = akin_folds_parse(folds, &p->strings.folds, &j->error);
    if (status == AKIN_OK)
        status = akin_choice_find("tree-formats", tree_format, &row, &j->error);
    if (status != AKIN_OK) {
        job_fail(j, status);
        return 0;
    }
    p->trees.format = (akin_tree_format)row->value;
    p->strings.ngram = ngram;
    p->strings.bytes = (uint32_t)bytes;
    p->signatures.buckets = buckets;
    p->signatures.seed = seed;
    p->has_functions = functions != Py_None;
    return (text == Py_None || text_take(j->module, text, &p->text)) && take_rows(j->module, rows, &p->rows) &&
           (!p->has_functions || take_functions(j, functions, &p->functions)) &&
           (weigh == Py_None || weigh_options_take(j, weigh, &p->weigh));
}

static void clear_plan(plan *p)
{
    text_clear(&p->text);
    PyMem_Free((void *)p->rows.numeric);
}

static akin_status build_by(job *j, const plan *p, const objects *o, akin_search_index **out)
{
    const akin_search_objects all = {sizeof all, o->columns, o->count, o->rows, o->sets, o->matrix};
    const akin_search_index_options options = {
        sizeof options, &p->text,  &p->rows, &p->strings, p->has_functions ? &p->functions : NULL,
        &p->signatures, &p->weigh, &p->trees};
    return akin_search_index_make(j->context, p->kind, &all, &options, o->has_names ? &o->names : NULL, out, &j->error);
}

/* families() -> [(name, form of objects, options), ...] */
static PyObject *families(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    const akin_choice *row;
    (void)module;
    (void)unused;
    for (uint32_t i = 0; list && (row = akin_choices("families", i)); i++) {
        const akin_family_facts *f = akin_family_facts_of((akin_family_kind)row->value);
        char options[32] = "";
        PyObject *one;
        snprintf(options, sizeof options, "%s%s%s", f->has_width ? "width " : "", f->has_sigma ? "sigma " : "",
                 f->has_buckets ? "buckets" : "");
        one = Py_BuildValue("sIs", row->name, (unsigned int)f->objects, options);
        if (!one || PyList_Append(list, one) != 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* search_kinds() -> [(name, value, whether by hash functions, title, options, form of objects), ...] */
static PyObject *search_kinds(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    const akin_choice *row;
    (void)module;
    (void)unused;
    for (uint32_t i = 0; list && (row = akin_choices("search-kinds", i)); i++)
        for (int is_hashed = 0; is_hashed < 2 && list; is_hashed++) {
            const akin_search_facts *f = akin_search_facts_of((akin_search_kind)row->value, is_hashed);
            PyObject *one = f ? Py_BuildValue("siissI", row->name, row->value, is_hashed, f->title, f->options,
                                              (unsigned int)f->objects)
                              : NULL;
            if (f && (!one || PyList_Append(list, one) != 0))
                Py_CLEAR(list);
            Py_XDECREF(one);
        }
    return list;
}

/* build(settings, objects, column of names or -1, kind, options of all kinds) -> (index, [warning, ...]) */
static PyObject *build(PyObject *module, PyObject *args)
{
    PyObject *settings, *given, *spec, *made = NULL;
    state *s = state_of(module);
    akin_search_index *index = NULL;
    objects o = {0};
    plan p;
    int id, kind;
    job j;
    if (!PyArg_ParseTuple(args, "OOiiO:build", &settings, &given, &id, &kind, &spec))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    if (take_plan(&j, &p, kind, spec) && objects_take(&o, s, given, id)) {
        PyObject *warnings = PyList_New(0);
        akin_text_counts counts = {0, 0};
        p.text.counts = &counts;
        job_leave(&j);
        akin_status status = build_by(&j, &p, &o, &index);
        status = job_return(&j, status);
        if (status != AKIN_OK)
            job_fail(&j, status);
        akin_text_warn(&p.text, NULL, stats_add_warning, &warnings);
        made = stats_beside(wrap(s, index), warnings);
    }
    clear_plan(&p);
    objects_clear(&o);
    job_end(&j);
    return made;
}

/* index_of_weights(settings, weights, names of documents or None): these the first column of an Input, a row each */
static PyObject *index_of_weights(PyObject *module, PyObject *args)
{
    PyObject *settings, *from, *names, *made = NULL;
    akin_weights_statistics weighed = {.size = sizeof weighed};
    akin_column column;
    const input *in;
    akin_search_index *index = NULL;
    state *s = state_of(module);
    job j;
    if (!PyArg_ParseTuple(args, "OO!O:index_of_weights", &settings, s->weights_type, &from, &names) ||
        !input_take(s, names, 1, &in))
        return NULL;
    const akin_weights *weights_of = ((weights *)from)->weights;
    akin_weights_describe(weights_of, &weighed, NULL);
    if (in && akin_table_rows(in->table) != weighed.documents) {
        PyErr_SetString(PyExc_ValueError, "there are not as many names as documents");
        return NULL;
    }
    if (!job_begin(&j, s, settings))
        return NULL;
    if (ids_take(&j, in, in ? 0 : -1, &column)) {
        job_leave(&j);
        akin_status status = akin_search_index_of_weights(j.context, weights_of, in ? &column : NULL, &index, &j.error);
        status = job_return(&j, status);
        if (status != AKIN_OK)
            job_fail(&j, status);
        made = wrap(s, index);
    }
    job_end(&j);
    return made;
}

static akin_status append_by(job *j, const akin_search_index *index, const objects *o, akin_text_counts *counts,
                             akin_search_index **out)
{
    const akin_column *names = o->has_names ? &o->names : NULL;
    return o->sets     ? akin_search_index_append_sets(j->context, index, o->sets, NULL, out, &j->error)
           : o->matrix ? akin_search_index_append_vectors(j->context, index, o->matrix, NULL, out, &j->error)
                       : akin_search_index_append(j->context, index, o->columns, o->count, o->rows, names, counts, out,
                                                  &j->error);
}

/* Warns of texts that an index was extended by. */
static PyObject *warnings_of_texts(const akin_search_index *index, akin_text_counts *counts)
{
    PyObject *warnings = PyList_New(0);
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    akin_search_statistics about = {.size = sizeof about};
    akin_search_index_describe(index, &about, NULL); /* of a size that can be */
    text.tokens = about.tokens;
    text.q = about.q;
    text.counts = counts;
    akin_text_warn(&text, NULL, stats_add_warning, &warnings);
    return warnings;
}

/* append(settings, objects, column of names or -1) -> (a longer one, [warning, ...]) */
static PyObject *search_index_append(PyObject *self, PyObject *args)
{
    PyObject *settings, *given, *made = NULL;
    state *s = PyType_GetModuleState(Py_TYPE(self));
    const akin_search_index *index = ((search_index *)self)->index;
    akin_search_index *longer = NULL;
    akin_text_counts counts = {0, 0};
    objects o;
    int id;
    job j;
    if (!PyArg_ParseTuple(args, "OOi:append", &settings, &given, &id))
        return NULL;
    if (!job_begin(&j, s, settings))
        return NULL;
    if (objects_take(&o, s, given, id)) {
        job_leave(&j);
        akin_status status = append_by(&j, index, &o, &counts, &longer);
        status = job_return(&j, status);
        if (status != AKIN_OK)
            job_fail(&j, status);
        made = stats_beside(wrap(s, longer), warnings_of_texts(index, &counts));
    }
    objects_clear(&o);
    job_end(&j);
    return made;
}

/* ------------------------------------------------------------------------------------------------------------ files */

static akin_status open_by(job *j, const char *path, void *out)
{
    return akin_search_index_open(j->context, path, out, &j->error);
}

/* open_search(settings, path, mapped=False, verify=False) */
static PyObject *open_search(PyObject *module, PyObject *args)
{
    akin_search_index *index = NULL;
    state *s = state_of(module);
    job_of_path(s, args, open_by, &index);
    return wrap(s, index);
}

static akin_status save_by(job *j, const char *path, void *index)
{
    return akin_search_index_save(j->context, index, path, &j->error);
}

static PyObject *search_index_save(PyObject *self, PyObject *args)
{
    akin_search_index *index = ((search_index *)self)->index;
    return job_of_path(PyType_GetModuleState(Py_TYPE(self)), args, save_by, index) ? Py_NewRef(Py_None) : NULL;
}

/* ---------------------------------------------------------------------------------------------------- description */

static PyObject *search_index_describe(PyObject *self, PyObject *unused)
{
    (void)unused;
    const akin_search_index *index = ((search_index *)self)->index;
    akin_search_statistics s = {.size = sizeof s};
    akin_search_index_describe(index, &s, NULL); /* of a size that can be */
    const char *family = akin_search_facts_take(akin_search_facts_of(s.kind, s.functions > 0), "family")
                             ? akin_family_name(s.family)
                             : NULL;
    return Py_BuildValue("{s:s,s:I,s:I,s:I,s:I,s:I,s:K,s:z,s:I,s:d,s:d,s:K,s:i,s:z,s:d,s:d,s:d,s:K,s:K}", "kind",
                         akin_search_kind_name(s.kind), "objects", (unsigned int)s.objects, "keywords",
                         (unsigned int)s.keywords, "columns", (unsigned int)s.columns, "ngram", (unsigned int)s.ngram,
                         "functions", (unsigned int)s.functions, "bytes", (unsigned long long)s.bytes, "family", family,
                         "buckets", (unsigned int)s.buckets, "width", s.width, "sigma", s.sigma, "vectors",
                         (unsigned long long)s.vectors, "named", (int)s.named, "formula", akin_formula_name(s.formula),
                         "k1", s.k1, "b", s.b, "delta", s.delta, "words", (unsigned long long)s.words, "pairs",
                         (unsigned long long)s.pairs);
}

/* distance(queries, query, object): how far the row of a Matrix is from a vector that is kept. */
static PyObject *search_index_distance(PyObject *self, PyObject *args)
{
    PyObject *queries;
    unsigned int query, object;
    job j = {.module = PyType_GetModuleState(Py_TYPE(self))};
    double distance;
    if (!PyArg_ParseTuple(args, "O!II:distance", j.module->matrix_type, &queries, &query, &object))
        return NULL;
    akin_status status = akin_search_distance(((search_index *)self)->index, &((const matrix *)queries)->numbers, query,
                                              object, &distance, &j.error);
    return status == AKIN_OK ? PyFloat_FromDouble(distance) : job_fail(&j, status);
}

/* --------------------------------------------------------------------------------------------------------- the type */

static PyMethodDef methods[] = {
    {"append", search_index_append, METH_VARARGS, "append(settings, objects, id) -> (SearchIndex, list)"},
    {"describe", search_index_describe, METH_NOARGS, "describe() -> dict"},
    {"distance", search_index_distance, METH_VARARGS, "distance(queries, query, object) -> float"},
    {"save", search_index_save, METH_VARARGS, "save(settings, path)"},
    {"searcher", searcher_make, METH_O, "searcher(settings) -> Searcher"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)search_index_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)"An index of objects to be searched."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "akin._akin.SearchIndex",
    .basicsize = sizeof(search_index),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

PyTypeObject *search_index_type(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

PyMethodDef search_index_functions[] = {
    {"build", build, METH_VARARGS, "build(settings, objects, id, kind, options) -> SearchIndex"},
    {"index_of_weights", index_of_weights, METH_VARARGS, "index_of_weights(settings, weights, names) -> SearchIndex"},
    {"families", families, METH_NOARGS, "families() -> list"},
    {"search_kinds", search_kinds, METH_NOARGS, "search_kinds() -> list"},
    {"open_search", open_search, METH_VARARGS,
     "open_search(settings, path, mapped=False, verify=False) -> SearchIndex"},
    {NULL, NULL, 0, NULL},
};
