/* Two engines, step by step. */
#include "tests/engines/engine_parts.h"

#include "kernels/base/topology.h"
#include "tests/engines/engine_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const field_name[AN_NFIELD] = {
#define AN_F(name, n, type, help) #name,
    AN_FIELD_LIST(AN_F)
#undef AN_F
};

/* In units of the tolerance; 0: bit for bit. */
double fixture_judge(const char *what, const char *part, double difference, double tolerance,
                     int report)
{
    const double units = difference == 0 ? 0 : difference / tolerance;
    if (units > 1)
        fprintf(stderr, "%s: %s differs by %.2e, allowed %.1e\n", what, part, difference,
                tolerance);
    else if (report)
        printf("%-28s %-12s %.2e\n", what, part, difference);
    return units;
}

double fixture_compare_images(const struct engine_case *x, const char *what, const struct image *a,
                              const struct image *b, double tolerance, int report)
{
    double worst = 0;
    for (int f = 0; f < AN_NFIELD; f++) {
        const double d = image_difference(x, a, b, (enum an_field)f);
        if (d > 0)
            worst = fmax(worst, fixture_judge(what, field_name[f], d, tolerance, report));
    }
    return worst;
}

static double compare_sums(const char *what, struct an_xsum *a, struct an_xsum *b, int n, int per,
                           double tolerance, int report)
{
    double worst = 0;
    for (int m = 0; m < n; m++) {
        an_xsum_normalise(&a[m]);
        an_xsum_normalise(&b[m]);
        if (!memcmp(&a[m], &b[m], sizeof a[m]))
            continue;
        double scale = 0;
        for (int other = m % per; other < n; other += per)
            scale = fmax(scale, fabs(an_xsum_value(a[other])));
        const double d = fabs(an_xsum_value(a[m]) - an_xsum_value(b[m])) / scale;
        worst = fmax(worst, fixture_judge(what, "sum", isnan(d) ? INFINITY : fmax(d, 1e-300),
                                          tolerance, report));
    }
    return worst;
}

static const struct step line_steps[] = {
    {LINES, AN_S_turb_lines, SST, 3, 0},
    {LINES, AN_S_turb_lines, 0, 0, 0},
    {LINES, AN_S_turb_lines, 0, 1, 0},
    {LINES, AN_S_turb_lines, 0, 2, 0},
    {LINES, AN_S_turb_lines, 0, 4, 0}, /* segments of eight cells along i */
    {LINES, AN_S_implicit_lines, 0, 0, 0},
    {LINES, AN_S_implicit_lines, 0, 1, 0},
    {LINES, AN_S_implicit_lines, 0, 2, 0},
    {LINES, AN_S_implicit_lines, 0, 3, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 4, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 0, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 1, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 2, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 3, 0},
    {LINES, AN_S_implicit_lines, ADDED, 3, 0},
    {LINES, AN_S_implicit_lines_viscous, ADDED, 0, 0},
    {LINES, AN_S_implicit_lines_viscous, ADDED, 1, 0},
    {LINES, AN_S_implicit_lines_viscous, ADDED, 2, 0},
};

