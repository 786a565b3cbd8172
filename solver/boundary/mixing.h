/* Mixing planes of a run: bc/mixing_plane.h on the faces of the mesh.
 *
 *     new .......... sides, control bands, what each face takes of which band
 *     start ........ targets from what stands on the other side
 *     step ......... behind the flow's step: fluxes of the bands; at the end of the iteration: new targets from these
 *                    (one reduction), the faces' values (solver/boundary/face_values.h), the ghosts behind them. The
 *                    host works on the targets while the device computes the turbulence
 *     keep, take ... targets to and from the record of a snapshot
 *     move ......... targets for a flow that is extrapolated (solver/march/predictor.h)
 *
 * A plane is two boundaries of type mixing_plane that name each other. Its upstream side is the one
 * whose outward normal points along x, or away from the axis where it has no part along x. Control
 * bands are made of the sides' own bands (solver/boundary/bands.h): none is thinner than a band of
 * either side there. A face takes the target at its own fraction of span, linear between the
 * middles of control bands. Coarser multigrid levels have the means of the finest level's values.
 */
#ifndef AN_SOLVER_MIXING_H
#define AN_SOLVER_MIXING_H

#include "bc/boundary_value.h"
#include "bc/mixing_plane.h"
#include "io/case.h"
#include "solver/boundary/bands.h"

struct an_solver;
struct an_component_type;

/* The target of a face: (1 - part) times that of control band `band`, and `part` times that of the
 * next one. */
struct an_mixing_face {
    int64_t row; /* of BCV on the finest level */
    int plane, side, band;
    double part, ey, ez; /* radial unit vector */
};

struct an_mixing_plane {
    int boundary[2];  /* upstream, downstream */
    double normal[2]; /* x, r: from upstream to downstream */
    int first, n;     /* control bands */
    double gain, gap; /* gap: largest of the last step, as of an_mixing_update */
};

struct an_mixing {
    int nplane, n;                 /* n: control bands of all planes */
    struct an_mixing_plane *plane; /* [nplane]; owned */
    struct an_mixing_band *band;   /* [n]; owned */
    double *lo, *hi;               /* [n] fractions of span; owned */
    struct an_bands *bands;        /* group 2 p + s: side s of plane p; owned */
    double (*sum)[AN_NINTEGRAL];   /* [bands->n] of the last step; owned */
    int measured;                  /* 1: the sums of this step are on their way */
    int64_t nface;
    struct an_mixing_face *face; /* [nface] of this rank; owned */
    struct an_faces *faces;      /* of the engine: the same faces */
};

/* The part of a run with mixing planes. AN_INPUT, in plain words: spans that do not lie on each
 * other, a pitch that goes into no turn. */
extern const struct an_component_type an_mixing_component;
/* Numbers of a control band: density, velocity along n, m, t, pressure and TURB of the target of side 1, the same of
 * side 2, and whether the flow goes from 2 to 1. */
enum { AN_MIXING_NUMBERS = 15 };
/* Numbers of the targets of all control bands; 0: there are no mixing planes. */
int an_mixing_numbers(const struct an_solver *s);
/* The targets into v[an_mixing_numbers]. */
void an_mixing_targets(const struct an_solver *s, double *v);
/* Moves the targets by part (newer - older), sets of an_mixing_targets. Ghost cells do not follow. Collective. */
int an_mixing_move(struct an_solver *s, const double *newer, const double *older, double part);
/* Makes v[an_mixing_numbers] the targets. Ghost cells do not follow. Collective. */
int an_mixing_set(struct an_solver *s, const double *v);
/* The numbers of a control band after an update with gain 1 from the numbers v of this band and the sums of all bands,
 * into answer[AN_MIXING_NUMBERS]: those of a settled flow are their own answer. planes: those of the solver, or the same of a
 * mesh whose nodes were moved. Not collective. */
void an_mixing_answer(const struct an_solver *s, const struct an_mixing *planes,
                      double (*sum)[AN_NINTEGRAL], int band, const double *v, double *answer);
/* What face f takes of the targets of its control bands, without harmonics. Not collective. */
void an_mixing_face_value(const struct an_mixing *m, int64_t f, double v[AN_BC_NVALUE]);
/* For tests, which look at the profiles. NULL: there are no mixing planes. */
struct an_mixing *an_mixing_of(const struct an_solver *s);

#endif
