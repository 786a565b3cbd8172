/* One value: from YAML to the struct. */
#include "io/case_keys.h"
#include "io/output_fields.h"

#include "kernels/base/numbers.h"
#include "kernels/base/units.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 80, UNIT = 40 }; /* of the user's text in a message; of a unit */

void an_case_fault(struct an_case_reader *r, const struct an_origin *at, const char *fmt, ...)
{
    char where[1400], text[2000];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    an_origin_text(at, where, sizeof where);
    an_diag_error(r->diag, where, "%s", text);
}

static const char *kind_name(const struct an_node *n)
{
    if (n->kind == AN_NODE_MAPPING)
        return "a mapping";
    if (n->kind == AN_NODE_SEQUENCE)
        return "a list";
    return an_node_is_null(n) ? "nothing" : "a single value";
}

/* Is it a scalar with something in it? Says so if not. */
static int is_scalar(struct an_case_reader *r, const char *path, const char *wanted,
                     const struct an_node *n)
{
    if (n->kind == AN_NODE_BAD)
        return 0;
    if (n->kind == AN_NODE_SCALAR && !an_node_is_null(n))
        return 1;
    an_case_fault(r, &n->at, "'%s' needs %s, not %s", path, wanted, kind_name(n));
    return 0;
}

/* [+-] digits [. digits] [e [+-] digits]: how many characters of the beginning are such a number, 0: none. What strtod takes
 * beyond that (hexadecimal, inf, nan, leading blanks) is no number here. */
static size_t length_of_number(const char *text)
{
    const char *s = text + (*text == '+' || *text == '-');
    int digits = 0;
    for (; isdigit((unsigned char)*s); s++)
        digits++;
    s += *s == '.';
    for (; isdigit((unsigned char)*s); s++)
        digits++;
    if (!digits)
        return 0;
    if (*s == 'e' || *s == 'E') {
        const char *e = s + 1;
        e += *e == '+' || *e == '-';
        if (isdigit((unsigned char)*e))
            for (s = e; isdigit((unsigned char)*s); s++)
                ;
    }
    return (size_t)(s - text);
}

/* The unit of number i of a key, from 0; "": none. A list may have one unit, or "Pa, K" of its numbers one after the other. */
static const char *own_unit(const struct an_key *key, const struct an_case *c, int i,
                            char unit[UNIT])
{
    const char *at = key ? an_key_unit(key, c) : "";
    for (; i > 0 && strstr(at, ", "); i--)
        at = strstr(at, ", ") + 2;
    snprintf(unit, UNIT, "%.*s", (int)strcspn(at, ","), at);
    return unit;
}

/* What turns values in a unit that stands behind a number into those of the key's unit; 0: there is no such unit. The key's unit
 * may be one that the table does not have, such as kg/s. */
static int unit_of(const char *key_unit, const char *name, double *factor, double *offset)
{
    name += *name == ' ';
    if (*key_unit && strcmp(name, key_unit) == 0)
        return 1;
    for (int q = 0; *key_unit && q < AN_NO_UNIT; q++) {
        const struct an_unit *own = an_unit_find((enum an_quantity)q, key_unit);
        const struct an_unit *given = own ? an_unit_find((enum an_quantity)q, name) : NULL;
        if (given) {
            *factor = given->factor / own->factor;
            *offset = (given->offset - own->offset) / own->factor;
            return 1;
        }
    }
    return 0;
}

/* unit: that of the key, behind which another of the same quantity may stand; "": none may. 1: the text is a number. */
static int number_of(const struct an_node *n, const char *unit, double *x)
{
    double factor = 1, offset = 0;
    const size_t length = n->kind == AN_NODE_SCALAR && !n->quoted ? length_of_number(n->text) : 0;
    if (!length || (n->text[length] && !unit_of(unit, n->text + length, &factor, &offset)))
        return 0;
    *x = strtod(n->text, NULL);
    if (factor != 1 || offset != 0)
        *x = factor * *x + offset;
    return 1;
}

int an_key_number(const struct an_key *key, const struct an_case *c, const struct an_node *n,
                  double *x)
{
    char unit[UNIT];
    return n && number_of(n, own_unit(key, c, 0, unit), x);
}

