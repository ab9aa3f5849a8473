/* Words that records are made of: listed ones, and such as nobody has said before. */
#include "base/memory.h"
#include "generate/records.h"

#include <string.h>

#define WORD_LONGEST 40

/* ----------------------------------------------------------------------------------------------------------- fields */

void akin_field_put(akin_field *field, uint32_t symbol)
{
    if (field->length < AKIN_FIELD_LONGEST)
        field->symbols[field->length++] = (uint16_t)symbol;
}

void akin_field_add(akin_field *field, const char *text)
{
    for (; *text; text++)
        akin_field_put(field, (unsigned char)*text);
}

void akin_field_number(akin_field *field, uint64_t number, int digits)
{
    char text[20];
    int count = 0;
    for (; number > 0 || count < digits; number /= 10)
        text[count++] = (char)('0' + number % 10);
    while (count > 0)
        akin_field_put(field, (unsigned char)text[--count]);
}

uint32_t akin_draw_weighted(akin_random *random, const uint16_t *weights)
{
    uint32_t total = 0, drawn = 0;
    for (const uint16_t *weight = weights; *weight; weight++)
        total += *weight;
    uint64_t at = akin_random_below(random, total);
    for (; at >= weights[drawn]; drawn++)
        at -= weights[drawn];
    return drawn;
}

/* -------------------------------------------------------------------------------------------------------- syllables */

/* The parts of a syllable, each with how often it is; an entry of no weight ends a list. */
typedef struct part {
    const char *text;
    uint16_t weight;
} part;

static const part onsets[] = {
    {"", 110}, {"b", 50}, {"c", 45},  {"d", 50},  {"f", 30},  {"g", 30},  {"h", 45}, {"j", 14},  {"k", 30},
    {"l", 60}, {"m", 65}, {"n", 50},  {"p", 40},  {"r", 65},  {"s", 75},  {"t", 75}, {"v", 30},  {"w", 28},
    {"y", 8},  {"z", 10}, {"br", 9},  {"cr", 8},  {"dr", 7},  {"fr", 8},  {"gr", 9}, {"pr", 10}, {"tr", 12},
    {"bl", 7}, {"cl", 7}, {"fl", 6},  {"pl", 8},  {"sl", 5},  {"st", 18}, {"sp", 8}, {"sk", 5},  {"sm", 4},
    {"sn", 3}, {"sw", 4}, {"ch", 14}, {"sh", 13}, {"th", 12}, {"qu", 5},  {NULL, 0},
};
static const part nuclei[] = {
    {"a", 190}, {"e", 200}, {"i", 165}, {"o", 150}, {"u", 75},  {"y", 14}, {"ai", 14}, {"ea", 20},
    {"ee", 18}, {"ie", 18}, {"oa", 6},  {"oo", 14}, {"ou", 18}, {"ei", 8}, {"io", 12}, {NULL, 0},
};
static const part codas[] = {
    {"", 330},  {"n", 120}, {"r", 110}, {"s", 95},  {"l", 80},  {"t", 65},  {"m", 35},  {"d", 40},
    {"ck", 14}, {"ng", 22}, {"nd", 26}, {"nt", 22}, {"st", 18}, {"rd", 12}, {"ll", 16}, {"ss", 10},
    {"th", 12}, {"k", 16},  {"x", 5},   {"p", 14},  {"rt", 8},  {"rs", 8},  {"ns", 10}, {NULL, 0},
};

/* Those within words. */
static const part inner_codas[] = {{"", 700}, {"n", 90}, {"r", 80}, {"s", 50}, {"l", 50}, {"m", 30}, {NULL, 0}};

/* How many syllables words have, less 1: frequent ones, and others. */
static const uint16_t few[] = {34, 58, 8, 0}, many[] = {12, 60, 25, 3, 0};

/* A list, and what its weights add up to. */
typedef struct part_list {
    const part *parts;
    uint32_t total;
} part_list;

static part_list list_of(const part *parts)
{
    part_list list = {parts, 0};
    for (; parts->text; parts++)
        list.total += parts->weight;
    return list;
}

/* What words are made of: what the first syllable and the others begin with, and what the last and the others end
 * in. */
typedef struct syllables {
    part_list first_onsets, onsets, nuclei, codas, inner_codas, endings;
} syllables;

static char *put_part(char *to, const part_list *list, akin_random *random)
{
    const part *chosen = list->parts;
    uint64_t at = akin_random_below(random, list->total);
    for (; at >= chosen->weight; chosen++)
        at -= chosen->weight;
    size_t length = strlen(chosen->text);
    memcpy(to, chosen->text, length);
    return to + length;
}

