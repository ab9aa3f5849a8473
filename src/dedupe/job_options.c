/* Checks the options of akin_dedupe. */
#include "base/options.h"
#include "dedupe/job.h"
#include "dedupe/keys.h"
#include "dedupe/model.h"
#include "dedupe/population.h"
#include "dedupe/selections.h"
#include "dedupe/statistics.h"

static akin_status check_column(uint32_t column, uint32_t columns, const char *what, uint32_t at, akin_error *error)
{
    if (column < columns)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION, "%s %u: there is no column %u of %u", what, at, column, columns);
}

static int is_of_pairs(akin_bucket_pairs buckets)
{
    return buckets == AKIN_BUCKETS_EVEN || buckets == AKIN_BUCKETS_ODD;
}

static akin_status check_key(const akin_key_part *part, uint32_t at, akin_error *error)
{
    const akin_key_row *row = akin_key_row_of(part->key);
    if (!row)
        return akin_fail(error, AKIN_E_OPTION, "selection %u: there is no key %d", at, (int)part->key);
    if (part->buckets != AKIN_BUCKETS_ALONE && !(row->is_bucket && is_of_pairs(part->buckets)))
        return akin_fail(error, AKIN_E_OPTION, "selection %u: buckets is %d, which the key cannot have", at,
                         (int)part->buckets);
    if (row->has_scale ? part->scale.num == 0 || part->scale.den == 0 : part->scale.num != 0)
        return akin_fail(error, AKIN_E_OPTION, "selection %u: a key has a scale that it cannot have", at);
    if (row->most > 0 ? part->argument < 1 || part->argument > row->most : part->argument != 0)
        return akin_fail(error, AKIN_E_OPTION, "selection %u: a key has an argument that it cannot have", at);
    return AKIN_OK;
}

