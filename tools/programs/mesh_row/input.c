// The input file: YAML to struct row_input, every fault with its place.
#include "input.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kernels/base/units.h"

enum kind { TEXT, PATH, PATHS, NUMBER, WHOLE, CHOICE, SPECIAL };

struct key {
    const char *name;
    enum kind kind;
    size_t offset;
    double min, max;
    bool required;
    const char *choice; // words parted by blanks; the value is the index
};

#define AT(member) offsetof(struct row_input, member)

static const struct key keys[] = {
    {"row", TEXT, AT(title), 0, 0, false, 0},
    {"blades", WHOLE, AT(blades), 1, 1000, false, 0},
    {"rpm", NUMBER, AT(rpm), -1e6, 1e6, false, 0},
    {"clocking", NUMBER, AT(clocking), -360, 360, false, 0},
    {"machine", CHOICE, AT(machine), 0, 0, false, "any compressor turbine"},
    {"length", SPECIAL, 0, 0, 0, false, 0},
    {"angle", SPECIAL, 0, 0, 0, false, 0},
    {"theta", SPECIAL, 0, 0, 0, false, 0},
    {"sections", PATHS, AT(sections), 0, 0, false, 0},
    {"columns", SPECIAL, 0, 0, 0, false, 0},
    {"hub", PATH, AT(hub), 0, 0, false, 0},
    {"casing", PATH, AT(casing), 0, 0, false, 0},
    {"tip_gap", SPECIAL, 0, 0, 0, false, 0},
    {"tip_gap_fraction", NUMBER, AT(gap[AT_CASING].share), 0, 0.2, false, 0},
    {"hub_gap", SPECIAL, 0, 0, 0, false, 0},
    {"hub_gap_fraction", NUMBER, AT(gap[AT_HUB].share), 0, 0.2, false, 0},
    {"fillet", SPECIAL, 0, 0, 0, false, 0},
    {"inlet", SPECIAL, AT(inlet), 0, 0, false, 0},
    {"outlet", SPECIAL, AT(outlet), 0, 0, false, 0},
    {"cells", NUMBER, AT(cells), 1e4, 1e8, true, 0},
    {"walls", SPECIAL, 0, 0, 0, false, 0},
    {"first_cell", SPECIAL, 0, 0, 0, true, 0},
    {"levels", WHOLE, AT(levels), 1, 5, false, 0},
    {"shift", NUMBER, AT(shift), 0, 1, false, 0},
    {"turn", SPECIAL, 0, 0, 0, false, 0},
    {"sections_meshed", WHOLE, AT(keys), 3, MAX_KEYS, false, 0},
    {"smooth", WHOLE, AT(smooth), 0, 100000, false, 0},
    {"hub_parts", CHOICE, AT(hub_parts), 0, 0, false, "one three"},
    {"geometry", PATH, AT(geometry), 0, 0, false, 0},
    {"angles", PATH, AT(angles), 0, 0, false, 0},
    {"profile", SPECIAL, 0, 0, 0, false, 0},
    {"surfaces", PATH, AT(surfaces), 0, 0, false, 0},
    {"axis", CHOICE, AT(axis), 0, 0, false, "x y z"},
    {"line", CHOICE, AT(line), 0, 0, false, "centre upper lower"},
    {"round_edges", CHOICE, AT(round_edges), 0, 0, false, "no yes"},
    {"row_of_file", TEXT, AT(pick_row), 0, 0, false, 0},
    {"blade", WHOLE, AT(pick_blade), 1, 10, false, 0},
    {"splitter", SPECIAL, 0, 0, 0, false, 0},
    {"vary", SPECIAL, 0, 0, 0, false, 0},
    {"holes", SPECIAL, 0, 0, 0, false, 0},
};

// Those that a splitter may have of its own.
static const char *const of_splitter[] = {"sections", "columns", "angles", "profile",    "surfaces",
                                          "line",     "blade",   "length", "round_edges"};

