/* Counts the terms of documents. */
#include "weigh/counter.h"

#include "base/memory.h"

#include <string.h>

#define GROUP  64                   /* tokens that are looked up side by side */
#define LEAST  12                   /* a table has at least 1 << 12 places */
#define FAILED UINT32_MAX           /* in place of a number: memory is short */
#define FULL   (UINT32_MAX - 1)     /* or there are too many terms */
#define MOST   (UINT32_MAX - GROUP) /* numbers that there may be */

/* ----------------------------------------------------------------------------------------------------------- tables */

static void clear_words(akin_words *words)
{
    akin_free(words->places);
    akin_free(words->bytes);
    *words = (akin_words){0};
}

/* Makes room for `more` words; half of the places at least stay free, so that most are found at once. The places in a
 * list move along. */
static akin_status reserve_words(akin_account *account, akin_words *words, akin_salt salt, uint64_t more,
                                 uint64_t *list, uint64_t listed)
{
    if (words->count + more <= words->limit)
        return AKIN_OK;
    int bits = LEAST;
    while ((UINT64_C(1) << bits) / 2 < words->count + more)
        bits++;
    bits += words->count > 0 && bits < 20; /* to four times, or words move often, and as much memory again is used up */
    akin_word *places = akin_alloc_zero(account, UINT64_C(1) << bits, sizeof *places);
    if (!places)
        return AKIN_E_NOMEM;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (uint64_t i = 0; words->places && i <= words->mask; i++) {
        if (words->places[i].term.length == 0)
            continue;
        uint64_t at = akin_term_hash(words->places[i].term, salt) >> (64 - bits);
        while (places[at].term.length != 0)
            at = (at + 1) & mask;
        places[at] = words->places[i];
        words->places[i].term.word[0] = at; /* for the list */
    }
    for (uint64_t i = 0; words->places && i < listed; i++)
        list[i] = words->places[list[i]].term.word[0];
    akin_free(words->places);
    words->places = places;
    words->mask = mask;
    words->limit = (mask + 1) / 2;
    words->shift = 64 - bits;
    return AKIN_OK;
}

/* The place of a string, or the free one where it belongs. */
static inline akin_word *seek(const akin_words *words, uint64_t hash, const akin_term *term, const char *string)
{
    uint64_t at = hash >> words->shift;
    while (words->places[at].term.length != 0 && !akin_term_equal(&words->places[at].term, words->bytes, term, string))
        at = (at + 1) & words->mask;
    return &words->places[at];
}

