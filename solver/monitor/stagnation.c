#include "solver/monitor/stagnation.h"

#include "kernels/base/numbers.h"
#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/boundary/inlets.h"
#include "solver/level/level.h"
#include "solver/level/patch_nodes.h"
#include "solver/monitor/performance.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of what enters a row: the largest p*, the smallest T*; 0 and infinite: nothing enters. */
struct entry {
    double p, T;
};

/* p* and T* of the flow through a face at x. */
static struct entry entry_of(const struct an_gas *g, const double v[AN_NCOMP_PLANE],
                             const double x[3], double omega)
{
    const double u = v[AN_PLANE_U], w = v[AN_PLANE_V] + omega * x[2],
                 q = v[AN_PLANE_W] - omega * x[1];
    const double p = v[AN_PLANE_P], T = an_state_temperature(g, v[AN_PLANE_RHO], p);
    const double spin = omega * hypot(x[1], x[2]), w2 = u * u + w * w + q * q;
    if (g->table) {
        const struct an_gas_rest r = an_state_rest(g, p, T, w2 - spin * spin);
        return (struct entry){r.p0, r.T0};
    }
    const double T0 = an_gas_T_at_rest(g, T, w2);
    struct entry e = {NAN, an_gas_T_of_h(g, an_gas_h(g, T0) - 0.5 * spin * spin)};
    e.p = p * an_gas_isentropic_p(g, T, e.T);
    return e;
}

/* Faces nearer to where the flow enters the row than to where it leaves. */
static int is_entry(const struct an_row_flow *r, const double v[AN_NCOMP_PLANE], const double x[3])
{
    return v[AN_PLANE_MASS] < 0 && fabs(x[0] - r->in.x) <= fabs(x[0] - r->out.x);
}

/* What enters each row, of all ranks. entry[nrow + 1]. Collective. */
static int find_entries(const struct an_solver *s, const struct an_performance *f,
                        struct entry *entry)
{
    double *most = malloc((2 * (size_t)f->nrow + 2) * sizeof *most);
    AN_TRY(an_reduce_status(s->comm, most ? AN_OK : an_error_set(AN_FAIL, "out of memory")));
    for (int n = 0; n < 2 * f->nrow + 2; n++)
        most[n] = -INFINITY;
    for (int m = 0; m < f->faces.nwindow; m++) {
        const struct an_face_window *w = &f->faces.window[m];
        const int row = f->row[f->faces.zone[m]];
        const double omega = s->omega ? s->omega[f->faces.zone[m]] : 0;
        if (an_bc_type_has((enum an_bc_type)s->boundary[w->boundary].type, AN_BC_CLOSED))
            continue;
        for (int64_t n = w->first; n < w->first + an_patch_faces(&w->window); n++) {
            if (!is_entry(&f->of[row], f->faces.value[n], f->faces.centre[n]))
                continue;
            struct an_gas mixed;
            const struct an_gas *gas =
                an_flow_gas_of(&f->gas, f->faces.value[n][AN_PLANE_FRACTION], &mixed);
            const struct entry e = entry_of(gas, f->faces.value[n], f->faces.centre[n], omega);
            most[2 * row] = fmax(most[2 * row], e.p);
            most[2 * row + 1] = fmax(most[2 * row + 1], -e.T);
        }
    }
    const int status = an_reduce_max(s->comm, 2 * f->nrow + 2, most);
    for (int n = 0; n <= f->nrow; n++)
        entry[n] = (struct entry){most[2 * n], -most[2 * n + 1]};
    free(most);
    return status;
}

/* The largest total pressure of inlets and far fields; 0: not known, where the total pressure of an inlet
 * follows a mass flow. */
static double largest_p0(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    const struct an_gas *g = &c->gas.model;
    double p0 = 0;
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        const struct an_case_state *i = &q->state;
        if (q->type == AN_BC_INLET_TOTAL && q->outlet.mass_flow > 0)
            return 0;
        if (q->type == AN_BC_INLET_TOTAL)
            p0 = fmax(p0, an_inlets_highest(s, q).p0);
        if (!an_bc_type_has(q->type, AN_BC_STATE))
            continue;
        const double V =
            i->has_velocity ? an_length(i->velocity) : i->mach * an_state_sound(g, i->p, i->T);
        p0 = fmax(p0, an_gas_total(g, i->p, i->T, V).p0);
    }
    return p0;
}

