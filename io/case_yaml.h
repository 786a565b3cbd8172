/* A YAML document as a small tree, each node with its place. Internal to io/case*.c.
 *
 * Built from libyaml's events, not from its document: the document has already replaced aliases by
 * the nodes they name, keeps only the last of several faults, and nests as deep as its input.
 */
#ifndef AN_IO_CASE_YAML_H
#define AN_IO_CASE_YAML_H

#include "kernels/base/error.h"

#ifndef AN_YAML_BYTES         /* tools/dev/fuzz takes less: it allocates this for every input */
#define AN_YAML_BYTES 1048576 /* a case file is not longer */
#endif
#define AN_YAML_NODES 10000 /* nor does it hold more keys and values */
#define AN_YAML_DEPTH 16

/* Where something was said: in the case file, or in the text of a --set. */
struct an_origin {
    const char *file; /* not owned */
    const char *set;  /* not owned; NULL: in the file */
    int line, column; /* 1-based, 0 for a --set */
};

enum an_node_kind {
    AN_NODE_SCALAR,
    AN_NODE_SEQUENCE,
    AN_NODE_MAPPING,
    AN_NODE_BAD /* refused and reported already: readers pass over it in silence */
};

struct an_node {
    enum an_node_kind kind;
    struct an_origin at;     /* of the value */
    struct an_origin key_at; /* in a mapping: of the key */
    char *key;               /* in a mapping; owned */
    char *text;              /* scalar; owned */
    int quoted;              /* scalar in quotes or a block: text, never a number */
    int nchild, capacity;
    struct an_node **child; /* owned */
};

/* "file:line:column" or "--set text", made printable. */
void an_origin_text(const struct an_origin *at, char *buf, size_t size);
/* s made fit for a message: one line, printable, cut with "..." beyond `size` bytes. */
const char *an_printable(const char *s, char *buf, size_t size);

/* Parses `length` bytes. All faults go to diag. *root = NULL when there is no tree to go on with,
 * else the caller's, to be freed. AN_FAIL without memory. */
int an_yaml_parse(const char *text, size_t length, const struct an_origin *at, struct an_diag *diag,
                  struct an_node **root);
/* Reads a whole file into *text (owned by the caller), NUL-terminated. Unreadable: AN_INPUT and a
 * line in diag. */
int an_yaml_load(const char *path, struct an_diag *diag, char **text, size_t *length);

struct an_node *an_node_new(enum an_node_kind kind, const struct an_origin *at); /* NULL: memory */
void an_node_destroy(struct an_node *n);
int an_node_append(struct an_node *parent, struct an_node *child); /* takes the child */
struct an_node *an_node_child(const struct an_node *mapping, const char *key);
/* A plain scalar that is empty, ~ or null. */
int an_node_is_null(const struct an_node *n);

#endif
