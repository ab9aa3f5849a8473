/* Finds rules for a plan that lacks them. */
#include "suggested.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "job_file.h"
#include "path.h"
#include "source.h"
#include "table.h"

/* The options of a plan, by which its rules are shown. */
#define TABLES "selections plan-options"

static void say(void *user, const char *text)
{
    const akin_cli_dedupe_request *request = user;
    if (request->quiet)
        return;
    fputs("suggested   ", stderr);
    akin_cli_put_text(stderr, text);
    putc('\n', stderr);
}

/* Shows the rules as options of the command. */
static void show_rules(const akin_cli_dedupe_request *request)
{
    const akin_cli_option planned = {.choices = TABLES};
    const akin_choice *row;
    if (request->quiet)
        return;
    for (uint32_t i = 0; (row = akin_cli_option_row(&planned, i)); i++) {
        const char *word;
        for (uint64_t at = 0; (word = akin_dedupe_plan_word(request->plan, row->name, at)); at++) {
            fprintf(stderr, "rule        --%s%s", row->name, *word ? " " : "");
            akin_cli_put_text(stderr, word);
            putc('\n', stderr);
        }
    }
}

static akin_status read_table(akin_cli_job *job, const akin_cli_dedupe_request *request, int which, akin_table **out,
                              akin_error *error)
{
    akin_table_options wanted = AKIN_TABLE_OPTIONS_INIT;
    wanted.format = request->format;
    wanted.lossy = request->lossy;
    akin_status status = akin_cli_table_read(job, request->inputs[which], &wanted, out, error);
    if (status == AKIN_E_INPUT)
        akin_cli_source_advise_lossy(error);
    return status;
}

/* A message that begins with the name of an option gets its dashes. */
static void name_option(akin_error *error)
{
    char message[sizeof error->message];
    if (!error->option[0])
        return;
    snprintf(message, sizeof message, "--%.*s", (int)(sizeof message - sizeof "--"), error->message);
    memcpy(error->message, message, sizeof message);
}

static akin_status suggest(akin_cli_job *job, const akin_cli_dedupe_request *request, const char *const *ignored,
                           size_t ignored_count, akin_error *error)
{
    akin_table *tables[2] = {NULL, NULL};
    akin_suggest_options options = AKIN_SUGGEST_OPTIONS_INIT;
    akin_status status = AKIN_OK;
    for (int i = 0; i < 2 && request->inputs[i] && status == AKIN_OK; i++)
        status = read_table(job, request, i, &tables[i], error);
    options.left = tables[0];
    options.right = tables[1];
    options.ignored = ignored;
    options.ignored_count = ignored_count;
    if (status == AKIN_OK)
        status = akin_dedupe_plan_suggest(job->context, request->plan, &options, say, (void *)request, error);
    if (status == AKIN_E_OPTION)
        name_option(error);
    akin_table_free(tables[0]);
    akin_table_free(tables[1]);
    return status;
}

/* Whether a path is no pipe, which nobody fills a second time. What is not there is refused when it is read. */
static int can_be_read_twice(const char *path)
{
    struct stat status;
    return !akin_cli_path_is_stdin(path) && !(stat(path, &status) == 0 && S_ISFIFO(status.st_mode));
}

int akin_cli_suggest(const akin_cli_dedupe_request *request, const char *const *ignored, size_t ignored_count)
{
    akin_cli_resources resources = request->resources;
    akin_cli_job job;
    akin_error error;
    for (int i = 0; i < 2 && request->inputs[i]; i++)
        if (!can_be_read_twice(request->inputs[i]))
            return akin_cli_refuse(
                "%s: rules are found by a first look at the file, and %s is read only "
                "once: give a file, or both a selection and --compare",
                request->inputs[i], akin_cli_path_is_stdin(request->inputs[i]) ? "standard input" : "a pipe");
    resources.bad = NULL; /* bad records are shown when the file is read for good */
    akin_status status = akin_cli_job_begin(&job, &resources, 1, &error);
    if (status == AKIN_OK)
        status = suggest(&job, request, ignored, ignored_count, &error);
    const int done = akin_cli_job_end(&job, status, &error);
    if (done == AKIN_CLI_DONE)
        show_rules(request);
    return done;
}
