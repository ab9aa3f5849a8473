/*
 * The scan of a document for grams of items. Words come in windows, each of which begins with the last N - 1 words of
 * the one before, so that nothing of a document is kept but its normalised text:
 *
 *     words     w0 w1 w2 w3 w4 w5 w6 w7 ...       N = 3
 *     windows   [-----------]
 *                        [-----------]
 *
 * For each text that a document has a gram of there is a trace, which follows the run at hand and keeps the longest.
 */
#ifndef AKIN_CORPUS_GRAM_SCANNER_H
#define AKIN_CORPUS_GRAM_SCANNER_H

#include "base/parallel.h"
#include "corpus/grams.h"
#include "text/tokenizer.h"

#define AKIN_GRAM_WINDOW 1024 /* words */

/* A run of words that a document and a text have in common. */
typedef struct akin_gram_run {
    uint32_t item, document; /* its first word in both */
    uint32_t words;
} akin_gram_run;

/* The runs of a text and the document at hand. */
typedef struct akin_gram_trace {
    uint32_t text;
    uint32_t last;  /* the place in the document of the last gram that both have */
    uint32_t at;    /* its place in the text, or the state of the text's automaton */
    uint32_t grams; /* of the run that ends there; 0: none so far */
    akin_gram_run longest;
    const akin_gram_automaton *repeats; /* NULL: the text has no gram twice */
    uint64_t slot;
} akin_gram_trace;

/* What a thread has. */
typedef struct akin_gram_scanner {
    _Alignas(64) akin_tokenizer tokenizer;
    const akin_grams *grams;
    _Atomic uint64_t *covered;       /* a bit for each place; all threads set them */
    akin_account *account;           /* NULL: none */
    akin_cancellation *cancellation; /* is looked at now and then */
    uint64_t looked;                 /* words, and texts of grams, since then */
    akin_gram_trace *traces;         /* of the document at hand */
    uint32_t *slots;                 /* by texts: a trace + 1; 0: free */
    uint64_t trace_capacity, trace_count, slot_count;
    uint32_t base, count; /* the document's word that the window begins with; words in the window */
    uint32_t bounds[2 * AKIN_GRAM_WINDOW];
    uint64_t sums[AKIN_GRAM_WINDOW + 1], hashes[AKIN_GRAM_WINDOW];
    uint32_t hits[AKIN_GRAM_WINDOW]; /* places of the window that the filter lets pass */
} akin_gram_scanner;

/* Begins without memory. The cancellation, which is borrowed, ends the scan of a long document; NULL: nothing does. */
void akin_gram_scanner_begin(akin_gram_scanner *scanner, akin_cpu cpu, akin_account *account, const akin_grams *grams,
                             _Atomic uint64_t *covered, akin_cancellation *cancellation);
void akin_gram_scanner_clear(akin_gram_scanner *scanner);

/* Scans a document, whose `traces` are valid until the next call. `readable`: how many bytes from `text` on can be
 * read. Errors, without a message: AKIN_E_INPUT, AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_gram_scanner_take(akin_gram_scanner *scanner, const char *text, uint64_t length, uint64_t readable);

#endif