/* Makes a word of some syllables. Syllables within a word are mostly open, and begin with a consonant. */
static char *make_word(char *to, const syllables *of, uint32_t count, akin_random *random)
{
    char *begin = to;
    for (uint32_t i = 0; i < count; i++) {
        to = put_part(to, i == 0 ? &of->first_onsets : &of->onsets, random);
        to = put_part(to, &of->nuclei, random);
        to = put_part(to, i + 1 == count ? &of->codas : &of->inner_codas, random);
    }
    return to - begin < 2 ? put_part(to, &of->endings, random) : to; /* a word of a letter would be too frequent */
}

static uint32_t count_listed(const char *list)
{
    uint32_t count = *list != '\0';
    for (; *list; list++)
        count += *list == ' ';
    return count;
}

akin_status akin_words_make(const char *list, uint32_t count, double exponent, uint64_t seed, akin_words *out,
                            akin_error *error)
{
    const syllables of = {list_of(onsets), list_of(onsets + 1),  list_of(nuclei),
                          list_of(codas),  list_of(inner_codas), list_of(codas + 1)};
    uint32_t listed = count_listed(list);
    akin_random random;
    *out = (akin_words){0};
    out->starts = akin_alloc(NULL, (uint64_t)count + 1, sizeof *out->starts);
    out->bytes = akin_alloc(NULL, strlen(list) + (uint64_t)(count - listed) * WORD_LONGEST, 1);
    if (!out->starts || !out->bytes)
        return akin_fail_memory(error, "the words of records");
    char *to = out->bytes;
    akin_random_seed(&random, seed);
    for (uint32_t word = 0; word < count; word++) {
        out->starts[word] = (uint32_t)(to - out->bytes);
        if (word < listed) {
            size_t length = strcspn(list, " ");
            memcpy(to, list, length);
            to += length;
            list += length + (list[length] == ' ');
        } else {
            to = make_word(to, &of, 1 + akin_draw_weighted(&random, word < 3000 ? few : many), &random);
        }
    }
    out->starts[count] = (uint32_t)(to - out->bytes);
    return akin_zipf_build(count, exponent, 0, &out->zipf, error);
}

void akin_words_clear(akin_words *words)
{
    akin_free(words->bytes);
    akin_free(words->starts);
    akin_zipf_clear(&words->zipf);
}

/* ---------------------------------------------------------------------------------------------------------- letters */

/* What stands for some letters, by the way of writing; 0: nothing does. */
static const struct {
    char letter;
    uint16_t ways[AKIN_ACCENTS];
} accented[] = {
    {'a', {0xe0, 0xe4, 0xe1, 0xe5}}, {'c', {0xe7, 0, 0xe7, 0}}, {'e', {0xe9, 0, 0xe9, 0xe9}},
    {'i', {0xee, 0, 0xed, 0}},       {'n', {0, 0, 0xf1, 0}},    {'o', {0xf4, 0xf6, 0xf3, 0xf8}},
    {'u', {0xfb, 0xfc, 0xfa, 0xfc}}, {'y', {0, 0, 0, 0xe6}},
};

static uint32_t accent(uint32_t letter, unsigned way)
{
    for (size_t i = 0; i < sizeof accented / sizeof accented[0]; i++)
        if ((unsigned char)accented[i].letter == letter && accented[i].ways[way - 1])
            return accented[i].ways[way - 1];
    return letter;
}

/* Letters of the small alphabet and those above have capitals 32 below. */
static uint32_t capital(uint32_t letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 0xe0 && letter != 0xf7) ? letter - 32 : letter;
}

void akin_field_word(akin_field *field, const akin_words *words, uint32_t word, akin_case letters, unsigned accents)
{
    uint32_t begin = words->starts[word], end = words->starts[word + 1];
    /* A word is accented in one way, wherever it stands: in one of three places or so, counted by its number. */
    uint32_t place = accents ? word % 7 : 0;
    for (uint32_t at = begin; at < end; at++) {
        uint32_t letter = (unsigned char)words->bytes[at];
        if (accents && at - begin == place)
            letter = accent(letter, accents);
        int is_capital = letters == AKIN_CASE_UPPER || (letters == AKIN_CASE_FIRST && at == begin);
        akin_field_put(field, is_capital ? capital(letter) : letter);
    }
}
