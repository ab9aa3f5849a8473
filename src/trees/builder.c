/* The builder of trees: nodes, and the numbers of their labels. */
#include "trees/builder.h"

akin_status akin_tree_builder_open(akin_tree_builder *builder, const char *label, size_t length, akin_error *error)
{
    uint32_t number = 0;
    const akin_status status = akin_dictionary_add(builder->dictionary, label, length, &number, error);
    return status == AKIN_OK ? akin_tree_nodes_open(&builder->nodes, number, error) : status;
}

char *akin_tree_builder_room(akin_tree_builder *builder, uint64_t length, akin_error *error)
{
    char *text = akin_enlarge(builder->account, builder->text, &builder->text_room, length, 1);
    if (text)
        builder->text = text;
    else
        akin_fail_memory(error, "the text of a tree");
    return text;
}

akin_status akin_tree_fault_at(akin_tree_fault *fault, uint64_t at, const char *expected)
{
    *fault = (akin_tree_fault){at, expected};
    return AKIN_E_INPUT;
}

void akin_tree_builder_clear(akin_tree_builder *builder)
{
    akin_json_order_free(builder->order);
    akin_tree_nodes_clear(&builder->nodes);
    akin_free(builder->text);
    akin_free(builder->attributes);
    builder->attributes = NULL;
    builder->attributes_room = 0;
    builder->text = NULL;
    builder->text_room = 0;
    builder->order = NULL;
}
