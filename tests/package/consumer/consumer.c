/* A program of somebody else's: joins three sets in memory and checks the one pair that is alike. */
#include <akin.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const uint64_t offsets[] = {0, 4, 7, 12};
    const uint32_t tokens[] = {1, 2, 3, 4, 7, 8, 9, 5, 4, 3, 2, 1};
    akin_context *context = NULL;
    akin_sets *sets = NULL;
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_error error;
    uint64_t pairs = 0;

    akin_status status = akin_context_create(NULL, &context, &error);
    if (status == AKIN_OK)
        status = akin_sets_from_arrays(context, 3, offsets, tokens, &sets, &error);
    if (status == AKIN_OK)
        status = akin_join(context, sets, NULL, &options, NULL, NULL, &pairs, NULL, &error);
    if (status != AKIN_OK)
        fprintf(stderr, "%s\n", error.message);
    akin_sets_free(sets);
    akin_context_free(context);
    return !(status == AKIN_OK && pairs == 1 && strcmp(akin_version(), AKIN_VERSION_STRING) == 0);
}
