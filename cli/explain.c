/* Writes the plan of a join to stderr, for a person to read. */
#include "explain.h"

#include <stdio.h>
#include <string.h>

#include "number.h"

static void print_reason(const char *label, const char *text)
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

/* What a technique of the papers chose and counted in a step; of other techniques there is nothing. */
static akin_papers_join_step papers_of(const akin_join_step *step)
{
    akin_papers_join_step papers = {.size = sizeof papers};
    akin_papers_join_step_read(step, &papers, NULL);
    return papers;
}

/* The signature of a step: "-", "256 bits", "64 then 256 bits" (a narrow one screens for a wide one), "64 bits, exact";
 * where candidates are found in the way of another technique, "by ppjoin". */
static void format_signature(char text[AKIN_CLI_NUMBER], const akin_join_step *step)
{
    const akin_technique by = papers_of(step).filter;
    const char *filter = by == AKIN_AUTO ? NULL : akin_technique_name(akin_papers(), by);
    if (filter)
        snprintf(text, AKIN_CLI_NUMBER, "by %s", filter);
    else if (step->bits == 0)
        snprintf(text, AKIN_CLI_NUMBER, "-");
    else if (step->bits_screen == 0 || step->bits_screen == step->bits)
        snprintf(text, AKIN_CLI_NUMBER, "%u bits%s", step->bits, step->exact ? ", exact" : "");
    else
        snprintf(text, AKIN_CLI_NUMBER, "%u then %u bits", step->bits_screen, step->bits);
}

/* Where a step is done: "cpu", "cuda:0". */
static void format_device(char text[AKIN_CLI_NUMBER], uint32_t device)
{
    if (device)
        snprintf(text, AKIN_CLI_NUMBER, "cuda:%u", device - 1);
    else
        snprintf(text, AKIN_CLI_NUMBER, "cpu");
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
    print_reason("data", line);
    akin_cli_format_grouped(a, summary->universe);
    akin_cli_format_grouped(b, summary->smallest);
    akin_cli_format_grouped(c, summary->largest);
    snprintf(line, sizeof line, "%s distinct tokens, %s to %s in a set", a, b, c);
    print_reason("", line);
    akin_cli_format_grouped(a, summary->pairs_all);
    akin_cli_format_grouped(b, summary->pairs_compatible);
    double percent = summary->pairs_all ? 100 * (double)summary->pairs_compatible / (double)summary->pairs_all : 0;
    snprintf(line, sizeof line, "%s in all, %s (%.1f %%) of sizes that can qualify", a, b, percent);
    print_reason("pairs", line);
}

static void explain_weighed(const akin_join_report *report)
{
    char device[AKIN_CLI_NUMBER], signature[AKIN_CLI_NUMBER], candidates[AKIN_CLI_NUMBER], seconds[AKIN_CLI_NUMBER];
    uint32_t count = akin_join_report_steps(report, AKIN_JOIN_STEPS_WEIGHED);
    if (count == 0)
        return;
    fprintf(stderr, "\n%-11s %-10s  %-7s  %-20s %16s  %9s\n", "weighed", "technique", "device", "signature",
            "candidates", "seconds");
    for (uint32_t i = 0; i < count; i++) {
        akin_join_step step = {.size = sizeof step};
        if (akin_join_report_step(report, AKIN_JOIN_STEPS_WEIGHED, i, &step, NULL) != AKIN_OK)
            return;
        const char *name = akin_technique_name(akin_papers(), step.technique);
        format_device(device, step.device);
        format_signature(signature, &step);
        format_predicted(candidates, step.predicted_candidates);
        format_seconds(seconds, step.predicted_seconds);
        fprintf(stderr, "%-11s %-10s  %-7s  %-20s %16s  %9s\n", "", name ? name : "?", device, signature, candidates,
                seconds);
    }
}

#define LINES 12                    /* parts that have a line of their own */
#define SIZES (2 * AKIN_CLI_NUMBER) /* bytes that hold two numbers */

