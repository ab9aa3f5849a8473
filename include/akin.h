/*
 * akin.h - find what is alike, exactly and fast.
 *
 * This header is the manual of libakin. Read it from the top: conventions first, then one section for each noun.
 *
 * Stability
 *   A section is stable unless its title says experimental. In a stable section, a field, a value or a function is
 *   experimental if its comment begins so. Until version 1.0 a minor version may change a stable section, and the
 *   change log describes the change; from 1.0 on only a major version may. A field, a value or a function that is
 *   experimental may change or disappear in any version.
 *
 * Conventions
 *   Errors     A function that can fail returns an akin_status: AKIN_OK (0), or the kind of failure. If the caller
 *              passes an akin_error, it receives the same code and a message that a person can act on. The message
 *              names the file, the line and what was expected. The other fields are for programs, which need not read
 *              the message. NULL is allowed wherever an error goes. After a failure the out parameters are unchanged,
 *              and nothing leaks.
 *   Ownership  The caller frees an object that a function creates (an `akin_x **out`) with akin_x_free, which accepts
 *              NULL. A function borrows its inputs until it returns, unless its comment says otherwise.
 *   Options    An options struct begins with its own size, so later versions can add fields without breaking a compiled
 *              program. Start from AKIN_..._OPTIONS_INIT and set what you need. NULL stands for the defaults.
 *   Order      Arguments come as: context, inputs, options, out, error.
 *   Numbers    Rows and tokens are uint32_t, counts and offsets uint64_t. Larger data is refused, never wrapped.
 *   Strings    File names and messages are NUL-terminated bytes. The file name "-" is standard input or output.
 *   Threads    Distinct threads may use distinct objects at once. Many threads may read one object at once. One
 *              akin_context runs one job at a time.
 *   Silence    The library never prints, exits or aborts, and has no mutable global state. It reads one environment
 *              variable, AKIN_CPU (see akin_context_create); CUDA's runtime reads its own.
 */
#ifndef AKIN_H
#define AKIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_VERSION_MAJOR  0
#define AKIN_VERSION_MINOR  2
#define AKIN_VERSION_PATCH  0
#define AKIN_VERSION_STRING "0.2.0"

#ifndef AKIN_API
#define AKIN_API __attribute__((visibility("default")))
#endif
#ifndef AKIN_PRINTF
#define AKIN_PRINTF(at, first) __attribute__((format(printf, at, first)))
#endif

/* The version of the linked library, "major.minor.patch"; AKIN_VERSION_STRING is the version of the header. */
AKIN_API const char *akin_version(void);

/* -------------------------------------------------------------------------------------------------------- errors */

typedef enum akin_status {
    AKIN_OK = 0,
    AKIN_E_NOMEM = 1,     /* memory could not be allocated */
    AKIN_E_OPTION = 2,    /* an argument or option is out of range, or two of them contradict each other */
    AKIN_E_INPUT = 3,     /* a file is missing, malformed, truncated or altered */
    AKIN_E_LIMIT = 4,     /* the data has more rows or tokens than 32 bits can number, or meets an akin_limit */
    AKIN_E_IO = 5,        /* the system failed to read or write */
    AKIN_E_DEVICE = 6,    /* a GPU was asked for and is absent, or failed */
    AKIN_E_CANCELLED = 7, /* the cancel callback, or a sink, asked to stop */
} akin_status;

/* Why a call failed, where a program may want to act on it. The table "reasons" of akin_choices has their names. */
typedef enum akin_reason {
    AKIN_REASON_NONE = 0,            /* no more is known than the code */
    AKIN_REASON_NO_FILE = 1,         /* a named file, or the directory to write it in, does not exist */
    AKIN_REASON_FILE = 2,            /* the system refuses to open, read or write a named file; the message says why */
    AKIN_REASON_TEMPORARY = 3,       /* a temporary file cannot be written or read, for example on a full disk */
    AKIN_REASON_DAMAGED = 4,         /* a compressed or saved file is damaged, altered or truncated */
    AKIN_REASON_OTHER_KIND = 5,      /* akin did not save this file, or it has another kind or a later version */
    AKIN_REASON_UNKNOWN_FORMAT = 6,  /* the name of a file does not reveal its format */
    AKIN_REASON_NOT_UTF8 = 7,        /* text is not UTF-8; the option `lossy` of a table repairs it */
    AKIN_REASON_NUL = 8,             /* text has a NUL byte, so it may not be text */
    AKIN_REASON_UTF16 = 9,           /* text is UTF-16 or UTF-32 */
    AKIN_REASON_MALFORMED = 10,      /* a line or a row breaks its format: quotes, the number of fields */
    AKIN_REASON_NOT_A_TOKEN = 11,    /* a word is not a token id, and may be text; `word` has it */
    AKIN_REASON_NOT_A_NUMBER = 12,   /* a value is not a number of the expected form */
    AKIN_REASON_MISSING = 13,        /* a required value, such as an id, is null or empty; or an option is not given */
    AKIN_REASON_REPEATED = 14,       /* a name or an id that must be unique occurs twice */
    AKIN_REASON_NO_COLUMN = 15,      /* no column has the name in `column` */
    AKIN_REASON_UNKNOWN_CHOICE = 16, /* no technique, measure, key and so on has the name in `word` */
    AKIN_REASON_MEMORY = 17,         /* the system, or the memory bound of the context, has too little memory */
    AKIN_REASON_MEMORY_BOUND = 18, /* the memory bound is too small for one row or task; the message has a larger one */
    AKIN_REASON_DEVICE_MEMORY = 19,  /* a GPU, or the bound of its memory, has too little memory */
    AKIN_REASON_NO_DEVICE = 20,      /* the GPU does not exist, or akin was built without CUDA */
    AKIN_REASON_FOREIGN_FORMAT = 21, /* the file's name names a table format that akin neither reads nor writes */
    AKIN_REASON_OTHER_RULES = 22,    /* a model of learnt weights has other comparisons than the job */
    AKIN_REASON_LIMIT = 23,          /* a limit of the table "limits" is met; `option` has its name */
    AKIN_REASON_MEMORY_CEILING = 24, /* a job needs more than the memory ceiling of the context */
    AKIN_REASON_CHANGED = 25,        /* a saved file was changed while it was mapped */
    AKIN_REASON_MEMORY_ULIMIT = 26,  /* a resource limit of the process allows too little memory */
} akin_reason;

#define AKIN_NO_ROW UINT32_MAX /* there is no row; in an akin_error: none is known */

/*
 * A failure. The library fills it, the caller owns it. It needs no initialisation and no clean-up. `code` and `message`
 * are always set. The other fields are set where they apply:
 *
 *     reason    wherever an akin_reason fits
 *     row       by functions that take columns, matrices, sets or pairs of rows from memory or from a table
 *     column    by the same functions, and by functions that look for a column by its name
 *     line      by functions that read text from files: tables, sets, job files, judgements and runs of TREC
 *     word      the wrong word: one that is not a token id, the name of a choice, a value that is not a number
 *     meant     the known name nearest to an unknown `word` or `column`
 *     option    the wrong option of a deduplication plan, the wrong field of options for generated data, or a limit
 *
 * Names and words are unchanged, but cut at the beginning of a character if they are longer than the field.
 */
typedef struct akin_error {
    akin_status code;
    char message[1016];
    int system; /* the errno value of the system call that failed; 0: no system call is known to have failed */
    akin_reason reason;
    uint32_t row; /* from 0 on; AKIN_NO_ROW: none */
    uint32_t
        rest; /* where `message` continues after "FILE:LINE: ", "row N: " or `option`; 0: it begins with none of them */
    uint64_t line;    /* from 1 on; 0: none */
    char column[208]; /* its name; its number, or "left" or "right", if it has none; "": none */
    char word[72];    /* "": none */
    char meant[208];  /* "": none */
    char option[32];  /* its name, with which `message` begins unless it is that of a limit; "": none */
} akin_error;

/*
 * Fills an error that a program or a callback makes itself. The message is formatted as by printf, with '?' for
 * characters that a terminal must not get (akin_character_shown). Row, column and line stay unknown. Returns the code.
 * The error may be NULL.
 */
AKIN_PRINTF(4, 5)
AKIN_API akin_status akin_error_set(akin_error *error, akin_status code, akin_reason reason, const char *format, ...);

/*
 * Looks at the first character of a text of `length` bytes, of which there is at least one, and returns how many bytes
 * it has. *is_shown is 0 if a program must not print it to a terminal as it is. These are control characters (U+0000 to
 * U+001F, U+007F to U+009F), marks, overrides and isolates of the direction of text (U+061C, U+200E, U+200F, U+202A to
 * U+202E, U+2066 to U+2069), the separators U+2028 and U+2029, and a byte that is not part of valid UTF-8.
 */
AKIN_API size_t akin_character_shown(const char *text, size_t length, int *is_shown);

/* Whether a spreadsheet may take a value of CSV for a formula: it begins with '=', '+', '-', '@' or the full-width
 * form of one of them (U+FF1D, U+FF0B, U+FF0D, U+FF20), a tab, CR or LF, and is not a decimal number as a whole, such
 * as -1.5, +3 or -2e7. */
AKIN_API int akin_is_formula(const char *value, size_t length);

/* Receives a warning about a result that is right, but hardly what was meant: a sentence in UTF-8, without a full stop,
 * valid during the call. */
typedef void (*akin_warning_sink)(void *user, const char *text);

/* ------------------------------------------------------------------------------------------------------- choices */

/*
 * A name that a user can choose: a measure, a technique, a comparator, a format and so on. Each kind of choice is one
 * table of rows in the library. Parsers, help, completion, documents and bindings take names from these tables.
 */
typedef struct akin_choice {
    const char *name;      /* as a user writes it, such as "jaro-winkler" */
    const char *arguments; /* what may follow the name, such as "[/SCALE]"; "": nothing */
    const char *help;      /* one line of plain text, without a full stop */
    int value;             /* the value of the enum that the choice stands for */
    unsigned capabilities; /* a sum of akin_capability */
} akin_choice;

/* What a choice can do. Each table uses the capabilities that make sense for it. */
typedef enum akin_capability {
    AKIN_ON_CPU = 1,            /* runs on the CPU */
    AKIN_ON_GPU = 2,            /* runs on a GPU */
    AKIN_BY_AUTO = 4,           /* the choice "auto" may become this one */
    AKIN_FROM_PAPER = 8,        /* kept to reproduce a paper, and never chosen by "auto" */
    AKIN_IS_DEFAULT = 16,       /* the default */
    AKIN_FOR_COMPARE = 32,      /* comparators: akin_compare and akin_compare_pairs take it */
    AKIN_FOR_MATCH = 64,        /* comparators: akin_match and akin_batch_search take it */
    AKIN_FOR_DEDUPE = 128,      /* comparators, measures, tokens: akin_dedupe takes it */
    AKIN_FOR_JOIN = 256,        /* measures: akin_join takes it */
    AKIN_FOR_SEARCH = 512,      /* measures: akin_search takes it */
    AKIN_HAS_DISTANCE = 1024,   /* comparators: the distance is more than 1 - similarity */
    AKIN_CAN_READ = 2048,       /* formats: akin_table_read and similar functions read it */
    AKIN_CAN_WRITE = 4096,      /* formats: results are written in it */
    AKIN_TAKES_COUNT = 8192,    /* measures: the threshold is a whole number of tokens, not a share */
    AKIN_IS_DIRECTED = 16384,   /* measures, comparators: left and right are not interchangeable */
    AKIN_TAKES_FLOORED = 32768, /* comparators: it uses akin_compare_options.floored */
    AKIN_TAKES_PREFIX = 65536,  /* comparators: it uses prefix_scale and boost_threshold */
    AKIN_TAKES_BITS = 1 << 17,  /* techniques: it uses akin_join_options.bits */
    /* Experimental. Of techniques of an annex, for lists of choices: akin.h has no option that goes with them. */
    AKIN_TAKES_BLOCK = 1 << 18,   /* techniques: it has blocks of sets, on a GPU (akin_papers.h) */
    AKIN_TAKES_SHARING = 1 << 19, /* techniques: it has ways to share candidates, on a GPU */
    AKIN_TAKES_FILTER = 1 << 20,  /* techniques: another one finds its candidates */
    AKIN_IS_FILTER = 1 << 21,     /* techniques: it may find the candidates of such a one */
    AKIN_HAS_COLUMNS = 1 << 22,   /* formats: of tables whose columns have names */
    AKIN_TAKES_DELTA = 1 << 23,   /* formulas: it uses akin_weigh_options.delta */
    AKIN_HAS_NAMES = 1 << 24,     /* formats of weights: files have the names of terms and documents */
    AKIN_BY_SIMILARITY = 1 << 25, /* clusterings: pairs are added with their similarities */
    AKIN_IS_REPEATED = 1 << 26,   /* options of a plan: a plan may have several; JSON has an array */
    AKIN_IS_FLAG = 1 << 27,       /* options of a plan: no argument; JSON has true or false */
    AKIN_IS_NUMBER = 1 << 28,     /* options of a plan: the argument is a number */
    AKIN_HAS_TABLES = 1 << 29,    /* formats: databases, whose addresses name one of their tables */
    AKIN_FOR_ALL = 1 << 30        /* limits: jobs of every kind have it */
} akin_capability;

/*
 * Row `index` of the table `what`, such as "measures"; NULL: there is no such row or table. The table "choices" lists
 * all tables. The row is static. Thread-safe.
 *
 *     for (uint32_t i = 0; (choice = akin_choices("measures", i)) != NULL; i++)
 *         puts(choice->name);
 */
AKIN_API const akin_choice *akin_choices(const char *what, uint32_t index);

/* The first row of the table `what` with that value; NULL: there is none. Thread-safe. */
AKIN_API const akin_choice *akin_choice_of_value(const char *what, int value);

/* Sets *out to the row of that name in the table `what`. Errors: AKIN_E_OPTION (the message lists the names, and
 * suggests the nearest one). Thread-safe. */
AKIN_API akin_status akin_choice_find(const char *what, const char *name, const akin_choice **out, akin_error *error);

/* The present name of the row of the table `what` that was once called `name`; NULL: there is none. Static.
 * Thread-safe. */
AKIN_API const char *akin_choice_renamed(const char *what, const char *name);

/*
 * Finds the known name nearest to a mistyped word. The caller sets `word`, leaves the other fields 0, and offers each
 * known name. `best` is then the nearest name, or NULL if no name is near. A name is near if the optimal string
 * alignment distance is at most a third of the word's length, or if one is a beginning of the other.
 */
typedef struct akin_guess {
    const char *word;
    const char *best;
    size_t distance;
} akin_guess;

AKIN_API void akin_guess_offer(akin_guess *guess, const char *name);

/* ------------------------------------------------------------------------------------------------------- context */

/*
 * The resources of a run: the number of threads, the device, the CPU instructions, and the callbacks. A context is
 * small and cheap to create. Threads live during one job, so a process may fork between jobs. A GPU that is asked for
 * by name is opened from the beginning, which takes up to a second. A thread does that, while the caller reads files.
 * The first job on the GPU waits for that thread, and has the error if the GPU cannot be opened. After a fork, even
 * before the first job, only the parent can use that GPU.
 */
typedef struct akin_context akin_context;

/* The progress of a job. `phase` is a static string such as "reading" or "joining"; total is 0 while it is unknown.
 * `unit` names the counted things in the plural: "bytes", "rows", "pairs", "queries" and so on. NULL: pieces of
 * work, where only the ratio done / total has a meaning. */
typedef struct akin_progress {
    const char *phase;
    uint64_t done;
    uint64_t total;
    const char *unit;
} akin_progress;

/*
 * The mapping of a saved file: its content as memory, which the system reads from the file when a byte of it is wanted.
 * Indexes, tries and weights that were opened from an uncompressed .akin file have one, unless the context reads such
 * files into memory (akin_context_options.unmapped). Collections of sets have none: they are copied.
 *
 * Who replaces the file by a rename, as akin does, leaves the mapping as it was. Who writes into the file, as cp does,
 * changes what the object has. If the file gets shorter, reading what was behind its end raises SIGBUS, which ends the
 * process unless the program handles it; the library installs no handler. If bytes change in place, answers may be
 * wrong, but nothing is read or written outside the memory of the object: tables that hold places of other data are
 * copied into memory when the file is opened, and are checked there. Work on a GPU is the exception: a GPU does not
 * check the data that is sent to it.
 */
typedef struct akin_mapping akin_mapping;

/* Is told that a saved file has been mapped (is_open 1), before a byte of it is read, and that it is about to be
 * unmapped (0). The mapping is valid in between. Called on the thread that opens or frees the object. */
typedef void (*akin_mapping_sink)(void *user, const akin_mapping *mapping, int is_open);

typedef struct akin_context_options {
    size_t size;
    /* Threads that a job may use, the caller's included, at most 4096; 0: one for each CPU that the process may use. */
    uint32_t threads;
    /* "auto" (or NULL), "cpu", "cuda" or "cuda:N", GPU N counted from 0. "auto" never fails for lack of a GPU;
     * "cuda" does. With "auto" the first job that is predicted to be faster on a GPU opens it. Up to 16 GPUs share a
     * join that is long enough: "cuda:0,1" names them; "cuda:all" has all GPUs, and the CPU where it helps. Each of
     * them has one or two threads besides the job's. */
    const char *device;
    /* Called from time to time on the thread that called the job. May be NULL. */
    void (*progress)(void *user, const akin_progress *progress);
    /* Called from time to time on the same thread; a non-zero answer cancels the job. May be NULL. */
    int (*cancel)(void *user);
    /* Passed to both callbacks. */
    void *user;
    /*
     * A bound for the heap in bytes, at least 16 MiB; 0: no bound. Results are the same bytes with any bound. Tables,
     * collections, sets, dictionaries and clusters that exceed their share move to mapped temporary files. A join works
     * in parts and stores pairs in files. A collection has up to an eighth of the bound, a dictionary 1/32, a table
     * 1/64, clusters 1/64, each as long as it lives, and the current job five eighths. So two collections, two tables,
     * a dictionary and clusters fit at the same time.
     *
     * Not counted are:
     *   - collections that were generated, enlarged or made from arrays;
     *   - saved files that are read into memory, see `unmapped`;
     *   - decompression: for zstd a little more than the window, which is at most 8 MiB, or with --ultra or --long at
     *     most 2 GiB; for gzip 50 KiB;
     *   - the stacks of threads;
     *   - a record longer than 1 MiB, while it is read;
     *   - the name of each column and 300 bytes with it.
     *
     * A row whose tokens do not fit five eighths of the bound (at worst 130 times its bytes) is an error. An array in a
     * file has a file descriptor as long as it may grow: three for a column, 193 for a dictionary.
     */
    uint64_t memory;
    /* The directory for temporary files; copied. NULL: /tmp. The files have no names, and vanish when they are closed,
     * however the process ends. */
    const char *temporary;
    /* The most memory of a GPU, or of each of several, that jobs may hold, in bytes, without the driver's own; 0:
     * 15/16 of the free memory when the GPU is opened. Larger joins work in parts; a bound of some MiB is enough.
     * Pinned memory of the host comes on top: some ten MiB, or some hundred with large collections. */
    uint64_t device_memory;
    /* Opens what the library does not read itself, see akin_opener; the caller keeps it as long as the context. NULL:
     * nothing does. */
    const struct akin_opener *opener;
    /* Writes results in formats that the library does not write itself, see akin_saver; likewise. */
    const struct akin_saver *saver;
    /* Outputs are on the disk before they are committed: akin_output_commit syncs the file, and the folder with its
     * name. 0: the system writes them later, so a loss of power may take them away. */
    int sync;
    /* Receives sentences for the user: about a file that a killed process had left and that was removed (akin_output),
     * about very many pairs that a sample foretells, and about a join that begins again. Called with `user`, on the
     * thread of the call. NULL: no notes. */
    akin_warning_sink note;
    /* Where `memory` is 0: the memory ceiling, in bytes. A join or a deduplication whose heap would have more than five
     * eighths of it stops. A join that has handed over no pair then begins again with the ceiling as its memory bound,
     * and `note` receives a sentence about it. Others fail with AKIN_REASON_MEMORY_CEILING. 0: three quarters of the
     * memory of the system, or of the limit of the cgroup if that is less. */
    uint64_t ceiling;
    /* 1: saved files are read into memory, where nobody changes them. That takes as much memory as the file has bytes,
     * which the memory bound does not count, and the time to read it. 0: regular files are mapped (akin_mapping). */
    int unmapped;
    /* Receives mappings, with `user`. An object may outlive the context: the function and `user` must be valid until
     * the last object that was opened with the context is freed. NULL: nothing receives them. */
    akin_mapping_sink mapped;
    /* 1: all of a saved file is checked when it is opened. 0: an index of bm25 is open at once. A block of its file is
     * checked when a job reads it for the first time, and the job fails if this block is damaged
     * (AKIN_REASON_DAMAGED). Other files are always checked when they are opened. */
    int verify;
    int reserved; /* 0 */
} akin_context_options;

#define AKIN_NO_CEILING UINT64_MAX /* jobs may hold any number of bytes */

#define AKIN_CONTEXT_OPTIONS_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(akin_context_options), 0, NULL, NULL, NULL, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0, 0, NULL, 0, 0     \
    }

/*
 * Creates a context. It uses the widest SIMD instructions of the CPU. The environment variable AKIN_CPU chooses a
 * narrower set: "scalar"; on ARM "neon"; on x86-64 "avx2" or "avx512". Results are the same bytes with each. Errors:
 * AKIN_E_OPTION (unknown device, a value of AKIN_CPU that this CPU lacks, a memory bound below 16 MiB), AKIN_E_DEVICE
 * (a GPU is required, and there is no NVIDIA driver), AKIN_E_NOMEM.
 */
AKIN_API akin_status akin_context_create(const akin_context_options *options, akin_context **out, akin_error *error);
AKIN_API void akin_context_free(akin_context *context);

/* The name of a mapped file, as it was opened. Valid as long as the mapping. */
AKIN_API const char *akin_mapping_name(const akin_mapping *mapping);

/* Whether an address is in a mapping. A signal handler may call this function and akin_mapping_name. */
AKIN_API int akin_mapping_has(const akin_mapping *mapping, const void *address);

/*
 * Checks that the file behind a mapping is the one that was opened: that its name leads to the same device and inode,
 * and that its size and the time of its last change are the same, to the nanosecond. Call it after the work and before
 * you use the results. Bytes that were changed in place are not seen if the size is the same and the time was set back,
 * nor on file systems that do not keep the time. NULL is allowed, and is never changed. Errors: AKIN_E_INPUT with
 * AKIN_REASON_CHANGED; the message names the file. Thread-safe.
 */
AKIN_API akin_status akin_mapping_check(const akin_mapping *mapping, akin_error *error);

/* Opens a temporary file in the context's directory for them, for reading and writing, into *fd. It has no name. The
 * caller closes it. Errors: AKIN_E_IO, AKIN_E_NOMEM. */
AKIN_API akin_status akin_temporary_file(const akin_context *context, int *fd, akin_error *error);

/*
 * What the jobs of a context stop at. A limit that is met is the error AKIN_E_LIMIT with AKIN_REASON_LIMIT: nothing is
 * cut off in silence. The table "limits" of akin_choices has their names. No default depends on the machine.
 */
typedef enum akin_limit {
    AKIN_LIMIT_PAIRS = 0,        /* pairs that one call hands to its sink (default: 0, see akin_limit_usual) */
    AKIN_LIMIT_TIMEOUT = 1,      /* milliseconds from the call of akin_context_limit on (default: 0) */
    AKIN_LIMIT_OUTPUT = 2,       /* bytes of each akin_output, as they are stored (default: 0) */
    AKIN_LIMIT_RECORD = 3,       /* bytes of a record that is read from text (default: 64 MiB) */
    AKIN_LIMIT_DECOMPRESSED = 4, /* bytes of a file once it is decompressed (default: AKIN_LIMIT_BY_RATIO) */
    AKIN_LIMIT_WINDOW = 5,       /* bytes of the window of a zstd frame (default: 128 MiB) */
    AKIN_LIMIT_SYMBOLS = 6,      /* symbols of a value that akin_dedupe compares in quadratic time (default: 65536) */
} akin_limit;

/* 1,000 times the bytes that are stored, and at least 1 GiB. */
#define AKIN_LIMIT_BY_RATIO UINT64_MAX

/* Sets a limit of the jobs that a context runs from now on; 0: there is none. Pairs before the stop have been handed
 * to the sink. A job whose time is up returns AKIN_E_CANCELLED, as does one that the caller cancels:
 * akin_context_conclude distinguishes them. Errors: AKIN_E_OPTION (an unknown limit). */
AKIN_API akin_status akin_context_limit(akin_context *context, akin_limit limit, uint64_t most, akin_error *error);

/* The default of a limit, 0 for an unknown one. That of pairs is for programs that write pairs: a context has none. */
AKIN_API uint64_t akin_limit_usual(akin_limit limit);

/* Returns the status of a job that has ended; called once for each failure. AKIN_E_CANCELLED becomes AKIN_E_LIMIT, with
 * a message, if that job's time was up. If memory was refused and the process has a resource limit of memory that may
 * be the cause, the message names it. The reason becomes AKIN_REASON_MEMORY_ULIMIT, unless the memory bound may be the
 * cause, too. */
AKIN_API akin_status akin_context_conclude(const akin_context *context, akin_status status, akin_error *error);

/* Reads a limit as the command takes it: a number, a size such as "2G" (akin_size_parse), or for the timeout seconds
 * such as "1.5". Errors: AKIN_E_OPTION. */
AKIN_API akin_status akin_limit_parse(akin_limit limit, const char *text, uint64_t *out, akin_error *error);

/*
 * An annex: further rows for tables of choices, such as techniques and clusterings, and further tables, in a library of
 * their own. akin_papers() in akin_papers.h has the rows of the papers, and akin_generators() in akin_generate.h the
 * tables of generated data. An annex is a constant, and no context uses it by itself.
 */
typedef struct akin_annex akin_annex;

/* The values of an annex's rows begin here; all values of the library's rows are below. */
#define AKIN_ANNEX_FIRST 1024

/*
 * Lets the jobs of a context use the rows of an annex, from the next job on. NULL: none. Without it these rows are
 * AKIN_E_OPTION. Errors: AKIN_E_OPTION (the annex is of another version than this library).
 */
AKIN_API akin_status akin_context_use(akin_context *context, const akin_annex *annex, akin_error *error);

/* As akin_choices, for the rows of the annex alone. The table "choices" has the tables that the library lacks. */
AKIN_API const akin_choice *akin_annex_choices(const akin_annex *annex, const char *what, uint32_t index);

/* As akin_choice_of_value and akin_choice_find, in the library and then in the annex (NULL: none). */
AKIN_API const akin_choice *akin_annex_choice_of_value(const akin_annex *annex, const char *what, int value);
AKIN_API akin_status akin_annex_choice_find(const akin_annex *annex, const char *what, const char *name,
                                            const akin_choice **out, akin_error *error);

/* The build and the machine. The strings are static. Versions of CUDA are numbers, 1000 * major + 10 * minor; 0:
 * there is no CUDA. */
typedef struct akin_info {
    size_t size;
    const char *version;
    const char *cpu;      /* the SIMD level in use: "scalar", "neon", "avx2" or "avx512" */
    const char *cpu_best; /* the widest one that this CPU has */
    uint32_t threads;     /* of a job */
    const char *device;   /* the state of GPU support: "built without CUDA", "no NVIDIA driver", "driver too old", "no
                             GPU", "failed" (the driver does not work) or "ready" */
    const char *zlib;     /* versions of the libraries at run time */
    const char *zstd;
    const char *xxhash;
    const char *utf8proc;
    const char *unicode;  /* the version of Unicode for normalising, folding and cutting words */
    uint32_t devices;     /* GPUs that this process sees */
    uint32_t cuda;        /* the version of CUDA of the build */
    uint32_t cuda_driver; /* the newest version that the machine's driver can run */
    uint32_t reserved;    /* 0 */
} akin_info;

/* Describes the build and the machine. The caller first sets info->size = sizeof(akin_info). Fields beyond that size
 * are not written. The function looks for GPUs, which takes up to a second the first time in a process. */
AKIN_API akin_status akin_context_info(const akin_context *context, akin_info *info, akin_error *error);

/* The SIMD level of the context, and its number of threads, as in akin_info. These functions do not look for GPUs. */
AKIN_API const char *akin_context_cpu(const akin_context *context);
AKIN_API uint32_t akin_context_threads(const akin_context *context);

/* A GPU of this machine. */
typedef struct akin_device_info {
    size_t size;
    char name[128];
    uint64_t memory;          /* bytes, used and free */
    uint64_t l2;              /* bytes of its last cache */
    uint32_t capability;      /* compute capability, 10 * major + minor: 90 is 9.0 */
    uint32_t multiprocessors; /* the counterpart of a CPU's cores */
    uint32_t shared_memory;   /* bytes that a block of threads can share */
    uint32_t reserved;        /* 0 */
} akin_device_info;

/* Describes GPU `number`, "cuda:N" in the option `device`. The caller first sets info->size, as for akin_context_info.
 * Errors: AKIN_E_DEVICE (there is no such GPU; the message says why), AKIN_E_OPTION. */
AKIN_API akin_status akin_context_device_info(const akin_context *context, uint32_t number, akin_device_info *info,
                                              akin_error *error);

/* -------------------------------------------------------------------------------------------------------- output */

/*
 * A file that appears whole or not at all. Bytes go to an unnamed file beside it, which takes the name at the end.
 * "-" is standard output. A pipe or a device is written directly.
 *
 * A file has a hidden name, .akin- and 16 digits, for a moment when it replaces another one, and all the time where the
 * file system has no unnamed files. The process that writes it holds a lock on it (flock). If that process is killed,
 * the hidden file stays, without a lock. The next output beside it removes it, and calls `note` of the context's
 * options.
 *
 * The file that is replaced hands on its permissions, and its owner and group if the process may give them. If it may
 * not give the group, the group has no more permissions than others. Access control lists and extended attributes are
 * not handed on. A symbolic link stays, and the file that it leads to is replaced. Other names of the old file (hard
 * links) keep the old file.
 */
typedef struct akin_output akin_output;

/*
 * Creates an output. The output borrows the context until it is committed or discarded. A long write, such as to a pipe
 * that nobody reads, calls the context's cancel callback every 100 ms, on the writing thread. Without a context (NULL)
 * nothing is called. A sink may write to an output of the context that runs the join. Errors, also of the functions
 * below: AKIN_E_IO (the message names the file and the system's reason), AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_output_open(akin_context *context, const char *path, akin_output **out, akin_error *error);
/* Appends bytes; small writes are gathered. After an error the commit fails too, whatever is written meanwhile. */
AKIN_API akin_status akin_output_write(akin_output *output, const void *data, size_t length, akin_error *error);
/* Lines of text that are being formatted: `length` bytes at `text`. The library owns the text. */
typedef struct akin_lines {
    char *text;
    size_t length, room, most; /* the room grows to `most` bytes; 0: without a bound */
} akin_lines;

/* Makes room for `bytes` bytes behind lines->text + lines->length, and returns that place. The caller writes there, and
 * adds to lines->length what it has written. NULL: there is no room, and the caller returns AKIN_E_NOMEM. */
AKIN_API char *akin_lines_reserve(akin_lines *lines, size_t bytes);

/* Formats rows `begin` to `end` - 1 behind what `lines` has. It runs on any thread, on several at once, and also twice
 * for a row. So it changes nothing but `lines` and `error`, and needs no lock. */
typedef akin_status (*akin_lines_format)(void *user, uint64_t begin, uint64_t end, akin_lines *lines,
                                         akin_error *error);

/*
 * Appends rows 0 to `rows` - 1: all threads of the output's context format pieces of them, and the calling thread
 * writes these in order. The bytes do not depend on the number of threads. With a memory bound the pieces have 1/32 of
 * it, but a row may be longer. After a failure the rows before it are written. Errors: those of akin_output_write, and
 * those of `format` for the first row that it fails for.
 */
AKIN_API akin_status akin_output_write_rows(akin_output *output, uint64_t rows, akin_lines_format format, void *user,
                                            akin_error *error);
/* Compresses what is written, as a file of that name is: .gz with gzip, .zst with zstd, another one not at all. It is
 * called before the first write. Errors: AKIN_E_NOMEM. */
AKIN_API akin_status akin_output_pack(akin_output *output, const char *name, akin_error *error);
/* Writes the rest and gives the file its name. Frees the output. After a failure no file is left behind. */
AKIN_API akin_status akin_output_commit(akin_output *output, akin_error *error);
/*
 * Commits several outputs that belong together. All of them are written to the end before the first takes its name. So
 * if a write fails, no file appears. Bytes that went to standard output, a pipe or a device cannot be taken back. If an
 * output fails to take its name, the files that appeared before are removed, except those that replaced a file: the
 * message names them. A process that is killed while files take their names leaves some new and some old files, each of
 * them whole. Two outputs of one name, also through links, are refused (AKIN_E_OPTION). None may be NULL.
 */
AKIN_API akin_status akin_output_commit_all(akin_output *const *outputs, size_t count, akin_error *error);
/* Drops the written bytes and frees the output. Accepts NULL. */
AKIN_API void akin_output_discard(akin_output *output);

/* ------------------------------------------------------------------------------------------------------ numbers */

#define AKIN_DIGITS 32 /* bytes that hold any number that these functions write */

/*
 * Write a number in decimal at `at`, without a NUL, and return where it ends. A double has the fewest digits that read
 * back to the same double; of the decimals of that many digits it is the nearest. It looks as printf's %.15g writes it
 * (%.16g, %.17g if it has 16 or 17 digits), with a point in every locale: 0.1, 1e-05, 123456.75, inf.
 */
AKIN_API char *akin_digits_integer(char *at, uint64_t value);
AKIN_API char *akin_digits_double(char *at, double value);

/* ---------------------------------------------------------------------------------------------------- thresholds */

/* A number as the ratio of two integers, so that comparisons with it are exact: 0.8 is {8, 10}. */
typedef struct akin_ratio {
    uint32_t num;
    uint32_t den;
} akin_ratio;

/*
 * Reads a decimal number without sign or exponent ("0.8", ".75", "1", "12"), or a fraction of two whole numbers
 * ("2/3"). A decimal number has at most 9 digits, leading and trailing zeros not counted, and so has each number of a
 * fraction. A program that holds a double passes its decimal text. Errors: AKIN_E_OPTION.
 */
AKIN_API akin_status akin_ratio_parse(const char *text, akin_ratio *out, akin_error *error);

/*
 * Reads a size in bytes: a whole number and a unit, of either case. K, M, G, T and P, also followed by i or iB, are
 * powers of 1024. KB, MB and so on are powers of 1000. B, or no unit, is bytes. Blanks around number and unit are
 * skipped. "16M" and "16 MiB" are 16777216, "16MB" is 16000000. Errors: AKIN_E_OPTION.
 */
AKIN_API akin_status akin_size_parse(const char *text, uint64_t *out, akin_error *error);

/* ---------------------------------------------------------------------------------------------------------- columns */

#define AKIN_CODE_NONE UINT32_MAX /* the code of a null */

/*
 * A column of text in Arrow's layout (large_utf8): row i is bytes[offsets[i]] .. bytes[offsets[i + 1] - 1]. The caller
 * sets size, as AKIN_COLUMN_INIT does. Each function that takes or fills a column says who owns its arrays, and how
 * long they live.
 *
 * A column may have codes. A dictionary-encoded column of Arrow has them. Rows of the same code have the same text, so
 * akin_dedupe reads the text of each code once. Two codes may have the same text, and a code may have no row. Nulls,
 * and no other rows, have the code AKIN_CODE_NONE.
 */
typedef struct akin_column {
    size_t size;
    const char *name;        /* for messages; may be NULL in a column that a program makes */
    const uint64_t *offsets; /* rows + 1 numbers, never decreasing */
    const char *bytes;
    const uint8_t *validity; /* row i is not null where bit i % 8 of byte i / 8 is set; NULL: there are no nulls */
    uint64_t nulls;
    const uint32_t *codes; /* of the rows, or NULL */
    uint32_t code_count;   /* codes are below it */
    /* 1: all text of the rows is ASCII, and need not be looked at for that; 0: not known. A wrong 1 is safe, but values
     * of no meaning come of it, and text that is not UTF-8 is not refused. */
    uint32_t ascii;
} akin_column;

