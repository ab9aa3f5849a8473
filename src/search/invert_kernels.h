/*
 * The kernels that invert objects on a GPU, as C functions: postings, each a keyword and an object, become segments and
 * cells (objects.h). They are *later* in the sense of device/device.h; pointers within structs are of device memory.
 * Errors: AKIN_E_DEVICE.
 *
 *     order      tokens are numbered:                                    inverse[order[k]] = k
 *     tokens     tokens --> keywords
 *     codes      columns of codes --> postings
 *                (sorted by keyword; what an object stands before stays before it)
 *     flag       where a keyword or a range is another than before, a segment begins
 *     measure    how many cells each segment has, and which ones are bitmaps
 *     lists      where what each keyword has begins
 *     segments, places, bitmaps     written, each where it belongs
 */
#ifndef AKIN_SEARCH_INVERT_KERNELS_H
#define AKIN_SEARCH_INVERT_KERNELS_H

#include "device/backend.h"
#include "search/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_INVERT_THREADS 256u
#define AKIN_INVERT_EACH    8u /* postings of a thread that writes places */

/* Objects of keywords, in the order of the latter once they are sorted. */
typedef struct akin_gpu_postings {
    /* The last number, `none`, is of no keyword: it has no list, and its postings stand behind all others. */
    uint32_t *keywords;
    uint32_t *objects;
    uint64_t count;
    uint32_t none;
    uint32_t reserved;
} akin_gpu_postings;

/* What is made of them. */
typedef struct akin_gpu_inverted {
    uint8_t *flags;    /* of each posting: 1 where a segment begins */
    uint32_t *starts;  /* of each segment: its first posting, */
    uint32_t *sizes;   /* its cells, */
    uint64_t *offsets; /* those of all before it, one more than there are, */
    uint8_t *is_bits;  /* and whether it is a bitmap */
    uint32_t *bitmaps; /* segments that are */
    akin_keyword *lists;
    akin_segment *segments;
    uint16_t *cells;
    uint64_t count; /* of segments; `kept` of them are of keywords */
    uint64_t kept, bitmap_count;
} akin_gpu_inverted;

/* The kernels that invert objects. */
typedef struct akin_invert_kernels {
    akin_status (*order)(akin_device_stream *stream, const uint32_t *order, uint32_t keywords, uint32_t *inverse,
                         akin_error *error);

    /* Tokens, in place; without an inverse they are keywords. *wrong becomes 1 if one of them is not below
     * `universe`. */
    akin_status (*tokens)(akin_device_stream *stream, const akin_gpu_postings *postings, const uint32_t *inverse,
                          uint32_t universe, uint32_t *wrong, akin_error *error);

    /* A column of codes: those of a dimension whose keywords are from `first` on, `codes` in number, for objects 0, 1,
     * ... to the postings from `to` on. *wrong becomes 1 if one of them is neither below that nor UINT32_MAX. */
    akin_status (*codes)(akin_device_stream *stream, const uint32_t *column, uint32_t objects, uint32_t first,
                         uint32_t codes, const akin_gpu_postings *postings, uint64_t to, uint32_t *wrong,
                         akin_error *error);

    akin_status (*flag)(akin_device_stream *stream, const akin_gpu_postings *postings, uint8_t *flags,
                        akin_error *error);

    akin_status (*measure)(akin_device_stream *stream, const akin_gpu_postings *postings, const akin_gpu_inverted *made,
                           akin_error *error);

    akin_status (*lists)(akin_device_stream *stream, const akin_gpu_postings *postings, const akin_gpu_inverted *made,
                         akin_error *error);

    akin_status (*segments)(akin_device_stream *stream, const akin_gpu_postings *postings,
                            const akin_gpu_inverted *made, akin_error *error);

    akin_status (*places)(akin_device_stream *stream, const akin_gpu_postings *postings, const akin_gpu_inverted *made,
                          akin_error *error);

    akin_status (*bitmaps)(akin_device_stream *stream, const akin_gpu_postings *postings, const akin_gpu_inverted *made,
                           akin_error *error);
} akin_invert_kernels;

extern const akin_invert_kernels akin_cuda_invert; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
