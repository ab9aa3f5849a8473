/* Documents are scanned: windows of words, grams that pass the filter, traces of texts. */
#include "corpus/gram_scanner.h"

#include "corpus/words.h"

#include <string.h>

#define SLOTS_LEAST 64
#define LOOK        (1 << 18) /* words, or texts of grams, between two looks at whether to go on */
#define FAR         16        /* hits whose slots are brought to the cache before they are looked up, */
#define NEAR        6         /* and those whose words are */

void akin_gram_scanner_begin(akin_gram_scanner *scanner, akin_cpu cpu, akin_account *account, const akin_grams *grams,
                             _Atomic uint64_t *covered, akin_cancellation *cancellation)
{
    akin_words_begin(&scanner->tokenizer, cpu, account);
    scanner->grams = grams;
    scanner->covered = covered;
    scanner->account = account;
    scanner->cancellation = cancellation;
    scanner->looked = 0;
    scanner->traces = NULL;
    scanner->slots = NULL;
    scanner->trace_capacity = scanner->trace_count = scanner->slot_count = 0;
}

void akin_gram_scanner_clear(akin_gram_scanner *scanner)
{
    akin_tokenizer_clear(&scanner->tokenizer);
    akin_free(scanner->traces);
    akin_free(scanner->slots);
    scanner->traces = NULL;
    scanner->slots = NULL;
    scanner->trace_capacity = scanner->trace_count = scanner->slot_count = 0;
}

/* ----------------------------------------------------------------------------------------------------------- traces */

static uint64_t slot_of(const akin_gram_scanner *s, uint32_t text)
{
    return text * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (s->slot_count - 1);
}

/* The slot of a text, or the free one where it would be. */
static uint64_t find_slot(const akin_gram_scanner *s, uint32_t text)
{
    uint64_t at = slot_of(s, text);
    while (s->slots[at] != 0 && s->traces[s->slots[at] - 1].text != text)
        at = (at + 1) & (s->slot_count - 1);
    return at;
}

static void take_slot(akin_gram_scanner *s, uint64_t trace)
{
    s->traces[trace].slot = find_slot(s, s->traces[trace].text);
    s->slots[s->traces[trace].slot] = (uint32_t)trace + 1;
}

/* Makes room for one more trace. At most half of the slots are taken. */
static akin_status reserve_trace(akin_gram_scanner *s)
{
    akin_gram_trace *traces =
        akin_enlarge(s->account, s->traces, &s->trace_capacity, s->trace_count + 1, sizeof *traces);
    if (!traces)
        return AKIN_E_NOMEM;
    s->traces = traces;
    if (2 * (s->trace_count + 1) <= s->slot_count)
        return AKIN_OK;
    const uint64_t count = akin_max_u64(SLOTS_LEAST, 2 * s->slot_count);
    uint32_t *slots = akin_alloc_zero(s->account, count, sizeof *slots);
    if (!slots)
        return AKIN_E_NOMEM;
    akin_free(s->slots);
    s->slots = slots;
    s->slot_count = count;
    for (uint64_t i = 0; i < s->trace_count; i++)
        take_slot(s, i);
    return AKIN_OK;
}

/* The trace of a text; NULL if memory is short. */
static akin_gram_trace *find_trace(akin_gram_scanner *s, uint32_t text)
{
    const uint32_t found = s->slot_count > 0 ? s->slots[find_slot(s, text)] : 0;
    if (found != 0)
        return &s->traces[found - 1];
    if (reserve_trace(s) != AKIN_OK)
        return NULL;
    akin_gram_trace *t = &s->traces[s->trace_count];
    *t = (akin_gram_trace){.text = text, .repeats = akin_grams_repeats(s->grams, text)};
    take_slot(s, s->trace_count++);
    return t;
}

static void forget_traces(akin_gram_scanner *s)
{
    for (uint64_t i = 0; i < s->trace_count; i++)
        s->slots[s->traces[i].slot] = 0;
    s->trace_count = 0;
}

