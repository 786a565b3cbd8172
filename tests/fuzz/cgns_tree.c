#include "tests/fuzz/cgns_tree.h"

#include <cgns_io.h>
#include <cgnslib.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tree *slot[TREE_SLOTS];
static int selected;
static char opened_as[64];

struct tree *tree_slot(int n)
{
    if (!slot[n] && !(slot[n] = calloc(1, sizeof **slot)))
        abort();
    if (slot[n]->n == 0) {
        struct tree_node *root = &slot[n]->node[0];
        *root = (struct tree_node){.name = "HDF5 MotherNode",
                                   .label = "Root Node",
                                   .type = "MT",
                                   .parent = -1,
                                   .child = -1,
                                   .next = -1};
        slot[n]->n = 1;
    }
    return slot[n];
}

void tree_select(int n)
{
    selected = n;
}

void tree_copy(const struct tree *from, struct tree *to)
{
    to->n = from->n;
    memcpy(to->node, from->node, (size_t)from->n * sizeof *from->node);
}

static void list_below(const struct tree *t, int node, int *list, int *n)
{
    list[(*n)++] = node;
    for (int c = t->node[node].child; c >= 0; c = t->node[c].next)
        list_below(t, c, list, n);
}

int tree_list(const struct tree *t, int *list)
{
    int n = 0;
    list_below(t, 0, list, &n);
    return n;
}

int tree_add(struct tree *t, int parent, const char *name)
{
    if (t->n == TREE_NODES)
        return -1;
    const int n = t->n++;
    struct tree_node *node = &t->node[n];
    memset(node, 0, sizeof *node);
    snprintf(node->name, sizeof node->name, "%s", name);
    strcpy(node->type, "MT");
    node->parent = parent;
    node->child = node->next = -1;
    int *last = &t->node[parent].child;
    while (*last >= 0)
        last = &t->node[*last].next;
    *last = n;
    return n;
}

void tree_remove(struct tree *t, int node)
{
    if (node <= 0)
        return;
    int *at = &t->node[t->node[node].parent].child;
    while (*at >= 0 && *at != node)
        at = &t->node[*at].next;
    if (*at == node)
        *at = t->node[node].next;
}

/* Without strcmp, which a fuzzer watches, at a price. */
static int same_type(const char *a, const char *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

size_t tree_type_size(const char *type)
{
    if (same_type(type, "C1") || same_type(type, "B1"))
        return 1;
    const int number = type[0] == 'I' || type[0] == 'U' || type[0] == 'R';
    return number && (type[1] == '4' || type[1] == '8') ? (size_t)(type[1] - '0') : 0;
}

int64_t tree_elements(const struct tree_node *n)
{
    int64_t count = n->ndim > 0;
    for (int d = 0; d < n->ndim; d++) {
        if (n->dim[d] <= 0 || n->dim[d] > ((int64_t)1 << 40) / count)
            return 0;
        count *= n->dim[d];
    }
    return count;
}

/* ---- what the CGNS library calls */

static struct tree_node *node_of(double id)
{
    struct tree *t = tree_slot(selected);
    const int n = (int)id - 1;
    return n >= 0 && n < t->n ? &t->node[n] : NULL;
}

static double id_of(const struct tree_node *n)
{
    return (double)(n - tree_slot(selected)->node + 1);
}

int cgio_check_file(const char *filename, int *file_type)
{
    (void)filename;
    *file_type = CGIO_FILE_HDF5;
    return 0;
}

int cgio_open_file(const char *filename, int file_mode, int file_type, int *cgio_num)
{
    (void)file_type;
    snprintf(opened_as, sizeof opened_as, "%s", filename);
    if (file_mode == CGIO_MODE_WRITE || file_mode == 'w')
        tree_slot(selected)->n = 0;
    tree_slot(selected);
    *cgio_num = 1;
    return 0;
}

int cgio_close_file(int cgio_num)
{
    (void)cgio_num;
    return 0;
}

int cgio_flush_to_disk(int cgio_num)
{
    (void)cgio_num;
    return 0;
}

int cgio_compress_file(int cgio_num, const char *filename)
{
    (void)cgio_num;
    (void)filename;
    return 0;
}

int cgio_library_version(int cgio_num, char *version)
{
    (void)cgio_num;
    strcpy(version, "HDF5 Version 1.10.8");
    return 0;
}

int cgio_file_version(int cgio_num, char *version, char *created, char *modified)
{
    (void)cgio_num;
    strcpy(version, "HDF5 Version 1.10.8");
    strcpy(created, "");
    strcpy(modified, "");
    return 0;
}

int cgio_get_root_id(int cgio_num, double *rootid)
{
    (void)cgio_num;
    *rootid = 1;
    return 0;
}

int cgio_get_file_type(int cgio_num, int *file_type)
{
    (void)cgio_num;
    *file_type = CGIO_FILE_HDF5;
    return 0;
}

int cgio_error_message(char *msg)
{
    strcpy(msg, "the tree refuses");
    return 0;
}

int cgio_release_id(int cgio_num, double id)
{
    (void)cgio_num;
    (void)id;
    return 0;
}

int cgio_is_link(int cgio_num, double id, int *link_len)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    *link_len = n && n->is_link ? (int)(strlen(n->file) + strlen(n->path)) : 0;
    return n == NULL;
}

