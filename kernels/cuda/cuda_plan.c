/* Work lists of the CUDA and emulated engines, and the operations made of lists and kernels. */
#include "kernels/cuda/cuda_plan.h"
#include "kernels/engine/meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A list of tiles in engine memory. */
struct list {
    struct an_tile *tile;
    int n;
};

struct an_tiles {
    struct an_block *block; /* engine memory */
    int64_t cs;
    struct list cell, dir[3];
    struct list tiled[AN_NTILED][AN_MAX_VARIANT];
    int like[AN_NTILED];       /* the kernel whose lists it uses: its own, or those of one before */
    struct list polynomial[2]; /* of the fused and viscous kernels for a gas with cp(T) */
};

struct an_lines {
    struct an_block *block; /* engine memory */
    int64_t cs;
    struct list list;
};

struct an_faces {
    struct an_block *block; /* engine memory, as all below but sum_host */
    struct an_face_window *window;
    struct an_chunk *chunk;
    struct an_bc_value *value;
    struct an_xsum *sum, *sum_host; /* sum_host: page-locked */
    int64_t cs;
    int nchunk, nboundary;
};

struct an_copies {
    struct an_copy *copy; /* engine memory, as all */
    struct an_chunk *chunk;
    double *rotation;
    int nchunk;
};

static struct an_cuda_plan *plan_of(const struct an_engine *e)
{
    return e->state;
}

/* A copy of host memory in engine memory. */
static int place(struct an_engine *e, const void *from, size_t bytes, void *to)
{
    void *p;
    AN_TRY(e->op->alloc(e, bytes ? bytes : 1, &p));
    *(void **)to = p;
    return bytes ? e->op->upload(e, p, from, bytes, 0) : AN_OK;
}

/* Results that nobody waited for yet: where they go, and where they arrive (meter.h). */
enum { RESULTS = 2 }; /* stream */
struct an_deferred {
    int on, ncell, nface;
    struct {
        struct an_reduction *to;
        struct an_cuda_reduction *red[2]; /* as of an_cuda_plan */
    } cell[AN_MAX_DEFERRED];
    struct {
        struct an_xsum *to;
        const struct an_xsum *from;
        size_t bytes;
    } face[AN_MAX_DEFERRED];
};

static void forget_deferred(struct an_engine *e)
{
    struct an_deferred *d = plan_of(e)->deferred;
    if (!d)
        return;
    for (int n = 0; n < AN_MAX_DEFERRED; n++) {
        e->op->free_host(e, d->cell[n].red[0]);
        e->op->free(e, d->cell[n].red[1]);
    }
    free(d);
    plan_of(e)->deferred = NULL;
}

static int new_deferred(struct an_engine *e)
{
    struct an_deferred *d = calloc(1, sizeof *d);
    void *p;
    AN_CHECK(d, AN_FAIL, "out of memory for results");
    plan_of(e)->deferred = d;
    for (int n = 0; n < AN_MAX_DEFERRED; n++) {
        AN_TRY(e->op->alloc_host(e, sizeof *d->cell[n].red[0], &p));
        d->cell[n].red[0] = p;
        AN_TRY(e->op->alloc(e, sizeof *d->cell[n].red[1], &p));
        d->cell[n].red[1] = p;
    }
    return AN_OK;
}

int an_cuda_plan_start(struct an_engine *e, const struct an_cuda_kernels *kernels,
                       int multiprocessors)
{
    struct an_cuda_plan *plan = e->state;
    plan->kernels = kernels;
    plan->multiprocessors = multiprocessors;
    plan->variant = -1;
    plan->times = *an_tile_table(plan->device, e->precision);
    AN_TRY(kernels->fused->prepare(plan->resident));
    AN_TRY(kernels->viscous->prepare(plan->resident_viscous));
    AN_TRY(kernels->polynomial->fused->prepare(&plan->resident_polynomial[0]));
    AN_TRY(kernels->polynomial->viscous->prepare(&plan->resident_polynomial[1]));
    void *p;
    AN_TRY(e->op->alloc_host(e, sizeof *plan->red[0], &p));
    plan->red[0] = p;
    AN_TRY(e->op->alloc(e, sizeof *plan->red[1], &p));
    plan->red[1] = p;
    AN_TRY(e->op->alloc_host(e, sizeof *plan->initial, &p));
    plan->initial = p;
    memset(plan->initial, 0, sizeof *plan->initial);
    memset(plan->initial->min, 0xff, sizeof plan->initial->min);
    return AN_OK;
}

