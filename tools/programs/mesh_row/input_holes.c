// The key `holes` of the input file: a list of coolant holes, each from hub to casing.
#include "input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char needs[] =
    "each of 'holes' needs {hub: [x, theta], casing: [x, theta], diameter: } or {points: [[x, r, "
    "theta], ...], diameter: }, x, r and diameter in m, theta in degrees; and perhaps a 'name'";

// [x, theta] on a wall, or [x, r, theta].
static void read_point(struct reader *r, const struct an_node *n, const char *name, bool on_wall,
                       struct hole_input *hole)
{
    const int numbers = on_wall ? 2 : 3, k = hole->n;
    double theta = 0;
    hole->at[k].r = NAN;
    if (n->kind != AN_NODE_SEQUENCE || n->nchild != numbers) {
        input_fault(r, &n->at, "'%s' needs %s", name,
                    on_wall ? "[x, theta]" : "points [x, r, theta]");
        return;
    }
    bool good = input_number(r, n->child[0], name, -1e3, 1e3, &hole->at[k].x);
    if (!on_wall)
        good = input_number(r, n->child[1], name, 1e-9, 1e3, &hole->at[k].r) && good;
    good = input_number(r, n->child[numbers - 1], name, -720, 720, &theta) && good;
    hole->at[k].theta = theta * M_PI / 180;
    hole->n += good;
}

static void read_points(struct reader *r, const struct an_node *n, struct hole_input *hole)
{
    if (n->kind != AN_NODE_SEQUENCE || n->nchild < 2 || n->nchild > MAX_STATIONS) {
        input_fault(r, &n->at, "'points' needs 2 to %d points [x, r, theta], from hub to casing",
                    MAX_STATIONS);
        return;
    }
    for (int k = 0; k < n->nchild; k++)
        read_point(r, n->child[k], "points", false, hole);
}

// One diameter, or that at the first and that at the last point.
static void read_diameter(struct reader *r, const struct an_node *n, struct hole_input *hole)
{
    const bool two = n->kind == AN_NODE_SEQUENCE;
    if (two && n->nchild != 2) {
        input_fault(r, &n->at, "'diameter' needs one length, or two: at the hub and at the casing");
        return;
    }
    for (int k = 0; k < 2; k++)
        if (input_number(r, two ? n->child[k] : n, "diameter", 1e-9, 1e3, &hole->diameter[k]) &&
            !two)
            hole->diameter[1] = hole->diameter[0];
        else if (!two)
            return;
}

// The name given, or hole_N.
static void read_name(struct reader *r, const struct an_node *n, const struct an_node *hole)
{
    struct row_input *in = r->in;
    struct hole_input *to = &in->hole[in->holes];
    struct holes before = {.n = in->holes};
    char word[100];
    for (int k = 0; k < in->holes; k++)
        memcpy(before.hole[k].name, in->hole[k].name, sizeof to->name);
    if (n && (n->kind != AN_NODE_SCALAR || an_node_is_null(n))) {
        input_fault(r, &n->at, "'name' needs a single value");
        return;
    }
    if (n)
        snprintf(to->name, sizeof to->name, "%s", an_printable(n->text, word, sizeof word));
    else
        snprintf(to->name, sizeof to->name, "hole_%d", in->holes + 1);
    if (!hole_name_fits(&before, to->name))
        input_fault(r, n ? &n->at : &hole->at, "'%s' cannot be the name of a hole: " HOLE_NAMES,
                    to->name, LONGEST_HOLE);
}

static void read_hole(struct reader *r, const struct an_node *n)
{
    struct hole_input *to = &r->in->hole[r->in->holes];
    const struct an_node *name = NULL, *end[2] = {NULL, NULL}, *points = NULL;
    *to = (struct hole_input){0};
    for (int c = 0; n->kind == AN_NODE_MAPPING && c < n->nchild; c++) {
        const struct an_node *child = n->child[c];
        char word[100];
        if (strcmp(child->key, "name") == 0)
            name = child;
        else if (strcmp(child->key, "hub") == 0 || strcmp(child->key, "casing") == 0)
            end[*child->key == 'c'] = child;
        else if (strcmp(child->key, "points") == 0)
            points = child;
        else if (strcmp(child->key, "diameter") == 0)
            read_diameter(r, child, to);
        else
            input_fault(r, &child->key_at,
                        "'holes' has no key '%s': hub, casing, points, diameter, name",
                        an_printable(child->key, word, sizeof word));
    }
    if (n->kind != AN_NODE_MAPPING || (points != NULL) == (end[0] && end[1]) ||
        (points && (end[0] || end[1])) || !an_node_child(n, "diameter")) {
        input_fault(r, &n->at, "%s", needs);
        return;
    }
    if (points)
        read_points(r, points, to);
    for (int e = 0; e < 2 && !points; e++)
        read_point(r, end[e], e ? "casing" : "hub", true, to);
    read_name(r, name, n);
    r->in->holes++;
}

void input_holes(struct reader *r, const struct an_node *n)
{
    r->in->metal = true;
    r->in->holes = 0; // a row's own list replaces that of all rows
    if (n->kind != AN_NODE_SEQUENCE || n->nchild > MAX_HOLES) {
        input_fault(r, &n->at,
                    "'holes' needs a list of at most %d holes; [] meshes the metal of a blade "
                    "without holes",
                    MAX_HOLES);
        return;
    }
    for (int k = 0; k < n->nchild; k++)
        read_hole(r, n->child[k]);
}
