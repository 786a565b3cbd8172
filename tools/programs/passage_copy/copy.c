#include "copy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double angle_of(const struct an_interface *f)
{
    return f->periodic == 2 ? atan2(f->rotation[7], f->rotation[4]) : 0;
}

static int find_pitches(const struct an_mesh *m, struct copies *c)
{
    const struct an_topology *t = &m->topology;
    for (int f = 0; f < t->ninterface; f++) {
        const struct an_interface *i = &t->interface[f];
        double *pitch = &c->pitch[c->row[i->window.block]];
        const double angle = fabs(angle_of(i)), *shift = i->translation;
        if (i->periodic != 2)
            continue;
        AN_CHECK(hypot(shift[0], hypot(shift[1], shift[2])) < 1e-12, AN_INPUT,
                 "%s: interface '%s' turns about another axis than x", m->file, i->name);
        AN_CHECK(*pitch == 0 || fabs(angle - *pitch) < 1e-9, AN_INPUT,
                 "%s: interface '%s' turns by %.9g degrees, others of its row by %.9g", m->file,
                 i->name, angle * 180 / acos(-1.0), *pitch * 180 / acos(-1.0));
        *pitch = angle;
    }
    for (int z = 0; z < t->nblock; z++) {
        c->pitch[z] = c->pitch[c->row[z]];
        AN_CHECK(c->pitch[z] > 0, AN_INPUT,
                 "%s: zone '%s' and its neighbours do not repeat by rotation about x", m->file,
                 t->block[z].name);
    }
    return AN_OK;
}

/* 1 if `name` is the name of the zone or of its family, or if the zone's name is `name`, an
 * underscore and more, as mesh_join makes it. */
static int is_called(const struct an_zone *z, const char *name)
{
    const size_t length = strlen(name);
    return !strcmp(z->name, name) || !strcmp(z->family, name) ||
           (!strncmp(z->name, name, length) && z->name[length] == '_');
}

/* The number of passages wished for the row of a zone; 0: the full annulus. */
static int wished(const struct an_topology *t, const struct copies *c, int zone, int nwish,
                  const struct copies_wish *wish)
{
    int n = 0;
    for (int w = 0; w < nwish; w++)
        for (int z = 0; z < t->nblock; z++)
            if (!wish[w].row[0] ||
                (c->row[z] == c->row[zone] && is_called(&t->block[z], wish[w].row)))
                n = wish[w].n;
    return n;
}

static int check_wishes(const struct an_mesh *m, int nwish, const struct copies_wish *wish)
{
    for (int w = 0; w < nwish; w++) {
        int some = !wish[w].row[0];
        for (int z = 0; z < m->topology.nblock; z++)
            some |= is_called(&m->topology.block[z], wish[w].row);
        AN_CHECK(some, AN_INPUT,
                 "%s: no zone or family is called '%s', and no zone's name begins with '%s_'",
                 m->file, wish[w].row, wish[w].row);
    }
    return AN_OK;
}

int copies_new(const struct an_mesh *m, int nwish, const struct copies_wish *wish, struct copies *c)
{
    const struct an_topology *t = &m->topology;
    const size_t zones = (size_t)t->nblock + 1;
    int next = 0;
    c->row = calloc(zones, sizeof *c->row);
    c->count = calloc(zones, sizeof *c->count);
    c->first = calloc(zones, sizeof *c->first);
    c->pitch = calloc(zones, sizeof *c->pitch);
    AN_CHECK(c->row && c->count && c->first && c->pitch, AN_FAIL, "out of memory");
    for (int b = 0; b < t->nboundary; b++)
        AN_CHECK(t->boundary[b].type != AN_BC_ABUTTING || !t->boundary[b].periodic, AN_INPUT,
                 "%s: '%s' is periodic and abutting: passages whose periodic sides do not match "
                 "cannot be copied",
                 m->file, t->boundary[b].name);
    an_mesh_rows(t, c->row);
    AN_TRY(find_pitches(m, c));
    AN_TRY(check_wishes(m, nwish, wish));
    for (int z = 0; z < t->nblock; z++) {
        const int n = wished(t, c, z, nwish, wish);
        const int sectors = (int)lround(2 * acos(-1.0) / c->pitch[z]);
        AN_CHECK(n <= sectors, AN_INPUT, "%s: the annulus holds %d passages of zone '%s', not %d",
                 m->file, sectors, t->block[z].name, n);
        AN_CHECK(
            n == sectors || 2 * n <= sectors, AN_INPUT,
            "%s: %d of the %d passages of zone '%s' are more than half a turn, which the angle "
            "of periodic interfaces does not tell from the rest of it: copy at most %d, or all",
            m->file, n, sectors, t->block[z].name, sectors / 2);
        c->count[z] = n > 0 ? n : sectors;
        c->first[z] = next;
        next += c->count[z];
    }
    return AN_OK;
}

