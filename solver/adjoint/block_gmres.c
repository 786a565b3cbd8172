/* Restarted GMRES for block matrices, of several systems at once.
 *
 * New vectors are made orthogonal to those before by classical Gram-Schmidt, and once more where less than a tenth of a vector is
 * left (Giraud, Langou and Rozloznik 2005). All products of a vector with those before are one pass over them,
 * in chunks that stay in a core's cache.
 *
 * The vectors are kept in single precision, which halves their memory and the time of the passes (Aliaga et al. 2023); all sums
 * are in double precision. A cycle whose residual has fallen as far as single precision carries ends, and the next one begins
 * with the residual in double precision.
 *
 * With a card all vectors lie in engine memory, and the operations of kernels/engine/sparse.h take the place of the loops here. */
#include "solver/adjoint/block_card.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024, LANES = 8 };

/* How far the residual may fall in a cycle. */
static const double most_fall = 1e-6;

struct system {
    const double *b;
    double *x;
    float *v;  /* [restart + 1][n]; owned */
    double *w; /* [n] the next of them; owned */
    double *z; /* [n]; with a card z[1] is M^-1 z[0]; owned */
    double *h; /* [restart][restart + 2] columns of the Hessenberg matrix, made triangular; owned */
    double *turn; /* [restart][2] cosines and sines; owned */
    double *g;    /* [restart + 1], then room for products [restart + 2]; owned */
    int k;        /* vectors of this cycle */
    int done;
    double size, left, before; /* |b|, |b - A x|, and that of the cycle before */
    struct an_gmres_result *result;
};

struct gmres {
    struct an_block_matrix *a;
    struct an_block_factor *f;
    struct an_block_card *card; /* NULL: none */
    const struct an_gmres_options *o;
    int64_t n;       /* numbers of a vector */
    int64_t counted; /* of these, those that this rank adds to products */
    int64_t nchunk;
    double *
        part; /* [nchunk][restart + 2] products of chunks; of a card as struct an_sparse_pass; owned */
    int status; /* of the card */
    int nsystem;
    struct system system[AN_MOST_TOGETHER];
};

/* ---- vectors ---- */

static double dot_of(int64_t n, const double *x, const float *y)
{
    double lane[LANES] = {0}, sum = 0;
    int64_t m = 0;
    for (; m + LANES <= n; m += LANES)
        for (int q = 0; q < LANES; q++)
            lane[q] += x[m + q] * (double)y[m + q];
    for (; m < n; m++)
        sum += x[m] * (double)y[m];
    for (int q = 0; q < LANES; q++)
        sum += lane[q];
    return sum;
}

static double square_of(int64_t n, const double *x)
{
    double lane[LANES] = {0}, sum = 0;
    int64_t m = 0;
    for (; m + LANES <= n; m += LANES)
        for (int q = 0; q < LANES; q++)
            lane[q] += x[m + q] * x[m + q];
    for (; m < n; m++)
        sum += x[m] * x[m];
    for (int q = 0; q < LANES; q++)
        sum += lane[q];
    return sum;
}

/* Keeps the first error of the engine. */
static void note(struct gmres *q, int status)
{
    q->status = q->status == AN_OK ? status : q->status;
}

static void on_card(struct gmres *q, enum an_sparse_vector kind, double by, double *w, float *v,
                    const double *x)
{
    note(q, q->card->e->sparse->vector(q->card->e, kind, q->n, by, w, v, x));
}

/* v[to] = by w */
static void store(struct gmres *q, const struct system *s, int to, double by)
{
    float *v = s->v + q->n * to;
    if (q->card) {
        on_card(q, AN_SPARSE_STORE, by, s->w, v, NULL);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < q->n; m++)
        v[m] = (float)(by * s->w[m]);
}

/* Work of a chunk of w with k vectors: subtracts sum of less[j] v[j] (NULL: nothing), then the products with all of
 * them (`products`) and with itself into part. */
static void work_on_chunk(const struct gmres *q, const struct system *s, int64_t chunk,
                          const double *less, int products)
{
    const int k = s->k;
    const int64_t from = chunk * CHUNK, n = from + CHUNK < q->n ? CHUNK : q->n - from;
    const int64_t rest = q->counted > from ? q->counted - from : 0, counted = rest < n ? rest : n;
    double *w = s->w + from, *part = q->part + chunk * (q->o->restart + 2);
    for (int j = 0; j <= k && less; j++) {
        const float *v = s->v + q->n * j + from;
        const double by = less[j];
        for (int64_t m = 0; m < n; m++)
            w[m] -= by * (double)v[m];
    }
    for (int j = 0; j <= k && products; j++)
        part[j] = dot_of(counted, w, s->v + q->n * j + from);
    part[products ? k + 1 : 0] = square_of(counted, w);
}

