/* The file of answers that a person gave about pairs of records: the columns left, right and answer. */
#ifndef AKIN_CLI_ANSWERS_H
#define AKIN_CLI_ANSWERS_H

#include "dedupe_tables.h"

/* Refuses a file that is no table by its name. Returns AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_answers_check(const char *path);

/* Creates a labelling with the answers of request->answers, whose ids are those of the tables. The caller frees it in
 * any case. Errors: those of akin_table_read, akin_labelling_create and akin_labelling_add. */
akin_status akin_cli_answers_read(akin_cli_job *job, const akin_cli_dedupe_request *request,
                                  const akin_cli_side sides[2], akin_labelling **out, akin_error *error);

/* Writes an answer as a line of CSV. 0: it was not written. */
int akin_cli_answer_write(FILE *to, const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                          const akin_labelled_pair *answer);

/* Warns of the answers that are doubted: of the first ones by their ids. NULL: there is no labelling. */
void akin_cli_answers_warn(const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                           const akin_labelling *labelling);

/* The line that stands before the answers. */
#define AKIN_CLI_ANSWERS_HEADER "left,right,answer"

/* Whether a file is there, and has something in it. */
int akin_cli_answers_are_there(const char *path);

#endif
