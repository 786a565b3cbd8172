// Zones of the solid: an O round each hole, from the hole (j = 0) to the border of its share; a massive share between two
// cuts is one zone, and a massive end is a core with a skin under the surface:
//
//     ____________________        The border of a share is numbered clockwise, cut by cut and arc by arc. Spans say which
//    | skin               \       zone has its nodes, so that the interfaces along a cut follow from the borders on both
//    |_______________      |      sides of it.
//    |     core      |     |
//    |_______________|     |
//    |____________________/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solid.h"

enum { ROWS = 8, MOST_ROWS = 48 }; // of an O
#define CLUSTER 0.35               // 0: even rows; below 1

// The border's nodes as they are at first; x[border.n + 1].
static void border_points(const struct solid *s, int k, struct vec2 *x)
{
    const struct share *a = &s->c->share[k];
    for (int l = 0; l < a->nside; l++) {
        const struct share_side *side = &a->side[l];
        for (int i = 0; i <= side->n; i++)
            if (side->cut < 0) {
                x[i] = curve_point(s->c->curve, side->s[i]);
            } else {
                const struct vec2 p = s->c->node[side->node[0]].at;
                x[i] = axpy((double)i / side->n, sub(s->c->node[side->node[1]].at, p), p);
            }
        x += side->n;
    }
}

static int add_zone(struct mesh *m, const char *kind, const char *name, int ni, int nj)
{
    char text[64];
    snprintf(text, sizeof text, "%s_%s", kind, name);
    if (m->nz == MAX_ZONES)
        return EXIT_FAILED;
    return zone_new(&m->z[m->nz++], text, ni, nj);
}

static void add_link(struct mesh *m, int za, int zb, const int p[8])
{
    m->link[m->nlink++] =
        (struct link){za, zb, {p[0], p[1]}, {p[2], p[3]}, {p[4], p[5]}, {p[6], p[7]}, 0};
}

// Even rows, a little finer at both ends.
static double row(double t)
{
    return t - CLUSTER * sin(2 * M_PI * t) / (2 * M_PI);
}

static int make_o(struct solid *s, int k, const struct vec2 *x)
{
    struct mesh *m = s->m;
    const struct share *a = &s->c->share[k];
    const struct hole *hole = &s->h->hole[a->hole];
    const int n = s->border[k].n;
    double far = 0;
    for (int i = 0; i < n; i++)
        far += (norm(sub(x[i], a->at)) - hole->radius) / n;
    const int rows = solid_units(far / s->size);
    const int nj = rows < ROWS ? ROWS : rows > MOST_ROWS ? MOST_ROWS : rows, z = m->nz;
    if (add_zone(m, "around", hole->name, n + 1, nj + 1))
        return EXIT_FAILED;
    const struct vec2 first = sub(x[0], a->at);
    double angle = atan2(first.y, first.x), even = angle;
    for (int i = 0; i <= n; i++) {
        const double theta = i == n ? even : 0.5 * (angle + even);
        const struct vec2 wall = hole_point(hole, theta);
        for (int j = 0; j <= nj; j++)
            m->z[z].x[j * (n + 1) + i] = axpy(row((double)j / nj), sub(x[i], wall), wall);
        if (i < n) {
            const struct vec2 p = sub(x[i], a->at), q = sub(x[i + 1], a->at);
            angle += atan2(cross(p, q), dot(p, q));
            even -= 2 * M_PI / n;
        }
    }
    for (int j = 0; j <= nj; j++)
        m->z[z].x[j * (n + 1) + n] = m->z[z].x[j * (n + 1)];
    s->border[k].span[s->border[k].nspan++] = (struct span){0, n, z, {0, nj}, {1, 0}};
    add_link(m, z, z, (int[8]){0, 0, 0, nj, n, 0, n, nj});
    m->patch[m->npatch++] = (struct patch){hole->name, z, FACE_JMIN, 0, 0};
    return EXIT_DONE;
}

// Transfinite interpolation from the nodes on the zone's faces.
static void fill(struct zone *z)
{
    const int ni = z->ni, nj = z->nj;
    struct vec2 *x = z->x;
    for (int j = 1; j < nj - 1; j++)
        for (int i = 1; i < ni - 1; i++) {
            const double u = (double)i / (ni - 1), v = (double)j / (nj - 1);
            const struct vec2 across = axpy(u, x[j * ni + ni - 1], scale(1 - u, x[j * ni])),
                              up = axpy(v, x[(nj - 1) * ni + i], scale(1 - v, x[i])),
                              low = axpy(u, x[ni - 1], scale(1 - u, x[0])),
                              high = axpy(u, x[nj * ni - 1], scale(1 - u, x[(nj - 1) * ni]));
            x[j * ni + i] = sub(add(across, up), axpy(v, high, scale(1 - v, low)));
        }
}

