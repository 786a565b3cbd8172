/* One stage of an explicit RANS run with Spalart-Allmaras, kernel by kernel.
 *
 * n^3 cells in one block, and blocks of (n/4)^3 of as many cells as 40 of them have; every face is
 * a symmetry plane, so that no cell is copied. Prints for each kernel its median time per cell,
 * what it moves at least (words of the cell's fields, each once) and the fraction of the copy
 * bandwidth that is; then, as measured, a stage, the turbulence step and an iteration of five
 * stages, also replayed from a recording. The rate of an iteration is that of its five stages. */
#include "tools/bench_stage/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 5 };

struct rans {
    struct an_engine *e;
    struct an_layout l;
    struct an_tiles *t;
    struct an_faces *faces;
    struct an_fields f;
    struct an_params p;
    struct an_recording *recording;
};

struct kernel {
    const struct rans *r;
    enum { CELL, FACE, LINES, FUSED } what;
    enum an_stencil stencil;
    int words;    /* of a cell, 0: not counted */
    double often; /* times an iteration */
};

static int run_kernel(const void *context)
{
    const struct kernel *k = context;
    const struct rans *r = k->r;
    const struct an_engine_ops *op = r->e->op;
    switch (k->what) {
    case CELL:
        return op->run(r->e, k->stencil, r->t, &r->f, &r->p, NULL, 0);
    case FACE:
        return op->run_faces(r->e, k->stencil, AN_SCHEME_JST, r->faces, &r->f, &r->p, NULL, 0);
    case LINES:
        return op->run_lines(r->e, k->stencil, 1, r->t, &r->f, &r->p, 0);
    default:
        return op->residual(r->e, AN_SCHEME_JST, r->t, &r->f, &r->p, 0);
    }
}

#define SWEEPS 2 /* of the turbulence step (solver/turbulence.c) */
static const struct kernel kernels[] = {
    {NULL, FUSED, 0, 22, STAGES},
    {NULL, CELL, AN_S_gradient, 26, STAGES + 1},
    {NULL, FACE, AN_S_ghost_gradient, 0, STAGES + 1},
    {NULL, CELL, AN_S_viscous_residual, 45, STAGES},
    {NULL, CELL, AN_S_update, 16, STAGES},
    {NULL, FACE, AN_S_ghost_fill, 0, STAGES},
    {NULL, CELL, AN_S_timestep, 20, 1},
    {NULL, FACE, AN_S_ghost_lambda, 0, 1},
    {NULL, CELL, AN_S_turb_gradient, 13, SWEEPS},
    {NULL, FACE, AN_S_ghost_turb_gradient, 0, SWEEPS},
    {NULL, CELL, AN_S_sa_residual, 46, SWEEPS},
    {NULL, LINES, AN_S_turb_forward, 9, SWEEPS},
    {NULL, LINES, AN_S_turb_backward, 3, SWEEPS},
    {NULL, CELL, AN_S_sa_update, 8, SWEEPS},
    {NULL, FACE, AN_S_ghost_turb, 0, SWEEPS},
    {NULL, CELL, AN_S_sa_viscosity, 7, 1},
    {NULL, FACE, AN_S_ghost_eddy, 0, 1},
};

static int run_some(const struct rans *r, const enum an_stencil *stencil, int n)
{
    for (int m = 0; m < n; m++)
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
            if (kernels[k].stencil == stencil[m] && kernels[k].what != FUSED) {
                struct kernel mine = kernels[k];
                mine.r = r;
                AN_TRY(run_kernel(&mine));
            }
    return AN_OK;
}

static int run_stage(const void *context)
{
    static const enum an_stencil list[] = {AN_S_gradient, AN_S_ghost_gradient,
                                           AN_S_viscous_residual, AN_S_update, AN_S_ghost_fill};
    const struct rans *r = context;
    AN_TRY(r->e->op->residual(r->e, AN_SCHEME_JST, r->t, &r->f, &r->p, 0));
    return run_some(r, list, 5);
}

