/* Checks during a run that its mesh file and its output folder are still there. */
#include "solver/app/session.h"

#include "io/folder.h"
#include "io/screen.h"
#include "mpi/reduce.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

void an_session_warn(struct an_session *r, int carried, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (an_warnings_add(&r->warnings, carried, "%s", text)) {
        an_screen_line(stdout, 12, "warning     %s", text);
        fflush(stdout);
    }
}

/* Rank 0: the mesh is never read again; its user should know that the results are not of the new
 * one. */
static void look_at_mesh(struct an_session *r)
{
    const char *mesh = r->in.c.mesh;
    const enum an_mesh_change now = an_mesh_mark_look(&r->in.mesh.mark, mesh);
    if (now != AN_MESH_SAME)
        an_session_warn(r, 0,
                        "%s was %s after the run had read it: the results belong to the "
                        "coordinates of the start, which are in %s/grid.cgns",
                        mesh, now == AN_MESH_GONE ? "removed" : "changed or replaced",
                        r->in.c.output.folder);
}

static int folder_is_gone(const struct an_session *r)
{
    struct stat s;
    return stat(r->in.c.output.folder, &s) != 0 && errno == ENOENT;
}

/* Rank 0: the folder again, with what a run writes at its start. */
static int make_again(struct an_session *r)
{
    char message[512];
    AN_TRY(an_folder_make(r->in.c.output.folder));
    AN_TRY(an_lock_take(r->in.c.output.folder, &r->lock, message));
    AN_TRY(an_session_begin(r));
    an_session_warn(r, 0,
                    "output folder %s was removed during the run and made again at iteration %lld: "
                    "earlier snapshots and lines of history.csv are lost",
                    r->in.c.output.folder, (long long)an_solver_iteration(r->solver));
    return AN_OK;
}

int an_session_check_mesh(struct an_session *r)
{
    int status = AN_OK;
    if (r->rank == 0 && an_mesh_mark_look(&r->in.mesh.mark, r->in.c.mesh) != AN_MESH_SAME)
        status =
            an_error_set(AN_INPUT, "%s was changed while it was read: start again", r->in.c.mesh);
    return an_reduce_status(r->comm, status);
}

int an_session_look(struct an_session *r)
{
    int gone = 0;
    if (r->rank == 0) {
        look_at_mesh(r);
        gone = folder_is_gone(r);
    }
    AN_MPI(MPI_Bcast(&gone, 1, MPI_INT, 0, r->comm));
    return gone ? an_reduce_status(r->comm, r->rank == 0 ? make_again(r) : AN_OK) : AN_OK;
}

int an_session_finish_write(struct an_session *r, struct an_written *w)
{
    const int status = an_writer_finish(r->solver, w);
    int gone = status != AN_OK && r->rank == 0 && folder_is_gone(r);
    AN_MPI(MPI_Bcast(&gone, 1, MPI_INT, 0, r->comm));
    if (!gone)
        return status;
    AN_TRY(an_session_look(r));
    r->write_begun = an_solver_iteration(r->solver);
    AN_TRY(an_writer_start(r->solver));
    return an_writer_finish(r->solver, w);
}
