/* Models of a training, kept and taken. */
#include "dedupe/kept.h"

#include "dedupe/population.h"

#include <string.h>

static const char *title_of(const akin_training *e, uint32_t comparison)
{
    return e->job->options.titles->columns[e->comparisons[comparison].leveled.column];
}

/* The comparison of a training that is of that column. */
static uint32_t comparison_of(const akin_training *e, const char *column)
{
    uint32_t c = 0;
    while (c < e->pairs.comparisons && strcmp(title_of(e, c), column) != 0)
        c++;
    return c;
}

void akin_training_take(akin_training *training, const akin_model_content *kept)
{
    akin_training *e = training;
    for (uint32_t c = 0; c < e->pairs.comparisons; c++) {
        const akin_model_comparison *from = &kept->comparisons[akin_model_find(kept, title_of(e, c))];
        e->models[c] = from->levels;
        if (from->levels.is_dependent)
            e->models[c].parent = comparison_of(e, kept->comparisons[from->levels.parent].column);
        e->comparisons[c].leveled.levels = from->levels.levels;
        e->comparisons[c].cuts = from->from + 1;
    }
    e->model.tempering = kept->tempering;
    e->model.offset = kept->offset;
    e->model.rareness = kept->rareness;
    uint32_t rows[2];
    const uint32_t tables = akin_population_rows(&e->job->options, &e->job->records, rows);
    e->model.expected = akin_model_expected(kept, tables, rows);
}

/* The names of a comparison go to `names`, behind those of the ones before. */
static void describe(const akin_training *e, uint32_t comparison, const char **names, akin_model_comparison *out)
{
    const akin_dedupe_options *o = &e->job->options;
    const akin_leveled *c = &e->comparisons[comparison].leveled;
    const uint32_t own = e->job->columns - (uint32_t)o->combined_count;
    *out = (akin_model_comparison){.column = title_of(e, comparison),
                                   .comparators = {names, c->count},
                                   .folds = o->folds ? o->folds[c->column] : 0,
                                   .levels = e->models[comparison]};
    for (uint32_t i = 0; i < c->count; i++)
        names[i] = o->titles->comparators[e->job->gathering.members[c->first + i]];
    memcpy(out->from + 1, e->comparisons[comparison].cuts, (c->levels - 1) * sizeof *out->from);
    if (c->column < own)
        return;
    const akin_combined *combined = &o->combined[c->column - own];
    out->parts = (akin_model_names){names + c->count, combined->count};
    for (uint32_t p = 0; p < combined->count; p++)
        names[c->count + p] = o->titles->columns[combined->columns[p]];
}

akin_status akin_training_keep(const akin_training *training, akin_partners partners, akin_dedupe_model **out,
                               akin_error *error)
{
    const akin_training *e = training;
    akin_dedupe_job *j = e->job;
    uint64_t room = j->options.attribute_count, at = 0;
    for (uint64_t i = 0; i < j->options.combined_count; i++)
        room += j->options.combined[i].count;
    const char **names = akin_alloc(&j->account, room, sizeof *names);
    akin_model_comparison *comparisons = akin_alloc(&j->account, e->pairs.comparisons, sizeof *comparisons);
    const akin_model_content content = {.comparisons = comparisons,
                                        .count = e->pairs.comparisons,
                                        .learnt = j->report.learnt,
                                        .partners = partners,
                                        .tables = e->pairs.tables,
                                        .rows = {e->pairs.rows[0], e->pairs.rows[1]},
                                        .expected = e->model.expected,
                                        .tempering = e->model.tempering,
                                        .offset = e->model.offset,
                                        .rareness = e->model.rareness,
                                        .threshold = j->report.threshold,
                                        .has_caps = partners == AKIN_PARTNERS_ONE && e->pairs.tables == 2,
                                        .caps = e->caps};
    const int done = names && comparisons;
    for (uint32_t c = 0; c < e->pairs.comparisons && done; c++) {
        describe(e, c, names + at, &comparisons[c]);
        at += comparisons[c].comparators.count + comparisons[c].parts.count;
    }
    const akin_status status = done ? akin_model_create(&content, out, error) : akin_fail_memory(error, "the model");
    akin_free(names);
    akin_free(comparisons);
    return status;
}
