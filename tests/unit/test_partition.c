/* Pieces cover the mesh once, their interfaces lead where those of the mesh lead, ranks are fed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/base/error.h"
#include "mpi/halo.h"
#include "mpi/partition.h"
#include "tests/unit/synthetic.h"

static const struct an_partition_options plain = {.levels = 1, .balance = 1.05};

static int partition(const struct an_topology *mesh, int nrank,
                     const struct an_partition_options *opt, struct an_partition *p)
{
    int status = an_partition_new(mesh, nrank, opt, p);
    if (status != AN_OK)
        print_message("%s\n", an_error_text());
    return status;
}

static void check_clean(const struct an_topology *t)
{
    struct an_topology copy;
    struct an_diag diag;
    an_diag_init(&diag);
    assert_int_equal(an_topology_copy(t, &copy), AN_OK);
    an_topology_check(&copy, "test", &diag);
    for (int l = 0; l < diag.nline && l < 5; l++)
        print_message("%s\n", diag.line[l]);
    assert_int_equal(diag.nerror, 0);
    an_diag_free(&diag);
    an_topology_free(&copy);
    for (int f = 0; f < t->ninterface; f++) {
        assert_in_range(t->interface[f].partner, 0, t->ninterface - 1);
        assert_int_equal(t->interface[t->interface[f].partner].partner, f);
    }
}

static void check_cover(const struct an_topology *mesh, const struct an_partition *p)
{
    int *fed = calloc((size_t)p->nrank, sizeof *fed);
    for (int z = 0; z < mesh->nblock; z++) {
        const int *n = mesh->block[z].n;
        unsigned char *seen = calloc((size_t)n[0] * n[1] * n[2], 1);
        for (int b = 0; b < p->npiece; b++) {
            const struct an_piece *q = &p->piece[b];
            if (q->zone != z)
                continue;
            for (int d = 0; d < 3; d++) {
                assert_true(0 <= q->lo[d] && q->lo[d] < q->hi[d] && q->hi[d] <= n[d]);
                assert_int_equal(p->topology.block[b].n[d], q->hi[d] - q->lo[d]);
            }
            assert_in_range(q->rank, 0, p->nrank - 1);
            fed[q->rank] = 1;
            for (int k = q->lo[2]; k < q->hi[2]; k++)
                for (int j = q->lo[1]; j < q->hi[1]; j++)
                    for (int i = q->lo[0]; i < q->hi[0]; i++)
                        assert_int_equal(seen[((size_t)k * n[1] + j) * n[0] + i]++, 0);
        }
        for (size_t c = 0; c < (size_t)n[0] * n[1] * n[2]; c++)
            assert_int_equal(seen[c], 1);
        free(seen);
    }
    for (int r = 0; r < p->nrank; r++)
        assert_int_equal(fed[r], 1);
    free(fed);
    for (int b = 1; b < p->npiece; b++) {
        const struct an_piece *a = &p->piece[b - 1], *c = &p->piece[b];
        int order = a->zone - c->zone;
        for (int d = 2; d >= 0 && order == 0; d--)
            order = a->lo[d] - c->lo[d];
        assert_true(order < 0);
    }
}

/* The one interface of the mesh through which cell c, outside zone z, is reached. */
static const struct an_interface *interface_at(const struct an_topology *mesh, int z, int dir,
                                               int side, const int c[3])
{
    const struct an_interface *found = NULL;
    for (int f = 0; f < mesh->ninterface; f++) {
        const struct an_window *w = &mesh->interface[f].window;
        int inside = w->block == z && w->dir == dir && w->side == side;
        for (int d = 0; d < 3; d++)
            inside = inside && (d == dir || (w->lo[d] <= c[d] && c[d] < w->hi[d]));
        if (inside) {
            assert_null(found);
            found = &mesh->interface[f];
        }
    }
    assert_non_null(found);
    return found;
}

