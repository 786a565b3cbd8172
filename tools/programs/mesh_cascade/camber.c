// The mean line of a profile at its leading or trailing edge: the centres of circles that touch both sides. Near the
// edge it is a cubic in a frame that points into the profile, and straight on the nose, whose radius r is that of the
// circle nearest to the edge:
//
//        y |      ____-----
//          |  _o--  \    |       The circles touch one side at points from FIRST to LAST of half the perimeter behind
//     edge o/---o---o----o--> x  the edge, and then the other side.
//          | \__    /    |
//          |    ----_____|
//
// Unlike the middles of points at equal distances along both sides, these centres hardly depend on where on the nose
// the edge is thought to lie: a shoulder of a blunt nose will do to begin with. If a shoulder has circles of its own,
// the centres have a kink, and the first circles are those farther behind.
#include <math.h>

#include "mesh.h"

enum { OTHER = 300, CIRCLES = 16, ROUNDS = 4, TERMS = 4, STEPS = 20, NEAREST = 800 };
// of half the perimeter
#define FIRST 0.02
#define FAR \
    0.12 // in place of FIRST: behind a blunt nose, where no circle touches both sides of a shoulder
#define KINK        0.007 // largest distance of the centres from their cubic
#define LAST        0.30
#define SIDE_LENGTH 0.6 // of the other side that is searched
#define REACH       0.2 // from the first to the last centre
// largest and smallest ratio of the distances of the two touching points from the edge
#define SKEW 2.5

struct circle {
    struct vec2 centre;
    double radius;
};

struct frame {
    struct vec2 at, along, up; // origin, directions of x and y
    double coefficient[TERMS]; // of y(x)
    double edge, radius;       // x of the edge; radius of its nose
    double off;                // largest distance of a centre from y(x)
};

static struct vec2 on_line(const struct frame *f, double x)
{
    const double *a = f->coefficient, y = a[0] + x * (a[1] + x * (a[2] + x * a[3]));
    return add(axpy(x, f->along, f->at), scale(y, f->up));
}

// Unit vector along the mean line, into the profile.
static struct vec2 direction(const struct frame *f, double x)
{
    const double *a = f->coefficient, slope = a[1] + x * (2 * a[2] + x * 3 * a[3]);
    const struct vec2 t = axpy(slope, f->up, f->along);
    return scale(1 / norm(t), t);
}

// Least squares: the cubic through n points; unit: a length of their size.
static bool fit(struct frame *f, const struct vec2 *p, int n, double unit)
{
    double m[TERMS][TERMS + 1] = {{0}};
    for (int k = 0; k < n; k++) {
        double power[TERMS] = {1};
        for (int i = 1; i < TERMS; i++)
            power[i] = power[i - 1] * p[k].x / unit;
        for (int i = 0; i < TERMS; i++) {
            for (int j = 0; j < TERMS; j++)
                m[i][j] += power[i] * power[j];
            m[i][TERMS] += power[i] * p[k].y;
        }
    }
    for (int i = 0; i < TERMS; i++) // the matrix is positive definite: no pivoting
        for (int r = 0; r < TERMS; r++) {
            const double w = r == i ? 0 : m[r][i] / m[i][i];
            for (int j = i; j <= TERMS && r != i; j++)
                m[r][j] -= w * m[i][j];
        }
    double scaled = 1;
    bool finite = true;
    for (int i = 0; i < TERMS; i++, scaled *= unit) {
        f->coefficient[i] = m[i][TERMS] / m[i][i] / scaled;
        finite = finite && isfinite(f->coefficient[i]);
    }
    return finite;
}

static struct vec2 local(const struct frame *f, struct vec2 x)
{
    const struct vec2 d = sub(x, f->at);
    return (struct vec2){dot(d, f->along), dot(d, f->up)};
}

// The circle that touches the profile at a distance d from s on one side (1: ahead in the curve, -1: behind) and the
// other side somewhere. False: it touches the other side much nearer to s, or much farther from it.
static bool touching(const struct curve *c, double s, int side, double d, const struct vec2 *other,
                     struct circle *o)
{
    const double half = 0.5 * c->length;
    const struct vec2 q = curve_point(c, s + side * d), t = curve_tangent(c, s + side * d),
                      inwards = {t.y, -t.x};
    int best = -1;
    o->radius = INFINITY;
    for (int k = 0; k < OTHER; k++) {
        const struct vec2 v = sub(other[k], q);
        const double depth = dot(v, inwards);
        if (depth > 0 && dot(v, v) < 2 * depth * o->radius) {
            o->radius = dot(v, v) / (2 * depth);
            best = k;
        }
    }
    const double at = SIDE_LENGTH * half * best / (OTHER - 1);
    o->centre = axpy(o->radius, inwards, q);
    return best > 0 && best < OTHER - 1 && at > d / SKEW && at < d * SKEW;
}

