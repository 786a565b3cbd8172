#include "io/screen.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int columns_of(int file)
{
    struct winsize size = {0};
    return isatty(file) && ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int an_screen_columns(FILE *screen)
{
    const int file = screen ? fileno(screen) : -1;
    if (file < 0 || !isatty(file))
        return 0;
    int columns = columns_of(file);
    if (columns == 0 && getenv("COLUMNS"))
        columns = atoi(getenv("COLUMNS"));
    return columns > 0 ? columns : 0;
}

int an_screen_is_narrow(FILE *screen, int columns)
{
    const int has = an_screen_columns(screen);
    return has > 0 && has < columns;
}

/* How much of a text goes into so many columns: up to a blank, or a whole word that has no room anywhere. */
static size_t part_of(const char *text, size_t columns)
{
    size_t length = strlen(text), end = columns;
    if (length <= columns)
        return length;
    while (end > 0 && text[end] != ' ')
        end--;
    const size_t lead = strspn(text, " ");
    return end > lead ? end : lead + strcspn(text + lead, " ");
}

void an_screen_line(FILE *screen, int indent, const char *format, ...)
{
    enum { LEAST = 40 };
    char text[8192];
    const int columns = an_screen_columns(screen);
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t room = columns < LEAST ? sizeof text : (size_t)columns;
    const char *rest = text;
    for (;;) {
        const size_t length = part_of(rest, room);
        fprintf(screen, "%.*s\n", (int)length, rest);
        rest += length;
        rest += strspn(rest, " ");
        if (!*rest)
            break;
        fprintf(screen, "%*s", indent, "");
        room = columns < LEAST ? sizeof text : (size_t)(columns - indent);
    }
}
