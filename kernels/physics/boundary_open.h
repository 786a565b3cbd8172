/* What the outlets and far fields of all gases share (boundary.h). */
#ifndef AN_BOUNDARY_OPEN_H
#define AN_BOUNDARY_OPEN_H

/* Pressure on the face of an outlet, Pa, for a cell with the velocity un < c through the face. Non-reflecting: what differs
 * from the mean P, U of the cells comes as outgoing waves only, p' - rho c u' = 0 on the face:
 * p = p_given + ((p1 - P) + rho c (u1 - U)) / 2; the mean has the pressure p_given. */
AN_INLINE real AN_FN(an_outlet_pressure)(const struct AN_FN(an_cell) * c1, real un, real c,
                                         const real *v)
{
    real p = v[AN_BC_P];
    if (v[AN_BC_WAVES] != AN_R(0.0)) {
        p += AN_R(0.5) * (c1->p - v[AN_BC_MEAN_P] + c1->rho * c * (un - v[AN_BC_MEAN_U]));
        p = AN_MAX(p, AN_R(0.25) * c1->p);
    }
    return p;
}

/* The velocity of a cell c and the normal component unf in place of its own, un; f: density and pressure stand. */
AN_INLINE void AN_FN(an_set_normal)(const struct AN_FN(an_cell) * c, real un, real unf, real nx,
                                    real ny, real nz, struct AN_FN(an_cell) * f)
{
    f->u = c->u + (unf - un) * nx;
    f->v = c->v + (unf - un) * ny;
    f->w = c->w + (unf - un) * nz;
}

/* The state outside of a far field: density, velocity, pressure. */
AN_INLINE struct AN_FN(an_cell) AN_FN(an_far_state)(const real *v)
{
    struct AN_FN(an_cell) far;
    far.rho = v[AN_BC_RHO];
    far.u = v[AN_BC_VELOCITY];
    far.v = v[AN_BC_VELOCITY + 1];
    far.w = v[AN_BC_VELOCITY + 2];
    far.p = v[AN_BC_PRESSURE];
    far.H = AN_R(0.0);
    return far;
}

#endif
