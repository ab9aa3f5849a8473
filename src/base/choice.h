/* A choice of few things, each of which has a name. */
#ifndef AKIN_BASE_CHOICE_H
#define AKIN_BASE_CHOICE_H

#include "base/error.h"

/* What the things are, as in "unknown technique"; the name of each, at the place that its value is. */
typedef struct akin_choice {
    const char *what;
    const char *const *names;
    unsigned count;
} akin_choice;

/* The name of a value; NULL if there is none. */
const char *akin_choice_name(const akin_choice *choice, unsigned value);

/* The value of a name in *out. Errors: AKIN_E_OPTION, with all names there are. */
akin_status akin_choice_parse(const akin_choice *choice, const char *name, unsigned *out, akin_error *error);

#endif
