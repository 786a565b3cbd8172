/* Reading: file -> tree -> --set -> one walk by the table -> checks across keys. */
#include "io/case_keys.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef const struct an_origin *given_keys[AN_CASE_NKEY]; /* per row of the table */

/* Where to point for a key: at the key in the file, or at the --set that gave its value. */
static const struct an_origin *key_origin(const struct an_node *n)
{
    return n->at.set ? &n->at : &n->key_at;
}

static void list_keys(const char *section, int bc, char *buf, size_t size)
{
    buf[0] = '\0';
    for (const struct an_key *k = an_case_keys; k->section; k++) {
        if (strcmp(k->section, section) != 0 || (bc >= 0 && !(k->bc & (1u << bc))))
            continue;
        size_t used = strlen(buf);
        snprintf(buf + used, size - used, "%s%s", used ? ", " : "", k->name);
    }
}

static void fault_unknown(struct an_case_reader *r, const char *section, const struct an_node *n)
{
    char word[80], near[80], all[400] = "";
    an_printable(n->key, word, sizeof word);
    an_key_nearest(section, n->key, near, sizeof near);
    if (!*near && *section)
        list_keys(section, -1, all, sizeof all);
    an_case_fault(r, key_origin(n), "unknown key '%s'%s%s%s%s%s%s%s%s", word,
                  *section ? " in '" : "", section, *section ? "'" : "",
                  *near ? "; did you mean '" : "", near, *near ? "'?" : "",
                  *all ? "; it takes " : "", all);
}

/* A key that boundaries have, but not those of this type. */
static void fault_wrong_type(struct an_case_reader *r, enum an_bc_type type, const char *path,
                             const struct an_node *n)
{
    char word[80], all[200], near[80];
    list_keys(AN_SECTION_BOUNDARY, (int)type, all, sizeof all);
    an_key_nearest(AN_SECTION_BOUNDARY, n->key, near, sizeof near);
    int other = !*near || strcmp(near, n->key) == 0;
    an_case_fault(r, key_origin(n), "'%s' of type %s has no key '%s'%s%s%s; it takes %s", path,
                  an_bc_type_name(type), an_printable(n->key, word, sizeof word),
                  other ? "" : " (did you mean '", other ? "" : near, other ? "" : "'?)", all);
}

static void fault_missing(struct an_case_reader *r, const struct an_key *key, const char *prefix,
                          const struct an_origin *at)
{
    const char *dot = *prefix ? "." : "";
    an_case_fault(r, at, "required key '%s%s%s'%s%s%s is missing", prefix, dot, key->name,
                  key->unit ? " (in " : "", key->unit ? key->unit : "", key->unit ? ")" : "");
}

/* Reads the keys of a mapping into `base`. bc: type of the boundary, -1 outside boundaries and for
 * a boundary of unknown type. Keys that hold a section are the caller's. */
static void read_keys(struct an_case_reader *r, const struct an_node *mapping, const char *section,
                      const char *prefix, int bc, void *base, given_keys given)
{
    char path[160], word[80];
    for (int i = 0; i < mapping->nchild; i++) {
        const struct an_node *n = mapping->child[i];
        int row = an_key_find(section, n->key, bc);
        if (row >= 0) {
            an_printable(n->key, word, sizeof word);
            snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", word);
            an_key_read(r, &an_case_keys[row], path, n, base);
            given[row] = key_origin(n);
        } else if (bc >= 0) {
            fault_wrong_type(r, (enum an_bc_type)bc, prefix, n);
        } else if (*section || (!an_section_of_names(n->key) && !an_case_section_find(n->key))) {
            fault_unknown(r, section, n);
        }
    }
}

static void require_keys(struct an_case_reader *r, const char *section, const char *prefix, int bc,
                         const struct an_origin *at, given_keys given)
{
    for (int row = 0; an_case_keys[row].section; row++) {
        const struct an_key *k = &an_case_keys[row];
        const int spared = (k->flags & AN_KEY_OR_REFERENCE) &&
                           (an_case_has_reference(r->c) || (bc < 0 && r->has_inlet));
        if ((k->flags & AN_KEY_REQUIRED) && !spared && !given[row] &&
            strcmp(k->section, section) == 0 && (bc < 0 || (k->bc & (1u << bc))))
            fault_missing(r, k, prefix, at);
    }
}

/* A mapping, or nothing at all (every key beneath commented out). */
static int is_section(struct an_case_reader *r, const struct an_node *n, const char *path)
{
    if (n->kind == AN_NODE_MAPPING || an_node_is_null(n))
        return 1;
    if (n->kind != AN_NODE_BAD)
        an_case_fault(r, &n->at, "'%s' needs keys beneath it, not a %s", path,
                      n->kind == AN_NODE_SCALAR ? "single value" : "list");
    return 0;
}

