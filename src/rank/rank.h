/* Rankings, as other rooms see them. */
#ifndef AKIN_RANK_RANK_H
#define AKIN_RANK_RANK_H

#include "akin.h"

/* 1 more than the number of the GPU that ranked for the last call; 0: the CPU did. */
uint32_t akin_ranking_device(const akin_ranking *ranking);

#endif
