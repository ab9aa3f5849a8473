/* The progress line of a long job: what is being done, how far it is, how fast it goes and what time is left. */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "number.h"

#define SHOW_AFTER 1.0 /* seconds */
#define SHOW_EVERY 0.1

double akin_cli_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int akin_cli_progress_wanted(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

void akin_cli_progress_begin(akin_cli_progress *line)
{
    memset(line, 0, sizeof *line);
    line->begun = akin_cli_clock();
}

/* "12 s", "3 min 20 s", "2 h 05 min". */
static void format_time(char text[AKIN_CLI_NUMBER], double seconds)
{
    unsigned long whole = seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 1000000000ul;
    if (whole < 60)
        snprintf(text, AKIN_CLI_NUMBER, "%lu s", whole);
    else if (whole < 3600)
        snprintf(text, AKIN_CLI_NUMBER, "%lu min %02lu s", whole / 60, whole % 60);
    else
        snprintf(text, AKIN_CLI_NUMBER, "%lu h %02lu min", whole / 3600, whole / 60 % 60);
}

/* A number of what is counted: "1.20 GB", "3 M rows". */
static const char *format_count(char text[AKIN_CLI_NUMBER], double count, const char *unit)
{
    char after[AKIN_CLI_NUMBER / 2];
    snprintf(after, sizeof after, " %s", unit);
    return akin_cli_format_amount(text, count, strcmp(unit, "bytes") == 0 ? "B" : after);
}

/* "  1.2 M of 3 M rows, 400 k rows/s", as far as that is known. */
static void draw_counts(const akin_progress *progress, double seconds)
{
    char text[AKIN_CLI_NUMBER];
    const int is_bytes = strcmp(progress->unit, "bytes") == 0;
    if (progress->total > 0 && is_bytes)
        fprintf(stderr, "  %s of", akin_cli_format_amount(text, (double)progress->done, "B"));
    else if (progress->total > 0)
        fprintf(stderr, "  %s of", akin_cli_format_amount(text, (double)progress->done, ""));
    const uint64_t last = progress->total > 0 ? progress->total : progress->done;
    fprintf(stderr, "%s%s", progress->total > 0 ? " " : "  ", format_count(text, (double)last, progress->unit));
    if (seconds > 0 && progress->done > 0)
        fprintf(stderr, ", %s/s", format_count(text, (double)progress->done / seconds, progress->unit));
}

static void draw_progress(akin_cli_progress *line, const akin_progress *progress, double now)
{
    char left[AKIN_CLI_NUMBER];
    double seconds = now - line->phase_begun, done = (double)progress->done, total = (double)progress->total;
    fprintf(stderr, "\r\033[Kakin: %s", progress->phase);
    if (progress->total > 0)
        fprintf(stderr, "  %.0f %%", 100 * done / total);
    if (progress->unit)
        draw_counts(progress, seconds);
    if (seconds > 0 && done > 0 && progress->total >= progress->done) {
        format_time(left, seconds * (total - done) / done);
        fprintf(stderr, "  %s left", left);
    }
    fflush(stderr);
    line->drawn = now;
    line->visible = 1;
}

void akin_cli_progress_show(akin_cli_progress *line, const akin_progress *progress)
{
    double now = akin_cli_clock();
    if (!line->phase || strcmp(line->phase, progress->phase) != 0) {
        line->phase = progress->phase;
        line->phase_begun = now;
    }
    if (now - line->begun >= SHOW_AFTER && now - line->drawn >= SHOW_EVERY)
        draw_progress(line, progress, now);
}

void akin_cli_progress_clear(akin_cli_progress *line)
{
    if (!line->visible)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    line->visible = 0;
}