#define AKIN_COLUMN_INIT                                                                                               \
    {                                                                                                                  \
        sizeof(akin_column), NULL, NULL, NULL, NULL, 0, NULL, 0, 0                                                     \
    }

/* --------------------------------------------------------------------------------------------------------- tables */

/* The format of a file of records. */
typedef enum akin_format {
    AKIN_FORMAT_AUTO = 0,  /* by the file's name, see akin_format_of_name */
    AKIN_FORMAT_TEXT = 1,  /* every line a row of one column, named "text" */
    AKIN_FORMAT_CSV = 2,   /* fields separated by commas, quoted where necessary (RFC 4180); a header line */
    AKIN_FORMAT_TSV = 3,   /* fields separated by tabs, never quoted; a header line */
    AKIN_FORMAT_JSONL = 4, /* every line a JSON object (RFC 8259), its keys the columns */
    /* Plain text whose rows of the one column "text" are documents: paragraphs, which end at a blank line, */
    AKIN_FORMAT_PARAGRAPHS = 5,
    AKIN_FORMAT_WHOLE = 6, /* or the whole file */
    /* Formats of the table "opened-formats", which an opener reads (akin_opener) and a saver writes (akin_saver): */
    AKIN_FORMAT_PARQUET = 7,     /* a file of Apache Parquet */
    AKIN_FORMAT_ARROW = 8,       /* a file of Arrow's IPC format, or of Feather */
    AKIN_FORMAT_DUCKDB = 9,      /* a table or a query of a database of DuckDB, */
    AKIN_FORMAT_SQLITE = 10,     /* of SQLite, */
    AKIN_FORMAT_POSTGRESQL = 11, /* or of PostgreSQL */
} akin_format;

/* The format by the ending of a file's name: .txt, .csv, .tsv, .tab, .jsonl or .ndjson, in any case, optionally
 * followed by .gz or .zst; or .parquet, .arrow, .feather or .ipc; or by the beginning of an address: duckdb:, sqlite:,
 * postgresql:// or postgres://. Errors: AKIN_E_OPTION (another name, such as "-"). The reason is
 * AKIN_REASON_FOREIGN_FORMAT where the ending names a table format that akin neither reads nor writes: the table
 * "foreign-formats" of akin_choices. The format of a folder, a pattern or a list (akin_table_read) is that of its first
 * file that is not plain text, or else of its first file; for that it is looked into, unless its name has an ending. */
AKIN_API akin_status akin_format_of_name(const char *path, akin_format *out, akin_error *error);

/* Whether akin_table_read takes this path for a folder, a pattern or a list, and not for one file. */
AKIN_API int akin_path_has_files(const char *path);

/* Calls `visit` with each file that a path stands for, in their order, until it returns anything but 0. Errors:
 * AKIN_E_INPUT (a folder, a pattern or a list without files, or one that cannot be read), AKIN_E_NOMEM. */
AKIN_API akin_status akin_path_files(const char *path, int (*visit)(void *user, const char *name), void *user,
                                     akin_error *error);

/* Writes the path or address of a table as messages show it: SCHEME://USER:PASSWORD@HOST without the password, and
 * without parameters that are secrets, such as "password=". At most room - 1 bytes are written, and a NUL. Returns the
 * length of the whole text, which is that of the address if nothing is left out. */
AKIN_API size_t akin_address_show(const char *address, char *shown, size_t room);

/*
 * Records read from a file: named columns of UTF-8 text and nulls, and rows 0 .. rows-1. A table never changes, and
 * does not depend on the context that made it. It takes the bytes of its text, and 8 bytes for each row of each column.
 * With a memory bound (see akin_context_options) most of that is in temporary files.
 */
typedef struct akin_table akin_table;

typedef struct akin_table_options {
    size_t size;
    akin_format format;
    /* Keeps only the columns of these names, in this order; a count of 0 keeps all, in the order of the file. */
    uint32_t column_count;
    const char *const *columns;
    /* Bytes that are not UTF-8 become U+FFFD, one for each longest beginning of a character, or for a byte that
     * begins no character; 0: they are an error. */
    int lossy;
    /* Also keeps the bytes of each record, for akin_table_record. */
    int keep_records;
    /* Keeps the line on which each record begins, for akin_table_line. It takes 16 bytes for each record that does
     * not begin one line after the record before. */
    int keep_lines;
    /* The last `optional` of `columns` need not be in the file: one that is not there has nulls alone. Plain text
     * always keeps its column "text". */
    uint32_t optional;
    /* Records that may be left out because something is wrong with them, see akin_table_skipped. One more is an
     * error. */
    uint64_t skip_bad;
    /* Further paths, whose rows follow those of the first one, as if a list named them all. */
    const char *const *more;
    uint32_t more_count;
    uint32_t reserved; /* 0 */
} akin_table_options;

#define AKIN_TABLE_OPTIONS_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(akin_table_options), AKIN_FORMAT_AUTO, 0, NULL, 0, 0, 0, 0, 0, NULL, 0, 0                               \
    }

/*
 * Reads a table, plain or compressed with gzip or zstd (recognised by the first bytes, not by the name). "-" is
 * standard input. In every format a line ends in LF or CR LF, and a UTF-8 byte order mark at the beginning is skipped.
 * Errors are a NUL byte, bytes that are not UTF-8 (unless options->lossy), and a file whose lines all end in CR alone.
 * A CR within an unquoted header line counts as such a file.
 *
 *   text    An empty line is a row with an empty string. In paragraphs and whole files the lines of a row keep their
 *           ends. A line of spaces and tabs is blank, and several blank lines are like one.
 *   CSV     The first line has the names of the columns, and no kept name occurs twice. Empty lines are skipped. Each
 *           record has a field for each column; there are no nulls. A field that begins with a quote ends with one, and
 *           may hold commas, line ends and doubled quotes. In other fields a quote is an error. Blanks stay.
 *   TSV     The same with tabs. Quotes are like any other byte.
 *   JSONL   Blank lines are skipped. The keys of all lines are the columns, in order of first appearance. A missing
 *           key, and null, is a null. A string is decoded. Numbers, true and false keep their text; arrays and objects
 *           keep their JSON text. A kept key must not occur twice in an object. A key or a kept string must not hold a
 *           NUL (\u0000) or half of a surrogate pair (options->lossy replaces the latter). Values are nested at most
 *           512 deep. A column asked for, but without a key in any line, is an error, if there are lines.
 *
 * The opener of the context opens a format of "opened-formats" as an Arrow stream. The table is the one that
 * akin_table_import makes of it, and has no lines: keep_lines does nothing, and keep_records lets akin_output_copy copy
 * its rows.
 *
 * A path may stand for several files, whose rows follow one another (akin_path_has_files):
 *
 *   folder   Its files, and those of folders in it, in the order of their paths, byte by byte. Names that begin with a
 *            point or an underscore, and links to folders, are left out.
 *   pattern  *, ? and [...] as in a shell, such as "data/part-*.csv.gz"; the files in the same order.
 *   @list    A text with a path, a folder or a pattern on each line, in that order. Empty lines are skipped.
 *
 * A path that exists is never a pattern or a list. A folder whose name has the ending of an opened format is left to
 * the opener. Each file is read by itself, with its own header and its own lines. options->format is that of all files,
 * and AKIN_FORMAT_AUTO that of each one's name. Columns are found by their names. Each file must have those that are
 * required. If all are kept, each file with a header must have the columns of the files before, in any order.
 *
 * options->skip_bad: a record of text with a wrong number of fields, a misplaced quote, what is not UTF-8, a NUL byte
 * or invalid JSON is left out. A record of CSV with a misplaced quote, or a quoted field of more than 16 MiB, ends with
 * its first line. A header is no record. In paragraphs, whole files and opened formats no record is left out.
 *
 * Errors: AKIN_E_INPUT (the message names the file, the line and what was expected), AKIN_E_OPTION (an option out of
 * range, an unknown format, a column that does not exist or is asked for twice), AKIN_E_LIMIT (more than 2^32 - 1
 * rows), AKIN_E_IO (the file, or a temporary file), AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_table_read(akin_context *context, const char *path, const akin_table_options *options,
                                     akin_table **out, akin_error *error);

AKIN_API void akin_table_free(akin_table *table);

/* Lets go of the memory of a table's temporary files. What was looked at of them counts as memory of the process,
 * though the system may take it at any time. The content stays, and is brought back when it is looked at. Threads may
 * look at the table meanwhile. */
AKIN_API void akin_table_release(const akin_table *table);

/* A file that a table was read from. */
typedef struct akin_table_file {
    size_t size;
    const char *name; /* its path, or "standard input"; of a path of more than 600 bytes the last ones */
    akin_format format;
    uint32_t first, rows; /* its rows are first .. first + rows - 1 */
    uint32_t reserved;
    const char *header; /* the header line, if records are kept; "": there is none */
    uint64_t header_length;
} akin_table_file;

/* The number of files that the table was read from; 0: it was made otherwise. Which file a row is of. And *file filled
 * with file `index`; the caller sets file->size. What it points to is the table's. Errors: AKIN_E_OPTION (there is no
 * such file). */
AKIN_API uint32_t akin_table_files(const akin_table *table);
AKIN_API uint32_t akin_table_file_of(const akin_table *table, uint32_t row);
AKIN_API akin_status akin_table_file_at(const akin_table *table, uint32_t index, akin_table_file *file,
                                        akin_error *error);

/* A record that was left out (skip_bad). */
typedef struct akin_skipped {
    size_t size;
    const char *name;   /* of its file */
    uint64_t line;      /* on which it begins */
    const char *reason; /* what is wrong with it */
} akin_skipped;

/* How many records were left out, and *skipped filled with one of them, in the order of the files and lines. The caller
 * sets skipped->size. Errors: AKIN_E_OPTION (there is no such record). */
AKIN_API uint64_t akin_table_skipped(const akin_table *table);
AKIN_API akin_status akin_table_skipped_at(const akin_table *table, uint64_t index, akin_skipped *skipped,
                                           akin_error *error);

/* The numbers of rows and of columns. */
AKIN_API uint32_t akin_table_rows(const akin_table *table);
AKIN_API uint32_t akin_table_columns(const akin_table *table);

/* Fills *column with column `index`. Its arrays are the table's, and valid as long as the table. A null has no
 * bytes. The caller sets column->size. Errors: AKIN_E_OPTION (there is no such column). */
AKIN_API akin_status akin_table_column(const akin_table *table, uint32_t index, akin_column *column, akin_error *error);

/* The index of the column of that name. Errors: AKIN_E_OPTION (the message lists the names, or the first of them). */
AKIN_API akin_status akin_table_find(const akin_table *table, const char *name, uint32_t *index, akin_error *error);

/* The bytes of record `row` in its file, and of the header line of the first file (of CSV and TSV; *length 0 in other
 * formats), without the line end. They are the table's, and valid as long as the table. Errors: AKIN_E_OPTION (there
 * is no such row, or the records were not kept). */
AKIN_API akin_status akin_table_record(const akin_table *table, uint32_t row, const char **bytes, uint64_t *length,
                                       akin_error *error);
AKIN_API akin_status akin_table_header(const akin_table *table, const char **bytes, uint64_t *length,
                                       akin_error *error);

/* Sets *line to the line of its file, from 1 on, on which record `row` begins. Errors: AKIN_E_OPTION (there is no
 * such row, the lines were not kept, or the file is of an opened format). */
AKIN_API akin_status akin_table_line(const akin_table *table, uint32_t row, uint64_t *line, akin_error *error);

/*
 * Makes a table of one column, "combined", of `count` columns of `rows` rows each. Its value in a row is the values of
 * the columns, without the missing ones (null or empty), with a blank between. A row without a value has an empty
 * string. Errors: AKIN_E_OPTION (no column, or offsets that decrease), AKIN_E_NOMEM, AKIN_E_IO (a temporary file),
 * AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_table_combine(akin_context *context, const akin_column *columns, uint32_t count,
                                        uint32_t rows, akin_table **out, akin_error *error);

/* ---------------------------------------------------------------------------------------------------------- Arrow */

/*
 * Other programs exchange tables with akin by the C Data Interface and C Stream Interface of Apache Arrow: three
 * structs that any program may declare (arrow.apache.org/docs/format/CDataInterface.html). The guards are those of the
 * specification, so this header works together with another that declares the structs. The holder of a struct releases
 * it once, by the struct's own callback. A struct that was released, or whose content has moved, has a release of NULL.
 */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format; /* the type */
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *schema);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count; /* -1: not counted */
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *array);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    /* Both return 0 or an errno value. At the end get_next gives a released array. */
    int (*get_schema)(struct ArrowArrayStream *stream, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *stream);
    void (*release)(struct ArrowArrayStream *stream);
    void *private_data;
};

#endif

/*
 * Makes a table of all arrays of a stream. The arrays are structs whose children are the columns. An array of another
 * type is the only column, called "text" if it has no name. The types of the kept columns are checked:
 *
 *   text        utf8, large_utf8, utf8_view: UTF-8 without NUL bytes; options->lossy repairs bytes that are not UTF-8
 *   numbers     integers in decimal; float and double with the fewest digits that read back, so 1.0 is "1"; NaN is
 *               null; decimals of 32 to 256 bits without zeros at the end of a fraction
 *   bool        "true" and "false"
 *   dates       YYYY-MM-DD; timestamps YYYY-MM-DDTHH:MM:SS, then a point and the fraction of a second, if there is one,
 *               then Z if the type has a time zone (then the value is in UTC); times of day HH:MM:SS, likewise
 *   null        nulls
 *   dictionary  of any of these; the column has codes, unless there are more of them than rows, or an entry is bad, or
 *               the arrays are small and their dictionaries large
 *
 * Where only one array of the stream has rows, columns of utf8 and large_utf8 are not copied. The table keeps the
 * array, and releases it on the thread that frees the table. Such a table takes 8 bytes a row for offsets (none where
 * large_utf8 begins with offset 0), and a bit a row for nulls. Text that needs repair, nulls with bytes, and all else
 * is copied once. Of several arrays at most two are held at a time.
 *
 *   stream   is read to its end and released, also on failure; its release is NULL afterwards
 *   options  columns, column_count and lossy; leave the others alone
 *
 * The interface does not have the lengths of buffers; anything else that is wrong with an array is an error. Errors:
 * AKIN_E_INPUT (a type that akin does not take, an impossible array, text that is not UTF-8, a row that is null as a
 * whole, two columns of one name, a failure of the stream; the message names the column and the row), AKIN_E_OPTION (a
 * released stream; a column that does not exist or is asked for twice), AKIN_E_LIMIT (more than 2^32 - 1 rows),
 * AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_table_import(akin_context *context, struct ArrowArrayStream *stream,
                                       const akin_table_options *options, akin_table **out, akin_error *error);

/* The same for one array. The array and its schema are released, also on failure, unless the table keeps the array. */
AKIN_API akin_status akin_table_import_array(akin_context *context, struct ArrowSchema *schema,
                                             struct ArrowArray *array, const akin_table_options *options,
                                             akin_table **out, akin_error *error);

/*
 * An opener opens tables that the library does not read itself, as Arrow streams. A context has at most one, and
 * akin_table_read calls it. The library has none. The command of the Python package has one, which knows pyarrow.
 */
typedef struct akin_opening {
    size_t size;
    akin_format format; /* one of "opened-formats" */
    const char *path;   /* or an address */
    /* The names of the columns that are wanted; a count of 0: all. The last `optional` of them need not exist. */
    uint32_t column_count, optional;
    const char *const *columns;
    int keeps_records; /* its rows may be wanted again, with all columns: akin_saver.copy */
} akin_opening;

typedef struct akin_opener {
    size_t size;
    /*
     * Opens a table: sets *out to a stream of its rows, which the library releases. The stream may have more columns
     * than are wanted, in any order. If one that must exist is missing, the schema has all columns, which a message
     * lists. It is called on the thread that called akin_table_read. On failure it fills *error, by akin_error_set,
     * with a message that names the path, and leaves *out alone.
     */
    akin_status (*open)(void *user, const akin_opening *opening, struct ArrowArrayStream *out, akin_error *error);
    /* Passed to it and to open_bytes. */
    void *user;
    /*
     * Opens a file in a store of objects, by an address such as "s3://BUCKET/KEY", for the library to read its bytes:
     * text, plain or compressed, and token ids. *file is for the functions below, *size its bytes, or 0 where they are
     * not known. read_bytes reads up to `room` bytes; *got is 0 only at the end. The library calls them on the thread
     * that reads the table. Their messages must name the path. open_bytes NULL: such addresses are refused. Else the
     * others are not NULL.
     */
    akin_status (*open_bytes)(void *user, const char *path, void **file, uint64_t *size, akin_error *error);
    akin_status (*read_bytes)(void *file, void *to, size_t room, size_t *got, akin_error *error);
    void (*close_bytes)(void *file);
} akin_opener;

/*
 * A saver writes tables of results that the library does not write itself: files and tables of databases. A context has
 * at most one, and an akin_output hands on to it what it is given (akin_output_open_table). The library has none. The
 * command of the Python package has one, which knows pyarrow.
 */
typedef struct akin_saving {
    size_t size;
    akin_format format; /* one of "opened-formats" */
    const char *path;   /* or an address */
    int descriptor;     /* of the file that gets the name `path` at the end; -1: it is a database */
    int replaces;       /* a table of that name in the database gives way; 0: it is an error */
} akin_saving;

/* A column of results: its name, and its type in Arrow's notation, such as "l" of int64. */
typedef struct akin_output_column {
    const char *name, *type;
} akin_output_column;

/* Texts for a copy of rows, in place of those of a column. */
typedef struct akin_other_texts {
    size_t size;
    const char *column; /* which is one of text */
    /* Sets the text of row `row` of the table, valid until the next call; *text NULL: the row keeps its own. Called on
     * the thread that copies, in the order of the rows. */
    akin_status (*of)(void *user, uint32_t row, const char **text, uint64_t *length, akin_error *error);
    void *user;
} akin_other_texts;

/*
 * The functions are called in this order, on the thread that uses the output. On failure a function fills *error, by
 * akin_error_set, with a message that names the path.
 *
 *   open     checks what can be checked before the work, such as whether the table is there; sets *saved
 *   begin    takes the columns, which live as long as the call
 *   write    takes the lines of CSV behind the header, cut anywhere. Text stands in quotes, so a field without them and
 *            without a byte is a null
 *   copy     in place of begin and write: takes the rows i of a table whose bit i % 8 of byte i / 8 of `kept` is set,
 *            with all columns. `from` names what an opener opened with keeps_records; rows come in the order of then
 *   copy_texts  the same, with other texts in one column. NULL: it cannot
 *   finish   writes the rest, so that only a last step is missing, which seldom fails
 *   commit   of a database: the table appears. Several outputs are all finished before the first one is committed
 *   discard  frees `saved`, the last call in any case, also without the calls before it. What is not committed goes
 *            away. The file behind the descriptor is the library's, which names it, or removes it
 *
 * An output without `begin` and `copy` holds no table, which the library refuses.
 */
typedef struct akin_saver {
    size_t size;
    akin_status (*open)(void *user, const akin_saving *saving, void **saved, akin_error *error);
    akin_status (*begin)(void *saved, const akin_output_column *columns, uint32_t count, akin_error *error);
    akin_status (*write)(void *saved, const char *bytes, size_t length, akin_error *error);
    akin_status (*copy)(void *saved, const akin_opening *from, const uint8_t *kept, uint32_t rows, akin_error *error);
    akin_status (*finish)(void *saved, akin_error *error);
    akin_status (*commit)(void *saved, akin_error *error);
    void (*discard)(void *saved);
    /* Passed to `open`. */
    void *user;
    akin_status (*copy_texts)(void *saved, const akin_opening *from, const uint8_t *kept, uint32_t rows,
                              const akin_other_texts *texts, akin_error *error);
} akin_saver;

/*
 * Creates an output for a table of results. A path or address of a format of "opened-formats" goes to the saver of the
 * context; any other is that of akin_output_open. A file appears whole or not at all, and so does the table of a
 * database. `replaces` lets it take the place of a table that is there. What is written to the saver are lines as it
 * takes them, see akin_saver. Errors: those of akin_output_open and of the saver; AKIN_E_OPTION (there is no saver, or
 * the path is that of a pipe or a device).
 */
AKIN_API akin_status akin_output_open_table(akin_context *context, const char *path, int replaces, akin_output **out,
                                            akin_error *error);

/* Says which columns the lines of a table have, once, before the first is written. It does nothing for an output of
 * akin_output_open, whose lines begin with what the caller writes. Errors: those of the saver; AKIN_E_OPTION (a column
 * without a name or a type). */
AKIN_API akin_status akin_output_columns(akin_output *output, const akin_output_column *columns, uint32_t count,
                                         akin_error *error);

/* Copies rows of a table that an opener opened while its records were kept (akin_table_read), with all columns and
 * their types, in place of columns and lines: row i of `rows` if bit i % 8 of byte i / 8 of `kept` is set. Errors:
 * those of the saver; AKIN_E_OPTION (the output is none of a saver). */
AKIN_API akin_status akin_output_copy(akin_output *output, akin_format format, const char *path, const uint8_t *kept,
                                      uint32_t rows, akin_error *error);

/* The same, with other texts in one column. Errors: those of texts->of, too; AKIN_E_OPTION (the saver cannot). */
AKIN_API akin_status akin_output_copy_texts(akin_output *output, akin_format format, const char *path,
                                            const uint8_t *kept, uint32_t rows, const akin_other_texts *texts,
                                            akin_error *error);

/* The type of a column. */
typedef enum akin_type {
    AKIN_TYPE_U32 = 1,  /* uint32_t */
    AKIN_TYPE_U64 = 2,  /* uint64_t */
    AKIN_TYPE_F64 = 3,  /* double */
    AKIN_TYPE_BOOL = 4, /* unsigned char, 0 or 1 */
    AKIN_TYPE_TEXT = 5, /* large_utf8 */
    AKIN_TYPE_I32 = 6,  /* int32_t */
    AKIN_TYPE_I64 = 7,  /* int64_t */
} akin_type;

/* The type that the values of a column had before they became text: of the types above the narrowest that holds
 * them. AKIN_TYPE_TEXT: text, dates, the columns of files, and a column that does not exist. */
AKIN_API akin_type akin_table_column_type(const akin_table *table, uint32_t index);

/* The same type in Arrow's notation: "l" of int64, "tdD" of date32; of a dictionary that of its values. "u": text, the
 * columns of files, and a column that does not exist. It is the table's, and valid as long as the table. */
AKIN_API const char *akin_table_column_format(const akin_table *table, uint32_t index);

/*
 * A frame: columns of results that other programs get as Arrow arrays without a copy. One thread fills it. After the
 * first export it does not change any more, and lives as long as its last array. Any thread may release an array.
 */
typedef struct akin_frame akin_frame;

/* Creates a frame of `count` columns of these types and names, without rows. The names are copied. Errors:
 * AKIN_E_OPTION (an unknown type), AKIN_E_NOMEM. */
AKIN_API akin_status akin_frame_create(akin_context *context, uint32_t count, const akin_type *types,
                                       const char *const *names, akin_frame **out, akin_error *error);

/*
 * Adds `rows` rows of zeros. akin_frame_add_text fills columns of text. If data is not NULL, data[i] becomes the place
 * of the first new row in column i, an array of the column's type (NULL for text), valid until more rows are added.
 * Errors: AKIN_E_OPTION (the frame has been exported), AKIN_E_NOMEM. After an error no rows are added.
 */
AKIN_API akin_status akin_frame_extend(akin_frame *frame, uint64_t rows, void **data, akin_error *error);

/* Adds the next text of a column of text; bytes NULL: a null. The caller guarantees UTF-8. Rows without a text in
 * the end are null. Errors: AKIN_E_OPTION (no such column, or as many texts as rows already), AKIN_E_NOMEM. */
AKIN_API akin_status akin_frame_add_text(akin_frame *frame, uint32_t column, const char *bytes, uint64_t length,
                                         akin_error *error);

/* Makes a value null, in a column that is not text. Errors: AKIN_E_OPTION (no such column or row), AKIN_E_NOMEM. */
AKIN_API akin_status akin_frame_set_null(akin_frame *frame, uint32_t column, uint64_t row, akin_error *error);

AKIN_API uint64_t akin_frame_rows(const akin_frame *frame);

/* Sets *out to a stream of the frame as one array, which the caller releases. The stream keeps the content alive, so
 * the frame may be freed before. A frame may be exported any number of times. Errors: AKIN_E_NOMEM. The stream
 * itself fails only with ENOMEM. */
AKIN_API akin_status akin_frame_export(akin_frame *frame, struct ArrowArrayStream *out, akin_error *error);

/* The same as an array and its schema. */
AKIN_API akin_status akin_frame_export_array(akin_frame *frame, struct ArrowSchema *schema, struct ArrowArray *array,
                                             akin_error *error);

/* Drops the caller's hold of the frame. Accepts NULL. */
AKIN_API void akin_frame_free(akin_frame *frame);

/* ------------------------------------------------------------------------------------------- JSON (experimental) */

/*
 * A short JSON text (RFC 8259), such as the command's job files. Its values are nodes of one list, in the order of the
 * text. Node 0 is the whole text. The elements of an array or object follow it: the first element of node n is n + 1,
 * and the next one is the `next` of the element before, as long as that is below the `next` of n.
 */
typedef struct akin_json akin_json;

typedef enum akin_json_kind {
    AKIN_JSON_NULL = 0,
    AKIN_JSON_FALSE = 1,
    AKIN_JSON_TRUE = 2,
    AKIN_JSON_NUMBER = 3,
    AKIN_JSON_STRING = 4,
    AKIN_JSON_ARRAY = 5,
    AKIN_JSON_OBJECT = 6
} akin_json_kind;

typedef struct akin_json_node {
    akin_json_kind kind;
    uint32_t next;    /* the number of the node after this one and its elements */
    uint64_t line;    /* the line, from 1 on, on which the value begins, or for a member of an object its key */
    const char *key;  /* the decoded key of a member of an object, else NULL. A key may occur twice */
    const char *text; /* the decoded text of a string; a number as written, but a whole one of up to 20
                         * digits as these alone: 1.0 as 1, and 1e3 as 1000; else NULL */
} akin_json_node;

#define AKIN_JSON_LONGEST 1048576 /* bytes of a text, at most */

/*
 * Reads a JSON text from a file, plain or compressed, or from memory; `name` is its name in messages. Strings are
 * decoded. They must not hold NUL (\u0000) or half of a surrogate pair. Values are nested at most 512 deep. A byte
 * order mark is skipped. Memory: at most 50 bytes for each byte of the text. Errors: AKIN_E_INPUT (the message names
 * the file, line and byte, and what was expected), AKIN_E_LIMIT (the text is longer than AKIN_JSON_LONGEST),
 * AKIN_E_NOMEM; when reading AKIN_E_IO and AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_json_read(akin_context *context, const char *path, akin_json **out, akin_error *error);
AKIN_API akin_status akin_json_parse(const char *name, const char *text, uint64_t length, akin_json **out,
                                     akin_error *error);

AKIN_API void akin_json_free(akin_json *json);

/* The nodes, valid as long as the text. Their number is the `next` of node 0, at least 1. */
AKIN_API const akin_json_node *akin_json_nodes(const akin_json *json);

/* ----------------------------------------------------------------------------------------------------- dictionaries */

/*
 * Strings and their numbers: each distinct string has an id, from 0 on, in the order of first appearance. A dictionary
 * only grows. akin_sets_from_columns turns text into sets of such ids, and collections of a join share a dictionary.
 *
 * A dictionary takes about 45 bytes a string, and the bytes of strings longer than 16. With a memory bound the rest is
 * in mapped temporary files. Lookups visit them at random, so they are slow where the system cannot keep the files'
 * pages in memory. Many threads may read a dictionary at once. Functions that add strings (akin_dictionary_add,
 * akin_dictionary_add_words, akin_sets_from_columns) must not run beside other uses.
 */
typedef struct akin_dictionary akin_dictionary;

/* Creates an empty dictionary. It takes its share of the memory bound and the directory of temporary files from the
 * context, and does not depend on the context afterwards. Errors: AKIN_E_NOMEM. */
AKIN_API akin_status akin_dictionary_create(akin_context *context, akin_dictionary **out, akin_error *error);
AKIN_API void akin_dictionary_free(akin_dictionary *dictionary);

/* The number of strings; the ids are 0 to that number - 1. */
AKIN_API uint32_t akin_dictionary_count(const akin_dictionary *dictionary);

/* Sets *id to the id of a string of any bytes. A new string gets the next id. Errors: AKIN_E_NOMEM, AKIN_E_IO (a
 * temporary file), AKIN_E_LIMIT (2^32 - 2 strings, or a string of 2^32 bytes). */
AKIN_API akin_status akin_dictionary_add(akin_dictionary *dictionary, const char *bytes, size_t length, uint32_t *id,
                                         akin_error *error);

/* Many strings, 0 to count - 1. `word` sets *bytes and *length to string i, at most 2^32 - 1 bytes. Threads call it at
 * once: `thread` is below the context's number of threads, and the bytes are valid until the next call by that thread.
 * A status other than AKIN_OK ends the work. */
typedef struct akin_dictionary_words {
    uint64_t count;
    akin_status (*word)(void *user, uint64_t i, uint32_t thread, const char **bytes, uint32_t *length);
    void *user;
} akin_dictionary_words;

/* Adds many strings, on all threads of the context. New strings get their ids in the order of the strings, as if
 * akin_dictionary_add added one after the other. After an error the dictionary has the strings before a certain one,
 * and none from that one on. Errors: as above, AKIN_E_CANCELLED, and those of `word`. */
AKIN_API akin_status akin_dictionary_add_words(akin_context *context, akin_dictionary *dictionary,
                                               const akin_dictionary_words *words, akin_error *error);

/* Whether the dictionary has a string: 1, and *id becomes its id, or 0. */
AKIN_API int akin_dictionary_find(const akin_dictionary *dictionary, const char *bytes, size_t length, uint32_t *id);

/* Sets *bytes and *length to the string with that id, without a NUL at its end. It is valid until the dictionary
 * grows or is freed. Errors: AKIN_E_OPTION (there is no such id). */
AKIN_API akin_status akin_dictionary_string(const akin_dictionary *dictionary, uint32_t id, const char **bytes,
                                            size_t *length, akin_error *error);

/* All strings as a column without nulls; row i is the string of id i. The arrays are the dictionary's, and valid
 * until a string is added, this function is called again, or the dictionary is freed. Errors: AKIN_E_NOMEM,
 * AKIN_E_IO (a temporary file). */
AKIN_API akin_status akin_dictionary_column(akin_dictionary *dictionary, akin_column *column, akin_error *error);

/* ------------------------------------------------------------------------------------------ statistics of a corpus */

/*
 * The statistics of a corpus, by which akin_weigh and akin_dedupe weigh a part of it as if they had all of it. Those of
 * a corpus are the sums of those of its parts: documents, words, and the df of each term.
 */
typedef struct akin_corpus {
    size_t size;
    uint64_t words;           /* tokens of all documents */
    uint32_t documents;       /* N */
    uint32_t count;           /* of terms */
    const akin_column *terms; /* distinct ones, in any order. An empty one is that which unknown terms share */
    const uint32_t *df;       /* of each: in how many documents it is, from 1 to N */
} akin_corpus;

/* Statistics that akin counted: akin_statistics_of_documents, akin_statistics_of_weights, akin_statistics_of_records.
 * They never change, and do not depend on the context that made them. */
typedef struct akin_statistics akin_statistics;

/* The statistics as options take them, for as long as the object lasts. The terms are sorted by their bytes. */
AKIN_API const akin_corpus *akin_statistics_corpus(const akin_statistics *statistics);
AKIN_API void akin_statistics_free(akin_statistics *statistics);

/* -------------------------------------------------------------------------------------------- tries (experimental) */

/*
 * The frozen dictionary: words and their ids in a compressed trie that never changes. It takes about 2.4 bytes a word
 * for one million words of a to z (docs/dictionary.md has figures), less than the words themselves. Its file is mapped
 * and used in place. Words are strings of any bytes but 0, and may be empty. Their ids are 0 .. words-1, in the order
 * of the words sorted by their bytes from the last to the first. The ids do not depend on the kind of trie, nor on the
 * order of the words during the build.
 *
 * Nodes are numbered in XBW order, and the children of nodes are bit-vectors with rank (T. Wakatsuki, A. Keyaki, J.
 * Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, sections 2.4 and 3.1). A trie does not depend on the
 * context that made it, and any number of threads may read it at once.
 */
typedef struct akin_trie akin_trie;

/* The form of the bit-vectors. */
typedef enum akin_trie_kind {
    AKIN_TRIE_CHUNKS = 1, /* akin's own, smallest and fastest: chunks of 128 bits, as places of ones or as bits */
    AKIN_TRIE_ANNEX = AKIN_ANNEX_FIRST, /* from here on: rows of an annex */
} akin_trie_kind;

/* The name of a kind of the library or of the annex (NULL: none), as --kind takes it ("chunks"), static; NULL for an
 * unknown value. */
AKIN_API const char *akin_trie_kind_name(const akin_annex *annex, akin_trie_kind kind);

/* Sets *out to the kind of that name. Errors: AKIN_E_OPTION (the message lists the names). */
AKIN_API akin_status akin_trie_kind_parse(const akin_annex *annex, const char *name, akin_trie_kind *out,
                                          akin_error *error);

/* The id that no word has: the result of looking up an unknown word. */
#define AKIN_TRIE_UNKNOWN UINT32_MAX

typedef struct akin_trie_options {
    size_t size;
    akin_trie_kind kind;
    uint32_t reserved; /* 0 */
} akin_trie_options;

#define AKIN_TRIE_OPTIONS_INIT                                                                                         \
    {                                                                                                                  \
        sizeof(akin_trie_options), AKIN_TRIE_CHUNKS, 0                                                                 \
    }

/*
 * Builds a trie of the words in `rows` rows of a column, in any order. Repetitions count once, nulls do not count. The
 * trie keeps nothing of the column.
 *
 * Memory during the build: 4 bytes a row, or 20 if the rows are not sorted by their bytes, and 29 bytes a node. Lists
 * of words have 2.2 to 2.4 nodes a word, so 10 million words take 900 MB beside the column. With a memory bound (see
 * akin_context_options) the build takes at most half of it, and the trie 1/32; the rest is in temporary files. One
 * thread. Errors: AKIN_E_INPUT (the message names the row of a word with a NUL byte), AKIN_E_OPTION, AKIN_E_LIMIT (more
 * than 2^32 - 2 nodes), AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_trie_build(akin_context *context, const akin_column *words, uint32_t rows,
                                     const akin_trie_options *options, akin_trie **out, akin_error *error);

/* Saves a trie as an .akin file (docs/container.md). The file appears whole or not at all, and replaces a file of
 * that name. Errors: AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_trie_save(akin_context *context, const akin_trie *trie, const char *path, akin_error *error);

/* Writes a trie as an .akin file to an output, which must be empty. Write nothing else to it. Errors: as
 * akin_output_write, and AKIN_E_CANCELLED. */
AKIN_API akin_status akin_trie_write(akin_context *context, const akin_trie *trie, akin_output *output,
                                     akin_error *error);

/* Opens a saved trie ("-": standard input, which is read). The whole file is mapped (akin_mapping), and checked
 * once. Errors: AKIN_E_INPUT (the message names the file and the fault), AKIN_E_OPTION (the trie is of a kind of
 * libakin_papers, which the context does not use), AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_trie_open(akin_context *context, const char *path, akin_trie **out, akin_error *error);

AKIN_API void akin_trie_free(akin_trie *trie);

/* The mapping of the file of a trie; NULL: it has none. It lasts as long as the object. */
AKIN_API const akin_mapping *akin_trie_mapping(const akin_trie *trie);

/* The number of words; the ids are 0 to that number - 1. */
AKIN_API uint32_t akin_trie_count(const akin_trie *trie);