static void read_columns(struct reader *r, const struct an_node *n)
{
    if (n->kind != AN_NODE_SEQUENCE || n->nchild > 8) {
        input_fault(r, &n->at, "'columns' needs a list of at most 8 words");
        return;
    }
    int seen[COLUMN_KINDS] = {0};
    r->in->columns = 0; // a key given twice is a fault, but it is read twice
    for (int c = 0; c < n->nchild; c++) {
        const int k = input_choice(r, n->child[c], "columns", COLUMN_WORDS);
        if (k < 0)
            return;
        seen[k]++;
        r->in->column[r->in->columns++] = (enum column)k;
    }
    for (int k = COLUMN_X; k < COLUMN_KINDS; k++)
        if (seen[k] > 1)
            input_fault(r, &n->at, "'columns' names the same column twice");
    const char *why = columns_fault(r->in);
    if (why)
        input_fault(r, &n->at, "'columns' needs %s", why);
}

static void read_first(struct reader *r, const struct an_node *n)
{
    static const char *const wall[4] = {"blade", "hub", "casing", "tip"};
    if (n->kind != AN_NODE_MAPPING) {
        double h;
        if (input_number(r, n, "first_cell", 1e-9, 0.1, &h))
            for (int k = 0; k < 4; k++)
                r->in->first[k] = h;
        return;
    }
    for (int c = 0; c < n->nchild; c++) {
        int k = 0;
        while (k < 4 && strcmp(n->child[c]->key, wall[k]) != 0)
            k++;
        if (k == 4)
            input_fault(r, &n->child[c]->key_at,
                        "'first_cell' has no key '%s': blade, hub, casing, tip", n->child[c]->key);
        else
            input_number(r, n->child[c], "first_cell", 1e-9, 0.1, &r->in->first[k]);
    }
    for (int k = 0; k < 4; k++)
        if (!(r->in->first[k] > 0))
            input_fault(r, &n->at, "'first_cell' does not say '%s'", wall[k]);
}

// x; {x: }, {r: } or {hub: , casing: }; [[x, r], [x, r]].
static void read_end(struct reader *r, const struct an_node *n, const char *name,
                     struct row_end *to)
{
    static const char *const key[4] = {"x", "r", "hub", "casing"};
    *to = (struct row_end){.kind = END_X};
    if (n->kind == AN_NODE_SCALAR) {
        input_number(r, n, name, -1e3, 1e3, &to->at[0]);
        return;
    }
    if (n->kind == AN_NODE_SEQUENCE && n->nchild == 2 && n->child[0]->nchild == 2 &&
        n->child[1]->nchild == 2) {
        to->kind = END_LINE;
        for (int k = 0; k < 4; k++)
            input_number(r, n->child[k / 2]->child[k % 2], name, -1e3, 1e3, &to->at[k]);
        return;
    }
    int given = 0; // bit k: key k
    for (int c = 0; n->kind == AN_NODE_MAPPING && c < n->nchild; c++)
        for (int k = 0; k < 4; k++)
            if (strcmp(n->child[c]->key, key[k]) == 0) {
                given |= 1 << k;
                input_number(r, n->child[c], name, k < 2 ? -1e3 : 0, k < 2 ? 1e3 : 1,
                             &to->at[k == 3 ? 1 : 0]);
            }
    to->kind = given == 1 ? END_X : given == 2 ? END_R : END_PART;
    if (n->kind != AN_NODE_BAD && (n->kind != AN_NODE_MAPPING || n->nchild != 1 + (given == 12) ||
                                   (given != 1 && given != 2 && given != 12)))
        input_fault(r, &n->at,
                    "'%s' needs x, {x: }, {r: }, two points [[x, r], [x, r]] of hub and casing, or "
                    "fractions "
                    "of their lengths {hub: , casing: }",
                    name);
}

// One length, or {leading: , trailing: }.
static void read_gap(struct reader *r, const struct an_node *n, const char *name,
                     struct row_gap *to)
{
    if (n->kind != AN_NODE_MAPPING) {
        if (input_number(r, n, name, 0, 1, &to->lead))
            to->trail = to->lead;
        return;
    }
    bool given[2] = {false, false};
    for (int c = 0; c < n->nchild; c++) {
        const char *key = n->child[c]->key;
        const bool trail = strcmp(key, "trailing") == 0;
        if (!trail && strcmp(key, "leading") != 0)
            input_fault(r, &n->child[c]->key_at, "'%s' has no key '%s': leading, trailing", name,
                        key);
        else
            given[trail] = input_number(r, n->child[c], name, 0, 1, trail ? &to->trail : &to->lead);
    }
    if (!given[0] || !given[1])
        input_fault(r, &n->at, "'%s' needs one length, or {leading: , trailing: }", name);
}

