// One-to-one interfaces. Two face cells with the same four places are a pair; pairs are gathered
// into the largest rectangles over which the partner moves in step. A pair may lie on one face of
// one block: the cut of a C, where the first nodes of a side meet the last ones.
#include <stdint.h>
#include <stdlib.h>

#include "grid.h"

struct cell { // of a face
    int block, face, u, v;
};

struct joiner {
    struct grid *g;
    int **id;   // place of every node of a free face
    int **from; // the same, of the nodes of a pair's first cell: id, or moved places
    struct motion motion;
    struct cell *cell; // [cells] free face cells with four different nodes (owned)
    int *mate;         // [cells] -1: none (owned)
    int cells;
    int **number; // [block * 6 + face] face cell -> cell, -1: not in the list (owned)
};

static int id_at(const struct joiner *s, int **id, const struct cell *c, int du, int dv)
{
    return id[c->block][face_node(&s->g->block[c->block], c->face, c->u + du, c->v + dv)];
}

// The cell's places, ascending; false when two are the same or there is none.
static bool places_of(const struct joiner *s, int **id, const struct cell *c, int p[4])
{
    for (int l = 0; l < 4; l++) {
        const int v = id_at(s, id, c, l % 2, l / 2);
        int m = l;
        for (; m > 0 && p[m - 1] > v; m--)
            p[m] = p[m - 1];
        p[m] = v;
    }
    return p[0] >= 0 && p[0] != p[1] && p[1] != p[2] && p[2] != p[3];
}

// May the face cell be joined? Lists of connectivity and of boundaries say of all faces which ones are joined.
static bool may_join(const struct joiner *s, int block, int face, int u, int v)
{
    const struct grid *g = s->g;
    bool seam = !g->seams || motion_is_none(&s->motion);
    for (int k = 0; k < g->seams && !seam; k++)
        seam = window_has(&g->seam[k], block, face, u, v);
    return seam && (!g->pairs || connectivity_lists(g, block, face, u, v));
}

static int list_cells(struct joiner *s)
{
    struct grid *g = s->g;
    size_t most = 0;
    for (int k = 0; k < g->blocks; k++)
        for (int f = 0; f < 6; f++)
            most += face_cells(&g->block[k], f);
    s->cell = malloc(most * sizeof *s->cell);
    s->mate = malloc(most * sizeof *s->mate);
    s->number = calloc(6 * (size_t)g->blocks, sizeof *s->number);
    if (!s->cell || !s->mate || !s->number)
        return no_memory();
    for (int k = 0; k < g->blocks; k++)
        for (int f = 0; f < 6; f++) {
            const struct block *b = &g->block[k];
            const int nu = b->n[face_u(f)] - 1, n = (int)face_cells(b, f);
            int *number = s->number[6 * k + f] = malloc((size_t)n * sizeof *number);
            if (!number)
                return no_memory();
            for (int l = 0; l < n; l++) {
                const struct cell c = {k, f, l % nu, l / nu};
                int p[4];
                number[l] = -1;
                if (b->cover[f][l] || !places_of(s, s->id, &c, p) || !may_join(s, k, f, c.u, c.v))
                    continue;
                number[l] = s->cells;
                s->mate[s->cells] = -1;
                s->cell[s->cells++] = c;
            }
        }
    return EXIT_DONE;
}

static uint64_t hash_of(const int p[4])
{
    uint64_t h = 1469598103934665603u;
    for (int d = 0; d < 4; d++) {
        h = (h ^ (uint64_t)p[d]) * 1099511628211u;
        h ^= h >> 31;
    }
    return h;
}

static int pair(struct joiner *s, int c, int l)
{
    const struct block *a = &s->g->block[s->cell[c].block], *b = &s->g->block[s->cell[l].block];
    if (s->mate[l] >= 0 || s->mate[c] >= 0)
        return fail("zones %s and %s: more than two faces coincide at %s", a->name, b->name,
                    face_name(a, s->cell[c].face));
    s->mate[c] = l;
    s->mate[l] = c;
    return EXIT_DONE;
}

