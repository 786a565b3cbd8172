#include "solver/monitor/stations.h"

#include "io/atomic.h"
#include "io/screen.h"
#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/level/component.h"
#include "solver/level/flow_axes.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"
#include "solver/monitor/station_cuts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x and r at the hub and at the casing. */
static struct an_station line_of(const double v[4])
{
    struct an_station of = {.is_line = 1, .hub = {v[0], v[1]}, .casing = {v[2], v[3]}};
    of.length = hypot(v[2] - v[0], v[3] - v[1]);
    of.n[0] = (v[3] - v[1]) / of.length;
    of.n[1] = -(v[2] - v[0]) / of.length;
    of.level = of.n[0] * v[0] + of.n[1] * v[1];
    return of;
}

/* "x = 0.1 m", or the ends of the line. */
static const char *name_of(const struct an_station *of, char *text, size_t size)
{
    if (of->is_line)
        snprintf(text, size, "line from (%g, %g) to (%g, %g) m", of->hub[0], of->hub[1],
                 of->casing[0], of->casing[1]);
    else
        snprintf(text, size, "plane x = %g m", of->level);
    return text;
}

static int set_up(struct an_solver *s, struct an_stations *t)
{
    const struct an_case_numbers *x = &s->c->monitors.stations,
                                 *line = &s->c->monitors.station_lines;
    t->n = x->n + line->n / 4;
    t->nband = s->c->monitors.bands;
    t->rotating = an_solver_is_rotating(s);
    t->gas = (struct an_flow_gas){.of = &s->c->gas.model, .p_ref = s->params.flux.p_ref};
    AN_TRY(an_flow_axes_find(s, &t->gas.axes));
    AN_CHECK(!line->n || !t->gas.axes.cartesian, AN_INPUT,
             "%s: 'monitors.station_lines' are surfaces of revolution, and here averages are "
             "Cartesian: use 'monitors.stations'",
             s->c->file);
    const size_t all = (size_t)t->n * ((size_t)t->nband + 1);
    t->of = calloc((size_t)t->n, sizeof *t->of);
    t->radius = malloc((size_t)t->n * sizeof *t->radius);
    t->average = calloc(all, sizeof *t->average);
    t->area = calloc(all, sizeof *t->area);
    AN_CHECK(t->of && t->radius && t->average && t->area, AN_FAIL, "out of memory for stations");
    for (int n = 0; n < t->n; n++) {
        if (n < x->n)
            t->of[n] = (struct an_station){.n = {1, 0}, .level = x->x[n]};
        else
            t->of[n] = line_of(line->x + (size_t)4 * (size_t)(n - x->n));
        t->radius[n][0] = INFINITY;
        t->radius[n][1] = -INFINITY;
    }
    const int nzone = s->mesh->topology.nblock;
    double *sectors = malloc(((size_t)nzone + 1) * sizeof *sectors);
    AN_CHECK(sectors, AN_FAIL, "out of memory for stations");
    int status = an_solver_sectors(s->c, &s->mesh->topology, sectors);
    t->sectors = 1;
    for (int z = 0; z < nzone && status == AN_OK; z++)
        t->sectors = fmax(t->sectors, sectors[z]);
    int64_t room = 0;
    for (int b = 0; b < s->nlocal && status == AN_OK; b++) {
        const int zone = s->level->partition.piece[s->local[b]].zone;
        status = an_station_cut_block(s, t, b, sectors[zone] / t->sectors, &room);
    }
    free(sectors);
    return status;
}

static int stations_make(struct an_solver *s, void **component)
{
    char name[200];
    if (!s->c->monitors.stations.n && !s->c->monitors.station_lines.n)
        return AN_OK;
    struct an_stations *t = calloc(1, sizeof *t);
    *component = t;
    AN_TRY(an_reduce_status(s->comm, t ? set_up(s, t)
                                       : an_error_set(AN_FAIL, "out of memory for stations")));
    for (int n = 0; n < t->n; n++) {
        AN_TRY(an_reduce_min(s->comm, 1, &t->radius[n][0]));
        AN_TRY(an_reduce_max(s->comm, 1, &t->radius[n][1]));
        AN_CHECK(t->radius[n][0] <= t->radius[n][1], AN_INPUT,
                 "%s: 'monitors.%s': the %s does not cut the mesh", s->c->file,
                 t->of[n].is_line ? "station_lines" : "stations",
                 name_of(&t->of[n], name, sizeof name));
    }
    return AN_OK;
}

