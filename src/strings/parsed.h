/* The values in which a comparator finds nothing. */
#ifndef AKIN_STRINGS_PARSED_H
#define AKIN_STRINGS_PARSED_H

#include "base/scope.h"

/* As the public function, within a scope. */
akin_status akin_compare_parse_within(const akin_scope *scope, const akin_compare_options *options,
                                      const akin_column *column, uint32_t rows, akin_parsed *out, akin_error *error);

#endif