int cgio_link_size(int cgio_num, double id, int *file_len, int *name_len)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    *file_len = n ? (int)strlen(n->file) : 0;
    *name_len = n ? (int)strlen(n->path) : 0;
    return n == NULL;
}

int cgio_get_link(int cgio_num, double id, char *filename, char *name_in_file)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    if (!n)
        return 1;
    strcpy(filename, n->file);
    strcpy(name_in_file, n->path);
    return 0;
}

int cgio_create_link(int cgio_num, double pid, const char *name, const char *filename,
                     const char *name_in_file, double *id)
{
    if (cgio_create_node(cgio_num, pid, name, id))
        return 1;
    struct tree_node *n = node_of(*id);
    n->is_link = 1;
    snprintf(n->file, sizeof n->file, "%s", filename);
    snprintf(n->path, sizeof n->path, "%s", name_in_file);
    return 0;
}

int cgio_number_children(int cgio_num, double id, int *num_children)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    *num_children = 0;
    if (!n)
        return 1;
    for (int c = n->child; c >= 0; c = tree_slot(selected)->node[c].next)
        ++*num_children;
    return 0;
}

int cgio_children_ids(int cgio_num, double pid, int start, int max_ret, int *num_ret, double *ids)
{
    (void)cgio_num;
    const struct tree *t = tree_slot(selected);
    const struct tree_node *n = node_of(pid);
    int at = 1;
    *num_ret = 0;
    if (!n)
        return 1;
    for (int c = n->child; c >= 0; c = t->node[c].next, at++)
        if (at >= start && *num_ret < max_ret)
            ids[(*num_ret)++] = c + 1;
    return 0;
}

int cgio_children_names(int cgio_num, double pid, int start, int max_ret, int name_len,
                        int *num_ret, char *names)
{
    (void)cgio_num;
    const struct tree *t = tree_slot(selected);
    const struct tree_node *n = node_of(pid);
    int at = 1;
    *num_ret = 0;
    if (!n)
        return 1;
    for (int c = n->child; c >= 0; c = t->node[c].next, at++)
        if (at >= start && *num_ret < max_ret)
            snprintf(names + (size_t)(*num_ret)++ * (size_t)name_len, (size_t)name_len, "%s",
                     t->node[c].name);
    return 0;
}

int cgio_get_node_id(int cgio_num, double pid, const char *name, double *id)
{
    (void)cgio_num;
    const struct tree *t = tree_slot(selected);
    const struct tree_node *n = *name == '/' ? &t->node[0] : node_of(pid);
    while (n && *name) {
        name += strspn(name, "/");
        const size_t length = strcspn(name, "/");
        if (!length)
            break;
        int c = n->child;
        while (c >= 0 &&
               (strlen(t->node[c].name) != length || memcmp(t->node[c].name, name, length) != 0))
            c = t->node[c].next;
        n = c >= 0 ? &t->node[c] : NULL;
        name += length;
    }
    *id = n ? id_of(n) : 0;
    return n == NULL;
}

int cgio_get_name(int cgio_num, double id, char *name)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    strcpy(name, n ? n->name : "");
    return n == NULL;
}

