/* What the caller wants of a text, read and checked. */
#include "text/options.h"

#include "base/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

AKIN_OPTIONS_END(akin_text_options, counts);

static const akin_cut_row cuts[] = {
    {{"words", "[:N]", "runs of letters and digits, or of N words", AKIN_TOKENS_WORDS,
      AKIN_FOR_DEDUPE | AKIN_IS_DEFAULT},
     1,
     AKIN_TOKENS_SHINGLES},
    {{"whitespace", "", "runs of anything but white space", AKIN_TOKENS_WHITESPACE, 0}, 1, (akin_tokens)0},
    {{"qgrams", ":N", "runs of N characters", AKIN_TOKENS_QGRAMS, AKIN_FOR_DEDUPE}, 0, AKIN_TOKENS_QGRAMS},
    {{"codes", "", "letters and digits of runs with a digit: DSC-W120 is dscw120", AKIN_TOKENS_CODES, AKIN_FOR_DEDUPE},
     1,
     (akin_tokens)0},
    {{"lines", "", "lines that are not blank", AKIN_TOKENS_LINES, 0}, 1, (akin_tokens)0},
    {{"paragraphs", "", "what is between blank lines", AKIN_TOKENS_PARAGRAPHS, 0}, 1, (akin_tokens)0},
};
static const akin_former_name former_cuts[] = {{"blanks", "whitespace"}, {NULL, NULL}};
const akin_choice_table akin_cuts = AKIN_CHOICE_TABLE_RENAMED("kind of tokens", cuts, former_cuts);

static const akin_tokens_facts facts[] = {
    [AKIN_TOKENS_WORDS] = {"words", 0, 1, 1, 0, NULL, NULL},
    [AKIN_TOKENS_WHITESPACE] = {"words", 0, 0, 1, 0, NULL, NULL},
    [AKIN_TOKENS_QGRAMS] = {"q-grams", 1, 0, 0, 0, "characters", "shorter q-grams"},
    [AKIN_TOKENS_SHINGLES] = {"runs of words", 1, 1, 0, 0, "words", "words, or q-grams such as qgrams:3"},
    [AKIN_TOKENS_CODES] = {"codes", 0, 1, 0, 0, NULL, NULL},
    [AKIN_TOKENS_LINES] = {"lines", 0, 0, 0, 0, NULL, NULL},
    [AKIN_TOKENS_PARAGRAPHS] = {"paragraphs", 0, 0, 0, 0, NULL, NULL},
};

const akin_tokens_facts *akin_tokens_facts_of(akin_tokens tokens)
{
    const size_t i = (size_t)tokens;
    return i < sizeof facts / sizeof *facts && facts[i].noun ? &facts[i] : NULL;
}

/* A whole number from 1 to AKIN_TEXT_Q_MOST; 0: it is none. */
static uint32_t read_length(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    const unsigned long number = digits > 0 && digits < 5 && text[digits] == '\0' ? strtoul(text, NULL, 10) : 0;
    return number <= AKIN_TEXT_Q_MOST ? (uint32_t)number : 0;
}

akin_status akin_tokens_parse(const char *text, akin_tokens *tokens, uint32_t *q, akin_error *error)
{
    return akin_cut_parse(text, 0, tokens, q, error);
}

akin_status akin_cut_parse(const char *text, unsigned capabilities, akin_tokens *tokens, uint32_t *q, akin_error *error)
{
    const size_t length = strcspn(text, ":");
    const char *behind = text[length] ? text + length + 1 : NULL;
    const akin_choice *choice = NULL;
    akin_status status = akin_choice_parse(&akin_cuts, text, length, capabilities, &choice, error);
    if (status != AKIN_OK)
        return status;
    const akin_cut_row *row = (const akin_cut_row *)choice;
    const uint32_t number = behind && row->with_a_length ? read_length(behind) : 0;
    if (behind ? number == 0 : !row->is_alone)
        return akin_fail(error, AKIN_E_OPTION, "tokens '%.60s': expected %s%s%s", text, choice->name, choice->arguments,
                         row->with_a_length ? ", N from 1 to 255" : "");
    *tokens = behind ? row->with_a_length : (akin_tokens)choice->value;
    *q = behind ? number : *q;
    return AKIN_OK;
}

void akin_tokens_write(akin_tokens tokens, uint32_t q, char *text, size_t room)
{
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        const akin_cut_row *row = &cuts[i];
        if (row->with_a_length == tokens)
            snprintf(text, room, "%s:%" PRIu32, row->choice.name, q);
        else if ((akin_tokens)row->choice.value == tokens)
            snprintf(text, room, "%s", row->choice.name);
    }
}

akin_status akin_text_options_read(const akin_text_options *given, akin_text_options *own, akin_error *error)
{
    *own = (akin_text_options)AKIN_TEXT_OPTIONS_INIT;
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_text_options", error);
    if (status != AKIN_OK)
        return status;
    const akin_tokens_facts *row = akin_tokens_facts_of(own->tokens);
    if (!row)
        return akin_fail(
            error, AKIN_E_OPTION,
            "tokens is %d; expected words (1), whitespace (2), q-grams (3), shingles (4), codes (5), lines (6) or "
            "paragraphs (7)",
            (int)own->tokens);
    if (row->takes_length && (own->q == 0 || own->q > AKIN_TEXT_Q_MOST))
        return akin_fail(error, AKIN_E_OPTION, "q is %u; expected 1 to %d", own->q, AKIN_TEXT_Q_MOST);
    if (own->fold < -1 || own->fold > 1)
        return akin_fail(error, AKIN_E_OPTION, "fold is %d; expected 0, 1, or -1 for what is usual", own->fold);
    if (own->stop_word_count > 0 && !own->stop_words)
        return akin_fail(error, AKIN_E_OPTION, "there are said to be %u stop words, and they are NULL",
                         own->stop_word_count);
    if (own->reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_text_options: reserved is %u; expected 0", own->reserved);
    if (own->fold < 0)
        own->fold = (int)row->is_folded;
    return AKIN_OK;
}
