/* The joins of the papers: their rows of the tables, how blocks do a technique, and what a step records. */
#ifndef AKIN_PAPERS_JOIN_TECHNIQUES_H
#define AKIN_PAPERS_JOIN_TECHNIQUES_H

#include "akin_papers.h"
#include "join/technique.h"

/* The rows: of "techniques", of techniques of the library on a GPU, of "sharings", and the reader of options. */
#define AKIN_PAPERS_TECHNIQUES     4
#define AKIN_PAPERS_GPU_TECHNIQUES 1
#define AKIN_PAPERS_SHARINGS       4
#define AKIN_PAPERS_READERS        1
extern const akin_technique_row akin_papers_techniques[AKIN_PAPERS_TECHNIQUES];
extern const akin_technique_row akin_papers_gpu_techniques[AKIN_PAPERS_GPU_TECHNIQUES];
extern const akin_choice_table akin_papers_sharings;
extern const akin_join_reader akin_papers_join_readers[AKIN_PAPERS_READERS]; /* options.c */

/* How akin_join_in_blocks does a technique: akin_technique_row.own. */
typedef struct akin_block_way {
    uint8_t by_signatures; /* compares signatures; else counts common tokens */
    uint8_t by_prefix;     /* of the sets' prefixes alone */
    uint8_t is_one_by_one; /* a block has one probe, and meets all sets, whatever their sizes */
    uint8_t is_exact;      /* what was counted needs no verification */
} akin_block_way;

/* Sets of a block: as in the paper, and the most that an option may name, which have 16 GiB of counters. */
#define AKIN_BLOCK_USUAL 15000
#define AKIN_BLOCK_MOST  65536

/* Which of akin_join_step.annex_chosen and annex_figures is what: fields of akin_papers_join_step. */
enum { AKIN_CHOSEN_FILTER, AKIN_CHOSEN_SHARING };
enum {
    AKIN_FIGURE_BLOCK_PAIRS,
    AKIN_FIGURE_CLEARED,
    AKIN_FIGURE_CLEARING,
    AKIN_FIGURE_FILTER,
    AKIN_FIGURE_VERIFY,
    AKIN_FIGURE_OUTPUT,
};

/* The options of a job or of akin_join_options.annex, which are checked; NULL: the defaults. */
akin_papers_join_options akin_papers_join_options_of(const void *annex);

/* gssjoin, fgssjoin, sf-gssjoin and bitmap, as job->technique->own says (blocks.c); and hybrid (hybrid.c). Errors:
 * AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED. */
akin_join_technique akin_join_in_blocks;
akin_join_technique akin_join_hybrid;

/* What they are predicted to take (plan.c). */
akin_join_weigh akin_weigh_blocks;
akin_join_plan akin_plan_hybrid;

#endif
