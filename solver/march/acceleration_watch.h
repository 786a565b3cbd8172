/* When a march has stalled, and whether mixing its cycles helps. Pure arithmetic, the same on all
 * ranks.
 *
 * Every AN_ACCEL_SAMPLE cycles the size of a cycle's change is noted: the mean over the unknowns of
 * log10 |f|.
 *
 *     stalled .... the mean of the newer half of the last AN_ACCEL_LOOK samples lies less than
 *                  AN_ACCEL_STALLED decades below that of the older half, and less than
 *                  AN_ACCEL_RISES above it, at AN_ACCEL_FLAT samples in a row, and the change is not
 *                  down to rounding. Means tell a swing, whose slope changes sign again and again,
 *                  from a march that converges. A swing whose period is longer than half of these samples
 *                  is told by the means of the halves of the last AN_ACCEL_LONG samples, which differ
 *                  by less than AN_ACCEL_STANDS, also at AN_ACCEL_FLAT samples in a row
 *     armed ...... the march begins near its flow, with another setting, and the flow that it begins from settled by plain
 *                  cycles: it is plain until two samples in a row lie AN_ACCEL_LEAVES decades above an earlier one,
 *                  because the march leaves the flow that it is near
 *     mixing ..... windows of AN_ACCEL_SAMPLES samples follow each other; in the first one the mixing
 *                  collects cycles. From then on the mean of a window has to lie AN_ACCEL_GAIN decades
 *                  below the level at which the mixing began; where it has not for AN_ACCEL_POOR windows in a
 *                  row, the mixing ends. So it goes on where the march has come to rest at a lower
 *                  level, from which plain cycles would leave
 *     anew ....... the mean of a window has not become the least one for AN_ACCEL_IDLE windows in a row, and
 *                  the change is not down to rounding: the cycles collected no longer show where the flow is
 *                  to go, and can even hold it in place. They are forgotten, and the mixing collects anew
 *     worse ...... the last window lies AN_ACCEL_WORSE decades above the level at the begin: the
 *                  march goes back to the state at which the mixing began
 *
 * The mixing is tried AN_ACCEL_TRIES times.
 *
 * In a machine with many mixing planes waves take longer to pass than AN_ACCEL_LOOK samples: the residual stays as it is while
 * the rows still take up their flow, and mixing that begins then slows them. an_accel_watch_look says how many
 * samples are looked at in place of AN_ACCEL_LOOK; AN_ACCEL_STALLED and AN_ACCEL_POOR grow in proportion.
 */
#ifndef AN_SOLVER_ACCELERATION_WATCH_H
#define AN_SOLVER_ACCELERATION_WATCH_H

enum { AN_ACCEL_SAMPLE = 10, AN_ACCEL_SAMPLES = 3, AN_ACCEL_LOOK = 8, AN_ACCEL_LONG = 24 };
enum { AN_ACCEL_FLAT = 3, AN_ACCEL_TRIES = 2, AN_ACCEL_IDLE = 2, AN_ACCEL_POOR = 2 };
#define AN_ACCEL_STALLED 0.08 /* in 40 cycles: that is an order of magnitude in 500 */
#define AN_ACCEL_RISES   0.2
#define AN_ACCEL_STANDS  0.15 /* in 120 cycles */
#define AN_ACCEL_GAIN    0.3
#define AN_ACCEL_WORSE   0.1
#define AN_ACCEL_LEAVES  0.4

struct an_accel_watch {
    int on;                       /* the cycles are mixed */
    int armed;                    /* the march begins near its flow, and may leave it */
    int tries;                    /* times the mixing was given up */
    int flat;                     /* samples in a row at which the march was flat */
    int stands;                   /* the same by the longer means */
    int windows;                  /* since the mixing began */
    int poor;                     /* of them in a row in which the mixing had gained nothing */
    int idle;                     /* of them in a row without a new least mean */
    int n;                        /* samples kept */
    int since;                    /* of them in the present window */
    double sample[AN_ACCEL_LONG]; /* the oldest first */
    double
        level; /* at which the mixing began: the mean of the newer half of the samples that told it */
    double least; /* mean of a window since then */
};

enum an_accel_verdict {
    AN_ACCEL_GOES_ON,
    AN_ACCEL_BEGINS,
    AN_ACCEL_ANEW,     /* the mixing goes on without the cycles so far */
    AN_ACCEL_ENDS,     /* the mixing gained nothing */
    AN_ACCEL_ENDS_BACK /* it made the march worse: back to the state at which it began */
};

/* Samples for a machine with so many mixing planes, AN_ACCEL_LOOK to AN_ACCEL_LONG, even. */
int an_accel_watch_look(int planes);
void an_accel_watch_reset(struct an_accel_watch *w);
/* A march that begins from a settled flow whose cycles were mixed mixes them, too, and is judged by the level
 * at which the mixing began; one that was armed stays so; otherwise the watch begins anew. */
void an_accel_watch_again(struct an_accel_watch *w);
/* The same with another setting: armed where the cycles are not mixed, and the mixing not yet given up. */
void an_accel_watch_arm(struct an_accel_watch *w);
/* One sample more. rounding: the change is as small as the precision allows; look: of an_accel_watch_look. */
enum an_accel_verdict an_accel_watch_note(struct an_accel_watch *w, double sample, int rounding,
                                          int look);
/* Has the mixing done what it can? It was given up, or it has found no smaller change for four
 * windows. */
int an_accel_watch_exhausted(const struct an_accel_watch *w);

#endif
