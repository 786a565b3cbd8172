/* Boundary states: from the cells next to a boundary face to its two ghost cells.
 *
 * c1, c2: first and second interior cell; g1, g2: first and second ghost cell; n: unit normal,
 * outward; vn: the velocity along it of a face that turns with its block.
 *
 *      g2   g1 | c1   c2
 *              F
 *
 * Where a condition fixes the state F on the face, g1 = 2 F - c1: the central average is F. Density
 * and pressure of g1 are limited so that they stay positive.
 *
 * The values of a boundary (struct an_bc_value) have the names of enum an_bc_value_name
 * (kernels/base/boundary_type.h). What enters through a MIXING_PLANE has the state given, what
 * leaves passes, as at a FARFIELD. The ghosts of a SLIDING_PLANE and of an ABUTTING interface are
 * extrapolated here, and then replaced by values of the other side (slide_ghost.stencil,
 * abut_ghost.stencil). Boundaries whose values vary have them in field BCV, face by
 * face.
 */
#ifndef AN_BOUNDARY_H
#define AN_BOUNDARY_H

#include "kernels/base/topology.h"
#include "kernels/physics/gas.h"
#include "kernels/physics/low_mach.h"
#include "kernels/physics/viscous.h"
#include "kernels/physics/wall_function.h"

#ifndef AN_BC_AHEAD
/* Index of a value of OUTLET_STATIC, FARFIELD and MIXING_PLANE: what leaves is that of c1 + value (c1 - c2); 0:
 * that of c1. Not 0 at two-dimensional non-reflecting boundaries (solver/boundary/ring_waves.h). */
#define AN_BC_AHEAD 7
#endif

struct AN_FN(an_bc) {
    int type, varies;
    real v[AN_BC_NVALUE];
};

/* The values of a boundary on a block that turns with omega (rad/s). The rotation of a viscous wall
 * becomes that of the block plus its own where AN_BC_WITH_BLOCK says so. */
AN_INLINE struct AN_FN(an_bc) AN_FN(an_bc_from)(const struct an_bc_value *value, double omega)
{
    struct AN_FN(an_bc) bc;
    bc.type = value->type;
    bc.varies = value->varies;
    for (int v = 0; v < AN_BC_NVALUE; v++)
        bc.v[v] = (real)value->v[v];
    if (value->type == AN_BC_WALL_VISCOUS && value->v[AN_BC_WITH_BLOCK] != 0.0)
        bc.v[AN_BC_WALL_OMEGA] = (real)(value->v[AN_BC_WALL_OMEGA] + omega);
    return bc;
}

/* The same of a face with values of its own, v (BCV). */
AN_INLINE struct AN_FN(an_bc) AN_FN(an_bc_of_face)(int type, const real *v, double omega)
{
    struct AN_FN(an_bc) bc;
    bc.type = type;
    bc.varies = 1;
    for (int n = 0; n < AN_BC_NVALUE; n++)
        bc.v[n] = v[n];
    if (type == AN_BC_WALL_VISCOUS && v[AN_BC_WITH_BLOCK] != AN_R(0.0))
        bc.v[AN_BC_WALL_OMEGA] = (real)((double)v[AN_BC_WALL_OMEGA] + omega);
    return bc;
}

#include "kernels/physics/boundary_open.h"
#if AN_CACHED
#include "kernels/physics/boundary_stored.h"
#else
#include "kernels/physics/boundary_perfect.h"
#endif

