/* What a fuzzer demands; where it does not hold, the input is a find. */
#ifndef AKIN_FUZZ_REQUIRE_H
#define AKIN_FUZZ_REQUIRE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define require(condition) require_at(condition, __FILE__, __LINE__)

static inline void require_at(int condition, const char *file, int line)
{
    char text[300];
    if (condition)
        return;
    const int length = snprintf(text, sizeof text, "%s:%d: it does not hold\n", file, line);
    const ssize_t written = write(STDERR_FILENO, text, (size_t)length); /* stderr may be a command's */
    (void)written;
    abort();
}

#endif
