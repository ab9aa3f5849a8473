/* Makes the checksums of a container right, so that a fuzzer reaches what is behind them. */
#ifndef AKIN_FUZZ_MEND_H
#define AKIN_FUZZ_MEND_H

#include <stdint.h>
#include <string.h>
#include <xxhash.h>

#include "base/memory.h"
#include "require.h"

/* The container's layout, see base/container.h. */
#define KIND_AT    8
#define VERSION_AT 16
#define COUNT_AT   20
#define SIZE_AT    24
#define TABLE_AT   32
#define ENTRY      24
#define BLOCK      16384

static inline uint64_t get(const uint8_t *bytes)
{
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
    return number;
}

static inline void put(uint8_t *bytes, uint64_t number)
{
    memcpy(bytes, &number, sizeof number);
}

/* Whether the last section has checksums of blocks. */
static inline int has_blocks(const uint8_t *image)
{
    uint32_t version;
    memcpy(&version, image + VERSION_AT, sizeof version);
    return version >= 2 && memcmp(image + KIND_AT, "index\0\0", 8) == 0;
}

/* Makes the checksums of blocks right, if the last section is as long as they are. */
static inline void mend_blocks(uint8_t *image, size_t size, uint32_t count)
{
    const uint8_t *last = image + TABLE_AT + (count - 1) * ENTRY;
    uint64_t at = get(last), left = get(last + 8);
    if (at > size || left > size - at)
        return;
    for (uint32_t i = 0; i + 1 < count; i++) {
        const uint64_t offset = get(image + TABLE_AT + i * ENTRY), length = get(image + TABLE_AT + i * ENTRY + 8);
        for (uint64_t done = 0; offset <= size && length <= size - offset && done < length; done += BLOCK) {
            if (left < sizeof(uint64_t))
                return;
            put(image + at,
                XXH3_64bits(image + offset + done, (size_t)(length - done < BLOCK ? length - done : BLOCK)));
            at += sizeof(uint64_t);
            left -= sizeof(uint64_t);
        }
    }
}

/* Makes the size and the checksums right, as far as there is room for them. */
static inline void mend(uint8_t *image, size_t size)
{
    uint32_t count;
    if (size < TABLE_AT)
        return;
    memcpy(&count, image + COUNT_AT, sizeof count);
    size_t end = TABLE_AT + (size_t)count * ENTRY;
    if (count > 64 || size < end + sizeof(uint64_t))
        return;
    put(image + SIZE_AT, size);
    if (count > 0 && has_blocks(image))
        mend_blocks(image, size, count);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *entry = image + TABLE_AT + i * ENTRY;
        uint64_t offset = get(entry), length = get(entry + 8);
        if (offset <= size && length <= size - offset)
            put(entry + 16, XXH3_64bits(image + offset, (size_t)length));
    }
    put(image + end, XXH3_64bits(image, end));
}

/* A copy of the input, with its checksums made right if that is wanted, to be freed. */
static inline uint8_t *image_of(const uint8_t *data, size_t size, int mended)
{
    uint8_t *image = akin_alloc(NULL, size, 1);
    require(image != NULL);
    if (size > 0)
        memcpy(image, data, size);
    if (mended)
        mend(image, size);
    return image;
}

#endif
