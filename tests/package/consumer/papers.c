/* A user's program: clusters three pairs by an algorithm of the annex, which a context knows once it uses it. */
#include <akin_papers.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const akin_pair pairs[] = {{0, 1, 1}, {1, 2, 1}, {4, 5, 1}};
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_clusters *clusters = NULL;
    akin_error error;

    akin_status status = akin_context_create(NULL, &context, &error);
    if (status == AKIN_OK)
        status = akin_clusters_options_parse(akin_papers(), "warshall", &options, &error);
    if (status == AKIN_OK) {
        akin_error refused;
        status = akin_clusters_create_by(context, 7, 0, &options, &clusters, &refused);
        if (status != AKIN_E_OPTION || !strstr(refused.message, "akin_context_use(context, akin_papers(), error)"))
            return 2;
        status = akin_context_use(context, akin_papers(), &error);
    }
    if (status == AKIN_OK)
        status = akin_clusters_create_by(context, 7, 0, &options, &clusters, &error);
    if (status == AKIN_OK)
        status = akin_clusters_add(clusters, pairs, NULL, 3, &error);
    if (status == AKIN_OK)
        status = akin_clusters_close(context, clusters, &error);
    if (status != AKIN_OK)
        fprintf(stderr, "%s\n", error.message);
    const int is_right = status == AKIN_OK && akin_clusters_count(clusters) == 4 && akin_clusters_row(clusters, 2) == 0;
    akin_clusters_free(clusters);
    akin_context_free(context);
    return !is_right;
}
