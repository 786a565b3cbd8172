/* The nodes of a CGNS file that say something of a mesh, in memory.
 *
 * One pass over the file with the core of the CGNS library (cgio), which reads ADF and HDF5 and follows links. The
 * functions of the library for whole files (cg_open and those behind it) are not used for reading: they look at every
 * node of a file some sixteen times, refuse every file of the next version of CGNS, and refuse files whose vectors are
 * doubles or whose texts are padded with zeros.
 *
 * Blanks and zeros at the end of names and texts never count. The number of values that a node has is the file's: every
 * function that reads values says whether they are as many as are wanted.
 */
#ifndef AN_IO_CGNS_TREE_H
#define AN_IO_CGNS_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/base/topology.h"

#define AN_CGNS_DIMENSIONS 12

struct an_cgns_node {
    char name[AN_NAME], label[AN_NAME], type[4]; /* type: MT, I4, I8, R4, R8, C1 */
    int ndim;
    int64_t dim[AN_CGNS_DIMENSIONS],
        count;  /* the first runs fastest; count: numbers or characters */
    void *data; /* [count]; NULL: none, or values of coordinates */
    struct an_cgns_node *parent, *child, *next;
};

/* Opens a file for reading; AN_INPUT, with the library's text. *file: of cgio, > 0. */
int an_cgns_open(const char *path, int *file);
void an_cgns_close(int file);
/* Is there a node of this name under the root of an open file? */
int an_cgns_has(int file, const char *name);

/* Reads the tree. AN_INPUT, in a sentence about the file, where the library fails, where a link leads nowhere, or where
 * the file is of a version that is not known. *root is the caller's to free, also after a fault. */
int an_cgns_tree_read(int file, struct an_cgns_node **root);
void an_cgns_tree_free(struct an_cgns_node *root);

/* The tree as bytes for another process on this machine, malloc'ed; NULL without memory. */
char *an_cgns_tree_pack(const struct an_cgns_node *root, size_t *bytes);
/* The tree of such bytes, the caller's to free; NULL where they are none, or without memory. */
struct an_cgns_node *an_cgns_tree_unpack(const char *from, size_t bytes);

/* The first child with that label, and with that name unless it is NULL; NULL: none. The next one of the same label. */
const struct an_cgns_node *an_cgns_child(const struct an_cgns_node *parent, const char *label,
                                         const char *name);
const struct an_cgns_node *an_cgns_next(const struct an_cgns_node *node);
int an_cgns_count(const struct an_cgns_node *parent, const char *label);

/* The text of a node, cut to size - 1 characters; "" where it has none. Returns its whole length. */
size_t an_cgns_text(const struct an_cgns_node *node, char *text, size_t size);
/* The number of the node's text in a list of words; -1: it is none of them. */
int an_cgns_word(const struct an_cgns_node *node, const char *const *word, int nword);

/* n numbers of a node; 0 where the node is NULL, has more or fewer, or none that can be such numbers. */
int an_cgns_integers(const struct an_cgns_node *node, int64_t n, int64_t *to);
int an_cgns_reals(const struct an_cgns_node *node, int64_t n, double *to);

/* The child of that name in the file itself; 0: there is none. The caller releases *id. */
int an_cgns_find(int file, double parent, const char *name, double *id);

/* The text of the node at a path of a file that is not open, malloc'ed; NULL: there is none, or no such file. */
char *an_cgns_text_of(const char *file, const char *node);

/* What the library says of its last failure; valid until the next call. */
const char *an_cgns_error(void);

#endif
