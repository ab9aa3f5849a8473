/* akin corpus overlap: which items of a test stand in a corpus. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "corpus_options.h"
#include "header.h"
#include "kept.h"
#include "files.h"
#include "number.h"
#include "path.h"
#include "reading.h"
#include "shards.h"
#include "stream.h"

#define AROUND 1024 /* bytes of a line beside its names, at most */

typedef struct overlap_request {
    const char *items; /* the file */
    akin_cli_reading reading;
    akin_cli_documents documents;
    akin_overlap_options how;
    akin_cli_findings findings;
    int quiet;
} overlap_request;

/* ---------------------------------------------------------------------------------------------------------- options */

static int check_items(const akin_cli_arguments *arguments, overlap_request *request)
{
    const akin_cli_reading_words words = {.on = arguments->value[ITEMS_ON][0] ? arguments->value[ITEMS_ON][0] : "text",
                                          .presumed = !arguments->value[ITEMS_ON][0],
                                          .id = arguments->value[ITEMS_ID][0],
                                          .on_option = akin_cli_corpus_option(ITEMS_ON)->name,
                                          .id_option = akin_cli_corpus_option(ITEMS_ID)->name,
                                          .lossy = arguments->value[LOSSY][0],
                                          .strings = akin_cli_corpus_option(ITEMS_ON)->name};
    uint64_t number = request->how.words;
    const char *text = arguments->value[WORDS][0];
    if (arguments->operand_count < 2 || !arguments->operands[1][0])
        return akin_cli_refuse("expected the file of the items: akin corpus %s", akin_cli_corpus_takes(arguments));
    if (text && !akin_cli_read_u64(text, 1, 255, &number))
        return akin_cli_refuse("--words %s: expected a whole number from 1 to 255", akin_cli_word(text));
    request->items = arguments->operands[1];
    request->how.words = (uint32_t)number;
    const int status = akin_cli_reading_check(&words, request->items, &request->reading);
    request->reading.keep_lines = 1;
    return status;
}

static int check_output(const akin_cli_arguments *arguments, overlap_request *request)
{
    const char *path = arguments->value[OUTPUT][0], *kept = request->documents.kept;
    if (kept && (akin_cli_path_same(request->items, kept) ||
                 (request->documents.options && akin_cli_path_is_below(request->items, kept))))
        return akin_cli_refuse("%s: is read and would be replaced: write to another file", kept);
    if (kept && strcmp(kept, "-") == 0 && (!path || strcmp(path, "-") == 0))
        return akin_cli_refuse("--kept -: standard output gets the items: give --output another file");
    if (path && (akin_cli_path_same(request->items, path) || (kept && akin_cli_path_equal(kept, path))))
        return akin_cli_refuse("%s: expected another file for the results", path);
    return akin_cli_corpus_findings(arguments, &request->documents, "items", &request->findings);
}

int akin_cli_overlap_check(const akin_cli_arguments *arguments, void **out)
{
    overlap_request *request = calloc(1, sizeof *request);
    *out = request;
    if (!request) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    request->how = (akin_overlap_options)AKIN_OVERLAP_OPTIONS_INIT;
    request->quiet = arguments->value[QUIET][0] != NULL;
    int status = check_items(arguments, request);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_corpus_paths(arguments, 2, &request->documents);
    for (int i = 0; i < request->documents.path_count && status == AKIN_CLI_DONE; i++)
        if (akin_cli_path_is_stdin(request->items) && akin_cli_path_is_stdin(request->documents.paths[i]))
            return akin_cli_refuse("- and -: standard input can be read only once");
    if (status == AKIN_CLI_DONE)
        status = akin_cli_corpus_reading(arguments, &request->documents);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_corpus_kept(arguments, &request->documents);
    return status == AKIN_CLI_DONE ? check_output(arguments, request) : status;
}

void akin_cli_overlap_clear(void *request)
{
    overlap_request *own = request;
    if (!own)
        return;
    akin_cli_reading_clear(&own->reading);
    akin_cli_documents_clear(&own->documents);
    free(own);
}

