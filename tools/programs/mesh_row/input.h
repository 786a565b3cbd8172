// Reading keys of the input file, for input.c and input_rows.c.
#ifndef MESH_ROW_INPUT_H
#define MESH_ROW_INPUT_H

#include "io/case_yaml.h"
#include "row.h"

struct reader {
    struct row_input *in;
    struct an_diag *diag;
    const char *path;
    const char *row; // name of the row among others, for messages; NULL: the file has one row
};

enum { INPUT_KEYS = 64 };
struct keys_seen {
    bool key[INPUT_KEYS];
    const struct an_node *splitter; // the last one: a row's own replaces that of all rows
};

// input_value.c
__attribute__((format(printf, 3, 4))) void input_fault(struct reader *r, const struct an_origin *at,
                                                       const char *format, ...);
// Is it a single value? If not, a fault.
bool input_scalar(struct reader *r, const struct an_node *n, const char *name);
// A number from min to max; false and a fault when it is none.
bool input_number(struct reader *r, const struct an_node *n, const char *name, double min,
                  double max, double *to);
// Index of the word in a list of words parted by blanks; -1 and a fault when it is none of them.
int input_choice(struct reader *r, const struct an_node *n, const char *name, const char *words);
// input_holes.c: the key `holes`
void input_holes(struct reader *r, const struct an_node *n);
// input.c
// The keys of a mapping, without `skip`. A key read before gets the new value.
void input_keys(struct reader *r, const struct an_node *map, const char *const *skip,
                struct keys_seen *seen);
// What the keys together must be. `at`: place for faults that belong to none of them.
void input_check(struct reader *r, const struct an_origin *at, const struct keys_seen *seen);
// The file as a tree, which is the caller's; NULL where nothing can be read of it.
int input_tree(const char *path, struct an_diag *diag, struct an_node **root);
// The file of one row.
void input_one(struct row_input *in, const char *path, const struct an_node *root,
               struct an_diag *diag);

#endif