/* Whether the trie has a word: 1, and *id becomes its id, or 0. */
AKIN_API int akin_trie_find(const akin_trie *trie, const char *bytes, size_t length, uint32_t *id);

/*
 * Looks up the words in `rows` rows of a column, on the threads of the context or on its GPU. The GPU is used if it was
 * asked for or is predicted to save seconds, and if it can hold the trie. ids[i] becomes the id of row i, or
 * AKIN_TRIE_UNKNOWN for an unknown word or a null. Looking up many words at once takes a third of the time of single
 * lookups. Errors: AKIN_E_OPTION (an impossible column), AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED. After an error
 * some ids may have been written.
 */
AKIN_API akin_status akin_trie_look_up(akin_context *context, const akin_trie *trie, const akin_column *words,
                                       uint32_t rows, uint32_t *ids, akin_error *error);

/* Writes the word with that id to `buffer`, without a NUL at its end. *length becomes its length, even if `room`,
 * the size of the buffer, is too small. akin_trie_describe has the longest length. The call takes some microseconds.
 * Errors: AKIN_E_OPTION (there is no such id, or no room), AKIN_E_INPUT (the trie's file is not a valid trie, though
 * its checksums are right). */
AKIN_API akin_status akin_trie_string(const akin_trie *trie, uint32_t id, char *buffer, size_t room, size_t *length,
                                      akin_error *error);

/* The figures of a trie. */
typedef struct akin_trie_statistics {
    size_t size;
    akin_trie_kind kind;
    uint32_t words;
    uint32_t nodes;
    uint32_t symbols;      /* distinct bytes */
    uint32_t rare;         /* rare symbols, which are kept as lists */
    uint32_t longest;      /* bytes of the longest word: the depth of the trie */
    uint64_t bytes;        /* of the saved and mapped trie */
    uint64_t bytes_beside; /* of the heap beside the mapped trie */
    uint64_t bytes_table;  /* of a state-transition table of the same words */
} akin_trie_statistics;

/* Describes a trie. The caller first sets statistics->size, as for akin_context_info. Errors: AKIN_E_OPTION (an
 * impossible size). */
AKIN_API akin_status akin_trie_describe(const akin_trie *trie, akin_trie_statistics *statistics, akin_error *error);

/* ---------------------------------------------------------------------------------------------------------- sets */

/*
 * A collection of token sets: rows 0 .. rows-1, each a set of distinct uint32_t tokens in ascending order. A collection
 * never changes, and does not depend on the context that made it. It takes 8 bytes a row and 4 bytes a token.
 */
typedef struct akin_sets akin_sets;

/*
 * Reads a collection, plain or compressed with gzip or zstd (recognised by the first bytes, not by the name), or a file
 * of akin_sets_save. "-" is standard input. Every line is a row of decimal token ids in any order, separated by spaces
 * or tabs. An empty line is an empty set, a repeated token counts once, and a line may end in CR LF. Errors:
 * AKIN_E_INPUT (the message names the file, the line or byte, and what was expected), AKIN_E_LIMIT, AKIN_E_IO (the
 * file, or a temporary file), AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_sets_read(akin_context *context, const char *path, akin_sets **out, akin_error *error);

/*
 * Makes a collection of `rows` rows from memory. Row i has tokens[offsets[i]] .. tokens[offsets[i + 1] - 1], in any
 * order; repetitions count once. offsets has rows + 1 entries and never decreases. Both arrays are copied. Errors:
 * AKIN_E_OPTION (offsets decrease), AKIN_E_LIMIT (a set of 2^32 tokens), AKIN_E_NOMEM.
 */
AKIN_API akin_status akin_sets_from_arrays(akin_context *context, uint32_t rows, const uint64_t *offsets,
                                           const uint32_t *tokens, akin_sets **out, akin_error *error);

/*
 * The kinds of tokens of a text. Text is UTF-8. Categories, normal forms and case folding are those of Unicode;
 * akin_context_info has the version.
 */
typedef enum akin_tokens {
    AKIN_TOKENS_WORDS = 1, /* longest runs of letters, marks and decimal digits (categories L, M and Nd), after NFKC */
    AKIN_TOKENS_WHITESPACE = 2, /* longest runs of anything but spaces, tabs and line ends, after NFC */
    AKIN_TOKENS_QGRAMS = 3,   /* all runs of q code points, after NFC; a shorter text that is not empty is one token */
    AKIN_TOKENS_SHINGLES = 4, /* all runs of q words, a blank between; a text of fewer words is one token */
    /* Codes, such as the numbers of models: runs of anything but white space that have a digit. Only their letters,
     * marks and decimal digits count: "DSC-W120/B" is dscw120b. After NFKC. */
    AKIN_TOKENS_CODES = 5,
    AKIN_TOKENS_LINES = 6,     /* lines that are not blank, after NFC; white space in a line is one blank */
    AKIN_TOKENS_PARAGRAPHS = 7 /* what is between blank lines, after NFC; white space in a paragraph is one blank */
} akin_tokens;

/* The facts of a kind of tokens. */
typedef struct akin_tokens_facts {
    const char *noun;      /* their name in messages: "q-grams" */
    uint32_t takes_length; /* 1: they are runs of length `q` */
    uint32_t is_folded;    /* 1: upper and lower case are one by default */
    uint32_t has_stems;    /* 1: they can be stemmed */
    uint32_t reserved;
    /* For runs of length `q`: what a run has q of, such as "words"; and what to cut brief texts into. Else NULL. */
    const char *units, *for_brief;
} akin_tokens_facts;

/* The facts of a kind of tokens, static; NULL: unknown kind. */
AKIN_API const akin_tokens_facts *akin_tokens_facts_of(akin_tokens tokens);

/* Reads the value of --tokens: a name of the table "tokens", optionally with a length, such as "qgrams:3". *q is
 * unchanged where no length is given. Errors: AKIN_E_OPTION. */
AKIN_API akin_status akin_tokens_parse(const char *text, akin_tokens *tokens, uint32_t *q, akin_error *error);

/* How many texts are too short for q-grams or shingles. A text is a value of a column. */
typedef struct akin_text_counts {
    uint64_t texts; /* texts with a token */
    uint64_t brief; /* of these, the texts with fewer than q code points or words, which are one token */
} akin_text_counts;

/* The command and Python warn if at least 1 / AKIN_BRIEF_SHARE of the texts are brief. A brief text has its token in
 * common only with texts of the same words or code points, so most texts have no partner. */
#define AKIN_BRIEF_SHARE 2

/* Whether that is so; 0 without texts. */
AKIN_API int akin_text_counts_are_brief(const akin_text_counts *counts);

typedef struct akin_text_options {
    size_t size;
    akin_tokens tokens;
    uint32_t q; /* the length of a q-gram or shingle, 1 to 255; other tokens ignore it */
    /* 1: a token that a row has k times is k tokens: itself and (token, 2) .. (token, k). 0: it counts once. */
    int multiset;
    /* Whether upper and lower case are one (full case folding, before the normal form is composed): 0, 1, or -1 for the
     * default, which is 1 for words, shingles and codes, and 0 for others. */
    int fold;
    /* Stop words: the tokens of these texts are left out. The texts are NUL-terminated UTF-8, and are normalised,
     * folded and cut as the text is. "don't" is two words, and both are left out; with shingles it is one shingle of
     * two words. */
    const char *const *stop_words;
    uint32_t stop_word_count;
    uint32_t reserved; /* 0 */
    /* The counts of the texts that a function cuts successfully are added to these; NULL: they are not needed.
     * akin_sets_from_columns adds to them, and so do functions that use it, and akin_weigh. */
    akin_text_counts *counts;
} akin_text_options;

#define AKIN_TEXT_OPTIONS_INIT                                                                                         \
    {                                                                                                                  \
        sizeof(akin_text_options), AKIN_TOKENS_WORDS, 3, 0, -1, NULL, 0, 0, NULL                                       \
    }

/* Warns if most of options->counts are brief (akin_text_counts_are_brief). `where` is the beginning of the sentence,
 * such as the name of a file; NULL: none. */
AKIN_API void akin_text_warn(const akin_text_options *options, const char *where, akin_warning_sink sink, void *user);

/*
 * Differences that do not count: in a column of records, or in strings that are compared, joined or indexed. They are
 * removed from whole values before any other step; add the values of the enum. A value of a record that becomes empty
 * is missing. Cleaned text is in normal form C, and cleaning it again changes nothing. Categories, normal forms and
 * case folding are those of Unicode.
 */
typedef enum akin_fold {
    /* Upper and lower case: full case folding, which also turns U+00DF into "ss". */
    AKIN_FOLD_CASE = 1,
    /* Accents: marks above and below letters, and the points of Hebrew and Arabic (canonical combining classes 10 to
     * 35 and 200 or more, and category Me). Letters with a stroke lose the stroke, and ligatures become letters:
     * U+00D8, U+0141 and U+00C6 become "O", "L" and "AE", U+00DF "ss", U+00DE "TH", and so on. */
    AKIN_FOLD_ACCENTS = 2,
    /* Punctuation and symbols (categories P and S): each becomes a blank. Apostrophes and similar characters vanish. */
    AKIN_FOLD_PUNCTUATION = 4,
    /* White space: a run of spaces, control characters and line ends (categories Z and Cc) becomes one blank, and
     * vanishes at the ends. Invisible characters (default-ignorable code points, such as U+00AD) vanish. */
    AKIN_FOLD_BLANKS = 8,
    AKIN_FOLD_ALL = 15
} akin_fold;

/* Reads folds as --fold takes them: names of the table "folds" (akin_choices) with + between them, such as
 * "case+accents". Errors: AKIN_E_OPTION, with the list of names. */
AKIN_API akin_status akin_folds_parse(const char *text, uint32_t *out, akin_error *error);

/*
 * Words that count as equal, such as nicknames and abbreviations. In a text of synonyms each line is a group, with
 * commas, semicolons or tabs between its entries, which may stand in double quotes:
 *
 *     william,bill,will,billy
 *     united kingdom,uk,u.k.
 *
 * Empty entries, empty lines, and lines that begin with # are skipped. An entry is one word or several: runs of
 * letters, marks and digits. Case, and what stands between words, do not count.
 *
 * akin_dedupe rewrites values. Where the words of an entry stand one after another, the first entry of its line takes
 * their place, and that of a full stop that follows them at the end of a word. From left to right the longest entry is
 * taken, and what was rewritten is not rewritten again. Entries are folded as the column is. So a value has one form,
 * which all selections and comparators see.
 *
 * Two entries of a line become equal, with one limit. An entry that comes after the first entry in several lines
 * follows the first of these lines alone: "alex" becomes "alexander" by the lines "alexander,alex" and
 * "alexandra,alex", and these two stay different. The first entry of a line may itself come later in another line, and
 * then its group follows that line.
 */
typedef struct akin_synonyms akin_synonyms;

/* Creates synonyms without any group. Errors: AKIN_E_NOMEM. */
AKIN_API akin_status akin_synonyms_create(akin_synonyms **out, akin_error *error);
AKIN_API void akin_synonyms_free(akin_synonyms *synonyms);

/* Adds the groups of a text, behind those that are there; it copies them. `called`: the name of the text in messages,
 * which add the line. Errors: AKIN_E_INPUT (a quote that is not closed, an entry without letters and digits, or bytes
 * that are not UTF-8), AKIN_E_LIMIT (more than 2^28 bytes together), AKIN_E_NOMEM. After an error the groups are as
 * before. */
AKIN_API akin_status akin_synonyms_add(akin_synonyms *synonyms, const char *called, const char *text, uint64_t length,
                                       akin_error *error);

/* The same for a file, "-" being standard input. Errors: also AKIN_E_INPUT (the file cannot be read), AKIN_E_IO,
 * AKIN_E_CANCELLED. */
AKIN_API akin_status akin_synonyms_read(akin_context *context, akin_synonyms *synonyms, const char *path,
                                        akin_error *error);

/* Warns of entries that several lines have and that follow only the first of these. `where` is the beginning of the
 * sentence, such as the name of a column; NULL: none. */
AKIN_API void akin_synonyms_warn(const akin_synonyms *synonyms, const char *where, akin_warning_sink sink, void *user);

/*
 * Makes a collection of text. Row i has the ids of the tokens in row i of all columns; no token spans two columns, and
 * a null has no tokens. `dictionary` grows and gives the ids, in the order in which tokens first appear, row by row.
 * The ids are the same with any number of threads. With options->multiset the dictionary has the second and further
 * occurrences as the token, the byte 0xff (which UTF-8 does not have) and the occurrence in decimal.
 *
 *   columns     `count` columns of `rows` rows each; borrowed
 *   dictionary  shared by the two collections of a join; NULL if the strings are not needed
 *
 * Memory: the collection, the dictionary, and during the call some 100 MB, or a few times the longest row if that is
 * more. With a bound (see akin_context_options) it is at most five eighths of the bound. Errors: AKIN_E_OPTION,
 * AKIN_E_INPUT (the message names row and column of text that is not UTF-8), AKIN_E_LIMIT (ids, tokens in a row, or
 * bytes in a text beyond 32 bits), AKIN_E_NOMEM (with a bound the message names a row that is too large on its own),
 * AKIN_E_IO (a temporary file), AKIN_E_CANCELLED. After an error the dictionary is as before.
 */
AKIN_API akin_status akin_sets_from_columns(akin_context *context, const akin_column *columns, uint32_t count,
                                            uint32_t rows, const akin_text_options *options,
                                            akin_dictionary *dictionary, akin_sets **out, akin_error *error);

/*
 * Counts the tokens of each row, as akin_sets_from_columns would put them into the sets of a collection, without making
 * that: sizes[row] becomes the size of the set, for which `sizes` has room. Threads need memory for the distinct tokens
 * of a row each, but none for those of all rows.
 *
 *   columns  `count` columns of `rows` rows each; borrowed
 *   folds    differences that are removed from the values before they are cut into tokens, a sum of akin_fold; 0: none
 *
 * With q-grams of length 1, multiset and folds the size is the length that a string has in akin_match, which
 * akin_strings_lengths also has without folds. Errors: AKIN_E_OPTION, AKIN_E_INPUT (the message names row and column of
 * text that is not UTF-8), AKIN_E_LIMIT (tokens in a row, or bytes in a text beyond 32 bits), AKIN_E_NOMEM (with a
 * bound the message names a row that is too large on its own), AKIN_E_CANCELLED. After an error the content of `sizes`
 * is undefined.
 */
AKIN_API akin_status akin_sets_sizes(akin_context *context, const akin_column *columns, uint32_t count, uint32_t rows,
                                     const akin_text_options *options, uint32_t folds, uint32_t *sizes,
                                     akin_error *error);

/* Saves a collection as an .akin file (docs/container.md). The file appears whole or not at all, and replaces a file
 * of that name. Errors: AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_sets_save(akin_context *context, const akin_sets *sets, const char *path, akin_error *error);

/* Writes a collection as an .akin file to an output, which must be empty. Write nothing else to it. Errors: as
 * akin_output_write, and AKIN_E_CANCELLED. */
AKIN_API akin_status akin_sets_write(akin_context *context, const akin_sets *sets, akin_output *output,
                                     akin_error *error);

AKIN_API void akin_sets_free(akin_sets *sets);

/* The number of rows. */
AKIN_API uint32_t akin_sets_rows(const akin_sets *sets);

/* The size of row `row`, which must be below akin_sets_rows. *tokens, if tokens is not NULL, becomes a pointer to
 * its ascending tokens, valid as long as the collection. */
AKIN_API uint32_t akin_sets_row(const akin_sets *sets, uint32_t row, const uint32_t **tokens);

/* The figures of a collection. */
typedef struct akin_sets_statistics {
    size_t size;
    uint32_t rows;     /* all rows */
    uint32_t empty;    /* rows without a token */
    uint64_t tokens;   /* the sum of the sizes */
    uint64_t universe; /* distinct tokens */
    uint32_t smallest; /* size of the smallest set that is not empty, 0 if there is none */
    uint32_t median;   /* median size of the sets that are not empty (the lower one of two) */
    uint32_t largest;  /* size of the largest set */
    uint32_t reserved; /* 0 */
} akin_sets_statistics;

/* Computes the statistics of a collection. The caller first sets statistics->size, as for akin_context_info. Each
 * thread takes memory in proportion to the universe, or to the tokens where they are fewer. Errors: AKIN_E_OPTION
 * (an impossible size), AKIN_E_NOMEM, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_sets_describe(akin_context *context, const akin_sets *sets, akin_sets_statistics *statistics,
                                        akin_error *error);

/*
 * The shape of generated collections: the synthetic data of Bellas and Gounaris, An Empirical Evaluation of Exact Set
 * Similarity Join Techniques Using GPUs, Table 8 (sizes, universe, Zipf-distributed tokens), with near-duplicates
 * added.
 */
typedef struct akin_generate_options {
    size_t size;
    uint32_t rows;     /* number of sets */
    uint32_t universe; /* tokens are drawn from 0 .. universe-1; token k with weight (k + 1)^-zipf */
    double size_mean;  /* set sizes are drawn from a normal distribution, rounded, and cut to [1, universe] */
    double size_deviation;
    uint32_t size_smallest; /* sizes outside these bounds are drawn again; 0: no bound of its own */
    uint32_t size_largest;
    double zipf; /* exponent of the token distribution; 0: uniform */
    /* The rate of rows that are near-duplicates: an earlier row of the same 1024 rows, with a tenth of its tokens
     * changed. */
    double duplicates;
    uint64_t seed;      /* the same seed gives the same collection everywhere */
    uint32_t lognormal; /* 1: sizes are drawn from a lognormal distribution instead, of the same mean and deviation */
    uint32_t reserved;  /* 0 */
} akin_generate_options;

#define AKIN_GENERATE_OPTIONS_INIT                                                                                     \
    {                                                                                                                  \
        sizeof(akin_generate_options), 100000, 50000, 10.0, 3.0, 0, 0, 1.0, 0.05, 1, 0, 0                              \
    }

/* Generates a collection. Errors: AKIN_E_OPTION (a parameter out of range), AKIN_E_NOMEM, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_sets_generate(akin_context *context, const akin_generate_options *options, akin_sets **out,
                                        akin_error *error);

/*
 * Enlarges a collection as the same paper does (section 4.4.1). The result has `copies` copies; the first is the
 * original. In each next copy the next more frequent token replaces every token, and the rarest replaces the most
 * frequent. So universe, sizes and token frequencies keep their shape. Row i of copy c is row c * rows + i. Errors:
 * AKIN_E_OPTION (copies is 0), AKIN_E_LIMIT (too many rows), AKIN_E_NOMEM.
 */
AKIN_API akin_status akin_sets_grow(akin_context *context, const akin_sets *sets, uint32_t copies, akin_sets **out,
                                    akin_error *error);

/* ---------------------------------------------------------------------------------------------------------- join */

/* Measures of the similarity of two sets r and s; n is the size of the intersection. */
typedef enum akin_measure {
    AKIN_JACCARD = 1,             /* n / |r u s| */
    AKIN_COSINE = 2,              /* n / sqrt(|r| |s|) */
    AKIN_DICE = 3,                /* 2 n / (|r| + |s|) */
    AKIN_OVERLAP = 4,             /* n */
    AKIN_OVERLAP_COEFFICIENT = 5, /* n / min(|r|, |s|) */
    AKIN_CONTAINMENT = 6,         /* n / |r|, for r of the left collection; not within one collection */
} akin_measure;

/* How candidates are found. Each technique gives the same pairs; docs/how-joins.md says when each is fast. */
typedef enum akin_technique {
    AKIN_AUTO = 0,      /* the technique that is predicted to be fastest on the data, on the allowed devices */
    AKIN_ALLPAIRS = 1,  /* prefix index, prefix and length filter (Bayardo, Ma, Srikant 2007) */
    AKIN_PPJOIN = 2,    /* and the positional filter (Xiao, Wang, Lin, Yu 2008) */
    AKIN_GROUPJOIN = 3, /* and sets with the same prefix handled as one (Bouros, Ge, Mamoulis 2012) */
    AKIN_BITMAP = 4,    /* no index: compares parity signatures of all length-compatible pairs, tile by tile */
    AKIN_SCREENED = 5,  /* akin's own: prefix index whose posting lists have signatures */
    AKIN_TENSOR = 6, /* akin's own, on a GPU: binary tensor cores compare signatures of all length-compatible pairs */
    AKIN_PREFIX = 7, /* akin's own, on a GPU: prefix index, prefix, length and positional filter */
    AKIN_TECHNIQUE_ANNEX = AKIN_ANNEX_FIRST, /* from here on: rows of an annex */
} akin_technique;

/* The name of a technique of the library or of the annex (NULL: none), as --technique takes it ("auto", "allpairs",
 * ...), static; NULL for an unknown value. */
AKIN_API const char *akin_technique_name(const akin_annex *annex, akin_technique technique);

/* Sets *out to the technique of that name. Errors: AKIN_E_OPTION (the message lists the names). */
AKIN_API akin_status akin_technique_parse(const akin_annex *annex, const char *name, akin_technique *out,
                                          akin_error *error);

/* A qualifying pair of rows and the size of their intersection. In a self-join left < right. */
typedef struct akin_pair {
    uint32_t left;
    uint32_t right;
    uint32_t overlap;
} akin_pair;

/*
 * Receives results in batches. They are sorted by (left, right) within and across batches, and come on the thread that
 * called the join. With `any_order` (see akin_join_options) they come as they are found, on any of the join's threads,
 * one call at a time. The pairs are the library's, and valid during the call. A non-zero answer ends the job with
 * AKIN_E_CANCELLED.
 */
typedef int (*akin_pair_sink)(void *user, const akin_pair *pairs, size_t count);

typedef struct akin_join_options {
    size_t size;
    akin_measure measure;
    /* A pair qualifies if its measure is >= threshold. Above 0; at most 1, or for AKIN_OVERLAP a whole number. With
     * `top` num may be 0: then every pair with a token in common qualifies. */
    akin_ratio threshold;
    akin_technique technique;
    /* Signature width for AKIN_BITMAP and AKIN_SCREENED (a power of two from 64 to 2048) and AKIN_TENSOR (from 256);
     * 0: chosen by the planner. */
    uint32_t bits;
    /* 1: the sink takes pairs in any order, so none are kept and none are sorted. That is for clusters
     * (akin_clusters_sink), or for counting. 0: sorted. */
    uint32_t any_order;
    /* 0: every pair that qualifies. K: the K best partners of each left row; see akin_join. */
    uint32_t top;
    /* Experimental. 1: the sink takes, in any order, pairs that qualify and that connect the same rows as all of them
     * do. That is for connected components alone (akin_clusters_sink). Of many equal rows these pairs are few: the
     * first row with each other one. The count is that of all pairs. 0: all pairs. Not with `top`. */
    uint32_t connecting;
    /* Experimental. Options of a technique of an annex: a struct of its header. Borrowed. NULL: its defaults. */
    const void *annex;
} akin_join_options;

#define AKIN_JOIN_OPTIONS_INIT                                                                                         \
    {                                                                                                                  \
        sizeof(akin_join_options), AKIN_JACCARD, {8, 10}, AKIN_AUTO, 0, 0, 0, 0, NULL                                  \
    }

/*
 * What a join measured, decided and did. akin_join makes it, the functions below read it, akin_join_report_free frees
 * it.
 */
typedef struct akin_join_report akin_join_report;

typedef struct akin_join_summary {
    size_t size;
    uint32_t rows_left, rows_right; /* rows that are not empty; rows_right is 0 in a self-join */
    uint64_t tokens_left, tokens_right;
    uint64_t universe;          /* distinct tokens on both sides */
    uint32_t smallest, largest; /* sizes of sets that are not empty */
    uint64_t pairs_all;         /* all pairs of rows */
    uint64_t pairs_compatible;  /* pairs that the length filter leaves */
    uint64_t pairs_found;
    uint64_t memory_peak;   /* the most bytes of the join's own heap, without the collections */
    double seconds_prepare; /* ranking tokens by frequency, sorting sets */
    double seconds_plan;
    double seconds_join;    /* from ranked and sorted sets in memory to the last pair, planning included */
    double seconds_deliver; /* sorting the pairs and passing them to the sink */
    uint32_t threads;
    uint32_t reserved; /* 0 */
    /* With the device "auto": why a chosen GPU did not do its work, by the last message. It lacked memory, or failed
     * before it found a pair. The string is the report's; NULL: no failure. */
    const char *device_failure;
} akin_join_summary;

/* One way to do a join, which was done or weighed. */
typedef struct akin_join_step {
    size_t size;
    akin_technique technique;
    uint32_t bits;               /* signature width that decides whether a pair is verified; 0: no signatures */
    uint32_t bits_screen;        /* the narrower width that screens first, or the same */
    int exact;                   /* 1: the signature is the set itself, so nothing is verified */
    double predicted_candidates; /* pairs that the filter leaves; negative: not predicted */
    double predicted_seconds;    /* for one thread, divided by the threads; negative: not predicted */
    uint64_t candidates;         /* pairs that the filter left (verified, or counted exactly) */
    uint64_t compared;           /* pairs of signatures compared, or postings visited */
    double seconds;
    /* A join works in parts under a memory bound, or by size where that is cheaper. Then a step joins two parts,
     * which may be the same part: the probing sets and the indexed sets, with their sizes. A join has at most 1,000
     * steps. Further steps are added to steps of the same technique and widths, and `parts` counts the steps in one. */
    uint64_t parts;
    uint64_t probes, indexed;
    uint32_t probes_smallest, probes_largest;
    uint32_t indexed_smallest, indexed_largest;
    uint32_t device; /* 0: the CPU, N + 1: GPU N ("cuda:N") */
    /* Parts that were planned for a GPU, and that the CPU did because the GPU could not (see device_failure). */
    uint32_t instead;
    /* Experimental. The choices of a technique of an annex, and the sums of its counts, which the annex's header
     * reads. 0 otherwise. */
    uint32_t annex_chosen[2];
    double annex_figures[6];
    /* The GPUs of the step; 0: the CPU did it. Sides that do not fit the GPUs are cut in parts. `parts` counts them,
     * and parts_cpu counts those that the CPU did, by a technique of its own. */
    uint32_t gpus, reserved;
    uint64_t parts_cpu;
} akin_join_step;

/* The steps of a report: those of the join, or those that the planner weighed, cheapest first. */
typedef enum akin_join_step_kind {
    AKIN_JOIN_STEPS_DONE = 0,
    AKIN_JOIN_STEPS_WEIGHED = 1,
} akin_join_step_kind;

AKIN_API void akin_join_report_free(akin_join_report *report);

/* The figures of the whole join. The caller first sets summary->size. Errors: AKIN_E_OPTION. */
AKIN_API akin_status akin_join_report_summary(const akin_join_report *report, akin_join_summary *summary,
                                              akin_error *error);

/* The number of steps of that kind (0 done steps where no two sets have sizes that can match), and step `index`. The
 * caller first sets step->size. Errors: AKIN_E_OPTION. */
AKIN_API uint32_t akin_join_report_steps(const akin_join_report *report, akin_join_step_kind which);
AKIN_API akin_status akin_join_report_step(const akin_join_report *report, akin_join_step_kind which, uint32_t index,
                                           akin_join_step *step, akin_error *error);

/*
 * Checks options as akin_join would with a context that uses the annex (NULL: none) and has that device (as in
 * akin_context_options; NULL: "auto"), before there is a context or any data. `is_self`: a collection is joined with
 * itself. Errors: AKIN_E_OPTION (an unknown device, options that contradict each other, a technique that the device
 * lacks, whether it exists or not), AKIN_E_DEVICE (a technique of the GPU, and no GPU). The function opens nothing, so
 * an existing GPU may still fail. Thread-safe.
 */
AKIN_API akin_status akin_join_check(const akin_annex *annex, const char *device, const akin_join_options *options,
                                     int is_self, akin_error *error);

/*
 * Joins two collections: finds every pair of a row of `left` and a row of `right` whose measure reaches the threshold.
 * With right NULL it is a self-join: every pair of rows of `left` with left < right. The result is exact: it has a pair
 * if and only if the pair qualifies in integer arithmetic. Empty sets are in no pair.
 *
 *   sink    receives the pairs; NULL: only their number is needed (less work: nothing is kept or sorted)
 *   count   receives the number of pairs; may be NULL
 *   report  receives the decisions and figures, to be freed by the caller; may be NULL
 *
 * Memory: 8 bytes a token and 48 bytes a row while the sets are ranked and sorted, then 4 and 12; the index or the
 * signatures; for each thread up to 8 bytes a distinct token and 8 bytes a row; with a sink 12 to 24 bytes a pair,
 * unless it takes them in any order. With a bound (see akin_context_options) the join takes at most five eighths of it,
 * and on disk 16 bytes a pair, twice that while pairs are merged. If two sets alone are too large, it fails with
 * AKIN_E_NOMEM, and the message has a sufficient bound.
 *
 * Where many rows are equal, the distinct ones are joined, and pairs of equal rows are made of theirs: the pairs and
 * their number are the same. That takes up to 4 bytes a token and 24 a row more, and pairs are kept as pairs of
 * distinct rows. The report's rows, tokens and pairs_all are those of all rows; other figures are of the distinct ones.
 *
 * Source: Bellas and Gounaris, sections 2, 3.1 and 3.2.3. Errors: AKIN_E_OPTION, AKIN_E_NOMEM, AKIN_E_IO (a temporary
 * file cannot be written; the message names the directory), AKIN_E_CANCELLED, AKIN_E_DEVICE (a GPU failed that was
 * asked for, or that the planner chose and that had already found pairs). After a failure the batches that were
 * delivered are a part of the result, sorted if asked for.
 *
 * With options->top = K the result has, for each row of `left`, its K best partners among the pairs that qualify, or
 * fewer if fewer exist. The sink receives them sorted by left row, then the best first. Similarities are compared as
 * fractions of integers, and equal ones are in the order of their right rows. In a self-join all other rows are
 * partners of a row, so a pair may come twice, once from each side; AKIN_CONTAINMENT is allowed there. This search runs
 * on the CPU: the device "cuda" is AKIN_E_OPTION, and so are a technique, bits and options of an annex. It searches
 * an index of all tokens of `right` (with a threshold: of their prefixes) for each left row, with a threshold that
 * rises to the K-th best partner so far; see docs/how-joins.md. Memory, besides ranking: 8 bytes a token and up to 72 a
 * row of `right`, 8 bytes for each of K partners of the current left rows, and for each thread 4 bytes a row of
 * `right`. With a bound both sides are cut in parts. AKIN_E_LIMIT: a set has more than 2^31 - 1 tokens.
 *
 * Example, which the tests compile and run. It prints "rows 0 and 1 have 2 tokens in common", and "1 pair":
 *
 *     #include <akin.h>
 *     #include <stdio.h>
 *
 *     static int print(void *user, const akin_pair *pairs, size_t count)
 *     {
 *         (void)user;
 *         for (size_t i = 0; i < count; i++)
 *             printf("rows %u and %u have %u tokens in common\n", pairs[i].left, pairs[i].right, pairs[i].overlap);
 *         return 0;
 *     }
 *
 *     int main(void)
 *     {
 *         const uint64_t offsets[] = {0, 3, 5, 7};
 *         const uint32_t tokens[] = {1, 2, 3, 2, 3, 4, 5};
 *         akin_context *context = NULL;
 *         akin_sets *sets = NULL;
 *         akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
 *         akin_error error;
 *         uint64_t count = 0;
 *         options.measure = AKIN_JACCARD;
 *         options.threshold = (akin_ratio){1, 2};
 *         akin_status status = akin_context_create(NULL, &context, &error);
 *         if (status == AKIN_OK)
 *             status = akin_sets_from_arrays(context, 3, offsets, tokens, &sets, &error);
 *         if (status == AKIN_OK)
 *             status = akin_join(context, sets, NULL, &options, print, NULL, &count, NULL, &error);
 *         if (status == AKIN_OK)
 *             printf("%u pair\n", (unsigned)count);
 *         else
 *             fprintf(stderr, "%s\n", error.message);
 *         akin_sets_free(sets);
 *         akin_context_free(context);
 *         return status != AKIN_OK;
 *     }
 */
AKIN_API akin_status akin_join(akin_context *context, const akin_sets *left, const akin_sets *right,
                               const akin_join_options *options, akin_pair_sink sink, void *sink_user, uint64_t *count,
                               akin_join_report **report, akin_error *error);

/*
 * Experimental, as are its two functions. The speed of this machine, compared with the machines on which the planner's
 * prices were measured. Each field is a factor of time. akin measures few small joins, on one thread. So it moves
 * `index`, `screened` and `bitmap` towards their mean. A calibration changes what is chosen automatically, techniques
 * and devices, and never the results.
 */
typedef struct akin_calibration {
    size_t size;
    double index;    /* of a join that walks the lists of an index, */
    double screened; /* that compares signatures list by list, */
    double bitmap;   /* or those of all pairs */
    /* Of opening a GPU, copying sets there, comparing signatures and verifying candidates; 0: not measured, as with
     * the built-in prices. */
    double gpu_open, gpu_transfer, gpu_compare, gpu_verify;
} akin_calibration;

/* Experimental. Measures a calibration by small joins of generated sets, in one to three seconds. It takes one or two
 * seconds more where the context permits a GPU and a GPU works; without one it does not fail. The caller first sets
 * out->size. The calibration is valid for the SIMD level and the GPU of the context. Errors: AKIN_E_OPTION,
 * AKIN_E_NOMEM, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_context_measure(akin_context *context, akin_calibration *out, akin_error *error);

/* Experimental. Uses a calibration for all later jobs with this context; NULL: the built-in prices. Joins of sets use
 * all of it. The other jobs use the factors of the CPU, gpu_open and gpu_transfer, to decide whether a GPU is worth its
 * time. Errors: AKIN_E_OPTION (an impossible value). */
AKIN_API akin_status akin_context_calibrate(akin_context *context, const akin_calibration *calibration,
                                            akin_error *error);

/* The value of the measure for two sets of the given sizes and intersection: the nearest double. */
AKIN_API double akin_measure_value(akin_measure measure, uint32_t size_left, uint32_t size_right, uint32_t overlap);

/* ------------------------------------------------------------------------------------------------------- strings */

/*
 * Comparators: the similarity of two values, from 0 to 1, and their distance. Strings are compared symbol by symbol. A
 * symbol is a Unicode code point. Strings must be UTF-8, and may have any length below 4 GiB. Strings are compared
 * as they stand, unless `folds` of the options says otherwise.
 */
typedef enum akin_comparator {
    AKIN_LEVENSHTEIN = 1,  /* distance: the fewest symbols to insert, delete or replace; 1 - distance / longer length */
    AKIN_OSA = 2,          /* the same, and a swap of two neighbours is one edit (Damerau's distance, restricted) */
    AKIN_JARO = 3,         /* symbols in common at about the same places (Jaro 1989) */
    AKIN_JARO_WINKLER = 4, /* Jaro's, increased for each of the first 4 symbols that are equal (Winkler 1990) */
    AKIN_SOUNDEX = 5,      /* 1 if the Soundex codes are equal, 0 if not, or if a string has no letter */
    AKIN_EXACT = 6,        /* 1 if the bytes are the same, else 0 */
    AKIN_NUMBER = 7,       /* distance: |a - b|; 1 - distance / scale, or 0 if that is less */
    AKIN_DATE = 8,         /* distance: days between them; 1 - distance / scale, or 0 if that is less */
    AKIN_TOKEN_SETS = 9,   /* Jaccard, cosine or Dice of the sets of words or q-grams */
    /* In akin_dedupe only: the cosine of words or q-grams with weights. A token that n of the N records with a value
     * have weighs ln(1 + N / n), in 1024ths, so rare tokens weigh more. */
    AKIN_TFIDF = 10,
    /* Monge and Elkan 1996, symmetric: each word has its best Jaro-Winkler similarity with a word of the other
     * string. The result is the mean of two means, over the words of each string. */
    AKIN_MONGE_ELKAN = 11,
    /* Numbers; distance: |a - b|. With the scale P the similarity is 1 - |a - b| / (P / 100 * the larger of |a| and
     * |b|), or 0 if that is less: numbers that are P percent apart have similarity 0. Two zeros are equal. Numbers of
     * different signs have similarity 0. */
    AKIN_PERCENT = 12,
    /* In akin_dedupe only: the cosine of AKIN_TOKENS_CODES, weighed as for AKIN_TFIDF, where N are the records that
     * have a code. A value without a code is missing. */
    AKIN_CODES = 13,
    /* Dates; distance: days from the left one to the right one. The similarity is 1 - days / scale, or 0 if that is
     * less, or if the right date is before the left one. In akin_dedupe for two tables only. */
    AKIN_AFTER = 14,
    /* Names, in which initials may stand for words: the mean credit of all words (AKIN_TOKENS_WORDS) of both. Words are
     * paired in their order, so that the mean is the largest. Equal words have credit 1. A word of one symbol and a
     * word that begins with it have credit 0.9. A word of 2 or 3 symbols and as many words of the other name, one
     * after another, that begin with these symbols in their order have credit 0.9, too. Words without a partner have
     * credit 0. */
    AKIN_INITIALS = 15
} akin_comparator;

