/* Files that a session begins with: the effective case, history.csv, and the place for snapshots. */
#include "solver/app/session.h"

#include "io/atomic.h"
#include "solver/boundary/control.h"
#include "solver/monitor/forces.h"
#include "solver/monitor/performance.h"

#include <stdio.h>
#include <stdlib.h>

int an_session_keep_case(const struct an_case *c)
{
    char path[AN_PATH + 16];
    struct an_atomic a;
    snprintf(path, sizeof path, "%s/effective.yaml", c->output.folder);
    AN_TRY(an_atomic_begin(path, &a));
    an_case_echo(c, a.f);
    return an_atomic_commit(&a);
}

int an_session_reopen(struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    const int64_t start = an_solver_iteration(r->solver);
    if (r->history)
        an_history_destroy(r->history);
    r->history = NULL;
    const char **name = calloc((size_t)r->nrow + 1, sizeof *name);
    struct an_control_report *control = calloc((size_t)r->ncontrol + 1, sizeof *control);
    const char **solid = calloc((size_t)c->nsolid + 1, sizeof *solid);
    AN_CHECK(name && control && solid, AN_FAIL, "out of memory");
    const struct an_performance *rows = an_performance_of(r->solver);
    for (int n = 0; n < r->nrow; n++)
        name[n] = rows->of[n].name;
    for (int n = 0; n < c->nsolid; n++)
        solid[n] = c->solid[n].name;
    an_control_reports(r->solver, control);
    const struct an_history_columns more = {.nrow = r->nrow,
                                            .row = name,
                                            .cascade = rows && rows->gas.axes.cartesian,
                                            .ncontrol = r->ncontrol,
                                            .control = control,
                                            .coefficients = an_forces_of(r->solver) != NULL,
                                            .nsolid = c->nsolid,
                                            .solid = solid,
                                            .volume = c->monitors.volume};
    const int status = an_history_new(c->output.folder, start, c->march.mode == AN_MARCH_UNSTEADY,
                                      r->o->progress, &more, stdout, &r->history);
    free(name);
    free(control);
    free(solid);
    return status;
}

int an_session_begin(struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    const int64_t start = an_solver_iteration(r->solver);
    int aside;
    AN_TRY(an_session_keep_case(c));
    AN_TRY(an_session_reopen(r));
    AN_TRY(an_snapshot_set_aside(c->output.folder, "solid", r->o->restart ? start : -1, &aside));
    AN_TRY(an_snapshot_set_aside(c->output.folder, "wall", r->o->restart ? start : -1, &aside));
    AN_TRY(an_snapshot_set_aside(c->output.folder, "flow", r->o->restart ? start : -1, &aside));
    if (aside)
        printf("set aside   %d later snapshot%s of an earlier run, now *.cgns.old\n", aside,
               aside == 1 ? "" : "s");
    return AN_OK;
}
