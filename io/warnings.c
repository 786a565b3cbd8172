#define _GNU_SOURCE
#include "io/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int an_warnings_add(struct an_warnings *w, int carried, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return 0;
    for (char *at = text; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    struct an_warning *list = w->list;
    for (int n = 0; n < w->n; n++)
        if (!strcmp(list[n].text, text)) {
            free(text);
            return 0;
        }
    list = realloc(list, ((size_t)w->n + 1) * sizeof *list);
    if (!list) {
        free(text);
        return 0;
    }
    w->list = list;
    w->list[w->n++] = (struct an_warning){text, carried};
    return 1;
}

void an_warnings_free(struct an_warnings *w)
{
    for (int n = 0; n < w->n; n++)
        free(w->list[n].text);
    free(w->list);
    *w = (struct an_warnings){0};
}
