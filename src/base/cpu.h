/* The SIMD levels of CPUs. */
#ifndef AKIN_BASE_CPU_H
#define AKIN_BASE_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* SIMD levels, each including those before it. AVX2 needs POPCNT, BMI1 and BMI2, too; AVX512 needs F, BW, DQ, VL, CD,
 * VBMI, VBMI2 and VPOPCNTDQ. */
typedef enum akin_cpu { AKIN_CPU_SCALAR, AKIN_CPU_AVX2, AKIN_CPU_AVX512 } akin_cpu;

/* The widest level that this CPU and operating system offer, and a level's name. */
akin_cpu akin_cpu_detect(void);
const char *akin_cpu_name(akin_cpu cpu);

#ifdef __cplusplus
}
#endif

#endif
