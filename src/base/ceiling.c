/* Finds the memory of the system or of its cgroup, and says when a job needs more than three quarters of it. */
#include "base/ceiling.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/context.h"
#include "base/counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_MOST 1024

/* ----------------------------------------------------------------------------------------------------------- memory */

/* A number of bytes in a file of a cgroup; UINT64_MAX: there is none. */
static uint64_t read_limit(const char *path)
{
    char text[32] = "";
    FILE *file = fopen(path, "re");
    if (!file)
        return UINT64_MAX;
    const int is_there = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    return is_there && *text >= '0' && *text <= '9' ? strtoull(text, NULL, 10) : UINT64_MAX;
}

/* The least limit of a group and those around it, below `root`. Each folder of the group's path is one. */
static uint64_t limit_of_group(const char *root, const char *group, const char *name)
{
    char path[PATH_MOST + 128];
    uint64_t least = UINT64_MAX;
    for (size_t length = strlen(group);; length--) {
        while (length > 0 && group[length - 1] != '/')
            length--;
        if (length > 0 && snprintf(path, sizeof path, "%s%.*s%s", root, (int)length, group, name) < (int)sizeof path)
            least = akin_min_u64(least, read_limit(path));
        if (length == 0)
            return least;
    }
}

/* The limit of the cgroup of the process, of version 2 or 1; UINT64_MAX: there is none. */
static uint64_t limit_of_cgroup(void)
{
    char line[PATH_MOST];
    uint64_t least = UINT64_MAX;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group || !strchr(group, '\n')) /* the rest of a line that was too long */
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '/'; /* in place of the end of the line: a limit is in each folder */
        if (strcmp(controllers, ":") == 0)
            least = akin_min_u64(least, limit_of_group("/sys/fs/cgroup", group, "memory.max"));
        else if (strcmp(controllers, ":memory") == 0)
            least = akin_min_u64(least, limit_of_group("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
    if (file)
        fclose(file);
    return least;
}

static uint64_t memory_of_system(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

/* --------------------------------------------------------------------------------------------------------- ceilings */

void akin_ceiling_begin(akin_context *context, uint64_t wish)
{
    akin_scope *scope = &context->scope;
    if (scope->memory || wish == AKIN_NO_CEILING)
        return;
    context->ceiling_of = "which the caller allows";
    scope->ceiling = wish;
    if (wish)
        return;
    const uint64_t system = memory_of_system(), cgroup = limit_of_cgroup(), least = akin_min_u64(system, cgroup);
    context->ceiling_of =
        cgroup < system ? "three quarters of the limit of the cgroup" : "three quarters of the memory of the system";
    scope->ceiling = least == UINT64_MAX ? 0 : akin_max_u64(least / 4 * 3, AKIN_MEMORY_LEAST);
}

akin_status akin_ceiling_conclude(const akin_scope *scope, const akin_account *account, const char *what,
                                  akin_status status, akin_error *error)
{
    akin_counted room;
    if (status != AKIN_E_NOMEM || !error)
        return status;
    const int is_within = error->reason == AKIN_REASON_MEMORY_CEILING; /* a job within the job has met it */
    const int is_own = error->reason == AKIN_REASON_MEMORY && !account->limit && account->refused;
    if (!is_within && !is_own)
        return status;
    return akin_error_set(error, status, AKIN_REASON_MEMORY_CEILING, "%s needs more than its part of %s, %s", what,
                          akin_count_bytes(&room, (double)scope->ceiling),
                          scope->context ? scope->context->ceiling_of : "");
}

int akin_ceiling_is_met(akin_status status, const akin_error *error)
{
    return status == AKIN_E_NOMEM && error->reason == AKIN_REASON_MEMORY_CEILING;
}

akin_scope akin_ceiling_bound(const akin_scope *scope, const akin_error *met)
{
    akin_scope bounded = *scope;
    bounded.memory = scope->ceiling;
    bounded.ceiling = 0;
    const akin_context *context = scope->context;
    if (context && context->note) {
        char text[sizeof met->message + 192];
        snprintf(text, sizeof text, "%s; so it begins again, in parts and with temporary files in %.100s", met->message,
                 akin_context_temporary(scope));
        context->note(scope->reporter.user, text);
    }
    return bounded;
}
