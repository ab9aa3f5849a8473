/*
 * Made-up records: what they are composed of, and how a duplicate comes to differ from its original.
 *
 * A record is composed as fields of symbols, which are code points below 65536, so that an error can befall any of
 * them; they become UTF-8 when a column is written. All that is drawn is drawn by integers from sequences of random
 * numbers that follow from the seed and the record's number alone: any record can be made by any thread, and again.
 */
#ifndef AKIN_GENERATE_RECORDS_H
#define AKIN_GENERATE_RECORDS_H

#include "akin_generate.h"
#include "base/choice.h"
#include "base/random.h"
#include "sets/zipf.h"

#define AKIN_FIELD_LONGEST 160 /* symbols; what would go beyond is left out */
#define AKIN_RECORD_TRACKS 44  /* columns of tracks, at most */
#define AKIN_RECORD_FIELDS (5 + AKIN_RECORD_TRACKS)

typedef struct akin_field {
    uint32_t length;
    uint16_t symbols[AKIN_FIELD_LONGEST];
} akin_field;

/* Adds a symbol; a text in ASCII; a decimal number with at least `digits` digits. */
void akin_field_put(akin_field *field, uint32_t symbol);
void akin_field_add(akin_field *field, const char *text);
void akin_field_number(akin_field *field, uint64_t number, int digits);

/* ------------------------------------------------------------------------------------------------------------ words */

/* Words in small letters, by falling frequency: word k is bytes[starts[k]] to bytes[starts[k + 1] - 1]. Those of a list
 * come first, then such as are made of syllables. Word k is drawn with a weight of (k + 1)^-exponent. */
typedef struct akin_words {
    char *bytes;
    uint32_t *starts;
    akin_zipf zipf;
} akin_words;

/* `list` has words with a blank between them; there are `count` with those that are made, which is more. Words that are
 * made from one seed are the same everywhere. Errors: AKIN_E_NOMEM; akin_words_clear may follow it. */
akin_status akin_words_make(const char *list, uint32_t count, double exponent, uint64_t seed, akin_words *out,
                            akin_error *error);
void akin_words_clear(akin_words *words);

/* How letters of words are written. */
typedef enum akin_case { AKIN_CASE_LOWER, AKIN_CASE_FIRST, AKIN_CASE_UPPER } akin_case;

/* Adds a word; `accents`, from 1 to AKIN_ACCENTS, is a way of writing some letters of some words, 0 none. */
#define AKIN_ACCENTS 4
void akin_field_word(akin_field *field, const akin_words *words, uint32_t word, akin_case letters, unsigned accents);

/* A number from 0 on, drawn with the weights of a list that ends with 0. */
uint32_t akin_draw_weighted(akin_random *random, const uint16_t *weights);

/* Whether something happens that happens `often` times in 1000. */
static inline int akin_draw_chance(akin_random *random, uint32_t often)
{
    return akin_random_below(random, 1000) < often;
}

/* -------------------------------------------------------------------------------------------------------- originals */

/* What originals are drawn from. */
typedef struct akin_records_words {
    akin_words common;      /* of titles, streets */
    akin_words given, last; /* names of people */
    akin_words places;
    akin_zipf artists;
} akin_records_words;

/* Both make what their kind of record draws from. Errors: AKIN_E_NOMEM. */
akin_status akin_cds_words(akin_records_words *words, akin_error *error);
akin_status akin_people_words(akin_records_words *words, akin_error *error);

/* Fields of a CD: artist, title, category, genre, year, and `tracks` tracks; of a person: given name, surname, street
 * number, address, suburb, postcode, state, date of birth, phone. They are empty before. */
#define AKIN_CD_FIELDS     5
#define AKIN_PEOPLE_FIELDS 9
void akin_cds_compose(const akin_records_words *words, akin_random *random, uint32_t tracks, akin_field *fields);
void akin_people_compose(const akin_records_words *words, akin_random *random, uint32_t tracks, akin_field *fields);

/* A kind of records; its value is an akin_records_kind. */
typedef struct akin_records_kind_row {
    akin_choice choice;
    const char *names[AKIN_PEOPLE_FIELDS]; /* of fields, except for tracks */
    uint8_t others[AKIN_PEOPLE_FIELDS];    /* for each field the one that it is mistaken for */
    uint32_t fields;
    int has_tracks; /* behind these fields */
    /* Makes what records draw from. Errors: AKIN_E_NOMEM. */
    akin_status (*words)(akin_records_words *words, akin_error *error);
    void (*compose)(const akin_records_words *words, akin_random *random, uint32_t tracks, akin_field *fields);
} akin_records_kind_row;

extern const akin_choice_table akin_records_kinds;

/* A distribution of how many copies an original has; its value is an akin_copies. */
typedef struct akin_copies_row {
    akin_choice choice;
    uint64_t (*weight)(uint64_t before,
                       uint32_t copies); /* of 1 or more copies, by that of one copy less; of 0: AKIN_COPIES_ONE */
} akin_copies_row;

#define AKIN_COPIES_ONE (UINT64_C(1) << 50)

extern const akin_choice_table akin_copies_ways;

/* ---------------------------------------------------------------------------------------------------- modifications */

/* A kind of error; its value is an akin_modification, and its place in the table. */
typedef struct akin_modification_row {
    akin_choice choice;
    int (*apply)(akin_field *fields, uint32_t at, uint32_t other, akin_random *random);
} akin_modification_row;

extern const akin_choice_table akin_modifications;

/* Applies a modification (akin_modification) to field `at` of a record; its value is exchanged with that of field
 * `other`, if that is what is to be done. Returns 0 if it does nothing there. */
int akin_record_modify(akin_field *fields, uint32_t at, uint32_t other, uint32_t modification, akin_random *random);

#endif