static int circles_near(const struct curve *c, double s, double from, struct circle *o)
{
    struct vec2 other[OTHER];
    int n = 0;
    const double half = 0.5 * c->length;
    for (int side = -1; side <= 1; side += 2) {
        for (int k = 0; k < OTHER; k++)
            other[k] = curve_point(c, s - side * SIDE_LENGTH * half * k / (OTHER - 1));
        for (int k = 0; k < CIRCLES; k++)
            n += touching(c, s, side, half * (from + (LAST - from) * k / (CIRCLES - 1)), other,
                          &o[n]);
    }
    return n;
}

// The place where the line through the first centre leaves the profile, going against direction t.
static double leave(const struct curve *c, double s, struct vec2 centre, struct vec2 t)
{
    double best = s, least = INFINITY;
    for (int k = -NEAREST; k <= NEAREST; k++) {
        const double at = s + 0.2 * c->length * k / NEAREST;
        const struct vec2 v = sub(curve_point(c, at), centre);
        if (dot(v, t) < 0 && fabs(cross(v, t)) < least) {
            least = fabs(cross(v, t));
            best = at;
        }
    }
    return best;
}

// The line from circles that begin at `from`, of half the perimeter, behind s; *s moves to where it meets the edge.
static bool line_near(struct frame *f, const struct curve *c, double from, double *s)
{
    struct circle o[2 * CIRCLES];
    struct vec2 p[2 * CIRCLES];
    const double half = 0.5 * c->length;
    const int n = circles_near(c, *s, from, o);
    if (n < 2 * TERMS)
        return false;
    f->at = curve_point(c, *s);
    int far = 0, first = 0, count = 0;
    for (int i = 0; i < n; i++)
        far = norm(sub(o[i].centre, f->at)) > norm(sub(o[far].centre, f->at)) ? i : far;
    const struct vec2 in = sub(o[far].centre, f->at);
    f->along = scale(1 / norm(in), in);
    f->up = (struct vec2){-f->along.y, f->along.x};
    for (int i = 0; i < n; i++) {
        p[i] = local(f, o[i].centre);
        first = p[i].x < p[first].x ? i : first;
    }
    const struct vec2 begin = p[first];
    for (int i = 0; i < n; i++)
        if (p[i].x <= begin.x + REACH * half)
            p[count++] = p[i];
    if (count < 2 * TERMS || !fit(f, p, count, half))
        return false;
    const struct vec2 centre = on_line(f, begin.x), t = direction(f, begin.x);
    *s = leave(c, *s, centre, t);
    f->edge = begin.x - norm(sub(centre, curve_point(c, *s))) * dot(t, f->along);
    f->radius = o[first].radius;
    f->off = 0;
    for (int i = 0; i < count; i++)
        f->off = fmax(f->off, norm(sub(on_line(f, p[i].x),
                                       add(axpy(p[i].x, f->along, f->at), scale(p[i].y, f->up)))));
    return true;
}

// Point of the mean line at a distance from the edge; on the nose it is straight.
static struct vec2 behind_edge(const struct frame *f, double distance)
{
    const double on_nose = fmin(distance, f->radius);
    const struct vec2 centre = on_line(f, f->edge + f->radius),
                      t = direction(f, f->edge + f->radius);
    if (on_nose == distance)
        return axpy(distance - f->radius, t, centre);
    double x = f->edge + f->radius, left = distance - f->radius;
    for (int k = 0; k < STEPS; k++)
        x += left / STEPS * dot(direction(f, x), f->along);
    return on_line(f, x);
}

bool camber_edge(struct camber *found, const struct curve *c, double s)
{
    const double half = 0.5 * c->length;
    struct frame f;
    double at = s;
    const bool smooth = line_near(&f, c, FIRST, &at) && f.off < KINK * half;
    if (!smooth && !line_near(&f, c, FAR, &s))
        return false;
    s = smooth ? at : s;
    for (int round = 0; round < ROUNDS; round++)
        if (!line_near(&f, c, FIRST, &s))
            return false;
    const struct vec2 edge = direction(&f, f.edge + f.radius),
                      mean = sub(behind_edge(&f, 0.15 * half), behind_edge(&f, 0.04 * half));
    *found = (struct camber){.nose = curve_point(c, s),
                             .s = s,
                             .edge = atan2(edge.y, edge.x),
                             .mean = atan2(mean.y, mean.x),
                             .radius = f.radius};
    return isfinite(found->nose.x + found->nose.y + found->edge + found->mean);
}
