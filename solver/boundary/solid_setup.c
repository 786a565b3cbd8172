/* Reads the meshes of solids and finds where the gas touches them. */
#include "io/cgns_names.h"
#include "kernels/base/numbers.h"
#include "kernels/engine/model.h"
#include "mpi/reduce.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/solid_state.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/patch_nodes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Rank 0's bytes on all ranks. */
static int share(const struct an_solver *s, void *array, int64_t count, size_t size)
{
    char *at = array;
    for (int64_t left = count * (int64_t)size; left > 0;) {
        const int part = left < 1 << 30 ? (int)left : 1 << 30;
        AN_MPI(MPI_Bcast(at, part, MPI_BYTE, 0, s->comm));
        at += part;
        left -= part;
    }
    return AN_OK;
}

static int share_mesh(const struct an_solver *s, struct an_solid_mesh *m)
{
    struct an_solid_mesh here = *m;
    AN_TRY(share(s, &here, 1, sizeof here));
    if (s->rank != 0) {
        *m = here;
        m->zone = calloc((size_t)m->nzone + 1, sizeof *m->zone);
        m->boundary = calloc((size_t)m->nboundary + 1, sizeof *m->boundary);
        m->x = calloc((size_t)m->npoint + 1, sizeof *m->x);
        m->unknown = calloc((size_t)m->npoint + 1, sizeof *m->unknown);
        m->face = calloc((size_t)m->nface + 1, sizeof *m->face);
    }
    const int whole = m->zone && m->boundary && m->x && m->unknown && m->face;
    AN_TRY(an_reduce_status(s->comm,
                            whole ? AN_OK : an_error_set(AN_FAIL, "out of memory for a solid")));
    AN_TRY(share(s, m->zone, m->nzone, sizeof *m->zone));
    AN_TRY(share(s, m->boundary, m->nboundary, sizeof *m->boundary));
    AN_TRY(share(s, m->x, m->npoint, sizeof *m->x));
    AN_TRY(share(s, m->unknown, m->npoint, sizeof *m->unknown));
    return share(s, m->face, m->nface, sizeof *m->face);
}

/* Rank 0: the first fault of a diagnosis as the error. */
static int open_mesh(const struct an_solver *s, const struct an_case_solid *set,
                     struct an_mesh *mesh)
{
    const char *file = *set->mesh ? set->mesh : s->c->mesh;
    const char *base = *set->base ? set->base : AN_CGNS_SOLID;
    struct an_diag diag;
    an_diag_init(&diag);
    int status = an_mesh_open_base(file, base, mesh, &diag);
    if (status != AN_OK && *set->mesh &&
        !*set->base) { /* a file of its own has one base, under any name */
        an_mesh_close(mesh);
        an_diag_free(&diag);
        an_diag_init(&diag);
        status = an_mesh_open_base(file, "", mesh, &diag);
    }
    char text[1024];
    snprintf(text, sizeof text, "%s", an_error_text());
    for (int n = diag.nline - 1; n >= 0; n--) { /* the first error, without the word */
        const char *word = strstr(diag.line[n], ": error: ");
        if (word)
            snprintf(text, sizeof text, "%.*s %s", (int)(word - diag.line[n]), diag.line[n],
                     word + strlen(": error: "));
    }
    an_diag_free(&diag);
    return status == AN_OK ? AN_OK
                           : an_error_set(status, "%s: 'solids.%s': %s",
                                          an_case_at(s->c, set->line), set->name, text);
}

static int read_mesh(const struct an_solver *s, struct an_solid *q)
{
    int status = AN_OK;
    if (s->rank == 0) {
        struct an_mesh mesh = {.fn = -1};
        status = open_mesh(s, q->set, &mesh);
        if (status == AN_OK)
            status = an_solid_mesh_new(&mesh, &q->mesh);
        an_mesh_close(&mesh);
        /* the mesh of the gas is the caller's, who may change it; this handle of its file no longer reads */
        if (status == AN_OK && s->mesh->fn >= 0)
            status = an_mesh_renew((struct an_mesh *)s->mesh);
    }
    AN_TRY(an_reduce_status(s->comm, status));
    return share_mesh(s, &q->mesh);
}

