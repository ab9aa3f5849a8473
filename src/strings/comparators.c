/* The table of comparators, and which of them a caller wants, read and checked. */
#include "strings/comparators.h"

#include "base/options.h"
#include "sets/measure.h"
#include "strings/comparer_symbols.h"
#include "strings/comparer_tokens.h"
#include "strings/comparer_values.h"
#include "strings/date.h"
#include "strings/initials.h"
#include "strings/monge_elkan.h"
#include "strings/number.h"
#include "strings/soundex.h"
#include "text/fold.h"
#include "text/options.h"

#include <string.h>

#define EVERYWHERE (AKIN_FOR_COMPARE | AKIN_FOR_DEDUPE)
#define DAYS       365 /* the scale of dates where none is given */
#define PERCENT    20  /* that of numbers by percent */

#define PERCENT_MOST 100

AKIN_OPTIONS_END(akin_compare_options, reserved);

/* ------------------------------------------------------------------------------------------------ behind the slash */

/* The q of q-grams: a whole number, 1 at least; 0: it is none. */
static uint32_t q_of(const char *text)
{
    akin_ratio ratio;
    if (strchr(text, '/') || akin_ratio_parse(text, &ratio, NULL) != AKIN_OK || ratio.num % ratio.den != 0)
        return 0;
    uint32_t q = ratio.num / ratio.den;
    return q <= AKIN_TEXT_Q_MOST ? q : 0;
}

static akin_status read_q(const char *text, const char *value, akin_compare_options *own, akin_error *error)
{
    own->tokens = AKIN_TOKENS_QGRAMS;
    own->q = q_of(value);
    return own->q ? AKIN_OK
                  : akin_fail(error, AKIN_E_OPTION,
                              "comparator '%.60s': expected the length of q-grams, 1 to %d, after the /", text,
                              AKIN_TEXT_Q_MOST);
}

static akin_status read_scale(const char *text, const char *value, akin_compare_options *own, akin_error *error)
{
    if (akin_ratio_parse(value, &own->scale, NULL) == AKIN_OK && own->scale.num > 0)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION,
                     "comparator '%.60s': expected a decimal number above 0, of at most 9 digits, after the /", text);
}

static akin_status read_percent(const char *text, const char *value, akin_compare_options *own, akin_error *error)
{
    if (akin_ratio_parse(value, &own->scale, NULL) == AKIN_OK && own->scale.num > 0 &&
        own->scale.num <= (uint64_t)PERCENT_MOST * own->scale.den)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION,
                     "comparator '%.60s': expected a decimal number above 0, and at most %d, after the /", text,
                     PERCENT_MOST);
}

/* ---------------------------------------------------------------------------------------------------------- checks */

static akin_status check_ratio(akin_ratio ratio, const char *name, uint32_t least_den, const char *most,
                               akin_error *error)
{
    if (ratio.den == 0)
        return akin_fail(error, AKIN_E_OPTION, "%s is a ratio: its denominator cannot be 0", name);
    if ((uint64_t)ratio.num * least_den > ratio.den)
        return akin_fail(error, AKIN_E_OPTION, "%s is %g; expected %s at most", name, (double)ratio.num / ratio.den,
                         most);
    return AKIN_OK;
}

static akin_status check_scale(const akin_compare_options *own, akin_error *error)
{
    return check_ratio(own->scale, "scale", 0, "any", error);
}

static akin_status check_percent(const akin_compare_options *own, akin_error *error)
{
    akin_status status = check_scale(own, error);
    if (status == AKIN_OK && (own->scale.num == 0 || own->scale.num > (uint64_t)PERCENT_MOST * own->scale.den))
        return akin_fail(error, AKIN_E_OPTION, "scale is %g percent; expected more than 0, and %d at most",
                         (double)own->scale.num / own->scale.den, PERCENT_MOST);
    return status;
}

static akin_status check_days(const akin_compare_options *own, akin_error *error)
{
    akin_status status = check_scale(own, error);
    if (status == AKIN_OK && own->scale.num == 0)
        return akin_fail(error, AKIN_E_OPTION, "scale is 0; expected the days from which on dates are not alike");
    return status;
}

static akin_status check_jaro(const akin_compare_options *own, akin_error *error)
{
    return own->floored <= 1 ? AKIN_OK
                             : akin_fail(error, AKIN_E_OPTION, "floored is %u; expected 0 or 1", own->floored);
}

