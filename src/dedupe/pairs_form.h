/* How the pairs of a selector lie in its arrays, for the CPU and for kernels: see selection.h. */
#ifndef AKIN_DEDUPE_PAIRS_FORM_H
#define AKIN_DEDUPE_PAIRS_FORM_H

typedef enum akin_pairs_form {
    AKIN_PAIRS_ALL,    /* any two records */
    AKIN_PAIRS_NEAR,   /* records whose places are less than the window apart */
    AKIN_PAIRS_SAME,   /* records that have the same place, and have one */
    AKIN_PAIRS_LISTED, /* a record, and each that its list has */
    AKIN_PAIRS_JOINED  /* records whose sets of tokens are similar enough; on the CPU alone */
} akin_pairs_form;

#endif
