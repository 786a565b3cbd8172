/* The command `annulus bench`. The flow program has bench_start.c, the program annulus_bench beside it bench_input.c. */
#ifndef AN_SOLVER_BENCH_INPUT_H
#define AN_SOLVER_BENCH_INPUT_H

#include "bench/bench.h"
#include "solver/app/options.h"

/* In the flow program: becomes annulus_bench with the same arguments. Returns only where it cannot be started: AN_INPUT if it
 * was not built, else AN_FAIL. In annulus_bench: does nothing. */
int an_bench_start(char **argv);

/* Runs the benchmark on this process, the only one: others would share its processor or card. `annulus
 * bench case` reads its case first: case_file, with the settings of `run` on top, or NULL: the row that
 * the benchmark writes into a temporary folder. AN_INPUT where anything is wrong; *printed as of
 * an_input_read. */
int an_bench_command(const struct an_bench_options *o, const struct an_options *run,
                     const char *case_file, int *printed);

#endif
