#include "tests/support/solver_fixture.h"

#include "mpi/reduce.h"
#include "solver/app/device.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/transfer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void fixture_must(int status, const char *what)
{
    if (status == AN_OK)
        return;
    fprintf(stderr, "%s: status %d: %s\n", what, status, an_error_text());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int my_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static char scratch[256];

static void remove_scratch(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    if (scratch[0] && system(command) != 0)
        fprintf(stderr, "could not remove %s\n", scratch);
}

const char *fixture_folder(void)
{
    if (!scratch[0]) {
        if (my_rank() == 0) {
            const char *base = getenv("TMPDIR");
            snprintf(scratch, sizeof scratch, "%s/annulus-test-XXXXXX", base ? base : "/tmp");
            if (!mkdtemp(scratch)) {
                perror(scratch);
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
            atexit(remove_scratch);
        }
        MPI_Bcast(scratch, sizeof scratch, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    return scratch;
}

const char *fixture_path(const char *name)
{
    static char path[8][512];
    static int next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", fixture_folder(), name);
    return p;
}

void fixture_open(struct fixture *f, const char *name, const char *yaml, const char *mesh_path)
{
    fixture_open_on(f, MPI_COMM_WORLD, name, yaml, mesh_path);
}

void fixture_open_on(struct fixture *f, MPI_Comm comm, const char *name, const char *yaml,
                     const char *mesh_path)
{
    memset(f, 0, sizeof *f);
    f->comm = comm;
    int rank;
    MPI_Comm_rank(comm, &rank);
    char file[64];
    snprintf(file, sizeof file, "%s.yaml", name);
    const char *path = fixture_path(file);
    if (rank == 0) {
        FILE *out = fopen(path, "w");
        if (!out)
            fixture_must(AN_FAIL, path);
        fprintf(out, "mesh: %s\n%s", mesh_path, yaml);
        fclose(out);
    }
    MPI_Barrier(comm);
    struct an_diag diag;
    an_diag_init(&diag);
    int status = an_case_read(path, 0, NULL, &f->c, &diag);
    if (status == AN_OK)
        status = an_mesh_open(f->c.mesh, &f->mesh, &diag);
    for (int l = 0; l < diag.nline && rank == 0 && status != AN_OK; l++)
        fprintf(stderr, "%s\n", diag.line[l]);
    fixture_must(status, name);
    an_diag_free(&diag);
    char reason[256], idle[AN_DEVICE_WARNING];
    fixture_must(an_device_choose(comm, f->c.device, f->c.precision, &f->engine, reason, idle),
                 name);
    fixture_must(an_solver_new(comm, &f->c, &f->mesh, &f->engine, &f->solver), name);
}

void fixture_close(struct fixture *f)
{
    an_solver_destroy(f->solver);
    an_engine_destroy(&f->engine);
    an_mesh_close(&f->mesh);
    an_case_free(&f->c);
    MPI_Barrier(f->comm);
}

void fixture_steps(struct fixture *f, int n)
{
    for (int i = 0; i < n; i++)
        fixture_must(an_solver_step(f->solver, 0), "step");
}

void fixture_steps_through(struct fixture *f, int n, int stop)
{
    char path[1024];
    for (int step = 0; step < n; step++) {
        if (step == stop) {
            fixture_must(an_solver_write(f->solver, path), "write");
            fixture_steps(f, 3);
            fixture_must(an_solver_restart(f->solver, path), "restart");
        }
        fixture_steps(f, 1);
    }
}

void fixture_until(struct fixture *f, double end)
{
    while (an_solver_time(f->solver) < end * (1 - 1e-12))
        fixture_must(an_solver_step(f->solver, end), "step");
}

double fixture_converge(struct fixture *f, double drop, int most)
{
    struct an_measure m = {.integral = NULL};
    double now = 1;
    fixture_must(an_solver_measure(f->solver, &m), "measure");
    for (int i = 0; i < most && now > drop; i++) {
        fixture_must(an_solver_step(f->solver, 0), "step");
        if (i % 20 == 19) {
            fixture_must(an_solver_measure(f->solver, &m), "measure");
            now = m.drop;
        }
    }
    return now;
}

void fixture_cells(struct fixture *f, fixture_visit *visit, void *context)
{
    struct an_solver *s = f->solver;
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_piece *piece = &s->level->partition.piece[s->local[b]];
        const int *n = s->level->layout.block[b].n;
        const int64_t cells = (int64_t)n[0] * n[1] * n[2];
        const int64_t nodes = (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
        double *w = malloc((size_t)cells * 6 * sizeof *w);
        double *x = malloc((size_t)nodes * 3 * sizeof *x);
        if (!w || !x)
            fixture_must(AN_FAIL, "memory");
        fixture_must(an_solver_download(s, AN_F_W, 5, b, w), "download");
        fixture_must(an_solver_download(s, AN_F_VOL, 1, b, w + 5 * cells), "download");
        fixture_must(an_nodes_read(&f->mesh, piece, x), "nodes");
        int64_t at = 0;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++, at++) {
                    double centre[3], q[5];
                    an_nodes_centre(n, x, i, j, k, centre);
                    q[0] = w[at];
                    for (int c = 1; c < 4; c++)
                        q[c] = w[c * cells + at] / q[0];
                    q[4] = an_gas_pressure(
                        &f->c.gas.model, q[0],
                        w[4 * cells + at] - 0.5 * q[0] * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
                    const int cell[3] = {i + piece->lo[0], j + piece->lo[1], k + piece->lo[2]};
                    visit(context, piece->zone, cell, centre, q, w[5 * cells + at]);
                }
        free(w);
        free(x);
    }
}

struct error_sum {
    an_state_at *exact;
    void *context;
    struct an_xsum square[5], volume;
    double max[5];
};

static void add_error(void *context, int zone, const int cell[3], const double x[3],
                      const double q[5], double volume)
{
    (void)zone, (void)cell;
    struct error_sum *e = context;
    double exact[5];
    e->exact(e->context, x, exact);
    for (int c = 0; c < 5; c++) {
        double d = fabs(q[c] - exact[c]);
        an_xsum_add(&e->square[c], d * d * volume);
        e->max[c] = d > e->max[c] || d != d ? d : e->max[c];
    }
    an_xsum_add(&e->volume, volume);
}

void fixture_error(struct fixture *f, an_state_at *exact, void *context, double l2[5],
                   double max[5])
{
    struct error_sum e = {.exact = exact, .context = context};
    fixture_cells(f, add_error, &e);
    fixture_must(an_reduce_xsum(f->comm, 5, e.square), "sum");
    fixture_must(an_reduce_xsum(f->comm, 1, &e.volume), "sum");
    fixture_must(an_reduce_max(f->comm, 5, e.max), "max");
    for (int c = 0; c < 5; c++) {
        if (l2)
            l2[c] = sqrt(an_xsum_value(e.square[c]) / an_xsum_value(e.volume));
        if (max)
            max[c] = e.max[c];
    }
}

/* splitmix64 */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

static void add_hash(void *context, int zone, const int cell[3], const double x[3],
                     const double q[5], double volume)
{
    (void)x;
    uint64_t *sum = context, h = mix((uint64_t)zone);
    for (int d = 0; d < 3; d++)
        h = mix(h ^ (uint64_t)cell[d]);
    double all[6] = {q[0], q[1], q[2], q[3], q[4], volume};
    for (int c = 0; c < 6; c++) {
        uint64_t bits;
        memcpy(&bits, &all[c], sizeof bits);
        h = mix(h ^ bits);
    }
    *sum += h; /* commutes: no order */
}

uint64_t fixture_hash(struct fixture *f)
{
    uint64_t sum = 0;
    fixture_cells(f, add_hash, &sum);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, f->comm);
    return sum;
}
