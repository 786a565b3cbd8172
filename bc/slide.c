#define AN_PRECISION 64
#include "bc/slide.h"

#include "kernels/base/portable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

#define SAME      1e-6 /* of the span: edges of two sides that are one */
#define GAP       1e-4 /* of a face: between the edges of neighbours */
#define NO_SLIVER 1e-9

/* A face on its way into its ring. */
struct entry {
    int ring;
    double low; /* lower edge, in the ring's first sector */
    int64_t face;
};

static int by_angle(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    if (p->ring != q->ring)
        return p->ring < q->ring ? -1 : 1;
    return p->low < q->low ? -1 : p->low > q->low;
}

struct maker {
    const struct an_slide_face *face;
    int64_t nface;
    int nring, fault;
    struct entry *entry;        /* [nface] by ring and angle; owned */
    struct an_slide_ring *ring; /* [nring] with equal edges; owned */
    struct an_slide_map *map;
};

static double *ring_words(const struct an_slide_map *m, int ring)
{
    return m->word + (int64_t)m->word[1] + AN_SLIDE_RING * (int64_t)ring;
}

static double *face_words(const struct an_slide_map *m, int64_t face)
{
    return m->word + (int64_t)m->word[0] + AN_SLIDE_FACE * face;
}

/* Checks the rings of a side, and takes edges of the other side that are nearly the same. */
static int place_rings(struct maker *k, const struct an_slide_plane *p, int side)
{
    struct an_slide_ring *r = k->ring + p->first[side];
    const struct an_slide_ring *o = k->ring + p->first[!side];
    const int n = p->n[side];
    for (int m = 0; m < n; m++) {
        const double after = m + 1 < n ? r[m + 1].low : 1, before = m ? r[m - 1].high : 0;
        k->fault = p->first[side] + m;
        AN_CHECK(r[m].high > r[m].low && fabs(r[m].high - after) < SAME &&
                     fabs(r[m].low - before) < SAME,
                 AN_INPUT, "rings of faces leave a gap in the span or overlap");
        r[m].low = before;
        r[m].high = after;
    }
    for (int m = 0; side && m + 1 < n; m++)
        for (int q = 0; q + 1 < p->n[0]; q++)
            if (fabs(r[m].high - o[q].high) < SAME)
                r[m].high = r[m + 1].low = o[q].high;
    k->fault = -1;
    return AN_OK;
}

/* Does a ring belong to a row of one passage whose plane has more of them? */
static int is_lagged(int nplane, const struct an_slide_plane *plane, int ring)
{
    for (int p = 0; p < nplane; p++)
        for (int side = 0; side < 2; side++)
            if (plane[p].passages[side] > 1 && ring >= plane[p].first[side] &&
                ring < plane[p].first[side] + plane[p].n[side])
                return 1;
    return 0;
}

/* Angles within one sector from the lowest of each ring on, whatever the order of the faces. With phase lag the
 * passage of a face follows from its angle, so there the angle must not jump. */
static int sort_faces(struct maker *k, int nplane, const struct an_slide_plane *plane,
                      const double *sector)
{
    double *start = malloc(((size_t)k->nring + 1) * sizeof *start);
    AN_CHECK(start, AN_FAIL, "out of memory for sliding planes");
    for (int r = 0; r < k->nring; r++)
        start[r] = NAN;
    for (int64_t f = 0; f < k->nface; f++) {
        const int r = k->face[f].ring;
        start[r] = fmin(start[r], k->face[f].edge[AN_SLIDE_AT_FACE][0]); /* NaN does not count */
    }
    for (int64_t f = 0; f < k->nface; f++) {
        const int r = k->face[f].ring;
        const double low = k->face[f].edge[AN_SLIDE_AT_FACE][0];
        const double p = sector[r], turns = floor((low - start[r]) / p + 1e-9);
        if (turns != 0 && is_lagged(nplane, plane, r))
            k->fault = r;
        k->entry[f] = (struct entry){r, low - turns * p, f};
    }
    free(start);
    AN_CHECK(k->fault < 0, AN_INPUT,
             "with march.phase_lag the faces of a passage must not pass the angle of 180 degrees "
             "about the "
             "axis (y < 0, z = 0): turn the mesh of the row about the axis");
    qsort(k->entry, (size_t)k->nface, sizeof *k->entry, by_angle);
    return AN_OK;
}

/* Edges and order of one ring of n faces, whose entries are e; `at`: where edges begin in the
 * map. */
