/* The weigher of documents: the tables of its options. */
#ifndef AKIN_WEIGH_WEIGHER_H
#define AKIN_WEIGH_WEIGHER_H

#include "base/choice.h"
#include "base/scope.h"

extern const akin_choice_table akin_weigh_techniques; /* an akin_weigh_technique_row each */
extern const akin_choice_table akin_weights_orders;
extern const akin_choice_table akin_unknown_ways;

/* As the public functions, within a scope. */
akin_status akin_weigh_within(const akin_scope *scope, const akin_column *documents, uint32_t columns, uint32_t rows,
                              const akin_weigh_options *options, akin_weights **out, akin_error *error);
akin_status akin_weigher_create_within(const akin_scope *scope, const akin_weigh_options *options, akin_weigher **out,
                                       akin_error *error);

#endif
