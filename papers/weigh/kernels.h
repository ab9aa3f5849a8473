/*
 * The kernels of the paper's techniques, under the rules of weigh/kernels.h. Each is a function of one item (steps.h),
 * and a thread does it for each item. Primitives (device/primitives.h) stand between them; primitives.h gives the order
 * of all.
 */
#ifndef AKIN_PAPERS_WEIGH_KERNELS_H
#define AKIN_PAPERS_WEIGH_KERNELS_H

#include "weigh/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of each: what an item is, and what comes of it. */
typedef enum akin_paper_step {
    AKIN_PAPER_EXTRACT, /* 32 bytes of the text --> begins, ends of the tokens that begin there; long ones are listed */
    AKIN_PAPER_BEGIN,   /* a document --> one more that begins at a token */
    AKIN_PAPER_MEASURE, /* a run of tokens of one document --> its length */

    AKIN_PAPER_KEY,  /* a word or token --> the key of its first piece */
    AKIN_PAPER_HEAD, /* a sorted one --> whether its key is another than the one's before; whether it has more pieces */
    AKIN_PAPER_OPEN, /* --> whether others begin as it does, and it has more pieces */
    AKIN_PAPER_CHOOSE, /* one that has been selected --> the key of its next piece */
    AKIN_PAPER_LABEL,  /* the same, sorted by that --> the number of its run */
    AKIN_PAPER_SETTLE, /* the same, sorted by this --> where it belongs in its run, and what HEAD says */
    AKIN_PAPER_WORD,   /* a sorted word or token --> if it is the first of its run: a known word or a new one */
    AKIN_PAPER_TERM,   /* a sorted one --> the token's term */

    AKIN_PAPER_FOLD, /* 8 bytes of the text --> folded */
    AKIN_PAPER_MAP,  /* a token --> the term of the id that it was found by */

    AKIN_PAPER_ORDER, /* a token --> its term as a key, its number */
    AKIN_PAPER_COUNT, /* (one item) --> how many sorted tokens have terms */
    AKIN_PAPER_SPARE, /* a sorted token that has none --> its document is shorter by it */
    AKIN_PAPER_PAIR,  /* a sorted token --> its group and its document as a key */
    AKIN_PAPER_GROUP, /* a pair --> its group */
    AKIN_PAPER_TURN,  /* a pair --> its document and its term as a key */
    AKIN_PAPER_BOUND, /* a document --> where its pairs begin */
    AKIN_PAPER_SPLIT, /* a pair --> its term, its tf */
    AKIN_PAPER_DF,    /* a group --> df of its term */
    AKIN_PAPER_WEIGH, /* a pair --> its weight */
    AKIN_PAPER_STEPS
} akin_paper_step;

/*
 * What they read and write. The words that are known, `known` of them, stand before the tokens where words are sorted,
 * so an item below `known` is a word, and others are tokens:
 *
 *     items     0 .. known - 1 | known .. known + tokens - 1      in any order once they are sorted
 *     heads     1 where a run of equal ones begins; sums are how many begin before
 */
typedef struct akin_paper_view {
    akin_gpu_text text; /* its tokens: of each its term */
    akin_gpu_table table;
    akin_gpu_finds finds;
    uint32_t known;
    uint32_t *begins, *ends; /* of tokens; one that is too long ends somewhere beyond AKIN_GPU_LONG bytes */
    uint32_t *starts;        /* how many documents begin at a token, */
    const uint32_t *sums;    /* and their sums: token i is in document sums[i + 1] - 1 */
    const uint64_t *found;   /* of a primitive */
    uint64_t *keys;
    uint32_t *items, *heads;
    uint8_t *flags;
    const uint32_t *head_sums;

    uint64_t count;        /* of those at hand, and of them: */
    uint32_t round;        /* pieces before this one */
    const uint32_t *picks; /* among those of the round before, */
    const uint32_t *from;  /* whose places among all these are; NULL: all */
    uint32_t *places, *own, *marks, *order, *labels, *index;
    const uint32_t *mark_sums;

    uint64_t *folded;
    const uint32_t *ids, *map; /* map NULL: ids are terms */
    uint32_t id_count, unknown;

    uint32_t terms;         /* how many there are: a key beyond all of them is that of a token without one */
    uint64_t *kept;         /* tokens that have one */
    const uint32_t *groups; /* of sorted tokens; NULL: head_sums has them */
    const uint64_t *names;  /* slots, by which groups have words, and these terms; NULL: groups are terms */
    const uint64_t *pairs;  /* keys of pairs: group, document */
    uint32_t *pair_groups;
    uint32_t term_bits;
    uint64_t pair_count;
    uint64_t *offsets; /* of documents, in pairs */
    const uint32_t *distinct, *times;
    uint32_t *term_ids, *tf;
    uint32_t *lengths, *df;

    akin_formula_terms formula;
    double mean;
    uint64_t first; /* the first pair that is weighed: segments are of this one and so on */
    const uint32_t *segments;
    const double *idf;
    double *values;
} akin_paper_view;

/* The kernel of the paper's techniques. */
typedef struct akin_weigh_paper_kernels {
    /* Does a step for items 0 .. count - 1. */
    akin_status (*run)(akin_device_stream *stream, akin_paper_step step, const akin_paper_view *view, uint64_t count,
                       akin_error *error);
} akin_weigh_paper_kernels;

extern const akin_weigh_paper_kernels akin_cuda_weigh_paper; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
