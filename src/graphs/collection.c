/* The graphs of a column, whose pieces have a builder each. */
#include "graphs/collection.h"

#include "graphs/notation.h"

typedef struct reading {
    akin_account *account;
    akin_graph_collection *out;
} reading;

static int begin_pieces(void *user, uint32_t count)
{
    const reading *r = user;
    r->out->builders = akin_alloc_zero(r->account, count, sizeof *r->out->builders);
    r->out->builder_count = r->out->builders ? count : 0;
    for (uint32_t i = 0; i < r->out->builder_count; i++)
        r->out->builders[i].account = r->account;
    return r->out->builders != NULL;
}

static akin_status read_graph(void *user, uint32_t piece, akin_dictionary *dictionary, uint32_t row, const char *text,
                              uint64_t length, akin_text_fault *fault, akin_error *error)
{
    const reading *r = user;
    akin_graph_builder *builder = &r->out->builders[piece];
    akin_graph *graph = &r->out->graphs[row];
    builder->dictionary = dictionary;
    return akin_graph_read(builder, text, length, &graph->nodes, &graph->edges, fault, error);
}

/* Puts the numbers of labels into the graphs, and the places of their parts. */
static void finish_piece(void *user, uint32_t piece, const akin_labelled_piece *rows)
{
    const reading *r = user;
    const akin_graph_builder *b = &r->out->builders[piece];
    const uint32_t *label = b->label, *begin = b->begin;
    const akin_graph_end *ends = b->ends;
    for (uint64_t i = 0; i < b->label_first; i++)
        b->label[i] = rows->numbers[b->label[i]];
    for (uint64_t i = 0; i < b->ends_first; i++)
        b->ends[i].label = rows->numbers[b->ends[i].label];
    for (uint32_t row = rows->begin; row < rows->end; row++) {
        akin_graph *graph = &r->out->graphs[row];
        if (graph->nodes == 0)
            continue;
        graph->label = label;
        graph->begin = begin;
        graph->ends = ends;
        label += graph->nodes;
        begin += graph->nodes + 1;
        ends += 2 * (uint64_t)graph->edges;
    }
}

static const akin_labelled_kind kind = {
    .what = "graphs",
    .purpose = "read graphs from",
    .phase = "reading graphs",
    .begin = begin_pieces,
    .read = read_graph,
    .finish = finish_piece,
};

akin_status akin_graph_collection_make(const akin_scope *scope, akin_account *account, const akin_column *column,
                                       uint32_t rows, const char *side, akin_dictionary *dictionary,
                                       akin_graph_collection *out, akin_error *error)
{
    reading r = {account, out};
    *out = (akin_graph_collection){.rows = rows};
    out->graphs = akin_alloc_zero(account, rows, sizeof *out->graphs);
    const akin_status status =
        out->graphs ? akin_labelled_read(scope, account, column, rows, side, dictionary, &kind, &r, error)
                    : akin_fail_memory(error, "graphs");
    for (uint32_t i = 0; i < out->builder_count; i++) {
        out->nodes += out->builders[i].label_first;
        out->edges += out->builders[i].ends_first / 2;
    }
    if (status != AKIN_OK)
        akin_graph_collection_clear(out);
    return status;
}

void akin_graph_collection_clear(akin_graph_collection *graphs)
{
    for (uint32_t i = 0; i < graphs->builder_count; i++)
        akin_graph_builder_clear(&graphs->builders[i]);
    akin_free(graphs->builders);
    akin_free(graphs->graphs);
    *graphs = (akin_graph_collection){0};
}
