/* Runs akin join: reads the files, finds the pairs and writes what comes of them. */
#include "join.h"

#include <string.h>

#include "reading.h"

/* Reads the right table, which must have what the left one lacks of the columns that are shown. */
static akin_status read_right(akin_cli_job *job, const akin_cli_join_request *request, const akin_cli_stop_words *words,
                              akin_dictionary *dictionary, const akin_cli_source *left, akin_cli_source *right,
                              akin_error *error)
{
    akin_cli_reading reading = request->reading[1];
    reading.show_optional = akin_cli_show_optional(&request->wanted.show, 1, left);
    akin_status status =
        akin_cli_source_read(job, &reading, request->right, request->wanted.format, words, dictionary, right, error);
    if (status == AKIN_E_OPTION && akin_cli_place_of(reading.on, reading.on_count, error->column) == reading.on_count &&
        (!reading.id || strcmp(reading.id, error->column) != 0))
        akin_cli_show_advise(&request->wanted.show, request->left, error);
    return status;
}

/* Puts the file and the line before a message about a text that is no tree, or no graph. */
static void locate_text(const akin_cli_join_request *request, const akin_cli_source *left, const akin_cli_source *right,
                        akin_error *error)
{
    const int is_right = strcmp(error->column, "right") == 0;
    const akin_table *table = is_right ? right->table : left->table;
    if (table && error->row != AKIN_NO_ROW)
        akin_cli_source_locate(table, is_right ? request->right : request->left, error);
}

akin_status akin_cli_join_run(akin_cli_job *job, const akin_cli_join_request *request, akin_cli_report *report,
                              double *seconds_read, akin_error *error)
{
    akin_cli_source left = {0}, right = {0};
    akin_cli_results results;
    akin_cli_stop_words words = {0};
    akin_dictionary *dictionary = NULL;
    akin_status status = akin_cli_results_open(job, &request->wanted, &results, error);
    if (status != AKIN_OK)
        return status;
    double begun = akin_cli_clock();
    if (!request->wanted.strings.wanted)
        status = akin_dictionary_create(job->context, &dictionary, error);
    if (status == AKIN_OK)
        status =
            akin_cli_stop_words_read(job, request->reading[0].stop_words, request->reading[0].lossy, &words, error);
    if (status == AKIN_OK)
        status = akin_cli_source_read(job, &request->reading[0], request->left, request->wanted.format, &words,
                                      dictionary, &left, error);
    if (status == AKIN_OK && request->right)
        status = read_right(job, request, &words, dictionary, &left, &right, error);
    akin_cli_stop_words_clear(&words);
    akin_dictionary_free(dictionary);
    *seconds_read = akin_cli_clock() - begun;
    if (status == AKIN_OK)
        status = akin_cli_results_join(&results, job, &left, request->right ? &right : NULL, report, error);
    if (status == AKIN_E_INPUT && (request->wanted.strings.trees || request->wanted.strings.graphs))
        locate_text(request, &left, &right, error);
    akin_cli_progress_clear(&job->progress);
    status = akin_cli_results_close(&results, job, status, error);
    if (status == AKIN_OK)
        akin_cli_source_warn(&request->reading[0], request->left, &left);
    if (status == AKIN_OK && request->right)
        akin_cli_source_warn(&request->reading[1], request->right, &right);
    akin_cli_source_clear(&left);
    akin_cli_source_clear(&right);
    return status;
}
