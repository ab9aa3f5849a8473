/* Words of a plan as JSON, and back: {"column": "title", "comparator": "exact", "threshold": 0.8} for
 * "title:exact:0.8". */
#ifndef AKIN_DEDUPE_PLAN_FORMS_H
#define AKIN_DEDUPE_PLAN_FORMS_H

#include "base/choice.h"

#define AKIN_PLAN_FIELDS 5 /* of a form, at most */

typedef enum akin_plan_field_kind {
    AKIN_FIELD_TEXT,
    AKIN_FIELD_CHOICE, /* text: the name of a row, and what may follow it */
    AKIN_FIELD_NUMBER,
    AKIN_FIELD_KEY,   /* a name, and what may follow it behind a colon */
    AKIN_FIELD_REST,  /* text, with colons that need no quotes; the last field */
    AKIN_FIELD_NAMES, /* names with a plus between them; the last field */
    AKIN_FIELD_LIST   /* words of a form with a plus between them; the last field */
} akin_plan_field_kind;

typedef struct akin_plan_form akin_plan_form;

typedef struct akin_plan_field {
    const char *name; /* of the member of an object; NULL: there are no more fields */
    akin_plan_field_kind kind;
    char before; /* what stands before it in a word; '\0': a colon, or nothing before the first one */
    int is_optional;
    const char *otherwise;    /* what stands where it is not given, but a field behind it is; NULL: nothing can */
    const akin_plan_form *of; /* of a list */
} akin_plan_field;

/* The fields of a word, in their order. */
struct akin_plan_form {
    akin_plan_field fields[AKIN_PLAN_FIELDS];
    int is_short; /* a word of its first field alone is a string in JSON, if it needs no quotes */
};

/* LEFT[=RIGHT], and the same with a key behind it. */
#define AKIN_FIELDS_OF_COLUMN                                                                                          \
    {"column", AKIN_FIELD_TEXT, 0, 0, NULL, NULL},                                                                     \
    {                                                                                                                  \
        "right", AKIN_FIELD_TEXT, '=', 1, NULL, NULL                                                                   \
    }
extern const akin_plan_form akin_plan_column_form, akin_plan_keyed_form;

/* A text of JSON that is read: its nodes, and what messages call it; NULL: nothing. */
typedef struct akin_plan_json {
    const char *option; /* that is read */
    const char *name;
    const akin_json_node *nodes;
} akin_plan_json;

/* Refuses what stands at a node. */
AKIN_PRINTF(4, 5)
akin_status akin_plan_json_fail(const akin_plan_json *json, uint32_t node, akin_error *error, const char *format, ...);

/* The word, to be freed by akin_free, that a node stands for, by the option's capabilities and form, which may have no
 * fields; *out NULL: a flag that is not there. Errors: AKIN_E_OPTION, AKIN_E_NOMEM. */
akin_status akin_plan_word_of_json(const akin_plan_json *json, uint32_t node, unsigned capabilities,
                                   const akin_plan_form *form, char **out, akin_error *error);

/* A text that grows; `failed`: there was no memory for it. */
typedef struct akin_plan_growing {
    char *text;
    uint64_t length, capacity;
    int failed;
} akin_plan_growing;

void akin_plan_grow(akin_plan_growing *out, const char *text);
/* The same as a string of JSON, in quotes. */
void akin_plan_grow_string(akin_plan_growing *out, const char *text);

/* Writes a word that is complete as JSON. */
void akin_plan_json_of_word(akin_plan_growing *out, const char *word, unsigned capabilities,
                            const akin_plan_form *form);

#endif
