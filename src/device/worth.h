/*
 * Whether a GPU is worth opening and using: every room asks here.
 *
 * A calibration (base/calibrated.h) informs all rooms about opening a GPU and bringing data to it, and about the CPU:
 * each room names the kind of work that its own is most like. The work of a GPU itself is calibrated for joins of sets
 * alone (join/weigh_gpu.c); elsewhere `there` comes from the figures of a room.
 */
#ifndef AKIN_DEVICE_WORTH_H
#define AKIN_DEVICE_WORTH_H

#include "base/calibrated.h"
#include "base/scope.h"

#define AKIN_DEVICE_OPENS 0.5 /* seconds until a GPU can be used; measured on an H200 and its host */

/* Predicted seconds of a job, as calibrated. */
typedef struct akin_device_estimate {
    double here;  /* on the threads of the scope */
    double there; /* on a GPU that is open and has what the job needs; all beyond the kernels, too */
    double bring; /* until a GPU that is open has what the job needs; such jobs that follow have it, too */
    double times; /* jobs like this one that opening and bringing serve; 0: this one alone */
} akin_device_estimate;

/* How many times as long as the figures of a room say that work takes on this machine: 1 without a calibration. */
double akin_calibrated_scale(const akin_scope *scope, akin_calibrated kind);

/* The seconds until a GPU can be used: 0 if the context has one open. */
double akin_device_opening(const akin_scope *scope);

/* The seconds to bring bytes to a GPU, or from it, by memory that is not pinned. */
double akin_device_bringing(const akin_scope *scope, double bytes);

/* Whether the scope leaves the choice between the CPU and a GPU to the job. If not, nothing need be predicted. */
int akin_device_is_optional(const akin_scope *scope);

/* The seconds that the job takes on a GPU, with its share of opening and bringing. */
double akin_device_seconds(const akin_scope *scope, const akin_device_estimate *estimate);

/* Whether the jobs take less time with a GPU than without. The scope's choice of a device decides first: 1 for cuda, 0
 * for cpu. */
int akin_device_is_worth(const akin_scope *scope, const akin_device_estimate *estimate);

/* Whether a GPU is open, and so fast, below `quick` seconds, that a prediction for the CPU would take too long beside
 * it. */
int akin_device_is_quick(const akin_scope *scope, double there, double quick);

#endif
