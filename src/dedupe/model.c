/* A model as a copy of its content, with its text. */
#include "dedupe/model.h"

#include "strings/decision.h"

#include <string.h>

static const akin_choice partners[] = {{"one", "", "a record has one partner at most", AKIN_PARTNERS_ONE, 0},
                                       {"many", "", "a record may have several partners", AKIN_PARTNERS_MANY, 0}};
const akin_choice_table akin_model_partners = AKIN_CHOICE_TABLE("number of partners", partners);

static char *copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = akin_alloc(NULL, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

static void clear_names(akin_model_names *names)
{
    for (uint32_t i = 0; names->names && i < names->count; i++)
        akin_free((void *)names->names[i]);
    akin_free((void *)names->names);
    *names = (akin_model_names){NULL, 0};
}

/* 0: there is no memory; what has been copied is cleared. */
static int copy_names(const akin_model_names *from, akin_model_names *to)
{
    const char **copies = akin_alloc_zero(NULL, from->count, sizeof *copies);
    *to = (akin_model_names){copies, from->count};
    int done = copies != NULL;
    for (uint32_t i = 0; i < from->count && done; i++)
        done = (copies[i] = copy_text(from->names[i])) != NULL;
    if (!done)
        clear_names(to);
    return done;
}

static int copy_comparison(const akin_model_comparison *from, akin_model_comparison *to)
{
    *to = *from;
    to->column = copy_text(from->column);
    const int has_comparators = copy_names(&from->comparators, &to->comparators);
    const int has_parts = copy_names(&from->parts, &to->parts);
    return to->column && has_comparators && has_parts;
}

akin_status akin_model_create(const akin_model_content *content, akin_dedupe_model **out, akin_error *error)
{
    akin_dedupe_model *model = akin_alloc_zero(NULL, 1, sizeof *model);
    if (!model)
        return akin_fail_memory(error, "the model");
    model->content = *content;
    model->content.comparisons = model->comparisons = akin_alloc_zero(NULL, content->count, sizeof *model->comparisons);
    int done = akin_caps_copy(NULL, &content->caps, &model->content.caps) && model->comparisons;
    for (uint32_t c = 0; c < content->count && done; c++)
        done = copy_comparison(&content->comparisons[c], &model->comparisons[c]);
    const akin_status status =
        done ? akin_model_write(&model->content, &model->text, error) : akin_fail_memory(error, "the model");
    if (status == AKIN_OK)
        *out = model;
    else
        akin_dedupe_model_free(model);
    return status;
}

void akin_dedupe_model_free(akin_dedupe_model *model)
{
    if (!model)
        return;
    for (uint32_t c = 0; model->comparisons && c < model->content.count; c++) {
        akin_free((void *)model->comparisons[c].column);
        clear_names(&model->comparisons[c].comparators);
        clear_names(&model->comparisons[c].parts);
    }
    akin_free(model->comparisons);
    akin_free(model->content.caps.steps);
    akin_free(model->text);
    akin_free(model);
}

const char *akin_dedupe_model_text(const akin_dedupe_model *model)
{
    return model->text;
}

akin_partners akin_dedupe_model_partners(const akin_dedupe_model *model)
{
    return model->content.partners;
}

/* The number of matches if each record that can have a partner has one; some, even of no records. */
static double most_matches(uint32_t tables, const uint32_t rows[2])
{
    const double one = rows[0], other = rows[1];
    const double most = tables == 1 ? one / 2 : one < other ? one : other;
    return most > 0.5 ? most : 0.5;
}

double akin_model_threshold(const akin_model_content *content, akin_ratio given)
{
    return given.num > 0 ? akin_ratio_value(given) : content->threshold;
}

double akin_model_expected(const akin_model_content *content, uint32_t tables, const uint32_t rows[2])
{
    return content->expected * (most_matches(tables, rows) / most_matches(content->tables, content->rows));
}
