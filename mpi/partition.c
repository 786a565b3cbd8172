#include "mpi/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/partition_cut.h"

/* --- a heap of nodes or ranks: lowest key first, then lowest id ------------------------------- */

struct item {
    int64_t key;
    int id;
};

struct heap {
    int n, capacity;
    struct item *item; /* owned */
};

static bool before(struct item a, struct item b)
{
    return a.key != b.key ? a.key < b.key : a.id < b.id;
}

static int heap_push(struct heap *h, int64_t key, int id)
{
    if (h->n == h->capacity) {
        int capacity = 2 * h->capacity + 64;
        struct item *grown = realloc(h->item, (size_t)capacity * sizeof *grown);
        AN_CHECK(grown, AN_FAIL, "out of memory for %d pieces of the mesh", capacity);
        h->item = grown;
        h->capacity = capacity;
    }
    struct item item = {key, id};
    int at = h->n++;
    for (; at > 0 && before(item, h->item[(at - 1) / 2]); at = (at - 1) / 2)
        h->item[at] = h->item[(at - 1) / 2];
    h->item[at] = item;
    return AN_OK;
}

static struct item heap_pop(struct heap *h)
{
    struct item top = h->item[0], last = h->item[--h->n];
    int at = 0;
    for (int child; (child = 2 * at + 1) < h->n; at = child) {
        if (child + 1 < h->n && before(h->item[child + 1], h->item[child]))
            child++;
        if (!before(h->item[child], last))
            break;
        h->item[at] = h->item[child];
    }
    if (h->n)
        h->item[at] = last;
    return top;
}

/* --- one attempt ---------------------------------------------------------------------------- */

struct plan {
    struct an_cut_tree tree;
    int nrank;
    double target;  /* cells per rank */
    double balance; /* accepted load of a rank over target */
    int64_t *load;  /* cells per rank, owned */
};

/* Cuts zones that are worth many targets into halves worth whole targets, so that pieces
 * stay compact instead of becoming a stack of slices. `target`: wanted number of cells of a piece.
 */
static int cut_large(struct plan *p, double target)
{
    struct an_cut_tree *t = &p->tree;
    double slack = 0.5 * (p->balance - 1);
    for (int n = 0; n < t->nnode; n++) { /* grows while it runs */
        if (t->node[n].child >= 0)
            continue;
        double cells = (double)an_cut_cells(&t->node[n]);
        double shares = cells / target, whole = nearbyint(shares);
        if (shares <= p->balance)
            continue;
        double want;
        if (fabs(shares - whole) <= slack * whole)
            want = cells * floor(whole / 2) / whole;
        else
            want = target * floor(shares / 2);
        if (want <= 0)
            continue; /* worth between one and two targets: the greedy step places it */
        struct an_cut_plane plane;
        if (an_cut_find(t, n, want, slack * target, t->multiple, &plane))
            AN_TRY(an_cut_apply(t, n, &plane));
    }
    return AN_OK;
}

/* Gives the largest leaf to the emptiest rank; a leaf that would overfill the rank is cut where the
 * rank meets its target. */
static int fill_ranks(struct plan *p, bool may_cut)
{
    struct an_cut_tree *t = &p->tree;
    struct heap blocks = {0}, ranks = {0};
    int status = AN_OK;
    for (int n = 0; n < t->nnode && status == AN_OK; n++)
        if (t->node[n].child < 0)
            status = heap_push(&blocks, -an_cut_cells(&t->node[n]), n);
    for (int r = 0; r < p->nrank && status == AN_OK; r++)
        status = heap_push(&ranks, 0, r);
    double slack = 0.5 * (p->balance - 1) * p->target;
    while (blocks.n && status == AN_OK) {
        int node = heap_pop(&blocks).id;
        struct item rank = heap_pop(&ranks);
        double room = p->target - (double)rank.key;
        double over = (double)an_cut_cells(&t->node[node]) - room;
        struct an_cut_plane plane;
        if (may_cut && over > (p->balance - 1) * p->target &&
            an_cut_find(t, node, room, slack, t->multiple, &plane) &&
            fabs((double)plane.low - room) < over) {
            status = an_cut_apply(t, node, &plane);
            if (status != AN_OK)
                break;
            node = t->node[node].child;
            status = heap_push(&blocks, -an_cut_cells(&t->node[node + 1]), node + 1);
        }
        t->node[node].rank = rank.id;
        if (status == AN_OK)
            status = heap_push(&ranks, rank.key + an_cut_cells(&t->node[node]), rank.id);
    }
    for (int r = 0; r < ranks.n && status == AN_OK; r++)
        p->load[ranks.item[r].id] = ranks.item[r].key;
    free(blocks.item);
    free(ranks.item);
    return status;
}

/* Halves the largest leaves at multiples of the thinnest piece until there is one for each rank:
 * reaches every number of pieces that can be reached. */
