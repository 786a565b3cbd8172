/* All engines of the host give the same bits: instruction sets of the CPU, and the CUDA kernels run
 * thread by thread with every instantiation of the fused kernel. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/emulated/emulated_engine.h"
#include "kernels/engine/built.h"
#include "kernels/engine/tiles.h"
#include "tests/engines/engine_fixture.h"

static const enum an_precision precisions[2] = {AN_SINGLE, AN_DOUBLE};

static const char *const isa[] = {"baseline", "avx2", "avx512"};
enum { NISA = 3 };

static void cpu_engine(enum an_precision precision, const char *set, struct an_engine *e)
{
    assert_int_equal(an_engine_cpu_new(precision, 2, set, e), AN_OK);
}

/* The first of the instruction sets that was built and that this processor runs: a build need not have "baseline". */
static int first_set(enum an_precision precision)
{
    for (int n = 0; n < NISA; n++) {
        struct an_engine e;
        if (an_engine_cpu_new(precision, 1, isa[n], &e) == AN_OK) {
            an_engine_destroy(&e);
            return n;
        }
    }
    fail_msg("this processor runs none of %s", an_engine_cpu_built());
    return 0;
}

/* The message says whether a set was not built or the processor does not run it. */
static void set_that_is_not_there(void **unused)
{
    (void)unused;
    for (int n = 0; n < NISA; n++) {
        struct an_engine e;
        const int built = strstr(an_engine_cpu_built(), isa[n]) != NULL;
        const int status = an_engine_cpu_new(AN_DOUBLE, 1, isa[n], &e);
        if (status == AN_OK) {
            assert_true(built);
            an_engine_destroy(&e);
        } else if (built) {
            assert_int_equal(status, AN_FAIL);
            assert_non_null(
                strstr(an_error_text(), "this processor does not run the instruction set"));
        } else {
            assert_int_equal(status, AN_INPUT);
            assert_non_null(
                strstr(an_error_text(), "this program was built for the instruction set"));
        }
    }
    struct an_engine e;
    assert_int_equal(an_engine_cpu_new(AN_DOUBLE, 1, "neon9", &e), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "(AN_CPU_SETS of CMake), not for 'neon9'"));
}

/* A case, with the CPU engine and the emulated one for it. */
static void pair_new(int p, struct engine_case *x, struct an_engine *cpu,
                     struct an_engine *emulated)
{
    fixture_new(precisions[p], x);
    cpu_engine(precisions[p], NULL, cpu);
    assert_int_equal(an_engine_emulated_new(precisions[p], emulated), AN_OK);
}

static void pair_free(struct engine_case *x, struct an_engine *cpu, struct an_engine *emulated)
{
    an_engine_destroy(cpu);
    an_engine_destroy(emulated);
    fixture_free(x);
}

static void instruction_sets_agree(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++)
        for (int first = first_set(precisions[p]), n = first + 1; n < NISA; n++) {
            struct engine_case x;
            struct an_engine a, b;
            if (an_engine_cpu_new(precisions[p], 1, isa[n], &b)) {
                print_message("%s\n", an_error_text());
                continue;
            }
            fixture_new(precisions[p], &x);
            cpu_engine(precisions[p], isa[first], &a);
            assert_true(fixture_compare(&x, &a, &b, 0, 0) == 0);
            fixture_turn(&x);
            assert_true(fixture_compare(&x, &a, &b, 0, 0) == 0);
            an_engine_destroy(&a);
            an_engine_destroy(&b);
            fixture_free(&x);
        }
}

static void cpu_fused_equals_separate(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine e;
        fixture_new(precisions[p], &x);
        cpu_engine(precisions[p], NULL, &e);
        assert_true(fixture_fused(&x, &e, 0, 0) == 0);
        assert_true(fixture_cut(&x, &e, 0) == 0);
        assert_true(fixture_viscous(&x, &e, 1e-15, 0) <= 1);
        fixture_turn(&x);
        assert_true(fixture_fused(&x, &e, 0, 0) == 0);
        assert_true(fixture_cut(&x, &e, 0) == 0);
        an_engine_destroy(&e);
        fixture_free(&x);
    }
}