static int run_turbulence(const void *context)
{
    static const enum an_stencil before[] = {AN_S_gradient, AN_S_ghost_gradient, AN_S_ghost_turb};
    static const enum an_stencil sweep[] = {
        AN_S_turb_gradient, AN_S_ghost_turb_gradient, AN_S_sa_residual, AN_S_turb_forward,
        AN_S_turb_backward, AN_S_sa_update,           AN_S_ghost_turb};
    static const enum an_stencil after[] = {AN_S_sa_viscosity, AN_S_ghost_eddy};
    AN_TRY(run_some(context, before, 3));
    for (int n = 0; n < SWEEPS; n++)
        AN_TRY(run_some(context, sweep, 7));
    return run_some(context, after, 2);
}

static int run_iteration(const void *context)
{
    static const enum an_stencil before[] = {AN_S_timestep, AN_S_ghost_lambda};
    AN_TRY(run_some(context, before, 2));
    for (int m = 0; m < STAGES; m++)
        AN_TRY(run_stage(context));
    return run_turbulence(context);
}

static int replay(const void *context)
{
    const struct rans *r = context;
    return r->e->op->replay(r->e, r->recording);
}

static int fill_all(struct rans *r)
{
    static const double state[5] = {1.2, 120, -60, 30, 2.6e5}, zero[12] = {0};
    static const double area[9] = {1e-4, 1e-5, 0, -1e-5, 1e-4, 1e-5, 0, 1e-5, 1e-4};
    static const double step[9] = {1e-2, 1e-3, 0, -1e-3, 1e-2, 1e-3, 0, 1e-3, 1e-2};
    static const double lambda[3] = {0.05, 0.05, 0.05}, dt = 5, volume = 1e-6, mut = 5e-5;
    static const double distance = 0.01, turb[2] = {5e-5, 0};
    const struct {
        enum an_field field;
        int n;
        const double *base;
        double wave;
    } given[] = {
        {AN_F_W, 5, state, 0.01},   {AN_F_W0, 5, state, 0.01}, {AN_F_WN, 5, state, 0.01},
        {AN_F_R, 5, zero, 0},       {AN_F_S, 9, area, 0},      {AN_F_DX, 9, step, 0},
        {AN_F_LAM, 3, lambda, 0.1}, {AN_F_DT, 1, &dt, 0.1},    {AN_F_VOL, 1, &volume, 0},
        {AN_F_MUT, 1, &mut, 0.1},   {AN_F_GRAD, 12, zero, 0},  {AN_F_WD, 1, &distance, 0},
        {AN_F_TURB, 2, turb, 0.1},  {AN_F_GRADT, 6, zero, 0},  {AN_F_RT, 2, zero, 0},
        {AN_F_DIAGT, 2, zero, 0},
    };
    for (size_t n = 0; n < sizeof given / sizeof *given; n++)
        AN_TRY(bench_fill(r->e, &r->l, &r->f, (int)given[n].field, given[n].n, given[n].base,
                          given[n].wave));
    return r->e->op->alloc(r->e, (size_t)r->l.ncell * 30 * (size_t)r->e->precision,
                           &r->f.at[AN_F_LINE]);
}

static int set_up(struct rans *r, int n, int blocks)
{
    int(*size)[3] = malloc((size_t)blocks * sizeof *size);
    struct an_box *box = malloc((size_t)blocks * sizeof *box);
    struct an_face_window *window = calloc((size_t)blocks * 6, sizeof *window);
    const struct an_bc_value symmetry = {.type = AN_BC_SYMMETRY};
    AN_CHECK(size && box && window, AN_FAIL, "out of memory");
    for (int b = 0; b < blocks; b++) {
        box[b] = (struct an_box){b, {0, 0, 0}, {n, n, n}};
        memcpy(size[b], box[b].hi, sizeof size[b]);
        for (int face = 0; face < 6; face++) {
            struct an_window *w = &window[6 * b + face].window;
            *w = (struct an_window){.block = b, .dir = face / 2, .side = face % 2, .hi = {n, n, n}};
            w->hi[w->dir] = 0;
        }
    }
    AN_TRY(an_layout_new(blocks, (const int(*)[3])size, r->e->precision, &r->l));
    AN_TRY(r->e->op->tiles_new(r->e, &r->l, blocks, box, &r->t));
    AN_TRY(r->e->op->faces_new(r->e, &r->l, 6 * blocks, window, 1, &symmetry, &r->faces));
    free(size);
    free(box);
    free(window);
    return fill_all(r);
}