void an_cuda_plan_end(struct an_engine *e)
{
    struct an_cuda_plan *plan = e->state;
    e->op->free_host(e, plan->red[0]);
    e->op->free(e, plan->red[1]);
    e->op->free_host(e, plan->initial);
    forget_deferred(e);
}

int an_cuda_tune(struct an_engine *e, int variant, int chunk)
{
    AN_CHECK(e->op->tiles_new == an_cuda_tiles_new, AN_INPUT, "the %s engine has no tiles to tune",
             e->name);
    struct an_cuda_plan *plan = e->state;
    AN_CHECK(variant < plan->kernels->fused->nvariant, AN_INPUT,
             "fused kernel: there is no variant %d", variant);
    AN_CHECK(variant < 0 || plan->resident[variant], AN_INPUT,
             "fused kernel: variant %d needs more shared memory than the device has", variant);
    plan->variant = variant;
    plan->chunk = chunk;
    return AN_OK;
}

const struct an_fused_variant *an_cuda_variant(const struct an_engine *e, int variant)
{
    if (e->op->tiles_new != an_cuda_tiles_new || variant < 0 ||
        variant >= plan_of(e)->kernels->fused->nvariant)
        return NULL;
    return &plan_of(e)->kernels->fused->variant[variant];
}

/* ---- tiles ---- */

static int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

/* Cells a box costs when cut into tx x ty columns. */
static int64_t padded(const struct an_box *box, int tx, int ty)
{
    return (int64_t)divide_up(box->hi[0] - box->lo[0], tx) * tx *
           divide_up(box->hi[1] - box->lo[1], ty) * ty;
}

/* Rows of threads for cell stencils: whole warps along i where the box is wide enough. */
static int cell_shift(const struct an_box *box)
{
    int best = 5;
    int64_t least = padded(box, 32, AN_CHUNK / 32);
    for (int shift = 7; shift >= 0; shift--) {
        const int64_t cost = padded(box, 1 << shift, AN_CHUNK >> shift);
        if (cost < least) {
            least = cost;
            best = shift;
        }
    }
    return best;
}

int an_cuda_best_variant(const struct an_cuda_plan *plan, enum an_tiled kernel,
                         const struct an_box *box)
{
    static const struct an_box large = {0, {0, 0, 0}, {256, 256, 256}};
    const struct an_cuda_kernels *k = plan->kernels;
    const int viscous = kernel == AN_TILED_VISCOUS;
    const struct an_fused_variant *variant = viscous ? k->viscous->variant : k->fused->variant;
    const int *resident = viscous ? plan->resident_viscous : plan->resident;
    const int count = viscous ? k->viscous->nvariant : k->fused->nvariant;
    if (plan->variant >= 0 && resident[plan->variant % count])
        return plan->variant % count;
    int best = 0;
    double least = INFINITY;
    for (int v = 0; v < count; v++) {
        const double time = plan->times.of[kernel][v];
        const double cost = time * (double)padded(box ? box : &large, variant[v].tx, variant[v].ty);
        if (resident[v] && time > 0 && cost < least) {
            least = cost;
            best = v;
        }
    }
    return best;
}

/* Planes a tile marches: few planes make enough tiles for all multiprocessors, many planes waste
 * less on the first ones (`lead`, in planes). Counts the time in planes: waves of tiles, half a
 * wave to drain, times planes. columns[n]: tiles for each plane of a box with nk[n] planes. */
static int best_chunk(int nbox, const int64_t *columns, const int *nk, double resident, double lead)
{
    int best = 1;
    double least = INFINITY;
    for (int chunk = 1; chunk <= 128; chunk += chunk < 16 ? 1 : chunk < 32 ? 4 : 16) {
        double tiles = 0, longest = 1;
        for (int b = 0; b < nbox; b++) {
            if (nk[b] <= 0)
                continue;
            const int pieces = divide_up(nk[b], chunk);
            tiles += (double)columns[b] * pieces;
            longest = fmax(longest, divide_up(nk[b], pieces));
        }
        const double waves = tiles / resident;
        const double time = (waves > 1 ? waves + 0.5 : 1) * (longest + lead);
        if (time < least) {
            least = time;
            best = chunk;
        }
    }
    return best;
}

struct cut {
    int tx, ty, shift;
};

