/* The third value of a pair: how alike its rows are, or how far apart, as text. */
#include "scores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The similarities of the pairs taken in, where the distance and the sizes of the strings do not give them: by Jaro,
 * and of folded strings, which have other sizes. */
typedef struct compared {
    uint32_t left[AKIN_CLI_SCORES], right[AKIN_CLI_SCORES];
    akin_compared values[AKIN_CLI_SCORES];
} compared;

struct akin_cli_scores {
    akin_measure measure;
    int is_count; /* the measure is a number of tokens */
    int digits;   /* behind the point; below 0: as few as read back */
    akin_cli_strings strings;
    const akin_cli_source *left, *right;
    akin_context *context; /* to compare pairs with while the job's own delivers them; NULL: nothing is compared */
    compared *compared;
};

/* ------------------------------------------------------------------------------------------------------------ sizes */

/* Code points of UTF-8: the bytes that begin one. */
static uint32_t count_symbols(const akin_column *column, uint32_t row)
{
    const char *text = column->bytes + column->offsets[row];
    uint64_t bytes = column->offsets[row + (uint64_t)1] - column->offsets[row];
    uint32_t count = 0;
    for (uint64_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

/* The tokens of a set, or the symbols of a string. */
static uint32_t size_of_row(const akin_cli_scores *scores, const akin_cli_source *source, uint32_t row)
{
    return scores->strings.wanted ? count_symbols(&source->strings, row) : akin_sets_row(source->sets, row, NULL);
}

static uint32_t size_of_left(const akin_cli_scores *scores, akin_cli_scores_known *known, uint32_t row)
{
    if (!known->has_left || known->row != row) {
        known->size = size_of_row(scores, scores->left, row);
        known->row = row;
        known->has_left = 1;
    }
    return known->size;
}

/* ----------------------------------------------------------------------------------------------------------- values */

static double by_edits(const akin_cli_scores *scores, akin_cli_scores_known *known, const akin_pair *pair)
{
    const uint32_t left = size_of_left(scores, known, pair->left),
                   right = size_of_row(scores, scores->right, pair->right), longer = left > right ? left : right;
    return 1.0 - (double)pair->overlap / longer; /* as akin_compare has it */
}

static double by_sets(const akin_cli_scores *scores, akin_cli_scores_known *known, const akin_pair *pair)
{
    const uint32_t left = size_of_left(scores, known, pair->left),
                   right = size_of_row(scores, scores->right, pair->right);
    return akin_measure_value(scores->measure, left, right, pair->overlap);
}

int akin_cli_scores_lack(const akin_cli_scores *scores, const akin_pair *pair)
{
    return scores->strings.undecided && pair->overlap == AKIN_GRAPHS_UNDECIDED;
}

char *akin_cli_scores_put(const akin_cli_scores *scores, akin_cli_scores_known *known, char *at, const akin_pair *pair,
                          size_t index)
{
    const akin_cli_strings *strings = &scores->strings;
    if (strings->wanted ? strings->distance : scores->is_count)
        return akin_digits_integer(at, pair->overlap);
    const double value = scores->compared  ? scores->compared->values[index].similarity
                         : strings->wanted ? by_edits(scores, known, pair)
                                           : by_sets(scores, known, pair);
    return akin_cli_texts_put(&known->texts, at, value, scores->digits);
}

akin_status akin_cli_scores_take(akin_cli_scores *scores, const akin_pair *pairs, size_t count, akin_error *error)
{
    compared *c = scores->compared;
    if (!c)
        return AKIN_OK;
    for (size_t i = 0; i < count; i++) {
        c->left[i] = pairs[i].left;
        c->right[i] = pairs[i].right;
    }
    return akin_compare_pairs(scores->context, &scores->strings.compare, &scores->left->strings, scores->left->rows,
                              &scores->right->strings, scores->right->rows, c->left, c->right, count, NULL, c->values,
                              error);
}

/* ------------------------------------------------------------------------------------------------------------- scores
 */

int akin_cli_scores_are_distances(const akin_cli_scores *scores)
{
    return scores->strings.wanted && scores->strings.distance;
}

static akin_status fail_scores_memory(akin_error *error)
{
    return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "out of memory for writing pairs");
}

akin_status akin_cli_scores_create(akin_cli_job *job, akin_measure measure, const akin_cli_strings *strings, int digits,
                                   const akin_cli_source *left, const akin_cli_source *right, akin_cli_scores **out,
                                   akin_error *error)
{
    akin_cli_scores *scores = calloc(1, sizeof *scores);
    akin_status status = AKIN_OK;
    if (!scores)
        return fail_scores_memory(error);
    scores->measure = measure;
    scores->digits = digits;
    const akin_choice *of_sets = akin_choice_of_value("measures", (int)measure);
    const akin_choice *of_strings = akin_choice_of_value("comparators", (int)strings->compare.comparator);
    scores->is_count = of_sets && (of_sets->capabilities & AKIN_TAKES_COUNT);
    scores->strings = *strings;
    scores->left = left;
    scores->right = right;
    const int has_distance = of_strings && (of_strings->capabilities & AKIN_HAS_DISTANCE);
    if (strings->wanted && !strings->distance && (!has_distance || strings->compare.folds)) {
        scores->compared = malloc(sizeof *scores->compared);
        status = scores->compared ? akin_cli_job_beside(job, &scores->context, error) : fail_scores_memory(error);
    }
    if (status == AKIN_OK)
        *out = scores;
    else
        akin_cli_scores_free(scores);
    return status;
}

void akin_cli_scores_free(akin_cli_scores *scores)
{
    if (!scores)
        return;
    akin_context_free(scores->context);
    free(scores->compared);
    free(scores);
}
