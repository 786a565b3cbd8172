#include "solver/adjoint/figures.h"

#include "io/row_report.h"
#include "kernels/base/threads.h"
#include "solver/adjoint/cells.h"
#include "solver/flow/flow.h"
#include "solver/level/patch_nodes.h"
#include "solver/monitor/forces.h"
#include "solver/monitor/performance.h"
#include "solver/monitor/performance_rows.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is `name` the column, with or without its unit? */
static int is_column(const char *name, const char *column)
{
    static const char *const unit[] = {"_kg_s", "_W", "_Nm", "_deg", "_J_kgK", "_Pa", "_N_m"};
    const size_t n = strlen(name);
    if (strncmp(name, column, n) != 0)
        return 0;
    int found = column[n] == '\0';
    for (size_t u = 0; u < sizeof unit / sizeof *unit; u++)
        found |= !strcmp(column + n, unit[u]);
    return found;
}

static int is_cascade(const struct an_performance *p)
{
    return p->gas.axes.cartesian;
}

/* The names of all figures of a run, for a message. */
static void list_names(const struct an_solver *s, char *text, size_t size)
{
    const struct an_performance *p = an_performance_of(s);
    size_t used = 0;
    text[0] = '\0';
    for (int c = 0; c < AN_NCOEFFICIENT && an_forces_of(s); c++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                 an_coefficient_name((enum an_coefficient)c));
    if (!p)
        return;
    for (int v = 0; v < AN_NROW_VALUE; v++)
        if (an_row_value_applies((enum an_row_value)v, is_cascade(p)) && used + 64 < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     an_row_value_name((enum an_row_value)v));
    if (p->nrow && used + 32 < size)
        used += (size_t)snprintf(text + used, size - used, "; of one row: ");
    for (int n = 0; n < p->nrow && used + 64 < size; n++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s.NAME", n ? ", " : "", p->of[n].name);
}

/* A figure of the machine or of a row. */
static void find_row(const struct an_performance *p, const char *name, struct an_adjoint_figure *f)
{
    const char *dot = strrchr(name, '.'), *column = dot ? dot + 1 : name;
    f->row = dot ? -1 : p->nrow;
    for (int n = 0; n <= p->nrow && dot; n++)
        if (strlen(p->of[n].name) == (size_t)(dot - name) &&
            !strncmp(p->of[n].name, name, (size_t)(dot - name)))
            f->row = n;
    for (int v = 0; v < AN_NROW_VALUE && f->row >= 0; v++)
        if (an_row_value_applies((enum an_row_value)v, is_cascade(p)) &&
            is_column(column, an_row_value_name((enum an_row_value)v)))
            f->column = v;
}

int an_figure_find(const struct an_solver *s, const char *name, struct an_adjoint_figure *f)
{
    const struct an_performance *p = an_performance_of(s);
    char names[2000];
    *f = (struct an_adjoint_figure){.row = -1, .column = -1};
    snprintf(f->name, sizeof f->name, "%s", name);
    AN_CHECK(p || an_forces_of(s), AN_INPUT,
             "'%s': the case measures no figures: set 'monitors.performance: on', or the section "
             "'reference' for coefficients of forces",
             name);
    if (p)
        find_row(p, name, f);
    for (int c = 0; c < AN_NCOEFFICIENT && f->column < 0 && an_forces_of(s); c++)
        if (!strcmp(name, an_coefficient_name((enum an_coefficient)c))) {
            f->row = -1;
            f->column = c;
        }
    list_names(s, names, sizeof names);
    AN_CHECK(f->column >= 0, AN_INPUT, "'%s' is not a figure of this run; figures are %s", name,
             names);
    return AN_OK;
}

double an_figure_value(const struct an_solver *s, const struct an_adjoint_figure *f)
{
    return f->row < 0 ? an_forces_of(s)->value[f->column][AN_C_ALL]
                      : an_performance_of(s)->of[f->row].value[f->column];
}

/* Size of a sum, to which the step of its difference is proportional: that of the sums of its kind, since a mean of
 * zero, as of the radial velocity, still matters. 0: nothing flows. */
static double size_of_flow(const double t[AN_NFLOW], int n)
{
    const double mass = fabs(t[AN_FLOW_MASS]), arm = mass > 0 ? fabs(t[AN_FLOW_MR]) / mass : 0;
    const double momentum = fabs(t[AN_FLOW_MVX]) + fabs(t[AN_FLOW_MVR]) + fabs(t[AN_FLOW_MVT]);
    switch (n) {
    case AN_FLOW_MVX:
    case AN_FLOW_MVR:
    case AN_FLOW_MVT:
        return momentum;
    case AN_FLOW_MRVT:
        return momentum * arm;
    case AN_FLOW_MOMENT:
        return fabs(t[n]) + fabs(t[AN_FLOW_THRUST]) * arm;
    case AN_FLOW_MZ:
    case AN_FLOW_INFLOW:
        return mass;
    default:
        return fabs(t[n]);
    }
}

static double size_of_sum(const struct an_performance *p, int nflow, int n)
{
    if (n < nflow)
        return size_of_flow(p->total + n / AN_NFLOW * AN_NFLOW, n % AN_NFLOW);
    const double *t = p->total + nflow + (n - nflow) / AN_NWORK * AN_NWORK;
    double size = 0;
    for (int m = 0; m < AN_NWORK; m++)
        size += fabs(t[m]);
    return size; /* figures are linear in these */
}

/* Figures with total[n] at another value. */
static void shift(const struct an_solver *s, struct an_performance *p, int n, double to,
                  int nfigure, const struct an_adjoint_figure *figure, double *value)
{
    const double before = p->total[n];
    p->total[n] = to;
    an_performance_find(s, p);
    p->total[n] = before;
    for (int f = 0; f < nfigure; f++)
        value[f] = an_figure_value(s, &figure[f]);
}

/* Derivatives by the sums of rows; coefficients of forces do not depend on them. value[4][nfigure] */
static void find_weights(struct an_solver *s, struct an_performance *p, double *value,
                         struct an_figure_weights *w)
{
    const int nflow = (p->nrow + 1) * s->mesh->topology.nboundary * AN_NFLOW, nf = w->nfigure;
    for (int n = 0; n < p->ntotal; n++) {
        const double step = 2e-5 * size_of_sum(p, nflow, n), t = p->total[n];
        static const int to[] = {-2, -1, 1, 2};
        if (!(step > 0))
            continue;
        for (int m = 0; m < 4; m++)
            shift(s, p, n, t + to[m] * step, nf, w->figure, value + m * nf);
        /* of fourth order: efficiencies are quotients of small differences; 0, and not rounding, where a figure does not depend on the sum */
        for (int f = 0; f < nf; f++)
            if (w->figure[f].row >= 0)
                w->weight[(size_t)f * (size_t)p->ntotal + (size_t)n] =
                    (8 * (value[2 * nf + f] - value[nf + f]) - (value[3 * nf + f] - value[f])) /
                    (12 * step);
    }
    an_performance_find(s, p);
}

int an_figure_weights_new(struct an_solver *s, int nfigure, struct an_adjoint_figure *figure,
                          struct an_figure_weights *w)
{
    struct an_performance *p = an_performance_of(s);
    *w = (struct an_figure_weights){
        .nfigure = nfigure, .ntotal = p ? p->ntotal : 0, .figure = figure};
    w->weight = calloc((size_t)nfigure * (size_t)w->ntotal + 1, sizeof *w->weight);
    double *value = malloc(4 * (size_t)nfigure * sizeof *value + 1);
    int status = w->weight && value ? AN_OK : an_error_set(AN_FAIL, "out of memory for figures");
    for (int f = 0; f < nfigure && status == AN_OK; f++) {
        figure[f].value = an_figure_value(s, &figure[f]);
        if (!isfinite(figure[f].value))
            status = an_error_set(AN_INPUT,
                                  "'%s' has no value in this flow (as an efficiency without work)",
                                  figure[f].name);
    }
    if (status == AN_OK && p)
        find_weights(s, p, value, w);
    free(value);
    return status;
}

void an_figure_weights_free(struct an_figure_weights *w)
{
    free(w->weight);
    memset(w, 0, sizeof *w);
}

enum { FACES = 500 }; /* of a thread, at least */

/* Does a figure depend on some of n sums from `first` on? */
static int counts(const struct an_figure_weights *w, int n, int first)
{
    int some = 0;
    for (int f = 0; f < w->nfigure; f++)
        for (int m = 0; m < n; m++)
            some |= w->weight[(size_t)f * (size_t)w->ntotal + (size_t)(first + m)] != 0;
    return some;
}

static void add(const struct an_figure_weights *w, int n, const double *term, int first, double *to)
{
    for (int f = 0; f < w->nfigure; f++) {
        const double *weight = w->weight + (size_t)f * (size_t)w->ntotal + first;
        for (int m = 0; m < n; m++)
            to[f] += weight[m] * term[m];
    }
}

/* Faces of windows: of viscous walls, or of all others; for coefficients of forces, or for figures of rows. */
struct faces {
    int nwindow, viscous, coefficients;
    const struct an_face_window *window;
};

static int terms_of(const struct an_solver *s, const struct faces *q, int m, int64_t k,
                    double term[AN_NFLOW], int *at)
{
    const struct an_performance *p = an_performance_of(s);
    return q->viscous ? an_performance_wall_terms(s, p, m, k, term, at)
                      : an_performance_terms(s, p, m, k, term, at);
}

/* Does a figure depend on the faces of window m? */
static int has_weight(const struct an_solver *s, const struct an_figure_weights *w,
                      const struct faces *q, int m)
{
    double term[AN_NFLOW];
    int at;
    if (q->coefficients)
        return !q->viscous || an_forces_of(s)->body[q->window[m].boundary];
    const int n = an_patch_faces(&q->window[m].window) ? terms_of(s, q, m, 0, term, &at) : 0;
    return n && counts(w, n, at);
}

static int some_has_weight(const struct an_solver *s, const struct an_figure_weights *w,
                           const struct faces *q)
{
    int some = 0;
    for (int m = 0; m < q->nwindow && !some; m++)
        some = has_weight(s, w, q, m);
    return some;
}

/* Sets `size` bytes of the cells before faces that figures depend on to `value`; all others stay as they are. */
static void set(const struct an_solver *s, const struct an_figure_weights *w, const struct faces *q,
                const int64_t *first, int value, size_t size, void *to)
{
    for (int m = 0; m < q->nwindow; m++) {
        const struct an_window *win = &q->window[m].window;
        const int *cells = s->level->layout.block[win->block].n;
        if (!has_weight(s, w, q, m))
            continue;
#pragma omp parallel for schedule(static) num_threads(an_threads_of(an_patch_faces(win) / FACES))
        for (int64_t k = 0; k < an_patch_faces(win); k++) /* each face has a cell of its own */
            memset((char *)to +
                       size * (size_t)(first[win->block] + an_adjoint_cell_before(win, cells, k)),
                   value, size);
    }
}

/* Adds what face k of window m adds to the figures of its cell. */
static void add_face(const struct an_solver *s, const struct an_figure_weights *w,
                     const struct faces *q, int m, int64_t k, double *cell)
{
    if (q->coefficients) {
        double c[AN_NCOEFFICIENT];
        an_forces_terms(s, an_forces_of(s), q->viscous, m, k, c);
        for (int f = 0; f < w->nfigure; f++)
            cell[f] += w->figure[f].row < 0 ? c[w->figure[f].column] : 0;
        return;
    }
    double term[AN_NFLOW];
    int at;
    const int n = terms_of(s, q, m, k, term, &at);
    add(w, n, term, at, cell);
}

static void add_faces(const struct an_solver *s, const struct an_figure_weights *w,
                      const struct faces *q, const int64_t *first, double *to)
{
    for (int m = 0; m < q->nwindow; m++) {
        const struct an_window *win = &q->window[m].window;
        const int *cells = s->level->layout.block[win->block].n;
        if (!has_weight(s, w, q, m))
            continue;
#pragma omp parallel for schedule(static) num_threads(an_threads_of(an_patch_faces(win) / FACES))
        for (int64_t k = 0; k < an_patch_faces(win); k++) /* each face has a cell of its own */
            add_face(s, w, q, m, k,
                     to + w->nfigure * (first[win->block] + an_adjoint_cell_before(win, cells, k)));
    }
}

enum { MOST_SETS = 4 };

/* All faces that figures are measured on; returns how many sets of them there are. */
static int measured_faces(const struct an_solver *s, const struct an_figure_weights *w,
                          struct faces set[MOST_SETS])
{
    const struct an_performance *p = an_performance_of(s);
    const struct an_forces *forces = an_forces_of(s);
    const struct an_walls *walls = an_walls_of(s);
    int n = 0, coefficients = 0;
    for (int f = 0; f < w->nfigure; f++)
        coefficients |= w->figure[f].row < 0;
    if (p)
        set[n++] = (struct faces){.nwindow = p->faces.nwindow, .window = p->faces.window};
    if (p && walls)
        set[n++] = (struct faces){.nwindow = walls->nwindow, .window = walls->window, .viscous = 1};
    if (coefficients)
        set[n++] = (struct faces){
            .nwindow = forces->faces.nwindow, .window = forces->faces.window, .coefficients = 1};
    if (coefficients && walls)
        set[n++] = (struct faces){
            .nwindow = walls->nwindow, .window = walls->window, .viscous = 1, .coefficients = 1};
    return n;
}

void an_figures_cells(struct an_solver *s, const struct an_figure_weights *w, const int64_t *first,
                      char *has)
{
    struct faces q[MOST_SETS];
    const int n = measured_faces(s, w, q);
    for (int m = 0; m < n; m++)
        set(s, w, &q[m], first, 1, 1, has);
}

/* Of the faces that were measured last. */
static void find_by_faces(const struct an_solver *s, const struct an_figure_weights *w,
                          const int64_t *first, double *to)
{
    struct faces q[MOST_SETS];
    const int n = measured_faces(s, w, q);
    for (int m = 0; m < n; m++)
        set(s, w, &q[m], first, 0, (size_t)w->nfigure * sizeof *to, to);
    if (n && q[n - 1].coefficients && q[n - 1].viscous)
        an_walls_values(s); /* once, before threads ask for them */
    for (int m = 0; m < n; m++)
        add_faces(s, w, &q[m], first, to);
}

/* Issues the measurement of a set, or, with `take`, takes its values. */
static int measure(struct an_solver *s, const struct faces *q, int take)
{
    struct an_plane_faces *plane =
        q->coefficients ? &an_forces_of(s)->faces : &an_performance_of(s)->faces;
    if (!take)
        return q->viscous ? an_walls_values_start(s) : an_plane_faces_start(s, plane);
    if (q->viscous)
        an_walls_values_take(s);
    else
        an_plane_faces_take(s, plane);
    return AN_OK;
}

int an_figures_measure(struct an_solver *s, const struct an_figure_weights *w, const int64_t *first,
                       double *to)
{
    struct faces q[MOST_SETS];
    const int n = measured_faces(s, w, q);
    int walls = 0; /* both sets of them are one measurement */
    char wanted[MOST_SETS];
    for (int m = 0; m < n; m++) {
        wanted[m] = (char)(some_has_weight(s, w, &q[m]) && !(walls && q[m].viscous));
        walls |= wanted[m] && q[m].viscous;
    }
    for (int m = 0; m < n; m++)
        if (wanted[m])
            AN_TRY(measure(s, &q[m], 0));
    AN_TRY(an_face_results_wait(s));
    for (int m = 0; m < n; m++)
        if (wanted[m])
            AN_TRY(measure(s, &q[m], 1));
    find_by_faces(s, w, first, to);
    return AN_OK;
}

void an_figures_by_cell(struct an_solver *s, const struct an_figure_weights *w,
                        const int64_t *first, double *to)
{
    memset(to, 0, (size_t)(first[s->nlocal] * w->nfigure) * sizeof *to);
    find_by_faces(s, w, first, to);
}
