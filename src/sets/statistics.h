/* Facts about sets. */
#ifndef AKIN_SETS_STATISTICS_H
#define AKIN_SETS_STATISTICS_H

#include "base/scope.h"

/* As the public function, within a scope. */
akin_status akin_sets_describe_within(const akin_scope *scope, const akin_sets *sets, akin_sets_statistics *statistics,
                                      akin_error *error);

#endif
