// The input file: YAML to struct row_input, every fault with its place.
#include "row.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/case_yaml.h"

enum kind { TEXT, PATH, NUMBER, WHOLE, CHOICE, SPECIAL };

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
    {"blades", WHOLE, AT(blades), 1, 1000, true, 0},
    {"rpm", NUMBER, AT(rpm), -1e6, 1e6, false, 0},
    {"machine", CHOICE, AT(machine), 0, 0, false, "any compressor turbine"},
    {"length", SPECIAL, 0, 0, 0, false, 0},
    {"angle", SPECIAL, 0, 0, 0, false, 0},
    {"theta", SPECIAL, 0, 0, 0, false, 0},
    {"sections", PATH, AT(sections), 0, 0, true, 0},
    {"columns", SPECIAL, 0, 0, 0, true, 0},
    {"hub", PATH, AT(hub), 0, 0, true, 0},
    {"casing", PATH, AT(casing), 0, 0, true, 0},
    {"tip_gap", NUMBER, AT(gap), 0, 1, false, 0},
    {"tip_gap_fraction", NUMBER, AT(gap_fraction), 0, 0.2, false, 0},
    {"inlet", NUMBER, AT(inlet), -1e3, 1e3, true, 0},
    {"outlet", NUMBER, AT(outlet), -1e3, 1e3, true, 0},
    {"cells", NUMBER, AT(cells), 1e4, 1e8, true, 0},
    {"walls", SPECIAL, 0, 0, 0, false, 0},
    {"first_cell", SPECIAL, 0, 0, 0, true, 0},
    {"levels", WHOLE, AT(levels), 1, 5, false, 0},
    {"shift", NUMBER, AT(shift), 0, 1, false, 0},
    {"turn", SPECIAL, 0, 0, 0, false, 0},
    {"sections_meshed", WHOLE, AT(keys), 3, MAX_KEYS, false, 0},
    {"smooth", WHOLE, AT(smooth), 0, 100000, false, 0},
    {"hub_parts", CHOICE, AT(hub_parts), 0, 0, false, "one three"},
};

struct reader {
    struct row_input *in;
    struct an_diag *diag;
    const char *path;
};

