/* Made-up people, some of them several times with errors, and the question which of them are the same. */
#ifndef AKIN_TEST_DEDUPE_LEARN_H
#define AKIN_TEST_DEDUPE_LEARN_H

#include <stdio.h>
#include <string.h>

#include "akin.h"
#include "base/random.h"

#define PEOPLE  2000 /* of a table, at most */
#define FIELDS  5
#define LETTERS 12 /* of a value, at most */

/* Values as texts: given name, family name, town, street, number. */
typedef struct people {
    uint32_t rows;
    uint32_t of[PEOPLE]; /* of each record: the person */
    char texts[PEOPLE][FIELDS][LETTERS + 1];
    char bytes[FIELDS][PEOPLE * LETTERS];
    uint64_t offsets[FIELDS][PEOPLE + 1];
    akin_column columns[FIELDS];
} people;

/* A word of consonants and vowels that is the same for a number. */
static inline void spell(char *to, uint64_t number, uint32_t letters)
{
    static const char *const kinds[] = {"bdfgklmnprstvz", "aeiou"};
    for (uint32_t i = 0; i < letters; i++) {
        const uint64_t count = strlen(kinds[i % 2]);
        to[i] = kinds[i % 2][number % count];
        number = number / count + 7;
    }
    to[letters] = 0;
}

static inline void draw_person(akin_random *random, char person[FIELDS][LETTERS + 1])
{
    spell(person[0], akin_random_below(random, 300), 5);
    spell(person[1], akin_random_below(random, 2000), 7);
    spell(person[2], akin_random_below(random, 40), 6);
    spell(person[3], akin_random_below(random, 1500), 9);
    snprintf(person[4], LETTERS + 1, "%06u", (uint32_t)akin_random_below(random, 1000000));
}

/* A record of a person: a value in five has another letter, and one in twenty is missing. */
static inline void add_record(akin_random *random, people *p, uint32_t of, char person[FIELDS][LETTERS + 1])
{
    char(*to)[LETTERS + 1] = p->texts[p->rows];
    memcpy(to, person, sizeof p->texts[0]);
    for (uint32_t f = 0; f < FIELDS; f++) {
        if (akin_random_below(random, 5) == 0)
            to[f][akin_random_below(random, strlen(to[f]))] = f == 4 ? '7' : 'x';
        if (akin_random_below(random, 20) == 0)
            to[f][0] = 0;
    }
    p->of[p->rows++] = of;
}

/* The columns of the texts, which may have been changed. */
static inline void finish_people(people *p)
{
    static const char *const names[] = {"given", "family", "town", "street", "number"};
    for (uint32_t f = 0; f < FIELDS; f++) {
        uint64_t at = 0;
        for (uint32_t r = 0; r < p->rows; r++) {
            p->offsets[f][r] = at;
            memcpy(p->bytes[f] + at, p->texts[r][f], strlen(p->texts[r][f]));
            at += strlen(p->texts[r][f]);
        }
        p->offsets[f][p->rows] = at;
        p->columns[f] = (akin_column){
            .size = sizeof p->columns[f], .name = names[f], .offsets = p->offsets[f], .bytes = p->bytes[f]};
    }
}

/* Persons with `least` to `most` records each, in the order of persons. */
static inline void make_people(people *p, uint64_t seed, uint32_t persons, uint32_t least, uint32_t most)
{
    char person[FIELDS][LETTERS + 1];
    akin_random random;
    akin_random_seed(&random, seed);
    p->rows = 0;
    for (uint32_t i = 0; i < persons; i++) {
        const uint32_t records = least + (uint32_t)akin_random_below(&random, most - least + 1);
        draw_person(&random, person);
        for (uint32_t r = 0; r < records; r++)
            add_record(&random, p, i, person);
    }
    finish_people(p);
}

/* A question whose weights are learnt. */
typedef struct question {
    akin_compare_options compare[FIELDS];
    akin_attribute attributes[FIELDS];
    akin_key_part parts[FIELDS];
    akin_selection selections[FIELDS];
    akin_dedupe_options options;
} question;

static inline question *ask(question *q)
{
    memset(q, 0, sizeof *q);
    q->options = (akin_dedupe_options)AKIN_DEDUPE_OPTIONS_INIT;
    for (uint32_t f = 0; f < FIELDS; f++) {
        q->compare[f] = (akin_compare_options)AKIN_COMPARE_OPTIONS_INIT;
        q->compare[f].comparator = f == 4 ? AKIN_LEVENSHTEIN : AKIN_JARO_WINKLER;
        q->attributes[f] = (akin_attribute){.column = f, .compare = &q->compare[f], .weight = {1, 1}};
        q->parts[f] = (akin_key_part){.column = f, .key = AKIN_KEY_VALUE};
        q->selections[f] =
            (akin_selection){.kind = AKIN_SELECT_WINDOW, .window = 12, .parts = &q->parts[f], .part_count = 1};
    }
    q->options.attributes = q->attributes;
    q->options.attribute_count = FIELDS;
    q->options.selections = q->selections;
    q->options.selection_count = FIELDS;
    q->options.weights = AKIN_WEIGHTS_LEARN;
    q->options.threshold = (akin_ratio){0, 1};
    return q;
}

/* What a model calls columns and comparators. */
static const char *const people_columns[FIELDS] = {"given", "family", "town", "street", "number"};
static const char *const people_comparators[FIELDS] = {"jaro-winkler", "jaro-winkler", "jaro-winkler", "jaro-winkler",
                                                       "levenshtein"};
static const akin_dedupe_titles people_titles = {
    .columns = people_columns, .column_count = FIELDS, .comparators = people_comparators};

/* The same of all pairs. */
static inline question *ask_of_all(question *q)
{
    ask(q)->selections[0] = (akin_selection){.kind = AKIN_SELECT_ALL};
    q->options.selection_count = 1;
    return q;
}

#endif
