#include "solver/boundary/mixing.h"

#include "kernels/base/threads.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/mixing_planes.h"
#include "solver/boundary/ring_waves.h"
#include "solver/flow/flow.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int mixing_make(struct an_solver *s, void **component)
{
    int some = 0;
    for (int b = 0; b < s->mesh->topology.nboundary; b++)
        some |= s->boundary[b].type == AN_BC_MIXING_PLANE;
    if (!some)
        return AN_OK;
    AN_CHECK(s->mesh->dimension == 3, AN_INPUT,
             "mixing planes lie around the x axis: the mesh has to be three-dimensional");
    struct an_mixing *m = calloc(1, sizeof *m);
    *component = m;
    AN_CHECK(m, AN_FAIL, "out of memory for mixing planes");
    return an_mixing_planes(s, m);
}

static void mixing_destroy(struct an_solver *s, void *component)
{
    struct an_mixing *m = component;
    an_mixing_planes_free(s, m);
    free(m);
}

static double between(double a, double b, double part)
{
    return a + part * (b - a);
}

enum { FACES = 2000 }; /* of a thread, at least */

void an_mixing_face_value(const struct an_mixing *m, int64_t f, double v[AN_BC_NVALUE])
{
    const struct an_mixing_face *face = &m->face[f];
    const struct an_mixing_plane *p = &m->plane[face->plane];
    const struct an_mixing_state *a = &m->band[face->band].target[face->side];
    const struct an_mixing_state *b =
        face->part > 0 ? &m->band[face->band + 1].target[face->side] : a;
    double u[3];
    for (int k = 0; k < 3; k++)
        u[k] = between(a->u[k], b->u[k], face->part);
    const double r = u[0] * p->normal[1] + u[1] * p->normal[0];
    v[AN_BC_RHO] = between(a->rho, b->rho, face->part);
    v[AN_BC_VELOCITY] = u[0] * p->normal[0] - u[1] * p->normal[1];
    v[AN_BC_VELOCITY + 1] = r * face->ey - u[2] * face->ez;
    v[AN_BC_VELOCITY + 2] = r * face->ez + u[2] * face->ey;
    v[AN_BC_PRESSURE] = between(a->p, b->p, face->part);
    for (int k = 0; k < 2; k++)
        v[AN_BC_TURB + k] =
            a->turb[0] < 0 || b->turb[0] < 0 ? -1 : between(a->turb[k], b->turb[k], face->part);
}

/* The faces' values from the targets, to the engine; then the ghosts behind them. */
static int impose(struct an_solver *s, const struct an_mixing *m)
{
    struct an_face_values *values = an_face_values_of(s);
#pragma omp parallel for schedule(static) num_threads(an_threads_of(m->nface / FACES))
    for (int64_t f = 0; f < m->nface; f++) {
        double *v = values->level[0].value[m->face[f].row];
        an_mixing_face_value(m, f, v);
        an_ring_waves_add(s, m->face[f].row, v);
    }
    return an_face_values_upload(s);
}

static int fill_ghosts(struct an_solver *s, const struct an_mixing *m)
{
    AN_TRY(s->engine->op->run_faces(s->engine, AN_S_ghost_fill, s->scheme, m->faces,
                                    &s->level->fields, &s->params, NULL, 0));
    return an_level_second(s->level, s->level->fields.at[AN_F_W], AN_NCOMP_W, 1);
}

static int mixing_start(struct an_solver *s, void *component, int fresh)
{
    (void)fresh;
    struct an_mixing *m = component;
    AN_TRY(an_bands_measure(s, m->bands, m->sum));
    for (int p = 0; p < m->nplane; p++)
        for (int b = m->plane[p].first; b < m->plane[p].first + m->plane[p].n; b++) {
            for (int side = 0; side < 2; side++) {
                struct an_mixing_state *t = &m->band[b].target[side];
                double radius;
                *t = an_mixing_gather(m, p, !side, b, &radius).mean;
                t->turb[0] = t->turb[1] = -1;
            }
            m->band[b].backward = m->band[b].target[0].u[0] < 0;
        }
    return impose(s, m);
}

/* Moves the targets of control band b of plane p by what the sums m->sum say; returns the gap. */
static double update(const struct an_solver *s, const struct an_mixing *m, int p, int b,
                     double gain, struct an_mixing_band *band)
{
    double radius[2];
    struct an_mixing_side side[2] = {an_mixing_gather(m, p, 0, b, &radius[0]),
                                     an_mixing_gather(m, p, 1, b, &radius[1])};
    for (int n = 0; n < 2; n++)
        side[n].flux[3] /= 0.5 * (radius[0] + radius[1]);
    return an_mixing_update(band, side, &s->c->gas.model, gain);
}

static int mixing_midway(struct an_solver *s, void *component)
{
    struct an_mixing *m = component;
    /* models that are transported have found the gradients */
    if (s->params.fluid.viscosity && !an_case_has_transport(s->c))
        AN_TRY(an_level_gradient(s, s->level, s->level->fields.at[AN_F_W]));
    AN_TRY(an_bands_measure_start(s, m->bands));
    m->measured = 1;
    return AN_OK;
}

