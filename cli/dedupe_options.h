/* The options of akin dedupe, akin link and akin label, by their places in the table of dedupe.c. */
#ifndef AKIN_CLI_DEDUPE_OPTIONS_H
#define AKIN_CLI_DEDUPE_OPTIONS_H

enum {
    SELECTIONS,
    MAX_BLOCK,
    COMPARE,
    COMBINE,
    FOLD,
    SYNONYMS,
    MISSING,
    EVIDENCE,
    WEIGHTS,
    MODEL,
    ANSWERS,
    IGNORE,
    THRESHOLD,
    PRECISION,
    ONE_TO_ONE,
    ONE_PER_SOURCE,
    CLUSTER,
    INPUT,
    TABLE,
    SQL,
    ID,
    LEFT_ID,
    RIGHT_ID,
    LOSSY,
    SKIP_BAD,
    BAD,
    OUTPUT,
    PAIRS,
    DEDUPLICATED,
    MERGED,
    MERGE,
    MERGED_SOURCES,
    CLUSTERS_OF,
    FORMAT,
    SAFE_CSV,
    REPLACE,
    SYNC,
    SHOW,
    DIGITS,
    GOLD,
    REPORT,
    REPRODUCIBLE,
    QUIET,
    THREADS,
    MEMORY,
    DEVICE,
    DEVICE_MEMORY,
    LIMITS,
    JOB,
    ADD_SELECTIONS,
    SAVE_JOB,
    ALLOW_PATHS,
    SUGGEST,
    OPTION_COUNT, /* of dedupe and link */
    LIMIT = OPTION_COUNT,
    PAGE,
    LABEL_OPTION_COUNT /* of label, which has all */
};

/* What help says of rules, in each of the commands. */
#define AKIN_CLI_DEDUPE_RULES                                                                                          \
    "If a column has different names in the two tables, write LEFT=RIGHT for COLUMN.\n"                                \
    "Put a name with a colon, a plus or an equals sign in double quotes.\n"                                            \
    "\n"                                                                                                               \
    "--window W without a column makes a window for each column of --compare, and\n"                                   \
    "--nearest K does likewise.\n"                                                                                     \
    "\n"                                                                                                               \
    "Keys of windows and blocks (default: value):\n"                                                                   \
    "{keys}\n"                                                                                                         \
    "\n"                                                                                                               \
    "Measures of --similar:\n"                                                                                         \
    "{measures:dedupe}\n"                                                                                              \
    "\n"                                                                                                               \
    "Tokens of --similar (default: words) and --nearest (default: qgrams:3):\n"                                        \
    "{tokens:dedupe}\n"                                                                                                \
    "\n"                                                                                                               \
    "Missing values:\n"                                                                                                \
    "{missing}\n"                                                                                                      \
    "\n"                                                                                                               \
    "Weights:\n"                                                                                                       \
    "{weights}\n"                                                                                                      \
    "\n"                                                                                                               \
    "Methods of clustering:\n"                                                                                         \
    "{clusterings}\n"                                                                                                  \
    "\n"                                                                                                               \
    "Rules of --merge:\n"                                                                                              \
    "{merge-rules}\n"                                                                                                  \
    "\n"

#endif