static void check_ghost(const struct an_topology *mesh, const struct an_partition *p,
                        const struct an_interface *f, const int c[3])
{
    const struct an_piece *here = &p->piece[f->window.block], *there = &p->piece[f->donor];
    int dir = f->window.dir, zone_cell[3], expected[3], got[3], donor = here->zone;
    for (int d = 0; d < 3; d++)
        expected[d] = zone_cell[d] = c[d] + here->lo[d];
    if (zone_cell[dir] < 0 || zone_cell[dir] >= mesh->block[here->zone].n[dir]) {
        const struct an_interface *g =
            interface_at(mesh, here->zone, dir, f->window.side, zone_cell);
        an_cellmap_apply(&g->map, zone_cell, expected);
        donor = g->donor;
        assert_string_equal(f->name, g->name);
        assert_int_equal(f->periodic, g->periodic);
        assert_memory_equal(f->rotation, g->rotation, sizeof g->rotation);
        assert_memory_equal(f->translation, g->translation, sizeof g->translation);
    } else {
        assert_string_equal(f->name, "cut");
        assert_int_equal(f->periodic, 0);
        for (int d = 0; d < 9; d++)
            assert_true(f->rotation[d] == (d % 4 == 0));
    }
    an_cellmap_apply(&f->map, c, got);
    assert_int_equal(there->zone, donor);
    for (int d = 0; d < 3; d++) {
        assert_in_range(got[d], 0, p->topology.block[f->donor].n[d] - 1);
        assert_int_equal(got[d] + there->lo[d], expected[d]);
    }
}

static void check_interfaces(const struct an_topology *mesh, const struct an_partition *p)
{
    for (int f = 0; f < p->topology.ninterface; f++) {
        const struct an_interface *face = &p->topology.interface[f];
        const struct an_window *w = &face->window;
        int lo[3], hi[3], c[3];
        memcpy(lo, w->lo, sizeof lo);
        memcpy(hi, w->hi, sizeof hi);
        lo[w->dir] = w->side ? p->topology.block[w->block].n[w->dir] : -AN_GHOST;
        hi[w->dir] = lo[w->dir] + AN_GHOST;
        for (c[2] = lo[2]; c[2] < hi[2]; c[2]++)
            for (c[1] = lo[1]; c[1] < hi[1]; c[1]++)
                for (c[0] = lo[0]; c[0] < hi[0]; c[0]++)
                    check_ghost(mesh, p, face, c);
    }
}

/* Each share of a patch lies in a patch of the same boundary; the areas agree. */
static void check_patches(const struct an_topology *mesh, const struct an_partition *p)
{
    const struct an_topology *t[2] = {mesh, &p->topology};
    int64_t area[2][6] = {{0}};
    assert_int_equal(p->topology.nboundary, mesh->nboundary);
    for (int s = 0; s < 2; s++)
        for (int n = 0; n < t[s]->npatch; n++) {
            const struct an_window *w = &t[s]->patch[n].window;
            int64_t a = 1;
            for (int d = 0; d < 3; d++)
                a *= d == w->dir ? 1 : w->hi[d] - w->lo[d];
            area[s][t[s]->patch[n].boundary] += a;
        }
    assert_memory_equal(area[0], area[1], sizeof area[0]);
    for (int n = 0; n < p->topology.npatch; n++) {
        const struct an_patch *q = &p->topology.patch[n];
        const struct an_piece *piece = &p->piece[q->window.block];
        int found = 0;
        for (int m = 0; m < mesh->npatch; m++) {
            const struct an_patch *whole = &mesh->patch[m];
            int inside = whole->boundary == q->boundary && whole->window.block == piece->zone &&
                         whole->window.dir == q->window.dir && whole->window.side == q->window.side;
            for (int d = 0; d < 3; d++)
                inside = inside && (d == q->window.dir ||
                                    (whole->window.lo[d] <= q->window.lo[d] + piece->lo[d] &&
                                     q->window.hi[d] + piece->lo[d] <= whole->window.hi[d]));
            found += inside;
        }
        assert_int_equal(found, 1);
    }
}

