/* Writes what thresholds would remove, estimated from a sample. */
#include "estimate.h"

#include "header.h"

#define LINE 256 /* bytes of a line, at most */

/* What the lines are made from, and the texts around the values of a line. */
typedef struct estimate_job {
    const akin_duplicates_estimate *estimate;
    akin_cli_field threshold, share, low, high, documents, end;
} estimate_job;

/* An akin_lines_format, whose user is an estimate_job. */
static akin_status format_estimates(void *user, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    const estimate_job *j = user;
    for (uint64_t i = begin; i < end; i++) {
        const akin_threshold_estimate *e = &j->estimate->at[i];
        char *at = akin_lines_reserve(lines, LINE);
        if (!at)
            return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the estimates");
        at = akin_digits_double(akin_cli_put_field(at, &j->threshold), (double)e->threshold.num / e->threshold.den);
        at = akin_digits_double(akin_cli_put_field(at, &j->share), e->share);
        at = akin_digits_double(akin_cli_put_field(at, &j->low), e->low);
        at = akin_digits_double(akin_cli_put_field(at, &j->high), e->high);
        at = akin_digits_integer(akin_cli_put_field(at, &j->documents), e->documents);
        lines->length = (size_t)(akin_cli_put_field(at, &j->end) - lines->text);
    }
    return AKIN_OK;
}

akin_status akin_cli_estimate_write(const akin_duplicates_estimate *estimate, akin_cli_format format,
                                    akin_output *output, akin_error *error)
{
    const akin_cli_writer *w = akin_cli_writer_of(format);
    akin_cli_header header = {0};
    estimate_job job = {.estimate = estimate,
                        .threshold = akin_cli_field_of(akin_cli_keyed(w, "{\"threshold\":")),
                        .share = akin_cli_field_of(akin_cli_between(w, ",\"share\":")),
                        .low = akin_cli_field_of(akin_cli_between(w, ",\"low\":")),
                        .high = akin_cli_field_of(akin_cli_between(w, ",\"high\":")),
                        .documents = akin_cli_field_of(akin_cli_between(w, ",\"documents\":")),
                        .end = akin_cli_field_of(w->separator ? "\n" : "}\n")};
    akin_cli_header_add_all(&header, "threshold,share,low,high", AKIN_CLI_DOUBLE);
    akin_cli_header_add(&header, "", "documents", AKIN_CLI_INTEGER);
    const akin_status status = akin_cli_header_write(&header, format, output, error);
    return status == AKIN_OK ? akin_output_write_rows(output, AKIN_SAMPLE_THRESHOLDS, format_estimates, &job, error)
                             : status;
}
