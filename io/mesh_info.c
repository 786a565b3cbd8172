/* The report of `annulus info`. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "io/mesh.h"
#include "io/screen.h"
#include "kernels/base/units.h"

static void print_window(FILE *out, const struct an_topology *t, const struct an_window *w)
{
    fprintf(out, "%s %s", t->block[w->block].name, an_face_name(w->dir, w->side));
    for (int a = 0; a < 3; a++)
        if (a != w->dir && (w->lo[a] != 0 || w->hi[a] != t->block[w->block].n[a]))
            fprintf(out, " %c %d..%d", "ijk"[a], w -> lo[a], w -> hi[a]);
}

static void write_interface(FILE *out, const struct an_topology *t, const struct an_interface *f)
{
    struct an_interface mirror = an_interface_mirror(f);
    const struct an_cellmap *m = &f->map;
    fprintf(out, "  %-24s ", f->name);
    print_window(out, t, &f->window);
    fprintf(out, " -> ");
    print_window(out, t, &mirror.window);
    fprintf(out, "  transform [%d,%d,%d]", m->sign[0] * (m->perm[0] + 1),
            m->sign[1] * (m->perm[1] + 1), m->sign[2] * (m->perm[2] + 1));
    if (f->periodic == 1)
        fprintf(out, "  periodic, shift (%g, %g, %g) m", 0. - f->translation[0],
                0. - f->translation[1], 0. - f->translation[2]);
    if (f->periodic == 2) {
        double angle = -atan2(f->rotation[7], f->rotation[4]), parts = 2. * acos(-1.) / fabs(angle);
        fprintf(out, "  periodic, %.9g degrees about x", angle * 180. / acos(-1.));
        if (fabs(parts - round(parts)) < 1e-9 * parts)
            fprintf(out, " (1/%.0f of the circle)", round(parts));
    }
    fputs(f->partner < 0 ? "  NO OTHER SIDE" : "", out);
}

static void print_interface(FILE *out, const struct an_topology *t, const struct an_interface *f)
{
    char *text = NULL;
    size_t size;
    FILE *line = open_memstream(&text, &size);
    if (line) {
        write_interface(line, t, f);
        fclose(line);
        an_screen_line(out, 27, "%s", text);
    }
    free(text);
}

static int64_t window_cells(const struct an_window *w)
{
    int64_t cells = 1;
    for (int a = 0; a < 3; a++)
        cells *= a == w->dir ? 1 : w->hi[a] - w->lo[a];
    return cells;
}

static void print_coverage(FILE *out, const struct an_topology *t)
{
    int64_t patches = 0, joined = 0, all = 0;
    for (int p = 0; p < t->npatch; p++)
        patches += window_cells(&t->patch[p].window);
    for (int f = 0; f < t->ninterface; f++)
        joined += window_cells(&t->interface[f].window);
    for (int b = 0; b < t->nblock; b++) {
        const int64_t n[3] = {t->block[b].n[0], t->block[b].n[1], t->block[b].n[2]};
        all += 2 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
    }
    fprintf(out,
            "face cells: %" PRId64 ", of these %" PRId64 " on boundaries, %" PRId64
            " on interfaces, %" PRId64 " left over\n",
            all, patches, joined, all - patches - joined);
}

/* "0.01 m", and whether all zones have that unit. */
static void print_unit(FILE *out, const struct an_mesh *m)
{
    int same = 1;
    for (int z = 0; m->scale && z < m->topology.nblock; z++)
        for (int a = 0; a < m->physical_dim; a++)
            same &= m->scale[z].factor[a] == m->to_metres;
    fprintf(out, "length unit: %g m%s; topology hash %016" PRIx64 "\n", m->to_metres,
            same ? "" : " in the first zone, another one elsewhere", m->hash);
}

static void print_zone(FILE *out, const struct an_zone *z)
{
    fprintf(out, "  %-32s %d x %d x %d", z->name, z->n[0], z->n[1], z->n[2]);
    if (z->rotates)
        fprintf(out, ", turns at %.6g rad/s (%.6g rpm)", z->omega, z->omega / AN_RPM);
    fprintf(out, "\n");
}

void an_mesh_info(const struct an_mesh *m, FILE *out)
{
    const struct an_topology *t = &m->topology;
    an_screen_line(out, 2, "mesh %s, base '%s', %s, %d zones, %" PRId64 " cells", m->file,
                   m->base_name, m->dimension == 2 ? "2-D (one cell of 1 m span)" : "3-D",
                   t->nblock, an_topology_cells(t));
    print_unit(out, m);
    fprintf(out, "zones (cells):\n");
    for (int b = 0; b < t->nblock; b++)
        print_zone(out, &t->block[b]);
    fprintf(out, "interfaces: %d, each side counted\n", t->ninterface);
    for (int f = 0; f < t->ninterface; f++)
        print_interface(out, t, &t->interface[f]);
    fprintf(out, "boundaries: %d\n", t->nboundary);
    for (int n = 0; n < t->nboundary; n++) {
        const struct an_boundary *q = &t->boundary[n];
        const int mixing = q->type == AN_BC_MIXING_PLANE, abutting = q->type == AN_BC_ABUTTING;
        fprintf(out, "  %-32s %s%s", q->name,
                q->type == AN_BC_NONE ? "type left to the case file"
                : mixing              ? "mixing plane with "
                : abutting            ? "abutting "
                                      : an_bc_type_name(q->type),
                mixing || abutting ? q->with : "");
        if (abutting && q->periodic == 1)
            fprintf(out, ", periodic, shift (%g, %g, %g) m", 0. - q->translation[0],
                    0. - q->translation[1], 0. - q->translation[2]);
        if (abutting && q->periodic == 2)
            fprintf(out, ", periodic, %.9g degrees about x",
                    -atan2(q->rotation[7], q->rotation[4]) * 180. / acos(-1.));
        fprintf(out, "\n");
        for (int p = 0; p < t->npatch; p++) {
            if (t->patch[p].boundary != n)
                continue;
            fprintf(out, "    ");
            print_window(out, t, &t->patch[p].window);
            fprintf(out, "\n");
        }
    }
    print_coverage(out, t);
}
