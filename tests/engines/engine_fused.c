/* Fused kernels against separate stencils, and parts of a box against the whole. */
#include "tests/engines/engine_parts.h"

#include "kernels/base/topology.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of a field, of five in each inner cell, that are not numbers or those of another field. */
static int idle(const struct engine_case *x, const struct image *m, int f, int other)
{
    int n = 0;
    for (int b = 0; b < x->layout.nblock; b++) {
        const struct an_block *block = &x->layout.block[b];
        for (int k = 0; k < block->n[2]; k++)
            for (int j = 0; j < block->n[1]; j++)
                for (int i = 0; i < block->n[0]; i++)
                    for (int c = 0; c < 5; c++) {
                        const int64_t at = c * x->layout.ncell + an_element(block, i, j, k);
                        const double v = fixture_get(x, m, f, at);
                        n += isnan(v) || v == fixture_get(x, m, other, at);
                    }
    }
    return n;
}

/* Lines that add the change themselves against the change and `correct`. */
static double added_by_lines(const struct engine_case *x, struct an_engine *e, double tolerance,
                             int report)
{
    static const struct step correct = {RUN, AN_S_correct, 0, 0, 0};
    static struct outcome o;
    struct image start;
    double worst = 0;
    if (fixture_residual(x, e, &start))
        return INFINITY;
    for (int dir = 0; dir < 4; dir++)
        for (int viscous = 0; viscous < 2; viscous++) {
            const enum an_stencil s = viscous ? AN_S_implicit_lines_viscous : AN_S_implicit_lines;
            const struct step change = {LINES, s, 0, dir, 0};
            const struct step added = {LINES, s, (enum an_scheme)ADDED, dir, 0};
            struct image a = image_copy(x, &start), b = image_copy(x, &start);
            int failed = fixture_step(x, e, &change, &a, &o);
            failed |= fixture_step(x, e, &correct, &a, &o);
            failed |= fixture_step(x, e, &added, &b, &o);
            /* a change that is not a number would be left out, and nothing compared */
            if (idle(x, &b, AN_F_WN, AN_F_W0) > 5 * x->layout.interior / 100) {
                fprintf(stderr, "lines that add: %d words of %lld did not change\n",
                        idle(x, &b, AN_F_WN, AN_F_W0), (long long)(5 * x->layout.interior));
                failed = 1;
            }
            worst =
                fmax(worst, fixture_judge("lines, correct = lines that add", "WN",
                                          image_difference(x, &a, &b, AN_F_WN), tolerance, report));
            worst = failed ? INFINITY : worst;
            image_free(&a);
            image_free(&b);
        }
    image_free(&start);
    return worst;
}

/* The residual of a coarse level in one pass against its parts. */
static double coarse_residual(const struct engine_case *x, struct an_engine *e, double tolerance,
                              int report)
{
    static const struct step part[] = {
        {RESIDUAL, 0, AN_SCHEME_MATRIX, 0, 0},
        {RUN, AN_S_viscous_residual, 0, 0, 0},
        {RUN, AN_S_add_force, 0, 0, 0},
    };
    static const struct step once = {RUN, AN_S_coarse_residual, 0, 0, 0};
    static struct outcome o;
    struct engine_case coarse = *x;
    struct image a, b;
    if (fixture_prepare(x, e, &a))
        return INFINITY;
    coarse.params.flux.k4 = 0;
    coarse.params.flux.sensor_least = 1;
    memset(a.at[AN_F_GRAD], 0, x->bytes[AN_F_GRAD]);
    memcpy(a.at[AN_F_FORCE], a.at[AN_F_W0], x->bytes[AN_F_FORCE]);
    b = image_copy(x, &a);
    int failed = 0;
    for (int n = 0; n < 3; n++) {
        failed |= fixture_step(&coarse, e, &part[n], &a, &o);
        memcpy(a.at[AN_F_FORCE], b.at[AN_F_FORCE], x->bytes[AN_F_FORCE]); /* not the viscous part */
    }
    failed |= fixture_step(&coarse, e, &once, &b, &o);
    if (idle(x, &b, AN_F_R, AN_F_FORCE) > 5 * x->layout.interior / 100) {
        fprintf(stderr, "coarse residual: %d words are not numbers, or the forcing alone\n",
                idle(x, &b, AN_F_R, AN_F_FORCE));
        failed = 1;
    }
    const double worst = fixture_judge("coarse residual = its parts", "R",
                                       image_difference(x, &a, &b, AN_F_R), tolerance, report);
    image_free(&a);
    image_free(&b);
    return failed ? INFINITY : worst;
}

