#include "solver/monitor/gas_range.h"

#include "kernels/physics/gas_real.h"
#include "mpi/reduce.h"
#include "solver/level/level.h"
#include "solver/level/place.h"
#include "solver/level/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far a state is from the table: 1 at its edge; inside, where nodes are no fluid, 1 too. */
static double beyond(const struct an_gas_table *t, double p, double T)
{
    const double high = fmax(p / t->p_range[1], T / t->T_range[1]);
    const double low = fmax(t->p_range[0] / p, t->T_range[0] / T);
    return fmax(1, fmax(high, low));
}

/* The state of a cell from density and internal energy, of a mixture with the mass fraction Z of the second gas.
 * Returns how far it is beyond the table or the range of cp(T), as a ratio; 0: it is within. */
static double examine(const struct an_case *c, double rho, double e, double Z, double *p, double *T)
{
    const double slack = c->precision == AN_SINGLE ? 1e-5 : 1e-10; /* of rounding */
    const struct an_gas_table *t = c->gas.model.table;
    if (t) {
        *p = an_table_pressure(t, rho, e);
        if (an_table_valid(t, rho, *p))
            return 0;
        *T = an_table_state(t, rho, *p).T;
        return beyond(t, *p, *T);
    }
    const struct an_gas mixed = an_gas_at(&c->gas.model, Z);
    const double low = c->gas.T_range.x[0], high = c->gas.T_range.x[1];
    *T = an_gas_T_of_e(&mixed, e);
    *p = rho * mixed.R * *T;
    return *T < low * (1 - slack) ? low / *T : *T > high * (1 + slack) ? *T / high : 0;
}

static int look(struct an_solver *s, int b, struct an_gas_range *range)
{
    const int *n = s->level->layout.block[b].n;
    const int64_t cells = (int64_t)n[0] * n[1] * n[2];
    const int mixture = s->c->gas.model.ends != NULL;
    double *w = malloc((size_t)cells * 6 * sizeof *w);
    AN_CHECK(w, AN_FAIL, "out of memory for the states of cells");
    int status = an_solver_download(s, AN_F_W, 5, b, w);
    if (status == AN_OK && mixture)
        status = an_solver_download_from(s, an_level_component(s->level, AN_F_EOS, AN_EOS_FRACTION),
                                         1, b, w + 5 * cells);
    for (int64_t at = 0; status == AN_OK && at < cells; at++) {
        const double rho = w[at], x = w[cells + at], y = w[2 * cells + at], z = w[3 * cells + at];
        const double e = (w[4 * cells + at] - 0.5 * (x * x + y * y + z * z) / rho) / rho;
        double p, T;
        const double off = examine(s->c, rho, e, mixture ? w[5 * cells + at] : 0, &p, &T);
        if (!(off > 0))
            continue;
        range->outside++;
        if (!(off > range->off))
            continue;
        range->off = off;
        range->p = p;
        range->T = T;
        an_place_text(s, b, at, range->place, sizeof range->place);
    }
    free(w);
    return status;
}

int an_gas_range_find(struct an_solver *s, struct an_gas_range *range)
{
    *range = (struct an_gas_range){.off = 0};
    if (!s->c->gas.model.table && s->c->gas.model.n < 2) /* one coefficient holds everywhere */
        return AN_OK;
    int status = AN_OK;
    for (int b = 0; b < s->nlocal && status == AN_OK; b++)
        status = look(s, b, range);
    AN_TRY(an_reduce_status(s->comm, status));
    double most = range->off, rank = 0;
    AN_TRY(an_reduce_max(s->comm, 1, &most));
    rank = range->off == most ? s->rank : s->nrank;
    AN_TRY(an_reduce_min(s->comm, 1, &rank));
    int64_t all = 0;
    AN_MPI(MPI_Allreduce(&range->outside, &all, 1, MPI_INT64_T, MPI_SUM, s->comm));
    AN_MPI(MPI_Bcast(range, (int)sizeof *range, MPI_BYTE, (int)rank, s->comm));
    range->outside = all;
    return AN_OK;
}
