#include "solver/flow/wall_surface.h"

#include "kernels/base/error.h"
#include "solver/level/level.h"

#include <stdlib.h>
#include <string.h>

enum { BINS = 16 };

const struct an_wall_image an_wall_identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

/* Along x, y, z: for the choice of splits. */
struct box {
    double v[6]; /* least x, y, z, greatest x, y, z */
};

/* A tree under way. Facets are referred to by `order`, which is split in place. */
struct builder {
    const double (*facet)[9];
    struct box *bound;     /* [nfacet] */
    int32_t *order;        /* [nfacet] */
    int32_t base;          /* of the part's first facet in the tree */
    int32_t nnode;         /* of the parts before */
    double *node, *out;    /* nodes and facets of the tree */
    int32_t *number;       /* of the tree's facets in the order of the parts; NULL: not wanted */
    struct sorted *sorted; /* [nfacet] */
};

struct sorted {
    double key;
    int32_t facet;
};

static const struct box empty = {{HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void widen(struct box *a, const struct box *b)
{
    for (int c = 0; c < 3; c++) {
        a->v[c] = b->v[c] < a->v[c] ? b->v[c] : a->v[c];
        a->v[3 + c] = b->v[3 + c] > a->v[3 + c] ? b->v[3 + c] : a->v[3 + c];
    }
}

/* half the surface */
static double area(const struct box *b)
{
    const double x = b->v[3] - b->v[0], y = b->v[4] - b->v[1], z = b->v[5] - b->v[2];
    return x * y + y * z + z * x;
}

static double middle(const struct box *b, int axis)
{
    return 0.5 * (b->v[axis] + b->v[3 + axis]);
}

static int bin_of(const struct box *b, int axis, double least, double scale)
{
    int bin = (int)((middle(b, axis) - least) * scale);
    return bin < BINS - 1 ? bin : BINS - 1;
}

/* Where to split: bins up to `bin` of `axis` go to the first child. */
struct split {
    int axis, bin;
    double least, scale;
    int64_t n;   /* facets of the first child */
    double cost; /* areas times facets of the two */
};

static void best_of_axis(const struct builder *b, int64_t first, int64_t n, int axis, double least,
                         double scale, struct split *best)
{
    struct box bin[BINS], right[BINS], left = empty;
    int64_t count[BINS] = {0}, before = 0;
    for (int i = 0; i < BINS; i++)
        bin[i] = empty;
    for (int64_t i = first; i < first + n; i++) {
        const struct box *x = &b->bound[b->order[i]];
        const int m = bin_of(x, axis, least, scale);
        widen(&bin[m], x);
        count[m]++;
    }
    right[BINS - 1] = bin[BINS - 1];
    for (int i = BINS - 2; i >= 0; i--) {
        right[i] = bin[i];
        widen(&right[i], &right[i + 1]);
    }
    for (int i = 0; i < BINS - 1; i++) {
        widen(&left, &bin[i]);
        before += count[i];
        if (before == 0 || before == n)
            continue;
        const double cost =
            area(&left) * (double)before + area(&right[i + 1]) * (double)(n - before);
        if (cost < best->cost)
            *best = (struct split){axis, i, least, scale, before, cost};
    }
}

static int64_t partition(struct builder *b, int64_t first, int64_t n, const struct split *s)
{
    int64_t low = first, high = first + n - 1;
    while (low <= high) {
        const int32_t f = b->order[low];
        if (bin_of(&b->bound[f], s->axis, s->least, s->scale) <= s->bin) {
            low++;
        } else {
            b->order[low] = b->order[high];
            b->order[high--] = f;
        }
    }
    return low - first;
}

static int compare_sorted(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->facet > y->facet) - (x->facet < y->facet);
}

static void sort_along(struct builder *b, int64_t first, int64_t n, int axis)
{
    for (int64_t i = 0; i < n; i++) {
        const int32_t f = b->order[first + i];
        b->sorted[first + i] = (struct sorted){middle(&b->bound[f], axis), f};
    }
    qsort(b->sorted + first, (size_t)n, sizeof *b->sorted, compare_sorted);
    for (int64_t i = 0; i < n; i++)
        b->order[first + i] = b->sorted[first + i].facet;
}

/* Splits n facets; returns how many go first. Neither side may have more than `most`. */
static int64_t divide(struct builder *b, int64_t first, int64_t n, int64_t most)
{
    double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double greatest[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int64_t i = first; i < first + n; i++)
        for (int c = 0; c < 3; c++) {
            const double m = middle(&b->bound[b->order[i]], c);
            least[c] = m < least[c] ? m : least[c];
            greatest[c] = m > greatest[c] ? m : greatest[c];
        }
    struct split best = {.axis = 0, .n = 0, .cost = HUGE_VAL};
    int longest = 0;
    for (int c = 0; c < 3; c++) {
        const double length = greatest[c] - least[c], scale = BINS / length;
        if (length > greatest[longest] - least[longest])
            longest = c;
        if (length > 0 && scale < HUGE_VAL)
            best_of_axis(b, first, n, c, least[c], scale, &best);
    }
    if (best.n > 0 && best.n <= most && n - best.n <= most)
        return partition(b, first, n, &best);
    sort_along(b, first, n, longest);
    return n / 2;
}

static void write_leaf(struct builder *b, int64_t first, int64_t n)
{
    for (int64_t i = first; i < first + n; i++) {
        const double *f = b->facet[b->order[i]];
        double *out = b->out + (b->base + i) * AN_WALL_FACET;
        if (b->number)
            b->number[b->base + i] = b->base + b->order[i];
        for (int c = 0; c < 3; c++) {
            out[c] = f[c];
            out[3 + c] = f[3 + c] - f[c];
            out[6 + c] = f[6 + c] - f[c];
        }
    }
}

/* Unit vectors v[0..2] along which the symmetric matrix a is diagonal: Jacobi's rotations. */
static void principal(double a[3][3], double v[3][3])
{
    memcpy(v, an_wall_identity.rotation, 9 * sizeof(double));
    for (int sweep = 0; sweep < 8; sweep++) {
        const double off = fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]);
        if (!(off > 1e-10 * (a[0][0] + a[1][1] + a[2][2])))
            return;
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (a[p][q] == 0)
                    continue;
                const double h = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (h >= 0 ? 1 : -1) / (fabs(h) + sqrt(h * h + 1));
                const double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; k++) {
                    const double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    const double x = a[p][k], y = a[q][k], m = v[p][k], n = v[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                    v[p][k] = c * m - s * n;
                    v[q][k] = s * m + c * n;
                }
            }
    }
}

