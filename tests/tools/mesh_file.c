#include "mesh_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void mesh_open(struct mesh *m, const char *path)
{
    mesh_open_base(m, path, 1, 1);
}

void mesh_open_base(struct mesh *m, const char *path, int base, int of)
{
    *m = (struct mesh){.base = base};
    int bases, cell, phys;
    char name[33];
    assert_int_equal(cg_open(path, CG_MODE_READ, &m->file), CG_OK);
    assert_int_equal(cg_nbases(m->file, &bases), CG_OK);
    assert_int_equal(bases, of);
    assert_int_equal(cg_base_read(m->file, base, name, &cell, &phys), CG_OK);
    assert_true(cell == 3 && phys == 3);
    assert_int_equal(cg_nzones(m->file, m->base, &m->zones), CG_OK);
    assert_true(m->zones <= MAX_ZONES);
    for (int k = 0; k < m->zones; k++) {
        static const char *const name3[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
        struct zone *z = &m->z[k];
        cgsize_t size[9];
        assert_int_equal(cg_zone_read(m->file, m->base, k + 1, z->name, size), CG_OK);
        memcpy(z->n, size, sizeof z->n);
        const cgsize_t lo[3] = {1, 1, 1};
        for (int d = 0; d < 3; d++) {
            z->x[d] = malloc((size_t)(z->n[0] * z->n[1] * z->n[2]) * sizeof(double));
            assert_int_equal(
                cg_coord_read(m->file, m->base, k + 1, name3[d], RealDouble, lo, z->n, z->x[d]),
                CG_OK);
        }
        z->cover = calloc(6, FACE_CELLS);
    }
}

void mesh_close(struct mesh *m)
{
    for (int k = 0; k < m->zones; k++) {
        for (int d = 0; d < 3; d++)
            free(m->z[k].x[d]);
        free(m->z[k].cover);
    }
    assert_int_equal(cg_close(m->file), CG_OK);
}

size_t at(const struct zone *z, const cgsize_t i[3])
{
    return (size_t)((i[2] * z->n[1] + i[1]) * z->n[0] + i[0]);
}

// Claims the face cells of a 1-based vertex range that is flat in one direction.
static void claim(struct zone *z, const cgsize_t *r)
{
    int flat = -1;
    for (int d = 0; d < 3; d++)
        if (r[d] == r[d + 3])
            flat = d;
    assert_true(flat >= 0);
    assert_true(r[flat] == 1 || r[flat] == z->n[flat]);
    const int face = 2 * flat + (r[flat] > 1), a = flat == 0, b = flat == 2 ? 1 : 2;
    for (cgsize_t q = r[b]; q < r[b + 3]; q++)
        for (cgsize_t p = r[a]; p < r[a + 3]; p++)
            z->cover[face * FACE_CELLS + (q - 1) * z->n[a] + p - 1]++;
}

static void check_cover(const struct zone *z)
{
    for (int face = 0; face < 6; face++) {
        const int flat = face / 2, a = flat == 0, b = flat == 2 ? 1 : 2;
        for (cgsize_t q = 0; q < z->n[b] - 1; q++)
            for (cgsize_t p = 0; p < z->n[a] - 1; p++)
                if (z->cover[face * FACE_CELLS + q * z->n[a] + p] != 1)
                    fail_msg("zone %s face %d cell %d %d is claimed %d times", z->name, face,
                             (int)p, (int)q, z->cover[face * FACE_CELLS + q * z->n[a] + p]);
    }
}

int zone_named(const struct mesh *m, const char *name)
{
    for (int k = 0; k < m->zones; k++)
        if (strcmp(m->z[k].name, name) == 0)
            return k;
    fail_msg("no zone named %s", name);
    return -1;
}

// Is there the opposite statement (donor and own ranges exchanged) in zone kb?
static bool has_reverse(const struct mesh *m, int ka, int kb, const cgsize_t *r, const cgsize_t *d)
{
    int n;
    assert_int_equal(cg_n1to1(m->file, m->base, kb + 1, &n), CG_OK);
    for (int l = 1; l <= n; l++) {
        char name[33], donor[33];
        cgsize_t own[6], other[6];
        int transform[3];
        cg_1to1_read(m->file, m->base, kb + 1, l, name, donor, own, other, transform);
        bool same = strcmp(donor, m->z[ka].name) == 0;
        for (int c = 0; c < 3; c++) {
            same = same && llabs(other[c] + other[c + 3] - r[c] - r[c + 3]) == 0;
            same = same && llabs(own[c] + own[c + 3] - d[c] - d[c + 3]) == 0;
        }
        if (same)
            return true;
    }
    return false;
}

// Determinant of the transform's matrix: +1 between right-handed zones.
static int determinant(const int t[3])
{
    int m[3][3] = {{0}};
    for (int c = 0; c < 3; c++)
        m[abs(t[c]) - 1][c] = t[c] > 0 ? 1 : -1;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// Largest distance between the nodes of an interface and their donors.
static double check_link(struct mesh *m, int k, int l, bool *periodic)
{
    struct zone *z = &m->z[k];
    char name[33], donor[33];
    cgsize_t r[6], d[6];
    int transform[3];
    float centre[3], angle[3], move[3] = {0, 0, 0};
    assert_int_equal(cg_1to1_read(m->file, m->base, k + 1, l, name, donor, r, d, transform), CG_OK);
    assert_int_equal(determinant(transform), 1);
    *periodic = cg_1to1_periodic_read(m->file, m->base, k + 1, l, centre, angle, move) == CG_OK;
    double shift = 0, turn = 0;
    if (*periodic) {
        assert_true(fabs(fabs(move[1]) - m->pitch) <= 1e-6 * m->pitch);
        assert_true(fabs(fabs(angle[0]) - m->turn) <= 1e-6 * m->turn);
        assert_true(move[0] == 0 && move[2] == 0 && angle[1] == 0 && angle[2] == 0);
        shift = move[1] > 0 ? m->pitch : -m->pitch;
        turn = angle[0] > 0 ? m->turn : -m->turn;
    }
    const int kb = zone_named(m, donor);
    assert_true(has_reverse(m, k, kb, r, d));
    claim(z, r);
    double worst = 0;
    cgsize_t i[3], o[3];
    for (i[2] = r[2]; i[2] <= r[5]; i[2]++)
        for (i[1] = r[1]; i[1] <= r[4]; i[1]++)
            for (i[0] = r[0]; i[0] <= r[3]; i[0]++) {
                for (int c = 0; c < 3; c++)
                    o[c] = d[c] - 1;
                for (int c = 0; c < 3; c++)
                    o[abs(transform[c]) - 1] += (transform[c] > 0 ? 1 : -1) * (i[c] - r[c]);
                const cgsize_t own[3] = {i[0] - 1, i[1] - 1, i[2] - 1};
                const size_t a = at(z, own), b = at(&m->z[kb], o);
                const double y = z->x[1][a], zz = z->x[2][a];
                const double moved[3] = {z->x[0][a], cos(turn) * y - sin(turn) * zz + shift,
                                         sin(turn) * y + cos(turn) * zz};
                for (int c = 0; c < 3; c++)
                    worst = fmax(worst, fabs(moved[c] - m->z[kb].x[c][b]));
            }
    for (int c = 0; c < 3; c++) {
        const int t = abs(transform[c]) - 1;
        assert_int_equal(r[c + 3] - r[c], llabs(d[t + 3] - d[t]));
    }
    return worst;
}

// Faces of mixing planes: general connections whose values are averaged along the circumference.
static void claim_planes(struct mesh *m, int k)
{
    int n;
    assert_int_equal(cg_nconns(m->file, m->base, k + 1, &n), CG_OK);
    for (int l = 1; l <= n; l++) {
        char name[33], donor[33];
        GridLocation_t location;
        GridConnectivityType_t type;
        PointSetType_t set, donor_set;
        ZoneType_t donor_zone;
        DataType_t data;
        AverageInterfaceType_t average;
        cgsize_t points, donors, r[6];
        assert_int_equal(cg_conn_info(m->file, m->base, k + 1, l, name, &location, &type, &set,
                                      &points, donor, &donor_zone, &donor_set, &data, &donors),
                         CG_OK);
        assert_true(location == Vertex && type == Abutting && set == PointRange && points == 2);
        assert_int_equal(cg_conn_average_read(m->file, m->base, k + 1, l, &average), CG_OK);
        assert_int_equal(average, AverageCircumferential);
        zone_named(m, donor);
        assert_int_equal(cg_conn_read_short(m->file, m->base, k + 1, l, r), CG_OK);
        claim(&m->z[k], r);
    }
}

int check_links(struct mesh *m, double apart)
{
    int periodic_count = 0;
    for (int k = 0; k < m->zones; k++) {
        int n, bocos;
        cg_n1to1(m->file, m->base, k + 1, &n);
        for (int l = 1; l <= n; l++) {
            bool periodic;
            const double worst = check_link(m, k, l, &periodic);
            if (worst > apart)
                fail_msg("zone %s interface %d: nodes differ by %g m", m->z[k].name, l, worst);
            periodic_count += periodic;
        }
        cg_nbocos(m->file, m->base, k + 1, &bocos);
        for (int l = 1; l <= bocos; l++) {
            char name[33], family[33];
            BCType_t type;
            PointSetType_t set;
            DataType_t data;
            cgsize_t points, normals, r[6];
            int normal[3], sets;
            cg_boco_info(m->file, m->base, k + 1, l, name, &type, &set, &points, normal, &normals,
                         &data, &sets);
            assert_int_equal(type, FamilySpecified);
            cg_boco_read(m->file, m->base, k + 1, l, r, NULL);
            cg_goto(m->file, m->base, "Zone_t", k + 1, "ZoneBC_t", 1, "BC_t", l, "end");
            assert_int_equal(cg_famname_read(family), CG_OK);
            claim(&m->z[k], r);
        }
        claim_planes(m, k);
        check_cover(&m->z[k]);
    }
    return periodic_count;
}
