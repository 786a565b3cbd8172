/* What the control of boundaries has reached, for the table, run.json and the lines of a run. */
#include "kernels/physics/gas_state.h"
#include "solver/boundary/control_set.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>

struct an_control_report an_control_report_of(const struct an_solver *s,
                                              const struct an_control_entry *o)
{
    return (struct an_control_report){.boundary = s->mesh->topology.boundary[o->boundary].name,
                                      .quantity = o->quantity,
                                      .start = o->p_set,
                                      .value = o->p,
                                      .mass = o->seen,
                                      .wanted = o->mass_wanted > 0 ? o->mass_wanted : NAN,
                                      .line = o->mass_set > 0 ? an_control_line(o, o->seen) : NAN,
                                      .sonic = o->sonic,
                                      .every = o->every,
                                      .sectors = o->sectors};
}

int an_control_seen(struct an_solver *s, void *component, const struct an_measured *m)
{
    struct an_control *k = component;
    for (int n = 0; n < k->n; n++) {
        struct an_control_entry *o = &k->entry[n];
        const double *t = m->integral[o->boundary], mass = t[AN_I_MASS]; /* outward */
        const double p0 = t[AN_I_MP0] / mass, T0 = t[AN_I_MT0] / mass;
        if (!an_control_moves(o))
            continue;
        o->seen = o->sectors * o->sign * mass;
        o->sonic = NAN;
        if (!(p0 > 0 && T0 > 0)) /* hardly anything passes, or it enters and leaves */
            continue;
        const struct an_gas_flow f = an_gas_static_mach(&s->c->gas.model, p0, T0, 1);
        o->sonic = o->sectors * t[AN_I_AREA] * an_state_density(&s->c->gas.model, f.p, f.T) * f.V;
    }
    return AN_OK;
}

void an_control_print(const struct an_solver *s, const void *component, FILE *out)
{
    const struct an_control *k = component;
    for (int n = 0; n < k->n; n++) {
        const struct an_control_entry *o = &k->entry[n];
        const struct an_control_report r = an_control_report_of(s, o);
        if (!an_control_moves(o))
            continue;
        fprintf(out, "control     %s: %s, %.6g Pa in the case, changes every %d iterations, ",
                r.boundary, r.quantity, r.start, r.every);
        if (o->mass_wanted > 0)
            fprintf(out, "until %.6g kg/s pass ", r.wanted);
        else
            fprintf(out, "towards a throttle with that pressure at %.6g kg/s of ", o->mass_set);
        if (r.sectors != 1)
            fprintf(out, "the full annulus, %.6g times the mesh\n", r.sectors);
        else
            fputs("the mesh\n", out);
    }
}

void an_control_report(const struct an_solver *s, const void *component, FILE *out)
{
    const struct an_control *k = component;
    for (int n = 0; n < k->n; n++) {
        const struct an_control_report r = an_control_report_of(s, &k->entry[n]);
        if (!an_control_moves(&k->entry[n]))
            continue;
        fprintf(out, "control     %s: %s %.6g Pa, %.6g kg/s", r.boundary, r.quantity, r.value,
                r.mass);
        if (!isnan(r.wanted))
            fprintf(out, ", wanted %.6g kg/s", r.wanted);
        fputc('\n', out);
    }
}
