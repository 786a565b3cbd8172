/* Blade rows: which zones turn, and whether the mesh agrees. */
#include "solver/level/rows.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of the zones for a message. */
static void list_zones(const struct an_topology *t, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int z = 0; z < t->nblock && used + AN_NAME + 8 < size; z++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s'%s'", z ? ", " : "", t->block[z].name);
    if (used + AN_NAME + 8 >= size)
        snprintf(text + used, size - used, ", ...");
}

/* The row of every zone, -1: none. */
static void find_rows(const struct an_case *c, const struct an_topology *t, int *row,
                      struct an_diag *diag)
{
    char names[600];
    list_zones(t, names, sizeof names);
    for (int z = 0; z < t->nblock; z++)
        row[z] = -1;
    for (int r = 0; r < c->nrow; r++)
        for (int n = 0; n < c->row[r].zones.n; n++) {
            const char *pattern = c->row[r].zones.name[n];
            int used = 0;
            const char *where = an_case_at(c, c->row[r].line);
            for (int z = 0; z < t->nblock; z++) {
                const char *family = t->block[z].family;
                if (!an_case_matches(pattern, t->block[z].name) &&
                    !(*family && an_case_matches(pattern, family)))
                    continue;
                used = 1;
                if (row[z] >= 0 && row[z] != r)
                    an_diag_error(diag, where, "zone '%s' is in rows '%s' and '%s'; keep it in one",
                                  t->block[z].name, c->row[row[z]].name, c->row[r].name);
                row[z] = r;
            }
            if (!used)
                an_diag_error(diag, where,
                              "row '%s': '%s' matches no zone of the mesh, which has %s",
                              c->row[r].name, pattern, names);
        }
}

void an_solver_zone_rows(const struct an_case *c, const struct an_topology *t, int *row)
{
    struct an_diag unheard;
    an_diag_init(&unheard);
    find_rows(c, t, row, &unheard);
    an_diag_free(&unheard);
}

/* How often an interface's angle fits into a turn: a whole number, or blades of the annulus over
 * those that are meshed. */
static double turns_of(const struct an_interface *f, int blades)
{
    const double turn = 2 * acos(-1.0), angle = fabs(atan2(f->rotation[7], f->rotation[4]));
    const double n = angle > 1e-9 ? turn / angle : 1, whole = round(n);
    const double meshed = round(blades / n);
    if (fabs(n - whole) < 1e-4 * n)
        return whole;
    return meshed > 0 && fabs(blades - n * meshed) < 1e-4 * blades ? blades / meshed : n;
}

int an_topology_of_case(const struct an_case *c, const struct an_topology *t,
                        struct an_topology *typed)
{
    *typed = *t;
    typed->boundary = malloc(((size_t)t->nboundary + 1) * sizeof *typed->boundary);
    AN_CHECK(typed->boundary, AN_FAIL, "out of memory for boundaries");
    for (int b = 0; b < t->nboundary; b++) {
        const struct an_case_boundary *found = an_case_boundary_find(c, t->boundary[b].name);
        typed->boundary[b] = t->boundary[b];
        if (found) {
            typed->boundary[b].type = found->type;
            memcpy(typed->boundary[b].with, found->with, sizeof found->with);
        }
    }
    return AN_OK;
}

/* As an_mesh_rows, with the types that the case gives to boundaries of the mesh. */
static int rows_of_case(const struct an_case *c, const struct an_topology *t, int *row)
{
    struct an_topology typed;
    AN_TRY(an_topology_of_case(c, t, &typed));
    an_mesh_rows(&typed, row);
    free(typed.boundary);
    return AN_OK;
}

/* Passages of the sets of zones that abutting interfaces repeat by rotation. */
static void add_abutting(const struct an_case *c, const struct an_topology *t, const int *set,
                         const int *row, double *most)
{
    for (int p = 0; p < t->npatch; p++) {
        const struct an_boundary *b = &t->boundary[t->patch[p].boundary];
        const int z = t->patch[p].window.block;
        struct an_interface f;
        if (b->type != AN_BC_ABUTTING || b->periodic != 2)
            continue;
        memcpy(f.rotation, b->rotation, sizeof f.rotation);
        most[set[z]] = fmax(most[set[z]], turns_of(&f, row[z] < 0 ? 0 : c->row[row[z]].blades));
    }
}

