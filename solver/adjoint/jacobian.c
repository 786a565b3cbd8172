#include "solver/adjoint/jacobian.h"

#include "kernels/engine/model.h"
#include "solver/adjoint/block_card.h"
#include "solver/adjoint/foreign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int an_adjoint_held(const struct an_adjoint_residual *a, const double *w)
{
    /* the march lets k fall to a tenth at each step and no further: where its residual wants less than zero, k becomes zero */
    return a->nturb == 2 && w[5] < 1e-12 * a->unit_q[5];
}

void an_adjoint_steps(const struct an_adjoint_residual *a, const double *q, double *step)
{
    const struct an_case *c = a->s->c;
    /* Rounding leaves 1e-16 / part of a derivative. JST's sensors have kinks, which a smaller step meets less often. */
    const double part = a->s->scheme == AN_SCHEME_ROE ? 1e-6 : 1e-7;
#pragma omp parallel for schedule(static)
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
        if (a->nturb == 1) {
            const double T = inner * (c->gas.gamma - 1) / c->gas.R;
            h[5] = part * (fabs(w[5]) + an_model_viscosity(&a->s->params, T) / w[0]);
        }
        if (a->nturb == 2) { /* k near walls is tiny, but must not change its sign */
            const double wide = part * (fabs(w[5]) + a->unit_q[5]), narrow = 0.1 * fabs(w[5]);
            h[5] = an_adjoint_held(a, w) ? 0 : fmin(wide, narrow);
            h[6] = part * w[6];
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
    const double *q, *step; /* with foreign cells behind the rows */
    struct an_adjoint_foreign foreign;
    struct an_block_matrix *j;
    int one_sided; /* derivatives by cells: differences from the residual of q itself, image[0] */
    double *gradient;
    double *figure[2];
    double *moved;   /* [rows][nv] with disturbed targets */
    double *term[2]; /* [faces of targets][AN_NINTEGRAL] */
};

/* Takes what the faces of targets add. */
static void keep_terms(struct work *w, int side)
{
    const struct an_adjoint_targets *t = &w->a->targets;
    if (t->n)
        memcpy(w->term[side], t->term[0], (size_t)t->nface * sizeof *t->term);
}

/* The residual of the state of the solver, and figures. */
static int measure(struct work *w, int side)
{
    AN_TRY(an_adjoint_find(w->a, side, w->a->nfigure ? w->figure[side] : NULL));
    keep_terms(w, side);
    return AN_OK;
}

/* What the step of a column became by rounding; of a cell, whose differences may be one-sided. */
static double moved_by(const struct work *w, int64_t col)
{
    return (w->q[col] + w->step[col]) - (w->q[col] - w->step[col]);
}

static double cell_moved_by(const struct work *w, int64_t col)
{
    return w->one_sided ? (w->q[col] + w->step[col]) - w->q[col] : moved_by(w, col);
}

/* The column of a cell, own or foreign. */
static int64_t column_of(const struct work *w, int64_t cell)
{
    return cell < w->a->cells->n ? cell : cell + w->a->targets.n;
}

/* The derivative of figure f by column col. */
static double *gradient_of(const struct work *w, int f, int64_t col)
{
    const int64_t rows = w->a->rows * w->a->nv;
    return col < rows
               ? w->gradient + f * rows + col
               : w->foreign.gradient + f * w->a->cells->ranks.nforeign * w->a->nv + col - rows;
}

/* The block of row i and column j. */
static double *block_at(const struct work *w, int64_t i, int64_t j)
{
    if (i >= w->a->cells->n && j >= w->a->rows)
        return an_adjoint_foreign_block(w->a, &w->foreign, i - w->a->cells->n, j - w->a->rows);
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

/* Column col = j nv + v: residuals of cell i. Held unknowns, whose steps are zero, have rows and columns of ones. */
static void store_cell(const struct work *w, int64_t i, double *block, int64_t col, double dq)
{
    const struct an_adjoint_residual *a = w->a;
    const int nv = a->nv, v = (int)(col % nv);
    for (int r = 0; r < nv; r++) {
        const int64_t at = r * a->ncell + a->element[i];
        if (dq > 0 && w->step[i * nv + r] > 0)
            block[v * nv + r] =
                (a->image[1][at] - a->image[0][at]) * a->unit_q[v] / (dq * a->unit_r[r]);
        else
            block[v * nv + r] = i * nv + r == col;
    }
    for (int f = 0; f < a->nfigure && dq > 0; f++)
        *gradient_of(w, f, col) +=
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
                block[v * nv + r] += t->weight[(e * nv + r) * AN_NTARGET_SUM + n] * change[n];
    }
}

/* Equations of targets into column col, of cell j: they read the faces of the cells whose residuals depend on j. */
static void store_faces(struct work *w, const char *has, int v)
{
    const struct an_adjoint_residual *a = w->a;
    const struct an_lists *reach = &a->cells->reach;
    for (int64_t f = 0; f < a->targets.nface; f++) {
        const int64_t i = a->targets.cell[f];
        for (int64_t m = reach->first[i]; m < reach->first[i + 1]; m++) {
            const int64_t col = column_of(w, reach->list[m]) * a->nv + v;
            if (has[reach->list[m]] && w->step[col] > 0)
                store_face(w, f, col, cell_moved_by(w, col));
        }
    }
}

/* Both residuals into the columns of the cells of a colour. Rows that depend on one of these cells do not depend on another, so
 * that threads do not meet. The pattern is symmetric: the rows are the cells that the cell depends on. */
static void store(const struct work *w, int64_t n, const int32_t *cell, int v)
{
    const struct an_adjoint_residual *a = w->a;
    const int nv = a->nv;
    const struct an_lists *p = w->j->pattern;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++) {
        const int64_t j = cell[k], col = j * nv + v;
        const double dq = cell_moved_by(w, col);
        for (int64_t m = p->first[j]; m < p->first[j + 1] && p->list[m] < a->cells->n; m++)
            store_cell(w, p->list[m], w->j->value + w->j->mirror[m] * nv * nv, col, dq);
    }
}

