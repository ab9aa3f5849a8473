/* Gives weights the statistics of a corpus, and makes the statistics of their own documents. */
#include "weigh/corpus.h"

static void term_of_weights(const void *weights, uint32_t id, const char **bytes, size_t *length)
{
    akin_weights_term(weights, id, bytes, length);
}

akin_corpus_counts akin_corpus_counts_of(const akin_weights *weights)
{
    return (akin_corpus_counts){.documents = weights->documents,
                                .count = weights->ids_count,
                                .words = weights->words,
                                .df = weights->df,
                                .term = term_of_weights,
                                .of = weights};
}

akin_status akin_corpus_take(const akin_scope *scope, const akin_corpus *corpus, akin_weights *weights,
                             akin_error *error)
{
    akin_weights *w = weights;
    const akin_corpus_counts counts = akin_corpus_counts_of(w);
    if (corpus->size == 0)
        return AKIN_OK;
    akin_status status = akin_bulk_reserve_zeros(&w->corpus, (uint64_t)w->ids_count * sizeof(uint32_t),
                                                 "the statistics of a corpus", error);
    if (status == AKIN_OK)
        status = akin_corpus_find(scope, corpus, &counts, w->dictionary, w->shared, w->corpus.data, error);
    w->corpus_df = w->corpus.data;
    w->corpus_documents = corpus->documents;
    w->corpus_words = corpus->words;
    w->is_part = 1;
    return status;
}
