/* A job of the command: a context that shows progress and ends at Ctrl-C. */
#define _POSIX_C_SOURCE 200809L

#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "mapped.h"
#include "number.h"

#define THREADS_MAX  4096
#define BAD_HEADER   "file,line,reason\n"
#define MEMORY_LEAST ((uint64_t)16 << 20)
#define CHECK_EVERY  0.25 /* seconds: whether others have changed files */

static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
    (void)number;
    signalled = 1;
}

/* The handler serves once, so that a second signal has its usual effect. What is ignored (under nohup) stays so. System
 * calls are not restarted: one that waits gives way. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction action, old;
        memset(&action, 0, sizeof action);
        action.sa_handler = on_signal;
        action.sa_flags = (int)SA_RESETHAND;
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    akin_cli_mapped_catch();
    signal(SIGXFSZ, SIG_IGN); /* a file that grows beyond the limit makes the write fail */
}

int akin_cli_job_cancelled(void)
{
    return signalled != 0;
}

/* A job whose files have been changed is in vain, and the end of the job says why. */
static int on_cancel(void *user)
{
    akin_cli_job *job = user;
    const double now = akin_cli_clock();
    if (now >= job->check_at) {
        job->check_at = now + CHECK_EVERY;
        if (akin_cli_mapped_check(NULL) != AKIN_OK)
            return 1;
    }
    return akin_cli_job_cancelled();
}

static void on_progress(void *user, const akin_progress *progress)
{
    akin_cli_job *job = user;
    if (job->output_is_terminal && strcmp(progress->phase, "writing") == 0)
        akin_cli_progress_clear(&job->progress); /* results are to stand alone there */
    else
        akin_cli_progress_show(&job->progress, progress);
}

/* Reads a size of an option, unless it is not given. */
static akin_status read_size(const char *option, const char *text, uint64_t *out, akin_error *error)
{
    return text ? akin_cli_read_size(option, text, MEMORY_LEAST, "16M", out, error) : AKIN_OK;
}

akin_status akin_cli_context_create(const akin_context_options *options, akin_context **out, akin_error *error)
{
    akin_context *context = NULL;
    akin_status status = akin_context_create(options, &context, error);
    if (status == AKIN_OK)
        status = akin_context_use(context, akin_papers(), error);
    if (status == AKIN_OK)
        *out = context;
    else
        akin_context_free(context);
    return status;
}

/* How many bad records may be left out, and where they are noted. */
static akin_status read_skip_bad(akin_cli_job *job, const akin_cli_resources *resources, akin_error *error)
{
    const char *text = resources->skip_bad;
    if (text && !akin_cli_read_u64(text, 0, UINT32_MAX, &job->skip_left))
        return akin_cli_fail_option(error, AKIN_REASON_NONE, "skip-bad",
                                    " %.100s: expected a whole number of records, from 0 to %u", akin_cli_word(text),
                                    UINT32_MAX);
    if (resources->bad && !text)
        return akin_cli_fail_option(error, AKIN_REASON_NONE, "bad", " %.600s: no record is left out: add --skip-bad N",
                                    resources->bad);
    if (resources->bad && strcmp(resources->bad, "-") == 0)
        return akin_cli_fail_option(error, AKIN_REASON_NONE, "bad",
                                    " -: standard output gets the results: expected a file");
    job->bad = resources->bad;
    job->safe = resources->safe;
    return AKIN_OK;
}

/* Sets the limits that are given, and that of the pairs that are written. */
static akin_status set_limits(const akin_cli_job *job, const akin_cli_resources *resources, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (resources->writes_pairs)
        status = akin_context_limit(job->context, AKIN_LIMIT_PAIRS, akin_limit_usual(AKIN_LIMIT_PAIRS), error);
    if (status != AKIN_OK || !resources->arguments)
        return status;
    return akin_cli_limits_set(job->context, resources->arguments, resources->limits, resources->writes_pairs, error);
}

akin_status akin_cli_limits_set(akin_context *context, const akin_cli_arguments *arguments, int option,
                                int writes_pairs, akin_error *error)
{
    const akin_choice *row;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; status == AKIN_OK && (row = akin_choices("limits", i)); i++) {
        int at = 0;
        uint64_t most;
        const char *text = akin_cli_repeated_next(arguments, option, row->name, &at);
        if (!text)
            continue;
        if (akin_limit_parse((akin_limit)row->value, text, &most, error) != AKIN_OK) {
            const akin_error wrong = *error;
            return akin_cli_fail_option(error, wrong.reason, row->name, ": %s", wrong.message);
        }
        if (row->value != AKIN_LIMIT_PAIRS || writes_pairs)
            status = akin_context_limit(context, (akin_limit)row->value, most, error);
    }
    return status;
}

