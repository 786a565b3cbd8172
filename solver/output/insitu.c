#include "solver/output/insitu.h"

#include "io/catalyst.h"
#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/level/level.h"
#include "solver/level/worker.h"
#include "solver/output/host_copy.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 256 }; /* of a path in a node */

enum task { INITIALIZE, EXECUTE, FINALIZE };

struct insitu {
    const struct an_solver *s;
    struct an_catalyst call;
    MPI_Comm comm; /* of Catalyst; owned */
    char how[160], about[120];

    struct an_worker *worker; /* calls Catalyst; owned */
    enum task task;           /* of the worker; changes only while it is idle */

    struct an_host_copy copy; /* its arrays stay for Catalyst */
    an_conduit *node;         /* of the last state; owned */
    int64_t iteration;        /* of that state */
    double time;
    int status, failed; /* of the last call of Catalyst; is it called no more? */
    int started, shown; /* was it initialized? How many states it got */
    double waited;      /* s: how long the march stood still */
};

/* ---- a state as a node ---- */

static const char *path_of(char path[ROOM], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *path_of(char path[ROOM], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(path, ROOM, format, list);
    va_end(list);
    return path;
}

static void put_reals(const struct insitu *p, an_conduit *n, const char *path, void *value,
                      int64_t count)
{
    if (p->s->level->layout.precision == AN_SINGLE)
        p->call.set_external_float32(n, path, value, count);
    else
        p->call.set_external_float64(n, path, value, count);
}

/* Does field f of the copy begin a vector of three fields, NameX, NameY, NameZ? */
static int is_vector(const struct an_host_copy *c, int f)
{
    const size_t length = strlen(c->name[f]);
    if (f + 2 >= c->nfield || length < 2 || c->name[f][length - 1] != 'X')
        return 0;
    for (int d = 1; d < 3; d++)
        if (strlen(c->name[f + d]) != length ||
            strncmp(c->name[f + d], c->name[f], length - 1) != 0 ||
            c->name[f + d][length - 1] != "XYZ"[d])
            return 0;
    return 1;
}

static void put_fields(const struct insitu *p, an_conduit *n, const char *mesh, int b)
{
    const struct an_host_copy *c = &p->copy;
    const int *size = p->s->level->layout.block[b].n;
    const int64_t cells = (int64_t)size[0] * size[1] * size[2];
    char path[ROOM];
    for (int f = 0; f < c->nfield; f++) {
        const int vector = is_vector(c, f), stem = (int)strlen(c->name[f]) - vector;
        const char *name = c->name[f];
        p->call.set_text(n, path_of(path, "%s/fields/%.*s/association", mesh, stem, name),
                         "element");
        p->call.set_text(n, path_of(path, "%s/fields/%.*s/topology", mesh, stem, name), "mesh");
        p->call.set_text(n, path_of(path, "%s/fields/%.*s/volume_dependent", mesh, stem, name),
                         "false");
        for (int d = 0; d < (vector ? 3 : 1); d++)
            put_reals(p, n,
                      vector ? path_of(path, "%s/fields/%.*s/values/%c", mesh, stem, name, "xyz"[d])
                             : path_of(path, "%s/fields/%s/values", mesh, name),
                      c->packed.field[b * c->nfield + f + d], cells);
        f += vector ? 2 : 0;
    }
}

/* The mesh of local block b; b < 0: one without cells. */
static void put_mesh(const struct insitu *p, an_conduit *n, const char *mesh, int b)
{
    static double nowhere[1];
    static int64_t none[1];
    const int *size = b < 0 ? NULL : p->s->level->layout.block[b].n;
    const int64_t nodes = size ? (int64_t)(size[0] + 1) * (size[1] + 1) * (size[2] + 1) : 0;
    char path[ROOM];
    p->call.set_int64(n, path_of(path, "%s/state/domain_id", mesh), p->s->rank);
    p->call.set_int64(n, path_of(path, "%s/state/cycle", mesh), p->iteration);
    p->call.set_float64(n, path_of(path, "%s/state/time", mesh), p->time);
    p->call.set_text(n, path_of(path, "%s/coordsets/coords/type", mesh), "explicit");
    for (int d = 0; d < 3; d++)
        p->call.set_external_float64(n,
                                     path_of(path, "%s/coordsets/coords/values/%c", mesh, "xyz"[d]),
                                     size ? p->s->node[b] + d * nodes : nowhere, nodes);
    p->call.set_text(n, path_of(path, "%s/topologies/mesh/coordset", mesh), "coords");
    p->call.set_text(n, path_of(path, "%s/topologies/mesh/type", mesh),
                     size ? "structured" : "unstructured");
    for (int d = 0; d < 3 && size; d++)
        p->call.set_int64(n, path_of(path, "%s/topologies/mesh/elements/dims/%c", mesh, "ijk"[d]),
                          size[d]);
    if (size) {
        put_fields(p, n, mesh, b);
        return;
    }
    p->call.set_text(n, path_of(path, "%s/topologies/mesh/elements/shape", mesh), "hex");
    p->call.set_external_int64(n, path_of(path, "%s/topologies/mesh/elements/connectivity", mesh),
                               none, 0);
}

/* Most pieces of a zone that one rank has; pieces are sorted by zone. */
static int most_pieces(const struct an_solver *s, int zone)
{
    const struct an_partition *p = &s->level->partition;
    int most = 0;
    for (int a = 0; a < p->npiece; a++) {
        int n = 0;
        for (int b = a; p->piece[a].zone == zone && b < p->npiece && p->piece[b].zone == zone; b++)
            n += p->piece[b].rank == p->piece[a].rank;
        most = n > most ? n : most;
    }
    return most;
}

/* The mesh of each zone, the same list on all ranks. */
static void put_zones(const struct insitu *p, an_conduit *n)
{
    const struct an_solver *s = p->s;
    char mesh[ROOM];
    int b = 0; /* local blocks are sorted as pieces are */
    for (int zone = 0; zone < s->mesh->topology.nblock; zone++) {
        const int most = most_pieces(s, zone);
        for (int m = 0; m < most; m++) {
            const int mine = b < s->nlocal && s->level->partition.piece[s->local[b]].zone == zone;
            const char *name = s->mesh->topology.block[zone].name;
            if (m == 0)
                path_of(mesh, "catalyst/channels/grid/data/%s", name);
            else
                path_of(mesh, "catalyst/channels/grid/data/%s_piece%d", name, m + 1);
            put_mesh(p, n, mesh, mine ? b : -1);
            b += mine;
        }
    }
}

/* ---- calls of Catalyst, on the thread ---- */

static void initialize(struct insitu *p)
{
    an_conduit *n = p->call.create(), *answer = p->call.create();
    p->call.set_text(n, "catalyst/scripts/script/filename", p->s->c->output.catalyst);
    p->call.set_int64(n, "catalyst/mpi_comm", MPI_Comm_c2f(p->comm));
    if (!getenv("CATALYST_IMPLEMENTATION_NAME"))
        p->call.set_text(n, "catalyst_load/implementation", "paraview");
    p->status = p->call.initialize(n);
    p->started = p->status == 0;
    if (p->started && p->call.about(answer) == 0) {
        static const char *const what[] = {"catalyst/version", "catalyst/implementation"};
        const char *text[2];
        for (int a = 0; a < 2; a++)
            text[a] =
                p->call.has_path(answer, what[a]) ? p->call.fetch_text(answer, what[a]) : "unknown";
        snprintf(p->about, sizeof p->about, "Catalyst %.40s (%.40s)", text[0], text[1]);
    }
    p->call.destroy(answer);
    p->call.destroy(n);
}

static void execute(struct insitu *p)
{
    an_conduit *before = p->node;
    an_host_copy_pack(p->s, &p->copy);
    p->node = p->call.create();
    p->call.set_int64(p->node, "catalyst/state/timestep", p->iteration);
    p->call.set_int64(p->node, "catalyst/state/cycle", p->iteration);
    p->call.set_float64(p->node, "catalyst/state/time", p->time);
    p->call.set_text(p->node, "catalyst/channels/grid/type", "multimesh");
    put_zones(p, p->node);
    p->status = p->call.execute(p->node);
    if (before)
        p->call.destroy(before);
}

static void finalize(struct insitu *p)
{
    an_conduit *n = p->call.create();
    p->status = p->call.finalize(n);
    p->started = 0;
    p->call.destroy(n);
    if (p->node)
        p->call.destroy(p->node);
    p->node = NULL;
}

static void perform(void *insitu)
{
    struct insitu *p = insitu;
    if (p->task == INITIALIZE)
        initialize(p);
    else if (p->task == EXECUTE)
        execute(p);
    else
        finalize(p);
}

/* ---- on the thread of the march ---- */

/* Begins a task, after the one before. */
static void hand(struct insitu *p, enum task task)
{
    an_worker_wait(p->worker);
    p->task = task;
    an_worker_start(p->worker);
}

/* A rank whose thread cannot be created makes the calls itself. */
static int start_worker(struct insitu *p)
{
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    const enum an_background want = p->s->c->output.background;
    const char *why = want == AN_BACKGROUND_NO      ? "not wanted otherwise"
                      : level < MPI_THREAD_MULTIPLE ? "this MPI allows calls of one thread"
                      : want == AN_BACKGROUND_YES   ? NULL
                      : p->s->engine->device_memory ? NULL
                                                    : "the march needs the same cores";
    p->worker = an_worker_new(perform, p, !why, 0);
    snprintf(p->how, sizeof p->how, "%s%s", why ? "while the march waits: " : "in the background",
             why ? why : "");
    return p->worker ? AN_OK : an_error_set(AN_FAIL, "out of memory for Catalyst");
}

int an_insitu_begin(struct an_solver *s)
{
    if (!*s->c->output.catalyst)
        return AN_OK;
    struct insitu *p = calloc(1, sizeof *p);
    AN_TRY(
        an_reduce_status(s->comm, p ? AN_OK : an_error_set(AN_FAIL, "out of memory for Catalyst")));
    p->s = s;
    p->comm = MPI_COMM_NULL;
    *an_component_place(s, &an_insitu_component) = p;
    AN_TRY(an_reduce_status(s->comm, an_catalyst_load(s->c->output.catalyst_library, &p->call)));
    AN_MPI(MPI_Comm_dup(s->comm, &p->comm));
    AN_TRY(an_reduce_status(s->comm, start_worker(p)));
    hand(p, INITIALIZE);
    an_worker_wait(p->worker);
    return an_reduce_status(
        s->comm,
        p->status == 0
            ? AN_OK
            : an_error_set(AN_INPUT, "ParaView Catalyst did not start with '%s': status %d, %s",
                           s->c->output.catalyst, p->status, an_catalyst_status(p->status)));
}

/* Fields that Catalyst gets: of the state without those that only steer the march. */
static int choose(const struct an_solver *s, struct an_state_field state[AN_MOST_STATE])
{
    const int all = an_state_fields(s, state);
    int n = 0;
    for (int f = 0; f < all; f++)
        if (!state[f].history && strncmp(state[f].name, "Scree", 5) != 0)
            state[n++] = state[f];
    return n;
}

/* Has the last call failed on a rank? */
static int look(struct insitu *p, char *trouble)
{
    int status = p->failed ? 0 : p->status;
    *trouble = '\0';
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, p->s->comm));
    if (status == 0)
        return AN_OK;
    p->failed = 1;
    snprintf(trouble, 512,
             "ParaView Catalyst failed at iteration %lld: status %d, %s; it is not called any more "
             "in this run",
             (long long)p->iteration, status, an_catalyst_status(status));
    return AN_OK;
}

