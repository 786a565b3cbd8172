#include "solver/adjoint/jacobian.h"

#include "kernels/engine/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void an_adjoint_steps(const struct an_adjoint_residual *a, const double *q, double *step)
{
    const struct an_case *c = a->s->c;
    /* Rounding leaves 1e-16 / part of a derivative. JST's sensors have kinks, which a smaller step meets less often. */
    const double part = a->s->scheme == AN_SCHEME_ROE ? 1e-6 : 1e-7;
    for (int64_t m = 0; m < a->cells->n; m++) {
        const double *w = q + m * a->nv;
        double *h = step + m * a->nv;
        const double speed = sqrt(w[1] * w[1] + w[2] * w[2] + w[3] * w[3]) / w[0];
        const double inner = w[4] / w[0] - 0.5 * speed * speed;
        const double sound = sqrt(c->gas.gamma * (c->gas.gamma - 1) * inner);
        h[0] = part * w[0];
        for (int d = 1; d < 4; d++)
            h[d] = part * w[0] * (speed + 0.1 * sound);
        h[4] = part * w[4];
        if (a->nturb) {
            const double T = inner * (c->gas.gamma - 1) / c->gas.R;
            h[5] = part * (fabs(w[5]) + an_model_viscosity(&a->s->params, T) / w[0]);
        }
    }
    for (int p = 0; p < a->targets.n; p++)
        for (int v = 0; v < a->nv; v++) {
            const struct an_target *t = &a->targets.target[p];
            const int64_t m = (a->cells->n + p) * a->nv + v;
            step[m] = t->at[v] < 0 || t->rests[v] ? 0 : part * (fabs(q[m]) + 0.1 * a->unit_q[v]);
        }
}

struct work {
    struct an_adjoint_residual *a;
    const double *q, *step;
    const int32_t *colour;
    struct an_block_matrix *j;
    double *gradient;
    double *moved, *r[2], *figure[2]; /* owned */
    double *term[2];                  /* [faces of targets][AN_NINTEGRAL] owned */
};

/* Takes what the faces of targets add. */
static void keep_terms(struct work *w, int side)
{
    const struct an_adjoint_targets *t = &w->a->targets;
    if (t->n)
        memcpy(w->term[side], t->term[0], (size_t)t->nface * sizeof *t->term);
}

static int measure(struct work *w, int side)
{
    struct an_adjoint_residual *a = w->a;
    AN_TRY(a->nfigure ? an_adjoint_evaluate(a, w->moved, w->r[side], w->figure[side])
                      : an_adjoint_residual_of(a, w->moved, w->r[side]));
    keep_terms(w, side);
    return AN_OK;
}

/* The state with unknown v of the cells of a colour moved by `sign` steps, and its residual. */
static int evaluate(struct work *w, int colour, int v, int side)
{
    struct an_adjoint_residual *a = w->a;
    memcpy(w->moved, w->q, (size_t)(a->rows * a->nv) * sizeof *w->moved);
    for (int64_t m = 0; m < a->cells->n; m++)
        if (w->colour[m] == colour)
            w->moved[m * a->nv + v] += side ? w->step[m * a->nv + v] : -w->step[m * a->nv + v];
    return measure(w, side);
}

/* What the step of a column became by rounding. */
static double moved_by(const struct work *w, int64_t col)
{
    return (w->q[col] + w->step[col]) - (w->q[col] - w->step[col]);
}

