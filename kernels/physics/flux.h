/* Fluxes through one face, direction-free: pass the cells left to right along the direction.
 *
 *        l2    l1  |  r1    r2            s: area vector, from l1 to r1
 *                 face
 *
 * A flux is [rho u.s, rho u (u.s) + (p - p_ref) s, rho H u.s]. The pressure p_ref cancels over a
 * closed cell; leaving it out keeps digits in single precision.
 *
 * Blocks that turn (rotating = 1): the state stays that of the absolute motion, the face moves and
 * sweeps g = integral of (omega x r).ds (face_sweep.stencil):
 *     [m, m u + (p - p_ref) s, m H + (p - p_ref) g],  m = rho (u.s - g);
 * eigenvalues are those of u_n - g / |s|. `turns` is a constant where it is called: fluxes of runs
 * without rotation pay nothing and keep their bits.
 */
#ifndef AN_FLUX_H
#define AN_FLUX_H

#include "kernels/physics/low_mach.h"

/* Central flux from averaged primitive variables: rho u p averaged, then the flux (kinetic-energy
 * preserving form: Jameson, J. Sci. Comput. 34, 2008). Constant total enthalpy stays constant. A
 * wall's mirrored ghost gives zero mass flux. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_flux_central)(const struct AN_FN(an_cell) * l1, const struct AN_FN(an_cell) * r1,
                           real sx, real sy, real sz, const int rotating, real g,
                           const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    struct AN_FN(an_five) f;
    real u = half * (l1->u + r1->u);
    real v = half * (l1->v + r1->v);
    real w = half * (l1->w + r1->w);
    real p = half * (l1->p + r1->p) - prm->flux.p_ref;
    real flow = AN_FMA(w, sz, AN_FMA(v, sy, u * sx));
    if (rotating)
        flow -= g;
    f.m = half * (l1->rho + r1->rho) * flow;
    f.x = AN_FMA(f.m, u, p * sx);
    f.y = AN_FMA(f.m, v, p * sy);
    f.z = AN_FMA(f.m, w, p * sz);
    f.e = f.m * (half * (l1->H + r1->H));
    if (rotating)
        f.e = AN_FMA(p, g, f.e);
    return f;
}

/* One term of the kinetic-energy-preserving flux: arithmetic means of a pair of cells, rho flow
 * [1, u, v, w, H], flow = (u.s - g), and in p the mean of the pressure less p_ref. */
struct AN_FN(an_pair) {
    real m, x, y, z, e, p;
};

AN_INLINE struct AN_FN(an_pair)
    AN_FN(an_flux_pair)(const struct AN_FN(an_cell) * a, const struct AN_FN(an_cell) * b, real sx,
                        real sy, real sz, const int rotating, real g,
                        const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    struct AN_FN(an_pair) f;
    const real u = half * (a->u + b->u), v = half * (a->v + b->v), w = half * (a->w + b->w);
    real flow = AN_FMA(w, sz, AN_FMA(v, sy, u * sx));
    if (rotating)
        flow -= g;
    f.p = half * (a->p + b->p) - prm->flux.p_ref;
    f.m = half * (a->rho + b->rho) * flow;
    f.x = f.m * u;
    f.y = f.m * v;
    f.z = f.m * w;
    f.e = f.m * (half * (a->H + b->H));
    return f;
}