int an_insitu_show(struct an_solver *s, char *trouble)
{
    struct insitu *p = an_component_of(s, &an_insitu_component);
    *trouble = '\0';
    if (!p || p->failed)
        return AN_OK;
    const double start = MPI_Wtime();
    an_worker_wait(p->worker);
    AN_TRY(look(p, trouble));
    if (p->failed)
        return AN_OK;
    struct an_state_field state[AN_MOST_STATE];
    AN_TRY(an_reduce_status(s->comm, an_host_copy_take(s, choose(s, state), state, &p->copy)));
    p->iteration = s->iteration;
    p->time = s->c->march.mode == AN_MARCH_UNSTEADY ? s->time : (double)s->iteration;
    hand(p, EXECUTE);
    p->shown++;
    p->waited += MPI_Wtime() - start;
    return AN_OK;
}

int an_insitu_finish(struct an_solver *s, char *trouble)
{
    struct insitu *p = an_component_of(s, &an_insitu_component);
    *trouble = '\0';
    if (!p)
        return AN_OK;
    an_worker_wait(p->worker);
    return look(p, trouble);
}

void an_insitu_wait(struct an_solver *s)
{
    struct insitu *p = an_component_of(s, &an_insitu_component);
    if (p)
        an_worker_wait(p->worker);
}

static void insitu_print(const struct an_solver *s, const void *component, FILE *out)
{
    const struct insitu *p = component;
    fprintf(out, "in situ     %s calls %s every %d iterations, %s\n",
            *p->about ? p->about : "Catalyst", s->c->output.catalyst, s->c->output.catalyst_every,
            p->how);
}

static void insitu_report(const struct an_solver *s, const void *component, FILE *out)
{
    const struct insitu *p = component;
    (void)s;
    fprintf(out, "in situ     Catalyst got %d state%s; the march waited %.3f s for it\n", p->shown,
            p->shown == 1 ? "" : "s", p->waited);
}

static void insitu_destroy(struct an_solver *s, void *component)
{
    struct insitu *p = component;
    if (p->started) {
        hand(p, FINALIZE);
        an_worker_wait(p->worker);
    }
    an_worker_free(p->worker);
    if (p->comm != MPI_COMM_NULL)
        MPI_Comm_free(&p->comm);
    an_host_copy_free(s, &p->copy);
    free(p);
}

const struct an_component_type an_insitu_component = {.name = "in situ",
                                                      .after = AN_AFTER(AN_ALL_OTHERS),
                                                      .destroy = insitu_destroy,
                                                      .print = insitu_print,
                                                      .report = insitu_report};