/* Puts a string in its free place. */
static akin_status put_word(akin_account *account, akin_words *words, akin_word *place, const akin_term *term,
                            const char *string, uint32_t number)
{
    *place = (akin_word){.term = *term};
    place->term.number = number;
    if (term->length > AKIN_TERM_SHORT) {
        char *bytes = akin_enlarge(account, words->bytes, &words->capacity, words->used + term->length, 1);
        if (!bytes) {
            place->term.length = 0;
            return AKIN_E_NOMEM;
        }
        words->bytes = bytes;
        memcpy(bytes + words->used, string, term->length);
        place->term.word[1] = words->used;
        words->used += term->length;
    }
    words->count++;
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------- new words */

/* The number of a term that is new to the thread. */
static uint32_t number_term(akin_counter *c, const akin_term *term, const char *string)
{
    akin_vocabulary *v = c->vocabulary;
    uint64_t at = c->count - c->first;
    if (c->count >= MOST)
        return FULL;
    akin_term *fresh = akin_enlarge(c->account, c->fresh, &c->fresh_capacity, at + 1, sizeof *fresh);
    if (!fresh)
        return FAILED;
    c->fresh = fresh;
    fresh[at] = *term;
    if (term->length > AKIN_TERM_SHORT) {
        char *bytes = akin_enlarge(v->account, v->bytes, &v->bytes_capacity, v->used + term->length, 1);
        if (!bytes)
            return FAILED;
        v->bytes = bytes;
        memcpy(bytes + v->used, string, term->length);
        fresh[at].word[1] = v->used;
        v->used += term->length;
    }
    if (c->combined) {
        akin_cell *cells =
            akin_enlarge(c->account, c->cells, &c->cells_capacity, (uint64_t)c->count + 1, sizeof *cells);
        if (!cells)
            return FAILED;
        c->cells = cells;
        cells[c->count] = (akin_cell){0};
    }
    return c->count++;
}

/* The number of the stem of a word. */
static uint32_t number_stem(akin_counter *c, const char *string, uint32_t length)
{
    const akin_salt salt = c->dictionary->salt;
    akin_term term = akin_term_copy(string, length, salt);
    if (reserve_words(c->account, &c->stems, salt, 1, NULL, 0) != AKIN_OK)
        return FAILED;
    akin_word *place = seek(&c->stems, akin_term_hash(term, salt), &term, string);
    if (place->term.length != 0)
        return place->term.number;
    uint32_t number = number_term(c, &term, string);
    if (number < MOST && put_word(c->account, &c->stems, place, &term, string, number) != AKIN_OK)
        return FAILED;
    return number;
}

/* A word that the thread has not met: finds out its number, and puts it in its place. */
static uint32_t meet_word(akin_counter *c, akin_word *place, const akin_term *term, const char *string)
{
    const char *bytes;
    uint32_t length, id, number;
    if (akin_analyser_resolve(c->analyser, string, term->length, &bytes, &length) != AKIN_OK)
        return FAILED;
    if (length == 0)
        number = AKIN_NUMBER_STOP;
    else if (c->fixed && !akin_dictionary_find(c->dictionary, bytes, length, &id))
        number = AKIN_NUMBER_SHARED;
    else if (c->analyser->stemmer)
        number = number_stem(c, bytes, length);
    else
        number = number_term(c, term, string);
    if (number < MOST && put_word(c->account, &c->words, place, term, string, number) != AKIN_OK)
        return FAILED;
    return number;
}

/* --------------------------------------------------------------------------------------------------------- counting */

/* Makes room for `more` tokens. */
static akin_status reserve_tokens(akin_counter *c, uint64_t more)
{
    if (c->listed + more > c->list_capacity || !c->list) {
        uint64_t *list = akin_enlarge(c->account, c->list, &c->list_capacity, c->listed + more, sizeof *list);
        if (!list)
            return AKIN_E_NOMEM;
        c->list = list;
    }
    return reserve_words(c->account, &c->words, c->dictionary->salt, more, c->list, c->listed);
}

akin_status akin_counter_begin(akin_counter *counter, akin_vocabulary *vocabulary)
{
    akin_counter *c = counter;
    vocabulary->count = vocabulary->used = vocabulary->listed = 0;
    c->vocabulary = vocabulary;
    c->listed = 0;
    if (c->count == 0) {
        c->combined = c->fixed || c->analyser->stemmer;
        c->cells = c->combined ? akin_alloc_zero(c->account, AKIN_NUMBER_FIRST, sizeof *c->cells) : NULL;
        if (c->combined && !c->cells)
            return AKIN_E_NOMEM;
        c->cells_capacity = c->combined ? AKIN_NUMBER_FIRST : 0;
        c->count = AKIN_NUMBER_FIRST;
    }
    c->first = c->count;
    return AKIN_OK;
}

/* A token on its way: as in akin_term, but that of a long one the second word is NOWHERE. */
typedef struct lookup {
    uint64_t word[2];
    uint64_t hash;
    uint32_t begin, length; /* in the text */
} lookup;

#define NOWHERE UINT64_MAX /* no place of bytes */

/* Takes up to GROUP tokens from `first` on, and fetches the places where they should be: the memory is slow, but
 * answers many questions at once. */
static inline uint32_t prefetch_tokens(const akin_counter *c, const akin_spans *spans, uint32_t first, lookup *lookups)
{
    const akin_salt salt = c->dictionary->salt;
    const akin_word *const places = c->words.places;
    const int shift = c->words.shift;
    const uint32_t count = spans->count - first < GROUP ? spans->count - first : GROUP;
    const uint32_t *bound = spans->bounds + (size_t)first * spans->step;
    for (uint32_t i = 0; i < count; i++, bound += spans->step) {
        lookup *l = &lookups[i];
        uint32_t begin = *bound, length = bound[spans->gap] - begin;
        akin_term term = length <= AKIN_TERM_SHORT ? akin_term_load(spans->text + begin, length)
                                                   : akin_term_long(spans->text + begin, length, salt);
        uint64_t hash = akin_term_hash(term, salt);
        __builtin_prefetch(&places[hash >> shift]);
        *l = (lookup){{term.word[0], length <= AKIN_TERM_SHORT ? term.word[1] : NOWHERE}, hash, begin, length};
    }
    return count;
}

/* The place of a token that is not found where it should be: another place, or that of a new word. NULL if there is no
 * room for one; *status then says why. */
__attribute__((noinline)) static akin_word *search(akin_counter *c, const akin_spans *spans, const lookup *l,
                                                   akin_status *status)
{
    const char *string = spans->text + l->begin;
    const int is_short = l->length <= AKIN_TERM_SHORT;
    const akin_term term = {{l->word[0], is_short ? l->word[1] : 0}, l->length, 0};
    akin_word *place = seek(&c->words, l->hash, &term, string);
    if (place->term.length != 0)
        return place;
    uint32_t number = meet_word(c, place, &term, string);
    if (number < FULL)
        return place;
    *status = number == FULL ? AKIN_E_LIMIT : AKIN_E_NOMEM;
    return NULL;
}

akin_status akin_counter_add(akin_counter *counter, const akin_spans *spans)
{
    akin_counter *c = counter;
    lookup lookups[GROUP];
    akin_status status = reserve_tokens(c, spans->count);
    if (status != AKIN_OK)
        return status;
    akin_word *const places = c->words.places;
    const int shift = c->words.shift;
    uint64_t *list = c->list + c->listed;
    for (uint32_t first = 0, count; first < spans->count; first += count) {
        count = prefetch_tokens(c, spans, first, lookups);
        for (uint32_t i = 0; i < count; i++) {
            const lookup *l = &lookups[i];
            akin_word *place = &places[l->hash >> shift];
            if (__builtin_expect(((place->term.word[0] ^ l->word[0]) | (place->term.word[1] ^ l->word[1]) |
                                  (place->term.length ^ l->length)) != 0,
                                 0)) {
                place = search(c, spans, l, &status);
                if (!place)
                    return status;
            }
            *list =
                (uint64_t)(place - places); /* whether it is the first time is hard to predict: there is no branch */
            list += place->tf++ == 0;
        }
    }
    c->listed = (uint64_t)(list - c->list);
    return AKIN_OK;
}

/* Adds up the words that are one term. It writes the numbers of terms, as they first appear. */
static uint32_t combine(akin_counter *c, uint32_t *numbers, uint32_t *tf)
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < c->listed; i++) {
        akin_word *word = &c->words.places[c->list[i]];
        akin_cell *cell = &c->cells[word->term.number];
        numbers[count] = word->term.number;
        count += cell->tf == 0;
        cell->tf += word->tf;
        word->tf = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        akin_cell *cell = &c->cells[numbers[i]];
        tf[i] = cell->tf;
        cell->tf = 0;
        cell->df++;
    }
    return count;
}

