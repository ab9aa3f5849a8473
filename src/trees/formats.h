/* Formats of trees: the table of rows. */
#ifndef AKIN_TREES_FORMATS_H
#define AKIN_TREES_FORMATS_H

#include "base/choice.h"
#include "trees/builder.h"

typedef struct akin_tree_format_row {
    akin_choice choice;
    /* Reads the tree of a text that is UTF-8, and not empty. */
    akin_status (*read)(akin_tree_builder *builder, const char *text, uint64_t length, akin_tree_fault *fault,
                        akin_error *error);
} akin_tree_format_row;

/* Its values are akin_tree_format. */
extern const akin_choice_table akin_tree_formats;

/* The row of a format. Errors: AKIN_E_OPTION. */
akin_status akin_tree_format_of(akin_tree_format format, const akin_tree_format_row **out, akin_error *error);

/* Reads the tree of any text behind the nodes of the builder; *nodes becomes their number, 0 for a text of blanks.
 * Errors: AKIN_E_INPUT (the fault says where, without `expected` if that is not UTF-8), and those of the builder. */
akin_status akin_tree_read(const akin_tree_format_row *format, akin_tree_builder *builder, const char *text,
                           uint64_t length, uint32_t *nodes, akin_tree_fault *fault, akin_error *error);

#endif
