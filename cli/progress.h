/* The progress line of a long job: what is being done, how far it is, how fast it goes and what time is left. */
#ifndef AKIN_CLI_PROGRESS_H
#define AKIN_CLI_PROGRESS_H

#include "akin.h"

typedef struct akin_cli_progress {
    double begun;       /* when the job began, in seconds of a clock that never goes back */
    double drawn;       /* when the line was last drawn */
    double phase_begun; /* when the phase began */
    const char *phase;
    int visible; /* whether there is a line to clear */
} akin_cli_progress;

/* Seconds of a clock that never goes back. */
double akin_cli_clock(void);

/* Whether stderr is a terminal that can redraw a line. */
int akin_cli_progress_wanted(void);

void akin_cli_progress_begin(akin_cli_progress *line);

/* Draws the line, if the job has run for a second and the last drawing is a tenth of a second old. */
void akin_cli_progress_show(akin_cli_progress *line, const akin_progress *progress);

/* Takes the line off the screen. */
void akin_cli_progress_clear(akin_cli_progress *line);

#endif
