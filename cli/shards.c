/*
 * Records without duplicates, written file by file. The folder gets the files under their names, each whole or not at
 * all, and a manifest, a text:
 *
 *     akin manifest 1
 *     option join                    the command, and the options that change its results
 *     option --jaccard 0.8
 *     input SIZE CHECKSUM NAME       each file of the input
 *     done SIZE CHECKSUM NAME        each file that is written, added when it has its name
 *
 * The same command goes on where it was stopped: the job is computed again, as its other results are wanted too, and
 * files that are done are not written again. A line without its end was being written when the process died, and is
 * taken away.
 */
#define _POSIX_C_SOURCE 200809L

#include "shards.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"
#include "stream.h"

#define MANIFEST ".akin-manifest"
#define FIRST    "akin manifest 1\n"
#define BLOCK    ((size_t)1 << 16)

static akin_status fail_room(akin_error *error)
{
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the files of a folder");
}

static akin_status fail_file(const char *path, akin_status code, akin_error *error)
{
    return akin_error_set(error, code, AKIN_REASON_FILE, "%.600s: %s", path, strerror(errno));
}

/* Ends a text in the making; NULL: memory was short. To be freed. */
static char *end_text(akin_cli_stream *t)
{
    return akin_cli_stream_close(t) ? t->text : NULL;
}

/* A path in the folder. To be freed. */
static char *within(const char *folder, const char *name)
{
    akin_cli_stream t;
    const size_t length = strlen(folder);
    if (!akin_cli_stream_open(&t))
        return NULL;
    fprintf(t.to, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/", name);
    return end_text(&t);
}

/* The size and a checksum of a file. */
typedef struct mark {
    uint64_t size, sum;
} mark;

static uint64_t mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}

static akin_status mark_file(const char *path, mark *out, akin_error *error)
{
    uint64_t *block = malloc(BLOCK);
    FILE *file = block ? fopen(path, "re") : NULL;
    akin_status status = !block ? fail_room(error) : !file ? fail_file(path, AKIN_E_INPUT, error) : AKIN_OK;
    *out = (mark){0, 0};
    for (size_t got = BLOCK; got == BLOCK && status == AKIN_OK;) {
        got = fread(block, 1, BLOCK, file);
        memset((char *)block + got, 0, (BLOCK - got) % sizeof *block);
        for (size_t i = 0; i < (got + sizeof *block - 1) / sizeof *block; i++)
            out->sum = mix(out->sum, block[i]);
        out->size += got;
        if (ferror(file))
            status = fail_file(path, AKIN_E_INPUT, error);
        else if (akin_cli_job_cancelled())
            status = akin_error_set(error, AKIN_E_CANCELLED, AKIN_REASON_NONE, "%.600s: cancelled while reading", path);
    }
    out->sum = mix(out->sum, out->size);
    if (file)
        fclose(file);
    free(block);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- options */

/* Whether an option changes no record of the result. */
static int is_neutral(const char *name)
{
    static const char *const neutral[] = {
        "threads",     "memory", "device",  "device-memory", "quiet",        "explain", "output",      "format",
        "digits",      "show",   "pairs",   "clusters",      "report",       "gold",    "clusters-of", "save-job",
        "technique",   "bits",   "filter",  "sharing",       "deduplicated", "kept",    "bad",         "skip-bad",
        "allow-paths", "sync",   "removed", "safe-csv",      "replace"};
    for (size_t i = 0; i < sizeof neutral / sizeof *neutral; i++)
        if (strcmp(name, neutral[i]) == 0)
            return 1;
    return akin_cli_choice_find("limits", name) != NULL;
}

/* A file, such as one of stop words, counts by what is in it. */
static void put_option(FILE *to, const char *name, const char *value)
{
    mark m;
    if (!name || is_neutral(name))
        return;
    fprintf(to, "option --%s%s", name, *value ? " " : "");
    for (const char *at = value; *at; at++)
        putc(*at == '\n' ? ' ' : *at, to);
    if (akin_cli_path_is_regular(value) && mark_file(value, &m, NULL) == AKIN_OK)
        fprintf(to, ", a file with checksum %016" PRIx64, m.sum);
    putc('\n', to);
}

/* The name of an option that was given several times. */
static const char *name_of_repeated(const akin_cli_command *command, const struct akin_cli_repeated *given)
{
    return given->row ? given->row : command->options[given->option].name;
}

/* Orders options by name. Options of one name are ordered by value, except --fold and --combine, whose order counts. */
static int is_before(const akin_cli_command *command, const struct akin_cli_repeated *a,
                     const struct akin_cli_repeated *b)
{
    const char *name = name_of_repeated(command, a);
    const int order = strcmp(name, name_of_repeated(command, b));
    const int has_order = strcmp(name, "fold") == 0 || strcmp(name, "combine") == 0;
    return order < 0 || (order == 0 && !has_order && strcmp(a->value, b->value) < 0);
}

/* Puts the options that may be given several times, the first one in that order first; 0: there is no memory. */
static int put_repeated(FILE *to, const akin_cli_command *command, const akin_cli_arguments *arguments)
{
    const int count = arguments->repeated_count;
    struct akin_cli_repeated *sorted = calloc((size_t)count + 1, sizeof *sorted);
    if (!sorted)
        return 0;
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && is_before(command, &arguments->repeated[i], &sorted[at - 1]); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = arguments->repeated[i];
    }
    for (int i = 0; i < count; i++)
        put_option(to, name_of_repeated(command, &sorted[i]), sorted[i].value);
    free(sorted);
    return 1;
}

