// mesh_row: periodic multi-block structured mesh of an annular blade row from published tables.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/output_file.h"
#include "row.h"
#include "tools/programs/arguments.h"

const char *argp_program_version = "mesh_row 1";
static const char doc[] =
    "Periodic multi-block structured mesh (CGNS) of an annular blade row from tables of blade "
    "sections, hub and casing.\vROW.yaml names the tables and says what is wanted; cases/rotor37 "
    "holds an example. Exit codes: 0 done, 1 the machine failed, 2 bad input, 3 no valid mesh "
    "(nothing is written without --keep-bad, but the valid ones of several rows).";

enum {
    KEY_QUALITY = 256,
    KEY_CHECK,
    KEY_CELLS,
    KEY_LEVELS,
    KEY_BAD,
    KEY_ANGLES,
    KEY_PROFILE,
    KEY_BLADES,
    KEY_FIRST,
    KEY_EXPORT,
    KEY_THREADS,
    KEY_REUSE,
    KEY_ROW
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "CGNS file to write", 0},
    {"cells", KEY_CELLS, "N", 0, "number of cells, in place of the file's", 0},
    {"levels", KEY_LEVELS, "N", 0, "multigrid levels to allow, in place of the file's", 0},
    {"threads", KEY_THREADS, "N", 0,
     "threads to use (default: one for each core); the mesh does not depend on it", 0},
    {"reuse", KEY_REUSE, "FILE", 0,
     "begin with what was found for the row that this one varies: FILE takes it from the first "
     "row, "
     "and serves those that follow",
     0},
    {"row", KEY_ROW, "NAME", 0,
     "of a file of several rows: mesh this row alone, as it is among the others; FILE has it as a "
     "mesh of its own, for mesh_join",
     0},
    {"quality", KEY_QUALITY, 0, 0, "report the quality only, write no mesh", 0},
    {"check", KEY_CHECK, 0, 0,
     "only check the input: files, keys, blades, walls and the sense of rotation; no mesh is made",
     0},
    {"keep-bad", KEY_BAD, 0, 0,
     "write a mesh with folded cells too, marked: for pictures, the solver refuses it", 0},
    {"from-angles", KEY_ANGLES, "TABLE", 0,
     "sections from a table of angles, chord and thickness, without ROW.yaml; needs --blades", 0},
    {"profile", KEY_PROFILE, "NAME", 0,
     "for --from-angles: naca65 (default), double_arc, multiple_arc, power or turbine", 0},
    {"blades", KEY_BLADES, "N", 0, "for --from-angles: number of blades", 0},
    {"first-cell", KEY_FIRST, "M", 0,
     "for --from-angles: height of the first cell, m (default: 1e-4 of the hub's radius)", 0},
    {"export-curve", KEY_EXPORT, "FOLDER", 0,
     "write the geometry as TurboGrid's .inf and .curve files", 0},
    {0, 0, 0, 0, 0, 0}};

struct command {
    const char *input, *output;
    const char *angles, *profile, *export, *reuse, *row;
    double first;
    int blades;
    double cells;
    int levels, threads;
    bool quality, check, keep_bad;
};

static bool is_profile(const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = PROFILES; *p; p += strcspn(p, " "), p += *p == ' ')
        if (strcspn(p, " ") == n && strncmp(p, word, n) == 0)
            return true;
    return false;
}

