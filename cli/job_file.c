/* Job files that are read: a command line of options as JSON. */
#include "job_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "confined.h"
#include "former.h"
#include "job.h"
#include "path.h"

/* The members that are no options. */
enum { COMMAND, VERSION, INPUT, MEMBERS };

static const char *const members[MEMBERS] = {"akin", "version", "input"};

const char *akin_cli_job_file_key(const akin_cli_option *option)
{
    if (option->key)
        return option->key;
    return strcmp(option->name, members[INPUT]) == 0 ? "input-format" : option->name;
}

int akin_cli_job_file_has_word(const akin_cli_command *command)
{
    return islower((unsigned char)command->usage[0]);
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

/* Whether an argument of an option, as the help calls it, is a number. */
int akin_cli_job_file_is_number(const char *argument, size_t length)
{
    static const char *const numbers[] = {"N", "T", "P", "X",      "D",    "K",  "S",
                                          "M", "E", "W", "NUMBER", "BINS", "MU", "SIGMA"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i]) == length && memcmp(numbers[i], argument, length) == 0)
            return 1;
    return 0;
}

typedef struct reading {
    const akin_cli_command *command;
    akin_cli_arguments *arguments;
    akin_cli_json json;
    akin_cli_job_file *job;
    akin_dedupe_plan *plan;
    const char *path;    /* of the job */
    int is_free;         /* it may write everywhere */
    const char **others; /* keys that the plan does not read */
    size_t other_count;
    const char *word; /* behind the name of the command; NULL: none */
    int input_count;
    char given[AKIN_CLI_OPTIONS]; /* on the command line */
} reading;

/* Room for the operands, the keys, and what is given several times. */
static int reserve_reading(reading *r)
{
    const akin_cli_arguments *given = r->arguments;
    const size_t count = (size_t)r->json.nodes->next + 2;
    r->job->inputs = calloc(count, sizeof *r->job->inputs);
    r->job->repeated = calloc(count + (size_t)given->repeated_count, sizeof *r->job->repeated);
    r->job->places.list = calloc(count, sizeof *r->job->places.list);
    r->others = calloc(count, sizeof *r->others);
    if (!r->job->inputs || !r->job->repeated || !r->job->places.list || !r->others) {
        akin_cli_refuse("not enough memory for the job");
        return AKIN_CLI_FAILED;
    }
    if (given->repeated_count > 0)
        memcpy(r->job->repeated, given->repeated, (size_t)given->repeated_count * sizeof *given->repeated);
    r->arguments->repeated = r->job->repeated;
    return AKIN_CLI_DONE;
}

/* The command whose jobs a command reads, or the first one of these: *length bytes. */
static const char *job_of(const akin_cli_command *command, size_t *length)
{
    const char *jobs = command->jobs ? command->jobs : command->name;
    *length = strcspn(jobs, " ");
    return jobs;
}

/* Whether a command reads the jobs of the command of that name. */
static int is_job_of(const akin_cli_command *command, const char *name)
{
    size_t length;
    for (const char *at = job_of(command, &length); *at; length = strcspn(at, " ")) {
        if (strlen(name) == length && memcmp(at, name, length) == 0)
            return 1;
        at += length + (at[length] == ' ');
    }
    return 0;
}

/* The name of the command, and its first word, if it has one, behind a blank. */
static int take_command(reading *r, uint32_t node)
{
    const char *text = akin_cli_json_text(&r->json, node);
    size_t length;
    const char *name = job_of(r->command, &length);
    if (!text)
        return AKIN_CLI_USAGE;
    if (is_job_of(r->command, text))
        return AKIN_CLI_DONE;
    if (akin_cli_job_file_has_word(r->command) && strncmp(text, name, length) == 0 && text[length] == ' ') {
        r->word = text + length + 1;
        return AKIN_CLI_DONE;
    }
    return akin_cli_json_refuse(&r->json, node, "expected \"%.*s\", as this is 'akin %s'", (int)length, name,
                                r->command->name);
}

