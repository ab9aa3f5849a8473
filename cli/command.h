/* What a subcommand of akin is made of, and the few things that every subcommand needs: options, messages, exit
 * statuses. */
#ifndef AKIN_CLI_COMMAND_H
#define AKIN_CLI_COMMAND_H

#include <stddef.h>
#include <stdio.h>

#include "akin_papers.h"

/* Exit statuses. */
enum {
    AKIN_CLI_DONE = 0,
    AKIN_CLI_FAILED = 1,     /* memory, writing or device */
    AKIN_CLI_USAGE = 2,      /* the command line, or what was read */
    AKIN_CLI_CANCELLED = 130 /* as a shell reports a program ended by Ctrl-C */
};

/* An option: what the parser accepts and what the help shows. */
typedef struct akin_cli_option {
    const char *name;      /* the long name, without its dashes */
    const char *argument;  /* what follows it, as the help calls it (FILE: the name of a file); two words stand for two
                             arguments; NULL: nothing */
    const char *help;      /* lines separated by '\n', each of at most AKIN_CLI_HELP_WIDTH columns */
    const char *heading;   /* a heading above it in the help, or NULL */
    char letter;           /* the short name, or 0 */
    char repeated;         /* it may be given several times; AKIN_CLI_ROWS_ONCE: each of its rows once */
    char may_lack;         /* its argument may be left out: the value is akin_cli_lacking then */
    char files;            /* the operands are files only where it is given */
    unsigned capabilities; /* see below */
    const char *key;       /* what a job file calls it (job_file.h); NULL: as here; "": it has no place there */
    /*
     * The table of choices that the argument is taken from (akin_choices; or several, with blanks between them), those
     * rows of it that have one of `capabilities` (0: all), and before them the words `other`, between blanks, or NULL.
     * "{}" in the help stands for the list of names, "{TABLES}", "{TABLES:CAPABILITY}" and
     * "{TABLES:CAPABILITY+CAPABILITY}" for that of the rows of other tables that have each of these. Without a name the
     * option stands for as many options as there are rows. Each has the name and the help of its row, and the arguments
     * of the row if they begin with a blank.
     * Where the option has no argument of its own, a row without any is a flag, which is given once. Only one of these
     * options may be given, unless they are repeated.
     */
    const char *choices, *other;
    char written; /* its argument is a file that is written: one that a job names is in the folder of the job */
} akin_cli_option;

#define AKIN_CLI_ROWS_ONCE  2
#define AKIN_CLI_OPTIONS    56 /* options of a command, at most */
#define AKIN_CLI_HELP_WIDTH 53

/* The value of an option whose argument was left out: known by its address. */
extern const char akin_cli_lacking[1];

/* A command line as parsed. An option that was not given has value[i][0] == NULL; one without an argument has "". One
 * that stands for rows has the name of the row that was given, the last one, in value[i][1]. */
typedef struct akin_cli_arguments {
    const char *value[AKIN_CLI_OPTIONS][2];
    /* Of options that may be given several times, the argument of each time: those of all of them, in their order. */
    struct akin_cli_repeated {
        int option;
        const char *row; /* that was given of an option that stands for rows, else NULL */
        const char *value;
    } * repeated; /* to be freed; NULL: there are none */
    int repeated_count;
    const char *const *operands;
    int operand_count;
    int dashes;                           /* "--" was among the words */
    const struct akin_cli_host *host;     /* the program that the command is part of (run.h); NULL: none */
    const akin_opener *opener;            /* of its tables, with their passwords; NULL likewise */
    const akin_saver *saver;              /* the same */
    struct akin_cli_addresses *addresses; /* what the passwords are taken from (address.h) */
} akin_cli_arguments;

/* Whether the argument of an option is the name of a file, as the help calls it. */
int akin_cli_option_is_file(const akin_cli_option *option);

/* Reads the argument of --digits. Without it (NULL) *digits is AKIN_CLI_DIGITS_SCREEN if the numbers are shown in a
 * table on a terminal, else -1. Returns AKIN_CLI_DONE, or AKIN_CLI_USAGE, having reported it. */
int akin_cli_check_digits(const char *text, int is_shown, int *digits);

/*
 * A text of the help, which the manual page lays out anew, is made of lines of at most 80 columns, and the last line
 * ends in '\n', too:
 *
 *     A paragraph, which the next empty line ends. Its lines are filled, but for one
 *     that has been ended early:
 *     that line break stays.
 *
 *     Heading:
 *       an entry      what there is to say about it, two blanks at least after it
 *           or below it, on lines that are indented further
 *
 * A subcommand. The option numbers are places in its table, known to the subcommand itself.
 */

/* What a subcommand does by a word that follows its name, if there are several such things. */
typedef struct akin_cli_verb {
    const char *name, *takes; /* takes: what is typed, with the name */
    uint64_t options;         /* bits: those of the subcommand that it takes */
    const char *about, *notes;
    const void *job; /* the subcommand's own */
} akin_cli_verb;

