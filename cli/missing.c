/* Refuses a command line that lacks an option, in the same words everywhere. */
#include <stdarg.h>
#include <stdio.h>

#include "command.h"

/* Adds an option as it is typed, or each that it stands for. */
static void list_option(akin_cli_list *list, const akin_cli_option *option)
{
    akin_cli_option each;
    char name[64];
    for (uint32_t row = 0; akin_cli_option_expand(option, row, &each); row++) {
        snprintf(name, sizeof name, "--%s%s", each.name, each.argument ? " " : "");
        akin_cli_list_add(list, name, each.argument ? each.argument : "", "");
    }
}

AKIN_PRINTF(2, 0)
static int refuse_missing(const akin_cli_option *const *options, const char *format, va_list arguments)
{
    char names[AKIN_CLI_HELP_BYTES], why[AKIN_CLI_HELP_BYTES];
    akin_cli_list list = {.text = names, .room = sizeof names};
    for (; *options; options++)
        list_option(&list, *options);
    vsnprintf(why, sizeof why, format, arguments);
    return akin_cli_refuse("missing %s: %s", akin_cli_list_end(&list), why);
}

int akin_cli_missing(const akin_cli_option *option, const char *format, ...)
{
    const akin_cli_option *const options[] = {option, NULL};
    va_list arguments;
    va_start(arguments, format);
    refuse_missing(options, format, arguments);
    va_end(arguments);
    return AKIN_CLI_USAGE;
}

int akin_cli_missing_all(const akin_cli_option *const *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse_missing(options, format, arguments);
    va_end(arguments);
    return AKIN_CLI_USAGE;
}
