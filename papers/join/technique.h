/* A join of the papers: how blocks do it, and what a step records. */
#ifndef AKIN_PAPERS_JOIN_TECHNIQUE_H
#define AKIN_PAPERS_JOIN_TECHNIQUE_H

#include "akin_papers.h"
#include "join/technique.h"

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

/* gssjoin, fgssjoin, sf-gssjoin and bitmap, as job->technique->own says (blocks.c); and hybrid (hybrid.c). Errors:
 * AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED. */
akin_join_technique akin_join_in_blocks;
akin_join_technique akin_join_hybrid;

/* What they are predicted to take (plan.c). */
akin_join_weigh akin_weigh_blocks;
akin_join_plan akin_plan_hybrid;

#endif
