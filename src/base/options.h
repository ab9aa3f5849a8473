/* Structs that begin with their own size: the one rule for options taken in and answers given out. */
#ifndef AKIN_BASE_OPTIONS_H
#define AKIN_BASE_OPTIONS_H

#include "base/error.h"

/*
 * Reads an options struct of the caller. `own` holds the defaults; its first member is a size_t, as in `given`. The
 * bytes that both have replace the first bytes of `own`. Then own's size becomes own_size. A given of NULL changes
 * nothing.
 *
 * first_size is the size of the struct in its first version. A given->size below it, or one that no version can have,
 * is AKIN_E_OPTION. The bytes of a later version's struct beyond own_size must be zero, else AKIN_E_OPTION.
 *
 * `type` names the struct in messages ("akin_join_options").
 */
akin_status akin_options_read(const void *given, void *own, size_t own_size, size_t first_size, const char *type,
                              akin_error *error);

/* Whether an answer struct's size, set by the caller, can be: to be asked before the work whose answer it receives.
 * NULL is allowed. Errors: AKIN_E_OPTION. */
akin_status akin_options_check(const void *given, size_t own_size, const char *type, akin_error *error);

/*
 * Writes a result struct to the caller's, whose size the caller has set. It copies the bytes of `own` that fit, leaves
 * the size as it is, and writes zeros where the caller's struct is of a later version. Errors: AKIN_E_OPTION (an
 * impossible size).
 */
akin_status akin_options_write(const void *own, size_t own_size, void *given, const char *type, akin_error *error);

/* Options structs end with a field, not with padding: what a later version adds there would be taken for set or not
 * at random. */
#define AKIN_OPTIONS_END(type, last)                                                                                   \
    _Static_assert(offsetof(type, last) + sizeof(((type *)0)->last) == sizeof(type), #type " ends with padding")

#endif
