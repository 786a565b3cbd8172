#include "copy.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Where the metal of a row of zones lies. */
struct place {
    double x, r; /* m: mean of its nodes */
    double n;
    double distance; /* m2: square of that of the nearest node of the gas seen so far */
    int gas;         /* zone of this node */
};

/* Calls `of` for the nodes of each zone, x[3][n]. */
static int for_nodes(const struct an_mesh *m,
                     void (*of)(int zone, size_t n, const double *x, void *to), void *to)
{
    for (int z = 0; z < m->topology.nblock; z++) {
        int64_t n;
        double *x;
        AN_TRY(an_mesh_read_zone(m, z, &n, &x));
        of(z, (size_t)n, x, to);
        free(x);
    }
    return AN_OK;
}

struct search {
    const int *row; /* of zones of the metal */
    int nzone;
    struct place *place; /* [nzone]; those of the lowest zones of rows count */
};

static void add_nodes(int zone, size_t n, const double *x, void *search)
{
    struct search *s = search;
    struct place *p = &s->place[s->row[zone]];
    for (size_t i = 0; i < n; i++) {
        p->x += x[i];
        p->r += hypot(x[n + i], x[2 * n + i]);
    }
    p->n += (double)n;
}

static void look_at_nodes(int zone, size_t n, const double *x, void *search)
{
    struct search *s = search;
    for (size_t i = 0; i < n; i++) {
        const double r = hypot(x[n + i], x[2 * n + i]);
        for (int z = 0; z < s->nzone; z++) {
            struct place *p = &s->place[z];
            const double dx = x[i] - p->x, dr = r - p->r, distance = dx * dx + dr * dr;
            if (s->row[z] != z || distance >= p->distance)
                continue;
            p->distance = distance;
            p->gas = zone;
        }
    }
}

/* The zone of the gas beside the metal of each row of its zones: place[].gas. */
static int find_gas(const struct an_mesh *gas, const struct an_mesh *metal, struct search *s)
{
    AN_TRY(for_nodes(metal, add_nodes, s));
    for (int z = 0; z < s->nzone; z++) {
        struct place *p = &s->place[z];
        p->x /= p->n;
        p->r /= p->n;
        p->distance = DBL_MAX;
    }
    return for_nodes(gas, look_at_nodes, s);
}

int copies_metal(const struct an_mesh *gas, const struct copies *of_gas,
                 const struct an_mesh *metal, struct copies *c)
{
    const struct an_topology *t = &metal->topology;
    const size_t zones = (size_t)t->nblock + 1;
    struct search s = {.nzone = t->nblock, .place = calloc(zones, sizeof *s.place)};
    c->row = calloc(zones, sizeof *c->row);
    c->count = calloc(zones, sizeof *c->count);
    c->first = calloc(zones, sizeof *c->first);
    c->pitch = calloc(zones, sizeof *c->pitch);
    int next = 0;
    int status = s.place && c->row && c->count && c->first && c->pitch
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory");
    if (status == AN_OK) {
        an_mesh_rows(t, c->row);
        s.row = c->row;
        status = find_gas(gas, metal, &s);
    }
    for (int z = 0; z < t->nblock && status == AN_OK; z++) {
        const int beside = s.place[c->row[z]].gas;
        c->pitch[z] = of_gas->pitch[beside];
        c->count[z] = of_gas->count[beside];
        c->first[z] = next;
        next += c->count[z];
    }
    free(s.place);
    return status;
}
