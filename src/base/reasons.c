/* The reasons of errors: a row for each. */
#include "base/reasons.h"

static const akin_choice reasons[] = {
    {"no-file", "", "a named file, or the directory of an output, does not exist", AKIN_REASON_NO_FILE, 0},
    {"file", "", "the system refuses to open, read or write a named file", AKIN_REASON_FILE, 0},
    {"temporary", "", "a temporary file cannot be written or read", AKIN_REASON_TEMPORARY, 0},
    {"damaged", "", "a compressed or saved file is damaged, altered or cut short", AKIN_REASON_DAMAGED, 0},
    {"other-kind", "", "a file was not saved by akin, or is of another kind", AKIN_REASON_OTHER_KIND, 0},
    {"unknown-format", "", "the name of a file does not say its format", AKIN_REASON_UNKNOWN_FORMAT, 0},
    {"not-utf-8", "", "text is not UTF-8", AKIN_REASON_NOT_UTF8, 0},
    {"nul", "", "text has a NUL byte", AKIN_REASON_NUL, 0},
    {"utf-16", "", "text is UTF-16 or UTF-32", AKIN_REASON_UTF16, 0},
    {"malformed", "", "a line or a row breaks the rules of its format", AKIN_REASON_MALFORMED, 0},
    {"not-a-token", "", "a word is not a token id", AKIN_REASON_NOT_A_TOKEN, 0},
    {"not-a-number", "", "a value is not a number as expected", AKIN_REASON_NOT_A_NUMBER, 0},
    {"missing", "", "a required value is null or empty, or a required option is not given", AKIN_REASON_MISSING, 0},
    {"repeated", "", "a name or an id occurs twice", AKIN_REASON_REPEATED, 0},
    {"no-column", "", "there is no column of that name", AKIN_REASON_NO_COLUMN, 0},
    {"unknown-choice", "", "there is no choice of that name", AKIN_REASON_UNKNOWN_CHOICE, 0},
    {"memory", "", "there is not enough memory", AKIN_REASON_MEMORY, 0},
    {"memory-bound", "", "the memory bound is too small for one row or task", AKIN_REASON_MEMORY_BOUND, 0},
    {"device-memory", "", "a GPU has not enough memory", AKIN_REASON_DEVICE_MEMORY, 0},
    {"no-device", "", "there is no such GPU, or no CUDA", AKIN_REASON_NO_DEVICE, 0},
    {"foreign-format", "", "akin neither reads nor writes the format of a file", AKIN_REASON_FOREIGN_FORMAT, 0},
    {"other-rules", "", "a model of learnt weights has other comparisons than the job", AKIN_REASON_OTHER_RULES, 0},
    {"limit", "", "a limit of a job or of its input is met", AKIN_REASON_LIMIT, 0},
    {"memory-ceiling", "", "a job needs more than the memory ceiling", AKIN_REASON_MEMORY_CEILING, 0},
    {"changed", "", "a saved file was changed while it was mapped", AKIN_REASON_CHANGED, 0},
    {"memory-ulimit", "", "a resource limit of the process allows too little memory", AKIN_REASON_MEMORY_ULIMIT, 0},
};
const akin_choice_table akin_reasons = AKIN_CHOICE_TABLE("reason", reasons);
