/* Slices of strings in AVX2. */
#include "strings/slices.h"

#include <string.h>

#include <immintrin.h>

#define TARGET   __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE   TARGET static inline __attribute__((always_inline))
#define REGISTER 32

typedef uint64_t vector_64 __attribute__((vector_size(REGISTER)));

#define differs(a, b, same) (((a) | (same)) & ~(b))
#define parity(a, b, c)     ((a) ^ (b) ^ (c))
#define majority(a, b, c)   (((a) & (b)) | ((c) & ((a) ^ (b))))

#include "strings/slices_body.h"

const akin_slices akin_slices_avx2 = {REGISTER * 8, subsequences, find};