// Pairs each cell with the one whose places are the cell's own, moved by the motion if there is one.
static int find_mates(struct joiner *s)
{
    const bool moved = s->from != s->id;
    size_t buckets = 1;
    while (buckets < 2 * (size_t)s->cells)
        buckets *= 2;
    int *first = malloc(buckets * sizeof *first), rc = EXIT_DONE;
    int *next = malloc(((size_t)s->cells + 1) * sizeof *next);
    if (!first || !next)
        rc = no_memory();
    for (size_t l = 0; l < buckets && !rc; l++)
        first[l] = -1;
    for (int turn = 0; turn <= moved && !rc; turn++) // moved: all cells are listed first
        for (int c = 0; c < s->cells && !rc; c++) {
            int p[4], q[4];
            const bool look = !moved || turn;
            const bool there = places_of(s, look ? s->from : s->id, &s->cell[c], p);
            int *bucket = &first[hash_of(p) & (buckets - 1)];
            for (int l = *bucket; l >= 0 && look && there && !rc; l = next[l]) {
                places_of(s, s->id, &s->cell[l], q);
                if (l == c || p[0] != q[0] || p[1] != q[1] || p[2] != q[2] || p[3] != q[3])
                    continue;
                rc = pair(s, c, l);
                break;
            }
            if (!turn) {
                next[c] = *bucket;
                *bucket = c;
            }
        }
    free(first);
    free(next);
    return rc;
}

// How the mate's indices follow the cell's: mate = origin + along[0] * (step in u) + along[1] *
// (step in v).
struct pairing {
    int corner[2];   // of the mate at the cell's corner (0, 0), as steps in u and v
    int along[2][2]; // +-1 in one entry each
};

static bool pairing_of(const struct joiner *s, int c, struct pairing *p)
{
    const struct cell *a = &s->cell[c], *b = &s->cell[s->mate[c]];
    const int want[3] = {id_at(s, s->from, a, 0, 0), id_at(s, s->from, a, 1, 0),
                         id_at(s, s->from, a, 0, 1)};
    int found[3][2] = {{0}};
    for (int w = 0; w < 3; w++)
        for (int l = 0; l < 4; l++)
            if (id_at(s, s->id, b, l % 2, l / 2) == want[w]) {
                found[w][0] = l % 2;
                found[w][1] = l / 2;
            }
    for (int d = 0; d < 2; d++) {
        p->corner[d] = found[0][d];
        p->along[0][d] = found[1][d] - found[0][d];
        p->along[1][d] = found[2][d] - found[0][d];
    }
    // a diagonal: the four nodes are the same but not in the same order
    return abs(p->along[0][0]) + abs(p->along[0][1]) == 1 &&
           abs(p->along[1][0]) + abs(p->along[1][1]) == 1;
}

// Is the cell (u, v) steps from c free, and its mate as many steps from c's?
static bool in_step(const struct joiner *s, int c, const struct pairing *p, int u, int v)
{
    const struct cell *a = &s->cell[c], *b = &s->cell[s->mate[c]];
    const struct block *block = &s->g->block[a->block];
    const int nu = block->n[face_u(a->face)] - 1, nv = block->n[face_v(a->face)] - 1;
    if (a->u + u >= nu || a->v + v >= nv)
        return false;
    const int l = (a->v + v) * nu + a->u + u, other = s->number[6 * a->block + a->face][l];
    if (other < 0 || s->mate[other] < 0 || block->cover[a->face][l])
        return false;
    const struct cell *m = &s->cell[s->mate[other]];
    struct pairing q;
    if (m->block != b->block || m->face != b->face || !pairing_of(s, other, &q))
        return false;
    for (int d = 0; d < 2; d++)
        if (q.corner[d] != p->corner[d] || q.along[0][d] != p->along[0][d] ||
            q.along[1][d] != p->along[1][d])
            return false;
    return m->u == b->u + u * p->along[0][0] + v * p->along[1][0] &&
           m->v == b->v + u * p->along[0][1] + v * p->along[1][1];
}