/* -------------------------------------------------------------------------------------------------------------- job */

/* What comes of it. */
typedef struct results {
    akin_output *output, *kept_output;
    akin_cli_shards shards;
    akin_cli_source items;
    uint32_t parts; /* of each row of the items: its columns, and all of them together */
    akin_overlap *overlap;
    akin_cli_files files; /* of the corpus */
    char **names;         /* of the document of each item's run, as the output has it; NULL: there is no run */
    akin_cli_line line;   /* for one of them */
    uint32_t rows;
    uint64_t kept, hit; /* documents */
} results;

static akin_status fail_room(akin_error *error)
{
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the results");
}

static akin_status open_results(akin_cli_job *job, const overlap_request *request, results *r, akin_error *error)
{
    const akin_cli_documents *d = &request->documents;
    akin_status status = akin_cli_files_list(d->paths, d->path_count, &r->files, error);
    if (status == AKIN_OK)
        status = akin_cli_job_open(job, request->findings.path, request->findings.shown, &r->output, error);
    if (status == AKIN_OK && d->kept && d->options)
        status = akin_cli_shards_open(job, "kept", d->kept, d->paths, d->path_count, d->options, &r->shards, error);
    else if (status == AKIN_OK && d->kept)
        status = akin_cli_job_open(job, d->kept, "", &r->kept_output, error);
    return status;
}

static akin_status read_items(akin_cli_job *job, const overlap_request *request, results *r, akin_error *error)
{
    akin_column columns[AKIN_CLI_COLUMNS] = {{.size = 0}};
    const uint32_t count = request->reading.on_count ? request->reading.on_count : 1;
    akin_status status = akin_cli_source_read(job, &request->reading, request->items, request->findings.format, NULL,
                                              NULL, &r->items, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t i = 0; i < count && status == AKIN_OK && r->items.rows > 0; i++) {
        columns[i].size = sizeof columns[i];
        status = akin_table_column(r->items.table, i, &columns[i], error);
    }
    r->parts = count > 1 ? count + 1 : 1;
    if (status == AKIN_OK)
        status = akin_overlap_create(job->context, r->items.rows > 0 ? columns : &r->items.strings,
                                     r->items.rows > 0 ? count : 1, r->items.rows, &request->how, &r->overlap, error);
    if (status != AKIN_OK)
        akin_cli_source_locate(r->items.table, request->items, error);
    r->names = calloc((size_t)(status == AKIN_OK ? akin_overlap_items(r->overlap) : 0) + 1, sizeof *r->names);
    return status == AKIN_OK && !r->names ? fail_room(error) : status;
}

/* Whether documents are called by file and number. */
static int has_file_names(const overlap_request *request, const results *r)
{
    return !request->documents.reading.id && r->files.count > 1;
}

/* What a document is called in the output: by its id, its number, or file and number. NULL: an error. */
static char *name_of(const overlap_request *request, results *r, const akin_cli_source *documents,
                     const akin_table_file *file, uint32_t row, akin_error *error)
{
    char number[16];
    size_t length = 0;
    const char *text = akin_cli_names_row(&documents->names, row, number, &length);
    if (has_file_names(request, r)) {
        if (akin_cli_name_of_file(file, row, request->findings.format, &r->line, &length, error) != AKIN_OK)
            return NULL;
        text = r->line.text;
    }
    char *name = strndup(text, length);
    if (!name)
        fail_room(error);
    return name;
}

/* Takes the names of the documents of a file that have the runs of items. */
static akin_status take_names(const overlap_request *request, results *r, const akin_cli_source *documents,
                              const akin_table_file *file, akin_error *error)
{
    uint32_t count;
    const uint32_t *items = akin_overlap_changed(r->overlap, &count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = akin_overlap_run_row(r->overlap, items[i]) - r->rows;
        char *name = name_of(request, r, documents, file, row, error);
        if (!name)
            return AKIN_E_NOMEM;
        free(r->names[items[i]]);
        r->names[items[i]] = name;
    }
    return AKIN_OK;
}

