/* Sets of words or q-grams of two strings. */
#include "strings/token_sets.h"

#include "base/random.h"

#define TOKENS_MOST 16384 /* that right strings may add before they are forgotten: so the table stays in the cache */

akin_status akin_compare_options_text(const akin_compare_options *options, akin_text_options *out, akin_error *error)
{
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    text.tokens = options->tokens;
    text.q = options->q;
    text.fold = options->fold;
    return akin_text_options_read(&text, out, error);
}

void akin_token_sets_begin(akin_token_sets *sets, akin_cpu cpu, akin_account *account, const akin_text_options *options)
{
    akin_random random;
    akin_tokenizer_begin(&sets->tokenizer, cpu, account, options);
    sets->gatherer = (akin_gatherer){.account = account};
    sets->vocabulary = (akin_vocabulary){.account = account};
    akin_random_seed_anew(&random, sets);
    sets->salt = (akin_salt){{akin_random_next(&random), akin_random_next(&random)}};
}

void akin_token_sets_clear(akin_token_sets *sets)
{
    akin_tokenizer_clear(&sets->tokenizer);
    akin_gatherer_clear(&sets->gatherer);
    akin_vocabulary_clear(&sets->vocabulary);
}

/* Lists the distinct tokens of a string behind what is listed. */
static akin_status list_tokens(akin_token_sets *sets, const char *text, uint32_t length)
{
    akin_spans spans;
    akin_gatherer_row(&sets->gatherer);
    akin_status status = akin_tokenizer_take(&sets->tokenizer, text, length, length);
    while (status == AKIN_OK && akin_tokenizer_next(&sets->tokenizer, &spans))
        status = akin_gatherer_add(&sets->gatherer, &spans);
    return status;
}

akin_status akin_token_sets_take(akin_token_sets *sets, const char *text, uint32_t length)
{
    akin_status status = akin_gatherer_begin(&sets->gatherer, sets->salt, NULL, 0, AKIN_ROW_SET, &sets->vocabulary);
    if (status == AKIN_OK)
        status = list_tokens(sets, text, length);
    sets->text = text;
    sets->length = length;
    sets->left = (uint32_t)sets->vocabulary.listed;
    return status;
}

akin_status akin_token_sets_compare(akin_token_sets *sets, const char *text, uint32_t length, uint32_t *tokens,
                                    uint32_t *common)
{
    akin_vocabulary *v = &sets->vocabulary;
    akin_status status = AKIN_OK;
    if (sets->gatherer.count - sets->left > TOKENS_MOST || sets->gatherer.row == UINT32_MAX)
        status = akin_token_sets_take(sets, sets->text, sets->length);
    v->listed = sets->left;
    if (status == AKIN_OK)
        status = list_tokens(sets, text, length);
    if (status != AKIN_OK)
        return status;
    uint32_t count = (uint32_t)(v->listed - sets->left), shared = 0;
    for (uint32_t i = 0; i < count; i++)
        shared += v->list[sets->left + i] < sets->left;
    *tokens = count;
    *common = shared;
    return AKIN_OK;
}
