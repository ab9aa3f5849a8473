/* The trees of a column, whose pieces have a builder each. */
#include "trees/collection.h"

typedef struct reading {
    const akin_scope *scope;
    akin_account *account;
    const akin_tree_format_row *format;
    akin_tree_collection *out;
} reading;

static int begin_pieces(void *user, uint32_t count)
{
    const reading *r = user;
    r->out->builders = akin_alloc_zero(r->account, count, sizeof *r->out->builders);
    r->out->builder_count = r->out->builders ? count : 0;
    for (uint32_t i = 0; i < r->out->builder_count; i++)
        r->out->builders[i] =
            (akin_tree_builder){.account = r->account, .nodes = {.account = r->account}, .cpu = r->scope->cpu};
    return r->out->builders != NULL;
}

static akin_status read_tree(void *user, uint32_t piece, akin_dictionary *dictionary, uint32_t row, const char *text,
                             uint64_t length, akin_tree_fault *fault, akin_error *error)
{
    const reading *r = user;
    akin_tree_builder *builder = &r->out->builders[piece];
    builder->dictionary = dictionary;
    return akin_tree_read(r->format, builder, text, length, &r->out->trees[row].nodes, fault, error);
}

static void renumber(const akin_tree_nodes *nodes, const uint32_t *numbers)
{
    for (uint64_t i = 0; i < nodes->first; i++) {
        nodes->label[i] = numbers[nodes->label[i]];
        nodes->pre[i] = numbers[nodes->pre[i]];
    }
}

/* Puts the numbers of labels into the nodes, and the places of the nodes into the trees. */
static void finish_piece(void *user, uint32_t piece, const akin_labelled_piece *rows)
{
    const reading *r = user;
    const akin_tree_nodes *nodes = &r->out->builders[piece].nodes;
    uint64_t first = 0;
    renumber(nodes, rows->numbers);
    for (uint32_t row = rows->begin; row < rows->end; row++) {
        akin_tree *tree = &r->out->trees[row];
        if (tree->nodes == 0)
            continue;
        tree->label = nodes->label + first;
        tree->size = nodes->size + first;
        tree->depth = nodes->depth + first;
        tree->pre = nodes->pre + first;
        first += tree->nodes;
    }
}

static const akin_labelled_kind kind = {
    .what = "trees",
    .purpose = "read trees from",
    .phase = "reading trees",
    .begin = begin_pieces,
    .read = read_tree,
    .finish = finish_piece,
};

akin_status akin_tree_collection_make(const akin_scope *scope, akin_account *account, akin_tree_format format,
                                      const akin_column *column, uint32_t rows, const char *side,
                                      akin_dictionary *dictionary, akin_tree_collection *out, akin_error *error)
{
    reading r = {.scope = scope, .account = account, .out = out};
    *out = (akin_tree_collection){.rows = rows};
    akin_status status = akin_tree_format_of(format, &r.format, error);
    if (status == AKIN_OK) {
        out->trees = akin_alloc_zero(account, rows, sizeof *out->trees);
        status = out->trees ? akin_labelled_read(scope, account, column, rows, side, dictionary, &kind, &r, error)
                            : akin_fail_memory(error, "trees");
    }
    for (uint32_t i = 0; i < out->builder_count; i++)
        out->nodes += out->builders[i].nodes.first;
    if (status != AKIN_OK)
        akin_tree_collection_clear(out);
    return status;
}

void akin_tree_collection_renumber(akin_tree_collection *trees, const uint32_t *numbers)
{
    for (uint32_t i = 0; i < trees->builder_count; i++)
        renumber(&trees->builders[i].nodes, numbers);
}

void akin_tree_collection_clear(akin_tree_collection *trees)
{
    for (uint32_t i = 0; i < trees->builder_count; i++)
        akin_tree_builder_clear(&trees->builders[i]);
    akin_free(trees->builders);
    akin_free(trees->trees);
    *trees = (akin_tree_collection){0};
}
