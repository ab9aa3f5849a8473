/* How pairs of records are selected, and by which keys: the tables of names. */
#ifndef AKIN_DEDUPE_SELECTIONS_H
#define AKIN_DEDUPE_SELECTIONS_H

#include "dedupe/plan.h"
#include "dedupe/plan_forms.h"

/* A way to select pairs; its value is an akin_selection_kind. */
typedef struct akin_selection_row {
    akin_choice choice;
    /* Reads what follows the name in a word of a plan. */
    akin_status (*read)(akin_plan_made *made, const char *word, char *text, akin_error *error);
    akin_plan_form form; /* what follows the name, as members of an object */
} akin_selection_row;

extern const akin_choice_table akin_selections;

/* A key; its value is an akin_key. */
typedef struct akin_key_row {
    akin_choice choice;
    uint32_t most; /* a whole number from 1 to this follows the name, behind a colon; 0: nothing follows */
} akin_key_row;

extern const akin_choice_table akin_keys;

/* What a missing value contributes; a value is an akin_missing. */
extern const akin_choice_table akin_missing_ways;

/* The tokens by which a column is selected. The value is what the name alone stands for. */
typedef struct akin_token_row {
    akin_choice choice;
    int is_alone;              /* the name alone stands for something */
    akin_tokens with_a_length; /* what the name with :N behind it stands for; 0: nothing */
} akin_token_row;

extern const akin_choice_table akin_similar_tokens;

#endif