/* A number that tells this mesh from others. */
static double mark_of(const struct an_solid_mesh *m)
{
    const uint64_t nodes = XXH64(m->x, (size_t)m->npoint * sizeof *m->x, 0);
    const uint64_t both = XXH64(m->unknown, (size_t)m->npoint * sizeof *m->unknown, nodes);
    return (double)(both >> 12);
}

static int solid_new(const struct an_solver *s, struct an_solid *q)
{
    AN_TRY(an_case_metal(q->set, &q->metal));
    AN_TRY(read_mesh(s, q));
    q->mark = mark_of(&q->mesh);
    q->storage = s->c->march.mode == AN_MARCH_UNSTEADY ? q->set->rho * q->set->cp : 0;
    int status = an_conduction_new(&q->mesh, &q->conduction);
    const size_t n = (size_t)q->mesh.nunknown + 1;
    if (status == AN_OK) {
        q->theta = calloc(n, sizeof *q->theta);
        q->T = calloc(n, sizeof *q->T);
        q->load = calloc(n, sizeof *q->load);
        q->diagonal = calloc(n, sizeof *q->diagonal);
        q->change = calloc(n, sizeof *q->change);
        for (int t = 0; t < 2 && q->storage > 0; t++)
            q->T_last[t] = calloc(n, sizeof *q->T_last[t]);
        q->heat = calloc((size_t)q->mesh.nboundary + 1, sizeof *q->heat);
        q->gas = calloc((size_t)s->mesh->topology.nboundary + 1, sizeof *q->gas);
        if (q->storage > 0 && (!q->T_last[0] || !q->T_last[1]))
            status = an_error_set(AN_FAIL, "out of memory for a solid");
        if (!q->theta || !q->T || !q->load || !q->diagonal || !q->change || !q->heat || !q->gas)
            status = an_error_set(AN_FAIL, "out of memory for a solid");
    }
    if (status == AN_OK)
        status = an_solid_surfaces(s->c, q);
    return an_reduce_status(s->comm, status);
}

void an_solid_free(struct an_solid *q)
{
    for (int m = 0; m < q->nsurface; m++) {
        free(q->surface[m].unknown);
        free(q->surface[m].area);
        free(q->surface[m].station);
    }
    for (int g = 0; g < q->ngas; g++)
        an_solid_contact_free(&q->gas[g].contact);
    an_conduction_free(&q->conduction);
    an_solid_mesh_free(&q->mesh);
    free(q->theta);
    free(q->T);
    free(q->load);
    free(q->diagonal);
    free(q->change);
    free(q->T_last[0]);
    free(q->T_last[1]);
    free(q->heat);
    free(q->surface);
    free(q->gas);
    *q = (struct an_solid){0};
}

/* ---- the gas */

/* Does the case let heat pass between boundary b of the gas and this solid? touches[nboundary of the solid], or NULL. */
static int touch(const struct an_solver *s, const struct an_solid *q, int b, char *touches)
{
    int some = 0;
    for (int m = 0; m < q->nsurface; m++) {
        const struct an_case_solid_wall *set = q->surface[m].set;
        const int is = set && !strcmp(set->gas, s->mesh->topology.boundary[b].name);
        some |= is;
        if (touches)
            touches[q->surface[m].boundary] = (char)is;
    }
    return some;
}

/* The periods of the mesh, the identity first; no two are the same. *image: the caller's to free. */
static int list_images(const struct an_topology *t, int *n, struct an_wall_image **image)
{
    *image = malloc(((size_t)t->ninterface + 1) * sizeof **image);
    AN_CHECK(*image, AN_FAIL, "out of memory for a solid");
    (*image)[0] = an_wall_identity;
    *n = 1;
    for (int f = 0; f < t->ninterface; f++) {
        const struct an_interface *q = &t->interface[f];
        struct an_wall_image next;
        int known = !q->periodic;
        memcpy(next.rotation, q->rotation, sizeof next.rotation);
        memcpy(next.translation, q->translation, sizeof next.translation);
        for (int m = 0; m < *n && !known; m++) {
            double far = 0;
            for (int c = 0; c < 9; c++)
                far = fmax(far, fabs(next.rotation[c] - (*image)[m].rotation[c]));
            for (int c = 0; c < 3; c++)
                far = fmax(far, fabs(next.translation[c] - (*image)[m].translation[c]));
            known = far < 1e-9;
        }
        if (!known)
            (*image)[(*n)++] = next;
    }
    return AN_OK;
}

