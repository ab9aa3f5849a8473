/* Contamination: which items stand in documents. */
#include "frame.h"
#include "named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for. The texts are the first columns of each input. */
typedef struct asked {
    const input *items, *documents;
    akin_column *item_columns, *document_columns;
    unsigned item_texts, document_texts;
    int item_id, document_id; /* columns, or -1 */
    akin_overlap_options how;
} asked;

/* What comes of it. */
typedef struct found {
    akin_overlap *overlap;
    akin_frame *frame;
    uint8_t *hit; /* a bit for each document */
} found;

enum { ITEM, PART, SHARE, GRAMS, COVERED, DOCUMENTS, DOCUMENT, WORDS, BEGINS, COLUMNS = BEGINS + 4 };

static akin_status scan(job *j, const asked *a, found *out)
{
    akin_table *combined = NULL;
    akin_column documents;
    const uint32_t rows = akin_table_rows(a->documents->table);
    akin_status status = akin_overlap_create(j->context, a->item_columns, a->item_texts,
                                             akin_table_rows(a->items->table), &a->how, &out->overlap, &j->error);
    if (status == AKIN_OK)
        status = input_strings(j, a->document_columns, a->document_texts, rows, &combined, &documents);
    if (status == AKIN_OK)
        status = akin_overlap_add(j->context, out->overlap, &documents, rows, out->hit, &j->error);
    akin_table_free(combined);
    return status;
}

static const char *title_of(const asked *a, uint32_t i)
{
    return a->item_columns[i].name ? a->item_columns[i].name : "";
}

/* Makes the name of a part: that of a column, or of all with plus signs between. To be freed. */
static char *name_part(const asked *a, uint32_t part)
{
    size_t room = 1;
    for (uint32_t i = 0; i < a->item_texts; i++)
        room += strlen(title_of(a, i)) + 1;
    char *name = calloc(room, 1), *at = name;
    for (uint32_t i = 0; name && i < a->item_texts; i++)
        if (part == a->item_texts || i == part)
            at += snprintf(at, room - (size_t)(at - name), "%s%s", at > name ? "+" : "", title_of(a, i));
    return name;
}

/* Puts the name of a part, if there are several. */
static akin_status put_part(job *j, const asked *a, akin_frame *made, uint32_t part)
{
    char *name = a->item_texts > 1 ? name_part(a, part) : NULL;
    if (a->item_texts > 1 && !name)
        return akin_error_set(&j->error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the items");
    const akin_status status = akin_frame_add_text(made, PART, name ? name : "", name ? strlen(name) : 0, &j->error);
    free(name);
    return status;
}

/* Puts a row for an item with a hit. */
static akin_status put_item(job *j, const asked *a, const named names[2], found *out, uint32_t row, uint32_t part,
                            const akin_overlap_found *f)
{
    void *data[COLUMNS];
    const uint64_t at = akin_frame_rows(out->frame);
    akin_status status = akin_frame_extend(out->frame, 1, data, &j->error);
    if (status == AKIN_OK)
        status = put_part(j, a, out->frame, part);
    if (status == AKIN_OK)
        status = named_put(j, &names[0], out->frame, ITEM, data[ITEM], 0, at, row);
    if (status == AKIN_OK)
        status = named_put(j, &names[1], out->frame, DOCUMENT, data[DOCUMENT], 0, at, f->run_row);
    if (status != AKIN_OK)
        return status;
    *(double *)data[SHARE] = (double)f->covered / (double)f->grams;
    *(uint64_t *)data[GRAMS] = f->grams;
    *(uint64_t *)data[COVERED] = f->covered;
    *(uint64_t *)data[DOCUMENTS] = f->documents;
    *(uint64_t *)data[WORDS] = f->run_words;
    const uint64_t places[] = {f->item_begin, f->item_end, f->document_begin, f->document_end};
    for (int i = 0; i < 4; i++)
        *(uint64_t *)data[BEGINS + i] = places[i];
    return AKIN_OK;
}

/* Makes the table of items with a hit. */
static akin_status make_frame(job *j, const asked *a, found *out)
{
    static const char *const titles[COLUMNS] = {"item",       "part",      "share",          "grams",
                                                "covered",    "documents", "document",       "words",
                                                "item_begin", "item_end",  "document_begin", "document_end"};
    const named names[2] = {named_of(a->items, a->item_columns, a->item_id),
                            named_of(a->documents, a->document_columns, a->document_id)};
    akin_type types[COLUMNS] = {
        [ITEM] = names[0].type, [PART] = AKIN_TYPE_TEXT, [SHARE] = AKIN_TYPE_F64, [DOCUMENT] = names[1].type};
    const uint32_t rows = akin_table_rows(a->items->table), parts = a->item_texts > 1 ? a->item_texts + 1 : 1;
    for (int i = 0; i < COLUMNS; i++)
        types[i] = types[i] ? types[i] : AKIN_TYPE_U64;
    akin_status status = akin_frame_create(j->context, COLUMNS, types, titles, &out->frame, &j->error);
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        for (uint32_t part = 0; part < parts && status == AKIN_OK; part++) {
            akin_overlap_found f = {.size = sizeof f};
            status = akin_overlap_item(out->overlap, part * rows + row, &f, &j->error);
            if (status == AKIN_OK && f.documents > 0)
                status = put_item(j, a, names, out, row, part, &f);
        }
        if (row % LOOK_EVERY == LOOK_EVERY - 1 && status == AKIN_OK)
            status = job_poll(j);
    }
    return status;
}

