/* Job files that are written: a command line of options as JSON. */
#include <stdlib.h>
#include <string.h>

#include "job_file.h"
#include "stream.h"

/* An argument of an option, which the help calls so. */
static void write_argument(FILE *out, const char *called, const char *value)
{
    if (akin_cli_job_file_is_number(called, strcspn(called, " ")))
        akin_cli_json_put_number(out, value);
    else
        akin_cli_json_put_text(out, value);
}

static void write_list(FILE *out, const akin_cli_option *option, int at, const akin_cli_arguments *arguments)
{
    const char *between = "[", *value;
    for (int i = 0; (value = akin_cli_repeated_next(arguments, at, NULL, &i));) {
        fprintf(out, "%s\n    ", between);
        write_argument(out, option->argument, value);
        between = ",";
    }
    fputs("\n  ]", out);
}

static void write_two(FILE *out, const akin_cli_option *option, const char *const value[2])
{
    putc('[', out);
    write_argument(out, option->argument, value[0]);
    fputs(", ", out);
    write_argument(out, strchr(option->argument, ' ') + 1, value[1]);
    putc(']', out);
}

/* Writes an option that is given. */
static void write_option(FILE *out, const akin_cli_option *option, int at, const akin_cli_arguments *arguments)
{
    const char *const *value = arguments->value[at], *own[2] = {NULL, NULL};
    int before = 0;
    if (value[1] && (own[0] = akin_cli_repeated_next(arguments, at, option->name, &before)))
        value = own;
    fprintf(out, ",\n  \"%s\": ", akin_cli_job_file_key(option));
    if (!option->argument || value[0] == akin_cli_lacking)
        fputs("true", out);
    else if (strchr(option->argument, ' '))
        write_two(out, option, value);
    else if (option->repeated)
        write_list(out, option, at, arguments);
    else
        write_argument(out, option->argument, value[0]);
}

/* Whether an option is given, and is not part of the plan, which writes its own. For an option that stands for rows of
 * a table, it looks at one row. */
static int is_written(const akin_cli_command *command, int at, const akin_cli_option *option,
                      const akin_cli_arguments *arguments, const akin_dedupe_plan *plan)
{
    const char *const *value = arguments->value[at];
    const akin_cli_option *entry = &command->options[at];
    int before = 0;
    return value[0] && *akin_cli_job_file_key(option) && !(plan && akin_cli_job_file_is_planned(option->name)) &&
           (entry->name || (entry->repeated ? akin_cli_repeated_next(arguments, at, option->name, &before) != NULL
                                            : strcmp(value[1], option->name) == 0));
}

static void write_job(FILE *out, const akin_cli_command *command, const akin_cli_arguments *arguments,
                      const akin_dedupe_plan *plan)
{
    const int words = akin_cli_job_file_has_word(command) && arguments->operand_count > 0;
    fprintf(out, "{\n  \"akin\": \"%s%s", command->name, words ? " " : "");
    akin_cli_json_put_part(out, words ? arguments->operands[0] : "");
    fputs("\",\n  \"version\": " AKIN_CLI_JOB_VERSION, out);
    for (int i = words; i < arguments->operand_count; i++) {
        fputs(i > words ? ", " : ",\n  \"input\": [", out);
        akin_cli_json_put_text(out, arguments->operands[i]);
    }
    if (arguments->operand_count > words)
        putc(']', out);
    if (plan)
        fprintf(out, ",\n%s", akin_dedupe_plan_members(plan));
    akin_cli_option option;
    for (int at = 0; at < command->option_count; at++)
        for (uint32_t row = 0; akin_cli_option_at(command, at, row, &option); row++)
            if (is_written(command, at, &option, arguments, plan))
                write_option(out, &option, at, arguments);
    fputs("\n}\n", out);
}

/* What was written is read, so that no job is saved that cannot be. */
akin_status akin_cli_job_file_write(const akin_cli_command *command, const akin_cli_arguments *arguments,
                                    const akin_dedupe_plan *plan, char **text, size_t *length, akin_error *error)
{
    akin_json *json = NULL;
    akin_cli_stream out;
    int is_whole = akin_cli_stream_open(&out);
    if (is_whole) {
        write_job(out.to, command, arguments, plan);
        is_whole = akin_cli_stream_close(&out);
    }
    if (!is_whole)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the job");
    *text = out.text;
    *length = out.length;
    akin_status status = akin_json_parse("the job that is to be saved", *text, *length, &json, error);
    akin_json_free(json);
    return status;
}