static int fill_ring(struct maker *k, int r, const struct entry *e, int n, double sector,
                     int64_t at)
{
    double *words = ring_words(k->map, r), *map = k->map->word;
    double *order = map + (int64_t)map[2] + (int64_t)words[AN_SLIDE_FIRST];
    k->fault = r;
    AN_CHECK(n > 0, AN_INPUT, "a ring has no faces");
    words[AN_SLIDE_COUNT] = n;
    for (int set = 0; set < AN_SLIDE_NSET; set++) {
        double *edge = map + at + set * ((int64_t)n + 1);
        words[AN_SLIDE_EDGES + set] = (double)(at + set * ((int64_t)n + 1));
        for (int i = 0; i < n; i++) {
            const struct an_slide_face *f = &k->face[e[i].face];
            edge[i] = f->edge[set][0] + (e[i].low - f->edge[AN_SLIDE_AT_FACE][0]);
        }
        edge[n] = edge[0] + sector;
        for (int i = 0; i < n; i++)
            AN_CHECK(edge[i + 1] > edge[i], AN_INPUT, "faces of a ring lie upon each other");
    }
    for (int i = 0; i < n; i++) {
        const struct an_slide_face *f = &k->face[e[i].face];
        const double wide = f->edge[0][1] - f->edge[0][0];
        const double next = i + 1 < n ? e[i + 1].low : e[0].low + sector;
        double *w = face_words(k->map, e[i].face);
        AN_CHECK(fabs(e[i].low + wide - next) < GAP * wide, AN_INPUT,
                 "faces of a ring do not lie side by side around one pitch of %.6g degrees",
                 sector * 180 / pi);
        order[i] = (double)e[i].face;
        w[AN_SLIDE_IN_RING] = r;
        w[AN_SLIDE_PLACE] = i;
        for (int m = 0; m < AN_SLIDE_NSET + 2; m++) { /* cells, then ghosts */
            const int set = m < AN_SLIDE_NSET ? m : m - AN_SLIDE_NSET + 1;
            const double middle = 0.5 * (f->edge[set][0] + f->edge[set][1]);
            const double angle =
                m < AN_SLIDE_NSET ? middle : f->edge[0][0] + f->edge[0][1] - middle;
            w[AN_SLIDE_FRAME + 2 * m] = cos(angle);
            w[AN_SLIDE_FRAME + 2 * m + 1] = sin(angle);
        }
    }
    k->fault = -1;
    return AN_OK;
}

/* Writes the ring's span, and which rings of the other side it overlaps. */
static void pair_ring(struct maker *k, int plane, const struct an_slide_plane *p, int side, int r)
{
    double *w = ring_words(k->map, r);
    const struct an_slide_ring *mine = &k->ring[r];
    const int first = p->first[!side], last = first + p->n[!side] - 1;
    int a = first, b = last;
    while (a < last && k->ring[a].high <= mine->low + NO_SLIVER)
        a++;
    while (b > a && k->ring[b].low >= mine->high - NO_SLIVER)
        b--;
    w[AN_SLIDE_SECTOR] = p->sector[side];
    w[AN_SLIDE_PASSAGES] = p->passages[side] > 1 ? p->passages[side] : 1;
    w[AN_SLIDE_LOW] = mine->low;
    w[AN_SLIDE_HIGH] = mine->high;
    w[AN_SLIDE_PLANE] = plane + (p->passages[side] > 1 ? side : 0);
    w[AN_SLIDE_SIGN] = side ? -1 : 1;
    w[AN_SLIDE_DONOR] = a;
    w[AN_SLIDE_DONOR_LAST] = b;
    w[AN_SLIDE_OTHER] = first;
    w[AN_SLIDE_OTHER_LAST] = last;
    w[AN_SLIDE_RADIUS] = mine->radius;
}

/* The sum of the areas of each ring and of the other side's share. It is the same at any angle.
 * Faces are added in the order of their angles: their numbers depend on the ranks. */
static int find_misfits(struct maker *k, int nplane)
{
    double *const map = k->map->word;
    double *density = malloc(((size_t)k->nface * 3 + 1) * sizeof *density);
    double *turn = calloc((size_t)nplane + 1, sizeof *turn);
    for (int64_t f = 0; density && turn && f < k->nface; f++)
        for (int c = 0; c < 3; c++)
            density[3 * f + c] = k->face[f].area[c] / an_slide_extent(map, f);
    for (int64_t m = 0; density && turn && m < k->nface; m++) {
        const int64_t f = k->entry[m].face;
        double other[AN_SLIDE_WORDS], *w = ring_words(k->map, k->face[f].ring);
        an_slide_mean_f64(map, f, AN_SLIDE_AT_FACE, turn, density, 3, 0, 3, 0, other);
        for (int c = 0; c < 3; c++)
            w[AN_SLIDE_MISFIT + c] += k->face[f].area[c] + an_slide_extent(map, f) * other[c];
    }
    const int status =
        density && turn ? AN_OK : an_error_set(AN_FAIL, "out of memory for sliding planes");
    free(density);
    free(turn);
    return status;
}

