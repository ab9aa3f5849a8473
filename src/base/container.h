/*
 * The one container of all saved files: a kind, a version and checked sections.
 *
 *     offset 0    magic "AKIN\r\n\x1a\n" (8 bytes: text-mode transfers and truncation at control-Z show at once)
 *            8    kind (8 bytes, ASCII, padded with zeros: "sets")
 *           16    uint32 version of the kind, uint32 number of sections
 *           24    uint64 size of the whole file
 *           32    table: for each section  uint64 offset, uint64 length, uint64 XXH3 of its bytes
 *           ..    uint64 XXH3 of everything before it
 *           ..    sections, each at the next multiple of 64, the gaps zero; the file ends with the last one
 *
 * All integers are little-endian. XXH3 is its 64-bit form without seed. A reader checks magic, size, table, checksums
 * and gaps before it hands out a byte.
 *
 * A kind may have checksums of blocks, from a version on (akin_saved_kind_row.blocks): then the last section, beyond
 * those of the kind, has
 *
 *     uint64 XXH3 of each AKIN_CONTAINER_BLOCK bytes, the last block of a section maybe shorter, section by section
 *
 * A reader checks that section, and leaves the others. Who reads of them checks the blocks that have it first
 * (akin_section_check). So a file is open at once, and one that is read in few places is checked in few places.
 */
#ifndef AKIN_BASE_CONTAINER_H
#define AKIN_BASE_CONTAINER_H

#include "base/bulk.h"
#include "base/container_layout.h"

#define AKIN_CONTAINER_BLOCK 16384 /* bytes that have a checksum of their own */

/* What is known of the blocks of a section. */
typedef struct akin_section_blocks {
    const char *file;       /* its name, for messages */
    uint64_t offset;        /* of the section in the file */
    const uint64_t *sums;   /* of blocks, */
    _Atomic uint64_t *done; /* and a bit for each: it was checked */
} akin_section_blocks;

/* A part of a file, to write or as read. */
typedef struct akin_section {
    const void *data;
    uint64_t length;
    int is_mapped;                     /* it is in a mapped file, which others may change */
    const akin_section_blocks *blocks; /* each is checked before it is read; NULL: all was checked */
} akin_section;

/* Whether the first bytes of a file (8 are enough) are the container's magic. */
int akin_container_recognise(const char *data, size_t length);

/* Refuses a file without a byte whose name is that of a saved file: .akin, .akin.gz or .akin.zst. */
akin_status akin_container_check_empty(const char *name, uint64_t length, akin_error *error);

/* Writes a container to an output, to which nothing else is written; or saves it at path, whole or not at all. The
 * sections are written as they lie in memory: little-endian arrays. The kind has at most 8 characters. The context is
 * asked now and then whether to stop. Errors: AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_container_write(const akin_scope *scope, akin_output *output, const char *kind, uint32_t version,
                                 const akin_section *sections, uint32_t count, akin_error *error);
akin_status akin_container_save(const akin_scope *scope, const char *path, const char *kind, uint32_t version,
                                const akin_section *sections, uint32_t count, akin_error *error);

typedef struct akin_container akin_container;

/* Reads the file at path ("-": standard input) and checks all of it, but for sections whose blocks have checksums: it
 * must be of that kind, of a version up to `version`, and have exactly `count` sections, beside that of checksums. A
 * regular file is mapped, unless the context reads it. The caller is asked now and then whether to stop. Errors:
 * AKIN_E_INPUT names the file, the byte and what is wrong; AKIN_E_IO, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_container_open(const akin_scope *scope, const char *path, const char *kind, uint32_t version,
                                uint32_t count, akin_container **out, akin_error *error);

/* Reads a file of any kind of akin_saved_kinds, of any version and with any number of sections; or takes one from
 * memory, as below. `expected` says in messages what should be there: "an index (made by akin index)".
 * akin_container_expect checks then what akin_container_open does beyond: kind, version and sections. Errors: as
 * above. */
akin_status akin_container_open_any(const akin_scope *scope, const char *path, const char *expected,
                                    akin_container **out, akin_error *error);
akin_status akin_container_parse_any(const akin_scope *scope, const char *name, const void *data, uint64_t length,
                                     const char *expected, akin_container **out, akin_error *error);
akin_status akin_container_expect(const akin_container *container, const char *name, const char *kind, uint32_t version,
                                  uint32_t count, akin_error *error);

/* The same from memory, which is borrowed until the container is closed and must be 64-byte aligned; `name` is for
 * messages. */
akin_status akin_container_parse(const akin_scope *scope, const char *name, const void *data, uint64_t length,
                                 const char *kind, uint32_t version, uint32_t count, akin_container **out,
                                 akin_error *error);

/* Section `index`, 64-byte aligned, valid until the container is closed. */
akin_section akin_container_section(const akin_container *container, uint32_t index);

/* Replaces a section of a mapped file by a copy in *own, with `pad` zeros behind it, and some more; leaves others, and
 * *own, as they are. Checksums vouch only for the past: who follows places that a section holds, or counts by it what
 * memory is needed, keeps it first, and checks the copy. The caller clears *own in any case. Errors: AKIN_E_NOMEM,
 * AKIN_E_IO. */
akin_status akin_section_keep(const akin_scope *scope, akin_budget_share share, akin_section *section, uint64_t pad,
                              akin_bulk *own, akin_error *error);

/* How many blocks a section of that many bytes has. */
uint64_t akin_container_blocks(uint64_t length);

/* The checksums of the blocks of a section. Errors, without a message: AKIN_E_CANCELLED. */
akin_status akin_container_sum(const akin_scope *scope, const akin_section *section, uint64_t *sums);

/* Checks all blocks of a section, whatever was checked before. Errors: AKIN_E_INPUT, AKIN_E_CANCELLED. */
akin_status akin_container_check_sums(const akin_scope *scope, const akin_section *section, akin_error *error);

/* The error of a section with a damaged block at `byte`, counted from its beginning. */
akin_status akin_section_refuse(const akin_section *section, uint64_t byte, akin_error *error);

/* Checks the blocks that have the bytes from `begin` up to `end`, if they were not checked before. Any number of
 * threads may do so at once. Errors: AKIN_E_INPUT. */
akin_status akin_section_check(const akin_section *section, uint64_t begin, uint64_t end, akin_error *error);

/* The same for a section whose blocks are copied to their places in `to`, each once, and the copies checked: what was
 * checked does not change any more. One thread at a time. */
akin_status akin_section_bring(const akin_section *section, void *to, uint64_t begin, uint64_t end, akin_error *error);

/* Checks all of a container, whatever was checked before: the checksums of sections, and those of blocks. Errors:
 * AKIN_E_INPUT, AKIN_E_CANCELLED. */
akin_status akin_container_check(const akin_scope *scope, const akin_container *container, akin_error *error);

/* String `i` of a section of offsets, which has more than that, and one of bytes, in *out and *length; an empty one if
 * others have changed the offsets. */
void akin_section_string(const akin_section *offsets, const akin_section *bytes, uint64_t i, const char **out,
                         size_t *length);

/* The mapping of its file; NULL: it has none. Accepts NULL. */
const akin_mapping *akin_container_mapping(const akin_container *container);

uint32_t akin_container_version(const akin_container *container);
uint64_t akin_container_bytes(const akin_container *container); /* of the file */
/* The row of its kind; NULL: it has none. */
const akin_saved_kind_row *akin_container_kind(const akin_container *container);
/* Accepts NULL. */
void akin_container_close(akin_container *container);

#endif
