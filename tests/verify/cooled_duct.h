/* A twelfth of an annular duct with a skewed mesh of two zones, through whose hub gas enters (verify_cooling, verify_holes).
 *
 *   r from 0.5 to 1 m, 0.5 m long; gas of R 287.05 J/(kg K) and gamma 1.4 that is at rest at the start
 */
#ifndef AN_TESTS_COOLED_DUCT_H
#define AN_TESTS_COOLED_DUCT_H

#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"

#include <math.h>

static const double duct_pi = 3.14159265358979323846, duct_gas = 287.05, duct_gamma = 1.4;

/* context: angle of the sector, rad, and 1 where cells at the hub are thinner, as r grows with the square; else 0 */
static void cooled_duct_map(void *context, const double s[3], double x[3])
{
    const double *duct = context;
    const double angle = duct[0] * s[2] + 0.1 * s[1];
    const double r = 0.5 + 0.5 * s[1] * (duct[1] > 0 ? s[1] : 1);
    vm_cylindrical(0.5 * s[0] +
                       0.01 * sin(duct_pi * s[0]) * sin(duct_pi * s[1]) * sin(2 * duct_pi * s[2]),
                   r, angle, x);
}

/* The mesh of n cells; collective. */
static void cooled_duct_write(const char *path, const int n[3], int finer)
{
    static const struct vm_segment sides[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    double duct[2] = {2 * duct_pi / 12, finer};
    const struct vm_box box = vm_sector(n, cooled_duct_map, duct, sides);
    vm_write(path, &box);
}

/* Gas at rest; context: p, Pa, and T, K. */
static void cooled_duct_at_rest(void *context, const double x[3], double q[5])
{
    const double *state = context;
    (void)x;
    q[0] = state[0] / (duct_gas * state[1]);
    q[1] = q[2] = q[3] = 0;
    q[4] = state[0];
}

static void cooled_duct_add_up(void *context, int zone, const int cell[3], const double x[3],
                               const double q[5], double volume)
{
    (void)zone, (void)cell, (void)x;
    double *sum = context;
    sum[0] += volume * q[0];
    sum[1] +=
        volume * (q[4] / (duct_gamma - 1) + 0.5 * q[0] * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
}

/* Mass, kg, and energy for constant cp, J, of all ranks. */
static void cooled_duct_contents(struct fixture *f, double sum[2])
{
    sum[0] = sum[1] = 0;
    fixture_cells(f, cooled_duct_add_up, sum);
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

#endif
