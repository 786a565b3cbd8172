// The solid of mesh_cascade's blade, with its report.
#include <math.h>
#include <stdio.h>

#include "solid.h"

static void print_solid(const struct mesh *m, const struct holes *h, const struct worst *w)
{
    long cells = 0;
    double area = 0;
    for (int k = 0; k < m->nz; k++) {
        const struct zone *z = &m->z[k];
        for (int j = 0; j < z->nj - 1; j++)
            for (int i = 0; i < z->ni - 1; i++) {
                const struct vec2 *x = &z->x[j * z->ni + i];
                area += 0.5 * cross(sub(x[z->ni + 1], x[0]), sub(x[z->ni], x[1]));
                cells++;
            }
    }
    printf("solid                %d holes, %d zones, %ld cells per layer, section %.6g m^2\n", h->n,
           m->nz, cells, area);
    if (h->n)
        printf("thinnest wall        %.3g mm, between %s\n", 1e3 * h->least, h->where);
    printf("smallest angle there %.2f deg (zone %s, cell %d %d, at %.5g %.5g m)\n",
           w->angle * 180 / M_PI, m->z[w->zone].name, w->i, w->j, w->at.x, w->at.y);
}

int solid_build(struct mesh *m, const struct profile *p, const struct holes *h,
                const struct options *o)
{
    static struct shares c;
    static struct solid s;
    const struct solid_cells cells = {p->c.length / (o->around * o->size),
                                      SOLID_TURN / fmax(1, o->size)};
    const int rc = solid_section(&s, m, &c, p, h, &cells);
    shares_free(&c);
    if (rc) {
        fprintf(stderr, "error: no mesh of the solid: %s\n",
                rc == EXIT_MESH ? c.fault : "out of memory");
        blocks_free(m);
        return rc;
    }
    struct worst w;
    mesh_worst(&w, m);
    print_solid(m, h, &w);
    if (w.folded) {
        fprintf(stderr, "error: %ld folded cells in the solid: no mesh written\n", w.folded);
        return EXIT_MESH;
    }
    return EXIT_DONE;
}
