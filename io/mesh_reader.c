/* What all parts of the mesh reader share: the beginnings of their messages and the growing lists of
 * patches, interfaces, mixing planes and boundaries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh_internal.h"

const char *an_mesh_where(struct an_mesh_reader *r, int zone, const char *node)
{
    snprintf(r->where, sizeof r->where, "%s: zone '%s'%s%s%s", r->m->file,
             r->m->topology.block[zone].name, node ? ", '" : "", node ? node : "", node ? "'" : "");
    return r->where;
}

void an_mesh_wrong_numbers(struct an_mesh_reader *r, const char *where,
                           const struct an_cgns_node *node, int want)
{
    if (node->count == want)
        an_diag_error(r->diag, where, "%s is of type %s, which cannot be used", node->name,
                      node->type);
    else
        an_diag_error(r->diag, where, "%s has %lld numbers instead of %d: the file is damaged",
                      node->name, (long long)node->count, want);
}

static int grow(void **array, int used, int *capacity, size_t size)
{
    if (used < *capacity)
        return AN_OK;
    int wanted = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(*array, (size_t)wanted * size);
    AN_CHECK(grown, AN_FAIL, "out of memory for the mesh topology");
    *array = grown;
    *capacity = wanted;
    return AN_OK;
}

int an_mesh_add_patch(struct an_mesh_reader *r, const struct an_window *w, int boundary)
{
    struct an_topology *t = &r->m->topology;
    void *array = t->patch;
    AN_TRY(grow(&array, t->npatch, &r->patch_capacity, sizeof *t->patch));
    t->patch = array;
    t->patch[t->npatch++] = (struct an_patch){*w, boundary};
    return AN_OK;
}

int an_mesh_add_interface(struct an_mesh_reader *r, const struct an_interface *f)
{
    struct an_topology *t = &r->m->topology;
    void *array = t->interface;
    AN_TRY(grow(&array, t->ninterface, &r->interface_capacity, sizeof *t->interface));
    t->interface = array;
    t->interface[t->ninterface++] = *f;
    return AN_OK;
}

int an_mesh_add_plane(struct an_mesh_reader *r, const struct an_mesh_plane *p)
{
    void *array = r->plane;
    AN_TRY(grow(&array, r->nplane, &r->plane_capacity, sizeof *r->plane));
    r->plane = array;
    r->plane[r->nplane++] = *p;
    return AN_OK;
}

int an_mesh_add_abut(struct an_mesh_reader *r, const struct an_mesh_abut *a)
{
    void *array = r->abut;
    AN_TRY(grow(&array, r->nabut, &r->abut_capacity, sizeof *r->abut));
    r->abut = array;
    r->abut[r->nabut++] = *a;
    return AN_OK;
}

int an_mesh_boundary(struct an_mesh_reader *r, int zone, const char *name, enum an_bc_type type,
                     int is_family)
{
    struct an_topology *t = &r->m->topology;
    char wanted[AN_NAME];
    snprintf(wanted, sizeof wanted, "%s", name);
    int found = an_boundary_find(t, wanted);
    for (int copy = 2; found >= 0 && t->boundary[found].type != type; copy++) {
        if (is_family) {
            if (t->boundary[found].type != AN_BC_NONE)
                an_diag_warning(r->diag, an_mesh_where(r, zone, name),
                                "the boundary is %s here and %s elsewhere; the case file must say "
                                "which",
                                an_bc_type_name(type), an_bc_type_name(t->boundary[found].type));
            t->boundary[found].type = AN_BC_NONE;
            return found;
        }
        snprintf(wanted, sizeof wanted, "%.20s:%d", name, copy);
        found = an_boundary_find(t, wanted);
        if (found < 0)
            an_diag_warning(r->diag, an_mesh_where(r, zone, name),
                            "other zones have another condition of that name; this one is the "
                            "boundary '%s' (%s)",
                            wanted, an_bc_type_name(type));
    }
    if (found >= 0)
        return found;
    void *array = t->boundary;
    if (grow(&array, t->nboundary, &r->boundary_capacity, sizeof *t->boundary) != AN_OK)
        return -1;
    t->boundary = array;
    struct an_boundary *b = &t->boundary[t->nboundary];
    memset(b, 0, sizeof *b);
    memcpy(b->name, wanted, sizeof wanted);
    b->type = type;
    return t->nboundary++;
}