static void emulated_equals_cpu(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine a, b;
        pair_new(p, &x, &a, &b);
        assert_true(fixture_compare(&x, &a, &b, 0, 0) == 0);
        assert_true(fixture_fused(&x, &b, 0, 0) == 0);
        assert_true(fixture_cut(&x, &b, 0) == 0);
        assert_int_equal(fixture_replay(&x, &b), AN_OK);
        assert_true(fixture_viscous(&x, &b, 1e-15, 0) <= 1);
        fixture_turn(&x);
        assert_true(fixture_compare(&x, &a, &b, 0, 0) == 0);
        assert_true(fixture_cut(&x, &b, 0) == 0);
        pair_free(&x, &a, &b);
    }
}

/* Copies and faces of one launch do not depend on each other: they give the same bits in whatever order
 * its blocks run. That the test sees an order: with copies of what the faces write it fails. */
static void ghosts_in_one_launch(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine a, b;
        pair_new(p, &x, &a, &b);
        assert_int_equal(fixture_ghosts(&x, &a, 0), AN_OK);
        for (emulated_last_first = 0; emulated_last_first < 2; emulated_last_first++)
            assert_int_equal(fixture_ghosts(&x, &b, 0), AN_OK);
        emulated_last_first = 1;
        assert_int_not_equal(fixture_ghosts(&x, &b, 1), AN_OK);
        emulated_last_first = 0;
        pair_free(&x, &a, &b);
    }
}

static void mailbox_to_itself(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine a, b;
        pair_new(p, &x, &a, &b);
        assert_int_equal(fixture_mailbox(&x, &a), AN_OK);
        assert_int_equal(fixture_mailbox(&x, &b), AN_OK);
        pair_free(&x, &a, &b);
    }
}

/* Lines of awkward lengths and numbers, and some instruction set against another. */
static void lines_agree(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine a, b;
        fixture_new_lines(precisions[p], &x);
        const int first = first_set(precisions[p]);
        cpu_engine(precisions[p], isa[first], &a);
        assert_int_equal(an_engine_emulated_new(precisions[p], &b), AN_OK);
        assert_true(fixture_compare_lines(&x, &a, &b, 0, 0) == 0);
        an_engine_destroy(&b);
        for (int n = first + 1; n < NISA; n++)
            if (!an_engine_cpu_new(precisions[p], 1, isa[n], &b)) {
                assert_true(fixture_compare_lines(&x, &a, &b, 0, 0) == 0);
                an_engine_destroy(&b);
            }
        an_engine_destroy(&a);
        fixture_free(&x);
    }
}

/* Dry air (tests/unit/test_gas.c); the temperatures of the case are 240 to 400 K. */
static const double air[] = {1059.0,     -0.51789,   0.0014605, -1.3491e-06,
                             6.1504e-10, -1.397e-13, 1.2621e-17};

/* What was asked of a gas with constant cp, of one with cp(T); where the mesh turns, that both engines agree. */
static void engines_agree_with_cp(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x, lines;
        struct an_engine a, b;
        fixture_new(precisions[p], &x);
        fixture_new_lines(precisions[p], &lines);
        fixture_gas(&x, 7, air);
        fixture_gas(&lines, 7, air);
        const int first = first_set(precisions[p]);
        cpu_engine(precisions[p], isa[first], &a);
        assert_int_equal(an_engine_emulated_new(precisions[p], &b), AN_OK);
        for (int rotating = 0; rotating < 2; rotating++) {
            assert_true(fixture_compare(&x, &a, &b, 0, 0) == 0);
            for (int n = 0; n < 2 && !rotating; n++) {
                struct an_engine *e = n ? &b : &a;
                assert_true(fixture_fused(&x, e, 0, 0) == 0);
                assert_true(fixture_cut(&x, e, 0) == 0);
                assert_true(fixture_viscous(&x, e, 1e-15, 0) <= 1);
            }
            fixture_turn(&x);
        }
        assert_true(fixture_compare_lines(&lines, &a, &b, 0, 0) == 0);
        assert_int_equal(fixture_replay(&x, &b), AN_OK);
        an_engine_destroy(&b);
        for (int n = first + 1; n < NISA; n++)
            if (!an_engine_cpu_new(precisions[p], 1, isa[n], &b)) {
                assert_true(fixture_compare(&x, &a, &b, 0, 0) == 0);
                assert_true(fixture_compare_lines(&lines, &a, &b, 0, 0) == 0);
                an_engine_destroy(&b);
            }
        an_engine_destroy(&a);
        fixture_free(&x);
        fixture_free(&lines);
    }
}

