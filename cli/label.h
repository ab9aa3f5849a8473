/* The request of akin label, and its run. */
#ifndef AKIN_CLI_LABEL_H
#define AKIN_CLI_LABEL_H

#include "dedupe_tables.h"

typedef struct akin_cli_label_request {
    akin_cli_dedupe_request dedupe; /* the tables and the rules; `answers` may be a file that is not there yet */
    const char *model, *page;       /* files that are written; NULL: none */
    uint64_t limit;                 /* questions, at most */
} akin_cli_label_request;

/* Does it. Errors: those of reading, akin_dedupe, akin_labelling_next and writing. */
akin_status akin_cli_label_run(akin_cli_job *job, const akin_cli_label_request *request, akin_error *error);

/* What is asked about. */
typedef struct akin_cli_questions {
    const akin_cli_label_request *request;
    const akin_cli_side *sides;
    akin_labelling *labelling;
} akin_cli_questions;

/* The value of a column of the plan in a row, of *length bytes; "" where it is missing. */
const char *akin_cli_label_value(const akin_cli_questions *questions, int side, uint32_t column, uint32_t row,
                                 size_t *length);

/* The name of a row. */
const char *akin_cli_label_name(const akin_cli_questions *questions, int side, uint32_t row, char number[16],
                                size_t *length);

/* Writes a page with up to request->limit questions. Errors: those of akin_labelling_next and of an output. */
akin_status akin_cli_label_page(akin_cli_job *job, const akin_cli_questions *questions, akin_error *error);

/* The page, with a mark where the questions belong. */
extern const unsigned char akin_cli_label_template[];
extern const size_t akin_cli_label_template_length;

#endif