/* Goes on with a gram that begins at `place` of the document and first at `at` of the text. */
static void follow(akin_gram_trace *t, uint32_t place, uint32_t at, uint32_t words)
{
    const int goes_on = t->grams > 0 && t->last + 1 == place;
    uint32_t end = at;
    if (t->repeats) {
        t->at = goes_on ? t->at : AKIN_GRAM_ROOT;
        t->grams = goes_on ? t->grams : 0;
        akin_gram_automaton_step(t->repeats, at, &t->at, &t->grams);
        end = t->repeats->states[t->at].end;
    } else {
        t->grams = goes_on && t->at + 1 == at ? t->grams + 1 : 1;
        t->at = at;
    }
    t->last = place;
    if (t->grams + words - 1 > t->longest.words)
        t->longest = (akin_gram_run){end + 1 - t->grams, place + 1 - t->grams, t->grams + words - 1};
}

/* Whether to go on. */
static int goes_on(akin_gram_scanner *s, uint64_t steps)
{
    s->looked += steps;
    if (!s->cancellation || s->looked < LOOK)
        return 1;
    s->looked = 0;
    return akin_goes_on(s->cancellation);
}

/* Notes a gram of `words` words at a place of the document, in all texts that have it. */
static akin_status note(akin_gram_scanner *s, uint32_t found, uint32_t place, uint32_t words)
{
    const akin_grams *g = s->grams;
    for (uint32_t at = found; at != AKIN_GRAM_NONE; at = g->next[at]) {
        const uint32_t text = akin_grams_text(g, at);
        const uint64_t bit = UINT64_C(1) << (at & 63);
        akin_gram_trace *t = find_trace(s, text);
        if (!t)
            return AKIN_E_NOMEM;
        if (!goes_on(s, 1))
            return AKIN_E_CANCELLED;
        if (!(atomic_load_explicit(&s->covered[at / 64], memory_order_relaxed) & bit))
            atomic_fetch_or_explicit(&s->covered[at / 64], bit, memory_order_relaxed);
        follow(t, place, at - g->texts->firsts[text], words);
    }
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- windows */

/* Lists in `hits` those of the first `places` words with which a gram of N words begins that the filter lets pass. */
static uint32_t filter_long(akin_gram_scanner *s, uint32_t places)
{
    const akin_grams *g = s->grams;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < places; i++) {
        s->hashes[i] = akin_grams_hash(g, s->sums[i], s->sums[i + g->words], g->words);
        __builtin_prefetch(akin_grams_filter_word(g, s->hashes[i]));
    }
    for (uint32_t i = 0; i < places; i++) {
        s->hits[hits] = i;
        hits += (uint32_t)akin_grams_may_have(g, s->hashes[i]);
    }
    return hits;
}

/* Looks up the grams of N words that begin with the first `places` words. */
static akin_status scan_long(akin_gram_scanner *s, uint32_t places)
{
    const akin_grams *g = s->grams;
    const uint32_t hits = filter_long(s, places);
    akin_status status = AKIN_OK;
    uint32_t last = 0, found = AKIN_GRAM_NONE;
    for (uint32_t h = 0; h < hits && status == AKIN_OK; h++) {
        const uint32_t i = s->hits[h];
        const uint32_t likely = found != AKIN_GRAM_NONE && last + 1 == i ? found + 1 : AKIN_GRAM_NONE;
        if (hits - h > FAR)
            akin_grams_bring(g, s->hashes[s->hits[h + FAR]]);
        if (hits - h > NEAR)
            akin_grams_bring_words(g, s->hashes[s->hits[h + NEAR]]);
        found = akin_grams_find(g, s->hashes[i], s->tokenizer.normal.text, s->bounds + 2 * i, g->words, likely);
        last = i;
        status = note(s, found, s->base + i, g->words);
    }
    return status;
}

