/* Blocks of a rank, their fields, and the multigrid levels: what all folders of the solver share.
 *
 * struct an_solver is open to the files of solver/level to solver/march and to tests that look inside;
 * programs use march/march.h. What parts of a run own is their own (part.h).
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

struct an_part_type;
struct an_warnings;
enum { AN_MAX_PARTS = 24 };

struct an_solver {
    MPI_Comm comm;
    int rank, nrank;
    const struct an_case *c;    /* the caller's */
    const struct an_mesh *mesh; /* the caller's; open while the solver is set up or filled */
    struct an_engine *engine;   /* the caller's */

    double read_bytes, read_seconds; /* of coordinates, by this rank while levels were made */
    int nlocal;
    int *local; /* [nlocal] pieces of this rank, ascending; the same on all levels */
    /* [nlocal] nodes of those pieces, [3][nk+1][nj+1][ni+1], m, on the host: what the metrics were
     * made of, whatever becomes of the mesh's file; owned */
    double **node;
    const struct an_warnings *warnings; /* those that snapshots carry; the caller's; NULL: none */
    int nlevel;
    struct an_level level[AN_MAX_LEVEL]; /* 0: the finest */
    struct an_coarsening coarsening;
    int *line;                    /* [zones] direction of the implicit lines, -1: none */
    int across;                   /* every other step runs along segments (lines.c) */
    double *omega;                /* [zones] rad/s; NULL: nothing turns */
    struct an_bc_value *boundary; /* [mesh topology's nboundary] */

    const struct an_part_type *const *parts; /* all that a run can have, NULL at the end: part.h */
    void *part[AN_MAX_PARTS];                /* what this run has of them; owned */

    /* 1: spectral radii and residual of the finest level already belong to the present state, so the
     * next step need not compute them. */
    int residual_is_current;

    struct an_params params;        /* of the finest level */
    struct an_params params_coarse; /* of the others */
    enum an_scheme scheme;
    int implicit;      /* steady runs: Runge-Kutta stages with an implicit operator along lines */
    int scree;         /* steady runs: Denton's scree scheme */
    int64_t iteration; /* steps done */
    double time;       /* s, unsteady runs */
    double residual_first[5]; /* the largest seen: what residuals are compared with */
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

int an_level_alloc(struct an_solver *s, struct an_level *l, enum an_field field);
/* The field lies in memory that is there, from a component on: it lives while that does not. */
void an_level_share(struct an_level *l, enum an_field field, void *memory, int component);
void an_level_drop(struct an_solver *s, struct an_level *l, enum an_field field);

/* Level n from its partition (n = 0) or from level n - 1; no halos yet. Not collective. */
int an_level_new(struct an_solver *s, int n);
/* Its boxes and its lines, from the layout; called by an_level_new. Not collective. */
int an_level_boxes(struct an_solver *s, struct an_level *l);
int an_level_lines(struct an_solver *s, struct an_level *l);
/* Halos of a level. Collective. */
int an_level_connect(struct an_solver *s, struct an_level *l);
void an_level_destroy(struct an_solver *s, struct an_level *l);
/* Along which index directions of each zone the implicit operator is solved, line[2 zone] and,
 * every other step, line[2 zone + 1]: normal to viscous walls, where a zone has some, else where
 * cells are thinnest; the other one where walls stand in two directions, else the same. Plane
 * meshes: in place of the same, segments across the lines (lines.c). Same on all ranks. Collective.
 */
int an_solver_lines(MPI_Comm comm, const struct an_mesh *mesh, const struct an_bc_value *value,
                    int *line);

#endif
