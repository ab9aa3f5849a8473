/* Whether a model is of the comparisons of a job, column by column. */
#include "dedupe/model.h"

#include <stdio.h>
#include <string.h>

#include "text/fold.h"

#define LISTED 300 /* bytes of a list in a message */
#define ADVICE ": give the rules that it was learnt with, or learn another model"

/* A list of names as it grows: in messages, and to be compared with a model's. */
typedef struct listed {
    char text[LISTED];
    size_t length;
    const akin_model_names *names; /* the model's */
    uint32_t count;
    int is_other; /* a name is not the model's at its place */
} listed;

static void list_text(listed *l, const char *name)
{
    if (l->length < sizeof l->text)
        l->length += (size_t)snprintf(l->text + l->length, sizeof l->text - l->length, "%s%.100s",
                                      l->length > 0 ? ", " : "", name);
}

static void list_name(listed *l, const char *name)
{
    l->is_other |= l->count >= l->names->count || strcmp(l->names->names[l->count], name) != 0;
    l->count++;
    list_text(l, name);
}

/* Refuses lists that are not alike: "the model VERB column 'x' BY ..., and this job BY ...". */
static akin_status check_listed(const listed *l, const char *column, const char *verb, const char *by,
                                akin_error *error)
{
    listed kept = {.length = 0};
    if (!l->is_other && l->count == l->names->count)
        return AKIN_OK;
    for (uint32_t i = 0; i < l->names->count; i++)
        list_text(&kept, l->names->names[i]);
    return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_OTHER_RULES,
                          "the model %s column '%.200s' %s %s, and this job %s %s" ADVICE, verb, column, by,
                          kept.length > 0 ? kept.text : "nothing", by, l->length > 0 ? l->text : "nothing");
}

static akin_status check_comparators(const akin_model_comparison *c, const akin_dedupe_options *o, uint32_t column,
                                     akin_error *error)
{
    listed l = {.names = &c->comparators};
    for (uint32_t i = 0; i < o->attribute_count; i++)
        if (o->attributes[i].column == column)
            list_name(&l, o->titles->comparators[i]);
    return check_listed(&l, c->column, "compares", "by", error);
}

static akin_status check_parts(const akin_model_comparison *c, const akin_dedupe_options *o, uint32_t own,
                               uint32_t column, akin_error *error)
{
    listed l = {.names = &c->parts};
    for (uint32_t p = 0; column >= own && p < o->combined[column - own].count; p++)
        list_name(&l, o->titles->columns[o->combined[column - own].columns[p]]);
    return check_listed(&l, c->column, "combines", "of", error);
}

static akin_status check_folds(const akin_model_comparison *c, const akin_dedupe_options *o, uint32_t column,
                               akin_error *error)
{
    const uint32_t folds = o->folds ? o->folds[column] : 0;
    char kept[LISTED], asked[LISTED];
    if (folds == c->folds)
        return AKIN_OK;
    akin_folds_write(c->folds, kept, sizeof kept);
    akin_folds_write(folds, asked, sizeof asked);
    return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_OTHER_RULES,
                          "the model folds column '%.200s' by %s, and this job by %s" ADVICE, c->column, kept, asked);
}

uint32_t akin_model_find(const akin_model_content *content, const char *column)
{
    uint32_t c = 0;
    while (c < content->count && strcmp(content->comparisons[c].column, column) != 0)
        c++;
    return c;
}

/* The first attribute of that column. */
static uint32_t first_of_column(const akin_dedupe_options *o, const char *column)
{
    uint32_t i = 0;
    while (i < o->attribute_count && strcmp(o->titles->columns[o->attributes[i].column], column) != 0)
        i++;
    return i;
}

/* A model of fewer comparisons, or of more. */
static akin_status check_columns(const akin_model_content *content, const akin_dedupe_options *o, akin_error *error)
{
    for (uint32_t i = 0; i < o->attribute_count; i++) {
        const char *column = o->titles->columns[o->attributes[i].column];
        if (akin_model_find(content, column) == content->count)
            return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_OTHER_RULES,
                                  "this job compares column '%.200s', and the model does not" ADVICE, column);
    }
    for (uint32_t c = 0; c < content->count; c++)
        if (first_of_column(o, content->comparisons[c].column) == o->attribute_count)
            return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_OTHER_RULES,
                                  "the model compares column '%.200s', and this job does not" ADVICE,
                                  content->comparisons[c].column);
    return AKIN_OK;
}

akin_status akin_model_check(const akin_model_content *content, const akin_dedupe_options *options, uint32_t columns,
                             akin_error *error)
{
    const akin_dedupe_options *o = options;
    const uint32_t own = columns - (uint32_t)o->combined_count;
    akin_status status = check_columns(content, o, error);
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK; i++) {
        const uint32_t column = o->attributes[i].column;
        const akin_model_comparison *c = &content->comparisons[akin_model_find(content, o->titles->columns[column])];
        status = check_comparators(c, o, column, error);
        if (status == AKIN_OK)
            status = check_parts(c, o, own, column, error);
        if (status == AKIN_OK)
            status = check_folds(c, o, column, error);
    }
    return status;
}
