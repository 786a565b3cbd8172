/* Boundary conditions that say again, or say alone, what connections say: as AutoGrid writes them.
 *
 * AutoGrid puts every face into a family. Faces of the periodic sides are in ROW_PER1 and ROW_PER2, with or without
 * periodic connections beside them; the two sides of an interface between rows are in Rotor_stator_N_left and
 * Rotor_stator_N_right, with or without connections of type Abutting beside them. So
 * - a condition without a type, or of a family ..._PER1 or ..._PER2, is left out where its faces belong to connections;
 * - families ..._PER1 and ..._PER2 without connections become an abutting interface, periodic by the part of the circle
 *   that lies between their middles;
 * - families Rotor_stator_..._left and ..._right become a mixing plane, and abutting connections on their faces are left
 *   out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/mesh_internal.h"

static int is_wall(enum an_bc_type type)
{
    return an_bc_type_has(type, AN_BC_CLOSED);
}

/* Does the name end with the word? Capital letters count. */
static int ends_with(const char *name, const char *word)
{
    const size_t n = strlen(name), m = strlen(word);
    return n > m && strcmp(name + n - m, word) == 0;
}

/* 0 or 1: the side of a rotor/stator interface that a boundary of this name is; -1: none. */
static int plane_side(const char *name)
{
    static const char start[] = "rotor_stator_";
    if (strncasecmp(name, start, sizeof start - 1) != 0)
        return -1;
    return ends_with(name, "_left") ? 0 : ends_with(name, "_right") ? 1 : -1;
}

/* The boundary whose name is that of b with another ending; -1: none. */
static int counterpart(const struct an_topology *t, int b, const char *ending, const char *other)
{
    char name[AN_NAME];
    if (!ends_with(t->boundary[b].name, ending))
        return -1;
    const size_t n = strlen(t->boundary[b].name) - strlen(ending);
    if (n + strlen(other) >= sizeof name)
        return -1;
    memcpy(name, t->boundary[b].name, n);
    strcpy(name + n, other);
    return an_boundary_find(t, name);
}

static int is_periodic_side(const struct an_topology *t, int b)
{
    return !is_wall(t->boundary[b].type) &&
           (ends_with(t->boundary[b].name, "PER1") || ends_with(t->boundary[b].name, "PER2"));
}

/* ---- faces that are named twice ---- */

/* Faces that two windows share. */
static int64_t shared(const struct an_window *a, const struct an_window *b)
{
    int64_t count = 1;
    if (a->block != b->block || a->dir != b->dir || a->side != b->side)
        return 0;
    for (int d = 0; d < 3; d++) {
        const int lo = a->lo[d] > b->lo[d] ? a->lo[d] : b->lo[d];
        const int hi = a->hi[d] < b->hi[d] ? a->hi[d] : b->hi[d];
        if (d != a->dir)
            count *= hi > lo ? hi - lo : 0;
    }
    return count;
}

/* Do connections cover the whole window? One-to-one ones cover no face twice; abutting ones may, so these count
 * only where one window or windows side by side do. */
static int is_connected(const struct an_mesh_reader *r, const struct an_window *w)
{
    const struct an_topology *t = &r->m->topology;
    int64_t found = 0;
    for (int f = 0; f < t->ninterface; f++)
        found += shared(w, &t->interface[f].window);
    for (int n = 0; n < r->nplane; n++)
        found += shared(w, &r->plane[n].window);
    for (int n = 0; n < r->nabut; n++)
        for (int v = 0; v < r->abut[n].nwindow; v++)
            found += shared(w, &r->abut[n].window[v]);
    return found >= an_window_faces(w);
}

/* Takes the patches out whose entry in `out` is set. */
static void remove_patches(struct an_topology *t, const char *out)
{
    int kept = 0;
    for (int p = 0; p < t->npatch; p++)
        if (!out[p])
            t->patch[kept++] = t->patch[p];
    t->npatch = kept;
}

/* Takes boundaries without patches out of the list, of those that `candidate` has set. */
static void remove_boundaries(struct an_topology *t, const char *candidate, int *number)
{
    int kept = 0;
    for (int b = 0; b < t->nboundary; b++)
        number[b] = candidate[b] ? -1 : 0;
    for (int p = 0; p < t->npatch; p++)
        number[t->patch[p].boundary] = 0;
    for (int b = 0; b < t->nboundary; b++) {
        if (number[b] < 0)
            continue;
        number[b] = kept;
        t->boundary[kept++] = t->boundary[b];
    }
    t->nboundary = kept;
    for (int p = 0; p < t->npatch; p++)
        t->patch[p].boundary = number[t->patch[p].boundary];
}

/* Abutting connections on the faces of a plane between rows: the plane's family says more. */
static void drop_connections_of_planes(struct an_mesh_reader *r)
{
    const struct an_topology *t = &r->m->topology;
    int kept = 0;
    for (int n = 0; n < r->nabut; n++) {
        struct an_mesh_abut *a = &r->abut[n];
        int64_t faces = 0, found = 0;
        for (int v = 0; v < a->nwindow; v++) {
            faces += an_window_faces(&a->window[v]);
            for (int p = 0; p < t->npatch; p++)
                if (plane_side(t->boundary[t->patch[p].boundary].name) >= 0)
                    found += shared(&a->window[v], &t->patch[p].window);
        }
        if (faces > 0 && found == faces)
            free(a->window);
        else
            r->abut[kept++] = *a;
    }
    r->nabut = kept;
}

