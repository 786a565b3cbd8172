/* Rows beside each other: signs of speeds, speeds of one shaft, the order of rows, and what their mean line reaches. */
#include "solver/app/doubts.h"
#include "solver/app/doubts_take.h"
#include "solver/level/level.h"
#include "solver/monitor/mean_line.h"

#include <math.h>
#include <stdio.h>

static double rpm_of(const struct an_row_shape *r)
{
    return r->omega * 30 / acos(-1);
}

/* Blades that turn point against their rotation. Returns the largest angle in the direction of rotation, degrees. */
static double take_signs(const struct an_mean_line *m, struct an_facts *f)
{
    double most = -90;
    for (int n = 0; n < m->shape.n; n++) {
        const struct an_row_shape *r = &m->shape.row[n];
        char of[AN_FACT_TEXT];
        if (r->omega == 0 || r->first > r->last)
            continue;
        const double in = an_row_angle(r, 0) * 180 / acos(-1),
                     out = an_row_angle(r, 1) * 180 / acos(-1);
        const double points = an_row_points(r);
        snprintf(of, sizeof of, "row '%.60s' (%.6g rpm)", r->name, rpm_of(r));
        if (an_facts_most(f, AN_FACT_ROW_SIGN, points, of))
            an_facts_more(f, AN_FACT_ROW_SIGN, " (they begin at %.1f and end at %.1f degrees)", in,
                          out);
        most = fmax(most, points);
    }
    return most;
}

/* The rotor before (step -1) or behind (+1) row n; -1: none. */
static int rotor_beside(const struct an_machine_shape *m, int n, int step)
{
    for (n += step; n >= 0 && n < m->n; n += step)
        if (m->row[n].omega != 0)
            return n;
    return -1;
}

/* Rotors that turn nearly alike, and a rotor between two that turn alike, share a shaft. */
static void take_shafts(const struct an_machine_shape *m, struct an_facts *f)
{
    const double nearly = 0.2;
    for (int n = 0; n < m->n; n++) {
        const int before = rotor_beside(m, n, -1), behind = rotor_beside(m, n, 1);
        const struct an_row_shape *r = &m->row[n], *a = before < 0 ? NULL : &m->row[before];
        char of[AN_FACT_TEXT];
        if (r->omega == 0 || !a)
            continue;
        const double off = fabs(r->omega / a->omega - 1);
        const int between = behind >= 0 && m->row[behind].omega == a->omega;
        snprintf(of, sizeof of, "row '%.60s' (%.6g rpm)", r->name, rpm_of(r));
        if ((between || off < nearly) && an_facts_most(f, AN_FACT_SHAFT, off, of))
            an_facts_more(f, AN_FACT_SHAFT, ", row '%.60s' (%.6g rpm)", a->name, rpm_of(a));
    }
}

/* Angles between the flow of the mean line and the blades; those that accelerate the flow bear larger ones. */
static void take_incidences(const struct an_mean_line *m, struct an_facts *f)
{
    const double bears = 75;
    for (int n = 0; n < m->shape.n; n++) {
        const struct an_row_shape *r = &m->shape.row[n];
        const struct an_mean_row *q = &m->row[n];
        char of[AN_FACT_TEXT];
        if (r->first > r->last)
            continue;
        const double off = fabs(q->flow_angle - q->blade_angle);
        const int accelerates = fabs(q->exit_angle) > fabs(q->blade_angle);
        snprintf(of, sizeof of, "row '%.60s'", r->name);
        if ((!accelerates || off > bears) && an_facts_most(f, AN_FACT_INCIDENCE, off, of))
            an_facts_more(
                f, AN_FACT_INCIDENCE,
                " (flow at %.1f, blades at %.1f degrees, behind row '%.60s', at %.4g kg/s)",
                q->flow_angle, q->blade_angle, n ? m->shape.row[n - 1].name : "none", m->mass);
    }
}

static void take_pressure(const struct an_mean_line *m, double p, const char *of,
                          struct an_facts *f)
{
    if (an_facts_most(f, AN_FACT_REACHED, p / m->most_p, of))
        an_facts_more(
            f, AN_FACT_REACHED,
            ", %.6g Pa behind row '%.60s' at %.4g kg/s; row '%.60s' is choked at about %.4g kg/s",
            m->most_p, m->shape.row[m->shape.n - 1].name, m->most_p_mass,
            m->shape.row[m->chokes].name, m->most_mass);
}

static void take_mass(const struct an_mean_line *m, double mass, const char *of, struct an_facts *f)
{
    if (an_facts_most(f, AN_FACT_PASSED, mass / m->most_mass, of))
        an_facts_more(f, AN_FACT_PASSED, ": row '%.60s' is choked at about %.4g kg/s",
                      m->shape.row[m->chokes].name, m->most_mass);
}

void an_doubts_take_rows(const struct an_solver *s, int commands, struct an_facts *f)
{
    const struct an_mean_line *m = an_mean_line_of(s);
    const struct an_case *c = s->c;
    char of[AN_FACT_TEXT];
    if (!m)
        return;
    const double points = take_signs(m, f);
    take_shafts(&m->shape, f);
    if (!m->known ||
        points >
            AN_ROW_WRONG_WAY) /* the mean line of a row that turns the wrong way says nothing */
        return;
    take_incidences(m, f);
    for (int n = 0; n < m->shape.n; n++)
        if (!an_row_is_axial(&m->shape.row[n]))
            return; /* the mean line of a radial row is too far off: 3.6 kg/s of 5 for HECC's diffuser */
    const char *outlet = s->mesh->topology.boundary[m->shape.row[m->shape.n - 1].outlet].name;
    const int varied = commands == AN_DOUBTS_MAP; /* the map sets another value */
    if (!varied && m->ends.mass_flow > 0)
        take_mass(m, m->ends.mass_flow, an_doubts_key(outlet, "mass_flow", of), f);
    else if (!varied && !(m->ends.throttle_mass > 0))
        take_pressure(m, m->ends.p, an_doubts_key(outlet, "p", of), f);
    if (!(commands & AN_DOUBTS_MAP) || (!c->map.values.n && !(c->map.step > 0)))
        return;
    const double first = an_doubts_setting(c, 0, of); /* later ones may be beyond stall */
    if (c->map.vary == AN_VARY_BACK_PRESSURE)
        take_pressure(m, first, of, f);
    else if (c->map.vary == AN_VARY_MASS_FLOW)
        take_mass(m, first, of, f);
}
