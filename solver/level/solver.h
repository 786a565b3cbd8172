/* The solver: blocks of one rank, their fields, and the march in time.
 *
 * All functions are collective over the solver's communicator unless they say otherwise.
 *
 *   an_solver_new ..... blocks, nodes, metrics, boundaries, halo; no state yet
 *   an_solver_fill / an_solver_restart ..... the state
 *   an_solver_step ..... one time step or steady iteration
 *   an_solver_measure ..... residual norms and what passes the boundaries
 *   an_solver_write ..... a snapshot
 */
#ifndef AN_SOLVER_SOLVER_H
#define AN_SOLVER_SOLVER_H

#include <mpi.h>

#include "bc/boundary_value.h"
#include "io/case.h"
#include "io/history.h"
#include "io/mesh.h"
#include "io/snapshot.h"
#include "kernels/engine/engine.h"
#include "mpi/coarsen.h"
#include "mpi/halo.h"
#include "mpi/partition.h"
#include "solver/march/replay.h"

/* One multigrid level: blocks of this rank, their fields and how they hang together. */
struct an_level {
    struct an_partition partition; /* pieces, in cells of this level */
    struct an_layout layout;       /* blocks in the order of an_solver.local */
    struct an_fields fields;
    char shared[AN_NFIELD]; /* fields that lie in another's memory */
    void
        *stage[2]; /* work states of the Runge-Kutta stages, one behind the other: stage[0] owned */

    /* boxes: all interior cells; those next to faces that are sent, and the rest */
    struct an_tiles *interior, *shell, *core;
    const struct an_tiles *blown; /* cells beside cooled and bled walls: SOURCE and BLEED are zero
                                   * elsewhere; NULL: SOURCE, if there, is given in all cells, and
                                   * has a part for the turbulence too */
    int split;                    /* shell first, the rest while the shell's copies travel */
    struct an_tiles *rim;         /* cells next to faces of their blocks */
    struct an_lines *lines[2];    /* what implicit steps are solved along, by turns */
    struct an_faces *faces;
    struct an_halo *halo;     /* of the state and other fields of cells */
    struct an_halo *halo_lam; /* of the spectral radii */
};

struct an_walls;
struct an_performance;
struct an_control;
struct an_stations;
struct an_face_values;
struct an_mixing;
struct an_coolant;
struct an_inlet_waves;
struct an_recovery;
struct an_writer;

struct an_solver {
    MPI_Comm comm;
    int rank, nrank;
    const struct an_case *c;    /* the caller's */
    const struct an_mesh *mesh; /* the caller's; open while the solver is set up or filled */
    struct an_engine *engine;   /* the caller's */

    double read_bytes, read_seconds; /* of coordinates, by this rank while levels were made */
    int nlocal;
    int *local; /* [nlocal] pieces of this rank, ascending; the same on all levels */
    int nlevel;
    struct an_level level[AN_MAX_LEVEL]; /* 0: the finest */
    struct an_coarsening coarsening;
    int *line;                          /* [zones] direction of the implicit lines, -1: none */
    int across;                         /* every other step runs along segments (level.c) */
    double *omega;                      /* [zones] rad/s; NULL: nothing turns */
    struct an_bc_value *boundary;       /* [mesh topology's nboundary] */
    struct an_walls *walls;             /* solver/monitor/walls.h; NULL: no viscous walls */
    struct an_performance *performance; /* solver/monitor/performance.h; NULL: not wanted */
    struct an_control *control;         /* solver/boundary/control.h */
    struct an_face_values *faces; /* solver/boundary/face_values.h; NULL: no boundary varies */
    struct an_mixing *mixing;     /* solver/boundary/mixing.h; NULL: no mixing planes */
    struct an_coolant *coolant;   /* solver/boundary/coolant.h; NULL: no cooling, no bleed */
    struct an_inlet_waves
        *inlet_waves;             /* solver/boundary/inlet_waves.h; NULL: all inlets reflect */
    char *inlets;                 /* what to tell of profiles, NULL: nothing; owned */
    struct an_stations *stations; /* solver/monitor/stations.h; NULL: none */
    struct an_recovery *recovery; /* solver/march/recovery.h; NULL: nothing is kept */
    struct an_writer *writer;     /* solver/output/writer.h; NULL: nothing was written yet */
    struct an_replay replay;
    struct an_measuring { /* a measurement that was started */
        int64_t iteration;
        struct an_reduction flow, turbulence;
        int nintegral;
        struct an_xsum *integral; /* [nintegral] owned */
    } measuring;
    int known; /* 1: radii and residual of W stand in the finest level's fields for the next step */

