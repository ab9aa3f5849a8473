/*
 * Fuzzes texts of trees. The first byte chooses the format. A plain reader of brackets, the fuzzer's own, must agree on
 * what a tree is, and on its nodes; a JSON value must be a tree exactly if the library's reader of JSON takes it. The
 * distance of a tree to another, which the same bytes make, is symmetric, and the mapping costs as much.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"
#include "fuzz/require.h"
#include "table/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LONGEST 3000 /* bytes of a text whose trees are compared */

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The nodes of a text in brackets, in preorder with their depths in *depths; 0: it is none. */
static uint32_t read_plainly(const char *text, size_t length, uint32_t *depths)
{
    uint32_t count = 0, depth = 0;
    size_t at = 0;
    int is_done = 0, in_label = 0;
    for (; at < length; at++) {
        const char c = text[at];
        if (in_label && c == '\\') {
            if (++at == length || (text[at] != '{' && text[at] != '}' && text[at] != '\\'))
                return 0;
        } else if (c == '{' && !is_done) {
            depths[count++] = depth++;
            in_label = 1;
        } else if (c == '}' && depth > 0) {
            is_done = --depth == 0;
            in_label = 0;
        } else if (!in_label && !is_blank(c)) {
            return 0;
        }
    }
    return is_done ? count : 0;
}

/* The costs of the mapping are the distance, and partners are one another's. */
static void check_mapping(const akin_tree_compared *compared)
{
    uint32_t counts[2], cost = 0;
    const akin_tree_node *nodes[2] = {akin_tree_compared_nodes(compared, 0, &counts[0]),
                                      akin_tree_compared_nodes(compared, 1, &counts[1])};
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < counts[side]; i++) {
            const akin_tree_node *node = &nodes[side][i];
            if (node->partner == AKIN_TREE_NO_PARTNER) {
                cost++;
                continue;
            }
            require(node->partner < counts[!side] && nodes[!side][node->partner].partner == i);
            const akin_tree_node *other = &nodes[!side][node->partner];
            cost +=
                side == 0 && (node->length != other->length || memcmp(node->label, other->label, node->length) != 0);
        }
    require(cost == akin_tree_compared_distance(compared));
}

static void check_brackets(const char *text, size_t length, const akin_tree_compared *compared)
{
    uint32_t *depths = malloc((length + 1) * sizeof *depths), count = 0;
    require(depths != NULL);
    const uint32_t expected = akin_utf8_check(text, length) == length ? read_plainly(text, length, depths) : 0;
    const akin_tree_node *nodes = compared ? akin_tree_compared_nodes(compared, 0, &count) : NULL;
    require(count == expected);
    for (uint32_t i = 0; i < count; i++)
        require(nodes[i].depth == depths[i]);
    free(depths);
}

/* Compares the text with itself, and with its beginning where that is a tree, too. */
static void check_distances(akin_context *context, const akin_trees_options *options, const char *text, size_t length)
{
    akin_tree_compared *one = NULL, *back = NULL;
    require(akin_tree_compare(context, options, text, length, text, length, &one, NULL) == AKIN_OK);
    require(akin_tree_compared_distance(one) == 0);
    check_mapping(one);
    akin_tree_compared_free(one);
    static const char *const others[] = {[AKIN_TREE_BRACKETS] = "{a{b{c}}{d}{}}",
                                         [AKIN_TREE_JSON] = "{\"a\":[1,{\"b\":[]}],\"c\":\"x\"}",
                                         [AKIN_TREE_JSON_WRITTEN] = "{\"c\":[1,{\"b\":[]}],\"a\":\"x\"}",
                                         [AKIN_TREE_XML] = "<a b='1' c='2'><d>x</d><e/>y</a>"};
    const char *other = others[options->format];
    require(akin_tree_compare(context, options, text, length, other, strlen(other), &one, NULL) == AKIN_OK);
    require(akin_tree_compare(context, options, other, strlen(other), text, length, &back, NULL) == AKIN_OK);
    require(akin_tree_compared_distance(one) == akin_tree_compared_distance(back));
    check_mapping(one);
    check_mapping(back);
    akin_tree_compared_free(one);
    akin_tree_compared_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const akin_context_options single = {.size = sizeof single, .threads = 1, .device = "cpu"};
    akin_trees_options options = AKIN_TREES_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_tree_compared *compared = NULL;
    akin_error error;
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1;
    const size_t length = size - 1;
    options.format = (akin_tree_format)(data[0] % 4);
    options.most = 0; /* reading is what takes the text apart */
    require(akin_context_create(&single, &context, NULL) == AKIN_OK);
    const akin_status status = akin_tree_compare(context, &options, text, length, text, length, &compared, &error);
    require(status == AKIN_OK || (status == AKIN_E_INPUT && strstr(error.message, "left tree: ")));
    if (options.format == AKIN_TREE_BRACKETS) {
        check_brackets(text, length, compared);
    } else if (options.format != AKIN_TREE_XML && length <= AKIN_JSON_LONGEST) {
        akin_json *json = NULL;
        const akin_status plain = akin_json_parse("text", text, length, &json, &error);
        require(plain != AKIN_OK || status == AKIN_OK || akin_utf8_check(text, length) < length ||
                (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)); /* which a column has no use for */
        if (status == AKIN_OK)
            require(plain == AKIN_OK || strstr(error.message, "512"));
        akin_json_free(json);
    }
    akin_tree_compared_free(compared);
    options.most = UINT32_MAX;
    if (status == AKIN_OK && length <= LONGEST)
        check_distances(context, &options, text, length);
    akin_context_free(context);
    return 0;
}
