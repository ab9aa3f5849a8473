/* Runs a command with a job, and saves its request as one. */
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "job_file.h"
#include "path.h"

/* The job files that the command line names. */
typedef struct job_files {
    const char *job, *save; /* files; NULL: none */
    const char **allow;     /* the value of --allow-paths, which is taken once the job is read */
} job_files;

/* The place of an option that every command with jobs has; -1: it has none. */
static int find_option(const akin_cli_command *command, const char *name)
{
    int at = 0;
    while (at < command->option_count && (!command->options[at].name || strcmp(command->options[at].name, name) != 0))
        at++;
    return at < command->option_count ? at : -1;
}

/* Takes the options of jobs, which the command itself does not look at. */
static job_files take_job_files(const akin_cli_command *command, akin_cli_arguments *arguments)
{
    const char **job = arguments->value[find_option(command, "job")];
    const char **save = arguments->value[find_option(command, "save-job")];
    const job_files found = {job[0], save[0], arguments->value[find_option(command, "allow-paths")]};
    job[0] = save[0] = NULL;
    return found;
}

/* Refuses to save a job where it would replace another file, or mix with results. */
static int check_save(const akin_cli_command *command, const akin_cli_arguments *arguments, const char *save)
{
    const int output = find_option(command, "output");
    if (akin_cli_path_check_output("save-job", save) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (strcmp(save, "-") == 0 &&
        (output < 0 || !arguments->value[output][0] || !strcmp(arguments->value[output][0], "-")))
        return akin_cli_refuse("--save-job -: standard output gets the results: expected the name of a file");
    for (int i = akin_cli_job_file_has_word(command); i < arguments->operand_count; i++)
        if (akin_cli_path_same(arguments->operands[i], save))
            return akin_cli_refuse("%s: is read and would be replaced: write to another file", save);
    for (int at = 0; at < command->option_count; at++) {
        const char *path = arguments->value[at][0];
        if (!path || !akin_cli_option_is_file(&command->options[at]))
            continue;
        if (akin_cli_path_equal(path, save))
            return akin_cli_refuse("%s: expected two files, one for --%s and one for --save-job", save,
                                   command->options[at].name);
        if (command->options[at].written && strcmp(save, "-") != 0 && akin_cli_path_is_below(save, path))
            return akin_cli_refuse(
                "--save-job %s: is in the folder of --%s, which has nothing but files of the input: "
                "give a file elsewhere",
                save, command->options[at].name);
    }
    return AKIN_CLI_DONE;
}

/* Standard input, from which the job has come, is not anything else. */
static int check_job(const akin_cli_arguments *arguments, const char *job)
{
    for (int i = 0; i < arguments->operand_count; i++)
        if (akin_cli_path_is_stdin(job) && akin_cli_path_is_stdin(arguments->operands[i]))
            return akin_cli_refuse("--job %s: standard input can be read only once", job);
    return AKIN_CLI_DONE;
}

/* Runs the command, and saves the job if that went well. Whether it can be saved is known before the work. */
static int run_and_save(const akin_cli_command *command, const akin_cli_arguments *arguments, const char *path)
{
    akin_output *output = NULL;
    akin_error error;
    char *text = NULL;
    size_t length = 0;
    int done = AKIN_CLI_DONE;
    const double begun = akin_cli_clock();
    const int quiet = find_option(command, "quiet"), sync = find_option(command, "sync");
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.sync = sync >= 0 && arguments->value[sync][0];
    options.note = akin_cli_warn_of;
    akin_status status = akin_cli_job_file_write(command, arguments, NULL, &text, &length, &error);
    if (status == AKIN_OK)
        status = akin_context_create(&options, &context, &error);
    if (status == AKIN_OK)
        status = akin_output_open(context, path, &output, &error);
    if (status == AKIN_OK)
        status = akin_output_write(output, text, length, &error);
    if (status == AKIN_OK)
        done = command->run(arguments);
    if (status == AKIN_OK && done == AKIN_CLI_DONE) {
        status = akin_output_commit(output, &error);
        output = NULL;
        if (status == AKIN_OK && strcmp(path, "-") != 0 && (quiet < 0 || !arguments->value[quiet][0]))
            akin_cli_written_report(&(akin_cli_written){.path = path, .what = "jobs", .count = 1}, begun);
    }
    if (output)
        akin_output_discard(output);
    akin_context_free(context);
    free(text);
    return status == AKIN_OK ? done : akin_cli_fail(&error);
}

int akin_cli_job_run(const akin_cli_command *command, const akin_cli_arguments *given)
{
    akin_cli_arguments arguments = *given;
    akin_cli_job_file file = {0};
    if (command->has_plan || find_option(command, "job") < 0)
        return command->run(given);
    const job_files files = take_job_files(command, &arguments);
    int status = AKIN_CLI_DONE;
    if (files.job)
        status = akin_cli_job_file_read(command, files.job, &arguments, NULL, &file);
    files.allow[0] = NULL;
    if (status == AKIN_CLI_DONE) {
        if (files.job)
            status = check_job(&arguments, files.job);
        if (status == AKIN_CLI_DONE && files.save)
            status = check_save(command, &arguments, files.save);
        if (status == AKIN_CLI_DONE)
            status = files.save ? run_and_save(command, &arguments, files.save) : command->run(&arguments);
        if (status == AKIN_CLI_USAGE)
            akin_cli_job_file_tell(&file, status);
    }
    akin_cli_job_file_clear(&file);
    return status;
}
