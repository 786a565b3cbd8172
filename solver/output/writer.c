#include "solver/output/writer.h"

#include "io/case_list.h"
#include "mpi/reduce.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/output/host_copy.h"
#include "solver/output/version.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct an_writer {
    const struct an_solver *s;
    MPI_Comm comm;  /* of the threads; owned */
    char how[160];  /* an_writer_how */
    int background; /* are there threads? */

    int under_way, joined;
    pthread_t thread;
    atomic_int done;
    struct an_host_copy copy; /* packed arrays only while it is written */
    struct an_snapshot_meta meta;
    int status;
    char error[1024]; /* what the thread has to say of its status */
    struct an_written written;
};

/* Brings the present state to the host. */
static int fetch_all(struct an_solver *s)
{
    struct an_writer *w = an_component_of(s, &an_writer_component);
    struct an_state_field state[AN_MOST_STATE];
    const int nstate = an_state_fields(s, state);
    return an_host_copy_take(s, nstate, state, &w->copy);
}

void an_writer_warnings(struct an_solver *s, const struct an_warnings *warnings)
{
    s->warnings = warnings;
}

/* The keys of the case, and what has to be known of the flow. */
static int note(const struct an_solver *s, struct an_snapshot_meta *meta)
{
    char *list = an_case_list(s->c), *rest = NULL;
    int status = list ? AN_OK : an_error_set(AN_FAIL, "out of memory for a snapshot");
    for (char *line = list ? strtok_r(list, "\n", &rest) : NULL; line && status == AN_OK;
         line = strtok_r(NULL, "\n", &rest))
        status = an_snapshot_note(meta, "case", line);
    for (int n = 0; s->warnings && n < s->warnings->n && status == AN_OK; n++)
        if (s->warnings->list[n].carried)
            status = an_snapshot_note(meta, "warning", s->warnings->list[n].text);
    free(list);
    return status;
}

static int describe(struct an_solver *s, struct an_snapshot_meta *meta)
{
    an_snapshot_controls_free(meta);
    memset(meta, 0, sizeof *meta);
    meta->iteration = s->iteration;
    meta->time = s->time;
    meta->precision = s->level->layout.precision;
    meta->mesh_hash = s->mesh->hash;
    meta->case_hash = s->c->hash;
    meta->embed_grid = s->c->output.embed_grid;
    meta->omega = s->omega;
    memcpy(meta->residual_first, s->residual_first, sizeof meta->residual_first);
    snprintf(meta->title, sizeof meta->title, "%s", s->c->title);
    snprintf(meta->version, sizeof meta->version, "annulus %s", an_version());
    AN_TRY(note(s, meta));
    return an_components_keep(s, meta);
}

/* All that follows when the state is on the host; on any thread. */
static void *write_all(void *writer)
{
    struct an_writer *w = writer;
    const struct an_solver *s = w->s;
    w->status = an_reduce_status(w->comm, an_components_write_rest(s, &w->meta));
    const double start = MPI_Wtime();
    if (w->status == AN_OK)
        an_host_copy_pack(s, &w->copy);
    if (w->status == AN_OK)
        w->status = an_snapshot_write(w->comm, s->c->output.folder, "flow", s->mesh, &w->meta,
                                      w->copy.nfield, w->copy.name, s->nlocal, w->copy.packed.piece,
                                      w->written.path);
    snprintf(w->error, sizeof w->error, "%.1023s", w->status == AN_OK ? "" : an_error_text());
    an_packed_free(&w->copy.packed);
    struct stat st;
    if (w->status == AN_OK && stat(w->written.path, &st) == 0)
        w->written.bytes_per_s = (double)st.st_size / (MPI_Wtime() - start);
    atomic_store(&w->done, 1);
    return NULL;
}

/* From so many zones on, one rank is busy with the nodes of the file for long, and the others would wait for it. */
enum { MANY_ZONES = 128 };

