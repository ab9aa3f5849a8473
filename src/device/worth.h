/* Whether a GPU is worth opening and using. Every room decides here, so a calibration informs all of them. */
#ifndef AKIN_DEVICE_WORTH_H
#define AKIN_DEVICE_WORTH_H

#include "base/scope.h"

#define AKIN_DEVICE_OPENS 0.5 /* seconds until a GPU can be used; measured on an H200 and its host */

/* Predicted seconds of a job. */
typedef struct akin_device_estimate {
    double here;  /* on the threads of the scope */
    double there; /* on a GPU that is open and has what the job needs; all beyond the kernels, too */
    double bring; /* until a GPU that is open has what the job needs; such jobs that follow have it, too */
    double times; /* jobs like this one that opening and bringing serve; 0: this one alone */
} akin_device_estimate;

/* The seconds until a GPU can be used: 0 if the context has one open, else as calibrated. */
double akin_device_opening(const akin_scope *scope);

/* Whether the jobs take less time with a GPU than without. The scope's choice of a device decides first: 1 for cuda, 0
 * for cpu. */
int akin_device_is_worth(const akin_scope *scope, const akin_device_estimate *estimate);

#endif
