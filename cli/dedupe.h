/* The request of akin dedupe, akin link and akin label, and its run. */
#ifndef AKIN_CLI_DEDUPE_H
#define AKIN_CLI_DEDUPE_H

#include "command.h"
#include "merged.h"
#include "pairs.h"
#include "show.h"

/* The files that are written: clusters, pairs, records without duplicates, merged records, the report, the job itself,
 * the model of learnt weights, and the page with questions. */
enum {
    AKIN_CLI_CLUSTERS_FILE,
    AKIN_CLI_PAIRS_FILE,
    AKIN_CLI_RECORDS_FILE,
    AKIN_CLI_MERGED_FILE,
    AKIN_CLI_REPORT_FILE,
    AKIN_CLI_JOB_FILE,
    AKIN_CLI_MODEL_FILE,
    AKIN_CLI_QUESTIONS_FILE,
    AKIN_CLI_DEDUPE_FILES
};

typedef struct akin_cli_dedupe_request {
    const akin_cli_command *command;            /* dedupe, link or label */
    const char *inputs[2];                      /* the second one NULL: there is one file */
    const char *outputs[AKIN_CLI_DEDUPE_FILES]; /* NULL: not wanted */
    akin_cli_format formats[AKIN_CLI_DEDUPE_FILES];
    akin_format format;       /* as --input says */
    akin_format input_format; /* of the first one */
    akin_dedupe_plan *plan;   /* the rules by which records are alike */
    uint32_t clusters_of;     /* rows of a cluster that is written, at least */
    int is_suggested;         /* some of them were found */
    const char *model_path;   /* of a model of learnt weights; NULL: none */
    akin_dedupe_model *model; /* that was there; NULL: it is to be written */
    const char *answers;      /* of a person, about pairs; NULL: none. Questions add to the file, if it is there */
    const char *gold;         /* NULL: none */
    akin_format gold_format;
    const char *given; /* the file of pairs to compare; NULL: none */
    akin_format given_format;
    akin_cli_show show; /* columns that results show */
    akin_cli_merge_rules merge;
    int merged_sources; /* merged records have the rows that their values are from */
    int lossy, quiet;
    int digits; /* of similarities, behind the point; below 0: as few as read back */
    int shown;  /* the output that a terminal shows as a table; -1: none */
    akin_cli_resources resources;
    char *options; /* for the manifest of a folder of records; NULL: one file is read */
    char *job;     /* as it is to be saved; NULL: it is not */
    size_t job_length;
    uint64_t limit;        /* questions, at most; 0: nothing is asked */
    uint32_t reproducible; /* 1: the report has no times and no memory */
} akin_cli_dedupe_request;

/* The options of the commands (dedupe_options.h). */
extern const akin_cli_option akin_cli_dedupe_options[];

/* Runs one of the commands. Returns the exit status. */
int akin_cli_dedupe_command(const akin_cli_command *command, const akin_cli_arguments *given);

/* Checks what the command line says, and the plan. Returns AKIN_CLI_DONE, AKIN_CLI_USAGE or AKIN_CLI_FAILED. */
int akin_cli_dedupe_check(const akin_cli_arguments *arguments, akin_cli_dedupe_request *request);

/* Does it. Errors: those of reading, akin_dedupe and writing. */
akin_status akin_cli_dedupe_run(akin_cli_job *job, const akin_cli_dedupe_request *request, akin_error *error);

#endif
