/* What the command line says of a run. */
#ifndef AN_SOLVER_OPTIONS_H
#define AN_SOLVER_OPTIONS_H

struct an_options {
    const char *case_file;
    const char *restart; /* a snapshot, "latest", or NULL */
    int other_mesh;      /* 1: also from one of other coordinates */
    const char *device;  /* as in the case file; NULL: the case's */
    int nset;
    char **set; /* "key=value" */
    int progress;
    const char *figure; /* check: picture of the mesh to draw; NULL: none */
    int effective;      /* check: 1: only print the case as it would be run, without its mesh */
};

#endif
