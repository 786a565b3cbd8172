/* A stand-in for libcatalyst of ParaView Catalyst 2: the functions that the program calls, by the same names and
 * with the same arguments. It draws nothing, but writes the nodes it is given below $CATALYST_DOUBLE, for a test to look at:
 *
 *     RANK/NNN_initialize, NNN_execute, NNN_finalize   a file for each call, NNN its number
 *
 * Each line of a file is `path type count value`; arrays stand in RANK/NNN.bin, one behind the other, and their value is
 * the offset in bytes. $CATALYST_DOUBLE_FAILS: the number of the call that fails with status 100. $CATALYST_DOUBLE_SLOW: each call takes a second
 * before it looks at the node. The thread
 * that made a call is noted: 1: the thread of the first call, 2: another one.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef void conduit_node;

struct leaf {
    char path[256];
    char type; /* s text, i int64, f float32, d float64 */
    int external;
    int64_t count;
    const void *external_data;
    char text[1200];
    int64_t integer;
    double real;
};
struct node {
    int n, room;
    struct leaf *leaf;
};

conduit_node *catalyst_conduit_node_create(void)
{
    return calloc(1, sizeof(struct node));
}

void catalyst_conduit_node_destroy(conduit_node *node)
{
    struct node *n = node;
    free(n->leaf);
    free(n);
}

static struct leaf *at(const conduit_node *node, const char *path)
{
    const struct node *n = node;
    for (int l = 0; l < n->n; l++)
        if (strcmp(n->leaf[l].path, path) == 0)
            return &n->leaf[l];
    return NULL;
}

static struct leaf *make(conduit_node *node, const char *path, char type, int64_t count,
                         const void *data)
{
    struct node *n = node;
    struct leaf *l = at(node, path);
    if (!l) {
        if (n->n == n->room)
            n->leaf = realloc(n->leaf, (size_t)(n->room = 2 * n->room + 16) * sizeof *n->leaf);
        l = &n->leaf[n->n++];
    }
    memset(l, 0, sizeof *l);
    snprintf(l->path, sizeof l->path, "%s", path);
    l->type = type;
    l->count = count;
    l->external_data = data;
    l->external = data != NULL;
    return l;
}

int catalyst_conduit_node_has_path(const conduit_node *node, const char *path)
{
    return at(node, path) != NULL;
}

char *catalyst_conduit_node_fetch_path_as_char8_str(conduit_node *node, const char *path)
{
    return at(node, path)->text;
}

void catalyst_conduit_node_set_path_char8_str(conduit_node *node, const char *path,
                                              const char *value)
{
    struct leaf *l = make(node, path, 's', 1, NULL);
    snprintf(l->text, sizeof l->text, "%s", value);
}

void catalyst_conduit_node_set_path_int64(conduit_node *node, const char *path, int64_t value)
{
    make(node, path, 'i', 1, NULL)->integer = value;
}

void catalyst_conduit_node_set_path_float64(conduit_node *node, const char *path, double value)
{
    make(node, path, 'd', 1, NULL)->real = value;
}

void catalyst_conduit_node_set_path_external_int64_ptr(conduit_node *node, const char *path,
                                                       int64_t *data, int64_t count)
{
    make(node, path, 'i', count, data);
}

void catalyst_conduit_node_set_path_external_float32_ptr(conduit_node *node, const char *path,
                                                         float *data, int64_t count)
{
    make(node, path, 'f', count, data);
}

void catalyst_conduit_node_set_path_external_float64_ptr(conduit_node *node, const char *path,
                                                         double *data, int64_t count)
{
    make(node, path, 'd', count, data);
}

static int record(const conduit_node *node, const char *what)
{
    static int calls;
    static pthread_t first;
    const struct node *n = node;
    const char *top = getenv("CATALYST_DOUBLE"), *fails = getenv("CATALYST_DOUBLE_FAILS");
    const char *rank =
        getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
    char name[2048];
    int64_t offset = 0;
    if (!calls++)
        first = pthread_self();
    if (!top)
        return 0;
    if (getenv("CATALYST_DOUBLE_SLOW"))
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    snprintf(name, sizeof name, "%s/%s", top, rank ? rank : "0");
    mkdir(name, 0777);
    snprintf(name, sizeof name, "%s/%s/%03d_%s", top, rank ? rank : "0", calls, what);
    FILE *list = fopen(name, "w");
    snprintf(name, sizeof name, "%s/%s/%03d.bin", top, rank ? rank : "0", calls);
    FILE *data = fopen(name, "wb");
    fprintf(list, "thread i 1 %d\n", pthread_equal(first, pthread_self()) ? 1 : 2);
    for (int i = 0; i < n->n; i++) {
        const struct leaf *l = &n->leaf[i];
        const size_t size = l->type == 'f' ? 4 : 8;
        fprintf(list, "%s %c %lld ", l->path, l->external ? (char)(l->type - 'a' + 'A') : l->type,
                (long long)l->count);
        if (l->external) {
            fprintf(list, "%lld\n", (long long)offset);
            offset += (int64_t)(fwrite(l->external_data, size, (size_t)l->count, data) * size);
        } else if (l->type == 's') {
            fprintf(list, "%s\n", l->text);
        } else if (l->type == 'i') {
            fprintf(list, "%lld\n", (long long)l->integer);
        } else {
            fprintf(list, "%.17g\n", l->real);
        }
    }
    fclose(data);
    fclose(list);
    return fails && atoi(fails) == calls ? 100 : 0;
}

int catalyst_initialize(const conduit_node *node)
{
    return record(node, "initialize");
}

int catalyst_execute(const conduit_node *node)
{
    return record(node, "execute");
}

int catalyst_finalize(const conduit_node *node)
{
    return record(node, "finalize");
}

int catalyst_about(conduit_node *node)
{
    catalyst_conduit_node_set_path_char8_str(node, "catalyst/version", "2.0.0");
    catalyst_conduit_node_set_path_char8_str(node, "catalyst/implementation", "double");
    return 0;
}
