// Values of the input file's nodes, and faults with their place.
#include "input.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void input_fault(struct reader *r, const struct an_origin *at, const char *format, ...)
{
    char where[1400], text[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    an_origin_text(at, where, sizeof where);
    if (r->row)
        an_diag_error(r->diag, where, "row '%s': %s", r->row, text);
    else
        an_diag_error(r->diag, where, "%s", text);
}

bool input_scalar(struct reader *r, const struct an_node *n, const char *name)
{
    if (n->kind == AN_NODE_SCALAR && !an_node_is_null(n))
        return true;
    if (n->kind != AN_NODE_BAD)
        input_fault(r, &n->at, "'%s' needs a single value", name);
    return false;
}

bool input_number(struct reader *r, const struct an_node *n, const char *name, double min,
                  double max, double *to)
{
    char word[100], *end;
    if (!input_scalar(r, n, name))
        return false;
    const double v = strtod(n->text, &end);
    an_printable(n->text, word, sizeof word);
    if (end == n->text || *end || !isfinite(v) || n->quoted)
        input_fault(r, &n->at, "'%s' needs a number, not '%s'", name, word);
    else if (v < min || v > max)
        input_fault(r, &n->at, "'%s' is %s, must be from %g to %g", name, word, min, max);
    else {
        *to = v;
        return true;
    }
    return false;
}

int input_choice(struct reader *r, const struct an_node *n, const char *name, const char *words)
{
    if (!input_scalar(r, n, name))
        return -1;
    const size_t length = strlen(n->text);
    int index = 0;
    for (const char *p = words; *p; index++) {
        const size_t w = strcspn(p, " ");
        if (w == length && strncmp(p, n->text, w) == 0)
            return index;
        p += w + (p[w] == ' ');
    }
    char word[100];
    input_fault(r, &n->at, "'%s' is '%s', must be one of: %s", name,
                an_printable(n->text, word, sizeof word), words);
    return -1;
}
