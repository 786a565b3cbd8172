/* Types of boundaries: one row for each, and the names of the values that a boundary has.
 *
 * A row of AN_BC_LIST: B(type, name, flags, cgns, help)
 *   type    the enumerator AN_BC_type
 *   name    in the case file
 *   flags   of enum an_bc_flag, added
 *   cgns    names of BCType_t, separated by blanks: files are written with the first one, and each
 *           of them is read as this type; "": the type has none
 *   help    what stands there
 *
 * A new type needs a row here; its keys in io/case_keys.c (bit AN_BC_type of an_key.bc) and, where
 * a rule joins several keys, a check in io/case_check.c; its values in solver/boundary/boundaries.c;
 * and the state behind its faces in kernels/physics/boundary.h, unless it behaves there as another
 * type does.
 */
#ifndef AN_BOUNDARY_TYPE_H
#define AN_BOUNDARY_TYPE_H

#include "kernels/base/error.h"

AN_EXTERN_C_BEGIN

enum an_bc_flag {
    AN_BC_PASSES = 1,  /* gas flows through it into or out of the machine */
    AN_BC_CLOSED = 2,  /* nothing flows through it: a wall or a mirror */
    AN_BC_BARE = 4,    /* needs no values: the type in the mesh file is enough */
    AN_BC_VISCOUS = 8, /* needs viscous flow */
    AN_BC_PATCH = 16,  /* a patch of a wall: for kernels it is that wall */
    AN_BC_STATE = 32,  /* a whole state of the gas is given (struct an_case_state) */
    AN_BC_VARIES = 64  /* its values always vary from face to face */
};

/* clang-format off */
#define AN_BC_LIST(B)                                                                              \
    B(NONE, "none", 0, "", "not decided yet: the case file has to say")                            \
    B(WALL_SLIP, "wall_slip", AN_BC_CLOSED + AN_BC_BARE,                                            \
      "BCWallInviscid BCDegenerateLine BCDegeneratePoint", "a wall without friction")                      \
    B(WALL_VISCOUS, "wall_viscous", AN_BC_CLOSED + AN_BC_BARE + AN_BC_VISCOUS,                    \
      "BCWallViscous BCWall BCWallViscousHeatFlux BCWallViscousIsothermal",                        \
      "a wall to which the gas sticks")                                                            \
    B(SYMMETRY, "symmetry", AN_BC_CLOSED + AN_BC_BARE, "BCSymmetryPlane", "a mirror plane")         \
    B(INLET_TOTAL, "inlet_total", AN_BC_PASSES, "BCInflowSubsonic BCInflow BCTunnelInflow",        \
      "total pressure, total temperature and direction of what enters")                            \
    B(OUTLET_STATIC, "outlet_static", AN_BC_PASSES, "BCOutflowSubsonic BCOutflow BCTunnelOutflow", \
      "static pressure")                                                                           \
    B(INLET_SUPERSONIC, "inlet_supersonic", AN_BC_PASSES + AN_BC_STATE, "BCInflowSupersonic",      \
      "the whole state of what enters")                                                            \
    B(OUTLET_SUPERSONIC, "outlet_supersonic", AN_BC_PASSES + AN_BC_BARE,                           \
      "BCOutflowSupersonic BCExtrapolate", "everything is extrapolated")                           \
    B(FARFIELD, "farfield", AN_BC_PASSES + AN_BC_STATE, "BCFarfield",                              \
      "characteristic, with the state of the free stream")                                         \
    B(MIXING_PLANE, "mixing_plane", AN_BC_BARE + AN_BC_VARIES, "",                                 \
      "characteristic, with averages of the row on the other side")                                \
    B(SLIDING_PLANE, "sliding_plane", AN_BC_BARE, "",                                              \
      "joined to the row on the other side, which may turn past it")                               \
    B(ABUTTING, "abutting", AN_BC_BARE, "",                                                        \
      "joined to faces of the same row on the other side, which need not match")                   \
    B(COOLING, "cooling", AN_BC_PATCH, "", "a part of a wall through which coolant enters")      \
    B(BLEED, "bleed", AN_BC_PATCH, "", "a part of a wall through which gas is taken out")
/* clang-format on */

enum an_bc_type {
#define AN_B(type, name, flags, cgns, help) AN_BC_##type,
    AN_BC_LIST(AN_B)
#undef AN_B
        AN_BC_NTYPE
};

const char *an_bc_type_name(enum an_bc_type type);      /* as in the case file */
enum an_bc_type an_bc_type_from_name(const char *name); /* AN_BC_NONE: unknown */
const char *an_bc_type_help(enum an_bc_type type);
const char *an_bc_type_cgns(enum an_bc_type type); /* names of BCType_t, as in the list */
int an_bc_type_has(enum an_bc_type type, enum an_bc_flag flag);

/* Names of the values of a boundary: indices of v in struct an_bc_value and of components in field
 * BCV. AN_BC_DIRECTION, AN_BC_VELOCITY, AN_BC_WALL_VELOCITY and AN_BC_TURB are the first components
 * of vectors. */
#define AN_BC_NVALUE 8
enum an_bc_value_name {
    /* INLET_TOTAL */
    AN_BC_P0 = 0,        /* Pa */
    AN_BC_T0 = 1,        /* K */
    AN_BC_DIRECTION = 2, /* unit vector */
    /* OUTLET_STATIC */
    AN_BC_P = 0,      /* Pa */
    AN_BC_WAVES = 1,  /* 1: one-dimensional non-reflecting, with the two means */
    AN_BC_MEAN_P = 2, /* Pa: mean pressure of the cells before the outlet */
    AN_BC_MEAN_U = 3, /* m/s: their mean velocity through the face */
    /* INLET_SUPERSONIC, FARFIELD, MIXING_PLANE */
    AN_BC_RHO = 0,      /* kg/m3 */
    AN_BC_VELOCITY = 1, /* m/s */
    AN_BC_PRESSURE = 4, /* Pa */
    /* INLET_TOTAL, FARFIELD and MIXING_PLANE whose values vary: TURB of what enters, or
     * v[AN_BC_TURB] < 0: that of the whole case */
    AN_BC_TURB = 5,
    /* WALL_VISCOUS */
    AN_BC_HEAT_KIND = 0,     /* enum an_wall_heat */
    AN_BC_HEAT = 1,          /* K, or W/m2 into the gas */
    AN_BC_WALL_VELOCITY = 2, /* m/s */
    AN_BC_WALL_OMEGA = 5,    /* rad/s about the x axis */
    AN_BC_WITH_BLOCK = 6,    /* 1: the rotation is added to that of the block; 0: it is all */
    AN_BC_ROUGHNESS = 7      /* m: equivalent height of sand grains */
};

AN_EXTERN_C_END
#endif
