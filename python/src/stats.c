/* What jobs did, as dictionaries. */
#include "stats.h"

#include <string.h>

/* Where something was done: "cpu", "cuda:0", ... */
static PyObject *device_of(uint32_t device)
{
    return device == 0 ? PyUnicode_FromString("cpu") : PyUnicode_FromFormat("cuda:%u", device - 1);
}

#define COUNT(value) (unsigned long long)(value)

/* A number that is not known is None. */
static PyObject *known(double value)
{
    return value < 0 ? Py_NewRef(Py_None) : PyFloat_FromDouble(value);
}

static PyObject *step_of(const akin_join_step *s)
{
    return Py_BuildValue(
        "{s:s,s:I,s:I,s:N,s:N,s:N,s:K,s:K,s:d,s:K}", "technique", akin_technique_name(akin_papers(), s->technique),
        "bits", s->bits, "bits_screen", s->bits_screen, "device", device_of(s->device), "predicted_candidates",
        known(s->predicted_candidates), "predicted_seconds", known(s->predicted_seconds), "candidates",
        COUNT(s->candidates), "compared", COUNT(s->compared), "seconds", s->seconds, "parts", COUNT(s->parts));
}

static PyObject *steps_of(const akin_join_report *report, akin_join_step_kind kind)
{
    const uint32_t count = akin_join_report_steps(report, kind);
    PyObject *list = PyList_New(count);
    for (uint32_t i = 0; list && i < count; i++) {
        akin_join_step step = {.size = sizeof step};
        akin_join_report_step(report, kind, i, &step, NULL); /* there is one of that number */
        PyObject *one = step_of(&step);
        if (!one || PyList_SetItem(list, i, one) < 0)
            Py_CLEAR(list);
    }
    return list;
}

PyObject *stats_of_join(const akin_join_report *report, PyObject *warnings)
{
    akin_join_summary s = {.size = sizeof s};
    akin_join_report_summary(report, &s, NULL);
    return Py_BuildValue("{s:I,s:I,s:K,s:K,s:K,s:I,s:I,s:K,s:K,s:K,s:K,s:d,s:d,s:d,s:d,s:I,s:z,s:N,s:N,s:N}",
                         "rows_left", s.rows_left, "rows_right", s.rows_right, "tokens_left", COUNT(s.tokens_left),
                         "tokens_right", COUNT(s.tokens_right), "universe", COUNT(s.universe), "smallest", s.smallest,
                         "largest", s.largest, "pairs_all", COUNT(s.pairs_all), "pairs_compatible",
                         COUNT(s.pairs_compatible), "pairs_found", COUNT(s.pairs_found), "memory_peak",
                         COUNT(s.memory_peak), "seconds_prepare", s.seconds_prepare, "seconds_plan", s.seconds_plan,
                         "seconds_join", s.seconds_join, "seconds_deliver", s.seconds_deliver, "threads", s.threads,
                         "device_failure", s.device_failure, "steps", steps_of(report, AKIN_JOIN_STEPS_DONE), "weighed",
                         steps_of(report, AKIN_JOIN_STEPS_WEIGHED), "warnings", warnings);
}

PyObject *stats_of_match(const akin_match_report *r)
{
    return Py_BuildValue("{s:I,s:I,s:K,s:K,s:K,s:K,s:K,s:K,s:d,s:d,s:d,s:I,s:I,s:N,s:[]}", "rows_left", r->rows_left,
                         "rows_right", r->rows_right, "pairs_all", COUNT(r->pairs_all), "pairs_compatible",
                         COUNT(r->pairs_compatible), "pairs_looked_up", COUNT(r->pairs_looked_up), "candidates",
                         COUNT(r->candidates), "pairs_found", COUNT(r->pairs_found), "memory_peak",
                         COUNT(r->memory_peak), "seconds_prepare", r->seconds_prepare, "seconds_join", r->seconds_join,
                         "seconds_deliver", r->seconds_deliver, "threads", r->threads, "parts", r->parts, "device",
                         device_of(r->device), "warnings");
}

