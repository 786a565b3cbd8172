/* How wide the terminal is on which a run prints. Not collective. */
#ifndef AN_IO_SCREEN_H
#define AN_IO_SCREEN_H

#include <stdio.h>

/* Columns of the terminal; 0: `screen` is a file or a pipe, or nobody knows. COLUMNS says it where a
 * launcher's terminal has no size. */
int an_screen_columns(FILE *screen);
/* Is there a terminal of fewer columns than these? */
int an_screen_is_narrow(FILE *screen, int columns);
/* Prints a line; on a terminal that is too narrow it is broken between words, and what follows begins behind
 * `indent` blanks. */
void an_screen_line(FILE *screen, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
