/* The kernels of this room in a build without CUDA: there is no device, and nothing calls them. */
#include "match/kernels.h"

static akin_status absent(akin_error *error)
{
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE, "built without CUDA");
}

akin_status akin_strings_interleave(akin_device_stream *stream, const akin_strings_side *side, akin_error *error)
{
    (void)stream, (void)side;
    return absent(error);
}

akin_status akin_strings_launch(akin_device_stream *stream, const akin_strings_work *work, akin_error *error)
{
    (void)stream, (void)work;
    return absent(error);
}
