/* Points of a speed line and their lines in map.csv. Rank 0, not collective, but for the figures. */
#ifndef AN_SOLVER_MAP_CSV_H
#define AN_SOLVER_MAP_CSV_H

#include "solver/app/map_steps.h"
#include "solver/app/session.h"
#include "solver/march/predictor.h"

enum an_map_outcome {
    AN_MAP_GOOD,
    AN_MAP_UNSETTLED,
    AN_MAP_STALLED,  /* the mass flow falls, or has fallen to half */
    AN_MAP_SWINGING, /* it swings by more than a kept point may */
    AN_MAP_MOVING,   /* neither: it still moves */
    AN_MAP_DIVERGED,
    AN_MAP_UNFINISHED, /* a point under way: its snapshot is where it continues */
    AN_MAP_NOUTCOME
};
extern const char *const an_map_outcome_name[AN_MAP_NOUTCOME];
enum an_map_went an_map_went_of(enum an_map_outcome outcome);

enum { AN_MAP_MOST = 512 }; /* points of a line */

struct an_map_point {
    double value;
    enum an_map_outcome outcome;
    int64_t iteration;  /* of the solver at its end */
    int64_t iterations; /* that it took */
    double flow;        /* kg/s in */
    double pressure;    /* Pa of the outlet */
    const char *choked; /* row that is choked; NULL: none is known to be */
    char snapshot[256]; /* name within the output folder; "": none */
};

/* The point under way. */
struct an_map_under_way {
    double value;
    int64_t first;  /* iteration of the solver at its beginning */
    double started; /* MPI_Wtime at its beginning, less what it took before the map was stopped */
    char snapshot
        [256]; /* where an earlier map left it: name within the output folder; "": it begins here */
    int64_t iteration; /* of that snapshot */
};

struct an_map {
    struct an_session *r;
    struct an_map_steps steps;
    double planned[AN_MAP_MOST];
    int n;                      /* points done */
    struct an_map_point *point; /* [AN_MAP_MOST] owned */
    int boundary;               /* of the mesh: the outlet that is varied */
    double flow;                /* kg/s in, at the last good point */
    double pressure;            /* Pa of the outlet there */
    double *
        behind; /* [rows of the case] Pa, static, at the ends of the rows there; NaN: not known; owned */
    double speed; /* of the line, as a part of the case's speeds */
    int part;     /* 1: one of several parts of a map */
    int chain,
        chains; /* this chain, from 1 on, of so many of the line; 0: the line itself, behind its chains */
    char good[AN_PATH]; /* its snapshot, to go back to; "": none */
    char csv[AN_PATH + 16];
    struct an_map_under_way now;
    struct an_predictor predictor; /* flows of the last two good points */
    int nline; /* points whose line stands in map.csv: n, or n - 1 while a snapshot is written */
    char *line[AN_MAP_MOST + 1]; /* of map.csv, for a folder that is removed meanwhile; owned */
    char *
        unfinished; /* line of the point under way, which stands last in map.csv; NULL: none; owned */
};

/* Figures of the machine, [AN_NROW_VALUE], on any rank. */
const double *an_map_figures(const struct an_map *m);
/* Makes the line of the present point, which goes into map.csv when the point's snapshot is written. */
int an_map_make_line(struct an_map *m, const struct an_map_point *p, int64_t iterations,
                     double seconds);
/* Puts a line for the point under way into map.csv: the map continues from its snapshot if it is stopped. */
int an_map_put_unfinished(struct an_map *m, const char *snapshot, int64_t iteration);
/* Adds the line that was made last to map.csv, in place of the one of the point under way; writes all lines where
 * the file is not there any more. */
int an_map_add_line(struct an_map *m);
/* The snapshot of the last point was lost: its line has none. */
void an_map_forget_snapshot(struct an_map *m, struct an_map_point *p);
/* Takes up the lines of an earlier map of this case, as far as they are those this one would make, and the point
 * that it left unfinished. */
void an_map_read_lines(struct an_map *m);
/* Takes up the points of the chains of this line, in the order of their settings, where they are more than those that map.csv
 * has: up to the first one that was not kept. The first point of a later chain counts only if it was kept and has at least
 * half the mass flow of the point before; else the line goes on from that point. */
int an_map_take_chains(struct an_map *m);
/* "OUT/chain_2" */
int an_map_chain_folder(const char *folder, int chain, char path[AN_PATH]);
/* OUT/map.csv of a map of several speeds, from the map.csv of its lines in the folders OUT/speed_X, as far as they are
 * there; the names of snapshots get the folder in front. speed[n]. metal: 1 if the case has solids. */
int an_map_join(const char *folder, int n, const double *speed, int metal);
/* "OUT/speed_0.9" */
int an_map_folder(const char *folder, double speed, char path[AN_PATH]);
/* map.csv as it will go on: without what follows the points taken up, a torn line perhaps. */
int an_map_begin_csv(struct an_map *m);

#endif
