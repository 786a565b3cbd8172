#define AN_PRECISION 64
#include "kernels/physics/gas_real.h"

#include "kernels/base/error.h"
#include "kernels/physics/gas_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct an_table_f64 view(const struct an_gas_table *t)
{
    return an_table_from_f64(t, t->data);
}

/* e at Y along a line of constant density. */
static double energy(const struct an_table_f64 *v, double log_rho, double y)
{
    const struct an_spot_f64 o = an_table_spot_f64(v, y + log_rho, y, 0);
    return an_table_patch_f64(v, AN_TABLE_E, &o).v;
}

/* Y where e is given, and its slopes by ln rho and e, from bisection: e rises with Y, in the box and beyond
 * it. */
static void start_node(const struct an_table_f64 *v, double log_rho, double e, double *out)
{
    double lo = v->y0 - 1, hi = v->y0 + v->y_most / v->per_y + 1;
    for (int n = 0; n < 60; n++) {
        const double mid = 0.5 * (lo + hi);
        if (energy(v, log_rho, mid) < e)
            lo = mid;
        else
            hi = mid;
    }
    const double y = 0.5 * (lo + hi);
    const struct an_spot_f64 o = an_table_spot_f64(v, y + log_rho, y, 0);
    const struct an_patch_f64 f = an_table_patch_f64(v, AN_TABLE_E, &o);
    out[0] = y;
    out[1] = -f.x / (f.x + f.y);
    out[2] = 1 / (f.x + f.y);
}

/* Largest errors of Y that steps of Newton's method leave: at states of the fluid, there at the edges of the
 * box, where the slopes of e jump, and elsewhere. */
struct start_errors {
    double within, edge, beyond;
};

static struct start_errors start_errors(const struct an_gas_table *t, int steps)
{
    enum { NET = 120, MORE = 12 };
    struct start_errors most = {0, 0, 0};
    struct an_table_f64 v = view(t);
    v.newton = steps;
    for (int j = -MORE; j <= NET + MORE; j++)
        for (int i = -MORE; i <= NET + MORE; i++) {
            const int at_edge = i == 0 || j == 0 || i == NET || j == NET;
            const double part = at_edge ? 0 : 0.37; /* else not at nodes */
            const double x = v.x0 + v.x_most / v.per_x * (i + part) / NET;
            const double y = v.y0 + v.y_most / v.per_y * (j + part) / NET;
            const struct an_spot_f64 o = an_table_spot_f64(&v, x, y, 0);
            const double e = an_table_patch_f64(&v, AN_TABLE_E, &o).v;
            double *const of = !an_table_valid(t, exp(x - y), exp(x)) ? &most.beyond
                               : at_edge                              ? &most.edge
                                                                      : &most.within;
            const double off = fabs(an_table_invert_f64(&v, x - y, e) - y);
            *of = off >= 0 ? fmax(*of, off) : INFINITY; /* fmax passes over what is no number */
        }
    return most;
}

/* Y over ln rho and the energies of the fluid, and how many steps are needed from there. A table that six steps do not
 * bring to about the wanted error is refused. */
static int make_start(struct an_gas_table *t)
{
    enum { N = AN_TABLE_START, W = AN_TABLE_START_WORDS };
    double *const start = t->data + an_gas_table_nodes(t), least = INFINITY, most = -INFINITY;
    const double x1 = t->low[0] + t->step[0] * (t->n[0] - 1);
    const double y1 = t->low[1] + t->step[1] * (t->n[1] - 1);
    for (int n = 0; n < t->n[0] * t->n[1]; n++) {
        if (t->outside[n]) /* Newton's method begins at the edge there */
            continue;
        least = fmin(least, t->data[4 * n]);
        most = fmax(most, t->data[4 * n]);
    }
    t->start_low[0] = t->low[0] - y1;
    t->start_step[0] = (x1 - t->low[1] - t->start_low[0]) / (N - 1);
    t->start_low[1] = least;
    t->start_step[1] = (most - least) / (N - 1);
    const struct an_table_f64 v = view(t);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double *const n = start + W * (j * N + i);
            start_node(&v, t->start_low[0] + i * t->start_step[0],
                       t->start_low[1] + j * t->start_step[1], n);
            n[1] *= t->start_step[0];
            n[2] *= t->start_step[1];
        }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const int before = i > 0 ? i - 1 : i, behind = i < N - 1 ? i + 1 : i;
            start[W * (j * N + i) + 3] =
                (start[W * (j * N + behind) + 2] - start[W * (j * N + before) + 2]) /
                (behind - before);
        }
    static const double wanted[2] = {1e-6, 1e-11};
    for (int n = 0; n < 2; n++) {
        struct start_errors off;
        t->newton[n] = 1;
        do
            off = start_errors(t, ++t->newton[n]);
        while ((off.within > wanted[n] && t->newton[n] < 6) ||
               ((off.edge > 2e-5 || off.beyond > 1e-2) && t->newton[n] < 4));
        AN_CHECK(
            off.within <= 100 * wanted[n], AN_INPUT,
            "Newton's method for the pressure still errs by %.3g of it after %d steps (wanted: "
            "%.3g); a finer table helps",
            off.within, t->newton[n], wanted[n]);
    }
    return AN_OK;
}

