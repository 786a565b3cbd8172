#include "tests/unit/snapshot_bench.h"

#include <cgnslib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_field[BENCH_FIELDS] = {
    "Density", "MomentumX", "MomentumY", "MomentumZ", "EnergyStagnationDensity", "Mach"};

static const char *const zone_name[BENCH_ZONES] = {"blade", "duct 2", "inlet"};
static const int zone_size[BENCH_ZONES][3] = {{12, 10, 8}, {7, 5, 9}, {4, 6, 3}};
static const char *const boundary_name[4] = {"casing", "hub", "inflow",
                                             "side_with_a_long_name_of_32_char"};

static int boundary_of(int dir, int side)
{
    return dir == 1 ? side : dir == 0 ? 2 : 3;
}

static int write_zone(int fn, int z, int flat)
{
    const int n[3] = {flat && z == 1 ? 1 : zone_size[z][0], zone_size[z][1], zone_size[z][2]};
    const cgsize_t size[9] = {n[0] + 1, n[1] + 1, n[2] + 1, n[0], n[1], n[2]};
    const size_t nodes = (size_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    static const char *const name[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    double *xyz = malloc(3 * nodes * sizeof *xyz);
    int index, c, bad = cg_zone_write(fn, 1, zone_name[z], size, CGNS_ENUMV(Structured), &index);
    size_t at = 0;
    for (int k = 0; k <= n[2]; k++)
        for (int j = 0; j <= n[1]; j++)
            for (int i = 0; i <= n[0]; i++, at++) {
                double r = 1 + 0.5 * j / n[1], angle = 0.4 * k / n[2] + 0.05 * i / n[0];
                xyz[at] = z * 1.1 + (double)i / n[0];
                xyz[nodes + at] = r * cos(angle);
                xyz[2 * nodes + at] = r * sin(angle);
            }
    for (int m = 0; m < 3; m++)
        bad |= cg_coord_write(fn, 1, index, CGNS_ENUMV(RealDouble), name[m], xyz + m * nodes, &c);
    free(xyz);
    for (int face = 0; face < 6; face++) {
        const int dir = face / 2, side = face % 2;
        const char *family = boundary_name[boundary_of(dir, side)];
        cgsize_t range[6] = {1, 1, 1, n[0] + 1, n[1] + 1, n[2] + 1};
        range[dir] = range[3 + dir] = side ? n[dir] + 1 : 1;
        char label[33];
        snprintf(label, sizeof label, "face%d", face);
        bad |= cg_boco_write(fn, 1, index, label, CGNS_ENUMV(FamilySpecified),
                             CGNS_ENUMV(PointRange), 2, range, &c);
        bad |= cg_goto(fn, 1, "Zone_t", index, "ZoneBC_t", 1, "BC_t", c, "end");
        bad |= cg_famname_write(family);
    }
    return bad;
}

int bench_mesh_write(const char *path, int flat)
{
    static const CGNS_ENUMT(BCType_t)
        type[4] = {CGNS_ENUMV(BCWallViscous), CGNS_ENUMV(BCWallInviscid),
                   CGNS_ENUMV(BCInflowSubsonic), CGNS_ENUMV(BCSymmetryPlane)};
    int fn, base, family, bc, bad = cg_open(path, CG_MODE_WRITE, &fn);
    bad |= cg_base_write(fn, "Row", 3, 3, &base);
    for (int b = 0; b < 4; b++) {
        bad |= cg_family_write(fn, 1, boundary_name[b], &family);
        bad |= cg_fambc_write(fn, 1, family, "FamilyBC", type[b], &bc);
    }
    for (int z = 0; z < BENCH_ZONES; z++)
        bad |= write_zone(fn, z, flat);
    return bad | cg_close(fn);
}

int bench_mesh_open(const char *path, struct an_mesh *m)
{
    struct an_diag diag;
    an_diag_init(&diag);
    int status = an_mesh_open(path, m, &diag);
    for (int n = 0; n < diag.nline; n++)
        fprintf(stderr, "%s\n", diag.line[n]);
    an_diag_free(&diag);
    return status;
}

static double value(int zone, int field, int64_t iteration, int i, int j, int k)
{
    uint64_t h = (uint64_t)(((((int64_t)zone * 8 + field) * 64 + k) * 64 + j) * 64 + i) +
                 (uint64_t)iteration * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 29;
    return 0.1 * i + 0.02 * j * j + (double)h * 0x1p-68 + 1.0 / 3.0;
}

static void add_piece(struct bench_pieces *b, int zone, int turn, const int lo[3], const int hi[3])
{
    struct an_snapshot_piece *p = &b->piece[b->n];
    const size_t cells = (size_t)(hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]);
    b->turn[b->n] = turn;
    p->zone = zone;
    memcpy(p->lo, lo, sizeof p->lo);
    memcpy(p->hi, hi, sizeof p->hi);
    for (int f = 0; f < BENCH_FIELDS; f++)
        b->field[b->n][f] = calloc(cells, b->precision);
    p->field = (const void *const *)b->field[b->n];
    b->n++;
}

/* Zones are cut in two directions, unevenly, and the parts dealt out; one rank keeps whole zones.
 */
void bench_pieces_new(const struct an_mesh *m, enum an_precision precision, int rank, int ranks,
                      struct bench_pieces *b)
{
    memset(b, 0, sizeof *b);
    b->precision = precision;
    for (int z = 0; z < m->topology.nblock; z++) {
        const int *n = m->topology.block[z].n;
        const int a = z % 3, c = (z + 1) % 3, middle = n[a] / 3 ? n[a] / 3 : 1;
        for (int part = 0; part < (ranks == 1 ? 1 : 4); part++) {
            int lo[3] = {0, 0, 0}, hi[3] = {n[0], n[1], n[2]};
            if (ranks > 1) {
                lo[a] = part & 1 ? middle : 0;
                hi[a] = part & 1 ? n[a] : middle;
                lo[c] = part & 2 ? n[c] - 1 : 0;
                hi[c] = part & 2 ? n[c] : n[c] - 1;
            }
            int owner = (part * 7 + z) % ranks;
            if (ranks >= 4 && owner == 2)
                owner = 0;
            if (owner == rank && lo[c] < hi[c])
                add_piece(b, z, an_mesh_turn_of(m, z), lo, hi);
        }
    }
}

void bench_pieces_free(struct bench_pieces *b)
{
    for (int n = 0; n < b->n; n++)
        for (int f = 0; f < BENCH_FIELDS; f++)
            free(b->field[n][f]);
}

typedef void visit(void *at, double v, enum an_precision here, enum an_precision stored,
                   int *count);

static void set(void *at, double v, enum an_precision here, enum an_precision stored, int *count)
{
    (void)stored, (void)count;
    if (here == AN_SINGLE)
        *(float *)at = (float)v;
    else
        *(double *)at = v;
}

static void compare(void *at, double v, enum an_precision here, enum an_precision stored,
                    int *count)
{
    double want = stored == AN_SINGLE || here == AN_SINGLE ? (double)(float)v : v;
    float narrow = (float)want;
    *count += memcmp(at, here == AN_SINGLE ? (void *)&narrow : (void *)&want, here) != 0;
}

static int for_all(const struct bench_pieces *b, int64_t iteration, enum an_precision stored,
                   visit *act)
{
    int count = 0;
    for (int n = 0; n < b->n; n++) {
        const struct an_snapshot_piece *p = &b->piece[n];
        for (int f = 0; f < BENCH_FIELDS; f++) {
            char *at = b->field[n][f];
            for (int k = p->lo[2]; k < p->hi[2]; k++)
                for (int j = p->lo[1]; j < p->hi[1]; j++)
                    for (int i = p->lo[0]; i < p->hi[0]; i++, at += b->precision) {
                        const int cell[3] = {i, j, k};
                        int file[3];
                        an_turn_to_file(b->turn[n], cell, file);
                        act(at, value(p->zone, f, iteration, file[0], file[1], file[2]),
                            b->precision, stored, &count);
                    }
        }
    }
    return count;
}

void bench_fill(struct bench_pieces *b, int64_t iteration)
{
    for_all(b, iteration, b->precision, set);
}

int bench_differences(const struct bench_pieces *b, int64_t iteration, enum an_precision stored)
{
    return for_all(b, iteration, stored, compare);
}

struct an_snapshot_meta bench_meta(int64_t iteration, double time, enum an_precision precision)
{
    return (struct an_snapshot_meta){.iteration = iteration,
                                     .time = time,
                                     .residual_first = {0.1, 1.0 / 3.0, 1e-300, 0, 7e22},
                                     .precision = precision,
                                     .case_hash = 0xfedcba0987654321u,
                                     .title = "blade = row, \"trial\"\nsecond line",
                                     .version = "0.1.0-test"};
}
