/* Values of the command line options of the mesh tools, read by argp. A wrong value ends the program with the
 * option's name and what was expected. */
#ifndef AN_TOOLS_ARGUMENTS_H
#define AN_TOOLS_ARGUMENTS_H

#include <argp.h>

double argument_number(struct argp_state *state, const char *arg, const char *name, double lo,
                       double hi);
int argument_whole(struct argp_state *state, const char *arg, const char *name, int lo, int hi);

#endif
