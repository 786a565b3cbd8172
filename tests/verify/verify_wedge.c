/* Supersonic cascade of staggered wedges (Denton, ASME 82-GT-239): oblique shock, its reflection,
 * and no wave behind, by oblique shock theory.
 *
 *         upper blade: flat below      M 1.6 from the left, along x; wedge angle 5.73 deg;
 *      _ _ _ _______________________   pitch 1. The shock from the lower nose meets the upper
 *      :      /\                       blade, is reflected, and meets the corner where the wedge
 *   1  :     /  \     3                turns back to x: uniform flow 3 behind. Ahead of the noses
 *      :    / 2  \_________________    the mesh is periodic by translation (stagger 0.5, pitch 1).
 *      :_ _/_____/
 *
 *   p2/p1 1.3268, M2 1.4031, p3/p1 1.7695, M3 1.1891, p03/p01 0.9953
 *   p within 1 %, M within 1 %, p0 within 0.2 %: means over regions away from the waves.
 *   132 x 48 cells; jst (residual down by 1e-5) and roe (1200 steps: van Albada's limiter holds the
 *   residual at 1e-2).
 *
 *   measured - exact   p2          M2        p3       M3        p03
 *   jst                -0.03 %     0.005 %   0.20 %   -0.14 %   -0.02 %
 *   roe                0.05 %      -0.05 %   0.31 %   -0.25 %   -0.09 %
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

static const double g = 1.4, mach1 = 1.6, stagger = 0.5;
static const double tangent = 0.10034; /* of 5.73 degrees */
/* x from -0.5 to 2.25 along the lower blade, nose at 0: cells per metre 48 */
enum { NI = 132, NJ = 48, NOSE = 24 };
static const double per_metre = 48;

/* Shock angle of the weak solution for a turn of `turn` at Mach m. */
static double shock_angle(double m, double turn)
{
    double low = asin(1 / m), high = low;
    /* the turn grows from the Mach angle to its maximum */
    for (double b = low; b < 1.57; b += 1e-4) {
        double s2 = pow(m * sin(b), 2);
        double t = 2 / tan(b) * (s2 - 1) / (m * m * (g + cos(2 * b)) + 2);
        if (atan(t) >= turn) {
            high = b;
            break;
        }
        low = b;
    }
    for (int i = 0; i < 100; i++) {
        double b = 0.5 * (low + high), s2 = pow(m * sin(b), 2);
        double t = 2 / tan(b) * (s2 - 1) / (m * m * (g + cos(2 * b)) + 2);
        if (atan(t) < turn)
            low = b;
        else
            high = b;
    }
    return 0.5 * (low + high);
}

/* Behind a shock at angle b with a turn: pressure ratio, Mach number, loss of total pressure. */
static void behind(double m, double b, double turn, double *p, double *m2, double *loss)
{
    double n2 = pow(m * sin(b), 2);
    *p = 1 + 2 * g / (g + 1) * (n2 - 1);
    double after = (1 + 0.5 * (g - 1) * n2) / (g * n2 - 0.5 * (g - 1));
    *m2 = sqrt(after) / sin(b - turn);
    double a = (g + 1) * n2 / ((g - 1) * n2 + 2), c = (g + 1) / (2 * g * n2 - (g - 1));
    *loss = pow(a, g / (g - 1)) * pow(c, 1 / (g - 1));
}

struct waves {
    double p2, M2, p3, M3, loss;
    double meet;      /* x where the shock meets the upper blade, y = 1 */
    double corner[2]; /* where the reflection meets the wedge */
    double slope[2];  /* of both waves, dy/dx */
};

static struct waves theory(void)
{
    struct waves w;
    double loss1, loss2, p32, turn = atan(tangent);
    double b1 = shock_angle(mach1, turn);
    behind(mach1, b1, turn, &w.p2, &w.M2, &loss1);
    double b2 = shock_angle(w.M2, turn);
    behind(w.M2, b2, turn, &p32, &w.M3, &loss2);
    w.p3 = w.p2 * p32;
    w.loss = loss1 * loss2;
    w.slope[0] = tan(b1);
    w.slope[1] = -tan(b2 - turn);
    w.meet = 1 / w.slope[0];
    w.corner[0] = (1 - w.slope[1] * w.meet) / (tangent - w.slope[1]);
    w.corner[1] = tangent * w.corner[0];
    return w;
}

static void map(void *context, const double s[3], double x[3])
{
    const struct waves *w = context;
    double along = (s[0] * NI - NOSE) / per_metre;
    /* lower blade: wedge up to the corner, flat behind; upper blade: flat, shifted by the stagger
     */
    double low = along <= 0 ? 0 : along < w->corner[0] ? tangent * along : w->corner[1];
    x[0] = along + stagger * s[1];
    x[1] = low + (1 - low) * s[1];
    x[2] = 0.02 * s[2];
}