/* key: its unit, in a list that of number i, is the unit of the number; NULL: none. */
static int read_double(struct an_case_reader *r, const struct an_key *key, const char *path,
                       const struct an_node *n, int i, double *x)
{
    char word[WORD], unit[UNIT];
    double value;
    if (!is_scalar(r, path, "a number", n))
        return 0;
    an_printable(n->text, word, sizeof word);
    if (n->quoted) {
        an_case_fault(r, &n->at, "'%s' needs a number; '%s' is text in quotes", path, word);
        return 0;
    }
    errno = 0;
    if (!number_of(n, own_unit(key, r->c, i, unit), &value)) {
        const int named = length_of_number(n->text) && *unit;
        an_case_fault(r, &n->at, "'%s' needs a number%s%s, not '%s'", path, named ? " in " : "",
                      named ? unit : "", word);
        return 0;
    }
    if (!isfinite(value) || (errno == ERANGE && fabs(value) < DBL_MIN)) {
        an_case_fault(r, &n->at, "'%s': %s is too %s for a number", path, word,
                      isfinite(value) ? "small" : "large");
        return 0;
    }
    *x = value;
    return 1;
}

static int in_range(struct an_case_reader *r, const struct an_key *key, const char *path,
                    const struct an_node *n, int i, double x)
{
    char range[100], word[WORD], unit[UNIT];
    if (x <= key->max && (key->flags & AN_KEY_ABOVE_MIN ? x > key->min : x >= key->min))
        return 1;
    own_unit(key, r->c, i, unit);
    const char *said =
        n->text[length_of_number(n->text)] ? "" : unit; /* the text has its own unit */
    an_key_range(key, range, sizeof range);
    an_case_fault(r, &n->at, "'%s' is %s%s%s, but must be %s%s%s", path,
                  an_printable(n->text, word, sizeof word), *said ? " " : "", said, range,
                  *unit ? " " : "", unit);
    return 0;
}

/* Number i of a list, or a single one. */
static int read_number(struct an_case_reader *r, const struct an_key *key, const char *path,
                       const struct an_node *n, int i, void *to)
{
    double x;
    if (!read_double(r, key, path, n, i, &x) || !in_range(r, key, path, n, i, x))
        return 0;
    memcpy(to, &x, sizeof x);
    return 1;
}

static int read_integer(struct an_case_reader *r, const struct an_key *key, const char *path,
                        const struct an_node *n, void *to)
{
    double x;
    char word[WORD];
    if (!read_double(r, NULL, path, n, 0, &x))
        return 0;
    if (x != floor(x)) {
        an_case_fault(r, &n->at, "'%s' needs a whole number, not %s", path,
                      an_printable(n->text, word, sizeof word));
        return 0;
    }
    assert(key->min >= INT_MIN && key->max <= INT_MAX);
    if (!in_range(r, key, path, n, 0, x))
        return 0;
    int i = (int)x;
    memcpy(to, &i, sizeof i);
    return 1;
}

static int read_boolean(struct an_case_reader *r, const char *path, const struct an_node *n,
                        void *to)
{
    char word[WORD];
    if (!is_scalar(r, path, "true or false", n))
        return 0;
    int yes = strcmp(n->text, "true") == 0;
    if (n->quoted || (!yes && strcmp(n->text, "false") != 0)) {
        an_case_fault(r, &n->at, "'%s' needs true or false, not %s'%s'", path,
                      n->quoted ? "the text " : "", an_printable(n->text, word, sizeof word));
        return 0;
    }
    memcpy(to, &yes, sizeof yes);
    return 1;
}

/* Control characters and the line breaks of Unicode would not survive an echo on one line. */
static int is_one_line(const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7f || strncmp(s, "\xc2\x85", 2) == 0 ||
            strncmp(s, "\xe2\x80\xa8", 3) == 0 || strncmp(s, "\xe2\x80\xa9", 3) == 0)
            return 0;
    return 1;
}

