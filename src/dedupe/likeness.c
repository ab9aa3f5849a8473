/* Compares texts by their runs of characters and by their words. */
#include "dedupe/likeness.h"

#include <math.h>

#include "base/bits.h"
#include "dict/dictionary.h"

#define RUN       3   /* characters of a run */
#define APART     32  /* words of a text that the other one lacks, that are looked at */
#define NEARLY    0.6 /* the least similarity of two words that are nearly the same */
#define LOSS      0.2 /* of similarity, for what contradicts it */
#define CERTAINLY 2   /* pairs of reference texts from which on a difference tells things apart */

/* ------------------------------------------------------------------------------------------------------------ texts */

static akin_status find_digits(akin_account *account, akin_likeness_texts *t, akin_error *error)
{
    t->has_digit = akin_alloc_zero(account, t->words.tokens, sizeof *t->has_digit);
    if (!t->has_digit)
        return akin_fail_memory(error, "the words of the records");
    for (uint32_t word = 0; word < t->words.tokens; word++) {
        const char *bytes;
        size_t length;
        akin_dictionary_string(t->words.dictionary, word, &bytes, &length, NULL);
        for (size_t i = 0; i < length; i++)
            t->has_digit[word] |= bytes[i] >= '0' && bytes[i] <= '9';
    }
    return AKIN_OK;
}

akin_status akin_likeness_texts_make(const akin_scope *scope, akin_account *account, const akin_values *values,
                                     akin_likeness_texts *out, akin_error *error)
{
    akin_text_options runs = AKIN_TEXT_OPTIONS_INIT, words = AKIN_TEXT_OPTIONS_INIT;
    akin_text_options own;
    const akin_token_weighing how = {.text = &own};
    *out = (akin_likeness_texts){.values = values};
    runs.tokens = AKIN_TOKENS_QGRAMS;
    runs.q = RUN;
    runs.fold = 1;
    akin_status status = akin_text_options_read(&runs, &own, error);
    if (status == AKIN_OK)
        status = akin_weighted_make(scope, account, values, &how, &out->runs, error);
    if (status == AKIN_OK)
        status = akin_text_options_read(&words, &own, error);
    if (status == AKIN_OK)
        status = akin_weighted_name(scope, account, values, &how, &out->words, error);
    return status == AKIN_OK ? find_digits(account, out, error) : status;
}

void akin_likeness_texts_clear(akin_likeness_texts *texts)
{
    akin_weighted_clear(&texts->runs);
    akin_weighted_clear(&texts->words);
    akin_free(texts->has_digit);
    akin_free(texts->contrary);
    *texts = (akin_likeness_texts){0};
}

/* ------------------------------------------------------------------------------------------------------ differences */

/* Words of two texts: how much they weigh, in common and all together, and those that the other text lacks. */
typedef struct apart {
    double common, weights[2];
    uint32_t words[2][APART], counts[2]; /* the first ones of them, and how many there are */
} apart;

static double weight_of(const akin_likeness_texts *t, uint32_t word)
{
    return sqrt((double)t->words.squares[word]); /* an integer */
}

static void add_apart(const akin_likeness_texts *t, apart *a, int side, uint32_t word)
{
    a->weights[side] += weight_of(t, word);
    if (a->counts[side] < APART)
        a->words[side][a->counts[side]] = word;
    a->counts[side]++;
}

static void find_apart(const akin_likeness_texts *t, uint32_t x, uint32_t y, apart *out)
{
    uint64_t counts[2], i = 0, j = 0;
    const uint32_t *a = akin_weighted_tokens(&t->words, x, &counts[0]);
    const uint32_t *b = akin_weighted_tokens(&t->words, y, &counts[1]);
    *out = (apart){.common = 0};
    while (i < counts[0] || j < counts[1]) {
        if (j == counts[1] || (i < counts[0] && a[i] < b[j]))
            add_apart(t, out, 0, a[i++]);
        else if (i == counts[0] || b[j] < a[i])
            add_apart(t, out, 1, b[j++]);
        else {
            out->common += weight_of(t, a[i]);
            i++;
            j++;
        }
    }
}