typedef struct akin_compare_options {
    size_t size;
    akin_comparator comparator;
    /* AKIN_JARO, AKIN_JARO_WINKLER and AKIN_MONGE_ELKAN: matched symbols out of order count half each. 1: half of
     * their number is rounded down, as rapidfuzz and jellyfish do. */
    uint32_t floored;
    /* AKIN_JARO_WINKLER and AKIN_MONGE_ELKAN: the similarity j grows by prefix * prefix_scale * (1 - j) if it is
     * above boost_threshold. Integers decide that, so a similarity of exactly boost_threshold does not grow. The
     * scale is at most 0.25. Other programs often use a threshold of 0.7. */
    akin_ratio prefix_scale;
    akin_ratio boost_threshold;
    /* AKIN_NUMBER, AKIN_DATE and AKIN_AFTER: the distance at which similarity is 0. For AKIN_NUMBER 0 stands for the
     * larger of |a| and |b|. AKIN_PERCENT: the percentage, above 0 and at most 100. */
    akin_ratio scale;
    /* AKIN_TOKEN_SETS: AKIN_JACCARD, AKIN_COSINE or AKIN_DICE. The next three are also for AKIN_TFIDF and
     * AKIN_MONGE_ELKAN: the kind of tokens, the length of q-grams, and whether upper and lower case are one, as in
     * akin_text_options. AKIN_CODES and AKIN_INITIALS use `fold` alone. */
    akin_measure measure;
    akin_tokens tokens;
    uint32_t q;
    int fold;
    /* The differences that do not count: values of akin_fold; 0: none. Numbers and dates need their punctuation. In
     * akin_dedupe it is 0: there columns have folds. */
    uint32_t folds;
    uint32_t reserved; /* 0 */
} akin_compare_options;

#define AKIN_COMPARE_OPTIONS_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(akin_compare_options), AKIN_LEVENSHTEIN, 0, {1, 10}, {0, 1}, {0, 1}, AKIN_JACCARD, AKIN_TOKENS_WORDS,   \
            3, -1, 0, 0                                                                                                \
    }

/*
 * Reads a comparator as --scorer takes it: a name of the table "comparators" (akin_choices), and its argument after a
 * slash, such as "number/10" or "jaccard/3". Jaccard, cosine and Dice compare words, or N-grams with the argument N.
 * AKIN_DATE and AKIN_AFTER have the scale 365 by default, AKIN_PERCENT has 20. The caller first sets options->size. All
 * other fields become those of AKIN_COMPARE_OPTIONS_INIT, changed as the text says. Errors: AKIN_E_OPTION (the message
 * lists the names).
 */
AKIN_API akin_status akin_compare_options_parse(const char *text, akin_compare_options *options, akin_error *error);

/* The result of a comparison. Values that cannot be compared (a null, an invalid number or date) have neither. */
typedef struct akin_compared {
    double similarity; /* from 0 to 1, the same bits on every machine; NAN: none */
    double distance;   /* edits, the difference of numbers, days; else 1 - similarity */
} akin_compared;

/*
 * Compares two strings. A number is decimal, and may have a sign, a point and an exponent. A date is YYYY-MM-DD,
 * YYYY/MM/DD or YYYYMMDD of the Gregorian calendar. A time after a T or a blank may follow, and is ignored. Blanks
 * around numbers and dates are ignored. Two empty sets of tokens have similarity 1, and so have two empty strings.
 * Errors: AKIN_E_OPTION, AKIN_E_INPUT (not UTF-8), AKIN_E_LIMIT (4 GiB or more), AKIN_E_NOMEM.
 */
AKIN_API akin_status akin_compare(akin_context *context, const akin_compare_options *options, const char *a,
                                  size_t a_length, const char *b, size_t b_length, akin_compared *out,
                                  akin_error *error);

/*
 * Compares many pairs: row left_rows[i] of one column with row right_rows[i] of another, into out[i], for i below
 * count. NULL for a list of rows stands for row i. The columns have `rows_left` and `rows_right` rows, and may be the
 * same column. The context's threads share the pairs. Pairs with the same left row are fastest if they follow one
 * another. With a cutoff (NULL: none) a similarity below it becomes 0, and its distance INFINITY. That is faster,
 * because most comparisons end early. Edit distances, Jaro's similarities and sets of tokens are compared with the
 * cutoff in exact arithmetic, others after both are rounded to units of 2^-40. Errors: AKIN_E_OPTION (a row that does
 * not exist), those of akin_compare, with the row, and AKIN_E_CANCELLED. After an error of a comparison, `out` has the
 * results so far.
 */
AKIN_API akin_status akin_compare_pairs(akin_context *context, const akin_compare_options *options,
                                        const akin_column *left, uint32_t rows_left, const akin_column *right,
                                        uint32_t rows_right, const uint32_t *left_rows, const uint32_t *right_rows,
                                        uint64_t count, const akin_ratio *cutoff, akin_compared *out,
                                        akin_error *error);

/* Where akin_compare_matrix writes: rows_left x rows_right numbers, row by row, without gaps, in memory of the caller.
 * Exactly one of `floats` and `doubles` is not NULL. `floats` gets the results rounded to the nearest float. */
typedef struct akin_cells {
    size_t size;
    float *floats;
    double *doubles;
    uint32_t distances; /* distances in place of similarities */
    uint32_t reserved;  /* 0 */
} akin_cells;

#define AKIN_CELLS_INIT                                                                                                \
    {                                                                                                                  \
        sizeof(akin_cells), NULL, NULL, 0, 0                                                                           \
    }

/*
 * Compares each row of one column with each row of another: the matrix of all similarities, or of all distances. Cell
 * (i, j) has what akin_compare_pairs gives for left row i and right row j: NAN where there is none, such as for a null.
 * The context's threads share the cells. Edit distances and Jaro's similarities are computed in SIMD lanes, for strings
 * of up to 512 symbols. To find only the pairs that are alike, akin_match is faster, and needs no matrix.
 *
 * Memory besides the cells: the bytes of both columns, or four times these if they have more than 254 distinct symbols,
 * and some 60 bytes a row. Errors: AKIN_E_OPTION (also if cells->size is wrong), those of akin_compare, with the row,
 * and AKIN_E_CANCELLED. After an error the cells are not all written. Thread-safe.
 */
AKIN_API akin_status akin_compare_matrix(akin_context *context, const akin_compare_options *options,
                                         const akin_column *left, uint32_t rows_left, const akin_column *right,
                                         uint32_t rows_right, const akin_cells *cells, akin_error *error);

/* Writes cells as an array of NumPy (NEP 1, a .npy file), of float32 or float64. The shape is (rows, columns). Errors:
 * those of akin_output_write, AKIN_E_OPTION, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_cells_write(akin_context *context, const akin_cells *cells, uint32_t rows, uint32_t columns,
                                      akin_output *output, akin_error *error);

/* How many values of a column a comparator can read, if it parses values as AKIN_NUMBER does, or compares codes; and
 * how many are too short for its tokens, if it compares sets of q-grams or shingles. */
typedef struct akin_parsed {
    uint64_t values;   /* rows with a value, neither null nor empty; 0 for a comparator that parses no values */
    uint64_t unparsed; /* rows whose value the comparator cannot read */
    uint32_t row;      /* the first of the unparsed rows */
    char text[60];     /* its value, cut if it is longer */
    /* For AKIN_TOKEN_SETS and AKIN_TFIDF with tokens of a length: rows with a value that has a token, and the brief
     * values among them; else 0. A value that is not UTF-8 does not count. */
    akin_text_counts texts;
} akin_parsed;

/* The command and Python warn if a comparator cannot read at least 1 / AKIN_PARSED_SHARE of a column's values. They
 * count as missing. Another comparator or another column may be meant, or a part of the values has another form. For
 * AKIN_CODES they warn if no value has a code, because it is usual that some have none. */
#define AKIN_PARSED_SHARE 10

/* Whether that is so; 0 for a column without values. */
AKIN_API int akin_parsed_is_poor(const akin_parsed *parsed);

/* Counts the values of a column that a comparator cannot read, or that are too short for its tokens, each row once.
 * Folds apply first, as in a comparison. A value that they make empty does not count. The number of threads does not
 * change the counts. Errors: AKIN_E_OPTION, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_compare_parse(akin_context *context, const akin_compare_options *options,
                                        const akin_column *column, uint32_t rows, akin_parsed *out, akin_error *error);

/* Warns if many values cannot be read (akin_parsed_is_poor): "number finds no number in 4,000 of 4,000
 * values of WHERE; the first is 'n/a'; ...". Warns as akin_text_warn does if most values are brief. `where` is such as
 * "column 'price'"; NULL: the column is one string, and a brief string is no reason to warn. */
AKIN_API void akin_compare_warn(const akin_compare_options *options, const akin_parsed *parsed, const char *where,
                                akin_warning_sink sink, void *user);

/* Strings that are prepared for many comparisons: sorted by length, each with data that bound its similarity. */
typedef struct akin_batch akin_batch;

/*
 * Prepares the rows of a column. The batch does not need the column afterwards. Nulls and empty strings are left out.
 * Memory: the length of the strings, four times that if they have more than 254 distinct symbols, and some 50 bytes a
 * row, or 110 for a row of 48 symbols and more. With a bound (see akin_context_options) it is at most five eighths of
 * it, or AKIN_E_NOMEM. `folds` (0: none) are the differences that do not count, in these strings and in those that are
 * searched for: values of akin_fold. Errors: AKIN_E_INPUT (the row that is not UTF-8), AKIN_E_LIMIT, AKIN_E_NOMEM,
 * AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_batch_create(akin_context *context, const akin_column *column, uint32_t rows, uint32_t folds,
                                       akin_batch **out, akin_error *error);
AKIN_API void akin_batch_free(akin_batch *batch);

/* How akin_match finds the pairs that it compares. All techniques find the same. */
typedef enum akin_match_technique {
    AKIN_MATCH_AUTO, /* the one that seems fastest, chosen for strings of each length */
    AKIN_MATCH_BAGS, /* bags of characters, for every pair with compatible lengths */
    /* An index of segments, on the CPU, for edit distances only. A string is cut into d + 1 segments (with AKIN_OSA
     * 2 d + 1), and a string within d edits has one of them (Pass-Join, Li et al., PVLDB 5(3), 2011). Bags decide where
     * strings are too short, have more than 256 segments, or lack memory under a bound. */
    AKIN_MATCH_SEGMENTS
} akin_match_technique;

/* The name of a technique, as --technique takes it for strings ("auto", "bags", "segments"), static; NULL for an
 * unknown value. */
AKIN_API const char *akin_match_technique_name(akin_match_technique technique);

/* Sets *out to the technique of that name. Errors: AKIN_E_OPTION (the message lists the names). */
AKIN_API akin_status akin_match_technique_parse(const char *name, akin_match_technique *out, akin_error *error);

/* When a pair of strings qualifies: by a similarity that it must reach, or a distance that it must not exceed. */
typedef struct akin_match_options {
    size_t size;
    const akin_compare_options *compare; /* AKIN_LEVENSHTEIN (NULL stands for it), _OSA, _JARO or _JARO_WINKLER */
    akin_ratio cutoff; /* at most 1: the least similarity, compared in exact arithmetic; see AKIN_CUTOFF_ANY */
    /* The largest distance, for the first two comparators, if cutoff.num is 0; else 0. UINT32_MAX: any distance. */
    uint32_t most;
    uint32_t any_order;             /* for akin_match: as in akin_join_options */
    akin_match_technique technique; /* for akin_match */
    uint32_t top;                   /* for akin_match: 0, or the number of best partners of each left row */
    uint32_t connecting;            /* for akin_match: as in akin_join_options; experimental */
    uint32_t reserved;              /* 0 */
} akin_match_options;

#define AKIN_MATCH_OPTIONS_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(akin_match_options), NULL, {8, 10}, 0, 0, AKIN_MATCH_AUTO, 0, 0, 0                                      \
    }

/* The cutoff that every similarity above 0 reaches. */
#define AKIN_CUTOFF_ANY ((akin_ratio){1, UINT32_MAX})

/* A row that qualifies, and its similarity and distance. */
typedef struct akin_hit {
    uint32_t row;
    akin_compared compared;
} akin_hit;

/*
 * Compares one string with a batch, and finds the strings that qualify, in the order of their rows. `hits` has room for
 * `room` of them. *count becomes their number; hits without room are not written. One thread at a time may use a batch.
 * A search runs on the caller's thread, and cannot be cancelled. The batch has the folds; options->compare must have
 * none. Errors: those of akin_compare.
 */
AKIN_API akin_status akin_batch_search(akin_context *context, akin_batch *batch, const akin_match_options *options,
                                       const char *text, size_t length, akin_hit *hits, uint64_t room, uint64_t *count,
                                       akin_error *error);

/* What a join of strings did. */
typedef struct akin_match_report {
    size_t size;
    uint32_t rows_left, rows_right; /* rows that are neither null nor empty; rows_right is 0 in a self-join */
    uint32_t threads, parts;        /* parts: pairs of parts that were joined under a memory bound */
    uint64_t pairs_all;             /* all pairs of rows */
    uint64_t pairs_compatible;      /* pairs with compatible lengths */
    uint64_t pairs_looked_up;       /* of these, the pairs that were left to an index of segments */
    uint64_t candidates;            /* pairs that index and bags left, and that were compared */
    uint64_t pairs_found;
    uint64_t memory_peak; /* bytes of the join's own heap */
    double seconds_prepare, seconds_join, seconds_deliver;
    uint32_t device; /* of the last part: 0 the CPU, N + 1 GPU N */
    uint32_t reserved;
} akin_match_report;

/* Checks options as akin_match would on that device, like akin_join_check. Errors: AKIN_E_OPTION. Thread-safe. */
AKIN_API akin_status akin_match_check(const char *device, const akin_match_options *options, akin_error *error);

/*
 * Joins two columns of strings: finds every pair of a row of `left` and a row of `right` that qualifies, or with right
 * NULL every pair of two rows of `left`. The result is exact. Nulls and empty strings are in no pair. Pairs come as
 * those of akin_join do; `overlap` is the distance for edit distances, and 0 for other comparators, whose similarity
 * akin_compare_pairs computes. With folds in options->compare the CPU first folds both columns; a string that becomes
 * empty is in no pair.
 *
 *   sink    receives the pairs; NULL: only their number is needed
 *   count   receives the number of pairs; may be NULL
 *   report  receives the figures; the caller first sets its size; may be NULL
 *
 * Where many strings are equal, the distinct ones are joined, as in akin_join: pairs_compatible, pairs_looked_up and
 * candidates of the report are of these. With a memory bound (see akin_context_options) the join takes at most five
 * eighths of it. Bags of characters screen the pairs with compatible lengths, or an index of segments looks them up.
 * The pairs that these leave are compared. The join runs on the context's first GPU if a GPU was asked for, or if the
 * device is "auto" and a GPU seems faster. On a GPU strings have at most 512 symbols, of 254 kinds and 1024 lengths,
 * and AKIN_MATCH_SEGMENTS is AKIN_E_OPTION.
 * Errors: those of akin_batch_create and akin_join.
 *
 * With options->top = K the result has, for each row of `left`, its K best partners among the pairs that qualify, as in
 * akin_join: the most similar ones, or with options->most those at the smallest distance. AKIN_CUTOFF_ANY, or a `most`
 * of UINT32_MAX, sets no bound. The search runs on the CPU: the device "cuda" is AKIN_E_OPTION, and so is a technique.
 * Memory: 32 bytes for each of K partners of the current left rows. AKIN_E_LIMIT: a string has more than 2^31 - 1
 * symbols.
 */
AKIN_API akin_status akin_match(akin_context *context, const akin_column *left, uint32_t rows_left,
                                const akin_column *right, uint32_t rows_right, const akin_match_options *options,
                                akin_pair_sink sink, void *sink_user, uint64_t *count, akin_match_report *report,
                                akin_error *error);

/*
 * Measures strings as akin_match does: lengths[row] becomes the number of code points, of the folded string where
 * `folds`, a sum of akin_fold, is not 0. A null has length 0. `lengths` has room for `rows` numbers. Errors:
 * AKIN_E_OPTION, AKIN_E_INPUT (the row that is not UTF-8), AKIN_E_LIMIT (a row of 4 GiB), AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. After an error the content of `lengths` is undefined.
 */
AKIN_API akin_status akin_strings_lengths(akin_context *context, const akin_column *column, uint32_t rows,
                                          uint32_t folds, uint32_t *lengths, akin_error *error);

/* ----------------------------------------------------------------------------------------- trees (experimental) */

/*
 * Ordered trees whose nodes have labels, and their edit distance: the least number of edits that make one tree of the
 * other. An edit inserts a node, deletes one, or gives one another label. A node that is inserted takes some children
 * of its parent that stand side by side, or none; the children of a node that is deleted take its place.
 */

/* How a text is a tree. The table "tree-formats" has a row for each. */
typedef enum akin_tree_format {
    /* {a{b}{c}}: a brace, the label of the root, the children, a brace. Before a brace or a backslash of a label stands
     * a backslash. Blanks around trees do not count. */
    AKIN_TREE_BRACKETS = 0,
    /* A JSON value. An object is a node {} with a child for each member, by the order of the bytes of their keys; a
     * member is a node "key": whose child is its value; an array is a node []; other values are leaves, strings in
     * quotes and decoded, numbers as they are written. Members of the same key all count, in their order. */
    AKIN_TREE_JSON = 1,
    AKIN_TREE_JSON_WRITTEN = 2, /* the same with members in the order of the text */
    /* An XML document, whose type declares nothing. An element is a node <name> with its attributes, by the order of
     * the bytes of their names, each a node name= whose child is the value in quotes; then its elements and texts. A
     * text is a leaf in quotes, with one blank for each run of blanks and none at its ends; a text of blanks is left
     * out, as are comments and instructions. */
    AKIN_TREE_XML = 3,
} akin_tree_format;

typedef struct akin_trees_options {
    size_t size;
    akin_tree_format format; /* of all texts */
    uint32_t most;           /* the largest distance; UINT32_MAX: any */
    uint32_t any_order;      /* for akin_trees_join: as in akin_join_options */
    uint32_t connecting;     /* for akin_trees_join: as in akin_join_options */
    uint32_t top;            /* for akin_trees_join: 0, or the number of best partners of each left row */
    uint32_t reserved;       /* 0 */
} akin_trees_options;

#define AKIN_TREES_OPTIONS_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(akin_trees_options), AKIN_TREE_BRACKETS, UINT32_MAX, 0, 0, 0, 0                                         \
    }

/* What a join of trees did. */
typedef struct akin_trees_report {
    size_t size;
    uint32_t rows_left, rows_right;   /* rows that have a tree; rows_right is 0 in a self-join */
    uint64_t nodes_left, nodes_right; /* of all trees */
    uint64_t pairs_all;               /* all pairs of these rows */
    uint64_t candidates;              /* pairs that the index found */
    uint64_t compared;                /* of these, pairs that counts of labels left */
    uint64_t verified;                /* of these, pairs that parts of equal trees and sequences of labels left */
    uint64_t pairs_found;
    uint64_t memory_peak; /* bytes of the join's own heap */
    double seconds_prepare, seconds_join, seconds_deliver;
    uint32_t labels; /* distinct ones */
    uint32_t threads;
    uint64_t reserved;
} akin_trees_report;

/*
 * Joins two columns of trees: finds every pair of a row of `left` and a row of `right` whose trees are at most
 * options->most edits apart, or with right NULL every pair of two rows of `left`. The result is exact. Nulls, and texts
 * that have only blanks, are in no pair. Pairs come as those of akin_join do; `overlap` is the distance.
 *
 *   sink    receives the pairs; NULL: only their number is needed
 *   count   receives the number of pairs; may be NULL
 *   report  receives the figures; the caller first sets its size; may be NULL
 *
 * With options->top = K the result has, for each row of `left`, its K best partners among the pairs that qualify, as in
 * akin_join: those at the smallest distance, exactly. Partners at the same distance come in the order of their rows.
 *
 * The trees, 16 bytes a node, are in memory, also under a memory bound. The join runs on the CPU. docs/trees.md names
 * the sources. Errors: AKIN_E_OPTION; AKIN_E_INPUT (a text is no tree: the message has the row, the byte and what was
 * expected; or it is not UTF-8); AKIN_E_LIMIT (a tree of more than 2^30 nodes, or the limit of pairs); AKIN_E_NOMEM,
 * AKIN_E_IO (a temporary file), AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_trees_join(akin_context *context, const akin_column *left, uint32_t rows_left,
                                     const akin_column *right, uint32_t rows_right, const akin_trees_options *options,
                                     akin_pair_sink sink, void *sink_user, uint64_t *count, akin_trees_report *report,
                                     akin_error *error);

/* A comparison of two trees. */
typedef struct akin_tree_compared akin_tree_compared;

#define AKIN_TREE_NO_PARTNER UINT32_MAX

/* A node of one of the trees. Nodes are numbered from 0 on in preorder: a node before its children. */
typedef struct akin_tree_node {
    const char *label; /* not NUL-terminated */
    size_t length;     /* of the label, in bytes */
    uint32_t depth;    /* 0: the root */
    uint32_t partner;  /* the node of the other tree that this one becomes, renamed if the labels differ, or
                        * AKIN_TREE_NO_PARTNER: a left node is deleted, a right one inserted */
} akin_tree_node;

/*
 * Compares two trees: their distance, if it is at most options->most, and a cheapest mapping of their nodes. The
 * distance is the number of nodes without a partner, of both trees, and of partners whose labels differ. Partners keep
 * the order of preorder and of postorder. Memory: some 70 bytes a node, and up to 8 (2 d + 3) bytes for each node of
 * the parts that differ, where d is up to twice the distance. Errors: those of akin_trees_join; the message names the
 * left or the right tree.
 */
AKIN_API akin_status akin_tree_compare(akin_context *context, const akin_trees_options *options, const char *left,
                                       size_t left_length, const char *right, size_t right_length,
                                       akin_tree_compared **out, akin_error *error);
AKIN_API void akin_tree_compared_free(akin_tree_compared *compared);

/* The distance; UINT32_MAX: it is above options->most. */
AKIN_API uint32_t akin_tree_compared_distance(const akin_tree_compared *compared);

/* The nodes of the left tree, or with `right` 1 those of the right one, and their number. They are valid as long as the
 * comparison. If the distance is above options->most, no node has a partner. */
AKIN_API const akin_tree_node *akin_tree_compared_nodes(const akin_tree_compared *compared, int right, uint32_t *count);

/* ---------------------------------------------------------------------------------------- graphs (experimental) */

/*
 * Small undirected graphs whose nodes and edges have labels, and their edit distance: the least number of edits that
 * make one graph of the other. An edit inserts a node without edges or deletes one, inserts an edge or deletes one, or
 * gives a node or an edge another label.
 *
 * A text is a graph as docs/graphs.md defines it: the labels of the nodes, and behind a semicolon the edges, each two
 * numbers of nodes (from 0 on) with a hyphen between, and perhaps a colon and a label:
 *
 *     C C O; 0-1:single 1-2:double
 */

#define AKIN_GRAPHS_BUDGET UINT64_C(1000000)

typedef struct akin_graphs_options {
    size_t size;
    uint32_t most;       /* the largest distance; UINT32_MAX: any */
    uint32_t any_order;  /* for akin_graphs_join: as in akin_join_options */
    uint32_t connecting; /* for akin_graphs_join: as in akin_join_options; only with `undecided` 0 */
    uint32_t undecided;  /* 1: a pair that takes more states than the budget is a result, without a distance; 0: it is
                          * an error */
    uint64_t budget;     /* states of the search that a pair may take; 0: any number */
} akin_graphs_options;

#define AKIN_GRAPHS_OPTIONS_INIT                                                                                       \
    {                                                                                                                  \
        sizeof(akin_graphs_options), UINT32_MAX, 0, 0, 0, AKIN_GRAPHS_BUDGET                                           \
    }

#define AKIN_GRAPHS_UNDECIDED (UINT32_MAX - 1) /* the `overlap` of a pair that took more states than the budget */

/* What a join of graphs did. */
typedef struct akin_graphs_report {
    size_t size;
    uint32_t rows_left, rows_right;   /* rows that have a graph; rows_right is 0 in a self-join */
    uint64_t nodes_left, nodes_right; /* of all graphs */
    uint64_t edges_left, edges_right;
    uint64_t pairs_all;   /* all pairs of these rows */
    uint64_t candidates;  /* pairs that the index or the number of nodes left */
    uint64_t compared;    /* of these, pairs that counts of labels and degrees left */
    uint64_t bounded;     /* of these, pairs that branches in common left */
    uint64_t searched;    /* of these, pairs that the assignment of branches left */
    uint64_t states;      /* of their searches */
    uint64_t pairs_found; /* with their distance */
    uint64_t undecided;   /* pairs that took more states than the budget */
    uint64_t memory_peak; /* bytes of the join's own heap */
    double seconds_prepare, seconds_join, seconds_deliver;
    uint32_t labels; /* distinct ones */
    uint32_t threads;
    uint64_t reserved;
} akin_graphs_report;

/*
 * Joins two columns of graphs: finds every pair of a row of `left` and a row of `right` whose graphs are at most
 * options->most edits apart, or with right NULL every pair of two rows of `left`. The result is exact. Nulls, and texts
 * that have only blanks, are in no pair. Pairs come as those of akin_join do; `overlap` is the distance.
 *
 *   sink    receives the pairs; NULL: only their number is needed
 *   count   receives the number of pairs, undecided ones included; may be NULL
 *   report  receives the figures; the caller first sets its size; may be NULL
 *
 * The time of a pair may grow exponentially with its nodes, so options->budget bounds it. A pair beyond it is an error
 * that names its rows, or with options->undecided a result whose `overlap` is AKIN_GRAPHS_UNDECIDED. Which pairs these
 * are depends on the graphs alone.
 *
 * The graphs, some 20 bytes a node and 16 an edge, are in memory, also under a memory bound. The join runs on the CPU.
 * docs/graphs.md names the sources. Errors: AKIN_E_OPTION; AKIN_E_INPUT (a text is no graph: the message has the row,
 * the byte and what was expected; or it is not UTF-8); AKIN_E_LIMIT (a graph of more than 1,024 nodes, a pair beyond
 * the budget, or the limit of pairs); AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_graphs_join(akin_context *context, const akin_column *left, uint32_t rows_left,
                                      const akin_column *right, uint32_t rows_right, const akin_graphs_options *options,
                                      akin_pair_sink sink, void *sink_user, uint64_t *count, akin_graphs_report *report,
                                      akin_error *error);

/* A comparison of two graphs. */
typedef struct akin_graph_compared akin_graph_compared;

#define AKIN_GRAPH_NO_PARTNER UINT32_MAX

/* A node of one of the graphs, by number. */
typedef struct akin_graph_node {
    const char *label; /* not NUL-terminated */
    size_t length;     /* of the label, in bytes */
    uint32_t partner;  /* the node of the other graph that this one becomes, or AKIN_GRAPH_NO_PARTNER: a left node is
                        * deleted, a right one inserted */
    uint32_t reserved;
} akin_graph_node;

/* An edge of one of the graphs, sorted by `from`, then by `to`. */
typedef struct akin_graph_link {
    const char *label; /* not NUL-terminated */
    size_t length;     /* of the label, in bytes */
    uint32_t from, to; /* nodes; from is below to */
    uint32_t partner;  /* the edge of the other graph between the partners of its nodes, or AKIN_GRAPH_NO_PARTNER: a
                        * left edge is deleted, a right one inserted */
    uint32_t reserved;
} akin_graph_link;

/*
 * Compares two graphs: their distance, if it is at most options->most, and a cheapest mapping of their nodes. The
 * distance is the number of nodes and edges without a partner, of both graphs, and of partners whose labels differ.
 * Errors: those of akin_graphs_join; the message names the left or the right graph. With options->undecided a
 * comparison beyond the budget has no distance, else it is AKIN_E_LIMIT.
 */
AKIN_API akin_status akin_graph_compare(akin_context *context, const akin_graphs_options *options, const char *left,
                                        size_t left_length, const char *right, size_t right_length,
                                        akin_graph_compared **out, akin_error *error);
AKIN_API void akin_graph_compared_free(akin_graph_compared *compared);

/* The distance; UINT32_MAX: it is above options->most; AKIN_GRAPHS_UNDECIDED: it took more states than the budget. */
AKIN_API uint32_t akin_graph_compared_distance(const akin_graph_compared *compared);

/* The nodes, or the edges, of the left graph, or with `right` 1 those of the right one, and their number. They are
 * valid as long as the comparison. Without a distance none has a partner. */
AKIN_API const akin_graph_node *akin_graph_compared_nodes(const akin_graph_compared *compared, int right,
                                                          uint32_t *count);
AKIN_API const akin_graph_link *akin_graph_compared_links(const akin_graph_compared *compared, int right,
                                                          uint32_t *count);

/* ------------------------------------------------------------------------------------------------------ clusters */

/*
 * Clusters of rows: the connected components of the graph whose edges are pairs. A row without a pair is a cluster of
 * its own. The label of a cluster is its smallest row.
 *
 * Rows of two collections have one numbering: row i of the left one is row i, and row i of the right one is row
 * rows_left + i.
 *
 * The order of the pairs does not matter, and a pair may come twice. Memory: 8 bytes a row; pairs are not kept, unless
 * the clustering says so below.
 */
typedef struct akin_clusters akin_clusters;

/*
 * Makes clusters of one row each. For the pairs of one collection rows_right is 0, and both rows of a pair are left
 * rows. Errors: AKIN_E_LIMIT (more than 2^32 - 1 rows together), AKIN_E_NOMEM, AKIN_E_IO (a temporary file, with a
 * memory bound).
 */
AKIN_API akin_status akin_clusters_create(akin_context *context, uint32_t rows_left, uint32_t rows_right,
                                          akin_clusters **out, akin_error *error);
AKIN_API void akin_clusters_free(akin_clusters *clusters);

/* How pairs become clusters: the table "clusterings" of akin_choices. */
typedef enum akin_clustering {
    AKIN_CLUSTERING_COMPONENTS = 0, /* connected components, by a union-find, as pairs come */
    /*
     * The others split connected components by the similarities of pairs. They keep the pairs, 16 bytes each, and need
     * akin_clusters_close with a context, which takes up to 44 bytes more on each thread for each pair of the largest
     * component. If a pair comes twice, the higher similarity counts. Similarities are rounded to multiples of 2^-24,
     * and are from -127 to 127. A pair that was not added has similarity 0.
     *
     * Average linkage: akin merges the two clusters with the highest mean similarity, until no mean reaches the
     * parameter (above 0 and at most 1; default: 1/2). If means are equal, the clusters with the smaller first rows
     * merge first. The result is that of the plain algorithm, which looks for the best two clusters each time. Of two
     * sides only pairs of a left row and a right one count, and equal means may be merged in another order.
     */
    AKIN_CLUSTERING_AVERAGE = 1,
    /* Pairs come by falling similarity (Haveliwala et al. 2000). The first pair of a row decides: if the other row is a
     * center, the row joins it; if it is a member of a cluster, the row becomes a center; if both are new, the smaller
     * row becomes a center and takes the other one. Pairs below similarity 0 do not count. Merged centers: a pair of a
     * center and a row of another cluster makes one cluster of both (Hassanzadeh and Miller 2009). */
    AKIN_CLUSTERING_CENTER = 2,
    AKIN_CLUSTERING_MERGE_CENTER = 3,
    /* Correlation clustering (Bansal et al. 2004): average linkage, then akin moves single rows while that raises the
     * sum of similarity - parameter (likewise) over all pairs of rows of one cluster. */
    AKIN_CLUSTERING_CORRELATION = 4,
    AKIN_CLUSTERING_ANNEX = AKIN_ANNEX_FIRST, /* from here on: rows of an annex */
} akin_clustering;

typedef struct akin_clusters_options {
    size_t size;
    uint32_t clustering;  /* an akin_clustering */
    akin_ratio parameter; /* of a clustering with one, see the arguments of its row; 0/1: none */
    uint32_t reserved;    /* 0 */
} akin_clusters_options;

#define AKIN_CLUSTERS_OPTIONS_INIT                                                                                     \
    {                                                                                                                  \
        sizeof(akin_clusters_options), AKIN_CLUSTERING_COMPONENTS, {0, 1}, 0                                           \
    }

/*
 * Reads a clustering as --cluster takes it: a name of the table "clusterings", of the library or of the annex (NULL:
 * none), and its parameter, if it has one, after a colon. The caller first sets options->size. All other fields become
 * those of AKIN_CLUSTERS_OPTIONS_INIT, changed as the text says. Errors: AKIN_E_OPTION (the message lists the names).
 */
AKIN_API akin_status akin_clusters_options_parse(const akin_annex *annex, const char *text,
                                                 akin_clusters_options *options, akin_error *error);

/* The same as akin_clusters_create, with options. Errors: AKIN_E_OPTION, too. */
AKIN_API akin_status akin_clusters_create_by(akin_context *context, uint32_t rows_left, uint32_t rows_right,
                                             const akin_clusters_options *options, akin_clusters **out,
                                             akin_error *error);

#define AKIN_NO_SOURCE UINT32_MAX /* the source of a row that has none */

/*
 * Keeps the rows of a source apart: no cluster has two rows of one source. sources[row] is a number for each row of
 * both sides, the right ones behind the left; a row with AKIN_NO_SOURCE may be with any other. The array is copied. Any
 * clustering by similarities can do so, and connected components, which then keep pairs and need similarities and
 * akin_clusters_close, too. Pairs of one source do not count. Besides:
 *
 *     components      Pairs come by falling similarity, those of one similarity by their rows. A pair unites the
 *                     clusters of its rows, unless these have rows of one source.
 *     average         Two clusters with rows of one source are not merged. akin merges the two best of the others, as
 *                     the plain algorithm does.
 *     center          A pair whose row cannot join the center, because the cluster has a row of that source, does not
 *     merge-center    count: the next pair of the row decides. Clusters with rows of one source do not become one.
 *     correlation     A row does not move to a cluster that has a row of its source.
 *
 * It takes 4 bytes a row, and up to 20 more on each thread for each row of the largest component. Call it before the
 * first pair. A second call replaces the sources. Errors: AKIN_E_OPTION (there are pairs, or another clustering),
 * AKIN_E_NOMEM, AKIN_E_IO.
 */
AKIN_API akin_status akin_clusters_separate(akin_context *context, akin_clusters *clusters, const uint32_t *sources,
                                            akin_error *error);

/*
 * Adds pairs. similarities[i] is the similarity of pairs[i]; NULL: unknown. A clustering with AKIN_BY_SIMILARITY needs
 * similarities, and so does one that keeps sources apart; others ignore them. Errors: AKIN_E_OPTION (a row that does
 * not exist, a similarity that is not a number, or missing similarities). After an error no pair was added.
 */
AKIN_API akin_status akin_clusters_add(akin_clusters *clusters, const akin_pair *pairs, const double *similarities,
                                       size_t count, akin_error *error);

/* The same without similarities, as an akin_pair_sink whose user is an akin_clusters. Pass both to akin_join to
 * cluster its pairs. Where the clustering needs similarities, the sink returns non-zero, and the join ends. */