static akin_status check_winkler(const akin_compare_options *own, akin_error *error)
{
    akin_status status = check_jaro(own, error);
    if (status == AKIN_OK)
        status = check_ratio(own->prefix_scale, "prefix_scale", 4, "0.25", error);
    return status == AKIN_OK ? check_ratio(own->boost_threshold, "boost_threshold", 1, "1", error) : status;
}

static akin_status check_tokens(const akin_compare_options *own, akin_error *error)
{
    akin_text_options text;
    return akin_compare_options_text(own, &text, error);
}

static akin_status check_words(const akin_compare_options *own, akin_error *error)
{
    akin_status status = check_winkler(own, error);
    return status == AKIN_OK ? check_tokens(own, error) : status;
}

static akin_status check_sets(const akin_compare_options *own, akin_error *error)
{
    char names[128];
    if (akin_comparator_name(own))
        return check_tokens(own, error);
    akin_choice_list(&akin_measures, AKIN_FOR_DEDUPE, names, sizeof names);
    return akin_fail(error, AKIN_E_OPTION, "measure is %d; expected the value of %s", (int)own->measure, names);
}

/* ---------------------------------------------------------------------------------------------------------- values */

static int says_number(const char *text, uint32_t length)
{
    double number;
    return akin_number_parse(text, length, &number);
}

#define NUMBER         "number"
#define DATE           "date"
#define DATE_GRAMMAR   "a date is written as YYYY-MM-DD, YYYY/MM/DD or YYYYMMDD"
#define NUMBER_GRAMMAR "a number is written as -1250.5 or 2e9, without commas or units"

static int says_date(const char *text, uint32_t length)
{
    int32_t days;
    return akin_date_parse(text, length, &days);
}

static int says_code(const char *text, uint32_t length)
{
    char code[AKIN_SOUNDEX_CODE];
    return akin_soundex(text, length, code);
}

/* ----------------------------------------------------------------------------------------------------------- table */

