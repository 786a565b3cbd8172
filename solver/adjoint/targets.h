/* Values of boundaries that follow means of the flow, as further unknowns of the adjoint: the targets of mixing planes; the
 * pressures of outlets and inlets with a given mass flow or a throttle; the rise of the pressure along the span in radial
 * equilibrium and the means of non-reflecting outlets.
 *
 * A run moves such values until the means agree with them. In a settled flow
 *
 *     R(Q, t) = 0,     G(Q, t) = 0
 *
 * for the cells Q and the targets t; G is the target less the one that an update of the run with gain 1 would
 * set, or the error that the run's control lowers (solver/boundary/control_targets.h). G depends on Q by sums over rings of
 * faces, G = G(S, t), S = sum of what each face adds, so that
 *
 *     dG/dQ = dG/dS dS/dQ
 *
 * where dS/dQ has the pattern of dR/dQ, and dG/dS is a small dense block of each target.
 *
 * Targets stand behind the cells in vectors [rows][nv], as if each were a cell: a target has up to nv numbers. Those
 * that it does not have are zero. The equations of a target are over units and times the area of a mean face, so that
 * they have the size of residuals over unit_r.
 *
 * On several ranks all of them have all targets, their numbers and the sums over rings; the faces are those of the rank. */
#ifndef AN_ADJOINT_TARGETS_H
#define AN_ADJOINT_TARGETS_H

#include "solver/adjoint/cells.h"

enum { AN_MOST_UNKNOWNS = 7, AN_NTARGET_SUM = 14 };

struct an_mixing;
struct an_control;

enum an_target_kind {
    AN_TARGET_PLANE,    /* one side of a control band of a mixing plane */
    AN_TARGET_PRESSURE, /* the pressure of a boundary with a given mass flow or a throttle */
    AN_TARGET_RING      /* a band of an outlet whose values vary along the span */
};

struct an_target {
    enum an_target_kind kind;
    int band, side; /* PLANE: control band; RING: band of an_control.bands */
    int entry;      /* PRESSURE, RING: of an_control */
    /* of each number its place in `memory`; -1: the target has no such number */
    int at[AN_MOST_UNKNOWNS];
    double unit[AN_MOST_UNKNOWNS];
    /* 1: the flow does not say it, such as the turbulence of gas that does not come */
    int rests[AN_MOST_UNKNOWNS];
};

struct an_adjoint_targets {
    struct an_solver *s;                  /* the caller's */
    const struct an_adjoint_ranks *ranks; /* the caller's */
    /* those of the solver, NULL: none; for a while those of moved nodes */
    const struct an_mixing *planes;
    const struct an_control *control; /* of the solver */
    int n, nv;
    struct an_target *target; /* [n]; owned */
    /* [nmemory] the numbers of the solver: an_mixing_targets, behind them from first_control on
     * an_control_numbers_get; owned */
    int nmemory, first_control;
    double *memory;
    int imposed; /* 1: those are imposed */
    double area; /* m2, of a mean face; 0: not measured yet */
    /* sums of rings: the bands of mixing planes, then from ring_control on those of controlled boundaries, then from
     * ring_boundary on these boundaries, which are a ring where they have no bands */
    int nsum, ring_control, ring_boundary;
    double size[AN_NTARGET_SUM]; /* of sums, per area */

    /* faces of all rings, each measured on its own */
    int64_t nface;
    int64_t *cell; /* [nface]; owned */
    int *sum;      /* [nface] the ring; owned */
    struct {
        struct an_faces *faces;
        void *frame;              /* engine memory: FRAME; NULL: Cartesian */
        int64_t first, n;         /* of all faces */
    } set[3];                     /* mixing planes, bands of outlets, other controlled boundaries */
    struct an_xsum *room;         /* [nface][AN_NINTEGRAL]; owned */
    double (*term)[AN_NINTEGRAL]; /* [nface] what each adds; owned */
    double (*total)[AN_NINTEGRAL]; /* [nsum]; owned */

    /* after an_targets_graph */
    /* of each target the own cells whose residuals it changes; the inverse */
    struct an_lists touched, touching;
    struct an_lists
        foreign; /* of each target the foreign cells, from 0 on, that its equations read by faces of this rank */
    struct an_lists beside; /* of each target those whose equations read its numbers, itself too */
    struct an_lists sums, users; /* of each target the rings that its equations read; the inverse */
    double *weight;              /* [sums.first[n]][nv][AN_NTARGET_SUM] dG/dS; owned */
};

/* The sums that equations read: names of AN_I_... */
extern const int an_target_sum[AN_NTARGET_SUM];

/* Of the present values of the solver. unit_q[nv]: as an_adjoint_residual has them. After an error _free frees what
 * was made. */
int an_targets_new(struct an_solver *s, const struct an_adjoint_cells *cells, int nv,
                   const double *unit_q, struct an_adjoint_targets *t);
void an_targets_free(struct an_adjoint_targets *t);
/* Takes over what is no unknown, as the direction of the flow through planes, from targets of the same mesh. */
void an_targets_like(struct an_adjoint_targets *t, const struct an_adjoint_targets *from);

/* Numbers and vectors x[n][nv] in units of Q. */
void an_targets_get(const struct an_adjoint_targets *t, const double *unit_q, double *x);
/* Imposes x on the faces. */
int an_targets_set(struct an_adjoint_targets *t, const double *unit_q, const double *x);
/* What each face adds, and the sums, of the flow whose residual was the last to be computed. Collective. */
int an_targets_measure(struct an_adjoint_targets *t);
/* The equations of target p from sums and numbers, over the units: g[nv]. */
void an_targets_gaps(const struct an_adjoint_targets *t, double (*sum)[AN_NINTEGRAL],
                     const double *memory, int p, double *g);
/* All of them, r[n][nv] in units of R. */
void an_targets_residual(const struct an_adjoint_targets *t, const double *unit_r, double *r);

/* Who depends on whom, and the pattern of the matrix of cells and targets, whose columns of foreign cells stand behind the
 * targets. Collective. */
int an_targets_graph(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                     struct an_lists *pattern);
/* The cells before the faces of all rows of face values (solver/boundary/face_values.h), malloc'ed, the caller's. */
int an_targets_cells(const struct an_solver *s, const struct an_adjoint_cells *cells,
                     int64_t **cell);
/* Colours of targets, which change no common residual: colour[n], the same on all ranks. Collective. */
int an_targets_colours(const struct an_adjoint_targets *t, int32_t *colour, int *ncolour);
/* The derivatives of sum(mu G) by the sums, mu[n][nv] in units of targets: to[nsum][AN_NTARGET_SUM]. */
void an_targets_by_sums(const struct an_adjoint_targets *t, const double *mu, double *to);
/* dG/dS about the last measurement, and which numbers rest. */
void an_targets_weigh(struct an_adjoint_targets *t);

#endif
