/*
 * The index of rare branches, which finds the graphs that may be within K edits of another one.
 *
 * A graph of n nodes and a larger one within K edits have n - 2 K branches in common at least. So, if n is above 2 K,
 * the 2 K + 1 rarest branches of both have one in common. Where rare branches are not rare enough, all graphs of near
 * sizes are looked at instead.
 */
#ifndef AKIN_GRAPHS_INDEX_H
#define AKIN_GRAPHS_INDEX_H

#include "graphs/side.h"

/* The rarest branches of the graphs of a side: places by rank of the branch. */
typedef struct akin_graph_index {
    uint64_t *begin; /* by rank, and their end */
    uint32_t *place;
    const akin_graph_side *side;
    uint32_t most;
} akin_graph_index;

/* Errors: AKIN_E_NOMEM. The index is to be cleared in any case, and borrows the side. */
akin_status akin_graph_index_make(akin_account *account, const akin_graph_side *side, const akin_graph_ranks *ranks,
                                  uint32_t most, akin_graph_index *out, akin_error *error);
void akin_graph_index_clear(akin_graph_index *index);

/* What a thread looks up with. */
typedef struct akin_graph_lookup {
    uint32_t *seen;  /* by place of the index: 1 + the probe that last found it */
    uint32_t *found; /* places, ascending */
    uint32_t count;
} akin_graph_lookup;

/* Finds the places below `end` of graphs that may be near the graph at `probe` of a side, each once. */
void akin_graph_index_look_up(const akin_graph_index *index, const akin_graph_side *side, uint32_t probe, uint32_t end,
                              akin_graph_lookup *lookup);

#endif