/* Area of a face of the gas times its normal, m2. */
static void area_vector(const struct an_gas_face *f, double s[3])
{
    double d[2][3];
    for (int c = 0; c < 3; c++) {
        d[0][c] = f->corner[2][c] - f->corner[0][c];
        d[1][c] = f->corner[3][c] - f->corner[1][c];
    }
    for (int c = 0; c < 3; c++)
        s[c] =
            0.5 * (d[0][(c + 1) % 3] * d[1][(c + 2) % 3] - d[0][(c + 2) % 3] * d[1][(c + 1) % 3]);
}

/* Faces of a patch, and g A of each at unit conductivity of the gas: corners, and twice the area over the height of the cell. */
static int list_patch(const struct an_solver *s, const struct an_window *w,
                      struct an_gas_face *face, double *conductance)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int64_t na = w->hi[da] - w->lo[da], nb = w->hi[db] - w->lo[db], wide = na + 1,
                  all = wide * (nb + 1);
    double *x[2] = {NULL, NULL}; /* the wall, and the layer of nodes below */
    int status = an_patch_nodes(s->mesh, w, &x[0]);
    if (status == AN_OK)
        status = an_patch_nodes_below(s->mesh, w, 1, &x[1]);
    for (int64_t n = 0; n < na * nb && status == AN_OK; n++) {
        const int64_t at = n / na * wide + n % na;
        double in[3] = {0}, area[3], volume = 0;
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < 3; c++) {
                const int64_t p = c * all + at + (k == 1 || k == 2) + (k / 2) * wide;
                face[n].corner[k][c] = x[0][p];
                in[c] += 0.25 * (x[1][p] - x[0][p]);
            }
        area_vector(&face[n], area);
        for (int c = 0; c < 3; c++)
            volume += area[c] * in[c];
        const double square = an_length(area) * an_length(area);
        conductance[n] = fabs(volume) > 0 ? 2 * square / fabs(volume) : 0;
    }
    free(x[0]);
    free(x[1]);
    return status;
}

/* Every surface that the case joins to the wall has some of the gas on it. */
static int check_cover(const struct an_solver *s, const struct an_solid *q,
                       const struct an_solid_contact *c, const struct an_gas_face *face,
                       const char *touches)
{
    double *area = calloc((size_t)q->mesh.nboundary + 1, sizeof *area);
    AN_CHECK(area, AN_FAIL, "out of memory for a solid");
    for (int64_t f = 0; f < c->nface; f++) {
        double vector[3];
        area_vector(&face[f], vector);
        an_solid_contact_share(c, f, an_length(vector), area);
    }
    int status = AN_OK;
    for (int m = 0; m < q->nsurface && status == AN_OK; m++) {
        const struct an_solid_surface *w = &q->surface[m];
        if (touches[w->boundary] && area[w->boundary] < 1e-3 * w->total)
            status = an_error_set(AN_INPUT,
                                  "%s: 'solid_walls.%s': no part of the wall '%s' of the gas "
                                  "lies on boundary '%s' of solid '%s'",
                                  an_case_at(s->c, w->set->line), w->set->name, w->set->gas,
                                  q->mesh.boundary[w->boundary], q->set->name);
    }
    free(area);
    return status;
}