static akin_status check_selection(const akin_selection *s, uint32_t at, uint32_t columns, akin_error *error)
{
    const akin_selection_row *row = akin_selection_row_of(s->kind);
    if (!row)
        return akin_fail(error, AKIN_E_OPTION, "selection %u: there is no kind %d", at, (int)s->kind);
    akin_status status = row->check ? row->check(s, at, error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    uint32_t parts = akin_selection_parts(s);
    if (s->reserved != 0 || (parts > 0 && !s->parts))
        return akin_fail(error, AKIN_E_OPTION, "selection %u: %s", at,
                         s->reserved ? "reserved is not 0" : "there are no keys where parts point");
    if (parts < row->parts_least || parts > row->parts_most)
        return akin_fail(error, AKIN_E_OPTION, "selection %u: %u keys: expected %s", at, s->part_count,
                         row->parts_most == 1 ? "one" : "one or more");
    for (uint32_t i = 0; i < parts && status == AKIN_OK; i++) {
        status = check_column(s->parts[i].column, columns, "selection", at, error);
        if (status == AKIN_OK && row->has_keys)
            status = check_key(&s->parts[i], at, error);
    }
    return status;
}

static akin_status check_attribute(const akin_attribute *a, uint32_t at, uint32_t columns, akin_error *error)
{
    akin_status status = check_column(a->column, columns, "attribute", at, error);
    if (status == AKIN_OK && a->reserved != 0)
        status = akin_fail(error, AKIN_E_OPTION, "attribute %u: reserved is not 0", at);
    if (status == AKIN_OK && a->threshold.num > 0 && !akin_is_share(a->threshold))
        status = akin_fail(error, AKIN_E_OPTION,
                           "attribute %u: threshold %u/%u: expected 0 to 1, and at most 1000000000 below the line", at,
                           a->threshold.num, a->threshold.den);
    if (status == AKIN_OK && akin_weight_of(a->weight) == 0)
        status = akin_fail(error, AKIN_E_OPTION,
                           "attribute %u: weight %u/%u: expected a number above 0, to 1e9, with at most 9 digits "
                           "behind the point",
                           at, a->weight.num, a->weight.den);
    return status;
}

static akin_status check_dedupe_weights(const akin_dedupe_options *options, akin_error *error)
{
    uint64_t left = AKIN_WEIGHTS_MOST;
    for (uint32_t i = 0; i < options->attribute_count; i++) {
        uint64_t weight = akin_weight_of(options->attributes[i].weight);
        if (weight > left)
            return akin_fail(error, AKIN_E_OPTION,
                             "the weights come to more than 1e9 together: divide all of them by the same number");
        left -= weight;
    }
    return AKIN_OK;
}

int akin_dedupe_has_reference(const akin_dedupe_options *options, uint32_t columns)
{
    return options->weights == AKIN_WEIGHTS_LEARN && options->precision.num > 0 && !options->labelling &&
           akin_columns_compared(options, columns) < AKIN_LEARNABLE;
}

/* A precision is expected of learnt weights, where no threshold is given. */
static akin_status check_precision(const akin_dedupe_options *o, uint32_t columns, akin_error *error)
{
    if (o->precision.num == 0)
        return AKIN_OK;
    if (!akin_is_share(o->precision) || o->weights != AKIN_WEIGHTS_LEARN || o->threshold.num > 0)
        return akin_fail(
            error, AKIN_E_OPTION,
            "precision %u/%u: expected a number above 0, to 1, and at most 1000000000 below the line, with "
            "learnt weights and without a threshold",
            o->precision.num, o->precision.den);
    if (!akin_dedupe_has_reference(o, columns))
        return AKIN_OK;
    if (akin_columns_text(o, columns) == AKIN_NO_COLUMN)
        return akin_fail(error, AKIN_E_OPTION,
                         "the precision can be expected from %d compared columns or more, or in one column of a "
                         "reference table, and there are %u: compare a column that combines them",
                         AKIN_LEARNABLE, akin_columns_compared(o, columns));
    if (o->model || o->learnt_model)
        return akin_fail(error, AKIN_E_OPTION,
                         "a model is of learnt weights, from %d compared columns or more, and there are %u",
                         AKIN_LEARNABLE, akin_columns_compared(o, columns));
    if (o->report)
        return akin_fail(error, AKIN_E_OPTION,
                         "a join with a reference table has no report: leave the report out, or give a threshold in "
                         "place of the precision, such as auto");
    return AKIN_OK;
}

/* A model is of learnt weights, and has names. `columns`: with combined ones. */
static akin_status check_model(const akin_dedupe_options *o, uint32_t columns, akin_error *error)
{
    if (!o->model && !o->learnt_model)
        return AKIN_OK;
    if (o->weights != AKIN_WEIGHTS_LEARN)
        return akin_fail(error, AKIN_E_OPTION, "a model is of learnt weights, and the weights of this job are given");
    if (!o->titles || o->titles->column_count != columns - (uint32_t)o->combined_count)
        return akin_fail(error, AKIN_E_OPTION, "a model has names: expected titles of all columns");
    return o->model ? akin_model_check(&o->model->content, o, columns, error) : AKIN_OK;
}

/* Answers teach weights, which a model has already. */
static akin_status check_labelling(const akin_dedupe_options *o, akin_error *error)
{
    if (o->labelling && o->weights != AKIN_WEIGHTS_LEARN)
        return akin_fail(error, AKIN_E_OPTION, "answers teach weights, and the weights of this job are given");
    if (o->labelling && o->model)
        return akin_fail(error, AKIN_E_OPTION, "answers teach weights, and this job has those of a model");
    return AKIN_OK;
}

/* Sources are values of a column of the tables. */
static akin_status check_sources(const akin_dedupe_options *o, uint32_t columns, akin_error *error)
{
    const uint32_t own = columns - (uint32_t)o->combined_count;
    if (o->one_per_source <= own)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION, "one_per_source is %llu: there is no column %llu of %u",
                     (unsigned long long)o->one_per_source, (unsigned long long)o->one_per_source - 1, own);
}

/* Pairs are given to a selection that takes them. */
static akin_status check_given(const akin_dedupe_options *o, akin_error *error)
{
    uint32_t at = 0;
    if (o->given_count == 0)
        return AKIN_OK;
    if (!o->given_left || !o->given_right)
        return akin_fail(error, AKIN_E_OPTION,
                         "akin_dedupe_options: there are no pairs where given_left and given_right "
                         "point");
    while (at < o->selection_count && o->selections[at].kind != AKIN_SELECT_GIVEN)
        at++;
    return at < o->selection_count
               ? AKIN_OK
               : akin_fail(error, AKIN_E_OPTION, "akin_dedupe_options: pairs are given, and no selection takes them");
}

