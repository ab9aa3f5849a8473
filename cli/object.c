/* Addresses of files with a scheme: what they are called apart from their spelling. */
#include "object.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "akin.h"

/* Schemes that name the same store. */
static const struct {
    const char *scheme, *same;
} aliases[] = {{"gcs", "gs"}, {"abfss", "abfs"}};

static int value_of(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = digit ? strchr(digits, tolower((unsigned char)digit)) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Decodes %XX and leaves out repeated slashes, and those at the end, as far as there is room. */
static void decode(const char *from, const char *end, char *to, size_t room)
{
    size_t length = 0;
    while (from < end && length + 1 < room) {
        char c = *from++;
        if (c == '%' && end - from >= 2 && value_of(from[0]) >= 0 && value_of(from[1]) >= 0) {
            c = (char)(16 * value_of(from[0]) + value_of(from[1]));
            from += 2;
        }
        if (c != '/' || length == 0 || to[length - 1] != '/')
            to[length++] = c;
    }
    while (length > 1 && to[length - 1] == '/')
        length--;
    to[length] = '\0';
}

/* The end of an address, without parameters. */
static const char *end_of(const char *address)
{
    return address + strcspn(address, "?#");
}

const char *akin_cli_object_local(const char *path, char room[AKIN_CLI_OBJECT])
{
    static const char scheme[] = "file://";
    if (strncmp(path, scheme, sizeof scheme - 1) != 0)
        return path;
    const char *begin = path + sizeof scheme - 1;
    decode(begin, end_of(begin), room, AKIN_CLI_OBJECT);
    return room;
}

int akin_cli_object_is_database(const char *path)
{
    akin_format format;
    if (akin_path_has_files(path) || akin_format_of_name(path, &format, NULL) != AKIN_OK)
        return 0;
    const akin_choice *row = akin_choice_of_value("opened-formats", (int)format);
    return row && (row->capabilities & AKIN_HAS_TABLES);
}

const char *akin_cli_object_source(const char *address)
{
    if (!akin_cli_object_is_database(address))
        return NULL;
    for (const char *at = address; (at = strpbrk(at, "?&")) != NULL; at++)
        if (strncmp(at + 1, "table=", 6) == 0 || strncmp(at + 1, "query=", 6) == 0)
            return at + 1;
    return NULL;
}

/* An address without its user and its parameters: "s3://BUCKET/KEY". Returns 0 if the path has no scheme, or is of a
 * database. */
static int take_object(const char *path, char out[AKIN_CLI_OBJECT])
{
    const char *colon = strstr(path, "://");
    if (!colon || colon == path || (size_t)(colon - path) > 16 || akin_cli_object_is_database(path))
        return 0;
    const char *scheme = path, *begin = colon + 3, *at = memchr(begin, '@', strcspn(begin, "/?#"));
    int length = (int)(colon - path);
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strlen(aliases[i].scheme) == (size_t)length && strncmp(path, aliases[i].scheme, (size_t)length) == 0) {
            scheme = aliases[i].same;
            length = (int)strlen(scheme);
        }
    const size_t used = (size_t)snprintf(out, AKIN_CLI_OBJECT, "%.*s://", length, scheme);
    begin = at ? at + 1 : begin;
    decode(begin, end_of(begin), out + used, AKIN_CLI_OBJECT - used);
    return 1;
}

/* Whether a name is that of a folder or of what is in it. */
static int is_within(const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    return strncmp(folder, name, length) == 0 && (name[length] == '\0' || name[length] == '/');
}

int akin_cli_object_overlaps(const char *a, const char *b)
{
    char objects[2][AKIN_CLI_OBJECT];
    return take_object(a, objects[0]) && take_object(b, objects[1]) &&
           (is_within(objects[0], objects[1]) || is_within(objects[1], objects[0]));
}
