/* The prefix of a bag: its length, and the order of hashes. */
#include "corpus/bag_prefix.h"

#include "base/sort.h"

uint32_t akin_bag_prefix_length(const akin_threshold *seen, uint32_t size)
{
    const uint64_t smallest = akin_threshold_smallest(seen, size);
    if (smallest > akin_threshold_largest(seen, size))
        return 0;
    const uint64_t overlap = akin_threshold_overlap(seen, size, smallest);
    return overlap > size ? 0 : (uint32_t)(size - overlap + 1);
}

uint32_t akin_bag_prefix_sort(const akin_frequencies *frequencies, const uint64_t *hashes, uint32_t size, uint8_t least,
                              const uint32_t lengths[2], uint8_t *room, uint64_t *sorted)
{
    akin_frequencies_of(frequencies, hashes, size, room);
    return akin_bag_prefix_order(hashes, room, size, 0, least, lengths, sorted);
}

uint32_t akin_bag_prefix_order(const uint64_t *hashes, const uint8_t *counts, uint32_t size, int is_mixed,
                               uint8_t least, const uint32_t lengths[2], uint64_t *sorted)
{
    uint32_t starts[AKIN_FREQUENCY_MOST + 2] = {0};
    for (uint32_t i = 0; i < size; i++)
        starts[counts[i] + 1]++;
    for (uint32_t f = 0; f <= AKIN_FREQUENCY_MOST; f++)
        starts[f + 1] += starts[f];
    const uint32_t below = starts[least];
    for (uint32_t i = 0; i < size; i++)
        sorted[starts[counts[i]]++] = hashes[i];
    for (uint32_t f = least; f <= AKIN_FREQUENCY_MOST; f++) { /* now a frequency begins where the one before it ends */
        const uint32_t begin = f > 0 ? starts[f - 1] : 0, end = starts[f];
        if (is_mixed || (lengths[0] > begin && lengths[0] < end) || (lengths[1] > begin && lengths[1] < end))
            akin_sort_u64(sorted + begin, end - begin);
    }
    return below;
}
