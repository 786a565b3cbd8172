/* Boxes of cells are cut into tiles for the CUDA and emulated engines. */
#include "kernels/cuda/cuda_lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

int an_cuda_best_variant(struct an_cuda_plan *plan, enum an_tiled kernel, const struct an_box *box)
{
    static const struct an_box large = {0, {0, 0, 0}, {256, 256, 256}};
    const struct shapes s = shapes_of(plan, kernel);
    if (plan->variant >= 0 && s.n && s.resident[plan->variant % s.n])
        return plan->variant % s.n;
    int best = 0;
    double least = INFINITY;
    while (best + 1 < s.n && !s.resident[best])
        best++;
    for (int v = 0; v < s.n; v++) {
        const double cost =
            s.time[v] * (double)padded(box ? box : &large, s.variant[v].tx, s.variant[v].ty);
        if (s.resident[v] && s.time[v] > 0 && cost < least) {
            least = cost;
            best = v;
        }
    }
    return best;
}

/* Planes a tile marches: few planes make enough tiles for all multiprocessors, many planes waste
 * less on the first ones (`lead`, in planes). Counts the time in planes, *planes: waves of tiles, half
 * a wave to drain, times planes. columns[n]: tiles for each plane of a box with nk[n] planes. */
static int best_chunk(int nbox, const int64_t *columns, const int *nk, double resident, double lead,
                      double *planes)
{
    int best = 1;
    *planes = INFINITY;
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
        if (time < *planes) {
            *planes = time;
            best = chunk;
        }
    }
    return best;
}

struct cut {
    int tx, ty, shift;
};

/* Columns of tiles of each box, and its planes; both stay 0 for a box that cut leaves out or that has no
 * cells. */
static void count_columns(int nbox, const struct an_box *box, const struct cut *cut,
                          int64_t *columns, int *nk)
{
    for (int b = 0; b < nbox; b++)
        if (cut[b].tx && box[b].hi[0] > box[b].lo[0] && box[b].hi[1] > box[b].lo[1]) {
            columns[b] = padded(&box[b], cut[b].tx, cut[b].ty) / cut[b].tx / cut[b].ty;
            nk[b] = box[b].hi[2] - box[b].lo[2];
        }
}

/* The number of tiles, if columns are cut into chunks of planes. */
static int64_t count_tiles(int nbox, const int64_t *columns, const int *nk, int chunk)
{
    int64_t n = 0;
    for (int b = 0; b < nbox; b++)
        if (nk[b] > 0)
            n += columns[b] * divide_up(nk[b], chunk);
    return n;
}

/* Writes the tiles of a box of nk planes in chunks of planes, and returns the place behind the last one. */
static struct an_tile *cut_box(const struct an_box *box, const struct cut *cut, int nk, int chunk,
                               struct an_tile *t)
{
    const int pieces = divide_up(nk, chunk);
    for (int piece = 0; piece < pieces; piece++)
        for (int j = box->lo[1]; j < box->hi[1]; j += cut->ty)
            for (int i = box->lo[0]; i < box->hi[0]; i += cut->tx, t++) {
                t->block = box->block;
                t->shift = cut->shift;
                t->lo[0] = i;
                t->lo[1] = j;
                t->lo[2] = box->lo[2] + (int)((int64_t)nk * piece / pieces);
                t->hi[0] = i + cut->tx < box->hi[0] ? i + cut->tx : box->hi[0];
                t->hi[1] = j + cut->ty < box->hi[1] ? j + cut->ty : box->hi[1];
                t->hi[2] = box->lo[2] + (int)((int64_t)nk * (piece + 1) / pieces);
            }
    return t;
}

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
    if (!status) {
        double planes;
        count_columns(nbox, box, cut, columns, nk);
        const int best =
            best_chunk(nbox, columns, nk, (double)resident * plan->multiprocessors, lead, &planes);
        const int chunk = plan->chunk && lead > 0 ? plan->chunk : best;
        n = count_tiles(nbox, columns, nk, chunk);
        if (n > INT32_MAX || !(tile = malloc((size_t)(n + 1) * sizeof *tile)))
            status = an_error_set(AN_FAIL, "out of memory for %lld tiles", (long long)n);
        struct an_tile *next = tile;
        for (int b = 0; !status && b < nbox; b++)
            if (nk[b] > 0)
                next = cut_box(&box[b], &cut[b], nk[b], chunk, next);
    }
    if (!status)
        status = place(e, tile, (size_t)n * sizeof *tile, &list->tile);
    list->n = status ? 0 : (int)n;
    free(tile);
    free(nk);
    free(columns);
    return status;
}

/* ---- shapes ---- */

/* Planes that a tile marches before its first result. */
#define LEAD 2.0
/* What a launch costs, s: its start and its end, when the device is not full. */
#define LAUNCH 3e-6
/* Part of the time that a better shape may take at most, where the model of waves alone decides. */
#define SURE 0.85

