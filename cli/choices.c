/* What the command takes from tables of choices: options and their arguments, and lists in texts of the help. */
#include <stdio.h>
#include <string.h>

#include "akin_generate.h"
#include "command.h"

#define TEXT_WIDTH 80 /* of a text of the help */
#define TABLE_NAME 64 /* bytes of the name of a table */
#define NAME_WIDTH 26 /* of a name with its arguments; a longer one has a line of its own */

/* ------------------------------------------------------------------------------------------------------------ names */

static const akin_annex *no_annex(void)
{
    return NULL;
}

/* The libraries with rows, in the order of lists. */
static const struct library {
    const akin_annex *(*annex)(void);
    const char *heading; /* of its rows; NULL: they follow those before */
} libraries[] = {{no_annex, NULL}, {akin_generators, NULL}, {akin_papers, "From the papers:"}};

#define LIBRARIES (sizeof libraries / sizeof *libraries)

static const akin_choice *row_of(const struct library *library, const char *what, uint32_t index)
{
    const akin_annex *annex = library->annex();
    return annex ? akin_annex_choices(annex, what, index) : akin_choices(what, index);
}

const akin_choice *akin_cli_choice_at(const char *what, uint32_t index)
{
    for (size_t i = 0; i < LIBRARIES; i++) {
        uint32_t count = 0;
        while (count <= index && row_of(&libraries[i], what, count))
            count++;
        if (index < count)
            return row_of(&libraries[i], what, index);
        index -= count;
    }
    return NULL;
}

const akin_choice *akin_cli_choice_find(const char *what, const char *name)
{
    const akin_choice *row = NULL;
    for (size_t i = 0; i < LIBRARIES && !row; i++)
        akin_annex_choice_find(libraries[i].annex(), what, name, &row, NULL);
    return row;
}

/* Takes the first name of a list of tables; returns what follows it. */
static const char *take_table(const char *tables, char what[TABLE_NAME])
{
    size_t length = strcspn(tables, " ");
    snprintf(what, TABLE_NAME, "%.*s", (int)length, tables);
    return tables + length + strspn(tables + length, " ");
}

/* Whether one of the tables before `table` has a row of that name. */
static int is_listed(const char *tables, const char *table, const char *name)
{
    char what[TABLE_NAME];
    const akin_choice *row = NULL;
    while (tables < table && !row) {
        tables = take_table(tables, what);
        for (uint32_t i = 0; (row = akin_cli_choice_at(what, i)) && strcmp(row->name, name) != 0;)
            i++;
    }
    return row != NULL;
}

const akin_choice *akin_cli_option_row(const akin_cli_option *option, uint32_t index)
{
    char what[TABLE_NAME];
    for (const char *table = option->choices, *next; table && *table; table = next) {
        const akin_choice *row;
        next = take_table(table, what);
        for (uint32_t i = 0; (row = akin_cli_choice_at(what, i)); i++)
            if ((option->capabilities == 0 || (row->capabilities & option->capabilities)) &&
                !is_listed(option->choices, table, row->name) && index-- == 0)
                return row;
    }
    return NULL;
}

int akin_cli_option_at(const akin_cli_command *command, int index, uint32_t row, akin_cli_option *out)
{
    return akin_cli_option_expand(&command->options[index], row, out);
}

int akin_cli_option_expand(const akin_cli_option *option, uint32_t row, akin_cli_option *out)
{
    const akin_choice *choice = option->name ? NULL : akin_cli_option_row(option, row);
    if (!choice && (row > 0 || !option->name))
        return 0;
    *out = *option;
    if (!choice)
        return 1;
    out->name = choice->name;
    out->help = choice->help;
    out->choices = NULL;
    if (choice->capabilities & AKIN_TAKES_COUNT)
        out->argument = "N";
    else if (choice->arguments[0] == ' ')
        out->argument = choice->arguments + 1;
    if (!out->argument || out->repeated == AKIN_CLI_ROWS_ONCE || !(choice->capabilities & AKIN_IS_REPEATED))
        out->repeated = 0;
    if (row > 0)
        out->heading = NULL;
    return 1;
}

int akin_cli_has_option(const akin_cli_command *command, const char *name)
{
    akin_cli_option option;
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++)
            if (strcmp(option.name, name) == 0)
                return 1;
    return 0;
}

/* What follows a name in the argument of an option: ":T" of "NAME:T". */
static const char *behind_name(const akin_cli_option *option)
{
    const char *colon = option->argument ? strchr(option->argument, ':') : NULL;
    return colon ? colon : "";
}

static void put_last(akin_cli_list *list, const char *comma)
{
    if (list->last[0] && list->length < list->room)
        list->length += (size_t)snprintf(list->text + list->length, list->room - list->length, "%s%s",
                                         list->length > 0 ? comma : "", list->last);
}

