/* How pairs of records are selected: what a row of the table of selections has. */
#ifndef AKIN_DEDUPE_SELECTION_ROW_H
#define AKIN_DEDUPE_SELECTION_ROW_H

#include "dedupe/plan_forms.h"
#include "dedupe/plan_made.h"
#include "dedupe/selector.h"

typedef struct akin_selection_row akin_selection_row;

/* What a GPU needs for a selection. */
typedef enum akin_gpu_making {
    AKIN_GPU_TAKES, /* the arrays, which the CPU makes */
    AKIN_GPU_NEEDS_NONE,
    /* The column of the first part: it sorts the records by the key, if the key is one of the key's parts there. */
    AKIN_GPU_SORTS
} akin_gpu_making;

/*
 * A way to select pairs; its value is an akin_selection_kind. It is an option of a plan by its name, and so of the
 * command, which shows its arguments behind a blank and its help. One without arguments says all by its name; others
 * may be given several times.
 */
struct akin_selection_row {
    akin_choice choice;
    /* Reads a word of the option. */
    akin_status (*read)(akin_plan_made *made, const akin_selection_row *row, const char *word, akin_error *error);
    akin_plan_form form;              /* the word as members of an object; no fields: there are no arguments */
    uint32_t parts_least, parts_most; /* columns that it has */
    int has_keys;                     /* of these columns: by default `key` */
    int has_values;                   /* it is made of the distinct values of its columns */
    int has_copies; /* it selects a pair of copies of two records if it selects these: it looks at no others, but for
                       the sizes of blocks */
    akin_key key;
    akin_tokens tokens; /* that values are cut into by default; 0: they are not cut */
    akin_gpu_making gpu;
    akin_locality locality;
    const akin_pairing *pairing;
    /* Checks what no other selection has; NULL: there is nothing. */
    akin_status (*check)(const akin_selection *selection, uint32_t at, akin_error *error);
    /* Makes the arrays of a selector. */
    akin_status (*make)(const akin_selecting *job, akin_selector *selector, akin_error *error);
    /* How many pairs it has, about. */
    double (*expected)(const akin_dedupe_options *options, const akin_selection *selection,
                       const akin_records *records);
};

#endif