/* Seconds of a launch of variant v for the boxes whose choice is v; all: for all boxes. columns, nk:
 * scratch. */
static double launch_time(const struct an_cuda_plan *plan, const struct shapes *s, int v, int nbox,
                          const struct an_box *box, const int *choice, int all, int64_t *columns,
                          int *nk)
{
    const struct an_fused_variant *shape = &s->variant[v];
    const double tiles_at_once = (double)s->resident[v] * plan->multiprocessors;
    int any = 0;
    for (int b = 0; b < nbox; b++) {
        const int mine = all || choice[b] == v;
        columns[b] = padded(&box[b], shape->tx, shape->ty) / shape->tx / shape->ty;
        nk[b] = mine ? box[b].hi[2] - box[b].lo[2] : 0;
        any |= nk[b] > 0 && columns[b] > 0;
    }
    if (!any)
        return 0;
    double planes;
    (void)best_chunk(nbox, columns, nk, tiles_at_once, LEAD, &planes);
    return LAUNCH + planes * 1e-12 * s->time[v] * shape->tx * shape->ty * tiles_at_once;
}

/* The shape of each box: the one that suits it, or, where the boxes are few and small, one shape for
 * all of them, because launches of several shapes run one after the other. */
static int choose_shapes(struct an_cuda_plan *plan, enum an_tiled kernel, int nbox,
                         const struct an_box *box, int *choice)
{
    const struct shapes s = shapes_of(plan, kernel);
    int64_t *columns = calloc((size_t)nbox + 1, sizeof *columns);
    int *nk = calloc((size_t)nbox + 1, sizeof *nk), one = -1;
    double least = 0;
    int alike = 1;
    for (int b = 0; b < nbox; b++) {
        choice[b] = an_cuda_best_variant(plan, kernel, &box[b]);
        alike &= choice[b] == choice[0];
    }
    for (int v = 0; v < s.n && columns && nk; v++)
        least += launch_time(plan, &s, v, nbox, box, choice, 0, columns, nk);
    if (alike) /* another shape saves no launch, so it must be better than the model of waves is exact */
        least *= SURE;
    for (int v = 0; v < s.n && columns && nk && plan->variant < 0; v++) {
        const double time = s.resident[v] && s.time[v] > 0
                                ? launch_time(plan, &s, v, nbox, box, choice, 1, columns, nk)
                                : INFINITY;
        if (time < least) {
            least = time;
            one = v;
        }
    }
    for (int b = 0; b < nbox && one >= 0; b++)
        choice[b] = one;
    const int status = columns && nk ? AN_OK : an_error_set(AN_FAIL, "out of memory for tiles");
    free(columns);
    free(nk);
    return status;
}

/* Seconds of a kernel in the shapes that were chosen for it; infinite where the time of one is not known. */
static int time_of_choice(struct an_cuda_plan *plan, enum an_tiled kernel, int nbox,
                          const struct an_box *box, const int *choice, double *seconds)
{
    const struct shapes s = shapes_of(plan, kernel);
    int64_t *columns = calloc((size_t)nbox + 1, sizeof *columns);
    int *nk = calloc((size_t)nbox + 1, sizeof *nk);
    const int status = columns && nk ? AN_OK : an_error_set(AN_FAIL, "out of memory for tiles");
    *seconds = s.n ? 0 : INFINITY;
    for (int b = 0; b < nbox; b++)
        if (s.n && !(s.time[choice[b]] > 0 && s.resident[choice[b]]))
            *seconds = INFINITY;
    for (int v = 0; v < s.n && !status; v++)
        *seconds += launch_time(plan, &s, v, nbox, box, choice, 0, columns, nk);
    free(columns);
    free(nk);
    return status;
}

/* What gradients in boundary cells of blocks cost one pass more, s for each of these cells: with two kernels they are found
 * beside the first one. By the cycles of Rotor 37 on an H200, with 393 344, 1 078 272 and 2 991 104 cells, 0.07 to 0.09 ns. */
#define BOUNDARY 8e-11
/* Part of the time of two kernels that one pass may take at most: the times of fluxes are those of stages, and a residual
 * takes a little less. */
#define AHEAD 0.98

/* s: the first of two kernels runs beside the exchange of gradients with other ranks, for which one pass waits. An exchange
 * of 2.6 to 3.5 MB between two H200 takes 26 to 40 us. */
#define EXCHANGE 4e-5

static double boundary_cells(int nbox, const struct an_box *box)
{
    double cells = 0;
    for (int b = 0; b < nbox; b++) {
        double all = 1, inner = 1;
        for (int d = 0; d < 3; d++) {
            all *= box[b].hi[d] - box[b].lo[d];
            inner *= fmax(box[b].hi[d] - box[b].lo[d] - 2, 0);
        }
        cells += all - inner;
    }
    return cells;
}