/* Cuts boxes; cut[b].tx = 0 leaves a box out. The tiles of all boxes go plane chunk by plane chunk,
 * along i first, so that tiles that run together are neighbours. */
static int make_list(struct an_engine *e, int nbox, const struct an_box *box, const struct cut *cut,
                     int resident, double lead, struct list *list)
{
    const struct an_cuda_plan *plan = plan_of(e);
    int64_t *columns = calloc((size_t)nbox + 1, sizeof *columns);
    int *nk = calloc((size_t)nbox + 1, sizeof *nk);
    struct an_tile *tile = NULL;
    int status = columns && nk ? AN_OK : an_error_set(AN_FAIL, "out of memory for tiles");
    int64_t n = 0;
    for (int b = 0; !status && b < nbox; b++)
        if (cut[b].tx && box[b].hi[0] > box[b].lo[0] && box[b].hi[1] > box[b].lo[1]) {
            columns[b] = padded(&box[b], cut[b].tx, cut[b].ty) / cut[b].tx / cut[b].ty;
            nk[b] = box[b].hi[2] - box[b].lo[2];
        }
    if (!status) {
        const int chunk =
            plan->chunk && lead > 0
                ? plan->chunk
                : best_chunk(nbox, columns, nk, (double)resident * plan->multiprocessors, lead);
        for (int b = 0; b < nbox; b++)
            if (nk[b] > 0)
                n += columns[b] * divide_up(nk[b], chunk);
        if (n > INT32_MAX || !(tile = malloc((size_t)(n + 1) * sizeof *tile)))
            status = an_error_set(AN_FAIL, "out of memory for %lld tiles", (long long)n);
        n = 0;
        for (int b = 0; !status && b < nbox; b++) {
            if (nk[b] <= 0)
                continue;
            const int pieces = divide_up(nk[b], chunk);
            for (int piece = 0; piece < pieces; piece++)
                for (int j = box[b].lo[1]; j < box[b].hi[1]; j += cut[b].ty)
                    for (int i = box[b].lo[0]; i < box[b].hi[0]; i += cut[b].tx) {
                        struct an_tile *t = &tile[n++];
                        t->block = box[b].block;
                        t->shift = cut[b].shift;
                        t->lo[0] = i;
                        t->lo[1] = j;
                        t->lo[2] = box[b].lo[2] + (int)((int64_t)nk[b] * piece / pieces);
                        t->hi[0] = i + cut[b].tx < box[b].hi[0] ? i + cut[b].tx : box[b].hi[0];
                        t->hi[1] = j + cut[b].ty < box[b].hi[1] ? j + cut[b].ty : box[b].hi[1];
                        t->hi[2] = box[b].lo[2] + (int)((int64_t)nk[b] * (piece + 1) / pieces);
                    }
        }
    }
    if (!status)
        status = place(e, tile, (size_t)n * sizeof *tile, &list->tile);
    list->n = (int)n;
    free(tile);
    free(nk);
    free(columns);
    return status;
}

/* Do two kernels cut all boxes alike? */
static int alike(const struct an_cuda_plan *plan, enum an_tiled a, enum an_tiled b, int nbox,
                 const struct an_box *box)
{
    if ((a == AN_TILED_VISCOUS) != (b == AN_TILED_VISCOUS))
        return 0;
    int same = 1;
    for (int n = 0; n < nbox; n++)
        same &= an_cuda_best_variant(plan, a, &box[n]) == an_cuda_best_variant(plan, b, &box[n]);
    return same;
}

/* The lists of a kernel: one for each variant that suits some box. cut[nbox] is scratch. */
static int tile_kernel(struct an_engine *e, int nbox, const struct an_box *box,
                       enum an_tiled kernel, struct cut *cut, struct an_tiles *t)
{
    const struct an_cuda_plan *plan = plan_of(e);
    const struct an_cuda_kernels *kernels = plan->kernels;
    const int viscous = kernel == AN_TILED_VISCOUS;
    const int *resident = viscous ? plan->resident_viscous : plan->resident;
    t->like[kernel] = 0;
    while (!alike(plan, (enum an_tiled)t->like[kernel], kernel, nbox, box))
        t->like[kernel]++;
    if (t->like[kernel] != (int)kernel)
        return AN_OK;
    for (int v = 0; v < (viscous ? kernels->viscous->nvariant : kernels->fused->nvariant); v++) {
        const struct an_fused_variant *shape =
            viscous ? kernels->viscous->variant : kernels->fused->variant;
        int any = 0;
        for (int b = 0; b < nbox; b++) {
            const int mine = an_cuda_best_variant(plan, kernel, &box[b]) == v;
            cut[b] = mine ? (struct cut){shape[v].tx, shape[v].ty, 0} : (struct cut){0, 0, 0};
            any |= mine;
        }
        if (any)
            AN_TRY(make_list(e, nbox, box, cut, resident[v], 2.0, &t->tiled[kernel][v]));
    }
    return AN_OK;
}