/* The residual with a viscous part that is given; m: an image before it, once: the residual without. */
static double residual_given(const struct engine_case *x, struct an_engine *e, int scheme,
                             const struct image *m, const struct image *once, double tolerance,
                             int report)
{
    static const struct step add = {RUN, AN_S_add_force, 0, 0, 0};
    const struct step residual = {RESIDUAL_GIVEN, 0, (enum an_scheme)scheme, 0, 0};
    static struct outcome o;
    struct image a = image_copy(x, once), b = image_copy(x, m);
    memcpy(b.at[AN_F_FORCE], b.at[AN_F_W0], x->bytes[AN_F_FORCE]);
    memcpy(a.at[AN_F_FORCE], b.at[AN_F_FORCE], x->bytes[AN_F_FORCE]);
    memset(a.at[AN_F_FORCE], 0, x->bytes[AN_F_FORCE] / 5); /* component 0 does not count */
    int failed = fixture_step(x, e, &add, &a, &o);
    failed |= fixture_step(x, e, &residual, &b, &o);
    const double worst = fixture_judge("residual, viscous part = in one", "R",
                                       image_difference(x, &a, &b, AN_F_R), tolerance, report);
    image_free(&a);
    image_free(&b);
    return failed ? INFINITY : worst;
}

/* GRAD of the inner cells becomes NaN: what is fused must not read it. */
static void spoil_gradients(const struct engine_case *x, struct image *m)
{
    const size_t size = (size_t)x->precision;
    for (int b = 0; b < x->layout.nblock; b++) {
        const struct an_block *block = &x->layout.block[b];
        for (int c = 0; c < AN_NCOMP_GRAD; c++)
            for (int k = 0; k < block->n[2]; k++)
                for (int j = 0; j < block->n[1]; j++)
                    memset(m->at[AN_F_GRAD] +
                               (size_t)(c * x->layout.ncell + an_element(block, 0, j, k)) * size,
                           0xff, (size_t)block->n[0] * size);
    }
}

/* Convective and viscous fluxes in one pass against one after the other, bit for bit. m: an image to start
 * from. */
static double one_pass(const struct engine_case *x, struct an_engine *e, int scheme,
                       const struct image *m, int report)
{
    const enum an_scheme flux = (enum an_scheme)scheme;
    const struct step residual = {RESIDUAL, 0, flux, 0, 0}, viscous = {VISCOUS, 0, 0, 0, 0};
    const struct step stage = {VISCOUS_STAGE, 0, 0, 0, 0};
    const struct step once = {RANS, 0, flux, 0, 0}, cut = {RANS, 0, flux, 0, 1};
    const struct step once_stage = {RANS_STAGE, 0, flux, 0, 0};
    static struct outcome o;
    struct image a = image_copy(x, m);
    spoil_gradients(x, &a);
    struct image b = image_copy(x, &a), c = image_copy(x, &a), d = image_copy(x, &a);
    double worst = 0;
    memset(b.at[AN_F_R], 0xff, x->bytes[AN_F_R]); /* is not read */
    memcpy(c.at[AN_F_R], b.at[AN_F_R], x->bytes[AN_F_R]);
    int failed = fixture_step(x, e, &residual, &a, &o);
    struct image whole = image_copy(x, &a);
    failed |= fixture_step(x, e, &viscous, &a, &o);
    failed |= fixture_step(x, e, &once, &b, &o);
    failed |= fixture_step(x, e, &cut, &c, &o);
    worst = fmax(worst, fixture_judge("one pass = two", "R", image_difference(x, &a, &b, AN_F_R), 0,
                                      report));
    worst = fmax(worst, fixture_judge("one pass = two", "FORCE",
                                      image_difference(x, &a, &b, AN_F_FORCE), 0, report));
    worst = fmax(worst, fixture_compare_images(x, "one pass, cut", &b, &c, 0, report));
    failed |= fixture_step(x, e, &stage, &whole, &o);
    failed |= fixture_step(x, e, &once_stage, &d, &o);
    worst = fmax(worst, fixture_judge("one pass = two, stage", "WN",
                                      image_difference(x, &whole, &d, AN_F_WN), 0, report));
    if (idle(x, &b, AN_F_R, AN_F_W0) > 5 * x->layout.interior / 100) {
        fprintf(stderr, "one pass: %d words of R are not numbers\n", idle(x, &b, AN_F_R, AN_F_W0));
        failed = 1;
    }
    image_free(&a);
    image_free(&b);
    image_free(&c);
    image_free(&d);
    image_free(&whole);
    return failed ? INFINITY : worst;
}

