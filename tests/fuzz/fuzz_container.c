/*
 * Fuzzes the opening of saved collections: with the input as it is, which the checksums refuse nearly always, and again
 * with all checksums made right, so that everything behind them is reached. A collection that opens is used.
 */
#include "base/context.h"
#include "base/memory.h"
#include "sets/sets.h"

#include "container.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

/* Goes through a collection as a join does. */
static void use(const akin_sets *sets)
{
    akin_sets_statistics statistics = {.size = sizeof statistics};
    akin_error error;
    uint64_t total = 0;
    for (uint32_t row = 0; row < akin_sets_rows(sets); row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        for (uint32_t i = 1; i < size; i++)
            require(tokens[i - 1] < tokens[i]);
        total += size;
    }
    require(akin_sets_describe(&context, sets, &statistics, &error) == AKIN_OK);
    require(statistics.tokens == total && statistics.universe <= total);
}

static void parse(const uint8_t *data, size_t size, int mended)
{
    akin_error error;
    akin_sets *sets = NULL;
    uint8_t *image = image_of(data, size, mended);
    akin_bulk bulk = akin_bulk_adopt(image);
    akin_status status = akin_sets_parse(akin_scope_of(&context), "input", &bulk, size, &sets, &error);
    require(status == AKIN_OK || status == AKIN_E_INPUT);
    if (status == AKIN_OK)
        use(sets);
    else
        akin_free(image);
    akin_sets_free(sets);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse(data, size, 0);
    parse(data, size, 1);
    return 0;
}
