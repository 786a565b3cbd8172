// Blocks of a mesh in space, their interfaces and boundaries.
#include "row.h"

#include <math.h>
#include <stdlib.h>

int grid_block(struct grid *g, const char *name, const struct zone *z, int level, int layers)
{
    struct block *b = &g->block[g->nblock++];
    *b = (struct block){.n = {z->ni, z->nj, layers + 1}, .level = level};
    snprintf(b->name, sizeof b->name, "%s", name);
    const size_t total = (size_t)z->ni * (size_t)z->nj * ((size_t)layers + 1);
    b->x[0] = malloc(3 * total * sizeof *b->x[0]);
    AN_CHECK(b->x[0], AN_FAIL, "out of memory");
    b->x[1] = b->x[0] + total;
    b->x[2] = b->x[1] + total;
    return AN_OK;
}

void grid_place(const struct block *b, int k, const struct zone *z, const struct layer *l,
                const struct meridian *m)
{
    const size_t plane = (size_t)b->n[0] * (size_t)b->n[1], at = plane * (size_t)k;
    for (size_t i = 0; i < plane; i++) {
        const double u = layer_u(l, z->x[i].x), theta = -z->x[i].y;
        const struct point p = meridian_point(m, u, layer_v(l, u));
        b->x[0][at + i] = p.x;
        b->x[1][at + i] = p.r * cos(theta);
        b->x[2][at + i] = p.r * sin(theta);
    }
}

// Direction of a line's travel in the plane, +-1 (i) or +-2 (j), and on which side of the zone it
// lies: + when the zone's cells lie towards larger indices.
static void line_axes(const struct zone *z, const int p0[2], const int p1[2], int *along,
                      int *across)
{
    const int d = p0[0] == p1[0] ? 1 : 0, c = 1 - d, last = c == 0 ? z->ni - 1 : z->nj - 1;
    *along = (p1[d] > p0[d] ? 1 : -1) * (d + 1);
    *across = (p0[c] == last ? -1 : 1) * (c + 1);
}

static int sign(int v)
{
    return v < 0 ? -1 : 1;
}

void grid_join(struct grid *g, const struct line_end *a, const struct line_end *b, int layers,
               int turn)
{
    for (int back = 0; back < 2; back++) {
        const struct line_end *here = back ? b : a, *there = back ? a : b;
        const bool flip = here->p[0][0] > here->p[1][0] || here->p[0][1] > here->p[1][1];
        const int *lo = here->p[flip], *hi = here->p[!flip], *from = there->p[flip],
                  *to = there->p[!flip];
        int da, ca, db, cb;
        line_axes(here->z, lo, hi, &da, &ca);
        line_axes(there->z, from, to, &db, &cb);
        struct joint *j = &g->joint[g->njoint++];
        *j = (struct joint){.zone = here->block,
                            .donor = there->block,
                            .lo = {lo[0], lo[1], here->k},
                            .hi = {hi[0], hi[1], here->k + layers},
                            .from = {from[0], from[1], there->k},
                            .to = {to[0], to[1], there->k + layers},
                            .transform = {0, 0, 3},
                            .turn = back ? -turn : turn};
        // travelling along a means travelling along b; leaving a across the face means entering b
        j->transform[abs(da) - 1] = sign(da) * db;
        j->transform[abs(ca) - 1] = -sign(ca) * cb;
    }
}

void grid_join_plane(struct grid *g, const struct mesh *m, int first_zone, int layers)
{
    for (int l = 0; l < m->nlink; l++) {
        const struct link *c = &m->link[l];
        // y = -theta: a pitch up in the plane is a turn of -1
        grid_join(g, &(struct line_end){first_zone + c->za, 0, &m->z[c->za], {c->a0, c->a1}},
                  &(struct line_end){first_zone + c->zb, 0, &m->z[c->zb], {c->b0, c->b1}}, layers,
                  -c->shift);
    }
}

struct face *grid_patch(struct grid *g, const char *family, int block, int direction, int high,
                        int k0, int k1)
{
    const int *n = g->block[block].n;
    struct face *f = &g->face[g->nface++];
    *f = (struct face){family, block, {0, 0, k0}, {n[0] - 1, n[1] - 1, k1}};
    f->lo[direction] = f->hi[direction] = high ? n[direction] - 1 : 0;
    return f;
}

void grid_turn(const struct grid *g, double angle)
{
    const double c = cos(angle), s = sin(angle);
    for (int z = 0; z < g->nblock; z++) {
        const struct block *b = &g->block[z];
        const size_t n = (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2];
        for (size_t i = 0; i < n; i++) {
            const double y = b->x[1][i], w = b->x[2][i];
            b->x[1][i] = c * y - s * w;
            b->x[2][i] = s * y + c * w;
        }
    }
}

void grid_drop(struct grid *g)
{
    for (int b = 0; b < g->nblock; b++)
        free(g->block[b].x[0]);
    g->nblock = 0;
}
