#include "solver/app/init_planes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Least and largest x and r, m. */
struct extent {
    double low[2], high[2];
};

static int add_patch(const struct an_mesh *m, const struct an_window *w, struct extent *e)
{
    int lo[3], hi[3];
    size_t count = 1;
    for (int d = 0; d < 3; d++) {
        lo[d] = d == w->dir ? (w->side ? m->topology.block[w->block].n[d] : 0) : w->lo[d];
        hi[d] = d == w->dir ? lo[d] + 1 : w->hi[d] + 1;
        count *= (size_t)(hi[d] - lo[d]);
    }
    double *x = malloc(3 * count * sizeof *x);
    AN_CHECK(x, AN_FAIL, "out of memory for the nodes of a boundary");
    const int status = an_mesh_read_nodes(m, w->block, lo, hi, x);
    for (size_t n = 0; status == AN_OK && n < count; n++) {
        const double place[2] = {x[n], hypot(x[count + n], x[2 * count + n])};
        for (int c = 0; c < 2; c++) {
            e->low[c] = fmin(e->low[c], place[c]);
            e->high[c] = fmax(e->high[c], place[c]);
        }
    }
    free(x);
    return status;
}

static int extent_of(const struct an_mesh *m, int boundary, struct extent *e)
{
    *e = (struct extent){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int p = 0; p < m->topology.npatch; p++)
        if (m->topology.patch[p].boundary == boundary)
            AN_TRY(add_patch(m, &m->topology.patch[p].window, e));
    return AN_OK;
}

static int same_place(const struct extent *a, const struct extent *b)
{
    const double size = hypot(a->high[0] - a->low[0], a->high[1] - a->low[1]);
    double apart = 0;
    for (int c = 0; c < 2; c++)
        apart = fmax(apart, fmax(fabs(a->low[c] - b->low[c]), fabs(a->high[c] - b->high[c])));
    return apart <= 0.01 * size;
}

int an_init_row_of(const struct an_topology *t, const int *rows, int boundary)
{
    for (int p = 0; p < t->npatch; p++)
        if (t->patch[p].boundary == boundary)
            return rows[t->patch[p].window.block];
    return -1;
}

int an_init_partner(const struct an_mesh *m, const int *rows, const enum an_bc_type *types,
                    int boundary, int *partner)
{
    const struct an_topology *t = &m->topology;
    const enum an_bc_type type = types[boundary];
    *partner = -1;
    if (type != AN_BC_INLET_TOTAL && type != AN_BC_OUTLET_STATIC && type != AN_BC_NONE)
        return AN_OK;
    const enum an_bc_type wanted = type == AN_BC_NONE          ? AN_BC_NONE
                                   : type == AN_BC_INLET_TOTAL ? AN_BC_OUTLET_STATIC
                                                               : AN_BC_INLET_TOTAL;
    struct extent mine, other;
    AN_TRY(extent_of(m, boundary, &mine));
    for (int n = 0; n < t->nboundary && *partner < 0; n++) {
        if (types[n] != wanted || an_init_row_of(t, rows, n) == an_init_row_of(t, rows, boundary))
            continue;
        AN_TRY(extent_of(m, n, &other));
        if (same_place(&mine, &other))
            *partner = n;
    }
    return AN_OK;
}

/* Does flow enter the machine through the boundary? */
static int is_inlet(const enum an_bc_type *types, const int *partners, int n)
{
    return partners[n] < 0 && (types[n] == AN_BC_INLET_TOTAL || types[n] == AN_BC_INLET_SUPERSONIC);
}

/* Appends a row that is not in order [count] yet; returns the new count. */
static int append(int row, int *order, int count)
{
    for (int n = 0; n < count; n++)
        if (order[n] == row)
            return count;
    order[count] = row;
    return row < 0 ? count : count + 1;
}

int an_init_order(const struct an_topology *t, const int *rows, const enum an_bc_type *types,
                  const int *partners, int *order)
{
    int count = 0;
    for (int n = 0; n < t->nboundary; n++)
        if (is_inlet(types, partners, n))
            count = append(an_init_row_of(t, rows, n), order, count);
    for (int b = 0, done = 0; b <= t->nblock; b++) {
        for (; done < count; done++)
            for (int n = 0; n < t->nboundary; n++) {
                const int other =
                    partners[n] >= 0 ? partners[n] : an_boundary_find(t, t->boundary[n].with);
                if (other >= 0 && an_init_row_of(t, rows, n) == order[done])
                    count = append(an_init_row_of(t, rows, other), order, count);
            }
        if (b < t->nblock) /* what no plane has reached */
            count = append(rows[b], order, count);
    }
    return count;
}

int an_init_passages(const struct an_topology *t, const int *rows, int row)
{
    int most = 1;
    for (int b = 0; b < t->nblock; b++) {
        const char *end = strrchr(t->block[b].name, '_');
        if (rows[b] != row || !end || end[1] != 'p')
            continue;
        char *rest;
        const long number = strtol(end + 2, &rest, 10);
        if (rest != end + 2 && !*rest && number > most && number < 1000000)
            most = (int)number;
    }
    return most;
}