static char *options_text(const akin_cli_command *command, const akin_cli_arguments *arguments, int operands)
{
    akin_cli_stream t;
    if (!akin_cli_stream_open(&t))
        return NULL;
    fprintf(t.to, "option %s\n", command->name);
    for (int i = 0; i < operands && i < arguments->operand_count; i++)
        put_option(t.to, "operand", arguments->operands[i]);
    for (int i = 0; i < command->option_count; i++) {
        const akin_cli_option *option = &command->options[i];
        if (!option->repeated && arguments->value[i][0])
            put_option(t.to, arguments->value[i][1] ? arguments->value[i][1] : option->name, arguments->value[i][0]);
    }
    const int is_whole = put_repeated(t.to, command, arguments);
    char *options = end_text(&t);
    if (is_whole)
        return options;
    free(options);
    return NULL;
}

int akin_cli_shards_options(const akin_cli_command *command, const akin_cli_arguments *arguments, int operands,
                            char **out)
{
    *out = options_text(command, arguments, operands);
    if (*out)
        return AKIN_CLI_DONE;
    akin_cli_refuse("not enough memory for the command line");
    return AKIN_CLI_FAILED;
}

int akin_cli_shards_check(const akin_cli_command *command, const akin_cli_arguments *arguments, int option)
{
    const char *name = command->options[option].name, *folder = arguments->value[option][0];
    if (strcmp(folder, "-") == 0)
        return akin_cli_refuse(
            "--%s -: several files are read, and written again under their names: expected the name "
            "of a folder",
            name);
    for (int i = 0; i < command->option_count; i++) {
        const char *path = arguments->value[i][0];
        if (i != option && command->options[i].written && path && strcmp(path, "-") != 0 &&
            akin_cli_path_is_below(path, folder))
            return akin_cli_refuse(
                "--%s %s: is in the folder of --%s, which has nothing but files of the input: give "
                "a file elsewhere",
                command->options[i].name, path, name);
    }
    return AKIN_CLI_DONE;
}

/* ------------------------------------------------------------------------------------------------------------ files */

/* Takes "./" and doubled slashes out of a path: so a file has one name. */
static void normalise_path(char *path)
{
    char *to = path;
    for (const char *at = path; *at; at++) {
        const int begins = to == path || to[-1] == '/';
        if (begins && at[0] == '.' && at[1] == '/')
            at++;
        else if (!(at[0] == '/' && to > path && to[-1] == '/'))
            *to++ = *at;
    }
    *to = '\0';
}

/* The bytes before the last slash of a name, and that. */
static size_t folder_bytes(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? (size_t)(slash + 1 - name) : 0;
}