/* The lists of the kernels for a gas with cp(T), which have one shape. */
static int tile_polynomial(struct an_engine *e, int nbox, const struct an_box *box, struct cut *cut,
                           struct an_tiles *t)
{
    const struct an_cuda_plan *plan = plan_of(e);
    const struct an_cuda_kernels *kernels = plan->kernels->polynomial;
    for (int m = 0; m < 2; m++) {
        const struct an_fused_variant *shape =
            m ? kernels->viscous->variant : kernels->fused->variant;
        for (int b = 0; b < nbox; b++)
            cut[b] = (struct cut){shape->tx, shape->ty, 0};
        AN_TRY(make_list(e, nbox, box, cut, plan->resident_polynomial[m], 2.0, &t->polynomial[m]));
    }
    return AN_OK;
}

int an_cuda_tiles_new(struct an_engine *e, const struct an_layout *l, int nbox,
                      const struct an_box *box, struct an_tiles **out)
{
    AN_CHECK(l->ncell < INT32_MAX, AN_FAIL, "%lld cells are too many for one device",
             (long long)l->ncell);
    struct an_tiles *t = calloc(1, sizeof *t);
    AN_CHECK(t, AN_FAIL, "out of memory for tiles");
    *out = t;
    t->cs = l->ncell;
    AN_TRY(place(e, l->block, (size_t)l->nblock * sizeof *l->block, &t->block));
    struct cut *cut = calloc((size_t)nbox + 1, sizeof *cut);
    struct an_box *wide = calloc((size_t)nbox + 1, sizeof *wide);
    int status = cut && wide ? AN_OK : an_error_set(AN_FAIL, "out of memory for tiles");
    /* cells; then, for each direction, with the upper faces */
    for (int dir = -1; !status && dir < 3; dir++) {
        for (int b = 0; b < nbox; b++) {
            wide[b] = box[b];
            if (dir >= 0)
                wide[b].hi[dir]++;
            const int shift = cell_shift(&wide[b]);
            cut[b] = (struct cut){1 << shift, AN_CHUNK >> shift, shift};
        }
        status = make_list(e, nbox, wide, cut, 16, 0, dir < 0 ? &t->cell : &t->dir[dir]);
    }
    for (int k = 0; !status && k < AN_NTILED; k++)
        status = tile_kernel(e, nbox, box, (enum an_tiled)k, cut, t);
    if (!status)
        status = tile_polynomial(e, nbox, box, cut, t);
    free(cut);
    free(wide);
    return status;
}

void an_cuda_tiles_free(struct an_engine *e, struct an_tiles *t)
{
    if (!t)
        return;
    e->op->free(e, t->block);
    e->op->free(e, t->cell.tile);
    for (int dir = 0; dir < 3; dir++)
        e->op->free(e, t->dir[dir].tile);
    for (int k = 0; k < AN_NTILED; k++)
        for (int v = 0; v < AN_MAX_VARIANT; v++)
            e->op->free(e, t->tiled[k][v].tile);
    for (int m = 0; m < 2; m++)
        e->op->free(e, t->polynomial[m].tile);
    free(t);
}

/* ---- lines ---- */

/* Cuts the lines of block b along dir into tiles of 2^shift x AN_LINE_TILE / 2^shift; writes them
 * from out[0] on, unless NULL. Returns their number. */
static int64_t line_tiles(const struct an_block *block, int b, int dir, int lines,
                          struct an_tile *out)
{
    const int fast = dir == 0 ? 1 : 0, slow = dir == 2 ? 1 : 2;
    int shift = 0;
    while (1 << shift < lines && 1 << shift < block->n[fast])
        shift++;
    const int wide = 1 << shift, high = lines >> shift;
    int64_t n = 0;
    for (int v = 0; v < block->n[slow]; v += high)
        for (int u = 0; u < block->n[fast]; u += wide, n++) {
            if (!out)
                continue;
            struct an_tile *t = &out[n];
            t->block = b;
            t->shift = shift;
            t->dir = dir;
            t->lo[dir] = 0;
            t->hi[dir] = block->n[dir];
            t->lo[fast] = u;
            t->hi[fast] = u + wide < block->n[fast] ? u + wide : block->n[fast];
            t->lo[slow] = v;
            t->hi[slow] = v + high < block->n[slow] ? v + high : block->n[slow];
        }
    return n;
}

