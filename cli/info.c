/* akin info: what this build and this machine offer. */
#include <stdio.h>
#include <string.h>

#include "calibration.h"
#include "command.h"

static void say(const char *name, const char *value)
{
    printf("%s:%*s%s\n", name, 10 - (int)strlen(name), "", value ? value : "none");
}

enum { CALIBRATE, OPTION_COUNT };

static const akin_cli_option options[OPTION_COUNT] = {
    [CALIBRATE] = {.name = "calibrate",
                   .help = "measure how fast this machine joins (a second or\n"
                           "two), and keep that in the user's cache directory,\n"
                           "where akin join finds it: it predicts better then\n"
                           "which technique is fastest"},
};

static void say_calibration(const char *name, double scale)
{
    printf("  %-9s %.2f times the time\n", name, scale);
}

/* Measures, keeps and uses the calibration. */
static akin_status calibrate(akin_context *context, akin_error *error)
{
    akin_calibration measured = {.size = sizeof measured};
    akin_status status = akin_context_measure(context, &measured, error);
    if (status == AKIN_OK)
        status = akin_cli_calibration_keep(context, &measured, error);
    if (status != AKIN_OK)
        return status;
    puts("measured, compared with the machine that the built-in prices are from:");
    say_calibration("index", measured.index);
    say_calibration("screened", measured.screened);
    say_calibration("bitmap", measured.bitmap);
    return AKIN_OK;
}

static akin_status show(akin_context *context, akin_error *error)
{
    akin_info info = {.size = sizeof info};
    char path[AKIN_CLI_CALIBRATION_PATH];
    akin_status status = akin_context_info(context, &info, error);
    if (status != AKIN_OK)
        return status;
    int used = akin_cli_calibration_use(context);
    say("version", info.version);
    printf("cpu:       %s", info.cpu);
    printf(strcmp(info.cpu, info.cpu_best) == 0 ? "\n" : " (the best available is %s)\n", info.cpu_best);
    printf("threads:   %u\n", info.threads);
    say("gpu", info.device);
    say("prices", used && akin_cli_calibration_path(context, path) ? path : "built in (see --calibrate)");
    say("zlib", info.zlib);
    say("zstd", info.zstd);
    say("xxhash", info.xxhash);
    say("utf8proc", info.utf8proc);
    say("unicode", info.unicode);
    return AKIN_OK;
}

static int run(const akin_cli_arguments *arguments)
{
    akin_context *context = NULL;
    akin_error error;
    if (arguments->operand_count > 0)
        return akin_cli_refuse("%s: info takes no operand", arguments->operands[0]);
    akin_status status = akin_context_create(NULL, &context, &error);
    if (status == AKIN_OK)
        status = (arguments->value[CALIBRATE][0] ? calibrate : show)(context, &error);
    akin_context_free(context);
    return status == AKIN_OK ? akin_cli_flush() : akin_cli_fail(&error);
}

const akin_cli_command akin_cli_info = {
    .name = "info",
    .summary = "show what this build and this machine offer",
    .usage = "",
    .about =
        "Shows the version, the CPU instructions that are used, the number of threads,\n"
        "the state of GPU support, where the planner's prices are from, and the versions\n"
        "of the libraries.\n",
    .notes =
        "Examples:\n"
        "  akin info\n"
        "  AKIN_CPU=scalar akin info      as on a CPU without vector instructions\n"
        "  akin info --calibrate\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