/* The pass of a card over k vectors; `anew`: from w = 0 on, w the caller's. */
static void pass_on_card(struct gmres *q, const struct system *s, int k, double *w,
                         const double *less, int anew, int products, double *sum)
{
    const int64_t parts = (q->n + CHUNK - 1) / CHUNK;
    struct an_sparse_pass p = {.n = q->n,
                               .parts = (int)(parts < AN_SPARSE_PARTS ? parts : AN_SPARSE_PARTS),
                               .k = k,
                               .subtract = less != NULL,
                               .anew = anew,
                               .products = products,
                               .w = w,
                               .v = s->v,
                               .part = q->part};
    if (less)
        memcpy(p.less, less, (size_t)k * sizeof *less);
    note(q, q->card->e->sparse->pass(q->card->e, &p, sum));
}

/* One pass over the vectors; sum[k + 2], or sum[1]: the products, the last that of w with itself. */
static void pass(struct gmres *q, const struct system *s, const double *less, int products,
                 double *sum)
{
    const int n = products ? s->k + 2 : 1;
    memset(sum, 0, (size_t)n * sizeof *sum);
    if (q->card) {
        pass_on_card(q, s, s->k + 1, s->w, less, 0, products, sum);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < q->nchunk; c++)
        work_on_chunk(q, s, c, less, products);
    for (int64_t c = 0; c < q->nchunk; c++)
        for (int j = 0; j < n; j++)
            sum[j] += q->part[c * (q->o->restart + 2) + j];
    note(q, an_block_sum(q->a, n, sum));
}

/* The column of the Hessenberg matrix of vector k + 1, which becomes orthogonal to those before, and of length 1. */
static void make_orthogonal(struct gmres *q, struct system *s)
{
    double *h = s->h + (size_t)s->k * (size_t)(q->o->restart + 2);
    double *more = s->g + q->o->restart + 1, square;
    pass(q, s, NULL, 1, h);
    double left = h[s->k + 1];
    for (int j = 0; j <= s->k; j++)
        left -= h[j] * h[j];
    if (left > 0.01 * h[s->k + 1]) {
        pass(q, s, h, 0, &square);
    } else {
        pass(q, s, h, 1, more);
        pass(q, s, more, 0, &square);
        for (int j = 0; j <= s->k; j++)
            h[j] += more[j];
    }
    h[s->k + 1] = sqrt(square);
    store(q, s, s->k + 1, square > 0 ? 1 / h[s->k + 1] : 0);
}

/* ---- cycles ---- */

/* w = b - A x; returns its size. */
static double find_residual(struct gmres *q, struct system *s)
{
    const double *const x[] = {s->x};
    double *const w[] = {s->w};
    double square = 0;
    if (q->card) {
        note(q, q->card->e->sparse->multiply(q->card->e, &q->card->a, 1, x, w));
        on_card(q, AN_SPARSE_FROM, 1, s->w, NULL, s->b);
        pass_on_card(q, s, 0, s->w, NULL, 0, 0, &square);
        return sqrt(square);
    }
    note(q, an_block_multiply(q->a, q->o->transposed, 1, x, w));
#pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < q->n; m++)
        s->w[m] = s->b[m] - s->w[m];
    note(q, an_block_product_of(q->a, s->w, s->w, &square));
    return sqrt(square);
}

/* The first vector of a cycle: (b - A x) / |b - A x|. */
static void begin(struct gmres *q, struct system *s)
{
    s->before = s->left;
    s->left = find_residual(q, s);
    s->k = 0;
    s->g[0] = s->left;
    s->done = !(s->left > q->o->tolerance * s->size && s->left < 0.999 * s->before &&
                s->result->iterations < q->o->iterations);
    if (!s->done)
        store(q, s, 0, 1 / s->left);
}

