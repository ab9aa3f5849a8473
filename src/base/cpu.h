/*
 * The SIMD levels of CPUs: those of the architecture that the library is compiled for, each including those before it.
 *
 *     x86-64     scalar   avx2   avx512
 *     AArch64    scalar   neon
 *     others     scalar
 *
 * What depends on the level is an array with a row's worth of values, indexed by akin_cpu:
 *
 *     static const akin_scan by_level[] = AKIN_CPU_ROW(scan, akin_scan_neon, akin_scan_avx2, akin_scan_avx512);
 */
#ifndef AKIN_BASE_CPU_H
#define AKIN_BASE_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* AVX2 needs POPCNT, BMI1 and BMI2, too; AVX512 needs F, BW, DQ, VL, CD, VBMI, VBMI2 and VPOPCNTDQ. Every CPU of
 * AArch64 has NEON. A row names levels of other architectures, but what it says for them is not compiled. */
#if defined(__x86_64__)
typedef enum akin_cpu { AKIN_CPU_SCALAR, AKIN_CPU_AVX2, AKIN_CPU_AVX512 } akin_cpu;
#define AKIN_CPU_ROW(scalar, neon, avx2, avx512)                                                                       \
    {                                                                                                                  \
        scalar, avx2, avx512                                                                                           \
    }
#define AKIN_CPU_LEVELS 3
#elif defined(__aarch64__)
typedef enum akin_cpu { AKIN_CPU_SCALAR, AKIN_CPU_NEON } akin_cpu;
#define AKIN_CPU_ROW(scalar, neon, avx2, avx512)                                                                       \
    {                                                                                                                  \
        scalar, neon                                                                                                   \
    }
#define AKIN_CPU_LEVELS 2
#else
typedef enum akin_cpu { AKIN_CPU_SCALAR } akin_cpu;
#define AKIN_CPU_ROW(scalar, neon, avx2, avx512)                                                                       \
    {                                                                                                                  \
        scalar                                                                                                         \
    }
#define AKIN_CPU_LEVELS 1
#endif

/* The widest level that this CPU and operating system offer, and a level's name. */
akin_cpu akin_cpu_detect(void);
const char *akin_cpu_name(akin_cpu cpu);

/* Whether a level of some architecture has that name. */
int akin_cpu_is_known(const char *name);

#ifdef __cplusplus
}
#endif

#endif
