/* The annex of the papers: the rows that it has for each table of the library. */
#include "akin_papers.h"
#include "base/annex.h"
#include "choices/choices.h"
#include "graph/clusterings.h"
#include "join/technique_rows.h"
#include "papers/dict/forms.h"
#include "papers/graph/warshall.h"
#include "papers/join/options.h"
#include "papers/join/sharings.h"
#include "papers/join/techniques.h"
#include "papers/search/choice.h"
#include "papers/search/techniques.h"
#include "papers/weigh/techniques.h"
#include "weigh/weigher.h"

static const akin_table_row tables[] = {
    {{"sharings", "", "how candidates are shared among the threads of a GPU", 0, 0}, &akin_papers_sharings},
};

static const akin_annex_part parts[] = {
    {&akin_tables, AKIN_CHOICE_TABLE("table of choices", tables)},
    {&akin_trie_kinds, AKIN_CHOICE_TABLE("kind of trie", akin_papers_trie_kinds)},
    {&akin_clusterings, AKIN_CHOICE_TABLE("clustering", akin_warshall_rows)},
    {&akin_join_techniques, AKIN_CHOICE_TABLE("technique", akin_papers_techniques)},
    {&akin_join_gpu_techniques, AKIN_CHOICE_TABLE("technique", akin_papers_gpu_techniques)},
    {&akin_weigh_techniques, AKIN_CHOICE_TABLE("technique", akin_papers_weigh_techniques)},
    {&akin_join_readers, AKIN_CHOICE_TABLE("reader of options", akin_papers_join_readers)},
    {&akin_search_techniques, AKIN_CHOICE_TABLE("technique", akin_papers_search_techniques)},
    {&akin_search_readers, AKIN_CHOICE_TABLE("reader of options", akin_papers_search_readers)},
};

static const akin_annex annex = {AKIN_VERSION_STRING, parts, sizeof parts / sizeof *parts};

const akin_annex *akin_papers(void)
{
    return &annex;
}
