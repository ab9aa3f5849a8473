/*
 * akin_generate.h - made-up data, to try akin on.
 *
 * This header is the manual of libakin_generate, a library beside libakin. Read akin.h first: its conventions hold
 * here, too. A program links libakin_generate besides libakin. Both libraries have to be of one version. Generated sets
 * are in libakin: akin_sets_generate.
 */
#ifndef AKIN_GENERATE_H
#define AKIN_GENERATE_H

#include "akin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tables "copies", "distributions", "modifications" and "record-kinds", a constant. akin_annex_choices and
 * akin_annex_choice_find read them. The functions below need no akin_context_use. Thread-safe. */
AKIN_API const akin_annex *akin_generators(void);

/* -------------------------------------------------------------------------------------- records (experimental) */

/* Generated records, to try the search for duplicates. */
typedef enum akin_records_kind {
    AKIN_RECORDS_PEOPLE =
        1,              /* given_name, surname, street_number, address, suburb, postcode, state, date_of_birth, phone */
    AKIN_RECORDS_CD = 2 /* artist, title, category, genre, year, track01, track02, ... */
} akin_records_kind;

/* The distribution of duplicates: how many an original has if it has any, from 1 to `most_copies`. */
typedef enum akin_copies {
    AKIN_COPIES_UNIFORM = 1, /* any number is as likely as any other */
    AKIN_COPIES_POISSON = 2, /* k with a probability proportional to 1 / k! */
    AKIN_COPIES_ZIPF = 3     /* k with a probability proportional to 1 / k */
} akin_copies;

/* Errors in the values of duplicates. */
typedef enum akin_modification {
    AKIN_MODIFY_INSERT = 0,     /* a character too many: typed twice, or its neighbour on the keyboard */
    AKIN_MODIFY_DELETE = 1,     /* a character is missing */
    AKIN_MODIFY_SUBSTITUTE = 2, /* a wrong character, mostly a neighbour on the keyboard */
    AKIN_MODIFY_TRANSPOSE = 3,  /* two characters are swapped */
    AKIN_MODIFY_MISSING = 4,    /* the value is missing */
    AKIN_MODIFY_SWAP = 5,       /* the values of two columns are swapped: columns that people confuse */
    AKIN_MODIFY_ABBREVIATE = 6, /* only the first letter of a word is left */
    AKIN_MODIFY_SPLIT = 7,      /* a word is split in two */
    AKIN_MODIFY_MERGE = 8,      /* two words are merged */
    AKIN_MODIFY_WORDS = 9,      /* two words are swapped */
    AKIN_MODIFY_PHONETIC = 10,  /* letters are replaced by similar sounds */
    AKIN_MODIFY_OCR = 11,       /* letters are replaced by similar shapes, as by text recognition */
    AKIN_MODIFY_CASE = 12       /* all letters are small, or capital, or the first letters of words are capital */
} akin_modification;

#define AKIN_MODIFICATIONS 13

/* The default weights of the errors. */
#define AKIN_MODIFICATIONS_INIT                                                                                        \
    {                                                                                                                  \
        10, 12, 20, 8, 6, 2, 5, 4, 5, 3, 8, 5, 12                                                                      \
    }

typedef struct akin_records_options {
    size_t size;
    akin_records_kind kind;
    uint32_t rows;                 /* number of records, duplicates included */
    double duplicates;             /* the share of duplicates, from 0 to below 1 */
    akin_copies copies;            /* the distribution of duplicates of an original */
    uint32_t most_copies;          /* the most duplicates of an original, from 1 on, enough for that share */
    uint32_t field_modifications;  /* the most errors in a value of a duplicate, from 1 on */
    uint32_t record_modifications; /* the most errors in a duplicate, from 1 on; the number is drawn evenly */
    uint32_t tracks;               /* columns for tracks of CDs, from 0 to 44 */
    int linked;                    /* 1: originals are one table, duplicates another */
    /* The weight of each akin_modification in the list; their sum is above 0. NULL: AKIN_MODIFICATIONS_INIT. */
    const uint32_t *weights;
    uint32_t weight_count;
    uint32_t reserved; /* 0 */
    uint64_t seed;     /* the same seed gives the same records everywhere */
} akin_records_options;

#define AKIN_RECORDS_OPTIONS_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(akin_records_options), AKIN_RECORDS_PEOPLE, 10000, 0.1, AKIN_COPIES_POISSON, 5, 2, 5, 2, 0, NULL, 0, 0, \
            1                                                                                                          \
    }

