#include "bench/bench_row.h"

#include "io/mesh_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ZONES = 3, BLADES = 60, UP = 0, BLADE = 1, DOWN = 2 };
enum { INLET, OUTLET, HUB, CASING, SIDES, BOUNDARIES };

/* Lengths in m. The flow enters along the axis with AXIAL m/s. */
#define PI     3.14159265358979323846
#define R_HUB  0.3
#define R_CASE 0.4
#define CHORD  0.06
#define RPM    3000.0
#define AXIAL  110.0
#define THICK  0.04
#define FIRST  2e-4 /* first cells at walls, of the distance between the walls */

static const char row_case[] =
    "case: built-in row\n"
    "mesh: %s/row.cgns\n"
    "precision: single\n"
    "gas: {gamma: 1.4, R: 287.0, viscosity: sutherland}\n"
    "turbulence: {model: sa}\n"
    "rows:\n"
    "  row: {zones: [\"*\"], rpm: 3000, blades: 60}\n"
    "march: {mode: steady, iterations: 1}\n"
    "initial: {p: 0.94e5, T: 282, mach: 0.33, direction: [1, 0, 0]}\n"
    "boundaries:\n"
    "  inlet: {type: inlet_total, p0: 101325, T0: 288.15, direction: [1, 0, 0]}\n"
    "  outlet: {type: outlet_static, p: 0.94e5}\n"
    "  hub: {type: wall_viscous}\n"
    "  blade: {type: wall_viscous}\n"
    "  casing: {type: wall_viscous, omega: 0}\n"
    "output: {folder: out, every: 0}\n";

/* A part of n cells in whole eights. */
static int eights(double part, int n)
{
    const int whole = (int)floor(part * n / 8 + 0.5);
    return 8 * (whole > 1 ? whole : 1);
}

/* Ratio of neighbouring cells of which n, from FIRST on, fill a half. */
static double growth(int n)
{
    double low = 1, high = 10;
    for (int sweep = 0; sweep < 100; sweep++) {
        const double mid = 0.5 * (low + high);
        double sum = 0, cell = FIRST;
        for (int m = 0; m < n; m++, cell *= mid)
            sum += cell;
        *(sum < 0.5 ? &low : &high) = mid;
    }
    return low;
}

/* Place of node m of n cells between two walls, 0 to 1. */
static double between(double ratio, int n, int m)
{
    const int half = n / 2, from = m < half ? m : n - m;
    const double part = 0.5 * (pow(ratio, from) - 1) / (pow(ratio, half) - 1);
    return m < half ? part : 1 - part;
}

/* Nodes of a zone; i along the axis, j from hub to casing, k around. */
static double *nodes(int zone, const int n[3])
{
    const size_t all = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
    double *x = malloc(3 * all * sizeof *x);
    const double up = growth(n[1] / 2), around = growth(n[2] / 2), pitch = 2 * PI / BLADES;
    const double turn = -RPM * PI / 30 / AXIAL; /* rad/m, of the relative flow */
    size_t at = 0;
    for (int k = 0; x && k <= n[2]; k++)
        for (int j = 0; j <= n[1]; j++)
            for (int i = 0; i <= n[0]; i++, at++) {
                const double part = (double)i / n[0];
                const double thick = zone == BLADE ? 4 * THICK * part * (1 - part) : 0;
                const double axial = CHORD * (part + zone - 1);
                const double r = R_HUB + (R_CASE - R_HUB) * between(up, n[1], j);
                const double side = thick / 2 + (1 - thick) * between(around, n[2], k);
                const double angle = turn * axial + pitch * (side - 0.5);
                x[at] = axial;
                x[all + at] = r * cos(angle);
                x[2 * all + at] = r * sin(angle);
            }
    return x;
}

static struct an_window face(int zone, const int n[3], int dir, int side)
{
    struct an_window w = {.block = zone, .dir = dir, .side = side};
    for (int a = 0; a < 3; a++)
        w.hi[a] = a == dir ? 0 : n[a];
    return w;
}

struct row {
    struct an_topology t;
    struct an_zone zone[ZONES];
    struct an_boundary boundary[BOUNDARIES];
    struct an_patch patch[2 + 2 * ZONES + 2];
    struct an_interface interface[4 + 4];
};

