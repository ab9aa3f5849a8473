/* Reads how records are told to be alike. */
#include "rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "combined.h"
#include "command.h"
#include "fields.h"
#include "folds.h"
#include "number.h"

#define WINDOW_MOST 1000000

/* What to do about a name that was taken for two. */
#define IN_QUOTES(example) "; a name with a colon or plus stands in quotes: '" example "'"

/* ---------------------------------------------------------------------------------------------------------- columns */

int akin_cli_rules_column(akin_cli_rules *rules, const char *name, uint32_t *out)
{
    for (*out = 0; *out < rules->column_count; ++*out)
        if (strcmp(rules->columns[*out], name) == 0)
            return AKIN_CLI_DONE;
    if (rules->column_count == AKIN_CLI_COLUMNS)
        return akin_cli_refuse("--compare, --pairs and --combine: more than %d columns", AKIN_CLI_COLUMNS);
    rules->columns[rules->column_count++] = name;
    return AKIN_CLI_DONE;
}

/* The number of a column, be it combined or a file's. */
static int find_column(akin_cli_rules *rules, const char *name, uint32_t *out)
{
    return akin_cli_combined_find(rules, name, out) ? AKIN_CLI_DONE : akin_cli_rules_column(rules, name, out);
}

static const char *name_of_column(const akin_cli_rules *rules, uint32_t column)
{
    return column < AKIN_CLI_COLUMNS ? rules->columns[column] : rules->combined_names[column - AKIN_CLI_COLUMNS];
}

/* ----------------------------------------------------------------------------------------------------------- compare */

static int is_below_one(const char *text, double *out)
{
    return akin_cli_read_double(text, out) && *out >= 0 && *out <= 1;
}

/* What to do if a comparator stands in the place of a number, or behind all fields: if the column's name has a colon. */
static const char *advise_compare(char *const *fields, uint32_t count, const char *rest)
{
    akin_compare_options ignored = {.size = sizeof ignored};
    int found = 0;
    for (uint32_t i = 2; i < count && !found; i++)
        found = akin_compare_options_parse(fields[i], &ignored, NULL) == AKIN_OK;
    return found || akin_compare_options_parse(rest, &ignored, NULL) == AKIN_OK ? IN_QUOTES("\"a:b\":exact") : "";
}

/* Whether an attribute before this one is of the same column and comparator: results would have two of one name. */
static int is_twice(const akin_cli_rules *rules, uint32_t at)
{
    uint32_t i = 0;
    while (i < at && (rules->attributes[i].column != rules->attributes[at].column ||
                      strcmp(rules->comparators[i], rules->comparators[at]) != 0))
        i++;
    return i < at;
}

