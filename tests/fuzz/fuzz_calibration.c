/*
 * Fuzzes the file of a calibration: a join finds the same with any, and says in one line what is wrong with one that it
 * does not use. Numbers of the input, as far as a calibration may have them, are kept as a file that is used, and
 * keeping them again gives the same bytes.
 */
#include "commands.h"

#include "cli/calibration.h"

#define LEAST 0.02 /* as akin_context_calibrate has it */
#define MOST  50

static akin_context *context;

static void begin(char path[AKIN_CLI_CALIBRATION_PATH])
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    make_folder();
    require(setenv("XDG_CACHE_HOME", folder_path, 1) == 0);
    options.threads = 1;
    require(context || akin_context_create(&options, &context, NULL) == AKIN_OK);
    require(akin_cli_calibration_path(context, path) == 1);
    mkdirat(folder, "akin", 0700);
    put_text("sets.txt", "1 2 3\n2 3 4\n7 8\n3 2\n");
}

/* The name within the folder. */
static const char *inner_of(const char *path)
{
    return path + strlen(folder_path) + 1;
}

static void check_file(const char *path, const uint8_t *data, size_t size)
{
    static const char *const line = "join sets.txt -q --jaccard 0.5 --threads 1";
    put_file(inner_of(path), data, size);
    outcome with = run_line(line, NULL, 0);
    unlinkat(folder, inner_of(path), 0);
    outcome without = run_line(line, NULL, 0);
    require(with.status == 0 && without.status == 0 && without.err_length == 0);
    require(with.out_length == without.out_length && memcmp(with.out, without.out, with.out_length) == 0);
    require(with.err_length == 0 ||
            (strncmp(with.err, "akin: warning: ", 15) == 0 && last_line(with.err, with.err_length) == with.err));
    clear_outcome(&with);
    clear_outcome(&without);
}

static char *read_kept(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 4096);
    require(file && text && fread(text, 1, 4095, file) > 0);
    fclose(file);
    return text;
}

static void check_kept(const char *path, const uint8_t *data, size_t size)
{
    akin_calibration measured = {.size = sizeof measured};
    double *const values[] = {&measured.index,        &measured.screened,    &measured.bitmap,    &measured.gpu_open,
                              &measured.gpu_transfer, &measured.gpu_compare, &measured.gpu_verify};
    if (size < sizeof values / sizeof *values * sizeof(double))
        return;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        memcpy(values[i], data + i * sizeof(double), sizeof(double));
        if (!(*values[i] >= LEAST && *values[i] <= MOST))
            *values[i] = 1 + (double)data[i * sizeof(double)] / 16;
    }
    if (data[0] % 2)
        measured.gpu_open = measured.gpu_transfer = measured.gpu_compare = measured.gpu_verify = 0;
    akin_error error;
    require(akin_cli_calibration_keep(context, &measured, &error) == AKIN_OK);
    char *text = read_kept(path);
    require(akin_cli_calibration_use(context) == 1);
    require(akin_cli_calibration_keep(context, &measured, &error) == AKIN_OK);
    char *again = read_kept(path);
    require(strcmp(text, again) == 0);
    free(text);
    free(again);
    unlinkat(folder, inner_of(path), 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[AKIN_CLI_CALIBRATION_PATH];
    begin(path);
    check_file(path, data, size);
    check_kept(path, data, size);
    return 0;
}
