/* The table of all tables of choices. */
#ifndef AKIN_CHOICES_CHOICES_H
#define AKIN_CHOICES_CHOICES_H

#include "base/choice.h"

/* A table, as a choice among tables, which has no value. */
typedef struct akin_table_row {
    akin_choice choice;
    const akin_choice_table *table; /* NULL: the table of tables itself */
} akin_table_row;

/* The tables of the library. An annex may have more. */
extern const akin_choice_table akin_tables;

#endif