static void stations_destroy(struct an_solver *s, void *component)
{
    (void)s;
    struct an_stations *t = component;
    free(t->of);
    free(t->radius);
    free(t->cut);
    free(t->average);
    free(t->area);
    free(t);
}

/* Components of the image of the state: W and, with a mixture, its mass fraction. */
static int image_components(const struct an_solver *s)
{
    return AN_NCOMP_W + (s->c->gas.model.ends != NULL);
}

/* rho, u, v, w, p and the mass fraction of an element of the image. */
enum { NSTATE = 6 };
static void state_of(const struct an_solver *s, const void *image, int64_t at, double q[NSTATE])
{
    const struct an_gas *gas = &s->c->gas.model;
    struct an_gas mixed;
    const int64_t cs = s->level->layout.ncell;
    double w[5];
    for (int c = 0; c < 5; c++)
        w[c] = an_real_get(s->level->layout.precision, image, c * cs + at);
    q[0] = w[0];
    for (int c = 1; c < 4; c++)
        q[c] = w[c] / w[0];
    q[5] = 0;
    if (gas->ends) {
        q[5] = an_real_get(s->level->layout.precision, image, 5 * cs + at);
        mixed = an_gas_at(gas, q[5]);
        gas = &mixed;
    }
    q[4] =
        an_gas_pressure(gas, w[0], w[4] - 0.5 * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]) / w[0]);
}

/* PLANE of a cut, that looks along its normal. */
static void plane_of(const struct an_solver *s, const void *image, const struct an_station_cut *cut,
                     double v[AN_NCOMP_PLANE])
{
    const struct an_flow_gas of = {.of = &s->c->gas.model};
    struct an_gas mixed;
    double q[NSTATE], other[NSTATE];
    state_of(s, image, cut->cell, q);
    state_of(s, image, cut->next, other);
    for (int c = 0; c < NSTATE; c++)
        q[c] += cut->part * (other[c] - q[c]);
    const struct an_gas *gas = an_flow_gas_of(&of, q[5], &mixed);
    const double g = gas->gamma;
    const double *a = cut->s, m = q[0] * q[1] * a[0] + q[0] * q[2] * a[1] + q[0] * q[3] * a[2];
    const double h = gas->table ? an_gas_energy(gas, q[0], q[4]) / q[0] + q[4] / q[0]
                     : gas->n   ? an_gas_h(gas, q[4] / (q[0] * gas->R))
                                : g / (g - 1) * q[4] / q[0];
    const double h0 = h + 0.5 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    memset(v, 0, AN_NCOMP_PLANE * sizeof *v);
    memcpy(v + AN_PLANE_RHO, q, 5 * sizeof *q);
    v[AN_PLANE_FRACTION] = q[5];
    v[AN_PLANE_MASS] = m;
    v[AN_PLANE_MX] = m * q[1] + (q[4] - s->params.flux.p_ref) * a[0];
    v[AN_PLANE_MY] = m * q[2] + (q[4] - s->params.flux.p_ref) * a[1];
    v[AN_PLANE_MZ] = m * q[3] + (q[4] - s->params.flux.p_ref) * a[2];
    v[AN_PLANE_ENERGY] = m * h0;
    memcpy(v + AN_PLANE_SX, a, 3 * sizeof *a);
}

/* The averages of a station mix out along its normal. */
static struct an_flow_gas gas_of(const struct an_stations *t, const struct an_station *of)
{
    struct an_flow_gas gas = t->gas;
    if (of->is_line)
        memcpy(gas.axes.normal, of->n, sizeof of->n);
    return gas;
}

static void add_cuts(const struct an_solver *s, const struct an_stations *t, const void *image,
                     struct an_xsum (*sum)[AN_NFLOW])
{
    for (int64_t n = 0; n < t->ncut; n++) {
        const struct an_station_cut *cut = &t->cut[n];
        const double *r = t->radius[cut->station], *x = cut->x;
        const struct an_station *of = &t->of[cut->station];
        const struct an_flow_gas gas = gas_of(t, of);
        const double part = (an_station_height(&t->gas.axes, of, x) - r[0]) / (r[1] - r[0]);
        int band = (int)(part * t->nband);
        band = band < 0 ? 0 : band >= t->nband ? t->nband - 1 : band;
        double v[AN_NCOMP_PLANE];
        plane_of(s, image, cut, v);
        struct an_xsum(*to)[AN_NFLOW] = sum + cut->station * (t->nband + 1);
        an_flow_add(&gas, v, x, cut->omega, to[band]);
        an_flow_add(&gas, v, x, cut->omega, to[t->nband]);
    }
}