/* The net of the check, four times as fine as the nodes; a point counts where no node about it is a
 * continuation. */
static int check(struct an_gas_table *t)
{
    const struct an_table_f64 v = view(t);
    t->p_range[0] = t->T_range[0] = INFINITY;
    t->p_range[1] = t->T_range[1] = -INFINITY;
    for (int j = 0; j <= 4 * (t->n[1] - 1); j++)
        for (int i = 0; i <= 4 * (t->n[0] - 1); i++) {
            const double x = t->low[0] + 0.25 * i * t->step[0];
            const double y = t->low[1] + 0.25 * j * t->step[1];
            const struct an_spot_f64 o = an_table_spot_f64(&v, x, y, exp(y));
            const struct an_patch_f64 e = an_table_patch_f64(&v, AN_TABLE_E, &o);
            const struct an_patch_f64 T = an_table_temperature_f64(&v, &o);
            AN_CHECK(e.x + e.y > 0 && o.P + e.y > 0 && e.y > 0 && T.v > 0 && T.y > 0, AN_INPUT,
                     "kappa, c^2 or the slope of T is not positive at %.6g Pa, %.6g kg/m3", exp(x),
                     exp(x - y));
            if (!an_table_valid(t, exp(x - y), exp(x)))
                continue;
            t->p_range[0] = fmin(t->p_range[0], exp(x));
            t->p_range[1] = fmax(t->p_range[1], exp(x));
            t->T_range[0] = fmin(t->T_range[0], T.v);
            t->T_range[1] = fmax(t->T_range[1], T.v);
            t->c2_most = fmax(t->c2_most, o.P * (o.P + e.y) / (e.x + e.y));
        }
    AN_CHECK(t->c2_most > 0, AN_INPUT, "no part of the box lies in the fluid");
    return AN_OK;
}

static void make_reference(struct an_gas_table *t)
{
    const double x = t->low[0] + 0.5 * t->step[0] * (t->n[0] - 1);
    t->p_ref = exp(x);
    t->T_ref = 0.5 * (t->T_range[0] + t->T_range[1]);
    const double rho = an_table_density(t, t->p_ref, t->T_ref);
    const struct an_gas_state_of q = an_table_state(t, rho, t->p_ref);
    t->gamma_ref = q.gamma;
    t->s_ref = q.s;
    t->cv_ref = q.cv;
    t->function_ref = t->p_ref / pow(rho, q.gamma);
}

int an_gas_table_new(const int n[2], const double low[2], const double step[2], double R,
                     const double *nodes, const unsigned char *outside, struct an_gas_table **out)
{
    *out = NULL;
    AN_CHECK(n[0] >= 4 && n[1] >= 4 && n[0] <= 1024 && n[1] <= 1024, AN_INPUT,
             "the table has %d x %d nodes, must have 4 to 1024 in both directions", n[0], n[1]);
    AN_CHECK(step[0] > 0 && step[1] > 0 && R > 0, AN_INPUT,
             "the spacings of the table and its gas constant must be above 0");
    struct an_gas_table *t = calloc(1, sizeof *t);
    AN_CHECK(t, AN_FAIL, "out of memory for a gas table");
    const size_t count = (size_t)n[0] * (size_t)n[1];
    memcpy(t->n, n, sizeof t->n);
    memcpy(t->low, low, sizeof t->low);
    memcpy(t->step, step, sizeof t->step);
    t->R = R;
    t->data = malloc((size_t)an_gas_table_words(t) * sizeof *t->data);
    t->outside = malloc(count);
    if (!t->data || !t->outside) {
        an_gas_table_destroy(t);
        return an_error_set(AN_FAIL, "out of memory for a gas table");
    }
    memcpy(t->outside, outside, count);
    int finite = 1;
    for (size_t m = 0; m < AN_NTABLE * count; m++) {
        const double *from = nodes + 4 * m;
        double *to = t->data + 4 * m;
        to[0] = from[0];
        to[1] = from[1] * step[0];
        to[2] = from[2] * step[1];
        to[3] = from[3] * step[0] * step[1];
        finite = finite && isfinite(to[0] + to[1] + to[2] + to[3]);
    }
    int status =
        finite ? AN_OK : an_error_set(AN_INPUT, "the table has values that are no numbers");
    if (!status)
        status = check(t);
    if (!status)
        status = make_start(t);
    if (status) {
        an_gas_table_destroy(t);
        return status;
    }
    make_reference(t);
    *out = t;
    return AN_OK;
}

