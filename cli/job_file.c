/* Job files: a command line of options as JSON. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "job_file.h"

#include <stdlib.h>
#include <string.h>

#include "former.h"
#include "path.h"

/* The members that are no options. */
enum { COMMAND, VERSION, INPUT, MEMBERS };

static const char *const members[MEMBERS] = {"akin", "version", "input"};

static const char *key_of(const akin_cli_option *option)
{
    return option->key ? option->key : option->name;
}

int akin_cli_job_file_is_planned(const char *name)
{
    const akin_cli_option planned = {.choices = "selections plan-options"};
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_cli_option_row(&planned, i)); i++)
        if (strcmp(row->name, name) == 0)
            return 1;
    return 0;
}

static int is_number(const akin_cli_option *option)
{
    return option->argument && !option->argument[1] && strchr("NTX", option->argument[0]) != NULL;
}

/* ---------------------------------------------------------------------------------------------------------- reading */

typedef struct reading {
    const akin_cli_command *command;
    akin_cli_arguments *arguments;
    akin_cli_json json;
    akin_cli_job_file *job;
    akin_dedupe_plan *plan;
    const char **others; /* keys that the plan does not read */
    size_t other_count;
    char given[AKIN_CLI_OPTIONS]; /* on the command line */
} reading;

/* Room for the inputs, and for the keys. */
static int make_room(reading *r)
{
    const size_t count = (size_t)r->json.nodes->next + 1;
    r->job->inputs = malloc(count * sizeof *r->job->inputs);
    r->others = calloc(count, sizeof *r->others);
    if (r->job->inputs && r->others)
        return AKIN_CLI_DONE;
    akin_cli_refuse("not enough memory for the job");
    return AKIN_CLI_FAILED;
}

static int take_command(reading *r, uint32_t node)
{
    const char *text = akin_cli_json_text(&r->json, node);
    if (!text || strcmp(text, r->command->name) == 0)
        return text ? AKIN_CLI_DONE : AKIN_CLI_USAGE;
    return akin_cli_json_refuse(&r->json, node, "expected \"%s\", as this is 'akin %s'", r->command->name,
                                r->command->name);
}

static int take_version(reading *r, uint32_t node)
{
    const char *text = akin_cli_json_number(&r->json, node);
    if (!text || strcmp(text, AKIN_CLI_JOB_VERSION) == 0)
        return text ? AKIN_CLI_DONE : AKIN_CLI_USAGE;
    return akin_cli_json_refuse(&r->json, node, "expected " AKIN_CLI_JOB_VERSION ", the version that this akin knows");
}

/* The operands, unless there are some. */
static int take_input(reading *r, uint32_t node)
{
    const akin_json_node *nodes = r->json.nodes;
    int count = 0;
    if (nodes[node].kind != AKIN_JSON_ARRAY)
        return akin_cli_json_refuse(&r->json, node, "expected an array of names of files");
    for (uint32_t at = node + 1; at < nodes[node].next; at = nodes[at].next) {
        const char *text = akin_cli_json_text(&r->json, at);
        if (!text)
            return AKIN_CLI_USAGE;
        r->job->inputs[count++] = text;
    }
    if (r->arguments->operand_count > 0)
        return AKIN_CLI_DONE;
    r->arguments->operands = r->job->inputs;
    r->arguments->operand_count = count;
    return AKIN_CLI_DONE;
}

/* "pairs" was an array of selections before they had keys of their own. */
static int refuse_selections(const reading *r, uint32_t node)
{
    char names[200];
    akin_cli_list list = {.text = names, .room = sizeof names};
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("selections", i)); i++)
        akin_cli_list_add(&list, row->name, "", "");
    return akin_cli_json_refuse(
        &r->json, node, "expected a string, the file that pairs are written to; to select pairs write the key %s",
        akin_cli_list_end(&list));
}