int an_stations_measure(struct an_solver *s)
{
    struct an_stations *t = an_stations_of(s);
    if (!t)
        return AN_OK;
    const struct an_engine_ops *op = s->engine->op;
    const int all = t->n * (t->nband + 1);
    const size_t word = (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
    const int ncomponent = image_components(s);
    struct an_xsum(*sum)[AN_NFLOW] = calloc((size_t)all, sizeof *sum);
    char *image = malloc(word * (size_t)ncomponent);
    int status = sum && image ? AN_OK : an_error_set(AN_FAIL, "out of memory for stations");
    if (status == AN_OK)
        status = op->download(s->engine, image, s->level->fields.at[AN_F_W], AN_NCOMP_W * word, 0);
    if (status == AN_OK && ncomponent > AN_NCOMP_W)
        status = op->download(s->engine, image + AN_NCOMP_W * word,
                              an_level_component(s->level, AN_F_EOS, AN_EOS_FRACTION), word, 0);
    if (status == AN_OK)
        status = op->sync(s->engine, 0);
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK) {
        add_cuts(s, t, image, sum);
        status = an_reduce_xsum(s->comm, all * AN_NFLOW, sum[0]);
    }
    double omega = 0; /* of the frame of relative angles: the fastest row's */
    for (int z = 0; s->omega && z < s->mesh->topology.nblock; z++)
        omega = fabs(s->omega[z]) > fabs(omega) ? s->omega[z] : omega;
    for (int n = 0; n < all && status == AN_OK; n++) {
        double total[AN_NFLOW];
        for (int m = 0; m < AN_NFLOW; m++)
            total[m] = t->sectors * an_xsum_value(sum[n][m]);
        t->area[n] = total[AN_FLOW_AREA];
        const struct an_flow_gas gas = gas_of(t, &t->of[n / (t->nband + 1)]);
        t->average[n] = an_flow_average_of(&gas, total, omega);
    }
    free(image);
    free(sum);
    return status;
}

static void value(FILE *f, double v)
{
    if (isfinite(v))
        fprintf(f, ",%.9g", v);
    else
        fputc(',', f);
}

static void write_line(const struct an_stations *t, int n, int band, FILE *f)
{
    const double *r = t->radius[n], part = (band + 0.5) / t->nband;
    const struct an_flow_average *a = &t->average[n * (t->nband + 1) + band];
    const struct an_flow_average *first = &t->average[t->nband];
    const int whole = band == t->nband;
    const struct an_station *of = &t->of[n];
    const double height = r[0] + (whole ? 0.5 : part) * (r[1] - r[0]);
    fprintf(f, "%.9g,", of->is_line ? of->hub[0] - of->n[1] * height : of->level);
    if (whole)
        fputs(",,", f);
    else
        fprintf(f, "%d,%.6g,%.9g", band + 1, part,
                of->is_line ? of->hub[1] + of->n[0] * height : height);
    struct an_gas mixed;
    const struct an_gas *gas = an_flow_gas_of(&t->gas, first->fraction, &mixed);
    const double p0 = a->p0 / first->p0, T0 = a->T0 / first->T0;
    const double list[] = {
        a->mass,
        t->area[n * (t->nband + 1) + band],
        a->p0,
        a->T0,
        a->p,
        a->T,
        a->alpha,
        a->beta,
        a->pitch,
        a->mach,
        a->mach_rel,
        a->vx,
        a->vr,
        a->vt,
        a->p0_rel,
        p0,
        T0,
        t->rotating ? an_flow_efficiency(gas, first->p0, first->T0, p0, T0) : NAN,
        t->rotating ? an_flow_polytropic(gas, first->p0, first->T0, p0, T0) : NAN,
        a->s - first->s,
        a->entropy.p0,
        a->area.p0,
        a->mixed.p0};
    for (size_t c = 0; c < sizeof list / sizeof *list; c++)
        value(f, list[c]);
    fputc('\n', f);
}