/* The most that the pressure of a wall can be. */
static double limit_at(const struct an_solver *s, const struct entry *entry, double p0, int zone,
                       const double x[3])
{
    const struct an_performance *f = an_performance_of(s);
    const struct an_gas *g = &s->c->gas.model;
    const double spin = s->omega ? s->omega[zone] * hypot(x[1], x[2]) : 0;
    if (!f)
        return s->omega || !(p0 > 0) ? NAN : p0;
    const struct entry *e = &entry[f->row[zone]];
    return e->p > 0 ? an_state_rest(g, e->p, e->T, spin * spin).p0 : NAN;
}

static void stagnation_take(struct an_stagnation *w, const struct an_solver *s, double p,
                            double limit, const double x[3], int boundary)
{
    if (!(p / limit > w->ratio))
        return;
    w->ratio = p / limit;
    w->p = p;
    w->limit = limit;
    memcpy(w->x, x, sizeof w->x);
    snprintf(w->wall, sizeof w->wall, "%s", s->mesh->topology.boundary[boundary].name);
}

/* The largest ratio of this rank. */
static void look(const struct an_solver *s, const struct entry *entry, struct an_stagnation *w)
{
    const double p0 = largest_p0(s);
    const struct an_walls *v = an_walls_of(s);
    const double(*value)[AN_NCOMP_WALL] = v ? an_walls_values(s) : NULL;
    const struct an_performance *f = an_performance_of(s);
    for (int m = 0; v && m < v->nwindow; m++) {
        const struct an_face_window *q = &v->window[m];
        const int zone = s->level->partition.piece[s->local[q->window.block]].zone;
        for (int64_t n = q->first; n < q->first + an_patch_faces(&q->window); n++)
            stagnation_take(w, s, value[n][AN_WALL_P], limit_at(s, entry, p0, zone, v->centre[n]),
                            v->centre[n], q->boundary);
    }
    for (int m = 0; f && m < f->faces.nwindow; m++) {
        const struct an_face_window *q = &f->faces.window[m];
        if (s->boundary[q->boundary].type != AN_BC_WALL_SLIP)
            continue;
        for (int64_t n = q->first; n < q->first + an_patch_faces(&q->window); n++) {
            const double *u = f->faces.value[n], *a = u + AN_PLANE_SX, size = an_length(a);
            const double push =
                (u[AN_PLANE_MX] * a[0] + u[AN_PLANE_MY] * a[1] + u[AN_PLANE_MZ] * a[2]) /
                (size * size);
            stagnation_take(w, s, push + f->gas.p_ref,
                            limit_at(s, entry, p0, f->faces.zone[m], f->faces.centre[n]),
                            f->faces.centre[n], q->boundary);
        }
    }
}

int an_stagnation_find(const struct an_solver *s, struct an_stagnation *w)
{
    const struct an_performance *f = an_performance_of(s);
    struct entry *entry = calloc((f ? (size_t)f->nrow : 0) + 1, sizeof *entry);
    *w = (struct an_stagnation){.ratio = -INFINITY};
    int status = an_reduce_status(s->comm, entry ? AN_OK : an_error_set(AN_FAIL, "out of memory"));
    if (status == AN_OK && f)
        status = find_entries(s, f, entry);
    if (status == AN_OK)
        look(s, entry, w);
    free(entry);
    AN_TRY(status);
    double most = w->ratio, rank;
    AN_TRY(an_reduce_max(s->comm, 1, &most));
    rank = w->ratio == most ? s->rank : s->nrank;
    AN_TRY(an_reduce_min(s->comm, 1, &rank));
    AN_MPI(MPI_Bcast(w, (int)sizeof *w, MPI_BYTE, (int)rank, s->comm));
    w->ratio = most > 0 ? most : NAN;
    return AN_OK;
}