static void tear_down(struct rans *r)
{
    if (r->recording)
        r->e->op->recording_free(r->e, r->recording);
    r->e->op->tiles_free(r->e, r->t);
    r->e->op->faces_free(r->e, r->faces);
    for (int f = 0; f < AN_NFIELD; f++)
        r->e->op->free(r->e, r->f.at[f]);
    an_layout_free(&r->l);
}

static int whole(const struct rans *r, const char *name, int (*call)(const void *context),
                 int stages)
{
    double seconds = 0;
    AN_TRY(bench_measure(r->e, call, r, &seconds));
    const double cells = (double)r->l.interior;
    printf("  %-20s %8.2f ps/cell", name, 1e12 * seconds / cells);
    if (stages)
        printf("  %8.4f G cell-stages/s", 1e-9 * stages * cells / seconds);
    printf("\n");
    return AN_OK;
}

static int bench_blocks(struct an_engine *e, int n, int blocks, double copy)
{
    struct rans r = {.e = e};
    r.p = (struct an_params){.gamma = 1.4,
                             .gas_constant = 287,
                             .p_ref = 1e5,
                             .k2 = 0.5,
                             .k4 = 1.0 / 32,
                             .sensor_floor = 1,
                             .aspect_exponent = 0.67,
                             .cfl = 2,
                             .alpha = 1e-12, /* the state stands still */
                             .mu_ref = 1.716e-5,
                             .mu_T = 273.11,
                             .mu_S = 110.33,
                             .prandtl = 0.72,
                             .prandtl_t = 0.9,
                             .viscosity = 1,
                             .turbulence = 1,
                             .turb_order = 1,
                             .turb_in0 = 3,
                             .turb_time = 1,
                             .explicit_march = 1};
    AN_TRY(set_up(&r, n, blocks));
    printf(" %d block%s of %d^3\n", blocks, blocks > 1 ? "s" : "", n);
    AN_TRY(run_iteration(&r));
    const double cells = (double)r.l.interior;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct kernel mine = kernels[k];
        double seconds = 0;
        mine.r = &r;
        AN_TRY(bench_measure(e, run_kernel, &mine, &seconds));
        printf("  %-20s %8.2f ps/cell",
               mine.what == FUSED ? "inviscid residual" : an_stencil_name(mine.stencil),
               1e12 * seconds / cells);
        if (mine.words)
            printf(" %3d words %5.1f%%", mine.words,
                   100 * mine.words * (double)e->precision * cells / seconds / copy);
        printf("%*s %6.2f ps/cell-stage\n", mine.words ? 0 : 17, "",
               1e12 * seconds / cells * mine.often / STAGES);
    }
    AN_TRY(whole(&r, "stage", run_stage, 1));
    AN_TRY(whole(&r, "turbulence", run_turbulence, 0));
    AN_TRY(whole(&r, "iteration", run_iteration, STAGES));
    if (e->op->record_begin) {
        AN_TRY(e->op->record_begin(e));
        AN_TRY(run_iteration(&r));
        AN_TRY(e->op->record_end(e, &r.recording));
        AN_TRY(whole(&r, "iteration replayed", replay, STAGES));
    }
    fflush(stdout);
    tear_down(&r);
    return AN_OK;
}

int bench_rans(struct an_engine *e, int n, double copy)
{
    AN_TRY(bench_blocks(e, n, 1, copy));
    return bench_blocks(e, n / 4, 40, copy);
}
