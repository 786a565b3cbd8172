#include "solver/march/scalars.h"

#include "bc/boundary_value.h"
#include "io/csv_file.h"
#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/flow/flow.h"
#include "solver/flow/turbulence.h"
#include "solver/level/level.h"
#include "solver/march/cfl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scalars {
    int n;
    void *y;                                 /* [n + 1][cells] of the engine; owned. The one behind
                                                 the last is there to be read beside it */
    struct an_tiles *wide;                   /* cells and both layers of ghost cells; owned */
    struct an_faces *faces[AN_MOST_SCALARS]; /* with what enters, v[0]; owned */
    double scale[AN_MOST_SCALARS];           /* the largest value of the case */
    struct an_xsum *sum;                     /* [n][nboundary][AN_NINTEGRAL] owned */
    double in[AN_MOST_SCALARS], out[AN_MOST_SCALARS]; /* mass averages of the last measurement */
    int64_t
        written; /* iteration of the last line of scalars.csv; INT64_MAX: this run has written none */
};

static size_t bytes_of(const struct an_solver *s)
{
    return (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
}

static void *scalar(const struct an_solver *s, const struct scalars *p, int n)
{
    return (char *)p->y + (size_t)n * bytes_of(s);
}

/* ---- set-up ---- */

static int check(const struct an_solver *s)
{
    const struct an_topology *t = &s->mesh->topology;
    for (int b = 0; b < t->nboundary; b++) {
        const struct an_case_boundary *q = an_case_boundary_find(s->c, t->boundary[b].name);
        const enum an_bc_type type = q ? q->type : (enum an_bc_type)s->boundary[b].type;
        const int barred = type == AN_BC_MIXING_PLANE || type == AN_BC_SLIDING_PLANE ||
                           type == AN_BC_ABUTTING || type == AN_BC_COOLING || type == AN_BC_BLEED;
        AN_CHECK(!barred, AN_INPUT,
                 "%s: passive scalars do not pass the %s '%s': leave out 'scalars'", s->c->file,
                 an_bc_type_name(type), t->boundary[b].name);
    }
    for (int b = 0; b < s->c->nboundary; b++)
        AN_CHECK(
            !*s->c->boundary[b].holes, AN_INPUT,
            "%s: passive scalars do not pass 'boundaries.%s.holes': leave out 'scalars' or the "
            "holes",
            s->c->file, s->c->boundary[b].name);
    AN_CHECK(s->c->nleakage == 0, AN_INPUT,
             "%s: passive scalars do not pass a leakage: leave out 'scalars' or 'leakages'",
             s->c->file);
    return AN_OK;
}

static int make_tiles(struct an_solver *s, struct scalars *p)
{
    const struct an_layout *l = &s->level->layout;
    struct an_box *box = calloc((size_t)l->nblock + 1, sizeof *box);
    AN_CHECK(box, AN_FAIL, "out of memory for scalars");
    for (int b = 0; b < l->nblock; b++) {
        box[b].block = b;
        for (int d = 0; d < 3; d++) {
            box[b].lo[d] = -AN_GHOST;
            box[b].hi[d] = l->block[b].n[d] + AN_GHOST;
        }
    }
    const int status = s->engine->op->tiles_new(s->engine, l, l->nblock, box, &p->wide);
    free(box);
    return status;
}

/* Boundary faces of scalar n, with the value that enters. */
static int make_faces(struct an_solver *s, struct scalars *p, int n)
{
    const struct an_topology *t = &s->level->partition.topology;
    struct an_bc_value *value = malloc(((size_t)t->nboundary + 1) * sizeof *value);
    struct an_face_window *window = NULL;
    int nwindow, status = value ? AN_OK : an_error_set(AN_FAIL, "out of memory for scalars");
    p->scale[n] = fabs(s->c->scalar[n].initial);
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const struct an_case_boundary *q =
            an_case_boundary_find(s->c, s->mesh->topology.boundary[b].name);
        value[b] = s->boundary[b];
        value[b].varies = 0;
        value[b].v[0] = q && q->scalars.n ? q->scalars.x[n] : 0;
        p->scale[n] =
            fmax(p->scale[n], fabs(value[b].v[0]) *
                                  an_bc_type_has((enum an_bc_type)value[b].type, AN_BC_PASSES));
    }
    if (status == AN_OK)
        status = an_bc_windows(t, s->boundary, s->nlocal, s->local, &nwindow, &window);
    if (status == AN_OK)
        status = s->engine->op->faces_new(s->engine, &s->level->layout, nwindow, window,
                                          t->nboundary, value, &p->faces[n]);
    free(window);
    free(value);
    return status;
}

