/* Values of boundaries that vary from face to face (an_bc_value.varies): field BCV of all levels.
 *
 * The host keeps the values of the finest level's faces of this rank. A face of a coarser level has
 * the area-weighted mean of the fine faces it consists of. The mean is summed in an order that
 * does not depend on how blocks were cut. The direction of INLET_TOTAL is normalised after that.
 *
 * Set values, then upload them: before ghost cells are filled for the first time, and whenever
 * values change between iterations. Recorded iterations read the new values. The mesh need not be
 * open.
 */
#ifndef AN_SOLVER_FACE_VALUES_H
#define AN_SOLVER_FACE_VALUES_H

#include "bc/boundary_value.h"
#include "io/case.h"
#include "kernels/engine/engine.h"
#include "mpi/coarsen.h"
#include "mpi/partition.h"

struct an_solver;
struct an_component_type;

/* A boundary face of the finest level. */
struct an_face_place {
    double x[3]; /* m: the mean of its corners */
    double s[3]; /* m2: area vector, outward */
};

struct an_face_values {
    struct {
        int nwindow;
        /* [nwindow] of own pieces, as an_bc_windows has them; owned */
        struct an_face_window *window;
        int64_t nface;                 /* in all windows of the level's blocks */
        double (*value)[AN_BC_NVALUE]; /* [nface]; owned */
        void *image;                   /* page-locked: as BCV has them; owned */
    } level[AN_MAX_LEVEL];
    int64_t nshared;                /* faces of replicated levels (replicated.h) */
    double (*shared)[AN_BC_NVALUE]; /* [nshared] values of these levels; owned */
    struct an_face_place *place;    /* [nface] of the finest level; owned */
    double *area;                   /* [nface] m2, of `place`; owned */
};

/* Do the values of an inlet with total conditions differ from face to face: by a profile, or because the
 * direction is cylindrical? */
int an_inlet_varies(const struct an_case_boundary *b);

/* Centre and area vector of a quadrilateral: q[4] corners, a fastest; the vector points to where sign a x b does. */
void an_face_measure(const double q[4][3], double sign, struct an_face_place *p);

/* Finds the places of the faces of a window of the finest level, t1 fastest (an_face_window). The
 * mesh is open. Not collective. */
int an_face_places(struct an_solver *s, const struct an_face_window *w,
                   struct an_face_place *place);

/* The part of a run whose values vary on some boundary: values and field BCV of all levels. */
extern const struct an_component_type an_face_values_component;
/* NULL: no boundary varies. */
struct an_face_values *an_face_values_of(const struct an_solver *s);

/* Calls `at` for each face of a boundary on this rank to set its values v; components that the
 * function does not set keep their values. Not collective. */
typedef void an_face_value_at(void *context, const struct an_face_place *at,
                              double v[AN_BC_NVALUE]);
void an_face_values_set(struct an_solver *s, int boundary, an_face_value_at *at, void *context);
/* Copies the values of all levels to the engine. Collective: replicated levels get values from all ranks. */
int an_face_values_upload(struct an_solver *s);

#endif
