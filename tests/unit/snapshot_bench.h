/* What the snapshot tests share: a small mesh in a file, its topology, fields whose every value is
 * known, and ways to cut zones into pieces. */
#ifndef TESTS_SNAPSHOT_BENCH_H
#define TESTS_SNAPSHOT_BENCH_H

#include "io/snapshot.h"

enum { BENCH_ZONES = 3, BENCH_FIELDS = 6, BENCH_PIECES = 64 };
extern const char *const bench_field[BENCH_FIELDS];

/* Writes a CGNS mesh of three curved zones to `path` and opens it. One rank writes, all may open.
 * flat: the second zone has one cell in its first direction. */
int bench_mesh_write(const char *path, int flat);
int bench_mesh_open(const char *path, struct an_mesh *m);

/* The pieces of one rank; with four ranks or more, rank 2 has none. Fields are owned. */
struct bench_pieces {
    enum an_precision precision;
    int n, turn[BENCH_PIECES]; /* of a piece's zone (an_mesh_turn_of) */
    struct an_snapshot_piece piece[BENCH_PIECES];
    void *field[BENCH_PIECES][BENCH_FIELDS];
};
void bench_pieces_new(const struct an_mesh *m, enum an_precision precision, int rank, int ranks,
                      struct bench_pieces *b);
void bench_pieces_free(struct bench_pieces *b);
/* Values as of an iteration; in single precision they are rounded. */
void bench_fill(struct bench_pieces *b, int64_t iteration);
/* How many values differ, in any bit, from those of an iteration stored as `stored`. */
int bench_differences(const struct bench_pieces *b, int64_t iteration, enum an_precision stored);

struct an_snapshot_meta bench_meta(int64_t iteration, double time, enum an_precision precision);

#endif