static int scalars_make(struct an_solver *s, void **component)
{
    if (!s->c->nscalar)
        return AN_OK;
    struct scalars *p = calloc(1, sizeof *p);
    *component = p;
    AN_CHECK(p, AN_FAIL, "out of memory for scalars");
    AN_TRY(check(s));
    p->n = s->c->nscalar;
    p->written = INT64_MAX;
    p->sum = calloc((size_t)(p->n * s->level->partition.topology.nboundary) * AN_NINTEGRAL + 1,
                    sizeof *p->sum);
    AN_CHECK(p->sum, AN_FAIL, "out of memory for scalars");
    AN_TRY(s->engine->op->alloc(s->engine, (size_t)(p->n + 1) * bytes_of(s), &p->y));
    AN_TRY(make_tiles(s, p));
    for (int n = 0; n < p->n; n++)
        AN_TRY(make_faces(s, p, n));
    return AN_OK;
}

static void scalars_destroy(struct an_solver *s, void *component)
{
    struct scalars *p = component;
    for (int n = 0; n < p->n; n++)
        if (p->faces[n])
            s->engine->op->faces_free(s->engine, p->faces[n]);
    if (p->wide)
        s->engine->op->tiles_free(s->engine, p->wide);
    if (p->y)
        s->engine->op->free(s->engine, p->y);
    free(p->sum);
    free(p);
}

static int scalars_start(struct an_solver *s, void *component, int fresh)
{
    struct scalars *p = component;
    const struct an_layout *l = &s->level->layout;
    void *image = malloc(bytes_of(s) + 1);
    int status = image ? AN_OK : an_error_set(AN_FAIL, "out of memory for scalars");
    for (int n = 0; n < p->n && fresh && status == AN_OK; n++) {
        for (int64_t m = 0; m < l->ncell; m++)
            an_real_put(l->precision, image, m, s->c->scalar[n].initial);
        status = s->engine->op->upload(s->engine, scalar(s, p, n), image, bytes_of(s), 0);
        if (status == AN_OK)
            status = s->engine->op->sync(s->engine, 0);
    }
    free(image);
    return status;
}

static int scalars_fields(const struct an_solver *s, const void *component,
                          struct an_state_field *field)
{
    const struct scalars *p = component;
    for (int n = 0; n < p->n; n++)
        field[n] = (struct an_state_field){s->c->scalar[n].name, scalar(s, p, n), 0};
    return p->n;
}

/* ---- a step ---- */

/* What the stencils of scalar n see: it stands for TURB, one variable, its Schmidt numbers for the
 * Prandtl numbers; work lies in memory of the stages, as that of turbulence models. */
static struct an_fields fields_of(const struct an_solver *s, const struct scalars *p, int n)
{
    const struct an_level *l = s->level;
    struct an_fields f = l->fields;
    char *work = l->stage[0];
    f.at[AN_F_TURB] = scalar(s, p, n);
    f.at[AN_F_GRADT] = work;
    f.at[AN_F_RT] = work + 3 * bytes_of(s);
    f.at[AN_F_DIAGT] = work + 4 * bytes_of(s);
    if (s->params.fluid.viscosity == AN_VISCOSITY_NONE) { /* addresses; nobody reads them */
        f.at[AN_F_DX] = f.at[AN_F_S];
        f.at[AN_F_MUT] = f.at[AN_F_VOL];
    }
    return f;
}

static struct an_params params_of(const struct an_solver *s, const struct scalars *p, int n)
{
    enum { SMALL = 1000 }; /* the scale over a difference that the limiter lets pass */
    struct an_params q = s->params;
    const double small = p->scale[n] > 0 ? p->scale[n] / SMALL : 1.0 / SMALL;
    q.turb.model = AN_TURBULENCE_SA; /* one variable */
    q.fluid.prandtl = s->c->scalar[n].schmidt;
    q.fluid.prandtl_t = s->c->scalar[n].schmidt_turbulent;
    q.flux.floor_rho = small * small;
    q.march.turb_time = an_turbulence_time_weight(s->params.march.cfl);
    return q;
}

/* Mass fluxes of a state with ghost cells, and with the LAM of the step, into FLUX. before: the level's EOS belongs to
 * another state; that of this one goes to LINE. */
