/* Stands in for the kernels of this room where akin was built without CUDA: there is no device, and what would need one is
 * never reached. */
#include "dedupe/gpu_kernels.h"

static akin_status absent(akin_error *error)
{
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE, "this akin was built without CUDA");
}

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* A line for each. */
/* clang-format off */
#define ABSENT(name, ...) akin_status name(akin_device_stream *stream, __VA_ARGS__, akin_error *error) { return absent(error); }

ABSENT(akin_gpu_measure, const akin_gpu_texts *texts, uint32_t *lengths, akin_gpu_survey *survey)
ABSENT(akin_gpu_shape_texts, const akin_gpu_texts *texts, const uint32_t *lengths, const uint64_t *starts,
       const uint8_t *kinds, int deep, const akin_gpu_column *column)
ABSENT(akin_gpu_keys, const akin_gpu_column *column, akin_gpu_key key, uint32_t *keys, uint32_t *order)
ABSENT(akin_gpu_invert, const uint32_t *order, uint32_t count, uint32_t *places)
ABSENT(akin_gpu_lengths, const akin_gpu_column *column, uint32_t first, uint32_t count, uint32_t *lengths, uint32_t *order)
ABSENT(akin_gpu_sample, const akin_gpu_scoring *scoring, const uint32_t *pairs, uint32_t count, uint32_t passed[AKIN_GPU_ATTRIBUTES])
ABSENT(akin_gpu_screen_lists, const akin_gpu_screen *screen, uint32_t first, uint32_t end, uint64_t from, uint64_t to)
ABSENT(akin_gpu_group_records, const akin_gpu_shape *shapes, const akin_gpu_grouped *grouped)
ABSENT(akin_gpu_screen_groups, const akin_gpu_screen *screen, const akin_gpu_meeting *meeting)
ABSENT(akin_gpu_score, const akin_gpu_scoring *scoring, const akin_gpu_candidate *candidates, uint64_t count,
       uint32_t border, akin_scored_pair *pairs, double *each, akin_gpu_told *tally)
