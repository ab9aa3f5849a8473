/* How pairs of records are selected: the table of selections, and those of what they are told. */
#ifndef AKIN_DEDUPE_SELECTIONS_H
#define AKIN_DEDUPE_SELECTIONS_H

#include "dedupe/plan.h"
#include "dedupe/plan_forms.h"
#include "dedupe/selection.h"

/* What a GPU needs for a selection. */
typedef enum akin_gpu_making {
    AKIN_GPU_TAKES, /* the arrays, which the CPU makes */
    AKIN_GPU_NEEDS_NONE,
    AKIN_GPU_SORTS /* the column of the first part: it sorts the records by the key, if the key is one of those it has */
} akin_gpu_making;

/*
 * A way to select pairs; its value is an akin_selection_kind. It is an option of a plan by its name, and so of the command, which
 * shows its arguments behind a blank and its help. One without arguments says all by its name; others may be given several times.
 */
typedef struct akin_selection_row {
    akin_choice choice;
    /* Reads a word of the option. */
    akin_status (*read)(akin_plan_made *made, const akin_selection_row *row, const char *word, akin_error *error);
    akin_plan_form form;              /* the word as members of an object; no fields: there are no arguments */
    uint32_t parts_least, parts_most; /* columns that it has */
    int has_keys;                     /* of these columns: by default `key` */
    akin_key key;
    int has_text; /* options of how values are cut into tokens */
    akin_gpu_making gpu;
    const akin_pairing *pairing;
    /* Checks what no other selection has; NULL: there is nothing. */
    akin_status (*check)(const akin_selection *selection, uint32_t at, akin_error *error);
    /* Makes the arrays of a selector. */
    akin_status (*make)(const akin_selecting *job, akin_selector *selector, akin_error *error);
    /* How many pairs it has, about. */
    double (*expected)(const akin_selection *selection, const akin_records *records);
} akin_selection_row;

extern const akin_choice_table akin_selections;

/* The row of a selection; NULL: there is none. */
const akin_selection_row *akin_selection_row_of(akin_selection_kind kind);

/* The parts that a selection looks at. */
uint32_t akin_selection_parts(const akin_selection *selection);

/* What a missing value contributes; a value is an akin_missing. */
extern const akin_choice_table akin_missing_ways;

/* ------------------------------------------------------------------------------------------------ what the rows have */

/* select_all.c */
akin_status akin_select_all(const akin_selecting *job, akin_selector *selector, akin_error *error);
double akin_select_all_expected(const akin_selection *selection, const akin_records *records);

/* select_window.c */
akin_status akin_select_window_check(const akin_selection *selection, uint32_t at, akin_error *error);
akin_status akin_select_window(const akin_selecting *job, akin_selector *selector, akin_error *error);
double akin_select_window_expected(const akin_selection *selection, const akin_records *records);

/* select_block.c */
akin_status akin_select_block(const akin_selecting *job, akin_selector *selector, akin_error *error);

/* select_similar.c */
akin_status akin_select_similar_check(const akin_selection *selection, uint32_t at, akin_error *error);
akin_status akin_select_similar(const akin_selecting *job, akin_selector *selector, akin_error *error);

#endif
