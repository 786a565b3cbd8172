// Borders of shares: which zones have their nodes, the interfaces along the cuts between them, the patches on the surface.
#include <math.h>

#include "solid.h"

static struct vec2 *node_at(const struct mesh *m, const struct span *p, int k)
{
    const struct zone *z = &m->z[p->z];
    return &z->x[(p->from[1] + k * p->step[1]) * z->ni + p->from[0] + k * p->step[0]];
}

void border_put(const struct solid *s, int k, const struct vec2 *x)
{
    for (int l = 0; l < s->border[k].nspan; l++)
        for (int i = 0; i <= s->border[k].span[l].n; i++)
            *node_at(s->m, &s->border[k].span[l], i) = x[s->border[k].span[l].q + i];
}

// The span of a border that holds its cell q.
const struct span *border_span(const struct border *b, int q)
{
    int l = 0;
    while (l < b->nspan - 1 && q >= b->span[l + 1].q)
        l++;
    return &b->span[l];
}

// Zone and node of the border's node q on a span.
void border_node(const struct span *p, int q, int at[2])
{
    for (int d = 0; d < 2; d++)
        at[d] = p->from[d] + (q - p->q) * p->step[d];
}

void seams_of(const struct solid *s, int cut, struct seam seam[2])
{
    const struct shares *c = s->c;
    for (int e = 0; e < 2; e++) {
        const int k = c->cut[cut].share[e];
        const struct share *a = &c->share[k];
        int q = 0;
        seam[e].n = 0;
        for (int l = 0; l < a->nside; q += a->side[l++].n)
            if (a->side[l].cut == cut) {
                const int first = shares_node(c, c->cut[cut].node[0]);
                seam[e] = (struct seam){k, q, a->side[l].n, a->side[l].node[0] == first};
            }
    }
}

// Cell t of the cut on one side of it: its span and its cell on the border.
const struct span *seam_span(const struct solid *s, const struct seam *a, int t)
{
    return border_span(&s->border[a->share], a->on ? a->q + t : a->q + a->n - 1 - t);
}

void seam_node(const struct span *p, const struct seam *a, int t, int at[2])
{
    border_node(p, a->on ? a->q + t : a->q + a->n - t, at);
}

void solid_link_cuts(struct solid *s)
{
    struct mesh *m = s->m;
    for (int cut = 0; cut < s->c->ncut; cut++) {
        struct seam a[2];
        seams_of(s, cut, a);
        for (int t = 0, end; t < a[0].n; t = end) {
            const struct span *p = seam_span(s, &a[0], t), *q = seam_span(s, &a[1], t);
            for (end = t + 1;
                 end < a[0].n && seam_span(s, &a[0], end) == p && seam_span(s, &a[1], end) == q;)
                end++;
            struct link *l = &m->link[m->nlink++];
            *l = (struct link){.za = p->z, .zb = q->z};
            seam_node(p, &a[0], t, l->a0);
            seam_node(p, &a[0], end, l->a1);
            seam_node(q, &a[1], t, l->b0);
            seam_node(q, &a[1], end, l->b1);
        }
    }
}

void solid_patch_arcs(struct solid *s)
{
    struct mesh *m = s->m;
    for (int k = 0; k < s->c->nshare; k++) {
        const struct share *a = &s->c->share[k];
        for (int l = 0, q = 0; l < a->nside; q += a->side[l++].n)
            if (a->side[l].cut < 0) {
                const struct span *p = border_span(&s->border[k], q);
                int from[2], to[2];
                border_node(p, q, from);
                border_node(p, q + a->side[l].n, to);
                const int along = from[0] == to[0], across = !along;
                m->patch[m->npatch++] =
                    (struct patch){"blade_metal", p->z, 2 * across + (from[across] > 0),
                                   from[along] < to[along] ? from[along] : to[along],
                                   from[along] < to[along] ? to[along] : from[along]};
            }
    }
}