/* Kinetic-energy-preserving flux of fourth order (Kennedy and Gruber, JCP 227, 2008; Pirozzoli, JCP
 * 229, 2010, eq. 33 with L = 2): with the pairs f(a, b) of an_flux_pair
 *
 *     F = 4/3 f(l1, r1) - 1/6 [f(l1, r2) + f(l2, r1)]
 *
 * Convection moves kinetic energy between cells and makes none, for each pair appears in two faces with
 * one weight: exactly so where a direction's areas do not change along it, as on Cartesian meshes.
 * The difference of two faces is the derivative to fourth order on uniform meshes, to second order on smooth ones;
 * weights sum to one, so uniform flow stays uniform on any mesh. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_flux_kep)(const struct AN_FN(an_cell) * l2, const struct AN_FN(an_cell) * l1,
                       const struct AN_FN(an_cell) * r1, const struct AN_FN(an_cell) * r2, real sx,
                       real sy, real sz, const int rotating, real g,
                       const struct AN_FN(an_prm) * prm)
{
    const real near = AN_R(1.3333333333333333), far = AN_R(-0.16666666666666667);
    const struct AN_FN(an_pair) a = AN_FN(an_flux_pair)(l1, r1, sx, sy, sz, rotating, g, prm);
    const struct AN_FN(an_pair) b = AN_FN(an_flux_pair)(l2, r1, sx, sy, sz, rotating, g, prm);
    const struct AN_FN(an_pair) c = AN_FN(an_flux_pair)(l1, r2, sx, sy, sz, rotating, g, prm);
    const real mean = AN_FMA(far, b.p + c.p, near * a.p);
    struct AN_FN(an_five) f;
    f.m = AN_FMA(far, b.m + c.m, near * a.m);
    f.x = AN_FMA(mean, sx, AN_FMA(far, b.x + c.x, near * a.x));
    f.y = AN_FMA(mean, sy, AN_FMA(far, b.y + c.y, near * a.y));
    f.z = AN_FMA(mean, sz, AN_FMA(far, b.z + c.z, near * a.z));
    f.e = AN_FMA(far, b.e + c.e, near * a.e);
    if (rotating)
        f.e = AN_FMA(mean, g, f.e);
    return f;
}

/* Second difference of the pressure over its sum: the shock sensor, 0 in smooth flow, <= 1. */
AN_INLINE real AN_FN(an_sensor)(real pm, real p, real pp, const struct AN_FN(an_prm) * prm)
{
    return AN_FABS(AN_FMA(AN_R(-2.0), p, pp) + pm) /
           (AN_FMA(AN_R(2.0), p, pp) + pm + prm->flux.sensor_floor);
}

/* The sensor of a face from those of its two cells. */
AN_INLINE real AN_FN(an_sensor_join)(real left, real right, const struct AN_FN(an_prm) * prm)
{
    return AN_MAX(AN_MAX(left, right), prm->flux.sensor_least);
}

/* The same from four cells. */
AN_INLINE real AN_FN(an_face_sensor)(const struct AN_FN(an_cell) * l2,
                                     const struct AN_FN(an_cell) * l1,
                                     const struct AN_FN(an_cell) * r1,
                                     const struct AN_FN(an_cell) * r2,
                                     const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_sensor_join)(AN_FN(an_sensor)(l2->p, l1->p, r1->p, prm),
                                 AN_FN(an_sensor)(l1->p, r1->p, r2->p, prm), prm);
}

/* Largest eigenvalue of JST's differences over the scaled radius: 4 e2 + 16 e4. */
AN_INLINE real AN_FN(an_damping)(real sensor, const struct AN_FN(an_prm) * prm)
{
    real e2 = prm->flux.k2 * AN_MAX(sensor, prm->flux.sensor_least);
    return AN_R(4.0) * e2 + AN_R(16.0) * AN_MAX(AN_R(0.0), prm->flux.k4 - e2);
}

/* One component of JST: e2 (r1 - l1) - e4 (r2 - 3 r1 + 3 l1 - l2). */
AN_INLINE real AN_FN(an_jst_term)(real e2, real e4, real l2, real l1, real r1, real r2)
{
    real d1 = r1 - l1;
    return AN_FMA(-e4, AN_FMA(AN_R(-3.0), d1, r2 - l2), e2 * d1);
}

