/* The plan of the CUDA and emulated engines, and their operations, made of lists and kernels. */
#include "kernels/cuda/cuda_plan.h"

#include "kernels/cuda/cuda_lists.h"
#include "kernels/engine/meter.h"
#include "kernels/engine/planes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* At least one shape must fit. */
static int one_fits(const struct an_cuda_plan *plan, const char *kernel, int n,
                    const struct an_fused_variant *variant, const int *resident)
{
    int fits = 0, least = variant[0].shared;
    for (int v = 0; v < n; v++) {
        fits |= resident[v] > 0;
        least = variant[v].shared < least ? variant[v].shared : least;
    }
    AN_CHECK(fits, AN_FAIL,
             "%s: no tile shape of the %s kernel fits: its smallest block needs %d bytes of shared "
             "memory, a block of "
             "this device has %d at most",
             plan->device, kernel, least, plan->card.block_shared);
    return AN_OK;
}

/* planes: the fewest blocks of the plane kernels of cell stencils. */
static int prepare(const struct an_cuda_plan *plan, const struct an_cuda_kernels *k, int *fused,
                   int *viscous, int *planes)
{
    AN_TRY(k->fused->prepare(fused));
    AN_TRY(k->viscous->prepare(viscous));
    AN_TRY(one_fits(plan, "flux", k->fused->nvariant, k->fused->variant, fused));
    AN_TRY(one_fits(plan, "viscous", k->viscous->nvariant, k->viscous->variant, viscous));
    *planes = INT_MAX;
    for (int s = 0; s < AN_NSTENCIL; s++) {
        int here;
        if (!k->planes[s])
            continue;
        AN_TRY(k->planes[s]->prepare(&here));
        AN_TRY(one_fits(plan, an_stencil_name((enum an_stencil)s), 1, &k->planes[s]->shape, &here));
        *planes = here < *planes ? here : *planes;
    }
    return AN_OK;
}

void an_cuda_plan_times(struct an_cuda_plan *plan, enum an_precision precision)
{
    plan->times = *an_tile_table(plan->device, precision);
    for (int k = 0; k < AN_NTILED && plan->card.multiprocessors > 0; k++) {
        const struct shapes s = shapes_of(plan, (enum an_tiled)k);
        for (int v = 0; v < s.n; v++) {
            const int threads = s.variant[v].tx * s.variant[v].ty, here = s.resident[v];
            const int there = an_cuda_card_blocks(
                &an_cuda_card_of_times, threads,
                an_cuda_card_registers(threads, s.variant[v].min_blocks), s.variant[v].shared);
            if (here > 0 && here < there)
                s.time[v] *= (double)there / here;
        }
    }
}

static int pass_of_environment(int *one_pass)
{
    const char *wanted = getenv("AN_ONE_PASS");
    AN_CHECK(!wanted || !strcmp(wanted, "0") || !strcmp(wanted, "1"), AN_INPUT,
             "AN_ONE_PASS=%s: must be 0 or 1", wanted);
    *one_pass = wanted ? wanted[0] - '0' : -1;
    return AN_OK;
}

int an_cuda_plan_start(struct an_engine *e, const struct an_cuda_kernels *kernels,
                       int multiprocessors)
{
    struct an_cuda_plan *plan = e->state;
    plan->kernels = kernels;
    e->sparse = kernels->sparse;
    plan->multiprocessors = multiprocessors;
    plan->variant = -1;
    AN_TRY(prepare(plan, kernels, plan->resident, plan->resident_viscous, &plan->resident_planes));
    AN_TRY(kernels->rans->prepare(plan->resident_rans));
    AN_TRY(pass_of_environment(&plan->one_pass));
    int planes; /* with stored properties these kernels have the tiles of the viscous one */
    AN_TRY(prepare(plan, kernels->stored, &plan->resident_stored[0], &plan->resident_stored[1],
                   &planes));
    an_cuda_plan_times(plan, e->precision);
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

int an_cuda_choose_pass(struct an_engine *e, int one_pass)
{
    const int before = plan_of(e)->one_pass;
    plan_of(e)->one_pass = one_pass;
    return before;
}

const struct an_fused_variant *an_cuda_variant(const struct an_engine *e, int variant)
{
    if (e->op->tiles_new != an_cuda_tiles_new || variant < 0 ||
        variant >= plan_of(e)->kernels->fused->nvariant)
        return NULL;
    return &plan_of(e)->kernels->fused->variant[variant];
}

const struct an_fused_variant *an_cuda_rans_variant(const struct an_engine *e, int variant)
{
    if (!an_cuda_variant(e, variant) || !plan_of(e)->kernels->rans->nvariant)
        return NULL;
    const struct an_fused_kernels *rans = plan_of(e)->kernels->rans;
    return &rans->variant[variant % rans->nvariant];
}

/* ---- runs ---- */

static struct an_copy_args copy_args(const struct an_copies *c, void *dst, int64_t dst_component,
                                     const void *src, int64_t src_component, int ncomp, int vector)
{
    return (struct an_copy_args){.copy = c->copy,
                                 .chunk = c->chunk,
                                 .rotation = c->rotation,
                                 .dst = dst,
                                 .src = src,
                                 .dst_component = dst_component,
                                 .src_component = src_component,
                                 .ncomp = ncomp,
                                 .vector = vector};
}

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
    return an_params_stored(p) ? k->stored : k;
}

