/* Warns of texts that are too short for their tokens. */
#include "base/grouped.h"
#include "text/options.h"

#include <stdio.h>

#define TEXT 1024 /* bytes of a warning */

int akin_text_counts_are_brief(const akin_text_counts *counts)
{
    return counts->brief > 0 && counts->brief >= (counts->texts + AKIN_BRIEF_SHARE - 1) / AKIN_BRIEF_SHARE;
}

void akin_text_warn(const akin_text_options *options, const char *where, akin_warning_sink sink, void *user)
{
    const akin_tokens_facts *facts = akin_tokens_facts_of(options->tokens);
    const akin_text_counts *counts = options->counts;
    char text[TEXT], brief[AKIN_GROUPED], texts[AKIN_GROUPED];
    if (!counts || !facts || !facts->units || !akin_text_counts_are_brief(counts))
        return;
    snprintf(text, sizeof text,
             "%.600s%s%s of %s text%s %s fewer than %u %s, so each is a single token, which only texts of the same %s "
             "have: use %s",
             where ? where : "", where ? ": " : "", akin_grouped(brief, counts->brief),
             akin_grouped(texts, counts->texts), counts->texts == 1 ? "" : "s", counts->brief == 1 ? "has" : "have",
             options->q, facts->units, facts->units, facts->for_brief);
    sink(user, text);
}
