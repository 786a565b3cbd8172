/* The PLOT3D converter seen from outside: runs it on small grids written here and opens what it
 * wrote with the program's own mesh reader, which refuses left-handed blocks, faces without
 * condition and interfaces whose nodes differ. Bad input: exit code 2, a message that names the
 * fault, no file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/mesh.h"

#define FOLDER "mesh_plot3d"
#include "tests/tools/tool.h"

/* Runs the tool on a grid of the scratch folder, output m.cgns; returns its exit code. */
static int run(const char *grid, const char *options)
{
    char command[3000];
    const char *bin = getenv("AN_BIN");
    snprintf(command, sizeof command,
             "cd %s && rm -f m.cgns && ulimit -v 4000000 && %s/mesh_plot3d %s %s -o m.cgns "
             ">log 2>&1",
             folder, bin ? bin : "bin", grid, options);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Runs the tool, which must succeed, and opens its mesh, which must have no fault. */
static void convert(const char *grid, const char *options, struct an_mesh *m)
{
    if (run(grid, options) != 0) {
        log_holds("success");
        fail();
    }
    char path[200];
    struct an_diag diag;
    an_diag_init(&diag);
    snprintf(path, sizeof path, "%s/m.cgns", folder);
    const int status = an_mesh_open(path, m, &diag);
    for (int l = 0; l < diag.nline; l++)
        print_message("%s\n", diag.line[l]);
    assert_int_equal(status, AN_OK);
    assert_int_equal(diag.nwarning, 0);
    an_diag_free(&diag);
}

static void finish(struct an_mesh *m)
{
    an_mesh_close(m);
    an_topology_free(&m->topology);
}

/* Number of face cells of a boundary; its type must be the given one. */
static int faces_of(const struct an_mesh *m, const char *name, enum an_bc_type type)
{
    const struct an_topology *t = &m->topology;
    const int found = an_boundary_find(t, name);
    int sum = 0;
    if (found < 0)
        fail_msg("no boundary '%s'", name);
    assert_int_equal(t->boundary[found].type, type);
    for (int p = 0; p < t->npatch; p++) {
        const struct an_window *w = &t->patch[p].window;
        int cells = 1;
        for (int d = 0; d < 3; d++)
            cells *= d == w->dir ? 1 : w->hi[d] - w->lo[d];
        sum += t->patch[p].boundary == found ? cells : 0;
    }
    return sum;
}

static void node_of(const struct an_mesh *m, int i, int j, int k, double x[3])
{
    const int lo[3] = {i, j, k}, hi[3] = {i + 1, j + 1, k + 1};
    assert_int_equal(an_mesh_read_nodes(m, 0, lo, hi, x), AN_OK);
}

/* A grid of blocks; node (i, j, k) of block b is at map(b, i, j, k). */
struct grid {
    int dimension, blocks;
    int n[4][3];
    void (*map)(int block, const int i[3], double x[3]);
};

static void write_numbers(FILE *f, const struct grid *g)
{
    for (int b = 0; b < g->blocks; b++)
        for (int d = 0; d < g->dimension; d++) {
            int i[3];
            for (i[2] = 0; i[2] < (g->dimension == 3 ? g->n[b][2] : 1); i[2]++)
                for (i[1] = 0; i[1] < g->n[b][1]; i[1]++)
                    for (i[0] = 0; i[0] < g->n[b][0]; i[0]++) {
                        double x[3] = {0, 0, 0};
                        g->map(b, i, x);
                        fprintf(f, " %.16e%s", x[d], i[0] % 4 == 3 ? "\n" : "");
                    }
            fprintf(f, "\n");
        }
}

static void write_grid(const char *name, const struct grid *g, bool multi)
{
    FILE *f = create(name);
    assert_non_null(f);
    if (multi)
        fprintf(f, "%5d\n", g->blocks);
    for (int b = 0; b < g->blocks; b++) {
        for (int d = 0; d < g->dimension; d++)
            fprintf(f, " %d", g->n[b][d]);
        fprintf(f, "\n");
    }
    write_numbers(f, g);
    fclose(f);
}

static void box(int block, const int i[3], double x[3])
{
    (void)block;
    x[0] = i[0];
    x[1] = 0.5 * i[1];
    x[2] = 0.25 * i[2];
}

static void mirrored(int block, const int i[3], double x[3])
{
    box(block, i, x);
    x[1] = -x[1];
}

static const struct grid plate = {2, 1, {{9, 5}}, box};
#define PLATE "--bc 1:imin=inlet:inlet --bc 1:imax=outlet:outlet --bc 1:jmax=top:farfield "
#define PARTS "--bc 1:jmin:1-5=symmetry:symmetry --bc block_1:jmin:5-9=wall:wall_viscous "

static void test_plane(void **state)
{
    (void)state;
    struct an_mesh m;
    double x[3];
    write_grid("plate", &plate, false);
    for (int every = 1; every <= 4; every *= 2) { /* the ranges are the file's */
        char options[400];
        snprintf(options, sizeof options, "--every %d --scale 0.1 --span 3 " PLATE PARTS, every);
        convert("plate", options, &m);
        assert_true(log_holds(every == 1   ? "can be halved 2 times"
                              : every == 2 ? "can be halved 1 times"
                                           : "can be halved 0 times"));
        assert_int_equal(m.topology.block[0].n[0], 8 / every);
        assert_int_equal(m.topology.block[0].n[1], 4 / every);
        assert_int_equal(m.topology.block[0].n[2], 1);
        assert_int_equal(faces_of(&m, "inlet", AN_BC_INLET_TOTAL), 4 / every);
        assert_int_equal(faces_of(&m, "outlet", AN_BC_OUTLET_STATIC), 4 / every);
        assert_int_equal(faces_of(&m, "top", AN_BC_FARFIELD), 8 / every);
        assert_int_equal(faces_of(&m, "symmetry", AN_BC_SYMMETRY), 4 / every);
        assert_int_equal(faces_of(&m, "wall", AN_BC_WALL_VISCOUS), 4 / every);
        assert_int_equal(faces_of(&m, "front", AN_BC_SYMMETRY), 32 / every / every);
        assert_int_equal(faces_of(&m, "back", AN_BC_SYMMETRY), 32 / every / every);
        node_of(&m, 4 / every, 4 / every, 1, x);
        assert_true(fabs(x[0] - 0.4) < 1e-15 && fabs(x[1] - 0.2) < 1e-15 && x[2] == 3);
        finish(&m);
    }
}

static void test_type_left_open(void **state)
{
    (void)state;
    struct an_mesh m;
    write_grid("plate", &plate, true);
    convert("plate", PLATE "--bc 1:jmin=floor", &m);
    assert_int_equal(faces_of(&m, "floor", AN_BC_NONE), 8);
    finish(&m);
}

/* Left-handed: k is reversed, the other indices stay. */
static void test_left_handed(void **state)
{
    (void)state;
    struct an_mesh m;
    double x[3];
    write_grid("mirror", &(struct grid){2, 1, {{9, 5}}, mirrored}, false);
    convert("mirror", PLATE PARTS, &m);
    assert_true(log_holds("was left-handed"));
    node_of(&m, 2, 0, 0, x);
    assert_true(x[0] == 2 && x[1] == 0 && x[2] == 1);
    finish(&m);

    /* faces and ranges keep the file's k */
    write_grid("mirror3", &(struct grid){3, 1, {{3, 3, 5}}, mirrored}, false);
    convert("mirror3",
            "--bc 1:kmin=low:inlet --bc 1:kmax=high:outlet --bc 1:imin:1-3,1-2=a:wall_slip "
            "--bc 1:imin:1-3,2-5=b:symmetry --bc 1:imax=c --bc 1:jmin=c --bc 1:jmax=c",
            &m);
    assert_int_equal(faces_of(&m, "a", AN_BC_WALL_SLIP), 2);
    assert_int_equal(faces_of(&m, "b", AN_BC_SYMMETRY), 6);
    const struct an_topology *t = &m.topology;
    for (int p = 0; p < t->npatch; p++) {
        const struct an_window *w = &t->patch[p].window;
        if (t->patch[p].boundary == an_boundary_find(t, "low"))
            assert_int_equal(w->side, 1); /* z = 0 is the upper end now */
        if (t->patch[p].boundary == an_boundary_find(t, "a"))
            assert_true(w->lo[2] == 3 && w->hi[2] == 4);
    }
    finish(&m);
}

static void along_j(int block, const int i[3], double x[3])
{
    (void)block;
    x[0] = i[1];
    x[1] = i[0]; /* across the layer */
    x[2] = i[2] * (1 + 0.1 * i[1]);
}

static void test_flat(void **state)
{
    (void)state;
    struct an_mesh m;
    double x[3];
    write_grid("layer", &(struct grid){3, 1, {{2, 9, 5}}, along_j}, true);
    convert("layer", "--flat --span 0.5 --every 2 " PLATE PARTS, &m);
    assert_int_equal(m.topology.block[0].n[0], 4);
    assert_int_equal(m.topology.block[0].n[1], 2);
    node_of(&m, 4, 2, 1, x);
    assert_true(x[0] == 8 && fabs(x[1] - 7.2) < 1e-14 && x[2] == 0.5);
    finish(&m);
}

/* Repeat counts, commas, exponents with D, sizes and number of blocks in one line, gzip. */
static void test_fortran_form(void **state)
{
    (void)state;
    struct an_mesh m;
    double x[3];
    FILE *f = create("fortran");
    fprintf(f, "1, 3, 2\n0.,1.0D+00,2d0, 0.,1.,2.,\n3*0.0 3*1.5E-1\n");
    fclose(f);
    const char *const options = PLATE "--bc 1:jmin=wall:wall_viscous";
    convert("fortran", options, &m);
    node_of(&m, 2, 1, 0, x);
    assert_true(x[0] == 2 && x[1] == 0.15 && x[2] == 0);
    finish(&m);
    char command[200];
    snprintf(command, sizeof command, "gzip %s/fortran", folder);
    assert_int_equal(system(command), 0);
    convert("fortran.gz", options, &m);
    finish(&m);
}

/* Four blocks round an edge along z, with indices that run in different directions; block 1 is
 * left-handed. */
static void four(int block, const int i[3], double x[3])
{
    const double a = i[0], b = i[1], c = i[2];
    const double p[4][3] = {{a, b, c}, {-b, a, c}, {a - 3, b - 4, 4 - c}, {c, a - 4, 4 - b}};
    for (int d = 0; d < 3; d++)
        x[d] = p[block][d];
    x[0] += 0.05 * x[1] * x[2]; /* bent, so that nothing fits by chance */
}

static void test_join(void **state)
{
    (void)state;
    struct an_mesh m;
    write_grid("four", &(struct grid){3, 4, {{4, 5, 5}, {5, 4, 5}, {4, 5, 5}, {5, 5, 4}}, four},
               true);
    convert("four",
            "--join --bc 1:imax=w --bc 1:jmax=w --bc 1:kmin=w --bc 1:kmax=w "
            "--bc 2:imax=w --bc 2:jmax=w --bc 2:kmin=w --bc 2:kmax=w "
            "--bc 3:imin=w --bc 3:jmin=w --bc 3:kmin=w --bc 3:kmax=w "
            "--bc 4:imin=w --bc 4:jmin=w --bc 4:jmax=w --bc 4:kmax=w",
            &m);
    assert_int_equal(m.topology.ninterface, 8); /* four, seen from both sides */
    finish(&m);
}

/* C round the unit circle's right half: i from one end of the cut round to the other. */
static void cut(int block, const int i[3], double x[3])
{
    (void)block;
    const int n = 4, around = 8; /* cells along the cut, round the circle */
    const double r = 1 + 0.25 * i[1], h = 0.25 * i[1];
    if (i[0] < n || i[0] > n + around) {
        const bool low = i[0] < n;
        x[0] = -1 - (low ? n - i[0] : i[0] - n - around);
        x[1] = low ? -h : h;
    } else {
        const double a = -M_PI + 2 * M_PI * (i[0] - n) / around;
        x[0] = r * cos(a);
        x[1] = r * sin(a);
        if (i[0] == n || i[0] == n + around) {
            x[0] = -1;
            x[1] = i[0] == n ? -h : h;
        }
    }
}

static void test_c_cut(void **state)
{
    (void)state;
    struct an_mesh m;
    write_grid("c", &(struct grid){2, 1, {{17, 3}}, cut}, false);
    convert("c",
            "--join --bc 1:imin=out:outlet --bc 1:imax=out:outlet --bc 1:jmax=far:farfield "
            "--bc 1:jmin:5-13=body:wall_viscous",
            &m);
    assert_int_equal(m.topology.ninterface, 2);
    for (int l = 0; l < 2; l++) {
        const struct an_interface *f = &m.topology.interface[l];
        assert_int_equal(f->window.hi[0] - f->window.lo[0], 4);
        assert_int_equal(f->window.dir, 1);
        assert_int_equal(f->donor_dir, 1);
    }
    assert_int_equal(faces_of(&m, "body", AN_BC_WALL_VISCOUS), 8);
    finish(&m);
    /* without a body the cut folds on itself over its whole length */
    assert_int_equal(run("c", "--join --bc 1:imin=out --bc 1:imax=out --bc 1:jmax=far"), 2);
    assert_true(log_holds("zone block_1, jmin, i 5-13: neither a boundary"));
}

static void ring(int block, const int i[3], double x[3])
{
    (void)block;
    const double a = -2 * M_PI * i[0] / 12, r = 1 + i[1];
    x[0] = r * cos(a);
    x[1] = r * sin(a); /* equal at both ends to rounding only */
}

static void test_o_cut(void **state)
{
    (void)state;
    struct an_mesh m;
    write_grid("o", &(struct grid){2, 1, {{13, 4}}, ring}, false);
    convert("o", "--join --bc 1:jmin=body:wall_slip --bc 1:jmax=far:farfield", &m);
    assert_int_equal(m.topology.ninterface, 2);
    finish(&m);
}

/* Two plane blocks side by side, the second one left-handed (j downwards). */
static void halves(int block, const int i[3], double x[3])
{
    x[0] = i[0] + 3 * block;
    x[1] = block ? 3 - i[1] : i[1];
}

static void test_join_mirrored(void **state)
{
    (void)state;
    struct an_mesh m;
    write_grid("halves", &(struct grid){2, 2, {{4, 4}, {6, 4}}, halves}, true);
    convert("halves",
            "--join --bc 1:imin=a --bc 1:jmin=a --bc 1:jmax=a --bc 2:imax=a --bc 2:jmin=a "
            "--bc 2:jmax=a",
            &m);
    assert_int_equal(m.topology.ninterface, 2);
    assert_int_equal(faces_of(&m, "front", AN_BC_SYMMETRY), 24);
    finish(&m);
}

/* A direction of one cell first or in the middle is written last; patches and interfaces follow. */
static void layer_in_i(int block, const int i[3], double x[3])
{
    box(0, (int[3]){i[1] + 4 * block, i[2], i[0]}, x); /* a box of two blocks, joined along j */
}

static void layer_in_j(int block, const int i[3], double x[3])
{
    box(0, (int[3]){i[2] + 4 * block, i[0], i[1]}, x);
}

/* The one cell lies along i in the first block and along k in the second. */
static void layer_in_both(int block, const int i[3], double x[3])
{
    if (block)
        box(0, (int[3]){i[0] + 4, i[1], i[2]}, x);
    else
        layer_in_i(0, i, x);
}

static void test_layers_apart(void **state)
{
    (void)state;
    struct an_mesh m;
    write_grid("layer", &(struct grid){3, 2, {{2, 5, 4}, {5, 4, 2}}, layer_in_both}, true);
    convert(
        "layer",
        "--join --bc 1:imin=end --bc 1:imax=end --bc 1:jmin=in --bc 1:kmin=side --bc 1:kmax=side "
        "--bc 2:kmin=end --bc 2:kmax=end --bc 2:imax=out --bc 2:jmin=side --bc 2:jmax=side",
        &m);
    assert_int_equal(m.topology.ninterface, 2);
    assert_int_equal(m.topology.block[0].n[2], 1);
    assert_int_equal(m.topology.block[1].n[2], 1);
    assert_int_equal(faces_of(&m, "end", AN_BC_NONE), 4 * 12);
    finish(&m);
}

static void test_one_layer(void **state)
{
    (void)state;
    static const char *const conditions[2] = {
        "--join --bc 1:imin=end --bc 1:imax=end --bc 2:imin=end --bc 2:imax=end --bc 1:jmin=in "
        "--bc "
        "2:jmax=out --bc 1:kmin:1-2,1-3=lower --bc 1:kmin:1-2,3-5=more --bc 1:kmax=upper --bc "
        "2:kmin=lower "
        "--bc 2:kmax=upper",
        "--join --bc 1:jmin=end --bc 1:jmax=end --bc 2:jmin=end --bc 2:jmax=end --bc 1:kmin=in "
        "--bc "
        "2:kmax=out --bc 1:imin:1-2,1-3=lower --bc 1:imin:1-2,3-5=more --bc 1:imax=upper --bc "
        "2:imin=lower "
        "--bc 2:imax=upper"};
    for (int where = 0; where < 2; where++) {
        struct an_mesh m;
        double x[3];
        const struct grid g = {3, 2, {{2, 5, 4}, {2, 5, 4}}, layer_in_i};
        const struct grid h = {3, 2, {{4, 2, 5}, {4, 2, 5}}, layer_in_j};
        write_grid("layer", where ? &h : &g, true);
        convert("layer", conditions[where], &m);
        assert_true(log_holds("written with the direction of one cell as k"));
        const int *n = m.topology.block[0].n;
        assert_int_equal(n[0], 4);
        assert_int_equal(n[1], 3);
        assert_int_equal(n[2], 1);
        node_of(&m, 3, 2, 1, x);
        assert_float_equal(x[0], 3, 0);
        assert_float_equal(x[1], 1, 0);
        assert_float_equal(x[2], 0.25, 0);
        assert_int_equal(faces_of(&m, "lower", AN_BC_NONE), 2 + 4);
        assert_int_equal(faces_of(&m, "more", AN_BC_NONE), 2);
        assert_int_equal(faces_of(&m, "in", AN_BC_NONE), 3);
        assert_int_equal(m.topology.ninterface, 2);
        finish(&m);
    }
}

/* Unformatted files. marker: bytes of Fortran's record markers, 0 for none; real: bytes of a number. */
struct form {
    int marker, real;
    bool big, multi;
    bool planes; // coordinates plane by plane
    int iblank; // 0: none; 1: all are 1; 2: the last one is 0; 3: 2 on walls and -1 on an interface
};

static void put_word(FILE *f, const struct form *form, const void *value, int size)
{
    const unsigned char *p = value;
    for (int k = 0; k < size; k++)
        fputc(p[form->big ? size - 1 - k : k], f);
}

static void put_whole(FILE *f, const struct form *form, long v, int size)
{
    const int32_t w = (int32_t)v;
    const int64_t l = v;
    put_word(f, form, size == 4 ? (const void *)&w : (const void *)&l, size);
}

static void mark(FILE *f, const struct form *form, long bytes)
{
    if (form->marker)
        put_whole(f, form, bytes, form->marker);
}

static void write_binary(const char *name, const struct grid *g, const struct form *form)
{
    FILE *f = create(name);
    assert_non_null(f);
    if (form->multi) {
        mark(f, form, 4);
        put_whole(f, form, g->blocks, 4);
        mark(f, form, 4);
    }
    mark(f, form, 4 * g->dimension * g->blocks);
    for (int b = 0; b < g->blocks; b++)
        for (int d = 0; d < g->dimension; d++)
            put_whole(f, form, g->n[b][d], 4);
    mark(f, form, 4 * g->dimension * g->blocks);
    for (int b = 0; b < g->blocks; b++) {
        const int *n = g->n[b], nk = g->dimension == 3 ? n[2] : 1, parts = form->planes ? nk : 1;
        const long nodes = (long)n[0] * n[1] * nk / parts,
                   bytes = nodes * ((long)g->dimension * form->real + (form->iblank ? 4 : 0));
        for (int part = 0; part < parts; part++) {
            const int from = form->planes ? part : 0, to = form->planes ? part + 1 : nk;
            mark(f, form, bytes);
            for (int d = 0; d < g->dimension; d++)
                for (int k = from; k < to; k++)
                    for (int j = 0; j < n[1]; j++)
                        for (int i = 0; i < n[0]; i++) {
                            double x[3] = {0, 0, 0};
                            g->map(b, (int[3]){i, j, k}, x);
                            const float single = (float)x[d];
                            put_word(f, form,
                                     form->real == 4 ? (const void *)&single : (const void *)&x[d],
                                     form->real);
                        }
            for (long l = 0; l < nodes && form->iblank; l++)
                put_whole(f, form,
                          form->iblank == 3
                              ? (int[3]){1, 2, -1}[l % 3]
                              : !(form->iblank == 2 && part == parts - 1 && l == nodes - 1),
                          4);
            mark(f, form, bytes);
        }
    }
    fclose(f);
}

static void test_unformatted(void **state)
{
    (void)state;
    static const struct grid solid = {3, 1, {{5, 4, 3}}, box},
                             pair = {3, 2, {{3, 4, 3}, {4, 3, 3}}, box};
    for (int k = 0; k < 12; k++) {
        const struct form form = {
            k % 3 == 0 ? 0 : 4 * (k % 3), k / 3 % 2 ? 8 : 4, k / 6 % 2, k / 12, false, 0};
        char words[200];
        struct an_mesh m;
        double x[3];
        snprintf(words, sizeof words, "unformatted, %s record markers, %s precision, %s-endian",
                 form.marker == 4   ? "with"
                 : form.marker == 8 ? "with 8-byte"
                                    : "without",
                 form.real == 4 ? "single" : "double", form.big ? "big" : "little");
        write_binary("u", &solid, &form);
        convert(
            "u",
            "--bc 1:imin=a --bc 1:imax=a --bc 1:jmin=a --bc 1:jmax=a --bc 1:kmin=a --bc 1:kmax=a",
            &m);
        assert_true(log_holds(words));
        node_of(&m, 4, 3, 2, x);
        assert_float_equal(x[0], 4, 0);
        assert_float_equal(x[1], 1.5, 0);
        assert_float_equal(x[2], 0.5, 0);
        finish(&m);
        if (k % 4)
            continue;
        write_binary("u", &plate, &form);
        convert("u", "--bc 1:imin=a --bc 1:imax=a --bc 1:jmin=a --bc 1:jmax=a", &m);
        node_of(&m, 8, 4, 0, x);
        assert_float_equal(x[1], 2, 0);
        finish(&m);
    }
    const struct form form = {4, 8, false, true, false, 0};
    write_binary("u", &pair, &form);
    assert_int_equal(run("u", ""), 2);
    assert_true(log_holds("zone block_2, imin"));
    char path[200];
    snprintf(path, sizeof path, "%s/u", folder);
    assert_int_equal(truncate(path, 500), 0);
    assert_int_equal(run("u", ""), 2);
    assert_true(log_holds("unformatted file of 500 bytes: no sizes of a PLOT3D grid"));
}

/* A C cut with a first row of 1e-9 in a grid of size 4: one distance for all nodes, a small share of
 * the grid's size, would throw this row together. The two sides of the cut differ by 1e-12. */
static void far_cut(int block, const int i[3], double x[3])
{
    cut(block, i, x);
    const double h = i[1] == 0 ? 0 : i[1] == 1 ? 1e-9 : i[1] == 2 ? 1e-3 : 0.5;
    if (i[0] < 4 || i[0] > 12) {
        x[1] = i[0] < 4 ? -h - 1e-12 : h;
    } else if (i[0] == 4 || i[0] == 12) {
        x[1] = i[0] == 4 ? -h : h;
    } else {
        const double a = -M_PI + 2 * M_PI * (i[0] - 4) / 8;
        x[0] = (1 + h) * cos(a);
        x[1] = (1 + h) * sin(a);
    }
}

static void test_far_field(void **state)
{
    (void)state;
    static const char options[] = "--join --bc 1:imin=out:outlet --bc 1:imax=out:outlet --bc "
                                  "1:jmax=far:farfield --bc 1:jmin:5-13=body:wall_viscous";
    char more[300];
    struct an_mesh m;
    write_grid("far", &(struct grid){2, 1, {{17, 4}}, far_cut}, false);
    convert("far", options, &m);
    assert_int_equal(m.topology.ninterface, 2);
    finish(&m);
    snprintf(more, sizeof more, "%s --tolerance 1.1", options);
    assert_int_equal(run("far", more), 2);
    assert_true(log_holds("a smaller --tolerance keeps them apart"));
    snprintf(more, sizeof more, "%s --share 1e-4", options);
    assert_int_equal(run("far", more), 2);
    assert_true(log_holds("--share or --tolerance allow more"));
}

static void sector(int block, const int i[3], double x[3])
{
    (void)block;
    const double a = 0.3 + M_PI / 9 * i[2] / 3, r = 1 + 0.25 * i[1];
    x[0] = 0.5 * i[0];
    x[1] = r * cos(a);
    x[2] = r * sin(a);
}

static void test_periodic(void **state)
{
    (void)state;
    struct an_mesh m;
    write_grid("box", &(struct grid){2, 1, {{9, 5}}, box}, false);
    convert(
        "box",
        "--periodic shift:0,2 --bc 1:imin=in:inlet_supersonic --bc 1:imax=out:outlet_supersonic",
        &m);
    assert_int_equal(m.topology.ninterface, 2);
    assert_int_equal(m.topology.interface[0].periodic, 1);
    assert_float_equal(fabs(m.topology.interface[0].translation[1]), 2, 0);
    assert_int_equal(faces_of(&m, "in", AN_BC_INLET_SUPERSONIC), 4);
    assert_int_equal(faces_of(&m, "out", AN_BC_OUTLET_SUPERSONIC), 4);
    finish(&m);
    write_grid("s", &(struct grid){3, 1, {{3, 3, 4}}, sector}, false);
    convert("s",
            "--periodic turn:20 --bc 1:imin=in --bc 1:imax=out --bc 1:jmin=hub --bc 1:jmax=casing",
            &m);
    assert_int_equal(m.topology.ninterface, 2);
    assert_int_equal(m.topology.interface[0].periodic, 2);
    finish(&m);
    assert_int_equal(run("s", "--periodic turn:21"), 2);
    assert_true(log_holds("--periodic turn:21: no face lies on another one after this motion"));
    assert_int_equal(run("s", "--periodic twist:21"), 2);
    assert_true(log_holds("expected shift:DX,DY,DZ in metres, or turn:DEGREES about x"));
    assert_int_equal(run("s", "--periodic x"), 2);
    assert_int_equal(run("s", "--join --tolerance 1e-18"), 2); // comes to an end
    assert_int_equal(run("s", "--periodic shift:0,0,0"), 2);
    assert_true(log_holds("the motion is zero"));
}

static void test_axes(void **state)
{
    (void)state;
    static const char all[] =
        "--bc 1:imin=a --bc 1:imax=a --bc 1:jmin=a --bc 1:jmax=a --bc 1:kmin=a --bc "
        "1:kmax=a";
    char options[300];
    double x[3];
    struct an_mesh m;
    write_grid("solid", &(struct grid){3, 1, {{5, 4, 3}}, box}, false);
    snprintf(options, sizeof options, "%s --axes z,x,y", all);
    convert("solid", options, &m);
    node_of(&m, 4, 3, 2, x); /* 4, 1.5, 0.5 in the file */
    assert_float_equal(x[0], 0.5, 0);
    assert_float_equal(x[1], 4, 0);
    assert_float_equal(x[2], 1.5, 0);
    finish(&m);
    snprintf(options, sizeof options, "%s --axes x,-z,y", all);
    convert("solid", options, &m);
    node_of(&m, 4, 3, 2, x);
    assert_float_equal(x[1], -0.5, 0);
    assert_float_equal(x[2], 1.5, 0);
    finish(&m);
    assert_int_equal(run("solid", "--axes x,z,y"), 2);
    assert_true(log_holds("the mirror image of the grid; change one sign"));
    assert_int_equal(run("solid", "--axes x,y,y"), 2);
    assert_int_equal(run("solid", "--axes x,y"), 2);
    assert_true(log_holds("expected the three coordinates in a new order"));
}

static void refused(const char *grid, const char *options, const char *message)
{
    const int rc = run(grid, options);
    if (rc != 2)
        fail_msg("%s %s: exit code %d", grid, options, rc);
    assert_true(log_holds(message));
    assert_null(open_in("m.cgns", "r"));
    assert_null(open_in("m.cgns.part", "r"));
}

static void write_text(const char *name, const char *text)
{
    FILE *f = create(name);
    fputs(text, f);
    fclose(f);
}

/* All nodes as the grid's map has them. */
static void check_nodes(const struct an_mesh *m, const struct grid *g)
{
    for (int k = 0; k < g->n[0][2]; k++)
        for (int j = 0; j < g->n[0][1]; j++)
            for (int i = 0; i < g->n[0][0]; i++) {
                double x[3], wanted[3];
                g->map(0, (int[3]){i, j, k}, wanted);
                node_of(m, i, j, k, x);
                for (int d = 0; d < 3; d++)
                    assert_float_equal(x[d], wanted[d], 1e-6);
            }
}

static void skewed(int block, const int i[3], double x[3])
{
    x[0] = 0.1 * i[0] + 0.02 * i[2] + block;
    x[1] = 0.2 * i[1] + 0.03 * i[0];
    x[2] = 0.3 * i[2] + 0.01 * i[1];
}

/* Plane by plane with records, which say so, and without, where the coordinates do; iblank without holes. */
static void test_planes_and_iblank(void **state)
{
    (void)state;
    static const char *const sides = "--bc 1:imin=a --bc 1:imax=a --bc 1:jmin=a --bc 1:jmax=a --bc "
                                     "1:kmin=a --bc 1:kmax=a";
    const struct grid g = {3, 1, {{5, 4, 6}}, skewed};
    for (int k = 0; k < 32; k++) {
        const struct form form = {.marker = k & 1 ? 4 : 0,
                                  .real = k & 2 ? 4 : 8,
                                  .big = k & 4,
                                  .multi = k & 8,
                                  .planes = k & 16,
                                  .iblank = k % 3 == 2 ? 3 : k % 3};
        struct an_mesh m;
        write_binary("records", &g, &form);
        convert("records", sides, &m);
        assert_int_equal(log_holds("plane by plane"), form.planes);
        assert_int_equal(log_holds("with iblank values"), form.iblank > 0);
        check_nodes(&m, &g);
        finish(&m);
    }
    const struct form blanked = {.marker = 4, .real = 8, .planes = true, .iblank = 2};
    write_binary("blanked", &g, &blanked);
    refused("blanked", sides, "iblank is 0 at 1 of 120 nodes, first at 5 4 6");
    FILE *f = create("planes");
    fprintf(f, "5 4 6\n");
    for (int k = 0; k < 6; k++)
        for (int d = 0; d < 3; d++)
            for (int l = 0; l < 20; l++) {
                double x[3];
                skewed(0, (int[3]){l % 5, l / 5, k}, x);
                fprintf(f, "%.9g\n", x[d]);
            }
    fclose(f);
    struct an_mesh m;
    convert("planes", sides, &m);
    assert_true(log_holds("coordinates plane by plane"));
    check_nodes(&m, &g);
    finish(&m);
    write_text("ones", "2 2\n0 1 0 1\n0 0 1 1\n4*1\n");
    convert("ones", "--bc 1:imin=a --bc 1:imax=a --bc 1:jmin=a --bc 1:jmax=a", &m);
    finish(&m);
}

/* A compressed file may unpack to what the sizes explain that it states, not to more. */
static void test_bomb(void **state)
{
    (void)state;
    char command[3000];
    for (int kind = 0; kind < 3; kind++) {
        static const char *const start[] = {"2 2 2\\n0 1", "1\\n2 2\\n", "nothing of the kind\\n"};
        snprintf(command, sizeof command,
                 "cd %s && { printf '%s'; head -c 100000000 /dev/zero | tr '\\0' '%c'; } | gzip -1 "
                 ">bomb.gz",
                 folder, start[kind], kind == 1 ? '7' : ' ');
        assert_int_equal(system(command), 0);
        refused("bomb.gz", "", kind < 2 ? "unpacks to more than" : "is not a number");
    }
}

static void test_bad_files(void **state)
{
    (void)state;
    refused("missing", "", "No such file");
    write_text("empty", "\n \n");
    refused("empty", "", "empty");
    write_text("words", "2 2\n0 1 zero 1\n0 0 1 1\n");
    refused("words", "", "words:2: 'zero' is not a number");
    write_text("short", "1\n3 2\n0 1 2 0 1 2\n0 0 0 1 1\n");
    refused("short", "", "take 15 numbers; the file holds 14: it is truncated");
    write_text("long", "2 2\n0 1 0 1\n0 0 1 1 7\n");
    refused("long", "", "take 10 numbers; the file holds 11: it is too long");
    /* a count is compared with the sizes before there is memory for it: 24 GB here */
    write_text("counts", "2 2\n1000000000*1 1000000000*1 1000000000*1\n");
    refused("counts", "", "take 10 numbers; the file holds 3000000002: it is too long");
    write_text("sizes", "2.5 2\n0 1 0 1\n");
    refused("sizes", "", "does not begin with the sizes");
    write_text("negative", "1\n-3 2\n0 1 0 1\n");
    refused("negative", "", "does not begin with the sizes");
    write_text("nan", "3 2\n0 1 2 0 1 2\n0 0 0 1 nan 1\n");
    refused("nan", "", "zone block_1, node 2 2 1: coordinate y is not finite");
    write_text("infinite", "2 2\n0 1 0 1e999\n0 0 1 1\n");
    refused("infinite", "", "node 2 2 1: coordinate x is not finite");
    write_text("iblank", "2 2\n0 1 0 1\n0 0 1 1\n1 1 0 1\n");
    refused("iblank", "", "zone block_1: iblank is 0 at 1 of 4 nodes, first at 1 2 1");
    write_text("repeat", "2 2\n0*1 1\n");
    refused("repeat", "", "'0*1' is not a number");
    write_text("point", "1 2\n0 0\n0 1\n");
    refused("point", "--dims 2", "no cells along i");
    write_text("collapsed", "3 2\n0 1 1 0 1 1\n0 0 0 1 1 1\n");
    refused("collapsed", "", "node 2 1 1 has no volume");
    write_text("folded", "4 2\n0 2 1 3 0 2 1 3\n0 0 0 0 1 1 1 1\n");
    refused("folded", "",
            "is folded: 1 of its 3 cells have a negative volume, the first at node "
            "2 1 1");
    FILE *f = create("binary");
    fwrite("\0\0\0\4\0\0\0\1", 1, 8, f);
    fclose(f);
    refused("binary", "", "unformatted file of 8 bytes");
    write_grid("plate", &plate, false);
    char command[300];
    snprintf(command, sizeof command, "cd %s && gzip -c plate | head -c 100 >cut.gz", folder);
    assert_int_equal(system(command), 0);
    refused("cut.gz", "", "cut.gz");
}

/* Two blocks of a sector one behind the other, the second one left-handed. */
static void sectors(int block, const int i[3], double x[3])
{
    const int turned[3] = {i[0] + 2 * block, i[1], block ? 3 - i[2] : i[2]};
    sector(0, turned, x);
}

#define FACE(block, lo, hi) \
    "{\"block_index\": " block ", \"lb\": [" lo "], \"ub\": [" hi "], \"id\": 0}"
#define PAIR(one, two) "{\"block1\": " one ", \"block2\": " two "}"
#define MATCH \
    "{\"face_matches\": [" PAIR(FACE("0", "2,0,0", "2,2,3"), FACE("1", "0,0,0", "0,2,3")) "], "
#define NAMED                                                                                 \
    "--bc 1:imin=in --bc 2:imax=out --bc 1:jmin=hub --bc 2:jmin=hub --bc 1:jmax=casing --bc " \
    "2:jmax=casing "

/* What NASA's plot3d 1.13.0 finds of such a grid, and what it wrote in the form of earlier versions. */
static void test_connectivity(void **state)
{
    (void)state;
    struct an_mesh m;
    write_grid("s", &(struct grid){3, 2, {{3, 3, 4}, {3, 3, 4}}, sectors}, true);
    write_text("c.json",
               MATCH "\"periodic_faces\": [" PAIR(
                   FACE("0", "0,0,0", "2,2,0"),
                   FACE("0", "0,0,3", "2,2,3")) ", " PAIR(FACE("1", "0,0,0", "2,2,0"),
                                                          FACE("1", "0,0,3",
                                                               "2,2,3")) "], \"outer_faces\": []}");
    convert("s", "--connectivity c.json " NAMED, &m);
    assert_int_equal(m.topology.ninterface, 6);
    int periodic = 0;
    for (int f = 0; f < 6; f++)
        periodic += m.topology.interface[f].periodic == 2;
    assert_int_equal(periodic, 4);
    finish(&m);
    write_text("old.json", MATCH "\"periodic_surfaces\": [" PAIR(
                               "{\"block_index\": 0, \"IMIN\": 0, \"JMIN\": 0, \"KMIN\": 0, "
                               "\"IMAX\": 2, \"JMAX\": 2, \"KMAX\": 0}",
                               "{\"block_index\": 0, \"IMIN\": 0, \"JMIN\": 0, \"KMIN\": 3, "
                               "\"IMAX\": 2, \"JMAX\": 2, \"KMAX\": 3}") "]}");
    convert("s", "--connectivity old.json --bc 2:kmin=side --bc 2:kmax=side " NAMED, &m);
    assert_int_equal(m.topology.ninterface,
                     4); /* the sides of the second block are not in the list */
    finish(&m);
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"{\"face_matches\": [", "bad.json:1:"},
        {"{}", "there is neither a list face_matches nor a list periodic_faces"},
        {"{\"face_matches\": [{\"block1\": 3}]}",
         "bad.json: face_matches[0]: a face has block_index"},
        {"[" PAIR(FACE("0", "2,0,0", "2,2,3"), FACE("2", "0,0,0", "0,2,3")) "]",
         "no block of index 2, from 0 to 1"},
        {"[" PAIR(FACE("0", "2,0,0", "2,2,4"), FACE("1", "0,0,0", "0,2,3")) "]",
         "block block_1 has no node of index 4 along k"},
        {"[" PAIR(FACE("0", "1,0,0", "1,2,3"), FACE("1", "0,0,0", "0,2,3")) "]",
         "is no part of one of its faces"},
        {"[" PAIR(FACE("0", "0,0,0", "0,2,3"), FACE("1", "0,0,0", "0,2,3")) "]",
         "face_matches[0]: imin of zone block_1 has cells that do not lie on the other face"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        write_text("bad.json", bad[n].text);
        refused("s", "--connectivity bad.json", bad[n].says);
    }
    refused("s", "--connectivity nowhere.json", "nowhere.json");
}

