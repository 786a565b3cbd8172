/* Figures of rows from the sums over their boundaries: the last step of a measurement of
 * solver/monitor/performance.h, which has the formulas. Used by performance.c alone. */
#ifndef AN_SOLVER_PERFORMANCE_ROWS_H
#define AN_SOLVER_PERFORMANCE_ROWS_H

#include "solver/monitor/performance.h"

/* Sums over the walls of a row: N m on the gas, W, and N on the walls, 3. */
enum { AN_WORK_TORQUE, AN_WORK_POWER, AN_WORK_FORCE, AN_NWORK = AN_WORK_FORCE + 3 };

/* Row n, or the machine (n = nrow), of f. flow[row or none][boundary]: sums of an_flow_add over the
 * boundaries of the meshed part; work[row or none]. Not collective. */
void an_performance_row(const struct an_solver *s, struct an_performance *f, int n, int nboundary,
                        double (*flow)[AN_NFLOW], double (*work)[AN_NWORK]);
/* Degree of reaction of each row that turns and the row at rest of its stage: the next one downstream
 * of a compressor's rotor, the one before a turbine's. After all rows. Not collective. */
void an_performance_reactions(struct an_performance *f);

#endif