__attribute__((format(printf, 3, 4))) static void
fault(struct reader *r, const struct an_origin *at, const char *format, ...)
{
    char where[1400], text[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    an_origin_text(at, where, sizeof where);
    an_diag_error(r->diag, where, "%s", text);
}

static bool scalar(struct reader *r, const struct an_node *n, const char *name)
{
    if (n->kind == AN_NODE_SCALAR && !an_node_is_null(n))
        return true;
    if (n->kind != AN_NODE_BAD)
        fault(r, &n->at, "'%s' needs a single value", name);
    return false;
}

static bool number(struct reader *r, const struct an_node *n, const char *name, double min,
                   double max, double *to)
{
    char word[100], *end;
    if (!scalar(r, n, name))
        return false;
    const double v = strtod(n->text, &end);
    an_printable(n->text, word, sizeof word);
    if (end == n->text || *end || !isfinite(v) || n->quoted)
        fault(r, &n->at, "'%s' needs a number, not '%s'", name, word);
    else if (v < min || v > max)
        fault(r, &n->at, "'%s' is %s, must be from %g to %g", name, word, min, max);
    else {
        *to = v;
        return true;
    }
    return false;
}

// Index of the word in a list of words parted by blanks; -1 and a fault when it is none of them.
static int choice(struct reader *r, const struct an_node *n, const char *name, const char *words)
{
    if (!scalar(r, n, name))
        return -1;
    const size_t length = strlen(n->text);
    int index = 0;
    for (const char *p = words; *p; index++) {
        const size_t w = strcspn(p, " ");
        if (w == length && strncmp(p, n->text, w) == 0)
            return index;
        p += w + (p[w] == ' ');
    }
    char word[100];
    fault(r, &n->at, "'%s' is '%s', must be one of: %s", name,
          an_printable(n->text, word, sizeof word), words);
    return -1;
}

static void read_columns(struct reader *r, const struct an_node *n)
{
    if (n->kind != AN_NODE_SEQUENCE || n->nchild > 8) {
        fault(r, &n->at, "'columns' needs a list of at most 8 words");
        return;
    }
    int seen[6] = {0};
    r->in->columns = 0; // a key given twice is a fault, but it is read twice
    for (int c = 0; c < n->nchild; c++) {
        const int k = choice(r, n->child[c], "columns", "skip x r theta theta_1 theta_2");
        if (k < 0)
            return;
        seen[k]++;
        r->in->column[r->in->columns++] = (enum column)k;
    }
    const bool loop = seen[COLUMN_THETA] == 1 && !seen[COLUMN_THETA_1] && !seen[COLUMN_THETA_2];
    const bool paired =
        !seen[COLUMN_THETA] && seen[COLUMN_THETA_1] == 1 && seen[COLUMN_THETA_2] == 1;
    if (seen[COLUMN_X] != 1 || seen[COLUMN_R] != 1 || !(loop || paired))
        fault(r, &n->at, "'columns' needs x, r and theta, or x, r, theta_1 and theta_2, once each");
}

static void read_first(struct reader *r, const struct an_node *n)
{
    static const char *const wall[4] = {"blade", "hub", "casing", "tip"};
    if (n->kind != AN_NODE_MAPPING) {
        double h;
        if (number(r, n, "first_cell", 1e-9, 0.1, &h))
            for (int k = 0; k < 4; k++)
                r->in->first[k] = h;
        return;
    }
    for (int c = 0; c < n->nchild; c++) {
        int k = 0;
        while (k < 4 && strcmp(n->child[c]->key, wall[k]) != 0)
            k++;
        if (k == 4)
            fault(r, &n->child[c]->key_at, "'first_cell' has no key '%s': blade, hub, casing, tip",
                  n->child[c]->key);
        else
            number(r, n->child[c], "first_cell", 1e-9, 0.1, &r->in->first[k]);
    }
    for (int k = 0; k < 4; k++)
        if (!(r->in->first[k] > 0))
            fault(r, &n->at, "'first_cell' does not say '%s'", wall[k]);
}

static void read_special(struct reader *r, const char *name, const struct an_node *n)
{
    static const double length[] = {1, 0.01, 0.001, 0.0254};
    int k;
    if (strcmp(name, "columns") == 0) {
        read_columns(r, n);
    } else if (strcmp(name, "first_cell") == 0) {
        read_first(r, n);
    } else if (strcmp(name, "length") == 0) {
        k = choice(r, n, name, "m cm mm in");
        r->in->length = k < 0 ? 1 : length[k];
    } else if (strcmp(name, "angle") == 0) {
        k = choice(r, n, name, "rad deg");
        r->in->angle = k == 1 ? M_PI / 180 : 1;
    } else if (strcmp(name, "theta") == 0) {
        k = choice(r, n, name, "right-handed left-handed");
        r->in->theta = k == 1 ? -1 : 1;
    } else if (strcmp(name, "walls") == 0) {
        r->in->wall_functions = choice(r, n, name, "resolved functions") == 1;
    } else if (number(r, n, name, 0.1, 45, &r->in->turn)) {
        r->in->turn *= M_PI / 180;
    }
}

// Relative to the folder of the input file.
static void read_path(struct reader *r, const struct an_node *n, const char *name, char *to)
{
    if (!scalar(r, n, name))
        return;
    const char *slash = strrchr(r->path, '/');
    const int folder = slash && n->text[0] != '/' ? (int)(slash - r->path) + 1 : 0;
    if (snprintf(to, sizeof r->in->hub, "%.*s%s", folder, r->path, n->text) >=
        (int)sizeof r->in->hub)
        fault(r, &n->at, "'%s': the path is too long", name);
}

static void read_key(struct reader *r, const struct key *k, const struct an_node *n)
{
    void *to = (char *)r->in + k->offset;
    double v;
    int index;
    switch (k->kind) {
    case TEXT:
        if (scalar(r, n, k->name))
            an_printable(n->text, to, sizeof r->in->title);
        break;
    case PATH:
        read_path(r, n, k->name, to);
        break;
    case NUMBER:
        number(r, n, k->name, k->min, k->max, to);
        break;
    case WHOLE:
        if (number(r, n, k->name, k->min, k->max, &v)) {
            if (v != floor(v))
                fault(r, &n->at, "'%s' needs a whole number", k->name);
            *(int *)to = (int)v;
        }
        break;
    case CHOICE:
        index = choice(r, n, k->name, k->choice);
        memcpy(to, &index, sizeof index);
        break;
    case SPECIAL:
        read_special(r, k->name, n);
        break;
    }
}

static void read_tree(struct reader *r, const struct an_node *root, const struct an_origin *file)
{
    enum { KEYS = sizeof keys / sizeof keys[0] };
    bool seen[KEYS] = {false};
    if (root->kind != AN_NODE_MAPPING) {
        fault(r, &root->at, "the file must hold keys and values");
        return;
    }
    for (int c = 0; c < root->nchild; c++) {
        const struct an_node *n = root->child[c];
        int k = 0;
        while (k < KEYS && strcmp(n->key, keys[k].name) != 0)
            k++;
        if (k == KEYS) {
            char word[100];
            fault(r, &n->key_at, "unknown key '%s'", an_printable(n->key, word, sizeof word));
            continue;
        }
        seen[k] = true;
        read_key(r, &keys[k], n);
    }
    for (int k = 0; k < KEYS; k++)
        if (keys[k].required && !seen[k])
            fault(r, file, "'%s' is missing", keys[k].name);
    const struct row_input *in = r->in;
    if (in->gap > 0 && in->gap_fraction > 0)
        fault(r, file, "give 'tip_gap' or 'tip_gap_fraction', not both");
    if (seen[13] && seen[14] && !(in->outlet > in->inlet))
        fault(r, file, "the outlet (%g m) must lie behind the inlet (%g m)", in->outlet, in->inlet);
}

const char *input_unit(const struct row_input *in)
{
    static const double length[] = {1, 0.01, 0.001, 0.0254};
    static const char *const name[] = {"m", "cm", "mm", "in"};
    int k = 3;
    while (k > 0 && fabs(in->length / length[k] - 1) > 1e-9)
        k--;
    return name[k];
}

int input_read(struct row_input *in, const char *path, struct an_diag *diag)
{
    *in = (struct row_input){.length = 1,
                             .angle = 1,
                             .theta = 1,
                             .levels = 3,
                             .shift = -1,
                             .turn = 14 * M_PI / 180,
                             .keys = 13,
                             .smooth = 60};
    struct reader r = {in, diag, path};
    const struct an_origin file = {.file = path};
    char *text = NULL;
    size_t length = 0;
    struct an_node *root = NULL;
    AN_TRY(an_yaml_load(path, diag, &text, &length));
    const int rc = an_yaml_parse(text, length, &file, diag, &root);
    free(text);
    if (!rc && root)
        read_tree(&r, root, &file);
    an_node_destroy(root);
    AN_TRY(rc);
    return diag->nerror ? AN_INPUT : AN_OK;
}