AKIN_API int akin_clusters_sink(void *clusters, const akin_pair *pairs, size_t count);

/*
 * The same for an array of many pairs, on the threads of the context or on its GPU. The GPU is used if it was asked for
 * or is predicted to save seconds. A GPU needs 4 1/8 bytes a row and some MiB for pairs, at least 32 KiB; without that
 * room the CPU does the work. Errors: AKIN_E_OPTION (as above), AKIN_E_DEVICE, AKIN_E_CANCELLED, AKIN_E_NOMEM. After
 * the last two some of the pairs may have been added.
 */
AKIN_API akin_status akin_clusters_connect(akin_context *context, akin_clusters *clusters, const akin_pair *pairs,
                                           const double *similarities, uint64_t count, akin_error *error);

/* Settles the labels, in one pass over the rows. Call it after the last pair, and again if you add pairs afterwards. */
AKIN_API void akin_clusters_finish(akin_clusters *clusters);

/*
 * The same for any clustering, one of an annex included: it computes here what it did not compute while pairs came, on
 * the threads of the context or on its GPU. Errors: AKIN_E_LIMIT (more rows than the clustering takes), AKIN_E_NOMEM,
 * AKIN_E_IO, AKIN_E_DEVICE, AKIN_E_CANCELLED. After an error the function may be called again.
 */
AKIN_API akin_status akin_clusters_close(akin_context *context, akin_clusters *clusters, akin_error *error);

/* The number of rows of both sides, and the number of clusters, including clusters of one row. */
AKIN_API uint32_t akin_clusters_rows(const akin_clusters *clusters);
AKIN_API uint32_t akin_clusters_count(const akin_clusters *clusters);

/* The label and the number of rows of the cluster that has `row`, which must be below akin_clusters_rows. A row that
 * is its own label is the first of its cluster. */
AKIN_API uint32_t akin_clusters_row(const akin_clusters *clusters, uint32_t row);
AKIN_API uint32_t akin_clusters_size(const akin_clusters *clusters, uint32_t row);

/* The figures of clusters of two rows and more. */
typedef struct akin_clusters_shape {
    size_t size;       /* of this struct; set it before the call */
    uint64_t pairs;    /* pairs of rows in one cluster; with two sides, pairs of a left and a right row */
    uint32_t clusters; /* their number */
    uint32_t rows;     /* the rows in all of them */
    uint32_t largest;  /* the number of rows of the largest cluster */
    uint32_t first;    /* the first row of the largest cluster */
} akin_clusters_shape;

/* A ratio: pairs of rows in one cluster, for each pair that was found. From this ratio on, chains of pairs have made
 * the clusters large: the rows at the ends of a chain need not be alike. Cliques have ratio 1, a chain of n rows has
 * n / 2. */
#define AKIN_CLUSTERS_CHAINED 10

/* Describes finished clusters; two sides take 4 bytes a row. Errors: AKIN_E_NOMEM, AKIN_E_OPTION (out->size). */
AKIN_API akin_status akin_clusters_describe(const akin_clusters *clusters, akin_clusters_shape *out, akin_error *error);

/* Numbers the clusters 0, 1, 2, ... in the order of their first rows. numbers[row] becomes the number of the cluster
 * of `row`. `numbers` has room for akin_clusters_rows numbers. Results of the command and of Python have these
 * numbers. */
AKIN_API void akin_clusters_number(const akin_clusters *clusters, uint32_t *numbers);

/*
 * One side of pairs of ids, which are integers or text: left or right ones. `name` is that of their column; NULL: left
 * or right.
 */
typedef struct akin_pair_ids {
    size_t size;
    const char *name;
    akin_type type;          /* AKIN_TYPE_U32, U64, I32, I64 or TEXT */
    uint32_t reserved;       /* 0 */
    const void *numbers;     /* of that type, one for each pair; of text NULL */
    const akin_column *text; /* one row for each pair; of integers NULL */
} akin_pair_ids;

#define AKIN_PAIR_IDS_INIT                                                                                             \
    {                                                                                                                  \
        sizeof(akin_pair_ids), NULL, AKIN_TYPE_U64, 0, NULL, NULL                                                      \
    }

/*
 * Makes a spanning forest of the graph whose edges are `count` pairs, for clusters of ids that are not row numbers. For
 * each id that is not the smallest of its connected component, *out has a row: the smallest id, and the id. Integers
 * are compared as numbers, text by bytes. Rows are sorted by the second column, and both columns have the names and the
 * type of the pairs. A pair may come twice, and an id that is paired only with itself is in no row.
 *
 * The rows are pairs again. So many pairs can be reduced in parts, on several machines: the forest of the forests of
 * all parts is that of all pairs.
 *
 * Memory: 32 bytes a pair, and about 60 bytes for each distinct id, besides its text. With a memory bound arrays may be
 * in temporary files. The result does not depend on threads or on the order of the pairs. Errors: AKIN_E_OPTION (types
 * that differ, or are no ids), AKIN_E_INPUT (a null; the message has the row), AKIN_E_LIMIT (more than 2^31 - 1 pairs),
 * AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_forest(akin_context *context, const akin_pair_ids *left, const akin_pair_ids *right,
                                 uint64_t count, akin_frame **out, akin_error *error);

/* ------------------------------------------------------------------------------ duplicates and linked records */

/* How a value becomes the key that sorts records, or puts them into blocks. */
typedef enum akin_key {
    AKIN_KEY_VALUE = 1, /* its bytes */
    AKIN_KEY_SIMPLE =
        2, /* 1000 * its length in symbols + the number of the first one: by length, then by first symbol */
    AKIN_KEY_SOUNDEX = 3, /* its Soundex code */
    AKIN_KEY_PREFIX = 4,  /* its first `argument` characters, from 1 to 255; all of a shorter value */
    AKIN_KEY_DIGITS = 5,  /* its first 18 digits 0 to 9, without what stands between them */
    /* Buckets. A value that is no number, or no date, has no key. */
    AKIN_KEY_ROUND = 6, /* its number / scale, rounded down */
    AKIN_KEY_WEEK = 7,  /* the week of its date, from Monday on */
    AKIN_KEY_MONTH = 8, /* the month of a year */
    AKIN_KEY_YEAR = 9
} akin_key;

/* How buckets are keys of a block. Neighbouring buckets share either the one key or the other: a plan makes a selection
 * with each of both, so records of the same bucket or of neighbouring ones are a pair. */
typedef enum akin_bucket_pairs {
    AKIN_BUCKETS_ALONE = 0, /* bucket k is a key */
    AKIN_BUCKETS_EVEN = 1,  /* buckets 2 k and 2 k + 1 are one */
    AKIN_BUCKETS_ODD = 2    /* buckets 2 k - 1 and 2 k are one */
} akin_bucket_pairs;

typedef struct akin_key_part {
    uint32_t column;
    akin_key key;
    uint32_t argument;         /* for keys with one, else 0 */
    akin_bucket_pairs buckets; /* of keys that are buckets, else 0 */
    akin_ratio scale;          /* AKIN_KEY_ROUND: above 0; else 0/0 or 0/1 */
} akin_key_part;

/* How to select the pairs to compare. */
typedef enum akin_selection_kind {
    /* All (the Cartesian product, each pair once). */
    AKIN_SELECT_ALL = 1,
    /* Sorted neighbourhood: records are sorted by a key, and each is paired with the window - 1 next ones. Records
     * with equal keys stay in their order. Records without a value, or without a Soundex code, come first. */
    AKIN_SELECT_WINDOW = 2,
    /* Records whose keys are equal in all parts. A record without a value or Soundex code is in no block. */
    AKIN_SELECT_BLOCK = 3,
    /* Records whose values in a column, as sets of tokens, reach a similarity (akin_join). */
    AKIN_SELECT_SIMILAR = 4,
    /* Each record with the `nearest` records whose values in a column are most alike to its own: by the cosine that
     * AKIN_TFIDF compares, above 0. Of records that are equally alike the lower row comes first; the squares of
     * cosines are compared in units of 2^-63 or less. With two tables these are records of the other table, for the
     * records of both. A record without tokens has none. */
    AKIN_SELECT_NEAREST = 5,
    /* The pairs of rows that the options have: given_left and given_right. */
    AKIN_SELECT_GIVEN = 6
} akin_selection_kind;

typedef struct akin_selection {
    akin_selection_kind kind;
    uint32_t window; /* AKIN_SELECT_WINDOW: 2 to 1000000 */
    /* One part, or for AKIN_SELECT_BLOCK one or more. AKIN_SELECT_SIMILAR and AKIN_SELECT_NEAREST ignore its key. */
    const akin_key_part *parts;
    uint32_t part_count;
    /* AKIN_SELECT_SIMILAR: measure and least similarity, as in akin_join_options. */
    akin_measure measure;
    akin_ratio cutoff;
    /* Tokens. NULL: words for AKIN_SELECT_SIMILAR, q-grams of 3 for AKIN_SELECT_NEAREST. */
    const akin_text_options *text;
    uint32_t nearest;  /* AKIN_SELECT_NEAREST: 1 to 1000 */
    uint32_t reserved; /* 0 */
} akin_selection;

/* Which records must be in one part of a table, so that a selection finds a pair there. Programs need it that divide
 * tables into parts, such as the tasks of a cluster. */
typedef enum akin_locality {
    AKIN_LOCALITY_TABLE = 0, /* all records of the tables, or a list of pairs */
    AKIN_LOCALITY_PAIR = 1,  /* the two records alone */
    AKIN_LOCALITY_BLOCK = 2, /* those with the same key (akin_dedupe_keys) */
    AKIN_LOCALITY_WINDOW = 3 /* those near them in the order of keys */
} akin_locality;

/* The locality of a selection; AKIN_LOCALITY_TABLE of an unknown one. */
AKIN_API akin_locality akin_selection_locality(const akin_selection *selection);

/* A column that is compared. */
typedef struct akin_attribute {
    uint32_t column;
    uint32_t reserved;                   /* 0 */
    const akin_compare_options *compare; /* how */
    /* From 0 to 1, den at most 10^9. A similarity below it counts as 0; num 0: no threshold. The comparison is exact
     * where the similarity is a ratio: for edit distances, Jaro's similarities and sets of tokens. Otherwise both
     * are rounded to units of 2^-40. */
    akin_ratio threshold;
    /* Above 0, with at most 9 digits after the point: the weight times 10^9 is a whole number. The sum of all
     * weights is at most 10^9. */
    akin_ratio weight;
} akin_attribute;

/* The contribution of a missing value: one that is null or empty, or that the comparator cannot read: for AKIN_NUMBER,
 * AKIN_PERCENT, AKIN_DATE and AKIN_AFTER one that is not a number or date, for AKIN_CODES one without a code. */
typedef enum akin_missing {
    AKIN_MISSING_ZERO = 1, /* similarity 0 */
    /* Nothing: the average is over the other attributes. It is 0 if these have less than the share `evidence` of all
     * weights, or if there are none. */
    AKIN_MISSING_SKIP = 2,
    AKIN_MISSING_EQUAL = 3 /* similarity 1 if the value is missing in both records, else 0 */
} akin_missing;

/* A column made of other columns: their values in a record, without the missing ones, joined with blanks. */
typedef struct akin_combined {
    const uint32_t *columns;
    uint32_t count;    /* 1 or more */
    uint32_t reserved; /* 0 */
} akin_combined;

/* The figures of one selection. */
typedef struct akin_selected {
    uint64_t pairs;     /* selected pairs */
    uint64_t fresh;     /* of these, the pairs that no selection before it selects */
    uint64_t oversized; /* blocks that were left out, and the records in them */
    uint64_t oversized_records;
    /* For a window: pairs of records with equal keys, and how many of them it selects. Records without a key do not
     * count. */
    uint64_t key_pairs;
    uint64_t key_pairs_selected;
    akin_text_counts texts; /* for AKIN_SELECT_SIMILAR and AKIN_SELECT_NEAREST; those of both tables */
} akin_selected;

/* A window that selects less than 1 / AKIN_WINDOW_SHARE of the pairs with equal keys is too small for its key: most
 * duplicates that the key brings together are not compared. The command and Python warn then. */
#define AKIN_WINDOW_SHARE 10

/* Whether a window is too small in that sense. */
AKIN_API int akin_selected_is_narrow(const akin_selected *selected);

/* The report of a job, for people; see below. */
typedef struct akin_report akin_report;

/*
 * Where the weights of comparisons come from. Learnt weights are those of the model of Fellegi and Sunter (A theory for
 * record linkage, 1969), found by expectation maximization; docs/how-learning.md has all formulas.
 */
typedef enum akin_weighting {
    AKIN_WEIGHTS_GIVEN = 1, /* the attributes have them: the similarity of a pair is the weighted average */
    /* The job learns them from the selected pairs, without labels. The similarity of a pair is the probability that its
     * records are of one entity. Weights and thresholds of attributes, and `missing`, are ignored: an attribute with a
     * missing value does not count. Several attributes of one column are one comparison. */
    AKIN_WEIGHTS_LEARN = 2
} akin_weighting;

/* The parameter of AKIN_CLUSTERING_AVERAGE, which a plan with learnt weights uses by default. */
#define AKIN_LEARNT_AVERAGE                                                                                            \
    {                                                                                                                  \
        1, 4                                                                                                           \
    }

/* How many partners a record has, as a job that learns weights found out. */
typedef enum akin_partners {
    AKIN_PARTNERS_ONE = 1, /* one at most: pairs of a record compete, and each record is in one found pair at most */
    AKIN_PARTNERS_MANY = 2
} akin_partners;

/* A model of learnt weights that is kept; see below. */
typedef struct akin_dedupe_model akin_dedupe_model;

/* What a person answers about pairs of records; see below. */
typedef struct akin_labelling akin_labelling;

/* With learnt weights, and records that have many partners, all pairs of a component of found pairs are compared if it
 * has no more records than this. Those that no selection selects have this probability or more. */
#define AKIN_COMPLETED_RECORDS 1500
#define AKIN_COMPLETED_LEAST   0.01

/* Values of no more records than this weigh alike, with learnt weights. */
#define AKIN_RARE_RECORDS 2

/*
 * Experimental. A job with a model on a part of tables needs this of the whole tables: the number of records, and how
 * many records have each value. values[i] are those of attribute i. Count each part by akin_statistics_of_values, and
 * add the counts up. You may leave out the values of AKIN_RARE_RECORDS records or fewer.
 */
typedef struct akin_population {
    size_t size;
    /* The records of the left table and of the right one. rows[1] is 0 if there is one table. A job may then have two
     * tables: parts of that table that have no record in common. */
    uint32_t rows[2];
    const akin_corpus *const *values;
} akin_population;

typedef struct akin_dedupe_options {
    size_t size;
    const akin_selection *selections; /* a pair is compared if any of them selects it */
    const akin_attribute *attributes; /* their `compare` NULL stands for AKIN_COMPARE_OPTIONS_INIT */
    uint32_t selection_count, attribute_count;
    akin_selected *selected; /* receives the figures of each selection, or NULL */
    /* Receives the figures of each attribute's column (akin_compare_parse), or NULL: two an attribute, of the left
     * table and of the right one. Those of a table that is not there are 0. */
    akin_parsed *parsed;
    /* The threshold of the weighted average: above 0, at most 1, den at most 10^9. The average is of similarities in
     * units of 2^-40. Average and threshold are rounded to 9 digits and compared. With a single attribute the
     * threshold is compared like that attribute's own. */
    akin_ratio threshold;
    uint64_t
        max_block; /* the most records of a block, 2 or more; larger blocks are left out, and counted in `selected` */
    akin_missing missing;
    /* 1: each record is in at most one pair. The pairs that reach the threshold are sorted by similarity, rounded to
     * 9 digits, the most similar first, and pairs of one similarity by their rows. A pair is kept if neither record
     * is in a pair kept before. */
    uint32_t one_to_one;
    /* For each column, also combined ones, the differences to remove from its values (akin_fold) before any step;
     * NULL: none, in any column. Values that are compared as numbers or dates keep their punctuation. */
    const uint32_t *folds;
    /* Columns made of the tables' columns. The first of them is column number `columns` of akin_dedupe, for
     * selections, attributes and folds. */
    const akin_combined *combined;
    uint64_t combined_count;
    /* Gathers a report of this job, or NULL. A report takes time, because pairs just below the threshold are also
     * compared to the end. The resulting pairs are the same. */
    akin_report *report;
    /* For AKIN_MISSING_SKIP, from 0 to 1, den at most 10^9: the least share of all weights that the attributes of a
     * pair have whose values are there in both records. With less a pair is not found. Compared in exact arithmetic.
     * num 0: one attribute suffices. */
    akin_ratio evidence;
    /* With AKIN_WEIGHTS_LEARN the threshold is a probability; num 0: the one with the largest expected F1. one_to_one
     * 1: a record has one partner at most; 0: the job finds out how many it has. If it has many, pairs that no
     * selection selects are found, too, if found pairs connect their records. */
    akin_weighting weights;
    uint32_t clusters_by_threshold; /* 1: of `clusters`, see there */
    /* Receives the pairs that clusters are made of, or NULL. These are the found pairs. With learnt weights, and
     * records that have many partners, clusterings in which a pair that was not found has similarity 0
     * (AKIN_CLUSTERING_AVERAGE, _CORRELATION) also receive pairs below the threshold, and pairs that no selection
     * selects: all pairs of 1% or more of a component. The pairs of a component reach the parameter of the clustering,
     * or with clusters_by_threshold the threshold of the job, so that each cluster is within records that found pairs
     * connect. The caller closes the clusters. */
    akin_clusters *clusters;
    /* For each column, also combined ones, the words that count as equal (akin_synonyms), which replace words after the
     * folds; NULL in the array: none of that column; NULL: none, in any column. Columns that are compared as numbers or
     * dates have none. */
    const akin_synonyms *const *synonyms;
    /* With AKIN_WEIGHTS_LEARN and without a threshold, at most 1, den at most 10^9: the threshold is the least
     * probability from which on the expected precision of the found pairs is this or more. If there is none, no pair is
     * found. It takes three compared columns or more, from which weights can be learnt. With fewer, and two tables, the
     * left table is taken for a reference table, which has no duplicates: each right record gets one left record at
     * most (docs/how-fuzzy-join.md). Then one column is compared, or one that combines the others. num 0: none. */
    akin_ratio precision;
    /* With AKIN_WEIGHTS_LEARN: the weights are those of this model, whose comparisons must be those of the job, and
     * nothing is learnt. Without a threshold and a precision, its threshold is used. Borrowed; NULL: none. */
    const akin_dedupe_model *model;
    /* With AKIN_WEIGHTS_LEARN: receives the model of the job, which the caller frees; NULL: it is not wanted. */
    akin_dedupe_model **learnt_model;
    /* What a model calls the columns and comparators: those of a plan. NULL: there is no model. */
    const struct akin_dedupe_titles *titles;
    /* With AKIN_WEIGHTS_LEARN and without a model: the job also learns from the answers of this labelling, and gives it
     * the pairs to ask about. NULL: there are no answers. */
    akin_labelling *labelling;
    /* 1 + a column of the tables, whose values say where records come from: records with one value are never of one
     * entity. So pairs of them are not found, and no cluster has two of them (akin_clusters_separate, which the job
     * calls for `clusters`). A record with a missing value has no source, and may be with any other. Folds and synonyms
     * do not change sources. If both tables have a value, it is one source. 0: there are no sources. */
    uint64_t one_per_source;
    /* The pairs of AKIN_SELECT_GIVEN, in any order: pair i is row given_left[i] of the left table and row
     * given_right[i] of the right one. Of one table the order of the two rows does not matter, and a pair of a row and
     * itself is ignored. A pair that is there twice counts once. Borrowed; given_count 0: none. */
    const uint32_t *given_left, *given_right;
    uint64_t given_count;
    /* For each attribute that is compared by AKIN_TFIDF or AKIN_CODES, the statistics of a whole table, as
     * akin_statistics_of_records counts them. The records are a part of it. N and n are those of the statistics, so two
     * records have the similarity that they have in the whole table, the same double. Borrowed. NULL in the array: N
     * and n are counted here; NULL: for all attributes. Selections still see only the records of the part. */
    const akin_corpus *const *statistics;
    /* The whole tables, if the records of the job are a part of them. It needs a model. The job finds selected pairs
     * only, and sees all equal records: akin_dedupe_equals finds those to leave out. A found pair has the probability
     * that it has in the whole tables, the same double. But if a record has one partner, by the model or by
     * one_to_one, the job gives all pairs that may be found or that change others, and as their similarity the weight
     * in nats, from -10^6 to 10^6. Collect the pairs of all parts for akin_dedupe_model_match, with the same threshold.
     * `clusters` then say nothing. Borrowed; NULL: the records are the whole tables. */
    const akin_population *population;
} akin_dedupe_options;

#define AKIN_DEDUPE_OPTIONS_INIT                                                                                       \
    {                                                                                                                  \
        sizeof(akin_dedupe_options), NULL, NULL, 0, 0, NULL, NULL, {8, 10}, 1000, AKIN_MISSING_ZERO, 0, NULL, NULL, 0, \
            NULL, {1, 2}, AKIN_WEIGHTS_GIVEN, 0, NULL, NULL, {0, 1}, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL,   \
            NULL                                                                                                       \
    }

/* A pair of records that are duplicates or linked: rows as in akin_pair, and the weighted average. */
typedef struct akin_scored_pair {
    uint32_t left, right;
    double similarity;
} akin_scored_pair;

/*
 * Receives pairs, sorted by left and right row. `each` has attribute_count similarities for each pair, in the order of
 * the attributes: 0 for a similarity below the attribute's threshold, NAN for a skipped missing value. Both are valid
 * during the call. A non-zero answer ends the job with AKIN_E_CANCELLED.
 */
typedef int (*akin_scored_sink)(void *user, const akin_scored_pair *pairs, const double *each, size_t count);

typedef struct akin_dedupe_report {
    size_t size;
    uint64_t pairs_all;      /* all pairs of records */
    uint64_t pairs_selected; /* pairs that one selection or more selects */
    /* Pairs of values that were compared, because bags did not rule them out. A pair may count several times, for
     * example by several threads. */
    uint64_t values_compared;
    uint64_t pairs_found;
    double seconds_values; /* distinct values of each column, and their bounds */
    double seconds_select; /* keys, and sorting by them */
    double seconds_compare;
    uint64_t memory;   /* the most bytes that the job held, without dictionaries and joins within it */
    uint32_t device;   /* that compared: 0 the CPU, N + 1 GPU N */
    uint32_t given_up; /* N + 1 for a GPU N that "auto" chose and that failed, so the CPU did all the work; else 0 */
    /* On a GPU, with all pairs selected: pairs that the lengths permit in one of the columns that drive the search
     * (docs/how-duplicates.md), and of these the pairs that half of a bag permits; a pair may count for each such
     * column. And pairs that were scored, because no bound ruled them out. */
    uint64_t pairs_met, pairs_near, candidates;
    /* With learnt weights: the threshold, how many partners a record has, and for how many comparisons weights were
     * learnt, 0 if there were too few (docs/how-learning.md). The other figures follow from the probabilities of pairs:
     * how many selected pairs are of one entity, and how precise and complete the found pairs are. Else 0. */
    double threshold, expected_matches, expected_precision, expected_recall;
    akin_partners partners;
    uint32_t learnt;
    double seconds_learn;
    uint32_t applied; /* 1: the weights are those of a model that was kept */
    uint32_t answers; /* how many answers, yes or no, the job learnt from */
    uint64_t decoys;  /* of a join with a reference table: its texts that show how alike wrong joins are; else 0 */
    /* With learnt weights, of one table: records that were left out, because enough others equal them in all columns
     * that are compared, and the pairs of equal records. These are in one cluster (docs/how-learning.md). */
    uint64_t equal_records, equal_pairs;
    uint32_t answers_doubted; /* of the answers: those that contradict the values and the other answers */
    uint32_t reserved;        /* 0 */
} akin_dedupe_report;

/*
 * Finds the rows of `count` pairs of ids, for AKIN_SELECT_GIVEN: left[i] and right[i] are the rows that pairs[0] and
 * pairs[1] name in their row i. ids[side] are the ids of the rows_of[side] records of a table, which are unique; NULL:
 * the numbers of rows. Of one table both sides are the same. Errors: AKIN_E_INPUT (with its row, an id that no record
 * has, or one that two have), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_LIMIT, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_rows_of_ids(akin_context *context, const akin_column *const ids[2], const uint32_t rows_of[2],
                                      const akin_column pairs[2], uint32_t count, uint32_t *left, uint32_t *right,
                                      akin_error *error);

#define AKIN_KEYS_OF_EQUALS UINT32_MAX /* for `selection` of akin_dedupe_keys: keys of all compared columns */
/*
 * Makes the keys of the records of a table by selection `selection` of the options, a window or a block, as akin_dedupe
 * makes them of the same columns. *out has one column of text, "key", with a row for each record: null for a record
 * that lacks the key or a part of it. Records are in one block if their keys are equal texts. A window sorts records by
 * the bytes of keys, those without a key first. So a program can bring records together that akin_dedupe compares, on
 * several machines. Keys that are numbers have 20 digits; several parts follow one another, each behind its length in
 * bytes and a colon. With `selection` AKIN_KEYS_OF_EQUALS, two records have the same key if they are equal in all
 * compared columns. A record has such a key if more than half of these columns have a value. Errors: AKIN_E_OPTION
 * (also a selection that does not exist or has no keys), AKIN_E_INPUT (a value that is not UTF-8), AKIN_E_LIMIT,
 * AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_dedupe_keys(akin_context *context, const akin_column *columns, uint32_t rows,
                                      uint32_t column_count, const akin_dedupe_options *options, uint32_t selection,
                                      akin_frame **out, akin_error *error);

/* Checks options as akin_dedupe would, for that number of columns and that device, like akin_join_check. Errors:
 * AKIN_E_OPTION. Thread-safe. */
AKIN_API akin_status akin_dedupe_check(const char *device, uint32_t columns, const akin_dedupe_options *options,
                                       akin_error *error);

/*
 * Finds the duplicates among the records of one table, or with `right` the records of two tables that belong together
 * (B. Forchhammer et al., Duplicate Detection on GPUs, sections 4 and 5). It selects pairs, compares their values, and
 * passes on the pairs whose weighted average of similarities reaches the threshold. Column c of both tables is the same
 * attribute; columns that no option names may be anything. `sink` NULL: pairs are only counted; count and report may be
 * NULL. Pairs and their order do not depend on the number of threads.
 *
 * Memory, in bytes: 4 a record for each used column, and 60 for each of its distinct values; for a folded or combined
 * column, or one with synonyms, its text and 8 a record; for AKIN_TFIDF the memory of akin_sets_from_columns. For each
 * selection 8 a record, 34 while it is sorted. For a selection by similarity the memory of akin_sets_from_columns and
 * akin_join, and 4 a pair if there is a report or the GPU compares. For each given pair 4, and 18 while they are
 * sorted. For each found pair 32, and 8 for each of its attributes.
 *
 * A GPU that was asked for, or that is predicted to be faster, compares, makes keys, sorts by them and builds windows.
 * Pairs and similarities are the same bits. It takes 48 bytes and the symbols for each record and column of the GPU's
 * memory. Comparators without AKIN_ON_GPU (of words and tokens), values of more than 512 symbols, and more than 16
 * attributes or selections are for the CPU: "auto" leaves them to it, "cuda" refuses them.
 *
 * Errors: AKIN_E_OPTION (also a comparator with AKIN_IS_DIRECTED, without a right table), AKIN_E_INPUT (a value that is
 * not UTF-8, with its row; a given pair with a row that a table lacks), AKIN_E_LIMIT (2^32 - 1 records or more
 * together), AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_DEVICE, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_dedupe(akin_context *context, const akin_column *left, uint32_t rows_left,
                                 const akin_column *right, uint32_t rows_right, uint32_t columns,
                                 const akin_dedupe_options *options, akin_scored_sink sink, void *user, uint64_t *count,
                                 akin_dedupe_report *report, akin_error *error);

/*
 * Counts the statistics by which an attribute compared with AKIN_TFIDF or AKIN_CODES weighs tokens, for `statistics` of
 * the options: the documents are the records with a value, or for AKIN_CODES those with a code, of both tables. Columns
 * are folded and combined, and get synonyms, as in akin_dedupe; of the options only these, and the attribute, are used.
 * The words of the statistics are the distinct tokens of each record together. The number of threads does not change
 * the statistics. *out becomes NULL for an attribute with another comparator. Memory: that of the made columns and of
 * akin_sets_from_columns, and 20 bytes a token. Errors: those of akin_dedupe, AKIN_E_OPTION (there is no attribute).
 */
AKIN_API akin_status akin_statistics_of_records(akin_context *context, const akin_column *left, uint32_t rows_left,
                                                const akin_column *right, uint32_t rows_right, uint32_t columns,
                                                const akin_dedupe_options *options, uint32_t attribute,
                                                akin_statistics **out, akin_error *error);

/*
 * Experimental. Counts the values of the column that an attribute compares. The sums over all parts are `values` of
 * akin_population. `documents`: the records of both tables with a text. `words`: the records in which a comparator of
 * the column finds something, such as a date. The terms are the texts, each with its number of records. The function
 * reads only the attributes and the options that make columns. The number of threads does not change the statistics.
 * Memory: that of the made columns, and 64 bytes for each distinct text. Errors: those of akin_dedupe, AKIN_E_OPTION
 * (there is no attribute).
 */
AKIN_API akin_status akin_statistics_of_values(akin_context *context, const akin_column *left, uint32_t rows_left,
                                               const akin_column *right, uint32_t rows_right, uint32_t columns,
                                               const akin_dedupe_options *options, uint32_t attribute,
                                               akin_statistics **out, akin_error *error);

/*
 * Experimental. Finds the records of one table that are equal in all compared columns, and not by chance. akin_dedupe
 * leaves out such records where it learns weights (docs/how-learning.md, "Equal records"). With a population the table
 * is a part of a whole table. It must have all records of each of its groups: AKIN_KEYS_OF_EQUALS brings them together.
 * *out has a row for each record of a group but the first one, sorted: "first", the row of the first record; "row", its
 * own; "is_left_out", whether akin_dedupe leaves it out; and for each attribute, with its number as name, the
 * similarity: 1, or null without a value. Errors: those of akin_dedupe.
 */
AKIN_API akin_status akin_dedupe_equals(akin_context *context, const akin_column *columns, uint32_t rows,
                                        uint32_t column_count, const akin_dedupe_options *options, akin_frame **out,
                                        akin_error *error);

/* Experimental. How many records of a group of equal ones akin_dedupe keeps. A group has more. 0: the options have an
 * error, or do not learn weights. */
AKIN_API uint32_t akin_dedupe_equals_kept(const akin_dedupe_options *options, uint32_t column_count);

/*
 * A plan of deduplication. It reads rules, in the words of the command or in JSON, and makes options of akin_dedupe.
 * Each word is added under the name of its option (the tables "selections" and "plan-options" of akin_choices):
 *
 *     all-pairs    the word is ignored
 *     window       W[:COLUMN[:KEY]]; any number of times
 *     block        COLUMN[:KEY][+COLUMN[:KEY]...]; any number of times
 *     similar      COLUMN:MEASURE:T[:TOKENS]; any number of times
 *     nearest      K[:COLUMN[:TOKENS]]; any number of times
 *     given        FILE, which the caller reads: see akin_rows_of_ids; the last one is used
 *     compare      COLUMN:COMPARATOR[:THRESHOLD[:WEIGHT]]; any number of times
 *     combine      NAME=COLUMN[+COLUMN...]; any number of times
 *     fold         COLUMN[:FOLD[+FOLD...]], or all for COLUMN; any number of times
 *     synonyms     [COLUMN:]FILE, or COLUMN::GROUP[+GROUP...]; any number of times
 *     threshold, max-block, missing, weights    a number or auto, a number, a name, a name; the last one is used
 *     precision    a number; the last one is used
 *     evidence     a number; the last one is used
 *     cluster      a name of the table "clusterings", as akin_clusters_options_parse reads it; the last one is used
 *     one-to-one   the word is ignored
 *     one-per-source  COLUMN with what each record is from
 *     id           COLUMN with the ids of rows
 *
 * COLUMN is LEFT=RIGHT where the left table calls the column LEFT and the right table calls it RIGHT.
 *
 *     akin_dedupe_plan_create(NULL, &plan, error);
 *     akin_dedupe_plan_add(plan, "compare", "name:jaro-winkler:0.8:2", error);
 *     akin_dedupe_plan_add(plan, "window", "20", error);
 *     akin_dedupe_plan_add(plan, "threshold", "0.9", error);
 *     akin_dedupe_plan_finish(plan, error);
 *     akin_dedupe_plan_load(context, plan, error);
 *     titles = akin_dedupe_plan_titles(plan);
 *     akin_dedupe(context, columns, rows, NULL, 0, titles->column_count, akin_dedupe_plan_options(plan), ...);
 *     akin_dedupe_plan_free(plan);
 *
 * A pair is compared if any selection selects it. The options have selections in the order of their table, and those of
 * one name in the order of addition. A name with a colon, a plus or an equals sign stands in double quotes, and quotes
 * in it are doubled. docs/dedupe.md has the grammar. A plan copies all its input. One thread at a time may use it.
 */
typedef struct akin_dedupe_plan akin_dedupe_plan;

/* The names of the parts of a plan. All strings are the plan's. */
typedef struct akin_dedupe_titles {
    /* First the column_count columns of the tables that the plan uses. Pass them to akin_dedupe in this order. Then
     * the columns that the plan combines. A column with two names is "LEFT=RIGHT". */
    const char *const *columns;
    const char *const *left_columns, *const *right_columns; /* the names of the column_count columns in each table */
    const char *id, *right_id; /* the columns with ids of rows, of each table; NULL: none */
    uint32_t column_count;
    const char *const *comparators; /* of each attribute, such as "jaro-winkler" */
    /* The names of attributes in results: the column; "COLUMN:COMPARATOR" if it is compared more than once, or if
     * results have another column of that name ("left", "similarity", ...). */
    const char *const *attributes;
    const char *const
        *selections; /* "OPTION WORD"; if the word stands for several selections, "OPTION WORD of COLUMN" or
                      * "OPTION WORD, pass K of N" */
} akin_dedupe_titles;

/* Creates an empty plan. It borrows the annex, whose clusterings it then knows; NULL: none. Errors: AKIN_E_NOMEM. */
AKIN_API akin_status akin_dedupe_plan_create(const akin_annex *annex, akin_dedupe_plan **out, akin_error *error);
AKIN_API void akin_dedupe_plan_free(akin_dedupe_plan *plan);

/* Adds a word for an option. For an option with a single value it replaces the word before. akin_dedupe_plan_finish
 * reads the words. Errors: AKIN_E_OPTION (there is no such option), AKIN_E_NOMEM. */
AKIN_API akin_status akin_dedupe_plan_add(akin_dedupe_plan *plan, const char *option, const char *word,
                                          akin_error *error);

/*
 * The same for node `node` of a JSON text, in the form of job files. Options with AKIN_IS_REPEATED have an array, whose
 * elements are words or objects; those with AKIN_IS_FLAG true or false; those with AKIN_IS_NUMBER a number, also as a
 * string; the others a string. In lists of columns a string is the name of a column.
 *
 *     "compare": [{"column": "name", "comparator": "jaro-winkler", "threshold": 0.8, "weight": 2}]
 *     "block": [{"columns": [{"column": "name", "key": "soundex"}, "zip"]}]
 *     "combine": [{"name": "place", "columns": ["city", "state"]}]
 *     "fold": [{"column": "name", "fold": ["case", "accents"]}, {"fold": ["blanks"]}]
 *     "synonyms": [{"column": "name", "file": "names.txt"}, {"groups": ["limited,ltd", "street,st"]}]
 *     "id": {"column": "id", "right": "number"}
 *
 * `called`: the name of the text in messages, which add the line; NULL: no name. Errors: as above, and AKIN_E_OPTION.
 * After an error the plan has the words before the one that is refused.
 */
AKIN_API akin_status akin_dedupe_plan_add_json(akin_dedupe_plan *plan, const char *option, const akin_json *json,
                                               uint32_t node, const char *called, akin_error *error);

