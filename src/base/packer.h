/* Compresses what is written to a file, with gzip or zstd. */
#ifndef AKIN_BASE_PACKER_H
#define AKIN_BASE_PACKER_H

#include "base/error.h"

typedef struct akin_packer akin_packer;

/* Takes compressed bytes. */
typedef akin_status (*akin_packed_sink)(void *user, const void *data, size_t length, akin_error *error);

/* A packer for a file of that name: .gz is gzip, .zst is zstd, for any other name *out is NULL. Errors:
 * AKIN_E_NOMEM. */
akin_status akin_packer_open(const char *name, akin_packer **out, akin_error *error);

/* Compresses bytes, and hands what comes of them to the sink; with `is_last` all that is left. Errors: AKIN_E_NOMEM,
 * those of the sink. */
akin_status akin_packer_add(akin_packer *packer, const void *data, size_t length, int is_last, akin_packed_sink sink,
                            void *user, akin_error *error);

/* Accepts NULL. */
void akin_packer_close(akin_packer *packer);

#endif
