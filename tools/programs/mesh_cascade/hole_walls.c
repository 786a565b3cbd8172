// Where holes lie in a profile, and the walls between them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solid.h"

enum { OUTLINE = 4000 };
#define THINNEST 0.02 // of a hole's diameter, the thinnest wall beside it

struct vec2 hole_point(const struct hole *h, double angle)
{
    double reach = h->radius;
    if (h->wall) {
        const double at = angle / (2 * M_PI), place = HOLE_WALL * (at - floor(at)),
                     low = floor(place);
        const int k = (int)low;
        reach = h->wall[k % HOLE_WALL] +
                (place - low) * (h->wall[(k + 1) % HOLE_WALL] - h->wall[k % HOLE_WALL]);
    }
    return axpy(reach, (struct vec2){cos(angle), sin(angle)}, h->at);
}

bool hole_name_fits(const struct holes *h, const char *name)
{
    // zones and families of a base differ in their names
    bool good = strlen(name) <= LONGEST_HOLE && !strpbrk(name, "/\"") &&
                strncmp(name, "solid_", 6) && strncmp(name, "around_", 7) &&
                strcmp(name, "blade_metal");
    for (int k = 0; k < h->n; k++)
        good = good && strcmp(name, h->hole[k].name);
    return good;
}

void hole_wall_name(const struct hole_wall *w, const struct holes *h, char name[80])
{
    snprintf(name, 80, "%s and %s", h->hole[w->a].name,
             w->b < 0 ? "the surface" : h->hole[w->b].name);
}

// Takes note of a wall; false: it is too thin.
static bool note_wall(struct hole_wall *w, const struct holes *h, int a, int b, double thick)
{
    const double ra = h->hole[a].radius,
                 enough = 2 * THINNEST * (b < 0 ? ra : fmin(ra, h->hole[b].radius));
    if (thick < w->thick || thick < enough)
        *w = (struct hole_wall){a, b, thick, enough};
    return thick >= enough;
}

enum hole_fault holes_fit(struct hole_wall *w, const struct holes *h, const struct curve *c)
{
    *w = (struct hole_wall){.b = -1, .thick = INFINITY};
    for (int k = 0; k < h->n; k++) {
        const struct hole *a = &h->hole[k];
        double near = INFINITY, winding = 0;
        struct vec2 before = sub(curve_point(c, 0), a->at);
        for (int i = 1; i <= OUTLINE; i++) {
            const struct vec2 v = sub(curve_point(c, c->length * i / OUTLINE), a->at);
            near = fmin(near, norm(v));
            winding += atan2(cross(before, v), dot(before, v));
            before = v;
        }
        if (fabs(winding) < M_PI) {
            w->a = k;
            return HOLE_OUTSIDE;
        }
        if (!note_wall(w, h, k, -1, near - a->radius))
            return HOLE_NEAR;
        for (int l = 0; l < k; l++) {
            const struct hole *b = &h->hole[l];
            if (!note_wall(w, h, l, k, norm(sub(a->at, b->at)) - a->radius - b->radius))
                return HOLE_NEAR;
        }
    }
    return HOLES_FIT;
}
