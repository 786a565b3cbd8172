/* What `annulus run` and `annulus map` share: case, mesh, engine and solver, set up once, the march
 * with its measurements, table and snapshots, and how it ends.
 *
 * All functions are collective unless they say otherwise.
 */
#ifndef AN_SOLVER_SESSION_H
#define AN_SOLVER_SESSION_H

#include "io/history.h"
#include "kernels/engine/meter.h"
#include "kernels/engine/tiles.h"
#include "solver/app/ending.h"
#include "solver/app/input.h"
#include "solver/march/march.h"

struct an_session {
    MPI_Comm comm;
    int rank;
    const struct an_options *o;
    struct an_input in;
    struct an_engine engine;
    struct an_solver *solver;
    struct an_history *history;
    double (*integral)[AN_NINTEGRAL];
    char reason[256]; /* of the device */
    char tiles[AN_TILES_TEXT];
    char snapshot[1024];     /* last written, "" none */
    double started, marched; /* MPI_Wtime at the start, and when marching began */
    int64_t first;           /* iteration marching began from */
    double memory, per_cell; /* bytes of the fullest device, and of all of them by cells; 0: host */
    double written;          /* bytes/s of the last snapshot; 0: none */
    double write_waited;     /* s that the march stood still for it */
    int64_t write_begun;     /* iteration of the last snapshot */
    int64_t write_passed;    /* most iterations done while a snapshot was written */
    double mesh_rate;        /* bytes/s at which coordinates were read, all ranks together */
    double waited;           /* s: of the march, spent waiting for halos; < 0: not measured */
    double march_seconds;    /* the rest of it */
    double least_flow;       /* kg/s: a march ends where less enters the machine; 0: none */
    int timed;               /* of the last iteration, by what it does (kernels/engine/meter.h): */
    double marked[2][AN_MARKS];   /* s, and waiting for halos; the slowest rank's */
    struct an_history_line line;  /* the last measured */
    struct an_history_line next;  /* of a measurement under way: what is known of it */
    int nrow;                     /* rows and machine that are watched */
    double (*row)[AN_NROW_VALUE]; /* [nrow] owned */
};

/* Sets everything up, from the case that was read into `in`, and starts or restarts the flow. */
int an_session_prepare(struct an_session *r);
void an_session_free(struct an_session *r);
/* Rank 0: the effective case, history.csv and the place for snapshots. Not collective. */
int an_session_begin(struct an_session *r);
/* Rank 0: history.csv again, after the flow went back to an earlier iteration. Not collective. */
int an_session_reopen(struct an_session *r);
/* Marches until iteration `last` (0: without end), or to the end, with lines of the table and
 * snapshots. *ending says how the march ended where AN_OK is returned. The figures of a line are read
 * while the device computes the next step: rules on them end the march one step after the line that
 * fulfils them. */
int an_session_march(struct an_session *r, int64_t last, enum an_ending *ending);

#endif
