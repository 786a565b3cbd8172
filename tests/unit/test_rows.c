/* Rows of the case file against the mesh: which zones turn, and what is refused, in plain words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solver/level/rows.h"

#define PI 3.14159265358979323846

/* Two zones of a passage of 36, "vane" and "blade", each periodic by rotation; joined or not. */
struct passage {
    struct an_mesh mesh;
    struct an_interface interface[6];
    struct an_zone zone[2];
    struct an_patch patch[2];
    struct an_boundary boundary[2];
};

static void periodic(struct an_interface *f, const char *name, int zone, int side, double angle)
{
    *f = (struct an_interface){
        .window = {.block = zone, .dir = 2, .side = side},
        .donor = zone,
        .donor_dir = 2,
        .donor_side = !side,
        .periodic = 2,
        .rotation = {1, 0, 0, 0, cos(angle), -sin(angle), 0, sin(angle), cos(angle)}};
    snprintf(f->name, sizeof f->name, "%s", name);
}

static void passage_new(struct passage *p, int joined)
{
    memset(p, 0, sizeof *p);
    p->mesh.dimension = 3;
    for (int z = 0; z < 2; z++) {
        p->zone[z] = (struct an_zone){.n = {4, 4, 4}};
        snprintf(p->zone[z].name, AN_NAME, "%s", z ? "blade" : "vane");
        snprintf(p->zone[z].family, AN_NAME, "%s", z ? "second" : "first");
        periodic(&p->interface[2 * z], "low", z, 0, 2 * PI / 36);
        periodic(&p->interface[2 * z + 1], "high", z, 1, -2 * PI / 36);
        p->patch[z] = (struct an_patch){.window = {.block = z, .dir = 1}, .boundary = z};
        snprintf(p->boundary[z].name, AN_NAME, "%s", z ? "casing" : "hub");
    }
    p->interface[4] = (struct an_interface){.name = "plane", .window = {.block = 0}, .donor = 1};
    p->interface[5] = (struct an_interface){.name = "plane", .window = {.block = 1}, .donor = 0};
    p->mesh.topology = (struct an_topology){.nblock = 2,
                                            .ninterface = joined ? 6 : 4,
                                            .npatch = 2,
                                            .nboundary = 2,
                                            .block = p->zone,
                                            .interface = p->interface,
                                            .patch = p->patch,
                                            .boundary = p->boundary};
}

static void read_case(const char *rows, struct an_case *c)
{
    char path[64] = "/tmp/an_rows_XXXXXX";
    struct an_diag d;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    fprintf(f,
            "case: rows\nmesh: a.cgns\ngas: {viscosity: sutherland}\ninitial: {p: 1e5, T: 300}\n%s",
            rows);
    fclose(f);
    an_diag_init(&d);
    if (an_case_read(path, 0, NULL, c, &d))
        fail_msg("%s", d.nline ? d.line[0] : an_error_text());
    an_diag_free(&d);
    unlink(path);
}

/* Reads the rows; the first message, or "", into text. */
static int judge(struct passage *p, const char *rows, double omega[2], char *text, size_t size)
{
    struct an_case c;
    struct an_diag d;
    double *rate = NULL;
    read_case(rows, &c);
    an_diag_init(&d);
    assert_int_equal(an_solver_rows(&c, &p->mesh, &rate, &d), AN_OK);
    for (int z = 0; z < 2; z++)
        omega[z] = rate ? rate[z] : 0;
    snprintf(text, size, "%s", d.nline ? d.line[0] : "");
    const int faults = d.nerror;
    an_diag_free(&d);
    an_case_free(&c);
    free(rate);
    return faults;
}