static int cut_to_feed(struct plan *p)
{
    struct an_cut_tree *t = &p->tree;
    struct heap blocks = {0};
    int status = AN_OK, leaves = t->nzone;
    for (int n = 0; n < t->nzone && status == AN_OK; n++)
        status = heap_push(&blocks, -an_cut_cells(&t->node[n]), n);
    while (status == AN_OK && leaves < p->nrank && blocks.n) {
        int node = heap_pop(&blocks).id;
        struct an_cut_plane plane;
        double half = 0.5 * (double)an_cut_cells(&t->node[node]);
        if (!an_cut_find(t, node, half, half, t->thin, &plane))
            continue;
        status = an_cut_apply(t, node, &plane);
        for (int c = 0; c < 2 && status == AN_OK; c++) {
            int child = t->node[node].child + c;
            status = heap_push(&blocks, -an_cut_cells(&t->node[child]), child);
        }
        leaves++;
    }
    free(blocks.item);
    return status;
}

static void plan_free(struct plan *p)
{
    an_cut_tree_free(&p->tree);
    free(p->load);
    p->load = NULL;
}

/* The whole zones, before any cut. */
static int tree_new(const struct an_topology *mesh, const struct an_partition_options *opt,
                    struct an_cut_tree *t)
{
    const int multiple = 1 << (opt->levels - 1), wanted = opt->min_cells ? opt->min_cells : 4;
    const int thin = wanted > AN_GHOST * multiple ? wanted : AN_GHOST * multiple;
    const int status = an_cut_tree_new(mesh, multiple, thin, t);
    t->uncut = opt->uncut;
    return status;
}

/* grain > 0: pieces of up to target / grain cells; 0: as many pieces as ranks, whatever it costs.
 */
static int plan_new(const struct an_topology *mesh, int nrank,
                    const struct an_partition_options *opt, int grain, struct plan *p)
{
    *p = (struct plan){.nrank = nrank,
                       .target = (double)an_topology_cells(mesh) / nrank,
                       .balance = opt->balance > 1 ? opt->balance : 1,
                       .load = calloc((size_t)nrank, sizeof *p->load)};
    int status = p->load ? tree_new(mesh, opt, &p->tree)
                         : an_error_set(AN_FAIL, "out of memory for %d ranks", nrank);
    if (status == AN_OK)
        status = grain ? cut_large(p, p->target / grain) : cut_to_feed(p);
    if (status == AN_OK)
        status = fill_ranks(p, grain > 0);
    if (status != AN_OK)
        plan_free(p);
    return status;
}

/* Largest load over target; infinite when a rank has nothing to do. */
static double plan_cost(const struct plan *p)
{
    int64_t most = 0;
    for (int r = 0; r < p->nrank; r++) {
        if (p->load[r] == 0)
            return INFINITY;
        most = p->load[r] > most ? p->load[r] : most;
    }
    return (double)most / p->target;
}

/* Finer and finer grain until the balance is met; the best of all, coarser ones first. */
static int plan_best(const struct an_topology *mesh, int nrank,
                     const struct an_partition_options *opt, struct plan *best)
{
    static const int grain[] = {1, 2, 3, 4, 6, 8, 0};
    double cost = INFINITY;
    *best = (struct plan){0};
    for (size_t g = 0; g < sizeof grain / sizeof *grain && cost > opt->balance; g++) {
        if (grain[g] == 0 && cost < INFINITY)
            break;
        struct plan p;
        int status = plan_new(mesh, nrank, opt, grain[g], &p);
        if (status != AN_OK) {
            plan_free(best);
            return status;
        }
        double c = plan_cost(&p);
        if (!best->load || c < 0.995 * cost) { /* more pieces have to lower the cost by 0.5 % */
            plan_free(best);
            *best = p;
            cost = c;
        } else {
            plan_free(&p);
        }
    }
    return AN_OK;
}

/* --- from a plan to a partition --------------------------------------------------------------- */

static int cut_to_size(struct an_cut_tree *t, int64_t most)
{
    for (int n = 0; n < t->nnode; n++) { /* grows while it runs */
        int64_t cells = an_cut_cells(&t->node[n]);
        struct an_cut_plane plane;
        if (t->node[n].child < 0 && cells > most &&
            an_cut_find(t, n, 0.5 * (double)cells, 0.1 * (double)cells, t->multiple, &plane))
            AN_TRY(an_cut_apply(t, n, &plane));
    }
    return AN_OK;
}

/* Ranks are numbered in the order of the trees' leaves: neighbours in a zone get near ranks, which
 * launchers put on the same node. */
static void number_ranks(const struct an_cut_tree *t, int node, int *number, int *count)
{
    struct an_cut_node *n = &t->node[node];
    if (n->child >= 0) {
        number_ranks(t, n->child, number, count);
        number_ranks(t, n->child + 1, number, count);
        return;
    }
    if (number[n->rank] < 0)
        number[n->rank] = (*count)++;
    n->rank = number[n->rank];
}

static int compare_pieces(const void *a, const void *b)
{
    const struct an_cut_node *p = *(struct an_cut_node *const *)a;
    const struct an_cut_node *q = *(struct an_cut_node *const *)b;
    if (p->zone != q->zone)
        return p->zone < q->zone ? -1 : 1;
    for (int d = 2; d >= 0; d--)
        if (p->lo[d] != q->lo[d])
            return p->lo[d] < q->lo[d] ? -1 : 1;
    return 0;
}

