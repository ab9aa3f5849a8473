/* Signatures of vectors in AVX-512: 16 functions a register. */
#include "signature/family.h"

#include <assert.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define WIDTH  16

#include "signature/family_body.h"

akin_family_sign akin_family_avx512(akin_family_kind kind)
{
    return sign_of(kind);
}