static const struct step all_steps[] = {
    {RUN, AN_S_face_area, 0, 1, 0},
    {RUN, AN_S_face_sweep, 0, 1, 0},
    {RUN, AN_S_volume, 0, 1, 0},
    {RUN, AN_S_eos, 0, 2, 0}, /* which `primitive` reads */
    {RUN, AN_S_primitive, 0, 2, 0},
    {RUN, AN_S_timestep, 0, 1, 0},
    {RUN, AN_S_central_flux, 0, 0, 0},
    {RUN, AN_S_jst_dissipation, 0, 0, 0},
    {RUN, AN_S_flux_sum, 0, 0, 0},
    {RUN, AN_S_update, 0, 0, 0},
    {RUN, AN_S_norm, 0, 0, 0},
    {RUN, AN_S_derived, 0, 0, 0},
    {RESIDUAL, 0, AN_SCHEME_JST, 0, 0},
    {STAGE, 0, AN_SCHEME_JST, 0, 0},
    {STAGE_IN_PLACE, 0, AN_SCHEME_JST, 0, 0},
    {RUN, AN_S_matrix_dissipation, 0, 0, 0},
    {RESIDUAL, 0, AN_SCHEME_MATRIX, 0, 0},
    {STAGE, 0, AN_SCHEME_MATRIX, 0, 1},
    {RUN, AN_S_roe_flux, 0, 0, 0},
    {RESIDUAL, 0, AN_SCHEME_ROE, 0, 0},
    {STAGE, 0, AN_SCHEME_ROE, 0, 1},
    {RUN, AN_S_kep_flux, 0, 0, 0},
    {RESIDUAL, 0, AN_SCHEME_KEP, 0, 0},
    {STAGE, 0, AN_SCHEME_KEP, 0, 1},
    {RUN, AN_S_global_timestep, 0, 0, 0},
    {FACES, AN_S_ghost_fill, 0, 0, 0},
    {FACES, AN_S_ghost_lambda, 0, 0, 0},
    {FACES, AN_S_boundary_integral, AN_SCHEME_JST, 0, 0},
    {FACES, AN_S_boundary_integral, AN_SCHEME_ROE, 0, 0},
    {FACES, AN_S_boundary_integral, AN_SCHEME_KEP, 0, 0},
    {COPIES, 0, 0, 0, 0},
    {RUN, AN_S_gradient, 0, 0, 0},
    {FACES, AN_S_ghost_gradient, 0, 0, 0},
    {FACES, AN_S_wall_values, AN_SCHEME_JST, 0, 0},
    {FACES, AN_S_wall_values, AN_SCHEME_ROE, 0, 0},
    {FACES, AN_S_face_values, AN_SCHEME_JST, 0, 0},
    {FACES, AN_S_face_values, AN_SCHEME_ROE, 0, 0},
    {FACES, AN_S_face_values, AN_SCHEME_KEP, 0, 0},
    {FACES, AN_S_slide_gather, 0, 0, 0},
    {FACES, AN_S_slide_ghost, 0, 0, 0},
    {FACES, AN_S_slide_flux, AN_SCHEME_JST, 0, 0},
    {FACES, AN_S_slide_flux, AN_SCHEME_ROE, 0, 0},
    {FACES, AN_S_slide_correct, 0, 0, 0},
    {FACES, AN_S_lag_swap, 0, 0, 0},
    {FACES, AN_S_lag_correct, 0, 0, 0},
    {FACES, AN_S_lag_value, 0, 0, 0},
    {FACES, AN_S_lag_slide, 0, 0, 0},
    {FACES, AN_S_lag_ghost, 0, 0, 0},
    {FACES, AN_S_lag_ghost, SST, 0, 0},
    {FACES, AN_S_lag_flux, 0, 0, 0},
    {FACES, AN_S_abut_ghost, 0, 0, 0},
    {FACES, AN_S_abut_ghost, SST, 0, 0},
    {FACES, AN_S_abut_correct, 0, 0, 0},
    {FACES, AN_S_slide_gather, SST, 0, 0},
    {FACES, AN_S_slide_ghost, SST, 0, 0},
    {RUN, AN_S_viscous_flux, 0, 0, 0},
    {RUN, AN_S_viscous_residual, 0, 0, 0},
    {RUN, AN_S_viscous_flux, QCR, 0, 0},
    {RUN, AN_S_viscous_residual, QCR, 0, 0},
    {RUN, AN_S_add_source, 0, 0, 0},
    {RUN, AN_S_bleed, 0, 0, 0},
    {FACES, AN_S_ghost_wall, 0, 0, 0},
    {FACES, AN_S_ghost_turb, 0, 0, 0},
    {RUN, AN_S_turb_gradient, 0, 1, 0},
    {FACES, AN_S_ghost_turb_gradient, 0, 0, 0},
    {RUN, AN_S_sa_residual, 0, 0, 0},
    {RUN, AN_S_sa_residual, TRANSITION, 0, 0},
    {RUN, AN_S_sa_residual, ROUGH, 0, 0},
    {RUN, AN_S_des_size, 0, 0, 0},
    {RUN, AN_S_des_length, 0, 0, 0},
    {RUN, AN_S_sa_residual, DETACHED, 0, 0},
    {RUN, AN_S_des_size, DETACHED, 0, 0},
    {RUN, AN_S_des_length, DETACHED, 0, 0},
    {RUN, AN_S_sa_residual, DETACHED, 0, 0},
    {RUN, AN_S_add_turb_source, 0, 0, 0},
    {RUN, AN_S_turb_norm, 0, 0, 0},
    {LINES, AN_S_turb_lines, 0, 0, 0},
    {LINES, AN_S_turb_lines, 0, 1, 0},
    {LINES, AN_S_turb_lines, 0, 2, 0},
    {RUN, AN_S_sa_update, 0, 0, 0},
    {RUN, AN_S_sa_viscosity, 0, 0, 0},
    {RUN, AN_S_sa_viscosity, ROUGH, 0, 0},
    {RUN, AN_S_mixing_length, 0, 1, 0},
    {RUN, AN_S_turb_initial, 0, 0, 0},
    {RUN, AN_S_turb_initial, SST, 0, 0},
    {FACES, AN_S_ghost_turb, SST, 0, 0},
    {RUN, AN_S_turb_gradient, SST, 1, 0},
    {FACES, AN_S_ghost_turb_gradient, SST, 0, 0},
    {RUN, AN_S_sst_viscosity, SST, 0, 0},
    {RUN, AN_S_sst_viscosity, ROUGH_SST, 0, 0},
    {RUN, AN_S_sst_blend, SST, 1, 0},
    {FACES, AN_S_ghost_blend, SST, 0, 0},
    {RUN, AN_S_sst_residual, SST, 0, 0},
    {RUN, AN_S_sst_residual, ROUGH_SST, 0, 0},
    {RUN, AN_S_sst_blend, GAMMA, 1, 0},
    {RUN, AN_S_sst_transition, GAMMA, 0, 0},
    {RUN, AN_S_intermittency_residual, GAMMA, 0, 0},
    {RUN, AN_S_intermittency_update, GAMMA, 0, 0},
    {FACES, AN_S_ghost_intermittency, 0, 0, 0},
    {RUN, AN_S_sst_transition, RE_THETA, 0, 0},
    {RUN, AN_S_lm_residual, RE_THETA, 0, 0},
    {RUN, AN_S_lm_update, RE_THETA, 0, 0},
    {FACES, AN_S_lm_ghost, RE_THETA, 0, 0},
    {RUN, AN_S_sst_curvature, SST, 0, 0},
    {RUN, AN_S_turb_norm, SST, 0, 0},
    {LINES, AN_S_turb_lines, SST, 1, 0},
    {RUN, AN_S_sst_update, SST, 0, 0},
    {FACES, AN_S_wall_law, 0, 0, 0},
    {FACES, AN_S_ghost_eddy, 0, 0, 0},
    {FACES, AN_S_wall_law, SST, 0, 0},
    {FACES, AN_S_ghost_eddy, SST, 0, 0},
    {FACES, AN_S_ghost_fill, 0, 0, 0},
    {RUN, AN_S_sa_residual, CURVED, 0, 0},
    {RUN, AN_S_sa_viscosity, 0, 0, 0},
    {LINES, AN_S_implicit_lines, 0, 0, 0},
    {LINES, AN_S_implicit_lines, 0, 1, 0},
    {LINES, AN_S_implicit_lines, 0, 2, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 0, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 1, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 2, 0},
    {RUN, AN_S_scree, 0, 0, 0},
    {RUN, AN_S_change, 0, 0, 0},
    {FACES, AN_S_ghost_correction, 0, 0, 0},
    {RUN, AN_S_smoothing, 0, 1, 0},
    {FACES, AN_S_ghost_smoothing, 0, 0, 0},
    {RUN, AN_S_smooth, 0, 0, 0},
    {RUN, AN_S_wall_distance, 0, 0, 0},
    {BETWEEN, AN_S_coarse_volume, 0, 0, 0},
    {BETWEEN, AN_S_coarse_area, 0, 0, 0},
    {BETWEEN, AN_S_coarse_sweep, 0, 0, 0},
    {BETWEEN, AN_S_restrict_state, 0, 0, 0},
    {BETWEEN, AN_S_restrict_scalar, 0, 0, 0},
    {BETWEEN, AN_S_restrict_residual, 0, 0, 0},
    {RUN, AN_S_add_force, 0, 0, 0},
    {RUN, AN_S_correction, 0, 0, 0},
    {BETWEEN_COARSER, AN_S_prolong, 0, 0, 0},
    {RUN, AN_S_correct, 0, 0, 0},
};

