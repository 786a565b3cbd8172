/* One operation on an engine. */
#include "tests/engines/engine_parts.h"

#include "kernels/base/topology.h"
#include "tests/engines/engine_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fixture_boundaries(const struct engine_case *x, struct an_face_window *window,
                       struct an_bc_value *value)
{
    static const struct an_bc_value varying[FIXTURE_BOUNDARIES - AN_REFERENCE_BOUNDARIES] = {
        {.type = AN_BC_MIXING_PLANE, .varies = 1},
        {.type = AN_BC_INLET_TOTAL, .varies = 1},
        {.type = AN_BC_WALL_VISCOUS, .varies = 1},
    };
    an_boundaries_reference(value);
    for (int b = 0; b < AN_REFERENCE_BOUNDARIES; b++)
        if (value[b].type == AN_BC_OUTLET_STATIC) { /* waves leave */
            value[b].v[AN_BC_WAVES] = 1;
            value[b].v[AN_BC_MEAN_P] = 0.96e5;
            value[b].v[AN_BC_MEAN_U] = 60;
        }
    for (int b = 0; b < AN_REFERENCE_BOUNDARIES; b++)
        if (value[b].type == AN_BC_WALL_VISCOUS && value[b].v[AN_BC_HEAT_KIND] != AN_WALL_HEAT_FLUX)
            value[b].v[AN_BC_ROUGHNESS] = 3e-4 * b;
    memcpy(value + AN_REFERENCE_BOUNDARIES, varying, sizeof varying);
    int n = 0;
    int64_t first = 0;
    for (int b = 0; b < x->layout.nblock; b++)
        for (int face = 0; face < 6; face++) {
            const int dir = face / 2, t1 = (dir + 1) % 3;
            struct an_window win = {.block = b, .dir = dir, .side = face % 2};
            for (int d = 0; d < 3; d++)
                win.hi[d] = d == dir ? 0 : x->layout.block[b].n[d];
            const int cut = win.hi[t1] / 2; /* two windows on a face */
            for (int half = 0; half < 2; half++) {
                struct an_window part = win;
                part.lo[t1] = half ? cut : 0;
                part.hi[t1] = half ? win.hi[t1] : cut;
                const int t2 = (dir + 2) % 3;
                window[n].window = part;
                window[n].behind = 0;
                window[n].first = first;
                window[n].values = 2 * first;
                window[n].boundary = (n + b) % FIXTURE_BOUNDARIES;
                first += (int64_t)(part.hi[t1] - part.lo[t1]) * (part.hi[t2] - part.lo[t2]);
                n++;
            }
        }
    return n;
}

/* Pieces of block 0 to block 1, turned over and round; one also rotated. */
int fixture_pieces(const struct engine_case *x, struct an_copy *copy)
{
    const struct an_block *from = &x->layout.block[0], *to = &x->layout.block[1];
    copy[0] = (struct an_copy){.src = an_element(from, 3, 2, 1),
                               .dst = an_element(to, 4, 6, 6),
                               .src_stride = {1, from->stride[1], from->stride[2]},
                               .dst_stride = {to->stride[1], -to->stride[2], -1},
                               .n = {7, 5, 3},
                               .rotation = 1};
    copy[1] = (struct an_copy){.src = an_element(from, 20, 11, 9),
                               .dst = an_element(to, 0, 14, 0),
                               .src_stride = {-from->stride[1], 1, -from->stride[2]},
                               .dst_stride = {1, to->stride[1], to->stride[2]},
                               .n = {5, 5, 6},
                               .rotation = -1};
    return 2;
}

static int run_copies(const struct engine_case *x, struct an_engine *e, struct an_fields *f)
{
    static const double turn[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                      {1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}};
    struct an_copy copy[2];
    struct an_copies *c = NULL;
    const int n = fixture_pieces(x, copy);
    int status = e->op->copies_new(e, n, copy, 2, turn, &c);
    if (!status)
        status = e->op->copies(e, c, f->at[AN_F_WN], x->layout.ncell, f->at[AN_F_W],
                               x->layout.ncell, 5, 1, 0);
    if (!status) /* of the gradients, into a field of more components */
        status = e->op->copies(e, c, f->at[AN_F_FLUX], x->layout.ncell, f->at[AN_F_GRAD],
                               x->layout.ncell, 12, AN_COPY_TENSOR, 0);
    if (!status)
        status = e->op->copies(e, c, f->at[AN_F_GRADT], x->layout.ncell, f->at[AN_F_GRAD],
                               x->layout.ncell, 6, AN_COPY_VECTORS, 0);
    if (!status)
        status = e->op->sync(e, 0);
    e->op->copies_free(e, c);
    return status;
}

int fixture_is_between(const struct step *s)
{
    return s->what == BETWEEN || s->what == BETWEEN_COARSER;
}

