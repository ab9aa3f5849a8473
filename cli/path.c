/* What the ending of a file's name means. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "command.h"
#include "object.h"

int akin_cli_path_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

int akin_cli_path_check_output(const char *option, const char *path)
{
    static const struct {
        const char *ending, *program;
    } compressed[] = {{".gz", "gzip"}, {".zst", "zstd"}};
    if (!path[0])
        return akin_cli_refuse("--%s: expected the name of a file, not an empty word", option);
    for (size_t i = 0; i < sizeof compressed / sizeof compressed[0]; i++) {
        if (!akin_cli_path_ends(path, compressed[i].ending))
            continue;
        if (strcmp(option, "output") != 0)
            return akin_cli_refuse("--%s %s: output is not compressed: expected a name without %s", option, path,
                                   compressed[i].ending);
        return akin_cli_refuse("%s: output is not compressed: leave out -o and write '| %s > %s'", path,
                               compressed[i].program, path);
    }
    return AKIN_CLI_DONE;
}

int akin_cli_path_check_page(const char *path)
{
    static const char *const others[] = {".json", ".akin", ".pdf"};
    akin_format told;
    akin_error error = {.code = AKIN_OK};
    int is_other = akin_format_of_name(path, &told, &error) == AKIN_OK || error.reason == AKIN_REASON_FOREIGN_FORMAT;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is_other = is_other || akin_cli_path_ends(path, others[i]);
    return is_other
               ? akin_cli_refuse("--report %s: the report is a page of HTML: expected a name such as report.html", path)
               : AKIN_CLI_DONE;
}

const char *akin_cli_path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (akin_cli_path_is_stdin(path))
        return akin_cli_path_name(path);
    return slash && slash[1] ? slash + 1 : path;
}

int akin_cli_path_check_foreign(const char *path)
{
    akin_format format;
    akin_error error;
    if (akin_format_of_name(path, &format, &error) == AKIN_OK || error.reason != AKIN_REASON_FOREIGN_FORMAT)
        return AKIN_CLI_DONE;
    return akin_cli_fail(&error);
}

int akin_cli_path_check_files(const char *path)
{
    akin_format format;
    akin_error error;
    return akin_path_has_files(path) && akin_format_of_name(path, &format, &error) != AKIN_OK ? akin_cli_fail(&error)
                                                                                              : AKIN_CLI_DONE;
}

/* A file that is looked for. */
typedef struct sought {
    struct stat about;
    int found;
} sought;

static int is_sought(void *user, const char *name)
{
    sought *file = user;
    struct stat about;
    file->found = stat(name, &about) == 0 && S_ISREG(about.st_mode) && about.st_dev == file->about.st_dev &&
                  about.st_ino == file->about.st_ino;
    return file->found;
}

/* The table of a database that an address names. */
typedef struct named_table {
    akin_format format;
    const char *place, *name; /* without the scheme, and without a schema that is the usual one */
    size_t place_length;
} named_table;

/* A name without the catalog of DuckDB, which has the name of the file up to its first point. */
static const char *without_catalog(const named_table *table)
{
    const char *end = table->place + table->place_length, *stem = end;
    size_t length = 0;
    while (stem > table->place && stem[-1] != '/')
        stem--;
    while (stem + length < end && stem[length] != '.')
        length++;
    return length > 0 && strncasecmp(table->name, stem, length) == 0 && table->name[length] == '.'
               ? table->name + length + 1
               : table->name;
}

/* Takes an address apart; 0: it names no table of a database. */
static int take_table(const char *address, named_table *out)
{
    static const char *const usual[] = {"main.", "public."};
    const char *source = akin_cli_object_source(address);
    if (!source || strncmp(source, "table=", 6) != 0 || akin_format_of_name(address, &out->format, NULL) != AKIN_OK)
        return 0;
    out->place = strchr(address, ':') + 1;
    out->place_length = (size_t)(source - 1 - out->place);
    out->name = source + 6;
    const size_t schema = strlen(usual[out->format == AKIN_FORMAT_POSTGRESQL]);
    if (out->format == AKIN_FORMAT_DUCKDB)
        out->name = without_catalog(out);
    if (strncasecmp(out->name, usual[out->format == AKIN_FORMAT_POSTGRESQL], schema) == 0)
        out->name += schema;
    return 1;
}