static void check_all(const struct an_topology *mesh, const struct an_partition *p,
                      const struct an_partition_options *opt)
{
    check_cover(mesh, p);
    check_clean(&p->topology);
    check_interfaces(mesh, p);
    check_patches(mesh, p);
    int multiple = 1 << (opt->levels - 1), thin = opt->min_cells ? opt->min_cells : 4;
    for (int b = 0; b < p->npiece; b++)
        for (int d = 0; d < 3; d++) {
            const struct an_piece *q = &p->piece[b];
            int whole = q->lo[d] == 0 && q->hi[d] == mesh->block[q->zone].n[d];
            assert_int_equal(q->lo[d] % multiple, 0);
            assert_true(whole || q->hi[d] - q->lo[d] >= thin);
            assert_true(whole || q->hi[d] - q->lo[d] >= AN_GHOST * multiple);
        }
}

static void random_meshes_keep_every_invariant(void **unused)
{
    (void)unused;
    int turns[48] = {0}, self = 0, seen = 0;
    for (unsigned seed = 1; seed <= 60; seed++) {
        unsigned state = seed * 77;
        int size[3], periodic[3] = {0};
        for (int d = 0; d < 3; d++)
            size[d] = 8 * (1 + synthetic_random(&state, 3));
        periodic[0] = synthetic_random(&state, 2);
        periodic[1] = synthetic_random(&state, 3);
        periodic[2] = synthetic_random(&state, 2);
        struct synthetic s;
        synthetic_new(seed, size, 1 + synthetic_random(&state, 12), 4, 4, periodic, &s);
        struct an_topology *mesh = &s.mesh;
        for (int f = 0; f < mesh->ninterface; f++) {
            const struct an_cellmap *m = &mesh->interface[f].map;
            int code = (m->perm[0] * 2 + ((m->perm[1] - m->perm[0] + 3) % 3 - 1)) * 8;
            code += (m->sign[0] < 0) + 2 * (m->sign[1] < 0) + 4 * (m->sign[2] < 0);
            seen += turns[code]++ == 0;
            self += mesh->interface[f].donor == mesh->interface[f].window.block;
        }
        struct an_partition_options opt = {.levels = 1 + synthetic_random(&state, 2),
                                           .min_cells = 2 + synthetic_random(&state, 3),
                                           .balance = 1.05};
        if (synthetic_random(&state, 2))
            opt.max_piece_cells = 60 + synthetic_random(&state, 400);
        struct an_partition p;
        int nrank = 1 + synthetic_random(&state, size[0] * size[1] * size[2] / 64);
        assert_int_equal(partition(mesh, nrank, &opt, &p), AN_OK);
        check_all(mesh, &p, &opt);
        an_partition_free(&p);
        synthetic_free(&s);
    }
    assert_int_equal(seen, 24);
    assert_true(self > 0);
}

static void c_grids_are_cut_along_their_wake(void **unused)
{
    (void)unused;
    struct an_topology mesh;
    synthetic_c_grid(12, 20, 8, 8, &mesh);
    for (int nrank = 1; nrank <= 40; nrank++) {
        struct an_partition_options opt = {.levels = 1, .balance = 1.05, .min_cells = 2};
        opt.max_piece_cells = nrank % 2 ? 0 : 50;
        struct an_partition p;
        assert_int_equal(partition(&mesh, nrank, &opt, &p), AN_OK);
        check_all(&mesh, &p, &opt);
        an_partition_free(&p);
    }
    an_topology_free(&mesh);
}

static void loads_are_even(void **unused)
{
    (void)unused;
    double worst = 0;
    int pieces = 0, ranks = 0;
    for (unsigned seed = 1; seed <= 40; seed++) {
        unsigned state = seed * 91;
        struct synthetic s;
        synthetic_new(seed, (int[3]){192, 96, 64}, 1 + synthetic_random(&state, 20), 8, 8,
                      (int[3]){0, 2, 0}, &s);
        for (int nrank = 1; nrank <= 24; nrank += 1 + synthetic_random(&state, 4))
            for (int levels = 1; levels <= 3; levels++) {
                struct an_partition_options opt = {.levels = levels, .balance = 1.05};
                struct an_partition p;
                assert_int_equal(partition(&s.mesh, nrank, &opt, &p), AN_OK);
                double imbalance = an_partition_imbalance(&p);
                worst = imbalance > worst ? imbalance : worst;
                pieces += p.npiece;
                ranks += nrank > s.mesh.nblock ? nrank : s.mesh.nblock;
                an_partition_free(&p);
            }
        synthetic_free(&s);
    }
    print_message("worst imbalance %.3f, pieces over max(ranks, zones) %.2f\n", worst,
                  (double)pieces / ranks);
    assert_true(worst <= 1.10);
    assert_true(pieces <= 2 * ranks);
}

