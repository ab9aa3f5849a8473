/* Files that appear whole or not at all, within a scope. */
#ifndef AKIN_BASE_OUTPUT_H
#define AKIN_BASE_OUTPUT_H

#include "base/scope.h"

/* As the public function, within a scope. */
akin_status akin_output_open_within(const akin_scope *scope, const char *path, akin_output **out, akin_error *error);

/* An output whose bytes go to a saver. `database` is what messages call the database; NULL: `saving` has the path of a
 * file. The descriptor of that is filled in. Errors: those of the saver; AKIN_E_OPTION (the path is that of no regular
 * file). */
akin_status akin_output_open_saved(const akin_scope *scope, const akin_saver *saver, const akin_saving *saving,
                                   const char *database, akin_output **out, akin_error *error);

/* The scope of an output, or NULL, and its name for messages. */
const akin_scope *akin_output_scope(const akin_output *output);
const char *akin_output_name(const akin_output *output);

/* Whether a saver knows the columns, so that lines need no header. */
int akin_output_has_columns(const akin_output *output);

#endif
