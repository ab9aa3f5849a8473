/* Fuzzes the reading of CSV. */
#include "delimited.h"

static plain parse(const char *bytes, size_t size)
{
    return plain_delimited(bytes, size, ',', 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_table(AKIN_FORMAT_CSV, parse, data, size);
}
