/* Stop words: tokens that are left out, normalised as the text is. */
#ifndef AKIN_SETS_STOPS_H
#define AKIN_SETS_STOPS_H

#include "dict/gatherer.h"
#include "text/tokenizer.h"

/* Zeros at first. */
typedef struct akin_stops {
    uint32_t count;
    uint64_t capacity; /* of the list */
    akin_stop *list;
    uint64_t used, bytes_capacity;
    char *bytes; /* of all of them */
} akin_stops;

/* Cuts the options' stop words into tokens, as text is cut. What a user writes as one word may be several tokens. The
 * caller clears the result in any case. Errors: AKIN_E_OPTION (one is NULL), AKIN_E_INPUT (one is not UTF-8),
 * AKIN_E_LIMIT, AKIN_E_NOMEM. */
akin_status akin_stops_read(akin_stops *stops, akin_tokenizer *tokenizer, const akin_text_options *options,
                            akin_error *error);
void akin_stops_clear(akin_stops *stops);

#endif
