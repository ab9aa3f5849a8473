/* Reads what was said of a plan: words become the options of akin_dedupe. */
#include "dedupe/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dedupe/plan_columns.h"
#include "dedupe/plan_compare.h"
#include "dedupe/plan_synonyms.h"
#include "dedupe/plan_words.h"
#include "dedupe/selections.h"
#include "strings/decision.h"

#define AUTOMATIC "auto" /* the threshold that a job chooses */

/* The word of an option, the first one of those that may be said several times; NULL: none. */
static const char *word_of(const akin_dedupe_plan *plan, int at)
{
    return plan->said[at].count ? ((const akin_plan_said *)plan->said[at].rows)->word : NULL;
}

/* Whether the word of the option for weights is that of learning. */
static int is_learnt(const akin_dedupe_plan *plan)
{
    const char *word = word_of(plan, AKIN_PLAN_WEIGHTS);
    return word && strcmp(word, akin_choice_name(&akin_weightings, AKIN_WEIGHTS_LEARN)) == 0;
}

/* Whether a plan can do without a threshold: where weights are learnt, or as a word says that will be refused. */
static int has_own_threshold(const akin_dedupe_plan *plan)
{
    const char *word = word_of(plan, AKIN_PLAN_WEIGHTS);
    return word && strcmp(word, akin_choice_name(&akin_weightings, AKIN_WEIGHTS_GIVEN)) != 0;
}

/* Refuses a plan that lacks what no plan can do without. */
static akin_status check_presence(const akin_dedupe_plan *plan, akin_error *error)
{
    char selections[400];
    if (!word_of(plan, AKIN_PLAN_COMPARE))
        return akin_fail_missing(error, "compare", "which columns are compared and how, as COLUMN:COMPARATOR");
    akin_choice_list(&akin_selections, 0, selections, sizeof selections);
    if (!word_of(plan, AKIN_PLAN_SELECTIONS))
        return akin_fail_missing(error, selections, "which pairs of records are compared");
    if (!word_of(plan, AKIN_PLAN_THRESHOLD) && !word_of(plan, AKIN_PLAN_PRECISION) && !has_own_threshold(plan))
        return akin_fail_missing(
            error, "threshold",
            "how alike records must be, above 0 and at most 1, such as 0.8 (learnt weights need none)");
    return AKIN_OK;
}

#define MEANT 60 /* bytes of what was probably meant */

/* "; did you mean 0.95?" for a share that was given in percent; "" for another word. */
static const char *meant_by_percent(const char *word, char room[MEANT])
{
    akin_ratio ratio;
    room[0] = '\0';
    if (akin_ratio_parse(word, &ratio, NULL) == AKIN_OK && akin_ratio_value(ratio) >= 10 &&
        akin_ratio_value(ratio) <= 100)
        snprintf(room, MEANT, "; did you mean %.9g?", akin_ratio_value(ratio) / 100);
    return room;
}

/* The precision that is wanted takes the place of a threshold, where weights are learnt. */
static akin_status read_precision(const akin_dedupe_plan *plan, akin_dedupe_options *options, akin_error *error)
{
    const char *word = word_of(plan, AKIN_PLAN_PRECISION);
    akin_ratio *ratio = &options->precision;
    char meant[MEANT];
    if (!word)
        return AKIN_OK;
    if (akin_ratio_parse(word, ratio, NULL) != AKIN_OK || ratio->num == 0 || ratio->num > ratio->den)
        return akin_plan_fail(error, AKIN_REASON_NOT_A_NUMBER, "precision", word, word,
                              "expected a number above 0 and at most 1, such as 0.99 (at most 9 digits)%s",
                              meant_by_percent(word, meant));
    if (word_of(plan, AKIN_PLAN_THRESHOLD))
        return akin_plan_fail(error, AKIN_REASON_NONE, "precision", word, NULL,
                              "the threshold follows from the precision: give one of the two");
    if (options->weights != AKIN_WEIGHTS_LEARN)
        return akin_plan_fail(error, AKIN_REASON_NONE, "precision", word, NULL,
                              "it is expected of the probabilities of learnt weights: add the option weights with the "
                              "value %s",
                              akin_choice_name(&akin_weightings, AKIN_WEIGHTS_LEARN));
    return AKIN_OK;
}