/* The ghost that puts the state f on the face. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_ghost_of_face)(const struct AN_FN(an_cell) * f, const struct AN_FN(an_cell) * c1)
{
    struct AN_FN(an_cell) g;
    g.rho = AN_MAX(AN_R(2.0) * f->rho - c1->rho, AN_R(0.25) * f->rho);
    g.p = AN_MAX(AN_R(2.0) * f->p - c1->p, AN_R(0.25) * f->p);
    g.u = AN_R(2.0) * f->u - c1->u;
    g.v = AN_R(2.0) * f->v - c1->v;
    g.w = AN_R(2.0) * f->w - c1->w;
    g.H = AN_R(0.0);
    return g;
}

AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_mirror)(const struct AN_FN(an_cell) * c, real p, real nx, real ny, real nz, real vn)
{
    struct AN_FN(an_cell) g = *c;
    real un2 = AN_R(2.0) * (c->u * nx + c->v * ny + c->w * nz - vn);
    g.u -= un2 * nx;
    g.v -= un2 * ny;
    g.w -= un2 * nz;
    g.p = p;
    return g;
}

/* Slip wall. Velocity along the normal is mirrored: no flow passes. With wall_order 1 the pressure
 * goes on linearly from c2 and c1; with 2 density and velocity along the wall do so too: on a
 * curved wall they vary along the normal, and an even mirror is a kink that costs an order. Both
 * ghosts lie in line with the cells, so that an upwind flux finds equal states on both sides of the
 * wall. Where the step from c2 to c1 is steep (a shock), density and velocity are mirrored. */
AN_INLINE void AN_FN(an_wall_slip)(const struct AN_FN(an_cell) * c1,
                                   const struct AN_FN(an_cell) * c2, real nx, real ny, real nz,
                                   real vn, const struct AN_FN(an_prm) * prm,
                                   struct AN_FN(an_cell) * g1, struct AN_FN(an_cell) * g2)
{
    const real half = AN_R(0.5), two = AN_R(2.0), least = AN_R(0.25);
    real dp = c1->p - c2->p, dr = c1->rho - c2->rho;
    int steep = (AN_FABS(dp) > half * c1->p) | (AN_FABS(dr) > half * c1->rho);
    dp = prm->flux.wall_order != AN_WALL_ORDER_NOTHING ? AN_MIN(AN_MAX(dp, -half * c1->p), c1->p)
                                                       : AN_R(0.0);
    real p2 = AN_MAX(c1->p + two * dp, least * c1->p);
    *g1 = AN_FN(an_mirror)(c1, c1->p + dp, nx, ny, nz, vn);
    *g2 = AN_FN(an_mirror)(c2, p2, nx, ny, nz, vn);
    if (prm->fluid.viscosity !=
        AN_VISCOSITY_NONE) { /* no friction, no heat: equal temperature and velocity on both sides */
        g1->rho = c1->rho * (g1->p / c1->p);
        g2->rho = c2->rho * (g2->p / c2->p);
        return;
    }
    if (steep || prm->flux.wall_order != AN_WALL_ORDER_STATE)
        return;
    real un1 = c1->u * nx + c1->v * ny + c1->w * nz - vn;
    real un2 = c2->u * nx + c2->v * ny + c2->w * nz - vn;
    /* differences along the wall; g1 is the mirror of c1 and these, g2 of c1, twice these, and -un2
     */
    real du = (c1->u - c2->u) - (un1 - un2) * nx;
    real dv = (c1->v - c2->v) - (un1 - un2) * ny;
    real dw = (c1->w - c2->w) - (un1 - un2) * nz;
    g1->rho += dr;
    g1->u += du;
    g1->v += dv;
    g1->w += dw;
    g2->rho = AN_MAX(c1->rho + two * dr, least * c1->rho);
    g2->u = c1->u - (un1 + un2) * nx + two * du;
    g2->v = c1->v - (un1 + un2) * ny + two * dv;
    g2->w = c1->w - (un1 + un2) * nz + two * dw;
}

/* The temperature of a viscous wall's first ghost, d metres from the cell's temperature t; p: the
 * pressure of both. */