/* Whether two addresses name one table. SQLite and DuckDB ignore the case of names. PostgreSQL does not, as akin quotes
 * them. */
static int is_same_table(const char *a, const char *b)
{
    named_table tables[2];
    char *files[2];
    if (!take_table(a, &tables[0]) || !take_table(b, &tables[1]) || tables[0].format != tables[1].format)
        return 0;
    if (tables[0].format == AKIN_FORMAT_POSTGRESQL)
        return tables[0].place_length == tables[1].place_length &&
               strncmp(tables[0].place, tables[1].place, tables[0].place_length) == 0 &&
               strcmp(tables[0].name, tables[1].name) == 0;
    for (int i = 0; i < 2; i++)
        files[i] = strndup(tables[i].place, tables[i].place_length);
    const int is_same = files[0] && files[1] && strcasecmp(tables[0].name, tables[1].name) == 0 &&
                        akin_cli_path_equal(files[0], files[1]);
    free(files[0]);
    free(files[1]);
    return is_same;
}

int akin_cli_path_same(const char *input, const char *output)
{
    akin_format format;
    char rooms[2][AKIN_CLI_OBJECT];
    if (is_same_table(input, output) || akin_cli_object_overlaps(input, output))
        return 1;
    input = akin_cli_object_local(input, rooms[0]);
    output = akin_cli_object_local(output, rooms[1]);
    if (strcmp(input, output) == 0 && akin_format_of_name(input, &format, NULL) == AKIN_OK &&
        akin_choice_of_value("opened-formats", (int)format))
        return 1;
    sought file = {.found = 0};
    if (strcmp(output, "-") == 0 || akin_cli_path_is_stdin(input) || stat(output, &file.about) != 0)
        return 0;
    if (!akin_path_has_files(input)) {
        is_sought(&file, input);
        return file.found;
    }
    if (input[0] == '@')
        is_sought(&file, input + 1); /* the list itself */
    if (!file.found)
        akin_path_files(input, is_sought, &file, NULL);
    return file.found;
}

/* The folder of a path and the name in it, with links followed; 0 if there is no such folder. */
static int resolve(const char *path, char folder[PATH_MAX], const char **name)
{
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash + 1 - path) : 0;
    if (length >= sizeof parent - 1)
        return 0;
    memcpy(parent, length ? path : ".", length ? length : 1);
    parent[length ? length : 1] = '\0';
    *name = path + length;
    return realpath(parent, folder) != NULL;
}

int akin_cli_path_equal(const char *a, const char *b)
{
    char folders[2][PATH_MAX], rooms[2][AKIN_CLI_OBJECT];
    const char *names[2];
    struct stat about[2];
    if (strcmp(a, b) == 0 || is_same_table(a, b) || akin_cli_object_overlaps(a, b))
        return 1;
    a = akin_cli_object_local(a, rooms[0]);
    b = akin_cli_object_local(b, rooms[1]);
    if (stat(a, &about[0]) == 0 && stat(b, &about[1]) == 0)
        return S_ISREG(about[0].st_mode) && about[0].st_dev == about[1].st_dev && about[0].st_ino == about[1].st_ino;
    return resolve(a, folders[0], &names[0]) && resolve(b, folders[1], &names[1]) &&
           strcmp(folders[0], folders[1]) == 0 && strcmp(names[0], names[1]) == 0;
}