/* The contact of a wall of the gas with a solid; its faces are those from g->first on. */
static int make_contact(const struct an_solver *s, struct an_solids *k, struct an_solid *q,
                        struct an_solid_gas *g, int nimage, const struct an_wall_image *image)
{
    const struct an_topology *t = &s->mesh->topology;
    const int64_t n = k->nface - g->first;
    const char *const name = t->boundary[g->boundary].name;
    struct an_gas_face *face = malloc(((size_t)n + 1) * sizeof *face);
    char *touches = calloc((size_t)q->mesh.nboundary + 1, 1);
    int status = face && touches ? AN_OK : an_error_set(AN_FAIL, "out of memory for a solid");
    int64_t at = 0;
    for (int p = 0; p < t->npatch && status == AN_OK; p++)
        if (t->patch[p].boundary == g->boundary) {
            status = list_patch(s, &t->patch[p].window, face + at, k->conductance + g->first + at);
            at += an_patch_faces(&t->patch[p].window);
        }
    if (status == AN_OK) {
        touch(s, q, g->boundary, touches);
        status = an_solid_contact_new(&q->mesh, touches, nimage, image, n, face, &g->contact);
    }
    const struct an_solid_contact *c = &g->contact;
    if (status == AN_OK && c->distance > 0.5 * c->edge) {
        double x[3];
        for (int d = 0; d < 3; d++)
            x[d] = 0.25 * (face[c->farthest].corner[0][d] + face[c->farthest].corner[1][d] +
                           face[c->farthest].corner[2][d] + face[c->farthest].corner[3][d]);
        status =
            an_error_set(AN_INPUT,
                         "%s: the wall '%s' of the gas and solid '%s' do not meet: %.3g m lie "
                         "between them at (%.6g, %.6g, "
                         "%.6g) m, where faces of the gas are %.3g m long",
                         s->c->file, name, q->set->name, c->distance, x[0], x[1], x[2], c->edge);
    }
    if (status == AN_OK)
        status = check_cover(s, q, c, face, touches);
    free(face);
    free(touches);
    return status;
}

/* A wall of the gas has one temperature, so it touches one solid. */
static int check_walls(const struct an_solver *s, const struct an_solids *k)
{
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        const struct an_solid *first = NULL;
        for (const struct an_solid *q = k->solid; q < k->solid + k->n; q++) {
            if (!touch(s, q, b, NULL))
                continue;
            AN_CHECK(!first, AN_INPUT,
                     "%s: the wall '%s' of the gas touches two solids, '%s' and '%s': split the "
                     "wall, or make them one solid",
                     s->c->file, s->mesh->topology.boundary[b].name, first->set->name,
                     q->set->name);
            first = q;
        }
    }
    return AN_OK;
}

static int list_walls(const struct an_solver *s, struct an_solids *k)
{
    const struct an_topology *t = &s->mesh->topology;
    struct an_wall_image *image = NULL;
    int nimage = 0;
    for (int b = 0; b < t->nboundary; b++)
        for (int p = 0; p < t->npatch; p++)
            for (int m = 0; m < k->n; m++)
                if (t->patch[p].boundary == b && touch(s, &k->solid[m], b, NULL))
                    k->nface += an_patch_faces(&t->patch[p].window);
    const size_t most = (size_t)k->nface + 1;
    k->conductance = calloc(most, sizeof *k->conductance);
    k->T = calloc(most, sizeof *k->T);
    k->heat = calloc(most, sizeof *k->heat);
    k->T_of_heat = calloc(most, sizeof *k->T_of_heat);
    k->heat_last = calloc(most, sizeof *k->heat_last);
    AN_CHECK(k->conductance && k->T && k->heat && k->T_of_heat && k->heat_last, AN_FAIL,
             "out of memory for a solid");
    AN_TRY(list_images(t, &nimage, &image));
    int status = AN_OK;
    k->nface = 0;
    for (int m = 0; m < k->n; m++)
        for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
            struct an_solid *q = &k->solid[m];
            if (!touch(s, q, b, NULL))
                continue;
            struct an_solid_gas *g = &q->gas[q->ngas++];
            *g = (struct an_solid_gas){.boundary = b, .first = k->nface, .answer = 1};
            for (int p = 0; p < t->npatch; p++)
                if (t->patch[p].boundary == b)
                    k->nface += an_patch_faces(&t->patch[p].window);
            status = make_contact(s, k, q, g, nimage, image);
        }
    free(image);
    const struct an_case *c = s->c;
    const double T = c->initial.T, mu = an_model_viscosity_at(&s->params, c->initial.p, T);
    for (int64_t f = 0; f < k->nface; f++)
        k->conductance[f] *= mu * an_gas_cp(&c->gas.model, T) / c->gas.prandtl;
    return status;
}

/* The number of the first face of boundary b among all; -1: heat does not pass there. */
static int64_t first_of(const struct an_solids *k, int b)
{
    for (int m = 0; m < k->n; m++)
        for (int g = 0; g < k->solid[m].ngas; g++)
            if (k->solid[m].gas[g].boundary == b)
                return k->solid[m].gas[g].first;
    return -1;
}

