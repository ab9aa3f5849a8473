/* Clusters, made within a scope. */
#ifndef AKIN_GRAPH_CLUSTERS_H
#define AKIN_GRAPH_CLUSTERS_H

#include "base/memory.h"
#include "base/scope.h"

/* As akin_clusters_create_by, within a scope; options NULL: the default clustering. */
akin_status akin_clusters_create_within(const akin_scope *scope, uint32_t rows_left, uint32_t rows_right,
                                        const akin_clusters_options *options, akin_clusters **out, akin_error *error);

/* The parameter of a clustering in which a pair that is not added has similarity 0, so that pairs below a threshold
 * count, too; num 0: the clustering is of another kind. */
akin_ratio akin_clusters_least(const akin_clusters *clusters);

/* As akin_clusters_connect. */
akin_status akin_clusters_connect_within(const akin_scope *scope, akin_clusters *clusters, const akin_pair *pairs,
                                         const double *similarities, uint64_t count, akin_error *error);

/* As akin_clusters_create_within, with the clustering of others. */
akin_status akin_clusters_create_like(const akin_scope *scope, uint32_t rows_left, uint32_t rows_right,
                                      const akin_clusters *like, akin_clusters **out, akin_error *error);

/* The rows behind the first ones of closed clusters, sorted by cluster: label << 32 | row. The caller frees them.
 * Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_clusters_followers(const akin_scope *scope, akin_account *account, const akin_clusters *clusters,
                                    uint64_t **followers, uint64_t *count, akin_error *error);

/* As akin_clusters_separate, within a scope; NULL: none. */
akin_status akin_clusters_separate_within(const akin_scope *scope, akin_clusters *clusters, const uint32_t *sources,
                                          akin_error *error);

/* Notes that rows are in one cluster, whatever the clustering makes of the pairs that are added. Rows of the right side
 * stand behind those of the left. Errors: AKIN_E_NOMEM. */
akin_status akin_clusters_unite(akin_clusters *clusters, const akin_pair *pairs, uint64_t count, akin_error *error);

/* As akin_clusters_close, within a scope. */
akin_status akin_clusters_close_within(const akin_scope *scope, akin_clusters *clusters, akin_error *error);

#endif