static int run_planes(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                      const struct an_fields *f, const struct an_params *p, int stream)
{
    struct an_cell_args a = {.block = t->block, .cs = t->cs, .fields = *f};
    const int other = an_params_stored(p); /* these have the tiles of the viscous kernel */
    const struct list *list = other ? &t->stored[1] : &t->planes;
    a.tile = list->tile;
    count(e, list->n);
    return kernels_for(e, p)->planes[s]->run(&a, list->n, p, &plan_of(e)->queue[stream]);
}

int an_cuda_run(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                const struct an_fields *f, const struct an_params *p, struct an_reduction *red,
                int stream)
{
    struct an_cuda_plan *plan = plan_of(e);
    const struct an_cuda_kernels *kernels = kernels_for(e, p);
    AN_CHECK(kernels->cell[s], AN_FAIL, "%s is not a cell stencil", an_stencil_name(s));
    if (kernels->planes[s] && an_planes_hold(s, p)) /* none of them has sums */
        return run_planes(e, s, t, f, p, stream);
    struct an_cell_args a = {.block = t->block, .cs = t->cs, .fields = *f};
    struct an_deferred *d = red ? plan_of(e)->deferred : NULL;
    const int later = d && d->on;
    if (later && d->ncell == AN_MAX_DEFERRED)
        AN_TRY(an_cuda_collect(e));
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
    struct an_cuda_plan *plan = plan_of(e);
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
    struct an_cuda_plan *plan = plan_of(e);
    const struct an_cuda_kernels *kernels = kernels_for(e, p);
    AN_CHECK(kernels->line[s], AN_FAIL, "%s is not a line stencil", an_stencil_name(s));
    struct an_cell_args a = {.block = lines->block, .cs = lines->cs, .fields = *f};
    if (!p->flux.rotating) /* implicit_lines.inc */
        a.fields.at[AN_F_G] = a.fields.at[AN_F_S];
    return kernels->line[s](&a, &lines->tiles, p, &plan->queue[stream], &e->launches);
}

static struct an_face_args face_args(enum an_scheme scheme, const struct an_faces *faces,
                                     const struct an_fields *f)
{
    return (struct an_face_args){.block = faces->block,
                                 .window = faces->window,
                                 .chunk = faces->chunk,
                                 .value = faces->value,
                                 .cs = faces->cs,
                                 .scheme = scheme,
                                 .fields = *f};
}

/* Are results of these faces, which have memory for one at a time, still on their way? */
static int is_deferred(const struct an_deferred *d, const struct an_faces *faces)
{
    for (int n = 0; n < d->nface; n++)
        if (d->face[n].from == faces->sum_host)
            return 1;
    return 0;
}

int an_cuda_run_faces(struct an_engine *e, enum an_stencil s, enum an_scheme scheme,
                      const struct an_faces *faces, const struct an_fields *f,
                      const struct an_params *p, struct an_xsum *sum, int stream)
{
    struct an_cuda_plan *plan = plan_of(e);
    const struct an_cuda_kernels *kernels = kernels_for(e, p);
    AN_CHECK(kernels->face[s], AN_FAIL, "%s is not a face stencil", an_stencil_name(s));
    struct an_face_args a = face_args(scheme, faces, f);
    a.sum = sum ? faces->sum : NULL;
    const size_t bytes = (size_t)faces->nboundary * AN_NINTEGRAL * sizeof *sum;
    struct an_deferred *d = sum ? plan_of(e)->deferred : NULL;
    const int later = d && d->on;
    if (later && (d->nface == AN_MAX_DEFERRED || is_deferred(d, faces)))
        AN_TRY(an_cuda_collect(e));
    if (sum)
        AN_TRY(e->op->copy(e, faces->sum, faces->sum_zero, bytes, stream));
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
    AN_TRY(e->op->download(e, sum, faces->sum, bytes, stream));
    return e->op->sync(e, stream);
}

