/* An annex: rows for the tables of the library, and further tables, that another library has. A context takes one by
 * akin_context_use. */
#ifndef AKIN_BASE_ANNEX_H
#define AKIN_BASE_ANNEX_H

#include "base/choice.h"
#include "base/scope.h"

/* The rows that an annex has for one table. They are of the same struct as the rows of that table. */
typedef struct akin_annex_part {
    const akin_choice_table *of;
    akin_choice_table rows;
} akin_annex_part;

/*
 * An annex is a constant of the other library. Rooms look at their own rows first, then at those of the context's
 * annex. The values of an annex's rows begin at AKIN_ANNEX_FIRST, so no row of the library has one of them.
 */
struct akin_annex {
    const char *version; /* AKIN_VERSION_STRING of its build; it comes first, whatever else changes */
    const akin_annex_part *parts;
    uint32_t count;
};

/* The table, with the annex's rows behind its own. An annex of NULL has none. The annex must outlive the result. */
akin_choice_table akin_annex_table(const akin_annex *annex, const akin_choice_table *table);

/* The row of a value of the table or of the annex; NULL if there is none. A room casts it to its own kind of row. */
const akin_choice *akin_annex_find(const akin_annex *annex, const akin_choice_table *table, int value);

/* The same in *out. Errors: AKIN_E_OPTION; the message begins with `where`, and says how to use the annex if it may
 * have the row. */
akin_status akin_annex_row(const akin_annex *annex, const akin_choice_table *table, int value, const char *where,
                           const akin_choice **out, akin_error *error);

/* The row that checks the options of an annex, that of value 0 of `readers`, in *out. Errors: AKIN_E_OPTION (the annex
 * has none; the message begins with `where`). */
akin_status akin_annex_reader(const akin_annex *annex, const akin_choice_table *readers, const char *where,
                              const akin_choice **out, akin_error *error);

/* Refuses an annex whose version is not that of this library: AKIN_E_OPTION. */
akin_status akin_annex_check(const char *version, akin_error *error);

/* The annex of a scope's context; NULL: it has none, or there is no scope. */
const akin_annex *akin_annex_of(const akin_scope *scope);

#endif
