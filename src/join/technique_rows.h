/* The table of the techniques of joins. */
#ifndef AKIN_JOIN_TECHNIQUE_ROWS_H
#define AKIN_JOIN_TECHNIQUE_ROWS_H

#include "join/technique.h"

/*
 * The techniques by name. The other tables are empty in the library, and an annex may have rows for them:
 *
 *     akin_join_gpu_techniques   techniques of the library, as the annex does them on a GPU where the library does not
 *     akin_join_readers          an akin_join_reader
 */
extern const akin_choice_table akin_join_techniques, akin_join_gpu_techniques, akin_join_readers;

/* Row `index` of the techniques of the library, NULL beyond the last one. */
const akin_technique_row *akin_technique_at(uint32_t index);

/* Return the row of a technique of the library or the annex, or NULL, and the row to use for it on a GPU. */
const akin_technique_row *akin_technique_of(const akin_annex *annex, akin_technique technique);
const akin_technique_row *akin_technique_on_gpu(const akin_annex *annex, akin_technique technique);

/* Lists the names of the techniques that have one of `capabilities`: "a, b or c". */
void akin_technique_list(const akin_annex *annex, unsigned capabilities, char *names, size_t room);

#endif
