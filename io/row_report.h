/* How rows and walls are printed; internal to io. */
#ifndef AN_IO_ROW_REPORT_H
#define AN_IO_ROW_REPORT_H

#include "io/history.h"

/* One cell of a table, right-aligned in `width`, after a blank; "-" for NaN. */
void an_report_cell(FILE *out, int width, const char *format, double value);
/* Of n rows, the last of them the machine: is the machine the first row? Then one of them is printed. */
int an_rows_are_one(int n, const double *first);
/* A row beneath the line of the running table, in its width. */
void an_row_line_print(FILE *out, const char *name, int cascade, int narrow, const double *v);

#endif
