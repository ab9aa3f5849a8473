/* A program of somebody else's: generates records and text, and looks into a table of the generators. */
#include <akin_generate.h>
#include <stdio.h>

/* The rows of the table of records, in *user. */
static int count_rows(void *user, const akin_records_batch *batch)
{
    if (batch->table == AKIN_RECORDS_TABLE)
        *(uint64_t *)user += batch->rows;
    return 0;
}

static int count_bytes(void *user, const char *bytes, uint64_t length)
{
    (void)bytes;
    *(uint64_t *)user += length;
    return 0;
}

int main(void)
{
    akin_records_options records = AKIN_RECORDS_OPTIONS_INIT;
    akin_documents_options documents = AKIN_DOCUMENTS_OPTIONS_INIT;
    const akin_choice *kind = NULL;
    akin_context *context = NULL;
    akin_error error;
    uint64_t rows = 0, bytes = 0;

    records.rows = 1000;
    documents.bytes = 5000;
    akin_status status = akin_context_create(NULL, &context, &error);
    if (status == AKIN_OK)
        status = akin_annex_choice_find(akin_generators(), "record-kinds", "cd", &kind, &error);
    if (status == AKIN_OK) {
        records.kind = (akin_records_kind)kind->value;
        status = akin_records_generate(context, &records, count_rows, &rows, &error);
    }
    if (status == AKIN_OK)
        status = akin_documents_generate(context, &documents, count_bytes, &bytes, &error);
    if (status != AKIN_OK)
        fprintf(stderr, "%s\n", error.message);
    akin_context_free(context);
    return !(status == AKIN_OK && records.kind == AKIN_RECORDS_CD && rows == 1000 && bytes > 4900 && bytes <= 5000);
}
