/* Indexes of trees, by edit distance: the functions of their row in the table of kinds (way.h). */
#ifndef AKIN_SEARCH_INDEX_TREES_H
#define AKIN_SEARCH_INDEX_TREES_H

#include "search/call.h"

/* Makes an index of one column of trees. Errors: those of akin_trees_join; AKIN_E_OPTION (several columns). */
akin_status akin_search_index_of_trees(const akin_scope *scope, const akin_search_objects *objects,
                                       const akin_search_index_options *options, const akin_column *names,
                                       akin_search_index **out, akin_error *error);

/* Takes the trees of a file, whose sections the index has. Errors: AKIN_E_INPUT, AKIN_E_NOMEM. */
akin_status akin_search_take_trees(const akin_scope *scope, const char *name, akin_search_index *index,
                                   akin_error *error);

/* Refuses further trees. Errors: AKIN_E_OPTION. */
akin_status akin_more_trees(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                            const akin_column *names, akin_search_index **out, akin_error *error);

/* Checks that such an index can answer the queries with the options. Errors: AKIN_E_OPTION. */
akin_status akin_call_admits_trees(const akin_search_call *call, akin_error *error);

/* Finds the nearest trees of all queries. Errors: those of akin_trees_join. */
akin_status akin_call_trees(akin_search_call *call, uint32_t rows, akin_error *error);

#endif