// What options need each other, and which exclude each other.
static void judge(const struct command *c, struct argp_state *state)
{
    if (!c->input && !c->angles)
        argp_error(state, "no input file given");
    if (c->input && c->angles)
        argp_error(state, "--from-angles stands in place of the input file");
    if (c->angles && !c->blades)
        argp_error(state, "--from-angles needs --blades");
    if (!c->angles && (c->blades || c->profile || c->first > 0))
        argp_error(state, "--blades, --profile and --first-cell belong to --from-angles");
    if (c->keep_bad && !c->output)
        argp_error(state, "--keep-bad needs --output");
    if (c->row && (c->keep_bad || c->reuse || c->export || c->angles))
        argp_error(state, "--row goes with --output or --quality alone");
    if (!c->output && !c->quality && !c->check && !c->export)
        argp_error(state, "nothing to do: give --output, --quality, --check or --export-curve");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct command *c = state->input;
    switch (key) {
    case 'o':
        c->output = arg;
        break;
    case KEY_CELLS:
        c->cells = argument_number(state, arg, "cells", 1e4, 1e8);
        break;
    case KEY_LEVELS:
        c->levels = (int)argument_number(state, arg, "levels", 1, 5);
        break;
    case KEY_THREADS:
        c->threads = (int)argument_number(state, arg, "threads", 1, 256);
        break;
    case KEY_REUSE:
        c->reuse = arg;
        break;
    case KEY_ROW:
        c->row = arg;
        break;
    case KEY_QUALITY:
        c->quality = true;
        break;
    case KEY_CHECK:
        c->check = true;
        break;
    case KEY_BAD:
        c->keep_bad = true;
        break;
    case KEY_ANGLES:
        c->angles = arg;
        break;
    case KEY_PROFILE:
        if (!is_profile(arg))
            argp_error(state, "--profile=%s: expected one of: " PROFILES, arg);
        c->profile = arg;
        break;
    case KEY_BLADES:
        c->blades = (int)argument_number(state, arg, "blades", 1, 1000);
        break;
    case KEY_FIRST:
        c->first = argument_number(state, arg, "first-cell", 1e-9, 0.1);
        break;
    case KEY_EXPORT:
        c->export = arg;
        break;
    case ARGP_KEY_ARG:
        if (c->input)
            argp_error(state, "one input file only");
        c->input = arg;
        break;
    case ARGP_KEY_END:
        judge(c, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int from_angles(struct project *p, const struct command *c)
{
    p->row = calloc(1, sizeof *p->row);
    AN_CHECK(p->row, AN_FAIL, "out of memory");
    p->n = 1;
    struct row_input *in = &p->row->in;
    input_default(in);
    snprintf(in->angles, sizeof in->angles, "%s", c->angles);
    snprintf(in->profile, sizeof in->profile, "%s", c->profile ? c->profile : "naca65");
    snprintf(in->title, sizeof in->title, "from angles");
    in->blades = c->blades;
    in->cells = 3e5;
    return AN_OK;
}

// Multigrid levels of the rows that are not given any: large rows settle in fewer cycles with a fourth one.
static void choose_levels(struct project *p)
{
    const double many =
        1.5e5; // cells of a row; measured with Rotor 37, NASA TN D-6967 and TFD-4AC, docs/guide/mesh-row.md
    double all = p->several ? p->cells : 0;
    for (int k = 0; k < p->n && !(p->several && p->cells > 0); k++)
        all += p->row[k].in.cells;
    for (int k = 0; k < p->n; k++)
        if (p->row[k].in.levels == 0)
            p->row[k].in.levels = all / p->n >= many ? 4 : 3;
}

static int read_input(struct project *p, const struct command *c)
{
    struct an_diag diag;
    an_diag_init(&diag);
    const int rc = c->angles ? from_angles(p, c) : input_read_project(p, c->input, &diag);
    for (int l = 0; l < diag.nline; l++)
        fprintf(stderr, "%s\n", diag.line[l]);
    an_diag_free(&diag);
    if (c->cells > 0) {
        p->cells = c->cells;
        for (int k = 0; k < p->n; k++)
            p->cells_given[k] = !p->several;
    }
    for (int k = 0; k < p->n; k++) {
        if (c->cells > 0)
            p->row[k].in.cells = c->cells;
        if (c->levels > 0)
            p->row[k].in.levels = c->levels;
    }
    choose_levels(p);
    return rc;
}

// Does the blade do work on the gas? A compressor's blade turns the relative flow towards the way it
// moves, a turbine's against it. Where the radius changes, the work of the radius outweighs that turning:
// a blade whose end nearer to the axis leans against the rotation takes in, or lets out, gas without
// swirl there, and works with the swirl of its other end. 1: yes, -1: no, 0: the blade does not say.
static int adds_work(const struct row *r, double lead, double trail, double radius_ratio)
{
    if (radius_ratio < 1.2 && radius_ratio > 1 / 1.2)
        return (tan(trail) - tan(lead)) * r->in.rpm > 0 ? 1 : -1;
    const bool outwards = radius_ratio > 1;
    const double inner = outwards ? lead : trail;
    if (fabs(inner) < 3 * M_PI / 180)
        return 0;
    return (inner * r->in.rpm < 0) == outwards ? 1 : -1;
}

// A blade of an axial row that begins or ends against the direction from inlet to outlet.
static void doubt_edges(const struct row *r, const double edge[2])
{
    const double deg = 180 / M_PI, most = fabs(edge[0]) > fabs(edge[1]) ? edge[0] : edge[1];
    const size_t length = strlen(r->in.geometry);
    if (!r->meridian.axial || fabs(most) <= M_PI / 2)
        return;
    fprintf(stderr,
            "warning: an edge of the blade stands at %.1f deg to x; plausible: less than 90 deg; "
            "perhaps x and r theta are exchanged%s\n",
            -most * deg,
            length > 5 && strcmp(r->in.geometry + length - 5, ".json") == 0
                ? ": pyturbo-aero draws blades along r theta, unless center_le(), flip_x() and "
                  "rotate(cx=0, cy=0, angle=90) of the blade turn them before it is exported"
                : "");
}

// The section at mid-span, and whether its work is that of the machine.
static int check_rotation(const struct row *r)
{
    const double deg = 180 / M_PI;
    struct layer l;
    struct profile p;
    layer_even(&l, &r->meridian, 0.5);
    AN_TRY(blade_profile(r->blade, &l, &p));
    double mean[2], edge[2];
    blade_angles(&p, mean, edge);
    const double lead = -mean[0], trail = -mean[1], chord = p.chord,
                 r1 = meridian_point(&r->meridian, layer_u(&l, p.le.x), 0.5).r,
                 r2 = meridian_point(&r->meridian, layer_u(&l, p.te.x), 0.5).r;
    profile_free(&p);
    fprintf(row_out(r), "row                  %s\n", r->in.title);
    fprintf(
        row_out(r),
        "blade at mid-span    from %.1f to %.1f deg (from %s towards positive theta), chord over "
        "radius %.4f\n",
        lead * deg, trail * deg, r->meridian.axial ? "x" : "the meridional direction", chord);
    fprintf(row_out(r), "blade at its edges   %.1f and %.1f deg\n", -edge[0] * deg, -edge[1] * deg);
    doubt_edges(r, edge);
    if (r->in.rpm == 0)
        return AN_OK;
    const int adds = adds_work(r, lead, trail, r2 / r1);
    fprintf(row_out(r), "rotation             %g rpm about +x: the blade %s\n", r->in.rpm,
            adds > 0   ? "adds work (compressor)"
            : adds < 0 ? "takes work (turbine)"
                       : "is radial at its inner end and does not say whether it adds work");
    AN_CHECK(
        adds == 0 || r->in.machine == MACHINE_ANY ||
            (r->in.machine == MACHINE_COMPRESSOR) == (adds > 0),
        AN_INPUT,
        "error: with %g rpm about +x the blade %s work, but 'machine' is %s: check the sign of "
        "'rpm' and 'theta'",
        r->in.rpm, adds > 0 ? "adds" : "takes", adds > 0 ? "turbine" : "compressor");
    return AN_OK;
}

// A warning for a size that suggests another unit: the limits are those that the solver has for radii (io/plausible.c).
static void doubt_unit(const struct row *r, const struct command *c)
{
    const double radius = meridian_point(&r->meridian, 0.5, 1).r;
    if (radius < 2e-3 || radius > 5)
        fprintf(stderr, "warning: the casing has a radius of %.4g m; plausible: 1 cm to 2 m; %s\n",
                radius,
                c->angles ? "--from-angles reads metres, a row file may have 'length: mm'"
                          : "is 'length' the unit of the tables?");
}

// The output must be none of the files that are read.
static int check_output(const struct row_input *in, const struct command *c)
{
    const char *const read[6] = {
        c->input ? c->input : "", in->sections, in->hub, in->casing, in->geometry, in->surfaces};
    for (int n = 0; n < 6; n++)
        AN_CHECK(!*read[n] || !an_same_file(c->output, read[n]), AN_INPUT,
                 "%s is %s, which is read: it would be written over", c->output, read[n]);
    for (int f = 0; f < in->files; f++)
        AN_CHECK(!an_same_file(c->output, in->file[f]), AN_INPUT,
                 "%s is %s, which is read: it would be written over", c->output, in->file[f]);
    return AN_OK;
}

static int load_row(struct row *r, const struct command *c)
{
    AN_TRY(formats_load(&r->in)); // before the paths are compared: the geometry names them
    if (c->angles) {
        const double radius = r->in.given[1].v[1];
        for (int k = 0; k < 4; k++)
            r->in.first[k] = c->first > 0 ? c->first : 1e-4 * radius;
    }
    return c->output ? check_output(&r->in, c) : AN_OK;
}

// What the readers of other formats found.
static void print_told(const struct row *r)
{
    fputs(r->in.told, row_out(r));
    for (int b = 0; b < r->in.splitters; b++)
        fputs(r->in.splitter[b].told, row_out(r));
}

static int load(struct project *p, const struct command *c)
{
    for (int k = 0; k < p->n; k++)
        AN_TRY(project_error(p, k, load_row(&p->row[k], c)));
    if (!p->several)
        print_told(p->row);
    if (!c->export)
        return AN_OK;
    AN_CHECK(!p->several, AN_INPUT, "error: --export-curve takes the file of one row");
    return row_export(&p->row->in, c->export);
}

// Angles of less than two degrees in all sections are those of a strut, or in radians.
static void doubt_angles(const struct row_input *in)
{
    if (*in->angles && in->most_angle > 0 && in->most_angle < 2)
        fprintf(
            stderr,
            "%s: warning: the largest blade angle is %.4g degrees: the angles of this table are "
            "in degrees, perhaps these are in radians\n",
            in->angles, in->most_angle);
}

// A table of angles has its sections at about even steps. One that is much larger, in radius too, suggests a wrong
// radius, and then no mesh may be found in a long search.
static void doubt_radii(const struct row *r)
{
    const struct blade *b = &r->blade[0];
    const struct table *t = &r->in.given[0];
    int far = 0;
    double sum = 0;
    if (!*r->in.angles || b->n < 3 || t->nsection != b->n)
        return;
    for (int k = 0; k < b->n - 1; k++) {
        sum += b->p[k + 1] - b->p[k];
        far = b->p[k + 1] - b->p[k] > b->p[far + 1] - b->p[far] ? k : far;
    }
    const double step = b->p[far + 1] - b->p[far], others = (sum - step) / (b->n - 2),
                 low = meridian_point(&r->meridian, 0.5, b->p[far]).r,
                 high = meridian_point(&r->meridian, 0.5, b->p[far + 1]).r;
    if (step < 5 * others || high < 1.5 * low)
        return;
    const int k = far == 0 ? 0 : far + 1;
    fprintf(
        stderr,
        "%s:%d: warning: section %d, at r = %.4g m, is %.3g times as far from section %d, at r = "
        "%.4g m, as the other sections are from each other: is its radius right?\n",
        r->in.angles, t->line[k], k + 1, k ? high : low, step / others, k ? k : 2, k ? low : high);
}

static void warn_gaps(const struct row *r)
{
    for (int b = 0; b < r->set; b++) {
        const struct blade *q = &r->blade[b];
        if (q->gaps)
            fprintf(
                stderr,
                "%s: warning: the last point of section %d is %.3g m from its first one: this gap "
                "is closed, as are those of %d of the %d sections\n",
                b ? r->in.splitter[b - 1].sections : r->in.sections, q->gap_at + 1, q->gap, q->gaps,
                q->n);
    }
}

static void print_edges(const struct row *r)
{
    for (int b = 0; b < r->set; b++) {
        const struct blade *q = &r->blade[b];
        if (q->cut)
            fprintf(row_out(r),
                    "cut-off edge         kept in %d sections: bases from %.4g to %.4g m wide; "
                    "round_edges: yes rounds them\n",
                    q->n, q->width[0], q->width[1]);
        if (!q->rounded)
            continue;
        fprintf(row_out(r),
                "rounded edges        %d in %d sections: bases up to %.4g m wide; the corners were "
                "up to "
                "%.3g m outside the arcs; up to %.3f %% of a section's area lost\n",
                q->rounded, q->n, q->base, q->lost, 100 * q->lost_area);
    }
}

// What is told before the mesh is made.
static int begin_row(struct row *r, const struct command *c)
{
    doubt_unit(r, c);
    if (r->layers)
        print_told(r);
    warn_gaps(r);
    doubt_angles(&r->in);
    doubt_radii(r);
    print_edges(r);
    AN_TRY(check_rotation(r));
    splitters_print(r);
    fillet_print(r);
    return metal_check(r);
}

// AN_DIVERGED: the mesh is folded, but made.
static int mesh_row(struct row *r)
{
    AN_TRY(stack_build(r));
    const int rc = figures_print(r);
    if ((rc == AN_OK || rc == AN_DIVERGED) && r->in.clocking != 0)
        grid_turn(&r->grid, r->in.clocking * M_PI / 180);
    AN_TRY(rc);
    const int metal = metal_build(r);
    if (r->metal && r->in.clocking != 0)
        grid_turn(r->metal, r->in.clocking * M_PI / 180);
    return metal;
}

// The report on a row of a machine, which is kept until all rows are done, and what became of the row.
struct outcome {
    char *report, *why; // (owned)
    size_t size;
    int rc;
};

struct machine {
    struct project *p;
    int only; // the row to mesh; -1: all
    struct outcome row[MAX_ROWS];
};

static int mesh_one(void *of, int k)
{
    struct machine *m = of;
    struct outcome *o = &m->row[k];
    if (m->only >= 0 && k != m->only)
        return AN_OK;
    o->rc = project_error(m->p, k, mesh_row(&m->p->row[k]));
    o->why = o->rc ? strdup(an_error_text()) : NULL;
    return AN_OK; // the other rows go on
}

// All rows side by side. What is wrong with the input of one is told before any is meshed.
static int mesh_all(struct machine *m, const struct command *c)
{
    struct project *p = m->p;
    int rc = AN_OK;
    for (int k = 0; k < p->n && !rc; k++) {
        struct row *r = &p->row[k];
        if (m->only >= 0 && k != m->only)
            continue;
        if (p->several)
            r->out = open_memstream(&m->row[k].report, &m->row[k].size);
        AN_CHECK(r->out || !p->several, AN_FAIL, "out of memory");
        rc = project_error(p, k, begin_row(r, c));
    }
    return rc ? rc : side_by_side(p->n, mesh_one, m);
}

// Prints the reports in the order of the rows. Returns the worst of what became of them, with the messages on all rows
// that have no valid mesh in `why`.
static int report(struct machine *m, char *why, size_t size)
{
    int rc = AN_OK;
    size_t at = 0;
    *why = 0;
    for (int k = 0; k < m->p->n; k++) {
        struct row *r = &m->p->row[k];
        struct outcome *o = &m->row[k];
        if (r->out)
            fclose(r->out);
        r->out = NULL;
        if (o->report)
            printf("%s%s", k > 0 && m->only < 0 ? "\n" : "", o->report);
        if (o->why && at < size)
            at += (size_t)snprintf(why + at, size - at, "%s%s", at ? "\n" : "", o->why);
        if (o->rc && (!rc || rc == AN_DIVERGED)) // folded cells, unless another row has none at all
            rc = o->rc;
        free(o->report);
        free(o->why);
    }
    return rc;
}

// The row that --row names.
static int find_row(const struct project *p, const char *name, int *row)
{
    for (int k = 0; k < p->n; k++)
        if (strcmp(p->name[k], name) == 0) {
            *row = k;
            return AN_OK;
        }
    return an_error_set(AN_INPUT,
                        p->several ? "error: --row=%s: the file has no row of this name"
                                   : "error: --row=%s: the file has no 'rows'",
                        name);
}

// FILE.cgns for a row: FILE_ROW.cgns.
static void name_file(char *to, size_t size, const char *output, const char *row)
{
    const char *end = strrchr(output, '.');
    const int stem = end && !strchr(end, '/') ? (int)(end - output) : (int)strlen(output);
    snprintf(to, size, "%.*s_%s%s", stem, output, row, output + stem);
}

// The valid meshes of a machine of which a row has none, as files of their own; appends to `why` what is left to do.
static int write_others(const struct machine *m, const struct command *c, char *why, size_t size)
{
    const struct project *p = m->p;
    char path[4096], join[6000], again[4096];
    size_t at = 0, to = 0;
    int n = 0;
    again[0] = 0;
    for (int k = 0; k < p->n; k++) {
        name_file(path, sizeof path, c->output, p->name[k]);
        if (m->row[k].rc == AN_OK) {
            AN_TRY(project_write_row(p, k, path));
            n++;
        } else if (to < sizeof again) {
            to += (size_t)snprintf(again + to, sizeof again - to, "\n  mesh_row %s --row %s -o %s",
                                   c->input, p->name[k], path);
        }
        if (at < sizeof join)
            at += (size_t)snprintf(join + at, sizeof join - at, " %s=%s", p->name[k], path);
        if (k > 0 && p->planes == PLANES_MIXING && at < sizeof join)
            at += (size_t)snprintf(join + at, sizeof join - at, " --plane %s_outlet=%s_inlet",
                                   p->name[k - 1], p->name[k]);
    }
    if (n)
        snprintf(why + strlen(why), size - strlen(why),
                 "\n%d of %d rows are written, each to a file of its own. Change the keys of the "
                 "others, and continue:%s\n  mesh_join -o %s%s",
                 n, p->n, again, c->output, join);
    return AN_OK;
}

static int write_meshes(const struct machine *m, const struct command *c, int rc, char *why,
                        size_t size)
{
    if (!c->output || c->quality)
        return AN_OK;
    if (m->only >= 0)
        return rc ? AN_OK : project_write_row(m->p, m->only, c->output);
    if (rc == AN_DIVERGED && c->keep_bad) {
        const size_t at = strlen(why);
        snprintf(why + at, size - at, "\n  written for pictures: %s", c->output);
        return project_write(m->p, c->output, true);
    }
    if (rc)
        return m->p->several ? write_others(m, c, why, size) : AN_OK;
    return project_write(m->p, c->output, false);
}

static int build(struct project *p, const struct command *c)
{
    char why[20000];
    struct machine m = {.p = p, .only = -1};
    if (c->row)
        AN_TRY(find_row(p, c->row, &m.only));
    AN_TRY(load(p, c));
    if (!c->output && !c->quality && !c->check)
        return AN_OK;
    if (p->several)
        AN_TRY(planes_place(p));
    AN_TRY(project_prepare(p));
    if (c->check) {
        for (int k = 0; k < p->n; k++)
            AN_TRY(project_error(p, k, begin_row(&p->row[k], c)));
        return AN_OK;
    }
    for (int k = 0; k < p->n; k++)
        found_begin(&p->row[k]);
    bool there = false;
    if (c->reuse)
        AN_TRY(found_read(p, c->reuse, &there));
    for (int k = 0; k < p->n && there; k++)
        if (!p->row[k].found)
            fprintf(stderr,
                    "%s: warning: it was not found for a row like '%s', with the same cells, first "
                    "cells, levels and gaps: not used\n",
                    c->reuse, p->row[k].in.title);
    int rc = mesh_all(&m, c);
    if (rc) {
        snprintf(why, sizeof why, "%s", an_error_text());
        report(&m, (char[1]){0}, 1);
        return an_error_set(rc, "%s", why);
    }
    rc = report(&m, why, sizeof why);
    if (!rc && c->reuse && !there)
        AN_TRY(found_write(p, c->reuse));
    if (p->several && m.only < 0)
        figures_print_all(p);
    AN_TRY(write_meshes(&m, c, rc, why, sizeof why));
    return rc ? an_error_set(rc, "%s", why) : AN_OK;
}

int main(int argc, char **argv)
{
    struct project p = {0};
    struct command c = {0};
    const struct argp argp = {options, parse, "ROW.yaml", doc, 0, 0, 0};
    argp_err_exit_status = AN_INPUT;
    argp_parse(&argp, argc, argv, 0, 0, &c);
    side_use(c.threads > 0 ? c.threads : side_cores());
    int rc = read_input(&p, &c);
    const bool faults = rc == AN_INPUT; // told already
    if (!rc)
        rc = build(&p, &c);
    if (rc && !faults && *an_error_text())
        fprintf(stderr, "%s\n", an_error_text());
    if (rc == AN_FAIL)
        an_leave_at_once(rc);
    project_free(&p);
    return rc;
}
