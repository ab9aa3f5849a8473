/*
 * Objects on a device: all of them, for as long as they are wanted, or, where there is no room for that, one part after
 * the other, each some ranges (the paper's multiple loading, section III-D). The next part goes into one slot while the
 * one before it is searched in the other. Of a part only what is looked at goes there, as objects have it, but of the
 * part's ranges alone:
 *
 *     slot    | lists | segments | cells |                to go through lists
 *             | codes of dimension 0 | 1 | .. |           to scan
 */
#ifndef AKIN_SEARCH_RESIDENTS_H
#define AKIN_SEARCH_RESIDENTS_H

#include "device/bring.h"
#include "search/kernels.h"
#include "search/parts.h"

typedef struct akin_slot {
    akin_device_buffer buffer;
    akin_gpu_objects there;
    char *segments, *cells, *codes; /* the same, to be written */
    uint64_t *columns;              /* of each dimension: where its codes begin, among those that are there */
} akin_slot;

/* A part on its way. */
typedef struct akin_bringing {
    akin_slot *slot;
    enum akin_bring_step {
        AKIN_BRING_FIND, /* for lists */
        AKIN_BRING_LISTS,
        AKIN_BRING_SEGMENTS,
        AKIN_BRING_CELLS,
        AKIN_BRING_CODES, /* for a scan */
        AKIN_BRING_DONE
    } step;
    uint32_t first, end;   /* ranges */
    uint32_t at;           /* the keyword or dimension that is next, */
    uint64_t behind;       /* and how many bytes of it have been brought */
    uint64_t total, there; /* bytes */
} akin_bringing;

typedef struct akin_residents {
    const akin_scope *scope;
    akin_device *device;
    akin_device_stream *stream; /* that brings them */
    akin_device_event *brought;
    const akin_objects *objects; /* borrowed */
    akin_parts parts;            /* one: all objects stay */
    akin_slot slots[2];          /* part p is in that of p % 2 */
    akin_device_sender sender;
    akin_bringing bringing;
    akin_keyword *own;   /* of each keyword: where what it has in the part begins, */
    akin_keyword *lists; /* and where in the slot; one more than there are */
} akin_residents;

/* The bytes that all objects take there. */
uint64_t akin_residents_bytes(const akin_objects *objects);

/* Brings objects there, or makes ready to bring parts, which have `room` bytes in all, 0: most of what the device has.
 * akin_residents_clear may follow in any case. Errors: AKIN_E_NOMEM (not even one range has room), AKIN_E_DEVICE,
 * AKIN_E_CANCELLED. */
akin_status akin_residents_begin(const akin_scope *scope, akin_device *device, const akin_objects *objects,
                                 uint64_t room, akin_residents *out, akin_error *error);
void akin_residents_clear(akin_residents *residents);

/* For objects in several parts: begins to bring a part, for a scan or for lists; goes on until `share` of it (1: all)
 * is on its way; makes `stream` wait until all of it is there, and returns where it is. A slot is written to while work
 * that reads it may go on only if that work is in `stream` and was waited for. */
void akin_residents_bring(akin_residents *residents, uint32_t part, int is_scan);
akin_status akin_residents_go_on(akin_residents *residents, double share, akin_error *error);
akin_status akin_residents_use(akin_residents *residents, uint32_t part, akin_device_stream *stream,
                               const akin_slot **out, akin_error *error);

#endif
