/* Sliding planes: means of the other side's cells over the faces of this side, at the angle at
 * which the two sides stand to each other now.
 *
 * The faces of a side form rings around the axis. In a ring, face i covers the angles e[i] .. e[i +
 * 1] of one sector, and the ring repeats from sector to sector. A ring covers a part of the span,
 * measured by area: 0 at the hub, 1 at the casing. Vectors are axial, radial and tangential at the
 * angle of their own cell, so that they depend neither on the angle between the sides nor on the
 * sector.
 *
 *      side 1   |     j-1     |   j   |    j+1    |       donors, widths h-, h, h+, means q-, q, q+
 *      side 0         |      i      |    i+1   |          receiver: the interval of its face
 *
 * Donors are reconstructed as parabolas that keep their means:
 *
 *      q(x) = q + s h x + c h^2 (x^2 - 1/12),   x from -1/2 to 1/2 in the cell
 *      d+ = 2 (q+ - q)/(h + h+),   d- = 2 (q - q-)/(h- + h)
 *      c = 3/2 (d+ - d-)/(h- + h + h+),   s = d+ - c (2 h+ + h)/3
 *
 * The mean over an interval is the sum over the donors that it overlaps; it is exact where q is a
 * parabola in the angle. Sums over all receivers of a ring equal those over the donors, to
 * rounding. If a donor covers the interval exactly, the mean is the donor's value. Across the span,
 * the means over the same angles of three neighbouring donor rings are treated in the same way.
 *
 * The map is one array of doubles, which the host makes (bc/slide.h) and any engine reads. Integers
 * are stored exactly, as doubles.
 *
 *   map[0 .. 2]    where faces, rings and the order of faces begin in the array
 *   faces          x AN_SLIDE_FACE, in the order of the fields SLIDE and SLIDE_FLUX
 *   rings          x AN_SLIDE_RING
 *   order          for each ring, its faces in the order of their angles
 *
 * Abutting interfaces, whose two sides stand still to each other, use the same arrays with a table of
 * fixed weights in place of rings (bc/abut.h). Their vectors are Cartesian, and all their faces are
 * face 0 of one ring of extent 1 and radius 1. AN_SLIDE_ROW of a face is the place in the map of its
 * row: donors x AN_ABUT_ENTRY, then facets x AN_ABUT_FACET.
 *
 * Point physics: values in, values out; the geometry is in double whatever the precision of the
 * run.
 */
#ifndef AN_SLIDE_H
#define AN_SLIDE_H

#include "kernels/base/portable.h"
#include "kernels/physics/lag.h"

#include <math.h>

/* Edges of a ring are kept for its faces, and for the middles of the first and of the second layer
 * of cells: mesh lines need not be normal to the plane. */
enum { AN_SLIDE_AT_FACE, AN_SLIDE_AT_FIRST, AN_SLIDE_AT_SECOND, AN_SLIDE_NSET };

/* A face: its ring, its place in the ring, then cosine and sine of the angles of the face, of the
 * two cells inside and of the two ghosts. Faces of abutting interfaces have their row, the numbers of
 * its donors and facets, and the place of the rotation that brings the donors' vectors here (0: they
 * are not turned). */
enum {
    AN_SLIDE_IN_RING,
    AN_SLIDE_PLACE,
    AN_SLIDE_FRAME,                      /* [3] pairs: face, first cell, second cell */
    AN_SLIDE_GHOST = AN_SLIDE_FRAME + 6, /* [2] pairs */
    AN_SLIDE_ROW = AN_SLIDE_GHOST + 4,
    AN_SLIDE_DONORS,
    AN_SLIDE_FACETS,
    AN_SLIDE_ROTATION,
    AN_SLIDE_FACE
};

/* A donor of a face of an abutting interface: its number; its share of the area; its weights in the
 * first and in the second ghost and in the flux of the other side. */
enum {
    AN_ABUT_DONOR,
    AN_ABUT_SHARE,
    AN_ABUT_FIRST,
    AN_ABUT_FLUX = AN_ABUT_FIRST + 2,
    AN_ABUT_ENTRY
};
/* A facet, which is the part of a face that it has in common with a face of the other side: the number
 * of that face; m2, m3: the outward area and what it sweeps per rad/s, less what the parts of the two
 * fluxes account for. */
enum { AN_ABUT_OTHER, AN_ABUT_AREA, AN_ABUT_FACET = AN_ABUT_AREA + 4 };