/* Long lines first: nothing waits for one that started last. */
static int longer(const void *a, const void *b)
{
    const struct an_tile *s = a, *t = b;
    const int by_length = t->hi[t->dir] - s->hi[s->dir];
    return by_length ? by_length : s < t ? -1 : s > t;
}

int an_cuda_lines_new(struct an_engine *e, const struct an_layout *l, const int *dir,
                      struct an_lines **out)
{
    const int lines = AN_LINE_TILE(e->precision);
    struct an_lines *t = calloc(1, sizeof *t);
    AN_CHECK(t, AN_FAIL, "out of memory for lines");
    *out = t;
    t->cs = l->ncell;
    AN_TRY(place(e, l->block, (size_t)l->nblock * sizeof *l->block, &t->block));
    int64_t n = 0;
    for (int b = 0; b < l->nblock; b++)
        n += dir[b] < 0 ? 0 : line_tiles(&l->block[b], b, dir[b], lines, NULL);
    struct an_tile *tile = malloc(((size_t)n + 1) * sizeof *tile);
    AN_CHECK(tile && n < INT32_MAX, AN_FAIL, "out of memory for %lld tiles", (long long)n);
    n = 0;
    for (int b = 0; b < l->nblock; b++)
        n += dir[b] < 0 ? 0 : line_tiles(&l->block[b], b, dir[b], lines, &tile[n]);
    qsort(tile, (size_t)n, sizeof *tile, longer);
    t->list.n = (int)n;
    const int status = place(e, tile, (size_t)n * sizeof *tile, &t->list.tile);
    free(tile);
    return status;
}

void an_cuda_lines_free(struct an_engine *e, struct an_lines *lines)
{
    if (!lines)
        return;
    e->op->free(e, lines->block);
    e->op->free(e, lines->list.tile);
    free(lines);
}

/* ---- faces and copies ---- */

/* Chunks of n[] items for each of `count` windows or copies. */
static int make_chunks(struct an_engine *e, int count, const int64_t *items,
                       struct an_chunk **chunks, int *nchunk)
{
    int64_t total = 0;
    for (int c = 0; c < count; c++)
        total += (items[c] + AN_CHUNK - 1) / AN_CHUNK;
    struct an_chunk *chunk = malloc((size_t)(total + 1) * sizeof *chunk);
    AN_CHECK(chunk && total <= INT32_MAX, AN_FAIL, "out of memory for %lld chunks",
             (long long)total);
    int n = 0;
    for (int c = 0; c < count; c++)
        for (int64_t first = 0; first < items[c]; first += AN_CHUNK)
            chunk[n++] = (struct an_chunk){c, (int32_t)first};
    *nchunk = n;
    int status = place(e, chunk, (size_t)n * sizeof *chunk, chunks);
    free(chunk);
    return status;
}

int an_cuda_faces_new(struct an_engine *e, const struct an_layout *l, int nwindow,
                      const struct an_face_window *window, int nboundary,
                      const struct an_bc_value *value, struct an_faces **out)
{
    struct an_faces *f = calloc(1, sizeof *f);
    AN_CHECK(f, AN_FAIL, "out of memory for boundary faces");
    *out = f;
    f->cs = l->ncell;
    f->nboundary = nboundary;
    AN_TRY(place(e, l->block, (size_t)l->nblock * sizeof *l->block, &f->block));
    AN_TRY(place(e, window, (size_t)nwindow * sizeof *window, &f->window));
    AN_TRY(place(e, value, (size_t)nboundary * sizeof *value, &f->value));
    const size_t bytes = (size_t)nboundary * AN_NINTEGRAL * sizeof *f->sum;
    void *p;
    AN_TRY(e->op->alloc(e, bytes + 1, &p));
    f->sum = p;
    AN_TRY(e->op->alloc_host(e, bytes + 1, &p));
    f->sum_host = p;
    int64_t *items = malloc(((size_t)nwindow + 1) * sizeof *items);
    AN_CHECK(items, AN_FAIL, "out of memory for boundary faces");
    for (int w = 0; w < nwindow; w++) {
        const struct an_window *win = &window[w].window;
        const int t1 = (win->dir + 1) % 3, t2 = (win->dir + 2) % 3;
        items[w] = (int64_t)(win->hi[t1] - win->lo[t1]) * (win->hi[t2] - win->lo[t2]);
    }
    int status = make_chunks(e, nwindow, items, &f->chunk, &f->nchunk);
    free(items);
    return status;
}

