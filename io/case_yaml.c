#include "io/case_yaml.h"

#include "kernels/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

const char *an_printable(const char *s, char *buf, size_t size)
{
    size_t n = 0;
    for (; s[n] && n < size - 1; n++)
        buf[n] = (unsigned char)s[n] < 0x20 || s[n] == 0x7f ? ' ' : s[n];
    buf[n] = '\0';
    if (s[n]) {
        n = size - 4;
        while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
            n--; /* not inside a UTF-8 character */
        memcpy(buf + n, "...", 4);
    }
    return buf;
}

void an_origin_text(const struct an_origin *at, char *buf, size_t size)
{
    char word[256];
    if (at->set)
        snprintf(buf, size, "--set %s", an_printable(at->set, word, sizeof word));
    else
        snprintf(buf, size, "%s:%d:%d", at->file, at->line, at->column);
}

struct an_node *an_node_new(enum an_node_kind kind, const struct an_origin *at)
{
    struct an_node *n = calloc(1, sizeof *n);
    if (n) {
        n->kind = kind;
        n->at = n->key_at = *at;
    }
    return n;
}

void an_node_destroy(struct an_node *n)
{
    if (!n)
        return;
    for (int i = 0; i < n->nchild; i++)
        an_node_destroy(n->child[i]);
    free(n->child);
    free(n->key);
    free(n->text);
    free(n);
}

int an_node_append(struct an_node *parent, struct an_node *child)
{
    if (parent->nchild == parent->capacity) {
        int capacity = parent->capacity ? 2 * parent->capacity : 8;
        struct an_node **grown = realloc(parent->child, (size_t)capacity * sizeof(*grown));
        if (!grown) {
            an_node_destroy(child);
            return an_error_set(AN_FAIL, "out of memory while reading the case file");
        }
        parent->child = grown;
        parent->capacity = capacity;
    }
    parent->child[parent->nchild++] = child;
    return AN_OK;
}

struct an_node *an_node_child(const struct an_node *mapping, const char *key)
{
    for (int i = 0; i < mapping->nchild; i++)
        if (mapping->child[i]->key && strcmp(mapping->child[i]->key, key) == 0)
            return mapping->child[i];
    return NULL;
}

int an_node_is_null(const struct an_node *n)
{
    return n->kind == AN_NODE_SCALAR && !n->quoted &&
           (n->text[0] == '\0' || strcmp(n->text, "~") == 0 || strcmp(n->text, "null") == 0);
}

/* The state of a parse: the open collections, outermost first, and the key that waits for its
 * value in each open mapping. */
struct builder {
    struct an_origin at;
    struct an_diag *diag;
    struct an_node *root;
    struct an_node *open[AN_YAML_DEPTH];
    char *key[AN_YAML_DEPTH];
    struct an_origin key_at[AN_YAML_DEPTH];
    int depth, nnode, ndocument;
    int stop; /* no use in going on */
};

static struct an_origin place(const struct builder *b, const yaml_mark_t *mark)
{
    struct an_origin at = b->at;
    if (!at.set) {
        at.line = (int)mark->line + 1;
        at.column = (int)mark->column + 1;
    }
    return at;
}

static void fault(struct builder *b, const struct an_origin *at, const char *text)
{
    char where[1400];
    an_origin_text(at, where, sizeof where);
    an_diag_error(b->diag, where, "%s", text);
}

static void refuse_duplicate(struct builder *b, const char *key, const struct an_origin *at)
{
    const struct an_node *first = an_node_child(b->open[b->depth - 1], key);
    char text[256], word[64];
    if (!first)
        return;
    an_printable(key, word, sizeof word);
    if (at->set)
        snprintf(text, sizeof text, "duplicate key '%s'", word);
    else
        snprintf(text, sizeof text, "duplicate key '%s': first in line %d, again in line %d", word,
                 first->key_at.line, at->line);
    fault(b, at, text);
}

/* A finished node: a key or a value of the open mapping, an entry of the open sequence or the root.
 * Takes the node. */
static int place_node(struct builder *b, struct an_node *n)
{
    if (!n)
        return an_error_set(AN_FAIL, "out of memory while reading the case file");
    if (++b->nnode > AN_YAML_NODES) {
        fault(b, &n->at, "too many keys and values for a case file");
        an_node_destroy(n);
        b->stop = 1;
        return AN_OK;
    }
    if (b->depth == 0) {
        b->root = n;
        return AN_OK;
    }
    int top = b->depth - 1;
    struct an_node *parent = b->open[top];
    if (parent->kind != AN_NODE_MAPPING || b->key[top]) {
        n->key = b->key[top];
        n->key_at = n->key ? b->key_at[top] : n->at;
        b->key[top] = NULL;
        return an_node_append(parent, n);
    }
    if (n->kind == AN_NODE_SCALAR) {
        b->key[top] = n->text;
        n->text = NULL;
        refuse_duplicate(b, b->key[top], &n->at);
    } else {
        if (n->kind != AN_NODE_BAD)
            fault(b, &n->at, "a key must be a word, not a list or a mapping");
        b->key[top] = strdup("");
        b->stop = 1;
    }
    b->key_at[top] = n->at;
    an_node_destroy(n);
    return b->key[top] ? AN_OK : an_error_set(AN_FAIL, "out of memory while reading the case file");
}

static int add_scalar(struct builder *b, const yaml_event_t *e, const struct an_origin *at)
{
    const char *value = (const char *)e->data.scalar.value;
    struct an_node *n = an_node_new(AN_NODE_SCALAR, at);
    if (memchr(value, 0, e->data.scalar.length))
        fault(b, at, "a NUL character in a value");
    if (n) {
        n->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        n->text = strdup(value);
        if (!n->text) {
            an_node_destroy(n);
            n = NULL;
        }
    }
    return place_node(b, n);
}

