/* Which comparator a caller wants, read and checked; and comparators by their names. */
#include "strings/options.h"

#include "base/options.h"
#include "text/options.h"

#include <string.h>

#define DAYS 365 /* the scale of dates where none is given */

AKIN_OPTIONS_END(akin_compare_options, fold);

static const struct {
    const char *name;
    akin_comparator comparator;
    akin_measure measure; /* of token sets; else 0 */
} names[] = {
    {"levenshtein", AKIN_LEVENSHTEIN, 0},
    {"osa", AKIN_OSA, 0},
    {"jaro", AKIN_JARO, 0},
    {"jaro-winkler", AKIN_JARO_WINKLER, 0},
    {"soundex", AKIN_SOUNDEX, 0},
    {"exact", AKIN_EXACT, 0},
    {"number", AKIN_NUMBER, 0},
    {"date", AKIN_DATE, 0},
    {"jaccard", AKIN_TOKEN_SETS, AKIN_JACCARD},
    {"cosine", AKIN_TOKEN_SETS, AKIN_COSINE},
    {"dice", AKIN_TOKEN_SETS, AKIN_DICE},
    {"tfidf", AKIN_TFIDF, 0},
};

/* The q of q-grams: a whole number, 1 at least; 0: it is none. */
static uint32_t read_q(const char *text)
{
    akin_ratio ratio;
    if (akin_ratio_parse(text, &ratio, NULL) != AKIN_OK || ratio.num % ratio.den != 0)
        return 0;
    uint32_t q = ratio.num / ratio.den;
    return q <= AKIN_TEXT_Q_MOST ? q : 0;
}

/* Reads what stands behind the slash. */
static akin_status read_value(const char *text, const char *value, akin_compare_options *own, akin_error *error)
{
    if (own->comparator == AKIN_TOKEN_SETS || own->comparator == AKIN_TFIDF) {
        own->tokens = AKIN_TOKENS_QGRAMS;
        own->q = read_q(value);
        return own->q ? AKIN_OK
                      : akin_fail(error, AKIN_E_OPTION,
                                  "comparator '%.60s': expected the length of q-grams, 1 to %d, after the /", text,
                                  AKIN_TEXT_Q_MOST);
    }
    if (own->comparator != AKIN_NUMBER && own->comparator != AKIN_DATE)
        return akin_fail(error, AKIN_E_OPTION,
                         "comparator '%.60s': expected nothing behind the name, which takes no value", text);
    if (akin_ratio_parse(value, &own->scale, NULL) != AKIN_OK || own->scale.num == 0)
        return akin_fail(error, AKIN_E_OPTION,
                         "comparator '%.60s': expected a decimal number above 0, of at most 9 digits, after the /",
                         text);
    return AKIN_OK;
}

akin_status akin_compare_options_parse(const char *text, akin_compare_options *options, akin_error *error)
{
    akin_compare_options own = AKIN_COMPARE_OPTIONS_INIT;
    const char *slash = strchr(text, '/');
    size_t length = slash ? (size_t)(slash - text) : strlen(text), i = 0, count = sizeof names / sizeof *names;
    while (i < count && (strlen(names[i].name) != length || memcmp(names[i].name, text, length) != 0))
        i++;
    if (i == count) {
        akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_CHOICE,
                       "unknown comparator '%.60s': expected levenshtein, osa, jaro, jaro-winkler, soundex, exact, "
                       "number, number/SCALE, date, date/DAYS, jaccard, cosine, dice, jaccard/N, cosine/N or dice/N; "
                       "in akin dedupe also tfidf and tfidf/N",
                       text);
        return akin_note_word(AKIN_E_OPTION, text, length, error);
    }
    own.comparator = names[i].comparator;
    if (names[i].measure)
        own.measure = names[i].measure;
    if (own.comparator == AKIN_DATE)
        own.scale = (akin_ratio){DAYS, 1};
    akin_status status = slash ? read_value(text, slash + 1, &own, error) : AKIN_OK;
    return status == AKIN_OK ? akin_options_write(&own, sizeof own, options, "akin_compare_options", error) : status;
}

static akin_status check_ratio(akin_ratio ratio, const char *name, uint32_t least_den, const char *most,
                               akin_error *error)
{
    if (ratio.den == 0)
        return akin_fail(error, AKIN_E_OPTION, "%s is a ratio: its denominator cannot be 0", name);
    if ((uint64_t)ratio.num * least_den > ratio.den)
        return akin_fail(error, AKIN_E_OPTION, "%s is %u/%u; expected %s at most", name, ratio.num, ratio.den, most);
    return AKIN_OK;
}

static akin_status check_scale(const akin_compare_options *own, akin_error *error)
{
    akin_status status = check_ratio(own->scale, "scale", 0, "any", error);
    if (status == AKIN_OK && own->comparator == AKIN_DATE && own->scale.num == 0)
        return akin_fail(error, AKIN_E_OPTION, "scale is 0; expected the days from which on dates are not alike");
    return status;
}

static akin_status check_jaro(const akin_compare_options *own, akin_error *error)
{
    if (own->floored > 1)
        return akin_fail(error, AKIN_E_OPTION, "floored is %u; expected 0 or 1", own->floored);
    akin_status status = AKIN_OK;
    if (own->comparator == AKIN_JARO_WINKLER)
        status = check_ratio(own->prefix_scale, "prefix_scale", 4, "0.25", error);
    if (status == AKIN_OK && own->comparator == AKIN_JARO_WINKLER)
        status = check_ratio(own->boost_threshold, "boost_threshold", 1, "1", error);
    return status;
}

akin_status akin_compare_options_text(const akin_compare_options *options, akin_text_options *out, akin_error *error)
{
    akin_text_options text = AKIN_TEXT_OPTIONS_INIT;
    text.tokens = options->tokens;
    text.q = options->q;
    text.fold = options->fold;
    return akin_text_options_read(&text, out, error);
}

akin_status akin_compare_options_read(const akin_compare_options *given, akin_compare_options *own, akin_error *error)
{
    akin_text_options text;
    *own = (akin_compare_options)AKIN_COMPARE_OPTIONS_INIT;
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_compare_options", error);
    if (status != AKIN_OK)
        return status;
    switch (own->comparator) {
    case AKIN_LEVENSHTEIN:
    case AKIN_OSA:
    case AKIN_SOUNDEX:
    case AKIN_EXACT:
        return AKIN_OK;
    case AKIN_JARO:
    case AKIN_JARO_WINKLER:
        return check_jaro(own, error);
    case AKIN_NUMBER:
    case AKIN_DATE:
        return check_scale(own, error);
    case AKIN_TOKEN_SETS:
        if (own->measure < AKIN_JACCARD || own->measure > AKIN_DICE)
            return akin_fail(error, AKIN_E_OPTION, "measure is %d; expected Jaccard (1), cosine (2) or Dice (3)",
                             (int)own->measure);
        return akin_compare_options_text(own, &text, error);
    case AKIN_TFIDF:
        return akin_compare_options_text(own, &text, error);
    }
    return akin_fail(error, AKIN_E_OPTION, "unknown comparator %d: expected %d to %d", (int)own->comparator,
                     AKIN_LEVENSHTEIN, AKIN_TFIDF);
}

akin_status akin_compare_cutoff_check(akin_ratio cutoff, akin_error *error)
{
    return check_ratio(cutoff, "cutoff", 1, "1", error);
}
