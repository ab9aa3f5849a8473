/* The files that the paths of a command line stand for. */
#define _POSIX_C_SOURCE 200809L

#include "files.h"

#include <stdlib.h>
#include <string.h>

/* A list in the making. */
typedef struct listing {
    akin_cli_files *list;
    int is_short; /* of memory */
} listing;

static int add_file(void *user, const char *name)
{
    listing *l = user;
    akin_cli_files *list = l->list;
    l->is_short = 1;
    if (list->count == list->capacity) {
        const uint64_t larger = 2 * list->capacity + 16;
        char **names = realloc(list->names, larger * sizeof *names);
        if (!names)
            return 1;
        list->names = names;
        list->capacity = larger;
    }
    char *own = list->names[list->count] = strdup(name);
    l->is_short = own == NULL;
    list->count += own != NULL;
    return l->is_short;
}

akin_status akin_cli_files_list(const char *const *paths, int count, akin_cli_files *out, akin_error *error)
{
    listing l = {.list = out};
    akin_status status = AKIN_OK;
    *out = (akin_cli_files){0};
    for (int i = 0; i < count && status == AKIN_OK; i++) {
        status = akin_path_files(paths[i], add_file, &l, error);
        if (l.is_short)
            status =
                akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the names of files");
    }
    return status;
}

void akin_cli_files_clear(akin_cli_files *files)
{
    for (uint64_t i = 0; i < files->count; i++)
        free(files->names[i]);
    free(files->names);
    *files = (akin_cli_files){0};
}