// {hub: , casing: }, or one of the two.
static void read_fillet(struct reader *r, const struct an_node *n, const char *name)
{
    if (n->kind != AN_NODE_MAPPING || n->nchild == 0) {
        input_fault(r, &n->at, "'%s' needs radii: {hub: 2e-3, casing: 2e-3}, or one of them", name);
        return;
    }
    for (int c = 0; c < n->nchild; c++) {
        const char *key = n->child[c]->key;
        const bool casing = strcmp(key, "casing") == 0;
        if (!casing && strcmp(key, "hub") != 0)
            input_fault(r, &n->child[c]->key_at, "'%s' has no key '%s': hub, casing", name, key);
        else
            input_number(r, n->child[c], casing ? "fillet: casing" : "fillet: hub", 0, 1,
                         &r->in->fillet[casing ? AT_CASING : AT_HUB]);
    }
}

static const struct {
    const char *name;
    int of, values;
    double usual, min, max;
} variations[] = {{"sweep", VARY_SWEEP, 1, 0, -1, 1},
                  {"lean", VARY_LEAN, 1, 0, -1, 1},
                  {"stagger", VARY_STAGGER, 1, 0, -45, 45},
                  {"chord", VARY_CHORD, 1, 1, 0.3, 3},
                  {"thickness", VARY_THICKNESS, 1, 1, 0.2, 5},
                  {"inlet_angle", VARY_INLET, 1, 0, -45, 45},
                  {"outlet_angle", VARY_OUTLET, 1, 0, -45, 45},
                  {"inlet_wedge", VARY_INLET_WEDGE, 1, 0, -45, 45},
                  {"outlet_wedge", VARY_OUTLET_WEDGE, 1, 0, -45, 45},
                  {"thickness_points", VARY_POINT, 4, 0, -1, 1}};
enum { VARIATIONS = sizeof variations / sizeof variations[0] };

// What is done at one height, or to the whole blade.
static void read_variation(struct reader *r, const struct an_node *n, bool list, int at)
{
    struct row_input *in = r->in;
    bool there = !list;
    if (n->kind != AN_NODE_MAPPING || n->nchild == 0) {
        input_fault(r, &n->at,
                    "'vary' needs keys, for example {stagger: 1.5, chord: 1.02}, or a "
                    "list of such keys with 'at', a share of the span, in each");
        return;
    }
    for (int k = 0; k < VARIATIONS; k++)
        for (int q = 0; q < variations[k].values; q++)
            in->vary[at].value[variations[k].of + q] = variations[k].usual;
    for (int c = 0; c < n->nchild; c++) {
        const struct an_node *child = n->child[c];
        int k = 0;
        if (list && strcmp(child->key, "at") == 0) {
            there = input_number(r, child, "vary: at", 0, 1, &in->vary[at].at) || there;
            continue;
        }
        while (k < VARIATIONS && strcmp(child->key, variations[k].name) != 0)
            k++;
        char word[100];
        if (k == VARIATIONS) {
            input_fault(r, &child->key_at,
                        "'vary' has no key '%s': it takes sweep, lean, stagger, chord, thickness, "
                        "inlet_angle, outlet_angle, inlet_wedge, outlet_wedge and "
                        "thickness_points",
                        an_printable(child->key, word, sizeof word));
            continue;
        }
        const bool several = variations[k].values > 1;
        if (several && (child->kind != AN_NODE_SEQUENCE || child->nchild != variations[k].values))
            input_fault(r, &child->at, "'%s' needs a list of %d lengths", child->key,
                        variations[k].values);
        else
            for (int q = 0; q < variations[k].values; q++)
                input_number(r, several ? child->child[q] : child, child->key, variations[k].min,
                             variations[k].max, &in->vary[at].value[variations[k].of + q]);
    }
    if (!there)
        input_fault(r, &n->at, "each of a list in 'vary' needs 'at', a share of the span");
    for (int k = 0; k < at; k++)
        if (in->vary[k].at == in->vary[at].at)
            input_fault(r, &n->at, "'vary' has 'at: %g' twice", in->vary[at].at);
}