static int make_sides(struct maker *k, int nplane, const struct an_slide_plane *plane,
                      const double *sector)
{
    struct an_slide_map *m = k->map;
    const int64_t faces = 4, rings = faces + AN_SLIDE_FACE * k->nface;
    const int64_t order = rings + AN_SLIDE_RING * (int64_t)k->nring, edges = order + k->nface;
    m->n = edges + AN_SLIDE_NSET * (k->nface + k->nring);
    m->word = calloc((size_t)m->n, sizeof *m->word);
    AN_CHECK(m->word, AN_FAIL, "out of memory for sliding planes");
    m->word[0] = (double)faces;
    m->word[1] = (double)rings;
    m->word[2] = (double)order;
    AN_TRY(sort_faces(k, nplane, plane, sector));
    int64_t at = 0;
    for (int r = 0; r < k->nring; r++) {
        int n = 0;
        while (at + n < k->nface && k->entry[at + n].ring == r)
            n++;
        ring_words(m, r)[AN_SLIDE_FIRST] = (double)at;
        AN_TRY(fill_ring(k, r, k->entry + at, n, sector[r], edges + AN_SLIDE_NSET * (at + r)));
        at += n;
    }
    for (int p = 0; p < nplane; p++)
        for (int side = 0; side < 2; side++)
            for (int r = 0; r < plane[p].n[side]; r++)
                pair_ring(k, p, &plane[p], side, plane[p].first[side] + r);
    return find_misfits(k, nplane);
}

int an_slide_map_new(int nplane, const struct an_slide_plane *plane, int nring,
                     const struct an_slide_ring *ring, int64_t nface,
                     const struct an_slide_face *face, struct an_slide_map *map, int *fault)
{
    struct maker k = {.face = face,
                      .nface = nface,
                      .nring = nring,
                      .fault = -1,
                      .entry = malloc(((size_t)nface + 1) * sizeof *k.entry),
                      .ring = malloc(((size_t)nring + 1) * sizeof *k.ring),
                      .map = map};
    double *sector = malloc(((size_t)nring + 1) * sizeof *sector);
    int status = k.entry && k.ring && sector
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for sliding planes");
    *map = (struct an_slide_map){0};
    if (status == AN_OK)
        memcpy(k.ring, ring, (size_t)nring * sizeof *k.ring);
    for (int p = 0; p < nplane; p++)
        for (int side = 0; side < 2 && status == AN_OK; side++) {
            status = place_rings(&k, &plane[p], side);
            for (int r = 0; r < plane[p].n[side]; r++)
                sector[plane[p].first[side] + r] = plane[p].sector[side];
        }
    if (status == AN_OK)
        status = make_sides(&k, nplane, plane, sector);
    *fault = k.fault;
    free(k.entry);
    free(k.ring);
    free(sector);
    if (status != AN_OK)
        an_slide_map_free(map);
    return status;
}

void an_slide_map_free(struct an_slide_map *map)
{
    free(map->word);
    *map = (struct an_slide_map){0};
}

int an_slide_copies(const double pitch[2], int copies[2])
{
    const double turn = 2 * pi, ratio = pitch[0] / pitch[1];
    for (int a = 1; a * pitch[0] <= turn * (1 + 1e-9); a++) {
        const double b = round(a * ratio);
        if (b >= 1 && fabs(a * ratio - b) < 1e-6 * b) {
            copies[0] = a;
            copies[1] = (int)b;
            return 1;
        }
    }
    return 0;
}

double an_slide_turn(double rate, int64_t steps, double dt, double rest, double sector)
{
    /* steps that turn by whole parts of the sector are counted modulo their number */
    const double each = rate * dt, whole = each != 0 ? sector / fabs(each) : 0;
    double angle = fmod(each * (double)steps, sector);
    if (whole >= 1 && whole < 1e9 && fabs(whole - round(whole)) < 1e-9 * whole) {
        const int64_t n = (int64_t)round(whole);
        angle = (each < 0 ? -1 : 1) * sector * ((double)(steps % n) / (double)n);
    }
    angle = fmod(angle + fmod(rate * rest, sector), sector);
    return angle < 0 ? angle + sector : angle;
}
