/* Checksums of the blocks of sections: computed when a file is written, and checked where it is read. */
#include "base/container.h"

#include "base/bits.h"
#include "base/memory.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define BLOCK AKIN_CONTAINER_BLOCK
#define STEP  1024 /* blocks that are hashed before the caller is asked whether to stop: 16 MiB, a few milliseconds */

uint64_t akin_container_blocks(uint64_t length)
{
    return akin_ceil_div(length, BLOCK);
}

static uint64_t sum_of(const void *data, uint64_t length, uint64_t block)
{
    return XXH3_64bits((const char *)data + block * BLOCK, (size_t)akin_min_u64(BLOCK, length - block * BLOCK));
}

akin_status akin_container_sum(const akin_scope *scope, const akin_section *section, uint64_t *sums)
{
    for (uint64_t block = 0; block < akin_container_blocks(section->length); block++) {
        if (block % STEP == 0 && akin_scope_report(scope, NULL, 0, 0) != AKIN_OK)
            return AKIN_E_CANCELLED;
        sums[block] = sum_of(section->data, section->length, block);
    }
    return AKIN_OK;
}

akin_status akin_container_check_sums(const akin_scope *scope, const akin_section *section, akin_error *error)
{
    for (uint64_t block = 0; block < akin_container_blocks(section->length); block++) {
        if (block % STEP == 0 && akin_scope_report(scope, NULL, 0, 0) != AKIN_OK)
            return akin_fail(error, AKIN_E_CANCELLED, "%s: cancelled while reading", section->blocks->file);
        if (sum_of(section->data, section->length, block) != section->blocks->sums[block])
            return akin_section_refuse(section, block * BLOCK, error);
    }
    return AKIN_OK;
}

akin_status akin_section_refuse(const akin_section *section, uint64_t byte, akin_error *error)
{
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED,
                          "%s: byte %llu: a block is altered: its checksum does not match; make the file anew",
                          section->blocks->file, (unsigned long long)section->blocks->offset + byte);
}

static int is_done(const akin_section_blocks *blocks, uint64_t block)
{
    return (int)(atomic_load_explicit(&blocks->done[block / 64], memory_order_acquire) >> block % 64 & 1);
}

static void set_done(const akin_section_blocks *blocks, uint64_t block)
{
    atomic_fetch_or_explicit(&blocks->done[block / 64], UINT64_C(1) << block % 64, memory_order_release);
}

akin_status akin_section_check(const akin_section *section, uint64_t begin, uint64_t end, akin_error *error)
{
    return akin_section_bring(section, NULL, begin, end, error);
}

akin_status akin_section_bring(const akin_section *section, void *to, uint64_t begin, uint64_t end, akin_error *error)
{
    const akin_section_blocks *blocks = section->blocks;
    for (uint64_t block = begin / BLOCK; blocks && block * BLOCK < end; block++) {
        if (is_done(blocks, block))
            continue;
        const uint64_t at = block * BLOCK;
        if (to)
            memcpy((char *)to + at, (const char *)section->data + at,
                   (size_t)akin_min_u64(BLOCK, section->length - at));
        if (sum_of(to ? to : section->data, section->length, block) != blocks->sums[block])
            return akin_section_refuse(section, at, error);
        set_done(blocks, block);
    }
    return AKIN_OK;
}
