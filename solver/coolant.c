#include "solver/coolant.h"

#include "mpi/reduce.h"
#include "solver/face_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SUM_AREA, SUM_H0, SUM_T, SUM_MOMENT, SUM_BAD, NSUM };

/* What a kilogram brings through a face. */
struct jet {
    double V[3], h0, T, moment;
    int outward; /* it would leave */
};

int an_coolant_is(enum an_bc_type type)
{
    return type == AN_BC_COOLING || type == AN_BC_BLEED;
}

static double area_of(const struct an_face_place *p)
{
    return sqrt(p->s[0] * p->s[0] + p->s[1] * p->s[1] + p->s[2] * p->s[2]);
}

/* The Mach number of an expansion from p0 to p. */
static double mach_of(double gamma, double p0, double p)
{
    const double ratio = pow(fmax(p0 / p, 1), (gamma - 1) / gamma);
    return fmin(fmax(sqrt(2 / (gamma - 1) * (ratio - 1)), 0.01), 1);
}

static struct jet jet_of(const struct an_case *c, const struct an_case_boundary *b,
                         const struct an_coolant_patch *q, double omega,
                         const struct an_face_place *at)
{
    const double g = c->gas.gamma, cp = c->gas.R * g / (g - 1), area = area_of(at);
    const double wall[3] = {0, -omega * at->x[2], omega * at->x[1]};
    const double U2 = wall[1] * wall[1] + wall[2] * wall[2];
    const double T0 = b->T0 + (b->patch.frame == AN_FRAME_ABSOLUTE ? U2 / (2 * cp) : 0);
    const double p0 = b->p0 * pow(T0 / b->T0, g / (g - 1));
    const double M = q->every ? mach_of(g, p0, q->p) : b->patch.mach;
    struct jet j = {.T = T0 / (1 + 0.5 * (g - 1) * M * M)};
    const double speed = M * sqrt(g * c->gas.R * j.T);
    double V2 = 0, along = 0;
    for (int d = 0; d < 3; d++) {
        const double n = area > 0 ? at->s[d] / area : 0;
        const double direction = b->patch.has_direction ? b->direction[d] : -n;
        along += direction * n;
        j.V[d] = speed * direction + wall[d];
        V2 += j.V[d] * j.V[d];
    }
    j.h0 = cp * j.T + 0.5 * V2;
    j.moment = at->x[1] * j.V[2] - at->x[2] * j.V[1];
    j.outward = area > 0 && !(along < 0);
    return j;
}

static int list_patches(struct an_solver *s, struct an_coolant *k)
{
    const struct an_topology *t = &s->mesh->topology;
    int *row = calloc((size_t)t->nblock + 1, sizeof *row);
    k->patch = calloc((size_t)t->nboundary + 1, sizeof *k->patch);
    if (!row || !k->patch) {
        free(row);
        return an_error_set(AN_FAIL, "out of memory for cooling");
    }
    an_solver_zone_rows(s->c, t, row);
    for (int b = 0; b < t->nboundary; b++) {
        const struct an_case_boundary *c = an_case_boundary_find(s->c, t->boundary[b].name);
        if (!c || !an_coolant_is(c->type))
            continue;
        int zone = 0;
        for (int p = t->npatch - 1; p >= 0; p--)
            zone = t->patch[p].boundary == b ? t->patch[p].window.block : zone;
        struct an_coolant_patch *q = &k->patch[k->n++];
        *q = (struct an_coolant_patch){.boundary = b,
                                       .bleeds = c->type == AN_BC_BLEED,
                                       .zone = zone,
                                       .p = s->c->initial.p,
                                       .sectors = an_solver_sectors(t, row, row[zone])};
        q->mass = c->patch.mass_flow / q->sectors;
        q->p0 = NAN;
        q->every = !q->bleeds && c->p0 > 0 ? c->outlet.control_every : 0;
        k->follows |= q->every > 0;
        k->blows |= !q->bleeds;
        k->sucks |= q->bleeds;
    }
    free(row);
    return AN_OK;
}

/* Volumes of cells, as the stencils have them. */
static int volumes(struct an_solver *s, double *volume)
{
    const struct an_layout *l = &s->level->layout;
    const size_t bytes = (size_t)l->ncell * (size_t)l->precision;
    AN_TRY(s->engine->op->download(s->engine, volume, s->level->fields.at[AN_F_VOL], bytes, 0));
    AN_TRY(s->engine->op->sync(s->engine, 0));
    const char *image = (const char *)volume;
    for (int64_t m = l->ncell - 1; m >= 0 && l->precision == AN_SINGLE; m--) { /* in place */
        float single;
        memcpy(&single, image + (size_t)m * sizeof single, sizeof single);
        volume[m] = (double)single;
    }
    return AN_OK;
}

