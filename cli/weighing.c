/* The options that say which documents are weighed, and how, checked: of akin weigh, of akin index --kind bm25 and of
 * akin rank. */
#include "weighing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "number.h"
#include "path.h"
#include "reading.h"

/* What these are taken from. */
static const akin_cli_option input_option = {.name = "input",
                                             .choices = "table-formats",
                                             .capabilities = AKIN_CAN_READ},
                             documents_option = {.name = "documents", .choices = "documents"},
                             formula_option = {.name = "formula", .choices = "formulas"},
                             unknown_option = {.name = "unknown", .choices = "unknown-terms"};

/* A number from 0 to `most`. */
static int check_number(const char *option, const char *text, double most, const char *usual, double *out)
{
    if (!text || (akin_cli_read_double(text, out) && *out >= 0 && *out <= most))
        return AKIN_CLI_DONE;
    return akin_cli_refuse("--%s %s: expected a number from 0 to %.0f, such as %s", option, akin_cli_word(text), most,
                           usual);
}

static int check_weighing(const akin_cli_weighing_words *words, akin_weigh_options *weigh)
{
    char names[AKIN_CLI_HELP_BYTES];
    int formula = (int)weigh->formula, unknown = (int)weigh->unknown;
    if (akin_cli_option_take(&formula_option, words->formula, &formula) != AKIN_CLI_DONE ||
        akin_cli_option_take(&unknown_option, words->unknown, &unknown) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (words->unknown && !words->dictionary)
        return akin_cli_refuse("--unknown %s: without --dictionary no term is unknown", words->unknown);
    weigh->formula = (akin_formula)formula;
    weigh->unknown = (akin_unknown)unknown;
    if (words->delta && !(akin_choice_of_value("formulas", formula)->capabilities & AKIN_TAKES_DELTA))
        return akin_cli_refuse("--delta %s: is for --formula %s", words->delta,
                               akin_cli_option_names(&formula_option, AKIN_TAKES_DELTA, names));
    int status = check_number("k1", words->k1, 1e6, "1.2", &weigh->k1);
    if (status == AKIN_CLI_DONE)
        status = check_number("b", words->b, 1, "0.75", &weigh->b);
    return status == AKIN_CLI_DONE ? check_number("delta", words->delta, 1e6, "1", &weigh->delta) : status;
}

/* What a document is; of plain text only there is a choice. */
static int check_documents(const char *documents, akin_cli_weighed *out)
{
    const akin_choice *row = NULL;
    if (documents && akin_cli_option_choose(&documents_option, documents, &row) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    for (int i = 0; i < out->path_count; i++) {
        akin_cli_reading *reading = &out->readings[i];
        if (documents && reading->format != AKIN_FORMAT_TEXT)
            return akin_cli_refuse("--documents %s: %s is a table, and each of its rows is a document", documents,
                                   akin_cli_path_name(out->paths[i]));
        if (row)
            reading->format = (akin_format)row->value;
        if (row)
            reading->by_name = 0; /* all files are documents of that kind */
    }
    return AKIN_CLI_DONE;
}

static int check_reading(const akin_cli_weighing_words *given, akin_cli_weighed *out)
{
    akin_cli_reading_words words = {.input = given->input,
                                    .on = given->on,
                                    .id = given->id,
                                    .tokens = given->tokens ? given->tokens : "words",
                                    .lossy = given->lossy,
                                    .purpose = given->purpose};
    akin_cli_listed names;
    akin_format format;
    if (akin_cli_folds_check_tokens(&given->folding, &words.fold) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    if (words.input && strcmp(words.input, "ids") == 0)
        return akin_cli_refuse("--input ids: token ids have no text: expected %s",
                               akin_cli_names_of("table-formats", AKIN_CAN_READ, &names));
    if (out->path_count == 0)
        return akin_cli_refuse("expected a file of documents, or - for standard input");
    if (words.input && akin_cli_option_format(&input_option, words.input, &format) != AKIN_CLI_DONE)
        return AKIN_CLI_USAGE;
    for (int i = 0; i < out->path_count; i++) {
        const char *path = out->paths[i];
        if (!*path)
            return akin_cli_refuse("expected the name of a file, not an empty word");
        int status = akin_cli_reading_check(&words, path, &out->readings[i]);
        if (status != AKIN_CLI_DONE)
            return status;
    }
    out->text = out->readings[0].text;
    if (out->weigh.stem && !akin_tokens_facts_of(out->text.tokens)->has_stems)
        return akin_cli_refuse("--stem %s: %s have no stems", out->weigh.stem,
                               akin_tokens_facts_of(out->text.tokens)->noun);
    out->lines = !given->documents;
    return check_documents(given->documents, out);
}

static int check_stem(const char *stem, akin_cli_weighed *out)
{
    char list[512] = "";
    size_t length = 0;
    akin_guess guess = {.word = stem};
    out->weigh.stem = stem;
    for (const char *const *name = akin_stemmers(); stem && *name; name++) {
        if (strcmp(stem, *name) == 0)
            return AKIN_CLI_DONE;
        akin_guess_offer(&guess, *name);
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? " " : "", *name);
    }
    if (!stem)
        return AKIN_CLI_DONE;
    return guess.best ? akin_cli_refuse("--stem %s (did you mean '%s'?): expected one of these: %s",
                                        akin_cli_word(stem), guess.best, list)
                      : akin_cli_refuse("--stem %s: expected one of these: %s", akin_cli_word(stem), list);
}

/* Standard input is read once. */
static int check_standard(const akin_cli_weighed *out)
{
    const char *const others[] = {out->dictionary, out->stop_words};
    int count = 0;
    for (int i = 0; i < out->path_count; i++)
        if (akin_cli_path_is_stdin(out->paths[i]) && count++)
            return akin_cli_refuse("%s: standard input can be read only once", out->paths[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] && akin_cli_path_is_stdin(others[i]) && count++)
            return akin_cli_refuse("--%s %s: standard input can be read only once", i ? "stop-words" : "dictionary",
                                   others[i]);
    return AKIN_CLI_DONE;
}

/* The argument of an option of that name; NULL: it was not given, or the command lacks it. */
static const char *option_value_of(const akin_cli_command *command, const akin_cli_arguments *arguments,
                                   const char *name)
{
    for (int i = 0; i < command->option_count; i++)
        if (command->options[i].name && strcmp(command->options[i].name, name) == 0)
            return arguments->value[i][0];
    return NULL;
}

akin_cli_weighing_words akin_cli_weighing_words_of(const akin_cli_command *command, const akin_cli_arguments *arguments,
                                                   const char *purpose)
{
    return (akin_cli_weighing_words){.input = option_value_of(command, arguments, "input"),
                                     .on = option_value_of(command, arguments, "on"),
                                     .id = option_value_of(command, arguments, "id"),
                                     .lossy = option_value_of(command, arguments, "lossy"),
                                     .documents = option_value_of(command, arguments, "documents"),
                                     .tokens = option_value_of(command, arguments, "tokens"),
                                     .folding = {.ignore_case = option_value_of(command, arguments, "ignore-case"),
                                                 .fold = option_value_of(command, arguments, "fold")},
                                     .stem = option_value_of(command, arguments, "stem"),
                                     .stop_words = option_value_of(command, arguments, "stop-words"),
                                     .dictionary = option_value_of(command, arguments, "dictionary"),
                                     .unknown = option_value_of(command, arguments, "unknown"),
                                     .formula = option_value_of(command, arguments, "formula"),
                                     .k1 = option_value_of(command, arguments, "k1"),
                                     .b = option_value_of(command, arguments, "b"),
                                     .delta = option_value_of(command, arguments, "delta"),
                                     .purpose = purpose};
}

int akin_cli_weighing_check(const akin_cli_weighing_words *words, akin_cli_weighed *out)
{
    out->dictionary = words->dictionary;
    out->stop_words = words->stop_words;
    out->readings = calloc((size_t)out->path_count + 1, sizeof *out->readings);
    if (!out->readings) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    int status = akin_cli_stop_words_check(words->stop_words);
    if (status == AKIN_CLI_DONE)
        status = check_stem(words->stem, out);
    if (status == AKIN_CLI_DONE)
        status = check_standard(out);
    if (status == AKIN_CLI_DONE)
        status = check_reading(words, out);
    return status == AKIN_CLI_DONE ? check_weighing(words, &out->weigh) : status;
}

void akin_cli_weighing_clear(akin_cli_weighed *weighed)
{
    for (int i = 0; i < weighed->path_count && weighed->readings; i++)
        akin_cli_reading_clear(&weighed->readings[i]);
    free(weighed->readings);
    weighed->readings = NULL;
}

int akin_cli_weighing_check_output(const char *option, const char *path, const akin_cli_weighed *weighed)
{
    const char *const others[] = {weighed->dictionary, weighed->stop_words, weighed->statistics};
    int status = akin_cli_path_check_output(option, path), read = 0;
    for (int i = 0; i < weighed->path_count; i++)
        read |= akin_cli_path_same(weighed->paths[i], path);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        read |= others[i] && akin_cli_path_same(others[i], path);
    return status == AKIN_CLI_DONE && read
               ? akin_cli_refuse("%s: is read and would be replaced: write to another file", path)
               : status;
}