/* The value of an option, unless it is given. */
static int take_option(reading *r, int at, const akin_cli_option *option, uint32_t node)
{
    akin_json_kind kind = r->json.nodes[node].kind;
    const char *word;
    if (kind == AKIN_JSON_ARRAY && strcmp(option->name, "pairs") == 0)
        return refuse_selections(r, node);
    if (!option->argument) {
        if (kind != AKIN_JSON_TRUE && kind != AKIN_JSON_FALSE)
            return akin_cli_json_refuse(&r->json, node, "expected true or false");
        word = kind == AKIN_JSON_TRUE ? "" : NULL;
    } else {
        word = is_number(option) ? akin_cli_json_number(&r->json, node) : akin_cli_json_text(&r->json, node);
        if (!word)
            return AKIN_CLI_USAGE;
    }
    if (!r->given[at])
        r->arguments->value[at][0] = word;
    return AKIN_CLI_DONE;
}

/* The place of a key among the members, or behind them among the options, and which option that is; -1, having refused it. */
static int find_key(const reading *r, uint32_t node, akin_cli_option *option)
{
    const char *key = r->json.nodes[node].key;
    akin_guess guess = {.word = key};
    for (int i = 0; i < MEMBERS; i++) {
        if (strcmp(key, members[i]) == 0)
            return i;
        akin_guess_offer(&guess, members[i]);
    }
    for (int i = 0; i < r->command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(r->command, i, row, option); row++) {
            if (!*key_of(option))
                continue;
            if (strcmp(key, key_of(option)) == 0)
                return MEMBERS + i;
            akin_guess_offer(&guess, key_of(option));
        }
    const char *now = akin_cli_former(r->command, key);
    if (now)
        akin_cli_json_refuse(&r->json, node, "is now called \"%s\"", now);
    else if (guess.best)
        akin_cli_json_refuse(&r->json, node, "is unknown: did you mean \"%s\"?", guess.best);
    else
        akin_cli_json_refuse(&r->json, node, "is unknown: expected the long name of an option; see 'akin %s --help'",
                             r->command->name);
    return -1;
}

/* The first member of that key; 0: there is none. */
static uint32_t find_member(const reading *r, const char *key)
{
    const akin_json_node *nodes = r->json.nodes;
    for (uint32_t node = 1; node < nodes->next; node = nodes[node].next)
        if (strcmp(nodes[node].key, key) == 0)
            return node;
    return 0;
}

static int take_member(reading *r, uint32_t node)
{
    akin_cli_option option;
    int at = find_key(r, node, &option);
    if (at < 0)
        return AKIN_CLI_USAGE;
    if (find_member(r, r->json.nodes[node].key) != node)
        return akin_cli_json_refuse(&r->json, node, "is there twice");
    if (at >= MEMBERS && akin_cli_job_file_is_planned(option.name))
        return AKIN_CLI_DONE; /* the plan reads it */
    r->others[r->other_count++] = r->json.nodes[node].key;
    return at == COMMAND   ? take_command(r, node)
           : at == VERSION ? take_version(r, node)
           : at == INPUT   ? take_input(r, node)
                           : take_option(r, at - MEMBERS, &option, node);
}

/* What the plan reads: the command line takes its place later. */
static int take_plan(const reading *r)
{
    akin_error error;
    akin_status status = akin_dedupe_plan_read(r->plan, r->job->json, 0, r->json.name, r->others, &error);
    return status == AKIN_OK ? AKIN_CLI_DONE : akin_cli_fail(&error);
}

static int take_members(reading *r)
{
    int status = AKIN_CLI_DONE;
    for (uint32_t node = 1; node < r->json.nodes->next && status == AKIN_CLI_DONE; node = r->json.nodes[node].next)
        status = take_member(r, node);
    if (status == AKIN_CLI_DONE && !(find_member(r, members[COMMAND]) && find_member(r, members[VERSION])))
        return akin_cli_json_refuse(&r->json, 0,
                                    "expected \"akin\": \"%s\" and \"version\": " AKIN_CLI_JOB_VERSION
                                    ", by which it is known as a job",
                                    r->command->name);
    return status == AKIN_CLI_DONE ? take_plan(r) : status;
}