/* Residuals of own cells by the foreign cells of a colour. */
static void store_foreign(const struct work *w, int64_t n, const int32_t *cell, int v)
{
    const struct an_lists *readers = &w->a->cells->readers;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++) {
        const int64_t row = column_of(w, cell[k]), col = row * w->a->nv + v,
                      of = cell[k] - w->a->cells->n;
        const double dq = cell_moved_by(w, col);
        for (int64_t m = readers->first[of]; m < readers->first[of + 1]; m++)
            store_cell(w, readers->list[m], block_at(w, readers->list[m], row), col, dq);
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
    AN_TRY(an_adjoint_put(a, w->moved));
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
            block[v * nv + r] += t->area * (high[r] - low[r]) * unit / (2 * h);
    }
}

static int fill_targets(struct work *w, int *evaluations)
{
    struct an_adjoint_residual *a = w->a;
    struct an_adjoint_targets *t = &a->targets;
    int32_t *colour = malloc(((size_t)t->n + 1) * sizeof *colour);
    int ncolour, status = colour ? AN_OK : an_error_set(AN_FAIL, "out of memory for colours");
    if (status == AN_OK)
        status = an_targets_colours(t, colour, &ncolour);
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
    if (status == AN_OK)
        status = an_adjoint_join_targets(a, w->j);
    /* at rest again, for what the equations read of targets alone */
    if (status == AN_OK)
        status = an_adjoint_residual_of(a, w->q, w->moved);
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
        AN_TRY(an_adjoint_residual_of(a, w->q, w->moved));
        an_targets_weigh(&a->targets);
        memset(w->j->value, 0,
               (size_t)(w->j->pattern->first[w->j->n] * a->nv * a->nv) * sizeof *w->j->value);
    }
    return AN_OK;
}

/* ---- columns of cells ---- */

/* Marks the cells of a colour, foreign ones too. */
static void mark(const struct an_adjoint_cells *c, int64_t colour, char with, char *has)
{
    const struct an_lists *of[] = {&c->colours, &c->foreign_colours};
    for (int n = 0; n < (c->ranks.nrank > 1 ? 2 : 1); n++)
        for (int64_t k = of[n]->first[colour]; k < of[n]->first[colour + 1]; k++)
            has[of[n]->list[k]] = with;
}

/* One colour. has[cells]: 0 everywhere. */
static int fill_colour(struct work *w, int64_t colour, char *has)
{
    struct an_adjoint_residual *a = w->a;
    const struct an_lists *own = &a->cells->colours, *foreign = &a->cells->foreign_colours;
    const int64_t n = own->first[colour + 1] - own->first[colour];
    const int32_t *cell = own->list + own->first[colour];
    mark(a->cells, colour, 1, has);
    for (int v = 0; v < a->nv; v++) {
        for (int side = w->one_sided; side < 2; side++) {
            const struct an_adjoint_disturbance d = {.n = n,
                                                     .cell = cell,
                                                     .unknown = v,
                                                     .sign = side ? 1 : -1,
                                                     .q = w->q,
                                                     .step = w->step};
            AN_TRY(an_adjoint_disturb(a, &d));
            AN_TRY(measure(w, side));
        }
        store(w, n, cell, v);
        if (a->cells->ranks.nrank > 1)
            store_foreign(w, foreign->first[colour + 1] - foreign->first[colour],
                          foreign->list + foreign->first[colour], v);
        store_faces(w, has, v);
    }
    mark(a->cells, colour, 0, has);
    return AN_OK;
}