/* Where one pass is quicker than two kernels. choice[AN_NTILED][nbox]. */
static int choose_pass(struct an_cuda_plan *plan, int nbox, const struct an_box *box,
                       const int *choice, struct an_tiles *t)
{
    double seconds[AN_NTILED];
    for (int k = 0; k < AN_NTILED; k++)
        AN_TRY(time_of_choice(plan, (enum an_tiled)k, nbox, box, choice + k * nbox, &seconds[k]));
    for (int travel = 0; travel < 2; travel++)
        for (int scheme = 0; scheme < AN_NSCHEME; scheme++)
            t->one_pass[travel][scheme] = seconds[AN_TILED_RANS + scheme] +
                                              BOUNDARY * boundary_cells(nbox, box) +
                                              travel * EXCHANGE <
                                          AHEAD * (seconds[scheme] + seconds[AN_TILED_VISCOUS]);
    return AN_OK;
}

/* The first kernel that has the same shapes. */
static int first_alike(enum an_tiled kernel)
{
    return kernel < AN_TILED_VISCOUS ? 0
           : kernel < AN_TILED_RANS  ? AN_TILED_VISCOUS
                                     : AN_TILED_RANS;
}

/* The lists of a kernel: one for each variant that is chosen for some box. choice[AN_NTILED][nbox]: of
 * the kernels before, and of this one; cut[nbox] is scratch. */
static int tile_kernel(struct an_engine *e, int nbox, const struct an_box *box,
                       enum an_tiled kernel, int *choice, struct cut *cut, struct an_tiles *t)
{
    const struct shapes s = shapes_of(plan_of(e), kernel);
    int *const mine = choice + (int)kernel * nbox;
    AN_TRY(choose_shapes(plan_of(e), kernel, nbox, box, mine));
    t->like[kernel] = first_alike(kernel); /* one that cuts all boxes alike, or itself */
    while (t->like[kernel] != (int)kernel &&
           memcmp(choice + t->like[kernel] * nbox, mine, (size_t)nbox * sizeof *mine) != 0)
        t->like[kernel]++;
    if (t->like[kernel] != (int)kernel)
        return AN_OK;
    for (int v = 0; v < s.n; v++) {
        int any = 0;
        for (int b = 0; b < nbox; b++) {
            const struct cut shape = {s.variant[v].tx, s.variant[v].ty, 0};
            cut[b] = mine[b] == v ? shape : (struct cut){0, 0, 0};
            any |= mine[b] == v;
        }
        if (any && s.resident[v])
            AN_TRY(make_list(e, nbox, box, cut, s.resident[v], LEAD, &t->tiled[kernel][v]));
    }
    return AN_OK;
}

/* The list of the plane kernels of cell stencils, which have one shape. */
static int tile_planes(struct an_engine *e, int nbox, const struct an_box *box, struct cut *cut,
                       struct an_tiles *t)
{
    const struct an_cuda_plan *plan = plan_of(e);
    const struct an_fused_variant *shape = &plan->kernels->planes[AN_S_sa_residual]->shape;
    for (int b = 0; b < nbox; b++)
        cut[b] = (struct cut){shape->tx, shape->ty, 0};
    return make_list(e, nbox, box, cut, plan->resident_planes, LEAD, &t->planes);
}

/* The lists of the kernels for stored properties, which have one shape. */
static int tile_stored(struct an_engine *e, int nbox, const struct an_box *box, struct cut *cut,
                       struct an_tiles *t)
{
    const struct an_cuda_plan *plan = plan_of(e);
    const struct an_cuda_kernels *kernels = plan->kernels->stored;
    for (int m = 0; m < 2; m++) {
        const struct an_fused_variant *shape =
            m ? kernels->viscous->variant : kernels->fused->variant;
        for (int b = 0; b < nbox; b++)
            cut[b] = (struct cut){shape->tx, shape->ty, 0};
        AN_TRY(make_list(e, nbox, box, cut, plan->resident_stored[m], LEAD, &t->stored[m]));
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
    int *choice = calloc(AN_NTILED * (size_t)nbox + 1, sizeof *choice);
    int status = cut && wide && choice ? AN_OK : an_error_set(AN_FAIL, "out of memory for tiles");
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
        status = tile_kernel(e, nbox, box, (enum an_tiled)k, choice, cut, t);
    if (!status)
        status = tile_planes(e, nbox, box, cut, t);
    if (!status)
        status = choose_pass(plan_of(e), nbox, box, choice, t);
    if (!status)
        status = tile_stored(e, nbox, box, cut, t);
    free(cut);
    free(wide);
    free(choice);
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
    e->op->free(e, t->planes.tile);
    for (int m = 0; m < 2; m++)
        e->op->free(e, t->stored[m].tile);
    free(t);
}
