/* The kernels of the joins in a build without CUDA: there is no device, so nobody gets here. */
#include "join/kernels.h"

static akin_status absent(akin_error *error)
{
    return akin_fail(error, AKIN_E_DEVICE, "built without CUDA");
}

akin_status akin_gpu_verify(akin_device_stream *stream, const akin_gpu_sets *probes, const akin_gpu_sets *indexed,
                            akin_gpu_rule rule, const akin_gpu_pair *candidates, uint64_t room, akin_gpu_tally *tally,
                            akin_gpu_pair *pairs, uint32_t *overlaps, akin_error *error)
{
    (void)stream, (void)probes, (void)indexed, (void)rule, (void)candidates, (void)room, (void)tally, (void)pairs;
    (void)overlaps;
    return absent(error);
}

akin_status akin_tensor_sign(akin_device_stream *stream, const akin_gpu_sets *sets, uint32_t bits,
                             const uint32_t *class_first, uint32_t classes, uint32_t *signatures, uint32_t *keys,
                             uint32_t *numbers, akin_error *error)
{
    (void)stream, (void)sets, (void)bits, (void)class_first, (void)classes, (void)signatures, (void)keys, (void)numbers;
    return absent(error);
}

akin_status akin_tensor_arrange(akin_device_stream *stream, const akin_gpu_sets *sets, akin_gpu_rule rule,
                                uint32_t bits, const uint32_t *signatures, const akin_tensor_side *side,
                                akin_error *error)
{
    (void)stream, (void)sets, (void)rule, (void)bits, (void)signatures, (void)side;
    return absent(error);
}

akin_status akin_tensor_filter(akin_device_stream *stream, const akin_tensor_side *probes,
                               const akin_tensor_side *indexed, int self, uint32_t bits, const akin_tensor_task *tasks,
                               uint32_t count, akin_gpu_pair *candidates, uint64_t room, akin_gpu_tally *tally,
                               akin_tensor_task *resume, akin_error *error)
{
    (void)stream, (void)probes, (void)indexed, (void)self, (void)bits, (void)tasks, (void)count, (void)candidates;
    (void)room, (void)tally, (void)resume;
    return absent(error);
}
