/* Version, commit and build of this program. */
#ifndef AN_SOLVER_VERSION_H
#define AN_SOLVER_VERSION_H

#include <stdio.h>

const char *an_version(void); /* "MAJOR.MINOR.PATCH (commit)" */
/* `annulus --version`: version, commit, precisions, engines, libraries, transports. */
void an_version_print(FILE *out);

#endif