static int list_faces(struct an_solver *s, struct an_coolant *k)
{
    const struct an_topology *t = &s->level->partition.topology;
    int64_t n = 0;
    int used = 0;
    AN_TRY(an_bc_windows(t, s->nlocal, s->local, &k->nwindow, &k->window));
    for (int w = 0; w < k->nwindow; w++)
        n += an_window_faces(&k->window[w].window);
    k->place = calloc((size_t)n + 1, sizeof *k->place);
    k->volume = malloc(((size_t)s->level->layout.ncell + 1) * sizeof *k->volume);
    struct an_face_window *follow = malloc(((size_t)k->nwindow + 1) * sizeof *follow);
    int status = k->place && k->volume && follow
                     ? volumes(s, k->volume)
                     : an_error_set(AN_FAIL, "out of memory for cooling");
    for (int w = 0; w < k->nwindow && status == AN_OK; w++) {
        status = an_face_places(s, &k->window[w], k->place + k->window[w].values);
        for (int m = 0; m < k->n; m++)
            if (k->patch[m].every && k->patch[m].boundary == k->window[w].boundary)
                follow[used++] = k->window[w];
    }
    if (k->follows && status == AN_OK)
        status = s->engine->op->faces_new(s->engine, &s->level->layout, used, follow, t->nboundary,
                                          s->boundary, &k->faces);
    free(follow);
    return status;
}

static double omega_of(const struct an_solver *s, const struct an_face_window *w)
{
    return s->level->layout.block[w->window.block].omega;
}

/* Sums of the patches: over this rank's faces, times area. */
static void add_sums(const struct an_solver *s, const struct an_coolant *k,
                     struct an_xsum (*sum)[NSUM])
{
    for (int n = 0; n < k->n; n++)
        for (int w = 0; w < k->nwindow; w++) {
            const struct an_face_window *win = &k->window[w];
            if (win->boundary != k->patch[n].boundary)
                continue;
            const struct an_case_boundary *b =
                an_case_boundary_find(s->c, s->mesh->topology.boundary[k->patch[n].boundary].name);
            const int64_t end = win->values + an_window_faces(&win->window);
            for (int64_t m = win->values; m < end; m++) {
                const double area = area_of(&k->place[m]);
                an_xsum_add(&sum[n][SUM_AREA], area);
                if (k->patch[n].bleeds)
                    continue;
                const struct jet j = jet_of(s->c, b, &k->patch[n], omega_of(s, win), &k->place[m]);
                an_xsum_add(&sum[n][SUM_H0], area * j.h0);
                an_xsum_add(&sum[n][SUM_T], area * j.T);
                an_xsum_add(&sum[n][SUM_MOMENT], area * j.moment);
                an_xsum_add(&sum[n][SUM_BAD], j.outward);
            }
        }
}

static int find_sums(struct an_solver *s, struct an_coolant *k)
{
    struct an_xsum(*sum)[NSUM] = calloc((size_t)k->n + 1, sizeof *sum);
    int status = sum ? AN_OK : an_error_set(AN_FAIL, "out of memory for cooling");
    if (sum)
        add_sums(s, k, sum);
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = an_reduce_xsum(s->comm, k->n * NSUM, sum[0]);
    for (int n = 0; n < k->n && status == AN_OK; n++) {
        struct an_coolant_patch *q = &k->patch[n];
        const char *name = s->mesh->topology.boundary[q->boundary].name;
        const double cp = s->c->gas.R * s->c->gas.gamma / (s->c->gas.gamma - 1);
        q->area = an_xsum_value(sum[n][SUM_AREA]);
        if (!(q->area > 0))
            status = an_error_set(AN_INPUT, "boundary '%s' has no area", name);
        else if (an_xsum_value(sum[n][SUM_BAD]) > 0)
            status = an_error_set(AN_INPUT,
                                  "boundary '%s': the direction of the cooling points out of the "
                                  "gas on %.0f of its faces: turn it, or leave it out for the "
                                  "normal",
                                  name, an_xsum_value(sum[n][SUM_BAD]));
        q->h0 = an_xsum_value(sum[n][SUM_H0]) / q->area;
        q->T = an_xsum_value(sum[n][SUM_T]) / q->area;
        q->moment = an_xsum_value(sum[n][SUM_MOMENT]) / q->area;
        q->T0 = q->h0 / cp;
    }
    free(sum);
    return status;
}

