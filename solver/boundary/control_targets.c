#include "solver/boundary/control_targets.h"

#include "solver/boundary/control.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct an_control *an_control_of(const struct an_solver *s)
{
    return an_component_of(s, &an_control_component);
}

static int bands_of(const struct an_control *k, int entry)
{
    const int group = k->entry[entry].group;
    return group < 0 ? 0 : k->bands->group[group].n;
}

int an_control_place(const struct an_control *k, int entry, int band)
{
    int at = 0;
    for (int o = 0; o < entry; o++)
        at += 1 + AN_CONTROL_RING * bands_of(k, o);
    if (band >= 0)
        at += 1 + AN_CONTROL_RING * (band - k->bands->group[k->entry[entry].group].first);
    return at;
}

int an_control_numbers(const struct an_solver *s)
{
    const struct an_control *k = an_control_of(s);
    return an_control_place(k, k->n, -1);
}

void an_control_numbers_get(const struct an_solver *s, double *v)
{
    const struct an_control *k = an_control_of(s);
    for (int o = 0; o < k->n; o++) {
        *v++ = k->entry[o].p;
        const int first = bands_of(k, o) ? k->bands->group[k->entry[o].group].first : 0;
        for (int n = first; n < first + bands_of(k, o); n++, v += AN_CONTROL_RING) {
            v[0] = k->rise[n];
            for (int m = 0; m < 3; m++)
                v[1 + m] = k->mean[m][n];
        }
    }
}

int an_control_numbers_set(struct an_solver *s, const double *v)
{
    struct an_control *k = an_component_of(s, &an_control_component);
    for (int o = 0; o < k->n; o++) {
        k->entry[o].p = *v++;
        k->entry[o].error = NAN; /* that of another flow */
        const int first = bands_of(k, o) ? k->bands->group[k->entry[o].group].first : 0;
        for (int n = first; n < first + bands_of(k, o); n++, v += AN_CONTROL_RING) {
            k->rise[n] = v[0];
            for (int m = 0; m < 3; m++)
                k->mean[m][n] = v[1 + m];
        }
    }
    return an_control_apply(s, k);
}

double an_control_pressure_gap(const struct an_control *k, int entry, double pressure, double out)
{
    const struct an_control_entry *o = &k->entry[entry];
    const double mass = o->sectors * o->sign * out;
    if (o->mass_wanted > 0)
        return -o->sign * (mass / o->mass_wanted - 1);
    return (pressure - an_control_line(o, mass)) / pressure;
}

void an_control_ring_gaps(const struct an_control *k, int entry, int band, const double *v,
                          double (*sum)[AN_NINTEGRAL], double gap[AN_CONTROL_RING])
{
    const struct an_control_entry *o = &k->entry[entry];
    const struct an_band_group *g = &k->bands->group[o->group];
    const double *number = v + an_control_place(k, entry, band);
    memset(gap, 0, AN_CONTROL_RING * sizeof *gap);
    for (int m = 0; m < 3 && o->non_reflecting; m++)
        gap[1 + m] = number[1 + m] - an_control_mean(sum[band], m);
    if (o->anchor == AN_EQUILIBRIUM_NONE)
        return;
    double *rise = malloc(((size_t)k->bands->n + 1) * sizeof *rise);
    for (int n = g->first; rise && n < g->first + g->n; n++)
        rise[n] = v[an_control_place(k, entry, n)];
    gap[0] = rise ? an_control_rise_gap(k, o, band, rise, sum) : NAN;
    free(rise);
}
