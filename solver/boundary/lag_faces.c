#include "solver/boundary/lag_faces.h"

#include "solver/boundary/plane_windows.h"
#include "solver/boundary/sliding.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double omega_of(const struct an_solver *s, int zone)
{
    return s->omega ? s->omega[zone] : 0;
}

/* Side of the plane on which the row of a zone lies: its speed tells. */
static int side_of(const struct an_solver *s, const struct an_sliding_plane *plane, int zone)
{
    return omega_of(s, zone) == plane->omega[1];
}

/* The angle by which an interface turns the donor, rad. */
static double angle_of(const struct an_interface *f)
{
    return atan2(f->rotation[7], f->rotation[4]);
}

static int check(const struct an_solver *s, const struct an_sliding_plane *plane)
{
    const struct an_topology *t = &s->mesh->topology;
    const double degree = acos(-1.0) / 180;
    AN_CHECK(plane->rate != 0, AN_INPUT,
             "march.phase_lag: both rows turn at %.6g rad/s, so that neither passes the other",
             plane->omega[0]);
    for (int z = 0; z < t->nblock; z++)
        AN_CHECK(omega_of(s, z) == plane->omega[0] || omega_of(s, z) == plane->omega[1], AN_INPUT,
                 "march.phase_lag: zone '%s' turns at %.6g rad/s, but the rows beside the sliding "
                 "plane at %.6g and %.6g: phase lag is for two rows",
                 t->block[z].name, omega_of(s, z), plane->omega[0], plane->omega[1]);
    for (int b = 0; b < t->nboundary; b++)
        AN_CHECK(
            s->boundary[b].type != AN_BC_ABUTTING || t->boundary[b].periodic != 2, AN_INPUT,
            "march.phase_lag: boundary '%s' repeats by rotation and does not match one to one, "
            "which phase lag needs",
            t->boundary[b].name);
    for (int n = 0; n < t->ninterface; n++) {
        const struct an_interface *f = &t->interface[n];
        const double pitch = plane->sector[side_of(s, plane, f->window.block)];
        const int donor_thin = t->block[f->donor].n[f->donor_dir] == 1;
        AN_CHECK(
            !an_halo_skips(t, f), AN_INPUT,
            "march.phase_lag: zone '%s' is one cell thick behind interface '%s': phase lag needs "
            "two cells or more between the interfaces of a zone",
            t->block[donor_thin ? f->donor : f->window.block].name, f->name);
        AN_CHECK(f->periodic != 2 || fabs(fabs(angle_of(f)) - pitch) < 1e-6 * pitch, AN_INPUT,
                 "march.phase_lag: interface '%s' of zone '%s' repeats after %.6g degrees, but its "
                 "side of the sliding plane covers %.6g",
                 f->name, t->block[f->window.block].name, fabs(angle_of(f)) / degree,
                 pitch / degree);
    }
    return AN_OK;
}

/* The place of a block among those of this rank; -1: another rank's. */
static int local_of(const struct an_solver *s, int piece)
{
    for (int n = 0; n < s->nlocal; n++)
        if (s->local[n] == piece)
            return n;
    return -1;
}

/* Numbers the faces of window w, which is a part of the mesh's interfaces. */
static void number_window(const struct an_solver *s, struct an_lag_faces *f, int w)
{
    const struct an_topology *t = &s->mesh->topology;
    const struct an_window *here = &f->window[w].window;
    const struct an_piece *piece = &s->level->partition.piece[s->local[here->block]];
    struct an_window zone = *here;
    zone.block = piece->zone;
    for (int d = 0; d < 3; d++)
        if (d != zone.dir) {
            zone.lo[d] += piece->lo[d];
            zone.hi[d] += piece->lo[d];
        }
    const int holder =
        an_window_holder(&zone, t->ninterface, &t->interface->window, sizeof *t->interface);
    const struct an_window *all = &t->interface[holder].window;
    const int t1 = (zone.dir + 1) % 3, t2 = (zone.dir + 2) % 3;
    int64_t before = 0, n = f->window[w].first;
    for (int m = 0; m < holder; m++)
        if (t->interface[m].periodic == 2)
            before += an_window_faces(&t->interface[m].window);
    for (int b = zone.lo[t2] - all->lo[t2]; b < zone.hi[t2] - all->lo[t2]; b++)
        for (int a = zone.lo[t1] - all->lo[t1]; a < zone.hi[t1] - all->lo[t1]; a++)
            f->place[n++] = before + a + (int64_t)b * (all->hi[t1] - all->lo[t1]);
}

int an_lag_faces_find(const struct an_solver *s, const struct an_sliding_plane *plane,
                      struct an_lag_faces *f)
{
    const struct an_topology *t = &s->level->partition.topology;
    const size_t most = (size_t)t->ninterface + 1;
    AN_TRY(check(s, plane));
    f->window = calloc(most, sizeof *f->window);
    f->side = calloc(most, sizeof *f->side);
    f->way = calloc(most, sizeof *f->way);
    AN_CHECK(f->window && f->side && f->way, AN_FAIL, "out of memory for phase lag");
    for (int n = 0; n < t->ninterface; n++) {
        const struct an_interface *i = &t->interface[n];
        const int local = i->periodic == 2 ? local_of(s, i->window.block) : -1;
        if (local < 0)
            continue;
        struct an_face_window *w = &f->window[f->nwindow];
        w->window = i->window;
        w->window.block = local;
        w->first = f->nface;
        f->side[f->nwindow] = side_of(s, plane, s->level->partition.piece[i->window.block].zone);
        f->way[f->nwindow++] = angle_of(i) > 0 ? 1 : -1;
        f->nface += an_window_faces(&i->window);
    }
    for (int n = 0; n < s->mesh->topology.ninterface; n++)
        if (s->mesh->topology.interface[n].periodic == 2)
            f->total += an_window_faces(&s->mesh->topology.interface[n].window);
    f->place = calloc((size_t)f->nface + 1, sizeof *f->place);
    AN_CHECK(f->place, AN_FAIL, "out of memory for phase lag");
    for (int w = 0; w < f->nwindow; w++)
        number_window(s, f, w);
    return AN_OK;
}

void an_lag_faces_free(struct an_lag_faces *f)
{
    free(f->window);
    free(f->side);
    free(f->way);
    free(f->place);
    memset(f, 0, sizeof *f);
}
