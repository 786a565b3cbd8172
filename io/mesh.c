#include "io/mesh_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include "io/whole.h"

/* What can be said before the library sees the file. */
static int check_file(const char *path, struct an_diag *diag)
{
    static const char hdf5[8] = "\211HDF\r\n\032\n";
    char head[32] = "";
    struct stat s;
    if (strlen(path) >= sizeof((struct an_mesh *)0)->file) {
        an_diag_error(diag, NULL, "the name of the mesh file is too long: '%.60s...'", path);
        return AN_INPUT;
    }
    int fd = stat(path, &s) == 0 && !S_ISDIR(s.st_mode) ? open(path, O_RDONLY | O_NONBLOCK) : -1;
    if (fd < 0) {
        an_diag_error(diag, path, "cannot be opened: %s",
                      strerror(errno ? errno : (S_ISDIR(s.st_mode) ? EISDIR : EIO)));
        return AN_INPUT;
    }
    ssize_t got = S_ISREG(s.st_mode) ? an_read_rest(fd, head, sizeof head - 1) : 0;
    close(fd);
    if (got < 8 || (memcmp(head, hdf5, 8) != 0 && !strstr(head, "ADF Database"))) {
        an_diag_error(diag, path, "is not a CGNS file: it is neither HDF5 nor ADF");
        return AN_INPUT;
    }
    return AN_OK;
}

static int open_file(struct an_mesh_reader *r)
{
    int status = an_cgns_open(r->m->file, &r->m->fn);
    if (status == AN_OK && !r->root)
        status = an_cgns_tree_read(r->m->fn, &r->root);
    if (status != AN_OK) {
        an_diag_error(r->diag, r->m->file, "%s", an_error_text());
        an_cgns_close(r->m->fn);
        r->m->fn = -1;
    }
    return status;
}

/* The two ends of the span of a 2-D mesh. */
static int add_span_ends(struct an_mesh_reader *r)
{
    struct an_topology *t = &r->m->topology;
    if (r->m->dimension != 2)
        return AN_OK;
    int end[2] = {an_mesh_boundary(r, 0, "_span_min", AN_BC_SYMMETRY, 1),
                  an_mesh_boundary(r, 0, "_span_max", AN_BC_SYMMETRY, 1)};
    AN_CHECK(end[0] >= 0 && end[1] >= 0, AN_FAIL, "out of memory for the boundaries");
    for (int z = 0; z < t->nblock; z++)
        for (int side = 0; side < 2; side++) {
            struct an_window w = {z, 2, side, {0, 0, 0}, {t->block[z].n[0], t->block[z].n[1], 0}};
            AN_TRY(an_mesh_add_patch(r, &w, end[side]));
        }
    an_diag_warning(r->diag, r->m->file,
                    "2-D mesh: extruded to one cell of 1 m span in %sz between the symmetry planes "
                    "'_span_min' and '_span_max'",
                    r->m->span < 0 ? "-" : "");
    return AN_OK;
}

static uint64_t hash_topology(const struct an_topology *t)
{
    XXH64_state_t *state = XXH64_createState();
    if (!state)
        return 0;
    XXH64_reset(state, 1);
    for (int b = 0; b < t->nblock; b++) { /* not the bytes behind a name, which are anything */
        XXH64_update(state, t->block[b].name, strlen(t->block[b].name) + 1);
        XXH64_update(state, t->block[b].n, sizeof t->block[b].n);
    }
    for (int f = 0; f < t->ninterface; f++) {
        const struct an_interface *i = &t->interface[f];
        const int side[4] = {i->donor, i->donor_dir, i->donor_side, i->periodic};
        XXH64_update(state, &i->window, sizeof i->window);
        XXH64_update(state, &i->map, sizeof i->map);
        XXH64_update(state, side, sizeof side);
    }
    for (int p = 0; p < t->npatch; p++) {
        XXH64_update(state, &t->patch[p].window, sizeof t->patch[p].window);
        const char *name = t->boundary[t->patch[p].boundary].name;
        XXH64_update(state, name, strlen(name) + 1);
    }
    uint64_t hash = XXH64_digest(state);
    XXH64_freeState(state);
    return hash;
}

/* Both sides of a periodic interface get exactly inverse motions. */
static void join_periodic_pairs(struct an_topology *t)
{
    for (int f = 0; f < t->ninterface; f++) {
        struct an_interface mirror = an_interface_mirror(&t->interface[f]);
        int g = t->interface[f].partner;
        if (g <= f || !mirror.periodic)
            continue;
        memcpy(t->interface[g].rotation, mirror.rotation, sizeof mirror.rotation);
        memcpy(t->interface[g].translation, mirror.translation, sizeof mirror.translation);
    }
}

