#include "kernels/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char text[4096];

int an_error_set(int code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return code;
}

const char *an_error_text(void)
{
    return text;
}

void an_diag_init(struct an_diag *d)
{
    memset(d, 0, sizeof *d);
}

void an_diag_free(struct an_diag *d)
{
    for (int i = 0; i < d->nline; i++)
        free(d->line[i]);
    free(d->line);
    an_diag_init(d);
}

static void append(struct an_diag *d, const char *kind, const char *where, const char *fmt,
                   va_list ap)
{
    char body[2048], line[4096];
    vsnprintf(body, sizeof body, fmt, ap);
    snprintf(line, sizeof line, "%s%s%s: %s", where ? where : "", where ? ": " : "", kind, body);
    if (d->nline == d->capacity) {
        int capacity = d->capacity ? 2 * d->capacity : 16;
        char **grown = realloc(d->line, (size_t)capacity * sizeof *grown);
        if (!grown)
            return; /* the counts below still fail the check */
        d->line = grown;
        d->capacity = capacity;
    }
    char *copy = strdup(line);
    if (copy)
        d->line[d->nline++] = copy;
}

void an_diag_error(struct an_diag *d, const char *where, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    append(d, "error", where, fmt, ap);
    va_end(ap);
    d->nerror++;
}

void an_diag_warning(struct an_diag *d, const char *where, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    append(d, "warning", where, fmt, ap);
    va_end(ap);
    d->nwarning++;
}