static void read_vary(struct reader *r, const struct an_node *n)
{
    const bool list = n->kind == AN_NODE_SEQUENCE;
    if (list && (n->nchild < 1 || n->nchild > MAX_VARY)) {
        input_fault(r, &n->at, "'vary' needs a list of 1 to %d heights", MAX_VARY);
        return;
    }
    r->in->varies = list ? n->nchild : 1;
    for (int k = 0; k < r->in->varies; k++)
        read_variation(r, list ? n->child[k] : n, list, k);
}

// The factor of a unit that turns values into metres or radians; 1 where the unit is not known.
static double read_unit(struct reader *r, const char *name, const struct an_node *n,
                        enum an_quantity quantity, const char *words)
{
    const struct an_unit *unit =
        n->kind == AN_NODE_SCALAR && !an_node_is_null(n) ? an_unit_find(quantity, n->text) : NULL;
    if (!unit)
        input_choice(r, n, name, words); // tells the fault
    return unit ? unit->factor : 1;
}

static void read_special(struct reader *r, const char *name, const struct an_node *n)
{
    int k;
    if (strcmp(name, "splitter") == 0)
        return; // read_splitters, when the other keys are known
    if (strcmp(name, "vary") == 0) {
        read_vary(r, n);
    } else if (strcmp(name, "holes") == 0) {
        input_holes(r, n);
    } else if (strcmp(name, "profile") == 0) {
        if (input_choice(r, n, name, PROFILES) >= 0)
            snprintf(r->in->profile, sizeof r->in->profile, "%s", n->text);
    } else if (strcmp(name, "columns") == 0) {
        read_columns(r, n);
    } else if (strcmp(name, "first_cell") == 0) {
        read_first(r, n);
    } else if (strcmp(name, "length") == 0) {
        r->in->length = read_unit(r, name, n, AN_LENGTH, "m cm mm in ft um");
        r->in->length_given = true;
    } else if (strcmp(name, "angle") == 0) {
        r->in->angle = read_unit(r, name, n, AN_ANGLE, "rad deg");
    } else if (strcmp(name, "theta") == 0) {
        k = input_choice(r, n, name, "right-handed left-handed");
        r->in->theta = k == 1 ? -1 : 1;
    } else if (strcmp(name, "walls") == 0) {
        r->in->wall_functions = input_choice(r, n, name, "resolved functions") == 1;
    } else if (strcmp(name, "tip_gap") == 0 || strcmp(name, "hub_gap") == 0) {
        read_gap(r, n, name, &r->in->gap[*name == 't' ? AT_CASING : AT_HUB]);
    } else if (strcmp(name, "fillet") == 0) {
        read_fillet(r, n, name);
    } else if (strcmp(name, "inlet") == 0 || strcmp(name, "outlet") == 0) {
        read_end(r, n, name, *name == 'i' ? &r->in->inlet : &r->in->outlet);
    } else if (input_number(r, n, name, 0.1, 45, &r->in->turn)) {
        r->in->turn *= M_PI / 180;
    }
}

// Relative to the folder of the input file.
static void read_path(struct reader *r, const struct an_node *n, const char *name, char *to)
{
    if (!input_scalar(r, n, name))
        return;
    const char *slash = strrchr(r->path, '/');
    const int folder = slash && n->text[0] != '/' ? (int)(slash - r->path) + 1 : 0;
    if (snprintf(to, sizeof r->in->hub, "%.*s%s", folder, r->path, n->text) >=
        (int)sizeof r->in->hub)
        input_fault(r, &n->at, "'%s': the path is too long", name);
}