static int read_text(struct an_case_reader *r, const struct an_key *key, const char *path,
                     const struct an_node *n, char *to)
{
    const char *folder = "", *s = n->text;
    if (!is_scalar(r, path, key->type == AN_KEY_PATH ? "a path" : "a text", n))
        return 0;
    if (!*s || !is_one_line(s)) {
        an_case_fault(r, &n->at, *s ? "'%s' must be one line of text" : "'%s' is empty", path);
        return 0;
    }
    if (key->type == AN_KEY_PATH && *s != '/' && strcmp(r->c->folder, ".") != 0)
        folder = r->c->folder;
    const char *slash = *folder && folder[strlen(folder) - 1] != '/' ? "/" : "";
    size_t length = strlen(folder) + strlen(slash) + strlen(s);
    if (length >= key->size) {
        an_case_fault(r, &n->at, "'%s' is too long: it has %zu bytes%s, but may have at most %zu",
                      path, length, *folder ? " with the folder of the case file" : "",
                      key->size - 1);
        return 0;
    }
    snprintf(to, key->size, "%s%s%s", folder, slash, s);
    return 1;
}

static int read_choice(struct an_case_reader *r, const struct an_key *key, const char *path,
                       const struct an_node *n, void *to)
{
    char word[WORD], all[300];
    const char *name;
    int value;
    struct an_nearest near;
    if (!is_scalar(r, path, "a word", n))
        return 0;
    an_nearest_init(&near, n->text);
    for (int i = 0; an_key_choice(key, i, &name, &value); i++) {
        if (strcmp(name, n->text) == 0) {
            memcpy(to, &value, sizeof value);
            return 1;
        }
        an_nearest_offer(&near, name);
    }
    an_printable(n->text, word, sizeof word);
    an_key_choices(key, ", ", all, sizeof all);
    if (near.best)
        an_case_fault(r, &n->at, "'%s' cannot be '%s'; did you mean '%s'? (one of %s)", path, word,
                      near.best, all);
    else
        an_case_fault(r, &n->at, "'%s' cannot be '%s'; it must be one of %s", path, word, all);
    return 0;
}

/* Unit length; what has it already is left alone, so that an echo reads back to the same bits. */
static int normalise(double v[3])
{
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (largest == 0)
        return 0;
    if (fabs(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 1) <= 16 * DBL_EPSILON)
        return 1;
    for (int m = 0; m < 3; m++)
        v[m] /= largest;
    double length = an_length(v);
    for (int m = 0; m < 3; m++)
        v[m] /= length;
    return 1;
}

static int read_vector(struct an_case_reader *r, const struct an_key *key, const char *path,
                       const struct an_node *n, void *to)
{
    double v[3];
    if (n->kind == AN_NODE_BAD)
        return 0;
    if (n->kind != AN_NODE_SEQUENCE || n->nchild != 3) {
        if (n->kind == AN_NODE_SEQUENCE)
            an_case_fault(r, &n->at, "'%s' needs three numbers [x, y, z], not %d", path, n->nchild);
        else
            an_case_fault(r, &n->at, "'%s' needs three numbers [x, y, z], not %s", path,
                          kind_name(n));
        return 0;
    }
    int good = 1;
    for (int m = 0; m < 3; m++)
        good &= read_double(r, key, path, n->child[m], 0, &v[m]);
    if (good && (key->flags & AN_KEY_DIRECTION) && !normalise(v)) {
        an_case_fault(r, &n->at, "'%s' is [0, 0, 0], which has no direction", path);
        return 0;
    }
    if (good)
        memcpy(to, v, sizeof v);
    return good;
}

static int read_field(struct an_case_reader *r, const char *path, const struct an_node *n)
{
    char word[WORD], all[800] = "";
    struct an_nearest near;
    if (!is_scalar(r, path, "names of fields", n))
        return 0;
    for (int i = 0; i < r->c->output.nfield; i++) {
        if (strcmp(r->c->output.field[i], n->text) == 0) {
            an_case_fault(r, &n->at, "'%s' names %s twice", path, n->text);
            return 0;
        }
    }
    an_nearest_init(&near, n->text);
    for (int i = 0; i < AN_NOUTPUT; i++) {
        const char *name = an_output_fields[i].name;
        if (strcmp(name, n->text) == 0) {
            snprintf(r->c->output.field[r->c->output.nfield++], AN_NAME, "%s", name);
            return 1;
        }
        an_nearest_offer(&near, name);
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", name);
    }
    an_printable(n->text, word, sizeof word);
    if (near.best)
        an_case_fault(r, &n->at, "'%s': unknown field '%s'; did you mean '%s'?", path, word,
                      near.best);
    else
        an_case_fault(r, &n->at, "'%s': unknown field '%s'; the fields are %s", path, word, all);
    return 0;
}

