/* Output fields that depend on how a block turns: computed on the host, from the nodes. */
#include "solver/output/relative.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/transfer.h"

#include "kernels/base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int an_relative_is(const char *name)
{
    return !strcmp(name, "MachRelative") || !strcmp(name, "Rothalpy");
}

int an_relative_block(struct an_solver *s, const char *name, int b, void *to)
{
    const int rothalpy = !strcmp(name, "Rothalpy");
    const struct an_block *block = &s->level->layout.block[b];
    const int *n = block->n;
    const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    const struct an_gas *gas = &s->c->gas.model;
    const double omega = block->omega;
    double *w = malloc(5 * cells * sizeof *w);
    const double *x = s->node[b];
    int status = w ? AN_OK : an_error_set(AN_FAIL, "out of memory for a snapshot");
    if (status == AN_OK)
        status = an_solver_download(s, AN_F_W, 5, b, w);
    size_t at = 0;
    for (int k = 0; k < n[2] && status == AN_OK; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++, at++) {
                double y[3];
                an_nodes_centre(n, x, i, j, k, y);
                const double rho = w[at], u = w[cells + at] / rho, v = w[2 * cells + at] / rho,
                             z = w[3 * cells + at] / rho, energy = w[4 * cells + at] / rho;
                const double p =
                    an_gas_pressure(gas, rho, rho * (energy - 0.5 * (u * u + v * v + z * z)));
                const double g = an_gas_gamma(gas, p / (rho * gas->R));
                const double wy = v + omega * y[2], wz = z - omega * y[1];
                const double value = rothalpy ? energy + p / rho - omega * (y[1] * z - y[2] * v)
                                              : sqrt((u * u + wy * wy + wz * wz) * rho / (g * p));
                an_real_put(s->level->layout.precision, to, at, value);
            }
    free(w);
    return status;
}