static void name_step(const struct step *s, char *name, size_t size)
{
    static const char *const what[] = {"", "", "residual", "stage", "stage in place", "copies", ""};
    snprintf(name, size, "%s %s%s",
             s->what == RUN || s->what == FACES || s->what == LINES || fixture_is_between(s)
                 ? an_stencil_name(s->stencil)
                 : what[s->what],
             s->what == RUN || s->what == COPIES || s->what == LINES || fixture_is_between(s) ? ""
             : s->scheme == AN_SCHEME_ROE    ? "Roe"
             : s->scheme == AN_SCHEME_MATRIX ? "matrix"
             : s->scheme == AN_SCHEME_KEP    ? "KEP"
                                             : "JST",
             s->shells ? " shells" : "");
}

/* Has a field no value at all? Of fields that no one filled all bytes are set. */
static int is_empty(const struct engine_case *x, const struct image *m, int f)
{
    for (size_t n = 0; n < x->bytes[f]; n++)
        if (m->at[f][n] != (char)0xff)
            return 0;
    return 1;
}

/* Has every field that a step reads (after: writes) some value? Prints the fields that have none. */
static int has_data(const struct engine_case *x, const struct step *s, const struct image *m,
                    int after)
{
    int all = 1;
    if (s->what != RUN && s->what != FACES && s->what != LINES && !fixture_is_between(s))
        return 1;
    for (const struct stencil_field *f = stencil_account[s->stencil].field; f->role != ROLE_END;
         f++) {
        /* lines write one of two results */
        const int other =
            s->what == LINES && (int)f->field == ((int)s->scheme == ADDED ? AN_F_DW : AN_F_WN);
        const int reads = f->role != ROLE_OUT, writes = f->role == ROLE_OUT && !other;
        if (!(after ? writes : reads) || !is_empty(x, m, f->field))
            continue;
        all = 0;
        fprintf(stderr,
                after
                    ? "%s: the field %s has no values after the run\n"
                    : "%s reads the field %s, which has no values: fill it in new_case(), or run a "
                      "step of all_steps that writes it (tests/engines/engine_fixture.c)\n",
                an_stencil_name(s->stencil), field_name[f->field]);
    }
    return all;
}

