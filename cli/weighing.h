/* The options that say which documents are weighed, and how, checked: of akin weigh, of akin index --kind bm25 and of
 * akin rank. */
#ifndef AKIN_CLI_WEIGHING_H
#define AKIN_CLI_WEIGHING_H

#include "command.h"
#include "folding.h"
#include "reading.h"
#include "weighed.h"

/* The rows of these options: a command adds a heading, or has another text where an option does more than one thing. */
#define AKIN_CLI_WEIGHED_DOCUMENTS                                                                                     \
    .name = "documents", .argument = "UNIT", .choices = "documents",                                                   \
    .help = "a document of plain text: {} (default: line)"
#define AKIN_CLI_WEIGHED_TOKENS                                                                                        \
    .name = "tokens", .argument = "KIND", .choices = "tokens",                                                         \
    .help = "how text is cut into tokens: {} (default: words)"
#define AKIN_CLI_WEIGHED_IGNORE_CASE AKIN_CLI_IGNORE_CASE("ignore case in every kind of tokens (words always do)")
#define AKIN_CLI_WEIGHED_STOP_WORDS                                                                                    \
    .name = "stop-words", .argument = "LIST", .choices = "stop-words",                                                 \
    .help = "leave out the words of a language, {}, or of a file with one word a line"
#define AKIN_CLI_WEIGHED_STEM                                                                                          \
    .name = "stem", .argument = "LANGUAGE", .help = "stem words by the rules of a language, such as english"
#define AKIN_CLI_WEIGHED_DICTIONARY                                                                                    \
    .name = "dictionary", .argument = "FILE", .help = "a fixed vocabulary, made by 'akin dictionary build'"
#define AKIN_CLI_WEIGHED_UNKNOWN                                                                                       \
    .name = "unknown", .argument = "HOW", .choices = "unknown-terms",                                                  \
    .help = "{} (default: share): terms outside the vocabulary share one id, or get new ids"
#define AKIN_CLI_WEIGHED_FORMULA                                                                                       \
    .name = "formula", .argument = "NAME", .choices = "formulas",                                                      \
    .help = "the formula of a weight: {} (default: lucene). 'akin weigh --help' defines them"
#define AKIN_CLI_WEIGHED_K1                                                                                            \
    .name = "k1", .argument = "X", .help = "0 to 1000000 (default: 1.2). A higher X makes repeated terms count more"
#define AKIN_CLI_WEIGHED_B                                                                                             \
    .name = "b", .argument = "X", .help = "0 to 1 (default: 0.75). A higher X makes long documents count less"
#define AKIN_CLI_WEIGHED_DELTA                                                                                         \
    .name = "delta", .argument = "X", .help = "parameter of {formulas:delta} (default: 1 for bm25+, 0.5 for bm25l)"

/* What was given on the command line; NULL: not given. */
typedef struct akin_cli_weighing_words {
    const char *input, *on, *id, *lossy, *documents;             /* how files are read */
    const char *tokens, *stem, *stop_words;                      /* what a term is, */
    akin_cli_folding folding;                                    /* with or without its case */
    const char *dictionary, *unknown, *formula, *k1, *b, *delta; /* and what it weighs */
    const char *purpose;                                         /* what is done with columns, for messages */
} akin_cli_weighing_words;

/* Finds them by their names among the options of a command, which may lack some. */
akin_cli_weighing_words akin_cli_weighing_words_of(const akin_cli_command *command, const akin_cli_arguments *arguments,
                                                   const char *purpose);

/* Checks all of them and takes them into `out`, whose paths are there; it is to be cleared. Returns AKIN_CLI_DONE,
 * AKIN_CLI_USAGE or AKIN_CLI_FAILED. */
int akin_cli_weighing_check(const akin_cli_weighing_words *words, akin_cli_weighed *out);
void akin_cli_weighing_clear(akin_cli_weighed *weighed);

/* Refuses an output, given to the option of that name, that would replace what is read. Returns as above. */
int akin_cli_weighing_check_output(const char *option, const char *path, const akin_cli_weighed *weighed);

#endif