static const akin_comparator_row rows[] = {
    {{"levenshtein", "", "1 - edits (insert, delete, replace) / characters of the longer one", AKIN_LEVENSHTEIN,
      EVERYWHERE | AKIN_FOR_MATCH | AKIN_HAS_DISTANCE | AKIN_ON_CPU | AKIN_ON_GPU},
     .form = AKIN_BY_EDITS,
     .is_quadratic = 1,
     .is_screened = 1,
     .is_same_equal = 1,
     .functions = &akin_edits_functions},
    {{"osa", "", "levenshtein, where two neighbours that change places are one edit", AKIN_OSA,
      EVERYWHERE | AKIN_FOR_MATCH | AKIN_HAS_DISTANCE | AKIN_ON_CPU | AKIN_ON_GPU},
     .form = AKIN_BY_EDITS,
     .swaps = 1,
     .is_quadratic = 1,
     .is_screened = 1,
     .is_same_equal = 1,
     .functions = &akin_edits_functions},
    {{"jaro", "", "characters that both have at nearly the same place", AKIN_JARO,
      EVERYWHERE | AKIN_FOR_MATCH | AKIN_TAKES_FLOORED | AKIN_ON_CPU | AKIN_ON_GPU},
     .form = AKIN_BY_MATCHES,
     .is_quadratic = 1,
     .is_screened = 1,
     .is_same_equal = 1,
     .check = check_jaro,
     .functions = &akin_matches_functions},
    {{"jaro-winkler", "", "jaro, with more weight on the first 4 characters", AKIN_JARO_WINKLER,
      EVERYWHERE | AKIN_FOR_MATCH | AKIN_TAKES_FLOORED | AKIN_TAKES_PREFIX | AKIN_ON_CPU | AKIN_ON_GPU},
     .form = AKIN_BY_MATCHES,
     .is_quadratic = 1,
     .is_screened = 1,
     .is_same_equal = 1,
     .check = check_winkler,
     .functions = &akin_matches_functions},
    {{"soundex", "", "1 if the Soundex codes are equal, else 0", AKIN_SOUNDEX, EVERYWHERE | AKIN_ON_CPU | AKIN_ON_GPU},
     .form = AKIN_BY_CODES,
     .says = says_code,
     .noun = "letter",
     .grammar = "a Soundex code is made of the letters A to Z",
     .functions = &akin_soundex_functions},
    {{"exact", "", "1 if all bytes are equal, else 0", AKIN_EXACT, EVERYWHERE | AKIN_ON_CPU | AKIN_ON_GPU},
     .form = AKIN_BY_BYTES,
     .is_same_equal = 1,
     .functions = &akin_bytes_functions},
    {{"number", "[/SCALE]", "1 - difference / SCALE (default: the larger one), at least 0", AKIN_NUMBER,
      EVERYWHERE | AKIN_HAS_DISTANCE | AKIN_ON_CPU | AKIN_ON_GPU},
     .form = AKIN_BY_NUMBERS,
     .is_none = 1,
     .has_punctuation = 1,
     .says = says_number,
     .noun = NUMBER,
     .grammar = NUMBER_GRAMMAR,
     .read = read_scale,
     .check = check_scale,
     .functions = &akin_number_functions},
    {{"percent", "[/P]", "1 - difference in percent of the larger number / P (default: 20)", AKIN_PERCENT,
      EVERYWHERE | AKIN_HAS_DISTANCE | AKIN_ON_CPU | AKIN_ON_GPU},
     .form = AKIN_BY_NUMBERS,
     .is_none = 1,
     .has_punctuation = 1,
     .has_share = 1,
     .scale = PERCENT,
     .says = says_number,
     .noun = NUMBER,
     .grammar = NUMBER_GRAMMAR,
     .read = read_percent,
     .check = check_percent,
     .functions = &akin_number_functions},
    {{"date", "[/DAYS]", "1 - days between / DAYS (default: 365), at least 0", AKIN_DATE,
      EVERYWHERE | AKIN_HAS_DISTANCE | AKIN_ON_CPU | AKIN_ON_GPU},
     .form = AKIN_BY_DAYS,
     .is_none = 1,
     .has_punctuation = 1,
     .scale = DAYS,
     .says = says_date,
     .noun = DATE,
     .grammar = DATE_GRAMMAR,
     .read = read_scale,
     .check = check_days,
     .functions = &akin_date_functions},
    {{"after", "[/DAYS]", "1 - days that the right date is later / DAYS (default: 365); or 0", AKIN_AFTER,
      EVERYWHERE | AKIN_HAS_DISTANCE | AKIN_IS_DIRECTED | AKIN_ON_CPU | AKIN_ON_GPU},
     .form = AKIN_BY_DAYS,
     .is_none = 1,
     .has_punctuation = 1,
     .scale = DAYS,
     .says = says_date,
     .noun = DATE,
     .grammar = DATE_GRAMMAR,
     .read = read_scale,
     .check = check_days,
     .functions = &akin_date_functions},
    {{"jaccard", "[/N]", "words in common / words in either; with N runs of N characters", AKIN_TOKEN_SETS,
      EVERYWHERE | AKIN_ON_CPU},
     .measure = AKIN_JACCARD,
     .is_same_equal = 1,
     .cuts_tokens = 1,
     .read = read_q,
     .check = check_sets,
     .functions = &akin_token_sets_functions},
    {{"cosine", "[/N]", "words in common / square root of (words x words)", AKIN_TOKEN_SETS, EVERYWHERE | AKIN_ON_CPU},
     .measure = AKIN_COSINE,
     .is_same_equal = 1,
     .cuts_tokens = 1,
     .read = read_q,
     .check = check_sets,
     .functions = &akin_token_sets_functions},
    {{"dice", "[/N]", "2 x words in common / (words + words)", AKIN_TOKEN_SETS, EVERYWHERE | AKIN_ON_CPU},
     .measure = AKIN_DICE,
     .is_same_equal = 1,
     .cuts_tokens = 1,
     .read = read_q,
     .check = check_sets,
     .functions = &akin_token_sets_functions},
    {{"monge-elkan", "", "mean over the words of the jaro-winkler of each with its best partner", AKIN_MONGE_ELKAN,
      EVERYWHERE | AKIN_TAKES_FLOORED | AKIN_TAKES_PREFIX | AKIN_ON_CPU},
     .is_quadratic = 1,
     .is_same_equal = 1,
     .check = check_words,
     .functions = &akin_monge_elkan_functions},
    {{"initials", "", "mean credit of words in order: equal ones 1, initials 0.9", AKIN_INITIALS,
      EVERYWHERE | AKIN_ON_CPU},
     .is_quadratic = 1,
     .is_same_equal = 1,
     .tokens = AKIN_TOKENS_WORDS,
     .check = check_tokens,
     .functions = &akin_initials_functions},
    {{"tfidf", "[/N]", "cosine of words; a word that few records have weighs more", AKIN_TFIDF,
      AKIN_FOR_DEDUPE | AKIN_ON_CPU},
     .form = AKIN_BY_WEIGHTS,
     .is_same_equal = 1,
     .cuts_tokens = 1,
     .read = read_q,
     .check = check_tokens},
    {{"codes", "", "cosine of codes, which are words with a digit; weighed as tfidf does", AKIN_CODES,
      AKIN_FOR_DEDUPE | AKIN_ON_CPU},
     .form = AKIN_BY_WEIGHTS,
     .is_none = 1,
     .is_same_equal = 1,
     .cuts_tokens = 1,
     .is_rare = 1,
     .tokens = AKIN_TOKENS_CODES,
     .noun = "code",
     .grammar = "a code is a word with a digit, such as DSC-W120",
     .check = check_tokens},
};
const akin_choice_table akin_comparators = AKIN_CHOICE_TABLE("comparator", rows);

