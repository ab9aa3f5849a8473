/* What a search for duplicates did, told to people. */
#include "summary.h"

#include <stdio.h>

#include "number.h"

/* The clusters of two rows and more. */
static uint32_t count_clusters(const akin_clusters *clusters)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < akin_clusters_rows(clusters); row++)
        count += akin_clusters_row(clusters, row) == row && akin_clusters_size(clusters, row) > 1;
    return count;
}

/* What a selection selected. */
static void print_selection(const akin_cli_rules *rules, uint32_t at, const akin_selected *s)
{
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER];
    fprintf(stderr, "selected    %s pairs, %s of them new, by %s", akin_cli_format_grouped(a, s->pairs),
            akin_cli_format_grouped(b, s->fresh), rules->pairs[at]);
    if (rules->of[at])
        fprintf(stderr, " of %s", rules->of[at]);
    if (s->oversized)
        fprintf(stderr, "; left out: %s blocks, of %s records", akin_cli_format_grouped(a, s->oversized),
                akin_cli_format_grouped(b, s->oversized_records));
    fprintf(stderr, "\n");
}

static void print_evaluation(const akin_evaluation *e)
{
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER];
    fprintf(stderr, "gold        %s pairs, %s of them found: precision %.4f, recall %.4f, f1 %.4f\n",
            akin_cli_format_grouped(a, e->gold), akin_cli_format_grouped(b, e->both), e->precision, e->recall, e->f1);
}

void akin_cli_summary_print(const akin_cli_summary *summary)
{
    const akin_dedupe_report *report = summary->report;
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER];
    fprintf(stderr, "records     %s", akin_cli_format_grouped(a, summary->rows[0]));
    if (summary->tables == 2)
        fprintf(stderr, " and %s", akin_cli_format_grouped(a, summary->rows[1]));
    fprintf(stderr, ", %s pairs in all\n", akin_cli_format_grouped(b, report->pairs_all));
    for (uint32_t i = 0; i < summary->rules->options.selection_count; i++)
        print_selection(summary->rules, i, &summary->rules->selected[i]);
    fprintf(stderr, "compared    %s pairs; %s pairs of values to the end\n",
            akin_cli_format_grouped(a, report->pairs_selected), akin_cli_format_grouped(b, report->values_compared));
    fprintf(stderr, "found       %s pairs, %s clusters of two records and more\n",
            akin_cli_format_grouped(a, report->pairs_found),
            akin_cli_format_grouped(b, count_clusters(summary->clusters)));
    if (summary->evaluation)
        print_evaluation(summary->evaluation);
    fprintf(stderr, "seconds     read %.3f, values %.3f, select %.3f, compare %.3f\n", summary->seconds_read,
            report->seconds_values, report->seconds_select, report->seconds_compare);
    fprintf(stderr, "memory      %s\n", akin_cli_format_amount(a, (double)report->memory, "B"));
}
