/*
 * A plan of deduplication in the making: what was said of each option, and what it is read into.
 *
 *     said      the words of each option, in their order (plan.c); objects of JSON have become words (plan_forms.c)
 *     made      columns (plan_columns.c), attributes (plan_compare.c), selections (plan_pairs.c), and the options over them
 *
 * Lists grow while words are read. So what points into a list is set when all of them are complete, in plan_finish.c.
 */
#ifndef AKIN_DEDUPE_PLAN_H
#define AKIN_DEDUPE_PLAN_H

#include "base/choice.h"
#include "base/memory.h"

/* The options that a plan has beside the selections, which are the rows of akin_selections. */
extern const akin_choice_table akin_plan_options;

/* Their places in that table; and the place of what was said of all selections. */
enum {
    AKIN_PLAN_MAX_BLOCK,
    AKIN_PLAN_COMPARE,
    AKIN_PLAN_COMBINE,
    AKIN_PLAN_FOLD,
    AKIN_PLAN_MISSING,
    AKIN_PLAN_THRESHOLD,
    AKIN_PLAN_ONE_TO_ONE,
    AKIN_PLAN_CLUSTER,
    AKIN_PLAN_ID,
    AKIN_PLAN_SELECTIONS,
    AKIN_PLAN_OPTIONS
};

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
    akin_dedupe_titles titles;
    akin_dedupe_options options;
    akin_clusters_options clusters;
    char *members; /* what was said, as members of an object of JSON; owned */
    int is_complete;
} akin_plan_made;

struct akin_dedupe_plan {
    akin_plan_list said[AKIN_PLAN_OPTIONS]; /* akin_plan_said */
    akin_plan_made made;
};

/* Forgets what was read. */
void akin_plan_clear_made(akin_plan_made *made);

/* Writes what was said as members of an object of JSON. Errors: AKIN_E_NOMEM. */
akin_status akin_plan_write_members(akin_dedupe_plan *plan, akin_error *error);

/* ------------------------------------------------------------------------------------------------------------ words */

/* Takes the next field off a text, which is written to, up to one of `ends` or to the end of the text; *ended is that byte.
 * One in quotes may hold anything, and quotes that are doubled. NULL: it does not end as it began. */
char *akin_plan_take(char **text, const char *ends, char *ended);

/* Takes LEFT[=RIGHT] likewise; *right is the left one if there is none. NULL: a name is missing, or,
 * with *right NULL, it does not end as it began. */
const char *akin_plan_take_column(char **text, const char *ends, char *ended, const char **right);

/* Whether a field stands in quotes: it would be several ones without, or `taken` (NULL: none), which means something else. */
int akin_plan_needs_quotes(const char *field, const char *taken);

/* Writes a field at `to`, in quotes if it needs them: at most 2 bytes for each of its own, and 2 more, no NUL; returns where it
 * ends. */
char *akin_plan_put(char *to, const char *field, const char *taken);

/* Reads a whole decimal number from low to high, digits only; 0 if it is none. */
int akin_plan_number(const char *text, uint64_t low, uint64_t high, uint64_t *out);

/* Refuses what was said of an option: the message is "OPTION SAID: ...". `word`: the part of it that is wrong; NULL: no single one
 * is. Returns AKIN_E_OPTION. */
AKIN_PRINTF(6, 7)
akin_status akin_plan_fail(akin_error *error, akin_reason reason, const char *option, const char *said,
                           const char *word, const char *format, ...);

/* The same by what another failure says, with an advice behind it. */
akin_status akin_plan_fail_from(akin_error *error, const char *option, const char *said, const akin_error *refused,
                                const char *advice);

/* The same of quotes within it. */
akin_status akin_plan_fail_quotes(akin_error *error, const char *option, const char *said);

/* The same of what akin_plan_take_column did not take, and of which it said `right`: quotes, or else a form that is not the one
 * that is expected. */
akin_status akin_plan_fail_column(akin_error *error, const char *option, const char *said, const char *right,
                                  const char *expected);

/* A copy of a word, which is the plan's; NULL: there is no memory for it, as the error says. */
char *akin_plan_copy(akin_plan_made *made, const char *word, akin_error *error);

/* The text that is formatted, likewise. */
AKIN_PRINTF(3, 4)
char *akin_plan_text(akin_plan_made *made, akin_error *error, const char *format, ...);

/* What to do about a name that was taken for two. */
#define AKIN_PLAN_IN_QUOTES(example) "; a name with a colon, plus or = stands in quotes: '" example "'"

/* ---------------------------------------------------------------------------------------------------------- columns */

/* The number of a column of the tables that the left and the right one call so. It is a new one if it was not named before. */
akin_status akin_plan_column(akin_plan_made *made, const char *left, const char *right, uint32_t *out,
                             akin_error *error);

/* The number of a column, be it combined or of the tables. */
akin_status akin_plan_any_column(akin_plan_made *made, const char *left, const char *right, uint32_t *out,
                                 akin_error *error);

/* The name of such a number. */
const char *akin_plan_column_name(const akin_plan_made *made, uint32_t column);

/* Reads what rows are called: LEFT[=RIGHT], one of which may be empty, for rows that are called by their numbers. */
akin_status akin_plan_read_id(akin_plan_made *made, const char *word, akin_error *error);

/* Reads NAME=COLUMN[+COLUMN...]. */
akin_status akin_plan_read_combine(akin_plan_made *made, const char *word, akin_error *error);

/* Gives combined columns the numbers behind those of the tables, once all are named. */
akin_status akin_plan_number_columns(akin_plan_made *made, akin_error *error);

/* Reads all words of --fold: COLUMN[:FOLD[+FOLD...]]. Columns have their numbers. */
akin_status akin_plan_read_folds(akin_plan_made *made, const akin_plan_list *words, akin_error *error);

/* ------------------------------------------------------------------------------------------------------------ rules */

/* Reads COLUMN:COMPARATOR[:THRESHOLD[:WEIGHT]]. */
akin_status akin_plan_read_compare(akin_plan_made *made, const char *word, akin_error *error);

/* Reads the word of a selection: see akin_selection_row. */
typedef struct akin_selection_row akin_selection_row;
akin_status akin_plan_read_all(akin_plan_made *made, const akin_selection_row *row, const char *word,
                               akin_error *error);
akin_status akin_plan_read_window(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                  akin_error *error);
akin_status akin_plan_read_block(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                 akin_error *error);
akin_status akin_plan_read_similar(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                   akin_error *error);

#endif