void akin_cli_limits_advise(akin_error *error)
{
    const akin_choice *row = NULL;
    if (error->reason != AKIN_REASON_LIMIT || akin_choice_find("limits", error->option, &row, NULL) != AKIN_OK)
        return;
    akin_cli_append(
        error,
        row->value == AKIN_LIMIT_PAIRS
            ? "; where they are too many, ask for a higher threshold, for clusters, or for the count or the "
              "best partners if the command has --count or --top; or raise or lift the limit: --%s%s, or 0"
            : "; raise or lift the limit: --%s%s, or 0",
        row->name, row->arguments);
}

/* Ends the file of bad records. */
static akin_status close_bad(akin_cli_job *job, akin_status status, akin_error *error)
{
    if (!job->bad_output)
        return status;
    if (status == AKIN_OK)
        return akin_output_commit(job->bad_output, error);
    akin_output_discard(job->bad_output);
    return status;
}

akin_status akin_cli_job_begin(akin_cli_job *job, const akin_cli_resources *resources, int quiet, akin_error *error)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    const char *threads = resources->threads;
    uint64_t number = 0;
    memset(job, 0, sizeof *job);
    if (threads && !akin_cli_read_u64(threads, 1, THREADS_MAX, &number))
        return akin_cli_fail_option(error, AKIN_REASON_NONE, "threads", " %.100s: expected a whole number from 1 to %d",
                                    akin_cli_word(threads), THREADS_MAX);
    akin_status status = AKIN_OK;
    if (resources->memory && strcmp(resources->memory, "0") == 0)
        options.ceiling = AKIN_NO_CEILING;
    else
        status = read_size("memory", resources->memory, &options.memory, error);
    if (status == AKIN_OK)
        status = read_size("device-memory", resources->device_memory, &options.device_memory, error);
    if (status == AKIN_OK)
        status = read_skip_bad(job, resources, error);
    if (status != AKIN_OK)
        return status;
    options.temporary = getenv("TMPDIR");
    if (options.temporary && !*options.temporary)
        options.temporary = NULL;
    options.threads = (uint32_t)number;
    options.device = resources->device;
    options.opener = resources->opener;
    options.saver = resources->saver;
    options.sync = resources->sync;
    options.verify = resources->verify;
    options.note = akin_cli_warn_of;
    options.mapped = akin_cli_mapped_note;
    job->quiet = quiet;
    job->replaces = resources->replaces;
    job->output_is_terminal = isatty(STDOUT_FILENO);
    options.cancel = on_cancel;
    options.user = job;
    akin_cli_progress_begin(&job->progress);
    if (!quiet && akin_cli_progress_wanted())
        options.progress = on_progress;
    catch_signals();
    job->options = options;
    job->memory = resources->memory;
    status = akin_cli_context_create(&options, &job->context, error);
    if (status == AKIN_OK)
        status = set_limits(job, resources, error);
    if (status == AKIN_OK && job->bad)
        status = akin_output_open(job->context, job->bad, &job->bad_output, error);
    return status == AKIN_OK && job->bad ? akin_output_write(job->bad_output, BAD_HEADER, strlen(BAD_HEADER), error)
                                         : status;
}

akin_status akin_cli_job_beside(const akin_cli_job *job, akin_context **out, akin_error *error)
{
    akin_context_options options = job->options;
    options.device = "cpu";
    options.progress = NULL;
    return akin_cli_context_create(&options, out, error);
}

/* Adds to a message about memory what bounds it, and how to raise that. Other messages say so, or are of a GPU. */
static void advise_memory(const akin_cli_job *job, akin_error *error)
{
    if (job->options.memory && error->reason == AKIN_REASON_MEMORY)
        akin_cli_append(error, "; --memory %.100s bounds it: raise that", job->memory);
    if (error->reason == AKIN_REASON_MEMORY_CEILING)
        akin_cli_append(error, "; --memory SIZE allows another number of bytes, --memory 0 any");
}

