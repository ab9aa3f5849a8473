/* Which searches the paper's techniques are for; their options, and their figures of a report. */
#ifndef AKIN_PAPERS_SEARCH_CHOICE_H
#define AKIN_PAPERS_SEARCH_CHOICE_H

#include "akin_papers.h"
#include "search/technique.h"

/* Which of akin_search_report.annex_figures is what: fields of akin_papers_search_report. */
enum {
    AKIN_FIGURE_QUERY_BYTES,
    AKIN_FIGURE_AGAIN,
    AKIN_FIGURE_TRANSFER,
    AKIN_FIGURE_MATCH,
    AKIN_FIGURE_SELECT,
};

/* Whether a technique of the paper can serve the call. */
akin_search_call_check akin_paper_check;

/* The reader of akin_papers_search_options. */
#define AKIN_PAPERS_SEARCH_READERS 1
extern const akin_search_reader akin_papers_search_readers[AKIN_PAPERS_SEARCH_READERS];

/* The options of akin_search_options.annex, which are checked; NULL: the defaults. */
akin_papers_search_options akin_papers_search_options_of(const void *annex);

#endif
