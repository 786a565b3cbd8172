/* The lines of the CSV file of a profile (profile.h), as they stand there: used by profile.c alone. */
#ifndef AN_BC_PROFILE_FILE_H
#define AN_BC_PROFILE_FILE_H

#include "bc/profile.h"
#include "bc/table_file.h"

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

/* AN_INPUT, naming file, line and column, where it cannot be read. free() *lines.line, also then. station: that
 * of a file which a run wrote, from 1; 0: the only one. */
int an_profile_lines_read(const char *path, int station, struct an_profile_lines *lines);

/* What a column holds: enum an_profile_column, AN_COLUMN_PLACE + enum an_profile_place, or one of these. */
enum { AN_COLUMN_IGNORED = -1, AN_COLUMN_PLACE = AN_NPROFILE, AN_COLUMN_BAND = 100 };
/* What a name of the heading means: a quantity and its unit, as in p0_kPa, `p0 [kPa]` or radius_mm. from_run: the
 * heading is that of a file which a run wrote, whose other columns are ignored. AN_INPUT, in a sentence that begins
 * with the name, where it has no meaning. */
int an_profile_column_read(const char *name, int from_run, struct an_table_meaning *as);

#endif
