/* Reads and writes answers. */
#include "answers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "command.h"
#include "table.h"

#define COLUMNS 3 /* of the file */
#define SHOWN   3 /* doubted answers, at most */

int akin_cli_answers_check(const char *path)
{
    akin_format format;
    akin_error error;
    if (akin_format_of_name(path, &format, &error) != AKIN_OK)
        return akin_cli_refuse("--answers %s: expected the name of a table, such as answers.csv", path);
    return AKIN_CLI_DONE;
}

int akin_cli_answers_are_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? !S_ISREG(about.st_mode) || about.st_size > 0 : errno != ENOENT;
}

static akin_status add_answers(akin_cli_job *job, const akin_cli_dedupe_request *request, const akin_table *table,
                               const akin_cli_side sides[2], akin_labelling *labelling, akin_error *error)
{
    const int right = request->inputs[1] != NULL;
    const uint32_t rows[2] = {sides[0].source.rows, sides[right].source.rows};
    const akin_column *ids[2];
    akin_column columns[COLUMNS];
    akin_status status = AKIN_OK;
    akin_cli_sides_ids(request, sides, ids);
    for (uint32_t c = 0; c < COLUMNS && status == AKIN_OK; c++) {
        columns[c].size = sizeof columns[c];
        status = akin_table_column(table, c, &columns[c], error);
    }
    if (status == AKIN_OK)
        status = akin_labelling_add(job->context, labelling, ids, rows, columns, akin_table_rows(table), error);
    if (status == AKIN_E_INPUT)
        akin_cli_source_locate(table, request->answers, error);
    return status;
}

akin_status akin_cli_answers_read(akin_cli_job *job, const akin_cli_dedupe_request *request,
                                  const akin_cli_side sides[2], akin_labelling **out, akin_error *error)
{
    static const char *const names[COLUMNS] = {"left", "right", "answer"};
    akin_table_options wanted = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    wanted.columns = names;
    wanted.column_count = COLUMNS;
    wanted.keep_lines = 1;
    akin_status status = akin_labelling_create(out, error);
    if (status == AKIN_OK)
        status = akin_cli_table_read(job, request->answers, &wanted, &table, error);
    if (status == AKIN_OK && akin_table_rows(table) > 0)
        status = add_answers(job, request, table, sides, *out, error);
    akin_table_free(table);
    return status;
}

/* An answer in words. */
typedef struct worded {
    char numbers[2][16];
    size_t lengths[2];
    const char *ids[2], *answer;
} worded;

static void word_answer(const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                        const akin_labelled_pair *answer, worded *out)
{
    const uint32_t rows[2] = {answer->left, answer->right};
    const akin_choice *row;
    uint32_t at = 0;
    for (int i = 0; i < 2; i++)
        out->ids[i] = akin_cli_names_row(&sides[i == 1 && request->inputs[1]].source.names, rows[i], out->numbers[i],
                                         &out->lengths[i]);
    while ((row = akin_choices("answers", at)) && row->value != (int)answer->answer)
        at++;
    out->answer = row ? row->name : "";
}

void akin_cli_answers_warn(const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                           const akin_labelling *labelling)
{
    uint64_t doubted = 0;
    for (uint64_t i = 0; labelling && i < akin_labelling_count(labelling); i++) {
        const akin_labelled_pair answer = akin_labelling_at(labelling, i);
        worded w = {.answer = ""};
        if (!answer.is_doubted || doubted++ >= SHOWN)
            continue;
        word_answer(request, sides, &answer, &w);
        akin_cli_warn(
            "the answer %s for %.*s and %.*s contradicts their values and the other answers: the weights do "
            "not follow it; is it right?",
            w.answer, (int)w.lengths[0], w.ids[0], (int)w.lengths[1], w.ids[1]);
    }
    if (doubted > SHOWN)
        akin_cli_warn("%" PRIu64 " more answers contradict values and other answers", doubted - SHOWN);
}

int akin_cli_answer_write(FILE *to, const akin_cli_dedupe_request *request, const akin_cli_side sides[2],
                          const akin_labelled_pair *answer)
{
    worded w = {.answer = ""};
    word_answer(request, sides, answer, &w);
    return fprintf(to, "%.*s,%.*s,%s\n", (int)w.lengths[0], w.ids[0], (int)w.lengths[1], w.ids[1], w.answer) > 0;
}