AN_INLINE real AN_FN(an_wall_temperature)(const struct AN_FN(an_bc) * bc, real t, real p, real d,
                                          const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    real ghost = t;
    if (bc->v[AN_BC_HEAT_KIND] == (real)AN_WALL_ISOTHERMAL)
        return AN_MAX(AN_R(2.0) * bc->v[AN_BC_HEAT] - t, AN_R(0.05) * bc->v[AN_BC_HEAT]);
    if (bc->v[AN_BC_HEAT_KIND] == (real)AN_WALL_HEAT_FLUX)
        for (int n = 0; n < 4; n++) { /* conductivity is that of the face: the cells' mean */
            const real cell = AN_FN(an_density_at)(p, t, prm);
            const real other = AN_FN(an_density_at)(p, ghost, prm);
            const real face = half * (cell + other);
            real mu = half * (AN_FN(an_viscosity)(t, cell, p, prm) +
                              AN_FN(an_viscosity)(ghost, other, p, prm));
            const real cp = AN_FN(an_cp_at)(half * (t + ghost), face, p, prm);
            ghost = t + bc->v[AN_BC_HEAT] * d /
                            AN_FN(an_conductivity_at)(cp, face, p, mu, AN_R(0.0), prm);
            ghost = AN_MIN(AN_MAX(ghost, AN_R(0.2) * t), AN_R(5.0) * t);
        }
    return ghost;
}

/* The same with the law of the wall, in a layer l whose friction velocity is u_tau: the difference
 * that drives the right heat through the conductivity of the face. */
AN_INLINE real AN_FN(an_law_temperature)(const struct AN_FN(an_bc) * bc,
                                         const struct AN_FN(an_wall_layer) * l, real u_tau,
                                         const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    const int isothermal = bc->v[AN_BC_HEAT_KIND] == (real)AN_WALL_ISOTHERMAL;
    const struct AN_FN(an_wall_heating) h = AN_FN(an_wall_heating_of)(l, u_tau, prm);
    real ghost = isothermal ? AN_R(2.0) * bc->v[AN_BC_HEAT] - l->t : l->t;
    for (int n = 0; n < 4; n++) {
        ghost = AN_MIN(AN_MAX(ghost, AN_R(0.2) * l->t), AN_R(5.0) * l->t);
        const real other = AN_FN(an_density_at)(l->p, ghost, prm), face = half * (l->rho + other);
        real mu = half * (l->mu + AN_FN(an_viscosity)(ghost, other, l->p, prm));
        const real cp = AN_FN(an_cp_at)(half * (l->t + ghost), face, l->p, prm);
        real conductivity = AN_FN(an_conductivity_at)(cp, face, l->p, mu,
                                                      AN_FN(an_wall_eddy)(l, u_tau, mu, prm), prm);
        real heat = bc->v[AN_BC_HEAT];
        if (isothermal)
            heat = (bc->v[AN_BC_HEAT] - l->t - h.rise) /
                   AN_FN(an_wall_resistance)(&h, l->y, conductivity);
        ghost = l->t + AN_R(2.0) * l->y * heat / conductivity;
    }
    return AN_MIN(AN_MAX(ghost, AN_R(0.2) * l->t), AN_R(5.0) * l->t);
}

/* Viscous wall: the mean of ghost and cell has the wall's velocity, whose part along the normal is
 * that of the face: no flow passes. Pressure as on slip walls. d: metres from cell to ghost, for
 * walls that are not adiabatic; y, z: where the wall is. */