static int take_version(reading *r, uint32_t node)
{
    const char *text = akin_cli_json_number(&r->json, node);
    if (!text || strcmp(text, AKIN_CLI_JOB_VERSION) == 0)
        return text ? AKIN_CLI_DONE : AKIN_CLI_USAGE;
    return akin_cli_json_refuse(&r->json, node, "expected " AKIN_CLI_JOB_VERSION ", the version that this akin knows");
}

/* Names of files stand behind a place for the word. */
static int take_input(reading *r, uint32_t node)
{
    const akin_json_node *nodes = r->json.nodes;
    if (nodes[node].kind != AKIN_JSON_ARRAY)
        return akin_cli_json_refuse(&r->json, node, "expected an array of names of files");
    for (uint32_t at = node + 1; at < nodes[node].next; at = nodes[at].next) {
        const char *text = akin_cli_json_text(&r->json, at);
        if (!text)
            return AKIN_CLI_USAGE;
        r->job->inputs[1 + r->input_count++] = text;
    }
    return AKIN_CLI_DONE;
}

/* The operands, unless there are some: the word of the command is none of the files. */
static void set_operands(const reading *r)
{
    akin_cli_arguments *to = r->arguments;
    const int has_word = akin_cli_job_file_has_word(r->command);
    if (to->operand_count > has_word)
        return;
    const char *word = to->operand_count > 0 ? to->operands[0] : r->word;
    r->job->inputs[0] = word;
    to->operands = word ? r->job->inputs : r->job->inputs + 1;
    to->operand_count = r->input_count + (word != NULL);
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

/* An argument of an option, which the help calls so. NULL: it was refused. */
static const char *take_argument(const reading *r, const char *called, uint32_t node)
{
    const size_t length = strcspn(called, " ");
    const int is_bytes = strcmp(called, "SIZE") == 0 && r->json.nodes[node].kind == AKIN_JSON_NUMBER;
    return is_bytes || akin_cli_job_file_is_number(called, length) ? akin_cli_json_number(&r->json, node)
                                                                   : akin_cli_json_text(&r->json, node);
}

/* The two arguments of an option: an array of them. */
static int take_two(const reading *r, const akin_cli_option *option, uint32_t node, const char *value[2])
{
    const akin_json_node *nodes = r->json.nodes;
    const char *called = option->argument;
    const uint32_t first = node + 1, end = nodes[node].next;
    if (nodes[node].kind != AKIN_JSON_ARRAY || first == end || nodes[first].next == end ||
        nodes[nodes[first].next].next != end)
        return akin_cli_json_refuse(&r->json, node, "expected an array: [%.*s, %s]", (int)strcspn(called, " "), called,
                                    strchr(called, ' ') + 1);
    value[0] = take_argument(r, called, first);
    value[1] = value[0] ? take_argument(r, strchr(called, ' ') + 1, nodes[first].next) : NULL;
    return value[1] ? AKIN_CLI_DONE : AKIN_CLI_USAGE;
}

/* What an option is given several times. */
static int take_list(reading *r, int at, const akin_cli_option *option, uint32_t node, const char **value)
{
    const akin_json_node *nodes = r->json.nodes;
    if (nodes[node].kind != AKIN_JSON_ARRAY)
        return akin_cli_json_refuse(&r->json, node, "expected an array");
    for (uint32_t each = node + 1; each < nodes[node].next; each = nodes[each].next) {
        *value = take_argument(r, option->argument, each);
        if (!*value)
            return AKIN_CLI_USAGE;
        if (!r->given[at])
            r->job->repeated[r->arguments->repeated_count++] = (struct akin_cli_repeated){at, NULL, *value};
    }
    return AKIN_CLI_DONE;
}

static int take_flag(const reading *r, uint32_t node, const char **value)
{
    const akin_json_kind kind = r->json.nodes[node].kind;
    if (kind != AKIN_JSON_TRUE && kind != AKIN_JSON_FALSE)
        return akin_cli_json_refuse(&r->json, node, "expected true or false");
    *value = kind == AKIN_JSON_TRUE ? "" : NULL;
    return AKIN_CLI_DONE;
}

/* Whether a row of an option has an argument already: that of the command line. */
static int is_row_given(const reading *r, int at, const char *row)
{
    int before = 0;
    return akin_cli_repeated_next(r->arguments, at, row, &before) != NULL;
}

/* Refuses a file that the job would write outside its folder. */
static int check_written(const reading *r, const akin_cli_option *option, uint32_t node, const char *path)
{
    char shown[600];
    if (!option->written || r->is_free || !*path)
        return AKIN_CLI_DONE;
    const akin_cli_confinement where = akin_cli_confine(r->path, path);
    if (where == AKIN_CLI_CONFINED)
        return AKIN_CLI_DONE;
    akin_address_show(path, shown, sizeof shown);
    if (where == AKIN_CLI_NO_FOLDER)
        return akin_cli_json_refuse(&r->json, node, "%s is in a folder that does not exist: make the folder first",
                                    shown);
    const int is_relative = *path != '/' && !strchr(path, ':'); /* no address */
    return akin_cli_json_refuse(&r->json, node,
                                "%s%s is not in the folder of the job, and only there may a job write: add "
                                "--allow-paths if you trust the job, or give --%s on the command line",
                                shown, is_relative ? ", seen from the current folder," : "", option->name);
}

/* Notes where the job says an option. */
static void note_place(const reading *r, const akin_cli_option *option, uint32_t node)
{
    akin_cli_places *places = &r->job->places;
    places->list[places->count++] = (struct akin_cli_place){option->name, r->json.nodes[node].line};
}

/* The value of an option, unless it is given. */
static int take_option(reading *r, int at, const akin_cli_option *option, uint32_t node)
{
    const akin_json_kind kind = r->json.nodes[node].kind;
    const int is_row = !r->command->options[at].name, is_listed = r->command->options[at].repeated != 0;
    const char **to = r->arguments->value[at], *value[2] = {NULL, NULL};
    int status = AKIN_CLI_DONE;
    if (kind == AKIN_JSON_ARRAY && r->plan && strcmp(option->name, "pairs") == 0)
        return refuse_selections(r, node);
    if (!option->argument)
        status = take_flag(r, node, value);
    else if (strchr(option->argument, ' '))
        status = take_two(r, option, node, value);
    else if (option->repeated)
        status = take_list(r, at, option, node, value);
    else if (option->may_lack && kind == AKIN_JSON_TRUE)
        value[0] = akin_cli_lacking;
    else if (!(value[0] = take_argument(r, option->argument, node)))
        status = AKIN_CLI_USAGE;
    if (status != AKIN_CLI_DONE || !value[0] ||
        (is_listed && is_row ? is_row_given(r, at, option->name) : r->given[at]))
        return status;
    if (check_written(r, option, node, value[0]) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    note_place(r, option, node);
    if (is_row && is_listed)
        r->job->repeated[r->arguments->repeated_count++] = (struct akin_cli_repeated){at, option->name, value[0]};
    else if (is_row && to[0])
        return akin_cli_json_refuse(&r->json, node, "expected only one of \"%s\" and \"%s\"", to[1], option->name);
    to[0] = value[0];
    to[1] = is_row ? option->name : value[1];
    return AKIN_CLI_DONE;
}

/* The place of a key among the members, or behind them among the options, and which option that is; -1, having refused
 * it. */
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
            if (!*akin_cli_job_file_key(option))
                continue;
            if (strcmp(key, akin_cli_job_file_key(option)) == 0)
                return MEMBERS + i;
            akin_guess_offer(&guess, akin_cli_job_file_key(option));
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
    if (at >= MEMBERS && r->plan && akin_cli_job_file_is_planned(option.name)) {
        if (!r->given[at - MEMBERS])
            note_place(r, &option, node);
        return AKIN_CLI_DONE; /* the plan reads it */
    }
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
    size_t length;
    const char *name = job_of(r->command, &length);
    for (uint32_t node = 1; node < r->json.nodes->next && status == AKIN_CLI_DONE; node = r->json.nodes[node].next)
        status = take_member(r, node);
    if (status == AKIN_CLI_DONE && !(find_member(r, members[COMMAND]) && find_member(r, members[VERSION])))
        return akin_cli_json_refuse(&r->json, 0,
                                    "expected \"akin\": \"%.*s\" and \"version\": " AKIN_CLI_JOB_VERSION
                                    ", by which it is known as a job",
                                    (int)length, name);
    if (status == AKIN_CLI_DONE)
        set_operands(r);
    return status == AKIN_CLI_DONE && r->plan ? take_plan(r) : status;
}

/* Whether a flag of that name is given. */
static int is_given(const akin_cli_command *command, const akin_cli_arguments *arguments, const char *name)
{
    for (int i = 0; i < command->option_count; i++)
        if (command->options[i].name && strcmp(command->options[i].name, name) == 0)
            return arguments->value[i][0] != NULL;
    return 0;
}

int akin_cli_job_file_take(const akin_cli_command *command, const char *path, akin_json *json,
                           akin_cli_arguments *arguments, akin_dedupe_plan *plan, akin_cli_job_file *out)
{
    reading r = {.command = command,
                 .arguments = arguments,
                 .json = {akin_cli_path_name(path), akin_json_nodes(json)},
                 .job = out,
                 .plan = plan,
                 .path = path,
                 .is_free = is_given(command, arguments, "allow-paths")};
    *out = (akin_cli_job_file){.json = json, .places.file = akin_cli_path_name(path)};
    if (r.json.nodes->kind != AKIN_JSON_OBJECT)
        return akin_cli_json_refuse(
            &r.json, 0, "expected an object: {\"akin\": \"%s\", \"version\": " AKIN_CLI_JOB_VERSION ", ...}",
            command->name);
    for (int i = 0; i < command->option_count; i++)
        r.given[i] = arguments->value[i][0] != NULL;
    int status = reserve_reading(&r);
    if (status == AKIN_CLI_DONE)
        status = take_members(&r);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_addresses_complete(command, arguments);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_addresses_hide(command, arguments);
    free(r.others);
    if (status == AKIN_CLI_DONE)
        akin_cli_places_use(&out->places);
    return status;
}

/* Sets the limits of the command line, which hold while its job is read, too. */
static akin_status set_limits(akin_context *context, const akin_cli_command *command,
                              const akin_cli_arguments *arguments, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (int i = 0; i < command->option_count && status == AKIN_OK; i++)
        if (command->options[i].choices && strcmp(command->options[i].choices, "limits") == 0)
            status = akin_cli_limits_set(context, arguments, i, 0, error);
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
    akin_status status = akin_cli_context_create(&options, &context, &error);
    if (status == AKIN_OK)
        status = set_limits(context, command, arguments, &error);
    if (status == AKIN_OK)
        status = akin_json_read(context, path, &json, &error);
    status = akin_context_conclude(context, status, &error);
    akin_context_free(context);
    if (status == AKIN_OK)
        return akin_cli_job_file_take(command, path, json, arguments, plan, out);
    akin_cli_limits_advise(&error);
    return akin_cli_fail(&error);
}

void akin_cli_job_file_clear(akin_cli_job_file *job)
{
    akin_cli_places_use(NULL);
    akin_json_free(job->json);
    free(job->places.list);
    free(job->inputs);
    free(job->repeated);
    *job = (akin_cli_job_file){0};
}

int akin_cli_job_file_tell(const akin_cli_job_file *job, int status)
{
    return job->places.file && !job->places.named
               ? akin_cli_refuse("%s: options are also read from this job", job->places.file)
               : status;
}
