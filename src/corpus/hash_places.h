/* Where hashes have their counters and their bits, on the CPU and on a GPU alike. */
#ifndef AKIN_CORPUS_HASH_PLACES_H
#define AKIN_CORPUS_HASH_PLACES_H

#include <stdint.h>

#define AKIN_FREQUENCY_MOST       15
#define AKIN_SIGNATURE_WORDS_MOST 1024

/* The high half of the product with the first one chooses a counter, that with the second one whether a hash counts. */
#define AKIN_FREQUENCY_SPREAD UINT64_C(0x9e3779b97f4a7c15)
#define AKIN_FREQUENCY_CHOOSE UINT64_C(0xbf58476d1ce4e5b9)

#endif