/* The folder that all files are in: the one that is read, or the longest that their names have in common. */
static akin_status find_common(akin_cli_shards *s, const char *const *inputs, int count, akin_error *error)
{
    if (count == 1 && akin_cli_path_is_directory(inputs[0])) {
        char *folder = within(inputs[0], "");
        if (!folder)
            return fail_room(error);
        normalise_path(folder);
        s->common = strlen(folder);
        free(folder);
        return AKIN_OK;
    }
    s->common = folder_bytes(s->files.names[0]);
    for (uint64_t i = 1; i < s->files.count; i++) {
        size_t same = 0;
        while (same < s->common && s->files.names[i][same] == s->files.names[0][same])
            same++;
        while (same > 0 && s->files.names[0][same - 1] != '/')
            same--;
        s->common = same;
    }
    return AKIN_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Refuses a file that another library writes, where the program has none. */
static akin_status check_format(const akin_cli_job *job, const char *name, akin_error *error)
{
    akin_format format;
    if (job->options.saver || akin_format_of_name(name, &format, NULL) != AKIN_OK ||
        !akin_choice_of_value("opened-formats", (int)format))
        return AKIN_OK;
    return akin_error_set(
        error, AKIN_E_OPTION, AKIN_REASON_NONE,
        "%.600s: this program does not write such a file again; the akin command of the Python package "
        "does",
        name);
}

static akin_status check_names(const akin_cli_job *job, const akin_cli_shards *s, akin_error *error)
{
    char **sorted = malloc((size_t)(s->files.count + 1) * sizeof *sorted);
    akin_status status = AKIN_OK;
    if (!sorted)
        return fail_room(error);
    memcpy(sorted, s->files.names, (size_t)s->files.count * sizeof *sorted);
    qsort(sorted, (size_t)s->files.count, sizeof *sorted, compare_names);
    for (uint64_t i = 0; i < s->files.count && status == AKIN_OK; i++) {
        const char *name = sorted[i] + s->common;
        if (i > 0 && strcmp(sorted[i], sorted[i - 1]) == 0)
            status = akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_REPEATED, "%.600s: is given twice", sorted[i]);
        else if (strncmp(name, "../", 3) == 0 || strstr(name, "/../") || *name == '/' || strchr(name, '\n'))
            status = akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                                    "%.600s: has no place in the folder of --%s", sorted[i], s->option);
        else
            status = check_format(job, sorted[i], error);
        if (status == AKIN_OK && akin_cli_path_is_below(sorted[i], s->folder))
            status = akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                                    "--%s %.600s: has files that are read: give another folder", s->option, s->folder);
    }
    free(sorted);
    return status;
}

static akin_status list_files(const akin_cli_job *job, akin_cli_shards *s, const char *const *inputs, int count,
                              akin_error *error)
{
    akin_status status = akin_cli_files_list(inputs, count, &s->files, error);
    for (uint64_t i = 0; i < s->files.count; i++)
        normalise_path(s->files.names[i]);
    if (status == AKIN_OK)
        status = find_common(s, inputs, count, error);
    return status == AKIN_OK ? check_names(job, s, error) : status;
}

/* --------------------------------------------------------------------------------------------------------- manifest */

/* What the job is, as the manifest has it. */
static akin_status describe_job(akin_cli_shards *s, const char *options, akin_error *error)
{
    akin_cli_stream t;
    akin_status status = AKIN_OK;
    if (!akin_cli_stream_open(&t))
        return fail_room(error);
    fprintf(t.to, "%s%s", FIRST, options);
    for (uint64_t i = 0; i < s->files.count && status == AKIN_OK; i++) {
        mark m;
        status = mark_file(s->files.names[i], &m, error);
        fprintf(t.to, "input %" PRIu64 " %016" PRIx64 " %s\n", m.size, m.sum, s->files.names[i]);
    }
    s->begun = end_text(&t);
    return status == AKIN_OK && !s->begun ? fail_room(error) : status;
}

/* What a line says: the option, an operand, or the name of the file. */
static const char *said(const char *line)
{
    static const char operand[] = "option --operand ";
    if (strncmp(line, operand, sizeof operand - 1) == 0)
        return line + sizeof operand - 1;
    if (strncmp(line, "option ", 7) == 0)
        return line + 7;
    for (int blanks = 0; *line && blanks < 3; line++)
        blanks += *line == ' ';
    return line;
}

static int word_length(const char *line)
{
    const char *begin = said(line);
    const size_t length = strcspn(begin, "\n");
    return length < 300 ? (int)length : 300;
}

static const char *next_line(const char *at)
{
    const char *feed = strchr(at, '\n');
    return feed ? feed + 1 : at + strlen(at);
}

/* Whether one of some lines is that line. */
static int has_line(const char *lines, const char *line)
{
    const size_t length = (size_t)(next_line(line) - line);
    for (; *lines; lines = next_line(lines))
        if ((size_t)(next_line(lines) - lines) == length && memcmp(lines, line, length) == 0)
            return 1;
    return 0;
}

