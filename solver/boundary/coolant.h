/* Cooling and bleed: walls that gas comes out of, or is sucked through, at a given mass flow.
 *
 * The boundary stays a wall (slip or viscous, turning with its row). The mass, momentum and energy
 * that pass it are added to the residual of the cells beside it, spread over the boundary by area.
 * Holes are not resolved.
 *
 *   cooling   a face of area a gets  m a / A  [1, V, cp T + V^2 / 2],  with the exit state
 *                 T = T0r / (1 + (gamma - 1)/2 M^2),  V = M sqrt(gamma R T) d + omega x r
 *             d: the direction given, or the normal into the gas; M: the Mach number at the exit,
 *             relative to the wall. T0r = T0 where T0 is relative to the wall; where it is that of
 *             a supply at rest, T0r = T0 + (omega r)^2 / (2 cp): the row pumps it up to its radius.
 *             These are constant: the mass, momentum and energy that enter are the given ones, to
 *             rounding.
 *             With p0 in place of M: that of a lossless expansion from p0 (of the same frame as T0)
 *             to the mean pressure of the wall, limited to 0.01 to 1. The pressure is measured
 *             before the first step and every `control_every` iterations; snapshots hold it.
 *   bleed     takes  m a / A  [1, u, H]  of the cell out, with the cell's state as it is.
 *
 * m is the mass flow of the full annulus in the case file, and that of the mesh here. The pressure
 * acts on the patch as on any wall. Coolant has the turbulence of the cell it enters. Coarse
 * multigrid levels see cooling through their forcing.
 *
 * With cp(T), h stands for cp T, and T and T0 are those of their enthalpies.
 *
 * (Denton's MULTALL, routine COOLIN, has the same model.)
 */
#ifndef AN_SOLVER_COOLANT_H
#define AN_SOLVER_COOLANT_H

#include "io/case.h"
#include "io/history.h"
#include "solver/boundary/face_values.h"

struct an_solver;
struct an_component_type;
struct an_hole_set;
struct an_leak;

/* Means over a patch of the gas that passes it. */
struct an_coolant_means {
    double h0;     /* J/kg, absolute */
    double T0, p0; /* K, Pa, absolute; p0 with the wall's mean pressure */
    double T;      /* K, at the exit */
    double moment; /* m2/s: r Vt; a bleed: 0, it is not measured; that of a leakage is */
    double mass;   /* kg/s of the mesh, as an_coolant_patch.mass was then */
};

struct an_coolant_patch {
    int boundary;
    const struct an_case_boundary *set; /* the case's; NULL: an end of a leakage */
    struct an_leak *leak;               /* solver/boundary/leakage.h; NULL: none */
    struct an_hole_set
        *holes;        /* solver/boundary/holes.h: the patch is all of them; NULL: none; owned */
    double x[2], r[2]; /* m: the part of the wall that is the end of a leakage */
    int bleeds;        /* 1: bleed */
    int zone;          /* one it lies on */
    double sectors;    /* meshes like this one in the annulus */
    double mass;       /* kg/s through the mesh's part, > 0 */
    double area;       /* m2 */
    double p;          /* Pa: mean pressure of the wall that M follows from; cooling with p0 */
    int unknown;       /* 1: the record of the snapshot did not have p */
    int every;         /* iterations between two measurements of p; 0: M is given */
    struct an_coolant_means now;  /* of the jets at present; p0 is not known */
    struct an_coolant_means seen; /* of the state measured last, for bleed too */
};

struct an_coolant_window {
    struct an_face_window at;
    int patch;
    int64_t first; /* its first face of an_coolant.place and beside */
};

/* Elements first <= e < first + n of a field of the engine; at: the first of them, packed. */
struct an_coolant_range {
    int64_t first, n, at;
    int follows; /* some patch beside follows the wall's pressure */
};

struct an_coolant {
    int n;
    struct an_coolant_patch *patch; /* [n] by boundary; owned */
    int blows, sucks;               /* some patch does */
    int follows;                    /* some patch's Mach number follows the wall's pressure */

    /* the faces of this rank, and the cells beside them, packed in ranges */
    int nwindow, nrange;
    struct an_coolant_window *window; /* [nwindow] by patch; owned */
    int64_t nface, npacked;
    struct an_face_place *place;    /* [nface]; owned */
    int64_t *beside;                /* [nface] the cell, packed, where the face has area; owned */
    struct an_coolant_range *range; /* [nrange] ascending; owned */
    double *volume;                 /* [npacked] m3; owned */
    double *rate;                   /* [AN_NCOMP_SOURCE][npacked] work; owned */
    char *image;                    /* page-locked: of rate, as the engine has it; owned */
    double *area;                   /* [nface] m2; 0: not in the part of a leakage; owned */
    struct an_faces *faces;         /* of the engine: of patches that follow; NULL: none */

    int nholes; /* patches that are holes */
    struct an_tiles
        *source_cells; /* with holes: what an_level.source_cells is; of the engine; NULL: none */
    int nleak;
    struct an_leak *leak; /* [nleak] solver/boundary/leakage.h; owned */
    struct an_faces
        *open; /* of the engine: of inlets, where a leakage is a part of what enters; NULL: none */
    double *around; /* [boundaries] meshes like this one in the annulus; owned; NULL likewise */
};

/* The part of a run with such boundaries. Where a snapshot does not have a wall's pressure, it is
 * taken from the flow. */
extern const struct an_component_type an_coolant_component;
/* NULL: there is no cooling and no bleed. */
struct an_coolant *an_coolant_of(const struct an_solver *s);
/* Figures of the leakages for run.json: report NULL or [n]; returns n. Not collective. */
int an_leak_reports(const struct an_solver *s, struct an_leak_report *report);
/* The holes of a wall of the case; NULL: none. Not collective. */
const struct an_hole_set *an_coolant_holes(const struct an_solver *s,
                                           const struct an_case_boundary *set);
/* Mean total temperature of the gas that enters through cooled boundaries and holes at present, K, absolute, by mass. 1: found; 0: none
 * enters. Not collective. */
int an_coolant_mean_T0(const struct an_solver *s, double *T0);
/* Adds the mass flows of cooling to *in and of bleed to *out, kg/s of the mesh; those of leakages stay within
 * the machine. Not collective. */
void an_coolant_add_masses(const struct an_solver *s, double *in, double *out);

#endif
