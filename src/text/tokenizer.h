/*
 * Cuts texts into tokens, a piece at a time: for words, blanks and codes the runs of bytes that are inside, for q-grams
 * every q code points, for shingles every q words.
 *
 *     bounds, words:       start, end, start, end, ...       token i: bounds[2 i] .. bounds[2 i + 1]
 *     bounds, q-grams:     where code points begin, end      token i: bounds[i] .. bounds[i + q]
 *     bounds, shingles:    start, end of words               token i: bounds[2 i] .. bounds[2 (i + q) - 1]
 *
 * Of a text that is cut into shingles nothing is left but its words, with one blank between:
 *
 *     normalised   "the  quick, brown fox!"         text   t h e _ q u i c k _ b r o w n _ f o x
 *                                                   inside       1           1           1       1   where words end
 *
 * Of a text that is cut into codes nothing is left but these, with one blank between:
 *
 *     normalised   "sony dsc-w120/b, 8x"            text   d s c w 1 2 0 b _ 8 x
 *                                                   inside 1 1 1 1 1 1 1 1   1 1
 *
 * Of a text that is cut into lines or paragraphs nothing is left but what is no white space, with one blank between.
 * The blank is inside if it is in a line, or in a paragraph:
 *
 *     normalised   "a  b \n\n c"                    text   a _ b _ c
 *                                                   inside 1 1 1   1
 */
#ifndef AKIN_TEXT_TOKENIZER_H
#define AKIN_TEXT_TOKENIZER_H

#include "text/normal.h"
#include "text/options.h"

#define AKIN_PIECE 1024 /* bounds in a piece, about */

/* Tokens of a text: token i, for i below count, is text[bounds[i * step]] .. text[bounds[i * step + gap] - 1]. None is
 * empty, and from the start of each 16 bytes can be read. */
typedef struct akin_spans {
    const char *text;
    const uint32_t *bounds;
    uint32_t count;
    uint32_t step, gap;
} akin_spans;

typedef struct akin_tokenizer {
    akin_normal normal;
    akin_tokens tokens;
    uint32_t q;
    uint64_t word;    /* of normal.inside, the next to look at */
    uint64_t carry;   /* the bit before it */
    uint32_t pending; /* bounds at hand that began no token so far, and where in the array */
    uint32_t begun;
    uint32_t start; /* of the next word, for shingles */
    int ended;
    int is_brief;             /* the text has fewer than q words or code points, and is the one token */
    akin_text_counts *counts; /* the owner's, to which each text with a token is added; NULL: they are not needed */
    int is_counted;           /* the text at hand has been added */
    uint32_t bounds[2 * AKIN_TEXT_Q_MOST + AKIN_PIECE + 2 * 64];
} akin_tokenizer;

/* Options as akin_text_options_read gave them, whose counts are not used: threads would share them. Allocates nothing
 * yet, and charges the account (NULL: none) later. */
void akin_tokenizer_begin(akin_tokenizer *tokenizer, akin_cpu cpu, akin_account *account,
                          const akin_text_options *options);
void akin_tokenizer_clear(akin_tokenizer *tokenizer);

/* Takes a text, as akin_normal_take does. */
akin_status akin_tokenizer_take(akin_tokenizer *tokenizer, const char *from, uint64_t length, uint64_t readable);

/* The next tokens of the text, in *spans, valid until the next call; 0 when there are no more. */
int akin_tokenizer_next(akin_tokenizer *tokenizer, akin_spans *spans);

#endif
