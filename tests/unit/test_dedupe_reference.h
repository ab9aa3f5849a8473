/* Made-up titles of a reference table, and the same with errors. */
#ifndef AKIN_TEST_DEDUPE_REFERENCE_H
#define AKIN_TEST_DEDUPE_REFERENCE_H

#include <stdio.h>
#include <string.h>

#include "akin.h"
#include "base/random.h"

#define TITLES  700
#define LONGEST 80

typedef struct titles {
    uint32_t rows;
    uint32_t of[TITLES]; /* of each record of a right table: the left one; TITLES: there is none */
    char texts[TITLES][LONGEST];
    char bytes[TITLES * LONGEST];
    uint64_t offsets[TITLES + 1];
    akin_column column;
} titles;

/* The column of the texts, which may have been changed. */
static inline void finish_titles(titles *t)
{
    t->offsets[0] = 0;
    for (uint32_t r = 0; r < t->rows; r++) {
        t->offsets[r + 1] = t->offsets[r] + strlen(t->texts[r]);
        memcpy(t->bytes + t->offsets[r], t->texts[r], strlen(t->texts[r]));
    }
    t->column = (akin_column){.size = sizeof t->column, .name = "title", .offsets = t->offsets, .bytes = t->bytes};
}

static inline void spell_word(char *to, uint64_t number)
{
    static const char *const kinds[] = {"bdfgklmnprstvz", "aeiou"};
    for (uint32_t i = 0; i < 6; i++) {
        const uint64_t count = strlen(kinds[i % 2]);
        to[i] = kinds[i % 2][number % count];
        number = number / count + 3;
    }
    to[6] = 0;
}

/* Distinct titles of two rare words, a frequent one and sometimes a year. */
static inline void make_titles(titles *t, uint64_t seed, uint32_t rows)
{
    static const char *const kinds[] = {"cup", "league", "trophy", "open"};
    akin_random random;
    akin_random_seed(&random, seed);
    t->rows = rows;
    for (uint32_t r = 0; r < rows; r++) {
        char words[2][8];
        spell_word(words[0], akin_random_below(&random, 400));
        spell_word(words[1], akin_random_below(&random, 3000));
        int length =
            snprintf(t->texts[r], LONGEST, "%s %s %s", words[0], words[1], kinds[akin_random_below(&random, 4)]);
        if (akin_random_below(&random, 3) == 0)
            snprintf(t->texts[r] + length, LONGEST - (size_t)length, " %u",
                     1990 + (uint32_t)akin_random_below(&random, 20));
        for (uint32_t other = 0; other < r; other++)
            if (strcmp(t->texts[other], t->texts[r]) == 0)
                snprintf(t->texts[r], LONGEST, "%s number %u", words[0], r);
    }
    finish_titles(t);
}

/* Titles of another table, with errors; one in four is of nothing in the left table. */
static inline void make_others(titles *t, const titles *left, uint64_t seed, uint32_t rows)
{
    static titles strange;
    akin_random random;
    akin_random_seed(&random, seed);
    make_titles(&strange, seed + 1000, rows);
    t->rows = rows;
    for (uint32_t r = 0; r < rows; r++) {
        const uint32_t of = (uint32_t)akin_random_below(&random, left->rows);
        const int is_strange = akin_random_below(&random, 4) == 0;
        t->of[r] = is_strange ? TITLES : of;
        memcpy(t->texts[r], is_strange ? strange.texts[r] : left->texts[of], LONGEST);
        if (akin_random_below(&random, 2) == 0)
            t->texts[r][1 + akin_random_below(&random, 4)] = 'x';
        if (akin_random_below(&random, 3) == 0)
            snprintf(t->texts[r] + strlen(t->texts[r]), LONGEST - strlen(t->texts[r]), " final");
    }
    finish_titles(t);
}

/* A job that joins with a reference table: all pairs are candidates. */
typedef struct question {
    akin_compare_options compare;
    akin_attribute attribute;
    akin_selection selection;
    akin_dedupe_options options;
} question;

static inline question *ask(question *q, akin_ratio precision)
{
    memset(q, 0, sizeof *q);
    q->compare = (akin_compare_options)AKIN_COMPARE_OPTIONS_INIT;
    q->attribute = (akin_attribute){.column = 0, .compare = &q->compare, .weight = {1, 1}};
    q->selection = (akin_selection){.kind = AKIN_SELECT_ALL};
    q->options = (akin_dedupe_options)AKIN_DEDUPE_OPTIONS_INIT;
    q->options.attributes = &q->attribute;
    q->options.attribute_count = 1;
    q->options.selections = &q->selection;
    q->options.selection_count = 1;
    q->options.weights = AKIN_WEIGHTS_LEARN;
    q->options.threshold = (akin_ratio){0, 1};
    q->options.precision = precision;
    return q;
}

#endif
