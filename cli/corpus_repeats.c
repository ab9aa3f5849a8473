/* akin corpus repeats: passages that a corpus has again, and documents without them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "corpus_options.h"
#include "header.h"
#include "kept.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "shards.h"

#define AROUND 256 /* bytes of a line beside its names, at most */

/* Why there can be no --kept, behind its name, of a format. */
#define CANNOT                                                                                                         \
    "passages are cut out of CSV, TSV, JSON lines, plain text and Parquet, and the input is %s: in Python, "           \
    "akin.corpus.repeats(..., cut=True) gives the texts without them"

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

/* The least bytes or words of a passage. */
static int check_length(const akin_cli_arguments *arguments, akin_repeats_options *how)
{
    const int by_words = arguments->value[WORDS][0] != NULL, least = by_words ? 1 : AKIN_REPEATS_LEAST;
    const int option = by_words ? WORDS : LENGTH;
    const char *text = arguments->value[option][0];
    if (by_words && arguments->value[LENGTH][0])
        return akin_cli_refuse("--length and --words: expected one of them");
    how->unit = by_words ? AKIN_REPEATS_WORDS : AKIN_REPEATS_BYTES;
    if (text && !akin_cli_read_u64(text, (uint64_t)least, AKIN_REPEATS_MOST, &how->length))
        return akin_cli_refuse("--%s %s: expected a whole number of %s from %d to %d",
                               akin_cli_corpus_option(option)->name, akin_cli_word(text), by_words ? "words" : "bytes",
                               least, AKIN_REPEATS_MOST);
    return AKIN_CLI_DONE;
}

/* Where the documents go that passages were cut out of. */
static int check_kept(const akin_cli_arguments *arguments, akin_cli_documents *documents)
{
    const char *path = arguments->value[OUTPUT][0], *kept = arguments->value[KEPT][0];
    const akin_cli_reading *reading = &documents->reading;
    if (!kept)
        return AKIN_CLI_DONE;
    const int status = akin_cli_corpus_kept(arguments, documents);
    if (status != AKIN_CLI_DONE)
        return status;
    if (reading->on_count > 1)
        return akin_cli_refuse("--on %s: passages are cut out of one column: expected its name, or no --kept",
                               akin_cli_word(arguments->value[ON][0]));
    if (!documents->options && reading->format != AKIN_FORMAT_AUTO && !akin_cli_kept_can_rewrite(reading->format))
        return akin_cli_refuse("--kept %s: " CANNOT, kept, akin_cli_format_row(reading->format)->name);
    if (strcmp(kept, "-") == 0 && (!path || strcmp(path, "-") == 0))
        return akin_cli_refuse("--kept -: standard output gets the passages: give --output another file");
    if (path && akin_cli_path_equal(kept, path))
        return akin_cli_refuse("%s: expected another file for the passages", path);
    return AKIN_CLI_DONE;
}

int akin_cli_repeats_check(const akin_cli_arguments *arguments, void **out)
{
    repeats_request *request = calloc(1, sizeof *request);
    *out = request;
    if (!request) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    request->how = (akin_repeats_options)AKIN_REPEATS_OPTIONS_INIT;
    request->quiet = arguments->value[QUIET][0] != NULL;
    int status = check_length(arguments, &request->how);
    if (status == AKIN_CLI_DONE)
        status = check_keep(arguments->value[KEEP][0], &request->how);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_corpus_paths(arguments, 1, &request->documents);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_corpus_reading(arguments, &request->documents);
    if (status == AKIN_CLI_DONE)
        status = check_kept(arguments, &request->documents);
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
    akin_repeat repeat = {.size = sizeof repeat};
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

/* ---------------------------------------------------------------------------------------------------------- cutting */

/* What comes of a job. */
typedef struct results {
    akin_output *output, *kept_output;
    akin_cli_shards shards;
    akin_cli_source documents;
    akin_repeats *repeats;
    akin_cli_kept kept; /* all rows */
    char *text;         /* without passages */
    uint64_t text_capacity;
    uint64_t bytes, cut, emptied; /* of all passages; documents that have some, and those that have nothing else */
} results;

/* Cuts a row, in r->text. *length: that of the text. */
static akin_status cut_row(results *r, uint32_t row, uint64_t *length, akin_error *error)
{
    const akin_column *column = &r->documents.strings;
    const uint64_t room = column->offsets[row + UINT64_C(1)] - column->offsets[row] + 1;
    if (room > r->text_capacity) {
        char *text = realloc(r->text, (size_t)room);
        if (!text)
            return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for a document");
        r->text = text;
        r->text_capacity = room;
    }
    *length = akin_repeats_cut(r->repeats, column, row, r->text);
    return AKIN_OK;
}

/* The function of akin_cli_kept_texts, whose user are the results. */
static akin_status text_of(void *user, uint32_t row, const char **text, uint64_t *length, akin_error *error)
{
    results *r = user;
    const uint64_t *at = r->documents.strings.offsets + row;
    const akin_status status = cut_row(r, row, length, error);
    *text = status == AKIN_OK && *length < at[1] - at[0] ? r->text : NULL;
    return status;
}

/* Counts bytes and documents. */
static akin_status count(results *r, akin_error *error)
{
    uint32_t last = AKIN_NO_ROW;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < akin_repeats_count(r->repeats) && status == AKIN_OK; i++) {
        akin_repeat repeat = {.size = sizeof repeat};
        uint64_t length = 0;
        status = akin_repeats_at(r->repeats, i, &repeat, error);
        r->bytes += repeat.end - repeat.begin;
        if (status != AKIN_OK || repeat.row == last)
            continue;
        last = repeat.row;
        status = cut_row(r, repeat.row, &length, error);
        r->cut++;
        r->emptied += length == 0;
    }
    return status;
}

