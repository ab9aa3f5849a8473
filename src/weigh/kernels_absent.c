/* The kernels of this room in a build without CUDA: there is no device, so nobody gets here. */
#include "weigh/kernels.h"
#include "weigh/paper/kernels.h"

static akin_status absent(akin_error *error)
{
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE, "built without CUDA");
}

akin_status akin_terms_report(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    (void)stream, (void)to, (void)from, (void)bytes;
    return absent(error);
}

akin_status akin_terms_start(akin_device_stream *stream, const akin_gpu_text *text, akin_error *error)
{
    (void)stream, (void)text;
    return absent(error);
}

akin_status akin_terms_mark(akin_device_stream *stream, const akin_gpu_text *text, uint64_t first_span, uint64_t spans,
                            akin_error *error)
{
    (void)stream, (void)text, (void)first_span, (void)spans;
    return absent(error);
}

akin_status akin_terms_place(akin_device_stream *stream, const akin_gpu_text *text, akin_error *error)
{
    (void)stream, (void)text;
    return absent(error);
}

akin_status akin_terms_look_up(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_table *table,
                               const akin_gpu_finds *finds, uint64_t first_span, uint64_t spans, akin_error *error)
{
    (void)stream, (void)text, (void)table, (void)finds, (void)first_span, (void)spans;
    return absent(error);
}

akin_status akin_terms_list(akin_device_stream *stream, const akin_gpu_table *table, const akin_gpu_fresh *fresh,
                            akin_error *error)
{
    (void)stream, (void)table, (void)fresh;
    return absent(error);
}

akin_status akin_terms_measure(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_fresh *fresh,
                               akin_error *error)
{
    (void)stream, (void)text, (void)fresh;
    return absent(error);
}

akin_status akin_terms_keep(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_table *table,
                            const akin_gpu_fresh *fresh, uint32_t term, akin_error *error)
{
    (void)stream, (void)text, (void)table, (void)fresh, (void)term;
    return absent(error);
}

akin_status akin_terms_name(akin_device_stream *stream, const akin_gpu_table *table, uint32_t first,
                            const uint32_t *terms, uint64_t count, akin_error *error)
{
    (void)stream, (void)table, (void)first, (void)terms, (void)count;
    return absent(error);
}

akin_status akin_terms_rebuild(akin_device_stream *stream, const akin_gpu_table *table, akin_error *error)
{
    (void)stream, (void)table;
    return absent(error);
}

akin_status akin_terms_patch(akin_device_stream *stream, uint32_t *tokens, const akin_gpu_long *longs,
                             const uint32_t *terms, uint64_t count, akin_error *error)
{
    (void)stream, (void)tokens, (void)longs, (void)terms, (void)count;
    return absent(error);
}

akin_status akin_terms_count_few(akin_device_stream *stream, const akin_gpu_counts *counts, akin_error *error)
{
    (void)stream, (void)counts;
    return absent(error);
}

akin_status akin_terms_count_table(akin_device_stream *stream, const akin_gpu_counts *counts, uint32_t list,
                                   akin_error *error)
{
    (void)stream, (void)counts, (void)list;
    return absent(error);
}

akin_status akin_terms_gather(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                              uint64_t *keys, uint64_t first, uint64_t count, akin_error *error)
{
    (void)stream, (void)counts, (void)group, (void)keys, (void)first, (void)count;
    return absent(error);
}

akin_status akin_terms_bound(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                             const uint64_t *keys, const uint64_t *found, uint64_t *at, akin_error *error)
{
    (void)stream, (void)counts, (void)group, (void)keys, (void)found, (void)at;
    return absent(error);
}

akin_status akin_terms_spread(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                              const uint64_t *keys, const uint32_t *times, const uint64_t *found, const uint64_t *at,
                              uint64_t first, uint64_t count, akin_error *error)
{
    (void)stream, (void)counts, (void)group, (void)keys, (void)times, (void)found, (void)at, (void)first, (void)count;
    return absent(error);
}

akin_status akin_terms_move(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_pairs *pairs,
                            uint32_t *df, uint64_t first, uint64_t count, akin_error *error)
{
    (void)stream, (void)counts, (void)pairs, (void)df, (void)first, (void)count;
    return absent(error);
}

akin_status akin_terms_idf(akin_device_stream *stream, const akin_gpu_idf *idf, uint64_t first, uint64_t count,
                           akin_error *error)
{
    (void)stream, (void)idf, (void)first, (void)count;
    return absent(error);
}

akin_status akin_terms_weigh(akin_device_stream *stream, const akin_formula_terms *formula, double mean,
                             const akin_gpu_pairs *pairs, const uint32_t *lengths, const double *idf, double *values,
                             uint64_t first, uint64_t count, akin_error *error)
{
    (void)stream, (void)formula, (void)mean, (void)pairs, (void)lengths, (void)idf, (void)values, (void)first,
        (void)count;
    return absent(error);
}

akin_status akin_paper_run(akin_device_stream *stream, akin_paper_step step, const akin_paper_view *view,
                           uint64_t count, akin_error *error)
{
    (void)stream, (void)step, (void)view, (void)count;
    return absent(error);
}
