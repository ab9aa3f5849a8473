/* Fuzzes the reading of TSV. */
#include "delimited.h"

static plain parse(const char *bytes, size_t size)
{
    return plain_delimited(bytes, size, '\t', 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_table(AKIN_FORMAT_TSV, parse, data, size);
}