// Marks the cell and its mate as belonging to the interface `mark`; 0 frees them.
static void mark(struct joiner *s, int c, int u, int v, int value)
{
    const struct cell *a = &s->cell[c];
    const int nu = s->g->block[a->block].n[face_u(a->face)] - 1, l = (a->v + v) * nu + a->u + u;
    const struct cell *m = &s->cell[s->mate[s->number[6 * a->block + a->face][l]]];
    const struct block *b = &s->g->block[m->block];
    s->g->block[a->block].cover[a->face][l] = value;
    b->cover[m->face][m->v * (b->n[face_u(m->face)] - 1) + m->u] = value;
}

static int sign_of_side(int face)
{
    return face % 2 ? -1 : 1;
}

// Cells (0..nu) x (0..nv) from c on as an interface.
static struct link link_of(const struct joiner *s, int c, const struct pairing *p, int nu, int nv)
{
    const struct cell *a = &s->cell[c], *b = &s->cell[s->mate[c]];
    const struct block *za = &s->g->block[a->block], *zb = &s->g->block[b->block];
    struct link k = {.a = a->block, .b = b->block, .motion = s->motion};
    const int da = a->face / 2, db = b->face / 2;
    const int ta[2] = {face_u(a->face), face_v(a->face)},
              tb[2] = {face_u(b->face), face_v(b->face)};
    const int start[2] = {a->u, a->v}, size[2] = {nu, nv};
    const int start_b[2] = {b->u + p->corner[0], b->v + p->corner[1]};
    k.begin[da] = k.end[da] = a->face % 2 ? za->n[da] - 1 : 0;
    k.begin_b[db] = k.end_b[db] = b->face % 2 ? zb->n[db] - 1 : 0;
    // what goes out of a's face goes into b's
    k.transform[da] = -sign_of_side(a->face) * sign_of_side(b->face) * (db + 1);
    for (int t = 0; t < 2; t++) {
        k.begin[ta[t]] = start[t];
        k.end[ta[t]] = start[t] + size[t];
        k.begin_b[tb[t]] = start_b[t];
        k.end_b[tb[t]] = start_b[t] + nu * p->along[0][t] + nv * p->along[1][t];
        for (int d = 0; d < 2; d++)
            if (p->along[t][d])
                k.transform[ta[t]] = p->along[t][d] * (tb[d] + 1);
    }
    return k;
}

static int determinant(const int t[3])
{
    int order = 1;
    for (int a = 0; a < 3; a++)
        for (int b = a + 1; b < 3; b++)
            order *= abs(t[a]) > abs(t[b]) ? -1 : 1;
    return order * (t[0] < 0 ? -1 : 1) * (t[1] < 0 ? -1 : 1) * (t[2] < 0 ? -1 : 1);
}

static int gather(struct joiner *s, int c)
{
    struct grid *g = s->g;
    const struct cell *a = &s->cell[c];
    struct pairing p;
    if (!pairing_of(s, c, &p))
        return EXIT_DONE;
    const int value = -(g->links + 1);
    int nu = 0, nv = 0, got = 0;
    for (; in_step(s, c, &p, nu, 0); nu++)
        mark(s, c, nu, 0, value);
    do { // rows; one that does not fit as a whole is given back
        nv++;
        for (got = 0; got < nu && in_step(s, c, &p, got, nv); got++)
            mark(s, c, got, nv, value);
    } while (got == nu);
    while (got-- > 0)
        mark(s, c, got, nv, 0);
    struct link *grown = realloc(g->link, ((size_t)g->links + 1) * sizeof *grown);
    if (!grown)
        return no_memory();
    g->link = grown;
    g->link[g->links] = link_of(s, c, &p, nu, nv);
    const struct link *k = &g->link[g->links++];
    if (determinant(k->transform) != 1)
        return fail("zone %s, %s: coincides with %s of zone %s, but both blocks lie on the same "
                    "side of it",
                    g->block[a->block].name, face_name(&g->block[a->block], a->face),
                    face_name(&g->block[k->b], s->cell[s->mate[c]].face), g->block[k->b].name);
    return EXIT_DONE;
}

