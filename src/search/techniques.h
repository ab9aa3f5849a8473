/* The table of the techniques of a search. */
#ifndef AKIN_SEARCH_TECHNIQUES_H
#define AKIN_SEARCH_TECHNIQUES_H

#include "search/technique.h"

/* The techniques by name. The other table is empty in the library: an annex may have an akin_search_reader. */
extern const akin_choice_table akin_search_techniques, akin_search_readers;

/* The row of a technique of the library or of the annex; NULL: there is none. */
const akin_search_technique_row *akin_search_technique_of(const akin_annex *annex, akin_search_technique technique);

#endif
