/* What devices tell about themselves while they run, and results that nobody waits for. On engines
 * in host memory there is nothing to tell, and results are there at once. */
#ifndef AN_METER_H
#define AN_METER_H

#include "kernels/engine/engine.h"

AN_EXTERN_C_BEGIN

/* Bytes of the device that are free, and all of them; all = 0: engine memory is the host's. */
int an_engine_room(const struct an_engine *e, int64_t *left, int64_t *all);
/* From now on (on: AN_TIME_WAITS) it is measured how long the main stream stands still waiting for the
 * halo stream; or (AN_TIME_MARKS) recordings take down marks alone, which costs less; 0: neither. Not
 * while recording. */
enum { AN_TIME_WAITS = 1, AN_TIME_MARKS = 2 };
void an_engine_time_waits(struct an_engine *e, int on);
/* Seconds of all such waits since the last call; synchronises. < 0: not measured. */
int an_engine_waited(struct an_engine *e, double *seconds);

/* Where the time of recorded work goes. While waits are timed, an_engine_mark says what the main
 * stream does from here on, as a number below AN_MARKS; recordings take that down, with times. Of
 * the last replay: seconds[mark] of the main stream, and those of them it stood still waiting for
 * the halo stream. Synchronises. AN_STOPPED: nothing was taken down. Recordings that are replayed one behind the other
 * are measured together: what recordings before took down counts until AN_MARK_ANEW is marked. */
enum { AN_MARKS = 16, AN_MARK_ANEW = -1 };
int an_engine_mark(struct an_engine *e, int mark);
int an_engine_marked(struct an_engine *e, double seconds[AN_MARKS], double waited[AN_MARKS]);

/* After defer(1), until defer(0), run and run_faces do not synchronise: `red` and `sum`, which stay
 * in place, are filled by collect. It waits for them, and for all downloads on stream 2, that of
 * results, which only downloads. The one after AN_MAX_DEFERRED of them, and a second run_faces with the
 * same faces, collects those before it, that is, waits. */
enum { AN_MAX_DEFERRED = 4 };
int an_engine_defer(struct an_engine *e, int on);
int an_engine_collect(struct an_engine *e);

/* What an engine does of this and of tiles.h; NULL functions, or none of these: what engines in host
 * memory do. */
struct an_meter_ops {
    int (*room)(const struct an_engine *e, int64_t *left, int64_t *all);
    void (*time_waits)(struct an_engine *e, int on);
    int (*waited)(struct an_engine *e, double *seconds);
    int (*mark)(struct an_engine *e, int mark);
    int (*marked)(struct an_engine *e, double seconds[AN_MARKS], double waited[AN_MARKS]);
    int (*defer)(struct an_engine *e, int on);
    int (*collect)(struct an_engine *e);
    int (*choose_tiles)(struct an_engine *e, int measure, const char *program, char *text);
};

AN_EXTERN_C_END
#endif
