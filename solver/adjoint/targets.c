#include "solver/adjoint/targets.h"

#include "kernels/base/xsum.h"
#include "kernels/engine/model.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/mixing.h"
#include "solver/level/patch_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const int an_target_sum[AN_NTARGET_SUM] = {AN_I_MASS,   AN_I_MX,     AN_I_MY,        AN_I_MZ,
                                           AN_I_ENERGY, AN_I_INFLOW, AN_I_OUT_TURB0, AN_I_CELL_RHO,
                                           AN_I_CELL_U, AN_I_CELL_V, AN_I_CELL_W,    AN_I_CELL_P};

/* The target of a side: seven numbers, of which the adjoint takes as many as a cell has. */
static void describe(struct an_adjoint_targets *t, const double *unit_q, int band, int side,
                     struct an_target *p)
{
    const double rho = unit_q[0], sound = unit_q[1] / unit_q[0];
    const double unit[AN_MOST_UNKNOWNS] = {rho,   sound,     sound,
                                           sound, unit_q[4], t->nv > 5 ? unit_q[5] : 1};
    *p = (struct an_target){.band = band, .side = side};
    for (int v = 0; v < AN_MOST_UNKNOWNS; v++) {
        p->at[v] = v < t->nv ? AN_MIXING_NUMBERS * band + 7 * side + v : -1;
        p->unit[v] = unit[v];
    }
}

/* Sizes of sums per area. */
static void set_sizes(struct an_adjoint_targets *t, const double *unit_q)
{
    const double rho = unit_q[0], c = unit_q[1] / rho, p = unit_q[4];
    const double size[AN_NTARGET_SUM] = {
        rho * c, p, p, p, p * c, rho * c, rho * c * (t->nv > 5 ? unit_q[5] : 1), rho, c, c, c, p};
    memcpy(t->size, size, sizeof size);
}

/* Windows of one face each. */
static int list_faces(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                      const struct an_bands *bands)
{
    const struct an_layout *l = &t->s->level->layout;
    const size_t n = (size_t)bands->nface + 1;
    struct an_face_window *window = calloc(n, sizeof *window);
    struct an_bc_value *none = calloc(n, sizeof *none);
    t->cell = malloc(n * sizeof *t->cell);
    t->sum = malloc(n * sizeof *t->sum);
    t->room = malloc(n * AN_NINTEGRAL * sizeof *t->room);
    t->term = calloc(n, sizeof *t->term);
    t->total = calloc((size_t)bands->n + 1, sizeof *t->total);
    int status = window && none && t->cell && t->sum && t->room && t->term && t->total
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for mixing planes");
    for (int w = 0; w < bands->nwindow && status == AN_OK; w++) {
        const struct an_face_window *strip = &bands->window[w];
        const int a = (strip->window.dir + 1) % 3, b = (strip->window.dir + 2) % 3,
                  wide = strip->window.hi[a] - strip->window.lo[a];
        for (int64_t k = 0; k < an_patch_faces(&strip->window); k++) {
            struct an_face_window *one = &window[t->nface];
            *one = *strip;
            one->window.lo[a] += (int)(k % wide);
            one->window.lo[b] += (int)(k / wide);
            one->window.hi[a] = one->window.lo[a] + 1;
            one->window.hi[b] = one->window.lo[b] + 1;
            one->first = strip->first + k;
            one->boundary = (int)t->nface;
            t->sum[t->nface] = strip->boundary;
            t->cell[t->nface++] =
                cells->first[strip->window.block] +
                an_adjoint_cell_before(&strip->window, l->block[strip->window.block].n, k);
        }
    }
    if (status == AN_OK)
        status = t->s->engine->op->faces_new(t->s->engine, l, (int)t->nface, window, (int)t->nface,
                                             none, &t->faces);
    free(window);
    free(none);
    return status;
}

int an_targets_new(struct an_solver *s, const struct an_adjoint_cells *cells, int nv,
                   const double *unit_q, struct an_adjoint_targets *t)
{
    const struct an_mixing *m = an_mixing_of(s);
    *t = (struct an_adjoint_targets){.s = s, .nv = nv};
    if (!m)
        return AN_OK;
    t->n = 2 * m->n;
    t->planes = m;
    t->nsum = m->bands->n;
    t->nmemory = an_mixing_numbers(s);
    t->target = calloc((size_t)t->n + 1, sizeof *t->target);
    t->memory = calloc((size_t)t->nmemory + 1, sizeof *t->memory);
    AN_CHECK(t->target && t->memory, AN_FAIL, "out of memory for mixing planes");
    an_mixing_targets(s, t->memory);
    for (int p = 0; p < t->n; p++)
        describe(t, unit_q, p / 2, p % 2, &t->target[p]);
    set_sizes(t, unit_q);
    for (int b = 0; b < m->bands->n; b++)
        t->area += m->bands->area[b];
    AN_TRY(list_faces(t, cells, m->bands));
    t->area /= (double)t->nface;
    return AN_OK;
}