/* Fields on the host: [ncomp][ncell] as the engine has them, and back. */
static int take_up(struct an_solver *s, const double *value, enum an_field field)
{
    const struct an_layout *l = &s->level->layout;
    const size_t n = (size_t)l->ncell * (size_t)an_field_components(field);
    if (!s->level->fields.at[field])
        AN_TRY(an_level_alloc(s, s->level, field));
    void *image = malloc((n + 1) * (size_t)l->precision);
    AN_CHECK(image, AN_FAIL, "out of memory for cooling");
    for (size_t m = 0; m < n; m++) {
        const float single = (float)value[m];
        if (l->precision == AN_SINGLE)
            memcpy((char *)image + m * sizeof single, &single, sizeof single);
        else
            memcpy((char *)image + m * sizeof *value, &value[m], sizeof *value);
    }
    int status = s->engine->op->upload(s->engine, s->level->fields.at[field], image,
                                       n * (size_t)l->precision, 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    free(image);
    return status;
}

/* The cell beside a face of a window, a fastest. */
static int64_t cell_beside(const struct an_layout *l, const struct an_window *w, int64_t face)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int na = w->hi[da] - w->lo[da];
    int c[3];
    c[w->dir] = w->side ? l->block[w->block].n[w->dir] - 1 : 0;
    c[da] = w->lo[da] + (int)(face % na);
    c[db] = w->lo[db] + (int)(face / na);
    return an_element(&l->block[w->block], c[0], c[1], c[2]);
}

/* SOURCE and BLEED of the cells beside the patches. */
static int spread(struct an_solver *s, const struct an_coolant *k)
{
    const struct an_layout *l = &s->level->layout;
    const int64_t n = l->ncell;
    double *source = calloc((size_t)n * AN_NCOMP_SOURCE + 1, sizeof *source);
    double *bleed = calloc((size_t)n + 1, sizeof *bleed);
    int status = source && bleed ? AN_OK : an_error_set(AN_FAIL, "out of memory for cooling");
    for (int m = 0; m < k->n && status == AN_OK; m++)
        for (int w = 0; w < k->nwindow; w++) {
            const struct an_face_window *win = &k->window[w];
            const struct an_coolant_patch *q = &k->patch[m];
            if (win->boundary != q->boundary)
                continue;
            const struct an_case_boundary *b =
                an_case_boundary_find(s->c, s->mesh->topology.boundary[q->boundary].name);
            for (int64_t i = 0; i < an_window_faces(&win->window); i++) {
                const struct an_face_place *at = &k->place[win->values + i];
                const int64_t cell = cell_beside(l, &win->window, i);
                const double rate = q->mass * (area_of(at) / q->area) / k->volume[cell];
                if (q->bleeds) {
                    bleed[cell] += rate;
                    continue;
                }
                const struct jet j = jet_of(s->c, b, q, omega_of(s, win), at);
                source[cell] += rate;
                for (int d = 0; d < 3; d++)
                    source[(1 + d) * n + cell] += rate * j.V[d];
                source[4 * n + cell] += rate * j.h0;
            }
        }
    if (status == AN_OK && k->blows)
        status = take_up(s, source, AN_F_SOURCE);
    if (status == AN_OK && k->sucks)
        status = take_up(s, bleed, AN_F_BLEED);
    free(source);
    free(bleed);
    return status;
}

/* All that follows from the patches' states. */
static int apply(struct an_solver *s)
{
    AN_TRY(find_sums(s, s->coolant));
    return an_reduce_status(s->comm, spread(s, s->coolant));
}

int an_coolant_new(struct an_solver *s)
{
    struct an_coolant *k = calloc(1, sizeof *k);
    s->coolant = k;
    int status = k ? list_patches(s, k) : an_error_set(AN_FAIL, "out of memory for cooling");
    AN_TRY(an_reduce_status(s->comm, status));
    if (k->n == 0) {
        an_coolant_destroy(s);
        return AN_OK;
    }
    AN_TRY(an_reduce_status(s->comm, list_faces(s, k)));
    return apply(s);
}

void an_coolant_destroy(struct an_solver *s)
{
    struct an_coolant *k = s->coolant;
    if (!k)
        return;
    if (k->faces)
        s->engine->op->faces_free(s->engine, k->faces);
    free(k->window);
    free(k->place);
    free(k->volume);
    free(k->patch);
    free(k);
    s->coolant = NULL;
}