static akin_status read_plan_numbers(const akin_dedupe_plan *plan, akin_dedupe_options *options, akin_error *error)
{
    const char *threshold = word_of(plan, AKIN_PLAN_THRESHOLD), *max_block = word_of(plan, AKIN_PLAN_MAX_BLOCK);
    const char *missing = word_of(plan, AKIN_PLAN_MISSING), *evidence = word_of(plan, AKIN_PLAN_EVIDENCE);
    const akin_choice *way;
    akin_error refused;
    akin_ratio *ratio = &options->threshold, *share = &options->evidence;
    const char *weights = word_of(plan, AKIN_PLAN_WEIGHTS), *precision = word_of(plan, AKIN_PLAN_PRECISION);
    char meant[MEANT];
    if (weights && akin_choice_parse(&akin_weightings, weights, strlen(weights), 0, &way, &refused) != AKIN_OK)
        return akin_plan_fail_from(error, "weights", weights, &refused,
                                   "; COLUMN:COMPARATOR:THRESHOLD:WEIGHT gives a weight");
    if (weights)
        options->weights = (akin_weighting)way->value;
    if (threshold && options->weights != AKIN_WEIGHTS_LEARN && strcmp(threshold, AUTOMATIC) == 0)
        return akin_plan_fail(error, AKIN_REASON_NOT_A_NUMBER, "threshold", threshold, threshold,
                              "auto is for learnt weights (weights learn): expected a number above 0 and at most 1, "
                              "such as 0.8");
    if (precision || !threshold || (options->weights == AKIN_WEIGHTS_LEARN && strcmp(threshold, AUTOMATIC) == 0))
        *ratio = (akin_ratio){0, 1};
    else if (akin_ratio_parse(threshold, ratio, NULL) != AKIN_OK || ratio->num == 0 || ratio->num > ratio->den)
        return akin_plan_fail(error, AKIN_REASON_NOT_A_NUMBER, "threshold", threshold, threshold,
                              "expected %sa number above 0 and at most 1, such as 0.8 or 2/3 (at most 9 digits)%s",
                              options->weights == AKIN_WEIGHTS_LEARN ? AUTOMATIC " or " : "",
                              meant_by_percent(threshold, meant));
    if (max_block && !akin_plan_number(max_block, 2, UINT32_MAX, &options->max_block))
        return akin_plan_fail(error, AKIN_REASON_NOT_A_NUMBER, "max-block", max_block, max_block,
                              "expected a whole number from 2 to %" PRIu32, UINT32_MAX);
    if (missing && akin_choice_parse(&akin_missing_ways, missing, strlen(missing), 0, &way, &refused) != AKIN_OK)
        return akin_plan_fail_from(error, "missing", missing, &refused, "");
    if (missing)
        options->missing = (akin_missing)way->value;
    if (evidence && (akin_ratio_parse(evidence, share, NULL) != AKIN_OK || share->num > share->den))
        return akin_plan_fail(error, AKIN_REASON_NOT_A_NUMBER, "evidence", evidence, evidence,
                              "expected a number from 0 to 1, such as 0.5 or 2/3 (at most 9 digits)");
    options->one_to_one = word_of(plan, AKIN_PLAN_ONE_TO_ONE) != NULL;
    return read_precision(plan, options, error);
}

/* The parameter of the clustering of learnt weights: a threshold that is given and lower takes its place, down to 1%,
 * below which probabilities do not count. */
static akin_ratio learnt_parameter(const akin_ratio *threshold)
{
    const akin_ratio usual = AKIN_LEARNT_AVERAGE, lowest = {1, 100};
    const double given = threshold->num > 0 ? akin_ratio_value(*threshold) : 1;
    return given >= akin_ratio_value(usual) ? usual : given <= akin_ratio_value(lowest) ? lowest : *threshold;
}

/* A threshold or a precision that is given also decides which records can be in one cluster, unless the clustering has
 * a parameter of its own. */
static akin_status read_cluster(akin_dedupe_plan *plan, akin_error *error)
{
    const char *word = word_of(plan, AKIN_PLAN_CLUSTER);
    akin_dedupe_options *options = &plan->made.options;
    akin_error refused;
    plan->made.clusters = (akin_clusters_options)AKIN_CLUSTERS_OPTIONS_INIT;
    if (is_learnt(plan)) { /* probabilities of pairs, and not of chains of pairs */
        plan->made.clusters.clustering = AKIN_CLUSTERING_AVERAGE;
        plan->made.clusters.parameter = learnt_parameter(&options->threshold);
        options->clusters_by_threshold =
            (options->threshold.num > 0 || options->precision.num > 0) && !(word && strchr(word, ':'));
    }
    if (!word || akin_clusters_options_parse(plan->annex, word, &plan->made.clusters, &refused) == AKIN_OK)
        return AKIN_OK;
    return akin_plan_fail_from(error, "cluster", word, &refused, "");
}

static akin_status read_each(akin_dedupe_plan *plan, int at,
                             akin_status (*read)(akin_plan_made *made, const char *word, akin_error *error),
                             akin_error *error)
{
    const akin_plan_said *said = plan->said[at].rows;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < plan->said[at].count && status == AKIN_OK; i++)
        status = read(&plan->made, said[i].word, error);
    return status;
}