/* An engine that takes the gas for one whose cp is a polynomial of one coefficient. */
static const struct an_engine_ops *plain;

static struct an_params with_cp(const struct an_params *p)
{
    struct an_params changed = *p;
    const double cp = p->fluid.gas_constant * p->fluid.gamma / (p->fluid.gamma - 1);
    assert_int_equal(an_gas_polynomial(p->fluid.gas_constant, 1, &cp, 200, 2500, &changed.gas),
                     AN_OK);
    changed.fluid.gamma = NAN;
    return changed;
}

/* What a kernel for stored properties reads: those of the state W in all elements, found here and not by the engine. The
 * engine with constant cp does not write them, so they are taken back behind the kernel. */
static struct {
    int64_t n; /* elements of a component */
    enum an_precision precision;
    void *before; /* EOS [AN_NCOMP_EOS][n] */
} stored;

static void store_for(const struct engine_case *x)
{
    stored.n = x->layout.ncell;
    stored.precision = x->precision;
    free(stored.before);
    stored.before = malloc((size_t)(stored.n * AN_NCOMP_EOS) * (size_t)stored.precision);
    assert_non_null(stored.before);
}

static double of(const void *field, int64_t at)
{
    return stored.precision == AN_DOUBLE ? ((const double *)field)[at] : ((const float *)field)[at];
}

static double viscosity(double T, const struct an_params *p)
{
    const double ratio = T / p->fluid.mu_T;
    return p->fluid.viscosity == AN_VISCOSITY_SUTHERLAND
               ? p->fluid.mu_ref * ratio * sqrt(ratio) * (p->fluid.mu_T + p->fluid.mu_S) /
                     (T + p->fluid.mu_S)
           : p->fluid.viscosity == AN_VISCOSITY_POWER_LAW
               ? p->fluid.mu_ref * pow(ratio, p->fluid.mu_exponent)
               : p->fluid.mu_ref;
}

/* Stencils that write EOS with both kinds of gas. */
static int writes_eos(enum an_stencil s)
{
    return s == AN_S_eos || s == AN_S_mixture_set || s == AN_S_mixture_keep ||
           s == AN_S_mixture_ghost;
}

static void store(const struct an_fields *f, const void *W, const struct an_params *p)
{
    const int64_t n = stored.n;
    void *const eos = f->at[AN_F_EOS];
    if (!eos)
        return;
    memcpy(stored.before, eos, (size_t)(n * AN_NCOMP_EOS) * (size_t)stored.precision);
    for (int64_t at = 0; at < n; at++) {
        const double rho = of(W, at), mx = of(W, n + at), my = of(W, 2 * n + at);
        const double mz = of(W, 3 * n + at), energy = of(W, 4 * n + at), g1 = p->fluid.gamma - 1;
        const double pressure = g1 * (energy - 0.5 * (mx * mx + my * my + mz * mz) / rho);
        const double T = pressure / (rho * p->fluid.gas_constant),
                     cp = p->fluid.gamma / g1 * p->fluid.gas_constant;
        const double mu = viscosity(T, p);
        const double word[AN_NCOMP_EOS] = {pressure,
                                           g1,
                                           p->fluid.gamma * pressure / rho,
                                           T,
                                           mu,
                                           cp * mu / p->fluid.prandtl,
                                           cp,
                                           cp - p->fluid.gas_constant};
        for (int c = 0; c < AN_NCOMP_EOS; c++) /* the fraction is 0 */
            if (stored.precision == AN_DOUBLE)
                ((double *)eos)[c * n + at] = word[c];
            else
                ((float *)eos)[c * n + at] = (float)word[c];
    }
}

static int taken_back(int status, const struct an_fields *f)
{
    if (f->at[AN_F_EOS])
        memcpy(f->at[AN_F_EOS], stored.before,
               (size_t)(stored.n * AN_NCOMP_EOS) * (size_t)stored.precision);
    return status;
}