static int drop_connected(struct an_mesh_reader *r, char *out, char *candidate)
{
    struct an_topology *t = &r->m->topology;
    int *told = calloc((size_t)t->nboundary + 1, sizeof *told);
    AN_CHECK(told, AN_FAIL, "out of memory for the boundaries");
    for (int p = 0; p < t->npatch; p++) {
        const int b = t->patch[p].boundary;
        out[p] = (t->boundary[b].type == AN_BC_NONE || is_periodic_side(t, b)) &&
                 is_connected(r, &t->patch[p].window);
        candidate[b] |= out[p];
        if (out[p] && !told[b]++)
            an_diag_warning(r->diag, an_mesh_where(r, t->patch[p].window.block, NULL),
                            "the condition '%s' is left out where its faces belong to connections",
                            t->boundary[b].name);
    }
    free(told);
    remove_patches(t, out);
    return AN_OK;
}

/* ---- periodic sides without connections ---- */

/* The faces of boundary b as connections to a zone. */
static int add_side(struct an_mesh_reader *r, int b, int donor, double angle, char *out)
{
    const struct an_topology *t = &r->m->topology;
    for (int p = 0; p < t->npatch; p++) {
        if (t->patch[p].boundary != b)
            continue;
        struct an_mesh_abut a = {.zone = t->patch[p].window.block, .donor = donor, .nwindow = 1};
        snprintf(a.name, sizeof a.name, "%s", t->boundary[b].name);
        a.periodic = (struct an_mesh_periodic){.given = 1, .angle = {angle, 0, 0}, .to_radians = 1};
        a.window = malloc(sizeof *a.window);
        AN_CHECK(a.window, AN_FAIL, "out of memory for the boundaries");
        *a.window = t->patch[p].window;
        out[p] = 1;
        if (an_mesh_add_abut(r, &a) != AN_OK) {
            free(a.window);
            return AN_FAIL;
        }
    }
    return AN_OK;
}

static int first_zone(const struct an_topology *t, int boundary)
{
    for (int p = 0; p < t->npatch; p++)
        if (t->patch[p].boundary == boundary)
            return t->patch[p].window.block;
    return -1;
}

/* The two sides must lie a part of the circle apart: that part in *angle, from side a to side b. */
static int find_angle(struct an_mesh_reader *r, int a, int b, double *angle)
{
    const struct an_topology *t = &r->m->topology;
    double middle[2][3];
    AN_TRY(an_mesh_side_middle(r->m, a, middle[0]));
    AN_TRY(an_mesh_side_middle(r->m, b, middle[1]));
    if (an_mesh_part_of_circle(middle[0], middle[1], angle))
        return AN_OK;
    *angle = 0;
    an_diag_error(
        r->diag, r->m->file,
        "the middles of the periodic sides '%s' (%.6g, %.6g, %.6g) and '%s' (%.6g, %.6g, %.6g) are "
        "not a "
        "part of the circle about the x axis apart; mesh_axis turns a mesh whose axis is y or z",
        t->boundary[a].name, middle[0][0], middle[0][1], middle[0][2], t->boundary[b].name,
        middle[1][0], middle[1][1], middle[1][2]);
    return AN_INPUT;
}

static int join_periodic_sides(struct an_mesh_reader *r, char *out, char *candidate)
{
    struct an_topology *t = &r->m->topology;
    const double degrees = acos(-1.) / 180;
    memset(out, 0, (size_t)t->npatch);
    for (int a = 0; a < t->nboundary; a++) {
        const int b = counterpart(t, a, "PER1", "PER2");
        double angle = 0;
        if (b < 0 || !is_periodic_side(t, a) || !is_periodic_side(t, b) || first_zone(t, a) < 0 ||
            first_zone(t, b) < 0)
            continue;
        AN_TRY(find_angle(r, a, b, &angle));
        const int za = first_zone(t, a), zb = first_zone(t, b);
        AN_TRY(add_side(r, a, zb, angle, out));
        AN_TRY(add_side(r, b, za, -angle, out));
        candidate[a] = candidate[b] = 1;
        an_diag_warning(r->diag, r->m->file,
                        "'%s' and '%s' have no connections: they are taken for the sides of a "
                        "periodic interface of %g "
                        "degrees",
                        t->boundary[a].name, t->boundary[b].name, fabs(angle) / degrees);
    }
    remove_patches(t, out);
    return AN_OK;
}

/* ---- planes between rows ---- */

static void join_planes(struct an_topology *t)
{
    for (int a = 0; a < t->nboundary; a++) {
        const int b =
            plane_side(t->boundary[a].name) == 0 ? counterpart(t, a, "_left", "_right") : -1;
        if (b < 0 || is_wall(t->boundary[a].type) || is_wall(t->boundary[b].type))
            continue;
        for (int side = 0; side < 2; side++) {
            struct an_boundary *mine = &t->boundary[side ? b : a];
            mine->type = AN_BC_MIXING_PLANE;
            strcpy(mine->with, t->boundary[side ? a : b].name);
        }
    }
}

int an_mesh_join_families(struct an_mesh_reader *r)
{
    struct an_topology *t = &r->m->topology;
    const size_t np = (size_t)t->npatch + 1, nb = (size_t)t->nboundary + 1;
    char *out = calloc(np + nb, 1), *candidate = out ? out + np : NULL;
    int *number = malloc(nb * sizeof *number);
    int status = out && number ? AN_OK : an_error_set(AN_FAIL, "out of memory for the boundaries");
    if (status == AN_OK) {
        drop_connections_of_planes(r);
        status = drop_connected(r, out, candidate);
    }
    if (status == AN_OK)
        status = join_periodic_sides(r, out, candidate);
    if (status == AN_OK) {
        remove_boundaries(t, candidate, number);
        join_planes(t);
    }
    free(out);
    free(number);
    return status;
}