static PyObject *text_of(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *selected_of(const akin_selected *selected, uint32_t count)
{
    PyObject *list = PyList_New(count);
    for (uint32_t i = 0; list && i < count; i++) {
        const akin_selected *s = &selected[i];
        PyObject *one =
            Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K}", "pairs", COUNT(s->pairs), "fresh", COUNT(s->fresh),
                          "oversized", COUNT(s->oversized), "oversized_records", COUNT(s->oversized_records),
                          "key_pairs", COUNT(s->key_pairs), "key_pairs_selected", COUNT(s->key_pairs_selected), "texts",
                          COUNT(s->texts.texts), "brief", COUNT(s->texts.brief));
        if (!one || PyList_SetItem(list, i, one) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* What comparators found in columns with values that they could not read, or that are too short for their tokens. */
static PyObject *parsed_of(const akin_dedupe_plan *plan, uint32_t tables)
{
    static const char *const sides[] = {"left", "right"};
    const akin_dedupe_options *o = akin_dedupe_plan_options(plan);
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    PyObject *list = PyList_New(0);
    for (uint32_t i = 0; list && i < 2 * o->attribute_count; i++) {
        const akin_parsed *parsed = &o->parsed[i];
        if (i % 2 >= tables || (parsed->unparsed == 0 && parsed->texts.brief == 0))
            continue;
        PyObject *one = Py_BuildValue(
            "{s:s,s:s,s:s,s:K,s:K,s:I,s:N,s:K,s:K}", "column", titles->columns[o->attributes[i / 2].column],
            "comparator", titles->comparators[i / 2], "table", sides[i % 2], "values", COUNT(parsed->values),
            "unparsed", COUNT(parsed->unparsed), "row", parsed->row, "first", text_of(parsed->text), "texts",
            COUNT(parsed->texts.texts), "brief", COUNT(parsed->texts.brief));
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static int add_text(PyObject *list, const char *text)
{
    PyObject *one = text_of(text);
    int done = one && PyList_Append(list, one) == 0;
    Py_XDECREF(one);
    return done;
}

void stats_add_warning(void *user, const char *text)
{
    PyObject **list = user;
    if (*list && !add_text(*list, text))
        Py_CLEAR(*list);
}

/* What a job that learnt its weights learnt, and what it expects of its result; None: the weights were given. */
static PyObject *learnt_of(const akin_dedupe_options *options, const akin_dedupe_report *r)
{
    if (options->weights != AKIN_WEIGHTS_LEARN)
        return Py_NewRef(Py_None);
    return Py_BuildValue("{s:I,s:s,s:d,s:d,s:d,s:d,s:d,s:N,s:I,s:I,s:K,s:K}", "comparisons", r->learnt, "partners",
                         r->partners == AKIN_PARTNERS_ONE ? "one" : "many", "threshold", r->threshold,
                         "expected_matches", r->expected_matches, "expected_precision", r->expected_precision,
                         "expected_recall", r->expected_recall, "seconds", r->seconds_learn, "applied",
                         PyBool_FromLong((long)r->applied), "answers", r->answers, "answers_doubted",
                         r->answers_doubted, "decoys", COUNT(r->decoys), "equal_records", COUNT(r->equal_records));
}

PyObject *stats_of_dedupe(const akin_dedupe_plan *plan, uint32_t tables, const akin_dedupe_report *r,
                          const akin_clusters *clusters)
{
    const akin_dedupe_options *o = akin_dedupe_plan_options(plan);
    akin_clusters_shape shape = {.size = sizeof shape};
    PyObject *warnings = PyList_New(0);
    if (akin_clusters_describe(clusters, &shape, NULL) != AKIN_OK) {
        Py_XDECREF(warnings);
        return PyErr_NoMemory();
    }
    akin_dedupe_warn(plan, tables, r, &shape, stats_add_warning, &warnings);
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:d,s:d,s:d,s:K,s:N,s:N,s:N,s:N,s:{s:I,s:I,s:K,s:I},s:N}", "pairs_all",
                         COUNT(r->pairs_all), "pairs_selected", COUNT(r->pairs_selected), "values_compared",
                         COUNT(r->values_compared), "pairs_found", COUNT(r->pairs_found), "seconds_values",
                         r->seconds_values, "seconds_select", r->seconds_select, "seconds_compare", r->seconds_compare,
                         "memory_peak", COUNT(r->memory), "device", device_of(r->device), "selected",
                         selected_of(o->selected, o->selection_count), "parsed", parsed_of(plan, tables), "learnt",
                         learnt_of(o, r), "clusters", "count", shape.clusters, "rows", shape.rows, "pairs",
                         COUNT(shape.pairs), "largest", shape.largest, "warnings", warnings);
}

PyObject *stats_beside(PyObject *made, PyObject *stats)
{
    PyObject *both = made && stats ? PyTuple_Pack(2, made, stats) : NULL;
    Py_XDECREF(made);
    Py_XDECREF(stats);
    return both;
}

PyObject *stats_of_duplicates(const akin_duplicates_report *report, PyObject *warnings)
{
    const akin_duplicates_report *r = report;
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:d,s:d,s:N,s:K,s:N}", "documents",
                         COUNT(r->documents), "kept", COUNT(r->kept), "empty", COUNT(r->empty), "ignored",
                         COUNT(r->ignored), "emptied", COUNT(r->emptied), "candidates", COUNT(r->candidates),
                         "compared", COUNT(r->compared), "refuted", COUNT(r->refuted), "rounds", COUNT(r->rounds),
                         "memory_peak", COUNT(r->memory_peak), "seconds_frequency", r->seconds_frequency,
                         "seconds_survivors", r->seconds_survivors, "device", device_of(r->device), "on_device",
                         COUNT(r->on_device), "warnings", warnings);
}
