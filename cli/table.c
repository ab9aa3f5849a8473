/* Reads tables for a job, which may leave bad records out. */
#include "table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "path.h"
#include "writer.h"

#define SHOWN 5 /* bad records that are shown on stderr */

/* Writes the name of a file with U+FFFD for each byte that is not UTF-8; returns the bytes of it. */
static size_t repair_name(const char *name, char *to)
{
    static const char replacement[] = "\xef\xbf\xbd";
    const char *const begin = to;
    for (size_t length; *name; name += length ? length : 1) {
        length = akin_cli_path_character(name);
        const size_t count = length ? length : sizeof replacement - 1;
        memcpy(to, length ? name : replacement, count);
        to += count;
    }
    return (size_t)(to - begin);
}

/* Writes a bad record to the file of --bad. */
static akin_status write_bad(akin_cli_job *job, const akin_skipped *bad, akin_error *error)
{
    const akin_cli_writer *csv = akin_cli_writer_of(job->safe ? AKIN_CLI_SAFE_CSV : AKIN_FORMAT_CSV);
    const size_t given = strlen(bad->name), reason = strlen(bad->reason), most = 3 * given;
    char *line = malloc(6 * (most + reason) + 64), *name = malloc(most + 1), *to = line;
    if (!line || !name) {
        free(line);
        free(name);
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for a bad record");
    }
    to = csv->write(to, name, repair_name(bad->name, name));
    to += sprintf(to, ",%" PRIu64 ",", bad->line);
    to = csv->write(to, bad->reason, reason);
    *to++ = '\n';
    const akin_status status = akin_output_write(job->bad_output, line, (size_t)(to - line), error);
    free(line);
    free(name);
    return status;
}

/* Notes the records that were left out of a table. */
static akin_status note_bad(akin_cli_job *job, const akin_table *table, akin_error *error)
{
    const uint64_t count = akin_table_skipped(table);
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        akin_skipped bad = {.size = sizeof bad};
        status = akin_table_skipped_at(table, i, &bad, error);
        if (status == AKIN_OK && job->bad_output)
            status = write_bad(job, &bad, error);
        else if (status == AKIN_OK && i < SHOWN)
            akin_cli_warn("%s:%" PRIu64 ": left out: %s", bad.name, bad.line, bad.reason);
    }
    if (count > SHOWN && !job->bad_output)
        akin_cli_warn("%" PRIu64 " more bad records left out; --bad FILE gets all of them", count - SHOWN);
    if (count > 0 && job->bad_output && !job->quiet)
        akin_cli_warn("%" PRIu64 " bad record%s left out: %.600s has %s", count, count == 1 ? "" : "s", job->bad,
                      count == 1 ? "it" : "them");
    job->skip_left -= count;
    job->skipped += count;
    return status;
}

akin_status akin_cli_table_read(akin_cli_job *job, const char *path, const akin_table_options *options,
                                akin_table **out, akin_error *error)
{
    akin_table_options own = *options;
    own.skip_bad = job->skip_left;
    akin_status status = akin_table_read(job->context, path, &own, out, error);
    if (status == AKIN_E_INPUT && error->line > 1 && own.skip_bad > 0) /* line 1 is a header, whose faults stay */
        akin_cli_append(error, "; that is one more bad record than --skip-bad %" PRIu64 " leaves out",
                        job->skipped + own.skip_bad);
    return status == AKIN_OK ? note_bad(job, *out, error) : status;
}

const char *akin_cli_table_name(const akin_table *table, uint32_t row, const char *path)
{
    akin_table_file file = {.size = sizeof file};
    return row != AKIN_NO_ROW && akin_table_files(table) > 1 &&
                   akin_table_file_at(table, akin_table_file_of(table, row), &file, NULL) == AKIN_OK
               ? file.name
               : akin_cli_path_name(path);
}

/* Whether the file of bad records is another one that is read or written. */
static int is_other(const char *path, const char *bad)
{
    return path && path != bad &&
           (akin_cli_path_same(path, bad) || (strcmp(path, "-") != 0 && akin_cli_path_equal(path, bad)));
}

int akin_cli_bad_check(const akin_cli_command *command, const akin_cli_arguments *arguments)
{
    const char *bad = NULL, *other = NULL;
    akin_format format;
    for (int at = 0; at < command->option_count; at++)
        if (command->options[at].name && strcmp(command->options[at].name, "bad") == 0)
            bad = arguments->value[at][0];
    if (!bad)
        return AKIN_CLI_DONE;
    if (akin_format_of_name(bad, &format, NULL) == AKIN_OK && format != AKIN_FORMAT_CSV)
        return akin_cli_refuse("--bad %s: is written as CSV: expected a name such as bad.csv", bad);
    for (int i = 0; i < arguments->operand_count && !other; i++)
        if (is_other(arguments->operands[i], bad))
            other = arguments->operands[i];
    for (int at = 0; at < command->option_count && !other; at++)
        if (akin_cli_option_is_file(&command->options[at]) && is_other(arguments->value[at][0], bad))
            other = arguments->value[at][0];
    return other ? akin_cli_refuse(
                       "--bad %s: is a file that the job reads or writes for another purpose: expected "
                       "another file",
                       bad)
                 : AKIN_CLI_DONE;
}
