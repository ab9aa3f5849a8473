/* Seconds for reports, from a clock that never goes back, and those that a thread had a processor. */
#ifndef AKIN_BASE_CLOCK_H
#define AKIN_BASE_CLOCK_H

double akin_clock(void);

/* The seconds that the calling thread has run, whatever else the machine does; 0 where the system does not count them.
 */
double akin_clock_of_thread(void);

#endif
