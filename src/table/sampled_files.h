/*
 * Which files a sample of a table is read from, and how much of each. Places that are spread evenly over the bytes of
 * all files fall into files: a file gets a part for each of them.
 *
 *     files     | a      | b | c            |          a part of a, two of c
 *     places        ^        ^       ^
 */
#ifndef AKIN_TABLE_SAMPLED_FILES_H
#define AKIN_TABLE_SAMPLED_FILES_H

#include "table/files.h"

typedef struct akin_sampled_file {
    uint64_t size; /* as stored */
    uint64_t most; /* bytes of text to read */
} akin_sampled_file;

/* One that is all zeros has no files. */
typedef struct akin_sampled_files {
    akin_files files; /* their names are borrowed */
    akin_sampled_file *list;
    uint64_t stored, taken; /* bytes as stored: of all files, and those that were read */
} akin_sampled_files;

/* Chooses files for about `bytes` bytes of text: all of them, if they are stored in no more. `all` stays as long as
 * *out, which the caller clears in any case. Errors: AKIN_E_INPUT (no regular file), AKIN_E_NOMEM. */
akin_status akin_sampled_choose(const akin_files *all, uint64_t bytes, akin_sampled_files *out, akin_error *error);
void akin_sampled_clear(akin_sampled_files *sampled);

/* The bytes of text that are to be read of a chosen file. */
static inline uint64_t akin_sampled_most(const akin_sampled_files *sampled, uint64_t index)
{
    return sampled->list[index].most;
}

/* Notes how many bytes of a chosen file, as stored, were read; UINT64_MAX: all. */
void akin_sampled_note(akin_sampled_files *sampled, uint64_t index, uint64_t bytes);

/* How many times as long all files are as what was read. */
double akin_sampled_times(const akin_sampled_files *sampled);

#endif