/* JST scalar dissipation (Jameson, Schmidt, Turkel, AIAA 81-1259) on rho, rho u, rho H: what is
 * SUBTRACTED from the central flux. lam_l, lam_r: scaled spectral radii of l1 and r1
 * (timestep.stencil); a wall's ghost carries minus its cell's radius, so that no dissipation
 * passes. sensor: an_face_sensor. At low Mach numbers the differences of q = [rho, rho u, rho H] are replaced by those
 * of z q + (1 - z) [1, u, H] p/c^2 (preconditioned: 1/z - z in place of 1 - z), with z = an_low_mach_part: [1, u, H]
 * dp/c^2 is the jump of q that belongs to a jump dp of the pressure in a gas of uniform total enthalpy. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_dissipation_jst)(const struct AN_FN(an_cell) * l2, const struct AN_FN(an_cell) * l1,
                              const struct AN_FN(an_cell) * r1, const struct AN_FN(an_cell) * r2,
                              real lam_l, real lam_r, real sensor, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_five) d;
    real lam = AN_R(0.5) * (lam_l + lam_r);
    real e2 = prm->flux.k2 * sensor;
    real e4 = AN_MAX(AN_R(0.0), prm->flux.k4 - e2) * lam;
    e2 = e2 * lam;
    d.m = AN_FN(an_jst_term)(e2, e4, l2->rho, l1->rho, r1->rho, r2->rho);
    d.x = AN_FN(an_jst_term)(e2, e4, l2->rho * l2->u, l1->rho * l1->u, r1->rho * r1->u,
                             r2->rho * r2->u);
    d.y = AN_FN(an_jst_term)(e2, e4, l2->rho * l2->v, l1->rho * l1->v, r1->rho * r1->v,
                             r2->rho * r2->v);
    d.z = AN_FN(an_jst_term)(e2, e4, l2->rho * l2->w, l1->rho * l1->w, r1->rho * r1->w,
                             r2->rho * r2->w);
    d.e = AN_FN(an_jst_term)(e2, e4, l2->rho * l2->H, l1->rho * l1->H, r1->rho * r1->H,
                             r2->rho * r2->H);
    if (prm->flux.low_mach > AN_R(0.0)) {
        const real half = AN_R(0.5);
        const real u = half * (l1->u + r1->u), v = half * (l1->v + r1->v);
        const real w = half * (l1->w + r1->w), h = half * (l1->H + r1->H);
        const real speed2 = u * u + v * v + w * w;
        const real c2 = AN_FN(an_cell_acoustics_mean)(l1, r1, h, half * speed2, prm).c2;
        const real z = AN_FN(an_low_mach_part)(speed2, c2, prm);
        const real whole = prm->flux.precondition ? AN_R(1.0) / z : AN_R(1.0);
        const real p = (whole - z) / c2 * AN_FN(an_jst_term)(e2, e4, l2->p, l1->p, r1->p, r2->p);
        d.m = AN_FMA(z, d.m, p);
        d.x = AN_FMA(z, d.x, p * u);
        d.y = AN_FMA(z, d.y, p * v);
        d.z = AN_FMA(z, d.z, p * w);
        d.e = AN_FMA(z, d.e, p * h);
    }
    return d;
}

/* Matrix dissipation (Swanson and Turkel, JCP 101, 1992): JST's differences of the conserved state,
 * multiplied by |A| of the mean state instead of its spectral radius, so that each wave gets what
 * it needs and boundary layers stay clean. With k4 = 0 and e2 = 1/2 it is Roe's first-order flux
 * (with the arithmetic mean), which coarse multigrid levels use. Eigenvalues are kept above
 * fractions of |u_n| + c. open: 0 on a face that lets no flow through, else 1. sensor:
 * an_face_sensor; rotating, g: of the face. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_dissipation_matrix)(const struct AN_FN(an_cell) * l2, const struct AN_FN(an_cell) * l1,
                                 const struct AN_FN(an_cell) * r1, const struct AN_FN(an_cell) * r2,
                                 real sx, real sy, real sz, real open, real sensor,
                                 const int rotating, real g, const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    real e2 = AN_MIN(prm->flux.k2 * sensor, half);
    real e4 = AN_MAX(AN_R(0.0), prm->flux.k4 - e2);
    const real d0 = AN_FN(an_jst_term)(e2, e4, l2->rho, l1->rho, r1->rho, r2->rho);
    const real d1 = AN_FN(an_jst_term)(e2, e4, l2->rho * l2->u, l1->rho * l1->u, r1->rho * r1->u,
                                       r2->rho * r2->u);
    const real d2 = AN_FN(an_jst_term)(e2, e4, l2->rho * l2->v, l1->rho * l1->v, r1->rho * r1->v,
                                       r2->rho * r2->v);
    const real d3 = AN_FN(an_jst_term)(e2, e4, l2->rho * l2->w, l1->rho * l1->w, r1->rho * r1->w,
                                       r2->rho * r2->w);
    const real d4 = AN_FN(an_jst_term)(e2, e4, l2->rho * l2->H - l2->p, l1->rho * l1->H - l1->p,
                                       r1->rho * r1->H - r1->p, r2->rho * r2->H - r2->p);
    real area = AN_SQRT(sx * sx + sy * sy + sz * sz);
    real inverse = area > AN_R(0.0) ? AN_R(1.0) / area : AN_R(0.0);
    real nx = sx * inverse, ny = sy * inverse, nz = sz * inverse;
    real u = half * (l1->u + r1->u), v = half * (l1->v + r1->v), w = half * (l1->w + r1->w);
    real h = half * (l1->H + r1->H), q2 = half * (u * u + v * v + w * w);
    const struct AN_FN(an_acoustics) gas = AN_FN(an_cell_acoustics_mean)(l1, r1, h, q2, prm);
    const real g1 = gas.kappa;
    real c2 = gas.c2;
    real c = AN_SQRT(c2), un = u * nx + v * ny + w * nz;
    real wn = rotating ? un - g * inverse : un; /* from the face */
    real radius = AN_FABS(wn) + c;
    real lam1 = AN_MAX(AN_FABS(wn + c), prm->flux.floor_acoustic * radius);
    real lam2 = AN_MAX(AN_FABS(wn - c), prm->flux.floor_acoustic * radius);
    const real part = prm->flux.low_mach > AN_R(0.0)
                          ? AN_FN(an_low_mach_part)(AN_R(2.0) * q2, c2, prm)
                          : AN_R(1.0);
    real lam3 = AN_MAX(AN_FABS(wn), prm->flux.floor_shear * radius * part);
    /* |A| d = lam3 d + a6 [1, u, H] + a7 [0, n, u_n] (closed form) */
    real mean = half * (lam1 + lam2) - lam3, skew = half * (lam1 - lam2);
    real dp = AN_FN(an_add_chi)(g1 * (q2 * d0 - u * d1 - v * d2 - w * d3 + d4), &gas, d0);
    real dm = nx * d1 + ny * d2 + nz * d3 - un * d0;
    const real jump = dm;
    dm *= part;
    real a6 = mean * dp / c2 + skew * dm / c, a7 = skew * dp / c + mean * dm;
    if (prm->flux.precondition) {
        const struct AN_FN(an_slow) t = AN_FN(an_slow_waves)(wn, AN_R(2.0) * q2, c2, prm);
        const real slow = AN_FABS(t.u) + t.c, floor = prm->flux.floor_acoustic * slow;
        const real plus = AN_MAX(AN_FABS(t.u + t.c), floor);
        const real minus = AN_MAX(AN_FABS(t.u - t.c), floor);
        const real sum = half * (plus + minus), ratio = half * (plus - minus) / t.c;
        lam3 = AN_MAX(AN_FABS(wn), prm->flux.floor_shear * slow);
        a6 = ratio * jump + ((sum - t.turn * ratio) / t.ur2 - lam3 / c2) * dp;
        a7 = ratio * dp + (sum + t.turn * ratio - lam3) * jump;
    }
    area = area * open;
    struct AN_FN(an_five) d;
    d.m = area * (lam3 * d0 + a6);
    d.x = area * (lam3 * d1 + a6 * u + a7 * nx);
    d.y = area * (lam3 * d2 + a6 * v + a7 * ny);
    d.z = area * (lam3 * d3 + a6 * w + a7 * nz);
    d.e = area * (lam3 * d4 + a6 * h + a7 * un);
    return d;
}

