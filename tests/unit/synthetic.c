#include "tests/unit/synthetic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
    int lo[3], hi[3];
};

int synthetic_random(unsigned *state, int n)
{
    *state = *state * 1664525u + 1013904223u;
    return (int)((*state >> 8) % (unsigned)n);
}

static void *grown(void *array, int count, size_t size)
{
    array = realloc(array, (size_t)(count + 1) * size);
    if (!array)
        abort();
    return array;
}

static void add_interface(struct an_topology *t, const struct an_interface *f)
{
    t->interface = grown(t->interface, t->ninterface, sizeof *f);
    t->interface[t->ninterface++] = *f;
}

static void add_patch(struct an_topology *t, struct an_window w, int boundary)
{
    t->patch = grown(t->patch, t->npatch, sizeof *t->patch);
    t->patch[t->npatch++] = (struct an_patch){w, boundary};
}

static int cut_boxes(unsigned *state, const int size[3], int nzone, int multiple, int thin,
                     struct box *box)
{
    int n = 1;
    box[0] = (struct box){{0, 0, 0}, {size[0], size[1], size[2]}};
    for (int tries = 0; n < nzone && tries < 1000 * nzone; tries++) {
        int b = synthetic_random(state, n), d = synthetic_random(state, 3);
        int places = (box[b].hi[d] - box[b].lo[d] - 2 * thin) / multiple + 1;
        if (box[b].hi[d] - box[b].lo[d] < 2 * thin)
            continue;
        int at = box[b].lo[d] + thin + multiple * synthetic_random(state, places);
        box[n] = box[b];
        box[n++].lo[d] = at;
        box[b].hi[d] = at;
    }
    return n;
}

/* Zone with the random orientation `turn` (0..23) over a box. */
static struct an_cellmap place_of(int turn, const struct box *b, int n[3])
{
    struct an_cellmap m = {0};
    for (int code = 0, found = -1; found < turn; code++) { /* 6 permutations x 8 signs */
        int p = code / 8 % 6;
        m.perm[0] = p / 2;
        m.perm[1] = (m.perm[0] + 1 + p % 2) % 3;
        m.perm[2] = 3 - m.perm[0] - m.perm[1];
        for (int a = 0; a < 3; a++)
            m.sign[a] = code >> a & 1 ? -1 : 1;
        found += an_cellmap_det(&m) == 1;
    }
    for (int a = 0; a < 3; a++) {
        int d = m.perm[a];
        n[a] = b->hi[d] - b->lo[d];
        m.shift[d] = m.sign[a] > 0 ? b->lo[d] : b->hi[d] - 1;
    }
    return m;
}

/* a's cells -> box -> moved by `wrap` -> b's cells. */
static struct an_cellmap join(const struct an_cellmap *a, const int wrap[3],
                              const struct an_cellmap *b)
{
    struct an_cellmap back = an_cellmap_inverse(b), m;
    for (int l = 0; l < 3; l++) {
        int g = a->perm[l];
        m.perm[l] = back.perm[g];
        m.sign[l] = back.sign[g] * a->sign[l];
        m.shift[m.perm[l]] = back.sign[g] * (a->shift[g] + wrap[g]) + back.shift[m.perm[l]];
    }
    return m;
}

static int axis_of(const struct an_cellmap *place, int g)
{
    return place->perm[0] == g ? 0 : place->perm[1] == g ? 1 : 2;
}

/* The window of a zone on its face towards (g, side) of the box, over box cells [lo, hi). */
static struct an_window window_of(const struct an_cellmap *place, int zone, int g, int side,
                                  const struct box *s)
{
    struct an_cellmap back = an_cellmap_inverse(place);
    int last[3] = {s->hi[0] - 1, s->hi[1] - 1, s->hi[2] - 1}, a[3], b[3];
    an_cellmap_apply(&back, s->lo, a);
    an_cellmap_apply(&back, last, b);
    int dir = axis_of(place, g);
    struct an_window w = {.block = zone, .dir = dir};
    w.side = place->sign[dir] > 0 ? side : 1 - side;
    for (int d = 0; d < 3; d++) {
        w.lo[d] = d == dir ? 0 : a[d] < b[d] ? a[d] : b[d];
        w.hi[d] = d == dir ? 0 : (a[d] < b[d] ? b[d] : a[d]) + 1;
    }
    return w;
}

static void set_period(const struct synthetic *s, int g, int side, struct an_interface *f)
{
    for (int d = 0; d < 3; d++)
        f->rotation[4 * d] = 1;
    f->periodic = s->periodic[g];
    double way = side ? s->period[g] : -s->period[g];
    if (f->periodic == 1)
        f->translation[g] = way;
    if (f->periodic == 2) {
        f->rotation[4] = f->rotation[8] = cos(way);
        f->rotation[5] = -sin(way);
        f->rotation[7] = sin(way);
    }
}

