/* Writes the manual pages akin.1 and akin-COMMAND.1 into a folder. They are made of the texts and tables of options
 * that the help is made of. A program of its own, run when akin is built. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

#define TEXT_WIDTH 80 /* of a text of the help */

/* ------------------------------------------------------------------------------------------------------------- words
 */

/* Prints text so that roff shows it as it stands, with dashes and quotes that can be typed again. */
static void put_roff(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '-':
            fputs("\\-", stdout);
            break;
        case '\\':
            fputs("\\e", stdout);
            break;
        case '\'':
            fputs("\\(aq", stdout);
            break;
        case '^':
            fputs("\\(ha", stdout);
            break;
        case '`':
            fputs("\\(ga", stdout);
            break;
        case '~':
            fputs("\\(ti", stdout);
            break;
        case '.':
            fputs(i == 0 ? "\\&." : ".", stdout); /* not a request */
            break;
        default:
            putchar(text[i]);
        }
    }
}

static void put_bold(const char *text, size_t length)
{
    fputs("\\fB", stdout);
    put_roff(text, length);
    fputs("\\fR", stdout);
}

/* What follows a command or an option: small letters are to be typed, capitals stand for something. */
static void put_usage(const char *usage, size_t rest)
{
    while (rest > 0) {
        size_t length = 0;
        int word = isalnum((unsigned char)*usage);
        do
            length++;
        while (length < rest && !isalnum((unsigned char)usage[length]) == !word);
        if (word)
            printf(isupper((unsigned char)*usage) ? "\\fI%.*s\\fR" : "\\fB%.*s\\fR", (int)length, usage);
        else
            put_roff(usage, length);
        usage += length;
        rest -= length;
    }
}

/* ------------------------------------------------------------------------------------------------------------- lines
 */

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* Prints a line of a paragraph, which roff fills. If there was room for the first word of the next line, `next`, it was
 * ended on purpose, and is again. */
static void put_roff_line(const char *line, const char *next, size_t width)
{
    size_t length = strcspn(line, "\n"), word = strcspn(next, " \n");
    put_roff(line, length);
    putchar('\n');
    if (word > 0 && length + 1 + word <= width)
        puts(".br");
}

/* An entry, from its first line on, and what is said about it; returns the line after. */
static const char *put_entry(const char *line)
{
    size_t indent = strspn(line, " "), length = strcspn(line, "\n");
    const char *text = strstr(line + indent, "  ");
    if (!text || text > line + length)
        text = line + length;
    puts(".TP");
    put_bold(line + indent, (size_t)(text - line) - indent);
    putchar('\n');
    do {
        text += strspn(text, " ");
        if (*text != '\n')
            put_roff_line(text, "", 0);
        text = next_line(text);
    } while (strspn(text, " ") > indent);
    return text;
}

/* A section: its name is in capitals. */
static void put_heading(const char *words, size_t length)
{
    fputs(".SH \"", stdout);
    for (size_t i = 0; i < length; i++)
        putchar(toupper((unsigned char)words[i]));
    puts("\"");
}

/* A text as command.h describes it; `apart`: from something above it that is not a heading. Its headings begin
 * sections. */
static void put_manual_text(const char *line, int apart)
{
    int begins = apart; /* a paragraph */
    while (*line) {
        const char *next = next_line(line);
        if (*line == '\n') {
            begins = 1;
        } else if (*line == ' ') {
            next = put_entry(line);
        } else if (next - line > 1 && next[-2] == ':' && *next == ' ') {
            put_heading(line, (size_t)(next - line) - 2);
        } else {
            if (begins)
                puts(".PP");
            put_roff_line(line, next, TEXT_WIDTH);
            begins = 0;
        }
        line = next;
    }
}

/* -------------------------------------------------------------------------------------------------------------- page
 */

static void put_option(const akin_cli_option *option)
{
    char help[AKIN_CLI_HELP_BYTES];
    akin_cli_option_help(option, help);
    if (option->heading)
        printf(".SS %s\n", option->heading);
    puts(".TP");
    if (option->letter)
        printf("\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", stdout);
    put_roff(option->name, strlen(option->name));
    fputs("\\fR", stdout);
    if (option->argument) {
        putchar(' ');
        put_usage(option->argument, strlen(option->argument));
    }
    putchar('\n');
    for (const char *line = help; *line; line = next_line(line))
        put_roff_line(line, next_line(line), AKIN_CLI_HELP_WIDTH);
}