/* MUSCL, kappa = 1/3 (CFL3D manual, app. C): the step from a cell to its face, from the difference
 * `to` across the face and the difference `away` on the cell's other side; sl: the limiter's
 * factor. */
AN_INLINE real AN_FN(an_muscl_step)(real away, real to, real sl)
{
    const real kappa = AN_R(0.33333333333333333);
    return AN_R(0.25) * sl *
           AN_FMA(AN_FMA(kappa, sl, AN_R(1.0)), to, AN_FMA(-kappa, sl, AN_R(1.0)) * away);
}

/* Van Albada's factor from a.b and a^2 + b^2 of the two differences. floor: (small difference of
 * the quantity)^2. */
AN_INLINE real AN_FN(an_limit)(real product, real squares, real floor, int limiter)
{
    if (limiter == AN_LIMITER_VAN_ALBADA)
        return AN_MAX(AN_FMA(AN_R(2.0), product, floor) / (squares + floor), AN_R(0.0));
    return limiter == AN_LIMITER_FIRST_ORDER ? AN_R(0.0) : AN_R(1.0);
}

/* The values on both sides of the face from four cells. */
AN_INLINE void AN_FN(an_muscl)(real q0, real q1, real q2, real q3, real floor, int limiter,
                               real *left, real *right)
{
    real a = q1 - q0, b = q2 - q1, c = q3 - q2;
    *left = q1 +
            AN_FN(an_muscl_step)(a, b, AN_FN(an_limit)(a * b, AN_FMA(a, a, b * b), floor, limiter));
    *right = q2 - AN_FN(an_muscl_step)(c, b,
                                       AN_FN(an_limit)(b * c, AN_FMA(c, c, b * b), floor, limiter));
}

