#include "solver/monitor/wall_units.h"

#include "kernels/base/numbers.h"
#include "kernels/engine/model.h"
#include "kernels/physics/gas_state.h"
#include "mpi/gather.h"
#include "mpi/reduce.h"
#include "solver/flow/wall_distance.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/monitor/measure.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdlib.h>

struct record {
    struct an_wall_place at;
    double units;
};

static double units_of(const struct an_solver *s, const double v[AN_NCOMP_WALL])
{
    const double T = v[AN_WALL_T], p = v[AN_WALL_P];
    const double rho = an_state_density(&s->c->gas.model, p, T);
    return sqrt(rho * an_length(v + AN_WALL_TX)) / an_model_viscosity_at(&s->params, p, T);
}

static void list(const struct an_solver *s, const struct an_walls *w, struct record *to)
{
    const double(*value)[AN_NCOMP_WALL] = an_walls_values(s);
    for (int m = 0; m < w->nwindow; m++) {
        const struct an_window win = an_window_in_zone(s, w->window[m].window);
        const int da = (win.dir + 1) % 3, db = (win.dir + 2) % 3;
        int64_t f = w->window[m].first;
        for (int b = win.lo[db]; b < win.hi[db]; b++)
            for (int a = win.lo[da]; a < win.hi[da]; a++, f++)
                to[f] = (struct record){.at = {win.block, 2 * win.dir + win.side, a, b},
                                        .units = units_of(s, value[f])};
    }
}

int an_walls_refresh(struct an_solver *s)
{
    const struct an_walls *w = an_walls_of(s);
    struct an_measure m = {.integral = NULL};
    return w && w->measured != s->iteration ? an_solver_measure(s, &m) : AN_OK;
}

int an_wall_units(struct an_solver *s, int *n, double **units)
{
    const struct an_walls *w = an_walls_of(s);
    *n = 0;
    *units = NULL;
    if (!w)
        return AN_OK;
    AN_TRY(an_walls_refresh(s));
    struct record *all = malloc(((size_t)w->nface + 1) * sizeof *all);
    int status = all ? AN_OK : an_error_set(AN_FAIL, "out of memory for walls");
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK) {
        list(s, w, all);
        *n = (int)w->nface;
        status = an_gather_sorted(s->comm, "wall faces", sizeof *all, an_wall_place_compare, n,
                                  (void **)&all);
    }
    if (status == AN_OK) {
        *units = malloc(((size_t)*n + 1) * sizeof **units);
        status = *units ? AN_OK : an_error_set(AN_FAIL, "out of memory for %d wall faces", *n);
    }
    for (int f = 0; f < *n && status == AN_OK; f++)
        (*units)[f] = all[f].units;
    free(all);
    return an_reduce_status(s->comm, status);
}
