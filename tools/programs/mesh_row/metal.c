// The metal of the main blade: numbers of layers, blocks, boundaries and report.
#include "metal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_LAYERS = 4, HEIGHTS = 41 };
static const double FILLET_CELLS = 4; // of a fillet's radius, along the span

// All that the layers are made of.
struct metal {
    const struct row *r;
    struct channel channel[MAX_HOLES];
    struct metal_reference reference;
    bool smooth;
    int layers; // cells along the span
    double *f;  // [layers + 1] shares of the blade's height (owned)
    struct grid *grid;
};

int metal_check(const struct row *r)
{
    struct metal *m;
    struct metal_wall w = {.thick = INFINITY};
    int rc = AN_OK;
    if (!r->in.metal || r->in.holes == 0)
        return AN_OK;
    m = calloc(1, sizeof *m);
    struct metal_section *s = calloc(1, sizeof *s);
    rc = m && s ? channels_new(m->channel, r) : an_error_set(AN_FAIL, "out of memory");
    for (int k = 0; k < HEIGHTS && !rc; k++) {
        rc = metal_section_new(s, r, m->channel, (double)k / (HEIGHTS - 1));
        rc = rc ? rc : metal_section_check(s, r, &w);
        metal_section_free(s);
    }
    free(m);
    free(s);
    AN_TRY(rc);
    fprintf(row_out(r),
            "holes                %d; thinnest wall %.3g mm, between %s at %.0f %% of "
            "the span\n",
            r->in.holes, 1e3 * w.thick, w.name, 100 * w.at);
    return AN_OK;
}

// Cells along the span: twice as high as the cells of the surface are wide, no more than the gas has; more towards fillets.
static int choose_layers(struct metal *m)
{
    const struct row *r = m->r;
    struct layer l;
    struct profile p;
    layer_even(&l, &r->meridian, 0.5);
    AN_TRY(blade_profile(r->blade, &l, &p));
    const double u = layer_u(&l, 0.5 * (p.le.x + p.te.x)),
                 height = meridian_height(&r->meridian, u),
                 width =
                     p.c.length * meridian_point(&r->meridian, u, 0.5).r / counts_around(&r->n[0]);
    profile_free(&p);
    int n = (int)floor(height / (2 * width) + 0.5);
    n = n > r->n[0].span ? r->n[0].span : n < FEWEST_LAYERS ? FEWEST_LAYERS : n;
    double first[2] = {height / n, height / n};
    const int even = n;
    for (int wall = AT_HUB; wall <= AT_CASING; wall++)
        if (r->in.fillet[wall] > 0) {
            first[wall] = fmin(first[wall], r->in.fillet[wall] / FILLET_CELLS);
            n += (int)FILLET_CELLS;
        }
    m->layers = n;
    m->f = malloc(((size_t)n + 1) * sizeof *m->f);
    AN_CHECK(m->f, AN_FAIL, "out of memory");
    if (n > even)
        span_fractions(n, height, first, SPAN_LARGEST, m->f);
    for (int k = 0; k <= n && n == even; k++)
        m->f[k] = (double)k / n;
    return AN_OK;
}

static int layer_make(void *of, int k)
{
    const struct metal *m = of;
    struct metal_section *s = calloc(1, sizeof *s);
    busy("makes the layers of the metal");
    int rc = s ? metal_section_new(s, m->r, m->channel, m->f[k])
               : an_error_set(AN_FAIL, "out of memory");
    if (!rc)
        rc = metal_layer(&m->reference, m->r, m->channel, s, m->smooth, m->grid, k);
    if (s)
        metal_section_free(s);
    free(s);
    return rc;
}

// The name of a family for as long as the row lives.
static const char *family_of(const struct row *r, const char *name)
{
    for (int k = 0; k < r->in.holes; k++)
        if (strcmp(name, r->in.hole[k].name) == 0)
            return r->in.hole[k].name;
    return "blade_metal";
}

static int make_blocks(struct metal *m)
{
    const struct row *r = m->r;
    const struct mesh *plane = &m->reference.mesh;
    const char *const end[2] = {gap_wanted(&r->in.gap[AT_HUB]) ? "solid_hub_tip" : "solid_hub",
                                gap_wanted(&r->in.gap[AT_CASING]) ? "solid_tip" : "solid_shroud"};
    struct grid *g = m->grid;
    const int n = m->layers;
    for (int z = 0; z < plane->nz; z++)
        AN_TRY(grid_block(g, plane->z[z].name, &plane->z[z], 0, n));
    for (int l = 0; l < plane->npatch; l++) {
        const struct patch *p = &plane->patch[l];
        const int d = p->face / 2;
        struct face *f = grid_patch(g, family_of(r, p->family), p->z, d, p->face % 2, 0, n);
        if (p->to) {
            f->lo[!d] = p->from;
            f->hi[!d] = p->to;
        }
    }
    for (int e = 0; e < 2; e++)
        for (int z = 0; z < plane->nz; z++)
            grid_patch(g, end[e], z, 2, e, e * n, e * n);
    grid_join_plane(g, plane, 0, n);
    return AN_OK;
}