int cgio_get_label(int cgio_num, double id, char *label)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    strcpy(label, n ? n->label : "");
    return n == NULL || n->is_link;
}

int cgio_get_data_type(int cgio_num, double id, char *data_type)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    strcpy(data_type, n ? n->type : "MT");
    return n == NULL || n->is_link;
}

int cgio_get_data_size(int cgio_num, double id, cglong_t *data_size)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    *data_size = n ? (cglong_t)tree_elements(n) * (cglong_t)tree_type_size(n->type) : 0;
    return n == NULL;
}

int cgio_get_dimensions(int cgio_num, double id, int *num_dims, cgsize_t *dims)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    *num_dims = n && strcmp(n->type, "MT") ? n->ndim : 0;
    for (int d = 0; d < *num_dims; d++)
        dims[d] = (cgsize_t)n->dim[d];
    return n == NULL || n->is_link;
}

static double number_at(const char *type, const char *p)
{
    union {
        int32_t i;
        uint32_t u;
        int64_t l;
        uint64_t m;
        float f;
        double d;
    } v;
    memcpy(&v, p, tree_type_size(type));
    return same_type(type, "I4")   ? v.i
           : same_type(type, "U4") ? v.u
           : same_type(type, "I8") ? (double)v.l
           : same_type(type, "U8") ? (double)v.m
           : same_type(type, "R4") ? (double)v.f
                                   : v.d;
}

/* What a number out of range becomes differs from machine to machine: the ends of the range here. */
static int64_t whole(double v, double lo, double hi)
{
    return v >= lo && v < hi ? (int64_t)v : v >= hi ? (int64_t)(hi / 2) : (int64_t)lo;
}

static void put_number(const char *type, char *p, double x)
{
    const int64_t i4 = whole(x, -0x1p31, 0x1p31), i8 = whole(x, -0x1p62, 0x1p62);
    const int32_t i = (int32_t)i4;
    const float f = (float)(x > 3e38 ? 3e38 : x < -3e38 ? -3e38 : x);
    if (same_type(type, "I4") || same_type(type, "U4"))
        memcpy(p, &i, 4);
    else if (same_type(type, "I8") || same_type(type, "U8"))
        memcpy(p, &i8, 8);
    else if (same_type(type, "R4"))
        memcpy(p, &f, 4);
    else
        memcpy(p, &x, 8);
}

/* One element; 0 where it cannot be converted. */
static int convert(const char *from_type, const char *from, const char *to_type, char *to)
{
    if (same_type(from_type, to_type)) {
        memcpy(to, from, tree_type_size(to_type));
        return 1;
    }
    if (tree_type_size(from_type) < 4 || tree_type_size(to_type) < 4)
        return 0;
    put_number(to_type, to, number_at(from_type, from));
    return 1;
}

/* Does an address belong to memory that somebody has made? The library (3.4) reads some nodes of another type through a
 * pointer that it never set. */
static int is_an_object(void *address)
{
    char name[8];
    void *start;
    size_t size;
    const char *where = __asan_locate_address(address, name, sizeof name, &start, &size);
    return where &&
           (!strcmp(where, "heap") || !strncmp(where, "stack", 5) || !strcmp(where, "global"));
}

/* Has the library made too little room on the heap? It trusts the sizes of some nodes (3.4). In a run
 * that ends the child which opens a file first; here the library gets an error. Room on the stack is
 * that of the program, whose faults are to be found. */
static int library_lacks_room(void *to, size_t bytes)
{
    const char *here = (const char *)__builtin_frame_address(0), *there = to;
    if (!__asan_region_is_poisoned(to, bytes))
        return !is_an_object(to);
    if (there > here - (1 << 20) && there < here + (1 << 23))
        __builtin_trap();
    return 1;
}

int cgio_read_all_data_type(int cgio_num, double id, const char *m_data_type, void *data)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    if (!n || n->is_link || !data) /* the library asks so after a fault of its own */
        return 1;
    const size_t size = tree_type_size(n->type), count = (size_t)tree_elements(n);
    if (!size || !count || count * size > n->bytes)
        return 1;
    const size_t step = tree_type_size(m_data_type);
    if (library_lacks_room(data, count * step))
        return 1;
    for (size_t e = 0; e < count; e++)
        if (!convert(n->type, n->data + e * size, m_data_type, (char *)data + e * step))
            return 1;
    return 0;
}