static int mass_fluxes(struct an_solver *s, const struct scalars *p, void *state, int before)
{
    static const enum an_stencil central[] = {AN_S_central_flux, AN_S_jst_dissipation},
                                 matrix[] = {AN_S_central_flux, AN_S_matrix_dissipation},
                                 roe[] = {AN_S_roe_flux}, kep[] = {AN_S_kep_flux};
    static const struct {
        const enum an_stencil *stencil;
        int n;
    } flux[AN_NSCHEME] = {[AN_SCHEME_JST] = {central, 2},
                          [AN_SCHEME_ROE] = {roe, 1},
                          [AN_SCHEME_MATRIX] = {matrix, 2},
                          [AN_SCHEME_KEP] = {kep, 1}};
    const struct an_engine_ops *op = s->engine->op;
    struct an_fields f = s->level->fields;
    f.at[AN_F_W] = state;
    if (before && f.at[AN_F_EOS]) {
        AN_TRY(op->copy(s->engine, f.at[AN_F_LINE], f.at[AN_F_EOS], AN_NCOMP_EOS * bytes_of(s), 0));
        f.at[AN_F_EOS] = f.at[AN_F_LINE];
        AN_TRY(an_level_eos(s, s->level, &f));
    }
    AN_TRY(op->run(s->engine, AN_S_primitive, p->wide, &f, &s->params, NULL, 0));
    for (int n = 0; n < flux[s->scheme].n; n++)
        AN_TRY(op->run(s->engine, flux[s->scheme].stencil[n], s->level->interior, &f, &s->params,
                       NULL, 0));
    return AN_OK;
}

static int ghosts(struct an_solver *s, const struct scalars *p, int n, const struct an_fields *f,
                  const struct an_params *q)
{
    struct an_level *l = s->level;
    AN_TRY(an_halo_start(l->halo, f->at[AN_F_TURB], 1, AN_COPY_PLAIN));
    AN_TRY(an_halo_finish(l->halo));
    AN_TRY(s->engine->op->run_faces(s->engine, AN_S_ghost_scalar, s->scheme, p->faces[n], f, q,
                                    NULL, 0));
    return an_level_second(l, f->at[AN_F_TURB], 1, AN_COPY_PLAIN);
}

/* In viscous runs: GRADT, ghost cells included. */
static int gradient(struct an_solver *s, const struct an_fields *f, const struct an_params *q)
{
    struct an_level *l = s->level;
    struct an_copying local;
    if (q->fluid.viscosity == AN_VISCOSITY_NONE)
        return AN_OK;
    AN_TRY(s->engine->op->run(s->engine, AN_S_turb_gradient, l->interior, f, q, NULL, 0));
    AN_TRY(an_halo_start(l->halo, f->at[AN_F_GRADT], 3, 0));
    an_halo_take_local(l->halo, &local);
    AN_TRY(an_engine_ghosts(s->engine, &local, AN_S_ghost_turb_gradient, s->scheme, l->faces, f, q,
                            0));
    return an_halo_finish(l->halo);
}

static int residual(struct an_solver *s, const struct an_fields *f, const struct an_params *q)
{
    AN_TRY(gradient(s, f, q));
    return s->engine->op->run(s->engine, AN_S_scalar_residual, s->level->interior, f, q, NULL, 0);
}

static int march_scalar(struct an_solver *s, const struct scalars *p, int n)
{
    static const double part[] = {1. / 3, 0.5, 1};
    const int unsteady = s->c->march.mode == AN_MARCH_UNSTEADY;
    const struct an_engine_ops *op = s->engine->op;
    struct an_level *l = s->level;
    const struct an_fields f = fields_of(s, p, n);
    struct an_params q = params_of(s, p, n);
    AN_TRY(op->copy(s->engine, an_level_component(l, AN_F_LINE, AN_LINE_TURB), f.at[AN_F_TURB],
                    bytes_of(s), 0));
    for (size_t m = 0; m < sizeof part / sizeof *part; m++) {
        q.march.alpha = part[m];
        AN_TRY(ghosts(s, p, n, &f, &q));
        AN_TRY(residual(s, &f, &q));
        if (!unsteady)
            AN_TRY(op->run_lines(s->engine, AN_S_turb_lines, l->lines[0], &f, &q, 0));
        AN_TRY(op->run(s->engine, unsteady ? AN_S_scalar_stage : AN_S_scalar_update, l->interior,
                       &f, &q, NULL, 0));
    }
    return AN_OK;
}

static int scalars_step(struct an_solver *s, void *component)
{
    const struct scalars *p = component;
    /* unsteady: the state that the flow's last stage took its fluxes from, in memory of the stages */
    const int nstage = an_marching_of(s)->nstage;
    const int before = s->c->march.mode == AN_MARCH_UNSTEADY && nstage > 1;
    void *const now = s->level->fields.at[AN_F_W];
    void *const state = before ? s->level->stage[nstage & 1] : now;
    AN_TRY(mass_fluxes(s, p, state, before));
    for (int n = 0; n < p->n; n++)
        AN_TRY(march_scalar(s, p, n));
    return AN_OK;
}

void an_scalar_view(const struct an_solver *s, int n, struct an_fields *f, struct an_params *q)
{
    const struct scalars *p = an_component_of(s, &an_scalars_component);
    *f = fields_of(s, p, n);
    *q = params_of(s, p, n);
}

