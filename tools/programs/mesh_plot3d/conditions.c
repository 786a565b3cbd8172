// Boundaries: the texts of --bc, and whether they (and the interfaces) cover every face once.
#include <cgnslib.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"

static const struct {
    const char *name;
    BCType_t type;
} types[] = {{"wall_viscous", BCWallViscous},
             {"wall_slip", BCWallInviscid},
             {"symmetry", BCSymmetryPlane},
             {"inlet", BCInflow},
             {"outlet", BCOutflow},
             {"farfield", BCFarfield},
             {"inlet_supersonic", BCInflowSupersonic},
             {"outlet_supersonic", BCOutflowSupersonic}};
enum { TYPES = sizeof types / sizeof types[0], SYMMETRY = 2, MAX_GAPS = 8 };

const char *condition_type_name(int type)
{
    return type < 0 ? "type left to the case file" : types[type].name;
}

int condition_type_cgns(int type)
{
    return type < 0 ? BCTypeNull : types[type].type;
}

static int find_block(const struct grid *g, const char *name)
{
    char *end;
    const long k = strtol(name, &end, 10);
    if (isdigit((unsigned char)*name) && !*end)
        return k >= 1 && k <= g->blocks ? (int)k - 1 : -1;
    for (int b = 0; b < g->blocks; b++)
        if (strcmp(g->block[b].name, name) == 0)
            return b;
    return -1;
}

// "LO-HI" of the file's nodes along a direction as the block's own.
static int parse_range(const char *text, char **end, const char *whole, const struct block *b,
                       int dir, int *lo, int *hi)
{
    const int last = (b->n[dir] - 1) * b->every[dir] + 1;
    char *p = NULL;
    const long first = strtol(text, &p, 10);
    const long final = isdigit((unsigned char)*text) && *p == '-' && isdigit((unsigned char)p[1])
                           ? strtol(p + 1, end, 10)
                           : 0;
    if (!final || (**end && **end != ','))
        return fail("--bc %s: expected a range LO-HI of nodes, such as 1-33", whole);
    if (first < 1 || final > last || first >= final)
        return fail("--bc %s: the range %ld-%ld is not within the nodes 1-%d of zone %s along %c",
                    whole, first, final, last, b->name, "ijk"[dir]);
    if ((first - 1) % b->every[dir] || (final - 1) % b->every[dir])
        return fail("--bc %s: an end of the range %ld-%ld is none of the nodes that --every %d "
                    "takes",
                    whole, first, final, b->every[dir]);
    *lo = (int)(first - 1) / b->every[dir];
    *hi = (int)(final - 1) / b->every[dir];
    if (dir == 2 && b->flipped) {
        const int t = *lo;
        *lo = b->n[2] - 1 - *hi;
        *hi = b->n[2] - 1 - t;
    }
    return EXIT_DONE;
}

static bool name_good(const char *name)
{
    return *name && strlen(name) <= 31 && !strpbrk(name, "/ \t");
}

static int find_boundary(struct grid *g, const char *whole, const char *name, const char *type)
{
    int t = -1;
    if (type) {
        for (t = 0; t < TYPES && strcmp(types[t].name, type) != 0; t++)
            ;
        if (t == TYPES) {
            fail("--bc %s: '%s' is no type: wall_viscous, wall_slip, symmetry, inlet, outlet, "
                 "farfield, inlet_supersonic, outlet_supersonic",
                 whole, type);
            return -1;
        }
    }
    for (int k = 0; k < g->boundaries; k++)
        if (strcmp(g->boundary[k].name, name) == 0) {
            if (type && g->boundary[k].type >= 0 && g->boundary[k].type != t) {
                fail("--bc %s: '%s' was %s before", whole, name,
                     condition_type_name(g->boundary[k].type));
                return -1;
            }
            g->boundary[k].type = type ? t : g->boundary[k].type;
            return k;
        }
    struct boundary *b = &g->boundary[g->boundaries];
    snprintf(b->name, sizeof b->name, "%s", name);
    b->type = t;
    return g->boundaries++;
}

// Marks the window's face cells; they must be free.
static int claim(struct grid *g, const struct window *w, const char *whole)
{
    struct block *b = &g->block[w->block];
    const int du = face_u(w->face), nu = b->n[du] - 1;
    for (int v = w->lo[1]; v < w->hi[1]; v++)
        for (int u = w->lo[0]; u < w->hi[0]; u++) {
            int *c = &b->cover[w->face][v * nu + u];
            if (*c < 0)
                return fail("--bc %s: a part of it is an interface on zone %s, %s, from node %d on "
                            "along %c",
                            whole, b->name, face_name(b, w->face), file_index(b, du, u), "ijk"[du]);
            if (*c)
                return fail("--bc %s overlaps boundary '%s' on zone %s, %s, from node %d on along "
                            "%c",
                            whole, g->boundary[*c - 1].name, b->name, face_name(b, w->face),
                            file_index(b, du, u), "ijk"[du]);
            *c = w->boundary + 1;
        }
    g->window[g->windows++] = *w;
    return EXIT_DONE;
}