static double passes(const struct engine_case *x, struct an_engine *e, int report)
{
    struct image m;
    double worst = 0;
    if (!e->op->rans)
        return 0;
    if (fixture_residual(x, e, &m))
        return INFINITY;
    for (int scheme = 0; scheme < AN_NSCHEME; scheme++)
        worst = fmax(worst, one_pass(x, e, scheme, &m, report));
    image_free(&m);
    return worst;
}

double fixture_fused(const struct engine_case *x, struct an_engine *e, double tolerance, int report)
{
    static const struct step jst[] = {{RUN, AN_S_central_flux, 0, 0, 0},
                                      {RUN, AN_S_jst_dissipation, 0, 0, 0},
                                      {RUN, AN_S_flux_sum, 0, 0, 0}};
    static const struct step roe[] = {{RUN, AN_S_roe_flux, 0, 0, 0}, {RUN, AN_S_flux_sum, 0, 0, 0}};
    static const struct step matrix[] = {{RUN, AN_S_central_flux, 0, 0, 0},
                                         {RUN, AN_S_matrix_dissipation, 0, 0, 0},
                                         {RUN, AN_S_flux_sum, 0, 0, 0}};
    static const struct step kep[] = {{RUN, AN_S_kep_flux, 0, 0, 0}, {RUN, AN_S_flux_sum, 0, 0, 0}};
    static const struct {
        const struct step *step;
        int n;
    } separate[AN_NSCHEME] = {{jst, 3}, {roe, 2}, {matrix, 3}, {kep, 2}};
    static const struct step update = {RUN, AN_S_update, 0, 0, 0};
    static struct outcome o;
    struct image m;
    double worst = 0;
    if (fixture_prepare(x, e, &m))
        return INFINITY;
    for (int scheme = 0; scheme < AN_NSCHEME; scheme++) {
        const struct step residual = {RESIDUAL, 0, (enum an_scheme)scheme, 0, 0};
        const struct step stage = {STAGE, 0, (enum an_scheme)scheme, 0, 0};
        const struct step in_place = {STAGE_IN_PLACE, 0, (enum an_scheme)scheme, 0, 0};
        struct image apart = image_copy(x, &m), once = image_copy(x, &m);
        struct image whole = image_copy(x, &m), over = image_copy(x, &m);
        int failed = 0;
        for (int n = 0; n < separate[scheme].n; n++)
            failed |= fixture_step(x, e, &separate[scheme].step[n], &apart, &o);
        memcpy(once.at[AN_F_FLUX], apart.at[AN_F_FLUX], x->bytes[AN_F_FLUX]);
        failed |= fixture_step(x, e, &residual, &once, &o);
        worst = fmax(
            worst, fixture_compare_images(x, "separate = fused", &apart, &once, tolerance, report));
        worst = fmax(worst, residual_given(x, e, scheme, &m, &once, tolerance, report));
        failed |= fixture_step(x, e, &update, &once, &o);
        failed |= fixture_step(x, e, &stage, &whole, &o);
        worst = fmax(worst,
                     fixture_judge("residual, update = stage", "WN",
                                   image_difference(x, &once, &whole, AN_F_WN), tolerance, report));
        failed |= !image_same(x, &whole, &m, AN_F_WN);
        failed |= fixture_step(x, e, &in_place, &over, &o);
        for (int b = 0; b < x->layout.nblock; b++) /* W0 has values in ghosts where WN has none */
            for (int c = 0; c < 5; c++)
                for (int k = 0; k < x->layout.block[b].n[2]; k++)
                    for (int j = 0; j < x->layout.block[b].n[1]; j++) {
                        const int64_t at =
                            c * x->layout.ncell + an_element(&x->layout.block[b], 0, j, k);
                        const size_t size = (size_t)x->precision;
                        failed |= memcmp(over.at[AN_F_W0] + (size_t)at * size,
                                         whole.at[AN_F_WN] + (size_t)at * size,
                                         (size_t)x->layout.block[b].n[0] * size) != 0;
                    }
        if (failed) {
            fprintf(stderr, "fused %s: failed, wrote elsewhere, or in place differs\n", e->name);
            worst = INFINITY;
        }
        image_free(&apart);
        image_free(&once);
        image_free(&whole);
        image_free(&over);
    }
    image_free(&m);
    worst = fmax(worst, passes(x, e, report));
    worst = fmax(worst, added_by_lines(x, e, tolerance, report));
    return fmax(worst, coarse_residual(x, e, tolerance, report));
}