/* Steps on both engines, each from the memory `ma` that engine a left; frees ma. */
static double compare_steps(const struct engine_case *x, struct an_engine *a, struct an_engine *b,
                            const struct step *step, size_t count, struct image ma,
                            double tolerance, int report)
{
    double worst = 0;
    struct image mb = image_copy(x, &ma);
    for (size_t n = 0; n < count; n++) {
        static struct outcome oa, ob;
        char name[64];
        name_step(&step[n], name, sizeof name);
        if (!has_data(x, &step[n], &ma, 0) || fixture_step(x, a, &step[n], &ma, &oa) ||
            fixture_step(x, b, &step[n], &mb, &ob) || !has_data(x, &step[n], &ma, 1))
            worst = INFINITY;
        const double differs = fixture_compare_images(x, name, &ma, &mb, tolerance, report);
        worst = fmax(worst, differs);
        for (int f = 0; differs > 0 && f < AN_NFIELD; f++)
            memcpy(mb.at[f], ma.at[f], x->bytes[f]);
        worst = fmax(
            worst, compare_sums(name, oa.red.sum, ob.red.sum, AN_NSUM, AN_NSUM, tolerance, report));
        worst = fmax(worst, compare_sums(name, oa.sum, ob.sum, FIXTURE_BOUNDARIES * AN_NINTEGRAL,
                                         AN_NINTEGRAL, tolerance, report));
        for (int m = 0; m < AN_NMIN; m++)
            if (oa.red.min[m] != ob.red.min[m])
                worst = fmax(
                    worst, fixture_judge(name, "min",
                                         fabs(oa.red.min[m] - ob.red.min[m]) / fabs(oa.red.min[m]),
                                         tolerance, report));
    }
    image_free(&ma);
    image_free(&mb);
    return worst;
}

/* all_steps, and behind them one step, or one for each direction, of every stencil that they leave out.
 * Returns their number. */
static size_t every_step(struct step *step)
{
    static const enum operation plain[] = {
        [KIND_CELL] = RUN, [KIND_DIRECTIONAL] = RUN, [KIND_FACE] = FACES, [KIND_LINE] = LINES};
    const size_t given = sizeof all_steps / sizeof *all_steps;
    size_t n = given;
    memcpy(step, all_steps, sizeof all_steps);
    for (int s = 0; s < AN_NSTENCIL; s++) {
        const enum stencil_kind kind = stencil_account[s].kind;
        int found = 0;
        for (size_t m = 0; m < given; m++)
            found |= (int)all_steps[m].stencil == s && all_steps[m].what != RESIDUAL &&
                     all_steps[m].what != STAGE && all_steps[m].what != STAGE_IN_PLACE &&
                     all_steps[m].what != COPIES;
        for (int dir = 0; !found && dir < (kind == KIND_LINE ? 3 : 1); dir++)
            step[n++] =
                (struct step){stencil_reads_other((enum an_stencil)s) ? BETWEEN : plain[kind],
                              (enum an_stencil)s, 0, dir, 0};
    }
    return n;
}