/* Refuses to go on with what another command has begun: names the first difference. */
static akin_status fail_other(const akin_cli_shards *s, const char *before, const char *now, akin_error *error)
{
    const char *a = said(before), *b = said(now), *advice = "give the same options and files, or another folder";
    const int lengths[2] = {word_length(before), word_length(now)};
    const int is_option[2] = {strncmp(before, "option ", 7) == 0, strncmp(now, "option ", 7) == 0};
    if (!is_option[0] && !is_option[1] && lengths[0] == lengths[1] && strncmp(a, b, (size_t)lengths[0]) == 0)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                              "%.*s: has changed since %.300s was begun: give another folder", lengths[1], b,
                              s->folder);
    if (!*now || (is_option[0] && !is_option[1]) || has_line(before, now))
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                              "%.300s: was begun with %.*s, which this command does not have: %s", s->folder,
                              lengths[0], a, advice);
    if (!*before || (is_option[1] && !is_option[0]) || has_line(now, before))
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                              "%.300s: was begun without %.*s, which this command has: %s", s->folder, lengths[1], b,
                              advice);
    return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                          "%.300s: was begun with %.*s, and this command has %.*s: %s", s->folder, lengths[0], a,
                          lengths[1], b, advice);
}

/* Compares the manifest with the job, line by line; *done receives where its other lines begin. */
static akin_status compare_jobs(const akin_cli_shards *s, const char *manifest, const char **done, akin_error *error)
{
    const char *before = manifest, *now = s->begun;
    while (*now || (*before && strncmp(before, "done ", 5) != 0)) {
        const char *ends[2] = {next_line(before), next_line(now)};
        const size_t length = (size_t)(ends[1] - now);
        if ((size_t)(ends[0] - before) != length || memcmp(before, now, length) != 0)
            return fail_other(s, strncmp(before, "done ", 5) == 0 ? "" : before, now, error);
        before = ends[0];
        now = ends[1];
    }
    *done = before;
    return AKIN_OK;
}

/* The content of a file, with a NUL behind it, to be freed; NULL: it is not there. */
static akin_status read_all(const char *path, char **out, akin_error *error)
{
    akin_cli_stream t;
    char block[4096];
    FILE *file = fopen(path, "re");
    *out = NULL;
    if (!file)
        return errno == ENOENT ? AKIN_OK : fail_file(path, AKIN_E_IO, error);
    akin_status status = akin_cli_stream_open(&t) ? AKIN_OK : fail_room(error);
    if (status == AKIN_OK) {
        for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
            fwrite(block, 1, got, t.to);
        if (ferror(file))
            status = fail_file(path, AKIN_E_IO, error);
        *out = end_text(&t);
        if (status == AKIN_OK && !*out)
            status = fail_room(error);
    }
    fclose(file);
    return status;
}

/* Whether a folder has files; a manifest in the making counts as none. -1: it cannot be read, as errno says. */
static int has_entries(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry = NULL;
    int found = 0;
    if (!folder)
        return -1;
    errno = 0;
    while (!found && (entry = readdir(folder)) != NULL)
        found = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                strncmp(entry->d_name, ".akin-", 6) != 0;
    const int failed = entry ? 0 : errno;
    closedir(folder);
    errno = failed;
    return failed ? -1 : found;
}

/* Begins a folder: the manifest appears as a whole. */
static akin_status begin_manifest(akin_cli_job *job, akin_cli_shards *s, const char *path, akin_error *error)
{
    akin_output *output = NULL;
    const int has = has_entries(s->folder);
    if (has < 0)
        return fail_file(s->folder, AKIN_E_IO, error);
    if (has)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                              "--%s %.600s: the folder has other files: give one that is empty, or a new "
                              "name",
                              s->option, s->folder);
    akin_status status = akin_output_open(job->context, path, &output, error);
    if (status == AKIN_OK)
        status = akin_output_write(output, s->begun, strlen(s->begun), error);
    if (status == AKIN_OK)
        return akin_output_commit(output, error);
    akin_output_discard(output);
    return status;
}

/* Takes the line away that a process had begun to write when it died. */
static akin_status cut_last_line(const char *path, char *manifest, akin_error *error)
{
    char *feed = strrchr(manifest, '\n'), *end = feed ? feed + 1 : manifest;
    if (!*end)
        return AKIN_OK;
    *end = '\0';
    return truncate(path, end - manifest) == 0 ? AKIN_OK : fail_file(path, AKIN_E_IO, error);
}

