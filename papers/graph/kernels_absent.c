/* The kernels of this folder in a build without CUDA: there is no device, so nobody gets here. */
#include "papers/graph/kernels.h"

static akin_status absent(akin_error *error)
{
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE, "built without CUDA");
}

akin_status akin_warshall_pivot(akin_device_stream *stream, const akin_bit_matrix *matrix, uint32_t pivot,
                                akin_error *error)
{
    (void)stream, (void)matrix, (void)pivot;
    return absent(error);
}

akin_status akin_warshall_cross(akin_device_stream *stream, const akin_bit_matrix *matrix, uint32_t pivot,
                                akin_error *error)
{
    (void)stream, (void)matrix, (void)pivot;
    return absent(error);
}

akin_status akin_warshall_rest(akin_device_stream *stream, const akin_bit_matrix *matrix, uint32_t pivot,
                               uint64_t first, uint64_t count, akin_error *error)
{
    (void)stream, (void)matrix, (void)pivot, (void)first, (void)count;
    return absent(error);
}

akin_status akin_warshall_multiply(akin_device_stream *stream, const akin_bit_matrix *out, const akin_bit_matrix *a,
                                   const akin_bit_matrix *b, uint32_t from, uint32_t to, uint64_t first, uint64_t count,
                                   akin_error *error)
{
    (void)stream, (void)out, (void)a, (void)b, (void)from, (void)to, (void)first, (void)count;
    return absent(error);
}