#define PART_LINE "%-11s %-14s %-14s %-9s  %-7s  %-19s %14s %14s %9s %9s\n"

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
    char device[AKIN_CLI_NUMBER], signature[AKIN_CLI_NUMBER], candidates[AKIN_CLI_NUMBER], seconds[AKIN_CLI_NUMBER];
    char expected[AKIN_CLI_NUMBER], predicted[AKIN_CLI_NUMBER], probes[SIZES], indexed[SIZES];
    const char *name = akin_technique_name(akin_papers(), step->technique);
    format_sizes(probes, step->probes_smallest, step->probes_largest);
    format_sizes(indexed, step->indexed_smallest, step->indexed_largest);
    format_device(device, step->device);
    format_signature(signature, step);
    format_predicted(expected, step->predicted_candidates);
    akin_cli_format_grouped(candidates, step->candidates);
    format_seconds(predicted, step->predicted_seconds);
    format_seconds(seconds, step->seconds);
    fprintf(stderr, PART_LINE, "", probes, indexed, name ? name : "?", device, signature, expected, candidates,
            predicted, seconds);
}

/* What the steps of a join did together, and where. */
typedef struct total {
    akin_join_step step;                /* technique AKIN_AUTO: several */
    uint32_t device_first, device_last; /* of all steps: 0 is the CPU */
} total;

/* Adds a step to the sum of those before it. */
static void add_step(total *all, const akin_join_step *step)
{
    akin_join_step *sum = &all->step;
    if (sum->parts &&
        (sum->technique != step->technique || sum->bits != step->bits || sum->bits_screen != step->bits_screen))
        sum->technique = AKIN_AUTO;
    else
        sum->technique = step->technique;
    if (sum->parts == 0 || step->device < all->device_first)
        all->device_first = step->device;
    if (step->device > all->device_last)
        all->device_last = step->device;
    sum->bits = step->bits;
    sum->bits_screen = step->bits_screen;
    sum->exact = step->exact && (sum->parts == 0 || sum->exact);
    sum->parts += step->parts;
    sum->instead += step->instead;
    sum->parts_cpu += step->parts_cpu;
    sum->gpus = step->gpus > sum->gpus ? step->gpus : sum->gpus;
    sum->candidates += step->candidates;
    sum->compared += step->compared;
    memcpy(sum->annex_chosen, step->annex_chosen, sizeof sum->annex_chosen);
    for (size_t i = 0; i < sizeof sum->annex_figures / sizeof *sum->annex_figures; i++)
        sum->annex_figures[i] += step->annex_figures[i];
    sum->predicted_candidates += step->predicted_candidates;
    sum->predicted_seconds += step->predicted_seconds;
    sum->seconds += step->seconds;
}

/* Adds up the steps of the join. If there are several, it writes a line for each of the first LINES. */
static int sum_steps(const akin_join_report *report, total *all)
{
    uint32_t count = akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE);
    uint64_t told = 0;
    if (count > 1)
        fprintf(stderr, "\n" PART_LINE, "parts", "sizes", "with sizes", "technique", "device", "signature", "predicted",
                "candidates", "predicted", "seconds");
    for (uint32_t i = 0; i < count; i++) {
        akin_join_step step = {.size = sizeof step};
        if (akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, i, &step, NULL) != AKIN_OK)
            return 0;
        add_step(all, &step);
        if (count > 1 && i < LINES) {
            explain_part(&step);
            told++;
        }
    }
    if (all->step.parts > told && count > 1) {
        char more[AKIN_CLI_NUMBER];
        fprintf(stderr, "%-11s and %s more\n", "", akin_cli_format_grouped(more, all->step.parts - told));
    }
    return count > 0;
}

/* Where it was done: "1 thread", "cuda:0", "2 threads and cuda:0". */
static void format_place(char text[SIZES], const akin_join_summary *summary, const total *all)
{
    char device[AKIN_CLI_NUMBER];
    format_device(device, all->device_last);
    if (all->step.gpus > 1)
        snprintf(device, sizeof device, "%u GPUs", all->step.gpus);
    if (all->device_first > 0 && all->step.parts_cpu == 0)
        snprintf(text, SIZES, "%s", device);
    else
        snprintf(text, SIZES, "%u thread%s%s%s", summary->threads, summary->threads == 1 ? "" : "s",
                 all->device_last ? " and " : "", all->device_last ? device : "");
}

