/* What the kernels of every engine are given and what they give back: reductions, face windows, copies
 * and the words of face fields. Kernels include this and not engine.h: the list of stencils may grow
 * without compiling them again. */
#ifndef AN_WORK_H
#define AN_WORK_H

#include "kernels/base/layout.h"
#include "kernels/base/xsum.h"
#include "kernels/physics/fields.h"

AN_EXTERN_C_BEGIN

/* Sums of boundary_integral_*, all with outward flux: mass kg/s, momentum N (3, pressure included),
 * energy W, then mass flux times T0 (K kg/s), p0 (Pa kg/s), area m2, p times area N, inflow part of
 * the mass flux kg/s, the viscous part of the momentum flux N (3) and of the energy flux W, mass
 * flux times TURB (2; zero without), the same of the faces through which gas leaves (2), and area
 * times rho, velocity (3), p and H of the cells beside the boundary. Where the field FRAME is given vectors are axial, radial and tangential, and MZ and
 * VZ the moments N m of the tangential forces about the x axis. */
enum {
    AN_I_MASS,
    AN_I_MX,
    AN_I_MY,
    AN_I_MZ,
    AN_I_ENERGY,
    AN_I_MT0,
    AN_I_MP0,
    AN_I_AREA,
    AN_I_PA,
    AN_I_INFLOW,
    AN_I_VX,
    AN_I_VY,
    AN_I_VZ,
    AN_I_HEAT,
    AN_I_MTURB0,
    AN_I_MTURB1,
    AN_I_OUT_TURB0,
    AN_I_OUT_TURB1,
    AN_I_CELL_RHO,
    AN_I_CELL_U,
    AN_I_CELL_V,
    AN_I_CELL_W,
    AN_I_CELL_P,
    AN_I_CELL_H,
    AN_NINTEGRAL
};

/* Most reduced quantities of a cell stencil. */
enum { AN_NSUM = 8, AN_NMIN = 2 };

struct an_reduction {
    struct an_xsum sum[AN_NSUM];
    double min[AN_NMIN]; /* over this rank; +inf when nothing was seen; NaN is ignored */
};

/* One boundary face window and the boundary it belongs to (index into the values given). `first`:
 * where its faces begin in fields that have values face after face (WALL, FRAME), t1 fastest, where
 * t1 is the direction that follows the window's cyclically. `values`: the same in BCV, for
 * boundaries whose values vary. `behind`: 1: the block is one cell thick there, and its first ghost cell
 * on the other side holds a neighbour's cell; it is the second cell inside. */
struct an_face_window {
    struct an_window window;
    int boundary;
    int behind;
    int64_t first, values;
};

/* What WALL holds of a face. Stress is what the flow does to the wall, and heat goes into it. */
enum {
    AN_WALL_TX, /* Pa: viscous stress */
    AN_WALL_TY,
    AN_WALL_TZ,
    AN_WALL_P,     /* Pa */
    AN_WALL_HEAT,  /* W/m2 */
    AN_WALL_T,     /* K */
    AN_WALL_YPLUS, /* of the first cell's centre */
    AN_WALL_SX,    /* m2: area, out of the gas */
    AN_WALL_SY,
    AN_WALL_SZ
};

/* What PLANE holds of a face. Area and fluxes are outward. */
enum {
    AN_PLANE_RHO, /* kg/m3, m/s, Pa: the mean of both sides */
    AN_PLANE_U,
    AN_PLANE_V,
    AN_PLANE_W,
    AN_PLANE_P,
    AN_PLANE_MASS, /* kg/s */
    AN_PLANE_MX,   /* N: momentum, with the pressure less p_ref */
    AN_PLANE_MY,
    AN_PLANE_MZ,
    AN_PLANE_ENERGY, /* W: where faces move, with the work of the pressure less p_ref */
    AN_PLANE_SX,     /* m2 */
    AN_PLANE_SY,
    AN_PLANE_SZ,
    AN_PLANE_SWEEP,   /* m3/s: what the face sweeps */
    AN_PLANE_FRACTION /* of a mixture, the mean of both sides; else 0 */
};

/* A copy of n[0] x n[1] x n[2] elements for each component:
 *   dst[dst + a ds[0] + b ds[1] + c ds[2] + comp * dst_component] = src[...]. */
struct an_copy {
    int64_t src, dst;
    int64_t src_stride[3], dst_stride[3];
    int32_t n[3];
    int32_t rotation; /* index into the 3x3 matrices, -1: none */
};

/* `vector` of copies: nothing is rotated; components 0-8 are a tensor that becomes R G R^T and each
 * triple behind it a vector (GRAD); each triple is a vector (GRADT). */
enum { AN_COPY_PLAIN = -1, AN_COPY_TENSOR = -2, AN_COPY_VECTORS = -3 };

struct an_copies; /* a list of an_copy, prepared for an engine */
/* The same list of copies within each of some fields. */
enum { AN_MAX_COPIED = 4 };
struct an_copying {
    const struct an_copies *list; /* NULL: nothing is copied */
    int64_t component;            /* elements between components */
    int nfield;
    struct {
        void *base;
        int ncomp, vector;
    } field[AN_MAX_COPIED];
};

AN_EXTERN_C_END
#endif