static int fused(struct an_engine *e, int scheme, int stage, const struct an_tiles *t,
                 const struct an_fields *f, const struct an_params *p, int stream)
{
    struct an_cuda_plan *plan = plan_of(e);
    struct an_cell_args a = {.block = t->block, .cs = t->cs, .fields = *f};
    const struct an_cuda_kernels *kernels = kernels_for(e, p);
    const struct list *list = an_params_stored(p) ? &t->stored[0] : t->tiled[t->like[scheme]];
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
    struct an_cuda_plan *plan = plan_of(e);
    struct an_cell_args a = {.block = t->block, .cs = t->cs, .fields = *f};
    const struct an_viscous_kernels *viscous = kernels_for(e, p)->viscous;
    const struct list *list = an_params_stored(p) ? &t->stored[1] : t->tiled[AN_TILED_VISCOUS];
    for (int v = 0; v < viscous->nvariant; v++) {
        if (!list[v].n)
            continue;
        a.tile = list[v].tile;
        count(e, list[v].n);
        AN_TRY(viscous->run(v, stage, &a, list[v].n, p, &plan->queue[stream]));
    }
    return AN_OK;
}

/* The tiles of one pass, for each variant of its kernel; NULL: the kernel is not built for these parameters
 * (cuda_rans.cuh), or does not fit into the device. */
static const struct list *rans_tiles(const struct an_engine *e, enum an_scheme scheme,
                                     const struct an_tiles *t, const struct an_params *p)
{
    const struct an_fused_kernels *rans = kernels_for(e, p)->rans;
    const struct list *list = t->tiled[t->like[AN_TILED_RANS + (int)scheme]];
    const int has_kernel = p->fluid.viscosity == AN_VISCOSITY_SUTHERLAND ||
                           p->fluid.viscosity == AN_VISCOSITY_CONSTANT;
    if (!has_kernel || p->turb.qcr || p->flux.low_mach > 0 || p->flux.precondition)
        return NULL;
    for (int v = 0; v < rans->nvariant; v++)
        if (list[v].n)
            return list;
    return NULL;
}

int an_cuda_in_one_pass(const struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                        const struct an_params *p, int travel)
{
    const int wanted = plan_of(e)->one_pass;
    return (wanted < 0 ? t->one_pass[travel != 0][scheme] : wanted) && rans_tiles(e, scheme, t, p);
}

int an_cuda_rans(struct an_engine *e, enum an_scheme scheme, int stage, const struct an_tiles *t,
                 const struct an_fields *f, const struct an_params *p, int stream)
{
    struct an_cuda_plan *plan = plan_of(e);
    const struct an_fused_kernels *rans = kernels_for(e, p)->rans;
    const struct list *list = rans_tiles(e, scheme, t, p);
    if (!list) {
        struct an_fields alone = *f;
        alone.at[AN_F_FORCE] = NULL;
        AN_TRY(an_cuda_residual(e, scheme, t, &alone, p, stream));
        return an_cuda_viscous(e, stage, t, f, p, stream);
    }
    struct an_cell_args a = {.block = t->block, .cs = t->cs, .fields = *f};
    for (int v = 0; v < rans->nvariant; v++) {
        if (!list[v].n)
            continue;
        a.tile = list[v].tile;
        count(e, list[v].n);
        AN_TRY(rans->run(v, scheme, stage, &a, list[v].n, p, &plan->queue[stream]));
    }
    return AN_OK;
}

int an_cuda_copies_args(const struct an_copies *c, struct an_copy_args *a)
{
    *a = copy_args(c, NULL, 0, NULL, 0, 0, AN_COPY_PLAIN);
    return c->nchunk;
}

struct an_cuda_queue *an_cuda_queue_of(const struct an_engine *e, int stream)
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

int an_cuda_ghosts(struct an_engine *e, const struct an_copying *c, enum an_stencil s,
                   enum an_scheme scheme, const struct an_faces *faces, const struct an_fields *f,
                   const struct an_params *p, int stream)
{
    const struct an_cuda_kernels *kernels = kernels_for(e, p);
    AN_CHECK(kernels->face[s], AN_FAIL, "%s is not a face stencil", an_stencil_name(s));
    struct an_face_args a = face_args(scheme, faces, f);
    a.copies.nchunk = c->list ? c->list->nchunk : 0;
    a.copies.nfield = c->nfield;
    for (int n = 0; n < c->nfield && c->list; n++)
        a.copies.field[n] = copy_args(c->list, c->field[n].base, c->component, c->field[n].base,
                                      c->component, c->field[n].ncomp, c->field[n].vector);
    count(e, faces->nchunk + a.copies.nchunk * a.copies.nfield);
    return kernels->face[s](&a, faces->nchunk, p, &plan_of(e)->queue[stream]);
}

int an_cuda_copies(struct an_engine *e, const struct an_copies *c, void *dst, int64_t dst_component,
                   const void *src, int64_t src_component, int ncomp, int vector, int stream)
{
    const struct an_copy_args a =
        copy_args(c, dst, dst_component, src, src_component, ncomp, vector);
    count(e, c->nchunk);
    return plan_of(e)->kernels->copy(&a, c->nchunk, &plan_of(e)->queue[stream]);
}
