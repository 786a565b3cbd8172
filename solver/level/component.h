/* The optional parts of a run: mixing planes, cooling, outlet control, walls, stations, damping and
 * others.
 *
 * A part is a structure of functions and, where the case wants the part, data of its own. One array
 * (march/components.c) lists all parts in the order in which they act; each part names those that must act
 * before it (`after`). The functions below loop over that array. They skip parts that the case does not want and functions that a part does not have, and
 * they stop at the first error. To add a part, write its functions in one file and add its structure
 * to the array.
 *
 *     an_solver_new        make, of each part; all levels stand, the mesh is open
 *     fill, restart        expect (restart: before the fields are read), start, take, catch_up
 *     an_solver_step       before_step; step, within the recorded iteration; midway; after_step
 *     an_solver_measure    before_measure, measure_start; measure_finish
 *     an_writer_start      fields, keep, write
 *     an_solver_destroy    destroy, in the opposite order
 *
 * All functions are collective unless they say otherwise.
 */
#ifndef AN_SOLVER_COMPONENT_H
#define AN_SOLVER_COMPONENT_H

#include "io/case.h"
#include "io/snapshot.h"
#include "kernels/engine/engine.h"

#include <stdio.h>

struct an_solver;

/* A component of a field of the finest level that belongs to the state: snapshots hold it. */
struct an_state_field {
    const char *name;
    void *memory; /* of the engine, ghost cells included */
    int history;  /* 1: of earlier iterations; it begins anew where the march goes back */
};
/* Components that an accelerated march adds: of 25 vectors of the unknowns. */
enum { AN_MOST_MIXED = 25 * (5 + AN_NCOMP_TURB) };
/* Components of two earlier states, which a dual march keeps. */
enum { AN_MOST_TIMES = 2 * (5 + AN_NCOMP_TURB + AN_NCOMP_IOLD) };
/* The flow, the turbulence, the intermittency, a mean flow or what scree keeps, scalars, vectors of the acceleration,
 * earlier states, means over time, sums of modes. */
enum {
    AN_MOST_STATE = 5 + AN_NCOMP_TURB + AN_NCOMP_IOLD + AN_NCOMP_INTER + 5 + AN_MOST_SCALARS +
                    AN_MOST_MIXED + AN_MOST_TIMES + AN_NCOMP_MEAN +
                    AN_NCOMP_MODE * (1 + AN_MOST_MODES)
};

/* What a measurement found, for the parts. */
struct an_measured {
    int64_t iteration;                      /* that the measurement is of */
    const double (*integral)[AN_NINTEGRAL]; /* [nboundary] sums of boundary_integral */
};

struct an_component_type {
    const char *name;
    /* Names of parts that must stand before this one in the array, AN_AFTER("a", "b"): those whose data its
     * functions use. AN_ALL_OTHERS: all parts that do not name it themselves; since parts are destroyed in the
     * opposite order, such a part has ended before what it reads is freed. NULL: any place will do. */
    const char *const *after;
    /* Allocates *part, which stays NULL where the case does not want the part. What was allocated
     * before an error is freed by destroy, so *part is set first. */
    int (*make)(struct an_solver *s, void **component);
    void (*destroy)(struct an_solver *s, void *component);

    /* A snapshot is about to be read: its record decides which fields belong to the state. */
    int (*expect)(struct an_solver *s, void *component, const struct an_snapshot_meta *meta);
    /* The cells of the finest level hold another state; ghost cells do not follow yet. fresh: 1
     * where a run starts from it, 0 where a snapshot was read. */
    int (*start)(struct an_solver *s, void *component, int fresh);
    /* Takes what `keep` kept from the record of a snapshot; the flow is not looked at. */
    int (*take)(struct an_solver *s, void *component, const struct an_snapshot_meta *meta);
    /* After take, with valid ghost cells: what the record did not have is found from the flow. */
    int (*catch_up)(struct an_solver *s, void *component);