static enum an_bc_type read_type(struct an_case_reader *r, const struct an_node *n,
                                 const char *name, struct an_case_boundary *b)
{
    char path[160], all[300];
    int row = an_key_find(AN_SECTION_BOUNDARY, "type", -1);
    const struct an_node *type = an_node_child(n, "type");
    if (!type) {
        an_key_choices(&an_case_keys[row], ", ", all, sizeof all);
        an_case_fault(r, key_origin(n), "boundary '%s' has no 'type'; it must be one of %s", name,
                      all);
        return AN_BC_NONE;
    }
    snprintf(path, sizeof path, "boundaries.%s.type", name);
    if (!an_key_read(r, &an_case_keys[row], path, type, b))
        return AN_BC_NONE;
    if (an_bc_type_has(b->type, AN_BC_VISCOUS) && r->c->gas.viscosity == AN_VISCOSITY_NONE)
        an_case_fault(r, &type->at,
                      "'%s': a %s needs viscous flow: set gas.viscosity, or use wall_slip", path,
                      an_bc_type_name(b->type));
    return b->type;
}

static void read_boundary(struct an_case_reader *r, const struct an_node *n,
                          struct an_case_boundary *b)
{
    char name[80], path[120];
    given_keys given = {NULL};
    an_printable(n->key, name, sizeof name);
    snprintf(path, sizeof path, "boundaries.%s", name);
    if (!*n->key || strlen(n->key) >= AN_NAME) {
        an_case_fault(r, key_origin(n), "'%s': names in a mesh have 1 to %d characters", path,
                      AN_NAME - 1);
        return;
    }
    if (!is_section(r, n, path))
        return;
    snprintf(b->name, sizeof b->name, "%s", n->key);
    b->line = key_origin(n)->line;
    enum an_bc_type type = read_type(r, n, name, b);
    if (type == AN_BC_NONE) { /* names and values are checked all the same */
        struct an_case_boundary scratch;
        struct an_node rest = *n, *child[AN_CASE_NKEY];
        rest.child = child;
        rest.nchild = 0;
        for (int i = 0; i < n->nchild && rest.nchild < AN_CASE_NKEY; i++)
            if (strcmp(n->child[i]->key, "type") != 0)
                child[rest.nchild++] = n->child[i];
        read_keys(r, &rest, AN_SECTION_BOUNDARY, path, -1, &scratch, given);
        return;
    }
    for (const struct an_key *k = an_case_keys; k->section; k++)
        if (k->bc & (1u << type))
            an_key_standard(r, k, b);
    read_keys(r, n, AN_SECTION_BOUNDARY, path, (int)type, b, given);
    require_keys(r, AN_SECTION_BOUNDARY, path, (int)type, key_origin(n), given);
    an_case_reference_boundary(r, b, given, key_origin(n));
    an_case_check_boundary(r, b, given, key_origin(n));
}

static int read_boundaries(struct an_case_reader *r, const struct an_node *n)
{
    if (!n || !is_section(r, n, "boundaries") || n->nchild == 0)
        return AN_OK;
    r->c->boundary = calloc((size_t)n->nchild, sizeof *r->c->boundary);
    AN_CHECK(r->c->boundary, AN_FAIL, "out of memory while reading the case file");
    r->c->nboundary = n->nchild;
    for (int i = 0; i < n->nchild; i++)
        read_boundary(r, n->child[i], &r->c->boundary[i]);
    return AN_OK;
}

/* An element of a section of names. */
static void read_element(struct an_case_reader *r, const struct an_named *named,
                         const struct an_node *n, char *element)
{
    char name[80], path[120];
    given_keys given = {NULL};
    const int line = key_origin(n)->line;
    an_printable(n->key, name, sizeof name);
    snprintf(path, sizeof path, "%s.%s", named->prefix, name);
    if (!*n->key || strlen(n->key) >= AN_NAME) {
        an_case_fault(r, key_origin(n), "'%s': names of %s have 1 to %d characters", path,
                      named->prefix, AN_NAME - 1);
        return;
    }
    if (!is_section(r, n, path))
        return;
    snprintf(element, AN_NAME, "%s", n->key);
    memcpy(element + named->line, &line, sizeof line);
    for (const struct an_key *k = an_case_keys; k->section; k++)
        if (k->bc & (1u << named->bit))
            an_key_standard(r, k, element);
    read_keys(r, n, named->section, path, -1, element, given);
    require_keys(r, named->section, path, -1, key_origin(n), given);
    an_case_check_named(r, named, element, given, key_origin(n));
}