/* Whether a job has written files of the folder: one that failed before may have been another job. */
static int is_begun(const akin_cli_shards *s, const char *manifest)
{
    return strstr(manifest, "\ndone ") || has_entries(s->folder) != 0;
}

static akin_status open_manifest(akin_cli_job *job, akin_cli_shards *s, akin_error *error)
{
    const char *done = "";
    char *path = within(s->folder, MANIFEST), *manifest = NULL;
    akin_status status = path ? read_all(path, &manifest, error) : fail_room(error);
    if (status == AKIN_OK && manifest)
        status = cut_last_line(path, manifest, error);
    if (status == AKIN_OK && manifest && is_begun(s, manifest))
        status = compare_jobs(s, manifest, &done, error);
    else if (status == AKIN_OK)
        status = begin_manifest(job, s, path, error);
    s->done = status == AKIN_OK ? strdup(done) : NULL;
    free(manifest);
    free(path);
    return status == AKIN_OK && !s->done ? fail_room(error) : status;
}

static akin_status make_folder(const akin_cli_job *job, const char *path, akin_error *error)
{
    const int made = mkdir(path, 0777) == 0;
    if ((!made && errno != EEXIST) || (made && !akin_cli_job_sync_folder_of(job, path)))
        return fail_file(path, AKIN_E_IO, error);
    return AKIN_OK;
}

akin_status akin_cli_shards_open(akin_cli_job *job, const char *option, const char *folder, const char *const *inputs,
                                 int count, const char *options, akin_cli_shards *out, akin_error *error)
{
    *out = (akin_cli_shards){.option = option, .folder = folder};
    for (int i = 0; i < count; i++)
        if (akin_cli_path_is_directory(inputs[i]) && akin_cli_path_is_below(folder, inputs[i]))
            return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                                  "--%s %.600s: is in the folder that is read: give another one", option, folder);
    akin_format format;
    if (!akin_cli_path_is_directory(folder) && akin_format_of_name(folder, &format, NULL) == AKIN_OK)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NONE,
                              "--%s %.600s: several files are read, and written again under their names: "
                              "expected the name of a folder",
                              option, folder);
    akin_status status = options ? list_files(job, out, inputs, count, error) : fail_room(error);
    if (status == AKIN_OK)
        status = make_folder(job, folder, error);
    if (status == AKIN_OK && !akin_cli_path_is_directory(folder))
        status = akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_FILE,
                                "--%s %.600s: is a file; expected a folder, as several files are read", option, folder);
    if (status == AKIN_OK)
        status = describe_job(out, options, error);
    return status == AKIN_OK ? open_manifest(job, out, error) : status;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

/* The line of a file that is done. To be freed. */
static akin_status done_line(const char *path, const char *name, char **out, akin_error *error)
{
    akin_cli_stream t;
    mark m;
    akin_status status = mark_file(path, &m, error);
    *out = NULL;
    if (status != AKIN_OK)
        return status;
    if (akin_cli_stream_open(&t)) {
        fprintf(t.to, "done %" PRIu64 " %016" PRIx64 " %s\n", m.size, m.sum, name);
        *out = end_text(&t);
    }
    return *out ? AKIN_OK : fail_room(error);
}

/* Whether the manifest says of the file, as it is, that it is done. */
static int is_done(const akin_cli_shards *s, const char *path, const char *name)
{
    char *line = NULL;
    int found = 0;
    (void)done_line(path, name, &line, NULL); /* what cannot be read is written again */
    for (const char *at = s->done; line && *at && !found; at = next_line(at))
        found = strncmp(at, line, strlen(line)) == 0;
    free(line);
    return found;
}

/* Adds the line of a file that is done to the manifest. */
static akin_status note_done(const akin_cli_job *job, const akin_cli_shards *s, const char *path, const char *name,
                             akin_error *error)
{
    char *line = NULL, *manifest = within(s->folder, MANIFEST);
    akin_status status = manifest ? done_line(path, name, &line, error) : fail_room(error);
    FILE *file = status == AKIN_OK ? fopen(manifest, "ae") : NULL;
    if (status == AKIN_OK && !file)
        status = fail_file(manifest, AKIN_E_IO, error);
    const int written = file && fputs(line, file) >= 0 && akin_cli_job_sync(job, file);
    if (file && (fclose(file) != 0 || !written))
        status = fail_file(manifest, AKIN_E_IO, error);
    free(line);
    free(manifest);
    return status;
}

