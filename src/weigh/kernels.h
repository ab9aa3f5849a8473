/*
 * The kernels of this room as C functions. All of them are *later* in the sense of device/device.h; pointers within
 * structs are of device memory. Errors: AKIN_E_DEVICE.
 *
 * Text comes to them a chunk of documents at a time, and goes through these steps:
 *
 *     start      documents --> stops     a bit where each begins: no token spans two of them
 *     mark       text --> begins, stops  a bit for each byte where a token begins, and where none goes on
 *                     --> ranks, counts  tokens before each 32 bytes of a span, and in each span
 *     place      --> firsts              the first token of each document, numbered through the chunk
 *     look up    --> tokens              the term of each token, or the slot of a word that is new
 *     keep       new words --> words     in the order in which they first appear
 *     count      tokens --> pairs        the distinct terms of each document, ascending, where its tokens were
 *     move       --> ids, tf, df         pairs without gaps
 *     idf        df --> idf          when all chunks are through
 *     weigh      --> values
 */
#ifndef AKIN_WEIGH_KERNELS_H
#define AKIN_WEIGH_KERNELS_H

#include "device/backend.h"
#include "weigh/formula.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_GPU_WORDS   256                   /* of 32 bytes of text each in a span, */
#define AKIN_GPU_SPAN    (32 * AKIN_GPU_WORDS) /* whose tokens a block of threads looks up */
#define AKIN_GPU_PADDING 64                    /* bytes behind a text that can be read, and are anything */
#define AKIN_GPU_LONG    1024                  /* bytes of a token, above which the host looks it up */
#define AKIN_GPU_SLICE   ((uint64_t)1 << 15)   /* the most spans of a launch */
#define AKIN_GPU_ITEMS   ((uint64_t)1 << 25)   /* the most pairs, words or documents of a launch */
#define AKIN_GPU_SORTED  ((uint64_t)1 << 18)   /* a document of more tokens is counted by sorting, */
#define AKIN_GPU_GATHER  ((uint64_t)1 << 26)   /* and the tokens that a launch gathers */
#define AKIN_GPU_BARRIER 0xff                  /* a byte that no UTF-8 has: it is in no token */
#define AKIN_GPU_SPARE   0x7fffffffu           /* in place of a term: the token is left out */
#define AKIN_GPU_FRESH   0x80000000u           /* with the slot of a word that is new, instead of a term */

/* Which bytes are in tokens. */
typedef enum akin_gpu_rule {
    AKIN_GPU_LETTERS = 0,  /* letters and digits of ASCII, and bytes of 0x80 and above but the barrier */
    AKIN_GPU_BARRIERS = 1, /* all but the barrier */
    AKIN_GPU_FOLDED = 2    /* A to Z are a to z: to be added to one of the others */
} akin_gpu_rule;

/* Text, and what is known of it. There are bytes / 32 + 1 words of bits, so that the end of the text has one, and as
 * many spans as these take; the words behind these, up to whole spans, are there, too. */
typedef struct akin_gpu_text {
    const uint64_t *text;
    uint64_t bytes, spans;
    const uint64_t *offsets; /* of documents, documents + 1 of them, from 0 to bytes */
    uint32_t documents;
    uint32_t rule;
    uint32_t *begins, *stops;
    uint16_t *ranks;
    uint32_t *counts; /* of spans, */
    uint64_t *bases;  /* and their sums: spans + 1 of them */
    uint64_t *firsts; /* documents + 1 of them */
    uint32_t *tokens;
} akin_gpu_text;

/* A word that is known. */
typedef struct akin_gpu_word {
    uint64_t head[2]; /* its first 16 bytes, then zeros */
    uint64_t place;   /* of all of it in the pool, which it fills up with zeros to 8 bytes */
    uint32_t length;
    uint32_t term;
} akin_gpu_word;

