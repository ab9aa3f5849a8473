/* The options of akin corpus, by their places in the table of corpus.c. */
#ifndef AKIN_CLI_CORPUS_OPTIONS_H
#define AKIN_CLI_CORPUS_OPTIONS_H

enum {
    MEASURE,
    TOKENS,
    IGNORE_CASE,
    KEEP,
    WITHIN,
    ACROSS,
    IGNORE_FREQUENT,
    COMPONENTS,
    SAMPLE,
    PLAN,
    WORDS,
    ITEMS_ON,
    ITEMS_ID,
    LENGTH,
    INPUT,
    TABLE,
    SQL,
    ON,
    ID,
    LOSSY,
    SKIP_BAD,
    BAD,
    OUTPUT,
    KEPT,
    REMOVED,
    REPORT,
    FORMAT,
    SAFE_CSV,
    REPLACE,
    SYNC,
    QUIET,
    THREADS,
    MEMORY,
    DEVICE,
    DEVICE_MEMORY,
    LIMITS,
    JOB,
    SAVE_JOB,
    ALLOW_PATHS,
    OPTION_COUNT
};

#endif