/* What was done, and where: "ppjoin, on 1 thread", "bitmap, 64 bits, in 12 parts, on 2 threads". */
static void explain_how(const akin_join_summary *summary, const total *all)
{
    const akin_join_step *done = &all->step;
    char signature[AKIN_CLI_NUMBER], count[AKIN_CLI_NUMBER],
        parts[AKIN_CLI_NUMBER + 16] = "", cpu[AKIN_CLI_NUMBER + 16] = "", place[SIZES], line[256];
    const char *name =
        done->technique == AKIN_AUTO ? "several techniques" : akin_technique_name(akin_papers(), done->technique);
    int by_bits = (done->bits || papers_of(done).filter != AKIN_AUTO) && done->technique != AKIN_AUTO;
    format_signature(signature, done);
    format_place(place, summary, all);
    if (done->parts > 1)
        snprintf(parts, sizeof parts, ", in %s parts", akin_cli_format_grouped(count, done->parts));
    if (done->parts_cpu > 0)
        snprintf(cpu, sizeof cpu, " (%s on the CPU)", akin_cli_format_grouped(count, done->parts_cpu));
    snprintf(line, sizeof line, "%s%s%s%s%s, on %s", name ? name : "?", by_bits ? ", " : "", by_bits ? signature : "",
             parts, cpu, place);
    print_reason("done", line);
}

/* What a GPU was to do and did not. */
static void explain_instead(const akin_join_summary *summary, const akin_join_step *done)
{
    char parts[AKIN_CLI_NUMBER];
    if (done->instead == 0)
        return;
    akin_cli_format_grouped(parts, done->instead);
    fprintf(stderr, "%-11s of a GPU, for %s part%s: %s\n", "instead", parts, done->instead == 1 ? "" : "s",
            summary->device_failure ? summary->device_failure : "it failed");
}

/* What is known as the quadratic space of the joins in blocks. */
static void explain_clearing(const akin_papers_join_step *done)
{
    char pairs[AKIN_CLI_NUMBER], bytes[AKIN_CLI_NUMBER], seconds[AKIN_CLI_NUMBER], line[256];
    if (done->block_pairs == 0)
        return;
    akin_cli_format_grouped(pairs, done->block_pairs);
    akin_cli_format_amount(bytes, (double)done->cleared, "B");
    format_seconds(seconds, done->seconds_clearing);
    snprintf(line, sizeof line, "%s of counters, in %s s, for %s pair%s of blocks", bytes, seconds, pairs,
             done->block_pairs == 1 ? "" : "s");
    print_reason("cleared", line);
}

/* How long the stages of a hybrid join were at work, and how candidates were shared among threads of the GPU. */
static void explain_stages(const akin_papers_join_step *done)
{
    char filter[AKIN_CLI_NUMBER], verify[AKIN_CLI_NUMBER], output[AKIN_CLI_NUMBER], line[256];
    const char *sharing = done->sharing == AKIN_SHARING_AUTO ? NULL : akin_sharing_name(done->sharing);
    if (sharing)
        print_reason("sharing", sharing);
    if (done->filter == AKIN_AUTO)
        return;
    format_seconds(filter, done->seconds_filter);
    format_seconds(verify, done->seconds_verify);
    format_seconds(output, done->seconds_output);
    snprintf(line, sizeof line, "filter %s, verify %s, output %s s at work, beside each other", filter, verify, output);
    print_reason("stages", line);
}

static void explain_done(const akin_join_summary *summary, const total *all)
{
    const akin_join_step *done = &all->step;
    const akin_papers_join_step papers = papers_of(done);
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER], line[256];
    fputc('\n', stderr);
    explain_how(summary, all);
    explain_instead(summary, done);
    akin_cli_format_grouped(a, done->compared);
    snprintf(line, sizeof line, "%s %s", a,
             done->technique == AKIN_AUTO ? "postings, or pairs of signatures"
             : done->bits                 ? "pairs of signatures"
                                          : "postings");
    print_reason("compared", line);
    explain_clearing(&papers);
    explain_stages(&papers);
    akin_cli_format_grouped(a, done->candidates);
    format_predicted(b, done->predicted_candidates);
    if (done->predicted_candidates < 0)
        snprintf(line, sizeof line, "%s", a);
    else
        snprintf(line, sizeof line, "%s (predicted %s)", a, b);
    print_reason("candidates", line);
    akin_cli_format_grouped(a, summary->pairs_found);
    print_reason("found", a);
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
    print_reason("memory", akin_cli_format_amount(text, (double)summary->memory_peak, "B"));
}

