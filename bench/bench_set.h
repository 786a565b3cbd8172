/* A mesh of blocks with all fields, on an engine: what the rows of `annulus bench solver` work on.
 *
 * Fields hold plausible numbers with noise of period AN_BENCH_PERIOD elements: kernels do not
 * branch on the mesh, so its shape does not matter, and a field is filled by a few copies. A second
 * layout with half the cells along each edge, for transfers between multigrid levels, uses the same
 * memory.
 */
#ifndef AN_BENCH_SET_H
#define AN_BENCH_SET_H

#include "bench/bench_count.h"
#include "kernels/engine/reference.h"

enum { AN_BENCH_PERIOD = 1 << 16 };

struct an_bench_set {
    struct an_engine *e;
    struct an_layout layout[2]; /* the mesh, half of it */
    struct an_tiles *tiles[2];
    struct an_tiles *boundary_cells; /* outermost cells of the mesh's blocks */
    double boundary_cell_count;
    struct an_lines *lines[2][3]; /* along i, j, k */
    struct an_params viscous, inviscid, sst;
    struct an_fields f; /* engine memory */
    size_t bytes[AN_NFIELD];
    int nwindow;
    struct an_face_window *window;
    struct an_bc_value value[AN_REFERENCE_BOUNDARIES];
    struct an_faces *faces, *opposite; /* of all windows; of the first two */
    int ncopy;
    struct an_copy *copy; /* two layers of ghosts on all sides, from the other end of the block */
    struct an_copies *copies[2]; /* the same, and with vectors turned by `turn` */
    double copied;               /* elements of one component */
};

/* One operation of an engine. */
enum an_bench_what {
    AN_WHAT_STENCIL,
    AN_WHAT_RIM, /* a cell stencil on the outermost cells of blocks */
    AN_WHAT_RESIDUAL,
    AN_WHAT_STAGE,
    AN_WHAT_VISCOUS, /* the fused viscous terms, where the engine has them */
    AN_WHAT_VISCOUS_STAGE,
    AN_WHAT_RANS, /* the residual and the viscous terms in one call */
    AN_WHAT_RANS_STAGE,
    AN_WHAT_COPIES,
    AN_WHAT_TURNED /* copies that rotate vectors */
};
struct an_bench_work {
    struct an_bench *b;
    struct an_bench_set *set;
    enum an_bench_what what;
    enum an_stencil stencil;
    int dir; /* lines */
    enum an_scheme scheme;
    int level; /* index of the layout whose cells are points */
    int sums;  /* asks for sums */
    int stream;
    const struct an_params *p;
    struct an_bench_account account;
    struct an_fields keep; /* copies of the fields that are read and written */
    struct an_reduction red;
    struct an_xsum sum[AN_REFERENCE_BOUNDARIES * AN_NINTEGRAL];
};

/* Has the operation viscous terms of a kernel that needs gradients of ghosts? */
int an_bench_what_is_viscous(enum an_bench_what what);
/* The rotation of turned copies. */
extern const double an_bench_turn[9];

/* n[nblock][3]: even numbers of cells. */
int an_bench_set_new(struct an_engine *e, int nblock, const int (*n)[3], struct an_bench_set *s);
void an_bench_set_free(struct an_bench_set *s);
/* Fills a field. */
int an_bench_set_fill(struct an_bench_set *s, enum an_field f);
int an_bench_set_poison(struct an_bench_set *s, enum an_field f);

/* Windows that a face stencil runs on: all, or the first two, which are opposite sides of one block, where it adds
 * to the cells inside, which may have one face only in a run. */
int an_bench_work_windows(const struct an_bench_work *w);
/* Cells, faces or elements of one run. */
double an_bench_work_points(const struct an_bench_work *w);
/* Largest difference from the reference that is rounding. */
double an_bench_tolerance(const struct an_bench *b);
/* Rows of whole iterations. */
int an_bench_iterations(struct an_bench *b, struct an_bench_set *small, struct an_bench_set *large);
/* Runs it once; not synchronised. */
int an_bench_work_run(void *work);
/* Fills the account from the reference; then compares the engine's result with it, on poisoned
 * outputs: the largest difference over the scale of its component. */
int an_bench_work_verify(struct an_bench_work *w, double *error);

#endif