/* A face joins one of another zone, whose cells are `shift` further on. */
static void join(struct row *w, int zone, int dir, int side, int donor, int shift)
{
    struct an_interface *f = &w->interface[w->t.ninterface];
    *f = (struct an_interface){.window = face(zone, w->zone[zone].n, dir, side),
                               .donor = donor,
                               .donor_dir = dir,
                               .donor_side = !side,
                               .map = {{0, 1, 2}, {1, 1, 1}, {0, 0, 0}},
                               .partner = -1};
    f->map.shift[dir] = shift;
    snprintf(f->name, sizeof f->name, "join%d", w->t.ninterface++);
    if (zone != donor)
        return;
    const double angle = (side ? 1 : -1) * 2 * PI / BLADES, c = cos(angle), s = sin(angle);
    const double rotation[9] = {1, 0, 0, 0, c, -s, 0, s, c};
    f->periodic = 2;
    memcpy(f->rotation, rotation, sizeof rotation);
}

static void close_face(struct row *w, int zone, int dir, int side, int boundary)
{
    w->patch[w->t.npatch++] = (struct an_patch){face(zone, w->zone[zone].n, dir, side), boundary};
}

static void describe(struct row *w, int n)
{
    static const char *const zone[ZONES] = {"1_up", "2_blade", "3_down"};
    static const struct an_boundary boundary[BOUNDARIES] = {
        {.name = "inlet", .type = AN_BC_INLET_TOTAL},
        {.name = "outlet", .type = AN_BC_OUTLET_STATIC},
        {.name = "hub", .type = AN_BC_WALL_VISCOUS},
        {.name = "casing", .type = AN_BC_WALL_VISCOUS},
        {.name = "blade", .type = AN_BC_WALL_VISCOUS}};
    memset(w, 0, sizeof *w);
    memcpy(w->boundary, boundary, sizeof boundary);
    for (int z = 0; z < ZONES; z++) {
        snprintf(w->zone[z].name, sizeof w->zone[z].name, "%s", zone[z]);
        w->zone[z].n[0] = eights(z == BLADE ? 0.8 : 0.4, n);
        w->zone[z].n[1] = w->zone[z].n[2] = eights(0.8, n);
    }
    w->t = (struct an_topology){.nblock = ZONES,
                                .nboundary = BOUNDARIES,
                                .block = w->zone,
                                .interface = w->interface,
                                .patch = w->patch,
                                .boundary = w->boundary};
    close_face(w, UP, 0, 0, INLET);
    close_face(w, DOWN, 0, 1, OUTLET);
    for (int z = 0; z < ZONES; z++) {
        close_face(w, z, 1, 0, HUB);
        close_face(w, z, 1, 1, CASING);
        if (z + 1 < ZONES) {
            join(w, z, 0, 1, z + 1, -w->zone[z].n[0]);
            join(w, z + 1, 0, 0, z, w->zone[z].n[0]);
        }
        for (int side = 0; side < 2; side++)
            if (z == BLADE)
                close_face(w, z, 2, side, SIDES);
            else
                join(w, z, 2, side, z, side ? -w->zone[z].n[2] : w->zone[z].n[2]);
    }
}

static int write_mesh(const char *path, const struct row *w)
{
    int fn;
    AN_TRY(an_mesh_write_new(path, &fn));
    int status = an_mesh_write_families(fn, AN_MESH_GAS, &w->t);
    for (int z = 0; z < ZONES && status == AN_OK; z++) {
        double *x = nodes(z, w->zone[z].n);
        status = x ? an_mesh_write_zone(fn, AN_MESH_GAS, &w->t, z, x)
                   : an_error_set(AN_FAIL, "out of memory for the nodes");
        free(x);
    }
    return an_mesh_write_end(path, fn, status);
}

int an_bench_row_write(const char *folder, int n)
{
    char path[1024];
    struct row w;
    describe(&w, n);
    snprintf(path, sizeof path, "%.1000s/row.cgns", folder);
    AN_TRY(write_mesh(path, &w));
    snprintf(path, sizeof path, "%.1000s/row.yaml", folder);
    FILE *out = fopen(path, "w");
    AN_CHECK(out, AN_FAIL, "%s cannot be written", path);
    const int written = fprintf(out, row_case, folder);
    AN_CHECK((fclose(out) == 0) & (written > 0), AN_FAIL, "%s cannot be written", path);
    return AN_OK;
}
