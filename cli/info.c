/* akin info: what this build and this machine offer. */
#include <stdio.h>
#include <string.h>

#include "command.h"

static void say(const char *name, const char *value)
{
    printf("%s:%*s%s\n", name, 10 - (int)strlen(name), "", value ? value : "none");
}

static int run(const akin_cli_arguments *arguments)
{
    akin_context *context = NULL;
    akin_error error;
    akin_info info = {.size = sizeof info};
    if (arguments->operand_count > 0)
        return akin_cli_refuse("%s: info takes no operand", arguments->operands[0]);
    akin_status status = akin_context_create(NULL, &context, &error);
    if (status == AKIN_OK)
        status = akin_context_info(context, &info, &error);
    if (status == AKIN_OK) {
        say("version", info.version);
        printf("cpu:       %s", info.cpu);
        printf(strcmp(info.cpu, info.cpu_best) == 0 ? "\n" : " (the best available is %s)\n", info.cpu_best);
        printf("threads:   %u\n", info.threads);
        say("gpu", info.device);
        say("zlib", info.zlib);
        say("zstd", info.zstd);
        say("xxhash", info.xxhash);
        say("utf8proc", info.utf8proc);
        say("unicode", info.unicode);
    }
    akin_context_free(context);
    return status == AKIN_OK ? akin_cli_flush() : akin_cli_fail(&error);
}

const akin_cli_command akin_cli_info = {
    .name = "info",
    .summary = "show what this build and this machine offer",
    .usage = "",
    .about =
        "Shows the version, the CPU instructions that are used, the number of threads,\n"
        "the state of GPU support, and the versions of the libraries.\n",
    .notes =
        "Examples:\n"
        "  akin info\n"
        "  AKIN_CPU=scalar akin info      as on a CPU without vector instructions\n",
    .run = run,
};
