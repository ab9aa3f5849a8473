/*
 * What two texts differ in, by words: a run of letters and digits is a word, and so is an ideograph, white space, and
 * each other character. Any white space is like any other.
 *
 *     a       The road to Ulm is closed.
 *     b       The  road to Bonn is closed!
 *     runs    The road to | -Ulm | +Bonn | is closed | -. | +!
 *
 * The fewest words differ (E. W. Myers, An O(ND) difference algorithm, 1986) where few do. Where more than some hundred
 * in a row do, the best beginning is taken, and it goes on from there. So the time is bounded. Texts are compared from
 * a little before their first difference on, as far as some bytes and some differences go.
 */
#ifndef AKIN_CORPUS_WORD_DIFF_H
#define AKIN_CORPUS_WORD_DIFF_H

#include "base/memory.h"

typedef enum akin_word_run_kind {
    AKIN_RUN_COMMON, /* of both; the bytes are those of a */
    AKIN_RUN_OF_A,   /* of a alone */
    AKIN_RUN_OF_B    /* of b alone */
} akin_word_run_kind;

typedef struct akin_word_run {
    akin_word_run_kind kind;
    uint64_t begin, length; /* in the text that it is of */
} akin_word_run;

/* Zeros at first. */
typedef struct akin_word_diff {
    akin_word_run *runs; /* none: the texts are equal but for white space, as far as they were compared */
    uint64_t count, capacity;
    int is_late; /* the first run begins behind the start of the texts */
    int is_cut;  /* the texts go on behind what was compared */
} akin_word_diff;

/* Compares two texts in UTF-8; *diff may hold another comparison before. Errors, without a message: AKIN_E_NOMEM. */
akin_status akin_word_diff_make(akin_account *account, const char *a, uint64_t a_length, const char *b,
                                uint64_t b_length, akin_word_diff *diff);
void akin_word_diff_clear(akin_word_diff *diff);

#endif
