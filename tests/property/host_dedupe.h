/* Of the GPU that the host plays for akin_dedupe (property/host_dedupe.c): what a test sets, and what it counts. */
#ifndef AKIN_TEST_HOST_DEDUPE_H
#define AKIN_TEST_HOST_DEDUPE_H

#include "property/host_device.h"

/* What comes of launches that can be cut. */
typedef enum host_mood {
    HOST_BY_JOB, /* one job after the other has one of those below */
    HOST_STEADY, /* all is done */
    HOST_MOODY,  /* of some half is done, and others find more than there is room for */
    HOST_LATE,   /* of all half is done */
    HOST_FULL    /* all find more than there is room for */
} host_mood;

typedef struct host_dedupe_state {
    host_mood mood;
    uint64_t lists, meetings; /* launches that screened */
    uint64_t scores;          /* and that scored */
    uint64_t cut;             /* meetings given up */
    uint64_t listed, scored;  /* pairs */
    uint64_t drivers;         /* bits of attributes */
    uint32_t longest;         /* value of a driver */
} host_dedupe_state;

extern host_dedupe_state host_dedupe;

#endif