/* Mean pressures of the walls of patches that are due. */
static int look(struct an_solver *s, struct an_coolant *k)
{
    const int n = s->level->partition.topology.nboundary * AN_NINTEGRAL;
    struct an_params inviscid = s->params; /* GRAD is not of W */
    inviscid.viscosity = 0;
    struct an_xsum *sum = calloc((size_t)n + 1, sizeof *sum);
    AN_CHECK(sum, AN_FAIL, "out of memory for cooling");
    int status = s->engine->op->run_faces(s->engine, AN_S_boundary_integral, s->scheme, k->faces,
                                          &s->level->fields, &inviscid, sum, 0);
    if (status == AN_OK)
        status = an_reduce_xsum(s->comm, n, sum);
    for (int m = 0; m < k->n && status == AN_OK; m++) {
        const struct an_xsum *t = sum + k->patch[m].boundary * AN_NINTEGRAL;
        const double p = an_xsum_value(t[AN_I_PA]) / an_xsum_value(t[AN_I_AREA]);
        if (k->patch[m].every && s->iteration % k->patch[m].every == 0 && p > 0)
            k->patch[m].p = p;
    }
    free(sum);
    return status;
}

int an_coolant_step(struct an_solver *s)
{
    struct an_coolant *k = s->coolant;
    int due = 0;
    for (int n = 0; k && n < k->n; n++)
        due |= k->patch[n].every && s->iteration % k->patch[n].every == 0;
    if (!due)
        return AN_OK;
    AN_TRY(an_level_radii(s, s->level, NULL));
    AN_TRY(look(s, k));
    return apply(s);
}

static void pressure_name(const struct an_solver *s, int n, char name[64])
{
    snprintf(name, 64, "cooling.%s.p",
             s->mesh->topology.boundary[s->coolant->patch[n].boundary].name);
}

int an_coolant_keep(const struct an_solver *s, struct an_snapshot_meta *meta)
{
    char name[64];
    for (int n = 0; s->coolant && n < s->coolant->n; n++) {
        pressure_name(s, n, name);
        if (s->coolant->patch[n].every)
            AN_TRY(an_snapshot_control_add(meta, name, s->coolant->patch[n].p));
    }
    return AN_OK;
}

int an_coolant_take(struct an_solver *s, const struct an_snapshot_meta *meta)
{
    char name[64];
    for (int n = 0; s->coolant && n < s->coolant->n; n++) {
        struct an_coolant_patch *q = &s->coolant->patch[n];
        pressure_name(s, n, name);
        if (q->every)
            q->p = an_snapshot_control_get(meta, name, q->p);
    }
    return s->coolant && s->coolant->follows ? apply(s) : AN_OK;
}

int an_coolant_add(struct an_solver *s, const struct an_fields *f)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_tiles *beside = s->level->rim; /* no other cell is beside a boundary */
    if (s->coolant->blows)
        AN_TRY(op->run(s->engine, AN_S_add_source, beside, f, &s->params, NULL, 0));
    if (s->coolant->sucks)
        AN_TRY(op->run(s->engine, AN_S_bleed, beside, f, &s->params, NULL, 0));
    return AN_OK;
}

void an_coolant_print(const struct an_solver *s, FILE *out)
{
    for (int n = 0; s->coolant && n < s->coolant->n; n++) {
        const struct an_coolant_patch *q = &s->coolant->patch[n];
        fprintf(out, "%-11s %s: %.6g kg/s", q->bleeds ? "bleed" : "cooling",
                s->mesh->topology.boundary[q->boundary].name, q->sectors * q->mass);
        if (q->sectors > 1)
            fprintf(out, " of the annulus, %.6g of the mesh (1/%d)", q->mass, q->sectors);
        fprintf(out, ", through %.4g m2", q->area);
        if (!q->bleeds)
            fprintf(out, "; T0 %.6g K where it comes out, absolute", q->T0);
        fputc('\n', out);
    }
}

void an_coolant_note(struct an_solver *s, double (*integral)[AN_NINTEGRAL])
{
    const double g = s->c->gas.gamma, cp = s->c->gas.R * g / (g - 1);
    for (int n = 0; s->coolant && n < s->coolant->n; n++) {
        struct an_coolant_patch *q = &s->coolant->patch[n];
        const double *t = integral[q->boundary];
        const double p = t[AN_I_PA] / t[AN_I_AREA];
        if (q->bleeds) {
            q->h0 = t[AN_I_CELL_H] / t[AN_I_AREA];
            q->T0 = q->h0 / cp;
            q->T = t[AN_I_CELL_P] / (t[AN_I_CELL_RHO] * s->c->gas.R);
        }
        q->p0 = p * pow(q->T0 / q->T, g / (g - 1));
    }
}