static int mixing_after_step(struct an_solver *s, void *component)
{
    struct an_mixing *m = component;
    if (!m->measured) /* of a dual march */
        AN_TRY(mixing_midway(s, m));
    m->measured = 0;
    AN_TRY(an_bands_measure_finish(s, m->bands, m->sum));
#pragma omp parallel for schedule(static) num_threads(an_threads_of(m->nplane))
    for (int p = 0; p < m->nplane; p++) {
        m->plane[p].gap = 0;
        for (int b = m->plane[p].first; b < m->plane[p].first + m->plane[p].n; b++) {
            const double gap = update(s, m, p, b, m->plane[p].gain, &m->band[b]);
            m->plane[p].gap = fmax(m->plane[p].gap, gap);
        }
    }
    int waves; /* values are set anew in any case */
    AN_TRY(an_ring_waves_update(s, AN_RING_PLANE, &waves));
    AN_TRY(impose(s, m));
    return fill_ghosts(s, m);
}

enum { MEMORY = AN_MIXING_NUMBERS };

static void to_memory(const struct an_mixing_band *b, double v[MEMORY])
{
    for (int s = 0; s < 2; s++) {
        const struct an_mixing_state *t = &b->target[s];
        const double all[7] = {t->rho, t->u[0], t->u[1], t->u[2], t->p, t->turb[0], t->turb[1]};
        memcpy(v + 7 * s, all, sizeof all);
    }
    v[14] = b->backward;
}

static void from_memory(const double v[MEMORY], struct an_mixing_band *b)
{
    for (int s = 0; s < 2; s++) {
        const double *t = v + 7 * s;
        b->target[s] = (struct an_mixing_state){
            .rho = t[0], .u = {t[1], t[2], t[3]}, .p = t[4], .turb = {t[5], t[6]}};
    }
    b->backward = v[14] != 0;
}

int an_mixing_numbers(const struct an_solver *s)
{
    const struct an_mixing *m = an_mixing_of(s);
    return m ? MEMORY * m->n : 0;
}

void an_mixing_targets(const struct an_solver *s, double *v)
{
    const struct an_mixing *m = an_mixing_of(s);
    for (int b = 0; m && b < m->n; b++)
        to_memory(&m->band[b], v + MEMORY * b);
}

int an_mixing_set(struct an_solver *s, const double *v)
{
    struct an_mixing *m = an_mixing_of(s);
    for (int b = 0; m && b < m->n; b++)
        from_memory(v + MEMORY * b, &m->band[b]);
    return m ? impose(s, m) : AN_OK;
}

void an_mixing_answer(const struct an_solver *s, const struct an_mixing *planes,
                      double (*sum)[AN_NINTEGRAL], int band, const double *v, double *answer)
{
    struct an_mixing m = *planes;
    struct an_mixing_band b;
    int plane = 0;
    while (band >= m.plane[plane].first + m.plane[plane].n)
        plane++;
    m.sum = sum;
    from_memory(v, &b);
    update(s, &m, plane, band, 1, &b);
    to_memory(&b, answer);
}

int an_mixing_move(struct an_solver *s, const double *newer, const double *older, double part)
{
    struct an_mixing *m = an_mixing_of(s);
    struct an_mixing_band last, before;
    for (int b = 0; m && b < m->n; b++) {
        from_memory(newer + MEMORY * b, &last);
        from_memory(older + MEMORY * b, &before);
        for (int side = 0; side < 2; side++) {
            const struct an_mixing_state *to = &last.target[side], *from = &before.target[side];
            struct an_mixing_state *t = &m->band[b].target[side];
            t->rho += part * (to->rho - from->rho);
            t->p += part * (to->p - from->p);
            for (int k = 0; k < 3; k++)
                t->u[k] += part * (to->u[k] - from->u[k]);
        }
    }
    return m ? impose(s, m) : AN_OK;
}

static int mixing_keep(const struct an_solver *s, const void *component,
                       struct an_snapshot_meta *meta)
{
    (void)s;
    const struct an_mixing *m = component;
    char name[64];
    for (int b = 0; b < m->n; b++) {
        double v[MEMORY];
        to_memory(&m->band[b], v);
        for (int k = 0; k < MEMORY; k++) {
            snprintf(name, sizeof name, "mixing.%d.%d", b, k);
            AN_TRY(an_snapshot_control_add(meta, name, v[k]));
        }
    }
    return AN_OK;
}

/* Targets that the record does not have stay as they are. */
static int mixing_take(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct an_mixing *m = component;
    char name[64];
    for (int b = 0; b < m->n; b++) {
        double v[MEMORY];
        int known = 1;
        for (int k = 0; k < MEMORY; k++) {
            snprintf(name, sizeof name, "mixing.%d.%d", b, k);
            v[k] = an_snapshot_control_get(meta, name, INFINITY);
            known = known && v[k] != INFINITY;
        }
        if (known)
            from_memory(v, &m->band[b]);
    }
    return impose(s, m);
}

const struct an_component_type an_mixing_component = {
    .name = "mixing planes",
    .after = AN_AFTER("face values", "two-dimensional waves"),
    .make = mixing_make,
    .destroy = mixing_destroy,
    .start = mixing_start,
    .take = mixing_take,
    .midway = mixing_midway,
    .after_step = mixing_after_step,
    .keep = mixing_keep};

struct an_mixing *an_mixing_of(const struct an_solver *s)
{
    return an_component_of(s, &an_mixing_component);
}
