/* The files that the path of a table stands for: one file, or those of a folder, a pattern or a list. */
#define _XOPEN_SOURCE 700

#include "table/files.h"

#include "base/memory.h"
#include "base/reader.h"
#include "base/remote.h"
#include "table/formats.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEEPEST     64  /* folders within folders */
#define CHECK_EVERY 256 /* names: whether to stop */

typedef enum kind { IS_FILE, IS_FOLDER, IS_PATTERN, IS_LIST } kind;

/* Whether a path that exists is a folder. A folder whose status cannot be read can perhaps be opened as one. */
static int is_folder_there(const char *path, int *is_there)
{
    struct stat about;
    *is_there = stat(path, &about) == 0;
    if (*is_there)
        return S_ISDIR(about.st_mode);
    DIR *folder = errno == ENOENT || errno == ENOTDIR ? NULL : opendir(path);
    *is_there = folder != NULL;
    if (folder)
        closedir(folder);
    return folder != NULL;
}

/* What a path is. A file that exists is one file, whatever characters its name has. A folder with the ending of a
 * format that an opener reads is one table of that opener. */
static kind kind_of(const char *path)
{
    int is_there;
    const int is_folder = is_folder_there(path, &is_there);
    if (is_there)
        return is_folder && !akin_format_is_opened(path) ? IS_FOLDER : IS_FILE;
    if (akin_remote_of(path) || (akin_format_is_opened(path) && strstr(path, ":")))
        return IS_FILE; /* an address */
    return path[0] == '@' ? IS_LIST : strpbrk(path, "*?[") ? IS_PATTERN : IS_FILE;
}

int akin_path_has_files(const char *path)
{
    return kind_of(path) != IS_FILE;
}

static akin_status fail_found(akin_error *error)
{
    return akin_fail_memory(error, "the names of files");
}

static akin_status fail_unread(const char *path, akin_error *error)
{
    return akin_fail_system(error, AKIN_E_INPUT, AKIN_REASON_FILE, errno, "%s: cannot be opened", path);
}

/* Behind the path, and the zero that ends it, stands the path without the secrets of an address. */
const char *akin_files_name(const char *path)
{
    return akin_reader_name_of(path + strlen(path) + 1);
}

/* Adds the path that `length` bytes of `folder` and a name within it make. */
static akin_status add_name(akin_files *files, const char *folder, size_t length, const char *name, akin_error *error)
{
    const size_t rest = strlen(name), slash = length > 0 && folder[length - 1] != '/';
    if (files->scope && ++files->looked % CHECK_EVERY == 0 && akin_scope_report(files->scope, NULL, 0, 0) != AKIN_OK)
        return akin_fail(error, AKIN_E_CANCELLED, "cancelled while the names of files were listed");
    char **names = akin_enlarge(NULL, files->names, &files->capacity, files->count + 1, sizeof *names);
    if (!names)
        return fail_found(error);
    files->names = names;
    const size_t room = length + slash + rest + 1;
    char *path = akin_alloc(NULL, 2 * (uint64_t)room, 1);
    if (!path)
        return fail_found(error);
    if (length > 0)
        memcpy(path, folder, length);
    if (slash)
        path[length] = '/';
    memcpy(path + length + slash, name, rest + 1);
    akin_address_show(path, path + room, room);
    files->names[files->count++] = path;
    return AKIN_OK;
}

static void drop_last(akin_files *files)
{
    akin_free(files->names[--files->count]);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_names(akin_files *files, uint64_t first)
{
    if (files->count > first + 1)
        qsort(files->names + first, (size_t)(files->count - first), sizeof *files->names, compare_names);
}

/* ---------------------------------------------------------------------------------------------------------- folders */

static akin_status add_folder(akin_files *files, const char *path, int depth, akin_error *error);

/* Adds an entry of a folder, if it is a file or a folder. A link to a folder is left out, because it may lead round in
 * circles. */
static akin_status add_entry(akin_files *files, const char *folder, const char *name, int depth, akin_error *error)
{
    struct stat about;
    akin_status status = add_name(files, folder, strlen(folder), name, error);
    if (status != AKIN_OK)
        return status;
    char *path = files->names[files->count - 1];
    if (lstat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        files->count--;
        status = add_folder(files, path, depth + 1, error);
        akin_free(path);
        return status;
    }
    if (stat(path, &about) != 0)
        return fail_unread(path, error);
    if (!S_ISREG(about.st_mode))
        drop_last(files);
    return AKIN_OK;
}

/* Adds the files of a folder and of the folders in it. Names that begin with a point are hidden; those that begin with
 * an underscore are what programs note beside their files ("_SUCCESS"). */
static akin_status add_folder(akin_files *files, const char *path, int depth, akin_error *error)
{
    if (depth > DEEPEST)
        return akin_fail(error, AKIN_E_INPUT, "%s: is more than %d folders deep", path, DEEPEST);
    DIR *folder = opendir(path);
    if (!folder)
        return fail_unread(path, error);
    akin_status status = AKIN_OK;
    const struct dirent *entry;
    while (errno = 0, status == AKIN_OK && (entry = readdir(folder)) != NULL)
        if (entry->d_name[0] != '.' && entry->d_name[0] != '_')
            status = add_entry(files, path, entry->d_name, depth, error);
    if (status == AKIN_OK && errno != 0) /* readdir says so of a failure, but not of the end */
        status = fail_unread(path, error);
    closedir(folder);
    return status;
}

/* ----------------------------------------------------------------------------------------------- patterns and lists */

static akin_status add_path(akin_files *files, const char *path, int from_list, akin_error *error);

static akin_status add_matches(akin_files *files, const char *pattern, akin_error *error)
{
    glob_t found = {0};
    const int failed = glob(pattern, GLOB_NOSORT, NULL, &found);
    akin_status status = failed == 0 || failed == GLOB_NOMATCH ? AKIN_OK
                         : failed == GLOB_NOSPACE              ? fail_found(error)
                                                               : fail_unread(pattern, error);
    for (size_t i = 0; i < found.gl_pathc && failed == 0 && status == AKIN_OK; i++) {
        struct stat about;
        if (stat(found.gl_pathv[i], &about) == 0 && S_ISDIR(about.st_mode))
            status = add_folder(files, found.gl_pathv[i], 0, error);
        else
            status = add_name(files, "", 0, found.gl_pathv[i], error);
    }
    globfree(&found);
    return status;
}

/* Adds what a line of a list names. */
static akin_status add_line(akin_files *files, const char *list, char *line, size_t length, akin_error *error)
{
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        line[--length] = '\0';
    if (strlen(line) < length)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NUL,
                              "%s: has a NUL byte; expected a list with a path on each line", list);
    return length == 0 ? AKIN_OK : add_path(files, line, 1, error);
}

