/* Numbers as messages for people have them. */
#ifndef AKIN_BASE_COUNTED_H
#define AKIN_BASE_COUNTED_H

#include <stdint.h>

/* Room for such a text. */
typedef struct akin_counted {
    char text[64];
} akin_counted;

/* "1 pair", "1,000 pairs"; `thing` is in the singular, and has at most 30 bytes. Returns the text. */
const char *akin_count(akin_counted *room, uint64_t count, const char *thing);

/* Bytes, which may be an estimate, with three digits: "16.8 MB". Returns the text. */
const char *akin_count_bytes(akin_counted *room, double bytes);

#endif
