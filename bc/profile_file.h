/* The lines of the CSV file of a profile (profile.h), as they stand there: used by profile.c alone. */
#ifndef AN_BC_PROFILE_FILE_H
#define AN_BC_PROFILE_FILE_H

#include "bc/profile.h"

/* Where a line stands: time (s), angle (degrees), fraction of the span or radius (m). */
enum an_profile_place { AN_PLACE_TIME, AN_PLACE_THETA, AN_PLACE_SPAN, AN_NPLACE };

struct an_profile_line {
    int number; /* in the file */
    double place[AN_NPLACE];
    double value[AN_NPROFILE];
};

struct an_profile_lines {
    int n;
    struct an_profile_line *line; /* [n]; owned */
    int has[AN_NPROFILE], placed[AN_NPLACE], by_radius;
};

/* AN_INPUT, naming file, line and column, where it cannot be read. free() *lines.line, also then. */
int an_profile_lines_read(const char *path, struct an_profile_lines *lines);

#endif