void akin_cli_list_add(akin_cli_list *list, const char *name, const char *arguments, const char *behind)
{
    put_last(list, ", ");
    snprintf(list->last, sizeof list->last, "%s%s%s", name, arguments, behind);
}

const char *akin_cli_list_end(akin_cli_list *list)
{
    if (list->length == 0)
        list->text[0] = '\0';
    put_last(list, " or ");
    return list->text;
}

/* Lists what an option takes; of rows, those that have one of `also`, too (0: all). */
static const char *list_names(const akin_cli_option *option, unsigned also, char *text, size_t room)
{
    akin_cli_list list = {.text = text, .room = room};
    const akin_choice *row;
    for (const char *at = also == 0 ? option->other : NULL; at && *at; at += strspn(at, " ")) {
        char word[TABLE_NAME];
        const size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        akin_cli_list_add(&list, word, "", behind_name(option));
        at += length;
    }
    for (uint32_t i = 0; (row = akin_cli_option_row(option, i)); i++)
        if (also == 0 || (row->capabilities & also))
            akin_cli_list_add(&list, row->name, row->arguments, behind_name(option));
    return akin_cli_list_end(&list);
}

const char *akin_cli_names_of(const char *tables, unsigned capabilities, akin_cli_listed *out)
{
    const akin_cli_option option = {.choices = tables, .capabilities = capabilities};
    return list_names(&option, 0, out->text, sizeof out->text);
}

const char *akin_cli_option_names(const akin_cli_option *option, unsigned also, char text[AKIN_CLI_HELP_BYTES])
{
    return list_names(option, also, text, AKIN_CLI_HELP_BYTES);
}

/* The name that a row among the choices of an option has now, if it was once called `name`; NULL: none was. */
static const char *name_now(const akin_cli_option *option, const char *name)
{
    char table[TABLE_NAME];
    const char *now = NULL;
    for (const char *at = option->choices; at && *at && !now;) {
        at = take_table(at, table);
        now = akin_choice_renamed(table, name);
    }
    return now;
}

/* The name of a row among the choices of an option as its table has it, dashes where `name` may have underscores;
 * `name` if there is none. */
static const char *respell(const akin_cli_option *option, const char *name)
{
    char table[TABLE_NAME];
    const akin_choice *row = NULL;
    for (const char *at = option->choices; at && *at && !row;) {
        at = take_table(at, table);
        row = akin_cli_choice_find(table, name);
    }
    return row ? row->name : name;
}

static int choose_row(const akin_cli_option *option, const char *word, int by_name_alone, const akin_choice **out)
{
    char names[512], name[64], meant[96] = "";
    const char *behind = behind_name(option);
    akin_guess guess = {.word = name};
    size_t length = strcspn(word, behind[0] ? ":" : "/");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), word);
    const char *spelled = respell(option, name);
    for (uint32_t i = 0; (*out = akin_cli_option_row(option, i)); i++) {
        if (strcmp((*out)->name, spelled) == 0 && (!behind[0] || by_name_alone || word[length]))
            return AKIN_CLI_DONE;
        akin_guess_offer(&guess, (*out)->name);
    }
    const char *now = name_now(option, name);
    if (now)
        return akin_cli_refuse("--%s %s is now called %s", option->name, name, now);
    if (guess.best && strcmp(guess.best, spelled) != 0)
        snprintf(meant, sizeof meant, " (did you mean '%.64s'?)", guess.best);
    list_names(option, 0, names, sizeof names);
    return akin_cli_refuse("--%s %s%s: expected %s", option->name, akin_cli_word(word), meant, names);
}

int akin_cli_option_choose(const akin_cli_option *option, const char *word, const akin_choice **out)
{
    return choose_row(option, word, 0, out);
}

int akin_cli_option_choose_name(const akin_cli_option *option, const char *word, const akin_choice **out)
{
    return choose_row(option, word, 1, out);
}

int akin_cli_option_take(const akin_cli_option *option, const char *word, int *value)
{
    const akin_choice *row = NULL;
    int status = word ? akin_cli_option_choose(option, word, &row) : AKIN_CLI_DONE;
    if (row)
        *value = row->value;
    return status;
}

const akin_choice *akin_cli_format_row(akin_format format)
{
    const akin_choice *row = akin_choice_of_value("table-formats", (int)format);
    return row ? row : akin_choice_of_value("opened-formats", (int)format);
}

int akin_cli_has_columns(akin_format format)
{
    const akin_choice *row = akin_cli_format_row(format);
    return row && (row->capabilities & AKIN_HAS_COLUMNS);
}

