/* A join of graphs as a caller asks for it (base/pairs_call.h). */
#include "base/foreseen.h"
#include "base/pairs_call.h"
#include "graphs/join.h"

/* What akin_graphs_join is called with. */
typedef struct join_call {
    akin_graph_columns both;
    const akin_graphs_options *options;
    uint64_t *count;
    akin_graphs_report *report;
} join_call;

/* A sample would have to be read first: the limit of pairs is all that stops such a join. */
static void foresee_nothing(const void *user, const akin_scope *scope)
{
    (void)user;
    (void)scope;
}

static akin_status run_graphs(const void *user, const akin_scope *scope, akin_pair_limit *limit, akin_error *error)
{
    const join_call *c = user;
    return akin_graphs_join_within(scope, &c->both, c->options, limit, c->count, c->report, error);
}

akin_status akin_graphs_join(akin_context *context, const akin_column *left, uint32_t rows_left,
                             const akin_column *right, uint32_t rows_right, const akin_graphs_options *options,
                             akin_pair_sink sink, void *sink_user, uint64_t *count, akin_graphs_report *report,
                             akin_error *error)
{
    const join_call c = {{left, right, rows_left, rows_right}, options, count, report};
    const akin_pairs_call call = {foresee_nothing, run_graphs, &c};
    return akin_pairs_call_make(&call, akin_scope_of(context), sink, sink_user, error);
}
