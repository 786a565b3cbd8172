// Fillets between a blade and the walls.
//
// A fillet of radius R touches blade and wall: at the distance h from the wall the section grows by
// R - sqrt(R^2 - (R - h)^2) along its normals. At the wall the circle would meet it at an angle of zero, and cells
// between the two would fold up. So the circle ends where it meets the wall's direction at ENDS, and goes on to the
// wall in a straight line. Plane meshes and wall nodes are those of the blade without fillets; in the layers the
// wall nodes move along the normals, and the rows of the O follow, less and less.
#include "row.h"

#include <math.h>
#include <stdio.h>

static const double ENDS = M_PI / 4, MOST = 0.6;

bool fillet_wanted(const struct row *r)
{
    return r->in.fillet[AT_HUB] > 0 || r->in.fillet[AT_CASING] > 0;
}

// Growth of a section at the distance h from the wall, m.
static double fillet_growth(double radius, double h)
{
    const double end = radius * (1 - cos(ENDS));
    if (!(radius > 0) || h >= radius)
        return 0;
    if (h < end)
        return radius * (1 - sin(ENDS)) + (end - h) / tan(ENDS);
    return radius - sqrt((2 * radius - h) * h);
}

// Distance of the point at u and v from the hub or the casing: along the line from hub to casing, times the sine of
// the angle at which this line meets the wall.
static double distance(const struct meridian *g, int wall, double u, double v)
{
    const double e = 1e-4, at = wall == AT_HUB ? 0 : 1, mid = fmin(fmax(u, e), 1 - e);
    const struct point a = meridian_point(g, mid - e, at), b = meridian_point(g, mid + e, at),
                       h = meridian_point(g, u, 0), c = meridian_point(g, u, 1);
    const double area = (b.x - a.x) * (c.r - h.r) - (b.r - a.r) * (c.x - h.x);
    return fabs(v - at) * fabs(area) / hypot(b.x - a.x, b.r - a.r);
}

double fillet_at(const struct row *r, const struct layer *l, double m)
{
    const double u = layer_u(l, m), v = layer_v(l, u);
    double most = 0;
    for (int wall = AT_HUB; wall <= AT_CASING; wall++)
        if (r->in.fillet[wall] > 0)
            most =
                fmax(most, fillet_growth(r->in.fillet[wall], distance(&r->meridian, wall, u, v)));
    return most / meridian_point(&r->meridian, u, v).r;
}

static int check_wall(const struct row *r, int wall)
{
    const double radius = r->in.fillet[wall], pitch = 2 * M_PI / r->in.blades / r->set;
    const char *name = wall == AT_HUB ? "hub" : "casing";
    AN_CHECK(!gap_wanted(&r->in.gap[wall]), AN_INPUT,
             "error: 'fillet: {%s: %g}': the blade has a gap there ('%s_gap'), and touches no wall",
             name, radius, wall == AT_HUB ? "hub" : "tip");
    struct layer l;
    struct profile p;
    layer_even(&l, &r->meridian, wall == AT_HUB ? 0 : 1);
    AN_TRY(blade_profile(r->blade, &l, &p));
    double way = HUGE_VAL, height = HUGE_VAL;
    for (int k = 0; k <= 10; k++) {
        const double f = k / 10.0, u = layer_u(&l, p.le.x + f * (p.te.x - p.le.x)),
                     angle = p.angle_le + f * (p.angle_te - p.angle_le);
        way = fmin(way, pitch * cos(angle) * meridian_point(&r->meridian, u, layer_v(&l, u)).r);
        height = fmin(height, meridian_height(&r->meridian, u));
    }
    profile_free(&p);
    AN_CHECK(radius <= 0.25 * way, AN_INPUT,
             "error: 'fillet: {%s: %g}' is larger than a quarter of the way between the blades "
             "there, %.3g m: cells have no room",
             name, radius, way);
    AN_CHECK(radius <= 0.5 * height, AN_INPUT,
             "error: 'fillet: {%s: %g}' is larger than half of the passage's height, %.3g m", name,
             radius, height);
    if (radius < 4 * r->in.first[wall == AT_HUB ? 1 : 2])
        fprintf(row_out(r),
                "warning              'fillet: {%s: %g}' is less than four first cells of the wall "
                "high: the mesh does not show it\n",
                name, radius);
    return AN_OK;
}

int fillet_check(const struct row *r)
{
    for (int wall = AT_HUB; wall <= AT_CASING; wall++)
        if (r->in.fillet[wall] > 0)
            AN_TRY(check_wall(r, wall));
    return AN_OK;
}

// Largest share of the O's thickness that the fillet takes at the wall, over all blades.
static double share_taken(const struct row *r, int wall)
{
    const struct plane *q = &r->key[wall == AT_HUB ? 0 : r->nkey - 1];
    struct layer l;
    double most = 0;
    layer_even(&l, &r->meridian, wall == AT_HUB ? 0 : 1);
    for (int b = 0; b < r->set; b++) {
        const struct zone *o = &q->out[b].z[Z_O];
        for (int i = 0; i < o->ni; i++) {
            const struct vec2 x = o->x[i], ring = o->x[(o->nj - 1) * o->ni + i]; // u and y
            const double m = layer_m(&l, x.x);
            const struct vec2 thick = {layer_m(&l, ring.x) - m, ring.y - x.y};
            most = fmax(most, fillet_at(r, &l, m) / norm(thick));
        }
    }
    return most;
}

int fillet_room(const struct row *r)
{
    for (int wall = AT_HUB; wall <= AT_CASING; wall++) {
        const double share = r->in.fillet[wall] > 0 ? share_taken(r, wall) : 0;
        if (share > 0)
            fprintf(row_out(r),
                    "fillet               at the %s: takes up to %.0f %% of the block round the "
                    "blade\n",
                    wall == AT_HUB ? "hub" : "casing", 100 * share);
        AN_CHECK(share <= MOST, AN_INPUT,
                 "error: 'fillet: {%s: %g}' takes %.0f %% of the thickness of the cells round the "
                 "blade, which would fold: %.0f %% are allowed, a radius of %.3g m",
                 wall == AT_HUB ? "hub" : "casing", r->in.fillet[wall], 100 * share, 100 * MOST,
                 r->in.fillet[wall] * MOST / share);
    }
    return AN_OK;
}

void fillet_print(const struct row *r)
{
    const char *const name[2] = {"hub", "casing"};
    for (int wall = AT_HUB; wall <= AT_CASING; wall++)
        if (r->in.fillet[wall] > 0)
            fprintf(row_out(r),
                    "fillet               at the %s: radius %.4g m, the section %.4g m thicker on "
                    "each side at the wall\n",
                    name[wall], r->in.fillet[wall], fillet_growth(r->in.fillet[wall], 0));
}