/* Givens rotations of column k. */
static void rotate(const struct gmres *q, struct system *s)
{
    const int k = s->k;
    double *h = s->h + (size_t)k * (size_t)(q->o->restart + 2);
    for (int j = 0; j < k; j++) {
        const double c = s->turn[2 * j], t = s->turn[2 * j + 1], x = h[j];
        h[j] = c * x + t * h[j + 1];
        h[j + 1] = -t * x + c * h[j + 1];
    }
    const double size = hypot(h[k], h[k + 1]);
    const double c = size > 0 ? h[k] / size : 1, t = size > 0 ? h[k + 1] / size : 0;
    s->turn[2 * k] = c;
    s->turn[2 * k + 1] = t;
    h[k] = size;
    h[k + 1] = 0;
    s->g[k + 1] = -t * s->g[k];
    s->g[k] *= c;
}

/* x += M^-1 V g */
static void add_solution(struct gmres *q, struct system *s)
{
    double less[AN_SPARSE_VECTORS], square;
    const double *const z[] = {s->z};
    double *const to[] = {s->z + q->n};
    for (int j = 0; j < s->k; j++)
        less[j] = -s->g[j];
    pass_on_card(q, s, s->k, s->z, less, 1, 0, &square);
    note(q, q->card->e->sparse->precondition(q->card->e, &q->card->f, 1, z, to));
    on_card(q, AN_SPARSE_ADD, 1, s->x, NULL, s->z + q->n);
}

/* x += M^-1 V y with the vectors found. */
static void take(struct gmres *q, struct system *s)
{
    const size_t column = (size_t)(q->o->restart + 2);
    const int k = s->k;
    for (int i = k - 1; i >= 0; i--) {
        for (int j = i + 1; j < k; j++)
            s->g[i] -= s->h[(size_t)j * column + (size_t)i] * s->g[j];
        s->g[i] /= s->h[(size_t)i * column + (size_t)i];
    }
    if (q->card) {
        add_solution(q, s);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < q->nchunk; c++) {
        const int64_t from = c * CHUNK, to = from + CHUNK < q->n ? from + CHUNK : q->n;
        memset(s->z + from, 0, (size_t)(to - from) * sizeof *s->z);
        for (int j = 0; j < k; j++)
            for (int64_t m = from; m < to; m++)
                s->z[m] += s->g[j] * (double)s->v[q->n * j + m];
    }
    const double *const z[] = {s->z};
    double *const to[] = {s->z};
    note(q, an_block_solve(q->f, q->o->transposed, 1, z, to));
#pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < q->n; m++)
        s->x[m] += s->z[m];
}

/* v[k + 1] = A M^-1 v[k] of all systems under way. */
static int expand(struct gmres *q)
{
    const double *z[AN_MOST_TOGETHER];
    double *solved[AN_MOST_TOGETHER], *to[AN_MOST_TOGETHER];
    int n = 0;
    for (int m = 0; m < q->nsystem; m++) {
        const struct system *s = &q->system[m];
        if (s->done)
            continue;
        float *v = s->v + q->n * s->k;
        z[n] = s->z;
        solved[n] = q->card ? s->z + q->n : s->z;
        to[n++] = s->w;
        if (q->card) {
            on_card(q, AN_SPARSE_WIDEN, 1, s->z, v, NULL);
            continue;
        }
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < q->n; i++)
            s->z[i] = (double)v[i];
    }
    if (n && q->card) {
        note(q, q->card->e->sparse->precondition(q->card->e, &q->card->f, n, z, solved));
        note(q, q->card->e->sparse->multiply(q->card->e, &q->card->a, n,
                                             (const double *const *)solved, to));
    } else if (n) {
        note(q, an_block_solve(q->f, q->o->transposed, n, z, solved));
        note(q, an_block_multiply(q->a, q->o->transposed, n, z, to));
    }
    return q->status == AN_OK ? n : 0;
}

static void iterate(struct gmres *q)
{
    for (int m = 0; m < q->nsystem; m++) {
        struct system *s = &q->system[m];
        s->left = INFINITY;
        begin(q, s);
    }
    while (expand(q))
        for (int m = 0; m < q->nsystem; m++) {
            struct system *s = &q->system[m];
            if (s->done)
                continue;
            make_orthogonal(q, s);
            rotate(q, s);
            s->k++;
            s->result->iterations++;
            if (s->k == q->o->restart || s->result->iterations == q->o->iterations ||
                fabs(s->g[s->k]) <= fmax(0.5 * q->o->tolerance * s->size, most_fall * s->left)) {
                take(q, s);
                begin(q, s);
            }
        }
    for (int m = 0; m < q->nsystem; m++)
        q->system[m].result->reached =
            q->system[m].size > 0 ? q->system[m].left / q->system[m].size : 0;
}

