/*
 * Fuzzes the opening of saved collections: with the input as it is, which the checksums refuse nearly always, and again
 * with all checksums made right, so that everything behind them is reached. What is opened is used.
 */
#include "base/context.h"
#include "base/memory.h"
#include "sets/sets.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The container's layout, see base/container.h. */
#define COUNT_AT 20
#define SIZE_AT  24
#define TABLE_AT 32
#define ENTRY    24

static akin_context context = {.threads = 1};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static uint64_t get(const uint8_t *bytes)
{
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
    return number;
}

static void put(uint8_t *bytes, uint64_t number)
{
    memcpy(bytes, &number, sizeof number);
}

/* Makes the size and the checksums right, as far as there is room for them. */
static void mend(uint8_t *image, size_t size)
{
    if (size < TABLE_AT)
        return;
    uint32_t count;
    memcpy(&count, image + COUNT_AT, sizeof count);
    size_t end = TABLE_AT + (size_t)count * ENTRY;
    if (count > 64 || size < end + sizeof(uint64_t))
        return;
    put(image + SIZE_AT, size);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *entry = image + TABLE_AT + i * ENTRY;
        uint64_t offset = get(entry), length = get(entry + 8);
        if (offset <= size && length <= size - offset)
            put(entry + 16, XXH3_64bits(image + offset, (size_t)length));
    }
    put(image + end, XXH3_64bits(image, end));
}

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
    uint8_t *image = akin_alloc(NULL, size, 1);
    require(image != NULL);
    if (size > 0)
        memcpy(image, data, size);
    if (mended)
        mend(image, size);
    akin_bulk bulk = akin_bulk_adopt(image);
    akin_status status = akin_sets_parse(&context, "input", &bulk, size, &sets, &error);
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
