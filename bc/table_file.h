/* Lines and cells of the tables that users give as CSV files: profiles of inlets (profile.h) and walls
 * (wall_profile.h). Commas, semicolons or tabs separate the cells, names and texts may be in quotes, empty lines and
 * lines that begin with # are left out, and a byte order mark at the start of the file is ignored. */
#ifndef AN_BC_TABLE_FILE_H
#define AN_BC_TABLE_FILE_H

#include "kernels/base/error.h"
#include "kernels/base/units.h"

#include <stddef.h>

/* A place in the file, for messages. */
struct an_table_place {
    const char *path;
    int line;
    const char *start; /* of the line in memory; cells lie behind it */
};

/* Gets the lines of a table one after the other, the heading first, without their line ends; it may write into `text`.
 * What it returns other than AN_OK ends the reading. */
typedef int an_table_line(void *context, const struct an_table_place *here, char *text);
/* AN_INPUT, naming file and line: the file cannot be read or holds no text; or what `line` returned. what: the file in
 * the text of an error ("profile"). */
int an_table_read(const char *path, const char *what, an_table_line *line, void *context);

/* Returns the next cell of *line without the blanks and quotes around it, NULL behind the last cell. *column
 * gets the number of the cell's first character in the line, from 1. */
char *an_table_cell(const struct an_table_place *here, char separator, char **line, int *column);
/* The number of a cell. AN_INPUT, naming file, line and column, where it is none. */
int an_table_number(const struct an_table_place *here, const char *text, int column, double *v);
/* The character that separates the columns of a heading: ',', ';' or a tab. AN_INPUT where it is none of them, or two
 * of them. */
int an_table_separator(const struct an_table_place *here, const char *heading, char *separator);

/* A column that a table may have: a quantity with a unit, as `p0 [kPa]` or p0_kPa, or a name that stands for itself. */
struct an_table_column {
    const char *name;          /* of the quantity, in any case, or the whole name */
    enum an_quantity quantity; /* AN_NO_UNIT: a whole name */
    const char *kept; /* unit in which the table is kept; NULL: the name stands for itself */
    const char *what; /* "pressure", for messages */
    int to;           /* what the caller calls it */
    double factor;    /* of names that stand for themselves */
};
/* What a name of the heading means: value as it is kept = factor number + offset. */
struct an_table_meaning {
    int to;
    double factor, offset;
};

/* Looks a name up in list[n]. AN_INPUT, in a sentence that begins with the name, where its unit is missing or not known,
 * or it has no meaning; `known` ends the sentence on a name without a meaning. */
int an_table_column_find(const char *name, const struct an_table_column *list, size_t n,
                         const char *known, struct an_table_meaning *meaning);

/* A heading: its columns in the order of the file. */
enum { AN_TABLE_COLUMNS = 32 };
struct an_table_heading {
    char separator;
    int n; /* columns; 0: the heading has not been read */
    struct an_table_meaning column[AN_TABLE_COLUMNS];
    int has
        [AN_TABLE_COLUMNS]; /* by `to`: its first character in the heading, from 1; 0: it is not there */
};

/* Reads a heading into *h, which is zeroed; `to` of list[n] is below AN_TABLE_COLUMNS. AN_INPUT, naming file, line and
 * column, as of an_table_separator and an_table_column_find, and where a column is without a name or there twice. */
int an_table_heading_read(const struct an_table_place *here, char *text,
                          const struct an_table_column *list, size_t n, const char *known,
                          struct an_table_heading *h);
/* The cell of column c of n of a line; AN_INPUT where the line has no more cells. */
int an_table_next(const struct an_table_place *here, char separator, int c, int n, char **line,
                  int *at, const char **cell);
/* AN_INPUT where the line has a cell more than the heading has columns. */
int an_table_ends(const struct an_table_place *here, char separator, char *line);

#endif