static uint64_t difference_of(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int is_difference(const apart *a)
{
    return a->counts[0] == 1 && a->counts[1] == 1 && a->common > 0;
}

uint64_t akin_likeness_difference(const akin_likeness_texts *texts, uint32_t x, uint32_t y)
{
    apart a;
    find_apart(texts, x, y, &a);
    return is_difference(&a) ? difference_of(a.words[0][0], a.words[1][0]) : 0;
}

/* The most pairs of reference texts that have a difference of these two; CERTAINLY stands for more. */
static uint32_t count_contrary(const akin_likeness_texts *t, const apart *a, int own)
{
    const uint32_t rows = a->counts[0] < APART ? a->counts[0] : APART;
    const uint32_t columns = a->counts[1] < APART ? a->counts[1] : APART;
    const uint64_t except = own && is_difference(a);
    uint64_t most = 0;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns && t->contrary_count > 0; j++) {
            const uint64_t key = difference_of(a->words[0][i], a->words[1][j]);
            uint64_t at = akin_lower_bound_u64(t->contrary, t->contrary_count, key), found = 0;
            for (; found < CERTAINLY + except && at < t->contrary_count && t->contrary[at] == key; at++)
                found++;
            most = akin_max_u64(most, found - (found > 0 ? except : 0));
        }
    return (uint32_t)akin_min_u64(most, CERTAINLY);
}

/* ------------------------------------------------------------------------------------------------------- comparison */

void akin_likeness_reader_begin(const akin_likeness_texts *texts, akin_cpu cpu, akin_account *account,
                                akin_likeness_reader *out)
{
    akin_compare_options options = AKIN_COMPARE_OPTIONS_INIT;
    options.comparator = AKIN_OSA;
    out->texts = texts;
    akin_comparer_begin(&out->comparer, cpu, account, &options, NULL);
}

void akin_likeness_reader_clear(akin_likeness_reader *reader)
{
    akin_comparer_clear(&reader->comparer);
}

/* Words of each side that the other text nearly has: adds to `common` what they weigh, times how alike they are. */
static akin_status add_nearly(akin_likeness_reader *reader, apart *a)
{
    const akin_likeness_texts *t = reader->texts;
    double best[2][APART] = {{0}};
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < a->counts[0] && i < APART && status == AKIN_OK; i++) {
        const char *bytes;
        size_t length;
        if (t->has_digit[a->words[0][i]] || a->counts[1] == 0)
            continue;
        akin_dictionary_string(t->words.dictionary, a->words[0][i], &bytes, &length, NULL);
        status = akin_comparer_take(&reader->comparer, bytes, length);
        for (uint32_t j = 0; j < a->counts[1] && j < APART && status == AKIN_OK; j++) {
            akin_compared compared;
            if (t->has_digit[a->words[1][j]])
                continue;
            akin_dictionary_string(t->words.dictionary, a->words[1][j], &bytes, &length, NULL);
            status = akin_comparer_compare(&reader->comparer, bytes, length, &compared);
            if (status != AKIN_OK || compared.similarity < NEARLY)
                continue;
            best[0][i] = compared.similarity > best[0][i] ? compared.similarity : best[0][i];
            best[1][j] = compared.similarity > best[1][j] ? compared.similarity : best[1][j];
        }
    }
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < a->counts[side] && i < APART; i++) {
            const double nearly = best[side][i] * weight_of(t, a->words[side][i]);
            a->weights[side] -= nearly;
            a->common += nearly / 2; /* of both sides, as what is in common is */
        }
    return status;
}

static int has_number(const akin_likeness_texts *t, const apart *a, int side)
{
    for (uint32_t i = 0; i < a->counts[side] && i < APART; i++)
        if (t->has_digit[a->words[side][i]])
            return 1;
    return 0;
}

/* A cosine, and 0 if there are no tokens. */
static double cosine_of(const akin_weighted *w, uint32_t x, uint32_t y)
{
    return w->lengths[x] && w->lengths[y] ? akin_weighted_cosine(w, x, y) : 0;
}

akin_status akin_likeness_compare(akin_likeness_reader *reader, uint32_t x, uint32_t y, int own, akin_likeness *out)
{
    const akin_likeness_texts *t = reader->texts;
    apart a;
    find_apart(t, x, y, &a);
    out->contrary = (double)count_contrary(t, &a, own) / CERTAINLY;
    out->numbers = has_number(t, &a, 0) && has_number(t, &a, 1);
    const akin_status status = add_nearly(reader, &a);
    const double apart = a.weights[0] + a.weights[1];
    out->words = a.common > 0 ? 2 * a.common / (2 * a.common + apart) : 0;
    out->cosine = cosine_of(&t->runs, x, y);
    out->similarity =
        (out->cosine + cosine_of(&t->words, x, y) + out->words) / 3 - LOSS * (out->contrary + out->numbers);
    return status;
}
