#include "solver/monitor/modes.h"

#include "kernels/base/numbers.h"
#include "solver/boundary/plane_pairs.h"
#include "solver/level/begun.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"
#include "solver/monitor/modes_fit.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUMS = AN_NCOMP_MODE }; /* of a mode: cosine, its rest, sine, its rest */

/* Zones with the same frequencies. */
struct group {
    int n;
    double hz[AN_MOST_MODES];
    struct an_tiles *cells; /* of this rank; owned */
};

struct modes {
    int ngroup, most;    /* the largest number of modes of a group */
    struct group *group; /* [ngroup] owned */
    int *of_zone;        /* [zones] group, -1: none; owned */
    void *field; /* [1 + most][SUMS][cells] of the engine; the first: the pressure's sum; owned */
    char (*name)[32];      /* [(1 + most) SUMS] of the fields of snapshots; owned */
    char (*wall_name)[32]; /* [1 + 3 most]; owned */
    struct an_mode_times times;
    struct an_begun begun;
};

static const double turn = 6.283185307179586477;

static void *sums_of(const struct an_solver *s, const struct modes *m, int mode)
{
    const struct an_layout *l = &s->level->layout;
    return (char *)m->field + (size_t)mode * SUMS * (size_t)l->ncell * (size_t)l->precision;
}

/* ---- frequencies ---- */

/* Adds harmonics of a frequency that the group does not have yet. */
static int add_harmonics(struct group *g, double hz, int harmonics)
{
    for (int k = 1; k <= harmonics; k++) {
        int known = 0;
        for (int m = 0; m < g->n; m++)
            known |= fabs(g->hz[m] - k * hz) < 1e-6 * k * hz;
        if (known)
            continue;
        AN_CHECK(
            g->n < AN_MOST_MODES, AN_INPUT,
            "'output.modes': %d harmonics of all frequencies are more than %d modes in one row",
            harmonics, AN_MOST_MODES);
        g->hz[g->n++] = k * hz;
    }
    return AN_OK;
}

static int zone_of_boundary(const struct an_topology *t, int boundary)
{
    for (int p = 0; p < t->npatch; p++)
        if (t->patch[p].boundary == boundary)
            return t->patch[p].window.block;
    return -1;
}

/* The passing frequencies of the rows on the two sides of sliding planes. */
static int passing(const struct an_solver *s, struct modes *m)
{
    const struct an_topology *t = &s->mesh->topology;
    const struct an_case *c = s->c;
    for (int b = 0; b < t->nboundary; b++) {
        if (s->boundary[b].type != AN_BC_SLIDING_PLANE)
            continue;
        const int other = an_plane_partner(c, t, b);
        const int here = zone_of_boundary(t, b),
                  there = other < 0 ? -1 : zone_of_boundary(t, other);
        const int row = here < 0 ? -1 : m->of_zone[here],
                  passes = there < 0 ? -1 : m->of_zone[there];
        if (row < 0 || passes < 0 || c->row[row].omega == c->row[passes].omega)
            continue;
        AN_CHECK(c->row[passes].blades > 0, AN_INPUT,
                 "'output.modes' needs 'rows.%s.blades', whose blades pass row '%s', or "
                 "'output.mode_frequencies'",
                 c->row[passes].name, c->row[row].name);
        const double hz =
            c->row[passes].blades * fabs(c->row[passes].omega - c->row[row].omega) / turn;
        AN_TRY(add_harmonics(&m->group[row], hz, c->output.modes));
    }
    return AN_OK;
}