/* "the 3 best partners of each row". */
static const char *name_top(char text[64], uint32_t top)
{
    snprintf(text, 64, top == 1 ? "the best partner of each row" : "the %u best partners of each row", top);
    return text;
}

static void explain_top(const akin_join_summary *summary, uint32_t top)
{
    char a[AKIN_CLI_NUMBER], best[64], line[128];
    fputc('\n', stderr);
    snprintf(line, sizeof line, "%s, on %u thread%s", name_top(best, top), summary->threads,
             summary->threads == 1 ? "" : "s");
    print_reason("done", line);
    print_reason("found", akin_cli_format_grouped(a, summary->pairs_found));
}

void akin_cli_explain(const akin_join_report *report, uint32_t top, double seconds_read)
{
    akin_join_summary summary = {.size = sizeof summary};
    total all = {.step = {.size = sizeof all.step}};
    if (akin_join_report_summary(report, &summary, NULL) != AKIN_OK)
        return;
    explain_data(&summary);
    explain_weighed(report);
    if (top)
        explain_top(&summary, top);
    else if (sum_steps(report, &all))
        explain_done(&summary, &all);
    else
        print_reason("done", "nothing: no two sets are of sizes that can qualify");
    explain_cost(&summary, &all.step, seconds_read);
}

/* ---------------------------------------------------------------------------------------------------------- strings */

static double percent_of(uint64_t part, uint64_t all)
{
    return all ? 100 * (double)part / (double)all : 0;
}

static void explain_strings_found(const akin_match_report *report)
{
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER], line[256];
    akin_cli_format_grouped(a, report->rows_left);
    akin_cli_format_grouped(b, report->rows_right);
    snprintf(line, sizeof line, "%s%s%s strings, nulls and empty ones left out", a, report->rows_right ? " and " : "",
             report->rows_right ? b : "");
    print_reason("data", line);
    akin_cli_format_grouped(a, report->pairs_all);
    akin_cli_format_grouped(b, report->pairs_compatible);
    snprintf(line, sizeof line, "%s in all, %s (%.1f %%) of lengths that can qualify", a, b,
             percent_of(report->pairs_compatible, report->pairs_all));
    print_reason("pairs", line);
}

void akin_cli_explain_strings(const akin_cli_strings *strings, const akin_match_report *report, double seconds_read)
{
    char best[64] = "", a[AKIN_CLI_NUMBER], read[AKIN_CLI_NUMBER], prepare[AKIN_CLI_NUMBER], join[AKIN_CLI_NUMBER],
         deliver[AKIN_CLI_NUMBER], place[AKIN_CLI_NUMBER], parts[AKIN_CLI_NUMBER + 16] = "", line[256];
    explain_strings_found(report);
    if (report->parts > 1)
        snprintf(parts, sizeof parts, ", in %s parts", akin_cli_format_grouped(a, report->parts));
    format_device(place, report->device);
    if (report->device == 0)
        snprintf(place, sizeof place, "%u thread%s", report->threads, report->threads == 1 ? "" : "s");
    if (strings->top)
        name_top(best, strings->top);
    snprintf(line, sizeof line, "%s%s%s%s, on %s", akin_cli_strings_name(strings), strings->top ? ", " : "", best,
             parts, place);
    fputc('\n', stderr);
    print_reason("done", line);
    if (report->pairs_looked_up) {
        akin_cli_format_grouped(a, report->pairs_looked_up);
        snprintf(line, sizeof line, "%s (%.1f %% of these pairs) looked up, the others screened", a,
                 percent_of(report->pairs_looked_up, report->pairs_compatible));
        print_reason("segments", line);
    }
    akin_cli_format_grouped(a, report->candidates);
    snprintf(line, sizeof line, "%s (%.1f %% of these pairs) after bags of characters", a,
             percent_of(report->candidates, report->pairs_compatible));
    print_reason("candidates", line);
    print_reason("found", akin_cli_format_grouped(a, report->pairs_found));
    format_seconds(read, seconds_read);
    format_seconds(prepare, report->seconds_prepare);
    format_seconds(join, report->seconds_join);
    format_seconds(deliver, report->seconds_deliver);
    snprintf(line, sizeof line, "read %s, prepare %s, join %s, deliver %s", read, prepare, join, deliver);
    print_reason("seconds", line);
    print_reason("memory", akin_cli_format_amount(a, (double)report->memory_peak, "B"));
}

