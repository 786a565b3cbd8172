// The worst corner of a plane mesh, by which meshes are chosen and refused.
#include <math.h>
#include <stdlib.h>

#include "mesh.h"

void mesh_worst(struct worst *w, const struct mesh *m)
{
    *w = (struct worst){.angle = M_PI};
    for (int k = 0; k < m->nz; k++) {
        const struct zone *z = &m->z[k];
        for (int j = 0; j < z->nj - 1; j++)
            for (int i = 0; i < z->ni - 1; i++) {
                const struct vec2 *o = &z->x[j * z->ni + i];
                const struct vec2 x[4] = {o[0], o[1], o[z->ni + 1], o[z->ni]};
                bool folded = false;
                for (int c = 0; c < 4; c++) {
                    const struct vec2 a = sub(x[(c + 1) % 4], x[c]), b = sub(x[(c + 3) % 4], x[c]);
                    const double angle = atan2(cross(a, b), dot(a, b));
                    folded = folded || !(angle > 0);
                    if (!(angle >= w->angle))
                        *w = (struct worst){angle, k, i, j, w->folded, x[c]};
                }
                w->folded += folded;
            }
    }
}

static double smallest_angle(const struct zone *z, int i, int j)
{
    const struct vec2 *o = &z->x[j * z->ni + i];
    const struct vec2 x[4] = {o[0], o[1], o[z->ni + 1], o[z->ni]};
    double least = M_PI;
    for (int c = 0; c < 4; c++) {
        const struct vec2 a = sub(x[(c + 1) % 4], x[c]), b = sub(x[(c + 3) % 4], x[c]);
        least = fmin(least, atan2(cross(a, b), dot(a, b)));
    }
    return least;
}

static void yield(double *want, struct vec2 a, struct vec2 b, double part)
{
    if (part > 0)
        *want = pow(*want, 1 - part) * pow(norm(sub(b, a)), part);
}

static void zone_give_way(struct zone *z, const double *part)
{
    const int ni = z->ni, nj = z->nj, ci = ni - 1;
    for (int j = 0; j < nj; j++)
        for (int i = 0; i < ni; i++) {
            const struct vec2 *x = &z->x[j * ni + i];
            if (i < ni - 1)
                yield(&z->li[j * ci + i], x[0], x[1],
                      fmax(j > 0 ? part[(j - 1) * ci + i] : 0, j < nj - 1 ? part[j * ci + i] : 0));
            if (j < nj - 1)
                yield(&z->lj[j * ni + i], x[0], x[ni],
                      fmax(i > 0 ? part[j * ci + i - 1] : 0, i < ni - 1 ? part[j * ci + i] : 0));
        }
}

int worst_give_way(struct mesh *m, double low, double high)
{
    for (int k = 0; k < m->nz; k++) {
        struct zone *z = &m->z[k];
        double *part = malloc((size_t)(z->ni - 1) * (size_t)(z->nj - 1) * sizeof *part);
        if (!part)
            return EXIT_FAILED;
        for (int j = 0; j < z->nj - 1; j++)
            for (int i = 0; i < z->ni - 1; i++)
                part[j * (z->ni - 1) + i] =
                    fmax(0, fmin(1, (high - smallest_angle(z, i, j)) / (high - low)));
        zone_give_way(z, part);
        free(part);
    }
    return EXIT_DONE;
}