static int find_frequencies(struct an_solver *s, struct modes *m)
{
    const struct an_case *c = s->c;
    const struct an_case_numbers *given = &c->output.mode_frequencies;
    const int zones = s->mesh->topology.nblock;
    const double step = an_case_time_step(c);
    m->ngroup = given->n ? 1 : c->nrow;
    m->group = calloc((size_t)m->ngroup + 1, sizeof *m->group);
    m->of_zone = calloc((size_t)zones + 1, sizeof *m->of_zone);
    AN_CHECK(m->group && m->of_zone, AN_FAIL, "out of memory for modes");
    for (int n = 0; n < given->n; n++)
        AN_TRY(add_harmonics(&m->group[0], given->x[n], c->output.modes));
    if (!given->n) {
        an_solver_zone_rows(c, &s->mesh->topology, m->of_zone);
        AN_TRY(passing(s, m));
    }
    for (int g = 0; g < m->ngroup; g++) {
        m->most = m->group[g].n > m->most ? m->group[g].n : m->most;
        for (int k = 0; k < m->group[g].n; k++)
            AN_CHECK(m->group[g].hz[k] * step < 0.5, AN_INPUT,
                     "'output.modes': a period of %.6g Hz has %.3g time steps, but must have more "
                     "than 2: take fewer harmonics or shorter steps",
                     m->group[g].hz[k], 1 / (m->group[g].hz[k] * step));
    }
    AN_CHECK(m->most, AN_INPUT,
             "'output.modes': no row passes another at a sliding plane; give "
             "'output.mode_frequencies'");
    return AN_OK;
}

/* ---- memory ---- */

static int name_fields(struct modes *m)
{
    static const char *const parts[SUMS] = {"Cos", "CosRest", "Sin", "SinRest"};
    m->name = calloc((size_t)(1 + m->most) * SUMS, sizeof *m->name);
    m->wall_name = calloc((size_t)(1 + 3 * m->most), sizeof *m->wall_name);
    AN_CHECK(m->name && m->wall_name, AN_FAIL, "out of memory for modes");
    for (int k = 0; k <= m->most; k++)
        for (int c = 0; c < SUMS; c++)
            snprintf(m->name[k * SUMS + c], sizeof *m->name, "Mode%d%s", k, parts[c]);
    snprintf(m->wall_name[0], sizeof *m->wall_name, "PressureMean");
    for (int k = 1; k <= m->most; k++) {
        snprintf(m->wall_name[3 * k - 2], sizeof *m->wall_name, "Frequency%d", k);
        snprintf(m->wall_name[3 * k - 1], sizeof *m->wall_name, "PressureAmplitude%d", k);
        snprintf(m->wall_name[3 * k], sizeof *m->wall_name, "PhaseOfPressure%d", k);
    }
    return AN_OK;
}

/* The cells of each group. */
static int make_cells(struct an_solver *s, struct modes *m)
{
    const struct an_layout *l = &s->level->layout;
    struct an_box *box = malloc(((size_t)s->nlocal + 1) * sizeof *box);
    int status = box ? AN_OK : an_error_set(AN_FAIL, "out of memory for modes");
    for (int g = 0; g < m->ngroup && status == AN_OK; g++) {
        int n = 0;
        for (int b = 0; b < s->nlocal; b++) {
            if (m->of_zone[l->block[b].zone] != g)
                continue;
            box[n] = (struct an_box){.block = b};
            memcpy(box[n++].hi, l->block[b].n, sizeof box->hi);
        }
        if (m->group[g].n && n)
            status = s->engine->op->tiles_new(s->engine, l, n, box, &m->group[g].cells);
    }
    free(box);
    return status;
}

static int modes_make(struct an_solver *s, void **component)
{
    if (!an_case_has_modes(s->c))
        return AN_OK;
    struct modes *m = calloc(1, sizeof *m);
    *component = m;
    AN_CHECK(m, AN_FAIL, "out of memory for modes");
    m->begun = (struct an_begun){.name = "modes", .path = "output.modes_from", .key = -1};
    const struct an_layout *l = &s->level->layout;
    AN_TRY(find_frequencies(s, m));
    AN_TRY(name_fields(m));
    AN_TRY(make_cells(s, m));
    return s->engine->op->alloc(
        s->engine, (size_t)(1 + m->most) * SUMS * (size_t)l->ncell * (size_t)l->precision,
        &m->field);
}