/* A byte for each document: 1 if no item stands in it. */
static PyObject *mask_of(const uint8_t *hit, uint32_t rows)
{
    PyObject *mask = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)rows);
    char *bytes = mask ? PyBytes_AsString(mask) : NULL;
    for (uint32_t row = 0; row < rows && bytes; row++)
        bytes[row] = !(hit[row / 8] >> row % 8 & 1);
    return mask;
}

static PyObject *run(state *s, PyObject *settings, asked *a)
{
    found out = {NULL};
    PyObject *mask = NULL;
    const uint32_t rows = akin_table_rows(a->documents->table);
    job j;
    if (!(out.hit = PyMem_Calloc((size_t)rows / 8 + 1, 1)))
        return PyErr_NoMemory();
    if (!job_begin(&j, s, settings)) {
        PyMem_Free(out.hit);
        return NULL;
    }
    job_leave(&j);
    akin_status status = scan(&j, a, &out);
    if (status == AKIN_OK)
        status = make_frame(&j, a, &out);
    status = job_return(&j, status);
    job_end(&j);
    akin_overlap_free(out.overlap);
    if (status == AKIN_OK)
        mask = mask_of(out.hit, rows);
    PyMem_Free(out.hit);
    PyObject *frame = frame_of_job(&j, status, out.frame);
    if (frame && mask)
        return Py_BuildValue("(NN)", frame, mask);
    Py_XDECREF(frame);
    Py_XDECREF(mask);
    return NULL;
}

/* overlap(settings, items, texts of items, id of items, documents, texts, id, words) -> (Frame, bytes: 1 for each
 * document without a hit). An id is the number of a column, or -1. */
static PyObject *overlap(PyObject *module, PyObject *args)
{
    PyObject *settings, *items, *documents, *made = NULL;
    state *s = state_of(module);
    asked a = {.how = AKIN_OVERLAP_OPTIONS_INIT};
    if (!PyArg_ParseTuple(args, "OOIiOIiI:overlap", &settings, &items, &a.item_texts, &a.item_id, &documents,
                          &a.document_texts, &a.document_id, &a.how.words) ||
        !input_take(s, items, 1, &a.items) || !input_take(s, documents, 1, &a.documents))
        return NULL;
    a.item_columns = input_columns(a.items);
    a.document_columns = a.item_columns ? input_columns(a.documents) : NULL;
    if (a.document_columns)
        made = run(s, settings, &a);
    PyMem_Free(a.item_columns);
    PyMem_Free(a.document_columns);
    return made;
}

PyMethodDef overlap_functions[] = {
    {"overlap", overlap, METH_VARARGS, "overlap(settings, items, texts, id, documents, texts, id, words)"},
    {NULL, NULL, 0, NULL},
};