// One file, or a list of files with a section or more each.
static void read_paths(struct reader *r, const struct an_node *n, const char *name, char *to)
{
    const bool list = n->kind == AN_NODE_SEQUENCE;
    const int files = list ? n->nchild : 1;
    struct row_input *in = r->in;
    free(in->file);
    in->files = 0;
    in->file = calloc((size_t)files + 1, sizeof *in->file);
    if (list && files == 0)
        input_fault(r, &n->at, "'%s' is an empty list", name);
    for (int f = 0; f < files && in->file; f++)
        read_path(r, list ? n->child[f] : n, name, in->file[in->files++]);
    if (in->files)
        memcpy(to, in->file[0], sizeof in->file[0]);
}

static void read_key(struct reader *r, const struct key *k, const struct an_node *n)
{
    void *to = (char *)r->in + k->offset;
    double v;
    int index;
    switch (k->kind) {
    case TEXT:
        if (input_scalar(r, n, k->name))
            an_printable(n->text, to,
                         to == r->in->title ? sizeof r->in->title : sizeof r->in->pick_row);
        break;
    case PATH:
        read_path(r, n, k->name, to);
        break;
    case PATHS:
        read_paths(r, n, k->name, to);
        break;
    case NUMBER:
        input_number(r, n, k->name, k->min, k->max, to);
        break;
    case WHOLE:
        if (input_number(r, n, k->name, k->min, k->max, &v)) {
            if (v != floor(v))
                input_fault(r, &n->at, "'%s' needs a whole number", k->name);
            *(int *)to = (int)v;
        }
        break;
    case CHOICE:
        index = input_choice(r, n, k->name, k->choice);
        index = index < 0 ? 0 : index;
        memcpy(to, &index, sizeof index);
        break;
    case SPECIAL:
        read_special(r, k->name, n);
        break;
    }
}

enum { KEYS = sizeof keys / sizeof keys[0] };

static const struct key *find_key(const char *name)
{
    int k = 0;
    while (k < KEYS && strcmp(name, keys[k].name) != 0)
        k++;
    return k < KEYS ? &keys[k] : NULL;
}

// A splitter is a copy of the whole input; its own keys replace those of the main blade's sections.
static void read_splitter(struct reader *r, const struct an_node *n, struct row_input *to)
{
    enum { OWN = sizeof of_splitter / sizeof of_splitter[0] };
    struct reader own = {to, r->diag, r->path, r->row};
    bool sections = false;
    if (n->kind != AN_NODE_MAPPING) {
        if (n->kind != AN_NODE_BAD)
            input_fault(r, &n->at,
                        "'splitter' needs keys of its own, for example {sections: splitter.dat}");
        return;
    }
    for (int c = 0; c < n->nchild; c++) {
        const struct an_node *child = n->child[c];
        size_t k = 0;
        while (k < OWN && strcmp(child->key, of_splitter[k]) != 0)
            k++;
        char word[100];
        if (k == OWN) {
            input_fault(r, &child->key_at,
                        "'splitter' has no key '%s': it takes sections, columns, angles, profile, "
                        "surfaces, "
                        "line, blade, length and round_edges; all others are the row's",
                        an_printable(child->key, word, sizeof word));
            continue;
        }
        if (strcmp(child->key, "sections") == 0)
            *to->angles = 0;
        if (strcmp(child->key, "angles") == 0)
            *to->sections = 0;
        sections = sections || strcmp(child->key, "sections") == 0 ||
                   strcmp(child->key, "angles") == 0 || strcmp(child->key, "blade") == 0;
        read_key(&own, find_key(child->key), child);
    }
    if (!sections)
        input_fault(r, &n->at,
                    "'splitter' does not say its blade: give 'sections', 'angles', or 'blade', the "
                    "number of "
                    "a blade in the row's file");
}

// One mapping, or a list of them.
static void read_splitters(struct reader *r, const struct an_node *n)
{
    const bool list = n->kind == AN_NODE_SEQUENCE;
    const int count = list ? n->nchild : 1;
    struct row_input *in = r->in;
    if (count < 1 || count >= MAX_SET) {
        input_fault(r, &n->at,
                    "'splitter' names %d blades; 1 to %d can be meshed beside the main blade",
                    count, MAX_SET - 1);
        return;
    }
    if (in->pick_blade == 0)
        in->pick_blade = 1; // of a file with several
    struct row_input *own = calloc((size_t)count, sizeof *own);
    if (!own) {
        input_fault(r, &n->at, "out of memory");
        return;
    }
    for (int k = 0; k < count; k++) {
        own[k] = *in;
        own[k].splitters = 0;
        own[k].splitter = NULL;
        own[k].file = NULL;
        own[k].files = 0;
        read_splitter(r, list ? n->child[k] : n, &own[k]);
    }
    in->splitter = own;
    in->splitters = count;
}