int an_solver_sectors(const struct an_case *c, const struct an_topology *t, double *sectors)
{
    const size_t n = (size_t)t->nblock + 1;
    int *set = malloc(n * sizeof *set), *row = malloc(n * sizeof *row);
    double *most = malloc(n * sizeof *most);
    if (set && row && most && rows_of_case(c, t, set) == AN_OK) {
        an_solver_zone_rows(c, t, row);
        for (int z = 0; z < t->nblock; z++) { /* a row is one set, joined or not */
            for (int y = 0; y < z && row[z] >= 0; y++)
                if (row[y] == row[z] && set[y] != set[z])
                    for (int x = 0, from = set[z]; x < t->nblock; x++)
                        set[x] = set[x] == from ? set[y] : set[x];
            most[z] = 1;
        }
        for (int f = 0; f < t->ninterface; f++) {
            const struct an_interface *i = &t->interface[f];
            const int z = i->window.block;
            if (i->periodic == 2)
                most[set[z]] =
                    fmax(most[set[z]], turns_of(i, row[z] < 0 ? 0 : c->row[row[z]].blades));
        }
        add_abutting(c, t, set, row, most);
        for (int z = 0; z < t->nblock; z++)
            sectors[z] = most[set[z]];
    }
    const int status = set && row && most ? AN_OK : an_error_set(AN_FAIL, "out of memory for rows");
    free(set);
    free(row);
    free(most);
    return status;
}

/* Does the mesh turn a zone at another rate than its row? */
static int row_differs(const struct an_case *c, const struct an_topology *t, const int *row, int z)
{
    const struct an_zone *zone = &t->block[z];
    if (row[z] < 0 || !zone->rotates)
        return 0;
    const double omega = c->row[row[z]].omega;
    return fabs(omega - zone->omega) > 1e-3 * fabs(omega);
}

/* Warns of the zones of a row whose rate in the mesh is that of zone z, in one line: at the first of them. */
static void warn_of_rate(const struct an_case *c, const struct an_topology *t, const int *row,
                         int z, struct an_diag *diag)
{
    char others[40] = "";
    const struct an_case_row *r = &c->row[row[z]];
    int more = 0;
    for (int y = 0; y < t->nblock; y++)
        if (y != z && row[y] == row[z] && row_differs(c, t, row, y) &&
            t->block[y].omega == t->block[z].omega) {
            if (y < z)
                return;
            more++;
        }
    if (more)
        snprintf(others, sizeof others, " and %d other%s", more, more > 1 ? "s" : "");
    an_diag_warning(diag, an_case_at(c, r->line),
                    "row '%s' turns zone '%s'%s at %.6g rad/s, RotatingCoordinates of the mesh "
                    "at %.6g: the row counts",
                    r->name, t->block[z].name, others, r->omega, t->block[z].omega);
}

/* How each zone turns: by its row, else as the mesh says. */
static void find_rates(const struct an_case *c, const struct an_topology *t, const int *row,
                       double *omega, struct an_diag *diag)
{
    for (int z = 0; z < t->nblock; z++) {
        const struct an_zone *zone = &t->block[z];
        omega[z] = row[z] >= 0 ? c->row[row[z]].omega : zone->rotates ? zone->omega : 0;
        if (row_differs(c, t, row, z))
            warn_of_rate(c, t, row, z, diag);
    }
}

/* Interfaces: both sides turn alike, and pitches hold whole blades. */
static void check_interfaces(const struct an_case *c, const struct an_topology *t, const int *row,
                             const double *omega, struct an_diag *diag)
{
    int *told = calloc((size_t)c->nrow + 1, sizeof *told);
    for (int n = 0; n < t->ninterface; n++) {
        const struct an_interface *f = &t->interface[n];
        const int a = f->window.block, b = f->donor;
        if (a <= b && omega[a] != omega[b])
            an_diag_error(
                diag, c->file,
                "interface '%s': zones '%s' and '%s' are joined one to one, but turn at %.6g "
                "and %.6g rad/s: put them into one row, or part them by a mixing plane",
                f->name, t->block[a].name, t->block[b].name, omega[a], omega[b]);
        if (row[a] < 0 || !f->periodic || !told || told[row[a]])
            continue;
        const struct an_case_row *r = &c->row[row[a]];
        const double angle = fabs(atan2(f->rotation[7], f->rotation[4]));
        const double pitches = angle * r->blades / (2 * acos(-1.0));
        const char *where = an_case_at(c, r->line);
        const double across = hypot(f->translation[1], f->translation[2]);
        if (f->periodic == 1 && r->omega != 0 && across > 1e-6 * fabs(f->translation[0])) {
            an_diag_error(diag, where,
                          "row '%s': zone '%s' is periodic by translation off the x axis ('%s'): a "
                          "row that turns repeats by rotation",
                          r->name, t->block[a].name, f->name);
            told[row[a]] = 1;
        } else if (f->periodic == 2 && r->blades > 0 &&
                   (pitches < 0.5 || fabs(pitches - round(pitches)) > 1e-4 * pitches)) {
            an_diag_error(diag, where,
                          "row '%s' has %d blades, a pitch of %.6g degrees, but the mesh repeats "
                          "after %.6g degrees (zone '%s', '%s'), which is 1/%.6g of a turn",
                          r->name, r->blades, 360.0 / r->blades, angle * 180 / acos(-1.0),
                          t->block[a].name, f->name, 2 * acos(-1.0) / angle);
            told[row[a]] = 1;
        }
    }
    free(told);
}