/* The original of a record. */
typedef struct akin_record_origin {
    uint32_t original; /* the number of the original, from 0 on */
    uint32_t copy;     /* 0: the original itself; 1 and on: a duplicate of it */
} akin_record_origin;

/* The tables, in the order of their output: the records, or with `linked` the originals; with `linked` the
 * duplicates; and the gold pairs with columns `left` and `right`, the ids of every two records of one original (with
 * `linked`: of an original and a duplicate). */
typedef enum akin_records_table {
    AKIN_RECORDS_TABLE = 1,
    AKIN_RECORDS_SECOND_TABLE = 2,
    AKIN_RECORDS_GOLD = 3
} akin_records_table;

/* Some rows of a table, valid while the sink has them. */
typedef struct akin_records_batch {
    size_t size;
    akin_records_table table;
    uint32_t rows;  /* in this batch */
    uint64_t first; /* the number of its first row in its table */
    /* The values: first `id`, rec-N-org for original N and rec-N-dup-K for its duplicate K, from 0 on. A missing
     * value is empty. */
    const akin_column *columns;
    uint32_t column_count;
    uint32_t reserved;
    const akin_record_origin *origins; /* of each row; NULL for pairs */
} akin_records_batch;

/* Takes a batch. A non-zero answer ends the work with AKIN_E_CANCELLED. A table without rows comes as a batch
 * without rows. */
typedef int (*akin_records_sink)(void *user, const akin_records_batch *batch);

/*
 * Generates records: originals, whose values are drawn from built-in words with realistic frequencies, and duplicates
 * of some of them with errors, all in random order. The model is that of P. Christen, Probabilistic Data Generation for
 * Deduplication and Data Linkage, IDEAL 2005 (Febrl's generator). The columns with errors are drawn evenly. All threads
 * generate, and the sink is called on the caller's thread. The records are the same with any number of threads and on
 * every machine.
 *
 * Memory: 8 bytes a record and 4 for each original, 10 MB of words, and 1 MB a thread. Errors: AKIN_E_OPTION (an option
 * is out of range, or more duplicates are asked for than the originals may have), AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_records_generate(akin_context *context, const akin_records_options *options,
                                           akin_records_sink sink, void *user, akin_error *error);

/* ------------------------------------------------------------------------------------ documents (experimental) */

typedef struct akin_documents_options {
    size_t size;
    /* The amount of text: a number of documents, or the most bytes; 0: no bound. One of them is needed. With `bytes`
     * the text ends with the last word that fits. */
    uint64_t documents, bytes;
    /* The natural logarithm of the number of words of a document is normally distributed, with this mean, from 0 to
     * 16, and this standard deviation, from 0 to 4. A document has 1 to 2^24 words. */
    double length_mu, length_sigma;
    /* The words to draw from, word_count rows, none of them empty, and their weights, at least 0, with a sum above
     * 0. A word of weight 0 is very rare. NULL weights: equal weights. NULL words: generated words. Borrowed. */
    const akin_column *words;
    const double *weights;
    uint32_t word_count;
    /* The number of generated words, if no words are given, at most 10,000,000; word k, from 0 on, weighs (k +
     * 3)^-1.07. */
    uint32_t vocabulary;
    uint32_t uniform;  /* 1: all words have equal weights */
    uint32_t reserved; /* 0 */
    uint64_t seed;     /* the same seed gives the same text everywhere */
} akin_documents_options;

#define AKIN_DOCUMENTS_OPTIONS_INIT                                                                                    \
    {                                                                                                                  \
        sizeof(akin_documents_options), 0, 0, 6.0, 1.1, NULL, NULL, 0, 500000, 0, 0, 1                                 \
    }

/* Takes the next bytes of the text. A non-zero answer ends the work with AKIN_E_CANCELLED. */
typedef int (*akin_documents_sink)(void *user, const char *bytes, uint64_t length);

/*
 * Generates documents of words that are drawn independently: lines of words with a blank between, and an empty line
 * between documents, as akin_weigh reads them. The model and the default lengths are those of T. Wakatsuki, A. Keyaki
 * and J. Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, section 4.1. All threads generate, and the
 * sink is called on the caller's thread. The text is the same with any number of threads and on every machine.
 *
 * Memory: 12 bytes a word, the generated words, and some documents a thread. Errors: AKIN_E_OPTION (an option is out of
 * range), AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
AKIN_API akin_status akin_documents_generate(akin_context *context, const akin_documents_options *options,
                                             akin_documents_sink sink, void *user, akin_error *error);

#ifdef __cplusplus
}
#endif

#endif
