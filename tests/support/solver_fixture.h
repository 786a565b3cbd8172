/* A solver in a test: a case text and a mesh file in, a marching solver out. A fault ends the test
 * program with the message.
 *
 *     struct fixture f;
 *     fixture_open(&f, "name", yaml, "mesh.cgns");
 *     an_solver_fill(f.solver, state, context);
 *     fixture_steps(&f, 100);
 *     fixture_error(&f, exact, context, l2, max);
 *     fixture_close(&f);
 *
 * Works on any number of ranks; everything is collective over the fixture's communicator.
 */
#ifndef AN_TESTS_SOLVER_FIXTURE_H
#define AN_TESTS_SOLVER_FIXTURE_H

#include "solver/march/march.h"

struct fixture {
    MPI_Comm comm; /* the caller's */
    struct an_case c;
    struct an_mesh mesh;
    struct an_engine engine;
    struct an_solver *solver;
};

/* A scratch folder for this test program, the same on all ranks; made once. */
const char *fixture_folder(void);
/* folder/name, in a static buffer of eight */
const char *fixture_path(const char *name);

/* `yaml` is the case file's text; its `mesh:` must be left out and is added as `mesh_path`
 * (absolute). */
void fixture_open(struct fixture *f, const char *name, const char *yaml, const char *mesh_path);
/* The same on some of the ranks. Call fixture_folder() on all of them before. */
void fixture_open_on(struct fixture *f, MPI_Comm comm, const char *name, const char *yaml,
                     const char *mesh_path);
void fixture_close(struct fixture *f);

/* Ends the program (all ranks) with the library's error text when status is not AN_OK. */
void fixture_must(int status, const char *what);

void fixture_steps(struct fixture *f, int n);
/* n steps. Before step `stop` (negative: never) the solver writes a snapshot, goes three steps astray,
 * and restarts from the snapshot. */
void fixture_steps_through(struct fixture *f, int n, int stop);
/* Steps to the time `end`. */
void fixture_until(struct fixture *f, double end);
/* Steps until the density residual has fallen by `drop` or `most` iterations are done; returns the
 * drop. */
double fixture_converge(struct fixture *f, double drop, int most);

/* Volume-weighted L2 norm and maximum of the difference of rho, u, v, w, p from `exact` at cell
 * centres: l2[5], max[5] (either may be NULL). */
void fixture_error(struct fixture *f, an_state_at *exact, void *context, double l2[5],
                   double max[5]);

/* Calls visit for each interior cell of this rank: zone, cell of the zone, centre, rho u v w p,
 * volume. */
typedef void fixture_visit(void *context, int zone, const int cell[3], const double x[3],
                           const double q[5], double volume);
void fixture_cells(struct fixture *f, fixture_visit *visit, void *context);

/* XXH64-like hash of the state (conserved, bit patterns) of the whole mesh, independent of the
 * partition. */
uint64_t fixture_hash(struct fixture *f);

#endif
