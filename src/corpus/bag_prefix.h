/*
 * The prefix of a bag: so many of its rarest hashes that each partner has one of them in its own prefix. Two bags of r
 * and s hashes with n in common share one of the first r - n + 1 and s - n + 1, in any order that is the same for all
 * bags (Chaudhuri et al. 2006).
 */
#ifndef AKIN_CORPUS_BAG_PREFIX_H
#define AKIN_CORPUS_BAG_PREFIX_H

#include "corpus/frequencies.h"
#include "join/threshold.h"

/* How many hashes of a bag a partner may lack, and one more; 0: there is no partner. `seen` has the bag as the first
 * set. */
uint32_t akin_bag_prefix_length(const akin_threshold *seen, uint32_t size);

/* Sorts the hashes of a bag, of which equal ones are next to one another, by their frequency. Those of one frequency
 * ascend where one of both prefixes ends among them; elsewhere their order says nothing. `room` has a byte for each.
 * Returns how many have a frequency below `least`; they come first, and are not sorted. */
uint32_t akin_bag_prefix_sort(const akin_frequencies *frequencies, const uint64_t *hashes, uint32_t size, uint8_t least,
                              const uint32_t lengths[2], uint8_t *room, uint64_t *sorted);

/* The same with counts that are known. is_mixed: equal hashes may be apart, and ascend afterwards. */
uint32_t akin_bag_prefix_order(const uint64_t *hashes, const uint8_t *counts, uint32_t size, int is_mixed,
                               uint8_t least, const uint32_t lengths[2], uint64_t *sorted);

#endif