// Nodes of an interface's second side become the moved ones of its first side to the last bit.
static void align(struct grid *g, const struct link *k)
{
    const struct block *a = &g->block[k->a], *b = &g->block[k->b];
    int p[3], q[3], step[3], n[3];
    for (int d = 0; d < 3; d++) {
        step[d] = k->end[d] >= k->begin[d] ? 1 : -1;
        n[d] = abs(k->end[d] - k->begin[d]) + 1;
    }
    for (int l2 = 0; l2 < n[2]; l2++)
        for (int l1 = 0; l1 < n[1]; l1++)
            for (int l0 = 0; l0 < n[0]; l0++) {
                const int l[3] = {l0, l1, l2};
                double x[3];
                for (int d = 0; d < 3; d++) {
                    const int t = abs(k->transform[d]) - 1;
                    p[d] = k->begin[d] + step[d] * l[d];
                    q[t] = k->begin_b[t] + step[d] * l[d] * (k->transform[d] < 0 ? -1 : 1);
                }
                const size_t from = at(a, p[0], p[1], p[2]), to = at(b, q[0], q[1], q[2]);
                motion_apply(&k->motion, (double[3]){a->x[0][from], a->x[1][from], a->x[2][from]},
                             x);
                for (int d = 0; d < 3; d++)
                    b->x[d][to] = x[d];
            }
}

// All interfaces of one kind: coinciding faces, or faces that the motion takes to each other.
static int join_all(struct joiner *s)
{
    struct grid *g = s->g;
    const int before = g->links;
    s->cells = 0;
    int rc = list_cells(s);
    if (!rc)
        rc = find_mates(s);
    for (int c = 0; c < s->cells && !rc; c++) {
        const struct cell *a = &s->cell[c];
        const struct block *b = &g->block[a->block];
        int p[4];
        if (s->mate[c] >= 0 && !b->cover[a->face][a->v * (b->n[face_u(a->face)] - 1) + a->u] &&
            places_of(s, s->from, a, p)) // the cell that moves is the first of its pair
            rc = gather(s, c);
    }
    for (int l = before; l < g->links && !rc && !motion_is_none(&s->motion); l++)
        align(g, &g->link[l]);
    for (int k = 0; s->number && k < 6 * g->blocks; k++)
        free(s->number[k]);
    free(s->number);
    free(s->cell);
    free(s->mate);
    s->number = NULL;
    s->cell = NULL;
    s->mate = NULL;
    return rc;
}

// text: the motion of --periodic; NULL: `motion`.
static int join_periodic(struct joiner *s, const struct places *places, const char *text,
                         const struct motion *motion)
{
    int **moved = calloc((size_t)s->g->blocks, sizeof *moved);
    if (!moved)
        return no_memory();
    const int before = s->g->links;
    int rc = EXIT_DONE;
    if (text)
        rc = motion_parse(&s->motion, text);
    else
        s->motion = *motion;
    if (!rc)
        rc = places_moved(places, s->g, &s->motion, s->id, moved);
    s->from = moved;
    if (!rc)
        rc = join_all(s);
    if (!rc && text && s->g->links == before)
        rc = fail("--periodic %s: no face lies on another one after this motion", text);
    for (int k = 0; k < s->g->blocks; k++)
        free(moved[k]);
    free(moved);
    return rc;
}

int grid_join(struct grid *g, const struct options *o)
{
    struct joiner s = {.g = g, .id = calloc((size_t)g->blocks, sizeof *s.id)};
    struct places *places = NULL;
    if (!s.id)
        return no_memory();
    s.from = s.id;
    int rc = places_new(&places, g, o->tolerance, o->share, s.id);
    if (!rc && grid_orient(g)) // nodes that a large tolerance has thrown together
        rc = fail("this is so since coinciding nodes were made one: a smaller %s keeps them apart",
                  o->tolerance > 0 ? "--tolerance" : "--share");
    if (!rc && (o->join || o->connectivity))
        rc = join_all(&s);
    for (int k = 0; k < g->motions && !rc; k++)
        rc = join_periodic(&s, places, NULL, &g->motion[k]);
    for (int k = 0; k < o->periodics && !rc; k++)
        rc = join_periodic(&s, places, o->periodic[k], NULL);
    if (!rc && o->connectivity)
        rc = connectivity_check(g, o->connectivity);
    places_free(places);
    for (int k = 0; k < g->blocks; k++)
        free(s.id[k]);
    free(s.id);
    return rc;
}