AN_INLINE void AN_FN(an_wall_viscous)(const struct AN_FN(an_bc) * bc,
                                      const struct AN_FN(an_cell) * c1,
                                      const struct AN_FN(an_cell) * c2, real nx, real ny, real nz,
                                      real vn, real d, real y, real z,
                                      const struct AN_FN(an_prm) * prm, struct AN_FN(an_cell) * g1,
                                      struct AN_FN(an_cell) * g2)
{
    const real half = AN_R(0.5), two = AN_R(2.0), least = AN_R(0.25);
    real u = bc->v[AN_BC_WALL_VELOCITY],
         v = bc->v[AN_BC_WALL_VELOCITY + 1] - bc->v[AN_BC_WALL_OMEGA] * z,
         w = bc->v[AN_BC_WALL_VELOCITY + 2] + bc->v[AN_BC_WALL_OMEGA] * y;
    real un = u * nx + v * ny + w * nz - vn;
    u -= un * nx;
    v -= un * ny;
    w -= un * nz;
    real dp = c1->p - c2->p;
    dp = prm->flux.wall_order != AN_WALL_ORDER_NOTHING ? AN_MIN(AN_MAX(dp, -half * c1->p), c1->p)
                                                       : AN_R(0.0);
    real t1 = AN_FN(an_temperature_at)(c1->rho, c1->p, prm);
    real t2 = AN_FN(an_temperature_at)(c2->rho, c2->p, prm);
    real o1 = AN_FN(an_wall_temperature)(bc, t1, c1->p, d, prm), o2 = o1;
    if (bc->v[AN_BC_HEAT_KIND] == (real)AN_WALL_ADIABATIC)
        o2 = t2;
    if (bc->v[AN_BC_HEAT_KIND] == (real)AN_WALL_ISOTHERMAL)
        o2 = AN_FN(an_wall_temperature)(bc, t2, c2->p, d, prm);
    g1->p = c1->p + dp;
    g1->u = two * u - c1->u;
    g1->v = two * v - c1->v;
    g1->w = two * w - c1->w;
    g1->H = AN_R(0.0);
    if (prm->turb.wall_function && bc->v[AN_BC_HEAT_KIND] != (real)AN_WALL_ADIABATIC) {
        const struct AN_FN(an_wall_layer) l =
            AN_FN(an_wall_layer_of)(c1, g1, nx, ny, nz, d, bc->v[AN_BC_ROUGHNESS], prm);
        const real u_tau = AN_FN(an_wall_friction)(&l, prm);
        if (u_tau > AN_R(0.0))
            o1 = o2 = AN_FN(an_law_temperature)(bc, &l, u_tau, prm);
    }
    g1->rho = AN_FN(an_density_at)(g1->p, o1, prm);
    g2->p = AN_MAX(c1->p + two * dp, least * c1->p);
    g2->rho = AN_FN(an_density_at)(g2->p, o2, prm);
    g2->u = two * u - c2->u;
    g2->v = two * v - c2->v;
    g2->w = two * w - c2->w;
    g2->H = AN_R(0.0);
}

/* The ghost's gradients o (GRAD) from the cell's g, n the normal. The mean with the cell's is on a
 * viscous wall the wall's own along the face (zero, or its rotation), and for the temperature zero
 * along or across; on a mirror that of a mirrored flow; elsewhere the cell's. */
AN_INLINE void AN_FN(an_boundary_gradient)(const struct AN_FN(an_bc) * bc, const real g[12],
                                           const real n[3], real o[12])
{
    const real two = AN_R(2.0);
    const int wall = bc->type == AN_BC_WALL_VISCOUS;
    if (!wall && bc->type != AN_BC_WALL_SLIP && bc->type != AN_BC_SYMMETRY) {
        for (int m = 0; m < 12; m++)
            o[m] = g[m];
        return;
    }
    real across[4]; /* derivatives along n */
    for (int c = 0; c < 4; c++)
        across[c] = g[3 * c] * n[0] + g[3 * c + 1] * n[1] + g[3 * c + 2] * n[2];
    const int even = !wall || bc->v[AN_BC_HEAT_KIND] != (real)AN_WALL_ISOTHERMAL;
    for (int d = 0; d < 3; d++)
        o[9 + d] = even ? g[9 + d] - two * across[3] * n[d] : two * across[3] * n[d] - g[9 + d];
    if (wall) {
        /* d v / d z = -omega, d w / d y = omega, their parts along the wall */
        const real v = -bc->v[AN_BC_WALL_OMEGA] * n[2], w = bc->v[AN_BC_WALL_OMEGA] * n[1];
        for (int d = 0; d < 3; d++) {
            o[d] = two * across[0] * n[d] - g[d];
            o[3 + d] = two * (across[1] - v) * n[d] - g[3 + d];
            o[6 + d] = two * (across[2] - w) * n[d] - g[6 + d];
        }
        o[5] -= two * bc->v[AN_BC_WALL_OMEGA];
        o[7] += two * bc->v[AN_BC_WALL_OMEGA];
        return;
    }
    real of_normal[3]; /* gradient of the velocity along n */
    for (int d = 0; d < 3; d++)
        of_normal[d] = n[0] * g[d] + n[1] * g[3 + d] + n[2] * g[6 + d];
    real both = of_normal[0] * n[0] + of_normal[1] * n[1] + of_normal[2] * n[2];
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++)
            o[3 * c + d] = g[3 * c + d] - two * (n[c] * of_normal[d] + across[c] * n[d]) +
                           two * two * both * n[c] * n[d];
}

