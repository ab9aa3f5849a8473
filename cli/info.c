/* akin info: what this build and this machine offer, or what a saved file holds. */
#include <stdio.h>
#include <string.h>

#include "calibration.h"
#include "command.h"
#include "job.h"
#include "mapped.h"
#include "number.h"
#include "path.h"
#include "run.h"

static void print_fact(const char *name, const char *value)
{
    const int blanks = 10 - (int)strlen(name);
    printf("%s:%*s", name, blanks > 0 ? blanks : 1, "");
    akin_cli_put_text(stdout, value ? value : "none");
    putchar('\n');
}

enum { CALIBRATE, OPTION_COUNT };

static const akin_cli_option options[OPTION_COUNT] = {
    [CALIBRATE] = {.heading = "Measuring",
                   .name = "calibrate",
                   .help = "measure in some seconds how fast this machine and its\n"
                           "GPU join, and keep the figures in the user's cache\n"
                           "directory. 'akin join' then predicts better which\n"
                           "technique and device are fastest"},
};

static void say_calibration(const char *name, double scale)
{
    if (scale > 0)
        printf("  %-12s %.2f times the time\n", name, scale);
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
    puts("measured, compared with the machines that the built-in prices are from:");
    say_calibration("index", measured.index);
    say_calibration("screened", measured.screened);
    say_calibration("bitmap", measured.bitmap);
    say_calibration("gpu open", measured.gpu_open);
    say_calibration("gpu transfer", measured.gpu_transfer);
    say_calibration("gpu compare", measured.gpu_compare);
    say_calibration("gpu verify", measured.gpu_verify);
    if (measured.gpu_transfer <= 0)
        puts("  no GPU was measured; what is kept of one stays");
    return AKIN_OK;
}

/* The devices, or why there are none. */
static akin_status say_gpus(const akin_context *context, const akin_info *info, akin_error *error)
{
    unsigned major = info->cuda / 1000, minor = info->cuda % 1000 / 10;
    unsigned driver_major = info->cuda_driver / 1000, driver_minor = info->cuda_driver % 1000 / 10;
    for (uint32_t number = 0; number < info->devices; number++) {
        akin_device_info gpu = {.size = sizeof gpu};
        akin_status status = akin_context_device_info(context, number, &gpu, error);
        if (status != AKIN_OK)
            return status;
        printf("gpu:       cuda:%u, %s, %.1f GiB, compute capability %u.%u\n", number, gpu.name,
               (double)gpu.memory / ((uint64_t)1 << 30), gpu.capability / 10, gpu.capability % 10);
    }
    if (info->devices > 0)
        printf("cuda:      %u.%u, with a driver for %u.%u\n", major, minor, driver_major, driver_minor);
    else if (info->cuda == 0)
        print_fact("gpu", info->device);
    else if (info->cuda_driver == 0)
        printf("gpu:       %s (built with CUDA %u.%u)\n", info->device, major, minor);
    else
        printf("gpu:       %s (built with CUDA %u.%u, the driver can run %u.%u)\n", info->device, major, minor,
               driver_major, driver_minor);
    return AKIN_OK;
}

/* What reads and writes the formats that libakin does not. */
static void say_opened(const akin_cli_arguments *arguments)
{
    const akin_cli_host *host = arguments->host;
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("opened-formats", i)); i++)
        print_fact(row->name, host ? host->describe(host->opener.user, (akin_format)row->value)
                                   : "neither read nor written: see 'akin help opened-formats'");
}

static akin_status show_context(akin_context *context, const akin_cli_arguments *arguments, akin_error *error)
{
    akin_info info = {.size = sizeof info};
    char path[AKIN_CLI_CALIBRATION_PATH];
    akin_status status = akin_context_info(context, &info, error);
    if (status != AKIN_OK)
        return status;
    int used = akin_cli_calibration_use(context);
    print_fact("version", info.version);
    printf("cpu:       %s", info.cpu);
    printf(strcmp(info.cpu, info.cpu_best) == 0 ? "\n" : " (the best available is %s)\n", info.cpu_best);
    printf("threads:   %u\n", info.threads);
    status = say_gpus(context, &info, error);
    if (status != AKIN_OK)
        return status;
    print_fact("prices", used && akin_cli_calibration_path(context, path) ? path : "built in (see --calibrate)");
    print_fact("zlib", info.zlib);
    print_fact("zstd", info.zstd);
    print_fact("xxhash", info.xxhash);
    print_fact("utf8proc", info.utf8proc);
    print_fact("unicode", info.unicode);
    say_opened(arguments);
    return AKIN_OK;
}

