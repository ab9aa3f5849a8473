/* Makes up vectors, indexes them by hash functions, and finds the nearest ones of a few, with their true distances. */
#include <akin.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { VECTORS = 2000, QUERIES = 3, DIMENSIONS = 16, CENTRES = 20, NEAREST = 4 };

/* A generator that gives the same numbers everywhere: the next one, from -0.5 to 0.5. */
static float draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(*state >> 40) / 16777216.0f - 0.5f;
}

/* `rows` vectors around the centres, one centre after the other. */
static void make_up(float *vectors, uint32_t rows, uint64_t seed)
{
    float centres[CENTRES][DIMENSIONS];
    uint64_t state = 1; /* centres are the same for vectors and for queries */
    for (uint32_t i = 0; i < CENTRES; i++)
        for (uint32_t d = 0; d < DIMENSIONS; d++)
            centres[i][d] = 10 * draw(&state);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t d = 0; d < DIMENSIONS; d++)
            vectors[i * DIMENSIONS + d] = centres[i % CENTRES][d] + 2 * draw(&seed);
}

/* Prints what was found, by query, the nearest first: an akin_search_sink. */
static int print(void *user, const akin_search_hit *found, size_t count)
{
    (void)user;
    for (size_t i = 0; i < count; i++)
        printf("query %" PRIu32 ": vector %4" PRIu32 " at %.3f, %3" PRIu32 " functions agree\n", found[i].query,
               found[i].object, found[i].distance, found[i].count);
    return 0;
}

static akin_status search(akin_context *context, const float *vectors, const float *queries, akin_error *error)
{
    akin_matrix objects = {sizeof objects, VECTORS, DIMENSIONS, AKIN_NUMBER_F32, 0, vectors};
    akin_matrix asked = {sizeof asked, QUERIES, DIMENSIONS, AKIN_NUMBER_F32, 0, queries};
    akin_vectors_options functions = AKIN_VECTORS_OPTIONS_INIT; /* Euclidean distance, 237 hash functions */
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    akin_search_index *index = NULL;
    options.k = NEAREST;
    options.rerank = 100; /* the 100 that agree the most are compared with the query */
    akin_status status = akin_search_index_of_vectors(context, &objects, &functions, NULL, &index, error);
    if (status == AKIN_OK)
        status = akin_search_vectors(context, index, &asked, &options, print, NULL, NULL, error);
    akin_search_index_free(index);
    return status;
}

int main(void)
{
    akin_context *context = NULL;
    akin_error error;
    float *vectors = malloc(sizeof(float) * VECTORS * DIMENSIONS), queries[QUERIES * DIMENSIONS];
    if (vectors == NULL) {
        fprintf(stderr, "vectors: no memory\n");
        return 1;
    }
    make_up(vectors, VECTORS, 2);
    make_up(queries, QUERIES, 3);
    akin_status status = akin_context_create(NULL, &context, &error);
    if (status == AKIN_OK)
        status = search(context, vectors, queries, &error);
    if (status != AKIN_OK)
        fprintf(stderr, "vectors: %s\n", error.message);
    akin_context_free(context);
    free(vectors);
    return status == AKIN_OK ? 0 : 1;
}