/* "akin NAME" and what follows it, a line each. */
static void put_synopsis(const char *name, const char *usage)
{
    printf("\\fBakin%s%s\\fR%s", name[0] ? " " : "", name, usage[0] ? " " : "");
    for (const char *end; (end = strchr(usage, '\n')) != NULL; usage = end + 1 + strspn(end + 1, " ")) {
        put_usage(usage, (size_t)(end - usage));
        puts("\n.br");
    }
    put_usage(usage, strlen(usage));
    putchar('\n');
}

/* The notes, with their tables of choices. */
static void put_notes(const char *notes)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (to) {
        akin_cli_text_write(to, notes);
        fclose(to);
    }
    if (text)
        put_manual_text(text, 1);
    free(text);
}

static void put_begin(const char *title, const char *name, const char *summary, size_t length)
{
    printf(".TH %s 1 \"\" \"akin %s\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n", title, akin_version());
    put_roff(name, strlen(name));
    fputs(" \\- ", stdout);
    put_roff(summary, length);
    puts("\n.SH SYNOPSIS");
}

/* akin-COMMAND.1 */
static void put_command(const akin_cli_command *command)
{
    char name[64], title[64];
    snprintf(name, sizeof name, "akin-%s", command->name);
    for (size_t i = 0; i <= strlen(name); i++)
        title[i] = (char)toupper((unsigned char)name[i]);
    put_begin(title, name, command->summary, strlen(command->summary));
    put_synopsis(command->name, command->usage);
    puts(".SH DESCRIPTION");
    put_manual_text(command->about, 0);
    puts(".SH OPTIONS");
    akin_cli_option option;
    for (int i = 0; i < command->option_count; i++)
        for (uint32_t row = 0; akin_cli_option_at(command, i, row, &option); row++)
            put_option(&option);
    put_option(&akin_cli_help_option);
    put_notes(command->notes);
    puts(".SH \"SEE ALSO\"\n.BR akin (1)");
}

/* akin.1: what holds for all commands. */
static void put_overview(void)
{
    const akin_cli_command *const *command;
    const char *is = strchr(akin_cli_purpose, ' '), *end = strrchr(akin_cli_purpose, '.');
    put_begin("AKIN", "akin", is + 1, (size_t)(end - is) - 1);
    put_synopsis("", "COMMAND [OPTION...] [FILE...]");
    puts(".SH DESCRIPTION");
    put_roff(akin_cli_purpose, strlen(akin_cli_purpose));
    putchar('\n');
    for (const akin_cli_section *section = akin_cli_sections; section->text; section++)
        if (!section->heading)
            put_manual_text(section->text, 1);
    puts(".SH COMMANDS");
    for (command = akin_cli_commands; *command; command++) {
        printf(".TP\n\\fBakin\\-%s\\fR(1)\n", (*command)->name);
        put_roff((*command)->summary, strlen((*command)->summary));
        putchar('\n');
    }
    puts(".TP\n\\fBakin help\\fR");
    put_roff(akin_cli_help_summary, strlen(akin_cli_help_summary));
    putchar('\n');
    for (const akin_cli_section *section = akin_cli_sections; section->text; section++) {
        if (section->heading) {
            put_heading(section->heading, strlen(section->heading));
            put_manual_text(section->text, 0);
        }
    }
    puts(".SH \"SEE ALSO\"");
    for (command = akin_cli_commands; *command; command++)
        printf(".BR akin\\-%s (1)%s\n", (*command)->name, command[1] ? "," : "");
}

/* Has stdout write a page from now on. */
static int begin_page(const char *folder, const char *dash, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/akin%s%s.1", folder, dash, name);
    if (akin_cli_flush() == AKIN_CLI_DONE && freopen(path, "w", stdout))
        return 1;
    akin_cli_refuse("%s: %s", path, strerror(errno));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return akin_cli_refuse("expected the folder that manual pages are written into");
    if (!begin_page(argv[1], "", ""))
        return AKIN_CLI_FAILED;
    put_overview();
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++) {
        if (!begin_page(argv[1], "-", (*command)->name))
            return AKIN_CLI_FAILED;
        put_command(*command);
    }
    return akin_cli_flush();
}
