/* Signatures of vectors in NEON: 8 functions in two registers, as there are enough of them. */
#include "signature/family.h"

#include <assert.h>
#include <string.h>

#define TARGET
#define INLINE static inline __attribute__((always_inline))
#define WIDTH  8

#include "signature/family_body.h"

akin_family_sign akin_family_neon(akin_family_kind kind)
{
    return sign_of(kind);
}