// A way to the mesh: the reference's share of the blade's height, and whether the layers are smoothed.
struct way {
    double f;
    bool smooth;
};

static int try_way(struct metal *m, const struct way *way, struct figures *f)
{
    metal_reference_free(&m->reference);
    grid_drop(m->grid);
    *m->grid = (struct grid){0};
    m->smooth = way->smooth;
    AN_TRY(metal_reference_new(&m->reference, m->r, m->channel, way->f));
    AN_TRY(make_blocks(m));
    AN_TRY(side_by_side(m->layers + 1, layer_make, m));
    return figures_grid(f, m->grid, 0);
}

// Where the section at mid-span leads to no good mesh, others are the reference, and layers are smoothed.
static int choose_way(struct metal *m, struct figures *f)
{
    static const struct way way[] = {{0.5, false}, {0.25, false}, {0.75, false}, {0.5, true},
                                     {0, false},   {1, false},    {0.25, true},  {0.75, true}};
    enum { WAYS = sizeof way / sizeof way[0] };
    struct figures best = {.least = -1};
    int chosen = -1, last = -1;
    for (int k = 0; k < WAYS && best.least < METAL_GOOD; k++) {
        const int rc = try_way(m, &way[k], f);
        if (rc && rc != AN_DIVERGED)
            return rc;
        last = k;
        if (!rc && f->folded + f->negative == 0 && f->least > best.least) {
            best = *f;
            chosen = k;
        }
    }
    if (chosen >= 0)
        *f = best;
    return chosen >= 0 && chosen == last ? AN_OK : try_way(m, &way[chosen < 0 ? 0 : chosen], f);
}

static int report(const struct metal *m, const struct figures *f)
{
    const double deg = 180 / M_PI;
    const struct grid *g = m->grid;
    const struct block *b = &g->block[f->zone];
    fprintf(row_out(m->r), "metal                %d zones, %ld cells in %d layers, %.6g m^3\n",
            g->nblock, f->cells, m->layers, f->total);
    fprintf(row_out(m->r),
            "smallest angle there %.2f deg (zone %s, cell %d %d %d, at %.0f %% of the blade's "
            "height); on the layers %.2f deg\n",
            f->least * deg, b->name, f->at[0], f->at[1], f->at[2], 100 * m->f[f->at[2]],
            f->plane_least * deg);
    AN_CHECK(
        f->folded + f->negative == 0, AN_DIVERGED,
        "error: %ld of %ld cells of the metal are folded, %ld have no positive volume: no mesh "
        "written\n"
        "  worst: zone %s, cell %d %d %d, at %.0f %% of the blade's height\n"
        "  what may help: a hole that keeps its place in the section from hub to casing "
        "('points'), thicker walls beside it, or more 'cells'\n"
        "  to look at the mesh: --keep-bad -o FILE",
        f->folded, f->cells, f->negative, g->block[f->bad_zone].name, f->bad[0], f->bad[1],
        f->bad[2], 100 * m->f[f->bad[2]]);
    return AN_OK;
}

int metal_build(struct row *r)
{
    struct metal *m;
    struct figures f;
    if (!r->in.metal)
        return AN_OK;
    m = calloc(1, sizeof *m);
    r->metal = calloc(1, sizeof *r->metal);
    int rc = m && r->metal ? AN_OK : an_error_set(AN_FAIL, "out of memory");
    if (!rc) {
        m->r = r;
        m->grid = r->metal;
        rc = channels_new(m->channel, r);
        rc = rc ? rc : choose_layers(m);
        rc = rc ? rc : choose_way(m, &f);
        rc = rc ? rc : report(m, &f);
        metal_reference_free(&m->reference);
        free(m->f);
    }
    free(m);
    if (rc && (rc != AN_DIVERGED || !r->metal->nblock)) // a folded one stays for pictures
        metal_free(r);
    return rc;
}

void metal_free(struct row *r)
{
    if (r->metal)
        grid_drop(r->metal);
    free(r->metal);
    r->metal = NULL;
}