/*
 * Adds the members of an object, node `node` of a JSON text, in the form of job files. `others`: keys that the
 * function skips, a list that ends with NULL; NULL: no such keys. Errors: as above, and AKIN_E_OPTION (a key that is
 * not an option, or occurs twice).
 */
AKIN_API akin_status akin_dedupe_plan_read(akin_dedupe_plan *plan, const akin_json *json, uint32_t node,
                                           const char *called, const char *const *others, akin_error *error);

/* Removes the words of an option. Errors: AKIN_E_OPTION (there is no such option). */
AKIN_API akin_status akin_dedupe_plan_drop(akin_dedupe_plan *plan, const char *option, akin_error *error);

/* Whether a plan lacks comparisons or selections, so that it needs suggestions. */
AKIN_API int akin_dedupe_plan_is_partial(const akin_dedupe_plan *plan);

typedef struct akin_suggest_options {
    size_t size;
    const akin_table *left;
    const akin_table *right;    /* NULL: there is one table. Of two tables, columns of one name are compared */
    const char *const *ignored; /* names of columns that are left out, such as those of ids */
    size_t ignored_count;
} akin_suggest_options;

#define AKIN_SUGGEST_OPTIONS_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(akin_suggest_options), NULL, NULL, NULL, 0                                                              \
    }

/*
 * Adds rules that a plan lacks: comparisons and folds, or selections, or both. Weights are learnt, unless the plan has
 * comparisons and a threshold. The rules follow from profiles of the columns: how many values there are and how often
 * they occur, whether they are dates, numbers, short or long texts, and whether other columns say the same
 * (docs/no-rules.md). `sink`, which may be NULL, receives a sentence for each column that is left out, except ignored
 * columns, ids and sources. Call akin_dedupe_plan_finish afterwards. The rules do not depend on threads. After an error
 * the plan may have some of the rules. Errors: AKIN_E_OPTION (there is nothing to compare, or an ignored name that no
 * table has), AKIN_E_INPUT (a value that is not UTF-8), AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_dedupe_plan_suggest(akin_context *context, akin_dedupe_plan *plan,
                                              const akin_suggest_options *options, akin_warning_sink sink, void *user,
                                              akin_error *error);

/* Reads the words. Call it again after changing the plan. Errors: AKIN_E_OPTION (the message begins with the option
 * and the word, such as "compare name:exakt: "), AKIN_E_LIMIT, AKIN_E_NOMEM. */
AKIN_API akin_status akin_dedupe_plan_finish(akin_dedupe_plan *plan, akin_error *error);

/* Reads the files that a finished plan names: those of synonyms. Without it akin_dedupe refuses options that have
 * synonyms. Errors: those of akin_synonyms_read, AKIN_E_OPTION (the plan is not finished). */
AKIN_API akin_status akin_dedupe_plan_load(akin_context *context, akin_dedupe_plan *plan, akin_error *error);

/* Gives the selection "given" of a finished plan its pairs, which its options then have: see given_left there. They are
 * borrowed. */
AKIN_API void akin_dedupe_plan_give(akin_dedupe_plan *plan, const uint32_t *left, const uint32_t *right,
                                    uint64_t count);

/* Keeps one selection of a finished plan, so a program that divides tables into parts can run selections one by one.
 * Words and members stay, and akin_dedupe_plan_finish brings back the others. Errors: AKIN_E_OPTION (there is no such
 * selection, or the plan is not finished). */
AKIN_API akin_status akin_dedupe_plan_select(akin_dedupe_plan *plan, uint32_t selection, akin_error *error);

/* The options, and the names of their parts, valid until the plan is changed, finished or freed; NULL: the plan is
 * not finished. In the options `selected` and `parsed` are the plan's, and `report` is NULL. */
AKIN_API const akin_dedupe_options *akin_dedupe_plan_options(const akin_dedupe_plan *plan);
AKIN_API const akin_dedupe_titles *akin_dedupe_plan_titles(const akin_dedupe_plan *plan);

/* How pairs become clusters, valid as long as the options of the plan. NULL: the plan is not finished. */
AKIN_API const akin_clusters_options *akin_dedupe_plan_clusters(const akin_dedupe_plan *plan);

/* All options as the members of a JSON object, in the order of the tables, valid as long as the options of the plan;
 * NULL: the plan is not finished. The members are lines with commas between them, without braces, so a job can have
 * other members. akin_dedupe_plan_read reads them. */
AKIN_API const char *akin_dedupe_plan_members(const akin_dedupe_plan *plan);

/* Word `index` of an option, from 0 on. It is valid until the option is changed. NULL: there is no such word. */
AKIN_API const char *akin_dedupe_plan_word(const akin_dedupe_plan *plan, const char *option, uint64_t index);

/* Warns if chains of pairs made clusters large (AKIN_CLUSTERS_CHAINED). `shape` is of the clusters of `found` pairs. */
AKIN_API void akin_clusters_warn(const akin_clusters_shape *shape, uint64_t found, akin_warning_sink sink, void *user);

/*
 * Warns of what is suspicious about a plan that akin_dedupe has run without failure: columns that a comparator can
 * Warns of what is suspicious about a plan that akin_dedupe has run without failure: columns that a comparator can
 * hardly read, or whose values are too short for its tokens (akin_compare_warn), synonyms in several groups
 * (akin_synonyms_warn), windows that are too small for their keys (akin_selected_is_narrow), selections that select no
 * pair because their blocks were left out, texts that are too short for the tokens of a selection
 * (akin_text_counts_are_brief), clusters that chains of pairs made large (AKIN_CLUSTERS_CHAINED), learning that found
 * no class of matches, and a precision that no pairs have. `report` is of that run; `shape` is of the clusters of its
 * pairs, NULL: they are not known. `tables` is 1 or 2.
 */
AKIN_API void akin_dedupe_warn(const akin_dedupe_plan *plan, uint32_t tables, const akin_dedupe_report *report,
                               const akin_clusters_shape *shape, akin_warning_sink sink, void *user);

/*
 * A model of learnt weights, to be kept and used again. It holds, for each comparison: the column, its comparators, its
 * folds and the columns that it is combined of; the levels of similarity with their probabilities and weights; and the
 * comparison that it depends on. Besides, it holds how many matches were expected among how many records, the
 * tempering, whether a record has one partner or many, and the threshold. What a rare value adds is not in the model,
 * because it follows from the tables at hand. docs/how-learning.md describes the form.
 *
 *     akin_dedupe_options options = *akin_dedupe_plan_options(plan);
 *     akin_dedupe_model *model = NULL;
 *     options.learnt_model = &model;
 *     akin_dedupe(context, ..., &options, ...);
 *     fputs(akin_dedupe_model_text(model), file);
 *     akin_dedupe_model_free(model);
 *
 *     akin_json_read(context, "model.json", &json, error);
 *     akin_dedupe_model_read(json, "model.json", &model, error);
 *     options.model = model;
 *     akin_dedupe(context, ..., &options, ...);
 *
 * Of the tables that it was learnt on, a model finds the same pairs with the same probabilities, bit by bit. Of other
 * tables it expects as many matches for each record. A model does not change, so threads may share it.
 */

/* Reads a model from a JSON text. `called`: the name of the text in messages, which add the line; NULL: no name.
 * Errors: AKIN_E_INPUT (the text is not a model), AKIN_E_LIMIT, AKIN_E_NOMEM. */
AKIN_API akin_status akin_dedupe_model_read(const akin_json *json, const char *called, akin_dedupe_model **out,
                                            akin_error *error);

/* The model as a JSON text, which akin_dedupe_model_read reads as the same model; valid until the model is freed. */
AKIN_API const char *akin_dedupe_model_text(const akin_dedupe_model *model);

/* How many partners a record has by the model. */
AKIN_API akin_partners akin_dedupe_model_partners(const akin_dedupe_model *model);

/* Accepts NULL. */
AKIN_API void akin_dedupe_model_free(akin_dedupe_model *model);

/*
 * Experimental. Finds the pairs of whole tables, where jobs with a population and this model found weights of pairs
 * in parts of them, and a record has one partner at most (`population` of akin_dedupe_options). The pairs are those
 * of all jobs, each once, sorted by left and right row; `similarity` is the weight. Of one table the left row is the
 * lower one. You may number rows anew, because only their order counts. `rows` are those of akin_population, also
 * then: without records that are left out; rows[1] is 0 for one table. The function leaves the *count pairs that
 * akin_dedupe finds in the whole tables, in front and in the same order, with their probabilities. `numbers` has
 * room for as many numbers as there are pairs: numbers[i] receives the former place of pair i of the pairs left.
 * Threshold num 0: that of the model. Memory beside the pairs and numbers: 56 bytes for each pair, and 28 for each
 * row up to the last one of a pair. Errors: AKIN_E_OPTION (pairs that are not sorted, rows and weights out of range,
 * a model without caps for two tables), AKIN_E_LIMIT (2^32 - 1 pairs or records), AKIN_E_NOMEM, AKIN_E_CANCELLED.
 * Thread-safe.
 */
AKIN_API akin_status akin_dedupe_model_match(akin_context *context, const akin_dedupe_model *model,
                                             const uint32_t rows[2], akin_ratio threshold, akin_scored_pair *pairs,
                                             uint64_t *numbers, uint64_t *count, akin_error *error);

/*
 * A labelling: weights that are learnt from a person's answers. It chooses the pairs that teach most, takes the answers
 * yes, no and unsure, and fits the learnt weights to them (docs/how-learning.md has the formulas).
 *
 *     akin_labelling_create(&labelling, error);
 *     options.labelling = labelling;
 *     akin_dedupe(context, ..., &options, ...);
 *     while (akin_labelling_next(labelling, &question, &is_there, error) == AKIN_OK && is_there)
 *         akin_labelling_answer(labelling, question.left, question.right, answer_of(&question), error);
 *     options.learnt_model = &model;
 *     akin_dedupe(context, ..., &options, ...);
 *     akin_labelling_free(labelling);
 *
 * The first job learns without labels. It gives the labelling up to 32,768 of its pairs to ask about. The second job
 * learns from the answers, and the model that it makes has the fitted weights. A pair that was answered with yes has
 * probability 1 in that job, and one with no has 0, also if the answer is doubted. Any job of the same tables may use a
 * labelling. One thread at a time may use it. The questions depend on the answers before them alone.
 */

/* The answer of a person: are these two records of one entity? */
typedef enum akin_answer {
    AKIN_ANSWER_NO = 1,
    AKIN_ANSWER_YES = 2,
    AKIN_ANSWER_UNSURE = 3 /* nothing is learnt from it, and the pair is not asked about again */
} akin_answer;

/* The answer of a pair of rows, as in akin_pair. */
typedef struct akin_labelled_pair {
    uint32_t left, right;
    akin_answer answer;
    uint32_t is_doubted; /* after a job that learnt from it: 1 if it contradicts the values and the other answers, so
                          * that the weights do not follow it; else 0 */
} akin_labelled_pair;

/* Errors: AKIN_E_NOMEM. */
AKIN_API akin_status akin_labelling_create(akin_labelling **out, akin_error *error);
/* Accepts NULL. */
AKIN_API void akin_labelling_free(akin_labelling *labelling);

/* Adds an answer. The answer of a pair that has one is replaced. Rows of one table may be in any order. Errors:
 * AKIN_E_OPTION (no answer), AKIN_E_NOMEM. A job refuses rows that its tables do not have, and a record with itself. */
AKIN_API akin_status akin_labelling_answer(akin_labelling *labelling, uint32_t left, uint32_t right, akin_answer answer,
                                           akin_error *error);

/* Takes back the answer that was added last, in *out, which may be NULL. An answer that replaced another one is gone as
 * a whole. Returns 0 if there is no answer. */
AKIN_API int akin_labelling_undo(akin_labelling *labelling, akin_labelled_pair *out);

/* The number of answers, and answer `index` in the order in which they were added. */
AKIN_API uint64_t akin_labelling_count(const akin_labelling *labelling);
AKIN_API akin_labelled_pair akin_labelling_at(const akin_labelling *labelling, uint64_t index);

/* The pair to ask about next, with its probability by the answers so far. *is_there 0: there is no further pair.
 * Errors: AKIN_E_OPTION (no job has used the labelling), AKIN_E_NOMEM. */
AKIN_API akin_status akin_labelling_next(akin_labelling *labelling, akin_scored_pair *out, int *is_there,
                                         akin_error *error);

/*
 * Adds the answers of a table: `count` rows of the columns left, right and answer, with ids of records and names of
 * the table "answers" of akin_choices. ids[side] are the ids of the rows_of[side] records of a table, which are unique;
 * NULL: the numbers of rows. Of one table both sides are the same. Errors: AKIN_E_INPUT (with its row, an id that no
 * record has, or what is not an answer), AKIN_E_OPTION, AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_LIMIT.
 */
AKIN_API akin_status akin_labelling_add(akin_context *context, akin_labelling *labelling,
                                        const akin_column *const ids[2], const uint32_t rows_of[2],
                                        const akin_column answers[3], uint32_t count, akin_error *error);

/* ---------------------------------------------------------------------------------------- reports (experimental) */

/*
 * A report for people on a search for duplicates or links: one HTML page, which loads nothing. It shows the figures and
 * the time of each step, the similarities of pairs by attribute and in all, the pairs nearest to the threshold on both
 * sides with the parts of their similarity, and the clusters. With gold pairs it also shows precision and recall at
 * each threshold, and the wrong and the missed pairs.
 *
 *     akin_report_create(context, &options, &report, error);
 *     dedupe_options.report = report;
 *     akin_dedupe(context, ..., &dedupe_options, ...);
 *     akin_report_write(report, output, error);
 *     akin_report_free(report);
 *
 * akin_dedupe rules most pairs out early, and does not know their similarity. So below the threshold the report knows
 * the similarities of a random sample of the selected pairs: at most 50,000, fewer under a memory bound or with very
 * long values, and a pair that is drawn twice counts once. Down to a margin below the threshold it knows all pairs. The
 * margin becomes smaller if the sample predicts that these pairs take more than 128 MB, or more than a memory bound
 * allows. The page says which figures come from a sample.
 *
 * With AKIN_WEIGHTS_LEARN the similarity of a pair is its probability, and the report knows that of every selected
 * pair: `margin` has no effect. The page then also shows the weights of levels, what is expected of the found pairs at
 * each threshold, records that no pair could link, what each selection adds, and the evidence for each listed pair.
 *
 * The page is the same bytes with any number of threads, except for seconds and memory, which `reproducible` leaves
 * out. It has some hundred kB for any number of rows, because lists and values are cut; with dozens of columns and
 * comparisons, or longer lists of pairs, it has a few MB. Values appear as in the columns, before folding. A report
 * belongs to one job. One thread at a time may use a report.
 */
typedef struct akin_report_options {
    size_t size;
    const char *const *tables; /* the name of the table, or of both; NULL: no names */
    const akin_column *ids[2]; /* the ids of the records of each table, unique in a table; NULL: their rows */
    /* The names of columns, also combined ones; of comparators, such as "jaro-winkler"; and of selections, such as
     * "window 20:name". NULL: akin's own names. */
    const char *const *columns;
    const char *const *comparators;
    const char *const *selections;
    const akin_column *gold[2]; /* the left and the right ids of gold pairs, as in akin_evaluate */
    uint32_t gold_rows;         /* 0: no gold pairs */
    uint32_t pairs;             /* pairs to list on each side of the threshold, 1 to 10000 */
    double margin;              /* how far below the threshold all pairs are gathered, 0 to 1 */
    /* How pairs become clusters; NULL: connected components. With AKIN_WEIGHTS_LEARN it is that of the `clusters` of
     * akin_dedupe, if these are wanted. Of a clustering by similarities the page has no quality at other thresholds. */
    const akin_clusters_options *clustering;
    /* 1: the page lacks the seconds of the steps and the memory, so two runs of a job write the same bytes. */
    uint32_t reproducible;
    uint32_t reserved; /* 0 */
} akin_report_options;

#define AKIN_REPORT_OPTIONS_INIT                                                                                       \
    {                                                                                                                  \
        sizeof(akin_report_options), NULL, {NULL, NULL}, NULL, NULL, NULL, {NULL, NULL}, 0, 100, 0.2, NULL, 0, 0       \
    }

/*
 * Creates an empty report. It borrows the data of its options, and the columns of akin_dedupe, until it is freed.
 *
 * Memory, in bytes: some 20 MB, and 8 a record for clusters, 28 while their bridges are found. With one_to_one 16 for
 * each gathered pair and 1 a record, while beaten pairs are found, and 8 for each beaten pair. With gold pairs 9 for
 * each, a dictionary of the ids, and during the evaluation of clusters 16 for each found or gold pair and 50 an id.
 * With AKIN_WEIGHTS_LEARN 24 for each pair of 1% or more, and 8 for each selected pair. With a bound (see
 * akin_context_options) it is at most a quarter of the bound, besides the memory of akin_dedupe. If that is too little,
 * akin_dedupe starts again without gathering pairs below the threshold, and the page lacks the evaluation of clusters;
 * it says so.
 *
 * Errors: AKIN_E_OPTION, AKIN_E_NOMEM. A report also adds errors to akin_dedupe: AKIN_E_OPTION (the report has been
 * used), AKIN_E_INPUT (a row without an id, or two rows with one id), AKIN_E_NOMEM, AKIN_E_LIMIT, AKIN_E_IO,
 * AKIN_E_CANCELLED. After such an error the report may be used again.
 */
AKIN_API akin_status akin_report_create(akin_context *context, const akin_report_options *options, akin_report **out,
                                        akin_error *error);
AKIN_API void akin_report_free(akin_report *report);

/* Adds a step and its time to the list of steps, such as "read". akin_dedupe adds its own steps. `name` is borrowed.
 * At most 12 steps besides those of akin_dedupe are kept. */
AKIN_API void akin_report_step(akin_report *report, const char *name, double seconds);

/* Writes the page in UTF-8. Errors: AKIN_E_OPTION (no job was done), and those of akin_output_write. */
AKIN_API akin_status akin_report_write(const akin_report *report, akin_output *output, akin_error *error);

/* -------------------------------------------------------------------------------------------------- term weights */

/*
 * The weight of each term of a document. tf is the frequency of the term in the document, df the number of documents
 * that have it, N the number of documents, Ld the length of the document in tokens, and Lave the mean length:
 *
 *     norm       k1 * ((1 - b) + b * (Ld / Lave))
 *     PAPER      log(N / df) * (((k1 + 1) * tf) / (norm + tf))
 *     ROBERTSON  log((N - df + 0.5) / (df + 0.5)) * (tf / (norm + tf)): negative if more than half of all have the term
 *     LUCENE     log(1 + (N - df + 0.5) / (df + 0.5)) * (tf / (norm + tf))
 *     ATIRE      as PAPER
 *     BM25_PLUS  log((N + 1) / df) * (delta + ((k1 + 1) * tf) / (norm + tf))
 *     BM25_L     log((N + 1) / (df + 0.5)) * (((k1 + 1) * c) / (k1 + c)) where
 *                c = tf / ((1 - b) + b * (Ld / Lave)) + delta
 *
 * Weights are computed in doubles, in the written order, without fused operations; log is the C library's. Sources: T.
 * Wakatsuki, A. Keyaki, J. Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, formula 1; C. Kamphuis et
 * al., Which BM25 Do You Mean?, ECIR 2020, for the others.
 */
typedef enum akin_formula {
    AKIN_FORMULA_PAPER = 1,
    AKIN_FORMULA_ROBERTSON = 2,
    AKIN_FORMULA_LUCENE = 3,
    AKIN_FORMULA_ATIRE = 4,
    AKIN_FORMULA_BM25_PLUS = 5,
    AKIN_FORMULA_BM25_L = 6
} akin_formula;

/* The name of a formula, as --formula takes it ("paper", "robertson", "lucene", "atire", "bm25+", "bm25l"), static;
 * NULL for an unknown value. */
AKIN_API const char *akin_formula_name(akin_formula formula);

/* Sets *out to the formula of that name. Errors: AKIN_E_OPTION (the message lists the names). */
AKIN_API akin_status akin_formula_parse(const char *name, akin_formula *out, akin_error *error);

/* Whether weights are listed by document or by term. */
typedef enum akin_weights_order {
    AKIN_WEIGHTS_BY_DOCUMENT = 1, /* the terms of a document, ascending */
    AKIN_WEIGHTS_BY_TERM = 2      /* the documents of a term, ascending; an index needs this order */
} akin_weights_order;

/* How weights are computed; all techniques give the same bytes. */
typedef enum akin_weigh_technique {
    AKIN_WEIGH_AUTO = 0,
    AKIN_WEIGH_HASH = 1, /* a hash table of words; each document is counted in place. On the CPU and on a GPU */
    AKIN_WEIGH_ANNEX = AKIN_ANNEX_FIRST, /* from here on: rows of an annex */
} akin_weigh_technique;

/* Sets *out to the technique of that name ("auto", "hash", or one of an annex; NULL: of none). Errors: AKIN_E_OPTION
 * (the message lists the names). */
AKIN_API akin_status akin_weigh_technique_parse(const akin_annex *annex, const char *name, akin_weigh_technique *out,
                                                akin_error *error);

/* The treatment of terms that a fixed vocabulary lacks. */
typedef enum akin_unknown {
    AKIN_UNKNOWN_SHARE = 1, /* all of them are one term; its id is the number of words of the vocabulary */
    AKIN_UNKNOWN_ADD = 2    /* each is a term of its own; their ids follow, in the order of first appearance */
} akin_unknown;

typedef struct akin_weigh_options {
    size_t size;
    akin_formula formula;
    akin_weights_order order;
    double k1, b; /* k1 is 0 or more, b from 0 to 1 */
    double delta; /* for BM25+ and BM25L; below 0: the default, 1 and 0.5 */
    /* The tokens of a text, and the stop words; `multiset` must be 0. NULL: folded words. If the tokens have a length,
     * text->counts receives the counts of the texts in each call that succeeds, the same with any number of threads and
     * on a GPU. For other tokens nothing is added: they have no brief texts. */
    const akin_text_options *text;
    /* The stemmer, a name of akin_stemmers; NULL: no stemmer. Stop words are removed before stemming. */
    const char *stem;
    /* A fixed vocabulary, which gives terms their ids; NULL: the vocabulary of the documents, with ids in the order
     * of first appearance. Borrowed until the weights are finished. With `stem` it should hold stems. */
    const akin_trie *dictionary;
    akin_unknown unknown; /* with such a vocabulary */
    akin_weigh_technique technique;
    /* The statistics of the corpus that the documents are a part of. Weights are then those that the documents have in
     * the whole corpus, the same doubles: N, the mean length and df are those of the corpus. NULL: they are all.
     * Borrowed until the weights are finished. */
    const akin_corpus *corpus;
} akin_weigh_options;

#define AKIN_WEIGH_OPTIONS_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(akin_weigh_options), AKIN_FORMULA_LUCENE, AKIN_WEIGHTS_BY_DOCUMENT, 1.2, 0.75, -1, NULL, NULL, NULL,    \
            AKIN_UNKNOWN_SHARE, AKIN_WEIGH_AUTO, NULL                                                                  \
    }

/* The values of `stem` ("english" and so on), static, then NULL: the algorithms of the Snowball library. */
AKIN_API const char *const *akin_stemmers(void);

/* The function words of a language ("english", "german", ...), for akin_text_options: a static list of *count words.
 * Errors: AKIN_E_OPTION (the message lists the languages). */
AKIN_API akin_status akin_stop_words(const char *language, const char *const **out, uint32_t *count, akin_error *error);

/*
 * The weights of all terms of all documents: a sparse matrix with an entry for each tf above 0, and the vocabulary.
 * Terms have the ids 0, 1, ... Weights never change, and do not depend on the context that made them. They take 16
 * bytes for each pair of a document and a term, 12 a document, and the vocabulary. With a memory bound (see
 * akin_context_options) most of that is in temporary files.
 */
typedef struct akin_weights akin_weights;

/*
 * Weighs documents. Row i of all columns is document i; no token spans two columns, and a null has no tokens. A GPU is
 * used only if the context was created with the device "cuda" or "cuda:N". The result is the same bytes with any number
 * of threads and on a GPU. Data that exceed the GPU's memory go there in parts, at least a document at a time. A GPU
 * counts at most 2^31 - 2 terms, and 2^31 - 1 tokens of a document.
 *
 * Memory: the weights, the same again while they are sorted by term, and some 100 MB. With a bound it is at most five
 * eighths of the bound; of a corpus 4 bytes for each term of the documents. Errors: AKIN_E_OPTION (also for a technique
 * that the device lacks, or that lacks an option), AKIN_E_INPUT (the message names row and column of text that is not
 * UTF-8; documents that are no part of the corpus), AKIN_E_LIMIT (ids, tokens of a document or
 * bytes of a text beyond 32 bits), AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_DEVICE, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_weigh(akin_context *context, const akin_column *documents, uint32_t columns, uint32_t rows,
                                const akin_weigh_options *options, akin_weights **out, akin_error *error);

/* The same for documents that come in parts, such as several files. The documents of each part have the next
 * numbers. akin_weigher_create borrows its options only until it returns, except for the dictionary and the counts of
 * `text`, to which akin_weigher_add adds. The weigher runs with the context of its creation. After akin_weigher_finish,
 * or after an error, the weigher can only be freed; other calls are AKIN_E_OPTION. */
typedef struct akin_weigher akin_weigher;
AKIN_API akin_status akin_weigher_create(akin_context *context, const akin_weigh_options *options, akin_weigher **out,
                                         akin_error *error);
AKIN_API akin_status akin_weigher_add(akin_weigher *weigher, const akin_column *documents, uint32_t columns,
                                      uint32_t rows, akin_error *error);
AKIN_API akin_status akin_weigher_finish(akin_weigher *weigher, akin_weights **out, akin_error *error);
AKIN_API void akin_weigher_free(akin_weigher *weigher);

AKIN_API void akin_weights_free(akin_weights *weights);

/*
 * Counts the statistics of documents, for `corpus` of akin_weigh_options, and weighs nothing: those that akin_weigh
 * would have, at a part of its time. Of the options the formula, its parameters, the order and the corpus are checked
 * and have no other use. Memory: the vocabulary, twice, and some 20 MB a thread. Errors: those of akin_weigh.
 */
AKIN_API akin_status akin_statistics_of_documents(akin_context *context, const akin_column *documents, uint32_t columns,
                                                  uint32_t rows, const akin_weigh_options *options,
                                                  akin_statistics **out, akin_error *error);

/* The statistics of the documents of weights; also of a part, and of saved weights. Errors: AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED. */
AKIN_API akin_status akin_statistics_of_weights(akin_context *context, const akin_weights *weights,
                                                akin_statistics **out, akin_error *error);

/* The mapping of the file of weights; NULL: it has none. It lasts as long as the object. */
AKIN_API const akin_mapping *akin_weights_mapping(const akin_weights *weights);

typedef struct akin_weights_statistics {
    size_t size;
    uint32_t documents;
    uint32_t terms; /* terms that occur in a document */
    uint32_t ids;   /* ids are below this; with a fixed vocabulary there are more ids than terms */
    akin_weights_order order;
    uint64_t words; /* tokens of all documents, without stop words */
    uint64_t pairs; /* pairs of a document and a term, which have a weight */
    akin_formula formula;
    uint32_t reserved;
    double k1, b, delta;
} akin_weights_statistics;

/* Describes weights. The caller first sets statistics->size, as for akin_context_info. Errors: AKIN_E_OPTION (an
 * impossible size). */
AKIN_API akin_status akin_weights_describe(const akin_weights *weights, akin_weights_statistics *statistics,
                                           akin_error *error);

/* The sum of all weights, computed exactly and rounded once, so it does not depend on their order. Errors:
 * AKIN_E_NOMEM, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_weights_sum(akin_context *context, const akin_weights *weights, double *out,
                                      akin_error *error);

/* Gives list `i` in three arrays, ascending by id, and returns their length: the terms of document i, or by term the
 * documents of term i. A pointer may be NULL. There is a list for each document, or by term for each id; other lists
 * have no entries. */
AKIN_API uint32_t akin_weights_list(const akin_weights *weights, uint32_t i, const uint32_t **ids, const uint32_t **tf,
                                    const double **values);

/* The formats of weights. */
typedef enum akin_weights_format {
    AKIN_WEIGHTS_AKIN = 1, /* an .akin file of kind "weights" (docs/container.md), which akin_weights_open reads */
    /* For scipy.sparse.load_npz: documents by terms, in CSR format, or by term in CSC, not compressed. A further
     * array `tf`, as long as `data`, has the frequencies. */
    AKIN_WEIGHTS_NPZ = 2,
    AKIN_WEIGHTS_MTX = 3, /* Matrix Market: documents by terms, coordinate real general */
    AKIN_WEIGHTS_TSV = 4, /* a header, then a line for each pair: document, term, tf, weight */
    AKIN_WEIGHTS_CSV = 5, /* the same, quoted where necessary */
    /* The same, and a name or a term that a spreadsheet may take for a formula (akin_is_formula) is quoted, with an
     * apostrophe before it. It has no name. */
    AKIN_WEIGHTS_SAFE_CSV = 6
} akin_weights_format;

/* Sets *out to the format of that name ("akin", "npz", "mtx", "tsv", "csv"). Errors: AKIN_E_OPTION. */
AKIN_API akin_status akin_weights_format_parse(const char *name, akin_weights_format *out, akin_error *error);

/*
 * Writes weights to an output, which must be empty except for TSV and CSV. These have a header, unless
 * akin_output_columns has said the columns to a saver. `names` has the names of documents, for TSV, CSV and akin's own
 * files; NULL: their numbers, from 0 on (in Matrix Market all numbers begin at 1). TSV has no quoting: names and terms
 * with a tab or a line end (q-grams may have them) are refused before anything is written. Weights have the fewest
 * digits that read back to the same double. Errors: as akin_output_write, and AKIN_E_OPTION (an unknown format,
 * impossible names), AKIN_E_INPUT (text that TSV cannot hold), AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_weights_write(akin_context *context, const akin_weights *weights, const akin_column *names,
                                        akin_weights_format format, akin_output *output, akin_error *error);

/* Writes the vocabulary as AKIN_WEIGHTS_TSV, AKIN_WEIGHTS_CSV or AKIN_WEIGHTS_SAFE_CSV: a header, then a line for each
 * id: term, df. Errors: as above. */
AKIN_API akin_status akin_weights_write_vocabulary(akin_context *context, const akin_weights *weights,
                                                   akin_weights_format format, akin_output *output, akin_error *error);

/*
 * Opens weights that were written as AKIN_WEIGHTS_AKIN ("-": standard input). The whole file is mapped
 * (akin_mapping), and checked once. Errors: AKIN_E_INPUT (the message names the file and the fault), AKIN_E_IO,
 * AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_weights_open(akin_context *context, const char *path, akin_weights **out, akin_error *error);

/* The name of a document of opened weights. No bytes: the document has no name, or does not exist. */
AKIN_API void akin_weights_name(const akin_weights *weights, uint32_t document, const char **bytes, size_t *length);

/* The term with that id, without a NUL at its end. No bytes: the id of all unknown terms, or no such id. */
AKIN_API void akin_weights_term(const akin_weights *weights, uint32_t id, const char **bytes, size_t *length);

/* The number of documents that have the term; 0 if there is no such id. */
AKIN_API uint32_t akin_weights_df(const akin_weights *weights, uint32_t id);

/* The number of tokens of a document; 0 if there is no such document. */
AKIN_API uint32_t akin_weights_length(const akin_weights *weights, uint32_t document);

/* -------------------------------------------------------------------------------------- rankings (experimental) */

/*
 * An index of weighted documents: for each term the documents that have it, in blocks with bounds of their weights; the
 * vocabulary; how text becomes terms; and the names of the documents. Weights equal those of the akin_weights to the
 * last bit. An index never changes, and does not depend on the context that made it. Many threads may read it. It takes
 * about 1.5 bytes for each pair of a document and a term, 32 a term, 4 a document, the vocabulary and the names. All of
 * that is mapped in an opened index.
 */
typedef struct akin_rank_index akin_rank_index;

/*
 * Makes an index of weights, which must be by term. It keeps nothing of them. `names` is a column with a name for each
 * document; NULL: documents have only numbers. All threads work. During the call it takes about the memory of the index
 * a second time. Under a memory bound, data beyond a quarter of it, and for building the vocabulary beyond half, is in
 * temporary files. Errors: AKIN_E_OPTION (weights by document, or beyond 1e140; impossible names), AKIN_E_INPUT (a term
 * with a NUL byte, or a term that occurs twice in a file that akin did not make), AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO
 * (a temporary file), AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_rank_index_create(akin_context *context, const akin_weights *weights,
                                            const akin_column *names, akin_rank_index **out, akin_error *error);

/* Saves an index as an .akin file (docs/container.md), which appears whole or not at all, and replaces a file of
 * that name; or writes it to an empty output. Write nothing else to that output. Errors: AKIN_E_IO, AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
AKIN_API akin_status akin_rank_index_save(akin_context *context, const akin_rank_index *index, const char *path,
                                          akin_error *error);
AKIN_API akin_status akin_rank_index_write(akin_context *context, const akin_rank_index *index, akin_output *output,
                                           akin_error *error);

/* Opens a saved index ("-": standard input, which is read). The whole file is mapped (akin_mapping). The head, the
 * terms and the factors are checked now, every other block when it is read for the first time. With
 * akin_context_options.verify the whole file is checked now. Errors: AKIN_E_INPUT (the message names the file and the
 * fault, or a stemmer that this build lacks), AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_rank_index_open(akin_context *context, const char *path, akin_rank_index **out,
                                          akin_error *error);
AKIN_API void akin_rank_index_free(akin_rank_index *index);

/* The mapping of the file of an index; NULL: it has none. It lasts as long as the object. */
AKIN_API const akin_mapping *akin_rank_index_mapping(const akin_rank_index *index);

typedef struct akin_rank_index_statistics {
    size_t size;
    uint32_t documents;
    uint32_t terms;       /* terms that occur in a document */
    uint64_t words;       /* tokens of all documents, without stop words */
    uint64_t pairs;       /* pairs of a document and a term */
    uint64_t bytes_lists; /* bytes of the lists and their blocks */
    akin_formula formula;
    uint32_t named; /* whether documents have names */
    double k1, b, delta;
} akin_rank_index_statistics;

/* Describes an index. The caller first sets statistics->size. Errors: AKIN_E_OPTION (an impossible size). */
AKIN_API akin_status akin_rank_index_describe(const akin_rank_index *index, akin_rank_index_statistics *statistics,
                                              akin_error *error);

/* Sets *bytes and *length to the name of a document, valid as long as the index, and returns 1; returns 0 if
 * documents have no names, there is no such document, or the name is in a damaged block of the file. A ranking fails if
 * the name of a found document is damaged. */
AKIN_API int akin_rank_index_name(const akin_rank_index *index, uint32_t document, const char **bytes, size_t *length);

typedef struct akin_rank_options {
    size_t size;
    uint32_t k;        /* the most documents for each query, at least 1 */
    uint32_t reserved; /* 0 */
} akin_rank_options;

#define AKIN_RANK_OPTIONS_INIT                                                                                         \
    {                                                                                                                  \
        sizeof(akin_rank_options), 10, 0                                                                               \
    }

/* A document that was found. */
typedef struct akin_ranking_hit {
    uint32_t query;    /* its row */
    uint32_t document; /* its number */
    double score;
} akin_ranking_hit;

/* Takes the documents of some queries, in the order of queries, best first. A non-zero answer ends the work with
 * AKIN_E_CANCELLED. */
typedef int (*akin_rank_sink)(void *user, const akin_ranking_hit *found, size_t count);

