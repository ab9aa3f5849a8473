/* Indexes of strings: the functions of their row in the table of kinds (way.h), and the strings of queries. */
#ifndef AKIN_SEARCH_INDEX_STRINGS_H
#define AKIN_SEARCH_INDEX_STRINGS_H

#include "search/append.h"

/* Combines columns of strings: the table, to be freed, has the column. Errors: those of akin_table_combine. */
akin_status akin_search_combine(const akin_scope *scope, const akin_column *columns, uint32_t count, uint32_t rows,
                                akin_table **combined, akin_column *out, akin_error *error);

/* Makes an index of strings, those of one column or of several that are combined, whose code points have the numbers
 * that they have in `base` (NULL: there are none), and others behind these. Errors: those of
 * akin_search_index_of_strings. */
akin_status akin_search_strings_make(const akin_scope *scope, const akin_column *columns, uint32_t count, uint32_t rows,
                                     const akin_strings_options *options, const akin_letters *base,
                                     const akin_column *names, akin_search_index **out, akin_error *error);

/* Takes the code points of an index of strings, and puts these in order. Errors: those of akin_ordered_make. */
akin_status akin_search_order_strings(const akin_scope *scope, akin_search_index *index, akin_error *error);

/* What is wrong with the sections of a file; NULL: nothing. */
const char *akin_search_check_strings(const akin_search_index *index);

/* Takes the code points of a file, and puts strings in order. Errors: AKIN_E_INPUT, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_search_take_strings(const akin_scope *scope, const char *name, akin_search_index *index,
                                     akin_error *error);

/* Makes an index of further strings. Errors: those of akin_search_strings_make. */
akin_status akin_more_strings(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error);

/* Joins the strings of both sides, and unites their n-grams. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED. */
akin_status akin_unite_strings(akin_appending *a, akin_error *error);

#endif