static int cp_run(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                  const struct an_fields *f, const struct an_params *p, struct an_reduction *red,
                  int stream)
{
    const struct an_params changed = with_cp(p);
    if (writes_eos(s))
        return plain->run(e, s, t, f, &changed, red, stream);
    store(f, f->at[s == AN_S_correct ? AN_F_W0 : AN_F_W], p);
    return taken_back(plain->run(e, s, t, f, &changed, red, stream), f);
}

static int cp_lines(struct an_engine *e, enum an_stencil s, const struct an_lines *lines,
                    const struct an_fields *f, const struct an_params *p, int stream)
{
    const struct an_params changed = with_cp(p);
    struct an_params law = *p;
    law.fluid.mu_exponent = 1; /* that of operators with constant cp: an_viscosity_estimate */
    store(f, f->at[AN_F_W], &law);
    return taken_back(plain->run_lines(e, s, lines, f, &changed, stream), f);
}

static int cp_faces(struct an_engine *e, enum an_stencil s, enum an_scheme scheme,
                    const struct an_faces *faces, const struct an_fields *f,
                    const struct an_params *p, struct an_xsum *sum, int stream)
{
    const struct an_params changed = with_cp(p);
    if (writes_eos(s))
        return plain->run_faces(e, s, scheme, faces, f, &changed, sum, stream);
    store(f, f->at[AN_F_W], p);
    return taken_back(plain->run_faces(e, s, scheme, faces, f, &changed, sum, stream), f);
}

static int cp_residual(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                       const struct an_fields *f, const struct an_params *p, int stream)
{
    const struct an_params changed = with_cp(p);
    store(f, f->at[AN_F_W], p);
    return taken_back(plain->residual(e, scheme, t, f, &changed, stream), f);
}

static int cp_stage(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                    const struct an_fields *f, const struct an_params *p, int stream)
{
    const struct an_params changed = with_cp(p);
    store(f, f->at[AN_F_W], p);
    return taken_back(plain->stage(e, scheme, t, f, &changed, stream), f);
}

/* Through every stencil and every boundary type, to rounding. */
static void constant_polynomial_is_gamma(void **unused)
{
    (void)unused;
    static const double tolerance[2] = {4e-5, 1e-13};
    for (int p = 0; p < 2; p++) {
        struct engine_case x, lines;
        struct an_engine a, b;
        fixture_new(precisions[p], &x);
        fixture_new_lines(precisions[p], &lines);
        cpu_engine(precisions[p], NULL, &a);
        cpu_engine(precisions[p], NULL, &b);
        plain = b.op;
        struct an_engine_ops changed = *plain;
        changed.run = cp_run;
        changed.run_lines = cp_lines;
        changed.run_faces = cp_faces;
        changed.residual = cp_residual;
        changed.stage = cp_stage;
        b.op = &changed;
        store_for(&x);
        assert_true(fixture_compare(&x, &a, &b, tolerance[p], 0) <= 1);
        fixture_turn(&x);
        assert_true(fixture_compare(&x, &a, &b, tolerance[p], 0) <= 1);
        store_for(&lines);
        assert_true(fixture_compare_lines(&lines, &a, &b, tolerance[p], 0) <= 1);
        free(stored.before);
        stored.before = NULL;
        fixture_free(&x);
        fixture_free(&lines);
        an_engine_destroy(&a);
        an_engine_destroy(&b);
    }
}

/* With a gas that `give` gives to a case both engines have the same bits. */
static void engines_agree_with(void (*give)(struct engine_case *x))
{
    for (int p = 0; p < 2; p++) {
        struct engine_case x, lines;
        struct an_engine a, b;
        fixture_new(precisions[p], &x);
        fixture_new_lines(precisions[p], &lines);
        give(&x);
        give(&lines);
        cpu_engine(precisions[p], NULL, &a);
        assert_int_equal(an_engine_emulated_new(precisions[p], &b), AN_OK);
        assert_true(fixture_compare(&x, &a, &b, 0, 0) == 0);
        for (int n = 0; n < 2; n++) {
            struct an_engine *e = n ? &b : &a;
            assert_true(fixture_fused(&x, e, 0, 0) == 0);
            assert_true(fixture_viscous(&x, e, 1e-15, 0) <= 1);
        }
        fixture_turn(&x);
        assert_true(fixture_compare(&x, &a, &b, 0, 0) == 0);
        assert_true(fixture_compare_lines(&lines, &a, &b, 0, 0) == 0);
        fixture_free(&x);
        fixture_free(&lines);
        an_engine_destroy(&a);
        an_engine_destroy(&b);
    }
}