/* Writes the documents of a file that have no hit. */
static akin_status write_kept(akin_cli_job *job, const overlap_request *request, results *r, uint32_t file,
                              const akin_cli_source *documents, const uint8_t *hit, akin_error *error)
{
    akin_cli_kept kept;
    akin_status status = akin_cli_kept_begin(documents->rows, &kept, error);
    for (uint32_t row = 0; row < documents->rows && status == AKIN_OK; row++)
        if (!hit || !(hit[row / 8] >> row % 8 & 1))
            akin_cli_kept_add(&kept, row);
    r->kept += kept.count;
    if (status == AKIN_OK && request->documents.options)
        status = akin_cli_shards_write_file(job, &r->shards, file, &kept, documents->table, error);
    else if (status == AKIN_OK && r->kept_output)
        status = akin_cli_kept_write(&kept, documents->table, request->documents.paths[0],
                                     request->documents.reading.format, r->kept_output, error);
    akin_cli_kept_clear(&kept);
    return status;
}

/* Scans the documents of a file. */
static akin_status scan_file(akin_cli_job *job, const overlap_request *request, results *r, uint32_t file,
                             akin_error *error)
{
    akin_cli_reading reading = request->documents.reading;
    akin_cli_source documents;
    akin_table_file of = {.size = sizeof of};
    reading.more_count = 0;
    akin_status status = akin_cli_source_read(job, &reading, r->files.names[file], request->findings.format, NULL, NULL,
                                              &documents, error);
    if (status != AKIN_OK)
        return status;
    status = akin_table_file_at(documents.table, 0, &of, error);
    if (status == AKIN_OK && has_file_names(request, r))
        status = akin_cli_name_check_file(&of, request->findings.format, error);
    uint8_t *hit = status == AKIN_OK ? calloc((size_t)documents.rows / 8 + 1, 1) : NULL;
    if (status == AKIN_OK)
        status = hit ? akin_overlap_add(job->context, r->overlap, &documents.strings, documents.rows, hit, error)
                     : fail_room(error);
    if (status != AKIN_OK)
        akin_cli_source_locate(documents.table, r->files.names[file], error);
    if (status == AKIN_OK)
        status = take_names(request, r, &documents, &of, error);
    if (status == AKIN_OK)
        status = write_kept(job, request, r, file, &documents, hit, error);
    r->rows += documents.rows;
    free(hit);
    akin_cli_source_clear(&documents);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

/* What the lines are made from, and the texts around the values of a line. */
typedef struct lines_job {
    const results *r;
    akin_cli_line parts[AKIN_CLI_COLUMNS + 1]; /* what the parts of a row are called, with a NUL */
    akin_cli_field item, part, share, grams, covered, documents, document, words, item_begin, item_end, document_begin,
        document_end, end;
} lines_job;

/* What a part of an item is called: a column, or all of them with plus signs between. */
static akin_status name_part(const overlap_request *request, uint32_t part, akin_cli_line *line, akin_error *error)
{
    const akin_cli_reading *reading = &request->reading;
    const akin_cli_format format = request->findings.format;
    akin_cli_stream plain;
    if (!akin_cli_stream_open(&plain))
        return fail_room(error);
    for (uint32_t i = 0; i < reading->on_count; i++)
        if (part == reading->on_count || i == part)
            fprintf(plain.to, "%s%s", part == reading->on_count && i > 0 ? "+" : "", reading->on[i]);
    akin_status status = akin_cli_stream_close(&plain) ? AKIN_OK : fail_room(error);
    const size_t length = status == AKIN_OK ? strlen(plain.text) : 0;
    if (status == AKIN_OK && !akin_cli_name_fits(plain.text, length, format))
        status = akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE,
                                "--%s: a column has a tab or a line end in its name, which TSV cannot hold: write CSV "
                                "or JSON lines",
                                akin_cli_corpus_option(ITEMS_ON)->name);
    if (status == AKIN_OK)
        status = akin_cli_line_reserve(line, length, 3, "the results", error);
    if (status == AKIN_OK)
        line->text[akin_cli_name_write(line->text, plain.text, length, format)] = '\0';
    free(plain.text);
    return status;
}