enum {
    AN_SLIDE_FIRST, /* place of its first face in the order */
    AN_SLIDE_COUNT, /* faces */
    AN_SLIDE_EDGES, /* [AN_SLIDE_NSET] where its edges begin in the map */
    AN_SLIDE_SECTOR = AN_SLIDE_EDGES + AN_SLIDE_NSET, /* rad */
    AN_SLIDE_PASSAGES, /* sectors of this side after which both sides repeat; 1 but with phase lag */
    AN_SLIDE_LOW,      /* parts of the span by area */
    AN_SLIDE_HIGH,
    AN_SLIDE_PLANE, /* of field SLIDE_TURN: the plane; with phase lag, which has one plane, the side */
    AN_SLIDE_SIGN,  /* 1, -1: of that angle, from angles of this side to those of the other */
    AN_SLIDE_DONOR, /* first and last ring of the other side that it overlaps */
    AN_SLIDE_DONOR_LAST,
    AN_SLIDE_OTHER, /* first and last ring of the other side */
    AN_SLIDE_OTHER_LAST,
    AN_SLIDE_RADIUS, /* m */
    AN_SLIDE_MISFIT, /* [3] m2: outward areas of this ring less the other side's share */
    AN_SLIDE_RING = AN_SLIDE_MISFIT + 3
};

/* Words that are remapped at a time, at most. */
enum { AN_SLIDE_WORDS = 8 };

/* Weights of q, q+ - q and q - q- in the integral over a part x1 .. x2 of a donor, over its
 * width. */
struct an_slide_weight {
    double here, up, down;
};

AN_INLINE struct an_slide_weight an_slide_weigh(double below, double h, double above, double x1,
                                                double x2)
{
    const double m0 = x2 - x1, m1 = 0.5 * (x2 - x1) * (x2 + x1);
    const double m2 = (x2 * x2 * x2 - x1 * x1 * x1) / 3 - m0 / 12;
    const double a = 2 / (h + above), b = 2 / (below + h), c = 1.5 / (below + h + above);
    const double bent = c * (m2 * h * h - m1 * h * (2 * above + h) / 3);
    struct an_slide_weight w;
    w.here = m0;
    w.up = a * (m1 * h + bent);
    w.down = -b * bent;
    return w;
}

/* 1 if the parabola lies below 0.3 times or above 3 times the mean of the donor at one of its ends. */
AN_INLINE int an_slide_is_wild(double below, double h, double above, double down, double here,
                               double up)
{
    const double d1 = 2 * (up - here) / (h + above), d0 = 2 * (here - down) / (below + h);
    const double c = 1.5 * (d1 - d0) / (below + h + above);
    const double s = 0.5 * h * (d1 - c * (2 * above + h) / 3), e = here + c * h * h / 6;
    const double low = fmin(e - s, e + s), high = fmax(e - s, e + s);
    return low < 0.3 * here || high > 3 * here;
}

/* Returns the face j of a ring of `count` faces with e[j] <= at < e[j + 1]; 0 if `at` lies below the first edge, the last
 * face if it lies above the last edge. part: fraction of the sector below `at`. The search begins at the face where `at`
 * would lie if all faces had the same width, because a GPU waits for memory at each access to e. */
AN_INLINE int an_slide_find(const double *e, int count, double at, double part)
{
    int j = (int)(part * count), end, step = 1;
    j = j < 0 ? 0 : j < count ? j : count - 1;
    if (e[j] <= at) {
        for (end = j + 1; end < count && e[end] <= at; step *= 2) {
            j = end;
            end += step;
        }
        end = end < count ? end : count;
    } else {
        for (end = j--; j > 0 && e[j] > at; step *= 2) {
            end = j;
            j -= step;
        }
        j = j > 0 ? j : 0;
    }
    while (end - j > 1) {
        const int middle = (j + end) / 2;
        if (e[middle] <= at)
            j = middle;
        else
            end = middle;
    }
    return j;
}

/* Where edge i of a set lies for the ghosts of a layer: cells are continued behind the face. */
AN_INLINE double an_slide_ghost_edge(const double *map, const double *ring, int set, int i)
{
    const double at = map[(int64_t)ring[AN_SLIDE_EDGES] + i];
    return set == AN_SLIDE_AT_FACE ? at : 2 * at - map[(int64_t)ring[AN_SLIDE_EDGES + set] + i];
}

/* The angle of a face times its part of the span. */
AN_INLINE double an_slide_extent(const double *map, int64_t face)
{
    const double *f = map + (int64_t)map[0] + AN_SLIDE_FACE * face;
    const double *ring = map + (int64_t)map[1] + AN_SLIDE_RING * (int64_t)f[AN_SLIDE_IN_RING];
    const double *e = map + (int64_t)ring[AN_SLIDE_EDGES] + (int64_t)f[AN_SLIDE_PLACE];
    return (e[1] - e[0]) * (ring[AN_SLIDE_HIGH] - ring[AN_SLIDE_LOW]);
}