void akin_cli_explain_trees(const akin_cli_strings *strings, const akin_trees_report *report, double seconds_read)
{
    char best[64] = "", a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER], c[AKIN_CLI_NUMBER], d[AKIN_CLI_NUMBER], line[256];
    akin_cli_format_grouped(a, report->rows_left);
    akin_cli_format_grouped(b, report->rows_right);
    akin_cli_format_grouped(c, report->nodes_left + report->nodes_right);
    akin_cli_format_grouped(d, report->labels);
    snprintf(line, sizeof line, "%s%s%s trees, %s nodes, %s labels", a, report->rows_right ? " and " : "",
             report->rows_right ? b : "", c, d);
    print_reason("data", line);
    snprintf(line, sizeof line, "%s in all", akin_cli_format_grouped(a, report->pairs_all));
    print_reason("pairs", line);
    if (strings->top)
        name_top(best, strings->top);
    snprintf(line, sizeof line, "tree edits%s%s, on %u thread%s", strings->top ? ", " : "", best, report->threads,
             report->threads == 1 ? "" : "s");
    fputc('\n', stderr);
    print_reason("done", line);
    akin_cli_format_grouped(a, report->candidates);
    akin_cli_format_grouped(b, report->compared);
    akin_cli_format_grouped(c, report->verified);
    snprintf(line, sizeof line, "%s after rare labels, %s after counts of labels, %s after sequences", a, b, c);
    print_reason("candidates", line);
    print_reason("found", akin_cli_format_grouped(a, report->pairs_found));
    format_seconds(a, seconds_read);
    format_seconds(b, report->seconds_prepare);
    format_seconds(c, report->seconds_join);
    format_seconds(d, report->seconds_deliver);
    snprintf(line, sizeof line, "read %s, prepare %s, join %s, deliver %s", a, b, c, d);
    print_reason("seconds", line);
    print_reason("memory", akin_cli_format_amount(a, (double)report->memory_peak, "B"));
}

void akin_cli_explain_graphs(const akin_graphs_report *report, double seconds_read)
{
    char a[AKIN_CLI_NUMBER], b[AKIN_CLI_NUMBER], c[AKIN_CLI_NUMBER], d[AKIN_CLI_NUMBER], e[AKIN_CLI_NUMBER], line[300];
    akin_cli_format_grouped(a, report->rows_left);
    akin_cli_format_grouped(b, report->rows_right);
    akin_cli_format_grouped(c, report->nodes_left + report->nodes_right);
    akin_cli_format_grouped(d, report->edges_left + report->edges_right);
    akin_cli_format_grouped(e, report->labels);
    snprintf(line, sizeof line, "%s%s%s graphs, %s nodes, %s edges, %s labels", a, report->rows_right ? " and " : "",
             report->rows_right ? b : "", c, d, e);
    print_reason("data", line);
    snprintf(line, sizeof line, "%s in all", akin_cli_format_grouped(a, report->pairs_all));
    print_reason("pairs", line);
    snprintf(line, sizeof line, "graph edits, on %u thread%s", report->threads, report->threads == 1 ? "" : "s");
    fputc('\n', stderr);
    print_reason("done", line);
    akin_cli_format_grouped(a, report->candidates);
    akin_cli_format_grouped(b, report->compared);
    akin_cli_format_grouped(c, report->bounded);
    akin_cli_format_grouped(d, report->searched);
    snprintf(line, sizeof line, "%s after rare branches, %s after counts, %s after branches, %s after assignments", a,
             b, c, d);
    print_reason("candidates", line);
    snprintf(line, sizeof line, "%s states", akin_cli_format_grouped(a, report->states));
    print_reason("searched", line);
    akin_cli_format_grouped(a, report->pairs_found);
    snprintf(line, sizeof line, "%s, %s undecided", a, akin_cli_format_grouped(b, report->undecided));
    print_reason("found", report->undecided ? line : a);
    format_seconds(a, seconds_read);
    format_seconds(b, report->seconds_prepare);
    format_seconds(c, report->seconds_join);
    format_seconds(d, report->seconds_deliver);
    snprintf(line, sizeof line, "read %s, prepare %s, join %s, deliver %s", a, b, c, d);
    print_reason("seconds", line);
    print_reason("memory", akin_cli_format_amount(a, (double)report->memory_peak, "B"));
}