int akin_cli_option_format(const akin_cli_option *option, const char *word, akin_format *out)
{
    int value = (int)*out, status = akin_cli_option_take(option, word, &value);
    *out = (akin_format)value;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- help */

/* Breaks lines that have become too long: what is beyond goes to the front of the next line. */
static void wrap_lines(char *text)
{
    for (char *line = text; strlen(line) > AKIN_CLI_HELP_WIDTH;) {
        char *end = line + strcspn(line, "\n"), *blank = line + AKIN_CLI_HELP_WIDTH;
        if (end - line <= AKIN_CLI_HELP_WIDTH) {
            line = end + 1;
            continue;
        }
        while (blank > line && *blank != ' ')
            blank--;
        if (blank == line)
            return;
        *blank = '\n';
        if (*end == '\n' && end[1])
            *end = ' ';
        line = blank + 1;
    }
}

/* Writes words from a column on, broken so that no line is longer than 80; the first line is there up to the column. */
static void write_wrapped(FILE *to, const char *words, int column)
{
    int room = TEXT_WIDTH - column, left = room;
    while (*words) {
        int length = (int)strcspn(words, " ");
        if (length > left && left < room) {
            fprintf(to, "\n%*s", column, "");
            left = room;
        }
        fprintf(to, "%s%.*s", left < room ? " " : "", length, words);
        left -= length + 1;
        words += length + (words[length] == ' ');
    }
    fputc('\n', to);
}

/* Where the help of a table's rows begins. */
static int help_column_of(const char *what)
{
    const akin_choice *row;
    int widest = 0;
    for (uint32_t i = 0; (row = akin_cli_choice_at(what, i)); i++) {
        int width = (int)(strlen(row->name) + strlen(row->arguments));
        if (width > widest && width <= NAME_WIDTH)
            widest = width;
    }
    return widest + 4;
}

static void write_row(FILE *to, const akin_choice *row, int column)
{
    int width = fprintf(to, "  %s%s", row->name, row->arguments);
    if (width > column - 2)
        fprintf(to, "\n%*s", column, "");
    else
        fprintf(to, "%*s", column - width, "");
    write_wrapped(to, row->help, column);
}

void akin_cli_choices_write(FILE *to, const char *what, unsigned capabilities)
{
    const int column = help_column_of(what);
    const akin_choice *row;
    for (const struct library *library = libraries; library < libraries + LIBRARIES; library++) {
        const char *heading = library->heading;
        for (uint32_t i = 0; (row = row_of(library, what, i)); i++) {
            if (capabilities && !(row->capabilities & capabilities))
                continue;
            if (heading)
                fprintf(to, "\n%s\n", heading);
            heading = NULL;
            write_row(to, row, column);
        }
    }
}

/* A mark in a text of the help: "{TABLES}", "{TABLES:CAPABILITY}" or "{TABLES:CAPABILITY+CAPABILITY}". */
typedef struct help_mark {
    char tables[2 * TABLE_NAME];
    unsigned capabilities[2]; /* of each, 0: none is required */
} help_mark;

/* Returns how many bytes the mark takes; 0: there is none. */
static size_t take_mark(const char *at, help_mark *mark)
{
    char names[2][TABLE_NAME] = {"", ""};
    *mark = (help_mark){.tables = ""};
    if (sscanf(at, "{%127[a-z -]:%63[a-z-]+%63[a-z-]}", mark->tables, names[0], names[1]) < 1)
        return 0;
    for (int i = 0; i < 2; i++) {
        const akin_choice *capability = NULL;
        if (names[i][0] && akin_choice_find("capabilities", names[i], &capability, NULL) == AKIN_OK)
            mark->capabilities[i] = (unsigned)capability->value;
    }
    return strcspn(at, "}") + 1;
}

void akin_cli_text_write(FILE *to, const char *text)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n") + 1;
        help_mark mark;
        if (take_mark(line, &mark) > 0)
            akin_cli_choices_write(to, mark.tables, mark.capabilities[0]);
        else
            fwrite(line, 1, length, to);
        line += length;
    }
}

void akin_cli_option_help(const akin_cli_option *option, char help[AKIN_CLI_HELP_BYTES])
{
    size_t used = 0;
    help[0] = '\0';
    for (const char *at = option->help; *at && used < AKIN_CLI_HELP_BYTES;) {
        size_t length = strcspn(at + 1, "{") + 1, taken = 0;
        help_mark mark;
        akin_cli_listed names = {""};
        if (strncmp(at, "{}", 2) == 0) {
            list_names(option, 0, names.text, sizeof names.text);
            taken = 2;
        } else if ((taken = take_mark(at, &mark)) > 0) {
            const akin_cli_option rows = {.choices = mark.tables, .capabilities = mark.capabilities[0]};
            list_names(&rows, mark.capabilities[1], names.text, sizeof names.text);
        }
        used += (size_t)snprintf(help + used, AKIN_CLI_HELP_BYTES - used, "%s%.*s", names.text,
                                 (int)(taken > 0 ? 0 : length), at);
        at += taken > 0 ? taken : length;
    }
    wrap_lines(help);
}