/* The block of row i and column j. */
static double *block_at(const struct work *w, int64_t i, int64_t j)
{
    const struct an_lists *p = w->j->pattern;
    int64_t low = p->first[i], high = p->first[i + 1] - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (p->list[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return w->j->value + low * w->a->nv * w->a->nv;
}

/* Column col = j nv + v: residuals of cell i. */
static void store_cell(struct work *w, int64_t i, double *block, int64_t col, double dq)
{
    const struct an_adjoint_residual *a = w->a;
    const int nv = a->nv, v = (int)(col % nv);
    for (int r = 0; r < nv; r++)
        block[r * nv + v] =
            (w->r[1][i * nv + r] - w->r[0][i * nv + r]) * a->unit_q[v] / (dq * a->unit_r[r]);
    for (int f = 0; f < a->nfigure; f++)
        w->gradient[f * a->rows * nv + col] +=
            (w->figure[1][i * a->nfigure + f] - w->figure[0][i * a->nfigure + f]) * a->unit_q[v] /
            dq;
}

/* Column col: the equations of all targets that read the ring of face f. */
static void store_face(struct work *w, int64_t f, int64_t col, double dq)
{
    const struct an_adjoint_targets *t = &w->a->targets;
    const int nv = w->a->nv, v = (int)(col % nv), ring = t->sum[f];
    double change[AN_NTARGET_SUM];
    for (int n = 0; n < AN_NTARGET_SUM; n++) {
        const int64_t at = f * AN_NINTEGRAL + an_target_sum[n];
        change[n] = (w->term[1][at] - w->term[0][at]) * w->a->unit_q[v] / dq;
    }
    for (int64_t m = t->users.first[ring]; m < t->users.first[ring + 1]; m++) {
        const int32_t p = t->users.list[m];
        double *block = block_at(w, w->a->cells->n + p, col / nv);
        int64_t e = t->sums.first[p];
        while (t->sums.list[e] != ring)
            e++;
        for (int r = 0; r < nv; r++)
            for (int n = 0; n < AN_NTARGET_SUM; n++)
                block[r * nv + v] += t->weight[(e * nv + r) * AN_NTARGET_SUM + n] * change[n];
    }
}

/* Both residuals into the columns of the colour. */
static void store(struct work *w, int colour, int v)
{
    const struct an_adjoint_residual *a = w->a;
    const int nv = a->nv;
    const struct an_lists *p = w->j->pattern;
    for (int64_t i = 0; i < a->cells->n; i++)
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++) {
            const int64_t col = (int64_t)p->list[m] * nv + v;
            if (p->list[m] < a->cells->n && w->colour[p->list[m]] == colour)
                store_cell(w, i, w->j->value + m * nv * nv, col, moved_by(w, col));
        }
    for (int64_t f = 0; f < a->targets.nface; f++) {
        const struct an_lists *reach = &a->cells->reach;
        const int64_t i = a->targets.cell[f];
        for (int64_t m = reach->first[i]; m < reach->first[i + 1]; m++) {
            const int64_t col = (int64_t)reach->list[m] * nv + v;
            if (w->colour[reach->list[m]] == colour)
                store_face(w, f, col, moved_by(w, col));
        }
    }
}

/* ---- columns of targets ---- */

/* The state with number v of the targets of a colour moved. */
static int evaluate_targets(struct work *w, const int32_t *colour, int c, int v, int side)
{
    struct an_adjoint_residual *a = w->a;
    memcpy(w->moved, w->q, (size_t)(a->rows * a->nv) * sizeof *w->moved);
    for (int p = 0; p < a->targets.n; p++) {
        const int64_t col = (a->cells->n + p) * a->nv + v;
        if (colour[p] == c)
            w->moved[col] += side ? w->step[col] : -w->step[col];
    }
    return measure(w, side);
}

/* Residuals of the cells that target p touches, and, by the faces before them, equations of targets. */
static void store_target(struct work *w, int p, int v)
{
    const struct an_adjoint_residual *a = w->a;
    const struct an_adjoint_targets *t = &a->targets;
    const int64_t row = a->cells->n + p, col = row * a->nv + v;
    const double dq = moved_by(w, col);
    for (int64_t m = t->touched.first[p]; m < t->touched.first[p + 1]; m++)
        store_cell(w, t->touched.list[m], block_at(w, t->touched.list[m], row), col, dq);
    for (int64_t f = 0; f < t->nface; f++)
        for (int64_t m = t->touching.first[t->cell[f]]; m < t->touching.first[t->cell[f] + 1]; m++)
            if (t->touching.list[m] == p)
                store_face(w, f, col, dq);
}

/* What equations read of the target itself, with the sums as they are. */
static void store_direct(struct work *w, int p, int v)
{
    const struct an_adjoint_residual *a = w->a;
    struct an_adjoint_targets *t = &w->a->targets;
    const int nv = a->nv, at = t->target[p].at[v];
    const double now = t->memory[at], unit = t->target[p].unit[v], h = 1e-5 * (fabs(now) + unit);
    for (int64_t m = t->beside.first[p]; m < t->beside.first[p + 1]; m++) {
        const int to = t->beside.list[m];
        double high[AN_MOST_UNKNOWNS], low[AN_MOST_UNKNOWNS];
        double *block = block_at(w, a->cells->n + to, a->cells->n + p);
        t->memory[at] = now + h;
        an_targets_gaps(t, t->total, t->memory, to, high);
        t->memory[at] = now - h;
        an_targets_gaps(t, t->total, t->memory, to, low);
        t->memory[at] = now;
        for (int r = 0; r < nv; r++)
            block[r * nv + v] += t->area * (high[r] - low[r]) * unit / (2 * h);
    }
}

static int fill_targets(struct work *w, int *evaluations)
{
    struct an_adjoint_residual *a = w->a;
    struct an_adjoint_targets *t = &a->targets;
    int32_t *colour = malloc(((size_t)t->n + 1) * sizeof *colour);
    int ncolour, status = colour ? AN_OK : an_error_set(AN_FAIL, "out of memory for colours");
    if (status == AN_OK)
        status = an_adjoint_colours(&t->touched, &t->touching, colour, &ncolour);
    for (int c = 0; status == AN_OK && c < ncolour; c++)
        for (int v = 0; v < a->nv && status == AN_OK; v++) {
            for (int side = 0; side < 2 && status == AN_OK; side++)
                status = evaluate_targets(w, colour, c, v, side);
            for (int p = 0; p < t->n && status == AN_OK; p++)
                if (colour[p] == c && w->step[(a->cells->n + p) * a->nv + v] > 0)
                    store_target(w, p, v);
            *evaluations += 2;
        }
    free(colour);
    /* at rest again, for what the equations read of targets alone */
    if (status == AN_OK)
        status = an_adjoint_residual_of(a, w->q, w->r[0]);
    for (int p = 0; p < t->n && status == AN_OK; p++)
        for (int v = 0; v < a->nv; v++) {
            const struct an_target *q = &t->target[p];
            if (q->at[v] >= 0 && !q->rests[v])
                store_direct(w, p, v);
            else
                block_at(w, a->cells->n + p, a->cells->n + p)[v * a->nv + v] = 1;
        }
    return status;
}

/* The weights of the sums, which the steps of the targets' numbers depend on. */
static int prepare_targets(struct work *w)
{
    struct an_adjoint_residual *a = w->a;
    if (a->targets.n) {
        AN_TRY(an_adjoint_residual_of(a, w->q, w->r[0]));
        an_targets_weigh(&a->targets);
        memset(w->j->value, 0,
               (size_t)(w->j->pattern->first[w->j->n] * a->nv * a->nv) * sizeof *w->j->value);
    }
    return AN_OK;
}

static int fill(struct work *w, int ncolour, int *evaluations)
{
    for (int colour = 0; colour < ncolour; colour++)
        for (int v = 0; v < w->a->nv; v++) {
            AN_TRY(evaluate(w, colour, v, 0));
            AN_TRY(evaluate(w, colour, v, 1));
            store(w, colour, v);
            *evaluations += 2;
        }
    return w->a->targets.n ? fill_targets(w, evaluations) : AN_OK;
}

int an_adjoint_jacobian(struct an_adjoint_residual *a, const double *q, struct an_block_matrix *j,
                        double *gradient, int *evaluations)
{
    const size_t cells = (size_t)a->rows + 1, n = cells * (size_t)a->nv,
                 f = cells * (size_t)(a->nfigure + 1),
                 terms = (size_t)a->targets.nface * AN_NINTEGRAL;
    double *room = malloc((4 * n + 2 * f + 2 * terms) * sizeof *room);
    int32_t *colour = malloc(cells * sizeof *colour);
    int ncolour = 0;
    int status =
        room && colour ? AN_OK : an_error_set(AN_FAIL, "out of memory for the linearised residual");
    struct work w = {.a = a, .q = q, .colour = colour, .j = j, .gradient = gradient};
    *evaluations = 0;
    if (status == AN_OK)
        status = an_adjoint_colours(&a->cells->reach, &a->cells->reach, colour, &ncolour);
    if (status == AN_OK) {
        w.step = room;
        w.moved = room + n;
        w.r[0] = room + 2 * n;
        w.r[1] = room + 3 * n;
        w.figure[0] = room + 4 * n;
        w.figure[1] = w.figure[0] + f;
        w.term[0] = w.figure[1] + f;
        w.term[1] = w.term[0] + terms;
        status = prepare_targets(&w);
        an_adjoint_steps(a, q, room);
        if (a->nfigure)
            memset(gradient, 0, (size_t)(a->nfigure * a->rows * a->nv) * sizeof *gradient);
    }
    if (status == AN_OK) {
        status = fill(&w, ncolour, evaluations);
    }
    free(room);
    free(colour);
    return status;
}
