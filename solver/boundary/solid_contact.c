#include "solver/boundary/solid_contact.h"

#include "kernels/base/error.h"
#include "kernels/base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4 }; /* of a face along an edge, at most */

/* Two facets for each face of the solid that may be touched, facet 2 f + t: corners t = 0: 0, 1, 2; t = 1: 0, 2, 3. */
struct facets {
    const struct an_solid_mesh *m;
    int64_t n;
    int64_t *face;   /* [n / 2] of the solid; owned */
    double (*at)[9]; /* [n]; owned */
    int32_t *order;  /* [n] of the tree; owned */
    double *tree;    /* owned */
};

static const struct an_solid_face *face_of(const struct facets *s, int64_t facet)
{
    return &s->m->face[s->face[facet / 2]];
}

static int corner_of(int64_t facet, int corner)
{
    return corner ? corner + (int)(facet % 2) : 0;
}

static void facets_free(struct facets *s)
{
    free(s->face);
    free(s->at);
    free(s->order);
    free(s->tree);
}

static int facets_new(const struct an_solid_mesh *m, const char *touches, int nimage,
                      const struct an_wall_image *image, struct facets *s)
{
    int64_t length;
    *s = (struct facets){.m = m};
    s->face = malloc(((size_t)m->nface + 1) * sizeof *s->face);
    s->at = malloc((2 * (size_t)m->nface + 1) * sizeof *s->at);
    s->order = malloc((2 * (size_t)m->nface + 1) * sizeof *s->order);
    AN_CHECK(s->face && s->at && s->order, AN_FAIL, "out of memory for a solid");
    for (int64_t f = 0; f < m->nface; f++) {
        if (!touches[m->face[f].boundary])
            continue;
        s->face[s->n / 2] = f;
        for (int t = 0; t < 2; t++, s->n++)
            for (int c = 0; c < 3; c++)
                memcpy(s->at[s->n] + 3 * c, m->x[m->face[f].corner[corner_of(s->n, c)]],
                       3 * sizeof(double));
    }
    const struct an_wall_part part = {
        .nfacet = s->n, .facet = (const double(*)[9])s->at, .nimage = nimage, .image = image};
    return an_wall_surface_tree(1, &part, &length, &s->tree, s->order);
}

/* Where on the unit square of a face of the solid the point of a facet nearest to x lies, (0, 0), (1, 0), (1, 1) and (0, 1) being
 * its corners. */
static void place_on_facet(const double at[9], int second, const double x[3], double place[2])
{
    double b[3], c[3], d[3];
    for (int q = 0; q < 3; q++) {
        b[q] = at[3 + q] - at[q];
        c[q] = at[6 + q] - at[q];
        d[q] = x[q] - at[q];
    }
    const double bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    const double cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    const double bc = b[0] * c[0] + b[1] * c[1] + b[2] * c[2];
    const double bd = b[0] * d[0] + b[1] * d[1] + b[2] * d[2];
    const double cd = c[0] * d[0] + c[1] * d[1] + c[2] * d[2];
    const double det = bb * cc - bc * bc;
    double v = det > 0 ? (cc * bd - bc * cd) / det : 0, u = det > 0 ? (bb * cd - bc * bd) / det : 0;
    v = fmin(fmax(v, 0), 1);
    u = fmin(fmax(u, 0), 1);
    const double over = fmax(u + v, 1); /* points beyond the third edge go to it */
    place[0] = second ? v / over : (u + v) / over;
    place[1] = second ? (u + v) / over : u / over;
}

/* The bilinear weights of the corners of a face at its point nearest to x, by Gauss and Newton from the place on a
 * facet. The weights of the facet itself would leave the corner that is not its own without heat. */
static void weigh(double (*const corner[4])[3], const double x[3], const double from[2],
                  double w[4])
{
    double p[2] = {from[0], from[1]};
    for (int time = 0; time < 5; time++) {
        double along[2][3], off[3], a[2][2] = {{0}}, r[2] = {0};
        for (int q = 0; q < 3; q++) {
            const double e0 = (*corner[1])[q] - (*corner[0])[q],
                         e1 = (*corner[3])[q] - (*corner[0])[q];
            const double warp = (*corner[2])[q] - (*corner[0])[q] - e0 - e1;
            along[0][q] = e0 + p[1] * warp;
            along[1][q] = e1 + p[0] * warp;
            off[q] = x[q] - (*corner[0])[q] - p[0] * e0 - p[1] * e1 - p[0] * p[1] * warp;
        }
        for (int m = 0; m < 2; m++)
            for (int q = 0; q < 3; q++) {
                r[m] += along[m][q] * off[q];
                a[m][0] += along[m][q] * along[0][q];
                a[m][1] += along[m][q] * along[1][q];
            }
        const double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        if (!(det > 1e-12 * a[0][0] * a[1][1])) /* an edge has no length */
            break;
        p[0] = fmin(fmax(p[0] + (a[1][1] * r[0] - a[0][1] * r[1]) / det, 0), 1);
        p[1] = fmin(fmax(p[1] + (a[0][0] * r[1] - a[1][0] * r[0]) / det, 0), 1);
    }
    w[0] = (1 - p[0]) * (1 - p[1]);
    w[1] = p[0] * (1 - p[1]);
    w[2] = p[0] * p[1];
    w[3] = (1 - p[0]) * p[1];
}

/* The point (a, b) of the unit square on a face. */
static void point_of(const struct an_gas_face *f, double a, double b, double x[3])
{
    for (int c = 0; c < 3; c++)
        x[c] = (1 - b) * ((1 - a) * f->corner[0][c] + a * f->corner[1][c]) +
               b * ((1 - a) * f->corner[3][c] + a * f->corner[2][c]);
}

