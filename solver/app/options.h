/* What the command line says of a run. */
#ifndef AN_SOLVER_OPTIONS_H
#define AN_SOLVER_OPTIONS_H

/* How the flow of another mesh is taken: not at all; cell by cell where the zones are the same, else by position. */
enum an_other_mesh { AN_OTHER_NONE, AN_OTHER_AUTO, AN_OTHER_CELLS, AN_OTHER_POSITION };

struct an_options {
    const char *case_file;
    const char *restart;           /* a snapshot, "latest", or NULL */
    enum an_other_mesh other_mesh; /* of a snapshot of another mesh */
    const char *device;            /* as in the case file; NULL: the case's */
    int nset;
    char **set; /* "key=value" */
    int progress;
    int nfigure, nto; /* adjoint: */
    char **of, **to;  /* figures, keys of the case */
    int nodes;        /* 1: gradients by the nodes of the mesh, too */
    int settle;       /* 1: Newton steps whatever the residual would change */
    const char *
        part; /* of a map: "2.1", only chain 1 of line 2; "2", only line 2, behind its chains; "0", only the table
                         of all lines; NULL: all of it */
    const char *figure; /* check: picture of the mesh to draw; NULL: none */
    int effective;      /* check: 1: only print the case as it would be run, without its mesh */
};

#endif
