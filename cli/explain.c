/* The plan of a join, told to a person on stderr. */
#include "explain.h"

#include <stdio.h>
#include <string.h>

#include "number.h"

static void say(const char *label, const char *text)
{
    fprintf(stderr, "%-11s %s\n", label, text);
}

/* A predicted number of pairs. */
static void format_predicted(char text[AKIN_CLI_NUMBER], double value)
{
    if (value < 0)
        snprintf(text, AKIN_CLI_NUMBER, "-");
    else if (value < 1e15)
        akin_cli_format_grouped(text, (uint64_t)(value + 0.5));
    else
        snprintf(text, AKIN_CLI_NUMBER, "%.2e", value);
}

static void format_seconds(char text[AKIN_CLI_NUMBER], double seconds)
{
    if (seconds < 0)
        snprintf(text, AKIN_CLI_NUMBER, "-");
    else
        snprintf(text, AKIN_CLI_NUMBER, "%.*f", seconds < 99.9995 ? 3 : 1, seconds);
}

/* The signature of a step: "-", "256 bits", "64 then 256 bits" (a narrow one screens for a wide one), "64 bits, exact".
 */
static void format_signature(char text[AKIN_CLI_NUMBER], const akin_join_step *step)
{
    if (step->bits == 0)
        snprintf(text, AKIN_CLI_NUMBER, "-");
    else if (step->bits_screen == 0 || step->bits_screen == step->bits)
        snprintf(text, AKIN_CLI_NUMBER, "%u bits%s", step->bits, step->exact ? ", exact" : "");
    else
        snprintf(text, AKIN_CLI_NUMBER, "%u then %u bits", step->bits_screen, step->bits);
}

static void explain_data(const akin_join_summary *summary)
{
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER], c[AKIN_CLI_NUMBER], line[256];
    akin_cli_format_grouped(a, summary->rows_left);
    akin_cli_format_grouped(b, summary->rows_right);
    akin_cli_format_grouped(c, summary->tokens_left + summary->tokens_right);
    if (summary->rows_right > 0)
        snprintf(line, sizeof line, "%s and %s sets, %s tokens", a, b, c);
    else
        snprintf(line, sizeof line, "%s sets, %s tokens", a, c);
    say("data", line);
    akin_cli_format_grouped(a, summary->universe);
    akin_cli_format_grouped(b, summary->smallest);
    akin_cli_format_grouped(c, summary->largest);
    snprintf(line, sizeof line, "%s distinct tokens, %s to %s in a set", a, b, c);
    say("", line);
    akin_cli_format_grouped(a, summary->pairs_all);
    akin_cli_format_grouped(b, summary->pairs_compatible);
    double percent = summary->pairs_all ? 100 * (double)summary->pairs_compatible / (double)summary->pairs_all : 0;
    snprintf(line, sizeof line, "%s in all, %s (%.1f %%) of sizes that can qualify", a, b, percent);
    say("pairs", line);
}

static void explain_weighed(const akin_join_report *report)
{
    char signature[AKIN_CLI_NUMBER], candidates[AKIN_CLI_NUMBER], seconds[AKIN_CLI_NUMBER];
    uint32_t count = akin_join_report_steps(report, AKIN_JOIN_STEPS_WEIGHED);
    if (count == 0)
        return;
    fprintf(stderr, "\n%-11s %-10s  %-20s %16s  %9s\n", "weighed", "technique", "signature", "candidates", "seconds");
    for (uint32_t i = 0; i < count; i++) {
        akin_join_step step = {.size = sizeof step};
        if (akin_join_report_step(report, AKIN_JOIN_STEPS_WEIGHED, i, &step, NULL) != AKIN_OK)
            return;
        const char *name = akin_technique_name(step.technique);
        format_signature(signature, &step);
        format_predicted(candidates, step.predicted_candidates);
        format_seconds(seconds, step.predicted_seconds);
        fprintf(stderr, "%-11s %-10s  %-20s %16s  %9s\n", "", name ? name : "?", signature, candidates, seconds);
    }
}

static void explain_done(const akin_join_summary *summary, const akin_join_step *done)
{
    const char *name = akin_technique_name(done->technique);
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER], line[256];
    format_signature(a, done);
    snprintf(line, sizeof line, "%s%s%s, on %u thread%s", name ? name : "?", done->bits ? ", " : "",
             done->bits ? a : "", summary->threads, summary->threads == 1 ? "" : "s");
    fputc('\n', stderr);
    say("done", line);
    akin_cli_format_grouped(a, done->compared);
    snprintf(line, sizeof line, "%s %s", a, done->bits ? "pairs of signatures" : "postings");
    say("compared", line);
    akin_cli_format_grouped(a, done->candidates);
    format_predicted(b, done->predicted_candidates);
    if (done->predicted_candidates < 0)
        snprintf(line, sizeof line, "%s", a);
    else
        snprintf(line, sizeof line, "%s (predicted %s)", a, b);
    say("candidates", line);
    akin_cli_format_grouped(a, summary->pairs_found);
    say("found", a);
}

static void explain_cost(const akin_join_summary *summary, const akin_join_step *done, double seconds_read)
{
    const struct {
        const char *name;
        double seconds;
    } phases[] = {{"read", seconds_read},
                  {"prepare", summary->seconds_prepare},
                  {"plan", summary->seconds_plan},
                  {"join", summary->seconds_join},
                  {"deliver", summary->seconds_deliver}};
    char text[AKIN_CLI_NUMBER];
    fprintf(stderr, "%-11s", "seconds");
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        format_seconds(text, phases[i].seconds);
        fprintf(stderr, "%s %s %s", i ? "," : "", phases[i].name, text);
        if (strcmp(phases[i].name, "join") == 0 && done->predicted_seconds >= 0) {
            format_seconds(text, done->predicted_seconds);
            fprintf(stderr, " (predicted %s)", text);
        }
    }
    fputc('\n', stderr);
    say("memory", akin_cli_format_amount(text, (double)summary->memory_peak, "B"));
}

void akin_cli_explain(const akin_join_report *report, double seconds_read)
{
    akin_join_summary summary = {.size = sizeof summary};
    akin_join_step done = {.size = sizeof done, .predicted_seconds = -1};
    if (akin_join_report_summary(report, &summary, NULL) != AKIN_OK)
        return;
    int any = akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE) > 0;
    if (any && akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, 0, &done, NULL) != AKIN_OK)
        return;
    explain_data(&summary);
    explain_weighed(report);
    if (any)
        explain_done(&summary, &done);
    else
        say("done", "nothing: no two sets are of sizes that can qualify");
    explain_cost(&summary, &done, seconds_read);
}