/*
 * Ranks documents: for each query, row i of all columns, finds the k documents with the highest score; ties are in the
 * order of numbers. The score of a document is the sum of the weights of the query's tokens in it, added in the order
 * of the query as doubles, each addition rounded. A token that occurs twice counts twice; a token that no document has
 * counts nothing. Documents without a token of the query are not found. Queries become terms as the documents did.
 *
 * The result is exact: a document is skipped only by bounds that also hold for the rounded sums (H. Turtle and J.
 * Flood, Query evaluation: strategies and optimizations, 1995, MaxScore; S. Ding and T. Suel, Faster top-k document
 * retrieval using block-max indexes, SIGIR 2011). Threads share the queries. The result is the same bytes with any
 * number of threads and on a GPU.
 *
 * A GPU is used if the context names it, or with "auto" if the number of queries is predicted to be worth a copy of the
 * index. The GPU has the lists uncoded: 4 bytes for each pair of a document and a term, 8 more where the term occurs
 * more than once, 12 a document, and bits of frequent terms in up to a quarter of its memory. Queries go there in
 * batches. The CPU ranks queries of more than 32 terms or 64 tokens. On a GPU k is at most 1,024.
 *
 * Memory: 300 KB a thread, 16 bytes for each found document of the current queries, and 1.3 KB for each word of the
 * longest query. A memory bound reduces the queries and threads that run at once. If the k documents of one query
 * exceed it, the call fails before it begins. Errors: AKIN_E_OPTION (also a larger k with a GPU that was asked for),
 * AKIN_E_INPUT (a query is not UTF-8), AKIN_E_DEVICE (a GPU that was asked for cannot be used), AKIN_E_LIMIT,
 * AKIN_E_NOMEM (also of a GPU that was asked for; or a bound too small for the k documents or the words of a query),
 * AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_rank(akin_context *context, const akin_rank_index *index, const akin_column *queries,
                               uint32_t columns, uint32_t rows, const akin_rank_options *options, akin_rank_sink sink,
                               void *user, akin_error *error);

/*
 * The same in two steps, for several calls with queries. An akin_ranking keeps the preparations, above all the copy of
 * the index on a GPU. It borrows the context and the index until it is freed. One thread at a time may use it. After an
 * error it can be used again, unless its GPU is lost. Errors: those of akin_rank.
 */
typedef struct akin_ranking akin_ranking;
AKIN_API akin_status akin_ranking_create(akin_context *context, const akin_rank_index *index,
                                         const akin_rank_options *options, akin_ranking **out, akin_error *error);
AKIN_API akin_status akin_ranking_run(akin_ranking *ranking, const akin_column *queries, uint32_t columns,
                                      uint32_t rows, akin_rank_sink sink, void *user, akin_error *error);
AKIN_API void akin_ranking_free(akin_ranking *ranking);

/* The quality of a ranking, measured by judgements of relevant documents. The figures are means over the judged
 * queries that have a relevant document:
 * 
 *     ndcg_10     the gain of the first ten, divided by the gain of the best order of all judged documents; the gain is
 *                 the sum of the judgements (0 if negative), each divided by log2(rank + 1) (K. Jarvelin and J.
 *                 Kekalainen, 2002)
 *     map         the mean over the relevant documents of the precision at their ranks, 0 for those that were not found
 *     p_10        the number of relevant documents among the first ten, divided by 10
 *     r_100       the share of the relevant documents among the first 100
 *     mrr         1 / the rank of the first relevant document, or 0
 *  */
typedef struct akin_trec_evaluation {
    size_t size;
    double ndcg_10, map, p_10, r_100, mrr;
    uint32_t queries;  /* queries with a relevant document */
    uint32_t answered; /* of these, the queries for which the run has documents */
    uint64_t found;    /* lines of the run for these queries */
    uint64_t relevant; /* relevant documents of all queries */
} akin_trec_evaluation;

/*
 * Evaluates a run in TREC's format, lines of `query Q0 document rank score tag`, by judgements in TREC's format, lines
 * of `query 0 document relevance`. Blanks or tabs separate fields. Each file is plain or compressed; "-" is standard
 * input. As in trec_eval, documents are ranked by score, and of equal scores the id that is larger byte by byte comes
 * first; the ranks in the run are ignored. A document with a judgement of 1 or more is relevant, any other is not. A
 * query that the run lacks found nothing. A run without any judged query is an error, unless one of the files is empty.
 * The caller first sets result->size.
 *
 * Memory: some 70 bytes a line. Errors: AKIN_E_INPUT (the message names the file, the line and what was expected; a
 * document that occurs twice for a query is an error), AKIN_E_OPTION, AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_evaluate_trec(akin_context *context, const char *run, const char *judgements,
                                        akin_trec_evaluation *result, akin_error *error);

/* --------------------------------------------------------------------------------------- matrices (experimental) */

/* The type of the numbers of a matrix. */
typedef enum akin_number {
    AKIN_NUMBER_U8,  /* uint8_t */
    AKIN_NUMBER_F32, /* float, finite */
    AKIN_NUMBER_I32, /* int32_t */
    AKIN_NUMBER_I64, /* int64_t */
} akin_number;

/* Vectors or signatures, one a row. akin_matrix_read makes a matrix, or the caller lends its own numbers. */
typedef struct akin_matrix {
    size_t size;
    uint32_t rows, columns; /* at most 2^32 - 2, and AKIN_MATRIX_COLUMNS */
    akin_number number;
    uint32_t reserved;   /* 0 */
    const void *numbers; /* row by row, `columns` each, without gaps, aligned as their type is */
} akin_matrix;

#define AKIN_MATRIX_COLUMNS 1048576

/* The formats of matrices: little-endian, plain, gzip or zstd. */
typedef enum akin_matrix_format {
    AKIN_MATRIX_AUTO, /* by the file's name, see akin_matrix_format_of_name */
    AKIN_MATRIX_U8,   /* int32 rows, int32 columns, then the numbers row by row, a byte each (.u8, .u8bin), */
    AKIN_MATRIX_F32,  /* or a float each (.f32, .fbin), */
    AKIN_MATRIX_I32,  /* or an int32 each (.i32, .ibin) */
    /* NumPy's (NEP 1), two-dimensional, in C order: uint8; float32; float64, rounded to float32; int8, int16, int32 and
     * uint16 as int32; int64, uint32 and uint64 (its bits) as int64. */
    AKIN_MATRIX_NPY,
    AKIN_MATRIX_BVECS, /* for each row: int32 columns, the same in all, then the numbers: bytes, */
    AKIN_MATRIX_FVECS, /* or floats, */
    AKIN_MATRIX_IVECS, /* or int32 */
} akin_matrix_format;

/* Sets *out to the format of that name ("auto", "u8", "f32", "i32", "npy", "bvecs", "fvecs", "ivecs"). Errors:
 * AKIN_E_OPTION (the message lists the names). */
AKIN_API akin_status akin_matrix_format_parse(const char *name, akin_matrix_format *out, akin_error *error);

/* The format by the ending of a file's name: .u8 .u8bin .f32 .fbin .i32 .ibin .npy .bvecs .fvecs .ivecs, optionally
 * followed by .gz or .zst. Errors: AKIN_E_OPTION (another ending or none, such as "-"). */
AKIN_API akin_status akin_matrix_format_of_name(const char *path, akin_matrix_format *out, akin_error *error);

/*
 * Reads a whole matrix ("-": standard input). With a memory bound, data beyond an eighth of it is in a temporary file.
 * An empty file of .bvecs, .fvecs or .ivecs is 0 rows of 0 columns. Errors: AKIN_E_INPUT (the message names the file
 * and the row: a truncated file, or extra bytes; a number that is not finite, or beyond a float; too many columns; a
 * .npy file of another kind), AKIN_E_LIMIT (2^32 - 1 rows), AKIN_E_OPTION (AUTO, and an unknown ending), AKIN_E_IO,
 * AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_matrix_read(akin_context *context, const char *path, akin_matrix_format format,
                                      akin_matrix **out, akin_error *error);
AKIN_API void akin_matrix_free(akin_matrix *matrix); /* a matrix of akin_matrix_read */

/* ---------------------------------------------------------------------------------- match counts (experimental) */

/*
 * Match-count search (J. Zhou, Q. Guo, H. V. Jagadish, L. Krcal, S. Liu, W. Luan, A. K. H. Tung, Y. Yang, Y. Zheng, A
 * Generic Inverted Index Framework for Similarity Search on the GPU, section 3). An object is a set of keywords. A
 * query is a list of items, each a keyword or a range of keywords. The count of an object is the number of its keywords
 * that the items contain; a keyword in several items counts for each. A search finds the k objects with the highest
 * counts, or fewer if there are fewer: counts descend, objects with equal counts ascend, and objects with count 0 come
 * last. The result is exact.
 *
 * An index of strings finds the nearest strings by edit distance: distances ascend, then objects.
 *
 * An index of kind AKIN_KIND_BM25 is an akin_rank_index, and ranks documents as akin_rank does.
 *
 * An index never changes, and does not depend on the context that made it. Many threads may read it. It has for each
 * keyword 16 bytes and its objects, 2 bytes each or less where most objects have it; and the vocabulary, tokens or
 * values of the keywords. An opened index is mapped, except that strings are sorted when they are opened.
 */
typedef struct akin_search_index akin_search_index;

/* The kinds of objects of an index. */
typedef enum akin_search_kind {
    AKIN_KIND_SETS = 1,       /* sets of token ids, and so are the queries */
    AKIN_KIND_DOCUMENTS = 2,  /* texts by their distinct tokens, and so are the queries */
    AKIN_KIND_ROWS = 3,       /* rows of a table by the values of its columns */
    AKIN_KIND_STRINGS = 4,    /* strings by edit distance */
    AKIN_KIND_VECTORS = 5,    /* vectors by the values of hash functions, and so are the queries */
    AKIN_KIND_SIGNATURES = 6, /* the values of the caller's own hash functions */
    AKIN_KIND_BM25 = 7,       /* texts, ranked by the weights of their terms; queries are texts */
    AKIN_KIND_TREES = 8       /* trees by edit distance, as akin_trees_join reads them, and so are the queries */
} akin_search_kind;

/* The name of a kind, as --kind takes it ("sets", "documents", "rows", "strings", "vectors", "signatures", "bm25"),
 * static; NULL for an unknown value. */
AKIN_API const char *akin_search_kind_name(akin_search_kind kind);

/* Sets *out to the kind of that name. Errors: AKIN_E_OPTION (the message lists the names). */
AKIN_API akin_status akin_search_kind_parse(const char *name, akin_search_kind *out, akin_error *error);

/* The form of the objects and queries of a kind. */
typedef enum akin_given_form {
    AKIN_GIVEN_SETS,   /* sets of token ids */
    AKIN_GIVEN_MATRIX, /* rows of a matrix */
    AKIN_GIVEN_TEXTS,  /* columns of text */
    AKIN_GIVEN_TABLE   /* columns of a table, found by their names */
} akin_given_form;

/* The fields of an akin_search_hit that have a value. */
typedef enum akin_hit_value {
    AKIN_HIT_COUNT = 1,      /* count */
    AKIN_HIT_SIMILARITY = 2, /* similarity */
    AKIN_HIT_DISTANCE = 4,   /* distance */
    AKIN_HIT_EDITS = 8,      /* count, which is an edit distance */
    AKIN_HIT_CERTIFICATE = 16,
    AKIN_HIT_SCORE = 32 /* similarity, which is a score */
} akin_hit_value;

/* The facts of a kind of index. */
typedef struct akin_search_facts {
    const char *title; /* its objects, such as "sets by MinHash" */
    /* The options of akin index and akin search for this kind that not all kinds take, separated by blanks; "scan" is
     * --technique scan. */
    const char *options;
    akin_given_form objects;
    unsigned values; /* of hits without a measure: a sum of akin_hit_value */
} akin_search_facts;

/* The facts of a kind of index, static, without or with hash functions; NULL: there is no such index. The names of
 * kinds are the table "search-kinds". */
AKIN_API const akin_search_facts *akin_search_facts_of(akin_search_kind kind, int is_hashed);

/* Whether `facts->options` has an option of that name. */
AKIN_API int akin_search_facts_take(const akin_search_facts *facts, const char *option);

/*
 * Each of the following functions makes an index on all threads, and keeps nothing of its input. A GPU makes the lists
 * if it was asked for or is predicted to be faster, with the same bytes. Objects are the rows, numbered from 0 on.
 * `names` is a column with a name for each object; NULL: objects have only numbers. During the call it takes 4 bytes
 * for each keyword of each object beside the index, and the memory of making sets of text. With a memory bound (see
 * akin_context_options) further data, parts of the index, and the index itself are in temporary files.
 *
 * Errors of all: AKIN_E_OPTION (impossible columns or options), AKIN_E_LIMIT (2^32 - 1 objects or keywords),
 * AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_DEVICE (a GPU that was asked for), AKIN_E_CANCELLED.
 */

/* An index of sets, whose tokens are the keywords. It takes up to 0.8 GB where token ids come near 2^32. */
AKIN_API akin_status akin_search_index_of_sets(akin_context *context, const akin_sets *sets, const akin_column *names,
                                               akin_search_index **out, akin_error *error);

/* An index of texts. Row i of all columns is document i, and its distinct tokens are the keywords. options->multiset
 * must be 0. Further errors: AKIN_E_INPUT (the message names row and column of text that is not UTF-8, or has a
 * token with a NUL byte). */
AKIN_API akin_status akin_search_index_of_documents(akin_context *context, const akin_column *columns, uint32_t count,
                                                    uint32_t rows, const akin_text_options *options,
                                                    const akin_column *names, akin_search_index **out,
                                                    akin_error *error);

/* How the rows of a table become keywords. */
typedef struct akin_rows_options {
    size_t size;
    const char *const *numeric; /* names of the columns with numbers */
    uint32_t numeric_count;
    uint32_t bins; /* of each such column, of equal width: 1 to AKIN_ROWS_BINS_MOST */
} akin_rows_options;

#define AKIN_ROWS_BINS_MOST 16777216

#define AKIN_ROWS_OPTIONS_INIT                                                                                         \
    {                                                                                                                  \
        sizeof(akin_rows_options), NULL, 0, 1024                                                                       \
    }

/*
 * An index of the rows of a table, whose columns have distinct names. Each distinct value of a column, compared byte by
 * byte, is a keyword. In a numeric column each bin that is not empty is a keyword; bin(x) is the whole part of
 *
 *     (x - low) / (high - low) * bins        low, high: the least and the largest value; high itself is in the last bin
 *
 * in doubles, each step rounded. If low equals high, no tolerance reaches the bins of other numbers. An empty or null
 * field is not a keyword. Further errors: AKIN_E_INPUT (the message names row and column of a value that is not a
 * number).
 */
AKIN_API akin_status akin_search_index_of_rows(akin_context *context, const akin_column *columns, uint32_t count,
                                               uint32_t rows, const akin_rows_options *options,
                                               const akin_column *names, akin_search_index **out, akin_error *error);

typedef struct akin_strings_options {
    size_t size;
    uint32_t ngram; /* symbols of the n-grams that are kept as keywords, 1 to AKIN_NGRAM_MOST; 0: none are */
    uint32_t bytes; /* 1: a symbol is a byte; 0: it is a code point of UTF-8 */
    /* The differences that do not count, also in strings that are added later and in queries: values of akin_fold; 0:
     * none. The index keeps only the folded strings. */
    uint32_t folds;
    uint32_t reserved; /* 0 */
} akin_strings_options;

#define AKIN_NGRAM_MOST 5

#define AKIN_STRINGS_OPTIONS_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(akin_strings_options), 0, 0, 0, 0                                                                       \
    }

/*
 * An index of strings, compared by code points, as akin_match does, or by bytes. akin_search_index_make, and later
 * calls, take several columns for strings, and combine them as akin_table_combine does. A null is never found. With
 * n-grams the index also has the ordered n-grams of each string as keywords: pairs of an n-gram and its occurrence
 * (section V-A of the paper). A search with options->candidates counts them. Further errors: AKIN_E_INPUT (a string
 * that is compared by code points is not UTF-8), AKIN_E_LIMIT (a string of 2^31 symbols, or with an n-gram 2^24 times).
 */
AKIN_API akin_status akin_search_index_of_strings(akin_context *context, const akin_column *column, uint32_t rows,
                                                  const akin_strings_options *options, const akin_column *names,
                                                  akin_search_index **out, akin_error *error);

/*
 * Families of locality-sensitive hash functions (LSH; section IV of the paper). Two objects have the same value of a
 * function with a probability that falls with their distance. The values of many functions are a signature. The
 * keywords of a vector are its values, each with its function. So the count is the number of functions that agree with
 * the query, and estimates the distance. Counts are exact, distances are approximate. At a distance of d, with width w
 * and the normal distribution N, the probability is
 *
 *     L1         2/pi atan(w/d) - ln(1 + (w/d)^2) / (pi w/d)                  (equation 11 for Cauchy's)
 *     L2         1 - 2 N(-w/d) - 2 / (sqrt(2 pi) w/d) (1 - exp(-(w/d)^2 / 2))    (equation 11 for the normal)
 *     LAPLACE    exp(-d / sigma), d by L1
 *     COSINE     1 - d / pi, d the angle
 *     JACCARD    1 - d, d the Jaccard distance of sets
 */
typedef enum akin_family_kind {
    AKIN_FAMILY_L1,      /* "e2lsh-l1": Manhattan distance (Datar et al. 2004, Cauchy's distribution) */
    AKIN_FAMILY_L2,      /* "e2lsh-l2": Euclidean distance (the same, the normal distribution) */
    AKIN_FAMILY_LAPLACE, /* "random-binning": the Laplacian kernel (Rahimi and Recht 2007) */
    AKIN_FAMILY_COSINE,  /* "simhash": angles (Charikar 2002) */
    AKIN_FAMILY_JACCARD  /* "minhash": of sets (Broder 1997) */
} akin_family_kind;

/* The name of a family, as --family takes it, static; NULL for an unknown value. */
AKIN_API const char *akin_family_name(akin_family_kind family);

/* Sets *out to the family of that name. Errors: AKIN_E_OPTION (the message lists the names). */
AKIN_API akin_status akin_family_parse(const char *name, akin_family_kind *out, akin_error *error);

/* The facts of a family. */
typedef struct akin_family_facts {
    akin_given_form objects;                    /* that it hashes: AKIN_GIVEN_MATRIX or AKIN_GIVEN_SETS */
    uint32_t buckets;                           /* the default number of values of a function */
    uint32_t has_width, has_sigma, has_buckets; /* 1: it takes these options */
    uint32_t reserved;
} akin_family_facts;

/* The facts of a family, static; NULL: there is no such family. And whether the family takes "width", "sigma" or
 * "buckets". */
AKIN_API const akin_family_facts *akin_family_facts_of(akin_family_kind family);
AKIN_API int akin_family_takes(akin_family_kind family, const char *option);

typedef struct akin_vectors_options {
    size_t size;
    akin_family_kind family;
    /* Hash functions. The share of functions that agree estimates the probability that a function agrees. 0: the least
     * number of functions for which, at this number and above, the error of the estimate is at most epsilon with a
     * probability of 1 - delta (equation 8). epsilon is 0.02 to 1, delta above 0 and below 1. */
    uint32_t functions;
    /* Values of a function. 0: 67 for L1 and L2, 8,192 for LAPLACE and JACCARD, as in the paper; 2 for COSINE. */
    uint32_t buckets;
    uint32_t signatures_only; /* 1: the vectors themselves are not kept, and there are no true distances */
    double epsilon, delta;
    /* For L1 and L2. 0: the mean distance of a sample's pairs; with given buckets, the width at which the values of
     * a sample span that many (section VI-D). */
    double width;
    double sigma; /* for LAPLACE; 0: the mean L1 distance of a sample's pairs (section VI-D) */
    uint64_t seed;
} akin_vectors_options;

#define AKIN_VECTORS_OPTIONS_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(akin_vectors_options), AKIN_FAMILY_L2, 237, 0, 0, 0, 0, 0, 0, 1                                         \
    }

/*
 * An index of vectors, rows of bytes or floats, by a family other than JACCARD. Memory, in bytes: 2 for each function
 * of each vector, 1 more with fewer than 256 buckets or 2 more with fewer than 65,536; 16 a bucket of each function;
 * for each function 4 a column, 8 with LAPLACE; and the vectors themselves. During the call 8 for each function of each
 * vector. Further errors: AKIN_E_INPUT (a number that is not finite), AKIN_E_LIMIT (functions times buckets, or times
 * columns, beyond 2^32 - 2).
 */
AKIN_API akin_status akin_search_index_of_vectors(akin_context *context, const akin_matrix *vectors,
                                                  const akin_vectors_options *options, const akin_column *names,
                                                  akin_search_index **out, akin_error *error);

/* An index of sets by the family JACCARD, of kind AKIN_KIND_SETS, to search with sets. Tokens are hashed, and the
 * sets are not kept. An empty set agrees with no set. For short sets an index of their tokens, searched by
 * AKIN_JACCARD, is exact and may be faster. */
AKIN_API akin_status akin_search_index_of_minhash(akin_context *context, const akin_sets *sets,
                                                  const akin_vectors_options *options, const akin_column *names,
                                                  akin_search_index **out, akin_error *error);

typedef struct akin_signatures_options {
    size_t size;
    /* Values are hashed into 0 .. buckets - 1, so different values agree with a probability of 1 / buckets; 2 to
     * 2^31 - 1. 0: values are kept, with 8 bytes for each distinct one of a column, and 16 bytes as a keyword. */
    uint32_t buckets;
    uint32_t reserved; /* 0 */
    uint64_t seed;     /* of that hash */
} akin_signatures_options;

#define AKIN_SIGNATURES_OPTIONS_INIT                                                                                   \
    {                                                                                                                  \
        sizeof(akin_signatures_options), 0, 0, 1                                                                       \
    }

/* An index of the values of any hash functions: integers, with a column for each function. The count of an object is
 * the number of columns in which it has the value of the query. It takes 12 bytes for each value during the call.
 * Further errors: AKIN_E_LIMIT (2^32 - 1 values of columns). */
AKIN_API akin_status akin_search_index_of_signatures(akin_context *context, const akin_matrix *signatures,
                                                     const akin_signatures_options *options, const akin_column *names,
                                                     akin_search_index **out, akin_error *error);

/* An index for ranking, kind AKIN_KIND_BM25. It has the content and the errors of akin_rank_index_create. */
AKIN_API akin_status akin_search_index_of_weights(akin_context *context, const akin_weights *weights,
                                                  const akin_column *names, akin_search_index **out, akin_error *error);

/* Objects of any kind: sets, a matrix, or columns. */
typedef struct akin_search_objects {
    size_t size;
    const akin_column *columns;
    uint32_t column_count, rows; /* of the columns */
    const akin_sets *sets;
    const akin_matrix *matrix;
} akin_search_objects;

/* Options for any kind, which uses those that it needs; NULL: their defaults. */
typedef struct akin_search_index_options {
    size_t size;
    const akin_text_options *text;
    const akin_rows_options *table;
    const akin_strings_options *strings;
    const akin_vectors_options *functions; /* for sets NULL: their tokens are the keywords */
    const akin_signatures_options *signatures;
    const akin_weigh_options
        *weigh; /* for bm25; its order is ignored, and `text` stands in for a NULL text of its own */
    const akin_trees_options *trees; /* for trees; only its format counts */
} akin_search_index_options;

