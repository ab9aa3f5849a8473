/* The annex of the papers: the rows that it has for each table of the library. */
#include "akin_papers.h"
#include "base/annex.h"
#include "papers/graph/warshall.h"

static const akin_annex_part parts[] = {
    {&akin_clusterings, AKIN_CHOICE_TABLE("clustering", akin_warshall_rows)},
};

static const akin_annex annex = {AKIN_VERSION_STRING, parts, sizeof parts / sizeof *parts};

const akin_annex *akin_papers(void)
{
    return &annex;
}