static void one_zone_gives_compact_pieces(void **unused)
{
    (void)unused;
    struct synthetic s;
    synthetic_new(1, (int[3]){96, 96, 96}, 1, 8, 8, (int[3]){0}, &s);
    for (int nrank = 1; nrank <= 64; nrank *= 2) {
        struct an_partition p;
        struct an_partition_options opt = {.levels = 3, .balance = 1.05};
        assert_int_equal(partition(&s.mesh, nrank, &opt, &p), AN_OK);
        assert_int_equal(p.npiece, nrank);
        assert_true(an_partition_imbalance(&p) == 1);
        for (int b = 0; b < p.npiece; b++)
            for (int d = 0; d < 3; d++)
                assert_true(p.topology.block[b].n[d] >= (nrank == 64 ? 24 : 48) || nrank > 8);
        an_partition_free(&p);
    }
    synthetic_free(&s);
}

static void all_ranks_are_fed_or_refused(void **unused)
{
    (void)unused;
    struct synthetic s;
    struct an_partition p;
    synthetic_new(3, (int[3]){24, 20, 11}, 3, 4, 4, (int[3]){0}, &s);
    int most = 0;
    for (int z = 0; z < s.mesh.nblock; z++) {
        const int *n = s.mesh.block[z].n;
        most += (n[0] / 4 ? n[0] / 4 : 1) * (n[1] / 4 ? n[1] / 4 : 1) * (n[2] / 4 ? n[2] / 4 : 1);
    }
    for (int nrank = 1; nrank <= most; nrank++) {
        assert_int_equal(partition(&s.mesh, nrank, &plain, &p), AN_OK);
        check_cover(&s.mesh, &p);
        an_partition_free(&p);
    }
    char expected[64];
    snprintf(expected, sizeof expected, "Use at most %d ranks.", most);
    assert_int_equal(an_partition_new(&s.mesh, most + 1, &plain, &p), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "more than the mesh can feed"));
    assert_non_null(strstr(an_error_text(), expected));
    print_message("%s\n", an_error_text());
    assert_int_equal(an_partition_new(&s.mesh, 0, &plain, &p), AN_INPUT);
    synthetic_free(&s);
}

