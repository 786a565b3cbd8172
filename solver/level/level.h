/* Blocks of a rank, their fields, and the multigrid levels: what all folders of the solver share.
 *
 * The files of solver/level to solver/march read and write struct an_solver. The files that judge a case
 * (solver/app/doubts*.c), `annulus bench case` and tests read it. Everything else calls march/march.h. Only the
 * part itself reads what a part of a run owns (component.h).
 */
#ifndef AN_SOLVER_LEVEL_H
#define AN_SOLVER_LEVEL_H

#include "bc/boundary_value.h"
#include "io/case.h"
#include "io/mesh.h"
#include "kernels/engine/engine.h"
#include "kernels/engine/field.h"
#include "mpi/coarsen.h"
#include "mpi/halo.h"
#include "mpi/partition.h"

#include <mpi.h>

struct an_slide;
struct an_lag;

/* One multigrid level: blocks of this rank, their fields and how they hang together. */
struct an_level {
    struct an_partition partition; /* pieces, in cells of this level */
    struct an_layout layout;       /* blocks in the order of `local` */
    /* [nlocal] pieces whose blocks this rank has: an_solver.local; of a replicated level all */
    int nlocal;
    const int *local;
    MPI_Comm
        comm; /* whose ranks share the level: an_solver.comm; MPI_COMM_SELF of a replicated level */
    int replicated; /* 1: this rank has all pieces of the level (replicated.h); `partition` then gives all
                       * of them to rank 0, and `local` is owned */
    struct an_fields fields;
    char shared[AN_NFIELD]; /* 1: the field lies in the memory of another field */
    void *stage[2];         /* work states of the Runge-Kutta stages, in one piece of memory that
                             * stage[0] owns; the same state twice where one is enough */

    /* Boxes of all interior cells; of the cells that other ranks wait for, and of the rest. */
    struct an_tiles *interior, *shell, *core;
    const struct an_tiles
        *source_cells; /* cells beside cooled and bled walls: the fields SOURCE and BLEED
                                   * are zero elsewhere. NULL: the field SOURCE, where it exists, is
                                   * given in all cells, for the turbulence too */
    int turbulent_sources; /* 1: in the cells `source_cells` the field SOURCE holds sources of the turbulence, too */
    int split;                       /* 1: the core is computed while results of the shell travel */
    struct an_tiles *boundary_cells; /* cells next to a face of their block */
    struct an_tiles *ghosts;   /* ghost cells behind faces of blocks; NULL: there is no field EOS */
    struct an_tiles *copied;   /* of these, the ones that hold states of cells: behind interfaces,
                                   * sliding planes and abutting interfaces; NULL likewise */
    struct an_lines *lines[2]; /* lines along which implicit steps are solved, by turns */
    struct an_lines *across[2]; /* finest level, turbulence.across: segments along the directions
                                   * across the lines; NULL: there is none */
    /* first replicated level: interiors of the blocks of an_solver.local, in that order */
    struct an_tiles *own;
    struct an_halo
        *gather; /* first replicated level: from the ranks whose pieces they are to all */
    void *zero;  /* first replicated level: five components of zeros */
    struct an_faces *faces;
    struct an_faces
        *again;           /* finest level: planes of symmetry on both sides of one cell that are not
                               * parallel (an_level_again); NULL: none on this rank */
    struct an_halo *halo; /* of the state and other fields of cells */
    struct an_halo *halo_lam; /* of the spectral radii */
    struct an_halo
        *second;         /* of second ghosts that lie two blocks away (an_halo_second_new); NULL: no
                               * block is one cell thick between neighbours */
    void *viscous_force; /* finest level of an implicit viscous march of two stages: the viscous
                               * part of the last residual, components 1 to 4; NULL: not kept */
    int thin;            /* 1: a coarse level whose viscous terms are thin layers; GRAD is zero
                               * (an_level_viscous_new) */
    struct an_slide *slide; /* sliding planes and abutting interfaces (solver/flow/slide.h); NULL:
                               * none; the parts' */
    struct an_lag *lag;     /* phase-lagged periodic boundaries (solver/flow/lag.h); NULL: none; a
                               * part's */
};

struct an_component_type;
struct an_warnings;
enum { AN_MAX_COMPONENTS = 48 };

struct an_solver {
    MPI_Comm comm;
    int rank, nrank;
    const struct an_case *c;    /* the caller's */
    const struct an_mesh *mesh; /* the caller's; open while the solver is set up or filled */
    struct an_engine *engine;   /* the caller's */
    const struct an_solver *
        like; /* the caller's; of the same engine, mesh and walls: its wall distances serve; NULL: none */