static int read_fields(struct an_case_reader *r, const char *path, const struct an_node *n)
{
    int good = 1;
    if (n->kind == AN_NODE_BAD)
        return 0;
    if (n->kind != AN_NODE_SEQUENCE) {
        an_case_fault(r, &n->at, "'%s' needs a list of names [a, b], not %s", path, kind_name(n));
        return 0;
    }
    memset(r->c->output.field, 0, sizeof r->c->output.field);
    r->c->output.nfield = 0; /* names are known and differ: they cannot be more than the array */
    for (int i = 0; i < n->nchild; i++)
        good &= read_field(r, path, n->child[i]);
    return good;
}

/* A list of names, or one name. */
static int read_names(struct an_case_reader *r, const char *path, const struct an_node *n, void *to)
{
    char word[WORD];
    struct an_case_names names = {0};
    const int most = (int)(sizeof names.name / sizeof *names.name);
    const int list = n->kind == AN_NODE_SEQUENCE;
    if (n->kind == AN_NODE_BAD)
        return 0;
    if (list && (n->nchild == 0 || n->nchild > most)) {
        an_case_fault(r, &n->at, "'%s' needs 1 to %d names, not %d", path, most, n->nchild);
        return 0;
    }
    for (int i = 0; i < (list ? n->nchild : 1); i++) {
        const struct an_node *one = list ? n->child[i] : n;
        if (!is_scalar(r, path, "names", one))
            return 0;
        if (!*one->text || strlen(one->text) >= AN_NAME) {
            an_case_fault(r, &one->at, "'%s': '%s' is no name: a name has 1 to %d characters", path,
                          an_printable(one->text, word, sizeof word), AN_NAME - 1);
            return 0;
        }
        snprintf(names.name[names.n++], AN_NAME, "%s", one->text);
    }
    memcpy(to, &names, sizeof names);
    return 1;
}

/* A list of numbers, or one number. */
static int read_numbers(struct an_case_reader *r, const struct an_key *key, const char *path,
                        const struct an_node *n, void *to)
{
    struct an_case_numbers numbers = {0};
    const int most = (int)(sizeof numbers.x / sizeof *numbers.x);
    const int list = n->kind == AN_NODE_SEQUENCE;
    if (n->kind == AN_NODE_BAD)
        return 0;
    if (list && n->nchild > most) {
        an_case_fault(r, &n->at, "'%s' has %d numbers, but may have at most %d", path, n->nchild,
                      most);
        return 0;
    }
    for (int i = 0; i < (list ? n->nchild : 1); i++)
        if (!read_number(r, key, path, list ? n->child[i] : n, i, &numbers.x[numbers.n++]))
            return 0;
    memcpy(to, &numbers, sizeof numbers);
    return 1;
}

int an_key_read(struct an_case_reader *r, const struct an_key *key, const char *path,
                const struct an_node *node, void *base)
{
    void *to = (char *)base + key->offset;
    switch (key->type) {
    case AN_KEY_NUMBER:
        return read_number(r, key, path, node, 0, to);
    case AN_KEY_INTEGER:
        return read_integer(r, key, path, node, to);
    case AN_KEY_BOOLEAN:
        return read_boolean(r, path, node, to);
    case AN_KEY_TEXT:
    case AN_KEY_PATH:
        return read_text(r, key, path, node, to);
    case AN_KEY_CHOICE:
        return read_choice(r, key, path, node, to);
    case AN_KEY_VECTOR:
        return read_vector(r, key, path, node, to);
    case AN_KEY_FIELDS:
        return read_fields(r, path, node);
    case AN_KEY_NAMES:
        return read_names(r, path, node, to);
    case AN_KEY_NUMBERS:
        return read_numbers(r, key, path, node, to);
    }
    return 0;
}

void an_key_standard(struct an_case_reader *r, const struct an_key *key, void *base)
{
    struct an_origin at = {.file = r->file};
    struct an_node *node = NULL;
    char path[64];
    if (!key->standard)
        return;
    an_key_path(key, path, sizeof path);
    if (an_yaml_parse(key->standard, strlen(key->standard), &at, r->diag, &node) == AN_OK && node)
        an_key_read(r, key, path, node, base);
    else /* without memory the key would be zero, and nobody would know */
        an_diag_error(r->diag, r->file, "the default of '%s' cannot be read: %s", path,
                      an_error_text());
    an_node_destroy(node);
}