/* Appends the names of a path that is not there to that of a folder; 0: it becomes too long. */
static int append_names(char folder[PATH_MAX], const char *names)
{
    size_t at = strlen(folder);
    for (size_t length; *(names += strspn(names, "/")); names += length) {
        length = strcspn(names, "/");
        if (length == 2 && strncmp(names, "..", 2) == 0) {
            while (at > 0 && folder[--at] != '/')
                ;
        } else if (length != 1 || *names != '.') {
            at -= at == 1; /* the slash of the root */
            if (at + length + 2 > PATH_MAX)
                return 0;
            folder[at] = '/';
            memcpy(folder + at + 1, names, length);
            at += length + 1;
        }
        at += at == 0;
        folder[at] = '\0';
    }
    return 1;
}

/* A path without links, as far as it is there; 0: it is too long, or the working directory is gone. */
static int follow(const char *path, char out[PATH_MAX])
{
    char head[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof head)
        return 0;
    memcpy(head, path, length + 1);
    while (length > 0 && !realpath(head, out)) {
        while (length > 0 && path[length - 1] == '/')
            length--;
        while (length > 0 && path[length - 1] != '/')
            length--;
        head[length] = '\0';
    }
    return (length > 0 || realpath(".", out)) && append_names(out, path + length);
}

int akin_cli_path_is_below(const char *path, const char *folder)
{
    char inner[PATH_MAX], outer[PATH_MAX];
    if (!follow(path, inner) || !follow(folder, outer))
        return 0;
    const size_t length = strcmp(outer, "/") == 0 ? 0 : strlen(outer);
    return strncmp(inner, outer, length) == 0 && (inner[length] == '/' || inner[length] == '\0');
}

int akin_cli_path_is_stdin(const char *path)
{
    static const char *const names[] = {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(path, names[i]) == 0)
            return 1;
    }
    return 0;
}

const char *akin_cli_path_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

int akin_cli_path_is_directory(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

int akin_cli_path_is_regular(const char *path)
{
    struct stat about;
    return !akin_cli_path_is_stdin(path) && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

int akin_cli_path_check_regular(const char *option, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode))
        return AKIN_CLI_DONE;
    return akin_cli_refuse("--%s %s: is a %s: expected a regular file", option, path,
                           S_ISDIR(about.st_mode)    ? "folder"
                           : S_ISFIFO(about.st_mode) ? "pipe"
                           : S_ISSOCK(about.st_mode) ? "socket"
                                                     : "device");
}

int akin_cli_path_is_saved(const char *path)
{
    return akin_cli_path_ends(path, ".akin") || akin_cli_path_ends(path, ".akin.gz") ||
           akin_cli_path_ends(path, ".akin.zst");
}

int akin_cli_path_holds_saved(const char *path)
{
    static const char magic[] = "AKIN\r\n\x1a\n"; /* docs/container.md */
    char first[sizeof magic - 1];
    struct stat about;
    if (akin_cli_path_is_saved(path) || akin_cli_path_is_stdin(path))
        return 1;
    if (!akin_cli_path_is_regular(path))
        return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(first, 1, sizeof first, file) : 0;
    if (file)
        fclose(file);
    return got == sizeof first && memcmp(first, magic, sizeof first) == 0;
}

size_t akin_cli_path_character(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    const size_t length = at[0] == 0     ? 0
                          : at[0] < 0x80 ? 1
                          : at[0] < 0xc2 ? 0
                          : at[0] < 0xe0 ? 2
                          : at[0] < 0xf0 ? 3
                                         : 4;
    const int is_second = at[0] == 0xe0   ? at[1] >= 0xa0 /* not overlong */
                          : at[0] == 0xed ? at[1] < 0xa0  /* no surrogate */
                          : at[0] == 0xf0 ? at[1] >= 0x90
                          : at[0] == 0xf4 ? at[1] < 0x90
                                          : at[0] < 0xf5;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length < 3 || is_second ? length : 0;
}

akin_status akin_cli_path_check_text(const char *path, const char *advice, akin_error *error)
{
    const char *at = path;
    for (size_t length; (length = akin_cli_path_character(at)) > 0;)
        at += length;
    return !*at ? AKIN_OK
                : akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NOT_UTF8,
                                 "%.600s: the name of this file is not UTF-8, so results cannot contain it: %s", path,
                                 advice);
}