static int fill(struct work *w, int *evaluations)
{
    struct an_adjoint_residual *a = w->a;
    const struct an_lists *c = &a->cells->colours;
    char *has = calloc((size_t)(a->cells->n + a->cells->ranks.nforeign) + 1, 1);
    int status = has ? an_adjoint_put(a, w->q)
                     : an_error_set(AN_FAIL, "out of memory for the linearised residual");
    if (status == AN_OK && w->one_sided)
        status = measure(w, 0);
    for (int64_t n = 0; n < c->n && status == AN_OK; n++) {
        status = fill_colour(w, n, has);
        *evaluations += (2 - w->one_sided) * a->nv;
    }
    free(has);
    if (status == AN_OK && a->targets.n)
        status = fill_targets(w, evaluations);
    if (status == AN_OK)
        status = an_adjoint_foreign_give(a, &w->foreign, w->j, w->gradient);
    return status == AN_OK ? an_block_matrix_join(w->j) : status;
}

/* ---- columns of cells, in engine memory ---- */

/* What the engine needs to disturb cells and to take differences. */
struct there {
    struct an_block_card room;
    struct an_sparse_difference d;
    int32_t *cell; /* of all colours */
    double *q, *step, *low;
    int64_t *element;
    char *measured; /* [cells] of the host: not 0: figures depend on the cell; owned */
};

static int begin_there(const struct work *w, struct there *t)
{
    const struct an_adjoint_residual *a = w->a;
    const struct an_lists *colours = &a->cells->colours;
    const size_t n = (size_t)(a->cells->n * a->nv);
    *t = (struct there){.room = {.e = a->s->engine}};
    AN_TRY(an_block_card_put(&t->room, w->q, n * sizeof *w->q, &t->q));
    AN_TRY(an_block_card_put(&t->room, w->step, n * sizeof *w->step, &t->step));
    AN_TRY(an_block_card_put(&t->room, a->element, (size_t)a->cells->n * sizeof *a->element,
                             &t->element));
    AN_TRY(an_block_card_put(&t->room, colours->list,
                             (size_t)colours->first[colours->n] * sizeof *colours->list, &t->cell));
    AN_TRY(an_block_card_room(&t->room, (size_t)(a->ncell * a->nv) * sizeof *t->low, &t->low));
    t->d = (struct an_sparse_difference){.ncell = a->ncell,
                                         .low = t->low,
                                         .flow = an_adjoint_field(a, 1, 0),
                                         .one_sided = w->one_sided};
    if (a->nturb)
        t->d.turbulence = an_adjoint_field(a, 1, 5);
    t->d.d.nv = a->nv;
    t->d.d.element = t->element;
    t->d.d.q = t->q;
    t->d.d.step = t->step;
    t->d.longest = an_lists_longest(w->j->pattern);
    t->measured = calloc((size_t)a->cells->n + 1, 1);
    AN_CHECK(t->measured, AN_FAIL, "out of memory for the linearised residual");
    return t->room.e->op->sync(t->room.e, 0);
}

/* The residual that the engine has found becomes the lower one. */
static int keep_low(const struct work *w, const struct there *t)
{
    const struct an_adjoint_residual *a = w->a;
    struct an_engine *e = t->room.e;
    const size_t bytes = (size_t)a->ncell * sizeof *t->low;
    AN_TRY(e->op->copy(e, t->low, t->d.flow, 5 * bytes, 0));
    return a->nturb
               ? e->op->copy(e, t->low + 5 * a->ncell, t->d.turbulence, (size_t)a->nturb * bytes, 0)
               : AN_OK;
}

/* Which cells figures depend on: those before measured faces, and those that these depend on. */
static void find_measured(const struct work *w, struct there *t)
{
    enum { FACE = 1, READ = 2 };
    const struct an_adjoint_residual *a = w->a;
    const struct an_lists *reach = &a->cells->reach;
    an_figures_cells(a->s, a->weights, a->cells->first, t->measured);
    for (int64_t i = 0; i < a->cells->n; i++)
        for (int64_t m = reach->first[i]; m < reach->first[i + 1] && t->measured[i] & FACE; m++)
            t->measured[reach->list[m]] |= READ;
}

