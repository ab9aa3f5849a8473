/*
 * akin_papers.h - the algorithms of the papers, to be compared with those of akin.
 *
 * This header is the manual of libakin_papers, an annex of libakin. Read akin.h first: its conventions hold here, too.
 *
 * The library has what the literature does, as the papers describe it. The results are those of akin's own algorithms,
 * which need less time or memory, so "auto" never chooses a row of the annex. To use the rows, link libakin_papers besides
 * libakin, and give the annex to each context that runs them:
 *
 *     akin_status status = akin_context_create(NULL, &context, &error);
 *     if (status == AKIN_OK)
 *         status = akin_context_use(context, akin_papers(), &error);
 *
 * Values of this header go where akin.h takes a value of the same enum. Both libraries have to be of one version.
 */
#ifndef AKIN_PAPERS_H
#define AKIN_PAPERS_H

#include "akin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The annex, a constant. akin_annex_choices lists its rows. Thread-safe. */
AKIN_API const akin_annex *akin_papers(void);

/* ------------------------------------------------------------------------------------------------------ clusters */

/*
 * Row "warshall" of the table "clusterings": connected components by Warshall's algorithm on a matrix of bits, in tiles.
 * From: B. Forchhammer et al., Duplicate Detection on GPUs, section 5.5.
 *
 * The clusters are those of AKIN_CLUSTERING_CLOSURE. Pairs are kept, 8 bytes each. akin_clusters_close makes a matrix of
 * the n rows that occur in pairs, at most 2^20 (AKIN_E_LIMIT): n * n / 8 bytes, and up to n * n * n / 256 operations. With
 * a memory bound, pairs beyond 1/32 of it and a matrix beyond a quarter are in temporary files. The GPU is used if it was
 * asked for, or if the matrix is large. A matrix that does not fit the GPU goes there in blocks, three at a time, at least
 * 24 KiB.
 */
#define AKIN_CLUSTERING_WARSHALL ((akin_clustering)(AKIN_ANNEX_FIRST + 0))

#ifdef __cplusplus
}
#endif

#endif
