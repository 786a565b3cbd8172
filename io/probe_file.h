/* Signals of probes: one HDF5 file with a row for each time step.
 *
 *     /iteration [rows]                 int64
 *     /time      [rows]                 s
 *     /value     [rows][probes][6]      density, velocity x, y, z, pressure, temperature; SI
 *     /name      [probes]               text
 *     /point     [probes][3]            m: what the case asks for
 *     /centre    [probes][3]            m: centre of the nearest cell, whose values they are
 *
 * Not collective: one rank writes. HDF5 is not thread-safe: nobody else may call it meanwhile. */
#ifndef AN_IO_PROBE_FILE_H
#define AN_IO_PROBE_FILE_H

#include <stdint.h>

enum { AN_PROBE_VALUES = 6 };

struct an_probe_rows {
    int probes, rows;
    const char *const *name;   /* [probes] */
    const double (*point)[3];  /* [probes] */
    const double (*centre)[3]; /* [probes] */
    const int64_t *iteration;  /* [rows], rising */
    const double *time;        /* [rows] */
    const double *value;       /* [rows][probes][AN_PROBE_VALUES] */
};

/* Adds the rows to the file, behind those of iterations up to `after`; later ones, of a run that went
 * back, are dropped. A file of other probes, or none, is replaced. AN_FAIL: the disk. */
int an_probe_file_append(const char *path, const struct an_probe_rows *r, int64_t after);

#endif
