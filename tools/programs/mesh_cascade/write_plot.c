// Plain text for plotting: per zone "# name ni nj", then x y of every node, i fastest; a blank line
// after each row and two after each zone (gnuplot: plot 'file' with lines).
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mesh.h"

static void write_zones(FILE *f, const struct mesh *m)
{
    for (int k = 0; k < m->nz; k++) {
        const struct zone *z = &m->z[k];
        fprintf(f, "# %s %d %d\n", z->name, z->ni, z->nj);
        for (int j = 0; j < z->nj; j++) {
            for (int i = 0; i < z->ni; i++)
                fprintf(f, "%.17g %.17g\n", z->x[j * z->ni + i].x, z->x[j * z->ni + i].y);
            fprintf(f, "\n");
        }
        fprintf(f, "\n");
    }
}

int write_plot(const char *path, const struct mesh *m, const struct mesh *solid)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        return EXIT_FAILED;
    }
    write_zones(f, m);
    if (solid)
        write_zones(f, solid);
    const int bad = ferror(f);
    if (fclose(f) || bad) {
        fprintf(stderr, "%s: error: cannot write\n", path);
        remove(path);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}