static struct an_params params_of(const struct engine_case *x, const struct step *s)
{
    struct an_params p = x->params;
    const char *name = an_stencil_name(s->stencil);
    p.turb.inflow_intensity = s->scheme == (enum an_scheme)TRANSITION ? 0.01 : 0;
    p.turb.rough = (int)s->scheme == ROUGH || (int)s->scheme == ROUGH_SST;
    p.turb.qcr = (int)s->scheme == QCR;
    p.turb.rotation = s->scheme == CURVED ? AN_CORRECTION_RC : p.turb.rotation;
    p.turb.intermittency = (int)s->scheme == GAMMA      ? AN_INTERMITTENCY_GAMMA
                           : (int)s->scheme == RE_THETA ? AN_INTERMITTENCY_RE_THETA
                                                        : AN_INTERMITTENCY_NONE;
    p.turb.des = (int)s->scheme == DETACHED ? AN_DES_IDDES : AN_DES_NONE;
    p.turb.des_weight = 0.25;
    if (s->stencil == AN_S_coarse_residual) {
        p.flux.k4 = 0;
        p.flux.sensor_least = 1;
    }
    p.means.cosine = 0.3e-3;
    p.means.sine = -0.7e-3;
    if ((int)s->scheme == ROUGH_SST || p.turb.intermittency ||
        (s->scheme == SST &&
         (strstr(name, "turb") || strstr(name, "sst") || strstr(name, "law")))) {
        p.turb.model = AN_TURBULENCE_SST;
        p.turb.inflow_intensity = 0.05;
    }
    return p;
}

/* Keeps the windows on faces of one direction; their number. */
static int windows_across(int dir, int n, struct an_face_window *window)
{
    int kept = 0;
    for (int w = 0; w < n; w++)
        if (window[w].window.dir == dir)
            window[kept++] = window[w];
    return kept;
}

static int run_faces(const struct engine_case *x, struct an_engine *e, const struct step *s,
                     struct an_fields *f, struct outcome *o)
{
    struct an_face_window window[FIXTURE_MAX_BOX];
    struct an_bc_value value[FIXTURE_BOUNDARIES], other[FIXTURE_BOUNDARIES];
    struct an_faces *faces = NULL;
    const struct an_params p = params_of(x, s);
    int n = fixture_boundaries(x, window, value);
    /* a cell has one face on sliding planes at most */
    if (s->stencil == AN_S_slide_correct || s->stencil == AN_S_abut_correct ||
        s->stencil == AN_S_lag_flux)
        n = windows_across(0, n, window);
    memset(other, 0, sizeof other);
    int status = e->op->faces_new(e, &x->layout, n, window, FIXTURE_BOUNDARIES, other, &faces);
    if (!status)
        status = e->op->faces_set(e, faces, value);
    if (!status)
        status = e->op->run_faces(e, s->stencil, s->scheme, faces, f, &p,
                                  s->stencil == AN_S_boundary_integral ? o->sum : NULL, 1);
    if (!status)
        status = e->op->sync(e, 1);
    e->op->faces_free(e, faces);
    return status;
}

static int run_boxes(const struct engine_case *x, struct an_engine *e, const struct step *s,
                     struct an_fields *f, struct outcome *o)
{
    const struct an_params p = params_of(x, s);
    struct an_box box[FIXTURE_MAX_BOX];
    const int n = s->shells ? fixture_shells(x, box) : fixture_boxes(x, s->ghost, box);
    struct an_tiles *t = NULL;
    struct an_fields alone = *f;
    alone.at[AN_F_FORCE] = NULL;
    int status = e->op->tiles_new(e, &x->layout, n, box, &t);
    if (!status && s->what == RUN)
        status = e->op->run(e, s->stencil, t, f, &p, &o->red, 0);
    else if (!status && s->what == RESIDUAL)
        status = e->op->residual(e, s->scheme, t, &alone, &x->params, 0);
    else if (!status && s->what == RESIDUAL_GIVEN)
        status = e->op->residual(e, s->scheme, t, f, &x->params, 0);
    else if (!status && s->what == VISCOUS)
        status = e->op->viscous(e, 0, t, f, &p, 0);
    else if (!status && s->what == VISCOUS_STAGE)
        status = e->op->viscous(e, 1, t, &alone, &p, 0);
    else if (!status && (s->what == RANS || s->what == RANS_STAGE))
        status = e->op->rans(e, s->scheme, s->what == RANS_STAGE, t, s->what == RANS ? f : &alone,
                             &x->params, 0);
    else if (!status)
        status = e->op->stage(e, s->scheme, t, f, &x->params, 0);
    if (!status)
        status = e->op->sync(e, 0);
    e->op->tiles_free(e, t);
    return status;
}