/*
 * Words, looked up by hash: open addressing, the uppermost bits of a hash telling the first slot to look at.
 *
 *     slot     | 16 bits of the hash | number of a word, or 2^47 and where in the text a new one first is |
 */
typedef struct akin_gpu_table {
    uint64_t *slots;
    uint32_t bits; /* there are 1 << bits of them */
    uint32_t count;
    akin_gpu_word *words;
    uint64_t *pool;
    uint64_t used; /* of the pool, 8 bytes each */
    uint64_t salt[2];
} akin_gpu_table;

/* A token that is too long: the host looks it up. */
typedef struct akin_gpu_long {
    uint64_t begin, rank; /* in the text; its number among the tokens */
} akin_gpu_long;

/* What looking up finds; the counters are zeros at first. */
typedef struct akin_gpu_news {
    unsigned long long fresh; /* words that are new, */
    unsigned long long size;  /* what they take of the pool */
    unsigned long long longs;
    unsigned long long full; /* not 0: there was no room, and all is to be done again */
} akin_gpu_news;

typedef struct akin_gpu_finds {
    akin_gpu_news *news;
    uint32_t *slots; /* of new words, `room` at most, */
    uint64_t room;
    akin_gpu_long *longs; /* one for each AKIN_GPU_LONG bytes of text */
} akin_gpu_finds;

/* New words, `count` of them, in the order in which they first appear. */
typedef struct akin_gpu_fresh {
    uint64_t *begins;
    uint32_t *slots;
    uint32_t *sizes;  /* in the pool, */
    uint64_t *places; /* and their sums */
    uint64_t count;
} akin_gpu_fresh;

/* Documents that wait to be counted: of up to AKIN_GPU_TABLES sizes of tables, and those that are sorted. */
#define AKIN_GPU_TABLES 4
#define AKIN_GPU_LISTS  (AKIN_GPU_TABLES + 1)

typedef struct akin_gpu_waiting {
    uint32_t count[AKIN_GPU_LISTS], taken[AKIN_GPU_LISTS];
} akin_gpu_waiting;

/* Pairs of documents and terms: those of document d are at firsts[d] and behind, sizes[d] of them. */
typedef struct akin_gpu_counts {
    const uint64_t *firsts;
    const uint32_t *tokens;
    const uint64_t *slots; /* of the table, */
    const akin_gpu_word *words;
    uint32_t documents;
    uint32_t *terms, *tf;
    uint32_t *sizes, *lengths; /* of documents, in terms, and in tokens that are not left out */
    akin_gpu_waiting *waiting; /* zeros at first */
    uint32_t *lists[AKIN_GPU_LISTS];
} akin_gpu_counts;

/* Documents that are sorted together: tokens starts[i] .. starts[i + 1] - 1 of the group are those of documents[i]. */
typedef struct akin_gpu_group {
    const uint32_t *documents;
    const uint64_t *starts;
    uint32_t count;
    uint32_t term_bits; /* of a key: behind those of the document's number in the group */
} akin_gpu_group;

/* The pairs of a chunk without gaps: those of document d are ids[offsets[d]] and so on. */
typedef struct akin_gpu_pairs {
    const uint64_t *offsets;
    uint32_t documents;
    uint64_t count;
    uint32_t *ids, *tf;
} akin_gpu_pairs;

/* What terms weigh, by df: distinct numbers, rising, and what each comes to. */
typedef struct akin_gpu_idf {
    const uint32_t *df;
    uint32_t count; /* of terms */
    const uint32_t *distinct;
    const double *logs;
    uint32_t found; /* of distinct numbers: all that are in df */
    double *values; /* of terms */
} akin_gpu_idf;