/* Selections in the order of their table, those of one row as they were given. */
static akin_status read_selections(akin_dedupe_plan *plan, akin_error *error)
{
    const akin_plan_list *said = &plan->said[AKIN_PLAN_SELECTIONS];
    const akin_plan_said *words = said->rows;
    const akin_choice *row;
    akin_status status = AKIN_OK;
    for (uint32_t at = 0; (row = akin_choice_at(&akin_selections, at)); at++) {
        const akin_selection_row *selection = (const akin_selection_row *)row;
        for (uint64_t i = 0; i < said->count && status == AKIN_OK; i++)
            if (words[i].option == row)
                status = selection->read(&plan->made, selection, words[i].word, error);
    }
    return status;
}

/* How many attributes are of the column of that one. */
static uint64_t count_of_column(const akin_plan_made *made, uint64_t attribute)
{
    const akin_attribute *attributes = made->attributes.rows;
    uint64_t count = 0;
    for (uint64_t i = 0; i < made->attributes.count; i++)
        count += attributes[i].column == attributes[attribute].column;
    return count;
}

/* Whether results have a column of that name that is no attribute's. */
static int is_taken(const char *name)
{
    static const char *const taken[] = {"left", "right", "similarity", "left_id", "right_id"};
    size_t i = 0, count = sizeof taken / sizeof *taken;
    while (i < count && strcmp(taken[i], name) != 0)
        i++;
    return i < count;
}

/* What results call attributes: by their column, or with the comparator where the column is compared more than once or
 * its name is taken. */
static akin_status name_attributes(akin_plan_made *made, akin_error *error)
{
    const akin_attribute *attributes = made->attributes.rows;
    const char *const *columns = made->columns.rows, *const *comparators = made->comparators.rows;
    for (uint64_t i = 0; i < made->attributes.count; i++) {
        const char *column = columns[attributes[i].column],
                   **title = akin_plan_push(&made->attribute_titles, sizeof *title, error);
        if (!title)
            return AKIN_E_NOMEM;
        *title = count_of_column(made, i) == 1 && !is_taken(column)
                     ? column
                     : akin_plan_text(made, error, "%s:%s", column, comparators[i]);
        if (!*title)
            return AKIN_E_NOMEM;
        const char *const *titles = made->attribute_titles.rows;
        for (uint64_t before = 0; before < i; before++)
            if (strcmp(titles[before], titles[i]) == 0)
                return akin_plan_fail(error, AKIN_REASON_REPEATED, "compare", titles[i], titles[i],
                                      "results would have two columns of that name");
    }
    return AKIN_OK;
}

/* Sets what points into lists, now that they grow no more. */
static akin_status point(akin_plan_made *made, akin_error *error)
{
    akin_attribute *attributes = made->attributes.rows;
    akin_selection *selections = made->selections.rows;
    const akin_key_part *parts = made->parts.rows;
    const akin_plan_combined *combined = made->combined.rows;
    const uint32_t *members = made->combined_parts.rows;
    for (uint64_t i = 0; i < made->attributes.count; i++)
        attributes[i].compare = (const akin_compare_options *)made->compare.rows + i;
    for (uint64_t i = 0; i < made->selections.count; i++) {
        if (selections[i].part_count > 0) { /* there may be none at all, and no list of them */
            selections[i].parts = parts;
            parts += selections[i].part_count;
        }
        if (akin_selection_row_of(selections[i].kind)->tokens)
            selections[i].text = (const akin_text_options *)made->texts.rows + i;
    }
    for (uint64_t i = 0; i < made->combined.count; i++) {
        akin_combined *to = akin_plan_push(&made->combined_options, sizeof *to, error);
        if (!to)
            return AKIN_E_NOMEM;
        *to = (akin_combined){.columns = members, .count = combined[i].count};
        members += combined[i].count;
    }
    return AKIN_OK;
}

/* The options and titles over the lists. */
static akin_status complete(akin_plan_made *made, akin_error *error)
{
    akin_dedupe_options *options = &made->options;
    akin_dedupe_titles *titles = &made->titles;
    if (made->attributes.count > UINT32_MAX || made->selections.count > UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "there are too many comparisons or selections of pairs");
    options->selections = made->selections.rows;
    options->selection_count = (uint32_t)made->selections.count;
    options->selected = made->selected.rows;
    options->attributes = made->attributes.rows;
    options->attribute_count = (uint32_t)made->attributes.count;
    options->parsed = made->parsed.rows;
    options->folds = made->folds.rows;
    options->synonyms = made->synonyms.rows;
    options->combined = made->combined_options.rows;
    options->combined_count = made->combined_options.count;
    titles->columns = made->columns.rows;
    titles->left_columns = made->sides[0].rows;
    titles->right_columns = made->sides[1].rows;
    titles->comparators = made->comparators.rows;
    titles->attributes = made->attribute_titles.rows;
    titles->selections = made->selection_titles.rows;
    options->titles = titles;
    made->is_complete = 1;
    return AKIN_OK;
}

