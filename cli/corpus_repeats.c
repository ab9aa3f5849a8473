/* akin corpus repeats: passages that a corpus has again. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "corpus_options.h"
#include "header.h"
#include "number.h"
#include "path.h"
#include "reading.h"

#define AROUND 256 /* bytes of a line beside its names, at most */

typedef struct repeats_request {
    akin_cli_documents documents;
    akin_repeats_options how;
    akin_cli_findings findings;
    int quiet;
} repeats_request;

/* Which copies are listed: all but the first one, or all. */
static int check_keep(const char *text, akin_repeats_options *how)
{
    const akin_choice *row = NULL;
    if (!text)
        return AKIN_CLI_DONE;
    if (akin_choice_find(akin_cli_corpus_option(KEEP)->choices, text, &row, NULL) != AKIN_OK || !row ||
        (row->value != AKIN_KEEP_FIRST && row->value != AKIN_KEEP_NONE))
        return akin_cli_refuse("--keep %s: of repeated passages the first copy is kept, or none", akin_cli_word(text));
    how->keep = (uint32_t)row->value;
    return AKIN_CLI_DONE;
}

int akin_cli_repeats_check(const akin_cli_arguments *arguments, void **out)
{
    repeats_request *request = calloc(1, sizeof *request);
    const char *length = arguments->value[LENGTH][0];
    *out = request;
    if (!request) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    request->how = (akin_repeats_options)AKIN_REPEATS_OPTIONS_INIT;
    request->quiet = arguments->value[QUIET][0] != NULL;
    if (length && !akin_cli_read_u64(length, AKIN_REPEATS_LEAST, AKIN_REPEATS_MOST, &request->how.length))
        return akin_cli_refuse("--length %s: expected a whole number of bytes from %d to %d", akin_cli_word(length),
                               AKIN_REPEATS_LEAST, AKIN_REPEATS_MOST);
    int status = check_keep(arguments->value[KEEP][0], &request->how);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_corpus_paths(arguments, 1, &request->documents);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_corpus_reading(arguments, &request->documents);
    return status == AKIN_CLI_DONE
               ? akin_cli_corpus_findings(arguments, &request->documents, "passages", &request->findings)
               : status;
}

void akin_cli_repeats_clear(void *request)
{
    repeats_request *own = request;
    if (!own)
        return;
    akin_cli_documents_clear(&own->documents);
    free(own);
}

/* ---------------------------------------------------------------------------------------------------------- results */

/* What the lines are made from. */
typedef struct lines_job {
    const akin_repeats *repeats;
    const akin_cli_names *names;
    akin_cli_field id, begin, end, source, source_begin, times, last;
} lines_job;

static akin_status put_passage(const lines_job *j, uint64_t index, akin_lines *lines, akin_error *error)
{
    char numbers[2][16];
    size_t lengths[2];
    akin_repeat repeat;
    akin_status status = akin_repeats_at(j->repeats, index, &repeat, error);
    if (status != AKIN_OK)
        return status;
    const char *id = akin_cli_names_row(j->names, repeat.row, numbers[0], &lengths[0]);
    const char *source = akin_cli_names_row(j->names, repeat.source_row, numbers[1], &lengths[1]);
    char *at = akin_lines_reserve(lines, lengths[0] + lengths[1] + AROUND);
    if (!at)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the passages");
    at = akin_cli_put_bytes(akin_cli_put_field(at, &j->id), id, lengths[0]);
    at = akin_digits_integer(akin_cli_put_field(at, &j->begin), repeat.begin);
    at = akin_digits_integer(akin_cli_put_field(at, &j->end), repeat.end);
    at = akin_cli_put_bytes(akin_cli_put_field(at, &j->source), source, lengths[1]);
    at = akin_digits_integer(akin_cli_put_field(at, &j->source_begin), repeat.source_begin);
    at = akin_digits_integer(akin_cli_put_field(at, &j->times), repeat.times);
    lines->length = (size_t)(akin_cli_put_field(at, &j->last) - lines->text);
    return AKIN_OK;
}

/* An akin_lines_format, whose user is a lines_job. */
static akin_status format_passages(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t i = begin; i < end && status == AKIN_OK; i++)
        status = put_passage(user, i, lines, error);
    return status;
}

static akin_status write_passages(const akin_repeats *repeats, const akin_cli_names *names, akin_cli_format format,
                                  akin_output *output, akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(format);
    akin_cli_header header = {0};
    lines_job job = {.repeats = repeats,
                     .names = names,
                     .id = akin_cli_field_of(akin_cli_keyed(w, "{\"id\":")),
                     .begin = akin_cli_field_of(akin_cli_between(w, ",\"begin\":")),
                     .end = akin_cli_field_of(akin_cli_between(w, ",\"end\":")),
                     .source = akin_cli_field_of(akin_cli_between(w, ",\"source\":")),
                     .source_begin = akin_cli_field_of(akin_cli_between(w, ",\"source_begin\":")),
                     .times = akin_cli_field_of(akin_cli_between(w, ",\"times\":")),
                     .last = akin_cli_field_of(w->separator ? "\n" : "}\n")};
    akin_cli_header_add(&header, "", "id", akin_cli_names_type(names));
    akin_cli_header_add_all(&header, "begin,end", AKIN_CLI_INTEGER);
    akin_cli_header_add(&header, "", "source", akin_cli_names_type(names));
    akin_cli_header_add_all(&header, "source_begin,times", AKIN_CLI_INTEGER);
    const akin_status status = akin_cli_header_write(&header, format, output, error);
    return status == AKIN_OK ? akin_output_write_rows(output, akin_repeats_count(repeats), format_passages, &job, error)
                             : status;
}

/* The bytes of all passages. */
static uint64_t bytes_of(const akin_repeats *repeats)
{
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < akin_repeats_count(repeats); i++) {
        akin_repeat repeat;
        if (akin_repeats_at(repeats, i, &repeat, NULL) == AKIN_OK)
            bytes += repeat.end - repeat.begin;
    }
    return bytes;
}

akin_status akin_cli_repeats_run(akin_cli_job *job, const void *asked, akin_error *error)
{
    const repeats_request *request = asked;
    akin_cli_source documents = {0};
    akin_repeats *repeats = NULL;
    akin_output *output = NULL;
    akin_status status = akin_cli_job_open(job, request->findings.path, request->findings.shown, &output, error);
    if (status == AKIN_OK)
        status = akin_cli_source_read(job, &request->documents.reading, request->documents.paths[0],
                                      request->findings.format, NULL, NULL, &documents, error);
    if (status == AKIN_OK)
        status = akin_repeats_find(job->context, &documents.strings, documents.rows, &request->how, &repeats, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = write_passages(repeats, &documents.names, request->findings.format, output, error);
    if (status == AKIN_OK)
        status = akin_cli_job_commit(&output, 1, error);
    else
        akin_output_discard(output);
    if (status == AKIN_OK) {
        akin_cli_job_wrote(job, request->findings.path, akin_repeats_count(repeats), "passages");
        if (!request->quiet)
            fprintf(stderr, "akin: %" PRIu64 " passages of %" PRIu64 " bytes are in the documents again\n",
                    akin_repeats_count(repeats), bytes_of(repeats));
        status = akin_cli_job_show(job, error);
    }
    akin_repeats_free(repeats);
    akin_cli_source_clear(&documents);
    return status;
}
