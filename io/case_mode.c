/* A steady case that --set march.mode=unsteady makes unsteady: the keys of the case file that only
 * its steady march has would be refused, or would not suit an unsteady march, so they are taken out of
 * the tree, and a warning names them. Keys given by --set stay. */
#include "io/case_keys.h"

#include <stdio.h>
#include <string.h>

/* When a key of the file goes. */
enum when {
    ALWAYS,
    WITH_END, /* where --set gives march.end_time: the number of iterations is that of the steady run */
    WITH_METHOD, /* unless the method of the file is one of an unsteady march */
    NEVER,       /* it is one of an unsteady march */
};

static const struct {
    const char *section, *name; /* NULL: every key of the section */
    enum when when;
} table[] = {{"march", "residual_drop", ALWAYS},
             {"march", "mass_imbalance", ALWAYS},
             {"march", "residual_smoothing", ALWAYS},
             {"march", "smoothing_coefficient", ALWAYS},
             {"march", "smoothing_sweeps", ALWAYS},
             {"march", "iterations", WITH_END},
             {"march", "method", WITH_METHOD},
             {"march", "stages", WITH_METHOD},
             {"march", "cfl", WITH_METHOD},
             {"march", "cfl_start", ALWAYS},
             {"march", "cfl_ramp", ALWAYS},
             {"multigrid", NULL, WITH_METHOD},
             {"stop", "period_change", NEVER},
             {"stop", "period", NEVER},
             {"stop", "periods", NEVER},
             {"stop", NULL, ALWAYS},
             {"boundaries", "mass_flow", ALWAYS},
             {"boundaries", "throttle_mass_flow", ALWAYS},
             {"boundaries", "throttle_p", ALWAYS},
             {"boundaries", "radial_equilibrium", ALWAYS}};

/* What decides. */
struct change {
    int end;   /* --set gives march.end_time */
    int keeps; /* the method of the file is one of an unsteady march, and --set gives no other */
    char list[600];
};

static int is(const struct an_node *n, const char *text)
{
    return n && n->kind == AN_NODE_SCALAR && strcmp(n->text, text) == 0;
}

/* Cooling and bleed (AN_BC_PATCH) have no keys of a steady march: their mass flow is given, not reached by a controller. */
static int is_patch(const struct an_node *boundary)
{
    const struct an_node *type = an_node_child(boundary, "type");
    return is(type, "cooling") || is(type, "bleed");
}

static int goes(const struct change *c, const char *section, const char *name)
{
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        if (strcmp(table[n].section, section) != 0 ||
            (table[n].name && strcmp(table[n].name, name) != 0))
            continue;
        return table[n].when == ALWAYS || (table[n].when == WITH_END && c->end) ||
               (table[n].when == WITH_METHOD && !c->keeps);
    }
    const int row = an_key_find(section, name, -1);
    return row >= 0 && (an_case_keys[row].flags & AN_KEY_IF_STEADY);
}

/* Takes the keys of a mapping that go out of it. path: how the list calls the mapping. */
static void prune(struct change *c, struct an_node *mapping, const char *section, const char *path)
{
    int kept = 0;
    for (int i = 0; i < mapping->nchild; i++) {
        struct an_node *n = mapping->child[i];
        char word[80];
        if (n->at.set || !goes(c, section, n->key)) {
            mapping->child[kept++] = n;
            continue;
        }
        const size_t used = strlen(c->list);
        snprintf(c->list + used, sizeof c->list - used, "%s%s.%s", used ? ", " : "", path,
                 an_printable(n->key, word, sizeof word));
        an_node_destroy(n);
    }
    mapping->nchild = kept;
}

void an_case_make_unsteady(struct an_case_reader *r, struct an_node *root)
{
    const struct an_node *march = an_node_child(root, "march");
    const struct an_node *mode =
        march && march->kind == AN_NODE_MAPPING ? an_node_child(march, "mode") : NULL;
    if (!is(mode, "unsteady") || !mode->at.set)
        return;
    const struct an_node *end = an_node_child(march, "end_time");
    const struct an_node *method = an_node_child(march, "method");
    struct change c = {.end = end && end->at.set,
                       .keeps =
                           (is(method, "runge_kutta") || is(method, "dual")) && !method->at.set};
    for (int i = 0; i < root->nchild; i++) {
        struct an_node *section = root->child[i];
        char path[100], word[80];
        if (section->kind != AN_NODE_MAPPING)
            continue;
        if (strcmp(section->key, "boundaries") != 0)
            prune(&c, section, section->key, section->key);
        for (int b = 0; strcmp(section->key, "boundaries") == 0 && b < section->nchild; b++) {
            struct an_node *boundary = section->child[b];
            snprintf(path, sizeof path, "boundaries.%s",
                     an_printable(boundary->key, word, sizeof word));
            if (boundary->kind == AN_NODE_MAPPING && !is_patch(boundary))
                prune(&c, boundary, "boundaries", path);
        }
    }
    char where[600];
    an_origin_text(&mode->at, where, sizeof where);
    if (*c.list)
        an_diag_warning(r->diag, where,
                        "these keys of the case file belong to its steady march and are passed "
                        "over: %s",
                        c.list);
}

/* Is a boundary of this name (length characters) one of cooling or bleed? */
static int names_patch(const struct an_case *c, const char *name, size_t length)
{
    for (int b = 0; b < c->nboundary; b++)
        if (strlen(c->boundary[b].name) == length &&
            strncmp(c->boundary[b].name, name, length) == 0)
            return an_bc_type_has(c->boundary[b].type, AN_BC_PATCH);
    return 0;
}

int an_case_set_is_steady(const struct an_case *c, const char *set)
{
    const struct change every = {.end = 1};
    char section[40], name[40];
    const size_t length = strcspn(set, "=");
    const char *dot = strchr(set, '.'), *last = dot;
    for (const char *at = dot; at && at < set + length; at = strchr(at + 1, '.'))
        last = at;
    if (!dot || dot >= set + length)
        return 0;
    snprintf(section, sizeof section, "%.*s", (int)(dot - set), set);
    if (strcmp(section, "boundaries") == 0 && last > dot &&
        names_patch(c, dot + 1, (size_t)(last - dot - 1)))
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)(set + length - last - 1), last + 1);
    return goes(&every, section, name);
}