/* A stencil that reads another level: the coarser one where the step says so. */
static int run_between(const struct engine_case *x, struct an_engine *e, const struct step *s,
                       struct an_fields *f)
{
    const struct an_layout *level = s->what == BETWEEN_COARSER ? &x->coarse : &x->fine;
    const struct an_params p = params_of(x, s);
    struct an_box box[FIXTURE_MAX_BOX], other_box[FIXTURE_MAX_BOX];
    struct an_tiles *t = NULL, *other = NULL;
    for (int b = 0; b < level->nblock; b++) {
        other_box[b] = (struct an_box){.block = b};
        memcpy(other_box[b].hi, level->block[b].n, sizeof other_box[b].hi);
    }
    int status = e->op->tiles_new(e, &x->layout, fixture_boxes(x, 0, box), box, &t);
    if (!status)
        status = e->op->tiles_new(e, level, level->nblock, other_box, &other);
    if (!status)
        status = e->op->run_between(e, s->stencil, t, other, f, &p, 0);
    if (!status)
        status = e->op->sync(e, 0);
    e->op->tiles_free(e, t);
    e->op->tiles_free(e, other);
    return status;
}

static int run_lines(const struct engine_case *x, struct an_engine *e, const struct step *s,
                     struct an_fields *f)
{
    enum { MOST = 64, LENGTH = 8, SEGMENTS = 4 };
    const struct an_params p = params_of(x, s);
    struct an_lines *lines = NULL;
    struct an_layout cut = x->layout;
    struct an_block part[MOST];
    int dir[MOST], n = 0;
    for (int b = 0; b < x->layout.nblock; b++) {
        const struct an_block *whole = &x->layout.block[b];
        const int length = s->ghost == SEGMENTS ? LENGTH : whole->n[0];
        for (int at = 0; at < whole->n[0] && n < MOST; at += length, n++) {
            part[n] = *whole;
            part[n].origin += at;
            part[n].n[0] = whole->n[0] - at < length ? whole->n[0] - at : length;
            dir[n] = s->ghost < 3 ? s->ghost : s->ghost == SEGMENTS ? 0 : b % 3;
        }
    }
    cut.nblock = n;
    cut.block = part;
    int status = e->op->lines_new(e, &cut, dir, &lines);
    if (!status)
        status = e->op->run_lines(e, s->stencil, lines, f, &p, 0);
    if (!status)
        status = e->op->sync(e, 0);
    e->op->lines_free(e, lines);
    return status;
}

/* The fields of an image for an engine: those of a device are filled, an engine of the host works
 * on the image itself. */
static int to_engine(const struct engine_case *x, struct an_engine *e, const struct image *m,
                     struct an_fields *f)
{
    for (int n = 0; !e->device_memory && n < AN_NFIELD; n++)
        f->at[n] = m->at[n];
    if (!e->device_memory)
        return AN_OK;
    AN_TRY(fixture_memory(x, e, f));
    for (int n = 0; n < AN_NFIELD; n++)
        AN_TRY(e->op->upload(e, f->at[n], m->at[n], x->bytes[n], 0));
    return e->op->sync(e, 0);
}

static int from_engine(const struct engine_case *x, struct an_engine *e, const struct an_fields *f,
                       struct image *m)
{
    for (int n = 0; e->device_memory && n < AN_NFIELD; n++)
        AN_TRY(e->op->download(e, m->at[n], f->at[n], x->bytes[n], 0));
    return e->op->sync(e, 0);
}

int fixture_step(const struct engine_case *x, struct an_engine *e, const struct step *s,
                 struct image *m, struct outcome *o)
{
    struct an_fields f;
    int status = AN_OK;
    memset(o, 0, sizeof *o);
    if (fixture_is_between(s))
        fixture_fill_other(x, s->what == BETWEEN_COARSER ? &x->coarse : &x->fine, m);
    TRY(to_engine(x, e, m, &f));
    struct an_fields used = f;
    if (s->what == STAGE_IN_PLACE)
        used.at[AN_F_WN] = f.at[AN_F_W0];
    if (s->what == COPIES)
        TRY(run_copies(x, e, &used));
    else if (s->what == FACES)
        TRY(run_faces(x, e, s, &used, o));
    else if (s->what == LINES) {
        if ((int)s->scheme != ADDED)
            used.at[AN_F_WN] = NULL;
        TRY(run_lines(x, e, s, &used));
    } else if (fixture_is_between(s))
        TRY(run_between(x, e, s, &used));
    else
        TRY(run_boxes(x, e, s, &used, o));
    TRY(from_engine(x, e, &f, m));
    if (s->stencil == AN_S_implicit_lines || s->stencil == AN_S_implicit_lines_viscous)
        memset(m->at[AN_F_LINE], 0, x->bytes[AN_F_LINE]); /* an engine's own work */
end:
    if (status)
        fprintf(stderr, "%s: %s\n", e->name, an_error_text());
    return status;
}
