/* What a user should know of a search for duplicates that succeeded, in sentences: for the command, Python and
 * reports. */
#ifndef AKIN_DEDUPE_WARNINGS_H
#define AKIN_DEDUPE_WARNINGS_H

#include "base/error.h"

/* What warnings are about. Names are those of akin_dedupe_titles; NULL: nobody has named them. */
typedef struct akin_warned {
    const akin_dedupe_options *options; /* with what came of selections, and what comparators found */
    const char *const *columns, *const *selections;
    uint32_t tables;
    uint64_t found;                   /* pairs */
    const akin_clusters_shape *shape; /* NULL: not known */
} akin_warned;

void akin_warn(const akin_warned *warned, akin_warning_sink sink, void *user);

#endif
