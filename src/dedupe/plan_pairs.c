/* Reads which pairs of records are compared: the words of the options that are rows of akin_selections. */
#include "dedupe/plan_pairs.h"

#include <inttypes.h>
#include <string.h>

#include "dedupe/keys.h"
#include "dedupe/plan_columns.h"
#include "dedupe/plan_words.h"
#include "dedupe/select_nearest.h"
#include "sets/measure.h"
#include "text/options.h"

#define BUCKETS_MOST 4 /* keys of a block that are buckets: 16 selections */

/* The next selection, and its title; NULL: there is no memory for it. */
static akin_selection *add_selection(akin_plan_made *made, const akin_selection_row *row, const char *title,
                                     akin_error *error)
{
    akin_text_options *text = akin_plan_push(&made->texts, sizeof *text, error);
    const char **name = text ? akin_plan_push(&made->selection_titles, sizeof *name, error) : NULL;
    akin_selected *selected = name ? akin_plan_push(&made->selected, sizeof *selected, error) : NULL;
    akin_selection *selection = selected ? akin_plan_push(&made->selections, sizeof *selection, error) : NULL;
    if (!selection)
        return NULL;
    *text = (akin_text_options)AKIN_TEXT_OPTIONS_INIT;
    text->tokens = row->tokens ? row->tokens : text->tokens;
    *name = title;
    selection->kind = (akin_selection_kind)row->choice.value;
    return selection;
}

/* The same of a word: the title is the option with it. */
static akin_selection *add_selection_of(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                        akin_error *error)
{
    const char *title = akin_plan_text(made, error, "%s %s", row->choice.name, word);
    return title ? add_selection(made, row, title, error) : NULL;
}

static akin_status add_part(akin_plan_made *made, akin_selection *selection, const akin_key_part *part,
                            akin_error *error)
{
    akin_key_part *to = akin_plan_push(&made->parts, sizeof *to, error);
    if (!to)
        return AKIN_E_NOMEM;
    *to = *part;
    selection->part_count++;
    return AKIN_OK;
}

/* Refuses a word that is not of the form. `more` follows what was expected. */
static akin_status refuse_form(const akin_selection_row *row, const char *word, const char *more, akin_error *error)
{
    return akin_plan_fail(error, AKIN_REASON_MALFORMED, row->choice.name, word, word, "expected%s%s",
                          row->choice.arguments, more);
}

/* The argument of a key, behind its colon; NULL: there is none. Returns 0 if it is not what the key takes. */
static int read_argument(const akin_key_row *row, const char *text, akin_key_part *part)
{
    uint64_t argument = 0;
    if (row->has_scale)
        return text && akin_ratio_parse(text, &part->scale, NULL) == AKIN_OK && part->scale.num > 0;
    if (row->most == 0)
        return !text;
    const int is_there = text && akin_plan_number(text, 1, row->most, &argument);
    part->argument = (uint32_t)argument;
    return is_there;
}

/* KEY[:ARGUMENT] */
static akin_status read_key(const akin_selection_row *selection, const char *word, const char *text,
                            akin_key_part *part, akin_error *error)
{
    const akin_choice *choice;
    akin_error refused;
    size_t length = strcspn(text, ":");
    if (akin_choice_parse(&akin_keys, text, length, 0, &choice, &refused) != AKIN_OK)
        return akin_plan_fail_from(error, selection->choice.name, word, &refused,
                                   *text ? AKIN_PLAN_IN_QUOTES("\"a:b\"") : "");
    const akin_key_row *row = (const akin_key_row *)choice;
    if (!read_argument(row, text[length] ? text + length + 1 : NULL, part)) {
        if (row->has_scale)
            return akin_plan_fail(error, AKIN_REASON_MALFORMED, selection->choice.name, word, text,
                                  "key '%s': expected %s%s, X a decimal number above 0", text, choice->name,
                                  choice->arguments);
        if (row->most > 0)
            return akin_plan_fail(error, AKIN_REASON_MALFORMED, selection->choice.name, word, text,
                                  "key '%s': expected %s%s, N from 1 to %" PRIu32, text, choice->name,
                                  choice->arguments, row->most);
        return akin_plan_fail(error, AKIN_REASON_MALFORMED, selection->choice.name, word, text,
                              "key '%s': nothing follows %s" AKIN_PLAN_IN_QUOTES("\"a:b\""), text, choice->name);
    }
    part->key = (akin_key)choice->value;
    return AKIN_OK;
}

