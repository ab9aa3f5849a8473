/* Indexes for match-count search in files. */
#ifndef AKIN_SEARCH_INDEX_FILE_H
#define AKIN_SEARCH_INDEX_FILE_H

#include "search/index.h"

/* Takes an index of any kind from a container, which becomes its own; if it is none, the container is closed. */
akin_status akin_search_index_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                           akin_search_index **out, akin_error *error);

/* Takes an index from an image in memory, aligned to 64 bytes, which must live as long as it; `name` is for
 * messages. */
akin_status akin_search_index_parse(const akin_scope *scope, const char *name, const void *image, uint64_t length,
                                    akin_search_index **out, akin_error *error);

#endif
