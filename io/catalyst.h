/* ParaView Catalyst 2: the functions of its stable C interface, and of the C interface of Conduit that
 * comes with it, from a library that is loaded when a case asks for it. Nothing is linked with it. The
 * declarations follow the documented interface of libcatalyst 2.0 (catalyst_api.h, conduit_node.h), in
 * which the names of Conduit's functions begin with catalyst_.
 *
 * Source: Catalyst in situ API (catalyst-in-situ.readthedocs.io), ParaView-Catalyst Blueprint
 * (docs.paraview.org), Conduit Mesh Blueprint (llnl-conduit.readthedocs.io).
 */
#ifndef AN_IO_CATALYST_H
#define AN_IO_CATALYST_H

#include <stdint.h>

typedef void an_conduit; /* conduit_node */

struct an_catalyst {
    /* 0: done; else a number of enum catalyst_status, or of the implementation */
    int (*initialize)(const an_conduit *parameters);
    int (*execute)(const an_conduit *parameters);
    int (*finalize)(const an_conduit *parameters);
    int (*about)(an_conduit *answer);

    an_conduit *(*create)(void);
    void (*destroy)(an_conduit *n);
    int (*has_path)(const an_conduit *n, const char *path);
    char *(*fetch_text)(an_conduit *n, const char *path); /* the node's own */
    /* Values at a path, whose nodes are made: copied, */
    void (*set_text)(an_conduit *n, const char *path, const char *value);
    void (*set_int64)(an_conduit *n, const char *path, int64_t value);
    void (*set_float64)(an_conduit *n, const char *path, double value);
    /* or pointed to: they stay the caller's. */
    void (*set_external_int64)(an_conduit *n, const char *path, int64_t *value, int64_t count);
    void (*set_external_float32)(an_conduit *n, const char *path, float *value, int64_t count);
    void (*set_external_float64)(an_conduit *n, const char *path, double *value, int64_t count);
};

/* Loads the library of that name, or at that path, and finds its functions. AN_INPUT: there is none, or
 * it is another library; the message says what was looked for. The library stays loaded. Not collective. */
int an_catalyst_load(const char *library, struct an_catalyst *to);
/* What a status of Catalyst says. Not collective. */
const char *an_catalyst_status(int status);

#endif