/* A table of the gas with constant cp: all is near the gas, too. */
static void engines_agree_with_a_table(void **unused)
{
    (void)unused;
    engines_agree_with(fixture_table);
}

static void give_mixture(struct engine_case *x)
{
    static const double other[7] = {1100, 0.1, 5e-5};
    fixture_mixture(x, 7, air, 310, other);
}

/* A mixture of dry air and a gas of larger R and cp. */
static void engines_agree_with_a_mixture(void **unused)
{
    (void)unused;
    engines_agree_with(give_mixture);
}

/* Which runs the kernel of convective and viscous fluxes takes, and which ones two kernels. */
static void one_pass_where_it_is_built(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine e;
        struct an_tiles *t;
        fixture_new(precisions[p], &x);
        assert_int_equal(an_engine_emulated_new(precisions[p], &e), AN_OK);
        const struct an_box box = {0, {0, 0, 0}, {4, 4, 4}};
        assert_int_equal(e.op->tiles_new(&e, &x.layout, 1, &box, &t), AN_OK);
        for (int scheme = 0; scheme < AN_NSCHEME; scheme++) {
            const int built = precisions[p] == AN_SINGLE;
            struct an_params other = x.params;
            (void)an_cuda_choose_pass(&e, 1);
            assert_int_equal(e.op->in_one_pass(&e, (enum an_scheme)scheme, t, &x.params, 0), built);
            other.flux.low_mach = 1;
            assert_false(e.op->in_one_pass(&e, (enum an_scheme)scheme, t, &other, 0));
            other.flux.low_mach = 0;
            other.turb.qcr = 1;
            assert_false(e.op->in_one_pass(&e, (enum an_scheme)scheme, t, &other, 0));
            other.turb.qcr = 0;
            other.fluid.viscosity = AN_VISCOSITY_POWER_LAW;
            assert_false(e.op->in_one_pass(&e, (enum an_scheme)scheme, t, &other, 0));
            assert_int_equal(an_cuda_choose_pass(&e, 0), 1);
            assert_false(e.op->in_one_pass(&e, (enum an_scheme)scheme, t, &x.params, 0));
        }
        e.op->tiles_free(&e, t);
        an_engine_destroy(&e);
        fixture_free(&x);
    }
}

/* By times, in ps a cell of the kernel of both fluxes; 0: not known. chosen[1]: where ghosts travel, for which one pass
 * waits: it has to gain more than the 40 us of an exchange. */
static void one_pass_where_it_is_quicker(void **unused)
{
    (void)unused;
    static const struct {
        double ps;
        int edge, chosen[2];
    } trial[] = {
        {0, 64, {0, 0}},    {1, 40, {1, 0}},    {1, 80, {1, 1}},   {136, 200, {1, 0}},
        {130, 200, {1, 1}}, {139, 200, {0, 0}}, {1000, 64, {0, 0}}}; /* 139: the rim decides */
    for (size_t n = 0; n < sizeof trial / sizeof *trial; n++) {
        struct an_engine e;
        struct an_tiles *t;
        struct an_layout l;
        const int edge = trial[n].edge, size[1][3] = {{edge, edge, edge}};
        const struct an_box box = {0, {0, 0, 0}, {edge, edge, edge}};
        const struct an_params p = an_params_reference();
        assert_int_equal(an_engine_emulated_new(AN_SINGLE, &e), AN_OK);
        struct an_cuda_plan *const plan = e.state;
        plan->multiprocessors = 132;
        for (int k = AN_TILED_RANS; k < AN_NTILED; k++)
            for (int v = 0; v < plan->kernels->rans->nvariant; v++)
                plan->times.of[k][v] = trial[n].ps;
        assert_int_equal(an_layout_new(1, size, AN_SINGLE, &l), AN_OK);
        assert_int_equal(e.op->tiles_new(&e, &l, 1, &box, &t), AN_OK);
        for (int travel = 0; travel < 2; travel++)
            if (e.op->in_one_pass(&e, AN_SCHEME_ROE, t, &p, travel) != trial[n].chosen[travel])
                fail_msg("%g ps, %d^3 cells%s: one pass must%s be chosen", trial[n].ps, edge,
                         travel ? ", ghosts travel" : "", trial[n].chosen[travel] ? "" : " not");
        e.op->tiles_free(&e, t);
        an_layout_free(&l);
        an_engine_destroy(&e);
    }
}

