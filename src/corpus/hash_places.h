/* Where hashes have their counters and their bits, on the CPU and on a GPU alike. */
#ifndef AKIN_CORPUS_HASH_PLACES_H
#define AKIN_CORPUS_HASH_PLACES_H

#include <stdint.h>

#define AKIN_FREQUENCY_MOST       15
#define AKIN_FREQUENCY_SPREAD     UINT64_C(0x9e3779b97f4a7c15) /* the high half of a product with it: a counter, */
#define AKIN_FREQUENCY_CHOOSE     UINT64_C(0xbf58476d1ce4e5b9) /* and with this one: whether it is counted */
#define AKIN_SIGNATURE_WORDS_MOST 1024

#endif
