/*
 * What inverts objects on a device: postings that are there become lists, segments and cells, which are there, too
 * (invert_kernels.h says how). What it has made stays until it is used again.
 */
#ifndef AKIN_SEARCH_INVERTER_H
#define AKIN_SEARCH_INVERTER_H

#include "base/scope.h"
#include "search/invert_kernels.h"

enum {
    AKIN_INVERTER_KEYWORDS, /* of postings, and where they are sorted to and fro */
    AKIN_INVERTER_KEYWORDS_TWIN,
    AKIN_INVERTER_OBJECTS,
    AKIN_INVERTER_OBJECTS_TWIN,
    AKIN_INVERTER_FLAGS,
    AKIN_INVERTER_OFFSETS,
    AKIN_INVERTER_IS_BITS,
    AKIN_INVERTER_BITMAPS,
    AKIN_INVERTER_LISTS,
    AKIN_INVERTER_SEGMENTS,
    AKIN_INVERTER_CELLS,
    AKIN_INVERTER_NUMBERS, /* the results of kernels */
    AKIN_INVERTER_BUFFERS
};

typedef struct akin_inverter {
    const akin_scope *scope;
    akin_device *device;
    akin_device_stream *stream;
    akin_device_buffer buffers[AKIN_INVERTER_BUFFERS];
    akin_gpu_postings postings;
    akin_gpu_inverted made;
    uint64_t cells; /* of the segments that are kept */
} akin_inverter;

/* Zeros at first; cleared by akin_inverter_clear in any case. Errors, also of what follows: those of device.h,
 * AKIN_E_CANCELLED. */
akin_status akin_inverter_begin(akin_inverter *inverter, const akin_scope *scope, akin_device *device,
                                akin_error *error);
void akin_inverter_clear(akin_inverter *inverter);

/* The number of postings that have room at once in `bytes` of a device, beside the lists of `keywords`; 0: none. */
uint64_t akin_inverter_room(uint64_t bytes, uint64_t keywords);

/* Makes room for postings, which the caller is to write, of keywords below `keywords`; that number itself stands for
 * none. Also sets `wrong` to 0, which kernels that make postings make 1. */
akin_status akin_inverter_reserve(akin_inverter *inverter, uint64_t postings, uint32_t keywords, akin_error *error);
uint32_t *akin_inverter_wrong(const akin_inverter *inverter);

/* Inverts the postings; those of one keyword must stand in the order of their objects. *wrong is the flag that kernels
 * have set; if it is 1, nothing is made. The result is there when it returns, or later. */
akin_status akin_inverter_run(akin_inverter *inverter, uint32_t *wrong, akin_error *error);

#endif
