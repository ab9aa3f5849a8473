/* The calibration that `akin info --calibrate` keeps in the user's cache directory, one for each SIMD level. */
#define _POSIX_C_SOURCE 200809L

#include "calibration.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "number.h"

#define FORMAT "akin calibration 1\nindex %31s\nscreened %31s\nbitmap %31s\n"
/* And, where a GPU was measured: */
#define FORMAT_GPU "gpu-open %31s\ngpu-transfer %31s\ngpu-compare %31s\ngpu-verify %31s\n"

int akin_cli_calibration_path(const akin_context *context, char path[AKIN_CLI_CALIBRATION_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const char *cpu = akin_context_cpu(context);
    int length = 0;
    if (cache && *cache == '/')
        length = snprintf(path, AKIN_CLI_CALIBRATION_PATH, "%s/akin/calibration-%s", cache, cpu);
    else if (home && *home == '/')
        length = snprintf(path, AKIN_CLI_CALIBRATION_PATH, "%s/.cache/akin/calibration-%s", home, cpu);
    return length > 0 && length < AKIN_CLI_CALIBRATION_PATH;
}

static akin_status fail_calibration(akin_error *error, akin_status code, const char *path, const char *what)
{
    return akin_error_set(error, code, AKIN_REASON_NONE, "%.700s: %s", path, what);
}

/* Whether a file that was read ends there, and with a line: one that was cut within a number is none. */
static int ends_a_line(FILE *file)
{
    return fgetc(file) == EOF && fseek(file, -1, SEEK_END) == 0 && fgetc(file) == '\n';
}

/* What there is in the place of a calibration. */
typedef enum found { NOTHING, CALIBRATION, ANOTHER_TEXT, NO_FILE } found;

/* Opens a regular file; a pipe would have a job wait for somebody to write to it. */
static found open_kept(const char *path, FILE **out)
{
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int regular = descriptor >= 0 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
    *out = regular ? fdopen(descriptor, "r") : NULL;
    if (descriptor >= 0 && !*out)
        close(descriptor);
    return *out ? CALIBRATION : descriptor >= 0 && !regular ? NO_FILE : NOTHING;
}

static found read_kept(const akin_context *context, akin_calibration *kept)
{
    char path[AKIN_CLI_CALIBRATION_PATH], words[7][32];
    double *const values[] = {&kept->index,        &kept->screened,    &kept->bitmap,    &kept->gpu_open,
                              &kept->gpu_transfer, &kept->gpu_compare, &kept->gpu_verify};
    FILE *file;
    found there = akin_cli_calibration_path(context, path) ? open_kept(path, &file) : NOTHING;
    if (there != CALIBRATION)
        return there;
    int valid = fscanf(file, FORMAT, words[0], words[1], words[2]) == 3;
    int gpu = valid ? fscanf(file, FORMAT_GPU, words[3], words[4], words[5], words[6]) : 0;
    valid = valid && (gpu == 4 || gpu == EOF) && ends_a_line(file);
    fclose(file);
    for (int i = 0; i < (gpu == 4 ? 7 : 3) && valid; i++)
        valid = akin_cli_read_double(words[i], values[i]);
    return valid ? CALIBRATION : ANOTHER_TEXT;
}

/* Uses what is kept, if there is something. */
static akin_status use(akin_context *context, int *used, akin_error *error)
{
    char path[AKIN_CLI_CALIBRATION_PATH];
    akin_calibration kept = {.size = sizeof kept};
    found there = read_kept(context, &kept);
    if (there == CALIBRATION && akin_context_calibrate(context, &kept, NULL) == AKIN_OK)
        *used = 1;
    if (there == NOTHING || *used || !akin_cli_calibration_path(context, path))
        return AKIN_OK;
    return fail_calibration(
        error, AKIN_E_INPUT, path,
        there == NO_FILE
            ? "is no regular file, so the built-in prices are used; remove it, and 'akin info --calibrate' "
              "makes one"
            : "is no calibration, so the built-in prices are used; 'akin info --calibrate' makes it anew");
}

int akin_cli_calibration_use(akin_context *context)
{
    akin_error error;
    int used = 0;
    if (use(context, &used, &error) != AKIN_OK)
        akin_cli_warn("%s", error.message);
    return used;
}

/* Makes the folders that a path needs. What fails shows when the file is written. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
}

akin_status akin_cli_calibration_keep(akin_context *context, const akin_calibration *measured, akin_error *error)
{
    char path[AKIN_CLI_CALIBRATION_PATH], text[512];
    const akin_calibration *gpu = measured;
    akin_calibration kept = {.size = sizeof kept};
    akin_output *output = NULL;
    if (!akin_cli_calibration_path(context, path))
        return fail_calibration(error, AKIN_E_IO, "--calibrate",
                                "there is no place to keep it: neither XDG_CACHE_HOME nor HOME is set");
    found there = read_kept(context, &kept);
    if (there == NO_FILE)
        return fail_calibration(error, AKIN_E_IO, path,
                                "is no regular file: remove it, for the calibration is kept there");
    make_folders(path);
    int length = snprintf(text, sizeof text, "akin calibration 1\nindex %.4f\nscreened %.4f\nbitmap %.4f\n",
                          measured->index, measured->screened, measured->bitmap);
    if (measured->gpu_transfer <= 0 && there == CALIBRATION) /* no GPU is there now */
        gpu = &kept;
    if (gpu->gpu_transfer > 0)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "gpu-open %.4f\ngpu-transfer %.4f\ngpu-compare %.4f\ngpu-verify %.4f\n", gpu->gpu_open,
                           gpu->gpu_transfer, gpu->gpu_compare, gpu->gpu_verify);
    akin_status status = akin_output_open(context, path, &output, error);
    if (status == AKIN_OK)
        status = akin_output_write(output, text, (size_t)length, error);
    if (status == AKIN_OK)
        return akin_output_commit(output, error);
    akin_output_discard(output);
    return status;
}