static int write_file(const struct an_solver *s, const struct an_stations *t)
{
    char path[AN_PATH + 40];
    struct an_atomic a;
    snprintf(path, sizeof path, "%s/profile_%08" PRId64 ".csv", s->c->output.folder, s->iteration);
    AN_TRY(an_atomic_begin(path, &a));
    fputs("x_m,band,span,radius_m,mass_flow_kg_s,area_m2,p0_Pa,T0_K,p_Pa,T_K,alpha_deg,beta_deg,"
          "pitch_deg,mach,mach_relative,vx_m_s,vr_m_s,vt_m_s,p0_relative_Pa,pressure_ratio,"
          "temperature_ratio,efficiency,polytropic_efficiency,entropy_rise_J_kgK,p0_entropy_Pa,"
          "p0_area_Pa,p0_mixed_out_Pa\n",
          a.f);
    for (int n = 0; n < t->n; n++)
        for (int band = 0; band <= t->nband; band++)
            if (t->area[n * (t->nband + 1) + band] > 0)
                write_line(t, n, band, a.f);
    return an_atomic_commit(&a);
}

static int stations_write(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    (void)meta;
    AN_TRY(an_stations_measure(s));
    return an_reduce_status(s->comm, s->rank == 0 ? write_file(s, component) : AN_OK);
}

void an_stations_between(const struct an_solver *s, double value[3])
{
    const struct an_stations *t = an_stations_of(s);
    value[0] = value[1] = value[2] = NAN;
    if (!t || t->n < 2)
        return;
    const struct an_flow_average *first = &t->average[t->nband];
    const struct an_flow_average *last = &t->average[(t->n - 1) * (t->nband + 1) + t->nband];
    struct an_gas mixed;
    const struct an_gas *gas = an_flow_gas_of(&t->gas, first->fraction, &mixed);
    value[0] = last->p0 / first->p0;
    value[1] = last->T0 / first->T0;
    value[2] =
        t->rotating ? an_flow_efficiency(gas, first->p0, first->T0, value[0], value[1]) : NAN;
}

static void stations_report(const struct an_solver *s, const void *component, FILE *out)
{
    const struct an_stations *t = component;
    (void)s;
    enum { COLUMNS = 9, WIDE = 94 };
    static const int widths[2][COLUMNS] = {{12, 10, 11, 9, 9, 9, 8, 8, 9},
                                           {11, 8, 8, 8, 8, 8, 7, 6, 7}};
    static const char *const name[COLUMNS] = {"station, m", "kg/s",     "p0, Pa",
                                              "T0, K",      "p0 ratio", "T0 ratio",
                                              "eff., %",    "alpha",    "beta, deg"};
    const int narrow = an_screen_is_narrow(out, WIDE);
    const int *width = widths[narrow];
    fprintf(out, "\n%-*s", width[0], name[0]);
    for (int c = 1; c < COLUMNS; c++)
        fprintf(out, " %*s", width[c], narrow && c == COLUMNS - 1 ? "beta" : name[c]);
    fputc('\n', out);
    for (int n = 0; n < t->n; n++) {
        const struct an_flow_average *a = &t->average[n * (t->nband + 1) + t->nband];
        const struct an_flow_average *first = &t->average[t->nband];
        const double p0 = a->p0 / first->p0, T0 = a->T0 / first->T0;
        struct an_gas mixed;
        const struct an_gas *gas = an_flow_gas_of(&t->gas, first->fraction, &mixed);
        const double eff =
            t->rotating ? 100 * an_flow_efficiency(gas, first->p0, first->T0, p0, T0) : NAN;
        const struct an_station *of = &t->of[n];
        const int along_r = of->is_line && fabs(of->n[1]) > fabs(of->n[0]);
        fprintf(out, "%s %-*.6g", along_r ? "r" : "x", width[0] - 2,
                !of->is_line ? of->level : 0.5 * (of->hub[along_r] + of->casing[along_r]));
        fprintf(out, " %*.5g %*.6g %*.3f %*.5f %*.5f", width[1], a->mass, width[2], a->p0, width[3],
                a->T0, width[4], p0, width[5], T0);
        if (isnan(eff))
            fprintf(out, " %*s", width[6], "-");
        else
            fprintf(out, " %*.2f", width[6], eff);
        fprintf(out, " %*.2f %*.2f\n", width[7], a->alpha, width[8], a->beta);
    }
}

const struct an_component_type an_stations_component = {.name = "stations",
                                                        .make = stations_make,
                                                        .destroy = stations_destroy,
                                                        .write = stations_write,
                                                        .report = stations_report};

struct an_stations *an_stations_of(const struct an_solver *s)
{
    return an_component_of(s, &an_stations_component);
}