/* The factor of the velocity, from vectors of differences: one for the three components, so that
 * the scheme knows no directions of space. Mirrored ghosts give mirrored face values: no mass
 * passes a wall. */
AN_INLINE real AN_FN(an_limit_velocity)(const real a[3], const real b[3],
                                        const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_limit)(AN_FMA(a[2], b[2], AN_FMA(a[1], b[1], a[0] * b[0])),
                           AN_FMA(a[2], a[2], AN_FMA(a[1], a[1], a[0] * a[0])) +
                               AN_FMA(b[2], b[2], AN_FMA(b[1], b[1], b[0] * b[0])),
                           prm->flux.floor_u, prm->flux.limiter);
}

/* |lambda|, rounded off below delta (Harten). */
AN_INLINE real AN_FN(an_entropy_fix)(real lambda, real delta)
{
    real a = AN_FABS(lambda);
    return a < delta ? AN_R(0.5) * (lambda * lambda / delta + delta) : a;
}

/* A state beside a face. */
struct AN_FN(an_side) {
    real rho, u, v, w, p;
};

/* The states left and right of a face, with MUSCL and the limiter; one that is not physical falls back to its
 * cell's. */
AN_INLINE void AN_FN(an_face_states)(const struct AN_FN(an_cell) * l2,
                                     const struct AN_FN(an_cell) * l1,
                                     const struct AN_FN(an_cell) * r1,
                                     const struct AN_FN(an_cell) * r2,
                                     const struct AN_FN(an_prm) * prm, struct AN_FN(an_side) * left,
                                     struct AN_FN(an_side) * right)
{
    real rl, ul, vl, wl, pl, rr, ur, vr, wr, pr;
    AN_FN(an_muscl)
    (l2->rho, l1->rho, r1->rho, r2->rho, prm->flux.floor_rho, prm->flux.limiter, &rl, &rr);
    const real a[3] = {l1->u - l2->u, l1->v - l2->v, l1->w - l2->w};
    const real b[3] = {r1->u - l1->u, r1->v - l1->v, r1->w - l1->w};
    const real d[3] = {r2->u - r1->u, r2->v - r1->v, r2->w - r1->w};
    const real sl = AN_FN(an_limit_velocity)(a, b, prm), sr = AN_FN(an_limit_velocity)(d, b, prm);
    ul = l1->u + AN_FN(an_muscl_step)(a[0], b[0], sl);
    vl = l1->v + AN_FN(an_muscl_step)(a[1], b[1], sl);
    wl = l1->w + AN_FN(an_muscl_step)(a[2], b[2], sl);
    ur = r1->u - AN_FN(an_muscl_step)(d[0], b[0], sr);
    vr = r1->v - AN_FN(an_muscl_step)(d[1], b[1], sr);
    wr = r1->w - AN_FN(an_muscl_step)(d[2], b[2], sr);
    AN_FN(an_muscl)(l2->p, l1->p, r1->p, r2->p, prm->flux.floor_p, prm->flux.limiter, &pl, &pr);
    int left_bad = !(rl > AN_R(0.0)) | !(pl > AN_R(0.0));
    int right_bad = !(rr > AN_R(0.0)) | !(pr > AN_R(0.0));
    left->rho = left_bad ? l1->rho : rl;
    left->u = left_bad ? l1->u : ul;
    left->v = left_bad ? l1->v : vl;
    left->w = left_bad ? l1->w : wl;
    left->p = left_bad ? l1->p : pl;
    right->rho = right_bad ? r1->rho : rr;
    right->u = right_bad ? r1->u : ur;
    right->v = right_bad ? r1->v : vr;
    right->w = right_bad ? r1->w : wr;
    right->p = right_bad ? r1->p : pr;
}

