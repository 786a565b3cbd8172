/* Values of an inlet over the span, the angle around the axis and the time, from a CSV file.
 *
 *     # comment
 *     span,p0_Pa,T0_K,swirl_deg,pitch_deg,viscosity_ratio
 *     0.0,98000,288.1,0,0,10
 *     ...
 *
 * One column says where a line stands: `span` (0 at the hub, 1 at the casing) or `radius_m`. `theta_deg`
 * (from y to z) and `time_s` may stand beside it. Of the columns of values any may be left out, and the
 * boundary's own values then stand. tan swirl = Vt / Vm, positive from y to z; tan pitch = Vr / Vx;
 * viscosity_ratio: nu tilde / nu of what flows in, at total conditions; k_J_kg and omega_1_s: k and omega
 * of SST.
 *
 * Columns may be separated by semicolons or tabs, too, and a name may be in quotes. The names have units: p0_kPa,
 * `T0 [C]`, radius_mm, swirl_rad and so on, of kernels/base/units.h, are converted when they are read.
 *
 * profile_NNNNNNNN.csv of a run (solver/monitor/stations.h) is such a file, too: the bands of one station by span,
 * with p0_Pa, T0_K, alpha_deg as swirl and pitch_deg. The values of its outer bands reach to hub and casing.
 *
 * Without theta_deg and time_s lines come in rising order. With them there is one line, in any order, for
 * each combination of the places, angles and times that occur; the largest angle is one period of the
 * pattern after the smallest one and has the same values. Between lines, values are linear along the span
 * and smooth in angle and time (cubic.h). Before the first and after the last time they are constant, or
 * the series repeats.
 */
#ifndef AN_BC_PROFILE_H
#define AN_BC_PROFILE_H

#include "kernels/base/error.h"

enum an_profile_column {
    AN_PROFILE_P0,
    AN_PROFILE_T0,
    AN_PROFILE_SWIRL,
    AN_PROFILE_PITCH,
    AN_PROFILE_VISCOSITY,
    AN_PROFILE_K,
    AN_PROFILE_OMEGA,
    AN_NPROFILE
};

struct an_profile {
    int n;                /* places along the span */
    int by_radius;        /* 1: `at` is a radius in m, 0: a fraction of the span */
    double *at;           /* [n] rising; owned */
    int has[AN_NPROFILE]; /* 1: the file has that column */
    int ntheta, ntime;    /* 1: no column theta_deg, time_s */
    double *theta;        /* [ntheta] rising, degrees; owned */
    double *time;         /* [ntime] rising, s; owned */
    /* [ntime][ntheta][n] Pa, K, degrees, degrees, -, J/kg, 1/s; owned */
    double (*value)[AN_NPROFILE];
    double (*rate)[AN_NPROFILE]; /* slopes in time, where ntime > 1; owned */
    /* [ntheta][n] of the time of an_profile_set_time, and slopes around the axis; owned */
    double (*now)[AN_NPROFILE], (*slope)[AN_NPROFILE];
    double (*mean)[AN_NPROFILE]; /* [n] of `now`, around the axis; owned */
    double period;               /* s: of the series, 0: it does not repeat */
    double *work;                /* owned */
    int *line;                   /* [ntime][ntheta][n] of the file, for messages; owned */
};

/* How the file calls a column of values. */
const char *an_profile_column_name(enum an_profile_column column);

/* period: s, after which a series in time repeats; 0: it does not. station: that of a file which a run wrote, from 1;
 * 0: the file has only one, or is another file. The values of the first time are set.
 * AN_INPUT, naming file and line, when it cannot be used. Not collective. */
int an_profile_read(const char *path, double period, int station, struct an_profile *p);
void an_profile_free(struct an_profile *p);
/* The angle, degrees, after which the values repeat; 0: they do not depend on the angle. */
double an_profile_pattern(const struct an_profile *p);
/* The values are to be those of a time, s. */
void an_profile_set_time(struct an_profile *p, double time);
/* Values at a place within the profile, which must hold it, and any angle, degrees. */
void an_profile_at(const struct an_profile *p, double at, double theta, double value[AN_NPROFILE]);
/* Values at a place within the profile, averaged around the axis over one period of the pattern. */
void an_profile_mean_at(const struct an_profile *p, double at, double value[AN_NPROFILE]);
/* Unit vector of a flow with swirl and pitch (degrees) at the point (y, z). */
void an_profile_direction(double swirl, double pitch, double y, double z, double d[3]);

#endif