/* Looks up the short texts of all lengths that begin with word i. */
static akin_status scan_lengths(akin_gram_scanner *s, uint32_t i, uint64_t lengths)
{
    const akin_grams *g = s->grams;
    const uint32_t most = akin_min_u32(g->words - 1, s->count - i);
    akin_status status = AKIN_OK;
    for (; lengths && status == AKIN_OK; lengths &= lengths - 1)
        for (uint32_t words = (uint32_t)__builtin_ctzll(lengths) + 1; words <= most && status == AKIN_OK; words += 64) {
            const uint64_t hash = akin_grams_hash(g, s->sums[i], s->sums[i + words], words);
            if (!akin_grams_may_have(g, hash))
                continue;
            const uint32_t found =
                akin_grams_find(g, hash, s->tokenizer.normal.text, s->bounds + 2 * i, words, AKIN_GRAM_NONE);
            status = note(s, found, s->base + i, words);
        }
    return status;
}

/* Looks up the short texts that begin with the first `places` words. */
static akin_status scan_short(akin_gram_scanner *s, uint32_t places)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < places; i++) {
        s->hashes[i] = akin_grams_hash(s->grams, s->sums[i], s->sums[i + 1], 1);
        __builtin_prefetch(akin_grams_lengths(s->grams, s->hashes[i]));
    }
    for (uint32_t i = 0; i < places && status == AKIN_OK; i++) {
        const uint64_t lengths = *akin_grams_lengths(s->grams, s->hashes[i]);
        if (lengths)
            status = scan_lengths(s, i, lengths);
    }
    return status;
}

/* Scans the window, of which the last N - 1 words become the first ones of the next. is_last: the document ends. */
static akin_status scan_window(akin_gram_scanner *s, int is_last)
{
    const uint32_t words = s->grams->words, places = s->count >= words ? s->count - words + 1 : 0;
    if (!goes_on(s, s->count))
        return AKIN_E_CANCELLED;
    akin_status status = s->grams->has_long ? scan_long(s, places) : AKIN_OK;
    if (status == AKIN_OK && s->grams->has_short)
        status = scan_short(s, is_last ? s->count : places);
    s->count -= places;
    s->base += places;
    memmove(s->bounds, s->bounds + 2 * places, 2 * s->count * sizeof *s->bounds);
    memmove(s->sums, s->sums + places, (s->count + 1) * sizeof *s->sums);
    return status;
}

/* Adds words to the window, and scans it whenever it is full. */
static akin_status add_spans(akin_gram_scanner *s, const akin_spans *spans)
{
    akin_status status = AKIN_OK;
    for (uint32_t taken = 0; taken < spans->count && status == AKIN_OK;) {
        const uint32_t more = akin_min_u32(AKIN_GRAM_WINDOW - s->count, spans->count - taken);
        memcpy(s->bounds + 2 * s->count, spans->bounds + 2 * taken, 2 * more * sizeof *s->bounds);
        akin_word_sums(spans->text, s->bounds + 2 * s->count, more, s->grams->mask, s->sums + s->count);
        s->count += more;
        taken += more;
        if (s->count == AKIN_GRAM_WINDOW)
            status = scan_window(s, 0);
    }
    return status;
}

akin_status akin_gram_scanner_take(akin_gram_scanner *scanner, const char *text, uint64_t length, uint64_t readable)
{
    akin_gram_scanner *s = scanner;
    akin_spans spans;
    forget_traces(s);
    s->base = s->count = 0;
    s->sums[0] = 0;
    if (length == 0)
        return AKIN_OK;
    akin_status status = akin_tokenizer_take(&s->tokenizer, text, length, readable);
    while (status == AKIN_OK && akin_tokenizer_next(&s->tokenizer, &spans))
        status = add_spans(s, &spans);
    return status == AKIN_OK ? scan_window(s, 1) : status;
}
