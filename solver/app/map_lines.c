/* The lines of `annulus map`: one, or one for each of map.speeds. Each has a set-up of its own. */
#include "solver/app/map.h"
#include "solver/app/run.h"

#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/app/doubts.h"
#include "solver/app/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A setting of a line of another speed. A pressure above p0 follows from a rise of isentropic enthalpy that grows with the
 * square of the speed, as the work of similar flows does; a mass flow grows with the speed. */
static double scaled(enum an_vary vary, double gamma, double p0, double speed, double value)
{
    const double k = (gamma - 1) / gamma;
    if (vary == AN_VARY_MASS_FLOW)
        return speed * value;
    if (vary == AN_VARY_THROTTLE || !(value > p0) || !(p0 > 0))
        return value;
    return p0 * pow(1 + speed * speed * (pow(value / p0, k) - 1), 1 / k);
}

/* Makes the case that of one line of a map of several speeds: speeds of rows and walls, settings, folder. */
static int take_speed(struct an_input *in, double speed)
{
    struct an_case *c = &in->c;
    const struct an_gas gas = an_case_gas_of(c, NULL);
    double p0 = 0, gamma = 0;
    char folder[AN_PATH];
    for (int n = 0; n < c->nrow; n++) {
        c->row[n].omega *= speed;
        c->row[n].rpm *= speed;
    }
    for (int b = 0; b < c->nboundary; b++) {
        c->boundary[b].wall.omega *= c->boundary[b].type == AN_BC_WALL_VISCOUS ? speed : 1;
        if (c->boundary[b].type == AN_BC_INLET_TOTAL && c->boundary[b].p0 > p0) {
            p0 = c->boundary[b].p0;
            gamma = an_state_gamma(&gas, p0, c->boundary[b].T0);
        }
    }
    AN_CHECK(p0 > 0 || c->map.vary != AN_VARY_BACK_PRESSURE, AN_INPUT,
             "%s: 'map.speeds' changes pressures above the p0 of the inlet with the speed, and no "
             "inlet_total has a p0: let 'map.vary' be mass_flow, or compute a map for each speed",
             c->file);
    for (int z = 0; z < in->mesh.topology.nblock; z++)
        in->mesh.topology.block[z].omega *= speed;
    for (int n = 0; n < c->map.values.n; n++)
        c->map.values.x[n] = scaled(c->map.vary, gamma, p0, speed, c->map.values.x[n]);
    const double whole = c->map.to - c->map.from;
    c->map.from = scaled(c->map.vary, gamma, p0, speed, c->map.from);
    c->map.to = scaled(c->map.vary, gamma, p0, speed, c->map.to);
    if (whole != 0) {
        c->map.step *= (c->map.to - c->map.from) / whole;
        c->map.least_step *= (c->map.to - c->map.from) / whole;
    }
    AN_TRY(an_map_folder(c->output.folder, speed, folder));
    snprintf(c->output.folder, sizeof c->output.folder, "%s", folder);
    return AN_OK;
}

/* Line number k of the map; *n: how many there are. */
static int map_line(MPI_Comm comm, const struct an_options *o, int k, int *n, int *printed)
{
    static struct an_session r; /* outlives a failure: a snapshot may be on its way to disk */
    r = (struct an_session){
        .comm = comm, .o = o, .started = MPI_Wtime(), .commands = AN_DOUBTS_MAP};
    static struct an_map m;
    m = (struct an_map){.r = &r, .speed = 1, .point = calloc(AN_MAP_MOST, sizeof *m.point)};
    char folder[AN_PATH] = "";
    double *speed = NULL;
    *n = 1;
    AN_MPI(MPI_Comm_rank(comm, &r.rank));
    AN_CHECK(m.point, AN_FAIL, "out of memory for a map");
    an_signals_catch();
    int status = an_input_read(comm, o, &r.in, printed);
    if (status == AN_OK && r.in.c.map.speeds.n) {
        *n = r.in.c.map.speeds.n;
        speed = r.in.c.map.speeds.x;
        snprintf(folder, sizeof folder, "%s", r.in.c.output.folder);
        m.speed = speed[k];
        AN_CHECK(m.speed > 0, AN_INPUT, "%s: 'map.speeds' are parts of the speed above 0",
                 r.in.c.file);
        r.in.c.map.speeds.n = 0; /* the case that this line keeps is that of a map of one line */
        status = take_speed(&r.in, m.speed);
        if (r.rank == 0)
            printf("map         line %d of %d: %.6g of the speed\n", k + 1, *n, m.speed);
    }
    if (status == AN_OK)
        status = an_idle_split(comm, &r.in, &r.ranks);
    const int shared = status == AN_OK;
    if (shared)
        r.comm = r.ranks.working;
    if (shared && !r.ranks.idle)
        status = an_map_run(&m);
    if (status == AN_FAIL) { /* main aborts: other ranks may be waiting */
        an_lock_release(&r.lock);
        return status;
    }
    if (speed && r.rank == 0 && shared && an_map_join(folder, *n, speed) != AN_OK)
        status = AN_FAIL;
    if (r.solver)
        an_predictor_free(r.solver, &m.predictor);
    an_session_free(&r);
    free(m.point);
    for (int l = 0; l <= AN_MAP_MOST; l++)
        free(m.line[l]);
    free(m.unfinished);
    return shared ? an_idle_join(&r.ranks, status) : status;
}

int an_map(MPI_Comm comm, const struct an_options *o, int *printed)
{
    int n = 1, done = 0, status = AN_OK, rank;
    AN_MPI(MPI_Comm_rank(comm, &rank));
    for (int k = 0; k < n; k++) {
        status = map_line(comm, o, k, &n, printed);
        if (status != AN_OK && status != AN_DIVERGED)
            return status;
        done += status == AN_OK;
        if (status == AN_DIVERGED && rank == 0 && k + 1 < n)
            printf("map         line %d of %d: %s\n", k + 1, n, an_error_text());
    }
    return done ? AN_OK : status; /* a line without a first point leaves the others */
}