/* Every tile shape of the fused kernel, with tiles of one, three and all planes. That the mesh turns is a parameter of the same
 * kernels: one shape for each of these tiles. */
static void emulated_variants_agree(void **unused)
{
    (void)unused;
    static const int chunk[3] = {1, 3, 128};
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine e;
        fixture_new(precisions[p], &x);
        assert_int_equal(an_engine_emulated_new(precisions[p], &e), AN_OK);
        for (int v = 0; an_cuda_variant(&e, v); v++) {
            assert_int_equal(an_cuda_tune(&e, v, chunk[v % 3]), AN_OK);
            assert_true(fixture_fused(&x, &e, 0, 0) == 0);
            assert_true(fixture_viscous(&x, &e, 1e-15, 0) <= 1);
        }
        fixture_turn(&x);
        for (int v = 0; v < 3 && an_cuda_variant(&e, v); v++) {
            assert_int_equal(an_cuda_tune(&e, v, chunk[v]), AN_OK);
            assert_true(fixture_fused(&x, &e, 0, 0) == 0);
        }
        an_engine_destroy(&e);
        fixture_free(&x);
    }
}

/* Every tile shape of the stencils that stream planes, with tiles of one, three and all planes. */
static void emulated_planes_agree(void **unused)
{
    (void)unused;
    static const int chunk[3] = {1, 3, 128};
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine a, b;
        pair_new(p, &x, &a, &b);
        for (int v = 0; v < 3; v++) {
            assert_int_equal(an_cuda_tune(&b, v, chunk[v]), AN_OK);
            assert_true(fixture_planes(&x, &a, &b, 0, 0) == 0);
            if (v == 1)
                fixture_turn(&x);
        }
        pair_free(&x, &a, &b);
    }
}

/* The case that a GPU is watched on. */
static void small_case_agrees(void **unused)
{
    (void)unused;
    struct engine_case x;
    struct an_engine a, b;
    for (int lines = 0; lines < 2; lines++) {
        if (lines)
            fixture_new_lines_small(AN_DOUBLE, &x);
        else
            fixture_new_small(AN_DOUBLE, &x);
        cpu_engine(AN_DOUBLE, NULL, &a);
        assert_int_equal(an_engine_emulated_new(AN_DOUBLE, &b), AN_OK);
        if (lines)
            assert_true(fixture_compare_lines(&x, &a, &b, 0, 0) == 0);
        else
            assert_true(fixture_compare(&x, &a, &b, 0, 0) == 0 && fixture_fused(&x, &b, 0, 0) == 0);
        an_engine_destroy(&a);
        an_engine_destroy(&b);
        fixture_free(&x);
    }
}

/* The text of a choice; compare: what it makes gives the CPU's bits. */
static void choose(int p, int measure, int compare, const char *expected)
{
    struct engine_case x;
    struct an_engine a, b;
    char text[AN_TILES_TEXT];
    cpu_engine(precisions[p], NULL, &a);
    assert_int_equal(an_engine_emulated_new(precisions[p], &b), AN_OK);
    assert_int_equal(an_tiles_choose(&a, measure, "test", text), AN_OK);
    assert_string_equal(text, "");
    assert_int_equal(an_tiles_choose(&b, measure, "test", text), AN_OK);
    if (!strstr(text, expected))
        fail_msg("'%s' is not in '%s'", expected, text);
    if (compare) {
        fixture_new_small(precisions[p], &x);
        assert_true(fixture_compare(&x, &a, &b, 0, 0) == 0);
        fixture_free(&x);
    }
    an_engine_destroy(&a);
    an_engine_destroy(&b);
}

