/* Limits: their table, their defaults, how they are read, and the error of one that is met. */
#include "base/counted.h"
#include "base/limits.h"

#include "base/clock.h"
#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* How the value of a limit is written. */
typedef enum unit { AS_COUNT, AS_SIZE, IN_SECONDS } unit;

typedef struct limit_row {
    akin_choice choice;
    unit unit;
    int is_for_programs; /* the default is for programs that set it; a context has none */
    uint64_t usual;      /* the default */
} limit_row;

#define PAIRS_USUAL   1000000000
#define TEXT(macro)   TEXT_OF(macro)
#define TEXT_OF(text) #text

static const limit_row rows[] = {
    {{"max-pairs", " N", "pairs to write; more is an error (default: " TEXT(PAIRS_USUAL) "; 0: any)", AKIN_LIMIT_PAIRS,
      AKIN_FOR_JOIN | AKIN_FOR_DEDUPE},
     AS_COUNT,
     1,
     PAIRS_USUAL},
    {{"timeout", " S", "the most seconds of the job, such as 60 or 1.5 (default: no limit)", AKIN_LIMIT_TIMEOUT,
      AKIN_FOR_ALL},
     IN_SECONDS,
     0,
     0},
    {{"max-output", " SIZE", "bytes that each output may have (default: no limit)", AKIN_LIMIT_OUTPUT, AKIN_FOR_ALL},
     AS_SIZE,
     0,
     0},
    {{"max-record", " SIZE", "bytes of a record that is read (default: 64M)", AKIN_LIMIT_RECORD, AKIN_FOR_ALL},
     AS_SIZE,
     0,
     (uint64_t)64 << 20},
    {{"max-decompressed", " SIZE", "bytes of a file once decompressed (default: 1,000 times it, at least 1G)",
      AKIN_LIMIT_DECOMPRESSED, AKIN_FOR_ALL},
     AS_SIZE,
     0,
     AKIN_LIMIT_BY_RATIO},
    {{"max-window", " SIZE", "window of a zstd file (default: 128M)", AKIN_LIMIT_WINDOW, AKIN_FOR_ALL},
     AS_SIZE,
     0,
     (uint64_t)128 << 20},
    {{"max-symbols", " N", "symbols of a value compared in quadratic time (default: 65536)", AKIN_LIMIT_SYMBOLS,
      AKIN_FOR_DEDUPE},
     AS_COUNT,
     0,
     (uint64_t)1 << 16},
};
const akin_choice_table akin_limits = AKIN_CHOICE_TABLE("limit", rows);

_Static_assert(sizeof rows / sizeof *rows == AKIN_LIMIT_COUNT, "each limit has a row");

static const limit_row *row_of(akin_limit limit)
{
    return (const limit_row *)(const void *)akin_choice_of(&akin_limits, (int)limit);
}

void akin_limited_begin(akin_limited *limited)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        limited->most[rows[i].choice.value] = rows[i].is_for_programs ? 0 : rows[i].usual;
}

uint64_t akin_limit_of(const akin_scope *scope, akin_limit limit)
{
    const limit_row *row = row_of(limit);
    return scope && scope->context ? scope->context->limited.most[limit] : row->is_for_programs ? 0 : row->usual;
}

akin_status akin_note_limit(akin_error *error, akin_limit limit)
{
    if (error)
        snprintf(error->option, sizeof error->option, "%s", row_of(limit)->choice.name);
    return AKIN_E_LIMIT;
}

/* ---------------------------------------------------------------------------------------------------------- public */

uint64_t akin_limit_usual(akin_limit limit)
{
    const limit_row *row = row_of(limit);
    return row ? row->usual : 0;
}

akin_status akin_context_limit(akin_context *context, akin_limit limit, uint64_t most, akin_error *error)
{
    if (!akin_choice_of(&akin_limits, (int)limit))
        return akin_fail(error, AKIN_E_OPTION, "there is no limit %d", (int)limit);
    context->limited.most[limit] = most;
    if (limit == AKIN_LIMIT_TIMEOUT)
        context->scope.until = most ? akin_clock() + (double)most / 1000 : 0;
    return AKIN_OK;
}

/* The least limit of the memory of the process, and the letter of its option of the shell's ulimit. UINT64_MAX: there
 * is none. */
