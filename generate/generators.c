/* The tables of generated data, as an annex: the library has no such tables. */
#include "akin_generate.h"
#include "base/annex.h"
#include "choices/choices.h"
#include "generate/documents.h"
#include "generate/records.h"

static const akin_table_row tables[] = {
    {{"copies", "", "how many duplicates a generated record has", 0, 0}, &akin_copies_ways},
    {{"distributions", "", "how frequent the words of generated text are", 0, 0}, &akin_distributions},
    {{"modifications", "", "the errors of generated duplicates", 0, 0}, &akin_modifications},
    {{"record-kinds", "", "what generated records describe", 0, 0}, &akin_records_kinds},
};

static const akin_annex_part parts[] = {{&akin_tables, AKIN_CHOICE_TABLE("table of choices", tables)}};

static const akin_annex annex = {AKIN_VERSION_STRING, parts, sizeof parts / sizeof *parts};

const akin_annex *akin_generators(void)
{
    return &annex;
}
