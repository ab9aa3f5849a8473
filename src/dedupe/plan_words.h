/* Words that are made of fields, such as "title:exact:0.8". */
#ifndef AKIN_DEDUPE_PLAN_WORDS_H
#define AKIN_DEDUPE_PLAN_WORDS_H

#include "base/error.h"

/* Takes the next field off a text, which is written to, up to one of `ends` or to the end of the text; *ended is that
 * byte. One in quotes may hold anything, and quotes that are doubled. NULL: it does not end as it began. */
char *akin_plan_take(char **text, const char *ends, char *ended);

/* Takes LEFT[=RIGHT] likewise; *right is the left one if there is none. NULL: a name is missing, or,
 * with *right NULL, it does not end as it began. */
const char *akin_plan_take_column(char **text, const char *ends, char *ended, const char **right);

/* Whether a field stands in quotes: it would be several ones without, or `taken` (NULL: none), which means something
 * else. */
int akin_plan_needs_quotes(const char *field, const char *taken);

/* Writes a field at `to`, in quotes if it needs them: at most 2 bytes for each of its own, and 2 more, no NUL; returns
 * where it ends. */
char *akin_plan_put(char *to, const char *field, const char *taken);

/* Reads a whole decimal number from low to high, digits only; 0 if it is none. */
int akin_plan_number(const char *text, uint64_t low, uint64_t high, uint64_t *out);

/* Refuses what was said of an option: the message is "OPTION SAID: ...". `word`: the part of it that is wrong; NULL: no
 * single one is. Returns AKIN_E_OPTION. */
AKIN_PRINTF(6, 7)
akin_status akin_plan_fail(akin_error *error, akin_reason reason, const char *option, const char *said,
                           const char *word, const char *format, ...);

/* The same by what another failure says, with an advice behind it. */
akin_status akin_plan_fail_from(akin_error *error, const char *option, const char *said, const akin_error *refused,
                                const char *advice);

/* The same of quotes within it. */
akin_status akin_plan_fail_quotes(akin_error *error, const char *option, const char *said);

/* The same for a column that akin_plan_take_column did not take. `right` is its answer: quotes, or else a form that is
 * not the expected one. */
akin_status akin_plan_fail_column(akin_error *error, const char *option, const char *said, const char *right,
                                  const char *expected);

/* What to do about a name that was taken for two. */
#define AKIN_PLAN_IN_QUOTES(example) "; a name with a colon, plus or = stands in quotes: '" example "'"

#endif