// Between two cuts.
static int make_gap(struct solid *s, int k, const struct vec2 *x)
{
    const struct share *a = &s->c->share[k];
    const int arc = share_first_arc(a), z = s->m->nz, ni = a->side[arc].n;
    int nj = 0;
    char name[16];
    for (int l = 0; l < arc; l++)
        nj += a->side[l].n;
    snprintf(name, sizeof name, "%d", k - s->h->n + 1);
    if (add_zone(s->m, "solid_gap", name, ni + 1, nj + 1))
        return EXIT_FAILED;
    struct span *to = s->border[k].span;
    to[0] = (struct span){0, nj, z, {0, 0}, {0, 1}};
    to[1] = (struct span){nj, ni, z, {0, nj}, {1, 0}};
    to[2] = (struct span){nj + ni, nj, z, {ni, nj}, {0, -1}};
    to[3] = (struct span){2 * nj + ni, ni, z, {ni, 0}, {-1, 0}};
    s->border[k].nspan = 4;
    border_put(s, k, x);
    fill(&s->m->z[z]);
    return EXIT_DONE;
}

// The line between core and skin, before it is smoothed; line[2 along + across + 1], surface of as many.
static void skin_line(struct vec2 *line, const struct vec2 *surface, int along, int across)
{
    const int last = 2 * along + across;
    const double part = (double)SOLID_SKIN / (2 * SOLID_SKIN + across);
    for (int i = 0; i <= along; i++) {
        const struct vec2 a = surface[i], b = surface[last - i];
        line[i] = axpy(part, sub(b, a), a);
        line[last - i] = axpy(part, sub(a, b), b);
    }
    for (int i = 1; i < across; i++)
        line[along + i] =
            axpy((double)i / across, sub(line[along + across], line[along]), line[along]);
}

// A massive end.
static int make_end(struct solid *s, int k, const struct vec2 *x)
{
    struct mesh *m = s->m;
    const struct share *a = &s->c->share[k];
    const int n = a->side[a->nside - 1].n, across = s->core[k], along = (n - across) / 2,
              core = m->nz, skin = core + 1;
    char name[16];
    snprintf(name, sizeof name, "%d", k - s->h->n + 1);
    if (add_zone(m, "solid_core", name, along + 1, across + 1) ||
        add_zone(m, "solid_skin", name, n + 1, SOLID_SKIN + 1))
        return EXIT_FAILED;
    const struct vec2 *surface = x + s->border[k].n - n;
    struct vec2 *line = m->z[skin].x;
    skin_line(line, surface, along, across);
    for (int i = 0; i <= n; i++)
        for (int j = 1; j <= SOLID_SKIN; j++)
            line[j * (n + 1) + i] = axpy((double)j / SOLID_SKIN, sub(surface[i], line[i]), line[i]);
    struct zone *z = &m->z[core];
    for (int i = 0; i <= along; i++) {
        z->x[across * (along + 1) + i] = line[i];
        z->x[i] = line[n - i];
    }
    for (int j = 0; j <= across; j++)
        z->x[j * (along + 1) + along] = line[along + across - j];
    const struct span span[4] = {{0, SOLID_SKIN, skin, {n, SOLID_SKIN}, {0, -1}},
                                 {SOLID_SKIN, across, core, {0, 0}, {0, 1}},
                                 {SOLID_SKIN + across, SOLID_SKIN, skin, {0, 0}, {0, 1}},
                                 {2 * SOLID_SKIN + across, n, skin, {0, SOLID_SKIN}, {1, 0}}};
    memcpy(s->border[k].span, span, sizeof span);
    s->border[k].nspan = 4;
    border_put(s, k, x);
    fill(z);
    add_link(m, core, skin, (int[8]){0, across, along, across, 0, 0, along, 0});
    add_link(m, core, skin, (int[8]){along, across, along, 0, along, 0, along + across, 0});
    add_link(m, core, skin, (int[8]){along, 0, 0, 0, along + across, 0, n, 0});
    return EXIT_DONE;
}

int solid_zones(struct solid *s)
{
    int rc = EXIT_DONE;
    for (int k = 0; k < s->c->nshare && !rc; k++) {
        const struct share *a = &s->c->share[k];
        int n = 0;
        for (int l = 0; l < a->nside; l++)
            n += a->side[l].n;
        struct vec2 *x = malloc(((size_t)n + 1) * sizeof *x);
        if (!x)
            return EXIT_FAILED;
        s->border[k].n = n;
        s->zone[k] = s->m->nz;
        border_points(s, k, x);
        rc = a->hole >= 0 ? make_o(s, k, x) : a->narc == 2 ? make_gap(s, k, x) : make_end(s, k, x);
        free(x);
    }
    return rc;
}