/* Prints a fact of a saved file: "stop-words" as "stop words:", and the numbers of counts as people read them. */
static void say_fact(const akin_fact *fact)
{
    char number[AKIN_CLI_NUMBER];
    for (const char *at = fact->name; *at; at++)
        putchar(*at == '-' ? ' ' : *at);
    printf(":%*s", 14 - (int)strlen(fact->name), "");
    switch (fact->form) {
    case AKIN_FACT_TEXT:
        akin_cli_put_text(stdout, fact->text ? fact->text : "none");
        putchar('\n');
        break;
    case AKIN_FACT_COUNT:
        puts(akin_cli_format_grouped(number, fact->count));
        break;
    case AKIN_FACT_NUMBER:
        akin_cli_format_double(number, fact->number);
        puts(number);
        break;
    case AKIN_FACT_FLAG:
        puts(fact->count ? "yes" : "no");
        break;
    }
}

/* What a saved file holds. */
static akin_status show_file(akin_context *context, const char *path, akin_error *error)
{
    akin_saved *saved = NULL;
    akin_status status = akin_saved_describe(context, path, &saved, error);
    akin_error changed;
    const akin_fact *fact;
    if (akin_cli_mapped_check(&changed) != AKIN_OK) { /* what failed may have failed for that */
        *error = changed;
        status = changed.code;
    }
    for (uint32_t i = 0; status == AKIN_OK && (fact = akin_saved_fact(saved, i)); i++)
        say_fact(fact);
    akin_saved_free(saved);
    return status;
}

static int run_info(const akin_cli_arguments *arguments)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_error error;
    const char *path = arguments->operand_count > 0 ? arguments->operands[0] : NULL;
    if (arguments->operand_count > 1)
        return akin_cli_refuse("expected one file, not %d: akin info FILE", arguments->operand_count);
    if (path && !*path)
        return akin_cli_refuse("expected the name of a file, not an empty word");
    if (path && arguments->value[CALIBRATE][0])
        return akin_cli_refuse("--calibrate: measures this machine, and %s is a file: expected one of them",
                               akin_cli_path_name(path));
    options.mapped = akin_cli_mapped_note;
    akin_cli_mapped_catch();
    akin_status status = akin_cli_context_create(&options, &context, &error);
    if (status == AKIN_OK && path)
        status = show_file(context, path, &error);
    else if (status == AKIN_OK && arguments->value[CALIBRATE][0])
        status = calibrate(context, &error);
    else if (status == AKIN_OK)
        status = show_context(context, arguments, &error);
    akin_context_free(context);
    return status == AKIN_OK ? akin_cli_flush() : akin_cli_fail(&error);
}

const akin_cli_command akin_cli_info = {
    .name = "info",
    .summary = "show what a saved file holds, or what this build and machine offer",
    .usage = "[FILE] [OPTION...]",
    .about =
        "With FILE, which akin has saved: checks the whole file, and shows its kind and\n"
        "version, the number of objects, the tokens of its text, formulas and parameters,\n"
        "and the commands that use it. Of a model of learnt weights it shows the\n"
        "comparisons, the threshold and the expected matches.\n"
        "\n"
        "Without a file: shows the version, the CPU instructions that akin uses, the\n"
        "number of threads, the GPUs or the reason why there are none, the source of the\n"
        "planner's prices, the versions of the libraries, and what reads Parquet and the\n"
        "other opened formats ('akin help opened-formats').\n",
    .notes =
        "Examples:\n"
        "  akin info\n"
        "  akin info titles.akin\n"
        "  akin info model.json\n"
        "  AKIN_CPU=scalar akin info      as on a CPU without vector instructions\n"
        "  akin info --calibrate\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run_info,
};