void input_keys(struct reader *r, const struct an_node *map, const char *const *skip,
                struct keys_seen *seen)
{
    static_assert((int)KEYS <= (int)INPUT_KEYS, "room for all keys");
    for (int c = 0; c < map->nchild; c++) {
        const struct an_node *n = map->child[c];
        const struct key *k = find_key(n->key);
        int skipped = 0;
        while (skip && skip[skipped] && strcmp(skip[skipped], n->key) != 0)
            skipped++;
        if (skip && skip[skipped])
            continue;
        if (!k) {
            char word[100];
            input_fault(r, &n->key_at, "unknown key '%s'", an_printable(n->key, word, sizeof word));
            continue;
        }
        seen->key[k - keys] = true;
        if (strcmp(n->key, "splitter") == 0)
            seen->splitter = n;
        r->in->rpm_given |= strcmp(n->key, "rpm") == 0;
        r->in->gap_given[AT_HUB] |= strncmp(n->key, "hub_gap", 7) == 0;
        r->in->gap_given[AT_CASING] |= strncmp(n->key, "tip_gap", 7) == 0;
        read_key(r, k, n);
    }
}

// Is there exactly one source of the blade?
static void check_sources(struct reader *r, const struct an_origin *file)
{
    const struct row_input *in = r->in;
    for (int c = 0; c < in->columns; c++)
        if (in->column[c] == COLUMN_MPRIME && !*in->surfaces)
            input_fault(r, file,
                        "'m_prime' needs 'surfaces', a file with the line x, r of each section");
    if (*in->angles && (*in->geometry || *in->sections || in->columns))
        input_fault(r, file, "'angles' stands in place of 'geometry', 'sections' and 'columns'");
    else if (*in->angles && !*in->profile)
        input_fault(r, file, "'angles' needs 'profile', one of: " PROFILES);
    else if (*in->angles && in->blades == 0)
        input_fault(r, file, "'blades' is missing");
    else if (!*in->geometry && !*in->angles) {
        const char *const name[4] = {"blades", "sections", "hub", "casing"};
        const bool there[4] = {in->blades > 0, *in->sections, *in->hub, *in->casing};
        for (int k = 0; k < 4; k++)
            if (!there[k])
                input_fault(r, file, "'%s' is missing%s", name[k],
                            k ? ", or 'geometry', a .inf, .geomTurbo or .json file that holds it"
                              : "");
    } else if (*in->geometry && (*in->sections || *in->hub || *in->casing || in->columns)) {
        input_fault(r, file,
                    "'geometry' stands in place of 'sections', 'columns', 'hub' and 'casing'");
    }
}

static void check_gaps(struct reader *r, const struct an_origin *file)
{
    for (int wall = AT_HUB; wall <= AT_CASING; wall++) {
        const struct row_gap *gap = &r->in->gap[wall];
        const char *name = wall == AT_HUB ? "hub_gap" : "tip_gap";
        if (gap->share > 0 && (gap->lead > 0 || gap->trail > 0))
            input_fault(r, file, "give '%s' or '%s_fraction', not both", name, name);
        if ((gap->lead > 0) != (gap->trail > 0))
            input_fault(
                r, file,
                "'%s' is zero at one edge and not at the other: cells cannot close to a line; "
                "give a small gap there",
                name);
    }
}

void input_check(struct reader *r, const struct an_origin *file, const struct keys_seen *seen)
{
    if (seen->splitter)
        read_splitters(r, seen->splitter);
    for (int k = 0; k < KEYS; k++)
        if (keys[k].required && !seen->key[k])
            input_fault(r, file, "'%s' is missing", keys[k].name);
    check_sources(r, file);
    check_gaps(r, file);
    if (r->in->metal && r->in->splitters)
        input_fault(r, file,
                    "'holes' and 'splitter': the metal of rows with splitters is not meshed");
    for (int k = 0; k < r->in->holes; k++) // as the tables have it
        for (int p = 0; p < r->in->hole[k].n; p++)
            r->in->hole[k].at[p].theta *= r->in->theta;
}