// Is all of the window interfaces?
static bool joined(const struct grid *g, const struct window *w)
{
    const struct block *b = &g->block[w->block];
    const int nu = b->n[face_u(w->face)] - 1;
    for (int v = w->lo[1]; v < w->hi[1]; v++)
        for (int u = w->lo[0]; u < w->hi[0]; u++)
            if (b->cover[w->face][v * nu + u] >= 0)
                return false;
    return true;
}

// A listed part that is called an interface: first only its place is noted, which a motion may join; then it becomes a
// boundary, unless it was joined.
enum turn { AT_ONCE, NOTED, UNLESS_JOINED };

static int note(struct grid *g, const struct window *w)
{
    struct window *grown = realloc(g->seam, ((size_t)g->seams + 1) * sizeof *grown);
    if (!grown)
        return no_memory();
    g->seam = grown;
    g->seam[g->seams++] = *w;
    return EXIT_DONE;
}

// Applies a text of --bc.
static int apply(struct grid *g, const char *whole, enum turn turn)
{
    char text[400];
    if (strlen(whole) >= sizeof text)
        return fail("--bc %.60s...: too long", whole);
    strcpy(text, whole);
    char *name = strchr(text, '=');
    char *face = strchr(text, ':');
    if (!name || !face || face > name)
        return fail("--bc %s: expected ZONE:FACE[:LO-HI]=NAME[:TYPE]", whole);
    *name++ = 0;
    *face++ = 0;
    char *range = strchr(face, ':'), *type = strchr(name, ':');
    if (range)
        *range++ = 0;
    if (type)
        *type++ = 0;
    if (!name_good(name))
        return fail("--bc %s: a name has 1 to 31 characters and neither blanks nor slashes", whole);
    if (g->dimension == 2 && (strcmp(name, "front") == 0 || strcmp(name, "back") == 0))
        return fail("--bc %s: '%s' is an end of the extruded grid", whole, name);
    struct window w = {.block = find_block(g, text)};
    if (w.block < 0)
        return fail("--bc %s: there is no zone '%s'; the grid has %d: %s to %s", whole, text,
                    g->blocks, g->block[0].name, g->block[g->blocks - 1].name);
    const struct block *b = &g->block[w.block];
    const int count = 2 * g->dimension;
    int f = 0;
    while (f < count && strcmp(face_in_file(f), face) != 0)
        f++;
    if (f == count)
        return fail("--bc %s: '%s' is no face of a %d-D grid: imin, imax, jmin, jmax%s", whole,
                    face, g->dimension, g->dimension == 3 ? ", kmin, kmax" : "");
    w.face = face_turned(b, f);
    const int dir[2] = {face_u(w.face), face_v(w.face)};
    for (int d = 0; d < 2; d++) {
        w.hi[d] = b->n[dir[d]] - 1;
        if (range && d == 1 && g->dimension == 2)
            return fail("--bc %s: a side of a 2-D grid has one range", whole);
        if (range) {
            char *end = range;
            const int rc = parse_range(range, &end, whole, b, dir[d], &w.lo[d], &w.hi[d]);
            if (rc)
                return rc;
            range = *end == ',' ? end + 1 : NULL;
        }
    }
    if (range)
        return fail("--bc %s: a face has two ranges at most", whole);
    if (turn == NOTED)
        return note(g, &w);
    if (turn == UNLESS_JOINED && joined(g, &w))
        return EXIT_DONE;
    w.boundary = find_boundary(g, whole, name, type);
    return w.boundary < 0 ? EXIT_INPUT : claim(g, &w, whole);
}

// Listed parts with these words in their names are interfaces where these are made.
static bool named_interface(const char *listed)
{
    const char *name = strchr(listed, '=');
    return name && (strstr(name, "periodic") || strstr(name, "interface"));
}

static bool joins(const struct options *o)
{
    return o->join || o->periodics || o->connectivity;
}

int conditions_apply(struct grid *g, const struct options *o)
{
    const size_t most = (size_t)o->conditions + (size_t)o->listings + 3;
    g->boundary = calloc(most, sizeof *g->boundary);
    g->window = calloc(most + 2 * (size_t)g->blocks, sizeof *g->window);
    if (!g->boundary || !g->window)
        return no_memory();
    for (int k = 0; k < g->blocks; k++)
        for (int f = 0; f < 6; f++) {
            g->block[k].cover[f] = calloc(face_cells(&g->block[k], f), sizeof(int));
            if (!g->block[k].cover[f])
                return no_memory();
        }
    int rc = EXIT_DONE;
    for (int k = 0; k < o->conditions && !rc; k++)
        rc = apply(g, o->condition[k], AT_ONCE);
    for (int k = 0; k < o->listings && !rc; k++)
        rc = apply(g, o->listed[k], joins(o) && named_interface(o->listed[k]) ? NOTED : AT_ONCE);
    if (g->dimension == 3 || rc)
        return rc;
    for (int end = 0; end < 2; end++) {
        struct boundary *e = &g->boundary[g->boundaries++];
        snprintf(e->name, sizeof e->name, end ? "back" : "front");
        e->type = SYMMETRY;
        for (int k = 0; k < g->blocks && !rc; k++) {
            const struct block *b = &g->block[k];
            const struct window w = {.block = k,
                                     .face = face_turned(b, 4 + end),
                                     .hi = {b->n[0] - 1, b->n[1] - 1},
                                     .boundary = g->boundaries - 1};
            rc = claim(g, &w, e->name);
        }
    }
    return rc;
}

