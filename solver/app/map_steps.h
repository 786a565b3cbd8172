/* The settings of a speed line, one after the other, toward stall: planned ones first; where a
 * point fails, half the step from the last good one, until steps are too small. Pure.
 *
 *        good ----- good ----- failed         step halves: good + step / 2, ...
 */
#ifndef AN_SOLVER_MAP_STEPS_H
#define AN_SOLVER_MAP_STEPS_H

struct an_map_steps {
    int n;               /* planned settings */
    const double *value; /* [n], the caller's */
    double least;        /* smallest step; 0: an eighth of the planned one that failed first */

    int next; /* of the planned ones */
    int has_good, failed;
    double good, bad, step;
    double least_now;
};

/* The next setting into *value; 0 when the line is done. */
int an_map_next(const struct an_map_steps *s, double *value);
/* How the setting that an_map_next gave went. */
void an_map_note(struct an_map_steps *s, double value, int good);

#endif