/* Boundaries of a file of FIELDVIEW, whose indices are those of the file. */
static void test_fvbnd(void **state)
{
    (void)state;
    struct an_mesh m;
    write_grid("s", &(struct grid){3, 2, {{3, 3, 4}, {3, 3, 4}}, sectors}, true);
    write_text(
        "s.fvbnd",
        "FVBND 1 4\ninlet\noutlet\nhub wall\ncasing\nBOUNDARIES\n"
        "1 1 1 1 1 3 1 4 F 0\n2 2 3 3 1 3 1 4 F 0\n3 1 1 3 1 1 1 4 F 0\n3 2 1 3 1 1 1 4 F 0\n"
        "4 1 1 3 3 3 1 4 F 0\n4 2 1 3 3 3 1 4 F 0\n");
    convert("s", "--fvbnd s.fvbnd --join --periodic turn:20", &m);
    assert_int_equal(faces_of(&m, "hub_wall", AN_BC_NONE), 12);
    assert_int_equal(faces_of(&m, "outlet", AN_BC_NONE), 6);
    assert_int_equal(m.topology.ninterface, 6);
    finish(&m);
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"3\n", "bad.fvbnd:1: the file does not begin with FVBND"},
        {"FVBND 1 4\nw\n", "there are no parts behind a line BOUNDARIES"},
        {"FVBND 1 4\nw\nBOUNDARIES\n1 1 1 1\n", "bad.fvbnd:4: a part has the number of its name"},
        {"FVBND 1 4\nw\nBOUNDARIES\n2 1 1 1 1 3 1 4 F 0\n",
         "bad.fvbnd:4: there is no name of number 2, from 1 to 1"},
        {"FVBND 1 4\nw\nBOUNDARIES\n1 1 1 3 1 3 1 4 F 0\n",
         "bad.fvbnd:4: the part of block 1 is no part of a face"},
        {"FVBND 1 4\nw\nBOUNDARIES\n1 3 1 1 1 3 1 4 F 0\n", "there is no zone '3'"},
        {"FVBND 1 4\nw\nBOUNDARIES\n1 1 1 1 1 3 1 9 F 0\n", "is not within the nodes 1-4"}};
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        write_text("bad.fvbnd", bad[n].text);
        refused("s", "--fvbnd bad.fvbnd", bad[n].says);
    }
}