    struct an_params params;        /* of the finest level */
    struct an_params params_coarse; /* of the others */
    enum an_scheme scheme;
    int implicit;   /* steady runs: Runge-Kutta stages with an implicit operator along lines */
    int scree;      /* steady runs: Denton's scree scheme */
    int two_stages; /* implicit runs: the finest level has two work states all the same, in which
                     * the turbulence model has fields */
    int nstage;
    double alpha[8];

    int64_t iteration; /* steps done */
    int64_t ramp_from; /* iteration the ramp of the Courant number counts from */
    double caution;    /* part of the case's Courant number that is used: recovery.h */
    struct {
        void *ones;           /* [cells] of the engine; NULL: nothing is damped; owned */
        int begun;            /* field Y has the mean */
        int phase;            /* of this iteration: an_damping_phase */
    } damping;                /* damping.h */
    struct {                  /* what made it so, and what may lower it again: recovery.h */
        double before;        /* caution of steps from up to ... */
        int64_t at;           /* ... this iteration */
        int64_t since;        /* iteration of the first line of the window; < 0: none yet */
        double least, lately; /* least residuals before the window and in it; 0: none yet */
    } slow;
    double time;              /* s, unsteady runs */
    double time_step;         /* s, of the last step; unsteady runs */
    double limit;             /* s: time the step under way must not pass; 0: none */
    double residual_first[5]; /* the largest seen: what residuals are compared with */
    int has_residual_first;

    struct {
        int nfacet;     /* 0: no wall distances were found */
        double seconds; /* on the slowest rank */
    } wall_search;

    struct { /* figures of the last lines of the table, the newest last: what `stop` looks at */
        int n;
        double value[AN_STOP_SAMPLES][3]; /* mass flow kg/s, pressure ratio, efficiency */
    } settle;
};

/* What a measurement finds. */
struct an_measure {
    double residual[5];   /* root mean square over the volume of dW/dt, per component */
    double turbulence[2]; /* the same of TURB; NaN: no model */
    double rho_min, p_min;
    double (*integral)[AN_NINTEGRAL]; /* [nboundary], caller's array or NULL */
};

/* Takes pointers to a case, an open mesh and an engine that must outlive the solver. */
int an_solver_new(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                  struct an_engine *engine, struct an_solver *s);
void an_solver_destroy(struct an_solver *s);

/* The state of every cell from its centre (m): density, velocity, pressure in q[5]. */
typedef void an_state_at(void *context, const double x[3], double q[5]);
int an_solver_fill(struct an_solver *s, an_state_at *at, void *context);
/* The case's uniform initial state, and what full multigrid makes of it. */
int an_solver_fill_initial(struct an_solver *s);

/* Continues from a snapshot: state, iteration, time, largest residual. */
int an_solver_restart(struct an_solver *s, const char *path);
/* Writes a snapshot into the case's output folder, and wall fields beside it; its name goes to
 * path[1024]. */
int an_solver_write(struct an_solver *s, char *path);

/* Takes figures of the present state, for `stop`: mass flow kg/s, pressure ratio, efficiency. */
void an_solver_note(struct an_solver *s, const double value[3]);
/* Their names in snapshots, which keep them. */
extern const char *const an_settle_name[3];
/* AN_INPUT, in plain words, where a rule of `stop` could never hold: figures that the case does not
 * have. Boundaries and rows are known. */
int an_solver_check_stop(const struct an_solver *s);
/* Have they settled as `stop` wants it? 0 where no rule is on. */
int an_solver_settled(const struct an_solver *s);
/* Sets the parameters that change with the iteration. */
void an_solver_ramp(struct an_solver *s);
/* One step. Unsteady: `limit` > 0 shortens it so that time does not pass `limit`. */
int an_solver_step(struct an_solver *s, double limit);
/* Courant number of the next step: the ramp, from ramp_from on, to what caution leaves. */
double an_solver_cfl(const struct an_solver *s);
/* What steers the run beside the flow, into and from a record of it. Not collective; taking it sets
 * no ghosts. */
int an_solver_keep_controls(const struct an_solver *s, struct an_snapshot_meta *meta);
int an_solver_take_controls(struct an_solver *s, const struct an_snapshot_meta *meta);

/* One step of the state W of a level: Runge-Kutta stages, implicit along the level's lines[way].
 * known: radii and residual R of W are there, R without the forcing. */
int an_level_smooth(struct an_solver *s, struct an_level *l, int way, int known);
/* One multigrid cycle that starts on level n. known: as of an_level_smooth, of level n. */
int an_multigrid_cycle(struct an_solver *s, int n, int known);
/* Brings the initial state of the finest level near the solution by way of the coarser levels, if
 * the case wants that. */
int an_multigrid_start(struct an_solver *s);
/* Parameters and numerical scheme of a level. */
static inline struct an_params *an_level_params(struct an_solver *s, const struct an_level *l)
{
    return l == s->level ? &s->params : &s->params_coarse;
}

