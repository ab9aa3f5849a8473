/* A logarithm and an exponential that are the same on every machine. */
#include "base/elementary.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define LN_2  0x1.62e42fefa39efp-1
#define LARGE (1000 * LN_2) /* beyond, results are not computed */
#define TERMS 15
#define LANES 8

/* ln x = e ln 2 + ln m, and ln m = 2 artanh z = 2 (z + z^3 / 3 + ...) with z = (m - 1) / (m + 1), |z| <= 1/5. `m` is
 * from 1 to 2. */
static double logarithm_of_parts(int e, double m)
{
    static const double parts[] = {1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15,
                                   1.0 / 13, 1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};
    if (m > 1.5) {
        m /= 2;
        e++;
    }
    double z = (m - 1) / (m + 1), square = z * z, sum = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        sum = (sum + parts[i]) * square;
    return e * LN_2 + 2 * z * (1 + sum);
}

double akin_logarithm(uint64_t k)
{
    int e = 63 - __builtin_clzll(k);
    return logarithm_of_parts(e, (double)k / (double)(UINT64_C(1) << e));
}

double akin_logarithm_of(double x)
{
    const uint64_t fraction = UINT64_C(0xfffffffffffff);
    uint64_t bits;
    double m;
    memcpy(&bits, &x, sizeof bits);
    int e = (int)(bits >> 52) - 1023;
    bits = (bits & fraction) | UINT64_C(1023) << 52;
    memcpy(&m, &bits, sizeof m);
    return logarithm_of_parts(e, m);
}

/* 2^n e^r with |r| <= ln 2 / 2, by Taylor's series. */
double akin_exponential(double x)
{
    double size = x < 0 ? -x : x;
    if (size > LARGE)
        return x < 0 ? 0 : 0x1p1000;
    int n = (int)(size / LN_2 + 0.5);
    double r = n * LN_2 - size, sum = 1, power; /* e^-size = 2^-n e^r */
    if (x > 0) {
        r = -r;
        n = -n;
    }
    for (int i = TERMS; i > 0; i--)
        sum = 1 + sum * r / i;
    uint64_t bits = (uint64_t)(1023 - n) << 52;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

/* A register of doubles that every CPU has. */
typedef double lanes __attribute__((vector_size(16)));
#define REGISTERS (LANES * sizeof(double) / sizeof(lanes))

/* 1 + r (1 + r / 2 (1 + r / 3 ...)), of LANES numbers: a division takes as long for a register as for a number. */
static void sum_of_lanes(const double *r, double *out)
{
    lanes sum[REGISTERS], by[REGISTERS];
    memcpy(by, r, sizeof by);
    for (size_t k = 0; k < REGISTERS; k++)
        sum[k] = (lanes){1, 1};
    for (int i = TERMS; i > 0; i--)
        for (size_t k = 0; k < REGISTERS; k++)
            sum[k] = 1 + sum[k] * by[k] / (double)i;
    memcpy(out, sum, sizeof sum);
}

/* What akin_exponential does, of LANES numbers side by side. */
static void exponentials_of_lanes(double *x)
{
    double r[LANES], sum[LANES], power[LANES];
    int32_t n[LANES];
    for (int k = 0; k < LANES; k++) {
        const double size = x[k] < 0 ? -x[k] : x[k], within = size > LARGE ? 0 : size;
        const int32_t halvings = (int32_t)(within / LN_2 + 0.5);
        r[k] = halvings * LN_2 - within;
        r[k] = x[k] > 0 ? -r[k] : r[k];
        n[k] = x[k] > 0 ? -halvings : halvings;
    }
    sum_of_lanes(r, sum);
    for (int k = 0; k < LANES; k++) {
        const uint64_t bits = (uint64_t)(1023 - n[k]) << 52;
        memcpy(&power[k], &bits, sizeof bits);
    }
    for (int k = 0; k < LANES; k++) {
        const double result = sum[k] * power[k];
        x[k] = x[k] > LARGE ? 0x1p1000 : x[k] < -LARGE ? 0 : result;
    }
}

void akin_exponentials(double *x, uint64_t count)
{
    const uint64_t whole = count - count % LANES;
    for (uint64_t i = 0; i < whole; i += LANES)
        exponentials_of_lanes(x + i);
    for (uint64_t i = whole; i < count; i++)
        x[i] = akin_exponential(x[i]);
}