/* The kernels that find the tokens of a text and look them up. */
typedef struct akin_terms_look_kernels {
    /* Copies a multiple of 8 bytes to pinned memory as akin_device_read does, but by a kernel: those are few that the
     * host waits for, and the one engine that a GPU has for copies to the host may have a long one at hand, of another
     * stream. */
    akin_status (*report)(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error);

    akin_status (*start)(akin_device_stream *stream, const akin_gpu_text *text, akin_error *error);

    akin_status (*mark)(akin_device_stream *stream, const akin_gpu_text *text, uint64_t first_span, uint64_t spans,
                        akin_error *error);

    akin_status (*place)(akin_device_stream *stream, const akin_gpu_text *text, akin_error *error);

    /* Looks up the tokens of some spans. */
    akin_status (*look_up)(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_table *table,
                           const akin_gpu_finds *finds, uint64_t first_span, uint64_t spans, akin_error *error);

    /* Where new words begin, by their slots. */
    akin_status (*list)(akin_device_stream *stream, const akin_gpu_table *table, const akin_gpu_fresh *fresh,
                        akin_error *error);

    /* What they take of the pool. */
    akin_status (*measure)(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_fresh *fresh,
                           akin_error *error);

    /* Makes words of them, numbered from table->count on, and terms from `term` on. */
    akin_status (*keep)(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_table *table,
                        const akin_gpu_fresh *fresh, uint32_t term, akin_error *error);

    /* Gives words from `first` on other terms. */
    akin_status (*name)(akin_device_stream *stream, const akin_gpu_table *table, uint32_t first, const uint32_t *terms,
                        uint64_t count, akin_error *error);

    /* Puts all words into slots that are empty: all of their bits are ones. */
    akin_status (*rebuild)(akin_device_stream *stream, const akin_gpu_table *table, akin_error *error);

    /* Puts terms of tokens in their places. */
    akin_status (*patch)(akin_device_stream *stream, uint32_t *tokens, const akin_gpu_long *longs,
                         const uint32_t *terms, uint64_t count, akin_error *error);
} akin_terms_look_kernels;

extern const akin_terms_look_kernels akin_cuda_terms_look; /* of a build with CUDA */

/* The kernels that count and weigh terms. */
typedef struct akin_terms_tally_kernels {
    /* Counts short documents, and puts the others on lists. */
    akin_status (*count_few)(akin_device_stream *stream, const akin_gpu_counts *counts, akin_error *error);

    /* Counts those of list `list`, by tables of the size that goes with it; what does not fit goes on the next one. */
    akin_status (*count_table)(akin_device_stream *stream, const akin_gpu_counts *counts, uint32_t list,
                               akin_error *error);

    /* Makes keys of tokens, from `first` on: the document's number in the group, and the term. */
    akin_status (*gather)(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                          uint64_t *keys, uint64_t first, uint64_t count, akin_error *error);

    /* Finds where each document's keys begin among the distinct ones, *found of them: group->count + 1 places in `at`;
     * its size comes of that. */
    akin_status (*bound)(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                         const uint64_t *keys, const uint64_t *found, uint64_t *at, akin_error *error);

    /* Puts distinct keys, up to `count` from `first` on, and their counts, in the place of the documents' tokens. */
    akin_status (*spread)(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                          const uint64_t *keys, const uint32_t *times, const uint64_t *found, const uint64_t *at,
                          uint64_t first, uint64_t count, akin_error *error);

    /* Moves `count` pairs, from `first` on, to where they stay, and counts the documents of each term. */
    akin_status (*move)(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_pairs *pairs,
                        uint32_t *df, uint64_t first, uint64_t count, akin_error *error);

    /* Finds what `count` terms weigh, from `first` on. */
    akin_status (*idf)(akin_device_stream *stream, const akin_gpu_idf *idf, uint64_t first, uint64_t count,
                       akin_error *error);

    /* Weighs pairs. */
    akin_status (*weigh)(akin_device_stream *stream, const akin_formula_terms *formula, double mean,
                         const akin_gpu_pairs *pairs, const uint32_t *lengths, const double *idf, double *values,
                         uint64_t first, uint64_t count, akin_error *error);
} akin_terms_tally_kernels;

extern const akin_terms_tally_kernels akin_cuda_terms_tally; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
