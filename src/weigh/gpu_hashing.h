/* The way of counting and weighing on a GPU that finds words in a hash table. */
#ifndef AKIN_WEIGH_GPU_HASHING_H
#define AKIN_WEIGH_GPU_HASHING_H

#include "weigh/gpu.h"

extern const akin_gpu_way akin_gpu_hashing;

#endif
