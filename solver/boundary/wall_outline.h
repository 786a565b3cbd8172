/* The surface of a wall in the axes of the machine, split into blades, and its span: used by wall_sections.c alone. */
#ifndef AN_SOLVER_WALL_OUTLINE_H
#define AN_SOLVER_WALL_OUTLINE_H

#include "solver/boundary/wall_sections.h"

struct an_wall_point {
    double a, h, t; /* m; t: m or rad */
};

/* A straight piece of an edge, or of a section. */
struct an_wall_piece {
    struct an_wall_point end[2];
};

/* One blade: patches that share edges. */
struct an_wall_blade {
    int nedge[2]; /* pieces of the edges at hub and tip; 0 at the tip: the wall closes it */
    struct an_wall_piece *edge[2]; /* owned */
    double t[2];                   /* range of t of its nodes */
    double height;                 /* m: largest distance from the edge at the hub; nedge[1] is 0 */
    int npiece; /* room for the pieces of a section: faces of its patches, two each */
};

struct an_wall_outline {
    const struct an_wall_surface *surface; /* the caller's */
    double size;                           /* m: of the whole wall */
    struct an_wall_point **node; /* [npatch][(n[1] + 1)(n[0] + 1)], moved to join; owned */
    double **span;               /* [npatch] of the nodes; owned */
    int *blade;                  /* [npatch]: the blade of a patch; owned */
    int nblade;
    struct an_wall_blade *of; /* [nblade]; owned */
};

/* AN_INPUT where a blade has no edges at hub and tip. For a zeroed outline; free it also after an error. */
int an_wall_outline_find(const struct an_wall_surface *surface, struct an_wall_outline *o);
void an_wall_outline_free(struct an_wall_outline *o);

/* A point of space, m; theta between -pi and pi. */
struct an_wall_point an_wall_point_of(const struct an_wall_surface *s, const double x[3]);
/* A difference of t, around x the smallest of all turns. */
double an_wall_turn(const struct an_wall_surface *s, double t);
/* Vector from p to q, m: along a, h and t. */
void an_wall_vector(const struct an_wall_surface *s, const struct an_wall_point *p,
                    const struct an_wall_point *q, double v[3]);
double an_wall_length(const struct an_wall_surface *s, const struct an_wall_point *p,
                      const struct an_wall_point *q);
/* Does t of a point lie in the range of a blade? */
int an_wall_blade_holds(const struct an_wall_surface *s, const struct an_wall_blade *blade,
                        const struct an_wall_point *p);
/* Span of a point on a blade. */
double an_wall_span(const struct an_wall_blade *blade, const struct an_wall_point *p);

#endif