/* A vector of the donors, brought here. map + 0: no rotation. */
AN_INLINE void an_abut_turn(const double *map, int64_t rotation, double v[3])
{
    const double *r = map + rotation, from[3] = {v[0], v[1], v[2]};
    for (int c = 0; rotation && c < 3; c++)
        v[c] = r[3 * c] * from[0] + r[3 * c + 1] * from[1] + r[3 * c + 2] * from[2];
}

#ifdef AN_PRECISION
/* Values of the donors: words q[words * face + w], or, with phase lag, the series of these words at
 * the angle of the donor's passage: `table` of passage m begins at 2 * harmonics * m (lag.h). */
struct AN_FN(an_slide_source) {
    const real *q;
    int words;
    const double *series, *table;
    int harmonics; /* 0: q */
};

/* A word of a donor, which lies in passage m of `passages`. */
AN_INLINE double AN_FN(an_slide_word)(const struct AN_FN(an_slide_source) * s, double donor,
                                      int word, int m, int passages)
{
    const int64_t at = s->words * (int64_t)donor + word;
    if (!s->harmonics)
        return (double)s->q[at];
    const int within = m % passages;
    return an_lag_value(s->series + at * an_lag_length(s->harmonics),
                        s->table + 2 * s->harmonics * (within < 0 ? within + passages : within),
                        s->harmonics);
}

/* Means of words first .. first + n - 1 over the angles a .. b (of the ring's side), of a ring's
 * layer `set`. bounded: 1 for states, whose words 0 and 4 (density and pressure) are positive: a donor
 * counts as constant where an_slide_is_wild holds for one of both. */
AN_INLINE void AN_FN(an_slide_around)(const double *map, const double *ring, int set, double a,
                                      double b, const struct AN_FN(an_slide_source) * s, int first,
                                      int n, int bounded, double *mean)
{
    const double *e = map + (int64_t)ring[AN_SLIDE_EDGES + set];
    const double *order = map + (int64_t)map[2] + (int64_t)ring[AN_SLIDE_FIRST];
    const int count = (int)ring[AN_SLIDE_COUNT], passages = (int)ring[AN_SLIDE_PASSAGES];
    const double sector = ring[AN_SLIDE_SECTOR], width = b - a;
    int passage = (int)((a - e[0]) / sector);
    double at = a - sector * (double)passage, left = width, passed = 0;
    if (at < e[0]) {
        at += sector;
        passage--;
    }
    int j = an_slide_find(e, count, at, (at - e[0]) / sector);
    for (int w = 0; w < n; w++)
        mean[w] = 0;
    for (int guard = 0; guard < count + 3 && left > 0; guard++) {
        const int before = j > 0 ? j - 1 : count - 1, after = j < count - 1 ? j + 1 : 0;
        const double h = e[j + 1] - e[j], below = e[before + 1] - e[before],
                     above = e[after + 1] - e[after];
        const double room = e[j + 1] - (at - passed), part = room < left ? room : left;
        const double x1 = 0.5 - room / h, x2 = x1 + part / h;
        const int up = passage + (j == count - 1), down = passage - (j == 0);
        struct an_slide_weight weight = an_slide_weigh(below, h, above, x1, x2);
        for (int w = 0; bounded && w < 8; w += 4)
            if (an_slide_is_wild(below, h, above,
                                 AN_FN(an_slide_word)(s, order[before], first + w, down, passages),
                                 AN_FN(an_slide_word)(s, order[j], first + w, passage, passages),
                                 AN_FN(an_slide_word)(s, order[after], first + w, up, passages)))
                weight.up = weight.down = 0;
        for (int w = first; w < first + n; w++) {
            const double v = AN_FN(an_slide_word)(s, order[j], w, passage, passages);
            mean[w - first] +=
                h * (weight.here * v +
                     weight.up * (AN_FN(an_slide_word)(s, order[after], w, up, passages) - v) +
                     weight.down * (v - AN_FN(an_slide_word)(s, order[before], w, down, passages)));
        }
        left = left - part > 1e-12 * width ? left - part : 0;
        at = e[j + 1] + passed;
        if (j == count - 1)
            passed += sector;
        passage = up;
        j = after;
    }
    for (int w = 0; w < n; w++)
        mean[w] /= width;
}