static int read_named(struct an_case_reader *r, const struct an_named *named,
                      const struct an_node *n)
{
    if (!n || !is_section(r, n, named->prefix) || n->nchild == 0)
        return AN_OK;
    void *list = calloc((size_t)n->nchild, named->size);
    AN_CHECK(list, AN_FAIL, "out of memory while reading the case file");
    memcpy((char *)r->c + named->list, &list, sizeof list);
    memcpy((char *)r->c + named->count, &n->nchild, sizeof n->nchild);
    for (int i = 0; i < n->nchild; i++)
        read_element(r, named, n->child[i], an_named_at(named, r->c, i));
    return AN_OK;
}

/* A key of an inlet with total conditions, before its boundary is read; 0: it is not there. */
static double inlet_number(const struct an_case_reader *r, const struct an_node *inlet,
                           const char *key)
{
    double x = 0;
    const int row = an_key_find(AN_SECTION_BOUNDARY, key, AN_BC_INLET_TOTAL);
    return an_key_number(&an_case_keys[row], r->c, an_node_child(inlet, key), &x) ? x : 0;
}

/* Several rows start from a mean line: a state that the case does not give is at rest with the total pressure and
 * temperature of the first inlet. */
static void take_inlet(struct an_case_reader *r, const struct an_node *root)
{
    const struct an_node *rows = an_node_child(root, "rows"),
                         *all = an_node_child(root, "boundaries");
    if (!rows || rows->nchild < 2 || !all || an_case_has_reference(r->c))
        return;
    for (int i = 0; i < all->nchild && !r->has_inlet; i++) {
        const struct an_node *type = an_node_child(all->child[i], "type");
        const double p0 = inlet_number(r, all->child[i], "p0"),
                     T0 = inlet_number(r, all->child[i], "T0");
        if (!type || type->kind != AN_NODE_SCALAR || strcmp(type->text, "inlet_total") != 0 ||
            !(p0 > 0) || !(T0 > 0))
            continue;
        r->c->initial.p = p0;
        r->c->initial.T = T0;
        r->has_inlet = 1;
    }
}

/* What a map varies is known before its settings are read, because their unit follows from it. Says nothing of a wrong word. */
static void take_vary(struct an_case_reader *r, const struct an_node *root)
{
    const struct an_node *map = an_node_child(root, "map");
    const struct an_node *vary = map ? an_node_child(map, "vary") : NULL;
    const char *name;
    int value;
    for (int i = 0; vary && vary->kind == AN_NODE_SCALAR &&
                    an_key_choice(&an_case_keys[an_key_find("map", "vary", -1)], i, &name, &value);
         i++)
        if (strcmp(name, vary->text) == 0)
            r->c->map.vary = (enum an_vary)value;
}

static int read_tree(struct an_case_reader *r, const struct an_node *root)
{
    given_keys given = {NULL};
    for (const struct an_key *k = an_case_keys; k->section; k++)
        if (!k->bc)
            an_key_standard(r, k, r->c);
    take_inlet(r, root);
    take_vary(r, root);
    read_keys(r, root, "", "", -1, r->c, given);
    require_keys(r, "", "", -1, &root->at, given);
    for (const struct an_section *s = an_case_sections; s->name; s++) {
        if (!*s->name || strchr(s->name, '.')) /* beneath names */
            continue;
        const struct an_node *n = an_node_child(root, s->name);
        if (n && !is_section(r, n, s->name))
            continue;
        if (n)
            read_keys(r, n, s->name, s->name, -1, r->c, given);
        require_keys(r, s->name, s->name, -1, n ? key_origin(n) : &root->at, given);
    }
    for (const struct an_named *named = an_case_named; named->section; named++)
        AN_TRY(read_named(r, named, an_node_child(root, named->prefix)));
    an_case_check(r, given, &root->at);
    AN_TRY(read_boundaries(r, an_node_child(root, "boundaries")));
    for (int b = 0; b < r->c->nboundary; b++)
        r->c->boundary[b].type = an_case_plane(r->c, r->c->boundary[b].type);
    an_case_gas_check(r, given);
    return AN_OK;
}

enum an_bc_type an_case_plane(const struct an_case *c, enum an_bc_type type)
{
    return c->march.planes && type == AN_BC_MIXING_PLANE ? AN_BC_SLIDING_PLANE : type;
}

