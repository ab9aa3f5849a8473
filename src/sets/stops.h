/* Stop words: tokens that are left out, normalised as the text is. */
#ifndef AKIN_SETS_STOPS_H
#define AKIN_SETS_STOPS_H

#include "dict/gatherer.h"
#include "text/normal.h"

/* Zeros at first. */
typedef struct akin_stops {
    uint32_t count;
    akin_stop *list;
    char *bytes;
} akin_stops;

/* Normalises the options' stop words, each as a whole. Errors: AKIN_E_OPTION (one is NULL), AKIN_E_INPUT (one is not
 * UTF-8), AKIN_E_LIMIT, AKIN_E_NOMEM. What is there is to be cleared in any case. */
akin_status akin_stops_read(akin_stops *stops, akin_normal *normal, const akin_text_options *options,
                            akin_error *error);
void akin_stops_clear(akin_stops *stops);

#endif
