/* Generated sets. */
#ifndef AKIN_SETS_GENERATE_H
#define AKIN_SETS_GENERATE_H

#include "base/scope.h"

/* As the public function, within a scope. */
akin_status akin_sets_generate_within(const akin_scope *scope, const akin_generate_options *options, akin_sets **out,
                                      akin_error *error);

#endif