    double read_bytes, read_seconds; /* coordinates that this rank read while levels were made */
    /* [nlocal] pieces of this rank, ascending; the blocks of all levels that are not whole */
    int nlocal;
    int *local;
    /* [nlocal] nodes of those pieces, [3][nk+1][nj+1][ni+1], m, on the host: what the metrics were
     * made of, whatever becomes of the mesh's file; owned */
    double **node;
    const struct an_warnings *warnings; /* those that snapshots carry; the caller's; NULL: none */
    int nlevel;
    struct an_level level[AN_MAX_LEVEL]; /* 0: the finest */
    int nreplicated;                     /* the coarsest ones that are replicated (replicated.h) */
    struct an_coarsening coarsening;
    int *line;                    /* [zones] direction of the implicit lines, -1: none */
    int across;                   /* every other step runs along segments (lines.c) */
    double *omega;                /* [zones] rad/s; NULL: nothing turns */
    struct an_bc_value *boundary; /* [mesh topology's nboundary] */

    const struct an_component_type *const
        *components;                    /* all parts a run can have, NULL at the end: part.h */
    void *component[AN_MAX_COMPONENTS]; /* data of each part; NULL: not in this run; owned */

    /* 1: spectral radii and residual of the finest level already belong to the present state, so
     * the next step need not compute them. */
    int residual_is_current;

    struct an_params params;        /* of the finest level */
    struct an_params params_coarse; /* of the others */
    void *gas_data;                 /* engine memory: the numbers of a gas table; NULL: none */
    enum an_scheme scheme;
    double flow_speed,
        flow_mach;     /* m/s, -: the largest that the case lets expect (march/low_mach.h) */
    int implicit;      /* steady runs: Runge-Kutta stages with an implicit operator along lines */
    int scree;         /* steady runs: Denton's scree scheme */
    int64_t iteration; /* steps done */
    double time;       /* s, unsteady runs */
    double residual_first[5]; /* largest residuals so far, to which later ones are compared */
    int has_residual_first;
};

/* Parameters and numerical scheme of a level. */
static inline struct an_params *an_level_params(struct an_solver *s, const struct an_level *l)
{
    return l == s->level ? &s->params : &s->params_coarse;
}

static inline enum an_scheme an_level_scheme(const struct an_solver *s, const struct an_level *l)
{
    return l == s->level ? s->scheme : AN_SCHEME_MATRIX;
}

/* Allocates a field of a level; an_level_destroy frees it. Not collective. */
int an_level_alloc(struct an_solver *s, struct an_level *l, enum an_field field);
/* Lets a field share the memory of another one, from a component on. The contents of only one of
 * the two are valid at a time. */
void an_level_share(struct an_level *l, enum an_field field, void *memory, int component);
/* Where a component of a field begins. */
void *an_level_component(const struct an_level *l, enum an_field field, int component);
void an_level_drop(struct an_solver *s, struct an_level *l, enum an_field field);

/* Level n from its partition (n = 0) or from level n - 1; no halos yet. Of the first replicated level the metrics
 * of own pieces alone are found. Not collective. */
int an_level_new(struct an_solver *s, int n);
/* The metrics of the finest level anew, after nodes of the mesh were moved (an_mesh.moved); not wall distances, and not
 * the vectors DX (an_level_centres in solver/flow/flow.h). Not collective. */
int an_level_renew(struct an_solver *s);
/* Makes the boxes and the lines of a level from its layout. an_level_new calls both. */
int an_level_boxes(struct an_solver *s, struct an_level *l);
int an_level_lines(struct an_solver *s, struct an_level *l);
/* Finds the faces `again` of the finest level among its windows. The second ghost of a sector of one layer between
 * planes of symmetry is the mirror image of the first ghost on its other side, so that these faces are filled once
 * more, after all first ghosts. Where the planes are parallel the mirror image of the cell is the same state. Coarse
 * levels only steer. Not collective. */
int an_level_again(struct an_solver *s, struct an_level *l, int nwindow,
                   const struct an_face_window *window);
/* Makes the halos of a level. Collective. */
int an_level_connect(struct an_solver *s, struct an_level *l);
void an_level_destroy(struct an_solver *s, struct an_level *l);
/* Finds the index direction along which the implicit operator of each zone is solved: line[2 zone]
 * and, every other step, line[2 zone + 1]. The first one is normal to the viscous walls of the zone
 * or, where it has none, to its slip walls if slip is not 0, else the direction in which cells are thinnest. The second one is normal to the
 * walls of a second direction; without such walls it is the same as the first, and plane meshes may
 * use segments across the lines instead (lines.c). The same on all ranks. Collective. */
int an_solver_lines(MPI_Comm comm, const struct an_mesh *mesh, const struct an_bc_value *value,
                    int slip, int *line);

#endif
