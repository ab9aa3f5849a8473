/* Seconds for reports, from a clock that never goes back. */
#ifndef AKIN_BASE_CLOCK_H
#define AKIN_BASE_CLOCK_H

double akin_clock(void);

#endif