/* Roe's flux (JCP 43, 1981) of the states left and right of the face, with Harten's entropy fix on
 * the acoustic waves. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_flux_roe)(const struct AN_FN(an_cell) * l2, const struct AN_FN(an_cell) * l1,
                       const struct AN_FN(an_cell) * r1, const struct AN_FN(an_cell) * r2, real sx,
                       real sy, real sz, const int rotating, real g,
                       const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    struct AN_FN(an_side) left, right;
    AN_FN(an_face_states)(l2, l1, r1, r2, prm, &left, &right);
    const real rl = left.rho, ul = left.u, vl = left.v, wl = left.w, pl = left.p;
    const real rr = right.rho, ur = right.u, vr = right.v, wr = right.w, pr = right.p;
    real hl = AN_FN(an_face_enthalpy)(l1, rl, ul, vl, wl, pl, prm);
    real hr = AN_FN(an_face_enthalpy)(r1, rr, ur, vr, wr, pr, prm);

    /* area and unit normal; a collapsed face has no flux */
    real area = AN_SQRT(sx * sx + sy * sy + sz * sz);
    real inverse = area > AN_R(0.0) ? AN_R(1.0) / area : AN_R(0.0);
    real nx = sx * inverse, ny = sy * inverse, nz = sz * inverse;

    /* Roe averages */
    real root_l = AN_SQRT(rl), root_r = AN_SQRT(rr);
    real weight = AN_R(1.0) / (root_l + root_r);
    real rho = root_l * root_r;
    real u = (root_l * ul + root_r * ur) * weight;
    real v = (root_l * vl + root_r * vr) * weight;
    real w = (root_l * wl + root_r * wr) * weight;
    real h = (root_l * hl + root_r * hr) * weight;
    real q2 = half * (u * u + v * v + w * w);
    real dr = rr - rl, dp = pr - pl;
    real de = rr * AN_FN(an_face_internal)(r1, rr, pr, prm) -
              rl * AN_FN(an_face_internal)(l1, rl, pl, prm); /* not used with constant cp */
    real c2 = AN_FN(an_cell_roe_c2)(l1, r1, h - q2, rho, pl, pr, dr, dp, de, prm);
    real c = AN_SQRT(c2);
    real un = u * nx + v * ny + w * nz;
    real unl = ul * nx + vl * ny + wl * nz;
    real unr = ur * nx + vr * ny + wr * nz;

    /* waves, as the face meets them */
    const real vn = rotating ? g * inverse : AN_R(0.0);
    real wn = rotating ? un - vn : un;
    real delta = prm->flux.entropy_fix * (AN_FABS(wn) + c);
    real lam_minus = AN_FN(an_entropy_fix)(wn - c, delta);
    real lam_plus = AN_FN(an_entropy_fix)(wn + c, delta);
    real lam_0 = AN_FABS(wn);
    real dun = unr - unl, low = dun;
    if (prm->flux.low_mach > AN_R(0.0) && !prm->flux.precondition)
        low *= AN_FN(an_low_mach_part)(AN_R(2.0) * q2, c2, prm);
    real a_minus = lam_minus * half * (dp - rho * c * low) / c2;
    real a_plus = lam_plus * half * (dp + rho * c * low) / c2;
    real a_0 = lam_0 * (dr - dp / c2);
    real a_t = lam_0 * rho;
    real du = (ur - ul) - dun * nx, dv = (vr - vl) - dun * ny, dw = (wr - wl) - dun * nz;

    real ml = rl * (rotating ? unl - vn : unl), mr = rr * (rotating ? unr - vn : unr);
    real acoustic = a_minus + a_plus, lift = (a_plus - a_minus) * c;
    if (prm->flux.precondition) {
        const struct AN_FN(an_slow) t = AN_FN(an_slow_waves)(wn, AN_R(2.0) * q2, c2, prm);
        const real slow = prm->flux.entropy_fix * (AN_FABS(t.u) + t.c);
        const real plus = AN_FN(an_entropy_fix)(t.u + t.c, slow);
        const real minus = AN_FN(an_entropy_fix)(t.u - t.c, slow);
        const real mean = half * (plus + minus), ratio = half * (plus - minus) / t.c;
        acoustic = ratio * rho * dun + (mean - t.turn * ratio) * dp / t.ur2;
        lift = ratio * dp + (mean + t.turn * ratio) * rho * dun;
    }
    real sum = acoustic + a_0;
    struct AN_FN(an_five) f;
    real pm = half * (pl + pr) - prm->flux.p_ref;
    f.m = area * half * (ml + mr - sum);
    f.x = area * (half * (ml * ul + mr * ur - (sum * u + lift * nx + a_t * du)) + pm * nx);
    f.y = area * (half * (ml * vl + mr * vr - (sum * v + lift * ny + a_t * dv)) + pm * ny);
    f.z = area * (half * (ml * wl + mr * wr - (sum * w + lift * nz + a_t * dw)) + pm * nz);
    f.e = area * half *
          (ml * hl + mr * hr -
           (acoustic * h + lift * un + AN_FN(an_roe_entropy)(a_0 * q2, lam_0, h - q2, c2, dp, de) +
            a_t * (u * du + v * dv + w * dw)));
    if (rotating)
        f.e += pm * g;
    return f;
}