double an_block_gmres_bytes(const struct an_block_matrix *a, const struct an_gmres_options *o,
                            int n)
{
    const double vectors = 4.0 * (o->restart + 1) + 8 * 2;
    return vectors * (double)(a->n * a->nv) * n;
}

/* Vectors of a system on the host. */
static int host_vectors(const struct gmres *q, struct system *s)
{
    const size_t all = (size_t)q->n + 1;
    s->v = malloc(((size_t)q->o->restart + 1) * all * sizeof *s->v);
    s->z = malloc(all * sizeof *s->z);
    s->w = malloc(all * sizeof *s->w);
    return s->v && s->z && s->w;
}

/* The same of a card, where b and x come, too. */
static void card_vectors(struct gmres *q, struct an_block_card *room, struct system *s)
{
    const size_t bytes = (size_t)q->n * sizeof(double);
    double *b = NULL, *x = NULL;
    note(q, an_block_card_room(room, ((size_t)q->o->restart + 1) * bytes / 2, &s->v));
    note(q, an_block_card_room(room, 2 * bytes, &s->z));
    note(q, an_block_card_room(room, bytes, &s->w));
    note(q, an_block_card_room(room, bytes, &b));
    note(q, an_block_card_room(room, bytes, &x));
    if (q->status != AN_OK)
        return;
    note(q, room->e->op->upload(room->e, b, s->b, bytes, 0));
    note(q, room->e->op->upload(room->e, x, s->x, bytes, 0));
    s->b = b;
    s->x = x;
}

static int give_solution(struct gmres *q, const struct system *s, double *x)
{
    struct an_engine *e = q->card->e;
    AN_TRY(e->op->download(e, x, s->x, (size_t)q->n * sizeof *x, 0));
    return e->op->sync(e, 0);
}

int an_block_gmres(struct an_block_matrix *a, struct an_block_factor *f,
                   const struct an_gmres_options *o, int n, const double *const *b,
                   double *const *x, struct an_gmres_result *result)
{
    struct gmres q = {
        .a = a, .f = f, .card = a->card, .o = o, .n = a->n * a->nv, .nsystem = n, .status = AN_OK};
    struct an_block_card room = {.e = a->card ? a->card->e : NULL};
    const size_t r = (size_t)o->restart;
    int good = 1;
    double square;
    AN_CHECK(!a->card || o->restart + 2 <= AN_SPARSE_VECTORS, AN_FAIL,
             "GMRES keeps %d vectors at most with a card, not %d", AN_SPARSE_VECTORS - 2,
             o->restart);
    q.counted = an_block_counted(a);
    q.nchunk = (q.n + CHUNK - 1) / CHUNK;
    if (a->card) {
        note(&q, an_block_card_turn(a->card, o->transposed));
        note(&q, an_block_card_room(
                     &room, (AN_SPARSE_PARTS + 1) * AN_SPARSE_VECTORS * sizeof *q.part, &q.part));
    } else {
        q.part = malloc(((size_t)q.nchunk + 1) * (r + 2) * sizeof *q.part);
        good = q.part != NULL;
    }
    for (int m = 0; m < n; m++) {
        struct system *s = &q.system[m];
        result[m] = (struct an_gmres_result){.iterations = 0};
        *s = (struct system){.b = b[m], .x = x[m], .result = &result[m]};
        note(&q, an_block_product_of(a, b[m], b[m], &square));
        s->size = sqrt(square);
        s->h = calloc(r * (r + 2), sizeof *s->h);
        s->turn = malloc(2 * r * sizeof *s->turn);
        s->g = malloc((2 * r + 3) * sizeof *s->g);
        good = good && s->h && s->turn && s->g;
        if (a->card)
            card_vectors(&q, &room, s);
        else
            good = host_vectors(&q, s) && good;
    }
    if (good && q.status == AN_OK)
        iterate(&q);
    for (int m = 0; m < n; m++) {
        if (a->card && good && q.status == AN_OK)
            note(&q, give_solution(&q, &q.system[m], x[m]));
        if (!a->card) {
            free(q.system[m].v);
            free(q.system[m].w);
            free(q.system[m].z);
        }
        free(q.system[m].h);
        free(q.system[m].turn);
        free(q.system[m].g);
    }
    if (!a->card)
        free(q.part);
    an_block_card_free(&room);
    AN_CHECK(good, AN_FAIL, "out of memory for %d vectors of GMRES (%.3g GB)", n * (o->restart + 1),
             1e-9 * an_block_gmres_bytes(a, o, n));
    return q.status;
}
