/* The backend of CUDA: its functions, and the tables that the files of kernels fill. */
#include "device/cuda_backend.h"

#include "device/cuda_device.h"
#include "device/cuda_memory.h"
#include "device/cuda_primitives.h"
#include "device/cuda_stream.h"

extern const struct akin_trie_kernels akin_cuda_trie;
extern const struct akin_forest_kernels akin_cuda_forest;
extern const struct akin_sets_kernels akin_cuda_sets;
extern const struct akin_tensor_side_kernels akin_cuda_tensor_side;
extern const struct akin_tensor_kernels akin_cuda_tensor;
extern const struct akin_posting_kernels akin_cuda_posting;
extern const struct akin_strings_kernels akin_cuda_strings;
extern const struct akin_dedupe_texts_kernels akin_cuda_dedupe_texts;
extern const struct akin_dedupe_screen_kernels akin_cuda_dedupe_screen;
extern const struct akin_dedupe_score_kernels akin_cuda_dedupe_score;
extern const struct akin_terms_look_kernels akin_cuda_terms_look;
extern const struct akin_terms_tally_kernels akin_cuda_terms_tally;
extern const struct akin_rank_kernels akin_cuda_rank;
extern const struct akin_invert_kernels akin_cuda_invert;
extern const struct akin_ranges_kernels akin_cuda_ranges;
extern const struct akin_nearest_kernels akin_cuda_nearest;
extern const struct akin_corpus_kernels akin_cuda_corpus;

static const akin_primitive_kernels primitives = {
    .sort32 = akin_cuda_sort32,
    .sort64 = akin_cuda_sort64,
    .sort_pairs32 = akin_cuda_sort_pairs32,
    .sort_pairs64 = akin_cuda_sort_pairs64,
    .scan32 = akin_cuda_scan32,
    .scan64 = akin_cuda_scan64,
    .select32 = akin_cuda_select32,
    .select64 = akin_cuda_select64,
    .select_positions = akin_cuda_select_positions,
    .count_runs32 = akin_cuda_count_runs32,
    .count_runs64 = akin_cuda_count_runs64,
    .segments_of = akin_cuda_segments_of,
    .segment_sums = akin_cuda_segment_sums,
};

static const akin_device_kernels kernels = {
    .primitives = &primitives,
    .trie = &akin_cuda_trie,
    .forest = &akin_cuda_forest,
    .sets = &akin_cuda_sets,
    .tensor_sides = &akin_cuda_tensor_side,
    .tensor = &akin_cuda_tensor,
    .postings = &akin_cuda_posting,
    .strings = &akin_cuda_strings,
    .dedupe_texts = &akin_cuda_dedupe_texts,
    .dedupe_screens = &akin_cuda_dedupe_screen,
    .dedupe_scores = &akin_cuda_dedupe_score,
    .terms_look = &akin_cuda_terms_look,
    .terms_tally = &akin_cuda_terms_tally,
    .rank = &akin_cuda_rank,
    .invert = &akin_cuda_invert,
    .ranges = &akin_cuda_ranges,
    .nearest = &akin_cuda_nearest,
    .corpus = &akin_cuda_corpus,
};

const akin_device_backend akin_cuda = {
    .has_driver = akin_cuda_has_driver,
    .find = akin_cuda_find,
    .describe = akin_cuda_describe,
    .open = akin_cuda_open,
    .close = akin_cuda_close,
    .bound = akin_cuda_bound,
    .reserve = akin_cuda_reserve,
    .release = akin_cuda_release,
    .pinned_reserve = akin_cuda_pinned_reserve,
    .pinned_release = akin_cuda_pinned_release,
    .stream_create = akin_cuda_stream_create,
    .stream_free = akin_cuda_stream_free,
    .stream_finish = akin_cuda_stream_finish,
    .stream_wait = akin_cuda_stream_wait,
    .write = akin_cuda_write,
    .read = akin_cuda_read,
    .copy = akin_cuda_copy,
    .fill = akin_cuda_fill,
    .upload = akin_cuda_upload,
    .download = akin_cuda_download,
    .event_create = akin_cuda_event_create,
    .event_free = akin_cuda_event_free,
    .event_record = akin_cuda_event_record,
    .event_finish = akin_cuda_event_finish,
    .event_seconds = akin_cuda_event_seconds,
    .kernels = &kernels,
};
