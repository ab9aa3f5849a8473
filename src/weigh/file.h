/* Weights in a file of akin. */
#ifndef AKIN_WEIGH_FILE_H
#define AKIN_WEIGH_FILE_H

#include "weigh/weights.h"

/* Opens weights from `length` bytes in memory, which become theirs, and stay the caller's if it fails; `name` is for
 * messages. Errors: those of akin_weights_open. */
akin_status akin_weights_parse(const akin_scope *scope, const char *name, akin_bulk *image, uint64_t length,
                               akin_weights **out, akin_error *error);

/* Takes weights from a container, which becomes theirs; if there are none, the container is closed. */
akin_status akin_weights_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                      akin_weights **out, akin_error *error);

/* Writes weights as such a file, with the names of documents (NULL: none), of arguments that were checked. */
akin_status akin_weights_write_file(const akin_scope *scope, const akin_weights *weights, const akin_column *names,
                                    akin_output *output, akin_error *error);

#endif
