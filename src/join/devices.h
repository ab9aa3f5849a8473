/* The join on GPUs: on one at once, on several that have all sets each, or cut in shares where it does not fit. */
#ifndef AKIN_JOIN_DEVICES_H
#define AKIN_JOIN_DEVICES_H

#include "join/technique.h"

/* How many workers a job needs whose device, devices and threads are set: GPUs that share it have some of their own. */
uint32_t akin_join_devices_slots(const akin_join_job *job);

/*
 * Does the step that is set in job (technique, widths, sides) on job->device, or on all of job->devices. Then it writes
 * the numbers of GPUs and parts to the step. Errors: those of the technique; AKIN_E_NOMEM, and the message says for
 * what a GPU has too little memory; AKIN_E_DEVICE.
 */
akin_status akin_join_on_devices(akin_join_job *job, akin_join_step *step, akin_error *error);

#endif
