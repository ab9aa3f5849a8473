/* What a calibration measures (akin_context_calibrate): kinds of work, in the order of akin_calibration. */
#ifndef AKIN_BASE_CALIBRATED_H
#define AKIN_BASE_CALIBRATED_H

typedef enum akin_calibrated {
    AKIN_CALIBRATED_LISTS,    /* the CPU walks lists, */
    AKIN_CALIBRATED_SCREENED, /* screens what it finds in lists, */
    AKIN_CALIBRATED_BITMAP,   /* and compares everything with everything */
    AKIN_CALIBRATED_OPENING,  /* a GPU is opened, */
    AKIN_CALIBRATED_TRANSFER, /* data are brought to it, */
    AKIN_CALIBRATED_COMPARE,  /* it compares signatures of sets, */
    AKIN_CALIBRATED_VERIFY    /* and verifies candidates */
} akin_calibrated;

#define AKIN_CALIBRATED_KINDS (AKIN_CALIBRATED_VERIFY + 1)

#endif
