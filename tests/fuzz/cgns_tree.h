/* A CGNS file as a tree of nodes in memory, in place of the file formats.
 *
 * cgns_tree.c defines the functions cgio_* that the CGNS library calls to read and write nodes, so
 * that the library of the system works on this tree, not on an HDF5 or ADF file: no input of the
 * fuzzer touches a disk. Files are slots: tree_select says which one the next cg_open takes. Data is
 * read with the conversions of the library; a node may have dimensions without data, as a damaged
 * file has, and reads as an error then.
 */
#ifndef AN_TESTS_FUZZ_CGNS_TREE_H
#define AN_TESTS_FUZZ_CGNS_TREE_H

#include <stddef.h>
#include <stdint.h>

enum { TREE_NODES = 2000, TREE_DIMENSIONS = 12, TREE_SLOTS = 16 };

struct tree_node {
    char name[33], label[33], type[4];
    int ndim;
    int64_t dim[TREE_DIMENSIONS];
    char *data;              /* NULL: none */
    size_t bytes;            /* of data */
    int parent, child, next; /* index of a node; -1: none */
    int is_link;
    char file[64], path[160]; /* of a link */
};

struct tree {
    int n; /* node 0 is the root; a removed node is no one's child */
    struct tree_node node[TREE_NODES];
};

/* The tree of a slot. What the functions of the library make in it lasts until the process ends. */
struct tree *tree_slot(int slot);
void tree_select(int slot);

/* Copies a tree; data is shared. */
void tree_copy(const struct tree *from, struct tree *to);
/* Nodes that hang on the root, in order of depth; returns how many. */
int tree_list(const struct tree *t, int *list);
/* Appends a node; -1 where there is no room. */
int tree_add(struct tree *t, int parent, const char *name);
void tree_remove(struct tree *t, int node);
size_t tree_type_size(const char *type);
/* Elements by dimensions, at most 2^40; 0: none. */
int64_t tree_elements(const struct tree_node *n);

#endif
