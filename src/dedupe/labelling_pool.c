/* The pairs that a labelling asks about. */
#include "dedupe/labelling.h"

#include <string.h>

void akin_pool_clear(akin_pool *pool)
{
    akin_free(pool->pairs);
    akin_free(pool->levels);
    akin_free(pool->models);
    *pool = (akin_pool){0};
}

akin_status akin_pool_begin(akin_pool *pool, const akin_fellegi_sunter *model, akin_error *error)
{
    akin_level_model *models = akin_alloc(NULL, model->count, sizeof *models);
    if (!models)
        return akin_fail_memory(error, "the questions");
    memcpy(models, model->comparisons, model->count * sizeof *models);
    akin_pool_clear(pool);
    pool->models = models;
    pool->model = *model;
    pool->model.comparisons = models;
    pool->comparisons = model->count;
    return AKIN_OK;
}

akin_status akin_pool_add(akin_pool *pool, const akin_pool_pair *pair, const uint8_t *levels, akin_error *error)
{
    akin_pool_pair *pairs = akin_enlarge(NULL, pool->pairs, &pool->pairs_room, pool->count + 1, sizeof *pairs);
    if (!pairs)
        return akin_fail_memory(error, "the questions");
    pool->pairs = pairs;
    uint8_t *larger = akin_enlarge(NULL, pool->levels, &pool->levels_room, (pool->count + 1) * pool->comparisons, 1);
    if (!larger)
        return akin_fail_memory(error, "the questions");
    pool->levels = larger;
    memcpy(pool->levels + pool->count * pool->comparisons, levels, pool->comparisons);
    pool->pairs[pool->count++] = *pair;
    return AKIN_OK;
}
