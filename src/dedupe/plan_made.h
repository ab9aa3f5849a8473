/* What a plan is read into: lists that grow, and the options over them. */
#ifndef AKIN_DEDUPE_PLAN_MADE_H
#define AKIN_DEDUPE_PLAN_MADE_H

#include "base/choice.h"
#include "base/memory.h"

/* Rows of one size, in a block that grows. */
typedef struct akin_plan_list {
    void *rows;
    uint64_t count, capacity;
} akin_plan_list;

/* Adds a row of zeros; NULL: there is no memory for it, as the error says. */
void *akin_plan_push(akin_plan_list *list, size_t size, akin_error *error);

/* What was said of an option, once. */
typedef struct akin_plan_said {
    const akin_choice *option; /* its row */
    char *word;
} akin_plan_said;

/* A column that is made of others. */
typedef struct akin_plan_combined {
    const char *name;
    uint32_t count; /* of its parts, which follow those of the one before */
} akin_plan_combined;

/* Where synonyms come from. */
typedef struct akin_plan_source {
    uint32_t column;    /* that they are for; AKIN_PLAN_COLUMNS: all */
    const char *file;   /* NULL: none */
    const char *groups; /* lines; NULL: none */
} akin_plan_source;

/* Synonyms, which have all sources for all columns, and those of a column. */
typedef struct akin_plan_equals {
    akin_synonyms *synonyms; /* owned */
    uint32_t column;         /* AKIN_PLAN_COLUMNS: none */
} akin_plan_equals;

#define AKIN_PLAN_COLUMNS UINT32_MAX

/* The word that stands for all columns, without quotes. */
#define AKIN_PLAN_ALL "all"

/* The number of the first combined column while columns of the tables are still being named. */
#define AKIN_PLAN_COMBINED 0x80000000U

/* What is read from the words. */
typedef struct akin_plan_made {
    akin_plan_list copies;   /* char *: words cut into fields, and names; owned */
    akin_plan_list columns;  /* const char *: those of the tables, once each; at the end combined ones behind them */
    akin_plan_list sides[2]; /* const char *: what the left and the right table call each of those of the tables */
    akin_plan_list combined; /* akin_plan_combined */
    akin_plan_list combined_parts;   /* uint32_t */
    akin_plan_list combined_options; /* akin_combined */
    akin_plan_list attributes;       /* akin_attribute */
    akin_plan_list compare;          /* akin_compare_options, one an attribute */
    akin_plan_list parsed;           /* akin_parsed, two an attribute */
    akin_plan_list comparators;      /* const char *, one an attribute */
    akin_plan_list attribute_titles; /* const char *, one an attribute */
    akin_plan_list selections;       /* akin_selection */
    akin_plan_list texts;            /* akin_text_options, one a selection */
    akin_plan_list selection_titles; /* const char *, one a selection */
    akin_plan_list selected;         /* akin_selected, one a selection */
    akin_plan_list parts;            /* akin_key_part, those of a selection after those of the one before */
    akin_plan_list folds;            /* uint32_t, one a column */
    akin_plan_list sources;          /* akin_plan_source */
    akin_plan_list equals;           /* akin_plan_equals */
    akin_plan_list synonyms;         /* const akin_synonyms *, one a column: those of `equals`, or NULL */
    akin_dedupe_titles titles;
    akin_dedupe_options options;
    akin_clusters_options clusters;
    char *members; /* what was said, as members of an object of JSON; owned */
    int is_complete;
} akin_plan_made;

/* Forgets what was read. */
void akin_plan_clear_made(akin_plan_made *made);

/* A copy of a word, which is the plan's; NULL: there is no memory for it, as the error says. */
char *akin_plan_copy(akin_plan_made *made, const char *word, akin_error *error);

/* The text that is formatted, likewise. */
AKIN_PRINTF(3, 4)
char *akin_plan_text(akin_plan_made *made, akin_error *error, const char *format, ...);

#endif
