/* Notes what an engine is asked to do: its operations are replaced by others that pass on to them and,
 * while notes are taken, write a list. So the benchmark learns the kernels of a real cycle, with their
 * sizes, from the solver itself, and can run each of them again.
 *
 * One engine of a program at a time. Lists of boxes, lines, faces and copies that were made before
 * an_watch_start are not known: they have no points.
 */
#ifndef AN_BENCH_WATCH_H
#define AN_BENCH_WATCH_H

#include "kernels/engine/meter.h"

AN_EXTERN_C_BEGIN

enum an_watch_kind {
    AN_WATCH_CELLS,
    AN_WATCH_BETWEEN, /* of two levels */
    AN_WATCH_LINES,
    AN_WATCH_FACES,
    AN_WATCH_RESIDUAL, /* fused */
    AN_WATCH_STAGE,
    AN_WATCH_VISCOUS,
    AN_WATCH_RANS,   /* both fluxes in one pass */
    AN_WATCH_COPIES, /* strided */
    AN_WATCH_GHOSTS, /* strided, and boundary faces */
    AN_WATCH_MOVE    /* of a piece of memory */
};

/* One call of an operation, with its arguments. */
struct an_watched {
    enum an_watch_kind kind;
    int mark; /* what an_engine_mark said last */
    enum an_stencil stencil;
    enum an_scheme scheme;
    int stage;                /* AN_WATCH_VISCOUS, AN_WATCH_RANS: with the update of a stage */
    const void *list, *other; /* boxes, lines, faces or copies; the boxes of the other level */
    struct an_fields fields;
    struct an_params params;
    void *to; /* copies */
    const void *from;
    int64_t to_component, from_component;
    size_t bytes;
    int ncomp, vector;
    struct an_copying copying;   /* AN_WATCH_GHOSTS */
    double points, other_points; /* cells, faces, elements of one component (or both), bytes */
    int64_t launches;
};

int an_watch_start(struct an_engine *e);
void an_watch_stop(struct an_engine *e);
/* From now on calls are noted (on: 1; the list and the times start anew), or no more. */
void an_watch_note(int on);
/* The list; it lives until notes are taken anew. */
int an_watch_list(const struct an_watched **list);
/* Engines in host memory: seconds between the marks, while notes were taken. */
void an_watch_times(double seconds[AN_MARKS]);
/* Runs a call once more, on the main stream and without results of reductions. */
int an_watch_repeat(struct an_engine *e, const struct an_watched *w);
/* Do two calls run the same kernel, whatever its size? */
int an_watch_same(const struct an_watched *a, const struct an_watched *b);
/* "fused Roe residual", "correct", "copies of 5". */
void an_watch_name(const struct an_watched *w, char *name, size_t size);

AN_EXTERN_C_END
#endif