/* Opens a list. A pipe is refused before anybody waits for what is written to it. */
static akin_status open_list(const char *list, FILE **out, akin_error *error)
{
    struct stat about;
    const int fd = open(list, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return fail_unread(list, error);
    akin_status status = AKIN_OK;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
        status = akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_FILE,
                                "%s: a list of files is read more than once; expected a file", list);
    else if (!(*out = fdopen(fd, "r")))
        status = fail_unread(list, error);
    if (status != AKIN_OK)
        close(fd);
    return status;
}

static akin_status add_list(akin_files *files, const char *list, akin_error *error)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = NULL;
    akin_status status = open_list(list, &file, error);
    if (status != AKIN_OK)
        return status;
    for (ssize_t length; status == AKIN_OK && (length = getline(&line, &room, file)) >= 0;)
        status = add_line(files, list, line, (size_t)length, error);
    if (status == AKIN_OK && !feof(file)) /* getline also ends where memory is short */
        status = fail_unread(list, error);
    free(line);
    fclose(file);
    return status;
}

/* Adds the files of a path: of the caller's, or of a line of a list, which names no other list. */
static akin_status add_path(akin_files *files, const char *path, int from_list, akin_error *error)
{
    const uint64_t first = files->count;
    const kind is = kind_of(path);
    akin_status status = AKIN_OK;
    if (is == IS_LIST && from_list)
        return akin_fail(error, AKIN_E_INPUT, "%s: a list names no other list", path);
    switch (is) {
    case IS_FILE:
        return add_name(files, "", 0, path, error);
    case IS_FOLDER:
        status = add_folder(files, path, 0, error);
        break;
    case IS_PATTERN:
        status = add_matches(files, path, error);
        break;
    case IS_LIST:
        status = add_list(files, path + 1, error);
        break;
    }
    if (status == AKIN_OK && files->count == first)
        return akin_error_set(error, AKIN_E_INPUT, is == IS_PATTERN ? AKIN_REASON_NO_FILE : AKIN_REASON_FILE, "%s: %s",
                              path,
                              is == IS_FOLDER    ? "the folder has no files"
                              : is == IS_PATTERN ? "no file has such a name"
                                                 : "the list names no files");
    if (status == AKIN_OK && is != IS_LIST)
        sort_names(files, first);
    return status;
}

akin_status akin_files_add(const char *path, akin_files *files, akin_error *error)
{
    uint64_t i = files->count;
    const akin_status status = add_path(files, path, 0, error);
    for (; i < files->count && status == AKIN_OK; i++) {
        struct stat about;
        if (stat(files->names[i], &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
            files->bytes += (uint64_t)about.st_size;
    }
    return status;
}

akin_status akin_files_find(const akin_scope *scope, const char *path, akin_files *files, akin_error *error)
{
    *files = (akin_files){.scope = scope};
    return akin_files_add(path, files, error);
}

akin_status akin_format_of_name(const char *path, akin_format *out, akin_error *error)
{
    akin_files files = {0};
    akin_format format;
    akin_status status = akin_format_of_ending(path, out, error);
    if (status == AKIN_OK || kind_of(path) == IS_FILE)
        return status;
    status = akin_files_find(NULL, path, &files, error);
    if (status == AKIN_OK && files.count > 0) /* there is always one */
        status = akin_format_of_ending(files.names[0], out, error);
    for (uint64_t i = 1; i < files.count && status == AKIN_OK && *out == AKIN_FORMAT_TEXT; i++)
        if (akin_format_of_ending(files.names[i], &format, NULL) == AKIN_OK)
            *out = format;
    akin_files_clear(&files);
    return status;
}

akin_status akin_path_files(const char *path, int (*visit)(void *user, const char *name), void *user, akin_error *error)
{
    akin_files files;
    const akin_status status = akin_files_find(NULL, path, &files, error);
    for (uint64_t i = 0; i < files.count && status == AKIN_OK; i++)
        if (visit(user, files.names[i]))
            break;
    akin_files_clear(&files);
    return status;
}

void akin_files_clear(akin_files *files)
{
    for (uint64_t i = 0; i < files->count; i++)
        akin_free(files->names[i]);
    akin_free(files->names);
    *files = (akin_files){0};
}
