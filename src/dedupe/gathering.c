/* Which comparisons a job has, and the levels of a pair. */
#include "dedupe/gathering.h"

#define CUTS_OF_TEXT    8
#define CUTS_OF_NUMBERS 13

/* Similarities at which levels begin: first those of texts. Those of numbers and dates fall slowly with the difference,
 * so there are more levels near 1. */
const double akin_level_cuts[AKIN_LEVEL_CUTS] = {0.15, 0.3,  0.45, 0.6,  0.75, 0.85, 0.92, 0.999, /* */
                                                 0.15, 0.3,  0.45, 0.6,  0.7,  0.8,  0.85, 0.9,
                                                 0.93, 0.96, 0.98, 0.99, 0.999};
_Static_assert(CUTS_OF_TEXT + CUTS_OF_NUMBERS == AKIN_LEVEL_CUTS, "all cuts are there");

static void add_comparison(akin_gathering *g, const akin_dedupe_options *options, const akin_scoring *scoring,
                           uint32_t attribute)
{
    const int is_number = scoring->attributes[attribute].numbers != NULL;
    const uint32_t before = g->count > 0 ? g->comparisons[g->count - 1].first + g->comparisons[g->count - 1].count : 0;
    akin_leveled *c = &g->comparisons[g->count++];
    *c = (akin_leveled){.column = options->attributes[attribute].column,
                        .first = before,
                        .levels = 1 + (is_number ? CUTS_OF_NUMBERS : CUTS_OF_TEXT),
                        .cuts = is_number ? CUTS_OF_TEXT : 0};
    for (uint32_t i = attribute; i < options->attribute_count; i++)
        if (options->attributes[i].column == c->column)
            g->members[c->first + c->count++] = i;
}

akin_status akin_gathering_make(akin_account *account, const akin_dedupe_options *options, const akin_scoring *scoring,
                                akin_gathering *out, akin_error *error)
{
    akin_gathering *g = out;
    *g = (akin_gathering){.comparisons = akin_alloc(account, options->attribute_count, sizeof *g->comparisons),
                          .members = akin_alloc(account, options->attribute_count, sizeof *g->members)};
    if (!g->comparisons || !g->members)
        return akin_fail_memory(error, "the comparisons");
    for (uint32_t i = 0; i < options->attribute_count; i++) {
        uint32_t c = 0;
        while (c < g->count && g->comparisons[c].column != options->attributes[i].column)
            c++;
        if (c == g->count)
            add_comparison(g, options, scoring, i);
    }
    return AKIN_OK;
}

void akin_gathering_clear(akin_gathering *gathering)
{
    akin_free(gathering->comparisons);
    akin_free(gathering->members);
    *gathering = (akin_gathering){0};
}

void akin_gathering_levels(const akin_gathering *gathering, const double *each, uint8_t *levels)
{
    for (uint32_t c = 0; c < gathering->count; c++)
        levels[c] = akin_level_of(&gathering->comparisons[c], gathering->members, akin_level_cuts, each);
}
