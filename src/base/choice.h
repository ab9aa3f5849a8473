/* Tables of choices: the rows that the library knows by name. Each row begins with an akin_choice. */
#ifndef AKIN_BASE_CHOICE_H
#define AKIN_BASE_CHOICE_H

#include "base/error.h"

/*
 * A table of rows. A room defines its rows in one place, and whatever a row needs besides its names stands in the same
 * struct:
 *
 *     typedef struct fruit_row {
 *         akin_choice choice;
 *         double (*weigh)(const fruit *fruit);
 *     } fruit_row;
 *
 *     static const fruit_row rows[] = {{{"apple", "", "a round one", FRUIT_APPLE, AKIN_ON_CPU}, weigh_apple}, ...};
 *     const akin_choice_table akin_fruits = AKIN_CHOICE_TABLE("fruit", rows);
 */
typedef struct akin_choice_table {
    const char *what; /* what a row is, for messages: "technique" */
    const void *rows;
    const struct akin_former_name *formers; /* names that rows had before, up to one of NULL; NULL: there are none */
    size_t stride;                          /* bytes of a row */
    uint32_t count;
    const struct akin_choice_table *more; /* whose rows follow; NULL: none (base/annex.h) */
} akin_choice_table;

#define AKIN_CHOICE_TABLE(what, rows) AKIN_CHOICE_TABLE_RENAMED(what, rows, NULL)

/*
 * The same of a table whose rows were renamed. The old name is no alias: akin_choice_parse and the command refuse it,
 * and name the new one. To rename a row, change its name and add a pair here:
 *
 *     static const akin_former_name formers[] = {{"pomme", "apple"}, {NULL, NULL}};
 *     const akin_choice_table akin_fruits = AKIN_CHOICE_TABLE_RENAMED("fruit", rows, formers);
 */
#define AKIN_CHOICE_TABLE_RENAMED(what, rows, formers)                                                                 \
    {                                                                                                                  \
        what, rows, formers, sizeof *(rows), sizeof(rows) / sizeof *(rows), NULL                                       \
    }

typedef struct akin_former_name {
    const char *old, *now;
} akin_former_name;

/* Row `index`; NULL beyond the last one. */
const akin_choice *akin_choice_at(const akin_choice_table *table, uint32_t index);

/* The first row of a value; NULL if there is none. A room casts it to its own kind of row. */
const akin_choice *akin_choice_of(const akin_choice_table *table, int value);

/* The name of a value; NULL if there is none. */
const char *akin_choice_name(const akin_choice_table *table, int value);

/* The name that a row has now which was once called `length` bytes of `name`; NULL: none was. */
const char *akin_choice_name_now(const akin_choice_table *table, const char *name, size_t length);

/* Writes dashes for the underscores of a name, up to a slash or a colon, as its row has them. */
void akin_choice_respell(char *name);

/* The row whose name is the first `length` bytes of `name`, dashes or underscores, in *out, among those that have one
 * of `capabilities` (0: among all). Errors: AKIN_E_OPTION, with the names there are and the nearest one, or with the
 * new name of a row that was renamed. */
akin_status akin_choice_parse(const akin_choice_table *table, const char *name, size_t length, unsigned capabilities,
                              const akin_choice **out, akin_error *error);

/* The value of a name in *out. Errors: AKIN_E_OPTION, likewise. */
akin_status akin_choice_value(const akin_choice_table *table, const char *name, int *out, akin_error *error);

/* Lists the names of the rows that `is_listed` says yes to, with their arguments: "a, b[/N] or c". */
void akin_choice_list_if(const akin_choice_table *table, int (*is_listed)(const akin_choice *row, unsigned what),
                         unsigned what, char *text, size_t room);

/* Lists the names of the rows that have one of `capabilities` (0: of all), likewise. */
void akin_choice_list(const akin_choice_table *table, unsigned capabilities, char *text, size_t room);

#endif