static uint64_t least_ulimit(char *letter)
{
    static const struct {
        int resource;
        char letter;
    } limited[] = {{RLIMIT_AS, 'v'}, {RLIMIT_DATA, 'd'}};
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++) {
        struct rlimit limit;
        if (getrlimit(limited[i].resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= least)
            continue;
        least = limit.rlim_cur;
        *letter = limited[i].letter;
    }
    return least;
}

/* The largest number of bytes of addresses that the process has had; UINT64_MAX: nobody knows. */
static uint64_t peak_of_process(void)
{
    static const char name[] = "VmPeak:";
    char line[128];
    uint64_t bytes = UINT64_MAX;
    FILE *file = fopen("/proc/self/status", "re");
    while (file && bytes == UINT64_MAX && fgets(line, sizeof line, file))
        if (strncmp(line, name, sizeof name - 1) == 0)
            bytes = (uint64_t)strtoull(line + sizeof name - 1, NULL, 10) << 10;
    if (file)
        fclose(file);
    return bytes;
}

/* Adds to the message of a process without memory that its own limit is the cause. Where the process came so near to
 * it that this or the memory bound may be the cause, the reason stays, and the caller names the bound. */
static void name_ulimit(const akin_context *context, akin_error *error)
{
    char letter = 'v';
    akin_counted room;
    const size_t length = strlen(error->message);
    const uint64_t most = least_ulimit(&letter), bound = context->scope.memory, peak = peak_of_process();
    if (most == UINT64_MAX || (bound && bound < most && peak <= most - bound))
        return;
    snprintf(error->message + length, sizeof error->message - length, "; ulimit -%c allows %s of memory", letter,
             akin_count_bytes(&room, (double)most));
    if (!bound || bound >= most)
        error->reason = AKIN_REASON_MEMORY_ULIMIT;
}

akin_status akin_context_conclude(const akin_context *context, akin_status status, akin_error *error)
{
    if (status == AKIN_E_NOMEM && context && error && error->reason == AKIN_REASON_MEMORY)
        name_ulimit(context, error);
    if (status != AKIN_E_CANCELLED || !context || !akin_scope_is_late(&context->scope))
        return status;
    akin_error_set(error, AKIN_E_LIMIT, AKIN_REASON_LIMIT, "stopped after %g s, which is the limit of time",
                   (double)context->limited.most[AKIN_LIMIT_TIMEOUT] / 1000);
    return akin_note_limit(error, AKIN_LIMIT_TIMEOUT);
}

#define SECONDS_DIGITS 12 /* of whole seconds, at most: some ten thousand years */
#define SECONDS_MOST   "999999999999.999"

/* Reads seconds, with at most three decimals, as milliseconds. */
static int read_milliseconds(const char *text, uint64_t *out)
{
    const size_t whole = strspn(text, "0123456789");
    const char *rest = text + whole;
    uint64_t value = 0, unit = 1000;
    if (whole > SECONDS_DIGITS || (whole == 0 && *rest != '.'))
        return 0;
    for (size_t i = 0; i < whole; i++)
        value = value * 10 + (uint64_t)(text[i] - '0');
    value *= 1000;
    if (*rest == '.' && !rest[1])
        return 0;
    rest += *rest == '.';
    for (; *rest >= '0' && *rest <= '9' && unit > 1; rest++)
        value += (uint64_t)(*rest - '0') * (unit /= 10);
    *out = value;
    return !*rest;
}

static int read_count(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && value <= (UINT64_MAX - (uint64_t)(*at - '0')) / 10; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    *out = value;
    return at > text && !*at;
}

akin_status akin_limit_parse(akin_limit limit, const char *text, uint64_t *out, akin_error *error)
{
    const limit_row *row = row_of(limit);
    akin_status status = AKIN_OK;
    if (!row)
        return akin_fail(error, AKIN_E_OPTION, "there is no limit %d", (int)limit);
    const char *expected = row->unit == IN_SECONDS ? "expected a number of seconds from 0 to " SECONDS_MOST
                                                     ", with at most 3 decimals, such as 10 or 1.5"
                                                   : "expected a whole number from 0 to 18446744073709551615";
    if (row->unit == AS_SIZE)
        status = akin_size_parse(text, out, error);
    else if (!(row->unit == IN_SECONDS ? read_milliseconds : read_count)(text, out)) {
        akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_NOT_A_NUMBER, "'%.60s': %s", text, expected);
        status = akin_note_word(AKIN_E_OPTION, text, strlen(text), error);
    }
    return status;
}
