/* Tables of iterations as CSV files: a line of names, and lines that begin with their iteration. */
#ifndef AN_IO_CSV_FILE_H
#define AN_IO_CSV_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "kernels/base/error.h"

/* Opens a table to append to it. Of a file that is there already the lines of iterations <= last stay,
 * so that a run which goes back goes on from there; last < 0: none stays. Lines after a torn one, as a
 * killed run leaves it, go too. A file with other names is set aside as PATH.old, because its columns
 * would not fit the lines to come. header: the line of names, '\n' included. AN_INPUT where the file
 * cannot be made, AN_FAIL on a full disk. */
int an_csv_open(const char *path, const char *header, int64_t last, FILE **csv);

#endif
