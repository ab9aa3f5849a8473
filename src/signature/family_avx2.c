/* Signatures of vectors in AVX2: 8 functions a register. */
#include "signature/family.h"

#include <assert.h>
#include <string.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define WIDTH  8

#include "signature/family_body.h"

akin_family_sign akin_family_avx2(akin_family_kind kind)
{
    return sign_of(kind);
}