/* The faces of this rank: where they stand among all, and in the values of faces. */
static int list_own(struct an_solver *s, struct an_solids *k)
{
    const struct an_topology *t = &s->mesh->topology;
    const struct an_face_values *values = an_face_values_of(s);
    const int most = values ? values->level[0].nwindow : 0;
    struct an_face_window *window = malloc(((size_t)most + 1) * sizeof *window);
    AN_CHECK(window, AN_FAIL, "out of memory for a solid");
    int n = 0;
    for (int w = 0; w < most; w++) {
        window[n] = values->level[0].window[w];
        if (first_of(k, window[n].boundary) < 0)
            continue;
        window[n].first = k->nown;
        k->nown += an_window_faces(&window[n++].window);
    }
    k->number = malloc(((size_t)k->nown + 1) * sizeof *k->number);
    k->row = malloc(((size_t)k->nown + 1) * sizeof *k->row);
    int status = k->number && k->row ? AN_OK : an_error_set(AN_FAIL, "out of memory for a solid");
    for (int w = 0; w < n && status == AN_OK; w++) {
        const int64_t faces = an_window_faces(&window[w].window), at = window[w].first;
        const struct an_window win = an_window_in_zone(s, window[w].window);
        const int of = an_patch_of(t, &win);
        int64_t first = first_of(k, window[w].boundary);
        for (int p = 0; p < of; p++)
            if (t->patch[p].boundary == window[w].boundary)
                first += an_patch_faces(&t->patch[p].window);
        an_patch_numbers(&t->patch[of], &win, first, k->number + at);
        for (int64_t f = 0; f < faces; f++)
            k->row[at + f] = window[w].values + f;
    }
    const struct an_engine_ops *op = s->engine->op;
    const size_t bytes = ((size_t)k->nown + 1) * AN_NCOMP_WALL * (size_t)s->level->layout.precision;
    if (status == AN_OK)
        status = op->faces_new(s->engine, &s->level->layout, n, window, t->nboundary, s->boundary,
                               &k->faces);
    free(window);
    AN_TRY(status);
    AN_TRY(op->alloc(s->engine, bytes, &k->field));
    return op->alloc_host(s->engine, bytes, &k->image);
}

/* Keys of solid_walls that name nothing, and solids whose temperature has no level. */
static int check_surfaces(const struct an_case *c, const struct an_solids *k)
{
    for (int n = 0; n < c->nsolid_wall; n++) {
        int used = 0;
        for (int m = 0; m < k->n; m++)
            for (int b = 0; b < k->solid[m].mesh.nboundary; b++)
                used |= an_case_matches(c->solid_wall[n].name, k->solid[m].mesh.boundary[b]);
        AN_CHECK(used, AN_INPUT,
                 "%s: 'solid_walls.%s' matches no boundary of a solid; `annulus info` with "
                 "--base lists them",
                 an_case_at(c, c->solid_wall[n].line), c->solid_wall[n].name);
    }
    for (int m = 0; m < k->n; m++) {
        int fixed = 0;
        for (int w = 0; w < k->solid[m].nsurface; w++) {
            const struct an_case_solid_wall *set = k->solid[m].surface[w].set;
            fixed |= set && (*set->gas || set->T > 0);
        }
        AN_CHECK(fixed, AN_INPUT,
                 "%s: solid '%s' touches neither the gas nor a coolant, and nothing gives it a "
                 "temperature",
                 an_case_at(c, k->solid[m].set->line), k->solid[m].set->name);
    }
    return AN_OK;
}

int an_solids_setup(struct an_solver *s, struct an_solids *k)
{
    k->solid = calloc((size_t)s->c->nsolid + 1, sizeof *k->solid);
    AN_CHECK(k->solid, AN_FAIL, "out of memory for a solid");
    for (int m = 0; m < s->c->nsolid; m++) {
        k->solid[m].set = &s->c->solid[m];
        k->n = m + 1;
        AN_TRY(solid_new(s, &k->solid[m]));
    }
    int status = check_surfaces(s->c, k);
    if (status == AN_OK)
        status = check_walls(s, k);
    if (status == AN_OK)
        status = list_walls(s, k);
    if (status == AN_OK)
        status = list_own(s, k);
    return an_reduce_status(s->comm, status);
}
