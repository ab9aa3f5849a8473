/* Weights as a sparse matrix of SciPy. */
#ifndef AKIN_WEIGH_NPZ_H
#define AKIN_WEIGH_NPZ_H

#include "weigh/weights.h"

/* Writes weights as a file .npz. */
akin_status akin_weights_write_npz(const akin_scope *scope, const akin_weights *weights, akin_output *output,
                                   akin_error *error);

#endif