static void rows_are_found(void **unused)
{
    (void)unused;
    static const struct {
        const char *rows;
        double omega[2];
    } good[] = {
        {"", {0, 0}},
        {"rows:\n  r: {zones: [blade], omega: 100, blades: 36}\n", {0, 100}},
        {"rows:\n  r: {zones: \"bl*\", rpm: -30, blades: 36}\n", {0, -PI}},
        {"rows:\n  r: {zones: [second], omega: 7}\n", {0, 7}},
        {"rows:\n  s: {zones: [vane], omega: 0}\n  r: {zones: [blade], omega: 5, blades: 72}\n",
         {0, 5}},
        {"rows:\n  r: {zones: [\"*\"], omega: 3}\n"
         "boundaries:\n  casing: {type: wall_viscous, omega: 0}\n",
         {3, 3}},
    };
    for (size_t n = 0; n < sizeof good / sizeof *good; n++) {
        struct passage p;
        double omega[2];
        char text[1000];
        passage_new(&p, 0);
        if (judge(&p, good[n].rows, omega, text, sizeof text))
            fail_msg("%s", text);
        for (int z = 0; z < 2; z++)
            assert_true(fabs(omega[z] - good[n].omega[z]) < 1e-13);
    }
}

static void faults_are_named(void **unused)
{
    (void)unused;
    static const struct {
        int joined;
        const char *rows, *fragment;
    } bad[] = {
        {0, "rows:\n  r: {zones: [rotor], omega: 1}\n",
         ":6: error: row 'r': 'rotor' matches no zone of the mesh, which has 'vane', 'blade'"},
        {0, "rows:\n  r: {zones: [\"*\"], omega: 1}\n  s: {zones: [blade], omega: 2}\n",
         ":7: error: zone 'blade' is in rows 'r' and 's'; keep it in one"},
        {0, "rows:\n  r: {zones: [blade], omega: 1, blades: 37}\n",
         ":6: error: row 'r' has 37 blades, a pitch of 9.72973 degrees, but the mesh repeats after "
         "10 "
         "degrees (zone 'blade', 'low'), which is 1/36 of a turn"},
        {1, "rows:\n  r: {zones: [blade], omega: 5}\n",
         "interface 'plane': zones 'vane' and 'blade' are joined one to one, but turn at 0 and 5 "
         "rad/s"},
        {0,
         "rows:\n  r: {zones: [blade], omega: 5}\nboundaries:\n  hub: {type: wall_viscous, omega: "
         "5}\n",
         ":8: error: wall 'hub' turns at 5 rad/s, but zone 'vane' beside it is in no row"},
        {0,
         "rows:\n  r: {zones: [blade], omega: 5}\nturbulence: "
         "{model: sa, rotation_correction: rc}\n",
         "rotation_correction: rc does not know of rows that turn"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct passage p;
        double omega[2];
        char text[1000];
        passage_new(&p, bad[n].joined);
        const int faults = judge(&p, bad[n].rows, omega, text, sizeof text);
        if (faults != 1 || !strstr(text, bad[n].fragment))
            fail_msg("%d faults, '%s', wanted '%s'", faults, text, bad[n].fragment);
    }
}

static void translations_are_along_the_axis(void **unused)
{
    (void)unused;
    struct passage p;
    double omega[2];
    char text[1000];
    for (int n = 0; n < 3; n++) {
        passage_new(&p, 0);
        p.interface[2].periodic = 1;
        p.interface[2].translation[n] = 0.1;
        const int faults = judge(&p, "rows:\n  r: {zones: [blade], omega: 5}\n", omega, text, 1000);
        assert_int_equal(faults, n > 0);
        assert_true(n == 0 || strstr(text, "periodic by translation off the x axis ('low')"));
    }
}

/* Rows that turn against each other with the same speed, joined one to one; a pitch is that of the blades
 * to 1e-4, one part in a hundred thousand passes, one in a thousand does not. */
static void speeds_and_pitches_fit(void **unused)
{
    (void)unused;
    struct passage p;
    double omega[2];
    char text[1000];
    static const char *const rows = "rows:\n  s: {zones: [vane], omega: -50}\n"
                                    "  r: {zones: [blade], omega: 50}\n";
    for (int joined = 0; joined < 2; joined++) {
        passage_new(&p, joined);
        assert_int_equal(judge(&p, rows, omega, text, sizeof text), joined);
    }
    assert_non_null(strstr(text, "joined one to one, but turn at -50 and 50 rad/s"));
    static const double off[] = {1e-5, -1e-5, 1e-3, -1e-3};
    for (int n = 0; n < 4; n++) {
        passage_new(&p, 0);
        periodic(&p.interface[2], "low", 1, 0, (1 + off[n]) * 2 * PI / 36);
        periodic(&p.interface[3], "high", 1, 1, -(1 + off[n]) * 2 * PI / 36);
        assert_int_equal(judge(&p, "rows:\n  r: {zones: [blade], omega: 5, blades: 36}\n", omega,
                               text, sizeof text),
                         n / 2);
    }
}

/* How often what is meshed fits into the annulus: by the angle of each row, one passage or several, also
 * where the passages are no whole part of a turn. */
static void sectors_of_rows(void **unused)
{
    (void)unused;
    struct passage p;
    struct an_case c;
    double sectors[2];
    static const struct {
        double angle;
        int blades;
        double sectors;
    } blade[] = {{2 * PI / 46, 46, 46},
                 {3 * 2 * PI / 46 * (1 + 1e-5), 46, 46. / 3}, /* as files round it */
                 {2 * PI / 23, 0, 23}};
    for (int n = 0; n < 3; n++) {
        char rows[200];
        passage_new(&p, 0);
        periodic(&p.interface[2], "low", 1, 0, blade[n].angle);
        periodic(&p.interface[3], "high", 1, 1, -blade[n].angle);
        snprintf(rows, sizeof rows,
                 "rows:\n  s: {zones: [vane], omega: 0, blades: 36}\n"
                 "  r: {zones: [blade], omega: 5%s}\n",
                 blade[n].blades ? ", blades: 46" : "");
        read_case(rows, &c);
        assert_int_equal(an_solver_sectors(&c, &p.mesh.topology, sectors), AN_OK);
        an_case_free(&c);
        assert_true(sectors[0] == 36);
        assert_true(fabs(sectors[1] - blade[n].sectors) < 1e-12);
    }
}

/* What the mesh says counts where no row does; a row that differs is told. */
static void rotating_coordinates_count(void **unused)
{
    (void)unused;
    struct passage p;
    double omega[2];
    char text[1000];
    passage_new(&p, 0);
    p.zone[1].rotates = 1;
    p.zone[1].omega = -12;
    assert_int_equal(judge(&p, "", omega, text, sizeof text), 0);
    assert_true(omega[0] == 0 && omega[1] == -12 && !*text);
    const char *row = "rows:\n  r: {zones: [blade], omega: 12}\n";
    assert_int_equal(judge(&p, row, omega, text, sizeof text), 0);
    assert_true(omega[1] == 12);
    assert_non_null(strstr(text, "warning: row 'r' turns zone 'blade' at 12 rad/s"));
    p.zone[0].rotates = 1; /* zones of one row and rate are told together */
    p.zone[0].omega = -12;
    row = "rows:\n  r: {zones: [vane, blade], omega: 12}\n";
    assert_int_equal(judge(&p, row, omega, text, sizeof text), 0);
    assert_non_null(strstr(text, "warning: row 'r' turns zone 'vane' and 1 other at 12 rad/s"));
    p.zone[0].omega = 3;
    assert_int_equal(judge(&p, row, omega, text, sizeof text), 0);
    assert_non_null(strstr(text, "warning: row 'r' turns zone 'vane' at 12 rad/s"));
}

/* A march that is known not to settle is told before it starts. */
static void matrix_dissipation_warns(void **unused)
{
    (void)unused;
    static const char *const flux[] = {"jst", "matrix"};
    for (int n = 0; n < 4; n++) {
        struct passage p;
        double omega[2];
        char text[1000], keys[200];
        passage_new(&p, 0);
        snprintf(keys, sizeof keys,
                 "rows:\n  r: {zones: [blade], omega: %d}\nscheme: {flux: %s}\n"
                 "march: {method: implicit}\n",
                 n < 2 ? 5 : 0, flux[n & 1]);
        assert_int_equal(judge(&p, keys, omega, text, sizeof text), 0);
        assert_true((strstr(text, "matrix dissipation does not settle") != NULL) == (n == 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_found),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(speeds_and_pitches_fit),
        cmocka_unit_test(sectors_of_rows),
        cmocka_unit_test(translations_are_along_the_axis),
        cmocka_unit_test(rotating_coordinates_count),
        cmocka_unit_test(matrix_dissipation_warns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