/* COLUMN[:KEY][+COLUMN[:KEY]...], which become the parts of the selection, up to its limit. */
static akin_status read_parts(akin_plan_made *made, const akin_selection_row *row, const char *word, char *text,
                              akin_selection *selection, akin_error *error)
{
    int is_one = row->parts_most == 1;
    char ended = '+';
    akin_status status = AKIN_OK;
    while (ended && status == AKIN_OK) {
        akin_key_part part = {.key = row->key};
        const char *right, *name = akin_plan_take_column(&text, ":+", &ended, &right);
        char *key = NULL;
        int has_key = name && ended == ':';
        if (has_key)
            key = akin_plan_take(&text, "+", &ended);
        if ((has_key && !key) || (!name && !right))
            return akin_plan_fail_quotes(error, row->choice.name, word);
        if (!name || (ended && is_one))
            return refuse_form(row, word, name && is_one ? AKIN_PLAN_IN_QUOTES("2:\"a+b\"") : "", error);
        if (key)
            status = read_key(row, word, key, &part, error);
        if (status == AKIN_OK)
            status = akin_plan_any_column(made, name, right, &part.column, error);
        if (status == AKIN_OK)
            status = add_part(made, selection, &part, error);
    }
    return status;
}

akin_status akin_plan_read_all(akin_plan_made *made, const akin_selection_row *row, const char *word, akin_error *error)
{
    (void)word;
    return add_selection(made, row, row->choice.name, error) ? AKIN_OK : AKIN_E_NOMEM;
}

/* Whether an attribute before that one is of the same column. */
static int is_seen(const akin_attribute *attributes, uint64_t at)
{
    uint64_t earlier = 0;
    while (attributes[earlier].column != attributes[at].column)
        earlier++;
    return earlier < at;
}

/* A number alone: a pass for each column that is compared, by the usual key. A pass has the numbers of `like`. */
static akin_status add_passes(akin_plan_made *made, const akin_selection_row *row, const char *word,
                              const akin_selection *like, akin_error *error)
{
    const akin_attribute *attributes = made->attributes.rows;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < made->attributes.count && status == AKIN_OK; i++) {
        if (is_seen(attributes, i))
            continue;
        const akin_key_part part = {.column = attributes[i].column, .key = row->key};
        const char *title = akin_plan_text(made, error, "%s %s of %s", row->choice.name, word,
                                           akin_plan_column_name(made, attributes[i].column));
        akin_selection *selection = title ? add_selection(made, row, title, error) : NULL;
        if (!selection)
            return AKIN_E_NOMEM;
        selection->window = like->window;
        selection->nearest = like->nearest;
        status = add_part(made, selection, &part, error);
    }
    return status;
}

akin_status akin_plan_read_window(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                  akin_error *error)
{
    uint64_t window = 0;
    char ended, *text = akin_plan_copy(made, word, error);
    if (!text)
        return AKIN_E_NOMEM;
    const char *number = akin_plan_take(&text, ":", &ended);
    if (!number || !akin_plan_number(number, AKIN_WINDOW_LEAST, AKIN_WINDOW_MOST, &window))
        return akin_plan_fail(error, AKIN_REASON_MALFORMED, row->choice.name, word, word, "expected%s, W from %d to %d",
                              row->choice.arguments, AKIN_WINDOW_LEAST, AKIN_WINDOW_MOST);
    if (!ended)
        return add_passes(made, row, word, &(akin_selection){.window = (uint32_t)window}, error);
    akin_selection *selection = add_selection_of(made, row, word, error);
    if (!selection)
        return AKIN_E_NOMEM;
    selection->window = (uint32_t)window;
    return read_parts(made, row, word, text, selection, error);
}

static const char *title_of_pass(akin_plan_made *made, const akin_selection_row *row, const char *word, uint32_t odd,
                                 uint32_t buckets, akin_error *error)
{
    return akin_plan_text(made, error, "%s %s, pass %" PRIu32 " of %" PRIu32, row->choice.name, word, odd + 1,
                          UINT32_C(1) << buckets);
}

/* The parts of a selection with one of both pairs of buckets for each key that is a bucket: odd ones where `odd` has a
 * bit. */
