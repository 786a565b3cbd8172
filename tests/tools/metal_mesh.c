#include "metal_mesh.h"

#include <math.h>
#include <string.h>

struct vec3 in_space(double x, double r, double theta)
{
    return (struct vec3){{x, r * cos(theta), r * sin(theta)}};
}

double inner(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Distance of a point from the wall of the tube.
static double off_tube(const struct tube *t, const double x[3])
{
    const double d[3] = {x[0] - t->from.x[0], x[1] - t->from.x[1], x[2] - t->from.x[2]},
                 part = inner(d, t->way.x) / inner(t->way.x, t->way.x);
    const double off = sqrt(fmax(0, inner(d, d) - part * inner(d, t->way.x)));
    return fabs(off - (t->radius[0] + part * (t->radius[1] - t->radius[0])));
}

void take_off_tube(void *of, const double *x)
{
    struct on_tube *t = of;
    t->off = fmax(t->off, off_tube(&t->tube, x));
}

static void node_at(const struct zone *z, cgsize_t i, cgsize_t j, cgsize_t k, double x[3])
{
    const size_t p = at(z, (cgsize_t[3]){i, j, k});
    for (int d = 0; d < 3; d++)
        x[d] = z->x[d][p];
}

static double triple(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Mean volume of a cell's corners; the least one must be positive.
static double cell_volume(const struct zone *z, cgsize_t i, cgsize_t j, cgsize_t k)
{
    double x[8][3], sum = 0;
    for (int c = 0; c < 8; c++)
        node_at(z, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2), x[c]);
    for (int c = 0; c < 8; c++) {
        double e[3][3];
        for (int d = 0; d < 3; d++)
            for (int q = 0; q < 3; q++)
                e[d][q] = (c >> d & 1 ? -1 : 1) * (x[c ^ 1 << d][q] - x[c][q]);
        const double v = triple(e[0], e[1], e[2]);
        if (!(v > 0))
            fail_msg("zone %s: a corner of cell %d %d %d is folded", z->name, (int)i, (int)j,
                     (int)k);
        sum += v;
    }
    return sum / 8;
}

double metal_volume(const struct mesh *m)
{
    double sum = 0;
    for (const struct zone *z = m->z; z < m->z + m->zones; z++)
        for (cgsize_t k = 0; k < z->n[2] - 1; k++)
            for (cgsize_t j = 0; j < z->n[1] - 1; j++)
                for (cgsize_t i = 0; i < z->n[0] - 1; i++)
                    sum += cell_volume(z, i, j, k);
    return sum;
}

int each_node(const struct mesh *m, const char *name, void (*node)(void *, const double *),
              void *of, double *area)
{
    int found = 0;
    *area = 0;
    for (int k = 0; k < m->zones; k++) {
        const struct zone *z = &m->z[k];
        int bocos;
        cg_nbocos(m->file, m->base, k + 1, &bocos);
        for (int l = 1; l <= bocos; l++) {
            char family[33];
            cgsize_t r[6], c[3];
            cg_boco_read(m->file, m->base, k + 1, l, r, NULL);
            cg_goto(m->file, m->base, "Zone_t", k + 1, "ZoneBC_t", 1, "BC_t", l, "end");
            assert_int_equal(cg_famname_read(family), CG_OK);
            if (strcmp(family, name) != 0)
                continue;
            found++;
            int d = 0;
            while (r[d] != r[d + 3])
                d++;
            const int a = (d + 1) % 3, b = (d + 2) % 3;
            for (c[2] = r[2]; c[2] <= r[5]; c[2]++)
                for (c[1] = r[1]; c[1] <= r[4]; c[1]++)
                    for (c[0] = r[0]; c[0] <= r[3]; c[0]++) {
                        double x[4][3], s[3];
                        node_at(z, c[0] - 1, c[1] - 1, c[2] - 1, x[0]);
                        if (node)
                            node(of, x[0]);
                        if (c[a] == r[a + 3] || c[b] == r[b + 3])
                            continue;
                        for (int q = 1; q < 4; q++) {
                            cgsize_t n[3] = {c[0] - 1, c[1] - 1, c[2] - 1};
                            n[a] += q == 1 || q == 2;
                            n[b] += q > 1;
                            node_at(z, n[0], n[1], n[2], x[q]);
                        }
                        for (int e = 0; e < 3; e++) {
                            const int p = (e + 1) % 3, q = (e + 2) % 3;
                            s[e] = 0.5 * ((x[2][p] - x[0][p]) * (x[3][q] - x[1][q]) -
                                          (x[2][q] - x[0][q]) * (x[3][p] - x[1][p]));
                        }
                        *area += sqrt(inner(s, s));
                    }
        }
    }
    return found;
}