/* Puts the line of an item with a hit. */
static akin_status put_item(const lines_job *j, uint32_t item, uint32_t part, const akin_overlap_found *f,
                            akin_lines *lines)
{
    const results *r = j->r;
    char number[16];
    size_t length;
    const char *name = akin_cli_names_row(&r->items.names, item % r->items.rows, number, &length);
    const char *document = r->names[item], *named = r->parts > 1 ? j->parts[part].text : "";
    char *at = akin_lines_reserve(lines, length + strlen(document) + strlen(named) + AROUND);
    if (!at)
        return AKIN_E_NOMEM;
    at = akin_cli_put_bytes(akin_cli_put_field(at, &j->item), name, length);
    if (r->parts > 1)
        at = akin_cli_put_bytes(akin_cli_put_field(at, &j->part), named, strlen(named));
    at = akin_digits_double(akin_cli_put_field(at, &j->share), (double)f->covered / (double)f->grams);
    at = akin_digits_integer(akin_cli_put_field(at, &j->grams), f->grams);
    at = akin_digits_integer(akin_cli_put_field(at, &j->covered), f->covered);
    at = akin_digits_integer(akin_cli_put_field(at, &j->documents), f->documents);
    at = akin_cli_put_bytes(akin_cli_put_field(at, &j->document), document, strlen(document));
    at = akin_digits_integer(akin_cli_put_field(at, &j->words), f->run_words);
    at = akin_digits_integer(akin_cli_put_field(at, &j->item_begin), f->item_begin);
    at = akin_digits_integer(akin_cli_put_field(at, &j->item_end), f->item_end);
    at = akin_digits_integer(akin_cli_put_field(at, &j->document_begin), f->document_begin);
    at = akin_digits_integer(akin_cli_put_field(at, &j->document_end), f->document_end);
    lines->length = (size_t)(akin_cli_put_field(at, &j->end) - lines->text);
    return AKIN_OK;
}

/* An akin_lines_format, whose user is a lines_job: rows of the items, and of each all parts. */
static akin_status format_items(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    const lines_job *j = user;
    const results *r = j->r;
    akin_status status = AKIN_OK;
    for (uint64_t i = begin; i < end && status == AKIN_OK; i++) {
        const uint32_t part = (uint32_t)(i % r->parts), item = part * r->items.rows + (uint32_t)(i / r->parts);
        akin_overlap_found found = {.size = sizeof found};
        if (!r->names[item])
            continue;
        status = akin_overlap_item(r->overlap, item, &found, error);
        if (status == AKIN_OK && put_item(j, item, part, &found, lines) != AKIN_OK)
            status = fail_room(error);
    }
    return status;
}

static akin_status put_header(const overlap_request *request, const results *r, akin_error *error)
{
    akin_cli_header header = {0};
    akin_cli_header_add(&header, "", "item", akin_cli_names_type(&r->items.names));
    if (r->parts > 1)
        akin_cli_header_add(&header, "", "part", AKIN_CLI_TEXT);
    akin_cli_header_add(&header, "", "share", AKIN_CLI_DOUBLE);
    akin_cli_header_add_all(&header, "grams,covered,documents", AKIN_CLI_INTEGER);
    akin_cli_header_add(&header, "", "document",
                        request->documents.reading.id || r->files.count > 1 ? AKIN_CLI_TEXT : AKIN_CLI_INTEGER);
    akin_cli_header_add_all(&header, "words,item_begin,item_end,document_begin,document_end", AKIN_CLI_INTEGER);
    return akin_cli_header_write(&header, request->findings.format, r->output, error);
}