int cgio_read_all_data(int cgio_num, double id, void *data)
{
    const struct tree_node *n = node_of(id);
    return n ? cgio_read_all_data_type(cgio_num, id, n->type, data) : 1;
}

int cgio_read_block_data(int cgio_num, double id, cgsize_t b_start, cgsize_t b_end, void *data)
{
    (void)cgio_num;
    const struct tree_node *n = node_of(id);
    const size_t size = n ? tree_type_size(n->type) : 0;
    if (!size || b_start < 1 || b_end < b_start || (size_t)b_end * size > n->bytes ||
        (int64_t)b_end > tree_elements(n))
        return 1;
    memcpy(data, n->data + (size_t)(b_start - 1) * size, (size_t)(b_end - b_start + 1) * size);
    return 0;
}

/* Elements start, start + stride, ... of both sides, first index fastest; for writing, too. */
struct range {
    int ndim;
    const cgsize_t *dim, *start, *end, *stride;
    cgsize_t at[TREE_DIMENSIONS];
};

static int range_begin(struct range *r)
{
    for (int d = 0; d < r->ndim; d++) {
        if (r->start[d] < 1 || r->end[d] > r->dim[d] || r->start[d] > r->end[d] || r->stride[d] < 1)
            return 0;
        r->at[d] = r->start[d];
    }
    return r->ndim > 0;
}

static size_t range_place(const struct range *r)
{
    size_t place = 0;
    for (int d = r->ndim - 1; d >= 0; d--)
        place = place * (size_t)r->dim[d] + (size_t)(r->at[d] - 1);
    return place;
}

static int range_next(struct range *r)
{
    for (int d = 0; d < r->ndim; d++) {
        r->at[d] += r->stride[d];
        if (r->at[d] <= r->end[d])
            return 1;
        r->at[d] = r->start[d];
    }
    return 0;
}

static int move(struct tree_node *n, struct range *file, struct range *memory, const char *type,
                char *data, int writing)
{
    cgsize_t dim[TREE_DIMENSIONS];
    const size_t size = n ? tree_type_size(n->type) : 0, step = tree_type_size(type);
    if (!size || !step || !data || !tree_elements(n) || memory->ndim > TREE_DIMENSIONS)
        return 1;
    for (int d = 0; d < n->ndim; d++)
        dim[d] = (cgsize_t)n->dim[d];
    file->ndim = n->ndim;
    file->dim = dim;
    if (writing && !n->data && (size_t)tree_elements(n) < 1 << 20) {
        n->bytes = (size_t)tree_elements(n) * size;
        n->data = calloc(1, n->bytes);
    }
    if (!range_begin(file) || !range_begin(memory))
        return 1;
    for (int more = 1; more;) {
        const size_t there = range_place(file), here = range_place(memory);
        if (!writing && __asan_region_is_poisoned(data + here * step, step))
            __builtin_trap(); /* room that the program gave */
        if ((there + 1) * size > n->bytes)
            return 1;
        if (writing ? !convert(type, data + here * step, n->type, n->data + there * size)
                    : !convert(n->type, n->data + there * size, type, data + here * step))
            return 1;
        more = range_next(file);
        if (range_next(memory) != more)
            return 1;
    }
    return 0;
}

int cgio_read_data_type(int cgio_num, double id, const cgsize_t *s_start, const cgsize_t *s_end,
                        const cgsize_t *s_stride, const char *m_data_type, int m_num_dims,
                        const cgsize_t *m_dims, const cgsize_t *m_start, const cgsize_t *m_end,
                        const cgsize_t *m_stride, void *data)
{
    (void)cgio_num;
    struct range file = {.start = s_start, .end = s_end, .stride = s_stride};
    struct range memory = {m_num_dims, m_dims, m_start, m_end, m_stride, {0}};
    struct tree_node *n = node_of(id);
    return !n || n->is_link || move(n, &file, &memory, m_data_type, data, 0);
}

