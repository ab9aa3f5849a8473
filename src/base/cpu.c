/* Finds the widest SIMD level that both the CPU and the operating system offer. */
#include "base/cpu.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

#define BIT(n) (1u << (n))

/* CPUID leaf 1, ECX */
#define POPCNT  BIT(23)
#define OSXSAVE BIT(27)
#define AVX     BIT(28)

/* CPUID leaf 7, EBX and ECX */
#define AVX2_SET     (BIT(3) | BIT(5) | BIT(8))                        /* BMI1, AVX2, BMI2 */
#define AVX512_SET_B (BIT(16) | BIT(17) | BIT(28) | BIT(30) | BIT(31)) /* F, DQ, CD, BW, VL */
#define AVX512_SET_C (BIT(1) | BIT(6) | BIT(14))                       /* VBMI, VBMI2, VPOPCNTDQ */

/* XCR0: the register state that the operating system saves */
#define STATE_AVX    0x6u  /* SSE, AVX */
#define STATE_AVX512 0xe6u /* and opmask, upper halves, upper registers */

static int has_bits(uint32_t value, uint32_t bits)
{
    return (value & bits) == bits;
}

static uint32_t saved_state(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

akin_cpu akin_cpu_detect(void)
{
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !has_bits(c, POPCNT | OSXSAVE | AVX))
        return AKIN_CPU_SCALAR;
    uint32_t state = saved_state();
    if (!has_bits(state, STATE_AVX) || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has_bits(b, AVX2_SET))
        return AKIN_CPU_SCALAR;
    if (!has_bits(state, STATE_AVX512) || !has_bits(b, AVX512_SET_B) || !has_bits(c, AVX512_SET_C))
        return AKIN_CPU_AVX2;
    return AKIN_CPU_AVX512;
}

#else

akin_cpu akin_cpu_detect(void)
{
    return (akin_cpu)(AKIN_CPU_LEVELS - 1);
}

#endif

const char *akin_cpu_name(akin_cpu cpu)
{
    static const char *const by_level[] = AKIN_CPU_ROW("scalar", "neon", "avx2", "avx512");
    return by_level[cpu];
}

int akin_cpu_is_known(const char *name)
{
    static const char *const all[] = {"scalar", "neon", "avx2", "avx512"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i]) == 0)
            return 1;
    return 0;
}