const akin_comparator_row *akin_comparator_of(akin_comparator comparator)
{
    return (const akin_comparator_row *)akin_choice_of(&akin_comparators, (int)comparator);
}

const char *akin_comparator_name(const akin_compare_options *options)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].choice.value == (int)options->comparator &&
            (rows[i].measure == 0 || rows[i].measure == options->measure))
            return rows[i].choice.name;
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------- callers */

akin_status akin_compare_options_parse(const char *text, akin_compare_options *options, akin_error *error)
{
    akin_compare_options own = AKIN_COMPARE_OPTIONS_INIT;
    const char *slash = strchr(text, '/');
    const akin_choice *choice = NULL;
    akin_status status =
        akin_choice_parse(&akin_comparators, text, slash ? (size_t)(slash - text) : strlen(text), 0, &choice, error);
    if (status != AKIN_OK || !choice)
        return status;
    const akin_comparator_row *row = (const akin_comparator_row *)choice;
    own.comparator = (akin_comparator)choice->value;
    if (row->measure)
        own.measure = row->measure;
    own.scale = (akin_ratio){row->scale, 1};
    own.tokens = row->tokens ? row->tokens : own.tokens;
    if (slash && !row->read)
        status = akin_fail(error, AKIN_E_OPTION,
                           "comparator '%.60s': expected nothing behind the name, which takes no value", text);
    else if (slash)
        status = row->read(text, slash + 1, &own, error);
    return status == AKIN_OK ? akin_options_write(&own, sizeof own, options, "akin_compare_options", error) : status;
}

akin_status akin_compare_options_read(const akin_compare_options *given, akin_compare_options *own, akin_error *error)
{
    *own = (akin_compare_options)AKIN_COMPARE_OPTIONS_INIT;
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_compare_options", error);
    if (status != AKIN_OK)
        return status;
    const akin_comparator_row *row = akin_comparator_of(own->comparator);
    if (!row)
        return akin_fail(error, AKIN_E_OPTION, "unknown comparator %d", (int)own->comparator);
    own->tokens = row->tokens ? row->tokens : own->tokens;
    status = akin_folds_check(own->folds, error);
    if (status == AKIN_OK && own->reserved != 0)
        status = akin_fail(error, AKIN_E_OPTION, "akin_compare_options: reserved is not 0");
    if (status == AKIN_OK && row->has_punctuation && (own->folds & AKIN_FOLD_PUNCTUATION))
        status = akin_fail(error, AKIN_E_OPTION,
                           "in numbers and dates punctuation means something: %s is compared without the fold %s",
                           row->choice.name, akin_choice_name(&akin_folds, AKIN_FOLD_PUNCTUATION));
    return status == AKIN_OK && row->check ? row->check(own, error) : status;
}

akin_status akin_compare_cutoff_check(akin_ratio cutoff, akin_error *error)
{
    return check_ratio(cutoff, "cutoff", 1, "1", error);
}