int an_cuda_faces_set(struct an_engine *e, struct an_faces *f, const struct an_bc_value *value)
{
    /* what runs now still reads the old values */
    AN_TRY(e->op->sync(e, 0));
    AN_TRY(e->op->sync(e, 1));
    const size_t bytes = (size_t)f->nboundary * sizeof *value;
    return bytes ? e->op->upload(e, f->value, value, bytes, 0) : AN_OK;
}

void an_cuda_faces_free(struct an_engine *e, struct an_faces *f)
{
    if (!f)
        return;
    e->op->free(e, f->block);
    e->op->free(e, f->window);
    e->op->free(e, f->chunk);
    e->op->free(e, f->value);
    e->op->free(e, f->sum);
    e->op->free_host(e, f->sum_host);
    free(f);
}

int an_cuda_copies_new(struct an_engine *e, int ncopy, const struct an_copy *copy, int nrotation,
                       const double (*rotation)[9], struct an_copies **out)
{
    struct an_copies *c = calloc(1, sizeof *c);
    AN_CHECK(c, AN_FAIL, "out of memory for copies");
    *out = c;
    AN_TRY(place(e, copy, (size_t)ncopy * sizeof *copy, &c->copy));
    AN_TRY(place(e, rotation, (size_t)nrotation * sizeof *rotation, &c->rotation));
    int64_t *items = malloc(((size_t)ncopy + 1) * sizeof *items);
    AN_CHECK(items, AN_FAIL, "out of memory for copies");
    for (int n = 0; n < ncopy; n++)
        items[n] = (int64_t)copy[n].n[0] * copy[n].n[1] * copy[n].n[2];
    int status = make_chunks(e, ncopy, items, &c->chunk, &c->nchunk);
    free(items);
    return status;
}

void an_cuda_copies_free(struct an_engine *e, struct an_copies *c)
{
    if (!c)
        return;
    e->op->free(e, c->copy);
    e->op->free(e, c->chunk);
    e->op->free(e, c->rotation);
    free(c);
}

/* ---- runs ---- */

/* A list that is empty launches nothing. */
static void count(struct an_engine *e, int n)
{
    e->launches += n > 0;
}