typedef struct akin_cli_command {
    const char *name;
    const char *summary; /* one line for the list of commands */
    const char *usage; /* what follows the name in the usage line: what is to be typed as it stands in small letters */
    const char *about; /* paragraphs of at most 80 columns, ending in '\n' */
    const char *notes; /* a text that follows the options in the help: examples at least */
    const akin_cli_option *options;
    int option_count;
    int (*run)(const akin_cli_arguments *arguments); /* returns the exit status */
    int has_plan;               /* it reads its jobs itself, as a plan of deduplication is part of them */
    const char *jobs;           /* the commands whose jobs it reads, with blanks between them; NULL: its own */
    const akin_cli_verb *verbs; /* NULL: it has none, or says nothing of each */
    int verb_count;
} akin_cli_command;

/* The verb of that name; NULL: there is none. */
const akin_cli_verb *akin_cli_verb_of(const akin_cli_command *command, const char *name);

extern const akin_cli_command akin_cli_join;
extern const akin_cli_command akin_cli_compare;
extern const akin_cli_command akin_cli_dedupe;
extern const akin_cli_command akin_cli_link;
extern const akin_cli_command akin_cli_label;
extern const akin_cli_command akin_cli_corpus;
extern const akin_cli_command akin_cli_evaluate;
extern const akin_cli_command akin_cli_dictionary;
extern const akin_cli_command akin_cli_weigh;
extern const akin_cli_command akin_cli_generate;
extern const akin_cli_command akin_cli_rank;
extern const akin_cli_command akin_cli_index;
extern const akin_cli_command akin_cli_search;
extern const akin_cli_command akin_cli_info;

/* All of them, then NULL. */
extern const akin_cli_command *const akin_cli_commands[];

/* A section of the help of akin itself. A heading of NULL: paragraphs that need none. */
typedef struct akin_cli_section {
    const char *heading;
    const char *text;
} akin_cli_section;

/* What akin is for, in a line; how `akin help` is summed up in the list of commands; and the sections that follow it,
 * the last one's text being NULL. */
extern const char akin_cli_purpose[];
extern const char akin_cli_help_summary[];
extern const akin_cli_section akin_cli_sections[];

/* Prints all this to stdout; returns the exit status. */
int akin_cli_show_overview(void);

/* The option that every command has. */
extern const akin_cli_option akin_cli_help_option;

/* Option `index` of a command, and `row` of those that it stands for, from 0 on: *out has a name. 0: there is no such
 * row. */
int akin_cli_option_at(const akin_cli_command *command, int index, uint32_t row, akin_cli_option *out);

/* The same of an option that is at hand. */
int akin_cli_option_expand(const akin_cli_option *option, uint32_t row, akin_cli_option *out);

/* Whether a command has an option of that name. */
int akin_cli_has_option(const akin_cli_command *command, const char *name);

#define AKIN_CLI_HELP_BYTES 1024 /* bytes of an option's help, at most */

/* Writes a text of the help. A line "{WHAT}" or "{WHAT:CAPABILITY}" of it stands for the rows of a table of choices,
 * those that have the capability; each row becomes an entry. */
void akin_cli_text_write(FILE *to, const char *text);

/* Returns row `index` of a table of choices of libakin, libakin_generate or libakin_papers, or NULL. */
const akin_choice *akin_cli_choice_at(const char *what, uint32_t index);

/* The row of that name, in which underscores may stand for dashes. NULL: there is no such row. */
const akin_choice *akin_cli_choice_find(const char *what, const char *name);

/* Writes the rows of a table of choices that have one of `capabilities` (0: all), an entry each. Those of the papers
 * have a heading. */
void akin_cli_choices_write(FILE *to, const char *what, unsigned capabilities);

/* The help of an option with a name, as help and manual show it. */
void akin_cli_option_help(const akin_cli_option *option, char help[AKIN_CLI_HELP_BYTES]);

/* The format that a word stands for, of an option whose choices are "table-formats". Returns AKIN_CLI_DONE or
 * AKIN_CLI_USAGE. */
int akin_cli_option_format(const akin_cli_option *option, const char *word, akin_format *out);

/* The row of a format of tables, whether akin reads it itself or an opener does. NULL: it is neither. */
const akin_choice *akin_cli_format_row(akin_format format);

/* Whether files of a format have columns, as plain text has not. */
int akin_cli_has_columns(akin_format format);

/* Room for a list of names. */
typedef struct akin_cli_listed {
    char text[512];
} akin_cli_listed;

/* Lists the rows of tables (names with blanks between them) that have one of `capabilities` (0: all): "a, b or c".
 * Returns the text of *out. */
const char *akin_cli_names_of(const char *tables, unsigned capabilities, akin_cli_listed *out);

/* Lists what an option takes: "a, b or c"; only rows that have one of `also` besides, unless that is 0. */
const char *akin_cli_option_names(const akin_cli_option *option, unsigned also, char text[AKIN_CLI_HELP_BYTES]);

