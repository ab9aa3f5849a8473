/* Writes the documents that were removed. */
#include "removed.h"

#include "header.h"

#define AROUND 256 /* bytes of a line beside its names, at most */

/* What the lines are made from, and the texts around the values of a line. */
typedef struct removed_job {
    const akin_duplicates *duplicates;
    const akin_cli_names *names;
    akin_cli_field id, survivor, similarity, common, end;
} removed_job;

static akin_status put_removed(const removed_job *j, uint32_t row, const akin_duplicate *d, akin_lines *lines)
{
    char numbers[2][16];
    size_t lengths[2];
    const char *id = akin_cli_names_row(j->names, row, numbers[0], &lengths[0]);
    const char *survivor = akin_cli_names_row(j->names, d->survivor, numbers[1], &lengths[1]);
    const double similarity = akin_duplicates_similarity(j->duplicates, row);
    char *at = akin_lines_reserve(lines, lengths[0] + lengths[1] + AROUND);
    if (!at)
        return AKIN_E_NOMEM;
    at = akin_cli_put_bytes(akin_cli_put_field(at, &j->id), id, lengths[0]);
    at = akin_cli_put_bytes(akin_cli_put_field(at, &j->survivor), survivor, lengths[1]);
    at = akin_digits_double(akin_cli_put_field(at, &j->similarity), similarity);
    at = akin_digits_integer(akin_cli_put_field(at, &j->common), d->common);
    lines->length = (size_t)(akin_cli_put_field(at, &j->end) - lines->text);
    return AKIN_OK;
}

/* An akin_lines_format, whose user is a removed_job. */
static akin_status format_removed(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    const removed_job *j = user;
    akin_status status = AKIN_OK;
    for (uint32_t row = (uint32_t)begin; row < end && status == AKIN_OK; row++) {
        akin_duplicate d;
        akin_duplicates_row(j->duplicates, row, &d);
        if (d.survivor != AKIN_NO_ROW)
            status = put_removed(j, row, &d, lines);
    }
    return status == AKIN_OK
               ? AKIN_OK
               : akin_error_set(error, status, AKIN_REASON_MEMORY, "not enough memory for the removed documents");
}

akin_status akin_cli_removed_write(const akin_duplicates *duplicates, uint32_t rows, const akin_cli_names *names,
                                   akin_cli_format format, akin_output *output, akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(format);
    const char *type = akin_cli_names_type(names);
    akin_cli_header header = {0};
    removed_job job = {.duplicates = duplicates,
                       .names = names,
                       .id = akin_cli_field_of(akin_cli_keyed(w, "{\"id\":")),
                       .survivor = akin_cli_field_of(akin_cli_between(w, ",\"survivor\":")),
                       .similarity = akin_cli_field_of(akin_cli_between(w, ",\"similarity\":")),
                       .common = akin_cli_field_of(akin_cli_between(w, ",\"common\":")),
                       .end = akin_cli_field_of(w->separator ? "\n" : "}\n")};
    akin_cli_header_add_all(&header, "id,survivor", type);
    akin_cli_header_add(&header, "", "similarity", AKIN_CLI_DOUBLE);
    akin_cli_header_add(&header, "", "common", AKIN_CLI_INTEGER);
    const akin_status status = akin_cli_header_write(&header, format, output, error);
    return status == AKIN_OK ? akin_output_write_rows(output, rows, format_removed, &job, error) : status;
}