/* As ember writes it: 0 is the last node, and parts called periodic are all that a motion may join. */
static void test_fvbnd_of_ember(void **state)
{
    (void)state;
    struct an_mesh m;
    write_grid("s", &(struct grid){3, 2, {{3, 3, 4}, {3, 3, 4}}, sectors}, true);
    write_text("s.fvbnd", "FVBND 1 4\ninlet_0\noutlet_0\nperiodic_0\nperiodic_1\nBOUNDARIES\n"
                          "1 1 1 1 1 0 1 0 F 0\n2 2 0 0 1 0 1 0 F -1\n"
                          "3 1 1 0 1 0 1 1 F 0\n4 1 1 -1 1 0 0 0 F -1\n");
    refused("s", "--fvbnd s.fvbnd --join", "jmin, i 1-3, k 1-4: neither a boundary (--bc) nor");
    refused("s", "--fvbnd s.fvbnd --join --periodic turn:20 --rest wall",
            "--bc 1:kmin:1-3,1-3=periodic_0: a part of it is an interface on zone block_1, kmin");
    write_text("s.fvbnd", "FVBND 1 4\ninlet_0\noutlet_0\nperiodic_0\nperiodic_1\nBOUNDARIES\n"
                          "1 1 1 1 1 0 1 0 F 0\n2 2 0 0 1 0 1 0 F -1\n"
                          "3 1 1 0 1 0 1 1 F 0\n4 1 1 0 1 0 0 0 F -1\n");
    convert("s", "--fvbnd s.fvbnd --join --periodic turn:20 --rest wall:wall_viscous", &m);
    assert_int_equal(m.topology.ninterface, 4); // one joint, and the periodic sides of block 1
    assert_int_equal(m.topology.nboundary, 3);
    assert_int_equal(faces_of(&m, "outlet_0", AN_BC_NONE), 6);
    assert_int_equal(faces_of(&m, "wall", AN_BC_WALL_VISCOUS), 2 * 2 * 6 + 2 * 4);
    finish(&m);
    convert("s", "--fvbnd s.fvbnd --rest wall", &m); // nothing is joined: the parts are boundaries
    assert_int_equal(faces_of(&m, "periodic_1", AN_BC_NONE), 4);
    assert_int_equal(m.topology.ninterface, 0);
    finish(&m);
    refused("s", "--rest a/b", "--rest a/b: a name has 1 to 31 characters");
    refused("s", "--rest wall:rough", "'rough' is no type");
    refused("s", "--bc 1:imin=wall:inlet --rest wall:symmetry", "'wall' was inlet before");
}

