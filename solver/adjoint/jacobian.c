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
}

struct work {
    struct an_adjoint_residual *a;
    const double *q, *step;
    const int32_t *colour;
    struct an_block_matrix *j;
    double *gradient;
    double *moved, *r[2], *figure[2]; /* owned */
};

/* The state with unknown v of the cells of a colour moved by `sign` steps, and its residual. */
static int evaluate(struct work *w, int colour, int v, int side)
{
    struct an_adjoint_residual *a = w->a;
    memcpy(w->moved, w->q, (size_t)(a->cells->n * a->nv) * sizeof *w->moved);
    for (int64_t m = 0; m < a->cells->n; m++)
        if (w->colour[m] == colour)
            w->moved[m * a->nv + v] += side ? w->step[m * a->nv + v] : -w->step[m * a->nv + v];
    return a->nfigure ? an_adjoint_evaluate(a, w->moved, w->r[side], w->figure[side])
                      : an_adjoint_residual_of(a, w->moved, w->r[side]);
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
            if (w->colour[p->list[m]] != colour)
                continue;
            /* what the step became by rounding */
            const double dq = (w->q[col] + w->step[col]) - (w->q[col] - w->step[col]);
            for (int r = 0; r < nv; r++)
                w->j->value[(m * nv + r) * nv + v] = (w->r[1][i * nv + r] - w->r[0][i * nv + r]) *
                                                     a->unit_q[v] / (dq * a->unit_r[r]);
            for (int f = 0; f < a->nfigure; f++)
                w->gradient[f * a->cells->n * nv + col] +=
                    (w->figure[1][i * a->nfigure + f] - w->figure[0][i * a->nfigure + f]) *
                    a->unit_q[v] / dq;
        }
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
    return AN_OK;
}

int an_adjoint_jacobian(struct an_adjoint_residual *a, const double *q, struct an_block_matrix *j,
                        double *gradient, int *evaluations)
{
    const size_t cells = (size_t)a->cells->n + 1, n = cells * (size_t)a->nv,
                 f = cells * (size_t)(a->nfigure + 1);
    double *room = malloc((4 * n + 2 * f) * sizeof *room);
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
        an_adjoint_steps(a, q, room);
        if (a->nfigure)
            memset(gradient, 0, (size_t)(a->nfigure * a->cells->n * a->nv) * sizeof *gradient);
        status = fill(&w, ncolour, evaluations);
    }
    free(room);
    free(colour);
    return status;
}