struct means {
    const struct waves *w;
    double sum[2][4]; /* regions 2, 3: volume, p, M, p0 */
};

static void visit(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                  double volume)
{
    (void)zone, (void)cell;
    struct means *m = context;
    const struct waves *w = m->w;
    const double off = 0.08; /* from waves */
    double first = x[0] * w->slope[0], second = 1 + (x[0] - w->meet) * w->slope[1];
    int region = -1;
    if (x[1] < first - off && x[1] < second - off && x[0] > 0.25 && x[0] < w->corner[0] - off)
        region = 0;
    if (x[1] > second + off && x[0] > w->meet + off && x[0] < 2.2)
        region = 1;
    if (region < 0)
        return;
    double mach = sqrt(q[0] * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / (g * q[4]));
    double p0 = q[4] * pow(1 + 0.5 * (g - 1) * mach * mach, g / (g - 1));
    const double v[4] = {1, q[4], mach, p0};
    for (int c = 0; c < 4; c++)
        m->sum[region][c] += v[c] * volume;
}

static void run(const char *flux, int most, const struct waves *w)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .type = AN_BC_INLET_SUPERSONIC, .name = "inlet"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_SUPERSONIC, .name = "outlet"},
        {.dir = 1, .side = 0, .kind = VM_TRANSLATE, .along = 0, .lo = 0, .hi = NOSE},
        {.dir = 1, .side = 1, .kind = VM_TRANSLATE, .along = 0, .lo = 0, .hi = NOSE},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "wedge", .lo = NOSE, .hi = NI},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "flat", .lo = NOSE, .hi = NI},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "low"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "high"}};
    const struct vm_box box = {.n = {NI, NJ, 1},
                               .parts = {3, 2, 1},
                               .turn = 8,
                               .map = map,
                               .context = (void *)w,
                               .translation = {{0}, {stagger, 1, 0}},
                               .nsegment = sizeof ends / sizeof *ends,
                               .segment = ends};
    const char *mesh = fixture_path("wedge.cgns");
    vm_write(mesh, &box);
    const char *state = "p: 1e5, T: 300, mach: 1.6";
    struct fixture f;
    fixture_open(&f, "wedge",
                 verify_text("case: wedges\nscheme: {flux: %s}\ninitial: {%s}\nboundaries:\n"
                             "  inlet: {type: inlet_supersonic, %s}\n",
                             flux, state, state),
                 mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    double drop = fixture_converge(&f, 1e-5, most);
    struct means m = {.w = w};
    fixture_cells(&f, visit, &m);
    MPI_Allreduce(MPI_IN_PLACE, m.sum, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    verify_note("%s: residual drop %.1e after %lld steps", flux, drop,
                (long long)an_solver_iteration(f.solver));
    fixture_close(&f);
    for (int c = 1; c < 4; c++)
        for (int r = 0; r < 2; r++)
            m.sum[r][c] /= m.sum[r][0];
    const double p01 = 1e5 * pow(1 + 0.5 * (g - 1) * mach1 * mach1, g / (g - 1));
    verify_note("%s: p2/p1 %.4f, M2 %.4f, p3/p1 %.4f, M3 %.4f, p03/p01 %.4f", flux,
                m.sum[0][1] / 1e5, m.sum[0][2], m.sum[1][1] / 1e5, m.sum[1][2], m.sum[1][3] / p01);
    verify_check(verify_text("%s: p2 / exact - 1", flux), m.sum[0][1] / (1e5 * w->p2) - 1, -0.01,
                 0.01);
    verify_check(verify_text("%s: M2 / exact - 1", flux), m.sum[0][2] / w->M2 - 1, -0.01, 0.01);
    verify_check(verify_text("%s: p3 / exact - 1", flux), m.sum[1][1] / (1e5 * w->p3) - 1, -0.01,
                 0.01);
    verify_check(verify_text("%s: M3 / exact - 1", flux), m.sum[1][2] / w->M3 - 1, -0.01, 0.01);
    verify_check(verify_text("%s: p03 / exact - 1", flux), m.sum[1][3] / (p01 * w->loss) - 1,
                 -0.002, 0.002);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    const struct waves w = theory();
    verify_check("theory: p2/p1", w.p2, 1.3267, 1.3269);
    verify_check("theory: M2", w.M2, 1.4030, 1.4032);
    verify_check("theory: p3/p1", w.p3, 1.7694, 1.7696);
    verify_check("theory: M3", w.M3, 1.1890, 1.1892);
    verify_check("theory: p03/p01", w.loss, 0.99525, 0.99535);
    verify_check("the shock meets the upper blade behind its nose", w.meet, 0.7, 1.2);
    verify_check("the reflection meets the wedge ahead of the outlet", w.corner[0], 1.2, 2);
    run("jst", 2000, &w);
    run("roe", 1200, &w);
    return verify_end();
}
