/* Errors as values: how a function of the library says what went wrong. */
#ifndef AKIN_BASE_ERROR_H
#define AKIN_BASE_ERROR_H

#include "akin.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define AKIN_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define AKIN_PRINTF(at, first)
#endif

/* Writes code and formatted message into error (which may be NULL; a message that is too long is cut) and returns the
 * code, so that a function can end with `return akin_fail(...)`. */
AKIN_PRINTF(3, 4)
akin_status akin_fail(akin_error *error, akin_status code, const char *format, ...);

/* The same for a failed system call: ": " and the system's words for the errno value `number` follow the message. */
AKIN_PRINTF(4, 5)
akin_status akin_fail_system(akin_error *error, akin_status code, int number, const char *format, ...);

/* Hands on what went wrong elsewhere, under that code. */
akin_status akin_fail_again(akin_error *error, akin_status code, const akin_error *from);

/* The message for a failed allocation; `what` names what it was for, in words ("the prefix index"). */
akin_status akin_fail_memory(akin_error *error, const char *what);

/* The message for work that stopped early: status is AKIN_E_NOMEM, and `what` names what the memory was for, or
 * AKIN_E_CANCELLED. */
akin_status akin_fail_stopped(akin_error *error, akin_status status, const char *what);

#ifdef __cplusplus
}
#endif

#endif