static int read_text(struct an_case_reader *r, const char *text, size_t length, int nset,
                     char *const *set)
{
    const struct an_origin start = {.file = r->file, .line = 1, .column = 1};
    struct an_node *root = NULL;
    int before = r->diag->nerror;
    AN_TRY(an_yaml_parse(text, length, &start, r->diag, &root));
    int status = AN_OK;
    if (!root) {
        if (r->diag->nerror == before)
            an_case_fault(r, &start, "the file is empty");
    } else if (root->kind != AN_NODE_MAPPING) {
        if (root->kind != AN_NODE_BAD)
            an_case_fault(r, &root->at, "%s",
                          an_node_is_null(root) ? "the file is empty"
                                                : "a case file is a mapping, 'key: value'");
    } else {
        for (int i = 0; i < nset; i++)
            an_case_set(r, root, set[i]);
        an_case_make_unsteady(r, root);
        status = read_tree(r, root);
    }
    an_node_destroy(root);
    return status;
}

static int read_file(struct an_case_reader *r, int nset, char *const *set)
{
    char *text;
    size_t length;
    int status = an_yaml_load(r->file, r->diag, &text, &length);
    if (status == AN_INPUT)
        return AN_OK; /* said in diag */
    AN_TRY(status);
    status = read_text(r, text, length, nset, set);
    free(text);
    return status;
}

static void split_folder(struct an_case *c)
{
    const char *slash = strrchr(c->file, '/');
    if (!slash)
        strcpy(c->folder, ".");
    else if (slash == c->file)
        strcpy(c->folder, "/");
    else
        memcpy(c->folder, c->file, (size_t)(slash - c->file));
}

int an_case_read(const char *path, int nset, char *const *set, struct an_case *c,
                 struct an_diag *diag)
{
    struct an_case_reader r = {.c = c, .diag = diag, .file = path};
    int before = diag->nerror;
    memset(c, 0, sizeof *c);
    if (strlen(path) >= sizeof c->file) {
        an_diag_error(diag, NULL, "the path of the case file is longer than %zu bytes",
                      sizeof c->file - 1);
        return an_error_set(AN_INPUT, "the path of the case file is too long");
    }
    strcpy(c->file, path);
    split_folder(c);
    locale_t neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t callers = uselocale(neutral); /* numbers have points, whatever the user's language */
    int status = read_file(&r, nset, set);
    if (status == AN_OK && diag->nerror == before)
        c->hash = an_case_hash(c);
    uselocale(callers);
    if (neutral)
        freelocale(neutral);
    if (status == AN_OK && diag->nerror > before)
        status = an_error_set(AN_INPUT, "%d error%s in the case file %s", diag->nerror - before,
                              diag->nerror - before == 1 ? "" : "s", path);
    if (status != AN_OK)
        an_case_free(c);
    return status;
}

void an_case_free(struct an_case *c)
{
    for (const struct an_named *named = an_case_named; named->section; named++) {
        free(an_named_at(named, c, 0));
        memset((char *)c + named->list, 0, sizeof(void *));
        memset((char *)c + named->count, 0, sizeof(int));
    }
    free(c->boundary);
    c->boundary = NULL;
    c->nboundary = 0;
    an_case_gas_free(c);
}

const char *an_case_at(const struct an_case *c, int line)
{
    enum { TEXTS = 4 };
    static _Thread_local char text[TEXTS][AN_PATH + 32];
    static _Thread_local unsigned calls;
    char *at = text[calls++ % TEXTS];
    if (line > 0)
        snprintf(at, sizeof *text, "%s:%d", c->file, line);
    else
        snprintf(at, sizeof *text, "%s, --set", c->file);
    return at;
}

/* On a mismatch the last star takes one more letter. */
int an_case_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *retry = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            retry = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++retry;
        } else {
            return 0;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

const struct an_case_boundary *an_case_boundary_find(const struct an_case *c, const char *name)
{
    for (int i = 0; i < c->nboundary; i++)
        if (strcmp(c->boundary[i].name, name) == 0)
            return &c->boundary[i];
    for (int i = 0; i < c->nboundary; i++)
        if (an_case_matches(c->boundary[i].name, name))
            return &c->boundary[i];
    return NULL;
}

double an_case_hottest_gas(const struct an_case *c)
{
    double T = c->initial.T;
    for (int b = 0; b < c->nboundary; b++)
        T = fmax(T, c->boundary[b].T0);
    return T;
}

const struct an_case_solid_wall *an_case_solid_wall_find(const struct an_case *c, const char *name)
{
    for (int i = 0; i < c->nsolid_wall; i++)
        if (strcmp(c->solid_wall[i].name, name) == 0)
            return &c->solid_wall[i];
    for (int i = 0; i < c->nsolid_wall; i++)
        if (an_case_matches(c->solid_wall[i].name, name))
            return &c->solid_wall[i];
    return NULL;
}
