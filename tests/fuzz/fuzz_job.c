/*
 * Fuzzes job files of all commands: what a text says is refused, or is a command line that is saved as a job, which
 * says the same, and is saved as itself.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static int is_same(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

/* Reads a text. 0 if it is refused: it prints no message then, since the C library lets its streams be replaced. */
static int read_job(const akin_cli_command *command, const char *text, size_t length, akin_cli_arguments *arguments,
                    akin_dedupe_plan *plan, akin_cli_job_file *job)
{
    static FILE *nowhere;
    FILE *errors = stderr;
    akin_json *json = NULL;
    memset(arguments, 0, sizeof *arguments);
    *job = (akin_cli_job_file){0};
    if (akin_json_parse("input", text, length, &json, NULL) != AKIN_OK)
        return 0;
    require(nowhere || (nowhere = fopen("/dev/null", "w")));
    stderr = nowhere;
    int status = akin_cli_job_file_take(command, "input", json, arguments, plan, job);
    stderr = errors;
    return status == AKIN_CLI_DONE && (!plan || akin_dedupe_plan_finish(plan, NULL) == AKIN_OK);
}

/* The plan is compared by what is written. */
static void require_same(const akin_cli_command *command, const akin_cli_arguments *a, const akin_cli_arguments *b)
{
    require(a->operand_count == b->operand_count && a->repeated_count == b->repeated_count);
    for (int i = 0; i < a->operand_count; i++)
        require(is_same(a->operands[i], b->operands[i]));
    for (int i = 0; i < command->option_count; i++) {
        const char *value;
        int at = 0, other = 0;
        require(is_same(a->value[i][0], b->value[i][0]) && is_same(a->value[i][1], b->value[i][1]));
        do {
            value = akin_cli_repeated_next(a, i, NULL, &at);
            require(is_same(value, akin_cli_repeated_next(b, i, NULL, &other)));
        } while (value);
    }
}

static void check(const akin_cli_command *command, const char *data, size_t size)
{
    akin_cli_arguments given, again;
    akin_cli_job_file first, second;
    akin_dedupe_plan *plans[2] = {NULL, NULL};
    char *texts[2] = {NULL, NULL};
    size_t lengths[2];
    akin_error error;
    for (int i = 0; i < 2 && command->has_plan; i++)
        require(akin_dedupe_plan_create(akin_papers(), &plans[i], &error) == AKIN_OK);
    /* A command that reads the jobs of others saves none of its own. */
    if (read_job(command, data, size, &given, plans[0], &first) && !command->jobs) {
        require(akin_cli_job_file_write(command, &given, plans[0], &texts[0], &lengths[0], &error) == AKIN_OK);
        require(read_job(command, texts[0], lengths[0], &again, plans[1], &second));
        require_same(command, &given, &again);
        require(akin_cli_job_file_write(command, &again, plans[1], &texts[1], &lengths[1], &error) == AKIN_OK);
        require(lengths[0] == lengths[1] && memcmp(texts[0], texts[1], lengths[0]) == 0);
        akin_cli_job_file_clear(&second);
    }
    akin_cli_job_file_clear(&first);
    for (int i = 0; i < 2; i++)
        akin_dedupe_plan_free(plans[i]);
    free(texts[0]);
    free(texts[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        check(*command, (const char *)data, size);
    return 0;
}
