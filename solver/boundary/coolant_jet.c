#include "solver/boundary/coolant_jet.h"

#include "kernels/base/numbers.h"

#include <math.h>

double an_coolant_mach(const struct an_gas *g, double p0, double T0, double p)
{
    const double ratio = pow(fmax(p0 / p, 1), (g->gamma - 1) / g->gamma);
    double mach = sqrt(2 / (g->gamma - 1) * (ratio - 1));
    if (g->n) {
        const struct an_gas_flow f = an_gas_static_p(g, p0, T0, fmin(p, p0));
        mach = f.V / an_gas_sound(g, f.T);
    }
    return fmin(fmax(mach, 0.01), 1);
}

struct an_coolant_jet an_coolant_jet_of(const struct an_case *c, const struct an_coolant_patch *q,
                                        double omega, const struct an_face_place *at)
{
    const struct an_case_boundary *b = q->set;
    const struct an_gas *gas = &c->gas.model;
    const double area = an_length(at->s);
    const double wall[3] = {0, -omega * at->x[2], omega * at->x[1]};
    const double U2 = wall[1] * wall[1] + wall[2] * wall[2];
    const double T0 = an_gas_T_at_rest(gas, b->T0, b->patch.frame == AN_FRAME_ABSOLUTE ? U2 : 0);
    const double p0 = b->p0 * an_gas_isentropic_p(gas, b->T0, T0);
    const double M = q->every ? an_coolant_mach(gas, p0, T0, q->p) : b->patch.mach;
    struct an_coolant_jet j = {.T = an_gas_static_mach(gas, b->p0, T0, M).T};
    const double speed = M * an_gas_sound(gas, j.T);
    double V2 = 0, along = 0;
    for (int d = 0; d < 3; d++) {
        const double n = area > 0 ? at->s[d] / area : 0;
        const double direction = b->patch.has_direction ? b->direction[d] : -n;
        along += direction * n;
        j.V[d] = speed * direction + wall[d];
        V2 += j.V[d] * j.V[d];
    }
    j.h0 = an_gas_h(gas, j.T) + 0.5 * V2;
    j.moment = at->x[1] * j.V[2] - at->x[2] * j.V[1];
    j.outward = area > 0 && !(along < 0);
    return j;
}
