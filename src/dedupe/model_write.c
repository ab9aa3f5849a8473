/*
 * A model as a text of JSON, a line for each level:
 *
 *     {
 *       "akin": "model",
 *       "version": 1,
 *       "partners": "one",
 *       "records": [5000],
 *       "matches": 1943.25,
 *       ...
 *       "caps": [[-2.5, 0], [3.25, 0.5]],
 *       "comparisons": [
 *         {
 *           "column": "city",
 *           "comparators": ["osa"],
 *           "levels": [
 *             {"from": 0, "m": 0.01, "u": 0.9, "weight": -4.5},
 *             {"from": 0.15, ...}
 *           ]
 *         }
 *       ]
 *     }
 */
#include "dedupe/model.h"
#include "dedupe/plan_forms.h"
#include "text/fold.h"

#define FOLDS 100 /* bytes of the names of all folds */

/* Writes a number with what stands before it. */
static void put_number(akin_plan_growing *out, const char *before, double value)
{
    char digits[AKIN_DIGITS + 1];
    *akin_digits_double(digits, value) = '\0';
    akin_plan_grow(out, before);
    akin_plan_grow(out, digits);
}

static void put_names(akin_plan_growing *out, const char *before, const akin_model_names *names)
{
    akin_plan_grow(out, before);
    for (uint32_t i = 0; i < names->count; i++) {
        akin_plan_grow(out, i > 0 ? ", " : "");
        akin_plan_grow_string(out, names->names[i]);
    }
    akin_plan_grow(out, "]");
}

static void put_level(akin_plan_growing *out, const akin_model_comparison *c, uint32_t level)
{
    const akin_level_model *l = &c->levels;
    put_number(out, "        {\"from\": ", c->from[level]);
    put_number(out, ", \"m\": ", l->m[level]);
    put_number(out, ", \"u\": ", l->u[level]);
    put_number(out, ", \"weight\": ", l->weights[level]);
    if (l->is_dependent) {
        put_number(out, ", \"given_share\": ", l->shares[level]);
        put_number(out, ", \"given_u\": ", l->u_given[level]);
        put_number(out, ", \"given_weight\": ", l->weights_given[level]);
    }
    akin_plan_grow(out, level + 1 < l->levels ? "},\n" : "}\n");
}

static void put_comparison(akin_plan_growing *out, const akin_model_content *content, uint32_t at)
{
    const akin_model_comparison *c = &content->comparisons[at];
    char folds[FOLDS];
    akin_folds_write(c->folds, folds, sizeof folds);
    akin_plan_grow(out, "    {\n      \"column\": ");
    akin_plan_grow_string(out, c->column);
    if (c->parts.count > 0)
        put_names(out, ",\n      \"combined_of\": [", &c->parts);
    put_names(out, ",\n      \"comparators\": [", &c->comparators);
    akin_plan_grow(out, ",\n      \"fold\": ");
    akin_plan_grow_string(out, folds);
    if (c->levels.is_idle)
        akin_plan_grow(out, ",\n      \"idle\": true");
    if (c->levels.is_dependent) {
        akin_plan_grow(out, ",\n      \"given\": ");
        akin_plan_grow_string(out, content->comparisons[c->levels.parent].column);
        put_number(out, ",\n      \"given_pairs\": ", c->levels.agreeing);
    }
    akin_plan_grow(out, ",\n      \"levels\": [\n");
    for (uint32_t l = 0; l < c->levels.levels; l++)
        put_level(out, c, l);
    akin_plan_grow(out, at + 1 < content->count ? "      ]\n    },\n" : "      ]\n    }\n");
}

static void put_caps(akin_plan_growing *out, const akin_caps *caps)
{
    akin_plan_grow(out, ",\n  \"caps\": [");
    for (uint32_t i = 0; i < caps->count; i++) {
        put_number(out, i > 0 ? ", [" : "[", caps->steps[i].weight);
        put_number(out, ", ", caps->steps[i].share);
        akin_plan_grow(out, "]");
    }
    akin_plan_grow(out, "]");
}

akin_status akin_model_write(const akin_model_content *content, char **out, akin_error *error)
{
    akin_plan_growing text = {.text = NULL};
    akin_plan_grow(&text,
                   "{\n  \"akin\": \"" AKIN_MODEL_KIND "\",\n  \"version\": " AKIN_MODEL_VERSION ",\n  \"partners\": ");
    akin_plan_grow_string(&text, akin_choice_name(&akin_model_partners, (int)content->partners));
    put_number(&text, ",\n  \"records\": [", content->rows[0]);
    if (content->tables == 2)
        put_number(&text, ", ", content->rows[1]);
    put_number(&text, "],\n  \"matches\": ", content->expected);
    put_number(&text, ",\n  \"threshold\": ", content->threshold);
    put_number(&text, ",\n  \"tempering\": ", content->tempering);
    if (content->offset != 0)
        put_number(&text, ",\n  \"offset\": ", content->offset);
    if (content->rareness != 0)
        put_number(&text, ",\n  \"rareness\": ", content->rareness);
    put_number(&text, ",\n  \"learnt\": ", content->learnt);
    if (content->has_caps)
        put_caps(&text, &content->caps);
    akin_plan_grow(&text, ",\n  \"comparisons\": [\n");
    for (uint32_t c = 0; c < content->count; c++)
        put_comparison(&text, content, c);
    akin_plan_grow(&text, "  ]\n}\n");
    *out = text.text;
    if (text.failed)
        return akin_fail_memory(error, "the model");
    return text.length <= AKIN_JSON_LONGEST
               ? AKIN_OK
               : akin_fail(error, AKIN_E_LIMIT, "the model is longer than %d bytes as a text: compare fewer columns",
                           AKIN_JSON_LONGEST);
}