/* Walls that are said to turn stand on rows. */
static void check_walls(const struct an_case *c, const struct an_topology *t, const int *row,
                        struct an_diag *diag)
{
    for (int b = 0; b < t->nboundary; b++) {
        const struct an_case_boundary *wall = an_case_boundary_find(c, t->boundary[b].name);
        if (!wall || wall->type != AN_BC_WALL_VISCOUS || !wall->wall.has_omega ||
            wall->wall.omega == 0)
            continue;
        for (int p = 0; p < t->npatch; p++) {
            const int zone = t->patch[p].window.block;
            if (t->patch[p].boundary != b || row[zone] >= 0)
                continue;
            an_diag_error(diag, an_case_at(c, wall->line),
                          "wall '%s' turns at %.6g rad/s, but zone '%s' beside it is in no row",
                          t->boundary[b].name, wall->wall.omega, t->block[zone].name);
            break;
        }
    }
}

int an_solver_rows(const struct an_case *c, const struct an_mesh *mesh, double **omega,
                   struct an_diag *diag)
{
    const struct an_topology *t = &mesh->topology;
    *omega = NULL;
    int *row = malloc(((size_t)t->nblock + 1) * sizeof *row);
    double *rate = calloc((size_t)t->nblock + 1, sizeof *rate);
    int rotating = 0;
    if (!row || !rate) {
        free(row);
        free(rate);
        return an_error_set(AN_FAIL, "out of memory for rows");
    }
    find_rows(c, t, row, diag);
    find_rates(c, t, row, rate, diag);
    for (int z = 0; z < t->nblock; z++)
        rotating |= rate[z] != 0;
    if (rotating && mesh->dimension == 2)
        an_diag_error(diag, c->file,
                      "rows turn about the x axis: the mesh has to be three-dimensional");
    if (rotating && c->turbulence.rotation_correction == AN_CORRECTION_RC)
        an_diag_error(
            diag, c->file,
            "turbulence.rotation_correction: rc does not know of rows that turn; use none or r");
    if (rotating && c->scheme.flux == AN_SCHEME_MATRIX && an_case_is_implicit(c))
        an_diag_warning(diag, c->file,
                        "scheme.flux: matrix dissipation does not settle, and may diverge, in an "
                        "implicit march of rows that turn (Rotor 37): roe and jst do");
    check_interfaces(c, t, row, rate, diag);
    if (c->nrow > 0)
        check_walls(c, t, row, diag);
    free(row);
    if (!rotating) {
        free(rate);
        rate = NULL;
    }
    *omega = rate;
    return AN_OK;
}

int an_solver_is_rotating(const struct an_solver *s)
{
    int rotating = s->omega != NULL;
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        const struct an_case_boundary *c =
            an_case_boundary_find(s->c, s->mesh->topology.boundary[b].name);
        if (!c || c->type != AN_BC_WALL_VISCOUS)
            continue;
        const double *v = c->wall.velocity;
        rotating |=
            (c->wall.has_omega && c->wall.omega != 0) || v[0] != 0 || v[1] != 0 || v[2] != 0;
    }
    return rotating;
}

double an_boundary_omega(const struct an_solver *s, int boundary)
{
    const struct an_topology *t = &s->mesh->topology;
    for (int p = 0; p < t->npatch; p++)
        if (t->patch[p].boundary == boundary)
            return s->omega ? s->omega[t->patch[p].window.block] : 0;
    return 0;
}
