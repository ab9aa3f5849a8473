/* The names of a table's columns. */
#define _POSIX_C_SOURCE 200809L /* strncasecmp */

#include "table/names.h"

#include "base/memory.h"
#include "base/random.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SLOTS_FIRST 32
#define NAME_LISTED 60 /* bytes of a name that a list shows */

static uint64_t first_slot(const akin_names *names, const char *name, size_t length)
{
    return XXH3_64bits_withSeed(name, length, names->salt) & (names->slot_count - 1);
}

int akin_names_is(const akin_names *names, uint32_t index, const char *name, size_t length)
{
    uint64_t own;
    const char *bytes = akin_strings_row(&names->strings, index, &own);
    return own - 1 == length && memcmp(bytes, name, length) == 0;
}

uint32_t akin_names_find(const akin_names *names, const char *name, size_t length)
{
    if (names->slot_count == 0)
        return AKIN_NAMES_NONE;
    for (uint64_t slot = first_slot(names, name, length);; slot = (slot + 1) & (names->slot_count - 1)) {
        if (names->slots[slot] == 0)
            return AKIN_NAMES_NONE;
        if (akin_names_is(names, names->slots[slot] - 1, name, length))
            return names->slots[slot] - 1;
    }
}

static void place_name(akin_names *names, uint32_t index)
{
    uint64_t length, slot;
    const char *name = akin_strings_row(&names->strings, index, &length);
    slot = first_slot(names, name, (size_t)length - 1);
    while (names->slots[slot] != 0)
        slot = (slot + 1) & (names->slot_count - 1);
    names->slots[slot] = index + 1;
}

static uint64_t draw_salt(const akin_names *names)
{
    akin_random random;
    akin_random_seed_anew(&random, names);
    return akin_random_next(&random);
}

static akin_status grow_slots(akin_names *names)
{
    uint64_t larger = names->slot_count ? 2 * names->slot_count : SLOTS_FIRST;
    uint32_t *slots = akin_alloc_zero(NULL, larger, sizeof *slots);
    if (!slots)
        return AKIN_E_NOMEM;
    if (!names->slots)
        names->salt = draw_salt(names);
    akin_free(names->slots);
    names->slots = slots;
    names->slot_count = larger;
    for (uint32_t i = 0; i < akin_names_count(names); i++)
        place_name(names, i);
    return AKIN_OK;
}

akin_status akin_names_add(akin_names *names, const char *name, size_t length)
{
    akin_status status = AKIN_OK;
    if (names->strings.rows >= UINT32_MAX - 1)
        return AKIN_E_LIMIT;
    if (2 * (names->strings.rows + 1) >= names->slot_count)
        status = grow_slots(names);
    if (status == AKIN_OK)
        status = akin_strings_append(&names->strings, name, length);
    if (status == AKIN_OK)
        status = akin_strings_append(&names->strings, "", 1);
    if (status == AKIN_OK)
        status = akin_strings_end(&names->strings);
    if (status == AKIN_OK)
        place_name(names, akin_names_count(names) - 1);
    return status;
}

akin_shown akin_name_show(const char *name, size_t most)
{
    akin_shown shown;
    size_t length = strlen(name);
    int cut = length > most;
    if (cut)
        for (length = most; length > 0 && (name[length] & 0xc0) == 0x80;)
            length--;
    memcpy(shown.name, name, length);
    memcpy(shown.name + length, cut ? "..." : "", cut ? 4 : 1);
    return shown;
}

void akin_names_list(const akin_names *names, char *to, size_t room)
{
    size_t at = 0;
    uint32_t i = 0, count = akin_names_count(names);
    to[0] = '\0';
    for (; i < count; i++) {
        akin_shown shown = akin_name_show(akin_names_at(names, i), NAME_LISTED);
        if (room - at < strlen(shown.name) + 48) /* a name, and what follows it */
            break;
        at += (size_t)snprintf(to + at, room - at, "%s'%s'", i ? ", " : "", shown.name);
    }
    if (i < count)
        snprintf(to + at, room - at, "%s%u more", i ? " and " : "", count - i);
}

/* A name without the blanks around it. */
static size_t trim_name(const char **name)
{
    static const char blanks[] = " \t\r\n";
    *name += strspn(*name, blanks);
    size_t length = strlen(*name);
    while (length > 0 && strchr(blanks, (*name)[length - 1]))
        length--;
    return length;
}

/* The first name that differs by case, or by blanks around it; NULL: there is none. */
static const char *alike(const akin_names *names, const char *name)
{
    size_t length = trim_name(&name);
    for (uint32_t i = 0; i < akin_names_count(names) && length > 0; i++) {
        const char *other = akin_names_at(names, i), *trimmed = other;
        if (trim_name(&trimmed) == length && strncasecmp(trimmed, name, length) == 0)
            return other;
    }
    return NULL;
}

/* The name that `name` may be a slip of the finger for; NULL: none is near. */
static const char *nearest(const akin_names *names, const char *name)
{
    akin_guess guess = {.word = name};
    for (uint32_t i = 0; i < akin_names_count(names); i++)
        akin_guess_offer(&guess, akin_names_at(names, i));
    return guess.best;
}

akin_meant akin_names_meant(const akin_names *names, const char *name)
{
    akin_meant meant = {""};
    const char *other = alike(names, name);
    if (!other)
        other = nearest(names, name);
    if (other)
        snprintf(meant.text, sizeof meant.text, " (did you mean '%s'?)", akin_name_show(other, AKIN_NAME_SHOWN).name);
    return meant;
}

/* The first name that begins with `name` and goes on with neither a letter nor a digit, or in any way if `any`; NULL:
 * none. */
static const char *longer(const akin_names *names, const char *name, int any)
{
    size_t length = strlen(name);
    for (uint32_t i = 0; i < akin_names_count(names) && length > 0; i++) {
        const char *other = akin_names_at(names, i);
        if (strncmp(other, name, length) == 0 && (any || !isalnum((unsigned char)other[length])))
            return other;
    }
    return NULL;
}

const char *akin_names_near(const akin_names *names, const char *name)
{
    const char *near = alike(names, name);
    if (!near)
        near = longer(names, name, 0);
    if (!near)
        near = nearest(names, name);
    return near ? near : longer(names, name, 1);
}

void akin_names_clear(akin_names *names)
{
    akin_strings_clear(&names->strings);
    akin_free(names->slots);
    *names = (akin_names){0};
}
