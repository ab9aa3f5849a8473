/* Signatures of vectors in AVX2: 8 functions a register. */
#include "signature/family.h"

#include <assert.h>
#include <string.h>

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define WIDTH  8

#include "signature/family_body.h"

akin_family_sign akin_family_avx2(akin_family_kind kind)
{
    return sign_of(kind);
}
#else
akin_family_sign akin_family_avx2(akin_family_kind kind)
{
    (void)kind;
    return NULL;
}
#endif
