/* A session is what the commands `run` and `map` share: case, mesh, engine and solver, which are
 * set up once, and the march with its measurements, table and snapshots.
 *
 * All functions are collective unless they say otherwise.
 */
#ifndef AN_SOLVER_SESSION_H
#define AN_SOLVER_SESSION_H

#include "io/history.h"
#include "io/lock.h"
#include "io/warnings.h"
#include "kernels/engine/meter.h"
#include "kernels/engine/tiles.h"
#include "mpi/watch.h"
#include "solver/app/ending.h"
#include "solver/app/idle.h"
#include "solver/app/input.h"
#include "solver/march/march.h"
#include "solver/march/settling.h"
#include "solver/monitor/extent.h"
#include "solver/monitor/gas_range.h"
#include "solver/monitor/stagnation.h"

struct an_session {
    MPI_Comm comm;
    int rank;
    struct an_idle ranks; /* which of them compute, as those of `comm` do */
    const struct an_options *o;
    struct an_input in;
    struct an_engine engine;
    struct an_solver *solver;
    struct an_history *history;
    struct an_lock lock;    /* of the output folder; rank 0 */
    struct an_watch *watch; /* of other hosts; NULL: none */
    struct an_warnings warnings;
    struct an_stagnation stagnation; /* at the end */
    struct an_gas_range range;       /* at the end */
    struct an_extent extent;         /* of the mesh, and how fast it turns */
    struct an_motion motion;         /* what still moves at the end of a steady run */
    const char *state;    /* settled, swings, stalls, creeps, stopped, diverged; NULL: not known */
    int settled;          /* 1: the steady flow has settled, -1: it has not; 0: not judged */
    int standing;         /* 1: settled, though the residual stalled above march.residual_drop */
    uint64_t coordinates; /* checksum of the nodes */
    double (*integral)[AN_NINTEGRAL];
    char reason[256]; /* of the device */
    char tiles[AN_TILES_TEXT];
    char snapshot[1024];     /* last written, "" none */
    double started, marched; /* MPI_Wtime at the start, and when marching began */
    int64_t first;           /* iteration marching began from */
    double first_time;       /* s, and its time in an unsteady march */
    double memory, per_cell; /* bytes of the fullest device, and of all of them by cells; 0: host */
    int commands;            /* AN_DOUBTS_RUN or AN_DOUBTS_MAP: what its case is judged for */
    int leave_write; /* 1, of a map: an_session_march may return while its last snapshot is still being written ... */
    int write_ended;  /* ... 1: it did not; the same on all ranks */
    int write_within; /* 1: the last snapshot was asked for within a march, or is of a march that was stopped; 0: of its end */
    int continues;    /* 1: the next march begins from a snapshot of this very case */
    /* Collective, or NULL: called with `context` when the solver stands, before it has a flow; ... */
    int (*on_made)(void *context);
    /* ... when a snapshot has been written, whose name is in `snapshot`. */
    int (*on_written)(void *context);
    void *context;
    double written;       /* bytes/s of the last snapshot; 0: none */
    double write_waited;  /* s that the march stood still for it */
    int64_t write_begun;  /* iteration of the last snapshot */
    int64_t shown;        /* iteration that Catalyst got last */
    int64_t write_passed; /* most iterations done while a snapshot was written */
    double mesh_rate;     /* bytes/s at which coordinates were read, all ranks together */
    double waited;        /* s: of the march, spent waiting for halos; < 0: not measured */
    double march_seconds; /* the rest of it */
    double least_flow;    /* kg/s: a march ends where less enters the machine; 0: none */
    int64_t
        flow_from; /* iteration of the setting that least_flow is for: the flow has to take it up first */
    int ends_swinging; /* 1: a march ends where the flow swings about a mean that stays, after mixing of cycles was given up */
    int timed;         /* of the last iteration, by what it does (kernels/engine/meter.h): */
    double marked[2][AN_MARKS];        /* s, and waiting for halos; the slowest rank's */
    struct an_history_line line;       /* the last measured */
    struct an_history_line next;       /* of a measurement under way: what is known of it */
    int nrow;                          /* rows and machine that are watched */
    double (*row)[AN_NROW_VALUE];      /* [nrow] owned */
    int ncontrol;                      /* boundaries whose pressure the run changes by itself */
    double *control;                   /* [ncontrol] Pa: for the next line; owned */
    double (*solid)[AN_NSOLID_FIGURE]; /* [in.c.nsolid] for the next line; owned */
};

/* Sets up engine and solver from the case in `in`, and starts or restarts the flow. */
int an_session_prepare(struct an_session *r);
void an_session_free(struct an_session *r);
/* Rank 0: the effective case, history.csv and the place for snapshots. Not collective. */
int an_session_begin(struct an_session *r);
/* effective.yaml: the case as it is run, with defaults and --set, which runs again as it is. Not collective. */
int an_session_keep_case(const struct an_case *c);
/* Rank 0: history.csv again, after the flow went back to an earlier iteration. Not collective. */
int an_session_reopen(struct an_session *r);
/* Starts from the snapshot that the command line names, if it belongs to these coordinates and this
 * case (AN_INPUT); what differs is printed. */
int an_session_restart(struct an_session *r);
/* Before files are written: warns of a mesh that changed since it was read, and makes the output
 * folder again where it was removed. */
int an_session_look(struct an_session *r);
/* Waits for the snapshot under way. Where its folder was removed meanwhile, the folder is made
 * again and the present state written. */
int an_session_finish_write(struct an_session *r, struct an_written *w);
/* Waits for the snapshot under way, if there is one: `snapshot` names it, on_written is called, and snapshots
 * beyond output.keep are removed. */
int an_session_complete(struct an_session *r);
/* Warns of what the case asks for and is not plausible; AN_INPUT where nothing sensible can come out. */
int an_session_doubt(struct an_session *r);
/* Has the flow of a steady run settled, and if not, does it swing? Fills motion, settled and standing;
 * not in other runs, and not where the run did not come to its end. Not collective: all ranks get the
 * same. */
void an_session_settle(struct an_session *r, enum an_ending ending);
/* Rank 0, after an_session_settle: warns of a result that is not plausible, and of a steady run that
 * has not settled, with the size of what still moves and the command of an unsteady run. Not
 * collective. */
void an_session_judge(struct an_session *r);
/* Rank 0: warns of cells in `range`, whose states the gas of the case does not have. Not collective. */
void an_session_judge_gas(struct an_session *r);
/* The one word on the state of the flow, from how the run ended and what an_session_settle found. */
void an_session_name_state(struct an_session *r, enum an_ending ending);
/* How the flow of a run that has not settled swings, in words; NULL: it does not. */
const char *an_session_swings(const struct an_session *r);
/* AN_INPUT where the mesh changed while its coordinates were read. */
int an_session_check_mesh(struct an_session *r);
/* Rank 0: prints a warning that is new and keeps it; `carried`: snapshots do, too. Not collective.
 */
void an_session_warn(struct an_session *r, int carried, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Marches until iteration `last` (0: without end), or to the end, with lines of the table and
 * snapshots. *ending says how the march ended where AN_OK is returned. Figures
 * arrive one iteration late, since they are read while the device computes the next step: a stopping rule ends the
 * march one iteration after the printed line that met it. With leave_write the last snapshot may still be being
 * written: nobody may call HDF5 or CGNS before an_session_complete. */
int an_session_march(struct an_session *r, int64_t last, enum an_ending *ending);

#endif