static akin_status add_odd(akin_plan_made *made, const akin_selection_row *row, const char *word, uint64_t first,
                           uint32_t count, uint32_t odd, uint32_t buckets, akin_error *error)
{
    const char *title = title_of_pass(made, row, word, odd, buckets, error);
    akin_selection *selection = title ? add_selection(made, row, title, error) : NULL;
    akin_status status = selection ? AKIN_OK : AKIN_E_NOMEM;
    for (uint32_t i = 0, bucket = 0; i < count && status == AKIN_OK; i++) {
        akin_key_part part = ((const akin_key_part *)made->parts.rows)[first + i];
        if (part.buckets != AKIN_BUCKETS_ALONE)
            part.buckets = odd >> bucket++ & 1 ? AKIN_BUCKETS_ODD : AKIN_BUCKETS_EVEN;
        status = add_part(made, selection, &part, error);
    }
    return status;
}

/* Makes the last selection, of `count` parts, as many as it takes to have neighbouring buckets, too. */
static akin_status pair_buckets(akin_plan_made *made, const akin_selection_row *row, const char *word, uint32_t count,
                                akin_error *error)
{
    const uint64_t first = made->parts.count - count;
    uint32_t buckets = 0;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < count; i++) {
        akin_key_part *part = (akin_key_part *)made->parts.rows + first + i;
        if (!akin_key_row_of(part->key)->is_bucket)
            continue;
        part->buckets = AKIN_BUCKETS_EVEN;
        buckets++;
    }
    if (buckets > BUCKETS_MOST)
        return akin_plan_fail(error, AKIN_REASON_MALFORMED, row->choice.name, word, word,
                              "%" PRIu32 " keys are buckets; expected at most %d", buckets, BUCKETS_MOST);
    if (buckets > 0) {
        const char **titles = made->selection_titles.rows, *title = title_of_pass(made, row, word, 0, buckets, error);
        if (!title)
            return AKIN_E_NOMEM;
        titles[made->selection_titles.count - 1] = title;
    }
    for (uint32_t odd = 1; odd < UINT32_C(1) << buckets && status == AKIN_OK; odd++)
        status = add_odd(made, row, word, first, count, odd, buckets, error);
    return status;
}

akin_status akin_plan_read_block(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                 akin_error *error)
{
    char *text = akin_plan_copy(made, word, error);
    akin_selection *selection = text ? add_selection_of(made, row, word, error) : NULL;
    akin_status status = selection ? read_parts(made, row, word, text, selection, error) : AKIN_E_NOMEM;
    return status == AKIN_OK ? pair_buckets(made, row, word, selection->part_count, error) : status;
}

/* ----------------------------------------------------------------------------------------------------------- tokens */

/* Reads TOKENS, which are those of the last selection. `advice` follows what is wrong with them. */
static akin_status read_tokens(akin_plan_made *made, const akin_selection_row *row, const char *word, const char *text,
                               const char *advice, akin_error *error)
{
    akin_text_options *cut = (akin_text_options *)made->texts.rows + made->texts.count - 1;
    akin_error refused;
    if (akin_cut_parse(text, AKIN_FOR_DEDUPE, &cut->tokens, &cut->q, &refused) == AKIN_OK)
        return AKIN_OK;
    return akin_plan_fail_from(error, row->choice.name, word, &refused, advice);
}

/* COLUMN:MEASURE:T[:TOKENS], the fields behind the column that have no colon. */
enum { MEASURE, LEAST, SIMILAR_FIELDS };

/* Refuses a word that is not of the form. */
static akin_status refuse_similar(const akin_selection_row *row, const char *word, akin_error *error)
{
    char measures[200], kinds[100];
    akin_choice_list(&akin_measures, AKIN_FOR_DEDUPE, measures, sizeof measures);
    akin_choice_list(&akin_cuts, AKIN_FOR_DEDUPE, kinds, sizeof kinds);
    return akin_plan_fail(error, AKIN_REASON_MALFORMED, row->choice.name, word, word,
                          "expected%s, TOKENS being %s, N from 1 to %d; MEASURE is %s", row->choice.arguments, kinds,
                          AKIN_TEXT_Q_MOST, measures);
}