static int collect_pieces(struct an_cut_tree *t, struct an_partition *p)
{
    struct an_cut_node **leaf = malloc((size_t)t->nnode * sizeof(struct an_cut_node *));
    p->piece = malloc((size_t)t->nnode * sizeof *p->piece);
    if (!leaf || !p->piece) {
        free(leaf);
        return an_error_set(AN_FAIL, "out of memory for the pieces of the mesh");
    }
    for (int n = 0; n < t->nnode; n++)
        if (t->node[n].child < 0)
            leaf[p->npiece++] = &t->node[n];
    qsort(leaf, (size_t)p->npiece, sizeof(struct an_cut_node *), compare_pieces);
    for (int n = 0; n < p->npiece; n++) {
        leaf[n]->piece = n;
        p->piece[n] = (struct an_piece){.zone = leaf[n]->zone, .rank = leaf[n]->rank};
        memcpy(p->piece[n].lo, leaf[n]->lo, sizeof leaf[n]->lo);
        memcpy(p->piece[n].hi, leaf[n]->hi, sizeof leaf[n]->hi);
    }
    free(leaf);
    return AN_OK;
}

static int finish(const struct an_topology *mesh, const struct an_partition_options *opt,
                  struct plan *plan, struct an_partition *p)
{
    if (opt->max_piece_cells > 0)
        AN_TRY(cut_to_size(&plan->tree, opt->max_piece_cells));
    int *number = malloc((size_t)p->nrank * sizeof *number), count = 0;
    AN_CHECK(number, AN_FAIL, "out of memory for %d ranks", p->nrank);
    for (int r = 0; r < p->nrank; r++)
        number[r] = -1;
    for (int z = 0; z < plan->tree.nzone; z++)
        number_ranks(&plan->tree, z, number, &count);
    free(number);
    AN_TRY(collect_pieces(&plan->tree, p));
    return an_cut_topology(mesh, &plan->tree, p->npiece, &p->topology);
}

int an_partition_most(const struct an_topology *mesh, const struct an_partition_options *opt,
                      int64_t *most, char *why)
{
    struct an_cut_tree t = {0};
    char levels[96] = "";
    const int status = tree_new(mesh, opt, &t);
    if (status == AN_OK) {
        *most = an_cut_most_pieces(&t);
        if (t.multiple > 1)
            snprintf(levels, sizeof levels,
                     " and cut at multiples of %d cells (%d multigrid levels)", t.multiple,
                     opt->levels);
        snprintf(why, AN_PARTITION_WHY,
                 "the %d zone%s of the mesh (%lld cells) can be cut into at most %lld piece%s, "
                 "because pieces are at least %d cells thick%s",
                 mesh->nblock, mesh->nblock == 1 ? "" : "s", (long long)an_topology_cells(mesh),
                 (long long)*most, *most == 1 ? "" : "s", t.thin, levels);
    }
    an_cut_tree_free(&t);
    return status;
}

/* Refuses more ranks than the mesh can feed, and says how many are possible. */
static int check_feed(const struct an_topology *mesh, int nrank,
                      const struct an_partition_options *opt)
{
    int64_t most;
    char why[AN_PARTITION_WHY];
    AN_TRY(an_partition_most(mesh, opt, &most, why));
    AN_CHECK(nrank <= most, AN_INPUT,
             "%d ranks are more than the mesh can feed: %s. Use at most %lld rank%s%s.", nrank, why,
             (long long)most, most == 1 ? "" : "s",
             opt->levels > 1 ? " or fewer multigrid levels" : "");
    return AN_OK;
}

int an_partition_new(const struct an_topology *mesh, int nrank,
                     const struct an_partition_options *opt, struct an_partition *p)
{
    *p = (struct an_partition){.nrank = nrank};
    an_topology_init(&p->topology);
    AN_CHECK(nrank >= 1, AN_INPUT, "the number of ranks is %d", nrank);
    AN_CHECK(opt->levels >= 1 && opt->levels <= 16, AN_INPUT,
             "the number of multigrid levels is %d, not 1 to 16", opt->levels);
    AN_CHECK(opt->min_cells == 0 || opt->min_cells >= AN_GHOST, AN_INPUT,
             "the thinnest piece has %d cells, fewer than the %d ghost layers", opt->min_cells,
             AN_GHOST);
    AN_CHECK(mesh->nblock > 0, AN_INPUT, "the mesh has no zones");

    struct plan plan = {0};
    int status = plan_best(mesh, nrank, opt, &plan);
    if (status == AN_OK)
        status = check_feed(mesh, nrank, opt);
    if (status == AN_OK)
        status = finish(mesh, opt, &plan, p);
    if (status == AN_OK)
        status = an_partition_nodes(p, opt->ranks_per_node);
    plan_free(&plan);
    if (status != AN_OK)
        an_partition_free(p);
    return status;
}

void an_partition_free(struct an_partition *p)
{
    free(p->piece);
    an_topology_free(&p->topology);
    *p = (struct an_partition){0};
}