static void plans_repeat(void **unused)
{
    (void)unused;
    struct synthetic s;
    synthetic_new(8, (int[3]){48, 32, 24}, 7, 4, 4, (int[3]){1, 2, 0}, &s);
    struct an_partition p[2];
    for (int n = 0; n < 2; n++)
        assert_int_equal(partition(&s.mesh, 11, &plain, &p[n]), AN_OK);
    assert_int_equal(p[0].npiece, p[1].npiece);
    assert_memory_equal(p[0].piece, p[1].piece, (size_t)p[0].npiece * sizeof *p[0].piece);
    assert_int_equal(p[0].topology.ninterface, p[1].topology.ninterface);
    for (int f = 0; f < p[0].topology.ninterface; f++) {
        struct an_interface *a = &p[0].topology.interface[f], *b = &p[1].topology.interface[f];
        assert_memory_equal(&a->window, &b->window, sizeof a->window);
        assert_memory_equal(&a->map, &b->map, sizeof a->map);
        assert_int_equal(a->donor, b->donor);
    }
    for (int n = 0; n < 2; n++)
        an_partition_free(&p[n]);
    synthetic_free(&s);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void ten_thousand_are_planned_quickly(void **unused)
{
    (void)unused;
    struct synthetic s;
    struct an_partition one, many;
    synthetic_new(1, (int[3]){320, 320, 320}, 1, 8, 8, (int[3]){1, 2, 0}, &s);
    double start = seconds();
    struct an_partition_options by_eight = plain;
    by_eight.ranks_per_node = 8;
    assert_int_equal(partition(&s.mesh, 10000, &by_eight, &one), AN_OK);
    double ranks = seconds() - start;
    print_message("10000 ranks from one zone: %d pieces, imbalance %.3f, %.2f s\n", one.npiece,
                  an_partition_imbalance(&one), ranks);
    assert_true(an_partition_imbalance(&one) <= 1.25);

    start = seconds();
    assert_int_equal(partition(&one.topology, 96, &plain, &many), AN_OK);
    double zones = seconds() - start;
    print_message("%d zones to 96 ranks: %d pieces, imbalance %.3f, %.2f s\n", one.topology.nblock,
                  many.npiece, an_partition_imbalance(&many), zones);
    assert_true(an_partition_imbalance(&many) <= 1.05);
    assert_true(ranks < 20 && zones < 20);
    an_partition_free(&many);
    an_partition_free(&one);
    synthetic_free(&s);
}

/* Ghost cells that pass between nodes, counted anew. */
static int64_t between_nodes(const struct an_partition *p, int per_node)
{
    int64_t cells = 0;
    for (int f = 0; f < p->topology.ninterface; f++) {
        const struct an_interface *face = &p->topology.interface[f];
        const int here = p->piece[face->window.block].rank, there = p->piece[face->donor].rank;
        int64_t area = AN_GHOST;
        for (int d = 0; d < 3; d++)
            area *= d == face->window.dir ? 1 : face->window.hi[d] - face->window.lo[d];
        cells += here / per_node != there / per_node ? area : 0;
    }
    return cells;
}

/* The ranks of a node are neighbours: fewer ghost cells pass between nodes, never more, the pieces
 * and the balance are what they were. */
static void ranks_of_a_node_are_neighbours(void **unused)
{
    (void)unused;
    int fewer = 0;
    for (unsigned seed = 1; seed <= 12; seed++) {
        struct synthetic s;
        struct an_partition flat, nodes;
        const int per_node = 2 + (int)(seed % 4), ranks = 3 * per_node + (int)(seed % 3);
        synthetic_new(seed, (int[3]){48, 40, 32}, 1 + seed % 7, 4, 8, (int[3]){1, 2, 0}, &s);
        struct an_partition_options opt = plain;
        assert_int_equal(partition(&s.mesh, ranks, &opt, &flat), AN_OK);
        opt.ranks_per_node = per_node;
        assert_int_equal(partition(&s.mesh, ranks, &opt, &nodes), AN_OK);
        check_clean(&nodes.topology);
        check_cover(&s.mesh, &nodes);
        assert_int_equal(nodes.npiece, flat.npiece);
        assert_true(an_partition_imbalance(&nodes) == an_partition_imbalance(&flat));
        const int64_t before = between_nodes(&flat, per_node),
                      after = between_nodes(&nodes, per_node);
        assert_true(after <= before);
        assert_true(after == nodes.between_nodes);
        fewer += after < before;
        print_message("%d ranks on nodes of %d: %lld ghost cells between nodes, %lld before\n",
                      ranks, per_node, (long long)after, (long long)before);
        an_partition_free(&flat);
        an_partition_free(&nodes);
        synthetic_free(&s);
    }
    assert_true(fewer >= 4);
}

static struct an_patch patch(int block, int dir, int side, int a0, int a1, int b0, int b1)
{
    struct an_patch p = {.window = {.block = block, .dir = dir, .side = side}};
    const int a = (dir + 1) % 3, b = (dir + 2) % 3;
    p.window.lo[a] = a0;
    p.window.hi[a] = a1;
    p.window.lo[b] = b0;
    p.window.hi[b] = b1;
    return p;
}

/* A zone of 8 x 8 x 1 cells below one of 4 x 6 x 4 that covers its cells 2 <= i < 6, 1 <= j < 7. The bottom is one
 * patch of the mesh; of its pieces each lies below the upper zone or beside it. */
static void patches_of_thin_zones_are_cut(void **unused)
{
    (void)unused;
    struct an_zone zone[2] = {{.name = "low", .n = {8, 8, 1}}, {.name = "high", .n = {4, 6, 4}}};
    struct an_boundary wall = {.name = "wall", .type = AN_BC_WALL_SLIP};
    struct an_interface join[2] = {
        {.name = "up",
         .window = {.block = 0, .dir = 2, .side = 1, .lo = {2, 1, 0}, .hi = {6, 7, 0}},
         .donor = 1,
         .donor_dir = 2,
         .map = {{0, 1, 2}, {1, 1, 1}, {-2, -1, -1}}}};
    join[1] = an_interface_mirror(&join[0]);
    struct an_patch patches[] = {
        patch(0, 2, 0, 0, 8, 0, 8), patch(0, 2, 1, 0, 8, 0, 1), patch(0, 2, 1, 0, 8, 7, 8),
        patch(0, 2, 1, 0, 2, 1, 7), patch(0, 2, 1, 6, 8, 1, 7), patch(0, 0, 0, 0, 8, 0, 1),
        patch(0, 0, 1, 0, 8, 0, 1), patch(0, 1, 0, 0, 1, 0, 8), patch(0, 1, 1, 0, 1, 0, 8),
        patch(1, 2, 1, 0, 4, 0, 6), patch(1, 0, 0, 0, 6, 0, 4), patch(1, 0, 1, 0, 6, 0, 4),
        patch(1, 1, 0, 0, 4, 0, 4), patch(1, 1, 1, 0, 4, 0, 4)};
    struct an_topology mesh = {.nblock = 2,
                               .ninterface = 2,
                               .npatch = sizeof patches / sizeof *patches,
                               .nboundary = 1,
                               .block = zone,
                               .interface = join,
                               .patch = patches,
                               .boundary = &wall};
    struct an_diag diag;
    int flat[2];
    an_diag_init(&diag);
    an_topology_check(&mesh, NULL, &diag); /* finds the partners */
    assert_int_equal(diag.nerror, 0);
    an_diag_free(&diag);
    an_topology_flat(&mesh, flat);
    assert_int_equal(flat[0] | flat[1], 0); /* there is a neighbour above */
    for (int ranks = 1; ranks <= 4; ranks *= 2) {
        struct an_partition p;
        int64_t faces = 0, below = 0;
        assert_int_equal(partition(&mesh, ranks, &plain, &p), AN_OK);
        check_cover(&mesh, &p);
        check_patches(&mesh, &p);
        for (int n = 0; n < p.topology.npatch; n++) {
            const struct an_window *w = &p.topology.patch[n].window;
            const struct an_piece *q = &p.piece[w->block];
            if (q->zone != 0 || w->dir != 2 || w->side != 0)
                continue;
            const int i = q->lo[0] + w->lo[0], j = q->lo[1] + w->lo[1];
            const int behind = an_window_has_behind(&p.topology, w);
            faces += an_window_faces(w);
            below += behind * an_window_faces(w);
            assert_int_equal(behind, i >= 2 && i < 6 && j >= 1 && j < 7);
        }
        assert_int_equal(faces, 64);
        assert_int_equal(below, 24);
        assert_int_equal(an_halo_needs_second(&p), 1);
        an_partition_free(&p);
    }
}

static void report_is_a_table(void **unused)
{
    (void)unused;
    struct synthetic s;
    struct an_partition p;
    synthetic_new(5, (int[3]){64, 48, 32}, 4, 8, 8, (int[3]){0, 2, 0}, &s);
    assert_int_equal(partition(&s.mesh, 5, &plain, &p), AN_OK);
    FILE *out = tmpfile();
    assert_non_null(out);
    an_partition_report(&p, &s.mesh, out);
    rewind(out);
    char line[256];
    int lines = 0;
    for (; fgets(line, sizeof line, out); lines++)
        print_message("%s", line);
    assert_int_equal(lines, 2 + 5);
    fclose(out);
    an_partition_free(&p);
    synthetic_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes_keep_every_invariant),
        cmocka_unit_test(c_grids_are_cut_along_their_wake),
        cmocka_unit_test(loads_are_even),
        cmocka_unit_test(one_zone_gives_compact_pieces),
        cmocka_unit_test(all_ranks_are_fed_or_refused),
        cmocka_unit_test(plans_repeat),
        cmocka_unit_test(ten_thousand_are_planned_quickly),
        cmocka_unit_test(ranks_of_a_node_are_neighbours),
        cmocka_unit_test(patches_of_thin_zones_are_cut),
        cmocka_unit_test(report_is_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