static void modes_destroy(struct an_solver *s, void *component)
{
    struct modes *m = component;
    for (int g = 0; g < m->ngroup && m->group; g++)
        if (m->group[g].cells)
            s->engine->op->tiles_free(s->engine, m->group[g].cells);
    if (m->field)
        s->engine->op->free(s->engine, m->field);
    free(m->group);
    free(m->of_zone);
    free(m->name);
    free(m->wall_name);
    free(m);
}

/* ---- the sums ---- */

static int clear(struct an_solver *s, struct modes *m)
{
    const struct an_layout *l = &s->level->layout;
    const size_t bytes = SUMS * (size_t)l->ncell * (size_t)l->precision;
    void *zero = calloc(bytes + 1, 1);
    int status = zero ? AN_OK : an_error_set(AN_FAIL, "out of memory for modes");
    for (int k = 0; k <= m->most && status == AN_OK; k++)
        status = s->engine->op->upload(s->engine, sums_of(s, m, k), zero, bytes, 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    free(zero);
    m->times.n = 0;
    return status;
}

/* Whether frequencies are those of a snapshot: a sum that differs if one does. */
static double sum_of_frequencies(const struct modes *m)
{
    double sum = 0;
    for (int g = 0; g < m->ngroup; g++)
        for (int k = 0; k < m->group[g].n; k++)
            sum += (1 + g + 0.1 * k) * m->group[g].hz[k];
    return sum;
}

static const char *segment_name(int n, const char *what, char text[64])
{
    snprintf(text, 64, "modes.%d.%s", n, what);
    return text;
}

static int modes_expect(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct modes *m = component;
    char text[64];
    const double n = an_snapshot_control_get(meta, "modes.segments", 0);
    m->times.n = n >= 1 && n <= AN_MODE_SEGMENTS ? (int)n : 0;
    if (an_snapshot_control_get(meta, "modes.frequencies", 0) != sum_of_frequencies(m))
        m->times.n = 0; /* others */
    for (int k = 0; k < m->times.n; k++)
        m->times.segment[k] = (struct an_mode_segment){
            an_snapshot_control_get(meta, segment_name(k, "first", text), 0),
            an_snapshot_control_get(meta, segment_name(k, "step", text), 0),
            an_snapshot_control_get(meta, segment_name(k, "count", text), 0)};
    return an_begun_expect(&m->begun, meta, s->c->output.modes_from, m->times.n > 0);
}

static int modes_start(struct an_solver *s, void *component, int fresh)
{
    struct modes *m = component;
    if (fresh || s->iteration <= s->c->output.modes_from || !m->times.n)
        return clear(s, m);
    return AN_OK;
}

static int modes_keep(const struct an_solver *s, const void *component,
                      struct an_snapshot_meta *meta)
{
    const struct modes *m = component;
    char text[64];
    (void)s;
    if (!m->times.n)
        return AN_OK;
    AN_TRY(an_snapshot_control_add(meta, "modes.segments", m->times.n));
    AN_TRY(an_snapshot_control_add(meta, "modes.frequencies", sum_of_frequencies(m)));
    for (int k = 0; k < m->times.n; k++) {
        const struct an_mode_segment *g = &m->times.segment[k];
        AN_TRY(an_snapshot_control_add(meta, segment_name(k, "first", text), g->first));
        AN_TRY(an_snapshot_control_add(meta, segment_name(k, "step", text), g->step));
        AN_TRY(an_snapshot_control_add(meta, segment_name(k, "count", text), g->count));
    }
    return an_begun_keep(&m->begun, meta);
}

static int modes_fields(const struct an_solver *s, const void *part, struct an_state_field *field)
{
    const struct modes *m = part;
    const size_t component = (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
    int n = 0;
    for (int k = 0; k <= m->most && m->times.n; k++)
        for (int c = 0; c < (k ? SUMS : SUMS / 2); c++)
            field[n++] = (struct an_state_field){
                m->name[k * SUMS + c], (char *)sums_of(s, m, k) + (size_t)c * component, 1};
    return n;
}

/* Not recorded with the iteration, because the weights change from step to step. */
static int modes_after_step(struct an_solver *s, void *component)
{
    struct modes *m = component;
    const double dt = an_case_time_step(s->c);
    if (s->iteration <= s->c->output.modes_from)
        return AN_OK;
    if (!m->times.n)
        an_begun_note(&m->begun, s->c->output.modes_from, s->iteration - 1);
    AN_CHECK(an_mode_times_add(&m->times, s->time, dt), AN_INPUT,
             "'output.modes': the time step has changed %d times since the sums began; set "
             "'output.modes_from' to begin them anew",
             AN_MODE_SEGMENTS);
    for (int g = 0; g < m->ngroup; g++) {
        const struct group *of = &m->group[g];
        for (int k = 0; k <= of->n && of->cells; k++) {
            const double angle = k ? turn * fmod(of->hz[k - 1] * s->time, 1) : 0;
            struct an_fields f = s->level->fields;
            struct an_params p = s->params;
            f.at[AN_F_MODE] = sums_of(s, m, k);
            p.means.cosine = dt * cos(angle);
            p.means.sine = dt * sin(angle);
            AN_TRY(s->engine->op->run(s->engine, AN_S_mode_add, of->cells, &f, &p, NULL, 0));
        }
    }
    return AN_OK;
}

/* ---- amplitudes ---- */

static int are_known(const struct modes *m)
{
    double states;
    const double time = an_mode_times_total(&m->times, &states);
    int all = m->times.n > 0;
    for (int g = 0; g < m->ngroup; g++) {
        const struct group *of = &m->group[g];
        if (of->n)
            all = all && time > 0.99 * an_mode_time_needed(of->n, of->hz) && states > 2 * of->n;
    }
    return all;
}

int an_modes_fields(const struct an_solver *s)
{
    const struct modes *m = an_component_of(s, &an_modes_component);
    return m && are_known(m) ? 1 + 3 * m->most : 0;
}

const char *an_modes_name(const struct an_solver *s, int field)
{
    return ((const struct modes *)an_component_of(s, &an_modes_component))->wall_name[field];
}

/* The sums of a mode on the wall faces of this rank, sum[nface][2]. */
static int sums_on_walls(struct an_solver *s, const struct an_walls *w, void *work, double *image,
                         void *sums, double (*sum)[2])
{
    const struct an_engine_ops *op = s->engine->op;
    const int precision = s->level->layout.precision;
    struct an_fields f = s->level->fields;
    f.at[AN_F_MODE] = sums;
    f.at[AN_F_WALL] = work;
    AN_TRY(op->run_faces(s->engine, AN_S_mode_walls, s->scheme, w->faces, &f, &s->params, NULL, 0));
    AN_TRY(op->download(s->engine, image, work,
                        (size_t)w->nface * AN_NCOMP_WALL * (size_t)precision, 0));
    AN_TRY(op->sync(s->engine, 0));
    for (int64_t face = 0; face < w->nface; face++)
        for (int c = 0; c < 2; c++) {
            const int64_t at = face * AN_NCOMP_WALL + 2 * c;
            sum[face][c] = an_real_get((enum an_precision)precision, image, at) +
                           an_real_get((enum an_precision)precision, image, at + 1);
        }
    return AN_OK;
}

/* Of the faces of a window, from the sums of each mode, [1 + most][nface][2]. */
static void values_of_window(const struct an_solver *s, const struct modes *m,
                             const struct group *g, double a[AN_MODE_UNKNOWNS][AN_MODE_UNKNOWNS],
                             int64_t first, int64_t count, int64_t nface, double (*sum)[2],
                             double *value)
{
    const int fields = 1 + 3 * m->most;
    for (int64_t face = first; face < first + count; face++) {
        double x[AN_MODE_UNKNOWNS] = {sum[face][0]}, *to = value + face * fields;
        for (int k = 1; k <= g->n; k++)
            for (int c = 0; c < 2; c++)
                x[2 * k - 1 + c] = sum[k * nface + face][c];
        an_mode_solve(g->n, a, x);
        to[0] = s->params.flux.p_ref + x[0];
        for (int k = 1; k <= g->n; k++) {
            to[3 * k - 2] = g->hz[k - 1];
            to[3 * k - 1] = hypot(x[2 * k - 1], x[2 * k]);
            to[3 * k] = 360 / turn * atan2(-x[2 * k], x[2 * k - 1]);
        }
    }
}

int an_modes_of_walls(struct an_solver *s, double *value)
{
    const struct modes *m = an_component_of(s, &an_modes_component);
    const struct an_walls *w = an_walls_of(s);
    const size_t faces = (size_t)w->nface + 1;
    void *work = NULL;
    double *image = malloc(faces * AN_NCOMP_WALL * sizeof *image);
    double(*sum)[2] = calloc(faces * (size_t)(1 + m->most), sizeof *sum);
    double(*a)[AN_MODE_UNKNOWNS] = malloc(AN_MODE_UNKNOWNS * sizeof *a);
    int status = image && sum && a ? AN_OK : an_error_set(AN_FAIL, "out of memory for modes");
    memset(value, 0, (size_t)w->nface * (size_t)(1 + 3 * m->most) * sizeof *value);
    if (status == AN_OK)
        status = s->engine->op->alloc(s->engine, faces * AN_NCOMP_WALL * sizeof *image, &work);
    for (int k = 0; k <= m->most && status == AN_OK; k++)
        status = sums_on_walls(s, w, work, image, sums_of(s, m, k), sum + (int64_t)k * w->nface);
    for (int g = 0; g < m->ngroup && status == AN_OK; g++) {
        if (!m->group[g].n || !an_mode_matrix(&m->times, m->group[g].n, m->group[g].hz, a))
            continue;
        for (int n = 0; n < w->nwindow; n++) {
            const struct an_window *win = &w->window[n].window;
            if (m->of_zone[s->level->layout.block[win->block].zone] == g)
                values_of_window(s, m, &m->group[g], a, w->window[n].first, an_window_faces(win),
                                 w->nface, sum, value);
        }
    }
    if (work)
        s->engine->op->free(s->engine, work);
    free(image);
    free(sum);
    free(a);
    return status;
}

/* ---- what a run says ---- */

static void modes_print(const struct an_solver *s, const void *component, FILE *out)
{
    const struct modes *m = component;
    for (int g = 0; g < m->ngroup; g++) {
        if (!m->group[g].n)
            continue;
        fprintf(out,
                "modes       %s:", s->c->output.mode_frequencies.n ? "walls" : s->c->row[g].name);
        for (int k = 0; k < m->group[g].n; k++)
            fprintf(out, "%s %d at %.6g Hz", k ? "," : "", k + 1, m->group[g].hz[k]);
        fprintf(out, "\n");
    }
}

static void modes_report(const struct an_solver *s, const void *component, FILE *out)
{
    const struct modes *m = component;
    double states, needed = 0;
    const double time = an_mode_times_total(&m->times, &states);
    (void)s;
    for (int g = 0; g < m->ngroup; g++)
        if (m->group[g].n)
            needed = fmax(needed, an_mode_time_needed(m->group[g].n, m->group[g].hz));
    if (are_known(m))
        fprintf(out, "modes       of %.0f states over %.4g s, %.4g periods of the slowest\n",
                states, time, time / needed);
    else if (m->times.n)
        fprintf(out,
                "modes       %.4g s are too short; amplitudes and phases follow from %.4g s on\n",
                time, needed);
}

const struct an_component_type an_modes_component = {.name = "modes",
                                                     .after = AN_AFTER("walls"),
                                                     .make = modes_make,
                                                     .destroy = modes_destroy,
                                                     .expect = modes_expect,
                                                     .start = modes_start,
                                                     .after_step = modes_after_step,
                                                     .fields = modes_fields,
                                                     .keep = modes_keep,
                                                     .print = modes_print,
                                                     .report = modes_report};