/* Reads what rules are made of, whether there are some of each kind or not. */
static akin_status read_rules(akin_dedupe_plan *plan, akin_error *error)
{
    akin_status status = read_plan_numbers(plan, &plan->made.options, error);
    if (status == AKIN_OK)
        status = read_cluster(plan, error);
    if (status == AKIN_OK)
        status = read_each(plan, AKIN_PLAN_COMBINE, akin_plan_read_combine, error);
    if (status == AKIN_OK)
        status = read_each(plan, AKIN_PLAN_COMPARE, akin_plan_read_compare, error);
    return status == AKIN_OK ? read_selections(plan, error) : status;
}

akin_status akin_plan_check(akin_dedupe_plan *plan, akin_weighting weights, akin_error *error)
{
    akin_plan_clear_made(&plan->made);
    plan->made.options = (akin_dedupe_options)AKIN_DEDUPE_OPTIONS_INIT;
    plan->made.options.weights = weights;
    const akin_status status = read_rules(plan, error);
    akin_plan_clear_made(&plan->made);
    return status;
}

akin_status akin_dedupe_plan_finish(akin_dedupe_plan *plan, akin_error *error)
{
    akin_plan_made *made = &plan->made;
    akin_plan_clear_made(made);
    made->options = (akin_dedupe_options)AKIN_DEDUPE_OPTIONS_INIT;
    akin_status status = check_presence(plan, error);
    if (status == AKIN_OK)
        status = read_rules(plan, error);
    if (status == AKIN_OK)
        status = read_each(plan, AKIN_PLAN_ONE_PER_SOURCE, akin_plan_read_source, error);
    if (status == AKIN_OK)
        status = akin_plan_number_columns(made, error);
    if (status == AKIN_OK)
        status = read_each(plan, AKIN_PLAN_ID, akin_plan_read_id, error);
    if (status == AKIN_OK)
        status = akin_plan_read_folds(made, &plan->said[AKIN_PLAN_FOLD], error);
    if (status == AKIN_OK)
        status = akin_plan_read_synonyms(made, &plan->said[AKIN_PLAN_SYNONYMS], error);
    if (status == AKIN_OK)
        status = name_attributes(made, error);
    if (status == AKIN_OK)
        status = point(made, error);
    if (status == AKIN_OK)
        status = akin_plan_write_members(plan, error);
    if (status == AKIN_OK)
        status = complete(made, error);
    if (status != AKIN_OK)
        akin_plan_clear_made(made);
    return status;
}

akin_status akin_dedupe_plan_load(akin_context *context, akin_dedupe_plan *plan, akin_error *error)
{
    if (!plan->made.is_complete)
        return akin_fail(error, AKIN_E_OPTION, "the plan is not finished: call akin_dedupe_plan_finish before");
    return akin_plan_load_synonyms(context, &plan->made, error);
}

void akin_dedupe_plan_give(akin_dedupe_plan *plan, const uint32_t *left, const uint32_t *right, uint64_t count)
{
    plan->made.options.given_left = left;
    plan->made.options.given_right = right;
    plan->made.options.given_count = count;
}

akin_status akin_dedupe_plan_select(akin_dedupe_plan *plan, uint32_t selection, akin_error *error)
{
    akin_dedupe_options *options = &plan->made.options;
    if (!plan->made.is_complete)
        return akin_fail(error, AKIN_E_OPTION, "the plan is not finished");
    if (selection >= options->selection_count)
        return akin_fail(error, AKIN_E_OPTION, "there is no selection %u; expected one from 0 to %u", selection,
                         options->selection_count - 1);
    options->selections += selection;
    options->selection_count = 1;
    plan->made.titles.selections += selection;
    return AKIN_OK;
}

const akin_dedupe_options *akin_dedupe_plan_options(const akin_dedupe_plan *plan)
{
    return plan->made.is_complete ? &plan->made.options : NULL;
}

const akin_dedupe_titles *akin_dedupe_plan_titles(const akin_dedupe_plan *plan)
{
    return plan->made.is_complete ? &plan->made.titles : NULL;
}

const akin_clusters_options *akin_dedupe_plan_clusters(const akin_dedupe_plan *plan)
{
    return plan->made.is_complete ? &plan->made.clusters : NULL;
}
