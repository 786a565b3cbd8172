/* Families, which may stand in families: their nodes by path, and the names of boundaries that follow. */
#include <stdio.h>
#include <string.h>

#include "io/mesh_internal.h"

/* The node below `parent` that the parts of a path lead to; NULL: none. */
static const struct an_cgns_node *descend(const struct an_cgns_node *parent, const char *path)
{
    char part[AN_NAME];
    while (parent && *path) {
        const size_t n = strcspn(path, "/");
        if (n > 0) {
            if (n >= sizeof part)
                return NULL;
            memcpy(part, path, n);
            part[n] = '\0';
            parent = an_cgns_child(parent, "Family_t", part);
        }
        path += n + (path[n] == '/');
    }
    return parent;
}

/* Counts the families of a name below `parent`; *found is one of them. */
static int count(const struct an_cgns_node *parent, const char *name,
                 const struct an_cgns_node **found)
{
    int n = 0;
    for (const struct an_cgns_node *f = an_cgns_child(parent, "Family_t", NULL); f;
         f = an_cgns_next(f)) {
        if (!strcmp(f->name, name)) {
            *found = f;
            n++;
        }
        n += count(f, name, found);
    }
    return n;
}

const struct an_cgns_node *an_mesh_family(const struct an_mesh_reader *r, const char *path)
{
    if (!*path)
        return NULL;
    const struct an_cgns_node *f = descend(r->base, path);
    const char *first = path + strspn(path, "/");
    const size_t n = strlen(r->base->name);
    if (!f && !strncmp(first, r->base->name, n) && first[n] == '/') /* with the base in front */
        f = descend(r->base, first + n + 1);
    if (f && f != r->base)
        return f;
    const char *last = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    f = NULL;
    return count(r->base, last, &f) == 1 ? f : NULL;
}

const struct an_cgns_node *an_mesh_family_child(const struct an_mesh_reader *r,
                                                const struct an_cgns_node *family,
                                                const char *label)
{
    const struct an_cgns_node *found = NULL;
    for (; family && family != r->base && !found; family = family->parent)
        found = an_cgns_child(family, label, NULL);
    return found;
}

/* The names of a family and those above it, joined by '_'. */
static void join(const struct an_mesh_reader *r, const struct an_cgns_node *f, char *name,
                 size_t size)
{
    *name = '\0';
    if (f->parent && f->parent != r->base)
        join(r, f->parent, name, size);
    const size_t n = strlen(name);
    snprintf(name + n, size - n, "%s%s", n ? "_" : "", f->name);
}

void an_mesh_family_name(const struct an_mesh_reader *r, const char *path, char *name, size_t size)
{
    const struct an_cgns_node *f = an_mesh_family(r, path), *other = NULL;
    const char *last = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (f && count(r->base, f->name, &other) > 1)
        join(r, f, name, size);
    else
        snprintf(name, size, "%s", last);
}