double fixture_compare(const struct engine_case *x, struct an_engine *a, struct an_engine *b,
                       double tolerance, int report)
{
    struct step step[sizeof all_steps / sizeof *all_steps + 3 * AN_NSTENCIL];
    const size_t n = every_step(step);
    return compare_steps(x, a, b, step, n, image_copy(x, &x->start), tolerance, report);
}

double fixture_planes(const struct engine_case *x, struct an_engine *a, struct an_engine *b,
                      double tolerance, int report)
{
    static const struct step before[] = {{RUN, AN_S_face_area, 0, 1, 0},
                                         {RUN, AN_S_face_sweep, 0, 1, 0},
                                         {RUN, AN_S_volume, 0, 1, 0},
                                         {RUN, AN_S_eos, 0, 2, 0},
                                         {RUN, AN_S_gradient, 0, 0, 0},
                                         {FACES, AN_S_ghost_wall, 0, 0, 0},
                                         {FACES, AN_S_ghost_turb, 0, 0, 0},
                                         {RUN, AN_S_turb_gradient, 0, 1, 0},
                                         {FACES, AN_S_ghost_turb_gradient, 0, 0, 0},
                                         {RUN, AN_S_turb_gradient, SST, 1, 0},
                                         {FACES, AN_S_ghost_turb_gradient, SST, 0, 0},
                                         {RUN, AN_S_sst_viscosity, SST, 0, 0},
                                         {RUN, AN_S_sst_blend, SST, 1, 0},
                                         {FACES, AN_S_ghost_blend, SST, 0, 0}};
    static const struct step after[] = {
        {RUN, AN_S_sa_residual, 0, 0, 0},          {RUN, AN_S_turb_follow, 0, 0, 0},
        {RUN, AN_S_sa_residual, ROUGH, 0, 0},      {RUN, AN_S_turb_follow, SST, 0, 0},
        {RUN, AN_S_sa_residual, TRANSITION, 0, 0}, {RUN, AN_S_sa_residual, CURVED, 0, 0},
        {RUN, AN_S_sst_residual, SST, 0, 0},       {RUN, AN_S_sst_residual, ROUGH_SST, 0, 0}};
    const size_t all = sizeof before / sizeof *before, last = sizeof after / sizeof *after;
    static const struct {
        int order, wall, rotation, viscosity;
    } of[] = {{2, 1, AN_CORRECTION_R, AN_VISCOSITY_SUTHERLAND},
              {1, 0, AN_CORRECTION_NONE, AN_VISCOSITY_CONSTANT},
              {2, 0, AN_CORRECTION_NONE, AN_VISCOSITY_POWER_LAW}};
    double worst = 0;
    for (size_t n = 0; n < sizeof of / sizeof *of; n++) {
        struct engine_case y = *x;
        struct step step[sizeof before / sizeof *before + sizeof after / sizeof *after];
        memcpy(step, before, sizeof before);
        memcpy(step + all, after, sizeof after);
        y.params.turb.order = of[n].order;
        y.params.turb.wall_function = of[n].wall;
        y.params.turb.rotation = of[n].rotation;
        y.params.fluid.viscosity = of[n].viscosity;
        worst = fmax(worst, compare_steps(&y, a, b, step, all + last, image_copy(&y, &y.start),
                                          tolerance, report));
    }
    return worst;
}

/* Metrics, primitive variables, EOS and time steps on an engine: the first of all steps. */
enum { PREPARED = 6 };
int fixture_prepare(const struct engine_case *x, struct an_engine *e, struct image *m)
{
    static struct outcome o;
    *m = image_copy(x, &x->start);
    for (int n = 0; n < PREPARED; n++)
        if (fixture_step(x, e, &all_steps[n], m, &o))
            return AN_FAIL;
    static const struct step close = {FACES, AN_S_ghost_lambda, 0, 0, 0};
    return fixture_step(x, e, &close, m, &o);
}

int fixture_residual(const struct engine_case *x, struct an_engine *e, struct image *m)
{
    static struct outcome o;
    static const struct step residual = {RESIDUAL, 0, AN_SCHEME_JST, 0, 0};
    const int status = fixture_prepare(x, e, m);
    return status ? status : fixture_step(x, e, &residual, m, &o);
}

double fixture_compare_lines(const struct engine_case *x, struct an_engine *a, struct an_engine *b,
                             double tolerance, int report)
{
    struct image m;
    if (fixture_residual(x, a, &m))
        return INFINITY;
    return compare_steps(x, a, b, line_steps, sizeof line_steps / sizeof *line_steps, m, tolerance,
                         report);
}