    int (*before_step)(struct an_solver *s, void *component);
    /* Between the step of the flow and that of the turbulence. The operations may be recorded and
     * replayed: the function changes nothing on the host. */
    int (*step)(struct an_solver *s, void *component);
    /* Not in dual marches: behind the flow's step, with its gradients and before the turbulence's: issues work whose
     * results the host takes in after_step, while the device computes the turbulence. W stays what it is until then. */
    int (*midway)(struct an_solver *s, void *component);
    int (*after_step)(struct an_solver *s, void *component);
    /* A number on which the operations of `step` depend: where it has changed, an iteration is
     * recorded anew. Not collective. */
    int (*phase)(const struct an_solver *s, const void *component);

    /* Before any work of a measurement is issued. */
    int (*before_measure)(struct an_solver *s, void *component);
    /* Issues work on the state, whose residual was just found, and does not wait for it. */
    int (*measure_start)(struct an_solver *s, void *component);
    /* Takes the results; steps may have been issued since. */
    int (*measure_finish)(struct an_solver *s, void *component, const struct an_measured *m);

    /* Adds fields to those of the state; returns their number. Not collective. */
    int (*fields)(const struct an_solver *s, const void *component, struct an_state_field *field);
    /* Adds to the record of a snapshot what a restart needs. Not collective. */
    int (*keep)(const struct an_solver *s, const void *component, struct an_snapshot_meta *meta);
    /* Writes files beside a snapshot, or gathers what write_rest is to write of the present state. */
    int (*write)(struct an_solver *s, void *component, const struct an_snapshot_meta *meta);
    /* After write, while the march goes on: a call by the thread that writes the snapshot. The function reads
     * nothing that the march changes, and asks nothing of other ranks. Not collective. */
    int (*write_rest)(const struct an_solver *s, void *component,
                      const struct an_snapshot_meta *meta);

    /* Lines for the head of a run's output, and for its end. Rank 0. */
    void (*print)(const struct an_solver *s, const void *component, FILE *out);
    void (*report)(const struct an_solver *s, const void *component, FILE *out);
};

#define AN_AFTER(...)     \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }
#define AN_ALL_OTHERS "*"

/* The first part of the array, which ends with NULL, that does not stand behind all that it names: its name, and in
 * *missing that of the part that is missing before it. NULL: the order is right. Not collective. */
const char *an_components_misplaced(const struct an_component_type *const *parts,
                                    const char **missing);

/* Data of a part of this run; NULL: the run does not have the part. Not collective. */
void *an_component_of(const struct an_solver *s, const struct an_component_type *type);
/* Where the pointer to the data stands, for parts that are made later than the others. */
void **an_component_place(struct an_solver *s, const struct an_component_type *type);

int an_components_make(struct an_solver *s);
void an_components_destroy(struct an_solver *s);
int an_components_expect(struct an_solver *s, const struct an_snapshot_meta *meta);
int an_components_start(struct an_solver *s, int fresh);
int an_components_take(struct an_solver *s, const struct an_snapshot_meta *meta);
int an_components_catch_up(struct an_solver *s);
int an_components_before_step(struct an_solver *s);
int an_components_step(struct an_solver *s);
/* Does any part act midway? Not collective. */
int an_components_have_midway(const struct an_solver *s);
int an_components_midway(struct an_solver *s);
int an_components_after_step(struct an_solver *s);
/* phase[AN_MAX_COMPONENTS], zero where a part has none. */
void an_components_phases(const struct an_solver *s, int *phase);
int an_components_before_measure(struct an_solver *s);
int an_components_measure_start(struct an_solver *s);
int an_components_measure_finish(struct an_solver *s, const struct an_measured *m);
int an_components_fields(const struct an_solver *s, struct an_state_field *field);
int an_components_keep(const struct an_solver *s, struct an_snapshot_meta *meta);
int an_components_write(struct an_solver *s, const struct an_snapshot_meta *meta);
int an_components_write_rest(const struct an_solver *s, const struct an_snapshot_meta *meta);
void an_components_print(const struct an_solver *s, FILE *out);
/* The lines of one part alone; nothing where the run does not have it. */
void an_component_print(const struct an_solver *s, const struct an_component_type *type, FILE *out);
void an_components_report(const struct an_solver *s, FILE *out);

#endif
