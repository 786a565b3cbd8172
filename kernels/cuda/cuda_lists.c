/* Work lists of lines, faces and copies for the CUDA and emulated engines. */
#include "kernels/cuda/cuda_lists.h"

#include <stdlib.h>

/* ---- lines ---- */

/* Segments of lines along i that lie behind each other, from block b on: as many as a tile takes. A warp then
 * reads whole lines of memory, where the segments of one row of cells would each have a part of one. */
static int segments(const struct an_layout *l, const int *dir, int b)
{
    const int most = 128 / (int)l->precision;
    const struct an_block *first = &l->block[b];
    int n = 1;
    while (dir[b] == 0 && b + n < l->nblock && dir[b + n] == 0 && (n + 1) * first->n[0] <= most) {
        const struct an_block *next = &l->block[b + n];
        if (next->origin != first->origin + n * first->n[0] || next->n[0] != first->n[0] ||
            next->n[1] != first->n[1] || next->n[2] != first->n[2] ||
            next->stride[1] != first->stride[1] || next->stride[2] != first->stride[2])
            break;
        n++;
    }
    while (n & (n - 1))
        n--;
    return n;
}

/* Cuts the lines of block b along dir into tiles of 2^shift x lines / 2^shift, or of that many rows of
 * segments behind each other (tile.hi[0]); writes them from out[0] on, unless NULL. Returns their number. */
static int64_t line_tiles(const struct an_block *block, int b, int dir, int behind, int lines,
                          struct an_tile *out)
{
    const int fast = dir == 0 ? 1 : 0, slow = dir == 2 ? 1 : 2;
    int shift = 0;
    lines /= behind;
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
            t->hi[dir] = behind * block->n[dir];
            t->lo[fast] = u;
            t->hi[fast] = u + wide < block->n[fast] ? u + wide : block->n[fast];
            t->lo[slow] = v;
            t->hi[slow] = v + high < block->n[slow] ? v + high : block->n[slow];
        }
    return n;
}

/* Lines along i first; of each kind long ones first: nothing waits for one that started last. */
static int before(const void *a, const void *b)
{
    const struct an_tile *s = a, *t = b;
    const int by_kind = (t->dir == 0) - (s->dir == 0);
    const int by_length = t->hi[t->dir] - s->hi[s->dir];
    return by_kind ? by_kind : by_length ? by_length : s < t ? -1 : s > t;
}

/* All lines of a layout in tiles of so many; of the *n tiles *along_i are along i. join: segments along i
 * that lie behind each other share tiles. */
static int cut_lines(struct an_engine *e, const struct an_layout *l, const int *dir, int lines,
                     int join, struct an_tile **out, int *count, int *along_i)
{
    int64_t n = 0;
    for (int b = 0, behind; b < l->nblock; b += behind) {
        behind = join ? segments(l, dir, b) : 1;
        n += dir[b] < 0 ? 0 : line_tiles(&l->block[b], b, dir[b], behind, lines, NULL);
    }
    struct an_tile *tile = malloc(((size_t)n + 1) * sizeof *tile);
    AN_CHECK(tile && n < INT32_MAX, AN_FAIL, "out of memory for %lld tiles", (long long)n);
    n = 0;
    *along_i = 0;
    for (int b = 0, behind; b < l->nblock; b += behind) {
        behind = join ? segments(l, dir, b) : 1;
        const int64_t more =
            dir[b] < 0 ? 0 : line_tiles(&l->block[b], b, dir[b], behind, lines, &tile[n]);
        *along_i += dir[b] == 0 ? (int)more : 0;
        n += more;
    }
    qsort(tile, (size_t)n, sizeof *tile, before);
    *count = (int)n;
    const int status = place(e, tile, (size_t)n * sizeof *tile, out);
    free(tile);
    return status;
}

int an_cuda_lines_new(struct an_engine *e, const struct an_layout *l, const int *dir,
                      struct an_lines **out)
{
    struct an_lines *t = calloc(1, sizeof *t);
    AN_CHECK(t, AN_FAIL, "out of memory for lines");
    *out = t;
    t->cs = l->ncell;
    struct an_line_tiles *const tiles = &t->tiles;
    tiles->enough = AN_ENOUGH_COLUMNS * plan_of(e)->multiprocessors;
    AN_TRY(place(e, l->block, (size_t)l->nblock * sizeof *l->block, &t->block));
    AN_TRY(cut_lines(e, l, dir, AN_LINE_TILE(e->precision), 0, &tiles->group, &tiles->ngroup,
                     &tiles->ngroup_i));
    return cut_lines(e, l, dir, AN_LINE_COLUMNS, 1, &tiles->column, &tiles->ncolumn,
                     &tiles->ncolumn_i);
}

void an_cuda_lines_free(struct an_engine *e, struct an_lines *lines)
{
    if (!lines)
        return;
    e->op->free(e, lines->block);
    e->op->free(e, lines->tiles.group);
    e->op->free(e, lines->tiles.column);
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
    AN_TRY(e->op->alloc(e, bytes + 1, &p));
    f->sum_zero = p;
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
    e->op->free(e, f->sum_zero);
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
