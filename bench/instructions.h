/* The loops whose instructions are counted: see instructions_bench.c. */
#ifndef AKIN_BENCH_INSTRUCTIONS_H
#define AKIN_BENCH_INSTRUCTIONS_H

#include "base/cpu.h"

struct loop {
    const char *name;
    void (*run)(akin_cpu cpu);
    int items; /* of a run */
    const char *item;
};

/* Those of strings; a row without a name ends them. */
extern const struct loop loops_of_strings[];
void fill_strings(void);

#endif