static inline enum an_scheme an_level_scheme(const struct an_solver *s, const struct an_level *l)
{
    return l == s->level ? s->scheme : AN_SCHEME_MATRIX;
}

/* Components of a field; bytes of one component of a field of a level. */
int an_field_components(enum an_field field);
int an_level_alloc(struct an_solver *s, struct an_level *l, enum an_field field);
/* The field lies in memory that is there, from a component on: it lives while that does not. */
void an_level_share(struct an_level *l, enum an_field field, void *memory, int component);
void an_level_drop(struct an_solver *s, struct an_level *l, enum an_field field);

/* Norms and integrals of the present state, and what walls feel. AN_DIVERGED names zone, cell,
 * place and variable. */
int an_solver_measure(struct an_solver *s, struct an_measure *m);
/* The same in two parts: start issues the work, finish waits for its results and sums them over the
 * ranks. Steps may come between, another measurement may not; what finish finds is of the state
 * that start saw, the cell it names where that diverged of the present one. */
int an_solver_measure_start(struct an_solver *s);
int an_solver_measure_finish(struct an_solver *s, struct an_measure *m);

/* Output fields as a turning row sees the flow: MachRelative, the Mach number of the velocity from
 * the row, and Rothalpy, H - omega (y w - z v), J/kg. Into to[nk][nj][ni] of local block b, in the
 * run's precision; mesh open. Not collective. */
int an_relative_is(const char *name);
int an_relative_block(struct an_solver *s, const char *name, int b, void *to);

/* Bytes per rank, estimated before anything is allocated. */
struct an_memory {
    int64_t device, host;
    int64_t least; /* of the device, surely */
};
struct an_memory an_solver_memory(const struct an_partition *p, int rank, const struct an_case *c);

/* ---- parts of the set-up, for tests and for `annulus check` ---- */

/* What there is to tell of a gas with cp(T), and temperatures of the case beyond its range; nothing
 * with gamma. Not collective. */
void an_solver_print_gas(const struct an_case *c, FILE *out);

/* What a solver decides before it allocates anything: boundaries, levels, lines, the pieces of all
 * ranks in level[0].partition. The struct is for an_solver_destroy, or an_solver_new goes on. */
int an_solver_plan(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                   struct an_solver *s);
/* Level n from its partition (n = 0) or from level n - 1; no halos yet. Not collective. */
int an_level_new(struct an_solver *s, int n);
/* Halos of a level. Collective. */
int an_level_connect(struct an_solver *s, struct an_level *l);
void an_level_destroy(struct an_solver *s, struct an_level *l);
/* Along which index directions of each zone the implicit operator is solved, line[2 zone] and,
 * every other step, line[2 zone + 1]: normal to viscous walls, where a zone has some, else where
 * cells are thinnest; the other one where walls stand in two directions, else the same. Plane
 * meshes: in place of the same, segments across the lines (level.c). Same on all ranks. Collective.
 */
int an_solver_lines(MPI_Comm comm, const struct an_mesh *mesh, const struct an_bc_value *value,
                    int *line);

/* Values for each boundary of the mesh from case and mesh; all faults go to diag. value[nboundary].
 */
void an_solver_boundaries(const struct an_case *c, const struct an_topology *t,
                          struct an_bc_value *value, struct an_diag *diag);

/* How each zone turns, rad/s, by the case's rows, else by the mesh; faults (what is in no row or in
 * two, pitch, walls, interfaces between rows) go to diag. *omega: malloc'ed, the caller's; NULL:
 * nothing turns.
 */
int an_solver_rows(const struct an_case *c, const struct an_mesh *mesh, double **omega,
                   struct an_diag *diag);

/* The case's row of each zone, -1: none. */
void an_solver_zone_rows(const struct an_case *c, const struct an_topology *t, int *row);

/* How often what is meshed around each zone fits into the annulus: of its row, or of the zones it
 * is joined to one to one, by the rotation of periodic interfaces; 1 without any. 7.2 where 5 of 36
 * passages are meshed. sectors[nblock]. Not collective. */
int an_solver_sectors(const struct an_case *c, const struct an_topology *t, double *sectors);

/* Nodes of a piece, 0 <= (i,j,k) <= n, into x[3][nk+1][nj+1][ni+1], m. */
int an_nodes_read(const struct an_mesh *mesh, const struct an_piece *piece, double *x);
/* A window of a local block of the finest level, in cells of its zone. */
struct an_window an_window_in_zone(const struct an_solver *s, struct an_window w);
/* Centre of cell (i,j,k) of a piece of n cells from its nodes: the mean of eight. */
void an_nodes_centre(const int n[3], const double *x, int i, int j, int k, double centre[3]);

#endif
