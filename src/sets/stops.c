/* Stop words: tokens that are left out, cut and normalised as the text is. */
#include "sets/stops.h"

#include "base/memory.h"

/* Adds a token; where its bytes are is not known before the last one is there. */
static akin_status add_stop_word(akin_stops *stops, const char *bytes, uint32_t length)
{
    akin_stop *list = akin_enlarge(NULL, stops->list, &stops->capacity, (uint64_t)stops->count + 1, sizeof *list);
    if (!list)
        return AKIN_E_NOMEM;
    stops->list = list;
    char *all = akin_enlarge(NULL, stops->bytes, &stops->bytes_capacity, stops->used + length, 1);
    if (!all)
        return AKIN_E_NOMEM;
    stops->bytes = all;
    memcpy(all + stops->used, bytes, length);
    stops->used += length;
    list[stops->count++].length = length;
    return stops->count == UINT32_MAX ? AKIN_E_LIMIT : AKIN_OK;
}

static akin_status cut_stop_words(akin_stops *stops, akin_tokenizer *tokenizer, const char *word)
{
    akin_spans spans;
    uint64_t length = strlen(word);
    akin_status status = akin_tokenizer_take(tokenizer, word, length, length);
    while (status == AKIN_OK && akin_tokenizer_next(tokenizer, &spans))
        for (uint32_t i = 0; i < spans.count && status == AKIN_OK; i++) {
            uint32_t begin = spans.bounds[i * spans.step], end = spans.bounds[i * spans.step + spans.gap];
            status = add_stop_word(stops, spans.text + begin, end - begin);
        }
    return status;
}

akin_status akin_stops_read(akin_stops *stops, akin_tokenizer *tokenizer, const akin_text_options *options,
                            akin_error *error)
{
    for (uint32_t i = 0; i < options->stop_word_count; i++) {
        const char *word = options->stop_words[i];
        if (!word)
            return akin_fail(error, AKIN_E_OPTION, "stop word %u is NULL", i);
        akin_status status = cut_stop_words(stops, tokenizer, word);
        if (status == AKIN_E_INPUT)
            return akin_fail(error, status, "stop word %u is not valid UTF-8", i);
        if (status == AKIN_E_LIMIT)
            return akin_fail(error, status, "stop word %u is longer than 4 GB, or the last of 2^32", i);
        if (status != AKIN_OK)
            return akin_fail_memory(error, "the stop words");
    }
    const char *at = stops->bytes;
    for (uint32_t i = 0; i < stops->count; i++) {
        stops->list[i].bytes = at;
        at += stops->list[i].length;
    }
    return AKIN_OK;
}

void akin_stops_clear(akin_stops *stops)
{
    akin_free(stops->list);
    akin_free(stops->bytes);
    *stops = (akin_stops){0};
}
