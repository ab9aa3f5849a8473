/*
 * Parses the `ids` text format from memory: every line a set of decimal token ids, separated by blanks.
 *
 *     text   = { line LF } [ line ]            a last line without LF counts if it has a byte
 *     line   = { blank | token } [ CR ]        blank: space or tab; no tokens: an empty set
 *     token  = digit { digit }                 its value is at most 2^32 - 1; zeros may lead
 */
#ifndef AKIN_SETS_IDS_H
#define AKIN_SETS_IDS_H

#include "base/bulk.h"

/* A collection in the making. */
typedef struct akin_ids {
    const char *name;       /* of the text, for messages; borrowed */
    akin_cpu cpu;           /* the SIMD level to parse with */
    uint64_t rows;          /* lines read */
    uint64_t rows_capacity; /* offsets has room for one more than that */
    uint64_t *offsets;
    uint64_t count; /* tokens kept */
    uint64_t capacity;
    uint32_t *tokens;
    akin_bulk bulks[2]; /* what offsets and tokens are in */
} akin_ids;

/* Parses as the scope's SIMD level says, and keeps what its memory bound allows on the heap, the rest in temporary
 * files. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_ids_begin(akin_ids *ids, const akin_scope *scope, const char *name, akin_error *error);

/*
 * Parses the next `length` (above 0) bytes of the text: whole lines. Only the last line of the text may lack its line
 * feed. Errors: AKIN_E_INPUT names the line and the token; AKIN_E_LIMIT (rows beyond 2^32 - 1), AKIN_E_NOMEM, AKIN_E_IO
 * (a temporary file). After an error only akin_ids_clear may follow.
 */
akin_status akin_ids_add(akin_ids *ids, const char *text, size_t length, akin_error *error);

/* Makes room for `times` as many rows and tokens as there are, if there is memory for that. */
void akin_ids_expect(akin_ids *ids, double times);

/* Forgets what was parsed, and keeps the memory. */
void akin_ids_renew(akin_ids *ids);

/* Where the rows of a piece, which were parsed on their own, belong. */
typedef struct akin_ids_place {
    uint64_t *offsets; /* the ends of its rows */
    uint32_t *tokens;
    uint64_t before; /* tokens of rows before */
} akin_ids_place;

/* Whether there is room for the rows of a piece; then akin_ids_put does not move what is there. */
int akin_ids_have_room(const akin_ids *ids, const akin_ids *piece);

/* Adds the rows of a piece, which are akin_ids_copy's to copy to the place; all rows are below 2^32. Errors:
 * AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_ids_put(akin_ids *ids, const akin_ids *piece, akin_ids_place *place, akin_error *error);
void akin_ids_copy(const akin_ids *piece, const akin_ids_place *place);

/* Hands out what was parsed as a collection, in blocks cut to size. Errors: AKIN_E_NOMEM. */
akin_status akin_ids_finish(akin_ids *ids, akin_sets **out, akin_error *error);

/* Frees what is held; allowed at any time after akin_ids_begin, also if that or another step failed. */
void akin_ids_clear(akin_ids *ids);

#endif
