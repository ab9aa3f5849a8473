/* The reader of bracket notation: one pass, whose only stack is that of the open nodes. */
#include "trees/brackets.h"

#include <string.h>

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

/* Reads the label from *at on, and opens a node with it. */
static akin_status open_labelled(akin_tree_builder *builder, const char *text, const char **at, const char *end,
                                 akin_tree_fault *fault, akin_error *error)
{
    const char *from = *at, *to = from;
    int has_escapes = 0;
    while (to < end && *to != '{' && *to != '}') {
        const int is_escape = *to == '\\';
        if (is_escape && (to + 1 == end || !strchr("{}\\", to[1]) || !to[1]))
            return akin_tree_fault_at(fault, (uint64_t)(to - text), "an escape, \\{, \\} or \\\\");
        has_escapes |= is_escape;
        to += 1 + is_escape;
    }
    *at = to;
    if (!has_escapes)
        return akin_tree_builder_open(builder, from, (size_t)(to - from), error);
    char *label = akin_tree_builder_room(builder, (uint64_t)(to - from), error);
    size_t length = 0;
    if (!label)
        return AKIN_E_NOMEM;
    for (; from < to; from++) {
        from += *from == '\\';
        label[length++] = *from;
    }
    return akin_tree_builder_open(builder, label, length, error);
}

akin_status akin_brackets_read(akin_tree_builder *builder, const char *text, uint64_t length, akin_tree_fault *fault,
                               akin_error *error)
{
    const char *end = text + length, *at = skip_blanks(text, end);
    akin_status status = AKIN_OK;
    if (at == end || *at != '{')
        return akin_tree_fault_at(fault, (uint64_t)(at - text), "a tree, which begins with {");
    do {
        if (at == end)
            return akin_tree_fault_at(fault, length, "} for each { that is open");
        if (*at == '{') {
            at++;
            status = open_labelled(builder, text, &at, end, fault, error);
            if (status != AKIN_OK)
                return status;
        } else if (*at == '}') {
            akin_tree_nodes_close(&builder->nodes);
            at = skip_blanks(at + 1, end);
        } else {
            return akin_tree_fault_at(fault, (uint64_t)(at - text), "{ or }");
        }
    } while (builder->nodes.open_count > 0);
    return at == end ? AKIN_OK : akin_tree_fault_at(fault, (uint64_t)(at - text), "nothing behind the tree");
}