/* Makes the folders that a name in the folder stands in. */
static akin_status make_folders(const akin_cli_job *job, char *path, size_t from, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (char *slash = path + from; status == AKIN_OK && (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        status = make_folder(job, path, error);
        *slash = '/';
    }
    return status;
}

/* Opens a file of the folder, in the format of the input. */
static akin_status open_shard(akin_cli_job *job, akin_format format, const char *path, const char *name,
                              akin_output **out, akin_error *error)
{
    if (akin_choice_of_value("opened-formats", (int)format))
        return akin_output_open_table(job->context, path, 1, out, error);
    const akin_status status = akin_output_open(job->context, path, out, error);
    return status == AKIN_OK ? akin_output_pack(*out, name, error) : status;
}

/* Writes file `index` of the shards, file `of` of the table. */
static akin_status write_shard(akin_cli_job *job, akin_cli_shards *s, uint32_t index, const akin_cli_kept *kept,
                               const akin_table *table, uint32_t of, akin_error *error)
{
    const char *name = s->files.names[index] + s->common;
    akin_table_file file = {.size = sizeof file};
    akin_output *output = NULL;
    char *path = within(s->folder, name);
    if (!path)
        return fail_room(error);
    akin_status status = akin_table_file_at(table, of, &file, error);
    if (status == AKIN_OK && is_done(s, path, name)) {
        s->kept++;
        free(path);
        return AKIN_OK;
    }
    if (status == AKIN_OK)
        status = make_folders(job, path, strlen(path) - strlen(name), error);
    if (status == AKIN_OK)
        status = open_shard(job, file.format, path, name, &output, error);
    if (status == AKIN_OK)
        status = akin_cli_kept_write_file(kept, table, &file, s->files.names[index], output, error);
    if (status == AKIN_OK)
        status = akin_output_commit(output, error);
    else
        akin_output_discard(output);
    if (status == AKIN_OK)
        status = note_done(job, s, path, name, error);
    free(path);
    return status;
}

/* Writes a file, and ends where the job is cancelled. */
static akin_status write_next(akin_cli_job *job, akin_cli_shards *s, uint32_t index, const akin_cli_kept *kept,
                              const akin_table *table, uint32_t of, akin_error *error)
{
    const akin_status status = write_shard(job, s, index, kept, table, of, error);
    return status == AKIN_OK && akin_cli_job_cancelled()
               ? akin_error_set(error, AKIN_E_CANCELLED, AKIN_REASON_NONE,
                                "%.600s: cancelled; the same command goes on", s->folder)
               : status;
}

akin_status akin_cli_shards_write_file(akin_cli_job *job, akin_cli_shards *shards, uint32_t index,
                                       const akin_cli_kept *kept, const akin_table *table, akin_error *error)
{
    if (index >= shards->files.count)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_FILE,
                              "--%s %.600s: files of the input came while it was read", shards->option, shards->folder);
    return write_next(job, shards, index, kept, table, 0, error);
}

akin_status akin_cli_shards_write(akin_cli_job *job, akin_cli_shards *shards, const akin_cli_kept *kept,
                                  const akin_table *table, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (akin_table_files(table) != shards->files.count)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_FILE,
                              "--%s %.600s: files of the input came or went while it was read", shards->option,
                              shards->folder);
    for (uint32_t i = 0; i < shards->files.count && status == AKIN_OK; i++)
        status = write_next(job, shards, i, kept, table, i, error);
    if (status == AKIN_OK)
        akin_cli_shards_report(job, shards);
    return status;
}

void akin_cli_shards_report(const akin_cli_job *job, const akin_cli_shards *shards)
{
    if (shards->kept == 0 || job->quiet)
        return;
    fputs("akin: ", stderr);
    akin_cli_put_text(stderr, shards->folder);
    fprintf(stderr, ": %" PRIu64 " of %" PRIu64 " files were done already\n", shards->kept, shards->files.count);
}

void akin_cli_shards_clear(akin_cli_shards *shards)
{
    akin_cli_files_clear(&shards->files);
    free(shards->begun);
    free(shards->done);
    *shards = (akin_cli_shards){0};
}