/* form: 0, QCR */
static double fused_viscous(const struct engine_case *x, struct an_engine *e, int form,
                            double tolerance, int report)
{
    static const struct step gradient = {RUN, AN_S_gradient, 0, 0, 0};
    static const struct step update = {RUN, AN_S_update, 0, 0, 0};
    const struct step residual = {RUN, AN_S_viscous_residual, (enum an_scheme)form, 0, 0};
    const struct step fused = {VISCOUS, 0, (enum an_scheme)form, 0, 0},
                      cut = {VISCOUS, 0, (enum an_scheme)form, 0, 1};
    const struct step stage = {VISCOUS_STAGE, 0, (enum an_scheme)form, 0, 0};
    static struct outcome o;
    struct image a, b, c;
    double worst = 0;
    if (fixture_residual(x, e, &a))
        return INFINITY;
    b = image_copy(x, &a);
    spoil_gradients(x, &b);
    c = image_copy(x, &b);
    struct image d = image_copy(x, &b);
    int failed = fixture_step(x, e, &gradient, &a, &o);
    failed |= fixture_step(x, e, &residual, &a, &o);
    failed |= fixture_step(x, e, &fused, &b, &o);
    failed |= fixture_step(x, e, &cut, &c, &o);
    worst = fmax(worst, fixture_compare_images(x, "fused viscous, cut", &b, &c, 0, report));
    memcpy(b.at[AN_F_GRAD], a.at[AN_F_GRAD], x->bytes[AN_F_GRAD]);
    worst = fmax(worst, fixture_compare_images(x, "fused viscous", &a, &b, tolerance, report));
    failed |= fixture_step(x, e, &update, &a, &o);
    failed |= fixture_step(x, e, &stage, &d, &o);
    worst = fmax(worst, fixture_judge("fused viscous stage", "WN",
                                      image_difference(x, &a, &d, AN_F_WN), tolerance, report));
    image_free(&a);
    image_free(&b);
    image_free(&c);
    image_free(&d);
    return failed ? INFINITY : worst;
}

static double viscous_form(const struct engine_case *x, struct an_engine *e, int form,
                           double tolerance, int report)
{
    const struct step apart[] = {{RUN, AN_S_viscous_flux, (enum an_scheme)form, 0, 0},
                                 {RUN, AN_S_flux_sum, 0, 0, 0}};
    const struct step once = {RUN, AN_S_viscous_residual, (enum an_scheme)form, 0, 0};
    static struct outcome o;
    struct image a, b;
    if (fixture_prepare(x, e, &a))
        return INFINITY;
    memset(a.at[AN_F_FLUX], 0, x->bytes[AN_F_FLUX]);
    memset(a.at[AN_F_R], 0, x->bytes[AN_F_R]);
    memset(a.at[AN_F_FORCE], 0, x->bytes[AN_F_FORCE]);
    b = image_copy(x, &a);
    int failed = 0;
    for (int n = 0; n < 2; n++)
        failed |= fixture_step(x, e, &apart[n], &a, &o);
    failed |= fixture_step(x, e, &once, &b, &o);
    memcpy(b.at[AN_F_FLUX], a.at[AN_F_FLUX], x->bytes[AN_F_FLUX]);
    /* added to a residual of zero, and kept */
    const size_t one = x->bytes[AN_F_FORCE] / 5;
    memcpy(a.at[AN_F_FORCE] + one, a.at[AN_F_R] + one, 4 * one);
    double worst = fixture_compare_images(x, "viscous fluxes", &a, &b, tolerance, report);
    if (e->op->viscous)
        worst = fmax(worst, fused_viscous(x, e, form, e->device_memory ? tolerance : 0, report));
    image_free(&a);
    image_free(&b);
    return failed ? INFINITY : worst;
}

double fixture_viscous(const struct engine_case *x, struct an_engine *e, double tolerance,
                       int report)
{
    return fmax(viscous_form(x, e, 0, tolerance, report),
                viscous_form(x, e, QCR, tolerance, report));
}

double fixture_cut(const struct engine_case *x, struct an_engine *e, int report)
{
    static struct outcome o;
    struct image m;
    double worst = 0;
    if (fixture_prepare(x, e, &m))
        return INFINITY;
    for (int scheme = 0; scheme < AN_NSCHEME; scheme++)
        for (int what = RESIDUAL; what <= STAGE; what++) {
            const struct step whole = {(enum operation)what, 0, (enum an_scheme)scheme, 0, 0};
            const struct step cut = {(enum operation)what, 0, (enum an_scheme)scheme, 0, 1};
            struct image a = image_copy(x, &m), b = image_copy(x, &m);
            if (fixture_step(x, e, &whole, &a, &o) || fixture_step(x, e, &cut, &b, &o))
                worst = INFINITY;
            worst = fmax(worst,
                         fixture_compare_images(x, "whole = shells and inside", &a, &b, 0, report));
            image_free(&a);
            image_free(&b);
        }
    image_free(&m);
    return worst;
}
