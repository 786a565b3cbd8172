/* The data of the component for solids: for the files solver/boundary/solid*.c, and for output/solids_write.c. */
#ifndef AN_SOLVER_SOLID_STATE_H
#define AN_SOLVER_SOLID_STATE_H

#include "io/case.h"
#include "io/snapshot.h"
#include "kernels/engine/engine.h"
#include "kernels/physics/metal.h"
#include "solid/conduction.h"
#include "solver/boundary/solid_contact.h"

struct an_solver;
struct an_worker;

enum { AN_SOLID_STATIONS = 64 }; /* along a channel, at most */

/* A boundary of a solid. */
struct an_solid_surface {
    const struct an_case_solid_wall *set; /* the case's; NULL: no heat passes */
    int boundary;                         /* of the solid's mesh */
    double total;                         /* m2 */
    int32_t n;
    int32_t *unknown; /* [n] on it; owned */
    double *area;     /* [n] m2 that belong to each; owned */
    /* a coolant */
    double h, coolant[2]; /* W/(m2 K); K where it enters and where it leaves */
    /* a channel */
    double length, diameter, section; /* m, m: hydraulic, m2 */
    int nstation;
    int32_t *station;               /* [n] of each unknown; owned */
    double bulk[AN_SOLID_STATIONS]; /* K: of the coolant at each station */
};

/* A viscous wall of the gas on a solid. */
struct an_solid_gas {
    int boundary;  /* of the gas */
    int64_t first; /* of its faces among those of all such walls */
    struct an_solid_contact contact;
    double answer; /* r */
};

struct an_solid {
    const struct an_case_solid *set;
    struct an_metal metal;
    struct an_solid_mesh mesh;
    struct an_conduction conduction;
    double *theta, *T; /* [unknowns] W/m, K; owned */
    double storage;    /* J/(m3 K): rho cp in an unsteady run; 0: T is steady or stays */
    double *T_last[2]; /* [unknowns] K: one and two steps before; owned */
    double *load, *diagonal,
        *change; /* [unknowns] W; m; W/m; owned. Between the two ends of an exchange the worker's */
    int nsurface, ngas;
    struct an_solid_surface *surface; /* [nsurface]; owned */
    struct an_solid_gas *gas;         /* [ngas]; owned */
    double *heat;     /* [mesh.nboundary] W into the solid, as the last exchange began; owned */
    double imbalance; /* W: of all surfaces, as the last exchange began */
    double mark;      /* of its mesh: 52 bits of the XXH64 of nodes and unknowns */
    int anew; /* 1: the snapshot of a restart had no temperatures of this solid, or those of another mesh */
};

struct an_solids {
    int n;
    struct an_solid *solid; /* [n]; owned */

    /* faces of the gas on solids, of all ranks: wall after wall, patch after patch in the order of the mesh, a fastest */
    int64_t nface;
    double *conductance;      /* [nface] W/K: g A; owned */
    double *T;                /* [nface] K; owned */
    double *heat;             /* [nface] W into the solid, in the last exchange; owned */
    double *T_of_heat;        /* [nface] K: that the heat belongs to; owned */
    double change;            /* K: largest of T in the last exchange that ended */
    int exchanges;            /* that began */
    int measured;             /* 1: the heat of the next one is on its way */
    int left;                 /* steps until the exchange that has begun ends; 0: none has */
    struct an_worker *worker; /* of steady runs: solves the conduction of all solids; owned */
    int known;                /* 1: the last step and its heat are known (solid_time.h) */
    double last;              /* s: length of the last step */
    double *heat_last;        /* [nface] W: at its beginning; owned */

    /* those of this rank */
    int64_t nown;
    int64_t *number; /* [nown] among all; owned */
    int64_t *row;    /* [nown] in the values of faces; owned */
    struct an_faces *faces;
    void *field, *image; /* WALL, of the engine and page-locked */
};

/* Calls for each wall of the gas. */
#define AN_EACH_SOLID_GAS(k, q, g)                                      \
    for (struct an_solid *q = (k)->solid; q < (k)->solid + (k)->n; q++) \
        for (struct an_solid_gas *g = q->gas; g < q->gas + q->ngas; g++)

/* Reads the meshes and finds the contacts. Collective. */
int an_solids_setup(struct an_solver *s, struct an_solids *k);
void an_solid_free(struct an_solid *q);
/* The heat of all faces of the gas, W into the solid, at the present temperatures: heat[nface]. Collective. */
int an_solids_measure(struct an_solver *s, struct an_solids *k, double *heat);
/* The same in two parts: the heat is that at the first one, and the device may compute on in between. */
int an_solids_measure_start(struct an_solver *s, struct an_solids *k);
int an_solids_measure_finish(struct an_solver *s, struct an_solids *k, double *heat);
/* Temperatures of the unknowns from theta, and of the faces of the gas from these; returns the largest change of the latter. */
double an_solids_temperatures(struct an_solids *k);
/* The temperatures of the faces, to the engine. Collective. */
int an_solids_impose(struct an_solver *s, const struct an_solids *k);
/* Heat of the surfaces of a solid, and the load and the diagonal of its equation, at the present temperatures. */
void an_solid_loads(const struct an_solver *s, const struct an_solids *k, struct an_solid *q);
/* Values of a snapshot's record: the name of one of a solid, and an array. */
void an_solid_value_name(const struct an_solid *q, const char *what, char name[64]);
int an_solids_keep_values(struct an_snapshot_meta *meta, const char *name, int64_t n,
                          const double *from);
/* Areas, hydraulic diameters and stations of the surfaces. AN_INPUT where a channel is none. */
int an_solid_surfaces(const struct an_case *c, struct an_solid *q);
/* Finds coolants at the present temperatures, and adds what the surfaces conduct to the load and to the diagonal of the
 * equation for theta. */
void an_solid_surfaces_load(const struct an_solver *s, struct an_solid *q);

#endif