/* What leaves: the state c1 + ahead (c1 - c2), where a difference of more than a fifth of the state counts
 * as a fifth. */
AN_INLINE struct AN_FN(an_cell) AN_FN(an_leaving)(const struct AN_FN(an_cell) * c1,
                                                  const struct AN_FN(an_cell) * c2, real ahead)
{
    struct AN_FN(an_cell) f = *c1;
    if (ahead == AN_R(0.0))
        return f;
    const real part = AN_R(0.2), speed = part * AN_SQRT(c1->p / c1->rho);
    const real rho = part * c1->rho, p = part * c1->p;
    f.rho += AN_MIN(AN_MAX(ahead * (c1->rho - c2->rho), -rho), rho);
    f.u += AN_MIN(AN_MAX(ahead * (c1->u - c2->u), -speed), speed);
    f.v += AN_MIN(AN_MAX(ahead * (c1->v - c2->v), -speed), speed);
    f.w += AN_MIN(AN_MAX(ahead * (c1->w - c2->w), -speed), speed);
    f.p += AN_MIN(AN_MAX(ahead * (c1->p - c2->p), -p), p);
    return f;
}

/* Far field of the preconditioned equations (low_mach.h). Along the normal the waves of the speeds u' +- c' carry
 * p +- rho (c' +- a w_n) u_n. The wave that leaves has the value of the cell, the wave that enters that of the far
 * field; entropy and tangential velocity come from the side from which the gas comes. The Riemann invariants of sound
 * (an_farfield) would hold the velocity on the boundary nearly fixed and reflect the waves of the march. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_farfield_slow)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz, real vn,
                            const real *v, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) f;
    const struct AN_FN(an_cell) far = AN_FN(an_far_state)(v);
    const real c = AN_FN(an_sound_speed)(far.rho, far.p, prm), c2 = c * c;
    const real un = c1->u * nx + c1->v * ny + c1->w * nz - vn;
    const real un_inf = far.u * nx + far.v * ny + far.w * nz - vn;
    const struct AN_FN(an_slow) t =
        AN_FN(an_slow_waves)(un_inf, far.u * far.u + far.v * far.v + far.w * far.w, c2, prm);
    const real out = far.rho * (t.c + t.turn), in = far.rho * (t.c - t.turn);
    const real unf = (c1->p - far.p + out * un + in * un_inf) / (out + in);
    const int leaves = unf > AN_R(0.0);
    const struct AN_FN(an_cell) from = leaves ? *c1 : far;
    f.p = AN_MAX(c1->p - out * (unf - un), AN_R(0.25) * from.p);
    f.rho = AN_MAX(from.rho + (f.p - from.p) / c2, AN_R(0.25) * far.rho);
    AN_FN(an_set_normal)(&from, leaves ? un : un_inf, unf, nx, ny, nz, &f);
    f.H = AN_R(0.0);
    return f;
}

/* Both ghosts (rho, u, v, w, p; H is not set) of all boundaries but viscous walls. Where the waves that leave are
 * extrapolated to the face, both ghosts lie on the line through cell and face: with equal ghosts the dissipation of the
 * fourth order at the face would have the wrong sign and excite entropy and vorticity there. */
