/* Writes for people what a search for duplicates did. */
#include "summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "number.h"

#define COUNTED (AKIN_CLI_NUMBER + 16) /* a number and what it counts */

/* "1 pair", "2,000 pairs". */
static const char *counted(char text[COUNTED], uint64_t count, const char *what)
{
    char number[AKIN_CLI_NUMBER];
    snprintf(text, COUNTED, "%s %s%s", akin_cli_format_grouped(number, count), what, count == 1 ? "" : "s");
    return text;
}

/* What a selection selected. */
static void print_selection(const akin_dedupe_plan *plan, uint32_t at, const akin_selected *s)
{
    char a[COUNTED], b[COUNTED], c[COUNTED];
    int one = s->oversized == 1;
    fprintf(stderr, "selected    %s, ", counted(a, s->pairs, "pair"));
    if (at > 0)
        fprintf(stderr, "%s of them new, ", akin_cli_format_grouped(b, s->fresh));
    fputs("by ", stderr);
    akin_cli_put_text(stderr, akin_dedupe_plan_titles(plan)->selections[at]);
    if (s->oversized)
        fprintf(stderr, "; left out: %s block%s of more than %s records (--max-block), %s records in %s",
                akin_cli_format_grouped(a, s->oversized), one ? "" : "s",
                akin_cli_format_grouped(b, akin_dedupe_plan_options(plan)->max_block),
                akin_cli_format_grouped(c, s->oversized_records), one ? "it" : "them");
    if (s->key_pairs_selected < s->key_pairs)
        fprintf(stderr, "; the window reached %s of the %s pairs with equal keys",
                akin_cli_format_grouped(a, s->key_pairs_selected), akin_cli_format_grouped(b, s->key_pairs));
    fprintf(stderr, "\n");
}

void akin_cli_summary_warn(const akin_cli_summary *summary)
{
    akin_dedupe_warn(summary->plan, summary->tables, summary->report, &summary->shape, akin_cli_warn_of, NULL);
}

/* How many of the gold pairs were found; of the closed ones, where every two records of a cluster are a pair. */
static void print_evaluation(const akin_evaluation *e, int closed)
{
    const char *word = closed ? "closed " : "";
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER];
    fprintf(stderr, "%-11s %s %s%s, %s of them %s: %sprecision %.4f, %srecall %.4f, %sf1 %.4f\n",
            closed ? "closed" : "gold", akin_cli_format_grouped(a, e->gold), e->gold == 1 ? "pair" : "pairs",
            closed ? " after closure to clusters" : "", akin_cli_format_grouped(b, e->both),
            closed ? "in one cluster" : "found", word, e->precision, word, e->recall, word, e->f1);
}

/* What was learnt, and what is expected of the pairs found. */
static void print_learnt(const akin_cli_summary *summary)
{
    const akin_dedupe_report *report = summary->report;
    char a[COUNTED];
    if (report->decoys > 0)
        fprintf(stderr, "reference   how alike wrong partners are, from %s of the left table",
                counted(a, report->decoys, "record"));
    else if (report->learnt > 0)
        fprintf(stderr, "%-11s weights of %s", report->applied ? "model" : "learnt",
                counted(a, report->learnt, "comparison"));
    else if (report->applied)
        fprintf(stderr, "model       default weights");
    else
        fprintf(stderr, "learnt      no weights from so few comparisons: default weights");
    if (report->answers > 0)
        fprintf(stderr, " and %s", counted(a, report->answers, "answer"));
    if (report->answers_doubted > 0)
        fprintf(stderr, ", %" PRIu32 " of them doubted", report->answers_doubted);
    if (summary->model) {
        fputs(report->applied ? " from " : ", kept in ", stderr);
        akin_cli_put_text(stderr, summary->model);
    }
    fprintf(stderr, "; a %s has %s; threshold %.3g; expected of the selected pairs: ",
            report->decoys > 0 ? "right record" : "record",
            report->decoys > 0 || report->partners == AKIN_PARTNERS_ONE ? "one partner" : "many partners",
            report->threshold);
    akin_cli_format_grouped(a, (uint64_t)(report->expected_matches + 0.5));
    fprintf(stderr, "%s match%s, precision %.3f, recall %.3f\n", a, strcmp(a, "1") == 0 ? "" : "es",
            report->expected_precision, report->expected_recall);
}

