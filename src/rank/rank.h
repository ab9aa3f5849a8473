/* Rankings, as other rooms see them. */
#ifndef AKIN_RANK_RANK_H
#define AKIN_RANK_RANK_H

#include "base/scope.h"

/* 1 more than the number of the GPU that ranked for the last call; 0: the CPU did. */
uint32_t akin_ranking_device(const akin_ranking *ranking);

/* As the public function, within a scope. */
akin_status akin_ranking_create_within(const akin_scope *scope, const akin_rank_index *index,
                                       const akin_rank_options *options, akin_ranking **out, akin_error *error);

#endif
