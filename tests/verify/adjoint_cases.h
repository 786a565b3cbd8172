/* Small flows whose adjoints are verified: meshes, case files and figures. verify_adjoint says which they are.
 *
 * A parameter changes the shape of blades and spacing, back pressures, speeds and what a boundary is steered to at once. */
#ifndef AN_TESTS_ADJOINT_CASES_H
#define AN_TESTS_ADJOINT_CASES_H

#include "tests/support/solver_fixture.h"

#define SLIP    "wall_slip"
#define VISCOUS "wall_viscous"
#define ROE     "scheme: {flux: roe, limiter_floor: 1}\n"

enum kind { CASCADE, ROTOR, STAGE, MACHINE };

/* What a boundary of the rotor follows: more keys of inlet and outlet, one of which the parameter changes as well. */
struct steering {
    const char *inlet, *outlet; /* with one %.17g in all */
    const char *key;
    double value, by;
};

struct trial {
    const char *name, *rest;
    const char *wall;      /* blades */
    int nj, steps;         /* cells from blade to blade; steps before those of Newton */
    double stretch, least; /* required */
    enum kind kind;
    const struct steering *steering;
};

/* Change of pressures, Pa, and speeds, rad/s, with the parameter. */
static const double per_shape = 2.5e4, speed_per_shape = 100;

/* Rows; 0: the case does not name any. */
int rows_of(const struct trial *t);
/* Writes the mesh at a parameter; its path. Collective over all ranks. */
const char *mesh_of(const struct trial *t, double parameter);
enum { MOST = 6 };
int count_of(const struct trial *t);
const char *const *figures_of(const struct trial *t);
/* The device of the cases that are opened. */
extern const char *device;
/* The size of the cascade, 1 unless set. */
extern double magnify;
/* The case at a parameter with a mesh, filled. Collective over `comm`. */
void open_case_on(struct fixture *f, MPI_Comm comm, const struct trial *t, double parameter,
                  const char *mesh);
/* The same with its mesh on all ranks. Collective over these. */
void open_case(struct fixture *f, const struct trial *t, double parameter);

#endif
