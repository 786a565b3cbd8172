#ifndef AN_SOLVER_RELATIVE_H
#define AN_SOLVER_RELATIVE_H

struct an_solver;

/* Output fields as a turning row sees the flow: MachRelative, the Mach number of the velocity from
 * the row, and Rothalpy, H - omega (y w - z v), J/kg. Into to[nk][nj][ni] of local block b, in the
 * run's precision; mesh open. Not collective. */
int an_relative_is(const char *name);
int an_relative_block(struct an_solver *s, const char *name, int b, void *to);

#endif