akin_status akin_cli_job_open(akin_cli_job *job, const char *path, const char *format, akin_output **out,
                              akin_error *error)
{
    akin_status status = AKIN_OK;
    if (akin_cli_screen_wanted(path, format)) {
        status = akin_cli_screen_open(&job->screen, job->context, error);
        path = job->screen.path;
    }
    if (status == AKIN_OK)
        status = akin_output_open_table(job->context, path ? path : "-", job->replaces, out, error);
    return status;
}

akin_status akin_cli_job_commit(akin_output *const *outputs, size_t count, akin_error *error)
{
    akin_status status = akin_cli_mapped_check(error);
    if (status == AKIN_OK)
        return akin_output_commit_all(outputs, count, error);
    for (size_t i = 0; i < count; i++)
        akin_output_discard(outputs[i]);
    return status;
}

/* Has the system write what a descriptor is of to the disk, however often a signal interrupts that. */
static int sync_descriptor(int fd)
{
    int failed;
    do
        failed = fsync(fd);
    while (failed != 0 && errno == EINTR);
    return failed;
}

int akin_cli_job_sync_descriptor(const akin_cli_job *job, int fd)
{
    return !job->options.sync || sync_descriptor(fd) == 0;
}

int akin_cli_job_sync(const akin_cli_job *job, FILE *file)
{
    return !job->options.sync || (fflush(file) == 0 && akin_cli_job_sync_descriptor(job, fileno(file)));
}

int akin_cli_job_sync_folder_of(const akin_cli_job *job, const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (!job->options.sync)
        return 1;
    char *folder = length > 0 ? strndup(path, length) : strdup(".");
    const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const int done =
        fd >= 0 && (sync_descriptor(fd) == 0 || errno == EINVAL); /* some file systems cannot sync a folder */
    if (fd >= 0)
        close(fd);
    free(folder);
    return done;
}

akin_status akin_cli_job_show(akin_cli_job *job, akin_error *error)
{
    akin_cli_progress_clear(&job->progress);
    return akin_cli_screen_show(&job->screen, error);
}

void akin_cli_job_wrote_of(akin_cli_job *job, const char *path, uint64_t count, uint64_t of, const char *what)
{
    if (path && strcmp(path, "-") != 0 && job->written_count < AKIN_CLI_WRITTEN)
        job->written[job->written_count++] = (akin_cli_written){.path = path, .what = what, .count = count, .of = of};
}

void akin_cli_job_wrote(akin_cli_job *job, const char *path, uint64_t count, const char *what)
{
    akin_cli_job_wrote_of(job, path, count, 0, what);
}

/* The letters of what was written: without the s of the plural where it is one. */
static int letters_of(const akin_cli_written *written)
{
    return (int)strlen(written->what) - (written->of ? written->of == 1 : written->count == 1);
}

void akin_cli_written_report(const akin_cli_written *written, double begun)
{
    const double seconds = akin_cli_clock() - begun;
    char count[AKIN_CLI_NUMBER], of[AKIN_CLI_NUMBER];
    if (!akin_cli_progress_wanted())
        return;
    fputs("akin: ", stderr);
    akin_cli_put_text(stderr, written->path);
    fprintf(stderr, ": wrote %s%s%s %.*s in %.*f s\n", akin_cli_format_grouped(count, written->count),
            written->of ? " of " : "", written->of ? akin_cli_format_grouped(of, written->of) : "", letters_of(written),
            written->what, seconds < 100 ? 2 : 0, seconds);
}

static void report_written(const akin_cli_job *job)
{
    for (uint32_t i = 0; i < job->written_count && !job->quiet; i++)
        akin_cli_written_report(&job->written[i], job->progress.begun);
}

int akin_cli_job_end(akin_cli_job *job, akin_status status, akin_error *error)
{
    akin_cli_progress_clear(&job->progress);
    status = close_bad(job, status, error);
    status = akin_context_conclude(job->context, status, error);
    akin_context_free(job->context);
    job->context = NULL;
    akin_cli_screen_close(&job->screen);
    if (status == AKIN_OK) {
        report_written(job);
        return AKIN_CLI_DONE;
    }
    akin_error changed;
    if (akin_cli_job_cancelled())
        error->code = AKIN_E_CANCELLED; /* what failed may have failed for being interrupted, */
    else if (akin_cli_mapped_check(&changed) != AKIN_OK)
        *error = changed; /* or for files that were changed */
    else if (status == AKIN_E_NOMEM)
        advise_memory(job, error);
    else
        akin_cli_limits_advise(error);
    return akin_cli_fail(error);
}
