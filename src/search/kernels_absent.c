/* The kernels of this room in a build without CUDA: there is no device, so nobody gets here. */
#include "search/invert_kernels.h"
#include "search/kernels.h"
#include "search/paper/kernels.h"

static akin_status absent(akin_error *error)
{
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE, "built without CUDA");
}

akin_status akin_ranges_count(akin_device_stream *stream, const akin_gpu_objects *objects, const akin_gpu_batch *batch,
                              uint32_t first, uint32_t count, akin_error *error)
{
    (void)stream, (void)objects, (void)batch, (void)first, (void)count;
    return absent(error);
}

akin_status akin_ranges_compare(akin_device_stream *stream, const akin_gpu_strings *strings,
                                const akin_gpu_batch *batch, uint32_t first, uint32_t count, akin_error *error)
{
    (void)stream, (void)strings, (void)batch, (void)first, (void)count;
    return absent(error);
}

akin_status akin_ranges_gather(akin_device_stream *stream, const akin_gpu_groups *groups, akin_error *error)
{
    (void)stream, (void)groups;
    return absent(error);
}

akin_status akin_ranges_sort(akin_device_stream *stream, const akin_gpu_groups *groups, akin_error *error)
{
    (void)stream, (void)groups;
    return absent(error);
}

akin_status akin_paper_count(akin_device_stream *stream, const akin_gpu_objects *objects, const akin_paper_batch *batch,
                             const akin_paper_list *lists, uint32_t count, uint32_t each, akin_error *error)
{
    (void)stream, (void)objects, (void)batch, (void)lists, (void)count, (void)each;
    return absent(error);
}

akin_status akin_paper_scan(akin_device_stream *stream, const akin_gpu_objects *objects, const akin_paper_batch *batch,
                            uint32_t first, uint32_t count, akin_error *error)
{
    (void)stream, (void)objects, (void)batch, (void)first, (void)count;
    return absent(error);
}

akin_status akin_cpq_select(akin_device_stream *stream, const akin_paper_batch *batch, akin_error *error)
{
    (void)stream, (void)batch;
    return absent(error);
}

akin_status akin_spq_select(akin_device_stream *stream, const akin_paper_batch *batch, akin_error *error)
{
    (void)stream, (void)batch;
    return absent(error);
}

akin_status akin_invert_order(akin_device_stream *stream, const uint32_t *order, uint32_t keywords, uint32_t *inverse,
                              akin_error *error)
{
    (void)stream, (void)order, (void)keywords, (void)inverse;
    return absent(error);
}

akin_status akin_invert_tokens(akin_device_stream *stream, const akin_gpu_postings *postings, const uint32_t *inverse,
                               uint32_t universe, uint32_t *wrong, akin_error *error)
{
    (void)stream, (void)postings, (void)inverse, (void)universe, (void)wrong;
    return absent(error);
}

akin_status akin_invert_codes(akin_device_stream *stream, const uint32_t *column, uint32_t objects, uint32_t first,
                              uint32_t codes, const akin_gpu_postings *postings, uint64_t to, uint32_t *wrong,
                              akin_error *error)
{
    (void)stream, (void)column, (void)objects, (void)first, (void)codes, (void)postings, (void)to, (void)wrong;
    return absent(error);
}

akin_status akin_invert_flag(akin_device_stream *stream, const akin_gpu_postings *postings, uint8_t *flags,
                             akin_error *error)
{
    (void)stream, (void)postings, (void)flags;
    return absent(error);
}

akin_status akin_invert_measure(akin_device_stream *stream, const akin_gpu_postings *postings,
                                const akin_gpu_inverted *made, akin_error *error)
{
    (void)stream, (void)postings, (void)made;
    return absent(error);
}

akin_status akin_invert_lists(akin_device_stream *stream, const akin_gpu_postings *postings,
                              const akin_gpu_inverted *made, akin_error *error)
{
    (void)stream, (void)postings, (void)made;
    return absent(error);
}

akin_status akin_invert_segments(akin_device_stream *stream, const akin_gpu_postings *postings,
                                 const akin_gpu_inverted *made, akin_error *error)
{
    (void)stream, (void)postings, (void)made;
    return absent(error);
}

akin_status akin_invert_places(akin_device_stream *stream, const akin_gpu_postings *postings,
                               const akin_gpu_inverted *made, akin_error *error)
{
    (void)stream, (void)postings, (void)made;
    return absent(error);
}

akin_status akin_invert_bitmaps(akin_device_stream *stream, const akin_gpu_postings *postings,
                                const akin_gpu_inverted *made, akin_error *error)
{
    (void)stream, (void)postings, (void)made;
    return absent(error);
}
