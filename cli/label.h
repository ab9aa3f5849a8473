/* What akin label does beside a deduplication: it asks. */
#ifndef AKIN_CLI_LABEL_H
#define AKIN_CLI_LABEL_H

#include "dedupe_tables.h"

/* Whether questions are asked, or written as a page. */
int akin_cli_label_asks(const akin_cli_dedupe_request *request);

/* Reads the argument of --limit (NULL: not given) of a request of akin label. Of another command there are no
 * questions. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_label_limit(const char *text, akin_cli_dedupe_request *request);

/* Checks the files of a command line with questions. Without operands it is for another check. Returns AKIN_CLI_DONE or
 * AKIN_CLI_USAGE. */
int akin_cli_label_check(const akin_cli_arguments *arguments);

/* Whether anything is wanted that follows from the answers: without it the questions are all. */
int akin_cli_label_goes_on(const akin_cli_dedupe_request *request);

/* Asks, or writes a page with questions to `page`, unless that is NULL. *out gets the answers, those of the file and
 * new ones; the caller frees it in any case. Errors: those of reading answers, akin_dedupe, akin_labelling_next and
 * writing. */
akin_status akin_cli_label_ask(akin_cli_job *job, const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                               akin_output *page, akin_labelling **out, akin_error *error);

/* Prints for people what to do with the answers. */
void akin_cli_label_advise(const akin_cli_dedupe_request *request, const akin_labelling *labelling);

/* What is asked about. */
typedef struct akin_cli_questions {
    const akin_cli_dedupe_request *request;
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
akin_status akin_cli_label_page(const akin_cli_questions *questions, akin_output *output, akin_error *error);

/* The page, with a mark where the questions belong. */
extern const unsigned char akin_cli_label_template[];
extern const size_t akin_cli_label_template_length;

#endif