static void test_bad_options(void **state)
{
    (void)state;
    write_grid("plate", &plate, false);
    refused("", "", "no grid given");
    refused("plate plate", "", "one grid only");
    refused("plate", "--every 0", "--every=0");
    refused("plate", "--every 1.5", "expected a whole number");
    refused("plate", "--scale -1", "--scale=-1");
    refused("plate", "--span x", "--span=x");
    refused("plate", "--dims 4", "--dims=4");
    refused("plate", "--every 3", "has 8 cells along i, which --every 3 does not divide");
    refused("plate", "--flat", "--flat is for a 3-D grid");
    write_grid("box", &(struct grid){3, 1, {{3, 3, 3}}, box}, false);
    refused("box", "--span 2", "--span is for a 2-D grid");
    refused("box", "--flat", "--flat needs one direction");
    refused("box", "", "kmax, i 1-3, j 1-3: neither a boundary (--bc) nor an interface (--join)");
}

static void test_bad_conditions(void **state)
{
    (void)state;
    write_grid("plate", &plate, false);
    refused("plate", "--bc 1=wall", "expected ZONE:FACE");
    refused("plate", "--bc 1:jmin", "expected ZONE:FACE");
    refused("plate", "--bc 2:jmin=wall", "there is no zone '2'");
    refused("plate", "--bc block_7:jmin=wall", "there is no zone 'block_7'");
    refused("plate", "--bc 1:jmid=wall", "'jmid' is no face");
    refused("plate", "--bc 1:kmin=wall", "'kmin' is no face of a 2-D grid");
    refused("plate", "--bc 1:jmin=wall:stone", "'stone' is no type");
    refused("plate", "--bc 1:jmin=:wall_slip", "a name has 1 to 31 characters");
    refused("plate", "--bc 1:jmin=front", "an end of the extruded grid");
    refused("plate", "--bc 1:jmin:1=wall", "expected a range");
    refused("plate", "--bc 1:jmin:1-3x=wall", "expected a range");
    refused("plate", "--bc 1:jmin:1-3,1-2=wall", "one range");
    refused("plate", "--bc 1:jmin:0-3=wall", "is not within the nodes 1-9");
    refused("plate", "--bc 1:jmin:4-10=wall", "is not within the nodes 1-9");
    refused("plate", "--bc 1:jmin:5-5=wall", "is not within");
    refused("plate", "--every 4 --bc 1:jmin:1-4=wall", "--every 4");
    refused("plate", "--bc 1:jmin=w:wall_slip --bc 1:jmax=w:wall_viscous", "was wall_slip before");
    refused("plate", "--bc 1:jmin:1-5=a --bc 1:jmin:4-9=b",
            "overlaps boundary 'a' on zone block_1, jmin, from node 4 on along i");
    refused("plate", PLATE "--bc 1:jmin:1-5=a --bc 1:jmin:7-9=b",
            "zone block_1, jmin, i 5-7: neither a boundary");
    refused("plate", "--every 2 " PLATE "--bc 1:jmin:1-5=a",
            "zone block_1, jmin, i 5-9: neither a boundary");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),          cmocka_unit_test(test_type_left_open),
        cmocka_unit_test(test_left_handed),    cmocka_unit_test(test_flat),
        cmocka_unit_test(test_fortran_form),   cmocka_unit_test(test_join),
        cmocka_unit_test(test_c_cut),          cmocka_unit_test(test_o_cut),
        cmocka_unit_test(test_join_mirrored),  cmocka_unit_test(test_planes_and_iblank),
        cmocka_unit_test(test_bomb),           cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_bad_options),    cmocka_unit_test(test_bad_conditions),
        cmocka_unit_test(test_unformatted),    cmocka_unit_test(test_far_field),
        cmocka_unit_test(test_periodic),       cmocka_unit_test(test_axes),
        cmocka_unit_test(test_one_layer),      cmocka_unit_test(test_layers_apart),
        cmocka_unit_test(test_connectivity),   cmocka_unit_test(test_fvbnd),
        cmocka_unit_test(test_fvbnd_of_ember),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