// The free rectangle that starts at face cell (u, v); marks it in seen.
static void grow(const struct block *b, int face, int u, int v, char *seen, int hi[2])
{
    const int nu = b->n[face_u(face)] - 1, nv = b->n[face_v(face)] - 1;
    const int *cover = b->cover[face];
    hi[0] = u;
    while (hi[0] < nu && !cover[v * nu + hi[0]] && !seen[v * nu + hi[0]])
        hi[0]++;
    for (hi[1] = v; hi[1] < nv; hi[1]++)
        for (int c = u; c < hi[0]; c++)
            if (cover[hi[1] * nu + c] || seen[hi[1] * nu + c])
                goto done;
done:
    for (int r = v; r < hi[1]; r++)
        for (int c = u; c < hi[0]; c++)
            seen[r * nu + c] = 1;
}

// All free faces of a block as parts of a boundary.
static int claim_rest(struct grid *g, int block, const char *whole, int boundary)
{
    int rc = EXIT_DONE;
    for (int f = 0; f < 6 && !rc; f++) {
        const struct block *b = &g->block[block];
        const int nu = b->n[face_u(f)] - 1, nv = b->n[face_v(f)] - 1;
        char *seen = calloc(face_cells(b, f), 1);
        if (!seen)
            return no_memory();
        for (int c = 0; c < nu * nv && !rc; c++) {
            if (b->cover[f][c] || seen[c])
                continue;
            struct window w = {
                .block = block, .face = f, .lo = {c % nu, c / nu}, .boundary = boundary};
            grow(b, f, w.lo[0], w.lo[1], seen, w.hi);
            struct window *grown = realloc(g->window, ((size_t)g->windows + 1) * sizeof *g->window);
            if (grown)
                g->window = grown;
            rc = grown ? claim(g, &w, whole) : no_memory();
        }
        free(seen);
    }
    return rc;
}

int conditions_apply_rest(struct grid *g, const struct options *o)
{
    int rc = EXIT_DONE;
    for (int k = 0; k < o->listings && !rc; k++)
        if (joins(o) && named_interface(o->listed[k]))
            rc = apply(g, o->listed[k], UNLESS_JOINED);
    if (rc || !o->rest)
        return rc;
    char text[64] = "";
    char *type = NULL;
    if (strlen(o->rest) < sizeof text) {
        strcpy(text, o->rest);
        type = strchr(text, ':');
        if (type)
            *type++ = 0;
    }
    if (!name_good(text))
        return fail("--rest %s: a name has 1 to 31 characters and neither blanks nor slashes",
                    o->rest);
    const int boundary = find_boundary(g, o->rest, text, type);
    for (int b = 0; b < g->blocks && boundary >= 0 && !rc; b++)
        rc = claim_rest(g, b, o->rest, boundary);
    return boundary < 0 ? EXIT_INPUT : rc;
}

static int print_range(const struct block *b, int dir, int lo, int hi, char *text, size_t size)
{
    const int p = file_index(b, dir, lo), q = file_index(b, dir, hi);
    return snprintf(text, size, ", %c %d-%d", "ijk"[dir], p < q ? p : q, p < q ? q : p);
}

int conditions_complete(const struct grid *g)
{
    int gaps = 0;
    for (int k = 0; k < g->blocks; k++)
        for (int f = 0; f < 6; f++) {
            const struct block *b = &g->block[k];
            const int nu = b->n[face_u(f)] - 1, nv = b->n[face_v(f)] - 1;
            char *seen = calloc(face_cells(b, f), 1);
            if (!seen)
                return no_memory();
            for (int v = 0; v < nv; v++)
                for (int u = 0; u < nu; u++) {
                    if (b->cover[f][v * nu + u] || seen[v * nu + u])
                        continue;
                    int hi[2], length = 0;
                    char text[100] = "";
                    grow(b, f, u, v, seen, hi);
                    length = print_range(b, face_u(f), u, hi[0], text, sizeof text);
                    if (g->dimension == 3)
                        print_range(b, face_v(f), v, hi[1], text + length,
                                    sizeof text - (size_t)length);
                    if (gaps++ < MAX_GAPS)
                        fail("zone %s, %s%s: neither a boundary (--bc) nor an interface (--join)",
                             b->name, face_name(b, f), text);
                }
            free(seen);
        }
    if (gaps > MAX_GAPS)
        fail("and %d more", gaps - MAX_GAPS);
    return gaps ? EXIT_INPUT : EXIT_DONE;
}
