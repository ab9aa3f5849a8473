/*
 * What a job on a part of tables knows of the whole ones (akin_population), by which learnt weights give pairs the
 * probabilities that they have there.
 */
#ifndef AKIN_DEDUPE_POPULATION_H
#define AKIN_DEDUPE_POPULATION_H

#include "base/memory.h"
#include "base/scope.h"
#include "dedupe/records.h"

/* Checks options with a population, and refuses those that need whole tables. Errors: AKIN_E_OPTION, AKIN_E_INPUT. */
akin_status akin_population_check(const akin_dedupe_options *options, akin_error *error);

/* Refuses records that cannot be a part of the population. Errors: AKIN_E_INPUT. */
akin_status akin_population_check_records(const akin_dedupe_options *options, const akin_records *records,
                                          akin_error *error);

/* Sets the numbers of records of the whole tables: those of the population, else those of the job. Returns the number
 * of whole tables. A job of two tables may be two parts of one table. */
uint32_t akin_population_rows(const akin_dedupe_options *options, const akin_records *records, uint32_t rows[2]);

/* How many pairs of records the whole tables have. */
uint64_t akin_population_pairs(const akin_dedupe_options *options, const akin_records *records);

/* Texts, which may be there twice, or empty. */
typedef struct akin_population_texts {
    uint32_t count;
    const char *(*text)(const void *of, uint32_t i, uint64_t *length);
    const void *of;
} akin_population_texts;

/* Sets records[i] to the number of records with text i in `values`: 1 for a text that is not there, because rare values
 * may be left out, and `empty` for an empty text. Errors: AKIN_E_INPUT, AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_population_find(const akin_scope *scope, akin_account *account, const akin_corpus *values,
                                 const akin_population_texts *texts, uint32_t empty, uint32_t *records,
                                 akin_error *error);

#endif