/* Lines of a cache file in which each kernel is fastest in another shape. */
static void write_cache(const char *path, int p, int lines)
{
    struct an_engine e;
    static const char *const kernel[4] = {"JST", "Roe", "matrix", "KEP"};
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(an_engine_emulated_new(precisions[p], &e), AN_OK);
    const struct an_fused_variant *v;
    for (int k = 0; k < 4 && k < lines; k++)
        for (int n = 0; (v = an_cuda_variant(&e, n)); n++)
            fprintf(out, "%s %d %d %d %d %d\n", kernel[k], v->tx, v->ty, v->async, v->min_blocks,
                    n == 3 - k ? 1 : 1000);
    const struct an_cuda_kernels *const kernels = p ? &an_emulated_f64 : &an_emulated_f32;
    for (int k = 0; k < 4; k++)
        for (int n = 0; n < kernels->rans->nvariant; n++) {
            v = &kernels->rans->variant[n];
            fprintf(out, "RANS-%s %d %d %d %d %d\n", kernel[k], v->tx, v->ty, v->async,
                    v->min_blocks, n == 1 ? 1 : 1000);
        }
    const struct an_viscous_kernels *viscous = kernels->viscous;
    for (int n = 0; n < viscous->nvariant; n++) {
        v = &viscous->variant[n];
        fprintf(out, "viscous %d %d %d %d %d\n", v->tx, v->ty, v->async, v->min_blocks,
                n == 2 ? 1 : 1000);
    }
    fclose(out);
    an_engine_destroy(&e);
}

static int no_memory(struct an_engine *e, size_t bytes, void **p)
{
    *p = NULL;
    return an_error_set(AN_FAIL, "%s: %zu bytes do not fit", e->name, bytes);
}

/* A device that does not hold the first fused shape, but holds that of the viscous kernel; one
 * without memory to measure. */
static void odd_device(int p, int memory, const char *expected)
{
    struct an_engine e;
    char text[AN_TILES_TEXT];
    assert_int_equal(an_engine_emulated_new(precisions[p], &e), AN_OK);
    struct an_cuda_plan *plan = e.state;
    const struct an_tile_times table = plan->times;
    struct an_engine_ops op = *e.op;
    if (memory)
        plan->resident[0] = 0;
    else
        op.alloc = no_memory;
    e.op = &op;
    assert_int_equal(an_tiles_choose(&e, 1, "odd", text), AN_OK);
    if (strstr(text, expected) != text)
        fail_msg("'%s' does not start with '%s'", text, expected);
    assert_true(plan->variant == -1 && plan->chunk == 0);
    if (memory)
        assert_true(plan->times.of[AN_TILED_JST][0] == 0 &&
                    plan->times.of[AN_TILED_VISCOUS][0] > 0);
    else
        assert_memory_equal(&plan->times, &table, sizeof table);
    an_engine_destroy(&e);
}

/* The mean of 200 000 states in single precision, one part in a thousand of which drifts and oscillates: what
 * a state adds is below the last digit of the mean. */
