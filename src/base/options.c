/* Structs that begin with their own size. */
#include "base/options.h"

#include <string.h>

/* No struct of a later version is this much larger: such a size was never set. */
#define SLACK 4096

static size_t struct_size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static akin_status fail_size(akin_error *error, const char *type, size_t size, size_t own_size)
{
    return akin_fail(error, AKIN_E_OPTION, "%s: its size is %zu, expected %zu (set it with its _INIT or with sizeof)",
                     type, size, own_size);
}

akin_status akin_options_read(const void *given, void *own, size_t own_size, size_t first_size, const char *type,
                              akin_error *error)
{
    if (!given)
        return AKIN_OK;
    size_t size = struct_size_of(given);
    if (size < first_size || size > own_size + SLACK)
        return fail_size(error, type, size, own_size);
    const unsigned char *bytes = given;
    for (size_t i = own_size; i < size; i++)
        if (bytes[i] != 0)
            return akin_fail(error, AKIN_E_OPTION,
                             "%s: a field at byte %zu is set that akin " AKIN_VERSION_STRING " does not know", type, i);
    memcpy(own, given, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return AKIN_OK;
}

akin_status akin_options_check(const void *given, size_t own_size, const char *type, akin_error *error)
{
    size_t size = given ? struct_size_of(given) : own_size;
    return size < sizeof size || size > own_size + SLACK ? fail_size(error, type, size, own_size) : AKIN_OK;
}

akin_status akin_options_write(const void *own, size_t own_size, void *given, const char *type, akin_error *error)
{
    akin_status status = akin_options_check(given, own_size, type, error);
    if (status != AKIN_OK)
        return status;
    size_t size = struct_size_of(given);
    size_t shared = size < own_size ? size : own_size;
    memcpy((char *)given + sizeof size, (const char *)own + sizeof size, shared - sizeof size);
    memset((char *)given + shared, 0, size - shared);
    return AKIN_OK;
}