static int open_collection(struct builder *b, enum an_node_kind kind, const struct an_origin *at)
{
    if (b->depth == AN_YAML_DEPTH) {
        fault(b, at, "nested too deeply for a case file");
        b->stop = 1;
        return AN_OK;
    }
    struct an_node *n = an_node_new(kind, at);
    if (b->depth > 0 && b->open[b->depth - 1]->kind == AN_NODE_MAPPING &&
        !b->key[b->depth - 1]) { /* a key that is no scalar: reported, and the parse ends */
        return place_node(b, n);
    }
    AN_TRY(place_node(b, n));
    if (!b->stop)
        b->open[b->depth++] = n;
    return AN_OK;
}

static void refuse_decoration(struct builder *b, const struct an_origin *at, const void *anchor,
                              const void *tag)
{
    if (anchor)
        fault(b, at, "anchors (&name) are not allowed; write the value out");
    if (tag)
        fault(b, at, "tags (!name) are not allowed");
}

static int take_event(struct builder *b, const yaml_event_t *e)
{
    struct an_origin at = place(b, &e->start_mark);
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++b->ndocument > 1) {
            fault(b, &at, "a second document begins here; a case file holds one");
            b->stop = 1;
        }
        return AN_OK;
    case YAML_ALIAS_EVENT:
        fault(b, &at, "aliases (*name) are not allowed; write the value out");
        return place_node(b, an_node_new(AN_NODE_BAD, &at));
    case YAML_SCALAR_EVENT:
        refuse_decoration(b, &at, e->data.scalar.anchor, e->data.scalar.tag);
        return add_scalar(b, e, &at);
    case YAML_SEQUENCE_START_EVENT:
        refuse_decoration(b, &at, e->data.sequence_start.anchor, e->data.sequence_start.tag);
        return open_collection(b, AN_NODE_SEQUENCE, &at);
    case YAML_MAPPING_START_EVENT:
        refuse_decoration(b, &at, e->data.mapping_start.anchor, e->data.mapping_start.tag);
        return open_collection(b, AN_NODE_MAPPING, &at);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return AN_OK;
    default:
        return AN_OK;
    }
}

/* Faults of bytes come with an offset, faults of syntax with a mark. */
static void report_syntax(struct builder *b, const yaml_parser_t *p, const char *text,
                          size_t length)
{
    struct an_origin at = place(b, &p->problem_mark);
    char message[512];
    if (p->error == YAML_READER_ERROR && !at.set) {
        at.line = at.column = 1;
        for (size_t i = 0; i < p->problem_offset && i < length; i++) {
            at.column = text[i] == '\n' ? 1 : at.column + 1;
            at.line += text[i] == '\n';
        }
    }
    snprintf(message, sizeof message, "%s: %s%s%s",
             p->error == YAML_READER_ERROR ? "not a text in UTF-8" : "not YAML",
             p->problem ? p->problem : "syntax", p->context ? " " : "",
             p->context ? p->context : "");
    fault(b, &at, message);
}

static int parse_all(struct builder *b, yaml_parser_t *parser, const char *text, size_t length)
{
    int status = AN_OK;
    for (int end = 0; !end && !b->stop && status == AN_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            if (parser->error == YAML_MEMORY_ERROR)
                return an_error_set(AN_FAIL, "out of memory while reading the case file");
            report_syntax(b, parser, text, length);
            b->stop = 1;
            break;
        }
        status = take_event(b, &event);
        end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    return status;
}

int an_yaml_parse(const char *text, size_t length, const struct an_origin *at, struct an_diag *diag,
                  struct an_node **root)
{
    struct builder b = {.at = *at, .diag = diag};
    yaml_parser_t parser;
    *root = NULL;
    if (!yaml_parser_initialize(&parser))
        return an_error_set(AN_FAIL, "out of memory while reading the case file");
    const size_t mark = an_text_mark(text, length); /* libyaml counts it as a column */
    text += mark;
    length -= mark;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    int status = parse_all(&b, &parser, text, length);
    yaml_parser_delete(&parser);
    for (int i = 0; i < AN_YAML_DEPTH; i++)
        free(b.key[i]);
    if (status != AN_OK || b.stop) {
        an_node_destroy(b.root);
        b.root = NULL;
    }
    *root = b.root;
    return status;
}

int an_yaml_load(const char *path, struct an_diag *diag, char **text, size_t *length)
{
    struct stat info;
    *text = NULL;
    FILE *f = fopen(path, "rb");
    if (!f || fstat(fileno(f), &info) != 0) {
        an_diag_error(diag, path, "cannot be opened: %s", strerror(errno));
        if (f)
            fclose(f);
        return AN_INPUT;
    }
    char *buf = NULL;
    int status = AN_INPUT;
    size_t n = 0;
    if (S_ISDIR(info.st_mode)) {
        an_diag_error(diag, path, "is a folder, not a case file");
    } else if (!(buf = malloc(AN_YAML_BYTES + 2))) {
        status = an_error_set(AN_FAIL, "out of memory while reading the case file");
    } else {
        n = fread(buf, 1, AN_YAML_BYTES + 1, f);
        if (ferror(f))
            an_diag_error(diag, path, "cannot be read: %s", strerror(errno));
        else if (n > AN_YAML_BYTES)
            an_diag_error(diag, path, "is longer than %d bytes: not a case file", AN_YAML_BYTES);
        else
            status = AN_OK;
    }
    fclose(f);
    if (status != AN_OK) {
        free(buf);
        return status;
    }
    buf[n] = '\0';
    *text = buf;
    *length = n;
    return AN_OK;
}
