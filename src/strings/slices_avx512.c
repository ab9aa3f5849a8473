/* Slices of strings in AVX-512. */
#include "strings/slices.h"

#include <string.h>

#include <immintrin.h>

#define TARGET   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt")))
#define INLINE   TARGET static inline __attribute__((always_inline))
#define REGISTER 64

typedef uint64_t vector_64 __attribute__((vector_size(REGISTER)));

#define ternary(a, b, c, table) ((vector_64)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), table))
#define differs(a, b, same)     ternary(a, b, same, 0x32)
#define parity(a, b, c)         ternary(a, b, c, 0x96)
#define majority(a, b, c)       ternary(a, b, c, 0xe8)

#include "strings/slices_body.h"

const akin_slices akin_slices_avx512 = {REGISTER * 8, subsequences, find};