void an_gas_table_destroy(struct an_gas_table *t)
{
    if (!t)
        return;
    free(t->data);
    free(t->outside);
    free(t);
}

void an_gas_table_data(const struct an_gas_table *t, int precision, void *to)
{
    const int n = an_gas_table_words(t);
    for (int m = 0; m < n; m++)
        if (precision == 32)
            ((float *)to)[m] = (float)t->data[m];
        else
            ((double *)to)[m] = t->data[m];
}

/* ---- states ---- */

int an_table_valid(const struct an_gas_table *t, double rho, double p)
{
    const double x = (log(p) - t->low[0]) / t->step[0], slack = 1e-9;
    const double y = (log(p / rho) - t->low[1]) / t->step[1];
    if (!(x >= -slack && x <= t->n[0] - 1 + slack && y >= -slack && y <= t->n[1] - 1 + slack))
        return 0;
    const int i = (int)fmin(fmax(x, 0), t->n[0] - 2), j = (int)fmin(fmax(y, 0), t->n[1] - 2);
    const unsigned char *of = t->outside + (size_t)j * (size_t)t->n[0] + i;
    return !(of[0] | of[1] | of[t->n[0]] | of[t->n[0] + 1]);
}

struct an_gas_state_of an_table_state(const struct an_gas_table *t, double rho, double p)
{
    const struct an_table_f64 v = view(t);
    const struct an_spot_f64 o = an_table_at_f64(&v, rho, p);
    const struct an_patch_f64 e = an_table_patch_f64(&v, AN_TABLE_E, &o);
    const struct an_patch_f64 T = an_table_temperature_f64(&v, &o);
    struct an_gas_state_of q = {.rho = rho, .p = p, .T = T.v, .e = e.v, .h = e.v + o.P};
    q.s = an_table_patch_f64(&v, AN_TABLE_S, &o).v;
    q.mu = an_table_inner_f64(&v, AN_TABLE_MU, &o).v;
    q.lambda = an_table_inner_f64(&v, AN_TABLE_LAMBDA, &o).v;
    q.kappa = o.P / (e.x + e.y);
    q.gamma = (o.P + e.y) / (e.x + e.y);
    q.chi = q.gamma * o.P - q.kappa * q.h;
    q.c = sqrt(q.gamma * o.P);
    q.cp = (o.P + e.y) / T.y;
    q.cv = (e.x + e.y) / (T.x + T.y);
    q.valid = an_table_valid(t, rho, p);
    return q;
}

double an_table_density(const struct an_gas_table *t, double p, double T)
{
    const struct an_table_f64 v = view(t);
    return an_table_density_f64(&v, p, T);
}

double an_table_pressure(const struct an_gas_table *t, double rho, double e)
{
    const struct an_table_f64 v = view(t);
    return an_table_pressure_f64(&v, rho, e);
}

/* Steps of the host along an isentrope: more than kernels take. */
enum { STEPS = 16 };

struct an_table_point an_table_move(const struct an_gas_table *t, double rho, double p,
                                    enum an_table_path path, double value)
{
    const struct an_table_f64 v = view(t);
    const struct an_isentrope_f64 from = an_isentrope_from_f64(rho, p);
    const struct an_isentrope_f64 z =
        path == AN_TABLE_TO_P   ? an_isentrope_move_f64(&v, from, AN_BY_X, log(value / p), STEPS)
        : path == AN_TABLE_BY_H ? an_isentrope_move_f64(&v, from, AN_BY_H, value, STEPS)
                                : an_isentrope_move_f64(&v, from, AN_BY_L, value, STEPS);
    return (struct an_table_point){exp(z.x - z.y), exp(z.x), z.l};
}

double an_table_density_of_h(const struct an_gas_table *t, double p, double h)
{
    const struct an_table_f64 v = view(t);
    const double x = log(p);
    double y = t->low[1] + 0.5 * t->step[1] * (t->n[1] - 1);
    for (int n = 0; n < 12; n++) {
        const struct an_spot_f64 o = an_table_spot_f64(&v, x, y, exp(y));
        const struct an_patch_f64 e = an_table_patch_f64(&v, AN_TABLE_E, &o);
        y += fmin(fmax((h - e.v - o.P) / (e.y + o.P), -0.5), 0.5);
    }
    return p * exp(-y);
}

double an_table_p_of_hs(const struct an_gas_table *t, double h, double s)
{
    double p = t->p_ref;
    for (int n = 0; n < 12; n++) { /* (ds / d ln p)_h = -p / (rho T) */
        const double rho = an_table_density_of_h(t, p, h);
        const struct an_gas_state_of q = an_table_state(t, rho, p);
        p *= exp(fmin(fmax((q.s - s) * q.rho * q.T / p, -1), 1));
    }
    return p;
}