/* The texts around the values of a line. */
static void make_fields(lines_job *j, const akin_cli_writer *w)
{
    j->item = akin_cli_field_of(akin_cli_keyed(w, "{\"item\":"));
    j->part = akin_cli_field_of(akin_cli_between(w, ",\"part\":"));
    j->share = akin_cli_field_of(akin_cli_between(w, ",\"share\":"));
    j->grams = akin_cli_field_of(akin_cli_between(w, ",\"grams\":"));
    j->covered = akin_cli_field_of(akin_cli_between(w, ",\"covered\":"));
    j->documents = akin_cli_field_of(akin_cli_between(w, ",\"documents\":"));
    j->document = akin_cli_field_of(akin_cli_between(w, ",\"document\":"));
    j->words = akin_cli_field_of(akin_cli_between(w, ",\"words\":"));
    j->item_begin = akin_cli_field_of(akin_cli_between(w, ",\"item_begin\":"));
    j->item_end = akin_cli_field_of(akin_cli_between(w, ",\"item_end\":"));
    j->document_begin = akin_cli_field_of(akin_cli_between(w, ",\"document_begin\":"));
    j->document_end = akin_cli_field_of(akin_cli_between(w, ",\"document_end\":"));
    j->end = akin_cli_field_of(w->separator ? "\n" : "}\n");
}

/* Writes the items that have a hit, row by row; *count of them. */
static akin_status write_items(const overlap_request *request, results *r, uint64_t *count, akin_error *error)
{
    lines_job job = {.r = r};
    akin_status status = AKIN_OK;
    for (uint32_t part = 0; part < r->parts && r->parts > 1 && status == AKIN_OK; part++)
        status = name_part(request, part, &job.parts[part], error);
    make_fields(&job, akin_cli_writer_of(request->findings.format));
    for (uint32_t item = 0; item < akin_overlap_items(r->overlap); item++)
        *count += r->names[item] != NULL;
    if (status == AKIN_OK)
        status = put_header(request, r, error);
    if (status == AKIN_OK)
        status = akin_output_write_rows(r->output, akin_overlap_items(r->overlap), format_items, &job, error);
    for (uint32_t part = 0; part < r->parts; part++)
        free(job.parts[part].text);
    return status;
}

static void clear_results(results *r)
{
    for (uint32_t item = 0; r->overlap && r->names && item < akin_overlap_items(r->overlap); item++)
        free(r->names[item]);
    free(r->names);
    free(r->line.text);
    akin_cli_files_clear(&r->files);
    akin_overlap_free(r->overlap);
    akin_cli_source_clear(&r->items);
    akin_cli_shards_clear(&r->shards);
}

akin_status akin_cli_overlap_run(akin_cli_job *job, const void *asked, akin_error *error)
{
    const overlap_request *request = asked;
    results r = {.output = NULL};
    uint64_t count = 0;
    akin_status status = open_results(job, request, &r, error);
    if (status == AKIN_OK)
        status = read_items(job, request, &r, error);
    for (uint32_t file = 0; file < r.files.count && status == AKIN_OK; file++)
        status = scan_file(job, request, &r, file, error);
    akin_cli_progress_clear(&job->progress);
    if (status == AKIN_OK)
        akin_cli_shards_report(job, &r.shards);
    if (status == AKIN_OK)
        status = write_items(request, &r, &count, error);
    akin_output *outputs[] = {r.output, r.kept_output};
    if (status == AKIN_OK)
        status = akin_cli_job_commit(outputs, r.kept_output ? 2 : 1, error);
    else
        for (size_t i = 0; i < 2; i++)
            akin_output_discard(outputs[i]);
    if (status == AKIN_OK) {
        akin_cli_job_wrote(job, request->findings.path, count, "items");
        akin_cli_job_wrote_of(job, request->documents.kept, r.kept, r.rows, "records");
        if (!request->quiet)
            fprintf(stderr, "akin: %" PRIu64 " of %" PRIu32 " items stand in %" PRIu64 " of %" PRIu32 " documents\n",
                    count, akin_overlap_items(r.overlap), r.rows - r.kept, r.rows);
        status = akin_cli_job_show(job, error);
    }
    clear_results(&r);
    return status;
}
