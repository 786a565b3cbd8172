/* Writes small CGNS meshes for tests: a box of zones mapped into space.
 *
 * The box has zones[0] x zones[1] x zones[2] zones of cells[0] x cells[1] x cells[2] cells each.
 * Box position s in [0,1]^3 goes to x = map(s). Zone number z = a + zones[0] (b + zones[1] c) is
 * called "zone_000", ..., so the reader numbers the zones the same way (it sees them sorted by
 * name). Zones may be turned: then their own i, j, k run along other box directions, some
 * backwards. Everything else (interfaces, transforms, boundary ranges) follows from that.
 *
 *   struct meshw_spec spec = {.zones = {2, 1, 1}, .cells = {8, 4, 4}, .turn_all = 1};
 *   spec.side[MESHW_IMIN].bc = (struct meshw_bc){"inlet", NULL, CGNS_ENUMV(BCTunnelInflow)};
 *   assert_int_equal(meshw_write("a.cgns", &spec), AN_OK);
 *
 * A zero-initialised member is the default: one zone, four cells, the unit cube, slip walls named
 * "imin" ... "kmax", HDF5, double. Files pass cgnscheck unless a hook spoils them.
 */
#ifndef AN_TESTS_MESH_WRITER_H
#define AN_TESTS_MESH_WRITER_H

#include <cgnslib.h>

#include "kernels/base/topology.h"

enum meshw_side_index { MESHW_IMIN, MESHW_IMAX, MESHW_JMIN, MESHW_JMAX, MESHW_KMIN, MESHW_KMAX };

struct meshw_bc {
    const char *name;          /* BC_t; NULL: "imin" ... "kmax" */
    const char *family;        /* not NULL: FamilySpecified, and the type stands in the family */
    CGNS_ENUMT(BCType_t) type; /* CGNS_ENUMV(BCTypeNull) = 0: BCWallInviscid */
};

/* One side of the box. With N box cells along `along` (a direction in the side): cells [0, cut) and
 * [N - cut, N) are folded onto each other (a C-cut); of the rest, cells below `split` carry bc and
 * the others bc2. */
struct meshw_side {
    struct meshw_bc bc, bc2;
    int along;
    int split; /* 0: bc everywhere */
    int cut;   /* 0: no cut */
};

/* How the two sides of one box direction are joined. */
enum meshw_join {
    MESHW_OPEN,        /* not: each has its boundary conditions */
    MESHW_CLOSED,      /* the map closes on itself (an O-mesh) */
    MESHW_TRANSLATION, /* x(max) = x(min) + shift */
    MESHW_ROTATION     /* x(max) = x(min) turned about the x axis by angle */
};

/* What is about to be written; a hook may change it to spoil the file, or return 1 to leave the
 * node out. Ranges are CGNS vertex ranges (from 1). */
struct meshw_interface {
    int zone, donor;
    char name[AN_NAME], donor_name[AN_NAME];
    cgsize_t range[6], donor_range[6];
    int transform[3];
    int periodic; /* enum meshw_join, MESHW_CLOSED = MESHW_OPEN = no Periodic_t */
    float center[3], angle[3], translation[3];
};

struct meshw_boco {
    int zone;
    char name[AN_NAME];
    const char *family;
    CGNS_ENUMT(BCType_t) type;
    cgsize_t range[6];
    int dataset; /* 1: with a BCDataSet */
};

struct meshw_spec {
    int zones[3];                                                 /* 0: 1 */
    int cells[3];                                                 /* per zone; 0: 4 */
    void (*map)(const double s[3], double x[3], const void *ctx); /* NULL: x = s */
    const void *ctx;
    int turn_all;    /* 1: zone z is turned by rotation (turn_first + z) mod 24 */
    int turn_first;  /* rotation 0 turns nothing */
    const int *turn; /* or: the rotation (0..23) of each zone; NULL: see turn_all */
    struct meshw_side side[6];
    enum meshw_join join[3];
    double shift[3][3];             /* of MESHW_TRANSLATION, per box direction */
    double angle;                   /* of MESHW_ROTATION, rad */
    CGNS_ENUMT(LengthUnits_t) unit; /* 0: no units; the numbers are written as map gives them */
    int single;                     /* 1: coordinates as float */
    int adf;                        /* 1: ADF file */
    int flat;                       /* 1: CellDimension 2, PhysicalDimension 2: no k; no turning */
    int degrees;                    /* 1: periodic angles in degrees, with AngleUnits Degree */
    int face_location;              /* 1: BC ranges at face centres instead of vertices */
    int short_form; /* 1: transforms with 0 for the direction that crosses the face */
    int one_sided;  /* 1: each interface is written in one of its two zones only */
    int last_first; /* 1: the last zone is written first */
    int (*on_interface)(struct meshw_interface *c, void *ctx);
    int (*on_boco)(struct meshw_boco *b, void *ctx);
    void *hook_ctx;
};

/* Writes (or overwrites) `path`. AN_FAIL with the library's text in an_error_text. */
int meshw_write(const char *path, const struct meshw_spec *spec);

/* The map from cells of a zone to cells of the box, as meshw_write turns it; *n: cells of the zone.
 * With it a test compares fields of turned zones at the same place. */
struct an_cellmap meshw_zone_map(const struct meshw_spec *spec, int zone, int n[3]);

/* Ready maps; ctx as named. All are right-handed. */
struct meshw_box {
    double origin[3], size[3];
    double wave; /* shears and waves the inside by this part of the size; 0: straight, < 0.05 */
};
void meshw_map_box(const double s[3], double x[3], const void *box);

/* s = (axial, radial, circumferential): x from 0 to length, r from r0 to r1, theta from 0 to angle
 * with y = r cos theta, z = r sin theta. angle = 2 pi with MESHW_CLOSED is a full annulus. */
struct meshw_sector {
    double length, r0, r1, angle;
};
void meshw_map_sector(const double s[3], double x[3], const void *sector);

/* C-mesh around the edge of a flat plate: i along the C, j outwards, k span; box side jmin is the
 * plate in its middle and the cut at its ends (side[MESHW_JMIN].cut). ctx is not used. */
void meshw_map_cmesh(const double s[3], double x[3], const void *ctx);

#endif