static int writer_new(struct an_solver *s)
{
    int level;
    struct an_writer *w = calloc(1, sizeof *w);
    *an_component_place(s, &an_writer_component) = w;
    AN_TRY(an_reduce_status(s->comm,
                            w ? AN_OK : an_error_set(AN_FAIL, "out of memory for snapshots")));
    w->s = s;
    AN_MPI(MPI_Comm_dup(s->comm, &w->comm));
    AN_MPI(MPI_Query_thread(&level));
    const enum an_background want = s->c->output.background;
    const char *why = want == AN_BACKGROUND_NO      ? "not wanted otherwise"
                      : level < MPI_THREAD_MULTIPLE ? "this MPI allows calls of one thread"
                      : want == AN_BACKGROUND_YES   ? NULL
                      : s->engine->device_memory    ? NULL
                      : s->mesh->topology.nblock >= MANY_ZONES ? NULL
                                                               : "the march needs the same cores";
    w->background = !why;
    snprintf(w->how, sizeof w->how, "%s%s", why ? "while the march waits: " : "in the background",
             why ? why : "");
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0); /* not from a thread */
    return AN_OK;
}

/* The communicator stands on all ranks. */
static int begin(struct an_solver *s)
{
    struct an_writer *w = an_component_of(s, &an_writer_component);
    AN_TRY(an_reduce_status(s->comm, fetch_all(s)));
    AN_TRY(an_reduce_status(s->comm, describe(s, &w->meta)));
    return an_components_write(s, &w->meta);
}

int an_writer_start(struct an_solver *s)
{
    struct an_written before;
    AN_TRY(an_writer_finish(s, &before));
    const double start = MPI_Wtime();
    if (!an_component_of(s, &an_writer_component))
        AN_TRY(writer_new(s));
    struct an_writer *w = an_component_of(s, &an_writer_component);
    memset(&w->written, 0, sizeof w->written);
    const int status = begin(s);
    if (status != AN_OK) {
        an_packed_free(&w->copy.packed);
        return status;
    }
    w->under_way = 1;
    w->joined = 0;
    w->written.background = w->background;
    atomic_store(&w->done, 0);
    /* a rank without a thread must write with the others all the same: by itself */
    if (!w->background || pthread_create(&w->thread, NULL, write_all, w) != 0) {
        write_all(w);
        w->joined = 1;
    }
    w->written.waited = MPI_Wtime() - start;
    return AN_OK;
}

int an_writer_done(const struct an_solver *s)
{
    const struct an_writer *w = an_component_of(s, &an_writer_component);
    return !w || !w->under_way ? 2 : atomic_load(&w->done);
}

/* Waits until this rank's part is done; finish is still to come. */
static void wait_for(struct an_writer *w)
{
    if (!w->under_way || w->joined)
        return;
    pthread_join(w->thread, NULL);
    w->joined = 1;
}

void an_writer_wait(struct an_solver *s)
{
    struct an_writer *w = an_component_of(s, &an_writer_component);
    if (w)
        wait_for(w);
}

int an_writer_finish(struct an_solver *s, struct an_written *written)
{
    struct an_writer *w = an_component_of(s, &an_writer_component);
    memset(written, 0, sizeof *written);
    if (!w || !w->under_way)
        return AN_OK;
    wait_for(w);
    w->under_way = 0;
    *written = w->written;
    return w->status == AN_OK ? AN_OK : an_error_set(w->status, "%s", w->error);
}

int an_writer_in_background(const struct an_solver *s)
{
    const struct an_writer *w = an_component_of(s, &an_writer_component);
    return w && w->background;
}

const char *an_writer_how(const struct an_solver *s)
{
    const struct an_writer *w = an_component_of(s, &an_writer_component);
    return w ? w->how : "";
}

static void writer_destroy(struct an_solver *s, void *component)
{
    struct an_writer *w = component;
    wait_for(w);
    an_host_copy_free(s, &w->copy);
    an_snapshot_controls_free(&w->meta);
    MPI_Comm_free(&w->comm);
    free(w);
}

const struct an_component_type an_writer_component = {
    .name = "snapshots", .after = AN_AFTER(AN_ALL_OTHERS), .destroy = writer_destroy};

int an_solver_write(struct an_solver *s, char *path)
{
    struct an_written w;
    AN_TRY(an_writer_start(s));
    const int status = an_writer_finish(s, &w);
    snprintf(path, 1024, "%s", w.path);
    return status;
}