const char *input_unit(const struct row_input *in)
{
    for (int n = 0; an_unit_row(n); n++) {
        const struct an_unit *u = an_unit_row(n);
        if (u->quantity == AN_LENGTH && fabs(in->length / u->factor - 1) < 1e-9)
            return u->name;
    }
    return "m";
}

int input_unit_find(const char *name, double *factor)
{
    const struct an_unit *unit = an_unit_find(AN_LENGTH, name);
    if (unit)
        *factor = unit->factor;
    return unit ? AN_OK : AN_INPUT;
}

void input_default(struct row_input *in)
{
    *in = (struct row_input){.length = 1,
                             .angle = 1,
                             .theta = 1,
                             .axis = AXIS_FILE,
                             .inlet = {.kind = END_CURVE},
                             .outlet = {.kind = END_CURVE},
                             .shift = -1,
                             .turn = 14 * M_PI / 180,
                             .keys = 13,
                             .smooth = 60};
}

int input_tree(const char *path, struct an_diag *diag, struct an_node **root)
{
    const struct an_origin file = {.file = path};
    char *text = NULL;
    size_t length = 0;
    *root = NULL;
    AN_TRY(an_yaml_load(path, diag, &text, &length));
    const int rc = an_yaml_parse(text, length, &file, diag, root);
    free(text);
    if (!rc && !*root && !diag->nerror) {
        struct reader r = {NULL, diag, path, NULL};
        input_fault(&r, &file, "the file is empty: it must hold keys and values");
    }
    return rc;
}

// The keys of the file that `base` names, which those of this file replace. Returns its tree, which `seen` may refer to.
static struct an_node *read_base(struct reader *r, const struct an_node *root,
                                 struct keys_seen *seen)
{
    const struct an_node *n = an_node_child(root, "base");
    char path[sizeof r->in->hub];
    struct an_node *base = NULL;
    const int faults = r->diag->nerror;
    if (n)
        read_path(r, n, "base", path);
    if (!n || r->diag->nerror > faults)
        return NULL;
    struct reader of = {r->in, r->diag, path, r->row};
    if (input_tree(path, r->diag, &base) || !base)
        return base;
    if (base->kind != AN_NODE_MAPPING || an_node_child(base, "rows"))
        input_fault(r, &n->at, "'base' names %s, which is not the file of one row", path);
    else
        input_keys(&of, base, NULL, seen);
    return base;
}

// Holes are places in space. Those of a file with `vary` belong to the varied blade, but those of its `base` to another one.
static void check_varied_holes(struct reader *r, const struct an_node *root)
{
    const struct an_node *vary = an_node_child(root, "vary");
    if (vary && r->in->holes > 0 && an_node_child(root, "base") && !an_node_child(root, "holes"))
        input_fault(r, &vary->at,
                    "'vary' changes the blade, and the holes of 'base' would stay where they are: "
                    "give the 'holes' of the varied blade beside 'vary', or 'holes: []' for none");
}

void input_one(struct row_input *in, const char *path, const struct an_node *root,
               struct an_diag *diag)
{
    struct reader r = {in, diag, path, NULL};
    const struct an_origin file = {.file = path};
    struct keys_seen seen = {0};
    input_default(in);
    if (root->kind != AN_NODE_MAPPING) {
        input_fault(&r, &root->at, "the file must hold keys and values");
        return;
    }
    struct an_node *base = read_base(&r, root, &seen);
    input_keys(&r, root, (const char *const[]){"base", NULL}, &seen);
    check_varied_holes(&r, root);
    input_check(&r, &file, &seen);
    an_node_destroy(base);
}

int input_read(struct row_input *in, const char *path, struct an_diag *diag)
{
    struct an_node *root;
    input_default(in);
    const int rc = input_tree(path, diag, &root);
    if (!rc && root)
        input_one(in, path, root, diag);
    an_node_destroy(root);
    AN_TRY(rc);
    return diag->nerror ? AN_INPUT : AN_OK;
}