int cgio_read_data(int cgio_num, double id, const cgsize_t *s_start, const cgsize_t *s_end,
                   const cgsize_t *s_stride, int m_num_dims, const cgsize_t *m_dims,
                   const cgsize_t *m_start, const cgsize_t *m_end, const cgsize_t *m_stride,
                   void *data)
{
    const struct tree_node *n = node_of(id);
    return !n || cgio_read_data_type(cgio_num, id, s_start, s_end, s_stride, n->type, m_num_dims,
                                     m_dims, m_start, m_end, m_stride, data);
}

int cgio_create_node(int cgio_num, double pid, const char *name, double *id)
{
    (void)cgio_num;
    const int n = node_of(pid) ? tree_add(tree_slot(selected), (int)pid - 1, name) : -1;
    *id = n + 1;
    return n < 0;
}

int cgio_new_node(int cgio_num, double pid, const char *name, const char *label,
                  const char *data_type, int ndims, const cgsize_t *dims, const void *data,
                  double *id)
{
    if (cgio_create_node(cgio_num, pid, name, id) || cgio_set_label(cgio_num, *id, label) ||
        cgio_set_dimensions(cgio_num, *id, data_type, ndims, dims))
        return 1;
    return data && strcmp(data_type, "MT") ? cgio_write_all_data(cgio_num, *id, data) : 0;
}

int cgio_delete_node(int cgio_num, double pid, double id)
{
    (void)cgio_num;
    (void)pid;
    tree_remove(tree_slot(selected), (int)id - 1);
    return 0;
}

int cgio_set_name(int cgio_num, double pid, double id, const char *name)
{
    (void)cgio_num;
    (void)pid;
    struct tree_node *n = node_of(id);
    if (n)
        snprintf(n->name, sizeof n->name, "%s", name);
    return n == NULL;
}

int cgio_set_label(int cgio_num, double id, const char *label)
{
    (void)cgio_num;
    struct tree_node *n = node_of(id);
    if (n)
        snprintf(n->label, sizeof n->label, "%s", label);
    return n == NULL;
}

int cgio_set_dimensions(int cgio_num, double id, const char *data_type, int num_dims,
                        const cgsize_t *dims)
{
    (void)cgio_num;
    struct tree_node *n = node_of(id);
    if (!n || num_dims > TREE_DIMENSIONS)
        return 1;
    snprintf(n->type, sizeof n->type, "%.3s", data_type);
    n->ndim = num_dims;
    for (int d = 0; d < num_dims; d++)
        n->dim[d] = dims[d];
    return 0;
}

int cgio_write_all_data(int cgio_num, double id, const void *data)
{
    (void)cgio_num;
    struct tree_node *n = node_of(id);
    const size_t bytes = n ? (size_t)tree_elements(n) * tree_type_size(n->type) : 0;
    char *own = bytes ? malloc(bytes) : NULL;
    if (!own)
        return 1;
    memcpy(own, data, bytes);
    n->data = own;
    n->bytes = bytes;
    return 0;
}

int cgio_write_all_data_type(int cgio_num, double id, const char *m_data_type, const void *data)
{
    const struct tree_node *n = node_of(id);
    return !n || strcmp(n->type, m_data_type) ? 1 : cgio_write_all_data(cgio_num, id, data);
}

int cgio_write_data_type(int cgio_num, double id, const cgsize_t *s_start, const cgsize_t *s_end,
                         const cgsize_t *s_stride, const char *m_data_type, int m_num_dims,
                         const cgsize_t *m_dims, const cgsize_t *m_start, const cgsize_t *m_end,
                         const cgsize_t *m_stride, const void *data)
{
    (void)cgio_num;
    struct range file = {.start = s_start, .end = s_end, .stride = s_stride};
    struct range memory = {m_num_dims, m_dims, m_start, m_end, m_stride, {0}};
    return move(node_of(id), &file, &memory, m_data_type, (char *)(uintptr_t)data, 1);
}

int cgio_write_data(int cgio_num, double id, const cgsize_t *s_start, const cgsize_t *s_end,
                    const cgsize_t *s_stride, int m_num_dims, const cgsize_t *m_dims,
                    const cgsize_t *m_start, const cgsize_t *m_end, const cgsize_t *m_stride,
                    const void *data)
{
    const struct tree_node *n = node_of(id);
    return !n || cgio_write_data_type(cgio_num, id, s_start, s_end, s_stride, n->type, m_num_dims,
                                      m_dims, m_start, m_end, m_stride, data);
}
