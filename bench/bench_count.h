/* Plain loops over the stencil definitions, in double, with a type that counts operations: the
 * reference of every row of `annulus bench solver`, and where its operations and compulsory bytes
 * come from. Nothing is said about a stencil here: the definitions of AN_STENCIL_LIST are compiled
 * as they are.
 *
 * Operations: each addition, multiplication, division, square root and power of a body counts one
 * (a multiply-add two), whether a compiler could share it or not. Compulsory words: each distinct
 * component of a field that a body reads or writes counts one per point, neighbours or not; of
 * another multigrid level each element that is touched counts one. What a line solver keeps of a
 * cell for its way back is its own affair and does not count.
 */
#ifndef AN_BENCH_COUNT_H
#define AN_BENCH_COUNT_H

#include "bench/bench_run.h"

AN_EXTERN_C_BEGIN

enum an_bench_kind { AN_KIND_CELL, AN_KIND_DIRECTIONAL, AN_KIND_FACE, AN_KIND_LINE };

/* What a run did. Per point, after an_bench_count_*; words[precision is single or double]. */
struct an_bench_account {
    struct an_operations op;
    double points;
    double read, written;                         /* words in the run's precision */
    double wide_read, wide_written;               /* words that are double always */
    uint64_t reads[AN_NFIELD], writes[AN_NFIELD]; /* components */
    int both[AN_NFIELD];                          /* declared as read and written */
    int other;                                    /* reads another level */
    int reduces;                                  /* sums or minima */
};

/* Memory in double whatever the precision of the run; NULL: not there. */
struct an_bench_memory {
    double *at[AN_NFIELD];
};

enum an_bench_kind an_bench_kind(enum an_stencil s);
int an_bench_field_components(enum an_field f);
int an_bench_field_is_double(enum an_field f);

/* Cell and directional stencils on all interior cells of all blocks, uppermost faces included.
 * other: layout of the other level, NULL: none. red may be NULL. */
int an_bench_count_cells(enum an_stencil s, const struct an_layout *l,
                         const struct an_layout *other, const struct an_bench_memory *f,
                         const struct an_params *p, struct an_reduction *red,
                         struct an_bench_account *a);
int an_bench_count_lines(enum an_stencil s, int dir, const struct an_layout *l,
                         const struct an_bench_memory *f, const struct an_params *p,
                         struct an_bench_account *a);
/* sum: [nboundary][AN_NINTEGRAL]. */
int an_bench_count_faces(enum an_stencil s, enum an_scheme scheme, const struct an_layout *l,
                         int nwindow, const struct an_face_window *window,
                         const struct an_bc_value *value, const struct an_bench_memory *f,
                         const struct an_params *p, struct an_xsum *sum,
                         struct an_bench_account *a);
/* The fused residual or stage: each cell's primitive state and each face's flux counted once. */
int an_bench_count_fused(enum an_scheme scheme, int stage, const struct an_layout *l,
                         const struct an_bench_memory *f, const struct an_params *p,
                         struct an_bench_account *a);

AN_EXTERN_C_END
#endif
