/* Comparison of two engines, stencil by stencil, from the same memory: used on the host (bit for
 * bit) and on a device (to rounding).
 *
 * The case: three blocks of awkward sizes (one plane only; five columns only; in each direction one
 * that multigrid halves) with skewed curvilinear
 * meshes and a smooth flow with some noise in all cells and ghosts. Every field starts as NaN, also
 * between the rows, so that reading or writing too much shows. */
#ifndef ENGINE_FIXTURE_H
#define ENGINE_FIXTURE_H

#include "kernels/engine/engine.h"
#include "kernels/engine/reference.h"

/* All fields in host memory, as engines of the host want them. */
struct image {
    char *at[AN_NFIELD];
    size_t bytes[AN_NFIELD];
};

struct engine_case {
    enum an_precision precision;
    struct an_layout layout;
    struct an_layout fine, coarse; /* levels of multigrid with the same blocks, finer and coarser */
    struct an_params params;
    size_t bytes[AN_NFIELD];
    struct image start; /* W, X filled */
    struct engine_memory
        *memory; /* of engines it ran on: taken once, since that is slow on devices */
};

void fixture_new(enum an_precision precision, struct engine_case *x);
/* Another one: five blocks whose lines have 1, 2, 3, 5, 9, 31, 32, 33 and 100 cells. */
void fixture_new_lines(enum an_precision precision, struct engine_case *x);
/* The same with few tiles, for tools that watch every access. */
void fixture_new_small(enum an_precision precision, struct engine_case *x);
void fixture_new_lines_small(enum an_precision precision, struct engine_case *x);
/* Square of the least speed of scheme.low_mach, m2/s2: the speeds of the case lie on both sides of it, and
 * on both sides of a third of the speed of sound. In double precision blocks at rest have it, in single
 * precision those that turn, so that all comparisons see both branches of the fluxes. */
#define FIXTURE_LOW_MACH 1e4
/* Blocks turn, each at its own rate; one does not. */
void fixture_turn(struct engine_case *x);
void fixture_rest(struct engine_case *x);
/* The gas has this cp(T) between 200 and 2500 K from now on; nothing reads gamma then. */
void fixture_gas(struct engine_case *x, int n, const double *cp);
/* The same with a second gas of constant R; fractions are those of EOS. Nothing reads gamma then. */
void fixture_mixture(struct engine_case *x, int n, const double *first, double R,
                     const double *second);
/* The same gas through a table of it: e, T, s and slopes over ln p and ln(p / rho); its memory is the
 * host's, so that engines on devices cannot run it. */
void fixture_table(struct engine_case *x);
void fixture_free(struct engine_case *x);
struct image image_copy(const struct engine_case *x, const struct image *from);
void image_free(struct image *m);
/* Component c of a field at an element. */
double image_value(const struct engine_case *x, const struct image *m, enum an_field f, int c,
                   int64_t at);

/* Largest difference of a field over the field's scale (that of FLUX for R); 0 when equal bit for
 * bit, infinite when one is NaN and the other not. The scale is taken over components alike. */
double image_difference(const struct engine_case *x, const struct image *a, const struct image *b,
                        enum an_field f);
/* Are all fields but `except` (-1: none) the same, bit for bit? */
int image_same(const struct engine_case *x, const struct image *a, const struct image *b,
               int except);

/* The boxes of all blocks, each widened by `ghost` cells. Returns their number. */
int fixture_boxes(const struct engine_case *x, int ghost, struct an_box *box);
/* Shells of two cells on the six sides and what is left inside: the boxes of all blocks. */
int fixture_shells(const struct engine_case *x, struct an_box *box);
enum { FIXTURE_MAX_BOX = 64, FIXTURE_MAX_BLOCK = 8 };

/* One operation on an engine: memory becomes `m`, the operation runs, memory goes back to `m`. */
enum operation {
    RUN,
    FACES,
    RESIDUAL,
    STAGE,
    STAGE_IN_PLACE,
    COPIES,
    LINES,
    BETWEEN,         /* with the finer level of multigrid */
    BETWEEN_COARSER, /* with the coarser one */
    VISCOUS,         /* its part of the residual goes to FORCE, too */
    VISCOUS_STAGE,
    RESIDUAL_GIVEN, /* with FORCE */
    RANS,           /* RESIDUAL, then VISCOUS */
    RANS_STAGE
};
struct step {
    enum operation what;
    enum an_stencil stencil;
    enum an_scheme scheme;
    int ghost;  /* boxes widened by so much; LINES: their direction, 3: of block b, b % 3 */
    int shells; /* boxes: shells, then insides */
};
enum { FIXTURE_BOUNDARIES = AN_REFERENCE_BOUNDARIES + 3 };
struct outcome {
    struct an_reduction red;
    struct an_xsum sum[FIXTURE_BOUNDARIES * AN_NINTEGRAL]; /* of the boundaries */
};
int fixture_step(const struct engine_case *x, struct an_engine *e, const struct step *s,
                 struct image *m, struct outcome *o);

/* An image with metrics, time steps, closed faces and the residual (JST). */
int fixture_residual(const struct engine_case *x, struct an_engine *e, struct image *m);

/* Every stencil of AN_STENCIL_LIST, fused kernel and copy on both engines, each from the memory that
 * engine a left; a stencil that reads a field without values fails. Returns the largest difference met in units of `tolerance`(0: bit for bit, where any
 * difference counts as infinite) and prints what exceeds it; `report` prints all. */
double fixture_compare(const struct engine_case *x, struct an_engine *a, struct an_engine *b,
                       double tolerance, int report);
/* The same for line stencils: all lines along i, j or k, or each block's along its own direction.
 */
double fixture_compare_lines(const struct engine_case *x, struct an_engine *a, struct an_engine *b,
                             double tolerance, int report);
/* The steps that lead to the stencils which stream planes on GPUs (kernels/engine/planes.h), and these, for all that
 * changes what they compute: order, wall functions, rotation, viscosity, number of variables. As fixture_compare. */
double fixture_planes(const struct engine_case *x, struct an_engine *a, struct an_engine *b,
                      double tolerance, int report);
/* On one engine: fused residual = separate stencils, fused stage = residual and update, shells and
 * inside = whole box, in place = apart, convective and viscous fluxes in one pass = in two. */
double fixture_fused(const struct engine_case *x, struct an_engine *e, double tolerance,
                     int report);
/* On one engine: viscous fluxes cell by cell = face by face; and where it has it, fused = gradient
 * and viscous residual = the same in shells and inside, and its stage = residual and update. */
double fixture_viscous(const struct engine_case *x, struct an_engine *e, double tolerance,
                       int report);
/* On one engine: operations recorded and replayed, again with other parameters, = the same ones
 * run; what needs the host cannot be recorded. Returns 0 when all holds. */
int fixture_replay(const struct engine_case *x, struct an_engine *e);
/* On one engine: ghost cells filled by one launch = copies, then faces, bit for bit. wrong: the copies
 * read what the faces write, which no exchange does. Returns 0 when all is equal. */
int fixture_ghosts(const struct engine_case *x, struct an_engine *e, int wrong);
/* What an engine sends through a mailbox to itself = what it copies. Returns 0 when so. */
int fixture_mailbox(const struct engine_case *x, struct an_engine *e);
/* Shells and inside = whole box, bit for bit. Returns 0 when so. */
double fixture_cut(const struct engine_case *x, struct an_engine *e, int report);

#endif
