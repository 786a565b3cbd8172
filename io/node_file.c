#define _GNU_SOURCE
#include "io/node_file.h"

#include <cgnslib.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/atomic.h"
#include "io/cgns_names.h"

/* Closes over `path`, which every function here has as an argument. */
#define CG(call) \
    AN_CHECK((call) == CG_OK, AN_FAIL, "%s cannot be written: %s", path, cg_get_error())

static int64_t nodes_of(const struct an_zone *z)
{
    return (int64_t)(z->n[0] + 1) * (z->n[1] + 1) * (z->n[2] + 1);
}

/* Numbers at the nodes in the order of the file of the mesh. */
static const double *in_file_order(const struct an_mesh *m, int zone, const double *from,
                                   double *room)
{
    const int *n = m->topology.block[zone].n, count[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
    const int turn = an_mesh_turn_of(m, zone);
    if (!turn)
        return from;
    an_turn_values(turn, count, sizeof *from, from, room, 0);
    return room;
}

static int write_zone(const char *path, int fn, const struct an_mesh *m, int z, int nfield,
                      const char *const *field_name, const struct an_node_zone *of, double *room)
{
    const struct an_zone *zone = &m->topology.block[z];
    const int64_t nodes = nodes_of(zone);
    int number, solution, index, n[3];
    cgsize_t size[9] = {0};
    an_turn_to_file(an_mesh_turn_of(m, z), zone->n, n);
    for (int d = 0; d < 3; d++) {
        size[d] = n[d] + 1;
        size[3 + d] = n[d];
    }
    CG(cg_zone_write(fn, 1, zone->name, size, CGNS_ENUMV(Structured), &number));
    for (int c = 0; c < 3; c++) {
        CG(cg_coord_write(fn, 1, number, CGNS_ENUMV(RealDouble), an_cgns_coordinate[c],
                          in_file_order(m, z, of->x + c * nodes, room), &index));
        CG(cg_goto(fn, 1, "Zone_t", number, "GridCoordinates_t", 1, "DataArray_t", c + 1, "end"));
        CG(an_cgns_exponents_write(an_cgns_coordinate[c]));
    }
    CG(cg_sol_write(fn, 1, number, AN_CGNS_SOLUTION, CGNS_ENUMV(Vertex), &solution));
    for (int f = 0; f < nfield; f++)
        CG(cg_field_write(fn, 1, number, solution, CGNS_ENUMV(RealDouble), field_name[f],
                          in_file_order(m, z, of->field + f * nodes, room), &index));
    return AN_OK;
}

static int write_all(const char *path, int fn, const struct an_mesh *m, int nfield,
                     const char *const *field_name, const struct an_node_zone *zone, double *room)
{
    int base;
    CG(cg_base_write(fn, AN_CGNS_BASE, 3, 3, &base));
    CG(cg_goto(fn, 1, "end"));
    CG(an_cgns_units_write());
    for (int place = 0; place < m->topology.nblock; place++) {
        const int z = an_mesh_listed(m, place);
        AN_TRY(write_zone(path, fn, m, z, nfield, field_name, &zone[z], room));
    }
    return AN_OK;
}

static int write_file(const char *path, const struct an_mesh *m, int nfield,
                      const char *const *field_name, const struct an_node_zone *zone, double *room)
{
    int fn;
    CG(cg_set_file_type(CG_FILE_HDF5));
    CG(cg_open(path, CG_MODE_WRITE, &fn));
    int status = write_all(path, fn, m, nfield, field_name, zone, room);
    if (cg_close(fn) != CG_OK && status == AN_OK)
        status = an_error_set(AN_FAIL, "%s cannot be written: %s", path, cg_get_error());
    return status;
}

int an_node_file_write(const char *path, const struct an_mesh *m, int nfield,
                       const char *const *field_name, const struct an_node_zone *zone)
{
    char temporary[AN_TEMPORARY];
    int64_t bytes = 65536, most = 0;
    for (int z = 0; z < m->topology.nblock; z++) {
        const int64_t nodes = nodes_of(&m->topology.block[z]);
        bytes += (3 + nfield) * nodes * (int64_t)sizeof(double) + 32768;
        most = nodes > most ? nodes : most;
    }
    double *room = malloc(((size_t)most + 1) * sizeof *room);
    AN_CHECK(room, AN_FAIL, "out of memory for %s", path);
    /* CGNS opens files with the locks of HDF5, which file systems without locks refuse. */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    int status = an_room_try(path, bytes, temporary);
    if (status == AN_OK) {
        status = write_file(temporary, m, nfield, field_name, zone, room);
        if (status == AN_OK)
            status = an_atomic_rename(temporary, path);
        else
            unlink(temporary);
    }
    free(room);
    return status;
}
