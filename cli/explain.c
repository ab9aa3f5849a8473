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

#define LINES 12                    /* of parts that are told one by one */
#define SIZES (2 * AKIN_CLI_NUMBER) /* bytes that hold two numbers */

/* The sizes of sets: "8" or "8 to 12". */
static void format_sizes(char text[SIZES], uint32_t smallest, uint32_t largest)
{
    akin_cli_format_grouped(text, smallest);
    if (smallest == largest)
        return;
    size_t length = strlen(text);
    memcpy(text + length, " to ", 4);
    akin_cli_format_grouped(text + length + 4, largest);
}

static void explain_part(const akin_join_step *step)
{
    char signature[AKIN_CLI_NUMBER], predicted[AKIN_CLI_NUMBER], candidates[AKIN_CLI_NUMBER], seconds[AKIN_CLI_NUMBER];
    char probes[SIZES], indexed[SIZES];
    const char *name = akin_technique_name(step->technique);
    format_sizes(probes, step->probes_smallest, step->probes_largest);
    format_sizes(indexed, step->indexed_smallest, step->indexed_largest);
    format_signature(signature, step);
    format_predicted(predicted, step->predicted_candidates);
    akin_cli_format_grouped(candidates, step->candidates);
    format_seconds(seconds, step->seconds);
    fprintf(stderr, "%-11s %-14s %-14s %-9s  %-19s %14s %14s %9s\n", "", probes, indexed, name ? name : "?", signature,
            predicted, candidates, seconds);
}

/* Adds a step to the sum of those before it. */
static void add_step(akin_join_step *sum, const akin_join_step *step)
{
    if (sum->parts &&
        (sum->technique != step->technique || sum->bits != step->bits || sum->bits_screen != step->bits_screen))
        sum->technique = AKIN_AUTO; /* several */
    else
        sum->technique = step->technique;
    sum->bits = step->bits;
    sum->bits_screen = step->bits_screen;
    sum->parts += step->parts;
    sum->parts_cpu += step->parts_cpu;
    sum->gpus = step->gpus > sum->gpus ? step->gpus : sum->gpus;
    sum->candidates += step->candidates;
    sum->compared += step->compared;
    sum->block_pairs += step->block_pairs;
    sum->cleared += step->cleared;
    sum->seconds_clearing += step->seconds_clearing;
    sum->predicted_candidates += step->predicted_candidates;
    sum->predicted_seconds += step->predicted_seconds;
    sum->seconds += step->seconds;
}

/* Adds up the steps that the join was done in; if there are several, they are told, as many as there is room for. */
static int sum_steps(const akin_join_report *report, akin_join_step *sum)
{
    uint32_t count = akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE);
    uint64_t told = 0;
    if (count > 1)
        fprintf(stderr, "\n%-11s %-14s %-14s %-9s  %-19s %14s %14s %9s\n", "parts", "sizes", "with sizes", "technique",
                "signature", "predicted", "candidates", "seconds");
    for (uint32_t i = 0; i < count; i++) {
        akin_join_step step = {.size = sizeof step};
        if (akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, i, &step, NULL) != AKIN_OK)
            return 0;
        add_step(sum, &step);
        if (count > 1 && i < LINES && step.parts == 1) {
            explain_part(&step);
            told++;
        }
    }
    if (sum->parts > told && count > 1) {
        char more[AKIN_CLI_NUMBER];
        fprintf(stderr, "%-11s and %s more\n", "", akin_cli_format_grouped(more, sum->parts - told));
    }
    return count > 0;
}

/* What was done, on how many threads: "ppjoin, on 1 thread", "tensor, 256 bits, in 12 parts, on 2 GPUs and 4 threads". */
static void explain_how(const akin_join_summary *summary, const akin_join_step *done)
{
    char signature[AKIN_CLI_NUMBER], count[AKIN_CLI_NUMBER], parts[AKIN_CLI_NUMBER + 16] = "", line[256];
    char cpu[AKIN_CLI_NUMBER + 16] = "", gpus[AKIN_CLI_NUMBER] = "";
    const char *name = done->technique == AKIN_AUTO ? "several techniques" : akin_technique_name(done->technique);
    int by_bits = done->bits && done->technique != AKIN_AUTO;
    format_signature(signature, done);
    if (done->parts > 1)
        snprintf(parts, sizeof parts, ", in %s parts", akin_cli_format_grouped(count, done->parts));
    if (done->parts_cpu > 0)
        snprintf(cpu, sizeof cpu, " (%s on the CPU)", akin_cli_format_grouped(count, done->parts_cpu));
    if (done->gpus > 0)
        snprintf(gpus, sizeof gpus, " %u GPU%s and", done->gpus, done->gpus == 1 ? "" : "s");
    snprintf(line, sizeof line, "%s%s%s%s%s, on%s %u thread%s", name ? name : "?", by_bits ? ", " : "",
             by_bits ? signature : "", parts, cpu, gpus, summary->threads, summary->threads == 1 ? "" : "s");
    say("done", line);
}

/* What is known as the quadratic space of the joins in blocks. */
static void explain_clearing(const akin_join_step *done)
{
    char pairs[AKIN_CLI_NUMBER], bytes[AKIN_CLI_NUMBER], seconds[AKIN_CLI_NUMBER], line[256];
    if (done->block_pairs == 0)
        return;
    akin_cli_format_grouped(pairs, done->block_pairs);
    akin_cli_format_amount(bytes, (double)done->cleared, "B");
    format_seconds(seconds, done->seconds_clearing);
    snprintf(line, sizeof line, "%s of counters, in %s s, for %s pair%s of blocks", bytes, seconds, pairs,
             done->block_pairs == 1 ? "" : "s");
    say("cleared", line);
}

static void explain_done(const akin_join_summary *summary, const akin_join_step *done)
{
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER], line[256];
    fputc('\n', stderr);
    explain_how(summary, done);
    akin_cli_format_grouped(a, done->compared);
    snprintf(line, sizeof line, "%s %s", a,
             done->technique == AKIN_AUTO ? "postings, or pairs of signatures"
             : done->bits                 ? "pairs of signatures"
                                          : "postings");
    say("compared", line);
    explain_clearing(done);
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
        if (strcmp(phases[i].name, "join") == 0 && done->parts > 0) {
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
    akin_join_step done = {.size = sizeof done};
    if (akin_join_report_summary(report, &summary, NULL) != AKIN_OK)
        return;
    explain_data(&summary);
    explain_weighed(report);
    if (sum_steps(report, &done))
        explain_done(&summary, &done);
    else
        say("done", "nothing: no two sets are of sizes that can qualify");
    explain_cost(&summary, &done, seconds_read);
}
