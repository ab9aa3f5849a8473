/* The help of akin itself: its commands, and what holds for all of them. */
#include <stdio.h>

#include "command.h"

const akin_cli_command *const akin_cli_commands[] = {
    &akin_cli_join,    &akin_cli_dedupe,   &akin_cli_link,       &akin_cli_label, &akin_cli_corpus,
    &akin_cli_compare, &akin_cli_evaluate, &akin_cli_dictionary, &akin_cli_weigh, &akin_cli_rank,
    &akin_cli_index,   &akin_cli_search,   &akin_cli_generate,   &akin_cli_info,  NULL};

const char akin_cli_purpose[] = "akin finds what is alike, exactly and fast.";

const char akin_cli_help_summary[] = "explain a command, or the names in a table: akin help comparators";

const akin_cli_section akin_cli_sections[] = {
    {"Options",
     "  -h, --help     show this help\n"
     "  -V, --version  print the version\n"},
    {"Examples",
     "  akin join notes.txt --tokens words --jaccard 0.8   pairs of similar lines\n"
     "  akin compare MARTHA MARHTA --scorer jaro-winkler   how alike two strings are\n"
     "  akin generate records -o people.csv                a table to try akin on\n"
     "  akin help comparators                              the names that --compare takes\n"},
    {NULL,
     "Input may be plain or compressed with gzip or zstd. - stands for standard input\n"
     "or output. A result replaces a file of the same name. Results are the same bytes\n"
     "with every technique, device, CPU and number of threads. --save-job FILE keeps\n"
     "the options of a command in a file, and --job FILE runs it. 'akin help limits'\n"
     "shows what a job stops at, such as --max-pairs and --timeout.\n"},
    {"Environment",
     "  AKIN_CPU        scalar; neon (ARM); avx2 or avx512 (x86-64) (default: the best\n"
     "                  level of the CPU)\n"
     "  XDG_CACHE_HOME  the folder for what akin info --calibrate measures (default:\n"
     "                  ~/.cache)\n"
     "  TMPDIR          the folder for temporary files (default: /tmp)\n"},
    {"Exit status",
     "  0              done\n"
     "  1              memory, writing or a device failed\n"
     "  2              the command line or the input is wrong, or a limit is met\n"
     "  130            cancelled\n"},
    {NULL, NULL},
};

int akin_cli_show_overview(void)
{
    printf("%s\n\nUsage: akin COMMAND [OPTION...] [FILE...]\n\nCommands:\n", akin_cli_purpose);
    for (const akin_cli_command *const *command = akin_cli_commands; *command; command++)
        printf("  %-10s %s\n", (*command)->name, (*command)->summary);
    printf("  %-10s %s\n", "help", akin_cli_help_summary);
    for (const akin_cli_section *section = akin_cli_sections; section->text; section++) {
        putchar('\n');
        if (section->heading)
            printf("%s:\n", section->heading);
        fputs(section->text, stdout);
    }
    return akin_cli_flush();
}