static int read_all(struct an_mesh_reader *r)
{
    struct an_mesh *m = r->m;
    AN_TRY(open_file(r));
    AN_TRY(an_mesh_find_base(r));
    AN_TRY(an_mesh_read_zones(r));
    AN_TRY(an_mesh_values_open(m, &m->values));
    AN_TRY(an_mesh_check_handedness(r));
    for (int z = 0; z < m->topology.nblock; z++) {
        AN_TRY(an_mesh_read_bocos(r, z));
        AN_TRY(an_mesh_read_connections(r, z));
    }
    an_mesh_reverse(r);
    AN_TRY(an_mesh_complete_interfaces(r));
    AN_TRY(an_mesh_join_families(r));
    AN_TRY(an_mesh_pair_abutting(r));
    AN_TRY(an_mesh_pair_planes(r));
    AN_TRY(add_span_ends(r));
    an_topology_check(&m->topology, m->file, r->diag);
    if (!r->diag->nerror)
        an_topology_warn_thin(&m->topology, m->file, r->diag);
    join_periodic_pairs(&m->topology);
    m->hash = hash_topology(&m->topology);
    return AN_OK;
}

/* *tree: the nodes of the file, NULL before they are known; the caller's to free. */
static int read_mesh(const char *path, const char *base, struct an_mesh *m, struct an_diag *diag,
                     struct an_cgns_node **tree)
{
    struct an_mesh_reader r = {.m = m, .diag = diag, .root = *tree, .wanted = base};
    int before = diag->nerror;
    memset(m, 0, sizeof *m);
    snprintf(m->file, sizeof m->file, "%s", path);
    m->fn = -1;
    m->span = 1.;
    m->to_metres = 1.;
    m->rate_unit = 1;
    int status = read_all(&r);
    if (status != AN_OK && diag->nerror == before)
        an_diag_error(diag, path, "%s", an_error_text());
    *tree = r.root;
    free(r.zone);
    free(r.plane);
    for (int n = 0; n < r.nabut; n++)
        free(r.abut[n].window);
    free(r.abut);
    return diag->nerror > before ? AN_INPUT : AN_OK;
}

/* Coordinates of small meshes are read whole in the child, too. */
#define PROBE_NODES 2000000

static void probe_coordinates(const struct an_mesh *m)
{
    if (m->fn < 0 || an_topology_cells(&m->topology) > PROBE_NODES)
        return;
    for (int z = 0; z < m->topology.nblock; z++) {
        const int *n = m->topology.block[z].n, lo[3] = {0, 0, 0};
        int hi[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
        size_t count = (size_t)hi[0] * (size_t)hi[1] * (size_t)hi[2];
        double *x = count < 8 * (size_t)PROBE_NODES ? malloc(3 * count * sizeof *x) : NULL;
        if (x)
            an_mesh_read_nodes(m, z, lo, hi, x);
        free(x);
    }
}

static int tell(int to, const char *text, size_t length)
{
    while (length) {
        const ssize_t wrote = write(to, text, length);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return 0;
        text += wrote;
        length -= (size_t)wrote;
    }
    return 1;
}

/* In the child. Exit status: 40 the file can be read (its nodes on the pipe), 41 it cannot be opened (text on the
 * pipe). */
static void probe(const char *path, const char *base, int pipe_end)
{
    struct an_diag diag;
    struct an_mesh m;
    struct an_cgns_node *tree = NULL;
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGTERM};
    struct stat s;
    for (size_t n = 0; n < sizeof signals / sizeof *signals; n++)
        signal(signals[n], SIG_DFL);
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, 1);
        dup2(null, 2);
    }
    /* 20 s of processor time and what a large file needs; a slow disk or a busy machine takes none */
    const struct itimerval most = {.it_value.tv_sec =
                                       20 + (stat(path, &s) == 0 ? s.st_size / 1000000 : 0)};
    setitimer(ITIMER_PROF, &most, NULL);
    an_diag_init(&diag);
    read_mesh(path, base, &m, &diag, &tree);
    if (m.fn < 0 && diag.nline > 0)
        _exit(tell(pipe_end, diag.line[0], strlen(diag.line[0])) ? 41 : 42);
    probe_coordinates(&m);
    size_t bytes = 0;
    const char *packed = an_cgns_tree_pack(tree, &bytes);
    _exit(!packed || tell(pipe_end, packed, bytes) ? 40 : 42);
}

/* A child that reads a file: 0 if there is none. */
struct probed {
    char path[sizeof((struct an_mesh *)0)->file], base[AN_NAME];
    pid_t child;
    int from; /* the pipe's end */
};
static struct probed begun; /* by an_mesh_open_begin */

static struct probed begin_probe(const char *path, const char *base)
{
    const char *wanted = getenv("AN_MESH_PROBE");
    struct probed p = {.child = 0};
    int end[2];
    snprintf(p.path, sizeof p.path, "%s", path);
    snprintf(p.base, sizeof p.base, "%s", base);
    if ((wanted && strcmp(wanted, "0") == 0) || pipe(end) != 0)
        return p;
    p.child = fork();
    if (p.child == 0)
        probe(path, base, end[1]);
    close(end[1]);
    p.from = end[0];
    if (p.child < 0) {
        close(end[0]);
        p.child = 0;
    }
    return p;
}

