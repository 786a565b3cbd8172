/* --set path=value: put into the tree of the case file before anything is checked, so that it is
 * judged by the same table. */
#include "io/case_keys.h"

#include <stdlib.h>
#include <string.h>

/* Gives `value` the key and puts it into the mapping: in place of what was there, or, mapping into
 * mapping, key by key. Takes the value. */
static int put(struct an_node *mapping, const char *key, struct an_node *value)
{
    struct an_node *old = an_node_child(mapping, key);
    if (old && old->kind == AN_NODE_MAPPING && value->kind == AN_NODE_MAPPING) {
        int status = AN_OK;
        for (int i = 0; i < value->nchild; i++) {
            struct an_node *child = value->child[i];
            value->child[i] = NULL;
            if (status == AN_OK)
                status = put(old, child->key, child);
            else
                an_node_destroy(child);
        }
        an_node_destroy(value);
        return status;
    }
    char *name = strdup(key);
    free(value->key);
    value->key = name;
    if (!name) {
        an_node_destroy(value);
        return an_error_set(AN_FAIL, "out of memory while reading --set");
    }
    if (!old)
        return an_node_append(mapping, value);
    for (int i = 0; i < mapping->nchild; i++)
        if (mapping->child[i] == old)
            mapping->child[i] = value;
    an_node_destroy(old);
    return AN_OK;
}

/* The mapping beneath `key`, made where there is none yet; NULL when something else stands there.
 */
static struct an_node *descend(struct an_case_reader *r, struct an_node *mapping, const char *key,
                               const struct an_origin *at)
{
    char word[80];
    struct an_node *n = an_node_child(mapping, key);
    if (n && n->kind == AN_NODE_MAPPING)
        return n;
    if (n && !an_node_is_null(n)) {
        an_case_fault(r, at, "'%s' is not a mapping", an_printable(key, word, sizeof word));
        return NULL;
    }
    n = an_node_new(AN_NODE_MAPPING, at);
    if (!n || put(mapping, key, n) != AN_OK) {
        an_case_fault(r, at, "out of memory");
        return NULL;
    }
    return n;
}

/* Puts the value at section.key, boundaries.NAME.key, rows.NAME.key or key. A name may have dots in
 * it: the last one is before the key, unless the value is a mapping of keys. `path` is cut up. */
static void graft(struct an_case_reader *r, struct an_node *root, char *path,
                  const struct an_origin *at, struct an_node *value)
{
    struct an_node *parent = root;
    char word[80], *key = path, *dot = strchr(path, '.');
    if (dot) {
        *dot = '\0';
        key = dot + 1;
        parent = descend(r, root, path, at);
    }
    char *last = strrchr(key, '.');
    if (parent && dot && an_section_of_names(path) && last && value->kind != AN_NODE_MAPPING) {
        *last = '\0';
        parent = descend(r, parent, key, at);
        key = last + 1;
    }
    const struct an_node *old = parent ? an_node_child(parent, key) : NULL;
    if (old && old->kind == AN_NODE_MAPPING && value->kind != AN_NODE_MAPPING) {
        an_case_fault(r, at, "'%s' is a mapping; set one of its keys",
                      an_printable(key, word, sizeof word));
        parent = NULL;
    }
    if (!parent)
        an_node_destroy(value);
    else if (put(parent, key, value) != AN_OK)
        an_case_fault(r, at, "out of memory");
}

void an_case_set(struct an_case_reader *r, struct an_node *root, const char *set)
{
    const struct an_origin at = {.file = r->file, .set = set};
    const char *equals = strchr(set, '=');
    struct an_node *value = NULL;
    int before = r->diag->nerror;
    if (!equals || equals == set) {
        an_case_fault(r, &at, "expected key=value, e.g. march.cfl=2");
        return;
    }
    if (strlen(equals + 1) > AN_YAML_BYTES) {
        an_case_fault(r, &at, "the value is too long");
        return;
    }
    int status = an_yaml_parse(equals + 1, strlen(equals + 1), &at, r->diag, &value);
    if (status == AN_OK && !value && r->diag->nerror > before)
        return;
    if (status == AN_OK && !value && (value = an_node_new(AN_NODE_SCALAR, &at)))
        value->text = strdup("");
    char *path = strndup(set, (size_t)(equals - set));
    if (!path || !value || (value->kind == AN_NODE_SCALAR && !value->text)) {
        an_case_fault(r, &at, "out of memory");
        an_node_destroy(value);
    } else {
        graft(r, root, path, &at, value);
    }
    free(path);
}