/* Row `index` of the choices of an option; NULL: there is none. */
const akin_choice *akin_cli_option_row(const akin_cli_option *option, uint32_t index);

/* The row that `word`, the argument of an option, names, in *out; of an argument "NAME:T" what stands before the colon,
 * of others what stands before a slash. Returns an exit status; a word that is no row's name was refused, on stderr. */
int akin_cli_option_choose(const akin_cli_option *option, const char *word, const akin_choice **out);

/* The same, but what follows the name may be left out, colon and all. */
int akin_cli_option_choose_name(const akin_cli_option *option, const char *word, const akin_choice **out);

/* As akin_cli_option_choose, and the value of the row in *value, which stays if the option is not given (NULL). */
int akin_cli_option_take(const akin_cli_option *option, const char *word, int *value);

/* A list in the making: "a, b[/N] or c". Text and room are set at first, the rest is 0. */
typedef struct akin_cli_list {
    char *text;
    size_t room, length;
    char last[64]; /* a name is put once it is known whether it is the last one */
} akin_cli_list;

void akin_cli_list_add(akin_cli_list *list, const char *name, const char *arguments, const char *behind);
const char *akin_cli_list_end(akin_cli_list *list); /* the text */

/* What came of parsing. */
typedef enum akin_cli_parsed { AKIN_CLI_PARSED, AKIN_CLI_HELP, AKIN_CLI_REFUSED } akin_cli_parsed;

/*
 * Parses what follows the name of a command: `--name value`, `--name=value`, `-o value`, `-ovalue`, several flags in
 * one (`-qh`), operands anywhere, `--` before operands that begin with a dash, "-" being an operand. `--help` and `-h`
 * are known to every command. It reports errors on stderr. argv is reordered: the operands come to its front.
 * arguments->repeated is to be freed in any case.
 */
akin_cli_parsed akin_cli_parse(const akin_cli_command *command, int argc, char **argv, akin_cli_arguments *arguments);

/* The next argument of an option that may be given several times, in their order, of that row if the option stands for
 * rows (else NULL); NULL: there is none. *at is 0 at first. */
const char *akin_cli_repeated_next(const akin_cli_arguments *arguments, int option, const char *row, int *at);

/* Prints the help of a command to stdout, or of one of its verbs; NULL: of all of it. Returns the exit status. */
int akin_cli_help(const akin_cli_command *command, const akin_cli_verb *verb);

/* Flushes stdout; returns the exit status, having reported what could not be written. */
int akin_cli_flush(void);

/* Where a job says its options, but for those that the command line replaces. */
typedef struct akin_cli_places {
    const char *file; /* as messages call it */
    struct akin_cli_place {
        const char *option;
        uint64_t line;
    } * list;
    size_t count;
    int named; /* a message has had the place of its option */
} akin_cli_places;

/* From now on messages of this thread that are about an option of the job have its place before them; NULL: none. */
void akin_cli_places_use(akin_cli_places *places);

/* Prints "akin: ", the message and a line feed to stderr; returns AKIN_CLI_USAGE, so that a check can end with it. A
 * message about an option begins with "--NAME". */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
int
akin_cli_refuse(const char *format, ...);

/*
 * Refuse a command line that lacks an option: "missing --NAME ARGUMENT: ", and why it is needed. An option that stands
 * for rows is each of them. Of several options, up to NULL, one is enough: "missing --a A, --b B or --c: ". They return
 * AKIN_CLI_USAGE.
 */
AKIN_PRINTF(2, 3)
int akin_cli_missing(const akin_cli_option *option, const char *format, ...);
AKIN_PRINTF(2, 3)
int akin_cli_missing_all(const akin_cli_option *const *options, const char *format, ...);

/* Writes a text for people to a stream, with `instead` for each character that a terminal must not get. */
void akin_cli_put_shown(FILE *to, const char *text, size_t length, char instead);

/* The same of a text that ends in '\0', with '?', as in messages. */
void akin_cli_put_text(FILE *to, const char *text);

/* A word of the command line as messages show it: an empty one in quotes. */
const char *akin_cli_word(const char *word);

/* Fills an error about an option, AKIN_E_OPTION: "--NAME" comes before the message. */
AKIN_PRINTF(4, 5)
akin_status akin_cli_fail_option(akin_error *error, akin_reason reason, const char *option, const char *format, ...);

/* Appends to the message of an error. */
AKIN_PRINTF(2, 3)
void akin_cli_append(akin_error *error, const char *format, ...);

/* Prints "akin: warning: ", the message and a line feed to stderr: of what does not end the command. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void
akin_cli_warn(const char *format, ...);
/* The same for warnings of the library: an akin_warning_sink. */
void akin_cli_warn_of(void *user, const char *text);

/* Reports an error of the library; returns the exit status it stands for. */
int akin_cli_fail(const akin_error *error);

#endif
