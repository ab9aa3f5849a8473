/* Words of a plan as JSON, and back: {"column": "title", "comparator": "exact", "threshold": 0.8} for "title:exact:0.8". */
#ifndef AKIN_DEDUPE_PLAN_FORMS_H
#define AKIN_DEDUPE_PLAN_FORMS_H

#include "base/choice.h"

#define AKIN_PLAN_FIELDS 5 /* of a form, at most */

typedef enum akin_plan_field_kind {
    AKIN_FIELD_TEXT,
    AKIN_FIELD_RIGHT, /* what the right table calls the column before it: text behind "="; optional */
    AKIN_FIELD_NUMBER,
    AKIN_FIELD_KEY,  /* a name, and what may follow it behind a colon */
    AKIN_FIELD_REST, /* text, with colons that need no quotes; the last field */
    AKIN_FIELD_LIST  /* columns with keys, with a plus between them; the last field */
} akin_plan_field_kind;

typedef struct akin_plan_field {
    const char *name; /* of the member of an object; NULL: there are no more fields */
    akin_plan_field_kind kind;
    int is_optional;
    const char *otherwise; /* what stands for it where it is not given, but one behind it is; NULL: nothing can */
} akin_plan_field;

/* The fields of a word, in their order. */
typedef struct akin_plan_form {
    akin_plan_field fields[AKIN_PLAN_FIELDS];
} akin_plan_form;

/* How the words of an option stand in JSON. */
typedef enum akin_plan_shape {
    AKIN_SHAPE_TEXT,
    AKIN_SHAPE_NUMBER,
    AKIN_SHAPE_FLAG, /* true; false: it is not there */
    AKIN_SHAPE_FORM  /* an object of one form */
} akin_plan_shape;

/* A text of JSON that is read: its nodes, and what messages call it; NULL: nothing. */
typedef struct akin_plan_json {
    const char *option; /* that is read */
    const char *name;
    const akin_json_node *nodes;
} akin_plan_json;

/* Refuses what stands at a node. */
AKIN_PRINTF(4, 5)
akin_status akin_plan_json_fail(const akin_plan_json *json, uint32_t node, akin_error *error, const char *format, ...);

/* The word, to be freed by akin_free, that a node stands for; *out NULL: a flag that is not there. Errors: AKIN_E_OPTION,
 * AKIN_E_NOMEM. */
akin_status akin_plan_word_of_json(const akin_plan_json *json, uint32_t node, akin_plan_shape shape,
                                   const akin_plan_form *form, char **out, akin_error *error);

/* The JSON, to be freed likewise, of a word that is complete. Errors: AKIN_E_NOMEM. */
akin_status akin_plan_json_of_word(const char *word, akin_plan_shape shape, const akin_plan_form *form, char **out,
                                   akin_error *error);

#endif