/* The box of n facets as the search wants it, along the principal axes of their corners. */
static void enclose(const struct builder *b, int64_t first, int64_t n, double out[AN_WALL_BOX])
{
    double mean[3] = {0}, a[3][3] = {{0}}, v[3][3];
    double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
           greatest[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int64_t i = first; i < first + n; i++)
        for (int k = 0; k < 9; k++)
            mean[k % 3] += b->facet[b->order[i]][k];
    for (int c = 0; c < 3; c++)
        mean[c] /= 3 * (double)n;
    for (int64_t i = first; i < first + n; i++)
        for (int corner = 0; corner < 9; corner += 3) {
            const double *x = b->facet[b->order[i]] + corner;
            const double d[3] = {x[0] - mean[0], x[1] - mean[1], x[2] - mean[2]};
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    a[r][c] += d[r] * d[c];
        }
    principal(a, v);
    for (int64_t i = first; i < first + n; i++)
        for (int corner = 0; corner < 9; corner += 3) {
            const double *x = b->facet[b->order[i]] + corner;
            for (int r = 0; r < 3; r++) {
                const double d = v[r][0] * (x[0] - mean[0]) + v[r][1] * (x[1] - mean[1]) +
                                 v[r][2] * (x[2] - mean[2]);
                least[r] = d < least[r] ? d : least[r];
                greatest[r] = d > greatest[r] ? d : greatest[r];
            }
        }
    double rounding = 0; /* of the search's arithmetic near the box */
    for (int c = 0; c < 3; c++) {
        out[c] = mean[c];
        rounding += 1e-15 * fabs(mean[c]) + 1e-14 * (greatest[c] - least[c]);
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[c] += 0.5 * (least[r] + greatest[r]) * v[r][c];
            out[3 + 3 * r + c] = v[r][c];
        }
        out[12 + r] = 0.5 * (greatest[r] - least[r]) + rounding;
    }
}

/* Builds the tree of n facets. Its reference goes to *reference, the box of the facets to box. Its nodes
 * are at least n - 1 from number `at` on; those that it leaves unused have zero references. Both halves are
 * tasks for the threads of the rank. Recursive, at most AN_WALL_DEPTH deep. */
static void build(struct builder *b, int64_t first, int64_t n, int depth, int64_t at, double *box,
                  double *reference)
{
    enum { WORTH = 500 }; /* facets: fewer are one task */
    enclose(b, first, n, box);
    if (n <= AN_WALL_LEAF) {
        write_leaf(b, first, n);
        *reference = -1. - (double)(4 * (b->base + first) + n - 1);
        return;
    }
    const int below = AN_WALL_DEPTH - 1 - depth;
    const int64_t most = (int64_t)AN_WALL_LEAF << (below < 40 ? below : 40);
    const int64_t split = divide(b, first, n, most);
    double *node = b->node + at * AN_WALL_NODE;
    *reference = (double)at;
#pragma omp task if (n > WORTH) default(none) firstprivate(b, first, split, depth, at, node)
    build(b, first, split, depth + 1, at + 1, node, node + 30);
    build(b, first + split, n - split, depth + 1, at + split, node + AN_WALL_BOX, node + 31);
}

/* Closes the gaps between `n` nodes from b->node + b->nnode on, in place, and counts those that are used.
 * Nodes keep their order, which is that in which one thread would have numbered them. */