static akin_status read_measure(const akin_selection_row *row, const char *word, char *const *fields,
                                akin_selection *out, akin_error *error)
{
    const akin_choice *choice;
    akin_error refused;
    const char *name = fields[MEASURE], *least = fields[LEAST];
    const int is_number = akin_ratio_parse(least, &out->cutoff, NULL) == AKIN_OK;
    if (akin_choice_parse(&akin_measures, name, strlen(name), AKIN_FOR_DEDUPE, &choice, &refused) != AKIN_OK)
        return akin_plan_fail_from(error, row->choice.name, word, &refused,
                                   is_number ? "" : AKIN_PLAN_IN_QUOTES("\"a:b\":jaccard:0.5"));
    out->measure = (akin_measure)choice->value;
    if (!is_number || out->cutoff.num == 0 || out->cutoff.num > out->cutoff.den)
        return akin_plan_fail(error, AKIN_REASON_NOT_A_NUMBER, row->choice.name, word, least,
                              "'%s': expected a number above 0, to 1, such as 0.8 or 2/3 (at most 9 digits)", least);
    return AKIN_OK;
}

akin_status akin_plan_read_similar(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                   akin_error *error)
{
    char *text = akin_plan_copy(made, word, error);
    akin_selection *selection = text ? add_selection_of(made, row, word, error) : NULL;
    akin_key_part part = {.key = row->key};
    char *fields[SIMILAR_FIELDS] = {NULL}, ended = ':';
    const char *right = NULL, *left;
    int count = 0;
    if (!selection)
        return AKIN_E_NOMEM;
    left = akin_plan_take_column(&text, ":", &ended, &right);
    if (!left && !right)
        return akin_plan_fail_quotes(error, row->choice.name, word);
    for (; ended && count < SIMILAR_FIELDS; count++)
        if (!(fields[count] = akin_plan_take(&text, ":", &ended)))
            return akin_plan_fail_quotes(error, row->choice.name, word);
    if (count < SIMILAR_FIELDS || !left)
        return refuse_similar(row, word, error);
    akin_status status = read_measure(row, word, fields, selection, error);
    if (status == AKIN_OK && ended)
        status = read_tokens(made, row, word, text, "", error);
    if (status == AKIN_OK)
        status = akin_plan_any_column(made, left, right, &part.column, error);
    return status == AKIN_OK ? add_part(made, selection, &part, error) : status;
}

akin_status akin_plan_read_nearest(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                   akin_error *error)
{
    uint64_t nearest = 0;
    char kinds[100], ended, *text = akin_plan_copy(made, word, error);
    akin_key_part part = {.key = row->key};
    if (!text)
        return AKIN_E_NOMEM;
    akin_choice_list(&akin_cuts, AKIN_FOR_DEDUPE, kinds, sizeof kinds);
    const char *right, *left, *number = akin_plan_take(&text, ":", &ended);
    if (!number || !akin_plan_number(number, AKIN_NEAREST_LEAST, AKIN_NEAREST_MOST, &nearest))
        return akin_plan_fail(error, AKIN_REASON_MALFORMED, row->choice.name, word, word,
                              "expected%s, K from %d to %d, TOKENS being %s, N from 1 to %d", row->choice.arguments,
                              AKIN_NEAREST_LEAST, AKIN_NEAREST_MOST, kinds, AKIN_TEXT_Q_MOST);
    if (!ended)
        return add_passes(made, row, word, &(akin_selection){.nearest = (uint32_t)nearest}, error);
    akin_selection *selection = add_selection_of(made, row, word, error);
    if (!selection)
        return AKIN_E_NOMEM;
    selection->nearest = (uint32_t)nearest;
    left = akin_plan_take_column(&text, ":", &ended, &right);
    if (!left)
        return right ? refuse_form(row, word, "", error) : akin_plan_fail_quotes(error, row->choice.name, word);
    akin_status status = ended ? read_tokens(made, row, word, text, AKIN_PLAN_IN_QUOTES("5:\"a:b\""), error) : AKIN_OK;
    if (status == AKIN_OK)
        status = akin_plan_any_column(made, left, right, &part.column, error);
    return status == AKIN_OK ? add_part(made, selection, &part, error) : status;
}

/* FILE, which the caller reads. */
akin_status akin_plan_read_given(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                 akin_error *error)
{
    return add_selection_of(made, row, word, error) ? AKIN_OK : AKIN_E_NOMEM;
}