/* COLUMN:COMPARATOR[:THRESHOLD[:WEIGHT]] */
static int read_compare(akin_cli_rules *rules, const char *word, char *text)
{
    uint32_t at = rules->options.attribute_count;
    akin_attribute *attribute = &rules->attributes[at];
    akin_error error;
    char *fields[4] = {NULL}, ended = ':';
    uint32_t count = 0;
    if (at == AKIN_CLI_RULES)
        return akin_cli_refuse("--compare: more than %d of them", AKIN_CLI_RULES);
    while (ended && count < 4) {
        fields[count] = akin_cli_field_take(&text, ":", &ended);
        if (!fields[count++])
            return akin_cli_refuse("--compare %s: a quote is not closed, or something follows it", word);
    }
    if (ended || count < 2 || !*fields[0])
        return akin_cli_refuse("--compare %s: expected COLUMN:COMPARATOR, or COLUMN:COMPARATOR:THRESHOLD:WEIGHT%s",
                               akin_cli_word(word), advise_compare(fields, count, text));
    *attribute = (akin_attribute){.compare = &rules->compare[at], .threshold = 0, .weight = 1};
    rules->compare[at].size = sizeof rules->compare[at];
    rules->comparators[at] = fields[1];
    if (akin_compare_options_parse(fields[1], &rules->compare[at], &error) != AKIN_OK)
        return akin_cli_refuse("--compare %s: %s%s", word, error.message, advise_compare(fields, count, text));
    if (count > 2 && !is_below_one(fields[2], &attribute->threshold))
        return akin_cli_refuse("--compare %s: threshold '%s': expected a decimal number from 0 to 1", word, fields[2]);
    if (count > 3 &&
        (!akin_cli_read_double(fields[3], &attribute->weight) || !(attribute->weight > 0) || attribute->weight > 1e9))
        return akin_cli_refuse(
            "--compare %s: weight '%s': expected a decimal number without exponent, above 0, to 1000000000", word,
            fields[3]);
    int status = find_column(rules, fields[0], &attribute->column);
    if (status == AKIN_CLI_DONE && is_twice(rules, at))
        return akin_cli_refuse("--compare %s: %s is compared by %s already", word, fields[0], fields[1]);
    rules->options.attribute_count++;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- pairs */

static int read_key(const char *name, akin_key *out)
{
    static const char *const names[] = {
        [AKIN_KEY_VALUE] = "value", [AKIN_KEY_SIMPLE] = "simple", [AKIN_KEY_SOUNDEX] = "soundex"};
    for (int key = AKIN_KEY_VALUE; key <= AKIN_KEY_SOUNDEX; key++)
        if (strcmp(name, names[key]) == 0) {
            *out = (akin_key)key;
            return 1;
        }
    return 0;
}

/* COLUMN[:KEY][+COLUMN[:KEY]...], as many as `most`, which become parts. */
static int read_parts(akin_cli_rules *rules, const char *word, char *text, akin_key key, uint32_t most,
                      akin_selection *selection)
{
    char ended = '+';
    selection->parts = rules->parts + rules->part_count;
    while (ended) {
        char *name = akin_cli_field_take(&text, ":+", &ended), *key_name = NULL;
        if (name && ended == ':')
            key_name = akin_cli_field_take(&text, "+", &ended);
        if (!name || !*name || (ended && selection->part_count + 1 == most))
            return akin_cli_refuse("--pairs %s: expected %s%s", word,
                                   most == 1 ? "window:W:COLUMN[:KEY]" : "block:COLUMN[:KEY][+COLUMN[:KEY]...]",
                                   name && *name && most == 1 ? IN_QUOTES("window:2:\"a+b\"") : "");
        if (rules->part_count == AKIN_CLI_RULES)
            return akin_cli_refuse("--pairs: more than %d keys", AKIN_CLI_RULES);
        akin_key_part *part = &rules->parts[rules->part_count++];
        *part = (akin_key_part){.column = 0, .key = key};
        selection->part_count++;
        if (key_name && !read_key(key_name, &part->key))
            return akin_cli_refuse("--pairs %s: key '%s': expected simple, soundex or value%s", word, key_name,
                                   *key_name ? IN_QUOTES("block:\"a:b\"") : "");
        int status = find_column(rules, name, &part->column);
        if (status != AKIN_CLI_DONE)
            return status;
    }
    return AKIN_CLI_DONE;
}

/* The next selection; NULL: there are too many, which is told. */
static akin_selection *next_selection(akin_cli_rules *rules, const char *word, akin_selection_kind kind)
{
    uint32_t at = rules->options.selection_count;
    if (at == AKIN_CLI_RULES) {
        akin_cli_refuse("--pairs: more than %d of them", AKIN_CLI_RULES);
        return NULL;
    }
    rules->options.selection_count++;
    rules->pairs[at] = word;
    rules->selections[at] = (akin_selection){.kind = kind};
    return &rules->selections[at];
}

/* window:W: a pass for each column that is compared, by the simple key. */
static int add_passes(akin_cli_rules *rules, const char *word, uint32_t window)
{
    for (uint32_t i = 0; i < rules->options.attribute_count; i++) {
        uint32_t column = rules->attributes[i].column, earlier = 0;
        while (rules->attributes[earlier].column != column)
            earlier++;
        if (earlier < i) /* it is compared in two ways */
            continue;
        akin_selection *selection = next_selection(rules, word, AKIN_SELECT_WINDOW);
        if (!selection || rules->part_count == AKIN_CLI_RULES)
            return selection ? akin_cli_refuse("--pairs: more than %d keys", AKIN_CLI_RULES) : AKIN_CLI_USAGE;
        rules->of[rules->options.selection_count - 1] = name_of_column(rules, column);
        selection->window = window;
        selection->parts = rules->parts + rules->part_count;
        selection->part_count = 1;
        rules->parts[rules->part_count++] = (akin_key_part){.column = column, .key = AKIN_KEY_SIMPLE};
    }
    return AKIN_CLI_DONE;
}

static int read_window(akin_cli_rules *rules, const char *word, char *text)
{
    uint64_t window = 0;
    char ended;
    char *number = akin_cli_field_take(&text, ":", &ended);
    if (!number || !akin_cli_read_u64(number, 2, WINDOW_MOST, &window))
        return akin_cli_refuse("--pairs %s: expected window:W, W from 2 to %d", word, WINDOW_MOST);
    if (!ended)
        return add_passes(rules, word, (uint32_t)window);
    akin_selection *selection = next_selection(rules, word, AKIN_SELECT_WINDOW);
    if (!selection)
        return AKIN_CLI_USAGE;
    selection->window = (uint32_t)window;
    return read_parts(rules, word, text, AKIN_KEY_SIMPLE, 1, selection);
}

/* The tokens of a selection by similarity: words, words:N, or qgrams:N. */
static int read_tokens(char *fields[2], akin_text_options *text)
{
    uint64_t q = 0;
    *text = (akin_text_options)AKIN_TEXT_OPTIONS_INIT;
    if (!fields[0] || (strcmp(fields[0], "words") == 0 && !fields[1]))
        return 1;
    text->tokens = strcmp(fields[0], "words") == 0 ? AKIN_TOKENS_SHINGLES : AKIN_TOKENS_QGRAMS;
    if ((strcmp(fields[0], "words") != 0 && strcmp(fields[0], "qgrams") != 0) || !fields[1] ||
        !akin_cli_read_u64(fields[1], 1, 255, &q))
        return 0;
    text->q = (uint32_t)q;
    return 1;
}

/* similar:COLUMN:MEASURE:T[:words[:N]|:qgrams:N] */
static int read_similar(akin_cli_rules *rules, const char *word, char *text)
{
    static const char *const measures[] = {[AKIN_JACCARD] = "jaccard", [AKIN_COSINE] = "cosine", [AKIN_DICE] = "dice"};
    akin_selection *selection = next_selection(rules, word, AKIN_SELECT_SIMILAR);
    char *fields[5] = {NULL}, ended = ':';
    uint32_t count = 0, measure = AKIN_JACCARD, at = rules->options.selection_count - 1;
    if (!selection)
        return AKIN_CLI_USAGE;
    for (; ended && count < 5; count++)
        if (!(fields[count] = akin_cli_field_take(&text, ":", &ended)))
            return akin_cli_refuse("--pairs %s: a quote is not closed, or something follows it", word);
    while (measure <= AKIN_DICE && !(fields[1] && strcmp(fields[1], measures[measure]) == 0))
        measure++;
    if (ended || count < 3 || !*fields[0] || measure > AKIN_DICE || !read_tokens(fields + 3, &rules->texts[at]))
        return akin_cli_refuse(
            "--pairs %s: expected similar:COLUMN:MEASURE:T, with :words, :words:N or :qgrams:N behind it, N "
            "from 1 to 255; MEASURE is jaccard, cosine or dice%s",
            word,
            count > 3 && measure > AKIN_DICE && akin_ratio_parse(fields[2], &selection->cutoff, NULL) != AKIN_OK
                ? IN_QUOTES("similar:\"a:b\":jaccard:0.5")
                : "");
    if (akin_ratio_parse(fields[2], &selection->cutoff, NULL) != AKIN_OK || selection->cutoff.num == 0 ||
        selection->cutoff.num > selection->cutoff.den)
        return akin_cli_refuse("--pairs %s: '%s': expected a decimal number above 0, to 1 (at most 9 digits)", word,
                               fields[2]);
    if (rules->part_count == AKIN_CLI_RULES)
        return akin_cli_refuse("--pairs: more than %d keys", AKIN_CLI_RULES);
    selection->measure = (akin_measure)measure;
    selection->text = &rules->texts[at];
    selection->parts = &rules->parts[rules->part_count];
    selection->part_count = 1;
    rules->parts[rules->part_count] = (akin_key_part){.column = 0, .key = AKIN_KEY_VALUE};
    return find_column(rules, fields[0], &rules->parts[rules->part_count++].column);
}

static int read_pairs(akin_cli_rules *rules, const char *word, char *text)
{
    char ended;
    const char *kind = akin_cli_field_take(&text, ":", &ended);
    if (kind && strcmp(kind, "all") == 0 && !ended)
        return next_selection(rules, word, AKIN_SELECT_ALL) ? AKIN_CLI_DONE : AKIN_CLI_USAGE;
    if (kind && strcmp(kind, "window") == 0 && ended)
        return read_window(rules, word, text);
    if (kind && strcmp(kind, "block") == 0 && ended) {
        akin_selection *selection = next_selection(rules, word, AKIN_SELECT_BLOCK);
        return selection ? read_parts(rules, word, text, AKIN_KEY_VALUE, AKIN_CLI_RULES, selection) : AKIN_CLI_USAGE;
    }
    if (kind && strcmp(kind, "similar") == 0 && ended)
        return read_similar(rules, word, text);
    return akin_cli_refuse(
        "--pairs %s: expected all, window:W, window:W:COLUMN[:KEY], "
        "block:COLUMN[:KEY][+COLUMN[:KEY]...] or similar:COLUMN:MEASURE:T",
        akin_cli_word(word));
}

/* ------------------------------------------------------------------------------------------------------------- rules */

static int read_numbers(const akin_cli_rules_words *words, akin_dedupe_options *options)
{
    static const char *const names[] = {
        [AKIN_MISSING_ZERO] = "zero", [AKIN_MISSING_SKIP] = "skip", [AKIN_MISSING_EQUAL] = "equal"};
    if (!words->threshold)
        return akin_cli_refuse("expected --threshold T: how alike records must be, above 0, to 1");
    if (!is_below_one(words->threshold, &options->threshold) || !(options->threshold > 1e-12))
        return akin_cli_refuse("--threshold %s: expected a decimal number without exponent, above 1e-12, to 1",
                               akin_cli_word(words->threshold));
    if (words->max_block && !akin_cli_read_u64(words->max_block, 2, UINT32_MAX, &options->max_block))
        return akin_cli_refuse("--max-block %s: expected a whole number from 2 to %" PRIu32,
                               akin_cli_word(words->max_block), UINT32_MAX);
    for (int way = AKIN_MISSING_ZERO; words->missing && way <= AKIN_MISSING_EQUAL; way++) {
        if (strcmp(words->missing, names[way]) != 0)
            continue;
        options->missing = (akin_missing)way;
        return AKIN_CLI_DONE;
    }
    return words->missing ? akin_cli_refuse("--missing %s: expected zero, skip or equal", akin_cli_word(words->missing))
                          : AKIN_CLI_DONE;
}

/* A copy of all words, one behind the other, which are cut into fields; *at moves on. */
static char *copy(const char *word, char **at)
{
    char *to = *at;
    size_t length = strlen(word) + 1;
    memcpy(to, word, length);
    *at = to + length;
    return to;
}

static size_t room_for(const char *const *words, uint32_t count)
{
    size_t room = 0;
    for (uint32_t i = 0; i < count; i++)
        room += strlen(words[i]) + 1;
    return room;
}

static int read_folds(akin_cli_rules *rules, const akin_cli_rules_words *words, char *at)
{
    char *copies[AKIN_CLI_REPEATED];
    for (uint32_t i = 0; i < words->fold_count; i++)
        copies[i] = copy(words->fold[i], &at);
    return akin_cli_folds_read(rules, words->fold, copies, words->fold_count);
}

int akin_cli_rules_check(const akin_cli_rules_words *words, akin_cli_rules *out)
{
    akin_cli_rules *rules = out;
    *rules = (akin_cli_rules){.options = AKIN_DEDUPE_OPTIONS_INIT};
    rules->options.selections = rules->selections;
    rules->options.selected = rules->selected;
    rules->options.attributes = rules->attributes;
    if (words->compare_count == 0)
        return akin_cli_refuse("expected --compare COLUMN:COMPARATOR: which columns are compared, and how");
    if (words->pairs_count == 0)
        return akin_cli_refuse(
            "expected --pairs: which pairs of records are compared; 'all', or window:20 for more than "
            "some 10,000 records");
    char *at = rules->words =
        malloc(room_for(words->compare, words->compare_count) + room_for(words->pairs, words->pairs_count) +
               room_for(words->combine, words->combine_count) + room_for(words->fold, words->fold_count) + 1);
    if (!at) {
        akin_cli_refuse("not enough memory for the command line");
        return AKIN_CLI_FAILED;
    }
    int status = read_numbers(words, &rules->options);
    for (uint32_t i = 0; i < words->combine_count && status == AKIN_CLI_DONE; i++)
        status = akin_cli_combined_read(rules, words->combine[i], copy(words->combine[i], &at));
    for (uint32_t i = 0; i < words->compare_count && status == AKIN_CLI_DONE; i++)
        status = read_compare(rules, words->compare[i], copy(words->compare[i], &at));
    for (uint32_t i = 0; i < words->pairs_count && status == AKIN_CLI_DONE; i++)
        status = read_pairs(rules, words->pairs[i], copy(words->pairs[i], &at));
    if (status == AKIN_CLI_DONE)
        status = akin_cli_combined_number(rules);
    return status == AKIN_CLI_DONE ? read_folds(rules, words, at) : status;
}

void akin_cli_rules_advise(const akin_cli_rules *rules, akin_error *error)
{
    size_t length = strlen(error->message);
    for (uint32_t i = 0; i < rules->column_count; i++)
        for (const char *end = ":+"; *end; end++) {
            char begins[128];
            snprintf(begins, sizeof begins, "'%.100s%c", rules->columns[i], *end);
            if (!strstr(error->message, begins))
                continue;
            snprintf(error->message + length, sizeof error->message - length, "%s",
                     *end == ':' ? IN_QUOTES("\"a:b\"") : IN_QUOTES("\"a+b\""));
            return;
        }
}

void akin_cli_rules_clear(akin_cli_rules *rules)
{
    free(rules->words);
    rules->words = NULL;
}
