/* What the caller wants of a text, read and checked. */
#include "text/options.h"

#include "base/options.h"

AKIN_OPTIONS_END(akin_text_options, reserved);

akin_status akin_text_options_read(const akin_text_options *given, akin_text_options *own, akin_error *error)
{
    *own = (akin_text_options)AKIN_TEXT_OPTIONS_INIT;
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_text_options", error);
    if (status != AKIN_OK)
        return status;
    if (own->tokens < AKIN_TOKENS_WORDS || own->tokens > AKIN_TOKENS_SHINGLES)
        return akin_fail(error, AKIN_E_OPTION,
                         "tokens is %d; expected words (1), blanks (2), q-grams (3) or shingles (4)", (int)own->tokens);
    if (own->tokens >= AKIN_TOKENS_QGRAMS && (own->q == 0 || own->q > AKIN_TEXT_Q_MOST))
        return akin_fail(error, AKIN_E_OPTION, "q is %u; expected 1 to %d", own->q, AKIN_TEXT_Q_MOST);
    if (own->fold < -1 || own->fold > 1)
        return akin_fail(error, AKIN_E_OPTION, "fold is %d; expected 0, 1, or -1 for what is usual", own->fold);
    if (own->stop_word_count > 0 && !own->stop_words)
        return akin_fail(error, AKIN_E_OPTION, "there are said to be %u stop words, and they are NULL",
                         own->stop_word_count);
    if (own->reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_text_options: reserved is %u; expected 0", own->reserved);
    if (own->fold < 0)
        own->fold = own->tokens == AKIN_TOKENS_WORDS || own->tokens == AKIN_TOKENS_SHINGLES;
    return AKIN_OK;
}