/* How good clusters are as wholes, and as their records see them. */
static void print_clusters(const akin_cluster_evaluation *e)
{
    const akin_quality *c = &e->clusters, *b = &e->bcubed;
    char one[AKIN_CLI_NUMBER], other[AKIN_CLI_NUMBER], records[COUNTED];
    fprintf(stderr, "clusters    %s gold %s, %s of them found exactly: precision %.4f, recall %.4f, f1 %.4f\n",
            akin_cli_format_grouped(one, e->gold_clusters), e->gold_clusters == 1 ? "cluster" : "clusters",
            akin_cli_format_grouped(other, e->both_clusters), c->precision, c->recall, c->f1);
    fprintf(stderr, "b-cubed     of %s: precision %.4f, recall %.4f, f1 %.4f\n", counted(records, e->records, "record"),
            b->precision, b->recall, b->f1);
}

void akin_cli_summary_print(const akin_cli_summary *summary)
{
    const akin_dedupe_report *report = summary->report;
    char a[COUNTED], b[COUNTED];
    if (summary->shape.largest > 1)
        fprintf(stderr, "largest     cluster of %s records, %s records in all clusters of two and more\n",
                akin_cli_format_grouped(a, summary->shape.largest), akin_cli_format_grouped(b, summary->shape.rows));
    fprintf(stderr, "records     %s", akin_cli_format_grouped(a, summary->rows[0]));
    if (summary->tables == 2)
        fprintf(stderr, " and %s", akin_cli_format_grouped(a, summary->rows[1]));
    fprintf(stderr, ", %s in all\n", counted(b, report->pairs_all, "pair"));
    const akin_dedupe_options *options = akin_dedupe_plan_options(summary->plan);
    for (uint32_t i = 0; i < options->selection_count; i++)
        print_selection(summary->plan, i, &options->selected[i]);
    fprintf(stderr, "compared    %s; %s of values in full", counted(a, report->pairs_selected, "pair"),
            counted(b, report->values_compared, "pair"));
    if (report->device)
        fprintf(stderr, "; on GPU %u", report->device - 1);
    if (report->given_up)
        fprintf(stderr, "; on the CPU, as GPU %u could not", report->given_up - 1);
    fprintf(stderr, "\n");
    if (report->equal_records > 0)
        fprintf(stderr, "equal       %s of one cluster with others, as all compared columns are equal\n",
                counted(a, report->equal_records, "further record"));
    if (options->weights == AKIN_WEIGHTS_LEARN)
        print_learnt(summary);
    fprintf(stderr, "found       %s, %s of two records and more\n", counted(a, report->pairs_found, "pair"),
            counted(b, summary->shape.clusters, "cluster"));
    if (summary->evaluation)
        print_evaluation(summary->evaluation, 0);
    if (summary->evaluation)
        print_evaluation(&summary->closed->pairs, 1);
    if (summary->evaluation)
        print_clusters(summary->closed);
    fprintf(stderr, "seconds     read %.3f, values %.3f, select %.3f, compare %.3f, ", summary->seconds_read,
            report->seconds_values, report->seconds_select, report->seconds_compare);
    if (options->weights == AKIN_WEIGHTS_LEARN)
        fprintf(stderr, "learn %.3f, ", report->seconds_learn);
    fprintf(stderr, "cluster %.3f\n", summary->seconds_cluster);
    fprintf(stderr, "memory      %s\n", akin_cli_format_amount(a, (double)report->memory, "B"));
}
