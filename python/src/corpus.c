/* Statistics of a corpus between Python and the library. */
#include "corpus.h"

int corpus_take(const state *s, PyObject *spec, corpus *out)
{
    unsigned int documents;
    unsigned long long words;
    PyObject *terms;
    const input *in;
    if (spec == Py_None)
        return 1;
    if (!tuple_take(spec, "IKOy*:corpus", &documents, &words, &terms, &out->df) || !buffer_check(&out->df, 4) ||
        !input_take(s, terms, 1, &in))
        return 0;
    const uint32_t count = in ? akin_table_rows(in->table) : 0;
    if (!in || out->df.len != (Py_ssize_t)count * 4) {
        PyErr_SetString(PyExc_ValueError, "there are not as many terms as numbers of documents");
        return 0;
    }
    out->terms = input_columns(in);
    out->said = (akin_corpus){.size = sizeof out->said,
                              .words = words,
                              .documents = documents,
                              .count = count,
                              .terms = out->terms,
                              .df = out->df.buf};
    return out->terms != NULL;
}

void corpus_release(corpus *c)
{
    PyMem_Free(c->terms);
    PyBuffer_Release(&c->df);
}

uint32_t population_first(const akin_dedupe_options *options, uint32_t attribute)
{
    uint32_t first = 0;
    while (options->attributes[first].column != options->attributes[attribute].column)
        first++;
    return first;
}

/* The corpus of an attribute: that of its column. 0, and an exception. */
static int population_corpus(const state *s, PyObject *columns, const akin_dedupe_titles *titles,
                             const akin_dedupe_options *options, uint32_t attribute, population *out)
{
    const uint32_t first = population_first(options, attribute);
    out->values[attribute] = &out->corpora[first].said;
    if (first < attribute)
        return 1;
    PyObject *spec = PyDict_GetItemString(columns, titles->columns[options->attributes[attribute].column]);
    if (spec)
        return corpus_take(s, spec, &out->corpora[attribute]);
    PyErr_SetString(PyExc_ValueError, "expected a corpus for each column that is compared");
    return 0;
}

int population_take(const state *s, PyObject *spec, const akin_dedupe_titles *titles, akin_dedupe_options *options,
                    population *out)
{
    PyObject *columns;
    unsigned int left, right;
    const uint32_t count = options->attribute_count;
    if (spec == Py_None)
        return 1;
    if (!tuple_take(spec, "IIO:population", &left, &right, &columns))
        return 0;
    if (!PyDict_Check(columns)) {
        PyErr_SetString(PyExc_TypeError, "expected a dictionary of corpora");
        return 0;
    }
    out->corpora = PyMem_Calloc(count + (size_t)1, sizeof *out->corpora);
    out->values = PyMem_Calloc(count + (size_t)1, sizeof *out->values);
    out->count = out->corpora ? count : 0;
    if (!out->corpora || !out->values) {
        PyErr_NoMemory();
        return 0;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!population_corpus(s, columns, titles, options, i, out))
            return 0;
    out->said = (akin_population){.size = sizeof out->said, .rows = {left, right}, .values = out->values};
    options->population = &out->said;
    return 1;
}

void population_release(population *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        corpus_release(&p->corpora[i]);
    PyMem_Free(p->corpora);
    PyMem_Free((void *)p->values);
}

akin_status corpus_put(job *j, const akin_statistics *statistics, akin_frame **out)
{
    static const akin_type types[] = {AKIN_TYPE_TEXT, AKIN_TYPE_U32};
    static const char *const names[] = {"term", "documents"};
    const akin_corpus *corpus = akin_statistics_corpus(statistics);
    void *data[2];
    akin_status status = akin_frame_create(j->context, 2, types, names, out, &j->error);
    if (status == AKIN_OK)
        status = akin_frame_extend(*out, corpus->count, data, &j->error);
    for (uint32_t i = 0; i < corpus->count && status == AKIN_OK; i++) {
        const uint64_t begin = corpus->terms->offsets[i], end = corpus->terms->offsets[i + UINT64_C(1)];
        ((uint32_t *)data[1])[i] = corpus->df[i];
        status = akin_frame_add_text(*out, 0, corpus->terms->bytes + begin, end - begin, &j->error);
    }
    return status;
}

PyObject *corpus_of_job(const job *j, akin_status status, const akin_statistics *statistics, akin_frame *made)
{
    PyObject *terms = frame_of_job(j, status, made);
    if (!terms)
        return NULL;
    const akin_corpus *corpus = akin_statistics_corpus(statistics);
    return Py_BuildValue("(IKN)", (unsigned int)corpus->documents, (unsigned long long)corpus->words, terms);
}