static void join_face(struct synthetic *s, const struct box *box, int a, int g, int side)
{
    struct an_topology *t = &s->mesh;
    struct box out = box[a];
    out.lo[g] = side ? box[a].hi[g] : box[a].lo[g] - 1;
    out.hi[g] = out.lo[g] + 1;
    int wrap[3] = {0, 0, 0}, edge = out.lo[g] < 0 || out.lo[g] >= s->size[g];
    if (edge && !s->periodic[g]) {
        add_patch(t, window_of(&s->place[a], a, g, side, &box[a]), 2 * g + side);
        return;
    }
    if (edge)
        wrap[g] = side ? -s->size[g] : s->size[g];
    for (int b = 0; b < t->nblock; b++) {
        struct box both;
        int empty = 0;
        for (int d = 0; d < 3; d++) {
            int lo = box[b].lo[d] - wrap[d], hi = box[b].hi[d] - wrap[d];
            both.lo[d] = lo > out.lo[d] ? lo : out.lo[d];
            both.hi[d] = hi < out.hi[d] ? hi : out.hi[d];
            empty |= both.lo[d] >= both.hi[d];
        }
        if (empty)
            continue;
        struct an_interface f = {.donor = b, .partner = -1};
        snprintf(f.name, sizeof f.name, "%d-%d", a < b ? a : b, a < b ? b : a);
        f.window = window_of(&s->place[a], a, g, side, &both);
        f.donor_dir = axis_of(&s->place[b], g);
        f.donor_side = s->place[b].sign[f.donor_dir] > 0 ? 1 - side : side;
        f.map = join(&s->place[a], wrap, &s->place[b]);
        if (edge)
            set_period(s, g, side, &f);
        else
            f.rotation[0] = f.rotation[4] = f.rotation[8] = 1;
        add_interface(t, &f);
    }
}

static void name_boundaries(struct an_topology *t, int n)
{
    t->nboundary = n;
    t->boundary = calloc((size_t)n, sizeof *t->boundary);
    for (int b = 0; b < n; b++)
        snprintf(t->boundary[b].name, AN_NAME, "boundary %d", b);
}

void synthetic_new(unsigned seed, const int size[3], int nzone, int multiple, int thin,
                   const int periodic[3], struct synthetic *s)
{
    unsigned state = seed;
    memset(s, 0, sizeof *s);
    for (int d = 0; d < 3; d++) {
        s->size[d] = size[d];
        s->periodic[d] = periodic[d];
        s->period[d] = periodic[d] == 2 ? 0.17453292519943295 : 0.5 * size[d];
    }
    struct box *box = calloc((size_t)nzone, sizeof *box);
    nzone = cut_boxes(&state, size, nzone, multiple, thin, box);
    s->place = calloc((size_t)nzone, sizeof *s->place);
    s->mesh.block = calloc((size_t)nzone, sizeof *s->mesh.block);
    s->mesh.nblock = nzone;
    for (int z = 0; z < nzone; z++) {
        s->place[z] = place_of(synthetic_random(&state, 24), &box[z], s->mesh.block[z].n);
        snprintf(s->mesh.block[z].name, AN_NAME, "zone %d", z);
    }
    name_boundaries(&s->mesh, 6);
    for (int z = 0; z < nzone; z++)
        for (int face = 0; face < 6; face++)
            join_face(s, box, z, face / 2, face % 2);
    free(box);
}

void synthetic_c_grid(int wake, int wall, int nj, int nk, struct an_topology *mesh)
{
    int ni = 2 * wake + wall;
    an_topology_init(mesh);
    mesh->nblock = 1;
    mesh->block = calloc(1, sizeof *mesh->block);
    mesh->block[0] = (struct an_zone){.name = "c", .n = {ni, nj, nk}};
    name_boundaries(mesh, 6);
    for (int s = 0; s < 2; s++) {
        struct an_interface f = {.name = "wake", .donor = 0, .donor_dir = 1, .partner = -1};
        f.window = (struct an_window){
            .dir = 1, .lo = {s ? wake + wall : 0, 0, 0}, .hi = {s ? ni : wake, 0, nk}};
        f.map = (struct an_cellmap){{0, 1, 2}, {-1, -1, 1}, {ni - 1, -1, 0}};
        f.rotation[0] = f.rotation[4] = f.rotation[8] = 1;
        add_interface(mesh, &f);
    }
    add_patch(mesh, (struct an_window){.dir = 1, .lo = {wake, 0, 0}, .hi = {wake + wall, 0, nk}},
              0);
    add_patch(mesh, (struct an_window){.dir = 1, .side = 1, .hi = {ni, 0, nk}}, 1);
    for (int s = 0; s < 2; s++) {
        add_patch(mesh, (struct an_window){.dir = 0, .side = s, .hi = {0, nj, nk}}, 2 + s);
        add_patch(mesh, (struct an_window){.dir = 2, .side = s, .hi = {ni, nj, 0}}, 4 + s);
    }
}

void synthetic_free(struct synthetic *s)
{
    an_topology_free(&s->mesh);
    free(s->place);
    memset(s, 0, sizeof *s);
}

void synthetic_cell(const struct synthetic *s, int zone, const int c[3], int box[3])
{
    an_cellmap_apply(&s->place[zone], c, box);
    for (int d = 0; d < 3; d++)
        box[d] = (box[d] + s->size[d]) % s->size[d];
}