/* All that comes from a pipe, closed by a zero; NULL without memory. */
static char *listen(int from, size_t *length)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    *length = 0;
    while (text) {
        const ssize_t got = read(from, text + *length, room - 1 - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        *length += (size_t)got;
        if (room - 1 - *length > 0)
            continue;
        char *grown = realloc(text, room *= 2);
        if (!grown)
            free(text);
        text = grown;
    }
    if (text)
        text[*length] = '\0';
    return text;
}

/* *tree: the nodes that the child read; NULL where there was none. */
static int survives_probe(const char *path, const char *base, struct an_diag *diag,
                          struct an_cgns_node **tree)
{
    const int mine = begun.child && !strcmp(begun.path, path) && !strcmp(begun.base, base);
    const struct probed p = mine ? begun : begin_probe(path, base);
    int status = 0;
    size_t length = 0;
    if (!p.child)
        return 1;
    begun.child = begun.child == p.child ? 0 : begun.child;
    char *text = listen(p.from, &length);
    close(p.from);
    while (waitpid(p.child, &status, 0) < 0 && errno == EINTR)
        ;
    const int good = WIFEXITED(status) && WEXITSTATUS(status) == 40;
    if (good && text) {
        *tree = an_cgns_tree_unpack(text, length);
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 41 && text) {
        const char *kind = strstr(text, ": error: "); /* the child's line, less its kind */
        an_diag_error(diag, path, "%s", kind ? kind + 9 : text);
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) {
        an_diag_error(diag, path, "is damaged: reading it does not end");
    } else if (!good) {
        an_diag_error(diag, path, "is damaged: the CGNS library fails while reading it");
    }
    free(text);
    return good;
}

void an_mesh_open_begin(const char *path, const char *base)
{
    struct an_diag diag;
    an_diag_init(&diag); /* faults are found again and told by an_mesh_open */
    if (!begun.child && check_file(path, &diag) == AN_OK)
        begun = begin_probe(path, base);
    an_diag_free(&diag);
}

/* A child that nobody waited for. */
static void end_probe(void)
{
    if (!begun.child)
        return;
    close(begun.from);
    kill(begun.child, SIGKILL);
    while (waitpid(begun.child, NULL, 0) < 0 && errno == EINTR)
        ;
    begun.child = 0;
}

static int open_mesh(const char *path, const char *base, struct an_mesh *m, struct an_diag *diag)
{
    memset(m, 0, sizeof *m);
    m->fn = -1;
    errno = 0;
    AN_TRY(check_file(path, diag));
    an_mesh_mark_set(&m->mark, path);
    struct an_cgns_node *tree = NULL;
    if (!survives_probe(path, base, diag, &tree))
        return AN_INPUT;
    const struct an_mesh_mark mark = m->mark;
    const int status = read_mesh(path, base, m, diag, &tree);
    an_cgns_tree_free(tree);
    m->mark = mark;
    return status;
}

int an_mesh_open_base(const char *path, const char *base, struct an_mesh *m, struct an_diag *diag)
{
    const int status = open_mesh(path, base, m, diag);
    end_probe();
    return status;
}

int an_mesh_open(const char *path, struct an_mesh *m, struct an_diag *diag)
{
    return an_mesh_open_base(path, "", m, diag);
}

int an_mesh_has_base(const struct an_mesh *m, const char *base)
{
    return an_cgns_has(m->fn, base);
}

int an_mesh_reopen(struct an_mesh *m)
{
    m->fn = -1;
    m->values = NULL;
    AN_CHECK(an_mesh_mark_look(&m->mark, m->file) == AN_MESH_SAME, AN_INPUT,
             "%s was changed while it was opened", m->file);
    if (an_cgns_open(m->file, &m->fn) != AN_OK) {
        char text[512];
        snprintf(text, sizeof text, "%.511s", an_error_text());
        return an_error_set(AN_INPUT, "%s %s", m->file, text);
    }
    return an_mesh_values_open(m, &m->values);
}

int an_mesh_renew(struct an_mesh *m)
{
    an_mesh_values_close(m->values);
    an_cgns_close(m->fn);
    return an_mesh_reopen(m);
}

void an_mesh_close(struct an_mesh *m)
{
    an_mesh_values_close(m->values);
    m->values = NULL;
    an_cgns_close(m->fn);
    m->fn = -1;
    free(m->scale);
    free(m->listed);
    m->scale = NULL;
    m->listed = NULL;
    an_topology_free(&m->topology);
    if (m->file_order)
        an_topology_free(m->file_order);
    free(m->file_order);
    free(m->turn);
    m->file_order = NULL;
    m->turn = NULL;
}
