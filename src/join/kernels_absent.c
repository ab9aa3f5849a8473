/* The kernels of the joins in a build without CUDA: there is no device, so nobody gets here. */
#include "join/kernels.h"
#include "join/paper/blocks.h"
#include "join/paper/hybrid.h"

static akin_status absent(akin_error *error)
{
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE, "built without CUDA");
}

akin_status akin_gpu_write_offsets(akin_device_stream *stream, const akin_gpu_class *classes, uint32_t count,
                                   uint32_t sets, uint64_t *offsets, akin_error *error)
{
    (void)stream, (void)classes, (void)count, (void)sets, (void)offsets;
    return absent(error);
}

akin_status akin_gpu_verify(akin_device_stream *stream, const akin_gpu_sets *probes, const akin_gpu_sets *indexed,
                            akin_measure_rule rule, akin_sharing sharing, const akin_gpu_pair *candidates,
                            uint64_t room, akin_gpu_tally *tally, akin_gpu_pair *pairs, uint32_t *overlaps,
                            akin_error *error)
{
    (void)stream, (void)probes, (void)indexed, (void)rule, (void)sharing, (void)candidates, (void)room, (void)tally;
    (void)pairs, (void)overlaps;
    return absent(error);
}

akin_status akin_hybrid_unpack(akin_device_stream *stream, const uint32_t *words, uint32_t room, uint32_t candidates,
                               uint32_t records, akin_gpu_pair *pairs, akin_gpu_tally *tally, akin_error *error)
{
    (void)stream, (void)words, (void)room, (void)candidates, (void)records, (void)pairs, (void)tally;
    return absent(error);
}

akin_status akin_tensor_sign(akin_device_stream *stream, const akin_gpu_sets *sets, uint32_t bits,
                             const uint32_t *class_first, uint32_t classes, uint32_t *signatures, uint32_t *keys,
                             uint32_t *numbers, akin_error *error)
{
    (void)stream, (void)sets, (void)bits, (void)class_first, (void)classes, (void)signatures, (void)keys, (void)numbers;
    return absent(error);
}

akin_status akin_tensor_arrange(akin_device_stream *stream, const akin_gpu_sets *sets, akin_measure_rule rule,
                                akin_tensor_rule decides, uint32_t bits, const uint32_t *signatures,
                                const akin_tensor_side *side, akin_error *error)
{
    (void)stream, (void)sets, (void)rule, (void)decides, (void)bits, (void)signatures, (void)side;
    return absent(error);
}

akin_status akin_tensor_kernel_of(akin_device *device, uint32_t bits, akin_tensor_kernel wanted,
                                  akin_tensor_kernel *out, akin_error *error)
{
    (void)device, (void)bits, (void)wanted, (void)out;
    return absent(error);
}

akin_status akin_tensor_filter(akin_device_stream *stream, const akin_tensor_side *probes,
                               const akin_tensor_side *indexed, akin_tensor_rule rule, int self, uint32_t bits,
                               const akin_tensor_task *tasks, uint32_t count, const akin_tensor_taken *taken,
                               akin_error *error)
{
    (void)stream, (void)probes, (void)indexed, (void)rule, (void)self, (void)bits, (void)tasks, (void)count;
    (void)taken;
    return absent(error);
}

akin_status akin_posting_write(akin_device_stream *stream, const akin_posting_side *side, uint32_t *tokens,
                               uint32_t *numbers, akin_error *error)
{
    (void)stream, (void)side, (void)tokens, (void)numbers;
    return absent(error);
}

akin_status akin_posting_make_index(akin_device_stream *stream, const akin_posting_side *side, const uint32_t *tokens,
                                    const uint32_t *numbers, const akin_posting_index *index, akin_error *error)
{
    (void)stream, (void)side, (void)tokens, (void)numbers, (void)index;
    return absent(error);
}

akin_status akin_posting_look_up(akin_device_stream *stream, const akin_posting_side *probes, int self,
                                 const uint32_t *tokens, const uint32_t *numbers, const akin_posting_index *index,
                                 uint32_t *low, uint32_t *counts, uint8_t *any, akin_error *error)
{
    (void)stream, (void)probes, (void)self, (void)tokens, (void)numbers, (void)index, (void)low, (void)counts;
    (void)any;
    return absent(error);
}

akin_status akin_posting_gather(akin_device_stream *stream, const akin_posting_side *probes, const uint32_t *numbers,
                                const uint32_t *low, const uint32_t *counts, const uint32_t *chosen, uint32_t count,
                                akin_posting_run *runs, uint32_t *lengths, akin_error *error)
{
    (void)stream, (void)probes, (void)numbers, (void)low, (void)counts, (void)chosen, (void)count, (void)runs;
    (void)lengths;
    return absent(error);
}

akin_status akin_posting_compare(akin_device_stream *stream, const akin_posting_join *join, uint64_t first,
                                 uint64_t end, uint32_t unit, const akin_posting_range *ranges, uint32_t count,
                                 const akin_posting_out *out, akin_error *error)
{
    (void)stream, (void)join, (void)first, (void)end, (void)unit, (void)ranges, (void)count, (void)out;
    return absent(error);
}

akin_status akin_block_list(akin_device_stream *stream, const akin_block_side *side, akin_block block, uint64_t count,
                            uint32_t *tokens, uint32_t *sets, akin_error *error)
{
    (void)stream, (void)side, (void)block, (void)count, (void)tokens, (void)sets;
    return absent(error);
}

akin_status akin_block_find(akin_device_stream *stream, const uint32_t *tokens, uint64_t count, const uint32_t *index,
                            uint64_t postings, uint32_t *begin, uint32_t *length, akin_error *error)
{
    (void)stream, (void)tokens, (void)count, (void)index, (void)postings, (void)begin, (void)length;
    return absent(error);
}

akin_status akin_block_count(akin_device_stream *stream, const akin_block_pair *pair, const akin_block_lookups *lookups,
                             const uint32_t *index_sets, uint64_t first, uint32_t count, akin_error *error)
{
    (void)stream, (void)pair, (void)lookups, (void)index_sets, (void)first, (void)count;
    return absent(error);
}

akin_status akin_block_sign(akin_device_stream *stream, const akin_block_side *side, uint64_t tokens, uint32_t words,
                            uint32_t *signatures, akin_error *error)
{
    (void)stream, (void)side, (void)tokens, (void)words, (void)signatures;
    return absent(error);
}

akin_status akin_block_screen(akin_device_stream *stream, const akin_block_pair *pair, const akin_gpu_sets *probes,
                              const akin_gpu_sets *indexed, akin_measure_rule rule, uint32_t words,
                              const uint32_t *probe_signatures, const uint32_t *signatures, akin_error *error)
{
    (void)stream, (void)pair, (void)probes, (void)indexed, (void)rule, (void)words, (void)probe_signatures;
    (void)signatures;
    return absent(error);
}

akin_status akin_block_hits(akin_device_stream *stream, const akin_block_pair *pair, const akin_block_take *take,
                            uint32_t *hits, akin_gpu_tally *tally, akin_error *error)
{
    (void)stream, (void)pair, (void)take, (void)hits, (void)tally;
    return absent(error);
}

akin_status akin_block_taken(akin_device_stream *stream, const akin_block_pair *pair, const akin_block_take *take,
                             const uint64_t *offsets, uint32_t first, uint32_t end, akin_gpu_pair *pairs,
                             uint32_t *overlaps, akin_gpu_tally *tally, akin_error *error)
{
    (void)stream, (void)pair, (void)take, (void)offsets, (void)first, (void)end, (void)pairs, (void)overlaps;
    (void)tally;
    return absent(error);
}