struct hit {
    int64_t facet;
    double distance, weight[4];
};

static struct hit nearest(const struct facets *s, const struct an_wall_image *image,
                          const double x[3])
{
    struct hit h;
    int64_t which, instance;
    double y[3];
    h.distance = an_wall_tree_instance(s->tree, x[0], x[1], x[2], &which, &instance);
    h.facet = s->order[which];
    const struct an_wall_image *g = &image[instance];
    for (int c = 0; c < 3; c++)
        y[c] = g->rotation[3 * c] * x[0] + g->rotation[3 * c + 1] * x[1] +
               g->rotation[3 * c + 2] * x[2] + g->translation[c];
    double place[2], (*corner[4])[3];
    for (int k = 0; k < 4; k++)
        corner[k] = &s->m->x[face_of(s, h.facet)->corner[k]];
    place_on_facet(s->at[h.facet], (int)(h.facet % 2), y, place);
    weigh(corner, y, place, h.weight);
    return h;
}

/* Samples along an edge e of the gas: its length over that of the solid's face along it. */
static int samples(const struct facets *s, int64_t facet, const double e[3])
{
    const struct an_solid_face *f = face_of(s, facet);
    const double length = an_length(e);
    double least = INFINITY, greatest = -INFINITY;
    if (!(length > 0))
        return 1;
    for (int c = 0; c < 4; c++) {
        const double *x = s->m->x[f->corner[c]];
        const double along = (x[0] * e[0] + x[1] * e[1] + x[2] * e[2]) / length;
        least = fmin(least, along);
        greatest = fmax(greatest, along);
    }
    const double ratio = length / (greatest - least);
    return ratio > 1 ? ratio < SAMPLES ? (int)ceil(ratio) : SAMPLES : 1;
}

static double longest_edge(const struct an_gas_face *f)
{
    double longest = 0;
    for (int c = 0; c < 4; c++) {
        double e[3];
        for (int q = 0; q < 3; q++)
            e[q] = f->corner[(c + 1) % 4][q] - f->corner[c][q];
        longest = fmax(longest, an_length(e));
    }
    return longest;
}

static void place_face(const struct facets *s, const struct an_wall_image *image,
                       const struct an_gas_face *f, int64_t number, struct an_solid_contact *c)
{
    double x[3], a[3], b[3];
    point_of(f, 0.5, 0.5, x);
    for (int q = 0; q < 3; q++) {
        a[q] = 0.5 * (f->corner[1][q] + f->corner[2][q] - f->corner[0][q] - f->corner[3][q]);
        b[q] = 0.5 * (f->corner[3][q] + f->corner[2][q] - f->corner[0][q] - f->corner[1][q]);
    }
    const int64_t centre = nearest(s, image, x).facet;
    const int na = samples(s, centre, a), nb = samples(s, centre, b);
    int64_t to = c->first[number];
    for (int n = 0; n < na * nb; n++) {
        point_of(f, (n % na + 0.5) / na, (n / na + 0.5) / nb, x);
        const struct hit h = nearest(s, image, x);
        c->surface[to / 4] = face_of(s, h.facet)->boundary;
        for (int k = 0; k < 4; k++, to++) {
            c->unknown[to] = s->m->unknown[face_of(s, h.facet)->corner[k]];
            c->weight[to] = h.weight[k] / (na * nb);
        }
        if (h.distance > c->distance) {
            c->distance = h.distance;
            c->edge = longest_edge(f);
            c->farthest = number;
        }
    }
    c->first[number + 1] = to;
}

int an_solid_contact_new(const struct an_solid_mesh *m, const char *touches, int nimage,
                         const struct an_wall_image *image, int64_t nface,
                         const struct an_gas_face *face, struct an_solid_contact *c)
{
    const size_t most = (size_t)nface * SAMPLES * SAMPLES * 4 + 1;
    struct facets s;
    *c = (struct an_solid_contact){.nface = nface};
    int status = facets_new(m, touches, nimage, image, &s);
    c->first = calloc((size_t)nface + 1, sizeof *c->first);
    c->unknown = malloc(most * sizeof *c->unknown);
    c->weight = malloc(most * sizeof *c->weight);
    c->surface = malloc((most / 4 + 1) * sizeof *c->surface);
    if (status == AN_OK && !(c->first && c->unknown && c->weight && c->surface))
        status = an_error_set(AN_FAIL, "out of memory for a solid");
    for (int64_t f = 0; f < nface && status == AN_OK && s.n; f++)
        place_face(&s, image, &face[f], f, c);
    facets_free(&s);
    if (status != AN_OK)
        an_solid_contact_free(c);
    return status;
}

void an_solid_contact_free(struct an_solid_contact *c)
{
    free(c->first);
    free(c->unknown);
    free(c->weight);
    free(c->surface);
    *c = (struct an_solid_contact){0};
}

double an_solid_contact_mean(const struct an_solid_contact *c, int64_t f, const double *T)
{
    double sum = 0;
    for (int64_t n = c->first[f]; n < c->first[f + 1]; n++)
        sum += c->weight[n] * T[c->unknown[n]];
    return sum;
}

void an_solid_contact_add(const struct an_solid_contact *c, int64_t f, double heat, double *to)
{
    for (int64_t n = c->first[f]; n < c->first[f + 1]; n++)
        to[c->unknown[n]] += c->weight[n] * heat;
}

void an_solid_contact_share(const struct an_solid_contact *c, int64_t f, double heat, double *to)
{
    for (int64_t n = c->first[f]; n < c->first[f + 1]; n++)
        to[c->surface[n / 4]] += c->weight[n] * heat;
}
