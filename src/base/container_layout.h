/* How containers lie in files: the header, the table of sections, their checksums, and the kinds that there are. */
#ifndef AKIN_BASE_CONTAINER_LAYOUT_H
#define AKIN_BASE_CONTAINER_LAYOUT_H

#include "base/choice.h"
#include "base/scope.h"

/* A kind of file that akin saves: its name is that in the header, its help says what the file holds, its value is an
 * akin_saved_kind. */
typedef struct akin_saved_kind_row {
    akin_choice choice;
    const char *maker;  /* the command that makes such files */
    const char *reader; /* and what reads them */
    uint32_t blocks;    /* the version from which on they have checksums of blocks; 0: none has */
} akin_saved_kind_row;
extern const akin_choice_table akin_saved_kinds;

#define AKIN_CONTAINER_SECTIONS  64 /* at most */
#define AKIN_CONTAINER_MAGIC     "AKIN\r\n\x1a\n"
#define AKIN_CONTAINER_ALIGNMENT 64u
#define AKIN_CONTAINER_PIECE     ((uint64_t)16 << 20) /* hashed between two questions whether to stop */

/* The header as it lies in the file, without the table; the table and the header's checksum follow. */
typedef struct akin_container_header {
    char magic[8];
    char kind[8];
    uint32_t version;
    uint32_t count;
    uint64_t size;
} akin_container_header;

typedef struct akin_container_entry {
    uint64_t offset;
    uint64_t length;
    uint64_t hash;
} akin_container_entry;

_Static_assert(sizeof(akin_container_header) == 32 && sizeof(akin_container_entry) == 24,
               "structs that lie in memory as in the file");

extern const char akin_container_zeros[AKIN_CONTAINER_ALIGNMENT];

static inline uint64_t akin_container_header_bytes(uint32_t count)
{
    return sizeof(akin_container_header) + (uint64_t)count * sizeof(akin_container_entry) + sizeof(uint64_t);
}

static inline uint64_t akin_container_gap(uint64_t offset)
{
    return (0 - offset) & (AKIN_CONTAINER_ALIGNMENT - 1);
}

uint64_t akin_container_hash(const void *data, uint64_t length);

/* The same of a section, which may be of any length; AKIN_E_CANCELLED when asked to stop. */
akin_status akin_container_hash_section(const akin_scope *scope, const void *data, uint64_t length, uint64_t *out);

/* The kind of that name, padded with zeros; NULL: there is none. */
const akin_saved_kind_row *akin_container_kind_named(const char name[8]);

/* Whether the last section of such a file has checksums of blocks. */
int akin_container_has_blocks(const akin_container_header *header);

#endif
