/* The names of a table's columns, each once, and which column has a name. */
#ifndef AKIN_TABLE_NAMES_H
#define AKIN_TABLE_NAMES_H

#include "table/strings.h"

#define AKIN_NAMES_NONE UINT32_MAX

/* One that is all zeros has no names. */
typedef struct akin_names {
    akin_strings strings; /* each with a NUL behind it, which belongs to the row */
    uint32_t *slots;      /* open addressing by the hash of the name: its index + 1, or 0 */
    uint64_t slot_count;  /* 0 or a power of two, above twice the names */
    uint64_t salt;        /* of the hash, so that no file can be made for its keys to collide */
} akin_names;

static inline uint32_t akin_names_count(const akin_names *names)
{
    return (uint32_t)names->strings.rows;
}

/* Name `index`, NUL-terminated, valid until the next one is added. */
static inline const char *akin_names_at(const akin_names *names, uint32_t index)
{
    return names->strings.bytes + names->strings.offsets[index];
}

/* Whether name `index` is this one. */
int akin_names_is(const akin_names *names, uint32_t index, const char *name, size_t length);

/* The index of a name, or AKIN_NAMES_NONE. */
uint32_t akin_names_find(const akin_names *names, const char *name, size_t length);

/* Adds a name that is not there yet. Errors: AKIN_E_NOMEM, AKIN_E_LIMIT (more than 2^32 - 2 names), without a
 * message. */
akin_status akin_names_add(akin_names *names, const char *name, size_t length);

#define AKIN_NAME_SHOWN 200

/* A name as messages show it: one of more than `most` (at most AKIN_NAME_SHOWN) bytes ends in "...", and is not cut
 * within a character. */
typedef struct akin_shown {
    char name[AKIN_NAME_SHOWN + 4];
} akin_shown;

akin_shown akin_name_show(const char *name, size_t most);

/* Writes the names that have room, "'a', 'b', 'c'", and how many more there are. */
void akin_names_list(const akin_names *names, char *to, size_t room);

/* A guess at the meaning of an unknown name: " (did you mean 'NAME'?)" with a name that differs by case, or by blanks
 * around it; else "". */
typedef struct akin_meant {
    char text[AKIN_NAME_SHOWN + 32];
} akin_meant;

/* The same name, or else the first one that begins with `name`: somebody may have left out what follows, first of all
 * what follows a blank, a colon and the like. NULL: there is neither. */
const char *akin_names_near(const akin_names *names, const char *name);

akin_meant akin_names_meant(const akin_names *names, const char *name);

void akin_names_clear(akin_names *names);

#endif
