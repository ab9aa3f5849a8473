/* Errors as values: how a function of the library says what went wrong. */
#ifndef AKIN_BASE_ERROR_H
#define AKIN_BASE_ERROR_H

#include "akin.h"

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes code and formatted message into error (which may be NULL; a message that is too long is cut) and returns the
 * code, so that a function can end with `return akin_fail(...)`. All other fields are reset, here and in the functions
 * below, so that no failure keeps the fields of an earlier one. akin_error_set does the same with a reason.
 */
AKIN_PRINTF(3, 4)
akin_status akin_fail(akin_error *error, akin_status code, const char *format, ...);

/* The same for a failed system call: ": " and the system's words for the errno value `number` follow the message. The
 * reason AKIN_REASON_FILE becomes AKIN_REASON_NO_FILE where that says so. */
AKIN_PRINTF(5, 6)
akin_status akin_fail_system(akin_error *error, akin_status code, akin_reason reason, int number, const char *format,
                             ...);

/* The same for a line of a file: "NAME:LINE: " comes before the message. */
AKIN_PRINTF(6, 7)
akin_status akin_fail_line(akin_error *error, akin_status code, akin_reason reason, const char *name, uint64_t line,
                           const char *format, ...);

/* The same for a node of a JSON text: its key comes before the message, and "NAME:LINE: " before the key, where the
 * text has a name. called NULL: it has none. The reason is AKIN_REASON_MALFORMED. */
AKIN_PRINTF(5, 0)
akin_status akin_fail_node(akin_error *error, akin_status code, const char *called, const akin_json_node *node,
                           const char *format, va_list arguments);

/* The same for a row: "row N" comes before the message, which goes on with ":", ", column" or " has". `column` is for
 * the field alone; NULL: there is none. */
AKIN_PRINTF(6, 7)
akin_status akin_fail_row(akin_error *error, akin_status code, akin_reason reason, uint64_t row, const char *column,
                          const char *format, ...);

/* The same for a column; its name is for the field alone. */
AKIN_PRINTF(5, 6)
akin_status akin_fail_column(akin_error *error, akin_status code, akin_reason reason, const char *column,
                             const char *format, ...);

/* The same for a wrong option, AKIN_E_OPTION: its name comes before the message. */
AKIN_PRINTF(4, 5)
akin_status akin_fail_option(akin_error *error, akin_reason reason, const char *option, const char *format, ...);

/* The same if none of the options "a, b or c" is given, and one is required. The message is "a, b or c is missing:
 * WHAT", and error->option is the first option. */
akin_status akin_fail_missing(akin_error *error, const char *options, const char *what);

/* Notes in an error that has just been filled what its message says in words of its own. Each returns the code it is
 * given. */

/* A row and a column. row AKIN_NO_ROW, column NULL: there is none. */
akin_status akin_note_place(akin_status code, uint64_t row, const char *column, akin_error *error);

/* A word that is wrong, of `length` bytes. */
akin_status akin_note_word(akin_status code, const char *word, size_t length, akin_error *error);

/* The name that was perhaps meant; NULL: nobody knows. */
akin_status akin_note_meant(akin_status code, const char *meant, akin_error *error);

/* The fields of another failure, whose message is part of this one, except for its option. */
akin_status akin_note_from(akin_status code, const akin_error *from, akin_error *error);

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
