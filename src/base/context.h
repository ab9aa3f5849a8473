/* The context: the owner of what lasts from job to job. Most files see a scope alone
 * (base/scope.h); those who make contexts, open devices or price them see its definition. */
#ifndef AKIN_BASE_CONTEXT_H
#define AKIN_BASE_CONTEXT_H

#include "base/calibrated.h"
#include "base/limited.h"
#include "base/scope.h"
#include "base/wishes.h"

#include <stdatomic.h>
#include <stddef.h>

struct akin_context {
    akin_scope scope; /* its whole; scope.context is the context itself */
    akin_cpu cpu_best;
    char *temporary;                     /* the directory for temporary files, the context's own; NULL: /tmp */
    double scale[AKIN_CALIBRATED_KINDS]; /* see akin_calibrated_scale; 0: 1 */
    /* The GPUs, which jobs get from akin_device_of and akin_devices_of (device/device.h). */
    akin_device_wish wish;
    uint64_t device_memory;                    /* the most that each may hold, in bytes; 0: what is free */
    const struct akin_device_backend *backend; /* that opens them (device/backend.h); NULL: the one built in */
    struct akin_device *device;                /* the first, open; NULL: not yet, or none */
    struct akin_devices *devices;              /* all of them, once a job has requested them */
    int device_tried;                          /* opening the first was tried */
    struct akin_device_opener *opening;        /* the thread that opens them (device/devices.h); NULL: none did */
    akin_opener own_opener;                    /* the caller's, which may be of an older version */
    const struct akin_opener *opener;          /* own_opener, of formats that the library does not read; NULL: none */
    const struct akin_saver *saver;            /* of formats that the library does not write; NULL: none */
    akin_limited limited;                      /* what its jobs stop at */
    akin_warning_sink note;                    /* is told of files that were removed; NULL: nobody is */
    const char *ceiling_of;                    /* says what the ceiling of its scope is */
    int sync;                                  /* outputs are on the disk before they are committed */
    int unmapped;                              /* saved files are read, not mapped */
    int verify;                                /* all of them is checked when they are opened */
    akin_mapping_sink mapped;                  /* is told of those that are, with this: */
    void *mapped_user;
    _Atomic uint64_t swept;    /* the last folder where such files were looked for, mixed; 0: none */
    const akin_annex *annex;   /* rows for tables of the library (base/annex.h); NULL: none */
    const akin_wishes *wishes; /* of tests; NULL: none */
};

/* akin_scope_of makes use of that. */
_Static_assert(offsetof(struct akin_context, scope) == 0, "a context begins with its scope");

/* The wishes of tests; all 0 where there are none. The scope is not NULL. */
const akin_wishes *akin_wishes_of(const akin_scope *scope);

/* The directory for temporary files. */
const char *akin_context_temporary(const akin_scope *scope);

#endif