int an_scalar_refresh(struct an_solver *s, int n)
{
    const struct scalars *p = an_component_of(s, &an_scalars_component);
    const struct an_fields f = fields_of(s, p, n);
    const struct an_params q = params_of(s, p, n);
    AN_TRY(ghosts(s, p, n, &f, &q));
    return gradient(s, &f, &q);
}

/* ---- monitors ---- */

static int scalars_measure_start(struct an_solver *s, void *component)
{
    const struct scalars *p = component;
    const int nboundary = s->level->partition.topology.nboundary;
    for (int n = 0; n < p->n; n++) {
        const struct an_fields f = fields_of(s, p, n);
        struct an_params q = params_of(s, p, n);
        AN_TRY(ghosts(s, p, n, &f, &q));
        q.fluid.viscosity = AN_VISCOSITY_NONE; /* friction carries no mass */
        AN_TRY(s->engine->op->run_faces(s->engine, AN_S_boundary_integral, s->scheme,
                                        s->level->faces, &f, &q,
                                        p->sum + n * nboundary * AN_NINTEGRAL, 0));
    }
    return AN_OK;
}

/* Opens scalars.csv for the line of an iteration: later lines go, if this run begins or went back. */
static int open_table(const struct an_solver *s, const struct scalars *p, const char *path,
                      int64_t iteration, FILE **f)
{
    char header[2 * AN_MOST_SCALARS * (AN_NAME + 8) + 16] = "iteration";
    size_t used = strlen(header);
    for (int n = 0; n < p->n; n++)
        used += (size_t)snprintf(header + used, sizeof header - used, ",%s_in,%s_out",
                                 s->c->scalar[n].name, s->c->scalar[n].name);
    snprintf(header + used, sizeof header - used, "\n");
    if (iteration <= p->written)
        return an_csv_open(path, header, iteration - 1, f);
    *f = fopen(path, "a");
    AN_CHECK(*f, AN_FAIL, "%s cannot be written", path);
    return AN_OK;
}

/* A line of scalars.csv. Rank 0. */
static int write_line(const struct an_solver *s, struct scalars *p, int64_t iteration)
{
    char path[AN_PATH + 16];
    FILE *f;
    snprintf(path, sizeof path, "%s/scalars.csv", s->c->output.folder);
    AN_TRY(open_table(s, p, path, iteration, &f));
    p->written = iteration;
    fprintf(f, "%lld", (long long)iteration);
    for (int n = 0; n < p->n; n++)
        fprintf(f, ",%.10g,%.10g", p->in[n], p->out[n]);
    fputc('\n', f);
    const int bad = ferror(f);
    AN_CHECK(fclose(f) == 0 && !bad, AN_FAIL, "%s cannot be written: is the disk full?", path);
    return AN_OK;
}

static int scalars_measure_finish(struct an_solver *s, void *component, const struct an_measured *m)
{
    struct scalars *p = component;
    const int nboundary = s->level->partition.topology.nboundary;
    AN_TRY(an_reduce_xsum(s->comm, p->n * nboundary * AN_NINTEGRAL, p->sum));
    for (int n = 0; n < p->n; n++) {
        double mass[2] = {0, 0}, carried[2] = {0, 0};
        for (int b = 0; b < nboundary; b++) {
            const struct an_xsum *sum = p->sum + (n * nboundary + b) * AN_NINTEGRAL;
            const double through = an_xsum_value(sum[AN_I_MASS]);
            if (!an_bc_type_has((enum an_bc_type)s->boundary[b].type, AN_BC_PASSES))
                continue;
            mass[through > 0] += through;
            carried[through > 0] += an_xsum_value(sum[AN_I_MTURB0]);
        }
        p->in[n] = carried[0] / mass[0] + 0.0; /* no minus zero */
        p->out[n] = carried[1] / mass[1];
    }
    return an_reduce_status(s->comm, s->rank == 0 ? write_line(s, p, m->iteration) : AN_OK);
}

static void scalars_report(const struct an_solver *s, const void *component, FILE *out)
{
    const struct scalars *p = component;
    for (int n = 0; n < p->n; n++)
        fprintf(out,
                "scalar      %s: %.6g where flow enters, %.6g where it leaves, mass-averaged\n",
                s->c->scalar[n].name, p->in[n], p->out[n]);
}

const struct an_component_type an_scalars_component = {.name = "scalars",
                                                       .after = AN_AFTER("march"),
                                                       .make = scalars_make,
                                                       .destroy = scalars_destroy,
                                                       .start = scalars_start,
                                                       .step = scalars_step,
                                                       .measure_start = scalars_measure_start,
                                                       .measure_finish = scalars_measure_finish,
                                                       .fields = scalars_fields,
                                                       .report = scalars_report};
