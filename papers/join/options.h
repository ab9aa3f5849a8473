/* The options of the papers' joins: their reader, a row of the table "readers of options". */
#ifndef AKIN_PAPERS_JOIN_OPTIONS_H
#define AKIN_PAPERS_JOIN_OPTIONS_H

#include "akin_papers.h"
#include "join/technique.h"

#define AKIN_PAPERS_READERS 1
extern const akin_join_reader akin_papers_join_readers[AKIN_PAPERS_READERS];

/* The options of a job or of akin_join_options.annex, which are checked; NULL: the defaults. */
akin_papers_join_options akin_papers_join_options_of(const void *annex);

#endif