AN_INLINE void AN_FN(an_boundary_ghosts)(const struct AN_FN(an_bc) * bc,
                                         const struct AN_FN(an_cell) * c1,
                                         const struct AN_FN(an_cell) * c2, real nx, real ny,
                                         real nz, real vn, const struct AN_FN(an_prm) * prm,
                                         struct AN_FN(an_cell) * g1, struct AN_FN(an_cell) * g2)
{
    struct AN_FN(an_cell) f, out;
    real ahead = AN_R(0.0);
    switch (bc->type) {
    case AN_BC_WALL_SLIP:
        AN_FN(an_wall_slip)(c1, c2, nx, ny, nz, vn, prm, g1, g2);
        return;
    case AN_BC_INLET_TOTAL:
        f = AN_FN(an_inlet_total)(c1, nx, ny, nz, bc->v, prm);
        break;
    case AN_BC_OUTLET_STATIC:
        ahead = bc->v[AN_BC_AHEAD];
        out = AN_FN(an_leaving)(c1, c2, ahead);
        f = AN_FN(an_outlet_static)(&out, nx, ny, nz, vn, bc->v, prm);
        break;
    case AN_BC_FARFIELD:
    case AN_BC_MIXING_PLANE:
        ahead = bc->v[AN_BC_AHEAD];
        out = AN_FN(an_leaving)(c1, c2, ahead);
        f = prm->flux.precondition && bc->type == AN_BC_FARFIELD
                ? AN_FN(an_farfield_slow)(&out, nx, ny, nz, vn, bc->v, prm)
                : AN_FN(an_farfield)(&out, nx, ny, nz, vn, bc->v, prm);
        break;
    case AN_BC_INLET_SUPERSONIC:
        f = AN_FN(an_far_state)(bc->v);
        *g1 = AN_FN(an_ghost_of_face)(&f, c1);
        *g2 = AN_FN(an_ghost_of_face)(g1, c1); /* in line: an upwind flux finds f outside */
        return;
    case AN_BC_SLIDING_PLANE: /* slide_ghost.stencil overwrites both ghosts, */
    case AN_BC_ABUTTING:      /* abut_ghost.stencil those of this one */
    case AN_BC_OUTLET_SUPERSONIC: {
        /* linear from c2 and c1; what does not leave faster than sound takes the cell's state */
        real un = c1->u * nx + c1->v * ny + c1->w * nz - vn;
        real e = un >= AN_FN(an_sound_speed)(c1->rho, c1->p, prm) ? AN_R(0.5) : AN_R(0.0);
        f.rho = AN_MAX(c1->rho + e * (c1->rho - c2->rho), AN_R(0.5) * c1->rho);
        f.u = c1->u + e * (c1->u - c2->u);
        f.v = c1->v + e * (c1->v - c2->v);
        f.w = c1->w + e * (c1->w - c2->w);
        f.p = AN_MAX(c1->p + e * (c1->p - c2->p), AN_R(0.5) * c1->p);
        f.H = AN_R(0.0);
        break;
    }
    default: /* symmetry */
        *g1 = AN_FN(an_mirror)(c1, c1->p, nx, ny, nz, vn);
        *g2 = AN_FN(an_mirror)(c2, c2->p, nx, ny, nz, vn);
        return;
    }
    *g1 = AN_FN(an_ghost_of_face)(&f, c1);
    *g2 = ahead == AN_R(0.0) ? *g1 : AN_FN(an_ghost_of_face)(g1, c1);
}

/* Does the boundary let no flow through? Then its ghost radius closes the face to dissipation. */
AN_INLINE int AN_FN(an_bc_closed)(int type)
{
    return type == AN_BC_WALL_SLIP || type == AN_BC_WALL_VISCOUS || type == AN_BC_SYMMETRY;
}

#endif