static double unordered(unsigned long long v)
{
    if (v == ~0ULL)
        return INFINITY;
    const unsigned long long top = 1ULL << 63, bits = v & top ? v ^ top : ~v;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static void take_reduction(const struct an_cuda_reduction *from, struct an_reduction *red)
{
    memcpy(red->sum, from->sum, sizeof red->sum);
    for (int m = 0; m < AN_NMIN; m++)
        red->min[m] = unordered(from->min[m]);
}

/* On the stream of results, behind what `stream` holds now. */
static int download_later(struct an_engine *e, void *to, const void *from, size_t bytes, int stream)
{
    AN_TRY(e->op->wait(e, RESULTS, stream));
    return e->op->download(e, to, from, bytes, RESULTS);
}

int an_cuda_defer(struct an_engine *e, int on)
{
    if (on && !plan_of(e)->deferred)
        AN_TRY(new_deferred(e));
    if (plan_of(e)->deferred)
        plan_of(e)->deferred->on = on;
    return AN_OK;
}

int an_cuda_collect(struct an_engine *e)
{
    AN_TRY(e->op->sync(e, RESULTS));
    struct an_deferred *d = plan_of(e)->deferred;
    if (!d)
        return AN_OK;
    for (int n = 0; n < d->ncell; n++)
        take_reduction(d->cell[n].red[0], d->cell[n].to);
    for (int n = 0; n < d->nface; n++)
        memcpy(d->face[n].to, d->face[n].from, d->face[n].bytes);
    d->ncell = d->nface = 0;
    return AN_OK;
}

/* Those for the gas. */
static const struct an_cuda_kernels *kernels_for(const struct an_engine *e,
                                                 const struct an_params *p)
{
    const struct an_cuda_kernels *k = plan_of(e)->kernels;
    return p->gas.n ? k->polynomial : k;
}

int an_cuda_run(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                const struct an_fields *f, const struct an_params *p, struct an_reduction *red,
                int stream)
{
    const struct an_cuda_plan *plan = plan_of(e);
    const struct an_cuda_kernels *kernels = kernels_for(e, p);
    AN_CHECK(kernels->cell[s], AN_FAIL, "%s is not a cell stencil", an_stencil_name(s));
    struct an_cell_args a = {.block = t->block, .cs = t->cs, .fields = *f};
    struct an_deferred *d = red ? plan_of(e)->deferred : NULL;
    const int later = d && d->on;
    AN_CHECK(!later || d->ncell < AN_MAX_DEFERRED, AN_FAIL, "too many results deferred");
    struct an_cuda_reduction *const *result = later ? d->cell[d->ncell].red : plan->red;
    if (red) {
        a.red = result[1];
        AN_TRY(e->op->upload(e, result[1], plan->initial, sizeof *result[1], stream));
    }
    const int directional = kernels->directional[s];
    for (int dir = 0; dir < (directional ? 3 : 1); dir++) {
        const struct list *list = directional ? &t->dir[dir] : &t->cell;
        a.tile = list->tile;
        count(e, list->n);
        AN_TRY(kernels->cell[s](dir, &a, list->n, p, &plan->queue[stream]));
    }
    if (!red)
        return AN_OK;
    if (later) {
        d->cell[d->ncell++].to = red;
        return download_later(e, result[0], result[1], sizeof *result[0], stream);
    }
    AN_TRY(e->op->download(e, result[0], result[1], sizeof *result[0], stream));
    AN_TRY(e->op->sync(e, stream));
    take_reduction(result[0], red);
    return AN_OK;
}

int an_cuda_run_between(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                        const struct an_tiles *other, const struct an_fields *f,
                        const struct an_params *p, int stream)
{
    const struct an_cuda_plan *plan = plan_of(e);
    const struct an_cuda_kernels *kernels = kernels_for(e, p);
    struct an_cell_args a = {
        .block = t->block, .cs = t->cs, .other = other->block, .ocs = other->cs, .fields = *f};
    const int directional = kernels->directional[s];
    for (int dir = 0; dir < (directional ? 3 : 1); dir++) {
        const struct list *list = directional ? &t->dir[dir] : &t->cell;
        a.tile = list->tile;
        count(e, list->n);
        AN_TRY(kernels->cell[s](dir, &a, list->n, p, &plan->queue[stream]));
    }
    return AN_OK;
}

int an_cuda_run_lines(struct an_engine *e, enum an_stencil s, const struct an_lines *lines,
                      const struct an_fields *f, const struct an_params *p, int stream)
{
    const struct an_cuda_plan *plan = plan_of(e);
    const struct an_cuda_kernels *kernels = kernels_for(e, p);
    AN_CHECK(kernels->line[s], AN_FAIL, "%s is not a line stencil", an_stencil_name(s));
    struct an_cell_args a = {
        .block = lines->block, .tile = lines->list.tile, .cs = lines->cs, .fields = *f};
    if (!p->turns) /* implicit_lines.inc */
        a.fields.at[AN_F_G] = a.fields.at[AN_F_S];
    count(e, lines->list.n);
    return kernels->line[s](&a, lines->list.n, p, &plan->queue[stream]);
}

int an_cuda_run_faces(struct an_engine *e, enum an_stencil s, enum an_scheme scheme,
                      const struct an_faces *faces, const struct an_fields *f,
                      const struct an_params *p, struct an_xsum *sum, int stream)
{
    const struct an_cuda_plan *plan = plan_of(e);
    const struct an_cuda_kernels *kernels = kernels_for(e, p);
    AN_CHECK(kernels->face[s], AN_FAIL, "%s is not a face stencil", an_stencil_name(s));
    const struct an_face_args a = {.block = faces->block,
                                   .window = faces->window,
                                   .chunk = faces->chunk,
                                   .value = faces->value,
                                   .cs = faces->cs,
                                   .scheme = scheme,
                                   .fields = *f,
                                   .sum = sum ? faces->sum : NULL};
    const size_t bytes = (size_t)faces->nboundary * AN_NINTEGRAL * sizeof *sum;
    struct an_deferred *d = sum ? plan_of(e)->deferred : NULL;
    const int later = d && d->on;
    AN_CHECK(!later || d->nface < AN_MAX_DEFERRED, AN_FAIL, "too many results deferred");
    if (sum) {
        memset(faces->sum_host, 0, bytes);
        AN_TRY(e->op->upload(e, faces->sum, faces->sum_host, bytes, stream));
    }
    count(e, faces->nchunk);
    AN_TRY(kernels->face[s](&a, faces->nchunk, p, &plan->queue[stream]));
    if (!sum)
        return AN_OK;
    if (later) {
        const int n = d->nface++;
        d->face[n].to = sum;
        d->face[n].from = faces->sum_host;
        d->face[n].bytes = bytes;
        return download_later(e, faces->sum_host, faces->sum, bytes, stream);
    }
    AN_TRY(e->op->download(e, faces->sum_host, faces->sum, bytes, stream));
    AN_TRY(e->op->sync(e, stream));
    memcpy(sum, faces->sum_host, bytes);
    return AN_OK;
}

static int fused(struct an_engine *e, int scheme, int stage, const struct an_tiles *t,
                 const struct an_fields *f, const struct an_params *p, int stream)
{
    const struct an_cuda_plan *plan = plan_of(e);
    struct an_cell_args a = {.block = t->block, .cs = t->cs, .fields = *f};
    const struct an_cuda_kernels *kernels = kernels_for(e, p);
    const struct list *list = p->gas.n ? &t->polynomial[0] : t->tiled[t->like[scheme]];
    for (int v = 0; v < kernels->fused->nvariant; v++) {
        if (!list[v].n)
            continue;
        a.tile = list[v].tile;
        count(e, list[v].n);
        AN_TRY(kernels->fused->run(v, scheme, stage, &a, list[v].n, p, &plan->queue[stream]));
    }
    return AN_OK;
}

int an_cuda_residual(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                     const struct an_fields *f, const struct an_params *p, int stream)
{
    return fused(e, scheme, 0, t, f, p, stream);
}

int an_cuda_stage(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                  const struct an_fields *f, const struct an_params *p, int stream)
{
    return fused(e, scheme, 1, t, f, p, stream);
}

int an_cuda_viscous(struct an_engine *e, int stage, const struct an_tiles *t,
                    const struct an_fields *f, const struct an_params *p, int stream)
{
    const struct an_cuda_plan *plan = plan_of(e);
    struct an_cell_args a = {.block = t->block, .cs = t->cs, .fields = *f};
    const struct an_viscous_kernels *viscous = kernels_for(e, p)->viscous;
    const struct list *list = p->gas.n ? &t->polynomial[1] : t->tiled[AN_TILED_VISCOUS];
    for (int v = 0; v < viscous->nvariant; v++) {
        if (!list[v].n)
            continue;
        a.tile = list[v].tile;
        count(e, list[v].n);
        AN_TRY(viscous->run(v, stage, &a, list[v].n, p, &plan->queue[stream]));
    }
    return AN_OK;
}

int an_cuda_copies_args(const struct an_copies *c, struct an_copy_args *a)
{
    *a = (struct an_copy_args){.copy = c->copy, .chunk = c->chunk, .rotation = c->rotation};
    return c->nchunk;
}

const struct an_cuda_queue *an_cuda_queue_of(const struct an_engine *e, int stream)
{
    return &plan_of(e)->queue[stream];
}

int an_cuda_probe(struct an_engine *e, struct an_kernel_probe *probe)
{
    AN_CHECK(e->op->tiles_new == an_cuda_tiles_new, AN_INPUT,
             "the %s engine has no kernels to probe", e->name);
    for (int n = 0; n < 2; n++)
        plan_of(e)->queue[n].probe = probe;
    return AN_OK;
}

void *an_cuda_stream(const struct an_engine *e, int stream)
{
    return plan_of(e)->queue[stream].stream;
}

int an_cuda_copies(struct an_engine *e, const struct an_copies *c, void *dst, int64_t dst_component,
                   const void *src, int64_t src_component, int ncomp, int vector, int stream)
{
    const struct an_copy_args a = {.copy = c->copy,
                                   .chunk = c->chunk,
                                   .rotation = c->rotation,
                                   .dst = dst,
                                   .src = src,
                                   .dst_component = dst_component,
                                   .src_component = src_component,
                                   .ncomp = ncomp,
                                   .vector = vector};
    count(e, c->nchunk);
    return plan_of(e)->kernels->copy(&a, c->nchunk, &plan_of(e)->queue[stream]);
}