/* Refuses a file whose records are not written again. */
static akin_status check_formats(const results *r, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < akin_table_files(r->documents.table) && status == AKIN_OK; i++) {
        akin_table_file file = {.size = sizeof file};
        status = akin_table_file_at(r->documents.table, i, &file, error);
        if (status == AKIN_OK && !akin_cli_kept_can_rewrite(file.format))
            status = akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE, "%.600s: " CANNOT, file.name,
                                    akin_cli_format_row(file.format)->name);
    }
    return status;
}

static akin_status write_kept(akin_cli_job *job, const repeats_request *request, results *r, akin_error *error)
{
    const akin_cli_documents *d = &request->documents;
    const akin_cli_kept_texts texts = {
        .column = d->reading.on_count > 0 ? d->reading.on[0] : "", .of = text_of, .user = r};
    akin_table_file file = {.size = sizeof file};
    akin_status status = akin_cli_kept_begin(r->documents.rows, &r->kept, error);
    for (uint32_t row = 0; row < r->documents.rows && status == AKIN_OK; row++)
        akin_cli_kept_add(&r->kept, row);
    r->kept.texts = &texts;
    if (status == AKIN_OK && d->options)
        status = akin_cli_shards_write(job, &r->shards, &r->kept, r->documents.table, error);
    else if (status == AKIN_OK)
        status = akin_table_file_at(r->documents.table, 0, &file, error);
    if (status == AKIN_OK && r->kept_output)
        status = akin_cli_kept_write_file(&r->kept, r->documents.table, &file, d->paths[0], r->kept_output, error);
    r->kept.texts = NULL;
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

static akin_status open_results(akin_cli_job *job, const repeats_request *request, results *r, akin_error *error)
{
    const akin_cli_documents *d = &request->documents;
    akin_status status = akin_cli_job_open(job, request->findings.path, request->findings.shown, &r->output, error);
    if (status == AKIN_OK && d->options)
        status = akin_cli_shards_open(job, akin_cli_corpus_option(KEPT)->name, d->kept, d->paths, d->path_count,
                                      d->options, &r->shards, error);
    else if (status == AKIN_OK && d->kept)
        status = akin_cli_job_open(job, d->kept, "", &r->kept_output, error);
    return status;
}

static akin_status find(akin_cli_job *job, const repeats_request *request, results *r, akin_error *error)
{
    const akin_cli_documents *d = &request->documents;
    akin_status status =
        akin_cli_source_read(job, &d->reading, d->paths[0], request->findings.format, NULL, NULL, &r->documents, error);
    if (status == AKIN_OK && d->kept)
        status = check_formats(r, error);
    if (status != AKIN_OK)
        return status;
    akin_repeats_options how = request->how;
    how.table = r->documents.combined ? r->documents.combined : r->documents.table;
    status = akin_repeats_find(job->context, &r->documents.strings, r->documents.rows, &how, &r->repeats, error);
    if (status != AKIN_OK)
        akin_cli_source_locate(r->documents.table, d->paths[0], error);
    return status == AKIN_OK ? count(r, error) : status;
}

static akin_status commit(results *r, akin_status status, akin_error *error)
{
    akin_output *outputs[2] = {r->output, r->kept_output};
    if (status == AKIN_OK)
        return akin_cli_job_commit(outputs, r->kept_output ? 2 : 1, error);
    akin_output_discard(r->output);
    akin_output_discard(r->kept_output);
    return status;
}

static void print_figures(const repeats_request *request, const results *r)
{
    const uint64_t count = akin_repeats_count(r->repeats);
    fprintf(stderr, "akin: %" PRIu64 " repeated passage%s, %" PRIu64 " bytes in all\n", count, count == 1 ? "" : "s",
            r->bytes);
    if (request->documents.kept)
        fprintf(stderr, "akin: passages are cut out of %" PRIu64 " document%s; %" PRIu64 " of the texts %s empty now\n",
                r->cut, r->cut == 1 ? "" : "s", r->emptied, r->emptied == 1 ? "is" : "are");
}

static void clear_results(results *r)
{
    akin_repeats_free(r->repeats);
    akin_cli_kept_clear(&r->kept);
    akin_cli_shards_clear(&r->shards);
    akin_cli_source_clear(&r->documents);
    free(r->text);
}

akin_status akin_cli_repeats_run(akin_cli_job *job, const void *asked, akin_error *error)
{
    const repeats_request *request = asked;
    results r = {.output = NULL};
    akin_status status = open_results(job, request, &r, error);
    if (status == AKIN_OK)
        status = find(job, request, &r, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        status = write_passages(r.repeats, &r.documents.names, request->findings.format, r.output, error);
    if (status == AKIN_OK && request->documents.kept)
        status = write_kept(job, request, &r, error);
    status = commit(&r, status, error);
    if (status == AKIN_OK) {
        akin_cli_job_wrote(job, request->findings.path, akin_repeats_count(r.repeats), "passages");
        if (request->documents.kept)
            akin_cli_kept_wrote(job, request->documents.kept, &r.kept);
        if (!request->quiet)
            print_figures(request, &r);
        status = akin_cli_job_show(job, error);
    }
    clear_results(&r);
    return status;
}