/* Means of words first .. first + n - 1, n <= AN_SLIDE_WORDS, of the other side's layer `set` over
 * the part of its surface that face (set AN_SLIDE_AT_FACE) or ghost (the other sets) `face` covers.
 * turn: field SLIDE_TURN. */
AN_INLINE void AN_FN(an_slide_mean_of)(const double *map, int64_t face, int set, const double *turn,
                                       const struct AN_FN(an_slide_source) * s, int first, int n,
                                       int bounded, double *mean)
{
    const double *f = map + (int64_t)map[0] + AN_SLIDE_FACE * face;
    const double *rings = map + (int64_t)map[1];
    const double *ring = rings + AN_SLIDE_RING * (int64_t)f[AN_SLIDE_IN_RING];
    const int i = (int)f[AN_SLIDE_PLACE];
    const double away = ring[AN_SLIDE_SIGN] * turn[(int64_t)ring[AN_SLIDE_PLANE]];
    const double a = an_slide_ghost_edge(map, ring, set, i) + away;
    const double b = an_slide_ghost_edge(map, ring, set, i + 1) + away;
    const int donor = (int)ring[AN_SLIDE_DONOR], last = (int)ring[AN_SLIDE_DONOR_LAST];
    const double low = ring[AN_SLIDE_LOW], high = ring[AN_SLIDE_HIGH];
    const double *d = rings + AN_SLIDE_RING * (int64_t)donor;
    if (donor == last && d[AN_SLIDE_LOW] == low && d[AN_SLIDE_HIGH] == high) {
        AN_FN(an_slide_around)(map, d, set, a, b, s, first, n, bounded, mean);
        return;
    }
    const int least = (int)ring[AN_SLIDE_OTHER], most = (int)ring[AN_SLIDE_OTHER_LAST];
    double down[AN_SLIDE_WORDS] = {0}, here[AN_SLIDE_WORDS] = {0}, up[AN_SLIDE_WORDS] = {0};
    AN_FN(an_slide_around)(map, d, set, a, b, s, first, n, bounded, here);
    if (donor > least)
        AN_FN(an_slide_around)
    (map, d - AN_SLIDE_RING, set, a, b, s, first, n, bounded, down);
    for (int w = 0; w < n; w++)
        mean[w] = 0;
    for (int k = donor; k <= last; k++, d += AN_SLIDE_RING) {
        const double h = d[AN_SLIDE_HIGH] - d[AN_SLIDE_LOW];
        const double below = k > least ? d[AN_SLIDE_LOW] - (d - AN_SLIDE_RING)[AN_SLIDE_LOW] : 0;
        const double above = k < most ? (d + AN_SLIDE_RING)[AN_SLIDE_HIGH] - d[AN_SLIDE_HIGH] : 0;
        const double from = fmax(low, d[AN_SLIDE_LOW]), to = fmin(high, d[AN_SLIDE_HIGH]);
        const double x1 = (from - d[AN_SLIDE_LOW]) / h - 0.5, x2 = (to - d[AN_SLIDE_LOW]) / h - 0.5;
        struct an_slide_weight weight = {x2 - x1, 0, 0};
        if (k < most)
            AN_FN(an_slide_around)
        (map, d + AN_SLIDE_RING, set, a, b, s, first, n, bounded, up);
        if (k > least && k < most) {
            weight = an_slide_weigh(below, h, above, x1, x2);
        } else { /* at hub and casing: a straight line */
            const double m1 = 0.5 * (x2 - x1) * (x2 + x1) * h;
            weight.up = k < most ? 2 * m1 / (h + above) : 0;
            weight.down = k > least ? 2 * m1 / (below + h) : 0;
        }
        for (int w = 0; w < n; w++) {
            const double v = here[w];
            const double over = k < most ? up[w] - v : 0, under = k > least ? v - down[w] : 0;
            mean[w] += h * (weight.here * v + weight.up * over + weight.down * under);
            down[w] = v;
            here[w] = k < most ? up[w] : v;
        }
    }
    for (int w = 0; w < n; w++)
        mean[w] /= high - low;
}

/* The same of present values: q, `words` words a face. */
AN_INLINE void AN_FN(an_slide_mean)(const double *map, int64_t face, int set, const double *turn,
                                    const real *q, int words, int first, int n, int bounded,
                                    double *mean)
{
    const struct AN_FN(an_slide_source) source = {q, words, NULL, NULL, 0};
    AN_FN(an_slide_mean_of)(map, face, set, turn, &source, first, n, bounded, mean);
}
#endif

#endif
