// Sections of the metal at shares of the blade's height, and the walls round the holes there.
#include "metal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int metal_section_new(struct metal_section *s, const struct row *r, const struct channel *c,
                      double f)
{
    const struct meridian *g = &r->meridian;
    *s = (struct metal_section){.f = f};
    for (int i = 0; i < SAMPLES_U; i++) {
        const double u = (double)i / (SAMPLES_U - 1), foot = meridian_foot(g, u);
        s->layer.v[i] = foot + f * (meridian_tip(g, u) - foot);
    }
    layer_finish(&s->layer, g);
    AN_TRY(blade_profile(&r->blade[0], &s->layer, &s->profile));
    return channels_cut(s, r, c);
}

void metal_section_free(struct metal_section *s)
{
    profile_free(&s->profile);
}

int metal_section_check(const struct metal_section *s, const struct row *r, struct metal_wall *w)
{
    struct hole_wall wall;
    char name[80];
    const enum hole_fault fault = holes_fit(&wall, &s->holes, &s->profile.c);
    if (s->holes.n == 0)
        return AN_OK;
    const struct hole *a = &s->holes.hole[wall.a];
    const double u = layer_u(&s->layer, a->at.x), v = layer_v(&s->layer, u);
    const struct point p = meridian_point(&r->meridian, u, v);
    AN_CHECK(fault != HOLE_OUTSIDE, AN_INPUT,
             "error: 'holes': %s leaves the blade: at %.1f %% of the span its centre, x = %.5g m, "
             "r = %.5g m, theta = %.5g deg, lies outside the section",
             a->name, 100 * v, p.x, p.r, -a->at.y * r->in.theta * 180 / M_PI);
    hole_wall_name(&wall, &s->holes, name);
    AN_CHECK(fault == HOLES_FIT, AN_INPUT,
             "error: 'holes': %s %s at %.1f %% of the span, x = %.5g m: the wall between them is "
             "%.3g mm thick; a mesh needs %.3g mm",
             name, wall.thick > 0 ? "nearly touch" : "overlap", 100 * v, p.x,
             1e3 * p.r * wall.thick, 1e3 * p.r * wall.enough);
    if (p.r * wall.thick < w->thick) {
        w->thick = p.r * wall.thick;
        w->at = v;
        memcpy(w->name, name, sizeof name);
    }
    return AN_OK;
}
