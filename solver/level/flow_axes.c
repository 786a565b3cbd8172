#include "solver/level/flow_axes.h"

#include "solver/level/level.h"
#include "solver/level/rows.h"

#include <math.h>

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Takes a translation across x that is nearer to y than the one that was found before. */
static void take_pitch(const double v[3], double pitch[3], double *found)
{
    const double all = length(v);
    if (!(hypot(v[1], v[2]) > 1e-6 * all) ||
        (*found > 0 && !(fabs(v[1]) / all > fabs(pitch[1]) + 1e-9)))
        return;
    const double along = fabs(v[1]) > 1e-9 * all ? v[1] : v[2];
    *found = all;
    for (int c = 0; c < 3; c++)
        pitch[c] = copysign(1, along) * v[c] / all;
}

static int periodic_side(const struct an_topology *t, int b)
{
    return t->boundary[b].type == AN_BC_ABUTTING ? t->boundary[b].periodic : 0;
}

/* The translation across x that is nearest to y; 0: there is none. */
static double find_pitch(const struct an_topology *t, double pitch[3])
{
    double found = 0;
    for (int n = 0; n < t->ninterface; n++)
        if (t->interface[n].periodic == 1)
            take_pitch(t->interface[n].translation, pitch, &found);
    for (int b = 0; b < t->nboundary; b++)
        if (periodic_side(t, b) == 1)
            take_pitch(t->boundary[b].translation, pitch, &found);
    return found;
}

static int repeats_around(const struct an_topology *t)
{
    int some = 0;
    for (int n = 0; n < t->ninterface; n++)
        some |= t->interface[n].periodic == 2;
    for (int b = 0; b < t->nboundary; b++)
        some |= periodic_side(t, b) == 2;
    return some;
}

int an_flow_axes_find(const struct an_solver *s, struct an_flow_axes *axes)
{
    const struct an_topology *t = &s->mesh->topology;
    const enum an_averages wanted = s->c->monitors.averages;
    *axes = (struct an_flow_axes){.axial = {1, 0, 0}, .pitch = {0, 1, 0}, .span = {0, 0, 1}};
    AN_CHECK(wanted != AN_AVERAGES_CARTESIAN || !s->omega, AN_INPUT,
             "%s: 'monitors.averages: cartesian' is for cascades that do not turn, and here rows "
             "turn about the x axis; leave it out",
             s->c->file);
    const double found = find_pitch(t, axes->pitch);
    const int flat = !s->omega && !repeats_around(t) && (found > 0 || s->mesh->dimension == 2);
    axes->cartesian = wanted == AN_AVERAGES_CARTESIAN || (wanted == AN_AVERAGES_AUTO && flat);
    axes->length = found;
    const double *p = axes->pitch;
    double a[3] = {1 - p[0] * p[0], -p[0] * p[1], -p[0] * p[2]};
    const double scale = length(a);
    for (int c = 0; c < 3; c++)
        axes->axial[c] = a[c] / scale;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        axes->span[c] = axes->axial[d] * p[e] - axes->axial[e] * p[d];
    }
    return AN_OK;
}

int an_flow_axes_cascade(const struct an_solver *s, const struct an_flow_axes *axes)
{
    int in = 0, out = 0, far = 0;
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        const int type = s->boundary[b].type;
        in += type == AN_BC_INLET_TOTAL || type == AN_BC_INLET_SUPERSONIC;
        out += type == AN_BC_OUTLET_STATIC || type == AN_BC_OUTLET_SUPERSONIC;
        far += type == AN_BC_FARFIELD;
    }
    return axes->cartesian && axes->length > 0 && in && out && !far;
}

double an_flow_axes_height(const struct an_flow_axes *axes, const double x[3])
{
    const double *s = axes->span;
    return axes->cartesian ? s[0] * x[0] + s[1] * x[1] + s[2] * x[2] : hypot(x[1], x[2]);
}