/* What figures change by with the cells of a colour. */
static void store_figures(const struct work *w, const struct there *t, int64_t n,
                          const int32_t *cell, int v)
{
    const struct an_adjoint_residual *a = w->a;
    const struct an_lists *reach = &a->cells->reach;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++) {
        const int64_t col = (int64_t)cell[k] * a->nv + v;
        const double dq = cell_moved_by(w, col);
        if (!t->measured[cell[k]] || !(dq > 0))
            continue;
        for (int64_t m = reach->first[cell[k]]; m < reach->first[cell[k] + 1]; m++)
            for (int f = 0; f < a->nfigure; f++) {
                const int64_t at = (int64_t)reach->list[m] * a->nfigure + f;
                w->gradient[f * a->rows * a->nv + col] +=
                    (w->figure[1][at] - w->figure[0][at]) * a->unit_q[v] / dq;
            }
    }
}

static int fill_colour_there(struct work *w, struct there *t, int64_t first, int64_t n)
{
    struct an_adjoint_residual *a = w->a;
    const struct an_sparse_ops *op = t->room.e->sparse;
    t->d.d.cell = t->cell + first;
    t->d.d.n = n;
    for (int v = 0; v < a->nv; v++) {
        t->d.d.unknown = v;
        t->d.d.field = an_adjoint_field(a, 0, v);
        for (int r = 0; r < a->nv; r++)
            t->d.unit[r] = a->unit_q[v] / a->unit_r[r];
        for (int side = w->one_sided; side < 2; side++) {
            t->d.d.sign = side ? 1 : -1;
            AN_TRY(op->disturb(t->room.e, &t->d.d));
            AN_TRY(an_adjoint_find(a, -1, a->nfigure ? w->figure[side] : NULL));
            if (!side)
                AN_TRY(keep_low(w, t));
        }
        AN_TRY(op->difference(t->room.e, &w->j->card->a, &t->d));
        t->d.d.sign = 0;
        AN_TRY(op->disturb(t->room.e, &t->d.d));
        if (a->nfigure)
            store_figures(w, t, n, a->cells->colours.list + first, v);
    }
    return AN_OK;
}

static int fill_there(struct work *w, int *evaluations)
{
    struct an_adjoint_residual *a = w->a;
    const struct an_lists *c = &a->cells->colours;
    struct there t;
    int status = begin_there(w, &t);
    w->j->card->a_transposed = 0;
    if (status == AN_OK)
        status = an_adjoint_put(a, w->q);
    if (status == AN_OK && w->one_sided) {
        status = an_adjoint_find(a, -1, a->nfigure ? w->figure[0] : NULL);
        if (status == AN_OK)
            status = keep_low(w, &t);
    }
    if (status == AN_OK && a->nfigure)
        find_measured(w, &t);
    for (int64_t n = 0; n < c->n && status == AN_OK; n++) {
        status = fill_colour_there(w, &t, c->first[n], c->first[n + 1] - c->first[n]);
        *evaluations += (2 - w->one_sided) * a->nv;
    }
    free(t.measured);
    an_block_card_free(&t.room);
    return status;
}

int an_adjoint_jacobian(struct an_adjoint_residual *a, const double *q, int one_sided,
                        struct an_block_matrix *j, double *gradient, int *evaluations)
{
    const size_t rows = (size_t)a->rows + 1, n = rows * (size_t)a->nv,
                 f = (size_t)(a->cells->n * a->nfigure) + 1,
                 terms = (size_t)a->targets.nface * AN_NINTEGRAL;
    double *room = calloc(2 * n + 2 * f + 2 * terms, sizeof *room);
    AN_CHECK(room, AN_FAIL, "out of memory for the linearised residual");
    struct work w = {
        .a = a, .q = q, .step = room, .j = j, .one_sided = one_sided, .gradient = gradient};
    w.moved = room + n;
    w.figure[0] = room + 2 * n;
    w.figure[1] = w.figure[0] + f;
    w.term[0] = w.figure[1] + f;
    w.term[1] = w.term[0] + terms;
    *evaluations = 0;
    j->transposed = 0;
    int status = prepare_targets(&w);
    an_adjoint_steps(a, q, room);
    if (status == AN_OK)
        status = an_adjoint_foreign_new(a, q, room, &w.foreign);
    if (w.foreign.step) {
        w.q = w.foreign.q;
        w.step = w.foreign.step;
    }
    if (a->nfigure)
        memset(gradient, 0, (size_t)(a->nfigure * a->rows * a->nv) * sizeof *gradient);
    if (status == AN_OK)
        status = j->value ? fill(&w, evaluations) : fill_there(&w, evaluations);
    if (status == AN_OK && j->value && j->card)
        status = an_block_card_upload(j, j->card);
    an_adjoint_foreign_free(&w.foreign);
    free(room);
    return status;
}