/* A flux f, but pressure only through a closed face: densities on a viscous wall's two sides
 * differ, and fluxes of four cells would let some through; rounding would through a face that moves. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_flux_close)(struct AN_FN(an_five) f, int closed, const struct AN_FN(an_cell) * l1,
                         const struct AN_FN(an_cell) * r1, real sx, real sy, real sz,
                         const int rotating, real g, const struct AN_FN(an_prm) * prm)
{
    real p = AN_R(0.5) * (l1->p + r1->p) - prm->flux.p_ref;
    f.m = closed ? AN_R(0.0) : f.m;
    f.x = closed ? p * sx : f.x;
    f.y = closed ? p * sy : f.y;
    f.z = closed ? p * sz : f.z;
    f.e = closed ? (rotating ? p * g : AN_R(0.0)) : f.e;
    return f;
}

/* The whole inviscid flux of a scheme (enum an_scheme, with AN_ROTATING or not) through a face whose
 * sensor is known (Roe: not used). g: what the face sweeps, if it turns. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_face_flux_sensed)(int scheme, const struct AN_FN(an_cell) * l2,
                               const struct AN_FN(an_cell) * l1, const struct AN_FN(an_cell) * r1,
                               const struct AN_FN(an_cell) * r2, real sx, real sy, real sz, real g,
                               real lam_l, real lam_r, real sensor,
                               const struct AN_FN(an_prm) * prm)
{
    const int rotating = (scheme & AN_ROTATING) != 0, flux = scheme & (AN_ROTATING - 1);
    struct AN_FN(an_five) f;
    if (flux == AN_SCHEME_ROE) {
        f = AN_FN(an_flux_roe)(l2, l1, r1, r2, sx, sy, sz, rotating, g, prm);
        if (!prm->fluid.viscosity && !rotating)
            return f;
    } else {
        f = flux == AN_SCHEME_KEP ? AN_FN(an_flux_kep)(l2, l1, r1, r2, sx, sy, sz, rotating, g, prm)
                                  : AN_FN(an_flux_central)(l1, r1, sx, sy, sz, rotating, g, prm);
        /* a ghost of a closed boundary carries minus its cell's radius */
        struct AN_FN(an_five) d =
            flux == AN_SCHEME_MATRIX
                ? AN_FN(an_dissipation_matrix)(l2, l1, r1, r2, sx, sy, sz,
                                               lam_l + lam_r > AN_R(0.0) ? AN_R(1.0) : AN_R(0.0),
                                               sensor, rotating, g, prm)
                : AN_FN(an_dissipation_jst)(l2, l1, r1, r2, lam_l, lam_r, sensor, prm);
        f.m -= d.m;
        f.x -= d.x;
        f.y -= d.y;
        f.z -= d.z;
        f.e -= d.e;
        if (!rotating && flux != AN_SCHEME_KEP)
            return f;
    }
    return AN_FN(an_flux_close)(f, lam_l + lam_r == AN_R(0.0), l1, r1, sx, sy, sz, rotating, g,
                                prm);
}

/* The source of the rotation, -rho omega x u times the volume, taken off R: what is added to the y
 * and z components of R. */
AN_INLINE real AN_FN(an_source_y)(real rho, real w, real omega, real volume)
{
    return -(omega * volume) * (rho * w);
}

AN_INLINE real AN_FN(an_source_z)(real rho, real v, real omega, real volume)
{
    return (omega * volume) * (rho * v);
}

/* The same from four cells: what the fused kernels sum. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_face_flux)(int scheme, const struct AN_FN(an_cell) * l2,
                        const struct AN_FN(an_cell) * l1, const struct AN_FN(an_cell) * r1,
                        const struct AN_FN(an_cell) * r2, real sx, real sy, real sz, real g,
                        real lam_l, real lam_r, const struct AN_FN(an_prm) * prm)
{
    const int roe = (scheme & (AN_ROTATING - 1)) == AN_SCHEME_ROE;
    const real sensor = roe ? AN_R(0.0) : AN_FN(an_face_sensor)(l2, l1, r1, r2, prm);
    return AN_FN(an_face_flux_sensed)(scheme, l2, l1, r1, r2, sx, sy, sz, g, lam_l, lam_r, sensor,
                                      prm);
}

#endif