static int close_gaps(struct builder *b, int64_t n, double *root)
{
    int32_t *number = malloc(((size_t)n + 1) * sizeof *number), used = 0;
    double *node = b->node + (int64_t)b->nnode * AN_WALL_NODE;
    AN_CHECK(number, AN_FAIL, "out of memory for %lld nodes", (long long)n);
    for (int64_t m = 0; m < n; m++)
        if (node[m * AN_WALL_NODE + 30] != 0) { /* a child is never node 0 */
            number[m] = b->nnode + used;
            if (m > used)
                memcpy(node + (int64_t)used * AN_WALL_NODE, node + m * AN_WALL_NODE,
                       AN_WALL_NODE * sizeof *node);
            used++;
        }
    for (int64_t m = 0; m < used; m++)
        for (double *child = node + m * AN_WALL_NODE + 30; child < node + m * AN_WALL_NODE + 32;
             child++)
            if (*child > 0)
                *child = number[(int64_t)*child - b->nnode];
    if (*root > 0)
        *root = number[(int64_t)*root - b->nnode];
    memset(node + (int64_t)used * AN_WALL_NODE, 0,
           (size_t)(n - used) * AN_WALL_NODE * sizeof *node);
    free(number);
    b->nnode += used;
    return AN_OK;
}

static struct box bound_of(const double facet[9])
{
    struct box b = empty;
    for (int corner = 0; corner < 9; corner += 3) {
        struct box point;
        for (int c = 0; c < 3; c++)
            point.v[c] = point.v[3 + c] = facet[corner + c];
        widen(&b, &point);
    }
    return b;
}

static int build_part(struct builder *b, const struct an_wall_part *part, double *box, double *root)
{
    const size_t n = (size_t)part->nfacet;
    b->facet = part->facet;
    b->bound = malloc(n * sizeof *b->bound);
    b->order = malloc(n * sizeof *b->order);
    b->sorted = malloc(n * sizeof *b->sorted);
    int status = AN_OK;
    if (b->bound && b->order && b->sorted) {
#pragma omp parallel for
        for (size_t i = 0; i < n; i++) {
            b->bound[i] = bound_of(part->facet[i]);
            b->order[i] = (int32_t)i;
        }
#pragma omp parallel
#pragma omp single
        build(b, 0, part->nfacet, 0, b->nnode, box, root);
        status = close_gaps(b, part->nfacet - 1, root);
        b->base += (int32_t)n;
    } else {
        status = an_error_set(AN_FAIL, "out of memory for %zu wall facets", n);
    }
    free(b->bound);
    free(b->order);
    free(b->sorted);
    return status;
}

int an_wall_surface_tree(int npart, const struct an_wall_part *part, int64_t *length, double **tree,
                         int32_t *order)
{
    int64_t nfacet = 0, ninstance = 0;
    for (int p = 0; p < npart; p++)
        if (part[p].nfacet) {
            nfacet += part[p].nfacet;
            ninstance += part[p].nimage;
        }
    AN_CHECK(nfacet <= 1 << 28, AN_FAIL, "%lld wall facets: more than the search can number",
             (long long)nfacet);
    /* nodes at whole lines of memory; there are fewer of them than facets */
    const int64_t nodes = (ninstance + 1) * AN_WALL_NODE;
    const int64_t facets = nodes + nfacet * AN_WALL_NODE;
    double *t = calloc((size_t)(facets + nfacet * AN_WALL_FACET), sizeof *t);
    AN_CHECK(t, AN_FAIL, "out of memory for %lld wall facets", (long long)nfacet);
    struct builder b = {.node = t + nodes, .out = t + facets, .number = order};
    double *instance = t + AN_WALL_HEAD;
    int status = AN_OK;
    for (int p = 0; p < npart && status == AN_OK; p++) {
        if (!part[p].nfacet)
            continue;
        double box[AN_WALL_BOX], root = 0;
        status = build_part(&b, &part[p], box, &root);
        for (int i = 0; i < part[p].nimage && status == AN_OK; i++, instance += AN_WALL_INSTANCE) {
            memcpy(instance, part[p].image[i].rotation, sizeof part[p].image[i].rotation);
            memcpy(instance + 9, part[p].image[i].translation, sizeof part[p].image[i].translation);
            memcpy(instance + 12, box, sizeof box);
            instance[27] = root;
        }
    }
    if (status != AN_OK) {
        free(t);
        return status;
    }
    /* close the gap behind the nodes that were needed */
    const int64_t used = nodes + (int64_t)b.nnode * AN_WALL_NODE;
    memmove(t + used, t + facets, (size_t)nfacet * AN_WALL_FACET * sizeof *t);
    t[0] = (double)ninstance;
    t[1] = AN_WALL_HEAD;
    t[2] = (double)nodes;
    t[3] = (double)used;
    *length = used + nfacet * AN_WALL_FACET;
    *tree = t;
    return AN_OK;
}
