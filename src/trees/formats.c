/* Formats of trees: a row for each. */
#include "trees/formats.h"

#include "table/utf8.h"
#include "trees/brackets.h"
#include "trees/json.h"
#include "trees/xml.h"

static const akin_tree_format_row rows[] = {
    {{"brackets", "", "bracket notation, such as {a{b}{c}}", AKIN_TREE_BRACKETS, AKIN_CAN_READ | AKIN_IS_DEFAULT},
     akin_brackets_read},
    {{"json", "", "a JSON value; the members of an object in the order of their keys", AKIN_TREE_JSON, AKIN_CAN_READ},
     akin_tree_json_read},
    {{"json-written", "", "a JSON value; the members of an object in the order of the text", AKIN_TREE_JSON_WRITTEN,
      AKIN_CAN_READ},
     akin_tree_json_read_written},
    {{"xml", "", "an XML document", AKIN_TREE_XML, AKIN_CAN_READ}, akin_tree_xml_read},
};
const akin_choice_table akin_tree_formats = AKIN_CHOICE_TABLE("format of trees", rows);

akin_status akin_tree_format_of(akin_tree_format format, const akin_tree_format_row **out, akin_error *error)
{
    char names[200];
    *out = (const akin_tree_format_row *)(const void *)akin_choice_of(&akin_tree_formats, (int)format);
    if (*out)
        return AKIN_OK;
    akin_choice_list(&akin_tree_formats, 0, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "unknown format %d of trees: expected %s", (int)format, names);
}

static int is_blank(const char *text, uint64_t length)
{
    for (uint64_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '\n')
            return 0;
    return 1;
}

akin_status akin_tree_read(const akin_tree_format_row *format, akin_tree_builder *builder, const char *text,
                           uint64_t length, uint32_t *nodes, akin_tree_fault *fault, akin_error *error)
{
    *nodes = 0;
    if (is_blank(text, length))
        return AKIN_OK;
    const size_t valid = akin_utf8_check(text, (size_t)length);
    if (valid < length)
        return akin_tree_fault_at(fault, valid, NULL);
    akin_tree_nodes_begin(&builder->nodes);
    const akin_status status = format->read(builder, text, length, fault, error);
    if (status == AKIN_OK)
        *nodes = akin_tree_nodes_end(&builder->nodes);
    return status;
}
