/* Stop words: tokens that are left out, normalised as the text is. */
#include "sets/stops.h"

#include "base/memory.h"

/* Normalises one word and puts it behind the `used` bytes of those before. */
static akin_status add(akin_stops *stops, akin_normal *normal, const char *word, uint32_t number, uint64_t *used,
                       uint64_t *capacity, akin_error *error)
{
    if (!word)
        return akin_fail(error, AKIN_E_OPTION, "stop word %u is NULL", number);
    uint64_t length = strlen(word);
    akin_status status = akin_normal_take(normal, word, length, length);
    if (status == AKIN_E_INPUT)
        return akin_fail(error, status, "stop word %u is not valid UTF-8", number);
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, status, "stop word %u is longer than 4 GB", number);
    char *bytes = status == AKIN_OK ? akin_enlarge(NULL, stops->bytes, capacity, *used + normal->length, 1) : NULL;
    if (!bytes)
        return akin_fail_memory(error, "the stop words");
    stops->bytes = bytes;
    memcpy(bytes + *used, normal->text, (size_t)normal->length);
    stops->list[number].length = (uint32_t)normal->length;
    *used += normal->length;
    return AKIN_OK;
}

akin_status akin_stops_read(akin_stops *stops, akin_normal *normal, const akin_text_options *options, akin_error *error)
{
    uint64_t used = 0, capacity = 0;
    stops->list = akin_alloc(NULL, options->stop_word_count, sizeof *stops->list);
    if (!stops->list)
        return akin_fail_memory(error, "the stop words");
    for (uint32_t i = 0; i < options->stop_word_count; i++) {
        akin_status status = add(stops, normal, options->stop_words[i], i, &used, &capacity, error);
        if (status != AKIN_OK)
            return status;
    }
    used = 0;
    for (stops->count = 0; stops->count < options->stop_word_count; stops->count++) {
        stops->list[stops->count].bytes = stops->bytes + used;
        used += stops->list[stops->count].length;
    }
    return AKIN_OK;
}

void akin_stops_clear(akin_stops *stops)
{
    akin_free(stops->list);
    akin_free(stops->bytes);
    *stops = (akin_stops){0};
}