akin_status akin_dedupe_check_options(const akin_dedupe_options *options, uint32_t columns, akin_error *error)
{
    const akin_dedupe_options *o = options;
    akin_status status = AKIN_OK;
    if (o->selection_count == 0 || o->attribute_count == 0)
        return akin_fail(error, AKIN_E_OPTION, "there is nothing to %s",
                         o->selection_count ? "compare: expected an attribute"
                                            : "select pairs by: expected a selection");
    if (!o->selections || !o->attributes || o->one_to_one > 1)
        return akin_fail(error, AKIN_E_OPTION, "akin_dedupe_options: %s",
                         o->one_to_one > 1 ? "one_to_one is neither 0 nor 1"
                                           : "there are no selections or attributes where it points");
    if (o->max_block < 2)
        return akin_fail(error, AKIN_E_OPTION, "blocks of %llu records at most: expected 2 or more",
                         (unsigned long long)o->max_block);
    if (!akin_choice_of(&akin_weightings, (int)o->weights) || o->clusters_by_threshold > 1)
        return akin_fail(error, AKIN_E_OPTION, "akin_dedupe_options: %s",
                         o->clusters_by_threshold > 1 ? "clusters_by_threshold is neither 0 nor 1"
                                                      : "there is no such way to weigh comparisons");
    if (!(o->weights == AKIN_WEIGHTS_LEARN && o->threshold.num == 0) &&
        (o->threshold.num == 0 || !akin_is_share(o->threshold)))
        return akin_fail(error, AKIN_E_OPTION,
                         "threshold %u/%u: expected a number above 0, to 1, and at most 1000000000 below the line",
                         o->threshold.num, o->threshold.den);
    if (!akin_choice_of(&akin_missing_ways, (int)o->missing))
        return akin_fail(error, AKIN_E_OPTION, "there is no way %d to deal with missing values", (int)o->missing);
    if (!akin_is_share(o->evidence))
        return akin_fail(error, AKIN_E_OPTION, "evidence %u/%u: expected 0 to 1, and at most 1000000000 below the line",
                         o->evidence.num, o->evidence.den);
    for (uint32_t i = 0; i < o->selection_count && status == AKIN_OK; i++)
        status = check_selection(&o->selections[i], i, columns, error);
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK; i++)
        status = check_attribute(&o->attributes[i], i, columns, error);
    if (status == AKIN_OK)
        status = check_given(o, error);
    if (status == AKIN_OK)
        status = check_dedupe_weights(o, error);
    if (status == AKIN_OK)
        status = check_precision(o, columns, error);
    if (status == AKIN_OK)
        status = check_model(o, columns, error);
    if (status == AKIN_OK)
        status = check_labelling(o, error);
    if (status == AKIN_OK)
        status = check_sources(o, columns, error);
    if (status == AKIN_OK)
        status = akin_dedupe_statistics_check(o, error);
    if (status == AKIN_OK)
        status = akin_population_check(o, error);
    return status == AKIN_OK ? akin_columns_check(o, columns, error) : status;
}

akin_status akin_dedupe_read_options(akin_dedupe_job *j, const akin_dedupe_options *options, akin_error *error)
{
    static const akin_dedupe_options defaults = AKIN_DEDUPE_OPTIONS_INIT;
    j->options = defaults;
    akin_status status =
        akin_options_read(options, &j->options, sizeof j->options, sizeof j->options, "akin_dedupe_options", error);
    if (status == AKIN_OK)
        status = akin_columns_count(&j->options, j->columns, &j->columns, error);
    if (status == AKIN_OK)
        status = akin_dedupe_check_options(&j->options, j->columns, error);
    if (j->options.weights == AKIN_WEIGHTS_LEARN)
        j->options.missing = AKIN_MISSING_SKIP;
    return status;
}
