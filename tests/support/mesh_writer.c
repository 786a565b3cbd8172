#include "tests/support/mesh_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CG(call)                                                           \
    do {                                                                   \
        if ((call) != CG_OK)                                               \
            return an_error_set(AN_FAIL, "%s: %s", #call, cg_get_error()); \
    } while (0)

struct writer {
    struct meshw_spec s; /* with the defaults filled in */
    int fn, base, dim;
    int written; /* interfaces so far, for their names */
};

static void fill_defaults(struct meshw_spec *s)
{
    for (int a = 0; a < 3; a++) {
        s->zones[a] = s->zones[a] ? s->zones[a] : 1;
        s->cells[a] = s->cells[a] ? s->cells[a] : 4;
    }
    if (s->flat) {
        s->zones[2] = s->cells[2] = 1;
        s->join[2] = MESHW_OPEN;
    }
    for (int f = 0; f < 6; f++) {
        struct meshw_bc *bc[2] = {&s->side[f].bc, &s->side[f].bc2};
        for (int n = 0; n < 2; n++) {
            if (!bc[n]->name)
                bc[n]->name = an_face_name(f / 2, f % 2);
            if (!bc[n]->type)
                bc[n]->type = CGNS_ENUMV(BCWallInviscid);
        }
    }
}

/* Rotation r of 24: a zone's direction m runs along box direction perm[m]. */
static void rotation(int r, int perm[3], int sign[3])
{
    static const int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                   {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    int p = r / 4, odd = p >= 3;
    for (int a = 0; a < 3; a++)
        perm[a] = axes[p][a];
    sign[0] = r & 1 ? -1 : 1;
    sign[1] = r & 2 ? -1 : 1;
    sign[2] = sign[0] * sign[1] * (odd ? -1 : 1);
}

static void zone_position(const struct meshw_spec *s, int zone, int at[3])
{
    int za = s->zones[0] ? s->zones[0] : 1, zb = s->zones[1] ? s->zones[1] : 1;
    at[0] = zone % za;
    at[1] = zone / za % zb;
    at[2] = zone / za / zb;
}

struct an_cellmap meshw_zone_map(const struct meshw_spec *spec, int zone, int n[3])
{
    struct meshw_spec s = *spec;
    fill_defaults(&s);
    struct an_cellmap m;
    int at[3];
    rotation(s.turn ? s.turn[zone] : s.turn_all ? (s.turn_first + zone) % 24 : 0, m.perm, m.sign);
    zone_position(&s, zone, at);
    for (int a = 0; a < 3; a++) {
        int box = m.perm[a];
        n[a] = s.cells[box];
        m.shift[box] = at[box] * s.cells[box] + (m.sign[a] < 0 ? s.cells[box] - 1 : 0);
    }
    return m;
}

static struct an_cellmap node_map(const struct meshw_spec *s, int zone, int n[3])
{
    struct an_cellmap m = meshw_zone_map(s, zone, n);
    return an_cellmap_nodes(&m);
}

/* b after a */
static struct an_cellmap compose(const struct an_cellmap *b, const struct an_cellmap *a)
{
    struct an_cellmap c;
    for (int m = 0; m < 3; m++) {
        c.perm[m] = b->perm[a->perm[m]];
        c.sign[m] = b->sign[a->perm[m]] * a->sign[m];
    }
    an_cellmap_apply(b, a->shift, c.shift);
    return c;
}

static int write_coordinates(struct writer *w, int zone, int cgzone)
{
    static const char *const name[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    int n[3], c;
    struct an_cellmap map = node_map(&w->s, zone, n);
    int size[3] = {n[0] + 1, n[1] + 1, w->s.flat ? 1 : n[2] + 1};
    size_t count = (size_t)size[0] * size[1] * size[2], at = 0;
    double *x = malloc(3 * count * sizeof *x);
    AN_CHECK(x, AN_FAIL, "out of memory");
    for (int k = 0; k < size[2]; k++)
        for (int j = 0; j < size[1]; j++)
            for (int i = 0; i < size[0]; i++, at++) {
                int node[3] = {i, j, k}, box[3];
                double s[3], point[3] = {0, 0, 0};
                an_cellmap_apply(&map, node, box);
                for (int a = 0; a < 3; a++)
                    s[a] = (double)box[a] / (w->s.zones[a] * w->s.cells[a]);
                if (w->s.map)
                    w->s.map(s, point, w->s.ctx);
                else
                    memcpy(point, s, sizeof s);
                for (int a = 0; a < 3; a++)
                    x[(size_t)a * count + at] = point[a];
            }
    int status = AN_OK;
    for (int a = 0; a < w->dim && status == AN_OK; a++) {
        double *plane = x + (size_t)a * count;
        if (w->s.single)
            for (size_t m = 0; m < count; m++) { /* in place: the floats fill the first half */
                float value = (float)plane[m];
                memcpy((char *)plane + m * sizeof value, &value, sizeof value);
            }
        if (cg_coord_write(w->fn, w->base, cgzone,
                           w->s.single ? CGNS_ENUMV(RealSingle) : CGNS_ENUMV(RealDouble), name[a],
                           plane, &c) != CG_OK)
            status = an_error_set(AN_FAIL, "coordinates: %s", cg_get_error());
    }
    free(x);
    return status;
}

/* Node corners lo, hi (from 0, box indices) as a CGNS range of a zone. */
static void local_corners(const struct an_cellmap *node, const int lo[3], const int hi[3],
                          int first[3], int last[3])
{
    struct an_cellmap back = an_cellmap_inverse(node);
    int a[3], b[3];
    an_cellmap_apply(&back, lo, a);
    an_cellmap_apply(&back, hi, b);
    for (int m = 0; m < 3; m++) {
        first[m] = a[m] < b[m] ? a[m] : b[m];
        last[m] = a[m] < b[m] ? b[m] : a[m];
    }
}

static void put_range(const struct writer *w, const int first[3], const int last[3],
                      cgsize_t range[6])
{
    for (int m = 0; m < w->dim; m++) {
        range[m] = first[m] + 1;
        range[w->dim + m] = last[m] + 1;
    }
}

static int write_periodic(struct writer *w, int cgzone, int number, const struct meshw_interface *c)
{
    if (c->periodic != MESHW_TRANSLATION && c->periodic != MESHW_ROTATION)
        return AN_OK;
    CG(cg_1to1_periodic_write(w->fn, w->base, cgzone, number, c->center, c->angle, c->translation));
    if (!w->s.degrees)
        return AN_OK;
    CG(cg_goto(w->fn, w->base, "Zone_t", cgzone, "ZoneGridConnectivity_t", 1,
               "GridConnectivity1to1_t", number, "GridConnectivityProperty_t", 1, "Periodic_t", 1,
               "end"));
    CG(cg_units_write(CGNS_ENUMV(Kilogram), CGNS_ENUMV(Meter), CGNS_ENUMV(Second),
                      CGNS_ENUMV(Kelvin), CGNS_ENUMV(Degree)));
    return AN_OK;
}

/* Box nodes lo..hi of a zone's face `face`, joined to `donor` by the box map `across`. */
struct joint {
    int zone, donor, face;
    int lo[3], hi[3];
    struct an_cellmap across;
    int join; /* enum meshw_join of the direction, MESHW_OPEN inside the box */
};

static int write_interface(struct writer *w, int cgzone, const struct joint *g)
{
    struct meshw_interface c = {.zone = g->zone, .donor = g->donor, .periodic = g->join};
    int n[3], first[3], last[3], dfirst[3], dlast[3], number;
    struct an_cellmap here = node_map(&w->s, g->zone, n), there = node_map(&w->s, g->donor, n);
    struct an_cellmap back = an_cellmap_inverse(&there);
    struct an_cellmap box = compose(&g->across, &here), map = compose(&back, &box);
    local_corners(&here, g->lo, g->hi, first, last);
    an_cellmap_apply(&map, first, dfirst);
    an_cellmap_apply(&map, last, dlast);
    snprintf(c.name, sizeof c.name, "join_%05d", w->written++);
    snprintf(c.donor_name, sizeof c.donor_name, "zone_%03d", g->donor);
    put_range(w, first, last, c.range);
    put_range(w, dfirst, dlast, c.donor_range);
    for (int m = 0; m < 3; m++)
        c.transform[m] =
            w->s.short_form && first[m] == last[m] ? 0 : map.sign[m] * (map.perm[m] + 1);
    /* CGNS: from here to the donor. The min side's donor is the max side: the box's own sense. */
    double sense = g->face % 2 == 0 ? 1. : -1.;
    if (g->join == MESHW_ROTATION)
        c.angle[0] = (float)(sense * w->s.angle * (w->s.degrees ? 180. / acos(-1.) : 1.));
    if (g->join == MESHW_TRANSLATION)
        for (int a = 0; a < 3; a++)
            c.translation[a] = (float)(sense * w->s.shift[g->face / 2][a]);
    int backwards = g->donor < g->zone || (g->donor == g->zone && g->face % 2 == 1);
    if ((w->s.one_sided && backwards) ||
        (w->s.on_interface && w->s.on_interface(&c, w->s.hook_ctx)))
        return AN_OK;
    CG(cg_1to1_write(w->fn, w->base, cgzone, c.name, c.donor_name, c.range, c.donor_range,
                     c.transform, &number));
    return write_periodic(w, cgzone, number, &c);
}

static int write_boco(struct writer *w, int cgzone, int zone, int face, const int lo[3],
                      const int hi[3], const struct meshw_bc *bc)
{
    struct meshw_boco b = {.zone = zone, .family = bc->family, .type = bc->type};
    int n[3], first[3], last[3], number, normal = 0;
    struct an_cellmap here = node_map(&w->s, zone, n);
    local_corners(&here, lo, hi, first, last);
    for (int m = 0; m < 3; m++) {
        if (here.perm[m] == face / 2)
            normal = m;
        else if (w->s.face_location)
            last[m]--;
    }
    snprintf(b.name, sizeof b.name, "%s", bc->name);
    put_range(w, first, last, b.range);
    if (w->s.on_boco && w->s.on_boco(&b, w->s.hook_ctx))
        return AN_OK;
    CG(cg_boco_write(w->fn, w->base, cgzone, b.name,
                     b.family ? CGNS_ENUMV(FamilySpecified) : b.type, CGNS_ENUMV(PointRange), 2,
                     b.range, &number));
    static const CGNS_ENUMT(GridLocation_t)
        location[3] = {CGNS_ENUMV(IFaceCenter), CGNS_ENUMV(JFaceCenter), CGNS_ENUMV(KFaceCenter)};
    if (w->s.face_location)
        CG(cg_boco_gridlocation_write(w->fn, w->base, cgzone, number,
                                      w->dim == 2 ? CGNS_ENUMV(EdgeCenter) : location[normal]));
    int dataset;
    if (b.dataset)
        CG(cg_dataset_write(w->fn, w->base, cgzone, number, "Data", b.type, &dataset));
    if (b.family) {
        CG(cg_goto(w->fn, w->base, "Zone_t", cgzone, "ZoneBC_t", 1, "BC_t", number, "end"));
        CG(cg_famname_write(b.family));
    }
    return AN_OK;
}

/* A side of the box, cut up along side->along: fold, bc, bc2, fold. */
static int write_side(struct writer *w, int cgzone, int zone, int face, const int lo[3],
                      const int hi[3])
{
    const struct meshw_side *side = &w->s.side[face];
    int along = side->along == face / 2 ? (face / 2 + 1) % 3 : side->along;
    int all = w->s.zones[along] * w->s.cells[along];
    int split = side->split > 0 ? side->split : all;
    const int edge[5] = {0, side->cut, split < side->cut ? side->cut : split, all - side->cut, all};
    int at[3];
    zone_position(&w->s, zone, at);
    for (int part = 0; part < 4; part++) {
        int a[3], b[3];
        int end = part == 1 && edge[2] > edge[3] ? edge[3] : edge[part + 1];
        memcpy(a, lo, sizeof a);
        memcpy(b, hi, sizeof b);
        a[along] = a[along] > edge[part] ? a[along] : edge[part];
        b[along] = b[along] < end ? b[along] : end;
        if (a[along] >= b[along])
            continue;
        if (part == 1 || part == 2) {
            AN_TRY(write_boco(w, cgzone, zone, face, a, b, part == 1 ? &side->bc : &side->bc2));
            continue;
        }
        int mirror[3] = {at[0], at[1], at[2]};
        mirror[along] = w->s.zones[along] - 1 - at[along];
        struct joint g = {.zone = zone, .face = part == 0 ? 0 : 1};
        g.donor = mirror[0] + w->s.zones[0] * (mirror[1] + w->s.zones[1] * mirror[2]);
        memcpy(g.lo, a, sizeof a);
        memcpy(g.hi, b, sizeof b);
        for (int m = 0; m < 3; m++) {
            g.across.perm[m] = m;
            g.across.sign[m] = m == along || m == face / 2 ? -1 : 1;
            g.across.shift[m] = m == along ? all : m == face / 2 ? 2 * lo[m] : 0;
        }
        AN_TRY(write_interface(w, cgzone, &g));
    }
    return AN_OK;
}

static int write_face(struct writer *w, int cgzone, int zone, int face)
{
    const struct meshw_spec *s = &w->s;
    int dir = face / 2, up = face % 2, at[3], lo[3], hi[3];
    zone_position(s, zone, at);
    for (int a = 0; a < 3; a++) {
        lo[a] = at[a] * s->cells[a];
        hi[a] = lo[a] + (s->flat && a == 2 ? 0 : s->cells[a]);
    }
    lo[dir] = hi[dir] = up ? hi[dir] : lo[dir];
    int edge = up ? at[dir] == s->zones[dir] - 1 : at[dir] == 0;
    if (edge && s->join[dir] == MESHW_OPEN)
        return write_side(w, cgzone, zone, face, lo, hi);
    struct joint g = {.zone = zone, .face = face, .across = {{0, 1, 2}, {1, 1, 1}, {0, 0, 0}}};
    int to[3] = {at[0], at[1], at[2]};
    to[dir] = (at[dir] + (up ? 1 : s->zones[dir] - 1)) % s->zones[dir];
    g.donor = to[0] + s->zones[0] * (to[1] + s->zones[1] * to[2]);
    memcpy(g.lo, lo, sizeof lo);
    memcpy(g.hi, hi, sizeof hi);
    if (edge) {
        g.across.shift[dir] = (up ? -1 : 1) * s->zones[dir] * s->cells[dir];
        g.join = (int)s->join[dir];
    }
    return write_interface(w, cgzone, &g);
}

static int write_families(struct writer *w)
{
    const char *seen[12];
    int nseen = 0, family, condition;
    for (int n = 0; n < 12; n++) {
        const struct meshw_bc *bc = n % 2 ? &w->s.side[n / 2].bc2 : &w->s.side[n / 2].bc;
        int known = !bc->family;
        for (int m = 0; m < nseen && !known; m++)
            known = strcmp(seen[m], bc->family) == 0;
        if (known)
            continue;
        seen[nseen++] = bc->family;
        CG(cg_family_write(w->fn, w->base, bc->family, &family));
        CG(cg_fambc_write(w->fn, w->base, family, "FamBC", bc->type, &condition));
    }
    return AN_OK;
}

static int write_all(struct writer *w)
{
    const struct meshw_spec *s = &w->s;
    CG(cg_base_write(w->fn, "Base", w->dim, w->dim, &w->base));
    if (s->unit) {
        CG(cg_goto(w->fn, w->base, "end"));
        CG(cg_dataclass_write(CGNS_ENUMV(Dimensional)));
        CG(cg_units_write(CGNS_ENUMV(Kilogram), s->unit, CGNS_ENUMV(Second), CGNS_ENUMV(Kelvin),
                          CGNS_ENUMV(Radian)));
    }
    AN_TRY(write_families(w));
    const int zones = s->zones[0] * s->zones[1] * s->zones[2];
    for (int place = 0; place < zones; place++) {
        const int zone = s->last_first ? zones - 1 - place : place;
        int n[3], cgzone;
        char name[AN_NAME];
        cgsize_t size[9] = {0};
        meshw_zone_map(s, zone, n);
        for (int m = 0; m < w->dim; m++) {
            size[m] = n[m] + 1;
            size[w->dim + m] = n[m];
        }
        snprintf(name, sizeof name, "zone_%03d", zone);
        CG(cg_zone_write(w->fn, w->base, name, size, CGNS_ENUMV(Structured), &cgzone));
        AN_TRY(write_coordinates(w, zone, cgzone));
        for (int face = 0; face < 2 * w->dim; face++)
            AN_TRY(write_face(w, cgzone, zone, face));
    }
    return AN_OK;
}

int meshw_write(const char *path, const struct meshw_spec *spec)
{
    struct writer w = {.s = *spec, .dim = spec->flat ? 2 : 3};
    fill_defaults(&w.s);
    CG(cg_set_file_type(w.s.adf ? CG_FILE_ADF : CG_FILE_HDF5));
    CG(cg_open(path, CG_MODE_WRITE, &w.fn));
    int status = write_all(&w);
    if (cg_close(w.fn) != CG_OK && status == AN_OK)
        status = an_error_set(AN_FAIL, "%s: %s", path, cg_get_error());
    return status;
}

void meshw_map_box(const double s[3], double x[3], const void *ctx)
{
    const struct meshw_box *b = ctx;
    const double tau = 2. * acos(-1.);
    double wave = b->wave * sin(tau * s[0]) * sin(tau * s[1]) * sin(tau * s[2] + .7);
    for (int a = 0; a < 3; a++)
        x[a] = b->origin[a] + b->size[a] * (s[a] + wave + b->wave * sin(tau * s[(a + 1) % 3]));
}

void meshw_map_sector(const double s[3], double x[3], const void *ctx)
{
    const struct meshw_sector *c = ctx;
    double r = c->r0 + (c->r1 - c->r0) * s[1], theta = c->angle * s[2];
    x[0] = c->length * s[0];
    x[1] = r * cos(theta);
    x[2] = r * sin(theta);
}

void meshw_map_cmesh(const double s[3], double x[3], const void *ctx)
{
    (void)ctx;
    double u = 2. * s[0] - 1., v = s[1]; /* x + iy = (u + iv)^2: the upper half plane, opened */
    x[0] = u * u - v * v;
    x[1] = 2. * u * v;
    x[2] = s[2];
}
