/* Formats of trees: a row for each. */
#include "trees/formats.h"

#include "trees/brackets.h"
#include "trees/json.h"

static const akin_tree_format_row rows[] = {
    {{"brackets", "", "bracket notation, such as {a{b}{c}}", AKIN_TREE_BRACKETS, AKIN_CAN_READ | AKIN_IS_DEFAULT},
     akin_brackets_read},
    {{"json", "", "a JSON value; the members of an object in the order of their keys", AKIN_TREE_JSON, AKIN_CAN_READ},
     akin_tree_json_read},
    {{"json-written", "", "a JSON value; the members of an object in the order of the text", AKIN_TREE_JSON_WRITTEN,
      AKIN_CAN_READ},
     akin_tree_json_read_written},
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