void copies_free(struct copies *c)
{
    free(c->row);
    free(c->count);
    free(c->first);
    free(c->pitch);
}

void copies_turn(double angle, int64_t n, double *y, double *z)
{
    const double co = cos(angle), si = sin(angle);
    for (int64_t m = 0; m < n; m++) {
        const double a = y[m], b = z[m];
        y[m] = co * a - si * b;
        z[m] = si * a + co * b;
    }
}

static int copy_zones(const struct an_topology *t, const struct copies *c, struct an_topology *new)
{
    for (int z = 0; z < t->nblock; z++)
        for (int n = 0; n < c->count[z]; n++) {
            struct an_zone *to = &new->block[new->nblock++];
            *to = t->block[z];
            const int length = snprintf(to->name, AN_NAME, "%s_p%d", t->block[z].name, n + 1);
            AN_CHECK(length < AN_NAME, AN_INPUT, "zone '%s': no room for the number of a copy",
                     t->block[z].name);
            if (!to->family[0])
                memcpy(to->family, t->block[z].name, sizeof to->family);
        }
    return AN_OK;
}

/* x_here = R x_donor. Copy n of here lies at R_n x_here = R_(n + 1) x_donor, for an R of one pitch:
 * at copy n + 1 of the donor. Past the last one the sector begins again, n copies on. */
static void copy_interfaces(const struct an_topology *t, const struct copies *c,
                            struct an_topology *new)
{
    for (int f = 0; f < t->ninterface; f++) {
        const struct an_interface *from = &t->interface[f];
        const int z = from->window.block, count = c->count[z];
        const double angle = angle_of(from);
        for (int n = 0; n < count; n++) {
            struct an_interface *to = &new->interface[new->ninterface++];
            *to = *from;
            const int there = n + (angle > 0) - (angle < 0);
            const int wrapped = (there + count) % count, turns = there - wrapped; /* 0, +-count */
            to->window.block = c->first[z] + n;
            to->donor = c->first[from->donor] + wrapped;
            copies_turn(n * c->pitch[z], 1, &to->translation[1], &to->translation[2]);
            if (from->periodic != 2)
                continue;
            const double rest = turns * c->pitch[z];
            const int whole = fabs(fabs(rest) - 2 * acos(-1.0)) < 1e-9;
            to->periodic = turns == 0 || whole ? 0 : 2;
            const double co = to->periodic ? cos(rest) : 1, si = to->periodic ? sin(rest) : 0;
            const double r[9] = {1, 0, 0, 0, co, -si, 0, si, co};
            memcpy(to->rotation, r, sizeof r);
        }
    }
}

int copies_topology(const struct an_topology *t, const struct copies *c, struct an_topology *new)
{
    size_t zones = 1, interfaces = 1, patches = 1;
    for (int z = 0; z < t->nblock; z++)
        zones += (size_t)c->count[z];
    for (int f = 0; f < t->ninterface; f++)
        interfaces += (size_t)c->count[t->interface[f].window.block];
    for (int p = 0; p < t->npatch; p++)
        patches += (size_t)c->count[t->patch[p].window.block];
    an_topology_init(new);
    new->block = calloc(zones, sizeof *new->block);
    new->interface = calloc(interfaces, sizeof *new->interface);
    new->patch = calloc(patches, sizeof *new->patch);
    new->boundary = calloc((size_t)t->nboundary + 1, sizeof *new->boundary);
    AN_CHECK(new->block &&new->interface &&new->patch &&new->boundary, AN_FAIL, "out of memory");
    AN_TRY(copy_zones(t, c, new));
    copy_interfaces(t, c, new);
    for (int p = 0; p < t->npatch; p++)
        for (int n = 0; n < c->count[t->patch[p].window.block]; n++) {
            struct an_patch *to = &new->patch[new->npatch++];
            *to = t->patch[p];
            to->window.block = c->first[t->patch[p].window.block] + n;
        }
    memcpy(new->boundary, t->boundary, (size_t)t->nboundary * sizeof *new->boundary);
    new->nboundary = t->nboundary;
    return AN_OK;
}