static void means_keep_their_digits(void **unused)
{
    (void)unused;
    enum { STATES = 200000 };
    const int n[3] = {1, 1, 1};
    const struct an_box box = {0, {0, 0, 0}, {1, 1, 1}};
    struct an_engine e;
    struct an_layout l;
    struct an_fields f = {{NULL}};
    struct an_tiles *t = NULL;
    struct an_params p = an_params_reference();
    double mean = 0, square = 0;
    assert_int_equal(an_engine_cpu_new(AN_SINGLE, 1, NULL, &e), AN_OK);
    assert_int_equal(an_layout_new(1, &n, AN_SINGLE, &l), AN_OK);
    assert_int_equal(e.op->tiles_new(&e, &l, 1, &box, &t), AN_OK);
    const size_t cells = (size_t)l.ncell * sizeof(float);
    assert_int_equal(e.op->alloc(&e, 5 * cells, &f.at[AN_F_W]), AN_OK);
    assert_int_equal(e.op->alloc(&e, AN_NCOMP_MEAN * cells, &f.at[AN_F_MEAN]), AN_OK);
    memset(f.at[AN_F_MEAN], 0, AN_NCOMP_MEAN * cells);
    float *w = (float *)f.at[AN_F_W] + an_element(&l.block[0], 0, 0, 0);
    const float *told = (const float *)f.at[AN_F_MEAN] + an_element(&l.block[0], 0, 0, 0);
    for (int s = 0; s < STATES; s++) {
        const float rho = (float)(1.2 * (1 + 1e-3 * (sin(0.013 * s) + 2. * s / STATES)));
        const double d = rho - mean;
        mean += d / (s + 1);
        square += d * (rho - mean);
        w[0] = rho;
        w[l.ncell] = w[2 * l.ncell] = w[3 * l.ncell] = 0;
        w[4 * l.ncell] = 2.5e5F;
        p.means.weight = 1. / (s + 1);
        assert_int_equal(e.op->run(&e, AN_S_mean_add, t, &f, &p, NULL, 0), AN_OK);
    }
    print_message("mean %.9g, exact %.9g; rms %.6g, exact %.6g\n", (double)told[0], mean,
                  (double)told[6 * l.ncell], sqrt(square / STATES));
    assert_true(fabs(told[0] - mean) < 1e-7 * mean);
    assert_true(fabs(told[6 * l.ncell] / sqrt(square / STATES) - 1) < 1e-3);
    e.op->free(&e, f.at[AN_F_W]);
    e.op->free(&e, f.at[AN_F_MEAN]);
    e.op->tiles_free(&e, t);
    an_layout_free(&l);
    an_engine_destroy(&e);
}

/* From the table; measured and kept; found; damaged; of shapes that differ from kernel to kernel;
 * on odd devices; with nowhere to keep them. */
static void tiles_are_chosen(void **unused)
{
    (void)unused;
    static const char *const precision[2] = {"single", "double"};
    char folder[] = "/tmp/annulus-test-XXXXXX", path[200], command[100], longest[400] = "/";
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    for (int p = 0; p < 2; p++) {
        odd_device(p, 0, "table, measuring failed (emulated: ");
        odd_device(p, 1, "measured, kept in ");
        odd_device(p, 1, "measured before, ");
        choose(p, 0, 0, "table, row of NVIDIA H200 for want of another: JST ");
        choose(p, 1, 0, "measured, kept in ");
        choose(p, 1, 0, "measured before, ");
        snprintf(path, sizeof path, "%s/annulus/tiles-emulated-none-test-%s", folder, precision[p]);
        write_cache(path, p, 3);
        choose(p, 1, 0, "measured, kept in ");
        write_cache(path, p, 4);
        choose(p, 1, 1, ": JST 8x16, Roe 32x4, matrix 32x8, KEP 32x16, viscous 8x16");
    }
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    choose(0, 1, 0, "measured, not kept (");
    memset(longest + 1, 'x', sizeof longest - 2);
    setenv("XDG_CACHE_HOME", longest, 1);
    choose(0, 1, 0, "...: too long a name for the folder of a cache): ");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_that_is_not_there),
        cmocka_unit_test(instruction_sets_agree),
        cmocka_unit_test(cpu_fused_equals_separate),
        cmocka_unit_test(emulated_equals_cpu),
        cmocka_unit_test(lines_agree),
        cmocka_unit_test(engines_agree_with_cp),
        cmocka_unit_test(constant_polynomial_is_gamma),
        cmocka_unit_test(engines_agree_with_a_table),
        cmocka_unit_test(engines_agree_with_a_mixture),
        cmocka_unit_test(emulated_variants_agree),
        cmocka_unit_test(emulated_planes_agree),
        cmocka_unit_test(one_pass_where_it_is_built),
        cmocka_unit_test(one_pass_where_it_is_quicker),
        cmocka_unit_test(small_case_agrees),
        cmocka_unit_test(tiles_are_chosen),
        cmocka_unit_test(ghosts_in_one_launch),
        cmocka_unit_test(mailbox_to_itself),
        cmocka_unit_test(means_keep_their_digits),
    };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
