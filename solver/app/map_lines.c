/* The lines of `annulus map`: one, or one for each of map.speeds. Each has a set-up of its own. */
#include "solver/app/map.h"
#include "solver/app/run.h"

#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/app/doubts.h"
#include "solver/app/signals.h"

#include <limits.h>
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

/* Does a row, a wall or a zone of the mesh turn? */
static int turns(const struct an_input *in)
{
    int some = 0;
    for (int n = 0; n < in->c.nrow; n++)
        some |= in->c.row[n].omega != 0;
    for (int b = 0; b < in->c.nboundary; b++)
        some |= in->c.boundary[b].type == AN_BC_WALL_VISCOUS && in->c.boundary[b].wall.omega != 0;
    for (int z = 0; z < in->mesh.topology.nblock; z++)
        some |= in->mesh.topology.block[z].omega != 0;
    return some;
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

/* Parts of a map: lines, and chains of each of them, behind which the line itself is a part. */
struct parts {
    int lines, chains; /* known when the case was read */
};

/* Makes the case that of chain `chain` of line `line`, both from 1 on, or of the line itself where there is no such chain. */
static int take_part(struct an_session *r, struct an_map *m, int line, int chain,
                     const struct parts *n)
{
    struct an_case *c = &r->in.c;
    char folder[AN_PATH];
    AN_CHECK(line <= n->lines, AN_INPUT, "%s: the map has %d lines", c->file, n->lines);
    if (c->map.speeds.n) {
        m->speed = c->map.speeds.x[line - 1];
        c->map.speeds.n = 0; /* the case that this line keeps is that of a map of one line */
        AN_TRY(take_speed(&r->in, m->speed));
        if (r->rank == 0)
            printf("map         line %d of %d: %.6g of the speed\n", line, n->lines, m->speed);
        if (r->rank == 0 && !turns(&r->in))
            an_session_warn(r, 0,
                            "nothing turns in this case, so that 'map.speeds' changes neither rows "
                            "nor walls");
    }
    m->chains = n->chains;
    m->part = n->lines > 1 || n->chains > 1;
    if (n->chains == 1 || chain > n->chains)
        return AN_OK;
    m->chain = chain;
    c->map.chains = 1;
    AN_TRY(an_map_chain_folder(c->output.folder, chain, folder));
    snprintf(c->output.folder, sizeof c->output.folder, "%s", folder);
    if (r->rank == 0)
        printf("map         chain %d of %d\n", chain, n->chains);
    return AN_OK;
}

/* A part of the map; line 0: only the table of all lines. `joins`: the table is written when the part has ended. *n: how many
 * there are. */
static int map_part(MPI_Comm comm, const struct an_options *o, int line, int chain, int joins,
                    struct parts *n, int *printed)
{
    static struct an_session r; /* outlives a failure: a snapshot may be on its way to disk */
    r = (struct an_session){
        .comm = comm, .o = o, .started = MPI_Wtime(), .commands = AN_DOUBTS_MAP};
    static struct an_map m;
    m = (struct an_map){.r = &r, .speed = 1, .point = calloc(AN_MAP_MOST, sizeof *m.point)};
    char folder[AN_PATH] = "";
    struct an_case_numbers speed = {0};
    AN_MPI(MPI_Comm_rank(comm, &r.rank));
    AN_CHECK(m.point, AN_FAIL, "out of memory for a map");
    an_signals_catch();
    int status = an_input_read(comm, o, &r.in, printed), metal = 0;
    if (status == AN_OK) {
        speed = r.in.c.map.speeds;
        metal = r.in.c.nsolid > 0;
        *n = (struct parts){speed.n ? speed.n : 1, r.in.c.map.chains};
        snprintf(folder, sizeof folder, "%s", r.in.c.output.folder);
        status = line ? take_part(&r, &m, line, chain, n) : AN_OK;
    }
    if (status == AN_OK)
        status = an_idle_split(comm, &r.in, &r.ranks);
    const int shared = status == AN_OK;
    if (shared)
        r.comm = r.ranks.working;
    if (shared && !r.ranks.idle && line)
        status = an_map_run(&m);
    if (status == AN_FAIL) { /* main aborts: other ranks may be waiting */
        an_lock_release(&r.lock);
        return status;
    }
    if (speed.n && joins && r.rank == 0 && shared &&
        an_map_join(folder, speed.n, speed.x, metal) != AN_OK)
        status = AN_FAIL;
    if (r.solver)
        an_predictor_free(r.solver, &m.predictor);
    an_session_free(&r);
    free(m.point);
    free(m.behind);
    for (int l = 0; l <= AN_MAP_MOST; l++)
        free(m.line[l]);
    free(m.unfinished);
    return shared ? an_idle_join(&r.ranks, status) : status;
}

int an_map(MPI_Comm comm, const struct an_options *o, int *printed)
{
    struct parts n = {1, 1};
    int done = 0, status = AN_OK, rank;
    AN_MPI(MPI_Comm_rank(comm, &rank));
    if (o->part) {
        int line = 0, chain = INT_MAX;
        AN_CHECK(sscanf(o->part, "%d.%d", &line, &chain) >= 1 && line >= 0 && chain >= 1, AN_INPUT,
                 "--part is LINE, LINE.CHAIN or 0, not '%s'", o->part);
        return map_part(comm, o, line, chain, line == 0, &n, printed);
    }
    for (int line = 1; line <= n.lines; line++) {
        int chain = 0;
        do {
            status = map_part(comm, o, line, ++chain, 1, &n, printed);
            if (status != AN_OK && status != AN_DIVERGED)
                return status;
            if (status == AN_DIVERGED && rank == 0 && (line < n.lines || chain <= n.chains))
                printf("map         line %d of %d: %s\n", line, n.lines, an_error_text());
        } while (n.chains > 1 && chain <= n.chains);
        done += status == AN_OK;
    }
    return done ? AN_OK : status; /* a line without a first point leaves the others */
}