int akin_cli_job_file_take(const akin_cli_command *command, const char *name, akin_json *json,
                           akin_cli_arguments *arguments, akin_dedupe_plan *plan, akin_cli_job_file *out)
{
    reading r = {
        .command = command, .arguments = arguments, .json = {name, akin_json_nodes(json)}, .job = out, .plan = plan};
    *out = (akin_cli_job_file){.json = json};
    if (r.json.nodes->kind != AKIN_JSON_OBJECT)
        return akin_cli_json_refuse(
            &r.json, 0, "expected an object: {\"akin\": \"%s\", \"version\": " AKIN_CLI_JOB_VERSION ", ...}",
            command->name);
    for (int i = 0; i < command->option_count; i++)
        r.given[i] = arguments->value[i][0] != NULL;
    int status = make_room(&r);
    if (status == AKIN_CLI_DONE)
        status = take_members(&r);
    free(r.others);
    return status;
}

int akin_cli_job_file_read(const akin_cli_command *command, const char *path, akin_cli_arguments *arguments,
                           akin_dedupe_plan *plan, akin_cli_job_file *out)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_json *json = NULL;
    akin_error error;
    *out = (akin_cli_job_file){0};
    if (!*path)
        return akin_cli_refuse("--job: expected the name of a file, not an empty word");
    options.device = "cpu";
    options.threads = 1;
    akin_status status = akin_context_create(&options, &context, &error);
    if (status == AKIN_OK)
        status = akin_json_read(context, path, &json, &error);
    akin_context_free(context);
    if (status != AKIN_OK)
        return akin_cli_fail(&error);
    return akin_cli_job_file_take(command, akin_cli_path_name(path), json, arguments, plan, out);
}

void akin_cli_job_file_clear(akin_cli_job_file *job)
{
    akin_json_free(job->json);
    free(job->inputs);
    *job = (akin_cli_job_file){0};
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static void write_option(FILE *out, const akin_cli_option *option, const char *value)
{
    if (!*key_of(option) || !value || akin_cli_job_file_is_planned(option->name))
        return;
    fprintf(out, ",\n  \"%s\": ", key_of(option));
    if (!option->argument)
        fputs("true", out);
    else if (is_number(option))
        akin_cli_json_put_number(out, value);
    else
        akin_cli_json_put_text(out, value);
}

static void write_job(FILE *out, const akin_cli_command *command, const akin_cli_arguments *arguments,
                      const akin_dedupe_plan *plan)
{
    fprintf(out, "{\n  \"akin\": \"%s\",\n  \"version\": " AKIN_CLI_JOB_VERSION ",\n  \"input\": [", command->name);
    for (int i = 0; i < arguments->operand_count; i++) {
        fputs(i ? ", " : "", out);
        akin_cli_json_put_text(out, arguments->operands[i]);
    }
    fprintf(out, "],\n%s", akin_dedupe_plan_members(plan));
    akin_cli_option option;
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++)
            write_option(out, &option, arguments->value[i][0]);
    fputs("\n}\n", out);
}

/* What was written is read, so that no job is saved that cannot be. */
akin_status akin_cli_job_file_write(const akin_cli_command *command, const akin_cli_arguments *arguments,
                                    const akin_dedupe_plan *plan, char **text, size_t *length, akin_error *error)
{
    akin_json *json = NULL;
    FILE *out = open_memstream(text, length);
    if (out)
        write_job(out, command, arguments, plan);
    if (!out || ferror(out) + fclose(out) != 0)
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the job");
    akin_status status = akin_json_parse("the job that is to be saved", *text, *length, &json, error);
    akin_json_free(json);
    return status;
}