#define AKIN_SEARCH_INDEX_OPTIONS_INIT                                                                                 \
    {                                                                                                                  \
        sizeof(akin_search_index_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL                                    \
    }

/* Makes an index of any kind, as the functions above. Further errors: AKIN_E_OPTION (objects in another form than
 * the kind needs). */
AKIN_API akin_status akin_search_index_make(akin_context *context, akin_search_kind kind,
                                            const akin_search_objects *objects,
                                            const akin_search_index_options *options, const akin_column *names,
                                            akin_search_index **out, akin_error *error);

/*
 * Makes a longer index: the objects of an index, followed by new objects from columns, sets or a matrix. The new
 * objects have the form of queries, and are indexed like the old ones: texts are cut in the same way, columns of rows
 * are found by name and must all be there, strings have the same n-grams, hash functions are the same, and vectors are
 * kept if the index keeps its vectors. New objects need names if the old ones have names, and vectors have the same
 * type of numbers. The old index is unchanged.
 *
 * The result equals, byte by byte, an index of all objects at once, except for values that were measured on the old
 * objects: a width or a sigma that was not given stays, and numbers of rows outside the old range have further bins of
 * the same width, up to AKIN_ROWS_BINS_MOST on either side. The call takes the time of copying the index and of
 * indexing the new objects; the words of documents are sorted again, at about a microsecond each. Errors: those of
 * making such an index, and AKIN_E_OPTION (another kind of objects; columns, numbers or names that do not fit the
 * index), AKIN_E_INPUT (a number too far from the others).
 *
 *   counts   for documents: the counts of the new texts are added to these, as in akin_sets_from_columns; NULL: they
 *            are not needed. Other kinds add nothing. akin_search_statistics has the tokens for akin_text_warn.
 */
AKIN_API akin_status akin_search_index_append(akin_context *context, const akin_search_index *index,
                                              const akin_column *columns, uint32_t count, uint32_t rows,
                                              const akin_column *names, akin_text_counts *counts,
                                              akin_search_index **out, akin_error *error);
AKIN_API akin_status akin_search_index_append_sets(akin_context *context, const akin_search_index *index,
                                                   const akin_sets *sets, const akin_column *names,
                                                   akin_search_index **out, akin_error *error);
AKIN_API akin_status akin_search_index_append_vectors(akin_context *context, const akin_search_index *index,
                                                      const akin_matrix *vectors, const akin_column *names,
                                                      akin_search_index **out, akin_error *error);

/* Saves an index as an .akin file (docs/container.md), which appears whole or not at all, and replaces a file of
 * that name; or writes it to an empty output. Write nothing else to that output. Errors: AKIN_E_IO, AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
AKIN_API akin_status akin_search_index_save(akin_context *context, const akin_search_index *index, const char *path,
                                            akin_error *error);
AKIN_API akin_status akin_search_index_write(akin_context *context, const akin_search_index *index, akin_output *output,
                                             akin_error *error);

/* Opens a saved index ("-": standard input, which is read). The whole file is mapped (akin_mapping), and all threads
 * check it once. An index of bm25 is checked as akin_rank_index_open checks it. Errors: AKIN_E_INPUT (the message names
 * the file and the fault), AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
AKIN_API akin_status akin_search_index_open(akin_context *context, const char *path, akin_search_index **out,
                                            akin_error *error);
AKIN_API void akin_search_index_free(akin_search_index *index);

/* The mapping of the file of an index; NULL: it has none. It lasts as long as the object. */
AKIN_API const akin_mapping *akin_search_index_mapping(const akin_search_index *index);

typedef struct akin_search_statistics {
    size_t size;
    akin_search_kind kind;
    uint32_t objects;
    uint32_t keywords;       /* keywords that an object has; terms for bm25; 0 for strings */
    uint32_t columns;        /* columns of rows, dimensions of vectors, else 0 */
    uint32_t ngram;          /* for strings, else 0 */
    uint32_t functions;      /* for vectors, signatures, and sets by MinHash; else 0 */
    uint64_t bytes;          /* of the saved index */
    uint64_t longest;        /* symbols of the longest string */
    akin_family_kind family; /* for vectors and sets by MinHash */
    uint32_t buckets;        /* of a function; 0: signatures that are not hashed */
    double width, sigma;     /* of families with one, else 0 */
    uint64_t vectors;        /* bytes of the kept vectors */
    uint32_t named;          /* whether objects have names */
    uint32_t folds;          /* for strings: values of akin_fold; else 0 */
    akin_tokens tokens;      /* of the texts, for documents and bm25; else 0 */
    uint32_t q;              /* the length of these tokens, if they have one; else 0 */
    uint32_t reserved;       /* 0 */
    akin_formula formula;    /* for bm25, as the fields below; else 0 */
    uint64_t words;          /* tokens of all documents, without stop words */
    uint64_t pairs;          /* pairs of a document and a term */
    double k1, b, delta;
} akin_search_statistics;

/* Describes an index. The caller first sets statistics->size. Errors: AKIN_E_OPTION (an impossible size). */
AKIN_API akin_status akin_search_index_describe(const akin_search_index *index, akin_search_statistics *statistics,
                                                akin_error *error);

/* Sets *bytes and *length to the name of an object, valid as long as the index, and returns 1; returns 0 if objects
 * have no names, or there is no such object. */
AKIN_API int akin_search_index_name(const akin_search_index *index, uint32_t object, const char **bytes,
                                    size_t *length);

/* How objects are counted. All techniques find the same. */
typedef enum akin_search_technique {
    AKIN_SEARCH_AUTO,  /* the one that is predicted to be fastest */
    AKIN_SEARCH_LISTS, /* the lists of the items' keywords, in counters of 32,768 objects at a time */
    /* Compares every object with every item, for rows whose columns have at most 65,535 keywords each. For strings
     * compares all strings with the queries, as auto does. */
    AKIN_SEARCH_SCAN,
    AKIN_SEARCH_TECHNIQUE_ANNEX = AKIN_ANNEX_FIRST, /* from here on: rows of an annex */
} akin_search_technique;

/* The name of a technique of the library or of the annex (NULL: none), as --technique takes it ("auto", "lists",
 * "scan"), static; NULL for an unknown value. */
AKIN_API const char *akin_search_technique_name(const akin_annex *annex, akin_search_technique technique);

/* Sets *out to the technique of that name. Errors: AKIN_E_OPTION (the message lists the names). */
AKIN_API akin_status akin_search_technique_parse(const akin_annex *annex, const char *name, akin_search_technique *out,
                                                 akin_error *error);

typedef struct akin_search_options {
    size_t size;
    uint32_t k; /* the most objects for each query, at least 1 */
    akin_search_technique technique;
    uint32_t tolerance; /* for rows: the bins on either side of a number's bin that its item also contains */
    uint32_t least;     /* objects with lower counts are not found; for strings 0 */
    /* For strings with n-grams: the number of candidates, the strings with the most n-grams in common with a query.
     * They are compared with the query. While the nearest are not proven (theorem 5.2 of the paper), more are
     * compared, in the end all. 0: AKIN_SEARCH_AUTO tries with some queries whether candidates are faster than
     * comparing all strings. AKIN_SEARCH_SCAN compares all strings, and so does an index without n-grams. */
    uint32_t candidates;
    /* 1: only `candidates` strings, or trees, are compared, and results without a certificate may be wrong. */
    uint32_t one_round;
    /* For sets and documents: AKIN_JACCARD, AKIN_COSINE or AKIN_DICE. Objects are found by this measure, the most
     * similar first, and equal similarities in the order of objects. AKIN_OVERLAP: the count. Tokens that no object
     * has still count for a query's size. */
    akin_measure measure;
    /* For kept vectors: the number of vectors that agree the most, at least k, to compare with the query. The k
     * nearest of them are found: distances ascend, then objects. As many as the index has, or more: the answer is
     * exact. AKIN_SEARCH_AUTO then compares all objects without counting, if `least` is 0, k is at most 1/64 of the
     * objects, no GPU is required, the family is not simhash, and queries and objects have the same type of numbers.
     * Otherwise it counts first; the answers are the same. 0: no comparison, and distances are estimated. */
    uint32_t rerank;
    /* For rows: the weight of an item, 1 or more, for each column of the queries; NULL: 1. */
    const uint32_t *weights;
    /* Options of a technique of an annex: a struct of the annex's header. Borrowed. NULL: its defaults. */
    const void *annex;
    /* For trees: the largest distance of what is found; UINT32_MAX: any. Up to 16 an index of rare nodes finds them,
     * which is fast. Farther trees are compared in the order of a lower bound of their distance. With one_round at most
     * `candidates` trees are compared with a query, and results without a certificate may be wrong. */
    uint32_t within;
    uint32_t reserved; /* 0 */
} akin_search_options;

#define AKIN_SEARCH_OPTIONS_INIT                                                                                       \
    {                                                                                                                  \
        sizeof(akin_search_options), 10, AKIN_SEARCH_AUTO, 50, 0, 0, 0, AKIN_OVERLAP, 0, NULL, NULL, UINT32_MAX, 0     \
    }

/* Why the result of a query is right. */
typedef enum akin_certificate {
    AKIN_CERTIFICATE_NONE = 0,   /* not proven: after one round of candidates, or after reranking */
    AKIN_CERTIFIED_BY_COUNT = 1, /* by the counts of all objects; for strings by the counts of their n-grams; for bm25
                                  * by bounds of scores; for trees by their rare nodes */
    AKIN_CERTIFIED_BY_SCAN = 2,  /* every string or tree was compared, or ruled out by a bound of its distance */
} akin_certificate;

/* The name of a certificate, as results have it ("none", "by count", "by scan"), static; NULL for an unknown value. */
AKIN_API const char *akin_certificate_name(akin_certificate certificate);

/* An object that was found. */
typedef struct akin_search_hit {
    uint32_t query;  /* its row */
    uint32_t object; /* its number */
    uint32_t count;  /* for strings the distance */
    akin_certificate certificate;
    /* By the measure (AKIN_OVERLAP: the count); for strings 0; for bm25 the score; with hash functions the share of
     * functions that agree, which estimates the probability of agreement (equation 7). */
    double similarity;
    /* With a family: the distance whose probability is `similarity`, corrected for the buckets that values are hashed
     * into; infinite if no function agrees; after reranking the true distance. Angles are in radians. No family: 0. */
    double distance;
} akin_search_hit;

/* Takes the objects of some queries, in the order of queries, best first. A non-zero answer ends the work with
 * AKIN_E_CANCELLED. */
typedef int (*akin_search_sink)(void *user, const akin_search_hit *found, size_t count);

/* The most objects that a GPU finds for a query. */
#define AKIN_SEARCH_K_GPU 262144

/* What a search did. */
typedef struct akin_search_report {
    size_t size;
    uint32_t queries;
    akin_search_technique technique;         /* of the last batch of queries */
    uint32_t by_count, by_scan, uncertified; /* queries by certificate */
    uint32_t device;                         /* that counted the last batch: 0 the CPU, N + 1 GPU N */
    uint32_t given_up; /* N + 1 for a GPU N that "auto" chose and that failed, so the CPU did the work; else 0 */
    uint32_t
        parts; /* of the index on the GPU, for the last batch; 1: the whole index stays there; 0: the CPU counted */
    uint64_t items; /* of all queries */
    uint64_t found;
    double seconds_lists,
        seconds_scan;       /* predicted for each technique on one thread; 0: not predicted, or not possible */
    double seconds_device;  /* predicted for a GPU, with its share of copying the index; 0: likewise */
    double seconds_queries; /* queries to items */
    double seconds_search;
    double annex_figures[5]; /* of a technique of an annex, whose header reads them; 0 otherwise */
} akin_search_report;

/*
 * Searches for documents, rows or strings. Row i of all columns is query i. Its items are, by kind of index:
 *
 *     documents    the distinct tokens of its text, cut like the texts of the index
 *     rows         an item for each field that is not empty or null. Columns are found by name, in any order, and may
 *                  be fewer than those of the index. A field is a value. In a numeric column it is a number, for its
 *                  bin and options->tolerance bins on either side, or a range "[20,30]", "[20,]" or "[,30]", for the
 *                  bins of both ends and those between. A value that the index lacks contains nothing
 *     strings      the string of its one column; a null finds nothing
 *     bm25         the tokens of its text, as for akin_rank; documents without any of them are not found
 *
 * Queries come in batches, and threads share them; with few queries threads share the objects. The result is the same
 * bytes with any number of threads, at any SIMD level, by any technique, and on a GPU, except for the certificates of
 * strings.
 *
 * The context's first GPU counts objects if a GPU was asked for, or if the device is "auto" and the GPU is predicted to
 * be faster.
 *   - It compares strings of up to 1,024 symbols, of at most 254 different ones, with queries of up to 256; the CPU
 *     scans for the others. For longer strings, and with candidates, it counts n-grams, and the CPU compares.
 *   - It also ranks objects by Jaccard, cosine or Dice, except for queries too large for 32 bits.
 *   - A GPU that was asked for refuses long strings without n-grams or by AKIN_SEARCH_SCAN (AKIN_E_OPTION), more than
 *     AKIN_SEARCH_K_GPU objects for a query, and queries of more than 2^22 keywords (AKIN_E_LIMIT). "auto" leaves these
 *     to the CPU, and also the work of a GPU that failed.
 *   - An index that exceeds the GPU's memory goes there in parts, again for each batch of queries.
 *
 *   sink    receives the results
 *   report  receives the figures; the caller first sets its size; may be NULL
 *
 * Memory: 35 KB a thread, 16 bytes for each object that is found in a batch of queries (some million objects), and 12
 * bytes an item. Errors: AKIN_E_OPTION (an option out of range, columns that the index lacks, an unsuitable technique),
 * AKIN_E_INPUT (the message names row and column of text that is not UTF-8, or of a value that is not a number),
 * AKIN_E_DEVICE (a GPU that was asked for), AKIN_E_LIMIT, AKIN_E_NOMEM (also of a GPU that was asked for),
 * AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_search(akin_context *context, const akin_search_index *index, const akin_column *queries,
                                 uint32_t columns, uint32_t rows, const akin_search_options *options,
                                 akin_search_sink sink, void *user, akin_search_report *report, akin_error *error);

/* The same with sets of token ids as queries, for an index of sets. */
AKIN_API akin_status akin_search_sets(akin_context *context, const akin_search_index *index, const akin_sets *queries,
                                      const akin_search_options *options, akin_search_sink sink, void *user,
                                      akin_search_report *report, akin_error *error);

/* The same with the rows of a matrix as queries: vectors of bytes or floats for an index of vectors with that many
 * columns, or signatures for an index of signatures. It takes 16 bytes more for each function of a query, for up to
 * four million at a time. */
AKIN_API akin_status akin_search_vectors(akin_context *context, const akin_search_index *index,
                                         const akin_matrix *queries, const akin_search_options *options,
                                         akin_search_sink sink, void *user, akin_search_report *report,
                                         akin_error *error);

/* The distance, by the family, between row `query` of a matrix and an object of an index that keeps its vectors: the
 * distance of a search with reranking. Use it to compare results with known neighbours. Errors: AKIN_E_OPTION (an
 * index that keeps no vectors, a matrix of integers or with other columns, a row or an object that does not exist). */
AKIN_API akin_status akin_search_distance(const akin_search_index *index, const akin_matrix *queries, uint32_t query,
                                          uint32_t object, double *distance, akin_error *error);

/*
 * The same for several calls. An akin_searcher keeps the preparations of an index, above all its copy on a GPU. It
 * borrows the context and the index until it is freed. One thread at a time may use it. After an error it can be used
 * again, unless its GPU is lost. akin_searcher_create does not open a GPU; the first call that needs one does. Errors:
 * those of akin_search.
 */
typedef struct akin_searcher akin_searcher;
AKIN_API akin_status akin_searcher_create(akin_context *context, const akin_search_index *index, akin_searcher **out,
                                          akin_error *error);
AKIN_API akin_status akin_searcher_run(akin_searcher *searcher, const akin_column *queries, uint32_t columns,
                                       uint32_t rows, const akin_search_options *options, akin_search_sink sink,
                                       void *user, akin_search_report *report, akin_error *error);
AKIN_API akin_status akin_searcher_run_sets(akin_searcher *searcher, const akin_sets *queries,
                                            const akin_search_options *options, akin_search_sink sink, void *user,
                                            akin_search_report *report, akin_error *error);
AKIN_API akin_status akin_searcher_run_vectors(akin_searcher *searcher, const akin_matrix *queries,
                                               const akin_search_options *options, akin_search_sink sink, void *user,
                                               akin_search_report *report, akin_error *error);
AKIN_API void akin_searcher_free(akin_searcher *searcher);

/* ---------------------------------------------------------------------------------------- corpora (experimental) */

/*
 * Near-duplicates of a corpus. A document is the set of the tokens of its text. Documents come in an order of
 * preference. A document is removed if and only if a kept document before it is alike: their measure reaches the
 * threshold. Its survivor is the first such document. So nothing is removed for a document that is removed itself, and
 * documents are no chain.
 *
 *     documents in the order     a  b  c  d         b is like a, c like b, but not like a; d is like c
 *     removed, and survivor         a     c         c is kept: its only partner before it is not
 *
 * Documents without a token are like one another. The result is exact: hashes find pairs, texts decide. It depends on
 * neither threads, memory bound nor the order of rows with equal preference, if there are ids.
 *
 *     akin_duplicates_find(context, &column, rows, &options, &duplicates, error);
 *     akin_duplicates_row(duplicates, row, &found);
 *     akin_duplicates_free(duplicates);
 */
typedef struct akin_duplicates akin_duplicates;

/* Which of two documents that are alike, or of the copies of a passage, is kept. */
typedef enum akin_keep {
    AKIN_KEEP_FIRST = 0,    /* the one whose row comes first */
    AKIN_KEEP_LONGEST = 1,  /* the one whose text has more bytes */
    AKIN_KEEP_LEAST = 2,    /* the one with the lesser value of a column */
    AKIN_KEEP_GREATEST = 3, /* the one with the greater value */
    AKIN_KEEP_NONE = 4,     /* no copy of a passage is; not of documents */
} akin_keep;

/* Which documents are compared. */
typedef enum akin_comparing {
    AKIN_COMPARE_ALL = 0,
    AKIN_COMPARE_WITHIN = 1, /* those of one source */
    AKIN_COMPARE_ACROSS = 2, /* those of two sources */
} akin_comparing;

typedef struct akin_duplicates_options {
    size_t size;
    uint32_t measure;     /* an akin_measure; the document is the left set, and the kept one the right set */
    akin_ratio threshold; /* as in akin_join_options */
    uint32_t keep;        /* an akin_keep */
    /* How text becomes tokens; NULL: shingles of 5 words. Stop words and multisets are not taken. */
    const akin_text_options *text;
    /* With AKIN_KEEP_LEAST and AKIN_KEEP_GREATEST: values, by which documents are preferred. With both, numbers come
     * before other texts, and nulls and empty texts last. Numbers are compared by their value, texts by their bytes. */
    const akin_column *preference;
    /* The ids of documents, compared as values are: of two documents that are equal otherwise, the one with the lesser
     * id is preferred. NULL: the first row. Not used with AKIN_KEEP_FIRST. */
    const akin_column *ids;
    const akin_column *sources; /* of each document; nulls are a source, too. NULL: `files`, or all are compared */
    uint32_t comparing;         /* an akin_comparing */
    /* 1: documents that a chain of alike pairs connects are one component, of which the preferred document is kept.
     * The others have it as their survivor, and need not be like it. Neither with sources nor with ignore_frequent, nor
     * with a measure that has AKIN_IS_DIRECTED. */
    uint32_t components;
    /* Tokens that are in more documents than that are left out of all documents. A document that has no other tokens is
     * kept, and compared with none. 0: no token is. */
    uint64_t ignore_frequent;
    /* The table that the documents are of, whose temporary files are let go of as the job passes (akin_table_release).
     * NULL: none. */
    const akin_table *table;
    /* With sources NULL: the documents are the rows of this table, and the file of each is its source. NULL: none. */
    const akin_table *files;
} akin_duplicates_options;

#define AKIN_DUPLICATES_OPTIONS_INIT                                                                                   \
    {                                                                                                                  \
        sizeof(akin_duplicates_options), AKIN_JACCARD, {8, 10}, AKIN_KEEP_FIRST, NULL, NULL, NULL, NULL,               \
            AKIN_COMPARE_ALL, 0, 0, NULL, NULL                                                                         \
    }

/* What became of a document. It is one of many, so it has no size: its fields never change. */
typedef struct akin_duplicate {
    uint32_t survivor; /* its row; AKIN_NO_ROW: the document is kept */
    uint32_t common;   /* distinct tokens that both have */
    uint32_t sizes[2]; /* distinct tokens: of the document, and of its survivor */
} akin_duplicate;

typedef struct akin_duplicates_report {
    size_t size; /* of this struct; set it before the call */
    uint64_t documents, kept;
    uint64_t empty;           /* documents without a token */
    uint64_t ignored;         /* distinct tokens that are left out, as they are too frequent */
    uint64_t emptied;         /* documents that have no other tokens */
    uint64_t candidates;      /* pairs that share a rare token, by its hash */
    uint64_t compared;        /* those of them that were compared by their texts */
    uint64_t refuted;         /* those of these that are not alike */
    uint64_t rounds;          /* how often documents were looked through for kept ones: 1 if memory suffices */
    uint64_t memory_peak;     /* bytes of the heap of the job */
    double seconds_frequency; /* how frequent tokens are */
    double seconds_survivors;
    uint64_t on_device; /* documents whose tokens GPUs kept */
    uint32_t device;    /* the first of these GPUs: N + 1 for GPU N; 0: the CPU did all */
    uint32_t reserved;
} akin_duplicates_report;

/*
 * Finds the near-duplicates among the rows of a column. A null is a document without a token. Errors: AKIN_E_OPTION,
 * AKIN_E_INPUT (a text that is not UTF-8, with its row), AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO (a temporary file),
 * AKIN_E_CANCELLED. One thread at a time uses the context. The columns may be freed afterwards.
 */
AKIN_API akin_status akin_duplicates_find(akin_context *context, const akin_column *documents, uint32_t rows,
                                          const akin_duplicates_options *options, akin_duplicates **out,
                                          akin_error *error);
AKIN_API void akin_duplicates_free(akin_duplicates *duplicates);

/* What became of a row, which must be below the number of documents. Threads may call it at once. */
AKIN_API void akin_duplicates_row(const akin_duplicates *duplicates, uint32_t row, akin_duplicate *out);

/* The similarity of a row that is removed and its survivor, by the measure of the job; that of two documents without a
 * token is 1. Of a kept row it is 1. Threads may call it at once. */
AKIN_API double akin_duplicates_similarity(const akin_duplicates *duplicates, uint32_t row);

/* How it was done. Errors: AKIN_E_OPTION (out->size). Threads may call it at once. */
AKIN_API akin_status akin_duplicates_describe(const akin_duplicates *duplicates, akin_duplicates_report *out,
                                              akin_error *error);

/* A page about near-duplicates. */
typedef struct akin_duplicates_page_options {
    size_t size;
    const char *title;       /* what the documents are called, such as the name of a file; NULL: nothing */
    const char *tokens;      /* what a document is a set of, such as "words:5"; NULL: the page does not say it */
    const char *source;      /* the name of the column of sources, whose values are shown; NULL: they are not */
    const akin_table *files; /* a table with the rows: if it is of several files, a document has its file; NULL: none */
    uint32_t clusters;       /* to list at most, the largest ones, 1 to 10000 */
    uint32_t members;        /* removed documents of each, at most, the least alike ones, 1 to 10000; clusters x members
                              * is a million at most */
} akin_duplicates_page_options;

#define AKIN_DUPLICATES_PAGE_OPTIONS_INIT                                                                              \
    {                                                                                                                  \
        sizeof(akin_duplicates_page_options), NULL, NULL, NULL, NULL, 50, 10                                           \
    }

/*
 * Writes a report for people on near-duplicates: one HTML page in UTF-8, which loads nothing and has no script. It
 * shows the figures, how alike removed documents are, how large clusters are, and the largest ones: a cluster is a kept
 * document and those that are removed for it. Of a removed document it marks the words in which it differs from its
 * survivor. Texts are cut to some hundred characters around their differences, so the page has a few MB at most.
 *
 * `documents` and `find` are those of akin_duplicates_find; NULL for both options: the defaults. Documents are called
 * by their ids, else by their rows. The page is the same bytes with any number of threads and any memory bound. Memory:
 * 4 bytes a document, in a temporary file where a bound wants that, and some hundred kB. Errors: AKIN_E_OPTION,
 * AKIN_E_NOMEM, AKIN_E_CANCELLED, those of akin_output_write.
 */
AKIN_API akin_status akin_duplicates_write_page(akin_context *context, const akin_duplicates *duplicates,
                                                const akin_column *documents, const akin_duplicates_options *find,
                                                const akin_duplicates_page_options *options, akin_output *output,
                                                akin_error *error);

/* What thresholds would remove, estimated from documents that are drawn at random. */
typedef struct akin_duplicates_sample_options {
    size_t size;
    /* As for akin_duplicates_find. The threshold is not used; the measure goes from 0 to 1. Neither components nor
     * ignore_frequent. */
    const akin_duplicates_options *find; /* NULL: the defaults */
    uint32_t documents;                  /* how many are drawn, at least 1; not below their number: all are */
    uint32_t reserved;                   /* 0 */
} akin_duplicates_sample_options;

#define AKIN_DUPLICATES_SAMPLE_OPTIONS_INIT                                                                            \
    {                                                                                                                  \
        sizeof(akin_duplicates_sample_options), NULL, 10000, 0                                                         \
    }

#define AKIN_SAMPLE_THRESHOLDS 11 /* 0.5, 0.55, ... 1 */

/* What a threshold would remove, at most: a document that is removed has a document before it that is alike. */
typedef struct akin_threshold_estimate {
    akin_ratio threshold;
    uint64_t alike;     /* drawn documents that are alike a document before them */
    uint64_t documents; /* share of all documents, to the nearest whole number */
    double share;       /* alike / drawn documents; 0 if there are none */
    double low, high; /* Wilson's interval of 95 % for the share of all documents; the share itself if all are drawn */
} akin_threshold_estimate;

typedef struct akin_duplicates_estimate {
    size_t size; /* of this struct; set it before the call */
    uint64_t documents, drawn;
    akin_threshold_estimate at[AKIN_SAMPLE_THRESHOLDS]; /* the thresholds rise */
} akin_duplicates_estimate;

/*
 * Estimates what thresholds would remove of the rows of a column. Each drawn document is compared with all documents
 * before it in the order of preference, removed ones among them. So a share is an upper bound of what is removed: the
 * document before may be removed itself, though its survivor is nearly always alike, too. Which documents are drawn
 * depends on `documents` and the number of rows alone. Comparisons are exact. The documents are looked through once,
 * the drawn ones twice; in memory are 8 bytes for each token of drawn documents, and about as much for their index.
 * Errors: those of akin_duplicates_find.
 */
AKIN_API akin_status akin_duplicates_sample(akin_context *context, const akin_column *documents, uint32_t rows,
                                            const akin_duplicates_sample_options *options,
                                            akin_duplicates_estimate *out, akin_error *error);

/* What finding near-duplicates will take. */
typedef struct akin_duplicates_plan {
    size_t size; /* of this struct; set it before the call */
    uint64_t documents, bytes;
    uint64_t tokens;    /* distinct ones of each document, about */
    uint64_t memory;    /* bytes of the heap beside the texts, at most, about */
    uint64_t temporary; /* bytes of temporary files, with a memory bound */
    uint64_t readings;  /* how often all texts are looked through, with one round */
    uint64_t rounds;    /* at most, about: documents that the first one leaves undecided are looked at again */
    double seconds_frequency, seconds_survivors; /* on the CPU, about, with one round */
} akin_duplicates_plan;

/*
 * Foresees what akin_duplicates_find takes, with the threads and the memory bound of the context. It copies 32 MB of
 * documents from all over the corpus, or a 32nd of a memory bound if that is less, or all of fewer, and does the job
 * with these alone. Tokens and seconds grow with the bytes. Memory and rounds are those of a corpus whose documents all
 * have to be indexed. The text is looked at where documents are copied. Errors: those of akin_duplicates_find.
 */
AKIN_API akin_status akin_duplicates_plan_make(akin_context *context, const akin_column *documents, uint32_t rows,
                                               const akin_duplicates_options *options, akin_duplicates_plan *out,
                                               akin_error *error);

/*
 * Contamination: which items of a test stand in a corpus. A gram is N words in a row, without case and punctuation. An
 * item of fewer words is one gram. Equal grams have equal words: no hash makes a hit up.
 *
 *     item        a b c d e f             N = 3: its grams are abc, bcd, cde and def
 *     document    x b c d e y a b c
 *     covered     abc, bcd, cde           3 of 4 grams
 *     run         b c d e                 the longest one that both have
 *
 *     akin_overlap_create(context, items, 1, rows, NULL, &overlap, error);
 *     akin_overlap_add(context, overlap, documents, count, NULL, error);        as often as there are documents
 *     akin_overlap_item(overlap, item, &found, error);
 *     akin_overlap_free(overlap);
 *
 * Items are held: their words, and about 20 bytes for each gram. Documents are scanned and not kept. What is found
 * depends neither on the number of threads nor on the calls in which documents come.
 */
typedef struct akin_overlap akin_overlap;

typedef struct akin_overlap_options {
    size_t size;
    uint32_t words;    /* N, 1 to 255 */
    uint32_t reserved; /* 0 */
} akin_overlap_options;

#define AKIN_OVERLAP_OPTIONS_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(akin_overlap_options), 13, 0                                                                            \
    }

/* What was found of an item. The run is the longest one; of several the one of the lowest row, of these the one that
 * begins first in the document, and then in the item. It has as many words as a gram, or more. */
typedef struct akin_overlap_found {
    size_t size;        /* of this struct; set it before the call */
    uint64_t grams;     /* of the item, one for each place; 0: it has no word */
    uint64_t covered;   /* those that are in a document */
    uint64_t documents; /* that have a gram of the item */
    uint32_t first_row; /* the first of them; AKIN_NO_ROW: there is none, and no run */
    uint32_t run_row;   /* the document of the run */
    uint32_t run_words;
    uint32_t reserved; /* 0 */
    /* Where the run stands: bytes of the text of the item, and of that of the document, as they were given. */
    uint64_t item_begin, item_end, document_begin, document_end;
} akin_overlap_found;

/*
 * Takes items: `rows` rows of `count` columns, which are borrowed until the object is freed. With one column item i is
 * row i. With several, item p * rows + i is row i of column p, and for p = count of all columns together, with blanks
 * between. Nulls have no word. Errors: AKIN_E_OPTION, AKIN_E_INPUT (not UTF-8), AKIN_E_LIMIT (items of
 * 4 GiB, or 2^32 - 1 items), AKIN_E_NOMEM, AKIN_E_CANCELLED. One thread at a time uses the context.
 */
AKIN_API akin_status akin_overlap_create(akin_context *context, const akin_column *columns, uint32_t count,
                                         uint32_t rows, const akin_overlap_options *options, akin_overlap **out,
                                         akin_error *error);
AKIN_API void akin_overlap_free(akin_overlap *overlap);

/* Scans the next documents; nulls have no word. Their rows go on where those of the call before ended. hit (NULL: not
 * wanted) receives a bit for each of `rows` rows: whether the document has a gram of an item. Errors: AKIN_E_OPTION,
 * AKIN_E_INPUT, AKIN_E_LIMIT (a text of 4 GiB, or 2^32 - 1 documents), AKIN_E_NOMEM, AKIN_E_CANCELLED; after one only
 * akin_overlap_free may follow. No other function may use the object meanwhile, nor another thread the context; the
 * documents may be freed afterwards. */
AKIN_API akin_status akin_overlap_add(akin_context *context, akin_overlap *overlap, const akin_column *documents,
                                      uint32_t rows, uint8_t *hit, akin_error *error);

/* The items whose run the last akin_overlap_add has changed, *count of them, ascending; valid until the next call. And
 * the document of the run of an item so far, which must be below their number; AKIN_NO_ROW: there is none. Both take no
 * time beside that: a caller that keeps something of these documents, such as their names, looks at nothing else.
 * Threads may call these functions at once, and those below. */
AKIN_API const uint32_t *akin_overlap_changed(const akin_overlap *overlap, uint32_t *count);
AKIN_API uint32_t akin_overlap_run_row(const akin_overlap *overlap, uint32_t item);

/* The number of items, and what was found of one so far. Errors: AKIN_E_OPTION (there is no such item, out->size). */
AKIN_API uint32_t akin_overlap_items(const akin_overlap *overlap);
AKIN_API akin_status akin_overlap_item(const akin_overlap *overlap, uint32_t item, akin_overlap_found *out,
                                       akin_error *error);

/*
 * Repeated passages. A window is `length` bytes or words of a document. Words are compared without case, and without
 * what is between them. A window is repeated if another one has the same bytes or words, in any document; documents
 * come in the order of rows. Of equal windows the first one is the first copy, and the others are later ones.
 *
 *     length 4     row 0   the cat sat
 *                  row 1   a cat saw          " cat sa" is there again: bytes 1 to 7 of row 1
 *
 * AKIN_KEEP_FIRST: a passage is what later windows cover that overlap or touch, and that overlap no first copy of a
 * repeated window. So the text without its passages has each repeated window still: the first copy stands as it was.
 * AKIN_KEEP_NONE: a passage is what repeated windows cover. The result depends neither on threads nor on memory.
 */
typedef struct akin_repeats akin_repeats;

/* What windows consist of. */
typedef enum akin_repeats_unit {
    AKIN_REPEATS_BYTES = 0,
    AKIN_REPEATS_WORDS = 1,
} akin_repeats_unit;

#define AKIN_REPEATS_LEAST 8     /* bytes of a window; one of words may have one */
#define AKIN_REPEATS_MOST  65536 /* bytes or words of a window */

typedef struct akin_repeats_options {
    size_t size;
    uint64_t length;           /* of a window, in units */
    uint32_t unit;             /* an akin_repeats_unit */
    uint32_t keep;             /* AKIN_KEEP_FIRST or AKIN_KEEP_NONE */
    uint32_t whole_characters; /* 1: passages are cut to whole characters of UTF-8; 0: they end where windows end */
    uint32_t reserved;         /* 0 */
    /* The table that the documents are of, whose temporary files are let go of as the job passes (akin_table_release).
     * NULL: none. */
    const akin_table *table;
} akin_repeats_options;

#define AKIN_REPEATS_OPTIONS_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(akin_repeats_options), 100, AKIN_REPEATS_BYTES, AKIN_KEEP_FIRST, 1, 0, NULL                             \
    }

/* A passage. Places are bytes of the text of a row. One of words begins with its first word and ends with its last. */
typedef struct akin_repeat {
    size_t size; /* of this struct; set it before the call */
    uint32_t row, source_row;
    uint64_t begin, end;   /* the passage, and the byte behind it */
    uint64_t source_begin; /* where its first window is first in the corpus, in row source_row */
    uint32_t times;        /* how often that window is in the corpus; 2^32 - 1: as often, or more */
    uint32_t reserved;     /* 0 */
} akin_repeat;

/* Finds the repeated passages of a column, whose nulls are empty. Errors: AKIN_E_OPTION, AKIN_E_INPUT (of words: a text
 * that is not UTF-8), AKIN_E_LIMIT (2^40 bytes or words, 2^32 - 1 distinct words), AKIN_E_NOMEM, AKIN_E_IO (a temporary
 * file), AKIN_E_CANCELLED. One thread at a time uses the context. The column may be freed
 * afterwards. */
AKIN_API akin_status akin_repeats_find(akin_context *context, const akin_column *documents, uint32_t rows,
                                       const akin_repeats_options *options, akin_repeats **out, akin_error *error);
AKIN_API void akin_repeats_free(akin_repeats *repeats);

/* The number of passages, and passage `index`, by row and place. Errors: AKIN_E_OPTION (there is no such passage,
 * out->size). Threads may call these functions and the next one at once. */
AKIN_API uint64_t akin_repeats_count(const akin_repeats *repeats);
AKIN_API akin_status akin_repeats_at(const akin_repeats *repeats, uint64_t index, akin_repeat *out, akin_error *error);

/* Copies the text of a row without its passages to `out`, which has room for all of it, and returns its length: 0 if
 * passages were cut out, and only blanks (spaces, tabs and line ends) are left. The documents are those that the
 * passages were found in; a null has no text. */
AKIN_API uint64_t akin_repeats_cut(const akin_repeats *repeats, const akin_column *documents, uint32_t row, char *out);

/* ------------------------------------------------------------------------------------- saved files (experimental) */

/* The kinds of saved files. The table "saved-kinds" has a row for each but models, which are JSON. */
typedef enum akin_saved_kind {
    AKIN_SAVED_SETS = 1,       /* akin_sets_save */
    AKIN_SAVED_TRIE = 2,       /* akin_trie_save */
    AKIN_SAVED_WEIGHTS = 3,    /* akin_weights_write */
    AKIN_SAVED_RANK_INDEX = 4, /* akin_rank_index_save: ranked documents */
    AKIN_SAVED_SEARCH = 5,     /* akin_search_index_save, for all kinds but AKIN_KIND_BM25 */
    AKIN_SAVED_MODEL = 6       /* akin_dedupe_model_text: a model of learnt weights */
} akin_saved_kind;

/* The field of an akin_fact that has the value. */
typedef enum akin_fact_form {
    AKIN_FACT_TEXT = 1,   /* text */
    AKIN_FACT_COUNT = 2,  /* count */
    AKIN_FACT_NUMBER = 3, /* number */
    AKIN_FACT_FLAG = 4    /* count, which is 1 for yes and 0 for no */
} akin_fact_form;

/* A fact about a saved file. */
typedef struct akin_fact {
    const char *name; /* such as "documents"; unique in a file */
    const char *text;
    uint64_t count;
    double number;
    akin_fact_form form;
    uint32_t reserved;
} akin_fact;

/* The facts about a saved file. */
typedef struct akin_saved akin_saved;

/*
 * Opens a saved file ("-": standard input, but for models), checks the whole file, and describes it: kind, version and
 * bytes, the number of objects, how text becomes tokens, formulas and parameters, and the commands that use it
 * (docs/container.md lists the facts of each kind). Errors: AKIN_E_INPUT (the message names the file and the fault),
 * AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_saved_describe(akin_context *context, const char *path, akin_saved **out, akin_error *error);

/* The kind of the file. */
AKIN_API akin_saved_kind akin_saved_kind_of(const akin_saved *saved);

/* Fact `index`, from 0 on, in the order for display; valid as long as *saved. NULL: there is no such fact. */
AKIN_API const akin_fact *akin_saved_fact(const akin_saved *saved, uint32_t index);
AKIN_API void akin_saved_free(akin_saved *saved);

/* ------------------------------------------------------------------------------------------------ merged records */

/* Which value a merged record takes of those that the records of its cluster have: the table "merge-rules" of
 * akin_choices. Missing values, which are null or empty, are passed over. */
typedef enum akin_merge_rule {
    AKIN_MERGE_FREQUENT = 0, /* the value that most records have; of several the one that comes first */
    AKIN_MERGE_LONGEST = 1,  /* the value with the most code points; of several the one that comes first */
    /* The value of the record with the greatest value in a column; of several the one that comes first. akin compares
     * days if every value of the column is a date, numbers if every value is a number, else bytes. Records without a
     * value there come last. */
    AKIN_MERGE_NEWEST = 2,
    AKIN_MERGE_FIRST = 3, /* the value that comes first */
} akin_merge_rule;

typedef struct akin_merge_options {
    size_t size;
    uint32_t rule;         /* an akin_merge_rule */
    uint32_t reserved;     /* 0 */
    const akin_column *by; /* of AKIN_MERGE_NEWEST: the column that is compared; of other rules NULL */
} akin_merge_options;

#define AKIN_MERGE_OPTIONS_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(akin_merge_options), AKIN_MERGE_FREQUENT, 0, NULL                                                       \
    }

/*
 * Merges a column: finds for each cluster the row whose value the merged record takes. clusters[r] is the number of the
 * cluster that has row r, below `count`. sources[c], for each c below `count`, becomes a row of cluster c; AKIN_NO_ROW:
 * no row of it has a value. Values are compared as bytes. NULL options: the most frequent value.
 *
 * The function works on the caller's thread. Memory: for AKIN_MERGE_FREQUENT 8 bytes a row, 4 a cluster, 8 for each
 * row of the largest cluster, and a dictionary of the values; for AKIN_MERGE_LONGEST 8 bytes a cluster; for
 * AKIN_MERGE_NEWEST 8 bytes a row. Errors: AKIN_E_OPTION (also a number of a cluster that is not below `count`),
 * AKIN_E_NOMEM, AKIN_E_IO (a temporary file, with a memory bound), AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_merge(akin_context *context, const akin_column *values, uint32_t rows,
                                const uint32_t *clusters, uint32_t count, const akin_merge_options *options,
                                uint32_t *sources, akin_error *error);

/* ---------------------------------------------------------------------------------------------------- evaluation */

/*
 * The quality of found pairs, compared with a gold standard of known pairs:
 *
 *     precision = both / pairs      recall = both / gold      f1 = 2 * both / (pairs + gold)
 *
 * f1 is the harmonic mean of the other two. Each is the nearest double (for counts below 2^53), and 0 where the divisor
 * is 0.
 */
typedef struct akin_evaluation {
    double precision, recall, f1;
    uint64_t pairs; /* distinct pairs that were found */
    uint64_t gold;  /* distinct pairs of the gold standard */
    uint64_t both;  /* pairs that are in both */
} akin_evaluation;

typedef struct akin_evaluate_options {
    size_t size;
    /* 1: left and right ids are of two collections. Then pairs are ordered, and a left id may form a pair with an
     * equal right id. 0: all ids are of one collection. Then the order of a pair does not matter, and a pair of an
     * id with itself is ignored. */
    uint32_t linked;
    /* 1: compare the transitive closures of both: two ids are a pair if a chain of pairs connects them. With
     * `linked` a chain may pass through both collections, and pairs of a left and a right id count. */
    uint32_t closed;
    /* 1: refuse pairs and gold pairs without a common id (with `linked`: without a common left id, or right id). The
     * message shows ids of both, and says if left and right are swapped. With `linked`, also refuse gold pairs if 10
     * or more of them, and 10 times as many, are found after a swap of left and right. 0: evaluate such pairs. */
    uint32_t related;
    /* The other fields are of akin_evaluate_clusters alone. */
    uint32_t bootstrap; /* how often entities are drawn again, at least AKIN_BOOTSTRAP_LEAST; 0: no intervals */
    uint64_t seed;      /* the same seed draws the same entities (default: 1) */
    /* The ids of records that count whether or not a pair has them, on the left and on the right; NULL: those of pairs
     * alone. With ids of one collection, akin takes both columns. A repeated id counts once. */
    const akin_column *records[2];
    uint32_t record_rows[2];
} akin_evaluate_options;

#define AKIN_EVALUATE_OPTIONS_INIT                                                                                     \
    {                                                                                                                  \
        sizeof(akin_evaluate_options), 0, 0, 0, 0, 1, {NULL, NULL},                                                    \
        {                                                                                                              \
            0, 0                                                                                                       \
        }                                                                                                              \
    }

/*
 * Evaluates pairs. Row i of pairs[0] and of pairs[1] are the left and the right id of a pair, for i below pair_rows,
 * and likewise in gold. Ids are compared as bytes. A repeated pair counts once. Without rows the columns may be NULL.
 * NULL options: one collection, not closed.
 *
 * Pairs of a closure are counted, never listed, so large clusters cost little more. The function works on the caller's
 * thread. Memory: 16 bytes for each row of both, a dictionary of the ids, and with `closed` 30 bytes an id. With a
 * bound (see akin_context_options) it is at most five eighths of it, besides the dictionary and clusters, or
 * AKIN_E_NOMEM. Errors: AKIN_E_OPTION, AKIN_E_INPUT (a row with a null or empty id; `related`), AKIN_E_LIMIT (more than
 * 2^32 - 2 distinct ids; with `closed`, more than 2^32 - 1 on both sides), AKIN_E_NOMEM, AKIN_E_IO (a temporary file,
 * with a memory bound), AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_evaluate(akin_context *context, const akin_column *pairs, uint32_t pair_rows,
                                   const akin_column *gold, uint32_t gold_rows, const akin_evaluate_options *options,
                                   akin_evaluation *out, akin_error *error);

#define AKIN_CURVE_POINTS 101

/*
 * Evaluates pairs at every threshold 0, 0.01, ... 1. out[k] is the result of akin_evaluate for the pairs whose
 * similarity, rounded to 9 digits, reaches k / 100. similarities[i] is the similarity of row i. NAN reaches no
 * threshold. A repeated pair has its highest similarity. `out` has room for AKIN_CURVE_POINTS. Time, memory and errors
 * are about those of akin_evaluate.
 */
AKIN_API akin_status akin_evaluate_curve(akin_context *context, const akin_column *pairs, const double *similarities,
                                         uint32_t pair_rows, const akin_column *gold, uint32_t gold_rows,
                                         const akin_evaluate_options *options, akin_evaluation *out, akin_error *error);

#define AKIN_BOOTSTRAP_LEAST 40

/* Three ratios from 0 to 1. f1 is the harmonic mean of the other two, 0 if both are 0. */
typedef struct akin_quality {
    double precision, recall, f1;
} akin_quality;

typedef struct akin_cluster_evaluation {
    size_t size;                            /* of this struct; set it before the call */
    akin_evaluation pairs;                  /* what akin_evaluate says */
    uint64_t records;                       /* distinct ids of the pairs, of the gold pairs and of options->records */
    akin_quality bcubed;                    /* of records, by B-cubed */
    uint64_t found_clusters, gold_clusters; /* clusters of two records and more */
    uint64_t both_clusters;                 /* those that are in both, with the same records */
    akin_quality clusters;                  /* of clusters: both / found, both / gold */
    akin_quality pairs_low, pairs_high;     /* 95 % intervals of the ratios of `pairs`; 0 without options->bootstrap */
    akin_quality bcubed_low, bcubed_high;   /* the same of `bcubed` */
} akin_cluster_evaluation;

/*
 * Evaluates pairs as akin_evaluate does, and the clusters that they make. Clusters, found ones and those of gold, are
 * connected components. A record without a pair is a cluster of one record.
 *
 * B-cubed (Bagga and Baldwin 1998) compares the two clusters of each record, the found one and that of gold:
 *
 *     precision = the records in both / those of the found cluster     recall = the records in both / those of gold's
 *
 * and takes the means over all records. The sums are exact integers for each size of a cluster; the quotients are then
 * added by rising size.
 *
 * Intervals are bootstrap percentile intervals (Efron 1979) with the clusters of gold as units, those of one record
 * included (Binette et al. 2022): options->bootstrap times, akin draws as many of them as there are, with replacement,
 * and computes the ratios. An interval leaves out the lowest fortieth of these ratios and the highest one. A found pair
 * of records of two clusters of gold counts as one half in either. The draws do not depend on the number of threads.
 *
 * Time: akin_evaluate's, a sort of the ids by the threads of the context, and the draws, on them too: of like entities
 * one random number draws 64. Memory: akin_evaluate's, and 50 bytes an id; with `bootstrap` and without `closed` 24
 * bytes an id more, and 48 for each draw and about 150 for each kind of entity. Errors: those of akin_evaluate, also
 * for the records; AKIN_E_OPTION (`bootstrap`, out->size).
 */
AKIN_API akin_status akin_evaluate_clusters(akin_context *context, const akin_column *pairs, uint32_t pair_rows,
                                            const akin_column *gold, uint32_t gold_rows,
                                            const akin_evaluate_options *options, akin_cluster_evaluation *out,
                                            akin_error *error);

/*
 * Warns if pairs or gold pairs were left out because they are of an id with itself: with the number of each. With
 * options->linked they count, and there is no warning. The arguments are those of an evaluation that has not failed.
 */
AKIN_API void akin_evaluate_warn(const akin_column *pairs, uint32_t pair_rows, const akin_column *gold,
                                 uint32_t gold_rows, const akin_evaluate_options *options, akin_warning_sink sink,
                                 void *user);

/*
 * Warns if at least two gold pairs, and 10 times as many, are found after a swap of left and right, with
 * options->linked. *found is what akin_evaluate said of these arguments; of a curve, its first point. Errors: those of
 * akin_evaluate.
 */
AKIN_API akin_status akin_evaluate_warn_swapped(akin_context *context, const akin_column *pairs, uint32_t pair_rows,
                                                const akin_column *gold, uint32_t gold_rows,
                                                const akin_evaluate_options *options, const akin_evaluation *found,
                                                akin_warning_sink sink, void *user, akin_error *error);

/*
 * Warns if no pair is in both, although both have pairs: with the first pair of each. The ids of both may be of two
 * kinds. *found is what akin_evaluate said of these columns; of a curve, its first point.
 */
AKIN_API void akin_evaluate_warn_apart(const akin_column *pairs, uint32_t pair_rows, const akin_column *gold,
                                       uint32_t gold_rows, const akin_evaluation *found, akin_warning_sink sink,
                                       void *user);

#ifdef __cplusplus
}
#endif

#endif
