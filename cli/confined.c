/* Whether a file that a job writes is in the folder of the job. */
#define _XOPEN_SOURCE 700 /* realpath, lstat */

#include "confined.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "object.h"
#include "path.h"

/* The directory of a path, with links followed; 0: it is not there. */
static int resolve_directory(const char *path, char out[PATH_MAX])
{
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash + 1 - path) : 0;
    if (length >= sizeof parent - 1)
        return 0;
    memcpy(parent, length ? path : ".", length ? length : 1);
    parent[length ? length : 1] = '\0';
    return realpath(parent, out) != NULL;
}

/* The folder of a job. */
static int resolve_job(const char *job, char out[PATH_MAX])
{
    char real[PATH_MAX];
    if (!akin_cli_path_is_regular(job))
        return realpath(".", out) != NULL;
    return realpath(job, real) && resolve_directory(real, out);
}

/* The lowest directory of a path that is there, with links followed; 0: a file or a link to nowhere is in its place. */
static int resolve_ancestor(const char *path, char out[PATH_MAX])
{
    char above[PATH_MAX];
    struct stat about;
    const size_t length = strlen(path);
    if (length >= sizeof above)
        return 0;
    memcpy(above, path, length + 1);
    while (!resolve_directory(above, out)) {
        char *slash = strrchr(above, '/');
        if (!slash || slash == above)
            return 0;
        *slash = '\0';
        if (lstat(above, &about) == 0)
            return 0;
    }
    return 1;
}

/* What a path is, or the directory that it will be in. A link to nowhere is neither. */
static int resolve_output(const char *path, char out[PATH_MAX])
{
    struct stat about;
    if (realpath(path, out))
        return 1;
    return lstat(path, &about) != 0 && resolve_directory(path, out);
}

static int is_below(const char *path, const char *folder)
{
    const size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Whether a name is that of what is written to without a file. */
static int is_stream(const char *path)
{
    static const char *const names[] = {"-", "/dev/null", "/dev/stdout", "/dev/stderr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(path, names[i]) == 0)
            return 1;
    return 0;
}

/* The file of an address, in `room` if it is a part of that; NULL: it is of no file that is here. */
static const char *file_of(const char *path, char room[AKIN_CLI_OBJECT])
{
    if (strncmp(path, "sqlite:", 7) == 0 || strncmp(path, "duckdb:", 7) == 0) {
        const char *source = akin_cli_object_source(path), *file = path + 7;
        const size_t length = source ? (size_t)(source - 1 - file) : strlen(file);
        if (length == 0 || length >= AKIN_CLI_OBJECT)
            return NULL;
        memcpy(room, file, length);
        room[length] = '\0';
        return room;
    }
    path = akin_cli_object_local(path, room);
    return akin_cli_object_is_database(path) || strstr(path, "://") ? NULL : path;
}

akin_cli_confinement akin_cli_confine(const char *job, const char *path)
{
    char folder[PATH_MAX], real[PATH_MAX], room[AKIN_CLI_OBJECT];
    struct stat about;
    const char *file = is_stream(path) ? NULL : file_of(path, room);
    if (is_stream(path))
        return AKIN_CLI_CONFINED;
    if (!file || !*file || !resolve_job(job, folder))
        return AKIN_CLI_OUTSIDE;
    if (resolve_output(file, real))
        return is_below(real, folder) ? AKIN_CLI_CONFINED : AKIN_CLI_OUTSIDE;
    const int is_there = lstat(file, &about) == 0;
    return !is_there && resolve_ancestor(file, real) && is_below(real, folder) ? AKIN_CLI_NO_FOLDER : AKIN_CLI_OUTSIDE;
}