/* Takes the words as terms. */
static uint32_t take_as_terms(akin_counter *c, uint32_t *numbers, uint32_t *tf)
{
    for (uint64_t i = 0; i < c->listed; i++) {
        akin_word *word = &c->words.places[c->list[i]];
        numbers[i] = word->term.number;
        tf[i] = word->tf;
        word->tf = 0;
        word->df++;
    }
    return (uint32_t)c->listed;
}

uint32_t akin_counter_end(akin_counter *counter, uint32_t *numbers, uint32_t *tf, uint32_t *stops)
{
    uint32_t count = counter->combined ? combine(counter, numbers, tf) : take_as_terms(counter, numbers, tf), kept = 0;
    *stops = 0;
    counter->listed = 0;
    if (counter->analyser->analysis->stop_count == 0)
        return count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t left_out = numbers[i] == AKIN_NUMBER_STOP;
        *stops += left_out ? tf[i] : 0;
        numbers[kept] = numbers[i];
        tf[kept] = tf[i];
        kept += !left_out;
    }
    return kept;
}

/* ------------------------------------------------------------------------------------------------------------- ends */

akin_status akin_counter_seal(akin_counter *counter)
{
    const akin_counter *c = counter;
    return akin_vocabulary_seal(c->vocabulary, c->dictionary->salt, c->fresh, sizeof *c->fresh, c->count - c->first);
}

void akin_counter_settle(akin_counter *counter, _Atomic uint32_t *df)
{
    akin_counter *c = counter;
    if (c->combined) {
        for (uint32_t i = AKIN_NUMBER_SHARED; i < c->count; i++) {
            if (c->cells[i].df > 0)
                atomic_fetch_add_explicit(&df[c->ids[i]], c->cells[i].df, memory_order_relaxed);
            c->cells[i].df = 0;
        }
        return;
    }
    for (uint64_t i = 0; c->words.places && i <= c->words.mask; i++) {
        akin_word *word = &c->words.places[i];
        if (word->df > 0 && word->term.number >= AKIN_NUMBER_FIRST)
            atomic_fetch_add_explicit(&df[c->ids[word->term.number]], word->df, memory_order_relaxed);
        word->df = 0;
    }
}

akin_status akin_counter_learn(akin_counter *counter, const akin_vocabulary *vocabulary, uint32_t first)
{
    uint64_t end = first + vocabulary->count;
    uint32_t *ids = akin_enlarge(counter->account, counter->ids, &counter->ids_capacity, end, sizeof *ids);
    if (!ids)
        return AKIN_E_NOMEM;
    counter->ids = ids;
    if (vocabulary->count > 0)
        memcpy(ids + first, vocabulary->ids, (size_t)vocabulary->count * sizeof *ids);
    return AKIN_OK;
}

void akin_counter_clear(akin_counter *counter)
{
    clear_words(&counter->words);
    clear_words(&counter->stems);
    akin_free(counter->cells);
    akin_free(counter->ids);
    akin_free(counter->list);
    akin_free(counter->fresh);
    *counter = (akin_counter){.account = counter->account,
                              .analyser = counter->analyser,
                              .dictionary = counter->dictionary,
                              .fixed = counter->fixed};
}