void an_targets_free(struct an_adjoint_targets *t)
{
    if (t->faces)
        t->s->engine->op->faces_free(t->s->engine, t->faces);
    free(t->target);
    free(t->memory);
    free(t->cell);
    free(t->sum);
    free(t->room);
    free(t->term);
    free(t->total);
    an_lists_free(&t->touched);
    an_lists_free(&t->touching);
    an_lists_free(&t->sums);
    an_lists_free(&t->users);
    free(t->weight);
    memset(t, 0, sizeof *t);
}

void an_targets_like(struct an_adjoint_targets *t, const struct an_adjoint_targets *from)
{
    if (t->n)
        memcpy(t->memory, from->memory, (size_t)t->nmemory * sizeof *t->memory);
    for (int p = 0; p < t->n; p++)
        memcpy(t->target[p].rests, from->target[p].rests, sizeof t->target[p].rests);
    t->imposed = 0;
}

void an_targets_get(const struct an_adjoint_targets *t, const double *unit_q, double *x)
{
    for (int p = 0; p < t->n; p++)
        for (int v = 0; v < t->nv; v++) {
            const struct an_target *q = &t->target[p];
            x[p * t->nv + v] = q->at[v] < 0 ? 0 : t->memory[q->at[v]] * unit_q[v] / q->unit[v];
        }
}

int an_targets_set(struct an_adjoint_targets *t, const double *unit_q, const double *x)
{
    int same = t->imposed;
    for (int p = 0; p < t->n; p++)
        for (int v = 0; v < t->nv; v++) {
            const struct an_target *q = &t->target[p];
            const double to = x[p * t->nv + v] * q->unit[v] / unit_q[v];
            if (q->at[v] < 0 || to == t->memory[q->at[v]])
                continue;
            t->memory[q->at[v]] = to;
            same = 0;
        }
    if (same || !t->n)
        return AN_OK;
    t->imposed = 1;
    return an_mixing_set(t->s, t->memory);
}

int an_targets_measure(struct an_adjoint_targets *t)
{
    if (!t->n)
        return AN_OK;
    struct an_solver *s = t->s;
    struct an_fields f = s->level->fields;
    f.at[AN_F_FRAME] = an_mixing_of(s)->bands->frame;
    AN_TRY(s->engine->op->run_faces(s->engine, AN_S_boundary_integral, s->scheme, t->faces, &f,
                                    &s->params, t->room, 0));
    memset(t->total, 0, (size_t)t->nsum * sizeof *t->total);
    for (int64_t k = 0; k < t->nface; k++)
        for (int m = 0; m < AN_NINTEGRAL; m++) {
            t->term[k][m] = an_xsum_value(t->room[k * AN_NINTEGRAL + m]);
            t->total[t->sum[k]][m] += t->term[k][m];
        }
    return AN_OK;
}

void an_targets_gaps(const struct an_adjoint_targets *t, double (*sum)[AN_NINTEGRAL],
                     const double *memory, int p, double *g)
{
    const struct an_target *q = &t->target[p];
    const double *now = memory + AN_MIXING_NUMBERS * q->band;
    double answer[AN_MIXING_NUMBERS];
    an_mixing_answer(t->s, t->planes, sum, q->band, now, answer);
    for (int v = 0; v < t->nv; v++) {
        const int k = 7 * q->side + v;
        g[v] = q->at[v] < 0 || q->rests[v] ? 0 : (now[k] - answer[k]) / q->unit[v];
    }
}

void an_targets_residual(const struct an_adjoint_targets *t, const double *unit_r, double *r)
{
    for (int p = 0; p < t->n; p++) {
        an_targets_gaps(t, t->total, t->memory, p, r + p * t->nv);
        for (int v = 0; v < t->nv; v++)
            r[p * t->nv + v] *= t->area * unit_r[v];
    }
}
