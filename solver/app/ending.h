/* How a march, and with it a run, ends. */
#ifndef AN_SOLVER_ENDING_H
#define AN_SOLVER_ENDING_H

enum an_ending {
    AN_END_RUNNING,   /* it has not ended yet */
    AN_END_FINISHED,  /* the last iteration was done, or the end time reached */
    AN_END_CONVERGED, /* all convergence rules of the case were met */
    AN_END_FALLEN,    /* `map`: the mass flow fell below half of that of the last good point */
    AN_END_STOPPED,   /* on request: a signal, the STOP file, the wall-time limit */
    AN_END_DIVERGED,
    AN_END_FAILED, /* bad input or a failure of the machine */
    AN_NENDING
};

/* The word that run.json and the last lines of the output use, such as "converged". */
const char *an_ending_word(enum an_ending ending);
/* How a run ends whose march returned a status (enum an_status) and, where that is AN_OK, ended as
 * `march` says. */
enum an_ending an_ending_of(int status, enum an_ending march);

#endif
