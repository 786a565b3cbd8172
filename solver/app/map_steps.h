/* The settings of a speed line, one after the other, toward stall: planned ones first; where a
 * point fails, half the step from the last good one, until steps are too small. Pure.
 *
 *        good ----- good ----- failed         step halves: good + step / 2, ...
 *
 * A planned point that swings or moves is no sign of stall: behind choked rows flows do so. It is left aside, and the
 * next planned one follows. The search begins where that one is not kept either, between the last good point and the one left aside.
 */
#ifndef AN_SOLVER_MAP_STEPS_H
#define AN_SOLVER_MAP_STEPS_H

#include <stdint.h>

/* How a point went. */
enum an_map_went {
    AN_MAP_KEPT,
    AN_MAP_RESTLESS, /* not kept, without a sign of stall */
    AN_MAP_FAILED
};

/* Iterations that the points of a line took, and which were kept. */
struct an_map_effort {
    int64_t all, search; /* of all points; of those after the first that failed */
    int kept, failed;
};

struct an_map_steps {
    int n;               /* planned settings */
    const double *value; /* [n], the caller's */
    double least;        /* smallest step; 0: an eighth of the planned one that failed first */

    int next; /* of the planned ones */
    int has_good, failed;
    int aside; /* 1: the last point was left aside, and is bad */
    double good, bad, step;
    double least_now;
    struct an_map_effort
        effort; /* nothing where the user says, by `least`, how near to stall the search is to come */
};

/* The next setting into *value; 0 when the line is done. */
int an_map_next(const struct an_map_steps *s, double *value);
/* How the setting that an_map_next gave went, and after how many iterations. */
void an_map_note(struct an_map_steps *s, double value, enum an_map_went went, int64_t iterations);
/* Is the flow choked? From the point before, whose mass flow and outlet pressure are given, too, the mass flow has changed by at
 * most 0.1 %, while the pressure has changed by 1 % or more. */
int an_map_is_choked(double flow_before, double pressure_before, double flow, double pressure);
/* Which row is choked: the first one of n, in the order of the flow, whose static pressure at its end has changed from the point
 * before by at least a fifth of the largest change of a row. Ahead of it the flow does not know what happens
 * behind its throat. -1: a pressure is not known, or none has changed. */
int an_map_choked_row(int n, const double *before, const double *now);

/* Iterations that a point of the search may take, so that the search remains within 30 % of all; before the first point that
 * failed: INT64_MAX. */
int64_t an_map_search_left(const struct an_map_effort *e);
/* Would one more point, with the mean iterations of those before the search, take the search beyond 30 % of all? */
int an_map_has_searched(const struct an_map_effort *e);

#endif
